/* SPDX-License-Identifier: Apache-2.0 */
#include "loader.h"

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
