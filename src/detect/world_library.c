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

/* The loader's words for a file that is not there, or may not be read, end with the system's, in the language of the
 * program, and begin with the name that was asked for; a library that lacks another one is told by the other one's
 * name. */
static bool says(const char *why, int error)
{
    return strstr(why, strerror(error)) != NULL; /* NOLINT(concurrency-mt-unsafe) */
}

static bool says_not_there(const char *why, const char *name)
{
    return strstr(why, name) != NULL && (says(why, ENOENT) || says(why, EACCES));
}

/* What has nothing to do with the library. */
static bool says_no_room(const char *why)
{
    return says(why, EMFILE) || says(why, ENFILE) || says(why, ENOMEM);
}

/* ---- a file that was passed over --------------------------------------------------------------------------------- */

/* Of an ELF file: e_ident and e_machine, as System V's gABI has them. */
enum { MAGIC = 4, CLASS = 4, DATA = 5, MACHINE = 18, HEADER = 20 };

static unsigned own_machine(void)
{
#if defined(__x86_64__)
    return 62;
#elif defined(__i386__)
    return 3;
#elif defined(__aarch64__)
    return 183;
#elif defined(__arm__)
    return 40;
#elif defined(__riscv)
    return 243;
#elif defined(__powerpc64__)
    return 21;
#elif defined(__s390x__)
    return 22;
#elif defined(__loongarch__)
    return 258;
#else
    return 0; /* not known */
#endif
}

/* Whether this process could load a file that begins so. */
static bool is_ours(const unsigned char *header)
{
    const uint16_t one = 1;
    bool little = *(const unsigned char *)&one == 1;
    unsigned first = header[MACHINE];
    unsigned second = header[MACHINE + 1];
    unsigned machine = little ? first | second << 8 : first << 8 | second;
    return header[CLASS] == (sizeof(void *) == 8 ? 2 : 1) && header[DATA] == (little ? 1 : 2) &&
           (own_machine() == 0 || machine == own_machine());
}

/* The loader passes over files of other architectures, and over those that it may not read, without a word. */
static rung_device_state judge_file(const rung_world *world, const char *path, const char *name, rung_text *say)
{
    char text[HEADER + 1];
    long len = rung_world_read(world, path, text, sizeof text);
    bool elf = len == HEADER && memcmp(text, "\177ELF", MAGIC) == 0;
    if (len >= 0 && !(elf && is_ours((const unsigned char *)text))) {
        rung_text_join(say, (const char *const[]){name, " is there, ",
                                                  elf ? "for another architecture" : "and is no library", NULL});
        return RUNG_STATE_LIBRARY_INVALID;
    }
    size_t folder = (size_t)(base(path) - path);
    rung_text_join(say, (const char *const[]){name, " is in ", NULL});
    rung_text_addn(say, path, folder > 1 ? folder - 1 : 1);
    rung_text_add(say, len < 0 ? ", and cannot be read" : ", where this process's loader does not look");
    return RUNG_STATE_NO_LIBRARY;
}

/* A file of this name where the loader looks: LD_LIBRARY_PATH may have changed since it read that, when the program
 * started. */
static bool find_file(const rung_world *world, const char *name, char path[RUNG_PATH_MAX])
{
    static const char usual[] = "/lib:/lib64:/usr/lib:/usr/lib64:/usr/lib32:/lib/x86_64-linux-gnu:"
                                "/usr/lib/x86_64-linux-gnu:/usr/lib/aarch64-linux-gnu:/usr/lib/i386-linux-gnu:"
                                "/usr/lib/arm-linux-gnueabihf";
    rung_text whole = rung_text_in(path, RUNG_PATH_MAX);
    if (strchr(name, '/') != NULL) {
        rung_text_add(&whole, name);
        return rung_world_exists(world, path) == 0;
    }
    const char *folders[] = {rung_world_env(world, "LD_LIBRARY_PATH"), usual};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *at = folders[i];
        while (at != NULL && *at != '\0') {
            rung_text file = rung_text_in(path, RUNG_PATH_MAX);
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

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* Why the loader has no library at this path, after its own words. */
static rung_device_state why_not(const rung_world *world, const char *name, const char *path, const char *why,
                                 rung_text *say)
{
    char found[RUNG_PATH_MAX];
    bool imitated = world->libraries != NULL;
    if (says_no_room(why) || !says_not_there(why, name)) {
        /* the folder of an imitated machine is nobody's business */
        size_t folder = imitated ? (size_t)(base(path) - path) : 0;
        rung_text_add(say, strncmp(why, path, folder) == 0 ? why + folder : why);
        return says_no_room(why) ? RUNG_STATE_FAILED : RUNG_STATE_LIBRARY_INVALID;
    }
    if (imitated) { /* it is there, or nobody would have asked the loader */
        rung_world here = *world;
        here.root = "";
        return judge_file(&here, path, name, say);
    }
    if (find_file(world, name, found))
        return judge_file(world, found, name, say);
    rung_text_add(say, why);
    return RUNG_STATE_NO_LIBRARY;
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
        *state = why_not(world, name, path, why, say);
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
