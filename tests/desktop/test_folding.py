"""What opens and closes at its label only: GTK's expander, whose box is as wide as all that it can hold."""

from __future__ import annotations

from dataclasses import replace

import pytest
from inferred_bed import bed_of
from live_tree import until

from handeye.desktop.folding import fold, folds_at_its_label
from handeye.desktop.session import DesktopSession
from handeye.devices.desktop.device import DesktopDevice
from handeye.elements import UIElement
from handeye.errors import DeviceError
from handeye.geometry import Box
from handeye.testing.desktop import PrivateDesktop
from handeye.testing.fakes import FakeClock
from optional_programs import SYSTEM_PYTHON, need_gtk

HEAD = UIElement(
    *("button", "", Box(191, 425, 1089, 444)),
    text="More options",
    metadata={"toolkit": "gtk", "class": "toggle button", "expandable": True},
)


class Handle:
    """The part of a Control that is used here."""

    pressed = 0

    def invoke(self) -> None:
        self.pressed += 1


@pytest.mark.parametrize(
    ("about", "folds"),
    [
        ({}, True),
        ({"expandable": False}, False),  # a toggle button is pressed at its middle
        ({"class": "push button"}, False),
        ({"toolkit": "Qt"}, False),
    ],
)
def test_only_an_expander_folds_at_its_label(about: dict[str, object], folds: bool) -> None:
    assert folds_at_its_label(replace(HEAD, metadata={**HEAD.metadata, **about})) is folds


@pytest.mark.parametrize(
    ("after", "verified"),
    [(replace(HEAD, metadata={"expanded": True}), True), (HEAD, False), (None, None)],
)
def test_whether_it_opened_is_what_it_says_afterwards(after: UIElement | None, verified: bool | None) -> None:
    handle = Handle()
    assert fold(HEAD, handle, lambda: after, FakeClock()) is verified  # type: ignore[arg-type]
    assert handle.pressed == 1


def test_what_is_disabled_is_not_pressed() -> None:
    handle = Handle()
    with pytest.raises(DeviceError, match="disabled"):
        fold(replace(HEAD, enabled=False), handle, lambda: HEAD, FakeClock())  # type: ignore[arg-type]
    assert not handle.pressed


def test_an_expander_of_gtk_is_opened_and_closed_by_its_name(desktop: PrivateDesktop) -> None:
    need_gtk()
    title = "GTK that folds"
    with (
        bed_of(desktop, SYSTEM_PYTHON, "gtk_bed.py", title, "--tab=Form") as bed,
        DesktopSession(DesktopDevice(desktop.backend), reader=None) as session,
    ):
        bed.find("button", "More options")
        for opened in (True, False):
            done = session.click("More options", title)
            until(lambda: bed.told()["more"] is opened)  # noqa: B023 - called at once
            assert done.verified is True, done.note
