/* SPDX-License-Identifier: Apache-2.0
 *
 * pythons.h: machines that have Pythons, put together from pieces.
 */
#ifndef PYTHONS_H
#define PYTHONS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frameworks/frameworks.h"
#include "tree.h"

/* What is found there; python as for rung_python_detect. */
rung_python tree_python(tree *t, const char *python);

/* The framework of this name of the usual Python. */
rung_framework tree_framework(tree *t, const char *name);

/* ---- pieces of machines ------------------------------------------------------------------------------------------ */

/* An installation of Python below a prefix. */
#define PYTHON(prefix, version)                                                                                        \
    {prefix "/bin/python" version, "\177ELF"}, {prefix "/bin/python3", "-> python" version},                           \
        {prefix "/lib/python" version "/os.py", ""},                                                                   \
    {                                                                                                                  \
        prefix "/lib/python" version "/site-packages/", NULL                                                           \
    }

/* A virtual environment that is made from the Python in /usr/bin. */
#define VENV(prefix, version)                                                                                          \
    {prefix "/bin/python3", "-> /usr/bin/python3"}, {prefix "/bin/python", "-> python3"}, {prefix "/lib64", "-> lib"}, \
        {prefix "/lib/python" version "/site-packages/", NULL},                                                        \
    {                                                                                                                  \
        prefix "/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = false\nversion = " version ".2\n"       \
    }

#define DIST(site, entry, name, version)                                                                               \
    {                                                                                                                  \
        site "/" entry "-" version ".dist-info/METADATA",                                                              \
            "Metadata-Version: 2.1\nName: " name "\nVersion: " version "\nSummary: it\n\nVersion: 0\n"                 \
    }

#define NUMPY(site, version)                                                                                           \
    {site "/numpy/__init__.py", ""}, {site "/numpy/version.py", "version = \"" version "\"\n__version__ = version\n"}, \
        DIST(site, "numpy", "numpy", version)

/* version.py as the build of PyTorch writes it; `more` are the lines after the version. */
#define TORCH_FILES(site, version, more)                                                                               \
    {site "/torch/__init__.py", ""},                                                                                   \
    {                                                                                                                  \
        site "/torch/version.py", "from typing import Optional\n\n__all__ = ['__version__', 'debug', 'cuda', "         \
                                  "'git_version', 'hip', 'rocm', 'xpu']\n__version__ = '" version                      \
                                  "'\ndebug = False\n" more "git_version = '0123abc'\n"                                \
    }

#define JAX(site, version, minimum)                                                                                    \
    {site "/jax/__init__.py", ""},                                                                                     \
        {site "/jax/version.py", "_version = \"" version "\"\n_release_version: str = '" version                       \
                                 "'\n__version__ = _get_version_string()\n_minimum_jaxlib_version = '" minimum "'\n"}, \
        DIST(site, "jax", "jax", version)

#define JAXLIB(site, version)                                                                                          \
    {site "/jaxlib/__init__.py", ""},                                                                                  \
        {site "/jaxlib/version.py", "_version = \"" version "\"\n_release_version: str | None = '" version "'\n"},     \
        DIST(site, "jaxlib", "jaxlib", version)

/* A plug-in of jax with its pjrt: PLUGIN(site, "cuda12", "0.7.2", "0.7.2"). */
#define PLUGIN(site, device, version, pjrt)                                                                            \
    DIST(site, "jax_" device "_plugin", "jax-" device "-plugin", version),                                             \
        DIST(site, "jax_" device "_pjrt", "jax-" device "-pjrt", pjrt),                                                \
        {site "/jax_plugins/xla_" device "/__init__.py", ""},                                                          \
    {                                                                                                                  \
        site "/jax_" device "_plugin/version.py", "_release_version: str | None = '" version "'\n"                     \
    }

#endif
