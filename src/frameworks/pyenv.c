/* SPDX-License-Identifier: Apache-2.0
 *
 * pyenv.c: which of its Pythons pyenv starts, by the rules of its programs pyenv-version-name, pyenv-version-file,
 * pyenv-latest and pyenv-which: PYENV_VERSION, the next .python-version upwards, the file `version` of its own folder;
 * each may name several, of which the first that is installed counts.
 */
#include <string.h>

#include "place.h"
#include "rung/frameworks.h"
#include "scan.h"

enum { LEVELS = 64, NAMES = 4096, VERSION_MAX = 128 };

bool rung_pyenv_is_shim(const char *text)
{
    return strncmp(text, "#!", 2) == 0 && strstr(text, "pyenv") != NULL && strstr(text, " exec ") != NULL;
}

/* The folder that the shim itself exports; else PYENV_ROOT, else ~/.pyenv. */
static bool find_root(const rung_world *world, const char *shim, char out[RUNG_PLACE_MAX])
{
    rung_span line, value, key;
    while (rung_line_next(&shim, &line)) {
        value = rung_span_trim(line);
        if (rung_span_cut(&value, '=', &key) && rung_span_is(rung_span_trim(key), "export PYENV_ROOT")) {
            if (value.len >= 2 && *value.at == '"' && value.at[value.len - 1] == '"')
                value = (rung_span){value.at + 1, value.len - 2};
            return rung_span_copy(value, out, RUNG_PLACE_MAX) && out[0] == '/';
        }
    }
    const char *root = rung_world_env(world, "PYENV_ROOT");
    const char *home = rung_world_env(world, "HOME");
    if (root != NULL && root[0] == '/')
        return rung_path_of(out, RUNG_PARTS(root));
    return home != NULL && rung_path_of(out, RUNG_PARTS(home, "/.pyenv"));
}

/* ---- one version ------------------------------------------------------------------------------------------------- */

typedef struct latest {
    const char *wanted; /* "3.11" */
    char best[VERSION_MAX];
    unsigned seen;
} latest;

static int see_version(const char *name, void *user)
{
    latest *search = user;
    size_t len = strlen(search->wanted);
    int order = 0;
    if (strncmp(name, search->wanted, len) == 0 && name[len] == '.' && strspn(name, "0123456789.") == strlen(name) &&
        rung_version_compare(name, search->best[0] == '\0' ? "0" : search->best, &order) && order > 0)
        (void)rung_span_copy((rung_span){name, strlen(name)}, search->best, sizeof search->best);
    return ++search->seen >= NAMES;
}

/* pyenv does not let a version name what lies outside of its folder. */
static bool is_safe(const char *version)
{
    return version[0] != '\0' && version[0] != '/' && strstr(version, "..") == NULL;
}

static bool interpreter_of(const rung_world *world, const char *root, const char *version, char out[RUNG_PLACE_MAX])
{
    if (!is_safe(version))
        return false;
    if (!rung_path_there(world, RUNG_PARTS(root, "/versions/", version)) && strncmp(version, "python-", 7) == 0)
        version += 7;
    latest search = {.wanted = version};
    if (!rung_path_there(world, RUNG_PARTS(root, "/versions/", version))) {
        if (!rung_path_of(out, RUNG_PARTS(root, "/versions")))
            return false;
        (void)rung_world_list(world, out, see_version, &search);
        if (search.best[0] == '\0')
            return false;
        version = search.best;
    }
    char real[RUNG_PLACE_MAX];
    return (rung_path_of(out, RUNG_PARTS(root, "/versions/", version, "/bin/python3")) &&
            rung_path_real(world, out, real)) ||
           (rung_path_of(out, RUNG_PARTS(root, "/versions/", version, "/bin/python")) &&
            rung_path_real(world, out, real));
}

/* ---- the versions that are asked for ----------------------------------------------------------------------------- */

/* Reads the words that its lines begin with, separated by colons. */
static bool read_versions(const rung_world *world, const char *path, char *out, size_t size)
{
    char text[1024];
    if (!rung_path_is_file(world, path) || rung_world_read(world, path, text, sizeof text) < 0)
        return false;
    rung_text versions = rung_text_in(out, size);
    const char *at = text;
    rung_span line;
    while (rung_line_next(&at, &line)) {
        line = rung_span_trim(line);
        size_t word = 0;
        while (word < line.len && !rung_is_blank(line.at[word]))
            word++;
        if (word == 0 || *line.at == '#')
            continue;
        rung_text_add(&versions, versions.len > 0 ? ":" : "");
        rung_text_addn(&versions, line.at, word);
    }
    return true;
}

/* The word for what chose them. */
static const char *find_versions(const rung_world *world, const char *root, char *out, size_t size)
{
    const char *set = rung_world_env(world, "PYENV_VERSION");
    if (set != NULL && set[0] != '\0' && rung_span_copy((rung_span){set, strlen(set)}, out, size))
        return "pyenv, PYENV_VERSION";
    char folder[RUNG_PLACE_MAX], path[RUNG_PLACE_MAX];
    const char *from = rung_world_env(world, "PYENV_DIR");
    bool more = rung_path_absolute(world, NULL, from == NULL || from[0] == '\0' ? "." : from, folder);
    for (unsigned level = 0; more && level < LEVELS; level++) {
        if (rung_path_of(path, RUNG_PARTS(folder, "/.python-version")) && read_versions(world, path, out, size))
            return "pyenv, .python-version";
        more = rung_path_up(folder);
    }
    if (!rung_path_of(path, RUNG_PARTS(root, "/version")) || !read_versions(world, path, out, size))
        out[0] = '\0';
    return "pyenv, its file version";
}

bool rung_pyenv_interpreter(const rung_world *world, const char *shim, char out[RUNG_PLACE_MAX], const char **how)
{
    char root[RUNG_PLACE_MAX], versions[1024], version[VERSION_MAX];
    if (!find_root(world, shim, root))
        return false;
    *how = find_versions(world, root, versions, sizeof versions);
    for (const char *at = versions; *at != '\0';) {
        size_t len = strcspn(at, ":");
        bool fits = rung_span_copy((rung_span){at, len}, version, sizeof version);
        at += len + (at[len] == ':' ? 1 : 0);
        if (!fits)
            continue;
        if (strcmp(version, "system") == 0)
            return false;
        if (interpreter_of(world, root, version, out))
            return true;
    }
    return false;
}
