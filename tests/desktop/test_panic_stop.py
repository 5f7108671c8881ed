"""Tests of the panic corner and the stop key, which end a run before the next input."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner
from x11_patterns import until
from Xlib import X
from Xlib.display import Display
from Xlib.ext import xtest

from handeye.actions import Click, Drag, InputText, PressKey
from handeye.cli.app import app
from handeye.devices import DesktopDevice, Monitor, MouseButton, X11Backend, open_device
from handeye.devices.desktop.panic import Corner, PanicStop, StoppedByPerson
from handeye.errors import DeviceError, HandeyeError, UnsupportedAction, UsageError
from handeye.geometry import Box, Point
from handeye.report import load_run
from handeye.screen import InputPoint
from handeye.testing.desktop import PrivateDesktop
from handeye.testing.desktop_fake import FakeDesktop, fake_window

PAUSE_CODE = 127
NO_WINDOW = fake_window(1, "none", Box(0, 0, 9, 9))


def test_own_move_into_corner_does_not_stop() -> None:
    backend = FakeDesktop()
    hands = PanicStop(backend)
    for place in (Point(5, 5), Point(0, 0), Point(0, 0)):
        hands.move(place)
        hands.button(MouseButton.LEFT, down=True)
        hands.button(MouseButton.LEFT, down=False)
    assert len(backend.presses) == 6


@pytest.mark.parametrize(
    ("corner", "at"),
    [("top-left", (0, 0)), ("top-right", (1279, 1)), ("bottom-left", (1, 799)), (Corner.BOTTOM_RIGHT, (1279, 799))],
)
def test_panic_corner_refuses_everything_except_releases(corner: Corner | str, at: tuple[int, int]) -> None:
    backend = FakeDesktop()
    hands = PanicStop(backend, corner)
    hands.move(Point(100, 100))
    hands.button(MouseButton.LEFT, down=True)
    hands.key("ctrl", down=True)
    backend.at = Point(*at)
    for act in (
        lambda: hands.move(Point(1, 1)),
        lambda: hands.button(MouseButton.RIGHT, down=True),
        lambda: hands.key("a", down=True),
        lambda: hands.wheel(0, 1),
        lambda: hands.type("text"),
    ):
        with pytest.raises(StoppedByPerson, match=str(corner)):
            act()
    backend.at = Point(50, 50)  # and it stays stopped
    with pytest.raises(StoppedByPerson):
        hands.type("text")
    hands.key("ctrl", down=False)
    hands.button(MouseButton.LEFT, down=False)
    assert backend.down == set()
    assert backend.typed == ""
    hands.reset()
    assert hands.type("text") == "typed"


def test_initial_corner_position_does_not_stop() -> None:
    backend = FakeDesktop()
    hands = PanicStop(backend)
    assert backend.at == (0, 0)
    hands.type("a")
    backend.at = Point(700, 0)
    hands.type("b")
    backend.at = Point(0, 0)
    with pytest.raises(StoppedByPerson):
        hands.type("c")
    assert backend.typed == "ab"


def test_inner_corner_of_joined_monitors_is_ignored() -> None:
    left = Monitor("left", Box(-1000, 0, 0, 800))
    right = Monitor("right", Box(0, 0, 1280, 800), primary=True)
    backend = FakeDesktop(monitors=(right, left))
    hands = PanicStop(backend)
    hands.move(Point(10, 10))
    backend.at = Point(0, 0)
    hands.type("a")
    backend.at = Point(-1000, 0)
    with pytest.raises(StoppedByPerson):
        hands.type("b")


def test_panic_corner_interrupts_a_long_text() -> None:
    class Interrupted(FakeDesktop):
        def pointer(self) -> Point:
            return Point(0, 0) if len(self.typed) > 500 else super().pointer()

    backend = Interrupted()
    hands = PanicStop(backend)
    hands.move(Point(10, 10))
    with pytest.raises(StoppedByPerson):
        hands.type("字" * 10_000)
    assert 500 < len(backend.typed) <= 600


def test_panic_stop_is_a_keyboard_interrupt() -> None:
    assert not issubclass(StoppedByPerson, HandeyeError)
    assert issubclass(StoppedByPerson, KeyboardInterrupt)


def test_invalid_corner_is_refused_and_none_disables() -> None:
    with pytest.raises(ValueError, match="middle"):
        PanicStop(FakeDesktop(), "middle")
    backend = FakeDesktop()
    hands = PanicStop(backend, None)
    hands.move(Point(10, 10))
    backend.at = Point(0, 0)
    assert hands.type("a") == "typed"


def test_panic_during_drag_releases_the_button() -> None:
    class Pushed(FakeDesktop):
        """A person pushes the pointer away while the button is down."""

        def pointer(self) -> Point:
            if "left" in self.down and self.at.x > 200:
                self.at = Point(0, 0)
            return self.at

    backend = Pushed()
    device = DesktopDevice(backend, panic_corner=Corner.TOP_LEFT)
    device.perform(Click(InputPoint(100, 100)))
    with pytest.raises(StoppedByPerson):
        device.perform(Drag(InputPoint(100, 100), InputPoint(900, 100), 50))
    assert backend.down == set()
    for action in (InputText("text"), PressKey("ctrl+s"), Click(InputPoint(5, 5))):
        with pytest.raises(StoppedByPerson):
            device.perform(action)
    assert backend.typed == ""
    assert backend.down == set()


class Watching(FakeDesktop):
    """A desktop that says which key is watched, and that a person has pressed it."""

    def __init__(self) -> None:
        super().__init__()
        self.watched = ""
        self.pressed = False

    def watch(self, key: str) -> None:
        self.watched = key

    def was_pressed(self) -> bool:
        return self.pressed


@pytest.mark.parametrize("name", ["Pause", " pause", "PAUSE", "Break"])
def test_stop_key_accepts_any_of_its_names(name: str) -> None:
    backend = Watching()
    hands = PanicStop(backend, None, name)
    assert backend.watched == "pause"
    hands.type("a")
    backend.pressed = True
    with pytest.raises(StoppedByPerson, match="the stop key 'pause' was pressed"):
        hands.type("b")
    assert backend.typed == "a"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Puase", "similar: pause"),
        ("", "not the name of a key"),
        ("BACK", "phones"),
        ("ctrl+q", "not the name of a key"),
        ("ctrl", "written with"),
        ("q", "written with"),
        ("字", "written with"),
        ("Return", "written with"),
        ("space", "written with"),
    ],
)
def test_unsuitable_stop_key_is_refused(name: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        PanicStop(Watching(), None, name)


def test_stop_key_needs_a_desktop_watching_keys() -> None:
    with pytest.raises(UnsupportedAction, match="panic_key: fake: cannot tell"):
        DesktopDevice(FakeDesktop(), panic_key="pause")


def test_device_never_presses_the_stop_key() -> None:
    backend = Watching()
    device = DesktopDevice(backend, panic_key="escape")
    for keys in ("escape", "ctrl+Esc"):
        with pytest.raises(UsageError, match="a person stops the run with"):
            device.perform(PressKey(keys))
    device.perform(PressKey("f5"))
    assert backend.down == set()
    assert "escape" not in {press.what for press in backend.presses if press.down}


# -- on a real server


@pytest.fixture
def clear(bare: PrivateDesktop) -> PrivateDesktop:
    """The same, with the pointer in no corner."""
    person = Display(bare.display)
    xtest.fake_input(person, X.MotionNotify, x=300, y=300)
    person.sync()
    person.close()
    return bare


def test_stop_key_and_corner_work_on_real_server(bare: PrivateDesktop) -> None:
    person = Display(bare.display)
    hands = PanicStop(bare.backend, key="pause")
    hands.move(Point(0, 0))
    hands.key("a", down=True)
    hands.key("a", down=False)
    xtest.fake_input(person, X.KeyPress, PAUSE_CODE)
    xtest.fake_input(person, X.KeyRelease, PAUSE_CODE)
    person.sync()
    with pytest.raises(StoppedByPerson, match="key"):
        until(lambda: hands.check() is not None)
    hands.reset()
    hands.move(Point(300, 300))
    xtest.fake_input(person, X.MotionNotify, x=0, y=0)
    person.sync()
    with pytest.raises(StoppedByPerson, match="top-left"):
        hands.move(Point(200, 200))
    assert bare.backend.pointer() == (0, 0)
    person.close()


def test_key_grabbed_by_another_program_is_refused(bare: PrivateDesktop) -> None:
    other = X11Backend(bare.display)
    other.watch("f9")
    backend = X11Backend(bare.display)
    with pytest.raises(DeviceError, match="another program"):
        backend.watch("f9")
    with pytest.raises(UsageError):
        backend.watch("no such key")
    assert not backend.was_pressed()
    other.close()
    backend.close()


def test_input_is_refused_until_stop_key_is_free(clear: PrivateDesktop) -> None:
    """Screenshots are allowed meanwhile."""
    other = X11Backend(clear.display)
    other.watch("f9")
    device = DesktopDevice(X11Backend(clear.display), panic_key="f9")
    try:
        assert device.screenshot().size == clear.size
        with pytest.raises(DeviceError, match="'f9' belongs to another program"):
            device.perform(PressKey("f5"))
        other.close()
        device.perform(PressKey("f5"))
    finally:
        other.close()
        device.close()


@contextmanager
def stopping(clear: PrivateDesktop, keysym: int) -> Iterator[None]:
    """A person who presses a key as soon as another one arrives in their window."""
    person = Display(clear.display)
    window = person.screen().root.create_window(
        300, 300, 100, 100, 0, X.CopyFromParent, event_mask=X.KeyPressMask | X.StructureNotifyMask
    )
    window.map()
    until(lambda: window.get_attributes().map_state == X.IsViewable)
    window.set_input_focus(X.RevertToParent, X.CurrentTime)
    person.sync()

    def stop() -> None:
        while person.next_event().type != X.KeyPress:
            pass
        code = person.keysym_to_keycode(keysym)
        xtest.fake_input(person, X.KeyPress, code)
        xtest.fake_input(person, X.KeyRelease, code)
        person.sync()

    thread = threading.Thread(target=stop, daemon=True)
    thread.start()
    yield
    thread.join(120)
    assert not thread.is_alive(), "no key arrived"
    window.destroy()
    person.close()


F9 = 0xFFC6


@pytest.mark.parametrize(
    ("query", "variable"), [("?panic_key=F9", "pause"), ("", "f9"), ("?monitor=screen&panic_key=f9", "")]
)
def test_stop_key_comes_from_uri_or_environment(
    clear: PrivateDesktop, monkeypatch: pytest.MonkeyPatch, query: str, variable: str
) -> None:
    monkeypatch.setenv("HANDEYE_PANIC_KEY", variable)
    with closing(open_device(clear.uri + query)) as device, stopping(clear, F9):
        with pytest.raises(StoppedByPerson, match="'f9' was pressed"):
            until(lambda: device.perform(PressKey("a")) is None)
        assert isinstance(device, DesktopDevice)
        assert "panic" not in device.uri, "it is the same desktop, and one run has it"


@pytest.mark.parametrize(
    ("query", "variable", "said"),
    [
        ("?panic_key=Puase", "", r"^\?panic_key: 'Puase' is not the name of a key; similar: pause"),
        ("", "Puase", "^HANDEYE_PANIC_KEY: 'Puase' is not the name of a key; similar: pause"),
        ("", "shift", "^HANDEYE_PANIC_KEY: 'shift' cannot be the stop key"),
    ],
)
def test_invalid_stop_key_error_names_its_source(
    clear: PrivateDesktop, monkeypatch: pytest.MonkeyPatch, query: str, variable: str, said: str
) -> None:
    monkeypatch.setenv("HANDEYE_PANIC_KEY", variable)
    with pytest.raises(UsageError, match=said):
        open_device(clear.uri + query)


@pytest.mark.parametrize(
    ("query", "variable", "place"), [("?panic_key=f24", "f9", r"\?panic_key"), ("", "f24", "HANDEYE_PANIC_KEY")]
)
def test_missing_stop_key_refuses_input_but_allows_screenshots(
    clear: PrivateDesktop, monkeypatch: pytest.MonkeyPatch, query: str, variable: str, place: str
) -> None:
    monkeypatch.setenv("HANDEYE_PANIC_KEY", variable)
    with closing(open_device(clear.uri + query)) as device:
        assert device.screenshot().size == clear.size
        with pytest.raises(UnsupportedAction, match=f"^{place}: this keyboard has no key 'f24' to watch"):
            device.perform(PressKey("a"))


@pytest.mark.parametrize(
    ("query", "variable", "place"), [("?panic_key=f9", "pause", r"\?panic_key"), ("", "F9", "HANDEYE_PANIC_KEY")]
)
def test_error_names_source_of_taken_stop_key(
    clear: PrivateDesktop, monkeypatch: pytest.MonkeyPatch, query: str, variable: str, place: str
) -> None:
    monkeypatch.setenv("HANDEYE_PANIC_KEY", variable)
    said = f"^{place}: the key 'f9' belongs to .* another Handeye"
    first, second = open_device(clear.uri + query), open_device(clear.uri + query)
    with closing(first), closing(second), pytest.raises(DeviceError, match=said):
        second.perform(PressKey("a"))


def test_empty_stop_key_disables_it(clear: PrivateDesktop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDEYE_PANIC_KEY", "f9")
    with closing(open_device(f"{clear.uri}?panic_key=")) as device:
        device.perform(PressKey("f9"))
    monkeypatch.setenv("HANDEYE_PANIC_KEY", " ")
    with closing(open_device(clear.uri)) as device:
        device.perform(PressKey("f9"))


def test_stop_key_aborts_a_long_run(clear: PrivateDesktop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`handeye run`, during a task that presses a key for minutes."""
    module = tmp_path / "apps" / "keys"
    module.mkdir(parents=True)
    (module / "config.yaml").write_text("name: keys\ntitle: Keys\npackage: keys.example\n")
    steps = [{"action": "press_key", "params": {"key": "F5"}, "description": f"key {at}"} for at in range(90)]
    task = {"name": "press", "patterns": ["keep pressing"], "success_criteria": "all were pressed", "steps": steps}
    (module / "tasks.yaml").write_text(json.dumps({"tasks": [task]}))
    monkeypatch.setenv("HANDEYE_APPS", str(module.parent))
    monkeypatch.setenv("HANDEYE_PANIC_KEY", "F9")
    with stopping(clear, F9):
        order = ["run", "keep pressing", "--device", clear.uri, "--out", str(tmp_path / "run"), "--plans", "off"]
        answer = CliRunner().invoke(app, order)
        assert answer.exit_code == 130, answer.output
    assert "the stop key 'f9' was pressed" in answer.output
    told = load_run(tmp_path / "run")
    assert told.status == "aborted"
    assert 0 < len(told.steps) < len(steps)


def test_pointer_left_by_earlier_command_does_not_stop(bare: PrivateDesktop) -> None:
    """Each command has its own PanicStop; the pointer position of the last command is kept by the X server."""
    person = Display(bare.display)

    def push(x: int, y: int) -> None:
        xtest.fake_input(person, X.MotionNotify, x=x, y=y)
        person.sync()

    try:
        push(300, 300)
        PanicStop(bare.backend).move(Point(0, 0))
        PanicStop(bare.backend).check()  # it was left there
        push(300, 300)
        PanicStop(bare.backend).check()
        push(0, 0)
        with pytest.raises(StoppedByPerson, match="top-left"):
            PanicStop(bare.backend).type("x")
        with pytest.raises(StoppedByPerson, match="top-left"):
            DesktopDevice(bare.backend).reach.in_front(NO_WINDOW)
        push(300, 300)
        PanicStop(bare.backend).check()
    finally:
        push(300, 300)
        person.close()


def test_command_line_reports_the_panic_corner(bare: PrivateDesktop, monkeypatch: pytest.MonkeyPatch) -> None:
    person = Display(bare.display)
    window = bare.backend.display.screen().root.create_window(300, 300, 100, 100, 0, X.CopyFromParent)
    window.set_wm_name("Any")
    window.map()
    bare.backend.display.sync()
    monkeypatch.setenv("HANDEYE_DESKTOP", bare.uri)
    try:
        xtest.fake_input(person, X.MotionNotify, x=0, y=0)
        person.sync()
        answer = CliRunner().invoke(app, ["press", "a", "--window", "Any"])
        assert answer.exit_code == 130
        assert "top-left corner" in answer.output
    finally:
        xtest.fake_input(person, X.MotionNotify, x=300, y=300)
        person.sync()
        person.close()
        window.destroy()
