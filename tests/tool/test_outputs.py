# SPDX-License-Identifier: Apache-2.0
"""What `rung tfa` writes: right, complete, and the same every time."""
import json
import math
import os
import struct
import subprocess
import zlib

import nifti
import pytest
from conftest import RESULTS, environment, strict_json, tree


def table(path):
    lines = path.read_text().splitlines()
    return lines[0].split("\t"), [[float(x) for x in line.split("\t")] for line in lines[1:]]


@pytest.fixture
def done(rung, scan):
    out = rung("tfa", "scan.nii.gz", "-k", "3", "-o", "out")
    assert out.returncode == 0, out
    return out


def test_five_files(done, tmp_path):
    assert sorted(os.listdir(tmp_path / "out")) == RESULTS
    assert sorted(os.listdir(tmp_path)) == ["out", "scan.nii.gz"]


def test_modes_follow_the_umask(rung, scan, tmp_path):
    before = os.umask(0o027)
    try:
        assert rung("tfa", "scan.nii.gz", "-k", "3", "-q").returncode == 0
    finally:
        os.umask(before)
    assert (tmp_path / "scan-tfa").stat().st_mode & 0o777 == 0o750
    assert all((tmp_path / "scan-tfa" / n).stat().st_mode & 0o777 == 0o640 for n in RESULTS)


def test_factors_are_found(done, tmp_path, truth):
    head, rows = table(tmp_path / "out/factors.tsv")
    assert head == ["factor", "x_mm", "y_mm", "z_mm", "width_mm", "variance_explained"]
    assert [row[0] for row in rows] == [1, 2, 3]
    for center, width in zip(truth.centers, truth.widths):
        near = min(rows, key=lambda row, c=center: math.dist(c, row[1:4]))
        assert math.dist(center, near[1:4]) < 0.4 and abs(near[4] - width) < 0.4
    assert all(0 < row[5] < 1 for row in rows)
    assert [row[5] for row in rows] == sorted((row[5] for row in rows), reverse=True)


def test_weights(done, tmp_path, truth):
    head, rows = table(tmp_path / "out/weights.tsv")
    assert head == ["factor_1", "factor_2", "factor_3"]
    assert len(rows) == truth.volumes and all(len(row) == 3 for row in rows)


def test_images(done, tmp_path, truth):
    version, dims, rows, values, head = nifti.read(tmp_path / "out/factors.nii.gz")
    assert (version, dims) == (1, (*truth.shape, 3))
    for a, b in zip(rows, truth.affine):
        assert a == pytest.approx(b)
    assert b"rung" in head[148:228]
    _, factors = table(tmp_path / "out/factors.tsv")
    nx, ny, nz = truth.shape
    for k, (_, x, y, z, s, _) in enumerate(factors):
        for v in (0, 17, 333, nx * ny * nz - 1):
            ijk = v % nx, v // nx % ny, v // nx // ny
            r = [sum(a * b for a, b in zip(row, ijk)) + row[3] for row in truth.affine]
            assert values[k * nx * ny * nz + v] == pytest.approx(
                math.exp(-math.dist(r, (x, y, z)) ** 2 / (2 * s * s)), rel=1e-5, abs=1e-30)


def test_report(done, tmp_path, truth):
    report = strict_json((tmp_path / "out/report.json").read_bytes())
    assert report["scan"]["path"] == "scan.nii.gz" and report["scan"]["shape"] == list(truth.dims)
    assert report["scan"]["mask"] is None and report["scan"]["voxel_mm"] == [3, 3, 3]
    assert report["options"]["factors"] == 3 and report["options"]["seed"] == 0
    assert report["platform"] and report["reason"] and report["rejected"] and report["version"]
    assert {k["op"] for k in report["kernels"]} >= {"rbf_factors", "gemm_tn", "gemm_nt", "ridge_solve"}
    assert all(k["source"].startswith("kernels/") for k in report["kernels"])
    assert 0.8 < report["fit"]["r2"] <= 1 and report["fit"]["converged"] is True
    assert len(report["fit"]["factors"]) == 3
    assert report["timing"]["peak_rss_bytes"] > 0
    assert {"read_seconds", "fit_seconds", "write_seconds"} <= set(report["timing"])


def chunks(png):
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, out = 8, []
    while at < len(png):
        size, kind = struct.unpack_from(">I4s", png, at)
        body = png[at + 8:at + 8 + size]
        assert zlib.crc32(kind + body) == struct.unpack_from(">I", png, at + 8 + size)[0]
        out.append((kind, body))
        at += 12 + size
    return out


def test_picture(done, tmp_path):
    parts = chunks((tmp_path / "out/factors.png").read_bytes())
    assert parts[0][0] == b"IHDR" and parts[-1][0] == b"IEND" and not any(kind == b"tIME" for kind, _ in parts)
    width, height, depth, colour = struct.unpack_from(">IIBB", parts[0][1])
    assert width >= 1000 and 400 <= height <= 4000
    pixels = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    assert len(set(pixels[i] for i in range(0, len(pixels), 7))) > 50


@pytest.mark.parametrize("shape, k", [((9, 10, 8), 1), ((20, 18, 3), 2), ((30, 2, 2), 1), ((9, 10, 8), 50),
                                      ((9, 10, 8), 70), ((1, 12, 12), 2)])
@pytest.mark.parametrize("fonts", [True, False])
def test_picture_of_odd_scans(rung, tmp_path, shape, k, fonts):
    (tmp_path / "fonts.conf").write_text('<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig/>')
    affine = ((-2.0, 0.0, 0.0, 10.0), (0.0, 2.5, 0.0, -4.0), (0.0, 0.5, 6.0, 0.0))
    nifti.Truth(shape=shape, affine=affine, volumes=20).write(tmp_path / "scan.nii")
    env = environment() if fonts else environment(FONTCONFIG_FILE=str(tmp_path / "fonts.conf"))
    done = rung("tfa", "scan.nii", "-k", str(k), "-o", "out", "-q", "--max-iter", "5", env=env)
    assert done.returncode == 0, done
    chunks((tmp_path / "out/factors.png").read_bytes())
    assert nifti.read(tmp_path / "out/factors.nii.gz")[1] == (*shape, k)


def test_says_what_it_runs_on_before_it_works(done):
    text = done.stdout.decode()
    assert text.startswith("platform cpu")
    for op in ("rbf_factors", "gemm_tn", "gemm_nt", "ridge_solve", "factor_gradient"):
        assert text.index(op) < text.index("voxels ")
    assert text.index("cuda") < text.index("voxels ") < text.index("fit R2")


def test_json(rung, scan, tmp_path):
    done = rung("tfa", "scan.nii.gz", "-k", "3", "-o", "out", "--json")
    out = strict_json(done.stdout)
    assert out["folder"] == "out" and out["fit"]["r2"] > 0.8
    assert b"platform" in done.stderr
    done = rung("tfa", "scan.nii.gz", "-k", "3", "-o", "out", "--json", "--quiet")
    assert strict_json(done.stdout) and done.stderr == b""


def test_stdout_that_cannot_be_written(rung, scan):
    with open("/dev/full", "wb") as full:
        done = rung("tfa", "scan.nii.gz", "-k", "3", "-o", "out", stdout=full)
    assert done.returncode == 1
    errors = [x for x in done.stderr.splitlines() if x.startswith(b"rung: ")]
    assert len(errors) == 1 and errors[0].startswith(b"rung: cannot write to standard output")


@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(binary, scan, tmp_path, closed):
    """No file gets the number of a closed stream, and with it what is meant for a person."""
    for options, expected in (("-q", 0), ("", 1 if ">&-" in closed.split() else 0)):
        script = f'exec "$0" tfa scan.nii.gz -k 3 -o out{expected} {options} {closed}'
        done = subprocess.run(["sh", "-c", script, binary], cwd=tmp_path, env=environment(), capture_output=True,
                              timeout=120, check=False)
        assert done.returncode == expected, done
        assert (b"rung: cannot write to standard output" in done.stderr) == (expected == 1 and "2>&-" not in closed)
    first, second = tree(tmp_path / "out0"), tree(tmp_path / "out1")
    assert sorted(first) == RESULTS and all(first[n] == second[n] for n in second if n != "report.json")
    assert first["factors.tsv"].startswith(b"factor\tx_mm") and first["factors.png"].startswith(b"\x89PNG")
    strict_json(first["report.json"])


def test_variant(rung, binary, scan, done, tmp_path):
    """The variant's kernel where an op has one, the default one where not; what is printed is what is called."""
    cells = json.loads(rung("matrix", "--json").stdout)["cells"]
    have = {c["op"] for c in cells if c["variant"] == "openblas" and c["available"]}
    if not have:
        out = rung("tfa", "scan.nii.gz", "-k", "3", "-o", "v", "--variant", "openblas")
        assert out.returncode == 3 and b"openblas" in out.stderr and out.stderr.count(b"\n") == 1
        pytest.skip("OpenBLAS is not built in")
    out = rung("tfa", "scan.nii.gz", "-k", "3", "-o", "v", "--variant", "openblas")
    assert out.returncode == 0, out
    kernels = {k["op"]: k for k in json.loads((tmp_path / "v/report.json").read_text())["kernels"]}
    printed = dict(line.split()[:2] for line in out.stdout.decode().splitlines() if "  kernels/" in line)
    assert set(kernels) == set(printed) == {"rbf_factors", "gemm_tn", "gemm_nt", "ridge_solve", "factor_gradient",
                                            "residual_energy"}
    for op, kernel in kernels.items():
        assert kernel["variant"] == ("openblas" if op in have else "default")
        assert printed[op] == "{device}/{arch}/{variant}".format(**kernel)
    for a, b in zip(table(tmp_path / "v/factors.tsv")[1], table(tmp_path / "out/factors.tsv")[1]):
        assert a == pytest.approx(b, rel=1e-4)


def test_help_tells_the_defaults(rung, done, tmp_path):
    options = json.loads((tmp_path / "out/report.json").read_text())["options"]
    text = " ".join(rung("tfa", "--help").stdout.decode().split())
    for name in "seed", "max-iter", "tol", "detrend", "ridge":
        value = text.rsplit(f"--{name}=", maxsplit=1)[1].split("(default ")[1].split(")")[0]
        assert float(value) == options[name.replace("-", "_")], name


def test_factors_at_a_bound(rung, tmp_path):
    """Sources in one voxel each: a width ends at its lower bound, and the reader is told."""
    values = [((v * 7 + t * 3 + v * t) % 13) * 0.01 + (t * t % 17 if v == 31 else t * t * t % 11 if v == 100 else 0)
              for t in range(20) for v in range(125)]
    nifti.write(tmp_path / "scan.nii", (5, 5, 5, 20), values)
    out = rung("tfa", "scan.nii", "-k", "2", "-o", "out")
    count = json.loads((tmp_path / "out/report.json").read_text())["fit"]["at_bound"]
    assert count >= 1 and b"factors at a bound of their centre or width: %d of 2" % count in out.stdout


def without_times(folder):
    files = tree(folder)
    report = json.loads(files["report.json"])
    report.pop("timing")
    return {**files, "report.json": report}


@pytest.mark.parametrize("env", [{"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8"}, {"LC_ALL": "de_DE.UTF-8"}, {"LANG": "de_DE"}])
def test_same_bytes(rung, done, tmp_path, env):
    again = rung("tfa", "scan.nii.gz", "-k", "3", "-o", "again", env=environment(**env))
    assert again.returncode == 0
    assert without_times(tmp_path / "again") == without_times(tmp_path / "out")


def test_threads_change_nothing(rung, done, tmp_path):
    for n in "1", "2", "3":
        assert rung("tfa", "scan.nii.gz", "-k", "3", "-o", n, "--threads", n, "-q").returncode == 0
        for name in "factors.tsv", "weights.tsv", "factors.nii.gz", "factors.png":
            assert (tmp_path / n / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_no_time_in_gzip(done, tmp_path):
    assert (tmp_path / "out/factors.nii.gz").read_bytes()[4:8] == b"\0\0\0\0"


def test_backends_agree(rung, scan, done, tmp_path):
    _, expected = table(tmp_path / "out/factors.tsv")
    for option, backend in (("--backend", "cpu/generic"), ("-p", "accel/sm90"), ("--platform", "accel/sm80")):
        assert rung("tfa", "scan.nii.gz", "-k", "3", "-o", "other", option, backend, "-q").returncode == 0
        report = json.loads((tmp_path / "other/report.json").read_text())
        assert report["platform"].startswith(backend)
        for a, b in zip(table(tmp_path / "other/factors.tsv")[1], expected):
            assert a == pytest.approx(b, rel=1e-4)


@pytest.mark.parametrize("backend", ["native", " Native "])
def test_native_is_what_is_chosen_unasked(rung, scan, done, tmp_path, backend):
    assert rung("tfa", "scan.nii.gz", "-k", "3", "-o", "other", "--backend", backend, "-q").returncode == 0
    assert (tmp_path / "other/factors.tsv").read_bytes() == (tmp_path / "out/factors.tsv").read_bytes()


def test_strange_names(rung, truth, tmp_path):
    name = b"a \xff\nb\x1b[31m\xc3\xa9.nii"
    with open(os.path.join(os.fsencode(tmp_path), name), "wb") as out:
        out.write(nifti.header(truth.dims) + nifti.body(truth.values))
    done = rung("tfa", name, "-k", "3", "-o", b"out \xfe", "--json")
    assert done.returncode == 0
    assert strict_json(done.stdout)["scan"]["path"] == "a \ufffd\nb\x1b[31m\u00e9.nii"
    done = rung("tfa", name, "-k", "3", "-o", b"out \xfe")
    assert b"\x1b" not in done.stdout + done.stderr


def test_default_folder(rung, truth, tmp_path):
    (tmp_path / "in").mkdir()
    for name, folder in (("in/x.nii.gz", "x-tfa"), ("in/y.NII", "y-tfa"), ("in/.nii", ".nii-tfa")):
        truth.write(tmp_path / name)
        done = rung("tfa", name, "-k", "3", "-q", "--max-iter", "1")
        assert done.returncode == 0, done
        assert sorted(os.listdir(tmp_path / folder)) == RESULTS
