/* SPDX-License-Identifier: Apache-2.0
 *
 * courses.h: the list of factors with their time courses, below the views.
 */
#ifndef RUNG_TOOL_COURSES_H
#define RUNG_TOOL_COURSES_H

#include <cairo.h>

#include "tfa.h"

void courses_draw(cairo_t *cr, double x, double y, double width, const rung_tfa_result *result);

#endif
