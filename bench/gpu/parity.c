/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_gpu_parity OP|ARCH|VARIANT...: the test of tests/kernels for each of these cells of cuda, as lines of JSON.
 * Ends with 4 after a cell that failed: the device may be lost to this process, and another one goes on.
 */
#include <stdio.h>
#include <string.h>

#include "coverage.h"
#include "items.h"
#include "measures.h"
#include "say.h"
#include "testbed.h"

static coverage cells;

static coverage_cell *find(const char *const parts[3])
{
    for (unsigned i = 0; i < cells.count; i++) {
        const rung_cell *cell = &cells.cells[i].cell;
        if (strcmp(cell->device, "cuda") == 0 && strcmp(cell->op, parts[0]) == 0 && strcmp(cell->arch, parts[1]) == 0 &&
            strcmp(cell->variant, parts[2]) == 0)
            return &cells.cells[i];
    }
    return NULL;
}

static int test(const char *const parts[3])
{
    static const char *const states[] = {"unproven", "proven", "failed", "missed"};
    coverage_cell *cell = find(parts);
    if (cell == NULL)
        return MEASURE_USAGE;
    cell->state = coverage_test_cell(cell);
    say_begin("parity");
    say_text("op", parts[0]);
    say_text("arch", parts[1]);
    say_text("variant", parts[2]);
    say_text("state", states[cell->state]);
    say_text("why", cell->why);
    say_end();
    return cell->state == COVERAGE_FAILED ? MEASURE_AGAIN : MEASURED;
}

int main(int argc, char **argv)
{
    if (!coverage_load(&cells))
        return MEASURE_FAILED;
    int end = MEASURED;
    for (int i = 1; i < argc && end == MEASURED; i++) {
        const char *parts[3] = {NULL};
        end = item_parts(argv[i], parts, 3) < 3 ? MEASURE_USAGE : test(parts);
    }
    const char *said = testbed_end();
    if (said != NULL)
        (void)fprintf(stderr, "bench_gpu_parity: %s\n", said);
    return said != NULL && end == MEASURED ? MEASURE_FAILED : end;
}
