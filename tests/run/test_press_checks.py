"""Tests of labels located by a paraphrase: the confidence needed, in Python, by command and in steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from xml.sax.saxutils import quoteattr

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from typer.testing import CliRunner

from handeye import typeface
from handeye.actions import Action, ActionResult, Tap
from handeye.cli.app import app
from handeye.errors import ConfigError, HandeyeError, UsageError
from handeye.geometry import Box, Point
from handeye.locate.ranker.candidates import Pool
from handeye.locate.ranker.model import Ranked
from handeye.locate.ranker.question import Question
from handeye.plan import ActionName, StepPlan
from handeye.report import translated
from handeye.run import TaskRunner, general_tools
from handeye.screen import Screen
from handeye.session import Session, connect
from handeye.target import Target, parse_target
from handeye.testing.fakes import FakeClock, FakePlanner

FONT = str(typeface.FONT_DIR / typeface.FONT_FILES[0])
LABELS = ("Save settings", "Delete account", "Privacy policy", "Language")


class Page:
    """A device that shows one page of buttons, which its tree knows, too; `tapped` are their labels."""

    uri = "fake:"

    def __init__(self, labels: Sequence[str] = LABELS, *, kind: str = "Button", enabled: bool = True) -> None:
        self._image = Image.new("RGB", (720, 1280), (245, 245, 245))
        pen, font = ImageDraw.Draw(self._image), ImageFont.truetype(FONT, 36)
        self._boxes = {label: Box(40, 100 + 130 * row, 680, 190 + 130 * row) for row, label in enumerate(labels)}
        for label, box in self._boxes.items():
            pen.rounded_rectangle(tuple(box), 12, fill=(255, 255, 255), outline=(120, 120, 120), width=2)
            pen.text((70, box.top + 22), label, font=font, fill=(20, 20, 20))
        self._kind, self._enabled = kind, enabled
        self.tapped: list[str] = []

    def screenshot(self) -> Screen:
        return Screen(np.asarray(self._image))

    def dump_hierarchy(self) -> str:
        page = self._node("FrameLayout", "", Box(0, 0, 720, 1280), "false")
        nodes = "".join(
            f"{self._node(self._kind, label, box, str(self._enabled).lower())}</node>"
            for label, box in self._boxes.items()
        )
        return f'<hierarchy rotation="0">{page}{nodes}</node></hierarchy>'

    def perform(self, action: Action) -> ActionResult:
        if isinstance(action, Tap):
            at = Point(int(action.at.x), int(action.at.y))
            self.tapped += [label for label, box in self._boxes.items() if box.contains(at)]
        return ActionResult()

    def close(self) -> None:
        pass

    @staticmethod
    def _node(kind: str, text: str, box: Box, enabled: str) -> str:
        return (
            f'<node class="android.widget.{kind}" package="x" text={quoteattr(text)} content-desc="" resource-id="" '
            f'enabled="{enabled}" clickable="true" visible-to-user="true" '
            f'bounds="[{box.left},{box.top}][{box.right},{box.bottom}]">'
        )


class KnownChances:
    """A ranker that gives each label the probability that it was told."""

    def __init__(self, chances: Mapping[str, float]) -> None:
        self._chances = chances

    def rank(self, question: Question, pool: Pool, screen: Screen | None = None) -> tuple[Ranked, ...]:
        ranked = [Ranked(each, self._chances.get(each.text, 0.01)) for each in pool.elements]
        return tuple(sorted(ranked, key=lambda each: -each.probability))


Tapping = Callable[[Page, str], str]


def tap_in_python(page: Page, query: str) -> str:
    """Why it was not tapped; empty where it was."""
    try:
        Session(page, model="off").tap(query)
    except HandeyeError as error:
        return str(error)
    return ""


def tap_by_command(page: Page, query: str) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("handeye.commands.locate.open_device", lambda uri: page)
        answer = CliRunner().invoke(app, ["tap", query, "--device", "fake:", "--model", "off"])
    return " ".join(answer.output.split()) if answer.exit_code else ""


def run_steps(page: Page, *steps: StepPlan) -> str:
    runner = TaskRunner(
        page,
        planner=FakePlanner({"task": steps}),
        tools=lambda plan: general_tools(page, "off"),
        clock=FakeClock(),
        rest=False,
    )
    result = runner.run("task")
    notes = (note for each in result.step_results for note in each.notes)
    return "; ".join((result.error_message, *notes))


def tap_in_a_run(page: Page, query: str) -> str:
    said = run_steps(page, StepPlan(1, ActionName.TAP, target=parse_target(query), timeout=500))
    return "" if page.tapped else said


DOORS = pytest.mark.parametrize("tap", [tap_in_python, tap_by_command, tap_in_a_run], ids=["Python", "command", "run"])


@pytest.fixture
def chances(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """The probabilities of labels, for the ranker of what acts."""
    known: dict[str, float] = {}
    monkeypatch.setattr("handeye.run.composition.bundled_ranker", lambda: KnownChances(known))
    return known


@DOORS
def test_label_is_tapped_by_a_paraphrase(tap: Tapping, chances: dict[str, float]) -> None:
    chances["Save settings"] = 0.92
    page = Page()
    assert tap(page, "store my preferences") == ""
    assert page.tapped == ["Save settings"]


@DOORS
@pytest.mark.parametrize(("probability", "tapped"), [(0.94, []), (0.95, ["Delete account"])])
def test_irreversible_label_needs_95_percent_confidence(
    tap: Tapping, chances: dict[str, float], probability: float, tapped: list[str]
) -> None:
    chances["Delete account"] = probability
    page = Page()
    said = tap(page, "leave for ever")
    assert page.tapped == tapped
    if not tapped:
        assert "'Delete account' is what the words mean with a probability of 0.94 only" in said
        assert "say its label" in said


@DOORS
@pytest.mark.parametrize(
    ("least", "label", "probability", "is_tapped"),
    [
        ("0.7", "Save settings", 0.75, True),
        ("0.93", "Save settings", 0.92, False),
        ("0.7", "Delete account", 0.94, False),
    ],
)
def test_min_confidence_variable_applies_to_every_interface(
    tap: Tapping,
    chances: dict[str, float],
    monkeypatch: pytest.MonkeyPatch,
    least: str,
    label: str,
    probability: float,
    is_tapped: bool,
) -> None:
    monkeypatch.setenv("HANDEYE_MIN_CONFIDENCE", least)
    chances[label] = probability
    page = Page()
    said = tap(page, "store my preferences")
    assert page.tapped == ([label] if is_tapped else [])
    assert bool(said) is not is_tapped


def test_min_confidence_applies_to_session_and_command(chances: dict[str, float]) -> None:
    chances["Save settings"] = 0.75
    page = Page()
    Session(page, model="off", min_confidence=0.7).tap("store my preferences")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("handeye.commands.locate.open_device", lambda uri: page)
        words = ["tap", "store my preferences", "--device", "fake:", "--model", "off", "--min-confidence", "0.7"]
        answer = CliRunner().invoke(app, words)
    assert answer.exit_code == 0, answer.output
    assert page.tapped == ["Save settings"] * 2


@pytest.mark.parametrize(("least", "tapped"), [("0.7", ["Save settings"]), ("0.9", [])])
def test_min_confidence_applies_to_run_command(
    chances: dict[str, float], monkeypatch: pytest.MonkeyPatch, least: str, tapped: list[str]
) -> None:
    chances["Save settings"] = 0.75
    page = Page()
    step = StepPlan(1, ActionName.TAP, target=parse_target("store my preferences"), timeout=500)
    monkeypatch.setattr("handeye.commands.run.open_device", lambda uri: page)
    monkeypatch.setattr("handeye.run.composition.Planner", lambda *_parts, **_more: FakePlanner({"task": (step,)}))
    words = ["run", "task", "--device", "fake:", "--model", "off", "--no-report", "--min-confidence", least]
    CliRunner().invoke(app, words)
    assert page.tapped == tapped


@pytest.mark.parametrize("value", ["1.5", "-1", "nan", "much"])
def test_invalid_min_confidence_variable_is_named_in_error(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDEYE_MIN_CONFIDENCE", value)
    with pytest.raises(ConfigError, match=f"HANDEYE_MIN_CONFIDENCE is '{value}'"):
        Session(Page(), model="off")
    assert f"HANDEYE_MIN_CONFIDENCE is '{value}'" in tap_by_command(Page(), "save")


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), "0.5", True])
def test_min_confidence_outside_0_to_1_is_refused(value: float) -> None:
    with pytest.raises(UsageError, match="from 0 to 1"):
        Session(Page(), model="off", min_confidence=value)
    with pytest.raises(UsageError, match="from 0 to 1"):
        connect("phone:", min_confidence=value)


@DOORS
def test_low_confidence_candidate_is_not_tapped(tap: Tapping, chances: dict[str, float]) -> None:
    chances |= {"Save settings": 0.5, "Language": 0.3}
    page = Page()
    assert tap(page, "turn on bluetooth")
    assert page.tapped == []


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("delete everything", "Language"),  # by the words of the step
        ("log me out", "Profile"),
        ("restart it", "System"),
        ("give them a ring", "Call"),
        ("get it", "Pay now"),
        ("tell the others", "分享"),
        ("go on", "OK"),
    ],
)
def test_irreversible_query_or_label_needs_95_percent(query: str, label: str, chances: dict[str, float]) -> None:
    chances[label] = 0.9
    page = Page((label, "Help", "Privacy policy"))
    assert "needs 0.95" in tap_in_python(page, query)
    assert page.tapped == []


def test_text_field_needs_no_higher_confidence(chances: dict[str, float]) -> None:
    """Check that a tap on a text field needs no 95 %: typing into it can be undone."""
    chances["Send a message"] = 0.9
    page = Page(("Send a message", "Help"), kind="EditText")
    assert tap_in_python(page, "where I write to her") == ""
    assert page.tapped == ["Send a message"]


def test_cached_location_does_not_raise_confidence(chances: dict[str, float]) -> None:
    chances["Delete account"] = 0.9
    page = Page()
    session = Session(page, model="off")
    for _ in range(2):
        assert session.locate("leave for ever").method_used == "ranker"
        with pytest.raises(HandeyeError, match="say its label"):
            session.tap("leave for ever")
    assert page.tapped == []


def test_disabled_element_is_not_tapped_by_paraphrase(chances: dict[str, float]) -> None:
    chances["Save settings"] = 0.99
    page = Page(enabled=False)
    assert "it is disabled" in tap_in_python(page, "store my preferences")
    assert page.tapped == []


def test_fallback_needs_the_same_confidence_as_steps(chances: dict[str, float]) -> None:
    chances["Delete account"] = 0.9
    page = Page()
    fallback = {"action": "tap", "target_ref": "leave for ever"}
    said = run_steps(page, StepPlan(1, ActionName.TAP, target=Target(text="Bluetooth"), fallback=fallback, timeout=500))
    assert "the fallback was not carried out: 'Delete account' is what the words mean" in said
    assert page.tapped == []


def test_different_name_is_not_chosen_as_search_result(chances: dict[str, float]) -> None:
    chances["王六"] = 0.99
    page = Page(("王六", "老张"))
    said = run_steps(
        page,
        StepPlan(1, ActionName.INPUT_TEXT, params={"text": "王五"}),
        StepPlan(2, ActionName.TAP, target=Target(text="王五", role="list item"), timeout=500),
    )
    assert "'王六' was found for what was typed, and reads otherwise" in said
    assert page.tapped == []


def test_refusal_messages_are_translated_to_chinese() -> None:
    said = (
        "nothing was done, because 'Call' is what the words mean with a probability of 0.92 only, and what cannot be taken "
        "back needs 0.95: say its label"
    )
    assert translated(said, "zh") == (
        "没有执行，因为这些话指的是“Call”的概率只有 0.92，而无法撤回的操作需要 0.95：请直接说出它的文字"
    )
    assert (
        translated("'王六' was found for what was typed, and reads otherwise", "zh")
        == "按输入的文字找到的是“王六”，两者不同"
    )
