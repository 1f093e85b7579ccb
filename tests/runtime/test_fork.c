/* SPDX-License-Identifier: Apache-2.0
 *
 * Forks. What is known of drivers is the process's, so that every scene is played in a process of its own, forked from
 * one that has used none.
 */
#include "imitation.h"

#include "../fixtures/vd/model.h"

#include "detect/probe.h"
#include "fork.h"

#include <pthread.h>
#include <semaphore.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Scenes and their children return 0, or the line of what was not so, which they tell. */
static int untrue(int line, const char *what)
{
    (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, line, what);
    return line;
}

#define CHECK(it)                                                                                                      \
    do {                                                                                                               \
        if (!(it))                                                                                                     \
            return untrue(__LINE__, #it);                                                                              \
    } while (0)

typedef int scene_fn(void *user);

/* Plays a scene in a child: 0, or what it returned. */
static int in_child(scene_fn *scene, void *user)
{
    (void)fflush(NULL);
    int line = -1;
    int ends[2];
    if (pipe(ends) != 0)
        return __LINE__;
    pid_t child = fork();
    if (child < 0)
        return __LINE__;
    if (child == 0) {
        line = scene(user);
        _exit(write(ends[1], &line, sizeof line) == (ssize_t)sizeof line ? 0 : 1);
    }
    (void)close(ends[1]);
    ssize_t got = read(ends[0], &line, sizeof line);
    (void)close(ends[0]);
    int status = -1;
    pid_t ended = waitpid(child, &status, 0);
    return got == (ssize_t)sizeof line && ended == child && status == 0 ? line : __LINE__;
}

static void play(scene_fn *scene)
{
    int line = in_child(scene, NULL);
    if (line != 0)
        fail_msg("%s:%d", __FILE__, line);
}

static bool picks(rung_platform *p, uint32_t op, uint32_t variant, uint32_t memory, const char *device)
{
    const rung_registry *registry = rung_platform_registry(p);
    uint32_t cell = pick_cell(p, op, variant, memory);
    if (cell == RUNG_NONE)
        return device == NULL;
    const char *found = rung_device_name(registry, registry->arch_names[registry->cells[cell].arch].device);
    return device != NULL && strcmp(found, device) == 0;
}

static bool picks_any(rung_platform *p, const char *device)
{
    return picks(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY, device);
}

static bool says(rung_text *t, const char *what)
{
    return strstr(t->at, what) != NULL;
}

static rung_platform *open_cuda(imitation *m, const char *chain)
{
    rung_platform *p = NULL;
    const rung_registry *registry = imitate(m, "sm90", RUNG_DRIVER_VERSION(12, 9));
    return rung_platform_open_on(registry, chain, 0, &m->machine, &p, NULL) == RUNG_OK ? p : NULL;
}

/* ---- a driver that was used before the fork ---------------------------------------------------------------------- */

typedef struct used {
    imitation m;
    rung_platform *p;
    pid_t owner;
    int asked; /* first uses before the fork */
} used;

/* "cuda/generic default: forked: its driver was initialised in process 12, this is 13\n" */
static bool tells_owner(const used *u)
{
    char text[8192];
    rung_text t = rung_text_in(text, sizeof text);
    char wanted[160];
    (void)snprintf(wanted, sizeof wanted,
                   "\ncuda/generic default: forked: its driver was initialised in process %ld, this is %ld\n"
                   "*cpu/generic default: available\n",
                   (long)u->owner, (long)getpid());
    return rung_explain(u->p, VD_OP_FLOW_MATCH_STEP, 0, print_cell, &t) == RUNG_OK && says(&t, wanted);
}

static int falls_to_the_cpu(void *user)
{
    used *u = user;
    rung_platform *p = u->p;
    rung_resolution found;
    CHECK(rung_resolve(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY, &found, NULL) == RUNG_OK);
    CHECK(strcmp(found.cell.device, "cpu") == 0);
    CHECK(picks_any(p, "cpu"));
    CHECK(picks(p, VD_OP_FLOW_SDE_STEP, VD_VARIANT_FAST, RUNG_MEMORY_ANY, "cpu"));
    CHECK(picks(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_DEVICE, NULL));
    CHECK(rung_resolve(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_DEVICE, &found, NULL) == RUNG_ERR_NO_KERNEL);
    CHECK(tells_owner(u));
    CHECK(strcmp(rung_platform_reason(p), "asked for cuda; cuda: forked") == 0);
    /* what has no driver is as ready as before */
    CHECK(picks(p, VD_OP_BLEND, VD_VARIANT_TRACKED, RUNG_MEMORY_HOST, "cpu"));
    uint32_t demoted = 7;
    CHECK(rung_warm(p, &demoted, NULL) == RUNG_OK && demoted == 0);
    CHECK(u->m.uses == u->asked);
    return 0;
}

static int and_so_do_their_children(void *user)
{
    used *u = user;
    int line = falls_to_the_cpu(u);
    if (line == 0)
        line = in_child(falls_to_the_cpu, u);
    rung_platform_close(u->p);
    return line;
}

static int use_and_fork(void *user)
{
    (void)user;
    used u = {.owner = getpid()};
    CHECK((u.p = open_cuda(&u.m, "cuda")) != NULL);
    CHECK(picks_any(u.p, "cuda"));
    CHECK(picks(u.p, VD_OP_FLOW_SDE_STEP, VD_VARIANT_FAST, RUNG_MEMORY_ANY, "cuda"));
    CHECK(picks(u.p, VD_OP_BLEND, VD_VARIANT_TRACKED, RUNG_MEMORY_HOST, "cpu"));
    u.asked = u.m.uses;
    for (int again = 0; again < 2; again++) {
        CHECK(in_child(and_so_do_their_children, &u) == 0);
        /* nothing has changed for the parent */
        CHECK(picks_any(u.p, "cuda"));
        CHECK(picks(u.p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_DEVICE, "cuda"));
        CHECK(strcmp(rung_platform_reason(u.p), "asked for cuda") == 0);
    }
    CHECK(u.m.uses == u.asked);
    rung_platform_close(u.p);
    return 0;
}

static void the_child_goes_on_without_the_driver(void **state)
{
    (void)state;
    play(use_and_fork);
}

/* ---- a driver that was not --------------------------------------------------------------------------------------- */

static int is_forked(void *user)
{
    return picks_any(user, "cpu") ? 0 : __LINE__;
}

static int uses_it_itself(void *user)
{
    rung_platform *p = user;
    CHECK(picks_any(p, "cuda"));
    return in_child(is_forked, p);
}

static int fork_first(void *user)
{
    (void)user;
    imitation m;
    rung_platform *p = open_cuda(&m, "cuda");
    CHECK(p != NULL);
    CHECK(in_child(uses_it_itself, p) == 0);
    CHECK(in_child(uses_it_itself, p) == 0);
    CHECK(m.uses == 0);
    CHECK(picks_any(p, "cuda"));
    CHECK(in_child(is_forked, p) == 0);
    rung_platform_close(p);
    return 0;
}

static void a_driver_that_was_not_initialised_is_the_child_s_to_use(void **state)
{
    (void)state;
    play(fork_first);
}

static int detection_initialises(void *user)
{
    (void)user;
    imitation m;
    const rung_registry *registry = imitate(&m, "sm90", 0);
    m.found.initialised = true;
    rung_platform *p;
    CHECK(rung_platform_open_on(registry, "cuda", 0, &m.machine, &p, NULL) == RUNG_OK);
    CHECK(in_child(is_forked, p) == 0);
    CHECK(m.uses == 0 && picks_any(p, "cuda"));
    rung_platform_close(p);
    return 0;
}

static int a_failure_initialises(void *user)
{
    (void)user;
    imitation m;
    rung_platform *p = open_cuda(&m, "cuda");
    CHECK(p != NULL);
    m.failing[0] = "cuda/generic";
    CHECK(picks_any(p, "cpu"));
    m.failing[0] = NULL;
    CHECK(in_child(is_forked, p) == 0);
    CHECK(in_child(is_forked, p) == 0);
    rung_platform_close(p);
    return 0;
}

static void detection_and_failed_first_uses_count(void **state)
{
    (void)state;
    play(detection_initialises);
    play(a_failure_initialises);
}

/* ---- platforms of the same driver -------------------------------------------------------------------------------- */

typedef struct several {
    imitation used, idle, closed, cpu;
    rung_platform *on_idle, *on_cpu;
} several;

static int opens_anew(void *user)
{
    several *s = user;
    CHECK(picks_any(s->on_idle, "cpu"));
    CHECK(picks_any(s->on_cpu, "cpu"));
    CHECK(strcmp(rung_platform_reason(s->on_cpu), "asked for cpu") == 0);
    rung_platform *p = NULL;
    rung_error err;
    const rung_registry *registry = &s->used.registry;
    CHECK(rung_platform_open_on(registry, NULL, 0, &s->used.machine, &p, &err) == RUNG_OK);
    CHECK(strcmp(rung_platform_device(p, 0), "cpu") == 0);
    CHECK(strstr(rung_platform_reason(p), "; cuda: forked") != NULL);
    rung_platform_close(p);
    p = NULL;
    CHECK(rung_platform_open_on(registry, "cuda", 0, &s->used.machine, &p, &err) == RUNG_ERR_UNAVAILABLE);
    char wanted[160];
    (void)snprintf(wanted, sizeof wanted, "cuda: forked: its driver was initialised in process %ld, this is %ld",
                   (long)getppid(), (long)getpid());
    CHECK(strcmp(err.text, wanted) == 0);
    CHECK(rung_platform_open_on(registry, "cuda", RUNG_OPEN_INSPECT, &s->used.machine, &p, &err) == RUNG_OK);
    CHECK(picks_any(p, "cpu"));
    rung_platform_close(p);
    rung_platform_close(s->on_idle);
    rung_platform_close(s->on_cpu);
    return 0;
}

static int share_a_driver(void *user)
{
    (void)user;
    several s;
    rung_platform *before = open_cuda(&s.closed, "cuda");
    rung_platform *p = open_cuda(&s.used, "cuda");
    s.on_idle = open_cuda(&s.idle, "cuda");
    s.on_cpu = open_cuda(&s.cpu, "cpu");
    CHECK(before != NULL && p != NULL && s.on_idle != NULL && s.on_cpu != NULL);
    CHECK(picks_any(p, "cuda"));
    /* from the middle of the list, its end and its beginning */
    rung_platform_close(p);
    rung_platform_close(before);
    CHECK(in_child(opens_anew, &s) == 0);
    rung_platform_close(s.on_idle);
    rung_platform_close(s.on_cpu);
    return 0;
}

static void a_driver_belongs_to_the_process(void **state)
{
    (void)state;
    play(share_a_driver);
}

/* ---- probes ------------------------------------------------------------------------------------------------------ */

/* Of one device whose driver is initialised by all that is more than a look, which does not tell whether it works. */
static void probe_cuda(const rung_world *world, rung_depth depth, rung_device_report *out)
{
    (void)world;
    out->present = 1;
    out->initialised = depth != RUNG_DEPTH_LOOK;
    out->count = 1;
    rung_report_text(out->unit[0].arch, sizeof out->unit[0].arch, "sm90");
    out->unit[0].state = out->initialised ? RUNG_STATE_USABLE : RUNG_STATE_NOT_ASKED;
    rung_report_from_units(out);
}

typedef struct probed {
    imitation m;
    rung_world world;
    rung_platform *p;
} probed;

static int is_not_initialised_again(void *user)
{
    probed *s = user;
    static rung_device_report report;
    rung_report_text(report.device, sizeof report.device, "cuda");
    rung_probe_ask(probe_cuda, &s->world, RUNG_DEPTH_FULL, &report);
    CHECK(report.initialised == 0 && report.count == 1);
    CHECK(report.state == RUNG_STATE_FORKED && report.unit[0].state == RUNG_STATE_FORKED);
    char wanted[160];
    (void)snprintf(wanted, sizeof wanted, "its driver was initialised in process %ld, this is %ld", (long)getppid(),
                   (long)getpid());
    CHECK(strcmp(report.detail, wanted) == 0 && strcmp(report.unit[0].detail, wanted) == 0);
    rung_platform *p = NULL;
    rung_error err;
    CHECK(rung_platform_open_on(&s->m.registry, "cuda", 0, &s->m.machine, &p, &err) == RUNG_ERR_UNAVAILABLE);
    CHECK(strncmp(err.text, "cuda: forked: ", 14) == 0 && strcmp(err.text + 14, wanted) == 0);
    CHECK(picks_any(s->p, "cpu"));
    /* another process is not bound */
    s->world.isolated = true;
    memset(&report, 0, sizeof report);
    rung_report_text(report.device, sizeof report.device, "cuda");
    rung_probe_ask(probe_cuda, &s->world, RUNG_DEPTH_FULL, &report);
    CHECK(report.initialised == 1 && report.state == RUNG_STATE_FORKED);
    return 0;
}

static int probe_and_fork(void *user)
{
    (void)user;
    probed s = {.world = rung_this_world()};
    (void)imitate(&s.m, NULL, 0);
    s.m.registry.probes[rung_device_find(&vd_registry, "cuda")] = probe_cuda;
    s.m.machine.world = &s.world;
    CHECK(rung_platform_open_on(&s.m.registry, "cuda", 0, &s.m.machine, &s.p, NULL) == RUNG_OK);
    CHECK(in_child(is_not_initialised_again, &s) == 0);
    CHECK(s.m.uses == 0 && picks_any(s.p, "cuda"));
    rung_platform_close(s.p);
    return 0;
}

static void probes_that_initialise_count(void **state)
{
    (void)state;
    play(probe_and_fork);
}

/* ---- components -------------------------------------------------------------------------------------------------- */

typedef struct order {
    rung_platform *p;
    rung_component_spec spec;
    vd_order order;
} order;

static const char *builder(order *o)
{
    rung_component *built;
    o->order = (vd_order){.built_by = ""};
    if (rung_component_build(o->p, &o->spec, &o->order, 0, &built, NULL) != RUNG_OK)
        return "none";
    rung_component_destroy(built);
    return o->order.built_by;
}

static int builds_on_the_next_device(void *user)
{
    order *o = user;
    CHECK(strcmp(builder(o), "accel") == 0);
    CHECK(picks_any(o->p, "accel"));
    return 0;
}

static int build_and_fork(void *user)
{
    (void)user;
    imitation m;
    order o = {.p = open_cuda(&m, "cuda,accel")};
    CHECK(o.p != NULL);
    rung_kind kind = {&m.registry, vd_dit_kind.id, vd_dit_kind.build};
    o.spec = (rung_component_spec){.kind = &kind, .factory = vd_model_factory};
    CHECK(strcmp(builder(&o), "cuda") == 0);
    CHECK(m.uses == 0); /* a builder that requires nothing has no first use, and uses the driver all the same */
    CHECK(in_child(builds_on_the_next_device, &o) == 0);
    CHECK(strcmp(builder(&o), "cuda") == 0);
    rung_platform_close(o.p);
    return 0;
}

static void builders_too(void **state)
{
    (void)state;
    play(build_and_fork);
}

/* ---- in the middle of things ------------------------------------------------------------------------------------- */

/* A first use that waits, or that forks. */
typedef struct slow {
    imitation m;
    rung_platform *p;
    sem_t begun, end;
    bool forks;
    atomic_int line; /* what the fork of a first use came to */
} slow;

static rung_reason wait_in_first_use(const rung_registry *registry, uint32_t cell, uint32_t item, rung_text *detail,
                                     void *user)
{
    slow *s = user;
    if (atomic_fetch_add(&s->m.uses, 1) != 0)
        return imitated_use(registry, cell, item, detail, &s->m);
    (void)sem_post(&s->begun);
    while (sem_wait(&s->end) != 0) {
    }
    return RUNG_REASON_NONE;
}

static void *first_use(void *user)
{
    slow *s = user;
    atomic_store(&s->line, picks_any(s->p, "cuda") ? 0 : __LINE__);
    return NULL;
}

static int opens_calls_and_closes(void *user)
{
    slow *s = user;
    CHECK(picks_any(s->p, "cpu")); /* its first use had begun */
    CHECK(rung_warm(s->p, NULL, NULL) == RUNG_OK);
    imitation m;
    rung_platform *p = open_cuda(&m, "accel");
    CHECK(p != NULL && picks_any(p, "accel"));
    rung_platform_close(p);
    rung_platform_close(s->p);
    return 0;
}

static int fork_beside_a_first_use(void *user)
{
    (void)user;
    slow s = {.line = -1};
    CHECK(sem_init(&s.begun, 0, 0) == 0 && sem_init(&s.end, 0, 0) == 0);
    CHECK((s.p = open_cuda(&s.m, "cuda")) != NULL);
    s.m.machine.first_use = wait_in_first_use;
    s.m.machine.first_use_user = &s;
    rung_platform_close(s.p);
    CHECK(rung_platform_open_on(&s.m.registry, "cuda", 0, &s.m.machine, &s.p, NULL) == RUNG_OK);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, first_use, &s) == 0);
    while (sem_wait(&s.begun) != 0) {
    }
    /* nobody waits for it: neither a call of something else, nor one of the same, nor a fork */
    CHECK(picks(s.p, VD_OP_FLOW_SDE_STEP, 0, RUNG_MEMORY_ANY, "cuda"));
    CHECK(picks_any(s.p, "cuda"));
    CHECK(in_child(opens_calls_and_closes, &s) == 0);
    CHECK(sem_post(&s.end) == 0 && pthread_join(thread, NULL) == 0);
    CHECK(atomic_load(&s.line) == 0);
    CHECK(picks_any(s.p, "cuda"));
    rung_platform_close(s.p);
    return 0;
}

static void while_another_thread_is_in_a_first_use(void **state)
{
    (void)state;
    play(fork_beside_a_first_use);
}

/* The child comes back from the first use that it was forked in, and may not have what that gave. */
static rung_reason fork_in_first_use(const rung_registry *registry, uint32_t cell, uint32_t item, rung_text *detail,
                                     void *user)
{
    (void)registry;
    (void)cell;
    (void)item;
    (void)detail;
    slow *s = user;
    pid_t child = fork();
    s->forks = child == 0;
    int status = 0;
    if (child > 0)
        atomic_store(&s->line, waitpid(child, &status, 0) == child && status == 0 ? 0 : __LINE__);
    return RUNG_REASON_NONE;
}

static int fork_inside_a_first_use(void *user)
{
    (void)user;
    slow s = {.line = -1};
    const rung_registry *registry = imitate(&s.m, "sm90", 0);
    s.m.machine.first_use = fork_in_first_use;
    s.m.machine.first_use_user = &s;
    CHECK(rung_platform_open_on(registry, "cuda", 0, &s.m.machine, &s.p, NULL) == RUNG_OK);
    bool cuda = picks_any(s.p, "cuda");
    if (s.forks)
        _exit(!cuda && picks_any(s.p, "cpu") ? 0 : 1);
    CHECK(cuda && atomic_load(&s.line) == 0);
    rung_platform_close(s.p);
    return 0;
}

static void inside_a_first_use(void **state)
{
    (void)state;
    play(fork_inside_a_first_use);
}

/* ---- at any moment ----------------------------------------------------------------------------------------------- */

enum { OPENERS = 4, FORKS = 100 };

static atomic_bool enough;

static void *open_and_close(void *user)
{
    while (!atomic_load(&enough)) {
        imitation m;
        rung_platform *p = open_cuda(&m, "cuda");
        if (p == NULL || !picks_any(p, "cuda"))
            return user;
        rung_platform_close(p);
    }
    return NULL;
}

/* Without the heap: a sanitizer's may be locked for ever by a thread that is not here. */
static int takes_the_lock(void *user)
{
    CHECK(rung_driver_of("cuda") != rung_driver_of("rocm"));
    CHECK(picks_any(user, "cpu"));
    return 0;
}

static int fork_beside_openers(void *user)
{
    (void)user;
    imitation m;
    rung_platform *p = open_cuda(&m, "cuda");
    CHECK(p != NULL && picks_any(p, "cuda"));
    pthread_t threads[OPENERS];
    for (int i = 0; i < OPENERS; i++)
        CHECK(pthread_create(&threads[i], NULL, open_and_close, p) == 0);
    int failures = 0;
    for (int i = 0; i < FORKS; i++)
        failures += in_child(takes_the_lock, p) != 0;
    atomic_store(&enough, true);
    for (int i = 0; i < OPENERS; i++) {
        void *failed = p;
        CHECK(pthread_join(threads[i], &failed) == 0 && failed == NULL);
    }
    CHECK(failures == 0);
    rung_platform_close(p);
    return 0;
}

static void while_others_open_and_close(void **state)
{
    (void)state;
    play(fork_beside_openers);
}

/* ---- handlers of the host ---------------------------------------------------------------------------------------- */

/* What the host's handler, registered before Rung's and therefore run before it, does in a child. */
typedef struct early {
    imitation m;
    rung_platform *p, *own;
    bool uses; /* it opens a platform of its own and uses the driver */
    int line;
} early;

static early *host;

static int opens_in_its_handler(early *e)
{
    CHECK((e->own = open_cuda(&e->m, e->uses ? "cuda" : "cpu")) != NULL);
    CHECK(picks_any(e->own, e->uses ? "cuda" : "cpu"));
    if (e->uses)
        return 0;
    rung_platform *p;
    rung_error err;
    CHECK(rung_platform_open_on(&e->m.registry, "cuda", 0, &e->m.machine, &p, &err) == RUNG_ERR_UNAVAILABLE);
    CHECK(strncmp(err.text, "cuda: forked: ", 14) == 0);
    return 0;
}

static void handler_of_the_host(void)
{
    if (host != NULL)
        host->line = opens_in_its_handler(host);
}

/* Nothing is given up twice, nor what is the child's own. */
static int was_handled(void *user)
{
    early *e = user;
    CHECK(e->line == 0);
    CHECK(picks_any(e->own, e->uses ? "cuda" : "cpu"));
    CHECK(picks_any(e->p, e->uses ? "cuda" : "cpu"));
    host = NULL;
    return in_child(is_forked, e->p);
}

static int handle_first(void *user)
{
    static early e;
    e.uses = *(bool *)user;
    e.line = -1;
    CHECK(pthread_atfork(NULL, NULL, handler_of_the_host) == 0);
    CHECK((e.p = open_cuda(&e.m, "cuda")) != NULL);
    if (!e.uses)
        CHECK(picks_any(e.p, "cuda"));
    host = &e;
    CHECK(in_child(was_handled, &e) == 0);
    CHECK(picks_any(e.p, "cuda"));
    rung_platform_close(e.p);
    return 0;
}

static void handlers_of_the_host_come_first(void **state)
{
    (void)state;
    bool uses = false;
    assert_int_equal(in_child(handle_first, &uses), 0);
    uses = true;
    assert_int_equal(in_child(handle_first, &uses), 0);
}

/* Takes the lock, which a thread that is not here may have had. */
static void take_the_lock(void)
{
    (void)rung_driver_of("cuda");
}

static int fork_beside_openers_with_a_handler(void *user)
{
    CHECK(pthread_atfork(NULL, NULL, take_the_lock) == 0);
    return fork_beside_openers(user);
}

static void handlers_of_the_host_wait_for_nobody(void **state)
{
    (void)state;
    play(fork_beside_openers_with_a_handler);
}

/* ---- libraries that act while they are opened -------------------------------------------------------------------- */

#if defined(ON_LOAD_LIBRARY)
static slow *loading;
static int on_load_line;

static int calls_while_loading(void *user)
{
    slow *s = user;
    CHECK(picks(s->p, VD_OP_BLEND, 0, RUNG_MEMORY_HOST, "cpu"));
    CHECK(picks_any(s->p, "accel"));
    /* the very cell whose library is being opened: it counts as open */
    CHECK(picks(s->p, VD_OP_BLEND, VD_VARIANT_TRACKED, RUNG_MEMORY_HOST, "cpu"));
    rung_platform *p;
    CHECK(rung_platform_open(&vd_registry, "accel", 0, &p, NULL) == RUNG_OK);
    rung_platform_close(p);
    return 0;
}

static int calls_and_forks(void *user)
{
    int line = calls_while_loading(user);
    return line != 0 ? line : in_child(calls_while_loading, user);
}

void rung_test_on_load(void);
void rung_test_on_load(void)
{
    on_load_line = loading == NULL ? __LINE__ : calls_and_forks(loading);
}

static rung_reason open_on_load(const char *name, char *detail, size_t size)
{
    (void)name;
    return rung_library_open(ON_LOAD_LIBRARY, detail, size);
}

static int fork_in_a_constructor(void *user)
{
    (void)user;
    slow s = {.line = -1};
    (void)imitate(&s.m, NULL, 0);
    s.m.registry.open_library = open_on_load;
    s.m.machine.first_use = NULL;
    CHECK(rung_platform_open_on(&s.m.registry, "accel/generic", 0, &s.m.machine, &s.p, NULL) == RUNG_OK);
    loading = &s;
    on_load_line = -1;
    CHECK(picks(s.p, VD_OP_BLEND, VD_VARIANT_TRACKED, RUNG_MEMORY_HOST, "cpu"));
    CHECK(on_load_line == 0);
    const rung_registry *registry = &s.m.registry;
    uint32_t cell = pick_cell(s.p, VD_OP_BLEND, VD_VARIANT_TRACKED, RUNG_MEMORY_HOST);
    CHECK(strcmp(rung_variant_name(registry, registry->cells[cell].variant), "tracked") == 0);
    rung_platform_close(s.p);
    return 0;
}
#endif

static void libraries_whose_constructors_call_ops_and_fork(void **state)
{
    (void)state;
#if defined(ON_LOAD_LIBRARY)
    play(fork_in_a_constructor);
#else
    print_message("SKIPPED libraries with constructors: built for Linux only\n");
    skip();
#endif
}

/* ---- what is no fork --------------------------------------------------------------------------------------------- */

static int spawn_others(void *user)
{
    (void)user;
    imitation m;
    rung_platform *p = open_cuda(&m, "cuda");
    CHECK(p != NULL && picks_any(p, "cuda"));
    extern char **environ;
    char nothing[] = "/nonexistent/program";
    char *const argv[] = {nothing, NULL};
    pid_t child = -1;
    if (posix_spawn(&child, nothing, NULL, NULL, argv, environ) == 0)
        CHECK(waitpid(child, NULL, 0) == child);
    child = vfork(); /* NOLINT: what hosts may still do */
    if (child == 0)
        _exit(0);
    CHECK(child > 0 && waitpid(child, NULL, 0) == child);
    CHECK(picks_any(p, "cuda") && m.uses == 1);
    CHECK(strcmp(rung_platform_reason(p), "asked for cuda") == 0);
    rung_platform_close(p);
    return 0;
}

static void programs_that_are_started_change_nothing(void **state)
{
    (void)state;
    play(spawn_others);
}

/* ---- the log ----------------------------------------------------------------------------------------------------- */

static void keep_line(rung_log_level level, const char *line, void *user)
{
    (void)level;
    rung_text_add(user, line);
    rung_text_add(user, "\n");
}

static int is_told_once(void *user)
{
    char text[512];
    rung_text t = rung_text_in(text, sizeof text);
    rung_log_set(keep_line, &t, RUNG_LOG_INFO);
    CHECK(picks_any(user, "cpu"));
    CHECK(rung_warm(user, NULL, NULL) == RUNG_OK);
    rung_log_set(NULL, NULL, RUNG_LOG_INFO);
    char wanted[160];
    (void)snprintf(wanted, sizeof wanted,
                   "vd: cuda is given up: forked (its driver was initialised in process %ld, this is %ld)\n",
                   (long)getppid(), (long)getpid());
    CHECK(strcmp(text, wanted) == 0);
    return 0;
}

static int log_and_fork(void *user)
{
    (void)user;
    imitation m;
    rung_platform *p = open_cuda(&m, "cuda");
    CHECK(p != NULL && picks_any(p, "cuda"));
    CHECK(rung_warm(p, NULL, NULL) == RUNG_OK);
    CHECK(in_child(is_told_once, p) == 0);
    rung_platform_close(p);
    return 0;
}

static void the_log_is_told_once(void **state)
{
    (void)state;
    play(log_and_fork);
}

/* ---- workspace --------------------------------------------------------------------------------------------------- */

static int workspace_is_enough(void *user)
{
    (void)user;
    imitation m;
    (void)imitate(&m, "sm90", RUNG_DRIVER_VERSION(12, 9));
    for (uint32_t i = 0; i < m.registry.n_cells; i++)
        if (m.cells[i].op == VD_OP_FLOW_MATCH_STEP)
            m.cells[i].workspace = strcmp(m.registry.strings + m.cells[i].source, "kernels/solvers.cu") == 0 ? 64 : 512;
    rung_platform *p;
    CHECK(rung_platform_open_on(&m.registry, "cuda", 0, &m.machine, &p, NULL) == RUNG_OK);
    CHECK(picks_any(p, "cuda"));
    CHECK(rung_workspace(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY) == 512);
    rung_platform_close(p);
    return 0;
}

static void workspace_covers_the_child(void **state)
{
    (void)state;
    play(workspace_is_enough);
}

/* ---- what is registered, and when -------------------------------------------------------------------------------- */

#if defined(WRAPS_ATFORK)
static int registered, refuse;
int __real_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));
int __wrap_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));
int __wrap_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    registered++;
    return refuse ? 12 : __real_pthread_atfork(prepare, parent, child);
}

static int register_once(void *user)
{
    (void)user;
    imitation m;
    static const char *const without[] = {"cpu", "accel", NULL};
    for (int i = 0; i < 3; i++) {
        rung_platform *p;
        CHECK(rung_platform_open(&vd_registry, without[i], RUNG_OPEN_NO_ENV, &p, NULL) == RUNG_OK);
        CHECK(rung_warm(p, NULL, NULL) == RUNG_OK);
        rung_platform_close(p);
    }
    /* a machine without the device */
    rung_platform *p;
    const rung_registry *registry = imitate(&m, NULL, 0);
    CHECK(rung_platform_open_on(registry, "cuda", RUNG_OPEN_INSPECT, &m.machine, &p, NULL) == RUNG_OK);
    rung_platform_close(p);
    CHECK(registered == 0);
    for (int i = 0; i < 3; i++) {
        CHECK((p = open_cuda(&m, "cuda")) != NULL);
        rung_platform_close(p);
    }
    CHECK(registered == 1);
    return 0;
}

static int register_in_vain(void *user)
{
    (void)user;
    imitation m;
    refuse = 1;
    rung_platform *p = NULL;
    rung_error err;
    const rung_registry *registry = imitate(&m, "sm90", 0);
    CHECK(rung_platform_open_on(registry, "cuda", 0, &m.machine, &p, &err) == RUNG_ERR_MEMORY);
    CHECK(p == NULL && registered == 1);
    return 0;
}
#endif

static void programs_without_drivers_register_nothing(void **state)
{
    (void)state;
#if defined(WRAPS_ATFORK)
    play(register_once);
    play(register_in_vain);
#else
    print_message("SKIPPED what is registered: functions are counted on Linux only\n");
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_child_goes_on_without_the_driver),
        cmocka_unit_test(a_driver_that_was_not_initialised_is_the_child_s_to_use),
        cmocka_unit_test(detection_and_failed_first_uses_count),
        cmocka_unit_test(a_driver_belongs_to_the_process),
        cmocka_unit_test(probes_that_initialise_count),
        cmocka_unit_test(builders_too),
        cmocka_unit_test(while_another_thread_is_in_a_first_use),
        cmocka_unit_test(inside_a_first_use),
        cmocka_unit_test(while_others_open_and_close),
        cmocka_unit_test(handlers_of_the_host_come_first),
        cmocka_unit_test(handlers_of_the_host_wait_for_nobody),
        cmocka_unit_test(libraries_whose_constructors_call_ops_and_fork),
        cmocka_unit_test(programs_that_are_started_change_nothing),
        cmocka_unit_test(the_log_is_told_once),
        cmocka_unit_test(workspace_covers_the_child),
        cmocka_unit_test(programs_without_drivers_register_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
