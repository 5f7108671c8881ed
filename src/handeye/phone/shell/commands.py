"""Every command of the phone, by name."""

from __future__ import annotations

from handeye.phone.shell.android import screencap
from handeye.phone.shell.builtins import BUILTINS, PROGRAMS
from handeye.phone.shell.process import Command

COMMANDS: dict[str, Command] = {
    **BUILTINS,
    **PROGRAMS,
    **screencap.COMMANDS,
}
