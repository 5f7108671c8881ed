"""Tests of the ranker on icons and controls: drawn pages, with an icon index of given scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pytest
from drawn_page import DrawnPage
from PIL import Image, ImageDraw

from handeye.geometry import Box
from handeye.locate import ScreenParser, VisualLocator
from handeye.parse import EmbeddedParser
from handeye.screen import Pixels, Screen
from handeye.target import LocateResult
from handeye.text import TextLine

PLACES = {"gear": (60, 60), "magnifier": (200, 60), "star": (340, 60)}
INBOX = {
    "Inbox": Box(40, 120, 90, 138),
    "Weekly report": Box(40, 420, 150, 436),
    "Tuesday": Box(600, 420, 660, 436),
    "Your order has been sent": Box(40, 480, 220, 496),
    "Monday": Box(600, 480, 660, 496),
}
"""Lines that are read on every page, as on a screen that people use."""


class Lines:
    name = "lines"

    def __init__(self, lines: Mapping[str, Box]) -> None:
        self._lines = tuple(TextLine(text, box, 0.99) for text, box in lines.items())

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return self._lines

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        return tuple(line for line in self._lines if box.contains(line.box.center))


class ToldIcons:
    """An index of icons: how well a phrase fits the icon at a place is told it; everything else fits badly."""

    def __init__(self, scores: Mapping[str, Mapping[tuple[int, int], float]]) -> None:
        self._scores = scores

    def vectors(self, pixels: Pixels, boxes: Sequence[Box]) -> npt.NDArray[np.float32]:
        return np.array([box.center for box in boxes], np.float32)

    def names(self, vectors: npt.NDArray[np.float32]) -> list[tuple[str, float]]:
        return [("thing", 0.9)] * len(vectors)

    def scores(self, phrase: str, vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        told = self._scores.get(phrase, {})
        near = [
            max((score for place, score in told.items() if np.abs(np.array(place) - each).max() < 12), default=0.02)
            for each in vectors
        ]
        return np.array(near, np.float32)


def page(lines: Mapping[str, Box] | None = None) -> Image.Image:
    image = Image.new("RGB", (800, 600), "white")
    pen = ImageDraw.Draw(image)
    for x, y in PLACES.values():
        pen.line((x - 10, y - 10, x + 10, y + 10), fill="black", width=3)
        pen.line((x - 10, y + 10, x + 10, y - 10), fill="black", width=3)
    for box in {**INBOX, **(lines or {})}.values():
        for left in range(box.left, box.right - 3, 8):
            pen.rectangle((left, box.top + 2, left + 4, box.bottom - 3), fill=(40, 40, 40))
    return image


def parser_of(
    scores: Mapping[str, Mapping[tuple[int, int], float]] | None = None, lines: Mapping[str, Box] | None = None
) -> ScreenParser:
    reader = Lines({**INBOX, **(lines or {})})
    provider = EmbeddedParser(reader, detector=None, icons=ToldIcons(scores or {}))
    return ScreenParser(reader, provider=provider)


def found_at(result: LocateResult, place: tuple[int, int]) -> bool:
    return result.success and result.element is not None and result.element.bbox.contains(place)


def test_icon_is_found_by_its_meaning() -> None:
    parser = parser_of({"gear": {PLACES["gear"]: 0.99, PLACES["star"]: 0.3}})
    result = parser.find(Screen.from_image(page()), "the gear icon")
    assert found_at(result, PLACES["gear"])
    assert result.method_used == "ranker"


def test_absent_icon_is_refused_naming_best_candidate() -> None:
    parser = parser_of({"heart": {PLACES["star"]: 0.12}})
    result = parser.find(Screen.from_image(page()), "the heart icon")
    assert not result.success
    told = next(each for each in result.attempts if each.strategy == "ranker")
    assert told.outcome == "absent"
    assert told.note.startswith("not sure enough for 0.8: icon at 340,60")


def test_equally_good_icons_need_an_ordinal() -> None:
    scores = {"star": {PLACES["gear"]: 0.9, PLACES["star"]: 0.94}}
    screen = Screen.from_image(page())
    result = parser_of(scores).find(screen, "the star icon")
    assert not result.success
    assert len(result.candidates) == 2
    assert found_at(parser_of(scores).find(screen, "the second star icon"), PLACES["star"])


def test_icon_phrase_excludes_text_of_that_name() -> None:
    lines = {"Search": Box(400, 300, 460, 316)}
    screen = Screen.from_image(page(lines))
    parser = parser_of({"search": {PLACES["magnifier"]: 0.95}, "Search": {PLACES["magnifier"]: 0.95}}, lines)
    assert not found_at(parser.find(screen, "the search icon"), (430, 308))
    assert found_at(parser.find(screen, "Search"), (430, 308))


def test_exact_text_never_matches_an_icon() -> None:
    parser = parser_of({"gear": {PLACES["gear"]: 0.99}})
    assert not parser.find(Screen.from_image(page()), "text:gear").success


@pytest.mark.parametrize("words", ["8", "12", "€2.95", "−£1.00", "12:30", "50%", "Q", "é"])
def test_number_amount_or_letter_matches_no_icon(words: str) -> None:
    parser = parser_of({words: {PLACES["magnifier"]: 0.99}})
    assert not parser.find(Screen.from_image(page()), words).success


def test_letter_matches_icon_only_with_icon_role() -> None:
    parser = parser_of({words: {PLACES["star"]: 0.99} for words in ("X", "8", "赞")})
    screen = Screen.from_image(page())
    assert found_at(parser.find(screen, "the X icon"), PLACES["star"])
    assert found_at(parser.find(screen, "赞图标"), PLACES["star"])
    assert found_at(parser.find(screen, "赞"), PLACES["star"])
    assert not parser.find(screen, "the 8 icon").success


def located(drawn: DrawnPage, words: str) -> LocateResult:
    parser = ScreenParser(drawn, provider=EmbeddedParser(drawn, detector=None, icons=None))
    return VisualLocator(reader=drawn, parser=parser, vision=None).locate(words, drawn.image)


@pytest.mark.parametrize("words", ["Q", "the Q button"])
def test_magnifier_read_as_letter_is_not_found(words: str) -> None:
    drawn = DrawnPage(1000, 420)
    drawn.write(40, 40, "Notes", 24)
    drawn.control(Box(688, 28, 732, 72), outline=(200, 200, 200))
    drawn.pen.ellipse((702, 42, 714, 54), outline=drawn.ink, width=2)
    drawn.pen.line((712, 52, 719, 59), fill=drawn.ink, width=2)
    drawn.lines.append(TextLine("Q", Box(701, 41, 720, 60), 0.95))
    assert not located(drawn, words).success


def test_button_style_does_not_resolve_equal_labels() -> None:
    drawn = DrawnPage(1000, 420)
    blue, places = (10, 98, 201), []
    for left in (20, 340, 660):
        drawn.control(Box(left, 40, left + 300, 300), outline=(210, 210, 210))
        if left == 340:  # the pointer is there
            place = drawn.control(Box(360, 200, 620, 250), "Choose plan", fill=blue, ink=(255, 255, 255), size=20)
        else:
            place = drawn.write(left + 20, 215, "Choose plan", 20, blue)
        places.append(place)
    result = located(drawn, "Choose plan")
    assert not result.success
    assert all(any(each.bbox.contains(place.center) for each in result.candidates) for place in places)
    last = located(drawn, "the last Choose plan")
    assert last.element is not None
    assert last.element.bbox.contains(places[2].center)


def test_button_is_preferred_to_larger_title() -> None:
    drawn = DrawnPage(1000, 420)
    drawn.write(40, 40, "Sign in", 36)
    place = drawn.control(Box(40, 300, 300, 350), "Sign in", fill=(10, 98, 201), ink=(255, 255, 255), size=20)
    result = located(drawn, "Sign in")
    assert result.element is not None
    assert result.element.bbox.contains(place.center)


def test_icon_is_found_by_adjacent_text() -> None:
    lines = {"Wi-Fi": Box(220, 52, 264, 68)}
    screen = Screen.from_image(page(lines))
    assert found_at(parser_of(lines=lines).find(screen, "the icon right of Wi-Fi"), PLACES["star"])
    assert found_at(parser_of(lines=lines).find(screen, "Wi-Fi左边的图标"), PLACES["magnifier"])


def switches() -> tuple[Image.Image, dict[str, Box]]:
    lines = {"飞行模式": Box(40, 202, 104, 218), "蓝牙": Box(40, 262, 72, 278)}
    image = page(lines)
    pen = ImageDraw.Draw(image)
    for top in (197, 257):
        pen.rounded_rectangle((700, top, 743, top + 25), 13, fill=(60, 200, 90))
        pen.ellipse((720, top + 2, 741, top + 23), fill="white")
    return image, lines


@pytest.mark.parametrize("phrase", ["the switch next to 蓝牙", "蓝牙旁边的开关", "蓝牙开关"])
def test_switch_is_found_by_its_label(phrase: str) -> None:
    image, lines = switches()
    result = parser_of(lines=lines).find(Screen.from_image(image), phrase)
    assert found_at(result, (721, 270)), result.error


def test_model_is_called_only_if_ranker_finds_nothing() -> None:
    asked: list[str] = []

    class Model:
        def find(self, target: object, screen: Screen) -> None:
            asked.append(str(target))

    parser = parser_of({"gear": {PLACES["gear"]: 0.99}})
    locator = VisualLocator(reader=Lines({}), parser=parser, vision=Model())
    result = locator.locate("the gear icon", page())
    assert found_at(result, PLACES["gear"])
    assert asked == []
    missing = locator.locate("the anchor icon", page())
    assert not missing.success
    assert [each.strategy for each in missing.attempts if each.strategy in ("ranker", "visual")] == ["ranker", "visual"]
    assert len(asked) == 1
