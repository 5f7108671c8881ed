"""Texts of a task: where they occur, and which of them are messages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from handeye.plan.templates.dictation import is_plainly_one_text
from handeye.plan.templates.slots import QUOTES, SENTENCE_MARKS, fold

# A negation before a text: typed without it, the text says the opposite.
_NEGATION: Final = re.compile(
    r"(?:不要?|没有?|别|勿|未|莫|取消|撤销|拒绝|停止|(?<![a-z])(?:not|never|no|don't|dont|without|cannot|can't|cancel)\s+)\Z"
)
_QUOTED: Final = re.compile(r"“([^”]*)”|「([^」]*)」|『([^』]*)』|‘([^’]*)’|\"([^\"]*)\"")
_AROUND: Final = SENTENCE_MARKS + "“”「」『』‘’\"'"
# Words that may precede a message, apart from marks and the receiver's name.
_BEFORE_MESSAGE: Final = re.compile(
    r"(?:说|道|内容[是为]?|消息|信息|短信|微信|回复|评论|发表?|送|问|答|写|条|个"
    r"|(?<![a-z])(?:say|says|saying|that|message|messages|text|send|write|writing|reply|replying|post|comment|know|with|tweet))\s*\Z"
)
# Words that may follow a message in a task: the receiver, or the means.
_AFTER_MESSAGE: Final = re.compile(r"\s*(?:发?给|发送?到|(?:to|on|via|in|with|by|using)(?![a-z]))")
_BY: Final = r"(?:on|via|by|in|using)\s+\w+\s+|[用在通过]+.{1,6}?"
_TO: Final = r"to\s|发送?[给到]|转发给|给"
_PUT: Final = re.compile(r"(?:^|[,，。\s])(?:请|帮我)?[把将]\Z")
# Indirect speech, and the words that show that it is not verbatim.
_ASK_VERB: Final = re.compile(r"问(?:一下|问)?.{1,12}\Z|(?<![a-z])(?:ask \w+|know)\s*\Z")
_SPEECH_VERB: Final = re.compile(r"(?<![a-z])(?:(?:ask|tell|text|remind|message) \w+|know)\s*\Z")
_THIRD_PERSON: Final = re.compile(r"[他她]|(?<![a-z])(?:he|she|him|her|they)(?![a-z])")
_INDIRECT: Final = re.compile(r"(?:that|whether|if|to|about|for)(?![a-z])")
_INDIRECT_QUESTION: Final = re.compile(r"(?:what|when|where|who|why|how)(?![a-z])")
_MARKS: Final = fold(SENTENCE_MARKS)
# Without the question mark, which is part of the message: "he comes?" without it is a statement.
_ENDS: Final = " \n\t" + "".join(mark for mark in fold(SENTENCE_MARKS) if mark not in "?,、;:")


def places_in(text: str, task: str) -> Iterator[tuple[int, int]]:
    """
    Yield the (start, end) spans of `text` in `task`, regardless of case, width and spacing: whole words only, not after a
    negation, and not part of a longer quotation.
    """
    words = fold(text).split()
    if not words:
        return
    folded = fold(task)
    quoted = [found.span(found.lastindex or 0) for found in _QUOTED.finditer(task)]
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    at = 0
    while (found := pattern.search(folded, at)) is not None:
        start, end = found.span()
        at = start + 1
        parts_a_word = _joined(folded, start) or _joined(folded, end)
        parts_a_quote = any(left <= start and end <= right and (left, right) != (start, end) for left, right in quoted)
        if not (parts_a_word or parts_a_quote or is_negated(folded, start)):
            yield start, end


def as_typed(text: str, task: str) -> str | None:
    """
    Return the text as the task spells it, or None if the task does not contain it.

    >>> as_typed("hello  BOB", "Say “Hello Bob” to Ann")
    'Hello Bob'
    """
    return next((task[start:end] for start, end in places_in(text, task)), None)


def is_whole_message(text: str, task: str, receiver: str) -> bool:
    """
    Return True if a message of the task begins and ends where `text` does: it is in quotation marks, or it follows a word such
    as "saying" or the `receiver`'s name and precedes the task's end or the receiver ("to Ann", 发给张三). A comma does not end
    a message: what is cut off after it may say the opposite. False if the words may be more than one text.
    """
    name, folded = fold(receiver).strip(), fold(task)
    for start, end in places_in(text, task):
        if not _is_quoted(folded, start, end) and _is_reported(folded[:start], folded[start:end]):
            continue
        if _is_quoted(folded, start, end):
            before, after = folded[: start - 1], folded[end + 1 :]
            if _ends_before(after, name) or (_begins_after(before, name) and not _QUOTED.search(after)):
                return True
            continue
        # The check that reads the whole text comes last: a long text may have thousands of matches.
        stands_alone = _ends_before(folded[end:], name) and _begins_after(folded[:start], name)
        if stands_alone and is_plainly_one_text(folded[start:end]):
            return True
    return False


def may_be_message(text: str, task: str) -> bool:
    """Return True if `text` may be a message of the task or part of one: between marks, or in the context of a message."""
    folded = fold(task)
    for start, end in places_in(text, task):
        before, after = folded[:start].rstrip(), folded[end:].lstrip()
        begins = not before or before[-1] in _AROUND or _BEFORE_MESSAGE.search(folded[:start]) is not None
        if begins and (not after or after[0] in _AROUND or _AFTER_MESSAGE.match(folded[end:]) is not None):
            return True
    return False


def _is_quoted(folded: str, start: int, end: int) -> bool:
    return any(
        folded[start - 1 : start] == fold(left) and folded[end : end + 1] == fold(right) for left, right in QUOTES
    )


def _is_reported(before: str, text: str) -> bool:
    """Return True for indirect speech, which is not a verbatim message: ask Ann whether she comes, 问张三他来不来."""
    if _ASK_VERB.search(before) is not None and (_THIRD_PERSON.search(text) or _INDIRECT_QUESTION.match(text)):
        return True
    return _SPEECH_VERB.search(before) is not None and _INDIRECT.match(text) is not None


def _begins_after(before: str, name: str) -> bool:
    """Return True if a message may begin after these words."""
    bare = before.rstrip().rstrip(_MARKS).rstrip()
    if not bare or _BEFORE_MESSAGE.search(bare) is not None or _PUT.search(bare) is not None:
        return True
    return name != "" and re.search(rf"{re.escape(name)}(?:\s+(?:on|via|by|in|using)\s+\w+)?\Z", bare) is not None


def _ends_before(after: str, name: str) -> bool:
    """Return True if a message may end before these words."""
    if not after.strip(_ENDS):
        return True
    return name != "" and re.match(rf"\s*(?:{_BY})?(?:{_TO})\s*{re.escape(name)}", after) is not None


def is_negated(folded: str, at: int) -> bool:
    """Return True if a negation ends right before index `at`."""
    return _NEGATION.search(folded[max(0, at - 12) : at]) is not None


def _joined(text: str, at: int) -> bool:
    """Return True if index `at` is within a Latin word or a number."""
    return 0 < at < len(text) and all(char.isascii() and char.isalnum() for char in text[at - 1 : at + 1])
