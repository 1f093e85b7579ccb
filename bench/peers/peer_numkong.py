# SPDX-License-Identifier: Apache-2.0
"""NumKong: products of rows, of a matrix that it packs first, which is part of the work here."""
from typing import Any, List, Optional

import numkong
import numpy as np

from ways import Peer, Way, looped
from work import Task

_TYPES = {"gemm_nt": "float64", "gemm_nt_f32": "float32", "gemm_nt_bf16": "bf16"}


class NumKong(Peer):
    version = str(numkong.__version__)

    def lacks(self, op: str) -> Optional[str]:
        if op == "gemm_tn":
            return "it has products of rows only"
        return None if op in _TYPES else "no equivalent"

    def ways(self, task: Task) -> List[Way]:
        a, b = (_tensor(task.inputs[name], _TYPES[task.op]) for name in ("a", "b"))
        c = numkong.dots_packed(a, numkong.dots_pack(b))
        return [Way(f"dots_pack, dots_packed into {c.dtype}",
                    looped(lambda: numkong.dots_packed(a, numkong.dots_pack(b), out=c)), lambda: {"c": np.asarray(c)})]


def _tensor(array: Any, name: str) -> Any:
    return numkong.from_pointer(array.ctypes.data, array.shape, name, owner=array)
