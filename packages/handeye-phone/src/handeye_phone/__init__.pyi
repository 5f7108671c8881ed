from .daemon.auth import AuthPolicy
from .model import PhoneModel
from .scenario import SCENARIOS, Scenario, ScenarioError
from .server import VirtualPhone
from .state import PhoneState

__all__ = [
    "SCENARIOS",
    "AuthPolicy",
    "PhoneModel",
    "PhoneState",
    "Scenario",
    "ScenarioError",
    "VirtualPhone",
]
