/* SPDX-License-Identifier: Apache-2.0
 *
 * dists.c: finding dists by the names of their folders, and reading the headers that tell their names and versions
 * (packaging.python.org/en/latest/specifications: recording installed packages, core metadata, name normalisation).
 */
#include "dists.h"

#include <string.h>

#include "scan.h"
#include "version.h"

enum {
    HEADERS = 4096, /* bytes in which a name and a version must come */
    NAMES = 20000   /* names of a folder that are looked at */
};

/* ---- names ------------------------------------------------------------------------------------------------------- */

bool rung_dist_normalise(const char *name, size_t len, char *out, size_t size)
{
    size_t at = 0;
    for (size_t i = 0; i < len; i++) {
        bool run = rung_is_separator(name[i]);
        if (run && i > 0 && rung_is_separator(name[i - 1]))
            continue;
        if (at + 1 >= size) {
            at = 0;
            break;
        }
        out[at++] = run ? '-' : rung_lower(name[i]);
    }
    out[at] = '\0';
    return at > 0;
}

static bool ends(const char *name, const char *with)
{
    size_t len = strlen(name), tail = strlen(with);
    return len >= tail && strcmp(name + len - tail, with) == 0;
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* Whether a normalised name is one that a framework's file asks for. */
static bool of_interest(const char *name)
{
    static const char *const all[] = {"torch",
                                      "numpy",
                                      "jax",
                                      "jaxlib",
                                      "libtpu",
                                      "libtpu-nightly",
                                      "jax-metal",
                                      "tensorflow",
                                      "tf-nightly",
                                      "tensorflow-cpu",
                                      "tensorflow-gpu",
                                      "tensorflow-rocm",
                                      "tf-nightly-cpu",
                                      "tensorflow-metal",
                                      "tensorflow-macos",
                                      "tensorflow-intel",
                                      "tensorflow-cpu-aws",
                                      "intel-tensorflow"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i], name) == 0)
            return true;
    return (begins(name, "jax-cuda") || begins(name, "jax-rocm") || begins(name, "jax-oneapi")) &&
           (ends(name, "-plugin") || ends(name, "-pjrt"));
}

/* The part of "torch-2.1.0-py3.11" before its version. */
static size_t name_length(const char *stem, size_t len)
{
    for (size_t i = 1; i + 1 < len; i++)
        if (stem[i] == '-' && rung_is_digit(stem[i + 1]))
            return i;
    return len;
}

/* ---- headers ----------------------------------------------------------------------------------------------------- */

bool rung_header(const char *metadata, const char *name, unsigned nth, char *out, size_t size)
{
    rung_span line, key;
    out[0] = '\0';
    if (begins(metadata, "\xef\xbb\xbf"))
        metadata += 3;
    while (rung_line_next(&metadata, &line) && rung_span_trim(line).len > 0) {
        if (rung_is_blank(*line.at)) /* goes on with the header before */
            continue;
        if (rung_span_cut(&line, ':', &key) && rung_span_is(key, name) && nth-- == 0) {
            line = rung_span_trim(line);
            return rung_span_copy((rung_span){line.at, line.len < size ? line.len : size - 1}, out, size);
        }
    }
    return false;
}

long rung_dist_read(const rung_install *install, const rung_dist *dist, const char *file, char *text, size_t size)
{
    char path[RUNG_PLACE_MAX];
    text[0] = '\0';
    if (!rung_path_of(path, RUNG_PARTS(rung_site(install->sites, dist->site), "/", dist->entry, dist->folder ? "/" : "",
                                       dist->folder ? file : "")))
        return -1;
    return rung_world_read(install->world, path, text, size);
}

static void read_headers(const rung_install *install, rung_dist *dist)
{
    char text[HEADERS], name[256], normal[sizeof dist->name];
    rung_version parts;
    long got = rung_dist_read(install, dist, "METADATA", text, sizeof text);
    if (got < 0)
        got = rung_dist_read(install, dist, "PKG-INFO", text, sizeof text);
    if (got < 0) {
        dist->kind = RUNG_DIST_EMPTY;
        return;
    }
    dist->kind = RUNG_DIST_UNREADABLE;
    if (rung_header(text, "Name", 0, name, sizeof name) &&
        rung_dist_normalise(name, strlen(name), normal, sizeof normal) && strcmp(normal, dist->name) == 0 &&
        rung_header(text, "Version", 0, name, sizeof name) && rung_version_parse(name, &parts) &&
        rung_span_copy((rung_span){name, strlen(name)}, dist->version, sizeof dist->version))
        dist->kind = RUNG_DIST_READ;
}

/* ---- finding them ------------------------------------------------------------------------------------------------ */

typedef struct search {
    rung_install *install;
    unsigned site, seen;
} search;

/* Whether a name without its first letter is that of a framework's dist, which is then copied whole. */
static bool left_over(const char *name, size_t len, char *out, size_t size)
{
    static const char *const all[] = {"torch", "numpy", "jax", "jaxlib", "tensorflow"};
    char rest[40];
    if (!rung_dist_normalise(name, len, rest, sizeof rest))
        return false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i] + 1, rest) == 0)
            return rung_span_copy((rung_span){all[i], strlen(all[i])}, out, size);
    return false;
}

static int see_entry(const char *entry, void *user)
{
    static const char *const suffixes[] = {".dist-info", ".egg-info", ".egg-link"};
    search *in = user;
    rung_install *install = in->install;
    rung_dist dist = {.site = in->site};
    size_t len = strlen(entry), stem = len;
    int suffix = -1;
    for (int i = 0; i < 3 && suffix < 0; i++)
        suffix = ends(entry, suffixes[i]) ? i : -1;
    if (suffix >= 0)
        stem -= strlen(suffixes[suffix]);
    bool matches = false;
    if (len >= sizeof dist.entry)
        matches = false;
    else if (entry[0] == '~')
        matches = left_over(entry + 1, name_length(entry + 1, stem - 1), dist.name, sizeof dist.name);
    else if (suffix >= 0)
        matches =
            rung_dist_normalise(entry, name_length(entry, stem), dist.name, sizeof dist.name) && of_interest(dist.name);
    if (matches) {
        memcpy(dist.entry, entry, len + 1);
        dist.kind = entry[0] == '~' ? RUNG_DIST_LEFT_OVER : suffix == 2 ? RUNG_DIST_LINK : RUNG_DIST_EMPTY;
        install->dist[install->count++] = dist;
    }
    return install->count == RUNG_DISTS_MAX || ++in->seen >= NAMES;
}

/* An egg that is a folder of its own, "torch-1.0-py3.6.egg": its metadata are in EGG-INFO. */
static void see_egg(rung_install *install, unsigned site)
{
    const char *base = rung_path_base(rung_site(install->sites, site));
    rung_dist dist = {.kind = RUNG_DIST_EMPTY, .site = site, .entry = "EGG-INFO"};
    size_t len = strlen(base);
    if (install->count < RUNG_DISTS_MAX && ends(base, ".egg") &&
        rung_dist_normalise(base, name_length(base, len - 4), dist.name, sizeof dist.name) && of_interest(dist.name))
        install->dist[install->count++] = dist;
}

/* The order of the names in a folder is anybody's: those of a site are put in one that is always the same. */
static void sort_by_entry(rung_dist *dist, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        for (unsigned k = i; k > 0 && strcmp(dist[k - 1].entry, dist[k].entry) > 0; k--) {
            rung_dist moved = dist[k];
            dist[k] = dist[k - 1];
            dist[k - 1] = moved;
        }
}

void rung_dists_find(const rung_world *world, const rung_place *place, const rung_sites *sites, rung_install *out)
{
    out->world = world;
    out->place = place;
    out->sites = sites;
    out->count = 0;
    for (unsigned i = 0; i < sites->count && out->count < RUNG_DISTS_MAX; i++) {
        unsigned first = out->count;
        search in = {out, i, 0};
        see_egg(out, i);
        (void)rung_world_list(world, rung_site(sites, i), see_entry, &in);
        sort_by_entry(out->dist + first, out->count - first);
    }
    for (unsigned i = 0; i < out->count; i++) {
        rung_dist *dist = &out->dist[i];
        char path[RUNG_PLACE_MAX];
        dist->folder = rung_path_of(path, RUNG_PARTS(rung_site(sites, dist->site), "/", dist->entry)) &&
                       rung_path_is_folder(world, path);
        if (dist->kind == RUNG_DIST_EMPTY)
            read_headers(out, dist);
    }
}

const rung_dist *rung_dist_find(const rung_install *install, const char *name, rung_dist_kind kind)
{
    for (unsigned i = 0; i < install->count; i++)
        if (install->dist[i].kind == kind && strcmp(install->dist[i].name, name) == 0)
            return &install->dist[i];
    return NULL;
}
