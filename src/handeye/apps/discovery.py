"""Find app modules: built-in ones, those of installed packages, the user's, the project's, and given folders."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Final

from handeye.errors import ConfigError
from handeye.trusted_files import is_trusted

CONFIG: Final = "config.yaml"
BUILTIN: Final = Path(__file__).parent / "builtin"
ENTRY_POINTS: Final = "handeye.apps"
"""The entry-point group under which installed packages name a package of theirs that holds app modules."""

APPS_VARIABLE: Final = "HANDEYE_APPS"
PROJECT_FOLDER: Final = Path("handeye_apps")


class Source(Enum):
    """Origin of a module, in the order in which they are loaded: a later module replaces one of the same name."""

    BUILT_IN = "built-in"
    INSTALLED = "installed"
    USER = "user"
    PROJECT = "project"
    VARIABLE = "variable"
    GIVEN = "given"

    @property
    def is_trusted(self) -> bool:
        """
        True if the module was installed, not just put into a folder. Only then is its handler.py run, and may its files be
        links to other places, as some installers make them.
        """
        return self in (Source.BUILT_IN, Source.INSTALLED)


@dataclass(frozen=True, slots=True)
class ModuleLocation:
    """
    A module's folder, or the `error` that kept it from being found. `told` is its origin for people: the name of a package, a
    folder or a variable. `trusted` is False for a module of the working folder that is not used (see
    `handeye.trusted_files`).
    """

    folder: Path
    source: Source
    told: str
    error: ConfigError | None = None
    trusted: bool = True

    @property
    def within(self) -> Path | None:
        """The folder in which all its files must lie; None where they may lie anywhere."""
        return None if self.source.is_trusted else self.folder


def module_locations(
    given: Iterable[str | Path] = (),
    *,
    builtin: bool = True,
    environment: Mapping[str, str] = os.environ,
    untrusted: bool = False,
) -> Iterator[ModuleLocation]:
    """
    Yield every module's folder, in the order in which they are loaded; those of the working folder if they are trusted, or if
    `untrusted` is True. Raises ConfigError for a given folder, or one that HANDEYE_APPS names, with no module in it.
    """
    if builtin:
        yield from _inside(BUILTIN, Source.BUILT_IN, "handeye")
        yield from _installed()
    if (user := user_folder(environment)) is not None:
        yield from _inside(user, Source.USER, str(user))
    named = [Path(each) for each in environment.get(APPS_VARIABLE, "").split(os.pathsep) if each]
    unnamed = PROJECT_FOLDER.is_dir() and PROJECT_FOLDER.resolve() not in (each.resolve() for each in named)
    if unnamed and ((trusted := is_trusted(PROJECT_FOLDER)) or untrusted):
        for place in _inside(PROJECT_FOLDER, Source.PROJECT, str(PROJECT_FOLDER)):
            yield replace(place, trusted=trusted)
    for folder in named:
        yield from _named(folder, Source.VARIABLE, APPS_VARIABLE)
    for path in given:
        yield from _named(Path(path), Source.GIVEN, str(path))


def user_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the folder of the user's own modules, by the system's convention; None where the home folder is unknown."""
    if sys.platform == "win32":
        base = environment.get("APPDATA")
        return Path(base) / "handeye" / "apps" if base else None
    home = environment.get("HOME")
    if sys.platform == "darwin":
        return Path(home) / "Library" / "Application Support" / "handeye" / "apps" if home else None
    base = environment.get("XDG_CONFIG_HOME") or (str(Path(home) / ".config") if home else "")
    return Path(base) / "handeye" / "apps" if base else None


def modules_in(folder: Path) -> tuple[Path, ...]:
    """Return `folder`, when it is a module itself, else its sub-folders that are modules. Raises ConfigError."""
    if _is_module(folder):
        return (folder,)
    try:
        return tuple(child for child in sorted(folder.iterdir()) if _is_module(child))
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror or error}", file=folder) from error


def _is_module(folder: Path) -> bool:
    """Return True if the folder has a config.yaml, even an unreadable one: such a module is reported, not ignored."""
    try:
        (folder / CONFIG).lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def module_location(folder: Path, source: Source, told: str) -> ModuleLocation:
    """Return the place of the module in `folder`, with links resolved."""
    return ModuleLocation(Path(os.path.realpath(folder)), source, told)  # Path.resolve fails on circular links


def _inside(folder: Path, source: Source, told: str) -> Iterator[ModuleLocation]:
    if not os.path.isdir(folder):  # Path.is_dir raises an error where access is denied
        return
    try:
        found = modules_in(folder)
    except ConfigError as error:
        yield ModuleLocation(folder, source, told, error)
        return
    yield from (module_location(module, source, told) for module in found)


def _named(folder: Path, source: Source, told: str) -> Iterator[ModuleLocation]:
    if not folder.is_dir():
        raise ConfigError("is not a folder", file=folder, expected="a folder with app modules")
    found = modules_in(folder)
    if not found:
        raise ConfigError(
            "has no app module", file=folder, expected=f"a folder with {CONFIG}, or folders with one each"
        )
    yield from (module_location(module, source, told) for module in found)


def _installed() -> Iterator[ModuleLocation]:
    """Yield the modules that installed packages name by entry points; the packages are found without being imported."""
    for point in sorted(importlib.metadata.entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        told = point.dist.name if point.dist is not None else point.name
        try:
            spec = importlib.util.find_spec(point.module)
            folders = [Path(each) for each in (spec.submodule_search_locations or ())] if spec is not None else []
            found = [module for folder in folders if folder.is_dir() for module in modules_in(folder)]
            problem = "" if found else f"its entry point {point.value!r} leads to no folder with app modules"
        except (ImportError, ValueError, ConfigError) as error:
            found, problem = [], f"its entry point {point.value!r} cannot be found: {error}"
        yield from (module_location(module, Source.INSTALLED, told) for module in found)
        if problem:
            wrong = ConfigError(problem, file=told, expected="a package with a folder for each module")
            yield ModuleLocation(Path(point.name), Source.INSTALLED, told, wrong)
