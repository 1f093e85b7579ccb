# SPDX-License-Identifier: Apache-2.0
"""Registries with one defect each: what to change in the good one, and every line that must be said of it."""

from typing import NamedTuple


class Broken(NamedTuple):
    name: str
    structural: bool  # the JSON Schema refuses it too
    old: str
    new: str
    errors: tuple[str, ...]


BROKEN = [
    Broken(
        "unknown_top_key",
        True,
        "auto: [cuda, cpu]\n",
        "autos: [cuda, cpu]\n",
        (
            "3:1: error: unknown key 'autos' in the registry; did you mean 'auto'?",
        ),
    ),
    Broken(
        "unknown_op_key",
        True,
        "    source: BLAS level 1\n",
        "    source: BLAS level 1\n    sumary: x\n",
        (
            "28:5: error: unknown key 'sumary' in op axpy; did you mean 'summary'?",
        ),
    ),
    Broken(
        "unknown_kernel_key",
        True,
        "{on: cpu/generic, workspace: 64}",
        "{on: cpu/generic, workspce: 64}",
        (
            "48:27: error: unknown key 'workspce' in a kernel of op fill; did you mean 'workspace'?",
        ),
    ),
    Broken(
        "unknown_arg_key",
        True,
        "optional: true}",
        "optinal: true}",
        (
            "44:61: error: unknown key 'optinal' in argument x of op fill; did you mean 'optional'?",
        ),
    ),
    Broken(
        "unknown_device_key",
        True,
        "    fallback: [cpu]\n",
        "    falback: [cpu]\n",
        (
            "7:5: error: unknown key 'falback' in device cuda; did you mean 'fallback'?",
        ),
    ),
    Broken(
        "missing_summary",
        True,
        "    summary: Sets x to 1.\n",
        "",
        (
            "41:5: error: op fill: the key 'summary' is missing",
        ),
    ),
    Broken(
        "missing_tolerance",
        True,
        "    tolerance: {abs: 0}\n",
        "",
        (
            "41:5: error: op fill: the key 'tolerance' is missing",
        ),
    ),
    Broken(
        "missing_namespace",
        True,
        "namespace: ex\n",
        "",
        (
            "1:1: error: the registry: the key 'namespace' is missing",
        ),
    ),
    Broken(
        "missing_on",
        True,
        "{on: cpu/generic, workspace: 64}",
        "{workspace: 64}",
        (
            "48:9: error: a kernel of op fill: the key 'on' is missing",
        ),
    ),
    Broken(
        "missing_type",
        True,
        "- n: {type: size_t}\n      - a",
        "- n: {range: [0, 1]}\n      - a",
        (
            "31:12: error: argument n of op axpy: the key 'type' is missing",
        ),
    ),
    Broken(
        "wrong_version",
        True,
        "rung: 1",
        "rung: 2",
        (
            "1:7: error: rung: version 2 is unknown; this is version 1",
        ),
    ),
    Broken(
        "version_text",
        True,
        "rung: 1",
        "rung: one",
        (
            "1:7: error: rung: a whole decimal number is expected, not 'one' (text)",
        ),
    ),
    Broken(
        "duplicate_key",
        False,
        "    source: none needed\n",
        "    source: none needed\n    source: twice\n",
        (
            "43:5: error: duplicate key 'source' in op fill",
            "42:5: note: first given here",
        ),
    ),
    Broken(
        "duplicate_op",
        False,
        "  fill:\n",
        "  axpy:\n",
        (
            "40:3: error: duplicate key 'axpy' in ops",
            "25:3: note: first given here",
        ),
    ),
    Broken(
        "duplicate_cell",
        False,
        "      - {on: cpu/generic, workspace: 64}",
        "      - {on: cpu/generic, workspace: 64}\n      - {on: cpu/generic}",
        (
            "49:14: error: duplicate kernel of op fill on cpu/generic",
            "48:14: note: first declared here",
        ),
    ),
    Broken(
        "duplicate_cell_in_list",
        False,
        "[cpu/x86-64-v4, cpu/x86-64-v3]",
        "[cpu/x86-64-v4, cpu/x86-64-v4]",
        (
            "37:30: error: duplicate kernel of op axpy on cpu/x86-64-v4",
            "37:15: note: first declared here",
        ),
    ),
    Broken(
        "duplicate_arch",
        False,
        "archs: [sm90, sm80, generic]",
        "archs: [sm90, sm80, sm80, generic]",
        (
            "11:25: error: duplicate arch 'sm80' of device accel",
            "11:19: note: first listed here",
        ),
    ),
    Broken(
        "duplicate_model",
        True,
        "model: [x86, aarch64]",
        "model: [x86, x86]",
        (
            "13:18: error: duplicate model 'x86'",
            "13:13: note: first given here",
            "17:9: error: 'neon' is no arch of the model x86 of device cpu; it knows amx, x86-64-v4, "
            "x86-64-v3, x86-64-v2, generic",
        ),
    ),
    Broken(
        "duplicate_argument",
        False,
        "      - n: {type: size_t}\n    tolerance: {abs: 0}",
        "      - n: {type: size_t}\n      - n: {type: size_t}\n    tolerance: {abs: 0}",
        (
            "46:9: error: duplicate argument 'n' of op fill",
            "45:9: note: first given here",
        ),
    ),
    Broken(
        "duplicate_requirement_ref",
        True,
        "requires: [blas]",
        "requires: [blas, blas]",
        (
            "23:41: error: requires of variant blas: 'blas' stands twice",
            "23:35: note: first given here",
        ),
    ),
    Broken(
        "duplicate_component",
        False,
        "{on: cuda, status: planned}]",
        "{on: accel}]",
        (
            "50:61: error: duplicate kernel of component dit on accel, variant default",
            "50:48: note: first declared here",
        ),
    ),
    Broken(
        "duplicate_backend",
        False,
        "- {framework: numpy, score: 30, reason: NumPy}",
        "- {framework: jax, device: tpu, score: 30, reason: Again}",
        (
            "53:30: error: duplicate backend jax on tpu",
            "52:30: note: first ranked here",
        ),
    ),
    Broken(
        "unused_variant",
        False,
        "  default: {}\n",
        "  default: {}\n  fast: {}\n",
        (
            "23:3: error: variant fast: nothing refers to it: no kernel has it",
        ),
    ),
    Broken(
        "unused_requirement",
        False,
        "requirements:\n",
        "requirements:\n  fftw: {kind: build, summary: FFTW}\n",
        (
            "20:3: error: requirement fftw: nothing refers to it: no kernel or variant has it",
        ),
    ),
    Broken(
        "unused_component",
        True,
        "kernels: [{on: accel}, {on: cuda, status: planned}]",
        "kernels: []",
        (
            "50:3: error: component dit: nothing refers to it: it has no kernels",
        ),
    ),
    Broken(
        "no_terminal",
        False,
        "      - {on: cpu/generic, workspace: 64}",
        "      - {on: cpu/neon, workspace: 64}",
        (
            "40:3: error: op fill has no terminal rung: a kernel on cpu/generic, variant default, or terminal: none",
        ),
    ),
    Broken(
        "planned_terminal",
        False,
        "{on: cpu/generic, workspace: 64}",
        "{on: cpu/generic, status: planned}",
        (
            "48:14: error: op fill: its terminal rung must always be available: neither planned nor "
            "experimental, and requiring nothing",
        ),
    ),
    Broken(
        "needless_terminal_none",
        False,
        "    source: none needed\n",
        "    source: none needed\n    terminal: none\n",
        (
            "43:5: error: op fill: terminal: none, and yet it has one",
            "49:14: note: declared here",
        ),
    ),
    Broken(
        "terminal_word",
        True,
        "    source: none needed\n",
        "    source: none needed\n    terminal: maybe\n",
        (
            "43:15: error: terminal of op fill: 'maybe' is unknown; none is expected",
        ),
    ),
    Broken(
        "unlisted_arch",
        False,
        "      - {on: [cpu/x86-64-v4,",
        "      - {on: [cpu/x86-64-v5,",
        (
            "37:15: error: kernel of op axpy: no platform reaches it: device cpu lists no arch 'x86-64-v5'; "
            "did you mean 'x86-64-v4'?",
            "12:3: note: the device is declared here",
        ),
    ),
    Broken(
        "unknown_device",
        False,
        "{on: cuda/sm80, status",
        "{on: cudda/sm80, status",
        (
            "39:14: error: kernel of op axpy: unknown device 'cudda'; did you mean 'cuda'?",
        ),
    ),
    Broken(
        "unknown_device_declared",
        True,
        "  accel:\n    model",
        "  acel:\n    model",
        (
            "9:3: error: unknown device 'acel'; did you mean 'accel'?",
            "50:48: error: component dit: unknown device 'accel'; did you mean 'acel'?",
        ),
    ),
    Broken(
        "unknown_variant",
        False,
        "variant: blas}",
        "variant: bals}",
        (
            "38:36: error: kernel of op axpy: unknown variant 'bals'; did you mean 'blas'?",
        ),
    ),
    Broken(
        "unknown_requirement",
        False,
        "{on: cpu/generic, variant: blas}",
        "{on: cpu/generic, variant: blas, requires: [blass]}",
        (
            "38:53: error: requires of kernel of op axpy on cpu/generic, variant blas: unknown requirement or "
            "CPU feature 'blass'; did you mean 'blas'?",
        ),
    ),
    Broken(
        "unknown_model",
        True,
        "model: ladder",
        "model: lader",
        (
            "10:12: error: unknown arch model 'lader'; did you mean 'ladder'?",
        ),
    ),
    Broken(
        "unknown_fallback",
        True,
        "fallback: [cpu]",
        "fallback: [acel]",
        (
            "7:16: error: fallback of device cuda: unknown device 'acel'; did you mean 'accel'?",
        ),
    ),
    Broken(
        "unknown_auto",
        True,
        "auto: [cuda, cpu]",
        "auto: [cdua, cpu]",
        (
            "3:8: error: auto: unknown device 'cdua'; did you mean 'cuda'?",
        ),
    ),
    Broken(
        "unknown_after",
        False,
        "{on: cuda/sm80, status: planned}",
        "{on: cuda/sm80, status: planned, after: generik}",
        (
            "39:49: error: after of kernel of op axpy on cuda/sm80: device cuda lists no arch 'generik'; did "
            "you mean 'generic'?",
        ),
    ),
    Broken(
        "unknown_status",
        True,
        "{on: cuda/sm80, status: planned}",
        "{on: cuda/sm80, status: planed}",
        (
            "39:33: error: status of a kernel of op axpy: 'planed' is unknown; did you mean 'planned'?",
        ),
    ),
    Broken(
        "unknown_kind",
        True,
        "kind: build",
        "kind: built",
        (
            "20:16: error: kind of requirement blas: 'built' is unknown; did you mean 'build'?",
        ),
    ),
    Broken(
        "unknown_tolerance_variant",
        False,
        "tolerances: {blas:",
        "tolerances: {blass:",
        (
            "34:18: error: tolerances of op axpy: unknown variant 'blass'; did you mean 'blas'?",
        ),
    ),
    Broken(
        "tolerance_without_kernel",
        False,
        "    tolerance: {abs: 0}\n",
        "    tolerance: {abs: 0}\n    tolerances: {blas: {abs: 0}}\n",
        (
            "47:18: error: tolerances of op fill: no kernel has the variant blas",
        ),
    ),
    Broken(
        "unknown_backend_device",
        True,
        "device: tpu",
        "device: tpus",
        (
            "52:30: error: backend jax: unknown device 'tpus'; did you mean 'tpu'?",
        ),
    ),
    Broken(
        "unknown_component_device",
        False,
        "kernels: [{on: accel}",
        "kernels: [{on: metal}",
        (
            "50:48: error: component dit: unknown device 'metal'",
        ),
    ),
    Broken(
        "ops_to_one_name",
        False,
        "  fill:\n",
        "  axpy_buf:\n",
        (
            "40:3: error: op 'axpy_buf' and op 'axpy' need the same C name ex_axpy_buf",
            "25:3: note: op 'axpy' is here",
        ),
    ),
    Broken(
        "op_like_registry",
        False,
        "  fill:\n",
        "  registry:\n",
        (
            "40:3: error: op 'registry' needs the C name ex_registry, which every registry has",
        ),
    ),
    Broken(
        "op_like_header",
        False,
        "  fill:\n",
        "  ids:\n",
        (
            "40:3: error: op 'ids' needs the header ex/ids.h, which every registry has",
        ),
    ),
    Broken(
        "variants_to_one_name",
        False,
        "  default: {}\n  blas: {strict: true, requires: [blas]}\n",
        "  default: {}\n  bl-as: {requires: [blas]}\n  bl.as: {}\n  blas: {}\n",
        (
            "23:3: error: variant bl-as: nothing refers to it: no kernel has it",
            "24:3: error: variant 'bl.as' and variant 'bl-as' need the same C name EX_VARIANT_BL_AS",
            "23:3: note: variant 'bl-as' is here",
            "24:3: error: variant bl.as: nothing refers to it: no kernel has it",
        ),
    ),
    Broken(
        "archs_to_one_name",
        False,
        "archs: [sm90, sm80, generic]",
        "archs: [sm90, sm80, a-b, a.b]",
        (
            "11:30: error: arch 'accel/a.b' and arch 'accel/a-b' need the same C name EX_ARCH_ACCEL_A_B",
            "11:25: note: arch 'accel/a-b' is here",
        ),
    ),
    Broken(
        "requirement_like_arch",
        False,
        (
            "  blas: {kind: build, summary: A BLAS library}\n"
            "variants:\n"
            "  default: {}\n"
            "  blas: {strict: true, requires: [blas]}"
        ),
        (
            "  cpu_neon: {kind: build, summary: A BLAS library}\n"
            "variants:\n"
            "  default: {}\n"
            "  blas: {strict: true, requires: [cpu_neon]}"
        ),
        (
            "20:3: error: requirement 'cpu_neon' and arch 'cpu/neon' need the same C name EX_HAS_CPU_NEON",
            "17:9: note: arch 'cpu/neon' is here",
        ),
    ),
    Broken(
        "op_not_a_name",
        True,
        "  fill:\n",
        "  fill-up:\n",
        (
            "40:3: error: op 'fill-up': not a C name of small letters, digits and single _ between them",
        ),
    ),
    Broken(
        "op_double_underscore",
        True,
        "  fill:\n",
        "  fill__up:\n",
        (
            "40:3: error: op 'fill__up': not a C name of small letters, digits and single _ between them",
        ),
    ),
    Broken(
        "argument_not_a_name",
        True,
        "      - a: {type: float,",
        "      - A: {type: float,",
        (
            "32:9: error: argument 'A' of op axpy: not a C name of small letters, digits and _",
        ),
    ),
    Broken(
        "argument_keyword",
        False,
        "      - a: {type: float,",
        "      - class: {type: float,",
        (
            "32:9: error: argument 'class' of op axpy: C or C++ keeps this name for itself",
        ),
    ),
    Broken(
        "argument_context",
        False,
        "      - a: {type: float,",
        "      - cx: {type: float,",
        (
            "32:9: error: argument 'cx' of op axpy: the context of every call has this name",
        ),
    ),
    Broken(
        "argument_prefix",
        False,
        "      - a: {type: float,",
        "      - ex_a: {type: float,",
        (
            "32:9: error: argument 'ex_a' of op axpy: generated code has names that begin so",
        ),
    ),
    Broken(
        "namespace_not_a_name",
        True,
        "namespace: ex",
        "namespace: Ex",
        (
            "2:12: error: namespace 'Ex': not a C name of small letters, digits and single _ between them",
        ),
    ),
    Broken(
        "namespace_of_library",
        True,
        "namespace: ex",
        "namespace: rung",
        (
            "2:12: error: namespace 'rung': the library's own names begin so",
        ),
    ),
    Broken(
        "archs_out_of_order",
        False,
        "archs: [sm90, sm80, generic]",
        "archs: [sm80, sm90, generic]",
        (
            "11:19: error: device accel: the arch sm90 is out of rank order: newest first, portable ones last",
            "11:13: note: it belongs before sm80",
        ),
    ),
    Broken(
        "portable_before_ranked",
        False,
        "archs: [sm90, sm80, generic]",
        "archs: [sm90, generic, sm80]",
        (
            "11:28: error: device accel: the arch sm80 is out of rank order: newest first, portable ones last",
            "11:19: note: it belongs before generic",
        ),
    ),
    Broken(
        "suffixed_after_plain",
        False,
        "[sm90a, sm90, sm80,",
        "[sm90, sm90a, sm80,",
        (
            "8:19: error: device cuda: the arch sm90a is out of rank order: newest first, portable ones last",
            "8:13: note: it belongs before sm90",
        ),
    ),
    Broken(
        "levels_out_of_order",
        False,
        "      - x86-64-v3\n      - neon\n      - generic\n",
        "      - neon\n      - generic\n      - x86-64-v3\n",
        (
            "18:9: error: device cpu: the arch x86-64-v3 is out of rank order: newest first, portable ones last",
            "17:9: note: it belongs before generic",
        ),
    ),
    Broken(
        "arch_of_no_model",
        False,
        "[sm90a, sm90, sm80,",
        "[sm90a, gpu90, sm80,",
        (
            "8:20: error: 'gpu90' is no arch of the model cuda of device cuda; it knows smNN, smNNa and smNNf "
            "(as sm80, sm90a, sm100f), ptx and generic",
        ),
    ),
    Broken(
        "arch_in_another_spelling",
        False,
        "[sm90a, sm90, sm80,",
        "[sm90a, compute_90, sm80,",
        (
            "8:20: error: 'compute_90' is no arch of the model cuda of device cuda; did you mean 'sm90'?",
        ),
    ),
    Broken(
        "arch_with_underscore",
        False,
        "[sm90a, sm90, sm80,",
        "[sm90a, sm_90, sm80,",
        (
            "8:20: error: 'sm_90' is no arch of the model cuda of device cuda; did you mean 'sm90'?",
        ),
    ),
    Broken(
        "arch_is_number",
        True,
        "archs: [sm90, sm80, generic]",
        "archs: [90, sm80, generic]",
        (
            "11:13: error: arch of device accel: a string is expected, not '90' (a number): write it in quotes",
        ),
    ),
    Broken(
        "arch_is_boolean",
        True,
        "archs: [sm90, sm80, generic]",
        "archs: [sm90, sm80, no]",
        (
            "11:25: error: arch of device accel: a string is expected, not 'no' (true or false): write it in quotes",
        ),
    ),
    Broken(
        "arch_list_empty",
        True,
        "archs: [sm90, sm80, generic]",
        "archs: []",
        (
            "11:12: error: archs of device accel: the list is empty",
        ),
    ),
    Broken(
        "arch_misspelt",
        False,
        "      - neon\n",
        "      - noen\n",
        (
            "17:9: error: 'noen' is no arch of the model aarch64 or x86 of device cpu; did you mean 'neon'?",
        ),
    ),
    Broken(
        "target_without_ptx",
        False,
        "archs: [sm90, sm80, generic]",
        "archs: [{sm90: compute_90}, sm80, generic]",
        (
            "11:20: error: arch sm90: only the arch ptx of the model cuda has a target",
        ),
    ),
    Broken(
        "target_malformed",
        True,
        "{ptx: compute_75}",
        "{ptx: sm_75}",
        (
            "8:38: error: arch ptx: the target 'sm_75' is none of the form compute_75",
        ),
    ),
    Broken(
        "flag_malformed",
        True,
        "[-march=x86-64-v4]",
        "[march=x86-64-v4]",
        (
            "15:20: error: arch x86-64-v4: 'march=x86-64-v4' is no compiler flag of letters, digits and _=.,:+-",
        ),
    ),
    Broken(
        "cpu_model",
        False,
        "model: [x86, aarch64]",
        "model: ladder",
        (
            "13:12: error: device cpu: the model ladder is not for processors; x86 and aarch64 are",
        ),
    ),
    Broken(
        "x86_not_on_cpu",
        False,
        "    model: ladder\n    archs: [sm90, sm80, generic]",
        "    model: x86\n    archs: [generic]",
        (
            "10:12: error: device accel: the model x86 is for the device cpu only",
        ),
    ),
    Broken(
        "cpu_without_generic",
        False,
        "      - neon\n      - generic\n",
        "      - neon\n",
        (
            "12:3: error: device cpu: the arch generic is missing: it is the terminal rung",
            "35:14: error: kernel of op axpy: no platform reaches it: device cpu lists no arch 'generic'",
            "12:3: note: the device is declared here",
            "37:14: error: kernel of op axpy: no platform reaches it: device cpu lists no arch 'generic'",
            "12:3: note: the device is declared here",
            "47:14: error: kernel of op fill: no platform reaches it: device cpu lists no arch 'generic'",
            "12:3: note: the device is declared here",
        ),
    ),
    Broken(
        "fallback_to_itself",
        False,
        "fallback: [cpu]",
        "fallback: [cuda, cpu]",
        (
            "7:16: error: device cuda falls back to itself",
            "5:3: note: declared here",
        ),
    ),
    Broken(
        "fallback_twice",
        True,
        "fallback: [cpu]",
        "fallback: [accel, accel, cpu]",
        (
            "7:23: error: fallback of device cuda: accel stands twice",
            "7:16: note: first given here",
        ),
    ),
    Broken(
        "fallback_cycle",
        False,
        (
            "    fallback: [cpu]\n"
            "    archs: [sm90a, sm90, sm80, {ptx: compute_75}, generic]\n"
            "  accel:\n"
            "    model: ladder\n"
        ),
        (
            "    fallback: [accel]\n"
            "    archs: [sm90a, sm90, sm80, {ptx: compute_75}, generic]\n"
            "  accel:\n"
            "    model: ladder\n"
            "    fallback: [cuda]\n"
        ),
        (
            "11:16: error: the fallbacks go round: accel -> cuda -> accel",
            "7:16: note: back again here",
        ),
    ),
    Broken(
        "cpu_not_last",
        False,
        "fallback: [cpu]",
        "fallback: [cpu, accel]",
        (
            "7:16: error: fallback of device cuda: cpu is the last device of every chain",
        ),
    ),
    Broken(
        "cpu_falls_back",
        False,
        "    model: [x86, aarch64]\n",
        "    model: [x86, aarch64]\n    fallback: [accel]\n",
        (
            "14:16: error: device cpu: it ends every chain and falls back to nothing",
        ),
    ),
    Broken(
        "auto_accel",
        True,
        "auto: [cuda, cpu]",
        "auto: [accel, cpu]",
        (
            "3:8: error: auto: accel is never chosen unasked",
        ),
    ),
    Broken(
        "auto_twice",
        True,
        "auto: [cuda, cpu]",
        "auto: [cuda, cuda, cpu]",
        (
            "3:14: error: auto: cuda stands twice",
            "3:8: note: first given here",
        ),
    ),
    Broken(
        "auto_behind_cpu",
        False,
        "auto: [cuda, cpu]",
        "auto: [cpu, cuda]",
        (
            "3:8: error: auto: cpu is always there: what stands behind it is never tried",
        ),
    ),
    Broken(
        "auto_without_cpu",
        False,
        "auto: [cuda, cpu]",
        "auto: [cuda]",
        (
            "3:1: error: auto: cpu is missing: it comes last, so that there always is a platform",
        ),
    ),
    Broken(
        "shape_unknown_size",
        False,
        "shape: [n, 2]",
        "shape: [m, 2]",
        (
            "44:39: error: shape of argument x of op fill: unknown size 'm'",
        ),
    ),
    Broken(
        "shape_of_float",
        False,
        "\"const float *\", shape: [n]",
        "\"const float *\", shape: [a]",
        (
            "30:44: error: shape of argument x of op axpy: a is no size: its type is float, not size_t",
            "32:19: note: declared here",
        ),
    ),
    Broken(
        "shape_zero",
        True,
        "shape: [n, 2]",
        "shape: [n, 0]",
        (
            "44:42: error: shape of argument x of op fill: 0 is not between 1 and 2147483647",
        ),
    ),
    Broken(
        "shape_missing",
        True,
        "\"const float *\", shape: [n]",
        "\"const float *\"",
        (
            "30:9: error: argument x of op axpy: a pointer needs a shape",
        ),
    ),
    Broken(
        "shape_on_scalar",
        True,
        "- a: {type: float,",
        "- a: {type: float, shape: [n],",
        (
            "32:26: error: argument a of op axpy: only a pointer has shape",
        ),
    ),
    Broken(
        "range_reversed",
        False,
        "range: [-1, .inf]",
        "range: [1, -1]",
        (
            "32:33: error: range of argument a of op axpy: the lower bound 1 is above the upper -1",
        ),
    ),
    Broken(
        "range_on_pointer",
        True,
        "\"const float *\", shape: [n]",
        "\"const float *\", shape: [n], range: [0, 1]",
        (
            "30:48: error: argument x of op axpy: a pointer has no range",
        ),
    ),
    Broken(
        "range_of_three",
        True,
        "range: [-1, .inf]",
        "range: [-1, 0, 1]",
        (
            "32:33: error: range of argument a of op axpy: two bounds are expected, as [0, 1] or [0, .inf]",
        ),
    ),
    Broken(
        "range_beyond_type",
        False,
        "range: [-1, .inf]",
        "range: [-1, 1.0e+39]",
        (
            "32:38: error: range of argument a of op axpy: 1.0e+39 is beyond float",
        ),
    ),
    Broken(
        "range_fraction",
        False,
        "- n: {type: size_t}\n      - a",
        "- n: {type: size_t, range: [0, 1.5]}\n      - a",
        (
            "31:38: error: range of argument n of op axpy: size_t wants whole numbers",
        ),
    ),
    Broken(
        "range_nan",
        False,
        "range: [-1, .inf]",
        "range: [-1, .nan]",
        (
            "32:38: error: range of argument a of op axpy: .nan is no number",
        ),
    ),
    Broken(
        "access_to_const",
        True,
        "\"const float *\", shape: [n]",
        "\"const float *\", shape: [n], access: write",
        (
            "30:56: error: argument x of op axpy: access: write through a pointer to const",
            "30:19: note: the type is given here",
        ),
    ),
    Broken(
        "access_missing",
        True,
        "access: write, optional: true",
        "optional: true",
        (
            "44:9: error: argument x of op fill: a pointer that is not const says access: write or read_write",
        ),
    ),
    Broken(
        "access_read_of_mutable",
        True,
        "access: read_write",
        "access: read",
        (
            "29:50: error: argument y of op axpy: access: read wants a pointer to const",
        ),
    ),
    Broken(
        "type_without_blank",
        True,
        "\"float *\", shape",
        "\"float*\", shape",
        (
            "29:19: error: type of argument y of op axpy: 'float*' is not of the form 'float *' or 'const float *'",
        ),
    ),
    Broken(
        "type_unknown",
        True,
        "\"double *\"",
        "\"doubl *\"",
        (
            "44:19: error: type of argument x of op fill: 'doubl' is unknown; did you mean 'double'?",
        ),
    ),
    Broken(
        "scalar_type_unknown",
        True,
        "- a: {type: float,",
        "- a: {type: flaot,",
        (
            "32:19: error: type of argument a of op axpy: 'flaot' is unknown; did you mean 'float'?",
        ),
    ),
    Broken(
        "tolerance_negative",
        True,
        "tolerance: {abs: 0}",
        "tolerance: {abs: -1}",
        (
            "46:22: error: abs of tolerance of op fill: a tolerance is finite and not negative",
        ),
    ),
    Broken(
        "tolerance_text",
        True,
        "tolerance: {rel: 1.0e-6}",
        "tolerance: {rel: 1e-6}",
        (
            "33:22: error: rel of tolerance of op axpy: '1e-6' is text in YAML 1.1: write it as 1.0e-6",
        ),
    ),
    Broken(
        "tolerance_empty",
        True,
        "tolerance: {abs: 0}",
        "tolerance: {}",
        (
            "46:16: error: tolerance of op fill: rel, abs or both are expected",
        ),
    ),
    Broken(
        "workspace_negative",
        True,
        "workspace: 64",
        "workspace: -64",
        (
            "48:38: error: workspace of a kernel of op fill: -64 is not between 0 and 9223372036854775807",
        ),
    ),
    Broken(
        "workspace_text",
        True,
        "workspace: 64",
        "workspace: 64k",
        (
            "48:38: error: workspace of a kernel of op fill: a whole decimal number is expected, not '64k' (text)",
        ),
    ),
    Broken(
        "strict_text",
        False,
        "strict: true",
        "strict: yes",
        (
            "23:18: error: strict of variant blas: true or false is expected, not 'yes'",
        ),
    ),
    Broken(
        "strict_default",
        True,
        "  default: {}",
        "  default: {strict: true}",
        (
            "22:3: error: the variant default is neither strict nor does it require anything",
        ),
    ),
    Broken(
        "experimental_planned",
        True,
        "{on: cuda/sm80, status: planned}",
        "{on: cuda/sm80, status: planned, experimental: true}",
        (
            "39:42: error: a kernel of op axpy: planned and experimental; a planned kernel does not exist yet",
        ),
    ),
    Broken(
        "feature_of_other_family",
        False,
        "{on: cpu/generic, workspace: 64}",
        "{on: cpu/generic, workspace: 64}\n      - {on: cpu/neon, requires: [avx512_vnni]}",
        (
            "49:35: error: kernel of op fill on cpu/neon: avx512_vnni is a feature of x86 processors, cpu/neon "
            "is not one of their archs",
        ),
    ),
    Broken(
        "feature_on_generic",
        False,
        "{on: cpu/generic, variant: blas}",
        "{on: cpu/generic, variant: blas, requires: [avx2]}",
        (
            "38:53: error: kernel of op axpy on cpu/generic, variant blas: avx2 is a feature of x86 "
            "processors, cpu/generic is not one of their archs",
        ),
    ),
    Broken(
        "requirement_is_feature",
        False,
        (
            "  blas: {kind: build, summary: A BLAS library}\n"
            "variants:\n"
            "  default: {}\n"
            "  blas: {strict: true, requires: [blas]}"
        ),
        (
            "  sve: {kind: build, summary: A BLAS library}\n"
            "variants:\n"
            "  default: {}\n"
            "  blas: {strict: true, requires: [sve]}"
        ),
        (
            "20:3: error: requirement sve: this is the name of a CPU feature",
            "38:14: error: kernel of op axpy on cpu/generic, variant blas: sve is a feature of aarch64 "
            "processors, cpu/generic is not one of their archs",
            "23:35: note: the variant blas requires it",
        ),
    ),
    Broken(
        "after_earlier",
        False,
        "{on: cuda/sm80, status: planned}",
        "{on: cuda/sm80, status: planned, after: sm90}",
        (
            "39:49: error: after of kernel of op axpy on cuda/sm80: no chain of cuda has sm90 behind sm80: a "
            "kernel may be placed later than its arch, never earlier",
        ),
    ),
    Broken(
        "after_itself",
        False,
        "{on: cuda/sm80, status: planned}",
        "{on: cuda/sm80, status: planned, after: sm80}",
        (
            "39:49: error: after of kernel of op axpy on cuda/sm80: no chain of cuda has sm80 behind sm80: a "
            "kernel may be placed later than its arch, never earlier",
        ),
    ),
    Broken(
        "after_other_family",
        False,
        "{on: cpu/generic, workspace: 64}",
        "{on: cpu/generic, workspace: 64}\n      - {on: cpu/neon, after: x86-64-v3}",
        (
            "49:31: error: after of kernel of op fill on cpu/neon: no chain of cpu has x86-64-v3 behind neon: "
            "a kernel may be placed later than its arch, never earlier",
        ),
    ),
    Broken(
        "after_other_device",
        False,
        "{on: cuda/sm80, status: planned}",
        "{on: cuda/sm80, status: planned, after: cpu/generic}",
        (
            "39:49: error: after of kernel of op axpy on cuda/sm80: 'cpu/generic': an arch of the same device "
            "is expected, without the device",
        ),
    ),
    Broken(
        "unreachable",
        False,
        "{on: cpu/generic, workspace: 64}",
        "{on: cpu/generic, workspace: 64}\n      - {on: cpu/neon, after: generic}",
        (
            "49:31: error: kernel of op fill on cpu/neon: no platform can ever reach it: behind generic, "
            "another always answers first",
            "48:14: note: kernel of op fill on cpu/generic is always available",
        ),
    ),
    Broken(
        "on_without_arch",
        True,
        "{on: cpu/generic, workspace: 64}",
        "{on: cpu, workspace: 64}",
        (
            "48:14: error: on of a kernel of op fill: 'cpu' is not of the form device/arch",
        ),
    ),
    Broken(
        "on_empty",
        True,
        "{on: cpu/generic, workspace: 64}",
        "{on: [], workspace: 64}",
        (
            "48:14: error: on of a kernel of op fill: the list is empty",
        ),
    ),
    Broken(
        "kernels_empty",
        True,
        "    kernels:\n      - {on: cpu/generic, workspace: 64}\n",
        "    kernels: []\n",
        (
            "47:14: error: kernels of op fill: the list is empty",
        ),
    ),
    Broken(
        "kernels_mapping",
        True,
        "    kernels:\n      - {on: cpu/generic, workspace: 64}\n",
        "    kernels: {on: cpu/generic}\n",
        (
            "47:14: error: kernels of op fill: a list is expected, not a mapping",
        ),
    ),
    Broken(
        "source_outside",
        True,
        "workspace: 64}",
        "workspace: 64, source: ../fill.c}",
        (
            "48:50: error: source of a kernel of op fill: '../fill.c' is no path of letters, digits and ._+- "
            "below the registry's folder",
        ),
    ),
    Broken(
        "args_mapping",
        True,
        (
            "    args:\n"
            "      - x: {type: \"double *\", shape: [n, 2], access: write, optional: true}\n"
            "      - n: {type: size_t}\n"
            "    tol"
        ),
        "    args: {n: {type: size_t}}\n    tol",
        (
            "43:11: error: args of op fill: a list is expected, not a mapping",
        ),
    ),
    Broken(
        "argument_two_in_one",
        True,
        "      - n: {type: size_t}\n    tolerance: {abs: 0}",
        "      - {n: {type: size_t}, m: {type: size_t}}\n    tolerance: {abs: 0}",
        (
            "45:9: error: args of op fill: each argument is an entry of its own, as - x: {type: float}",
        ),
    ),
    Broken(
        "score_out_of_order",
        False,
        "score: 30",
        "score: 130",
        (
            "53:31: error: backend numpy: the score 130 is out of order: highest first",
            "52:42: note: jax has 100",
        ),
    ),
    Broken(
        "summary_empty",
        True,
        "summary: Sets x to 1.",
        "summary: ''",
        (
            "41:14: error: summary of op fill: the text is empty",
        ),
    ),
    Broken(
        "summary_nothing",
        True,
        "summary: Sets x to 1.",
        "summary:",
        (
            "41:13: error: summary of op fill: text is expected, not nothing",
        ),
    ),
    Broken(
        "anchor",
        False,
        "tolerance: {abs: 0}",
        "tolerance: &t {abs: 0}",
        (
            "46:16: error: anchor &t: a registry says everything where it stands",
        ),
    ),
    Broken(
        "alias",
        False,
        "    tolerance: {abs: 0}\n",
        "    tolerance: &t {abs: 0}\n    tolerances: {blas: *t}\n",
        (
            "46:16: error: anchor &t: a registry says everything where it stands",
            "47:24: error: alias *t: a registry says everything where it stands",
        ),
    ),
    Broken(
        "merge_key",
        True,
        "{on: cpu/generic, workspace: 64}",
        "{on: cpu/generic, <<: {workspace: 64}}",
        (
            "48:27: error: a kernel of op fill: merge keys are not supported: a registry says everything where "
            "it stands",
        ),
    ),
    Broken(
        "syntax",
        False,
        "requires: [blas]}",
        "requires: [blas}",
        (
            "23:39: error: YAML: did not find expected ',' or ']' while parsing a flow sequence",
        ),
    ),
    Broken(
        "tab",
        False,
        "  fill:\n",
        "\tfill:\n",
        (
            "40:1: error: YAML: found character that cannot start any token while scanning for the next token",
        ),
    ),
    Broken(
        "two_documents",
        False,
        "backends:\n",
        "---\nbackends:\n",
        (
            "51:1: error: a second document: a registry is one",
        ),
    ),
    Broken(
        "key_not_scalar",
        True,
        "  default: {}\n",
        "  default: {}\n  [a]: {}\n",
        (
            "23:3: error: variants: a key must be a name",
        ),
    ),
    Broken(
        "arch_empty_mapping",
        False,
        "archs: [sm90, sm80, generic]",
        "archs: [sm90, sm80, {}, generic]",
        (
            "11:25: error: arch of device accel: one arch, as {name: {flags: [...]}}, is expected",
        ),
    ),
    Broken(
        "ptx_target_misspelt",
        False,
        "{ptx: compute_75}",
        "{ptx: zzz}",
        (
            "8:38: error: arch ptx: the target 'zzz' is none of the form compute_75",
        ),
    ),
    Broken(
        "float_range_of_nothing",
        False,
        "range: [-1, .inf]",
        "range: [1.0e-60, .inf]",
        (
            "32:34: error: range of argument a of op axpy: 1.0e-60 is nearer to 0 than any float",
        ),
    ),
    Broken(
        "range_no_list",
        False,
        "range: [-1, .inf]",
        "range: 5",
        (
            "32:33: error: range of argument a of op axpy: a list is expected, not '5' (a number)",
        ),
    ),
    Broken(
        "tolerance_of_unknown_key",
        False,
        "tolerance: {abs: 0}",
        "tolerance: {zzz: 5}",
        (
            "46:17: error: unknown key 'zzz' in tolerance of op fill",
        ),
    ),
    Broken(
        "type_unknown_of_array",
        False,
        '{type: "double *", shape: [n, 2], access: write, optional: true}',
        "{type: zzz, shape: [n, 2], access: write, optional: true}",
        (
            "44:19: error: type of argument x of op fill: 'zzz' is unknown; the types are float, double, siz"
            "e_t, uint8_t, uint16_t, uint32_t, uint64_t, ptrdiff_t, int8_t, int16_t, int32_t, int64_t",
        ),
    ),
    Broken(
        "number_in_hexadecimal",
        False,
        "{abs: 0}",
        "{abs: 0x10}",
        (
            "46:22: error: abs of tolerance of op fill: a decimal number is expected, not '0x10' (a number)",
        ),
    ),
    Broken(
        "nul_in_text",
        False,
        "Sets x to 1.",
        '"Sets \\0 x"',
        (
            "41:14: error: summary of op fill: the character U+0000 is not allowed in text",
        ),
    ),
    Broken(
        "newline_in_a_name",
        False,
        "framework: numpy",
        'framework: "num\\npy"',
        (
            "53:17: error: framework of a backend: a character of 'num\\npy' is not printable",
        ),
    ),
    Broken(
        "long_name",
        False,
        "  fill:\n",
        "  " + "f" * 65 + ":\n",
        (
            "40:3: error: op 'ffffffffffffffffffff...': a name of more than 64 characters",
        ),
    ),
    Broken(
        "required_key_misspelt",
        False,
        "    summary: Sets x to 1.\n",
        "    sumary: Sets x to 1.\n",
        (
            "41:5: error: unknown key 'sumary' in op fill; did you mean 'summary'?",
        ),
    ),
    Broken(
        "anchor_in_flow",
        False,
        "{on: cpu/generic, workspace: 64}",
        '{"on":&x cpu/generic, workspace: 64}',
        (
            "48:15: error: anchor &x: a registry says everything where it stands",
        ),
    ),
    Broken(
        "variant_no_string",
        False,
        "{on: cpu/generic, variant: blas}",
        "{on: cpu/generic, variant: 5}",
        (
            "38:36: error: variant of a kernel of op axpy: a string is expected, not '5' (a number): write i"
            "t in quotes",
        ),
    ),
    Broken(
        "device_no_mapping",
        False,
        "cuda:\n    model: cuda\n    fallback: [cpu]\n    archs: [sm90a, sm90, sm80, {ptx: compute_75}, generic]\n",
        "cuda: 5\n",
        (
            "5:9: error: device cuda: a mapping is expected, not '5' (a number)",
        ),
    ),
    Broken(
        "device_cpu_of_bad_model",
        False,
        "    model: [x86, aarch64]\n",
        "    model: [x86, 5]\n",
        (
            "13:18: error: model of device cpu: a string is expected, not '5' (a number): write it in quotes",
        ),
    ),
    Broken(
        "auto_no_list",
        False,
        "auto: [cuda, cpu]",
        "auto: 5",
        (
            "3:7: error: auto: a list is expected, not '5' (a number)",
        ),
    ),
    Broken(
        "requirement_no_mapping",
        False,
        "blas: {kind: build, summary: A BLAS library}",
        "blas: 5",
        (
            "20:9: error: requirement blas: a mapping is expected, not '5' (a number)",
        ),
    ),
    Broken(
        "variant_no_mapping",
        False,
        "blas: {strict: true, requires: [blas]}",
        "blas: 5",
        (
            "23:9: error: variant blas: a mapping is expected, not '5' (a number)",
        ),
    ),
    Broken(
        "kernel_no_mapping",
        False,
        "- {on: cpu/generic, variant: blas}",
        "- 5",
        (
            "38:9: error: a kernel of op axpy: a mapping is expected, not '5' (a number)",
        ),
    ),
    Broken(
        "component_kernels_no_list",
        False,
        "kernels: [{on: accel}, {on: cuda, status: planned}]",
        "kernels: 5",
        (
            "50:42: error: kernels of component dit: a list is expected, not '5' (a number)",
        ),
    ),
    Broken(
        "score_no_number",
        False,
        "score: 100, ",
        "score: [], ",
        (
            "52:42: error: score of backend jax: a whole decimal number is expected, not a list",
        ),
    ),
    Broken(
        "sm_of_many_digits",
        False,
        "archs: [sm90, sm80, generic]",
        "archs: [sm" + "9" * 5000 + ", sm90, sm80, generic]",
        (
            "11:13: error: 'sm999999999999999999999999999999999999999999999999999999999999999999999999999999"
            "99999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999"
            "99999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999"
            "99999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999"
            "9999999999999999999999999999999999...",
        ),
    ),
    Broken(
        "too_many_steps",
        False,
        "archs: [sm90, sm80, generic]",
        "archs: [" + ", ".join(f"sm{rank}" for rank in range(900, 10, -1)) + "]",
        (
            "9:3: error: device accel: too many archs: their chains have more than 65535 steps",
        ),
    ),
]
