/* SPDX-License-Identifier: Apache-2.0
 *
 * build.c: what a package was built for, from the words that builders put into versions and build strings.
 */
#include <string.h>

#include "part.h"
#include "scan.h"

bool rung_build_cuda(const char *build, const char *word, char out[16])
{
    size_t len = 0;
    out[0] = '\0';
    const char *at = strstr(build, word);
    if (at == NULL)
        return false;
    at += strlen(word);
    while (rung_is_digit(at[len]))
        len++;
    if (len == 0 || len > 4)
        return false;
    if (at[len] == '.' && rung_is_digit(at[len + 1])) {
        rung_build_short(at, out);
        return true;
    }
    /* the last digit is the minor version, but "12" is a major one and "92" was not */
    bool joined = len > 2 || (len == 2 && at[0] >= '5');
    rung_text t = rung_text_in(out, 16);
    rung_text_addn(&t, at, joined ? len - 1 : len);
    if (joined) {
        rung_text_add(&t, ".");
        rung_text_addn(&t, at + len - 1, 1);
    }
    return true;
}

void rung_build_short(const char *version, char out[16])
{
    size_t len = 0;
    for (unsigned dots = 0; rung_is_digit(version[len]) || (version[len] == '.' && dots == 0); len++)
        dots += version[len] == '.' ? 1 : 0;
    if (len > 0 && version[len - 1] == '.')
        len--;
    (void)rung_span_copy((rung_span){version, len}, out, 16);
}

/* ---- conda ------------------------------------------------------------------------------------------------------- */

typedef struct conda_search {
    const char *package;
    char *build;
    size_t size;
    unsigned seen;
    bool found;
} conda_search;

/* "pytorch-2.5.1-py3.12_cuda12.4_cudnn9.1.0_0.json": neither the version nor the build has a "-". */
static int see_record(const char *name, void *user)
{
    enum { NAMES = 20000 };
    conda_search *search = user;
    size_t len = strlen(name), head = strlen(search->package);
    if (len > head + 6 && strncmp(name, search->package, head) == 0 && name[head] == '-' &&
        rung_is_digit(name[head + 1]) && strcmp(name + len - 5, ".json") == 0) {
        rung_span version, rest = {name + head + 1, len - head - 6};
        search->found = rung_span_cut(&rest, '-', &version) && rung_span_copy(rest, search->build, search->size);
    }
    return search->found || ++search->seen >= NAMES;
}

bool rung_conda_build(const rung_install *install, const char *package, char *build, size_t size)
{
    conda_search search = {.package = package, .build = build, .size = size};
    char folder[RUNG_PLACE_MAX];
    build[0] = '\0';
    if (rung_path_of(folder, RUNG_PARTS(install->place->prefix, "/conda-meta")))
        (void)rung_world_list(install->world, folder, see_record, &search);
    return search.found;
}
