"""Questions about a screen in a person's words, with their right answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal, Protocol

from handeye.errors import HandeyeError
from handeye.geometry import Box
from handeye.screen import Screen
from handeye.target import LocateResult

Verdict = Literal["right", "wrong", "refused"]
SLACK_PX: Final = 2  # a click this far outside of a part still hits it: boxes are rounded


@dataclass(frozen=True)
class Question:
    """Words and the boxes that are right answers, in pixels of the frame; no boxes for what is not on the screen."""

    words: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True)
class NamedIcon:
    """An icon and the part of the screen in which a click hits it."""

    name: str
    box: Box


@dataclass(frozen=True)
class Scene:
    """One screen and its questions. `source` is the library or application that drew it."""

    name: str
    picture: Path
    source: str
    language: str
    questions: tuple[Question, ...]
    icons: tuple[NamedIcon, ...] = ()

    @property
    def screen(self) -> Screen:
        return Screen.open(self.picture)

    def save(self) -> None:
        values = {key: value for key, value in asdict(self).items() if key != "picture"}
        self.picture.with_suffix(".json").write_text(json.dumps(values, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def load(cls, truth: Path) -> Scene:
        values = json.loads(truth.read_text(encoding="utf-8"))
        values["questions"] = tuple(
            Question(each["words"], tuple(Box(*box) for box in each["boxes"])) for each in values["questions"]
        )
        values["icons"] = tuple(NamedIcon(each["name"], Box(*each["box"])) for each in values["icons"])
        return cls(picture=truth.with_suffix(".png"), **values)

    def unique_icons(self) -> Iterator[NamedIcon]:
        """Return the icons whose name occurs once: a name that two icons share is ambiguous."""
        names = [icon.name for icon in self.icons]
        return (icon for icon in self.icons if names.count(icon.name) == 1)


def scenes_in(folder: Path) -> list[Scene]:
    return [Scene.load(path) for path in sorted(folder.glob("*.json"))]


class Finder(Protocol):
    """Locator that is measured."""

    def find(self, screen: Screen, target: str) -> LocateResult: ...


@dataclass(frozen=True)
class Answer:
    """Result of one question. `found` is the box of the answer."""

    kind: str
    scene: Scene
    question: Question
    verdict: Verdict
    found: Box | None
    note: str = ""


def ask(finder: Finder, scene: Scene, screen: Screen, kind: str, questions: Sequence[Question]) -> Iterator[Answer]:
    """
    Yield the answer to each question. An answer is right when its middle lies in a right box; one that is not reliable
    is a refusal, as the product does not click there either.
    """
    for question in questions:
        try:
            result = finder.find(screen, question.words)
        except HandeyeError as error:
            yield Answer(kind, scene, question, "refused", None, str(error))
            continue
        if not (result.success and result.reliable and result.element):
            yield Answer(kind, scene, question, "refused", None, result.error or "")
            continue
        middle = result.element.center
        meant = any(_widened(box).contains(middle) for box in question.boxes)
        note = f"{result.element.element_type} {result.element.text!r} {result.confidence:.2f} {result.method_used}"
        yield Answer(kind, scene, question, "right" if meant else "wrong", result.element.bbox, note)


def _widened(box: Box) -> Box:
    return Box(box.left - SLACK_PX, box.top - SLACK_PX, box.right + SLACK_PX, box.bottom + SLACK_PX)
