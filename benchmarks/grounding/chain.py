"""The default offline chain, asked the questions of a case."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import cv2
from corpus.reading import KeptReader
from PIL import Image, ImageDraw, ImageFont

from grounding.answers import Answer
from grounding.cases import Case, Mode, Question
from grounding.judgement import Verdict, covered, first_is_right, judge
from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.locate import CacheStrategy, LocateStrategy, ScreenParser, VisualLocator, find_all
from handeye.matching import Reference
from handeye.ocr import CachedReader, PaddleReader, TextReader
from handeye.screen import Screen
from handeye.target import LocateResult, Target, parse_target
from handeye.testing.perceiving import FakeProvider

_NOTE: Final = 300  # characters of a note that are kept
_REFUSED: Final = LocateResult(False, None, "none")


class Eyes:
    """A reader and the parser that uses it, for the pictures of one process; what they load is loaded."""

    def __init__(self, reader: TextReader) -> None:
        self.reader = reader
        self.parser = ScreenParser(reader)
        frame = _drawn()
        for words in ("Save", "the search icon", "搜索图标", "the switch"):
            VisualLocator(reader=reader, parser=self.parser, vision=None).locate(words, frame)

    def forget(self) -> None:
        """Forget all frames, so that the next one is fresh."""
        self.parser.clear()
        if isinstance(self.reader, CachedReader):
            self.reader.clear()


@dataclass(frozen=True)
class Chain:
    """A locator as users get it without a model; `tree` answers with the elements it is given, and nothing is remembered."""

    locator: VisualLocator
    cache: CacheStrategy
    tree: FakeProvider

    @classmethod
    def of(cls, mode: Mode, eyes: Eyes | None, slow_tree: bool, ranker: bool) -> Chain:
        reader, parser = (eyes.reader, eyes.parser) if eyes is not None else (None, None)
        tree, memory = FakeProvider(slow=slow_tree), CacheStrategy(reader=reader)
        provider = None if mode == "pixels" else tree
        preset = LocateStrategy.OPENCV_FIRST if slow_tree else LocateStrategy.TREE_FIRST
        order = [name for name in preset.order if ranker or name != "ranker"]
        locator = VisualLocator(reader=reader, parser=parser, tree=provider, cache=memory, vision=None, order=order)
        return cls(locator, memory, tree)


class Bench:
    """
    Asks the questions of cases, over readings that are kept on disk in `readings`.

    `threads` is what one of several processes may use; None: all cores. Without `ranker` the ranker is not asked.
    """

    def __init__(self, readings: Path, threads: int | None = None, *, ranker: bool = True) -> None:
        if threads is not None:
            cv2.setNumThreads(threads)
        self._readings = readings
        self._threads = threads
        self._ranker = ranker
        self._chains: dict[tuple[Mode, bool, bool], Chain] = {}

    def ask(self, case: Case, *, timed: bool) -> list[Answer]:
        """The answers to all questions of a case; with `timed` its frame is read anew, as a user's is."""
        timed = timed or case.mode == "tree"
        eyes = None if case.mode == "tree" else self._timed_eyes() if timed else self._kept_eyes()
        if eyes is not None:
            eyes.forget()
        chain = self._chain(case, eyes, timed)
        chain.tree.elements = case.tree
        screen = case.frame()
        answers = []
        for number, question in enumerate(case.questions):
            chain.cache.clear()
            start = time.perf_counter()
            verdict, result = _answered(chain, case, question, screen)
            ms = (time.perf_counter() - start) * 1000
            fresh = round(ms, 2) if timed and number == 0 else None
            second = round(ms, 2) if timed and number == 1 else None
            record = _record(case, question, verdict, result)
            answers.append(replace(record, fresh_ms=fresh, second_ms=second))
        return list(_with_coverage(answers, case, eyes, screen))

    def _chain(self, case: Case, eyes: Eyes | None, timed: bool) -> Chain:
        key = (case.mode, case.slow_tree, timed)
        if key not in self._chains:
            self._chains[key] = Chain.of(case.mode, eyes, case.slow_tree, self._ranker)
        return self._chains[key]

    @cache  # noqa: B019 - one bench lives as long as its process
    def _kept_eyes(self) -> Eyes:
        return Eyes(KeptReader(PaddleReader(threads=self._threads), self._readings))

    @cache  # noqa: B019
    def _timed_eyes(self) -> Eyes:
        return Eyes(CachedReader(PaddleReader(threads=self._threads)))


def _drawn() -> Screen:
    """A small frame with a word and a shape."""
    image = Image.new("RGB", (320, 200), "white")
    pen = ImageDraw.Draw(image)
    pen.text((20, 20), "Cancel", "black", ImageFont.load_default(24))
    pen.ellipse((200, 100, 230, 130), None, "black", 3)
    return Screen.from_image(image)


def target_of(question: Question, mode: Mode) -> Target:
    """The target of a question; without its colours where there is no picture that could show them."""
    if question.reference is not None:
        return Target(reference=str(question.reference))
    target = parse_target(question.words)
    return _without_colours(target) if mode == "tree" else target


def _without_colours(target: Target) -> Target:
    relations = tuple(replace(each, anchor=_without_colours(each.anchor)) for each in target.relations)
    return replace(target, colour=None, relations=relations)


def _answered(chain: Chain, case: Case, question: Question, screen: Screen) -> tuple[Verdict, LocateResult]:
    try:
        if question.expected == "count":
            assert question.reference is not None
            places = len(find_all(Reference.open(question.reference), screen))
            counted = replace(_REFUSED, error=f"{places} places", method_used="template")
            return ("right" if places == question.count else "wrong"), counted
        result = chain.locator.locate(target_of(question, case.mode), screen)
    except HandeyeError as error:
        result = replace(_REFUSED, error=str(error))
    return judge(question, result), result


def _record(case: Case, question: Question, verdict: Verdict, result: LocateResult) -> Answer:
    best = result.element or next(iter(result.candidates), None)
    looked = [
        f"{each.strategy}: {each.note}"
        for each in result.attempts
        if each.note and each.outcome != "skipped" and each.strategy != "cache"
    ]
    note = "; ".join(looked) or result.error or ""
    return Answer(
        case.set,
        case.mode,
        case.group,
        case.screen,
        question.kind,
        question.family,
        question.words,
        question.expected,
        verdict,
        round(float(best.confidence), 4) if best is not None else 0.0,
        best.bbox if best is not None else None,
        question.boxes,
        result.method_used if result.reliable or question.expected == "count" else "none",
        note[:_NOTE],
        not result.reliable and first_is_right(question, result),
        None,
    )


def _with_coverage(answers: list[Answer], case: Case, eyes: Eyes | None, screen: Screen) -> Iterator[Answer]:
    """The answers, each with whether any element that the sources of its case saw is the one that was meant."""
    asked = [question.reference is None and question.expected in ("find", "either") for question in case.questions]
    elements: tuple[UIElement, ...] = case.tree
    if eyes is not None and any(asked):
        elements += eyes.parser.parse(screen).elements
    for answer, question, counts in zip(answers, case.questions, asked, strict=True):
        yield replace(answer, covered=covered(question, elements)) if counts else answer
