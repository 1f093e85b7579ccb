/* SPDX-License-Identifier: Apache-2.0 */
#include "pythons.h"

#include <string.h>

rung_python tree_python(tree *t, const char *python)
{
    const rung_world world = tree_world(t);
    rung_python found;
    memset(&found, 0x5a, sizeof found);
    rung_python_detect_in(&world, python, &found);
    return found;
}

rung_framework tree_framework(tree *t, const char *name)
{
    rung_python found = tree_python(t, NULL);
    const rung_framework *framework = rung_python_framework(&found, name);
    assert_non_null(framework);
    return *framework;
}
