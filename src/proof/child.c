/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/child.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "proof/fault.h"

/* That opening a platform, and then each case, may take; under emulators and sanitizers all takes longer. */
enum { SECONDS = 60, SECONDS_SLOWLY = 600 };

static void run_here(const rung_proof *proof, const rung_proof_op *op, const rung_cell *cell,
                     const rung_proof_options *options, rung_proof_how how, proof_journal *journal)
{
    rung_proof_fault_watch(journal, options->in_process);
    rung_proof_try_cell(proof, op, cell, options, how, journal);
    rung_proof_fault_unwatch();
}

/* Signals by which people end what they have started. */
static bool is_interruption(int status)
{
    if (!WIFSIGNALED(status))
        return false;
    const int number = WTERMSIG(status);
    return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
}

/* What has ended it before it was done, with the case that was at work. */
static void answer_died(proof_journal *j, int status)
{
    char how[128] = "", where[96], at[320] = "no case yet";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        (void)snprintf(how, sizeof how, "a case was not done within %u seconds", j->seconds);
    else if (WIFSIGNALED(status))
        (void)snprintf(how, sizeof how, "died of signal %d, %s", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        (void)snprintf(how, sizeof how, "ended with status %d, as by a sanitizer or exit()", WEXITSTATUS(status));
    rung_proof_fault_text(j, where, sizeof where);
    if (j->at_work)
        rung_proof_case_text(j->op, &j->now, at, sizeof at);
    j->failures++;
    if (j->lines < PROOF_LINES)
        (void)snprintf(j->line[j->lines++], PROOF_LINE, "%s: %s%s%s (%s; seed 0x%llx)", j->cell, how,
                       where[0] != '\0' ? ": " : "", where, at, (unsigned long long)j->seed);
    rung_proof_answer(j, RUNG_PROOF_FAILED, "%s%s%s (%.280s; seed 0x%llx)", how, where[0] != '\0' ? ": " : "", where,
                      at, (unsigned long long)j->seed);
}

/* What the parent does when it is interrupted is the parent's: its child ends, with it at the latest. Nor does it
 * inherit that signals are blocked, or that alarms are not heard. */
static void end_with_parent(pid_t parent)
{
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGALRM, SIG_DFL);
    static const int interruptions[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof interruptions / sizeof interruptions[0]; i++)
        if (signal(interruptions[i], SIG_DFL) == SIG_IGN)
            (void)signal(interruptions[i], SIG_IGN);
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) /* it has ended before that was said */
        _exit(1);
}

static void wait_for(pid_t child, proof_journal *j)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno == EINTR)
            continue;
        rung_proof_answer(j, RUNG_PROOF_MISSED, "the process that tested it is lost: %s", strerror(errno));
        return;
    }
    if (is_interruption(status))
        rung_proof_answer(j, RUNG_PROOF_MISSED, "interrupted: %s", strsignal(WTERMSIG(status)));
    else if (!j->done || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        answer_died(j, status);
}

void rung_proof_in_child(const rung_proof *proof, const rung_proof_op *op, const rung_cell *cell,
                         const rung_proof_options *options, rung_proof_how how, proof_journal *journal)
{
    if (options->in_process) {
        run_here(proof, op, cell, options, how, journal);
        return;
    }
    proof_journal *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        rung_proof_answer(journal, RUNG_PROOF_MISSED, "no memory to share with another process: %s", strerror(errno));
        return;
    }
    *shared = *journal;
    shared->seconds = how == RUNG_PROOF_NATIVE ? SECONDS : SECONDS_SLOWLY;
    (void)fflush(NULL);             /* what is in buffers would be written twice */
    struct sigaction usual, before; /* where SIGCHLD is ignored, nobody learns how a child has ended */
    memset(&usual, 0, sizeof usual);
    usual.sa_handler = SIG_DFL;
    (void)sigemptyset(&usual.sa_mask);
    const bool changed = sigaction(SIGCHLD, &usual, &before) == 0;
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
        end_with_parent(parent);
        (void)alarm(shared->seconds);
        run_here(proof, op, cell, options, how, shared);
        (void)fflush(NULL);
        _exit(0); /* what the parent has put up for its end is the parent's */
    }
    if (child < 0)
        rung_proof_answer(shared, RUNG_PROOF_MISSED, "no process to test it in: %s", strerror(errno));
    else
        wait_for(child, shared);
    if (changed)
        (void)sigaction(SIGCHLD, &before, NULL);
    *journal = *shared;
    (void)munmap(shared, sizeof *shared);
}
