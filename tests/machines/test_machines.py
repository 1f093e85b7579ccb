# SPDX-License-Identifier: Apache-2.0
"""Every file of machines/ is a machine: its files, its libraries, its environment, and what Rung has to say of it.

    summary: one line
    cpu: x86-64-v3                 # its level; this is the default
    system: linux                  # the default
    built: cuda/*,rocm/gfx90a      # the cells of tests/fixtures/gp that the build has, -cuda/* is planned; default: all
    files:                         # below the machine's root
      /dev/nvidiactl: {}           # an empty file that everybody may open; below bin, run too
      /dev/nvidia0: {mode: 0600}   # one that only its owner may
      /proc/version: some text
      /usr/bin/python3: {link: python3.11}
      /opt/empty: {folder: true}
      "/dev/dri/renderD{128..135}": "{n-127}"   # one for each number, its text counted along
    venvs:                         # virtual environments of a Python 3.11, and what is installed in them
      /opt/env: {jax: 0.7.2, jaxlib: 0.7.2, torch: 2.11.0+cu130}
    packages:                      # the same of any folder of packages
      /usr/lib/python3/dist-packages: {numpy: 1.24.2}
    libraries:                     # by file name: the steering of tests/imitation, or a text that the file holds
      libcuda.so.1: {driver: 13000, device: [NVIDIA A100|8.0|42505273344|GPU-1|0000:3b:00.0], cuInit: 802}
    environment: {CUDA_VISIBLE_DEVICES: "0"}
    python: /opt/env               # what --python names
    timeout_ms: 60000              # for a library that does not come back; the default leaves slow machines their time
    expect:
      full: {cuda: {state: usable, units: [{arch: sm80}]}}  # of every device that is named, the keys that are named
      look: {cuda: {state: usable}}                         # the same where no driver is initialised
      platform: cuda/sm80,cpu/x86-64-v3
      reason: [words that the reason has]
      native: {name: native, device: "cuda/sm80,cpu/x86-64-v3"}
      frameworks: {name: jax, device: gpu, score: 90}
      rejected: {pytorch: words that its reason has}
      advice: [words that the advice has]
      python: {jax: {state: installed, version: 0.4.30}}
      host: {cores: 2}
      hardware: [{device: cuda, name: NVIDIA A100, arch: sm80, driver: "13.0"}]  # beside the processor, in results
      doctor: [words that the screen has]

Devices that `full` and `look` do not name have to be absent, in both; `rejected` and `advice` are of `frameworks`.
A path with a range stands for a file of every number, and a library's setting with one for as many settings; {n}, {n+4}
and {n-127} are then numbers in the text. Elsewhere a text is as it stands.
`python3 test_machines.py NAME` prints what Rung says of one machine.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest
import yaml

HERE = pathlib.Path(__file__).parent
MACHINES = sorted(path.stem for path in (HERE / "machines").glob("*.yaml"))
KEYS = {"summary", "cpu", "system", "built", "files", "libraries", "environment", "python", "timeout_ms", "venvs",
        "packages", "expect"}
EXPECTED = {"full", "look", "platform", "reason", "native", "frameworks", "rejected", "advice", "python", "host",
            "hardware", "doctor"}
STEERED = {
    "libcuda.so.1": "RUNG_FAKE_CUDA", "libnvidia-ml.so.1": "RUNG_FAKE_NVML", "libOpenCL.so.1": "RUNG_FAKE_OPENCL",
    "Metal": "RUNG_FAKE_METAL", **{f"libamdhip64.so.{n}": "RUNG_FAKE_HIP" for n in (5, 6, 7)},
}
COMPANIONS = {"Metal": ("CoreGraphics", "libobjc.A.dylib")}


def load(name):
    machine = yaml.safe_load((HERE / "machines" / f"{name}.yaml").read_text())
    unknown = set(machine) - KEYS | set(machine.get("expect", {})) - EXPECTED
    assert not unknown and {"summary", "expect"} <= set(machine), f"{name}.yaml: unknown keys {sorted(unknown)}"
    return machine


RANGE = re.compile(r"\{(\d+)\.\.(\d+)\}")


def numbered(text, number):
    """The text with the number in the place of its range and of {n}, {n+1}, {n-1}."""
    text = RANGE.sub(str(number), text)
    return re.sub(r"\{n([+-]\d+)?\}", lambda at: str(number + int(at[1] or 0)), text)


def numbers(text):
    at = RANGE.search(text)
    return range(int(at[1]), int(at[2]) + 1) if at else ()


def write_files(root, path, what):
    """One file, or one for each number of the range in its path."""
    for number in numbers(path):
        text = what if isinstance(what, dict) else numbered(what, number)
        write_file(root / numbered(path, number).lstrip("/"), text)
    if not numbers(path):
        write_file(root / path.lstrip("/"), what)


def write_file(path, what):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not isinstance(what, dict):
        path.write_text(str(what))
    elif "link" in what:
        path.symlink_to(what["link"])
        return
    elif what.get("folder"):
        path.mkdir(exist_ok=True)
        return
    else:
        path.write_bytes(what.get("bytes", "").encode("latin-1") or what.get("text", "").encode())
    usual = 0o777 if path.parent.name == "bin" else 0o666
    path.chmod(what.get("mode", usual) if isinstance(what, dict) else usual)


TORCH = """from typing import Optional

__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip']
__version__ = '{version}'
debug = False
cuda: Optional[str] = {cuda}
git_version = '0000000000000000000000000000000000000000'
hip: Optional[str] = {hip}
"""


def torch_module(version):
    """torch/version.py as builds for indexes of their own have it: the label says what for."""
    label = version.partition("+")[2]
    return TORCH.format(
        version=version, cuda=f"'{label[2:-1]}.{label[-1]}'" if label.startswith("cu") else None,
        hip=f"'{label[4:]}.43482-0f2d60242'" if label.startswith("rocm") else None)


def install(site, name, version, system):
    """What pip leaves of a wheel, as far as anybody reads it."""
    dist = site / f"{name.replace('-', '_')}-{version}.dist-info"
    dist.mkdir(parents=True)
    (dist / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\n")
    (dist / "RECORD").write_text("")
    module = site / name.replace("-", "_")
    if name.endswith("-pjrt"):
        module = site / "jax_plugins" / f"xla_{name.split('-')[1]}"
    module.mkdir(parents=True, exist_ok=True)
    (module / "__init__.py").write_text("")
    text = torch_module(version) if name == "torch" else f"__version__ = version = '{version}'\n"
    if not (module / "version.py").exists():
        (module / "version.py").write_text(text)
    if name == "torch" and system == "macos":
        write_file(module / "lib/libtorch_cpu.dylib", "")


def make_venv(prefix):
    write_file(prefix / "pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11.2\n")
    write_file(prefix / "bin/python3", "")
    (prefix / "lib/python3.11/site-packages").mkdir(parents=True, exist_ok=True)


def make_pythons(machine, root):
    packages = dict(machine.get("packages", {}))
    for prefix, installed in machine.get("venvs", {}).items():
        make_venv(root / prefix.lstrip("/"))
        packages[f"{prefix}/lib/python3.11/site-packages"] = installed
    for site, installed in packages.items():
        for name, version in installed.items():
            install(root / site.lstrip("/"), name, str(version), machine.get("system", "linux"))


def steering(settings):
    words = []
    for key, value in settings.items():
        for one in value if isinstance(value, list) else [value]:
            words += [f"{key}={numbered(str(one), n)}" for n in numbers(str(one))] or [f"{key}={one}"]
    return ";".join(words)


def make(machine, folder):
    """The root, the folder of libraries, and the environment."""
    root, libraries = folder / "root", folder / "libraries"
    root.mkdir()
    libraries.mkdir()
    for path, what in machine.get("files", {}).items():
        write_files(root, path, what)
    make_pythons(machine, root)
    # a library that crashes does so under sanitizers, too
    environment = {"ASAN_OPTIONS": "handle_segv=0", "TSAN_OPTIONS": "handle_segv=0"}
    environment |= {key: str(value) for key, value in machine.get("environment", {}).items()}
    fakes = pathlib.Path(os.environ["RUNG_FAKES"])
    for name, what in machine.get("libraries", {}).items():
        if not isinstance(what, dict):
            (libraries / name).write_bytes(what.encode("latin-1"))
            continue
        for one in (name, *COMPANIONS.get(name, ())):
            (libraries / one).symlink_to(fakes / one)
        environment[STEERED[name]] = steering(what)
    return root, libraries, environment


def report(machine, folder):
    root, libraries, environment = make(machine, folder)
    words = [os.environ["RUNG_REPORT"], root, libraries, os.environ["RUNG_HELPER"], machine.get("system", "linux"),
             machine.get("cpu", "x86-64-v3"), str(machine.get("timeout_ms", 60000)),
             machine.get("built", "cuda/*,rocm/*,metal/*,tpu/*,opencl/*")]
    words += [machine["python"]] if "python" in machine else []
    done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b""), done
    return json.loads(done.stdout)


def differences(expected, found, where):
    """What is named in `expected` and is not so in `found`."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            if not isinstance(found, dict) or key not in found:
                yield f"{where}: no {key} in {found}"
            else:
                yield from differences(value, found[key], f"{where}.{key}")
    elif isinstance(expected, list):
        if len(expected) != len(found):
            yield f"{where}: {len(expected)} expected, {len(found)} found"
        for i, (one, other) in enumerate(zip(expected, found)):
            yield from differences(one, other, f"{where}[{i}]")
    elif expected != found:
        yield f"{where}: {expected!r} expected, {found!r} found"


def compare(expect, found):
    known = set(expect.get("full", {})) | set(expect.get("look", {}))
    for how in ("full", "look"):
        devices = {one["device"]: one for one in found[how] if one["device"] != "cpu"}
        wanted = {device: {"state": "absent"} for device in devices if device not in known}
        yield from differences({**wanted, **expect.get(how, {})}, devices, how)
    for how in ("native", "frameworks"):
        if how in expect:
            yield from differences(expect[how], found[how]["chosen"], how)
    for name, words in expect.get("rejected", {}).items():
        reasons = [one["reason"] for one in found["frameworks"]["ranked"] if one["name"] == name]
        if not reasons or words not in reasons[0]:
            yield f"rejected.{name}: {words!r} expected, {reasons} found"
    if "platform" in expect:
        yield from differences(expect["platform"], found["platform"], "platform")
    frameworks = {one["name"]: one for one in found["python"]["frameworks"]}
    yield from differences(expect.get("python", {}), {**found["python"], **frameworks}, "python")
    yield from differences(expect.get("host", {}), found["host"], "host")
    yield from differences(expect.get("hardware", found["hardware"]), found["hardware"], "hardware")
    texts = {"reason": found["reason"], "advice": found["frameworks"]["advice"], "doctor": found["doctor"]}
    for where, text in texts.items():
        for words in expect.get(where, []):
            if words not in text:
                yield f"{where}: {words!r} expected, found:\n{text}"


def falsified(expected):
    """Every expectation that is wrong in one place."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            yield from ({**expected, key: one} for one in falsified(value))
    elif isinstance(expected, list):
        yield [*expected, "?"]
        for i, value in enumerate(expected):
            yield from ([*expected[:i], one, *expected[i + 1:]] for one in falsified(value))
    elif isinstance(expected, bool):
        yield not expected
    else:
        yield expected + ("?" if isinstance(expected, str) else 1)


def without_device(expect, device):
    rest = {how: {k: v for k, v in expect.get(how, {}).items() if k != device} for how in ("full", "look")}
    return {**expect, **rest}


@pytest.mark.parametrize("name", MACHINES)
def test_machine(name, tmp_path):
    machine = load(name)
    found = report(machine, tmp_path)
    expect = machine["expect"]
    assert not list(compare(expect, found))
    for wrong in falsified(expect):
        assert list(compare(wrong, found)), wrong
    for device in {*expect.get("full", {}), *expect.get("look", {})}:
        assert list(compare(without_device(expect, device), found)), device
    screen = found["doctor"].splitlines()
    assert len(screen) <= 24, found["doctor"]
    devices = {one["device"]: one for one in found["full"]}
    for device in devices.values():
        # a usable GPU can be told from another of its kind
        if device["device"] in ("cuda", "rocm", "metal"):
            assert all(unit["uuid"] or unit["bus"] for unit in device["units"] if unit["state"] == "usable"), device
        # whatever cannot be used is explained, and a person is told what to do where there is something to be done
        assert device["usable"] or device["text"], device
        assert device["remedy"] in found["doctor"], device


def test_there_are_enough():
    assert len(MACHINES) >= 70


def states():
    """The table of states, as the page has it."""
    done = subprocess.run([os.environ["RUNG_REPORT"], "states"], capture_output=True, check=True)
    return done.stdout.decode()


def test_every_state_is_met():
    """Each state that detection knows is the answer for at least one machine, but for those that no machine has: a
    program that was forked, one that is linked statically, one that lacks its helper. Those have tests elsewhere."""
    known = {row.split("`")[1] for row in states().splitlines()} - {"forked", "static_program", "no_helper"}
    met = {unit.get("state") for name in MACHINES for how in ("full", "look")
           for unit in load(name)["expect"].get(how, {}).values()}
    assert known - {"absent"} <= met


def test_the_page_has_the_states():
    page = HERE.parent.parent / "docs/detection.md"
    assert states() in page.read_text()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        said = report(load(sys.argv[1]), pathlib.Path(scratch))
    print(said.pop("doctor"))
    print(yaml.safe_dump(said, sort_keys=False, width=120))
