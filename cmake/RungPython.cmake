# SPDX-License-Identifier: Apache-2.0
# rung_find_python(VARIABLE MODULE...): sets the cache variable VARIABLE to a python3, 3.9 or newer, that can import the
# modules, or to "" when there is none. The first python3 on PATH may lack them (a version manager's shim, say): every
# one on PATH is tried, then the system's.

function(rung_find_python variable)
  if(${variable})
    return()
  endif()
  string(REPLACE ":" ";" candidates "$ENV{PATH}")
  list(TRANSFORM candidates APPEND "/python3")
  list(APPEND candidates /usr/bin/python3 /usr/local/bin/python3)
  list(REMOVE_DUPLICATES candidates)
  list(JOIN ARGN ", " modules)
  set(found "")
  foreach(candidate IN LISTS candidates)
    if(EXISTS "${candidate}")
      execute_process(COMMAND "${candidate}" -c "import sys, ${modules}; sys.exit(sys.version_info < (3, 9))"
        RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
      if(status EQUAL 0)
        message(STATUS "Python with ${modules}: ${candidate}")
        set(found "${candidate}")
        break()
      endif()
    endif()
  endforeach()
  set(${variable} "${found}" CACHE FILEPATH "A python3 with ${modules}" FORCE)
endfunction()
