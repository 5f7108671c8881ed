"""`wm`: the display's size, density and rotation."""

from __future__ import annotations

import re

from handeye.geometry import Size
from handeye_phone.model import PhoneModel
from handeye_phone.shell.android.shellcommand import EXIT_EXCEPTION, Arguments, JavaException, guarded, unknown
from handeye_phone.shell.process import Command, Process

USAGE = """Window manager (window) commands:
  size [-d DISPLAY_ID] [reset|WxH]
  density [reset|DENSITY]
  user-rotation [free|lock] [0-3]
  dismiss-keyguard
"""
SIDES = range(200, 4097)  # Android's own lower limit; the upper keeps one frame under 64 MB
MIN_DENSITY = 72  # Android's own limit
MAX_DENSITY = 1000


async def run(p: Process) -> int:
    return await guarded(p, _dispatch)


async def _dispatch(p: Process, args: Arguments) -> int:
    word = args.next()
    if word == "size":
        return await _size(p, args)
    if word == "density":
        return await _density(p, args)
    if word == "user-rotation":
        return await _rotation(p, args)
    if word == "dismiss-keyguard":
        p.model.dismiss_keyguard()
        return 0
    return await unknown(p, word, USAGE)


async def _size(p: Process, args: Arguments) -> int:
    word = args.next()
    model = p.model
    if word == "-d":
        display = args.integer()
        if display not in p.model.displays:
            raise JavaException.argument(f"Invalid display: {display}")
        model, word = p.model.displays[display], args.next()
    if word is None:
        physical, current = model.physical_size, _natural(model)
        await p.out(f"Physical size: {physical.width}x{physical.height}\n")
        if current != physical:
            await p.out(f"Override size: {current.width}x{current.height}\n")
        return 0
    if word == "reset":
        model.override_size(None)
        return 0
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", word, re.ASCII)
    if match is None:
        await p.err(f"Error: bad size {word}\n")
        return EXIT_EXCEPTION
    size = Size(int(match.group(1)), int(match.group(2)))
    if size.width not in SIDES or size.height not in SIDES:
        await p.err(f"Error: size {word} is outside {SIDES.start}..{SIDES.stop - 1}\n")
        return EXIT_EXCEPTION
    model.override_size(size)
    return 0


def _natural(model: PhoneModel) -> Size:
    """Return the size in the display's natural orientation."""
    size = model.size
    return Size(size.height, size.width) if model.rotation % 2 else size


async def _density(p: Process, args: Arguments) -> int:
    word = args.next()
    if word is None:
        await p.out(f"Physical density: {p.model.physical_density}\n")
        if p.model.density != p.model.physical_density:
            await p.out(f"Override density: {p.model.density}\n")
        return 0
    if word == "reset":
        p.model.override_density(None)
        return 0
    if not re.fullmatch(r"\d{1,5}", word, re.ASCII):
        await p.err(f"Error: bad number {word}\n")
        return EXIT_EXCEPTION
    density = int(word)
    if not MIN_DENSITY <= density <= MAX_DENSITY:
        await p.err(f"Error: density must be >= {MIN_DENSITY}\n")
        return EXIT_EXCEPTION
    p.model.override_density(density)
    return 0


async def _rotation(p: Process, args: Arguments) -> int:
    word = args.next()
    settings = p.model.settings
    if word is None:
        free = settings.get("system", "accelerometer_rotation") == "1"
        await p.out("free\n" if free else f"lock {settings.get('system', 'user_rotation') or 0}\n")
        return 0
    if word not in ("free", "lock"):
        await p.err(f"Error: argument needs to be either -d, free or lock: {word}\n")
        return EXIT_EXCEPTION
    settings.put("system", "accelerometer_rotation", "1" if word == "free" else "0")
    if word == "lock" and args.peek() is not None:
        quarter = args.integer()
        if quarter not in range(4):
            await p.err(f"Error: invalid rotation {quarter}\n")
            return EXIT_EXCEPTION
        settings.put("system", "user_rotation", str(quarter))
    return 0


COMMANDS: dict[str, Command] = {"wm": run}
