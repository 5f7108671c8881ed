"""
Words by which models say that they do not see a thing, or will not look for it.

Words alone do not decide: "not visible" may be about the thing that was asked for, about something else on the screen, or be
the label itself. So a denial is looked at in its clause, with what was asked for: of that thing it is a refusal, of another
control a doubt (it may be the same thing by another name), of anything else nothing. In thoughts before an action, where a
model weighs what it sees, a refusal is a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from handeye.models.reply_denials import (
    CHINESE,
    CHINESE_FRAME,
    CONTROLS,
    DECLINED,
    ELSEWHERE,
    ENGLISH,
    FUNCTION_WORDS,
    HIDDEN,
    OTHERS,
    RETRACTED,
    SUBSTITUTED,
)

_QUOTED = re.compile(
    r"\"[^\"\n]{0,200}\"|“[^”\n]{0,200}”|(?<!\w)'[^'\n]{0,200}'(?!\w)|‘[^’\n]{0,200}’(?!\w)|「[^」\n]{0,200}」|`[^`\n]{0,200}`|《[^》\n]{0,200}》"
)
# Where one statement ends: "no results are shown, so I click Search" says nothing against Search.
_CLAUSE_END = re.compile(
    r"[,;:!?()\n，。；：！？|—–]|\.(?=\s|$)|\s-\s|\b(?:but|so|and|while|although|though|because|since|hence|therefore|however|which)\b"
    r"|但|所以|因此"
)
_NO_LABEL = re.compile(
    r"(?:the |an? )?(?:(?P<about>[\w'-]{1,40}) )?(?P<thing>(?:element|target|item|object|button|icon|it) )?(?:is |was )?"
    r"(?:not (?:found|visible|present|available|there|here|on (?:the )?screen|applicable)|absent|missing|no match"
    r"|nothing found)"
    r"|(?P<bare>none|null|n/?a|nothing)|there (?:is|are) none"
)
_ASKED: Final = "\x02"
"""Stands for what was asked for, where a text names it literally. No text that is read holds it."""


class Denial(IntEnum):
    """What words beside a place say against it: nothing, enough for a further look, or that the thing is not there."""

    NONE = 0
    DOUBT = 1
    REFUSAL = 2


def says_no(text: str) -> bool:
    """Whether a text says that the thing is not there, or declines. What it quotes does not count."""
    return any(
        pattern.search(clause)
        for clause in _clauses(text, "")
        for pattern in (ENGLISH, DECLINED, CHINESE, OTHERS, HIDDEN)
    )


def denial(text: str, asked: str = "", *, thought: bool = False) -> Denial:
    """
    What a text beside a place says against it, where `asked` is what was looked for ("" where that has no words). `thought`: it
    stands before an action, as a part of how the model came to it.
    """
    worst = max((_of_clause(clause, asked, thought) for clause in _clauses(text, asked)), default=Denial.NONE)
    return min(worst, Denial.DOUBT) if thought else worst


def label_denial(label: str, asked: str = "") -> Denial:
    """
    As `denial`, of a label in the place of a "no" ("not found", "none"). Labels repeat what is on a screen, where pages say
    such things as "Page not found": only a label that says nothing else counts, and none that was asked for.
    """
    words, wanted = _even(label).strip(" .!"), _even(asked).strip(" .!")
    match = _NO_LABEL.fullmatch(words)
    if match is None or re.search(rf"(?<!\w){re.escape(words)}(?!\w)", wanted):
        return Denial.NONE
    about = match["about"]
    if wanted and match["bare"]:
        return Denial.DOUBT
    if wanted and about and not match["thing"] and about not in CONTROLS | _content(wanted):
        return Denial.DOUBT
    return Denial.REFUSAL


def _clauses(text: str, asked: str) -> Iterator[str]:
    """The statements of a text in lower case, without what they quote; what was asked for is `_ASKED`."""
    wanted = _even(asked).strip(" .!\"'")

    def unquoted(quoted: re.Match[str]) -> str:
        return f" {_ASKED} " if wanted and _even(quoted.group()[1:-1]).strip(" .!") == wanted else " "

    plain = _QUOTED.sub(unquoted, text.replace("’", "'").replace(_ASKED, " ")).lower().replace("_", " ")
    if wanted:
        plain = re.sub(rf"(?<!\w){re.escape(wanted)}(?!\w)" if wanted.isascii() else re.escape(wanted), _ASKED, plain)
    for clause in _CLAUSE_END.split(plain):
        if even := " ".join(clause.split()):
            yield even


def _of_clause(clause: str, asked: str, thought: bool) -> Denial:
    if DECLINED.search(clause) or OTHERS.search(clause) or re.search(rf"\bnot (?:the |an? )?{_ASKED}", clause):
        return Denial.REFUSAL
    if ELSEWHERE.search(clause):
        return Denial.NONE
    if ENGLISH.search(clause):
        return _about(clause, asked)
    if found := CHINESE.search(clause):
        return _about_chinese(clause.replace(found.group(), " ", 1), clause, asked)
    if HIDDEN.search(clause):
        return min(_about(clause, asked), Denial.DOUBT)
    if SUBSTITUTED.search(clause) and not _names(clause, asked):
        return Denial.DOUBT
    return Denial.DOUBT if not thought and RETRACTED.search(clause) else Denial.NONE


def _about(clause: str, asked: str) -> Denial:
    """How much an English denial matters: by what it is about."""
    subject = _content(clause)
    if not subject - CONTROLS or _names(clause, asked):
        return Denial.REFUSAL
    if not asked.strip():
        return Denial.REFUSAL if subject & CONTROLS else Denial.DOUBT
    return Denial.DOUBT if subject & CONTROLS else Denial.NONE


def _about_chinese(rest: str, clause: str, asked: str) -> Denial:
    """
    The same of a Chinese one; `rest` is the clause without its denial. Words are not parted there: pairs of signs are compared.
    """
    wanted = CHINESE_FRAME.sub("", "".join(sign for sign in _even(asked) if _is_han(sign)))
    subject = CHINESE_FRAME.sub("", "".join(sign for sign in rest if _is_han(sign)))
    if not wanted or not subject or _ASKED in clause or any(pair in clause for pair in _pairs(wanted)):
        return Denial.REFUSAL
    return Denial.DOUBT if CHINESE_FRAME.search(clause) else Denial.NONE


def _names(clause: str, asked: str) -> bool:
    """Whether a clause names what was asked for."""
    return _ASKED in clause or bool(_content(clause) & _content(_even(asked)) - CONTROLS)


def _content(text: str) -> frozenset[str]:
    """The words that tell what a text is about, without the plural's s."""
    words = re.findall(r"[^\W_]+(?:'[a-z]{1,2})?", text)
    return frozenset(word.removesuffix("s") for word in words if word not in FUNCTION_WORDS)


def _pairs(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(len(text) - 1)] or [text]


def _is_han(sign: str) -> bool:
    return "\u4e00" <= sign <= "\u9fff"


def _even(text: str) -> str:
    return " ".join(text.lower().replace("_", " ").split())


def without_quotes(text: str) -> str:
    """The text without what it quotes, its apostrophes straight."""
    return _QUOTED.sub(" ", text.replace("’", "'"))
