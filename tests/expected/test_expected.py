# SPDX-License-Identifier: Apache-2.0
"""kernels/expected: the headers are what the script writes: nobody has written a kernel's own result into one."""
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "kernels/expected/expected.py"


def check(script: Path) -> "subprocess.CompletedProcess[str]":
    pytest.importorskip("numpy", reason="unproven: the examples of kernels/expected (no NumPy)")
    done = subprocess.run([sys.executable, "-B", str(script), "--check"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode == 77:
        pytest.skip(done.stdout.splitlines()[-1])
    return done


@pytest.mark.parametrize("script", [SCRIPT, ROOT / "tests/fixtures/pf/examples.py"], ids=["rk", "pf"])
def test_headers_are_what_the_script_writes(script: Path) -> None:
    done = check(script)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_op_has_a_header_and_every_header_an_op() -> None:
    ops = yaml.safe_load((ROOT / "registry.yaml").read_text(encoding="utf-8"))["ops"]
    assert {name: about.get("expected") for name, about in ops.items()} == {
        name: f"kernels/expected/{name}.h" for name in ops}
    pytest.importorskip("numpy", reason="unproven: the examples of kernels/expected (no NumPy)")
    script = runpy.run_path(str(SCRIPT))
    assert set(script["OPS"]) == set(ops)
    assert {path.name for path, _ in script["headers"]()} == {path.name for path in SCRIPT.parent.glob("*.h")}


def test_a_value_of_another_origin_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "kernels/expected"
    folder.mkdir(parents=True)
    for path in (SCRIPT, *SCRIPT.parent.glob("*.h")):
        (folder / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "registry.yaml").write_text((SCRIPT.parents[2] / "registry.yaml").read_text(encoding="utf-8"))
    header = folder / "gemm_nt.h"
    header.write_text(header.read_text(encoding="utf-8").replace("0x1.", "0x1.8", 1), encoding="utf-8")
    done = check(folder / SCRIPT.name)
    assert (done.returncode, done.stdout) == (1, f"{header}: not what expected.py writes\n")
