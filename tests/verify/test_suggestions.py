"""Tests of suggestions (docs/spec/vision-agent.md): each in its own situation, as a table and through the verifier."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_dialogs import LIGHT, Known, centred, dialog, page
from PIL import ImageDraw

from handeye.blockers import Blocker, BlockerType, DismissSuggestion, SuggestionAction
from handeye.geometry import Box
from handeye.matching import Change, changed_regions, compare
from handeye.screen import Screen
from handeye.target import Expectation, Region
from handeye.text import TextLine
from handeye.verify import ScreenVerifier
from handeye.verify.base import suggestion

NOTHING, LITTLE, PAGE = Change(0.0), Change(0.05), Change(0.8)
CLOSE = DismissSuggestion("tap", "text:取消", "tap '取消'")
DIALOG = Blocker(BlockerType.DIALOG, "a dialog", CLOSE)
STUCK = Blocker(BlockerType.DIALOG, "a dialog")
LOADING = Blocker(BlockerType.LOADING, "loading", DismissSuggestion("wait"))
PERSON = Blocker(BlockerType.DIALOG, "a dialog that asks for a person", CLOSE, needs_person=True)
NONE = Blocker(BlockerType.NONE, "")


@pytest.mark.parametrize(
    ("holds", "change", "blocker", "wanted"),
    [
        (True, PAGE, None, SuggestionAction.CONTINUE),
        (True, None, None, SuggestionAction.CONTINUE),
        (True, NOTHING, None, SuggestionAction.SKIP),
        (False, NOTHING, None, SuggestionAction.RETRY),
        (None, NOTHING, None, SuggestionAction.RETRY),
        (False, LITTLE, None, SuggestionAction.RETRY),
        (False, None, None, SuggestionAction.RETRY),
        (False, PAGE, None, SuggestionAction.REPLAN),
        (None, PAGE, None, SuggestionAction.CONTINUE),
        (None, None, None, SuggestionAction.CONTINUE),
        (False, PAGE, LOADING, SuggestionAction.WAIT),
        (False, NOTHING, LOADING, SuggestionAction.WAIT),
        (False, PAGE, DIALOG, SuggestionAction.DISMISS),
        (None, LITTLE, DIALOG, SuggestionAction.DISMISS),
        (False, LITTLE, STUCK, SuggestionAction.REPLAN),
        (False, LITTLE, PERSON, SuggestionAction.ABORT),
        (False, PAGE, NONE, SuggestionAction.REPLAN),
    ],
)
def test_each_situation_gives_its_suggestion(
    holds: bool | None, change: Change | None, blocker: Blocker | None, wanted: SuggestionAction
) -> None:
    action, detail = suggestion(holds, change, blocker)
    assert action is wanted
    assert (detail == "") is (wanted is SuggestionAction.CONTINUE and holds is True)


def test_verifier_produces_every_suggestion() -> None:
    lines = (TextLine("完成", Box(100, 300, 200, 340), 0.99),)
    blank = Screen(np.full((2400, 1080, 3), 30, np.uint8))
    full = Screen.from_image(page(LIGHT))
    touched = page(LIGHT)
    ImageDraw.Draw(touched).rectangle((400, 1000, 600, 1100), fill=(200, 40, 40))

    def said(expect: Expectation, before: Screen, after: Screen, reader: Known) -> SuggestionAction:
        return ScreenVerifier(reader).verify(expect, before, after).suggestion

    done, gone = Expectation(text="完成"), Expectation(text="没有")
    asks, reader = dialog(["发现新版本"], ["以后再说", "立即更新"])
    person, careful = dialog(["请输入支付密码"], ["取消", "确定"])
    loads, waits = centred(["正在加载"])
    outcomes = {
        said(done, blank, full, Known(lines)),
        said(done, full, full, Known(lines)),
        said(gone, full, full, Known(lines)),
        said(gone, full, Screen.from_image(touched), Known(lines)),
        said(gone, blank, full, Known(lines)),
        said(gone, full, asks, reader),
        said(gone, full, person, careful),
        said(gone, full, loads, waits),
    }
    assert outcomes == set(SuggestionAction)


def test_changes_are_reported_by_region() -> None:
    before, image = Screen.from_image(page(LIGHT)), page(LIGHT)
    pen = ImageDraw.Draw(image)
    pen.rectangle((800, 300, 899, 349), fill=(200, 0, 0))
    pen.rectangle((100, 2000, 299, 2099), fill=(0, 0, 200))
    after = Screen.from_image(image)
    assert changed_regions(before, after) == [Box(800, 300, 900, 350), Box(100, 2000, 300, 2100)]
    assert changed_regions(before, before) == []
    assert changed_regions(before, Screen(np.zeros((10, 10, 3), np.uint8))) == [Box(0, 0, 10, 10)]
    change = compare(before, after)
    assert change.box == Box(100, 300, 900, 2100)


def test_change_outside_the_region_is_not_counted() -> None:
    before, image = Screen.from_image(page(LIGHT)), page(LIGHT)
    ImageDraw.Draw(image).rectangle((800, 300, 899, 349), fill=(200, 0, 0))
    after, judge = Screen.from_image(image), ScreenVerifier(Known())
    top, bottom = Region(0, 0, 1, 0.3), Region(0, 0.6, 1, 1)
    assert judge.verify(Expectation(changed=True, region=top), before, after).matches_expected is None
    assert judge.verify(Expectation(changed=True, region=bottom), before, after).matches_expected is False
