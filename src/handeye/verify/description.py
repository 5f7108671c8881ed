"""
What a description says of the texts that it quotes: that they are there, that they are not, or what only a model can judge.

Clauses are read one by one, each whole: a clause with a single word that is not known here is left to a model. "“A” did not
appear" would else be proved by an “A” that stands there, which is the worst that a verdict can do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from handeye.target import TEXT
from handeye.text import quotations

# Longer descriptions are no sentence that can be read to its end.
_LONGEST: Final = 600
# Words that say that a text is seen.
_SHOWN: Final = (
    r"出现|显示|可见|存在|看见|看到|看得到|能见|找到|有"
    r"|shown|showing|shows?|visible|seen?|displayed|displays?|appeared|appearing|appears?|present|there|exists?|reads?"
)
# Words that say that it is not. Two of them in one clause are not counted up ("没有消失"): that is left.
_ABSENT: Final = (
    r"没有|没|未|无|不再|不见|看不到|看不见|找不到|不|消失"
    r"|no longer|not|no|never|without|n[o']t|gone|disappeared|disappears?|disappearing|vanish(?:ed|es)?"
    r"|absent|missing|hidden|cannot|(?:is|are|was|were|do|does|did|has|have|can|could|must)n't|can't"
)
# What will be, or ought to be, is no more than that, whatever is seen. What is not there yet may still come; what ought to be
# there and is not contradicts.
_FUTURE: Final = (
    r"会(?![话议员客])|将要?|即将|(?<![重需主必])要"
    r"|will|won't|'ll|would|wouldn't|shall|shan't|soon|(?:going|about) to"
)
_OUGHT: Final = r"应该|应当|应(?!用)|should|shouldn't|ought to"
# Words that change nothing: who sees it, that it is a text, that it is so now.
_PLAIN: Final = (
    r"当前|现在|还|仍然|仍|依然|已经|已|必须|了|着|的|是|被|这个|该|一个"
    r"|文字|文本|字样|字|标签|内容|词|：|:"
    r"|the|a|an|that|this|its?|still|now|currently|already|any|more|says?|texts?|labels?|words?|messages?"
    r"|is|are|was|were|be|been|being|has|have|had|does|do|did|must"
)
# Words that need another one: what a text “can” or “cannot” is more than seen, when nothing says that it is seen.
_MODAL: Final = r"可以|能够|能|can"
_BARE_NOT: Final = re.compile(r"没有?|未|无|不|no|not|never|cannot|\w*n't")
_CANNOT: Final = re.compile(r"cannot|(?:ca|could)n't")
# Where something is: on the page is where every text is seen. A switch that “is on”, and what is in “A”, is something else.
_BEFORE_PLACES: Final = r"on|in|at|of"
_IN_CHINESE: Final = r"在"
_AFTER_PLACES: Final = r"上|中|里|内"
# What is seen on a page; right beside a quotation it makes that the name of a page, which no text proves.
_PAGE: Final = r"屏幕|界面|页面|画面|screen|page|it"
_JOINED: Final = r"和|与|及|以及|、|&|and"
# A clause ends here; "and" does unless it joins two quotations.
_BREAK: Final = r"[，,；;。.!！\n]|并且|而且|同时|但是|但|且|并|而|then|but|while|and"
_TOKEN: Final = re.compile(
    r"\s*(?:"
    + "|".join(
        f"(?P<{kind}>{pattern})"
        for kind, pattern in (
            ("quote", "\ue000"),
            ("future", rf"(?:{_FUTURE})(?![a-z])"),
            ("ought", rf"(?:{_OUGHT})(?![a-z])"),
            ("absent", rf"(?:{_ABSENT})(?![a-z])"),
            ("joined", rf"(?:{_JOINED})(?![a-z])"),
            ("break", rf"(?:{_BREAK})(?![a-z])"),
            ("page", rf"(?:{_PAGE})(?![a-z])"),
            ("shown", rf"(?:{_SHOWN})(?![a-z])"),
            ("before", rf"(?:{_BEFORE_PLACES})(?![a-z])"),
            ("plain", rf"(?:{_PLAIN})(?![a-z])"),
            ("modal", rf"(?:{_MODAL})(?![a-z])"),
            ("zai", _IN_CHINESE),
            ("after", _AFTER_PLACES),
            ("other", r"[a-z']+|\S"),
        )
    )
    + ")"
)
# In a clause that is left, a text that is not there contradicts it; unless it may speak of something that is over or open.
_MAY_BE_ABSENT: Final = re.compile(
    rf"(?<![a-z])(?:{_ABSENT})(?![a-z])|失败|停止|关|隐藏|移除|删除|清除|清空|取消|收起|离开|退出"
    r"|或|还是|之前|原来|改为|变成|变为|替换|代替|否则|如果|若"
    r"|absen|lack|nowhere|hardly|nor\b|fail|stop|clos|dismiss|hid|remov|delet|clear|cancel|left|leav|exit"
    r"|or\b|either|instead|replac|previous|before|used to|former|chang|turn|became|if\b|unless|than\b|except|rather|only",
    re.I,
)


@dataclass(frozen=True, slots=True)
class QuotedText:
    """A quoted text and what is said of it: it is there (True), it is not (False), or that only a model can tell (None)."""

    text: str
    there: bool | None
    # With `there` None: whether the description cannot hold where this text does not stand.
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Description:
    """`quoted` texts in their order, and `left`: the words that a model has to judge, "" when the quotations say it all."""

    quoted: tuple[QuotedText, ...]
    left: str = ""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


def read_description(description: str) -> Description:
    """
    >>> read_description("显示“微信”，“加载中”消失").quoted
    (QuotedText(text='微信', there=True, needed=False), QuotedText(text='加载中', there=False, needed=False))
    >>> read_description("the switch 'Wi-Fi' is off")
    Description(quoted=(QuotedText(text='Wi-Fi', there=None, needed=True),), left="the switch 'Wi-Fi' is off")
    """
    text = description.strip()
    if text.startswith(TEXT):
        wanted = text[len(TEXT) :].strip()
        return Description((QuotedText(wanted, True),)) if wanted else Description((), text)
    if len(text) > _LONGEST:
        return Description((), text)
    clauses = _clauses(_tokens(text))
    signs = [_sign(clause) for clause in clauses]
    bare = [
        sign is True and not any(token.kind == "shown" for token in clause) for clause, sign in _both(clauses, signs)
    ]
    # "“A”, “B” are gone": whom the verdict of the other clause is about as well, nobody can say.
    unsure = any(bare) and not all(sign is True for sign in signs)
    signs = [None if unsure and alone else sign for sign, alone in zip(signs, bare, strict=True)]
    quoted = [
        QuotedText(token.text, sign, sign is None and not unsure and _is_needed(clause))
        for clause, sign in _both(clauses, signs)
        for token in clause
        if token.kind == "quote"
    ]
    return Description(tuple(quoted), "" if quoted and None not in signs else text)


def _both(clauses: list[list[_Token]], signs: list[bool | None]) -> zip[tuple[list[_Token], bool | None]]:
    return zip(clauses, signs, strict=True)


def _tokens(text: str) -> list[_Token]:
    quoted = quotations(text)
    words, at = "", 0
    for quotation in quoted:
        words += text[at : quotation.start].replace("\ue000", " ") + "\ue000"
        at = quotation.end
    words += text[at:].replace("\ue000", " ")
    texts = iter(quoted)
    tokens = []
    for found in _TOKEN.finditer(words.casefold().replace("’", "'")):
        kind = str(found.lastgroup)
        tokens.append(_Token(kind, next(texts).text if kind == "quote" else found[0].strip()))
    return tokens


def _clauses(tokens: list[_Token]) -> list[list[_Token]]:
    """Split where a clause ends: what joins two quotations joins them, and ends a clause elsewhere."""
    told = []
    for at, token in enumerate(tokens):
        beside = [other.kind for other in (*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2])]
        kind = token.kind
        if kind == "joined" and beside != ["quote", "quote"]:
            kind = "break" if token.text == "and" else "other"
        elif kind == "page":
            kind = "other" if "quote" in beside else "plain"
        elif kind in _OF_PLACES:
            kind = "plain" if _is_of_page(tokens, at) else "other"
        told.append(_Token(kind, token.text))
    return [list(part) for ends, part in groupby(told, lambda token: token.kind == "break") if not ends]


_OF_PLACES: Final = frozenset({"before", "zai", "after"})


def _is_of_page(tokens: list[_Token], at: int) -> bool:
    """Whether a word of place speaks of the page: 在 may end the clause (“A”在), and "on" needs the page behind it."""
    kind = tokens[at].kind
    if kind == "after":
        return at == 0 or tokens[at - 1].kind != "quote"
    following = next((token.kind for token in tokens[at + 1 :] if token.kind != "plain"), "break")
    return following == "page" if kind == "before" else following != "quote"


# Kinds of words that leave the whole clause to a model.
_LEFT: Final = frozenset({"other", "future", "ought"})
_TELLS: Final = frozenset({"shown", "absent"})


def _sign(clause: list[_Token]) -> bool | None:
    """Whether a clause says of what it quotes that it is there or that it is not; None when it says anything else."""
    kinds = [token.kind for token in clause]
    if "quote" not in kinds or _LEFT & set(kinds):
        return None
    first, last = kinds.index("quote"), len(kinds) - 1 - kinds[::-1].index("quote")
    if not set(kinds[first:last]) <= {"quote", "joined"}:
        return None  # "“A” in “B”" is more than both
    absent = kinds.count("absent")
    if _says_what_it_can(clause):
        return None
    if not absent:
        return True
    # "shows “A” and “B” is gone": the one is said of the first, the other of the second.
    told_twice = _TELLS & set(kinds[:first]) and _TELLS & set(kinds[last:])
    return None if absent > 1 or (last > first and told_twice) else False


def _says_what_it_can(clause: list[_Token]) -> bool:
    """Whether the clause has a modal verb, and no word that says that the text is seen or is not."""
    modal = any(token.kind == "modal" or _CANNOT.fullmatch(token.text) for token in clause)
    return modal and not any(
        token.kind == "shown" or (token.kind == "absent" and not _BARE_NOT.fullmatch(token.text)) for token in clause
    )


def _is_needed(clause: list[_Token]) -> bool:
    said = " ".join(token.text for token in clause if token.kind != "quote")
    if any(token.kind == "future" for token in clause):
        return False
    return not _MAY_BE_ABSENT.search(said)
