/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"
#include "platform.h"

void rung_cell_fill(const rung_registry *registry, uint32_t cell, rung_cell *out)
{
    const rung_cell_row *row = &registry->cells[cell];
    const rung_arch_row *arch = &registry->arch_names[row->arch];
    *out = (rung_cell){
        .op = rung_pool(registry, registry->ops[row->op].name),
        .device = rung_device_text(registry, arch->device),
        .arch = rung_pool(registry, arch->name),
        .variant = rung_pool(registry, registry->variants[row->variant].name),
        .symbol = rung_pool(registry, row->symbol),
        .source = rung_pool(registry, row->source),
        .workspace = row->workspace,
        .id = cell,
        .declared = 1,
        .built = (row->flags & RUNG_CELL_BUILT) != 0,
        .planned = (row->flags & RUNG_CELL_PLANNED) != 0,
        .experimental = (row->flags & RUNG_CELL_EXPERIMENTAL) != 0,
    };
}

void rung_cell_judge(const rung_registry *registry, const rung_platform *p, uint32_t cell, uint32_t memory,
                     rung_cell *out)
{
    rung_cell_fill(registry, cell, out);
    rung_text detail = rung_text_in(out->detail, sizeof out->detail);
    out->reason = rung_judge(registry, p, cell, memory, &detail);
}

void rung_step_cell(const rung_platform *p, uint32_t op, const rung_step *step, uint32_t memory, rung_cell *out)
{
    const rung_registry *registry = p->head.registry;
    if (step->cell != RUNG_NONE) {
        rung_cell_judge(registry, p, step->cell, memory, out);
        return;
    }
    *out = (rung_cell){
        .op = rung_pool(registry, registry->ops[op].name),
        .device = rung_device_text(registry, step->position->device),
        .arch = step->arch,
        .variant = rung_pool(registry, registry->variants[step->variant].name),
        .symbol = "",
        .source = "",
        .id = RUNG_NONE,
        .reason = RUNG_REASON_NOT_DECLARED,
    };
}

void rung_why(rung_reason reason, const char *detail, rung_text *t)
{
    if (reason != RUNG_REASON_CAPPED || detail[0] == '\0')
        rung_text_add(t, rung_reason_text(reason));
    if (detail[0] == '\0')
        return;
    switch (reason) {
    case RUNG_REASON_CAPPED: /* its figures say the word */
        rung_text_add(t, detail);
        break;
    case RUNG_REASON_CPU_LACKS:
    case RUNG_REASON_SYSTEM_DISABLED:
        rung_text_add(t, " ");
        rung_text_add(t, detail);
        break;
    default:
        rung_text_add(t, " (");
        rung_text_add(t, detail);
        rung_text_add(t, ")");
    }
}
