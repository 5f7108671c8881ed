"""Tests of the AT-SPI reader with hostile, broken and slow applications."""

from __future__ import annotations

import asyncio
import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

needs = pytest.importorskip("dbus_fast")
from scripted_accessible import SEEN, WINDOW, WINDOW_BOX, ScriptedApplication, Thing, frame  # noqa: E402

from handeye.clock import SystemClock  # noqa: E402
from handeye.errors import DeviceLost, HandeyeError, TreeFailed  # noqa: E402
from handeye.geometry import Box  # noqa: E402
from handeye.perceive.atspi import AccessibilityBus, AtspiStateProvider  # noqa: E402
from handeye.perceive.atspi import bus as bus_module  # noqa: E402
from handeye.perceive.atspi.calls import Caller  # noqa: E402
from handeye.perceive.atspi.protocol import FOCUSABLE, SELECTED, VISIBLE  # noqa: E402
from handeye.perceive.atspi.reading import MANY, MAX_NODES  # noqa: E402
from optional_programs import need  # noqa: E402

INT_MIN = -(2**31)


@pytest.fixture(autouse=True)
def time_to_connect(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that has other things to do."""
    monkeypatch.setattr(bus_module, "_CONNECT_S", 60.0)


@pytest.fixture
def running() -> Iterator[ScriptedApplication]:
    need("dbus-daemon", "dbus")
    application = ScriptedApplication()
    yield application
    application.close()


@pytest.fixture
def application(running: ScriptedApplication) -> ScriptedApplication:
    running.things = {"frame": frame()}
    running.cached = False
    running.answer = lambda member, path: None
    running.falls_silent_after = None
    running.answer_to = lambda member, path, body: None
    running.calls = 0
    return running


@pytest.fixture
def provider(running: ScriptedApplication) -> Iterator[AtspiStateProvider]:
    with AtspiStateProvider(environment=running.environment) as provider:
        yield provider


def fill(application: ScriptedApplication, **things: Thing) -> None:
    application.things = {"frame": frame(*things), **things}


@pytest.mark.parametrize("cached", [False, True])
def test_cached_and_uncached_reading_are_equal(
    application: ScriptedApplication, provider: AtspiStateProvider, cached: bool
) -> None:
    fill(application, save=Thing(name="Save"), pane=Thing("panel", children=["inner"]))
    application.things["inner"] = Thing("check box", "Inner")
    application.cached = cached
    told = [(each.id, each.parent, each.element_type, each.text) for each in provider.detect(WINDOW).targets]
    assert told == [
        (1, None, "window", "Scripted"),
        (2, 1, "button", "Save"),
        (3, 1, "pane", ""),
        (4, 3, "checkbox", "Inner"),
    ]
    assert application.listeners  # GTK and Chromium tell nothing in bulk before


@pytest.mark.parametrize("cached", [False, True])
def test_names_are_cleaned_and_truncated(
    application: ScriptedApplication, provider: AtspiStateProvider, cached: bool
) -> None:
    fill(
        application,
        control=Thing(name="Sa\x1b[31mve\x07\x00"[:-1]),
        long=Thing(name="长" * 1_000_000),
        right=Thing(name="שלום 😀\ufeff"),
        field=Thing("entry", "Notes", text="line\r\nline\ttab\ufffc", states=SEEN | FOCUSABLE),
    )
    application.cached = cached
    _, control, long, right, field = provider.detect(WINDOW).targets
    assert control.text == "Sa[31mve"
    assert long.text == "长" * 10_000
    assert right.text == "שלום 😀"
    assert (field.text, field.description) == ("line\nline\ttab", "Notes")


@pytest.mark.parametrize("cached", [False, True])
def test_cyclic_tree_is_read_once(application: ScriptedApplication, provider: AtspiStateProvider, cached: bool) -> None:
    fill(application, a=Thing("panel", "a", children=["b"]), b=Thing("panel", "b", children=["a", "frame", "b"]))
    application.things["frame"].children = ["a"]
    application.cached = cached
    names = [each.text for each in provider.detect(WINDOW).targets]
    assert sorted(names) == ["Scripted", "a", "b"]


def test_tree_depth_is_limited(application: ScriptedApplication, provider: AtspiStateProvider) -> None:
    application.things |= {f"n{n}": Thing("panel", children=[f"n{n + 1}"]) for n in range(600)}
    application.things["frame"].children = ["n0"]
    detection = provider.detect(WINDOW)
    assert 200 < len(detection.targets) < 300
    assert any("levels deep" in note for note in detection.notes)


def test_number_of_nodes_from_cache_is_limited(application: ScriptedApplication) -> None:
    wide = {f"p{n}": Thing("panel", children=[f"p{n}b{m}" for m in range(249)]) for n in range(200)}
    application.things |= wide
    application.things |= {name: Thing(name=name, states=VISIBLE) for pane in wide.values() for name in pane.children}
    application.things["frame"].children = list(wide)
    application.cached = True
    with AtspiStateProvider(environment=application.environment, deadline_s=60.0) as patient:
        detection = patient.detect(WINDOW)
    assert len(application.things) == 50_001
    assert 1 < len(detection.targets) <= 201
    assert application.calls < 500
    assert any(f"more than {MAX_NODES:,}" in note for note in detection.notes)


def test_elements_read_before_the_deadline_are_kept(application: ScriptedApplication) -> None:
    rows = {f"p{n}": Thing("panel", children=[f"p{n}b{m}" for m in range(100)]) for n in range(200)}
    application.things |= rows
    application.things |= {name: Thing(name=name) for pane in rows.values() for name in pane.children}
    application.things["frame"].children = list(rows)
    with AtspiStateProvider(environment=application.environment, deadline_s=0.5) as hasty:
        before = time.monotonic()
        detection = hasty.detect(WINDOW)
        assert time.monotonic() - before < 10
    assert 1 <= len(detection.targets) < 20_000
    assert any("not be read within 0.5 s" in note for note in detection.notes)


def test_elements_before_application_hangs_are_kept(
    application: ScriptedApplication, provider: AtspiStateProvider
) -> None:
    fill(application, save=Thing(name="Save"), pane=Thing("panel", children=["inner"]))
    application.things["inner"] = Thing(name="Inner")
    application.answer = lambda member, path: "silence" if path == "inner" else None
    detection = provider.detect(WINDOW)
    assert "Save" in {each.text for each in detection.targets}
    assert "Inner" not in {each.text for each in detection.targets}
    assert any("stopped answering" in note for note in detection.notes)


@pytest.mark.parametrize("cached", [False, True])
def test_elements_before_application_exits_are_kept(
    application: ScriptedApplication, provider: AtspiStateProvider, cached: bool
) -> None:
    fill(application, save=Thing(name="Save"), pane=Thing("panel", "Pane", children=["inner"]))
    application.things["inner"] = Thing("slider", "Inner")
    application.cached = cached
    control = provider.detect(WINDOW).controls[1]
    application.answer = lambda member, path: "gone" if path == "inner" and member != "GetExtents" else None
    detection = provider.detect(WINDOW)
    assert {"Save", "Pane"} <= {each.text for each in detection.targets}
    assert any("has ended" in note for note in detection.notes)
    application.answer = lambda member, path: "gone" if path != "root" else None
    assert control is not None
    for call in (control.invoke, control.box, control.text):
        with pytest.raises(DeviceLost, match=r"has ended|is gone"):
            call()


@pytest.mark.parametrize(
    ("least", "most", "now", "told"),
    [
        (0.0, 10.0, 3.0, {"range": (0.0, 10.0), "value": 3.0}),
        (0.0, math.inf, 3.0, {"value": 3.0}),
        (math.nan, 10.0, math.nan, {}),
    ],
)
def test_non_finite_slider_values_are_dropped(
    application: ScriptedApplication,
    provider: AtspiStateProvider,
    least: float,
    most: float,
    now: float,
    told: dict[str, object],
) -> None:
    """JSON cannot represent them."""
    said = {"MinimumValue": least, "MaximumValue": most, "CurrentValue": now}
    fill(application, slider=Thing("slider", "Volume"))
    application.answer = lambda member, path: ("d", [said[member]]) if member in said else None
    (slider,) = provider.detect(WINDOW).targets[1:]
    assert {key: slider.metadata[key] for key in ("range", "value") if key in slider.metadata} == told


def test_combo_box_is_described_by_its_label(application: ScriptedApplication, provider: AtspiStateProvider) -> None:
    """In GTK and Qt its accessible name is the selected entry."""
    fill(
        application, label=Thing("label", "Size"), labelled=Thing("combo box", "Large"), bare=Thing("combo box", "Red")
    )
    relations = [[2, [application.pair("label")]]]
    application.answer = lambda member, path: (
        ("a(ua(so))", [relations if path == "labelled" else []]) if member == "GetRelationSet" else None
    )
    _, _, labelled, bare = provider.detect(WINDOW).targets
    assert (labelled.text, labelled.description) == ("Large", "Size")
    assert (bare.text, bare.description) == ("Red", "Red")


def test_number_of_read_children_is_limited(application: ScriptedApplication) -> None:
    fill(application, pane=Thing("panel", "Pane"))
    many = [application.pair(f"n{n}") for n in range(100_000)]
    application.answer = lambda member, path: ("a(so)", [many]) if (member, path) == ("GetChildren", "pane") else None
    with AtspiStateProvider(environment=application.environment, deadline_s=2.0) as hasty:
        detection = hasty.detect(WINDOW)
    assert application.calls < 5 * MAX_NODES
    assert any(f"more than {MAX_NODES:,}" in note for note in detection.notes)


def test_busy_thread_keeps_the_connection(application: ScriptedApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other callers use the connection and are not cut off."""
    with AccessibilityBus(environment=application.environment) as bus:

        async def say(caller: Caller) -> str:
            return "here"

        async def sleep(caller: Caller) -> None:
            await asyncio.sleep(60)

        assert bus.run(say, seconds=1.0, clock=SystemClock()) == "here"
        line = bus._line
        monkeypatch.setattr(bus_module, "_SLACK_S", 0.05)
        with pytest.raises(TreeFailed, match="could not be taken in"):
            bus.run(sleep, seconds=0.0, clock=SystemClock())
        assert bus._line is line
        assert bus.run(say, seconds=1.0, clock=SystemClock()) == "here"


@pytest.mark.parametrize("first", [0, 1234, 4980])
def test_visible_children_are_found_without_reading_all(
    application: ScriptedApplication, provider: AtspiStateProvider, first: int
) -> None:
    """GTK needs seconds for 5,000 buttons in bulk, and gives the size, but not the position, of those out of view."""
    asked: list[str] = []

    def answer_to(member: str, path: str, body: list[Any]) -> Any:
        asked.append(member)
        if (member, path) == ("GetChildAtIndex", "column"):
            return ("(so)", [application.pair(f"b{body[0]}")])
        return ("s", ["gtk"]) if member == "ToolkitName" else None

    names = [f"b{n}" for n in range(5000)]
    fill(application, column=Thing("filler", box=(INT_MIN, INT_MIN, 0, 0), children=names))
    for n, name in enumerate(names):
        shown = first <= n < first + 20
        box = (100, 50 + 30 * (n - first), 700, 30) if shown else (INT_MIN, INT_MIN, 700, 30)
        application.things[name] = Thing(name=f"Button {n}", box=box, states=SEEN if shown else VISIBLE)
    application.cached = True
    application.answer_to = answer_to
    detection = provider.detect(WINDOW)
    assert [each.text for each in detection.targets[2:]] == [f"Button {n}" for n in range(first, first + 20)]
    assert any("5,000 children" in note for note in detection.notes)
    assert not {"GetItems"} & set(asked)
    assert len(asked) < 1600


def test_application_exiting_before_any_answer_fails(
    application: ScriptedApplication, provider: AtspiStateProvider
) -> None:
    fill(application, save=Thing(name="Save"))
    application.answer = lambda member, path: "gone" if path == "save" or member == "GetItems" else None
    with pytest.raises(TreeFailed, match="has ended"):
        provider.detect(WINDOW)


def test_an_application_that_never_answers_is_an_error(
    application: ScriptedApplication, provider: AtspiStateProvider
) -> None:
    application.answer = lambda member, path: "silence" if path == "frame" else None
    with pytest.raises(TreeFailed, match="does not answer"):
        provider.detect(WINDOW)


@pytest.mark.parametrize(
    "box", [(INT_MIN, INT_MIN, 80, 30), (0, 0, 0, 0), (0, 0, -1, -1), (2**31 - 1,) * 4, (110, 60, 0, 30)]
)
def test_element_with_absurd_box_is_dropped(
    application: ScriptedApplication, provider: AtspiStateProvider, box: tuple[int, int, int, int]
) -> None:
    fill(application, ghost=Thing(name="Ghost", box=box))
    assert [each.text for each in provider.detect(WINDOW).targets] == ["Scripted"]


def test_elements_are_clipped_to_their_scroll_pane(
    application: ScriptedApplication, provider: AtspiStateProvider
) -> None:
    """Qt 5 reports rows outside the viewport as visible."""
    fill(application, pane=Thing("scroll pane", box=(100, 100, 200, 100), children=["half", "out", "hidden"]))
    application.things["half"] = Thing("list item", "half", box=(100, 190, 200, 20))
    application.things["out"] = Thing("list item", "out", box=(100, 230, 200, 20))
    application.things["hidden"] = Thing("list item", "hidden", states=VISIBLE, box=(INT_MIN, INT_MIN, 1, 1))
    detection = provider.detect(WINDOW)
    half, out, hidden = detection.targets[2:]
    assert half.visible_region == (100, 190, 300, 200)
    assert half.center == (200, 195)
    for each in (out, hidden):
        assert each.bbox.area == 0
        assert each.metadata["offscreen"] is True
    assert detection.controls[3] is not None
    assert detection.controls[3].box() is None


def test_elements_scrolled_out_in_qt_have_no_box(
    application: ScriptedApplication, provider: AtspiStateProvider
) -> None:
    """A Qt scroll area is a plain widget in a plain widget: other elements lie at its hidden buttons' boxes."""
    fill(application, area=Thing("filler", box=(100, 100, 200, 100), children=["inner"]))
    application.things["inner"] = Thing("filler", box=(100, 50, 200, 300), children=["above", "half", "below"])
    application.things["above"] = Thing(name="above", box=(100, 60, 80, 30))
    application.things["half"] = Thing(name="half", box=(100, 190, 80, 30))
    application.things["below"] = Thing(name="below", box=(100, 300, 80, 30))
    for toolkit, shown in (("Qt", ["half"]), ("scripted", ["above", "half", "below"])):
        application.answer = lambda member, path, is_=toolkit: ("s", [is_]) if member == "ToolkitName" else None
        targets, controls = provider.detect(WINDOW)
        there = [
            (each.text, control.box())
            for each, control in zip(targets, controls, strict=True)
            if each.text and each.bbox.area and control is not None
        ]
        assert [name for name, _ in there[1:]] == shown
        assert dict(there)["half"] == (Box(100, 190, 180, 200) if toolkit == "Qt" else Box(100, 190, 180, 220))


def table_of_qt(application: ScriptedApplication, rows: int, columns: int, height: int) -> None:
    """Cells of 100 x 20 from the table's corner on; the bars over its edges are not told."""
    names = [f"c{row}_{column}" for row in range(rows) for column in range(columns)]
    fill(application, table=Thing("table", "T", box=(100, 100, 400, height), children=names))
    for row in range(rows):
        for column in range(columns):
            box = (100 + 100 * column, 100 + 20 * row, 100, 20)
            application.things[f"c{row}_{column}"] = Thing("table cell", f"{row},{column}", box=box)
    said: dict[str, tuple[str, list[Any]]] = {
        "ToolkitName": ("s", ["Qt"]),
        "NRows": ("i", [rows]),
        "NColumns": ("i", [columns]),
    }

    def answer(member: str, path: str, body: list[Any]) -> Any:
        return (
            ("(so)", [application.pair(f"c{body[0]}_{body[1]}")]) if member == "GetAccessibleAt" else said.get(member)
        )

    application.answer_to = answer


@pytest.mark.parametrize(
    ("rows", "columns", "height", "right", "bottom"),
    [(5, 3, 102, 400, 200), (9, 3, 101, 400, 200), (4, 6, 92, 500, 175), (9, 4, 101, 483, 180), (9, 6, 104, 483, 187)],
)
def test_qt_cells_under_scroll_bars_are_clipped(
    application: ScriptedApplication,
    provider: AtspiStateProvider,
    rows: int,
    columns: int,
    height: int,
    right: int,
    bottom: int,
) -> None:
    """A bar exists where cells reach beyond the edge; cells with less than 6 visible pixels are dropped."""
    table_of_qt(application, rows, columns, height)
    targets, controls = provider.detect(WINDOW)
    seen = [each.visible_region or each.bbox for each in targets[2:] if each.bbox.area]
    assert (max(each.right for each in seen), max(each.bottom for each in seen)) == (right, bottom)
    assert all(min(each.width, each.height) >= 6 for each in seen)
    for each, control in zip(targets[2:], controls[2:], strict=True):
        assert control is not None
        assert not each.bbox.area or control.box() == (each.visible_region or each.bbox)


@pytest.mark.parametrize("factor", [1.25, 1.5, 2, 3])
@pytest.mark.parametrize("moved", [0, 40])
def test_logical_pixels_are_converted_to_screen_pixels(
    application: ScriptedApplication, provider: AtspiStateProvider, factor: float, moved: int
) -> None:
    """Qt boxes with QT_SCALE_FACTOR set, GTK boxes with GDK_SCALE set."""
    fill(application, save=Thing(name="Save", box=(110, 60, 80, 30)), list=Thing("list", box=(100, 100, 800, 500)))
    box = Box(*(round(each * factor) for each in WINDOW_BOX)).translate(moved, 0)
    detection = provider.detect(replace(WINDOW, box=box, frame=box))
    save = Box(*(round(each * factor) for each in (110, 60, 190, 90))).translate(moved, 0)
    assert [each.bbox for each in detection.targets[:2]] == [box, save]
    assert detection.controls[1] is not None
    assert detection.controls[1].box() == save


def test_inconsistent_window_size_is_refused(application: ScriptedApplication, provider: AtspiStateProvider) -> None:
    fill(application, save=Thing(name="Save"))
    odd = Box(100, 50, 1700, 650)  # twice as wide, and not higher
    with pytest.raises(TreeFailed, match="as 800x600"):
        provider.detect(replace(WINDOW, box=odd, frame=odd))


def test_scaled_table_is_queried_in_application_pixels(
    application: ScriptedApplication, provider: AtspiStateProvider
) -> None:
    """Points on the table are queried in logical pixels."""
    fill(application, sheet=Thing("table", "Sheet", box=(100, 100, 200, 100), claims=2**31 - 1))
    application.things["cell"] = Thing("table cell", "A1", box=(250, 150, 50, 50))

    def answer(member: str, path: str) -> Any:
        return ("(so)", [application.pair("cell")]) if "AtPoint" in member else None

    application.answer = answer
    box = Box(200, 100, 1800, 1300)
    cell = provider.detect(replace(WINDOW, box=box, frame=box)).targets[-1]
    assert (cell.text, cell.bbox) == ("A1", Box(500, 300, 600, 400))


def test_huge_child_count_is_not_walked(application: ScriptedApplication, provider: AtspiStateProvider) -> None:
    fill(application, sheet=Thing("table", "Sheet", box=(100, 100, 200, 100), claims=2**31 - 1))
    application.answer = lambda member, path: ("(so)", [["", "/org/a11y/atspi/null"]]) if "AtPoint" in member else None
    detection = provider.detect(WINDOW)
    assert [each.text for each in detection.targets] == ["Scripted", "Sheet"]
    assert application.calls < 2000
    assert any("2,147,483,647 children" in note for note in detection.notes)


def test_only_visible_rows_are_read_without_cache(
    application: ScriptedApplication, provider: AtspiStateProvider
) -> None:
    rows = {f"r{n}": Thing("list item", f"row {n}", states=SEEN if n < 10 else 0) for n in range(MANY)}
    fill(application, list=Thing("list", "Rows", box=(100, 50, 800, 600), children=list(rows)))
    application.things |= rows
    detection = provider.detect(WINDOW)
    assert [each.text for each in detection.targets[2:]] == [f"row {n}" for n in range(10)]
    assert any("scrolled out of view were not read" in note for note in detection.notes)


def test_a_password_is_never_asked_for(application: ScriptedApplication, provider: AtspiStateProvider) -> None:
    asked: list[str] = []

    def answer(member: str, path: str) -> None:
        if path == "secret":
            asked.append(member)

    fill(application, secret=Thing("password text", "Secret", text="hush", states=SEEN | FOCUSABLE))
    application.answer = answer
    element = provider.detect(WINDOW).targets[1]
    assert (element.text, element.description, element.metadata["password"]) == ("", "Secret", True)
    assert asked
    assert not {"GetText", "CharacterCount"} & set(asked)


NONSENSE = st.sampled_from(
    [
        ("s", ["x"]),
        ("i", [-1]),
        ("u", [4_000_000_000]),
        ("as", [["a"]]),
        ("au", [[]]),
        ("au", [[2**32 - 1, 2**32 - 1]]),
        ("a(so)", [[["", "/"], ["no.such", "/x"]]]),
        ("(iiii)", [[INT_MIN, 2**31 - 1, 5, 5]]),
        ("(so)", [["", "/"]]),
        ("v", ["nested"]),
        None,
    ]
)


@given(data=st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_answers_of_any_type_cause_no_crash(
    application: ScriptedApplication, provider: AtspiStateProvider, data: st.DataObject
) -> None:
    members = ("GetRole", "Name", "GetState", "GetExtents", "GetChildren", "ChildCount", "GetItems", "CharacterCount")
    said = {member: data.draw(NONSENSE, label=member) for member in data.draw(st.sets(st.sampled_from(members)))}

    def answer(member: str, path: str) -> object:
        reply = said.get(member)
        return None if reply is None or reply[0] == "v" else reply

    fill(application, a=Thing("entry", "a", states=SEEN | SELECTED), b=Thing("table", children=["c"]), c=Thing())
    application.answer = answer  # type: ignore[assignment]
    try:
        detection = provider.detect(WINDOW)
    except HandeyeError:
        return
    assert detection.targets[0].bbox == WINDOW_BOX


def test_call_on_removed_element_fails(application: ScriptedApplication, provider: AtspiStateProvider) -> None:
    fill(application, save=Thing(name="Save"))
    control = provider.detect(WINDOW).controls[1]
    assert control is not None
    del application.things["save"]
    for call in (control.invoke, control.box, control.text):
        with pytest.raises(HandeyeError, match="gone"):
            call()


def test_missing_bus_error_names_the_package() -> None:
    for environment in ({}, {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"}, {"AT_SPI_BUS_ADDRESS": "nonsense"}):
        with AtspiStateProvider(environment=environment) as alone, pytest.raises(TreeFailed, match="at-spi2-core"):
            alone.detect(WINDOW)


def test_closed_provider_leaves_no_thread_or_socket(application: ScriptedApplication) -> None:
    before = threading.active_count(), len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with AtspiStateProvider(environment=application.environment) as short:
            short.detect(WINDOW)
    assert (threading.active_count(), len(os.listdir("/proc/self/fd"))) == before


def test_forked_child_opens_its_own_connection(application: ScriptedApplication, provider: AtspiStateProvider) -> None:
    fill(application, save=Thing(name="Save"))
    expected = len(provider.detect(WINDOW).targets)
    child = os.fork()
    if child == 0:
        os._exit(len(provider.detect(WINDOW).targets))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == expected
    assert len(provider.detect(WINDOW).targets) == expected


def test_missing_dbus_fast_names_the_install_command() -> None:
    code = "import sys; sys.modules['dbus_fast'] = None; import handeye.perceive.atspi"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'handeye[linux]'" in done.stderr
    assert "MissingPart" in done.stderr


def test_gtk_4_lists_only_the_window(application: ScriptedApplication, provider: AtspiStateProvider) -> None:
    """GTK 4 reports positions in the window as screen positions: a click there would hit something else."""
    fill(application, save=Thing(name="Save", box=(10, 10, 80, 30)))
    application.answer = lambda member, path: ("s", ["GTK"]) if member == "ToolkitName" else None
    detection = provider.detect(WINDOW)
    assert [each.element_type for each in detection.targets] == ["window"]
    assert len(detection.controls) == 1
    assert any("GTK 4" in note for note in detection.notes)
