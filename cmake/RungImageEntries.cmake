# SPDX-License-Identifier: Apache-2.0
# cmake -DFILE=<fatbin> -DSOURCE=<its .cu> -DARCH=<device/arch> -DENTRIES=<name,name> -P RungImageEntries.cmake
# Fails where an entry that the registry lists is not in the image, and removes the image, so that it is made again.
#
# Machine code stands in an image as it is, one ELF file for each target, in which every kernel has a section of constants of
# its own. PTX is compressed, and so is all of it where nvcc is told so (NVCC_APPEND_FLAGS): such an image is not looked into.
cmake_minimum_required(VERSION 3.21)
file(STRINGS "${FILE}" sections REGEX "^\\.(nv\\.constant[0-9]+\\..+|symtab_shndx)$")
if(NOT ".symtab_shndx" IN_LIST sections)
  return()
endif()
string(REPLACE "," ";" entries "${ENTRIES}")
set(missing "")
foreach(entry IN LISTS entries)
  set(there ${sections})
  list(FILTER there INCLUDE REGEX "^\\.nv\\.constant[0-9]+\\.${entry}$")
  if(NOT there)
    list(APPEND missing "${entry}")
  endif()
endforeach()
if(missing)
  file(REMOVE "${FILE}")
  list(JOIN missing " " missing)
  # indented: as one line
  message(FATAL_ERROR "  ${SOURCE}: the image for ${ARCH} lacks what the registry lists for it: ${missing} (RUNG_ENTRY, and the name?)")
endif()
