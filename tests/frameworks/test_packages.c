/* SPDX-License-Identifier: Apache-2.0
 *
 * test_packages.c: whether a package is there, from its metadata and its files together.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pythons.h"

#define SITE "/usr/lib/python3.11/site-packages"
#define USER "/home/me/.local/lib/python3.11/site-packages"

static int setup(void **state)
{
    tree *t = tree_new();
    tree_set(t, "PATH=/usr/bin");
    tree_set(t, "HOME=/home/me");
    tree_set(t, "PWD=/home/me");
    tree_add(t, FILES(PYTHON("/usr", "3.11")));
    *state = t;
    return 0;
}

static int teardown(void **state)
{
    tree_free(*state);
    return 0;
}

static void expect(tree *t, const char *name, rung_framework_state state, const char *version, const char *detail)
{
    rung_framework f = tree_framework(t, name);
    if (f.state != state || strcmp(f.version, version) != 0 || strcmp(f.detail, detail) != 0)
        fail_msg("%s: %s \"%s\" \"%s\", not %s \"%s\" \"%s\"", name, rung_framework_state_name(f.state), f.version,
                 f.detail, rung_framework_state_name(state), version, detail);
    assert_string_equal(f.name, name);
    if (state != RUNG_FRAMEWORK_INSTALLED) {
        assert_int_equal(f.built, 0);
        assert_string_equal(f.cuda, "");
    } else {
        assert_true((f.built & RUNG_BUILT_CPU) != 0);
    }
}

/* ---- there and not there ----------------------------------------------------------------------------------------- */

static void nothing_is_absent(void **state)
{
    tree *t = *state;
    static const char *const names[] = {"jax", "pytorch", "numpy", "tensorflow"};
    for (size_t i = 0; i < 4; i++)
        expect(t, names[i], RUNG_FRAMEWORK_ABSENT, "", "");
    rung_python found = tree_python(t, NULL);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(found.framework[i].name, names[i]);
        assert_string_equal(found.framework[i].path, "");
    }
}

static void names_are_found_in_any_letter_case(void **state)
{
    rung_python found = tree_python(*state, NULL);
    static const char *const same[][2] = {{"JAX", "jax"},       {"PyTorch", "pytorch"},      {"torch", "pytorch"},
                                          {"Torch", "pytorch"}, {"NumPy", "numpy"},          {"tf", "tensorflow"},
                                          {"TF", "tensorflow"}, {"TensorFlow", "tensorflow"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_string_equal(rung_python_framework(&found, same[i][0])->name, same[i][1]);
    static const char *const none[] = {"", "torc", "torchh", "jaxlib", "cupy", " jax"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(rung_python_framework(&found, none[i]));
    assert_null(rung_python_framework(&found, NULL));
    assert_null(rung_python_framework(NULL, "jax"));
}

static void an_installed_one_is_found(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(NUMPY(SITE, "2.1.3")));
    expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "2.1.3", "");
    rung_framework numpy = tree_framework(t, "numpy");
    assert_string_equal(numpy.path, SITE);
    assert_int_equal(numpy.editable, 0);
    assert_int_equal(numpy.built, RUNG_BUILT_CPU);
    expect(t, "pytorch", RUNG_FRAMEWORK_ABSENT, "", "");
}

/* A folder of a framework's name is not the framework. */
static void a_folder_called_torch_is_not_pytorch(void **state)
{
    tree *t = *state;
    tree_add(t, FILES({SITE "/torch/", NULL}));
    expect(t, "pytorch", RUNG_FRAMEWORK_NAMESPACE, "", SITE "/torch is a folder without a package");
    tree_add(t, FILES({SITE "/torch/version.py", "__version__ = '2.1.0'\n"}, {SITE "/torch/data.bin", "x"},
                      {SITE "/torch/__init__.pyi", ""}));
    expect(t, "pytorch", RUNG_FRAMEWORK_NAMESPACE, "", SITE "/torch is a folder without a package");
    /* Python would import this one, and it is something else */
    tree_add(t, FILES({SITE "/torch/__init__.py", "light = True\n"}, {SITE "/torch/version.py", "-> gone"}));
    expect(t, "pytorch", RUNG_FRAMEWORK_NAMESPACE, "", SITE "/torch is something else of this name");
    tree_add(t, FILES({SITE "/numpy.py", ""}, {SITE "/tensorflow", "a file"}));
    expect(t, "numpy", RUNG_FRAMEWORK_NAMESPACE, "", SITE "/numpy is something else of this name");
    expect(t, "tensorflow", RUNG_FRAMEWORK_ABSENT, "", "");
}

static void a_namespace_gives_way_to_a_package(void **state)
{
    tree *t = *state;
    tree_add(t, FILES({USER "/numpy/", NULL}, NUMPY(SITE, "2.0.0")));
    expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "2.0.0", "");
    /* but a package of that name does not */
    tree_add(t, FILES({USER "/numpy/__init__.py", ""}));
    expect(t, "numpy", RUNG_FRAMEWORK_NAMESPACE, "",
           USER "/numpy is something else of this name; hides " SITE "/numpy");
    tree_add(t, FILES({"/here/numpy.py", ""}, NUMPY(USER, "1.0")));
    tree_set(t, "PYTHONPATH=/here");
    expect(t, "numpy", RUNG_FRAMEWORK_NAMESPACE, "",
           "/here/numpy is something else of this name; hides " USER "/numpy");
}

static void the_first_hides_the_others(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(NUMPY(SITE, "1.26.0"), NUMPY(USER, "2.1.0")));
    expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "2.1.0", "hides " SITE "/numpy");
    assert_string_equal(tree_framework(t, "numpy").path, USER);
    /* the same folder by two names is one */
    tree_add(t, FILES({"/again", "-> home/me/.local/lib/python3.11/site-packages"}));
    tree_set(t, "PYTHONPATH=/again:" USER);
    expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "2.1.0", "hides " SITE "/numpy");
    assert_string_equal(tree_framework(t, "numpy").path, "/again");
}

/* ---- metadata ---------------------------------------------------------------------------------------------------- */

static void names_of_folders_need_not_be_normal(void **state)
{
    tree *t = *state;
    static const char *const entries[] = {"NumPy-2.1.0.dist-info", "numpy-2.1.0-py3.11.egg-info", "NUMPY.egg-info",
                                          "numpy-2.1.0.dist-info"};
    tree_add(t, FILES({SITE "/numpy/__init__.py", ""}, {SITE "/numpy/version.py", ""}));
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        char path[256], gone[TREE_PATH + 256];
        bool egg = strstr(entries[i], "egg") != NULL;
        (void)snprintf(path, sizeof path, SITE "/%s/%s", entries[i], egg ? "PKG-INFO" : "METADATA");
        tree_add(t, FILES({path, "Metadata-Version: 2.1\r\nname: NumPy\r\nVERSION:  2.1.0 \r\n\r\n"}));
        expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "2.1.0", "");
        (void)snprintf(gone, sizeof gone, "%s%s", t->root, path);
        assert_int_equal(remove(gone), 0);
    }
    /* a file in place of a folder */
    tree_add(t, FILES({SITE "/numpy-1.13.egg-info", "Metadata-Version: 1.1\nName: numpy\nVersion: 1.13\n"}));
    expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "1.13", "");
}

static void other_projects_are_not_taken(void **state)
{
    tree *t = *state;
    tree_add(
        t, FILES(DIST(SITE, "torchvision", "torchvision", "0.1"), DIST(SITE, "torch_geometric", "torch-geometric", "2"),
                 DIST(SITE, "numpy_financial", "numpy-financial", "1.0"), DIST(SITE, "jaxtyping", "jaxtyping", "1"),
                 DIST(SITE, "numpydoc", "numpydoc", "1"), DIST(SITE, "xtorch", "xtorch", "1"),
                 {SITE "/~orchvision-0.1.dist-info/", NULL}, {SITE "/torch.dist-info.bak/METADATA", "Name: torch"},
                 {SITE "/~umpy_financial/", NULL}, DIST(SITE, "tensorflow_datasets", "tensorflow-datasets", "4")));
    static const char *const names[] = {"jax", "pytorch", "numpy", "tensorflow"};
    for (size_t i = 0; i < 4; i++)
        expect(t, names[i], RUNG_FRAMEWORK_ABSENT, "", "");
}

static void headers_end_at_the_first_empty_line(void **state)
{
    tree *t = *state;
    tree_add(t, FILES({SITE "/numpy/__init__.py", ""}, {SITE "/numpy/version.py", ""},
                      {SITE "/numpy-1.0.dist-info/METADATA",
                       "\xef\xbb\xbfMetadata-Version: 2.1\nLicense: long\n Version: 7\n\tVersion: 8\nNAME:numpy\n"
                       "no header\n:\nVersion: 1.5\nVersion: 9\n"}));
    expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "1.5", "");
    tree_add(t, FILES({SITE "/numpy-1.0.dist-info/METADATA", "Name: numpy\n\nVersion: 1.0\n"}));
    expect(t, "numpy", RUNG_FRAMEWORK_UNREADABLE, "", "its metadata cannot be read");
    tree_add(t, FILES({SITE "/numpy-1.0.dist-info/METADATA", "Version: 1.0\n"}));
    expect(t, "numpy", RUNG_FRAMEWORK_UNREADABLE, "", "its metadata cannot be read");
    tree_add(t, FILES({SITE "/numpy-1.0.dist-info/METADATA", "Name: other\nVersion: 1.0\n"}));
    expect(t, "numpy", RUNG_FRAMEWORK_UNREADABLE, "", "its metadata cannot be read");
    tree_add(t, FILES({SITE "/numpy-1.0.dist-info/METADATA", "Name: numpy\nVersion: new\n"}));
    expect(t, "numpy", RUNG_FRAMEWORK_UNREADABLE, "", "its metadata cannot be read");
    /* the package's own files tell it */
    tree_add(t, FILES({SITE "/numpy/version.py", "version = '1.2.3'\n"}));
    expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "1.2.3", "its metadata cannot be read");
}

static void without_metadata_its_files_tell(void **state)
{
    tree *t = *state;
    tree_add(t, FILES({SITE "/numpy/__init__.py", ""},
                      {SITE "/numpy/version.py", "short_version = '1.17.4'\nversion = '1.17.4'\n"},
                      TORCH_FILES(SITE, "2.4.0+cu121", "cuda: Optional[str] = '12.1'\nhip: Optional[str] = None\n"),
                      {SITE "/jax/__init__.py", ""}, {SITE "/jax/version.py", "__version__ = \"0.3.8\"\n"},
                      {SITE "/jaxlib/__init__.py", ""}, {SITE "/jaxlib/version.py", "__version__ = \"0.3.8\"\n"},
                      {SITE "/tensorflow/__init__.py", ""}, {SITE "/tensorflow/python/__init__.py", ""}));
    expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "1.17.4", "without metadata beside it");
    expect(t, "pytorch", RUNG_FRAMEWORK_INSTALLED, "2.4.0+cu121", "without metadata beside it");
    expect(t, "jax", RUNG_FRAMEWORK_INSTALLED, "0.3.8", "without metadata beside it");
    /* TensorFlow has no file that tells its version as text */
    expect(t, "tensorflow", RUNG_FRAMEWORK_UNREADABLE, "", "without metadata beside it");
    /* what is beside another package of the name does not belong to it, and is the best that there is */
    tree_add(t, FILES(DIST("/elsewhere", "tensorflow", "tensorflow", "2.15.0")));
    tree_set(t, "PYTHONPATH=/elsewhere");
    rung_framework tf = tree_framework(t, "tensorflow");
    assert_string_equal(tf.version, "2.15.0");
    assert_int_equal(tf.state, RUNG_FRAMEWORK_INSTALLED);
}

static void numpy_has_told_its_version_in_many_ways(void **state)
{
    tree *t = *state;
    static const struct {
        const char *version_py, *_version_py, *version;
    } cases[] = {
        {"\nversion = \"2.1.1\"\n__version__ = version\nfull_version = version\n", "", "2.1.1"},
        {"version = '1.13.0'\nfull_version = '1.13.0.dev0+abc'\n", "", "1.13.0.dev0+abc"},
        {"from ._version import get_versions\nvinfo: dict[str, str] = get_versions()\nversion = vinfo['version']\n",
         "version_json = '''\n{\n \"dirty\": false,\n \"version\": \"1.24.2\"\n}\n'''\n", "1.24.2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tree_add(t, FILES({SITE "/numpy/__init__.py", ""}, {SITE "/numpy/version.py", cases[i].version_py},
                          {SITE "/numpy/_version.py", cases[i]._version_py}));
        expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, cases[i].version, "without metadata beside it");
    }
}

static void two_sets_of_metadata_are_decided_by_the_files(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(NUMPY(SITE, "2.1.0"), DIST(SITE, "numpy", "numpy", "1.26.4")));
    expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "2.1.0", "more than one set of metadata is beside it");
    tree_add(t, FILES({SITE "/numpy/version.py", "version = '1.26.4'\n"}));
    expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "1.26.4", "more than one set of metadata is beside it");
    tree_add(t, FILES({SITE "/numpy/version.py", ""})); /* the newest where they do not tell */
    expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "2.1.0", "more than one set of metadata is beside it");
    tree_add(t, FILES({SITE "/numpy/version.py", "version = '2.2.0'\n"}));
    expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "2.2.0",
           "more than one set of metadata is beside it; its metadata tell version 2.1.0");
}

/* ---- removed ----------------------------------------------------------------------------------------------------- */

static void what_a_removal_leaves_is_not_taken(void **state)
{
    tree *t = *state;
    tree_add(t,
             FILES({SITE "/~orch-2.1.0.dist-info/METADATA", "Name: torch\nVersion: 2.1.0\n"}, {SITE "/~orch/x", ""}));
    expect(t, "pytorch", RUNG_FRAMEWORK_REMOVED, "", "~orch is what is left of it");
    tree_add(t, FILES(DIST(SITE, "numpy", "numpy", "2.0.0")));
    expect(t, "numpy", RUNG_FRAMEWORK_REMOVED, "", "numpy-2.0.0.dist-info is there without the package's files");
    /* some of its files stay, such as those that were compiled */
    tree_add(t, FILES({SITE "/numpy/__pycache__/", NULL}));
    expect(t, "numpy", RUNG_FRAMEWORK_REMOVED, "", "numpy-2.0.0.dist-info is there without the package's files");
    tree_add(t, FILES({SITE "/tensorflow-2.1.0.dist-info/RECORD", ""}, {SITE "/tensorflow/python/x.so", ""}));
    expect(t, "tensorflow", RUNG_FRAMEWORK_REMOVED, "", "tensorflow-2.1.0.dist-info is what is left of it");
    /* a new one beside them */
    tree_add(t, FILES(TORCH_FILES(SITE, "2.2.0", ""), DIST(SITE, "torch", "torch", "2.2.0")));
    expect(t, "pytorch", RUNG_FRAMEWORK_INSTALLED, "2.2.0", "");
    tree_add(t, FILES({SITE "/jax-1.0.dist-info/METADATA", "garbage"}));
    expect(t, "jax", RUNG_FRAMEWORK_UNREADABLE, "", "jax-1.0.dist-info tells no name or no version");
}

/* ---- editable ---------------------------------------------------------------------------------------------------- */

static void expect_editable(tree *t, const char *version, const char *path, const char *detail)
{
    expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, version, detail);
    rung_framework numpy = tree_framework(t, "numpy");
    assert_int_equal(numpy.editable, 1);
    assert_string_equal(numpy.path, path);
}

#define SOURCE(folder, version)                                                                                        \
    {folder "/numpy/__init__.py", ""},                                                                                 \
    {                                                                                                                  \
        folder "/numpy/version.py", "version = '" version "'\n"                                                        \
    }
#define DIRECT_URL(text)                                                                                               \
    {                                                                                                                  \
        SITE "/numpy-2.0.0.dist-info/direct_url.json", text                                                            \
    }

static void an_editable_install_has_its_code_elsewhere(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(DIST(SITE, "numpy", "numpy", "2.0.0"), SOURCE("/home/me/my code", "2.0.1"),
                      DIRECT_URL("{\"dir_info\": {\"editable\": true}, \"url\": \"file:///home/me/my%20code\"}"),
                      {SITE "/__editable__.numpy.pth", "import __editable___numpy_finder; x()\n"}));
    expect_editable(t, "2.0.1", "/home/me/my code", "");
    /* the order of keys, blanks and other members do not matter */
    tree_add(t, FILES(DIRECT_URL("{ \"url\" :\"file://localhost/home/me/my%20code\",\n\t\"vcs_info\":{\"url\":\"no\"},"
                                 "\"dir_info\" : {\"x\":[{\"editable\":false}], \"editable\" :\n true } }\n")));
    expect_editable(t, "2.0.1", "/home/me/my code", "");
    tree_add(t, FILES(DIRECT_URL(
                    "{\"x\":\"\\\\\\\"{\",\"url\":\"file:///home/me/my%20code\",\"dir_info\":{\"editable\":true}}")));
    expect_editable(t, "2.0.1", "/home/me/my code", "");
    /* below src */
    tree_add(t, FILES(SOURCE("/home/me/other/src", "2.0.2"),
                      DIRECT_URL("{\"url\":\"file:\\/\\/\\/home/me/other\",\"dir_info\":{\"editable\":true}}")));
    rung_framework numpy = tree_framework(t, "numpy");
    assert_int_equal(numpy.editable, 1);
    tree_add(t, FILES(DIRECT_URL("{\"url\":\"file:///home/me/other\",\"dir_info\":{\"editable\":true}}")));
    expect_editable(t, "2.0.2", "/home/me/other/src", "");
    /* by a folder that a .pth file names */
    tree_add(t, FILES(SOURCE("/home/me/deep/in/it", "2.0.3"), {SITE "/_numpy.pth", "/home/me/deep/in/it\n"},
                      DIRECT_URL("{\"url\":\"file:///home/me/deep\",\"dir_info\":{\"editable\":true}}")));
    expect_editable(t, "2.0.3", "/home/me/deep/in/it", "");
    /* its code is nowhere to be seen, and may be there */
    tree_add(t, FILES({SITE "/_numpy.pth", ""}));
    expect_editable(t, "2.0.0", "/home/me/deep", "editable, and its code was not found");
    tree_add(t, FILES(DIRECT_URL("{\"url\":\"file:///home/me/gone\",\"dir_info\":{\"editable\":true}}")));
    expect(t, "numpy", RUNG_FRAMEWORK_REMOVED, "", "the folder of its code is gone: /home/me/gone");
}

static void one_that_was_installed_from_a_folder_is_not_editable(void **state)
{
    tree *t = *state;
    static const char *const others[] = {
        "{\"url\":\"file:///home/me/x\",\"dir_info\":{\"editable\":false}}",
        "{\"url\":\"file:///home/me/x\",\"dir_info\":{}}",
        "{\"url\":\"file:///home/me/x\",\"editable\":true}",
        "{\"url\":\"file:///home/me/x\",\"dir_info\":{\"deep\":{\"editable\":true}}}",
        "{\"url\":\"\\\"dir_info\\\":{\\\"editable\\\":true}\"}",
        "{\"other\":{\"dir_info\":{\"editable\":true}}}",
        "{\"dir_info\":{\"editable\":\"true\"}}",
        "{\"dir_info\":{},\"other\":{\"editable\":true}}",
        "{\"dir_info\":[\"editable\",true]}",
        "{\"url\":\"unended, \"dir_info\":{\"editable\":true}}",
        "",
        "true",
        "}}}{\"dir_info\":{\"editable\":true}}",
    };
    tree_add(t, FILES(NUMPY(SITE, "2.0.0")));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        tree_add(t, FILES(DIRECT_URL(others[i])));
        expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "2.0.0", "");
        if (tree_framework(t, "numpy").editable)
            fail_msg("%s", others[i]);
    }
}

static void an_egg_link_is_followed(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(SOURCE("/code/numpy", "1.9.1"), {SITE "/numpy.egg-link", "/code/numpy\n../"}));
    expect_editable(t, "1.9.1", "/code/numpy", "");
    /* with the lines that setuptools adds */
    tree_add(t, FILES({SITE "/easy-install.pth", "/code/numpy\n"},
                      {"/code/numpy/numpy.egg-info/PKG-INFO", "Name: numpy\nVersion: 1.9.0\n"}));
    expect_editable(t, "1.9.1", "/code/numpy", "");
    tree_add(t, FILES({SITE "/easy-install.pth", ""}, {SITE "/numpy.egg-link", "/gone\n."}));
    expect(t, "numpy", RUNG_FRAMEWORK_REMOVED, "", "the folder of its code is gone: /gone");
}

static void an_egg_is_a_folder_of_its_own(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(SOURCE(SITE "/numpy-1.9.0-py3.11.egg", "1.9.0"),
                      {SITE "/easy-install.pth", "./numpy-1.9.0-py3.11.egg\n"},
                      {SITE "/numpy-1.9.0-py3.11.egg/EGG-INFO/PKG-INFO", "Name: numpy\nVersion: 1.9.0\n"}));
    expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "1.9.0", "");
    assert_int_equal(tree_framework(t, "numpy").editable, 0);
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static void garbage_is_survived(void **state)
{
    tree *t = *state;
    char bytes[40000];
    uint32_t seed = 1;
    static const char *const paths[] = {SITE "/numpy-2.0.0.dist-info/METADATA",
                                        SITE "/numpy-2.0.0.dist-info/direct_url.json",
                                        SITE "/numpy/version.py",
                                        SITE "/numpy/_version.py",
                                        SITE "/numpy.pth",
                                        SITE "/torch/version.py",
                                        SITE "/jax/version.py",
                                        SITE "/tensorflow/python/platform/build_info.py",
                                        "/usr/pyvenv.cfg"};
    tree_add(t, FILES(NUMPY(SITE, "2.0.0"), TORCH_FILES(SITE, "2.0", ""), JAX(SITE, "0.7.2", "0.7.2"),
                      JAXLIB(SITE, "0.7.2"), {SITE "/tensorflow/__init__.py", ""},
                      {SITE "/tensorflow/python/__init__.py", ""}));
    for (unsigned round = 0; round < 8; round++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            seed = seed * 1664525u + 1013904223u;
            bytes[i] = (char)(round == 0 ? 0 : round == 1 ? 0xff : round == 2 ? '\n' : seed >> 24);
        }
        for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
            tree_bytes(t, paths[i], bytes, round == 3 ? 0 : sizeof bytes);
        rung_python found = tree_python(t, NULL);
        assert_string_equal(found.prefix, "/usr");
        assert_int_equal(rung_python_framework(&found, "numpy")->state, RUNG_FRAMEWORK_UNREADABLE);
        assert_int_equal(rung_python_framework(&found, "torch")->state, RUNG_FRAMEWORK_UNREADABLE);
    }
}

static void huge_metadata_are_read_as_far_as_needed(void **state)
{
    tree *t = *state;
    enum { HUGE_SIZE = 4000000 };
    char *bytes = malloc(HUGE_SIZE);
    assert_non_null(bytes);
    memset(bytes, 'x', HUGE_SIZE);
    static const char head[] = "Metadata-Version: 2.1\nName: numpy\nVersion: 2.0.0\nLicense: ";
    memcpy(bytes, head, sizeof head - 1);
    tree_add(t, FILES({SITE "/numpy/__init__.py", ""}));
    tree_bytes(t, SITE "/numpy-2.0.0.dist-info/METADATA", bytes, HUGE_SIZE);
    tree_bytes(t, SITE "/numpy/version.py", bytes, HUGE_SIZE);
    expect(t, "numpy", RUNG_FRAMEWORK_INSTALLED, "2.0.0", "");
    free(bytes);
    /* a version that does not fit is none, whole or cut */
    char metadata[512] = "Name: numpy\nVersion: 1.";
    size_t len = strlen(metadata);
    memset(metadata + len, '1', 300);
    metadata[len + 300] = '\n';
    tree_bytes(t, SITE "/numpy-2.0.0.dist-info/METADATA", metadata, len + 301);
    expect(t, "numpy", RUNG_FRAMEWORK_UNREADABLE, "", "its metadata cannot be read");
}

static void other_kinds_of_files_are_survived(void **state)
{
    tree *t = *state;
    /* nobody writes to them: opening them must not wait */
    tree_add(t,
             FILES(NUMPY(SITE, "2.0.0"), {SITE "/numpy-2.0.0.dist-info/METADATA", "|"}, {SITE "/a.pth", "|"},
                   {SITE "/numpy/version.py", "|"}, {SITE "/b.pth/", NULL}, {SITE "/jax-1.dist-info/METADATA/", NULL},
                   {SITE "/jax/__init__.py", ""}, {SITE "/jax/version.py/", NULL}));
    expect(t, "numpy", RUNG_FRAMEWORK_UNREADABLE, "", "its metadata cannot be read");
    expect(t, "jax", RUNG_FRAMEWORK_UNREADABLE, "", "without metadata beside it");
    tree_add(t, FILES({"/fifo/bin/python3", "|"}));
    assert_string_equal(tree_python(t, "/fifo").prefix, "");
}

static void circles_of_links_are_survived(void **state)
{
    tree *t = *state;
    tree_add(t,
             FILES({SITE "/torch", "-> torch"}, {SITE "/jax", "-> jaxlib"}, {SITE "/jaxlib", "-> jax"},
                   {SITE "/numpy/__init__.py", "-> ../numpy/__init__.py"}, {SITE "/numpy/version.py", "-> version.py"},
                   {SITE "/numpy-1.0.dist-info/METADATA", "-> METADATA"}, {SITE "/a.pth", "-> b.pth"},
                   {SITE "/b.pth", "-> a.pth"}, {SITE "/c.pth", SITE "/loop\n" SITE "\n"}, {SITE "/loop", "-> ."}));
    expect(t, "pytorch", RUNG_FRAMEWORK_ABSENT, "", "");
    expect(t, "jax", RUNG_FRAMEWORK_ABSENT, "", "");
    expect(t, "numpy", RUNG_FRAMEWORK_REMOVED, "", "numpy-1.0.dist-info is what is left of it");
    tree_add(t, FILES({"/a/bin/python3", "-> /b/bin/python3"}, {"/b/bin/python3", "-> /a/bin/python3"},
                      {"/c/bin", "-> ../c/bin"}));
    static const char *const none[] = {"/a", "/b/bin/python3", "/c", "/c/bin/python3"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_string_equal(tree_python(t, none[i]).prefix, "");
}

static void many_names_are_bounded(void **state)
{
    tree *t = *state;
    char path[128], *text = calloc(1, 60000);
    assert_non_null(text);
    for (int i = 0; i < 300; i++) {
        (void)snprintf(path, sizeof path, SITE "/torch-%d.dist-info/METADATA", i);
        tree_add(t, FILES({path, "Name: torch\nVersion: 1\n"}));
        (void)snprintf(path, sizeof path, SITE "/p%d.pth", i);
        tree_add(t, FILES({path, "/usr\n/home\n"}));
        (void)snprintf(path, sizeof path, "/many/%d/", i);
        tree_add(t, FILES({path, NULL}));
        (void)snprintf(text + strlen(text), 128, "/many/%d\n", i);
    }
    tree_add(t, FILES({SITE "/all.pth", text}));
    free(text);
    assert_int_equal(tree_framework(t, "pytorch").state, RUNG_FRAMEWORK_REMOVED);
    /* paths and variables that are too long name nothing */
    char *variable = calloc(1, 100000);
    assert_non_null(variable);
    memcpy(variable, "PYTHONPATH=", 11);
    memset(variable + 11, '/', 5000);
    memset(variable + 5011, 'x', 80000);
    tree_set(t, variable);
    assert_string_equal(tree_python(t, NULL).prefix, "/usr");
    memcpy(variable, "VIRTUAL_ENV", 11);
    variable[11] = '=';
    tree_set(t, variable);
    assert_string_equal(tree_python(t, NULL).prefix, "/usr");
    assert_string_equal(tree_python(t, variable + 12).prefix, "");
    free(variable);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_is_absent),
        TEST(names_are_found_in_any_letter_case),
        TEST(an_installed_one_is_found),
        TEST(a_folder_called_torch_is_not_pytorch),
        TEST(a_namespace_gives_way_to_a_package),
        TEST(the_first_hides_the_others),
        TEST(names_of_folders_need_not_be_normal),
        TEST(other_projects_are_not_taken),
        TEST(headers_end_at_the_first_empty_line),
        TEST(without_metadata_its_files_tell),
        TEST(numpy_has_told_its_version_in_many_ways),
        TEST(two_sets_of_metadata_are_decided_by_the_files),
        TEST(what_a_removal_leaves_is_not_taken),
        TEST(an_editable_install_has_its_code_elsewhere),
        TEST(one_that_was_installed_from_a_folder_is_not_editable),
        TEST(an_egg_link_is_followed),
        TEST(an_egg_is_a_folder_of_its_own),
        TEST(garbage_is_survived),
        TEST(huge_metadata_are_read_as_far_as_needed),
        TEST(other_kinds_of_files_are_survived),
        TEST(circles_of_links_are_survived),
        TEST(many_names_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
