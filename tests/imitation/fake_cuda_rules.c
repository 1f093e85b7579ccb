/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda_rules.c: what every entry point does first and last: the count of its calls, the code that it is steered
 * to, the lock, and whether the process and the thread may call it.
 */
#include "fake_cuda_api.h"
#include "fake_cuda_state.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

_Atomic pid_t fake_initialised_by;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local const char *now; /* the entry of the running call */
static _Thread_local bool locked;

/* ---- counts ------------------------------------------------------------------------------------------------------ */

/* Without a lock: a child may be forked at any time. */
static struct {
    const char *name;
    atomic_int calls;
} counted[] = {
#define FAKE_API(name, version, symbol, parameters) {#symbol, 0},
    FAKE_APIS
#undef FAKE_API
};
enum { ENTRIES = sizeof counted / sizeof *counted };
static atomic_int violations;
static char violation[256];

/* The calls of an entry, this one among them. */
static int count(const char *entry)
{
    for (int i = 0; i < ENTRIES; i++)
        if (strcmp(counted[i].name, entry) == 0)
            return ++counted[i].calls;
    return 0;
}

int rung_fake_cuda_calls(const char *entry)
{
    for (int i = 0; i < ENTRIES; i++)
        if (strcmp(counted[i].name, entry) == 0)
            return counted[i].calls;
    return -1;
}

int rung_fake_cuda_violations(void)
{
    return violations;
}

const char *rung_fake_cuda_violation(void)
{
    return violation;
}

void rung_fake_cuda_forget(void)
{
    for (int i = 0; i < ENTRIES; i++)
        counted[i].calls = 0;
    violations = 0;
    violation[0] = '\0';
}

int fake_violation(int code, const char *format, ...)
{
    char text[sizeof violation - 64];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    violations++;
    (void)snprintf(violation, sizeof violation, "%s: %s", now == NULL ? "?" : now, text);
    (void)fprintf(stderr, "fake libcuda: %s (gives %d)\n", violation, code);
    return code;
}

const char *fake_entry_name(void)
{
    return now;
}

/* ---- steering ---------------------------------------------------------------------------------------------------- */

static bool is_steered(const char *key, int *code)
{
    char value[32];
    if (!steer_value(FAKE_CUDA, key, 0, value, sizeof value))
        return false;
    *code = steer_entry(FAKE_CUDA, key, 0);
    return true;
}

/* `name#nth=`, then `name=`; a name with a suffix such as _v2 also without it. */
int fake_steered(const char *entry, int nth, int otherwise)
{
    char key[96];
    int code;
    const char *suffix = strstr(entry, "_v2");
    const int lengths[] = {(int)strlen(entry), suffix == NULL ? 0 : (int)(suffix - entry)};
    for (int i = 0; i < 2 && lengths[i] > 0; i++) {
        (void)snprintf(key, sizeof key, "%.*s#%d", lengths[i], entry, nth);
        if (is_steered(key, &code))
            return code;
        (void)snprintf(key, sizeof key, "%.*s", lengths[i], entry);
        if (is_steered(key, &code))
            return code;
    }
    return otherwise;
}

bool fake_is_sticky(int code)
{
    return code == ILLEGAL_ADDRESS || code == 702 || (code >= 714 && code <= LAUNCH_FAILED) || code == 226 ||
           code == 721 || code == 911;
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

/* What speaks against a call, with the lock held. */
static int refused(unsigned needs)
{
    context *c;
    if ((needs & NEEDS_INIT) != 0 && fake_initialised_by == 0)
        return fake_violation(NOT_INITIALIZED, "before cuInit");
    if ((needs & NEEDS_CONTEXT) != 0) {
        const int code = fake_usable(&c);
        if (code != 0)
            return code;
    }
    return (needs & ENDS_CAPTURE) != 0 ? fake_not_in_capture() : 0;
}

int fake_enter(const char *entry, unsigned needs)
{
    now = entry;
    errno = EBADMSG;
    const int calls = count(entry);
    int code = fake_number("stub", 0) != 0 ? STUB : fake_steered(entry, calls, 0);
    const bool forked = fake_initialised_by != 0 && fake_initialised_by != getpid();
    if (code == 0 && ((needs & ASKS_INIT) != 0 ? fake_initialised_by == 0 || forked : (needs & INITS) != 0 && forked))
        code = NOT_INITIALIZED;
    else if (code == 0 && (needs & (NEEDS_INIT | NEEDS_CONTEXT)) != 0 && forked)
        code = fake_violation(NOT_INITIALIZED, "in a process that was forked after cuInit");
    if (code != 0) {
        context *c = fake_current();
        if (c != NULL && fake_is_sticky(code) && c->sticky == 0)
            c->sticky = code;
        return code;
    }
    if (needs == 0)
        return 0;
    (void)pthread_mutex_lock(&lock);
    locked = true;
    code = refused(needs);
    return code == 0 ? 0 : fake_leave(code);
}

int fake_leave(int code)
{
    if (locked) {
        locked = false;
        (void)pthread_mutex_unlock(&lock);
    }
    errno = EBADMSG;
    return code;
}
