"""`handeye`: the commands of the table as a Typer application."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from handeye._version import __version__
from handeye.cli.terminal import EscapingGroup
from handeye.cli.verb import Verb
from handeye.commands import COMMANDS, GROUPS


class AllVerbs(EscapingGroup):
    """The root of the command line, with every command of the table."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        groups = {name: TyperGroup(name=name, help=line, no_args_is_help=True) for name, line in GROUPS.items()}
        for command in COMMANDS:
            group = groups.get(command.name.split()[0])
            if group is not None:
                self.add_command(group)
            (group or self).add_command(Verb(command))


app = typer.Typer(
    name="handeye",
    cls=AllVerbs,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"handeye {__version__}")
        raise typer.Exit()


@app.callback()
def handeye(
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """See a screen, find what a person names, act on it, check what happened, recover."""
