"""Tests of GTK expanders, which open only by a click on their label although their box is wider."""

from __future__ import annotations

from dataclasses import replace

import pytest
from inferred_bed import bed_of
from live_tree import until

from handeye.desktop import DesktopSession
from handeye.devices import DesktopDevice
from handeye.elements import UIElement
from handeye.errors import DeviceError
from handeye.geometry import Box
from handeye.perceive import Detection
from handeye.testing.desktop import PrivateDesktop
from handeye.testing.desktop_fake import FakeDesktop, fake_window
from handeye.testing.fakes import FakeClock
from optional_programs import SYSTEM_PYTHON, need_gtk

WINDOW = fake_window(7, "Form", Box(100, 300, 1200, 700), focused=True)
HEAD = UIElement(
    *("button", "", Box(191, 425, 1089, 444)),
    text="More options",
    metadata={"toolkit": "gtk", "class": "toggle button", "expandable": True},
    source="accessibility",
    interactive=True,
)


class Form:
    """A window with one expander, which is `after` once its handle was pressed."""

    name = "form"

    def __init__(self, head: UIElement, after: UIElement | None) -> None:
        self.shown: UIElement | None = head
        self.after = after
        self.pressed = 0

    def detect(self, window: object) -> Detection:
        targets = [UIElement("window", "", WINDOW.box, text="Form"), *([self.shown] if self.shown else [])]
        numbered = tuple(replace(each, id=number) for number, each in enumerate(targets, 1))
        return Detection(numbered, (self,) * len(numbered))  # type: ignore[arg-type]

    def invoke(self) -> None:
        self.pressed += 1
        self.shown = self.after

    def box(self) -> Box:
        return HEAD.bbox


def clicked(head: UIElement, after: UIElement | None) -> tuple[bool | None, int, int]:
    """Return `verified`, and how often its handle and the mouse were pressed."""
    form, desktop = Form(head, after), FakeDesktop([WINDOW])
    device = DesktopDevice(desktop, clock=FakeClock())
    session = DesktopSession(device, tree=form, reader=None, clock=FakeClock())  # type: ignore[arg-type]
    done = session.click("More options")
    return done.verified, form.pressed, sum(each.down for each in desktop.presses)


@pytest.mark.parametrize(
    "about",
    [{"expandable": False}, {"class": "push button"}, {"toolkit": "Qt"}],  # a toggle button is pressed at its middle
)
def test_only_gtk_expanders_are_invoked_without_pointer(about: dict[str, object]) -> None:
    head = replace(HEAD, metadata={**HEAD.metadata, **about})
    assert clicked(head, head)[1:] == (0, 1)


@pytest.mark.parametrize(
    ("after", "verified"),
    [
        (replace(HEAD, bbox=HEAD.bbox.translate(0, 40), metadata={"expanded": True}), True),
        (HEAD, False),
        (replace(HEAD, metadata={**HEAD.metadata, "expanded": False}), False),  # first told now, and as it was
        (None, None),
    ],
)
def test_expander_click_is_verified_by_its_state(after: UIElement | None, verified: bool | None) -> None:
    assert clicked(HEAD, after) == (verified, 1, 0)


def test_disabled_expander_is_refused() -> None:
    with pytest.raises(DeviceError, match="disabled"):
        clicked(replace(HEAD, enabled=False), HEAD)


def test_gtk_expander_is_opened_and_closed_by_name(desktop: PrivateDesktop) -> None:
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
