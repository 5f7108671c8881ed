"""
Every verb as plain data: name, one line of help, effect, and where its handler is.

Imports nothing slow. The module of a verb is imported only when its handler or its parameters are asked for.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pydantic import BaseModel

    from handeye.commands.base import Context, Outcome


class Effect(Enum):
    """READ if a command only looks; ACT if it changes something on a device."""

    READ = "read"
    ACT = "act"


@dataclass(frozen=True, slots=True)
class Command:
    """
    A verb. `home` is "MODULE:FUNCTION" in this package: `function(params, context) -> Outcome`, where the annotation of
    `params` is a pydantic model, from which front ends make options (the command line) or a JSON schema. `panel` is the group
    under which the help lists the verb.
    """

    name: str
    summary: str
    effect: Effect
    home: str
    panel: str | None = None

    @property
    def handler(self) -> Callable[[Any, Context], Outcome]:
        """Import the module, and return the function that runs the command."""
        module, _, name = self.home.partition(":")
        handler: Callable[[Any, Context], Outcome] = getattr(import_module(f"handeye.commands.{module}"), name)
        return handler

    @property
    def params(self) -> type[BaseModel]:
        """Import the module, and return the model of the parameters."""
        model: type[BaseModel] = typing.get_type_hints(self.handler)["params"]
        return model


READ, ACT = Effect.READ, Effect.ACT
_DESKTOP: Final = "Desktop"

COMMANDS: Final = (
    Command("run", "Carry out a task in a person's words, and prove it.", ACT, "run:run_task"),
    Command("devices", "List the Android devices that adb knows.", READ, "devices:show_devices"),
    Command("connect", "Connect to a phone over TCP.", READ, "devices:connect_device"),
    Command("screenshot", "Save what a phone or a desktop shows as PNG.", READ, "devices:take_screenshot"),
    Command("locate", "Find something on a picture, and say how it was found.", READ, "locate:locate"),
    Command("ocr", "Read the text of a picture, with boxes.", READ, "pictures:read_text"),
    Command(
        "parse",
        "List the controls on a picture: kind, words, what an icon shows, and where; offline.",
        READ,
        "pictures:parse",
    ),
    Command("match", "Find a picture on a picture, with the evidence.", READ, "pictures:match"),
    Command(
        "tap",
        "Find something on the device and tap it; what is not there or not unique is not tapped.",
        ACT,
        "locate:tap",
    ),
    Command("plan", "Show the steps that a task would take, and who made them; nothing is done.", READ, "plan:plan"),
    Command("verify", "Say whether a picture shows what is expected, with the evidence.", READ, "verify:verify"),
    Command(
        "flow",
        "Plan a task, find its steps' targets on one picture, and say what would be verified; nothing is done.",
        READ,
        "flow:flow",
    ),
    Command("report", "Make the report of a run folder again.", READ, "runs:make_report"),
    Command(
        "trust",
        "Use the .env, plans and app modules of a folder from now on, until they change.",
        READ,
        "trust:trust_folder",
    ),
    Command("doctor", "Say what is installed, what is missing, and how to get it.", READ, "doctor:check"),
    Command("demo", "Run the main job on virtual phones, and check it in their own state.", ACT, "phone:demo"),
    Command("version", "Print the version.", READ, "doctor:show_version"),
    Command("phone start", "Run the virtual phone until Ctrl-C.", ACT, "phone:start"),
    Command("phone state", "Print what the virtual phone itself says.", READ, "phone:show_state"),
    Command("phone scenario", "Switch disturbances on, or list them.", ACT, "phone:set_scenario"),
    Command(
        "model check",
        "Ask the configured model with a real picture: does it answer, see, and say where things are?",
        READ,
        "model:check",
    ),
    Command("apps list", "List the app modules and where they come from.", READ, "apps:list_modules"),
    Command("apps check", "Name every problem of app modules, with file and line.", READ, "apps:check"),
    Command("apps new", "Begin an app module; nothing that is there is overwritten.", READ, "apps:new"),
    Command("apps schema", "Write the JSON Schemas of a module's files, for editors.", READ, "apps:schema"),
    Command("runs list", "List what was run, newest first.", READ, "runs:list_runs"),
    Command("runs show", "Show one run, step by step, with the evidence.", READ, "runs:show_run"),
    Command("state", "List the elements of a window with their numbers.", READ, "desktop_windows:state", _DESKTOP),
    Command("inspect", "Tell everything about one element.", READ, "desktop_windows:inspect", _DESKTOP),
    Command("click", "Click an element of a window.", ACT, "desktop_input:click", _DESKTOP),
    Command("drag", "Drag an element onto another one, or by so many pixels.", ACT, "desktop_input:drag", _DESKTOP),
    Command("scroll", "Turn the wheel over an element.", ACT, "desktop_input:scroll", _DESKTOP),
    Command(
        "click-at",
        "Click a place of the desktop, in pixels (after -- when negative).",
        ACT,
        "desktop_input:click_at",
        _DESKTOP,
    ),
    Command(
        "drag-at",
        "Drag from one place of the desktop to another, in pixels (after -- when negative).",
        ACT,
        "desktop_input:drag_at",
        _DESKTOP,
    ),
    Command("press", "Press a key, or several together.", ACT, "desktop_input:press", _DESKTOP),
    Command("windows", "List the windows of a desktop, the topmost first.", READ, "desktop_windows:windows", _DESKTOP),
    Command("focus", "Raise a window and give it the keyboard.", ACT, "desktop_windows:focus", _DESKTOP),
    Command("type", "Type a text into what has the keyboard.", ACT, "desktop_input:type_text", _DESKTOP),
)
"""In the order in which the help lists them."""

GROUPS: Final = {
    "phone": "The virtual phone.",
    "model": "The configured vision-language model.",
    "apps": "What Handeye knows about apps.",
    "runs": "What was run.",
}
"""The first words of the verbs that have two, each with its line of help."""
