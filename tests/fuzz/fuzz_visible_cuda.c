/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_visible_cuda.c: CUDA_VISIBLE_DEVICES, on a machine with a whole GPU, two in MIG mode with instances, and one in
 * MIG mode without. What is shown can be used, and nothing is shown twice.
 */
#include "detect/visible_cuda.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const rung_cuda_device devices[] = {
        {.uuid = "GPU-a0"},
        {.uuid = "GPU-a1", .mig = true},
        {.uuid = "GPU-b2", .mig = true},
        {.uuid = "GPU-b3", .mig = true},
        {.uuid = "MIG-11", .instance = true, .gpu = 1, .gi = 1, .ci = 0},
        {.uuid = "MIG-12", .instance = true, .gpu = 1, .gi = 1, .ci = 1},
        {.uuid = "MIG-23", .instance = true, .gpu = 1, .gi = 2, .ci = 0},
        {.uuid = "MIG-34", .instance = true, .gpu = 2, .gi = 1, .ci = 0},
    };
    enum { COUNT = sizeof devices / sizeof *devices };
    char *list = fuzz_part(&data, &size, '\0');
    for (int one = 0; one < 2; one++) {
        const rung_cuda_machine machine = {devices, COUNT, one == 1};
        uint32_t out[COUNT];
        uint32_t n = rung_visible_cuda(list, &machine, out, COUNT);
        uint32_t instances = 0;
        FUZZ_HOLDS(n <= COUNT);
        for (uint32_t i = 0; i < n; i++) {
            FUZZ_HOLDS(out[i] < COUNT && !devices[out[i]].mig);
            instances += devices[out[i]].instance;
            for (uint32_t k = 0; k < i; k++)
                FUZZ_HOLDS(out[i] != out[k]);
        }
        FUZZ_HOLDS(one == 0 || instances == 0 || n == 1);
        FUZZ_HOLDS(n == 0 || !rung_visible_cuda_never(list));
        /* the first device alone, where there is room for it alone */
        uint32_t first = COUNT;
        (void)rung_visible_cuda(list, &machine, &first, 1);
        FUZZ_HOLDS(n == 0 || first == out[0]);
    }
    FUZZ_HOLDS(!rung_visible_cuda_never(list) || !rung_visible_cuda_always(list));
    free(list);
    return 0;
}
