/* SPDX-License-Identifier: Apache-2.0
 *
 * part.c: a package is there when Python would import it: the first folder of its name, in the order of the sites, that
 * has an __init__. A folder without one is a namespace, which counts only where nothing else is found.
 */
#include "part.h"

#include <string.h>

#include "detect/probe.h"
#include "direct_url.h"
#include "scan.h"
#include "version.h"

/* ---- small things ------------------------------------------------------------------------------------------------ */

void rung_part_say(rung_framework *out, const char *const *parts)
{
    char text[sizeof out->detail];
    rung_text t = rung_text_in(text, sizeof text);
    rung_text_add(&t, out->detail);
    if (t.len > 0)
        rung_text_add(&t, "; ");
    rung_text_join(&t, parts);
    rung_report_text(out->detail, sizeof out->detail, text);
}

bool rung_module_read(const rung_world *world, const char *folder, const char *name, char text[RUNG_MODULE_MAX])
{
    char path[RUNG_PLACE_MAX];
    text[0] = '\0';
    return rung_path_of(path, RUNG_PARTS(folder, "/", name)) && rung_world_read(world, path, text, RUNG_MODULE_MAX) > 0;
}

bool rung_module_version(const char *module, const char *name, char version[RUNG_VERSION_MAX])
{
    rung_version parts;
    if (rung_python_assigned(module, name, version, RUNG_VERSION_MAX) == RUNG_ASSIGNED_TEXT &&
        rung_version_parse(version, &parts))
        return true;
    version[0] = '\0';
    return false;
}

void rung_plugin_add(rung_framework *out, const char *name, const char *version)
{
    char text[sizeof out->plugins];
    rung_text t = rung_text_in(text, sizeof text);
    rung_text_join(&t, RUNG_PARTS(out->plugins, out->plugins[0] == '\0' ? "" : ", ", name, " ", version));
    rung_report_text(out->plugins, sizeof out->plugins, text);
}

/* Copies the folder that holds this one. */
static void set_path(rung_framework *out, const char *folder)
{
    const char *base = rung_path_base(folder);
    size_t len = base > folder + 1 ? (size_t)(base - folder) - 1 : strlen(folder);
    rung_text t = rung_text_in(out->path, sizeof out->path);
    rung_text_addn(&t, folder, len);
}

/* ---- the package ------------------------------------------------------------------------------------------------- */

typedef enum package_kind {
    PACKAGE_NONE = 0,
    PACKAGE_NAMESPACE, /* a folder that has no __init__ */
    PACKAGE_OTHER,     /* something that is imported by this name and is not it */
    PACKAGE_REAL
} package_kind;

typedef struct package {
    package_kind kind;
    unsigned site;
    char folder[RUNG_PLACE_MAX];
    char hides[RUNG_PLACE_MAX]; /* a real one in a later site, or "" */
} package;

static bool is_named(const rung_part *part, const char *dist)
{
    for (const char *const *name = part->dists; *name != NULL; name++)
        if (strcmp(*name, dist) == 0)
            return true;
    return false;
}

static bool has_dist(const rung_install *install, const rung_part *part, unsigned site)
{
    for (unsigned i = 0; i < install->count; i++)
        if (install->dist[i].site == site && install->dist[i].kind == RUNG_DIST_READ &&
            is_named(part, install->dist[i].name))
            return true;
    return false;
}

/* What is imported as parent/package, if it is; dists of the site tell, too. No site: RUNG_SITES_MAX. */
static package_kind look(const rung_install *install, const rung_part *part, const char *parent, unsigned site,
                         char folder[RUNG_PLACE_MAX])
{
    const rung_world *world = install->world;
    if (!rung_path_of(folder, RUNG_PARTS(parent, "/", part->package)))
        return PACKAGE_NONE;
    if (rung_path_is_folder(world, folder)) {
        if (rung_path_there(world, RUNG_PARTS(folder, "/__init__.py")) ||
            rung_path_there(world, RUNG_PARTS(folder, "/__init__.pyc")))
            return rung_path_there(world, RUNG_PARTS(folder, "/", part->mark)) || has_dist(install, part, site)
                       ? PACKAGE_REAL
                       : PACKAGE_OTHER;
        return rung_path_there(world, RUNG_PARTS(folder, ".py")) ? PACKAGE_OTHER : PACKAGE_NAMESPACE;
    }
    return rung_path_there(world, RUNG_PARTS(folder, ".py")) ? PACKAGE_OTHER : PACKAGE_NONE;
}

static bool same_folder(const rung_world *world, const char *a, const char *b)
{
    char real_a[RUNG_PLACE_MAX], real_b[RUNG_PLACE_MAX];
    return rung_path_real(world, a, real_a) && rung_path_real(world, b, real_b) && strcmp(real_a, real_b) == 0;
}

static void find_package(const rung_install *install, const rung_part *part, package *out)
{
    char folder[RUNG_PLACE_MAX];
    *out = (package){.site = RUNG_SITES_MAX};
    for (unsigned i = 0; i < install->sites->count; i++) {
        package_kind kind = look(install, part, rung_site(install->sites, i), i, folder);
        if (kind > PACKAGE_NAMESPACE && out->kind > PACKAGE_NAMESPACE) {
            if (kind == PACKAGE_REAL && !same_folder(install->world, out->folder, folder)) {
                memcpy(out->hides, folder, sizeof folder);
                return;
            }
        } else if (kind > out->kind) {
            out->kind = kind;
            out->site = i;
            memcpy(out->folder, folder, sizeof folder);
        }
    }
}

/* ---- its dist ---------------------------------------------------------------------------------------------------- */

/* Whether they are the same but for local labels, which files have that an index does not take. */
static bool same_public(const char *a, const char *b)
{
    rung_version of_a, of_b;
    if (!rung_version_parse(a, &of_a) || !rung_version_parse(b, &of_b))
        return false;
    of_a.local.len = of_b.local.len = 0;
    return rung_version_order(&of_a, &of_b) == 0;
}

/* Of those of a site, the one whose version the package's files tell, else the newest. *count: how many there are. */
static const rung_dist *of_site(const rung_install *install, const rung_part *part, unsigned site, const char *own,
                                unsigned *count)
{
    const rung_dist *best = NULL;
    *count = 0;
    for (unsigned i = 0; i < install->count; i++) {
        const rung_dist *dist = &install->dist[i];
        if (dist->kind != RUNG_DIST_READ || dist->site != site || !is_named(part, dist->name))
            continue;
        int order = 1;
        *count += best == NULL || strcmp(best->name, dist->name) == 0 ? 1 : 0;
        if (best != NULL)
            (void)rung_version_compare(dist->version, best->version, &order);
        if (best == NULL || (!same_public(best->version, own) && (same_public(dist->version, own) || order > 0)))
            best = dist;
    }
    return best;
}

static const rung_dist *of_any_site(const rung_install *install, const rung_part *part)
{
    unsigned count;
    const rung_dist *found = NULL;
    for (unsigned i = 0; i < install->sites->count && found == NULL; i++)
        found = of_site(install, part, i, "", &count);
    return found;
}

static const rung_dist *of_kind(const rung_install *install, const rung_part *part, rung_dist_kind kind)
{
    const rung_dist *found = NULL;
    for (const char *const *name = part->dists; *name != NULL && found == NULL; name++)
        found = rung_dist_find(install, *name, kind);
    return found;
}

/* The folder that an editable install has its code in; false when it is none. */
static bool source_of(const rung_install *install, const rung_dist *dist, char out[RUNG_PLACE_MAX])
{
    char text[4096];
    rung_direct_url url;
    rung_span line;
    out[0] = '\0';
    if (dist->kind == RUNG_DIST_LINK) {
        const char *at = text;
        return rung_dist_read(install, dist, "", text, sizeof text) > 0 && rung_line_next(&at, &line) &&
               rung_span_copy(rung_span_trim(line), out, RUNG_PLACE_MAX) && out[0] == '/';
    }
    if (rung_dist_read(install, dist, "direct_url.json", text, sizeof text) <= 0)
        return false;
    rung_direct_url_read(text, &url);
    memcpy(out, url.path, sizeof url.path);
    return url.editable;
}

/* ---- judgement --------------------------------------------------------------------------------------------------- */

static void set_version(rung_framework *out, const char *version)
{
    rung_report_text(out->version, sizeof out->version, version);
}

/* The files are there: `folder` is the package's. */
static const rung_dist *judge_files(const rung_install *install, const rung_part *part, const package *found,
                                    rung_framework *out)
{
    char own[RUNG_VERSION_MAX] = "", source[RUNG_PLACE_MAX];
    unsigned count = 0;
    if (part->own != NULL)
        (void)part->own(install->world, found->folder, own);
    const rung_dist *dist = of_site(install, part, found->site, own, &count);
    const rung_dist *link = of_kind(install, part, RUNG_DIST_LINK);
    bool beside = dist != NULL;
    if (!beside)
        dist = of_any_site(install, part);
    bool editable = dist != NULL && source_of(install, dist, source);
    out->editable = editable || (link != NULL && link->site != found->site);
    set_path(out, found->folder);
    set_version(out, own[0] != '\0' ? own : dist != NULL ? dist->version : "");
    out->state = out->version[0] != '\0' ? RUNG_FRAMEWORK_INSTALLED : RUNG_FRAMEWORK_UNREADABLE;
    if (dist == NULL || (!beside && !editable))
        rung_part_say(out, of_kind(install, part, RUNG_DIST_UNREADABLE) != NULL
                               ? RUNG_PARTS("its metadata cannot be read")
                               : RUNG_PARTS("without metadata beside it"));
    if (count > 1)
        rung_part_say(out, RUNG_PARTS("more than one set of metadata is beside it"));
    if (dist != NULL && !out->editable && own[0] != '\0' && !same_public(dist->version, own))
        rung_part_say(out, RUNG_PARTS("its metadata tell version ", dist->version));
    if (found->hides[0] != '\0')
        rung_part_say(out, RUNG_PARTS("hides ", found->hides));
    return dist;
}

/* Metadata without the files beside them: the code of an editable install may be where no .pth line tells. */
static const rung_dist *judge_metadata(const rung_install *install, const rung_part *part, const rung_dist *dist,
                                       rung_framework *out, char folder[RUNG_PLACE_MAX])
{
    char source[RUNG_PLACE_MAX], parent[RUNG_PLACE_MAX], own[RUNG_VERSION_MAX] = "";
    out->state = RUNG_FRAMEWORK_REMOVED;
    folder[0] = '\0';
    if (!source_of(install, dist, source)) {
        rung_part_say(out, RUNG_PARTS(dist->entry, " is there without the package's files"));
        return dist;
    }
    out->editable = 1;
    bool found = source[0] != '\0' && (look(install, part, source, RUNG_SITES_MAX, folder) == PACKAGE_REAL ||
                                       (rung_path_of(parent, RUNG_PARTS(source, "/src")) &&
                                        look(install, part, parent, RUNG_SITES_MAX, folder) == PACKAGE_REAL));
    if (!found && !rung_path_is_folder(install->world, source)) {
        rung_part_say(out, RUNG_PARTS("the folder of its code is gone: ", source));
        folder[0] = '\0';
        return dist;
    }
    out->state = RUNG_FRAMEWORK_INSTALLED;
    if (found) {
        set_path(out, folder);
        if (part->own != NULL)
            (void)part->own(install->world, folder, own);
    } else {
        folder[0] = '\0';
        rung_text t = rung_text_in(out->path, sizeof out->path);
        rung_text_add(&t, source);
        rung_part_say(out, RUNG_PARTS("editable, and its code was not found"));
    }
    set_version(out, own[0] != '\0' ? own : dist->version);
    if (out->version[0] == '\0')
        out->state = RUNG_FRAMEWORK_UNREADABLE;
    return dist;
}

/* Neither a package nor metadata that can be read. */
static void judge_nothing(const rung_install *install, const rung_part *part, const package *found, rung_framework *out)
{
    const rung_dist *unreadable = of_kind(install, part, RUNG_DIST_UNREADABLE);
    const rung_dist *left = of_kind(install, part, RUNG_DIST_LEFT_OVER);
    if (left == NULL)
        left = of_kind(install, part, RUNG_DIST_EMPTY);
    if (unreadable != NULL) {
        out->state = RUNG_FRAMEWORK_UNREADABLE;
        rung_part_say(out, RUNG_PARTS(unreadable->entry, " tells no name or no version"));
    } else if (left != NULL) {
        out->state = RUNG_FRAMEWORK_REMOVED;
        rung_part_say(out, RUNG_PARTS(left->entry, " is what is left of it"));
    } else if (found->kind == PACKAGE_NAMESPACE) {
        out->state = RUNG_FRAMEWORK_NAMESPACE;
        set_path(out, found->folder);
        rung_part_say(out, RUNG_PARTS(found->folder, " is a folder without a package"));
    } else {
        out->state = RUNG_FRAMEWORK_ABSENT;
    }
}

const rung_dist *rung_part_judge(const rung_install *install, const rung_part *part, rung_framework *out,
                                 char folder[RUNG_PLACE_MAX])
{
    package found;
    folder[0] = '\0';
    find_package(install, part, &found);
    if (found.kind == PACKAGE_REAL) {
        memcpy(folder, found.folder, sizeof found.folder);
        return judge_files(install, part, &found, out);
    }
    if (found.kind == PACKAGE_OTHER) { /* Python would import it, whatever else is there */
        out->state = RUNG_FRAMEWORK_NAMESPACE;
        set_path(out, found.folder);
        rung_part_say(out, RUNG_PARTS(found.folder, " is something else of this name"));
        if (found.hides[0] != '\0')
            rung_part_say(out, RUNG_PARTS("hides ", found.hides));
        return NULL;
    }
    const rung_dist *dist = of_any_site(install, part);
    if (dist == NULL)
        dist = of_kind(install, part, RUNG_DIST_LINK);
    if (dist != NULL)
        return judge_metadata(install, part, dist, out, folder);
    judge_nothing(install, part, &found, out);
    return NULL;
}
