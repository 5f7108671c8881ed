"""An application on an accessibility bus of its own, which says whatever a test wants it to say."""

from __future__ import annotations

import asyncio
import os
import select
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from handeye.devices import Window
from handeye.geometry import Box
from handeye.perceive.atspi.protocol import (
    ACCESSIBLE,
    COMPONENT,
    ENABLED,
    PROPERTIES,
    REGISTRY,
    ROLES,
    ROOT,
    SHOWING,
    VISIBLE,
)

SEEN = SHOWING | VISIBLE | ENABLED
ITEMS = "a((so)(so)(so)iiassusau)"
WINDOW_BOX = Box(100, 50, 900, 650)
WINDOW = Window(1, "Scripted", WINDOW_BOX, WINDOW_BOX, process=os.getpid(), program="scripted")

Reply = tuple[str, list[Any]]


@dataclass
class Thing:
    """An accessible object. `box` is x, y, width, height."""

    role: str = "push button"
    name: str = ""
    states: int = SEEN
    box: tuple[int, int, int, int] = (110, 60, 80, 30)
    children: list[str] = field(default_factory=list)
    claims: int | None = None
    text: str | None = None


class ScriptedApplication:
    """
    Speaks for `things`, by path; "frame" is its window. `cached` says whether it tells them in bulk. `answer` may give another
    reply to a call, by member and path: (signature, body), "silence" or "gone"; `answer_to` knows the arguments too. After
    `falls_silent_after` calls nothing is answered.
    """

    def __init__(self) -> None:
        self.things: dict[str, Thing] = {"frame": frame()}
        self.cached = False
        self.answer: Callable[[str, str], Reply | str | None] = lambda member, path: None
        self.answer_to: Callable[[str, str, list[Any]], Reply | str | None] = lambda member, path, body: None
        self.falls_silent_after: int | None = None
        self.calls = 0
        self.listeners = 0
        self._replies: asyncio.Queue[Message] = asyncio.Queue()
        self._daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._daemon.stdout is not None
        self.address = self._daemon.stdout.readline().decode().strip()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.bus: MessageBus = asyncio.run_coroutine_threadsafe(self._join(), self._loop).result(10)

    @property
    def environment(self) -> dict[str, str]:
        return {"AT_SPI_BUS_ADDRESS": self.address}

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._leave(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()
        self._daemon.kill()
        self._daemon.wait()
        assert self._daemon.stdout is not None
        self._daemon.stdout.close()

    async def _join(self) -> MessageBus:
        bus: MessageBus = await MessageBus(bus_address=self.address).connect()
        bus.add_message_handler(self._handle)
        await bus.request_name(REGISTRY)
        self._sending = asyncio.ensure_future(self._send(bus))
        return bus

    async def _leave(self) -> None:
        self._sending.cancel()
        await asyncio.gather(self._sending, return_exceptions=True)
        self.bus.disconnect()

    async def _send(self, bus: MessageBus) -> None:
        """One reply after the other, while there is room: dbus-fast gives up on a full socket, which a long name fills."""
        room = select.poll()
        room.register(bus._sock, select.POLLOUT)
        while True:
            reply = await self._replies.get()
            while not room.poll(0):
                await asyncio.sleep(0.001)
            await bus.send(reply)

    def _handle(self, call: Message) -> bool:
        if call.message_type is MessageType.METHOD_CALL and call.path is not None:
            reply = self._reply(call)
            if reply is not None:
                self._replies.put_nowait(reply)
            return True
        return False

    def _reply(self, call: Message) -> Message | None:
        if call.member == "RegisterEvent":
            self.listeners += 1
            return Message.new_method_return(call)
        self.calls += 1
        if self.falls_silent_after is not None and self.calls > self.falls_silent_after:
            return None
        path = call.path.rpartition("/")[2]
        member = str(call.body[1]) if call.interface == PROPERTIES else str(call.member)
        reply = self.answer(member, path) or self.answer_to(member, path, call.body)
        if reply == "silence":
            return None
        if reply == "gone":
            return Message.new_error(call, "org.freedesktop.DBus.Error.ServiceUnknown", "it is not there")
        if reply is None:
            reply = self._usual(member, "registry" if call.destination == REGISTRY else path)
        if not isinstance(reply, tuple):
            return Message.new_error(call, "org.freedesktop.DBus.Error.UnknownMethod", member)
        signature, body = reply
        if call.interface == PROPERTIES and signature != "v":
            return Message.new_method_return(call, "v", [Variant(signature, body[0])])
        return Message.new_method_return(call, signature, body)

    def _usual(self, member: str, path: str) -> Reply | None:
        if path == "registry":
            return ("a(so)", [[[str(self.bus.unique_name), ROOT]]]) if member == "GetChildren" else None
        if path == "root":
            return {"GetChildren": ("a(so)", [[self.pair("frame")]]), "ToolkitName": ("s", ["scripted"])}.get(member)
        if member == "GetItems":
            return (ITEMS, [self._items() if self.cached else []])
        thing = self.things.get(path)
        if thing is None:
            return None
        text = thing.text
        replies: dict[str, Reply] = {
            "GetRole": ("u", [ROLES.index(thing.role)]),
            "GetRoleName": ("s", [thing.role]),
            "Name": ("s", [thing.name]),
            "GetState": ("au", [[thing.states & 0xFFFFFFFF, thing.states >> 32]]),
            "GetExtents": ("(iiii)", [list(thing.box)]),
            "GetChildren": ("a(so)", [[self.pair(child) for child in thing.children]]),
            "ChildCount": ("i", [len(thing.children) if thing.claims is None else thing.claims]),
            "Parent": ("(so)", [self.pair(self._holder_of(path))]),
            "GetInterfaces": ("as", [[ACCESSIBLE, COMPONENT]]),
        }
        if text is not None:
            replies["CharacterCount"] = ("i", [len(text)])
            replies["GetText"] = ("s", [text])
        return replies.get(member)

    def pair(self, name: str) -> list[str]:
        return [str(self.bus.unique_name), f"/org/a11y/atspi/accessible/{name}"]

    def _holder_of(self, path: str) -> str:
        return next((name for name, thing in self.things.items() if path in thing.children), "root")

    def _items(self) -> list[list[Any]]:
        held = {child: (name, n) for name, thing in self.things.items() for n, child in enumerate(thing.children)}
        root = [str(self.bus.unique_name), ROOT]
        rows = []
        for name, thing in self.things.items():
            holder, number = held.get(name, ("root", 0))
            states = [thing.states & 0xFFFFFFFF, thing.states >> 32]
            about = [number, len(thing.children), [ACCESSIBLE], thing.name, ROLES.index(thing.role), "", states]
            rows.append([self.pair(name), root, self.pair(holder), *about])
        return rows


def frame(*children: str) -> Thing:
    return Thing("frame", "Scripted", box=(100, 50, 800, 600), children=list(children))
