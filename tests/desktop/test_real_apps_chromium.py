"""Tests of Chromium with a page of its own, which reports by its title."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from real_app import CHINESE, RealApp, real_app

from handeye.errors import DeviceError, TargetNotFound
from handeye.perceive import element_name
from handeye.testing.desktop import PrivateDesktop
from optional_programs import need

need("chromium")
FLAGS = ("--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--password-store=basic")
PAGE = """<!doctype html><meta charset=utf-8><title>By hand</title>
<label>Name <input id=name></label> <label><input type=checkbox id=news> News 新闻</label>
<p><button onclick="document.title = 'By hand: ' + document.getElementById('name').value">Tell 出发</button>
<p><textarea aria-label=Notes style="width:600px;height:200px"></textarea>
<div role=menubar><span role=menuitem tabindex=0 aria-haspopup=menu onclick="more.hidden = false">More 更多</span></div>
<div role=menu id=more hidden><div role=menuitem tabindex=-1>Open</div>
<div role=menuitem tabindex=-1 aria-haspopup=menu onclick="recent.hidden = false">Recent 最近</div></div>
<div role=menu id=recent hidden><div role=menuitem tabindex=-1>report.txt</div>
<div role=menuitem tabindex=-1 onclick="document.title = 'By hand: chosen'; more.hidden = true">照片.png</div></div>
<p><a href="#a">Anchor</a> <label class=box>Toggle <input type=checkbox></label>
<button><svg width=9 height=9></svg>Inner</button>
<span role=tab tabindex=0 class=box>Page two</span> <button class=pseudo>Pseudo</button> <label for=s>For</label>
<select id=s onchange="document.title = 'By hand: ' + this.value"><option>One<option>Two</select></p><table><tr><td>Cell</table>
<canvas aria-label=Canvas width=50 height=20></canvas>
<style>.box { padding: 2px } .pseudo { position: relative } .pseudo::after { content: ""; position: absolute; inset: 0 }
.over { position: relative; width: 200px } .over > button { width: 200px } .over > div { position: absolute; inset: 0 }</style>
<div class=over><button>Walled</button><div onclick="document.title = 'By hand: wall'">Accept cookies</div></div>
<div class=over><button>Hushed</button><div aria-hidden=true onclick="document.title = 'By hand: wall'">Accept</div></div>
<div class=over><button>Free</button><div style="pointer-events: none">Through</div></div>
<div class=over><a href="#q">Quiet link</a><div aria-hidden=true onclick="document.title = 'By hand: wall'">Accept</div></div>
<div class=over><span role=tab tabindex=0>Quiet tab</span><div aria-hidden=true>Accept</div></div>
<div class=over><input aria-label="Quiet field"><div aria-hidden=true>Accept</div></div>
<div style="width: 90px"><a href="#t">Two lines of a link</a></div>"""


@pytest.fixture(scope="module")
def page(desktop: PrivateDesktop) -> Iterator[RealApp]:
    file = desktop.home / "by-hand.html"
    file.write_text(PAGE, "utf-8")
    command = ("chromium", *FLAGS, "--force-renderer-accessibility", f"--app={file.as_uri()}")
    with real_app(desktop, "By hand", *command) as app:
        app.element("button", "Tell")
        yield app


def test_chinese_typed_into_field_reaches_the_page(page: RealApp) -> None:
    assert page.session.type(CHINESE, into="the Name field", window=page.title).verified is True
    page.session.click("Tell 出发", page.title)
    page.once(lambda: page.window.title.startswith(f"By hand: {CHINESE}"))


def test_check_box_click_is_verified(page: RealApp) -> None:
    assert page.session.click("News 新闻", page.title).verified is True


def test_text_area_box_is_exact(page: RealApp) -> None:
    area = page.find("the text area")
    assert (area.bbox.width, area.bbox.height) == pytest.approx((606, 206), abs=3)  # with border and padding


def test_number_is_clicked_after_window_moved(page: RealApp) -> None:
    box = page.element("checkbox")
    assert box.id is not None
    page.move(33, 21)
    assert page.session.click(box.id).verified is True


@pytest.mark.parametrize("name", ["Walled", "Hushed", "Quiet link", "Quiet tab", "Quiet field"])
def test_element_covered_by_page_overlay_is_refused(page: RealApp, name: str) -> None:
    """With some fonts the overlay's text lies on the button: the search fails then, before the press does."""
    over = "Accept cookies" if name == "Walled" else "does not tell"
    title, state = page.window.title, page.session.state(page.title)
    number = next(each.id for each in state.elements if element_name(each) == name and each.interactive)
    assert number is not None
    for what in (number, f"the {name} button" if name == "Walled" else name):
        with pytest.raises((DeviceError, TargetNotFound), match=f"covered by .*{over}"):
            page.session.click(what, page.title)
    assert page.window.title == title


def test_uncovered_elements_are_clicked(page: RealApp) -> None:
    for name in ("Anchor", "Toggle", "Inner", "Page two", "Pseudo", "Cell", "Free", "Two lines of a link"):
        assert "clicked" in page.session.click(name, page.title).note
    for role in ("canvas", "combo box"):
        number = page.element(role).id
        assert number is not None
        assert "clicked" in page.session.click(number).note
    page.session.press("escape")


def test_page_menu_and_submenu_are_listed(page: RealApp) -> None:
    page.session.click("More 更多", page.title)
    page.element("menu item", "Open")
    page.session.click("Recent 最近", page.title)
    page.element("menu item", "照片")
    assert {"More 更多", "Open", "Recent 最近", "report.txt", "照片.png"} <= page.names("menu item")
    page.session.click("照片.png", page.title)
    page.once(lambda: page.window.title.startswith("By hand: chosen"))


@pytest.mark.parametrize(("phrase", "chosen"), [("Two", "Two"), ("the One option in the For combo box", "One")])
def test_an_option_of_a_closed_select_is_chosen(page: RealApp, phrase: str, chosen: str) -> None:
    page.session.click(phrase, page.title)
    page.once(lambda: page.window.title.startswith(f"By hand: {chosen}"))


LONG = """<!doctype html><meta charset=utf-8><title>Long lists</title>
<label>Country <select id=k onchange="told.push(k.value); tell()"></select></label>
<label>City <select id=c onchange="told.push(c.value); tell()"></select></label>
<label>Act <select onchange="told.push('act'); tell(); this.value = 'Choose'">
<option>Choose<option>Copy<option>Delete</select></label>
<script>told = []; function tell() { document.title = "Long lists: " + told.join() }
for (let i = 1; i <= 60; i++) k.append(new Option("Land " + i))
for (let i = 1; i <= 150; i++) c.append(new Option((i % 2 ? "Stadt " : "城市 ") + i))
k.value = "Land 30"</script>"""


@pytest.fixture
def lists(desktop: PrivateDesktop, tmp_path: Path) -> Iterator[RealApp]:
    file = tmp_path / "long-lists.html"
    file.write_text(LONG, "utf-8")
    own = f"--user-data-dir={tmp_path / 'profile'}"  # else it is a window of the other page's process
    command = ("chromium", *FLAGS, own, "--force-renderer-accessibility", f"--app={file.as_uri()}")
    with real_app(desktop, "Long lists", *command) as app:
        app.element("combo box")
        yield app


def test_options_of_long_select_are_chosen(lists: RealApp) -> None:
    told: list[str] = []
    for phrase, chosen in [
        ("Land 3", "Land 3"),
        ("Land 50", "Land 50"),
        ("the Land 25 item in the Country combo box", "Land 25"),
        ("the last item in the Country combo box", "Land 60"),
        ("Stadt 149", "Stadt 149"),
        ("城市 6", "城市 6"),
        ("the first item in the City combo box", "Stadt 1"),
    ]:
        assert lists.session.click(phrase, lists.title).verified is True
        told.append(chosen)
        lists.once(lambda: lists.window.title == "Long lists: " + ",".join(told))
        assert not lists.desktop.backend.menus()


def test_option_of_open_select_is_chosen_by_number(lists: RealApp) -> None:
    lists.session.click("the Country combo box", lists.title)
    for name in ("Land 44", "Land 2"):
        number = lists.element("menu item", name).id
        assert number is not None
        assert lists.session.click(number, lists.title).verified is True
        lists.once(lambda name=name: lists.window.title.endswith(name))  # type: ignore[misc]
        lists.session.click("the Country combo box", lists.title)


@pytest.mark.parametrize("phrase", ["Lind 3", "Chartreuse", "the Land 99 item in the Country combo box"])
def test_failed_search_changes_no_select(lists: RealApp, phrase: str) -> None:
    with pytest.raises(TargetNotFound):
        lists.session.click(phrase, lists.title)
    assert (lists.window.title, lists.desktop.backend.menus()) == ("Long lists", ())
    lists.session.click("the Country combo box", lists.title)

    def selected() -> list[str]:
        state = lists.session.state(lists.title)
        return [each.text for each in state.elements if each.metadata.get("selected")]

    lists.once(lambda: selected() == ["Land 30"])


def test_select_showing_another_option_is_not_verified(lists: RealApp) -> None:
    done = lists.session.click("the Copy item in the Act combo box", lists.title)
    assert (done.verified, lists.window.title) == (False, "Long lists: act")
    assert "the box shows another entry" in done.note
