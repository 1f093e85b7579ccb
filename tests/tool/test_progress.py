# SPDX-License-Identifier: Apache-2.0
"""A bar on a terminal, plain lines elsewhere, nothing with --quiet."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

import pytest
from conftest import environment

ARGS = ["tfa", "scan.nii.gz", "-k", "3", "-o", "out"]


def on_terminal(binary, tmp_path, *args, columns=80, term="xterm"):
    """What a terminal on stderr gets."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    job = subprocess.Popen([binary, *args], cwd=tmp_path, env=environment(TERM=term), stdout=subprocess.DEVNULL,
                           stderr=side, stdin=subprocess.DEVNULL)
    os.close(side)
    out = b""
    while True:
        try:
            piece = os.read(main, 65536)
        except OSError:
            break
        if not piece:
            break
        out += piece
    os.close(main)
    return job.wait(timeout=240), out.decode()


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_terminal(binary, scan, tmp_path, columns):
    code, text = on_terminal(binary, tmp_path, *ARGS, columns=columns)
    assert code == 0
    frames = [f for f in re.split(r"\r", text) if f.strip("\x1b[K\n")]
    assert frames and any("fitting" in f for f in frames)
    for frame in frames:
        assert len(frame.replace("\x1b[K", "").rstrip("\n")) < columns
    assert text.endswith("\r\x1b[K")
    assert "\n" not in text


def test_bar(binary, scan, tmp_path):
    _, text = on_terminal(binary, tmp_path, *ARGS, columns=120)
    assert re.search(r"fitting +\[#*-+\] +\d+%  step \d+ of at most 200, R2 0\.\d+  \d+\.\d s", text)


def test_bar_is_gone_before_an_error(binary, scan, tmp_path):
    data = bytearray(scan.read_bytes())
    data[-6] ^= 1
    scan.write_bytes(data)
    code, text = on_terminal(binary, tmp_path, *ARGS)
    assert code == 1
    assert text.split("\x1b[K")[-1].startswith("rung: ") and text.count("\n") == 1


def test_dumb_terminal(binary, scan, tmp_path):
    _, text = on_terminal(binary, tmp_path, *ARGS, term="dumb")
    assert "\x1b" not in text and "fitting" in text


def test_pipe(rung, scan):
    done = rung(*ARGS)
    lines = done.stderr.decode().splitlines()
    assert b"\r" not in done.stderr and b"\x1b" not in done.stderr
    assert any(line.startswith("reading") for line in lines) and any(line.startswith("fitting") for line in lines)
    assert len(lines) < 20


def test_quiet(binary, rung, scan, tmp_path):
    done = rung(*ARGS, "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert on_terminal(binary, tmp_path, *ARGS, "-q") == (0, "")
