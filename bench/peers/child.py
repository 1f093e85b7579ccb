# SPDX-License-Identifier: Apache-2.0
"""One peer in a process of its own: reads what to do as JSON from stdin, and writes what it found to stdout."""
import importlib
import json
import sys
from typing import Any, Dict, List

import ways
import work
from ways import Absent, Peer, Way, sample

# Module and class of each; OpenBLAS's core type is in the environment.
PEERS = {"Rung": ("peer_native", "Rung"), "OpenBLAS": ("peer_native", "OpenBlas"), "NumPy": ("peer_numpy", "NumPy"),
         "SciPy": ("peer_numpy", "SciPy"), "PyTorch": ("peer_torch", "Torch"),
         "ONNX Runtime": ("peer_onnx", "Onnx"), "NumKong": ("peer_numkong", "NumKong")}


def measure(peer: Peer, op: str, sizes: Dict[str, int], turns: int, turn_s: float) -> Dict[str, Any]:
    """Of several ways to do the same the fastest that gives the right results."""
    record: Dict[str, Any] = {"op": op, "sizes": sizes, "task": work.name_of(op, sizes), "way": None, "samples": [],
                              "why": peer.lacks(op), "differs": None}
    if record["why"]:
        return record
    differing: List[str] = []
    try:
        task = work.make(op, sizes)
        possible: List[Way] = peer.ways(task)
        for way in possible:
            way.run(1)
            differs = task.differs(way.results())
            if differs:
                differing.append(f"{way.name}: {differs}")
                continue
            samples = sample(way, turns, turn_s)
            if not record["samples"] or min(samples) < min(record["samples"]):
                record.update(way=way.name, samples=samples)
    except Absent as why:
        record["why"] = str(why)
    except Exception as error:  # of a library that has the op, but not for these types: the others go on
        record["why"] = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    record["differs"] = "; ".join(differing) or None
    return record


def main() -> int:
    order = json.load(sys.stdin)
    module, name = PEERS[order["peer"]]
    ways.use_clock(order["clock"])
    try:
        peer: Peer = getattr(importlib.import_module(module), name)()
    except (ImportError, OSError, Absent) as error:
        print(json.dumps({"absent": str(error).splitlines()[0]}))
        return 0
    found = [measure(peer, op, sizes, order["turns"], order["turn_s"]) for op, sizes in order["tasks"]]
    print(json.dumps({"version": peer.version, "core": getattr(peer, "core", None), "results": found}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
