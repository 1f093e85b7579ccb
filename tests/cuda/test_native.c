/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/native.h"

#include "cuda_test.h"

/* Archs of a registry of its own: what matters is their names and ranks. */
static const char names[] = "\0cuda\0sm90a\0sm100f\0sm120f\0sm80\0sm86\0sm87\0sm90\0sm100\0sm110\0ptx\0generic";
#define ROW(at, number)                                                                                                \
    {                                                                                                                  \
        .name = (at), .model = RUNG_MODEL_CUDA, .rank = (number)                                                       \
    }
enum { SM90A, SM100F, SM120F, SM80, SM86, SM87, SM90, SM100, SM110, PTX, GENERIC };
static const rung_arch_row archs[] = {
    [SM90A] = ROW(6, 90),
    [SM100F] = ROW(12, 100),
    [SM120F] = ROW(19, 120),
    [SM80] = ROW(26, 80),
    [SM86] = ROW(31, 86),
    [SM87] = ROW(36, 87),
    [SM90] = ROW(41, 90),
    [SM100] = ROW(46, 100),
    [SM110] = ROW(52, 110),
    [PTX] = {.name = 58, .model = RUNG_MODEL_CUDA, .portable = 1},
    [GENERIC] = {.name = 62, .model = RUNG_MODEL_CUDA, .portable = 1},
};

static void machine_code(void **state)
{
    static const struct {
        int arch;
        uint32_t capability;
        bool native;
    } cases[] = {
        {SM90A, 90, true},   {SM100F, 100, true}, {SM100F, 103, true},  {SM120F, 121, true},
        {SM80, 80, true},    {SM80, 86, true},    {SM80, 89, true},     {SM80, 90, false},
        {SM80, 75, false},   {SM86, 80, false},   {SM86, 89, true},  /* its major, and later */
        {SM80, 87, false},   {SM87, 87, true},    {SM87, 89, false}, /* Tegra and desktop are kinds of their own */
        {SM90, 90, true},    {SM90, 100, false},  {SM90, 120, false},   {SM100, 103, true},
        {SM100, 110, false}, {SM110, 110, true},  {SM100, 101, false},  {PTX, 75, false},
        {PTX, 120, false},   {GENERIC, 75, true}, {GENERIC, 80, false}, {GENERIC, 86, true},
        {GENERIC, 87, true}, {GENERIC, 89, true}, {GENERIC, 90, false}, {GENERIC, 120, false},
    };
    (void)state;
    const rung_toolkit toolkit = {RUNG_DRIVER_VERSION(13, 0), {75, 86, 87}};
    const rung_registry r = {.strings = names, .arch_names = archs, .toolkits = {&toolkit}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (rung_image_is_native(&r, (uint32_t)cases[i].arch, cases[i].capability) != cases[i].native)
            fail_msg("%s on %u", names + archs[cases[i].arch].name, (unsigned)cases[i].capability);
}

static void without_a_toolkit(void **state)
{
    (void)state;
    const rung_registry r = {.strings = names, .arch_names = archs};
    assert_false(rung_image_is_native(&r, GENERIC, 75));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(machine_code), cmocka_unit_test(without_a_toolkit)};
    return cmocka_run_group_tests_name("cuda_native", tests, NULL, NULL);
}
