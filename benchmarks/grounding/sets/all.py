"""Every set that the benchmark knows, in the order of its table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from grounding.cases import Case, Missing
from grounding.sets import android, clicks, expressions, field_vision, own, references, windows
from grounding.sets.scenes import scenes

_PUBLIC_PAGES: Final = "pages"


@dataclass(frozen=True)
class Source:
    """One set: its name, a path without which it is not there, and what reads it."""

    name: str
    needs: Path
    load: Callable[[], Iterator[Case]]

    def cases(self) -> list[Case] | Missing:
        """The cases, or why there are none."""
        if not self.needs.exists():
            return Missing(self.name, f"{self.needs} is not there")
        return list(self.load()) or Missing(self.name, f"{self.needs} holds no questions")


def recorded(data: Path) -> list[Source]:
    """The sets of recorded screens below `data`."""
    readers: dict[str, tuple[str, Callable[[Path], Iterator[Case]]]] = {
        android.PHRASES: (android.PHRASES, android.phrases),
        android.LABELS: (android.PHRASES, android.labels),
        expressions.NAME: (expressions.NAME, expressions.expressions),
        field_vision.NAME: (field_vision.NAME, field_vision.situations),
        references.QUBES: (references.QUBES, references.qubes),
        references.SIKULI: (references.SIKULI, references.sikuli),
        clicks.NAME: (clicks.NAME, clicks.clicks),
        windows.NAME: (windows.NAME, windows.labels),
    }
    return [Source(name, data / folder, partial(read, data)) for name, (folder, read) in readers.items()]


def rendered(out: Path, further: tuple[Path, ...] = ()) -> list[Source]:
    """The project's own sets below `out`, the public pages there, and `further` folders of scenes."""
    folders = (out / "grounding" / _PUBLIC_PAGES, *further)
    return [
        Source(own.CORPUS, out / "corpus" / "screens", partial(own.corpus, out)),
        Source(own.PAGES, out / "parser" / "pages", partial(own.parser_pages, out)),
        *(Source(folder.name, folder, partial(scenes, folder)) for folder in folders),
    ]
