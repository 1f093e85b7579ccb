/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines, what is asked for, and the answer. The lines of an answer: what is chosen; every backend with its device,
 * kind, score and reason, "- " before those that are not available; warnings after "! "; advice after "? ".
 */
#include "machine.h"

enum { FULL = RUNG_SELECT_FULL, UNCHECKED = RUNG_SELECT_UNCHECKED };

/* clang-format off */
#define JAX_CPU      {"jax", RUNG_BUILT_CPU, "0.7.2", "", 0, NULL}
#define JAX_CUDA12   {"jax", RUNG_BUILT_CPU | RUNG_BUILT_CUDA, "0.7.2", "12", 0, NULL}
#define JAX_CUDA13   {"jax", RUNG_BUILT_CPU | RUNG_BUILT_CUDA, "0.7.2", "13", 0, NULL}
#define JAX_ROCM     {"jax", RUNG_BUILT_CPU | RUNG_BUILT_ROCM, "0.6.0", "", 0, NULL}
#define JAX_METAL    {"jax", RUNG_BUILT_CPU | RUNG_BUILT_METAL, "0.5.0", "", 0, NULL}
#define JAX_TPU      {"jax", RUNG_BUILT_CPU | RUNG_BUILT_TPU, "0.7.2", "", 0, NULL}
#define TORCH_CPU    {"pytorch", RUNG_BUILT_CPU, "2.8.0+cpu", "", 0, NULL}
#define TORCH_CUDA12 {"pytorch", RUNG_BUILT_CPU | RUNG_BUILT_CUDA, "2.8.0+cu128", "12.8", 0, NULL}
#define TORCH_ROCM   {"pytorch", RUNG_BUILT_CPU | RUNG_BUILT_ROCM, "2.8.0+rocm6.4", "", 0, NULL}
#define TORCH_METAL  {"pytorch", RUNG_BUILT_CPU | RUNG_BUILT_METAL, "2.8.0", "", 0, NULL}
#define NUMPY        {"numpy", RUNG_BUILT_CPU, "2.3.0", "", 0, NULL}
#define NO_PYTHON(n) {#n, 0, "", "", RUNG_FRAMEWORK_NO_PYTHON, "no python3 on PATH"}

#define A100(n)                 {"cuda", RUNG_STATE_USABLE, n, 40960, RUNG_DRIVER_VERSION(12, 4), NULL}
#define B200(n)                 {"cuda", RUNG_STATE_USABLE, n, 183359, RUNG_DRIVER_VERSION(13, 0), NULL}
#define K80                     {"cuda", RUNG_STATE_USABLE, 2, 11441, RUNG_DRIVER_VERSION(11, 8), NULL}
#define SIZED(mb)               {"cuda", RUNG_STATE_USABLE, 1, mb, RUNG_DRIVER_VERSION(12, 4), NULL}
#define UNKNOWN_DRIVER          {"cuda", RUNG_STATE_USABLE, 1, 0, 0, NULL}
#define MI250(n)                {"rocm", RUNG_STATE_USABLE, n, 65520, 0, NULL}
#define METAL                   {"metal", RUNG_STATE_USABLE, 1, 0, 0, NULL}
#define TPU                     {"tpu", RUNG_STATE_USABLE, 4, 0, 0, NULL}
#define KIND(name, is, figures) {name, RUNG_STATE_##is, 0, 0, 0, figures}
#define KIND4(name, is)         {name, RUNG_STATE_##is, 4, 40960, RUNG_DRIVER_VERSION(12, 4), NULL}
/* clang-format on */

static const struct {
    const char *what;
    machine machine;
    const char *name;
    unsigned flags;
    rung_problem problem;
    const char *answer;
} cases[] = {
    {"JAX on a TPU",
     {.kinds = {TPU}, .frameworks = {JAX_TPU, TORCH_CPU, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax tpu\n"
     "jax tpu [tpu] 100: JAX with TPU acceleration\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"},
    {"JAX on an NVIDIA GPU",
     {.kinds = {A100(1)}, .frameworks = {JAX_CUDA12, TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax gpu\n"
     "jax gpu [cuda] 90: JAX with GPU acceleration\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (1 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"},
    {"PyTorch on one NVIDIA GPU",
     {.kinds = {A100(1)}, .frameworks = {TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (1 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"PyTorch on eight NVIDIA GPUs",
     {.kinds = {A100(8)}, .frameworks = {TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (8 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"PyTorch on GPUs that nobody has counted",
     {.kinds = {A100(0)}, .frameworks = {TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (1 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"PyTorch on AMD GPUs is cuda:0 too",
     {.kinds = {MI250(2)}, .frameworks = {TORCH_ROCM, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [rocm] 85: PyTorch with ROCm (2 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [rocm] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"PyTorch on Metal",
     {.kinds = {METAL}, .frameworks = {TORCH_METAL, NUMPY}, .platform = "cpu/neon"},
     NULL,
     FULL,
     {0},
     "=> pytorch mps\n"
     "pytorch mps [metal] 80: PyTorch with Metal Performance Shaders\n"
     "native cpu/neon [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [metal] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"JAX on the processor",
     {.frameworks = {JAX_CPU, TORCH_CPU, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster\n"},
    {"PyTorch on the processor",
     {.frameworks = {TORCH_CPU, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cpu\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax cpu [cpu] 60: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? PyTorch has no GPU to work on; consider JAX, which compiles for the processor\n"},
    {"NumPy ranks below the kernels of this process",
     {.frameworks = {NUMPY}},
     NULL,
     FULL,
     {0},
     "=> native cpu/x86-64-v3\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax cpu [cpu] 60: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- pytorch cpu [cpu] 50: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"NumPy alone",
     {.frameworks = {NUMPY}, .platform = ""},
     NULL,
     FULL,
     {0},
     "=> numpy none\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax cpu [cpu] 60: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- pytorch cpu [cpu] 50: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- native none [] 40: no platform can be opened: RUNG_PLATFORM: unknown device \"cpx\"\n"
     "? install JAX or PyTorch: NumPy has neither a compiler nor GPUs\n"},
    {"nothing at all",
     {.platform = ""},
     NULL,
     FULL,
     {0},
     "error: no backend is available; native: no platform can be opened: RUNG_PLATFORM: unknown device \"cpx\"\n"
     "- jax cpu [cpu] 60: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- pytorch cpu [cpu] 50: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- native none [] 40: no platform can be opened: RUNG_PLATFORM: unknown device \"cpx\"\n"
     "- numpy none [] 30: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"no Python at all",
     {.frameworks = {NO_PYTHON(jax), NO_PYTHON(pytorch), NO_PYTHON(numpy)}},
     NULL,
     FULL,
     {0},
     "=> native cpu/x86-64-v3\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- jax cpu [cpu] 60: there is no Python to look at: no python3 on PATH\n"
     "- pytorch cpu [cpu] 50: there is no Python to look at: no python3 on PATH\n"
     "- numpy none [] 30: there is no Python to look at: no python3 on PATH\n"},
    {"8192 MB are enough for JAX",
     {.frameworks = {JAX_CPU, TORCH_CPU, NUMPY}, .memory_mb = 8192},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster\n"},
    {"8191 MB are not: the tie with PyTorch goes to JAX, which is listed first",
     {.frameworks = {JAX_CPU, TORCH_CPU, NUMPY}, .memory_mb = 8191},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 50: JAX on CPU (limited memory)\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster\n"},
    {"memory that is not known is not little",
     {.frameworks = {JAX_CPU, NUMPY}, .memory_mb = NOT_KNOWN},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- pytorch cpu [cpu] 50: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster\n"},
    {"little memory does not make JAX installed",
     {.frameworks = {TORCH_CPU, NUMPY}, .memory_mb = 4096},
     NULL,
     FULL,
     {0},
     "=> pytorch cpu\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax cpu [cpu] 50: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? PyTorch has no GPU to work on; consider JAX, which compiles for the processor\n"},
    {"little memory does not matter to JAX on a GPU",
     {.kinds = {A100(1)}, .frameworks = {JAX_CUDA12, NUMPY}, .memory_mb = 4096},
     NULL,
     FULL,
     {0},
     "=> jax gpu\n"
     "jax gpu [cuda] 90: JAX with GPU acceleration\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- pytorch cuda:0 [cuda] 85: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"a TPU without the plug-in for it",
     {.kinds = {TPU}, .frameworks = {JAX_CPU, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- pytorch cpu [cpu] 50: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster; jax 0.7.2 has no build or plug-in for "
     "tpu\n"},
    {"the plug-in without a TPU",
     {.frameworks = {JAX_TPU, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- pytorch cpu [cpu] 50: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster\n"},
    {"a TPU that cannot be asked",
     {.kinds = {KIND("tpu", NOT_ASKED, NULL)}, .frameworks = {JAX_TPU, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- pytorch cpu [cpu] 50: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster; tpu: there, and not asked whether it can "
     "be used; `rung doctor` finds out\n"},
    {"JAX for CUDA 13 on a driver for 12.4",
     {.kinds = {A100(1)}, .frameworks = {JAX_CUDA13, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- pytorch cuda:0 [cuda] 85: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster; jax 0.7.2 is built for CUDA 13, the driver "
     "supports CUDA 12.4\n"},
    {"JAX for CUDA 13 on a driver for 13.0",
     {.kinds = {B200(1)}, .frameworks = {JAX_CUDA13, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax gpu\n"
     "jax gpu [cuda] 90: JAX with GPU acceleration\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- pytorch cuda:0 [cuda] 85: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"JAX for CUDA 12 on a driver for 13.0",
     {.kinds = {B200(1)}, .frameworks = {JAX_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax gpu\n"
     "jax gpu [cuda] 90: JAX with GPU acceleration\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- pytorch cuda:0 [cuda] 85: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"JAX for CUDA 12 on a driver for 11.8",
     {.kinds = {K80}, .frameworks = {JAX_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- pytorch cuda:0 [cuda] 85: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster; jax 0.7.2 is built for CUDA 12, the driver "
     "supports CUDA 11.8\n"},
    {"PyTorch for CUDA 12.8 on a driver for 12.4: the same major version",
     {.kinds = {A100(1)}, .frameworks = {TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (1 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"PyTorch for CUDA 12.8 on a driver for 11.8",
     {.kinds = {K80}, .frameworks = {TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cpu\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? PyTorch has no GPU to work on; consider JAX, which compiles for the processor; pytorch 2.8.0+cu128 is built "
     "for CUDA 12.8, the driver supports CUDA 11.8\n"},
    {"PyTorch for CUDA on a driver of no known version",
     {.kinds = {UNKNOWN_DRIVER}, .frameworks = {TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (1 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"PyTorch for CUDA of no known version",
     {.kinds = {A100(1)},
      .frameworks = {{"pytorch", RUNG_BUILT_CPU | RUNG_BUILT_CUDA, "2.8.0", "cu12x", 0, NULL}, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (1 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"PyTorch for the processor on a machine with a GPU",
     {.kinds = {A100(1)}, .frameworks = {TORCH_CPU, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cpu\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? PyTorch has no GPU to work on; consider JAX, which compiles for the processor; pytorch 2.8.0+cpu has no build "
     "or plug-in for cuda\n"},
    {"JAX for the processor is no reason to choose PyTorch's slower line",
     {.kinds = {A100(1)}, .frameworks = {JAX_CPU, TORCH_CPU}},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU; pytorch 2.8.0+cpu has no build or plug-in for cuda\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- numpy none [] 30: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster; jax 0.7.2 has no build or plug-in for "
     "cuda\n"},
    {"PyTorch with a GPU before JAX without",
     {.kinds = {A100(1)}, .frameworks = {JAX_CPU, TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (1 GPU(s))\n"
     "jax cpu [cpu] 60: JAX with JIT compilation; jax 0.7.2 has no build or plug-in for cuda\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"},
    {"a toolkit without a GPU is no GPU",
     {.kinds = {KIND("cuda", ABSENT, NULL)}, .frameworks = {JAX_CUDA12, TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster\n"},
    {"a driver that has no devices is no GPU",
     {.kinds = {KIND("cuda", NO_DEVICES, NULL)}, .frameworks = {JAX_CUDA12, TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster\n"},
    {"every GPU is hidden",
     {.kinds = {KIND("cuda", HIDDEN, "CUDA_VISIBLE_DEVICES is empty")},
      .frameworks = {JAX_CUDA12, TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU; cuda: hidden by the environment (CUDA_VISIBLE_DEVICES is empty)\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster; cuda: hidden by the environment "
     "(CUDA_VISIBLE_DEVICES is empty)\n"},
    {"the driver's library is missing",
     {.kinds = {KIND("cuda", NO_LIBRARY, "libcuda.so.1")}, .frameworks = {JAX_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- pytorch cpu [cpu] 50: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster; cuda: the driver's library is missing "
     "(libcuda.so.1)\n"},
    {"a GPU that was not asked",
     {.kinds = {KIND("cuda", NOT_ASKED, NULL)}, .frameworks = {TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cpu\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax cpu [cpu] 60: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? PyTorch has no GPU to work on; consider JAX, which compiles for the processor; cuda: there, and not asked "
     "whether it can be used; `rung doctor` finds out\n"},
    {"the GPU is skipped: nobody is told to mend it",
     {.kinds = {KIND("cuda", SKIPPED, NULL)}, .frameworks = {TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cpu\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax cpu [cpu] 60: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? PyTorch has no GPU to work on; consider JAX, which compiles for the processor\n"},
    {"a program without a loader cannot ask",
     {.kinds = {KIND("cuda", STATIC_PROGRAM, "libcuda.so.1")}, .frameworks = {TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cpu\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax cpu [cpu] 60: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? PyTorch has no GPU to work on; consider JAX, which compiles for the processor; cuda: a static program cannot "
     "load drivers (libcuda.so.1)\n"},
    {"what concerns Rung's kernels does not concern PyTorch: no kernels",
     {.kinds = {KIND4("cuda", NO_KERNELS)}, .frameworks = {TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (4 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"what concerns Rung's kernels does not concern PyTorch: a new arch",
     {.kinds = {KIND4("cuda", ARCH_TOO_NEW)}, .frameworks = {TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (4 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"what concerns Rung's kernels does not concern PyTorch: an old driver",
     {.kinds = {KIND4("cuda", DRIVER_TOO_OLD)}, .frameworks = {TORCH_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (4 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"JAX for ROCm",
     {.kinds = {MI250(1)}, .frameworks = {JAX_ROCM, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax gpu\n"
     "jax gpu [rocm] 90: JAX with GPU acceleration\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- pytorch cuda:0 [rocm] 85: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"JAX for CUDA on a machine with an AMD GPU",
     {.kinds = {MI250(1)}, .frameworks = {JAX_CUDA12, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- pytorch cuda:0 [rocm] 85: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster; jax 0.7.2 has no build or plug-in for "
     "rocm\n"},
    {"/opt/rocm without a GPU is no GPU",
     {.kinds = {KIND("rocm", ABSENT, NULL)}, .frameworks = {TORCH_ROCM, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cpu\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax cpu [cpu] 60: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? PyTorch has no GPU to work on; consider JAX, which compiles for the processor\n"},
    {"an AMD GPU that this user may not open",
     {.kinds = {KIND("rocm", NO_PERMISSION, "/dev/kfd")}, .frameworks = {TORCH_ROCM, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> pytorch cpu\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax cpu [cpu] 60: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? PyTorch has no GPU to work on; consider JAX, which compiles for the processor; rocm: this user may not open it "
     "(/dev/kfd)\n"},
    {"JAX for Metal",
     {.kinds = {METAL}, .frameworks = {JAX_METAL, NUMPY}, .platform = "cpu/neon"},
     NULL,
     FULL,
     {0},
     "=> jax gpu\n"
     "jax gpu [metal] 90: JAX with GPU acceleration\n"
     "native cpu/neon [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- pytorch mps [metal] 80: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"two kinds of GPU: the one that the framework was built for",
     {.kinds = {A100(1), MI250(2)}, .frameworks = {JAX_ROCM, TORCH_ROCM}},
     NULL,
     FULL,
     {0},
     "=> jax gpu\n"
     "jax gpu [rocm] 90: JAX with GPU acceleration\n"
     "pytorch cuda:0 [rocm] 85: PyTorch with ROCm (2 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- numpy none [] 30: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"of two kinds of GPU that cannot be used the reason is that of the one which is there",
     {.kinds = {KIND("cuda", ABSENT, NULL), KIND("rocm", NO_PERMISSION, "/dev/kfd")}, .frameworks = {JAX_ROCM}},
     NULL,
     FULL,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- pytorch cpu [cpu] 50: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- numpy none [] 30: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster; rocm: this user may not open it "
     "(/dev/kfd)\n"},
    {"jax without its jaxlib",
     {.kinds = {A100(1)}, .frameworks = {{"jax", 0, "0.7.2", "", RUNG_FRAMEWORK_MISMATCH, "jaxlib is missing"}, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> native cpu/x86-64-v3\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [cuda] 90: its parts do not fit together: jaxlib is missing\n"
     "- pytorch cuda:0 [cuda] 85: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? cuda can be used here, and the platform is another one; see `rung doctor`\n"},
    {"a folder called torch",
     {.frameworks = {{"pytorch", 0, "", "", RUNG_FRAMEWORK_NAMESPACE, "/home/u/torch"}, NUMPY}},
     NULL,
     FULL,
     {0},
     "=> native cpu/x86-64-v3\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax cpu [cpu] 60: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- pytorch cpu [cpu] 50: something else has its name: /home/u/torch\n"},
    {"a broken framework is told, and the next is taken",
     {.kinds = {A100(1)},
      .frameworks = {{"pytorch", 0, "", "", RUNG_FRAMEWORK_UNREADABLE, "torch-2.8.0.dist-info/METADATA"}, JAX_CUDA12}},
     NULL,
     FULL,
     {0},
     "=> jax gpu\n"
     "jax gpu [cuda] 90: JAX with GPU acceleration\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- pytorch cuda:0 [cuda] 85: its name or its version cannot be read: torch-2.8.0.dist-info/METADATA\n"
     "- numpy none [] 30: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"kernels of this process on a GPU",
     {.kinds = {A100(1)}, .frameworks = {NUMPY}, .platform = "cuda:1/sm80,cpu/x86-64-v3"},
     NULL,
     FULL,
     {0},
     "=> native cuda:1/sm80,cpu/x86-64-v3\n"
     "native cuda:1/sm80,cpu/x86-64-v3 [cuda] 70: Rung's own kernels on a GPU\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- pytorch cuda:0 [cuda] 85: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"Python's frameworks are listed, and not chosen, without the full list",
     {.kinds = {A100(1)}, .frameworks = {JAX_CUDA12, TORCH_CUDA12, NUMPY}},
     NULL,
     0,
     {0},
     "=> native cpu/x86-64-v3\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- jax gpu [cuda] 90: only Python can drive it\n"
     "- pytorch cuda:0 [cuda] 85: only Python can drive it\n"
     "- numpy none [] 30: only Python can drive it\n"
     "? cuda can be used here, and the platform is another one; see `rung doctor`\n"},
    {"without the full list, kernels of this process on a GPU",
     {.kinds = {A100(1)}, .frameworks = {JAX_CUDA12}, .platform = "cuda/sm80,cpu/x86-64-v3"},
     NULL,
     0,
     {0},
     "=> native cuda/sm80,cpu/x86-64-v3\n"
     "native cuda/sm80,cpu/x86-64-v3 [cuda] 70: Rung's own kernels on a GPU\n"
     "- jax gpu [cuda] 90: only Python can drive it\n"
     "- pytorch cuda:0 [cuda] 85: only Python can drive it\n"
     "- numpy none [] 30: only Python can drive it\n"},
    {"without the full list and without a platform nothing is left",
     {.frameworks = {JAX_CPU, TORCH_CPU, NUMPY}, .platform = ""},
     NULL,
     0,
     {0},
     "error: no backend is available; native: no platform can be opened: RUNG_PLATFORM: unknown device \"cpx\"\n"
     "- jax cpu [cpu] 60: only Python can drive it\n"
     "- pytorch cpu [cpu] 50: only Python can drive it\n"
     "- native none [] 40: no platform can be opened: RUNG_PLATFORM: unknown device \"cpx\"\n"
     "- numpy none [] 30: only Python can drive it\n"},
    {"the demonstration accelerator",
     {.platform = "accel/sm90,cpu/x86-64-v3"},
     NULL,
     0,
     {0},
     "=> native accel/sm90,cpu/x86-64-v3\n"
     "native accel/sm90,cpu/x86-64-v3 [accel] 40: Rung's own kernels on the processor\n"
     "- jax cpu [cpu] 60: only Python can drive it\n"
     "- pytorch cpu [cpu] 50: only Python can drive it\n"
     "- numpy none [] 30: only Python can drive it\n"},
    {"a device that the ranking has no line for",
     {.platform = "opencl"},
     NULL,
     0,
     {0},
     "error: no backend is available; native: the platform that is opened is opencl\n"
     "- jax cpu [cpu] 60: only Python can drive it\n"
     "- pytorch cpu [cpu] 50: only Python can drive it\n"
     "- native opencl [opencl] 40: the platform that is opened is opencl\n"
     "- numpy none [] 30: only Python can drive it\n"},
    {"a GPU beside kernels for the processor",
     {.kinds = {KIND("cuda", DRIVER_MISMATCH, "580.65.06 and 570.1")}},
     NULL,
     0,
     {0},
     "=> native cpu/x86-64-v3\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- jax cpu [cpu] 60: only Python can drive it\n"
     "- pytorch cpu [cpu] 50: only Python can drive it\n"
     "- numpy none [] 30: only Python can drive it\n"
     "? cuda: the driver's library is not of the kernel module's version. Restart the machine, or reload the kernel "
     "module.\n"},
    {"asked for PyTorch where JAX is better",
     {.kinds = {A100(1)}, .frameworks = {JAX_CUDA12, TORCH_CUDA12, NUMPY}},
     "pytorch",
     FULL,
     {0},
     "=> pytorch cuda:0\n"
     "jax gpu [cuda] 90: JAX with GPU acceleration\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (1 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "? jax is available and ranks higher: JAX with GPU acceleration\n"},
    {"asked for NumPy",
     {.frameworks = {JAX_CPU, TORCH_CPU, NUMPY}},
     "numpy",
     FULL,
     {0},
     "=> numpy none\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "? jax is available and ranks higher: JAX with JIT compilation\n"},
    {"asked for native",
     {.frameworks = {JAX_CPU, TORCH_CPU, NUMPY}},
     "native",
     FULL,
     {0},
     "=> native cpu/x86-64-v3\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "? jax is available and ranks higher: JAX with JIT compilation\n"},
    {"whoever asks for a framework wants Python looked at",
     {.frameworks = {JAX_CPU, TORCH_CPU, NUMPY}},
     "jax",
     0,
     {0},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "pytorch cpu [cpu] 50: PyTorch on CPU\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster\n"},
    {"asked for JAX, which is not installed",
     {.kinds = {A100(1)}, .frameworks = {TORCH_CUDA12, NUMPY}},
     "jax",
     FULL,
     {0},
     "error: jax is not available: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (1 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"asked for JAX unchecked",
     {.kinds = {A100(1)}, .frameworks = {TORCH_CUDA12, NUMPY}},
     "jax",
     FULL | UNCHECKED,
     {0},
     "=> jax gpu\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (1 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"asked for native, which cannot be opened",
     {.frameworks = {NUMPY}, .platform = ""},
     "native",
     0,
     {0},
     "error: native is not available: no platform can be opened: RUNG_PLATFORM: unknown device \"cpx\"\n"
     "- jax cpu [cpu] 60: only Python can drive it\n"
     "- pytorch cpu [cpu] 50: only Python can drive it\n"
     "- native none [] 40: no platform can be opened: RUNG_PLATFORM: unknown device \"cpx\"\n"
     "- numpy none [] 30: only Python can drive it\n"},
    {"fits one GPU of 40960 MB: 9920 MB",
     {.kinds = {A100(2)}, .frameworks = {TORCH_CUDA12}},
     NULL,
     FULL,
     {500000, 1200, 100},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (2 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- numpy none [] 30: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"exactly 0.8 of the GPU fits: 488 of 610",
     {.kinds = {SIZED(610)}, .frameworks = {TORCH_CUDA12}},
     NULL,
     FULL,
     {100000, 300, 20},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (1 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- numpy none [] 30: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"one MB less does not: 488 of 609",
     {.kinds = {SIZED(609)}, .frameworks = {TORCH_CUDA12}},
     NULL,
     FULL,
     {100000, 300, 20},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (1 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- numpy none [] 30: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "! the problem needs 488 MB, which is more than 0.8 of the 609 MB of one device\n"},
    {"one GPU counts, not the sum of eight",
     {.kinds = {A100(8)}, .frameworks = {TORCH_CUDA12}, .memory_mb = 1048576},
     NULL,
     FULL,
     {2000000, 1200, 100},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (8 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- numpy none [] 30: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "! the problem needs 39674 MB, which is more than 0.8 of the 40960 MB of one device\n"},
    {"GPU memory that is not known is not 0",
     {.kinds = {SIZED(0)}, .frameworks = {TORCH_CUDA12}},
     NULL,
     FULL,
     {500000, 1200, 100},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (1 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- numpy none [] 30: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"},
    {"the processor's memory counts as well",
     {.kinds = {A100(1)}, .frameworks = {TORCH_CUDA12}, .available_mb = 10000},
     NULL,
     FULL,
     {500000, 1200, 100},
     "=> pytorch cuda:0\n"
     "pytorch cuda:0 [cuda] 85: PyTorch with CUDA (1 GPU(s))\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- jax gpu [cuda] 90: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- numpy none [] 30: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "! the problem needs 9920 MB, which is more than 0.8 of the 10000 MB of memory that are available\n"},
    {"neither is enough",
     {.kinds = {SIZED(1000)}, .frameworks = {JAX_CUDA12}, .available_mb = 1000},
     NULL,
     FULL,
     {500000, 1200, 100},
     "=> jax gpu\n"
     "jax gpu [cuda] 90: JAX with GPU acceleration\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- pytorch cuda:0 [cuda] 85: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- numpy none [] 30: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "! the problem needs 9920 MB, which is more than 0.8 of the 1000 MB of one device\n"
     "! the problem needs 9920 MB, which is more than 0.8 of the 1000 MB of memory that are available\n"},
    {"exactly 0.8 of the memory fits NumPy: 3205 of 4007",
     {.frameworks = {NUMPY}, .available_mb = 4007, .platform = ""},
     NULL,
     FULL,
     {200000, 1000, 50},
     "=> numpy none\n"
     "numpy none [] 30: NumPy (fallback backend)\n"
     "- jax cpu [cpu] 60: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- pytorch cpu [cpu] 50: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- native none [] 40: no platform can be opened: RUNG_PLATFORM: unknown device \"cpx\"\n"
     "? install JAX or PyTorch: NumPy has neither a compiler nor GPUs\n"},
    {"the GPU's memory is nothing to the processor",
     {.kinds = {SIZED(100)}, .frameworks = {JAX_CPU}},
     NULL,
     FULL,
     {100000, 300, 20},
     "=> jax cpu\n"
     "jax cpu [cpu] 60: JAX with JIT compilation\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- pytorch cuda:0 [cuda] 85: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- numpy none [] 30: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "? JAX compiles for the processor (JIT); a GPU or TPU would be faster; jax 0.7.2 has no build or plug-in for "
     "cuda\n"},
    {"the memory of the GPU of this process",
     {.kinds = {SIZED(600)}, .platform = "cuda/sm80"},
     NULL,
     0,
     {100000, 300, 20},
     "=> native cuda/sm80\n"
     "native cuda/sm80 [cuda] 70: Rung's own kernels on a GPU\n"
     "- jax gpu [cuda] 90: only Python can drive it\n"
     "- pytorch cuda:0 [cuda] 85: only Python can drive it\n"
     "- numpy none [] 30: only Python can drive it\n"
     "! the problem needs 488 MB, which is more than 0.8 of the 600 MB of one device\n"},
    {"no size is too large to be estimated",
     {.kinds = {A100(1)}, .frameworks = {JAX_CUDA12}},
     NULL,
     FULL,
     {UINT64_MAX, UINT64_MAX, UINT64_MAX},
     "=> jax gpu\n"
     "jax gpu [cuda] 90: JAX with GPU acceleration\n"
     "native cpu/x86-64-v3 [cpu] 40: Rung's own kernels on the processor\n"
     "- pytorch cuda:0 [cuda] 85: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "- numpy none [] 30: not installed (Python 3.12 of /opt/venv, VIRTUAL_ENV)\n"
     "! the problem needs 18446744073709551615 MB, which is more than 0.8 of the 40960 MB of one device\n"
     "! the problem needs 18446744073709551615 MB, which is more than 0.8 of the 32768 MB of memory that are "
     "available\n"},
};

static void every_machine(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const rung_problem *problem = cases[i].problem.voxels == 0 ? NULL : &cases[i].problem;
        const char *answer = answer_of(&rk_registry, &cases[i].machine, cases[i].name, cases[i].flags, problem);
        if (strcmp(answer, cases[i].answer) == 0)
            continue;
        print_error("%s:\n%swhere this is expected:\n%s\n", cases[i].what, answer, cases[i].answer);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
