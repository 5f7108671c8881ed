"""One computer connected to the phone: the handshake, then streams."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from typing import Protocol

from handeye_phone.daemon.auth import TOKEN_BYTES, AuthPolicy, PublicKey, parse_public_key, verify_signature
from handeye_phone.daemon.packets import (
    AUTH,
    AUTH_PUBLIC_KEY,
    AUTH_SIGNATURE,
    AUTH_TOKEN,
    CLSE,
    CNXN,
    MAX_PAYLOAD,
    MIN_PAYLOAD,
    OKAY,
    OPEN,
    STLS,
    VERSION,
    VERSION_CHECKSUMS,
    WRTE,
    Packet,
    ProtocolError,
    checksum,
    header,
    read_packet,
)
from handeye_phone.daemon.stream import Stream

log = logging.getLogger("handeye_phone.daemon")

# A host rarely has more than a hundred open; past this the phone refuses instead of running out of memory.
MAX_STREAMS = 8192

Service = Callable[[Stream], Awaitable[None]]


class Host(Protocol):
    """Interface of the daemon that a connection uses."""

    policy: AuthPolicy
    known_keys: set[PublicKey]

    def banner(self) -> bytes: ...

    def service(self, destination: str) -> Service | None: ...


class Connection:
    """The ADB connection of one host. `run` returns when it ends, and never raises for what the host sent."""

    def __init__(self, host: Host, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._host = host
        self._reader = reader
        self._writer = writer
        self._streams: dict[int, Stream] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._next_id = 0
        self._online = False
        self._version = VERSION_CHECKSUMS  # until the host's CNXN
        self._token = b""
        self.max_payload = MIN_PAYLOAD

    async def run(self) -> None:
        """Serve until the host leaves or breaks the protocol, then end every stream and task."""
        try:
            while True:
                await self._packet(await read_packet(self._reader))
        except ProtocolError as error:
            log.warning("host dropped: %s", error)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            await self._end()

    def abort(self) -> None:
        """Cut the link as a pulled cable would; `run` then returns."""
        self._writer.transport.abort()

    async def send(self, command: int, arg0: int, arg1: int, payload: bytes | memoryview = b"") -> None:
        """Write one packet and wait while the socket is full. Raises ConnectionError."""
        self._writer.write(header(command, arg0, arg1, payload, version=self._version))
        if len(payload):
            self._writer.write(payload)
        await self._writer.drain()

    async def _end(self) -> None:
        for stream in self._streams.values():
            stream.peer_closed()
        for task in self._tasks:
            task.cancel()
        self._writer.close()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _packet(self, packet: Packet) -> None:
        self._check(packet)
        if packet.command == CNXN:
            await self._connect(packet)
        elif packet.command == AUTH:
            await self._authenticate(packet)
        elif packet.command == STLS:
            # TLS is not in our banner, so a host that asks for it breaks the protocol.
            raise ProtocolError("the host asked for TLS, which this phone does not offer")
        elif self._online:
            self._on_stream(packet)
        else:
            log.debug("packet %#010x before the handshake ignored", packet.command)

    def _check(self, packet: Packet) -> None:
        if self._version >= VERSION or not packet.payload:
            return
        # Hosts of the newer version send zero already in their CNXN.
        if packet.checksum != checksum(packet.payload) and (self._online or packet.checksum != 0):
            raise ProtocolError(f"checksum {packet.checksum:#x} does not fit the payload")

    # ---- handshake
    async def _connect(self, packet: Packet) -> None:
        for stream in self._streams.values():  # a second CNXN starts over
            stream.peer_closed()
        self._streams.clear()
        self._online = False
        self._version = min(max(packet.arg0, VERSION_CHECKSUMS), VERSION)
        self.max_payload = min(max(packet.arg1, MIN_PAYLOAD), MAX_PAYLOAD)
        if self._host.policy is AuthPolicy.OPEN:
            await self._accept()
        else:
            await self._challenge()

    async def _authenticate(self, packet: Packet) -> None:
        if not self._token:
            raise ProtocolError("AUTH without a challenge")
        if packet.arg0 == AUTH_SIGNATURE:
            token, keys = self._token, self._host.known_keys
            trusted = self._host.policy is not AuthPolicy.REFUSE
            if trusted and any(verify_signature(key, token, packet.payload) for key in keys):
                await self._accept()
            else:
                await self._challenge()
        elif packet.arg0 == AUTH_PUBLIC_KEY:
            await self._offer(packet.payload)
        else:
            raise ProtocolError(f"AUTH of unknown type {packet.arg0}")

    async def _offer(self, blob: bytes) -> None:
        try:
            key = parse_public_key(blob)
        except ValueError as error:
            raise ProtocolError(str(error)) from error
        if self._host.policy is AuthPolicy.ASK:
            self._host.known_keys.add(key)
            await self._accept()
        # Otherwise silence: on a phone the dialog stays open and the host shows "unauthorized".

    async def _challenge(self) -> None:
        self._token = os.urandom(TOKEN_BYTES)
        await self.send(AUTH, AUTH_TOKEN, 0, self._token)

    async def _accept(self) -> None:
        self._online = True
        self._token = b""
        await self.send(CNXN, self._version, MAX_PAYLOAD, self._host.banner())

    # ---- streams
    def _on_stream(self, packet: Packet) -> None:
        if packet.command == OPEN:
            self._open(packet)
            return
        stream = self._streams.get(packet.arg1)
        if stream is None or stream.remote_id != packet.arg0:
            if packet.command == WRTE:
                self._later(self.send(CLSE, 0, packet.arg0))
            return
        if packet.command == OKAY:
            stream.acknowledged()
        elif packet.command == WRTE:
            stream.feed(packet.payload)
        elif packet.command == CLSE:
            del self._streams[stream.local_id]
            stream.peer_closed()

    def _open(self, packet: Packet) -> None:
        if packet.arg0 == 0:
            raise ProtocolError("OPEN with stream id 0")
        # A C string on the phone's side: it ends at the first NUL.
        destination = packet.payload.split(b"\0", 1)[0].decode("utf-8", "surrogateescape")
        service = self._host.service(destination) if len(self._streams) < MAX_STREAMS else None
        if service is None:
            self._later(self.send(CLSE, 0, packet.arg0))
            return
        self._next_id = self._next_id % 0x7FFFFFFF + 1
        stream = Stream(self, self._next_id, packet.arg0)
        self._streams[stream.local_id] = stream
        self._later(self._serve(stream, service))

    async def _serve(self, stream: Stream, service: Service) -> None:
        try:
            await self.send(OKAY, stream.local_id, stream.remote_id)
            await service(stream)
        except (ConnectionError, EOFError) as error:
            log.debug("stream %d ended early: %s", stream.local_id, error)
        finally:
            self._streams.pop(stream.local_id, None)
            await stream.close()

    def _later(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not isinstance(error, ConnectionError):
            log.error("a service of the virtual phone failed", exc_info=error)
