"""The `sync:` service: push, pull, stat and list, in their first and second versions (AOSP file_sync_protocol.h)."""

from __future__ import annotations

import errno
import stat
import struct
from collections.abc import Awaitable, Callable

from handeye_phone.daemon.stream import Stream
from handeye_phone.shell.files import FileSystem, Node, failure

MAX_PATH = 1024
MAX_CHUNK = 64 * 1024
CHUNKS_A_WRITE = 15  # just under the largest packet
DEVICE = 0x10301
STAT_V2 = struct.Struct("<IQQIIIIQqqq")  # error, dev, ino, mode, nlink, uid, gid, size, atime, mtime, ctime


def sync_service(files: FileSystem) -> Callable[[Stream], Awaitable[None]]:
    """Serve file commands until QUIT or the end of the stream."""

    async def serve(stream: Stream) -> None:
        await _Session(files, stream).run()

    return serve


class _Session:
    def __init__(self, files: FileSystem, stream: Stream) -> None:
        self._files = files
        self._stream = stream

    async def run(self) -> None:
        while True:
            name, length = struct.unpack("<4sI", await self._stream.read_exactly(8))
            if name == b"QUIT":
                return
            if length > MAX_PATH:
                await self._fail("invalid path")
                return
            path = (await self._stream.read_exactly(length)).decode("utf-8", "surrogateescape")
            handler = {
                b"STAT": self._stat_v1,
                b"STA2": self._stat_v2,
                b"LST2": self._lstat_v2,
                b"LIST": self._list_v1,
                b"LIS2": self._list_v2,
                b"RECV": self._receive,
                b"RCV2": self._receive_v2,
                b"SEND": self._send_v1,
                b"SND2": self._send_v2,
            }.get(name)
            if handler is None:
                await self._fail(f"unknown command {name.hex()}")
                return
            await handler(path)

    async def _fail(self, message: str) -> None:
        text = message.encode("utf-8", "surrogateescape")
        await self._stream.write(b"FAIL" + struct.pack("<I", len(text)) + text)

    # ---- stat and list
    def _node(self, path: str, *, follow: bool) -> Node | int:
        """Return the node, or the errno."""
        try:
            return self._files.stat(path, follow=follow)
        except OSError as error:
            return error.errno or errno.EIO

    @staticmethod
    def _packed(found: Node | int) -> bytes:
        if isinstance(found, int):
            return STAT_V2.pack(found, *[0] * 10)
        when = int(found.mtime)
        links = 2 if found.is_dir else 1
        return STAT_V2.pack(
            0, DEVICE, found.inode, found.mode, links, found.uid, found.gid, found.size, when, when, when
        )

    async def _stat_v1(self, path: str) -> None:
        found = self._node(path, follow=False)
        fields = (0, 0, 0) if isinstance(found, int) else (found.mode, found.size & 0xFFFFFFFF, int(found.mtime))
        await self._stream.write(b"STAT" + struct.pack("<3I", *fields))

    async def _stat_v2(self, path: str) -> None:
        await self._stream.write(b"STA2" + self._packed(self._node(path, follow=True)))

    async def _lstat_v2(self, path: str) -> None:
        await self._stream.write(b"LST2" + self._packed(self._node(path, follow=False)))

    def _entries(self, path: str) -> list[tuple[bytes, Node]]:
        try:
            return [(name.encode("utf-8", "surrogateescape"), node) for name, node in self._files.list(path)]
        except OSError:
            return []  # as adbd: an unreadable folder lists as empty

    async def _list_v1(self, path: str) -> None:
        parts: list[bytes] = []
        for name, node in self._entries(path):
            fields = (node.mode, node.size & 0xFFFFFFFF, int(node.mtime), len(name))
            parts.append(b"DENT" + struct.pack("<4I", *fields) + name)
        await self._stream.write(b"".join((*parts, b"DONE" + bytes(16))))

    async def _list_v2(self, path: str) -> None:
        parts = [
            b"DNT2" + self._packed(node) + struct.pack("<I", len(name)) + name for name, node in self._entries(path)
        ]
        await self._stream.write(b"".join((*parts, b"DONE" + bytes(STAT_V2.size + 4))))

    # ---- pull
    async def _receive_v2(self, path: str) -> None:
        name, flags = struct.unpack("<4sI", await self._stream.read_exactly(8))
        if name != b"RCV2" or flags:
            await self._fail(f"unsupported flags {flags:#x}")  # compression is not in our banner
            return
        await self._receive(path)

    async def _receive(self, path: str) -> None:
        try:
            content = memoryview(self._files.read(path))
        except OSError as error:
            await self._fail(f"open failed: {error.strerror}")
            return
        # In few large writes, the end with the last data: adb servers hold small ones back for 40 ms (Nagle's algorithm).
        for start in range(0, max(len(content), 1), CHUNKS_A_WRITE * MAX_CHUNK):
            parts: list[bytes | memoryview] = []
            block = content[start : start + CHUNKS_A_WRITE * MAX_CHUNK]
            for offset in range(0, len(block), MAX_CHUNK):
                chunk = block[offset : offset + MAX_CHUNK]
                parts += (b"DATA" + struct.pack("<I", len(chunk)), chunk)
            if start + len(block) == len(content):
                parts.append(b"DONE" + bytes(4))
            await self._stream.write(b"".join(parts))

    # ---- push
    async def _send_v1(self, path: str) -> None:
        target, comma, mode = path.rpartition(",")
        if not comma or not mode.isascii() or not mode.isdigit():
            await self._refuse("missing or bad mode")
            return
        await self._store(target, int(mode))

    async def _send_v2(self, path: str) -> None:
        name, mode, flags = struct.unpack("<4sII", await self._stream.read_exactly(12))
        if name != b"SND2" or flags:
            await self._refuse(f"unsupported flags {flags:#x}")
            return
        await self._store(path, mode)

    async def _content(self, limit: int = 0) -> tuple[bytes | None, int] | None:
        """
        The data up to DONE with its time; no data when there is more than `limit` bytes of it, which are read and dropped. None
        if the host broke the protocol.
        """
        parts: list[bytes] = []
        size = 0
        while True:
            name, length = struct.unpack("<4sI", await self._stream.read_exactly(8))
            if name == b"DONE":
                return (b"".join(parts) if size <= limit else None), length
            if name != b"DATA" or length > MAX_CHUNK:
                return None
            part = await self._stream.read_exactly(length)
            size += length
            if size <= limit:
                parts.append(part)
            else:
                parts.clear()

    async def _refuse(self, message: str) -> None:
        """Answer FAIL, then discard what the host is still sending."""
        await self._fail(message)
        await self._content()

    async def _store(self, path: str, mode: int) -> None:
        received = await self._content(self._files.free_for(path))
        if received is None:
            await self._fail("invalid data message")
            return
        content, mtime = received
        try:
            if content is None:
                raise failure(errno.ENOSPC, path)
            folder = path.rstrip("/").rpartition("/")[0] or "/"
            if not self._files.exists(folder):
                self._files.make_dirs(folder)
            if stat.S_ISLNK(mode):
                if self._files.exists(path):
                    self._files.remove(path)
                self._files.link(content.rstrip(b"\0").decode("utf-8", "surrogateescape"), path)
            else:
                self._files.write(path, content, mode=_pushed_mode(mode), mtime=mtime)
        except OSError as error:
            await self._fail(f"couldn't create file: {error.strerror}")
            return
        await self._stream.write(b"OKAY" + bytes(4))


def _pushed_mode(mode: int) -> int:
    """Return the mode of a pushed file: group and others get the owner's bits, as adbd gives them."""
    owner = mode >> 6 & 7
    return owner << 6 | owner << 3 | owner
