/* SPDX-License-Identifier: Apache-2.0
 *
 * select.c: the choice on this machine. Apart from choose.c, so that a program which chooses by facts of its own brings
 * no detection along.
 */
#include "rank.h"

rung_status rung_select_backend(const rung_backend_request *request, const rung_problem *problem, rung_choice *out,
                                rung_error *err)
{
    return rung_select_by(rung_facts_find, request, problem, out, err);
}
