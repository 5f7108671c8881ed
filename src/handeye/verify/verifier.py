"""Verify a step: by text that was read, by reference pictures, by what changed, and last by a model's opinion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from handeye.blockers import PASSIVE, Blocker, find_blocker, keyboard_at
from handeye.elements import UIElement
from handeye.errors import HandeyeError, UsageError
from handeye.locate import TemplateStrategy
from handeye.matching import Change, ReferenceSource, changed_regions, compare
from handeye.models import ChatModel
from handeye.ocr import TextReader
from handeye.perceive import StateProvider
from handeye.screen import Screen, Screenshot, as_screen
from handeye.target import Expectation, Target
from handeye.text import quotations
from handeye.verify.base import Evidence, VerifyResult, combine, combined_confidence, suggestion
from handeye.verify.model_opinion import ModelOpinion
from handeye.verify.picture_evidence import by_picture, by_reference, switch_in
from handeye.verify.presence import KIND_UNSEEN, Presence
from handeye.verify.text_evidence import TextEvidence

# Confidence where the screen merely changed: more than nothing, less than any proof.
_ONLY_CHANGED: Final = 0.5
_QUOTE: Final = "put the text that must be seen in quotes"
_SAY_LESS: Final = "say of the text in quotes no more than that it is there, or is gone"


class ScreenVerifier:
    """
    Compares what was expected with what is seen; every verdict names its evidence.

    `reader` reads text, `images` provides reference pictures, `state` reads the accessibility tree. `model` is asked only
    where these decide nothing; its answer is one more piece of evidence, and cannot make a missing text present.

    Raises LocateError when the reader fails or a picture cannot be searched for; never an error of the model. What nothing
    can prove is undecided (`matches_expected is None`), never success.
    """

    def __init__(
        self,
        reader: TextReader,
        images: ReferenceSource | TemplateStrategy | None = None,
        *,
        model: ChatModel | None = None,
        state: StateProvider | None = None,
    ) -> None:
        self._reader = reader
        self._templates = images if isinstance(images, TemplateStrategy) else TemplateStrategy(images)
        self._texts = TextEvidence(reader, state)
        self._opinion = ModelOpinion(model, self._texts) if model is not None else None
        self._presence = Presence(reader, self._templates, state, model)
        self._state = state

    def verify(self, expect: Expectation | None, before: Screen | None, after: Screen) -> VerifyResult:
        """
        Check that everything that `expect` asks for holds on `after`. `before` is the frame to compare with for changes.
        """
        expect = expect or Expectation()
        change = compare(before, after) if before is not None else None
        findings = self._findings(expect, change, before, after)
        findings, left = self._with_quotations(expect.description or "", findings, after)
        return self._verdict(findings, change, before, after, left=left, proof=expect.is_evidence)

    def verify_after(self, expect: Expectation | None, before: Screen | None, after: Screen) -> VerifyResult:
        """Alias of `verify`, the name in docs/spec/grounding.md."""
        return self.verify(expect, before, after)

    def verify_before(self, target: Target, element: UIElement, screen: Screen) -> VerifyResult:
        """
        Check that `element` is still what `target` asks for, on the frame on which it is to be touched
        (docs/spec/grounding.md).

        It fails when another text is there, when the element has another role, is disabled, or is covered, be it by the
        keyboard. Raises LocateError.
        """
        findings = self._presence.findings(target, element, screen)
        blocker = None
        if not any(finding.holds is False for finding in findings):
            blocker = self._over(element, screen) or self._keyboard_over(target, element, screen)
        if blocker is not None:
            findings.append(Evidence(False, f"{blocker.description} lies over it", 0.9))
        proofs = [finding for finding in findings if finding.holds is not None]
        holds = combine(proofs)
        confidence = combined_confidence(proofs, holds)
        if holds and len(proofs) < len(findings):
            confidence = min(confidence, KIND_UNSEEN)
        evidence = tuple(finding.evidence for finding in findings)
        action, detail = suggestion(holds, None, blocker)
        return VerifyResult(
            verified=holds is True,
            confidence=confidence,
            current_state="; ".join(evidence),
            matches_expected=holds,
            blocker=blocker,
            suggestion=action,
            suggestion_detail=detail,
            evidence=evidence,
        )

    def before_typing(self, text: str, screen: Screen) -> None:
        """Record what will show later that `text` is new on the page of `screen`, the current frame. Raises OcrFailed."""
        self._texts.keep(text, screen)

    def find_blocker(self, screen: Screen) -> Blocker | None:
        """Return the blocker that covers the screen, or None. Raises OcrFailed."""
        return find_blocker(screen, self._reader, self._state)

    def verify_with_reference(
        self, expected_ref: Screenshot, current_screenshot: Screenshot, success_condition: str | None = None
    ) -> VerifyResult:
        """
        Check that the picture, a part of the screen or the whole of it, is seen (docs/spec/vision-agent.md).

        `success_condition` must hold as well. Raises InvalidReference for a picture that is too plain, and UsageError for
        None.
        """
        expected, after = _screen(expected_ref), _screen(current_screenshot)
        finding = by_picture(expected, after)
        if finding.holds is None and self._opinion is not None and self._is_clear(after):
            finding = self._supported(finding, self._opinion.of("", after, reference=expected.image))
        findings, left = self._with_quotations(success_condition or "", [finding], after)
        return self._verdict(findings, None, None, after, left=left, proof=True)

    def verify_with_description(
        self, current_screenshot: Screenshot, expected_description: str, previous_screenshot: Screenshot | None = None
    ) -> VerifyResult:
        """
        Check that what the words describe is seen (docs/spec/vision-agent.md).

        Texts in quotation marks, or one after `text:`, are searched for, clause by clause: “A” is shown, “B” is gone. A
        clause with further claims can only be judged by a model; without one it is undecided, with the reason as evidence.
        """
        after = _screen(current_screenshot)
        before = _screen(previous_screenshot) if previous_screenshot is not None else None
        change = compare(before, after) if before is not None else None
        findings, left = self._with_quotations(expected_description, [], after)
        if not findings and not left:
            findings = [Evidence(None, "nothing is described")]
        return self._verdict(findings, change, before, after, left=left, proof=True)

    def quick_check(
        self, before_screenshot: Screenshot, after_screenshot: Screenshot, expected_change: str
    ) -> tuple[bool, str]:
        """
        Return True if an action had the effect that `expected_change` describes, and the evidence
        (docs/spec/vision-agent.md): the pixels first, then any text that is quoted, then the model. Where neither can tell, a
        change of the screen is enough.
        """
        before, after = _screen(before_screenshot), _screen(after_screenshot)
        change = compare(before, after)
        if not change:
            return False, str(change)
        findings, left = self._with_quotations(expected_change, [], after)
        if left and self._opinion is not None and self._is_clear(after):
            findings = [*findings, self._opinion.of(left, after, before, compare=True)]
        holds = all(finding.holds is not False for finding in findings)
        return holds, "; ".join([str(change), *(finding.evidence for finding in findings)])

    def _findings(
        self, expect: Expectation, change: Change | None, before: Screen | None, after: Screen
    ) -> list[Evidence]:
        findings: list[Evidence] = []
        if expect.text:
            findings.append(self._texts.there(expect, before, after))
        if expect.gone:
            findings.append(self._texts.gone(expect.gone, expect, after))
        if expect.reference:
            findings.append(by_reference(self._templates, expect, after))
        if expect.switch is not None:
            findings.append(self._switch(expect, expect.switch, after))
        if expect.changed:
            findings += _change_evidence(expect, change, before, after)
        return findings

    def _switch(self, expect: Expectation, wanted: bool, after: Screen) -> Evidence:
        """Return the finding about the switch in the row of `expect.row`, or of `expect.text` where no row is named."""
        named = expect if expect.row else Expectation(row=expect.text, exact=expect.exact)
        row = self._texts.row(named, after) if named.row else None
        if row is None:
            return Evidence(None, f"there is no single row of {named.row!r} with a switch")
        finding = switch_in(after, row, wanted)
        if finding.holds is not None or self._state is None:
            return finding
        try:
            return switch_in(after, row, wanted, self._state.detect(after))
        except HandeyeError as error:
            return Evidence(None, f"{finding.evidence}, and the tree could not be read: {error}")

    def _with_quotations(self, description: str, findings: list[Evidence], after: Screen) -> tuple[list[Evidence], str]:
        """Return `findings` with those about a description's quotations, and the words that are left for a model."""
        if not description.strip():
            return findings, ""
        quoted, left = self._texts.described(description, after)
        return [*findings, *quoted], left

    def _with_opinion(
        self, findings: list[Evidence], left: str, blocker: Blocker | None, before: Screen | None, after: Screen
    ) -> list[Evidence]:
        """
        Return the findings with the model's opinion on what is left; it is not asked where that is contradicted or covered
        already.
        """
        if not left or any(finding.holds is False for finding in findings):
            return findings
        if self._opinion is None:
            remedy = _SAY_LESS if quotations(left) else _QUOTE
            return [*findings, Evidence(None, f"no vision model is configured to judge {left!r}; {remedy}")]
        if blocker is not None and blocker.type not in PASSIVE:
            return [*findings, Evidence(None, f"{blocker.description} lies over what should be seen: {left!r}")]
        opinion = self._opinion.of(left, after, before)
        if opinion.holds is False and any(finding.holds for finding in findings):
            opinion = Evidence(None, f"{opinion.evidence}; other evidence speaks for it")
        return [*findings, opinion]

    def _supported(self, finding: Evidence, opinion: Evidence) -> Evidence:
        return Evidence(opinion.holds, f"{finding.evidence}; {opinion.evidence}", opinion.confidence)

    def _verdict(
        self,
        findings: list[Evidence],
        change: Change | None,
        before: Screen | None,
        after: Screen,
        *,
        left: str,
        proof: bool,
    ) -> VerifyResult:
        proved = proof and not left and combine(findings) is True
        # Blockers are not searched for after a proof: nothing is in the way, and reading costs time.
        hidden = any(finding.unseen for finding in findings)
        blocker = None if proved and not hidden else self.find_blocker(after)
        if blocker is not None:
            findings = [self._unless_hidden(finding, blocker, before) for finding in findings]
        findings = self._with_opinion(findings, left, blocker, before, after)
        holds = combine(findings)
        holds = None if holds and not proof else holds
        blocker = None if holds else blocker
        evidence = tuple(finding.evidence for finding in findings)
        if change is not None and str(change) not in evidence:
            evidence += (str(change),)
        evidence = evidence or ("nothing was expected that can be seen",)
        changed = None if change is None else bool(change)
        action, detail = suggestion(holds, change, blocker)
        return VerifyResult(
            verified=holds is True,
            confidence=_ONLY_CHANGED if holds is None and changed else combined_confidence(findings, holds),
            current_state=f"under {blocker.description}" if blocker else "; ".join(evidence),
            matches_expected=holds,
            screen_changed=changed,
            change_description=str(change) if change is not None else "",
            blocker=blocker,
            suggestion=action,
            suggestion_detail=detail,
            evidence=evidence,
        )

    def _unless_hidden(self, finding: Evidence, blocker: Blocker, before: Screen | None) -> Evidence:
        """
        Return the finding, undecided where the text may be hidden by the blocker; unless it was on the blocker itself before.
        """
        if not finding.unseen or not finding.holds:
            return finding
        stood = self._texts.places_of(finding.unseen, before) if before is not None else []
        if stood and blocker.box is not None and all(blocker.box.contains(place.center) for place in stood):
            return finding
        return Evidence(None, f"{finding.evidence}, but {blocker.description} may hide it")

    def _is_clear(self, screen: Screen) -> bool:
        blocker = self.find_blocker(screen)
        return blocker is None or blocker.type in PASSIVE

    def _over(self, element: UIElement, screen: Screen) -> Blocker | None:
        """Return the blocker over the element, or None; a blocker that the element is a part of does not count."""
        blocker = self.find_blocker(screen)
        if blocker is None or blocker.type in PASSIVE:
            return None
        return None if blocker.box is not None and blocker.box.contains(element.center) else blocker

    def _keyboard_over(self, target: Target, element: UIElement, screen: Screen) -> Blocker | None:
        """
        Return the keyboard where it covers the element: the tree lists elements under it. None for an element that is seen:
        it is a key.
        """
        keyboard = keyboard_at(screen, element.center, self._reader)
        return None if keyboard is None or self._presence.is_seen(target, element, screen) else keyboard


def _change_evidence(
    expect: Expectation, change: Change | None, before: Screen | None, after: Screen
) -> Sequence[Evidence]:
    """
    Return evidence of a change, in its region where one is named: a change is no proof, but without one the expectation is
    contradicted.
    """
    if change is None or before is None:
        return [Evidence(None, "there is no earlier frame to compare with")]
    if not change:
        return [Evidence(False, str(change), 0.95)]
    if expect.region is not None and before.size == after.size:
        within = expect.region.box(after.size)
        if not any(region.intersect(within) for region in changed_regions(before, after)):
            return [Evidence(False, "nothing changed in its region", 0.9)]
    return []


def _screen(picture: Screenshot | None) -> Screen:
    if picture is None:  # what `AssetsManager.get_image` gives for a name that it does not know
        raise UsageError("there is no picture to compare: None was given; is there a reference image of that name?")
    return as_screen(picture)
