"""The project's own rendered screens: the corpus' text questions, and the parser's pages of phrases and icons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from corpus.queries import Query, questions_on
from corpus.truth import Scene, scenes_in
from parser import pages, questions

from corpus import drawn_screens
from grounding.cases import ABSENT, Case, Question, refusal
from grounding.sets.lines import size_of

CORPUS: Final = "corpus"
PAGES: Final = "parser_pages"
EVERY_PAGE: Final = 4  # questions are asked on every so many-th page of a library, as `make corpus` does
_FAMILIES: Final = {"name and role": "named role", "relation": "relation", "ordinal": "relation"}


def corpus(out: Path) -> Iterator[Case]:
    """The text questions of every fourth page of each library, by picture."""
    libraries: dict[str, list[Scene]] = defaultdict(list)
    for scene in scenes_in(out / "corpus" / "screens"):
        libraries[scene.library].append(scene)
    for library, scenes in libraries.items():
        names = sorted({scene.page for scene in scenes})
        chosen = set(names if library == drawn_screens.LIBRARY else names[::EVERY_PAGE])
        for scene in scenes:
            if scene.page not in chosen:
                continue
            asked = tuple(map(_of_corpus, questions_on(scene)))
            scene.release()
            if asked:
                yield Case(CORPUS, "pixels", library, scene.name, size_of(scene.picture), asked, scene.picture)


def _of_corpus(query: Query) -> Question:
    if not query.right:
        return refusal(query.words, query.kind)
    boxes = tuple(query.scene.things[number].box for number in query.right)
    family = _FAMILIES.get(query.kind.partition(":")[0], "label")
    return Question(query.words, query.kind, family, boxes)


def parser_pages(out: Path) -> Iterator[Case]:
    """Phrases, and icons by their designers' names, on pages and applications that training never saw."""
    for scene in questions.scenes_in(out / "parser" / "pages"):
        by_phrase = [_of_pages(each) for each in scene.questions]
        by_name = [
            Question(pages.named(icon.name), "icon by its name", "icon", (icon.box,)) for icon in scene.unique_icons()
        ]
        asked = (*by_phrase, *by_name)
        if asked:
            yield Case(PAGES, "pixels", scene.source, scene.name, size_of(scene.picture), asked, scene.picture)


def _of_pages(question: questions.Question) -> Question:
    kind = pages.kind_of(question)
    return refusal(question.words) if kind == ABSENT else Question(question.words, kind, "phrase", question.boxes)
