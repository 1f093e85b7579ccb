/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "detect/probe.h"

typedef struct lines {
    char text[16384];
    unsigned info, debug;
} lines;

static void keep(rung_log_level level, const char *line, void *user)
{
    lines *l = user;
    rung_text t = {l->text, sizeof l->text, strlen(l->text)};
    rung_text_add(&t, line);
    rung_text_add(&t, "\n");
    if (level == RUNG_LOG_INFO)
        l->info++;
    else
        l->debug++;
}

static void open_and_close(const rung_registry *registry, const char *chain, const rung_machine *machine)
{
    rung_platform_close(open_on(registry, chain, 0, machine));
}

static void the_callback_gets_lines_up_to_its_level(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *fx = fixture_of(&f, 0);
    rung_machine machine = machine_x86(3);
    machine.env_log = "debug"; /* whatever it says */
    static lines l;
    rung_log_set(keep, &l, RUNG_LOG_INFO);
    open_and_close(fx, NULL, &machine);
    assert_string_equal(l.text, "fx: platform cpu/x86-64-v3 (automatic: first of cuda, cpu that is usable; cuda: not "
                                "built)\n");
    assert_int_equal(l.info, 1);
    assert_int_equal(l.debug, 0);

    memset(&l, 0, sizeof l);
    machine.env_log = NULL;
    rung_log_set(keep, &l, RUNG_LOG_DEBUG);
    open_and_close(fx, "cpu", &machine);
    assert_int_equal(l.info, 1);
    assert_true(l.debug > FX_OP_COUNT * FX_VARIANT_COUNT);
    static const char *const parts[] = {
        "fx: platform cpu/x86-64-v3 (asked for cpu)\n",
        "scale default: cpu/generic default (fx_scale__cpu_generic)\n"
        "  not cpu/x86-64-v4 default: CPU lacks avx512f\n"
        "  not cpu/x86-64-v3 default: not declared\n"
        "  not cpu/x86-64-v2 default: not declared\n"
        "scale exact: cpu/generic exact (fx_scale__cpu_generic__exact)\n"
        "  not cpu/x86-64-v3 exact: not declared\n",
        "scale remote: no kernel\n",
        "  not cpu/generic remote: not built (needs nowhere, which this build lacks)\n",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_non_null(strstr(l.text, parts[i]));
    rung_log_set(NULL, NULL, RUNG_LOG_INFO);
}

static void failures_are_told_by_the_error_alone(void **state)
{
    (void)state;
    static lines l;
    rung_machine machine = machine_x86(3);
    rung_platform *p;
    rung_log_set(keep, &l, RUNG_LOG_DEBUG);
    assert_int_not_equal(rung_platform_open_on(&fx_registry, "gpu", 0, &machine, &p, NULL), RUNG_OK);
    rung_log_set(NULL, NULL, RUNG_LOG_INFO);
    assert_string_equal(l.text, "");
}

static void probe_nothing(const rung_world *world, rung_depth depth, rung_device_report *out)
{
    (void)depth;
    if (!rung_probe_skipped(world, out))
        out->state = RUNG_STATE_ABSENT;
}

/* Variables that nobody understands are told once, where devices are looked for at all. */
static void complaints(void **state)
{
    (void)state;
    static const char said[] = "RUNG_SKIP: no device \"nvidia\"; there are cuda, rocm, metal, tpu, opencl and all; "
                               "RUNG_PROBE: no \"fork\"; there is isolated\n";
    static const char *const environment[] = {"RUNG_SKIP=Cuda, nvidia", "RUNG_PROBE=fork", NULL};
    static lines l;
    fixture f;
    (void)fixture_of(&f, 1);
    rung_world world = rung_this_world();
    world.environment = environment;
    rung_machine machine = machine_x86(3);
    machine.world = &world;
    rung_log_set(keep, &l, RUNG_LOG_INFO);
    open_and_close(&f.registry, "cpu", &machine); /* no device but the processor */
    assert_null(strstr(l.text, "RUNG_SKIP"));
    memset(&l, 0, sizeof l);
    f.registry.probes[rung_device_find(&f.registry, "cuda")] = probe_nothing;
    open_and_close(&f.registry, NULL, &machine);
    assert_int_equal(strncmp(l.text, said, strlen(said)), 0);
    assert_non_null(strstr(l.text, "cuda: device hidden"));
    assert_int_equal(l.info, 2); /* the platform is the other one */

    /* and with a detection of all devices, which keeps it */
    memset(&l, 0, sizeof l);
    rung_devices *devices;
    assert_int_equal(setenv("RUNG_SKIP", "all,nvidia", 1), 0);
    assert_int_equal(setenv("RUNG_PROBE", "fork", 1), 0);
    assert_int_equal(rung_devices_detect(NULL, 0, &devices, NULL), RUNG_OK);
    assert_string_equal(l.text, said);
    assert_int_equal(strncmp(rung_devices_warning(devices), said, strlen(said) - 1), 0);
    rung_devices_free(devices);
    memset(&l, 0, sizeof l);
    assert_int_equal(setenv("RUNG_SKIP", "ALL", 1), 0);
    assert_int_equal(setenv("RUNG_PROBE", "", 1), 0);
    assert_int_equal(rung_devices_detect(NULL, 0, &devices, NULL), RUNG_OK);
    assert_string_equal(l.text, "");
    assert_string_equal(rung_devices_warning(devices), "");
    assert_string_equal(rung_devices_warning(NULL), "");
    rung_devices_free(devices);
    assert_int_equal(unsetenv("RUNG_SKIP"), 0);
    assert_int_equal(unsetenv("RUNG_PROBE"), 0);
    rung_log_set(NULL, NULL, RUNG_LOG_INFO);
}

/* What opening a platform prints to stderr with RUNG_LOG as given. */
static const char *printed(const char *env_log)
{
    static char text[65536];
    fixture f;
    rung_machine machine = machine_x86(3);
    machine.env_log = env_log;
    FILE *file = tmpfile();
    assert_non_null(file);
    (void)fflush(stderr);
    int saved = dup(2);
    assert_true(saved >= 0);
    assert_true(dup2(fileno(file), 2) >= 0);
    rung_platform *p = NULL;
    rung_status status = rung_platform_open_on(fixture_of(&f, 0), "cpu", 0, &machine, &p, NULL);
    (void)fflush(stderr);
    assert_true(dup2(saved, 2) >= 0);
    assert_int_equal(close(saved), 0);
    assert_int_equal(status, RUNG_OK);
    rung_platform_close(p);
    rewind(file);
    size_t len = fread(text, 1, sizeof text - 1, file);
    text[len] = '\0';
    (void)fclose(file);
    return text;
}

static void stderr_is_used_only_when_asked(void **state)
{
    (void)state;
    static const char *const silent[] = {NULL, "", "0", "INFO", "trace", "infos"};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        assert_string_equal(printed(silent[i]), "");
    assert_string_equal(printed("info"), "rung: fx: platform cpu/x86-64-v3 (asked for cpu)\n");
    const char *text = printed("debug");
    assert_non_null(strstr(text, "rung: which default: cpu/x86-64-v3 default (fx_which__cpu_x86_64_v3)\n"));
    assert_non_null(strstr(text, "rung:   not cpu/x86-64-v4 default: CPU lacks avx512f\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_callback_gets_lines_up_to_its_level),
        cmocka_unit_test(failures_are_told_by_the_error_alone),
        cmocka_unit_test(complaints),
        cmocka_unit_test(stderr_is_used_only_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
