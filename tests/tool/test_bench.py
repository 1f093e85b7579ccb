# SPDX-License-Identifier: Apache-2.0
"""rung bench: what it prints, compares and draws. Not how long anything takes."""
import copy
import json
import math
import re
import signal
import subprocess
import time
import xml.etree.ElementTree

import pytest
from conftest import environment, strict_json, tree

# one cell at all its sizes, as briefly as can be
NO_PICTURE = "unproven: the roofline picture (built without cairo)"
BRIEF = ["--only", "gemm_tn cpu/generic/default", "--turns", "2", "--seconds", "1e-6"]
MACHINE = {"processor": "A Processor <&> 9000", "level": "x86-64-v3", "system": "Linux 6.1.0 x86_64"}
ROOF = {"copy_bytes_per_second": 10e9, "f32_flops": 100e9, "f64_flops": 50e9}


def row(median, low=None, high=None, op="gemm_tn", arch="x86-64-v3", variant="default", flops=2e6, **sizes):
    return {"op": op, "device": "cpu", "arch": arch, "variant": variant, "sizes": sizes or {"m": 20, "n": 30},
            "seconds": {"median": median, "low": low or median, "high": high or median}, "turns": 31, "calls": 100,
            "flops": flops, "bytes": 1e6, "gflops": flops / median * 1e-9 if flops else None,
            "gb_per_second": 1e-3 / median, "bound": "memory", "roof_fraction": 0.5}


def results(*rows, machine=MACHINE, **more):
    return {"rung": "bench", "version": 1, "namespace": "rk", "date": "2026-01-02T03:04:05Z", "machine": machine,
            "roof": ROOF, "results": list(rows), **more}


@pytest.fixture
def write(tmp_path):
    """Writes results to a file, and gives its name."""

    def to_file(name, content):
        (tmp_path / name).write_text(content if isinstance(content, str) else json.dumps(content))
        return name

    return to_file


# ---- measuring -----------------------------------------------------------------------------------------------------


def test_json(rung):
    done = rung("bench", *BRIEF, "--no-roof", "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    out = strict_json(done.stdout)
    assert (out["rung"], out["version"], out["namespace"], out["roof"]) == ("bench", 1, "rk", None)
    assert all(out["machine"][key] for key in ("processor", "level", "system"))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", out["date"])
    assert out["results"] and out["left_out"] == []
    for one in out["results"]:
        assert (one["op"], one["device"], one["arch"], one["variant"]) == ("gemm_tn", "cpu", "generic", "default")
        assert list(one["sizes"]) == ["m", "n", "k"]
        m, n, k = one["sizes"].values()
        assert one["flops"] == 2 * m * n * k
        assert one["bytes"] == 8 * (2 * m * n + k * m + k * n)
        seconds = one["seconds"]
        assert 0 < seconds["low"] <= seconds["median"] <= seconds["high"]
        assert one["turns"] == 2 and one["calls"] >= 1
        assert one["gflops"] == pytest.approx(one["flops"] / seconds["median"] * 1e-9)
        assert one["gb_per_second"] == pytest.approx(one["bytes"] / seconds["median"] * 1e-9)
        assert one["bound"] is None and one["roof_fraction"] is None


def test_roofs_bound_the_cells_of_the_processor(rung):
    done = rung("bench", "--only", "gemm_tn *sm90/default", *BRIEF, "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    out = strict_json(done.stdout)
    copy_rate, flop_rate = out["roof"]["copy_bytes_per_second"], out["roof"]["f64_flops"]
    assert copy_rate > 0 and flop_rate > 0 and out["roof"]["f32_flops"] > 0
    assert {one["device"] for one in out["results"]} == {"cpu", "accel"}
    for one in out["results"]:
        if one["device"] != "cpu":
            assert one["bound"] is None and one["roof_fraction"] is None
            continue
        computed, moved = one["flops"] / flop_rate, one["bytes"] / copy_rate
        assert one["bound"] == ("arithmetic" if computed > moved else "memory")
        assert one["roof_fraction"] == pytest.approx(max(computed, moved) / one["seconds"]["median"])


def test_ops_and_patterns_choose_together(rung):
    chosen = {(one["op"], one["arch"])
              for one in strict_json(rung("bench", "gemm_tn", "flow_match_step", "--only", "cpu/gen*", "--turns", "1",
                                          "--seconds", "1e-6", "--no-roof", "--json").stdout)["results"]}
    assert chosen == {("gemm_tn", "generic"), ("flow_match_step", "generic")}


def test_table_and_file(rung, tmp_path):
    done = rung("bench", *BRIEF, "--no-roof", "-o", "new.json")
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode("ascii")
    assert re.search(r"^gemm_tn  m=\d+ n=\d+ k=\d+ +cpu/generic  ", text, re.M)
    assert "medians of turns" in text and "roofs" not in text
    written = strict_json((tmp_path / "new.json").read_bytes())
    assert len(written["results"]) == len(re.findall(r"^gemm_tn ", text, re.M))
    assert [path.name for path in tmp_path.iterdir()] == ["new.json"]
    again = rung("bench", "new.json")
    assert (again.returncode, again.stderr, again.stdout) == (0, b"", done.stdout)


def test_cells_that_do_not_run_here_are_listed_with_the_reason(rung):
    text = rung("bench", "ridge_solve", "--only", "cuda/*", "--no-roof").stdout.decode()
    assert re.search(r"^cuda/sm80 +\S.* +ridge_solve$", text, re.M), text


# ---- what is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("args, text", [
    (["gem_tn"], 'unknown op "gem_tn"; nearest: gemm_tn, '),
    (["--only", "nonesuch"], "no cell fits 'nonesuch'"),
    (["gemm_tn", "--only", "gemm_nt"], "no cell of these ops fits 'gemm_nt'"),
    (["--turns", "0"], "--turns"),
    (["--turns", "x"], "--turns"),
    (["--seconds", "0"], "--seconds"),
    (["--seconds", "nan"], "--seconds"),
    (["--fail-if-slower"], "--compare"),
    (["--from", "x.json", "gemm_tn"], "nothing is measured"),
    (["--from", "x.json", "--no-roof"], "nothing is measured"),
    (["x.json", "-o", "y.json"], "nothing is measured"),
    (["x.json", "y.json"], "unexpected argument 'y.json'"),
    (["x.json", "--json"], "JSON already"),
    (["-o", "x", "--plot", "x"], "the same file"),
    (["-o", "./x", "--plot", "x"], "the same file"),
    (["--nonesuch"], "--nonesuch"),
])
def test_usage(refused, args, text):
    assert refused("bench", *args, code=2, text=text).stdout == b""


@pytest.mark.parametrize("args", [["-o", "none/x.json"], ["--plot", "none/x.svg"], ["-o", "."], ["--plot", "old.json"],
                                  ["-o", "old.json"]], ids=" ".join)
def test_what_cannot_be_written_is_said_before_anything_is_measured(refused, write, args):
    write("old.json", results(row(1e-3)))
    assert refused("bench", *args, "--compare", "old.json", code=1).stdout == b""


def broken(key, value, *path):
    out = results(row(1e-3))
    at = out
    for step in path:
        at = at[step]
    if value is None:
        del at[key]
    else:
        at[key] = value
    return out


@pytest.mark.parametrize("content, text", [
    ("", "is not JSON: line 1"),
    ("{", "is not JSON: line 1"),
    ("\xff", "is not JSON"),
    ("[]", "is not a result of 'rung bench'"),
    (broken("rung", "selftest"), "is not a result of 'rung bench'"),
    (broken("version", 2), "is of version 2"),
    (broken("machine", {}), "on which machine"),
    (broken("machine", {**MACHINE, "devices": {}}), "the devices"),
    (broken("machine", {**MACHINE, "devices": ["cuda"]}), "the devices"),
    (broken("machine", {**MACHINE, "devices": [{"device": "cuda", "name": "A", "arch": "sm90"}]}), "the devices"),
    (broken("machine", {**MACHINE, "devices": [{"device": "", "name": "A", "arch": "", "driver": ""}]}), "the devices"),
    (broken("roof", {"f32_flops": 1}), "roof"),
    (broken("roof", {**ROOF, "f64_flops": 0}), "roof"),
    (broken("results", {}), "no results"),
    (broken("op", None, "results", 0), "result 1: it has no op"),
    (broken("sizes", {"m": -1}, "results", 0), "sizes"),
    (broken("sizes", [1], "results", 0), "sizes"),
    (broken("sizes", {f"m{i}": 1 for i in range(9)}, "results", 0), "sizes"),
    (broken("seconds", None, "results", 0), "seconds"),
    (broken("median", 0, "results", 0, "seconds"), "quartiles"),
    (broken("low", 2, "results", 0, "seconds"), "quartiles"),
    (broken("gflops", "fast", "results", 0), "gflops"),
    (broken("bound", "nothing", "results", 0), "bound"),
    (results(row(1e-3), row(2e-3)), "result 2: it is there twice"),
    (results(5), "result 1"),
], ids=str)
def test_a_bad_file_is_one_line(refused, write, content, text):
    name = write("bad.json", content)
    for args in (["--from", name], ["--compare", name, "--from", write("good.json", results(row(1e-3)))],
                 ["--plot", "x.svg", "--from", name]):
        refused("bench", *args, code=1, text=text)


def test_a_file_that_is_not_there(refused):
    refused("bench", "--from", "none.json", code=1, text="none.json")
    refused("bench", "--compare", "none.json", code=1, text="none.json")


# ---- comparing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("was, now, change", [
    ((1.0, 0.99, 1.01), (1.2, 1.19, 1.21), "slower"),
    ((1.2, 1.19, 1.21), (1.0, 0.99, 1.01), "faster"),
    ((1.0, 0.99, 1.01), (1.04, 1.03, 1.05), None),   # apart, and within 5 %
    ((1.04, 1.03, 1.05), (1.0, 0.99, 1.01), None),
    ((1.0, 0.9, 1.15), (1.2, 1.14, 1.3), None),      # 20 %, and the quartiles overlap
    ((1.2, 1.14, 1.3), (1.0, 0.9, 1.15), None),
    ((1.0, 0.9, 1.15), (1.2, 1.15, 1.3), None),      # they touch
    ((1.0, 1.0, 1.0), (1.0, 1.0, 1.0), None),
    ((1.0, 1.0, 1.0), (1.0501, 1.0501, 1.0501), "slower"),
    ((1.0, 1.0, 1.0), (1.0499, 1.0499, 1.0499), None),
])
def test_changes_larger_than_the_noise(rung, write, was, now, change):
    command = ["bench", "--compare", write("old.json", results(row(*was))), write("new.json", results(row(*now)))]
    done = rung(*command, "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    out = strict_json(done.stdout)
    assert (out["rung"], out["same_machine"], out["only_old"], out["only_new"]) == ("bench comparison", True, [], [])
    one, = out["results"]
    assert one["change"] == change and one["ratio"] == pytest.approx(now[0] / was[0])
    assert (one["old_seconds"], one["new_seconds"]) == (was[0], now[0])
    text = rung(*command)
    assert (text.returncode, text.stderr) == (0, b"")
    assert ("  slower\n" in text.stdout.decode(), "  faster\n" in text.stdout.decode()) == \
           (change == "slower", change == "faster")
    assert f"{int(change == 'slower')} slower, {int(change == 'faster')} faster" in text.stdout.decode()
    failing = rung(*command, "--fail-if-slower")
    assert failing.returncode == (1 if change == "slower" else 0)
    assert failing.stderr.count(b"\n") == (1 if change == "slower" else 0)


def test_cells_of_one_file_only(rung, write):
    old = results(row(1e-3), row(2e-3, arch="generic"), row(3e-3, n=7))
    new = results(row(1e-3), row(1e-3, variant="openblas"))
    command = ["bench", "--compare", write("old.json", old), "--from", write("new.json", new)]
    out = strict_json(rung(*command, "--json").stdout)
    assert len(out["results"]) == 1
    assert [(one["arch"], one["sizes"]) for one in out["only_old"]] == [("generic", {"m": 20, "n": 30}),
                                                                        ("x86-64-v3", {"n": 7})]
    assert [one["variant"] for one in out["only_new"]] == ["openblas"]
    text = rung(*command).stdout.decode()
    assert "only in old.json\n  gemm_tn  m=20 n=30  cpu/generic\n  gemm_tn  n=7  cpu/x86-64-v3\n" in text
    assert "only in new.json\n  gemm_tn  m=20 n=30  cpu/x86-64-v3/openblas\n" in text


def test_the_order_of_sizes_does_not_matter(rung, write):
    command = ["bench", "--compare", write("old.json", results(row(1e-3, m=1, n=2))),
               write("new.json", results(row(1e-3, n=2, m=1))), "--json"]
    assert len(strict_json(rung(*command).stdout)["results"]) == 1


@pytest.mark.parametrize("key", ["processor", "level", "system"])
def test_another_machine_is_a_warning(rung, write, key):
    other = results(row(1e-3), machine={**MACHINE, key: "another"})
    command = ["bench", "--compare", write("old.json", results(row(1e-3))), write("new.json", other)]
    for more in ([], ["--json"]):
        done = rung(*command, *more)
        assert done.returncode == 0
        assert done.stderr.startswith(b"rung: warning: these are different machines: old.json")
        assert done.stderr.count(b"\n") == 1
    assert strict_json(done.stdout)["same_machine"] is False


H100 = {"device": "cuda", "name": "NVIDIA H100 <80GB>", "arch": "sm90", "driver": "13.0"}


def on_gpus(devices, *rows):
    return results(*rows, machine=MACHINE if devices is None else {**MACHINE, "devices": devices})


@pytest.mark.parametrize("new, same", [
    ([H100], True), ([{**H100, "name": "NVIDIA H200"}], False), ([{**H100, "arch": "sm80"}], False),
    ([{**H100, "driver": "12.8"}], False), ([], False), (None, False)], ids=str)
def test_another_gpu_is_another_machine_for_its_own_kernels(rung, write, new, same):
    of_gpu = {**row(1e-3, arch="sm90"), "device": "cuda"}
    for rows, expected in (((row(1e-3), of_gpu), same), ((row(1e-3),), True)):
        command = ["bench", "--compare", write("old.json", on_gpus([H100], *rows)), "--from",
                   write("new.json", on_gpus(new, *rows)), "--json"]
        done = rung(*command)
        out = strict_json(done.stdout)
        assert done.returncode == 0 and out["same_machine"] is expected
        assert out["old_machine"]["devices"] == [H100] and out["new_machine"].get("devices") == new
        assert (b"NVIDIA H100 <80GB> (cuda/sm90, driver 13.0), Linux" in done.stderr) is not expected


def test_what_is_measured_is_compared(rung, tmp_path):
    made = strict_json(rung("bench", *BRIEF, "--no-roof", "-o", "now.json", "--json").stdout)
    slow = copy.deepcopy(made)
    for one in slow["results"]:
        one["seconds"] = {key: 1e6 * value for key, value in one["seconds"].items()}
    (tmp_path / "old.json").write_text(json.dumps(slow))
    done = rung("bench", *BRIEF, "--no-roof", "--compare", "old.json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().count("  faster\n") == len(made["results"])
    assert "medians of turns" in done.stdout.decode()


def test_nothing_in_common_is_not_good(refused, rung, write):
    command = ["bench", "--compare", write("old.json", results(row(1e-3, arch="generic"))),
               "--from", write("new.json", results(row(1e-3)))]
    assert rung(*command).returncode == 0
    refused(*command, "--fail-if-slower", code=1, text="no cell and size is both in old.json and in new.json")


def test_another_registry(refused, write):
    name = write("other.json", {**results(row(1e-3)), "namespace": "ex"})
    refused("bench", "--compare", name, write("new.json", results(row(1e-3))), code=1,
            text="other.json is of the registry 'ex', and new.json of 'rk'")
    refused("bench", "--compare", name, *BRIEF, code=1, text="other.json is of the registry 'ex', not of 'rk'")


# ---- drawing -------------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def marks(path):
    """The circles of an SVG of cairo's by colour: their middles, without those of the legend."""
    page = xml.etree.ElementTree.parse(path).getroot()
    assert page.tag == SVG + "svg"
    found = {}
    for shape in page.iter(SVG + "path"):
        style, steps = shape.get("style", "") + ";fill:" + shape.get("fill", "none"), shape.get("d", "")
        colour = re.search(r"fill:(rgb\([^)]*\))", style)
        # nothing but one closed line of curves, as small as a mark
        if colour is None or not re.fullmatch(r"M [^MCLZ]*( C [^MCLZ]*)+(Z [^CL]*)?", steps):
            continue
        numbers = [float(x) for x in re.findall(r"-?\d+\.?\d*", steps)]
        xs, ys = numbers[0::2], numbers[1::2]
        if 9 < max(xs) - min(xs) < 15 and 9 < max(ys) - min(ys) < 15:
            found.setdefault(colour[1], []).append(((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2))
    right = max((x for places in found.values() for x, _ in places), default=0)
    legend = {colour: [place for place in places if abs(place[0] - right) < 0.1] for colour, places in found.items()}
    assert all(len(places) == 1 for places in legend.values()), legend
    return {colour: [p for p in places if abs(p[0] - right) >= 0.1] for colour, places in found.items()}


@pytest.fixture
def drawn(rung, write, tmp_path):
    def draw(content):
        done = rung("bench", "--plot", "out.svg", "--from", write("results.json", content))
        if b"built without cairo" in done.stderr:
            pytest.skip(NO_PICTURE)
        assert (done.returncode, done.stderr, done.stdout) == (0, b"", b"")
        return marks(tmp_path / "out.svg")

    return draw


def test_a_mark_for_each_cell_and_size_with_a_colour_for_each_kind(drawn):
    found = drawn(results(row(1e-3), row(2e-3, m=1), row(4e-3, arch="generic"), row(3e-3, variant="openblas"),
                          row(3e-3, op="rbf_factors", flops=0)))  # whose operations are not known
    assert sorted(len(places) for places in found.values()) == [1, 1, 2]


def test_marks_are_where_the_figures_say(drawn):
    flops = [2e5, 2e6, 2e7]
    places = [place for one in drawn(results(*[row(1e-3, flops=f, m=i) for i, f in enumerate(flops)])).values()
              for place in one]
    # ten times the operations in the same time and bytes: one decade to the right, and one up
    (x0, y0), (x1, y1), (x2, y2) = sorted(places)
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.1) and y1 - y0 == pytest.approx(y2 - y1, abs=0.1)
    assert x1 > x0 + 20 and y1 < y0 - 20


@pytest.mark.parametrize("content", [results(), results(row(1e-3)), results(row(1e-3, flops=0)),
                                     results(row(1e-3), roof=None), results(roof=None), results(row(1e-3), date=""),
                                     results(*[row(1e-3 * (1 + i % 3), arch=f"a{i % 5}", m=i // 5)
                                               for i in range(300)])],
                         ids=["no cells", "one", "not known", "no roof", "nothing", "no date", "many"])
def test_pictures_of_little_and_of_much(drawn, content):
    found = drawn(content)
    known = [one for one in content["results"] if one["gflops"]]
    assert sum(len(places) for places in found.values()) == len(known)
    assert all(math.isfinite(x) and math.isfinite(y) for places in found.values() for x, y in places)


def test_very_many_have_no_numbers(drawn, tmp_path):
    letters = []
    for count in (64, 65):
        found = drawn(results(*[row(1e-3 + i * 1e-5, m=i) for i in range(count)]))
        assert sum(map(len, found.values())) == count
        letters.append((tmp_path / "out.svg").read_text().count("<use "))
    assert letters[1] < letters[0] / 3


def test_what_is_measured_is_drawn(rung, tmp_path):
    done = rung("bench", *BRIEF, "--plot", "now.svg", "--output", "now.json", "--no-roof")
    if b"built without cairo" in done.stderr:
        pytest.skip(NO_PICTURE)
    assert (done.returncode, done.stderr) == (0, b"")
    count = len(strict_json((tmp_path / "now.json").read_bytes())["results"])
    assert sum(len(places) for places in marks(tmp_path / "now.svg").values()) == count
    assert sorted(tree(tmp_path)) == ["now.json", "now.svg"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_interrupted_while_a_file_is_drawn(binary, rung, write, tmp_path, number):
    """Nothing is left, also where nothing is measured. So many results take a while."""
    name = write("many.json", results(*[row(1e-3 + i * 1e-7, m=i) for i in range(30000)]))
    if b"built without cairo" in rung("bench", "--plot", "x.svg", "--from", write("r.json", results(row(1e-3)))).stderr:
        pytest.skip(NO_PICTURE)
    before = tree(tmp_path)
    for _ in range(10):  # it may be done before the signal comes
        (tmp_path / "y.svg").unlink(missing_ok=True)
        job = subprocess.Popen([binary, "bench", "--plot", "y.svg", "--from", name], cwd=tmp_path, env=environment(),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while job.poll() is None and not list(tmp_path.glob(".rung-*/y.svg")):
            time.sleep(0.0005)
        job.send_signal(number)
        said = job.communicate(timeout=60)
        if job.returncode != 0:
            break
    assert said == (b"", b"rung: interrupted; nothing was written\n")
    assert job.returncode == -number and tree(tmp_path) == before
