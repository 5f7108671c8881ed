"""The text to type: an argument, or from a place that other programs cannot read."""

from __future__ import annotations

import getpass
import os
import sys
from typing import Final

import typer

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
