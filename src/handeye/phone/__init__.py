"""The virtual phone: an ADB daemon with a drawn screen, for demos, tests and CI.

with VirtualPhone(scenario=Scenario.parse("permission,dark")) as phone:
    ...  # `adb connect` to phone.serial, then any adb client
    print(phone.state.to_dict())
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handeye.phone.daemon.auth import AuthPolicy
    from handeye.phone.model import PhoneModel
    from handeye.phone.scenario import SCENARIOS, Scenario, ScenarioError
    from handeye.phone.server import VirtualPhone
    from handeye.phone.state import PhoneState

__all__ = ["SCENARIOS", "AuthPolicy", "PhoneModel", "PhoneState", "Scenario", "ScenarioError", "VirtualPhone"]

# Loaded when asked for: the model draws and brings fonts, and nobody who only reads scenarios needs it.
_HOMES = {
    "AuthPolicy": "handeye.phone.daemon.auth",
    "PhoneModel": "handeye.phone.model",
    "PhoneState": "handeye.phone.state",
    "SCENARIOS": "handeye.phone.scenario",
    "Scenario": "handeye.phone.scenario",
    "ScenarioError": "handeye.phone.scenario",
    "VirtualPhone": "handeye.phone.server",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)
