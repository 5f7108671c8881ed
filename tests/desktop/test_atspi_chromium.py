"""Tests of the accessibility tree of a web page in Chromium."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from live_tree import LiveWindow, live_window, until

from handeye.errors import TreeFailed
from handeye.geometry import Box
from handeye.perceive.atspi import reading
from handeye.testing.desktop import PrivateDesktop
from optional_programs import need

need("chromium")

TITLE = "Tree page"
PAGE = f"""<!doctype html><meta charset=utf-8><title>{TITLE}</title><body style="margin:20px">
<h1>Orders</h1>
<button id=go onclick="document.getElementById('q').value='pressed'">Go</button>
<label>Query <input id=q></label>
<input type=password aria-label=Secret value=hush>
<label><input type=checkbox id=agree> 同意</label>
<input type=range aria-label=Volume min=0 max=100 value=30>
<table><tr><th>Name<th>Size</tr><tr><td>a.txt<td>1</tr></table> <a href=another.html>another page</a>
<ul>{"".join(f"<li><a href='#n{n}'>link {n}</a>" for n in range(120))}</ul>"""
ANOTHER = f"""<!doctype html><meta charset=utf-8><title>{TITLE} 2</title><h1>Later</h1>
<iframe srcdoc="<button>Inside</button>"></iframe><div style="overflow:auto;height:50px"><p>a<p>b<p>c<p>d</div>
<table><tr><th>Name<th>Size<tr><td>a.txt<td>1</table><select><option>one<option>two</select>
<ul>{"".join(f"<li><a href='#f{n}'>far {n}</a>" for n in range(120))}</ul> <a href=long.html>long page</a>"""
LONG = f"""<!doctype html><meta charset=utf-8><title>{TITLE} 3</title><a href=empty.html>empty page</a>
{"<ul>" + "".join(f"<li><a href='#p{n}'>part {n}</a>" for n in range(400)) + "</ul>"}"""
EMPTY = f"<!doctype html><meta charset=utf-8><title>{TITLE} 4</title>"
FLAGS = (
    *("--force-renderer-accessibility", "--no-first-run", "--no-default-browser-check", "--disable-gpu"),
    *("--disable-extensions", "--disable-sync", "--disable-background-networking", "--password-store=basic"),
)


@pytest.fixture(scope="module")
def page(desktop: PrivateDesktop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveWindow]:
    folder = tmp_path_factory.mktemp("chromium")
    file = folder / "page.html"
    file.write_text(PAGE, encoding="utf-8")
    for name, text in (("another", ANOTHER), ("long", LONG), ("empty", EMPTY)):
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    sandbox = ("--no-sandbox", "--test-type") if os.geteuid() == 0 else ()
    command = ("chromium", *sandbox, *FLAGS, f"--user-data-dir={folder / 'profile'}", file.as_uri())
    with live_window(desktop, TITLE, *command, ends_by=signal.SIGTERM) as window:
        window.find("button", "Go")
        yield window


def test_page_and_browser_controls_are_in_one_tree(page: LiveWindow) -> None:
    detection = page.read()
    assert detection.targets[0].element_type == "window"
    assert {"Reload", "Go"} <= {each.text for each in detection.targets if each.element_type == "button"}
    document = next(each for each in detection.targets if each.element_type == "document")
    assert document.description == TITLE
    go = page.find("button", "Go")[0]
    assert document.bbox.intersect(go.bbox) == go.bbox
    assert go.metadata["id"] == "go"
    assert page.names("header item") == ["Name", "Size"]


def test_offscreen_link_has_no_box_until_scrolled(page: LiveWindow) -> None:
    far, control = page.find("link", "link 110")
    assert far.metadata["offscreen"] is True
    assert far.bbox.area == 0
    assert control.box() is None
    control.scroll_into_view()
    until(lambda: control.box() is not None)
    near = page.find("link", "link 110")[0]
    assert "offscreen" not in near.metadata
    assert page.window.box.intersect(near.bbox) is not None
    page.control("button", "Go").scroll_into_view()
    until(lambda: page.control("button", "Go").box() is not None)


def test_button_and_check_box_work_without_pointer(page: LiveWindow) -> None:
    page.control("button", "Go").invoke()
    until(lambda: page.find("input", "Query")[0].text == "pressed")
    assert page.control("input", "Query").text() == "pressed"
    page.control("checkbox", "同意").toggle()
    assert page.find("checkbox", "同意", checked=True)


def test_slider_has_range_and_value(page: LiveWindow) -> None:
    volume = page.find("slider", "Volume")[0]
    assert (volume.metadata["range"], volume.metadata["value"]) == ((0.0, 100.0), 30.0)


def test_password_text_is_empty(page: LiveWindow) -> None:
    field, control = page.find("input", "Secret")
    assert field.metadata["password"] is True
    assert (field.text, control.text()) == ("", None)


def test_heading_text_is_listed_once(page: LiveWindow) -> None:
    assert [each.element_type for each in page.read().targets if each.text == "Orders"] == ["heading"]


def test_open_browser_menus_are_listed(page: LiveWindow) -> None:
    page.control("button", "Chromium").invoke()
    for name, inside in (("More tools", "Performance"), ("Find and edit", "Copy Ctrl+C")):
        entry, control = page.find("menu item", name)
        control.invoke()
        outer, inner = entry.bbox, page.find("menu item", inside)[0].bbox
        assert outer.intersect(inner) is None
    assert "Performance" not in page.names("menu item")  # of a submenu that was open before
    for _ in range(3):
        page.press("Escape")
    until(lambda: not page.names("menu item"))


def follow(page: LiveWindow, number: int) -> None:
    """From whatever page is shown to that one, each by the link on the one before: a test may be the first of its process."""
    for n, link in ((2, "another page"), (3, "long page"), (4, "empty page")):
        if n <= number and not any(f"{TITLE} {later}" in page.window.title for later in range(n, 5)):
            page.control("link", link).invoke()
            until(lambda n=n: f"{TITLE} {n}" in page.window.title)  # type: ignore[misc]


def test_later_loaded_page_is_read_completely(page: LiveWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chromium answers bulk queries only for pages loaded before events were requested; both ways must agree."""
    follow(page, 2)
    page.find("button", "Inside")
    until(lambda: len(page.read().targets) == len(page.read().targets))
    found = shown_in(page)
    monkeypatch.setattr(reading, "TOLD_BY_MATCHES", "nobody")
    assert found == shown_in(page)
    assert ("menu item", "one") not in {(role, text) for role, text, _ in found}
    monkeypatch.undo()
    assert page.find("link", "far 90")[0].metadata["offscreen"] is True
    assert page.read().notes == ()


def test_omitted_page_elements_are_noted(page: LiveWindow) -> None:
    follow(page, 3)
    page.find("link", "part 0")
    told = page.read()
    assert "part 399" not in {each.text for each in told.targets}
    assert any("more, out of view, than was read" in note for note in told.notes)


def test_page_without_elements_is_noted(page: LiveWindow) -> None:
    follow(page, 4)
    until(lambda: any("nothing of a page" in note for note in page.read().notes))


def shown_in(page: LiveWindow) -> list[tuple[str, str, Box]]:
    """Visible elements, without what a tab's name gets after a while: " - Memory usage - 28.5 MB"."""
    told = page.read().targets
    return [(each.element_type, each.text.partition(" - Memory")[0], each.bbox) for each in told if each.bbox.area]


def test_error_names_missing_chromium_accessibility_flag(page: LiveWindow) -> None:
    window = page.window
    silent = type(window)(window.id, "x", window.box, window.frame, process=1, program="Chromium")
    with pytest.raises(TreeFailed, match="--force-renderer-accessibility"):
        page.provider.detect(silent)
