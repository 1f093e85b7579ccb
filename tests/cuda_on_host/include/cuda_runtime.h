/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda_runtime.h: on_host.h has what a kernel uses of it.
 */
