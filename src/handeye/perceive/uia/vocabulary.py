"""UI Automation's identifiers, as in uiautomationclient.h."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Property(IntEnum):
    """UIA_...PropertyId"""

    BOUNDING_RECTANGLE = 30001
    CONTROL_TYPE = 30003
    NAME = 30005
    ACCELERATOR_KEY = 30006
    ACCESS_KEY = 30007
    HAS_KEYBOARD_FOCUS = 30008
    IS_KEYBOARD_FOCUSABLE = 30009
    IS_ENABLED = 30010
    AUTOMATION_ID = 30011
    CLASS_NAME = 30012
    HELP_TEXT = 30013
    IS_PASSWORD = 30019
    NATIVE_WINDOW_HANDLE = 30020
    IS_OFFSCREEN = 30022
    FRAMEWORK_ID = 30024
    IS_REQUIRED_FOR_FORM = 30025
    ITEM_STATUS = 30026
    VALUE_VALUE = 30045
    VALUE_IS_READ_ONLY = 30046
    RANGE_VALUE_VALUE = 30047
    RANGE_VALUE_IS_READ_ONLY = 30048
    RANGE_VALUE_MINIMUM = 30049
    RANGE_VALUE_MAXIMUM = 30050
    EXPAND_COLLAPSE_EXPAND_COLLAPSE_STATE = 30070
    WINDOW_IS_MODAL = 30077
    SELECTION_ITEM_IS_SELECTED = 30079
    TOGGLE_TOGGLE_STATE = 30086
    LEGACY_I_ACCESSIBLE_DEFAULT_ACTION = 30100


class Pattern(IntEnum):
    """UIA_...PatternId"""

    INVOKE = 10000
    VALUE = 10002
    RANGE_VALUE = 10003
    EXPAND_COLLAPSE = 10005
    WINDOW = 10009
    SELECTION_ITEM = 10010
    TEXT = 10014
    TOGGLE = 10015
    SCROLL_ITEM = 10017
    LEGACY_I_ACCESSIBLE = 10018


AVAILABLE: Final = {
    Pattern.EXPAND_COLLAPSE: 30028,
    Pattern.INVOKE: 30031,
    Pattern.RANGE_VALUE: 30033,
    Pattern.SCROLL_ITEM: 30035,
    Pattern.SELECTION_ITEM: 30036,
    Pattern.TEXT: 30040,
    Pattern.TOGGLE: 30041,
    Pattern.VALUE: 30043,
    Pattern.WINDOW: 30044,
    Pattern.LEGACY_I_ACCESSIBLE: 30090,
}
"""UIA_Is...PatternAvailablePropertyId: the property that reports whether an element has a pattern."""

OF_PATTERN: Final = {
    Pattern.VALUE: (Property.VALUE_VALUE, Property.VALUE_IS_READ_ONLY),
    Pattern.RANGE_VALUE: (
        Property.RANGE_VALUE_VALUE,
        Property.RANGE_VALUE_IS_READ_ONLY,
        Property.RANGE_VALUE_MINIMUM,
        Property.RANGE_VALUE_MAXIMUM,
    ),
    Pattern.EXPAND_COLLAPSE: (Property.EXPAND_COLLAPSE_EXPAND_COLLAPSE_STATE,),
    Pattern.WINDOW: (Property.WINDOW_IS_MODAL,),
    Pattern.SELECTION_ITEM: (Property.SELECTION_ITEM_IS_SELECTED,),
    Pattern.TOGGLE: (Property.TOGGLE_TOGGLE_STATE,),
    Pattern.LEGACY_I_ACCESSIBLE: (Property.LEGACY_I_ACCESSIBLE_DEFAULT_ACTION,),
}
"""Properties that only elements with the pattern have."""

OF_EVERY_ELEMENT: Final = tuple(
    one
    for one in Property
    if one not in (Property.BOUNDING_RECTANGLE, Property.NATIVE_WINDOW_HANDLE)
    and not any(one in some for some in OF_PATTERN.values())
)
"""
Properties that are requested of every element. The rectangle is read separately, and the window handle only where windows
are read one by one.
"""

CONTROL_TYPES: Final = (
    *("Button", "Calendar", "CheckBox", "ComboBox", "Edit", "Hyperlink", "Image", "ListItem", "List", "Menu"),
    *("MenuBar", "MenuItem", "ProgressBar", "RadioButton", "ScrollBar", "Slider", "Spinner", "StatusBar", "Tab"),
    *("TabItem", "Text", "ToolBar", "ToolTip", "Tree", "TreeItem", "Custom", "Group", "Thumb", "DataGrid", "DataItem"),
    *("Document", "SplitButton", "Window", "Pane", "Header", "HeaderItem", "Table", "TitleBar", "Separator"),
    *("SemanticZoom", "AppBar"),
)
"""The names of the control types, by number from `FIRST_CONTROL_TYPE` on."""

FIRST_CONTROL_TYPE: Final = 50000


def control_type_name(number: object) -> str:
    """
    Return the name of a control type, e.g. `Button` for 50000; "Custom" for an unknown number, as UI Automation itself
    does.
    """
    known = isinstance(number, int) and 0 <= number - FIRST_CONTROL_TYPE < len(CONTROL_TYPES)
    return CONTROL_TYPES[number - FIRST_CONTROL_TYPE] if known and isinstance(number, int) else "Custom"


def control_types(*names: str) -> frozenset[int]:
    """Return the numbers of these control types."""
    return frozenset(FIRST_CONTROL_TYPE + CONTROL_TYPES.index(name) for name in names)
