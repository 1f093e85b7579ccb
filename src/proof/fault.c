/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/fault.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "proof/guard.h"

static const int watched[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
enum { WATCHED = sizeof watched / sizeof watched[0] };
static struct sigaction before[WATCHED];
static proof_journal *volatile journal;
static volatile sig_atomic_t says;

static void say(const char *text)
{
    const ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    proof_journal *j = journal;
    if (j != NULL && (number == SIGSEGV || number == SIGBUS))
        j->faulted = rung_proof_guard_find(info->si_addr, &j->fault_slot, &j->fault_offset, &j->fault_bytes);
    if (j != NULL && says) {
        say(j->cell);
        say(": a fault in a kernel, or an abort: ");
        say(j->now.about);
        say("\n");
    }
    (void)signal(number, SIG_DFL); /* in a child, where the program's own handlers have nothing to say */
    for (unsigned i = 0; i < WATCHED; i++)
        if (watched[i] == number && says)
            (void)sigaction(number, &before[i], NULL);
    (void)raise(number);
}

void rung_proof_fault_watch(proof_journal *j, bool with_words)
{
    journal = j;
    says = with_words;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    (void)sigemptyset(&action.sa_mask);
    for (unsigned i = 0; i < WATCHED; i++)
        (void)sigaction(watched[i], &action, &before[i]);
}

void rung_proof_fault_unwatch(void)
{
    for (unsigned i = 0; i < WATCHED; i++)
        (void)sigaction(watched[i], &before[i], NULL);
    journal = NULL;
}
