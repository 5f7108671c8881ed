"""Tests of `check_model` with models that match their profile, use other coordinates, are blind, or answer constantly."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from handeye.errors import (
    BudgetExceeded,
    InvalidReply,
    ModelBusy,
    ModelError,
    ModelRequestInvalid,
    ModelUnauthorized,
    ModelUnreachable,
)
from handeye.geometry import Size
from handeye.models import Check, Order, Part, Profile, Prompt, Reply, SentImage, check_model, prepare
from handeye.models.check_sheet import FRAME, READINGS, Counting, Reading, Sheet, draw_sheet
from handeye.models.families.general import FAMILIES
from handeye.models.families.lookup import profile_named
from handeye.models.model_check import raw_numbers, says_word
from handeye.testing.model_replies import write_box
from handeye.testing.model_scenes import requested_label
from handeye.testing.models import ScriptedModel, pictures
from handeye.usage import Usage

GENERIC, CLAUDE, GEMINI = (profile_named(name) for name in ("generic", "claude", "gemini"))

# One family of each way to count; what differs otherwise is the text, which tests/models/test_scenes.py reads of all.
WAYS = tuple({(row.space, row.grid, row.order, row.bins): row for row in FAMILIES}.values())

Writes = Callable[[Sheet, SentImage], str]


@cache
def drawn(profile: Profile, seed: int) -> tuple[Sheet, SentImage]:
    sheet = draw_sheet(profile.budget.fit(FRAME), Random(seed))
    return sheet, prepare(sheet.screen, profile)


def checked(profile: Profile, writes: Writes, *, word: str | None = None, seed: int = 3) -> Check:
    """The check of a model that writes so about the picture of `seed`; it reads the word, or says another one."""
    sheet, sent = drawn(profile, seed)

    def answer(prompt: Prompt) -> str:
        texts = "\n".join(part for part in prompt.parts if isinstance(part, str))
        if not requested_label(texts):
            return sheet.word if word is None else word
        assert requested_label(texts) == sheet.label
        return writes(sheet, sent)

    return check_model(ScriptedModel(answer), profile, Random(seed))


def as_read(reading: Reading) -> Writes:
    """A list of two numbers in that space and order."""

    def write(sheet: Sheet, sent: SentImage) -> str:
        middle = (sheet.target.left + sheet.target.right) / 2, (sheet.target.top + sheet.target.bottom) / 2
        first, second = reading.written(middle, sent.size, sent.frame)
        digits = {Counting.UNIT: 4, Counting.PERCENT: 1}.get(reading.counting, 0)
        return f"[{first:.{digits}f}, {second:.{digits}f}]"

    return write


def failed(check: Check) -> list[Part]:
    return [finding.part for finding in check.findings if not finding.ok]


@pytest.mark.parametrize("profile", WAYS, ids=lambda profile: profile.name)
def test_check_passes_for_model_that_matches_profile(profile: Profile) -> None:
    check = checked(profile, lambda sheet, sent: write_box(profile, sent, sheet.target))
    assert check.ok, check
    assert check.fitting[0] == profile.name
    assert check.reading is not None
    assert check.reading.order is profile.order
    assert check.off is not None
    assert check.off < 4
    assert check.usage.calls == 2


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: f"{reading.counting.value}, {reading.order.value}")
def test_check_detects_coordinate_space_and_axis_order(reading: Reading) -> None:
    """Pixels of the sent picture and of the frame, 0-1000, 0-1 and percent, x first and y first."""
    name = ("ui-venus", "aria-ui", "showui")[READINGS.index(reading) % 3]
    profile = profile_named(name)
    check = checked(profile, as_read(reading))
    assert check.reading == reading
    right = {
        "ui-venus": Reading(Counting.SENT, Order.XY),
        "aria-ui": Reading(Counting.PER_MILLE, Order.XY),
        "showui": Reading(Counting.UNIT, Order.XY),
    }[name]
    assert check.ok == (reading == right)
    if reading != right:
        assert failed(check) == [Part.COORDINATES]


def test_check_suggests_profile_that_fits() -> None:
    check = checked(GENERIC, lambda sheet, sent: write_box(GEMINI, sent, sheet.target))
    assert failed(check) == [Part.COORDINATES]
    assert check.fitting == ("gemini",)
    assert check.reading == Reading(Counting.PER_MILLE, Order.YX)
    check = checked(profile_named("glm-v"), lambda sheet, sent: write_box(CLAUDE, sent, sheet.target))
    assert failed(check) == [Part.COORDINATES]
    assert "claude" in check.fitting


def test_suggested_profile_passes_the_check() -> None:
    """The suggested remedy works."""
    check = checked(GENERIC, lambda sheet, sent: write_box(GEMINI, sent, sheet.target))
    assert checked(profile_named(check.fitting[0]), lambda sheet, sent: write_box(GEMINI, sent, sheet.target)).ok


@pytest.mark.parametrize(
    "answer",
    [
        '{"found": true, "xmin": 400, "ymin": 400, "xmax": 500, "ymax": 450, "confidence": 0.99}',
        "[500, 500]",
        '{"found": false, "reason": "nothing there"}',
    ],
)
def test_constant_answer_fails_the_check(answer: str) -> None:
    results = [checked(GENERIC, lambda sheet, sent: answer, word="BUTTON", seed=seed) for seed in range(3)]
    assert all(failed(check) == [Part.PICTURES] for check in results)
    seeing = [checked(GENERIC, lambda sheet, sent: answer, seed=seed) for seed in range(3)]
    assert not any(check.ok for check in seeing)
    assert all(failed(check) == [Part.COORDINATES] or "found" in answer for check in seeing)


def test_model_that_only_points_passes_picture_check() -> None:
    check = checked(CLAUDE, lambda sheet, sent: write_box(CLAUDE, sent, sheet.target), word="click(10, 20)")
    assert check.ok
    assert check.findings[2].detail == "click(10, 20)"


def test_blind_model_fails_picture_check() -> None:
    check = checked(
        GENERIC, lambda sheet, sent: "I cannot see pictures.", word="I cannot see pictures, but it may be HELLO"
    )
    assert failed(check) == [Part.PICTURES]
    assert len(check.findings) == 3


def test_point_outside_the_button_fails_the_check() -> None:
    def beside(sheet: Sheet, sent: SentImage) -> str:
        lower = sheet.target.translate(0, sheet.target.height)
        return write_box(CLAUDE, sent, lower)

    check = checked(CLAUDE, beside)
    assert failed(check) == [Part.COORDINATES]
    assert check.fitting == ()


def test_unreadable_answer_fails_the_check() -> None:
    check = checked(GENERIC, lambda sheet, sent: "It is the button on the left.")
    assert failed(check) == [Part.ANSWER]
    assert check.findings[-1].detail


@pytest.mark.parametrize("ending", ["length", "refused"])
def test_incomplete_answer_fails_the_check(ending: str) -> None:
    sheet = draw_sheet(GENERIC.budget.fit(FRAME), Random(3))
    replies = [Reply(sheet.word, Usage(1), "m"), Reply("[1, 2", Usage(1), "m", ending)]  # type: ignore[arg-type]
    check = check_model(ScriptedModel(replies), GENERIC, Random(3))
    assert failed(check) == [Part.ANSWER]


ALL_BUT_THE_LAST = list(Part)[:3]


@pytest.mark.parametrize(
    ("error", "part", "first", "second"),
    [
        (ModelUnreachable("no connection"), Part.REACHABLE, [], []),
        (ModelUnauthorized("no key"), Part.KEY, [Part.REACHABLE], [Part.REACHABLE]),
        (ModelBusy("overloaded"), Part.ANSWER, [Part.REACHABLE], ALL_BUT_THE_LAST),
        (InvalidReply("no JSON", "<html>log in</html>"), Part.ANSWER, [Part.REACHABLE], ALL_BUT_THE_LAST),
        (BudgetExceeded("calls", 0, 0), Part.ANSWER, [], ALL_BUT_THE_LAST),
    ],
)
@pytest.mark.parametrize("asked", ["first", "second"])
def test_model_error_becomes_failed_check_finding(
    error: ModelError, part: Part, first: list[Part], second: list[Part], asked: str
) -> None:
    sheet = draw_sheet(GENERIC.budget.fit(FRAME), Random(3))
    check = check_model(ScriptedModel([sheet.word, error] if asked == "second" else [error]), GENERIC, Random(3))
    assert not check.ok
    assert failed(check) == [part]
    assert str(error) in check.findings[-1].detail
    assert [finding.part for finding in check.findings if finding.ok] == (second if asked == "second" else first)
    assert check.usage.calls == int(asked == "second")


def test_refused_picture_is_confirmed_by_text_request() -> None:
    refused = ModelRequestInvalid("no")
    refused.usage = Usage(calls=1)
    blind = ScriptedModel([refused, "yes"])
    check = check_model(blind, GENERIC, Random(3))
    assert [(finding.part, finding.ok) for finding in check.findings] == [
        (Part.REACHABLE, True),
        (Part.KEY, True),
        (Part.PICTURES, False),
    ]
    assert not pictures(blind.prompts[1])
    assert check.usage.calls == 2
    check = check_model(ScriptedModel([refused, ModelRequestInvalid("404")]), GENERIC, Random(3))
    assert [(finding.part, finding.ok) for finding in check.findings] == [(Part.REACHABLE, True), (Part.ANSWER, False)]
    check = check_model(ScriptedModel([refused, ModelUnauthorized("401")]), GENERIC, Random(3))
    assert failed(check) == [Part.KEY]


def test_check_draws_different_picture_each_time() -> None:
    models = [ScriptedModel(["?", "[1, 2]"]) for _ in range(3)]
    for model in models:
        check_model(model, GENERIC)
    seen = {pictures(model.prompts[0])[0].tobytes() for model in models}
    assert len(seen) == 3


@pytest.mark.parametrize("seed", range(6))
def test_only_the_correct_reading_hits_the_target(seed: int) -> None:
    for profile in (CLAUDE, profile_named("qwen2.5-vl"), profile_named("gpt-5")):
        sent = profile.budget.fit(FRAME)
        sheet = draw_sheet(sent, Random(seed))
        middle = (sheet.target.left + sheet.target.right) / 2, (sheet.target.top + sheet.target.bottom) / 2
        for right in READINGS:
            numbers = right.written(middle, sent, FRAME)
            hits = [
                reading
                for reading in READINGS
                if sheet.target.contains(tuple(map(int, reading.point(numbers, sent, FRAME))))
            ]
            assert hits == [right]


def test_target_lies_inside_frame_with_distinct_label() -> None:
    for seed in range(4):
        sheet = draw_sheet(Size(1024, 640), Random(seed))
        assert sheet.word != sheet.label
        assert sheet.target.intersect(sheet.screen.box) == sheet.target


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("VANAKURU", True),
        ("The word is **Vanakuru**.", True),
        ("VANAKUHU", True),
        ("vanakuru\n", True),
        ("VANAKU", False),
        ("KURUVANA", False),
        ("", False),
        ("V A N A K U R U", False),
        ("The word is WORD.", False),
    ],
)
def test_word_with_one_wrong_letter_is_accepted(text: str, says: bool) -> None:
    assert says_word(text, "VANAKURU") is says


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("[10, 20]", (10, 20)),
        ('[{"box_2d": [20, 10, 40, 30]}]', (20, 10, 40, 30)),
        ('{"found": true, "xmin": 1, "ymin": 2, "xmax": 3, "ymax": 4}', (1, 2, 3, 4)),
        ("nothing", None),
        ("", None),
    ],
)
def test_raw_numbers_keep_the_written_order(text: str, numbers: tuple[float, ...] | None) -> None:
    for profile in (GENERIC, GEMINI):
        assert raw_numbers(text, profile) == numbers


def test_check_usage_serializes_to_json() -> None:
    check = checked(GENERIC, lambda sheet, sent: write_box(GENERIC, sent, sheet.target))
    assert json.loads(json.dumps(check.usage.to_dict()))["calls"] == 2
