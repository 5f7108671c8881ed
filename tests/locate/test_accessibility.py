"""Tests of the accessibility strategy: names, roles, ids, covered elements, menus, and refused answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.elements import UIElement, UIState
from handeye.errors import OcrFailed, TreeFailed
from handeye.geometry import Box
from handeye.locate import AccessibilityStrategy, LocateChain, Tree
from handeye.locate.base import LEAST_SURE
from handeye.screen import Screen
from handeye.target import LocateResult, Position, Region, Relation, RelationKind, Target, parse_target
from handeye.testing.perceiving import FakeProvider
from handeye.text import TextLine

WIDTH, HEIGHT = 400, 800


def noise() -> Screen:
    """A frame on which something is drawn everywhere."""
    return Screen(np.random.default_rng(7).integers(0, 255, (HEIGHT, WIDTH, 3), np.uint8))


SCREEN = noise()
PAGE = UIElement("group", "", Box(0, 0, WIDTH, HEIGHT), id=1)


def element(
    number: int,
    box: tuple[int, int, int, int],
    text: str = "",
    role: str = "text",
    *,
    parent: int | None = 1,
    description: str = "",
    name: str = "",
    interactive: bool = False,
    enabled: bool = True,
) -> UIElement:
    return UIElement(
        role,
        description,
        Box(*box),
        text=text,
        id=number,
        parent=parent,
        enabled=enabled,
        interactive=interactive,
        metadata={"id": name, "class": role},
    )


def button(number: int, box: tuple[int, int, int, int], text: str = "", **about: str | int) -> UIElement:
    return replace(element(number, box, text, "button", **about), interactive=True)  # type: ignore[arg-type]


def find(target: Target | str, *elements: UIElement, screen: Screen = SCREEN) -> LocateResult:
    chain = LocateChain([AccessibilityStrategy(FakeProvider((PAGE, *elements)))])
    return chain.locate(Target(text=target) if isinstance(target, str) else target, screen)


def box_of(result: LocateResult) -> tuple[int, ...] | None:
    return tuple(result.element.bbox) if result.element else None


@pytest.mark.parametrize("role", ["list item", "table row"])
def test_row_target_ignores_input_with_same_text(role: str) -> None:
    field = element(2, (10, 10, 390, 60), "张三", "input", interactive=True)
    row = element(3, (10, 100, 390, 160), role="group", interactive=True)
    name = element(4, (80, 110, 160, 150), "张三", parent=3)
    target = Target(text="张三", role=role, exact=True)
    assert box_of(find(target, field, row, name)) == name.bbox
    assert not find(target, field).success


def boxes(elements: Sequence[UIElement]) -> list[tuple[int, ...]]:
    return sorted(tuple(each.bbox) for each in elements)


# -- words


def test_text_and_description_are_accessible_names() -> None:
    ok, back = element(2, (0, 0, 50, 50), "确定"), element(3, (0, 60, 50, 90), description="返回", role="button")
    assert box_of(find("确定", ok, back)) == ok.bbox
    assert box_of(find("返回", ok, back)) == back.bbox
    assert not find("取消", ok, back).success


@pytest.mark.parametrize(
    ("asked", "there"), [("张三", "张三丰"), ("上一页", "下一页"), ("Save", "Unsaved"), ("OK", "0K")]
)
def test_different_name_is_not_found(asked: str, there: str) -> None:
    result = find(asked, element(2, (0, 0, 90, 50), there))
    assert not result.success or result.confidence < 0.8


def test_adjacent_texts_are_not_joined() -> None:
    assert not find("log in", element(2, (0, 0, 30, 20), "log"), element(3, (32, 0, 60, 20), "in")).success


def test_equal_names_become_candidates() -> None:
    rows = element(2, (0, 0, 90, 40), "删除"), element(3, (0, 100, 90, 140), "删除")
    result = find("删除", *rows)
    assert not result.success
    assert boxes(result.candidates) == boxes(rows)


def test_exact_target_rejects_partial_text() -> None:
    line = element(2, (0, 0, 90, 40), "Save as draft")
    assert not find(Target(text="Save", exact=True), line).success


def test_region_keeps_elements_centred_inside() -> None:
    rows = element(2, (0, 0, 90, 40), "删除"), element(3, (0, 600, 90, 640), "删除")
    assert box_of(find(Target(text="删除", region=Region(0, 0.5, 1, 1)), *rows)) == rows[1].bbox


# -- one place


def test_row_and_its_label_are_one_match() -> None:
    row = element(2, (0, 0, 400, 100), description="WLAN", role="group", interactive=True)
    label = element(3, (60, 20, 160, 80), "WLAN", parent=2)
    result = find("WLAN", row, label)
    assert box_of(result) == label.bbox
    assert row.bbox.contains(result.element.center)  # type: ignore[union-attr]


def test_tab_icon_and_label_are_one_match() -> None:
    tab = element(2, (0, 700, 100, 800), role="group", interactive=True)
    icon = element(3, (30, 705, 70, 745), role="image", description="首页", parent=2)
    label = element(4, (30, 750, 70, 790), "首页", parent=2)
    assert box_of(find("首页", tab, icon, label)) == label.bbox


def test_role_query_returns_control_around_label() -> None:
    card = button(2, (0, 0, 200, 60))
    label = element(3, (20, 20, 90, 40), "Save", parent=2)
    result = find(Target(text="Save", role="button"), card, label)
    assert box_of(result) == card.bbox
    assert result.element is not None
    assert result.element.label_box == label.bbox


def test_large_card_and_its_title_are_one_match() -> None:
    card = element(2, (0, 100, 400, 340), description="Dogs outside", role="group", interactive=True)
    title = element(3, (20, 300, 200, 330), "Dogs outside", parent=2)
    assert box_of(find("Dogs outside", card, title)) == title.bbox


def test_wide_title_and_same_named_button_stay_separate() -> None:
    title, archive = element(2, (0, 100, 400, 160), "Archive"), button(3, (290, 110, 390, 150), "Archive")
    assert len(find("Archive", title, archive).candidates) == 2


# -- what can be used


@pytest.mark.parametrize("box", [(0, 0, 0, 0), (500, 0, 600, 50), (-90, -90, -10, -10), (0, 900, 50, 950)])
def test_element_outside_the_screen_is_not_found(box: tuple[int, int, int, int]) -> None:
    assert not find("确定", element(2, box, "确定")).candidates


def test_element_flagged_offscreen_is_not_found() -> None:
    hidden = replace(element(2, (0, 0, 50, 50), "确定"), metadata={"offscreen": True})
    assert not find("确定", hidden).success


def test_click_point_is_in_visible_region() -> None:
    half = replace(element(2, (300, 0, 600, 50), "确定"), visible_region=Box(300, 0, 400, 50))
    result = find("确定", half)
    assert result.element is not None
    assert result.element.center == Box(300, 0, 400, 50).center


def test_enabled_element_is_preferred_to_disabled() -> None:
    gray, live = (
        element(2, (0, 0, 50, 50), "确定", enabled=False),
        element(3, (0, 100, 50, 150), "确定"),
    )
    assert box_of(find("确定", gray, live)) == live.bbox
    alone = find("确定", gray)
    assert alone.element is not None
    assert alone.element.enabled is False
    assert "disabled" in alone.attempts[0].note


def test_covered_element_is_reported_and_unreliable() -> None:
    covered = button(2, (100, 300, 200, 350), "删除")
    dialog = element(3, (50, 200, 350, 500), role="window", parent=1, interactive=True, description="提示")
    result = find("删除", covered, dialog)
    assert not result.success
    assert not result.candidates[0].reliable
    assert "covered by the window '提示'" in result.attempts[0].note


def test_uncovered_element_is_preferred() -> None:
    below, above = button(2, (100, 300, 200, 350), "删除"), button(4, (150, 220, 250, 260), "删除", parent=3)
    dialog = element(3, (50, 200, 350, 500), role="window", interactive=True)
    assert box_of(find("删除", below, dialog, above)) == above.bbox


def test_click_surface_does_not_cover_its_card() -> None:
    label = element(3, (20, 20, 90, 60), "照片", parent=2)
    card = element(2, (0, 0, 200, 100), role="group")
    surface = element(4, (0, 0, 200, 100), role="element", parent=2, interactive=True)
    assert box_of(find("照片", card, label, surface)) == label.bbox


def test_scrim_covers_the_page() -> None:
    scrim = element(3, (0, 0, WIDTH, HEIGHT), role="element", interactive=True)
    assert not find("照片", element(2, (20, 20, 90, 60), "照片"), scrim).success


def test_text_over_blank_pixels_is_unreliable() -> None:
    pixels = SCREEN.pixels.copy()
    pixels[20:60, 20:90] = 240
    result = find("照片", element(2, (20, 20, 90, 60), "照片"), screen=Screen(pixels))
    assert not result.success
    assert "nothing is drawn" in result.attempts[0].note


# -- roles


def row(number: int, top: int, title: str) -> tuple[UIElement, ...]:
    """A row of settings: its title to the left, its switch to the right."""
    return (
        element(number, (0, top, 400, top + 60), role="group", interactive=True),
        element(number + 1, (20, top, 250, top + 60), title, parent=number),
        element(number + 2, (330, top + 15, 390, top + 45), role="switch", parent=number, interactive=True),
    )


ROWS = (*row(10, 100, "飞行模式"), *row(20, 160, "深色模式"), *row(30, 220, "蓝牙"))


def test_switch_is_found_by_row_title() -> None:
    named = Target(text="深色模式", role="switch")
    by_row = Target(role="switch", relations=(Relation(RelationKind.ROW, Target(text="深色模式")),))
    for target in (named, by_row):
        assert box_of(find(target, *ROWS)) == (330, 175, 390, 205)


def test_single_element_is_found_by_role_alone() -> None:
    assert box_of(find(Target(role="switch"), *ROWS[:3])) == (330, 115, 390, 145)
    assert len(find(Target(role="switch"), *ROWS).candidates) == 3


def test_ordinal_selects_among_controls_of_one_role() -> None:
    assert box_of(find(Target(role="switch", ordinal=2), *ROWS)) == (330, 175, 390, 205)
    assert box_of(find(Target(role="switch", ordinal=-1), *ROWS)) == (330, 235, 390, 265)
    assert not find(Target(role="switch", ordinal=4), *ROWS).success


def test_image_ordinal_counts_series_without_toolbar_icons() -> None:
    photos = [element(n, (n * 100 - 200, 300, n * 100 - 110, 400), role="image", name="photo") for n in (2, 3, 4)]
    menu = element(9, (0, 0, 40, 40), role="image", name="menu")
    assert box_of(find(Target(role="image", ordinal=2), menu, *photos)) == photos[1].bbox


def test_ordinal_over_unlike_images_is_refused() -> None:
    several = [element(n, (0, n * 60, n * 20, n * 60 + 50), role="image", name=f"image{n}") for n in (2, 3, 4)]
    assert not find(Target(role="image", ordinal=2), *several).success


def test_banner_above_image_series_makes_ordinal_ambiguous() -> None:
    photos = [element(n, (0, n * 100, 90, n * 100 + 90), role="image", name="photo") for n in (3, 4, 5)]
    banner = element(9, (0, 0, 400, 200), role="image", name="banner")
    assert not find(Target(role="image", ordinal=2), banner, *photos).success
    assert box_of(find(Target(role="image", ordinal=-1), banner, *photos)) == photos[-1].bbox


def test_row_ordinal_ignores_uncertain_buttons() -> None:
    last_line = Relation(RelationKind.ROW, Target(role="table row", ordinal=-1))
    pictures = [element(n, (0, n * 100, n * 40, n * 100 + 60), role="image", name=f"image{n}") for n in (2, 3)]
    buttons = [button(n, (0, n * 100, 90, n * 100 + 60), name="row") for n in (5, 6)]
    target = Target(role="button", relations=(last_line,))
    assert not find(target, *pictures).success
    assert box_of(find(target, *buttons)) == buttons[-1].bbox


def test_role_alone_matches_only_exact_role() -> None:
    combo = replace(element(2, (0, 0, 90, 40), "Red", "combo box"), interactive=True)
    others = button(3, (0, 100, 90, 140), "OK"), replace(element(4, (0, 200, 90, 240), role="input"), interactive=True)
    kind = parse_target("the combo box")
    assert box_of(find(kind, combo, *others)) == combo.bbox
    assert not find(kind, *others).success
    assert len(find(kind, combo, replace(combo, id=5, bbox=Box(0, 300, 90, 340))).candidates) == 2
    assert box_of(find(kind, combo, element(6, (0, 300, 90, 340), "the combo box"))) == (0, 300, 90, 340)


def test_title_is_not_returned_for_missing_switch() -> None:
    assert not find(Target(text="版本号", role="switch"), element(2, (0, 0, 90, 40), "版本号")).success


@pytest.mark.parametrize(
    ("role", "asked", "sides"),
    [
        ("switch", "Bluetooth", [("Wi-Fi", 40, 100), ("", 120, 160), ("Bluetooth", 170, 240), ("", 265, 305)]),
        ("input", "Last name", [("First name", 0, 70), ("", 90, 180), ("Last name", 190, 260), ("", 284, 374)]),
        ("checkbox", "Red", [("", 0, 40), ("Red", 64, 100), ("", 110, 150), ("Blue", 174, 220)]),
    ],
)
def test_control_between_two_labels_is_ambiguous(role: str, asked: str, sides: list[tuple[str, int, int]]) -> None:
    several = [
        element(number, (left, 300, right, 340), text, "text" if text else role)
        for number, (text, left, right) in enumerate(sides, 2)
    ]
    assert len(find(Target(text=asked, role=role), *several).candidates) == 2


@pytest.mark.parametrize(
    ("role", "there", "found"),
    [
        *(("input", "slider", False), ("switch", "radio", False), ("radio", "switch", False)),
        *(("checkbox", "switch", True), ("input", "combo box", True)),
    ],
)
def test_only_compatible_roles_are_interchangeable(role: str, there: str, found: bool) -> None:
    named = element(2, (40, 300, 160, 340), "Save", there, interactive=True)
    assert find(Target(text="Save", role=role), named).success is found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        *(("the one below Apple", "Pear"), ("the item right of Pear", "Ripe"), ("the item right of Apple", "Share")),
        *(("the link right of Pear", None), ("the link right of Apple", "Share")),
    ],
)
def test_plain_text_counts_as_item_not_link(words: str, found: str | None) -> None:
    """A text inside a button does not count as an item of its own."""
    there = [
        *(element(2, (20, 100, 120, 140), "Apple"), element(3, (20, 160, 120, 200), "Pear")),
        *(element(4, (140, 160, 200, 200), "Ripe"), element(5, (210, 160, 240, 200), role="image")),
        *(button(6, (220, 100, 380, 140), "Share"), element(7, (260, 110, 340, 130), "with all", parent=6)),
        button(8, (20, 500, 380, 560), "Delete all"),
    ]
    result = find(parse_target(words), *there)
    assert (result.element.text if result.element else None) == found


@pytest.mark.parametrize(("bottom", "found"), [(540, True), (760, False)])
def test_background_image_is_not_a_picture(bottom: int, found: bool) -> None:
    assert find(Target(role="image"), element(2, (0, 60, 400, bottom), role="image")).success is found


def test_custom_control_role_comes_from_its_id() -> None:
    title = element(2, (40, 300, 160, 340), "Wi-Fi")
    own = element(3, (300, 300, 380, 340), role="element", name="wifiSwitch", interactive=True)
    assert box_of(find("the Wi-Fi switch", title, own)) == own.bbox


# -- what is in what


def menu(number: int, box: tuple[int, int, int, int], text: str, parent: int) -> UIElement:
    return replace(element(number, box, text, "menu item", parent=parent), interactive=True)


FILE, OPEN = menu(2, (0, 0, 40, 20), "File", 1), menu(5, (0, 50, 120, 80), "Open", 4)
POPUP = element(4, (0, 20, 120, 140), role="menu", parent=2)


@pytest.mark.parametrize("words", ["the Open item in the File menu", "找到File菜单中的'Open'选项"])
def test_menu_membership_follows_the_tree(words: str) -> None:
    edit = menu(3, (40, 0, 80, 20), "Edit", 1)
    other = button(6, (200, 0, 260, 20), "Open")
    assert box_of(find(parse_target(words), FILE, edit, POPUP, OPEN, other)) == OPEN.bbox
    assert not find(parse_target(words.replace("File", "Edit")), FILE, edit, POPUP, OPEN, other).success


def test_overlapping_popup_is_not_inside_toolbar() -> None:
    tools = element(6, (0, 25, 400, 90), "Tools", "toolbar")
    button_there = button(7, (10, 55, 60, 80), "Open", parent=6)
    phrase = parse_target("the Open button in the Tools toolbar")
    assert not find(phrase, tools, FILE, POPUP, OPEN).success
    assert box_of(find(phrase, FILE, POPUP, OPEN, tools, button_there)) == button_there.bbox


def test_menu_item_ordinal_counts_only_menu_entries() -> None:
    """The menu is open, and the titles of its menu bar also have the role menu item."""
    entries = [menu(5 + n, (0, 20 + 30 * n, 120, 50 + 30 * n), f"Entry {n}", 4) for n in range(3)]
    edit = menu(3, (40, 0, 80, 20), "Edit", 1)
    for kind in ("item", "option", "menu item"):
        found = find(parse_target(f"the second {kind} in the File menu"), FILE, edit, POPUP, *entries)
        assert box_of(found) == entries[1].bbox


def test_button_in_namesake_group_is_not_menu_entry() -> None:
    """The menu is open, and a group of the same name holds the button as its child or only by position."""
    group, phrase = element(6, (0, 300, 400, 400), "File", "group"), parse_target("the Open button in File")
    for parent in (1, 6):
        inner = button(7, (10, 320, 60, 360), "Open", parent=parent)
        assert box_of(find(phrase, FILE, POPUP, OPEN, group, inner)) == inner.bbox
        assert not find(parse_target("Open in File"), FILE, POPUP, OPEN, group, inner).success
        assert (
            box_of(find(parse_target("the Open item in the File menu"), FILE, POPUP, OPEN, group, inner)) == OPEN.bbox
        )
    outside = button(7, (200, 0, 260, 20), "Open")
    assert not find(phrase, FILE, POPUP, OPEN, outside).success
    assert not find(phrase, FILE, POPUP, OPEN).success
    assert box_of(find(parse_target("the Open button in the File menu"), FILE, POPUP, OPEN)) == OPEN.bbox


def test_text_in_menu_names_entry_not_menu() -> None:
    recent = menu(5, (0, 50, 120, 80), "Recent", 4)
    assert box_of(find(parse_target("the Recent menu"), FILE, replace(POPUP, interactive=True), recent)) == recent.bbox


def test_position_in_menu_includes_its_popup() -> None:
    rows = [menu(6 + n, (0, 20 + 40 * n, 120, 60 + 40 * n), "New", 4) for n in range(3)]
    assert box_of(find(parse_target("New at the bottom of the File menu"), FILE, POPUP, *rows)) == rows[-1].bbox


def test_childless_container_holds_elements_inside_its_box() -> None:
    field = element(2, (0, 0, 300, 60), "Search", "input", interactive=True)
    clear = button(3, (250, 10, 290, 50), "Clear")
    assert box_of(find(parse_target("the Clear button in the Search field"), field, clear)) == clear.bbox


def test_holds_rejects_elements_of_another_tree() -> None:
    tree = Tree(UIState(SCREEN, (PAGE, FILE, POPUP, OPEN)))
    assert tree.holds(FILE, OPEN)
    assert not tree.holds(OPEN, FILE)
    assert not tree.holds(FILE, FILE)
    assert not tree.holds(FILE, replace(OPEN, text="Save"))
    assert not tree.holds(replace(FILE, id=None), OPEN)


# -- icons


@pytest.mark.parametrize(
    ("asked", "description", "name"),
    [
        ("搜索", "", "com.x:id/ic_search"),
        ("magnifier", "", "searchButton"),
        ("back arrow", "Navigate up", ""),
        ("返回", "Navigate up", ""),
        ("三点", "More options", ""),
        ("three dots", "更多选项", ""),
        ("hamburger menu", "Open navigation drawer", ""),
        ("gear", "", "iv_settings"),
    ],
)
def test_icon_is_found_by_description_or_id(asked: str, description: str, name: str) -> None:
    wanted = button(2, (350, 0, 400, 50), description=description, name=name)
    other = button(3, (300, 0, 350, 50), description="Camera", name="ic_camera")
    assert box_of(find(Target(text=asked, role="icon"), wanted, other)) == wanted.bbox


@pytest.mark.parametrize(
    ("asked", "name", "description"),
    [
        *(
            ("search", "research_center", ""),
            ("like", "dislike", ""),
            ("搜索", "ic_camera", ""),
            ("lock", "unlock", ""),
        ),
        *(
            ("delete", "trash_restore", "Restore"),
            ("search", "search_close", "Cancel"),
            ("settings", "settings", "Home"),
        ),
        ("volume", "volume_off_btn", "Mute"),
    ],
)
def test_different_icon_is_not_returned(asked: str, name: str, description: str) -> None:
    for role in ("icon", None):
        there = button(2, (350, 0, 400, 50), name=name, description=description)
        assert not find(Target(text=asked, role=role), there).success


def test_large_button_is_not_icon_by_its_id() -> None:
    large = button(2, (0, 300, 400, 500), description="List stores", name="exploreColorButton")
    assert not find(Target(text="explore color", role="icon"), large).success


@pytest.mark.parametrize("words", ["home", "the home icon", "the home button"])
def test_card_description_takes_precedence_over_its_id(words: str) -> None:
    card = element(2, (20, 200, 380, 280), role="group", description="Welcome, Bob", name="home", interactive=True)
    assert not find(parse_target(words), card).success
    assert find(parse_target(words), replace(card, description="Home, sweet home")).success


def test_large_map_is_not_an_icon() -> None:
    whole = element(2, (0, 300, 400, 700), role="element", description="Google Map")
    assert not find(Target(text="google"), whole).success


def test_right_arrow_phrase_finds_next_button() -> None:
    following = button(2, (350, 750, 390, 790), name="nextButton")
    playing = button(3, (5, 750, 45, 790), name="playButton")
    assert (
        box_of(find(parse_target("the right arrow button in the bottom right corner"), following, playing))
        == following.bbox
    )


def test_target_description_finds_icon_by_id() -> None:
    lens = button(2, (350, 0, 400, 50), name="ic_search")
    assert box_of(find(Target(description="搜索图标"), lens)) == lens.bbox
    assert not find(Target(description="底部输入框"), lens).success


def test_unnamed_icon_found_by_neighbour_has_low_confidence() -> None:
    title = element(2, (100, 100, 200, 140), "飞行模式")
    bell = button(3, (220, 100, 260, 140))
    target = Target(text="bell", role="icon", relations=(Relation(RelationKind.RIGHT_OF, Target(text="飞行模式")),))
    result = find(target, title, bell)
    assert box_of(result) == bell.bbox
    assert result.confidence < 0.8
    assert not find(target, title, replace(bell, description="Camera")).success


@pytest.mark.parametrize(
    ("asked", "drawn"),
    [
        *(("arrow", True), ("the red dot", True), ("箭头", True)),
        *(("Start", False), ("Tickets", False), ("Crossword", False), ("Narrow", False)),
    ],
)
def test_only_shape_words_match_unnamed_neighbour_icon(asked: str, drawn: bool) -> None:
    title, icon = element(2, (100, 100, 200, 140), "Total"), button(3, (220, 100, 260, 140))
    target = Target(text=asked, relations=(Relation(RelationKind.RIGHT_OF, Target(text="Total")),))
    assert find(target, title, icon).success is drawn


@pytest.mark.parametrize(
    "phrase",
    [
        "the Cancel button in the Trash row",
        "the Undo button next to Trash",
        "the Cancel button at the bottom",
        "the Help button right of Trash",
    ],
)
def test_button_with_different_text_is_not_returned(phrase: str) -> None:
    row = element(2, (0, 700, 400, 760), "Trash", "list item", interactive=True)
    title, delete = (
        element(3, (10, 710, 90, 750), "Trash", parent=2),
        button(4, (300, 705, 390, 755), "Delete", parent=2),
    )
    assert not find(parse_target(phrase), row, title, delete).success
    face = element(5, (310, 710, 380, 750), "Delete", parent=4)
    assert not find(parse_target(phrase), row, title, replace(delete, text=""), face).success
    assert box_of(find(parse_target(phrase), row, title, replace(delete, text=""))) == delete.bbox


# -- ids and paths


def test_id_matches_whole_or_last_segment() -> None:
    ok, no = button(2, (0, 0, 50, 50), name="com.x:id/ok"), button(3, (0, 60, 50, 90), name="com.x:id/not_ok")
    for name in ("com.x:id/ok", "ok"):
        assert box_of(find(Target(id=name), ok, no)) == ok.bbox
    assert not find(Target(id="x:id/ok"), ok, no).success


def test_id_and_text_must_both_match() -> None:
    rows = [element(n, (0, n * 50, 90, n * 50 + 40), text, name="title") for n, text in ((2, "蓝牙"), (3, "WLAN"))]
    assert box_of(find(Target(id="title", text="WLAN"), *rows)) == rows[1].bbox
    assert len(find(Target(id="title"), *rows).candidates) == 2


def test_path_matches_visible_elements() -> None:
    assert box_of(find(Target(path="//switch[@role='switch']", ordinal=3), *ROWS)) == (330, 235, 390, 265)
    assert not find(Target(path="//button"), *ROWS).success


def test_invalid_path_fails_with_error_position() -> None:
    result = find(Target(path="//Button[@"), *ROWS)
    assert result.attempts[0].outcome == "failed"
    assert "character 10" in str(result.failure)


# -- a tree of another moment


class Reader:
    """Reads what it is told to."""

    name = "reader"

    def __init__(self, *lines: TextLine, error: Exception | None = None) -> None:
        self.lines, self.error = lines, error

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        if self.error:
            raise self.error
        return self.lines


def find_read(reader: Reader, *elements: UIElement, text: str = "Cancel") -> LocateResult:
    return LocateChain([AccessibilityStrategy(FakeProvider((PAGE, *elements)), reader)]).locate(
        Target(text=text), SCREEN
    )


CANCEL = button(2, (100, 100, 200, 150), "Cancel")
THERE, ELSEWHERE = Box(120, 110, 180, 140), Box(120, 410, 180, 440)


@pytest.mark.parametrize(
    ("told", "drawn"),
    [
        *(
            ("Cancel", "Delete"),
            ("取消", "删除"),
            ("Enable", "Disable"),
            ("下一页", "上一页"),
            ("Increase", "Decrease"),
        ),
        *(("Order 1234", "Order 1235"), ("8:30", "9:30"), ("2024年12月的账单明细", "2024年11月的账单明细")),
        *(
            ("Delete the file no. 1", "Delete the file no. 2"),
            ("王五的订单", "王六的订单"),
            ("转账给王五500", "转账给王五900"),
        ),
        *(("Cancel", "Don't cancel"), ("Do not allow", "Allow"), ("不允许", "允许")),
    ],
)
def test_stale_text_contradicted_by_ocr_is_rejected(told: str, drawn: str) -> None:
    stale = button(2, (100, 100, 200, 150), told)
    result = find_read(Reader(TextLine(drawn, THERE, 0.99)), stale, text=told)
    assert not result.success
    assert "another text" in result.attempts[0].note


@pytest.mark.parametrize(("told", "drawn"), [("Modern", "Moderm"), ("Illegal", "Ilegaal")])
def test_uncertain_ocr_does_not_contradict_short_label(told: str, drawn: str) -> None:
    stale = button(2, (100, 100, 200, 150), told)
    assert find_read(Reader(TextLine(drawn, THERE, 0.92)), stale, text=told).success
    assert not find_read(Reader(TextLine(drawn, THERE, 0.99)), stale, text=told).success


def test_only_ocr_confirmed_text_has_high_confidence() -> None:
    assert find_read(Reader(TextLine("CANCEL", THERE, 0.99)), CANCEL).confidence > LEAST_SURE
    for unsure in (
        Reader(),
        Reader(TextLine("Cancel", ELSEWHERE, 0.99)),
        Reader(TextLine("Dclcte", THERE, 0.5)),
        Reader(TextLine("Cance", THERE, 0.99)),
        Reader(error=OcrFailed("dead")),
        Reader(error=RuntimeError("somebody's own engine")),
    ):
        result = find_read(unsure, CANCEL)
        assert result.success
        assert result.confidence < LEAST_SURE
        assert ("not compared" in result.attempts[0].note) is (unsure.error is not None)
    assert find("Cancel", CANCEL).confidence < LEAST_SURE


def test_region_reader_reads_only_the_element_region() -> None:
    class Part(Reader):
        def read(self, screen: Screen) -> tuple[TextLine, ...]:
            raise AssertionError("the whole frame was read")

        def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
            assert box.area < 0.2 * screen.box.area
            return self.lines

    assert find_read(Part(TextLine("Cancel", THERE, 0.99)), CANCEL).confidence > LEAST_SURE


def test_sentence_is_not_matched_by_contained_link() -> None:
    assert not find(Target(text="用户协议"), element(2, (0, 0, 300, 40), "我已阅读并同意《用户协议》")).success


@pytest.mark.parametrize("told", ["إلغاء", "ยกเลิก", "•••••", "😀"])
def test_unsupported_script_is_not_contradicted_by_ocr(told: str) -> None:
    assert find_read(Reader(TextLine("jWl", THERE, 0.99)), button(2, (100, 100, 200, 150), told), text=told).success


def test_multiline_text_is_not_contradicted_by_one_line() -> None:
    long = element(2, (100, 100, 200, 300), "Your changes have not been saved yet")
    result = find_read(Reader(TextLine("Your changes have", THERE, 0.99)), long, text=long.text)
    assert result.success


# -- the rest


def test_single_button_is_found_by_corner() -> None:
    close, ok = button(2, (350, 0, 400, 50)), button(3, (0, 700, 50, 750))
    assert box_of(find(Target(role="button", position=Position.TOP_RIGHT), close, ok)) == close.bbox


def test_image_reference_skips_accessibility_strategy() -> None:
    assert find(Target(reference="send_button"), *ROWS).attempts[0].outcome == "skipped"


def test_unreadable_tree_is_a_failed_attempt() -> None:
    provider = FakeProvider()
    provider.error = TreeFailed("no tree today")
    result = LocateChain([AccessibilityStrategy(provider)]).locate(Target(text="确定"), SCREEN)
    assert result.failure is provider.error


def test_parent_cycle_does_not_break_search() -> None:
    loop = (
        replace(element(2, (0, 0, 50, 50), "a"), parent=3),
        replace(element(3, (0, 0, 50, 50), "b", "switch"), parent=2),
        replace(element(4, (0, 60, 50, 90), "c"), parent=99),
    )
    assert find("c", *loop).success
    assert find(Target(path="//*[@text='c']"), *loop).success
    assert find(Target(text="a", role="switch"), *loop).attempts


names = st.text(max_size=12) | st.sampled_from(["删除", "OK", "search", "\u202eabc", "😀", "\x00", "a" * 5000])
corners = st.integers(-50, 900)


@given(
    st.lists(
        st.tuples(names, names, corners, corners, corners, corners, st.sampled_from(["button", "image", "", "switch"])),
        max_size=12,
    ),
    st.text(max_size=30).filter(str.strip),
    st.sampled_from([None, "icon", "button", "switch", "no such role"]),
)
def test_any_tree_gives_results_on_the_screen(
    nodes: list[tuple[str, str, int, int, int, int, str]], asked: str, role: str | None
) -> None:
    elements = [
        element(number, (left, top, right, bottom), text, kind, parent=number // 2, description=words)
        for number, (text, words, left, top, right, bottom, kind) in enumerate(nodes, 2)
    ]
    result = find(Target(text=asked, role=role), *elements)
    for each in (*result.candidates, *filter(None, [result.element])):
        assert each.bbox.intersect(SCREEN.box)
        assert 0 <= each.confidence <= 1


def test_too_many_candidates_are_refused() -> None:
    many = [element(n, (n % 390, n % 790, n % 390 + 9, n % 790 + 9), "a b") for n in range(2, 3000)]
    for target in (Target(text="a b"), Target(text="a b", role="switch"), Target(role="text", ordinal=-1)):
        result = find(target, *many)
        assert not result.success
        assert "say more about it" in str(result.failure)


@pytest.mark.parametrize("role", ["tab", "TabItem", "50019", "选项卡", "page tab"])
def test_role_accepts_everyday_and_platform_names(role: str) -> None:
    tab = element(2, (0, 0, 90, 40), "常规", "tab")
    text = element(3, (0, 100, 90, 140), "常规")
    assert box_of(find(Target(text="常规", role=role), tab, text)) == tab.bbox
