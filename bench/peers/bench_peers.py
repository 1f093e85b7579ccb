# SPDX-License-Identifier: Apache-2.0
"""The work of Rung's ops, at the sizes of the registry, through Rung and through what else does it on this machine."""
import argparse
import errno
import json
import math
import os
import platform
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

import peers_report as report

FOLDER = Path(__file__).resolve().parent
PEERS = ["OpenBLAS", "NumPy", "SciPy", "PyTorch", "ONNX Runtime", "NumKong"]
CHILD_S = 300
AGAIN = 4  # of --ready: nothing speaks against building what is needed

# What OPENBLAS_CORETYPE may be, with the features that the kernels of that type use.
CORES: Dict[str, List[Tuple[str, str]]] = {
    "x86_64": [("Nehalem", "sse4_2"), ("Sandybridge", "avx"), ("Haswell", "avx2 fma"), ("Zen", "avx2 fma"),
               ("SkylakeX", "avx512f avx512bw avx512dq avx512vl"),
               ("Cooperlake", "avx512f avx512bw avx512dq avx512vl avx512_bf16"),
               ("Sapphirerapids", "avx512f avx512bw avx512dq avx512vl avx512_bf16 amx_tile")],
    "aarch64": [("ARMV8", ""), ("NEOVERSEN1", "asimddp"), ("NEOVERSEV1", "sve"), ("NEOVERSEN2", "sve2")]}


def cores() -> List[str]:
    """The core types that this machine can run."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return []
    features = next((set(line.split(":")[1].split()) for line in lines if line.split("\t")[0] in ("flags", "Features")),
                    set())
    return [name for name, needed in CORES.get(platform.machine(), []) if set(needed.split()) <= features]


def machine() -> Dict[str, str]:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return {"processor": names[0] if names else platform.machine(),
            "system": f"{platform.system()} {platform.release()} {platform.machine()}",
            "python": platform.python_version()}


def child(peer: str, core: Optional[str], order: Dict[str, Any], library: Optional[Path]) -> Dict[str, Any]:
    """What the peer found, or why it is absent."""
    env = {**os.environ, **{f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB")}}
    env.pop("OPENBLAS_CORETYPE", None)
    env.pop("RUNG_PEERS_LIBRARY", None)
    env["PYTHONDONTWRITEBYTECODE"] = "1"
    if core:
        env["OPENBLAS_CORETYPE"] = core
    if library:
        env["RUNG_PEERS_LIBRARY"] = str(library)
    try:
        done = subprocess.run([sys.executable, str(FOLDER / "child.py")], input=json.dumps({"peer": peer, **order}),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env, timeout=CHILD_S,
                              check=False)
    except subprocess.TimeoutExpired:
        return {"absent": f"took more than {CHILD_S} s"}
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or [""]
        return {"absent": f"ended with {done.returncode}: {last[0]}"}
    said: Dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return said


class Run:
    """All peers, one process after another, some times over, so that a change of the machine's speed meets all."""

    def __init__(self, options: argparse.Namespace, tasks: Sequence[Tuple[str, Dict[str, int]]]) -> None:
        self.library: Optional[Path] = options.library
        self.quiet: bool = options.json
        self.order = {"turns": options.turns // options.rounds, "turn_s": options.turn_ms / 1000, "tasks": tasks,
                      "clock": options.clock}
        self.columns: Dict[str, Dict[str, Any]] = {}  # by name: version or why it is absent, and its records by task

    def ask(self, name: str, peer: str, core: Optional[str] = None) -> None:
        column = self.columns.setdefault(name, {"peer": peer, "asked": core, "records": {}, "absent": None})
        if column["absent"]:
            return
        if not self.quiet:
            print(f"{name} ...", file=sys.stderr)
        said = child(peer, core, self.order, self.library)
        if "absent" in said:
            column["absent"] = said["absent"]
            return
        column.update(version=said["version"], core=said["core"])
        for record in said["results"]:
            known = column["records"].setdefault(record["task"], record)
            if known is not record:
                known["samples"] += record["samples"]

    def all(self, peers: Sequence[str], rounds: int) -> None:
        for turn in range(rounds):
            for peer in peers:
                self.ask(peer, peer)
                if peer == "OpenBLAS" and not self.columns[peer]["absent"]:
                    for core in cores() if turn == 0 else self.best_cores():
                        self.ask(f"OpenBLAS as {core}", peer, core)

    def best_cores(self) -> List[str]:
        """Those core types that were the fastest at something so far: the others are not asked again."""
        forced = {name: column for name, column in self.columns.items() if column["asked"] and not column["absent"]}
        best = set()
        for task in {task for column in forced.values() for task in column["records"]}:
            times = [(min(column["records"][task]["samples"]), column["asked"]) for column in forced.values()
                     if column["records"][task]["samples"]]
            if times:
                best.add(min(times)[1])
        return sorted(best)


def tasks_of(options: argparse.Namespace) -> List[Tuple[str, Dict[str, int]]]:
    import work
    ops = options.op or list(work.TINY)
    if options.tiny:
        return [(op, work.TINY[op]) for op in ops]
    import peer_native
    os.environ["RUNG_PEERS_LIBRARY"] = str(options.library or "")
    library = peer_native.load()
    return [(op, sizes) for op in ops for sizes in peer_native.sizes_of(library, op)]


def beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}")


def try_file(path: Path) -> Path:
    """Whether it can be written, before anything is measured; the file itself where it is a link, which stays."""
    if path.is_symlink():
        path = path.resolve(strict=True)
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is not the name of a file")
    beside(path).touch(exist_ok=False)
    beside(path).unlink()
    return path


def write(path: Path, text: str) -> bool:
    """As a whole or not at all."""
    try:
        try:
            beside(path).write_text(text)
            os.replace(beside(path), path)
        except BaseException:
            beside(path).unlink(missing_ok=True)
            raise
    except OSError as error:
        print(f"bench-peers: cannot write {path}: {error.strerror}", file=sys.stderr)
        return False
    return True


def tell(text: str) -> bool:
    try:
        print(text, end="", flush=True)
    except BrokenPipeError:  # nobody reads it any more; nor is what the buffer still has to be written at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


def end_by(number: int, _frame: object) -> None:
    """Ends the process of a peer, too: subprocess.run does that when it is left."""
    sys.exit(128 + number)


def parse(words: Optional[Sequence[str]] = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bench-peers", description=__doc__, allow_abbrev=False)
    parser.add_argument("--op", action="append", metavar="OP", help="this op; may be given several times (all)")
    parser.add_argument("--peer", action="append", choices=PEERS, help="this peer; may be given several times (all)")
    parser.add_argument("--turns", type=int, default=21, metavar="N", help="timings of each (21)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="processes that they are spread over (3)")
    parser.add_argument("--turn-ms", type=float, default=2, metavar="MS", help="a timing lasts at least so long (2)")
    parser.add_argument("--clock", choices=["wall", "cpu"], default="wall",
                        help="what counts: the time that passes (wall), or the processor time of the process (cpu), "
                        "for a machine that has other work as well")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write JSON to FILE as well")
    parser.add_argument("--torch", action="store_true", help="get PyTorch, too: some GB (./dev does it)")
    # what ./dev says: whether it can begin, before anything is built
    parser.add_argument("--ready", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--library", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--tiny", action="store_true", help=argparse.SUPPRESS)  # for tests
    options = parser.parse_args(words)
    if not (1 <= options.rounds <= options.turns and 0 < options.turn_ms < math.inf):
        parser.error("there must be a round at least, a turn for each round, and time for it")
    if options.output:
        try:
            options.output = try_file(options.output)
        except OSError as error:
            parser.error(f"--output {options.output}: {error.strerror}")
    return options


def main(words: Optional[Sequence[str]] = None) -> int:
    options = parse(words)
    try:
        import ways
        import work
    except ImportError as error:
        if options.ready:
            return AGAIN
        print(f"bench-peers: {error}: the work is made with NumPy", file=sys.stderr)
        return 2
    unknown = [op for op in options.op or [] if op not in work.TINY]
    if unknown:
        print(f"bench-peers: --op {unknown[0]}: no peer has it; there are {', '.join(work.TINY)}", file=sys.stderr)
        return 2
    if options.ready:
        return AGAIN
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end_by)
    try:
        tasks = tasks_of(options)
    except (ways.Absent, OSError) as error:
        print(f"bench-peers: Rung: {error}", file=sys.stderr)
        return 2
    if not tasks:
        print("bench-peers: the registry names no sizes to time these ops at (`bench`)", file=sys.stderr)
        return 2
    run = Run(options, tasks)
    run.all(["Rung", *(peer for peer in PEERS if peer in (options.peer or PEERS))], options.rounds)
    whole = report.whole(machine(), options.clock, [work.name_of(*task) for task in tasks], run.columns)
    as_json = json.dumps(whole, indent=2) + "\n"
    told = tell(as_json if options.json else report.text(whole))
    written = not options.output or write(options.output, as_json)
    return 0 if told and written else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
