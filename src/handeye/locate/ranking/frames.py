"""Words around a name that say what a person wants with it: "the section on cookies", 数据类型那一章."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from typing import Final

from handeye.locate.ranking.pool import LONGEST_LABEL
from handeye.locate.ranking.words import table_rows
from handeye.locate.text_forms import REMEMBERED, is_ideograph

_PAIR: Final = 2
_ARTICLES: Final = ("the ", "a ", "an ", "my ")


@lru_cache(maxsize=REMEMBERED)
def head_of(words: str) -> str:
    """
    Return the name in a phrase, without the words around it. All words where nothing would be left, of two words, which are a
    label sooner ("Read more"), and of more than LONGEST_LABEL characters.

    >>> head_of("how do I report a bug?"), head_of("the section on cookies"), head_of("数据类型那一章")
    ('report a bug', 'cookies', '数据类型')
    """
    before, after = _frames()
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
def _frames() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words before and after a name, the longest first."""
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
