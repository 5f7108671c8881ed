"""Words by which models say that they do not see a thing, or will not look for it."""

from __future__ import annotations

import re

_QUOTED = re.compile(
    r"\"[^\"\n]{0,200}\"|“[^”\n]{0,200}”|(?<!\w)'[^'\n]{0,200}'(?!\w)|‘[^’\n]{0,200}’(?!\w)|「[^」\n]{0,200}」|`[^`\n]{0,200}`|《[^》\n]{0,200}》"
)
_NOT = r"(?:can(?:not|'t| not)|could(?:n't| not)|unable to|not able to|did(?:n't| not)|failed to|do(?:n't| not)|won't)"
_ENGLISH = (
    rf"\b{_NOT} (?:\w{{1,40}} ){{0,3}}(?:find|locate|see|identify|detect|spot|determine|assist|help|provide)\b",
    r"\b(?:not|isn't|aren't|wasn't) (?:\w{1,40} ){0,2}(?:found|visible|present|existent|shown|displayed|available|there)\b",
    r"\b(?:not|isn't|aren't|wasn't) (?:on|in) (?:the|this) (?:screen|image|screenshot|picture|page)\b",
    r"\bdo(?:es)?(?:n't| not) (?:\w{1,40} ){0,2}(?:exist|appear|contain|show|have|include)\b",
    r"\bthere(?:'s| is| are) (?:no|not)\b",
    r"\b(?:no (?:such|matching|visible)|nothing (?:matches|found)|sorry|target not existent)\b",
)
_OTHERS = (
    r"未找到|没有?找到|未能找到|找不到|无法(?:找到|定位|识别|确定|完成|协助|帮助|提供)|不存在|没有?看到|看不到|未发现|没有?发现",
    r"没有(?:这个|该|任何|名为|相关)|抱歉|不可见|未显示|沒有找到|無法|未能定位|見つかりません|찾을 수 없",
    r"introuvable|pas trouvé|nicht gefunden|nicht sichtbar|no (?:se )?(?:encuentra|encontr)|не найден",
)
_NO = re.compile("|".join((*_ENGLISH, *_OTHERS)))


def says_no(text: str) -> bool:
    """Whether a text says that the thing is not there, or declines. What it quotes does not count."""
    return bool(_NO.search(without_quotes(text).lower()))


def without_quotes(text: str) -> str:
    """The text without what it quotes, its apostrophes straight."""
    return _QUOTED.sub(" ", text.replace("’", "'"))
