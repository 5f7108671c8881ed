"""List the devices that the adb server knows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from handeye.devices.android.server import AdbServer
from handeye.devices.android.wire import LinkBroken
from handeye.errors import AdbNotFound

# A line of `adb devices -l`: a serial, which may contain spaces and brackets (mDNS: "adb-R5C
# (2)._adb-tls-connect._tcp"), one of adb's states, for "no permissions" with a reason, the USB port, then `key:value`
# words.
_STATES = (
    "device|offline|unauthorized|authorizing|connecting|host|recovery|rescue|sideload|bootloader|detached|unknown"
    r"|no permissions.*?"
)
_LINE = re.compile(
    rf"^(?P<serial>\S.*?)\s+(?P<state>{_STATES})(?:\s+\d+-[\d.]+)?(?P<about>(?:\s+\w+:\S*)*)\s*$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """
    A device as the adb server lists it.

    `state` is adb's: `device` is ready; `offline`, `unauthorized`, `connecting`, `recovery` and others are not.
    """

    serial: str
    state: str
    model: str = ""
    product: str = ""
    transport_id: int | None = None

    def __str__(self) -> str:
        return f"{self.serial} ({self.state})" + (f", {self.model}" if self.model else "")


def list_devices(server: AdbServer | None = None) -> list[DeviceInfo]:
    """Return every device the server knows, ready or not, in its order. Raises AdbNotFound."""
    server = server or AdbServer()
    try:
        return parse_devices(server.ask("host:devices-l"))
    except LinkBroken as error:
        raise AdbNotFound(f"the adb server on {server.host}:{server.port} did not list its devices: {error}") from error


def parse_devices(listing: str) -> list[DeviceInfo]:
    """Parse the lines of `adb devices -l`."""
    devices = []
    for match in _LINE.finditer(listing):
        about = dict(word.split(":", 1) for word in match["about"].split())
        number = about.get("transport_id", "")
        devices.append(
            DeviceInfo(
                match["serial"],
                match["state"],
                about.get("model", ""),
                about.get("product", ""),
                int(number) if number.isdigit() else None,
            )
        )
    return devices


def describe(devices: list[DeviceInfo]) -> str:
    """Format the devices in one line for an error message."""
    return "; ".join(map(str, devices)) or "none"
