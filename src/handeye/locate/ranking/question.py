"""A question to the ranker: the words of a target, and the readings under which they are compared."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final

from handeye.locate.ranking.frames import head_of
from handeye.locate.ranking.names import with_role_apart
from handeye.locate.ranking.words import words_of
from handeye.locate.text_forms import REMEMBERED, is_ideograph
from handeye.roles import ROLES
from handeye.target import COLOURS, Relation, Target

_NEGATIONS: Final = frozenset(
    ["not", "don't", "dont", "never", "except", "but", "without", "no", "avoid", "nicht", "kein", "sin", "cannot"]
)
_ORDINALS: Final = dict(
    enumerate(("last but one", "last", "", "first", "second", "third", "fourth", "fifth", "sixth"), -2)
)
_CHINESE_NEGATIONS: Final = ("不", "别", "別", "勿", "除了", "以外", "之外", "而非", "没有", "沒有")
_NO_NEGATIONS: Final = re.compile("别人|别名|类别|区别|特别|个别|识别|性别|級別|级别|不过|不错|[^,，。]不了")


@dataclass(frozen=True)
class Question:
    """A target as the ranker reads it; `given` is the target as it was parsed."""

    given: Target

    @cached_property
    def target(self) -> Target:
        """The target with a role apart that the grammar left in its text; as it was given, where it says what is not meant."""
        if negates(self.given.text or ""):
            return self.given
        target = with_role_apart(self.given)
        if not target.text or target.role or target.ordinal or target.literal or target.exact:
            return target
        return replace(target, text=head_of(target.text), phrase=target.phrase or target.text)

    @cached_property
    def phrase(self) -> str:
        """All the words that were said; for a target of exact keys, those that a person might have said."""
        return (self.target.phrase or in_words(self.target)).strip()

    @cached_property
    def name(self) -> str:
        """The words that name the thing, without role, place and relations; empty where only a role was said."""
        target = self.target
        return (target.text or target.description or "").strip()

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """The name and the whole phrase, each once; texts of candidates are compared with every one of them."""
        return tuple(dict.fromkeys(each for each in (self.name, self.phrase) if each))

    @cached_property
    def colour(self) -> str | None:
        """The colour that was said, also as the first word of the name: "the green send button"."""
        first = self.name.casefold().partition(" ")[0]
        return self.target.colour or (first if first in COLOURS else None)

    @cached_property
    def negated(self) -> bool:
        """True if a word of the phrase may turn its meaning: "do not click Save", 除了保存; not one in a neighbour's name."""
        said = self.phrase
        for name in filter(None, (each.anchor.phrase or each.anchor.text for each in self.relations)):
            said = said.replace(name, " ")
        return negates(said)

    @property
    def is_exact(self) -> bool:
        """True if only what reads so is meant: a name in quotation marks, or an exact key."""
        return bool(self.name) and (self.target.literal or self.target.exact)

    @property
    def relations(self) -> tuple[Relation, ...]:
        return self.target.relations

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words of the phrase in small letters; of scripts without blanks, pairs of neighbouring characters."""
        return words_of(self.phrase)


def in_words(target: Target) -> str:
    """
    Return a target in a person's words, without its region, id and path.

    >>> in_words(Target(text="Delete", role="button", ordinal=2))
    'the second Delete button'
    >>> in_words(Target(text="保存", role="button"))
    '保存按钮'
    """
    name, kind = (target.text or target.description or "").strip(), target.role or ""
    is_chinese = any(map(is_ideograph, name))
    if is_chinese and kind:
        name, kind = name + next((each for each in ROLES.get(kind, ()) if is_ideograph(each[0])), kind), ""
    said = [name, kind]
    if target.colour:
        said.insert(0, target.colour)
    if target.ordinal:
        said.insert(0, _ORDINALS.get(target.ordinal, f"number {abs(target.ordinal)}"))
    if target.ordinal and target.ordinal < min(_ORDINALS):
        said.append("from the end")
    said += [f"{each.kind.value} {each.anchor.phrase or in_words(each.anchor)}" for each in target.relations]
    if target.position:
        said.append(f"at the {target.position.value.replace('-', ' ')}")
    is_name = is_chinese or not (target.role or target.chooses)
    return " ".join(each for each in ("" if is_name else "the", *said) if each)


@lru_cache(maxsize=REMEMBERED)
def negates(text: str) -> bool:
    """Return True if a text holds a word that may turn its meaning: "Don't save", 不保存."""
    said = text.casefold().replace("’", "'")
    plain = _NO_NEGATIONS.sub("", said)
    return not _NEGATIONS.isdisjoint(said.split()) or any(each in plain for each in _CHINESE_NEGATIONS)
