"""
A window that draws all of itself, as games do: no toolkit and no accessibility tree. It says what became of it, see `Told`.

`--restless` draws a bar that moves, and a clock.
"""

from __future__ import annotations

import select
import sys
import time
from contextlib import closing
from typing import Any

from PIL import Image, ImageDraw, ImageFont
from told import LOOK_MS, Told
from Xlib import XK, X
from Xlib.display import Display

SIZE = (480, 320)
BUTTONS = {"Play": (40, 40, 200, 84), "Options": (40, 104, 200, 148), "Quit": (40, 168, 200, 212)}
FONT = ImageFont.load_default(20)
STRIP = 64  # rows that one request of the protocol holds


def main() -> None:
    restless = "--restless" in sys.argv
    with closing(Display()) as display:
        screen = display.screen()
        window = screen.root.create_window(
            *(200, 120, *SIZE, 0, screen.root_depth),
            event_mask=X.ExposureMask | X.ButtonPressMask | X.KeyPressMask,
        )
        window.set_wm_name(sys.argv[1])
        window.set_wm_class("game", "Game")
        gc = window.create_gc()
        window.map()
        written = ""

        def state() -> dict[str, Any]:
            return {"written": written}

        told = Told(state)
        shown, drawn = False, b""
        while True:
            select.select([display.fileno()], [], [], LOOK_MS / 1000)
            while display.pending_events():
                event = display.next_event()
                if event.type == X.ButtonPress and event.detail == 1:
                    for name, (left, top, right, bottom) in BUTTONS.items():
                        if left <= event.event_x < right and top <= event.event_y < bottom:
                            told.clicks[name] += 1
                elif event.type == X.KeyPress:
                    letter = XK.keysym_to_string(display.keycode_to_keysym(event.detail, event.state & 1))
                    written += letter or ""
                elif event.type == X.Expose:
                    shown, drawn = True, b""
            frame = picture(told.clicks["Play"], written, time.monotonic() if restless else None)
            if shown and frame != drawn:
                drawn = frame
                row = SIZE[0] * 4
                for top in range(0, SIZE[1], STRIP):
                    part = frame[top * row : (top + STRIP) * row]
                    window.put_image(gc, 0, top, SIZE[0], len(part) // row, X.ZPixmap, screen.root_depth, 0, part)
                display.flush()
            if shown:
                told.tell()


def picture(played: int, written: str, now: float | None) -> bytes:
    """The frame as an X server of 24 bits wants it."""
    image = Image.new("RGB", SIZE, "#20242c")
    pen = ImageDraw.Draw(image)
    for name, box in BUTTONS.items():
        pen.rounded_rectangle(box, 8, fill="#3b6ea5", outline="#dddddd", width=2)
        pen.text(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), name, "white", FONT, anchor="mm")
    pen.text((240, 50), f"Level {played}", "white", FONT)
    pen.text((40, 240), written, "white", FONT)
    if now is not None:
        pen.rectangle((240, 280, 240 + int(now * 400) % 200, 300), fill="#cc8844")
        pen.text((240, 180), f"0:{int(now) % 60:02}", "white", FONT)
    return image.convert("RGBA").tobytes("raw", "BGRA")


if __name__ == "__main__":
    main()
