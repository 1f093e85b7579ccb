#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Parity and speed of every kernel for CUDA devices that the first one here can run. See README.md.

The programs bench_gpu and bench_gpu_parity measure; this runs them, within a time, goes on after what fails in them,
and puts the results together. Exit status: 0 all that was begun is well; 1 something failed; 2 usage; 3 no GPU that
can be used, and nothing was measured.
"""
import argparse
import json
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Dict, IO, Iterable, List, Optional, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
import report  # noqa: E402

Record = Dict[str, Any]
OK, FAILED, USAGE, NO_DEVICE, AGAIN = range(5)  # exit statuses, of the programs and of this
ITEM_S = 40.0  # that one item may take before it counts as hanging
GRACE_S = 15.0  # that what was begun in time may take beyond it
TIME_IS_UP = 1000  # in place of an exit status
PARITY_SHARE = 0.45  # of the time left
FORCED = {"CUDA_FORCE_PTX_JIT": "1"}  # the driver compiles PTX, whatever machine code there is
COLD = {"CUDA_CACHE_DISABLE": "1"}  # it compiles anew
# One of these is there with a driver: of Linux, of WSL, of Tegra (docs/detection.md).
NODES = ("/dev/nvidiactl", "/dev/dxg", "/dev/nvhost-ctrl-gpu")
MATHS = {"gemm_tn": ["f64"], "gemm_nt": ["f64"], "gemm_nt_f32": ["f32", "tf32"], "gemm_nt_bf16": ["bf16"]}


def pump(stream: IO[str], lines: "queue.Queue[Optional[str]]") -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


class Bench:
    def __init__(self, folder: Path, suffix: str, tiny: bool, device: Optional[str], seconds: float) -> None:
        self.folder, self.suffix, self.tiny, self.device = folder, suffix, tiny, device
        self.end = time.monotonic() + seconds
        self.left_out: List[Record] = []
        self.failed: List[Record] = []

    def left_s(self) -> float:
        return self.end - time.monotonic()

    def environment(self, more: Optional[Dict[str, str]]) -> Dict[str, str]:
        found = {**os.environ, **(more or {})}
        if self.device is not None:
            found["CUDA_VISIBLE_DEVICES"] = self.device
        return found

    def start(self, what: str, items: Iterable[str], end: float,
              more: Optional[Dict[str, str]]) -> "subprocess.Popen[str]":
        if what == "parity":
            command = [str(self.folder / f"bench_gpu_parity{self.suffix}")]
        else:
            command = [str(self.folder / f"bench_gpu{self.suffix}"), what]
            command += ["--tiny"] if self.tiny else []
            command += ["--seconds", f"{max(end - time.monotonic(), 0.0):.1f}"]
        return subprocess.Popen([*command, *items], stdout=subprocess.PIPE, text=True, errors="replace",
                                env=self.environment(more))

    def once(self, what: str, items: Iterable[str], end: float,
             more: Optional[Dict[str, str]]) -> Tuple[List[Record], int, str]:
        """One process: its records, its exit status, and what is to be said of it where that is not 0."""
        process = self.start(what, items, end, more)
        lines: "queue.Queue[Optional[str]]" = queue.Queue()
        assert process.stdout is not None
        threading.Thread(target=pump, args=(process.stdout, lines), daemon=True).start()
        records: List[Record] = []
        while True:
            try:
                line = lines.get(timeout=min(ITEM_S, max(self.left_s(), 0.0) + GRACE_S))
            except queue.Empty:
                process.kill()
                process.wait()
                if self.left_s() < 0.0:
                    return records, TIME_IS_UP, ""
                return records, FAILED, f"nothing came of it in {ITEM_S:.0f} s"
            if line is None:
                break
            if line.startswith('{"kind": '):
                records.append(json.loads(line))
                self.progress(records[-1])
        status = process.wait()
        return records, status, f"ended by signal {-status}" if status < 0 else f"exit status {status}"

    @staticmethod
    def progress(record: Record) -> None:
        if record["kind"] in ("parity", "cell", "library"):
            print(f"  {record['kind']:8}{report.name(record):44} {record['state']:12}{record.get('why') or ''}",
                  file=sys.stderr, flush=True)

    def fail(self, what: str, item: str, why: str) -> None:
        self.failed.append({"what": what, "item": item.replace("|", " "), "why": why})

    def all_of(self, what: str, keys: List[str], items: List[str], end: float,
               more: Optional[Dict[str, str]] = None) -> List[Record]:
        """Items of one kind, in as many processes as that takes. keys: the members that make up an item."""
        pending, found = list(items), []
        while pending and time.monotonic() < end:
            batch = pending if what != "parity" else pending[:4]  # it does not look at the time itself
            records, status, said = self.once(what, batch, end, more)
            found += records
            done = {"|".join(record[key] for key in keys) for record in records}
            pending = [item for item in pending if item not in done]
            if status == NO_DEVICE:
                for item in pending:
                    self.fail(what, item, "there is no device any more")
                return found
            if status == TIME_IS_UP or (status == OK and what != "parity"):
                break
            if status not in (OK, AGAIN) or not records:
                if pending:
                    self.fail(what, pending.pop(0), said)
                else:
                    self.fail(what, "the end of it", said)
        for item in pending:
            self.left_out.append({"what": what, "item": item.replace("|", " ")})
        for record in found:
            if record.get("state") in ("failed", "missed"):
                self.fail(what, report.name(record), record["why"])
        return found

    def single(self, what: str, items: Iterable[str] = (), always: bool = False,
               more: Optional[Dict[str, str]] = None) -> List[Record]:
        """What is one process, whole or not at all."""
        if self.left_s() <= 0.0 and not always:
            self.left_out.append({"what": what, "item": " ".join(items)})
            return []
        records, status, said = self.once(what, items, self.end, more)
        if status == TIME_IS_UP:
            self.left_out.append({"what": what, "item": " ".join(items)})
        elif status not in (OK, NO_DEVICE):
            whys = [why for record in records for why in [record.get("why") or record.get("error")] if why]
            self.fail(what, " ".join(items), "; ".join(whys) or said)
        return records


def order(arch: str, best: str) -> Tuple[int, str]:
    """The card's own first, then what serves all, then the older ones."""
    return (0 if arch == best else 1 if arch == "generic" else 2, arch)


def best_of(archs: List[str]) -> str:
    def rank(arch: str) -> int:
        digits = "".join(c for c in arch if c.isdigit())
        return int(digits) if arch.startswith("sm") and digits else 0
    return max(archs, key=rank, default="")


def of_kind(records: List[Record], *kinds: str) -> List[Record]:
    return [{key: record[key] for key in record if key != "kind"} for record in records if record["kind"] in kinds]


def parity(bench: Bench, cells: List[Record]) -> List[Record]:
    keys = ["op", "arch", "variant"]
    end = time.monotonic() + PARITY_SHARE * bench.left_s()
    items = ["|".join(cell[key] for key in keys) for cell in cells]
    found = of_kind(bench.all_of("parity", keys, items, end), "parity")
    forced = [item for item in items if "|generic|default" in item]
    again = of_kind(bench.all_of("parity", keys, forced, end, FORCED), "parity")
    return [{**record, "forced_ptx": False} for record in found] + [{**record, "forced_ptx": True} for record in again]


def first_calls(bench: Bench, archs: List[str]) -> List[Record]:
    """Each arch in a process of its own; the first of them once more, from PTX."""
    found: List[Record] = []
    for arch, more in [*((arch, COLD) for arch in archs), *((arch, {**COLD, **FORCED}) for arch in archs[:1])]:
        records = of_kind(bench.single("load", [arch], more=more), "first call", "opening")
        for record in records:
            if record["error"]:
                bench.fail("load", report.name(record), record["error"])
        found += [{**record, "forced_ptx": more != COLD} for record in records]
    return found


def measure(bench: Bench, listed: List[Record], ops: Optional[List[str]], with_parity: bool) -> Record:
    """listed: what there is; ops: of it, these alone; None: all."""
    about = bench.single("card", always=True)
    absent = of_kind(about, "absent")
    if absent or not of_kind(about, "device"):
        bench.failed = bench.failed if not absent else []
        return {"absent": absent[0]["why"] if absent else "bench_gpu card told of no device"}
    listed = [record for record in listed if ops is None or record["op"] in ops]
    archs = of_kind(about, "arch")
    runs = [arch["arch"] for arch in archs if arch["runs"]]
    best = best_of(runs)
    cells = sorted((cell for cell in of_kind(listed, "declared") if cell["arch"] in runs and cell["built"]),
                   key=lambda cell: order(cell["arch"], best))
    cases = of_kind(listed, "case")
    whole: Record = {"rung_bench_gpu": 1, "tiny": bench.tiny, "device": of_kind(about, "device")[0], "archs": archs,
                     "aims": report.AIMS, "memory": of_kind(about, "memory"), "cases": cases,
                     "cells_declared": of_kind(listed, "declared")}
    whole["parity"] = parity(bench, cells) if with_parity else []
    products = [f"{case['op']}|{math}|{case['case']}" for case in cases for math in MATHS.get(case["op"], [])]
    whole["library"] = of_kind(bench.all_of("library", ["op", "math", "case"], products, bench.end), "library")
    whole["launch"] = next(iter(of_kind(bench.single("launch"), "launch")), None)
    for op in sorted({cell["op"] for cell in cells} - {case["op"] for case in cases}):
        bench.fail("cells", op, "bench/gpu/cases.c has no case of it: its kernels are not timed")
    timed = [f"{cell['op']}|{cell['arch']}|{cell['variant']}|{case['case']}"
             for cell in cells for case in cases if case["op"] == cell["op"]]
    whole["cells"] = of_kind(bench.all_of("cells", ["op", "arch", "variant", "case"], timed, bench.end), "cell")
    whole["transfers"] = of_kind(bench.single("transfer"), "transfer")
    whole["first_calls"] = first_calls(bench, sorted(runs, key=lambda arch: order(arch, best)))
    report.judge(whole)
    return whole


def parse(arguments: List[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bench-gpu", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    # what ./dev and the tests say: whether it can begin, before the programs are built; the folder of bench_gpu and
    # bench_gpu_parity, and a suffix of their names; of the seconds, those that are gone already
    parser.add_argument("--ready", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--programs", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--suffix", default="", help=argparse.SUPPRESS)
    parser.add_argument("--spent", type=float, default=0.0, help=argparse.SUPPRESS)
    parser.add_argument("-o", "--output", type=Path, help="where the JSON is written")
    parser.add_argument("--seconds", type=float, default=220.0, help="nothing is begun after so many (default 220)")
    parser.add_argument("--device", help="of CUDA_VISIBLE_DEVICES: another GPU than the first")
    parser.add_argument("--op", action="append", help="of the cells, those of this op alone; may be given again")
    parser.add_argument("--no-parity", action="store_true", help="times alone")
    parser.add_argument("--tiny", action="store_true", help="sizes for a trial: the figures mean nothing")
    parser.add_argument("--list", action="store_true", help="say what would be done, and do nothing")
    options = parser.parse_args(arguments)
    if options.programs is None and not options.ready:
        parser.error("the programs are missing: ./dev bench-gpu builds them")
    return options


def no_device(why: str) -> int:
    print(f"bench-gpu: no GPU was measured: {why}", file=sys.stderr)
    return NO_DEVICE


def ready(options: argparse.Namespace, nodes: Iterable[str] = NODES) -> int:
    """Whether it is worth while to build anything: AGAIN."""
    if options.list or options.programs is not None or any(os.path.exists(node) for node in nodes):
        return AGAIN
    return no_device(f"no driver is loaded, as none of {', '.join(nodes)} is there")


def main(arguments: List[str]) -> int:
    options = parse(arguments)
    if options.ready:
        return ready(options)
    start = time.monotonic()
    bench = Bench(options.programs.resolve(), options.suffix, options.tiny, options.device,
                  options.seconds - options.spent)
    listed = bench.single("list", always=True)
    ops = {record["op"] for record in of_kind(listed, "declared")}
    for op in options.op or []:
        if ops and op not in ops:
            print(f"bench-gpu: --op {op}: there is no such op; there are {', '.join(sorted(ops))}", file=sys.stderr)
            return USAGE
    if options.list:
        print(report.plan(listed))
        return FAILED if bench.failed else OK
    whole = measure(bench, listed, options.op, not options.no_parity)
    if "absent" in whole:
        return no_device(whole["absent"])
    whole.update(left_out=bench.left_out, failed=bench.failed,
                 seconds=round(options.spent + time.monotonic() - start, 1))
    print(report.text(whole))
    if options.output is not None:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps(whole, indent=1) + "\n")
        print(f"\nall of it: {options.output}")
    return FAILED if bench.failed else OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
