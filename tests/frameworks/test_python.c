/* SPDX-License-Identifier: Apache-2.0
 *
 * test_python.c: which Python a user of an environment gets, and where its packages are.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pythons.h"

static int setup(void **state)
{
    tree *t = tree_new();
    tree_set(t, "PATH=/usr/local/bin:/usr/bin:/bin");
    tree_set(t, "HOME=/home/me");
    tree_set(t, "PWD=/home/me/project");
    *state = t;
    return 0;
}

static int teardown(void **state)
{
    tree_free(*state);
    return 0;
}

static void expect(tree *t, const char *python, const char *prefix, const char *version, const char *by)
{
    rung_python found = tree_python(t, python);
    assert_string_equal(found.prefix, prefix);
    assert_string_equal(found.version, version);
    assert_string_equal(found.found_by, by);
    for (int i = 0; i < RUNG_FRAMEWORKS; i++)
        assert_int_equal(found.framework[i].state == RUNG_FRAMEWORK_NO_PYTHON, prefix[0] == '\0');
}

/* The version of numpy that is seen tells which folder was. */
static void expect_numpy(tree *t, const char *version)
{
    rung_framework numpy = tree_framework(t, "numpy");
    assert_string_equal(numpy.version, version);
    assert_int_equal(numpy.state, version[0] == '\0' ? RUNG_FRAMEWORK_ABSENT : RUNG_FRAMEWORK_INSTALLED);
}

static void without_a_python_it_is_said(void **state)
{
    tree *t = *state;
    expect(t, NULL, "", "", "");
    rung_python found = tree_python(t, NULL);
    assert_string_equal(found.framework[0].detail, "no environment is active, and there is no python3 on PATH");
    assert_string_equal(found.framework[3].name, "tensorflow");
    t->variables = 0;
    memset(t->environment, 0, sizeof t->environment);
    expect(t, NULL, "", "", "");
    expect(t, ".venv", "", "", "");
}

static void python3_on_path_is_taken(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(PYTHON("/usr", "3.11")));
    expect(t, NULL, "/usr", "3.11", "python3 on PATH");
    /* the first one */
    tree_add(t, FILES(PYTHON("/usr/local", "3.9")));
    expect(t, NULL, "/usr/local", "3.9", "python3 on PATH");
    /* a folder and a link that leads nowhere are none */
    tree_add(t, FILES({"/first/python3/", NULL}, {"/second/python3", "-> nowhere"}, {"/third/python3", "-> python3"}));
    tree_set(t, "PATH=/first:/second:/third::relative:/usr/bin");
    expect(t, NULL, "/usr", "3.11", "python3 on PATH");
    /* from below another name */
    tree_add(t, FILES({"/home/me/bin/python3", "-> /opt/py/bin/python3.12"}, PYTHON("/opt/py", "3.12")));
    tree_set(t, "PATH=/home/me/bin:/usr/bin");
    expect(t, NULL, "/opt/py", "3.12", "python3 on PATH");
    /* /bin is a link, and the prefix is told without it */
    tree_add(t, FILES({"/bin", "-> usr/bin"}));
    tree_set(t, "PATH=/bin");
    expect(t, NULL, "/usr", "3.11", "python3 on PATH");
    /* `python` where there is no `python3` */
    tree_add(t, FILES({"/opt/old/bin/python", "-> python3.8"}, {"/opt/old/bin/python3.8", "\177ELF"},
                      {"/opt/old/lib/python3.8/os.py", ""}));
    tree_set(t, "PATH=/opt/old/bin");
    expect(t, NULL, "/opt/old", "3.8", "python on PATH");
}

static void what_may_not_be_run_is_no_python_of_path(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(PYTHON("/first", "3.9"), PYTHON("/usr", "3.11"), {"/second/python3", "#!/bin/sh\n"}));
    tree_set(t, "PATH=/first/bin:/second:/usr/bin");
    expect(t, NULL, "/first", "3.9", "python3 on PATH");
    tree_mode(t, "/first/bin/python3.9", 0644);
    tree_mode(t, "/second/python3", 0644);
    expect(t, NULL, "/usr", "3.11", "python3 on PATH");
    tree_mode(t, "/usr/bin/python3.11", 0750); /* its group may, whoever asks */
    expect(t, NULL, "", "", "");
    tree_mode(t, "/usr/bin/python3.11", 0711);
    expect(t, NULL, "/usr", "3.11", "python3 on PATH");
    const rung_world there = tree_world(t);
    assert_int_equal(rung_world_may_run(&there, "/usr/bin/python3.12"), ENOENT);
    /* this machine, where the system decides */
    char path[2 * TREE_PATH];
    (void)snprintf(path, sizeof path, "%s/usr/bin/python3", t->root);
    rung_world here = rung_this_world();
    assert_int_equal(rung_world_may_run(&here, path), 0);
    tree_mode(t, "/usr/bin/python3.11", 0644);
    assert_int_equal(rung_world_may_run(&here, path), EACCES);
}

static void an_empty_entry_of_path_is_where_we_are(void **state)
{
    tree *t = *state;
    static const char *const paths[] = {"PATH=:/gone", "PATH=/gone:", "PATH=/gone::/gone", "PATH=:", "PATH=bin:."};
    tree_add(t, FILES({"/home/me/project/python3", "-> /opt/py/bin/python3.9"}, PYTHON("/opt/py", "3.9")));
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        tree_set(t, paths[i]);
        expect(t, NULL, "/opt/py", "3.9", "python3 on PATH");
    }
    tree_set(t, "PATH=");
    expect(t, NULL, "", "", "");
}

static void a_script_is_passed(void **state)
{
    tree *t = *state;
    tree_add(t,
             FILES(PYTHON("/usr", "3.11"), {"/usr/local/bin/python3", "#!/bin/sh\nexec /somewhere/python3 \"$@\"\n"}));
    expect(t, NULL, "/usr", "3.11", "python3 on PATH, past a script");
}

static void virtual_env_is_first(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(PYTHON("/usr", "3.11"), VENV("/home/me/env", "3.11"), PYTHON("/opt/conda", "3.12"),
                      VENV("/home/me/project/.venv", "3.11")));
    tree_set(t, "VIRTUAL_ENV=/home/me/env");
    tree_set(t, "CONDA_PREFIX=/opt/conda");
    tree_set(t, "UV_PROJECT_ENVIRONMENT=other");
    expect(t, NULL, "/home/me/env", "3.11", "VIRTUAL_ENV");
    tree_set(t, "VIRTUAL_ENV=");
    expect(t, NULL, "/opt/conda", "3.12", "CONDA_PREFIX");
    tree_set(t, "CONDA_PREFIX=");
    tree_add(t, FILES(VENV("/home/me/project/other", "3.11")));
    expect(t, NULL, "/home/me/project/other", "3.11", "UV_PROJECT_ENVIRONMENT");
    tree_set(t, "UV_PROJECT_ENVIRONMENT=");
    expect(t, NULL, "/home/me/project/.venv", "3.11", ".venv");
}

static void a_variable_that_is_left_over_is_passed(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(PYTHON("/usr", "3.11")));
    tree_set(t, "VIRTUAL_ENV=/home/me/gone");
    expect(t, NULL, "/usr", "3.11", "python3 on PATH; VIRTUAL_ENV names none");
    /* a folder that is no environment any more */
    tree_add(t, FILES({"/home/me/gone/bin/python3", "-> /usr/bin/python3"}));
    expect(t, NULL, "/usr", "3.11", "python3 on PATH; VIRTUAL_ENV names none");
    /* its Python was removed */
    tree_add(t, FILES(VENV("/home/me/gone", "3.10"), {"/home/me/gone/bin/python3", "-> /usr/bin/python3.10"}));
    expect(t, NULL, "/usr", "3.11", "python3 on PATH; VIRTUAL_ENV names none");
    /* a folder called pyvenv.cfg makes none */
    tree_add(t, FILES({"/home/me/gone/bin/python3", "-> /usr/bin/python3"}, {"/home/me/gone/pyvenv.cfg", "-> bin"}));
    expect(t, NULL, "/usr", "3.11", "python3 on PATH; VIRTUAL_ENV names none");
    tree_set(t, "CONDA_PREFIX=/opt/conda");
    tree_add(t, FILES({"/opt/conda/bin/R", ""}));
    expect(t, NULL, "/usr", "3.11", "python3 on PATH; VIRTUAL_ENV names none; CONDA_PREFIX names none");
    tree_set(t, "PATH=/nowhere");
    rung_python found = tree_python(t, NULL);
    assert_string_equal(found.framework[1].detail, "no environment is active, and there is no python3 on PATH; "
                                                   "VIRTUAL_ENV names none; CONDA_PREFIX names none");
}

/* CPython 3.8 to 3.13 have sys.prefix there in each of these: Lib/site.py asks for the file only, and
 * Modules/getpath.py looks at `home` for the installation. */
static void any_pyvenv_cfg_makes_an_environment(void **state)
{
    tree *t = *state;
    static const struct {
        const char *config, *numpy;
    } cases[] = {
        {"", "1.2"}, /* of the installation that the interpreter is in */
        {"version = 3.11.2\n", "1.2"},
        {"\xff\xfe\x01 garbage\n", "1.2"},
        {"home = bin\n", "1.2"},
        {"home =\n", "1.2"},
        {"home = bin\ninclude-system-site-packages = false\n", ""},
        {"include-system-site-packages = false\n", ""},
        {"home = /other/bin\n", "1.3"},
        {"home = /gone/bin\n", "1.2"},
        {"home = /other/bin\nhome = bin\n", "1.3"}, /* the first one counts */
        /* a mark of byte order belongs to the first key */
        {"\xef\xbb\xbfhome = /other/bin\ninclude-system-site-packages = true\n", "1.2"},
        {"\xef\xbb\xbfhome = /usr/bin\ninclude-system-site-packages = false\n", ""},
        {"\xef\xbb\xbfinclude-system-site-packages = false\nhome = /usr/bin\n", "1.2"},
    };
    tree_set(t, "VIRTUAL_ENV=/env");
    tree_add(t, FILES(PYTHON("/usr", "3.11"), VENV("/env", "3.11"), PYTHON("/other", "3.11"),
                      NUMPY("/usr/lib/python3.11/site-packages", "1.2"),
                      NUMPY("/other/lib/python3.11/site-packages", "1.3")));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tree_add(t, FILES({"/env/pyvenv.cfg", cases[i].config}));
        expect(t, NULL, "/env", "3.11", "VIRTUAL_ENV");
        expect_numpy(t, cases[i].numpy);
        expect(t, "/env/bin/python", "/env", "3.11", "--python");
    }
    /* its version is its folder's, where neither the interpreter nor the file tells one */
    tree_add(t, FILES({"/env/bin/python3", "\177ELF"}, {"/env/pyvenv.cfg", ""}));
    expect(t, NULL, "/env", "3.11", "VIRTUAL_ENV");
}

static void a_virtual_environment_has_its_own_packages(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(PYTHON("/usr", "3.11"), VENV("/env", "3.11"),
                      NUMPY("/home/me/.local/lib/python3.11/site-packages", "1.1"),
                      NUMPY("/usr/lib/python3.11/site-packages", "1.2")));
    tree_set(t, "VIRTUAL_ENV=/env");
    expect_numpy(t, "");
    tree_add(t, FILES(NUMPY("/env/lib/python3.11/site-packages", "1.3")));
    expect_numpy(t, "1.3");
    rung_framework numpy = tree_framework(t, "numpy");
    assert_string_equal(numpy.path, "/env/lib/python3.11/site-packages");
    assert_string_equal(numpy.detail, "");
}

static void one_with_system_packages_sees_them(void **state)
{
    tree *t = *state;
    tree_set(t, "VIRTUAL_ENV=/env");
    tree_add(t, FILES(PYTHON("/usr", "3.11"), VENV("/env", "3.11"), NUMPY("/usr/lib/python3.11/site-packages", "1.2")));
    /* `true` in any letter case; nothing is `true` too (Lib/site.py) */
    tree_add(t, FILES({"/env/pyvenv.cfg", "home = /usr/bin\nInclude-System-Site-Packages = TRUE\n"}));
    expect_numpy(t, "1.2");
    tree_add(t, FILES({"/env/pyvenv.cfg", "home = /usr/bin\n"}));
    expect_numpy(t, "1.2");
    tree_add(t, FILES({"/env/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = yes\n"}));
    expect_numpy(t, "");
    /* the user's come before the system's, and the environment's own before both */
    tree_add(t, FILES({"/env/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = true\n"},
                      NUMPY("/home/me/.local/lib/python3.11/site-packages", "1.1")));
    expect_numpy(t, "1.1");
    tree_add(t, FILES(NUMPY("/env/lib/python3.11/site-packages", "1.3")));
    expect_numpy(t, "1.3");
    rung_framework numpy = tree_framework(t, "numpy");
    assert_string_equal(numpy.detail, "hides /home/me/.local/lib/python3.11/site-packages/numpy");
}

static void its_version_is_found_in_many_ways(void **state)
{
    tree *t = *state;
    tree_set(t, "VIRTUAL_ENV=/env");
    /* by the name of what it links to, whatever was written when it was made */
    tree_add(t, FILES(PYTHON("/usr", "3.12"), VENV("/env", "3.11"), NUMPY("/env/lib/python3.11/site-packages", "1.1")));
    expect(t, NULL, "/env", "3.12", "VIRTUAL_ENV");
    expect_numpy(t, "");
    /* by pyvenv.cfg, as venv, virtualenv and uv write it, where the interpreter is a copy */
    tree_add(t, FILES({"/env/bin/python3", "\177ELF"}));
    expect(t, NULL, "/env", "3.11", "VIRTUAL_ENV");
    expect_numpy(t, "1.1");
    tree_add(t,
             FILES({"/env/pyvenv.cfg", "home = /usr/bin\nimplementation = CPython\nversion_info = 3.11.4.final.0\n"}));
    expect(t, NULL, "/env", "3.11", "VIRTUAL_ENV");
    /* by its folder */
    tree_add(t, FILES({"/env/pyvenv.cfg", "home = /usr/bin\n"}));
    expect(t, NULL, "/env", "3.11", "VIRTUAL_ENV");
    tree_add(t, FILES({"/env/pyvenv.cfg", "home = /usr/bin\nversion = 3.13.1\n"}));
    expect(t, NULL, "/env", "3.13", "VIRTUAL_ENV");
}

static void free_threads_and_pypy_have_folders_of_their_own(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(PYTHON("/usr", "3.13"), PYTHON("/opt/free", "3.13t"), PYTHON("/opt/free", "3.13"),
                      NUMPY("/opt/free/lib/python3.13t/site-packages", "2.1"),
                      NUMPY("/opt/free/lib/python3.13/site-packages", "2.2"),
                      NUMPY("/home/me/.local/lib/python3.13/site-packages", "2.3")));
    rung_python found = tree_python(t, "/opt/free/bin/python3.13t");
    assert_string_equal(found.version, "3.13");
    assert_string_equal(rung_python_framework(&found, "numpy")->version, "2.1");
    found = tree_python(t, "/opt/free/bin/python3.13");
    assert_string_equal(rung_python_framework(&found, "numpy")->version, "2.3");
    tree_add(t,
             FILES({"/free/bin/python3", "-> /opt/free/bin/python3.13t"},
                   {"/free/pyvenv.cfg", "home = /opt/free/bin\nversion = 3.13.0\ninclude-system-site-packages=false"},
                   NUMPY("/free/lib/python3.13t/site-packages", "2.4")));
    found = tree_python(t, "/free");
    assert_string_equal(rung_python_framework(&found, "numpy")->version, "2.4");
    tree_add(t, FILES({"/opt/pypy/bin/pypy3", "-> pypy3.10"}, {"/opt/pypy/bin/pypy3.10", "\177ELF"},
                      {"/opt/pypy/lib/pypy3.10/os.py", ""}, NUMPY("/opt/pypy/lib/pypy3.10/site-packages", "1.26")));
    found = tree_python(t, "/opt/pypy");
    assert_string_equal(found.version, "3.10");
    assert_string_equal(rung_python_framework(&found, "numpy")->version, "1.26");
}

static void conda_is_found_as_base_and_as_environment(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(PYTHON("/opt/conda", "3.12"), PYTHON("/opt/conda/envs/fit", "3.10"), PYTHON("/usr", "3.11"),
                      NUMPY("/opt/conda/lib/python3.12/site-packages", "2.0"),
                      NUMPY("/opt/conda/envs/fit/lib/python3.10/site-packages", "1.2")));
    tree_set(t, "CONDA_PREFIX=/opt/conda");
    expect(t, NULL, "/opt/conda", "3.12", "CONDA_PREFIX");
    expect_numpy(t, "2.0");
    tree_set(t, "CONDA_PREFIX=/opt/conda/envs/fit/");
    expect(t, NULL, "/opt/conda/envs/fit", "3.10", "CONDA_PREFIX");
    expect_numpy(t, "1.2");
    /* through a link to the whole of it */
    tree_add(t, FILES({"/conda", "-> /opt/conda"}));
    tree_set(t, "CONDA_PREFIX=/conda");
    expect(t, NULL, "/opt/conda", "3.12", "CONDA_PREFIX");
}

static void debian_keeps_packages_elsewhere(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(PYTHON("/usr", "3.11"), NUMPY("/usr/lib/python3.11/site-packages", "1.0"),
                      {"/usr/lib/python3/dist-packages/", NULL}));
    expect_numpy(t, ""); /* site-packages is not Debian's */
    tree_add(t, FILES(NUMPY("/usr/lib/python3.11/dist-packages", "1.1")));
    expect_numpy(t, "1.1");
    tree_add(t, FILES({"/usr/lib/python3/dist-packages/numpy/__init__.py", ""},
                      {"/usr/lib/python3/dist-packages/numpy/version.py", "from ._version import get_versions\n"},
                      {"/usr/lib/python3/dist-packages/numpy-1.2.egg-info", "Name: numpy\nVersion: 1.2\n\n"}));
    expect_numpy(t, "1.2");
    tree_add(t, FILES(NUMPY("/usr/local/lib/python3.11/dist-packages", "1.3")));
    expect_numpy(t, "1.3");
    tree_add(t, FILES(NUMPY("/home/me/.local/lib/python3.11/site-packages", "1.4")));
    expect_numpy(t, "1.4");
    /* one that was built by hand, on the same machine */
    tree_add(t, FILES(PYTHON("/usr/local", "3.11"), NUMPY("/usr/local/lib/python3.11/site-packages", "1.5")));
    tree_set(t, "PYTHONNOUSERSITE=1");
    expect_numpy(t, "1.5");
}

static void fedora_has_two_folders(void **state)
{
    tree *t = *state;
    tree_add(t, FILES({"/usr/bin/python3", "-> python3.12"}, {"/usr/bin/python3.12", "\177ELF"},
                      {"/usr/lib64/python3.12/os.py", ""}, NUMPY("/usr/lib/python3.12/site-packages", "1.0")));
    expect(t, NULL, "/usr", "3.12", "python3 on PATH");
    expect_numpy(t, "1.0");
    tree_add(t, FILES(NUMPY("/usr/lib64/python3.12/site-packages", "1.1")));
    expect_numpy(t, "1.1");
    /* pip writes elsewhere, and what it has written is seen first */
    tree_add(t, FILES(NUMPY("/usr/local/lib/python3.12/site-packages", "1.2"),
                      NUMPY("/usr/local/lib/python3.11/site-packages", "1.9")));
    expect_numpy(t, "1.2");
    tree_add(t, FILES(NUMPY("/usr/local/lib64/python3.12/site-packages", "1.3")));
    expect_numpy(t, "1.3");
    tree_add(t, FILES(NUMPY("/home/me/.local/lib/python3.12/site-packages", "1.4")));
    expect_numpy(t, "1.4");
    tree_set(t, "PYTHONNOUSERSITE=1");
    /* not from within a virtual environment, nor by a Python of another prefix */
    tree_add(t, FILES(VENV("/env", "3.12"), {"/env/pyvenv.cfg", "home = /usr/bin\n"}));
    tree_set(t, "VIRTUAL_ENV=/env");
    expect_numpy(t, "1.1");
    tree_set(t, "VIRTUAL_ENV=");
    tree_add(t, FILES(PYTHON("/opt/py", "3.12")));
    tree_set(t, "PATH=/opt/py/bin");
    expect_numpy(t, "");
}

static void the_users_packages_are_found(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(PYTHON("/usr", "3.11"), NUMPY("/home/me/.local/lib/python3.11/site-packages", "1.0"),
                      NUMPY("/base/lib/python3.11/site-packages", "1.1"),
                      NUMPY("/usr/lib/python3.11/site-packages", "1.2")));
    expect_numpy(t, "1.0");
    tree_set(t, "PYTHONUSERBASE=/base");
    expect_numpy(t, "1.1");
    tree_set(t, "PYTHONNOUSERSITE=");
    expect_numpy(t, "1.1");
    tree_set(t, "PYTHONNOUSERSITE=x");
    expect_numpy(t, "1.2");
}

static void a_framework_on_macos_has_another_folder(void **state)
{
    tree *t = *state;
#define FRAMEWORK "/Library/Frameworks/Python.framework/Versions/3.12"
    tree_add(t, FILES(PYTHON(FRAMEWORK, "3.12"), {"/usr/local/bin/python3", "-> " FRAMEWORK "/bin/python3"},
                      NUMPY("/home/me/Library/Python/3.12/lib/python/site-packages", "1.0"),
                      NUMPY("/home/me/.local/lib/python3.12/site-packages", "1.1")));
    t->system = "macos";
    expect(t, NULL, FRAMEWORK, "3.12", "python3 on PATH");
    expect_numpy(t, "1.0");
    t->system = "linux";
    expect_numpy(t, "1.1");
}

static void pythonpath_is_first(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(PYTHON("/usr", "3.11"), VENV("/env", "3.11"), NUMPY("/env/lib/python3.11/site-packages", "1.0"),
                      NUMPY("/home/me/project/here", "1.1"), NUMPY("/there", "1.2"), NUMPY("/home/me/project", "1.3"),
                      NUMPY("/named", "1.4"), {"/nothing/names.pth", "/named\n"}));
    tree_set(t, "VIRTUAL_ENV=/env");
    expect_numpy(t, "1.0");
    tree_set(t, "PYTHONPATH=/gone:here:/there");
    expect_numpy(t, "1.1");
    tree_set(t, "PYTHONPATH=/there:here");
    expect_numpy(t, "1.2");
    tree_set(t, "PYTHONPATH=:/there"); /* an empty one is where we are */
    expect_numpy(t, "1.3");
    tree_set(t, "PYTHONPATH=/gone:");
    expect_numpy(t, "1.3");
    tree_set(t, "PYTHONPATH=");
    expect_numpy(t, "1.0");
    tree_set(t, "PYTHONPATH=/nothing"); /* .pth files do not count there */
    expect_numpy(t, "1.0");
}

static void pythonhome_takes_the_place_of_every_installation(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(PYTHON("/usr", "3.11"), VENV("/env", "3.11"), PYTHON("/moved", "3.11"),
                      NUMPY("/moved/lib/python3.11/site-packages", "1.0")));
    tree_set(t, "PYTHONHOME=/moved:/exec");
    expect(t, NULL, "/moved", "3.11", "python3 on PATH");
    expect_numpy(t, "1.0");
    /* a virtual environment stays one, which is made from there */
    expect(t, "/env/bin/python3", "/env", "3.11", "--python");
    tree_set(t, "VIRTUAL_ENV=/env");
    expect(t, NULL, "/env", "3.11", "VIRTUAL_ENV");
    expect_numpy(t, "");
    tree_add(t, FILES({"/env/pyvenv.cfg", "home = /usr/bin\n"}));
    expect_numpy(t, "1.0");
    tree_set(t, "VIRTUAL_ENV=");
    tree_set(t, "PYTHONHOME=/gone");
    expect(t, NULL, "", "", "");
    rung_python found = tree_python(t, "/env/bin/python3");
    assert_string_equal(found.framework[0].detail, "PYTHONHOME names /gone, which has no Python library");
}

static void pth_files_name_folders(void **state)
{
    tree *t = *state;
#define SITE "/usr/lib/python3.11/site-packages"
    tree_add(t, FILES(PYTHON("/usr", "3.11"), NUMPY("/code/a", "1.0"), NUMPY("/code/b", "1.1"), NUMPY(SITE "/c", "1.2"),
                      NUMPY("/code/deep", "1.3"), {"/code/b/deep.pth", "/code/deep\n"},
                      {SITE "/.hidden.pth", "/code/a\n"}, {SITE "/no.pth.txt", "/code/a\n"}));
    expect_numpy(t, "");
    tree_add(t, FILES({SITE "/code.pth", "# /code/a\nimport sys; sys.path.append('/code/a')\nimport\t/code/a\n"}));
    expect_numpy(t, "");
    tree_add(t, FILES({SITE "/z.pth", "\xef\xbb\xbf\r\n/gone\r\n  \n/code/b \t\r\n/code/a"}));
    expect_numpy(t, "1.1");
    tree_add(t, FILES({SITE "/a.pth", "c\n/code/a\n"})); /* in the order of their names; relative to the site */
    expect_numpy(t, "1.2");
    tree_add(t, FILES(NUMPY(SITE, "1.4"))); /* the site itself is before what it names */
    expect_numpy(t, "1.4");
    /* what is named in a folder that was named is not followed */
    tree_add(t, FILES({"/usr/lib/python3.12/site-packages/a.pth", "/code/again\n"}, {"/code/again/b.pth", "/code/a\n"},
                      PYTHON("/usr", "3.12")));
    expect_numpy(t, "");
}

static void python_can_be_named_in_all_forms(void **state)
{
    tree *t = *state;
    tree_add(t,
             FILES(PYTHON("/usr", "3.11"), VENV("/home/me/project/env", "3.11"), PYTHON("/opt/py", "3.9"),
                   {"/opt/py/bin/tool", "\177ELF"}, {"/home/me/project/python-wrap", "#!/bin/sh\nexec env/bin/python3"},
                   {"/usr/bin/python3-config", "-> python3.11-config"},
                   {"/usr/bin/python3.11-config", "#!/bin/sh\necho /usr\n"}));
    static const char *const envs[] = {
        "/home/me/project/env",           "env", "./env/", "env/bin/python3", "././env/bin/python",
        "/home/me/project/env/bin/python"};
    for (size_t i = 0; i < sizeof envs / sizeof *envs; i++)
        expect(t, envs[i], "/home/me/project/env", "3.11", "--python");
    static const char *const prefixes[] = {"/opt/py", "/opt/py/bin/python3", "/opt/py//bin/python3.9", "/opt/py/"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        expect(t, prefixes[i], "/opt/py", "3.9", "--python");
    expect(t, "/usr", "/usr", "3.11", "--python");
    tree_set(t, "VIRTUAL_ENV=/home/me/project/env");
    expect(t, "/opt/py", "/opt/py", "3.9", "--python");
    static const struct {
        const char *path, *why;
    } none[] = {
        {"", "\"\" is no path"},
        {"/gone", "there is no file /gone"},
        {"/home/me", "/home/me has no bin/python3"},
        {"/opt/py/bin/tool", "/opt/py/bin/tool is no Python by its name"},
        {"/opt/py/bin/python3.8", "there is no file /opt/py/bin/python3.8"},
        {"./python-wrap", "./python-wrap is a script: name the interpreter or the environment that it starts"},
        {"/usr/bin/python3-config",
         "/usr/bin/python3-config is a script: name the interpreter or the environment that it starts"},
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        expect(t, none[i].path, "", "", "");
        rung_python found = tree_python(t, none[i].path);
        assert_string_equal(found.framework[2].detail, none[i].why);
    }
    tree_add(t, FILES({"/lonely/python3.11", "\177ELF"}, {"/strange/bin/python3", "-> /opt/py/bin/tool"}));
    rung_python found = tree_python(t, "/lonely/python3.11");
    assert_string_equal(found.framework[2].detail, "no Python library belongs to /lonely/python3.11");
    expect(t, "/strange", "/opt/py", "3.9", "--python");
}

static void a_root_that_has_usrs_folders_is_usr(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(PYTHON("/usr", "3.11"), {"/lib", "-> usr/lib"}, {"/bin", "-> usr/bin"}, VENV("/env", "3.11"),
                      {"/srv/tools/python3.11", "\177ELF"}, {"/srv/tools/python-other", "\177ELF"},
                      NUMPY("/usr/lib/python3.11/dist-packages", "1.1")));
    expect(t, "/srv/tools/python3.11", "/usr", "3.11", "--python");
    expect(t, "/srv/tools/python-other", "/usr", "3.11", "--python");
    tree_add(t, FILES({"/env/pyvenv.cfg", "home = /bin\n"}));
    tree_set(t, "VIRTUAL_ENV=/env");
    expect_numpy(t, "1.1"); /* Debian's folders are those of /usr */
    /* where nothing is a link, the root may be one */
    tree_remove(t, "/lib");
    tree_add(t, FILES({"/lib/python3.12/os.py", ""}, {"/srv/tools/python3.12", "\177ELF"}));
    expect(t, "/srv/tools/python3.12", "/", "3.12", "--python");
}

static void long_paths_are_told_whole_or_not_at_all(void **state)
{
    tree *t = *state;
    char env[1024], file[2048], too_long[1200];
    /* 300 letters of two bytes */
    int len = snprintf(env, sizeof env, "/home");
    for (int i = 0; i < 300; i++)
        len += snprintf(env + len, sizeof env - (size_t)len, i % 100 == 0 ? "/\xc3\xa9" : "\xc3\xa9");
    assert_int_equal(len, (int)strlen(env));
    tree_add(t, FILES(PYTHON("/usr", "3.11")));
    static const char *const names[][2] = {{"bin/python3", "\177ELF"},
                                           {"pyvenv.cfg", "home = /usr/bin\nversion = 3.11.2\n"},
                                           {"lib/python3.11/site-packages/numpy", "not a folder"},
                                           {"lib/python3.11/site-packages/numpy.py", ""},
                                           {"lib/python3.11/site-packages/torch/__init__.py", ""},
                                           {"lib/python3.11/site-packages/torch/version.py", "__version__ = '2.1'"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)snprintf(file, sizeof file, "%s/%s", env, names[i][0]);
        tree_add(t, FILES({file, names[i][1]}));
    }
    expect(t, env, env, "3.11", "--python");
    rung_python found = tree_python(t, env);
    (void)snprintf(file, sizeof file, "%s/lib/python3.11/site-packages", env);
    assert_string_equal(rung_python_framework(&found, "torch")->path, file);
    /* a detail ends with a whole letter */
    const char *detail = rung_python_framework(&found, "numpy")->detail;
    assert_int_equal(strlen(detail), 190);
    assert_memory_equal(detail + 188, "\xc3\xa9", 2);
    memset(too_long, 'x', sizeof too_long - 1);
    too_long[0] = '/';
    too_long[sizeof too_long - 1] = '\0';
    expect(t, too_long, "", "", "");
    found = tree_python(t, too_long);
    assert_string_equal(found.framework[0].detail, "it is longer than the 1,023 bytes that a path may have");
}

static void details_are_utf8_whatever_names_are(void **state)
{
    tree *t = *state;
    static const char *const paths[][2] = {
        {"/h\xc3\xa9/\xe2\x82\xac", "there is no file /h\xc3\xa9/\xe2\x82\xac"},
        {"/h\xe9/\x1b[2J\n\x7f\xc2\x9b", "there is no file /h?/?[2J???"},
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        rung_python found = tree_python(t, paths[i][0]);
        assert_string_equal(found.framework[0].detail, paths[i][1]);
    }
}

/* ---- pyenv ------------------------------------------------------------------------------------------------------- */

#define SHIM                                                                                                           \
    "#!/usr/bin/env bash\nset -e\nprogram=\"${0##*/}\"\n\nexport PYENV_ROOT=\"/home/me/.pyenv\"\n"                     \
    "exec \"/home/me/.pyenv/libexec/pyenv\" exec \"$program\" \"$@\"\n"
#define VERSIONS "/home/me/.pyenv/versions"

static void pyenv_tree(tree *t)
{
    tree_add(t, FILES({"/home/me/.pyenv/shims/python3", SHIM}, PYTHON(VERSIONS "/3.11.2", "3.11"),
                      PYTHON(VERSIONS "/3.11.10", "3.11"), PYTHON(VERSIONS "/3.12.1", "3.12"), PYTHON("/usr", "3.9"),
                      {VERSIONS "/3.11.10-debug/", NULL}));
    tree_set(t, "PATH=/home/me/.pyenv/shims:/usr/bin");
}

static void a_shim_of_pyenv_is_followed(void **state)
{
    tree *t = *state;
    pyenv_tree(t);
    expect(t, NULL, "/usr", "3.9", "python3 on PATH, past pyenv"); /* none is chosen */
    tree_add(t, FILES({"/home/me/.pyenv/version", "3.12.1\n"}));
    expect(t, NULL, VERSIONS "/3.12.1", "3.12", "pyenv, its file version");
    tree_add(t, FILES({"/home/me/.python-version", "# mine\n\n 3.11.2 and words\n"}));
    expect(t, NULL, VERSIONS "/3.11.2", "3.11", "pyenv, .python-version");
    tree_add(t, FILES({"/home/me/project/.python-version", "3.12.1"}));
    expect(t, NULL, VERSIONS "/3.12.1", "3.12", "pyenv, .python-version");
    tree_set(t, "PYENV_DIR=/home/me");
    expect(t, NULL, VERSIONS "/3.11.2", "3.11", "pyenv, .python-version");
    tree_set(t, "PYENV_VERSION=3.12.1");
    expect(t, NULL, VERSIONS "/3.12.1", "3.12", "pyenv, PYENV_VERSION");
    expect(t, "/home/me/.pyenv/shims/python3", VERSIONS "/3.12.1", "3.12", "--python");
    tree_set(t, "VIRTUAL_ENV=/gone");
    expect(t, NULL, VERSIONS "/3.12.1", "3.12", "pyenv, PYENV_VERSION; VIRTUAL_ENV names none");
}

static void pyenv_takes_the_first_that_is_installed(void **state)
{
    tree *t = *state;
    static const struct {
        const char *variable, *prefix, *version, *by;
    } cases[] = {
        {"PYENV_VERSION=3.11", VERSIONS "/3.11.10", "3.11", "pyenv, PYENV_VERSION"}, /* the newest of these */
        {"PYENV_VERSION=3", VERSIONS "/3.12.1", "3.12", "pyenv, PYENV_VERSION"},
        {"PYENV_VERSION=python-3.11.2", VERSIONS "/3.11.2", "3.11", "pyenv, PYENV_VERSION"},
        {"PYENV_VERSION=3.8.1:gone:3.11.2:3.12.1", VERSIONS "/3.11.2", "3.11", "pyenv, PYENV_VERSION"},
        {"PYENV_VERSION=system", "/usr", "3.9", "python3 on PATH, past pyenv"},
        {"PYENV_VERSION=3.8:system:3.12.1", "/usr", "3.9", "python3 on PATH, past pyenv"},
        {"PYENV_VERSION=3.8", "/usr", "3.9", "python3 on PATH, past pyenv"},
        {"PYENV_VERSION=../../../opt/other", "/usr", "3.9", "python3 on PATH, past pyenv"},
        {"PYENV_VERSION=/opt/other", "/usr", "3.9", "python3 on PATH, past pyenv"},
        {"PYENV_VERSION=:::", "/usr", "3.9", "python3 on PATH, past pyenv"},
        {"PYENV_VERSION=fit", VERSIONS "/fit", "3.11", "pyenv, PYENV_VERSION"}, /* of pyenv-virtualenv */
    };
    pyenv_tree(t);
    tree_add(t, FILES(PYTHON("/home/opt/other", "3.7"), PYTHON("/opt/other", "3.7"),
                      {VERSIONS "/fit", "-> 3.11.2/envs/fit"},
                      {VERSIONS "/3.11.2/envs/fit/bin/python3", "-> " VERSIONS "/3.11.2/bin/python3.11"},
                      {VERSIONS "/3.11.2/envs/fit/pyvenv.cfg", "home = " VERSIONS "/3.11.2/bin\nversion = 3.11.2\n"}));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tree_set(t, cases[i].variable);
        expect(t, NULL, cases[i].prefix, cases[i].version, cases[i].by);
    }
    tree_set(t, "PYENV_VERSION=3.8");
    rung_python found = tree_python(t, "/home/me/.pyenv/shims/python3");
    assert_string_equal(found.framework[0].detail,
                        "/home/me/.pyenv/shims/python3 is a script of pyenv, which has none chosen");
}

static void pyenv_is_found_by_its_own_folder(void **state)
{
    tree *t = *state;
    pyenv_tree(t);
    tree_set(t, "PYENV_VERSION=3.11.2");
    /* one that does not export its folder */
    tree_add(t, FILES({"/home/me/.pyenv/shims/python3", "#!/bin/sh\n exec pyenv exec python3 \"$@\"\n"}));
    expect(t, NULL, VERSIONS "/3.11.2", "3.11", "pyenv, PYENV_VERSION");
    tree_add(t, FILES(PYTHON("/opt/pyenv/versions/3.11.2", "3.11")));
    tree_set(t, "PYENV_ROOT=/opt/pyenv");
    expect(t, NULL, "/opt/pyenv/versions/3.11.2", "3.11", "pyenv, PYENV_VERSION");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(without_a_python_it_is_said),
        TEST(python3_on_path_is_taken),
        TEST(what_may_not_be_run_is_no_python_of_path),
        TEST(an_empty_entry_of_path_is_where_we_are),
        TEST(a_script_is_passed),
        TEST(virtual_env_is_first),
        TEST(a_variable_that_is_left_over_is_passed),
        TEST(any_pyvenv_cfg_makes_an_environment),
        TEST(a_virtual_environment_has_its_own_packages),
        TEST(one_with_system_packages_sees_them),
        TEST(its_version_is_found_in_many_ways),
        TEST(free_threads_and_pypy_have_folders_of_their_own),
        TEST(conda_is_found_as_base_and_as_environment),
        TEST(debian_keeps_packages_elsewhere),
        TEST(fedora_has_two_folders),
        TEST(the_users_packages_are_found),
        TEST(a_framework_on_macos_has_another_folder),
        TEST(pythonpath_is_first),
        TEST(pythonhome_takes_the_place_of_every_installation),
        TEST(pth_files_name_folders),
        TEST(python_can_be_named_in_all_forms),
        TEST(a_root_that_has_usrs_folders_is_usr),
        TEST(long_paths_are_told_whole_or_not_at_all),
        TEST(details_are_utf8_whatever_names_are),
        TEST(a_shim_of_pyenv_is_followed),
        TEST(pyenv_takes_the_first_that_is_installed),
        TEST(pyenv_is_found_by_its_own_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
