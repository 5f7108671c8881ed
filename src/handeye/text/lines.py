"""Lines of text on a frame."""

from __future__ import annotations

from dataclasses import dataclass, replace

from handeye.geometry import Box


@dataclass(frozen=True, slots=True)
class TextLine:
    """
    One line of text: `box` in pixels of the frame it was read from, `confidence` 0-1.

    `char_x`, if the engine reports it, contains the horizontal center of each character in frame pixels, so that a part of
    the line can be cut out (`box_of`). `gaps`, if measured, contains the empty columns before each character in frame
    pixels (0 before the first one and before spaces): positions of characters are accurate to a third of their width, gaps
    exactly.
    """

    text: str
    box: Box
    confidence: float
    char_x: tuple[float, ...] = ()
    gaps: tuple[int, ...] = ()

    def box_of(self, start: int, end: int) -> Box:
        """Return the box of `text[start:end]`: from the characters' positions, or in proportion if they are unknown."""
        count = len(self.text)
        if not 0 <= start < end <= count:
            raise ValueError(f"[{start}:{end}] is not a part of {self.text!r}")
        if len(self.char_x) == count:
            left = self.box.left if start == 0 else (self.char_x[start - 1] + self.char_x[start]) / 2
            right = self.box.right if end == count else (self.char_x[end - 1] + self.char_x[end]) / 2
        else:
            step = self.box.width / count
            left, right = self.box.left + start * step, self.box.left + end * step
        return Box(round(left), self.box.top, max(round(left) + 1, round(right)), self.box.bottom)


def shifted(line: TextLine, dx: int, dy: int) -> TextLine:
    """Return the line on a frame whose origin is `dx`, `dy` pixels further left and up."""
    return replace(line, box=line.box.translate(dx, dy), char_x=tuple(x + dx for x in line.char_x))
