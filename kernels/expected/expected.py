#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes OP.h beside itself for every op: examples whose results this project did not compute, but NumPy or decimals.

Usage: python3 expected.py [--check]

Products and sums are computed in numpy.longdouble and rounded once, exponentials in 50-digit decimals; what is defined
in float, bit for bit, in numpy.float32. The proof (rung/proof.h) holds every cell to them. With --check, nothing is
written, and the exit status tells whether what is there is what would be written: 0; 1 when it is not; 77 when this
NumPy cannot tell.
"""
import argparse
import math
import sys
from dataclasses import dataclass, field
from decimal import Decimal, getcontext
from pathlib import Path
from typing import Any, Callable, Iterator

import numpy as np
import yaml

HERE = Path(__file__).resolve().parent
REGISTRY = HERE.parents[1] / "registry.yaml"
CANNOT_TELL = 77
WIDTH = 118
NEWLINE = "\n"

getcontext().prec = 50
real = np.longdouble
Array = Any  # of NumPy
Data = dict[str, Any]  # numbers and arrays, by the names of the arguments


@dataclass
class Example:
    """A call: what the arguments hold before it (an optional array that is not there is left out), and after it."""

    name: str
    before: Data
    after: Data


OPS: dict[str, Callable[[np.random.Generator], Iterator[Example]]] = {}


def op(make: Callable[[np.random.Generator], Iterator[Example]]) -> Callable[[np.random.Generator], Iterator[Example]]:
    OPS[make.__name__] = make
    return make


# ---- the ops --------------------------------------------------------------------------------------------------------

ROUNDED_ONCE = "numpy.longdouble, rounded once"


def doubles(rng: np.random.Generator) -> Callable[..., Array]:
    return lambda *shape: rng.standard_normal(shape)


def floats(rng: np.random.Generator) -> Callable[..., Array]:
    return lambda *shape: rng.standard_normal(shape).astype(np.float32)


def products(draw: Callable[..., Array], draw_c: Callable[..., Array],
             store: Callable[[Array], Array]) -> Iterator[Example]:
    """Two products of the rows of A and of B, stored in some way: a small one; one of long sums, and C not read."""
    for m, n, k, alpha, beta in (5, 7, 11, 0.75, -1.5), (3, 4, 130, -2.0, 0.0):
        a, b, c = draw(m, k), draw(n, k), draw_c(m, n)
        out = real(alpha) * (a.astype(real) @ b.T.astype(real))
        if beta != 0:
            out += real(beta) * c.astype(real)
        else:
            c[...] = math.nan
        yield Example(f"{ROUNDED_ONCE}, beta {beta:g}", {"a": store(a), "b": store(b), "c": c, "m": m, "n": n, "k": k,
                                                         "alpha": alpha, "beta": beta}, {"c": out})


@op
def gemm_tn(rng: np.random.Generator) -> Iterator[Example]:
    return products(doubles(rng), doubles(rng), lambda a: a.T)


@op
def gemm_nt(rng: np.random.Generator) -> Iterator[Example]:
    return products(doubles(rng), doubles(rng), lambda a: a)


@op
def gemm_nt_f32(rng: np.random.Generator) -> Iterator[Example]:
    return products(floats(rng), floats(rng), lambda a: a)


@op
def gemm_nt_bf16(rng: np.random.Generator) -> Iterator[Example]:
    def draw(*shape: int) -> Array:
        return (floats(rng)(*shape).view(np.uint32) & np.uint32(0xffff0000)).view(np.float32)

    return products(draw, floats(rng), lambda a: (a.view(np.uint32) >> 16).astype(np.uint16))


def rbf(xyz: Array, theta: Array) -> Data:
    f, d = np.zeros((len(xyz), len(theta))), np.zeros((len(xyz), len(theta), 4))
    for i, position in enumerate(xyz):
        for j, (*centre, width) in enumerate(theta):
            away = [Decimal(float(a)) - Decimal(float(b)) for a, b in zip(position, centre)]
            s, square = Decimal(float(width)), sum(x * x for x in away)
            # the op's value is exp of a rounded exponent: that of the double nearest to it
            value = Decimal(float(-square) / float(2 * s * s)).exp()
            f[i, j] = float(value)
            d[i, j] = [*(float(value * x / (s * s)) for x in away), float(value * square / (s * s * s))]
    return {"f": f, "d": d}


@op
def rbf_factors(rng: np.random.Generator) -> Iterator[Example]:
    n, k = 6, 5
    # multiples of 1/8 and widths of few bits, so that the exponent is exact in double up to its one division
    xyz = np.round(rng.uniform(-20, 20, (n, 3)) * 8) / 8
    theta = np.round(rng.uniform(-20, 20, (k, 4)) * 8) / 8
    theta[:, 3] = [0.75, 2.0, 5.5, 12.25, 40.0]
    given: Data = {"xyz": xyz, "theta": theta, "n": n, "k": k}
    right = rbf(xyz, theta)
    yield Example("50-digit decimals", given, right)
    yield Example("50-digit decimals, without derivatives", given, {"f": right["f"]})
    # Exponents over the whole range of exp, exact for a width of 1: squares of few bits that double, from what is lost
    # beside 1 to what makes 0 of exp, by way of the numbers below 2^-1022.
    x = np.array([2.0 ** e * m for e in range(-30, 5) for m in (1.0, 1.375)] + [i / 8 for i in range(300, 320)])
    xyz = np.stack([x, np.zeros_like(x), np.zeros_like(x)], axis=1)
    theta = np.array([[0.0, 0.0, 0.0, 1.0]])
    yield Example("50-digit decimals, the whole range of exp", {"xyz": xyz, "theta": theta, "n": len(x), "k": 1},
                  rbf(xyz, theta))


@op
def residual_energy(rng: np.random.Generator) -> Iterator[Example]:
    n, k, t = 6, 3, 29
    x, f, w = floats(rng)(n, t), rng.standard_normal((n, k)), rng.standard_normal((k, t))
    left = x.astype(real) - f.astype(real) @ w.astype(real)
    yield Example(ROUNDED_ONCE, {"x": x, "f": f, "w": w, "n": n, "k": k, "t": t}, {"e": (left * left).sum(axis=1)})
    # X = F W in numbers that every order of summation keeps exact: nothing is left
    n, k, t = 9, 5, 37
    f = np.arange(n * k).reshape(n, k) % 7 - 3.0
    w = np.arange(k * t).reshape(k, t) % 11 - 5.0
    x = (f @ w).astype(np.float32)
    yield Example("numpy, of an exact model", {"x": x, "f": f, "w": w, "n": n, "k": k, "t": t}, {"e": np.zeros(n)})


@op
def factor_gradient(rng: np.random.Generator) -> Iterator[Example]:
    n, k = 7, 3
    d, e, g = rng.standard_normal((n, k, 4)), rng.standard_normal((n, k)), rng.standard_normal((k, 4))
    out = g + np.einsum("nkp,nk->kp", d.astype(real), e.astype(real))
    yield Example(ROUNDED_ONCE, {"g": g, "d": d, "e": e, "n": n, "k": k}, {"g": out})


def refined(system: Array, rhs: Array) -> tuple[Array, Array]:
    """The Cholesky factor and the solution, each from NumPy's double one by Newton's steps in long double: their last
    bits are not those of some LAPACK."""
    exact = system.astype(real)
    factor = np.linalg.cholesky(system).astype(real)
    solution = np.linalg.solve(system, rhs).astype(real)
    for _ in range(3):
        inverse = np.linalg.inv(factor.astype(np.float64))
        half = np.tril(inverse @ (exact - factor @ factor.T).astype(np.float64) @ inverse.T)
        half[np.diag_indices_from(half)] /= 2
        factor = factor + factor @ half.astype(real)
        solution = solution + np.linalg.solve(system, (rhs - exact @ solution).astype(np.float64))
    return factor, solution


@op
def ridge_solve(rng: np.random.Generator) -> Iterator[Example]:
    for k, t, lam in (6, 4, 0.25), (19, 2, 0.0):
        m = rng.standard_normal((2 * k, k))
        # products of doubles rounded to 1/1024, so that the sum is exact, and the system symmetric
        gram, rhs = np.round(m.T @ m * 1024) / 1024, rng.standard_normal((k, t))
        chol, w = refined(gram + lam * np.eye(k), rhs)
        yield Example("numpy.linalg, refined in numpy.longdouble",
                      {"gram": gram, "rhs": rhs, "lambda": lam, "k": k, "t": t}, {"w": w, "chol": chol})


@op
def flow_match_step(rng: np.random.Generator) -> Iterator[Example]:
    n = 37
    x, v = floats(rng)(n), floats(rng)(n)
    for sigma_t, sigma_n in (1.0, 0.9878048780487805), (0.5, 0.47), (0.13, 0.1), (0.3, 0.7):
        dt = np.float32(sigma_n - sigma_t)
        y = x + dt * v
        # these values tell a rounded product from an exact one, and dt worked out in double from dt worked out in float
        assert np.any(y != (x + float(dt) * v.astype(np.float64)).astype(np.float32))
        assert np.any(y != x + (np.float32(sigma_n) - np.float32(sigma_t)) * v)
        yield Example(f"numpy.float32, sigma {sigma_t} to {sigma_n}",
                      {"x": x, "v": v, "n": n, "sigma_t": sigma_t, "sigma_n": sigma_n}, {"y": y})
    # no step leaves the sample as it is
    x, v = x.copy(), v.copy()
    x[:4], v[4] = [math.inf, -math.inf, 2.0 ** -149, 0.0], np.finfo(np.float32).max
    for sigma in 0.0, 1 / 3, 1.0:
        yield Example(f"no step at sigma {sigma:.3g}", {"x": x, "v": v, "n": n, "sigma_t": sigma, "sigma_n": sigma},
                      {"y": x})


def flow_loop(rng: np.random.Generator) -> tuple[Array, Array]:
    """Where the loop of tests/kernels/flow_loop.h starts, and where it ends in NumPy's float32."""
    n, steps, shift = 37, 28, 3.0
    time = 1.0 - np.arange(steps + 1) / steps
    sigma = shift * time / (1.0 + (shift - 1.0) * time)
    start = x = floats(rng)(n)
    one, four = np.float32(1.0), np.float32(4.0)
    for i in range(steps):
        other = x[(7 * np.arange(n) + 3) % n]
        v = four * (other / (one + other * other)) - x
        x = x + np.float32(sigma[i + 1] - sigma[i]) * v
    assert x.dtype == np.float32
    return start, x


SDE_STEPS = [  # sigma_t, sigma_n, noise_scale, what is given
    (0.5, 0.45, 0.7, "noise"), (0.5, 0.45, 0.7, ""), (0.5, 0.45, 0.7, "sample"), (0.5, 0.45, 0.7, "noise sample"),
    (0.9, 0.85, 1.5, "noise"), (1.0, 0.98, 0.7, "noise"), (1.0, 0.98, 0.7, "sample"), (0.0, 0.0, 0.7, ""),
    (5e-7, 0.0, 0.7, "sample"), (0.4, 0.6, 0.7, "noise"), (0.6, 0.5, 0.0, "noise")]


@op
def flow_sde_step(rng: np.random.Generator) -> Iterator[Example]:
    n = 13
    drawn = {name: floats(rng)(n) for name in ("x", "v", "noise", "sample")}
    x, v, noise, sample = (drawn[name].astype(real) for name in ("x", "v", "noise", "sample"))
    for sigma_t, sigma_n, noise_scale, given in SDE_STEPS:
        dt, s = real(sigma_n) - real(sigma_t), min(real(sigma_t), real(0.9999))
        std, d = real(noise_scale) * np.sqrt(s / (1 - s)), 2 * max(s, real(1e-6))
        mean = x * (1 + std**2 / d * dt) + v * (1 + std**2 * (1 - s) / d) * dt
        e = max(std * np.sqrt(max(-dt, real(1e-12))), real(1e-6))
        y = sample if "sample" in given else mean + e * noise * ("noise" in given)
        terms = -((y - mean) ** 2) / (2 * e**2) - np.log(e) - np.log(2 * real(np.pi)) / 2
        before: Data = {"x": drawn["x"], "v": drawn["v"], "n": n, "sigma_t": sigma_t, "sigma_n": sigma_n,
                        "noise_scale": noise_scale, **{name: drawn[name] for name in given.split()}}
        if given == "noise sample":  # which is not looked at
            before["noise"] = np.full(n, math.nan)
        shown = given.replace(" ", " and ") or "nothing"
        yield Example(f"{ROUNDED_ONCE}, sigma {sigma_t} to {sigma_n}, scale {noise_scale}, {shown} given", before,
                      {"y": y, "mean": mean, "log_prob": terms.mean(), "e": e})
    # nothing to draw
    none = np.zeros(0, np.float32)
    yield Example("the empty product of densities",
                  {"x": none, "v": none, "n": 0, "sigma_t": 0.5, "sigma_n": 0.4, "noise_scale": 0.0},
                  {"y": none, "mean": none, "log_prob": 0.0, "e": 1e-6})
    # a large mean, whose rounding the distance to it does not show
    large = np.array([1.0, 1e4, 1e8, 1e10, 1e30], np.float32)
    e, ones = real(1e-6), np.ones(len(large), np.float32)
    yield Example("numpy.longdouble, large means",
                  {"x": large, "v": 0 * large, "noise": ones, "n": len(large), "sigma_t": 0.0, "sigma_n": 0.0,
                   "noise_scale": 0.7},
                  {"y": large.astype(real) + e, "mean": large, "e": e,
                   "log_prob": -np.log(e) - np.log(2 * real(np.pi)) / 2 - real(0.5)})
    # a scale whose square is no double
    yield Example("numpy.longdouble, noise_scale 1e200",
                  {"x": none, "v": none, "n": 0, "sigma_t": 0.5, "sigma_n": 0.4, "noise_scale": 1e200},
                  {"y": none, "mean": none, "log_prob": 0.0, "e": real(1e200) * np.sqrt(real(0.5) - real(0.4))})


# ---- C --------------------------------------------------------------------------------------------------------------

ROUNDED = {"double": np.float64, "float": np.float32, "uint16_t": np.uint16, "size_t": np.uint64}


def literal(value: Any, ctype: str) -> str:
    if ctype not in ("double", "float"):
        return str(int(value))
    if not math.isfinite(value):
        return "NAN" if math.isnan(value) else "-INFINITY" if value < 0 else "INFINITY"
    mantissa, _, exponent = float(value).hex().partition("p")
    return f"{mantissa.rstrip('0').rstrip('.')}p{exponent}" + ("f" if ctype == "float" else "")


@dataclass
class Header:
    op: str
    args: list[tuple[str, str, bool]]  # name, element type, whether it is an array
    lines: list[str] = field(default_factory=list)
    names: dict[tuple[str, bytes], str] = field(default_factory=dict)  # of the arrays that are there

    def array(self, wanted: str, values: Any, ctype: str) -> str:
        """The name of an array of these values, which is added unless it is there."""
        held = np.ascontiguousarray(np.asarray(values).astype(ROUNDED[ctype])).ravel()
        name = self.names.setdefault((ctype, held.tobytes()), wanted)
        if name == wanted:
            # an array of none is no C
            self.lines.append(f"static const {ctype} {name}[{max(held.size, 1)}] = {{")
            line = "   "
            for value in held if held.size else np.zeros(1):
                word = f" {literal(value, ctype)},"
                if len(line) + len(word) > WIDTH:
                    self.lines.append(line)
                    line = "   "
                line += word
            self.lines += [line, "};"]
        return name

    def datum(self, number: int, name: str, ctype: str, is_array: bool, example: Example) -> str:
        if not is_array:
            return f"{{&(const {ctype}){{{literal(example.before[name], ctype)}}}, NULL}}"
        held = []
        for when, data in ("before", example.before), ("after", example.after):
            wanted = f"{self.op}_{number}_{name}" + ("" if when == "before" else "_after")
            held.append(self.array(wanted, data[name], ctype) if name in data else "NULL")
        return f"{{{held[0]}, {held[1]}}}"

    def text(self, examples: list[Example]) -> str:
        rows = []
        for number, example in enumerate(examples):
            assert set(example.before) | set(example.after) <= {name for name, _, _ in self.args}, example.name
            data = [self.datum(number, *arg, example) for arg in self.args]
            rows += [f'    {{"{example.name}",', "     (const rung_proof_datum[]){" + ",\n      ".join(data) + "}},"]
        table = [f"static const rung_proof_example {self.op}_examples[] = {{", *rows, "};"]
        return self.whole(f"calls of {self.op}, and what they have to give", [*self.lines, "", *table])

    def whole(self, what: str, lines: list[str]) -> str:
        guard = f"KERNELS_EXPECTED_{self.op.upper()}_H"
        return f"""\
/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by expected.py with NumPy {np.__version__}: {what}.
 */
#ifndef {guard}
#define {guard}

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "rung/proof.h"

/* clang-format off */
{NEWLINE.join(lines)}
/* clang-format on */

#endif
"""


def arguments(entry: Any) -> list[tuple[str, str, bool]]:
    """Of an op of the registry, in the order of the call."""
    args = []
    for arg in entry["args"]:
        (name, about), = arg.items()
        words = about["type"].replace("*", " * ").split()
        args.append((name, next(word for word in words if word not in ("const", "*")), "*" in words))
    return args


def generator(name: str) -> np.random.Generator:
    return np.random.default_rng([20140514, *name.encode()])  # its own: ops may come and go


def headers() -> Iterator[tuple[Path, str]]:
    registry = yaml.safe_load(REGISTRY.read_text(encoding="utf-8"))
    for name, make in OPS.items():
        examples = list(make(generator(name)))
        yield HERE / f"{name}.h", Header(name, arguments(registry["ops"][name])).text(examples)
    loop = Header("flow_loop", [])
    for name, values in zip(("start", "end"), flow_loop(generator("flow_loop"))):
        loop.array(f"flow_loop_{name}", values, "float")
    yield HERE / "flow_loop.h", loop.whole("a loop of flow_match_step, tests/kernels/flow_loop.c", loop.lines)


def cannot_tell(path: Path) -> str:
    """Why the header, if it is there, may differ with no fault of anybody's; the empty string."""
    version = path.read_text(encoding="utf-8").partition("NumPy ")[2].partition(":")[0] if path.exists() else ""
    if version.split(".")[0] not in ("", np.__version__.split(".")[0]):
        return f"it was written with NumPy {version}, whose random numbers those of {np.__version__} need not be"
    if np.finfo(real).nmant < 63:
        return "numpy.longdouble is no wider than double here"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description="The examples of the ops.")
    parser.add_argument("--check", action="store_true", help="write nothing: tell whether anything would change")
    check = parser.parse_args().check
    wrong = 0
    for path, text in headers():
        why = cannot_tell(path)
        if check and why:
            print(f"unproven: {path.name}: {why}")
            return CANNOT_TELL
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or without_version(path.read_text(encoding="utf-8")) != without_version(text):
            print(f"{path}: not what expected.py writes")
            wrong += 1
    return 1 if wrong else 0


def without_version(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "Written by expected.py" not in line)


if __name__ == "__main__":
    sys.exit(main())
