/* SPDX-License-Identifier: Apache-2.0
 *
 * library.c: opening shared libraries, from programs that have a dynamic loader. In one that is linked statically,
 * dlopen may be there and would load a second C library beside the program's own: it is not called.
 */
#include <dlfcn.h>
#include <errno.h>

#include "library.h"
#include "rung/table.h"
#include "text.h"

#if defined(__linux__)
#include <link.h>

/* Programs with a loader name it in a segment of their own. The first object is the program. */
static int see_interpreter(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    bool *seen = user;
    for (int i = 0; i < info->dlpi_phnum; i++)
        *seen = *seen || info->dlpi_phdr[i].p_type == PT_INTERP;
    return 1;
}

bool rung_has_loader(void)
{
    bool seen = false;
    (void)dl_iterate_phdr(see_interpreter, &seen);
    return seen;
}
#else
bool rung_has_loader(void)
{
    return true;
}
#endif

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
