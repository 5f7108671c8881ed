"""Run a command for the command line: streams, JSON, errors and exit codes."""

from __future__ import annotations

import codecs
import getpass
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import typer
from rich.markup import escape

from handeye.cli.tables import print_table
from handeye.cli.terminal import Terminal
from handeye.commands import Command, Context, ExitCode, exit_code_of
from handeye.errors import HandeyeError, UsageError
from handeye.visible import visible, visible_json

# The text to type: an argument, or from a place that other programs cannot read.


MOST_CHARACTERS: Final = 1_000_000
"""Of a text from standard input: more would take a keyboard an hour, and the pipe may never end."""


def text_given(text: str | None, stdin: bool, variable: str | None) -> str:
    """
    Return the argument, the value of an environment variable, or standard input without its last line end. At a terminal the
    person is asked for it without echo. Raises typer.BadParameter unless exactly one of the three is given.
    """
    if (text is not None) + stdin + (variable is not None) != 1:
        raise typer.BadParameter("give a text, or --stdin, or --env NAME, and one of them only")
    if text is not None:
        return text
    if variable is not None:
        value = os.environ.get(variable)
        if value is None:
            raise typer.BadParameter(f"--env {variable}: there is no such variable")
        return value
    return _from_stdin()


def _from_stdin() -> str:
    if sys.stdin.isatty():
        return getpass.getpass("Text: ")
    try:
        read = sys.stdin.read(MOST_CHARACTERS + 1)
    except UnicodeError:
        raise typer.BadParameter("--stdin: it is no text in this locale's encoding") from None
    if len(read) > MOST_CHARACTERS:
        raise typer.BadParameter(f"--stdin: it has more than {MOST_CHARACTERS:,} characters")
    return read.removesuffix("\n").removesuffix("\r")


def call(command: Command, as_json: bool, params: Mapping[str, Any]) -> None:
    """Run a command. Its answer goes to stdout; progress goes to stdout too, but to stderr where the answer is JSON."""
    from handeye.cli.progress import Progress  # imports what carries out runs

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
        None if as_json or not _is_interactive() else _choose,
        text_given,
        as_json and _is_plain(),
    )
    try:
        outcome = command.handler(_checked(command, params), context)
    except HandeyeError as error:
        _report_error(error, as_json and not answered)
        raise typer.Exit(exit_code_of(error)) from error
    answer(outcome.data)
    if not as_json:
        for line in outcome.lines:
            typer.echo(visible(line))  # typer may bypass sys.stdout, where that is ASCII
        if outcome.table is not None:
            stdout = Terminal()
            print_table(outcome.table, stdout, _terminal_width(stdout))
    for line in outcome.warnings:
        _complain(f"[yellow]handeye: {escape(line)}[/]")
    raise typer.Exit(outcome.exit_code)


def _report_error(error: HandeyeError, as_json: bool) -> None:
    if as_json:
        print_json({"error": str(error), "kind": type(error).__name__, "exit_code": int(exit_code_of(error))})
    else:
        _complain(f"[red]handeye: {escape(str(error))}[/]")


def print_json(data: Mapping[str, Any]) -> None:
    """Print one document to stdout and flush it; it is escaped where stdout cannot hold every character."""
    typer.echo(visible_json(data, ascii_only=_is_plain()))
    sys.stdout.flush()


def _is_plain() -> bool:
    """Return True if stdout cannot hold every character."""
    try:
        return codecs.lookup(sys.stdout.encoding or "").name != "utf-8"
    except LookupError:
        return True


def _terminal_width(console: Terminal) -> int | None:
    """Return the width in cells, or None where neither a terminal nor COLUMNS sets one."""
    return console.width if sys.stdout.isatty() or os.environ.get("COLUMNS") else None


def _is_interactive() -> bool:
    """Return True if a person can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _choose(question: str, count: int) -> int | None:
    """Ask for a number from 1 to `count`. Return None for an empty line."""
    while answer := typer.prompt(f"{question} 1-{count}, or Enter for none", default="", show_default=False).strip():
        if answer.isdecimal() and 1 <= int(answer) <= count:
            return int(answer)
        typer.echo(f"{answer!r} is not one of them")
    return None


def _complain(markup: str) -> None:
    Terminal(stderr=True).print(markup, highlight=False, soft_wrap=True)


@contextmanager
def reported(as_json: bool) -> Iterator[None]:
    """
    End with one line or one JSON document, and the exit code, when Ctrl-C interrupts the block or it raises a HandeyeError,
    as a verb's module does where a part is not installed.
    """
    try:
        yield
    except HandeyeError as error:
        _report_error(error, as_json)
        raise typer.Exit(exit_code_of(error)) from error
    except KeyboardInterrupt as stopped:
        said = str(stopped) or "interrupted"  # a stop by a person's input on the desktop has a message
        if as_json:
            print_json({"error": said, "exit_code": int(ExitCode.INTERRUPTED)})
        _complain(f"{said}; the device was let go")
        raise typer.Exit(ExitCode.INTERRUPTED) from None


def _checked(command: Command, params: Mapping[str, Any]) -> Any:
    """Return the parameters as the command's model. Raises UsageError, which names each problem."""
    from pydantic import ValidationError

    try:
        return command.params(**params)
    except ValidationError as error:
        places = [
            ".".join(map(str, each["loc"])) for each in error.errors()
        ]  # "" for a check of several fields together
        reasons = [each["msg"].removeprefix("Value error, ") for each in error.errors()]
        wrong = "; ".join(": ".join(filter(None, pair)) for pair in zip(places, reasons, strict=True))
        raise UsageError(f"{command.name}: {wrong}") from None
