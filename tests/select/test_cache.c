/* SPDX-License-Identifier: Apache-2.0
 *
 * What is kept between calls, what the log is told, and what a child of fork starts with.
 */
#include "machine.h"

#include <sys/wait.h>
#include <unistd.h>

static const machine jax = {.frameworks = {{"jax", RUNG_BUILT_CPU, "0.7.2", "", 0, NULL}}};
static const machine numpy = {.frameworks = {{"numpy", RUNG_BUILT_CPU, "2.3.0", "", 0, NULL}}};

/* Asks for the full list of a Python. */
static rung_choice ask(const rung_registry *registry, const char *python, unsigned flags)
{
    const rung_backend_request request = {.registry = registry, .python = python, .flags = flags};
    rung_choice c;
    rung_error err;
    rung_status status = rung_select_by(find_machine, &request, NULL, &c, &err);
    if (status != RUNG_OK)
        fail_msg("%s", err.text);
    return c;
}

static rung_choice ask_full(void)
{
    return ask(&rk_registry, NULL, RUNG_SELECT_FULL);
}

static int forget(void **state)
{
    (void)state;
    rung_select_refresh();
    rung_log_set(NULL, NULL, RUNG_LOG_INFO);
    the_machine = &jax;
    looked = 0;
    return 0;
}

static void a_cached_answer_says_so(void **state)
{
    (void)state;
    assert_int_equal(ask_full().cached, 0);
    the_machine = &numpy;
    rung_choice c = ask_full();
    assert_int_equal(c.cached, 1);
    assert_string_equal(c.chosen.name, "jax");
    assert_int_equal(looked, 1);
}

/* Facts are kept, not answers: what is asked for may change. */
static void another_question_about_the_same_facts(void **state)
{
    (void)state;
    (void)ask_full();
    const rung_problem problem = {500000, 1200, 100};
    const rung_backend_request request = {.registry = &rk_registry, .name = "native", .flags = RUNG_SELECT_FULL};
    rung_choice c;
    assert_int_equal(rung_select_by(find_machine, &request, &problem, &c, NULL), RUNG_OK);
    assert_int_equal(c.cached, 1);
    assert_string_equal(c.chosen.name, "native");
    assert_int_equal(c.needed_mb, 9920);
    assert_int_equal(looked, 1);
}

static void facts_belong_to_registry_python_and_full(void **state)
{
    (void)state;
    static rung_registry other;
    other = rk_registry;
    const struct {
        const rung_registry *registry;
        const char *python;
        unsigned flags;
    } keys[] = {
        {&rk_registry, NULL, RUNG_SELECT_FULL},     {&rk_registry, NULL, 0},     {&rk_registry, "", RUNG_SELECT_FULL},
        {&rk_registry, "/opt/a", RUNG_SELECT_FULL}, {&rk_registry, "/opt/b", 0}, {&other, NULL, RUNG_SELECT_FULL},
    };
    enum { KEYS = sizeof keys / sizeof *keys };
    for (int cached = 0; cached < 2; cached++)
        for (int i = 0; i < KEYS; i++)
            assert_int_equal(ask(keys[i].registry, keys[i].python, keys[i].flags).cached, cached);
    assert_int_equal(looked, KEYS);
    /* the text counts, not where it stands */
    char python[] = "/opt/a";
    assert_int_equal(ask(&rk_registry, python, RUNG_SELECT_FULL).cached, 1);
}

static void more_keys_than_are_kept(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        char python[32];
        (void)snprintf(python, sizeof python, "/opt/%d", i);
        assert_int_equal(ask(&rk_registry, python, RUNG_SELECT_FULL).cached, 0);
        assert_int_equal(ask(&rk_registry, python, RUNG_SELECT_FULL).cached, 1);
    }
}

static void a_python_with_a_name_that_is_too_long_to_be_kept(void **state)
{
    (void)state;
    static char python[100000];
    memset(python, 'x', sizeof python - 1);
    for (size_t len = sizeof python - 1; len > 1; len = len / 2) {
        python[len] = '\0';
        (void)ask(&rk_registry, python, RUNG_SELECT_FULL);
        assert_int_equal(ask(&rk_registry, python, RUNG_SELECT_FULL).cached, len < 1024);
    }
}

static void refresh_forgets(void **state)
{
    (void)state;
    rung_choice before = ask_full();
    the_machine = &numpy;
    rung_select_refresh();
    rung_choice c = ask_full();
    assert_int_equal(c.cached, 0);
    assert_string_equal(c.chosen.name, "native");
    assert_string_equal(before.chosen.name, "jax"); /* a value, not a view */
}

static void fresh_neither_looks_nor_changes(void **state)
{
    (void)state;
    assert_int_equal(ask(&rk_registry, NULL, RUNG_SELECT_FULL | RUNG_SELECT_FRESH).cached, 0);
    assert_int_equal(ask_full().cached, 0);
    the_machine = &numpy;
    rung_choice c = ask(&rk_registry, NULL, RUNG_SELECT_FULL | RUNG_SELECT_FRESH);
    assert_int_equal(c.cached, 0);
    assert_string_equal(c.chosen.name, "native");
    c = ask_full();
    assert_int_equal(c.cached, 1);
    assert_string_equal(c.chosen.name, "jax");
}

/* What is found while all is forgotten is of before: it is the answer, and is not kept. */
static rung_status find_and_forget(const rung_backend_request *request, bool full, rung_facts *out, rung_error *err)
{
    rung_select_refresh();
    return find_machine(request, full, out, err);
}

static void what_is_found_before_a_refresh_is_not_kept_after_it(void **state)
{
    (void)state;
    const rung_backend_request request = {.registry = &rk_registry, .flags = RUNG_SELECT_FULL};
    rung_choice c;
    assert_int_equal(rung_select_by(find_and_forget, &request, NULL, &c, NULL), RUNG_OK);
    assert_string_equal(c.chosen.name, "jax");
    assert_int_equal(ask_full().cached, 0);
}

static rung_status fails(const rung_backend_request *request, bool full, rung_facts *out, rung_error *err)
{
    (void)request, (void)full, (void)out, (void)err;
    return RUNG_ERR_MEMORY;
}

static void a_failure_is_not_kept(void **state)
{
    (void)state;
    const rung_backend_request request = {.registry = &rk_registry, .flags = RUNG_SELECT_FULL};
    rung_choice c;
    assert_int_equal(rung_select_by(fails, &request, NULL, &c, NULL), RUNG_ERR_MEMORY);
    assert_int_equal(ask_full().cached, 0);
}

/* ---- the log ----------------------------------------------------------------------------------------------------- */

static char told[8192];
static rung_text told_text;

static void keep(rung_log_level level, const char *line, void *user)
{
    (void)user;
    rung_text_join(&told_text, (const char *const[]){level == RUNG_LOG_INFO ? "info " : "debug ", line, "\n", NULL});
}

static void listen(rung_log_level level)
{
    told_text = rung_text_in(told, sizeof told);
    rung_log_set(keep, NULL, level);
}

static void a_miss_is_told_and_a_hit_is_not(void **state)
{
    (void)state;
    listen(RUNG_LOG_DEBUG);
    (void)ask_full();
    assert_string_equal(
        told,
        "debug rk: candidate jax on tpu, score 100: not available: tpu: not on this machine\n"
        "debug rk: candidate jax on gpu, score 90: not available: cuda: not on this machine\n"
        "debug rk: candidate pytorch on cuda:0, score 85: not available: not installed (Python 3.12 of /opt/venv, "
        "VIRTUAL_ENV)\n"
        "debug rk: candidate pytorch on cuda:0, score 85: not available: not installed (Python 3.12 of /opt/venv, "
        "VIRTUAL_ENV)\n"
        "debug rk: candidate pytorch on mps, score 80: not available: not installed (Python 3.12 of /opt/venv, "
        "VIRTUAL_ENV)\n"
        "debug rk: candidate native on cpu/x86-64-v3, score 70: not available: the platform that is opened is "
        "cpu/x86-64-v3\n"
        "debug rk: candidate jax on cpu, score 60: JAX with JIT compilation\n"
        "debug rk: candidate pytorch on cpu, score 50: not available: not installed (Python 3.12 of /opt/venv, "
        "VIRTUAL_ENV)\n"
        "debug rk: candidate native on cpu/x86-64-v3, score 40: Rung's own kernels on the processor\n"
        "debug rk: candidate numpy, score 30: not available: not installed (Python 3.12 of /opt/venv, "
        "VIRTUAL_ENV)\n"
        "info rk: chosen backend jax on cpu, score 60: JAX with JIT compilation\n"
        "info rk: JAX compiles for the processor (JIT); a GPU or TPU would be faster\n");
    listen(RUNG_LOG_DEBUG);
    (void)ask_full();
    assert_string_equal(told, "");
    listen(RUNG_LOG_INFO);
    rung_select_refresh();
    (void)ask_full();
    assert_string_equal(told, "info rk: chosen backend jax on cpu, score 60: JAX with JIT compilation\n"
                              "info rk: JAX compiles for the processor (JIT); a GPU or TPU would be faster\n");
}

static void warnings_are_told_whenever_they_are_given(void **state)
{
    (void)state;
    (void)ask_full();
    listen(RUNG_LOG_INFO);
    const rung_backend_request request = {.registry = &rk_registry, .name = "jay", .flags = RUNG_SELECT_FULL};
    rung_choice c;
    assert_int_equal(rung_select_by(find_machine, &request, NULL, &c, NULL), RUNG_OK);
    assert_int_equal(c.cached, 1);
    assert_string_equal(told, "info rk: warning: unknown backend \"jay\": chosen automatically; valid names: jax, "
                              "pytorch, native, numpy\n");
}

static void what_cannot_be_had_is_told_too(void **state)
{
    (void)state;
    listen(RUNG_LOG_DEBUG);
    const rung_backend_request request = {.registry = &rk_registry, .name = "pytorch"};
    rung_choice c;
    assert_int_equal(rung_select_by(find_machine, &request, NULL, &c, NULL), RUNG_ERR_UNAVAILABLE);
    assert_non_null(strstr(told, "candidate pytorch on cpu, score 50: not available: not installed"));
    assert_null(strstr(told, "info"));
}

/* A callback that itself chooses, anew and from the cache, and forgets: it neither waits for itself nor is it told of
 * what it does. */
static void choose_and_forget(rung_log_level level, const char *line, void *user)
{
    keep(level, line, NULL);
    unsigned *calls = user;
    ++*calls;
    (void)ask_full();
    (void)ask(&rk_registry, "/opt/other", RUNG_SELECT_FULL);
    (void)ask(&rk_registry, NULL, RUNG_SELECT_FULL | RUNG_SELECT_FRESH);
    rung_select_refresh();
}

static void a_callback_may_choose_and_forget(void **state)
{
    (void)state;
    unsigned calls = 0;
    listen(RUNG_LOG_DEBUG);
    rung_log_set(choose_and_forget, &calls, RUNG_LOG_INFO);
    rung_choice c = ask_full();
    assert_string_equal(c.chosen.name, "jax");
    assert_int_equal(calls, 2);
    assert_string_equal(told, "info rk: chosen backend jax on cpu, score 60: JAX with JIT compilation\n"
                              "info rk: JAX compiles for the processor (JIT); a GPU or TPU would be faster\n");
}

/* What a finder tells is told while nothing is kept yet: a callback that chooses must not look for ever. */
static rung_status find_and_tell(const rung_backend_request *request, bool full, rung_facts *out, rung_error *err);

static void choose_again(rung_log_level level, const char *line, void *user)
{
    (void)level, (void)line;
    ++*(unsigned *)user;
    const rung_backend_request request = {.registry = &rk_registry, .flags = RUNG_SELECT_FULL};
    rung_choice c;
    assert_int_equal(rung_select_by(find_and_tell, &request, NULL, &c, NULL), RUNG_OK);
}

static rung_status find_and_tell(const rung_backend_request *request, bool full, rung_facts *out, rung_error *err)
{
    rung_platform *p;
    if (rung_platform_open(&rk_registry, "cpu/generic", 0, &p, err) == RUNG_OK)
        rung_platform_close(p);
    return find_machine(request, full, out, err);
}

static void a_callback_may_choose_while_facts_are_looked_for(void **state)
{
    (void)state;
    unsigned calls = 0;
    rung_log_set(choose_again, &calls, RUNG_LOG_INFO);
    const rung_backend_request request = {.registry = &rk_registry, .flags = RUNG_SELECT_FULL};
    rung_choice c;
    assert_int_equal(rung_select_by(find_and_tell, &request, NULL, &c, NULL), RUNG_OK);
    assert_int_equal(calls, 3); /* the platform, the choice and the advice */
    assert_string_equal(c.chosen.name, "jax");
}

/* ---- fork -------------------------------------------------------------------------------------------------------- */

static void a_child_looks_for_itself(void **state)
{
    (void)state;
    (void)ask_full();
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        the_machine = &numpy;
        const rung_backend_request request = {.registry = &rk_registry, .flags = RUNG_SELECT_FULL};
        rung_choice first, second;
        int right = rung_select_by(find_machine, &request, NULL, &first, NULL) == RUNG_OK && !first.cached &&
                    strcmp(first.chosen.name, "native") == 0 &&
                    rung_select_by(find_machine, &request, NULL, &second, NULL) == RUNG_OK && second.cached;
        rung_select_refresh();
        _exit(right ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(ask_full().cached, 1); /* the parent's are as before */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_cached_answer_says_so, forget),
        cmocka_unit_test_setup(another_question_about_the_same_facts, forget),
        cmocka_unit_test_setup(facts_belong_to_registry_python_and_full, forget),
        cmocka_unit_test_setup(more_keys_than_are_kept, forget),
        cmocka_unit_test_setup(a_python_with_a_name_that_is_too_long_to_be_kept, forget),
        cmocka_unit_test_setup(refresh_forgets, forget),
        cmocka_unit_test_setup(fresh_neither_looks_nor_changes, forget),
        cmocka_unit_test_setup(what_is_found_before_a_refresh_is_not_kept_after_it, forget),
        cmocka_unit_test_setup(a_failure_is_not_kept, forget),
        cmocka_unit_test_setup(a_miss_is_told_and_a_hit_is_not, forget),
        cmocka_unit_test_setup(warnings_are_told_whenever_they_are_given, forget),
        cmocka_unit_test_setup(what_cannot_be_had_is_told_too, forget),
        cmocka_unit_test_setup(a_callback_may_choose_and_forget, forget),
        cmocka_unit_test_setup(a_callback_may_choose_while_facts_are_looked_for, forget),
        cmocka_unit_test_setup(a_child_looks_for_itself, forget),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
