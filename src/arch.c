/* SPDX-License-Identifier: Apache-2.0 */
#include "arch.h"

#include <string.h>

#include "cpu.h"
#include "hash.h"
#include "names.h"
#include "platform_parse.h"
#include "text.h"

uint16_t rung_sm_rank(const char *name, size_t len)
{
    if (len < 3 || name[0] != 's' || name[1] != 'm' || name[2] == '0')
        return 0;
    uint32_t rank = 0;
    for (size_t i = 2; i < len; i++) {
        if (name[i] < '0' || name[i] > '9')
            return 0;
        rank = rank * 10 + (uint32_t)(name[i] - '0');
        if (rank > UINT16_MAX)
            rank = UINT16_MAX;
    }
    return (uint16_t)rank;
}

/* Of arch_names, through the hash of "device/arch". */
static uint32_t find_named(const rung_registry *registry, uint32_t device, const char *name, size_t len)
{
    char key[(size_t)2 * RUNG_NAME_MAX + sizeof "/"];
    rung_text t = rung_text_in(key, sizeof key);
    if (len > RUNG_NAME_MAX)
        return RUNG_NONE;
    rung_text_add(&t, rung_device_text(registry, device));
    rung_text_add(&t, "/");
    rung_text_addn(&t, name, len);
    uint32_t id = rung_hash_bytes_find(&registry->arch_hash, key, t.len);
    if (id >= registry->n_arch_names || registry->arch_names[id].device != device ||
        !rung_same(rung_arch_text(registry, id), name, len))
        return RUNG_NONE;
    return id;
}

uint32_t rung_arch_listed(const rung_registry *registry, uint32_t device, const char *name, size_t len)
{
    uint32_t id = find_named(registry, device, name, len);
    return id < registry->n_archs ? id : RUNG_NONE;
}

static bool has_model(const rung_registry *registry, uint32_t device, rung_model model)
{
    const rung_device_row *row = &registry->devices[device];
    for (uint32_t i = 0; i < row->archs; i++)
        if (registry->arch_names[row->first_arch + i].model == model)
            return true;
    return false;
}

/* Whether a model knows the name of a machine that no list holds, and its rank. */
static bool known_to_model(rung_model model, const char *name, size_t len, uint16_t *rank)
{
    switch (model) {
    case RUNG_MODEL_LADDER:
        *rank = rung_sm_rank(name, len);
        return true;
    case RUNG_MODEL_CUDA:
        *rank = len == 4 || len == 5 ? rung_sm_rank(name, len) : 0;
        return *rank != 0;
    case RUNG_MODEL_X86:
    case RUNG_MODEL_AARCH64:
        *rank = rung_level_rank(model, name, len);
        return *rank != 0;
    case RUNG_MODEL_NONE:
    case RUNG_MODEL_AMDGCN:
        break;
    }
    return false;
}

/* The target in a name of AMD's, gfx[1-9][0-9]*[0-9a-f]{2}[:sramecc(+|-)][:xnack(+|-)]: its length, 0 for another name.
 */
static size_t amd_target(const char *name, size_t len)
{
    static const char *const features[] = {":sramecc", ":xnack"};
    size_t target = 0;
    while (target < len && name[target] != ':')
        target++;
    if (target < 6 || memcmp(name, "gfx", 3) != 0 || name[3] == '0')
        return 0;
    for (size_t i = 3; i < target; i++)
        if (strchr(i + 2 < target ? "0123456789" : "0123456789abcdef", name[i]) == NULL)
            return 0;
    size_t at = target;
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        size_t n = strlen(features[i]);
        if (len - at > n && memcmp(name + at, features[i], n) == 0 && (name[at + n] == '+' || name[at + n] == '-'))
            at += n + 1;
    }
    return at == len ? target : 0;
}

/* A device whose name is not in the tables: its features concern no listed arch, so that it is as its target is; a
 * target that is not there either has the portable archs. */
static bool find_amd(const rung_registry *registry, uint32_t device, const char *name, size_t len, rung_arch *out)
{
    size_t target = amd_target(name, len);
    if (target == 0)
        return false;
    uint32_t id = find_named(registry, device, name, target);
    uint16_t row = id == RUNG_NONE ? registry->devices[device].portable_row : registry->arch_names[id].row;
    *out = (rung_arch){RUNG_NONE, row, 0, RUNG_MODEL_AMDGCN, false};
    return true;
}

static uint16_t row_of_rank(const rung_registry *registry, uint32_t device, rung_model model, uint16_t rank)
{
    const rung_device_row *row = &registry->devices[device];
    uint16_t found = row->portable_row;
    for (uint32_t i = 0; i < row->breaks && rank != 0; i++) {
        const rung_break *at = &registry->breaks[row->first_break + i];
        if (at->model == model && at->rank <= rank)
            found = at->row;
    }
    return found;
}

rung_arch_kind rung_arch_find(const rung_registry *registry, uint32_t device, const char *name, size_t len,
                              rung_arch *out)
{
    uint32_t id = find_named(registry, device, name, len);
    if (id != RUNG_NONE) {
        const rung_arch_row *row = &registry->arch_names[id];
        if (row->row == RUNG_NO_ROW)
            return RUNG_ARCH_IMAGE;
        *out = (rung_arch){id, row->row, row->rank, row->model, false};
        return RUNG_ARCH_KNOWN;
    }
    static const rung_model models[] = {RUNG_MODEL_LADDER, RUNG_MODEL_CUDA, RUNG_MODEL_X86, RUNG_MODEL_AARCH64};
    bool cpu = rung_is_cpu(registry, device);
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        rung_model model = models[i];
        bool of_cpu = model == RUNG_MODEL_X86 || model == RUNG_MODEL_AARCH64;
        uint16_t rank = 0;
        /* Both processor families are known to `cpu` whatever it lists: the running one is either. */
        if (!(of_cpu ? cpu : has_model(registry, device, model)) || !known_to_model(model, name, len, &rank))
            continue;
        *out = (rung_arch){RUNG_NONE, row_of_rank(registry, device, model, rank), rank, (uint8_t)model,
                           model == RUNG_MODEL_LADDER};
        return RUNG_ARCH_KNOWN;
    }
    if (has_model(registry, device, RUNG_MODEL_AMDGCN) && find_amd(registry, device, name, len, out))
        return RUNG_ARCH_KNOWN;
    return RUNG_ARCH_UNKNOWN;
}
