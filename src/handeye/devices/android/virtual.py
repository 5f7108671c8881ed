"""The virtual phone as a device; the only module that imports `handeye_phone` (packages/handeye-phone)."""

from __future__ import annotations

from handeye.clock import Clock
from handeye.devices.android.controller import DEFAULT_TIMEOUT_S, ADBController
from handeye.devices.android.server import AdbServer, list_devices
from handeye.errors import MissingPart

try:
    from handeye_phone import SCENARIOS, AuthPolicy, Scenario, ScenarioError, VirtualPhone
except ModuleNotFoundError as error:
    raise MissingPart("the virtual phone", "pip install . ./packages/handeye-phone (in a clone of Handeye)") from error

__all__ = ["SCENARIOS", "AuthPolicy", "PhoneDevice", "Scenario", "ScenarioError", "VirtualPhone"]


class PhoneDevice(ADBController):
    """
    A VirtualPhone in this process, and its controller. `close` stops the phone.

    To all code above, it behaves like a real phone: its pictures and keys go through the adb server.
    """

    def __init__(
        self,
        scenario: Scenario | None = None,
        *,
        user: int | None = None,
        display: int | None = None,
        server: AdbServer | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        clock: Clock | None = None,
    ) -> None:
        self.phone = VirtualPhone(scenario=scenario)
        super().__init__(None, user=user, display=display, server=server, timeout_s=timeout_s, clock=clock)
        self.phone.start()
        self._wanted = self.phone.serial
        try:
            self.connect()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        link = self._link
        try:
            super().close()
            if link is not None:
                link.disconnect()  # otherwise adb keeps looking for the phone
            self._leave_no_server()
        finally:
            self.phone.stop()

    def _leave_no_server(self) -> None:
        """Stop the adb server if it was started for this phone and has no other devices by now."""
        if self._server.started and all(each.serial == self.phone.serial for each in list_devices(self._server)):
            self._server.stop()
