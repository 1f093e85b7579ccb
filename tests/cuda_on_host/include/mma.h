/* SPDX-License-Identifier: Apache-2.0
 *
 * mma.h: on_host.h has its words (words/wmma.h).
 */
