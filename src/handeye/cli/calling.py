"""How a verb of the command line calls its command: streams, JSON, errors and exit codes."""

from __future__ import annotations

import codecs
import functools
import os
import sys
from collections.abc import Callable, Mapping
from typing import Annotated, Any, ParamSpec

import typer
from pydantic import ValidationError
from rich.markup import escape

from handeye.cli.progress import Progress
from handeye.cli.tables import print_table
from handeye.cli.terminal import Terminal
from handeye.commands import Command, Context, ExitCode, exit_code_of
from handeye.errors import HandeyeError, UsageError
from handeye.visible import visible, visible_json

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
DeviceUri = Annotated[
    str, typer.Option("--device", "-d", envvar="HANDEYE_DEVICE", help="android:///SERIAL, android:, phone:, image:FILE")
]
ModelName = Annotated[
    str | None,
    typer.Option("--model", help="The model for what nothing else finds: its name, or its provider's; off asks none."),
]
MinConfidence = Annotated[
    float | None,
    typer.Option(help="What is found less surely (0-1) is not acted on; HANDEYE_MIN_CONFIDENCE unless given."),
]
ANY = "android:"
Parameters = ParamSpec("Parameters")


def call(command: Command[Any], as_json: bool, **params: Any) -> None:
    """Run a command: its answer goes to stdout, progress to stdout for people and to stderr beside JSON."""
    console = Terminal(stderr=as_json)
    answered: list[Mapping[str, Any]] = []

    def answer(data: Mapping[str, Any]) -> None:
        if as_json and not answered:
            answered.append(data)
            print_json(data)

    context = Context(
        Progress(console),
        lambda line: console.print(line, highlight=False, soft_wrap=True, markup=False),
        answer,
        None if as_json or not _somebody_is_there() else _choose,
        as_json and _is_plain(),
    )
    try:
        outcome = command.run(_checked(command, params), context)
    except HandeyeError as error:
        code = exit_code_of(error)
        if as_json and not answered:
            print_json({"error": str(error), "kind": type(error).__name__, "exit_code": int(code)})
        else:
            _complain(f"[red]handeye: {escape(str(error))}[/]")
        raise typer.Exit(code) from error
    answer(outcome.data)
    if not as_json:
        for line in outcome.lines:
            typer.echo(visible(line))  # it may go past sys.stdout, where that is ASCII
        if outcome.table is not None:
            stdout = Terminal()
            print_table(outcome.table, stdout, _terminal_width(stdout))
    for line in outcome.warnings:
        _complain(f"[yellow]handeye: {escape(line)}[/]")
    raise typer.Exit(outcome.exit_code)


def print_json(data: Mapping[str, Any]) -> None:
    """One document on stdout, at once; escaped where stdout cannot hold every character."""
    typer.echo(visible_json(data, ascii_only=_is_plain()))
    sys.stdout.flush()


def _is_plain() -> bool:
    """Return True if stdout cannot hold every character."""
    try:
        return codecs.lookup(sys.stdout.encoding or "").name != "utf-8"
    except LookupError:
        return True


def _terminal_width(console: Terminal) -> int | None:
    """None where no terminal sets a width, and nobody asks for one."""
    return console.width if sys.stdout.isatty() or os.environ.get("COLUMNS") else None


def _somebody_is_there() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _choose(question: str, count: int) -> int | None:
    """A number from 1 to `count`; None for an empty line."""
    while answer := typer.prompt(f"{question} 1-{count}, or Enter for none", default="", show_default=False).strip():
        if answer.isdecimal() and 1 <= int(answer) <= count:
            return int(answer)
        typer.echo(f"{answer!r} is not one of them")
    return None


def _complain(markup: str) -> None:
    Terminal(stderr=True).print(markup, highlight=False, soft_wrap=True)


def guarded(verb: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """Ctrl-C at any moment of a verb, its imports included, is one line or one JSON document, and 130."""

    @functools.wraps(verb)
    def guarded(*args: Parameters.args, **options: Parameters.kwargs) -> None:
        try:
            verb(*args, **options)
        except KeyboardInterrupt as stopped:
            said = str(stopped) or "interrupted"  # a person's stop from the desktop says how it came
            if options.get("as_json"):
                print_json({"error": said, "exit_code": int(ExitCode.INTERRUPTED)})
            _complain(f"{said}; the device was let go")
            raise typer.Exit(ExitCode.INTERRUPTED) from None

    return guarded


def _checked(command: Command[Any], params: dict[str, Any]) -> Any:
    """The parameters as the command wants them. Raises UsageError, which names what is wrong."""
    try:
        return command.params(**params)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise UsageError(f"{command.name}: {wrong}") from None
