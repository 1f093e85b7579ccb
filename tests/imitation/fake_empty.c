/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_empty.c: a library without any function that detection asks for.
 */
extern int fake_empty;
int fake_empty = 1;
