# SPDX-License-Identifier: Apache-2.0
# rung_add_registry(... CUDA ${RUNG_ON_HOST}) compiles the kernels of CUDA devices for the host (on_host.h): its images are
# stand-ins (stand_in.h), and a module library, target <target>_on_host, has the kernels by name (abi.h). What loads the
# images and runs the kernels is the imitated driver (tests/imitation).
#
# To be included by a CMakeLists.txt, not in a function. RUNG_ON_HOST is rung_image_on_host, or OFF without a C++ compiler.

include(CheckLanguage)
set(RUNG_ON_HOST_FOLDER "${CMAKE_CURRENT_LIST_DIR}")
set(RUNG_ON_HOST OFF)
if(NOT CMAKE_CXX_COMPILER)
  if(CMAKE_CROSSCOMPILING)
    # No C++ library is needed: Clang serves where no g++ for the target is installed.
    find_program(RUNG_ON_HOST_CLANG NAMES clang++ clang++-14 DOC "A Clang that compiles kernels for the target of a cross build")
    if(RUNG_ON_HOST_CLANG)
      set(CMAKE_CXX_COMPILER "${RUNG_ON_HOST_CLANG}")
      set(CMAKE_CXX_COMPILER_TARGET "${CMAKE_SYSTEM_PROCESSOR}-linux-gnu")
      set(CMAKE_CXX_FLAGS_INIT "-nostdlib++ -Wno-unused-command-line-argument")
    endif()
  else()
    check_language(CXX)
  endif()
endif()
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
  set(RUNG_ON_HOST rung_image_on_host)
else()
  message(STATUS "tests: no C++ compiler for the target: kernels of CUDA devices do not run on the host: unproven (Debian: g++, or clang for a cross build)")
endif()

# The module library of the runner, to which every image adds a source.
function(rung_on_host_module target)
  add_library(${target} MODULE "${RUNG_ON_HOST_FOLDER}/runner.cpp" "${RUNG_ON_HOST_FOLDER}/fiber.cpp")
  set_target_properties(${target} PROPERTIES
    LINKER_LANGUAGE C CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  # -nostdinc++: C's headers, with functions of doubles alone, whichever compiler and target
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -ffp-contract=off -fno-math-errno -fno-exceptions -fno-rtti -nostdinc++
    -Wno-unknown-pragmas -Wno-unused-function $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
  if(RUNG_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  # The thread sanitizer does not know the fibers: what runs on them is left out.
  if(RUNG_SANITIZE AND NOT RUNG_SANITIZE MATCHES "thread")
    target_compile_options(${target} PRIVATE
      -fsanitize=${RUNG_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
      $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>)
    target_link_options(${target} PRIVATE -fsanitize=${RUNG_SANITIZE})
  else()
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  target_include_directories(${target} PRIVATE
    "${RUNG_ON_HOST_FOLDER}" "${RUNG_ON_HOST_FOLDER}/include" "${PROJECT_SOURCE_DIR}/src/include")
  target_link_libraries(${target} PRIVATE m Threads::Threads)
endfunction()

# Adds the entries of a source to a module library, as one image. capability: the target that the source is told, 80.
function(rung_on_host_source module image source tag capability)
  set(wrapper "${CMAKE_CURRENT_BINARY_DIR}/${module}/${image}.cpp")
  set(entries ${ARGN})
  list(TRANSFORM entries REPLACE "(.+)" "RUNG_ON_HOST_ENTRY(\\1)\n")
  string(JOIN "" entries ${entries})
  file(CONFIGURE OUTPUT "${wrapper}" CONTENT [[/* Written by RungOnHost.cmake. */
#define RUNG_ARCH_TAG       @tag@
#define RUNG_ON_HOST_IMAGE  @image@
#define RUNG_ON_HOST_TARGET @capability@
#include "on_host.h"
namespace
{
#include "@source@"
}
@entries@]] @ONLY)
  target_sources(${module} PRIVATE "${wrapper}")
endfunction()

# Writes the stand-in of an image: of a registry's library, or of whatever compiles `file`.
function(rung_stand_in file image arch target numbers)
  set(parts "")
  if(arch MATCHES "^sm([0-9]+)$")
    set(parts "SASS,${CMAKE_MATCH_1},PLAIN" "PTX,${CMAKE_MATCH_1},PLAIN")
  elseif(arch MATCHES "^sm([0-9]+)([af])$")
    string(TOUPPER "${CMAKE_MATCH_2}" suffix)
    set(parts "SASS,${CMAKE_MATCH_1},${suffix}")
  elseif(arch STREQUAL "ptx")
    string(REGEX REPLACE "^compute_" "" number "${target}")
    set(parts "PTX,${number},PLAIN")
  else() # generic
    list(GET numbers 0 lowest)
    set(parts "PTX,${lowest},PLAIN")
    foreach(number IN LISTS numbers)
      list(APPEND parts "SASS,${number},PLAIN")
    endforeach()
  endif()
  list(LENGTH parts count)
  list(TRANSFORM parts REPLACE "(.+),(.+),(.+)" "        STAND_IN_PART(STAND_IN_\\1, \\2, STAND_IN_\\3),\n")
  string(JOIN "" parts ${parts})
  string(JOIN "\\n" names ${ARGN})
  file(CONFIGURE OUTPUT "${file}" CONTENT [[/* Written by RungOnHost.cmake. */
#define STAND_IN_NAMES "@names@\n"
#include "stand_in.h"
static const struct {
    stand_in_header header;
    stand_in_part parts[@count@];
} data __attribute__((aligned(64))) = {
    STAND_IN_HEADER(@count@),
    {
@parts@    },
};
extern const rung_image @image@;
const rung_image @image@ = {&data, sizeof data};
]] @ONLY)
endfunction()

# For rung_add_registry: the function that makes an image.
function(rung_image_on_host)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "IMAGE;SOURCE;DEVICE;ARCH;TAG;TARGET" "ENTRIES")
  set(module ${RUNG_REGISTRY_TARGET}_on_host)
  if(NOT TARGET ${module})
    rung_on_host_module(${module})
    target_include_directories(${module} PRIVATE "${RUNG_REGISTRY_GENERATED}/include" "${RUNG_REGISTRY_FOLDER}")
    target_include_directories(${RUNG_REGISTRY_TARGET} PRIVATE "${RUNG_ON_HOST_FOLDER}")
  endif()
  set(numbers ${RUNG_REGISTRY_CUDA_NUMBERS})
  if(NOT numbers)
    set(numbers 75 80 86 89 90 100 103 120)
  endif()
  list(GET numbers 0 capability)
  if("${arg_ARCH} ${arg_TARGET}" MATCHES "([0-9]+)")
    set(capability ${CMAKE_MATCH_1})
  endif()
  rung_on_host_source(${module} ${arg_IMAGE} "${RUNG_REGISTRY_FOLDER}/${arg_SOURCE}" ${arg_TAG} ${capability} ${arg_ENTRIES})
  set(stand_in "${CMAKE_CURRENT_BINARY_DIR}/${module}/${arg_IMAGE}.c")
  rung_stand_in("${stand_in}" ${arg_IMAGE} ${arg_ARCH} "${arg_TARGET}" "${numbers}" ${arg_ENTRIES})
  target_sources(${RUNG_REGISTRY_TARGET} PRIVATE "${stand_in}")
endfunction()
