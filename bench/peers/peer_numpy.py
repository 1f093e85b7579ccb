# SPDX-License-Identifier: Apache-2.0
"""NumPy and SciPy, into arrays that are there already."""
import math
from typing import Callable, Dict, List, Optional

import numpy as np

from ways import Peer, Way, looped
from work import HALF_LN_2PI, Task, factors, from_bfloat16, sde_factors


class NumPy(Peer):
    version = np.__version__

    def ways(self, task: Task) -> List[Way]:
        return _WAYS[task.op](task)


def _gemm_tn(task: Task) -> List[Way]:
    a, b, out = task.inputs["a"], task.inputs["b"], task.outputs()
    return [Way("matmul", looped(lambda: np.matmul(a.T, b, out=out["c"])), lambda: out)]


def _gemm_nt(task: Task) -> List[Way]:
    a, b, out = task.inputs["a"], task.inputs["b"], task.outputs()
    return [Way("matmul", looped(lambda: np.matmul(a, b.T, out=out["c"])), lambda: out)]


def _gemm_nt_bf16(task: Task) -> List[Way]:
    a, b, out = task.inputs["a"], task.inputs["b"], task.outputs()
    return [Way("to float32, matmul",
                looped(lambda: np.matmul(from_bfloat16(a), from_bfloat16(b).T, out=out["c"])), lambda: out)]


def _flow_match_step(task: Task) -> List[Way]:
    x, v, out = task.inputs["x"], task.inputs["v"], task.outputs()
    y, dt = out["y"], np.float32(task.numbers["sigma_n"] - task.numbers["sigma_t"])

    def step() -> None:
        np.multiply(v, dt, out=y)
        np.add(y, x, out=y)
    return [Way("multiply, add", looped(step), lambda: out)]


def _flow_sde_step(task: Task) -> List[Way]:
    x, v, noise, out = task.inputs["x"], task.inputs["v"], task.inputs["noise"], task.outputs()
    mean, part = np.empty(x.shape), np.empty(x.shape)

    def step() -> None:
        of_x, of_v, e = sde_factors(task.numbers)
        np.multiply(x, of_x, out=mean, dtype=np.float64)
        np.multiply(v, of_v, out=part, dtype=np.float64)
        np.add(mean, part, out=mean)
        out["mean"][...] = mean
        part[...] = noise
        out["e"][0], out["log_prob"][0] = e, -0.5 * np.dot(part, part) / len(part) - math.log(e) - HALF_LN_2PI
        np.multiply(part, e, out=part)
        np.add(mean, part, out=out["y"], casting="same_kind")
    return [Way("multiply, add, dot of doubles", looped(step), lambda: out)]


def _rbf_factors(task: Task) -> List[Way]:
    xyz, theta, out = task.inputs["xyz"], task.inputs["theta"], task.outputs()
    return [Way("exp and elementwise", looped(lambda: factors(xyz, theta, out["f"], out["d"])), lambda: out)]


def _residual_energy(task: Task) -> List[Way]:
    x, f, w, out = task.inputs["x"], task.inputs["f"], task.inputs["w"], task.outputs()
    rest = np.empty(x.shape)

    def energy() -> None:
        np.matmul(f, w, out=rest)
        np.subtract(x, rest, out=rest)
        np.einsum("nt,nt->n", rest, rest, out=out["e"])
    return [Way("matmul, subtract, einsum", looped(energy), lambda: out)]


def _ridge_solve(task: Task) -> List[Way]:
    gram, rhs, out = task.inputs["gram"], task.inputs["rhs"], task.outputs()
    ridge = task.numbers["lambda"] * np.eye(len(gram))

    def solve() -> None:
        out["chol"] = np.linalg.cholesky(gram + ridge)
        out["w"] = np.linalg.solve(out["chol"].T, np.linalg.solve(out["chol"], rhs))
    return [Way("cholesky, solve twice (it has no triangular one)", looped(solve), lambda: out)]


def _factor_gradient(task: Task) -> List[Way]:
    d, e, out = task.inputs["d"], task.inputs["e"], task.outputs()

    def add() -> None:
        out["g"] += np.einsum("nkp,nk->kp", d, e)
    return [Way("einsum", looped(add), lambda: out)]


_WAYS: Dict[str, Callable[[Task], List[Way]]] = {
    "gemm_tn": _gemm_tn, "gemm_nt": _gemm_nt, "gemm_nt_f32": _gemm_nt, "gemm_nt_bf16": _gemm_nt_bf16,
    "flow_match_step": _flow_match_step, "flow_sde_step": _flow_sde_step, "rbf_factors": _rbf_factors,
    "residual_energy": _residual_energy, "ridge_solve": _ridge_solve, "factor_gradient": _factor_gradient}


class SciPy(Peer):
    def __init__(self) -> None:
        import scipy
        from scipy import linalg
        self.version = str(scipy.__version__)
        self.linalg = linalg

    def lacks(self, op: str) -> Optional[str]:
        return None if op == "ridge_solve" else "no equivalent beside NumPy's"

    def ways(self, task: Task) -> List[Way]:
        gram, rhs, out = task.inputs["gram"], task.inputs["rhs"], task.outputs()
        ridge = task.numbers["lambda"] * np.eye(len(gram))

        def solve() -> None:
            out["chol"], _ = self.linalg.cho_factor(gram + ridge, lower=True, overwrite_a=True, check_finite=False)
            out["w"] = self.linalg.cho_solve((out["chol"], True), rhs, check_finite=False)
        return [Way("cho_factor, cho_solve", looped(solve), lambda: out)]
