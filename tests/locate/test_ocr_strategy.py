"""Tests of the OCR strategy: expanding a label to its control, choosing by role, and inputs by their label."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_page import DrawnPage

from handeye.elements import UIElement
from handeye.errors import OcrFailed
from handeye.geometry import Box
from handeye.locate import LocateChain, OcrStrategy, VisualLocator
from handeye.screen import Screen
from handeye.target import LocateResult, Region, Target
from handeye.text import TextLine

BLUE, GRAY = (40, 100, 220), (120, 120, 120)
WHITE = (255, 255, 255)


def locate(page: DrawnPage, text: str, role: str | None = None, **more: object) -> LocateResult:
    return LocateChain([OcrStrategy(page)]).locate(Target(text=text, role=role, **more), page.screen)  # type: ignore[arg-type]


def found(page: DrawnPage, text: str, role: str | None = None) -> UIElement:
    result = locate(page, text, role)
    assert result.element is not None, result.error
    return result.element


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def page(request: pytest.FixtureRequest) -> DrawnPage:
    return DrawnPage(dark=request.param)


@pytest.mark.parametrize(
    ("look", "text"),
    [
        ({"fill": BLUE, "ink": WHITE}, "保存"),
        ({"fill": BLUE, "ink": WHITE, "radius": 50}, "Save"),
        ({"outline": GRAY, "radius": 12}, "more"),
        ({"outline": GRAY, "radius": 50}, "取消"),
        ({"fill": "faint"}, "Cancel"),
        ({"fill": "faint", "radius": 50, "align": "left", "ink": GRAY}, "搜索"),
        ({"outline": GRAY, "align": "left", "ink": GRAY}, "Email"),
    ],
)
def test_label_is_expanded_to_its_control(page: DrawnPage, look: dict[str, object], text: str) -> None:
    if look.get("fill") == "faint":
        look = {**look, "fill": page.faint}
    box = Box(100, 300, 700 if look.get("align") else 420, 400)
    label = page.control(box, text, **look)  # type: ignore[arg-type]
    page.write(100, 100, "Title of the page")
    element = found(page, text)
    assert element.bbox.iou(box) > 0.9
    assert element.label_box == label
    assert element.element_type == ("input" if look.get("align") else "button")


def test_gradient_and_icon_buttons_are_found_whole(page: DrawnPage) -> None:
    for row in range(100):
        page.pen.line((100, 200 + row, 420, 200 + row), fill=(230 - row,) * 3)
    page.write(170, 230, "Gradient", ink=(0, 0, 0))
    box = Box(100, 500, 520, 600)
    page.control(box, "Download", fill=BLUE, ink=WHITE)
    page.pen.ellipse((140, 526, 188, 574), fill=WHITE)
    assert found(page, "Gradient").bbox.iou(Box(100, 200, 420, 300)) > 0.9
    assert found(page, "Download").bbox.iou(box) > 0.9


def test_stacked_rounded_buttons_keep_their_boxes(page: DrawnPage) -> None:
    boxes = [Box(200, 100 + 100 * row, 540, 180 + 100 * row) for row in range(3)]
    for box, text in zip(boxes, ("禁止", "允许", "询问"), strict=True):
        page.control(box, text, fill=page.faint)
    assert found(page, "允许").bbox.contains(boxes[1].center)
    assert found(page, "允许").element_type == "button"


def test_label_without_control_is_returned_as_text(page: DrawnPage) -> None:
    labels = [page.write(100, 100, "Plain text")]
    page.pen.line((0, 200, 1080, 200), fill=GRAY, width=2)
    labels.append(page.write(60, 230, "A row of a list"))
    page.pen.line((0, 300, 1080, 300), fill=GRAY, width=2)
    page.control(Box(60, 400, 1020, 1000), outline=GRAY, radius=30)
    labels.append(page.write(110, 440, "Card title"))
    page.write(110, 520, "what the card says")
    for label, text in zip(labels, ("Plain text", "A row of a list", "Card title"), strict=True):
        element = found(page, text)
        assert (element.bbox, element.label_box, element.element_type) == (label, None, "text")


def test_panel_section_is_not_an_input(page: DrawnPage) -> None:
    page.pen.rectangle((100, 100, 900, 500), outline=GRAY, width=2)
    for line in (220, 340):
        page.pen.line((100, line, 900, line), fill=GRAY, width=2)
    label = page.write(130, 260, "This cannot be undone")
    element = found(page, "This cannot be undone")
    assert (element.bbox, element.element_type) == (label, "text")


def test_bar_with_several_labels_is_not_a_button(page: DrawnPage) -> None:
    page.control(Box(60, 100, 800, 180), fill=BLUE, radius=0)
    labels = [
        page.write(100 + 220 * index, 125, text, ink=WHITE) for index, text in enumerate(("File", "Edit", "View"))
    ]
    assert found(page, "Edit").bbox == labels[1]


def test_image_behind_label_is_not_a_button(page: DrawnPage) -> None:
    noise = np.random.default_rng(7).integers(0, 255, (300, 600, 3), dtype=np.uint8)
    page.image.paste(Screen(noise).image, (100, 100))
    label = page.write(300, 230, "On a photo", ink=WHITE)
    assert found(page, "On a photo").bbox == label


def test_role_selects_among_equal_labels(page: DrawnPage) -> None:
    title = page.write(100, 60, "Delete")
    button = Box(600, 600, 900, 700)
    page.control(button, "Delete", fill=BLUE, ink=WHITE)
    assert not locate(page, "Delete").success
    assert len(locate(page, "Delete").candidates) == 2
    assert found(page, "Delete", "button").bbox.iou(button) > 0.9
    assert found(page, "Delete", "标题").bbox == title


def test_button_role_is_preferred_to_exact_title(page: DrawnPage) -> None:
    page.write(100, 60, "Save")
    button = Box(600, 600, 900, 700)
    page.control(button, "SAVE", fill=BLUE, ink=WHITE)
    assert found(page, "Save", "button").bbox.iou(button) > 0.9


def test_unknown_or_unseen_role_excludes_nothing(page: DrawnPage) -> None:
    label = page.write(100, 60, "Save")
    assert found(page, "Save", "gizmo").bbox == label
    assert found(page, "Save", "button").bbox == label


@pytest.mark.parametrize(
    ("shown", "roles", "doubt"),
    [
        ("button", ("switch", "slider", "checkbox", "heading", "滑块"), "no"),
        ("input", ("button", "按钮", "switch"), "no"),
        ("text", ("switch", "checkbox", "slider", "radio", "开关", "icon"), "not seen to be a"),
        ("button", ("button", "tab", "link", "menu item", "list item"), ""),
        ("input", ("input", "text", "link", "heading"), ""),
        ("button", ("radio",), "not seen to be a"),
        ("text", ("button", "tab", "link", "menu item", "list item", "text"), ""),
    ],
)
def test_match_without_visible_role_is_candidate_only(
    page: DrawnPage, shown: str, roles: tuple[str, ...], doubt: str
) -> None:
    page.write(100, 60, "Title of the page")
    if shown == "text":
        page.write(100, 1120, "Delete")
    else:
        align, box = ("left", Box(60, 1080, 900, 1170)) if shown == "input" else ("middle", Box(60, 1080, 400, 1170))
        page.control(box, "Delete", outline=GRAY, align=align)  # type: ignore[arg-type]
    for role in roles:
        result = locate(page, "Delete", role)
        if doubt:
            assert not result.success, role
            assert [each.element_type for each in result.candidates] == [shown]
            assert f"{doubt} {role}" in result.attempts[0].note
        else:
            assert result.element is not None
            assert result.element.element_type == role
            assert result.confidence > 0.8


@pytest.mark.parametrize("where", ["inside", "beside", "below"])
def test_input_is_found_by_its_label(page: DrawnPage, where: str) -> None:
    fields = {
        "inside": Box(100, 300, 900, 390),
        "beside": Box(420, 300, 980, 390),
        "below": Box(100, 350, 900, 440),
    }
    page.write(100, 60, "Sign in")
    if where == "inside":
        page.control(fields[where], "Email", outline=GRAY, align="left", ink=GRAY)
    else:
        page.control(fields[where], outline=GRAY)
        page.write(100, 330 if where == "beside" else 300, "Email")
    page.write(100, 560, "Password")
    page.control(Box(100, 610, 900, 700) if where == "below" else Box(420, 540, 980, 630), outline=GRAY)
    page.control(Box(100, 900, 500, 1000), "Sign in now", fill=BLUE, ink=WHITE)
    element = found(page, "Email", "input")
    assert element.bbox.iou(fields[where]) > 0.9
    assert element.label_box is not None
    assert element.element_type == "input"


def test_input_next_to_label_includes_its_value(page: DrawnPage) -> None:
    page.write(100, 330, "Name")
    field = Box(300, 300, 980, 390)
    page.control(field, "Ada Lovelace", fill=page.faint, align="left")
    assert found(page, "Name", "输入框").bbox.iou(field) > 0.9


@pytest.mark.parametrize("value", ["Enter your email", "gy", "a@b.c", "请输入", "."])
@pytest.mark.parametrize("size", [24, 40])
def test_filled_input_below_label_is_found(page: DrawnPage, value: str, size: int) -> None:
    label = page.write(100, 300, "Email", size)
    field = Box(100, label.bottom + 20, 900, label.bottom + 100)
    page.control(field, value, outline=GRAY, align="left", ink=GRAY, size=size)
    other = page.write(100, field.bottom + 40, "Name", size)
    second = Box(100, other.bottom + 20, 900, other.bottom + 100)
    page.control(second, "Ada", outline=GRAY, align="left", size=size)
    assert found(page, "Email", "input").bbox.iou(field) > 0.9
    assert found(page, "Name", "input").bbox.iou(second) > 0.9


def test_label_gets_nearest_input_unless_otherwise_labelled(page: DrawnPage) -> None:
    page.write(100, 330, "Size")
    near, far = Box(220, 300, 480, 380), Box(520, 300, 800, 380)
    page.control(near, outline=GRAY)
    page.control(far, "12", outline=GRAY, align="left")
    assert found(page, "Size", "input").bbox.iou(near) > 0.9
    page.write(100, 630, "Note")
    page.write(230, 630, "Unit")
    page.control(Box(360, 600, 700, 680), "kg", outline=GRAY, align="left")
    assert not locate(page, "Note", "input").success


@pytest.mark.parametrize("size", [16, 40])
@pytest.mark.parametrize("drawn", ["inset", "low inset", "inset with a value", "apart", "cell"])
def test_label_cell_gets_input_of_adjacent_cell(page: DrawnPage, drawn: str, size: int) -> None:
    locator = VisualLocator(reader=page, parser=None, vision=None)
    gap, high, fields = 3 if drawn == "apart" else 0, 3 * size, {}
    for row, label in enumerate(("Full Name", "Nationality", "Tel No.")):
        top = 100 + row * (high + gap)
        cells = [Box(40, top, 440, top + high + 1), Box(439 + gap, top, 1000, top + high + 1)]
        fields[label] = field = cells[1]
        if drawn != "cell":
            margin = high // 4 if drawn == "low inset" else high // 6
            fields[label] = field = Box(460, top + margin, 760, top + high - margin)
        for left, upper, right, lower in [*cells, field]:
            page.pen.rectangle((left, upper, right - 1, lower - 1), outline=GRAY)
        page.write(56, top + high // 3, label, size)
        if drawn == "inset with a value":
            page.write(472, top + high // 3, "Ada", size)
    for label, field in fields.items():
        result = locator.locate(f"the {label} field", page.image)
        assert result.element is not None, result.error
        assert result.element.bbox.iou(field) > 0.85
        text = locator.locate(label, page.image)
        assert text.element is not None
        assert text.element.bbox.right <= 440
    assert not locator.locate("the Email field", page.image).success


def test_input_with_placeholder_is_not_a_label_cell(page: DrawnPage) -> None:
    email = Box(40, 100, 440, 180)
    page.control(email, "Email", outline=GRAY, align="left", ink=GRAY)
    page.control(Box(480, 100, 880, 180), outline=GRAY)
    assert found(page, "Email", "input").bbox.iou(email) > 0.9


def test_label_without_input_finds_no_input(page: DrawnPage) -> None:
    page.write(100, 100, "Email")
    page.control(Box(400, 80, 700, 160), "Subscribe", fill=BLUE, ink=WHITE)
    page.write(100, 220, "we never share it")
    result = locate(page, "Email", "input")
    assert not result.success
    assert result.candidates == ()


def test_wrapped_button_label_has_high_confidence(page: DrawnPage) -> None:
    button = Box(100, 300, 420, 460)
    page.control(button, fill=BLUE)
    page.write(180, 335, "Add to", ink=WHITE)
    page.write(150, 390, "wish list", ink=WHITE)
    element = found(page, "Add to wish list")
    assert element.bbox.iou(button) > 0.9
    assert element.confidence > 0.8


def test_target_with_ordinal_gets_every_match(page: DrawnPage) -> None:
    for top, confidence in ((100, 0.99), (300, 0.3), (500, 0.9)):
        page.write(100, top, "Delete")
        page.lines[-1] = TextLine("Delete", page.lines[-1].box, confidence)
    strategy = OcrStrategy(page)
    match = strategy.locate(Target(text="Delete", ordinal=2), page.screen)
    assert match is not None
    assert len(match.elements) == 3


def test_region_limits_the_search(page: DrawnPage) -> None:
    page.write(100, 100, "Delete")
    lower = page.write(100, 900, "Delete")
    element = locate(page, "Delete", region=Region(0, 0.5, 1, 1)).element
    assert element is not None
    assert element.bbox == lower
    assert not locate(page, "Delete", region=Region(0.5, 0.5, 1, 1)).success


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (1, 4000), (4000, 1)])
def test_tiny_frames_and_edge_boxes_raise_no_error(size: tuple[int, int]) -> None:
    width, height = size
    page = DrawnPage(width, height)
    page.lines = [
        TextLine("Email", Box(0, 0, width, height), 0.9),
        TextLine("Email 2", Box(-5, -5, width + 9, height), 0.9),
    ]
    for role in (None, "button", "input", "tab"):
        locate(page, "Email", role)
        locate(page, "Email 2", role)


def test_target_without_text_is_not_accepted() -> None:
    strategy = OcrStrategy(DrawnPage())
    assert strategy.accepts(Target(role="button")) == "no text is asked for"
    assert strategy.accepts(Target(text="  ", role="button")) == "no text is asked for"


@pytest.mark.parametrize("answer", [RuntimeError("dead"), None, [None], ["Save"]])
def test_broken_reader_is_a_failed_attempt(answer: object) -> None:
    class Broken:
        name = "broken"

        def read(self, screen: Screen) -> object:
            if isinstance(answer, Exception):
                raise answer
            return answer

    chain = LocateChain([OcrStrategy(Broken())])  # type: ignore[arg-type]
    result = chain.locate(Target(text="Save"), DrawnPage().screen)
    assert [attempt.outcome for attempt in result.attempts] == ["failed"]
    assert isinstance(result.attempts[0].error, OcrFailed)


def test_row_target_excludes_the_search_input(page: DrawnPage) -> None:
    page.control(Box(60, 60, 900, 150), "张三", outline=GRAY, align="left")
    row = page.write(100, 300, "张三")
    assert len(locate(page, "张三").candidates) == 2
    assert found(page, "张三", "list item").bbox == row
