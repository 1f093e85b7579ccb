/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include "error.h"
#include "hash.h"

/* These functions have no status to say it with: of tables that this library cannot read, nothing is known. */
static bool readable(const rung_registry *registry)
{
    return rung_registry_check(registry, NULL) == RUNG_OK;
}

const char *rung_registry_namespace(const rung_registry *registry)
{
    return readable(registry) ? registry->name_space : NULL;
}

uint32_t rung_op_count(const rung_registry *registry)
{
    return readable(registry) ? registry->n_ops : 0;
}

const char *rung_op_name(const rung_registry *registry, uint32_t op)
{
    return op >= rung_op_count(registry) ? NULL : rung_pool(registry, registry->ops[op].name);
}

const char *rung_op_summary(const rung_registry *registry, uint32_t op)
{
    return op >= rung_op_count(registry) ? NULL : rung_pool(registry, registry->ops[op].summary);
}

uint32_t rung_op_find(const rung_registry *registry, const char *name)
{
    if (!readable(registry) || name == NULL)
        return RUNG_NONE;
    uint32_t op = rung_hash_bytes_find(&registry->op_hash, name, strlen(name));
    return op < registry->n_ops && strcmp(rung_pool(registry, registry->ops[op].name), name) == 0 ? op : RUNG_NONE;
}

uint32_t rung_variant_count(const rung_registry *registry)
{
    return readable(registry) ? registry->n_variants : 0;
}

const char *rung_variant_name(const rung_registry *registry, uint32_t variant)
{
    return variant >= rung_variant_count(registry) ? NULL : rung_pool(registry, registry->variants[variant].name);
}

uint32_t rung_variant_find(const rung_registry *registry, const char *name)
{
    if (!readable(registry) || name == NULL)
        return RUNG_NONE;
    uint32_t variant = rung_hash_bytes_find(&registry->variant_hash, name, strlen(name));
    if (variant >= registry->n_variants || strcmp(rung_pool(registry, registry->variants[variant].name), name) != 0)
        return RUNG_NONE;
    return variant;
}

uint32_t rung_variant_named(const rung_registry *registry, const char *name)
{
    return name == NULL || name[0] == '\0' ? 0 : rung_variant_find(registry, name);
}

uint32_t rung_kind_count(const rung_registry *registry)
{
    return readable(registry) ? registry->n_kinds : 0;
}

const char *rung_kind_name(const rung_registry *registry, uint32_t kind)
{
    return kind >= rung_kind_count(registry) ? NULL : rung_kind_text(registry, kind);
}

const char *rung_kind_summary(const rung_registry *registry, uint32_t kind)
{
    return kind >= rung_kind_count(registry) ? NULL : rung_pool(registry, registry->kinds[kind].summary);
}

uint32_t rung_kind_find(const rung_registry *registry, const char *name)
{
    if (!readable(registry) || name == NULL)
        return RUNG_NONE;
    uint32_t kind = rung_hash_bytes_find(&registry->kind_hash, name, strlen(name));
    return kind < registry->n_kinds && strcmp(rung_kind_text(registry, kind), name) == 0 ? kind : RUNG_NONE;
}

uint32_t rung_device_count(const rung_registry *registry)
{
    return readable(registry) ? registry->n_devices : 0;
}

const char *rung_device_name(const rung_registry *registry, uint32_t device)
{
    return device >= rung_device_count(registry) ? NULL : rung_device_text(registry, device);
}

uint32_t rung_device_findn(const rung_registry *registry, const char *name, size_t len)
{
    uint32_t device = rung_hash_bytes_find(&registry->device_hash, name, len);
    if (device >= registry->n_devices || !rung_same(rung_device_text(registry, device), name, len))
        return RUNG_NONE;
    return device;
}

uint32_t rung_device_find(const rung_registry *registry, const char *name)
{
    return readable(registry) && name != NULL ? rung_device_findn(registry, name, strlen(name)) : RUNG_NONE;
}

uint32_t rung_cell_of(const rung_registry *registry, uint32_t op, uint32_t arch, uint32_t variant)
{
    uint32_t cell = rung_hash_cell_find(&registry->cell_hash, op, arch, variant);
    if (cell >= registry->n_cells)
        return RUNG_NONE;
    const rung_cell_row *row = &registry->cells[cell];
    return row->op == op && row->arch == arch && row->variant == variant ? cell : RUNG_NONE;
}
