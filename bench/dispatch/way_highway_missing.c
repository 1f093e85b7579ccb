/* SPDX-License-Identifier: Apache-2.0
 *
 * In the place of way_highway.cc where Highway or a C++ compiler is missing.
 */
#include "ways.h"

const bench_way bench_highway = {"Highway, dynamic dispatch", NULL, NULL,
                                 "not built: Highway is missing (Debian: libhwy-dev)"};
