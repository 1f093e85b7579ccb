# SPDX-License-Identifier: Apache-2.0
"""rung matrix --html: what is in the file. What a browser makes of it is in test_matrix_browser.py."""
import base64
import hashlib
import html.parser
import json
import os
import re
import resource

import pytest
import results
from conftest import strict_json, tree

VOID = {"meta", "input", "wbr"}
HOSTILE = "</script><script>hacked=1</script><!--<script>\"'&amp;]]>\x7f" + "\u2028\u202e" + "x" * 200000


class Page(html.parser.HTMLParser):
    """Fails on tags that are not closed in order; keeps what the tests look at."""

    def __init__(self, text):
        super().__init__()
        self.stack, self.ids, self.boxes, self.elements, self.inline = [], [], {}, [], {}
        self.feed(text)
        self.close()
        assert self.stack == []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        assert len(attributes) == len(attrs)
        self.elements.append((tag, attributes))
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag not in VOID:
            self.stack.append((tag, attributes))
        if tag == "td":
            assert attributes["data-key"] not in self.boxes
            self.boxes[attributes["data-key"]] = {**attributes, "text": ""}

    def handle_endtag(self, tag):
        assert self.stack[-1][0] == tag, (tag, self.stack)
        self.stack.pop()

    def handle_data(self, data):
        for tag, attributes in self.stack:
            if tag == "td":
                self.boxes[attributes["data-key"]]["text"] += data
        if self.stack and self.stack[-1][0] in ("script", "style"):
            self.inline[self.stack[-1][1].get("id", self.stack[-1][0])] = data


def make(rung, tmp_path, *args):
    done = rung("matrix", "--html", "page.html", *args)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    text = (tmp_path / "page.html").read_bytes().decode("utf-8")
    page = Page(text)
    page.text, page.data = text, json.loads(page.inline["data"])
    return page


@pytest.fixture
def full(rung, tmp_path):
    """A page with results."""
    return make(rung, tmp_path, *results.write(tmp_path, *results.some()))


def test_needs_nothing_else(full):
    assert re.search(r"https?:|//[a-z]|url\(|@import|\bsrc=|\bhref=|<link|<base|<iframe", full.text) is None
    assert len(full.ids) == len(set(full.ids))
    assert full.elements[0] == ("html", {"lang": "en"})


def test_policy_allows_its_own_style_and_script_alone(full):
    policy = next(a["content"] for t, a in full.elements if a.get("http-equiv") == "Content-Security-Policy")
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    digest = {name: base64.b64encode(hashlib.sha256(full.inline[name].encode()).digest()).decode()
              for name in ("style", "script")}
    assert parts == {"default-src": "'none'", "style-src": f"'sha256-{digest['style']}'",
                     "script-src": f"'sha256-{digest['script']}'", "base-uri": "'none'", "form-action": "'none'"}
    assert not any(name == "style" or name.startswith("on") for _, a in full.elements for name in a)


@pytest.mark.parametrize("args", [[], ["--build"], ["--platform", "accel/sm80,cpu/generic"],
                                  ["--platform", "cuda/sm90", "--inspect"]], ids=" ".join)
def test_data_are_those_of_json(rung, tmp_path, args):
    page = make(rung, tmp_path, *args)
    matrix = strict_json(rung("matrix", *args, "--json").stdout)
    assert page.data["matrix"] == matrix
    for cell in matrix["cells"] + matrix["components"]:
        key = "/".join(cell[k] for k in ("op", "kind", "device", "arch", "variant") if k in cell)
        box = page.boxes[key]
        state = ("chosen" if cell["chosen"] else "available" if cell["available"] else
                 cell["reason"].replace(" ", "-") if cell["reason"] in ("planned", "not built", "experimental") else
                 "not-here")
        assert box["data-state"] == state, key
        assert {"not-built": "not built", "not-here": f"not here {cell['reason']}"}.get(state, state) in box["text"]
        assert "data-proof" not in box
    for row in page.data["ops"] + page.data["components"]:
        assert ([] if args == ["--build"] else ["0"]) == [n for n in row["ladders"] if n == "0"]


@pytest.mark.parametrize("platform", [[], ["--platform", "accel/sm80,cpu/generic"]], ids=["automatic", "accel"])
def test_ladders_are_those_of_explain(rung, tmp_path, platform):
    page = make(rung, tmp_path, *platform)
    for name, variant in [("gemm_tn", "default"), ("gemm_tn", "openblas"), ("flow_sde_step", "default"),
                          ("gemm_nt_f32", "tf32"), ("factor_model", "default")]:
        rungs = strict_json(rung("explain", name, "--variant", variant, *platform, "--json").stdout)["rungs"]
        row = next(r for r in page.data["ops"] + page.data["components"]
                   if (r["name"], r["variant"]) == (name, variant))
        texts = page.data["texts"]
        ladder = [[texts[key], texts[verdict], mark] for key, verdict, mark in row["ladders"]["0"]]
        keys = ["/".join(r[k] for k in ("device", "arch", "variant") if k in r) for r in rungs]
        assert [key for key, _, _ in ladder] == keys
        for (_, verdict, mark), r in zip(ladder, rungs):
            assert mark == r["chosen"]
            assert verdict.startswith("chosen" if r["chosen"] else r["reason"] or "available, further down")
            assert r["chosen"] or r["detail"] in verdict


def test_boxes_without_a_kernel_fall_to_the_next_rung(rung, tmp_path):
    """What the library chooses on a platform that begins with the box's arch is what the box falls to: on accel, which
    is there on every machine."""
    page = make(rung, tmp_path)
    columns = [(c["device"], a["arch"]) for c in page.data["columns"] for a in c["archs"]]
    seen = set()
    for name in ("gemm_tn", "flow_sde_step", "rbf_factors", "residual_energy"):
        row = next(r for r in page.data["ops"] if (r["name"], r["variant"]) == (name, "default"))
        for (device, arch), box in zip(columns, row["boxes"]):
            if device == "accel" and box["state"] == "falls":
                platform = strict_json(rung("resolve", name, "--platform", f"accel/{arch}", "--json").stdout)
                text = json.dumps(platform)
                to_device, to_arch, to_variant = box["falls"].split("/")
                assert f'"device": "{to_device}", "arch": "{to_arch}", "variant": "{to_variant}"' in text, text
                assert page.boxes[f"{name}/accel/{arch}/default"]["text"].endswith(to_arch)
                seen.add(to_device)
    assert seen == {"accel", "cpu"}
    assert page.boxes["gemm_tn/accel/generic/openblas"]["data-state"] in ("falls", "none")


def test_archs_that_no_device_is_called_by_have_a_ladder(rung, tmp_path):
    page = make(rung, tmp_path)
    archs = {a["arch"]: a["platform"] for c in page.data["columns"] if c["device"] == "cuda" for a in c["archs"]}
    assert page.data["platforms"][archs["sm90a"]]["platform"].startswith("cuda/sm90,")


def test_the_platform_shown_comes_first(rung, tmp_path):
    for platform, order in [("accel/sm80", ["accel", "cpu", "cuda"]), ("cpu/generic", ["cpu", "cuda", "accel"])]:
        page = make(rung, tmp_path, "--platform", platform)
        assert [c["device"] for c in page.data["columns"]] == order


def test_results(full):
    proofs, times = results.some()
    boxes = full.boxes
    expected = {results.OPENED: ("passed", "passed"), "gemm_nt/cpu/generic/default": ("failed", "failed"),
                "rbf_factors/cpu/generic/default": ("missed", "missed"),
                "gemm_tn/cpu/neon/default": ("passed-emulator", "passed, emulator"),
                "gemm_tn/cuda/sm80/default": ("passed-fake", "passed, fake driver"),
                "gemm_tn/cuda/sm90/default": ("unproven", "unproven"),
                "ridge_solve/cpu/generic/default": ("unproven", "unproven")}  # not in the results
    for key, (state, word) in expected.items():
        assert boxes[key]["data-proof"] == state
        assert boxes[key]["text"].endswith("\u00a0" + word)
    assert "data-proof" not in boxes["factor_model/cpu/default"]
    taken = full.data["selftest"]["cells"][results.OPENED]
    assert taken == {**proofs["cells"][0], "run": 0, "quick": False}
    assert full.data["selftest"]["runs"] == [{"machine": results.MACHINE, "how": "native", "seed": "0x5eed"}]
    assert [t["sizes"] for t in full.data["bench"]["results"][results.OPENED]] == [t["sizes"] for t in times["results"]]
    for name in ("roof", "machine", "date"):
        assert full.data["bench"][name] == times[name]
    assert times["date"] in full.text


def test_merged_results(rung, tmp_path):
    other = {"machine": {**results.MACHINE, "processor": "Another"}, "how": "emulator", "seed": "0x1"}
    proofs = results.selftest(results.cell(results.OPENED, how="emulator", run=1))
    first = {name: proofs.pop(name) for name in ("machine", "how", "seed")}
    page = make(rung, tmp_path, *results.write(tmp_path, {**proofs, "runs": [first, other]}, results.bench()))
    assert page.data["selftest"]["runs"] == [first, other]
    assert page.data["selftest"]["cells"][results.OPENED]["run"] == 1
    assert "Another" in page.text and "under an emulator" in page.text


def test_kernels_that_the_registry_does_not_have(rung, tmp_path):
    proofs = results.selftest(results.cell("nonesuch/cpu/generic/default"), results.cell(results.OPENED))
    args = results.write(tmp_path, proofs, results.bench())
    done = rung("matrix", "--html", "page.html", *args)
    assert done.returncode == 0
    assert done.stderr == (b"rung: warning: proofs.json: 1 of its results are of kernels that the registry does not "
                           b"have\n")
    assert b"nonesuch" not in (tmp_path / "page.html").read_bytes()


def test_hostile_strings_are_harmless(rung, tmp_path):
    plain = make(rung, tmp_path)
    machine = {"processor": HOSTILE, "level": HOSTILE, "system": HOSTILE}
    args = results.write(tmp_path, results.selftest(results.cell(results.OPENED, "failed", why=HOSTILE), seed=HOSTILE,
                                                    machine=machine),
                         results.bench(results.time(results.OPENED, sizes={HOSTILE: 1}), machine=machine))
    page = make(rung, tmp_path, *args)
    assert page.data["selftest"]["cells"][results.OPENED]["why"] == HOSTILE
    assert page.data["selftest"]["runs"][0]["machine"] == page.data["bench"]["machine"] == machine
    assert list(page.data["bench"]["results"][results.OPENED][0]["sizes"]) == [HOSTILE]
    tags = [t for t, _ in page.elements if t in ("script", "style", "img", "table", "tr", "td", "th")]
    assert tags == [t for t, _ in plain.elements if t in ("script", "style", "img", "table", "tr", "td", "th")]
    assert page.inline["script"] == plain.inline["script"]
    assert "<" not in page.inline["data"]


def test_gpus_stand_behind_the_processor(rung, tmp_path):
    machine = {**results.MACHINE, "devices": [{"device": "cuda", "name": "<b>GPU", "arch": "sm90", "driver": "13.0"}]}
    page = make(rung, tmp_path, *results.write(tmp_path, results.selftest(machine=machine),
                                               results.bench(machine=machine)))
    assert page.data["selftest"]["runs"][0]["machine"] == page.data["bench"]["machine"] == machine
    text = (tmp_path / "page.html").read_text()
    assert text.count("A Processor, x86-64-v3, &lt;b&gt;GPU (cuda/sm90, driver 13.0), Linux 6.1 x86_64") == 2


@pytest.mark.parametrize("name, content, text", [
    ("text", b"passed\n", "is not JSON: line 1"),
    ("cut", json.dumps(results.selftest()).encode()[:-5], "is not JSON: line 1"),
    ("bytes", b'{"rung": "\xff"}', "is not JSON"),
    ("deep", b"[" * 100000, "is not JSON"),
    ("kind", results.bench(), "is not a result of 'rung selftest'"),
    ("version", results.selftest(version=2), "version"),
    ("namespace", results.selftest(namespace="ax\n\x1b[31m"), "is of the registry 'ax??[31m', not of 'rk'"),
    ("machine", results.selftest(machine=None), "machine"),
    ("state", results.selftest(results.cell(results.OPENED, state="good")), "no state that is known"),
    ("same", results.selftest(results.cell(results.OPENED), results.cell(results.OPENED)), "is there twice"),
])
def test_bad_proofs(refused, tmp_path, name, content, text):
    """What a file may hold is tested where it is read for more: test_selftest_merge.py."""
    (tmp_path / f"{name}.json").write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    done = refused("matrix", "--html", "page.html", "--selftest", f"{name}.json", code=1, text=text)
    assert f"{name}.json".encode() in done.stderr


@pytest.mark.parametrize("name, content, text", [
    ("kind", results.selftest(), "is not a result of 'rung bench'"),
    ("namespace", results.bench(namespace="ax"), "is of the registry 'ax', not of 'rk'"),
    ("roof", results.bench(roof=7), "its roof is neither"),
    ("sizes", results.bench(results.time(results.OPENED, sizes={"m": "20"})), "result 1"),
    ("bound", results.bench(results.time(results.OPENED, bound="luck")), "result 1"),
])
def test_bad_times(refused, tmp_path, name, content, text):
    (tmp_path / f"{name}.json").write_text(json.dumps(content))
    refused("matrix", "--html", "page.html", "--bench", f"{name}.json", code=1, text=text)


@pytest.mark.parametrize("args, code, text", [
    (["--html"], 2, "--html"),
    (["--html", "page.html", "--json"], 2, "exclude"),
    (["--selftest", "proofs.json"], 2, "--selftest is for the page of --html"),
    (["--bench", "times.json"], 2, "--bench is for the page of --html"),
    (["--html", ""], 1, "it is not the name of a file"),
    (["--html", "folder"], 1, "it is not the name of a file"),
    (["--html", "folder/"], 1, "it is not the name of a file"),
    (["--html", "/dev/null"], 1, "it is not the name of a file"),
    (["--html", "missing/page.html"], 1, "missing/page.html: No such file"),
    (["--html", "x" * 300], 1, "cannot write"),
    (["--html", "page.html", "--selftest", "missing.json"], 1, "missing.json"),
    (["--html", "page.html", "--selftest", "folder"], 1, "folder"),
    (["--html", "folder/../proofs.json", "--selftest", "proofs.json"], 1, "would replace proofs.json"),
    (["--html", "page.html", "--platform", "cuda/sm90"], 3, "--inspect"),
])
def test_usage(refused, tmp_path, args, code, text):
    (tmp_path / "folder").mkdir()
    results.write(tmp_path, *results.some())
    assert refused("matrix", *args, code=code, text=text).stdout == b""


@pytest.mark.parametrize("size", [0, 1000, 70000])
@pytest.mark.parametrize("exists", [False, True])
def test_no_space(refused, tmp_path, size, exists):
    if exists:
        (tmp_path / "page.html").write_text("older")
    refused("matrix", "--html", "page.html", code=1, text="cannot write page.html",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))


def test_is_replaced_as_a_whole_and_always_the_same(rung, tmp_path):
    (tmp_path / "page.html").write_text("older")
    first = make(rung, tmp_path).text
    os.rename(tmp_path / "page.html", tmp_path / "other.html")
    assert make(rung, tmp_path).text == first
    assert set(tree(tmp_path)) == {"page.html", "other.html"}
