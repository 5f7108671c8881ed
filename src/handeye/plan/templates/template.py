"""
Task templates: patterns of tasks, and texts with slots to fill.

>>> pattern = Pattern.parse("给{contact}发微信消息说{message}")
>>> dict(pattern.match("给张三发微信消息说你说什么").slots)
{'contact': '张三', 'message': '你说什么'}
>>> TextTemplate.parse("点击{contact}").fill({"contact": "{message}"})
'点击{message}'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from handeye.errors import InvalidPlan
from handeye.plan.templates.dictation import is_dictated
from handeye.plan.templates.grammar import (
    literal_characters,
    parse,
    plainest_wording,
    required_slots,
    slot_names,
    wordings,
)
from handeye.plan.templates.matcher import Program
from handeye.plan.templates.slots import BRIEFLY, POLITE_END, SENTENCE_MARKS, Slot, SlotType, fold

TASK_LIMIT: Final = 20_000
"""Most characters of a task. Messengers allow a few thousand; more is a document that was passed by mistake."""

_POLITE: Final = re.compile(
    r"(?:(?:请你?|麻烦你?|劳驾|能不能|可以)\s*(?:帮我|帮忙|给我)?|帮我|帮忙"
    r"|(?:could you |can you )?please |could you |can you )\s*",
)
"""Polite openings of a task. Removed only if the task does not match with them."""

# 一下 after these verbs only: elsewhere it belongs to the message (等一下).
_SOFTENED_VERB: Final = re.compile(
    rf"(打开|启动|开启|运行|进入|关闭|关掉|关上|停用|搜索|查找|查看|返回|搜|查){BRIEFLY}"
)
_LONGEST_ENDING: Final = 60


@dataclass(frozen=True, slots=True)
class TemplateMatch:
    """
    Match of a task with a pattern.

    `slots` are the values, as typed. `literals` counts the task's characters matched by the pattern's own words, `lead` those
    in slots before the last one: of several matches the one with the smaller lead, then with more literals, is the more likely
    meaning. `share` (0-1) is the part of the task matched by the pattern's own words.
    """

    slots: Mapping[str, str]
    literals: int
    lead: int
    share: float

    @property
    def rank(self) -> tuple[int, int]:
        """Sort key of matches: smaller is better."""
        return self.lead, -self.literals


class Pattern:
    """
    One wording of a task. `source` is the pattern as written, `example` its plainest wording, without options; `slots` are all
    slot names, `certain` those that always have a value.
    """

    def __init__(self, source: str, kinds: Mapping[str, Slot]) -> None:
        tree = parse(source)
        self.source = source.strip()
        self.slots = slot_names(tree)
        self.certain = required_slots(tree)
        self.example = plainest_wording(tree)
        self._needed = literal_characters(tree)
        self._tree = tree
        self._program = Program(tree)
        self._kinds = dict(kinds)

    @classmethod
    def parse(cls, source: str, slots: Mapping[str, Slot] | None = None) -> Pattern:
        """Read a pattern; slots not in `slots` take any text. Raises InvalidPlan, which names the character."""
        return cls(source, slots or {})

    def __repr__(self) -> str:
        return f"Pattern({self.source!r})"

    @property
    def cost(self) -> int:
        """Cost of a match per character of a task: a literal counts 1, a slot about 40."""
        return self._program.length

    def examples(self, values: Mapping[str, str], limit: int) -> tuple[str, ...]:
        """Return up to `limit` tasks that should match, with these values for the slots; the plainest wording first."""
        return wordings(self._tree, values, limit)

    def match(self, task: str) -> TemplateMatch | None:
        """
        Match the whole of `task`; None if it does not fit. Ignores blanks around it, a polite opening, and marks at the end if
        the pattern ends in words. Takes time proportional to the task's length.
        """
        if len(task) > TASK_LIMIT:
            return None
        has_text = any(self._kinds.get(name, Slot()).type is SlotType.TEXT for name in self.slots)
        for candidate in _wordings(task, keep_end=has_text):
            found = self._match(candidate)
            if found is not None:
                return found
        return None

    def too_long(self, task: str) -> Mapping[str, int]:
        """Return the slots whose length limit alone keeps `task` from matching, with the lengths of their values in it."""
        limits = {name: kind.max_length for name, kind in self._kinds.items() if kind.max_length is not None}
        if not limits or self.match(task) is not None:
            return {}
        unbounded = {name: replace(kind, max_length=None) for name, kind in self._kinds.items()}
        found = Pattern(self.source, unbounded).match(task)
        values = found.slots if found is not None else {}
        return {name: len(values[name]) for name, most in limits.items() if len(values.get(name, "")) > most}

    def _match(self, task: str) -> TemplateMatch | None:
        folded = fold(task)
        if not self._needed.issubset(folded):
            return None
        spans = self._program.run(folded)
        if spans is None:
            return None
        places = sorted(spans.items(), key=lambda item: item[1].start)
        values: dict[str, str] = {}
        for name, span in places:
            kind = self._kinds.get(name, Slot())
            value = kind.accept(task[span.start : span.end], quoted=span.quoted)
            verbatim = (
                span.quoted or kind.type is not SlotType.TEXT or is_dictated(folded[: span.start], folded[span.start :])
            )
            if value is None or not verbatim:
                return None
            values[name] = value
        lengths = [span.end - span.start for _, span in places]
        literals = len(task) - sum(lengths)
        return TemplateMatch(values, literals, sum(lengths[:-1]), literals / len(task) if task else 0.0)


def _wordings(task: str, *, keep_end: bool) -> list[str]:
    """
    Return variants of the task: as typed, without marks and polite phrases at the end, without 一下 after its verb, and all of
    these without a polite opening; the most literal first, no duplicates. `keep_end`: a polite phrase at the end may belong
    to a text that is sent, and stays.
    """
    bare = task.strip()
    wordings = [bare, bare.rstrip(SENTENCE_MARKS).rstrip()]
    tail = max(0, len(bare) - _LONGEST_ENDING)
    if not keep_end and (ending := POLITE_END.search(fold(bare[tail:]))) is not None:
        wordings.append(bare[: tail + ending.start()].rstrip())
    wordings += [_SOFTENED_VERB.sub(r"\1", wording, count=1) for wording in wordings]
    opening = _POLITE.match(fold(bare))
    if opening and opening.end() < len(bare):
        wordings += [wording[opening.end() :] for wording in wordings]
    return [wording for wording in dict.fromkeys(wordings) if wording]


_PIECE: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


@dataclass(frozen=True, slots=True)
class TextTemplate:
    """A text with `{slot}` placeholders; `{{` and `}}` are braces. Inserted values are never parsed as a template."""

    pieces: tuple[str, ...]  # text, slot name, text, slot name, ..., text

    @classmethod
    def parse(cls, source: str) -> TextTemplate:
        """Parse a text. Raises InvalidPlan for a brace that is neither a slot's nor doubled."""
        pieces, text, at = list[str](), "", 0
        for found in _PIECE.finditer(source):
            text += source[at : found.start()]
            at = found.end()
            if found[0] in ("{{", "}}"):
                text += found[0][0]
            elif found[1] is not None and found[1].isidentifier():
                pieces += [text, found[1]]
                text = ""
            else:
                raise InvalidPlan(
                    f"text {source!r}, character {found.start() + 1}: {found[0]!r} is no slot; "
                    "write {name} for a slot, {{ or }} for a brace"
                )
        return cls((*pieces, text + source[at:]))

    @classmethod
    def of(cls, slot: str) -> TextTemplate:
        """Return the template that consists of this slot only."""
        return cls(("", slot, ""))

    @property
    def slots(self) -> frozenset[str]:
        """Names of the slots."""
        return frozenset(self.pieces[1::2])

    @property
    def source(self) -> str:
        """Text from which `parse` gives the same template again."""
        return "".join(
            f"{{{piece}}}" if number % 2 else piece.replace("{", "{{").replace("}", "}}")
            for number, piece in enumerate(self.pieces)
        )

    def put(self, values: Mapping[str, str | TextTemplate]) -> TextTemplate:
        """Return the template with these slots replaced by texts or templates; the other slots stay."""
        pieces, text = list[str](), self.pieces[0]
        for name, following in zip(self.pieces[1::2], self.pieces[2::2], strict=True):
            value = values.get(name, TextTemplate.of(name))
            if isinstance(value, str):
                text += value + following
            else:
                pieces += [text + value.pieces[0], *value.pieces[1:]]
                text = pieces.pop() + following
        return TextTemplate((*pieces, text))

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the text with the slots' values. Raises InvalidPlan if one is missing."""
        missing = self.slots.difference(values)
        if missing:
            raise InvalidPlan(f"no value for slot {', '.join(sorted(missing))} in {self.pieces!r}")
        return "".join(values[piece] if number % 2 else piece for number, piece in enumerate(self.pieces))
