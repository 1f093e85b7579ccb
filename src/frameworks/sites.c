/* SPDX-License-Identifier: Apache-2.0
 *
 * sites.c: the folders of packages, by Lib/site.py of CPython, and by the changes that Debian and Fedora make to it.
 */
#include "sites.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scan.h"

enum {
    PTH_FILES = 64,
    PTH_NAME = 96,
    PTH_TEXT = 8192,
    NAMES = 20000 /* names of a folder that are looked at */
};

static bool known(const rung_sites *sites, const char *folder)
{
    for (unsigned i = 0; i < sites->count; i++)
        if (strcmp(rung_site(sites, i), folder) == 0)
            return true;
    return false;
}

/* False when it is not there, or there is no more room. */
static bool add(const rung_world *world, rung_sites *out, const char *folder)
{
    size_t size = strlen(folder) + 1;
    if (known(out, folder) || out->count == RUNG_SITES_MAX || size > sizeof out->text - out->used ||
        !rung_path_is_folder(world, folder))
        return false;
    memcpy(out->text + out->used, folder, size);
    out->at[out->count++] = out->used;
    out->used += size;
    return true;
}

/* ---- .pth files -------------------------------------------------------------------------------------------------- */

typedef struct pth_names {
    unsigned count, seen;
    char name[PTH_FILES][PTH_NAME];
} pth_names;

static int see_name(const char *name, void *user)
{
    pth_names *found = user;
    size_t len = strlen(name);
    if (len > 4 && len < PTH_NAME && name[0] != '.' && strcmp(name + len - 4, ".pth") == 0)
        memcpy(found->name[found->count++], name, len + 1);
    return found->count == PTH_FILES || ++found->seen >= NAMES;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void add_named_by(const rung_world *world, rung_sites *out, const char *site, const char *name)
{
    char path[RUNG_PLACE_MAX], text[PTH_TEXT];
    if (!rung_path_of(path, RUNG_PARTS(site, "/", name)) || rung_world_read(world, path, text, sizeof text) < 0)
        return;
    const char *at = text;
    if (strncmp(at, "\xef\xbb\xbf", 3) == 0) /* the mark that some editors begin a file with */
        at += 3;
    rung_span line;
    while (rung_line_next(&at, &line)) {
        bool code = line.len >= 7 && strncmp(line.at, "import", 6) == 0 && (line.at[6] == ' ' || line.at[6] == '\t');
        char folder[RUNG_PLACE_MAX];
        if (!code && line.len > 0 && *line.at != '#' &&
            rung_span_copy((rung_span){line.at, rung_span_trim(line).len}, folder, sizeof folder) &&
            folder[0] != '\0' && rung_path_absolute(world, site, folder, path))
            (void)add(world, out, path);
    }
}

/* A folder of packages, and what its .pth files name. */
static void add_site(const rung_world *world, rung_sites *out, const char *folder)
{
    pth_names found;
    found.count = found.seen = 0;
    if (!add(world, out, folder) && !known(out, folder))
        return;
    (void)rung_world_list(world, folder, see_name, &found);
    qsort(found.name, found.count, sizeof *found.name, by_name);
    for (unsigned i = 0; i < found.count; i++)
        add_named_by(world, out, folder, found.name[i]);
}

static void add_parts(const rung_world *world, rung_sites *out, const char *const *parts)
{
    char folder[RUNG_PLACE_MAX];
    if (rung_path_of(folder, parts))
        add_site(world, out, folder);
}

/* ---- the kinds of folders ---------------------------------------------------------------------------------------- */

static void add_python_path(const rung_world *world, rung_sites *out)
{
    char folder[RUNG_PLACE_MAX];
    const char *at = rung_world_env(world, "PYTHONPATH");
    if (at != NULL && at[0] == '\0')
        return;
    while (rung_path_entry(world, &at, folder))
        if (folder[0] != '\0')
            (void)add(world, out, folder);
}

/* Debian's own Python keeps packages elsewhere; one that was built by hand on Debian does not. */
static bool is_debian(const rung_world *world, const char *prefix, const char *lib)
{
    return strcmp(prefix, "/usr") == 0 && strncmp(lib, "python3", 7) == 0 &&
           (rung_path_is_folder(world, "/usr/lib/python3/dist-packages") ||
            rung_path_there(world, RUNG_PARTS("/usr/lib/", lib, "/dist-packages")) ||
            rung_path_there(world, RUNG_PARTS("/usr/local/lib/", lib, "/dist-packages")));
}

/* lib64 and lib of a prefix, one of which is often a link to the other. */
static void add_site_packages(const rung_world *world, rung_sites *out, const char *prefix, const char *lib_name)
{
    char lib[RUNG_PLACE_MAX], lib64[RUNG_PLACE_MAX], path[RUNG_PLACE_MAX];
    bool has_64 = rung_path_of(path, RUNG_PARTS(prefix, "/lib64")) && rung_path_real(world, path, lib64);
    bool has_lib = rung_path_of(path, RUNG_PARTS(prefix, "/lib")) && rung_path_real(world, path, lib);
    if (has_64 && !(has_lib && strcmp(lib, lib64) == 0))
        add_parts(world, out, RUNG_PARTS(prefix, "/lib64/", lib_name, "/site-packages"));
    add_parts(world, out, RUNG_PARTS(prefix, "/lib/", lib_name, "/site-packages"));
}

/* Fedora, RHEL and openSUSE let pip write below /usr/local, and their Python in /usr looks there first, outside of
 * virtual environments (patch 00251 of their packages; fedoraproject.org/wiki/Changes/Making_sudo_pip_safe). */
static void add_prefix(const rung_world *world, rung_sites *out, const char *prefix, const rung_place *place)
{
    if (!is_debian(world, prefix, place->lib)) {
        if (strcmp(prefix, "/usr") == 0 && !place->venv)
            add_site_packages(world, out, "/usr/local", place->lib);
        add_site_packages(world, out, prefix, place->lib);
        return;
    }
    if (place->venv)
        add_parts(world, out, RUNG_PARTS(prefix, "/lib/", place->lib, "/site-packages"));
    add_parts(world, out, RUNG_PARTS(prefix, "/local/lib/", place->lib, "/dist-packages"));
    add_parts(world, out, RUNG_PARTS(prefix, "/lib/python3/dist-packages"));
    add_parts(world, out, RUNG_PARTS(prefix, "/lib/", place->lib, "/dist-packages"));
}

static void add_user(const rung_world *world, rung_sites *out, const rung_place *place)
{
    const char *off = rung_world_env(world, "PYTHONNOUSERSITE");
    const char *base = rung_world_env(world, "PYTHONUSERBASE");
    const char *home = rung_world_env(world, "HOME");
    bool other_rights = world->root[0] == '\0' && (getuid() != geteuid() || getgid() != getegid());
    if ((off != NULL && off[0] != '\0') || other_rights)
        return;
    bool own_base = base != NULL && base[0] != '\0';
    bool framework = strcmp(world->system, "macos") == 0 && strstr(place->base, "/Python.framework/") != NULL;
    char folder[RUNG_PLACE_MAX];
    if (!own_base && (home == NULL || home[0] == '\0'))
        return;
    if (own_base && !rung_path_absolute(world, NULL, base, folder))
        return;
    const char *digits = place->lib + strcspn(place->lib, "0123456789");
    if (framework && own_base)
        add_parts(world, out, RUNG_PARTS(folder, "/lib/python/site-packages"));
    else if (framework)
        add_parts(world, out, RUNG_PARTS(home, "/Library/Python/", digits, "/lib/python/site-packages"));
    else if (own_base)
        add_parts(world, out, RUNG_PARTS(folder, "/lib/", place->lib, "/site-packages"));
    else
        add_parts(world, out, RUNG_PARTS(home, "/.local/lib/", place->lib, "/site-packages"));
}

void rung_sites_find(const rung_world *world, const rung_place *place, rung_sites *out)
{
    out->count = 0;
    out->used = 0;
    add_python_path(world, out);
    if (place->venv)
        add_prefix(world, out, place->prefix, place);
    if (place->venv && !place->system_sites)
        return;
    add_user(world, out, place);
    add_prefix(world, out, place->base[0] != '\0' ? place->base : place->prefix, place);
}
