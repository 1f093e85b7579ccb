# SPDX-License-Identifier: Apache-2.0
# RUNG_WITH_OPENBLAS, and the target rung_openblas with OpenBLAS's headers and library. OpenBLAS by name, not any BLAS: the
# variant `openblas` promises it.

set(RUNG_WITH_OPENBLAS OFF)
if(RUNG_OPENBLAS)
  find_path(RUNG_OPENBLAS_INCLUDE openblas_config.h PATH_SUFFIXES openblas openblas-pthread
    PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE})
  find_library(RUNG_OPENBLAS_LIBRARY openblas PATH_SUFFIXES openblas-pthread)
  mark_as_advanced(RUNG_OPENBLAS_INCLUDE RUNG_OPENBLAS_LIBRARY)
  if(RUNG_OPENBLAS_INCLUDE AND RUNG_OPENBLAS_LIBRARY)
    set(RUNG_WITH_OPENBLAS ON)
    add_library(rung_openblas INTERFACE)
    target_include_directories(rung_openblas SYSTEM INTERFACE "${RUNG_OPENBLAS_INCLUDE}")
    target_link_libraries(rung_openblas INTERFACE "${RUNG_OPENBLAS_LIBRARY}")
    target_compile_definitions(rung_openblas INTERFACE RUNG_WITH_OPENBLAS=1)
    message(STATUS "OpenBLAS: ${RUNG_OPENBLAS_LIBRARY}")
  endif()
endif()
if(RUNG_OPENBLAS AND NOT RUNG_WITH_OPENBLAS AND NOT CMAKE_CROSSCOMPILING)
  message(STATUS "OpenBLAS: missing, and left out (Debian: libopenblas-dev); the cells of the variant `openblas` are listed as not built")
elseif(NOT RUNG_WITH_OPENBLAS)
  message(STATUS "OpenBLAS: not used; the cells of the variant `openblas` are listed as not built")
endif()
