"""Evidence from the texts of a frame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from handeye.geometry import Box
from handeye.locate import LEAST_CONFIDENCE, read_lines
from handeye.matching import page_top
from handeye.ocr import TextReader
from handeye.perceive import StateProvider
from handeye.screen import Screen
from handeye.target import Expectation
from handeye.text import (
    BlockMatch,
    TextLine,
    TextMatch,
    differs_in_thin_letters,
    match_block,
    match_text,
    possible_misreadings,
    readable_enough,
)
from handeye.verify.base import Evidence
from handeye.verify.description import QuotedText, read_description
from handeye.verify.tree_evidence import TreeNewText, with_tree_evidence

# New texts on a page that has grown: more of them than before, or one below all the earlier lines.


# Letters that a line must have to be identified on the next frame: a clock, or a character that an icon was read as, is on
# many rows.
_LETTERS: Final = 2


def more_than_before(text: str, before: Sequence[TextLine], after: Sequence[TextLine], *, exact: bool) -> bool:
    """Return True if the text is on the frame more often than before."""
    return _count(text, after, exact) > count_similar_lines(text, before, exact=exact)


def count_similar_lines(text: str, lines: Sequence[TextLine], *, exact: bool) -> int:
    """Return the number of lines with the text, or with a text that a reader may have misread it as."""
    return max(
        _count(text, lines, exact),
        sum(_matches(text, line, exact) or differs_in_thin_letters(text, line.text) for line in lines),
    )


def older_line_above(
    text: str, before: Sequence[TextLine], after: Sequence[TextLine], *, exact: bool
) -> TextLine | None:
    """
    Return the last line that was below the text before and is above it now: a list keeps its order, so this text is new, even
    when an older one has left the page at its top. None where that is undecided.
    """
    old = [line.box.bottom for line in before if _matches(text, line, exact)]
    new = [line.box.top for line in after if _matches(text, line, exact)]
    if not old or not new:
        return None
    stood, stands = _unique_lines(before), _unique_lines(after)
    marks = [
        line
        for said, line in stood.items()
        if said in stands and line.box.top >= max(old) and stands[said].box.bottom <= max(new)
    ]
    return max(marks, key=lambda line: line.box.bottom, default=None)


def _unique_lines(lines: Sequence[TextLine]) -> dict[str, TextLine]:
    """Return the lines that their text identifies: it is unique, and more than a clock or an icon."""
    said = Counter(line.text for line in lines)
    return {line.text: line for line in lines if said[line.text] == 1 and sum(map(str.isalpha, line.text)) >= _LETTERS}


def _count(text: str, lines: Sequence[TextLine], exact: bool) -> int:
    """
    Return the number of lines that match individually: next to a better match, an older line with nearly the same text must
    still count.
    """
    return sum(_matches(text, line, exact) for line in lines) or int(match_block(text, lines) is not None)


def _matches(text: str, line: TextLine, exact: bool) -> bool:
    return bool(match_text(text, [line], exact=exact))


# Room above and below a row's text, in text heights: a list's rows are three to five text heights high.
_ROW_ROOM: Final = 0.9


class TextEvidence:
    """
    Finds texts on frames. Where a text that must match exactly was read with doubt, `state` is asked. Raises OcrFailed when
    the reader fails.
    """

    def __init__(self, reader: TextReader, state: StateProvider | None = None) -> None:
        self.reader = reader
        self._state = state
        self._tree_new_text = TreeNewText(state) if state is not None else None

    def keep(self, text: str, screen: Screen) -> None:
        """
        Record what `screen` shows before `text` is typed: the tree is read where only it will show that the text is new.
        """
        if self._tree_new_text is not None:
            self._tree_new_text.keep(text, screen, read_lines(self.reader, screen))

    def there(self, expect: Expectation, before: Screen | None, after: Screen) -> Evidence:
        """Return the finding about `expect.text`: that it is there, and new where `expect.new` asks for that."""
        text = expect.text or ""
        found = self._presence_finding(text, expect, after)
        if not expect.new:
            return found
        found = self._new(expect, before, after, found) if found.holds else found
        if found.holds or before is None or self._tree_new_text is None or not expect.exact or expect.row is not None:
            return found
        return self._tree_new_text.finding(text, expect.region, before, after) or found

    def gone(self, text: str, expect: Expectation, after: Screen) -> Evidence:
        """
        Prove that no similar text is there: one misread letter is no disappearance, even when `exact` was asked for. Where no
        text at all is read, as on a page that is still blank, nothing is proved.
        """
        matches = match_text(text, self.lines(expect, after), exact=False, negated=True)
        if matches:
            return Evidence(False, f"the text {matches[0].text!r} is still there", matches[0].confidence)
        if expect.row and self.row(expect, after) is None:
            return Evidence(None, f"there is no single row of {expect.row!r} from which {text!r} could be gone")
        top = page_top(after.size)
        if not any(line.box.center.y >= top for line in read_lines(self.reader, after)):
            return Evidence(None, f"no text could be read on the page, which does not say that {text!r} is gone")
        return Evidence(True, f"the text {text!r} is gone", 0.85, unseen=text)

    def described(self, description: str, after: Screen) -> tuple[list[Evidence], str]:
        """Return findings about the texts that a description quotes, and the words that only a model can judge, or ""."""
        told = read_description(description)
        return [
            finding for quoted in told.quoted if (finding := self._quoted_finding(quoted, after)) is not None
        ], told.left

    def _quoted_finding(self, quoted: QuotedText, after: Screen) -> Evidence | None:
        """Return the finding about a quoted text; None where its presence neither proves nor contradicts the claim."""
        if quoted.there is False:
            return self.gone(quoted.text, Expectation(), after)
        found = self._presence_finding(quoted.text, Expectation(), after)
        if quoted.there:
            return found
        return found if quoted.needed and found.holds is False else None

    def lines(self, expect: Expectation, screen: Screen) -> Sequence[TextLine]:
        """Return the lines that count: all, those in the expectation's region, or those in its row."""
        lines = read_lines(self.reader, screen)
        if expect.region is not None:
            within = expect.region.box(screen.size)
            lines = tuple(line for line in lines if within.contains(line.box.center))
        if expect.row is None:
            return lines
        row = self.row(expect, screen)
        return [line for line in lines if row is not None and row.contains(line.box.center)]

    def row(self, expect: Expectation, screen: Screen) -> Box | None:
        """Return the row of the frame that contains `expect.row`; None when there is none, or several."""
        sure = [
            match
            for match in match_text(expect.row or "", read_lines(self.reader, screen), exact=expect.exact)
            if match.confidence >= LEAST_CONFIDENCE
        ]
        if len(sure) != 1:
            return None
        return row_around(sure[0].box, screen)

    def places_of(self, text: str, screen: Screen) -> list[Box]:
        """Return the boxes at which the text is surely read."""
        matches = match_text(text, read_lines(self.reader, screen))
        return [match.box for match in matches if match.confidence >= LEAST_CONFIDENCE]

    def _presence_finding(self, text: str, expect: Expectation, after: Screen) -> Evidence:
        lines = self.lines(expect, after)
        matches = match_text(text, lines, exact=expect.exact)
        found = self._read(text, expect, lines, matches)
        if self._state is None or not expect.exact:
            return found
        return with_tree_evidence(text, found, matches, lines, after, self._state)

    def _read(
        self, text: str, expect: Expectation, lines: Sequence[TextLine], matches: Sequence[TextMatch]
    ) -> Evidence:
        where = " in its region" if expect.region else f" in the row of {expect.row!r}" if expect.row else ""
        if not matches and (block := match_block(text, lines)) is not None:
            return _block_finding(text, block, where)
        if not matches and not readable_enough(text):
            return Evidence(None, f"{text!r} has too few characters that a text reader knows")
        if not matches:
            like = possible_misreadings(text, lines)[:1]
            if expect.new and like and differs_in_thin_letters(text, like[0].text):
                return Evidence(None, f"{like[0].text!r} was read{where}, as {text!r} may be read")
            alike = "".join(f"; {label.text!r} stands there, read with doubt" for label in like)
            return Evidence(False, f"the text {text!r} is not on the screen{where}{alike}", 0.8)
        best = matches[0]
        return Evidence(True, f"the text {best.text!r} is there{where} ({best.layer} match)", best.confidence)

    def _new(self, expect: Expectation, before: Screen | None, after: Screen, found: Evidence) -> Evidence:
        """Return the finding on whether the text is new: an older equal text neither proves nor disproves that."""
        if before is None:
            return Evidence(None, f"{found.evidence}, but there is no earlier frame to tell whether it is new")
        text, then, now = expect.text or "", self.lines(expect, before), self.lines(expect, after)
        if more_than_before(text, then, now, exact=expect.exact):
            return Evidence(True, f"{found.evidence}, and was not there before", found.confidence)
        if (last := older_line_above(text, then, now, exact=expect.exact)) is not None:
            return Evidence(
                True, f"{found.evidence}, below {last.text!r}, which stood below it before", found.confidence
            )
        stood = count_similar_lines(text, then, exact=expect.exact)
        if (
            expect.exact
            and self._tree_new_text is not None
            and self._tree_new_text.count(text, expect.region, after) > stood
        ):
            return Evidence(
                True, f"{found.evidence}, and the tree has it more often than it was read before", found.confidence
            )
        return Evidence(None, f"{found.evidence}, but stood there before as well")


def row_around(text: Box, screen: Screen) -> Box:
    """Return the row of a list around a text, over the whole width of the frame."""
    room = round(text.height * _ROW_ROOM)
    return Box(0, text.top - room, screen.size.width, text.bottom + room).clip(screen.size)


def _block_finding(text: str, block: BlockMatch, where: str) -> Evidence:
    how = [f"{len(block.lines)} lines"] if len(block.lines) > 1 else []
    how += [f"{block.errors} characters read differently"] if block.errors else []
    how += [f"its first {block.unseen} characters are above the screen"] if block.unseen else []
    how += [f"{block.unreadable} that no reader knows left out"] if block.unreadable else []
    return Evidence(True, f"the text {text!r} is there{where} ({', '.join(how)})", block.confidence)
