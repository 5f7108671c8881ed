"""Draw a scene tree with Pillow. Corners, shadows and glyph runs are anti-aliased and cached. The canvas is RGBA and
stays opaque: everything is pasted as opaque colour through a mask, so no last conversion is needed."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFilter

from handeye import typeface
from handeye.geometry import Box, Size
from handeye_phone import artwork
from handeye_phone.drawing.scene import Arc, FillPaint, IconPaint, Label, Node, Paint, Wallpaper, Window

_OVERSAMPLE: Final = 4
_SHADOW_ALPHA: Final = 70  # of 255, at the darkest point of a shadow


@lru_cache(maxsize=512)
def _rgba(color: str) -> tuple[int, int, int, int]:
    parts = ImageColor.getrgb(color)
    return (*parts[:3], parts[3] if len(parts) == 4 else 255)


@lru_cache(maxsize=128)
def _corner(radius: int) -> Image.Image:
    """Return the upper left quarter of a disc as a mask, `radius` pixels square."""
    big = radius * _OVERSAMPLE
    mask = Image.new("L", (big, big), 0)
    ImageDraw.Draw(mask).ellipse((0, 0, 2 * big - 1, 2 * big - 1), fill=255)
    return mask.reduce(_OVERSAMPLE)


@lru_cache(maxsize=48)
def _shadow(width: int, height: int, radius: int, depth: int) -> tuple[tuple[int, int, Image.Image], ...]:
    """Return (x, y, mask) of the four strips of a soft shadow around a box at (0, 0), without the hidden part below the box.

    Blurred at reduced size, which looks the same.
    """
    scale = max(1, depth // 3)
    pad = 2 * depth
    small = Image.new("L", ((width + 2 * pad) // scale + 1, (height + 2 * pad) // scale + 1), 0)
    box = (pad // scale, pad // scale, (pad + width) // scale, (pad + height) // scale)
    ImageDraw.Draw(small).rounded_rectangle(box, radius // scale, fill=_SHADOW_ALPHA)
    small = small.filter(ImageFilter.GaussianBlur(depth / scale * 0.7))
    mask = small.resize((width + 2 * pad, height + 2 * pad), Image.Resampling.BILINEAR)
    rim = pad + max(radius, depth // 2)  # as far as the box's corners and the shadow's offset leave it visible
    if 2 * rim >= min(mask.size):
        return ((-pad, -pad, mask),)
    right, bottom = mask.width - rim, mask.height - rim
    strips = (
        (0, 0, mask.width, rim),
        (0, bottom, mask.width, mask.height),
        (0, rim, rim, bottom),
        (right, rim, mask.width, bottom),
    )
    return tuple((box[0] - pad, box[1] - pad, mask.crop(box)) for box in strips)


@lru_cache(maxsize=4)
def _wallpaper(width: int, height: int, dark: bool) -> Image.Image:
    return artwork.wallpaper(width, height, dark=dark)


@lru_cache(maxsize=256)
def _icon(name: str, px: int, dark: bool) -> tuple[Image.Image, Image.Image]:
    """(opaque picture, mask)."""
    picture = artwork.icon(name, px, dark=dark)
    mask = picture.getchannel("A")
    picture.putalpha(255)
    return picture, mask


@lru_cache(maxsize=256)
def _tinted(name: str, px: int) -> Image.Image:
    return artwork.icon(name, px).getchannel("A")


class Painter:
    """Draws nodes on `canvas` (mode RGBA, opaque), whose upper left pixel is `origin` of the screen."""

    def __init__(self, canvas: Image.Image, origin: tuple[int, int] = (0, 0)) -> None:
        self.canvas = canvas  # replaced by a translucent fill over all of it
        self._pen = ImageDraw.Draw(canvas)
        self._dx, self._dy = -origin[0], -origin[1]
        self._visible = Box(origin[0], origin[1], origin[0] + canvas.width, origin[1] + canvas.height)

    def draw(self, node: Node) -> None:
        """Draw a node and all below it."""
        box, visible = node.box, self._visible
        outside = (
            box.right <= visible.left
            or box.left >= visible.right
            or box.bottom <= visible.top
            or box.top >= visible.bottom
        )
        if not outside:
            for item in node.paint:
                self._paint(item, box)
        if node.clip:
            if not outside:
                self._draw_clipped(node)
            return
        for kid in node.kids:
            self.draw(kid)

    def _draw_clipped(self, node: Node) -> None:
        area = _overlap(node.box, self._visible)
        for kid in node.kids:
            if _stays_inside(kid, area):
                self.draw(kid)
            else:
                self._draw_cut(kid, _overlap(area, kid.box) if _stays_inside(kid, kid.box) else area)

    def _draw_cut(self, node: Node, area: Box) -> None:
        """Draw the part of a node that lies in `area`, on a copy of that area."""
        if area.right <= area.left or area.bottom <= area.top:
            return
        place = (area.left + self._dx, area.top + self._dy, area.right + self._dx, area.bottom + self._dy)
        part = self.canvas.crop(place)
        Painter(part, (area.left, area.top)).draw(node)
        self.canvas.paste(part, place[:2])

    def _paint(self, item: Paint, box: Box) -> None:
        match item:
            case FillPaint():
                self._fill(item, box)
            case Label():
                self._label(item, box)
            case IconPaint():
                self._art(item, box)
            case Wallpaper():
                picture = _wallpaper(box.width, box.height, item.dark)
                self.canvas.paste(picture, (box.left + self._dx, box.top + self._dy))
            case Arc():
                self._arc(item, box)

    def _fill(self, item: FillPaint, box: Box) -> None:
        left, top, right, bottom = box.left + self._dx, box.top + self._dy, box.right + self._dx, box.bottom + self._dy
        if right <= left or bottom <= top:
            return
        radius = max(0, min(item.radius, (right - left) // 2, (bottom - top) // 2))
        if item.shadow:
            for x, y, mask in _shadow(right - left, bottom - top, radius, item.shadow):
                self.canvas.paste((0, 0, 0, 255), (left + x, top + y + item.shadow // 2), mask)
        if item.outline and item.outline_px:
            self._round(left, top, right, bottom, radius, item.corners, item.outline)
            edge = item.outline_px
            left, top, right, bottom = left + edge, top + edge, right - edge, bottom - edge
            radius = max(0, radius - edge)
        self._round(left, top, right, bottom, radius, item.corners, item.color)

    def _round(
        self, left: int, top: int, right: int, bottom: int, radius: int, corners: tuple[bool, ...], color: str
    ) -> None:
        *rgb, alpha = _rgba(color)
        ink = (rgb[0], rgb[1], rgb[2], 255)
        if alpha < 255 and radius == 0:
            self._fill_translucent((left, top, right, bottom), ink, alpha)
            return
        if alpha < 255:
            self.canvas.paste(ink, (left, top), _round_mask(right - left, bottom - top, radius, corners, alpha))
            return
        if radius == 0:
            self._pen.rectangle((left, top, right - 1, bottom - 1), fill=ink)
            return
        if right - radius > left + radius:
            self._pen.rectangle((left + radius, top, right - radius - 1, bottom - 1), fill=ink)
        if bottom - radius > top + radius:
            self._pen.rectangle((left, top + radius, left + radius - 1, bottom - radius - 1), fill=ink)
            self._pen.rectangle((right - radius, top + radius, right - 1, bottom - radius - 1), fill=ink)
        places = (
            (left, top, 0),
            (right - radius, top, 1),
            (right - radius, bottom - radius, 2),
            (left, bottom - radius, 3),
        )
        for (x, y, quarter), rounded in zip(places, corners, strict=True):
            if rounded:
                self.canvas.paste(ink, (x, y), _quarter(radius, quarter))
            else:
                self._pen.rectangle((x, y, x + radius - 1, y + radius - 1), fill=ink)

    def _fill_translucent(self, place: tuple[int, int, int, int], ink: tuple[int, int, int, int], alpha: int) -> None:
        """Draw a translucent rectangle by lookup table: a third of the time of pasting through a mask on a whole screen."""
        left, top = max(0, place[0]), max(0, place[1])
        right, bottom = min(self.canvas.width, place[2]), min(self.canvas.height, place[3])
        if right > left and bottom > top:
            table = [(value * (255 - alpha) + part * alpha) // 255 for part in ink for value in range(256)]
            if (left, top, right, bottom) == (0, 0, *self.canvas.size):
                self.canvas = self.canvas.point(table)
                self._pen = ImageDraw.Draw(self.canvas)
            else:
                self.canvas.paste(self.canvas.crop((left, top, right, bottom)).point(table), (left, top))

    def _label(self, item: Label, box: Box) -> None:
        step = item.line_height or round(item.size * 1.4)
        *rgb, alpha = _rgba(item.color)
        start = (
            box.top + item.top if item.top is not None else (box.top + box.bottom) // 2 - step * len(item.lines) // 2
        )
        for index, line in enumerate(item.lines):
            middle = start + index * step + step // 2
            if not line or middle + item.size < self._visible.top or middle - item.size > self._visible.bottom:
                continue
            mask, margin = typeface.line_mask(line, item.size, item.weight)
            text_width = mask.width - 2 * margin
            x = box.left + item.inset
            if item.align == "center":
                x = (box.left + box.right - text_width) // 2
            elif item.align == "right":
                x = box.right - item.inset - text_width
            if alpha < 255:
                mask = mask.point(lambda value: value * alpha // 255)
            place = (x - margin + self._dx, middle - item.size + self._dy)
            self.canvas.paste((rgb[0], rgb[1], rgb[2], 255), place, mask)

    def _art(self, item: IconPaint, box: Box) -> None:
        if item.px < 1:
            return
        x = (box.left + box.right - item.px) // 2 + self._dx
        y = (box.top + box.bottom - item.px) // 2 + self._dy
        if item.tint:
            self.canvas.paste((*_rgba(item.tint)[:3], 255), (x, y), _tinted(item.name, item.px))
        else:
            picture, mask = _icon(item.name, item.px, item.dark)
            self.canvas.paste(picture, (x, y), mask)

    def _arc(self, item: Arc, box: Box) -> None:
        side = item.diameter * _OVERSAMPLE
        mask = Image.new("L", (side, side), 0)
        edge = (0, 0, side - 1, side - 1)
        ImageDraw.Draw(mask).arc(edge, item.start, item.end, fill=255, width=item.stroke * _OVERSAMPLE)
        x = (box.left + box.right - item.diameter) // 2 + self._dx
        y = (box.top + box.bottom - item.diameter) // 2 + self._dy
        self.canvas.paste((*_rgba(item.color)[:3], 255), (x, y), mask.reduce(_OVERSAMPLE))


def _stays_inside(node: Node, area: Box) -> bool:
    """Return True if a node and its descendants stay within `area`. Shadows extend beyond their node's box."""
    return all(
        _overlap(each.box, area) == each.box
        and not any(isinstance(item, FillPaint) and item.shadow for item in each.paint)
        for each in node.walk()
    )


def _overlap(one: Box, other: Box) -> Box:
    return Box(
        max(one.left, other.left), max(one.top, other.top), min(one.right, other.right), min(one.bottom, other.bottom)
    )


@lru_cache(maxsize=256)
def _quarter(radius: int, quarter: int) -> Image.Image:
    corner = _corner(radius)
    if quarter in (1, 2):
        corner = corner.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    if quarter in (2, 3):
        corner = corner.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    return corner


@lru_cache(maxsize=24)
def _round_mask(width: int, height: int, radius: int, corners: tuple[bool, ...], alpha: int) -> Image.Image:
    mask = Image.new("L", (width, height), 255)
    places = ((0, 0), (width - radius, 0), (width - radius, height - radius), (0, height - radius))
    for quarter, (place, rounded) in enumerate(zip(places, corners, strict=True)):
        if rounded and radius:
            mask.paste(_quarter(radius, quarter), place)
    return ImageChops.multiply(mask, Image.new("L", mask.size, alpha))


def render(windows: list[Window], size: Size) -> Image.Image:
    """Draw windows from the lowest to the topmost; the picture is RGBA and opaque."""
    if not windows:
        return Image.new("RGBA", (size.width, size.height), (0, 0, 0, 255))
    canvas, lowest = _start_canvas(windows[0].root, size)
    painter = Painter(canvas)
    for root in (lowest, *(window.root for window in windows[1:])):
        painter.draw(root)
    return painter.canvas


def _start_canvas(root: Node, size: Size) -> tuple[Image.Image, Node]:
    """Return (opaque canvas, nodes still to draw): a full-screen background becomes the canvas, which saves a pass."""
    first = root.paint[0] if root.paint and root.box == Box(0, 0, size.width, size.height) else None
    rest = replace(root, paint=root.paint[1:])
    match first:
        case Wallpaper():
            return _wallpaper(size.width, size.height, first.dark).copy(), rest
        case FillPaint() if _rgba(first.color)[3] == 255 and not (first.radius or first.outline):
            return Image.new("RGBA", (size.width, size.height), _rgba(first.color)), rest
    return Image.new("RGBA", (size.width, size.height), (0, 0, 0, 255)), root
