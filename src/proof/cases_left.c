/* SPDX-License-Identifier: Apache-2.0
 *
 * cases_left.c: what calls leave behind in the process: open files, memory, blocked signals, and output.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "proof/cases.h"
#include "proof/invoke.h"
#include "proof/sizes.h"
#include "proof/trial.h"

enum { CALLS = 32, FILES = 256, LEAST_BYTES = 16 /* that an allocation takes */ };

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define OWN_ALLOCATOR 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_ALLOCATOR 1
#endif

/* Bytes that malloc has given out; 0 where nobody knows. */
static size_t bytes_in_use(void)
{
#if defined(__GLIBC__) && !defined(OWN_ALLOCATOR)
#if __GLIBC_PREREQ(2, 33)
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
#else
    return 0;
#endif
}

static unsigned open_files(void)
{
    unsigned count = 0;
    for (int file = 0; file < FILES; file++)
        count += fcntl(file, F_GETFD) >= 0;
    return count;
}

static bool same_signals(const sigset_t *a, const sigset_t *b)
{
    for (int number = 1; number < 32; number++)
        if (sigismember(a, number) != sigismember(b, number))
            return false;
    return true;
}

static void call(proof_stand *s)
{
    rung_proof_refill(s);
    (void)rung_proof_call_cell(s, false);
}

/* A library may keep what it makes for its first call. */
static void check_calls(proof_stand *s)
{
    call(s);
    sigset_t before, after;
    (void)sigprocmask(SIG_SETMASK, NULL, &before);
    const unsigned files = open_files();
    const size_t bytes = bytes_in_use();
    for (unsigned i = 0; i < CALLS; i++)
        call(s);
    rung_proof_expect(s->journal, bytes_in_use() < bytes + (size_t)CALLS * LEAST_BYTES,
                      "each call leaves memory allocated");
    rung_proof_expect(s->journal, open_files() <= files, "calls leave files open");
    (void)sigprocmask(SIG_SETMASK, NULL, &after);
    rung_proof_expect(s->journal, same_signals(&before, &after), "a call changes which signals are blocked");
}

/* With the standard output away: only in a process of its own, where nobody else writes to it. */
static void check_output(proof_stand *s)
{
    int ends[2];
    if (pipe(ends) != 0)
        return;
    (void)fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    (void)fcntl(ends[1], F_SETFL, O_NONBLOCK);
    if (kept >= 0 && dup2(ends[1], STDOUT_FILENO) >= 0) {
        char byte;
        call(s);
        (void)fflush(stdout);
        (void)dup2(kept, STDOUT_FILENO);
        if (read(ends[0], &byte, 1) > 0)
            rung_proof_fail(s->journal, "a call writes to the standard output");
    }
    (void)close(kept);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

void rung_proof_cases_left(proof_stand *s)
{
    size_t sizes[RUNG_PROOF_DIMS_MAX];
    rung_proof_middle(s->op->dim_count, 0, sizes);
    if (s->launched || !rung_proof_begin_some(s, true, "what calls leave", PROOF_PLAIN, sizes) || !rung_proof_draw(s) ||
        !rung_proof_try(s) || !rung_proof_place(s))
        return;
    if (s->journal->seconds > 0)
        check_output(s);
    check_calls(s);
}
