# SPDX-License-Identifier: Apache-2.0
# rung_bench_gpu(<suffix> <registry's target> <testbed> <what else is linked>...): the two programs of bench/gpu, on the machine
# of that testbed (tests/kernels/testbed.h).
function(rung_bench_gpu suffix registry testbed)
  set(here "${PROJECT_SOURCE_DIR}/bench/gpu")
  set(kernels "${PROJECT_SOURCE_DIR}/tests/kernels")
  set(sources about_card bed card cases cells launch library list load main say sets timing transfer)
  list(TRANSFORM sources REPLACE "(.+)" "${here}/\\1.c")
  add_executable(bench_gpu${suffix} ${sources} "${kernels}/${testbed}")
  add_executable(bench_gpu_parity${suffix} "${here}/parity.c" "${here}/say.c")
  if(testbed STREQUAL "testbed_gpu.c")
    target_sources(bench_gpu_parity${suffix} PRIVATE "${kernels}/testbed_wrap.c" "${kernels}/${testbed}")
    target_link_options(bench_gpu_parity${suffix} PRIVATE -Wl,--wrap=rung_platform_open,--wrap=rung_platform_close)
  endif()
  foreach(program IN ITEMS bench_gpu${suffix} bench_gpu_parity${suffix})
    target_include_directories(${program} PRIVATE "${here}" "${kernels}" "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${program} PRIVATE ${registry}_proof ${registry} rung ${ARGN} rung_compile m ${CMAKE_DL_LIBS})
  endforeach()
endfunction()
