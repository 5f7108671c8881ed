"""Tests of XPath-like paths: what each form selects, and errors that name the position of a mistake."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.elements import UIElement, UIState
from handeye.errors import UsageError
from handeye.geometry import Box
from handeye.locate import Tree
from handeye.locate.sources.tree_matching import select
from handeye.screen import Screen
from handeye.target.node_path import MAX_PATH

SCREEN = Screen(np.zeros((100, 100, 3), np.uint8))


def node(number: int, parent: int | None, role: str, cls: str, text: str = "", **about: object) -> UIElement:
    return UIElement(
        role,
        str(about.pop("description", "")),
        Box(0, 0, 10, 10),
        text=text,
        id=number,
        parent=parent,
        enabled=bool(about.pop("enabled", True)),
        interactive=role == "button",
        metadata={"class": cls, **about},
    )


TREE = Tree(
    UIState(
        SCREEN,
        (
            node(1, None, "pane", "Pane"),
            node(2, 1, "list", "List", "fruit"),
            node(3, 2, "list item", "ListItem", "apple"),
            node(4, 2, "list item", "ListItem", "pear", selected=True),
            node(5, 1, "list", "List", "tools"),
            node(6, 5, "list item", "ListItem", "saw"),
            node(7, 6, "button", "android.widget.Button", "OK", id="com.x:id/ok"),
            node(8, 5, "list item", "ListItem", "file"),
            node(9, 8, "button", "android.widget.ImageButton", description='it\'s "more"', enabled=False),
        ),
    )
)


def ids(path: str) -> list[int | None]:
    return [element.id for element in select(TREE, path)]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/Pane", [1]),
        ("/hierarchy/Pane", [1]),
        ("/Pane/List", [2, 5]),
        ("/Pane/List[2]/ListItem[1]", [6]),
        ("/List", []),
        ("//List", [2, 5]),
        ("//ListItem[2]", [4, 8]),
        ("//ListItem[last()]", [4, 8]),
        ("//ListItem[3]", []),
        ("//Pane//Button", [7, 9]),
        ("//List[2]//*", [6, 7, 8, 9]),
        ("//*//*[@text='OK']", [7]),
        ("//android.widget.Button", [7]),
        ("//ImageButton", [7, 9]),
        ("//button[@class='ImageButton']", [9]),
        ("//Button[@text='OK']", [7]),
        ('//BUTTON[@text="OK"]', [7]),
        ("//*[@id='ok']", [7]),
        ("//*[@resource-id='com.x:id/ok']", [7]),
        ("//*[@text!='OK' and @role='button']", [9]),
        ("//*[contains(@name,'e') and @role='list item']", [3, 4, 8]),
        ("//ListItem[starts-with(@text, 'p')]", [4]),
        ("//ListItem[@selected]", [4]),
        ("//ListItem[@selected='false'][2]", [8]),
        ("//ListItem[2][@selected='true']", [4]),
        ("//Button[@enabled='false']", [9]),
        ("//Button[@content-desc='it&apos;s']", []),
        ("//Button[contains(@description, '\"more\"')]", [9]),
        ("//Button[@clickable='true']", [7, 9]),
        ("//*[@text='']", [1, 9]),
    ],
)
def test_path_selects_expected_elements(path: str, found: list[int]) -> None:
    assert ids(path) == found


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("Button", 1),
        ("//", 1),
        ("//Button/", 9),
        ("//Button[", 10),
        ("//Button[]", 10),
        ("//Button[0]", 9),
        ("//Button[-1]", 10),
        ("//Button[@text=OK]", 15),
        ("//Button[@text='OK'", 20),
        ("//Button[@text='OK' or @text='No']", 21),
        ("//Button[@color='red']", 10),
        ("//Button[1]x", 12),
        ("//Button[position()=1]", 10),
        ("//Button[contains(@text,'a)]", 10),
        ("//a b", 4),
        ("../Button", 1),
    ],
)
def test_invalid_path_error_names_the_position(path: str, place: int) -> None:
    with pytest.raises(UsageError, match=rf"at character {place}: expected"):
        ids(path)


@pytest.mark.parametrize("path", ["", "//a" * MAX_PATH])
def test_empty_or_overlong_path_is_rejected(path: str) -> None:
    with pytest.raises(UsageError):
        ids(path)


@given(st.text(max_size=60) | st.text("/[]@*='\"() ,1Buttonextlas", max_size=60))
def test_any_path_selects_elements_or_raises_error(path: str) -> None:
    try:
        found = select(TREE, path)
    except UsageError:
        return
    assert set(map(id, found)) <= set(map(id, TREE.elements))


def test_path_through_deep_tree_does_not_recurse() -> None:
    deep = tuple(node(n, n - 1 if n > 1 else None, "group", "G") for n in range(1, 3000))
    tree = Tree(UIState(SCREEN, deep))
    assert [each.id for each in select(tree, "//G//G[1]//G")] == list(range(3, 3000))


def test_every_documented_path_is_valid() -> None:
    lines = (Path(__file__).parents[2] / "docs" / "trees.md").read_text(encoding="utf-8").splitlines()
    written = [line.split("`")[1] for line in lines if line.startswith("| `/")]
    assert len(written) > 5
    for path in written:
        select(TREE, path)
