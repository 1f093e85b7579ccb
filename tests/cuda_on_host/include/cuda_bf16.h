/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda_bf16.h: on_host.h has its words (words/bf16.h).
 */
