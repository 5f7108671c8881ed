"""Tests that the JSON Schemas for editors and the loader accept and refuse the same files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handeye.apps.json_schemas import FILES, schema_of
from handeye.apps.schema import IndexFile
from handeye.documents import Document, problems_in

SCHEMAS = {kind: jsonschema.Draft202012Validator(schema_of(kind)) for kind in FILES}


def verdicts(kind: str, value: Any) -> tuple[bool, bool]:
    """Return two verdicts on a value, True for accepted: the loader's and the schema's."""
    return not problems_in(Document(Path("x"), value, {}), FILES[kind]), SCHEMAS[kind].is_valid(value)


def of_step(step: Any) -> Any:
    return {"tasks": [{"name": "a", "steps": [step]}]}


TAP = {"action": "tap", "target": "a"}
CHECK = {"action": "check"}
SWIPE = {"action": "swipe", "params": {"direction": "up"}}

TAKEN: list[Any] = [
    TAP,
    {**TAP, "retry": 2.0},
    {**TAP, "timeout": 3000.0},
    {**TAP, "use": None},
    {**TAP, "args": {}, "save_as": {}},
    {**TAP, "params": {}},
    {**TAP, "target": {"text": None, "reference": "b"}},
    {**TAP, "target": {"description": "b", "region": [0, 0.5, 1, 1]}},
    {**TAP, "expect": None, "guard": None, "fallback": None, "verify_ref": None},
    {**TAP, "expect": {"changed": True}},
    {**TAP, "expect": {"row": "a", "switch": "on", "region": None}},
    {**TAP, "expect": {"text": "a", "row": "b", "new": True}},
    {**TAP, "expect": {"app": "another"}},
    {**TAP, "expect": {"app": "com.example.a_1"}},
    {**TAP, "repeat": 20},
    {**TAP, "fallback": {"action": "swipe", "params": {"direction": "left"}}},
    {**TAP, "fallback": {"action": "tap", "target_ref": "b"}},
    {**TAP, "fallback": {"action": "wait"}},
    {**TAP, "fallback": {"action": "press_key", "params": {"key": "BACK"}}},
    {**CHECK, "target": "a"},
    {**CHECK, "verify_ref": "a"},
    {"action": "long_press", "target": "a", "params": {"duration": 10}},
    {"action": "press_key", "params": {"keycode": 4, "key": None}},
    {"action": "press_key", "params": {"keycode": 4.0}},
    {"action": "launch_app", "params": {"package": "a.b"}},
    {"action": "read", "target": "a", "params": {"save_as": "v"}},
    {"use": "b.c", "args": {"x": "y"}, "save_as": {"v": "w"}, "repeat": 1},
    {"use": "b", "when": {"text": "a"}, "repeat": 3},
    {"use": "b", "description": "x"},
]

REFUSED: list[Any] = [
    {},
    None,
    "tap",
    {"action": None},
    {"use": None},
    {"action": "tapp"},
    {"action": "tap"},
    {"action": "tap", "target": None},
    {"action": "long_press"},
    {"action": "return_home"},
    {"action": "read", "params": {"save_as": "v"}},
    {"action": "read", "target": "a", "params": {"save_as": "v", "take": "left"}},
    {"action": "read", "target": "a", "params": {"save_as": "v"}, "repeat": 2},
    {"action": "read", "target": "a"},
    CHECK,
    {**CHECK, "expect": {}},
    {**CHECK, "expect": None},
    {**TAP, "acton": "tap"},
    {**TAP, "use": "b"},
    {"use": "b", "action": None},
    {"use": "b", "target": "a"},
    {"use": "b", "retry": 2},
    {"use": "b", "save_as": {"v": "w"}, "repeat": 2},
    {"use": "b", "save_as": {"v w": "w"}},
    {"use": "b.c.d"},
    {"use": "打开"},
    {**TAP, "args": {"x": "y"}},
    {**TAP, "save_as": {"v": "w"}},
    {**TAP, "target": ""},
    {**TAP, "target": {}},
    {**TAP, "target": {"text": None}},
    {**TAP, "target": {"exact": True}},
    {**TAP, "target": {"text": "a", "exact": 1}},
    {**TAP, "target": {"text": "a", "region": ["0", 0, 1, 1]}},
    {**TAP, "target": {"text": "a", "region": [True, 0, 1, 1]}},
    {**TAP, "target": {"text": "a", "region": [0, 0, 1]}},
    {**TAP, "target": {"text": "a", "region": 3}},
    {**TAP, "retry": -1},
    {**TAP, "retry": 2.5},
    {**TAP, "retry": True},
    {**TAP, "retry": "2"},
    {**TAP, "timeout": 600_001},
    {**TAP, "repeat": 0},
    {**TAP, "params": {"duration": 5}},
    {**TAP, "params": None},
    {**TAP, "expect": {}},
    {**TAP, "expect": {"changed": False}},
    {**TAP, "expect": {"exact": True}},
    {**TAP, "expect": {"row": "a"}},
    {**TAP, "expect": {"row": "a", "text": "b", "region": [0, 0, 1, 1]}},
    {**TAP, "expect": {"switch": "on"}},
    {**TAP, "expect": {"switch": "yes", "row": "a"}},
    {**TAP, "expect": {"changed": True, "new": True}},
    {**TAP, "expect": {"app": "home screen"}},
    {**TAP, "expect": {"app": "com.1a"}},
    {**TAP, "fallback": {"action": "tap"}},
    {**TAP, "fallback": {"action": "tap", "target_ref": ""}},
    {**TAP, "fallback": {"action": "swipe"}},
    {**TAP, "fallback": {"action": "swipe", "params": {"direction": "lefft"}}},
    {**TAP, "fallback": {"action": "wait", "params": {"seconds": 3}}},
    {**TAP, "fallback": {"action": "wait", "target_ref": "a"}},
    {**TAP, "fallback": {"action": "check"}},
    {"action": "press_key"},
    {"action": "press_key", "params": {}},
    {"action": "press_key", "params": {"key": None}},
    {"action": "press_key", "params": {"key": "BACK", "keycode": 4}},
    {"action": "swipe"},
    {"action": "input_text", "params": {"text": ""}},
    {"action": "launch_app", "params": {"package": "x"}},
    {"action": "launch_app", "params": {"package": "甲.乙"}},
]


@pytest.mark.parametrize("step", TAKEN, ids=str)
def test_loader_and_schema_accept_valid_steps(step: Any) -> None:
    assert verdicts("tasks", of_step(step)) == (True, True)


@pytest.mark.parametrize("step", REFUSED, ids=str)
def test_loader_and_schema_refuse_invalid_steps(step: Any) -> None:
    assert verdicts("tasks", of_step(step)) == (False, False)


def of_slot(slot: Any) -> Any:
    uses = {"action": "check", "expect": {"text": "{x}"}}
    return {"tasks": [{"name": "a", "patterns": "b{x}", "slots": {"x": slot}, "steps": [uses]}]}


@pytest.mark.parametrize(
    ("kind", "value", "taken"),
    [
        ("tasks", of_slot({}), True),
        ("tasks", of_slot({"type": "one_of", "values": ["c"]}), True),
        ("tasks", of_slot({"type": "one_of", "values": {"c": "d"}, "default": "d"}), True),
        ("tasks", of_slot({"type": "number", "minimum": 1, "maximum": 2.5}), True),
        ("tasks", of_slot({"max_length": 8.0, "values": None}), True),
        ("tasks", of_slot({"type": "one_of"}), False),
        ("tasks", of_slot({"type": "one_of", "values": []}), False),
        ("tasks", of_slot({"values": ["c"]}), False),
        ("tasks", of_slot({"type": None}), False),
        ("tasks", of_slot({"max_length": 0}), False),
        ("tasks", of_slot({"minimum": True}), False),
        ("tasks", of_slot({"minimum": 1}), False),
        ("tasks", of_slot({"type": "name", "maximum": 1}), False),
        ("tasks", of_slot({"type": "url", "maximum": None}), True),
        ("tasks", of_slot(None), False),
        ("tasks", {}, True),
        ("tasks", {"regions": {"top": [0, 0, 1, 1]}}, True),
        ("tasks", {"regions": {"top": ["0", 0, 1, 1]}}, False),
        ("tasks", {"regions": {"top of": [0, 0, 1, 1]}}, False),
        ("tasks", {"tasks": [{"name": "a", "steps": []}]}, False),
        ("tasks", {"tasks": [{"name": "a b", "steps": [TAP]}]}, False),
        ("tasks", {"tasks": [{"name": "a", "slots": {"x y": {}}, "steps": [TAP]}]}, False),
        ("tasks", {"tasks": [{"name": "a", "patterns": [""], "steps": [TAP]}]}, False),
        ("tasks", None, False),
        ("config", {"name": "a", "title": "b"}, True),
        ("config", {"name": "a", "title": "b", "package": ["c.d", "e.f"]}, True),
        ("config", {"name": "a", "title": "b", "package": "c"}, False),
        ("config", {"name": "a", "title": "b", "package": ["c d.e"]}, False),
        ("config", {"name": "a", "title": ""}, False),
        ("config", {"name": "a", "title": "b", "keywords": "c"}, False),
        ("config", [], False),
        ("aliases", None, True),
        ("aliases", {"搜索": "search"}, True),
        ("aliases", {"搜索": "a b"}, False),
        ("aliases", {"搜索": 1}, False),
        ("aliases", ["search"], False),
        ("index", {"icons": {"a": {"path": "a.png", "resolution": [1, 2.0], "position": None}}}, True),
        ("index", {"$schema": "x", "more": 3, "ui": {"a": {"path": "a.png", "note": "b"}}}, True),
        ("index", {"icons": {"a": {"path": "a.png", "resolution": ["1", 2]}}}, False),
        ("index", {"icons": {"a": {"path": "a.png", "resolution": [0, 2]}}}, False),
        ("index", {"icons": {"a": {"path": "a.png", "resolution": [True, 2]}}}, False),
        ("index", {"icons": {"a": {"path": "a.png", "position": ["0", 0, 1, 1]}}}, False),
        ("index", {"icons": {"a": {"path": "a.png", "exists": "yes"}}}, False),
        ("index", {"icons": {"a": {"path": "a.png", "exists": 1}}}, False),
        ("index", {"icons": {"a": {}}}, False),
        ("index", {"icons": []}, False),
        ("index", {"version": 1}, False),
    ],
    ids=str,
)
def test_loader_and_schema_agree_on_other_forms(kind: str, value: Any, taken: bool) -> None:
    assert verdicts(kind, value) == (taken, taken)


ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, "", "a", "up", "a.b", True, 0, 1, 2.0, -1, [], {}, [0, 0, 1, 1], ["a"]]
)
EXPECT = st.dictionaries(
    st.sampled_from(["text", "gone", "reference", "row", "switch", "new", "app", "changed"]), ODD, max_size=3
)
KEYS = st.fixed_dictionaries(
    {},
    optional={
        "action": st.sampled_from(
            ["tap", "check", "read", "swipe", "press_key", "launch_app", "wait", "input_text", None, "b"]
        ),
        "use": st.sampled_from(["b", "b.c", None, ""]),
        "target": ODD | st.dictionaries(st.sampled_from(["text", "reference", "exact", "region"]), ODD, max_size=3),
        "params": ODD
        | st.dictionaries(st.sampled_from(["key", "keycode", "direction", "text", "package", "save_as"]), ODD, max_size=2),
        "args": ODD,
        "save_as": ODD,
        "expect": ODD | EXPECT,
        "unless": ODD | EXPECT,
        "verify_ref": ODD,
        "repeat": ODD,
        "retry": ODD,
        "fallback": ODD
        | st.fixed_dictionaries(
            {"action": st.sampled_from(["tap", "swipe", "press_key", "wait", "go_home"])},
            optional={"params": ODD | st.fixed_dictionaries({"direction": ODD}), "target_ref": ODD},
        ),
    },
)  # fmt: skip


def _names_a_region(step: Any) -> bool:
    """A region's name that is declared nowhere is no matter of shape."""
    return any(isinstance(part, dict) and isinstance(part.get("region"), str) for part in step.values())


@settings(max_examples=400, deadline=None)
@given(KEYS.filter(lambda step: not _names_a_region(step)))
def test_loader_and_schema_agree_on_any_step(step: Any) -> None:
    loader, schema = verdicts("tasks", of_step(step))
    assert loader == schema


SLOTS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["text", "name", "label", "number", "url", "one_of", "email", None]),
        "values": ODD | st.just({"a": "b"}),
        "max_length": ODD,
        "minimum": st.sampled_from([0, 1.5, None, True, "1"]),
        "maximum": st.sampled_from([2, 2.5, None, False, "1"]),
    },
)


@settings(max_examples=200, deadline=None)
@given(SLOTS)
def test_loader_and_schema_agree_on_any_slot(slot: Any) -> None:
    loader, schema = verdicts("tasks", of_slot(slot))
    assert loader == schema


ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "path": ODD,
        "aliases": ODD,
        "package": ODD,
        "resolution": ODD | st.lists(ODD, max_size=3),
        "position": ODD | st.lists(ODD, max_size=5),
        "exists": ODD,
        "more": ODD,
    },
)


@settings(max_examples=200, deadline=None)
@given(ENTRIES)
def test_loader_and_schema_agree_on_any_entry(entry: Any) -> None:
    loader, schema = verdicts("index", {"ui": {"a": entry}})
    assert loader == schema or "less than" in str(problems_in(Document(Path("x"), {"ui": {"a": entry}}, {}), IndexFile))
