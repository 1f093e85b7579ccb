# SPDX-License-Identifier: Apache-2.0
# How everything of this project is compiled, as one interface target.

add_library(rung_compile INTERFACE)
target_compile_features(rung_compile INTERFACE c_std_11)
target_compile_options(rung_compile INTERFACE
  -Wall -Wextra -pedantic
  # a fused multiply-add only where a kernel asks for one: results must not depend on what the compiler contracts
  -ffp-contract=off
  # a static link with --gc-sections takes only what it calls
  -ffunction-sections -fdata-sections)
if(RUNG_WERROR)
  target_compile_options(rung_compile INTERFACE -Werror)
endif()
if(RUNG_SANITIZE)
  target_compile_options(rung_compile INTERFACE
    -fsanitize=${RUNG_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(rung_compile INTERFACE -fsanitize=${RUNG_SANITIZE})
endif()
