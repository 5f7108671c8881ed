"""Recorded real screens: instructions with the place where a person clicked, and Windows with their trees. Never copied."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from handeye.geometry import Box
from handeye.locate.screen_parser import ScreenParser
from handeye.perceive.uia.elements import element_of, place
from handeye.perceive.uia.vocabulary import Property, control_types
from handeye.screen import Screen
from handeye.testing.uia_snapshots import read_snapshot
from parser.questions import Answer, Question, Scene, ask
from parser.screens import Element, HeldScreen, Score, score, summed
from parser.screens import tables as screen_tables
from parser.tables import Table, share

# An instruction says what to do; who asks Handeye names the thing alone.
_DOING = re.compile(
    r"^\s*(?:please\s+)?(?:(?:double|left|right)[- ]click|click|press|select|choose|open|tap|find|hit)(?:\s+(?:on|the))*\s+",
    re.I,
)
_NAMES_A_CONTROL = re.compile(r"\b(?:icon|button|checkbox|menu|tab|box|field|bar|link|option|image|picture)\b", re.I)
_LONGEST_NAME: Final = 5  # words; a longer instruction that names no control describes a goal
NEAR_PX: Final = 12  # an answer whose middle is so near to the click is right, whatever its box
CLICKED: Final = frozenset(
    (
        "button",
        "checkbox",
        "combo box",
        "input",
        "link",
        "list item",
        "menu item",
        "radio",
        "slider",
        "tab",
        "scroll bar",
    )
)


def tables(folder: Path, parser: ScreenParser) -> list[Table | str]:
    """Everything that `folder` holds of these. Raises SystemExit where it holds none."""
    parts: list[Table | str] = []
    if (folder / "screenagent_clicks" / "items.jsonl").exists():
        answers = list(_clicks(folder / "screenagent_clicks", parser))
        parts += [
            f"Instructions and where a person clicked ({len(answers)} of `screenagent_clicks`):",
            _by_kind(answers),
        ]
    snapshots = sorted((folder / "windows_uia").glob("*.snapshot.json"))
    if snapshots:
        scored = [_window(path, parser) for path in snapshots]
        parts += [
            f"Interactive nodes of {len(scored)} windows of `windows_uia` against their trees:",
            *screen_tables([summed("the parser, with words", scored)])[:3],
        ]
    if not parts:
        raise SystemExit(f"{folder} holds neither screenagent_clicks nor windows_uia")
    return parts


def kind_of(instruction: str, words: str) -> str:
    """What sort of instruction it is, by its words alone."""
    if re.search(r"['\"“‘].+['\"”’]", instruction):
        return "quotes a text"
    if _NAMES_A_CONTROL.search(words):
        return "names a control"
    return "a short name" if len(words.split()) <= _LONGEST_NAME and words != instruction else "a goal, or nothing"


def _clicks(home: Path, parser: ScreenParser) -> Iterator[Answer]:
    for line in (home / "items.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        if item["mouse_actions_in_step"] != 1:
            continue
        instruction = (item["instruction_en"] or item["instruction_zh"]).strip()
        words = _DOING.sub("", instruction).strip() or instruction
        x, y = item["point"]
        near = Box(x - NEAR_PX, y - NEAR_PX, x + NEAR_PX + 1, y + NEAR_PX + 1)
        scene = Scene(item["id"], home / item["image"], "screenagent", "en", ())
        for answer in ask(parser, scene, scene.screen, kind_of(instruction, words), [Question(words, (near,))]):
            clicked_it = answer.found is not None and answer.found.contains((x, y))
            yield Answer(
                answer.kind,
                scene,
                answer.question,
                "right" if clicked_it else answer.verdict,
                answer.found,
                answer.note,
            )
        print(f"\r{item['id'][:40]}", end="", file=sys.stderr)
    print(file=sys.stderr)


def _by_kind(answers: Sequence[Answer]) -> Table:
    kinds = ("names a control", "quotes a text", "a short name", "a goal, or nothing")
    rows = []
    for kind in (*kinds, "all"):
        own = [each.verdict for each in answers if kind in (each.kind, "all")]
        if own:
            rows.append(
                (kind, *(share(own.count(end), len(own)) for end in ("right", "wrong", "refused")), str(len(own)))
            )
    return Table(("instruction", "right", "wrong", "refused", "asked"), rows)


def _window(snapshot: Path, parser: ScreenParser) -> tuple[HeldScreen, Score]:
    picture = snapshot.with_name(snapshot.name.replace(".snapshot.json", ".png"))
    screen = Screen.open(picture)
    top = read_snapshot(snapshot)
    window = next(node for node in (top, *top.children) if node.get(Property.CONTROL_TYPE) in control_types("Window"))
    assert window.box is not None
    dx, dy = -window.box[0], -window.box[1]
    nodes = [element_of(placed) for placed in place([window])]
    shown = [
        Element(each.bbox.translate(dx, dy), each.element_type, each.element_type in CLICKED, 1.0, False)
        for each in nodes
        if not each.metadata.get("offscreen") and each.bbox.translate(dx, dy).intersect(screen.box)
    ]
    held = HeldScreen(snapshot.stem, picture, "windows_uia", "uia", tuple(shown))
    found = [(each.bbox, each.element_type, bool(each.interactive)) for each in parser.parse(screen).elements]
    return held, score(held, found)
