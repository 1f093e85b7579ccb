/* SPDX-License-Identifier: Apache-2.0
 *
 * world_library.c: shared libraries of vendors. Apart from world.c, so that only programs that may have to open one
 * bring the loader into a static link.
 */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "library.h"
#include "world.h"

static const char *base(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash == NULL ? name : slash + 1;
}

/* The loader's words for a file that is not there end with the system's, in the language of the program, and begin with
 * the name that was asked for; a library that lacks another one is told by the other one's name. */
static bool says_not_there(const char *why, const char *name)
{
    return strstr(why, name) != NULL && strstr(why, strerror(ENOENT)) != NULL; /* NOLINT(concurrency-mt-unsafe) */
}

void *rung_world_library(const rung_world *world, const char *name, rung_device_state *state, rung_text *detail)
{
    char path[RUNG_PATH_MAX];
    rung_text file = rung_text_in(path, sizeof path);
    if (world->libraries != NULL)
        rung_text_join(&file, (const char *const[]){world->libraries, "/", base(name), NULL});
    else
        rung_text_add(&file, name);
    rung_text nowhere = {0};
    rung_text *say = detail == NULL ? &nowhere : detail;
    *state = RUNG_STATE_NO_LIBRARY;
    if (!rung_has_loader()) {
        *state = RUNG_STATE_STATIC_PROGRAM;
        rung_text_add(say, name);
        return NULL;
    }
    int saved = errno;
    if (world->libraries != NULL && access(path, F_OK) != 0) {
        errno = saved;
        rung_text_join(say, (const char *const[]){name, " is not there", NULL});
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *why = dlerror();
        if (why == NULL)
            why = name;
        if (!says_not_there(why, name))
            *state = RUNG_STATE_LIBRARY_INVALID;
        /* the folder of an imitated machine is nobody's business */
        size_t folder = world->libraries == NULL ? 0 : (size_t)(base(path) - path);
        rung_text_add(say, strncmp(why, path, folder) == 0 ? why + folder : why);
    } else {
        *state = RUNG_STATE_USABLE;
    }
    errno = saved;
    return library;
}

rung_any_fn *rung_world_function(void *library, const char *name)
{
    /* C has no conversion from an object's address to a function's; POSIX promises that the bytes are the same. */
    void *address = dlsym(library, name);
    rung_any_fn *function = NULL;
    memcpy(&function, &address, sizeof function);
    return function;
}
