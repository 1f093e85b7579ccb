# SPDX-License-Identifier: Apache-2.0
"""`rung htfa`: several scans, one template; what it writes, and what it refuses."""
import itertools
import json
import math
import os
import resource
import signal
import subprocess
import time

import nifti
import pytest
from conftest import RESULTS, environment, strict_json, tree
from test_outputs import chunks

TEMPLATE = ["report.json", "template.nii.gz", "template.png", "template.tsv"]
NAMES = ["a.nii.gz", "b.nii", "c.nii.gz"]
ARGS = ["htfa", *NAMES, "-k", "3", "-o", "out"]
CENTERS = [(-6.0, -7.0, -2.0), (6.0, -4.0, 4.0), (-2.0, 7.0, 1.0)]
TURNED = ((-2.9, 0.4, 0.0, 13.0), (0.4, 2.9, 0.0, -17.0), (0.0, 0.0, 3.2, -11.0))
SHIFTS = [(0.4, -0.2, 0.0), (-0.1, 0.4, -0.3), (-0.3, -0.2, 0.3)]


def table(path):
    lines = path.read_text().splitlines()
    return lines[0].split("\t"), [[math.nan if x == "n/a" else float(x) for x in line.split("\t")]
                                  for line in lines[1:]]


@pytest.fixture(scope="session")
def subjects():
    """Three subjects: factors a little apart and in another order, grids and orientations of their own."""
    how = [{"shape": (9, 10, 8), "volumes": 24}, {"shape": (10, 11, 8), "volumes": 30, "affine": TURNED},
           {"shape": (10, 10, 9), "volumes": 20}]
    orders = [(0, 1, 2), (2, 0, 1), (1, 2, 0)]
    return [nifti.Truth(seed=i + 1, order=orders[i], **how[i],
                        centers=[tuple(c + s for c, s in zip(center, SHIFTS[i])) for center in CENTERS])
            for i in range(3)]


@pytest.fixture
def scans(subjects, tmp_path):
    for name, truth in zip(NAMES, subjects):
        truth.write(tmp_path / name)
    return NAMES


@pytest.fixture
def done(rung, scans):
    out = rung(*ARGS)
    assert out.returncode == 0, out
    return out


def test_files(done, tmp_path):
    assert sorted(os.listdir(tmp_path)) == sorted([*NAMES, "out"])
    assert sorted(os.listdir(tmp_path / "out")) == ["a", "b", "c", *TEMPLATE]
    for name in "abc":
        assert sorted(os.listdir(tmp_path / "out" / name)) == RESULTS
    chunks((tmp_path / "out/template.png").read_bytes())


def test_template(done, tmp_path, subjects):
    head, rows = table(tmp_path / "out/template.tsv")
    assert head == ["factor", "x_mm", "y_mm", "z_mm", "width_mm", "center_spread_mm", "width_spread_mm",
                    "center_error_mm", "width_error_mm"]
    nearest = [min(range(3), key=lambda k, r=row: math.dist(CENTERS[k], r[1:4])) for row in rows]
    assert sorted(nearest) == [0, 1, 2]
    for row, k in zip(rows, nearest):
        assert math.dist(row[1:4], CENTERS[k]) < 0.3 and abs(row[4] - (4.5, 5.4, 4.95)[k]) < 0.3
        assert 0 < row[5] < 1 and 0 <= row[6] < 1 and 0 < row[7] < 0.5 and 0 < row[8] < 0.5
    for name, truth in zip("abc", subjects):  # every subject's factors, in the template's order
        _, own = table(tmp_path / "out" / name / "factors.tsv")
        for row, k in zip(own, nearest):
            center = min(truth.centers, key=lambda c, t=CENTERS[k]: math.dist(c, t))
            assert math.dist(row[1:4], center) < 0.4


def test_image_of_the_template(done, tmp_path, subjects):
    version, dims, rows, values, _ = nifti.read(tmp_path / "out/template.nii.gz")
    assert (version, dims) == (1, (*subjects[0].shape, 3))
    _, factors = table(tmp_path / "out/template.tsv")
    size = math.prod(subjects[0].shape)
    for k, row in enumerate(factors):
        at = max(range(size), key=lambda v, k=k: values[k * size + v])
        ijk = at % 9, at // 9 % 10, at // 90
        r = [sum(a * b for a, b in zip(line, ijk)) + line[3] for line in rows]
        assert math.dist(r, row[1:4]) < 3
        assert values[k * size + at] == pytest.approx(math.exp(-math.dist(r, row[1:4]) ** 2 / (2 * row[4] ** 2)),
                                                      rel=1e-5)


def test_report(done, tmp_path, subjects):
    report = strict_json((tmp_path / "out/report.json").read_bytes())
    assert [s["scan"]["path"] for s in report["subjects"]] == NAMES
    assert [s["folder"] for s in report["subjects"]] == ["a", "b", "c"]
    assert [s["scan"]["shape"] for s in report["subjects"]] == [list(t.dims) for t in subjects]
    assert all(0.8 < s["fit"]["r2"] <= 1 and s["fit"]["converged"] and s["noise"] > 0 for s in report["subjects"])
    assert report["template"]["converged"] is True and report["template"]["rounds"] >= 1
    assert len(report["template"]["factors"]) == 3
    for factor in report["template"]["factors"]:
        assert sum(factor["shares"]) == pytest.approx(1) and len(factor["shares"]) == 3
        assert all(0 <= share <= 1 for share in factor["shares"])
    assert report["options"]["rounds"] == 30 and report["options"]["template_tol"] == 1e-4
    assert report["platform"] and report["kernels"] and report["timing"]["peak_rss_bytes"] > 0
    for name in "abc":
        own = strict_json((tmp_path / "out" / name / "report.json").read_bytes())
        assert own["scan"]["path"].startswith(name) and len(own["fit"]["factors"]) == 3


def test_json(rung, scans):
    done = rung(*ARGS, "--json", "--quiet")
    assert done.returncode == 0 and done.stderr == b""
    assert strict_json(done.stdout)["folder"] == "out"


def test_says_what_it_does(done):
    text = done.stdout.decode()
    assert text.index("platform cpu") < text.index("rbf_factors") < text.index("scan a.nii.gz")
    assert text.index("scan c.nii.gz") < text.index("fit of a: R2 0.") < text.index("template after")
    assert b"fitting: " in done.stderr and b"template: round 1" in done.stderr


def test_quiet(rung, scans):
    done = rung(*ARGS, "-q")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_help_tells_the_defaults(rung, done, tmp_path):
    options = json.loads((tmp_path / "out/report.json").read_text())["options"]
    text = " ".join(rung("htfa", "--help").stdout.decode().split())
    for name in "seed", "max-iter", "tol", "detrend", "ridge", "rounds", "template-tol":
        value = text.rsplit(f"--{name}=", maxsplit=1)[1].split("(default ")[1].split(")")[0]
        assert float(value) == options[name.replace("-", "_")], name


def without_times(folder):
    files = tree(folder)
    for name in files:
        if name.endswith("report.json"):
            report = json.loads(files[name])
            for key in "timing", "options":
                report.pop(key)
            files[name] = report
    return files


def test_same_bytes(rung, done, tmp_path):
    for n in "1", "2", "3":
        assert rung(*ARGS[:-1], n, "--threads", n, "-q").returncode == 0
        assert without_times(tmp_path / n) == without_times(tmp_path / "out")


@pytest.mark.parametrize("order", list(itertools.permutations(NAMES))[1:], ids="".join)
def test_order_of_the_scans(rung, done, tmp_path, order):
    assert rung("htfa", *order, "-k", "3", "-o", "other", "-q").returncode == 0
    assert (tmp_path / "other/template.tsv").read_bytes() == (tmp_path / "out/template.tsv").read_bytes()
    for name in "abc":
        for file in "factors.tsv", "weights.tsv", "factors.nii.gz", "factors.png":
            assert (tmp_path / "other" / name / file).read_bytes() == (tmp_path / "out" / name / file).read_bytes()


def test_one_scan_is_tfa(rung, scans, tmp_path):
    assert rung("htfa", "a.nii.gz", "-k", "3", "-q").returncode == 0
    assert rung("tfa", "a.nii.gz", "-k", "3", "-q").returncode == 0
    for name in "factors.tsv", "weights.tsv", "factors.nii.gz", "factors.png":
        assert (tmp_path / "htfa/a" / name).read_bytes() == (tmp_path / "a-tfa" / name).read_bytes()
    _, rows = table(tmp_path / "htfa/template.tsv")
    _, own = table(tmp_path / "htfa/a/factors.tsv")
    assert [row[:5] for row in rows] == [row[:5] for row in own]
    assert all(math.isnan(row[5]) and math.isnan(row[6]) and row[7] > 0 for row in rows)
    strict_json((tmp_path / "htfa/report.json").read_bytes())


def test_names_of_folders(rung, subjects, tmp_path):
    """Scans of one name, names of results, and names that cannot be those of folders."""
    names = ["x/s.nii", "y/s.nii.gz", "y/S-2.nii", "template.tsv.nii", "x/.nii", "y/..nii", "y/...nii"]
    folders = ["s", "s-2", "S-2-2", "template.tsv-2", "scan.nii", "scan.", "scan.."]
    for i, name in enumerate(names):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        subjects[i % 3].write(tmp_path / name)
    done = rung("htfa", *names, "-k", "3", "-o", "out", "-q", "--rounds", "1")
    assert done.returncode == 0, done
    assert sorted(os.listdir(tmp_path / "out")) == sorted([*folders, *TEMPLATE])
    report = json.loads((tmp_path / "out/report.json").read_text())
    assert [s["folder"] for s in report["subjects"]] == folders


def test_masks(rung, scans, subjects, tmp_path):
    for name, truth in zip("abc", subjects):
        nifti.write(tmp_path / f"{name}-mask.nii", truth.shape, [1] * 90 + [0] + [1] * (math.prod(truth.shape) - 91),
                    "uint8", affine=truth.affine)
    done = rung(*ARGS, "-m", "a-mask.nii", "-m", "b-mask.nii", "-m", "c-mask.nii", "-q")
    assert (done.returncode, done.stderr) == (0, b"")
    report = json.loads((tmp_path / "out/report.json").read_text())
    assert [s["voxels"]["outside_mask"] for s in report["subjects"]] == [1, 1, 1]
    assert [s["scan"]["mask"] for s in report["subjects"]] == ["a-mask.nii", "b-mask.nii", "c-mask.nii"]
    subjects[0].write(tmp_path / "d.nii")
    done = rung("htfa", "a.nii.gz", "d.nii", "-k", "3", "-m", "a-mask.nii", "-o", "one", "-q")
    assert done.returncode == 0, done


def test_results_are_replaced(rung, scans, tmp_path):
    (tmp_path / "out/b").mkdir(parents=True)
    for name in "template.tsv", "b/factors.tsv", "mine.txt", "b/mine.txt":
        (tmp_path / "out" / name).write_text("older")
    assert rung(*ARGS, "-q").returncode == 0
    assert sorted(os.listdir(tmp_path / "out")) == sorted(["a", "b", "c", "mine.txt", *TEMPLATE])
    assert sorted(os.listdir(tmp_path / "out/b")) == sorted([*RESULTS, "mine.txt"])
    for name in "template.tsv", "b/factors.tsv":
        assert (tmp_path / "out" / name).read_text() != "older"
    for name in "mine.txt", "b/mine.txt":
        assert (tmp_path / "out" / name).read_text() == "older"


class TestRefused:
    @pytest.mark.parametrize("more, text", [
        (["-k", "0"], "-k"), (["--rounds", "0"], "--rounds"), (["--rounds", "x"], "'x'"),
        (["--template-tol", "0"], "--template-tol"), (["--template-tol", "nan"], "nan"), (["--tol", "-1"], "--tol"),
        (["-o", ""], "-o"), (["--nonesuch"], "--nonesuch"), (["--variant", "nonesuch"], "nonesuch"),
        (["-m", "a.nii", "-m", "b.nii"], "2 masks for 3 scans"),
    ])
    def test_options(self, refused, scans, more, text):
        refused(*ARGS, *more, code=2, text=text)

    def test_no_scan(self, refused):
        refused("htfa", code=2, text="SCAN")

    def test_only_htfa_has_rounds(self, refused, scans):
        refused("tfa", "a.nii.gz", "--rounds", "3", code=2, text="--rounds")

    def test_framework(self, refused, scans):
        refused(*ARGS, "--backend", "jax", code=3, text="Python")

    @pytest.mark.parametrize("again", ["a.nii.gz", "./a.nii.gz", "link.nii.gz", "hard.nii.gz"])
    def test_a_scan_twice(self, refused, scans, tmp_path, again):
        os.symlink("a.nii.gz", tmp_path / "link.nii.gz")
        os.link(tmp_path / "a.nii.gz", tmp_path / "hard.nii.gz")
        refused(*ARGS, again, code=1, text=f"a.nii.gz and {again} are the same scan")

    def test_both_files_of_a_pair(self, refused, subjects, tmp_path):
        truth = subjects[0]
        nifti.save(tmp_path / "s.hdr", nifti.header(truth.dims, pair=True))
        nifti.save(tmp_path / "s.img", nifti.body(truth.values))
        refused("htfa", "s.hdr", "s.img", "-k", "3", "-o", "out", code=1, text="the same scan")

    @pytest.mark.parametrize("which", NAMES)
    def test_missing(self, refused, scans, tmp_path, which):
        os.remove(tmp_path / which)
        refused(*ARGS, code=1, text=f"cannot read {which}")

    @pytest.mark.parametrize("which", NAMES)
    def test_not_nifti(self, refused, scans, tmp_path, which):
        (tmp_path / which).write_bytes(b"not a scan" * 100)
        refused(*ARGS, code=1, text=f"{which} is not a NIfTI")

    @pytest.mark.parametrize("which", ["b.nii"])
    def test_cut_short(self, refused, scans, tmp_path, which):
        os.truncate(tmp_path / which, (tmp_path / which).stat().st_size // 2)
        refused(*ARGS, code=1, text=f"{which} is cut short")

    def test_damaged(self, refused, scans, tmp_path):
        data = bytearray((tmp_path / "c.nii.gz").read_bytes())
        data[-6] ^= 1
        (tmp_path / "c.nii.gz").write_bytes(data)
        refused(*ARGS, code=1, text="c.nii.gz is damaged")

    @pytest.mark.parametrize("which", NAMES)
    def test_too_few_voxels(self, refused, scans, tmp_path, which):
        values = [5] * 64 * 10
        for t in range(10):
            values[64 * t + 7] = values[64 * t + 9] = t
        nifti.write(tmp_path / which, (4, 4, 4, 10), values)
        refused(*ARGS, code=1, text=f"{which} has 2 usable voxels")

    def test_too_few_volumes(self, refused, scans, tmp_path, subjects):
        nifti.write(tmp_path / "b.nii", (4, 4, 4, 3), range(192))
        refused(*ARGS, "--detrend", "2", code=1, text="b.nii has 3 volumes")

    def test_what_the_fit_refuses(self, refused, scans, tmp_path):
        """A trend is all there is: known only once it is taken out. The line names the scan."""
        nifti.write(tmp_path / "b.nii", (4, 4, 4, 10), [v * t for t in range(10) for v in range(1, 65)])
        refused(*ARGS, code=1, text="b.nii: the scan does not vary")

    def test_mask_of_another_shape(self, refused, scans, subjects, tmp_path):
        nifti.write(tmp_path / "m.nii", subjects[0].shape, [1] * math.prod(subjects[0].shape), "uint8")
        refused(*ARGS, "-m", "m.nii", code=1, text="the mask m.nii is 9 x 10 x 8")

    @pytest.mark.parametrize("place", ["out/template.nii.gz", "out/c/factors.nii.gz"])
    def test_results_would_replace_an_input(self, refused, scans, tmp_path, place):
        (tmp_path / place).parent.mkdir(parents=True)
        os.rename(tmp_path / "b.nii", tmp_path / "x.nii")
        os.link(tmp_path / "a.nii.gz", tmp_path / place)
        refused("htfa", "c.nii.gz", place, "-k", "3", "-o", "out", code=1, text=f"replace {place}")

    @pytest.mark.parametrize("place", ["b", "b/factors.png", "template.png"])
    def test_something_in_the_way(self, refused, scans, tmp_path, place):
        """A file where a folder is wanted, or a folder where a file is: what was moved already goes back."""
        if place == "b":
            (tmp_path / "out").mkdir()
            (tmp_path / "out/b").write_text("mine")
        else:
            (tmp_path / "out" / place / "full").mkdir(parents=True)
        (tmp_path / "out/template.tsv").write_text("older")
        refused(*ARGS, code=1, text="cannot write")

    @pytest.mark.parametrize("size", [0, 300, 2000, 12000])
    def test_no_space(self, refused, scans, size):
        refused(*ARGS, code=1, text="cannot write",
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))


@pytest.mark.parametrize("exists", [False, True])
def test_signals(binary, tmp_path, exists):
    for name, seed in (("one.nii", 1), ("two.nii", 2)):
        nifti.Truth(shape=(20, 22, 18), volumes=60, seed=seed).write(tmp_path / name)
    if exists:
        (tmp_path / "out/one").mkdir(parents=True)
        (tmp_path / "out/one/factors.tsv").write_text("older")
    before = tree(tmp_path)
    job = subprocess.Popen([binary, "htfa", "one.nii", "two.nii", "-k", "60", "--tol", "1e-300", "--max-iter",
                            "1000000", "-o", "out"], cwd=tmp_path, env=environment(), stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)
    while job.poll() is None and not list(tmp_path.rglob(".rung-*")):
        time.sleep(0.001)
    job.send_signal(signal.SIGTERM)
    _, err = job.communicate(timeout=60)
    assert job.returncode == -signal.SIGTERM
    assert err.splitlines()[-1] == b"rung: interrupted; nothing was written"
    assert tree(tmp_path) == before
