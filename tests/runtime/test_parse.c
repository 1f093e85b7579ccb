/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime_test.h"

#include <stdio.h>
#include <string.h>

#include "platform_parse.h"
#include "text.h"

static void accepts(void **state)
{
    (void)state;
    static const struct {
        const char *chain, *parsed; /* device:index/arch of each part, every field written out */
    } table[] = {
        {"cpu", "cpu:0/-"},
        {"cpu/x86-64-v3", "cpu:0/x86-64-v3"},
        {"cuda:1", "cuda:1/-"},
        {"cuda:1/sm90", "cuda:1/sm90"},
        {"cuda:0/sm90,accel/sm80,cpu", "cuda:0/sm90 accel:0/sm80 cpu:0/-"},
        {"cuda:65535", "cuda:65535/-"},
        {"cuda:00007", "cuda:7/-"},
        {"rocm/gfx90a:sramecc+:xnack-", "rocm:0/gfx90a:sramecc+:xnack-"},
        {"opencl/a.b_c-D", "opencl:0/a.b_c-D"},
        {"no_such9", "no_such9:0/-"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        rung_part parts[RUNG_CHAIN_MAX];
        uint32_t count = 0;
        char text[256] = "";
        assert_int_equal(rung_chain_parse(table[i].chain, parts, &count, NULL), RUNG_OK);
        for (uint32_t k = 0; k < count; k++) {
            size_t at = strlen(text);
            (void)snprintf(text + at, sizeof text - at, "%s%.*s:%u/%.*s", k == 0 ? "" : " ", (int)parts[k].device_len,
                           parts[k].device, parts[k].index, parts[k].arch == NULL ? 1 : (int)parts[k].arch_len,
                           parts[k].arch == NULL ? "-" : parts[k].arch);
        }
        assert_string_equal(text, table[i].parsed);
    }
}

static void refuses(void **state)
{
    (void)state;
    static const struct {
        const char *chain, *text;
    } table[] = {
        {"", "platform string \"\": character 1: expected the name of a device"},
        {",", "platform string \",\": character 1: expected the name of a device"},
        {"cpu,", "platform string \"cpu,\": character 5: expected the name of a device"},
        {"cpu,,cuda", "platform string \"cpu,,cuda\": character 5: expected the name of a device"},
        {" cpu", "platform string \" cpu\": character 1: expected the name of a device"},
        {"cpu ", "platform string \"cpu \": character 4: expected `:` and an index, `/` and an arch, `,` and a device, "
                 "or the end"},
        {"CPU", "platform string \"CPU\": character 1: expected the name of a device"},
        {"9cpu", "platform string \"9cpu\": character 1: expected the name of a device"},
        {"cpu/", "platform string \"cpu/\": character 5: expected the name of an arch"},
        {"cpu//x", "platform string \"cpu//x\": character 5: expected the name of an arch"},
        {"cpu/-x", "platform string \"cpu/-x\": character 5: expected the name of an arch"},
        {"cuda:", "platform string \"cuda:\": character 6: a device index is a number"},
        {"cuda:x", "platform string \"cuda:x\": character 6: a device index is a number"},
        {"cuda:-1", "platform string \"cuda:-1\": character 6: a device index is a number"},
        {"cuda:65536", "platform string \"cuda:65536\": character 6: a device index is at most 65535"},
        {"cuda:99999999999", "platform string \"cuda:99999999999\": character 6: a device index is at most 65535"},
        {"cuda:1:2", "platform string \"cuda:1:2\": character 7: expected `:` and an index, `/` and an arch, `,` and a "
                     "device, or the end"},
        {"cpu\n",
         "platform string \"cpu?\": character 4: expected `:` and an index, `/` and an arch, `,` and a device, "
         "or the end"},
        {"cpu/v\xc3\xa9",
         "platform string \"cpu/v??\": character 6: expected `:` and an index, `/` and an arch, `,` and "
         "a device, or the end"},
        {"cuda:0,cpu,cuda:1", "platform string \"cuda:0,cpu,cuda:1\": character 12: this device is named twice"},
        {"cpu,cpu", "platform string \"cpu,cpu\": character 5: this device is named twice"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        rung_part parts[RUNG_CHAIN_MAX];
        uint32_t count = 77;
        rung_error err;
        assert_int_equal(rung_chain_parse(table[i].chain, parts, &count, &err), RUNG_ERR_SYNTAX);
        assert_int_equal(err.status, RUNG_ERR_SYNTAX);
        assert_string_equal(err.text, table[i].text);
        assert_int_equal(count, 77);
    }
}

/* A string of `unit` n times. */
static char *repeat(const char *unit, size_t n)
{
    size_t len = strlen(unit);
    char *text = test_malloc(len * n + 1);
    for (size_t i = 0; i < n; i++)
        memcpy(text + i * len, unit, len);
    text[len * n] = '\0';
    return text;
}

static void refuses_what_is_too_long(void **state)
{
    (void)state;
    static const char *const units[] = {"a", "cpu/", "cpu:1", "cuda:0/sm90,", "x,", "/", "0", "\x80"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char *text = repeat(units[i], 100000);
        rung_part parts[RUNG_CHAIN_MAX];
        uint32_t count;
        rung_error err;
        assert_int_equal(rung_chain_parse(text, parts, &count, &err), RUNG_ERR_SYNTAX);
        assert_true(strlen(err.text) < RUNG_ERROR_TEXT);
        test_free(text);
    }
}

static void limits_are_exact(void **state)
{
    (void)state;
    rung_part parts[RUNG_CHAIN_MAX];
    uint32_t count;
    char name[2 * RUNG_NAME_MAX + 8];
    memset(name, 'a', sizeof name);
    name[RUNG_NAME_MAX] = '\0';
    assert_int_equal(rung_chain_parse(name, parts, &count, NULL), RUNG_OK);
    name[RUNG_NAME_MAX] = '/';
    name[2 * RUNG_NAME_MAX + 1] = '\0';
    assert_int_equal(rung_chain_parse(name, parts, &count, NULL), RUNG_OK);
    assert_int_equal(parts[0].arch_len, RUNG_NAME_MAX);
    name[2 * RUNG_NAME_MAX + 1] = 'a';
    name[2 * RUNG_NAME_MAX + 2] = '\0';
    assert_int_equal(rung_chain_parse(name, parts, &count, NULL), RUNG_ERR_SYNTAX);

    char chain[64];
    rung_text t = rung_text_in(chain, sizeof chain);
    for (int i = 0; i < RUNG_CHAIN_MAX; i++) {
        char letter = (char)('a' + i);
        rung_text_add(&t, i == 0 ? "" : ",");
        rung_text_addn(&t, &letter, 1);
    }
    assert_int_equal(rung_chain_parse(chain, parts, &count, NULL), RUNG_OK);
    assert_int_equal(count, RUNG_CHAIN_MAX);
    rung_text_add(&t, ",z");
    rung_error err;
    assert_int_equal(rung_chain_parse(chain, parts, &count, &err), RUNG_ERR_SYNTAX);
    assert_non_null(strstr(err.text, "a chain has at most 16 devices"));
}

/* Every string of up to 4 bytes of a small alphabet: it parses or it does not, and nothing is read past its end. */
static void any_short_string_is_answered(void **state)
{
    (void)state;
    static const char alphabet[] = "ap0:/,- ";
    enum { N = sizeof alphabet - 1 };
    for (unsigned code = 0; code < N * N * N * N * N; code++) {
        unsigned rest = code;
        char *text = test_malloc(6);
        for (int i = 0; i < 5; i++, rest /= N)
            text[i] = alphabet[rest % N];
        text[5] = '\0';
        rung_part parts[RUNG_CHAIN_MAX];
        uint32_t count = 0;
        rung_status status = rung_chain_parse(text, parts, &count, NULL);
        assert_true(status == RUNG_OK || status == RUNG_ERR_SYNTAX);
        test_free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts),
        cmocka_unit_test(refuses),
        cmocka_unit_test(refuses_what_is_too_long),
        cmocka_unit_test(limits_are_exact),
        cmocka_unit_test(any_short_string_is_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
