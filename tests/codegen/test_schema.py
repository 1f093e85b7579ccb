# SPDX-License-Identifier: Apache-2.0
"""registry.schema.json says of a registry's shape what the generator says."""

import json

import jsonschema
import pytest
from broken import BROKEN, Broken
from support import BASE, ROOT, check, plain, registries_of_the_tree
from test_resolution import EXAMPLES
from test_text import TINY

from codegen import arch_models, load, model, schema_ops
from codegen.diagnostics import Diagnostics

SCHEMA = json.loads((ROOT / "codegen" / "registry.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def _refused(text: str) -> bool:
    return not VALIDATOR.is_valid(plain(load.parse(text.encode(), Diagnostics("x"))))


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("text", [BASE, EXAMPLES, TINY], ids=["base", "examples", "tiny"])
def test_good_ones_are_accepted(text: str) -> None:
    assert check(text)[1] == "" and not _refused(text)


@pytest.mark.parametrize("path", registries_of_the_tree(), ids=lambda path: path.parent.name)
def test_the_registries_of_this_tree(path) -> None:
    text = path.read_text(encoding="utf-8")
    assert check(text, path.parent)[1] == "" and not _refused(text)


@pytest.mark.parametrize("case", [case for case in BROKEN if case.structural], ids=lambda case: case.name)
def test_mistakes_of_shape_are_refused(case: Broken) -> None:
    assert _refused(BASE.replace(case.old, case.new))


def _walk(node, path="#"):
    if isinstance(node, dict):
        yield path, node
        for key, value in node.items():
            yield from _walk(value, f"{path}/{key}")


def test_every_key_of_a_registry_is_described_and_none_is_open() -> None:
    for path, node in _walk(SCHEMA):
        if "properties" in node and node.get("type") == "object" and "allOf" not in path:
            assert "additionalProperties" in node, path
            for key, value in node["properties"].items():
                target = SCHEMA["$defs"].get(value.get("$ref", "").rpartition("/")[2], {})
                assert value.get("description") or target.get("description"), f"{path}: {key}"


def test_the_lists_of_words_are_the_generator_s() -> None:
    assert SCHEMA["$defs"]["scalar"]["properties"]["type"]["enum"] == list(schema_ops.TYPES)
    assert SCHEMA["$defs"]["pointer"]["properties"]["access"]["enum"] == list(schema_ops.ACCESS)
    assert SCHEMA["$defs"]["device"]["enum"] == list(model.KNOWN_DEVICES)
    assert SCHEMA["$defs"]["model"]["enum"] == list(arch_models.MODELS)
