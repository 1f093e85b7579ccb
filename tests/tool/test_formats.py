# SPDX-License-Identifier: Apache-2.0
"""The same numbers in any kind of NIfTI file give the same factors, bit for bit."""
import json
import math
import struct

import nifti
import pytest

REAL = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"]


def result(rung, tmp_path, scan, *more):
    done = rung("tfa", scan, "-k", "3", "-o", "out", "--threads", "1", "-q", *more)
    assert (done.returncode, done.stderr, done.stdout) == (0, b"", b"")
    return (tmp_path / "out/factors.tsv").read_bytes(), (tmp_path / "out/weights.tsv").read_bytes()


@pytest.fixture
def expected(rung, tmp_path, truth):
    truth.write(tmp_path / "plain.nii")
    return result(rung, tmp_path, "plain.nii")


@pytest.mark.parametrize("version, at, letter", [(1, 108, "<f"), (2, 168, "<q")])
def test_offset_that_was_not_filled_in(rung, tmp_path, truth, expected, version, at, letter):
    head = bytearray(nifti.header(truth.dims, version=version))
    struct.pack_into(letter, head, at, 0)
    nifti.save(tmp_path / "scan.nii", bytes(head) + nifti.body(truth.values))
    assert result(rung, tmp_path, "scan.nii") == expected


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("endian", ["<", ">"])
@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("name", ["scan.nii", "scan.nii.gz"])
def test_kinds(rung, tmp_path, truth, expected, dtype, endian, version, name):
    truth.write(tmp_path / name, dtype, endian=endian, version=version)
    assert result(rung, tmp_path, name) == expected
    assert nifti.read(tmp_path / "out/factors.nii.gz")[0] == version


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize("named", [".hdr", ".img"])
def test_pair(rung, tmp_path, truth, expected, version, ending, named):
    nifti.save(tmp_path / f"scan.hdr{ending}", nifti.header(truth.dims, "int16", version=version, pair=True))
    nifti.save(tmp_path / f"scan.img{ending}", nifti.body(truth.values, "int16"))
    assert result(rung, tmp_path, f"scan{named}{ending}") == expected


@pytest.mark.parametrize("dims", [(1,), (1, 1), (1, 1, 1)])
def test_trailing_ones(rung, tmp_path, truth, expected, dims):
    nifti.write(tmp_path / "scan.nii", (*truth.dims, *dims), truth.values)
    assert result(rung, tmp_path, "scan.nii") == expected


def test_scale_of_one_and_intercept(rung, tmp_path, truth, expected):
    truth.write(tmp_path / "scan.nii", "int16", slope=1.0, inter=100.0)
    assert result(rung, tmp_path, "scan.nii") == expected


def test_slope_of_zero_is_no_scaling(rung, tmp_path, truth, expected):
    truth.write(tmp_path / "scan.nii", "int16", slope=0.0, inter=7.0)
    assert result(rung, tmp_path, "scan.nii") == expected


def test_slope(rung, tmp_path, truth, expected):
    """A power of two changes no digit but the weights' scale."""
    truth.write(tmp_path / "scan.nii", "int16", slope=0.25, inter=-3.0)
    assert result(rung, tmp_path, "scan.nii")[0] == expected[0]


def test_nan_slope_is_no_scaling(rung, tmp_path, truth, expected):
    truth.write(tmp_path / "scan.nii", "int16", slope=float("nan"))
    assert result(rung, tmp_path, "scan.nii") == expected


def test_large_baseline(rung, tmp_path, truth, expected):
    """Small changes on a level that float32 could not hold with them."""
    nifti.write(tmp_path / "scan.nii", truth.dims, [v + 10**9 for v in truth.values], "int32")
    assert result(rung, tmp_path, "scan.nii") == expected


@pytest.mark.parametrize("units, factor", [(2, 1), (1, 1e-3), (3, 1e3), (0, 1)])
def test_units(rung, tmp_path, truth, expected, units, factor):
    affine = tuple(tuple(factor * x for x in row) for row in truth.affine)
    truth.write(tmp_path / "scan.nii", units=units, affine=affine)
    result(rung, tmp_path, "scan.nii")
    close(tmp_path, expected)


def table(data):
    return [[float(x) for x in line.split("\t")] for line in data.decode().splitlines()[1:]]


def close(tmp_path, expected):
    for a, b in zip(table((tmp_path / "out/factors.tsv").read_bytes()), table(expected[0])):
        assert a == pytest.approx(b, rel=1e-3, abs=1e-2)


def test_qform_and_voxel_sizes(rung, tmp_path, truth, expected):
    """No sform: the qform (here without rotation) or, without that, the voxel sizes place the voxels."""
    centers = [row[1:4] for row in table(expected[0])]
    for qform in (1, 0):
        truth.write(tmp_path / "scan.nii", sform=0, qform=qform)
        result(rung, tmp_path, "scan.nii")
        moved = [row[1:4] for row in table((tmp_path / "out/factors.tsv").read_bytes())]
        offsets = [r[3] for r in truth.affine]
        for a, b in zip(moved, centers):
            assert [x + o for x, o in zip(a, offsets)] == pytest.approx(b, abs=0.02)
        report = json.loads((tmp_path / "out/report.json").read_text())
        assert report["scan"]["affine_from"] == ("qform" if qform else "voxel sizes")


def test_oblique_affine(rung, tmp_path):
    c, s = math.cos(0.4), math.sin(0.4)
    affine = ((-3 * c, 3 * s, 0.0, 20.0), (3 * s, 3 * c, 0.0, -30.0), (0.0, 0.0, 3.0, 5.0))
    truth = nifti.Truth(affine=affine)
    truth.write(tmp_path / "scan.nii.gz")
    found = table(result(rung, tmp_path, "scan.nii.gz")[0])
    for center in truth.centers:
        assert min(math.dist(center, row[1:4]) for row in found) < 0.6
    _, dims, rows, _, _ = nifti.read(tmp_path / "out/factors.nii.gz")
    assert dims == (*truth.shape, 3)
    for a, b in zip(rows, affine):
        assert a == pytest.approx(b, abs=1e-5)


def test_voxels_left_out(rung, tmp_path, truth):
    values = [float(v) for v in truth.values]
    grid = math.prod(truth.shape)
    values[grid * 3 + 100] = float("nan")
    values[grid * 4 + 101] = float("inf")
    values[102] = float("-inf")
    for t in range(truth.volumes):
        values[grid * t + 103] = 5.0
    values[grid * 5 + 104] = 1e300  # more than the matrix can hold
    nifti.write(tmp_path / "scan.nii", truth.dims, values, "float64")
    done = rung("tfa", "scan.nii", "-k", "3", "-o", "out")
    assert done.returncode == 0
    assert f"{grid - 5} used; left out: 1 constant, 4 not finite".encode() in done.stdout
    voxels = json.loads((tmp_path / "out/report.json").read_text())["voxels"]
    assert voxels == {"grid": grid, "used": grid - 5, "outside_mask": 0, "constant": 1, "not_finite": 4}
    image = nifti.read(tmp_path / "out/factors.nii.gz")[3]
    for v in range(100, 105):
        assert all(image[k * grid + v] == 0 for k in range(3))
    assert all(image[v] > 0 for v in (99, 105))


@pytest.mark.parametrize("dtype", ["uint8", "float32", "int16"])
def test_mask(rung, tmp_path, truth, dtype):
    grid = math.prod(truth.shape)
    mask = [1 if v % 3 else 0 for v in range(grid)]
    truth.write(tmp_path / "scan.nii")
    nifti.write(tmp_path / "mask.nii.gz", truth.shape, mask, dtype, slope=2.0)
    result(rung, tmp_path, "scan.nii", "--mask", "mask.nii.gz")
    voxels = json.loads((tmp_path / "out/report.json").read_text())["voxels"]
    assert (voxels["used"], voxels["outside_mask"]) == (sum(mask), grid - sum(mask))
    image = nifti.read(tmp_path / "out/factors.nii.gz")[3]
    assert all((image[v] != 0) == bool(mask[v]) for v in range(grid))


def test_extensions_are_skipped(rung, tmp_path, truth, expected):
    head = bytearray(nifti.header(truth.dims))
    head[348] = 1
    head[108:112] = nifti.body([352.0 + 32], "float32")
    extension = (32).to_bytes(4, "little") + (6).to_bytes(4, "little") + b"a comment".ljust(24, b"\0")
    nifti.save(tmp_path / "scan.nii", bytes(head) + extension + nifti.body(truth.values))
    assert result(rung, tmp_path, "scan.nii") == expected
