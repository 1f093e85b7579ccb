/* SPDX-License-Identifier: Apache-2.0
 *
 * A library that calls the program that opens it, while it is being opened.
 */
void rung_test_on_load(void); /* the program's */

__attribute__((constructor)) static void on_load(void)
{
    rung_test_on_load();
}
