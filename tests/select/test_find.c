/* SPDX-License-Identifier: Apache-2.0
 *
 * rung_select_backend with detectors in the place of the library's: what it asks them, and what it makes of it. The
 * platform is this machine's own, which RUNG_PLATFORM names.
 */
#include "machine.h"

static const machine *now; /* NULL: detection fails */
static unsigned detected, freed, pythons;
static unsigned asked_how;
static const char *asked_python;
static rung_device_report reports[4];
static uint32_t n_reports;

rung_status __wrap_rung_devices_detect(const rung_registry *registry, unsigned flags, rung_devices **out,
                                       rung_error *err);
uint32_t __wrap_rung_devices_count(const rung_devices *devices);
const rung_device_report *__wrap_rung_devices_at(const rung_devices *devices, uint32_t i);
const rung_device_report *__wrap_rung_devices_find(const rung_devices *devices, const char *device);
void __wrap_rung_devices_free(rung_devices *devices);
void __wrap_rung_host_detect(rung_host *out);
void __wrap_rung_python_detect(const char *python, rung_python *out);

/* What concerns the kernels of a registry does not concern frameworks. */
rung_status __wrap_rung_devices_detect(const rung_registry *registry, unsigned flags, rung_devices **out,
                                       rung_error *err)
{
    assert_null(registry);
    asked_how = flags;
    detected++;
    if (now == NULL) {
        if (err != NULL)
            *err = (rung_error){RUNG_ERR_MEMORY, "out of memory"};
        return RUNG_ERR_MEMORY;
    }
    n_reports = 0;
    while (n_reports < 4 && now->kinds[n_reports].device != NULL) {
        report_of(&now->kinds[n_reports], &reports[n_reports]);
        n_reports++;
    }
    *out = (rung_devices *)(void *)reports;
    return RUNG_OK;
}

uint32_t __wrap_rung_devices_count(const rung_devices *devices)
{
    assert_ptr_equal(devices, reports);
    return n_reports;
}

const rung_device_report *__wrap_rung_devices_at(const rung_devices *devices, uint32_t i)
{
    assert_ptr_equal(devices, reports);
    return i < n_reports ? &reports[i] : NULL;
}

const rung_device_report *__wrap_rung_devices_find(const rung_devices *devices, const char *device)
{
    assert_ptr_equal(devices, reports);
    for (uint32_t i = 0; i < n_reports; i++)
        if (strcmp(reports[i].device, device) == 0)
            return &reports[i];
    return NULL;
}

void __wrap_rung_devices_free(rung_devices *devices)
{
    if (devices == NULL)
        return;
    assert_ptr_equal(devices, reports);
    freed++;
}

void __wrap_rung_host_detect(rung_host *out)
{
    *out = (rung_host){.cores = 1, .memory = now->memory_mb * MB, .memory_available = now->memory_mb * MB};
}

void __wrap_rung_python_detect(const char *python, rung_python *out)
{
    asked_python = python;
    pythons++;
    python_of(now->frameworks, out);
}

static int begin(void **state)
{
    (void)state;
    rung_select_refresh();
    detected = freed = pythons = 0;
    return setenv("RUNG_PLATFORM", "cpu/generic", 1);
}

static const machine gpu = {.kinds = {{"cpu", RUNG_STATE_USABLE, 1, 0, 0, NULL},
                                      {"cuda", RUNG_STATE_USABLE, 2, 40960, RUNG_DRIVER_VERSION(12, 4), NULL}},
                            .frameworks = {{"pytorch", RUNG_BUILT_CPU | RUNG_BUILT_CUDA, "2.8.0", "12.8", 0, NULL}},
                            .memory_mb = 64000};

static void everything_is_looked_at_once(void **state)
{
    (void)state;
    now = &gpu;
    const rung_backend_request request = {.registry = &rk_registry, .python = "/opt/x", .flags = RUNG_SELECT_FULL};
    const rung_problem problem = {500000, 1200, 100};
    rung_choice c;
    rung_error err;
    for (int cached = 0; cached < 2; cached++) {
        assert_int_equal(rung_select_backend(&request, &problem, &c, &err), RUNG_OK);
        assert_int_equal(c.cached, cached);
        assert_string_equal(answer_text(RUNG_OK, &c, &err),
                            "=> pytorch cuda:0\n"
                            "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (2 GPU(s))\n"
                            "native cpu/generic [cpu] 40: Rung's own kernels on the processor\n"
                            "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
                            "- numpy none [] 30: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n");
        assert_int_equal(c.memory_mb, 64000);
        assert_int_equal(c.gpu_memory_mb, 40960);
        assert_int_equal(c.fits, 1);
    }
    assert_int_equal(detected, 1);
    assert_int_equal(asked_how, 0);
    assert_int_equal(freed, 1);
    assert_int_equal(pythons, 1);
    assert_string_equal(asked_python, "/opt/x");
}

static void without_the_full_list_no_python_is_looked_for(void **state)
{
    (void)state;
    now = &gpu;
    const rung_backend_request request = {.registry = &rk_registry};
    rung_choice c;
    assert_int_equal(rung_select_backend(&request, NULL, &c, NULL), RUNG_OK);
    assert_string_equal(c.chosen.name, "native");
    assert_string_equal(c.chosen.device, "cpu/generic");
    assert_int_equal(pythons, 0);
    assert_int_equal(freed, 1);
}

static void records_that_are_given_are_gone_by_and_not_kept(void **state)
{
    (void)state;
    now = &gpu;
    rung_devices *devices;
    assert_int_equal(rung_devices_detect(NULL, 0, &devices, NULL), RUNG_OK);
    detected = 0;
    const rung_backend_request request = {.registry = &rk_registry, .devices = devices};
    rung_choice c;
    assert_int_equal(rung_select_backend(&request, NULL, &c, NULL), RUNG_OK);
    assert_int_equal(rung_select_backend(&request, NULL, &c, NULL), RUNG_OK);
    assert_int_equal(detected, 0);
    assert_int_equal(c.cached, 0);
    /* they are the caller's */
    assert_int_equal(freed, 0);
}

static void a_platform_that_does_not_open_is_the_reason(void **state)
{
    (void)state;
    now = &gpu;
    assert_int_equal(setenv("RUNG_PLATFORM", "cpu/sm90", 1), 0);
    const rung_backend_request request = {.registry = &rk_registry, .name = "native"};
    rung_choice c;
    rung_error err;
    assert_int_equal(rung_select_backend(&request, NULL, &c, &err), RUNG_ERR_UNAVAILABLE);
    const char expected[] = "native is not available: no platform can be opened: RUNG_PLATFORM: ";
    assert_memory_equal(err.text, expected, sizeof expected - 1);
    assert_int_equal(freed, 1);
}

static void a_detection_that_fails_is_the_answer(void **state)
{
    (void)state;
    now = NULL;
    const rung_backend_request request = {.registry = &rk_registry};
    rung_choice c;
    rung_error err;
    assert_int_equal(rung_select_backend(&request, NULL, &c, &err), RUNG_ERR_MEMORY);
    assert_string_equal(err.text, "out of memory");
    assert_int_equal(freed, 0);
}

/* ---- what is kept of a platform ---------------------------------------------------------------------------------- */

static void the_platform_of_another_device(void **state)
{
    (void)state;
    rung_platform *p;
    rung_facts facts;
    static rung_device_report report;
    report_of(&(kind){"accel", RUNG_STATE_USABLE, 2, 5, 0, NULL}, &report);
    report.unit[1].memory = 77;
    assert_int_equal(rung_platform_open(&rk_registry, "accel/sm90", RUNG_OPEN_NO_ENV, &p, NULL), RUNG_OK);
    rung_facts_begin(&facts, false);
    rung_facts_native(&facts, p, &report);
    assert_memory_equal(facts.native.platform, "accel/sm90,cpu/", 15);
    assert_string_equal(facts.native.device, "accel");
    assert_int_equal(facts.native.memory, 5 * MB);
    rung_facts_native(&facts, p, NULL);
    assert_int_equal(facts.native.memory, 0);
    rung_platform_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(everything_is_looked_at_once, begin),
        cmocka_unit_test_setup(without_the_full_list_no_python_is_looked_for, begin),
        cmocka_unit_test_setup(records_that_are_given_are_gone_by_and_not_kept, begin),
        cmocka_unit_test_setup(a_platform_that_does_not_open_is_the_reason, begin),
        cmocka_unit_test_setup(a_detection_that_fails_is_the_answer, begin),
        cmocka_unit_test_setup(the_platform_of_another_device, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
