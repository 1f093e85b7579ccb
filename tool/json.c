/* SPDX-License-Identifier: Apache-2.0
 *
 * json.c: jansson with text and numbers made safe.
 */
#include "json.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

const char *json_word(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

json_t *json_results(const char *path, const char *kind)
{
    json_error_t error;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    const json_t *version = json_object_get(root, "version");
    if (root == NULL && error.line > 0)
        say_error("%s is not JSON: line %d: %s", path, error.line, error.text);
    else if (root == NULL)
        say_error("%s", error.text); /* it has the path */
    else if (strcmp(json_word(root, "rung"), kind) != 0)
        say_error("%s is not a result of 'rung %s'", path, kind);
    else if (!json_is_integer(version))
        say_error("%s: it does not tell its version", path);
    else if (json_integer_value(version) != 1)
        say_error("%s: it is of version %lld, and this rung reads version 1", path,
                  (long long)json_integer_value(version));
    else
        return root;
    json_decref(root);
    return NULL;
}

int json_write(const json_t *value, FILE *to)
{
    /* 15 digits: every number that a person typed comes back as typed. */
    if (json_dumpf(value, to, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) != 0)
        return -1;
    return fputc('\n', to) == EOF ? -1 : 0;
}
