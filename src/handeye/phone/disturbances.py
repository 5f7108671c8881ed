"""The disturbances that come with the messenger: when each of them strikes, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from handeye.phone import dialogs
from handeye.phone.apps.base import Host
from handeye.phone.apps.messenger import Messenger

LOCATION = "android.permission.ACCESS_FINE_LOCATION"


class Stage(Host, Protocol):
    """What disturbances need beyond an app's host."""

    def force_stop(self, package: str) -> None: ...


class Disturbances:
    """Permission request, advert and crash of the messenger."""

    def __init__(self, stage: Stage, messenger: Messenger) -> None:
        self._stage = stage
        self._app = messenger
        self._pending: list[Callable[[], None]] = []
        self._asked = False
        self._crashed = False
        self._taps: int | None = None  # since the messenger opened
        self.permissions: dict[str, bool] = {}
        self.adverts_followed = 0
        self.crashes = 0

    def rearm(self) -> None:
        """A new scenario: what comes once may come again."""
        self._asked = self._crashed = False

    def drop_pending(self) -> None:
        """The app was left before its dialogs came."""
        self._pending.clear()

    def app_opened(self) -> None:
        """The messenger came to the front."""
        self._taps = 0
        scenario = self._stage.scenario
        if scenario.advert:
            self._pending.append(self._show_advert)
        if scenario.permission_dialog and not self._asked:
            self._pending.append(self._ask_permission)

    def app_is_ready(self) -> None:
        """The messenger is in front and loaded: show what waits."""
        pending, self._pending = self._pending, []
        for show in pending:
            show()

    def tapped(self) -> None:
        """A tap landed while the messenger was in front."""
        limit = self._stage.scenario.crash_after_taps
        if self._taps is None:
            return
        self._taps += 1
        if limit and not self._crashed and self._taps >= limit:
            self._crash()

    def _ask_permission(self) -> None:
        self._asked = True
        self._stage.show_dialog(dialogs.permission(self._app.label, self._answer_permission))

    def _answer_permission(self, allowed: bool) -> None:
        self.permissions[LOCATION] = allowed
        self._stage.close_dialog()

    def _show_advert(self) -> None:
        component = f"{self._app.package}/{self._app.activity}"
        close = self._stage.close_dialog
        self._stage.show_dialog(dialogs.advert(self._app.package, component, close, self._follow_advert))

    def _follow_advert(self) -> None:
        self.adverts_followed += 1
        self._stage.open_url(dialogs.ADVERT_URL)

    def _crash(self) -> None:
        self._crashed = True
        self.crashes += 1
        self._stage.force_stop(self._app.package)
        close, package = self._stage.close_dialog, self._app.package
        dialog = dialogs.crash(self._app.label, package, close, lambda: self._stage.launch(package))
        self._stage.show_dialog(dialog)
