"""Tests of typing where an input method would change the keys into other text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typing_places import Place, open_place
from Xlib import X
from Xlib.display import Display

from handeye.devices import X11Backend
from handeye.errors import TextInputFailed
from handeye.testing.desktop import PrivateDesktop

TEXT = "hello, 你好 123."

Speak = Callable[[str, str], X11Backend]
"""A backend for whose applications the command of that name says that."""


@pytest.fixture(scope="module")
def place(desktop: PrivateDesktop) -> Place:
    return open_place("mousepad", desktop)


@pytest.fixture
def speaking(desktop: PrivateDesktop, tmp_path: Path) -> Iterator[Speak]:
    made: list[X11Backend] = []

    def speak(command: str, says: str) -> X11Backend:
        commands = tmp_path / "commands"
        commands.mkdir(exist_ok=True)
        script = commands / command
        script.write_text(f"#!/bin/sh\n{says}\n")
        script.chmod(0o755)
        bus = tmp_path / "ibus" / "bus"
        bus.mkdir(parents=True, exist_ok=True)
        (bus / f"0123-unix-{desktop.display.removeprefix(':')}").touch()
        environment = {**desktop.environment, "PATH": str(commands), "XDG_CONFIG_HOME": str(tmp_path)}
        made.append(X11Backend(desktop.display, environment=environment))
        return made[-1]

    yield speak
    for backend in made:
        backend.close()


@pytest.fixture
def owner(desktop: PrivateDesktop) -> Iterator[Callable[[str], None]]:
    """Owns selections, and answers nobody."""
    display = Display(desktop.display)
    window = display.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)

    def own(selection: str) -> None:
        window.set_selection_owner(display.get_atom(selection), X.CurrentTime)
        display.sync()

    yield own
    display.close()


@pytest.mark.parametrize(
    ("says", "how"),
    [
        ("echo libpinyin", "pasted: IBus libpinyin takes keys for itself"),
        ("echo xkb:us::eng", "key by key, 2 of them by spare key codes"),
        ("exit 1", "key by key, 2 of them by spare key codes"),  # its daemon has ended and left its address
    ],
)
def test_ibus_engine_decides_between_pasting_and_typing(place: Place, speaking: Speak, says: str, how: str) -> None:
    backend = speaking("ibus", says)
    place.begin()
    assert backend.type(TEXT) == how
    place.holds(TEXT)


@pytest.mark.parametrize(("state", "how"), [("2", "pasted: Fcitx takes keys for itself"), ("1", "key by key")])
def test_active_fcitx_makes_text_pasted(
    place: Place, speaking: Speak, owner: Callable[[str], None], state: str, how: str
) -> None:
    backend = speaking("fcitx5-remote", f"echo {state}")
    place.begin()
    assert backend.type("before") == "key by key"
    owner("@server=fcitx")
    assert backend.type(" after") == how
    place.holds("before after")


def test_nothing_is_typed_when_pasting_is_impossible(
    place: Place, speaking: Speak, owner: Callable[[str], None]
) -> None:
    backend = speaking("ibus", "echo libpinyin")
    place.begin()
    owner("CLIPBOARD")
    with pytest.raises(TextInputFailed, match=r"libpinyin takes keys for itself.*direct input"):
        backend.type(TEXT)
    place.holds("")
