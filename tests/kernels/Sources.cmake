# SPDX-License-Identifier: Apache-2.0
# The tests of the ops and what they share, for the programs that run them: test_parity, and bench/gpu.
set(RUNG_PARITY_SOURCES call.c coverage.c parity.c guarded.c flow_loop.c
  op_factor_gradient.c op_flow_match_step.c op_flow_sde_step.c op_gemm.c op_gemm_narrow.c op_rbf_factors.c op_residual_energy.c op_ridge_solve.c)
