/* SPDX-License-Identifier: Apache-2.0
 *
 * matrix_data.c: the matrix, and what its page has beside it.
 */
#include "matrix_data.h"

#include "describe.h"
#include "json.h"
#include "matrix_rows.h"
#include "rk/rk.h"

static int add_component(const rung_component_cell *cell, void *user)
{
    json_add(user, describe_component_json(cell));
    return 0;
}

static int add_cell(const rung_cell *cell, void *user)
{
    json_add(user, describe_cell_json(cell));
    return 0;
}

json_t *matrix_json(const rung_platform *platform)
{
    json_t *root = platform != NULL ? describe_platform_json(platform) : json_object();
    json_t *cells = json_array();
    rung_matrix(&rk_registry, platform, add_cell, cells);
    json_put(root, "cells", cells);
    json_t *components = json_array();
    rung_component_matrix(&rk_registry, platform, add_component, components);
    json_put(root, "components", components);
    return root;
}

static json_t *index_or_null(size_t platform)
{
    return platform != MATRIX_NO_PLATFORM ? json_count(platform) : json_null();
}

static json_t *columns_json(const matrix_columns *columns)
{
    json_t *list = json_array(), *archs = NULL;
    for (size_t i = 0; i < columns->count; i++) {
        const matrix_column *c = &columns->column[i];
        if (c->arch == NULL) {
            json_t *device = json_object();
            json_put(device, "device", json_text(c->device));
            json_put(device, "platform", index_or_null(c->platform));
            archs = json_array();
            json_put(device, "archs", archs);
            json_add(list, device);
            continue;
        }
        json_t *arch = json_object();
        json_put(arch, "arch", json_text(c->arch));
        json_put(arch, "platform", index_or_null(c->platform));
        json_add(archs, arch);
    }
    return list;
}

static json_t *platforms_json(const matrix_columns *columns)
{
    json_t *list = json_array();
    for (size_t i = 0; i < columns->platforms; i++) {
        json_t *one = json_object();
        json_put(one, "platform", json_text(rung_platform_text(columns->platform[i])));
        json_put(one, "reason", json_text(rung_platform_reason(columns->platform[i])));
        json_add(list, one);
    }
    return list;
}

json_t *matrix_page_data(rung_platform *platform, json_t *selftest, json_t *bench)
{
    matrix_columns columns;
    matrix_columns_open(&columns, platform);
    json_t *root = json_object(), *texts = json_array();
    json_put(root, "namespace", json_text(rung_registry_namespace(&rk_registry)));
    json_put(root, "matrix", matrix_json(platform));
    json_put(root, "platforms", platforms_json(&columns));
    json_put(root, "texts", texts);
    json_put(root, "columns", columns_json(&columns));
    matrix_rows_put(root, &columns, texts, selftest);
    json_put(root, "selftest", selftest != NULL ? json_incref(selftest) : json_null());
    json_put(root, "bench", bench != NULL ? json_incref(bench) : json_null());
    matrix_columns_close(&columns);
    return root;
}
