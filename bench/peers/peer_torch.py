# SPDX-License-Identifier: Apache-2.0
"""PyTorch on the CPU, on the same memory as the arrays."""
import math
from typing import Any, Dict, List

import torch

from ways import Peer, Way, looped
from work import HALF_LN_2PI, Arrays, Task, sde_factors


class Torch(Peer):
    version = str(torch.__version__)

    def __init__(self) -> None:
        torch.set_num_threads(1)
        torch.set_num_interop_threads(1)
        torch.set_grad_enabled(False)

    def ways(self, task: Task) -> List[Way]:
        out = task.outputs()
        given = {name: torch.from_numpy(array) for name, array in task.inputs.items()}
        into = {name: torch.from_numpy(array) for name, array in out.items()}
        ways: List[Way] = getattr(self, f"_{task.op}")(task, given, into, out)
        return ways

    def _gemm_tn(self, task: Task, given: Dict[str, Any], into: Dict[str, Any], out: Arrays) -> List[Way]:
        return [Way("mm", looped(lambda: torch.mm(given["a"].t(), given["b"], out=into["c"])), lambda: out)]

    def _gemm_nt(self, task: Task, given: Dict[str, Any], into: Dict[str, Any], out: Arrays) -> List[Way]:
        return [Way("mm", looped(lambda: torch.mm(given["a"], given["b"].t(), out=into["c"])), lambda: out)]

    _gemm_nt_f32 = _gemm_nt

    def _gemm_nt_bf16(self, task: Task, given: Dict[str, Any], into: Dict[str, Any], out: Arrays) -> List[Way]:
        a, b = (given[name].view(torch.bfloat16) for name in ("a", "b"))
        c = torch.empty(into["c"].shape, dtype=torch.bfloat16)
        return [Way("mm of bfloat16, C too", looped(lambda: torch.mm(a, b.t(), out=c)),
                    lambda: {"c": c.float().numpy()}),
                Way("to float32, mm", looped(lambda: torch.mm(a.float(), b.float().t(), out=into["c"])), lambda: out)]

    def _flow_match_step(self, task: Task, given: Dict[str, Any], into: Dict[str, Any], out: Arrays) -> List[Way]:
        x, v, y = given["x"], given["v"], into["y"]
        dt = task.numbers["sigma_n"] - task.numbers["sigma_t"]

        def step() -> None:
            torch.mul(v, dt, out=y)
            y.add_(x)
        return [Way("add with alpha", looped(lambda: torch.add(x, v, alpha=dt, out=y)), lambda: out),
                Way("mul, add", looped(step), lambda: out)]

    def _flow_sde_step(self, task: Task, given: Dict[str, Any], into: Dict[str, Any], out: Arrays) -> List[Way]:
        x, v, noise = given["x"], given["v"], given["noise"]
        mean, part = (torch.empty(x.shape, dtype=torch.float64) for _ in range(2))

        def step() -> None:
            of_x, of_v, e = sde_factors(task.numbers)
            mean.copy_(x).mul_(of_x)
            part.copy_(v)
            mean.add_(part, alpha=of_v)
            into["mean"].copy_(mean)
            part.copy_(noise)
            into["e"].fill_(e)
            into["log_prob"].fill_(-0.5 * float(torch.dot(part, part)) / len(part) - math.log(e) - HALF_LN_2PI)
            into["y"].copy_(mean.add_(part, alpha=e))
        return [Way("mul, add, dot of doubles", looped(step), lambda: out)]

    def _rbf_factors(self, task: Task, given: Dict[str, Any], into: Dict[str, Any], out: Arrays) -> List[Way]:
        xyz, theta, f, d = given["xyz"], given["theta"], into["f"], into["d"]
        width = theta[:, 3]

        def factors() -> None:
            r = d[:, :, :3]
            torch.sub(xyz[:, None, :], theta[None, :, :3], out=r)
            q = torch.einsum("nkp,nkp->nk", r, r)
            torch.div(q, -2.0 * width * width, out=f)
            f.exp_()
            by = f / (width * width)
            r.mul_(by[:, :, None])
            torch.mul(by, q, out=d[:, :, 3])
            d[:, :, 3].div_(width)
        return [Way("exp and elementwise", looped(factors), lambda: out)]

    def _residual_energy(self, task: Task, given: Dict[str, Any], into: Dict[str, Any], out: Arrays) -> List[Way]:
        x, f, w, e = given["x"], given["f"], given["w"], into["e"]
        rest = torch.empty(x.shape, dtype=torch.float64)

        def energy() -> None:
            torch.mm(f, w, out=rest)
            torch.sub(x, rest, out=rest)
            torch.sum(rest.square_(), 1, out=e)
        return [Way("mm, sub, square, sum", looped(energy), lambda: out)]

    def _ridge_solve(self, task: Task, given: Dict[str, Any], into: Dict[str, Any], out: Arrays) -> List[Way]:
        gram, rhs, w, chol = given["gram"], given["rhs"], into["w"], into["chol"]
        ridge = task.numbers["lambda"] * torch.eye(len(gram), dtype=torch.float64)

        def solve() -> None:
            torch.linalg.cholesky(gram + ridge, out=chol)
            torch.cholesky_solve(rhs, chol, out=w)
        return [Way("cholesky, cholesky_solve", looped(solve), lambda: out)]

    def _factor_gradient(self, task: Task, given: Dict[str, Any], into: Dict[str, Any], out: Arrays) -> List[Way]:
        d, e, g = given["d"], given["e"], into["g"]
        return [Way("einsum", looped(lambda: g.add_(torch.einsum("nkp,nk->kp", d, e))), lambda: out)]
