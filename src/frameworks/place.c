/* SPDX-License-Identifier: Apache-2.0
 *
 * place.c: from an interpreter to its Python, by the rules of CPython. A pyvenv.cfg one level up or beside, seen from
 * the path as it was given, makes a virtual environment, whatever is in it and whatever PYTHONHOME is (Lib/site.py,
 * venv). The installation is that of PYTHONHOME, else that of the file's `home`, else the first folder above the
 * interpreter itself that has the standard library (Modules/getpath.py).
 */
#include "place.h"

#include <string.h>

#include "scan.h"

enum {
    LEVELS = 32,   /* folders above an interpreter */
    NAMES = 20000, /* names of a folder that are looked at */
    LIB_MAX = sizeof((rung_place *)0)->lib
};

/* ---- names such as python3.11 ------------------------------------------------------------------------------------ */

typedef struct lib_name {
    char text[LIB_MAX]; /* "" for none */
    unsigned rank;      /* which of two is taken */
} lib_name;

/* What "python3.11", "python3.13t" or "pypy3.10" begins with. Of an interpreter, letters may follow that say how it was
 * built; of a folder, nothing may. */
static bool read_lib_name(const char *name, bool folder, lib_name *out)
{
    bool pypy = strncmp(name, "pypy", 4) == 0;
    const char *at = name + (pypy ? 4 : 6);
    if ((!pypy && strncmp(name, "python", 6) != 0) || !rung_is_digit(at[0]) || at[1] != '.' || !rung_is_digit(at[2]))
        return false;
    unsigned minor = 0, places = 0;
    for (at += 2; rung_is_digit(*at) && places < 3; at++, places++)
        minor = minor * 10 + (unsigned)(*at - '0');
    bool threads = *at == 't';
    at += threads ? 1 : 0;
    if (rung_is_digit(*at) || (folder && *at != '\0'))
        return false;
    out->rank = minor * 4 + (pypy ? 0 : 2) + (threads ? 0 : 1);
    return rung_span_copy((rung_span){name, (size_t)(at - name)}, out->text, sizeof out->text);
}

/* "3.11" of "python3.11t", and nothing else. */
static bool is_version(const char *lib, const char *version)
{
    const char *digits = lib + strcspn(lib, "0123456789");
    size_t len = strlen(version);
    return strncmp(digits, version, len) == 0 && (digits[len] == '\0' || digits[len] == 't');
}

/* ---- the standard library ---------------------------------------------------------------------------------------- */

static bool has_library(const rung_world *world, const char *prefix, const char *lib)
{
    return rung_path_there(world, RUNG_PARTS(prefix, "/lib/", lib, "/os.py")) ||
           rung_path_there(world, RUNG_PARTS(prefix, "/lib64/", lib, "/os.py")) ||
           rung_path_there(world, RUNG_PARTS(prefix, "/lib/", lib, "/os.pyc"));
}

typedef struct lib_search {
    const rung_world *world;
    const char *prefix, *version;
    bool venv; /* has no standard library of its own */
    unsigned seen;
    lib_name best;
} lib_search;

static int see_lib(const char *name, void *user)
{
    lib_search *search = user;
    lib_name found;
    if (read_lib_name(name, true, &found) && (search->best.text[0] == '\0' || found.rank > search->best.rank) &&
        (search->version[0] == '\0' || is_version(found.text, search->version)) &&
        (search->venv || has_library(search->world, search->prefix, found.text)))
        search->best = found;
    return ++search->seen >= NAMES;
}

/* The newest below lib and lib64 of a prefix, of this version unless that is "". */
static bool find_lib(const rung_world *world, const char *prefix, const char *version, bool venv, char lib[LIB_MAX])
{
    lib_search search = {.world = world, .prefix = prefix, .version = version, .venv = venv};
    char folder[RUNG_PLACE_MAX];
    if (rung_path_of(folder, RUNG_PARTS(prefix, "/lib")))
        (void)rung_world_list(world, folder, see_lib, &search);
    search.seen = 0;
    if (rung_path_of(folder, RUNG_PARTS(prefix, "/lib64")))
        (void)rung_world_list(world, folder, see_lib, &search);
    memcpy(lib, search.best.text, LIB_MAX);
    return lib[0] != '\0';
}

/* Of "/", whose lib may be a link to /usr/lib, the folder that has it in truth. */
static void leave_root(const rung_world *world, char *folder)
{
    char real[RUNG_PLACE_MAX];
    if (strcmp(folder, "/") == 0 && rung_path_real(world, "/lib", real) && rung_path_up(real))
        memcpy(folder, real, strlen(real) + 1);
}

/* The first folder from this one upwards that has a standard library: of this name, or of any when it is "". */
static bool search_up(const rung_world *world, char *folder, char lib[LIB_MAX])
{
    for (unsigned level = 0; level < LEVELS; level++) {
        leave_root(world, folder);
        if (lib[0] != '\0' ? has_library(world, folder, lib) : find_lib(world, folder, "", false, lib))
            return true;
        if (!rung_path_up(folder))
            return false;
    }
    return false;
}

/* ---- virtual environments ---------------------------------------------------------------------------------------- */

typedef struct venv_config {
    char home[RUNG_PLACE_MAX]; /* "" where it is not absolute: CPython does not follow it then */
    char version[16];          /* "3.11" */
    bool system_sites;
} venv_config;

static void take_version(rung_span value, char out[16])
{
    size_t len = 0;
    for (unsigned dots = 0; len < value.len && (rung_is_digit(value.at[len]) || value.at[len] == '.'); len++)
        if (value.at[len] == '.' && ++dots == 2)
            break;
    (void)rung_span_copy((rung_span){value.at, len}, out, 16);
}

/* False when there is no such file. A mark of byte order makes its first key another one, as it does for CPython. */
static bool read_config(const rung_world *world, const char *folder, venv_config *out)
{
    char path[RUNG_PLACE_MAX], text[4096];
    *out = (venv_config){.system_sites = true}; /* the default of site.py where the key is missing */
    if (!rung_path_of(path, RUNG_PARTS(folder, "/pyvenv.cfg")) || rung_world_read(world, path, text, sizeof text) < 0)
        return false;
    const char *at = text;
    rung_span value, key;
    bool has_home = false;
    while (rung_line_next(&at, &value)) {
        if (!rung_span_cut(&value, '=', &key))
            continue;
        key = rung_span_trim(key);
        value = rung_span_trim(value);
        if (rung_span_is(key, "home") && !has_home) {
            has_home = true; /* of several the first counts */
            (void)rung_span_copy(value.len > 0 && *value.at == '/' ? value : (rung_span){"", 0}, out->home,
                                 sizeof out->home);
        } else if (rung_span_is(key, "include-system-site-packages")) {
            out->system_sites = rung_span_is(value, "true");
        } else if (rung_span_is(key, "version") || rung_span_is(key, "version_info")) {
            take_version(value, out->version);
        }
    }
    return true;
}

/* ---- interpreters ------------------------------------------------------------------------------------------------ */

static bool is_python_name(const char *name)
{
    return strncmp(name, "python", 6) == 0 || strncmp(name, "pypy", 4) == 0;
}

static bool say_why(rung_place *out, const char *const *parts)
{
    rung_text why = rung_text_in(out->why, sizeof out->why);
    rung_text_join(&why, parts);
    return false;
}

/* The folder that PYTHONHOME sets in place of every other, "" when it is not set. */
static void python_home(const rung_world *world, char out[RUNG_PLACE_MAX])
{
    const char *home = rung_world_env(world, "PYTHONHOME");
    if (home == NULL || !rung_span_copy((rung_span){home, strcspn(home, ":")}, out, RUNG_PLACE_MAX))
        out[0] = '\0';
}

/* Fills base, and lib where the interpreter's name did not tell it, for one that is in no virtual environment, or for
 * what one is made from. `home` is what its pyvenv.cfg says, or "". */
static bool find_base(const rung_world *world, const char *home, const char *real, char lib[LIB_MAX],
                      char base[RUNG_PLACE_MAX])
{
    char wanted[LIB_MAX];
    memcpy(wanted, lib, sizeof wanted);
    if (home[0] != '\0' && rung_path_of(base, RUNG_PARTS(home)) && search_up(world, base, lib))
        return true;
    memcpy(lib, wanted, sizeof wanted);
    if (rung_path_of(base, RUNG_PARTS(real)) && rung_path_up(base) && search_up(world, base, lib))
        return true;
    base[0] = '\0';
    return false;
}

/* The virtual environment in out->prefix; `lib` is that of its installation, or "". */
static bool in_venv(const rung_world *world, const venv_config *config, const char *lib, rung_place *out)
{
    out->venv = true;
    out->system_sites = config->system_sites;
    if (out->lib[0] != '\0' || find_lib(world, out->prefix, config->version, true, out->lib))
        return true;
    if (config->version[0] != '\0') {
        rung_text name = rung_text_in(out->lib, sizeof out->lib);
        rung_text_join(&name, RUNG_PARTS("python", config->version));
        return true;
    }
    memcpy(out->lib, lib, sizeof out->lib);
    return lib[0] != '\0' || say_why(out, RUNG_PARTS(out->prefix, " does not tell its version"));
}

/* Whether the interpreter is a virtual environment's, whose folder is then out->prefix. */
static bool find_venv(const rung_world *world, const char *path, venv_config *config, rung_place *out)
{
    char folder[RUNG_PLACE_MAX];
    if (!rung_path_of(folder, RUNG_PARTS(path)) || !rung_path_up(folder) ||
        !rung_path_of(out->prefix, RUNG_PARTS(folder)))
        return false;
    return (rung_path_up(out->prefix) && read_config(world, out->prefix, config)) ||
           (read_config(world, folder, config) && rung_path_of(out->prefix, RUNG_PARTS(folder)));
}

bool rung_place_of_interpreter(const rung_world *world, const char *path, rung_place *out)
{
    char real[RUNG_PLACE_MAX];
    *out = (rung_place){.venv = false};
    if (!rung_path_real(world, path, real) || !rung_path_is_file(world, real))
        return say_why(out, RUNG_PARTS("there is no file ", path));
    if (!is_python_name(rung_path_base(path)) && !is_python_name(rung_path_base(real)))
        return say_why(out, RUNG_PARTS(path, " is no Python by its name"));
    lib_name name = {.text = ""};
    if (read_lib_name(rung_path_base(real), false, &name) || read_lib_name(rung_path_base(path), false, &name))
        memcpy(out->lib, name.text, sizeof out->lib);
    venv_config config = {.home = ""};
    bool venv = find_venv(world, path, &config, out);
    char lib[LIB_MAX];
    memcpy(lib, out->lib, sizeof lib);
    python_home(world, out->base);
    if (out->base[0] != '\0') { /* without its library no interpreter starts */
        if (lib[0] != '\0' ? !has_library(world, out->base, lib) : !find_lib(world, out->base, "", false, lib))
            return say_why(out, RUNG_PARTS("PYTHONHOME names ", out->base, ", which has no Python library"));
    } else if (!find_base(world, config.home, real, lib, out->base) && !venv) {
        return say_why(out, RUNG_PARTS("no Python library belongs to ", path));
    }
    if (venv)
        return in_venv(world, &config, lib, out);
    memcpy(out->lib, lib, sizeof out->lib);
    memcpy(out->prefix, out->base, sizeof out->prefix);
    return true;
}

bool rung_place_of_folder(const rung_world *world, const char *folder, rung_place *out)
{
    static const char *const names[] = {"/bin/python3", "/bin/python", "/bin/pypy3"};
    char path[RUNG_PLACE_MAX], real[RUNG_PLACE_MAX];
    *out = (rung_place){.venv = false};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (rung_path_of(path, RUNG_PARTS(folder, names[i])) && rung_path_real(world, path, real))
            return rung_place_of_interpreter(world, path, out);
    return say_why(out, RUNG_PARTS(folder, " has no bin/python3"));
}
