"""Ground truth of a screen, by which answers are judged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

from handeye.geometry import Box
from handeye.screen import Screen


@dataclass(frozen=True)
class Thing:
    """
    One thing on the screen; boxes are in pixels of the picture.

    `box` is what a click may hit: the control, or the text itself where no control holds it. `label_box` is the text
    alone. `glyph` is equal for equal icons, on every screen. `clipped` things are seen in part and are never asked for.
    `number` is its place in Scene.things, `parent` that of the control around it. `enabled` is None if unknown.
    """

    number: int
    role: str
    text: str
    box: Box
    label_box: Box | None = None
    glyph: str = ""
    parent: int | None = None
    enabled: bool | None = None
    clipped: bool = False

    @property
    def place(self) -> Box:
        return self.label_box or self.box


@dataclass(frozen=True)
class Scene:
    """
    One screen: where its picture lies, what is on it, and how it was made.

    `page` is equal for renderings of the same contents in another theme, scale or state; `variant` distinguishes these.
    `held_out`: thresholds may not be tuned on it. `tree` is the platform's own tree, when it has one (Android's XML).
    """

    name: str
    picture: Path
    library: str
    page: str
    variant: str
    language: str
    dark: bool
    scale: float
    held_out: bool
    things: tuple[Thing, ...]
    rows: tuple[Box, ...] = ()
    tree: str = ""
    glyphs: dict[str, str] = field(default_factory=dict)  # glyph: picture of it with an alpha channel

    @cached_property
    def screen(self) -> Screen:
        return Screen.open(self.picture)

    def release(self) -> None:
        """Release the pixels: those of hundreds of screens do not fit in memory together."""
        self.__dict__.pop("screen", None)

    def in_row(self, row: Box) -> list[Thing]:
        return [thing for thing in self.things if row.contains(thing.place.center)]

    def save(self) -> None:
        """Write the truth to a file next to the picture."""
        values = {key: value for key, value in asdict(self).items() if key not in ("picture", "screen")}
        self.picture.with_suffix(".json").write_text(json.dumps(values, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def load(cls, truth: Path) -> Scene:
        values = json.loads(truth.read_text(encoding="utf-8"))
        values["things"] = tuple(_thing(each) for each in values["things"])
        values["rows"] = tuple(Box(*row) for row in values["rows"])
        return cls(picture=truth.with_suffix(".png"), **values)


def scenes_in(folder: Path) -> Iterator[Scene]:
    """Return every screen of a folder, in the order of their names."""
    for truth in sorted(folder.glob("*.json")):
        yield Scene.load(truth)


def _thing(values: dict) -> Thing:
    boxes = {name: Box(*values[name]) if values[name] else None for name in ("box", "label_box")}
    return Thing(**{**values, **boxes})
