"""A command of the table as a Typer command, whose arguments may begin with a dash."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Any, Final

import typer
import typer.main
from typer.core import TyperCommand

from handeye.cli.calling import reported
from handeye.commands import Command

_NEGATIVE: Final = re.compile(r"-\.?[0-9].*", re.DOTALL)


class Verb(TyperCommand):
    """
    A command. Its module is imported, and its options are made, only when it is called or its help is shown.

    By convention a word that begins with a dash is an option. Where an argument begins with one, the error shows how to write
    it; a text to type is not repeated in it.
    """

    def __init__(self, command: Command) -> None:
        super().__init__(command.name.split()[-1], help=command.summary, rich_help_panel=command.panel)
        self._command = command

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        with reported("--json" in args):
            from handeye.cli.options import verb_function  # imports pydantic

            single = typer.Typer(add_completion=False)
            single.command()(verb_function(self._command))
            made = typer.main.get_command(single)
            self.params, self.callback = made.params, made.callback
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: Any) -> Any:
        with reported(ctx.params["as_json"]):
            return super().invoke(ctx)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words, name, is_type = list(self._possible_options(args)), self._command.name, self._command.name == "type"
        if any(_NEGATIVE.fullmatch(word) or (is_type and self._is_text(word)) for word in words):
            what = "a text that begins with a dash" if is_type else "a number below zero"
            given = (word for word in words if _NEGATIVE.fullmatch(word) or not word.startswith("-"))
            example = "TEXT" if is_type else " ".join(given)
            ctx.fail(f"{what} comes after --, and options before it: handeye {name} -- {example}")
        return super().parse_args(ctx, args)

    def _is_text(self, word: str) -> bool:
        """Return True if a word is neither an option nor a mistyped one: it may be the text to type."""
        if not word.startswith("-") or word == "-":
            return False
        known = [name for option in self.params for name in _dashed(option)]
        if word.startswith("--"):
            return not difflib.get_close_matches(word.partition("=")[0], known)
        return word[:2] not in known

    def _possible_options(self, args: list[str]) -> Iterator[str]:
        """Yield the words that are read as options: those before `--` that are not the value of an option."""
        valued = {known for option in self.params if not getattr(option, "is_flag", False) for known in _dashed(option)}
        words = iter(args)
        for word in words:
            if word == "--":
                return
            if word in valued:
                next(words, None)
            else:
                yield word


def _dashed(parameter: Any) -> list[str]:
    """Return an option's names; an argument has none that begins with a dash."""
    return [name for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("-")]
