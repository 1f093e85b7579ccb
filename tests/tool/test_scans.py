# SPDX-License-Identifier: Apache-2.0
"""Real functional images, and scans with known factors that may lie beside the checkout: run where they are.

The real ones are those of Debian's python3-nitime and python3-nibabel. The known ones are looked for in
../shared/data/tfa (or $RUNG_TFA_DATA): htfa_sub-*_bold.nii.gz with htfa_truth.json, and make_scan.py (needs NumPy).
"""
import csv
import itertools
import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = pathlib.Path("/usr/lib/python3/dist-packages")
REAL = [PACKAGES / "nitime/data/fmri1.nii.gz", PACKAGES / "nibabel/tests/data/functional.nii"]
KNOWN = pathlib.Path(os.environ.get("RUNG_TFA_DATA", ROOT.parent / "shared/data/tfa"))
LEVELS = ["cpu/x86-64-v4", "cpu/x86-64-v3", "cpu/neon", "cpu/generic", "accel/sm90"]


def table(path):
    with open(path, encoding="ascii") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    return [[float(value) for value in row] for row in rows[1:]]


def fit(rung, scan, folder, *more):
    done = rung("tfa", str(scan), "-o", folder, "--quiet", *more)
    if done.returncode == 3:
        return None  # a level that this machine is not
    assert done.returncode == 0, done
    return folder


def close(a, b, relative, columns):
    """Every number within `relative` of the other, or of the largest of its column."""
    for column in columns:
        largest = max(abs(row[column]) for row in a)
        for x, y in zip(a, b):
            assert abs(x[column] - y[column]) <= relative * max(abs(x[column]), 1e-3 * largest), (column, x, y)


@pytest.mark.parametrize("scan", REAL, ids=lambda path: path.name)
def test_real(rung, tmp_path, scan):
    if not scan.exists():
        pytest.skip(f"unproven: {scan} is missing (Debian: python3-nitime, python3-nibabel)")
    fit(rung, scan, "first", "-k", "10")
    fit(rung, scan, "again", "-k", "10")
    for name in ("factors.tsv", "weights.tsv", "factors.nii.gz", "factors.png"):
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "again" / name).read_bytes(), name
    report = json.loads((tmp_path / "first/report.json").read_text())
    assert 0 < report["fit"]["r2"] < 1

    factors, weights = table(tmp_path / "first/factors.tsv"), table(tmp_path / "first/weights.tsv")
    assert len(factors) == 10
    assert all(abs(value) < 1e9 for row in factors + weights for value in row), "finite"
    proven = []
    for level in LEVELS:
        folder = fit(rung, scan, level.replace("/", "-"), "-k", "10", "--backend", level)
        if folder:
            close(factors, table(tmp_path / folder / "factors.tsv"), 1e-4, range(1, 5))
            close(weights, table(tmp_path / folder / "weights.tsv"), 1e-4, range(10))
            proven.append(level)
    assert "cpu/generic" in proven and "accel/sm90" in proven
    print("agree to 1e-4:", ", ".join(proven))


def table_with_gaps(path):
    """n/a, where there is no number, is None."""
    with open(path, encoding="ascii") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    return [[None if value == "n/a" else float(value) for value in row] for row in rows[1:]]


def errors(folder, truth, name="factors.tsv"):
    """Distances of the centres to the true ones, in mm, for the assignment with the least sum."""
    found = [row[1:4] for row in table_with_gaps(folder / name)]
    distance = [[sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5 for b in truth] for a in found]
    if len(found) <= 6:
        orders = itertools.permutations(range(len(truth)))
        best = min(orders, key=lambda order: sum(distance[i][j] for i, j in enumerate(order)))
        return [distance[i][j] for i, j in enumerate(best)]
    free = set(range(len(truth)))  # far apart beside their errors: each one's nearest is its own
    result = []
    for row in distance:
        j = min(free, key=lambda j: row[j])
        free.remove(j)
        result.append(row[j])
    return result


@pytest.mark.parametrize("subject", ["01", "02", "03"])
def test_htfa_subjects(rung, tmp_path, subject):
    scan = KNOWN / f"htfa_sub-{subject}_bold.nii.gz"
    if not scan.exists():
        pytest.skip(f"not run: {scan.name} is not beside this checkout")
    fit(rung, scan, "out", "-k", "4")
    e = errors(tmp_path / "out", json.loads((KNOWN / "htfa_truth.json").read_text())["centers_mm"])
    assert sum(e) / len(e) <= 0.05 and max(e) <= 0.1, e


def test_htfa_template(rung, tmp_path):
    """Three subjects with the same factors. More of them bring the template nearer, to within its standard error."""
    scans = sorted(KNOWN.glob("htfa_sub-*_bold.nii.gz"))
    if len(scans) != 3:
        pytest.skip("not run: the scans htfa_sub-*_bold.nii.gz are not beside this checkout")
    truth = json.loads((KNOWN / "htfa_truth.json").read_text())["centers_mm"]
    mean, worst, standard = {}, {}, {}
    for count in 1, 2, 3:
        for some in itertools.combinations(range(3), count):
            folder = "out" + "".join(map(str, some))
            done = rung("htfa", *(str(scans[i]) for i in some), "-k", "4", "-o", folder, "--quiet")
            assert done.returncode == 0, done
            e = errors(tmp_path / folder, truth, "template.tsv")
            mean[some], worst[some] = sum(e) / len(e), max(e)
            standard[some] = 3 ** 0.5 * max(row[7] for row in table_with_gaps(tmp_path / folder / "template.tsv"))
            print("scans", some, "mean", mean[some], "worst", worst[some], "standard error", standard[some])
            if count > 1:
                assert mean[some] <= 0.025 and worst[some] <= 0.05
    everyone = 0, 1, 2
    assert mean[everyone] <= 0.02 and worst[everyone] <= 0.03
    for some in mean:
        assert mean[everyone] <= mean[some] + 0.5 * standard[everyone]
        assert worst[everyone] <= worst[some] + standard[everyone]
    assert mean[everyone] < min(mean[i,] for i in range(3))


SCANS = [
    # K, seed, mean error allowed in voxels, more options of make_scan.py
    (8, 1, 0.1, ["--noise", "0.5"]),
    (8, 2, 0.1, ["--noise", "0.5", "--dtype", "int16", "--oblique", "25"]),
    (12, 3, 0.2, ["--noise", "1.5", "--nifti2"]),
    (4, 4, 0.2, ["--noise", "1.5", "--shape", "20", "22", "18", "--volumes", "40"]),
    (6, 5, 0.5, ["--noise", "0.5", "--drift", "0.5", "--dtype", "int16"]),
    (20, 6, 0.2, ["--noise", "1.0", "--shape", "32", "36", "30", "--oblique", "10"]),
]


@pytest.mark.parametrize("k, seed, allowed, more", SCANS, ids=[" ".join(["K", str(s[0]), *s[3]]) for s in SCANS])
def test_made_scans(rung, tmp_path, k, seed, allowed, more):
    maker = KNOWN / "make_scan.py"
    if not maker.exists():
        pytest.skip("not run: make_scan.py is not beside this checkout")
    pytest.importorskip("numpy", reason="not run: make_scan.py needs NumPy")
    made = [str(tmp_path / "s.nii.gz"), "-k", str(k), "--seed", str(seed), *more]
    subprocess.run([sys.executable, str(maker), *made], check=True)
    truth = json.loads((tmp_path / "s.truth.json").read_text())
    fit(rung, tmp_path / "s.nii.gz", "out", "-k", str(k))
    e = [distance / truth["voxel_mm"] for distance in errors(tmp_path / "out", truth["centers_mm"])]
    assert sum(e) / len(e) <= allowed, e
    assert max(e) <= 1.0, "a factor was lost"
