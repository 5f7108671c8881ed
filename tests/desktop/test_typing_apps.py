"""Tests of typing in applications of four toolkits under any keyboard layout."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator

import pytest
from typing_places import Place, open_place, press
from Xlib import X
from Xlib.display import Display
from Xlib.ext import xtest

from handeye.testing.desktop import PrivateDesktop
from optional_programs import need

NASTY = "你好,世界 Grüße €5 😀 abcXYZ! ~^\"'\\ $(rm)"
LINES = "e\u0301 שלום مرحبا 👩\u200d👩\u200d👧 ❤\ufe0f Ж ж Ω\tx\nnew line"


@pytest.fixture(scope="module", params=["mousepad", "featherpad", "bed", "chromium"])
def place(request: pytest.FixtureRequest, desktop: PrivateDesktop) -> Place:
    return open_place(request.param, desktop)


@pytest.fixture(autouse=True)
def nothing_is_down(desktop: PrivateDesktop) -> Iterator[None]:
    yield
    display = Display(desktop.display)
    assert not any(display.query_keymap())
    assert not display.screen().root.query_pointer().mask & (X.Button1Mask | X.Button2Mask | X.Button3Mask)
    display.close()


def test_typed_text_arrives_unchanged(place: Place, desktop: PrivateDesktop) -> None:
    for text in (NASTY, LINES):
        place.begin()
        desktop.backend.type(text)
        place.holds(text)


MENU_CODE = 135


@pytest.fixture
def layout(request: pytest.FixtureRequest, desktop: PrivateDesktop) -> Iterator[str]:
    """The layout of the test's parameter is in use; the second one of two."""

    def choose(*words: str) -> None:
        subprocess.run(["setxkbmap", *words], env=dict(desktop.environment), check=True, timeout=120)

    need("setxkbmap", "x11-xkb-utils")
    name: str = request.param
    choose(name, "-option", "grp:menu_toggle")
    if "," in name:
        _tap(desktop, MENU_CODE)
    yield name
    if "," in name:
        _tap(desktop, MENU_CODE)
    choose("us", "-option", "")


def _tap(desktop: PrivateDesktop, code: int) -> None:
    display = Display(desktop.display)
    for event in (X.KeyPress, X.KeyRelease):
        xtest.fake_input(display, event, code)
    display.sync()
    display.close()


@pytest.mark.parametrize("place", ["mousepad", "bed"], indirect=True)
@pytest.mark.parametrize("layout", ["de", "ru", "us,ru", "cn"], indirect=True)
def test_text_and_shortcuts_work_in_every_layout(place: Place, layout: str, desktop: PrivateDesktop) -> None:
    """`begin` needs ctrl+a, whose letter a Russian layout lacks."""
    text = "Zwölf «Ёжиков» & @ € x=1; {[~|\\]} ß — 7 Ω"
    place.begin()
    desktop.backend.type(text)
    place.holds(text)


@pytest.mark.parametrize("place", ["mousepad"], indirect=True)
def test_caps_lock_and_num_lock_change_no_letter(place: Place, desktop: PrivateDesktop) -> None:
    backend = desktop.backend
    press(backend, "capslock")
    press(backend, "numlock")
    try:
        place.begin()
        backend.type("Ab éÉ жЖ 7")
        backend.key("numpad4", down=True)
        backend.key("numpad4", down=False)
        place.holds("Ab éÉ жЖ 74")
        press(backend, "a")
        place.holds("Ab éÉ жЖ 74A")  # as a person's key would: Caps Lock is on again
    finally:
        press(backend, "capslock")
        press(backend, "numlock")
    press(backend, "a")
    place.holds("Ab éÉ жЖ 74Aa")


@pytest.mark.parametrize("place", ["mousepad", "bed"], indirect=True)
def test_text_of_many_characters_is_pasted_or_remapped(place: Place, desktop: PrivateDesktop) -> None:
    choose = random.Random(3).choice
    text = "".join(chr(0x4E00 + choose(range(500))) for _ in range(100))
    place.begin()
    assert "pasted" in desktop.backend.type(text)
    place.holds(text)
    owner = Display(desktop.display)
    window = owner.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
    window.set_selection_owner(owner.get_atom("CLIPBOARD"), X.CurrentTime)
    owner.sync()  # and never answers
    place.begin()
    assert "100 of them by spare key codes" in desktop.backend.type(text)
    owner.close()
    place.holds(text)
