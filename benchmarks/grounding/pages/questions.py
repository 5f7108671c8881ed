"""Labels, names with a role, and absent questions of rendered pages, drawn by a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rapidfuzz import fuzz

from grounding.pages.render import Edges, Element, Passage, Rendered, fold

Kind = Literal["label", "named role", "instruction", "absent", "contained"]
SEED: Final = 32
LONGEST: Final = 48
LOWEST_LINE_PX: Final = 11
"""Lines of text lower than this are not asked for: people cannot read them either."""
TOO_SIMILAR: Final = 60
"""Similarity in per cent from which another page's label may be meant for something on this page."""
ROLE_WORDS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "en": {
        "link": ("{} link", "the {} link", "the link {}"),
        "heading": ("{} heading", "the heading {}"),
        "image": ("{} image", "the image {}"),
        "button": ("{} button", "the {} button"),
    },
    "zh": {
        "link": ("{} 链接", "“{}”链接"),
        "heading": ("{} 标题", "标题 {}"),
        "image": ("{} 图片", "图片 {}"),
        "button": ("{} 按钮", "“{}”按钮"),
    },
}
NEXT_ELSEWHERE: Final = ("weiter", "suivant", "siguiente", "вперёд", "след.", "次へ", "次のトピックへ")
PREVIOUS_ELSEWHERE: Final = ("zurück", "précédent", "anterior", "назад", "пред.", "前のページ", "前のトピックへ")
# Words for the same purpose: where one is on the page, none of the others is absent.
SAME_PURPOSE: Final = (
    ("next", "next page", "next topic", "下一页", "forward", "→", *NEXT_ELSEWHERE),
    ("prev", "previous", "previous topic", "上一页", "back", "<-", "back to documentation index", *PREVIOUS_ELSEWHERE),
    (
        "home",
        "inicio",
        "домашняя страница",
        "top",
        "起始页",
        "首页",
        "table of contents",
        "contents",
        "目录",
        "up",
        "index",
        "documents",
        "sections",
    ),
    ("go", "search", "quick search", "google search", "search page", "search in chosen module", "搜索", "搜索已选模块"),
    ("introduction", "overview", "简介", "welcome", "about", "getting started", "get started", "tutorial", "tutorials"),
    ("back to top", "наверх"),
    ("faq", "faqs", "frequently asked questions", "常见问题"),
    ("download", "old downloads", "download these documents", "installation"),
    ("logo", "python logo", "lilypond logo"),
    ("license", "apache license", "legal notice", "gpl", "法律通告"),
)
# Alternative texts that a person who sees the picture would not guess, or that every page could have.
UNSEEN_NAMES: Final = ("top", "<-", "product site", "documentation site")
ON_MANY_PAGES: Final = ("logo",)
SHORTEST_ABSENT: Final = {"en": 4, "zh": 2}
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_MIDDLE = re.compile(r"[^\W\d_]{4,}(?: [^\W\d_]{4,})?|[\u3040-\u30ff\u3400-\u9fff]{2,}")
"""One or two words of some length, without punctuation."""
_WORD = re.compile(r"[^\W\d_]{2,}|[\u3400-\u9fff]|[A-Z]\d")


@dataclass(frozen=True)
class Question:
    """Words, and the boxes any of which is right, in pixels of the picture; none where only a refusal is right."""

    words: str
    kind: Kind
    boxes: tuple[Edges, ...] = ()


@dataclass(frozen=True)
class Counts:
    """The most questions of each kind that a page gets; `parts` of the labels are parts of longer lines."""

    labels: int = 8
    parts: int = 0
    named: int = 3
    absent_labels: int = 7
    absent_named: int = 3
    near_misses: int = 3
    contained: int = 0


PUBLIC: Final = Counts()
TRAINING: Final = Counts(labels=14, parts=9, named=10, absent_labels=3, absent_named=2, near_misses=1, contained=4)


def questions(page: Rendered, others: Sequence[Rendered], counts: Counts = PUBLIC) -> list[Question]:
    """All questions of a page but those written by hand."""
    draw = random.Random(f"{SEED} {page.page.name}")
    return [
        *_labels(page, counts, draw),
        *_named(page, counts.named, draw),
        *_absent(page, others, counts, draw),
        *_contained(page, counts.contained, draw),
    ]


def askable(element: Element) -> bool:
    """True for a text that a person would say."""
    return 2 <= len(element.text) <= LONGEST and bool(_WORD.search(element.text)) and "://" not in element.text


def _labels(page: Rendered, counts: Counts, draw: random.Random) -> Iterator[Question]:
    chosen = [each for each in page.elements if _is_label(page, each)]
    parts = _sample(draw, [each for each in chosen if each.part], counts.parts)
    others = [each for each in chosen if each not in parts]
    for each in [*parts, *_sample(draw, others, counts.labels - len(parts))]:
        yield Question(each.text, "label", each.boxes)


def _is_label(page: Rendered, element: Element) -> bool:
    """A visible text that is nowhere else on the page, not even within another one."""
    low = min(bottom - top for _, top, _, bottom in element.boxes) < LOWEST_LINE_PX
    if not (element.visible and element.painted and askable(element)) or low:
        return False
    words = fold(element.text)
    elsewhere = any(words in fold(each.text) and not _same_place(each, element) for each in page.elements)
    written = page.folded_text.replace(" ", "").count(words.replace(" ", ""))
    return not elsewhere and written <= 1 and (written == 1 or element.role in ("input", "button"))


def _named(page: Rendered, count: int, draw: random.Random) -> Iterator[Question]:
    frames = ROLE_WORDS.get(page.page.language, ROLE_WORDS["en"])
    chosen = [each for each in page.elements if each.role in frames and _is_one_of_its_role(page, each)]
    # Rare roles first: most elements of a page of documentation are links.
    groups = [[each for each in chosen if each.role == role] for role in ("button", "image", "heading", "link")]
    picked = [draw.choice(group) for group in groups if group]
    picked += _sample(draw, [each for each in chosen if each not in picked], count - min(count, len(picked)))
    for each in picked[:count]:
        yield Question(_with_role(each, frames, draw), "named role", each.boxes)


def _with_role(element: Element, frames: Mapping[str, tuple[str, ...]], draw: random.Random) -> str:
    """The text with its role in words, without quotation marks around a text that has some."""
    quoted = any(mark in element.text for mark in '“”‘’"')
    fitting = [frame for frame in frames[element.role] if not (quoted and "“" in frame)]
    return draw.choice(fitting).format(element.text)


def _is_one_of_its_role(page: Rendered, element: Element) -> bool:
    low = min(bottom - top for _, top, _, bottom in element.boxes) < LOWEST_LINE_PX
    if not (element.visible and askable(element)) or low or (not element.painted and element.role != "image"):
        return False
    words = fold(element.text)
    if words in UNSEEN_NAMES:
        return False
    return not any(
        words in fold(each.text) and each.role == element.role and not _same_place(each, element)
        for each in page.elements
    )


def _same_place(one: Element, other: Element) -> bool:
    (left, top, right, bottom), edges = one.bounds, other.bounds
    return max(left, edges[0]) < min(right, edges[2]) and max(top, edges[1]) < min(bottom, edges[3])


def _absent(page: Rendered, others: Sequence[Rendered], counts: Counts, draw: random.Random) -> Iterator[Question]:
    foreign = [each for other in others if other.page.package != page.page.package for each in other.elements]
    labels = [
        each for each in foreign if each.visible and each.painted and askable(each) and is_absent(page, each.text)
    ]
    taken: set[str] = set()
    for each in _sample(draw, labels, len(labels)):
        if len(taken) < counts.absent_labels and fold(each.text) not in taken:
            taken.add(fold(each.text))
            yield Question(each.text, "absent")
    frames = ROLE_WORDS.get(page.page.language, ROLE_WORDS["en"])
    named = [each for each in labels if each.role in frames and fold(each.text) not in taken]
    for each in _sample(draw, named, counts.absent_named):
        yield Question(_with_role(each, frames, draw), "absent")
    yield from _near_misses(page, counts.near_misses, draw)


def is_absent(page: Rendered, words: str) -> bool:
    """True where neither the words, nor similar ones, nor words for the same purpose are on the page."""
    folded = fold(words)
    if folded in ON_MANY_PAGES or len(folded) < SHORTEST_ABSENT["en" if folded.isascii() else "zh"]:
        return False
    if folded.replace(" ", "") in page.folded_text.replace(" ", ""):
        return False
    if any(fuzz.token_set_ratio(folded, name) >= TOO_SIMILAR for name in page.names):
        return False
    if fuzz.partial_ratio(folded, page.folded_text) >= TOO_SIMILAR + 20:
        return False
    return not _has_purpose(page, folded)


def _has_purpose(page: Rendered, folded: str) -> bool:
    """True where anything on the page serves the purpose of the words."""
    purposes = [group for group in SAME_PURPOSE if folded.strip("<>»« ") in group]
    return any(_serves(page, word) for group in purposes for word in group)


def _serves(page: Rendered, words: str) -> bool:
    """True where an element is called so, or where the words, if they are no short ones, are written anywhere."""
    return any(name.strip("<>»« ") == words for name in page.names) or (
        len(words) >= SHORTEST_ABSENT["en" if words.isascii() else "zh"] and words in page.folded_text
    )


def _near_misses(page: Rendered, count: int, draw: random.Random) -> Iterator[Question]:
    """Labels of the page with a number that is not there."""
    numbered = [each for each in page.elements if _is_label(page, each) and _NUMBER.search(each.text)]
    for each in _sample(draw, numbered, count):
        found = _NUMBER.search(each.text)
        assert found is not None
        parts = found[0].split(".")
        parts[-1] = str(int(parts[-1]) + draw.choice((10, 20, 30)))
        changed = each.text[: found.start()] + ".".join(parts) + each.text[found.end() :]
        if fold(changed).replace(" ", "") not in page.folded_text.replace(" ", ""):
            yield Question(changed, "absent")


def _contained(page: Rendered, count: int, draw: random.Random) -> Iterator[Question]:
    """One or two words from within a longer text, which are no label of their own: those of labels first."""
    spans = [(passage, list(_spans(page, passage))) for passage in page.passages]
    spans = [each for each in spans if each[1]]
    draw.shuffle(spans)
    of_labels = [words for passage, words in spans if passage.label]
    of_text = [words for passage, words in spans if not passage.label]
    chosen = of_labels[: count - count // 3]
    for words in [*chosen, *of_text, *of_labels[len(chosen) :]][:count]:
        yield Question(draw.choice(words), "contained")


def _spans(page: Rendered, passage: Passage) -> Iterator[str]:
    words = [at for at, piece in enumerate(passage.pieces) if _WORD.search(piece)]
    for length in (1, 2):
        for start in range(1, len(words) - length):
            first, last = words[start], words[start + length - 1]
            text = "".join(passage.pieces[first : last + 1])
            if _MIDDLE.fullmatch(text) and is_contained(page, text):
                yield text


def is_contained(page: Rendered, words: str) -> bool:
    """True where the words are written once, and no label is like them or serves the same purpose."""
    folded = fold(words)
    if page.folded_text.replace(" ", "").count(folded.replace(" ", "")) != 1:
        return False
    if any(folded in name and name not in page.folded_text for name in page.names):
        return False
    return not any(fuzz.ratio(folded, name) >= TOO_SIMILAR for name in page.names) and not _has_purpose(page, folded)


def _sample(draw: random.Random, elements: Sequence[Element], count: int) -> list[Element]:
    return draw.sample(list(elements), min(count, len(elements)))
