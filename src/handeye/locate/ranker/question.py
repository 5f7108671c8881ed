"""Question of the ranker: the words of a target, and the readings with which candidates are compared."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import Final

from handeye.locate.ranker.candidates import LONGEST_LABEL
from handeye.locate.ranker.vocabulary import table_rows, words_of
from handeye.roles import ROLES
from handeye.target import CHINESE_ACTIONS, COLOURS, ENGLISH_ACTIONS, Relation, Target
from handeye.text import CACHE_SIZE, is_ideograph

# Names and roles in texts that the grammar does not split: "Introduction heading", since labels end like that, and symbols
# such as ✕.

_KINDS: Final = {
    **dict.fromkeys((" link", " hyperlink", "超链接", "链接", "連結"), "link"),
    **dict.fromkeys((" heading", "标题", "標題"), "heading"),
    **dict.fromkeys((" image", " picture", "图片", "图像", "圖片"), "image"),
}
"""Words for roles at the end of a phrase, which the grammar reads only after an article."""
_BEFORE: Final = {f"{word} " if word[0] >= "\u2e80" else f"the{word} ": role for word, role in _KINDS.items()}
"""The same at the beginning: 标题 2.1., the heading 2.6. Joins Between Tables."""
_ORDER: Final = frozenset({"next", "previous"})
"""Words for an order that are also names of a link or an image."""
_SYMBOLS: Final = {
    **dict.fromkeys("✕×✖╳⨯✗❌⊗", "close"),
    **dict.fromkeys("+＋➕", "plus"),
    **dict.fromkeys("←⬅🡐", "back arrow"),
    **dict.fromkeys("→➡🡒", "forward arrow"),
    **dict.fromkeys("<‹〈❮", "back"),
    **dict.fromkeys(">›〉❯", "next"),
    **dict.fromkeys("⌃∧", "chevron up"),
    **dict.fromkeys("⌄∨▾▼", "chevron down"),
    **dict.fromkeys("✓✔√", "check mark"),
    **dict.fromkeys("⋮︙", "more vertical"),
    **dict.fromkeys("⋯…", "more horizontal"),
    **dict.fromkeys("☰≡", "menu"),
}
"""Symbols that people type, and the names of the icons that look like them."""
_QUOTES: Final = {"“": "”", "‘": "’", "「": "」", "『": "』", '"': '"', "'": "'"}


ARROWS: Final = ("arrow", "箭头", "箭頭")
"""Words for icons, used by the ranker only: for the grammar they may belong to a label."""


@lru_cache(maxsize=CACHE_SIZE)
def split_role(target: Target) -> Target:
    """
    Return a plain text that ends with a word for a link, a heading or an image split into a name and a role: "Introduction
    heading" is the name Introduction and the role heading.

    `phrase` keeps all words, since they may be the label; a quoted name is literal. A symbol becomes the icon that looks
    like it, and an arrow becomes an icon. Other targets and actions on such an element ("Copy link") are unchanged.
    """
    said = (target.text or "").strip()
    icon = _SYMBOLS.get(said.removesuffix("\ufe0f"))
    if icon and target.role in (None, "button", "icon"):
        return replace(target, text=icon, role="icon", phrase=f"the {icon} icon", literal=False, exact=False)
    if not said or target.exact or target.literal or target.role:
        return target
    words = f" {said.casefold()}"
    if word := next((each for each in ARROWS if words.endswith(f" {each}" if each.isascii() else each)), None):
        name = words[: -len(word)].replace(" the ", " ", 1).strip().removesuffix("的")
        return replace(target, text=name or word, role="icon", phrase=target.phrase or said)
    if (target.phrase or said) != said or target.chooses:
        return target
    name, role = _split_role(said)
    if role is None:
        return target
    bare = _unquoted(name)
    return replace(target, text=bare, role=role, phrase=said, literal=bare != name)


def _split_role(words: str) -> tuple[str, str | None]:
    folded = words.casefold()
    for word, role in _KINDS.items():
        name = words[: -len(word)].removesuffix("的").strip()
        if folded.endswith(word) and len(name) > 1 and not _is_action(name):
            return name, role
    for word, role in _BEFORE.items():
        name = words[len(word) :].strip()
        if folded.startswith(word) and len(name) > 1:
            return name, role
    return words, None


def _is_action(name: str) -> bool:
    """Return True if a name is only an action: Copy link, 复制链接."""
    return name.casefold() in (ENGLISH_ACTIONS | CHINESE_ACTIONS) - _ORDER


def _unquoted(name: str) -> str:
    """Return a name without quotation marks around all of it."""
    inner = name[1:-1].strip()
    return inner if inner and _QUOTES.get(name[0]) == name[-1] and name[0] not in inner else name


# Framing words around a name: "the section on cookies", 数据类型那一章.

_PAIR: Final = 2
_ARTICLES: Final = ("the ", "a ", "an ", "my ")


@lru_cache(maxsize=CACHE_SIZE)
def head_of(words: str) -> str:
    """
    Return the name in a phrase, without the framing words. Returns all words if nothing would be left, of two words, which
    are rather a label ("Read more"), and of more than LONGEST_LABEL characters.

    >>> head_of("how do I report a bug?"), head_of("the section on cookies"), head_of("数据类型那一章")
    ('report a bug', 'cookies', '数据类型')
    """
    before, after = _framing_words()
    head = words.strip(" ?？!！.。")
    if len(words.split()) == _PAIR or len(words) > LONGEST_LABEL:
        return words
    while True:
        folded = head.casefold()
        start = next((len(each) for each in before if folded.startswith(each)), 0)
        end = next((len(each) for each in after if folded.endswith(each)), 0)
        rest = head[start : len(head) - end].strip()
        article = next((each for each in _ARTICLES if start and rest.casefold().startswith(each)), "")
        rest = rest[len(article) :]
        if not (start or end) or len(rest) < 2:
            return head or words
        head = rest


@cache
def _framing_words() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words before and after a name, the longest first."""
    lists = [(kind, terms) for (kind,), terms in table_rows("frames.txt")]
    named = dict(lists)
    found: dict[str, set[str]] = {"before": set(), "after": set()}
    for kind, terms in lists:
        for term in terms if kind in found else ():
            for thing, of in product(named["thing"], named["of"]):
                said = term.replace("THING", thing).replace("OF", of)
                blank = "" if is_ideograph(said[0]) else " "
                found[kind].add(said + blank if kind == "before" else blank + said)
    before, after = (tuple(sorted(found[kind], key=len, reverse=True)) for kind in ("before", "after"))
    return before, after


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
    """A target as the ranker interprets it; `given` is the target as it was parsed."""

    given: Target

    @cached_property
    def target(self) -> Target:
        """The target with the role split off that the grammar left in its text; unchanged if it is negated."""
        if negates(self.given.text or ""):
            return self.given
        target = split_role(self.given)
        if not target.text or target.role or target.ordinal or target.literal or target.exact:
            return target
        return replace(target, text=head_of(target.text), phrase=target.phrase or target.text)

    @cached_property
    def phrase(self) -> str:
        """All words of the target; for a target of exact fields, the words that a person might use."""
        return (self.target.phrase or in_words(self.target)).strip()

    @cached_property
    def name(self) -> str:
        """The words that name the element, without role, position and relations; empty if there is only a role."""
        target = self.target
        return (target.text or target.description or "").strip()

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """The name and the whole phrase, each once; texts of candidates are compared with both."""
        return tuple(dict.fromkeys(each for each in (self.name, self.phrase) if each))

    @cached_property
    def colour(self) -> str | None:
        """The requested colour, also as the first word of the name: "the green send button"."""
        first = self.name.casefold().partition(" ")[0]
        return self.target.colour or (first if first in COLOURS else None)

    @cached_property
    def negated(self) -> bool:
        """
        True if a word of the phrase may negate it: "do not click Save", 除了保存; words in a neighbour's name do not count.
        """
        said = self.phrase
        for name in filter(None, (each.anchor.phrase or each.anchor.text for each in self.relations)):
            said = said.replace(name, " ")
        return negates(said)

    @property
    def is_exact(self) -> bool:
        """True if only an exact match is meant: a name in quotation marks, or an exact field."""
        return bool(self.name) and (self.target.literal or self.target.exact)

    @property
    def relations(self) -> tuple[Relation, ...]:
        return self.target.relations

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words of the phrase in lower case; for scripts without spaces, pairs of neighbouring characters."""
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


@lru_cache(maxsize=CACHE_SIZE)
def negates(text: str) -> bool:
    """Return True if a text contains a word that may negate it: "Don't save", 不保存."""
    said = text.casefold().replace("’", "'")
    plain = _NO_NEGATIONS.sub("", said)
    return not _NEGATIONS.isdisjoint(said.split()) or any(each in plain for each in _CHINESE_NEGATIONS)
