# SPDX-License-Identifier: Apache-2.0
"""bench/tables on small registries: its figures that do not depend on time, and that it prints all of them."""
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest

ROOT = Path(__file__).resolve().parents[2]
CASES = {"open_auto", "open_cpu", "open_accel", "open_on_auto", "open_on_cpu", "open_on_accel", "open_on_cuda",
         "resolve", "op_find", "resolve_name", "cell_find", "explain"}


def bench(*arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, ROOT / "bench/tables/bench_tables.py", "--library", os.environ["RUNG_LIBRARY"],
               "--turns", 3, "--turn-us", 1, *arguments]
    return subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})


@pytest.fixture(scope="module")
def sizes() -> List[Dict[str, Any]]:
    """Of 20 ops, with the dispatch, and of 60, without."""
    done = bench("--json", "--dispatch", 20, 60, 20)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert set(found["machine"]) == {"cpu", "level", "compiler"}
    assert [size["ops"] for size in found["sizes"]] == [20, 60]
    return found["sizes"]


def test_every_case_is_timed(sizes: List[Dict[str, Any]]) -> None:
    for size in sizes:
        assert set(size["times"]) == CASES
        assert all(time["ns"] > 0 for time in size["times"].values())
    assert {"open_on_cpu", "open_on_cuda"} <= set(sizes[1]["growth"])


def test_tables_need_no_relocation_per_cell(sizes: List[Dict[str, Any]]) -> None:
    small, large = sizes
    assert large["cells"] > 2 * small["cells"]
    for kind in ("no_pic", "pic"):
        assert [size["relocations"][kind]["outside_struct"] for size in sizes] == [0, 0]
        assert 0 < small["relocations"][kind]["all"] == large["relocations"][kind]["all"] < 64
    assert small["relocations"]["pie_dynamic"] == large["relocations"]["pie_dynamic"] > 0


def test_tables_are_small_and_constant(sizes: List[Dict[str, Any]]) -> None:
    for size in sizes:
        tables = size["tables"]
        assert tables["writable"] == 0
        assert tables["data_rel_ro"] < 640, "struct rung_registry alone"
        by_table = tables["per_cell_by_table"]
        assert {"cells", "names", "ops", "hash of cells", "hash of ops"} < set(by_table)
        assert sum(by_table.values()) == pytest.approx(tables["per_cell"], rel=0.02)
    small, large = sizes
    further = (large["tables"]["rodata"] - small["tables"]["rodata"]) / (large["cells"] - small["cells"])
    assert 40 < further < 160, "bytes for each further cell"


def test_dispatch_needs_no_relocation_per_cell(sizes: List[Dict[str, Any]]) -> None:
    small, large = sizes
    assert large["dispatch"] is None
    ways = small["dispatch"]["ways"]
    assert set(ways) == {"generated", "pointers", "ladder"}
    alone = small["relocations"]["pie_dynamic"]
    assert abs(ways["generated"]["dynamic_relocations"] - alone) <= 2
    assert ways["generated"]["data_relocations_per_cell"] == 0
    # the same figures find what tables of pointers need
    assert ways["pointers"]["dynamic_relocations"] - alone > small["dispatch"]["cells"] / 2
    assert ways["pointers"]["data_relocations_per_cell"] > 0.5
    assert small["dispatch"]["text_per_op"] > ways["generated"]["text_per_op"] > 0


def test_the_table_has_a_column_for_each_size() -> None:
    done = bench("--dispatch", 0, 5)
    assert done.returncode == 0, done.stderr
    row: Dict[str, List[str]] = {}
    for line in done.stdout.splitlines():
        row.setdefault(line[:40].strip(), line[40:].split())
    assert row["ops"] == ["5"]
    assert row["per cell"] == ["0"]
    assert row["rung_op_find"][1] == "+-"
    assert row["cells built"] == ["-"]


@pytest.mark.parametrize("arguments", [["0"], ["many"], ["--library", "no/such/librung.a"], ["--turns", "0"]])
def test_bad_arguments(arguments: List[str]) -> None:
    done = bench(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "bench_tables.py: error: " in done.stderr.splitlines()[-1]
