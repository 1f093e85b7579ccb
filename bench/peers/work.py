# SPDX-License-Identifier: Apache-2.0
"""The work that all peers do: inputs of an op, the same in every process, and what its results have to agree with."""
import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Tuple

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SEED = 20240229
HALF_LN_2PI = 0.5 * math.log(2 * math.pi)

Arrays = Dict[str, Any]  # by argument

# Sizes for a look at whether everything works; those that are timed are the registry's.
TINY: Dict[str, Dict[str, int]] = {
    "gemm_tn": {"m": 3, "n": 5, "k": 7}, "gemm_nt": {"m": 3, "n": 5, "k": 7}, "gemm_nt_f32": {"m": 3, "n": 5, "k": 7},
    "gemm_nt_bf16": {"m": 3, "n": 5, "k": 7}, "flow_match_step": {"n": 33}, "flow_sde_step": {"n": 33},
    "rbf_factors": {"n": 9, "k": 3}, "residual_energy": {"n": 9, "k": 3, "t": 5}, "ridge_solve": {"k": 4, "t": 3},
    "factor_gradient": {"n": 9, "k": 3}}

# Ops of the registry whose work is not done here, with the reason: tests/bench holds both lists against the registry.
LEFT_OUT: Dict[str, str] = {}


@dataclass
class Task:
    """One op at one size. `wanted` are its results, and `scale` what the tolerance is relative to. `numbers` has every
    argument that is no array; what is in neither is optional and not given."""

    op: str
    sizes: Dict[str, int]
    inputs: Arrays
    numbers: Dict[str, float]
    wanted: Arrays
    scale: Arrays
    tolerance: Dict[str, Tuple[float, float]]  # of each result: relative, and absolute beside it
    before: Arrays = field(default_factory=dict)  # of results that are added to

    def outputs(self) -> Arrays:
        """Room for the results."""
        return {name: self.before[name].copy() if name in self.before else np.full_like(array, np.nan)
                for name, array in self.wanted.items()}

    def differs(self, results: Arrays) -> Optional[str]:
        """None where the results agree, else by how much they do not."""
        for name, wanted in self.wanted.items():
            got = np.asarray(results[name], dtype=np.float64)
            if name == "chol":  # what stands above its diagonal is not specified
                got = np.tril(got)
            if got.shape != wanted.shape:
                return f"{name} has the shape {got.shape}, not {wanted.shape}"
            rel, least = self.tolerance[name]
            allowed = rel * self.scale[name] + least
            error = np.abs(got - wanted)
            if np.isnan(got).any():
                return f"{name} is not a number at {int(np.isnan(got).sum())} places"
            if not (error <= allowed).all():
                worst = float(np.max(error / np.maximum(self.scale[name], 1e-300)))
                return f"{name} differs by up to {worst:.1e} of its magnitude, {rel:.1e} is allowed"
        return None


def to_bfloat16(array: Any) -> Any:
    """The bits, rounded to nearest even; of finite numbers."""
    bits = np.ascontiguousarray(array, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bfloat16(bits: Any) -> Any:
    return (bits.astype(np.uint32) << 16).view(np.float32)


def _tolerance(op: str) -> Tuple[float, float]:
    said = json.loads((ROOT / "generated/coverage.json").read_text())["ops"][op]["tolerance"]["default"]
    return said["rel"], said["abs"]


Made = Tuple[Arrays, Dict[str, float], Arrays, Arrays]


def _gemm(left: Any, right: Any, sizes: Dict[str, int]) -> Made:
    """Of the factors as m by k and k by n; the arguments are put in by the caller."""
    return {}, {"alpha": 1.0, "beta": 0.0, **sizes}, {"c": left @ right}, {"c": np.abs(left) @ np.abs(right)}


def _gemm_tn(random: Any, s: Dict[str, int]) -> Made:
    a, b = random.uniform(-1, 1, (s["k"], s["m"])), random.uniform(-1, 1, (s["k"], s["n"]))
    return ({"a": a, "b": b}, *_gemm(a.T, b, s)[1:])


def _gemm_nt(random: Any, s: Dict[str, int]) -> Made:
    a, b = random.uniform(-1, 1, (s["m"], s["k"])), random.uniform(-1, 1, (s["n"], s["k"]))
    return ({"a": a, "b": b}, *_gemm(a, b.T, s)[1:])


def _gemm_nt_f32(random: Any, s: Dict[str, int]) -> Made:
    inputs, *_ = _gemm_nt(random, s)
    a, b = inputs["a"].astype(np.float32), inputs["b"].astype(np.float32)
    _, numbers, wanted, scale = _gemm(a.astype(np.float64), b.astype(np.float64).T, s)
    return {"a": a, "b": b}, numbers, {"c": wanted["c"].astype(np.float32)}, scale


def _gemm_nt_bf16(random: Any, s: Dict[str, int]) -> Made:
    inputs, *_ = _gemm_nt(random, s)
    a, b = to_bfloat16(inputs["a"]), to_bfloat16(inputs["b"])
    _, numbers, wanted, scale = _gemm(from_bfloat16(a).astype(np.float64), from_bfloat16(b).astype(np.float64).T, s)
    return {"a": a, "b": b}, numbers, {"c": wanted["c"].astype(np.float32)}, scale


def _flow_match_step(random: Any, s: Dict[str, int]) -> Made:
    x, v = (random.uniform(-1, 1, s["n"]).astype(np.float32) for _ in range(2))
    numbers = {"sigma_t": 0.7, "sigma_n": 0.65, **s}
    y = x + np.float32(numbers["sigma_n"] - numbers["sigma_t"]) * v
    return {"x": x, "v": v}, numbers, {"y": y}, {"y": np.abs(y)}


def _flow_sde_step(random: Any, s: Dict[str, int]) -> Made:
    x, v, noise = (random.uniform(-1, 1, s["n"]).astype(np.float32) for _ in range(3))
    numbers = {"sigma_t": 0.75, "sigma_n": 0.7, "noise_scale": 0.7, **s}
    of_x, of_v, e = sde_factors(numbers)
    mean = x * np.float64(of_x) + v * np.float64(of_v)
    y = mean + np.float64(e) * noise
    log_prob = -0.5 * np.mean(np.square(noise, dtype=np.float64)) - math.log(e) - HALF_LN_2PI
    wanted = {"y": y.astype(np.float32), "mean": mean.astype(np.float32), "log_prob": np.array([log_prob]),
              "e": np.array([e])}
    return {"x": x, "v": v, "noise": noise}, numbers, wanted, {name: np.abs(array) for name, array in wanted.items()}


def sde_factors(numbers: Dict[str, float]) -> Tuple[float, float, float]:
    """Of x and v in the mean, and of the noise, as kernels/cpu/generic/flow_sde_step.c has them."""
    dt, s = numbers["sigma_n"] - numbers["sigma_t"], min(numbers["sigma_t"], 0.9999)
    std, d = numbers["noise_scale"] * math.sqrt(s / (1 - s)), 2 * max(s, 1e-6)
    deviation = max(std * math.sqrt(max(-dt, 1e-12)), 1e-6)
    return 1 + std * std / d * dt, (1 + std * std * (1 - s) / d) * dt, deviation


def _rbf_factors(random: Any, s: Dict[str, int]) -> Made:
    xyz = random.uniform(-60, 60, (s["n"], 3))
    theta = np.concatenate([random.uniform(-60, 60, (s["k"], 3)), random.uniform(1, 41, (s["k"], 1))], axis=1)
    f, d = factors(xyz, theta)
    return {"xyz": xyz, "theta": theta}, dict(s), {"f": f, "d": d}, {"f": np.abs(f), "d": np.abs(d)}


def factors(xyz: Any, theta: Any, f: Any = None, d: Any = None) -> Tuple[Any, Any]:
    """f = exp(-q / (2 s^2)) and its derivatives, as kernels/cpu/generic/rbf_factors.c has them."""
    n, k = len(xyz), len(theta)
    f = np.empty((n, k)) if f is None else f
    d = np.empty((n, k, 4)) if d is None else d
    np.subtract(xyz[:, None, :], theta[None, :, :3], out=d[:, :, :3])
    q = np.einsum("nkp,nkp->nk", d[:, :, :3], d[:, :, :3])
    width = theta[:, 3]
    np.divide(q, -2.0 * width * width, out=f)
    np.exp(f, out=f)
    by = f / (width * width)
    d[:, :, :3] *= by[:, :, None]
    np.multiply(by, q, out=d[:, :, 3])
    d[:, :, 3] /= width
    return f, d


def _residual_energy(random: Any, s: Dict[str, int]) -> Made:
    x = random.uniform(-1, 1, (s["n"], s["t"])).astype(np.float32)
    f, w = random.uniform(-1, 1, (s["n"], s["k"])), random.uniform(-1, 1, (s["k"], s["t"]))
    energy = ((x - f @ w) ** 2).sum(axis=1)
    largest = ((np.abs(x) + np.abs(f) @ np.abs(w)) ** 2).sum(axis=1)
    return {"x": x, "f": f, "w": w}, dict(s), {"e": energy}, {"e": largest}


def _ridge_solve(random: Any, s: Dict[str, int]) -> Made:
    half = random.uniform(-1, 1, (s["k"], s["k"]))
    gram, rhs = half @ half.T + np.eye(s["k"]), random.uniform(-1, 1, (s["k"], s["t"]))
    inner = gram + 0.25 * np.eye(s["k"])
    chol, w = np.linalg.cholesky(inner), np.linalg.solve(inner, rhs)
    scale = {"w": np.full_like(w, np.abs(w).max()), "chol": np.full_like(chol, np.abs(chol).max())}
    return {"gram": gram, "rhs": rhs}, {"lambda": 0.25, **s}, {"w": w, "chol": chol}, scale


def _factor_gradient(random: Any, s: Dict[str, int]) -> Made:
    d, e = random.uniform(-1, 1, (s["n"], s["k"], 4)), random.uniform(-1, 1, (s["n"], s["k"]))
    # by blocks of rows, so that these sums are closer than what is compared with them
    starts = range(0, s["n"], 512)
    sums = np.array([np.einsum("nkp,nk->kp", d[i:i + 512], e[i:i + 512]) for i in starts]).sum(axis=0)
    return {"d": d, "e": e}, dict(s), {"g": sums}, {"g": np.einsum("nkp,nk->kp", np.abs(d), np.abs(e))}


_MAKE: Dict[str, Callable[[Any, Dict[str, int]], Made]] = {
    "gemm_tn": _gemm_tn, "gemm_nt": _gemm_nt, "gemm_nt_f32": _gemm_nt_f32, "gemm_nt_bf16": _gemm_nt_bf16,
    "flow_match_step": _flow_match_step, "flow_sde_step": _flow_sde_step, "rbf_factors": _rbf_factors,
    "residual_energy": _residual_energy, "ridge_solve": _ridge_solve, "factor_gradient": _factor_gradient}

# Where a result has not the tolerance of its op. Of rbf_factors it is the registry's `rounding`: peers are not compared
# with each other, but with this module. Those of flow_sde_step are of the registry.
_TOLERANCE: Dict[str, Dict[str, Tuple[float, float]]] = {
    "rbf_factors": {"f": (1e-12, 1e-300), "d": (1e-12, 1e-300)},
    "flow_sde_step": {"log_prob": (1e-9, 1e-9), "e": (1e-14, 0.0)}}


def name_of(op: str, sizes: Dict[str, int]) -> str:
    return " ".join([op, *(f"{name}={value}" for name, value in sizes.items())])


def make(op: str, sizes: Dict[str, int]) -> Task:
    inputs, numbers, wanted, scale = _MAKE[op](np.random.default_rng(SEED), sizes)
    tolerance = {name: _TOLERANCE.get(op, {}).get(name, _tolerance(op)) for name in wanted}
    before = {name: np.zeros_like(array) for name, array in wanted.items() if op == "factor_gradient"}
    return Task(op, sizes, inputs, numbers, wanted, scale, tolerance, before)
