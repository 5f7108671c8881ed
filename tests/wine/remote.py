"""
A Win32Backend that is driven from outside: runs under Wine, reads calls from standard input and writes
answers to standard output.

A line is a pickle in base64: a name and arguments; the answer is whether it worked, and the value, or the error's
class and words.
"""

from __future__ import annotations

import base64
import functools
import os
import pickle
import sys
import threading
from collections.abc import Sequence
from typing import Any

from bed import show

from handeye.devices import choose_window, has_more_rights, load
from handeye.devices.windows.backend import Win32Backend
from handeye.devices.windows.privileges import level_of
from handeye.errors import HandeyeError
from handeye.geometry import Box
from handeye.perceive import Property
from handeye.perceive.uia import connection
from handeye.perceive.uia.com import ComApi
from handeye.perceive.uia.declared import declare
from handeye.perceive.uia.provider import UIAStateProvider
from handeye.perceive.uia.vocabulary import control_type_name


def show_bed(*arguments: object) -> None:
    """A bed in this process: Wine's PrintWindow works within one process only."""
    painted = threading.Event()
    threading.Thread(
        target=show, args=(*arguments, lambda **said: "painted" in said and painted.set()), daemon=True
    ).start()
    painted.wait(300)


def count_methods() -> dict[str, int]:
    """Number of methods in the table of each interface of UI Automation, as comtypes makes it."""
    import comtypes
    import comtypes.automation

    classes = declare(comtypes)
    return {name: count(classes[name]) for name in classes if name != "IUnknown"}


def count(interface: Any) -> int:
    return sum(len(each.__dict__.get("_methods_", ())) for each in interface.__mro__)


def read_tree(window: int) -> None:
    ComApi().tree((window,))


def read_windows(windows: Sequence[int]) -> list[Any]:
    """Read windows through UI Automation: type, name, box and the states that are set of each."""
    with_states = {Property.IS_ENABLED: "enabled", Property.IS_PASSWORD: "password", Property.IS_OFFSCREEN: "offscreen"}
    return [
        (
            control_type_name(root.get(Property.CONTROL_TYPE)),
            root.text_of(Property.NAME),
            root.box,
            {name for one, name in with_states.items() if root.get(one)},
        )
        for root in ComApi().tree(windows).roots
    ]


def detect(title: str) -> list[tuple[str, str, Box, bool]]:
    """Role, text, box and whether it is enabled, of each element of a window and of the windows in it."""
    backend = Win32Backend()
    window = choose_window(backend.windows(), title)
    with UIAStateProvider(backend.popups) as provider:
        found = provider.detect(window).targets
    backend.close()
    return [(each.element_type, each.text, each.bbox, each.enabled) for each in found]


def look_after_close(window: int) -> str:
    """The name that an element tells on a thread that did not exist when it was read."""
    api = ComApi()
    handle = api.tree((window,)).roots[0].handle
    api.close()
    return api.look(handle).text_of(Property.NAME)


def takes_messages(window: int) -> bool:
    return connection._takes_messages(load(), window)


def rights(window: int) -> tuple[int | None, bool]:
    """The integrity level of this process, and whether the program of a window has more rights."""
    return level_of(load(), os.getpid()), has_more_rights(load(), window)


def read_python_elements(told: Any, most: int) -> Any:
    import com_elements

    return com_elements.read_python_elements(told, most)


def read_python_elements_by_steps(told: Any) -> Any:
    import com_elements

    return com_elements.read_python_elements_by_steps(told)


def set_text(text: str) -> str:
    import com_elements

    return com_elements.set_text(text)


OWN = {
    each.__name__: each
    for each in (
        *(count_methods, read_python_elements, read_python_elements_by_steps, read_tree, read_windows),
        *(detect, look_after_close, rights, set_text, show_bed, takes_messages),
    )
}


def main() -> None:
    backend = Win32Backend()
    for line in sys.stdin.buffer:
        name, arguments, named = pickle.loads(base64.b64decode(line))
        try:
            found = OWN.get(name) or functools.reduce(getattr, name.split("."), backend)
            answer = (True, found(*arguments, **named) if callable(found) else found)
        except HandeyeError as error:
            public = next(each for each in type(error).__mro__ if each.__module__ == HandeyeError.__module__)
            answer = (False, (public.__name__, str(error)))
        sys.stdout.buffer.write(base64.b64encode(pickle.dumps(answer)) + b"\n")
        sys.stdout.buffer.flush()
    backend.close()


main()
