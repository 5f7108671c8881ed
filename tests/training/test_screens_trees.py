"""Tests of the accessibility trees for training questions: read back, and generated from a truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from training.phrases import phone_pictures
from training.ranker.collect import generated
from training.screens.trees import as_nodes, from_nodes, in_web_view, made_tree, tree_of


def element(role: str, box: list[int], parent: int | None = None, **more: Any) -> dict[str, Any]:
    told = {
        "role": role,
        "box": box,
        "text": "",
        "name": "",
        "interactive": role not in ("text", "icon"),
        "visible": 1.0,
    }
    return {**told, "state": "", "parent": parent, **more}


def truth(**more: Any) -> dict[str, Any]:
    """A row with two lines, a button of an icon and one with a text, and what lies under a veil."""
    elements = [
        element("list item", [0, 0, 200, 60], text="Anna See you"),
        element("text", [50, 5, 100, 25], 0, text="Anna"),
        element("text", [50, 30, 120, 50], 0, text="See you"),
        element("button", [10, 100, 50, 140]),
        element("icon", [20, 110, 40, 130], 3, name="mdi:home"),
        element("button", [60, 100, 160, 140], text="Send", state="disabled"),
        element("text", [80, 110, 120, 130], 5, text="Send"),
        element("button", [0, 300, 100, 340], text="Behind", state="disabled covered", interactive=False),
        element("text", [10, 310, 90, 330], 7, text="Behind", state="covered"),
    ]
    return {
        "size": [200, 400],
        "library": "plain",
        "seed": 1,
        "language": "en",
        "phone": True,
        "elements": elements,
        **more,
    }


@pytest.mark.parametrize("phone", [True, False])
def test_generated_tree_contains_visible_elements_only(phone: bool) -> None:
    said = set()
    for seed in range(40):
        nodes = made_tree(truth(seed=seed, phone=phone))
        assert nodes == made_tree(truth(seed=seed, phone=phone))
        assert all(node.get("parent", -1) < number for number, node in enumerate(nodes))
        told = {word for node in nodes for word in (node.get("text"), node.get("description"))}
        assert any("Anna" in str(word) for word in told)
        assert "Send" in told
        assert not any("Behind" in str(word) for word in told)
        assert [node for node in nodes if node.get("enabled") is False]
        assert [node for node in nodes if node["box"] == [10, 100, 50, 140] and node.get("interactive")]
        said |= told
    assert "Home" in said  # a described icon, in some of the apps


def test_tree_round_trip_keeps_elements() -> None:
    elements = from_nodes(made_tree(truth()))
    again = from_nodes(json.loads(json.dumps(as_nodes(elements))))
    assert again == elements


def test_web_view_link_carries_its_own_text() -> None:
    nodes = [
        {"role": "document", "box": [0, 0, 200, 400]},
        {"role": "link", "box": [0, 0, 50, 20], "text": "More", "parent": 0, "interactive": True},
        {"role": "text", "box": [0, 0, 50, 20], "text": "More", "parent": 1},
        {"role": "button", "box": [0, 30, 50, 60], "parent": 0, "interactive": True},
        {"role": "image", "box": [0, 30, 50, 60], "text": "Logo", "parent": 3},
    ]
    found = in_web_view(nodes)
    assert [(each["class"], each.get("text"), each.get("parent")) for each in found] == [
        ("android.webkit.WebView", None, None),
        ("android.view.View", "More", 0),
        ("android.widget.Button", None, 0),
        ("android.widget.Image", "Logo", 2),
    ]


def test_phone_picture_has_matching_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    screens = [each for each in phone_pictures.SCREENS if each.name == "settings_display"]
    monkeypatch.setattr(phone_pictures, "SCREENS", screens)
    ((_, pixels, told),) = phone_pictures.pictures()
    width, height = pixels.shape[1], pixels.shape[0]
    tree = tree_of({"size": [width, height], **told})
    assert {"text", "switch", "button"} <= {each.element_type for each in tree}
    assert all(each.bbox.right <= width and each.bbox.bottom <= height for each in tree)
    assert {each["text"] for each in told["elements"] if each["role"] == "text"} & {each.text for each in tree}


def test_question_loads_the_tree_of_its_picture(tmp_path: Path) -> None:
    question = {"screen": "page.png", "words": "send", "boxes": [[60, 100, 160, 140]], "kind": "text", "language": "en"}
    questions = tmp_path / "questions.jsonl"
    questions.write_text(json.dumps(question))
    (frame,) = generated(questions, tmp_path, with_trees=True)
    assert frame.tree is None
    tree = [{"role": "button", "box": [60, 100, 160, 140], "text": "Send", "interactive": True}]
    (tmp_path / "page.json").write_text(json.dumps({"size": [200, 400], "questions": [], "tree": tree}))
    (frame,) = generated(questions, tmp_path, with_trees=True)
    assert frame.tree is not None
    assert [(each.element_type, each.text) for each in frame.tree] == [("button", "Send")]
