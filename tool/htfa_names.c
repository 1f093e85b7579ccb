/* SPDX-License-Identifier: Apache-2.0
 *
 * htfa_names.c: names of the scans' folders.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "htfa_job.h"
#include "say.h"

/* Also where upper and lower case are the same. */
static bool is_taken(const char *name, char *const *names, size_t count)
{
    for (size_t i = 0; i < HTFA_FILES; i++)
        if (strcasecmp(name, htfa_file_names[i]) == 0)
            return true;
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return false;
}

char **htfa_names(const tfa_options *options)
{
    char **names = say_alloc(options->scans * sizeof *names);
    for (size_t i = 0; i < options->scans; i++) {
        char *stem = tfa_options_stem(options->scan[i]);
        const char *hidden = stem[0] == '.' ? "scan" : "";
        names[i] = say_format("%s%s", hidden, stem);
        for (size_t n = 2; is_taken(names[i], names, i); n++) {
            free(names[i]);
            names[i] = say_format("%s%s-%zu", hidden, stem, n);
        }
        free(stem);
    }
    return names;
}
