"""Tests of denials in replies: those about the target refuse or doubt a place, those about other things are ignored."""

# ruff: noqa: E501 - a reply is one line
import re

import pytest

from handeye.errors import InvalidReply
from handeye.models.families.lookup import profile_named
from handeye.models.reply.reader import read_reply

EDGES = '{"found": true, "xmin": 100, "ymin": 200, "xmax": 300, "ymax": 400, "confidence": 0.9%s}'
BOX = '{"bbox_2d": [100, 200, 300, 400]}'
CLICK = "\nAction: click(start_box='(197,525)')"
LABELLED = '[{"bbox_2d": [100, 200, 300, 400], "label": "%s"}]'


DENIED = r"is not there|that it is not"


def because(reason: str) -> str:
    return EDGES % f', "reason": "{reason}"'


# (family, reply, what was asked for)
REFUSED = [
    ("claude", f"I see no Save button, only Cancel:\n{EDGES % ''}", "Save"),
    ("claude", f"There is no settings button. Nearest: {EDGES % ''}", "Settings"),
    ("claude", because("the requested element cannot be found"), "Save"),
    ("claude", f"It is nowhere to be seen. {EDGES % ''}", "the red arrow"),
    ("qwen3-vl", f"{BOX}\nWait, that is Cancel, not Save.", "Save"),
    ("qwen3-vl", LABELLED % "Save not found", "Save"),
    ("qwen3-vl", LABELLED % "target not visible", "Save"),
    ("doubao-seed", "截图中没有保存按钮 <bbox>1 2 3 4</bbox>", "保存"),
    ("doubao-seed", "未找到 <bbox>1 2 3 4</bbox>", "保存"),
    ("doubao-seed", "没有保存按钮 <bbox>1 2 3 4</bbox>", "Save"),
]
DOUBTED = [
    ("claude", because("Only a Cancel button exists"), "Save"),
    ("claude", because("There is no settings button; this is Cancel"), "the gear icon"),
    ("claude", because("the Save button is hidden behind the dialog"), "Save"),
    (
        "ui-tars-1.5",
        f"Thought: The Save button does not seem to be in the screenshot, so I click Cancel.{CLICK}",
        "Save",
    ),
    ("ui-tars-1.5", f"Thought: I'm not seeing a Save button. Cancel is the closest.{CLICK}", "Save"),
    ("ui-tars-1.5", f"Thought: There is no Save button.\nI take Cancel.{CLICK}", "Save"),
    ("ui-tars-1.5", f"Thought: Only a Cancel button exists.{CLICK}", "Save"),
    ("qwen3-vl", f"The closest thing I could find is Cancel: {BOX}", "Save"),
    ("qwen3-vl", f"{BOX} Wait, I made a mistake.", "Save"),
    ("qwen3-vl", LABELLED % "None", "Save"),
    ("qwen3-vl", LABELLED % "Page not found", "the heading"),
    ("doubao-seed", "界面上只有取消按钮 <bbox>1 2 3 4</bbox>", "保存"),
]
TAKEN = [
    ("claude", because("Only a Cancel button exists"), "Cancel"),
    ("claude", because("Bottom right; label not shown but icon matches"), "Save"),
    ("claude", because("The blue Save button; there is no other button like it."), "Save"),
    ("claude", EDGES % ', "text": "None"', "None"),
    ("qwen3-vl", LABELLED % "None", "None"),
    ("qwen3-vl", LABELLED % "Nothing", "the Nothing option"),
    ("qwen3-vl", LABELLED % "Page not found", "Page not found"),
    ("qwen3-vl", LABELLED % "Not now", "Not now"),
    ("qwen3-vl", f"Here is the Page not found heading: {BOX}", "Page not found"),
    ("qwen3-vl", f'This is "Page not found": {BOX}', "Page not found"),
    ("molmo", '<point x="63.5" y="44.5" alt="No results found">No results found</point>', "No results found"),
    ("os-atlas-7b", "<|object_ref_start|>None<|object_ref_end|><|box_start|>(100,200),(300,400)<|box_end|>", "None"),
    ("ui-tars-1.5", f"Thought: The search field is empty and no results are shown yet, so I click the Search button.{CLICK}", "Search button"),
    ("ui-tars-1.5", f"Thought: The user is not logged in here. I click Log in.{CLICK}", "Log in"),
    ("ui-tars-1.5", f"Thought: The menu is not visible yet, the hamburger icon opens it and is what I was asked for.{CLICK}", "the hamburger icon"),
    ("ui-tars-1.5", f"Thought: The button is not enabled but present{CLICK}", "Save"),
    ("ui-tars-1.5", f"Thought: Sorry dialog is open, OK is at the bottom.{CLICK}", "OK"),
    ("cogagent", "Status: the element is not visible in history\nPlan: click\nAction: Click OK\nGrounded Operation: CLICK(box=[[065,031,145,065]], element_type='x', element_info='y')", "OK"),
    ("doubao-seed", "没有搜索结果，点击保存 <bbox>1 2 3 4</bbox>", "保存"),
    ("doubao-seed", "界面上只有取消按钮 <bbox>1 2 3 4</bbox>", "取消"),
]  # fmt: skip


@pytest.mark.parametrize(("family", "reply", "asked"), REFUSED)
def test_place_with_denial_of_target_is_refused(family: str, reply: str, asked: str) -> None:
    with pytest.raises(InvalidReply, match=DENIED):
        read_reply(reply, profile_named(family), asked)


@pytest.mark.parametrize(("family", "reply", "asked"), DOUBTED)
def test_possible_denial_adds_a_doubt(family: str, reply: str, asked: str) -> None:
    read = read_reply(reply, profile_named(family), asked)
    assert read.places
    assert read.doubts


@pytest.mark.parametrize(("family", "reply", "asked"), TAKEN)
def test_negations_about_other_things_are_ignored(family: str, reply: str, asked: str) -> None:
    read = read_reply(reply, profile_named(family), asked)
    assert read.places
    assert not read.doubts


@pytest.mark.parametrize(("family", "reply", "_asked"), DOUBTED)
def test_denials_count_when_target_has_no_text(family: str, reply: str, _asked: str) -> None:
    """A reference picture has no words, so every denial is taken to be about it."""
    refused = ""
    try:
        doubts = read_reply(reply, profile_named(family)).doubts
    except InvalidReply as error:
        doubts, refused = (), error.problem
    assert doubts or re.search(DENIED, refused)
