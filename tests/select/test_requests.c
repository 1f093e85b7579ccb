/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be asked for, and what is wrong with it.
 */
#include "machine.h"

static const machine all = {.frameworks = {{"jax", RUNG_BUILT_CPU, "0.7.2", "", 0, NULL},
                                           {"pytorch", RUNG_BUILT_CPU, "2.8.0", "", 0, NULL},
                                           {"numpy", RUNG_BUILT_CPU, "2.3.0", "", 0, NULL}}};

static rung_status ask(const char *name, unsigned flags, rung_choice *out, rung_error *err)
{
    const rung_backend_request request = {.registry = &rk_registry, .name = name, .flags = flags | RUNG_SELECT_FRESH};
    the_machine = &all;
    return rung_select_by(find_machine, &request, NULL, out, err);
}

static void names_in_any_case_with_blanks_around(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"jax", "jax"},         {"JAX", "jax"},           {"Jax ", "jax"},      {"\t jax\r\n", "jax"},
        {"PyTorch", "pytorch"}, {" TORCH ", "pytorch"},   {"torch", "pytorch"}, {"NumPy", "numpy"},
        {"native", "native"},   {"\f\vNATIVE", "native"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rung_choice c;
        rung_error err;
        assert_int_equal(ask(names[i][0], RUNG_SELECT_STRICT, &c, &err), RUNG_OK);
        assert_string_equal(c.chosen.name, names[i][1]);
        assert_int_equal(c.asked_for, 1);
        assert_int_equal(c.warnings, 0);
        assert_int_equal(err.status, RUNG_OK);
        assert_string_equal(err.text, "");
    }
}

static void an_unknown_name_is_a_warning_and_the_automatic_choice(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"jaxx", "\"jaxx\""}, {"", "\"\""},       {"  ", "\"  \""},        {"j ax", "\"j ax\""},
        {"jax,", "\"jax,\""}, {"ja", "\"ja\""},   {"tf", "\"tf\""},        {"tensorflow", "\"tensorflow\""},
        {"torc", "\"torc\""}, {"cpu", "\"cpu\""}, {"JA\xffX", "\"JA?X\""}, {"jax\n\ntpu", "\"jax??tpu\""},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rung_choice c;
        char warning[256];
        (void)snprintf(warning, sizeof warning,
                       "unknown backend %s: chosen automatically; valid names: jax, pytorch, native, numpy",
                       names[i][1]);
        assert_int_equal(ask(names[i][0], RUNG_SELECT_FULL, &c, NULL), RUNG_OK);
        assert_string_equal(c.chosen.name, "jax");
        assert_int_equal(c.asked_for, 0);
        assert_int_equal(c.warnings, 1);
        assert_string_equal(c.warning[0], warning);
        /* without the full list the automatic choice is among native ones here too */
        assert_int_equal(ask(names[i][0], 0, &c, NULL), RUNG_OK);
        assert_string_equal(c.chosen.name, "native");
    }
}

static void strictly_it_is_an_error_that_names_the_nearest(void **state)
{
    (void)state;
    rung_choice c;
    memset(&c, 0x5a, sizeof c);
    rung_choice before = c;
    rung_error err;
    assert_int_equal(ask("jaz", RUNG_SELECT_STRICT | RUNG_SELECT_FULL, &c, &err), RUNG_ERR_UNKNOWN);
    assert_string_equal(err.text, "unknown backend \"jaz\"; nearest: jax, native, numpy");
    assert_int_equal(ask("", RUNG_SELECT_STRICT, &c, &err), RUNG_ERR_UNKNOWN);
    assert_memory_equal(err.text, "unknown backend \"\"; nearest: ", 28);
    assert_memory_equal(&c, &before, sizeof c);
}

static void a_name_of_any_length(void **state)
{
    (void)state;
    enum { LONG = 100000 };
    char *name = malloc(LONG + 1);
    assert_non_null(name);
    memset(name, 'j', LONG);
    name[LONG] = '\0';
    rung_choice c;
    rung_error err;
    assert_int_equal(ask(name, RUNG_SELECT_STRICT, &c, &err), RUNG_ERR_UNKNOWN);
    assert_int_equal(ask(name, 0, &c, NULL), RUNG_OK);
    assert_true(strlen(c.warning[0]) < RUNG_WARNING_TEXT);
    assert_non_null(strstr(c.warning[0], "valid names: jax, pytorch, native, numpy"));
    memset(name, ' ', LONG);
    memcpy(name + LONG / 2, "jax", 3);
    assert_int_equal(ask(name, RUNG_SELECT_STRICT, &c, NULL), RUNG_OK);
    assert_string_equal(c.chosen.name, "jax");
    free(name);
}

static void versions_and_marks(void **state)
{
    (void)state;
    rung_choice c;
    assert_int_equal(ask(NULL, RUNG_SELECT_FULL, &c, NULL), RUNG_OK);
    assert_int_equal(c.count, 4);
    for (uint32_t i = 0; i < c.count; i++) {
        const rung_backend *b = &c.ranked[i];
        bool native = strcmp(b->name, "native") == 0;
        assert_int_equal(b->native, native);
        assert_int_equal(b->available, 1);
        assert_string_equal(b->version, native                            ? RUNG_VERSION_STRING
                                        : strcmp(b->name, "jax") == 0     ? "0.7.2"
                                        : strcmp(b->name, "pytorch") == 0 ? "2.8.0"
                                                                          : "2.3.0");
    }
    assert_int_equal(c.asked_for, 0);
    assert_int_equal(c.cached, 0);
    assert_memory_equal(&c.chosen, &c.ranked[0], sizeof c.chosen);
}

static void unchecked_changes_nothing_but_what_cannot_be_had(void **state)
{
    (void)state;
    rung_choice c;
    assert_int_equal(ask("jax", RUNG_SELECT_UNCHECKED, &c, NULL), RUNG_OK);
    assert_int_equal(c.chosen.available, 1);
    assert_int_equal(ask(NULL, RUNG_SELECT_UNCHECKED, &c, NULL), RUNG_OK);
    assert_string_equal(c.chosen.name, "native");
}

static rung_status fails(const rung_backend_request *request, bool full, rung_facts *out, rung_error *err)
{
    (void)request, (void)full, (void)out;
    if (err != NULL)
        *err = (rung_error){RUNG_ERR_MEMORY, "out of memory"};
    return RUNG_ERR_MEMORY;
}

static void what_is_no_request(void **state)
{
    (void)state;
    rung_error err;
    rung_choice c;
    memset(&c, 0x5a, sizeof c);
    const rung_choice before = c;
    rung_backend_request request = {.flags = RUNG_SELECT_FRESH};
    assert_int_equal(rung_select_by(find_machine, NULL, NULL, &c, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_select_by(find_machine, &request, NULL, &c, &err), RUNG_ERR_ARGUMENT);
    request.registry = &rk_registry;
    assert_int_equal(rung_select_by(find_machine, &request, NULL, NULL, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_select_by(find_machine, &request, NULL, NULL, NULL), RUNG_ERR_ARGUMENT);
    request.flags = 32;
    assert_int_equal(rung_select_by(find_machine, &request, NULL, &c, &err), RUNG_ERR_ARGUMENT);
    request.flags = 0;
    rung_registry other = rk_registry;
    request.registry = &other;
    other.n_backends = 0;
    assert_int_equal(rung_select_by(find_machine, &request, NULL, &c, &err), RUNG_ERR_ARGUMENT);
    assert_string_equal(err.text, "the registry rk ranks no backends");
    other.abi++;
    assert_int_equal(rung_select_by(find_machine, &request, NULL, &c, &err), RUNG_ERR_ABI);
    request.registry = &rk_registry;
    assert_int_equal(rung_select_by(fails, &request, NULL, &c, &err), RUNG_ERR_MEMORY);
    assert_int_equal(err.status, RUNG_ERR_MEMORY);
    assert_memory_equal(&c, &before, sizeof c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_in_any_case_with_blanks_around),
        cmocka_unit_test(an_unknown_name_is_a_warning_and_the_automatic_choice),
        cmocka_unit_test(strictly_it_is_an_error_that_names_the_nearest),
        cmocka_unit_test(a_name_of_any_length),
        cmocka_unit_test(versions_and_marks),
        cmocka_unit_test(unchecked_changes_nothing_but_what_cannot_be_had),
        cmocka_unit_test(what_is_no_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
