# SPDX-License-Identifier: Apache-2.0
"""select and doctor, with Pythons that are a few files, and without the machine's own accelerators."""
import pytest
from conftest import environment, strict_json


def dist(site, name, version, *requires):
    folder = site / f"{name}-{version}.dist-info"
    folder.mkdir(parents=True)
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    lines += [f"Requires-Dist: {one}" for one in requires]
    (folder / "METADATA").write_text("\n".join(lines) + "\n\n")
    (folder / "RECORD").write_text("")


def package(site, name, **files):
    (site / name).mkdir(parents=True)
    for file, text in {"__init__": "", **files}.items():
        (site / name / f"{file}.py").write_text(text)


@pytest.fixture
def venv(tmp_path):
    prefix = tmp_path / "env"
    site = prefix / "lib/python3.11/site-packages"
    site.mkdir(parents=True)
    (prefix / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11.2\n")
    (prefix / "bin").mkdir()
    (prefix / "bin/python3").write_text("")
    (prefix / "bin/python3").chmod(0o755)
    return prefix, site


def env(venv, **more):
    return environment(VIRTUAL_ENV=str(venv[0]), RUNG_SKIP="all", **more)


def numpy(site):
    dist(site, "numpy", "1.26.4")
    package(site, "numpy", version="version = '1.26.4'\n")


def torch(site):
    dist(site, "torch", "2.11.0+cpu")
    lines = ["__version__ = '2.11.0+cpu'", "cuda: Optional[str] = None", "hip: Optional[str] = None", ""]
    package(site, "torch", version="\n".join(lines))


def select(rung, venv, *words, code=0):
    done = rung("select", "--json", *words, env=env(venv))
    assert done.returncode == code, done
    return strict_json(done.stdout), done.stderr.decode()


def test_a_c_program_gets_what_it_can_run_itself(rung, venv):
    torch(venv[1])
    answer, said = select(rung, venv)
    assert (answer["chosen"]["name"], answer["chosen"]["native"], said) == ("native", True, "")
    losers = {one["name"]: one for one in answer["ranked"] if one["name"] != "native"}
    assert set(losers) == {"jax", "pytorch", "numpy"}
    assert all(one["reason"] for one in losers.values())


def test_the_full_list_has_frameworks(rung, venv):
    torch(venv[1])
    numpy(venv[1])
    answer, _ = select(rung, venv, "--full")
    assert (answer["chosen"]["name"], answer["chosen"]["device"], answer["chosen"]["score"]) == ("pytorch", "cpu", 50)
    assert answer["chosen"]["version"] == "2.11.0+cpu"
    scores = [one["score"] for one in answer["ranked"] if one["available"]]
    assert scores == sorted(scores, reverse=True) and len(scores) == 3


@pytest.mark.parametrize("name", ["numpy", "NumPy", "  NUMPY "])
def test_what_is_asked_for_is_taken(rung, venv, name):
    numpy(venv[1])
    answer, said = select(rung, venv, name)
    assert (answer["chosen"]["name"], answer["asked_for"], said) == ("numpy", True, "")


def test_what_is_not_there_is_an_error(rung, venv):
    answer, said = select(rung, venv, "jax", code=3)
    assert answer["chosen"] is None and "jax" in answer["error"] and answer["error"] in said
    answer, _ = select(rung, venv, "jax", "--unchecked")
    assert answer["chosen"]["name"] == "jax"


@pytest.mark.parametrize("name", ["nonesuch", ""])
def test_unknown_names(rung, venv, name):
    answer, said = select(rung, venv, name)
    assert answer["chosen"]["name"] == "native" and not answer["asked_for"]
    assert said.startswith("rung: warning: ") and "jax" in said and len(said.splitlines()) == 1
    done = rung("select", "--strict", name, env=env(venv))
    assert (done.returncode, done.stdout) == (2, b"")
    assert len(done.stderr.decode().splitlines()) == 1


def test_a_problem_that_does_not_fit(rung, venv):
    answer, said = select(rung, venv, "--voxels", "500000", "--volumes", "1200", "--factors", "100")
    assert answer["needed_mb"] == 9920
    answer, said = select(rung, venv, "--voxels", str(2**40), "--volumes", str(2**40), "--factors", "1")
    assert not answer["fits"] and "warning" in said and answer["needed_mb"] is None
    done = rung("select", "--voxels", "5", env=env(venv))
    assert (done.returncode, done.stdout) == (2, b"") and b"go together" in done.stderr


def test_python_is_named(rung, venv):
    numpy(venv[1])
    stale = environment(RUNG_SKIP="all", VIRTUAL_ENV="/nonesuch")
    done = rung("select", "--json", "numpy", "--python", venv[0], env=stale)
    assert done.returncode == 0 and strict_json(done.stdout)["chosen"]["version"] == "1.26.4"


@pytest.mark.parametrize("command", ["select", "doctor"])
def test_a_python_that_is_none(rung, venv, command):
    done = rung(command, "--python", "/nonesuch", env=env(venv))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"rung: --python: ") and b"/nonesuch" in done.stderr


@pytest.mark.parametrize("platform, code", [("nonesuch", 2), ("cpu//", 2), ("cpu/sm90", 2), ("cuda", 3)])
def test_select_with_a_platform_that_cannot_be(rung, venv, platform, code):
    done = rung("select", env=env(venv, RUNG_PLATFORM=platform))
    assert done.returncode == code and b"RUNG_PLATFORM: " in done.stderr


def test_doctor(rung, venv):
    torch(venv[1])
    text = rung("doctor", env=env(venv)).stdout.decode()
    lines = text.splitlines()
    assert len(lines) <= 24
    for words in ("pytorch", "2.11.0+cpu", "cuda", "RUNG_SKIP", "platform", "chosen", "rejected", "what to do"):
        assert words in text, text
    answer = strict_json(rung("doctor", "--json", env=env(venv)).stdout)
    assert {one["device"]: one["state"] for one in answer["devices"]} == {
        "cpu": "usable", **dict.fromkeys(("cuda", "rocm", "metal", "tpu", "opencl"), "skipped")}
    assert answer["host"]["cores"] >= 1 and answer["native"]["chosen"]["native"]


def test_variables_that_nobody_understands(rung, venv):
    misspelt = {**env(venv), "RUNG_SKIP": "all,nvidia"}
    warning = 'RUNG_SKIP: no device "nvidia"; there are cuda, rocm, metal, tpu, opencl and all'
    assert warning in rung("doctor", env=misspelt).stdout.decode()
    for command in ("doctor", "platform"):
        assert strict_json(rung(command, "--json", env=misspelt).stdout)["warning"] == warning
        assert strict_json(rung(command, "--json", env=env(venv)).stdout)["warning"] == ""


@pytest.mark.parametrize("platform", ["cuda", "nonesuch", "cpu//"])
def test_doctor_sees_a_platform_that_cannot_be(rung, venv, platform):
    done = rung("doctor", env=env(venv, RUNG_PLATFORM=platform))
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert "platform    none (RUNG_PLATFORM: " in text and "Unset or change RUNG_PLATFORM." in text, text
    answer = strict_json(rung("doctor", "--json", env=env(venv, RUNG_PLATFORM=platform)).stdout)
    assert answer["platform"] is None and answer["error"].startswith("RUNG_PLATFORM: ")
    assert answer["native"]["chosen"] is None


def test_every_probe_is_told(rung, venv):
    done = rung("doctor", env=environment(VIRTUAL_ENV=str(venv[0]), RUNG_LOG="debug"))
    told = [line for line in done.stderr.decode().splitlines() if line.startswith("rung: probe ")]
    assert {line.split()[2].rstrip(":") for line in told} >= {"cpu", "host", "cuda", "rocm", "tpu", "opencl", "python"}
    assert all(line.endswith(" us)") for line in told)
