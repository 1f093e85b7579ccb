# SPDX-License-Identifier: Apache-2.0
"""What bench_gpu.py prints, and how results stand to the aims."""
from typing import Any, Dict, List, Optional

Record = Dict[str, Any]
AIMS = {"memory_share_of_copy": 0.85, "product_share_of_library": 0.70, "call_over_launch_ns": 1000.0}


def name(record: Record) -> str:
    return " ".join(str(record[key]) for key in ("op", "arch", "variant", "math", "case") if key in record)


# ---- aims ------------------------------------------------------------------------------------------------------------

def math_of(cell: Record) -> str:
    if cell["variant"] == "tf32":
        return "tf32"
    return {"gemm_nt_f32": "f32", "gemm_nt_bf16": "bf16"}.get(cell["op"], "f64")


def share(value: Optional[float], of: Optional[float]) -> Optional[float]:
    return value / of if value is not None and of else None


def judge(whole: Record) -> None:
    """Adds to each timed cell its shares, and whether the aim of its kind is met: null where that cannot be told."""
    copy = next((record.get("median_gbps") for record in whole["memory"] if record["what"] == "copy"), None)
    library = {(record["op"], record["math"], record["case"]): record.get("gflops") for record in whole["library"]}
    for cell in whole["cells"]:
        if cell["state"] != "timed":
            continue
        cell["share_of_copy"] = share(cell["gbps"], copy)
        cell["share_of_library"] = share(cell["gflops"], library.get((cell["op"], math_of(cell), cell["case"])))
        cell["aim_met"] = None
        if cell["bound"] == "memory" and cell["share_of_copy"] is not None:
            cell["aim_met"] = cell["share_of_copy"] >= AIMS["memory_share_of_copy"]
        elif cell["bound"] == "product" and cell["variant"] != "cublas" and cell["share_of_library"] is not None:
            cell["aim_met"] = cell["share_of_library"] >= AIMS["product_share_of_library"]
    launch = whole["launch"]
    if launch is not None and launch["state"] == "timed":
        launch["plain_over_bare_ns"] = launch["plain_ns"] - launch["bare_ns"]
        launch["buffer_over_bare_ns"] = launch["buffer_ns"] - launch["bare_ns"]
        launch["aim_met"] = launch["plain_over_bare_ns"] < AIMS["call_over_launch_ns"]


# ---- text ------------------------------------------------------------------------------------------------------------

def figure(value: Optional[float], digits: int = 1, unit: str = "") -> str:
    return "-" if value is None else f"{value:.{digits}f}{unit}"


def percent(value: Optional[float]) -> str:
    return "-" if value is None else f"{100 * value:.0f} %"


def met(value: Optional[bool]) -> str:
    return {None: "-", True: "met", False: "not met"}[value]


def device(whole: Record) -> List[str]:
    about = whole["device"]
    clock = about["sm_clock_most_mhz"]
    lines = [f"{about['name']}, capability {about['capability']}, {about['memory_bytes'] / 2**30:.1f} GiB, "
             f"driver {about['driver'] or 'unknown'}, CUDA {about['cuda']}"
             + (f", SM clock up to {clock} MHz" if clock else "")]
    if whole["tiny"]:
        lines.append("tiny sizes: the figures mean nothing")
    lines += [f"{record['what']}, {record['bytes'] / 2**20:.0f} MiB: median {figure(record.get('median_gbps'))} GB/s, "
              f"best {figure(record.get('best_gbps'))} GB/s" for record in whole["memory"] if "bytes" in record]
    return lines


def parity(whole: Record) -> List[str]:
    counts: Dict[str, int] = {}
    for record in whole["parity"]:
        counts[record["state"]] = counts.get(record["state"], 0) + 1
    lines = ["", "parity: " + (", ".join(f"{count} {state}" for state, count in counts.items()) or "none was run")]
    lines += [f"  {name(record)}{', from PTX' if record['forced_ptx'] else ''}: {record['state']}: {record['why']}"
              for record in whole["parity"] if record["state"] != "proven"]
    experimental = {(cell["op"], cell["arch"], cell["variant"])
                    for cell in whole["cells_declared"] if cell["experimental"]}
    lines += [f"  {name(record)}: an experimental cell, proven on this device" for record in whole["parity"]
              if record["state"] == "proven" and (record["op"], record["arch"], record["variant"]) in experimental]
    return lines


def cells(whole: Record) -> List[str]:
    lines = ["", f"{'op':16}{'arch':9}{'variant':9}{'case':13}{'us':>10}{'GB/s':>9}{'of copy':>9}{'GFLOP/s':>11}"
                 f"{'of library':>12}  aim"]
    for cell in whole["cells"]:
        head = f"{cell['op']:16}{cell['arch']:9}{cell['variant']:9}{cell['case']:13}"
        if cell["state"] != "timed":
            lines.append(f"{head}  {cell['state']}: {cell['why']}")
            continue
        lines.append(f"{head}{figure(cell['median_us']):>10}{figure(cell['gbps']):>9}"
                     f"{percent(cell['share_of_copy']):>9}{figure(cell['gflops']):>11}"
                     f"{percent(cell['share_of_library']):>12}  {met(cell['aim_met'])}"
                     + (f" ({cell['note']}: {cell['sizes']})" if cell["note"] else ""))
    lines.append(f"(aims: memory-bound ops {percent(AIMS['memory_share_of_copy'])} of the copy, "
                 f"products {percent(AIMS['product_share_of_library'])} of the library's rate)")
    return lines


def library(whole: Record) -> List[str]:
    lines = ["", "the library's products, GFLOP/s"]
    whys = sorted({record["why"] for record in whole["library"] if record["state"] != "timed"})
    lines += [f"  {record['op']:16}{record['math']:6}{record['case']:8}{figure(record['gflops']):>12}  "
              f"{record['sizes']}" for record in whole["library"] if record["state"] == "timed"]
    return lines + [f"  left open: {why}" for why in whys]


def launch(whole: Record) -> List[str]:
    found = whole["launch"]
    if found is None or found["state"] != "timed":
        return ["", "a call on a queue: " + ("left out" if found is None else found["why"])]
    return ["", f"a call on a queue, ns: bare launch {figure(found['bare_ns'], 0)}, plain call "
                f"{figure(found['plain_ns'], 0)} (+{figure(found['plain_over_bare_ns'], 0)}), buffer call "
                f"{figure(found['buffer_ns'], 0)} (+{figure(found['buffer_over_bare_ns'], 0)}); aim: the plain call at "
                f"most {AIMS['call_over_launch_ns']:.0f} ns above: {met(found['aim_met'])}"]


def first_calls(whole: Record) -> List[str]:
    lines = ["", "first use, ms (opening, context, then the first and second call of each op)"]
    for record in whole["first_calls"]:
        forced = " from PTX" if record["forced_ptx"] else ""
        if "op" not in record:
            lines.append(f"  {record['arch'] + forced:18} open {figure(record['open_ms'], 2)}, context "
                         f"{figure(record['context_ms'], 1)}" + (f": {record['error']}" if record["error"] else ""))
        elif record["first_ms"] is not None and record["error"] is None:
            compiled = ", compiled from PTX" if record["compiled"] else ""
            lines.append(f"  {record['arch'] + forced:18} {record['op']:16} {figure(record['first_ms'], 2):>9}"
                         f"{figure(record['second_ms'], 2):>9}{compiled}")
        else:
            lines.append(f"  {record['arch'] + forced:18} {record['op']:16} {record['error']}")
    return lines


def transfers(whole: Record) -> List[str]:
    lines = ["", f"{'transfers through buffers, GB/s':34}{'to device':>11}{'to host':>11}"]
    for record in whole["transfers"]:
        lines.append(f"  {record['memory']:32}{figure(record.get('to_device_gbps')):>11}"
                     f"{figure(record.get('to_host_gbps')):>11}" + (f"  {record['why']}" if record["why"] else ""))
    return lines


def rest(whole: Record) -> List[str]:
    lines = ["", f"{whole['seconds']:.0f} s; {len(whole['failed'])} failed, {len(whole['left_out'])} left out for want "
                 "of time"]
    lines += [f"  failed: {record['what']} {record['item']}: {record['why']}" for record in whole["failed"]]
    lines += [f"  left out: {record['what']} {record['item']}" for record in whole["left_out"]]
    return lines


def text(whole: Record) -> str:
    parts = [device, parity, library, cells, launch, first_calls, transfers, rest]
    return "\n".join(line for part in parts for line in part(whole))


def plan(listed: List[Record]) -> str:
    """What would be done: cells by arch, and the cases with what they move and compute."""
    lines = ["parity of, and the times of, every one of these cells that the GPU can run"]
    for record in listed:
        if record["kind"] == "declared":
            notes = ("" if record["built"] else "not built") + (" experimental" if record["experimental"] else "")
            lines.append(f"  {record['op']:18}{record['arch']:10}{record['variant']:10}{record['source']:42}{notes}"
                         .rstrip())
    lines += ["", f"on these sizes\n  {'':30}{'MB':>10}{'GFLOP':>10}"]
    for record in listed:
        if record["kind"] == "case":
            flops = figure(record["flops"] / 1e9, 2) if record["flops"] else "-"
            lines.append(f"  {record['op']:18}{record['case']:12}{record['bytes'] / 1e6:>10.1f}{flops:>10}  "
                         f"{record['sizes']}")
    lines += ["", "then the copy bandwidth, the library's rates, launches, transfers and first calls "
                  "(bench/gpu/README.md)"]
    return "\n".join(lines)
