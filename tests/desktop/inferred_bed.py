"""A bed with its table in view, what is inferred of it, and drags of that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from live_tree import LiveWindow, live_window, until
from xtest import Mouse

from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.perceive import StructuralInferenceProvider
from handeye.testing.desktop import PrivateDesktop

BEDS = Path(__file__).parent / "beds"


class Bed(LiveWindow):
    """A bed with its table in view, and what is inferred of it."""

    def inferred(self) -> Mapping[str, UIElement]:
        detection = StructuralInferenceProvider(self.provider).detect(self.window)
        assert all(
            control is None
            for each, control in zip(detection.targets, detection.controls, strict=True)
            if each.source == "structure"
        )
        return {each.description: each for each in detection.targets if each.source == "structure"}

    def part(self, name: str) -> UIElement:
        """The part of that name, once the application has told all of its tree, and twice the same."""

        def look() -> UIElement | None:
            try:
                first, second = self.inferred().get(name), self.inferred().get(name)
            except HandeyeError:
                return None  # it has only just begun
            return first if first is not None and second is not None and first.bbox == second.bbox else None

        return until(look)


@contextmanager
def bed_of(desktop: PrivateDesktop, python: str | Path, script: str, title: str, *options: str) -> Iterator[Bed]:
    """A bed that shows its table."""
    command = (python, BEDS / script, "--title", title, "--tab", "Table", *options)
    with live_window(desktop, title, *command, kind=Bed) as bed:
        desktop.backend.focus(bed.window)
        yield bed


def value_at(told: Mapping[str, Any], path: str) -> Any:
    found: Any = told
    for key in path.split("/"):
        found = found[int(key)] if isinstance(found, list) else found[key]
    return found


def check_drag(
    bed: Bed, mouse: Mouse, name: str, by: tuple[int, int], *paths: str, grows: tuple[int, ...] = ()
) -> None:
    """
    Drag the part called `name`: what stands at each of `paths` in the bed's own words grows by the distance, else by `grows`.
    """
    bed.desktop.backend.focus(bed.window)
    part = bed.part(name)
    before = bed.told()
    mouse.drag(part.center, *by)
    distances = grows or [distance for distance in by if distance]
    expected = {path: value_at(before, path) + distance for path, distance in zip(paths, distances, strict=True)}
    last: dict[str, int] = {}

    def arrived() -> bool:
        last.update({path: value_at(bed.told(), path) for path in paths})
        return last == expected

    try:
        until(arrived)
    except AssertionError:
        pytest.fail(f"{name} at {part.center} dragged by {by}: expected {expected}, got {last}")
