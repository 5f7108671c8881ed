"""Proving a step offline: by text that was read, by reference pictures, and by what changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image

from handeye.errors import InvalidReference
from handeye.geometry import Box
from handeye.locate.match_block import BlockMatch, match_block, readable_enough
from handeye.locate.match_text import match_text
from handeye.locate.reference import Reference, ReferenceSource
from handeye.locate.template import TemplateStrategy, find_all
from handeye.ocr.base import TextLine, TextReader
from handeye.screen import Screen
from handeye.target import TEXT, Expectation
from handeye.verify import blockers
from handeye.verify.base import Blocker, BlockerType, SuggestionAction, VerifyResult
from handeye.verify.pixels import Change, compare
from handeye.verify.whole_screen import is_whole_screen, likeness

Picture = Screen | Image.Image

# A state's picture as a whole (seed 004: states/*.png): from this likeness on it is the same page. On the virtual phone other
# pages of the same theme came to 0.74 at most; the same page with another clock and another message to 0.9 and more.
SAME_PAGE: Final = 0.88
# What is said of a screen that merely moved: more than nothing, less than any proof.
_ONLY_CHANGED: Final = 0.5
_QUOTED: Final = re.compile(r"""'([^']+)'|"([^"]+)"|‘([^’]+)’|“([^”]+)”|「([^」]+)」|『([^』]+)』""")
_GONE: Final = re.compile(
    r"消失|不再|不见|没有|已关闭|\b(?:gone|disappear\w*|vanish\w*|no longer|not (?:there|visible|shown))\b", re.I
)


@dataclass(frozen=True, slots=True)
class _Finding:
    """One part of an expectation: `holds` is None when nothing could be said."""

    holds: bool | None
    evidence: str
    confidence: float


class ScreenVerifier:
    """
    Compares what was expected with what is seen; every verdict names its evidence.

    `reader` reads text, `images` knows reference pictures. Raises LocateError when the reader fails or a picture cannot be
    searched for. What nothing can prove is undecided (`matches_expected is None`), never success.
    """

    def __init__(self, reader: TextReader, images: ReferenceSource | TemplateStrategy | None = None) -> None:
        self._reader = reader
        self._templates = images if isinstance(images, TemplateStrategy) else TemplateStrategy(images)

    def verify(self, expect: Expectation | None, before: Screen | None, after: Screen) -> VerifyResult:
        """Whether everything that `expect` asks for holds on `after`. `before` allows to tell what changed."""
        change = compare(before, after) if before is not None else None
        findings = self._findings(expect or Expectation(), change, after, before)
        return self._verdict(findings, change, after, proof=bool(expect and expect.is_evidence))

    def find_blocker(self, screen: Screen) -> Blocker | None:
        """What covers the screen, if anything. Raises OcrFailed."""
        return blockers.find_blocker(screen, self._reader)

    def verify_with_reference(
        self, expected_ref: Picture, current_screenshot: Picture, success_condition: str | None = None
    ) -> VerifyResult:
        """Whether the picture, a part of the screen or the whole of it, is seen (seed 004).

        A quoted text in `success_condition` must be there as well. Raises InvalidReference for a picture that is too plain.
        """
        after = _screen(current_screenshot)
        findings = [_picture_finding(_screen(expected_ref), after)]
        if success_condition:
            findings += self._described(success_condition, after)
        return self._verdict(findings, None, after, proof=True)

    def verify_with_description(
        self, current_screenshot: Picture, expected_description: str, previous_screenshot: Picture | None = None
    ) -> VerifyResult:
        """Whether what the words describe is seen (seed 004).

        Offline only quoted texts, or one after `text:`, can be looked for; anything else is undecided, and says so.
        """
        after = _screen(current_screenshot)
        change = compare(_screen(previous_screenshot), after) if previous_screenshot is not None else None
        return self._verdict(self._described(expected_description, after), change, after, proof=True)

    def quick_check(
        self, before_screenshot: Picture, after_screenshot: Picture, expected_change: str
    ) -> tuple[bool, str]:
        """Whether an action had an effect, and the evidence (seed 004): the pixels first, then any text that is quoted."""
        change = compare(_screen(before_screenshot), after := _screen(after_screenshot))
        if not change:
            return False, str(change)
        findings = [finding for finding in self._described(expected_change, after) if finding.holds is not None]
        return all(finding.holds for finding in findings), "; ".join([str(change), *(f.evidence for f in findings)])

    def _findings(
        self, expect: Expectation, change: Change | None, after: Screen, before: Screen | None = None
    ) -> list[_Finding]:
        findings: list[_Finding] = []
        if expect.text:
            findings.append(self._text_finding(expect.text, expect, after))
            if expect.new and findings[-1].holds:
                findings[-1] = self._new_finding(expect.text, expect, before, after, findings[-1])
        if expect.gone:
            findings.append(self._gone_finding(expect.gone, expect, after))
        if expect.reference:
            findings.append(self._reference_finding(expect, after))
        if expect.description:
            findings += self._described(expect.description, after)
        if expect.changed and change is not None and not change:
            findings.append(_Finding(False, str(change), 0.95))
        elif expect.changed and change is None:
            findings.append(_Finding(None, "there is no earlier frame to compare with", 0.0))
        return findings

    def _lines(self, expect: Expectation, after: Screen) -> Sequence[TextLine]:
        lines = self._reader.read(after)
        if expect.region is None:
            return lines
        within = expect.region.box(after.size)
        return [line for line in lines if within.contains(line.box.center)]

    def _text_finding(self, text: str, expect: Expectation, after: Screen) -> _Finding:
        where = " in its region" if expect.region else ""
        matches = match_text(text, self._lines(expect, after), exact=expect.exact)
        if not matches and (block := match_block(text, self._lines(expect, after))) is not None:
            return _block_finding(text, block, where)
        if not matches and not readable_enough(text):
            return _Finding(None, f"{text!r} has too few characters that a text reader knows", 0.0)
        if not matches:
            return _Finding(False, f"the text {text!r} is not on the screen{where}", 0.8)
        best = matches[0]
        return _Finding(True, f"the text {best.text!r} is there{where} ({best.layer} match)", best.confidence)

    def _new_finding(
        self, text: str, expect: Expectation, before: Screen | None, after: Screen, found: _Finding
    ) -> _Finding:
        """Whether the text stands there more often than before; an older equal one is no proof, and no disproof."""
        if before is None:
            return _Finding(None, f"{found.evidence}, but there is no earlier frame to tell whether it is new", 0.0)
        earlier, now = self._count(text, expect, before), self._count(text, expect, after)
        if now > earlier:
            return _Finding(True, f"{found.evidence}, and was not there before", found.confidence)
        return _Finding(None, f"{found.evidence}, but stood there before as well", 0.0)

    def _count(self, text: str, expect: Expectation, screen: Screen) -> int:
        lines = self._lines(expect, screen)
        matches = len(match_text(text, lines, exact=expect.exact))
        return matches or int(match_block(text, lines) is not None)

    def _gone_finding(self, text: str, expect: Expectation, after: Screen) -> _Finding:
        # Likenesses count as still being there, even when `exact` was asked for: one misread letter is no disappearance.
        matches = match_text(text, self._lines(expect, after), exact=False, negated=True)
        if matches:
            return _Finding(False, f"the text {matches[0].text!r} is still there", matches[0].confidence)
        return _Finding(True, f"the text {text!r} is gone", 0.85)

    def _reference_finding(self, expect: Expectation, after: Screen) -> _Finding:
        name = expect.reference or ""
        references = self._templates.references(name)
        if not references:
            return _Finding(None, f"there is no reference image {name!r} to compare with", 0.0)
        within = expect.region.box(after.size) if expect.region else None
        findings = [_compared(reference, after, within) for reference in references]
        return max(findings, key=lambda finding: (bool(finding.holds), finding.confidence))

    def _described(self, description: str, after: Screen) -> list[_Finding]:
        """What the quoted texts of a description say; one undecided finding when there are none."""
        if description.strip().startswith(TEXT):
            texts = [description.strip()[len(TEXT) :].strip()]
            gone = False
        else:
            texts = [next(group for group in quoted.groups() if group) for quoted in _QUOTED.finditer(description)]
            gone = bool(_GONE.search(_QUOTED.sub("", description)))
        texts = [text for text in texts if text.strip()]
        if not texts:
            why = f"no vision model is configured to judge {description!r}; put the text that must be seen in quotes"
            return [_Finding(None, why, 0.0)]
        look = self._gone_finding if gone else self._text_finding
        return [look(text, Expectation(text=text), after) for text in texts]

    def _verdict(
        self, findings: Sequence[_Finding], change: Change | None, after: Screen, *, proof: bool
    ) -> VerifyResult:
        evidence = tuple(finding.evidence for finding in findings)
        if change is not None and str(change) not in evidence:
            evidence += (str(change),)
        holds = _together(findings, proof)
        changed = None if change is None else bool(change)
        said: list[float] = [finding.confidence for finding in findings if finding.holds is holds]
        confidence = (min(said, default=0.0) if holds else max(said, default=0.0)) if holds is not None else 0.0
        if holds is None and changed:
            confidence = _ONLY_CHANGED
        # A proven step is not looked at further: nothing stands in its way, and reading costs time.
        blocker = None if holds else self.find_blocker(after)
        suggestion, detail = _suggest(holds, changed, blocker)
        return VerifyResult(
            verified=holds is True,
            confidence=confidence,
            current_state=f"under {blocker.description}" if blocker else "; ".join(evidence),
            matches_expected=holds,
            screen_changed=changed,
            change_description=str(change) if change is not None else "",
            blocker=blocker,
            suggestion=suggestion,
            suggestion_detail=detail,
            evidence=evidence,
        )


def _block_finding(text: str, block: BlockMatch, where: str) -> _Finding:
    how = [f"{len(block.lines)} lines"] if len(block.lines) > 1 else []
    how += [f"{block.errors} characters read differently"] if block.errors else []
    how += [f"its first {block.unseen} characters are above the screen"] if block.unseen else []
    how += [f"{block.unreadable} that no reader knows left out"] if block.unreadable else []
    return _Finding(True, f"the text {text!r} is there{where} ({', '.join(how)})", block.confidence)


def _together(findings: Sequence[_Finding], proof: bool) -> bool | None:
    """All must hold; one that fails decides; without proof that something moved is all there is to say."""
    if any(finding.holds is False for finding in findings):
        return False
    if not proof or not findings or any(finding.holds is None for finding in findings):
        return None
    return True


def _suggest(holds: bool | None, changed: bool | None, blocker: Blocker | None) -> tuple[SuggestionAction, str]:
    if holds:
        return SuggestionAction.CONTINUE, ""
    if blocker is not None and blocker.type is BlockerType.LOADING:
        return SuggestionAction.WAIT, blocker.description
    if blocker is not None:
        how = blocker.dismiss_suggestion.description if blocker.dismiss_suggestion else "press BACK"
        return SuggestionAction.DISMISS, f"{blocker.description}: {how}"
    if changed is False:
        return SuggestionAction.RETRY, "nothing happened: try the step again"
    if holds is None:
        return SuggestionAction.CONTINUE, "it could not be decided whether the step did what it should"
    return SuggestionAction.RETRY, "what was expected is not seen"


def _compared(reference: Reference, after: Screen, within: Box | None) -> _Finding:
    """A reference by name: as a page when it has a page's shape, else as a part of one."""
    if within is None and is_whole_screen(reference.pixels.shape, after):
        return _page(likeness(reference.pixels[:, :, :3], after), str(reference))
    found = [place for place in find_all(reference, after, within) if not place.is_turned]
    if not found:
        return _Finding(False, f"{reference} is not on the screen", 0.8)
    peak, how, _reference = found[0]
    return _Finding(True, f"{reference} is there by {how}, {peak.score:.2f}", min(1.0, peak.score))


def _picture_finding(expected: Screen, after: Screen) -> _Finding:
    if is_whole_screen(expected.pixels.shape, after):
        return _page(likeness(expected.pixels, after), "the expected page")
    if expected.size.width > after.size.width * 2 or expected.size.height > after.size.height * 2:
        raise InvalidReference(f"the expected picture ({expected.size}) cannot be a part of a {after.size} screen")
    return _compared(Reference("expected", expected.pixels), after, None)


def _page(alike: float, what: str) -> _Finding:
    holds = alike >= SAME_PAGE
    return _Finding(
        holds, f"{what} is {'' if holds else 'not '}what is seen: likeness {alike:.2f}", max(alike, 1 - alike)
    )


def _screen(picture: Picture) -> Screen:
    return picture if isinstance(picture, Screen) else Screen.from_image(picture)
