# SPDX-License-Identifier: Apache-2.0
# cmake -D PROGRAM=... -D CORPUS=... -D SCRATCH=... -D RUNS=... -P run.cmake
# The corpus first, each of it once, then RUNS inputs made from a copy of it, always the same ones: what libFuzzer adds
# goes to the copy.
file(REMOVE_RECURSE "${SCRATCH}")
file(COPY "${CORPUS}/" DESTINATION "${SCRATCH}/corpus")
execute_process(
  COMMAND "${PROGRAM}" -seed=1 -runs=${RUNS} -max_len=4096 -timeout=60 -print_final_stats=1
    "-artifact_prefix=${SCRATCH}/" "${SCRATCH}/corpus"
  WORKING_DIRECTORY "${SCRATCH}" RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM}: ${status}; the input is in ${SCRATCH}")
endif()
