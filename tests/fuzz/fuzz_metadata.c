/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_metadata.c: the readers of what installers and builders write: headers, direct_url.json, the assignments of a
 * module, names of dists, build strings.
 */
#include "frameworks/direct_url.h"
#include "frameworks/part.h"
#include "frameworks/scan.h"
#include "fuzz.h"

static void headers(const char *text)
{
    static const char *const names[] = {"Name", "Version", "Requires-Dist", ""};
    char out[24];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (unsigned nth = 0; nth < 4; nth++) {
            memset(out, 'x', sizeof out);
            bool found = rung_header(text, names[i], nth, out, sizeof out);
            FUZZ_HOLDS(memchr(out, '\0', sizeof out) != NULL);
            FUZZ_HOLDS(strchr(out, '\n') == NULL && (found || out[0] == '\0'));
        }
}

static void assignments(const char *text)
{
    static const char *const names[] = {"cuda", "__version__", "_release_version"};
    char out[24], version[RUNG_VERSION_MAX];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        memset(out, 'x', sizeof out);
        rung_assigned found = rung_python_assigned(text, names[i], out, sizeof out);
        FUZZ_HOLDS(memchr(out, '\0', sizeof out) != NULL);
        FUZZ_HOLDS(found == RUNG_ASSIGNED_TEXT || found == RUNG_ASSIGNED_NONE || found == RUNG_ASSIGNED_NOT);
        FUZZ_HOLDS(found != RUNG_ASSIGNED_NOT || out[0] == '\0' || strstr(text, names[i]) != NULL);
        int same = 1;
        if (rung_module_version(text, names[i], version))
            FUZZ_HOLDS(rung_version_compare(version, version, &same) && same == 0);
    }
}

static void urls(const char *text)
{
    static rung_direct_url url;
    rung_direct_url_read(text, &url);
    FUZZ_HOLDS(memchr(url.path, '\0', sizeof url.path) != NULL);
    FUZZ_HOLDS(url.path[0] == '\0' || url.path[0] == '/');
    FUZZ_HOLDS(!url.editable || strstr(text, "true") != NULL);
}

static void names(const char *text)
{
    char once[40], twice[40], cuda[16];
    if (rung_dist_normalise(text, strlen(text), once, sizeof once)) {
        FUZZ_HOLDS(rung_dist_normalise(once, strlen(once), twice, sizeof twice) && strcmp(once, twice) == 0);
        FUZZ_HOLDS(strstr(once, "--") == NULL && strpbrk(once, "_.ABCXYZ") == NULL);
    }
    FUZZ_HOLDS(rung_build_cuda(text, "cuda", cuda) == (cuda[0] != '\0') || strlen(text) > 15);
    FUZZ_HOLDS(memchr(cuda, '\0', sizeof cuda) != NULL);
    rung_build_short(text, cuda);
    FUZZ_HOLDS(memchr(cuda, '\0', sizeof cuda) != NULL && strspn(cuda, "0123456789.") == strlen(cuda));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_part(&data, &size, '\0');
    headers(text);
    assignments(text);
    urls(text);
    names(text);
    free(text);
    return 0;
}
