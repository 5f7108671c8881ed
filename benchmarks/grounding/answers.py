"""The record of one answer, and files of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from grounding.cases import Expected, Mode
from grounding.judgement import Verdict
from handeye.geometry import Box


class Key(NamedTuple):
    """The identity of a question over runs."""

    set: str
    mode: str
    screen: str
    kind: str
    words: str


@dataclass(frozen=True)
class Answer:
    """
    One answer and its verdict.

    `confidence` and `box` are those of the answer; of a refusal, those of its first candidate (None, 0 without one).
    `first_right`: this candidate is right. `covered`: some element that the sources saw is right (None where no
    elements are looked for). `fresh_ms` is set for the first question on a frame whose reading is timed, `second_ms`
    for the second one.
    """

    set: str
    mode: Mode
    group: str
    screen: str
    kind: str
    family: str
    words: str
    expected: Expected
    verdict: Verdict
    confidence: float
    box: Box | None
    truth: tuple[Box, ...]
    method: str
    note: str
    first_right: bool
    covered: bool | None
    fresh_ms: float | None = None
    second_ms: float | None = None

    @property
    def key(self) -> Key:
        return Key(self.set, self.mode, self.screen, self.kind, self.words)

    @property
    def answered(self) -> bool:
        """Return True if there was a reliable answer."""
        return self.verdict == "wrong" or (self.verdict == "right" and self.method != "none")


def as_line(answer: Answer) -> str:
    return json.dumps(asdict(answer), ensure_ascii=False)


def read(path: Path) -> list[Answer]:
    """Return the answers of a run. Raises SystemExit where the file holds none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [_answer(json.loads(line)) for line in lines if line.strip()]
    except (OSError, ValueError, TypeError) as error:
        raise SystemExit(f"{path} is no file of answers: {error}") from error


def write(path: Path, answers: Iterable[Answer]) -> None:
    path.write_text("".join(as_line(each) + "\n" for each in answers), encoding="utf-8")


def _answer(values: dict[str, Any]) -> Answer:
    box = values["box"]
    truth = tuple(Box(*each) for each in values["truth"])
    return Answer(**{**values, "box": Box(*box) if box else None, "truth": truth})
