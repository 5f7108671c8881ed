"""Names and kinds in texts that the grammar leaves whole: "Introduction heading", since labels end so, and signs, such as ✕."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from handeye.locate.text_forms import REMEMBERED
from handeye.target import Target
from handeye.target.chinese_words import DEEDS as CHINESE_DEEDS
from handeye.target.english_words import DEEDS

_KINDS: Final = {
    **dict.fromkeys((" link", " hyperlink", "超链接", "链接", "連結"), "link"),
    **dict.fromkeys((" heading", "标题", "標題"), "heading"),
    **dict.fromkeys((" image", " picture", "图片", "图像", "圖片"), "image"),
}
"""Words for kinds of things that the grammar reads only after an article, as they stand at the end of a phrase."""
_BEFORE: Final = {f"{word} " if word[0] >= "\u2e80" else f"the{word} ": role for word, role in _KINDS.items()}
"""The same at the beginning: 标题 2.1., the heading 2.6. Joins Between Tables."""
_ORDER: Final = frozenset({"next", "previous"})
"""Words that name a link or an image, too."""
_SIGNS: Final = {
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
"""Signs that people type, and the names of the icons that look so."""
_QUOTES: Final = {"“": "”", "‘": "’", "「": "」", "『": "』", '"': '"', "'": "'"}


ARROWS: Final = ("arrow", "箭头", "箭頭")
"""Words for icons to the ranker alone: to the grammar they may belong to a label."""


@lru_cache(maxsize=REMEMBERED)
def with_role_apart(target: Target) -> Target:
    """
    Return a plain text that ends with a word for a link, a heading or an image as a name and a role: "Introduction heading"
    names Introduction, a heading. `phrase` keeps all words, since they may be the label; a quoted name is literal. A sign names
    the icon that looks so, however it was written, and an arrow is an icon. Other targets, and what is done with such a thing
    ("Copy link"), stay as they are.
    """
    said = (target.text or "").strip()
    icon = _SIGNS.get(said.removesuffix("\ufe0f"))
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
    name, role = _apart(said)
    if role is None:
        return target
    bare = _unquoted(name)
    return replace(target, text=bare, role=role, phrase=said, literal=bare != name)


def _apart(words: str) -> tuple[str, str | None]:
    folded = words.casefold()
    for word, role in _KINDS.items():
        name = words[: -len(word)].removesuffix("的").strip()
        if folded.endswith(word) and len(name) > 1 and not _is_deed(name):
            return name, role
    for word, role in _BEFORE.items():
        name = words[len(word) :].strip()
        if folded.startswith(word) and len(name) > 1:
            return name, role
    return words, None


def _is_deed(name: str) -> bool:
    """Return True if a name says no more than what is done: Copy link, 复制链接."""
    return name.casefold() in (DEEDS | CHINESE_DEEDS) - _ORDER


def _unquoted(name: str) -> str:
    """Return a name without quotation marks around the whole of it."""
    inner = name[1:-1].strip()
    return inner if inner and _QUOTES.get(name[0]) == name[-1] and name[0] not in inner else name
