"""
Link to one device: it is re-established until the call's deadline, and errors name the remedy.

A call whose effect on the device is unknown is never repeated: a second tap is worse than an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from handeye.clock import Clock, Deadline
from handeye.devices.android.server import AdbServer, DeviceInfo, describe, list_devices
from handeye.devices.android.transport import ShellResult, command_line, exec_out, shell_v1, shell_v2
from handeye.devices.android.wire import FIRST_BUFFER, LinkBroken, Refused, TimedOut
from handeye.errors import (
    AdbNotFound,
    CommandFailed,
    DeviceError,
    DeviceLost,
    DeviceNotFound,
    DeviceOffline,
    DeviceUnauthorized,
    UsageError,
)

T = TypeVar("T")

# Between two checks of a device that is connecting; adb itself needs about 100 ms for a handshake.
POLL_S = 0.1
# A new connection is `unauthorized` for a moment while the phone checks an unknown key.
UNAUTHORIZED_GRACE_S = 1.5
# A dropped TCP device stays `offline` for about 7 s (measured) unless it is disconnected and connected again.
OFFLINE_GRACE_S = 0.5
# If the device is connected but its answers end early this many times, the link is not the cause.
MAX_BROKEN_ANSWERS = 3

_TCP_SERIAL = re.compile(r"^.+:\d+$")
_ADDRESS_ALONE = re.compile(r"^\d{1,3}(\.\d{1,3}){3}$")
_MDNS_SERIAL = re.compile(r"\._adb(?:-tls-connect)?\._tcp\.?$")
_USUAL_REMEDY = "Wake the phone, connect it again, or run `adb reconnect offline`"
_REBOOT = "Start the phone's system: `adb reboot`, or hold its power key"
_REMEDIES = {
    "no permissions": "Give this user the right to the USB device: install Android's udev rules "
    "(Debian: android-sdk-platform-tools-common), join the group plugdev, and plug the phone in again",
    "recovery": _REBOOT,
    "rescue": _REBOOT,
    "sideload": _REBOOT,
    "bootloader": _REBOOT,
}
_ADB_PORT = 5555  # default of `adb tcpip` and `adb connect`
_TRANSIENT_STATES = frozenset({"connecting", "authorizing", "offline", "unauthorized", "host"})


class Link:
    """Commands to the device `serial`. `timeout_s` is the deadline of each call that sets none."""

    def __init__(self, server: AdbServer, serial: str, *, timeout_s: float, clock: Clock) -> None:
        self.server = server
        self.serial = serial
        self.timeout_s = timeout_s
        self.clock = clock
        self._features: frozenset[str] | None = None

    @property
    def is_tcp(self) -> bool:
        """True if the serial is an address, or an mDNS service name, that `adb connect` accepts."""
        return _TCP_SERIAL.match(self.serial) is not None or _MDNS_SERIAL.search(self.serial) is not None

    def connect(self) -> None:
        """Make the device ready, connecting to it if it is an address. Raises DeviceError with the remedy."""
        self._await_ready(Deadline(self.clock, self.timeout_s), patient=False)

    def disconnect(self) -> None:
        """Disconnect a TCP device. Does nothing if it is unknown."""
        if self.is_tcp:
            try:
                self.server.ask(f"host:disconnect:{self.serial}")
            except (LinkBroken, AdbNotFound):
                return

    def shell(self, *words: str, repeat: bool = False, timeout_s: float | None = None) -> ShellResult:
        """Run a command. `repeat`: it changes nothing, so it may be sent again after a lost link."""
        return self.shell_line(command_line(words), repeat=repeat, timeout_s=timeout_s)

    def shell_line(self, line: str, *, repeat: bool = False, timeout_s: float | None = None) -> ShellResult:
        """Run a command line built by this package."""

        def run(deadline: Deadline) -> ShellResult:
            shell = shell_v2 if "shell_v2" in self._known_features(deadline) else shell_v1
            return shell(self.server, self.serial, line, deadline)

        return self.call(run, repeat=repeat, timeout_s=timeout_s, what=line.partition(" ")[0])

    def exec_out(self, line: str, *, expected: int = FIRST_BUFFER, timeout_s: float | None = None) -> bytearray:
        """Return the bytes that a command prints. For read-only commands: they are repeated after a lost link."""
        return self.call(
            lambda deadline: exec_out(self.server, self.serial, line, deadline, expected),
            repeat=True,
            timeout_s=timeout_s,
            what=line.partition(" ")[0],
        )

    def ask(self, *words: str, timeout_s: float | None = None) -> str:
        """Return the output of a command that changes nothing. Raises CommandFailed."""
        return check(self.shell(*words, repeat=True, timeout_s=timeout_s), words[0])

    def call(self, operation: Callable[[Deadline], T], *, repeat: bool, what: str, timeout_s: float | None = None) -> T:
        """Run `operation` until its deadline, re-establishing the link as long as that cannot perform anything twice."""
        deadline = Deadline(self.clock, self.timeout_s if timeout_s is None else timeout_s)
        broken_answers = 0
        while True:
            try:
                return operation(deadline)
            except LinkBroken as error:
                if error.sent and not repeat:
                    raise self._unknown_effect(error, what) from error
                if isinstance(error, TimedOut) or deadline.passed:
                    raise self._no_answer(error, what) from error
                self._features = None
                was_ready = self._await_ready(deadline, patient=True)
                broken_answers = broken_answers + 1 if was_ready else 0
                if broken_answers >= MAX_BROKEN_ANSWERS:
                    if isinstance(error, Refused):  # the device is there and has no such service
                        raise CommandFailed(what, 1, str(error)) from error
                    raise DeviceLost(
                        f"{self.serial} is connected, but {what!r} ends without an answer: {error}. "
                        "Restart adb on the phone (switch USB debugging off and on)"
                    ) from error

    def _known_features(self, deadline: Deadline) -> frozenset[str]:
        if self._features is None:
            try:
                named = self.server.ask(f"host-serial:{self.serial}:features", deadline)
            except Refused as error:
                if "unknown host service" in str(error):  # a server older than 2016
                    named = ""
                else:
                    raise
            self._features = frozenset(named.strip().split(","))
        return self._features

    def _await_ready(self, deadline: Deadline, *, patient: bool) -> bool:
        """
        Wait until adb reports the device as ready; return True if it was so at once.

        `patient`: the device was there before, so it may come back from being absent.
        """
        seen: dict[str, Deadline] = {}
        first = True
        while True:
            devices = list_devices(self.server)  # not limited by `deadline`: the server itself responds quickly
            state = next((device.state for device in devices if device.serial == self.serial), "absent")
            if state == "device":
                return first
            first = False
            grace = seen.setdefault(state, deadline.at_most(_grace(state)))
            answer = self._ask_to_connect(state, deadline) if self.is_tcp and grace.passed else ""
            if answer:
                seen.clear()  # a new attempt gets a new grace period
            if grace.passed and not answer.startswith(("connected", "already connected")):
                self._raise_if_hopeless(state, devices, answer, patient)
            if deadline.passed:
                raise self._not_ready(state, devices, answer, patient)
            deadline.pause(POLL_S)

    def _ask_to_connect(self, state: str, deadline: Deadline) -> str:
        """Ask adb to connect (again) to an absent or offline address; return its answer."""
        if state not in ("absent", "offline"):
            return ""
        try:
            if state == "offline":
                self.server.ask(f"host:disconnect:{self.serial}", deadline)
            return self.server.ask(f"host:connect:{self.serial}", deadline).strip()
        except LinkBroken as error:
            return str(error)

    def _raise_if_hopeless(self, state: str, devices: list[DeviceInfo], answer: str, patient: bool) -> None:
        """Raise for a state that waiting does not change."""
        hopeless = state not in _TRANSIENT_STATES and state != "absent"
        if state == "unauthorized" or hopeless or (state == "absent" and not patient):
            if "failed to authenticate" in answer:
                state = "unauthorized"
            raise self._not_ready(state, devices, answer, patient)

    def _not_ready(self, state: str, devices: list[DeviceInfo], answer: str, was_there: bool) -> DeviceError:
        serial = self.serial
        if state == "unauthorized":
            return DeviceUnauthorized(
                f"{serial} has not accepted this computer. Unlock the phone and allow USB debugging in the dialog it shows; "
                "if none is shown, revoke the USB debugging authorisations in the developer options and connect again"
            )
        if was_there and state in ("absent", "offline"):
            said = f" (adb says: {answer})" if answer else ""
            return DeviceLost(
                f"{serial} went away and did not come back in time{said}. Check the cable or the network, and that the phone "
                "is awake; then connect again"
            )
        if state == "absent":
            others = [device for device in devices if device.serial != serial]
            said = f" adb says: {answer}." if answer else ""
            check = "that its address and port are right and wireless debugging is on" if self.is_tcp else "the cable"
            return DeviceNotFound(f"{serial!r} is not there.{said} Check {check}. Devices there: {describe(others)}")
        remedy = next((remedy for word, remedy in _REMEDIES.items() if state.startswith(word)), _USUAL_REMEDY)
        return DeviceOffline(f"{serial} is {state}: adb knows it, but cannot use it. {remedy}")

    def _unknown_effect(self, error: LinkBroken, what: str) -> DeviceError:
        kind = DeviceOffline if isinstance(error, TimedOut) else DeviceLost
        return kind(
            f"{self.serial} went away while {what!r} was running ({error}). It is not known whether it took effect, so it "
            "was not repeated: look at the screen before trying again"
        )

    def _no_answer(self, error: LinkBroken, what: str) -> DeviceError:
        kind = DeviceOffline if isinstance(error, TimedOut) else DeviceLost
        return kind(
            f"{self.serial} gave no answer to {what!r} in time ({error}). Check that the phone is awake and connected"
        )


def _grace(state: str) -> float:
    return {"unauthorized": UNAUTHORIZED_GRACE_S, "offline": OFFLINE_GRACE_S}.get(state, 0.0)


def check(result: ShellResult, command: str) -> str:
    """Return the output of a command that must have succeeded. Raises CommandFailed."""
    if result.exit_code:
        raise CommandFailed(command, result.exit_code, result.said)
    return result.text


def with_port(serial: str) -> str:
    """Add adb's default port to an IPv4 address without one; return any other serial unchanged."""
    return f"{serial}:{_ADB_PORT}" if _ADDRESS_ALONE.match(serial) else serial


def only_device(server: AdbServer) -> str:
    """Return the serial of the only connected device. Raises DeviceNotFound, or UsageError if there are several."""
    devices = list_devices(server)
    ready = [device for device in devices if device.state == "device"] or devices
    if not ready:
        raise DeviceNotFound(
            "no device is connected. Plug a phone in with USB debugging on, `handeye connect HOST:PORT`, or use the virtual "
            "one with `--device phone:`"
        )
    if len(ready) > 1:
        raise UsageError(f"several devices are connected; choose one with --device SERIAL: {describe(ready)}")
    return ready[0].serial
