/* SPDX-License-Identifier: Apache-2.0 */
#include "log.h"

#include <stdio.h>
#include <string.h>

#include "detect/world.h"
#include "names.h"
#include "platform.h"

/* Where lines go. With what fork.c knows of drivers, the facts of select/cache.c and the helpers that detect/isolated.c
 * could not end the only state of the library that is not a platform's. */
static _Atomic(rung_log_fn *) log_fn;
static _Atomic(void *) log_user;
static atomic_uint log_level;

void rung_log_set(rung_log_fn *fn, void *user, rung_log_level level)
{
    atomic_store(&log_user, user);
    atomic_store(&log_level, (unsigned)level);
    atomic_store(&log_fn, fn);
}

typedef struct sink {
    rung_log_fn *fn; /* NULL: stderr */
    void *user;
    unsigned level; /* 0: nothing is told */
} sink;

unsigned rung_log_env_level(const char *env_log)
{
    if (env_log == NULL)
        return 0;
    return strcmp(env_log, "debug") == 0 ? RUNG_LOG_DEBUG : strcmp(env_log, "info") == 0 ? RUNG_LOG_INFO : 0;
}

static sink sink_with(unsigned env_level)
{
    sink s = {.fn = atomic_load(&log_fn)};
    if (s.fn != NULL) {
        s.user = atomic_load(&log_user);
        s.level = atomic_load(&log_level);
    } else {
        s.level = env_level;
    }
    return s;
}

static sink sink_of(const rung_platform *p)
{
    return sink_with(p->env_log_level);
}

/* Of lines that belong to no platform. */
static sink sink_of_none(void)
{
    const rung_world world = rung_this_world();
    return sink_with(rung_log_env_level(rung_world_env(&world, "RUNG_LOG")));
}

/* A callback may open platforms and choose backends: what it causes itself is not told to it, or it would never end. */
static void tell(const sink *s, rung_log_level level, const char *line)
{
    static _Thread_local bool telling;
    if (s->fn == NULL) {
        (void)fprintf(stderr, "rung: %s\n", line);
    } else if (!telling) {
        telling = true;
        s->fn(level, line, s->user);
        telling = false;
    }
}

void rung_log_line(rung_log_level level, const char *line)
{
    sink s = sink_of_none();
    if (s.level >= (unsigned)level)
        tell(&s, level, line);
}

static void tell_probe(const char *line, void *user)
{
    (void)user;
    rung_log_line(RUNG_LOG_DEBUG, line);
}

void rung_log_listen(rung_world *world)
{
    if (sink_of_none().level >= RUNG_LOG_DEBUG)
        world->tell = tell_probe;
}

void rung_log_complaints(const rung_world *world)
{
    char line[512];
    rung_text t = rung_text_in(line, sizeof line);
    rung_world_complaints(world, &t);
    if (t.len > 0)
        rung_log_line(RUNG_LOG_INFO, line);
}

bool rung_log_hears(const rung_platform *p, rung_log_level level)
{
    return sink_of(p).level >= (unsigned)level;
}

void rung_log_tell(const rung_platform *p, rung_log_level level, const char *what)
{
    sink s = sink_of(p);
    if (s.level < (unsigned)level)
        return;
    char line[RUNG_ERROR_TEXT];
    rung_text t = rung_text_in(line, sizeof line);
    rung_text_join(&t, (const char *const[]){p->head.registry->name_space, ": ", what, NULL});
    tell(&s, level, line);
}

typedef struct op_log {
    const rung_platform *p;
    const sink *s;
    uint32_t op, variant, chosen;
} op_log;

static int tell_rejected(const rung_step *step, void *user)
{
    const op_log *o = user;
    if (step->cell != RUNG_NONE && step->cell == o->chosen)
        return 0;
    rung_cell cell;
    rung_step_cell(o->p, o->op, step, RUNG_MEMORY_ANY, &cell);
    if (cell.reason == RUNG_REASON_NONE)
        return 0; /* available, and behind the one that is called */
    char line[512];
    rung_text t = rung_text_in(line, sizeof line);
    rung_text_join(&t, (const char *const[]){"  not ", cell.device, "/", cell.arch, " ", cell.variant, ": ", NULL});
    rung_why(cell.reason, cell.detail, &t);
    tell(o->s, RUNG_LOG_DEBUG, line);
    return 0;
}

static void tell_op(const rung_platform *p, const sink *s, uint32_t op, uint32_t variant)
{
    const rung_registry *registry = p->head.registry;
    char line[512];
    rung_text t = rung_text_in(line, sizeof line);
    uint32_t chosen = rung_chosen(p, op, variant, RUNG_MEMORY_ANY);
    rung_text_join(
        &t, (const char *const[]){rung_op_name(registry, op), " ", rung_variant_name(registry, variant), ": ", NULL});
    if (chosen == RUNG_NONE) {
        rung_text_add(&t, "no kernel");
    } else {
        rung_cell cell;
        rung_cell_fill(registry, chosen, &cell);
        rung_text_join(
            &t, (const char *const[]){cell.device, "/", cell.arch, " ", cell.variant, " (", cell.symbol, ")", NULL});
    }
    tell(s, RUNG_LOG_DEBUG, line);
    op_log o = {p, s, op, variant, chosen};
    rung_walk(p, op, variant, tell_rejected, &o);
}

void rung_log_platform(const rung_platform *p)
{
    sink s = sink_of(p);
    if (s.level < RUNG_LOG_INFO)
        return;
    const rung_registry *registry = p->head.registry;
    char line[2048];
    rung_text t = rung_text_in(line, sizeof line);
    rung_text_join(&t,
                   (const char *const[]){registry->name_space, ": platform ", p->text, " (", p->reason.at, ")", NULL});
    tell(&s, RUNG_LOG_INFO, line);
    for (uint32_t op = 0; s.level >= RUNG_LOG_DEBUG && op < registry->n_ops; op++)
        for (uint32_t variant = 0; variant < registry->n_variants; variant++)
            tell_op(p, &s, op, variant);
}

static const char *symbol_of(const rung_registry *registry, uint32_t item)
{
    return rung_pool(registry, item < registry->n_cells ? registry->cells[item].symbol
                                                        : registry->builders[item - registry->n_cells].symbol);
}

void rung_log_demotion(const rung_platform *p, uint32_t item, const char *figures)
{
    sink s = sink_of(p);
    if (s.level < RUNG_LOG_INFO)
        return;
    char line[512];
    rung_text t = rung_text_in(line, sizeof line);
    rung_text_join(&t, (const char *const[]){p->head.registry->name_space, ": ", symbol_of(p->head.registry, item),
                                             " is given up: ", NULL});
    rung_why(rung_use_demoted(&p->uses, item, NULL), figures, &t);
    tell(&s, RUNG_LOG_INFO, line);
}

void rung_log_fork(rung_platform *p)
{
    if (!atomic_load_explicit(&p->fork_untold, memory_order_relaxed) || !atomic_exchange(&p->fork_untold, false))
        return;
    sink s = sink_of(p);
    for (uint32_t i = 0; s.level >= RUNG_LOG_INFO && i < p->positions; i++) {
        if (!p->position[i].forked)
            continue;
        char line[512];
        char figures[RUNG_FIGURES_SIZE];
        rung_text t = rung_text_in(line, sizeof line);
        rung_text detail = rung_text_in(figures, sizeof figures);
        rung_text_join(&t, (const char *const[]){p->head.registry->name_space, ": ",
                                                 rung_device_text(p->head.registry, p->position[i].device),
                                                 " is given up: ", NULL});
        rung_why(rung_position_state(&p->position[i], &detail), figures, &t);
        tell(&s, RUNG_LOG_INFO, line);
    }
}
