/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_python_tree.c: a machine with a virtual environment whose files the input fills, each up to a byte 0xff.
 * Whatever is in them, the answer is a whole one, and the same when it is asked for again.
 */
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frameworks/frameworks.h"
#include "fuzz.h"

#define SITE "/env/lib/python3.11/site-packages"

static const char *const files[] = {
    "/env/pyvenv.cfg",
    "/home/.python-version",
    SITE "/a.pth",
    SITE "/torch-2.1.dist-info/METADATA",
    SITE "/torch/version.py",
    SITE "/jax-1.dist-info/METADATA",
    SITE "/jax/version.py",
    SITE "/jaxlib/version.py",
    SITE "/numpy-1.dist-info/direct_url.json",
    SITE "/numpy-1.dist-info/METADATA",
    SITE "/jax_cuda12_plugin-1.dist-info/METADATA",
    SITE "/tensorflow/python/platform/build_info.py",
    "/pyenv/shims/python3",
};
static const char *const empty[] = {
    "/env/bin/python3",
    "/usr/bin/python3.11",
    "/usr/lib/python3.11/os.py",
    "/usr/lib/python3.11/site-packages/",
    SITE "/torch/__init__.py",
    SITE "/jax/__init__.py",
    SITE "/jaxlib/__init__.py",
    SITE "/tensorflow/__init__.py",
    SITE "/tensorflow/python/__init__.py",
    SITE "/jax_cuda12_plugin/",
    "/pyenv/versions/3.11.2/bin/python3.11",
    "/pyenv/versions/3.11.2/lib/python3.11/os.py",
};

enum { FILES = sizeof files / sizeof *files, EMPTY = sizeof empty / sizeof *empty, PATH = 1024 };
static char root[PATH];
static int descriptors[FILES];

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *at)
{
    (void)about;
    (void)type;
    (void)at;
    return remove(path);
}

static void clean(void)
{
    (void)nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Makes the folders above it, and it unless it is one itself. Returns its descriptor, or -1. */
static int make(const char *name)
{
    char path[PATH + 128];
    (void)snprintf(path, sizeof path, "%s%s", root, name);
    for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        (void)mkdir(path, 0700);
        *at = '/';
    }
    if (path[strlen(path) - 1] == '/')
        return -1;
    int fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0700);
    FUZZ_HOLDS(fd < 0 || fchmod(fd, 0755) == 0); /* who may run it is seen by the bits of others */
    return fd;
}

static void begin(void)
{
    FUZZ_HOLDS(getcwd(root, sizeof root - 32) != NULL);
    (void)strcat(root, "/tree-XXXXXX");
    FUZZ_HOLDS(mkdtemp(root) != NULL && atexit(clean) == 0);
    for (size_t i = 0; i < EMPTY; i++) {
        int fd = make(empty[i]);
        if (fd >= 0)
            (void)close(fd);
    }
    for (size_t i = 0; i < FILES; i++) {
        descriptors[i] = make(files[i]);
        FUZZ_HOLDS(descriptors[i] >= 0);
    }
}

static void fill(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < FILES; i++) {
        char *text = fuzz_part(&data, &size, 0xff);
        size_t len = strlen(text);
        FUZZ_HOLDS(pwrite(descriptors[i], text, len, 0) == (ssize_t)len && ftruncate(descriptors[i], (off_t)len) == 0);
        free(text);
    }
}

static void check(const rung_world *world, const char *python)
{
    static rung_python found, again;
    rung_python_detect_in(world, python, &found);
    rung_python_detect_in(world, python, &again);
    FUZZ_HOLDS(memcmp(&found, &again, sizeof found) == 0);
    FUZZ_HOLDS(memchr(found.prefix, '\0', sizeof found.prefix) != NULL);
    for (int i = 0; i < RUNG_FRAMEWORKS; i++) {
        const rung_framework *f = &found.framework[i];
        int same = 1;
        FUZZ_HOLDS((unsigned)f->state < RUNG_FRAMEWORK_STATE_COUNT);
        FUZZ_HOLDS((found.prefix[0] == '\0') == (f->state == RUNG_FRAMEWORK_NO_PYTHON));
        FUZZ_HOLDS((f->built != 0) == (f->state == RUNG_FRAMEWORK_INSTALLED));
        FUZZ_HOLDS(f->state != RUNG_FRAMEWORK_INSTALLED ||
                   (rung_version_compare(f->version, f->version, &same) && same == 0));
        FUZZ_HOLDS(memchr(f->detail, '\0', sizeof f->detail) != NULL && memchr(f->path, '\0', sizeof f->path) != NULL);
        FUZZ_HOLDS(memchr(f->plugins, '\0', sizeof f->plugins) != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const environment[] = {"PATH=/pyenv/shims:/usr/bin", "PWD=/home", "HOME=/home",
                                              "PYENV_ROOT=/pyenv", NULL};
    if (root[0] == '\0')
        begin();
    fill(data, size);
    rung_world world = rung_this_world();
    world.root = root;
    world.environment = environment;
    check(&world, "/env");
    check(&world, NULL);
    return 0;
}
