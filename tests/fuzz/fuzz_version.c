/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_version.c: three lines are three versions, or none: the order of those that are is an order.
 */
#include "frameworks/version.h"

#include "fuzz.h"
#include "rung/frameworks.h"

static int order(const char *a, const char *b)
{
    int found = 0;
    FUZZ_HOLDS(rung_version_compare(a, b, &found) == 1);
    return (found > 0) - (found < 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *v[3];
    bool valid[3];
    rung_version parts;
    for (int i = 0; i < 3; i++) {
        v[i] = fuzz_part(&data, &size, '\n');
        valid[i] = rung_version_parse(v[i], &parts);
        int same = 77;
        FUZZ_HOLDS(rung_version_compare(v[i], v[i], &same) == (valid[i] ? 1 : 0));
        FUZZ_HOLDS(same == (valid[i] ? 0 : 77));
    }
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, dotted = 0, back = 0;
        if (rung_version_dotted_order(v[i], v[k], &dotted))
            FUZZ_HOLDS(rung_version_dotted_order(v[k], v[i], &back) && (dotted > 0) == (back < 0) &&
                       (dotted < 0) == (back > 0));
        if (valid[i] && valid[k])
            FUZZ_HOLDS(order(v[i], v[k]) == -order(v[k], v[i]));
    }
    /* every way round: a <= b and b <= c make a <= c, and equal ones compare alike with a third */
    if (valid[0] && valid[1] && valid[2])
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                int j = 3 - i - k;
                if (i == k || j < 0 || j == i || j == k)
                    continue;
                if (order(v[i], v[k]) <= 0 && order(v[k], v[j]) <= 0)
                    FUZZ_HOLDS(order(v[i], v[j]) <= 0);
                if (order(v[i], v[k]) == 0)
                    FUZZ_HOLDS(order(v[i], v[j]) == order(v[k], v[j]));
            }
    for (int i = 0; i < 3; i++)
        free(v[i]);
    return 0;
}
