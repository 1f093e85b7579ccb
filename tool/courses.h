/* SPDX-License-Identifier: Apache-2.0
 *
 * courses.h: the list of factors with their time courses, below the views.
 */
#ifndef RUNG_TOOL_COURSES_H
#define RUNG_TOOL_COURSES_H

#include <cairo.h>
#include <stddef.h>

#include "tfa.h"

enum { COURSES_MOST = 60 }; /* factors that are listed; a line says how many are not */

double courses_height(size_t factors);
void courses_draw(cairo_t *cr, double x, double y, double width, const rung_tfa_result *result);

#endif
