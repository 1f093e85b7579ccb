/* SPDX-License-Identifier: Apache-2.0
 *
 * select.c: from a request and the facts to an answer.
 */
#include <string.h>

#include "cache.h"
#include "error.h"
#include "log.h"
#include "nearest.h"
#include "rank.h"

static rung_status check(const rung_backend_request *request, const rung_choice *out, rung_error *err)
{
    const unsigned known = RUNG_SELECT_FULL | RUNG_SELECT_STRICT | RUNG_SELECT_UNCHECKED | RUNG_SELECT_FRESH;
    if (request == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no request given");
    rung_status status = rung_registry_check(request->registry, err);
    if (status != RUNG_OK)
        return status;
    if (out == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no place given for the choice");
    if (request->flags & ~known)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "unknown flag");
    if (request->registry->n_backends == 0)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "the registry ", request->registry->name_space, " ranks no backends");
    return RUNG_OK;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static rung_status fail_unknown(const rung_registry *registry, const char *name, rung_error *err)
{
    rung_nearest nearest;
    rung_nearest_begin(&nearest, name, strlen(name));
    const char *known;
    for (uint32_t n = 0; (known = rung_backend_framework(registry, n)) != NULL; n++)
        rung_nearest_offer(&nearest, known);
    rung_text t = rung_error_begin(err, RUNG_ERR_UNKNOWN);
    rung_text_add(&t, "unknown backend ");
    rung_text_quote(&t, name, strlen(name));
    rung_nearest_text(&nearest, &t);
    return RUNG_ERR_UNKNOWN;
}

static void warn_unknown(const rung_registry *registry, const char *name, rung_choice *out)
{
    rung_text t = rung_choice_warn(out);
    rung_text_add(&t, "unknown backend ");
    rung_text_quote(&t, name, strlen(name));
    rung_text_add(&t, ": chosen automatically; valid names: ");
    const char *known;
    for (uint32_t n = 0; (known = rung_backend_framework(registry, n)) != NULL; n++)
        rung_text_join(&t, (const char *const[]){n == 0 ? "" : ", ", known, NULL});
}

/* ---- the log ----------------------------------------------------------------------------------------------------- */

/* "rk: backend jax on gpu, score 90: not available: cuda: not on this machine" */
static void tell_backend(const rung_registry *registry, rung_log_level level, const char *what,
                         const rung_backend *backend)
{
    char line[512];
    rung_text t = rung_text_in(line, sizeof line);
    rung_text_join(&t, (const char *const[]){registry->name_space, ": ", what, " ", backend->name, NULL});
    if (strcmp(backend->device, "none") != 0)
        rung_text_join(&t, (const char *const[]){" on ", backend->device, NULL});
    rung_text_add(&t, ", score ");
    rung_text_uint(&t, backend->score);
    rung_text_join(&t, (const char *const[]){backend->available ? ": " : ": not available: ", backend->reason, NULL});
    rung_log_line(level, line);
}

static void tell(const rung_registry *registry, const rung_facts *facts, const rung_choice *choice)
{
    for (uint32_t row = 0; row < registry->n_backends; row++) {
        rung_line line;
        rung_judge_line(registry, row, facts, &line);
        tell_backend(registry, RUNG_LOG_DEBUG, "candidate", &line.backend);
    }
    if (choice->chosen.name[0] != '\0')
        tell_backend(registry, RUNG_LOG_INFO, choice->asked_for ? "asked for backend" : "chosen backend",
                     &choice->chosen);
    if (choice->advice[0] == '\0')
        return;
    char line[sizeof choice->advice + 128];
    rung_text t = rung_text_in(line, sizeof line);
    rung_text_join(&t, (const char *const[]){registry->name_space, ": ", choice->advice, NULL});
    rung_log_line(RUNG_LOG_INFO, line);
}

static void tell_warnings(const rung_registry *registry, const rung_choice *choice)
{
    for (uint32_t i = 0; i < choice->warnings; i++) {
        char line[RUNG_WARNING_TEXT + 128];
        rung_text t = rung_text_in(line, sizeof line);
        rung_text_join(&t, (const char *const[]){registry->name_space, ": warning: ", choice->warning[i], NULL});
        rung_log_line(RUNG_LOG_INFO, line);
    }
}

/* ---- the choice -------------------------------------------------------------------------------------------------- */

/* The index in `ranked` of the backend that is asked for (NULL: of the best one that is available), or `count`. */
static uint32_t find_ranked(const rung_choice *choice, const char *name)
{
    uint32_t i = 0;
    while (i < choice->count &&
           (name == NULL ? !choice->ranked[i].available : strcmp(choice->ranked[i].name, name) != 0))
        i++;
    return i;
}

static rung_status choose(const char *name, unsigned flags, bool full, rung_choice *out, rung_error *err)
{
    uint32_t at = find_ranked(out, name);
    if (at < out->count && (out->ranked[at].available || (flags & RUNG_SELECT_UNCHECKED))) {
        out->chosen = out->ranked[at];
        return rung_succeed(err);
    }
    if (name != NULL && at < out->count)
        return RUNG_FAIL(err, RUNG_ERR_UNAVAILABLE, name, " is not available: ", out->ranked[at].reason);
    at = find_ranked(out, "native");
    return RUNG_FAIL(err, RUNG_ERR_UNAVAILABLE, "no backend is available",
                     at < out->count ? "; native: "
                     : full          ? ""
                                     : ": none is native",
                     at < out->count ? out->ranked[at].reason : "");
}

rung_status rung_select_by(rung_find_fn *find, const rung_backend_request *request, const rung_problem *problem,
                           rung_choice *out, rung_error *err)
{
    rung_status status = check(request, out, err);
    if (status != RUNG_OK)
        return status;
    const rung_registry *registry = request->registry;
    rung_choice choice = {0};
    const char *name = request->name == NULL ? NULL : rung_backend_named(registry, request->name);
    if (request->name != NULL && name == NULL) {
        if (request->flags & RUNG_SELECT_STRICT)
            return fail_unknown(registry, request->name, err);
        warn_unknown(registry, request->name, &choice);
    }
    choice.asked_for = name != NULL;

    /* whoever asks for one that only Python can drive wants it looked for */
    bool full = (request->flags & RUNG_SELECT_FULL) || (name != NULL && strcmp(name, "native") != 0);
    bool fresh = (request->flags & RUNG_SELECT_FRESH) || request->devices != NULL;
    const rung_cache_key key = {registry, request->python, full};
    rung_facts facts;
    uint64_t ticket = 0;
    choice.cached = !fresh && rung_cache_get(&key, &facts, &ticket);
    if (!choice.cached) {
        status = find(request, full, &facts, err);
        if (status != RUNG_OK)
            return status;
        if (!fresh)
            rung_cache_put(&key, &facts, ticket);
    }

    rung_rank(registry, &facts, &choice);
    status = choose(name, request->flags, full, &choice, err);
    rung_add_obstacles(registry, &facts, &choice);
    rung_problem_judge(problem, &facts, &choice);
    if (status == RUNG_OK)
        rung_advise(registry, &facts, &choice);
    if (!choice.cached)
        tell(registry, &facts, &choice);
    tell_warnings(registry, &choice);
    *out = choice;
    return status;
}
