/* SPDX-License-Identifier: Apache-2.0
 *
 * world_library.c: shared libraries of vendors. Apart from world.c, so that only programs that may have to open one
 * bring the loader into a static link.
 */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "loader.h"
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

/* Whether there is a file of this name where the loader looks. It passes over files of other architectures without a
 * word: that one is there and none was loaded means that it is such a file. */
static bool is_somewhere(const rung_world *world, const char *name)
{
    static const char usual[] = "/lib:/lib64:/usr/lib:/usr/lib64:/usr/lib32:/lib/x86_64-linux-gnu:"
                                "/usr/lib/x86_64-linux-gnu:/usr/lib/aarch64-linux-gnu:/usr/lib/i386-linux-gnu:"
                                "/usr/lib/arm-linux-gnueabihf";
    if (strchr(name, '/') != NULL)
        return rung_world_exists(world, name) == 0;
    const char *folders[] = {rung_world_env(world, "LD_LIBRARY_PATH"), usual};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *at = folders[i];
        while (at != NULL && *at != '\0') {
            char path[RUNG_PATH_MAX];
            rung_text file = rung_text_in(path, sizeof path);
            size_t len = strcspn(at, ":;");
            rung_text_addn(&file, at, len);
            rung_text_join(&file, (const char *const[]){"/", name, NULL});
            if (len > 0 && rung_world_exists(world, path) == 0)
                return true;
            at += len + (at[len] != '\0');
        }
    }
    return false;
}

static void write_path(const rung_world *world, const char *name, char path[RUNG_PATH_MAX])
{
    rung_text file = rung_text_in(path, RUNG_PATH_MAX);
    if (world->libraries != NULL)
        rung_text_join(&file, (const char *const[]){world->libraries, "/", base(name), NULL});
    else
        rung_text_add(&file, name);
}

bool rung_world_library_loaded(const rung_world *world, const char *name)
{
    char path[RUNG_PATH_MAX];
    if (world->no_libraries || !rung_has_loader())
        return false;
    write_path(world, name, path);
    int saved = errno;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (library != NULL)
        (void)dlclose(library);
    else
        (void)dlerror(); /* nobody else is to find it */
    errno = saved;
    return library != NULL;
}

void *rung_world_library(const rung_world *world, const char *name, rung_device_state *state, rung_text *detail)
{
    char path[RUNG_PATH_MAX];
    write_path(world, name, path);
    rung_text nowhere = {0};
    rung_text *say = detail == NULL ? &nowhere : detail;
    *state = RUNG_STATE_NOT_ASKED;
    if (world->no_libraries)
        return NULL;
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
        bool not_there = says_not_there(why, name);
        /* the folder of an imitated machine is nobody's business */
        size_t folder = world->libraries == NULL ? 0 : (size_t)(base(path) - path);
        if (!not_there || world->libraries != NULL || is_somewhere(world, name))
            *state = RUNG_STATE_LIBRARY_INVALID;
        if (not_there && *state == RUNG_STATE_LIBRARY_INVALID)
            rung_text_join(say, (const char *const[]){name, " is there, for another architecture", NULL});
        else
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
    if (address == NULL)
        (void)dlerror(); /* nobody else is to find it */
    memcpy(&function, &address, sizeof function);
    return function;
}
