"""A small window and its elements, as a list of numbers shows them."""

from __future__ import annotations

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.testing.desktop_fake import fake_window

NOTES = fake_window(7, "Notes", Box(100, 100, 500, 400))


def element(number: int, role: str, name: str, box: tuple[int, int, int, int], **about: object) -> UIElement:
    return UIElement(role, "", Box(*box), text=name, id=number, source="accessibility", **about)  # type: ignore[arg-type]


PLAIN = (
    element(1, "window", "Notes", (100, 100, 500, 400)),
    element(2, "button", "Save", (110, 110, 150, 130), parent=1),
    element(3, "button", "Cancel", (160, 110, 200, 130), parent=1),
    element(4, "list", "", (110, 150, 300, 300), parent=1),
    element(5, "list item", "Alpha", (110, 150, 300, 170), parent=4),
)
