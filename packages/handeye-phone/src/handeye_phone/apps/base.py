"""Base class of the phone's apps, and the host interface that they use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from handeye.geometry import Box
from handeye_phone.drawing.scene import Arc, FillPaint, Node, TextField
from handeye_phone.drawing.widgets import LayoutContext
from handeye_phone.scenario import Scenario
from handeye_phone.system.intent import Intent, Package
from handeye_phone.system.settings import SettingsStore


class Host(Protocol):
    """The phone as its apps see it."""

    @property
    def scenario(self) -> Scenario: ...
    @property
    def settings(self) -> SettingsStore: ...
    def now(self) -> float: ...
    def wall_clock(self) -> str: ...
    def launch(self, package: str) -> None: ...
    def is_installed(self, package: str) -> bool: ...
    def open_url(self, url: str) -> None: ...
    def dial(self, number: str) -> None: ...
    def go_home(self) -> None: ...
    def set_focus(self, field: TextField | None) -> None: ...
    def show_dialog(self, dialog: Dialog) -> None: ...
    def close_dialog(self) -> None: ...
    def wake_at(self, when: float) -> None: ...


class Dialog:
    """A modal window. `build` returns the card over the scrim; BACK calls `on_back` (None: BACK does nothing)."""

    def __init__(
        self,
        package: str,
        component: str,
        build: Callable[[LayoutContext], Node],
        *,
        on_back: Callable[[], None] | None,
        on_outside: Callable[[], None] | None = None,
        tag: str = "",
    ) -> None:
        self.package = package
        self.component = component
        self.build = build
        self.on_back = on_back
        self.on_outside = on_outside
        self.tag = tag


class App:
    """One application: screens, and what BACK and an intent do. Subclasses set the class attributes and `build`."""

    package = ""
    label = ""
    activity = ""
    icon = ""
    version = "1.0.0"
    system = True

    def __init__(self, host: Host) -> None:
        self.host = host
        self.user = 0
        self.loading_until = 0.0

    @property
    def light_ink(self) -> bool:
        """True if the page under the status bar is dark in either theme, so that its icons are light."""
        return False

    @property
    def info(self) -> Package:
        return Package(self.package, self.label, self.activity, self.version, self.system)

    @property
    def open_activities(self) -> tuple[str, ...]:
        """Names of the open activities, the shown one first, then those that BACK returns to."""
        return (self.activity,)

    def build(self, ui: LayoutContext) -> Node:
        """Return the app's current window."""
        raise NotImplementedError

    def back(self) -> bool:
        """Handle BACK. Return False if there is nothing left to go back to."""
        return False

    def opened(self, intent: Intent | None, fresh: bool) -> None:
        """Handle the app coming to the front; `fresh` if it was not running before."""

    def clear_data(self) -> None:
        """Reset the app as after installation. Records of what left the phone (messages, calls) stay."""

    def screen_name(self) -> str:
        """Short name of the current screen, for tests."""
        return "main"

    def load(self) -> None:
        """Show the spinner for the scenario's loading time."""
        self.loading_until = self.host.now() + self.host.scenario.loading_ms / 1000

    @property
    def loading(self) -> bool:
        return self.host.now() < self.loading_until


SPINNER_TURN_S = 0.9
_SPINNER_FRAME_S = 1 / 15


def spinner(ui: LayoutContext, host: Host) -> Node:
    """Return a page that shows only a spinner, animated by the clock."""
    host.wake_at(ui.now + _SPINNER_FRAME_S)
    turn = ui.now % SPINNER_TURN_S / SPINNER_TURN_S * 360
    x, y, half = ui.body.center.x, ui.body.center.y, ui.dp(28)
    box = Box(x - half, y - half, x + half, y + half)
    arc = Arc(ui.theme.accent, ui.dp(44), ui.dp(4), turn, turn + 260)
    bar = Node(box=box, cls="android.widget.ProgressBar", rid="loading", paint=(arc,))
    label = ui.text(
        Box(0, box.bottom + ui.dp(8), ui.size.width, box.bottom + ui.dp(32)),
        "加载中…",
        14,
        ui.theme.dim,
        align="center",
    )
    return Node(box=ui.screen, cls="android.widget.FrameLayout", paint=(FillPaint(ui.theme.page),), kids=(bar, label))
