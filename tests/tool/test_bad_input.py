# SPDX-License-Identifier: Apache-2.0
"""Every bad input gives one line, an exit code, and no file."""
import gzip
import os
import shutil
import struct

import nifti
import pytest
from conftest import environment


def args(*more):
    return ["tfa", "scan.nii", "-k", "2", "-o", "out", *more]


@pytest.fixture
def good(truth, tmp_path):
    return truth.write(tmp_path / "scan.nii")


@pytest.mark.parametrize("more, text", [
    (["-k", "0"], "-k"), (["-k", "-3"], "-k"), (["-k", "x"], "'x'"), (["-k", "2.5"], "'2.5'"), (["-k", ""], "''"),
    (["-k", "99999999999999999999"], "range"),
    (["--seed", "-1"], "--seed"), (["--seed", "abc"], "abc"),
    (["--max-iter", "0"], "--max-iter"), (["--max-iter", "-5"], "--max-iter"), (["--tol", "nan"], "nan"),
    (["--tol", "-1"], "--tol"), (["--tol", "0"], "--tol"), (["--tol", "1e999"], "--tol"), (["--tol", "1,5"], "1,5"),
    (["--detrend", "9"], "--detrend"),
    (["--threads", "0"], "--threads"), (["--threads", "many"], "many"), (["--ridge", "-1"], "--ridge"),
    (["--variant", "nonesuch"], "nonesuch"), (["--nonesuch"], "--nonesuch"), (["extra.nii"], "extra.nii"),
    (["-o", ""], "-o"), (["-k"], "-k"),
])
def test_options(refused, good, more, text):
    refused(*args(*more), code=2, text=text)


def test_no_scan(refused):
    refused("tfa", code=2, text="SCAN")


@pytest.mark.parametrize("backend", ["jax", "JAX", " PyTorch", "torch", "numpy"])
def test_frameworks(refused, good, backend):
    refused(*args("--backend", backend), code=3, text="Python")


def test_a_framework_that_is_there(refused, good, tmp_path_factory):
    prefix = tmp_path_factory.mktemp("env")
    site = prefix / "lib/python3.11/site-packages"
    (site / "numpy-1.26.4.dist-info").mkdir(parents=True)
    (site / "numpy-1.26.4.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 1.26.4\n\n")
    (site / "numpy").mkdir()
    (site / "numpy/__init__.py").write_text("")
    (site / "numpy/version.py").write_text("version = '1.26.4'\n")
    (prefix / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.2\n")
    (prefix / "bin").mkdir()
    (prefix / "bin/python3").write_text("")
    (prefix / "bin/python3").chmod(0o755)
    env = environment(VIRTUAL_ENV=str(prefix), RUNG_SKIP="all")
    refused(*args("--backend", "numpy"), code=3, text="is there (NumPy", env=env)


@pytest.mark.parametrize("backend, code", [("cuda", 3), ("cuda/sm90", 3), ("nonesuch", 2), ("cpu/nonesuch", 2)])
def test_backends(refused, good, backend, code):
    done = refused(*args("--backend", backend), code=code, text=backend.split("/")[-1])
    assert b"--inspect" not in done.stderr  # which that command has not


def test_missing_file(refused):
    refused(*args(), code=1, text="No such file")


def test_folder(refused, tmp_path):
    (tmp_path / "scan.nii").mkdir()
    refused(*args(), code=1, text="folder")


def test_fifo(refused, tmp_path):
    os.mkfifo(tmp_path / "scan.nii")
    refused(*args(), code=1, text="pipe")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable(refused, good):
    os.chmod(good, 0)
    refused(*args(), code=1, text="Permission denied")


@pytest.mark.parametrize("data", [b"", b"x", b"not a scan at all" * 100, bytes(400), b"\xff" * 5000])
@pytest.mark.parametrize("name", ["scan.nii", "scan.nii.gz", "scan.txt"])
def test_not_nifti(refused, tmp_path, data, name):
    (tmp_path / name).write_bytes(data)
    refused("tfa", name, "-k", "2", "-o", "out", code=1, text="not a NIfTI")


def test_gzip_under_the_wrong_name(refused, tmp_path, truth):
    truth.write(tmp_path / "x.nii.gz")
    shutil.move(tmp_path / "x.nii.gz", tmp_path / "scan.nii")
    refused(*args(), code=1, text="not a NIfTI")


@pytest.mark.parametrize("keep", [0.999, 0.5, 0.05])
@pytest.mark.parametrize("version", [1, 2])
def test_cut_short(refused, tmp_path, truth, keep, version):
    path = truth.write(tmp_path / "scan.nii", version=version)
    os.truncate(path, int(path.stat().st_size * keep))
    refused(*args(), code=1, text="cut short")


@pytest.mark.parametrize("cut", [1, 4, 8, 9, 100, 0.5, 0.02])
def test_gzip_cut_short(refused, tmp_path, truth, cut):
    path = truth.write(tmp_path / "scan.nii.gz")
    size = path.stat().st_size
    os.truncate(path, size - cut if cut >= 1 else int(size * cut))
    refused("tfa", "scan.nii.gz", "-k", "2", "-o", "out", code=1, text="scan.nii.gz")


@pytest.mark.parametrize("at", [-5, -1, "middle"])
def test_gzip_damaged(refused, tmp_path, truth, at):
    path = truth.write(tmp_path / "scan.nii.gz")
    data = bytearray(path.read_bytes())
    at = len(data) // 2 if at == "middle" else at
    data[at] ^= 0x55
    path.write_bytes(data)
    refused("tfa", "scan.nii.gz", "-k", "2", "-o", "out", code=1, text="scan.nii.gz")


@pytest.mark.parametrize("dims, text", [
    ((9, 10, 8), "single volume"), ((9, 10, 8, 1), "single volume"), ((9, 10), "single volume"),
    ((9, 10, 4, 2, 12), "dimensions"), ((9, 10, 8, 2, 1, 12), "dimensions"),
    ((9, -10, 8, 24), "not positive"), ((9, 10, 8, 0), "not positive"), ((9, 10, 8, -24), "not positive"),
    ((32767, 32767, 32767, 32767), ""), ((9, 10, 8, 32767), "cut short"),
])
@pytest.mark.parametrize("name", ["scan.nii", "scan.nii.gz"])
def test_dimensions(refused, tmp_path, dims, text, name):
    nifti.save(tmp_path / name, nifti.header(dims) + nifti.body(range(9 * 10 * 8 * 24)))
    refused("tfa", name, "-k", "2", "-o", "out", code=1, text=text)


@pytest.mark.parametrize("dims", [(2**40, 2**40, 2, 2), (2**62, 4, 4, 2), (10, 10, 10, 2**60), (2**31, 2**31, 2, 2)])
def test_absurd_nifti2(refused, tmp_path, dims):
    nifti.save(tmp_path / "scan.nii", nifti.header(dims, version=2) + bytes(5000))
    refused(*args(), code=1)


@pytest.mark.parametrize("dim0", [0, 8, -1, 30000])
def test_number_of_dimensions(refused, tmp_path, truth, dim0):
    nifti.save(tmp_path / "scan.nii", nifti.header(truth.dims, dim0=dim0) + nifti.body(truth.values))
    refused(*args(), code=1, text="scan.nii")


@pytest.mark.parametrize("dtype", ["complex64", "rgb24", "float128"])
def test_types(refused, tmp_path, dtype):
    nifti.save(tmp_path / "scan.nii", nifti.header((4, 4, 4, 5), dtype) + bytes(4 * 4 * 4 * 5 * 16))
    refused(*args(), code=1, text="real numbers")


def test_unknown_type(refused, tmp_path):
    head = bytearray(nifti.header((4, 4, 4, 5)))
    struct.pack_into("<hh", head, 70, 77, 32)
    nifti.save(tmp_path / "scan.nii", bytes(head) + bytes(4 * 4 * 4 * 5 * 4))
    refused(*args(), code=1, text="scan.nii")


@pytest.mark.parametrize("affine", [((0.0,) * 4,) * 3, ((3.0, 3.0, 0, 0), (3.0, 3.0, 0, 0), (0, 0, 3.0, 0)),
                                    ((float("nan"), 0, 0, 0), (0, 3.0, 0, 0), (0, 0, 3.0, 0)),
                                    ((3.0, 0, 0, float("inf")), (0, 3.0, 0, 0), (0, 0, 3.0, 0))])
def test_affine(refused, tmp_path, truth, affine):
    truth.write(tmp_path / "scan.nii", affine=affine)
    refused(*args(), code=1, text="orientation")


@pytest.mark.parametrize("affine", [((3.0, 0, 0, 1e30), (0, 3.0, 0, 0), (0, 0, 3.0, 0)),
                                    ((1e-6, 0, 0, 0), (0, 1e-6, 0, 0), (0, 0, 1e6, 0))])
def test_voxels_too_far_out(refused, tmp_path, truth, affine):
    truth.write(tmp_path / "scan.nii", affine=affine)
    refused(*args(), code=1, text="sform")


@pytest.mark.parametrize("offset", [1.0, 348.0, 351.0, -8.0, 1e30, float("nan")])
def test_data_inside_the_header(refused, tmp_path, truth, offset):
    head = bytearray(nifti.header(truth.dims))
    struct.pack_into("<f", head, 108, offset)
    nifti.save(tmp_path / "scan.nii", bytes(head) + nifti.body(truth.values))
    refused(*args(), code=1, text="data begin")


def test_voxel_sizes_that_were_replaced_are_a_warning(rung, tmp_path, truth):
    truth.write(tmp_path / "scan.nii", sform=0, qform=1, pixdim=(3.0, 3.0, -3.0))
    done = rung(*args())
    assert done.returncode == 0 and b"rung: warning: scan.nii: a voxel size of -3 " in done.stderr
    truth.write(tmp_path / "scan.nii", sform=0, qform=1, units=3)
    assert b"warning" not in rung(*args()).stderr


def test_too_few_voxels(refused, tmp_path):
    values = [5] * 64 * 10
    for t in range(10):
        values[64 * t + 7] = values[64 * t + 9] = t
    nifti.write(tmp_path / "scan.nii", (4, 4, 4, 10), values)
    refused("tfa", "scan.nii", "-k", "3", "-o", "out", code=1, text="2 usable voxels")


@pytest.mark.parametrize("value", [0.0, float("nan")])
def test_nothing_in_it(refused, tmp_path, value):
    nifti.write(tmp_path / "scan.nii", (4, 4, 4, 10), [value] * 640)
    refused(*args(), code=1, text="0 usable voxels")


class TestMask:
    def mask(self, tmp_path, dims=(9, 10, 8), value=1, **how):
        count = 1
        for d in dims:
            count *= d
        nifti.write(tmp_path / "mask.nii", dims, [value] * count, "uint8", **how)

    def test_shape(self, refused, good, tmp_path):
        self.mask(tmp_path, (10, 9, 8))
        refused(*args("--mask", "mask.nii"), code=1, text="10 x 9 x 8")

    def test_four_dimensions(self, refused, good, tmp_path):
        self.mask(tmp_path, (9, 10, 8, 2))
        refused(*args("--mask", "mask.nii"), code=1, text="mask")

    def test_empty(self, refused, good, tmp_path):
        self.mask(tmp_path, value=0)
        refused(*args("--mask", "mask.nii"), code=1, text="empty")

    def test_missing(self, refused, good):
        refused(*args("--mask", "mask.nii"), code=1, text="mask.nii")

    def test_cut_short(self, refused, good, tmp_path):
        self.mask(tmp_path)
        os.truncate(tmp_path / "mask.nii", 500)
        refused(*args("--mask", "mask.nii"), code=1, text="cut short")

    def test_elsewhere_is_a_warning(self, rung, good, tmp_path):
        self.mask(tmp_path, affine=((3.0, 0, 0, 90.0), (0, 3.0, 0, 0), (0, 0, 3.0, 0)))
        done = rung(*args("--mask", "mask.nii"))
        assert done.returncode == 0 and b"rung: warning: the mask" in done.stderr
        assert rung(*args("--mask", "mask.nii", "-q")).stderr == b""


def test_pair_without_image(refused, tmp_path, truth):
    nifti.save(tmp_path / "scan.hdr", nifti.header(truth.dims, pair=True))
    refused("tfa", "scan.hdr", "-k", "2", "-o", "out", code=1, text="scan.hdr")


def test_small_bomb(refused, tmp_path):
    """A header that announces more than memory holds, in a small file that could hold it only by a lie."""
    head = nifti.header((30000, 30000, 30000, 2))
    with gzip.open(tmp_path / "scan.nii.gz", "wb") as out:
        out.write(head)
        out.write(bytes(1 << 20))
    refused("tfa", "scan.nii.gz", "-k", "2", "-o", "out", code=1, text="cut short")
