"""A socket that answers like an adb server, by a script: for old, broken and hostile servers that no real adb is."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Mapping
from types import TracebackType

from handeye.devices import AdbServer

Answer = bytes | Callable[[], bytes]


def okay(*parts: bytes) -> bytes:
    """OKAY and a counted answer."""
    return b"OKAY" + b"".join(b"%04x%s" % (len(part), part) for part in parts)


def fail(reason: bytes) -> bytes:
    return b"FAIL%04x%s" % (len(reason), reason)


def device_line(serial: str, state: str = "device") -> bytes:
    return okay(f"{serial} {state} transport_id:1\n".encode())


class ScriptedServer:
    """
    Answers each request by the longest key it starts with; an unknown one with FAIL. `asked` is what was requested.

    The connection ends after any answer but OKAY, like adb's.
    """

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self.answers = dict(answers)
        self.asked: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def server(self) -> AdbServer:
        return AdbServer("127.0.0.1", self.port)

    def __enter__(self) -> ScriptedServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(5)

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                peer, _ = self._listener.accept()
                with peer, contextlib.suppress(OSError, ValueError):
                    self._talk(peer)

    def _talk(self, peer: socket.socket) -> None:
        peer.settimeout(5)
        while length := peer.recv(4, socket.MSG_WAITALL):
            request = peer.recv(int(length, 16), socket.MSG_WAITALL).decode()
            self.asked.append(request)
            answer = self._answer(request)
            peer.sendall(answer)
            if answer != b"OKAY":
                # What the other side still says is read, so that closing is not a reset.
                peer.shutdown(socket.SHUT_WR)
                while peer.recv(4096):
                    pass
                return

    def _answer(self, request: str) -> bytes:
        keys = sorted((key for key in self.answers if request.startswith(key)), key=len)
        if not keys:
            return fail(b"unknown host service")
        answer = self.answers[keys[-1]]
        return answer if isinstance(answer, bytes) else answer()
