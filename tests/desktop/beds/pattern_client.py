"""
An X client whose client area shows `handeye.testing.desktop_fake.pattern`, drawn when the server asks for it (Expose).

    python pattern_client.py TITLE SEED X Y WIDTH HEIGHT [--border N] [--depth 32] [--late SECONDS] [--background] [--children]
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from Xlib import X
from Xlib.display import Display
from Xlib.protocol.event import ClientMessage

from handeye.testing.desktop_fake import pattern

STRIP_ROWS = 16  # a request holds at most 256 KB without BIG-REQUESTS, which python-xlib has not


def main() -> None:
    asked = _arguments()
    display = Display()
    screen = display.screen()
    depth = asked.depth or screen.root_depth
    visual, colormap = _visual(screen, depth)
    window = screen.root.create_window(
        asked.x,
        asked.y,
        asked.width,
        asked.height,
        asked.border,
        depth,
        X.InputOutput,
        visual,
        event_mask=X.ExposureMask | X.StructureNotifyMask,
        colormap=colormap,
        border_pixel=0x123456,
        **({"background_pixel": 0xFF00FF} if asked.background else {}),
    )
    window.set_wm_name(asked.title.encode("ascii", "replace").decode())
    window.set_wm_class("pattern", "Pattern")
    window.change_property(display.get_atom("_NET_WM_NAME"), display.get_atom("UTF8_STRING"), 8, asked.title.encode())
    window.set_wm_normal_hints(flags=1 | 2, x=asked.x, y=asked.y)
    window.set_wm_protocols([display.get_atom("_NET_WM_PING")] if asked.ping else [])
    window.map()
    gc = window.create_gc()
    pixels = pattern(asked.width, asked.height, asked.seed)
    image = np.dstack([pixels[:, :, ::-1], np.full(pixels.shape[:2], 255, np.uint8)])
    while True:
        event = display.next_event()
        if event.type == X.Expose and event.count == 0:
            time.sleep(asked.late)
            for top in range(0, asked.height, STRIP_ROWS):
                rows = image[top : top + STRIP_ROWS]
                window.put_image(gc, 0, top, asked.width, len(rows), X.ZPixmap, depth, 0, rows.tobytes())
            display.flush()
        elif event.type == X.ClientMessage and asked.ping:
            root = screen.root
            pong = ClientMessage(window=root, client_type=event.client_type, data=event.data)
            root.send_event(pong, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
            display.flush()


def _visual(screen, depth):  # type: ignore[no-untyped-def]
    if depth == screen.root_depth:
        return X.CopyFromParent, X.CopyFromParent
    for allowed in screen.allowed_depths:
        if allowed.depth == depth:
            visual = allowed.visuals[0].visual_id
            return visual, screen.root.create_colormap(visual, X.AllocNone)
    raise SystemExit(f"no visual of depth {depth}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("title")
    for name in ("seed", "x", "y", "width", "height"):
        parser.add_argument(name, type=int)
    parser.add_argument("--border", type=int, default=0)
    parser.add_argument("--depth", type=int)
    parser.add_argument("--late", type=float, default=0.0, help="seconds between being asked to draw and drawing")
    parser.add_argument("--background", action="store_true", help="let the server clear what is to be drawn")
    parser.add_argument("--ping", action="store_true", help="answer the window manager's question whether it is alive")
    return parser.parse_args()


main()
