/* SPDX-License-Identifier: Apache-2.0
 *
 * visible_amd.c: three variables with three rules, one after another. Sources, all of github.com/ROCm/rocm-systems:
 *   ROCR_VISIBLE_DEVICES      projects/rocr-runtime, core/runtime/amd_filter_device.cpp (RvdFilter)
 *   HIP_, CUDA_VISIBLE_DEVICES  projects/clr, rocclr/device/rocm/rocdevice.cpp (Device::init)
 *   HSA_OVERRIDE_GFX_VERSION  projects/rocr-runtime, libhsakmt/src/topology.c (topology_sysfs_get_node_props)
 */
#include "visible_amd.h"

#include <string.h>

#include "numbers.h"

/* ---- ROCR_VISIBLE_DEVICES ---------------------------------------------------------------------------------------- */

void rung_amd_uuid(uint64_t id, char out[RUNG_AMD_UUID_LEN + 1])
{
    rung_text t = rung_text_in(out, RUNG_AMD_UUID_LEN + 1);
    rung_text_add(&t, "GPU-");
    rung_text_hex(&t, id, 16);
}

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* Whether this is the beginning of the GPU's uuid, in lower case. A GPU without an id is "GPU-XX" to AMD's libraries.
 */
static bool begins_uuid(const char *text, size_t len, uint64_t id, bool any_case)
{
    char uuid[RUNG_AMD_UUID_LEN + 1] = "GPU-XX";
    if (id != 0)
        rung_amd_uuid(id, uuid);
    if (len > strlen(uuid))
        return false;
    for (size_t i = 0; i < len; i++)
        if (any_case ? upper(text[i]) != upper(uuid[i]) : text[i] != uuid[i])
            return false;
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The index that strtol reads with base 0, or `count` for anything that is none. */
static uint32_t index_of_any_base(const char *text, size_t len, uint32_t count)
{
    const char *end = text + len;
    text += *text == '+';
    unsigned base = 10;
    if (end - text > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
    } else if (text != end && text[0] == '0') {
        base = 8;
    }
    uint64_t value;
    return rung_digits(&text, end, base, &value) && text == end && value < count ? (uint32_t)value : count;
}

/* The GPU whose uuid alone begins so, or `count`. */
static uint32_t index_of_uuid(const char *text, size_t len, const uint64_t *ids, uint32_t count)
{
    uint32_t found = count;
    if (len <= 4 || len > RUNG_AMD_UUID_LEN)
        return count;
    for (uint32_t i = 0; i < count; i++) {
        if (ids[i] == 0 || !begins_uuid(text, len, ids[i], true))
            continue;
        if (found != count)
            return count;
        found = i;
    }
    return found;
}

static bool holds(const rung_amd_visible *v, uint32_t place)
{
    for (uint32_t i = 0; i < v->count; i++)
        if (v->at[i] == place)
            return true;
    return false;
}

/* A token that is none, one that was there before, and the end of the GPUs end the list. An empty one is an error to
 * the library, which then has no GPU at all; behind a last comma there is none. */
static void filter_rocr(const char *list, const uint64_t *ids, uint32_t count, rung_amd_visible *out)
{
    out->count = 0;
    for (uint32_t n = 0; *list != '\0' && n < count; n++) {
        size_t len = strcspn(list, ",");
        const char *token = list;
        list += len + (list[len] == ',');
        while (len > 0 && is_blank(*token)) {
            token++;
            len--;
        }
        while (len > 0 && is_blank(token[len - 1]))
            len--;
        if (len == 0) {
            out->count = 0;
            return;
        }
        uint32_t place =
            upper(*token) == 'G' ? index_of_uuid(token, len, ids, count) : index_of_any_base(token, len, count);
        if (place == count || holds(out, place))
            return;
        out->at[out->count++] = place;
    }
}

/* ---- HIP_VISIBLE_DEVICES, CUDA_VISIBLE_DEVICES ------------------------------------------------------------------- */

/* Decimal without blanks, signs or leading zeros; or, since HIP 6.2, the first GPU whose uuid begins so, letter by
 * letter. */
static uint32_t index_for_hip(const char *text, size_t len, const uint64_t *ids, const rung_amd_visible *all)
{
    if (len >= 4 && memcmp(text, "GPU-", 4) == 0) {
        for (uint32_t i = 0; i < all->count; i++)
            if (begins_uuid(text, len, ids[all->at[i]], false))
                return i;
        return all->count;
    }
    uint64_t value;
    if (!rung_decimal(text, len, &value) || (text[0] == '0' && len > 1) || value >= all->count)
        return all->count;
    return (uint32_t)value;
}

/* A token that is none ends the list; one that was there before is passed over. */
static void filter_hip(const char *list, const uint64_t *ids, rung_amd_visible *out)
{
    const rung_amd_visible all = *out;
    out->count = 0;
    do {
        size_t len = strcspn(list, ",");
        uint32_t i = index_for_hip(list, len, ids, &all);
        if (i == all.count)
            return;
        if (!holds(out, all.at[i]))
            out->at[out->count++] = all.at[i];
        list += len + (list[len] == ',');
    } while (*list != '\0');
}

void rung_amd_filter(const rung_world *world, const uint64_t *ids, uint32_t count, rung_amd_visible *out)
{
    out->hidden_by = NULL;
    out->count = count;
    for (uint32_t i = 0; i < count; i++)
        out->at[i] = i;
    const char *rocr = rung_world_env(world, "ROCR_VISIBLE_DEVICES");
    if (rocr != NULL)
        filter_rocr(rocr, ids, count, out);
    if (out->count < count)
        out->hidden_by = "ROCR_VISIBLE_DEVICES";
    if (out->count == 0)
        return;
    const char *name = "HIP_VISIBLE_DEVICES";
    const char *hip = rung_world_env(world, name);
    if (hip == NULL || *hip == '\0') {
        name = "CUDA_VISIBLE_DEVICES";
        hip = rung_world_env(world, name);
    }
    if (hip == NULL || *hip == '\0')
        return;
    uint32_t before = out->count;
    filter_hip(hip, ids, out);
    if (out->count < before)
        out->hidden_by = name;
}

/* ---- archs ------------------------------------------------------------------------------------------------------- */

void rung_amd_arch(rung_amd_version version, char *out, size_t size)
{
    rung_text t = rung_text_in(out, size);
    rung_text_add(&t, "gfx");
    rung_text_uint(&t, version.major);
    rung_text_uint(&t, version.minor);
    rung_text_hex(&t, version.step, 1);
}

static bool version_in(const char *text, rung_amd_version *out)
{
    uint64_t part[3];
    const char *end = text + strlen(text);
    for (size_t i = 0; i < 3; i++) {
        while (is_blank(*text))
            text++;
        text += *text == '+';
        if (!rung_digits(&text, end, 10, &part[i]) || (i < 2 && *text++ != '.'))
            return false;
    }
    if (text != end || part[0] > 63 || part[1] > 255 || part[2] > 255)
        return false;
    *out = (rung_amd_version){(uint32_t)part[0], (uint32_t)part[1], (uint32_t)part[2]};
    return true;
}

rung_amd_override rung_amd_overridden(const rung_world *world, uint32_t node, rung_amd_version *version,
                                      char variable[48])
{
    rung_text t = rung_text_in(variable, 48);
    rung_text_add(&t, "HSA_OVERRIDE_GFX_VERSION_");
    rung_text_uint(&t, node);
    const char *text = rung_world_env(world, variable);
    if (text == NULL) {
        t = rung_text_in(variable, 48);
        rung_text_add(&t, "HSA_OVERRIDE_GFX_VERSION");
        text = rung_world_env(world, variable);
    }
    if (text == NULL)
        return RUNG_AMD_NO_OVERRIDE;
    rung_amd_version found;
    if (!version_in(text, &found))
        return RUNG_AMD_OVERRIDE_INVALID;
    if (found.major == 0 && found.minor == 0 && found.step == 0)
        return RUNG_AMD_NO_OVERRIDE;
    *version = found;
    return RUNG_AMD_OVERRIDE;
}
