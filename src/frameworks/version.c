/* SPDX-License-Identifier: Apache-2.0
 *
 * version.c: PEP 440. The grammar is that of the appendix "Parsing version strings with regular expressions" of
 * packaging.python.org/en/latest/specifications/version-specifiers, the order that of its section "Summary of permitted
 * suffixes and relative ordering". Numbers are compared as digits, so none is too long.
 */
#include "version.h"

#include <string.h>

#include "rung/frameworks.h"

/* ---- parsing ----------------------------------------------------------------------------------------------------- */

static rung_span digits(const char **at)
{
    rung_span span = {*at, 0};
    while (rung_is_digit(span.at[span.len]))
        span.len++;
    *at += span.len;
    return span;
}

/* Whether the text goes on with this word, which it is then moved past. */
static bool word(const char **at, const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; i < len; i++)
        if (rung_lower((*at)[i]) != name[i])
            return false;
    *at += len;
    return true;
}

/* [separator] one of the names [separator] [digits]: the index of the name; -1, and nothing is moved, for none of them.
 * A name stands before those that it begins with. */
static int suffix(const char **at, const char *const *names, rung_span *number)
{
    const char *here = *at + (rung_is_separator(**at) ? 1 : 0);
    for (int i = 0; names[i] != NULL; i++) {
        if (!word(&here, names[i]))
            continue;
        here += rung_is_separator(*here) ? 1 : 0;
        *number = digits(&here);
        *at = here;
        return i;
    }
    return -1;
}

static bool local_label(const char **at, rung_span *local)
{
    const char *start = *at;
    for (;; ++*at) {
        const char *segment = *at;
        while (rung_is_digit(**at) || rung_is_letter(**at))
            ++*at;
        if (*at == segment)
            return false;
        if (!rung_is_separator(**at))
            break;
    }
    *local = (rung_span){start, (size_t)(*at - start)};
    return true;
}

static void post(const char **at, rung_version *out)
{
    static const char *const names[] = {"post", "rev", "r", NULL};
    if ((*at)[0] == '-' && rung_is_digit((*at)[1])) {
        ++*at;
        out->post_number = digits(at);
        out->has_post = true;
    } else {
        out->has_post = suffix(at, names, &out->post_number) >= 0;
    }
}

bool rung_version_parse(const char *text, rung_version *out)
{
    static const char *const pre_names[] = {"alpha", "a", "beta", "b", "preview", "pre", "c", "rc", NULL};
    static const char pre_letters[] = {'a', 'a', 'b', 'b', 'r', 'r', 'r', 'r'};
    static const char *const dev_names[] = {"dev", NULL};
    *out = (rung_version){.pre = 0};
    while (rung_is_blank(*text))
        text++;
    if (rung_lower(*text) == 'v')
        text++;
    out->release = digits(&text);
    if (*text == '!' && out->release.len > 0) {
        out->epoch = out->release;
        text++;
        out->release = digits(&text);
    }
    if (out->release.len == 0)
        return false;
    while (text[0] == '.' && rung_is_digit(text[1])) {
        text++;
        (void)digits(&text);
    }
    out->release.len = (size_t)(text - out->release.at);
    int pre = suffix(&text, pre_names, &out->pre_number);
    if (pre >= 0)
        out->pre = pre_letters[pre];
    post(&text, out);
    out->has_dev = suffix(&text, dev_names, &out->dev_number) >= 0;
    if (*text == '+') {
        text++;
        if (!local_label(&text, &out->local))
            return false;
    }
    while (rung_is_blank(*text))
        text++;
    return *text == '\0';
}

/* ---- ordering ---------------------------------------------------------------------------------------------------- */

static int sign(int difference)
{
    return (difference > 0) - (difference < 0);
}

/* No digits at all are 0. */
static int order_numbers(rung_span a, rung_span b)
{
    while (a.len > 0 && *a.at == '0')
        a = (rung_span){a.at + 1, a.len - 1};
    while (b.len > 0 && *b.at == '0')
        b = (rung_span){b.at + 1, b.len - 1};
    if (a.len != b.len)
        return a.len < b.len ? -1 : 1;
    return a.len == 0 ? 0 : sign(memcmp(a.at, b.at, a.len));
}

/* Takes the part before the next separator off the front. */
static rung_span part(rung_span *all)
{
    rung_span span = {all->at, 0};
    while (span.len < all->len && !rung_is_separator(span.at[span.len]))
        span.len++;
    size_t gone = span.len < all->len ? span.len + 1 : span.len;
    *all = (rung_span){all->at + gone, all->len - gone};
    return span;
}

/* One that ends is padded with zeros. */
static int order_releases(rung_span a, rung_span b)
{
    int order = 0;
    while (order == 0 && (a.len > 0 || b.len > 0)) {
        rung_span of_a = {0}, of_b = {0};
        if (a.len > 0)
            of_a = part(&a);
        if (b.len > 0)
            of_b = part(&b);
        order = order_numbers(of_a, of_b);
    }
    return order;
}

static bool all_digits(rung_span span)
{
    for (size_t i = 0; i < span.len; i++)
        if (!rung_is_digit(span.at[i]))
            return false;
    return true;
}

static int order_words(rung_span a, rung_span b)
{
    for (size_t i = 0; i < a.len && i < b.len; i++)
        if (rung_lower(a.at[i]) != rung_lower(b.at[i]))
            return rung_lower(a.at[i]) < rung_lower(b.at[i]) ? -1 : 1;
    return (a.len > b.len) - (a.len < b.len);
}

/* Numbers are after words, and one that ends is before one that goes on. */
static int order_locals(rung_span a, rung_span b)
{
    int order = 0;
    while (order == 0 && a.len > 0 && b.len > 0) {
        rung_span of_a = part(&a), of_b = part(&b);
        bool number_a = all_digits(of_a), number_b = all_digits(of_b);
        if (number_a != number_b)
            order = number_a ? 1 : -1;
        else
            order = number_a ? order_numbers(of_a, of_b) : order_words(of_a, of_b);
    }
    return order != 0 ? order : (a.len > 0) - (b.len > 0);
}

/* Where the pre-release stands: a developmental release of a final one is before its first alpha. */
static int pre_rank(const rung_version *v)
{
    switch (v->pre) {
    case 'a':
        return 1;
    case 'b':
        return 2;
    case 'r':
        return 3;
    default:
        return !v->has_post && v->has_dev ? 0 : 4;
    }
}

int rung_version_order(const rung_version *a, const rung_version *b)
{
    int order = order_numbers(a->epoch, b->epoch);
    if (order == 0)
        order = order_releases(a->release, b->release);
    if (order == 0)
        order = sign(pre_rank(a) - pre_rank(b));
    if (order == 0)
        order = order_numbers(a->pre_number, b->pre_number);
    if (order == 0)
        order = (int)a->has_post - (int)b->has_post;
    if (order == 0)
        order = order_numbers(a->post_number, b->post_number);
    if (order == 0)
        order = (int)b->has_dev - (int)a->has_dev;
    if (order == 0)
        order = order_numbers(a->dev_number, b->dev_number);
    return order != 0 ? order : order_locals(a->local, b->local);
}

int rung_version_compare(const char *a, const char *b, int *order)
{
    rung_version of_a, of_b;
    if (a == NULL || b == NULL || !rung_version_parse(a, &of_a) || !rung_version_parse(b, &of_b))
        return 0;
    *order = rung_version_order(&of_a, &of_b);
    return 1;
}

/* ---- numbers with dots alone ------------------------------------------------------------------------------------- */

static rung_span dotted(const char *text)
{
    const char *at = text;
    (void)digits(&at);
    while (at != text && at[0] == '.' && rung_is_digit(at[1])) {
        at++;
        (void)digits(&at);
    }
    return (rung_span){text, (size_t)(at - text)};
}

bool rung_version_dotted_order(const char *a, const char *b, int *order)
{
    rung_span of_a = dotted(a), of_b = dotted(b);
    if (of_a.len == 0 || of_b.len == 0)
        return false;
    int found = 0;
    while (found == 0 && of_a.len > 0 && of_b.len > 0)
        found = order_numbers(part(&of_a), part(&of_b));
    *order = found != 0 ? found : (of_a.len > 0) - (of_b.len > 0);
    return true;
}
