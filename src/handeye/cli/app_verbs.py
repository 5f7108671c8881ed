"""Verbs about app modules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from handeye.cli.calling import Json, call, guarded


@guarded
def apps_list(as_json: Json = False) -> None:
    """List the app modules and where they come from."""
    from handeye.commands import APPS_LIST

    call(APPS_LIST, as_json)


@guarded
def apps_check(
    folders: Annotated[
        list[Path] | None, typer.Argument(help="Modules, or folders with modules; none is every module there is.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Name every problem of app modules, with file and line."""
    from handeye.commands import APPS_CHECK

    call(APPS_CHECK, as_json, folders=folders or [])


@guarded
def apps_new(
    name: Annotated[str, typer.Argument(help="The module's name: letters, digits and _.")],
    title: Annotated[str | None, typer.Option(help="What people call the app.")] = None,
    package: Annotated[str | None, typer.Option(help="Its Android package, such as com.tencent.mm.")] = None,
    folder: Annotated[Path, typer.Option(help="Where the module's folder is made.")] = Path("handeye_apps"),
    as_json: Json = False,
) -> None:
    """Begin an app module; nothing that is there is overwritten."""
    from handeye.commands import APPS_NEW

    call(APPS_NEW, as_json, name=name, title=title, package=package, folder=folder)


@guarded
def apps_schema(
    folder: Annotated[Path, typer.Argument(help="Where they are written.")] = Path("handeye_apps/.schema"),
    as_json: Json = False,
) -> None:
    """Write the JSON Schemas of a module's files, for editors."""
    from handeye.commands import APPS_SCHEMA

    call(APPS_SCHEMA, as_json, folder=folder)
