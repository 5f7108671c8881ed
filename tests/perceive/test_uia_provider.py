"""Tests of the UI Automation provider with hand-written trees: elements, visible regions and controls."""

from __future__ import annotations

import sys

import pytest
from uia_snapshot import NOTES, SnapshotApi, find, gone

from handeye.desktop.native_ids import Recheckable
from handeye.devices import Window
from handeye.elements import UIElement
from handeye.errors import DeviceError, TreeFailed, UnsupportedAction, UsageError
from handeye.geometry import Box
from handeye.perceive import Detection, Property, WindowProvider
from handeye.perceive.uia import UIAStateProvider
from handeye.perceive.uia.api import CallTimedOut
from handeye.testing.uia_snapshots import node_from, read_snapshot

HANDLE, POPUP = 0x10102, 0x10203
WINDOW = Window(HANDLE, "笔记 – Notes", Box(100, 100, 700, 500), Box(100, 70, 700, 500), 42, "notes.exe", True)


@pytest.fixture
def api() -> SnapshotApi:
    return SnapshotApi({HANDLE: read_snapshot(NOTES)})


def detect(api: SnapshotApi) -> Detection:
    return UIAStateProvider(api=api).detect(WINDOW)


def named(found: Detection, name: str, role: str | None = None) -> UIElement:
    (one,) = [
        each for each in found.targets if name in (each.text, each.description) and role in (None, each.element_type)
    ]
    return one


def test_one_request_numbers_parents_before_children(api: SnapshotApi) -> None:
    provider: WindowProvider = UIAStateProvider(api=api)
    found = provider.detect(WINDOW)
    assert api.asked == [(HANDLE,)]
    assert [each.id for each in found.targets] == list(range(1, len(found.targets) + 1))
    assert all(each.parent is None or each.parent < (each.id or 0) for each in found.targets)
    assert len(found.controls) == len(found.targets)
    top = found.targets[0]
    assert (top.element_type, top.text, top.bbox, top.parent) == ("window", "笔记 – Notes", WINDOW.box, None)


def test_elements_have_role_text_and_box(api: SnapshotApi) -> None:
    found = detect(api)
    save = named(found, "Save", "button")
    assert (save.bbox, save.text, save.description) == (Box(520, 400, 600, 430), "Save", "Save the note")
    assert (save.enabled, save.interactive, save.source, save.metadata["id"]) == (
        True,
        True,
        "accessibility",
        "SaveButton",
    )
    assert named(found, "Delete").enabled is False
    field = named(found, "Title", "input")
    assert (field.text, field.description) == ("购物清单 🛒", "Title")
    assert field.metadata.items() >= {"focused": True, "editable": True, "toolkit": "WPF", "class": "Edit"}.items()
    assert named(found, "Title", "header item").bbox == Box(220, 140, 420, 160)
    assert {"tree item", "tab", "menu item", "slider", "table", "status bar", "grip"} <= {
        each.element_type for each in found.targets
    }


def test_states_include_checked_selected_and_expanded(api: SnapshotApi) -> None:
    found = detect(api)
    assert named(found, "Show done").metadata["checked"]
    assert named(found, "Some").metadata.keys() >= {"mixed"}
    assert named(found, "By date").metadata.keys() >= {"checked", "selected"}
    assert named(found, "Inbox").metadata.keys() >= {"selected", "expanded", "expandable"}
    assert not named(found, "2026").metadata.keys() & {"selected", "expandable"}
    assert named(found, "文件(F)").metadata["access-key"] == "Alt+F"
    assert "expanded" not in named(found, "文件(F)").metadata
    size = named(found, "Size")
    assert (size.metadata["range"], size.metadata["value"]) == ((0.0, 100.0), 30.0)


def test_password_text_is_never_read(api: SnapshotApi) -> None:
    found = detect(api)
    field = named(found, "Password")
    assert field.metadata["password"]
    assert field.text == ""
    assert "hunter2" not in repr(found)
    control = found.controls[found.targets.index(field)]
    assert control is not None
    assert control.text() is None


def test_offscreen_elements_have_no_box(api: SnapshotApi) -> None:
    found = detect(api)
    hidden = named(found, "Note 8", "cell")
    assert (hidden.bbox, hidden.metadata["offscreen"]) == (Box(0, 0, 0, 0), True)
    cut = named(found, "Note 5", "cell")
    assert (cut.bbox, cut.visible_region) == (Box(220, 280, 520, 300), None)
    names = {each.text for each in found.targets}
    assert not names & {"On the other page", "Hidden page", "Close"}


def test_row_at_table_edge_is_partly_visible(api: SnapshotApi) -> None:
    find(api.roots[HANDLE], "Note 5").box = Box(220, 290, 520, 310)
    row = named(detect(api), "Note 5", "cell")
    assert (row.visible_region, row.center) == (Box(220, 290, 520, 300), (370, 295))


def test_open_menu_window_is_listed(api: SnapshotApi) -> None:
    menu = {"Properties": {"30003": {"Value": 50009}, "30001": {"Value": [160.0, 124.0, 120.0, 600.0]}}, "Patterns": []}
    item = {"30003": {"Value": 50011}, "30005": {"Value": "撤销"}, "30001": {"Value": [160.0, 690.0, 120.0, 20.0]}}
    api.roots[POPUP] = node_from({**menu, "Children": [{"Properties": item, "Patterns": [], "Children": []}]})
    found = UIAStateProvider(lambda window: (POPUP, 0xDEAD), api=api).detect(WINDOW)
    undo = named(found, "撤销")
    assert undo.bbox == Box(160, 690, 280, 710)  # below the window's own edge
    assert found.targets[(undo.parent or 0) - 1].element_type == "menu"


def test_minimized_window_is_not_read(api: SnapshotApi) -> None:
    found = UIAStateProvider(api=api).detect(Window(HANDLE, "x", WINDOW.box, WINDOW.frame, minimized=True))
    assert (found.targets, api.asked) == ((), [])
    assert "minimized" in found.notes[0]


def test_malformed_properties_are_tolerated(api: SnapshotApi) -> None:
    save = find(api.roots[HANDLE], "Save")
    save.properties = {**save.properties, int(Property.NAME): "S\x00a\ud800v\u202ee" + "x" * 50_000, 30013: 7}
    size = find(api.roots[HANDLE], "Size")
    size.properties = {**size.properties, 30047: float("nan"), 30003: 59999}
    found = detect(api)
    assert any(each.text.startswith("Sav\u202ee") and len(each.text) == 10_000 for each in found.targets)
    strange = named(found, "Size")
    assert strange.element_type == "element"
    assert "range" not in strange.metadata


def test_window_without_tree_is_a_failure(api: SnapshotApi) -> None:
    api.roots.clear()
    with pytest.raises(TreeFailed, match="says nothing"):
        detect(api)


def test_reading_error_is_raised(api: SnapshotApi) -> None:
    api.fail_with = TreeFailed("the application does not answer")
    with pytest.raises(TreeFailed, match="does not answer"):
        detect(api)


@pytest.mark.skipif(sys.platform == "win32", reason="there it works")
def test_other_systems_are_refused() -> None:
    with pytest.raises(UsageError, match="Windows"):
        UIAStateProvider()


# -- handles


def test_controls_use_their_patterns(api: SnapshotApi) -> None:
    found = detect(api)
    controls = {each.text or each.description: found.controls[number] for number, each in enumerate(found.targets)}
    controls |= {"field": found.controls[found.targets.index(named(found, "Title", "input"))]}
    for name, method, arguments, done in (
        ("Delete", "invoke", (), ("invoke", "Delete", "")),
        ("Show done", "toggle", (), ("toggle", "Show done", "")),
        ("By date", "select", (), ("select", "By date", "")),
        ("文件(F)", "expand", (), ("expand", "文件(F)", "")),
        ("2026", "scroll_into_view", (), ("scroll", "2026", "")),
        ("Size", "set_text", ("75",), ("set_number", "Size", "75")),
        ("Size", "focus", (), ("focus", "Size", "")),
        ("field", "set_text", ("新标题 😀",), ("set_text", "Title", "新标题 😀")),
    ):
        getattr(controls[name], method)(*arguments)
        assert api.done[-1] == done


def test_unsupported_action_error_suggests_a_click(api: SnapshotApi) -> None:
    found = detect(api)
    save = found.controls[found.targets.index(named(found, "Save", "button"))]
    size = found.controls[found.targets.index(named(found, "Size"))]
    assert save is not None
    assert size is not None
    assert save.offers == {"invoke", "focus"}
    with pytest.raises(UnsupportedAction, match=r"the Button 'Save' does not offer 'toggle'; click it instead"):
        save.toggle()
    with pytest.raises(UnsupportedAction, match="takes a number"):
        size.set_text("much")
    assert api.done == []


def test_expanding_an_expanded_branch_does_nothing(api: SnapshotApi) -> None:
    found = detect(api)
    inbox = found.controls[found.targets.index(named(found, "Inbox"))]
    assert inbox is not None
    inbox.expand()
    assert api.done == []


def test_control_text_is_current(api: SnapshotApi) -> None:
    found = detect(api)
    title = found.controls[found.targets.index(named(found, "Title", "input"))]
    body = found.controls[found.targets.index(named(found, "Body"))]
    size = found.controls[found.targets.index(named(found, "Size"))]
    assert title is not None
    assert body is not None
    assert size is not None
    api.texts["Body"] = "第一行\nzweite Zeile"
    assert (title.text(), body.text(), size.text()) == ("购物清单 🛒", "第一行\nzweite Zeile", "30")
    assert title.box() == Box(230, 320, 500, 344)


@pytest.mark.parametrize(("changed", "said"), [("Save", "the Button 'Save'"), ("By date", "'By date'")])
def test_renamed_or_removed_element_is_reported(api: SnapshotApi, changed: str, said: str) -> None:
    found = detect(api)
    controls = {each.text: control for each, control in zip(found.targets, found.controls, strict=True)}
    save = found.controls[found.targets.index(named(found, "Save", "button"))]
    assert isinstance(save, Recheckable)
    beside = [control for name in ("By date", "Inbox") if (control := controls[name]) is not None]
    assert save.change(beside) is None
    node = find(api.roots[HANDLE], changed)
    node.properties = {**node.properties, Property.NAME: "Other"}
    assert said in (save.change(beside) or "")
    assert "'Other' now" in (save.change(beside) or "")
    assert api.looked == [3, 3, 3], "a row is asked in one piece, which has the time limit of one"
    api.gone = [node]
    assert (save.change(beside) or "").endswith(f"'{changed}' is gone")


def test_error_names_the_removed_element(api: SnapshotApi) -> None:
    found = detect(api)
    save = found.controls[found.targets.index(named(found, "Save", "button"))]
    assert save is not None
    api.fail_with = gone()
    with pytest.raises(DeviceError, match="the Button 'Save': it is gone"):
        save.invoke()


@pytest.mark.parametrize(("name", "method"), [("Save", "invoke"), ("Show done", "toggle"), ("By date", "select")])
def test_action_opening_dialog_succeeds_without_answer(api: SnapshotApi, name: str, method: str) -> None:
    """Win32 and Windows Forms answer only when the dialog is closed: an error would cause a second press."""
    found = detect(api)
    control = next(control for each, control in zip(found.targets, found.controls, strict=True) if each.text == name)
    api.unanswered = CallTimedOut("the application did not answer within 5 s")
    getattr(control, method)()
    assert [done[1] for done in api.done] == [name]
    api.alive = False
    with pytest.raises(TreeFailed, match="did not answer"):
        getattr(control, method)()


def test_setting_text_without_answer_fails(api: SnapshotApi) -> None:
    found = detect(api)
    field = found.controls[found.targets.index(named(found, "Title", "input"))]
    assert field is not None
    api.unanswered = CallTimedOut("the application did not answer within 5 s")
    with pytest.raises(TreeFailed, match="did not answer"):
        field.set_text("x")
