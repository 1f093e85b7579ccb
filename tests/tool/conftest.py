# SPDX-License-Identifier: Apache-2.0
"""The binary under test is $RUNG_BIN. Every test works in an empty folder of its own."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import nifti  # noqa: E402

RESULTS = ["factors.nii.gz", "factors.png", "factors.tsv", "report.json", "weights.tsv"]


def environment(**more):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("RUNG_PLATFORM", "RUNG_LOG", "LC_", "LANG"))}
    return {**env, "LC_ALL": "C", **more}


@pytest.fixture(scope="session")
def binary():
    path = os.environ.get("RUNG_BIN")
    if not path:
        pytest.fail("RUNG_BIN names the rung binary to test")
    return os.path.abspath(path)


@pytest.fixture
def rung(binary, tmp_path):
    """Runs rung in the test's folder; bytes in, bytes out."""

    def run(*args, env=None, **how):
        how.setdefault("stdout", subprocess.PIPE)
        how.setdefault("cwd", tmp_path)
        return subprocess.run([binary, *map(os.fsencode, args)], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              env=env or environment(), timeout=240, check=False, **how)

    return run


@pytest.fixture
def refused(rung, tmp_path):
    """Runs rung, and checks that it says one line, has this exit code, and leaves the folder as it was."""

    def run(*args, code, text="", **how):
        before = tree(tmp_path)
        done = rung(*args, **how)
        lines = done.stderr.decode().splitlines()
        errors = [line for line in lines if line.startswith("rung: ") and not line.startswith("rung: warning: ")]
        assert done.returncode == code, done
        assert len(errors) == 1 and lines[-1] == errors[0], lines
        assert text in errors[0], errors[0]
        # whatever else was said before is progress, not the library's own messages
        assert all(line.split(":")[0] in ("reading", "rung", "starting", "repairing", "fitting", "template", "testing",
                                          "writing") for line in lines), lines
        assert tree(tmp_path) == before
        return done

    return run


def tree(folder):
    """Every file below, with its content."""
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in sorted(folder.rglob("*"))
            if not p.is_fifo()}


def strict_json(data):
    """Parses UTF-8 JSON; NaN and Infinity, which are not JSON, are errors."""

    def refuse(word):
        raise ValueError(word)

    return json.loads(data.decode("utf-8"), parse_constant=refuse)


@pytest.fixture(scope="session")
def truth():
    return nifti.Truth()


@pytest.fixture
def scan(truth, tmp_path):
    return truth.write(tmp_path / "scan.nii.gz")
