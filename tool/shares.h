/* SPDX-License-Identifier: Apache-2.0
 *
 * shares.h: the list of the template's factors with the subjects' shares, below the views.
 */
#ifndef RUNG_TOOL_SHARES_H
#define RUNG_TOOL_SHARES_H

#include <cairo.h>

#include "htfa.h"

void shares_draw(cairo_t *cr, double x, double y, double width, const rung_htfa_result *result);

#endif
