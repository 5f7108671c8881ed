"""`adb forward`: streams to a TCP port of this computer, or to a socket inside the phone."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable

from handeye_phone.daemon.stream import Stream

CHUNK = 64 * 1024


async def _pump(stream: Stream, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy bytes in both directions until one side ends."""

    async def to_socket() -> None:
        while data := await stream.read():
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()

    sender = asyncio.create_task(to_socket())
    try:
        while data := await reader.read(CHUNK):
            await stream.write(data)
    finally:
        sender.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionError):
            await sender
        writer.close()


def tcp_service(argument: str) -> Callable[[Stream], Awaitable[None]] | None:
    """Return the service for `tcp:PORT`, or None; 127.0.0.1 only: the phone's network is this computer's loopback."""
    host, _, port = argument.rpartition(":")
    if host not in ("", "127.0.0.1", "localhost") or not port.isascii() or not port.isdigit():
        return None
    number = int(port)
    if not 0 < number < 65536:
        return None

    async def serve(stream: Stream) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", number)
        await _pump(stream, reader, writer)

    return serve


def local_socket_service(
    handler: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]] | None,
) -> Callable[[Stream], Awaitable[None]] | None:
    """Return the service listening on a socket inside the phone, or None if there is none."""
    if handler is None:
        return None

    async def serve(stream: Stream) -> None:
        ours, theirs = socket.socketpair()
        reader, writer = await asyncio.open_connection(sock=ours)
        inner = asyncio.create_task(_run(handler, theirs))
        try:
            await _pump(stream, reader, writer)
        finally:
            inner.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await inner

    return serve


async def _run(
    handler: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]], sock: socket.socket
) -> None:
    reader, writer = await asyncio.open_connection(sock=sock)
    try:
        await handler(reader, writer)
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()
