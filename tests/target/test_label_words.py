"""Tests of labels that are colour or style words, and of synonyms for spin boxes."""

from __future__ import annotations

import pytest

from handeye.target import RelationKind, parse_target, word_as_label


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("the Quantity spin button", "Quantity"),
        ("the Quantity spin box", "Quantity"),
        ("Quantity spinbox", "Quantity"),
        ("the Quantity spinner field", "Quantity"),
        ("the Quantity stepper", "Quantity"),
        ("数量微调框", "数量"),
        ("数量数值框", "数量"),
        ("点击数量微调框", "数量"),
        ("“数量”微调框", "数量"),
        ("the spin box", None),
        ("点击数值框", None),
    ],
)
def test_spin_box_synonyms_have_role_spinner(words: str, text: str | None) -> None:
    target = parse_target(words)
    assert (target.text, target.role) == (text, "spinner")


@pytest.mark.parametrize(
    ("words", "text", "role"),
    [
        ("the Colour combo box", "Colour", "combo box"),
        ("the Color combo box", "Color", "combo box"),
        ("click the colour field", "colour", "input"),
        ("the Red button", "Red", "button"),
        ("the Green tab", "Green", "tab"),
        ("the Blue radio button", "Blue", "radio"),
        ("the Dark button", "Dark", "button"),
        ("the Large option", "Large", "item"),
        ("the Bold checkbox", "Bold", "checkbox"),
        ("颜色下拉框", "颜色", "combo box"),
        ("the Export picture item", "Export picture", "item"),
        ("the Copy link option", "Copy link", "item"),
    ],
)
def test_colour_and_style_words_before_role_are_labels(words: str, text: str, role: str) -> None:
    target = parse_target(words)
    assert (target.text, target.role, target.colour, target.description) == (text, role, None, None)


@pytest.mark.parametrize(
    ("words", "text", "anchor", "kind"),
    [
        ("the Orange item in the Fruit menu", "Orange", "Fruit", "menu"),
        ("the White option in the Colour combo box", "White", "Colour", "combo box"),
        ("the red option in the Colour combo box", "red", "Colour", "combo box"),
        ("颜色下拉框中的红色选项", "红色", "颜色", "combo box"),
    ],
)
def test_colour_word_of_menu_item_is_label(words: str, text: str, anchor: str, kind: str) -> None:
    target = parse_target(words)
    (relation,) = target.relations
    assert (target.text, target.role, target.colour) == (text, "item", None)
    assert (relation.kind, relation.anchor.text, relation.anchor.role) == (RelationKind.IN, anchor, kind)


@pytest.mark.parametrize(
    ("words", "colour", "label"),
    [
        ("the red button", "red", "red"),
        ("红色按钮", "red", "红色"),
        ("红色的按钮", "red", "红色"),
        ("the round button", None, "round"),
        ("大按钮", None, "大"),
    ],
)
def test_word_as_label_reads_attribute_as_label(words: str, colour: str | None, label: str) -> None:
    target = parse_target(words)
    assert target.colour == colour
    called = word_as_label(target)
    assert called is not None
    assert (called.text, called.role, called.colour) == (label, "button", None)


@pytest.mark.parametrize(
    "words", ["the Save button", "the red Save button", "the second red button", "Red", "the button"]
)
def test_word_as_label_is_none_without_lone_attribute(words: str) -> None:
    assert word_as_label(parse_target(words)) is None
