#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parity test holds every op to the tolerance that the registry declares, and to no other.

Usage: python3 check_tolerances.py REGISTRY PROGRAM [ARGUMENT ...]
"""
import pathlib
import subprocess
import sys

import yaml


def main() -> int:
    registry, *program = sys.argv[1:]
    output = subprocess.run([*program, "--tolerances"], check=True, capture_output=True, text=True).stdout
    lines = [line.split() for line in output.splitlines()]
    tested = {(op, variant): (float(rel), float(absolute)) for op, variant, rel, absolute in lines}
    declared = {}
    for op, entry in yaml.safe_load(pathlib.Path(registry).read_text(encoding="utf-8"))["ops"].items():
        of_variants = {"default": entry.get("tolerance", {}), **entry.get("tolerances", {})}
        for variant, tolerance in of_variants.items():
            declared[op, variant] = (float(tolerance.get("rel", 0.0)), float(tolerance.get("abs", 0.0)))
    wrong = 0
    for op, variant in sorted(declared.keys() | tested.keys()):
        if tested.get((op, variant)) != declared.get((op, variant)):
            print(f"{op}, {variant}: declared (rel, abs) {declared.get((op, variant))}, "
                  f"tested {tested.get((op, variant))}: see op_tests in parity.c")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
