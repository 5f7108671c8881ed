"""Tests of verifying presses and typing by window screenshots, on a desktop in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageDraw

from handeye.desktop.picture_effects import PictureWatch
from handeye.devices import Surface, Window
from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.screen import Pixels, Screen
from handeye.testing.desktop_fake import FakeDesktop, fake_window
from handeye.testing.fakes import FakeClock
from handeye.text import TextLine

WINDOW = replace(fake_window(7, "Form", Box(100, 100, 500, 400)), focused=True)
BUTTON = UIElement("button", "", Box(120, 120, 200, 144), text="Save", source="ocr")
CHECKBOX = UIElement("checkbox", "", Box(120, 200, 134, 214), text="Agreed", source="parser")

Draw = Callable[[ImageDraw.ImageDraw, float], None]


class Drawn(FakeDesktop):
    """A window that shows what `draws` say, from the time of each on."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__([WINDOW])
        self.clock = clock
        self.draws: list[tuple[float, Draw]] = []

    def after(self, seconds: float, draw: Draw) -> None:
        self.draws.append((self.clock.now() + seconds, draw))

    def grab_window(self, window: Window) -> Pixels:
        image = Image.new("RGB", (WINDOW.box.width, WINDOW.box.height), "white")
        pen = ImageDraw.Draw(image)
        for start, draw in self.draws:
            if self.clock.now() >= start:
                draw(pen, self.clock.now() - start)
        return np.array(image)


def block(pen: ImageDraw.ImageDraw, _: float) -> None:
    pen.rectangle((220, 220, 300, 240), fill="black")


def ring(pen: ImageDraw.ImageDraw, _: float) -> None:
    pen.rectangle((220, 100, 300, 130), outline="black", width=2)


def ring_close_by(pen: ImageDraw.ImageDraw, _: float) -> None:
    pen.rectangle((110, 56, 240, 78), outline="black")


def dashed_ring(pen: ImageDraw.ImageDraw, _: float) -> None:
    for x in range(220, 300, 4):
        pen.point([(x, 100), (x, 130)], fill="black")
    for y in range(100, 130, 4):
        pen.point([(220, y), (300, y)], fill="black")


def on_the_button(pen: ImageDraw.ImageDraw, _: float) -> None:
    pen.rectangle((20, 20, 100, 44), fill="gray")


def tick(pen: ImageDraw.ImageDraw, _: float) -> None:
    pen.line((23, 106, 27, 111, 32, 103), fill="black", width=2)


def thin_tick(pen: ImageDraw.ImageDraw, _: float) -> None:
    pen.line((23, 106, 27, 111, 32, 103), fill="black", width=1)


def underline(pen: ImageDraw.ImageDraw, _: float) -> None:
    pen.rectangle((220, 100, 280, 101), fill="black")


def wide_caret(pen: ImageDraw.ImageDraw, _: float) -> None:
    pen.rectangle((230, 110, 234, 125), fill="black")


def ring_around_the_tick(pen: ImageDraw.ImageDraw, _: float) -> None:
    pen.rectangle((20, 100, 33, 113), outline="black")


def clock_hand(pen: ImageDraw.ImageDraw, seconds: float) -> None:
    pen.rectangle((200 + 20 * (int(seconds) % 2), 20, 215 + 20 * (int(seconds) % 2), 40), fill="black")


def blinking_caret(pen: ImageDraw.ImageDraw, seconds: float) -> None:
    if int(seconds / 0.6) % 2:
        pen.line((230, 110, 230, 125), fill="black", width=2)


def moving_bar(pen: ImageDraw.ImageDraw, seconds: float) -> None:
    x = int(seconds * 400) % 200
    pen.rectangle((160 + x, 260, 190 + x, 280), fill="black")


def fade(pen: ImageDraw.ImageDraw, seconds: float) -> None:
    shade = max(0, 255 - int(seconds * 800))
    pen.rectangle((220, 220, 300, 240), fill=(shade, shade, shade))


@pytest.mark.parametrize(
    ("element", "draws", "verified"),
    [
        (BUTTON, [(0.3, block)], True),
        (BUTTON, [(0.2, fade)], True),
        (BUTTON, [], None),
        (BUTTON, [(0.1, on_the_button)], None),
        (BUTTON, [(0.1, ring)], None),
        (BUTTON, [(0.1, dashed_ring)], None),
        (BUTTON, [(0.1, ring_close_by)], None),
        (BUTTON, [(-0.4, blinking_caret)], None),
        (BUTTON, [(-0.4, clock_hand)], None),
        (BUTTON, [(-0.4, clock_hand), (0.5, block)], True),
        (BUTTON, [(-0.4, blinking_caret), (0.5, block)], True),
        (BUTTON, [(0.1, underline)], True),
        (BUTTON, [(0.1, wide_caret)], None),
        (CHECKBOX, [(0.1, tick)], True),
        (CHECKBOX, [(0.1, thin_tick)], True),
        (CHECKBOX, [(0.1, ring_around_the_tick)], None),
        (replace(BUTTON, bbox=CHECKBOX.bbox), [(0.1, tick)], None),
    ],
    ids=lambda value: "-".join(draw.__name__ for _, draw in value) or "nothing" if isinstance(value, list) else None,
)
def test_press_is_verified_by_screenshot_change(
    element: UIElement, draws: list[tuple[float, Draw]], verified: bool | None
) -> None:
    clock = FakeClock()
    desktop = Drawn(clock)
    for seconds, draw in draws:
        desktop.after(seconds, draw)
    assert PictureWatch(desktop, WINDOW, clock).effect_of_press(element)[0] is verified


def test_popup_that_opens_or_closes_verifies_press() -> None:
    clock = FakeClock()
    desktop = Drawn(clock)
    watch = PictureWatch(desktop, WINDOW, clock)
    desktop.popups = [Surface(9, "menu", Box(120, 150, 200, 250), WINDOW.process, popup=True)]
    assert watch.effect_of_press(BUTTON)[0] is True
    watch = PictureWatch(desktop, WINDOW, clock)
    desktop.popups = []
    assert watch.effect_of_press(BUTTON)[0] is True
    watch = PictureWatch(desktop, WINDOW, clock)
    desktop.popups = [Surface(9, "menu", Box(120, 150, 200, 250), 4711, popup=True)]
    assert watch.effect_of_press(BUTTON)[0] is None, "another program's menu"


class Reads:
    """A reader that says one thing before and another afterwards."""

    name = "reads"

    def __init__(self, *said: str) -> None:
        self.said = list(said)

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        text = self.said.pop(0) if len(self.said) > 1 else self.said[0]
        return tuple(TextLine(line, Box(0, 20 * n, 90, 20 * n + 16), 0.99) for n, line in enumerate(text.split("|")))


@pytest.mark.parametrize(
    ("before", "after", "typed", "verified"),
    [
        ("name:", "name: Ada Lovelace", "Ada Lovelace", True),
        ("$ |", "$ echo one tw|o three", "echo one two three", True),
        ("Ada|", "Ada|Ada", "Ada", True),
        ("Ada", "Ada", "Ada", None),
        ("name:", "name: ada lovelace", "Ada Lovelace", None),
        ("code:", "code: ***", "secret", None),
        ("1 2 3", "1 2 3 4 4", "4", None),
    ],
)
def test_typing_is_verified_by_additional_read_text(before: str, after: str, typed: str, verified: bool | None) -> None:
    clock = FakeClock()
    watch = PictureWatch(Drawn(clock), WINDOW, clock, Reads(before, after))
    assert watch.effect_of_typing(typed)[0] is verified


@pytest.mark.parametrize("draw", [clock_hand, moving_bar])
@pytest.mark.parametrize("took", [0.3, 0.7, 1.1, 1.6])
def test_animation_with_slow_screenshots_verifies_no_press(draw: Draw, took: float) -> None:
    """As on a busy machine."""

    class Slow(Drawn):
        def grab_window(self, window: Window) -> Pixels:
            self.clock.sleep(took)
            return super().grab_window(window)

    clock = FakeClock()
    desktop = Slow(clock)
    desktop.after(-0.4, draw)
    assert PictureWatch(desktop, WINDOW, clock).effect_of_press(BUTTON)[0] is None
