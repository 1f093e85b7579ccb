/* SPDX-License-Identifier: Apache-2.0
 *
 * compare.c: for every two lines that are read, how the two versions compare: -1, 0, 1, or none.
 */
#include <stdio.h>
#include <string.h>

#include "rung/frameworks.h"

static int line(char *text, int size)
{
    if (fgets(text, size, stdin) == NULL)
        return 0;
    text[strcspn(text, "\n")] = '\0';
    return 1;
}

int main(void)
{
    char a[512], b[512];
    while (line(a, sizeof a) && line(b, sizeof b)) {
        int order;
        if (!rung_version_compare(a, b, &order))
            puts("none");
        else
            printf("%d\n", (order > 0) - (order < 0));
    }
    return 0;
}
