"""Tests of recognizing windows of elevated programs, with scripted process levels."""

from __future__ import annotations

import ctypes
import os
from types import SimpleNamespace
from typing import Any

import pytest

from handeye.devices import has_more_rights

LOW, MEDIUM, HIGH = 0x1000, 0x2000, 0x3000
WINDOW, PROCESS = 0x10102, 4321


class Tokens:
    """Processes and their levels, None for one that does not give its token. `open` counts handles that were not given back."""

    def __init__(self, levels: dict[int, int | None]) -> None:
        self.levels = levels
        self.open = 0
        self.there = True

    def api(self) -> SimpleNamespace:
        return SimpleNamespace(
            **{name: getattr(self, name) for name in dir(self) if name[0].isupper()},
            IsWindow=lambda _: self.there,
        )

    def GetWindowThreadProcessId(self, _window: int, process: Any) -> int:
        process._obj.value = PROCESS if self.there else 0
        return 1

    def OpenProcess(self, _access: int, _inherit: bool, process: int) -> int:
        self.open += process in self.levels
        return process if process in self.levels else 0

    def OpenProcessToken(self, handle: int, _access: int, token: Any) -> bool:
        if self.levels[handle] is None:
            return False
        self.open += 1
        token._obj.value = handle
        return True

    def GetTokenInformation(self, token: Any, kind: int, label: Any, size: int, _length: Any) -> bool:
        assert (kind, size) == (25, ctypes.sizeof(label))
        ctypes.c_void_p.from_buffer(label).value = token.value  # a token's number stands for its SID
        return True

    def GetSidSubAuthorityCount(self, _sid: Any) -> Any:
        return [1]

    def GetSidSubAuthority(self, sid: Any, number: int) -> Any:
        assert number == 0
        return [self.levels[sid.value]]

    def CloseHandle(self, _handle: Any) -> bool:
        self.open -= 1
        return True


@pytest.mark.parametrize(
    ("own", "theirs", "more"),
    [
        (MEDIUM, HIGH, True),
        (MEDIUM, MEDIUM, False),
        (HIGH, MEDIUM, False),
        (LOW, MEDIUM, True),
        (MEDIUM, None, True),
        (None, HIGH, False),  # nothing is known of this program: nothing is said
    ],
)
def test_integrity_levels_are_compared_and_handles_closed(own: int | None, theirs: int | None, more: bool) -> None:
    tokens = Tokens({os.getpid(): own, PROCESS: theirs})
    assert has_more_rights(tokens.api(), WINDOW) is more
    assert tokens.open == 0


def test_inaccessible_process_counts_as_more_privileged() -> None:
    assert has_more_rights(Tokens({os.getpid(): MEDIUM}).api(), WINDOW)


def test_closed_window_is_not_elevated() -> None:
    tokens = Tokens({os.getpid(): MEDIUM})
    tokens.there = False
    assert not has_more_rights(tokens.api(), WINDOW)
