#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes expected.h: small inputs and what every op makes of them, computed by NumPy and SciPy, or in higher precision.

Usage: python3 expected.py > expected.h
Products and sums are computed in numpy.longdouble and rounded once, exponentials in 50-digit decimals; what is defined
in float, bit for bit, in numpy.float32.
"""
from decimal import Decimal, getcontext
from typing import Any

import numpy as np
import scipy.linalg

getcontext().prec = 50


def literal(value: float) -> str:
    return float(value).hex()


def array(name: str, values: "np.ndarray[Any, Any]", ctype: str = "double") -> None:
    print(f"static const {ctype} {name}[{values.size}] = {{")
    suffix = "f" if ctype == "float" else ""
    line = "   "
    for value in values.ravel():
        word = f" {literal(value)}{suffix},"
        if len(line) + len(word) > 118:
            print(line)
            line = "   "
        line += word
    print(line)
    print("};")


def constants(prefix: str, **values: float) -> None:
    for name, value in values.items():
        text = f"((size_t){value})" if isinstance(value, int) else literal(value)
        print(f"#define EXPECTED_{prefix}_{name.upper()} {text}")


def gemm(rng: np.random.Generator) -> None:
    m, n, k, alpha, beta = 5, 7, 11, 0.75, -1.5
    a, b, c = rng.standard_normal((m, k)), rng.standard_normal((k, n)), rng.standard_normal((m, n))
    out = np.longdouble(alpha) * (a.astype(np.longdouble) @ b.astype(np.longdouble)) + np.longdouble(beta) * c
    constants("GEMM", m=m, n=n, k=k, alpha=alpha, beta=beta)
    array("expected_gemm_a", a)
    array("expected_gemm_at", np.ascontiguousarray(a.T))
    array("expected_gemm_b", b)
    array("expected_gemm_bt", np.ascontiguousarray(b.T))
    array("expected_gemm_c", c)
    array("expected_gemm_out", out.astype(np.float64))


def gemm_narrow(rng: np.random.Generator) -> None:
    """gemm_nt_f32 and gemm_nt_bf16: the same numbers, which are exact in both."""
    m, n, k, alpha, beta = 5, 7, 11, 0.75, -1.5

    def narrow(*shape: int) -> "np.ndarray[Any, Any]":
        bits = rng.standard_normal(shape).astype(np.float32).view(np.uint32)
        return (bits & np.uint32(0xffff0000)).view(np.float32)

    a, b, c = narrow(m, k), narrow(n, k), rng.standard_normal((m, n)).astype(np.float32)
    out = np.longdouble(alpha) * (a.astype(np.longdouble) @ b.astype(np.longdouble).T) + np.longdouble(beta) * c
    constants("NARROW", m=m, n=n, k=k, alpha=alpha, beta=beta)
    for name, values in (("a", a), ("b", b), ("c", c)):
        array(f"expected_narrow_{name}", values, "float")
    array("expected_narrow_out", out.astype(np.float64))


def rbf(rng: np.random.Generator) -> None:
    n, k = 6, 5
    # multiples of 1/8, so that the exponent is the same in any precision up to its one division
    xyz = np.round(rng.uniform(-20, 20, (n, 3)) * 8) / 8
    theta = np.round(rng.uniform(-20, 20, (k, 4)) * 8) / 8
    theta[:, 3] = [0.75, 2.0, 5.5, 12.25, 40.0]
    f, d = np.zeros((n, k)), np.zeros((n, k, 4))
    for i in range(n):
        for j in range(k):
            away = [Decimal(float(xyz[i, axis])) - Decimal(float(theta[j, axis])) for axis in range(3)]
            width = Decimal(float(theta[j, 3]))
            square = sum(x * x for x in away)
            # the op's value is exp of a rounded exponent: that of the double nearest to it
            exponent = Decimal(float(-square) / float(2 * width * width))
            value = exponent.exp()
            f[i, j] = float(value)
            for axis in range(3):
                d[i, j, axis] = float(value * away[axis] / (width * width))
            d[i, j, 3] = float(value * square / (width * width * width))
    constants("RBF", n=n, k=k)
    array("expected_rbf_xyz", xyz)
    array("expected_rbf_theta", theta)
    array("expected_rbf_f", f)
    array("expected_rbf_d", d)


def residual(rng: np.random.Generator) -> None:
    n, k, t = 6, 3, 29
    x = rng.standard_normal((n, t)).astype(np.float32)
    f, w = rng.standard_normal((n, k)), rng.standard_normal((k, t))
    left = x.astype(np.longdouble) - f.astype(np.longdouble) @ w.astype(np.longdouble)
    constants("RESIDUAL", n=n, k=k, t=t)
    array("expected_residual_x", x, "float")
    array("expected_residual_f", f)
    array("expected_residual_w", w)
    array("expected_residual_e", (left * left).sum(axis=1).astype(np.float64))


def gradient(rng: np.random.Generator) -> None:
    n, k = 7, 3
    d, e, before = rng.standard_normal((n, k, 4)), rng.standard_normal((n, k)), rng.standard_normal((k, 4))
    out = before + np.einsum("nkp,nk->kp", d.astype(np.longdouble), e.astype(np.longdouble))
    constants("GRADIENT", n=n, k=k)
    array("expected_gradient_d", d)
    array("expected_gradient_e", e)
    array("expected_gradient_before", before)
    array("expected_gradient_g", out.astype(np.float64))


def ridge(rng: np.random.Generator) -> None:
    k, t, lam = 6, 4, 0.25
    m = rng.standard_normal((2 * k, k))
    gram, rhs = m.T @ m, rng.standard_normal((k, t))
    gram = (gram + gram.T) / 2
    system = gram + lam * np.eye(k)
    constants("RIDGE", k=k, t=t, **{"lambda": lam})
    array("expected_ridge_gram", gram)
    array("expected_ridge_rhs", rhs)
    array("expected_ridge_w", scipy.linalg.solve(system, rhs, assume_a="pos"))
    array("expected_ridge_chol", scipy.linalg.cholesky(system, lower=True))


def flow_match(rng: np.random.Generator) -> None:
    n, shown = 37, ((1.0, 0.9878048780487805), (0.5, 0.47), (0.13, 0.1), (0.3, 0.7))
    x, v = rng.standard_normal(n).astype(np.float32), rng.standard_normal(n).astype(np.float32)
    y = []
    for sigma_t, sigma_n in shown:
        dt = np.float32(sigma_n - sigma_t)
        y.append(x + dt * v)
        # these values tell a rounded product from an exact one, and dt worked out in double from dt worked out in float
        assert np.any(y[-1] != (x + float(dt) * v.astype(np.float64)).astype(np.float32))
        assert np.any(y[-1] != x + (np.float32(sigma_n) - np.float32(sigma_t)) * v)
    constants("MATCH", n=n, cases=len(shown))
    array("expected_match_sigmas", np.array(shown))
    array("expected_match_x", x, "float")
    array("expected_match_v", v, "float")
    array("expected_match_y", np.array(y), "float")


def flow_loop(rng: np.random.Generator) -> None:
    """The loop of flow_loop.h, in NumPy's float32."""
    n, steps, shift = 37, 28, 3.0
    time = 1.0 - np.arange(steps + 1) / steps
    sigma = shift * time / (1.0 + (shift - 1.0) * time)
    x = rng.standard_normal(n).astype(np.float32)
    constants("LOOP", n=n)
    array("expected_loop_x", x, "float")
    one, four = np.float32(1.0), np.float32(4.0)
    for i in range(steps):
        other = x[(7 * np.arange(n) + 3) % n]
        v = four * (other / (one + other * other)) - x
        x = x + np.float32(sigma[i + 1] - sigma[i]) * v
    assert x.dtype == np.float32
    array("expected_loop_y", x, "float")


def flow_sde(rng: np.random.Generator) -> None:
    n = 13
    # sigma_t, sigma_n, noise_scale, what is given: 0 nothing, 1 noise, 2 a sample
    shown = [(0.5, 0.45, 0.7, 1), (0.5, 0.45, 0.7, 0), (0.5, 0.45, 0.7, 2), (0.9, 0.85, 1.5, 1), (1.0, 0.98, 0.7, 1),
             (1.0, 0.98, 0.7, 2), (0.0, 0.0, 0.7, 0), (5e-7, 0.0, 0.7, 2), (0.4, 0.6, 0.7, 1), (0.6, 0.5, 0.0, 1)]
    real = np.longdouble
    x, v, noise, sample = (rng.standard_normal(n).astype(np.float32).astype(real) for _ in range(4))
    y, mean, log_prob, e = [], [], [], []
    for sigma_t, sigma_n, noise_scale, given in shown:
        dt, s = real(sigma_n) - real(sigma_t), min(real(sigma_t), real(0.9999))
        std, d = real(noise_scale) * np.sqrt(s / (1 - s)), 2 * max(s, real(1e-6))
        mean.append(x * (1 + std**2 / d * dt) + v * (1 + std**2 * (1 - s) / d) * dt)
        e.append(max(std * np.sqrt(max(-dt, real(1e-12))), real(1e-6)))
        y.append(sample if given == 2 else mean[-1] + e[-1] * noise * (given == 1))
        terms = -((y[-1] - mean[-1]) ** 2) / (2 * e[-1] ** 2) - np.log(e[-1]) - np.log(2 * real(np.pi)) / 2
        log_prob.append(terms.mean())
    constants("SDE", n=n, cases=len(shown))
    array("expected_sde_given", np.array(shown))
    for name, values in (("x", x), ("v", v), ("noise", noise), ("sample", sample), ("y", y), ("mean", mean)):
        array(f"expected_sde_{name}", np.array(values).astype(np.float32), "float")
    array("expected_sde_log_prob", np.array(log_prob).astype(np.float64))
    array("expected_sde_e", np.array(e).astype(np.float64))


def main() -> None:
    rng = np.random.default_rng(20140514)
    print("/* SPDX-License-Identifier: Apache-2.0")
    print(" *")
    print(" * Written by expected.py with NumPy and SciPy: inputs and results that this project did not compute. */")
    print("#ifndef TESTS_KERNELS_EXPECTED_H")
    print("#define TESTS_KERNELS_EXPECTED_H")
    print()
    print("#include <stddef.h>")
    print()
    print("/* clang-format off */")
    print("#pragma GCC diagnostic push /* a source file uses the values of its own op alone */")
    print('#pragma GCC diagnostic ignored "-Wunused-variable"')
    for part in (gemm, rbf, residual, gradient, ridge, flow_match, flow_loop, flow_sde, gemm_narrow):
        print()
        part(rng)
    print()
    print("#pragma GCC diagnostic pop")
    print("/* clang-format on */")
    print()
    print("#endif")


if __name__ == "__main__":
    main()
