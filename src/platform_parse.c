/* SPDX-License-Identifier: Apache-2.0 */
#include "platform_parse.h"

#include <stdbool.h>
#include <string.h>

#include "error.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool in_device(char c)
{
    return is_lower(c) || is_digit(c) || c == '_';
}

static bool in_arch_first(char c)
{
    return is_lower(c) || is_digit(c) || (c >= 'A' && c <= 'Z');
}

static bool in_arch(char c)
{
    return in_arch_first(c) || (c != '\0' && strchr("._+:-", c) != NULL);
}

static rung_status fail_at(rung_error *err, const char *chain, const char *at, const char *what)
{
    rung_text t = rung_error_begin(err, RUNG_ERR_SYNTAX);
    rung_text_add(&t, "platform string ");
    rung_text_quote(&t, chain, strlen(chain));
    rung_text_add(&t, ": character ");
    rung_text_uint(&t, (uint64_t)(at - chain) + 1);
    rung_text_add(&t, ": ");
    rung_text_add(&t, what);
    return RUNG_ERR_SYNTAX;
}

static rung_status parse_index(const char *chain, const char **at, uint32_t *index, rung_error *err)
{
    const char *first = *at;
    uint32_t value = 0;
    if (!is_digit(*first))
        return fail_at(err, chain, first, "a device index is a number");
    for (; is_digit(**at); (*at)++) {
        value = value * 10 + (uint32_t)(**at - '0');
        if (value > RUNG_INDEX_MAX)
            return fail_at(err, chain, first, "a device index is at most 65535");
    }
    *index = value;
    return RUNG_OK;
}

static rung_status parse_part(const char *chain, const char **at, rung_part *part, rung_error *err)
{
    *part = (rung_part){.device = *at};
    if (!is_lower(**at))
        return fail_at(err, chain, *at, "expected the name of a device");
    while (in_device(**at))
        (*at)++;
    part->device_len = (size_t)(*at - part->device);
    if (part->device_len > RUNG_NAME_MAX)
        return fail_at(err, chain, part->device, "a device's name is at most 63 bytes");
    if (**at == ':') {
        (*at)++;
        rung_status status = parse_index(chain, at, &part->index, err);
        if (status != RUNG_OK)
            return status;
    }
    if (**at == '/') {
        part->arch = ++*at;
        if (!in_arch_first(**at))
            return fail_at(err, chain, *at, "expected the name of an arch");
        while (in_arch(**at))
            (*at)++;
        part->arch_len = (size_t)(*at - part->arch);
        if (part->arch_len > RUNG_NAME_MAX)
            return fail_at(err, chain, part->arch, "an arch's name is at most 63 bytes");
    }
    return RUNG_OK;
}

rung_status rung_chain_parse(const char *chain, rung_part parts[RUNG_CHAIN_MAX], uint32_t *count, rung_error *err)
{
    const char *at = chain;
    for (uint32_t n = 0; n < RUNG_CHAIN_MAX; n++, at++) {
        rung_status status = parse_part(chain, &at, &parts[n], err);
        if (status != RUNG_OK)
            return status;
        for (uint32_t i = 0; i < n; i++)
            if (parts[i].device_len == parts[n].device_len &&
                memcmp(parts[i].device, parts[n].device, parts[n].device_len) == 0)
                return fail_at(err, chain, parts[n].device, "this device is named twice");
        if (*at == '\0') {
            *count = n + 1;
            return RUNG_OK;
        }
        if (*at != ',')
            return fail_at(err, chain, at, "expected `:` and an index, `/` and an arch, `,` and a device, or the end");
    }
    return fail_at(err, chain, at, "a chain has at most 16 devices");
}
