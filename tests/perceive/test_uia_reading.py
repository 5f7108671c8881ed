"""Tests of reading a window step by step: answered parts are kept, failures are noted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from handeye.perceive import Node
from handeye.perceive.uia.reading import read_by_steps

WINDOW = {"window": ["menu", "page"], "menu": ["file"], "page": ["name", "list"], "list": ["one", "two"]}


class Broken(OSError):
    pass


def node(name: str) -> Node:
    return Node(name, None, {}, frozenset())


def names(root: Node) -> list[object]:
    return [root.handle, *(name for child in root.children for name in names(child))]


def read(
    tree: Mapping[str, list[str]],
    *,
    most: int = 100,
    deepest: int = 100,
    broken: tuple[str, ...] = (),
    late: Callable[[], bool] = lambda: False,
) -> tuple[list[object], int, list[str]]:
    def children(handle: object) -> list[Node]:
        if handle in broken:
            raise Broken
        return [node(name) for name in tree.get(str(handle), ())]

    root = node("window")
    count, notes = read_by_steps(root, children, most=most, deepest=deepest, late=late, errors=(Broken,))
    return names(root), count, notes


def test_whole_tree_is_read_in_order() -> None:
    assert read(WINDOW) == (["window", "menu", "file", "page", "name", "list", "one", "two"], 8, [])


def test_failing_subtree_loses_only_its_own_elements() -> None:
    found, count, notes = read(WINDOW, broken=("menu", "list"))
    assert found == ["window", "menu", "page", "name", "list"]
    assert (count, notes) == (5, ["2 of its elements did not say what they hold"])


def test_levels_read_before_time_limit_are_kept() -> None:
    answers = iter([False, False, True])
    found, count, notes = read(WINDOW, late=lambda: next(answers))
    assert (found, count) == (["window", "menu", "file", "page"], 4)
    assert notes == ["the application is slow: not all of its elements were read"]


@pytest.mark.parametrize(("most", "read_then"), [(3, 3), (5, 4)])
def test_number_of_read_elements_is_limited(most: int, read_then: int) -> None:
    _, count, notes = read(WINDOW, most=most)
    assert count == read_then <= most
    assert "more than" in notes[0]


def test_endless_tree_depth_is_limited() -> None:
    found, count, notes = read({"window": ["window"]}, deepest=5)
    assert (len(found), count) == (6, 6)
    assert "levels" in notes[0]
