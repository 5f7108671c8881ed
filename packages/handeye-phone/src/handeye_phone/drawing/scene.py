"""The scene graph of the drawn phone: one tree that is drawn, touched and dumped.

All boxes are absolute pixels of the current orientation. A tree is rebuilt from the model whenever something changed, so
nodes are values; what lasts between two trees (text fields, scroll offsets) lives in `TextField` and `Scroller`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from handeye.geometry import Box

Align = Literal["left", "center", "right"]
TapHandler = Callable[[], None]


@dataclass(frozen=True, slots=True)
class FillPaint:
    """A filled rectangle. `color` is `#rrggbb` or `#rrggbbaa`; `radius` in pixels; `shadow` is its depth in pixels."""

    color: str
    radius: int = 0
    corners: tuple[bool, bool, bool, bool] = (True, True, True, True)  # top left, top right, bottom right, bottom left
    outline: str = ""
    outline_px: int = 0
    shadow: int = 0


@dataclass(frozen=True, slots=True)
class Label:
    """Lines of text, already wrapped; vertically centred in the node's box, or from `top` pixels below its upper edge."""

    lines: tuple[str, ...]
    size: int
    color: str
    align: Align = "left"
    weight: int = 400
    line_height: int = 0
    top: int | None = None
    inset: int = 0


@dataclass(frozen=True, slots=True)
class IconPaint:
    """An icon of `artwork`, `px` pixels square, centred in the node's box. `tint` recolours a one-coloured glyph."""

    name: str
    px: int
    tint: str = ""
    dark: bool = False


@dataclass(frozen=True, slots=True)
class Wallpaper:
    """The launcher's background, drawn once per size and theme."""

    dark: bool = False


@dataclass(frozen=True, slots=True)
class Arc:
    """Part of a circle's line, centred in the box: the spinner. Degrees, clockwise from three o'clock."""

    color: str
    diameter: int
    stroke: int
    start: float
    end: float


Paint = FillPaint | Label | IconPaint | Wallpaper | Arc


@dataclass(slots=True)
class Scroller:
    """Scroll offset of one list, kept between trees. Pixels; 0 is the start."""

    horizontal: bool = False
    pin_end: bool = False  # a chat: scrolls to new content at the end, unless scrolled up
    paged: bool = False  # settles on multiples of the viewport
    offset: float = 0.0
    limit: float = 0.0
    viewport: int = 0
    started: bool = False

    def fit(self, viewport: int, content: int) -> int:
        """Take the sizes of this tree, clamp, and return the offset to draw at."""
        at_end = self.pin_end and (not self.started or self.offset >= self.limit - 1)
        page = round(self.offset / self.viewport) if self.paged and self.viewport else 0
        moved = self.viewport != viewport
        self.viewport, self.limit, self.started = viewport, float(max(0, content - viewport)), True
        if at_end:
            self.offset = self.limit
        elif self.paged and moved:
            self.offset = float(page * viewport)
        self.offset = min(max(0.0, self.offset), self.limit)
        return round(self.offset)

    def drag(self, pixels: float) -> None:
        """Scroll by the finger's movement, clamped to the ends."""
        self.offset = min(max(0.0, self.offset - pixels), self.limit)

    def settle(self, pixels: float) -> None:
        """End a drag of `pixels` on this axis: a paged scroller snaps to a page."""
        if not self.paged or not self.viewport:
            return
        start = round((self.offset + pixels) / self.viewport)
        # A sixth of the screen is where Android's launcher turns the page rather than falling back.
        step = 0 if abs(pixels) < self.viewport / 6 else (-1 if pixels > 0 else 1)
        self.offset = min(max(0.0, float((start + step) * self.viewport)), self.limit)


def _extends(char: str) -> bool:
    """Return True if `char` belongs to the character before it: combining marks, selectors, skin tones."""
    return unicodedata.combining(char) != 0 or char in "\ufe0e\ufe0f\u20e3" or "\U0001f3fb" <= char <= "\U0001f3ff"


@dataclass(slots=True, eq=False)
class TextField:
    """An editable text, kept between trees. The caret counts code points."""

    hint: str = ""
    multiline: bool = False
    text: str = ""
    caret: int = 0
    changed: Callable[[], None] | None = None
    submit: Callable[[], None] | None = None

    def insert(self, text: str) -> None:
        """Insert `text` at the caret. A one-line field shows newlines as blanks, as Android does."""
        if not self.multiline:
            text = text.replace("\r\n", " ").replace("\n", " ")
        self.text = self.text[: self.caret] + text + self.text[self.caret :]
        self.caret += len(text)
        self._notify()

    def replace(self, text: str) -> None:
        """Set the whole text, caret at its end."""
        self.text, self.caret = text, len(text)
        self._notify()

    def delete_before(self) -> None:
        """Remove the character before the caret, with its marks and joined parts."""
        start = self.caret - 1
        while start > 0 and (_extends(self.text[start]) or "\u200d" in self.text[start - 1 : start + 1]):
            start -= 1
        if start >= 0:
            self.text = self.text[:start] + self.text[self.caret :]
            self.caret = start
            self._notify()

    def delete_after(self) -> None:
        """Remove the character after the caret."""
        if self.caret < len(self.text):
            self.text = self.text[: self.caret] + self.text[self.caret + 1 :]
            self._notify()

    def move(self, caret: int) -> None:
        """Place the caret, clamped to the text."""
        self.caret = min(max(0, caret), len(self.text))

    def _notify(self) -> None:
        if self.changed is not None:
            self.changed()


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One box on the screen: its drawing, its touch handlers, and its attributes in the dump."""

    box: Box
    cls: str = "android.view.View"
    rid: str = ""  # without the package, or complete when it has a colon
    text: str = ""
    desc: str = ""
    paint: tuple[Paint, ...] = ()
    kids: tuple[Node, ...] = ()
    on_tap: TapHandler | None = None
    on_long: TapHandler | None = None
    on_double: TapHandler | None = None
    scroller: Scroller | None = None
    field: TextField | None = None
    place_caret: Callable[[float, float], None] | None = None
    checkable: bool = False
    checked: bool = False
    enabled: bool = True
    focused: bool = False
    password: bool = False
    selected: bool = False
    clip: bool = False
    dumped: bool = True  # False: decoration that is not in the accessibility tree
    block: bool = False  # takes touches even without a handler (a card over a scrim)

    @property
    def clickable(self) -> bool:
        return self.on_tap is not None or self.field is not None

    def walk(self) -> Iterator[Node]:
        """Yield this node and its descendants, in drawing order."""
        yield self
        for kid in self.kids:
            yield from kid.walk()

    def path_at(self, x: float, y: float) -> tuple[Node, ...]:
        """Return the nodes under a point, from the topmost one that takes a touch up to this one; empty if none does."""
        box = self.box
        inside = box.left <= x < box.right and box.top <= y < box.bottom
        if self.clip and not inside:
            return ()
        for kid in reversed(self.kids):
            found = kid.path_at(x, y)
            if found:
                return (*found, self)
        takes = (
            self.clickable
            or self.on_long is not None
            or self.on_double is not None
            or self.scroller is not None
            or self.block
        )
        return (self,) if inside and takes else ()


@dataclass(frozen=True, slots=True)
class Window:
    """A tree with its owner. Only the topmost one with `focusable` is active and dumped."""

    package: str
    component: str
    root: Node
    focusable: bool = True
    user: int = 0  # the user who owns the window
