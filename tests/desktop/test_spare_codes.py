"""Tests of spare key codes on a server that refuses to remap several of them at once."""

from __future__ import annotations

import pytest
from typing_places import open_place

from handeye.devices.linux.input import xkb
from handeye.testing.desktop import PrivateDesktop


def test_letters_arrive_when_server_refuses_combined_remapping(
    desktop: PrivateDesktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """XWayland 22.1 refuses it because the width of a key differs from its type; here an invalid type has that effect."""
    place = open_place("mousepad", desktop)
    monkeypatch.setattr(xkb, "_TWO_LEVEL", 0)
    place.begin()
    desktop.backend.type("你好 жЖ")
    place.holds("你好 жЖ")
