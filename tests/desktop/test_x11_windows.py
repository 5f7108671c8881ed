"""Tests of windows on a real X server: boxes, titles, processes and focus."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from x11_patterns import shown, until
from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.xobject.drawable import Window as XWindow

import handeye.devices.linux
from handeye.devices import DesktopBackend, Window, X11Backend
from handeye.devices.desktop.base import ProgramStarter
from handeye.devices.linux.programs import Programs
from handeye.errors import DeviceError, DeviceLost, DeviceNotFound, MissingPart, UsageError
from handeye.geometry import Box, Point
from handeye.testing.desktop import PrivateDesktop

AT = Box(200, 150, 500, 350)


@pytest.fixture
def backend(desktop: PrivateDesktop) -> X11Backend:
    return desktop.backend


@pytest.fixture
def server(desktop: PrivateDesktop) -> Iterator[Display]:
    """Another client of the same server, which does what windows do to each other."""
    display = Display(desktop.display)
    yield display
    display.close()


def made(display: Display, box: Box = AT, **about: object) -> XWindow:
    window = display.screen().root.create_window(
        box.left, box.top, box.width, box.height, 0, X.CopyFromParent, background_pixel=0x336699, **about
    )
    window.set_wm_normal_hints(flags=1 | 2, x=box.left, y=box.top)
    return window


def listed(backend: X11Backend, id: int) -> Window | None:
    return next((window for window in backend.windows() if window.id == id and not window.minimized), None)


def test_x11_backend_implements_its_protocols(backend: X11Backend) -> None:
    assert isinstance(backend, DesktopBackend)
    assert isinstance(backend, ProgramStarter)
    assert backend.uri.startswith("linux::")


def test_window_has_client_area_inside_its_frame(desktop: PrivateDesktop, server: Display) -> None:
    with shown(desktop, "Ünïcödé 窗口 😀", 1, AT) as window:
        assert (window.box.width, window.box.height) == (AT.width, AT.height)
        assert window.frame.left < window.box.left
        assert window.frame.top < window.box.top - 5  # a title bar
        assert window.frame.right > window.box.right
        assert window.program == "Pattern"
        # The server's own word: a place inside is the client's, one in the title bar is not.
        root = server.screen().root
        for point, inside in ((window.box.center, True), (Point(window.box.left + 5, window.frame.top + 5), False)):
            under = []
            child = root.translate_coords(root.id, *point).child
            while child != X.NONE:
                under.append(child.id)
                child = child.translate_coords(root.id, *point).child
            assert (window.id in under) is inside


def test_process_is_known_without_pid_property(backend: X11Backend, server: Display) -> None:
    window = made(server)
    window.map()
    server.sync()
    until(lambda: listed(backend, window.id) is not None)
    found = listed(backend, window.id)
    assert found is not None
    assert found.process == os.getpid()  # this test is its client; asked of the server (X-Resource)
    assert found.title == ""
    window.change_property(server.get_atom("_NET_WM_PID"), Xatom.CARDINAL, 32, [4321])
    server.sync()
    assert backend.window(window.id).process == 4321  # type: ignore[union-attr]
    window.destroy()


@pytest.mark.parametrize(
    ("property", "kind", "value", "title"),
    [
        ("_NET_WM_NAME", "UTF8_STRING", "报告 – ✓".encode(), "报告 – ✓"),
        ("WM_NAME", "STRING", "Grüße".encode("latin-1"), "Grüße"),
        ("_NET_WM_NAME", "UTF8_STRING", b"broken \xff utf-8", "broken ÿ utf-8"),
        ("_NET_WM_NAME", "UTF8_STRING", b"", ""),
        ("_NET_WM_NAME", "UTF8_STRING", b"x" * 200_000, "x" * 65_536),
        ("_NET_WM_NAME", "UTF8_STRING", "长".encode() * 70_000, "长" * 21_845),  # not cut in the middle of one
        ("_NET_WM_NAME", "CARDINAL", None, ""),
    ],
)
def test_titles_of_any_encoding_are_read(
    backend: X11Backend, server: Display, property: str, kind: str, value: bytes | None, title: str
) -> None:
    window = made(server)
    data = (32, [1, 2, 3]) if value is None else (8, value)
    window.change_property(server.get_atom(property), server.get_atom(kind), *data)
    window.map()
    server.sync()
    until(lambda: listed(backend, window.id) is not None)
    assert listed(backend, window.id).title == title  # type: ignore[union-attr]
    window.destroy()


def test_client_side_shadows_are_excluded_from_window_box(backend: X11Backend, server: Display) -> None:
    window = made(server)
    window.change_property(server.get_atom("_GTK_FRAME_EXTENTS"), Xatom.CARDINAL, 32, [20, 20, 10, 30])
    window.map()
    server.sync()
    until(lambda: listed(backend, window.id) is not None)
    found = listed(backend, window.id)
    assert found is not None
    assert (found.box.width, found.box.height) == (AT.width - 40, AT.height - 40)
    assert backend.grab_window(found).shape == (AT.height - 40, AT.width - 40, 3)
    for nonsense in ([5000, 5000, 5000, 5000], [1, 2]):
        window.change_property(server.get_atom("_GTK_FRAME_EXTENTS"), Xatom.CARDINAL, 32, nonsense)
        server.sync()
        assert backend.window(window.id).box.width == AT.width  # type: ignore[union-attr]
    window.destroy()


def test_menus_are_not_listed_as_windows(bare: PrivateDesktop) -> None:
    display = Display(bare.display)
    menu, window, unseen = made(display, override_redirect=True), made(display), made(display)
    for drawable in (menu, window):
        drawable.map()
    display.sync()
    assert [found.id for found in bare.backend.windows()] == [window.id]
    assert unseen.id not in [found.id for found in bare.backend.windows()]
    assert bare.backend.windows()[0].frame == AT
    display.close()


def test_topmost_window_is_first_and_focus_raises(desktop: PrivateDesktop) -> None:
    with shown(desktop, "below", 1, AT), shown(desktop, "above", 2, AT.translate(30, 30)):
        backend = desktop.backend
        until(lambda: [window.title for window in backend.windows()] == ["above", "below"])
        below = backend.windows()[1]
        backend.focus(below)
        first = backend.windows()[0]
        assert (first.title, first.focused) == ("below", True)
        assert sum(window.focused for window in backend.windows()) == 1


def test_focus_works_without_window_manager(bare: PrivateDesktop) -> None:
    with shown(bare, "one", 1, AT), shown(bare, "two", 2, AT.translate(30, 30)):
        for title in ("one", "two", "one"):
            window = next(window for window in bare.backend.windows() if window.title == title)
            bare.backend.focus(window)
            first = bare.backend.windows()[0]
            assert (first.title, first.focused) == (title, True)


def test_minimized_window_is_listed_and_restored(desktop: PrivateDesktop, server: Display) -> None:
    with shown(desktop, "small", 1, AT) as window:
        backend = desktop.backend
        drawable = server.create_resource_object("window", window.id)
        from Xlib.protocol.event import ClientMessage

        event = ClientMessage(
            window=drawable, client_type=server.get_atom("WM_CHANGE_STATE"), data=(32, [3, 0, 0, 0, 0])
        )
        server.screen().root.send_event(event, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        server.sync()
        until(lambda: backend.window(window.id).minimized)  # type: ignore[union-attr]
        with pytest.raises(DeviceError, match="minimized"):
            backend.grab_window(window)
        backend.focus(window)
        assert not backend.window(window.id).minimized  # type: ignore[union-attr]


def test_closed_window_is_gone(desktop: PrivateDesktop) -> None:
    with shown(desktop, "short-lived", 1, AT) as window:
        pass
    backend = desktop.backend
    assert backend.window(window.id) is None
    with pytest.raises(DeviceError, match="gone"):
        backend.focus(window)
    with pytest.raises(DeviceError, match="gone"):
        backend.grab_window(window)


def test_listing_survives_windows_closing_meanwhile(desktop: PrivateDesktop) -> None:
    """Hundreds of windows are mapped and destroyed all the time: no listing fails."""
    flicker = (
        "from Xlib.display import Display\nfrom Xlib import X\nd = Display()\n"
        "while True:\n"
        "    ws = [d.screen().root.create_window(0, 0, 50, 50, 0, X.CopyFromParent) for _ in range(5)]\n"
        "    [w.map() for w in ws]; d.sync(); [w.destroy() for w in ws]; d.sync()\n"
    )
    process = desktop.launch(sys.executable, "-c", flicker)
    try:
        seen = set()
        for _ in range(60):
            seen.update(window.id for window in desktop.backend.windows())
        assert process.poll() is None, desktop.said(process)
    finally:
        process.kill()
        process.wait()


def test_a_window_is_asked_to_close(desktop: PrivateDesktop) -> None:
    with pytest.raises(DeviceNotFound, match="no window belongs"):
        desktop.backend.quit("Pattern")
    with shown(desktop, "to be closed", 1, AT):
        assert "'to be closed'" in desktop.backend.quit("pattern")
        until(lambda: all(window.title != "to be closed" for window in desktop.backend.windows()))


def test_missing_x_server_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DeviceNotFound, match="no X server at ':59999'"):
        X11Backend(":59999")
    for nonsense in ("nonsense", ":", ":x", "a:b:c", ""):
        monkeypatch.delenv("DISPLAY", raising=False)
        with pytest.raises(DeviceNotFound):
            X11Backend(nonsense)


@pytest.mark.usefixtures("installed")
def test_ended_x_server_is_device_lost() -> None:
    with PrivateDesktop(manager=None) as private:
        backend = X11Backend(private.display)
        assert backend.windows() == ()
    with pytest.raises(DeviceLost, match="ended"):
        backend.windows()
    backend.close()
    backend.close()


def test_missing_xlib_names_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "Xlib" else usual(name, *rest))
    with pytest.raises(MissingPart, match=re.escape("pip install 'handeye[linux]'")):
        importlib.reload(handeye.devices.linux)


def test_programs_start_by_menu_name(desktop: PrivateDesktop) -> None:
    folder = desktop.home / ".local" / "share" / "applications"
    folder.mkdir(parents=True, exist_ok=True)
    marker = desktop.home / "started"
    for id, name, exec_line in (
        (
            "org.example.Writer",
            "Writer\nName[de]=Schreiber\nName[zh_CN]=写字板",
            f"\"{sys.executable}\" -c \"open('{marker}', 'w')\" %U",
        ),
        ("twin-a", "Twin", "a-program"),
        ("twin-b", "Twin", "another-program"),
        ("org.example.Writer-settings", "Writer Settings", f'"{sys.executable}" --settings'),
        ("gone", "Gone\nHidden=true", "a-program"),
        ("broken", "Broken", '"unclosed'),
    ):
        (folder / f"{id}.desktop").write_text(
            f"[Desktop Entry]\nType=Application\nName={name}\nExec={exec_line}\n", "utf-8"
        )
    for name in ("写字板", "writer", "org.example.Writer", "Schreiber"):
        assert "started" in desktop.backend.launch(name)
        until(marker.exists)
        marker.unlink()
    with pytest.raises(UsageError, match="twin-a, twin-b"):
        desktop.backend.launch("Twin")
    for name in ("Gone", "Broken", "no-such-program-at-all"):
        with pytest.raises(DeviceNotFound, match="no application or program"):
            desktop.backend.launch(name)
    for name in ("", "/usr/bin/env", "-x", "a\nb", "../x"):
        with pytest.raises(UsageError, match="is no program"):
            desktop.backend.launch(name)


def test_administrator_programs_are_not_started(tmp_path: Path) -> None:
    """Never tried with a real system program: a failing test would start it."""
    started = tmp_path / "started"
    for path in ("bin/editor", "bin/systemctl", "sbin/restart"):
        program = tmp_path / path
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\ntouch '{started}'\n")
        program.chmod(0o755)
    (tmp_path / "bin" / "power-off").symlink_to("systemctl")  # as systemd installs reboot and poweroff
    programs = Programs({"PATH": f"{tmp_path}/sbin:{tmp_path}/bin:{os.defpath}", "HOME": str(tmp_path)})
    for name in ("restart", "power-off"):
        with pytest.raises(DeviceNotFound, match="no application or program"):
            programs.launch(name)
    programs.launch("editor")
    until(started.exists)


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "javascript:alert(1)", "", "http://", "https://a b", "mailto:x@y.z"]
)
def test_only_web_addresses_are_opened(desktop: PrivateDesktop, url: str) -> None:
    with pytest.raises(UsageError, match="no web address"):
        desktop.backend.open_url(url)


def test_focus_on_manager_window_has_no_holder(backend: X11Backend, server: Display) -> None:
    root = server.screen().root
    manager = root.get_full_property(server.get_atom("_NET_SUPPORTING_WM_CHECK"), Xatom.WINDOW)
    assert manager is not None
    with focus_kept(server):
        server.create_resource_object("window", manager.value[0]).set_input_focus(X.RevertToPointerRoot, X.CurrentTime)
        server.sync()
        assert backend.keyboard_holder() is None


@contextmanager
def focus_kept(server: Display) -> Iterator[None]:
    """The focus is given back afterwards."""
    before = server.get_input_focus().focus
    try:
        yield
    finally:
        server.set_input_focus(before, X.RevertToPointerRoot, X.CurrentTime)
        server.sync()
