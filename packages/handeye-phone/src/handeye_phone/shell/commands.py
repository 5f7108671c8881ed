"""All commands of the phone, by name."""

from __future__ import annotations

from handeye_phone.shell.android import (
    am,
    dumpsys,
    ime,
    input,
    packages,
    properties,
    screencap,
    services,
    uiautomator,
    wm,
)
from handeye_phone.shell.builtins import BUILTINS, PROGRAMS
from handeye_phone.shell.process import Command
from handeye_phone.shell.toybox import files, listing, packing, printf, system, text

COMMANDS: dict[str, Command] = {
    **files.COMMANDS,
    **listing.COMMANDS,
    **packing.COMMANDS,
    **printf.COMMANDS,
    **system.COMMANDS,
    **text.COMMANDS,
    **am.COMMANDS,
    **dumpsys.COMMANDS,
    **ime.COMMANDS,
    **input.COMMANDS,
    **packages.COMMANDS,
    **properties.COMMANDS,
    **screencap.COMMANDS,
    **services.COMMANDS,
    **uiautomator.COMMANDS,
    **wm.COMMANDS,
    **PROGRAMS,
    **BUILTINS,
}

# Files of `ls /system/bin`: a builtin has a file only where toybox has a command of that name as well.
PROGRAM_FILES = sorted((set(COMMANDS) - set(BUILTINS)) | {"echo", "false", "pwd", "true"})
