/* SPDX-License-Identifier: Apache-2.0
 *
 * skip.c: RUNG_SKIP, a list of devices that nobody shall look for, and what is wrong with it.
 */
#include <string.h>

#include "probes.h"

static const char blanks[] = " \t";

/* The next name of a list, without the blanks around it; false at its end. */
static bool next_name(const char **list, const char **name, size_t *len)
{
    if (*list == NULL || **list == '\0')
        return false;
    size_t part = strcspn(*list, ",");
    size_t blank = strspn(*list, blanks);
    *name = *list + (blank < part ? blank : part);
    *len = part - (size_t)(*name - *list);
    while (*len > 0 && strchr(blanks, (*name)[*len - 1]) != NULL)
        (*len)--;
    *list += part + ((*list)[part] == ',');
    return true;
}

/* Whether they are the same but for the case; `word` has lower case. */
static bool is_word(const char *name, size_t len, const char *word)
{
    if (len != strlen(word))
        return false;
    for (size_t i = 0; i < len; i++)
        if ((name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]) != word[i])
            return false;
    return true;
}

bool rung_probe_skipped(const rung_world *world, rung_device_report *out)
{
    const char *list = world->ignore_env ? NULL : rung_world_env(world, "RUNG_SKIP");
    const char *name;
    size_t len;
    while (next_name(&list, &name, &len)) {
        if (!is_word(name, len, out->device) && !is_word(name, len, "all"))
            continue;
        rung_report_state(out, RUNG_STATE_SKIPPED,
                          (const char *const[]){"RUNG_SKIP=", rung_world_env(world, "RUNG_SKIP"), NULL});
        return true;
    }
    return false;
}

/* ---- what nobody understands ------------------------------------------------------------------------------------- */

static bool is_known(const char *name, size_t len)
{
    for (size_t i = 0; i < RUNG_PROBES; i++)
        if (is_word(name, len, rung_probe_names[i]))
            return true;
    return len == 0 || is_word(name, len, "all");
}

static void complain_of_skip(const char *list, rung_text *out)
{
    enum { SHOWN = 3 };
    const char *name;
    size_t len;
    unsigned unknown = 0;
    while (next_name(&list, &name, &len)) {
        if (is_known(name, len) || unknown++ >= SHOWN)
            continue;
        rung_text_add(out, unknown == 1 ? "RUNG_SKIP: no device " : ", ");
        rung_text_quote(out, name, len);
    }
    if (unknown == 0)
        return;
    rung_text_add(out, unknown > SHOWN ? " and more; there are " : "; there are ");
    for (size_t i = 0; i < RUNG_PROBES; i++)
        rung_text_join(out, (const char *const[]){i == 0 ? "" : ", ", rung_probe_names[i], NULL});
    rung_text_add(out, " and all");
}

void rung_world_complaints(const rung_world *world, rung_text *out)
{
    if (world->ignore_env)
        return;
    size_t before = out->len;
    complain_of_skip(rung_world_env(world, "RUNG_SKIP"), out);
    const char *probe = rung_world_env(world, "RUNG_PROBE");
    if (probe == NULL || *probe == '\0' || strcmp(probe, "isolated") == 0)
        return;
    rung_text_add(out, out->len > before ? "; RUNG_PROBE: no " : "RUNG_PROBE: no ");
    rung_text_quote(out, probe, strlen(probe));
    rung_text_add(out, "; there is isolated");
}
