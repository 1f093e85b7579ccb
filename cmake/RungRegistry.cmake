# SPDX-License-Identifier: Apache-2.0
# rung_add_registry(<namespace> REGISTRY <registry.yaml> GENERATED <folder> [TARGET <name>] [CUDA <how>])
#
# Makes the static library target rung_<namespace> (lib<namespace>.a): the tables, the dispatch functions and the kernels of one
# registry. Where that has components, also rung_<namespace>_components (lib<namespace>_components.a): their builders, which
# may need libraries that themselves call the registry's ops; the caller links the target with those. Kernel sources are
# looked for beside the registry file. The tables in <folder> are committed; they are checked against the registry at
# configure time, without Python, and regenerated when they are stale (see RungManifest.cmake).
#
# And the static library target rung_<namespace>_proof (lib<namespace>_proof.a): what the proof and the timing of kernels know
# of each op (rung/proof.h), with the reference kernels compiled once more with wider numbers. It is built where something
# links it.
#
# TARGET: another name for the target (and so for its library), for one registry that is built in two ways.
# CUDA: how kernels for CUDA devices are built. ON (default): with nvcc, where there is one (RungCuda.cmake). OFF: they are
# not. Or a function, which is called with the arguments of rung_registry_image below for every image, and adds to
# ${RUNG_REGISTRY_TARGET} what defines it; RUNG_REGISTRY_FOLDER and RUNG_REGISTRY_GENERATED are those of the registry.
#
# A requirement of kind `build` is met where a target rung_<requirement> exists; it brings the headers, the library and the
# definition RUNG_WITH_<REQUIREMENT>=1.
#
# One object library per (device, arch, requirements), so that a source that stands on several archs is compiled once for each with
# that arch's flags, and no flag reaches anything else.

include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include("${CMAKE_CURRENT_LIST_DIR}/RungManifest.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/RungCuda.cmake")

check_c_source_compiles("#if !defined(__x86_64__)\n#error\n#endif\nint main(void){return 0;}" RUNG_FAMILY_X86)
check_c_source_compiles("#if !defined(__aarch64__)\n#error\n#endif\nint main(void){return 0;}" RUNG_FAMILY_AARCH64)

function(rung_add_registry namespace)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "REGISTRY;GENERATED;TARGET;CUDA" "")
  if(NOT arg_REGISTRY OR NOT arg_GENERATED OR arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR
      "rung_add_registry(<namespace> REGISTRY <registry.yaml> GENERATED <folder> [TARGET <name>] [CUDA <how>]) is expected")
  endif()
  get_filename_component(registry "${arg_REGISTRY}" ABSOLUTE)
  get_filename_component(generated "${arg_GENERATED}" ABSOLUTE)
  get_filename_component(folder "${registry}" DIRECTORY)

  rung_check_generated("${registry}" "${generated}")
  if(NOT EXISTS "${generated}/include/${namespace}/ids.h")
    message(FATAL_ERROR "rung_add_registry: the namespace of ${registry} is not ${namespace}")
  endif()

  # For the functions below, which files.cmake calls.
  set(RUNG_REGISTRY_TARGET rung_${namespace})
  set(RUNG_REGISTRY_LIBRARY ${namespace})
  if(arg_TARGET)
    set(RUNG_REGISTRY_TARGET ${arg_TARGET})
    set(RUNG_REGISTRY_LIBRARY ${arg_TARGET})
  endif()
  set(RUNG_REGISTRY_NAMESPACE ${namespace})
  set(RUNG_REGISTRY_FOLDER "${folder}")
  set(RUNG_REGISTRY_GENERATED "${generated}")

  add_library(${RUNG_REGISTRY_TARGET} STATIC)
  add_library(rung::${RUNG_REGISTRY_LIBRARY} ALIAS ${RUNG_REGISTRY_TARGET})
  set_target_properties(${RUNG_REGISTRY_TARGET} PROPERTIES
    OUTPUT_NAME ${RUNG_REGISTRY_LIBRARY} EXPORT_NAME ${RUNG_REGISTRY_LIBRARY})
  target_include_directories(${RUNG_REGISTRY_TARGET} PUBLIC
    "$<BUILD_INTERFACE:${generated}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  if(TARGET rung)
    set(RUNG_RUNTIME rung)
  else()
    set(RUNG_RUNTIME rung::rung) # an installed one
  endif()
  target_link_libraries(${RUNG_REGISTRY_TARGET} PUBLIC ${RUNG_RUNTIME} PRIVATE $<BUILD_INTERFACE:rung_compile>)

  if(NOT DEFINED arg_CUDA)
    set(arg_CUDA ON)
  endif()
  rung_registry_cuda("${arg_CUDA}" "${registry}" "${generated}")
  include("${generated}/files.cmake")
endfunction()

# Called by files.cmake.
function(rung_registry_sources)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "DISPATCH;TABLES;COMPONENTS;PROOF")
  set(sources ${arg_DISPATCH} ${arg_TABLES})
  list(TRANSFORM sources PREPEND "${RUNG_REGISTRY_GENERATED}/")
  target_sources(${RUNG_REGISTRY_TARGET} PRIVATE ${sources})
  if(arg_COMPONENTS)
    set(target ${RUNG_REGISTRY_TARGET}_components)
    add_library(${target} STATIC)
    add_library(rung::${RUNG_REGISTRY_LIBRARY}_components ALIAS ${target})
    set_target_properties(${target} PROPERTIES
      OUTPUT_NAME ${RUNG_REGISTRY_LIBRARY}_components EXPORT_NAME ${RUNG_REGISTRY_LIBRARY}_components)
    list(TRANSFORM arg_COMPONENTS PREPEND "${RUNG_REGISTRY_GENERATED}/")
    target_sources(${target} PRIVATE ${arg_COMPONENTS})
    target_link_libraries(${target} PUBLIC ${RUNG_REGISTRY_TARGET} PRIVATE $<BUILD_INTERFACE:rung_compile>)
  endif()
  if(arg_PROOF)
    set(target ${RUNG_REGISTRY_TARGET}_proof)
    add_library(${target} STATIC EXCLUDE_FROM_ALL)
    add_library(rung::${RUNG_REGISTRY_LIBRARY}_proof ALIAS ${target})
    set_target_properties(${target} PROPERTIES
      OUTPUT_NAME ${RUNG_REGISTRY_LIBRARY}_proof EXPORT_NAME ${RUNG_REGISTRY_LIBRARY}_proof)
    list(TRANSFORM arg_PROOF PREPEND "${RUNG_REGISTRY_GENERATED}/")
    target_sources(${target} PRIVATE ${arg_PROOF})
    target_include_directories(${target} PRIVATE "${RUNG_REGISTRY_FOLDER}") # of values from outside
    target_link_libraries(${target} PUBLIC ${RUNG_REGISTRY_TARGET} PRIVATE $<BUILD_INTERFACE:rung_compile>)
    if(TARGET rung_proof)
      target_link_libraries(${target} PUBLIC rung_proof)
    elseif(TARGET rung::proof)
      target_link_libraries(${target} PUBLIC rung::proof)
    endif()
  endif()
endfunction()

# Sets `variable` to whether this build has code for an arch of a device; with the others empty, for the device: what
# builders, and kernels of it without an image, ask. What it has none for the preprocessor lists as not built.
function(rung_registry_has variable device arch tag)
  set(has FALSE)
  if(device MATCHES "^(cpu|accel)$")
    set(has TRUE)
  elseif(device STREQUAL "cuda")
    rung_registry_cuda_has(has "${arch}" "${tag}")
  endif()
  set(${variable} ${has} PARENT_SCOPE)
endfunction()

# Called by files.cmake, once for every builder that is not planned.
function(rung_registry_builder)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SYMBOL;SOURCE;DEVICE" "REQUIRES")
  rung_registry_has(has "${arg_DEVICE}" "" "")
  if(NOT has)
    return()
  endif()
  foreach(requirement IN LISTS arg_REQUIRES)
    if(NOT TARGET rung_${requirement})
      return()
    endif()
  endforeach()
  set(target ${RUNG_REGISTRY_TARGET}_components)
  target_sources(${target} PRIVATE "${RUNG_REGISTRY_FOLDER}/${arg_SOURCE}")
  foreach(requirement IN LISTS arg_REQUIRES)
    # the tables say what is built: they need the definition, not the library
    target_compile_definitions(${RUNG_REGISTRY_TARGET} PRIVATE
      $<TARGET_PROPERTY:rung_${requirement},INTERFACE_COMPILE_DEFINITIONS>)
    target_link_libraries(${target} PUBLIC
      $<BUILD_INTERFACE:rung_${requirement}> $<INSTALL_INTERFACE:${requirement}>)
  endforeach()
endfunction()

# Called by files.cmake, once for every op whose reference kernel is compiled again with wider numbers.
function(rung_registry_wide)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SYMBOL;SOURCE;WIDE" "")
  set(objects ${RUNG_REGISTRY_TARGET}_wide)
  if(NOT TARGET ${objects})
    add_library(${objects} OBJECT EXCLUDE_FROM_ALL)
    # others look at these sources as they are compiled for cpu/generic
    set_target_properties(${objects} PROPERTIES EXPORT_COMPILE_COMMANDS OFF)
    target_compile_options(${objects} PRIVATE "SHELL:-include rung/wide.h")
    target_compile_definitions(${objects} PRIVATE RUNG_ARCH_TAG=cpu_generic)
    target_include_directories(${objects} PRIVATE "${RUNG_REGISTRY_GENERATED}/include")
    target_link_libraries(${objects} PRIVATE $<BUILD_INTERFACE:rung_compile> ${RUNG_RUNTIME})
    target_sources(${RUNG_REGISTRY_TARGET}_proof PRIVATE $<TARGET_OBJECTS:${objects}>)
  endif()
  target_compile_definitions(${objects} PRIVATE ${arg_SYMBOL}=${arg_WIDE})
  get_target_property(sources ${objects} SOURCES)
  if(NOT "${RUNG_REGISTRY_FOLDER}/${arg_SOURCE}" IN_LIST sources) # one may have the references of several ops
    target_sources(${objects} PRIVATE "${RUNG_REGISTRY_FOLDER}/${arg_SOURCE}")
  endif()
endfunction()

# Called by files.cmake, once for every source on every arch that is compiled for a device.
function(rung_registry_image)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "IMAGE;SOURCE;DEVICE;ARCH;TAG;TARGET" "ENTRIES")
  rung_registry_has(has "${arg_DEVICE}" "${arg_ARCH}" "${arg_TAG}")
  if(has)
    cmake_language(CALL ${RUNG_REGISTRY_CUDA} ${ARGV})
  endif()
endfunction()

# Called by files.cmake, once for every cell that is not planned.
function(rung_registry_kernel)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SYMBOL;SOURCE;DEVICE;ARCH;FAMILY;TAG;IMAGE" "FLAGS;REQUIRES")
  if(arg_FAMILY STREQUAL "x86" AND NOT RUNG_FAMILY_X86)
    return()
  elseif(arg_FAMILY STREQUAL "aarch64" AND NOT RUNG_FAMILY_AARCH64)
    return()
  endif()
  if(arg_DEVICE STREQUAL "cuda" AND NOT arg_IMAGE)
    rung_registry_has(has cuda "" "")
  else()
    rung_registry_has(has "${arg_DEVICE}" "${arg_ARCH}" "${arg_TAG}")
  endif()
  if(NOT has)
    return()
  endif()
  foreach(requirement IN LISTS arg_REQUIRES)
    if(NOT TARGET rung_${requirement})
      return()
    endif()
  endforeach()

  string(JOIN "_" suffix ${arg_TAG} ${arg_REQUIRES})
  set(objects ${RUNG_REGISTRY_TARGET}_${suffix})
  if(NOT TARGET ${objects})
    foreach(flag IN LISTS arg_FLAGS)
      string(MAKE_C_IDENTIFIER "RUNG_FLAG_${flag}" known)
      check_c_compiler_flag(${flag} ${known})
      if(NOT ${known})
        message(STATUS "${arg_DEVICE}/${arg_ARCH}: the compiler does not know ${flag}: its cells are listed as not built")
        string(TOUPPER "${RUNG_REGISTRY_NAMESPACE}_WITHOUT_${arg_TAG}" without)
        target_compile_definitions(${RUNG_REGISTRY_TARGET} PRIVATE ${without})
        return()
      endif()
    endforeach()
    add_library(${objects} OBJECT)
    target_compile_options(${objects} PRIVATE ${arg_FLAGS})
    target_compile_definitions(${objects} PRIVATE RUNG_ARCH_TAG=${arg_TAG})
    target_include_directories(${objects} PRIVATE "${RUNG_REGISTRY_GENERATED}/include")
    target_link_libraries(${objects} PRIVATE $<BUILD_INTERFACE:rung_compile> ${RUNG_RUNTIME})
    target_sources(${RUNG_REGISTRY_TARGET} PRIVATE $<TARGET_OBJECTS:${objects}>)
    foreach(requirement IN LISTS arg_REQUIRES)
      target_link_libraries(${objects} PRIVATE rung_${requirement})
      # PUBLIC: the library that the kernels call is a part of linking with them
      target_link_libraries(${RUNG_REGISTRY_TARGET} PUBLIC
        $<BUILD_INTERFACE:rung_${requirement}> $<INSTALL_INTERFACE:${requirement}>)
    endforeach()
  endif()
  target_sources(${objects} PRIVATE "${RUNG_REGISTRY_FOLDER}/${arg_SOURCE}")
endfunction()
