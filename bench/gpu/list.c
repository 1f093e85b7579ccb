/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cases.h"
#include "measures.h"
#include "say.h"

static int say_cell(const rung_cell *cell, void *user)
{
    (void)user;
    if (strcmp(cell->device, "cuda") != 0)
        return 0;
    say_begin("declared");
    say_text("op", cell->op);
    say_text("arch", cell->arch);
    say_text("variant", cell->variant);
    say_text("source", cell->source);
    say_flag("built", cell->built != 0 && cell->planned == 0);
    say_flag("experimental", cell->experimental != 0);
    say_end();
    return 0;
}

int measure_list(const settings *s)
{
    if (rung_matrix(&rk_registry, NULL, say_cell, NULL) != RUNG_OK)
        return MEASURE_FAILED;
    for (size_t i = 0; i < bench_cases_count; i++) {
        const bench_case *c = &bench_cases[i];
        const size_t *dims = s->tiny ? c->tiny : c->dims;
        char text[96];
        bench_case_text(c, dims, text, sizeof text);
        say_begin("case");
        say_text("op", c->op);
        say_text("case", c->name);
        say_text("bound", bound_text(c->bound));
        say_text("sizes", text);
        say_number("bytes", bench_case_bytes(c, dims));
        say_number("flops", bench_case_flops(c, dims));
        say_end();
    }
    return MEASURED;
}
