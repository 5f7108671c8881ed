"""Tests of our UI Automation declarations against Wine's (apt: libwine-dev) and Microsoft's metadata."""

from __future__ import annotations

import ctypes
import inspect
import re
from types import SimpleNamespace

import pytest
import uia_metadata
from uia_idl import WINE_IDL, interfaces_in

from handeye.perceive import Pattern, Property
from handeye.perceive.uia import api
from handeye.perceive.uia.declared import arguments_of, declare
from handeye.perceive.uia.interfaces import CUI_AUTOMATION_8, INTERFACES, Interface
from handeye.perceive.uia.vocabulary import AVAILABLE, CONTROL_TYPES, FIRST_CONTROL_TYPE, OF_PATTERN
from handeye.roles import UIA, role_of_class

# Wine 8 has not these: only Microsoft's metadata has them, which names no directions.
NOT_IN_WINE_8 = {
    f"IUIAutomation{name}"
    for name in (
        *("InvokePattern", "RangeValuePattern", "TogglePattern", "SelectionItemPattern", "ExpandCollapsePattern"),
        *("ScrollItemPattern", "TextPattern", "TextRange"),
    )
}
NO_METADATA = "Microsoft's metadata of the Windows API is not there: make wine"


@pytest.fixture(scope="module")
def published() -> dict[str, Interface]:
    if not WINE_IDL.exists():
        pytest.skip("Wine's interface definitions are not installed: apt-get install libwine-dev")
    return interfaces_in(WINE_IDL)


@pytest.fixture(scope="module")
def metadata() -> str:
    wheel = uia_metadata.published_wheel()
    if not wheel.exists():
        pytest.skip(NO_METADATA)
    return uia_metadata.text_in(wheel)


@pytest.fixture(scope="module")
def constants() -> dict[str, int]:
    if not WINE_IDL.exists():
        pytest.skip("Wine's interface definitions are not installed: apt-get install libwine-dev")
    found = re.findall(r"const\s+long\s+(UIA_\w+)\s*=\s*(\d+)", WINE_IDL.read_text(encoding="utf-8"))
    return {name: int(number) for name, number in found}


@pytest.mark.parametrize("name", sorted(INTERFACES))
def test_methods_have_the_published_order(published: dict[str, Interface], name: str) -> None:
    if name not in published:
        assert name in NOT_IN_WINE_8
        return
    assert INTERFACES[name] == published[name]


def test_every_interface_matches_microsoft_metadata(metadata: str) -> None:
    """Id, base, each method's place in the table and how each argument is passed, of all seventeen interfaces."""
    found = uia_metadata.interfaces_in(metadata)
    assert {name: uia_metadata.as_passed(one) for name, one in INTERFACES.items()} == {
        name: found[name] for name in INTERFACES
    }
    assert sum(len(found[name][2]) for name in INTERFACES) == sum(len(one.methods) for one in INTERFACES.values()) > 200
    assert f"CUIAutomation8 = Guid('{{{CUI_AUTOMATION_8}}}')" in metadata


@pytest.mark.parametrize(
    ("name", "changed", "wrong"),
    [
        ("IUIAutomationInvokePattern", "Invoke()", "Invoke(in int)"),
        ("IUIAutomationTextRange", "GetText(in int, out BSTR)", "GetText(out BSTR, in int)"),
        ("IUIAutomationRangeValuePattern", "SetValue(in double)", "SetValue(in int)"),
        ("IUIAutomation2", "put_AutoSetFocus(in BOOL)", "put_AutoSetFocus(out BOOL)"),
    ],
)
def test_wrong_declaration_is_detected(metadata: str, name: str, changed: str, wrong: str) -> None:
    ours = INTERFACES[name]
    assert changed in ours.methods
    slipped = ours._replace(methods=tuple(wrong if one == changed else one for one in ours.methods))
    assert uia_metadata.as_passed(slipped) != uia_metadata.interfaces_in(metadata)[name]
    moved = ours._replace(methods=("Another()", *ours.methods))
    assert uia_metadata.as_passed(moved) != uia_metadata.interfaces_in(metadata)[name]


def test_error_codes_match_their_published_names() -> None:
    wheel = uia_metadata.published_wheel()
    if not wheel.exists():
        pytest.skip(NO_METADATA)
    published = uia_metadata.errors_in(wheel)
    ours = re.findall(r"^ +0x(\w{8}): .*# (\w+)$", inspect.getsource(api), re.MULTILINE)
    assert len(ours) == len(api._MEANINGS)
    assert {name: int(code, 16) for code, name in ours} == {name: published.get(name) for _, name in ours}


def test_idl_parser_reads_every_method(published: dict[str, Interface]) -> None:
    assert len(published["IUIAutomation"].methods) == 55
    assert published["IUIAutomationElement"].methods[5].startswith("FindAllBuildCache(in int, ")


def test_uia_ids_match_published_constants(constants: dict[str, int]) -> None:
    types = {f"UIA_{name}ControlTypeId": FIRST_CONTROL_TYPE + number for number, name in enumerate(CONTROL_TYPES)}
    assert types.items() <= constants.items()
    for pattern in Pattern:
        name = _camel(pattern.name)
        assert constants[f"UIA_{name}PatternId"] == pattern
        assert constants[f"UIA_Is{name}PatternAvailablePropertyId"] == AVAILABLE[pattern]
    for one in Property:
        assert constants[f"UIA_{_camel(one.name)}PropertyId"] == one


def test_properties_belong_to_their_patterns() -> None:
    for pattern, properties in OF_PATTERN.items():
        assert all(one.name.startswith(pattern.name) for one in properties)


def test_every_control_type_has_a_role() -> None:
    roles = [role_of_class(FIRST_CONTROL_TYPE + number, UIA) for number in range(len(CONTROL_TYPES))]
    assert None not in roles
    assert len(CONTROL_TYPES) >= 30


def test_declared_classes_have_methods_in_order() -> None:
    """With a fake comtypes: the real one is imported on Windows only (see tests/wine)."""
    classes = declare(_comtypes())
    assert classes["IUIAutomation2"].__mro__[1] is classes["IUIAutomation"]
    for name, interface in INTERFACES.items():
        assert [method[0] for method in classes[name]._methods_] == [arguments_of(one)[0] for one in interface.methods]
    find_all = classes["IUIAutomationElement"]._methods_[5]
    assert find_all[0] == "FindAllBuildCache"
    assert [flags for flags, _, _ in find_all[1]] == [["in"], ["in"], ["in"], ["out", "retval"]]
    assert find_all[1][1][1] is ctypes.POINTER(classes["IUIAutomationCondition"])


def _comtypes() -> SimpleNamespace:
    unknown = type("IUnknown", (ctypes.c_void_p,), {})
    return SimpleNamespace(
        IUnknown=unknown,
        GUID=str,
        BSTR=ctypes.c_wchar_p,
        HRESULT=ctypes.c_int32,
        automation=SimpleNamespace(VARIANT=ctypes.c_uint64),
        COMMETHOD=lambda flags, result, name, *arguments: (name, arguments),
    )


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
