"""`screencap`: the picture, raw or as PNG, to a file or to standard output."""

from __future__ import annotations

from handeye_phone.shell.process import Command, Process

USAGE = """usage: screencap [-hp] [-d display-id] [FILENAME]
   -h: this message
   -p: save the file as a png.
   -d: specify the display ID to capture
If FILENAME ends with .png it will be saved as a png.
If FILENAME is not given, the results will be printed to stdout.
"""
SEVERAL = """[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display found, \
however this default is not guaranteed to be consistent across captures. A display id should be specified.
A display ID can be specified with the [-d display-id] option.
See "dumpsys SurfaceFlinger --display-id" for valid display IDs.
"""


async def screencap(p: Process) -> int:
    png, target, args = False, None, list(p.args)
    panels = p.model.panels
    display: str | None = None
    while args:
        word = args.pop(0)
        if word == "-p":
            png = True
        elif word == "-d":
            display = args.pop(0) if args else ""
            if display not in panels and (display != "0" or len(panels) > 1):
                await p.err(f"Display Id '{display}' is not valid.\n")
                return 1
        elif word.startswith("-") or target is not None:
            await p.err(USAGE)
            return 1
        else:
            target = word
    await p.phone.capture_delay()
    if display is None and len(panels) > 1:
        await p.err(SEVERAL)
    frames = p.phone.frames_of(panels[display] if display in panels else next(iter(panels.values())))
    data = await frames.png() if png or (target or "").endswith(".png") else await frames.raw()
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
