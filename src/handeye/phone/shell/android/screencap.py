"""`screencap`: the picture, raw or as PNG, to a file or to standard output."""

from __future__ import annotations

from handeye.phone.shell.process import Command, Process

USAGE = """usage: screencap [-hp] [-d display-id] [FILENAME]
   -h: this message
   -p: save the file as a png.
   -d: specify the display ID to capture
If FILENAME ends with .png it will be saved as a png.
If FILENAME is not given, the results will be printed to stdout.
"""
DISPLAYS = (
    "0",
    "4619827259835644672",
)  # the logical number and the id that `dumpsys SurfaceFlinger --display-id` shows


async def screencap(p: Process) -> int:
    png, target, args = False, None, list(p.args)
    while args:
        word = args.pop(0)
        if word == "-p":
            png = True
        elif word == "-d":
            display = args.pop(0) if args else ""
            if display not in DISPLAYS:
                await p.err(f"Display Id '{display}' is not valid.\n")
                return 1
        elif word.startswith("-") or target is not None:
            await p.err(USAGE)
            return 1
        else:
            target = word
    await p.phone.capture_delay()
    if png or (target or "").endswith(".png"):
        data = await p.phone.frames.png()
    else:
        data = await p.phone.frames.raw()
    if target is None:
        await p.out(data)
        return 0
    try:
        p.files.write(p.path(target), data)
    except OSError as error:
        await p.err(f"Error opening file: {target} ({error.strerror})\n")
        return 1
    return 0


COMMANDS: dict[str, Command] = {"screencap": screencap}
