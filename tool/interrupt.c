/* SPDX-License-Identifier: Apache-2.0
 *
 * interrupt.c: everything in the handler is async-signal-safe, so that a long computation need not be asked. It acts in
 * the main thread only, whichever thread the system has chosen (OpenBLAS, for one, starts threads of its own).
 */
#include "interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "progress.h"
#include "staging.h"

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
static sigset_t held;
static pthread_t main_thread;
static pid_t process;

static void end_by(int signal_number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void on_signal(int signal_number)
{
    static const char nothing[] = "rung: interrupted; nothing was written\n";
    static const char all[] = "rung: interrupted after the results were written\n";
    if (getpid() != process) { /* a child that was forked: the files are its parent's */
        end_by(signal_number);
        return;
    }
    /* Another thread cannot know what the main one is just doing with the files, nor is it held back by it. */
    if (!pthread_equal(pthread_self(), main_thread)) {
        pthread_kill(main_thread, signal_number);
        return;
    }
    staging_discard();
    progress_wipe();
    /* One that cannot be written is of no use to anybody; the signal says it too. */
    ssize_t ignored = staging_committed() ? write(STDERR_FILENO, all, sizeof all - 1)
                                          : write(STDERR_FILENO, nothing, sizeof nothing - 1);
    (void)ignored;
    end_by(signal_number);
}

void interrupt_install(void)
{
    struct sigaction action, old;
    main_thread = pthread_self();
    process = getpid();
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    /* A second one waits until the first has cleaned up. */
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&action.sa_mask, signals[i]);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

void interrupt_hold(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&set, signals[i]);
    pthread_sigmask(SIG_BLOCK, &set, &held);
}

void interrupt_release(void)
{
    pthread_sigmask(SIG_SETMASK, &held, NULL);
}
