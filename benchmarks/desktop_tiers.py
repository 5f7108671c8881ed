"""
Measured cost table of docs/spec/perception-tiers.md: nine steps on a real application, by the tiers that may be used.

    python benchmarks/desktop_tiers.py [--model] [--docs]

A private desktop runs the tests' Qt 6 application (PySide6). Each step is named in words, done with mouse and keyboard,
and counts when the application's own state shows it. In tier 2 the embedded screen parser looks first, alone or before
a model: the one that the environment names with `--model`; without it, a scripted one answers: it names everything
visible that no tree lists, with rectangles that are off by the offset in its row, and its tokens are counted and priced
as Claude Sonnet's. It shows what the tiers make of such answers, not how well any model sees. In the rows "3a by the
caller", the caller does what docs/spec/perception-tiers.md has its agent do: it reads the list of tier 1, computes
where the part must be, and clicks and drags at that place; with tier 2, it looks for what is only drawn. `--docs`
writes the table into docs/desktop-tiers.md.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from handeye.desktop import DesktopSession
from handeye.devices import DesktopDevice
from handeye.elements import UIElement
from handeye.errors import HandeyeError, TargetNotFound, UsageError
from handeye.geometry import Box
from handeye.models import configuration
from handeye.models.config.prices import Price
from handeye.perceive import STRUCTURE_SOURCE, StructuralInferenceProvider
from handeye.perceive.atspi import AtspiStateProvider
from handeye.testing.desktop import PrivateDesktop
from handeye.testing.model_server import ModelRequest, ModelServer, ScriptedReply
from handeye.usage import Usage

DOCS = Path(__file__).parents[1] / "docs" / "desktop-tiers.md"
BED = Path(__file__).parents[1] / "tests" / "desktop" / "beds" / "qt_bed.py"
TITLE = "Handeye tiers"
BEGIN, END = "<!-- nine steps: python benchmarks/desktop_tiers.py --docs -->", "<!-- end of nine steps -->"
HEADER = """\
| tiers | tier 2 is | steps | cost | calls of a model | not reached | docs/spec/perception-tiers.md, its scenario |
|---|---|---|---|---|---|---|"""
DEADLINE_S = 3.0
POLL_S = 0.02
State = Mapping[str, Any]


Do = Callable[[DesktopSession], object]


@dataclass(frozen=True)
class Step:
    name: str
    do: Do
    reached: Callable[[State, State], bool]
    """True if the application's state after the step is the expected one, given its state before."""
    reckoned: Do | None = None
    """The caller's own way, by the list of tier 1; None where that list names the target."""


def click_the_drawing(session: DesktopSession) -> object:
    """Click the drawing: a model may recognise the heart; without one it is the only icon in Sketch."""
    try:
        return session.click("the heart icon")
    except TargetNotFound:
        return session.click("the icon in Sketch")


def exact(session: DesktopSession) -> Sequence[UIElement]:
    """Return the list of tier 1, as `handeye state` without --vision prints it: exact places need no vision."""
    looks, session.vision = session.vision, False
    try:
        return session.state().elements
    finally:
        session.vision = looks


def listed(session: DesktopSession, role: str, name: str) -> Box:
    """Return the box of the one element of that role and name in the list of tier 1."""
    (box,) = (each.bbox for each in exact(session) if (each.element_type, each.text) == (role, name))
    return box


def reckon_the_drawing(session: DesktopSession) -> object:
    """Click the drawing, which no list has: by vision if it is on, else in the middle of the Sketch element."""
    if session.vision:
        with contextlib.suppress(TargetNotFound):
            return session.click("the heart icon")
    (place,) = (each.bbox for each in exact(session) if each.text == "Sketch" and each.element_type != "text")
    return session.click_at(*place.center)


def reckon_a_border(session: DesktopSession) -> object:
    """Drag the border of a column, which is the right edge of its header."""
    header = listed(session, "header item", "Name")
    return session.drag_at(header.right, header.center.y, header.right + 40, header.center.y)


def reckon_a_row(session: DesktopSession) -> object:
    """Drag the border of a row, which is the lower edge of its header."""
    header = listed(session, "header item", "1")
    return session.drag_at(header.center.x, header.bottom, header.center.x, header.bottom + 20)


def reckon_a_splitter(session: DesktopSession) -> object:
    """Drag the splitter, which is in the middle of the gap."""
    upper, lower = listed(session, "list", "Places"), listed(session, "tree", "Folders")
    middle = (upper.bottom + lower.top) / 2
    return session.drag_at(upper.center.x, middle, upper.center.x, middle + 25)


def reckon_a_handle(session: DesktopSession) -> object:
    """Drag a table's handle, which is its last eight pixels."""
    table = listed(session, "table", "Files")
    x, y = table.right - 4, table.bottom - 4
    return session.drag_at(x, y, x + 30, y + 24)


STEPS = (
    Step("button", lambda s: s.click("the Save button"), lambda a, b: b["clicks"].get("Save", 0) == 1),
    Step(
        "edit", lambda s: s.type("你好 world", into="the Name field"), lambda a, b: b["texts"]["Name"] == "你好 world"
    ),
    Step("canvas button", click_the_drawing, lambda a, b: b["clicks"].get("heart", 0) == 1, reckon_the_drawing),
    Step("tab", lambda s: s.click("the Table tab"), lambda a, b: b["chosen"]["tab"] == "Table"),
    Step("list", lambda s: s.click("图片"), lambda a, b: b["chosen"]["list"] == "图片"),
    Step(
        "column border",
        lambda s: s.drag("the column border between Name and Size", (40, 0)),
        lambda a, b: b["columns"]["Name"] == a["columns"]["Name"] + 40,
        reckon_a_border,
    ),
    Step(
        "row border",
        lambda s: s.drag("the row border below Name 1", (0, 20)),
        lambda a, b: b["rows"][0] == a["rows"][0] + 20,
        reckon_a_row,
    ),
    Step(
        "splitter",
        lambda s: s.drag("the splitter between Places and Folders", (0, 25)),
        lambda a, b: b["splitters"]["side"][0] == a["splitters"]["side"][0] + 25,
        reckon_a_splitter,
    ),
    Step(
        "resize handle",
        lambda s: s.drag("the resize handle of Files", (30, 24)),
        lambda a, b: b["table"] == [a["table"][0] + 30, a["table"][1] + 24],
        reckon_a_handle,
    ),
)
BY_THE_CALLER = "3a by the caller"
CONFIGURATIONS: tuple[tuple[str, ...], ...] = (
    ("1",),
    ("1", "1+"),
    ("1", "2"),
    ("1", "3a"),
    ("1", BY_THE_CALLER),
    ("1", "1+", "3a"),
    ("1", "2", "3a"),
    ("1", "2", BY_THE_CALLER),
    ("1", "1+", "2", "3a"),
)
IN_THE_SEED = {
    ("1",): "67 %, $0",
    ("1", "1+"): "89 %, $0.003",
    ("1", "2"): "89 %, $0.04",
    ("1", BY_THE_CALLER): "100 %, $0",
    ("1", "2", BY_THE_CALLER): "100 %, $0.01",
}
"""The table of docs/spec/perception-tiers.md for its own scenario."""
OFF_PX = (5, 35)
"""Offsets of the scripted model's rectangles: the best models', and that of docs/spec/perception-tiers.md."""

_HEART = 24  # its side on the bed's canvas, in whose middle it is
_PIXELS_A_TOKEN = 750  # of a picture, as Anthropic's documentation has it
_LETTERS_A_TOKEN = 4
_SONNET = Price(3, 15)
"""Claude Sonnet 4's, in US dollars per million tokens."""


@dataclass(frozen=True)
class Line:
    """Result of one configuration. `seen_by` names what answered for tier 2."""

    tiers: tuple[str, ...]
    seen_by: str
    missed: tuple[str, ...]
    usage: Usage
    seconds: float

    @property
    def done(self) -> str:
        return f"{len(STEPS) - len(self.missed)}/{len(STEPS)}"

    @property
    def cost(self) -> str:
        spent = self.usage.cost or (_SONNET.cost(self.usage) if self.usage.unpriced else 0.0)
        return f"${spent:.3f}" if spent else "$0"

    def __str__(self) -> str:
        tiers, missed = ", ".join(self.tiers), ", ".join(self.missed) or "none"
        return f"{tiers:<24}{self.seen_by:<38}{self.done:>9}{self.cost:>9}{self.usage.calls:>7}{self.seconds:>9.1f}  {missed}"

    @property
    def in_docs(self) -> str:
        seed = IN_THE_SEED.get(self.tiers, "")
        cells = (", ".join(self.tiers), self.seen_by, self.done, self.cost, str(self.usage.calls))
        return f"| {' | '.join((*cells, ', '.join(self.missed) or 'none', seed))} |"


def main() -> None:
    asked = argparse.ArgumentParser(description="the cost table of docs/spec/perception-tiers.md, measured.")
    asked.add_argument("--model", action="store_true", help="tier 2 asks the model that the environment names")
    asked.add_argument("--docs", action="store_true", help="write the table into docs/desktop-tiers.md")
    wanted = asked.parse_args()
    if wanted.model and configuration() is None:
        raise UsageError("no model is configured: see docs/models.md")
    print(f"{'tiers':<24}{'tier 2 is':<38}{'success':>9}{'cost':>9}{'calls':>7}{'seconds':>9}  not reached")
    lines: list[Line] = []
    with PrivateDesktop() as desktop:
        for tiers in CONFIGURATIONS:
            for seen_by, opened in ways_to_see(desktop, wanted.model) if "2" in tiers else [("-", no_model)]:
                with opened():
                    lines.append(measured(desktop, tiers, seen_by))
                    print(lines[-1], flush=True)
    if wanted.docs:
        write(lines)


def ways_to_see(
    desktop: PrivateDesktop, model: bool
) -> list[tuple[str, Callable[[], contextlib.AbstractContextManager[None]]]]:
    """Return what answers for tier 2, in words, and its context manager: the parser first, any model after it."""
    if model:
        return [("the parser, then a model", contextlib.nullcontext)]
    scripted = [(f"the parser, then scripted, {off} px off", partial(scripted_model, desktop, off)) for off in OFF_PX]
    return [("the embedded parser", no_model), *scripted]


@contextlib.contextmanager
def no_model() -> Iterator[None]:
    """Remove every model from the environment."""
    before = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(("LLM_", "CUSTOM_LLM_"))}
    try:
        yield
    finally:
        os.environ.update(before)


def write(lines: Sequence[Line]) -> None:
    """Put the table between its marks in the docs."""
    text = DOCS.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise UsageError(f"{DOCS} has no marks to write between: {BEGIN} {END}")
    table = "\n".join((HEADER, *(line.in_docs for line in lines)))
    DOCS.write_text(f"{before}{begin}\n{table}\n{end}{after}", encoding="utf-8")


@contextlib.contextmanager
def scripted_model(desktop: PrivateDesktop, off: int) -> Iterator[None]:
    """Set the environment to a model that sees what is there, `off` pixels too far to the right and too low."""

    def reply(asked: ModelRequest) -> ScriptedReply:
        text = json.dumps({"elements": list(to_be_seen(desktop, off))}, ensure_ascii=False)
        window = next(window for window in desktop.backend.windows() if TITLE in window.title)
        tokens = window.box.area // _PIXELS_A_TOKEN + len(asked.text) // _LETTERS_A_TOKEN
        usage = {"prompt_tokens": tokens, "completion_tokens": len(text) // _LETTERS_A_TOKEN}
        return ScriptedReply(text, usage=usage)

    with ModelServer(reply) as server:
        settings = {
            "LLM_PROVIDER": "custom",
            "CUSTOM_LLM_BASE_URL": server.base_url,
            "CUSTOM_LLM_MODEL": "claude-sonnet-4-5",
            "CUSTOM_LLM_API_KEY": "none",
        }
        before = {name: os.environ.get(name) for name in settings}
        os.environ.update(settings)
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name)
                if value is not None:
                    os.environ[name] = value


def to_be_seen(desktop: PrivateDesktop, off: int) -> Iterator[Mapping[str, object]]:
    """Yield what is visible in the window and in no tree, `off` pixels away from its place."""
    window = next(window for window in desktop.backend.windows() if TITLE in window.title)
    with AtspiStateProvider(environment=desktop.environment) as tree:
        targets = StructuralInferenceProvider(tree).detect(window).targets
    seen = [
        (each.description, each.element_type.title().replace(" ", ""), each.bbox)
        for each in targets
        if each.source == STRUCTURE_SOURCE
    ]
    for each in targets:
        if each.text == "Sketch" and each.element_type != "text":
            x, y = each.bbox.center
            seen.append(("heart", "Icon", Box(x - _HEART // 2, y - _HEART // 2, x + _HEART // 2, y + _HEART // 2)))
    for name, kind, box in seen:
        shown = box.translate(off - window.box.left, off - window.box.top)
        yield {"name": name, "type": kind, "rect": list(shown), "confidence": 0.9}


def measured(desktop: PrivateDesktop, tiers: tuple[str, ...], seen_by: str = "-") -> Line:
    process = desktop.launch(sys.executable, BED, "--title", TITLE, wait_for_title=TITLE)
    reckons = BY_THE_CALLER in tiers
    used = tuple(tier for tier in tiers if tier != BY_THE_CALLER)
    try:
        device = DesktopDevice(desktop.backend)
        with DesktopSession(device, vision="2" in used, tiers=used) as session:
            began = time.monotonic()
            missed = [step.name for step in STEPS if not carried_out(step, session, desktop, process, reckons=reckons)]
            took, usage = time.monotonic() - began, session.usage
    finally:
        process.kill()
        process.wait()
        while any(TITLE in window.title for window in desktop.backend.windows()):
            time.sleep(POLL_S)
    return Line(tiers, seen_by, tuple(missed), usage, took)


def carried_out(
    step: Step, session: DesktopSession, desktop: PrivateDesktop, process: subprocess.Popen[bytes], *, reckons: bool
) -> bool:
    before = told(desktop, process)
    try:
        (step.reckoned or step.do if reckons else step.do)(session)
    except HandeyeError:
        return False
    end = time.monotonic() + DEADLINE_S
    while not step.reached(before, told(desktop, process)):
        if time.monotonic() > end:
            return False
        time.sleep(POLL_S)
    return True


def told(desktop: PrivateDesktop, process: subprocess.Popen[bytes]) -> State:
    """Return the last state that the application printed."""
    while not (lines := desktop.output(process).split("\n")[:-1]):
        time.sleep(POLL_S)
    state: State = json.loads(lines[-1])
    return state


if __name__ == "__main__":
    main()
