/* SPDX-License-Identifier: Apache-2.0
 *
 * visible_cuda.c. Sources: CUDA Programming Guide, "CUDA Environment Variables" (lists, prefixes of UUIDs, what ends a
 * list); PyTorch's torch/cuda/__init__.py, _parse_visible_devices and _transform_uuid_to_ordinals (numbers as strtoul
 * reads them, duplicates, the list's type); NVIDIA's MIG User Guide, "CUDA Device Enumeration" (instances, and what
 * R570 changed).
 */
#include "visible_cuda.h"

#include <string.h>

#include "numbers.h"

#define NONE UINT32_MAX

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static const rung_cuda_device *at(const rung_cuda_machine *machine, uint32_t i)
{
    static const rung_cuda_device unknown = {.uuid = ""};
    return machine->device == NULL ? &unknown : &machine->device[i];
}

static uint32_t count_of(const rung_cuda_machine *machine)
{
    return machine->count < RUNG_CUDA_DEVICES_MAX ? machine->count : RUNG_CUDA_DEVICES_MAX;
}

/* The nth GPU. */
static uint32_t by_ordinal(const rung_cuda_machine *machine, const char *text, size_t len)
{
    while (len > 0 && is_space(*text)) {
        text++;
        len--;
    }
    bool negative = len > 0 && *text == '-';
    if (len > 0 && (*text == '-' || *text == '+')) {
        text++;
        len--;
    }
    uint64_t ordinal;
    if (!rung_digits(&text, text + len, 10, &ordinal) || (negative && ordinal != 0))
        return NONE;
    for (uint32_t i = 0; i < count_of(machine); i++)
        if (!at(machine, i)->instance && ordinal-- == 0)
            return i;
    return NONE;
}

/* The only device of its kind whose UUID begins with the text. */
static uint32_t by_uuid(const rung_cuda_machine *machine, const char *text, size_t len, bool instance)
{
    uint32_t found = NONE;
    for (uint32_t i = 0; i < count_of(machine); i++) {
        const rung_cuda_device *device = at(machine, i);
        if (device->instance != instance || strncmp(device->uuid, text, len) != 0)
            continue;
        if (found != NONE)
            return NONE;
        found = i;
    }
    return found;
}

/* "/" and a number, and moves past it. */
static bool part(const char **text, const char *end, uint64_t *value)
{
    if (*text == end || **text != '/')
        return false;
    ++*text;
    return rung_digits(text, end, 10, value);
}

/* "MIG-GPU-<uuid>/<gi>/<ci>", as drivers before R470 name instances. */
static uint32_t by_path(const rung_cuda_machine *machine, const char *text, size_t len)
{
    const char *end = text + len;
    const char *gpu = text + strlen("MIG-");
    const char *ids = memchr(text, '/', len);
    if (ids == NULL)
        return NONE;
    uint32_t parent = by_uuid(machine, gpu, (size_t)(ids - gpu), false);
    uint64_t gi;
    uint64_t ci;
    if (parent == NONE || !part(&ids, end, &gi) || !part(&ids, end, &ci) || ids != end)
        return NONE;
    for (uint32_t i = 0; i < count_of(machine); i++) {
        const rung_cuda_device *device = at(machine, i);
        if (device->instance && device->gpu == parent && device->gi == gi && device->ci == ci)
            return i;
    }
    return NONE;
}

static bool begins(const char *text, size_t len, const char *with)
{
    return len >= strlen(with) && strncmp(text, with, strlen(with)) == 0;
}

/* ---- what the driver enumerates of what is chosen ---------------------------------------------------------------- */

/* Takes devices in the order in which they are chosen. */
typedef struct taker {
    const rung_cuda_machine *machine;
    uint32_t *out;
    uint32_t room, count;
    bool has_instance; /* where one instance is all there can be */
} taker;

static void take(taker *t, uint32_t i)
{
    if (t->count < t->room)
        t->out[t->count] = i;
    t->count++;
}

static bool same_gi(const rung_cuda_device *a, const rung_cuda_device *b)
{
    return a->instance && b->instance && a->gpu == b->gpu && a->gi == b->gi;
}

/* One compute instance of each GPU instance. What is out of room cannot be compared, and is counted. */
static void take_instance(taker *t, uint32_t i)
{
    if (t->machine->one_instance) {
        if (!t->has_instance)
            t->count = 0;
        else
            return;
        t->has_instance = true;
    }
    for (uint32_t k = 0; k < t->count && k < t->room; k++)
        if (same_gi(at(t->machine, t->out[k]), at(t->machine, i)))
            return;
    take(t, i);
}

static void take_chosen(taker *t, uint32_t i)
{
    const rung_cuda_device *device = at(t->machine, i);
    if (device->instance) {
        take_instance(t, i);
    } else if (device->mig) {
        for (uint32_t k = 0; k < count_of(t->machine); k++)
            if (at(t->machine, k)->instance && at(t->machine, k)->gpu == i)
                take_instance(t, k);
    } else if (!t->has_instance) {
        take(t, i);
    }
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

/* One element of a list. */
static uint32_t choose(const rung_cuda_machine *machine, const char *type, const char *text, size_t len)
{
    if (type[0] == '\0')
        return by_ordinal(machine, text, len);
    if (!begins(text, len, type))
        return NONE;
    if (begins(text, len, "MIG-GPU-"))
        return by_path(machine, text, len);
    return by_uuid(machine, text, len, type[0] == 'M');
}

static const char *type_of(const char *list)
{
    return strncmp(list, "GPU-", 4) == 0 ? "GPU-" : strncmp(list, "MIG-", 4) == 0 ? "MIG-" : "";
}

uint32_t rung_visible_cuda(const char *list, const rung_cuda_machine *machine, uint32_t *out, uint32_t room)
{
    taker t = {machine, out, room, 0, false};
    if (list == NULL) {
        for (uint32_t i = 0; i < count_of(machine); i++)
            if (!at(machine, i)->instance)
                take_chosen(&t, i);
        return t.count;
    }
    const char *type = type_of(list);
    bool chosen[RUNG_CUDA_DEVICES_MAX] = {false};
    /* ends soon: every element chooses another device, or is the last */
    for (const char *element = list;;) {
        size_t len = strcspn(element, ",");
        uint32_t device = choose(machine, type, element, len);
        if (device == NONE)
            break;
        if (chosen[device])
            return 0;
        chosen[device] = true;
        take_chosen(&t, device);
        if (element[len] == '\0')
            break;
        element += len + 1;
    }
    return t.count;
}

/* On how many of the machines with 1 to MACHINES GPUs a list shows something: how a list of ordinals ends depends on
 * how many there are. */
enum { MACHINES = 64 };

static uint32_t shows_on(const char *list)
{
    uint32_t shown = 0;
    for (uint32_t gpus = 1; gpus <= MACHINES; gpus++) {
        const rung_cuda_machine machine = {.count = gpus};
        shown += rung_visible_cuda(list, &machine, NULL, 0) != 0;
    }
    return shown;
}

bool rung_visible_cuda_never(const char *list)
{
    return list != NULL && type_of(list)[0] == '\0' && shows_on(list) == 0;
}

bool rung_visible_cuda_always(const char *list)
{
    return shows_on(list) == MACHINES;
}

bool rung_visible_cuda_bus_order(const char *order)
{
    return order != NULL && strcmp(order, "PCI_BUS_ID") == 0;
}
