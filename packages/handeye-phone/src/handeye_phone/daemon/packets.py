"""The packets of the ADB transport: a 24-byte header of six little-endian words, then the payload.

Source: `packages/modules/adb/protocol.txt` of AOSP. Version 0x01000000 sums the payload's bytes into the header,
0x01000001 leaves that word zero.
"""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass

import numpy as np

SYNC, CNXN, OPEN, OKAY, WRTE, CLSE, AUTH, STLS = (
    int.from_bytes(name, "little") for name in (b"SYNC", b"CNXN", b"OPEN", b"OKAY", b"WRTE", b"CLSE", b"AUTH", b"STLS")
)
AUTH_TOKEN, AUTH_SIGNATURE, AUTH_PUBLIC_KEY = 1, 2, 3

VERSION_CHECKSUMS = 0x01000000
VERSION = 0x01000001
MAX_PAYLOAD = 1024 * 1024  # what adbd offers since Android 9
MIN_PAYLOAD = 4096  # what the first versions of the protocol allowed; a peer that asks for less gets this
HEADER = struct.Struct("<6I")


class ProtocolError(Exception):
    """The peer does not speak the protocol. The connection must be closed."""


@dataclass(frozen=True, slots=True)
class Packet:
    """One packet as it was read; `checksum` is what the header said."""

    command: int
    arg0: int
    arg1: int
    payload: bytes
    checksum: int


def checksum(payload: bytes | memoryview) -> int:
    """Return the sum of the payload's bytes, modulo 2**32."""
    return int(np.frombuffer(payload, dtype=np.uint8).sum(dtype=np.uint64)) & 0xFFFFFFFF if len(payload) else 0


def header(command: int, arg0: int, arg1: int, payload: bytes | memoryview, *, version: int) -> bytes:
    """Return the 24 header bytes of `payload` for a peer of this protocol version."""
    total = checksum(payload) if version < VERSION else 0
    return HEADER.pack(command, arg0, arg1, len(payload), total, command ^ 0xFFFFFFFF)


async def read_packet(reader: asyncio.StreamReader, *, limit: int = MAX_PAYLOAD) -> Packet:
    """Return the next packet. Raises ProtocolError for a bad magic or a payload over `limit` bytes,
    asyncio.IncompleteReadError when the peer left."""
    command, arg0, arg1, length, total, magic = HEADER.unpack(await reader.readexactly(HEADER.size))
    if magic != command ^ 0xFFFFFFFF:
        raise ProtocolError(f"bad magic {magic:#010x} for command {command:#010x}")
    if length > limit:
        raise ProtocolError(f"payload of {length} bytes, {limit} are allowed")
    payload = await reader.readexactly(length) if length else b""
    return Packet(command, arg0, arg1, payload, total)
