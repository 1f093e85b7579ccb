# SPDX-License-Identifier: Apache-2.0
"""Rung's own best kernel, and OpenBLAS: through the variant `openblas` where Rung has one, else called itself. The
loops over calls are in C (peers.c)."""
import ctypes
import os
from typing import Any, Dict, List, Optional

import numpy as np

import ways
from ways import Absent, Peer, Way
from work import Arrays, Task

DEFAULT, OPENBLAS = "default", "openblas"


def load() -> Any:
    path = os.environ.get("RUNG_PEERS_LIBRARY", "")
    if not path:
        raise Absent("its library was not built (bench/peers/CMakeLists.txt)")
    library = ctypes.CDLL(path)
    library.peers_text.restype = library.peers_argument.restype = library.peers_openblas.restype = ctypes.c_char_p
    library.peers_size.restype = ctypes.c_longlong
    library.peers_call.restype = library.peers_sgemm_nt.restype = ctypes.c_double
    library.peers_number.argtypes = [ctypes.c_uint, ctypes.c_double]
    library.peers_clock(int(ways.is_processor_time()))
    library.peers_array.argtypes = [ctypes.c_uint, ctypes.c_void_p]
    return library


def _begin(library: Any, op: str, variant: str) -> str:
    """What is called."""
    if library.peers_begin(op.encode(), variant.encode()) != 0:
        raise Absent(library.peers_text().decode())
    return str(library.peers_text().decode())


def sizes_of(library: Any, op: str) -> List[Dict[str, int]]:
    """Those that the registry names to be timed at."""
    _begin(library, op, DEFAULT)
    arguments: List[str] = []
    while library.peers_argument(len(arguments)) is not None:
        arguments.append(library.peers_argument(len(arguments)).decode())
    rows: List[Dict[str, int]] = []
    while True:
        found = {name: int(library.peers_size(len(rows), name.encode())) for name in arguments}
        row = {name: size for name, size in found.items() if size >= 0}
        if not row:
            return rows
        rows.append(row)


def _way(library: Any, name: str, task: Task, outputs: Arrays) -> Way:
    arrays = {**task.inputs, **outputs}
    argument = 0
    while library.peers_argument(argument) is not None:
        key = library.peers_argument(argument).decode()
        if key in arrays:
            library.peers_array(argument, arrays[key].ctypes.data)
        elif key in task.numbers:
            library.peers_number(argument, float(task.numbers[key]))
        else:  # optional, and not given
            library.peers_array(argument, None)
        argument += 1

    def run(calls: int) -> float:
        seconds = float(library.peers_call(calls))
        if seconds < 0:
            raise Absent("a call was refused")
        return seconds
    return Way(name, run, lambda: outputs)


class Rung(Peer):
    def __init__(self) -> None:
        self.library = load()
        self.version = "this tree"

    def ways(self, task: Task) -> List[Way]:
        return [_way(self.library, _begin(self.library, task.op, DEFAULT), task, task.outputs())]


_CALLS = {"gemm_tn": "cblas_dgemm", "gemm_nt": "cblas_dgemm", "gemm_nt_f32": "cblas_sgemm",
          "ridge_solve": "dpotrf, cblas_dtrsm"}


class OpenBlas(Peer):
    def __init__(self) -> None:
        self.library = load()
        configuration = ctypes.c_char_p()
        core = self.library.peers_openblas(ctypes.byref(configuration))
        if core is None:
            raise Absent("the build found no OpenBLAS (Debian: libopenblas-dev)")
        self.core = core.decode()
        wanted = os.environ.get("OPENBLAS_CORETYPE")
        if wanted and wanted.lower() != self.core.lower():
            raise Absent(f"it has no core type {wanted}, and takes {self.core}")
        words = (configuration.value or b"").decode().split()
        self.version = " ".join(words[:2])

    def lacks(self, op: str) -> Optional[str]:
        if op == "gemm_nt_bf16":
            return "cblas_sbgemm is not in every build of it, and not called here"
        return None if op in _CALLS else "no equivalent"

    def ways(self, task: Task) -> List[Way]:
        if task.op == "gemm_nt_f32":
            return [self._sgemm(task)]
        _begin(self.library, task.op, OPENBLAS)
        return [_way(self.library, _CALLS[task.op], task, task.outputs())]

    def _sgemm(self, task: Task) -> Way:
        c = np.full((task.sizes["m"], task.sizes["n"]), np.nan, dtype=np.float32)
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (c, task.inputs["a"], task.inputs["b"])]
        numbers = [ctypes.c_int(task.sizes[name]) for name in ("m", "n", "k")]
        return Way(_CALLS[task.op], lambda calls: float(self.library.peers_sgemm_nt(calls, *pointers, *numbers)),
                   lambda: {"c": c})
