"""Original artwork of the virtual phone: app icons, interface glyphs and the wallpaper, drawn at any size.

Shapes are given on a 100 x 100 grid and drawn four times too large, then reduced. App icons are rounded squares in
colour; glyphs are one-coloured (black, with alpha) and get their colour from the caller. No third-party logo is imitated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps

from handeye.errors import HandeyeError

_OVERSAMPLE: Final = 4
Xy = tuple[float, float]


class UnknownIcon(HandeyeError, KeyError):
    """No icon has this name."""


class Pen:
    """Drawing on the 100 x 100 grid; strokes have round ends."""

    def __init__(self, px: int) -> None:
        self.image = Image.new("RGBA", (px * _OVERSAMPLE, px * _OVERSAMPLE), (0, 0, 0, 0))
        self._draw = ImageDraw.Draw(self.image)
        self._k = px * _OVERSAMPLE / 100

    def _s(self, *values: float) -> list[float]:
        return [value * self._k for value in values]

    def disc(self, x: float, y: float, r: float, color: str = "#000") -> None:
        self._draw.ellipse(self._s(x - r, y - r, x + r, y + r), fill=color)

    def oval(self, left: float, top: float, right: float, bottom: float, color: str = "#000") -> None:
        self._draw.ellipse(self._s(left, top, right, bottom), fill=color)

    def ring(self, x: float, y: float, r: float, stroke: float, color: str = "#000") -> None:
        self._draw.ellipse(self._s(x - r, y - r, x + r, y + r), outline=color, width=max(1, round(stroke * self._k)))

    def arc(
        self, box: tuple[float, float, float, float], start: float, end: float, stroke: float, color: str = "#000"
    ) -> None:
        self._draw.arc(self._s(*box), start, end, fill=color, width=max(1, round(stroke * self._k)))

    def pie(self, box: tuple[float, float, float, float], start: float, end: float, color: str) -> None:
        self._draw.pieslice(self._s(*box), start, end, fill=color)

    def rect(self, left: float, top: float, right: float, bottom: float, r: float, color: str = "#000") -> None:
        self._draw.rounded_rectangle(self._s(left, top, right, bottom), r * self._k, fill=color)

    def frame(
        self, left: float, top: float, right: float, bottom: float, r: float, stroke: float, color: str = "#000"
    ) -> None:
        width = max(1, round(stroke * self._k))
        self._draw.rounded_rectangle(self._s(left, top, right, bottom), r * self._k, outline=color, width=width)

    def poly(self, points: Sequence[Xy], color: str = "#000") -> None:
        self._draw.polygon([(x * self._k, y * self._k) for x, y in points], fill=color)

    def line(self, points: Sequence[Xy], stroke: float, color: str = "#000") -> None:
        width = max(1, round(stroke * self._k))
        self._draw.line([(x * self._k, y * self._k) for x, y in points], fill=color, width=width, joint="curve")
        for x, y in (points[0], points[-1]):
            self.disc(x, y, stroke / 2, color)

    def tile(self, top: str, bottom: str) -> None:
        """The rounded square behind an app icon, with a vertical gradient."""
        side = self.image.width
        ramp = Image.linear_gradient("L").resize((side, side))
        mask = Image.new("L", (side, side), 0)
        edge = 3 * self._k
        ImageDraw.Draw(mask).rounded_rectangle((edge, edge, side - edge - 1, side - edge - 1), 23 * self._k, fill=255)
        self.image.paste(ImageOps.colorize(ramp, top, bottom), (0, 0), mask)

    def finish(self) -> Image.Image:
        return self.image.reduce(_OVERSAMPLE)


def _bubble(pen: Pen, box: tuple[float, float, float, float], tail: Sequence[Xy], color: str) -> None:
    pen.rect(*box, (box[3] - box[1]) * 0.42, color)
    pen.poly(tail, color)


def _wechat(pen: Pen) -> None:
    pen.tile("#2bd46f", "#06ad56")
    _bubble(pen, (16, 22, 66, 60), ((26, 54), (22, 70), (42, 58)), "#ffffff")
    for x in (31, 51):
        pen.disc(x, 41, 4.2, "#07b85b")
    _bubble(pen, (41, 45, 87, 79), ((66, 74), (80, 87), (81, 70)), "#07b85b")
    _bubble(pen, (44, 48, 84, 76), ((68, 72), (78, 83), (79, 68)), "#eafff2")
    for x in (56, 72):
        pen.disc(x, 62, 3.4, "#07b85b")


def _chrome(pen: Pen) -> None:
    pen.tile("#ffffff", "#e8eefb")
    pen.disc(50, 50, 31, "#2f6df0")
    pen.pie((19, 19, 81, 81), 200, 320, "#37b8f5")
    pen.pie((19, 19, 81, 81), 60, 130, "#1f4fc4")
    pen.ring(50, 50, 31, 3.2, "#1c46ad")
    for half in (13, 0):
        if half:
            pen.arc((50 - half, 19, 50 + half, 81), 0, 360, 3, "#ffffff")
    pen.line(((21, 50), (79, 50)), 3, "#ffffff")
    pen.arc((24, 2, 76, 38), 25, 155, 3, "#ffffff")
    pen.arc((24, 62, 76, 98), 205, 335, 3, "#ffffff")


def _gear(pen: Pen, x: float, y: float, r: float, teeth: int, color: str, hole: str) -> None:
    for tooth in range(teeth):
        angle = tooth * 2 * math.pi / teeth
        points = []
        for radius, spread in ((r * 0.8, 0.24), (r * 1.24, 0.16), (r * 1.24, -0.16), (r * 0.8, -0.24)):
            points.append((x + radius * math.cos(angle + spread), y + radius * math.sin(angle + spread)))
        pen.poly(points, color)
    pen.disc(x, y, r, color)
    pen.disc(x, y, r * 0.42, hole)


def _setting(pen: Pen) -> None:
    pen.tile("#8e97a8", "#5c6577")
    _gear(pen, 50, 50, 24, 8, "#f4f6fa", "#687184")


def _handset(pen: Pen, color: str) -> None:
    """A telephone receiver, leaning to the right."""
    pen.line(((33, 33), (34, 46), (43, 58), (55, 66), (67, 67)), 12, color)
    pen.line(((30, 32), (37, 27)), 13, color)
    pen.line(((68, 70), (73, 63)), 13, color)


def _call(pen: Pen) -> None:
    pen.tile("#5ad07a", "#1f9d55")
    _handset(pen, "#ffffff")


def _camera(pen: Pen) -> None:
    pen.tile("#5b6472", "#2a303b")
    pen.rect(36, 25, 64, 42, 6, "#f2f4f8")
    pen.rect(18, 33, 82, 76, 10, "#f2f4f8")
    pen.disc(50, 55, 16, "#2a303b")
    pen.disc(50, 55, 11, "#4aa3ff")
    pen.disc(46, 51, 4, "#d8ecff")
    pen.disc(74, 42, 3, "#ffb020")


def _gallery(pen: Pen) -> None:
    pen.tile("#ffffff", "#eef1f6")
    colors = ("#ff8a5c", "#ffc93c", "#7bd389", "#3fb6ff", "#8f7bff", "#ff6fae")
    for petal, color in enumerate(colors):
        angle = petal * math.pi / 3 - math.pi / 2
        pen.disc(50 + 17 * math.cos(angle), 50 + 17 * math.sin(angle), 13.5, color)
    pen.disc(50, 50, 9, "#ffffff")


def _mail(pen: Pen) -> None:
    pen.tile("#56b4ff", "#1c6fe0")
    pen.rect(18, 30, 82, 72, 7, "#ffffff")
    pen.line(((22, 35), (50, 56), (78, 35)), 4.5, "#1c6fe0")


def _maps(pen: Pen) -> None:
    pen.tile("#dff3e0", "#bfe6c6")
    pen.line(((3, 72), (40, 50), (97, 62)), 9, "#ffffff")
    pen.line(((62, 3), (48, 97)), 9, "#ffe08a")
    pen.disc(50, 40, 18, "#e8453c")
    pen.poly(((34, 48), (66, 48), (50, 76)), "#e8453c")
    pen.disc(50, 40, 7.5, "#ffffff")


def _music(pen: Pen) -> None:
    pen.tile("#ff7a9c", "#e62e6b")
    pen.line(((42, 68), (42, 31), (70, 25), (70, 60)), 5.5, "#ffffff")
    pen.poly(((40, 31), (72, 24), (72, 36), (40, 43)), "#ffffff")
    pen.oval(26, 60, 45, 76, "#ffffff")
    pen.oval(54, 53, 73, 69, "#ffffff")


def _notes(pen: Pen) -> None:
    pen.tile("#ffd95e", "#f5b21c")
    pen.rect(24, 20, 76, 80, 7, "#fffdf3")
    for y, right in ((35, 66), (48, 66), (61, 54)):
        pen.line(((34, y), (right, y)), 4.5, "#d9a11c")


def _store(pen: Pen) -> None:
    pen.tile("#6d8dff", "#3d52e0")
    pen.arc((35, 16, 65, 52), 180, 360, 5, "#ffffff")
    pen.rect(22, 35, 78, 80, 9, "#ffffff")
    pen.poly(((43, 47), (43, 69), (62, 58)), "#3d52e0")


def _video(pen: Pen) -> None:
    pen.tile("#ff6b5c", "#d82f2f")
    pen.rect(18, 30, 82, 70, 11, "#ffffff")
    pen.poly(((43, 39), (43, 61), (61, 50)), "#d82f2f")


def _clock(pen: Pen) -> None:
    pen.tile("#2f3850", "#171c2b")
    pen.disc(50, 50, 31, "#f4f6fb")
    for hour in range(12):
        angle = hour * math.pi / 6
        pen.disc(50 + 25 * math.cos(angle), 50 + 25 * math.sin(angle), 1.8, "#9aa3b8")
    pen.line(((50, 50), (50, 31)), 4, "#222a3d")
    pen.line(((50, 50), (64, 57)), 4, "#222a3d")
    pen.line(((50, 54), (46, 72)), 2, "#ff6a3d")
    pen.disc(50, 50, 3.4, "#ff6a3d")


def _files(pen: Pen) -> None:
    pen.tile("#ffffff", "#eaf0fa")
    pen.rect(19, 27, 52, 50, 6, "#f3a91f")
    pen.rect(19, 34, 81, 75, 7, "#ffc64a")
    pen.rect(19, 45, 81, 75, 7, "#ffd678")


def _news(pen: Pen) -> None:
    pen.tile("#f56a55", "#c92a3c")
    pen.rect(21, 24, 79, 76, 6, "#ffffff")
    pen.rect(28, 32, 72, 40, 2, "#c92a3c")
    pen.rect(28, 46, 48, 69, 3, "#f3b7b2")
    for y in (48, 57, 66):
        pen.line(((55, y), (71, y)), 3.6, "#c9ced8")


def _calculator(pen: Pen) -> None:
    pen.tile("#3a3f4b", "#20242c")
    for row in range(3):
        for column in range(3):
            color = "#ff9f2e" if column == 2 else "#e9ecf2"
            pen.rect(22 + column * 20, 22 + row * 20, 38 + column * 20, 38 + row * 20, 8, color)


def _calendar(pen: Pen) -> None:
    pen.tile("#ffffff", "#eef1f6")
    pen.rect(20, 22, 80, 80, 9, "#ffffff")
    pen.frame(20, 22, 80, 80, 9, 2, "#d5dae3")
    pen.rect(20, 22, 80, 40, 9, "#e94b43")
    pen.rect(20, 32, 80, 40, 0, "#e94b43")
    for row in range(3):
        for column in range(4):
            color = "#e94b43" if (row, column) == (1, 2) else "#b8c0cf"
            pen.disc(31 + column * 12.7, 49 + row * 11, 3.2, color)


def _weather(pen: Pen) -> None:
    pen.tile("#63c0ff", "#2b7fe6")
    pen.disc(39, 40, 16, "#ffd34d")
    for x, y, r in ((41, 62, 13), (58, 55, 17), (70, 64, 11)):
        pen.disc(x, y, r, "#ffffff")
    pen.rect(30, 60, 80, 75, 7.5, "#ffffff")


def _contacts(pen: Pen) -> None:
    pen.tile("#ffb259", "#f08020")
    pen.disc(50, 39, 14, "#ffffff")
    pen.pie((23, 55, 77, 107), 180, 360, "#ffffff")


def _messages(pen: Pen) -> None:
    pen.tile("#6aa8ff", "#2e62e8")
    pen.rect(20, 25, 80, 68, 15, "#ffffff")
    pen.poly(((30, 62), (27, 82), (48, 66)), "#ffffff")
    for x in (36, 50, 64):
        pen.disc(x, 46.5, 4, "#2e62e8")


def _recorder(pen: Pen) -> None:
    pen.tile("#ff5a5f", "#b8203a")
    for x, half in ((26, 8), (38, 18), (50, 27), (62, 14), (74, 7)):
        pen.line(((x, 50 - half), (x, 50 + half)), 6, "#ffffff")


def _health(pen: Pen) -> None:
    pen.tile("#ffffff", "#fdeef1")
    pen.disc(38, 43, 15.5, "#f0466b")
    pen.disc(62, 43, 15.5, "#f0466b")
    pen.poly(((24.5, 50), (75.5, 50), (50, 78)), "#f0466b")
    pen.line(((26, 52), (41, 52), (47, 40), (54, 62), (59, 52), (74, 52)), 3.6, "#ffffff")


def _wallet(pen: Pen) -> None:
    pen.tile("#4c7dff", "#2346b8")
    pen.rect(20, 26, 74, 50, 6, "#ffcf5c")
    pen.rect(18, 35, 82, 76, 8, "#ffffff")
    pen.rect(58, 48, 84, 63, 7.5, "#2f57d6")
    pen.disc(66, 55.5, 3.6, "#ffffff")


def _compass(pen: Pen) -> None:
    pen.tile("#40485a", "#1c212c")
    pen.ring(50, 50, 31, 4, "#eef1f6")
    pen.poly(((50, 25), (58, 50), (42, 50)), "#ff5247")
    pen.poly(((50, 75), (58, 50), (42, 50)), "#eef1f6")


def _games(pen: Pen) -> None:
    pen.tile("#a06bff", "#5b2fd1")
    pen.rect(15, 34, 85, 70, 18, "#ffffff")
    pen.line(((27, 52), (43, 52)), 5.5, "#6b3be0")
    pen.line(((35, 44), (35, 60)), 5.5, "#6b3be0")
    pen.disc(62, 57, 4.4, "#ff6b8b")
    pen.disc(72, 47, 4.4, "#33c3a0")


def _books(pen: Pen) -> None:
    pen.tile("#38c7b0", "#0f8f86")
    pen.poly(((19, 31), (48, 36), (48, 76), (19, 70)), "#ffffff")
    pen.poly(((81, 31), (52, 36), (52, 76), (81, 70)), "#e4faf6")


def _shopping(pen: Pen) -> None:
    pen.tile("#ff9248", "#f0531c")
    pen.line(((17, 29), (28, 29), (37, 60), (70, 60), (78, 37), (32, 37)), 5.5, "#ffffff")
    pen.disc(42, 73, 5.5, "#ffffff")
    pen.disc(66, 73, 5.5, "#ffffff")


def _translate(pen: Pen) -> None:
    pen.tile("#4aa9ff", "#2f5fe6")
    pen.rect(17, 22, 58, 62, 8, "#ffffff")
    pen.line(((29, 52), (37.5, 31), (46, 52)), 4.5, "#2f5fe6")
    pen.line(((32, 45), (43, 45)), 4, "#2f5fe6")
    pen.rect(46, 42, 84, 80, 8, "#173a9e")
    pen.line(((54, 54), (77, 54)), 4, "#ffffff")
    pen.line(((65.5, 48), (65.5, 54), (56, 72)), 4, "#ffffff")
    pen.line(((60, 60), (75, 72)), 4, "#ffffff")


def _torch(pen: Pen) -> None:
    pen.tile("#ffe27a", "#f2a51d")
    pen.poly(((34, 24), (66, 24), (60, 44), (40, 44)), "#ffffff")
    pen.rect(40, 44, 60, 80, 6, "#5c4a1c")
    pen.disc(50, 56, 4, "#ffe27a")


# ---- glyphs: one colour, black


def _search(pen: Pen) -> None:
    pen.ring(43, 43, 27, 8)
    pen.line(((63, 63), (83, 83)), 8)


def _plus(pen: Pen) -> None:
    pen.line(((50, 18), (50, 82)), 7)
    pen.line(((18, 50), (82, 50)), 7)


def _plus_circle(pen: Pen) -> None:
    pen.ring(50, 50, 42, 6.5)
    pen.line(((50, 30), (50, 70)), 6.5)
    pen.line(((30, 50), (70, 50)), 6.5)


def _back(pen: Pen) -> None:
    pen.line(((62, 17), (29, 50), (62, 83)), 8)


def _arrow_back(pen: Pen) -> None:
    pen.line(((47, 20), (17, 50), (47, 80)), 8)
    pen.line(((19, 50), (84, 50)), 8)


def _chevron(pen: Pen) -> None:
    pen.line(((38, 24), (64, 50), (38, 76)), 8)


def _close(pen: Pen) -> None:
    pen.line(((22, 22), (78, 78)), 8.5)
    pen.line(((78, 22), (22, 78)), 8.5)


def _close_circle(pen: Pen) -> None:
    hole = ImageChops.invert(_cross_mask(pen.image.width))
    pen.disc(50, 50, 44)
    pen.image.putalpha(ImageChops.multiply(pen.image.getchannel("A"), hole))


def _cross_mask(side: int) -> Image.Image:
    inner = Pen(side // _OVERSAMPLE)
    inner.line(((34, 34), (66, 66)), 8)
    inner.line(((66, 34), (34, 66)), 8)
    return inner.image.getchannel("A")


def _more(pen: Pen) -> None:
    for x in (20, 50, 80):
        pen.disc(x, 50, 8)


def _more_vertical(pen: Pen) -> None:
    for y in (20, 50, 80):
        pen.disc(50, y, 8)


def _voice(pen: Pen) -> None:
    pen.ring(50, 50, 43, 6.5)
    pen.disc(36, 50, 6)
    pen.arc((22, 32, 58, 68), -42, 42, 6)
    pen.arc((14, 21, 72, 79), -42, 42, 6)


def _mic(pen: Pen) -> None:
    pen.rect(37, 12, 63, 58, 13)
    pen.arc((24, 28, 76, 72), 0, 180, 7)
    pen.line(((50, 72), (50, 86)), 7)


def _smile(pen: Pen) -> None:
    pen.ring(50, 50, 43, 6.5)
    pen.disc(36, 42, 5.5)
    pen.disc(64, 42, 5.5)
    pen.arc((28, 30, 72, 72), 25, 155, 6)


def _send(pen: Pen) -> None:
    pen.poly(((12, 16), (92, 50), (12, 84), (22, 54), (58, 50), (22, 46)))


def _tab_chat(pen: Pen) -> None:
    pen.rect(10, 16, 90, 74, 26)
    pen.poly(((26, 66), (22, 92), (50, 70)))


def _tab_contacts(pen: Pen) -> None:
    pen.disc(42, 33, 19)
    pen.pie((8, 56, 76, 116), 180, 360, "#000")
    for y in (44, 58, 72):
        pen.line(((78, y), (92, y)), 6)


def _tab_discover(pen: Pen) -> None:
    pen.ring(50, 50, 40, 7)
    pen.poly(((70, 30), (57, 57), (30, 70), (43, 43)))


def _tab_me(pen: Pen) -> None:
    pen.disc(50, 33, 21)
    pen.pie((12, 58, 88, 128), 180, 360, "#000")


def _nav_back(pen: Pen) -> None:
    pen.line(((66, 18), (24, 50), (66, 82), (66, 18)), 8)


def _nav_home(pen: Pen) -> None:
    pen.ring(50, 50, 36, 8.5)


def _nav_recents(pen: Pen) -> None:
    pen.frame(18, 18, 82, 82, 12, 8.5)


def _wifi(pen: Pen) -> None:
    pen.pie((-8, 14, 108, 130), 226, 314, "#000")


def _signal(pen: Pen) -> None:
    pen.poly(((88, 12), (88, 88), (12, 88)))


def _battery(pen: Pen) -> None:
    pen.rect(40, 6, 60, 16, 3)
    pen.rect(27, 13, 73, 94, 10)


def _airplane(pen: Pen) -> None:
    pen.poly(((44, 12), (56, 12), (58, 40), (92, 60), (92, 70), (57, 60), (56, 78), (68, 86), (68, 93), (50, 88)))
    pen.poly(((44, 12), (56, 12), (42, 40), (8, 60), (8, 70), (43, 60), (44, 78), (32, 86), (32, 93), (50, 88)))
    pen.rect(43, 8, 57, 80, 7)


def _bluetooth(pen: Pen) -> None:
    pen.line(((28, 32), (70, 68), (50, 86), (50, 14), (70, 32), (28, 68)), 6.5)


def _moon(pen: Pen) -> None:
    pen.disc(50, 50, 38)
    hole = Pen(pen.image.width // _OVERSAMPLE)
    hole.disc(66, 36, 32)
    keep = ImageChops.invert(hole.image.getchannel("A"))
    pen.image.putalpha(ImageChops.multiply(pen.image.getchannel("A"), keep))


def _volume(pen: Pen) -> None:
    pen.poly(((12, 38), (28, 38), (50, 18), (50, 82), (28, 62), (12, 62)))
    pen.arc((38, 32, 72, 68), -50, 50, 7)
    pen.arc((32, 16, 90, 84), -50, 50, 7)


def _location(pen: Pen) -> None:
    pen.ring(50, 38, 26, 9)
    pen.poly(((27, 50), (73, 50), (50, 90)))
    pen.disc(50, 38, 9)


def _phone(pen: Pen) -> None:
    _handset(pen, "#000")


def _bell(pen: Pen) -> None:
    pen.pie((24, 14, 76, 78), 180, 360, "#000")
    pen.rect(24, 44, 76, 70, 3)
    pen.line(((16, 71), (84, 71)), 8)
    pen.disc(50, 84, 8)


def _lock(pen: Pen) -> None:
    pen.arc((30, 12, 70, 66), 180, 360, 8)
    pen.rect(20, 42, 80, 90, 9)


def _sun(pen: Pen) -> None:
    pen.disc(50, 50, 20)
    for ray in range(8):
        angle = ray * math.pi / 4
        inner, outer = (31, 42)
        cos, sin = math.cos(angle), math.sin(angle)
        pen.line(((50 + inner * cos, 50 + inner * sin), (50 + outer * cos, 50 + outer * sin)), 7)


def _apps(pen: Pen) -> None:
    for x in (28, 72):
        for y in (28, 72):
            pen.rect(x - 16, y - 16, x + 16, y + 16, 7)


def _info(pen: Pen) -> None:
    pen.ring(50, 50, 42, 7)
    pen.disc(50, 30, 5)
    pen.line(((50, 46), (50, 72)), 8)


def _folder(pen: Pen) -> None:
    pen.rect(12, 20, 48, 50, 7)
    pen.rect(12, 30, 88, 80, 8)


def _globe(pen: Pen) -> None:
    pen.ring(50, 50, 41, 7)
    pen.arc((32, 9, 68, 91), 0, 360, 6)
    pen.line(((11, 50), (89, 50)), 6)


def _person(pen: Pen) -> None:
    pen.disc(50, 36, 17)
    pen.pie((18, 58, 82, 122), 180, 360, "#000")


def _tag(pen: Pen) -> None:
    pen.poly(((12, 46), (46, 12), (86, 12), (86, 52), (52, 88)))


def _group(pen: Pen) -> None:
    pen.disc(36, 38, 15)
    pen.pie((8, 58, 64, 114), 180, 360, "#000")
    pen.disc(68, 40, 12)
    pen.pie((52, 58, 94, 104), 180, 360, "#000")


def _scan(pen: Pen) -> None:
    for x, y, dx, dy in ((14, 14, 1, 1), (86, 14, -1, 1), (86, 86, -1, -1), (14, 86, 1, -1)):
        pen.line(((x + 22 * dx, y), (x, y), (x, y + 22 * dy)), 8)
    pen.line(((14, 50), (86, 50)), 8)


def _shutter(pen: Pen) -> None:
    pen.ring(50, 50, 42, 6)
    for blade in range(6):
        angle = blade * math.pi / 3
        start = (50 + 38 * math.cos(angle), 50 + 38 * math.sin(angle))
        end = (50 + 16 * math.cos(angle + 1.15), 50 + 16 * math.sin(angle + 1.15))
        pen.line((start, end), 6)


def _star(pen: Pen) -> None:
    points = []
    for index in range(10):
        radius = 42 if index % 2 == 0 else 18
        angle = index * math.pi / 5 - math.pi / 2
        points.append((50 + radius * math.cos(angle), 53 + radius * math.sin(angle)))
    pen.poly(points)


def _key_delete(pen: Pen) -> None:
    pen.line(((34, 22), (88, 22), (88, 78), (34, 78), (10, 50), (34, 22)), 6.5)
    pen.line(((48, 38), (72, 62)), 6.5)
    pen.line(((72, 38), (48, 62)), 6.5)


def _key_shift(pen: Pen) -> None:
    pen.line(((50, 14), (86, 52), (66, 52), (66, 82), (34, 82), (34, 52), (14, 52), (50, 14)), 6.5)


def _key_enter(pen: Pen) -> None:
    pen.line(((84, 24), (84, 56), (18, 56)), 7)
    pen.line(((38, 36), (17, 56), (38, 76)), 7)


def _check(pen: Pen) -> None:
    pen.line(((18, 52), (40, 74), (82, 28)), 9)


def _refresh(pen: Pen) -> None:
    pen.arc((16, 16, 84, 84), -30, 270, 8)
    pen.poly(((70, 12), (92, 40), (62, 42)))


APP_ICONS: Final[dict[str, Callable[[Pen], None]]] = {
    "wechat": _wechat,
    "chrome": _chrome,
    "setting": _setting,
    "call": _call,
    "camera": _camera,
    "gallery": _gallery,
    "mail": _mail,
    "maps": _maps,
    "music": _music,
    "notes": _notes,
    "store": _store,
    "video": _video,
    "clock": _clock,
    "files": _files,
    "news": _news,
    "calculator": _calculator,
    "calendar": _calendar,
    "weather": _weather,
    "contacts": _contacts,
    "messages": _messages,
    "recorder": _recorder,
    "health": _health,
    "wallet": _wallet,
    "compass": _compass,
    "games": _games,
    "books": _books,
    "shopping": _shopping,
    "translate": _translate,
    "torch": _torch,
}
GLYPHS: Final[dict[str, Callable[[Pen], None]]] = {
    "search": _search,
    "plus": _plus,
    "plus_circle": _plus_circle,
    "back": _back,
    "arrow_back": _arrow_back,
    "chevron": _chevron,
    "close": _close,
    "close_circle": _close_circle,
    "more": _more,
    "more_vertical": _more_vertical,
    "voice": _voice,
    "mic": _mic,
    "smile": _smile,
    "send": _send,
    "tab_chat": _tab_chat,
    "tab_contacts": _tab_contacts,
    "tab_discover": _tab_discover,
    "tab_me": _tab_me,
    "nav_back": _nav_back,
    "nav_home": _nav_home,
    "nav_recents": _nav_recents,
    "wifi": _wifi,
    "signal": _signal,
    "battery": _battery,
    "airplane": _airplane,
    "bluetooth": _bluetooth,
    "moon": _moon,
    "volume": _volume,
    "location": _location,
    "phone": _phone,
    "bell": _bell,
    "lock": _lock,
    "sun": _sun,
    "apps": _apps,
    "info": _info,
    "folder": _folder,
    "globe": _globe,
    "person": _person,
    "tag": _tag,
    "group": _group,
    "scan": _scan,
    "shutter": _shutter,
    "star": _star,
    "key_delete": _key_delete,
    "key_shift": _key_shift,
    "key_enter": _key_enter,
    "check": _check,
    "refresh": _refresh,
}
ICONS: Final = (*APP_ICONS, *GLYPHS)


def icon(name: str, px: int, *, dark: bool = False) -> Image.Image:
    """The icon as an RGBA image of `px` x `px`; with `dark`, glyphs are white and app icons a little dimmer.

    Raises `UnknownIcon` for a name that is not in `ICONS`.
    """
    draw = APP_ICONS.get(name) or GLYPHS.get(name)
    if draw is None:
        raise UnknownIcon(f"no icon {name!r}; there are: {', '.join(ICONS)}")
    if px < 1:
        raise UnknownIcon(f"icon {name!r}: a size of {px!r} pixels cannot be drawn; use 1 or more")
    pen = Pen(px)
    draw(pen)
    image = pen.finish()
    if dark and name in GLYPHS:
        white = Image.new("RGBA", image.size, (255, 255, 255, 0))
        white.putalpha(image.getchannel("A"))
        return white
    if dark:
        dimmed = Image.eval(image.convert("RGB"), lambda value: value * 9 // 10)
        dimmed.putalpha(image.getchannel("A"))
        return dimmed
    return image


def wallpaper(width: int, height: int, *, dark: bool = False) -> Image.Image:
    """Soft hills under an evening sky, `width` x `height`, RGB."""
    ramp = Image.linear_gradient("L").resize((width, height))
    sky = ("#16233f", "#3d3f6b", "#0f1729") if dark else ("#5d8fd6", "#f2c6b5", "#a9c4ee")
    image = ImageOps.colorize(ramp, sky[0], sky[1], mid=sky[2])
    # Drawn small and enlarged: the hills are soft anyway, and a quarter of the pixels is a quarter of the time.
    small = (max(1, width // 4), max(1, height // 4))
    hills = (
        (("#b9a3c9", 0.62, 0.05, 1.1, 0.4), ("#8d86bd", 0.70, 0.06, 1.7, 2.1), ("#5f6aa6", 0.79, 0.05, 1.3, 4.0))
        if not dark
        else (("#2f3358", 0.62, 0.05, 1.1, 0.4), ("#232848", 0.70, 0.06, 1.7, 2.1), ("#171c36", 0.79, 0.05, 1.3, 4.0))
    )
    glow = Image.new("L", small, 0)
    radius = min(small) * 0.13
    x, y = small[0] * 0.72, small[1] * 0.3
    ImageDraw.Draw(glow).ellipse((x - radius, y - radius, x + radius, y + radius), fill=150 if not dark else 90)
    glow = glow.filter(ImageFilter.GaussianBlur(radius * 0.25)).resize((width, height), Image.Resampling.BILINEAR)
    image.paste((255, 247, 235), (0, 0), glow)
    for color, level, swing, waves, phase in hills:
        mask = Image.new("L", small, 0)
        points = [
            (x, small[1] * (level + swing * math.sin(waves * 2 * math.pi * x / small[0] + phase)))
            for x in range(small[0] + 1)
        ]
        ImageDraw.Draw(mask).polygon([(0, small[1]), *points, (small[0], small[1])], fill=255)
        ink = Image.new("RGB", (1, 1), color).getpixel((0, 0))
        assert isinstance(ink, tuple)
        image.paste(ink, (0, 0), mask.resize((width, height), Image.Resampling.BICUBIC))
    return image
