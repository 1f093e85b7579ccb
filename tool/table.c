/* SPDX-License-Identifier: Apache-2.0
 *
 * table.c: columns as wide as their widest text; the last one is not padded.
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "say.h"
#include "text.h"

struct table {
    unsigned columns;
    size_t rows, room;
    char **cells;
    size_t *width;
};

table *table_new(unsigned columns, const char *const *heads)
{
    table *t = say_alloc(sizeof *t);
    t->columns = columns;
    t->width = say_alloc(columns * sizeof *t->width);
    if (heads != NULL)
        table_row(t, heads);
    return t;
}

void table_row(table *t, const char *const *cells)
{
    if (t->rows == t->room) {
        t->room = t->room != 0 ? 2 * t->room : 16;
        t->cells = say_realloc(t->cells, t->room * t->columns * sizeof *t->cells);
    }
    char **row = t->cells + t->rows * t->columns;
    for (unsigned c = 0; c < t->columns; c++) {
        size_t size = 3 * strlen(cells[c]) + 1;
        row[c] = say_alloc(size);
        text_copy_line(row[c], size, cells[c]);
        size_t width = text_width(row[c]);
        if (width > t->width[c])
            t->width[c] = width;
    }
    t->rows++;
}

void table_end(table *t, FILE *to, unsigned indent)
{
    for (size_t r = 0; to != NULL && r < t->rows; r++) {
        char **row = t->cells + r * t->columns;
        unsigned last = t->columns - 1;
        while (last > 0 && row[last][0] == '\0')
            last--;
        fprintf(to, "%*s", (int)indent, "");
        for (unsigned c = 0; c <= last; c++) {
            size_t gap = c < last ? t->width[c] - text_width(row[c]) + 2 : 0;
            fprintf(to, "%s%*s", row[c], (int)gap, "");
        }
        fputc('\n', to);
    }
    for (size_t i = 0; i < t->rows * t->columns; i++)
        free(t->cells[i]);
    free(t->cells);
    free(t->width);
    free(t);
}
