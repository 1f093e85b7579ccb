# SPDX-License-Identifier: Apache-2.0
"""What all peers have found, as one structure and as text. Ratios are times over Rung's: above 1 Rung is faster."""
import statistics
from typing import Any, Dict, List, Optional, Sequence

OWN = "Rung"
BEST = "OpenBLAS, best core type"


def _times(record: Optional[Dict[str, Any]]) -> Optional[Dict[str, Any]]:
    if not record or not record["samples"]:
        return None
    low, median, high = statistics.quantiles(record["samples"], n=4, method="inclusive")
    return {"median": median, "low": low, "high": high, "turns": len(record["samples"])}


def _line(name: str, record: Dict[str, Any], own: Optional[Dict[str, Any]]) -> Dict[str, Any]:
    seconds = _times(record)
    ratio = seconds["median"] / own["median"] if seconds and own else None
    return {"peer": name, "way": record["way"], "seconds": seconds, "ratio": ratio, "why": record["why"],
            "differs": record["differs"]}


def _best_core(columns: Dict[str, Dict[str, Any]], task: str,
               own: Optional[Dict[str, Any]]) -> Optional[Dict[str, Any]]:
    """Of the core types that were set by hand."""
    lines = [{**_line(BEST, column["records"][task], own), "core": column["asked"]} for column in columns.values()
             if column["asked"] and not column["absent"] and task in column["records"]]
    timed = [line for line in lines if line["seconds"]]
    return min(timed, key=lambda line: float(line["seconds"]["median"])) if timed else None


def whole(machine: Dict[str, str], clock: str, tasks: Sequence[str],
          columns: Dict[str, Dict[str, Any]]) -> Dict[str, Any]:
    found = []
    for task in tasks:
        own = _times(columns[OWN]["records"].get(task)) if OWN in columns else None
        lines: List[Dict[str, Any]] = []
        for name, column in columns.items():
            if column["asked"] or column["absent"]:
                continue
            lines.append({**_line(name, column["records"][task], own), "core": column["core"]})
            best = _best_core(columns, task, own) if column["peer"] == "OpenBLAS" else None
            if best:
                lines.append(best)
        found.append({"task": task, "peers": lines})
    return {"machine": machine, "threads": 1, "clock": clock,
            "versions": {name: column["version"] for name, column in columns.items()
                         if not column["asked"] and not column["absent"]},
            "absent": {name: column["absent"] for name, column in columns.items() if column["absent"]},
            "tasks": found}


def _time(seconds: float) -> str:
    for unit, scale in (("ns", 1e9), ("us", 1e6), ("ms", 1e3)):
        if seconds * scale < 999.5:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds:.3g} s"


def _peer(line: Dict[str, Any]) -> str:
    return f"{line['peer']}: {line['core']}" if line.get("core") else str(line["peer"])


def _row(line: Dict[str, Any]) -> str:
    seconds = line["seconds"]
    if not seconds:
        why = f"the results do not agree: {line['differs']}" if line["differs"] else line["why"]
        return f"  {_peer(line):36} {'-':>5}  {why}"
    spread = f"{_time(seconds['low'])} to {_time(seconds['high'])}"
    ratio = f"{line['ratio']:.2f}" if line["ratio"] is not None else "-"
    return f"  {_peer(line):36} {ratio:>5}  {_time(seconds['median']):>8}  {spread:22} {line['way']}"


def _summary(tasks: Sequence[Dict[str, Any]]) -> List[str]:
    """A row for each op and size, a column for each peer."""
    names = list(dict.fromkeys(line["peer"] for task in tasks for line in task["peers"] if line["peer"] != OWN))
    if not names:
        return []
    heads = [name.replace(BEST, "OpenBLAS*") for name in names]
    rows = ["ratios; Rung = 1, above 1 Rung is faster" + ("; *: with its best core type" if BEST in names else ""),
            f"{'':36}" + "".join(f"{head:>14}" for head in heads)]
    for task in tasks:
        ratio = {line["peer"]: line["ratio"] for line in task["peers"]}
        cells = [f"{ratio[name]:.2f}" if ratio.get(name) is not None else "-" for name in names]
        rows.append(f"{task['task']:36}" + "".join(f"{cell:>14}" for cell in cells))
    return rows


def text(found: Dict[str, Any]) -> str:
    machine = found["machine"]
    clock = "processor time" if found["clock"] == "cpu" else "time that passed"
    lines = [f"{machine['processor']}, {machine['system']}, one thread, {clock}",
             ", ".join(f"{name} {version}" for name, version in found["versions"].items() if name != OWN)]
    for task in found["tasks"]:
        told = [line for line in task["peers"] if not (line["why"] or "").startswith("no ")]
        lines += ["", task["task"], *map(_row, told)]
    lines += ["", *_summary(found["tasks"])]
    lines += ["", *(f"left out: {name}: {why}" for name, why in found["absent"].items())]
    return "\n".join(lines).rstrip() + "\n"
