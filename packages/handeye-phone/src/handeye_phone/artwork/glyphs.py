"""Interface glyphs: one colour (black, with alpha), coloured by the caller."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from handeye_phone.artwork.pen import Pen


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
    pen.disc(50, 50, 44)
    cross = pen.blank()
    cross.line(((34, 34), (66, 66)), 8)
    cross.line(((66, 34), (34, 66)), 8)
    pen.erase(cross)


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


def _tail_left(pen: Pen) -> None:
    pen.poly(((100, 8), (100, 92), (12, 50)))
    pen.disc(20, 50, 8)


def _tail_right(pen: Pen) -> None:
    pen.poly(((0, 8), (0, 92), (88, 50)))
    pen.disc(80, 50, 8)


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
    bite = pen.blank()
    bite.disc(66, 36, 32)
    pen.erase(bite)


def _volume(pen: Pen) -> None:
    pen.poly(((12, 38), (28, 38), (50, 18), (50, 82), (28, 62), (12, 62)))
    pen.arc((38, 32, 72, 68), -50, 50, 7)
    pen.arc((32, 16, 90, 84), -50, 50, 7)


def _location(pen: Pen) -> None:
    pen.ring(50, 38, 26, 9)
    pen.poly(((27, 50), (73, 50), (50, 90)))
    pen.disc(50, 38, 9)


def _phone(pen: Pen) -> None:
    pen.line(((23, 21), (26, 42), (40, 62), (59, 74), (80, 77)), 15)
    pen.line(((20, 22), (32, 14)), 17)
    pen.line(((80, 82), (88, 70)), 17)


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
    "tail_left": _tail_left,
    "tail_right": _tail_right,
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
