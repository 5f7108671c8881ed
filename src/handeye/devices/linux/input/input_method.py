"""
Detect an input method that would intercept typed keys: under Pinyin "hello, 123." became "，合理咯123.", and in "你好,世界" the
comma changed, or the first character. IBus and Fcitx report their state through the commands that come with them.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from Xlib import X
from Xlib.display import Display

ASK_TIMEOUT_S = 2.0  # they answer in 10 to 60 ms

_IBUS_PLAIN = "xkb:"  # prefix of IBus engines that are plain keyboard layouts
_FCITX_COMPOSES = "2"  # 0: it does not run; 1: keys type themselves
_FCITX = ("fcitx5-remote", "fcitx-remote")


def active_input_method(display: Display, environment: Mapping[str, str]) -> str | None:
    """
    Return the input method that composes text from keys on `display` for programs of `environment`, such as "IBus
    libpinyin"; None if keys type their own characters, or no input method can be queried. IBus does not report an
    engine's own switch between Chinese and English. Raises XError.
    """
    if _has_ibus_address(display, environment):
        engine = _first_line(["ibus", "engine"], environment)
        if engine and not engine.startswith(_IBUS_PLAIN):
            return f"IBus {engine}"
    # Queried only if it runs: its command would start it.
    if display.get_selection_owner(display.get_atom("@server=fcitx")) != X.NONE:
        for command in _FCITX:
            if _first_line([command], environment) == _FCITX_COMPOSES:
                return "Fcitx"
    return None


def _has_ibus_address(display: Display, environment: Mapping[str, str]) -> bool:
    """Return True if IBus has published its address for this display; otherwise it need not be queried."""
    if "IBUS_ADDRESS" in environment:
        return True
    home = environment.get("HOME")
    settings = environment.get("XDG_CONFIG_HOME") or (f"{home}/.config" if home else None)
    number = str(display.get_display_name()).rpartition(":")[2].partition(".")[0]
    return settings is not None and any(Path(settings, "ibus", "bus").glob(f"*-{number}"))


def _first_line(command: list[str], environment: Mapping[str, str]) -> str:
    """Return the first line of a command's output; empty if it is not installed, fails or times out."""
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
