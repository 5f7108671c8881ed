"""Original artwork of the virtual phone: app icons, interface glyphs and the wallpaper, drawn at any size."""

from __future__ import annotations

from typing import Final

from PIL import Image

from handeye.errors import HandeyeError
from handeye_phone.artwork.app_icons import APP_ICONS
from handeye_phone.artwork.glyphs import GLYPHS
from handeye_phone.artwork.pen import Pen
from handeye_phone.artwork.wallpaper import wallpaper

__all__ = ["APP_ICONS", "GLYPHS", "ICONS", "UnknownIcon", "icon", "wallpaper"]

ICONS: Final = (*APP_ICONS, *GLYPHS)


class UnknownIcon(HandeyeError, KeyError):
    """No icon has this name, or it cannot have this size."""


def icon(name: str, px: int, *, dark: bool = False) -> Image.Image:
    """Return the icon as an RGBA image of `px` x `px`; with `dark`, glyphs are white and app icons a little dimmer.

    Raises `UnknownIcon` for a name that is not in `ICONS` and for a size below 1.
    """
    draw = APP_ICONS.get(name) or GLYPHS.get(name)
    if draw is None:
        raise UnknownIcon(f"no icon {name!r}; there are: {', '.join(ICONS)}")
    if px < 1:
        raise UnknownIcon(f"icon {name!r}: a size of {px!r} pixels cannot be drawn; use 1 or more")
    pen = Pen(px)
    draw(pen)
    image = pen.finish()
    if not dark:
        return image
    if name in GLYPHS:
        bright = Image.new("RGB", image.size, (255, 255, 255))
    else:
        bright = Image.eval(image.convert("RGB"), lambda value: value * 9 // 10)
    bright.putalpha(image.getchannel("A"))
    return bright
