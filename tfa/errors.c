/* SPDX-License-Identifier: Apache-2.0
 *
 * errors.c: statuses and what went wrong, in words.
 */
#include "fit.h"

#include <stdio.h>

const char *rung_tfa_status_text(rung_tfa_status status)
{
    switch (status) {
    case RUNG_TFA_OK:
        return "ok";
    case RUNG_TFA_ERR_ARGUMENT:
        return "bad argument";
    case RUNG_TFA_ERR_MEMORY:
        return "out of memory";
    case RUNG_TFA_ERR_KERNEL:
        return "an op failed";
    case RUNG_TFA_CANCELLED:
        return "cancelled";
    }
    return "unknown status";
}

rung_tfa_status rung_tfa_fail(rung_tfa_error *error, rung_tfa_status status, const char *text)
{
    if (error != NULL) {
        error->status = status;
        (void)snprintf(error->text, sizeof error->text, "%s", text);
    }
    return status;
}

rung_tfa_status rung_tfa_fail_op(rung_tfa_error *error, const tfa_engine *engine, int status)
{
    if (status == TFA_STOPPED)
        return rung_tfa_fail(error, RUNG_TFA_CANCELLED, "cancelled");
    if (status == RUNG_ERR_MEMORY)
        return rung_tfa_fail(error, RUNG_TFA_ERR_MEMORY, "out of memory");
    char text[RUNG_TFA_ERROR_TEXT];
    (void)snprintf(text, sizeof text, "%s: %s", engine->failed != NULL ? engine->failed : "an op",
                   rung_status_text((rung_status)status));
    return rung_tfa_fail(error, RUNG_TFA_ERR_KERNEL, text);
}

rung_tfa_status rung_tfa_fail_fit(rung_tfa_error *error, const tfa_fit *f, int status)
{
    if (status == RUNG_ERR_ARGUMENT && f->engine.failed == NULL)
        return rung_tfa_fail(error, RUNG_TFA_ERR_ARGUMENT,
                             f->still ? "the scan does not vary in time" : "the scan has a value that is not finite");
    return rung_tfa_fail_op(error, &f->engine, status);
}
