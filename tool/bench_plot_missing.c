/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_plot_missing.c: what takes the place of bench_plot.c in a build without cairo.
 */
#include "bench_plot.h"

#include "say.h"

bool bench_plot_write(const char *path, const char *name, const bench_file *file)
{
    (void)path;
    (void)file;
    say_error("%s: this rung was built without cairo (Debian: libcairo2-dev), and cannot draw", name);
    return false;
}
