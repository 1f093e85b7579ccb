# SPDX-License-Identifier: Apache-2.0
"""A start on a machine without accelerators, seen from outside: whatever is asked of it, no vendor's library is opened,
and no child started, no Python either."""
import os
import re
import shutil
import subprocess

import pytest

PROGRAM = os.environ["RUNG_START_PROGRAM"]
STRACE = shutil.which("strace")


def calls(root, tmp_path):
    """The system calls between start and end, as strace writes them."""
    log = tmp_path / "calls"
    words = [STRACE, "-f", "-o", log, PROGRAM, root]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode != 0 and not (log.exists() and "start" in log.read_text()):
        pytest.skip(f"unproven: strace cannot trace here: {' '.join(done.stderr.decode().split())}")
    assert (done.returncode, done.stdout) == (0, b"start\nend\n"), done
    lines = log.read_text().splitlines()
    marks = [f'write(1, "{word}\\n"' for word in ("start", "end")]
    first, last = (next(i for i, line in enumerate(lines) if mark in line) for mark in marks)
    return lines[first + 1:last]


def add_python(root):
    """A Python with NumPy in the folder."""
    packages = root / "usr/lib/python3.11/site-packages"
    for path, text in {
        root / "usr/bin/python3": "\177ELF",
        root / "usr/lib/python3.11/os.py": "",
        packages / "numpy/__init__.py": "",
        packages / "numpy/core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so": "\177ELF",
        packages / "numpy-1.24.2.dist-info/METADATA": "Metadata-Version: 2.1\nName: numpy\nVersion: 1.24.2\n",
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "usr/bin/python3").chmod(0o755)


@pytest.mark.skipif(STRACE is None, reason="unproven: strace is missing (Debian: strace)")
@pytest.mark.parametrize("python", [False, True], ids=["empty", "python"])
def test_nothing_is_opened_and_nobody_started(tmp_path, python):
    root = tmp_path / "machine"
    root.mkdir()
    if python:
        add_python(root)
    seen = calls(root, tmp_path)
    names = {re.sub(r"^\d+\s+", "", line).split("(")[0] for line in seen}
    assert not names & {"clone", "clone3", "fork", "vfork", "execve", "socket", "connect", "ioctl", "kill"}, names
    libraries = [line for line in seen if re.search(r'"[^"]*\.(so|dylib|dll)[.0-9]*"', line)]
    assert not libraries
    opened = [line for line in seen if re.search(r"open(at)?\(", line) and " = -1 " not in line]
    closed = [line for line in seen if "close(" in line]
    assert len(closed) == len(opened), (opened, closed)
    assert any("/METADATA" in line for line in opened) == python, opened
    # written to nobody but the two marks
    assert not [line for line in seen if "write(" in line]
    print(f"{len(seen)} system calls: {sorted(names)}")
