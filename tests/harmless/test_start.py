# SPDX-License-Identifier: Apache-2.0
"""A start on a machine without accelerators, seen from outside: no vendor's library is opened, and no child started."""
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
        pytest.skip(f"strace cannot trace here: {done.stderr.decode().strip()}")
    assert (done.returncode, done.stdout) == (0, b"start\nend\n"), done
    lines = log.read_text().splitlines()
    marks = [f'write(1, "{word}\\n"' for word in ("start", "end")]
    first, last = (next(i for i, line in enumerate(lines) if mark in line) for mark in marks)
    return lines[first + 1:last]


@pytest.mark.skipif(STRACE is None, reason="strace is missing (Debian: strace)")
def test_nothing_is_opened_and_nobody_started(tmp_path):
    root = tmp_path / "machine"
    root.mkdir()
    seen = calls(root, tmp_path)
    names = {re.sub(r"^\d+\s+", "", line).split("(")[0] for line in seen}
    assert not names & {"clone", "clone3", "fork", "vfork", "execve", "socket", "connect", "ioctl", "kill"}, names
    libraries = [line for line in seen if re.search(r'"[^"]*\.(so|dylib|dll)[.0-9]*"', line)]
    assert not libraries
    opened = [line for line in seen if re.search(r"open(at)?\(", line) and " = -1 " not in line]
    closed = [line for line in seen if "close(" in line]
    assert len(closed) == len(opened), (opened, closed)
    # written to nobody but the two marks
    assert not [line for line in seen if "write(" in line]
    print(f"{len(seen)} system calls: {sorted(names)}")
