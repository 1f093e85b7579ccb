# SPDX-License-Identifier: Apache-2.0
"""Systems that lack what programs are used to: no /proc, /sys or /dev, no library but libc, no standard streams, no
file that could be opened; and emulators. On each of them a platform is opened, an op gives the right result, and
nothing is left behind: system_program.c says which of it fails by its exit status.
"""
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

DYNAMIC = Path(os.environ["RUNG_SYSTEM_PROGRAM"])
STATIC = Path(os.environ["RUNG_SYSTEM_PROGRAM_STATIC"])
BOTH = pytest.mark.parametrize("program", [DYNAMIC, STATIC], ids=["dynamic", "static"])


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=120, check=False, **more)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done


def found(*command, **more):
    """What the program wrote, by name."""
    done = run(*command, **more)
    words = r"level=\S+ cores=\d+ online=\d+ memory=\d+ available=\d+ cuda=\w+ rocm=\w+\n"
    assert re.fullmatch(words, done.stdout), done.stdout
    return dict(word.split("=") for word in done.stdout.split())


@BOTH
def test_here(program):
    said = found(program)
    assert int(said["memory"]) > 0 and int(said["available"]) > 0


@BOTH
def test_closed_streams(program):
    run("sh", "-c", 'exec "$1" <&- >&- 2>&-', "sh", program)


@BOTH
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_one_closed_stream(program, closed):
    run("sh", "-c", f'exec "$1" {closed}', "sh", program)


@BOTH
def test_no_file_can_be_opened(program):
    said = found(program, "--no-files")
    # what the system's calls tell
    assert int(said["memory"]) > 0 and int(said["cores"]) == int(found(program)["cores"])


@BOTH
def test_nothing_in_the_environment(program):
    assert found(program, env={})["level"] == found(program)["level"]


# ---- chroot ----------------------------------------------------------------------------------------------------------

def chroot():
    """A command that runs the words after it, a folder first that is then its root; None where there is none."""
    tool = shutil.which("chroot", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    for words in ([tool], ["unshare", "-r", tool]):
        if tool is None or shutil.which(words[0]) is None:
            continue
        done = subprocess.run([*words, "/", "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode == 0:
            return words
    return None


CHROOT = chroot()
ROOTED = pytest.mark.skipif(CHROOT is None, reason="unproven: neither root nor user namespaces: no chroot")


def libraries(program):
    """The files of the shared libraries that a program needs, its loader among them."""
    said = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=True).stdout
    return [Path(path) for path in re.findall(r"(/\S+) \(0x", said)]


def fill(root, program):
    """Puts the program and all that it needs into the folder, and nothing else."""
    for path in libraries(program) if program == DYNAMIC else []:
        copy = root / path.relative_to("/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    shutil.copy(program, root / "program")


def add_gpus(root):
    """What the drivers of NVIDIA and AMD show of a GPU each, open to everybody; no library of theirs."""
    node = root / "sys/class/kfd/kfd/topology/nodes/1"
    for path, text in {
        root / "dev/nvidiactl": "", root / "dev/nvidia-uvm": "", root / "dev/nvidia0": "",
        root / "dev/kfd": "", root / "dev/dri/renderD128": "",
        node / "gpu_id": "40001\n",
        node / "properties": "simd_count 304\ngfx_target_version 90010\nvendor_id 4098\ndrm_render_minor 128\n",
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o666)


@ROOTED
def test_a_static_program_alone(tmp_path):
    fill(tmp_path, STATIC)
    said = found(*CHROOT, tmp_path, "/program")
    assert int(said["memory"]) > 0 and int(said["cores"]) == int(found(STATIC)["cores"])
    assert (said["cuda"], said["rocm"]) == ("absent", "absent")


@ROOTED
@pytest.mark.parametrize("program, state", [(STATIC, "static_program"), (DYNAMIC, "no_library")],
                         ids=["static", "dynamic"])
def test_gpus_without_their_libraries(tmp_path, program, state):
    """A static program has no loader, and says so; it goes on with the processor, as a dynamic one does."""
    fill(tmp_path, program)
    add_gpus(tmp_path)
    said = found(*CHROOT, tmp_path, "/program", "--with-cuda")
    assert (said["cuda"], said["rocm"]) == (state, state)


@ROOTED
def test_libc_alone(tmp_path):
    needed = libraries(DYNAMIC)
    names = {path.name for path in needed}
    assert any(name.startswith("libc.so") for name in names), needed
    assert all(re.match(r"(libc|libm|libdl|libpthread|ld-linux[\w-]*)\.so", name) for name in names), needed
    fill(tmp_path, DYNAMIC)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted(
        {"program", *(path.parts[1] for path in needed)})
    said = found(*CHROOT, tmp_path, "/program")
    assert said["level"] == found(DYNAMIC)["level"]
    assert int(said["memory"]) > 0 and int(said["cores"]) == int(found(DYNAMIC)["cores"])


@ROOTED
def test_standard_streams_closed_in_an_empty_root(tmp_path):
    fill(tmp_path, STATIC)
    run("sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *CHROOT, tmp_path, "/program")


# ---- emulators -------------------------------------------------------------------------------------------------------

QEMU = shutil.which(f"qemu-{os.uname().machine}")
VALGRIND = shutil.which("valgrind")


@BOTH
@pytest.mark.skipif(QEMU is None, reason="unproven: qemu-user is missing (Debian: qemu-user)")
def test_qemu_user(program):
    said = found(QEMU, program)
    assert said["level"] in ("x86-64-v3", "sve2"), said  # all that qemu has, whatever the host is


@pytest.mark.skipif(VALGRIND is None, reason="unproven: valgrind is missing (Debian: valgrind)")
def test_valgrind():
    """It shows a processor of its own, so that no kernel is chosen that it cannot run; and it finds nothing."""
    options = ("-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite")
    said = found(VALGRIND, *options, DYNAMIC)
    assert said["level"] not in ("x86-64-v4", "amx"), said
