"""`uiautomator dump`, with its failures."""

from __future__ import annotations

import asyncio
import contextlib

from handeye_phone.drawing.hierarchy import NotIdle
from handeye_phone.shell.process import Command, Process

DEFAULT_FILE = "/sdcard/window_dump.xml"
TERMINAL = "/dev/tty"
IDLE_WAIT_S = 1.0  # Android waits 10 s for an idle screen; a tenth keeps tests short
USAGE = """Usage: uiautomator <subcommand> [options]

Available subcommands:

help: displays help message
dump: creates an XML dump of current UI hierarchy
    dump [--verbose][file]
      [--compressed]: dumps compressed layout information.
      [file]: the location where the dumped XML should be stored, default is
      /storage/emulated/0/window_dump.xml
"""
TAKEN = """\
Exception in thread "main" java.lang.IllegalStateException: UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@3c1f already registered!
\tat android.os.Parcel.createExceptionOrNull(Parcel.java:3015)
\tat android.os.Parcel.createException(Parcel.java:2995)
\tat android.app.UiAutomation.connect(UiAutomation.java:345)
\tat com.android.commands.uiautomator.DumpCommand.run(DumpCommand.java:106)
\tat com.android.commands.uiautomator.Launcher.main(Launcher.java:83)
"""  # noqa: E501


async def run(p: Process) -> int:
    if p.args[:1] == ["dump"]:
        return await _dump(p, p.args[1:])
    await p.err(USAGE)
    return 0 if p.args[:1] == ["help"] else 1


async def _dump(p: Process, args: list[str]) -> int:
    options = [arg for arg in args if arg.startswith("-")]
    if any(option not in ("--compressed", "--verbose", "--windows") for option in options):
        await p.err(USAGE)
        return 1
    if p.model.scenario.tree_fails == "killed":
        await p.err("Killed\n")
        return 137
    if p.model.scenario.tree_fails == "taken":
        await p.err(TAKEN)
        return 1
    files = [arg for arg in args if not arg.startswith("-")]
    target = files[0] if files else DEFAULT_FILE
    try:
        xml = p.model.focused.hierarchy()
    except NotIdle:
        await asyncio.sleep(IDLE_WAIT_S)
        await p.err("ERROR: could not get idle state.\n")  # and the file of an earlier dump stays as it is
        return 0
    if not xml:
        await p.err("ERROR: null root node returned by UiTestAutomationBridge.\n")
        return 0
    if target == TERMINAL:
        await p.out(xml)
    else:
        with contextlib.suppress(OSError):  # Android only logs a file it cannot write, and claims success
            p.files.write(p.path(target), xml.encode("utf-8", "surrogatepass"))
    await p.out(f"UI hierchary dumped to: {target}\n")
    return 0


COMMANDS: dict[str, Command] = {"uiautomator": run}
