"""Tests of the model cost of the nine steps of docs/spec/perception-tiers.md in a real application, for each set of tiers."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from handeye.testing.desktop import PrivateDesktop
from optional_programs import need_pyside

need_pyside()


@pytest.fixture(scope="module")
def tiers() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "desktop_tiers.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("used", "answer"),
    [
        (("1",), ("4/9", "$0")),
        (("1", "3a by the caller"), ("9/9", "$0")),
        (("1", "1+", "3a"), ("9/9", "$0")),
    ],
)
def test_cost_of_nine_steps_matches_documentation(
    tiers: ModuleType, desktop: PrivateDesktop, used: tuple[str, ...], answer: tuple[str, str]
) -> None:
    line = tiers.measured(desktop, used)
    assert (line.done, line.cost) == answer, str(line)
    assert line.in_docs in tiers.DOCS.read_text(encoding="utf-8").splitlines()
