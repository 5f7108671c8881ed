"""
Escaping of control characters in everything that is printed.

Verbs, errors and log warnings print foreign text: from screens, models, files and device names. The streams themselves escape
control characters, so that no verb has to. Colours are written by a rich Console, which bypasses these streams; `Terminal`
escapes its input instead.
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
    """Console that escapes control characters in its input, and does not replace `:key:` by an emoji."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, emoji=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible(text), style, control)


class EscapingGroup(typer.core.TyperGroup):
    """Group that runs with escaping streams. Usage errors quote arguments, which are escaped too."""

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
        if getattr(sys, name) is escaping:  # it may have been replaced meanwhile, for example when its reader has gone
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
