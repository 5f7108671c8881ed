"""`handeye apps ...`: list, check and create app modules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field

from handeye.apps import (
    PROJECT_FOLDER,
    SCHEMAS,
    ModuleLocation,
    ModuleRegistry,
    NewModule,
    Source,
    check_module,
    module_location,
    module_locations,
    modules_in,
    write_schemas,
)
from handeye.commands.base import Context, ExitCode, Outcome, Table
from handeye.commands.parameters import ARGUMENT, NoParams
from handeye.errors import UsageError
from handeye.trusted_files import own_change
from handeye.visible import shown


@dataclass(frozen=True, slots=True)
class _Listed:
    """A module in the list; `state` is empty if its tasks are known."""

    place: ModuleLocation
    title: str = ""
    tasks: tuple[str, ...] = ()
    state: str = ""
    problem: str = ""

    @property
    def name(self) -> str:
        return self.place.folder.name

    @property
    def origin(self) -> str:
        source, told = self.place.source, self.place.told
        return source.value if source is Source.BUILT_IN else f"{source.value}: {told}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "tasks": list(self.tasks),
            "source": self.place.source.value,
            "from": self.place.told,
            "folder": str(self.place.folder),
            "state": self.state or "used",
            "problem": self.problem,
        }

    @property
    def cells(self) -> tuple[str, ...]:
        folder = "" if self.place.source is Source.BUILT_IN else str(self.place.folder)
        return tuple(map(shown, (self.name, self.title, str(len(self.tasks)), self.origin, folder, self.state)))


def list_modules(params: NoParams, context: Context) -> Outcome:
    """List every module with its origin, including replaced and broken ones."""
    registry = ModuleRegistry()
    listed = [_listed(place, registry) for place in module_locations(untrusted=True)]
    return Outcome(
        {"modules": [each.to_dict() for each in listed]},
        table=Table(("module", "title", "tasks", "from", "folder", ""), tuple(each.cells for each in listed)),
    )


def _listed(place: ModuleLocation, registry: ModuleRegistry) -> _Listed:
    name = place.folder.name
    if not place.trusted:
        return _Listed(place, state="not trusted")
    broken = registry.broken.get(name)
    if broken is not None and broken.folder == place.folder:
        return _Listed(place, state="broken", problem=str(broken.error))
    if broken is not None:
        return _Listed(place, state="replaced")
    if registry.place(name).folder != place.folder:
        return _Listed(place, state="replaced")
    handler = registry.handler(name)
    return _Listed(place, handler.title, tuple(handler.tasks))


class CheckParams(BaseModel):
    """Parameters of `apps check`."""

    folders: Annotated[list[Path], ARGUMENT] = Field(
        [], description="Modules, or folders with modules; none is every module there is."
    )


def check(params: CheckParams, context: Context) -> Outcome:
    """Name every problem of modules, each with file and line; the exit code is 2 when one of them is an error."""
    registry = ModuleRegistry()
    chosen = (
        list(module_locations(untrusted=True))
        if not params.folders
        else [each for path in params.folders for each in _given(path)]
    )
    problems = [problem for place in chosen for problem in check_module(place, registry)]
    errors = sum(problem.is_error for problem in problems)
    counted = f"{len(chosen)} modules: {errors} errors, {len(problems) - errors} warnings"
    return Outcome(
        {
            "ok": not errors,
            "modules": [{"name": place.folder.name, "folder": str(place.folder)} for place in chosen],
            "problems": [problem.to_dict() for problem in problems],
        },
        (*(shown(str(problem)) for problem in problems), counted),
        ExitCode.USAGE if errors else ExitCode.OK,
    )


def _given(path: Path) -> list[ModuleLocation]:
    if not path.is_dir():
        raise UsageError(f"{path} is no folder; name an app module, or a folder with app modules in it")
    found = modules_in(path)
    if not found:
        raise UsageError(f"{path} has no app module: neither it nor a folder in it has a config.yaml")
    return [module_location(module, Source.GIVEN, str(path)) for module in found]


class NewParams(BaseModel):
    """Parameters of `apps new`."""

    name: Annotated[str, ARGUMENT] = Field(description="The module's name: letters, digits and _.")
    title: str | None = Field(None, description="What people call the app.")
    package: str | None = Field(None, description="Its Android package, such as com.tencent.mm.")
    folder: Path = Field(PROJECT_FOLDER, description="Where the module's folder is made.")


def new(params: NewParams, context: Context) -> Outcome:
    """Write a module to begin with; nothing that is there is overwritten."""
    module = NewModule(params.name, params.title or params.name, params.package)
    registry = ModuleRegistry()
    if params.name in {handler.name for handler in registry.handlers} | registry.broken.keys():
        raise UsageError(
            f"there is a module {params.name!r} already, and this one would replace it; choose another name"
        )
    with own_change(params.folder) as own:
        written = module.write(params.folder)
        own += written
    home = params.folder / params.name
    problems = check_module(ModuleLocation(home.resolve(), Source.GIVEN, str(home)), registry)
    return Outcome(
        {
            "module": params.name,
            "folder": str(home),
            "files": [str(path) for path in written],
            "problems": [problem.to_dict() for problem in problems],
        },
        (f"{home}: try `handeye apps check {home}`, then add tasks to tasks.yaml",),
        warnings=tuple(shown(str(problem)) for problem in problems),
    )


class SchemaParams(BaseModel):
    """Parameters of `apps schema`."""

    folder: Annotated[Path, ARGUMENT] = Field(PROJECT_FOLDER / SCHEMAS, description="Where they are written.")


def schema(params: SchemaParams, context: Context) -> Outcome:
    """Write the JSON Schemas of a module's files, for editors."""
    with own_change(PROJECT_FOLDER) as own:
        written = write_schemas(params.folder)
        own += (path for path in written if path.resolve().is_relative_to(PROJECT_FOLDER.resolve()))
    named = [str(path) for path in written]
    return Outcome({"schemas": named}, tuple(named))
