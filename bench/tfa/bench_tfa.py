#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Topographic factor analysis by `rung tfa` and by BrainIAK's TFA: the same scans, one after the other in one run.

Scans: one of known factors that this program makes (10 x 10 x 10 voxels, 100 volumes, 4 factors, noise 0.1), and those
given, as SCAN:K or, with known factors, SCAN:K:TRUTH.json ({"centers_mm": [[x, y, z], ...]}). For each it prints the
seconds of the fit (rung: the whole command, reading and the picture included), the ratio, and the errors of the
centres, matched one to one.

Needs NumPy, SciPy and nibabel. BrainIAK is compared with where it can be imported:
    python3 -m venv v && v/bin/pip install numpy scipy nibabel scikit-learn statsmodels pandas
    v/bin/pip install --no-deps brainiak
"""
import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, List, Optional, Tuple

import nibabel
import numpy as np
from scipy.optimize import linear_sum_assignment

ROOT = Path(__file__).resolve().parents[2]
CENTRES = np.array([[25.0, 30, 15], [75, 30, 15], [50, 60, 15], [50, 30, 45]])
WIDTH = 5.0


def make_scan(folder: Path) -> Tuple[Path, int, np.ndarray]:
    """Four factors narrower than a voxel: the voxels are 11.1 mm wide."""
    random = np.random.Generator(np.random.PCG64(1))
    affine = np.diag([100 / 9, 100 / 9, 100 / 9, 1])
    ijk = np.stack(np.meshgrid(*[np.arange(10)] * 3, indexing="ij"), -1).reshape(-1, 3)
    mm = ijk @ affine[:3, :3].T
    factors = np.exp(-((mm[:, None] - CENTRES) ** 2).sum(2) / (2 * WIDTH ** 2))
    weights = random.standard_normal((4, 100)) * 20
    data = factors @ weights + 0.1 * random.standard_normal((1000, 100))
    path = folder / "known.nii.gz"
    nibabel.save(nibabel.Nifti1Image(data.reshape(10, 10, 10, 100).astype(np.float32), affine), path)
    return path, 4, CENTRES


def errors(found: np.ndarray, truth: Optional[np.ndarray]) -> str:
    if truth is None:
        return "-"
    distance = np.linalg.norm(found[:, None] - truth[None], axis=2)
    matched = distance[linear_sum_assignment(distance)]
    return f"{matched.mean():.3f} / {matched.max():.3f}"


def run_rung(binary: str, scan: Path, k: int, folder: Path) -> Tuple[float, np.ndarray, float]:
    start = time.perf_counter()
    subprocess.run([binary, "tfa", str(scan), "-k", str(k), "--quiet", "--output", str(folder / "out")], check=True)
    seconds = time.perf_counter() - start
    table = np.loadtxt(folder / "out/factors.tsv", skiprows=1, ndmin=2)
    report = json.loads((folder / "out/report.json").read_text())
    return seconds, table[:, 1:4], float(report["fit"]["r2"])


def run_brainiak(tfa: Any, scan: Path, k: int, iterations: int) -> Tuple[float, np.ndarray, float]:
    image = nibabel.load(scan)
    data = np.asarray(image.dataobj, dtype=np.float64)
    ijk = np.stack(np.meshgrid(*[np.arange(n) for n in data.shape[:3]], indexing="ij"), -1).reshape(-1, 3)
    mm = ijk @ image.affine[:3, :3].T + image.affine[:3, 3]
    x = data.reshape(len(mm), -1)
    x = x - x.mean(1, keepdims=True)
    x = x - np.outer(x @ (t := np.linspace(-1, 1, x.shape[1])) / (t @ t), t)  # the trend, as rung takes it out
    start = time.perf_counter()
    model = tfa.TFA(K=k, max_iter=iterations, max_num_voxel=min(5000, x.shape[0]), max_num_tr=min(500, x.shape[1]))
    model.fit(x, mm)
    seconds = time.perf_counter() - start
    centres = model.get_centers(model.local_posterior_)
    r2 = 1 - ((x - model.F_ @ model.W_) ** 2).sum() / (x ** 2).sum()
    return seconds, centres, r2


def row(head: str, seconds: float, ratio: float, r2: float, error: str) -> None:
    print(f"{head} {seconds:8.3f} {ratio:7.0f} {r2:7.4f}  {error}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scans", nargs="*", metavar="SCAN:K[:TRUTH]")
    parser.add_argument("--rung", default=str(ROOT / "build/tool/rung"), help="the command (build/tool/rung)")
    parser.add_argument("--iterations", type=int, default=50, help="of BrainIAK's TFA (50)")
    options = parser.parse_args()
    try:
        import brainiak.factoranalysis.tfa as tfa
    except ImportError as error:
        print(f"BrainIAK is not compared: {error}")
        tfa = None

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scans: List[Tuple[Path, int, Optional[np.ndarray]]] = [make_scan(folder)]
        for given in options.scans:
            path, k, *truth = given.split(":")
            known = np.array(json.loads(Path(truth[0]).read_text())["centers_mm"]) if truth else None
            scans.append((Path(path), int(k), known))
        print(f"{'scan':28} {'K':>3} {'by':10} {'seconds':>8} {'ratio':>7} {'R2':>7}  centre error mean / max, mm")
        for path, k, known in scans:
            seconds, centres, r2 = run_rung(options.rung, path, k, folder)
            row(f"{path.name:28} {k:3} rung      ", seconds, 1, r2, errors(centres, known))
            if tfa is not None:
                theirs, centres, r2 = run_brainiak(tfa, path, k, options.iterations)
                row(f"{'':28} {'':3} BrainIAK  ", theirs, theirs / seconds, r2, errors(centres, known))
    return 0


if __name__ == "__main__":
    sys.exit(main())
