/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_detect: what it costs to look at this machine: to open a platform, to list its devices without initialising a
 * driver, to find what the process may use of the host and what its Python has, and to choose a backend.
 *
 * The cases take turns, so that a slow moment of the machine hits all of them; the median over the turns is printed,
 * with the distance of the quartiles, and as a multiple of opening the platform "cpu". The CPUID instructions, which a
 * virtual machine traps, are timed by themselves: nothing but not asking can make them cheaper. Files are read from the
 * system's cache: the turn that warms it up is not kept.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

#include "../clock.h"
#include "../cpuid.h"
#include "rk/rk.h"
#include "rung/devices.h"
#include "rung/frameworks.h"
#include "rung/select.h"

enum { TURNS = 101 };

static void check(rung_status status, const char *what, const rung_error *err)
{
    if (status == RUNG_OK)
        return;
    fprintf(stderr, "bench_detect: %s: %s\n", what, err->text);
    exit(1);
}

static void open_chain(const char *chain)
{
    rung_platform *platform;
    rung_error err;
    check(rung_platform_open(&rk_registry, chain, RUNG_OPEN_NO_ENV, &platform, &err), "open", &err);
    rung_platform_close(platform);
}

static void open_cpu(void)
{
    open_chain("cpu");
}

static void open_null(void)
{
    open_chain(NULL);
}

static void detect_devices(void)
{
    rung_devices *devices;
    rung_error err;
    check(rung_devices_detect(&rk_registry, RUNG_DETECT_NO_ENV, &devices, &err), "detect", &err);
    rung_devices_free(devices);
}

static void detect_host(void)
{
    rung_host host;
    rung_host_detect(&host);
}

static void detect_python(void)
{
    static rung_python python;
    rung_python_detect(NULL, &python);
}

static void choose(unsigned flags)
{
    static rung_choice choice;
    rung_error err;
    const rung_backend_request request = {.registry = &rk_registry, .flags = flags};
    check(rung_select_backend(&request, NULL, &choice, &err), "select", &err);
}

static void choose_native(void)
{
    choose(RUNG_SELECT_FRESH);
}

static void choose_from_all(void)
{
    choose(RUNG_SELECT_FRESH | RUNG_SELECT_FULL);
}

static void choose_again(void)
{
    choose(RUNG_SELECT_FULL);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"open \"cpu\"", open_cpu},
             {"open NULL", open_null},
             {"list devices", detect_devices},
             {"host: cores and memory", detect_host},
             {"Python and its frameworks", detect_python},
             {"choose, native", choose_native},
             {"choose, all", choose_from_all},
             {"choose, all, cached", choose_again}};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static void list(void)
{
    rung_devices *devices;
    rung_error err;
    check(rung_devices_detect(&rk_registry, RUNG_DETECT_NO_ENV, &devices, &err), "detect", &err);
    for (uint32_t i = 0; i < rung_devices_count(devices); i++) {
        const rung_device_report *report = rung_devices_at(devices, i);
        printf("%s%s %s", i == 0 ? "" : ", ", report->device, rung_device_state_name(report->state));
    }
    printf("\n\n");
    rung_devices_free(devices);
}

int main(void)
{
    static double times[CASES + 1][TURNS];
    list();
    for (int turn = -1; turn < TURNS; turn++) { /* the turn -1 warms up and is not kept */
        for (int c = 0; c < CASES; c++) {
            double start = bench_now_ns();
            cases[c].run();
            double end = bench_now_ns();
            if (turn >= 0)
                times[c][turn] = end - start;
        }
        if (turn >= 0)
            times[CASES][turn] = bench_cpuid_ns();
    }
    printf("%-28s %12s %12s %16s\n", "microseconds", "median", "+-", "times open \"cpu\"");
    double unit = 0.0;
    for (int c = 0; c <= CASES; c++) {
        double spread;
        double median = bench_median(times[c], TURNS, &spread);
        if (c == 0)
            unit = median;
        printf("%-28s %12.2f %12.2f %16.2f\n", c < CASES ? cases[c].name : "CPUID, six of them", median / 1e3,
               spread / 1e3, median / unit);
    }
    printf("(median and distance of the quartiles over %d turns)\n", TURNS);
    return 0;
}
