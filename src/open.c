/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "error.h"
#include "gpu/gpu.h"
#include "log.h"
#include "names.h"
#include "plan.h"

/* A fallback device that an automatic chain passes over: a chain that names it would be refused. */
static bool is_passed_over(const rung_plan *plan, const rung_position *position)
{
    return !(plan->flags & RUNG_OPEN_INSPECT) && !position->host &&
           (rung_position_state(position, NULL) != RUNG_REASON_NONE ||
            !rung_plan_has_built(plan->registry, position->device));
}

/* "cuda:1/sm90,cpu/x86-64-v4" */
static void chain_text(const rung_plan *plan, rung_text *t)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        const rung_position *position = &plan->position[i];
        if (is_passed_over(plan, position))
            continue;
        rung_text_add(t, i == 0 ? "" : ",");
        rung_text_add(t, rung_device_name(plan->registry, position->device));
        if (position->index != 0) {
            rung_text_add(t, ":");
            rung_text_uint(t, position->index);
        }
        if (plan->arch_len[i] != 0) {
            rung_text_add(t, "/");
            rung_text_addn(t, position->arch, plan->arch_len[i]);
        }
    }
}

static char *put(char **at, const char *text, size_t len)
{
    char *copy = *at;
    memcpy(copy, text, len);
    copy[len] = '\0';
    *at += len + 1;
    return copy;
}

static bool has_driver(const rung_position *position, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (position[i].of_process != NULL)
            return true;
    return false;
}

/* What fork.c may add to the reason. */
static size_t fork_room(const rung_plan *plan)
{
    size_t room = 0;
    for (uint32_t i = 0; i < plan->count; i++)
        if (plan->position[i].of_process != NULL)
            room += strlen("; : ") + strlen(rung_device_text(plan->registry, plan->position[i].device)) +
                    strlen(rung_reason_text(RUNG_REASON_FORKED));
    return room;
}

/* One block: the platform, its choices, a byte for every cell and builder and for every arch, and the strings. */
static rung_platform *build(const rung_plan *plan)
{
    enum { LONGEST_PART = RUNG_NAME_MAX + sizeof ":65535/" + RUNG_NAME_MAX + sizeof "," };
    char text[RUNG_CHAIN_MAX * LONGEST_PART];
    rung_text t = rung_text_in(text, sizeof text);
    chain_text(plan, &t);

    const rung_registry *registry = plan->registry;
    size_t plane = (size_t)registry->n_ops * registry->n_variants;
    size_t choices = (RUNG_MEMORY_ANY + 1) * plane;
    size_t reason_len = strlen(plan->reason);
    size_t reason_room = reason_len + 1 + fork_room(plan);
    size_t strings = t.len + 1 + reason_room;
    for (uint32_t i = 0; i < plan->count; i++)
        strings += plan->arch_len[i] + strlen(plan->position[i].detected) + strlen(plan->position[i].state_detail) + 3;
    size_t head = sizeof(rung_platform) + plan->count * sizeof(rung_position);
    size_t items = (size_t)registry->n_cells + registry->n_builders;
    char *block = malloc(head + choices + items + registry->n_archs + strings);
    if (block == NULL)
        return NULL;

    rung_platform *p = (rung_platform *)(void *)block;
    char *at = block + head;
    *p = (rung_platform){.choice = (_Atomic uint8_t *)at,
                         .cpu = plan->cpu,
                         .flags = plan->flags,
                         .env_log_level = rung_log_env_level(plan->machine->env_log),
                         .from_env = plan->from_env,
                         .world = {.root = "", .system = "other", .no_libraries = true},
                         .positions = plan->count};
    if (plan->machine->world != NULL)
        p->world = *plan->machine->world;
    p->world.tell = NULL; /* whoever listens does so while the platform is opened */
    p->head = (rung_platform_head){registry, p->choice, (uint32_t)plane, registry->n_variants};
    at += choices;
    memset(at, RUNG_USE_NOT_YET, items);
    rung_uses_begin(&p->uses, (_Atomic uint8_t *)at, plan->machine);
    at += items;
    p->arch_reason = (uint8_t *)at;
    at += registry->n_archs;
    p->text = put(&at, text, t.len);
    p->reason = rung_text_in(at, reason_room);
    rung_text_add(&p->reason, plan->reason);
    at += reason_room;
    for (uint32_t i = 0; i < plan->count; i++) {
        p->position[i] = plan->position[i];
        const rung_position *from = &plan->position[i];
        p->position[i].arch = put(&at, from->arch, plan->arch_len[i]);
        p->position[i].detected = put(&at, from->detected, strlen(from->detected));
        p->position[i].state_detail = put(&at, from->state_detail, strlen(from->state_detail));
    }
    rung_judge_archs(p);
    rung_choose(p);
    if (has_driver(p->position, p->positions) && !rung_fork_watch(p)) {
        free(block);
        return NULL;
    }
    return p;
}

rung_status rung_platform_open_on(const rung_registry *registry, const char *chain, unsigned flags,
                                  const rung_machine *machine, rung_platform **out, rung_error *err)
{
    const unsigned known = RUNG_OPEN_INSPECT | RUNG_OPEN_EXPERIMENTAL | RUNG_OPEN_NO_ENV;
    rung_status status = rung_registry_check(registry, err);
    if (status != RUNG_OK)
        return status;
    if (out == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no place given for the platform");
    if (flags & ~known)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "unknown flag");

    rung_plan plan = {.registry = registry, .machine = machine, .cpu = machine->cpu, .flags = flags};
    rung_cpu_expect_tiles(&plan.cpu);
    if (chain == NULL && !(flags & RUNG_OPEN_NO_ENV) && machine->env_platform != NULL &&
        machine->env_platform[0] != '\0') {
        chain = machine->env_platform;
        plan.from_env = true;
    }
    rung_platform *p = NULL;
    status = chain == NULL ? rung_plan_automatic(&plan, err) : rung_plan_chain(&plan, chain, err);
    if (status == RUNG_OK && (p = build(&plan)) == NULL)
        status = RUNG_FAIL(err, RUNG_ERR_MEMORY, "out of memory");
    else if (status != RUNG_OK && plan.from_env)
        rung_error_prefix(err, "RUNG_PLATFORM: ");
    rung_plan_end(&plan);
    if (status != RUNG_OK)
        return status;
    rung_log_platform(p);
    *out = p;
    return rung_succeed(err);
}

rung_status rung_platform_open(const rung_registry *registry, const char *chain, unsigned flags, rung_platform **out,
                               rung_error *err)
{
    rung_world world;
    rung_machine machine;
    rung_machine_detect(&world, &machine);
    return rung_platform_open_on(registry, chain, flags, &machine, out, err);
}

void rung_platform_close(rung_platform *platform)
{
    if (platform == NULL)
        return;
    if (has_driver(platform->position, platform->positions))
        rung_fork_unwatch(platform);
    rung_gpu_close_all(platform);
    rung_uses_end(&platform->uses);
    free(platform);
}
