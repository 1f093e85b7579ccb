/* SPDX-License-Identifier: Apache-2.0
 *
 * assign.c: the assignment problem by shortest augmenting paths with potentials (Kuhn 1955, doi:10.1002/nav.3800020109;
 * Jonker and Volgenant 1987, doi:10.1007/BF02278710), n^3 steps. Ties go to the first column.
 */
#include "group.h"

#include <math.h>
#include <stdlib.h>

/* Rows and columns count from 1; 0 stands for none. */
typedef struct search {
    const double *cost;
    size_t n;
    double *row_price, *column_price, *distance; /* [n + 1] */
    size_t *owner;                               /* [n + 1]: the row that has a column */
    size_t *from;                                /* [n + 1]: the column before on the path */
    bool *done;                                  /* [n + 1] */
} search;

/* Finds a column for the row, moving others on along the cheapest path. */
static void place(search *s, size_t row)
{
    size_t at = 0;
    s->owner[0] = row;
    for (size_t j = 0; j <= s->n; j++) {
        s->distance[j] = HUGE_VAL;
        s->done[j] = false;
    }
    do {
        size_t i = s->owner[at], next = 0;
        double least = HUGE_VAL;
        s->done[at] = true;
        for (size_t j = 1; j <= s->n; j++) {
            if (s->done[j])
                continue;
            double reduced = s->cost[(i - 1) * s->n + j - 1] - s->row_price[i] - s->column_price[j];
            if (reduced < s->distance[j]) {
                s->distance[j] = reduced;
                s->from[j] = at;
            }
            if (s->distance[j] < least) {
                least = s->distance[j];
                next = j;
            }
        }
        for (size_t j = 0; j <= s->n; j++) {
            if (s->done[j]) {
                s->row_price[s->owner[j]] += least;
                s->column_price[j] -= least;
            } else {
                s->distance[j] -= least;
            }
        }
        at = next;
    } while (s->owner[at] != 0);
    for (; at != 0; at = s->from[at])
        s->owner[at] = s->owner[s->from[at]];
}

int rung_tfa_assign(const double *cost, size_t n, size_t *column)
{
    search s = {.cost = cost, .n = n};
    s.row_price = calloc(3 * (n + 1), sizeof(double));
    s.owner = calloc(2 * (n + 1), sizeof(size_t));
    s.done = calloc(n + 1, sizeof(bool));
    int status = s.row_price != NULL && s.owner != NULL && s.done != NULL ? RUNG_OK : RUNG_ERR_MEMORY;
    if (status == RUNG_OK) {
        s.column_price = s.row_price + n + 1;
        s.distance = s.column_price + n + 1;
        s.from = s.owner + n + 1;
        for (size_t row = 1; row <= n; row++)
            place(&s, row);
        for (size_t j = 1; j <= n; j++)
            column[s.owner[j] - 1] = j - 1;
    }
    free(s.row_price);
    free(s.owner);
    free(s.done);
    return status;
}
