/* SPDX-License-Identifier: Apache-2.0
 *
 * json.c: jansson with text and numbers made safe.
 */
#include "json.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "say.h"
#include "text.h"

static json_t *checked(json_t *value)
{
    if (value == NULL) {
        say_error("out of memory");
        exit(EXIT_JOB);
    }
    return value;
}

json_t *json_text(const char *s)
{
    if (s == NULL)
        return json_null();
    char *clean = text_utf8(s);
    json_t *value = checked(json_string(clean));
    free(clean);
    return value;
}

json_t *json_number(double x)
{
    return isfinite(x) ? checked(json_real(x)) : json_null();
}

json_t *json_count(unsigned long long n)
{
    return n <= LLONG_MAX ? checked(json_integer((json_int_t)n)) : json_number((double)n);
}

void json_put(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, checked(value)) != 0)
        checked(NULL);
}

void json_add(json_t *array, json_t *value)
{
    if (json_array_append_new(array, checked(value)) != 0)
        checked(NULL);
}

json_t *json_members(const json_t *of, const char *const *names)
{
    json_t *out = json_object();
    for (; *names != NULL; names++)
        json_put(out, *names, json_incref(json_object_get(of, *names)));
    return out;
}

int json_write(const json_t *value, FILE *to)
{
    /* 15 digits: every number that a person typed comes back as typed. */
    if (json_dumpf(value, to, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) != 0)
        return -1;
    return fputc('\n', to) == EOF ? -1 : 0;
}
