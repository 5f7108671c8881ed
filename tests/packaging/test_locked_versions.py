"""Tests of the files in requirements/: they satisfy pyproject.toml; `make lock` writes them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BUILD = PROJECT["build-system"]["requires"] + PROJECT["dependency-groups"]["build"]
DEPENDENCIES = PROJECT["project"]["dependencies"]
EXTRAS = PROJECT["project"]["optional-dependencies"]
GROUPS = PROJECT["dependency-groups"]
ASKED = {
    "demo": DEPENDENCIES + BUILD,
    "demo-desktop": DEPENDENCIES + EXTRAS["linux"] + GROUPS["desktop-application"],
    "test": DEPENDENCIES + EXTRAS["dev"] + BUILD,
    **{name: GROUPS[name] for name in ("engine", "wine", "windows-metadata", "lock", "docs")},
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PINNED = re.compile(
    r"^(?P<pin>[\w.-]+==[\w.+-]+)(?: ; (?P<marker>.+?))? \\\n(?P<hashes>(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)",
    re.MULTILINE,
)


def locked(name: str, python: str) -> dict[str, str]:
    """Versions by package that requirements/`name`.txt installs."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    rest = PINNED.sub("", text)
    assert all(line.startswith("#") for line in rest.splitlines()), f"not pinned with hashes: {rest}"
    environment = {"python_version": python, "python_full_version": f"{python}.1", "sys_platform": "linux"}
    versions: dict[str, str] = {}
    for match in PINNED.finditer(text):
        pin = Requirement(f"{match['pin']} ; {match['marker']}" if match["marker"] else match["pin"])
        if pin.marker is None or pin.marker.evaluate(environment):
            assert pin.name not in versions
            versions[canonicalize_name(pin.name)] = str(pin.specifier).removeprefix("==")
    return versions


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", ASKED)
def test_lock_satisfies_what_pyproject_asks_for(name: str, python: str) -> None:
    versions = locked(name, python)
    for asked in map(Requirement, ASKED[name]):
        assert asked.specifier.contains(versions[canonicalize_name(asked.name)]), asked


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", ["demo", "demo-desktop"])
def test_demo_lock_files_pin_the_tested_versions(name: str, python: str) -> None:
    assert locked(name, python).items() <= locked("test", python).items()


def test_no_lock_names_a_registry() -> None:
    files = list((ROOT / "requirements").iterdir())
    assert sorted(file.stem for file in files) == sorted(ASKED)
    assert not [file for file in files if "://" in file.read_text(encoding="utf-8")]
