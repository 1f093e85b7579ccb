/* SPDX-License-Identifier: Apache-2.0
 *
 * A rung-probe that behaves as the device that it is asked for is called: "hang", "signal11", "exit3" and so on.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "detect/probe.h"
#include "detect/wire.h"

static const char *device = "";

static void say(const char *text)
{
    while (*text != '\0') {
        ssize_t wrote = write(1, text, strlen(text));
        if (wrote <= 0)
            _exit(100);
        text += wrote;
    }
}

static void say_record(const rung_device_report *report)
{
    static char text[RUNG_WIRE_MAX + 1];
    text[rung_wire_write(report, text)] = '\0';
    say(text);
}

static void say_good(void)
{
    say("device ");
    say(device);
    say("\ninitialised 1\npresent 1\nunit 0\nunit.name X\nend\n");
}

static void hang(void)
{
    (void)signal(SIGTERM, SIG_IGN);
    (void)signal(SIGHUP, SIG_IGN);
    for (;;)
        (void)pause();
}

static void flood(const char *line)
{
    char block[8192];
    size_t len = strlen(line);
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = line[i % len];
    for (int i = 0; i < 100 * 128; i++) /* 100 MB */
        if (write(1, block, sizeof block) <= 0)
            _exit(101);
}

/* ---- what it was given ------------------------------------------------------------------------------------------- */

static void add(char *out, size_t size, const char *what)
{
    size_t len = strlen(out);
    (void)snprintf(out + len, size - len, "%s%s", len == 0 ? "" : ",", what);
}

static void add_number(char *out, size_t size, int number)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%d", number);
    add(out, size, text);
}

/* The arguments in `detail`; descriptors in `driver`; of the unit, ignored and blocked signals in `arch`, an
 * environment variable in `uuid`, what its group is in `bus`, and whether 0 and 2 are as good as nothing in `name`. */
static void say_given(int argc, char **argv)
{
    static rung_device_report report;
    (void)snprintf(report.device, sizeof report.device, "%s", device);
    for (int i = 1; i < argc; i++)
        add(report.detail, sizeof report.detail, argv[i]);
    for (int fd = 0; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            add_number(report.driver, sizeof report.driver, fd);
    report.count = 1;
    rung_device_unit *unit = &report.unit[0];
    sigset_t blocked;
    (void)sigprocmask(SIG_SETMASK, NULL, &blocked);
    for (int i = 1; i < SIGRTMAX; i++) {
        struct sigaction action;
        if (sigaction(i, NULL, &action) == 0 && (action.sa_handler == SIG_IGN || sigismember(&blocked, i) == 1))
            add_number(unit->arch, sizeof unit->arch, i);
    }
    const char *variable = getenv("RUNG_TEST_VARIABLE");
    (void)snprintf(unit->uuid, sizeof unit->uuid, "%s", variable == NULL ? "unset" : variable);
    (void)snprintf(unit->bus, sizeof unit->bus, "%s", getpgrp() == getpid() ? "own group" : "the host's group");
    char byte;
    bool quiet = read(0, &byte, 1) == 0 && write(2, "noise\n", 6) == 6;
    (void)snprintf(unit->name, sizeof unit->name, "%s", quiet ? "quiet" : "odd");
    say_record(&report);
}

/* A child of its own that holds the pipe, and one of that; its id is in the file named by the environment. */
static void leave_child(void)
{
    const char *path = getenv("RUNG_TEST_FILE");
    pid_t child = fork();
    if (child == 0) {
        (void)fork();
        hang();
    }
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (file == NULL || fprintf(file, "%ld", (long)child) < 0 || fclose(file) != 0)
        _exit(102);
}

/* ---- how it behaves ---------------------------------------------------------------------------------------------- */

/* The number after a prefix, -1 when the device is called otherwise. */
static int number_after(const char *prefix)
{
    size_t len = strlen(prefix);
    return strncmp(device, prefix, len) == 0 && device[len] >= '0' && device[len] <= '9' ? atoi(device + len) : -1;
}

static bool is(const char *name)
{
    return strcmp(device, name) == 0;
}

int main(int argc, char **argv)
{
    const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--device") == 0)
            device = argv[i + 1];
    if (is("silent hang"))
        hang();
    if (is("silent"))
        return 127;
    if (is("silent abort"))
        abort();
    if (is("binary")) {
        (void)!write(1,
                     "\x7f"
                     "ELF\0\1\2\3\xff\xfe and more of it",
                     26);
        return 0;
    }
    if (is("flood"))
        flood("what is this\n");
    if (is("given")) {
        say_given(argc, argv);
        return 0;
    }
    say(RUNG_WIRE_BEGIN);
    if (is("hang"))
        hang();
    if (is("close and hang")) {
        (void)close(1);
        hang();
    }
    if (is("close, exit 4")) {
        (void)close(1);
        return 4;
    }
    if (number_after("signal") >= 0) {
        (void)signal(number_after("signal"), SIG_DFL); /* a sanitizer's may be there */
        (void)raise(number_after("signal"));
        hang();
    }
    if (number_after("exit") >= 0)
        return number_after("exit");
    if (is("long"))
        flood("detail x\n");
    if (is("half"))
        say("device half\nstate usab");
    if (is("broken"))
        say("device broken\nstate no such state\nend\n");
    if (is("more"))
        say("device more\nend\nmore\n");
    if (is("another"))
        say("device cuda\nend\n");
    if (is("units"))
        say("device units\npresent 1\nlibrary libx.so.1\nunit 0\nunit 1\nunit.state not_asked\nunit 2\n"
            "unit.state out_of_memory\nunit.detail full\nend\n");
    if (is("left child")) {
        leave_child();
        return 5;
    }
    if (is("good, left") || is("moved, left"))
        leave_child();
    if (is("moved, left")) {
        (void)setpgid(0, getpgid(getppid()));
        say_good();
        hang();
    }
    if (is("good") || is("good, left"))
        say_good();
    return 0;
}
