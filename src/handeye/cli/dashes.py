"""Arguments that begin with a dash, which the shell's custom takes for options."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Any, Final

from typer.core import TyperCommand

_NEGATIVE: Final = re.compile(r"-\.?[0-9].*", re.DOTALL)


class DashedArguments(TyperCommand):
    """A verb whose arguments may begin with a dash: where one does, it says how to write that. A text is not repeated."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words = list(self._possible_options(args))
        if any(_NEGATIVE.fullmatch(word) or self._is_text(word) for word in words):
            what = "a text that begins with a dash" if self.name == "type" else "a number below zero"
            given = (word for word in words if _NEGATIVE.fullmatch(word) or not word.startswith("-"))
            example = "TEXT" if self.name == "type" else " ".join(given)
            ctx.fail(f"{what} comes after --, and options before it: handeye {self.name} -- {example}")
        return super().parse_args(ctx, args)

    def _is_text(self, word: str) -> bool:
        """Whether a word is no option of `type`, nor one mistyped, but may be what is to be typed."""
        if self.name != "type" or not word.startswith("-") or word == "-":
            return False
        known = [name for option in self.params for name in _dashed(option)]
        if word.startswith("--"):
            return not difflib.get_close_matches(word.partition("=")[0], known)
        return word[:2] not in known

    def _possible_options(self, args: list[str]) -> Iterator[str]:
        """The words that are read as options: those before `--` that are not an option's value."""
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
    """An option's names; an argument has none that begins with a dash."""
    return [name for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("-")]
