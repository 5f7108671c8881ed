from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable

TIMEOUT_S = 60.0


class RawHost:
    """A host that speaks the transport protocol by hand, also wrongly."""

    def __init__(self, port: int) -> None:
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S)

    def send(self, name: bytes, arg0: int, arg1: int, payload: bytes = b"", *, checksum: int | None = None) -> None:
        command = int.from_bytes(name, "little")
        total = sum(payload) & 0xFFFFFFFF if checksum is None else checksum
        self.sock.sendall(struct.pack("<6I", command, arg0, arg1, len(payload), total, command ^ 0xFFFFFFFF) + payload)

    def receive(self) -> tuple[bytes, int, int, bytes, int]:
        """Name, arg0, arg1, payload, checksum; EOFError when the phone hung up."""
        command, arg0, arg1, length, total, magic = struct.unpack("<6I", self._exactly(24))
        assert magic == command ^ 0xFFFFFFFF
        return command.to_bytes(4, "little"), arg0, arg1, self._exactly(length), total

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            try:
                chunk = self.sock.recv(count - len(data))
            except ConnectionError as error:
                raise EOFError from error
            if not chunk:
                raise EOFError
            data += chunk
        return data

    def connect(self, *, version: int = 0x01000001, max_payload: int = 1 << 20) -> bytes:
        """The handshake; the phone's banner."""
        self.send(b"CNXN", version, max_payload, b"host::features=shell_v2,cmd\0")
        name, _, _, banner, _ = self.receive()
        assert name == b"CNXN"
        return banner

    def open(self, destination: bytes, local_id: int = 7) -> int:
        """Open a stream; the phone's id for it."""
        self.send(b"OPEN", local_id, 0, destination + b"\0")
        name, remote_id, mine, _, _ = self.receive()
        assert (name, mine) == (b"OKAY", local_id)
        return remote_id

    def read_stream(self, local_id: int = 7) -> bytes:
        """Everything until CLSE."""
        data = b""
        while True:
            name, remote_id, mine, payload, _ = self.receive()
            assert mine == local_id
            if name == b"CLSE":
                return data
            assert name == b"WRTE"
            data += payload
            self.send(b"OKAY", local_id, remote_id)

    def hung_up(self) -> bool:
        """Wait until the phone closes the connection and return True; packets that still come are dropped."""
        try:
            while True:
                self.receive()
        except EOFError:
            return True

    def close(self) -> None:
        self.sock.close()


def eventually(condition: Callable[[], bool]) -> bool:
    """Return True if the condition comes true before the deadline."""
    deadline = time.monotonic() + TIMEOUT_S
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
