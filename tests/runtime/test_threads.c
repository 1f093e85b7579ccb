/* SPDX-License-Identifier: Apache-2.0
 *
 * Sixty-four threads at once, from a cold start: each opens, asks, calls and closes platforms of its own, and all call
 * through shared ones, whose first uses succeed or fail under them.
 */
#include "imitation.h"

#include "../fixtures/fx/which.h"
#include "../fixtures/vd/model.h"

#include <pthread.h>
#include <semaphore.h>

enum { THREADS = 64, ROUNDS = 100 };

typedef int job_fn(rung_platform *shared, int round);

typedef struct work {
    rung_platform *shared;
    pthread_barrier_t *start;
    job_fn *job; /* returns non-zero when something is wrong */
    int rounds, failures;
} work;

static int one_round(rung_platform *shared, int round)
{
    static const char *const chains[] = {NULL, "cpu/generic", "accel", "accel/sm85", "cpu"};
    rung_platform *p;
    rung_error err;
    if (rung_platform_open(&fx_registry, chains[round % 5], RUNG_OPEN_NO_ENV, &p, &err) != RUNG_OK)
        return 1;
    rung_resolution found;
    int32_t number = 0;
    rung_ctx cx = rung_ctx_of(p);
    int failed = rung_resolve_name(p, "which", "fast", RUNG_MEMORY_HOST, &found, &err) != RUNG_OK;
    failed |= fx_which(&cx, &number) != RUNG_OK || number == 0;
    failed |= rung_resolve_name(p, "witch", NULL, RUNG_MEMORY_HOST, &found, &err) != RUNG_ERR_UNKNOWN;
    rung_platform_close(p);
    rung_ctx common = rung_ctx_of(shared);
    failed |= fx_which(&common, &number) != RUNG_OK || number != 11;
    return failed;
}

/* ---- the threads ------------------------------------------------------------------------------------------------- */

static void *run(void *user)
{
    work *w = user;
    (void)pthread_barrier_wait(w->start);
    for (int round = 0; round < w->rounds; round++)
        w->failures += w->job(w->shared, round);
    return NULL;
}

static void run_all(rung_platform *shared, job_fn *job, int rounds)
{
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    pthread_t threads[THREADS];
    work works[THREADS];
    for (int i = 0; i < THREADS; i++) {
        works[i] = (work){shared, &start, job, rounds, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, run, &works[i]), 0);
    }
    int failures = 0;
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        failures += works[i].failures;
    }
    assert_int_equal(failures, 0);
    assert_int_equal(pthread_barrier_destroy(&start), 0);
}

static void platforms_of_their_own_and_a_shared_one(void **state)
{
    (void)state;
    rung_platform *shared;
    assert_int_equal(rung_platform_open(&fx_registry, "accel/sm90", 0, &shared, NULL), RUNG_OK);
    run_all(shared, one_round, ROUNDS);
    rung_platform_close(shared);
}

/* ---- first uses -------------------------------------------------------------------------------------------------- */

static int on_device(const rung_registry *registry, uint32_t cell, const char *device)
{
    return cell != RUNG_NONE &&
           strcmp(rung_device_name(registry, registry->arch_names[registry->cells[cell].arch].device), device) == 0;
}

static int all_fall_to_the_cpu(rung_platform *p, int round)
{
    const rung_registry *registry = rung_platform_registry(p);
    uint32_t variant = (uint32_t)round % VD_VARIANT_COUNT;
    int failed = 0;
    for (uint32_t op = 0; op < VD_OP_COUNT; op++) {
        uint32_t cell = pick_cell(p, op, variant, RUNG_MEMORY_ANY);
        failed |=
            variant == VD_VARIANT_OPENBLAS && op != VD_OP_BLEND ? cell != RUNG_NONE : !on_device(registry, cell, "cpu");
    }
    rung_resolution found;
    failed |= rung_resolve(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY, &found, NULL) != RUNG_OK ||
              strcmp(found.cell.device, "cpu") != 0;
    return failed;
}

static void first_uses_that_fail_under_all_of_them(void **state)
{
    (void)state;
    imitation m;
    rung_platform *p = open_on(imitate(&m, "sm90", RUNG_DRIVER_VERSION(12, 9)), "cuda", 0, &m.machine);
    m.failing[0] = "all";
    run_all(p, all_fall_to_the_cpu, 20);
    /* both solvers on cuda and blend's tracked variant: once each, and by those who came at the same time */
    assert_in_range(m.uses, 3, 3 * THREADS);
    rung_platform_close(p);
}

static int solvers_stay_on_cuda(rung_platform *p, int round)
{
    (void)round;
    const rung_registry *registry = rung_platform_registry(p);
    return !on_device(registry, pick_cell(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY), "cuda") ||
           !on_device(registry, pick_cell(p, VD_OP_FLOW_SDE_STEP, 0, RUNG_MEMORY_DEVICE), "cuda") ||
           rung_warm(p, NULL, NULL) != RUNG_OK;
}

static void first_uses_that_succeed(void **state)
{
    (void)state;
    imitation m;
    rung_platform *p = open_on(imitate(&m, "sm90", RUNG_DRIVER_VERSION(12, 9)), "cuda", 0, &m.machine);
    run_all(p, solvers_stay_on_cuda, 20);
    assert_in_range(m.uses, 3, 3 * THREADS);
    rung_platform_close(p);
}

/* Two threads in the same first use, with different answers: the one that is there first stands. */
typedef struct pair {
    imitation m;
    rung_platform *p;
    sem_t first_is_in, second_is_out;
    rung_reason second; /* NONE: the first fails; else it succeeds and this one fails */
} pair;

static rung_reason answer_late(const rung_registry *registry, uint32_t cell, uint32_t builder, rung_text *detail,
                               void *user)
{
    (void)registry;
    (void)cell;
    (void)builder;
    pair *two = user;
    bool first = atomic_fetch_add(&two->m.uses, 1) == 0;
    if (first) {
        (void)sem_post(&two->first_is_in);
        while (sem_wait(&two->second_is_out) != 0) {
        }
    }
    rung_text_add(detail, first ? "the late one" : "the early one");
    if (first)
        return two->second == RUNG_REASON_NONE ? RUNG_REASON_LOAD_FAILED : RUNG_REASON_NONE;
    return two->second;
}

static void *come_first(void *user)
{
    pair *two = user;
    return on_device(&two->m.registry, pick_cell(two->p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY),
                     two->second == RUNG_REASON_NONE ? "cuda" : "cpu")
               ? NULL
               : user;
}

static void the_first_answer_stands(void **state)
{
    (void)state;
    static const rung_reason answers[] = {RUNG_REASON_NONE, RUNG_REASON_LIBRARY_MISSING};
    for (int i = 0; i < 2; i++) {
        pair two = {.second = answers[i]};
        const rung_registry *registry = imitate(&two.m, "sm90", 0);
        two.m.machine.first_use = answer_late;
        two.m.machine.first_use_user = &two;
        assert_int_equal(sem_init(&two.first_is_in, 0, 0), 0);
        assert_int_equal(sem_init(&two.second_is_out, 0, 0), 0);
        two.p = open_on(registry, "cuda", 0, &two.m.machine);
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, come_first, &two), 0);
        while (sem_wait(&two.first_is_in) != 0) {
        }
        uint32_t cell = pick_cell(two.p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY);
        assert_true(on_device(registry, cell, i == 0 ? "cuda" : "cpu"));
        assert_int_equal(sem_post(&two.second_is_out), 0);
        void *failed = &two;
        assert_int_equal(pthread_join(thread, &failed), 0);
        assert_null(failed);
        assert_int_equal(two.m.uses, 2);
        assert_int_equal(pick_cell(two.p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY), cell);
        assert_non_null(strstr(explained(two.p, VD_OP_FLOW_MATCH_STEP, 0),
                               i == 0 ? "*cuda/generic default: available\n"
                                      : "cuda/generic default: library missing: the early one\n"));
        rung_platform_close(two.p);
    }
}

#if defined(__x86_64__)
/* A cell that is compiled in: its calls go through the generated dispatch. */
typedef struct tiles {
    atomic_int asked;
    rung_reason answer;
} tiles;

static rung_reason grant_tiles(const rung_registry *registry, uint32_t cell, uint32_t builder, rung_text *detail,
                               void *user)
{
    (void)registry;
    (void)cell;
    (void)builder;
    tiles *t = user;
    atomic_fetch_add(&t->asked, 1);
    if (t->answer != RUNG_REASON_NONE)
        rung_text_add(detail, "imitated");
    return t->answer;
}

static int call_at_most_v4(rung_platform *p, int round)
{
    (void)round;
    rung_ctx cx = rung_ctx_of(p);
    int32_t number = 0;
    return fx_which(&cx, &number) != RUNG_OK || number != cpu_x86_64_v4;
}
#endif

static void tiles_are_asked_for(void **state)
{
    (void)state;
#if defined(__x86_64__)
    tiles t = {.answer = RUNG_REASON_PERMISSION_REFUSED};
    rung_machine machine = machine_x86(4);
    machine.cpu.disabled = RUNG_CPU_TILES & ~RUNG_CPU_MASK(x86, amx_fp16);
    machine.cpu.amx_permission = 0;
    machine.first_use = grant_tiles;
    machine.first_use_user = &t;
    rung_platform *p = open_on(&fx_registry, "cpu", 0, &machine);
    assert_string_equal(resolved(p, FX_OP_WHICH, 0, RUNG_MEMORY_HOST), "cpu/amx default");
    run_all(p, call_at_most_v4, 20);
    assert_in_range(t.asked, 1, THREADS);
    assert_string_equal(resolved(p, FX_OP_WHICH, 0, RUNG_MEMORY_HOST), "cpu/x86-64-v4 default");
    assert_non_null(strstr(explained(p, FX_OP_WHICH, 0), "cpu/amx default: permission refused: imitated\n"));
    rung_platform_close(p);
#else
    print_message("SKIPPED the tiles: the cell on cpu/amx is in builds for x86 only\n");
    skip();
#endif
}

/* ---- components -------------------------------------------------------------------------------------------------- */

static int build_one(rung_platform *p, int round)
{
    const rung_component_spec spec = {.kind = &vd_audio_vae_kind, .factory = vd_model_factory};
    vd_order order = {0};
    rung_component *built;
    uint32_t variant = round % 2 == 0 ? VD_VARIANT_TRACKED : VD_VARIANT_OPENBLAS;
    if (rung_component_build(p, &spec, &order, variant, &built, NULL) != RUNG_OK)
        return 1;
    int failed = strcmp(order.built_by, round % 2 == 0 ? "accel" : "accel openblas") != 0;
    rung_component_destroy(built);
    return failed || order.built != 1 || order.destroyed != 1;
}

static void a_component_for_each(void **state)
{
    (void)state;
    rung_platform *p;
    assert_int_equal(rung_platform_open(&vd_registry, "accel", 0, &p, NULL), RUNG_OK);
    run_all(p, build_one, 20);
    rung_platform_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(platforms_of_their_own_and_a_shared_one),
        cmocka_unit_test(first_uses_that_fail_under_all_of_them),
        cmocka_unit_test(first_uses_that_succeed),
        cmocka_unit_test(the_first_answer_stands),
        cmocka_unit_test(tiles_are_asked_for),
        cmocka_unit_test(a_component_for_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
