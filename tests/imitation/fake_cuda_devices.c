/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda_devices.c: which devices the driver shows: CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER act as on the real
 * one; "fastest" is the one of the highest capability.
 */
#include "fake_cuda_state.h"

fake_device fake_seen[FAKE_MOST];
unsigned fake_seen_count;

static unsigned gpus;
static fake_device all[FAKE_MOST];
static unsigned all_count;

static int same_gi(const fake_device *a, const fake_device *b)
{
    return a->instance && b->instance && a->gi == b->gi && a->gpu == b->gpu;
}

int fake_driver_version(void)
{
    return (int)fake_number("driver", 13000);
}

long fake_number(const char *key, long otherwise)
{
    char value[32];
    return steer_value(FAKE_CUDA, key, 0, value, sizeof value) ? strtol(value, NULL, 10) : otherwise;
}

/* Source: CUDA C++ Programming Guide, technical specifications per compute capability. */
int fake_most_shared(const fake_device *device)
{
    const int capability = device->major * 10 + device->minor;
    const int kilobytes = capability == 75                                            ? 64
                          : capability == 80 || capability == 87                      ? 163
                          : capability == 86 || capability == 89 || capability >= 120 ? 99
                          : capability >= 90                                          ? 227
                                                                                      : 48;
    return kilobytes << 10;
}

static int old_driver(void)
{
    return fake_driver_version() < 12080;
}

static void show(const fake_device *device)
{
    if (device->mig) {
        for (unsigned i = gpus; i < all_count; i++)
            if (all[i].gpu == (unsigned)(device - all))
                show(&all[i]);
        return;
    }
    for (unsigned i = 0; i < fake_seen_count; i++)
        if (same_gi(&fake_seen[i], device))
            return;
    if (old_driver() && fake_seen_count > 0 && fake_seen[0].instance)
        return;
    if (old_driver() && device->instance)
        fake_seen_count = 0;
    fake_seen[fake_seen_count++] = *device;
}

/* The fastest first, or as they are. */
static unsigned in_order(unsigned nth)
{
    unsigned order[FAKE_MOST];
    for (unsigned i = 0; i < gpus; i++)
        order[i] = i;
    const char *by = getenv("CUDA_DEVICE_ORDER");
    for (unsigned i = 1; (by == NULL || strcmp(by, "PCI_BUS_ID") != 0) && i < gpus; i++) {
        for (unsigned k = i; k > 0; k--) {
            const fake_device *a = &all[order[k - 1]], *b = &all[order[k]];
            if (a->major * 10 + a->minor >= b->major * 10 + b->minor)
                break;
            unsigned swap = order[k];
            order[k] = order[k - 1];
            order[k - 1] = swap;
        }
    }
    return order[nth];
}

static int find(const char *list, char *word)
{
    if (strncmp(list, "GPU-", 4) != 0 && strncmp(list, "MIG-", 4) != 0) {
        char *end = word;
        long n = strtol(word, &end, 10);
        return end == word || n < 0 || n >= (long)gpus ? -1 : (int)in_order((unsigned)n);
    }
    int found = -1;
    for (unsigned i = 0; i < all_count && strncmp(word, list, 4) == 0; i++) {
        char path[256];
        fake_copy(path, sizeof path - 40, "MIG-");
        if (all[i].instance) {
            fake_copy(path + 4, 100, all[all[i].gpu].uuid);
            size_t len = strlen(path);
            path[len++] = '/';
            path[len++] = (char)('0' + all[i].gi % 10);
            path[len++] = '/';
            path[len++] = (char)('0' + all[i].ci % 10);
            path[len] = '\0';
            if (strcmp(path, word) == 0)
                return (int)i;
        }
        if (strncmp(all[i].uuid, word, strlen(word)) != 0)
            continue;
        if (found >= 0)
            return -1;
        found = (int)i;
    }
    return found;
}

void fake_enumerate(void)
{
    fake_seen_count = 0;
    all_count = fake_machine(FAKE_CUDA, all, &gpus);
    const char *list = getenv("CUDA_VISIBLE_DEVICES");
    if (list == NULL) {
        for (unsigned i = 0; i < gpus; i++)
            show(&all[in_order(i)]);
        return;
    }
    int used[FAKE_MOST] = {0};
    for (const char *at = list;; at++) {
        char word[128];
        size_t len = strcspn(at, ",");
        word[0] = '\0';
        if (len < sizeof word) {
            memcpy(word, at, len);
            word[len] = '\0';
        }
        int which = find(list, word);
        if (which < 0)
            return;
        if (used[which]) {
            fake_seen_count = 0;
            return;
        }
        used[which] = 1;
        show(&all[which]);
        at += len;
        if (*at == '\0')
            return;
    }
}
