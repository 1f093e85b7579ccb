# SPDX-License-Identifier: Apache-2.0
# rung_bench_gpu(<suffix> <registry's target> <testbed> <what else is linked>...): the two programs of bench/gpu, on the machine
# of that testbed (tests/kernels/testbed.h).
function(rung_bench_gpu suffix registry testbed)
  set(here "${PROJECT_SOURCE_DIR}/bench/gpu")
  set(kernels "${PROJECT_SOURCE_DIR}/tests/kernels")
  set(sources about_card bed card cases cells launch library list load main say sets timing transfer)
  list(TRANSFORM sources REPLACE "(.+)" "${here}/\\1.c")
  add_executable(bench_gpu${suffix} ${sources} "${kernels}/${testbed}")
  include("${kernels}/Sources.cmake")
  set(tests ${RUNG_PARITY_SOURCES})
  list(TRANSFORM tests PREPEND "${kernels}/")
  add_executable(bench_gpu_parity${suffix} "${here}/parity.c" "${here}/say.c" ${tests} "${kernels}/${testbed}")
  foreach(program IN ITEMS bench_gpu${suffix} bench_gpu_parity${suffix})
    target_include_directories(${program} PRIVATE "${here}" "${kernels}")
    target_link_libraries(${program} PRIVATE ${registry} rung ${ARGN} rung_compile m ${CMAKE_DL_LIBS})
  endforeach()
endfunction()
