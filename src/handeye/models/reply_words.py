"""Words by which models say that they do not see a thing, or will not look for it."""

from __future__ import annotations

import re

_QUOTED = re.compile(
    r"\"[^\"\n]{0,200}\"|“[^”\n]{0,200}”|(?<!\w)'[^'\n]{0,200}'(?!\w)|‘[^’\n]{0,200}’(?!\w)|「[^」\n]{0,200}」|`[^`\n]{0,200}`|《[^》\n]{0,200}》"
)
_NOT = (
    r"(?:can(?:not|'t| not)|could(?:n't| not)|unable to|not able to|did(?:n't| not)|failed to|do(?:n't| not)|won't|will not"
    r"|was(?:n't| not)|were(?:n't| not))"
)
_SEEN = (
    r"(?:find|found|locate[ds]?|seen?|identif(?:y|ied)|detect(?:ed)?|spot(?:ted)?|determined?|recogni[sz]ed?|discern(?:ed)?"
    r"|assist|help|provide|comply|proceed|continue|fulfil+|answer|complete)"
)
_THERE = r"(?:found|visible|present|existent|shown|displayed|available|there|here|located|seen|detected)"
_ENGLISH = (
    rf"\b{_NOT} (?:\w{{1,40}} ){{0,3}}{_SEEN}\b",
    rf"\b(?:not|isn't|aren't|wasn't|weren't) (?:\w{{1,40}} ){{0,2}}{_THERE}\b",
    r"\b(?:not|isn't|aren't|wasn't) (?:on|in) (?:the|this) (?:\w{1,40} )?(?:screen|image|screenshot|picture|page)\b",
    r"\bdo(?:es)?(?:n't| not) (?:\w{1,40} ){0,2}(?:exist|appear|contain|show|have|include|match)\b",
    r"\bthere(?:'s| is| are| was| were| seems to be| appears to be) (?:no|not|none|nothing)\b",
    r"\bthere (?:isn't|aren't|wasn't|weren't)\b",
    r"\b(?:no (?:such|matching|visible)|nothing (?:matches|found|here|there)|none of (?:them|these))\b",
    r"\b(?:sorry|target not existent)\b",
    rf"\bno (?:[\w'/-]{{1,40}} ){{0,5}}(?:exists?|appears?|match(?:es)?|{_THERE})\b",
    r"\b(?:is|are|was|were|be|seems|appears) (?:\w{1,40} ){0,2}"
    r"(?:missing|absent|gone|invisible|unavailable|non-?existent|off-?screen|out of (?:view|sight))\b",
    r"\b(?:unable to|must decline|declin(?:e|ing)|refus(?:e|ing) to|violat(?:e|es|ing|ion)|against (?:my|our|the) \w{1,40})\b",
    r"^no(?:pe)?(?:[.,;:!]|$)",
)
_OTHERS = (
    r"未找到|没有?找到|未能找到|找不到|无法(?:找到|定位|识别|确定|完成|协助|帮助|提供)|不存在|没有?看到|看不到|未发现|没有?发现",
    r"没有(?:这个|该|任何|名为|相关)|抱歉|不可见|未显示|沒有找到|無法|未能定位|見つかりません|찾을 수 없",
    r"[中里裡上内內面][并也都]?[没沒]有|[没沒]有[^,，。.\n]{0,20}(?:按钮|按鈕|图标|圖標|元素|选项|控件|链接|输入框|标签)|不在(?:屏幕|截图|页面|界面|图)",
    r"introuvable|pas trouvé|pas (?:visible|présent)|nicht (?:gefunden|sichtbar|vorhanden)|no (?:se )?(?:encuentra|encontr)"
    r"|не найден|не видно",
)
_NO = re.compile("|".join((*_ENGLISH, *_OTHERS)))
_NO_LABEL = re.compile(
    r"(?:the |an? )?(?:[\w'-]{1,40} )?(?:(?:element|target|item|object|button|icon|it) )?(?:is |was )?"
    r"(?:not (?:found|visible|present|available|there|here|on (?:the )?screen|applicable))"
    r"|(?:the )?(?:[\w'-]{1,40} )?(?:is |was )?(?:absent|missing|no match|nothing found)"
    r"|none|null|n/?a|nothing|(?:there (?:is|are) )?none"
)


def says_no(text: str) -> bool:
    """Whether a text says that the thing is not there, or declines. What it quotes does not count."""
    return bool(_NO.search(_even(without_quotes(text))))


def label_says_no(label: str) -> bool:
    """
    Whether a label is a "no" in the place of one ("not found", "none"). Labels repeat what is on a screen, where pages say
    such things as "No results found": only a label that says nothing else counts.
    """
    return bool(_NO_LABEL.fullmatch(_even(label).strip(" .!")))


def _even(text: str) -> str:
    return " ".join(text.lower().replace("_", " ").split())


def without_quotes(text: str) -> str:
    """The text without what it quotes, its apostrophes straight."""
    return _QUOTED.sub(" ", text.replace("’", "'"))
