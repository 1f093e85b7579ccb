/* SPDX-License-Identifier: Apache-2.0 */
#include "wire.h"

#include <string.h>

#include "numbers.h"
#include "probe.h"

/* ---- what a record consists of ----------------------------------------------------------------------------------- */

typedef enum field_type { FIELD_TEXT, FIELD_FLAG, FIELD_U32, FIELD_U64, FIELD_STATE } field_type;

typedef struct field {
    const char *key;
    field_type type;
    size_t offset, size; /* of the member */
} field;

#define MEMBER(of, member) offsetof(of, member), sizeof((of *)0)->member

static const field of_report[] = {
    {"device", FIELD_TEXT, MEMBER(rung_device_report, device)},
    {"present", FIELD_FLAG, MEMBER(rung_device_report, present)},
    {"initialised", FIELD_FLAG, MEMBER(rung_device_report, initialised)},
    {"state", FIELD_STATE, MEMBER(rung_device_report, state)},
    {"detail", FIELD_TEXT, MEMBER(rung_device_report, detail)},
    {"driver", FIELD_TEXT, MEMBER(rung_device_report, driver)},
    {"library", FIELD_TEXT, MEMBER(rung_device_report, library)},
    {"driver_version", FIELD_U32, MEMBER(rung_device_report, driver_version)},
    {"hidden", FIELD_U32, MEMBER(rung_device_report, hidden)},
};

static const field of_unit[] = {
    {"unit", FIELD_U32, MEMBER(rung_device_unit, index)}, /* begins it */
    {"unit.name", FIELD_TEXT, MEMBER(rung_device_unit, name)},
    {"unit.arch", FIELD_TEXT, MEMBER(rung_device_unit, arch)},
    {"unit.uuid", FIELD_TEXT, MEMBER(rung_device_unit, uuid)},
    {"unit.bus", FIELD_TEXT, MEMBER(rung_device_unit, bus)},
    {"unit.memory", FIELD_U64, MEMBER(rung_device_unit, memory)},
    {"unit.state", FIELD_STATE, MEMBER(rung_device_unit, state)},
    {"unit.detail", FIELD_TEXT, MEMBER(rung_device_unit, detail)},
};

enum {
    REPORT_FIELDS = sizeof of_report / sizeof *of_report,
    UNIT_FIELDS = sizeof of_unit / sizeof *of_unit,
    LONGEST_KEY = sizeof "driver_version ",
    LONGEST_LINE = LONGEST_KEY + 160
};
/* Each line has its key, its value, and at most 20 digits or the name of a state. */
_Static_assert(sizeof(rung_device_report) +
                       ((size_t)REPORT_FIELDS + (size_t)UNIT_FIELDS * RUNG_UNITS_MAX) * (LONGEST_KEY + 20) +
                       sizeof RUNG_WIRE_BEGIN + sizeof RUNG_WIRE_END <=
                   RUNG_WIRE_MAX,
               "every record fits");

/* ---- writing ----------------------------------------------------------------------------------------------------- */

void rung_wire_text(char *out, size_t size, const char *text)
{
    size_t len = 0;
    for (; len + 1 < size && text[len] != '\0'; len++)
        out[len] = text[len] >= ' ' && text[len] <= '~' ? text[len] : '?';
    out[len] = '\0';
}

static void add_text(rung_text *t, const char *at, size_t size)
{
    char clean[LONGEST_LINE];
    char whole[LONGEST_LINE] = "";
    memcpy(whole, at, size <= sizeof whole ? size - 1 : sizeof whole - 1); /* whatever it is, it ends */
    rung_wire_text(clean, sizeof clean, whole);
    rung_text_add(t, clean);
}

static bool is_known(const field *f, const char *at)
{
    static const char zero[sizeof(uint64_t)];
    return f->type == FIELD_TEXT ? at[0] != '\0' : memcmp(at, zero, f->size) != 0;
}

static void add_field(rung_text *t, const field *f, const void *of)
{
    const char *at = (const char *)of + f->offset;
    uint32_t word = 0;
    uint64_t quad = 0;
    rung_text_join(t, (const char *const[]){f->key, " ", NULL});
    switch (f->type) {
    case FIELD_TEXT:
        add_text(t, at, f->size);
        break;
    case FIELD_FLAG:
        rung_text_add(t, "1");
        break;
    case FIELD_U32:
        memcpy(&word, at, sizeof word);
        rung_text_uint(t, word);
        break;
    case FIELD_U64:
        memcpy(&quad, at, sizeof quad);
        rung_text_uint(t, quad);
        break;
    case FIELD_STATE:
        memcpy(&word, at, sizeof word);
        rung_text_add(t, rung_device_state_name((rung_device_state)word));
    }
    rung_text_add(t, "\n");
}

size_t rung_wire_write(const rung_device_report *report, char out[RUNG_WIRE_MAX])
{
    rung_text t = rung_text_in(out, RUNG_WIRE_MAX);
    rung_text_add(&t, RUNG_WIRE_BEGIN);
    for (size_t i = 0; i < REPORT_FIELDS; i++)
        if (is_known(&of_report[i], (const char *)report + of_report[i].offset))
            add_field(&t, &of_report[i], report);
    for (uint32_t n = 0; n < report->count && n < RUNG_UNITS_MAX; n++) {
        const rung_device_unit *unit = &report->unit[n];
        add_field(&t, &of_unit[0], unit);
        for (size_t i = 1; i < UNIT_FIELDS; i++)
            if (is_known(&of_unit[i], (const char *)unit + of_unit[i].offset))
                add_field(&t, &of_unit[i], unit);
    }
    rung_text_add(&t, RUNG_WIRE_END);
    return t.len;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool ends_with_line(const char *text, size_t len, const char *line)
{
    size_t n = strlen(line);
    return len >= n && memcmp(text + len - n, line, n) == 0 && (len == n || text[len - n - 1] == '\n');
}

bool rung_wire_is_whole(const char *text, size_t len)
{
    return ends_with_line(text, len, RUNG_WIRE_END);
}

static bool read_state(const char *text, size_t len, uint32_t *out)
{
    for (uint32_t i = 0; i < RUNG_STATE_COUNT; i++) {
        const char *name = rung_device_state_name((rung_device_state)i);
        if (strlen(name) == len && memcmp(name, text, len) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

_Static_assert(sizeof(rung_device_state) == sizeof(uint32_t) && sizeof(int) == sizeof(uint32_t),
               "flags and states are read and written as words");

static bool read_field(const field *f, const char *text, size_t len, void *of)
{
    char *at = (char *)of + f->offset;
    uint64_t quad = 0;
    uint32_t word = 0;
    bool good = false;
    switch (f->type) {
    case FIELD_TEXT:
        if (len >= f->size)
            return false;
        memcpy(at, text, len);
        at[len] = '\0';
        return true;
    case FIELD_U64:
        good = rung_decimal(text, len, &quad);
        memcpy(at, &quad, sizeof quad);
        return good;
    case FIELD_FLAG:
    case FIELD_U32:
        good = rung_decimal(text, len, &quad) && quad <= (f->type == FIELD_FLAG ? 1 : UINT32_MAX);
        word = (uint32_t)quad;
        break;
    case FIELD_STATE:
        good = read_state(text, len, &word);
    }
    memcpy(at, &word, sizeof word);
    return good;
}

/* The field of a key; n when there is none. */
static size_t find_field(const field *fields, size_t n, const char *key, size_t len)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(fields[i].key) == len && memcmp(fields[i].key, key, len) == 0)
            return i;
    return n;
}

typedef struct reading {
    rung_device_report *out;
    unsigned seen_report, seen_unit; /* bits of the fields that have stood, of the unit those of the current one */
} reading;

static bool stands_twice(unsigned *seen, size_t field)
{
    bool twice = *seen >> field & 1;
    *seen |= 1u << field;
    return twice;
}

/* One line without its newline. */
static bool read_line(reading *r, const char *line, size_t len)
{
    const char *space = memchr(line, ' ', len);
    if (space == NULL || space == line)
        return false;
    size_t key = (size_t)(space - line);
    const char *value = space + 1;
    size_t value_len = len - key - 1;
    size_t at = find_field(of_report, REPORT_FIELDS, line, key);
    if (at < REPORT_FIELDS)
        return !stands_twice(&r->seen_report, at) && read_field(&of_report[at], value, value_len, r->out);
    at = find_field(of_unit, UNIT_FIELDS, line, key);
    if (at == UNIT_FIELDS)
        return true;
    if (at == 0) {
        if (r->out->count == RUNG_UNITS_MAX)
            return false;
        r->out->count++;
        r->seen_unit = 0;
    }
    return r->out->count > 0 && !stands_twice(&r->seen_unit, at) &&
           read_field(&of_unit[at], value, value_len, &r->out->unit[r->out->count - 1]);
}

static bool read_lines(reading *r, const char *text, size_t len)
{
    while (len > 0) {
        const char *newline = memchr(text, '\n', len);
        if (newline == NULL)
            return false;
        size_t n = (size_t)(newline - text);
        for (size_t i = 0; i < n; i++)
            if (text[i] < ' ' || text[i] > '~')
                return false;
        if (n + 1 == strlen(RUNG_WIRE_END) && memcmp(text, RUNG_WIRE_END, n) == 0)
            return n + 1 == len;
        if (!read_line(r, text, n))
            return false;
        text += n + 1;
        len -= n + 1;
    }
    return false;
}

bool rung_wire_read(const char *text, size_t len, rung_device_report *out)
{
    const size_t begin = strlen(RUNG_WIRE_BEGIN);
    memset(out, 0, sizeof *out);
    reading r = {.out = out};
    if (len >= begin && memcmp(text, RUNG_WIRE_BEGIN, begin) == 0 && read_lines(&r, text + begin, len - begin))
        return true;
    memset(out, 0, sizeof *out);
    return false;
}
