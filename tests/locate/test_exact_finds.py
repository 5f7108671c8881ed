"""Tests of exact text and icon matches inside lines, in wrapped lines and in unnamed groups."""

from __future__ import annotations

import pytest
from drawn_page import DrawnPage
from PIL import Image, ImageDraw, ImageFont

from handeye.elements import UIElement
from handeye.geometry import Box, Size
from handeye.locate import VisualLocator, bundled_ranker
from handeye.locate.ranker.candidates import Pool, merged
from handeye.locate.ranker.question import Question
from handeye.screen import Screen
from handeye.target import Target, parse_target
from handeye.text import TextLine, TextMatch, match_text

SIZE = Size(1080, 1920)
PARAGRAPH = ("A timer that turns focus sessions into", "flash cards. We need testers for the", "new swipe gesture.")


def lines(*texts: str, step: int = 40) -> list[TextLine]:
    return [
        TextLine(text, Box(60, 100 + step * at, 60 + 12 * len(text), 128 + step * at), 1.0)
        for at, text in enumerate(texts)
    ]


def test_link_in_a_row_of_links_is_found() -> None:
    image = Image.new("RGB", (900, 300), "white")
    pen, font, x = ImageDraw.Draw(image), ImageFont.load_default(22), 40.0
    places: dict[str, Box] = {}
    for text in ("previous", " | ", "next", " | ", "modules", " | ", "index"):
        places[text] = Box(round(x), 30, round(x + pen.textlength(text, font)), 60)
        pen.text((x, 30), text, "#333333" if "|" in text else "#0b57d0", font)
        x += pen.textlength(text, font)
    pen.text((40, 120), "Which part of the manual do you need today?", "#222222", font)
    locator = VisualLocator(vision=None)
    for words in ("previous", "modules", "the index link"):
        found = locator.locate(words, Screen.from_image(image))
        assert found.element is not None, found.error
        assert places[words.removeprefix("the ").removesuffix(" link")].contains(found.element.center)


def wrapped(words: str, *texts: str) -> list[TextMatch]:
    return [match for match in match_text(words, lines(*texts)) if match.layer == "wrapped"]


def test_wrapped_label_is_found_with_first_line_box() -> None:
    (match,) = wrapped(" ".join(PARAGRAPH), "Note cards", *PARAGRAPH, "7 testers are missing")
    assert match.confidence == 1
    assert match.box.top == lines("", *PARAGRAPH)[1].box.top
    assert match.box.bottom == lines("", *PARAGRAPH)[3].box.bottom
    assert match.first == lines("Note cards", *PARAGRAPH)[1].box


@pytest.mark.parametrize(
    ("words", "texts"),
    [
        ("Unsubscribe to the weekly news of this shop", ("Subscribe to the weekly", "news of this shop")),
        ("Turn on updates for every app", ("Turn off updates", "for every app")),
        ("delete all messages from this phone", ("Do not", "delete all messages", "from this phone")),
        ("delete all messages from this phone", ("Do not ever again", "delete all messages", "from this phone")),
        ("Delete all messages from this phone", ("Delete all messages", "from this phone", "and from the cloud")),
        (
            "删除这台手机上的全部聊天记录和联系人的信息资料",
            ("删除这台手机上的全部聊天", "记录和联系人的信息资料以", "及云端的备份"),
        ),
        (" ".join(PARAGRAPH[:2]), PARAGRAPH),
        (f"{' '.join(PARAGRAPH)} And more", PARAGRAPH),
    ],
)
def test_different_or_partial_text_is_not_wrapped_label(words: str, texts: tuple[str, ...]) -> None:
    assert not [match for match in wrapped(words, "Note cards", *texts, "Next") if match.confidence > 0.5]


@pytest.mark.parametrize("words", ["", "\u200b", "\xad"])
def test_invisible_text_is_not_found(words: str) -> None:
    assert (
        not VisualLocator(vision=None, parser=None)
        .locate(Target(text=words, role="link"), Screen.from_image(blank()))
        .success
    )


def blank() -> Image.Image:
    return Image.new("RGB", (300, 200), "white")


def test_repeated_wrapped_label_matches_twice() -> None:
    found = match_text(" ".join(PARAGRAPH), lines(*PARAGRAPH, "Another one", *PARAGRAPH))
    assert len(found) == 2


def icon(box: Box) -> UIElement:
    return UIElement("icon", "", box, source="parser", metadata={"icon": "moon"})


def test_icon_in_unnamed_group_is_separate_candidate() -> None:
    area = UIElement("group", "", Box(0, 0, 1080, 200), source="accessibility")
    button = UIElement("button", "", Box(900, 40, 1000, 140), source="accessibility", interactive=True)
    moon, drawn = icon(Box(400, 60, 460, 120)), icon(Box(905, 45, 995, 135))
    assert merged([(area, button), (moon, drawn)]) == (area, button, moon)


def test_probability_rises_with_icon_score() -> None:
    elements = (icon(Box(100, 100, 148, 148)), icon(Box(300, 100, 348, 148)))

    def chance(score: float) -> float:
        pool = Pool(elements, SIZE, icon_scores={0: score, 1: 0.0})
        best = bundled_ranker().rank(Question(parse_target("the moon icon")), pool)[0]
        assert (
            sum(each.probability for each in bundled_ranker().rank(Question(parse_target("the moon icon")), pool)) <= 1
        )
        return best.probability if best.element is elements[0] else 0.0

    assert chance(0.49) < chance(0.5) < chance(0.99)


@pytest.mark.parametrize(
    ("label", "clicked"),
    [
        (Box(30, 20, 100, 60), Box(30, 20, 100, 60)),
        (Box(8, 20, 100, 60), Box(10, 20, 100, 60)),  # begins a little outside
        (Box(210, 20, 300, 60), Box(10, 10, 200, 80)),  # beside a check box
        (None, Box(10, 10, 200, 80)),
    ],
)
def test_click_box_is_visible_part_of_label(label: Box | None, clicked: Box) -> None:
    assert UIElement("button", "", Box(10, 10, 200, 80), label_box=label).click_box == clicked


@pytest.mark.parametrize("count", [2, 3])
def test_equal_labels_are_refused(count: int) -> None:
    drawn = DrawnPage(900, 700)
    for row in range(count):
        drawn.write(60, 80 + 150 * row, "Glossary", 36)
    drawn.write(60, 600, "Imprint", 36)
    assert not VisualLocator(reader=drawn, vision=None).locate("Glossary", drawn.screen).success
