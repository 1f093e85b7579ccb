/* SPDX-License-Identifier: Apache-2.0
 *
 * probe_names.c: apart from probes.c, so that who has the names does not bring all probes into a static link.
 */
#include "probes.h"

const char *const rung_probe_names[RUNG_PROBES] = {"cuda", "rocm", "metal", "tpu", "opencl"};
