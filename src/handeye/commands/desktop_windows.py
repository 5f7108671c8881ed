"""Windows of a desktop and their elements by number: `handeye state`, `inspect`, `windows` and `focus`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from handeye.commands.base import Context, Outcome
from handeye.commands.desktop import (
    AskingParams,
    Desktop,
    DesktopParams,
    desktop_of,
    kept_listing,
    on_listed,
    window_data,
    window_line,
)
from handeye.commands.parameters import ARGUMENT
from handeye.desktop import DesktopSession, Filter, SavedStates, as_data
from handeye.elements import UIElement
from handeye.errors import DeviceError, TreeFailed
from handeye.perceive import Control, element_line
from handeye.visible import shown

_MOST_TEXT = 2_000


class StateParams(AskingParams):
    """Parameters of `state`."""

    infer: bool = Field(False, description="Also borders, splitters and handles that follow.")
    page: int = Field(1, ge=1, description="Which page, when there are several.")
    role: str | None = Field(None, description="Only elements of this role: Button, tab, 按钮.")
    text: str | None = Field(None, description="Only elements with this text.")
    visible: bool = Field(False, description="Only what is on the screen.")


def state(params: StateParams, context: Context) -> Outcome:
    """List the elements of a window."""
    with desktop_of(params, infer=params.infer, vision=params.vision) as session:
        try:
            found = session.state(params.window)
        except TreeFailed as error:
            raise TreeFailed(f"{error}" + ("" if params.vision else "; --vision lists what is seen")) from error
        screens = tuple(monitor.box for monitor in session.device.backend.monitors())
        wanted = Filter(params.role, params.text, params.visible, screens)
        kept = SavedStates(session.device.uri)
        return kept_listing(found, kept, wanted, params.page, escaped=context.escaped)


class InspectParams(DesktopParams):
    """Parameters of `inspect`."""

    id: Annotated[int, ARGUMENT] = Field(description="The number that `state` has listed.")


def inspect(params: InspectParams, context: Context) -> Outcome:
    """Tell everything about one element."""

    def look(session: DesktopSession) -> Outcome:
        element, control = session.inspect(params.id)
        data = _told(element, control, params.id)
        lines = tuple(f"  {key}: {shown(str(value))}" for key, value in data.items() if key not in ("id", "name"))
        return Outcome(data, (element_line(element), *lines))

    return on_listed(params, context, look)


def _told(element: UIElement, control: Control | None, number: int) -> dict[str, Any]:
    told = as_data(element) | {"id": number, "role": element.element_type, "center": list(element.center)}
    if element.visible_region is not None:
        told["visible_rect"] = list(element.visible_region)
    if element.parent is not None:
        told["parent"] = element.parent
    if not element.metadata.get("password"):
        told["text"] = element.text[:_MOST_TEXT]
    told["description"] = element.description[:_MOST_TEXT]
    told |= {key: value for key, value in element.metadata.items() if isinstance(value, str | int | float | bool)}
    told["actions"] = _offered(control)
    return told


def _offered(control: Control | None) -> list[str]:
    """Return the element's own actions, or none if its application does not answer."""
    try:
        return sorted(control.offers) if control is not None else []
    except DeviceError:
        return []


class WindowsParams(BaseModel):
    """Parameters of `windows`."""

    device: Desktop = None


def windows(params: WindowsParams, context: Context) -> Outcome:
    """List the windows, the topmost first."""
    with DesktopSession(params.device) as session:
        found = session.windows()
    return Outcome(
        {"windows": [window_data(each) for each in found]}, tuple(map(window_line, found)) or ("there is no window",)
    )


class FocusParams(WindowsParams):
    """Parameters of `focus`."""

    title: Annotated[str, ARGUMENT] = Field(
        min_length=1, description="Its title or a part of it, re:PATTERN, program:NAME or id:N."
    )


def focus(params: FocusParams, context: Context) -> Outcome:
    """Raise a window and give it the keyboard."""
    with DesktopSession(params.device) as session:
        window = session.focus(params.title)
    return Outcome({"window": window_data(window)}, (window_line(window),))
