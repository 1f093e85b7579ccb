/* SPDX-License-Identifier: Apache-2.0
 *
 * problem.c: how much memory factor analysis of data of a size is taken to need, and whether it is there.
 */
#include "rank.h"

/* An unsigned number of 128 bits; `over` when it was more. */
typedef struct wide {
    uint64_t high, low;
    bool over;
} wide;

static wide product(uint64_t a, uint64_t b)
{
    const uint64_t half = UINT32_MAX;
    uint64_t low = (a & half) * (b & half);
    uint64_t left = (a >> 32) * (b & half);
    uint64_t right = (a & half) * (b >> 32);
    uint64_t middle = (low >> 32) + (left & half) + (right & half);
    return (wide){.high = (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32) + (middle >> 32),
                  .low = (middle << 32) | (low & half)};
}

static wide sum(wide a, wide b)
{
    wide s = {.low = a.low + b.low};
    uint64_t carry = s.low < a.low;
    s.high = a.high + b.high;
    s.over = a.over || b.over || s.high < a.high;
    s.high += carry;
    s.over = s.over || s.high < carry;
    return s;
}

uint64_t rung_problem_mb(const rung_problem *problem)
{
    const rung_problem *p = problem;
    wide numbers =
        sum(sum(product(p->voxels, p->volumes), product(p->factors, p->volumes)), product(p->factors, p->voxels));
    /* 2 * 8 bytes a number, 2^20 bytes a MB: numbers / 2^16 */
    if (numbers.over || numbers.high >> 16 != 0)
        return UINT64_MAX;
    return numbers.high << 48 | numbers.low >> 16;
}

int rung_problem_fits(uint64_t needed_mb, uint64_t memory_mb)
{
    /* needed <= 4/5 memory, rounded down without a product that overflows */
    return memory_mb == 0 || needed_mb <= memory_mb / 5 * 4 + memory_mb % 5 * 4 / 5;
}

rung_text rung_choice_warn(rung_choice *choice)
{
    if (choice->warnings == RUNG_WARNINGS_MAX)
        return rung_text_in(NULL, 0);
    return rung_text_in(choice->warning[choice->warnings++], RUNG_WARNING_TEXT);
}

/* bytes: 0 is not known, and no obstacle; less than a MB is known, and nothing fits into it. */
static void check(rung_choice *out, uint64_t bytes, const char *whose)
{
    uint64_t memory_mb = bytes >> 20;
    if (bytes == 0 || (memory_mb == 0 ? out->needed_mb == 0 : rung_problem_fits(out->needed_mb, memory_mb)))
        return;
    out->fits = 0;
    rung_text t = rung_choice_warn(out);
    rung_text_add(&t, "the problem needs ");
    rung_text_uint(&t, out->needed_mb);
    rung_text_add(&t, " MB, which is more than 0.8 of the ");
    rung_text_uint(&t, memory_mb);
    rung_text_join(&t, (const char *const[]){" MB ", whose, NULL});
}

void rung_problem_judge(const rung_problem *problem, const rung_facts *facts, rung_choice *out)
{
    const rung_backend *chosen = &out->chosen;
    unsigned on = rung_on_of(chosen->kind);
    uint64_t apart = 0;
    if (rung_on_is_apart(on))
        apart = chosen->native ? facts->native.memory : facts->seen[on].memory;
    out->gpu_memory_mb = apart >> 20;
    out->memory_mb = facts->host.memory_available >> 20;
    out->fits = 1;
    if (problem == NULL)
        return;
    out->needed_mb = rung_problem_mb(problem);
    check(out, apart, "of one device");
    check(out, facts->host.memory_available, "of memory that are available");
}
