"""
Detect statements of a model that it does not see an element, or declines to look for it.

A phrase alone does not decide: "not visible" may refer to the requested element, to something else on the screen, or be
the label itself. So a denial is judged within its clause and against the request: if it refers to the requested element
it is a refusal, to another control a doubt (it may be the same element by another name), to anything else nothing. In
thoughts before an action, where a model weighs what it sees, a refusal is only a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import Final

# The patterns match one clause in lower case.


_NOT = (
    r"(?:can(?:not|'t| not)|could(?:n't| not)|unable to|not able to|did(?:n't| not)|failed to|do(?:n't| not)|won't|will not"
    r"|was(?:n't| not)|were(?:n't| not)|never)"
)
_SEEN = (
    r"(?:find|found|locate[ds]?|see|seen|identif(?:y|ied)|detect(?:ed)?|spot(?:ted)?|determined?|recogni[sz]ed?"
    r"|discern(?:ed)?)"
)
_THERE = r"(?:found|visible|present|existent|shown|displayed|available|there|here|located|seen|detected)"
# "no other one like it" and "no doubt" are no denials.
_NO = r"no (?!other\b|doubt\b|need\b|problem\b|matter\b|longer\b)"

ENGLISH: Final = re.compile(
    "|".join((
        rf"\b{_NOT} (?:\w{{1,40}} ){{0,3}}{_SEEN}\b",
        rf"\b(?:not|isn't|aren't|wasn't|weren't) (?:\w{{1,40}} ){{0,2}}{_THERE}\b",
        r"\b(?:not|isn't|aren't|wasn't) (?:on|in|within|part of) (?:view\b|sight\b|(?:the|this) (?:\w{1,40} )?(?:screen|image|"
        r"screenshot|picture|page|view|list)\b)",
        r"\bdo(?:es)?(?:n't| not) (?:\w{1,40} ){0,2}(?:exist|appear|contain|show|have|include|match)\b",
        r"\bdo(?:es)?(?:n't| not) seem to (?:be|exist|have|show)\b",
        r"\bdo(?:es)?(?:n't| not) (?:think|believe|suppose)\b",
        r"\bnot (?:\w{1,40} )?seeing\b",
        rf"\bthere(?:'s| is| are| was| were| seems to be| appears to be| may be| might be) (?:{_NO}|not\b|none\b|nothing\b)",
        r"\bthere (?:isn't|aren't|wasn't|weren't)\b",
        rf"\b(?:see|sees|find|finds|found|locate|spot|have|has|contains?|shows?|with) (?:{_NO}|none\b|nothing\b)",
        r"\b(?:no (?:such|matching|visible)|nothing (?:matches|found|here|there)|none of (?:them|these))\b",
        r"\btarget not existent\b",
        rf"\b{_NO}(?:[\w'/-]{{1,40}} ){{0,5}}(?:exists?|appears?|match(?:es)?|{_THERE})\b",
        rf"^{_NO}(?:[\w'/-]{{1,40}} ){{0,5}}(?:buttons?|icons?|links?|elements?|fields?|options?|tabs?|items?)\b",
        r"\b(?:is|are|was|were|be|been|seems|appears) (?:\w{1,40} ){0,2}"
        r"(?:missing|absent|gone|invisible|unavailable|non-?existent|removed|off-?screen|out of (?:view|sight))\b",
        r"\bno longer\b",
        r"\bnowhere\b",
        r"\black(?:s|ing)?\b",
        r"\bfail(?:s|ed)? (?:at|in) (?:finding|locating)\b",
        r"^(?:there (?:is|are) )?(?:none|not applicable|nope|no)$",
    ))
)  # fmt: skip
"""Statements that something is not there, or was not found."""
DECLINED: Final = re.compile(
    r"\b(?:unable to|must decline|declin(?:e|ing)|refus(?:e|ing) to|violat(?:e|es|ing|ion)|against (?:my|our|the) \w{1,40})\b"
    rf"|\b{_NOT} (?:\w{{1,40}} ){{0,3}}(?:assist|help|provide|comply|proceed|continue|fulfil+|answer|complete)\b"
    r"|^(?:i'?a?m |i am )?(?:very |so )?sorry$|^sorry (?:i|we)\b|^(?:i'm|i am) (?:\w{1,40} )?sorry\b|抱歉"
)
"""Statements that the model will not answer, for any reason."""
CHINESE: Final = re.compile(
    r"未找到|没有?找到|未能找到|找不到|无法(?:找到|定位|识别|确定|完成|协助|帮助|提供)|不存在|没有?看到|看不到|未发现|没有?发现|没看见"
    r"|没有(?:这个|该|任何|名为|相关)|不可见|未显示|沒有找到|無法|未能定位"
    r"|[中里裡上内內面][并也都]?[没沒]有|[没沒]有(?=[^,，。.\n]{0,20}(?:按钮|按鈕|图标|圖標|元素|选项|控件|链接|输入框|标签))"
    r"|不在(?:屏幕|截图|页面|界面|图)"
)
CHINESE_FRAME: Final = re.compile(
    r"按钮|按鈕|图标|圖標|元素|选项|控件|链接|输入框|标签|目标|这个|那个|该|它|任何|名为|相关|屏幕|截图|截圖|页面|界面|图片|画面|图像|视野"
    r"|我|在|的|中|上|里|了|请|并|也|都|内|此"
)
"""Words that do not identify the element that is meant."""
OTHERS: Final = re.compile(
    r"見つかりません|見当たりません|(?:が|は)ありません|表示されていません"
    r"|찾을 수 없|(?:이|가|은|는) 없(?:습니다|어요|다)|보이지 않"
    r"|introuvable|pas (?:de |d'\w{1,40} )?(?:trouvé|visible|présent)|n'y a pas|n'existe pas|\baucune? (?:bouton|élément|icône)"
    r"|nicht (?:gefunden|sichtbar|vorhanden|zu sehen|zu finden)|\bkeine?n? (?:[\w-]{1,40} ){0,3}(?:vorhanden|gefunden|sichtbar)"
    r"|\bgibt (?:es )?(?:hier )?keine?n?\b|\bkeine?n? [\w-]{0,40}(?:button|schaltfläche|symbol)\b"
    r"|\bno (?:se )?(?:encuentra|encontr|ve\b|aparece)|\bno hay\b|\bno existe\b"
    r"|não (?:encontrad|existe|há)|non (?:trovat|c'è|esiste)"
    r"|не найден|не видно|не вижу|\bнет (?:кнопки|такой|такого)|(?:кнопки|элемента|значка) нет"
)
"""Denials in other languages, where the subject is not examined."""
HIDDEN: Final = re.compile(
    r"\b(?:hidden|obscured|obstructed|covered) (?:by|behind|under|from)\b"
    r"|\b(?:is|are|be|been|element) (?:\w{1,40} )?(?:hidden|obscured)\b"
)
"""Statements that something is there, but cannot be clicked."""
SUBSTITUTED: Final = re.compile(
    r"\b(?:closest|nearest|most similar) (?:match|thing|option|candidate|one|alternative|button|icon|element|available|visible"
    r"|i (?:can|could))\b|\b(?:is|seems|was) (?:the )?(?:closest|nearest|most similar)$"
    r"|\binstead\b|\balternative(?:ly)?\b|\bguess(?:ing)?\b"
    r"|(?<!the )(?<!is )\bonly (?:an? |the |find |see |found |shows? |contains? |has )"
    r"|\b(?:shows?|found|find|see|contains?|there is|there are) only (?!one\b)|[只仅僅]有|最接近"
)
"""
Statements that something else is named in place of the requested element; they do not count where that is named itself.
"""
RETRACTED: Final = re.compile(
    r"^(?:no )?(?:wait|oops|correction|corrected|actually|on second thought)\b|\b(?:mistaken?|incorrect|wrong)\b"
)
ELSEWHERE: Final = re.compile(r"\bin (?:the )?(?:history|past|previous \w{1,40}|last \w{1,40})\b")
"""Statements about another moment."""

CONTROLS: Final = frozenset({
    "button", "icon", "link", "element", "field", "option", "tab", "item", "checkbox", "entry", "input", "box", "control",
    "switch", "toggle", "target", "object", "thing", "match",
})  # fmt: skip
"""Nouns for controls, without the plural's s: alone they mean the requested element."""
FUNCTION_WORDS: Final = frozenset({
    "a", "an", "the", "this", "that", "these", "those", "it", "its", "it's", "i", "i'm", "we", "my", "our", "you", "your",
    "me", "one", "ones", "any", "anything", "something", "nothing", "none", "no", "not", "nope", "such", "is", "isn't",
    "are", "aren't", "was", "wasn't", "were", "weren't", "be", "been", "being", "am", "do", "don't", "does", "doesn't",
    "did", "didn't", "has", "have", "had", "having", "can", "can't", "cannot", "could", "couldn't", "will", "won't",
    "would", "should", "may", "might", "must", "unable", "able", "fail", "fails", "failed", "failing", "to", "at", "in",
    "on", "of", "for", "from", "by", "with", "within", "into", "out", "as", "there", "there's", "here", "where", "nowhere",
    "anywhere", "see", "sees", "seen", "seeing", "find", "finds", "found", "finding", "locate", "locates", "located",
    "locating", "spot", "spotted", "detect", "detected", "identify", "identified", "determine", "determined", "recognize",
    "recognized", "discern", "visible", "present", "existent", "exist", "exists", "appear", "appears", "appeared", "seem",
    "seems", "seemed", "show", "shows", "shown", "displayed", "display", "available", "absent", "missing", "gone",
    "invisible", "unavailable", "contain", "contains", "include", "includes", "match", "matches", "matching", "lack",
    "lacks", "lacking", "view", "sight", "screen", "screenshot", "image", "picture", "page", "current", "currently",
    "given", "provided", "requested", "described", "desired", "asked", "specified", "looking", "look", "looked", "very",
    "clearly", "directly", "actually", "really", "yet", "still", "also", "just", "only", "longer", "think", "believe",
    "suppose", "thought", "thoughts", "action", "status", "plan", "off", "offscreen", "part", "list", "all", "if", "or",
    "than", "then", "like", "sorry", "nor", "never", "removed", "hidden", "behind", "covered", "s", "t",
})  # fmt: skip
"""Words that do not identify the subject of a statement."""


_QUOTED = re.compile(
    r"\"[^\"\n]{0,200}\"|“[^”\n]{0,200}”|(?<!\w)'[^'\n]{0,200}'(?!\w)|‘[^’\n]{0,200}’(?!\w)|「[^」\n]{0,200}」|`[^`\n]{0,200}`|《[^》\n]{0,200}》"
)
# Ends of a clause: "no results are shown, so I click Search" is no denial of Search.
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
"""Placeholder for the requested words, where a text repeats them literally. It never occurs in a parsed text."""


class Denial(IntEnum):
    """
    Strength of a denial next to a place: none, enough for a second look, or a statement that the element is not there.
    """

    NONE = 0
    DOUBT = 1
    REFUSAL = 2


def says_no(text: str) -> bool:
    """Return True if a text denies that the element is there, or declines to answer. Quotations do not count."""
    return any(
        pattern.search(clause)
        for clause in _clauses(text, "")
        for pattern in (ENGLISH, DECLINED, CHINESE, OTHERS, HIDDEN)
    )


def denial(text: str, asked: str = "", *, thought: bool = False) -> Denial:
    """
    Return how strongly a text next to a place denies it; `asked` is the request ("" if it has no words). `thought`: the
    text comes before an action, as the model's reasoning.
    """
    worst = max((_of_clause(clause, asked, thought) for clause in _clauses(text, asked)), default=Denial.NONE)
    return min(worst, Denial.DOUBT) if thought else worst


def label_denial(label: str, asked: str = "") -> Denial:
    """
    Return the same as `denial` for a label such as "not found" or "none". Labels repeat text of the screen, where pages
    may contain "Page not found": only a label that consists of a denial counts, and not if it was requested.
    """
    words, wanted = _normalized(label).strip(" .!"), _normalized(asked).strip(" .!")
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
    """Yield the clauses of a text in lower case, without quotations; the requested words are replaced by `_ASKED`."""
    wanted = _normalized(asked).strip(" .!\"'")

    def unquoted(quoted: re.Match[str]) -> str:
        return f" {_ASKED} " if wanted and _normalized(quoted.group()[1:-1]).strip(" .!") == wanted else " "

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
    """Return how strongly an English denial counts, by its subject."""
    subject = _content(clause)
    if not subject - CONTROLS or _names(clause, asked):
        return Denial.REFUSAL
    if not asked.strip():
        return Denial.REFUSAL if subject & CONTROLS else Denial.DOUBT
    return Denial.DOUBT if subject & CONTROLS else Denial.NONE


def _about_chinese(rest: str, clause: str, asked: str) -> Denial:
    """
    Return how strongly a Chinese denial counts; `rest` is the clause without its denial. Chinese has no word
    separators, so pairs of characters are compared.
    """
    wanted = CHINESE_FRAME.sub("", "".join(sign for sign in _normalized(asked) if _is_han(sign)))
    subject = CHINESE_FRAME.sub("", "".join(sign for sign in rest if _is_han(sign)))
    if not wanted or not subject or _ASKED in clause or any(pair in clause for pair in _pairs(wanted)):
        return Denial.REFUSAL
    return Denial.DOUBT if CHINESE_FRAME.search(clause) else Denial.NONE


def _names(clause: str, asked: str) -> bool:
    """Return True if a clause names the requested element."""
    return _ASKED in clause or bool(_content(clause) & _content(_normalized(asked)) - CONTROLS)


def _content(text: str) -> frozenset[str]:
    """Return the words that identify the subject of a text, without the plural's s."""
    words = re.findall(r"[^\W_]+(?:'[a-z]{1,2})?", text)
    return frozenset(word.removesuffix("s") for word in words if word not in FUNCTION_WORDS)


def _pairs(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(len(text) - 1)] or [text]


def _is_han(sign: str) -> bool:
    return "\u4e00" <= sign <= "\u9fff"


def _normalized(text: str) -> str:
    return " ".join(text.lower().replace("_", " ").split())


def without_quotes(text: str) -> str:
    """Return the text without quotations, with straight apostrophes."""
    return _QUOTED.sub(" ", text.replace("’", "'"))
