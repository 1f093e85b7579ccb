/* SPDX-License-Identifier: Apache-2.0
 *
 * library.c: opening shared libraries. A program that is linked statically must not get a dynamic loader by linking
 * this library: the loader is referred to weakly, and is there in every program that is not static.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

#include "acquire.h"

#if defined(__ELF__)
#pragma weak dlopen
#pragma weak dlerror
static bool has_loader(void)
{
    return dlopen != NULL && dlerror != NULL;
}
#else
static bool has_loader(void)
{
    return true;
}
#endif

rung_reason rung_library_open(const char *name, rung_text *detail)
{
    if (!has_loader()) {
        rung_text_add(detail, name);
        return RUNG_REASON_STATIC_PROGRAM;
    }
    int saved = errno;
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *why = dlerror();
        rung_text_add(detail, why == NULL ? name : why);
    }
    errno = saved;
    return handle == NULL ? RUNG_REASON_LIBRARY_MISSING : RUNG_REASON_NONE;
}
