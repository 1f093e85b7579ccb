# SPDX-License-Identifier: Apache-2.0
"""Results of `rung selftest` and `rung bench`, made up, for the page of `rung matrix`."""
import json

MACHINE = {"processor": "A Processor", "level": "x86-64-v3", "system": "Linux 6.1 x86_64"}
OPENED = "gemm_tn/cpu/generic/default"  # there in every build


def cell(key, state="passed", **more):
    op, device, arch, variant = key.split("/")
    return {"op": op, "device": device, "arch": arch, "variant": variant, "state": state, "how": "native",
            "cases": 12, "checks": 345, "failures": 0, "worst": 0.25, "worst_wide": None, "examples": 2,
            "registers": True, "why": "", **more}


def selftest(*cells, **more):
    return {"rung": "selftest", "version": 1, "namespace": "rk", "machine": MACHINE, "how": "native",
            "seed": "0x5eed", "cells": list(cells), **more}


def time(key, **more):
    op, device, arch, variant = key.split("/")
    return {"op": op, "device": device, "arch": arch, "variant": variant, "sizes": {"m": 20, "n": 300, "k": 256},
            "seconds": {"median": 1.25e-4, "low": 1.2e-4, "high": 1.5e-4}, "turns": 31, "calls": 16, "flops": 3072000.0,
            "bytes": 660480.0, "gflops": 24.6, "gb_per_second": 5.28, "bound": "arithmetic",
            "roof_fraction": 0.41, **more}


def bench(*times, **more):
    return {"rung": "bench", "version": 1, "namespace": "rk", "date": "2026-11-30T15:06:23Z",
            "machine": MACHINE, "roof": {"copy_bytes_per_second": 1.1e10, "f32_flops": 1.2e11, "f64_flops": 6e10},
            "results": list(times), **more}


def some():
    """One of each state that a proof can have, and times of two sizes."""
    proofs = selftest(cell(OPENED),
                      cell("gemm_nt/cpu/generic/default", "failed", failures=3, why="case 7: 3 of what is allowed"),
                      cell("rbf_factors/cpu/generic/default", "missed", why="left out"),
                      cell("gemm_tn/cpu/neon/default", how="emulator"),
                      cell("gemm_tn/cuda/sm80/default", how="fake driver"),
                      cell("gemm_tn/cuda/sm90/default", "unproven", why="no such device"))
    return proofs, bench(time(OPENED), time(OPENED, sizes={"m": 9, "n": 9, "k": 9}, gflops=None, bound=None,
                                            roof_fraction=None))


def write(folder, proofs, times):
    """The options that name the files."""
    (folder / "proofs.json").write_text(json.dumps(proofs))
    (folder / "times.json").write_text(json.dumps(times))
    return ["--selftest", "proofs.json", "--bench", "times.json"]
