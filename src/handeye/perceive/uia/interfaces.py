"""
UI Automation's COM interfaces as plain data: `declared.py` makes classes of them on Windows, and a test compares them with
Wine's published definitions on every system. A method in the wrong place silently calls another one with its arguments.

A signature reads `Name(in TYPE, out TYPE)`. `int` also stands for enumerations and for ids; `T[]` is a SAFEARRAY of T. All
methods of an interface are listed in the order of its table, including those that are not called.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class Interface(NamedTuple):
    """`methods` are those that it adds to `base`."""

    name: str
    iid: str
    base: str
    methods: tuple[str, ...]


CUI_AUTOMATION_8: Final = "e22ad333-b25f-460c-83d0-0581107395c9"
"""The class to create: that of Windows 8 and later, which has time limits."""

_ELEMENT: Final = "IUIAutomationElement*"
_ELEMENTS: Final = "IUIAutomationElementArray*"
_CONDITION: Final = "IUIAutomationCondition*"
_REQUEST: Final = "IUIAutomationCacheRequest*"
_WALKER: Final = "IUIAutomationTreeWalker*"
_RANGE: Final = "IUIAutomationTextRange*"
_RANGES: Final = "IUIAutomationTextRangeArray*"

# Getters of an element: each exists once for the current value, and once for the cached one.
_ELEMENT_PROPERTIES: Final = (
    *("ProcessId int", "ControlType int", "LocalizedControlType BSTR", "Name BSTR", "AcceleratorKey BSTR"),
    *("AccessKey BSTR", "HasKeyboardFocus BOOL", "IsKeyboardFocusable BOOL", "IsEnabled BOOL", "AutomationId BSTR"),
    *("ClassName BSTR", "HelpText BSTR", "Culture int", "IsControlElement BOOL", "IsContentElement BOOL"),
    *("IsPassword BOOL", "NativeWindowHandle UIA_HWND", "ItemType BSTR", "IsOffscreen BOOL", "Orientation int"),
    *("FrameworkId BSTR", "IsRequiredForForm BOOL", "ItemStatus BSTR", "BoundingRectangle RECT"),
    *(f"LabeledBy {_ELEMENT}", "AriaRole BSTR", "AriaProperties BSTR", "IsDataValidForForm BOOL"),
    *(f"ControllerFor {_ELEMENTS}", f"DescribedBy {_ELEMENTS}", f"FlowsTo {_ELEMENTS}", "ProviderDescription BSTR"),
)
_LEGACY_PROPERTIES: Final = (
    *("ChildId int", "Name BSTR", "Value BSTR", "Description BSTR", "Role DWORD", "State DWORD", "Help BSTR"),
    *("KeyboardShortcut BSTR", "Selection", "DefaultAction BSTR"),
)
_RANGE_VALUE_PROPERTIES: Final = (
    *(
        "Value double",
        "IsReadOnly BOOL",
        "Maximum double",
        "Minimum double",
        "LargeChange double",
        "SmallChange double",
    ),
)


def _both(properties: tuple[str, ...]) -> tuple[str, ...]:
    """Return the getters of all current values, then those of all cached ones."""
    return tuple(_getter(when, *one.split()) for when in ("Current", "Cached") for one in properties)


def _getter(when: str, name: str, kind: str | None = None) -> str:
    return f"Get{when}{name}(out {_ELEMENTS})" if kind is None else f"get_{when}{name}(out {kind})"


_DECLARED: Final = (
    Interface("IUIAutomationCondition", "352ffba8-0973-437c-a61f-f64cafd81df9", "IUnknown", ()),
    Interface(
        "IUIAutomationCacheRequest",
        "b32a92b5-bc25-4078-9c08-d7ee95c48e03",
        "IUnknown",
        (
            "AddProperty(in int)",
            "AddPattern(in int)",
            f"Clone(out {_REQUEST})",
            "get_TreeScope(out int)",
            "put_TreeScope(in int)",
            f"get_TreeFilter(out {_CONDITION})",
            f"put_TreeFilter(in {_CONDITION})",
            "get_AutomationElementMode(out int)",
            "put_AutomationElementMode(in int)",
        ),
    ),
    Interface(
        "IUIAutomationElementArray",
        "14314595-b4bc-4055-95f2-58f2e42c9855",
        "IUnknown",
        ("get_Length(out int)", f"GetElement(in int, out {_ELEMENT})"),
    ),
    Interface(
        "IUIAutomationElement",
        "d22108aa-8ac5-49a5-837b-37bbb3d7591e",
        "IUnknown",
        (
            "SetFocus()",
            "GetRuntimeId(out int[])",
            f"FindFirst(in int, in {_CONDITION}, out {_ELEMENT})",
            f"FindAll(in int, in {_CONDITION}, out {_ELEMENTS})",
            f"FindFirstBuildCache(in int, in {_CONDITION}, in {_REQUEST}, out {_ELEMENT})",
            f"FindAllBuildCache(in int, in {_CONDITION}, in {_REQUEST}, out {_ELEMENTS})",
            f"BuildUpdatedCache(in {_REQUEST}, out {_ELEMENT})",
            "GetCurrentPropertyValue(in int, out VARIANT)",
            "GetCurrentPropertyValueEx(in int, in BOOL, out VARIANT)",
            "GetCachedPropertyValue(in int, out VARIANT)",
            "GetCachedPropertyValueEx(in int, in BOOL, out VARIANT)",
            "GetCurrentPatternAs(in int, in REFIID, out void*)",
            "GetCachedPatternAs(in int, in REFIID, out void*)",
            "GetCurrentPattern(in int, out IUnknown*)",
            "GetCachedPattern(in int, out IUnknown*)",
            f"GetCachedParent(out {_ELEMENT})",
            f"GetCachedChildren(out {_ELEMENTS})",
            *_both(_ELEMENT_PROPERTIES),
            "GetClickablePoint(out POINT, out BOOL)",
        ),
    ),
    Interface(
        "IUIAutomationTreeWalker",
        "4042c624-389c-4afc-a630-9df854a541fc",
        "IUnknown",
        (
            *(
                f"{name}(in {_ELEMENT}, out {_ELEMENT})"
                for name in (
                    *("GetParentElement", "GetFirstChildElement", "GetLastChildElement"),
                    *("GetNextSiblingElement", "GetPreviousSiblingElement", "NormalizeElement"),
                )
            ),
            *(
                f"{name}(in {_ELEMENT}, in {_REQUEST}, out {_ELEMENT})"
                for name in (
                    *("GetParentElementBuildCache", "GetFirstChildElementBuildCache", "GetLastChildElementBuildCache"),
                    *("GetNextSiblingElementBuildCache", "GetPreviousSiblingElementBuildCache"),
                    "NormalizeElementBuildCache",
                )
            ),
            f"get_Condition(out {_CONDITION})",
        ),
    ),
    Interface(
        "IUIAutomation",
        "30cbe57d-d9d0-452a-ab13-7ac5ac4825ee",
        "IUnknown",
        (
            f"CompareElements(in {_ELEMENT}, in {_ELEMENT}, out BOOL)",
            "CompareRuntimeIds(in int[], in int[], out BOOL)",
            f"GetRootElement(out {_ELEMENT})",
            f"ElementFromHandle(in UIA_HWND, out {_ELEMENT})",
            f"ElementFromPoint(in POINT, out {_ELEMENT})",
            f"GetFocusedElement(out {_ELEMENT})",
            f"GetRootElementBuildCache(in {_REQUEST}, out {_ELEMENT})",
            f"ElementFromHandleBuildCache(in UIA_HWND, in {_REQUEST}, out {_ELEMENT})",
            f"ElementFromPointBuildCache(in POINT, in {_REQUEST}, out {_ELEMENT})",
            f"GetFocusedElementBuildCache(in {_REQUEST}, out {_ELEMENT})",
            f"CreateTreeWalker(in {_CONDITION}, out {_WALKER})",
            f"get_ControlViewWalker(out {_WALKER})",
            f"get_ContentViewWalker(out {_WALKER})",
            f"get_RawViewWalker(out {_WALKER})",
            f"get_RawViewCondition(out {_CONDITION})",
            f"get_ControlViewCondition(out {_CONDITION})",
            f"get_ContentViewCondition(out {_CONDITION})",
            f"CreateCacheRequest(out {_REQUEST})",
            f"CreateTrueCondition(out {_CONDITION})",
            f"CreateFalseCondition(out {_CONDITION})",
            f"CreatePropertyCondition(in int, in VARIANT, out {_CONDITION})",
            f"CreatePropertyConditionEx(in int, in VARIANT, in int, out {_CONDITION})",
            f"CreateAndCondition(in {_CONDITION}, in {_CONDITION}, out {_CONDITION})",
            f"CreateAndConditionFromArray(in IUIAutomationCondition[], out {_CONDITION})",
            f"CreateAndConditionFromNativeArray(in {_CONDITION}*, in int, out {_CONDITION})",
            f"CreateOrCondition(in {_CONDITION}, in {_CONDITION}, out {_CONDITION})",
            f"CreateOrConditionFromArray(in IUIAutomationCondition[], out {_CONDITION})",
            f"CreateOrConditionFromNativeArray(in {_CONDITION}*, in int, out {_CONDITION})",
            f"CreateNotCondition(in {_CONDITION}, out {_CONDITION})",
            f"AddAutomationEventHandler(in int, in {_ELEMENT}, in int, in {_REQUEST}, in IUIAutomationEventHandler*)",
            f"RemoveAutomationEventHandler(in int, in {_ELEMENT}, in IUIAutomationEventHandler*)",
            f"AddPropertyChangedEventHandlerNativeArray(in {_ELEMENT}, in int, in {_REQUEST}, "
            "in IUIAutomationPropertyChangedEventHandler*, in int*, in int)",
            f"AddPropertyChangedEventHandler(in {_ELEMENT}, in int, in {_REQUEST}, "
            "in IUIAutomationPropertyChangedEventHandler*, in int[])",
            f"RemovePropertyChangedEventHandler(in {_ELEMENT}, in IUIAutomationPropertyChangedEventHandler*)",
            f"AddStructureChangedEventHandler(in {_ELEMENT}, in int, in {_REQUEST}, "
            "in IUIAutomationStructureChangedEventHandler*)",
            f"RemoveStructureChangedEventHandler(in {_ELEMENT}, in IUIAutomationStructureChangedEventHandler*)",
            f"AddFocusChangedEventHandler(in {_REQUEST}, in IUIAutomationFocusChangedEventHandler*)",
            "RemoveFocusChangedEventHandler(in IUIAutomationFocusChangedEventHandler*)",
            "RemoveAllEventHandlers()",
            "IntNativeArrayToSafeArray(in int*, in int, out int[])",
            "IntSafeArrayToNativeArray(in int[], out int*, out int)",
            "RectToVariant(in RECT, out VARIANT)",
            "VariantToRect(in VARIANT, out RECT)",
            "SafeArrayToRectNativeArray(in double[], out RECT*, out int)",
            "CreateProxyFactoryEntry(in IUIAutomationProxyFactory*, out IUIAutomationProxyFactoryEntry*)",
            "get_ProxyFactoryMapping(out IUIAutomationProxyFactoryMapping*)",
            "GetPropertyProgrammaticName(in int, out BSTR)",
            "GetPatternProgrammaticName(in int, out BSTR)",
            f"PollForPotentialSupportedPatterns(in {_ELEMENT}, out int[], out BSTR[])",
            f"PollForPotentialSupportedProperties(in {_ELEMENT}, out int[], out BSTR[])",
            "CheckNotSupported(in VARIANT, out BOOL)",
            "get_ReservedNotSupportedValue(out IUnknown*)",
            "get_ReservedMixedAttributeValue(out IUnknown*)",
            f"ElementFromIAccessible(in IAccessible*, in int, out {_ELEMENT})",
            f"ElementFromIAccessibleBuildCache(in IAccessible*, in int, in {_REQUEST}, out {_ELEMENT})",
        ),
    ),
    Interface(
        "IUIAutomation2",
        "34723aff-0c9d-49d0-9896-7ab52df8cd8a",
        "IUIAutomation",
        (
            "get_AutoSetFocus(out BOOL)",
            "put_AutoSetFocus(in BOOL)",
            "get_ConnectionTimeout(out DWORD)",
            "put_ConnectionTimeout(in DWORD)",
            "get_TransactionTimeout(out DWORD)",
            "put_TransactionTimeout(in DWORD)",
        ),
    ),
    Interface("IUIAutomationInvokePattern", "fb377fbe-8ea6-46d5-9c73-6499642d3059", "IUnknown", ("Invoke()",)),
    Interface(
        "IUIAutomationValuePattern",
        "a94cd8b1-0844-4cd6-9d2d-640537ab39e9",
        "IUnknown",
        ("SetValue(in BSTR)", *_both(("Value BSTR", "IsReadOnly BOOL"))),
    ),
    Interface(
        "IUIAutomationRangeValuePattern",
        "59213f4f-7346-49e5-b120-80555987a148",
        "IUnknown",
        ("SetValue(in double)", *_both(_RANGE_VALUE_PROPERTIES)),
    ),
    Interface(
        "IUIAutomationTogglePattern",
        "94cf8058-9b8d-4ab9-8bfd-4cd0a33c8c70",
        "IUnknown",
        ("Toggle()", *_both(("ToggleState int",))),
    ),
    Interface(
        "IUIAutomationSelectionItemPattern",
        "a8efa66a-0fda-421a-9194-38021f3578ea",
        "IUnknown",
        (
            "Select()",
            "AddToSelection()",
            "RemoveFromSelection()",
            *_both(("IsSelected BOOL", f"SelectionContainer {_ELEMENT}")),
        ),
    ),
    Interface(
        "IUIAutomationExpandCollapsePattern",
        "619be086-1f4e-4ee4-bafa-210128738730",
        "IUnknown",
        ("Expand()", "Collapse()", *_both(("ExpandCollapseState int",))),
    ),
    Interface(
        "IUIAutomationScrollItemPattern", "b488300f-d015-4f19-9c29-bb595e3645ef", "IUnknown", ("ScrollIntoView()",)
    ),
    Interface(
        "IUIAutomationLegacyIAccessiblePattern",
        "828055ad-355b-4435-86d5-3b51c14a9b1b",
        "IUnknown",
        (
            "Select(in long)",
            "DoDefaultAction()",
            "SetValue(in LPCWSTR)",
            *_both(_LEGACY_PROPERTIES),
            "GetIAccessible(out IAccessible*)",
        ),
    ),
    Interface(
        "IUIAutomationTextPattern",
        "32eba289-3583-42c9-9c59-3b6d9a1e9b6a",
        "IUnknown",
        (
            f"RangeFromPoint(in POINT, out {_RANGE})",
            f"RangeFromChild(in {_ELEMENT}, out {_RANGE})",
            f"GetSelection(out {_RANGES})",
            f"GetVisibleRanges(out {_RANGES})",
            f"get_DocumentRange(out {_RANGE})",
            "get_SupportedTextSelection(out int)",
        ),
    ),
    Interface(
        "IUIAutomationTextRange",
        "a543cc6a-f4ae-494b-8239-c814481187a8",
        "IUnknown",
        (
            f"Clone(out {_RANGE})",
            f"Compare(in {_RANGE}, out BOOL)",
            f"CompareEndpoints(in int, in {_RANGE}, in int, out int)",
            "ExpandToEnclosingUnit(in int)",
            f"FindAttribute(in int, in VARIANT, in BOOL, out {_RANGE})",
            f"FindText(in BSTR, in BOOL, in BOOL, out {_RANGE})",
            "GetAttributeValue(in int, out VARIANT)",
            "GetBoundingRectangles(out double[])",
            f"GetEnclosingElement(out {_ELEMENT})",
            "GetText(in int, out BSTR)",
            "Move(in int, in int, out int)",
            "MoveEndpointByUnit(in int, in int, in int, out int)",
            f"MoveEndpointByRange(in int, in {_RANGE}, in int)",
            "Select()",
            "AddToSelection()",
            "RemoveFromSelection()",
            "ScrollIntoView(in BOOL)",
            f"GetChildren(out {_ELEMENTS})",
        ),
    ),
)

INTERFACES: Final[Mapping[str, Interface]] = MappingProxyType({each.name: each for each in _DECLARED})
