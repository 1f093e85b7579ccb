/* SPDX-License-Identifier: Apache-2.0
 *
 * A static program with kernels of CUDA devices, on a machine without a driver: it starts and computes on the
 * processor. Then the same in a root folder that has this program and nothing else.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cu/cu.h>

#define ALONE "alone" /* the argument of the program in its own root */

static int fails(const char *what, const char *why)
{
    (void)fprintf(stderr, "%s: %s\n", what, why);
    return 1;
}

static int compute(void)
{
    enum { N = 50 };
    rung_platform *p = NULL;
    rung_error err;
    if (rung_platform_open(&cu_registry, NULL, RUNG_OPEN_NO_ENV, &p, &err) != RUNG_OK)
        return fails("opening", err.text);
    if (strcmp(rung_platform_device(p, 0), "cpu") != 0)
        return fails("a GPU on a machine without", rung_platform_reason(p));
    if (strstr(rung_platform_reason(p), "; cuda: ") == NULL)
        return fails("nothing is said of cuda", rung_platform_reason(p));
    rung_cell cell;
    if (rung_cell_find(&cu_registry, "axpy", "cuda", "sm80", NULL, &cell, &err) != RUNG_OK || !cell.built)
        return fails("axpy on cuda/sm80", "not built");
    rung_ctx cx = rung_ctx_of(p);
    float x[N], y[N];
    for (int i = 0; i < N; i++)
        x[i] = y[i] = (float)i;
    rung_buffer *buffer = NULL;
    rung_status status = cu_axpy(&cx, y, x, NULL, NULL, N, 2);
    if (status == RUNG_OK)
        status = rung_buffer_wrap(p, y, sizeof y, &buffer, &err);
    if (status == RUNG_OK)
        status = cu_turn_buf(&cx, buffer, N);
    if (status == RUNG_OK && rung_buffer_device(buffer, NULL, &err) != y)
        return fails("the device's copy", "is not the host's");
    if (status != RUNG_OK)
        return fails("a call", rung_status_text(status));
    for (int i = 0; i < N; i++)
        if (y[i] != 1 - 3 * (float)i)
            return fails("a call", "wrong result");
    rung_buffer_destroy(buffer);
    rung_platform_close(p);
    return 0;
}

/* Copies this program into a folder. */
static int copy_itself(const char *to)
{
    char bytes[65536];
    FILE *in = fopen("/proc/self/exe", "rb");
    FILE *out = fopen(to, "wb");
    size_t n = 0;
    int bad = in == NULL || out == NULL;
    while (!bad && (n = fread(bytes, 1, sizeof bytes, in)) > 0)
        bad = fwrite(bytes, 1, n, out) != n;
    if (in != NULL)
        (void)fclose(in);
    if (out != NULL)
        bad = fclose(out) != 0 || bad;
    return !bad && chmod(to, 0755) == 0 ? 0 : -1;
}

enum { NO_ROOT = 77 };

static void run_in(const char *root)
{
    char *const arguments[] = {"/program", ALONE, NULL};
    char *const environment[] = {NULL};
    if ((geteuid() != 0 && unshare(CLONE_NEWUSER) != 0) || chroot(root) != 0 || chdir("/") != 0)
        _exit(NO_ROOT);
    (void)execve(arguments[0], arguments, environment);
    _exit(1);
}

static int alone(void)
{
    char root[512];
    char program[sizeof root + sizeof "/program"];
    int status = 1;
    const char *folder = getenv("TMPDIR");
    (void)snprintf(root, sizeof root, "%s/rung-static-XXXXXX", folder == NULL ? P_tmpdir : folder);
    if (mkdtemp(root) == NULL)
        return fails("alone", "no folder");
    (void)snprintf(program, sizeof program, "%s/program", root);
    if (copy_itself(program) == 0) {
        pid_t child = fork();
        if (child == 0)
            run_in(root);
        status = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    }
    (void)unlink(program);
    (void)rmdir(root);
    if (status == NO_ROOT)
        (void)puts("another root folder may not be had: a machine that has nothing but the program: unproven");
    else if (status != 0)
        return fails("alone", "it does not start, or fails");
    return 0;
}

int main(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], ALONE) == 0)
        return compute();
    int status = compute();
    return status != 0 ? status : alone();
}
