"""Tests of the names that `handeye` exports, and of lazy loading."""

from __future__ import annotations

import subprocess
import sys

import pytest

import handeye
from handeye.verify import ScreenVerifier
from handeye.verify import Verifier as VerifierProtocol

SEED_004 = [
    *("Planner", "StepPlan", "TaskPlan", "ActionName", "TargetType", "ExecutionLevel"),
    *("Verifier", "VerifyResult", "SuggestionAction", "BlockerType", "Blocker", "DismissSuggestion"),
    *("TaskRunner", "TaskResult", "TaskStatus", "StepResult", "StepStatus"),
    *("AssetsManager", "ModuleRegistry", "AppHandler", "DefaultHandler"),
]


@pytest.mark.parametrize("name", sorted(handeye.__all__))
def test_every_exported_name_loads(name: str) -> None:
    value = getattr(handeye, name)
    assert name.startswith("__") or getattr(value, "__module__", "").startswith("handeye.")


def test_only_listed_names_are_exported() -> None:
    assert dir(handeye) == sorted(set(handeye.__all__))
    with pytest.raises(AttributeError, match="No handeye attribute Nothing"):
        handeye.Nothing  # noqa: B018


def test_all_seed_004_names_are_exported() -> None:
    assert set(SEED_004) <= set(handeye.__all__)


def test_exported_verifier_is_the_screen_verifier() -> None:
    """It has the name and the methods of docs/spec/vision-agent.md; the runner's protocol of the same name is separate."""
    assert issubclass(handeye.Verifier, ScreenVerifier)
    assert handeye.Verifier is not VerifierProtocol
    for way in ("verify_with_reference", "verify_with_description", "quick_check"):
        assert callable(getattr(handeye.Verifier, way))


def test_package_import_loads_no_submodules() -> None:
    said = "import sys, handeye; print(sorted(name for name in sys.modules if name.startswith(('handeye.', 'cv2', 'numpy'))))"
    out = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True).stdout.strip()
    assert out == "[]"
