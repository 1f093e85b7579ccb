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
    tested = {op: (float(rel), float(absolute)) for op, rel, absolute in map(str.split, output.splitlines())}
    ops = yaml.safe_load(pathlib.Path(registry).read_text(encoding="utf-8"))["ops"]
    wrong = 0
    for name in sorted(ops.keys() | tested.keys()):
        tolerance = ops.get(name, {}).get("tolerance", {})
        declared = (float(tolerance.get("rel", 0.0)), float(tolerance.get("abs", 0.0)))
        if tested.get(name) != declared:
            print(f"{name}: declared (rel, abs) {declared}, tested {tested.get(name)}: see op_tests in parity.c")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
