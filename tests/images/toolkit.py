# SPDX-License-Identifier: Apache-2.0
"""What the tests of images share: the toolkit, and how commands are run."""
import functools
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Optional

import pytest

ROOT = Path(__file__).resolve().parents[2]
NVCC = os.environ.get("NVCC", "")
WHY_NOT = os.environ.get("NO_NVCC", "not run by ctest")
CC = os.environ.get("CC", "gcc")
KNOWN = [75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121]  # sm numbers of nvcc 13.0

with_nvcc = pytest.mark.skipif(not NVCC, reason=f"unproven: CUDA images ({WHY_NOT})")


def run(*command: object, ok: bool = True, **more: object) -> str:
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **more)  # type: ignore
    assert (done.returncode == 0) == ok, f"{command} ended with {done.returncode}:\n{done.stdout[-4000:]}"
    return str(done.stdout)


@functools.lru_cache(maxsize=None)
def tool(name: str) -> Optional[str]:
    """A program of the toolkit: beside nvcc (which may itself be a script), on PATH, or of `./dev toolkit`."""
    folder = re.search(r"_HERE_=(.*)", run(NVCC, "--dryrun", "-E", "-x", "cu", "/dev/null"))
    places = [folder.group(1)] if folder else []
    places += os.environ.get("PATH", "").split(":") + [str(ROOT / "build-cuda-toolkit/nvidia/cu13/bin")]
    return shutil.which(name, path=":".join(places))


@functools.lru_cache(maxsize=None)
def newer(sm: int) -> Optional[int]:
    """The next sm number that nvcc can assemble for; None for the newest."""
    for number in KNOWN:
        dry = [NVCC, "--dryrun", "-fatbin", f"-gencode=arch=compute_{number},code=sm_{number}", "-x", "cu", "/dev/null"]
        if number > sm and subprocess.run(dry, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
            return number
    return None
