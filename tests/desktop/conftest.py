"""
A private desktop for each module of tests: two sessions on one display hear each other's events, and the windows that another
module has left open take the keyboard.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from Xlib.display import Display

from handeye.testing.desktop import PrivateDesktop
from optional_programs import need_desktop


@pytest.fixture(scope="session")
def installed() -> None:
    """Skip the test where the programs of a private desktop are not installed."""
    need_desktop()


@pytest.fixture(scope="module")
def desktop(installed: None) -> Iterator[PrivateDesktop]:
    with PrivateDesktop() as private:
        yield private


@pytest.fixture(scope="module")
def bare(installed: None) -> Iterator[PrivateDesktop]:
    """A server without a window manager: windows stand exactly where they want to."""
    with PrivateDesktop((801, 603), manager=None) as private:
        yield private


@pytest.fixture
def display(bare: PrivateDesktop) -> Iterator[Display]:
    """A connection of a bystander, who sees what is held down."""
    with closing(Display(bare.display)) as watching:
        yield watching
