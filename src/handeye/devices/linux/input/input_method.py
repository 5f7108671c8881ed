"""
Whether an input method takes the keys of a text for itself: under Pinyin "hello, 123." became "，合理咯123.", and the comma of
"你好,世界" another one, or the first sign. IBus and Fcitx say what they are set to, through the commands that come with them.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from Xlib import X
from Xlib.display import Display

ASK_TIMEOUT_S = 2.0  # they answer in 10 to 60 ms

_IBUS_PLAIN = "xkb:"  # how IBus calls its engines that are nothing but layouts
_FCITX_COMPOSES = "2"  # 0: it does not run; 1: keys type themselves
_FCITX = ("fcitx5-remote", "fcitx-remote")


def composing(display: Display, environment: Mapping[str, str]) -> str | None:
    """
    What composes text from keys on `display` for programs of `environment`, such as "IBus libpinyin"; None where keys type what
    stands on them, or no input method can be asked. IBus does not tell an engine's own switch between Chinese and English.
    Raises XError.
    """
    if _ibus_was_here(display, environment):
        engine = _said(["ibus", "engine"], environment)
        if engine and not engine.startswith(_IBUS_PLAIN):
            return f"IBus {engine}"
    # Asked only where it runs: its command would start it.
    if display.get_selection_owner(display.get_atom("@server=fcitx")) != X.NONE:
        for command in _FCITX:
            if _said([command], environment) == _FCITX_COMPOSES:
                return "Fcitx"
    return None


def _ibus_was_here(display: Display, environment: Mapping[str, str]) -> bool:
    """Whether IBus has left its address for this display: without, it need not be asked."""
    if "IBUS_ADDRESS" in environment:
        return True
    home = environment.get("HOME")
    settings = environment.get("XDG_CONFIG_HOME") or (f"{home}/.config" if home else None)
    number = str(display.get_display_name()).rpartition(":")[2].partition(".")[0]
    return settings is not None and any(Path(settings, "ibus", "bus").glob(f"*-{number}"))


def _said(command: list[str], environment: Mapping[str, str]) -> str:
    """The first line that it writes; empty where it is not installed, fails or does not answer."""
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(
            command,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=ASK_TIMEOUT_S,
            check=False,
        )
        if done.returncode == 0:
            return done.stdout.decode(errors="replace").partition("\n")[0].strip()
    return ""
