"""Disturbances of one app: when each of them occurs, and its outcome."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from handeye_phone.apps.base import App, Dialog, Host
from handeye_phone.system import dialogs
from handeye_phone.system.splash import splash
from handeye_phone.system.texts import LANGUAGES, SystemWords

LOCATION = "android.permission.ACCESS_FINE_LOCATION"
ALL_PHOTOS = "android.permission.READ_MEDIA_IMAGES"
SELECTED_PHOTOS = "android.permission.READ_MEDIA_VISUAL_USER_SELECTED"


class DisturbanceHost(Host, Protocol):
    """Interface that disturbances use beyond an app's host."""

    def force_stop(self, package: str) -> None: ...
    def withdraw(self, dialog: Dialog) -> None: ...


class Disturbances:
    """Permission request, advert and crash of the app that the scenario names."""

    def __init__(self, stage: DisturbanceHost) -> None:
        self._stage = stage
        self._pending: list[Callable[[], None]] = []
        self._asked = False
        self._crashed = False
        self._taps: int | None = None  # since the app opened
        self._splash: tuple[Dialog, float] | None = None  # with the clock time of its end
        self.permissions: dict[str, bool] = {}
        self.grants: dict[
            str, str
        ] = {}  # scope of each permission's last grant, by the names of handeye.blockers.base.Grant
        self.adverts_followed = 0
        self.crashes = 0

    def rearm(self) -> None:
        """Reset for a new scenario: disturbances that occur once may occur again."""
        self._asked = self._crashed = False

    def forget_permissions(self) -> None:
        """Revoke the app's permissions, after its data was cleared; it asks again."""
        self.permissions.clear()
        self.grants.clear()
        self._asked = False

    def drop_pending(self) -> None:
        """Drop the pending dialogs, after the app was left."""
        self._pending.clear()

    def app_opened(self, app: App) -> None:
        """Handle the app coming to the front."""
        self._taps = 0
        scenario = self._stage.scenario
        if scenario.countdown_s:
            ends = self._stage.now() + scenario.loading_ms / 1000 + scenario.countdown_s
            self._pending.append(partial(self._show_splash, app, ends))
        if scenario.advert:
            self._pending.append(partial(self._show_advert, app))
        if scenario.not_responding:
            self._pending.append(partial(self._stop_responding, app))
        if scenario.permission_needed or (scenario.permission_dialog and not self._asked):
            self._pending.append(partial(self._ask_permission, app))

    def app_is_ready(self) -> None:
        """Show the pending dialogs, once the app is in front and loaded."""
        if self._splash is not None and self._stage.now() >= self._splash[1]:
            self._stage.withdraw(self._splash[0])
            self._splash = None
        pending, self._pending = self._pending, []
        for show in pending:
            show()

    def tapped(self, app: App) -> None:
        """Handle a tap in the app."""
        limit = self._stage.scenario.crash_after_taps
        if self._taps is None:
            return
        self._taps += 1
        if limit and not self._crashed and self._taps >= limit:
            self._crash(app)

    def _ask_permission(self, app: App) -> None:
        self._asked = True
        asks = dialogs.photos if self._stage.scenario.permission == "photos" else dialogs.location
        self._stage.show_dialog(asks(self._words, app.label, partial(self._answer_permission, app)))

    def _stop_responding(self, app: App) -> None:
        stage, package = self._stage, app.package
        stage.show_dialog(
            dialogs.not_responding(
                self._words, app.label, package, lambda: stage.force_stop(package), stage.close_dialog
            )
        )

    def _answer_permission(self, app: App, grant: str) -> None:
        stage = self._stage
        if grant == "selected":
            stage.show_dialog(dialogs.photo_picker(self._words, partial(self._photos_chosen, app), stage.close_dialog))
            return
        self._granted(app, ALL_PHOTOS if stage.scenario.permission == "photos" else LOCATION, grant)

    def _photos_chosen(self, app: App) -> None:
        self._stage.close_dialog()
        self.permissions[ALL_PHOTOS] = False
        self._granted(app, SELECTED_PHOTOS, "selected")

    def _granted(self, app: App, permission: str, grant: str) -> None:
        """Record the answer to a permission request; `grant` is "" for a refusal."""
        self.permissions[permission] = bool(grant)
        self.grants.pop(permission, None)
        if grant:
            self.grants[permission] = grant
        self._stage.close_dialog()
        if self._stage.scenario.permission_needed and not grant:
            self._stage.force_stop(app.package)

    @property
    def _words(self) -> SystemWords:
        return LANGUAGES[self._stage.scenario.language]

    def _show_advert(self, app: App) -> None:
        component = f"{app.package}/{app.activity}"
        close = self._stage.close_dialog
        self._stage.show_dialog(dialogs.advert(self._words, app.package, component, close, self._follow_advert))

    def _show_splash(self, app: App, ends: float) -> None:
        component, stage = f"{app.package}/{app.activity}", self._stage
        if stage.now() >= ends:
            return
        shown = splash(
            self._words, app.package, component, ends, stage.close_dialog, self._follow_advert, stage.wake_at
        )
        self._splash = shown, ends
        stage.show_dialog(shown)

    def _follow_advert(self) -> None:
        self.adverts_followed += 1
        self._stage.open_url(dialogs.ADVERT_URL)

    def _crash(self, app: App) -> None:
        self._crashed = True
        self.crashes += 1
        self._stage.force_stop(app.package)
        close, package = self._stage.close_dialog, app.package
        dialog = dialogs.crash(self._words, app.label, package, close, lambda: self._stage.launch(package))
        self._stage.show_dialog(dialog)
