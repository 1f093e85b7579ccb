/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints what the library's gates test, one line each: "level x86 3 sse3 ..." with the features of the level, and
 * "feature x86 avx2 sse3 ..." with those without which the feature does not count.
 */
#include "cpu.h"

#include <stdio.h>

#define NAME(family, name, bit) [bit] = #name,
static const char *const x86[RUNG_CPU_BITS] = {RUNG_CPU_FEATURES_X86(NAME)};
static const char *const aarch64[RUNG_CPU_BITS] = {RUNG_CPU_FEATURES_AARCH64(NAME)};

int main(void)
{
    static const struct {
        const char *name;
        rung_model model;
        const char *const *features;
    } models[] = {{"x86", RUNG_MODEL_X86, x86}, {"aarch64", RUNG_MODEL_AARCH64, aarch64}};
    for (int m = 0; m < 2; m++)
        for (uint16_t rank = 0; rank < 64; rank++) {
            uint64_t features = rung_level_features(models[m].model, rank);
            if (rank != 0 && features == 0)
                continue;
            printf("level %s %d", models[m].name, rank);
            for (int bit = 0; bit < RUNG_CPU_BITS; bit++)
                if (features >> bit & 1)
                    printf(" %s", models[m].features[bit]);
            printf("\n");
        }
    for (int m = 0; m < 2; m++)
        for (int bit = 0; bit < RUNG_CPU_BITS; bit++) {
            if (models[m].features[bit] == NULL)
                continue;
            printf("feature %s %s", models[m].name, models[m].features[bit]);
            for (int other = 0; other < RUNG_CPU_BITS; other++)
                if (models[m].features[other] != NULL &&
                    (rung_features_whole(models[m].model, ~(UINT64_C(1) << other)) >> bit & 1) == 0)
                    printf(" %s", models[m].features[other]);
            printf("\n");
        }
    return 0;
}
