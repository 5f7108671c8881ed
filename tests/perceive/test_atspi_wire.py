"""Tests of bulk D-Bus messages, compared with dbus-fast, and of an application's own broken socket."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

needs = pytest.importorskip("dbus_fast")
from dbus_fast import Message, MessageType  # noqa: E402
from dbus_fast.aio.message_reader import build_message_reader  # noqa: E402
from scripted_accessible import WINDOW, ScriptedApplication, Thing, frame  # noqa: E402

from handeye.clock import Clock, SystemClock  # noqa: E402
from handeye.perceive.atspi import AccessibilityBus, AtspiStateProvider  # noqa: E402
from handeye.perceive.atspi import bus as bus_module  # noqa: E402
from handeye.perceive.atspi.cache import Cache  # noqa: E402
from handeye.perceive.atspi.calls import Caller  # noqa: E402
from handeye.perceive.atspi.capabilities import AsRead, change_among  # noqa: E402
from handeye.perceive.atspi.nodes import Node, read_details  # noqa: E402
from handeye.perceive.atspi.protocol import (  # noqa: E402
    DAEMON,
    ROLES,
    Question,
    Ref,
    message_of,
    property_of,
    ref_from,
)
from handeye.perceive.atspi.wire import Intake, written  # noqa: E402
from optional_programs import need  # noqa: E402

T = TypeVar("T")
PATIENCE_S: Final = 60.0
ITEMS: Final = "a((so)(so)(so)iiassusau)"
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
PATHS = st.lists(st.text("abcXYZ019_", min_size=1, max_size=6), max_size=4).map(lambda parts: "/" + "/".join(parts))
REFS = st.tuples(TEXTS, PATHS).map(list)
INT = st.integers(-(2**31), 2**31 - 1)
UINT = st.integers(0, 2**32 - 1)
ROWS = st.tuples(
    *(REFS, REFS, REFS, INT, INT, st.lists(TEXTS, max_size=3), TEXTS, UINT, TEXTS, st.lists(UINT, max_size=3))
).map(list)
ANSWERS: Final[dict[str, st.SearchStrategy[Any]]] = {
    "i": INT,
    "u": UINT,
    "b": st.booleans(),
    "d": st.floats(allow_nan=False),
    "s": TEXTS,
    "(so)": REFS,
    "(iiii)": st.lists(INT, min_size=4, max_size=4),
    "au": st.lists(UINT, max_size=5),
    "as": st.lists(TEXTS, max_size=5),
    "a(so)": st.lists(REFS, max_size=5),
    "a{ss}": st.dictionaries(TEXTS, TEXTS, max_size=5),
    "a(ua(so))": st.lists(st.tuples(UINT, st.lists(REFS, max_size=3)).map(list), max_size=3),
    ITEMS: st.lists(ROWS, max_size=3),
}
RULE: Final = "(aiia{ss}iaiiasib)uib"
RULES = st.tuples(
    st.tuples(
        *(
            st.lists(INT, max_size=3).map(tuple),
            INT,
            st.dictionaries(TEXTS, TEXTS, max_size=2),
            INT,
            st.lists(INT, max_size=2).map(tuple),
            INT,
        ),
        *(st.lists(TEXTS, max_size=2).map(tuple), INT, st.booleans()),
    ),
    *(UINT, INT, st.booleans()),
)


@pytest.fixture(autouse=True)
def time_to_connect(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that has other things to do."""
    monkeypatch.setattr(bus_module, "_CONNECT_S", PATIENCE_S)


@pytest.fixture(scope="module")
def application() -> Iterator[ScriptedApplication]:
    need("dbus-daemon", "dbus")
    running = ScriptedApplication()
    yield running
    running.close()


@pytest.fixture(scope="module")
def bus(application: ScriptedApplication) -> Iterator[AccessibilityBus]:
    with PatientBus(environment=application.environment) as bus:
        yield bus


class PatientBus(AccessibilityBus):
    """For an application that must share a busy machine with the test that asks it."""

    def run(
        self,
        work: Callable[[Caller], Coroutine[Any, Any, T]],
        *,
        seconds: float,
        clock: Clock,
        silence_s: float = PATIENCE_S,
    ) -> T:
        return super().run(work, seconds=PATIENCE_S, clock=clock, silence_s=silence_s)


def asked(bus: AccessibilityBus, *questions: Question) -> list[Any]:
    async def ask(caller: Caller) -> list[Any]:
        return await caller.ask_all(questions)

    return bus.run(ask, seconds=PATIENCE_S, clock=SystemClock())


def until(held: Callable[[], bool]) -> None:
    """Waits until a condition holds; fails after the deadline."""
    end = time.monotonic() + PATIENCE_S
    while not held():
        assert time.monotonic() < end, f"did not happen in {PATIENCE_S:g} s"
        time.sleep(0.01)


def plain(argument: object) -> object:
    """With lists for tuples, which are the same to D-Bus."""
    return [plain(each) for each in argument] if isinstance(argument, tuple | list) else argument


@pytest.mark.parametrize("signature", ANSWERS)
@given(data=st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_answer_of_dbus_fast_is_decoded(
    application: ScriptedApplication, bus: AccessibilityBus, signature: str, data: st.DataObject
) -> None:
    """As the body of a reply, and within a variant as properties have it."""
    value = data.draw(ANSWERS[signature])
    application.answer = lambda member, path: (signature, [value])
    of = Ref(str(application.bus.unique_name), "/x")
    direct, within, other = asked(
        bus,
        Question(of, "a.b", "Tell", signature),
        property_of(of, "a.b", "Tell", signature),
        Question(of, "a.b", "Tell", "x"),
    )
    assert plain(direct) == plain(within) == plain(value)
    assert other is None


@given(rule=RULES, at=st.tuples(INT, INT, UINT), name=TEXTS, path=PATHS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_question_arguments_arrive_unchanged(
    application: ScriptedApplication, bus: AccessibilityBus, rule: Any, at: Any, name: str, path: str
) -> None:
    heard: dict[str, object] = {}

    def answer(member: str, path: str, body: list[Any]) -> tuple[str, list[Any]]:
        heard[member] = plain(body)
        return "s", [path]

    application.answer = lambda member, path: None
    application.answer_to = answer
    of = Ref(str(application.bus.unique_name), path)
    questions = [
        Question(of, "a.b", "Match", "s", RULE, rule),
        Question(of, "a.b", "Point", "s", "iiu", at),
        Question(of, "a.b", "Said", "s", "s", (name,)),
        Question(of, "a.b", "Nothing", "s"),
    ]
    assert asked(bus, *questions) == [path.rpartition("/")[2]] * 4
    assert heard == {"Match": plain(rule), "Point": list(at), "Said": [name], "Nothing": []}


def test_questions_larger_than_socket_buffer_are_answered(
    application: ScriptedApplication, bus: AccessibilityBus
) -> None:
    """Each message is longer than the socket buffer and is written in parts."""
    application.answer = lambda member, path: None
    application.answer_to = lambda member, path, body: ("i", [len(body[0])])
    of = Ref(str(application.bus.unique_name), "/x")
    lengths = [700_000 + n for n in range(8)]
    assert asked(bus, *(Question(of, "a.b", "Long", "i", "s", ("x" * n,)) for n in lengths)) == lengths


def test_dbus_fast_message_encoding_is_unchanged() -> None:
    """A private method of dbus-fast is used: if it changes, this test fails first."""
    bytes_of = written(message_of(Question(Ref(":1.5", "/x"), "a.b", "Ask", "", "s", ("ü",))), 77)
    assert bytes_of[:12] == b"l\1\0\1" + (7).to_bytes(4, "little") + (77).to_bytes(4, "little")
    assert bytes_of.endswith(b"\2\0\0\0\xc3\xbc\0")


# -- an application's own socket

HELLO: Final = written(
    Message(destination=DAEMON, path="/org/freedesktop/DBus", interface=DAEMON, member="Hello"), 2**32 - 1
)


class OwnSocket:
    """A socket that an application gives as its own; `speak` is what it does with whoever connects."""

    def __init__(self, folder: Path, speak: Callable[[socket.socket], None]) -> None:
        self.path = folder / "own"
        self.visitors = 0
        self._speak = speak
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self.path))
        self._listening.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        kept = []
        while True:
            try:
                visitor, _ = self._listening.accept()
            except OSError:
                return
            self.visitors += 1
            kept.append(visitor)
            self._speak(visitor)

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(5)


class Relay:
    """Stand-in for an application's own socket that relays to the bus and hangs up after `most` bytes of answers."""

    def __init__(self, bus: str, most: int | None = None) -> None:
        self.answered = 0
        place = bus.partition("=")[2].partition(",")[0]
        self._place = f"\0{place}" if bus.startswith("unix:abstract") else place
        self._most = most

    def __call__(self, visitor: socket.socket) -> None:
        let_in(visitor)
        behind = socket.socket(socket.AF_UNIX)
        behind.connect(self._place)
        behind.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        behind.recv(4096)
        behind.sendall(b"BEGIN\r\n" + HELLO)
        heard = b""
        while b"NameAcquired" not in heard:  # what comes after the answer
            heard += behind.recv(4096)
        threading.Thread(target=self._pass_on, args=(visitor, behind), daemon=True).start()
        threading.Thread(target=self._pass_on, args=(behind, visitor, True), daemon=True).start()

    def _pass_on(self, source: socket.socket, to: socket.socket, counts: bool = False) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(4096):
                to.sendall(data)
                self.answered += len(data) if counts else 0
                if counts and self._most is not None and self.answered > self._most:
                    break
        for each in (source, to):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


@pytest.mark.parametrize("most", [None, 0, 500])
def test_own_socket_is_used_while_it_works(application: ScriptedApplication, tmp_path: Path, most: int | None) -> None:
    relay = Relay(application.address, most)
    own = OwnSocket(tmp_path, relay)
    try:
        assert told_with(application, f"unix:path={own.path},guid=1234") == ["Scripted", "Save"]
        assert own.visitors == 1
        assert relay.answered > (most or 0)
    finally:
        own.close()


def let_in(visitor: socket.socket) -> None:
    visitor.recv(4096)
    visitor.sendall(b"OK 1234deadbeef\r\n")
    begun = b""
    while not begun.endswith(b"BEGIN\r\n") and (more := visitor.recv(1)):  # no more: questions may be there already
        begun += more


def hang(visitor: socket.socket) -> None:
    """Says nothing."""


def slam(visitor: socket.socket) -> None:
    visitor.close()


def refuse(visitor: socket.socket) -> None:
    visitor.sendall(b"REJECTED\r\n")


def never_end_a_line(visitor: socket.socket) -> None:
    visitor.sendall(b"O" * 20_000)


def talk_nonsense(visitor: socket.socket) -> None:
    let_in(visitor)
    visitor.sendall(b"nonsense" * 100)


def end(visitor: socket.socket) -> None:
    let_in(visitor)
    visitor.close()


@pytest.mark.parametrize("speak", [hang, slam, refuse, never_end_a_line, talk_nonsense, end])
def test_bus_replaces_broken_own_socket(
    application: ScriptedApplication, tmp_path: Path, speak: Callable[[socket.socket], None]
) -> None:
    own = OwnSocket(tmp_path, speak)
    try:
        assert told_with(application, f"unix:path={own.path}") == ["Scripted", "Save"]
        until(lambda: own.visitors == 1)  # and not asked a second time, at the second reading
    finally:
        own.close()


@pytest.mark.parametrize(
    "address",
    [
        "",
        "nonsense",
        "tcp:host=localhost,port=1",
        "unix:path=/nonexistent",
        "unix:path=" + "x" * 5000,
        "unix:abstract=%zz%",
        ";:,=",
    ],
)
def test_unusable_socket_address_falls_back_to_bus(application: ScriptedApplication, address: str) -> None:
    assert told_with(application, address) == ["Scripted", "Save"]


def test_socket_of_another_process_is_not_used(application: ScriptedApplication) -> None:
    """It could read the questions and answer for the application: here it is the bus daemon's."""
    assert told_with(application, application.address) == ["Scripted", "Save"]


def told_with(application: ScriptedApplication, address: str) -> list[str]:
    """Texts that are read, twice alike, from an application that gives this address as its own."""
    application.things = {"frame": frame("save"), "save": Thing(name="Save")}
    application.answer = lambda member, path: ("s", [address]) if member == "GetApplicationBusAddress" else None
    application.answer_to = lambda member, path, body: None
    before = len(os.listdir("/proc/self/fd"))
    with PatientBus(environment=application.environment) as bus, AtspiStateProvider(bus) as provider:
        first, second = ([each.text for each in provider.detect(WINDOW).targets] for _ in range(2))
    assert first == second
    until(lambda: len(os.listdir("/proc/self/fd")) <= before + 1)  # the visitor's, on the other side
    return first


@pytest.mark.parametrize("before", ["unix:path=/nonexistent;" * 4, "unix:path=/nonexistent,x=" + "x" * 1000 + ";"])
def test_too_long_socket_address_is_not_tried(application: ScriptedApplication, tmp_path: Path, before: str) -> None:
    """Trying a million addresses took minutes and blocked all other readings."""
    own = OwnSocket(tmp_path, Relay(application.address))
    try:
        assert told_with(application, f"{before}unix:path={own.path}") == ["Scripted", "Save"]
        assert own.visitors == 0
    finally:
        own.close()


def test_concurrent_readings_share_one_socket(application: ScriptedApplication, tmp_path: Path) -> None:
    own = OwnSocket(tmp_path, Relay(application.address))
    application.answer = lambda member, path: ("s", [f"unix:path={own.path}"])
    application.answer_to = lambda member, path, body: None
    name = str(application.bus.unique_name)

    async def reach(caller: Caller) -> None:
        before = len(os.listdir("/proc/self/fd"))
        caller.processes[name] = os.getpid()
        await asyncio.gather(*(caller.reach(name) for _ in range(8)))
        assert own.visitors == 1
        assert len(os.listdir("/proc/self/fd")) > before
        caller.are_there({":1.999"})
        async with asyncio.timeout(PATIENCE_S):
            while len(os.listdir("/proc/self/fd")) > before:  # also those of the other side
                await asyncio.sleep(0.01)

    try:
        with PatientBus(environment=application.environment) as bus:
            bus.run(reach, seconds=PATIENCE_S, clock=SystemClock())
    finally:
        own.close()


def test_hanging_own_socket_is_tried_once(application: ScriptedApplication, tmp_path: Path) -> None:
    """It accepts the connection and never answers; the application answers on the bus."""
    own = OwnSocket(tmp_path, let_in)
    name = str(application.bus.unique_name)
    application.answer = lambda member, path: ("s", [f"unix:path={own.path}"])
    application.answer_to = lambda member, path, body: None

    async def ask(caller: Caller) -> Any:
        caller.processes[name] = os.getpid()
        await caller.reach(name)
        return await caller.ask_all([Question(Ref(name, "/x"), "a.b", "Tell", "s")])

    async def later(caller: Caller) -> Any:
        return await caller.ask_all([Question(Ref(name, "/x"), "a.b", "Tell", "s")], silence_s=PATIENCE_S)

    try:
        with PatientBus(environment=application.environment) as bus:
            first = AccessibilityBus.run(bus, ask, seconds=PATIENCE_S, clock=SystemClock(), silence_s=0.2)
            assert first == [None]
            assert bus.run(later, seconds=PATIENCE_S, clock=SystemClock()) == [f"unix:path={own.path}"]
    finally:
        own.close()


# -- what anybody on the bus may send


class Stranger:
    """A client of the bus that writes bytes of its own."""

    def __init__(self, address: str) -> None:
        place = address.partition("=")[2].partition(",")[0]
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE_S)
        self.socket.connect(f"\0{place}" if address.startswith("unix:abstract") else place)
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        self.socket.recv(4096)
        self.socket.sendall(b"BEGIN\r\n" + HELLO)
        self.until(b"NameAcquired")

    def until(self, said: bytes) -> bytes:
        heard = b""
        while said not in heard:
            more = self.socket.recv(4096)
            assert more, "thrown off the bus"
            heard += more
        return heard


def in_our_order(to: str) -> bytes:
    return written(Message(destination=to, path="/x", interface="a.b", member="Ping"), 5)


def big_endian(to: str) -> bytes:
    """A call as machines of the other order write it."""

    def field(code: int, signature: bytes, text: str) -> bytes:
        at = bytes((code, 1)) + signature + b"\0" + len(text).to_bytes(4, "big") + text.encode() + b"\0"
        return at + bytes(-len(at) % 8)

    member = field(3, b"s", "Ping")
    fields = field(1, b"o", "/x") + field(6, b"s", to) + member
    length = len(fields) - 3  # what fills up the last one does not count
    return b"B\1\0\1" + bytes(4) + (7).to_bytes(4, "big") + length.to_bytes(4, "big") + fields


def test_incoming_calls_are_refused_without_disturbing_readings(application: ScriptedApplication) -> None:
    application.answer = lambda member, path: ("s", ["x"])
    application.answer_to = lambda member, path, body: None
    of = Ref(str(application.bus.unique_name), "/x")
    daemon = Ref(DAEMON, "/org/freedesktop/DBus")
    stranger = Stranger(application.address)
    with PatientBus(environment=application.environment) as bus, stranger.socket:
        (before,) = asked(bus, Question(daemon, DAEMON, "ListNames", "as"))
        everybody = [each for each in before if each.startswith(":")]
        for call in (in_our_order, big_endian):
            stranger.socket.sendall(b"".join(call(each) for each in everybody))
            stranger.until(b"nothing is offered here")
        assert asked(bus, Question(of, "a.b", "Tell", "s")) == ["x"]


def test_invalid_bus_names_and_paths_are_ignored(application: ScriptedApplication) -> None:
    """The bus disconnects a client that asks for one."""
    name = str(application.bus.unique_name)
    save = [name, "/org/a11y/atspi/accessible/save"]
    bad = [["not a bus name", "/x"], [":1.x y", "/x"], [":1.5\n", "/x"], ["x" * 256 + ".y", "/x"], ["", "/x"]]
    bad += [[name, path] for path in ("", "x", "//", "/x/", "/x\n", "/é", "/org/a11y/atspi/null")]
    assert [ref_from(pair) for pair in bad] == [None] * len(bad)
    assert ref_from(save) == Ref(*save)
    assert ref_from(("org.a11y.x-1", "/")) == Ref("org.a11y.x-1", "/")
    rows = [[pair, save, save, 0, 0, [], "", 0, "", []] for pair in (*bad, save)]
    assert list(Cache(rows).items) == [Ref(*save)]
    application.things = {"frame": frame("save"), "save": Thing(name="Save")}
    application.answer_to = lambda member, path, body: None
    children = [application.pair("save"), *([each, "/x"] for each in ("not a bus name", ":1.x y"))]
    application.answer = lambda member, path: (
        ("a(so)", [children]) if (member, path) == ("GetChildren", "frame") else None
    )
    with PatientBus(environment=application.environment) as bus, AtspiStateProvider(bus) as provider:
        assert [each.text for each in provider.detect(WINDOW).targets] == ["Scripted", "Save"]


def reply_of(signature: str, body: list[Any], serial: int = 7) -> bytes:
    message = Message(
        message_type=MessageType.METHOD_RETURN,
        reply_serial=serial,
        signature=signature,
        body=body,
    )
    return written(message, 1)


@given(cuts=st.lists(st.integers(1, 400), min_size=1, max_size=30), order=st.permutations(range(6)))
@settings(max_examples=15, deadline=None)
def test_oversized_messages_are_skipped_however_split(cuts: list[int], order: list[int]) -> None:
    """Answers before and after it are read; an oversized answer counts as none; signals are ignored."""
    long = reply_of("ay", [bytes(100)])
    claims = long[:4] + ((1 << 24) + 1).to_bytes(4, "little") + long[8:]
    signal = Message(
        message_type=MessageType.SIGNAL, path="/x", interface="a.b", member="Sig", signature="s", body=["y"]
    )
    header = b"l\2\0\1" + bytes(4) + b"\1\0\0\0" + ((1 << 16) + 8).to_bytes(4, "little") + bytes((1 << 16) + 8)
    parts = [
        (reply_of("s", ["first"], 3), (3, ["first"])),
        (claims + bytes((1 << 24) + 1 - 104), (7, [])),
        (written(signal, 9), None),
        (header, None),
        (reply_of("s", ["last"], 4), (4, ["last"])),
        (b"l\x09\0\1" + bytes(12), None),
    ]
    ours, theirs = socket.socketpair()
    heard: list[tuple[int, list[Any]]] = []
    ended: list[Exception | None] = []
    stream = b"".join(parts[n][0] for n in order)
    with ours, theirs:
        ours.setblocking(False)
        intake = Intake(ours)
        read = build_message_reader(intake, lambda m: heard.append((m.reply_serial, m.body)), ended.append, False)  # type: ignore[arg-type, func-returns-value]
        at = 0
        for length in (*cuts, *([1 << 17] * (len(stream) >> 17)), len(stream)):
            theirs.sendall(stream[at : at + length])
            at += length
            for _ in range(3):
                read()
    assert not ended
    assert heard == [parts[n][1] for n in order if parts[n][1] is not None]


@given(data=st.binary(max_size=300))
def test_arbitrary_bytes_cause_no_crash(data: bytes) -> None:
    ours, theirs = socket.socketpair()
    ended: list[Exception | None] = []
    with ours, theirs:
        ours.setblocking(False)
        read = build_message_reader(Intake(ours), lambda message: None, ended.append, False)  # type: ignore[arg-type]
        theirs.sendall(reply_of("s", ["x"]) + data)
        for _ in range(2):
            read()
    assert len(ended) <= 2


@pytest.mark.parametrize(
    ("is_own", "now", "change"),
    [
        (True, ("s", ["Save"]), None),
        (True, ("s", ["Delete"]), "'Save' is 'Delete' now"),
        (True, ("s", [""]), "'Save' has no name any more"),
        (True, ("i", [7]), "'Save' has no name any more"),
        (False, ("s", [""]), None),
        (False, ("s", ["Delete"]), "'Save' is 'Delete' now"),
    ],
)
def test_changed_or_lost_own_name_is_reported(
    application: ScriptedApplication, bus: AccessibilityBus, is_own: bool, now: Any, change: str | None
) -> None:
    """An element named by its label has no own name, then and now."""
    application.answer = lambda member, path: now if member == "Name" else ("u", [7])
    of = Ref(str(application.bus.unique_name), "/x")

    async def look(caller: Caller) -> str | None:
        return await change_among(caller, [AsRead(of, 7, "Save", is_own)])

    assert bus.run(look, seconds=PATIENCE_S, clock=SystemClock()) == change


def test_name_from_label_is_not_own_name(application: ScriptedApplication, bus: AccessibilityBus) -> None:
    of = Ref(str(application.bus.unique_name), "/field")
    label = [of.bus, "/label"]
    said = {"GetRelationSet": ("a(ua(so))", [[[2, [label]]]]), "Name": ("s", ["Street"])}
    application.answer = lambda member, path: said.get(member)
    node = Node(of)
    node.told(ROLES.index("entry"), 0, "")

    async def read(caller: Caller) -> None:
        await read_details(caller, [node], "gtk")

    assert AsRead.of(Node(of, name="Save")).is_own
    bus.run(read, seconds=PATIENCE_S, clock=SystemClock())
    assert AsRead.of(node) == AsRead(of, node.role, "Street", is_own=False)
