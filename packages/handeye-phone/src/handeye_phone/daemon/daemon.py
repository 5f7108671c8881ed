"""The device side of adb: accepts and serves hosts, and can drop its link."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from handeye.errors import UsageError
from handeye_phone.daemon.auth import AuthPolicy, PublicKey
from handeye_phone.daemon.connection import Connection
from handeye_phone.daemon.forwarding import local_socket_service, tcp_service
from handeye_phone.daemon.packets import MAX_PAYLOAD
from handeye_phone.daemon.program import exec_service, shell_service
from handeye_phone.daemon.stream import Stream
from handeye_phone.daemon.sync import sync_service

if TYPE_CHECKING:
    from handeye_phone.device import ShellDevice

log = logging.getLogger("handeye_phone.daemon")

ADDRESS = "127.0.0.1"
# adb servers probe these ports for emulators, so a phone there is listed twice.
PROBED_PORTS = range(5555, 5586)
FEATURES = ("shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir", "fixed_push_symlink_timestamp", "sendrecv_v2")
MAX_HOSTS = 64
REBIND_EVERY_S = 0.05  # how often a phone whose link came back tries to get its port again

LocalService = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def bind(port: int) -> socket.socket:
    """Return a listening socket on 127.0.0.1; port 0 picks a free one that adb does not probe."""
    if port in PROBED_PORTS:
        raise UsageError(f"port {port!r} is one that adb probes for emulators (5555-5585); choose another, e.g. 15555")
    while True:
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if hasattr(socket, "SO_REUSEPORT"):  # POSIX: reuse after close; on Windows the flag means something else
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((ADDRESS, port))
            sock.listen(128)
            sock.setblocking(False)
        except BaseException:
            sock.close()
            raise
        if port or sock.getsockname()[1] not in PROBED_PORTS:
            return sock
        sock.close()


class Daemon:
    """Serves one phone. All methods are called on its event loop."""

    def __init__(self, phone: ShellDevice, policy: AuthPolicy = AuthPolicy.OPEN) -> None:
        self.phone = phone
        self.policy = policy
        self.known_keys: set[PublicKey] = set()
        self.local_services: dict[str, LocalService] = {}
        self.port = 0
        self._server: asyncio.Server | None = None
        self._connections: dict[Connection, asyncio.Task[None]] = {}
        self._returning: asyncio.Task[None] | None = None
        phone.on_link_drop = self.drop_link

    async def start(self, listener: socket.socket) -> None:
        """Serve on this listening socket."""
        self.port = listener.getsockname()[1]
        self._server = await asyncio.start_server(self._accept, sock=listener, limit=2 * MAX_PAYLOAD)

    async def stop(self) -> None:
        """Close the port and every connection, and wait until their tasks are gone."""
        if self._returning is not None:
            self._returning.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._returning
        self._close_port()
        tasks = list(self._connections.values())
        for connection in list(self._connections):
            connection.abort()
        if tasks:
            await asyncio.wait(tasks)

    @property
    def open_connections(self) -> int:
        return len(self._connections)

    def drop_link(self, seconds: float) -> None:
        """Cut every connection and refuse new ones for this long."""
        if self._returning is not None:
            return
        log.info("link dropped for %g s", seconds)
        self._close_port()
        for connection in list(self._connections):
            connection.abort()
        self._returning = asyncio.create_task(self._return_after(seconds))

    async def _return_after(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        while True:
            try:
                listener = bind(self.port)
                break
            except OSError as error:
                log.warning("port %d is not free yet: %s", self.port, error)
                await asyncio.sleep(REBIND_EVERY_S)
        await self.start(listener)
        self._returning = None

    def _close_port(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._connections) >= MAX_HOSTS or self._server is None:
            writer.close()
            return
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        writer.transport.set_write_buffer_limits(high=2 * MAX_PAYLOAD)
        connection = Connection(self, reader, writer)
        task = asyncio.current_task()
        assert task is not None
        self._connections[connection] = task
        try:
            await connection.run()
        finally:
            del self._connections[connection]

    # ---- what a connection asks for
    def banner(self) -> bytes:
        """Device name and features, as adbd announces them."""
        props = self.phone.model.props
        names = ("ro.product.name", "ro.product.model", "ro.product.device")
        values = "".join(f"{name}={props.get(name, '')};" for name in names)
        return f"device::{values}features={','.join(FEATURES)}".encode()

    def service(self, destination: str) -> Callable[[Stream], Awaitable[None]] | None:
        """Return the service for an OPEN, or None to refuse it."""
        kind, _, argument = destination.partition(":")
        name, *options = kind.split(",")
        if name == "shell":
            return shell_service(self.phone, options, argument)
        if name == "exec":
            return exec_service(self.phone, argument)
        if name == "sync":
            return sync_service(self.phone.files)
        if name == "tcp":
            return tcp_service(argument)
        if name in ("localabstract", "localreserved", "localfilesystem", "local"):
            return local_socket_service(self.local_services.get(destination))
        return None
