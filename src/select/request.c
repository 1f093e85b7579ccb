/* SPDX-License-Identifier: Apache-2.0
 *
 * request.c: names of backends as people write them.
 */
#include <string.h>

#include "frameworks/frameworks.h"
#include "names.h"
#include "rank.h"

const char *rung_backend_framework(const rung_registry *registry, uint32_t n)
{
    for (uint32_t row = 0; row < registry->n_backends; row++) {
        const char *name = rung_pool(registry, registry->backends[row].framework);
        bool seen = false;
        for (uint32_t before = 0; before < row && !seen; before++)
            seen = strcmp(rung_pool(registry, registry->backends[before].framework), name) == 0;
        if (!seen && n-- == 0)
            return name;
    }
    return NULL;
}

static const char *find(const rung_registry *registry, rung_span asked)
{
    const char *name;
    for (uint32_t n = 0; (name = rung_backend_framework(registry, n)) != NULL; n++)
        if (rung_span_is(asked, name))
            return name;
    return NULL;
}

const char *rung_backend_named(const rung_registry *registry, const char *name)
{
    rung_span asked = rung_span_trim((rung_span){name, strlen(name)});
    const char *found = find(registry, asked);
    return found != NULL ? found : find(registry, rung_framework_named(asked));
}
