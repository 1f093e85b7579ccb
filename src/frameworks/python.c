/* SPDX-License-Identifier: Apache-2.0
 *
 * python.c: which Python a user of this environment gets: the one named; else that of VIRTUAL_ENV, of CONDA_PREFIX, of
 * the project's own environment, and the first python3 on PATH. A variable that names none, as one that is left over
 * does, is passed over, and found_by says so.
 */
#include <string.h>

#include "place.h"

enum { TEXT = 1024 }; /* bytes that tell what a script is */

/* The beginning of a script; "" of anything else. */
static void read_script(const rung_world *world, const char *path, char text[TEXT])
{
    if (rung_world_read(world, path, text, TEXT) < 2 || strncmp(text, "#!", 2) != 0)
        text[0] = '\0';
}

/* ---- PATH -------------------------------------------------------------------------------------------------------- */

/* The names that are looked for on PATH, and how one is found: plainly, or past what could not be followed. */
typedef struct sought {
    const char *name, *plain, *past_pyenv, *past_script;
} sought;
static const sought python3 = {"python3", "python3 on PATH", "python3 on PATH, past pyenv",
                               "python3 on PATH, past a script"};
static const sought python_alone = {"python", "python on PATH", "python on PATH, past pyenv",
                                    "python on PATH, past a script"};

/* Sets *how. False when there is none of this name. */
static bool on_path(const rung_world *world, const sought *one, rung_place *out, const char **how)
{
    char folder[RUNG_PLACE_MAX], path[RUNG_PLACE_MAX], real[RUNG_PLACE_MAX], text[TEXT];
    const char *at = rung_world_env(world, "PATH");
    bool no_shims = false;
    *how = one->plain;
    if (at != NULL && at[0] == '\0')
        return false;
    while (rung_path_entry(world, &at, folder)) {
        if (folder[0] == '\0' || !rung_path_of(path, RUNG_PARTS(folder, "/", one->name)) ||
            !rung_path_real(world, path, real) || !rung_path_is_file(world, real) ||
            rung_world_may_run(world, real) != 0)
            continue;
        read_script(world, real, text);
        if (rung_pyenv_is_shim(text)) {
            const char *chosen_by = "";
            if (!no_shims && rung_pyenv_interpreter(world, text, real, &chosen_by) &&
                rung_place_of_interpreter(world, real, out)) {
                *how = chosen_by;
                return true;
            }
            no_shims = true;
            *how = one->past_pyenv;
        } else if (text[0] != '\0') {
            *how = one->past_script;
        } else if (rung_place_of_interpreter(world, path, out)) {
            return true;
        }
    }
    return false;
}

/* ---- the order --------------------------------------------------------------------------------------------------- */

/* Variables that name an environment; NULL is the project's own. */
static const char *const sources[] = {"VIRTUAL_ENV", "CONDA_PREFIX", "UV_PROJECT_ENVIRONMENT", NULL};
static const char own[] = ".venv";

/* A variable names the folder of an environment: one that is left over must not be taken for an installation. */
static bool of_source(const rung_world *world, const char *folder, rung_place *out)
{
    char path[RUNG_PLACE_MAX], real[RUNG_PLACE_MAX], wanted[RUNG_PLACE_MAX];
    return rung_path_absolute(world, NULL, folder, path) && rung_place_of_folder(world, path, out) &&
           rung_path_real(world, out->prefix, real) && rung_path_real(world, path, wanted) && strcmp(real, wanted) == 0;
}

static bool find_usual(const rung_world *world, rung_place *out)
{
    char passed[sizeof out->found_by];
    rung_text past = rung_text_in(passed, sizeof passed);
    const char *how = NULL;
    for (size_t i = 0; how == NULL && i < sizeof sources / sizeof *sources; i++) {
        const char *variable = sources[i];
        const char *folder = variable == NULL ? own : rung_world_env(world, variable);
        if (folder == NULL || folder[0] == '\0')
            continue;
        if (of_source(world, folder, out))
            how = variable == NULL ? own : variable;
        else if (variable != NULL)
            rung_text_join(&past, RUNG_PARTS("; ", variable, " names none"));
    }
    if (how == NULL && !on_path(world, &python3, out, &how)) {
        const char *also;
        if (!on_path(world, &python_alone, out, &also))
            how = NULL;
        else if (how == python3.plain) /* else what was passed over is the thing to tell */
            how = also;
    }
    if (how == NULL) {
        *out = (rung_place){.venv = false};
        rung_text why = rung_text_in(out->why, sizeof out->why);
        rung_text_join(&why, RUNG_PARTS("no environment is active, and there is no python3 on PATH", passed));
        return false;
    }
    rung_text by = rung_text_in(out->found_by, sizeof out->found_by);
    rung_text_join(&by, RUNG_PARTS(how, passed));
    return true;
}

static bool find_named(const rung_world *world, const char *python, rung_place *out)
{
    char path[RUNG_PLACE_MAX], real[RUNG_PLACE_MAX], text[TEXT] = "";
    *out = (rung_place){.venv = false};
    rung_text why = rung_text_in(out->why, sizeof out->why);
    if (strlen(python) >= sizeof path) {
        rung_text_add(&why, "it is longer than the 1,023 bytes that a path may have");
        return false;
    }
    if (python[0] == '\0' || !rung_path_absolute(world, NULL, python, path)) {
        rung_text_join(&why, RUNG_PARTS("\"", python, "\" is no path"));
        return false;
    }
    bool found;
    if (rung_path_is_folder(world, path)) {
        found = rung_place_of_folder(world, path, out);
    } else {
        const char *how;
        if (rung_path_real(world, path, real))
            read_script(world, real, text);
        if (rung_pyenv_is_shim(text) && !rung_pyenv_interpreter(world, text, path, &how)) {
            rung_text_join(&why, RUNG_PARTS(python, " is a script of pyenv, which has none chosen"));
            return false;
        }
        if (text[0] != '\0' && !rung_pyenv_is_shim(text)) {
            rung_text_join(&why,
                           RUNG_PARTS(python, " is a script: name the interpreter or the environment that it starts"));
            return false;
        }
        found = rung_place_of_interpreter(world, path, out);
    }
    rung_text by = rung_text_in(out->found_by, sizeof out->found_by);
    rung_text_add(&by, found ? "--python" : "");
    return found;
}

bool rung_place_find(const rung_world *world, const char *python, rung_place *out)
{
    bool found = python == NULL ? find_usual(world, out) : find_named(world, python, out);
    if (!found) {
        out->prefix[0] = '\0';
        out->found_by[0] = '\0';
    }
    return found;
}
