/* SPDX-License-Identifier: Apache-2.0
 *
 * advice.c: one line about what would make the chosen backend faster, and what keeps the others on slower devices.
 */
#include <string.h>

#include "names.h"
#include "rank.h"

/* "; cuda: hidden by the environment (...)": what is against the framework's lines that score higher, of the one that
 * came nearest. */
static void add_obstacle(const rung_registry *registry, const rung_facts *facts, const rung_backend *chosen,
                         rung_text *t)
{
    rung_line nearest = {.nearness = RUNG_FAR};
    for (uint32_t row = 0; row < registry->n_backends; row++) {
        rung_line line;
        rung_judge_line(registry, row, facts, &line);
        if (strcmp(line.backend.name, chosen->name) == 0 && !line.backend.available &&
            line.backend.score > chosen->score && line.nearness > nearest.nearness)
            nearest = line;
    }
    if (nearest.nearness != RUNG_FAR)
        rung_text_join(t, (const char *const[]){"; ", nearest.backend.reason, NULL});
}

/* Of this process' own kernels on the processor: a device that is there and is not used, or cannot be. */
static void advise_native(const rung_facts *facts, rung_text *t)
{
    static const char *const accelerators[] = {"cuda", "rocm", "metal"};
    for (size_t i = 0; i < sizeof accelerators / sizeof *accelerators; i++) {
        const char *name = accelerators[i];
        rung_device_state state = facts->seen[rung_on_of(name)].state;
        if (state == RUNG_STATE_USABLE) {
            rung_text_join(t, (const char *const[]){
                                  name, " can be used here, and the platform is another one; see `rung doctor`", NULL});
            return;
        }
        if (!rung_state_is_nothing(state)) {
            rung_text_join(t, (const char *const[]){name, ": ", rung_device_state_text(state), ". ",
                                                    rung_device_state_remedy(state), NULL});
            return;
        }
    }
}

void rung_add_obstacles(const rung_registry *registry, const rung_facts *facts, rung_choice *out)
{
    for (uint32_t i = 0; i < out->count; i++) {
        rung_backend *backend = &out->ranked[i];
        if (!backend->available || backend->native || strcmp(backend->name, out->chosen.name) == 0)
            continue;
        rung_text t = {backend->reason, sizeof backend->reason, strlen(backend->reason)};
        add_obstacle(registry, facts, backend, &t);
    }
}

void rung_advise(const rung_registry *registry, const rung_facts *facts, rung_choice *out)
{
    const rung_backend *chosen = &out->chosen;
    const rung_backend *best = &out->ranked[0];
    rung_text t = rung_text_in(out->advice, sizeof out->advice);
    if (out->count > 0 && best->available && strcmp(best->name, chosen->name) != 0 && best->score > chosen->score) {
        rung_text_join(&t, (const char *const[]){best->name, " is available and ranks higher: ", best->reason, NULL});
        return;
    }
    bool apart = rung_on_is_apart(rung_on_of(chosen->kind));
    if (chosen->native && !apart) {
        advise_native(facts, &t);
    } else if (strcmp(chosen->name, "jax") == 0 && !apart) {
        rung_text_add(&t, "JAX compiles for the processor (JIT); a GPU or TPU would be faster");
        add_obstacle(registry, facts, chosen, &t);
    } else if (strcmp(chosen->name, "pytorch") == 0 && !apart) {
        rung_text_add(&t, "PyTorch has no GPU to work on; consider JAX, which compiles for the processor");
        add_obstacle(registry, facts, chosen, &t);
    } else if (strcmp(chosen->name, "numpy") == 0) {
        rung_text_add(&t, "install JAX or PyTorch: NumPy has neither a compiler nor GPUs");
    }
}
