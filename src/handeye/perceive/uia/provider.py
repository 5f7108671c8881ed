"""Tier 1 of docs/spec/perception-tiers.md on Windows: the elements of a window as its application reports them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from handeye.devices import Window
from handeye.errors import DeviceError, TreeFailed
from handeye.perceive.base import Detection
from handeye.perceive.uia.api import UiaApi
from handeye.perceive.uia.com import ComApi
from handeye.perceive.uia.controls import UiaControl
from handeye.perceive.uia.elements import element_of, place


class UIAStateProvider:
    """
    Reads windows through UI Automation, which Win32, WPF, Windows Forms, WinUI, Qt, Chromium and Firefox support.

    `popups` returns the handles of a window's open menus, lists and tool tips (`Win32Backend.popups`): to Windows they are
    separate windows. `api` is UI Automation; None selects that of this computer, and raises UsageError on another system,
    MissingPart without comtypes. Thread-safe.
    """

    def __init__(
        self, popups: Callable[[Window], Sequence[int]] = lambda window: (), *, api: UiaApi | None = None
    ) -> None:
        self._popups = popups
        self._own = api is None
        self._api: UiaApi = api if api is not None else ComApi()

    @property
    def name(self) -> str:
        return "uia"

    def __enter__(self) -> UIAStateProvider:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection, unless it was passed in. The next reading makes a new one."""
        if self._own:
            self._api.close()

    def detect(self, window: Window) -> Detection:
        """
        Return the window itself first, then its elements, parents first, with a live handle each.

        Hidden elements are left out: closed menus, other pages. Elements that are scrolled out of view have an empty box
        and `metadata["offscreen"]`. Raises TreeFailed if the application reports nothing for this window, is gone, or does
        not answer.
        """
        if window.minimized:
            return Detection((), (), (f"{window} is minimized: it shows nothing",))
        try:
            tree = self._api.tree((window.id, *self._popups(window)))
        except DeviceError as error:
            raise TreeFailed(f"the window {window}: {error}") from error
        if not tree.roots:
            raise TreeFailed(f"UI Automation says nothing of the window {window}")
        tree.roots[0].box = window.box  # its own box includes the frame and its invisible edges
        placed = list(place(tree.roots))
        return Detection(
            tuple(element_of(each) for each in placed),
            tuple(UiaControl(self._api, each.node, window.id) for each in placed),
            tree.notes,
        )
