"""The virtual phone: an ADB daemon with a drawn screen, for demos, tests and CI.

with VirtualPhone(scenario=Scenario.parse("permission,dark")) as phone:
    ...  # `adb connect` to phone.serial, then any adb client
    print(phone.state.to_dict())
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handeye_phone.daemon.auth import AuthPolicy
    from handeye_phone.model import PhoneModel
    from handeye_phone.scenario import SCENARIOS, Scenario, ScenarioError
    from handeye_phone.server import VirtualPhone
    from handeye_phone.state import PhoneState

__all__ = ["SCENARIOS", "AuthPolicy", "PhoneModel", "PhoneState", "Scenario", "ScenarioError", "VirtualPhone"]

# Loaded when asked for: the model draws and brings fonts, and nobody who only reads scenarios needs it.
_HOMES = {
    "AuthPolicy": "handeye_phone.daemon.auth",
    "PhoneModel": "handeye_phone.model",
    "PhoneState": "handeye_phone.state",
    "SCENARIOS": "handeye_phone.scenario",
    "Scenario": "handeye_phone.scenario",
    "ScenarioError": "handeye_phone.scenario",
    "VirtualPhone": "handeye_phone.server",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)
