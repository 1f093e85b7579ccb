# SPDX-License-Identifier: Apache-2.0
"""Results appear all together or not at all: on failure, on a full disk, and on signals."""
import fcntl
import os
import resource
import signal
import subprocess
import time

import nifti
import pytest
from conftest import RESULTS, environment, tree

ARGS = ["tfa", "scan.nii.gz", "-k", "3"]
ENDLESS = ["-k", "60", "--tol", "1e-300", "--max-iter", "1000000"]


def limit(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("size", [0, 10, 200, 1000, 3000, 12000, 40000])
@pytest.mark.parametrize("exists", [False, True])
def test_no_space(refused, scan, tmp_path, size, exists):
    """A limit on the size of files stands in for a full disk: each size stops another of the five files."""
    if exists:
        (tmp_path / "out").mkdir()
        (tmp_path / "out/factors.tsv").write_text("older")
    refused(*ARGS, "-o", "out", code=1, text="cannot write", preexec_fn=limit(size))


def test_no_space_on_a_device(rung, scan, tmp_path):
    """The same on a device that is really full, where this user may mount one."""
    script = ("mount -t tmpfs -o size=32k none full && mkdir full/out && "
              "{ \"$RUNG\" tfa scan.nii.gz -k 3 -o full/out -q; code=$?; ls -A full/out; exit $code; }")
    (tmp_path / "full").mkdir()
    try:
        probe = subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("unproven: unshare is missing (Debian: util-linux)")
    if probe.returncode != 0:
        pytest.skip("unproven: no user namespaces")
    binary = os.path.abspath(os.environ["RUNG_BIN"])
    done = subprocess.run(["unshare", "-rm", "sh", "-c", script], cwd=tmp_path, env=environment(RUNG=binary),
                          capture_output=True, check=False)
    if b"mount" in done.stderr:
        pytest.skip("unproven: no mounting in user namespaces")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"rung: cannot write") and done.stderr.count(b"\n") == 1


def test_results_are_replaced(rung, scan, tmp_path):
    (tmp_path / "out").mkdir()
    for name in [*RESULTS, "mine.txt"]:
        (tmp_path / "out" / name).write_text("older")
    assert rung(*ARGS, "-o", "out", "-q").returncode == 0
    assert sorted(os.listdir(tmp_path / "out")) == sorted([*RESULTS, "mine.txt"])
    for name in RESULTS:
        assert (tmp_path / "out" / name).read_bytes() != b"older"
    assert (tmp_path / "out/mine.txt").read_text() == "older"


@pytest.mark.parametrize("name", RESULTS)
def test_a_folder_in_the_way(refused, scan, tmp_path, name):
    """Some results have their names already when this one cannot have its own: what stood there comes back."""
    (tmp_path / "out" / name / "full").mkdir(parents=True)
    for other in RESULTS:
        if other != name:
            (tmp_path / "out" / other).write_text("older " + other)
    refused(*ARGS, "-o", "out", code=1, text="cannot write")


def test_interrupted_when_all_is_written(binary, scan, tmp_path):
    """While the report goes to a pipe that nobody reads, the results are there already."""
    source, sink = os.pipe()
    fcntl.fcntl(sink, 1031, 4096)  # F_SETPIPE_SZ
    with subprocess.Popen([binary, *ARGS, "-o", "out", "-q", "--json"], cwd=tmp_path, env=environment(), stdout=sink,
                          stderr=subprocess.PIPE) as job:
        os.close(sink)
        while job.poll() is None and not (tmp_path / "out").exists():
            time.sleep(0.001)
        time.sleep(0.05)
        job.send_signal(signal.SIGTERM)
        _, err = job.communicate(timeout=60)
    os.close(source)
    assert job.returncode == -signal.SIGTERM
    assert err == b"rung: interrupted after the results were written\n"
    assert sorted(os.listdir(tmp_path / "out")) == RESULTS


@pytest.mark.parametrize("filled", [False, True])
def test_folder_that_appears_meanwhile(binary, tmp_path, filled):
    """Another run, for one, can have made the folder since this one began."""
    nifti.Truth(shape=(20, 22, 18), volumes=60).write(tmp_path / "long.nii")
    job = subprocess.Popen([binary, "tfa", "long.nii", "-k", "6", "-o", "out", "-q"], cwd=tmp_path, env=environment())
    while job.poll() is None and not list(tmp_path.glob(".rung-*")):
        time.sleep(0.001)
    (tmp_path / "out").mkdir()
    if filled:
        (tmp_path / "out/factors.tsv").write_text("older")
        (tmp_path / "out/mine.txt").write_text("mine")
    assert job.wait(timeout=60) == 0
    assert sorted(os.listdir(tmp_path / "out")) == sorted([*RESULTS] + ["mine.txt"] * filled)
    assert (tmp_path / "out/factors.tsv").read_text() != "older"
    assert sorted(os.listdir(tmp_path)) == ["long.nii", "out"]


def test_output_is_a_file(refused, scan, tmp_path):
    (tmp_path / "out").write_text("mine")
    refused(*ARGS, "-o", "out", code=1, text="not a folder")


def test_output_without_parent(refused, scan):
    refused(*ARGS, "-o", "no/such/out", code=1, text="No such file")


def test_output_below_a_file(refused, scan):
    refused(*ARGS, "-o", "scan.nii.gz/out", code=1, text="scan.nii.gz/out")


def test_output_is_a_link_to_nowhere(refused, scan, tmp_path):
    os.symlink("nowhere", tmp_path / "out")
    refused(*ARGS, "-o", "out", code=1, text="nowhere")


def test_output_is_a_link_to_a_folder(rung, scan, tmp_path):
    (tmp_path / "real").mkdir()
    os.symlink("real", tmp_path / "out")
    assert rung(*ARGS, "-o", "out/", "-q").returncode == 0
    assert sorted(os.listdir(tmp_path / "real")) == RESULTS


@pytest.mark.parametrize("name", ["x" * 256, "y" * 5000, "a/" * 3000])
def test_long_names(refused, scan, name):
    refused(*ARGS, "-o", name, code=1)


def test_longest_name(rung, scan, tmp_path):
    assert rung(*ARGS, "-o", "x" * 255, "-q").returncode == 0
    assert sorted(os.listdir(tmp_path / ("x" * 255))) == RESULTS


@pytest.mark.parametrize("folder", [".", "./", "out//"])
def test_spellings(rung, scan, tmp_path, folder):
    assert rung(*ARGS, "-o", folder, "-q").returncode == 0
    assert set(RESULTS) <= set(os.listdir(tmp_path / folder))
    assert not [n for n in os.listdir(tmp_path) if n.startswith(".rung")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_output_not_writable(refused, scan, tmp_path):
    (tmp_path / "out").mkdir(mode=0o500)
    refused(*ARGS, "-o", "out", code=1, text="Permission denied")


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="unproven: no /proc")
def test_output_where_nothing_can_be(refused, scan):
    refused(*ARGS, "-o", "/proc/rung-out", code=1, text="/proc/rung-out")


@pytest.mark.parametrize("what", ["scan", "mask"])
def test_results_would_replace_their_input(refused, truth, tmp_path, what):
    (tmp_path / "out").mkdir()
    truth.write(tmp_path / "out/factors.nii.gz" if what == "scan" else tmp_path / "scan.nii.gz")
    if what == "mask":
        nifti.write(tmp_path / "out/factors.nii.gz", truth.shape, [1] * (9 * 10 * 8), "uint8")
        refused(*ARGS, "-o", "out", "--mask", "out/factors.nii.gz", code=1, text="replace")
    else:
        refused("tfa", "out/factors.nii.gz", "-k", "3", "-o", "out", code=1, text="replace")


def interrupted(binary, tmp_path, number, out, **how):
    """Sends the signal when the job has begun to stage; the fit could go on for hours."""
    nifti.Truth(shape=(20, 22, 18), volumes=60).write(tmp_path / "long.nii")
    if out == "old":
        (tmp_path / "old").mkdir()
        (tmp_path / "old/factors.tsv").write_text("older")
    before = tree(tmp_path)
    job = subprocess.Popen([binary, "tfa", "long.nii", *ENDLESS, "-o", out], cwd=tmp_path, env=environment(),
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)
    while job.poll() is None and not list(tmp_path.rglob(".rung-*")):
        time.sleep(0.001)
    job.send_signal(number)
    _, err = job.communicate(timeout=60)
    assert tree(tmp_path) == before
    return job.returncode, err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("out", ["out", "old"])
def test_signals(binary, tmp_path, number, out):
    code, err = interrupted(binary, tmp_path, number, out)
    assert code == -number
    assert err.splitlines()[-1] == b"rung: interrupted; nothing was written"


def test_shells_see_130(binary, tmp_path):
    nifti.Truth(shape=(20, 22, 18), volumes=60).write(tmp_path / "long.nii")
    script = ('"$0" tfa long.nii "$@" -q & while ! ls -d .rung-* 2>/dev/null; do :; done; '
              "kill -TERM $!; wait $!; exit $?")
    done = subprocess.run(["sh", "-c", script, binary, *ENDLESS], cwd=tmp_path, env=environment(), capture_output=True,
                          timeout=120, check=False)
    assert done.returncode == 128 + signal.SIGTERM
    assert os.listdir(tmp_path) == ["long.nii"]


def test_ignored_hangup_stays_ignored(binary, tmp_path, truth):
    """As under nohup."""
    truth.write(tmp_path / "scan.nii.gz")
    script = 'trap "" HUP; "$0" tfa scan.nii.gz -k 3 -q -o out & kill -HUP $!; wait $!'
    done = subprocess.run(["sh", "-c", script, binary], cwd=tmp_path, env=environment(), capture_output=True,
                          check=False)
    assert done.returncode == 0 and sorted(os.listdir(tmp_path / "out")) == RESULTS
