"""The virtual phone on its own thread: start it, use it with any adb client, read its state."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import TypeVar

from handeye.errors import DeviceError
from handeye_phone.daemon.auth import AuthPolicy, parse_public_key
from handeye_phone.daemon.daemon import ADDRESS, Daemon, LocalService, bind
from handeye_phone.device import ShellDevice
from handeye_phone.model import PhoneModel
from handeye_phone.scenario import Scenario
from handeye_phone.state import PhoneState
from handeye_phone.window import WindowServer, serve_window

T = TypeVar("T")

CALL_TIMEOUT_S = 30.0  # a call on the loop waits for at most a few renders; longer means the loop is stuck
STOP_TIMEOUT_S = 10.0


class VirtualPhone:
    """An Android phone with a drawn screen behind a real ADB daemon on 127.0.0.1.

    `port` 0 takes a free one; 5555-5585 are refused (UsageError). A context manager; `start` returns when the port is
    open. Raises OSError when the port is taken.
    """

    def __init__(self, *, port: int = 0, scenario: Scenario | None = None, auth: AuthPolicy = AuthPolicy.OPEN) -> None:
        self._wanted_port = port
        self._scenario = scenario if scenario is not None else Scenario()
        self._auth = auth
        self._known_keys: list[bytes] = []
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leave: asyncio.Event | None = None
        self._handset: ShellDevice | None = None
        self._daemon: Daemon | None = None
        self._windows: list[WindowServer] = []
        self.port = 0

    # ---- life
    def start(self) -> None:
        """Open the port and serve until `stop`."""
        if self._thread is not None:
            raise DeviceError(f"the virtual phone already runs on port {self.port}")
        listener = bind(self._wanted_port)
        ready: Future[None] = Future()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._main(listener, ready)), name="virtual-phone", daemon=True
        )
        self._thread.start()
        try:
            ready.result(CALL_TIMEOUT_S)
        except BaseException:
            listener.close()
            self._thread = None
            raise

    def stop(self) -> None:
        """Close the port and end the thread. Does nothing if it is not running."""
        thread, loop, leave = self._thread, self._loop, self._leave
        if thread is None:
            return
        if loop is not None and leave is not None:
            with contextlib.suppress(RuntimeError):  # the loop is already closed
                loop.call_soon_threadsafe(leave.set)
        thread.join(STOP_TIMEOUT_S)
        if thread.is_alive():
            raise DeviceError("the virtual phone's thread does not end")
        self._thread = self._loop = self._leave = self._daemon = self._handset = None

    def __enter__(self) -> VirtualPhone:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    async def _main(self, listener: object, ready: Future[None]) -> None:
        with ThreadPoolExecutor(2, "virtual-phone") as executor:
            try:
                handset = ShellDevice(PhoneModel(self._scenario), executor)
                daemon = Daemon(handset, self._auth)
                daemon.known_keys.update(parse_public_key(blob) for blob in self._known_keys)
                await daemon.start(listener)  # type: ignore[arg-type]
                self._leave = asyncio.Event()
            except BaseException as error:
                ready.set_exception(error)
                raise
            self._loop = asyncio.get_running_loop()
            self._handset, self._daemon, self._windows, self.port = handset, daemon, [], daemon.port
            ready.set_result(None)
            try:
                await self._leave.wait()
            finally:
                for window in self._windows:
                    await window.close()
                await daemon.stop()

    # ---- use
    @property
    def serial(self) -> str:
        """Serial number, as for `adb connect` and `adb -s`."""
        return f"{ADDRESS}:{self.port}"

    @property
    def state(self) -> PhoneState:
        """Snapshot of the phone's state."""
        return self.call(lambda model: model.state)

    @property
    def log(self) -> list[str]:
        """The last 10,000 received command lines, oldest first."""
        return self._on_loop(lambda: list(self._running().log))

    def call(self, function: Callable[[PhoneModel], T]) -> T:
        """Run `function` with the model on the phone's own thread and return what it returns."""
        return self._on_loop(lambda: function(self._running().model))

    def set_scenario(self, scenario: Scenario | str) -> None:
        """Switch the scenario, by value or by name ("permission,dark")."""
        chosen = Scenario.parse(scenario) if isinstance(scenario, str) else scenario
        self._on_loop(lambda: self._running().set_scenario(chosen))

    def trust(self, public_key: bytes) -> None:
        """Accept this computer's key: the content of its `adbkey.pub`. Raises ValueError for anything else."""
        key = parse_public_key(public_key)
        self._known_keys.append(public_key)
        daemon = self._daemon
        if daemon is not None:
            self._on_loop(lambda: daemon.known_keys.add(key))

    def listen(self, name: str, service: LocalService) -> None:
        """Serve a socket inside the phone with `service`, e.g. "localabstract:echo"."""
        daemon = self._daemon
        if daemon is None:
            raise DeviceError("the virtual phone is not running; call start() first")
        self._on_loop(lambda: daemon.local_services.__setitem__(name, service))

    def drop_link(self, seconds: float) -> None:
        """Cut every connection now and refuse new ones for this long."""
        self._on_loop(lambda: self._running().on_link_drop(seconds))

    def open_window(self, port: int = 0) -> str:
        """Show the phone live in a local web page and return its address. Raises OSError when the port is taken."""
        handset = self._running()
        loop = self._loop
        assert loop is not None  # set together with the device

        async def open_it() -> str:
            window = await serve_window(handset.model, port=port, set_scenario=handset.set_scenario)
            self._windows.append(window)
            return window.url

        return asyncio.run_coroutine_threadsafe(open_it(), loop).result(CALL_TIMEOUT_S)

    @property
    def running(self) -> bool:
        """True while the phone serves hosts."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def connections(self) -> int:
        """Number of connected hosts."""
        daemon = self._daemon
        return self._on_loop(lambda: daemon.open_connections) if daemon is not None else 0

    def _running(self) -> ShellDevice:
        if self._handset is None:
            raise DeviceError("the virtual phone is not running; call start() first")
        return self._handset

    def _on_loop(self, function: Callable[[], T]) -> T:
        loop = self._loop
        if loop is None or self._thread is None:
            raise DeviceError("the virtual phone is not running; call start() first")
        if threading.current_thread() is self._thread:
            return function()
        outcome: Future[T] = Future()

        def run() -> None:
            try:
                outcome.set_result(function())
            except BaseException as error:  # noqa: BLE001 - carried to the calling thread
                outcome.set_exception(error)

        loop.call_soon_threadsafe(run)
        return outcome.result(CALL_TIMEOUT_S)
