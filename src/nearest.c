/* SPDX-License-Identifier: Apache-2.0 */
#include "nearest.h"

#include <string.h>

#include "error.h"

enum { LONGEST = 63 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned rung_edit_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    if (a_len > LONGEST)
        a_len = LONGEST;
    if (b_len > LONGEST)
        b_len = LONGEST;
    unsigned rows[3][LONGEST + 1] = {{0}}; /* the row before last, the last and this one, in turn */
    for (size_t j = 0; j <= b_len; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_len; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *last = rows[(i + 2) % 3];
        const unsigned *before = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_len; j++) {
            unsigned replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = least(replace, least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[a_len % 3][b_len];
}

void rung_nearest_begin(rung_nearest *nearest, const char *wanted, size_t len)
{
    *nearest = (rung_nearest){.wanted = wanted, .len = len};
}

void rung_nearest_offer(rung_nearest *nearest, const char *name)
{
    unsigned distance = rung_edit_distance(nearest->wanted, nearest->len, name, strlen(name));
    unsigned at = nearest->count;
    while (at > 0 && distance < nearest->distances[at - 1])
        at--;
    if (at == RUNG_NEAREST)
        return;
    if (nearest->count < RUNG_NEAREST)
        nearest->count++;
    for (unsigned i = nearest->count - 1; i > at; i--) {
        nearest->names[i] = nearest->names[i - 1];
        nearest->distances[i] = nearest->distances[i - 1];
    }
    nearest->names[at] = name;
    nearest->distances[at] = distance;
}

void rung_nearest_text(const rung_nearest *nearest, rung_text *t)
{
    for (unsigned i = 0; i < nearest->count; i++) {
        rung_text_add(t, i == 0 ? "; nearest: " : ", ");
        rung_text_add(t, nearest->names[i]);
    }
}

rung_status rung_fail_name(const rung_registry *registry, const char *what, const char *name, rung_name_fn *names,
                           rung_error *err)
{
    rung_nearest nearest;
    rung_nearest_begin(&nearest, name, strlen(name));
    const char *known;
    for (uint32_t i = 0; (known = names(registry, i)) != NULL; i++)
        rung_nearest_offer(&nearest, known);
    rung_text t = rung_error_begin(err, RUNG_ERR_UNKNOWN);
    rung_text_add(&t, what);
    rung_text_quote(&t, name, strlen(name));
    rung_nearest_text(&nearest, &t);
    return RUNG_ERR_UNKNOWN;
}
