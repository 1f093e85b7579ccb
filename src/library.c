/* SPDX-License-Identifier: Apache-2.0
 *
 * library.c: opening shared libraries, from programs that have a dynamic loader. In one that is linked statically,
 * dlopen may be there and would load a second C library beside the program's own: it is not called.
 */
#include <dlfcn.h>
#include <errno.h>

#include "loader.h"
#include "rung/table.h"
#include "text.h"

rung_reason rung_library_open(const char *name, char *detail, size_t size)
{
    rung_text t = rung_text_in(detail, size);
    if (!rung_has_loader()) {
        rung_text_add(&t, name);
        return RUNG_REASON_STATIC_PROGRAM;
    }
    int saved = errno;
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *why = dlerror();
        rung_text_add(&t, why == NULL ? name : why);
    }
    errno = saved;
    return handle == NULL ? RUNG_REASON_LIBRARY_MISSING : RUNG_REASON_NONE;
}
