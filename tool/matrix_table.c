/* SPDX-License-Identifier: Apache-2.0
 *
 * matrix_table.c: the tables of the page, readable without its script, and the words for what stands in them.
 * Everything in them comes from the registry, whose names and reasons have no character that means something in HTML.
 */
#include <string.h>

#include "matrix_page.h"

/* A state, told by a sign and a word: colours only repeat it. */
typedef struct word {
    const char *state, *sign, *text, *meaning;
} word;

static const word states[] = {
    {"chosen", "\u25CF", "chosen", "called on this platform"},
    {"available", "\u25CB", "available", "could be called here, but a better rung is there"},
    {"falls", "\u2192", "falls to", "no kernel of its own: the next rung is called"},
    {"planned", "\u2026", "planned", "declared, not yet written"},
    {"experimental", "\u25B3", "experimental", "called only when asked for"},
    {"not-built", "\u25A1", "not built", "this build does not have it"},
    {"not-here", "\u2298", "not here", "this platform cannot run it, and why"},
    {"none", "\u2014", "no kernel", "nothing would be called"},
    {"not-declared", "\u00B7", "not declared", "no kernel of its own"},
};

static const word proofs[] = {
    {"passed", "\u2713", "passed", "proven on such a machine"},
    {"passed-emulator", "\u2713", "passed, emulator", "proven under an emulator"},
    {"passed-fake", "\u2713", "passed, fake driver", "proven on the fake driver"},
    {"failed", "\u2717", "failed", "a check did not hold"},
    {"missed", "!", "missed", "could have been tested, and was not"},
    {"unproven", "?", "unproven", "no machine has proven it"},
};

enum { STATES = sizeof states / sizeof *states, PROOFS = sizeof proofs / sizeof *proofs };

static const word *find(const word *words, size_t count, const char *state)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i].state, state) == 0)
            return &words[i];
    return &words[count - 1];
}

static const char *text_at(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* Whether the data have a box with this in `key`. */
static bool occurs(const json_t *data, const char *key, const char *state)
{
    static const char *const tables[] = {"ops", "components"};
    for (size_t t = 0; t < 2; t++) {
        const json_t *rows = json_object_get(data, tables[t]);
        for (size_t r = 0; r < json_array_size(rows); r++) {
            const json_t *boxes = json_object_get(json_array_get(rows, r), "boxes");
            for (size_t b = 0; b < json_array_size(boxes); b++) {
                const char *found = text_at(json_array_get(boxes, b), key);
                if (found != NULL && strcmp(found, state) == 0)
                    return true;
            }
        }
    }
    return false;
}

static void put_sign(FILE *to, const word *w)
{
    fprintf(to, "<i aria-hidden=\"true\">%s</i>\u00A0", w->sign);
}

static void put_entry(FILE *to, const word *w, const char *kind)
{
    fprintf(to, "<li><span class=\"%s\" data-%s=\"%s\">", kind, kind, w->state);
    put_sign(to, w);
    fprintf(to, "%s</span> %s</li>\n", w->text, w->meaning);
}

void matrix_legend(FILE *to, const json_t *data)
{
    for (size_t i = 0; i < STATES; i++)
        if (occurs(data, "state", states[i].state))
            put_entry(to, &states[i], "state");
    for (size_t i = 0; i < PROOFS; i++)
        if (occurs(data, "proof", proofs[i].state))
            put_entry(to, &proofs[i], "proof");
}

static void put_option(FILE *to, const json_t *data, const char *key, const word *w)
{
    if (occurs(data, key, w->state))
        fprintf(to, "<option value=\"%s\">%s %s</option>\n", w->state, w->sign, w->text);
}

void matrix_state_options(FILE *to, const json_t *data)
{
    for (size_t i = 0; i < STATES; i++)
        put_option(to, data, "state", &states[i]);
    for (size_t i = 0; i < PROOFS; i++)
        put_option(to, data, "proof", &proofs[i]);
}

/* The next rung of a box that has no kernel: "generic" on its own device, "cpu/generic" on another, with the variant
 * where it is another; parts that belong together are not broken. */
static void put_target(FILE *to, const char *key, const char *device, const char *variant)
{
    const char *arch = strchr(key, '/') + 1, *last = strrchr(key, '/');
    size_t length = (size_t)(arch - key) - 1;
    bool own = strlen(device) == length && strncmp(key, device, length) == 0;
    if (arch > last) /* a component's: there are no archs */
        fprintf(to, "%.*s", (int)length, key);
    else
        fprintf(to, "%.*s<wbr><span class=\"whole\">%.*s</span>", own ? 0 : (int)length + 1, key, (int)(last - arch),
                arch);
    if (strcmp(last + 1, variant) != 0)
        fprintf(to, " %s", last + 1);
}

static void put_box(FILE *to, const json_t *row, const json_t *box, const char *device, const char *arch)
{
    const char *variant = text_at(row, "variant"), *state = text_at(box, "state"), *proof = text_at(box, "proof");
    const char *falls = text_at(box, "falls"), *reason = text_at(box, "reason");
    const word *w = find(states, STATES, state);
    fprintf(to, "<td data-key=\"%s/%s%s%s/%s\" data-state=\"%s\"", text_at(row, "name"), device,
            arch != NULL ? "/" : "", arch != NULL ? arch : "", variant, state);
    if (proof != NULL)
        fprintf(to, " data-proof=\"%s\"", proof);
    fputs("><span class=\"state\">", to);
    put_sign(to, w);
    if (strcmp(state, "falls") == 0) {
        fprintf(to, "<span class=\"unseen\">%s </span>", w->text);
        put_target(to, falls, device, variant);
        fputs("</span>", to);
    } else {
        fprintf(to, "%s</span>", w->text);
        if (falls != NULL) {
            fprintf(to, " <span class=\"more\"><span class=\"unseen\">falls to </span>\u2192\u00A0");
            put_target(to, falls, device, variant);
            fputs("</span>", to);
        }
        if (reason != NULL)
            fprintf(to, " <span class=\"more\">%s</span>", reason);
    }
    if (proof != NULL) {
        const word *p = find(proofs, PROOFS, proof);
        fprintf(to, " <span class=\"proof\" data-proof=\"%s\">", p->state);
        put_sign(to, p);
        fprintf(to, "%s</span>", p->text);
    }
    fputs("</td>\n", to);
}

static void put_heads(FILE *to, const json_t *columns, bool ops)
{
    fprintf(to, "<thead>\n<tr><th scope=\"col\"%s>%s</th>\n", ops ? " rowspan=\"2\"" : "", ops ? "op" : "component");
    for (size_t d = 0; d < json_array_size(columns); d++) {
        const json_t *column = json_array_get(columns, d);
        if (ops)
            fprintf(to, "<th scope=\"colgroup\" colspan=\"%zu\">", json_array_size(json_object_get(column, "archs")));
        else
            fputs("<th scope=\"col\">", to);
        fprintf(to, "<span class=\"device\">%s</span></th>\n", text_at(column, "device"));
    }
    fputs("</tr>\n", to);
    for (size_t d = 0; ops && d < json_array_size(columns); d++) {
        const json_t *archs = json_object_get(json_array_get(columns, d), "archs");
        fputs(d == 0 ? "<tr>" : "", to);
        for (size_t a = 0; a < json_array_size(archs); a++) {
            fprintf(to, "<th scope=\"col\">%s</th>\n", text_at(json_array_get(archs, a), "arch"));
        }
        fputs(d + 1 == json_array_size(columns) ? "</tr>\n" : "", to);
    }
    fputs("</thead>\n", to);
}

static void put_row(FILE *to, const json_t *columns, const json_t *row, bool ops)
{
    const json_t *boxes = json_object_get(row, "boxes");
    fputs("<tr><th scope=\"row\">", to);
    for (const char *s = text_at(row, "name"); *s != '\0'; s++)
        fputs(*s == '_' ? "_<wbr>" : (const char[]){*s, '\0'}, to);
    if (strcmp(text_at(row, "variant"), "default") != 0)
        fprintf(to, " <span class=\"variant\">%s</span>", text_at(row, "variant"));
    fputs("</th>\n", to);
    for (size_t d = 0, b = 0; d < json_array_size(columns); d++) {
        const char *device = text_at(json_array_get(columns, d), "device");
        const json_t *archs = json_object_get(json_array_get(columns, d), "archs");
        if (!ops)
            put_box(to, row, json_array_get(boxes, b++), device, NULL);
        for (size_t a = 0; ops && a < json_array_size(archs); a++)
            put_box(to, row, json_array_get(boxes, b++), device, text_at(json_array_get(archs, a), "arch"));
    }
    fputs("</tr>\n", to);
}

void matrix_table(FILE *to, const json_t *data, bool ops)
{
    const json_t *columns = json_object_get(data, "columns");
    const json_t *rows = json_object_get(data, ops ? "ops" : "components");
    put_heads(to, columns, ops);
    fputs("<tbody>\n", to);
    for (size_t r = 0; r < json_array_size(rows); r++)
        put_row(to, columns, json_array_get(rows, r), ops);
    fputs("</tbody>\n", to);
}
