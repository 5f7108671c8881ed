"""Tests of the roles of platform control types and classes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.roles import ANDROID, ATSPI, PLATFORM_CLASSES, ROLES, UIA, role_named, role_of, role_of_class


@pytest.mark.parametrize("number", range(50000, 50041))
def test_every_ui_automation_control_type_has_role(number: int) -> None:
    assert role_of_class(number, UIA)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("android.widget.Button", "button"),
        ("androidx.appcompat.widget.AppCompatImageButton", "button"),
        ("android.support.v7.app.ActionBar$Tab", "tab"),
        ("com.example.TypefacedEditText", "input"),
        ("com.example.ButtonViewRoboto", "button"),
        ("IMAGE_BUTTON", "button"),
        ("TEXT_VIEW", "text"),
        ("CHECK_BOX", "checkbox"),
        ("TabItem", "tab"),
        ("HeaderItem", "header item"),
        ("DataItem", "cell"),
        ("Pane", "pane"),
        ("复选框", "checkbox"),
        ("push button", "button"),
        ("page tab list", "tab bar"),
        ("ColumnBorder", "column border"),
    ],
)
def test_platform_class_has_its_role(name: str, role: str) -> None:
    assert role_of_class(name) == role


@pytest.mark.parametrize("name", ["", "android.view.View", "DayView", "Ⅷ", "."])
def test_meaningless_class_has_no_role(name: str) -> None:
    assert role_of_class(name) is None


def test_text_class_is_input_only_on_linux() -> None:
    assert role_of_class("text", ATSPI) == "input"
    assert role_of_class("Text", UIA) == "text"
    assert role_of_class("Text", ANDROID) == "text"


def test_every_role_is_given_by_a_platform() -> None:
    """Except roles that only vision or people use."""
    given_by_platforms = {role for roles in PLATFORM_CLASSES.values() for role in roles}
    assert set(ROLES) - given_by_platforms <= {"column", "item"}


@given(st.text(max_size=40))
def test_any_name_gives_a_role_or_none(name: str) -> None:
    role = role_named(name)
    assert role is None or role in (name, role_of(name), role_of_class(name))
