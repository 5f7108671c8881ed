"""
Transfer files to and from the device (AOSP: SYNC.TXT, protocol version 1, which every Android supports).

adbutils' own push does not check how much was sent and drops the phone's reason for a refusal; this one does neither.
"""

from __future__ import annotations

import io
import stat
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from handeye.devices.android.wire import Connection, LinkBroken
from handeye.errors import CommandFailed

# The protocol's limit for one DATA block.
_BLOCK = 64 * 1024
_FILE_MODE = stat.S_IFREG | 0o644


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file on the device; a `mode` of 0 means that it does not exist."""

    name: str
    mode: int
    size: int

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self.mode)

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)


def file_stat(connection: Connection, path: str) -> RemoteFile:
    """Return what is at `path`. The connection must be fresh, as for every function here."""
    _begin(connection, b"STAT", path)
    answer = connection.read_exactly(16)
    if answer[:4] != b"STAT":
        raise LinkBroken(f"the device answered {bytes(answer[:4])!r} to STAT", sent=False)
    mode, size, _ = struct.unpack("<3I", answer[4:])
    return RemoteFile(path, mode, size)


def list_folder(connection: Connection, path: str) -> list[RemoteFile]:
    """Return a folder's entries, without `.` and `..`."""
    _begin(connection, b"LIST", path)
    files: list[RemoteFile] = []
    while True:
        answer = connection.read_exactly(20)
        kind = bytes(answer[:4])
        mode, size, _, length = struct.unpack("<4I", answer[4:])
        if kind == b"DONE":
            return files
        if kind != b"DENT":
            raise LinkBroken(f"the device answered {kind!r} to LIST", sent=False)
        name = connection.read_exactly(length).decode("utf-8", "surrogateescape")
        if name not in (".", ".."):
            files.append(RemoteFile(name, mode, size))


def pull_into(connection: Connection, path: str, out: BinaryIO) -> int:
    """Copy a file from the device; return the number of bytes. Raises CommandFailed with the phone's reason."""
    _begin(connection, b"RECV", path)
    total = 0
    while True:
        kind, size = _header(connection)
        if kind == b"DONE":
            return total
        content = connection.read_exactly(size)
        if kind == b"FAIL":
            raise CommandFailed(f"pull {path}", 1, content.decode("utf-8", "replace"))
        if kind != b"DATA":
            raise LinkBroken(f"the device answered {kind!r} to RECV", sent=False)
        out.write(content)
        total += size


def pull_bytes(connection: Connection, path: str) -> bytes:
    """Return a file of the device as bytes. Raises CommandFailed."""
    out = io.BytesIO()
    pull_into(connection, path, out)
    return out.getvalue()


def push_from(connection: Connection, source: BinaryIO, path: str, *, modified: int) -> int:
    """Write a file on the device; return the number of bytes. Raises CommandFailed with the phone's reason."""
    _begin(connection, b"SEND", f"{path},{_FILE_MODE}")
    total = 0
    while block := source.read(_BLOCK):
        connection.send(b"DATA" + struct.pack("<I", len(block)) + block)
        total += len(block)
    connection.send(b"DONE" + struct.pack("<I", modified))
    kind, size = _header(connection)
    if kind == b"FAIL":
        raise CommandFailed(f"push {path}", 1, connection.read_exactly(size).decode("utf-8", "replace"))
    if kind != b"OKAY":
        raise LinkBroken(f"the device answered {kind!r} to SEND", sent=True)
    return total


def local_name(name: str) -> str:
    """
    Check that a file name from the device is a plain name, and return it. Raises CommandFailed if it would leave the
    folder.
    """
    if Path(name).name != name or name in ("", ".", ".."):
        raise CommandFailed("pull", 1, f"the device names a file {name!r}, which is not a plain name")
    return name


def _begin(connection: Connection, kind: bytes, path: str) -> None:
    connection.request("sync:")
    name = path.encode("utf-8", "surrogateescape")
    connection.send(kind + struct.pack("<I", len(name)) + name)


def _header(connection: Connection) -> tuple[bytes, int]:
    answer = connection.read_exactly(8)
    return bytes(answer[:4]), struct.unpack("<I", answer[4:])[0]
