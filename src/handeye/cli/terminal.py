"""
What keeps the terminal from obeying foreign text.

Texts of a screen, answers of a model, files of a folder and names of devices end in what a verb prints, and in errors and log
warnings. So the streams themselves escape control characters: no verb can forget it. Colours are written by a rich Console
only, which writes past the streams; ours cleans what it is given.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import typer.core
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from handeye.cli.streams import Escaping
from handeye.visible import visible


class Terminal(Console):
    """A console that shows control characters in what it prints, instead of sending them, and makes no pictures of `:key:`."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, emoji=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible(text), style, control)


class EscapingGroup(typer.core.TyperGroup):
    """The verbs, between streams that escape. What is wrong with a call quotes its words, which are escaped, too."""

    def main(self, *args: Any, **extra: Any) -> Any:
        with _escaping("stdout"), _escaping("stderr"):
            return super().main(*args, **extra)

    def make_context(self, *args: Any, **extra: Any) -> Any:
        with _readable_complaint():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: Any) -> Any:
        with _readable_complaint():
            return super().invoke(ctx)


@contextmanager
def _escaping(name: str) -> Iterator[None]:
    stream: TextIO | None = getattr(sys, name)
    if stream is None or isinstance(stream, Escaping):
        yield
        return
    escaping = Escaping(stream)
    setattr(sys, name, escaping)
    try:
        yield
    finally:
        if getattr(sys, name) is escaping:  # else it has been replaced, such as after its reader has gone
            setattr(sys, name, stream)


@contextmanager
def _readable_complaint() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        message = getattr(error, "message", None)
        if isinstance(message, str):
            error.message = visible(message)  # type: ignore[attr-defined]
        raise
