"""
Parse what a description claims about the texts that it quotes: that they are there, that they are not, or what only a model
can judge.

Clauses are read one by one, each as a whole: a clause with a single unknown word is left to a model. Otherwise "“A” did not
appear" would be proved by an “A” on the screen, which is the worst that a verdict can do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from handeye.target import TEXT
from handeye.text import quotations

# Longer descriptions are not parsed.
_LONGEST: Final = 600
# Words for a text that is seen.
_SHOWN: Final = (
    r"出现|显示|可见|存在|看见|看到|看得到|能见|找到|有"
    r"|shown|showing|shows?|visible|seen?|displayed|displays?|appeared|appearing|appears?|present|there|exists?|reads?"
)
# Words for a text that is not seen. Two of them in one clause ("没有消失") are not resolved: the clause is left to a model.
_ABSENT: Final = (
    r"没有|没|未|无|不再|不见|看不到|看不见|找不到|不|消失"
    r"|no longer|not|no|never|without|n[o']t|gone|disappeared|disappears?|disappearing|vanish(?:ed|es)?"
    r"|absent|missing|hidden|cannot|(?:is|are|was|were|do|does|did|has|have|can|could|must)n't|can't"
)
# Future and obligation: what is seen does not prove them. A text of the future may still come; an expected text that is
# missing contradicts the description.
_FUTURE: Final = (
    r"会(?![话议员客])|将要?|即将|(?<![重需主必])要"
    r"|will|won't|'ll|would|wouldn't|shall|shan't|soon|(?:going|about) to"
)
_OUGHT: Final = r"应该|应当|应(?!用)|should|shouldn't|ought to"
# Words that do not change the claim: who sees it, that it is a text, that it is so now.
_PLAIN: Final = (
    r"当前|现在|还|仍然|仍|依然|已经|已|必须|了|着|的|是|被|这个|该|一个"
    r"|文字|文本|字样|字|标签|内容|词|：|:"
    r"|the|a|an|that|this|its?|still|now|currently|already|any|more|says?|texts?|labels?|words?|messages?"
    r"|is|are|was|were|be|been|being|has|have|had|does|do|did|must"
)
# Modal words: what a text “can” or “cannot” do is more than being seen, unless another word of the clause is about being
# seen.
_MODAL: Final = r"可以|能够|能|can"
_BARE_NOT: Final = re.compile(r"没有?|未|无|不|no|not|never|cannot|\w*n't")
_CANNOT: Final = re.compile(r"cannot|(?:ca|could)n't")
# Places: every text is seen on the page. A switch that “is on”, and what is in “A”, is something else.
_BEFORE_PLACES: Final = r"on|in|at|of"
_IN_CHINESE: Final = r"在"
_AFTER_PLACES: Final = r"上|中|里|内"
# Words for the page; next to a quotation they make that the name of a page, which no text proves.
_PAGE: Final = r"屏幕|界面|页面|画面|screen|page|it"
_JOINED: Final = r"和|与|及|以及|、|&|and"
# Ends of clauses; "and" is one unless it joins two quotations.
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
# In a clause that is left to a model, a missing text contradicts the clause, unless one of these words shows that it may be
# absent.
_MAY_BE_ABSENT: Final = re.compile(
    rf"(?<![a-z])(?:{_ABSENT})(?![a-z])|失败|停止|关|隐藏|移除|删除|清除|清空|取消|收起|离开|退出"
    r"|或|还是|之前|原来|改为|变成|变为|替换|代替|否则|如果|若"
    r"|absen|lack|nowhere|hardly|nor\b|fail|stop|clos|dismiss|hid|remov|delet|clear|cancel|left|leav|exit"
    r"|or\b|either|instead|replac|previous|before|used to|former|chang|turn|became|if\b|unless|than\b|except|rather|only",
    re.I,
)


@dataclass(frozen=True, slots=True)
class QuotedText:
    """A quoted text and the claim about it: it is there (True), it is not (False), or only a model can tell (None)."""

    text: str
    there: bool | None
    # With `there` None: True if the description cannot hold where this text is missing.
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Description:
    """
    The `quoted` texts in their order, and `left`: the words that a model has to judge, "" when the quotations cover
    everything.
    """

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
    signs = [_claim(clause) for clause in clauses]
    bare = [
        sign is True and not any(token.kind == "shown" for token in clause)
        for clause, sign in _with_claims(clauses, signs)
    ]
    # "“A”, “B” are gone": it is unclear whether the verb is about the other clause as well.
    unsure = any(bare) and not all(sign is True for sign in signs)
    signs = [None if unsure and alone else sign for sign, alone in zip(signs, bare, strict=True)]
    quoted = [
        QuotedText(token.text, sign, sign is None and not unsure and _is_needed(clause))
        for clause, sign in _with_claims(clauses, signs)
        for token in clause
        if token.kind == "quote"
    ]
    return Description(tuple(quoted), "" if quoted and None not in signs else text)


def _with_claims(clauses: list[list[_Token]], signs: list[bool | None]) -> zip[tuple[list[_Token], bool | None]]:
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
    """Split the tokens at the ends of clauses: a joining word joins two quotations, and ends a clause elsewhere."""
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
    """Return True if a word of place refers to the page: 在 may end the clause (“A”在), and "on" needs the page after it."""
    kind = tokens[at].kind
    if kind == "after":
        return at == 0 or tokens[at - 1].kind != "quote"
    following = next((token.kind for token in tokens[at + 1 :] if token.kind != "plain"), "break")
    return following == "page" if kind == "before" else following != "quote"


# Kinds of words that leave the whole clause to a model.
_FOR_MODEL: Final = frozenset({"other", "future", "ought"})
_VISIBILITY: Final = frozenset({"shown", "absent"})


def _claim(clause: list[_Token]) -> bool | None:
    """
    Return True if a clause claims that its quotations are there, False if it claims that they are not; None for any other
    clause.
    """
    kinds = [token.kind for token in clause]
    if "quote" not in kinds or _FOR_MODEL & set(kinds):
        return None
    first, last = kinds.index("quote"), len(kinds) - 1 - kinds[::-1].index("quote")
    if not set(kinds[first:last]) <= {"quote", "joined"}:
        return None  # "“A” in “B”" is more than both
    absent = kinds.count("absent")
    if _has_only_modal(clause):
        return None
    if not absent:
        return True
    # "shows “A” and “B” is gone": one claim for each of the two.
    told_twice = _VISIBILITY & set(kinds[:first]) and _VISIBILITY & set(kinds[last:])
    return None if absent > 1 or (last > first and told_twice) else False


def _has_only_modal(clause: list[_Token]) -> bool:
    """Return True if the clause has a modal verb, and no word about being seen or not."""
    modal = any(token.kind == "modal" or _CANNOT.fullmatch(token.text) for token in clause)
    return modal and not any(
        token.kind == "shown" or (token.kind == "absent" and not _BARE_NOT.fullmatch(token.text)) for token in clause
    )


def _is_needed(clause: list[_Token]) -> bool:
    said = " ".join(token.text for token in clause if token.kind != "quote")
    if any(token.kind == "future" for token in clause):
        return False
    return not _MAY_BE_ABSENT.search(said)
