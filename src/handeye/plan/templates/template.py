"""
The task-template language: patterns that people write, and texts with slots to fill.

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
from handeye.plan.templates.grammar import certain_slots, literal_characters, parse, plainest, slot_names, wordings
from handeye.plan.templates.matcher import Program
from handeye.plan.templates.slots import BRIEFLY, POLITE_END, SENTENCE_MARKS, Slot, SlotType, fold

TASK_LIMIT: Final = 20_000
"""Characters of a task. Messengers stop at a few thousand; more is a document that was passed by mistake."""

_POLITE: Final = re.compile(
    r"(?:(?:请你?|麻烦你?|劳驾|能不能|可以)\s*(?:帮我|帮忙|给我)?|帮我|帮忙"
    r"|(?:could you |can you )?please |could you |can you )\s*",
)
"""What people put before a task without meaning anything by it. Tried only when the task does not fit as it stands."""

# Behind these verbs only: elsewhere it belongs to what is said (等一下).
_BRIEFLY: Final = re.compile(rf"(打开|启动|开启|运行|进入|关闭|关掉|关上|停用|搜索|查找|查看|返回|搜|查){BRIEFLY}")
_LONGEST_ENDING: Final = 60


@dataclass(frozen=True, slots=True)
class TemplateMatch:
    """
    How a task fits a pattern.

    `slots` are the values, as typed. `literals` counts the task's characters that the pattern's own words account for,
    `lead` those in slots before the last one: of several fits the one with the smaller lead, then with more literals, is
    the more likely meaning. `share` (0-1) is the part of the task that the pattern's own words account for.
    """

    slots: Mapping[str, str]
    literals: int
    lead: int
    share: float

    @property
    def rank(self) -> tuple[int, int]:
        """Smaller is better."""
        return self.lead, -self.literals


class Pattern:
    """
    One way to word a task. `source` is as written, `example` its plainest wording, without options; `slots` are all names
    in it, `certain` those that always have a value.
    """

    def __init__(self, source: str, kinds: Mapping[str, Slot]) -> None:
        tree = parse(source)
        self.source = source.strip()
        self.slots = slot_names(tree)
        self.certain = certain_slots(tree)
        self.example = plainest(tree)
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
        """How much it may take to try it on one character of a task: a word's letter counts 1, a slot about 40."""
        return self._program.length

    def examples(self, values: Mapping[str, str], limit: int) -> tuple[str, ...]:
        """Up to `limit` tasks that should fit, with these values for its slots; the plainest wording first."""
        return wordings(self._tree, values, limit)

    def match(self, task: str) -> TemplateMatch | None:
        """
        How `task` fits as a whole, or None. Blanks around it do not matter, nor marks behind it when the pattern ends in
        words, nor a polite opening. Takes time proportional to the task's length.
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
        """The slots whose length alone keeps `task` from fitting, and how many characters they would take here."""
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
            said = (
                span.quoted or kind.type is not SlotType.TEXT or is_dictated(folded[: span.start], folded[span.start :])
            )
            if value is None or not said:
                return None
            values[name] = value
        lengths = [span.end - span.start for _, span in places]
        literals = len(task) - sum(lengths)
        return TemplateMatch(values, literals, sum(lengths[:-1]), literals / len(task) if task else 0.0)


def _wordings(task: str, *, keep_end: bool) -> list[str]:
    """
    The task, without the marks and politeness behind it, without 一下 behind its verb, and all without a polite opening: most
    literal first, none twice. `keep_end`: politeness at the end may belong to a text that is sent, and stays.
    """
    bare = task.strip()
    wordings = [bare, bare.rstrip(SENTENCE_MARKS).rstrip()]
    tail = max(0, len(bare) - _LONGEST_ENDING)
    if not keep_end and (ending := POLITE_END.search(fold(bare[tail:]))) is not None:
        wordings.append(bare[: tail + ending.start()].rstrip())
    wordings += [_BRIEFLY.sub(r"\1", wording, count=1) for wording in wordings]
    opening = _POLITE.match(fold(bare))
    if opening and opening.end() < len(bare):
        wordings += [wording[opening.end() :] for wording in wordings]
    return [wording for wording in dict.fromkeys(wordings) if wording]


_PIECE: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


@dataclass(frozen=True, slots=True)
class TextTemplate:
    """A text with `{slot}` in it, `{{` and `}}` for braces. Values are put in once and never read again as a template."""

    pieces: tuple[str, ...]  # text, slot name, text, slot name, ..., text

    @classmethod
    def parse(cls, source: str) -> TextTemplate:
        """Raises InvalidPlan for a brace that is neither a slot's nor doubled."""
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
        """The template that is nothing but this slot."""
        return cls(("", slot, ""))

    @property
    def slots(self) -> frozenset[str]:
        """The names of the slots in it."""
        return frozenset(self.pieces[1::2])

    @property
    def source(self) -> str:
        """How it is written: `parse` gives the same again."""
        return "".join(
            f"{{{piece}}}" if number % 2 else piece.replace("{", "{{").replace("}", "}}")
            for number, piece in enumerate(self.pieces)
        )

    def put(self, values: Mapping[str, str | TextTemplate]) -> TextTemplate:
        """The template with these slots filled, by texts or by templates; the other slots stay."""
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
        """The text with the slots' values. Raises InvalidPlan when one is missing."""
        missing = self.slots.difference(values)
        if missing:
            raise InvalidPlan(f"no value for slot {', '.join(sorted(missing))} in {self.pieces!r}")
        return "".join(values[piece] if number % 2 else piece for number, piece in enumerate(self.pieces))
