/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda_pipeline.h: on_host.h has its words (words/memory.h).
 */
