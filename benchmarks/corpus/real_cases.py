"""Public cases made by other people: pictures to look for (Sikuli), and instructions with a click point (ScreenAgent)."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from corpus.measure import Answer, Verdict
from corpus.queries import Query
from corpus.truth import Scene, Thing
from handeye.geometry import Box
from handeye.locate.locator import VisualLocator
from handeye.screen import Screen
from handeye.target import Target

NEAR_PX: Final = (
    20  # how far from a person's click an answer's middle may lie; a control's box around the click is right too
)
EDGE_PX: Final = 2  # people point a little beside
CENTRE_PX: Final = 10  # how far from a template's true centre


def sikuli(folder: Path, locator: VisualLocator) -> Iterator[Answer]:
    """One question per template: one place must be found, several equal ones all named, a forbidden one refused."""
    home = folder / "sikuli_templates"
    for item in _items(home):
        screen = Screen.open(home / item["image"])
        centres = [tuple(centre) for centre in item["centers"] if tuple(centre) != (-1, -1)]
        kind = "forbidden" if not centres else "single" if len(centres) == 1 else "several"
        things = tuple(_around(number, *centre, CENTRE_PX) for number, centre in enumerate(centres))
        scene = _scene(item["id"], home / item["image"], "sikuli", things)
        query = Query(scene, f"real: {kind}", item["id"], tuple(range(len(things))), home / item["template"])
        yield _answer(locator, "template", ("template",), query, query.target, screen)


def screenagent(folder: Path, locator: VisualLocator) -> Iterator[Answer]:
    """One question per instruction, in the words of the person who clicked."""
    home = folder / "screenagent_clicks"
    for item in _items(home):
        if item["mouse_actions_in_step"] != 1:
            continue
        words = item["instruction_en"] or item["instruction_zh"]
        screen = Screen.open(home / item["image"])
        thing = _around(0, *item["point"], NEAR_PX)
        scene = _scene(item["id"], home / item["image"], "screenagent", (thing,))
        query = Query(scene, "real: instruction", words, (0,))
        yield _answer(locator, "ocr", ("ocr",), query, Target.parse(words), screen)


def _answer(
    locator: VisualLocator, name: str, order: tuple[str, ...], query: Query, target: Target, screen: Screen
) -> Answer:
    start = time.perf_counter()
    result = locator.locate_with_fallback(target, order, screen)
    ms = (time.perf_counter() - start) * 1000
    element = result.element if result.success else None
    note = result.attempts[-1].note if result.attempts else ""
    verdict: Verdict
    if element is not None:
        hit = any(_right(element.bbox, query.scene.things[number]) for number in query.right)
        verdict = "right" if hit else "wrong"
    elif len(query.right) > 1 and result.candidates:
        # Several equal places: naming them is the answer, and each one named must be one of them.
        named = [any(_right(each.bbox, thing) for thing in query.scene.things) for each in result.candidates]
        verdict = "right" if all(named) else "wrong"
    else:
        verdict = "refused" if query.right else "rightly refused"
    return Answer(name, query, verdict, ms, element, result.candidates, note)


def _right(box: Box, thing: Thing) -> bool:
    """Whether the answer's middle lies near the place that a person pointed at, or that place within the answer."""
    return thing.box.contains(box.center) or box.expand(EDGE_PX).contains(thing.box.center)


def _around(number: int, x: int, y: int, reach: int) -> Thing:
    return Thing(number, "place", "", Box(x - reach, y - reach, x + reach + 1, y + reach + 1))


def _scene(name: str, picture: Path, library: str, things: tuple[Thing, ...]) -> Scene:
    return Scene(name.replace("/", "-"), picture, library, name, "real", "", False, 1.0, True, things)


def _items(home: Path) -> Iterator[dict[str, Any]]:
    if not (home / "items.jsonl").exists():
        raise SystemExit(
            f"{home} holds no items.jsonl: --data takes the folder that holds sikuli_templates and screenagent_clicks"
        )
    for line in (home / "items.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
