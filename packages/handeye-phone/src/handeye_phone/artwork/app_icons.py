"""App icons: rounded squares in colour. Original drawings; no third-party logo is imitated."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from handeye_phone.artwork.pen import Pen


def _wechat(pen: Pen) -> None:
    pen.tile("#2fd873", "#05a852")
    pen.poly(((24, 52), (20, 74), (44, 60)), "#ffffff")
    pen.rect(15, 21, 71, 62, 15, "#ffffff")
    pen.line(((28, 36), (58, 36)), 5.4, "#12b862")
    pen.line(((28, 48), (46, 48)), 5.4, "#12b862")
    pen.disc(68, 63, 22, "#08b058")
    pen.poly(((72, 74), (86, 88), (88, 66)), "#eafff2")
    pen.disc(68, 63, 18.5, "#eafff2")
    pen.arc((57, 51, 79, 73), 20, 160, 5, "#08a954")


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
