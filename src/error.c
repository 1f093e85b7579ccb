/* SPDX-License-Identifier: Apache-2.0 */
#include "error.h"

#include <stdarg.h>
#include <string.h>

#include "rung/table.h"

rung_text rung_error_begin(rung_error *err, rung_status status)
{
    if (err == NULL)
        return rung_text_in(NULL, 0);
    err->status = status;
    return rung_text_in(err->text, sizeof err->text);
}

rung_status rung_fail_(rung_error *err, rung_status status, ...)
{
    rung_text t = rung_error_begin(err, status);
    va_list parts;
    va_start(parts, status);
    for (const char *part = va_arg(parts, const char *); part != NULL; part = va_arg(parts, const char *))
        rung_text_add(&t, part);
    va_end(parts);
    return status;
}

void rung_error_prefix(rung_error *err, const char *prefix)
{
    if (err == NULL)
        return;
    char old[RUNG_ERROR_TEXT];
    memcpy(old, err->text, sizeof old);
    rung_text t = rung_text_in(err->text, sizeof err->text);
    rung_text_add(&t, prefix);
    rung_text_add(&t, old);
}

rung_status rung_succeed(rung_error *err)
{
    if (err != NULL) {
        err->status = RUNG_OK;
        err->text[0] = '\0';
    }
    return RUNG_OK;
}

rung_status rung_registry_check(const rung_registry *registry, rung_error *err)
{
    if (registry == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no registry given");
    if (registry->abi != RUNG_TABLE_ABI || registry->size != sizeof(rung_registry)) {
        rung_text t = rung_error_begin(err, RUNG_ERR_ABI);
        rung_text_add(&t, "the registry's tables have ABI ");
        rung_text_uint(&t, registry->abi);
        rung_text_add(&t, " (");
        rung_text_uint(&t, registry->size);
        rung_text_add(&t, " bytes), this library reads ABI ");
        rung_text_uint(&t, RUNG_TABLE_ABI);
        rung_text_add(&t, " (");
        rung_text_uint(&t, sizeof(rung_registry));
        rung_text_add(&t, " bytes): generate and build them again");
        return RUNG_ERR_ABI;
    }
    return RUNG_OK;
}
