/* SPDX-License-Identifier: Apache-2.0
 *
 * test_builds.c: what PyTorch, JAX, NumPy and TensorFlow were built for, and whether their parts fit together.
 */
#include <stdio.h>
#include <string.h>

#include "pythons.h"

#define SITE "/opt/conda/lib/python3.12/site-packages"

enum { CPU = RUNG_BUILT_CPU, CUDA = RUNG_BUILT_CUDA, ROCM = RUNG_BUILT_ROCM };

static int setup(void **state)
{
    tree *t = tree_new();
    tree_set(t, "CONDA_PREFIX=/opt/conda");
    tree_add(t, FILES(PYTHON("/opt/conda", "3.12")));
    *state = t;
    return 0;
}

static int teardown(void **state)
{
    tree_free(*state);
    return 0;
}

static void expect(tree *t, const char *name, unsigned built, const char *cuda, const char *rocm, const char *plugins)
{
    rung_framework f = tree_framework(t, name);
    if (f.state != RUNG_FRAMEWORK_INSTALLED)
        fail_msg("%s %s is %s: %s", name, f.version, rung_framework_state_name(f.state), f.detail);
    if (f.built != built || strcmp(f.cuda, cuda) != 0 || strcmp(f.rocm, rocm) != 0 || strcmp(f.plugins, plugins) != 0)
        fail_msg("%s %s: built %#x cuda \"%s\" rocm \"%s\" plugins \"%s\"", name, f.version, f.built, f.cuda, f.rocm,
                 f.plugins);
}

/* ---- PyTorch ----------------------------------------------------------------------------------------------------- */

/* The dist of an index may have a label or none. */
static void torch(tree *t, const char *metadata, const char *version, const char *more)
{
    char text[512], dist[256];
    (void)snprintf(text, sizeof text,
                   "from typing import Optional\n\n__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip', "
                   "'rocm', 'xpu']\n__version__ = '%s'\ndebug = False\n%sgit_version = '01ab'\n",
                   version, more);
    (void)snprintf(dist, sizeof dist, "Metadata-Version: 2.1\nName: torch\nVersion: %s\n\n", metadata);
    tree_add(t, FILES({SITE "/torch/__init__.py", ""}, {SITE "/torch/version.py", text},
                      {SITE "/torch.dist-info/METADATA", dist}));
}

#define BUILD(cuda, hip) "cuda: Optional[str] = " cuda "\nhip: Optional[str] = " hip "\n"

static void torch_tells_by_its_own_file(void **state)
{
    tree *t = *state;
    static const struct {
        const char *metadata, *version, *more;
        unsigned built;
        const char *cuda, *rocm;
    } cases[] = {
        {"2.4.0", "2.4.0+cpu", BUILD("None", "None"), CPU, "", ""},
        {"2.4.0", "2.4.0+cpu", "cuda_home = '12.1'\ncuda += '12.1'\n" BUILD("None", "None"), CPU, "", ""},
        /* an index that takes no labels has builds for CUDA without one */
        {"2.4.0", "2.4.0+cu121", BUILD("'12.1'", "None"), CPU | CUDA, "12.1", ""},
        {"2.10.0", "2.10.0+cu130", BUILD("'13.0'", "None") "rocm: Optional[str] = None\nxpu: Optional[str] = None\n",
         CPU | CUDA, "13.0", ""},
        {"2.4.0", "2.4.0", BUILD("'12.4'", "None"), CPU | CUDA, "12.4", ""}, /* conda */
        {"1.10.0+cu113", "1.10.0+cu113", "cuda = '11.3'\nhip = None\n", CPU | CUDA, "11.3", ""},
        {"1.4.0", "1.4.0", "cuda = \"10.1\"\n", CPU | CUDA, "10.1", ""},
        {"2.9.0a0+145a3a7bda.nv25.10", "2.9.0a0+145a3a7bda.nv25.10", BUILD("'13.0'", "None"), CPU | CUDA, "13.0", ""},
        {"2.9.0a0+git1234567", "2.9.0a0+git1234567", BUILD("'12.8'", "None"), CPU | CUDA, "12.8", ""},
        {"2.9.0+rocm6.4", "2.9.0+rocm6.4", BUILD("None", "'6.4.43482-0f2d60242'"), CPU | ROCM, "", "6.4"},
        {"2.11.0+rocm7.1", "2.11.0+rocm7.1", BUILD("None", "'7.1.25424'") "rocm: Optional[str] = '7.1.0'\n", CPU | ROCM,
         "", "7.1"},
        {"2.8.0+xpu", "2.8.0+xpu", BUILD("None", "None") "xpu: Optional[str] = '20250101'\n", CPU | RUNG_BUILT_XPU, "",
         ""},
        {"2.7.1-700", "2.7.1-700", BUILD("'12.6'", "None"), CPU | CUDA, "12.6", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        torch(t, cases[i].metadata, cases[i].version, cases[i].more);
        expect(t, "pytorch", cases[i].built, cases[i].cuda, cases[i].rocm, "");
        rung_framework f = tree_framework(t, "torch");
        assert_string_equal(f.version, cases[i].version);
        assert_string_equal(f.detail, "");
    }
}

static void labels_and_libraries_tell_where_its_file_does_not(void **state)
{
    tree *t = *state;
    static const struct {
        const char *version;
        unsigned built;
        const char *cuda, *rocm;
    } labels[] = {
        {"2.4.0+cpu", CPU, "", ""},
        {"2.4.0+cu118", CPU | CUDA, "11.8", ""},
        {"2.4.0+cu130", CPU | CUDA, "13.0", ""},
        {"1.2.0+cu92", CPU | CUDA, "9.2", ""},
        {"2.4.0+rocm6.4", CPU | ROCM, "", "6.4"},
        {"2.4.0+rocm6.2.4", CPU | ROCM, "", "6.2"},
        {"2.4.0+xpu", CPU | RUNG_BUILT_XPU, "", ""},
        {"2.4.0+custom", CPU, "", ""},
        {"2.4.0", CPU, "", ""},
    };
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        torch(t, labels[i].version, labels[i].version, "");
        expect(t, "pytorch", labels[i].built, labels[i].cuda, labels[i].rocm, "");
    }
    torch(t, "2.4.0", "2.4.0", "");
    tree_add(t, FILES({"/opt/conda/conda-meta/pytorch-cuda-12.1-ha16c6d3_6.json", "{}"},
                      {"/opt/conda/conda-meta/pytorch-2.4.0-cpu_generic_py312h123_0.json", "{}"}));
    expect(t, "pytorch", CPU, "", "", "");
    tree_add(t, FILES({SITE "/torch/lib/libtorch_cpu.so", ""}, {SITE "/torch/lib/libtorch_cuda.so", ""}));
    expect(t, "pytorch", CPU | CUDA, "", "", "");
    tree_add(t, FILES({SITE "/torch/lib/libtorch_xpu.so", ""}, {SITE "/torch/lib/libc10_hip.so", ""}));
    expect(t, "pytorch", CPU | CUDA | ROCM | RUNG_BUILT_XPU, "", "", "");
    /* its own file is what counts where it tells: libraries of another build may lie about */
    torch(t, "2.4.0+cpu", "2.4.0+cpu", BUILD("None", "None"));
    expect(t, "pytorch", CPU, "", "", "");
    torch(t, "1.4.0", "1.4.0", "cuda = None\n");
    expect(t, "pytorch", CPU, "", "", "");
}

static void condas_build_string_is_the_last_to_tell(void **state)
{
    tree *t = *state;
    static const struct {
        const char *record, *cuda;
    } records[] = {
        {"/opt/conda/conda-meta/pytorch-2.5.1-py3.12_cuda12.4_cudnn9.1.0_0.json", "12.4"},
        {"/opt/conda/conda-meta/pytorch-2.5.1-cuda126_generic_py312h1234_200.json", "12.6"},
        {"/opt/conda/conda-meta/pytorch-2.5.1-gpu_cuda118py312.json", "11.8"},
    };
    torch(t, "2.5.1", "2.5.1", "");
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        tree_add(t, FILES({records[i].record, "{}"}));
        expect(t, "pytorch", CPU | CUDA, records[i].cuda, "", "");
        tree_remove(t, records[i].record);
    }
    expect(t, "pytorch", CPU, "", "", "");
}

static void builds_for_macos_have_metal(void **state)
{
    tree *t = *state;
    tree_add(t, FILES({SITE "/torch/lib/libtorch_cpu.dylib", ""}));
    torch(t, "2.4.0", "2.4.0", BUILD("None", "None"));
    expect(t, "pytorch", CPU | RUNG_BUILT_METAL, "", "", "");
    torch(t, "1.11.0", "1.11.0", BUILD("None", "None"));
    expect(t, "pytorch", CPU, "", "", "");
}

/* Libraries of NVIDIA may have come with JAX. */
static void dists_of_nvidia_prove_nothing(void **state)
{
    tree *t = *state;
    torch(t, "2.4.0+cpu", "2.4.0+cpu", BUILD("None", "None"));
    tree_add(t, FILES(DIST(SITE, "nvidia_cublas_cu12", "nvidia-cublas-cu12", "12.1.3.1"),
                      {SITE "/nvidia/cublas/lib/libcublas.so.12", ""}));
    expect(t, "pytorch", CPU, "", "", "");
}

/* ---- JAX --------------------------------------------------------------------------------------------------------- */

static void jax_alone_is_for_the_processor(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(JAX(SITE, "0.7.2", "0.7.2"), JAXLIB(SITE, "0.7.2")));
    expect(t, "jax", CPU, "", "", "");
    assert_string_equal(tree_framework(t, "jax").version, "0.7.2");
    assert_string_equal(tree_framework(t, "jax").detail, "");
}

static void plugins_bring_devices(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(JAX(SITE, "0.7.2", "0.7.2"), JAXLIB(SITE, "0.7.2"), PLUGIN(SITE, "cuda12", "0.7.2", "0.7.2")));
    expect(t, "jax", CPU | CUDA, "12", "", "jax-cuda12-plugin 0.7.2");
    tree_add(t, FILES(PLUGIN(SITE, "cuda13", "0.7.2", "0.7.2")));
    expect(t, "jax", CPU | CUDA, "13", "", "jax-cuda12-plugin 0.7.2, jax-cuda13-plugin 0.7.2");
    tree_add(t, FILES(DIST(SITE, "libtpu", "libtpu", "0.0.44"), {SITE "/libtpu/libtpu.so", ""}));
    expect(t, "jax", CPU | CUDA | RUNG_BUILT_TPU, "13", "",
           "jax-cuda12-plugin 0.7.2, jax-cuda13-plugin 0.7.2, libtpu 0.0.44");
    assert_string_equal(tree_framework(t, "jax").detail, "");
}

static void other_plugins_bring_other_devices(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(JAX(SITE, "0.7.2", "0.7.2"), JAXLIB(SITE, "0.7.2"), PLUGIN(SITE, "rocm60", "0.7.1", "0.7.1")));
    /* ROCm's need not have the version of jaxlib */
    expect(t, "jax", CPU | ROCM, "", "6.0", "jax-rocm60-plugin 0.7.1");
    tree_add(t, FILES(PLUGIN(SITE, "rocm7", "0.7.2", "0.7.2"), DIST(SITE, "jax_metal", "jax-metal", "0.1.1"),
                      PLUGIN(SITE, "oneapi", "0.7.2", "0.7.2"),
                      DIST(SITE, "libtpu_nightly", "libtpu-nightly", "0.1.dev1"), {SITE "/libtpu/__init__.py", ""}));
    rung_framework jax = tree_framework(t, "jax");
    assert_int_equal(jax.built, CPU | ROCM | RUNG_BUILT_METAL | RUNG_BUILT_XPU | RUNG_BUILT_TPU);
    assert_string_equal(jax.rocm, "7");
    assert_string_equal(jax.detail, "");
}

static void a_plugin_that_does_not_fit_is_not_used(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(JAX(SITE, "0.7.2", "0.7.0"), JAXLIB(SITE, "0.7.1"), PLUGIN(SITE, "cuda12", "0.7.2", "0.7.2")));
    expect(t, "jax", CPU, "", "", "");
    assert_string_equal(tree_framework(t, "jax").detail, "jax-cuda12-plugin 0.7.2 is not used with jaxlib 0.7.1");
    tree_add(t, FILES(JAXLIB(SITE, "0.7.2")));
    tree_add(t, FILES({SITE "/jaxlib-0.7.1.dist-info/METADATA", ""}));
    expect(t, "jax", CPU | CUDA, "12", "", "jax-cuda12-plugin 0.7.2");
    /* the pjrt of another version, and none */
    tree_add(t, FILES({SITE "/jax_cuda12_pjrt-0.7.2.dist-info/METADATA", "Name: jax-cuda12-pjrt\nVersion: 0.7.1\n"}));
    expect(t, "jax", CPU, "", "", "");
    assert_string_equal(tree_framework(t, "jax").detail, "jax-cuda12-plugin has a pjrt of another version");
    tree_add(t, FILES({SITE "/jax_cuda12_pjrt-0.7.2.dist-info/METADATA", ""}));
    expect(t, "jax", CPU, "", "", "");
    assert_string_equal(tree_framework(t, "jax").detail, "jax-cuda12-plugin has no pjrt");
    /* metadata of a plug-in without its files */
    tree_add(t, FILES(DIST(SITE, "jax_cuda13_plugin", "jax-cuda13-plugin", "0.7.2"),
                      DIST(SITE, "jax_cuda13_pjrt", "jax-cuda13-pjrt", "0.7.2")));
    expect(t, "jax", CPU, "", "", "");
    assert_string_equal(tree_framework(t, "jax").detail,
                        "jax-cuda12-plugin has no pjrt; jax-cuda13-plugin lacks its files");
}

static void plugins_whose_files_are_gone_bring_nothing(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(JAX(SITE, "0.7.2", "0.7.2"), JAXLIB(SITE, "0.7.2"), DIST(SITE, "libtpu", "libtpu", "0.0.44")));
    expect(t, "jax", CPU, "", "", "");
    assert_string_equal(tree_framework(t, "jax").detail, "libtpu lacks its files");
    tree_add(t, FILES({SITE "/libtpu", ""})); /* a file is none */
    expect(t, "jax", CPU, "", "", "");
    tree_add(t, FILES({"/code/libtpu/libtpu.so", ""}, {SITE "/code.pth", "/code\n"}));
    expect(t, "jax", CPU | RUNG_BUILT_TPU, "", "", "libtpu 0.0.44");
    static const char *const devices[][2] = {{"cuda12", "jax-cuda12-pjrt lacks its files"},
                                             {"rocm60", "jax-cuda12-pjrt lacks its files; jax-rocm60-pjrt lacks its "
                                                        "files"}};
    tree_add(t, FILES(PLUGIN(SITE, "cuda12", "0.7.2", "0.7.2"), PLUGIN(SITE, "rocm60", "0.7.2", "0.7.2")));
    expect(t, "jax", CPU | CUDA | ROCM | RUNG_BUILT_TPU, "12", "6.0",
           "jax-cuda12-plugin 0.7.2, jax-rocm60-plugin 0.7.2, libtpu 0.0.44");
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        char path[128];
        (void)snprintf(path, sizeof path, SITE "/jax_plugins/xla_%s/__init__.py", devices[i][0]);
        tree_remove(t, path);
        *strrchr(path, '/') = '\0';
        tree_remove(t, path);
        assert_string_equal(tree_framework(t, "jax").detail, devices[i][1]);
    }
    expect(t, "jax", CPU | RUNG_BUILT_TPU, "", "", "libtpu 0.0.44");
}

static void expect_mismatch(tree *t, const char *detail)
{
    rung_framework jax = tree_framework(t, "jax");
    assert_int_equal(jax.state, RUNG_FRAMEWORK_MISMATCH);
    assert_string_equal(jax.detail, detail);
    assert_string_equal(jax.version, "0.7.2");
    assert_int_equal(jax.built, 0);
}

static void jax_needs_a_jaxlib_that_fits(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(JAX(SITE, "0.7.2", "0.7.0"), PLUGIN(SITE, "cuda12", "0.7.2", "0.7.2")));
    expect_mismatch(t, "jaxlib: not installed");
    tree_add(t, FILES({SITE "/jaxlib/", NULL}));
    expect_mismatch(t, "jaxlib: something else has its name");
    static const struct {
        const char *version, *detail;
    } cases[] = {
        {"0.7.3", "jaxlib 0.7.3 is newer than jax"},
        {"0.7.2.1", "jaxlib 0.7.2.1 is newer than jax"},
        {"0.10.0", "jaxlib 0.10.0 is newer than jax"},
        {"0.6.2", "jaxlib 0.6.2 is older than 0.7.0"},
        {"0.7", "jaxlib 0.7 is older than 0.7.0"},
        {"0.7.2", NULL},
        {"0.7.1", NULL},
        {"0.7.0", NULL},
        {"0.7.2.dev20250901", NULL},
        {"0.7.0rc1", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128], dist[128];
        (void)snprintf(text, sizeof text, "_release_version: str | None = '%s'\n", cases[i].version);
        (void)snprintf(dist, sizeof dist, "Name: jaxlib\nVersion: %s\n", cases[i].version);
        tree_add(t, FILES({SITE "/jaxlib/__init__.py", ""}, {SITE "/jaxlib/version.py", text},
                          {SITE "/jaxlib.dist-info/METADATA", dist}));
        if (cases[i].detail == NULL)
            assert_int_equal(tree_framework(t, "jax").state, RUNG_FRAMEWORK_INSTALLED);
        else
            expect_mismatch(t, cases[i].detail);
    }
}

static void the_oldest_jaxlib_may_be_told_by_metadata(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(JAX(SITE, "0.7.2", "0.7.2"), JAXLIB(SITE, "0.6.0")));
    static const struct {
        const char *requirement;
        bool fits;
    } cases[] = {
        {"Requires-Dist: jaxlib<=0.7.2,>=0.7.2\n", false},
        {"Requires-Dist: numpy>=2.0\nRequires-Dist: jaxlib (<=0.7.2,>=0.6.1)\n", false},
        {"Requires-Dist: jaxlib >= 0.6.1\n", false},
        {"Requires-Dist: jaxlib<=0.7.2,>=0.6.0\n", true},
        {"Requires-Dist: jaxlib==0.7.2; extra == \"ci\"\n", true},
        {"Requires-Dist: jaxlib>=0.7.2 ; extra == 'x'\n", true},
        {"Requires-Dist: jaxlib-extra>=0.7.2\n", true},
        {"Requires-Dist: jaxlib>=\n", true},
        {"Requires-Dist: jaxlib\n", true},
        {"\nRequires-Dist: jaxlib>=0.7.2\n", true},
        {"", true},
    };
    tree_add(t,
             FILES({SITE "/jax/version.py", "_release_version: str = '0.7.2'\n_minimum_jaxlib_version = minimum()\n"}));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "Name: jax\nVersion: 0.7.2\n%s", cases[i].requirement);
        tree_add(t, FILES({SITE "/jax-0.7.2.dist-info/METADATA", text}));
        if ((tree_framework(t, "jax").state == RUNG_FRAMEWORK_INSTALLED) != cases[i].fits)
            fail_msg("%s", cases[i].requirement);
    }
}

static void jaxlib_itself_may_have_cuda(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(JAX(SITE, "0.4.13", "0.4.13"), JAXLIB(SITE, "0.4.13+cuda11.cudnn86")));
    expect(t, "jax", CPU | CUDA, "11", "", "");
    tree_add(t, FILES(JAX("/pip", "0.7.2", "0.7.2"), JAXLIB("/pip", "0.7.2"),
                      {"/opt/conda/conda-meta/jaxlib-0.7.2-cpu_py312h123_0.json", ""}));
    tree_set(t, "PYTHONPATH=/pip");
    expect(t, "jax", CPU, "", "", "");
    tree_remove(t, "/opt/conda/conda-meta/jaxlib-0.7.2-cpu_py312h123_0.json");
    tree_add(t, FILES({"/opt/conda/conda-meta/jaxlib-0.7.2-cuda126py312h123_200.json", ""}));
    expect(t, "jax", CPU | CUDA, "12.6", "", "");
}

static void jaxlib_alone_is_not_jax(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(JAXLIB(SITE, "0.7.2"), PLUGIN(SITE, "cuda12", "0.7.2", "0.7.2")));
    rung_framework jax = tree_framework(t, "jax");
    assert_int_equal(jax.state, RUNG_FRAMEWORK_ABSENT);
    assert_string_equal(jax.plugins, "");
}

/* ---- NumPy and TensorFlow ---------------------------------------------------------------------------------------- */

static void numpy_is_for_the_processor(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(NUMPY(SITE, "2.1.0")));
    expect(t, "numpy", CPU, "", "", "");
}

#define TENSORFLOW(entry, name, version)                                                                               \
    {SITE "/tensorflow/__init__.py", ""}, {SITE "/tensorflow/python/__init__.py", ""}, DIST(SITE, entry, name, version)
#define BUILD_INFO(pairs)                                                                                              \
    {                                                                                                                  \
        SITE "/tensorflow/python/platform/build_info.py",                                                              \
            "\"\"\"Auto-generated.\"\"\"\nimport collections\n\nbuild_info = collections.OrderedDict([" pairs "])\n"   \
    }

static void tensorflow_tells_by_its_build_info(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(TENSORFLOW("tensorflow", "tensorflow", "2.18.0"),
                      BUILD_INFO("('cpu_compiler', '/usr/lib/llvm-18/bin/clang'), ('cuda_compute_capabilities', "
                                 "['sm_60', 'compute_90']), ('cuda_version', '12.5.1'), ('cudnn_version', '9'), "
                                 "('is_cuda_build', True), ('is_rocm_build', False), ('is_tensorrt_build', False)")));
    expect(t, "tensorflow", CPU | CUDA, "12.5", "", "");
    assert_string_equal(tree_framework(t, "tensorflow").version, "2.18.0");
    assert_string_equal(tree_framework(t, "tensorflow").detail, "");
    tree_add(t,
             FILES(BUILD_INFO("(\"is_cuda_build\", False), (\"is_rocm_build\", True), (\"rocm_version\", \"6.4.1\")")));
    expect(t, "tensorflow", CPU | ROCM, "", "6.4", "");
    tree_add(t, FILES(BUILD_INFO("('is_cuda_build', False), ('is_rocm_build', False), ('is_tensorrt_build', False)")));
    expect(t, "tensorflow", CPU, "", "", "");
    assert_string_equal(tree_framework(t, "tensorflow").detail, "");
}

static void tensorflows_name_tells_without_it(void **state)
{
    static const struct {
        const char *name;
        unsigned built;
        bool unknown;
    } cases[] = {
        {"tensorflow", CPU, true},
        {"tensorflow-cpu", CPU, false},
        {"tensorflow_gpu", CPU | CUDA, false},
        {"tensorflow-rocm", CPU | ROCM, false},
        {"tensorflow_macos", CPU, false},
        {"tf_nightly", CPU, true},
        {"tf-nightly-cpu", CPU, false},
        {"tensorflow_intel", CPU, false},
        {"intel-tensorflow", CPU, true},
    };
    tree *t = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[TREE_PATH], text[128];
        (void)snprintf(text, sizeof text, "Name: %s\nVersion: 2.11.0\n", cases[i].name);
        (void)snprintf(path, sizeof path, "%s/%s.dist-info/METADATA", SITE, cases[i].name);
        tree_add(
            t, FILES({SITE "/tensorflow/__init__.py", ""}, {SITE "/tensorflow/python/__init__.py", ""}, {path, text}));
        expect(t, "tensorflow", cases[i].built, "", "", "");
        assert_int_equal(tree_framework(t, "tensorflow").detail[0] != '\0', cases[i].unknown);
        tree_add(t, FILES({path, ""}));
    }
}

static void metal_comes_to_tensorflow_as_a_plugin(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(TENSORFLOW("tensorflow_macos", "tensorflow-macos", "2.15.0"),
                      DIST(SITE, "tensorflow", "tensorflow", "2.15.0"),
                      DIST(SITE, "tensorflow_metal", "tensorflow-metal", "1.1.0"),
                      BUILD_INFO("('is_cuda_build', False), ('is_rocm_build', False)")));
    expect(t, "tensorflow", CPU | RUNG_BUILT_METAL, "", "", "tensorflow-metal 1.1.0");
}

static void condas_tensorflow_tells_by_its_build_string(void **state)
{
    tree *t = *state;
    tree_add(t, FILES(TENSORFLOW("tensorflow", "tensorflow", "2.17.0"),
                      {"/opt/conda/conda-meta/tensorflow-base-2.17.0-cuda120py312h123_200.json", ""}));
    expect(t, "tensorflow", CPU | CUDA, "12.0", "", "");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(torch_tells_by_its_own_file),
        TEST(labels_and_libraries_tell_where_its_file_does_not),
        TEST(condas_build_string_is_the_last_to_tell),
        TEST(builds_for_macos_have_metal),
        TEST(dists_of_nvidia_prove_nothing),
        TEST(jax_alone_is_for_the_processor),
        TEST(plugins_bring_devices),
        TEST(other_plugins_bring_other_devices),
        TEST(a_plugin_that_does_not_fit_is_not_used),
        TEST(plugins_whose_files_are_gone_bring_nothing),
        TEST(jax_needs_a_jaxlib_that_fits),
        TEST(the_oldest_jaxlib_may_be_told_by_metadata),
        TEST(jaxlib_itself_may_have_cuda),
        TEST(jaxlib_alone_is_not_jax),
        TEST(numpy_is_for_the_processor),
        TEST(tensorflow_tells_by_its_build_info),
        TEST(tensorflows_name_tells_without_it),
        TEST(metal_comes_to_tensorflow_as_a_plugin),
        TEST(condas_tensorflow_tells_by_its_build_string),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
