# SPDX-License-Identifier: Apache-2.0
# Images for CUDA devices: `nvcc -fatbin` for every (source, target) that a registry lists, as a build step of its own, and
# the object that carries the result. CUDA is no language of the project, and no CUDA library is linked. docs/cuda.md.
#
# Here nothing but cache variables and functions: a directory that never included this file may call rung_add_registry.

# Images do not depend on the host's architecture, but a cross build is mostly one of several: it makes them when it is asked to.
set(RUNG_CUDA_DEFAULT ON)
if(CMAKE_CROSSCOMPILING)
  set(RUNG_CUDA_DEFAULT OFF)
endif()
option(RUNG_CUDA "Build the kernels for CUDA devices, where there is an nvcc" ${RUNG_CUDA_DEFAULT})
set(RUNG_CUDA_ARCHS "" CACHE STRING
  "The targets to build CUDA kernels for, e.g. \"80 90a 120\"; empty: what the registry lists, and the common ones")
set(RUNG_CUDA_EMBED "" CACHE STRING "How images enter objects: incbin, or array (slow); empty: incbin where it assembles")
set_property(CACHE RUNG_CUDA_EMBED PROPERTY STRINGS "" incbin array)

# ---- nvcc -------------------------------------------------------------------------------------------------------------

# Sets `variable` to whether nvcc knows the target, e.g. sm_90a or compute_75. A dry run, whose answer is kept:
# `nvcc --list-gpu-code` leaves out the targets with suffixes.
function(rung_nvcc_can variable target)
  if(NOT "${target}" IN_LIST RUNG_NVCC_YES AND NOT "${target}" IN_LIST RUNG_NVCC_NO)
    string(REGEX REPLACE "^sm_" "compute_" arch "${target}")
    execute_process(
      COMMAND "${RUNG_NVCC}" --dryrun -fatbin "-gencode=arch=${arch},code=${target}" "${RUNG_NVCC_FOLDER}/probe.cu"
      RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    set(answer NO)
    if(status EQUAL 0)
      set(answer YES)
    endif()
    set(RUNG_NVCC_${answer} ${RUNG_NVCC_${answer}} "${target}" CACHE INTERNAL "")
  endif()
  set(in_list FALSE)
  if("${target}" IN_LIST RUNG_NVCC_YES)
    set(in_list TRUE)
  endif()
  set(${variable} ${in_list} PARENT_SCOPE)
endfunction()

# Sets `release` to the one that an nvcc says it is of, e.g. 13.0, and `why` to why it cannot be used, or to nothing.
function(rung_nvcc_release release why nvcc)
  execute_process(COMMAND "${nvcc}" --version RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  set(${why} "" PARENT_SCOPE)
  if(NOT status EQUAL 0 OR NOT said MATCHES "release ([0-9]+\\.[0-9]+)")
    string(STRIP "${said}" said)
    string(REGEX REPLACE "\n.*" "" said "${said}")
    set(${why} "${nvcc} --version does not say a release (${status}: ${said})" PARENT_SCOPE)
    return()
  endif()
  set(${release} ${CMAKE_MATCH_1} PARENT_SCOPE)
  if(CMAKE_MATCH_1 VERSION_LESS 12.0)
    set(${why} "${nvcc} is of CUDA ${CMAKE_MATCH_1}: 12.0 or newer is needed" PARENT_SCOPE)
  endif()
endfunction()

# Finds nvcc (the cache variable RUNG_NVCC) and asks it what it is, once for each nvcc. Sets `found` for the caller.
# The answers are cache entries: RUNG_NVCC_VERSION; RUNG_NVCC_NAMES_SOURCE: it takes a name for the source.
# One of before CUDA 12.0, or that does not run, is refused where it is given, and else passed over. One that compiles
# nothing is refused where it is given; else nothing is built for CUDA.
function(rung_find_nvcc found)
  set(${found} FALSE PARENT_SCOPE)
  if(RUNG_NVCC AND NOT EXISTS "${RUNG_NVCC}")
    if(NOT "${RUNG_NVCC}" STREQUAL "${RUNG_NVCC_FOUND}")
      message(FATAL_ERROR "RUNG_NVCC: there is no ${RUNG_NVCC}")
    endif()
    unset(RUNG_NVCC CACHE) # nobody named it: the toolkit that was found before has gone
  endif()
  get_filename_component(root "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/.." ABSOLUTE)
  while(NOT RUNG_NVCC)
    find_program(RUNG_NVCC nvcc DOC "The CUDA compiler" NO_CMAKE_SYSTEM_PATH # /usr/local/bin: on PATH, or not wanted
      PATHS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda "${root}/build-cuda-toolkit/nvidia/cu13" PATH_SUFFIXES bin)
    if(NOT RUNG_NVCC)
      rung_cuda_say("no nvcc: cells of CUDA devices are listed as not built (docs/cuda.md)")
      return()
    endif()
    set(RUNG_NVCC_FOUND "${RUNG_NVCC}" CACHE INTERNAL "")
    rung_nvcc_release(release why "${RUNG_NVCC}")
    if(why)
      rung_cuda_say("${why}")
      get_filename_component(folder "${RUNG_NVCC}" DIRECTORY)
      list(APPEND CMAKE_IGNORE_PATH "${folder}")
      unset(RUNG_NVCC CACHE)
    endif()
  endwhile()

  file(REAL_PATH "${RUNG_NVCC}" path)
  file(TIMESTAMP "${path}" time)
  if(NOT "${RUNG_NVCC_KNOWN}" STREQUAL "${path} ${time}")
    set(folder "${CMAKE_BINARY_DIR}/CMakeFiles/rung_nvcc")
    file(WRITE "${folder}/probe.cu" "extern \"C\" __global__ void probe(int *x) { *x = 0; }\n")
    set(RUNG_NVCC_FOLDER "${folder}" CACHE INTERNAL "")
    set(RUNG_NVCC_YES "" CACHE INTERNAL "")
    set(RUNG_NVCC_NO "" CACHE INTERNAL "")
    rung_nvcc_release(release why "${RUNG_NVCC}")
    if(why)
      message(FATAL_ERROR "RUNG_NVCC: ${why}")
    endif()
    set(RUNG_NVCC_VERSION ${release} CACHE INTERNAL "")
    # One small compilation: it needs the host's C++ compiler and all of the toolkit. First with the option of its inner
    # compiler that keeps the source's folder out of the names of static functions, and so out of the image's bytes.
    foreach(names_source IN ITEMS TRUE FALSE)
      set(RUNG_NVCC_NAMES_SOURCE ${names_source} CACHE INTERNAL "")
      set(flags "")
      if(names_source)
        set(flags -Xcicc --orig_src_path_name=probe.cu)
      endif()
      execute_process(COMMAND "${RUNG_NVCC}" -fatbin -std=c++17 ${flags} -o probe.fatbin probe.cu
        WORKING_DIRECTORY "${folder}" RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
      if(status EQUAL 0)
        break()
      endif()
    endforeach()
    if(NOT status EQUAL 0)
      string(STRIP "${said}" said)
      string(REGEX REPLACE "\n.*" "" said "${said}")
      set(why "${RUNG_NVCC} compiles nothing: ${said} (Debian: g++; NVCC_CCBIN names another)")
      if(NOT "${RUNG_NVCC}" STREQUAL "${RUNG_NVCC_FOUND}")
        message(FATAL_ERROR "  RUNG_NVCC: ${why}") # indented: as one line
      endif()
      rung_cuda_say("${why}: cells of CUDA devices are listed as not built")
      return()
    endif()
    set(RUNG_NVCC_KNOWN "${path} ${time}" CACHE INTERNAL "")
  endif()
  set(${found} TRUE PARENT_SCOPE)
endfunction()

# Says it once in a run of CMake, however many registries there are.
function(rung_cuda_say text)
  get_property(said GLOBAL PROPERTY RUNG_CUDA_SAID)
  if(NOT "${text}" IN_LIST said)
    set_property(GLOBAL APPEND PROPERTY RUNG_CUDA_SAID "${text}")
    message(STATUS "CUDA: ${text}")
  endif()
endfunction()

# ---- targets ----------------------------------------------------------------------------------------------------------

# RUNG_CUDA_ARCHS as a list of numbers with their suffixes, e.g. 80;90a;120; empty where it is not set.
function(rung_cuda_archs variable)
  string(REGEX MATCHALL "[^ ,;]+" entries "${RUNG_CUDA_ARCHS}")
  set(archs "")
  foreach(entry IN LISTS entries)
    if(NOT entry MATCHES "^(sm_?)?([0-9][0-9]+[af]?)$")
      message(FATAL_ERROR "RUNG_CUDA_ARCHS: ${entry}: a target such as 80, 90a or 120f is expected (ptx and generic are always built)")
    endif()
    set(number "${CMAKE_MATCH_2}")
    rung_nvcc_can(can "sm_${number}")
    if(NOT can)
      message(FATAL_ERROR "RUNG_CUDA_ARCHS: ${entry}: nvcc ${RUNG_NVCC_VERSION} cannot target sm_${number}")
    endif()
    list(APPEND archs "${number}")
  endforeach()
  list(REMOVE_DUPLICATES archs)
  set(${variable} "${archs}" PARENT_SCOPE)
endfunction()

# Says for which listed numbers the cells are left out that they would run: those on the plain archs of the same major and
# of an earlier minor that the registry lists, where it lists none on the number itself. plain: the numbers of its archs.
function(rung_cuda_say_left_out archs plain)
  foreach(number IN LISTS archs)
    if(NOT number MATCHES "^([0-9]+)[0-9]$" OR number IN_LIST plain)
      continue()
    endif()
    set(major ${CMAKE_MATCH_1})
    foreach(older IN LISTS plain)
      if(older MATCHES "^${major}[0-9]$" AND older LESS number AND NOT older IN_LIST archs)
        rung_cuda_say("RUNG_CUDA_ARCHS has ${number} without ${older}: the cells on sm${older}, which it can run, are not built")
      endif()
    endforeach()
  endforeach()
endfunction()

# The line of the registry where an arch is first listed for a cell, as "<file>:<line>: ", or "<file>: ".
function(rung_registry_line variable registry place)
  file(READ "${registry}" text)
  string(REGEX REPLACE "(^|[ \t\n])#[^\n]*" "\\1" text "${text}") # comments may name it
  get_filename_component(name "${registry}" NAME)
  set(line "")
  if(text MATCHES "[^A-Za-z0-9_]${place}([^A-Za-z0-9_]|$)")
    string(FIND "${text}" "${CMAKE_MATCH_0}" at)
    math(EXPR at "${at} + 1") # the place itself, where a line may begin before it
    string(SUBSTRING "${text}" 0 ${at} before)
    string(REGEX REPLACE "[^\n]" "" before "${before}")
    string(LENGTH "${before}" line)
    math(EXPR line "${line} + 1")
    set(line ":${line}")
  endif()
  set(${variable} "${name}${line}: " PARENT_SCOPE)
endfunction()

# Before files.cmake of a registry is read: whether and for what its cells of CUDA devices are built. Sets for the caller
#   RUNG_REGISTRY_CUDA          the function that makes the images; empty: nothing is built for CUDA
#   RUNG_REGISTRY_CUDA_ARCHS    the arch numbers that are built; empty: all
#   RUNG_REGISTRY_CUDA_NUMBERS  the numbers that images on the arch `generic` are built for, ascending
#   RUNG_REGISTRY_CUDA_VERSION  of the toolkit
# how: ON, OFF, or the name of a function that makes the images; such a one makes all that the registry lists.
function(rung_registry_cuda how registry generated)
  set(RUNG_REGISTRY_CUDA "" PARENT_SCOPE)
  file(STRINGS "${generated}/files.cmake" images REGEX "^rung_registry_image\\(.* DEVICE cuda ")
  file(STRINGS "${generated}/files.cmake" others REGEX "^rung_registry_(kernel|builder)\\(.* DEVICE cuda ")
  if((NOT images AND NOT others) OR how STREQUAL "OFF")
    return()
  endif()
  set(common 75 80 86 89 90 100 103 120)
  if(NOT how STREQUAL "ON")
    if(NOT COMMAND "${how}")
      message(FATAL_ERROR "rung_add_registry: CUDA ${how}: ON, OFF or the name of a function is expected")
    endif()
    set(RUNG_REGISTRY_CUDA "${how}" PARENT_SCOPE)
    set(RUNG_REGISTRY_CUDA_ARCHS "" PARENT_SCOPE)
    set(RUNG_REGISTRY_CUDA_NUMBERS ${common} PARENT_SCOPE)
    set(RUNG_REGISTRY_CUDA_VERSION 13.0 PARENT_SCOPE) # the one that the list above is of
    return()
  endif()
  if(NOT RUNG_CUDA)
    set(why "")
    if(CMAKE_CROSSCOMPILING)
      set(why ", as in cross builds unless it is set (-DRUNG_CUDA=ON)")
    endif()
    rung_cuda_say("RUNG_CUDA is off${why}: cells of CUDA devices are listed as not built")
    return()
  endif()
  get_filename_component(folder "${registry}" DIRECTORY)
  if("${CMAKE_BINARY_DIR};${folder};${generated}" MATCHES "[$`\"\\#]") # nvcc hands its words to a shell
    rung_cuda_say("nvcc cannot work in a folder with one of $ ` \" \\ # in its name: cells of CUDA devices are listed as not built")
    return()
  endif()
  rung_find_nvcc(found)
  if(NOT found)
    return()
  endif()

  rung_cuda_archs(archs)
  set(numbers ${archs})
  set(plain "")
  foreach(line IN LISTS images)
    string(REGEX MATCH " ARCH ([^ ]+)" _ "${line}")
    set(arch "${CMAKE_MATCH_1}")
    set(target "")
    if(arch MATCHES "^sm([0-9]+)$")
      list(APPEND plain "${CMAKE_MATCH_1}")
    endif()
    if(arch MATCHES "^sm(.+)$")
      if(NOT archs OR "${CMAKE_MATCH_1}" IN_LIST archs)
        set(target "sm_${CMAKE_MATCH_1}")
        list(APPEND numbers "${CMAKE_MATCH_1}")
      endif()
    elseif(line MATCHES " TARGET (compute_[0-9]+[af]?)")
      set(target "${CMAKE_MATCH_1}")
    endif()
    if(target)
      rung_nvcc_can(can "${target}")
      if(NOT can)
        rung_registry_line(at "${registry}" "cuda/${arch}")
        # indented: as one line
        message(FATAL_ERROR "  ${at}cuda/${arch}: nvcc ${RUNG_NVCC_VERSION} cannot target ${target}: take one that can (RUNG_NVCC), "
          "or list the targets to build in RUNG_CUDA_ARCHS")
      endif()
    endif()
  endforeach()
  if(NOT archs)
    foreach(number IN LISTS common)
      rung_nvcc_can(can "sm_${number}")
      if(can)
        list(APPEND numbers ${number})
      endif()
    endforeach()
  endif()
  list(REMOVE_DUPLICATES plain)
  rung_cuda_say_left_out("${archs}" "${plain}")
  list(TRANSFORM numbers REPLACE "[af]$" "")
  list(REMOVE_DUPLICATES numbers)
  list(SORT numbers COMPARE NATURAL)
  list(JOIN numbers " " shown)
  # for the test of what is in the images
  set_target_properties(${RUNG_REGISTRY_TARGET} PROPERTIES RUNG_CUDA_ARCHS "${archs}" RUNG_CUDA_NUMBERS "${numbers}")
  rung_cuda_say("nvcc ${RUNG_NVCC_VERSION} (${RUNG_NVCC}) for ${shown}")
  set(RUNG_REGISTRY_CUDA rung_cuda_image PARENT_SCOPE)
  set(RUNG_REGISTRY_CUDA_ARCHS "${archs}" PARENT_SCOPE)
  set(RUNG_REGISTRY_CUDA_NUMBERS "${numbers}" PARENT_SCOPE)
  set(RUNG_REGISTRY_CUDA_VERSION "${RUNG_NVCC_VERSION}" PARENT_SCOPE)
endfunction()

# Whether this build has a cell of a CUDA device; the tables learn it, and with what, from definitions.
function(rung_registry_cuda_has variable arch tag)
  set(${variable} FALSE PARENT_SCOPE)
  if(NOT RUNG_REGISTRY_CUDA)
    return()
  endif()
  string(TOUPPER "${RUNG_REGISTRY_NAMESPACE}" NS)
  set(targets ${RUNG_REGISTRY_TARGET})
  if(TARGET ${RUNG_REGISTRY_TARGET}_components)
    list(APPEND targets ${RUNG_REGISTRY_TARGET}_components)
  endif()
  string(REGEX REPLACE "^sm" "" number "${arch}")
  if(arch MATCHES "^sm" AND RUNG_REGISTRY_CUDA_ARCHS AND NOT number IN_LIST RUNG_REGISTRY_CUDA_ARCHS)
    string(TOUPPER "${NS}_WITHOUT_${tag}" definitions)
  else()
    set(${variable} TRUE PARENT_SCOPE)
    string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" _ "${RUNG_REGISTRY_CUDA_VERSION}")
    string(REPLACE ";" "," numbers "${RUNG_REGISTRY_CUDA_NUMBERS}")
    set(definitions ${NS}_WITH_CUDA ${NS}_CUDA_TOOLKIT_MAJOR=${CMAKE_MATCH_1} ${NS}_CUDA_TOOLKIT_MINOR=${CMAKE_MATCH_2}
      ${NS}_CUDA_TARGETS=${numbers})
  endif()
  foreach(target IN LISTS targets)
    get_target_property(known ${target} COMPILE_DEFINITIONS)
    list(REMOVE_ITEM definitions ${known})
    target_compile_definitions(${target} PRIVATE ${definitions})
  endforeach()
endfunction()

# ---- images -----------------------------------------------------------------------------------------------------------

# The -gencode options of an arch, each target written out: -arch=sm_90a would embed plain PTX as well.
function(rung_cuda_gencode variable arch target)
  set(pairs "")
  if(arch MATCHES "^sm([0-9]+)$")
    set(n ${CMAKE_MATCH_1})
    set(pairs "${n},sm_${n}" "${n},compute_${n}")
  elseif(arch MATCHES "^sm([0-9]+[af])$")
    set(pairs "${CMAKE_MATCH_1},sm_${CMAKE_MATCH_1}")
  elseif(arch STREQUAL "ptx")
    string(REGEX REPLACE "^compute_" "" n "${target}")
    set(pairs "${n},compute_${n}")
  else() # generic
    list(GET RUNG_REGISTRY_CUDA_NUMBERS 0 lowest)
    set(pairs "${lowest},compute_${lowest}")
    foreach(n IN LISTS RUNG_REGISTRY_CUDA_NUMBERS)
      list(APPEND pairs "${n},sm_${n}")
    endforeach()
  endif()
  list(TRANSFORM pairs REPLACE "^([^,]+),(.+)$" "-gencode=arch=compute_\\1,code=\\2")
  set(${variable} "${pairs}" PARENT_SCOPE)
endfunction()

# A path as it stands in a string of the assembler in a string of C.
function(rung_asm_quoted variable path)
  foreach(level RANGE 1 2)
    string(REGEX REPLACE "([\\\"])" "\\\\\\1" path "${path}")
  endforeach()
  set(${variable} "${path}" PARENT_SCOPE)
endfunction()

# How images enter objects: sets `how` to incbin or array, and `flags` to those of their section for incbin.
function(rung_cuda_embedding how flags)
  if(NOT "${RUNG_CUDA_EMBED}" MATCHES "^(incbin|array|)$")
    message(FATAL_ERROR "RUNG_CUDA_EMBED is '${RUNG_CUDA_EMBED}': incbin or array is expected")
  endif()
  set(${how} array PARENT_SCOPE)
  if(NOT RUNG_CUDA_EMBED STREQUAL "array")
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    foreach(letters IN ITEMS al a) # l: large, which is of x86-64 alone and newer than some assemblers
      if(NOT DEFINED RUNG_INCBIN_${letters})
        set(source "${CMAKE_BINARY_DIR}/CMakeFiles/rung_incbin_${letters}.c")
        rung_asm_quoted(quoted "${source}")
        string(CONCAT program [[_Static_assert(sizeof(void *) == 8, "");]] "\n"
          [[__asm__(".pushsection .lrodata.rung,\"]] ${letters} [[\",%progbits\n.incbin \"]] "${quoted}"
          [[\"\n.popsection\n");]] "\n")
        file(WRITE "${source}" "${program}")
        try_compile(RUNG_INCBIN_${letters} "${CMAKE_BINARY_DIR}/CMakeFiles/rung_incbin" SOURCES "${source}"
          COMPILE_DEFINITIONS -fno-lto)
      endif()
      if(RUNG_INCBIN_${letters})
        set(${how} incbin PARENT_SCOPE)
        set(${flags} ${letters} PARENT_SCOPE)
        return()
      endif()
    endforeach()
    if(RUNG_CUDA_EMBED)
      message(FATAL_ERROR "RUNG_CUDA_EMBED is incbin, which this C compiler does not assemble")
    endif()
  endif()
endfunction()

# Makes `image` a constant rung_image of the registry's library, with the bytes of `file`, in an object of its own.
function(rung_embed_image image file)
  set(objects ${RUNG_REGISTRY_TARGET}_images)
  if(NOT TARGET ${objects})
    add_library(${objects} OBJECT)
    # what the assembler defines is not seen by a link that optimises
    target_compile_options(${objects} PRIVATE -fno-lto)
    target_link_libraries(${objects} PRIVATE $<BUILD_INTERFACE:rung_compile> ${RUNG_RUNTIME})
    target_sources(${RUNG_REGISTRY_TARGET} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endif()
  rung_cuda_embedding(how RUNG_IMAGE_FLAGS)
  string(REGEX REPLACE "\\.[^./]+$" ".${how}.c" source "${file}") # each way its own file, as a build may change it
  if(how STREQUAL "incbin")
    set(RUNG_IMAGE ${image})
    rung_asm_quoted(RUNG_IMAGE_FILE "${file}")
    configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/image.c.in" "${source}" @ONLY)
    set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${file}")
    target_sources(${objects} PRIVATE "${source}" "${file}")
  else()
    set(script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/RungImageArray.cmake")
    add_custom_command(OUTPUT "${source}"
      COMMAND "${CMAKE_COMMAND}" "-DIMAGE=${image}" "-DFILE=${file}" "-DSOURCE=${source}" -P "${script}"
      DEPENDS "${file}" "${script}" VERBATIM)
    target_sources(${objects} PRIVATE "${source}")
  endif()
endfunction()

# What rung_registry_image calls where the registry's images are made with nvcc.
function(rung_cuda_image)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "IMAGE;SOURCE;DEVICE;ARCH;TAG;TARGET" "ENTRIES")
  set(source "${RUNG_REGISTRY_FOLDER}/${arg_SOURCE}")
  if(NOT EXISTS "${source}")
    message(FATAL_ERROR "CUDA: there is no ${source}")
  endif()
  set(fatbin "${CMAKE_CURRENT_BINARY_DIR}/${RUNG_REGISTRY_TARGET}_images/${arg_IMAGE}.fatbin")
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${RUNG_REGISTRY_TARGET}_images")
  rung_cuda_gencode(gencode ${arg_ARCH} "${arg_TARGET}")
  set(flags -std=c++17 -O3)
  if(RUNG_WERROR)
    # those that announce what a later toolkit will not do are no faults of a source
    list(APPEND flags -Werror all-warnings -Wno-deprecated-gpu-targets)
  endif()
  if(RUNG_NVCC_NAMES_SOURCE)
    list(APPEND flags -Xcicc "--orig_src_path_name=${arg_SOURCE}")
  endif()
  string(REPLACE " " "\\ " made "${fatbin}") # as make reads it; nvcc writes the name as it gets it
  set(include "$<TARGET_PROPERTY:${RUNG_RUNTIME},INTERFACE_INCLUDE_DIRECTORIES>")
  set(script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/RungImageEntries.cmake")
  string(REPLACE ";" "," entries "${arg_ENTRIES}")
  add_custom_command(OUTPUT "${fatbin}"
    COMMAND "${RUNG_NVCC}" -fatbin ${flags} ${gencode} -DRUNG_ARCH_TAG=${arg_TAG} "-I$<JOIN:${include},;-I>"
      "-I${RUNG_REGISTRY_GENERATED}/include" "-I${RUNG_REGISTRY_FOLDER}"
      -MD -MF "${fatbin}.d" -MT "${made}" -o "${fatbin}" "${source}"
    COMMAND "${CMAKE_COMMAND}" "-DFILE=${fatbin}" "-DSOURCE=${arg_SOURCE}" "-DARCH=${arg_DEVICE}/${arg_ARCH}"
      "-DENTRIES=${entries}" -P "${script}"
    DEPENDS "${source}" "${RUNG_NVCC}" "${script}" DEPFILE "${fatbin}.d"
    COMMENT "nvcc ${arg_DEVICE}/${arg_ARCH}: ${arg_SOURCE}"
    COMMAND_EXPAND_LISTS VERBATIM)
  rung_embed_image(${arg_IMAGE} "${fatbin}")
endfunction()
