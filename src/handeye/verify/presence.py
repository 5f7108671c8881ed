"""
Check that an element is still what was asked for, on the very frame on which it is to be touched (`verify_before` in
docs/spec/grounding.md).

Its presence is verified by text, tree and picture, its role by tree and look. A model is asked about what these leave open,
and cannot outvote them: where another text is read, the element is another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from PIL import Image
from rapidfuzz import fuzz

from handeye.elements import UIElement
from handeye.errors import HandeyeError, ModelError
from handeye.geometry import Box, check_location
from handeye.locate import (
    LEAST_CONFIDENCE,
    TRANSFORMED_SEARCHES,
    UNMISTAKABLE,
    Fit,
    TemplateStrategy,
    Tree,
    by_words,
    control_around,
    find_all,
    fit,
    is_button,
    is_field,
    max_confidence,
    read_lines,
)
from handeye.models import (
    MOST_CHARACTERS,
    ChatModel,
    Question,
    Verdict,
    ask_until_read,
    boxed,
    encoded,
    read_verdict,
    verify_prompt,
)
from handeye.ocr import TextReader
from handeye.perceive import StateProvider
from handeye.roles import role_of
from handeye.screen import Screen
from handeye.target import Target
from handeye.text import CANDIDATE, HIGH_CONFIDENCE, LOW_CONFIDENCE, is_ideograph, labels_of, match_text, normalize
from handeye.verify.base import Evidence
from handeye.verify.model_opinion import VerdictCache

# Similarity (rapidfuzz's ratio, 0-100) from which a read text may be the wanted one misread, unless the reader was sure of
# each letter.
_MAY_BE_MISREAD: Final = 75
# Largest difference in gray levels between the darkest and the lightest pixel of a place where nothing is drawn.
_FLAT: Final = 8
# How far, in pixels, a picture may have moved from its box and still be found: pages shift that far while they settle.
_NEARBY: Final = 12
# Fields: a field's label is next to it, not in it; the text in it is what was typed.
_FIELDS: Final = frozenset({"input", "combo box"})
_ANY_KIND: Final = "item"
# Confidence of presence without the role that was asked for: not sure (docs/spec/visual-locator.md: above 0.8 is sure).
KIND_UNSEEN: Final = 0.79
_BY_TREE: Final = 0.9
_BY_MODEL: Final = 0.7
_NO: Final = 0.85


@dataclass(frozen=True, slots=True)
class _TreeEvidence:
    """Evidence of the tree: whether the element can be touched, its role, and that it has the wanted name."""

    state: list[Evidence] = field(default_factory=list)
    kind: list[Evidence] = field(default_factory=list)
    name: list[Evidence] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Presence:
    """Sources of evidence; all but the reader are optional. `asked` holds the model's answers by question and frame."""

    reader: TextReader
    templates: TemplateStrategy
    state: StateProvider | None = None
    model: ChatModel | None = None
    asked: VerdictCache[tuple[Verdict, str]] = field(default_factory=VerdictCache)

    def findings(self, target: Target, element: UIElement, screen: Screen) -> list[Evidence]:
        """
        Return the evidence for or against `element` being what `target` asks for. Raises OcrFailed, or a LocateError for a
        reference that cannot be searched for.
        """
        place = check_location(element.bbox, screen.size)
        if not place.can_interact:
            return [Evidence(False, place.error or "it is outside of the screen", 1.0)]
        if not screen.is_protected and _shows_something(target, element) and _is_blank(screen, element):
            return [Evidence(False, "nothing is drawn there", _NO)]
        told = self._by_tree(target, element, screen)
        contradicted = any(finding.holds is False for finding in (*told.state, *told.kind))
        present = [] if contradicted else _best_of([*self._named(target, element, screen), *told.name])
        proved = any(finding.holds for finding in present)
        kind = told.kind or self._role_evidence(target, element, screen)
        if not proved and (target.text or target.reference or target.description):
            # There are many buttons: having the right role does not make it the wanted element.
            kind = [replace(finding, holds=None) if finding.holds else finding for finding in kind]
        findings = [*told.state, *present, *kind]
        undecided = not any(finding.holds for finding in findings) or any(finding.holds is None for finding in kind)
        if self.model is not None and undecided and not any(finding.holds is False for finding in findings):
            asked = self._asked(self.model, target, element, screen)
            # A model's yes does not prove a text that was not read there.
            unread = bool(target.text) and not proved
            findings.append(Evidence(None, asked.evidence) if asked.holds and unread else asked)
        return findings

    def is_seen(self, target: Target, element: UIElement, screen: Screen) -> bool:
        """Return True if the picture shows it there, by its text or its reference image. Raises LocateError."""
        return any(finding.holds for finding in self._named(target, element, screen))

    def _named(self, target: Target, element: UIElement, screen: Screen) -> Iterator[Evidence]:
        """Yield evidence by its text and by its reference picture; where both are named, one is enough."""
        if target.text:
            yield self._by_text(target, element, screen)
        if target.reference:
            yield self._by_picture(target.reference, element, screen)

    def _by_text(self, target: Target, element: UIElement, screen: Screen) -> Evidence:
        wanted = target.text or ""
        box = element.visible_region or element.bbox
        around = box.expand(box.height // 2).clip(screen.size)
        lines = [line for line in read_lines(self.reader, screen, around) if line.box.intersect(box)]
        for match in match_text(wanted, lines, exact=target.exact):
            if match.confidence >= LEAST_CONFIDENCE and around.contains(match.box.center):
                return Evidence(True, f"{match.text!r} is read there ({match.layer} match)", match.confidence)
        lines = [label for line in lines for label in labels_of(line) if box.contains(label.box.center)]
        read = " ".join(line.text for line in lines if line.confidence >= LOW_CONFIDENCE)
        if not read:
            return Evidence(None, "no text is surely read there")
        if role_of(target.role or "") in _FIELDS or element.element_type in _FIELDS:
            return Evidence(None, f"{read!r} stands in the field, {wanted!r} does not")
        plain, told = normalize(read), normalize(wanted)
        surely = min(line.confidence for line in lines) >= HIGH_CONFIDENCE
        misread = not surely and fuzz.ratio(plain, told) >= _MAY_BE_MISREAD
        if misread or not (_is_common(plain) and _is_common(told)):
            return Evidence(None, f"{read!r} is read there, which may be {wanted!r}")
        return Evidence(False, f"another text stands there: {read!r}", _NO)

    def _by_picture(self, name: str, element: UIElement, screen: Screen) -> Evidence:
        references = self.templates.references(name)
        if not references:
            return Evidence(None, f"there is no reference image {name!r} to compare with")
        around = element.bbox.expand(max(_NEARBY, element.bbox.height // 4)).clip(screen.size)
        find = TRANSFORMED_SEARCHES.get(element.metadata.get("look", ""), find_all)
        if any(not place.is_turned for reference in references for place in find(reference, screen, around)):
            return Evidence(True, f"the image {name!r} is there", _NO)
        return Evidence(False, f"the image {name!r} is not there", 0.8)

    def _by_tree(self, target: Target, element: UIElement, screen: Screen) -> _TreeEvidence:
        """Return the tree's evidence. A tree that takes seconds is read only for elements that were found in it."""
        told = _TreeEvidence()
        if self.state is None or (self.state.slow and element.source != "accessibility"):
            return told
        try:
            tree = Tree(self.state.detect(screen))
        except HandeyeError as error:
            told.state.append(Evidence(None, f"the tree could not be read: {error}"))
            return told
        node = tree.node_at(element.center)
        if node is None:
            return told
        control = tree.control_of(node) or node
        if node.enabled is False or control.enabled is False:
            told.state.append(Evidence(False, "it is disabled, as the tree says", 0.95))
        if (cover := tree.cover_of(node)) is not None:
            over = cover.text or cover.description or cover.element_type
            told.state.append(Evidence(False, f"{over!r} lies over it, as the tree says", _NO))
        role = role_of(target.role or "")
        if role and role != _ANY_KIND:
            fits = max(fit(tree, node, role), fit(tree, control, role))
            if fits is Fit.NONE and {role, control.element_type} <= UNMISTAKABLE:
                told.kind.append(
                    Evidence(False, f"it is a {control.element_type}, not a {role}, as the tree says", _NO)
                )
            elif fits is Fit.STRICT:
                told.kind.append(Evidence(True, f"it is a {role}, as the tree says", _BY_TREE))
        named = by_words(target.text, (node, control), exact=target.exact) if target.text else []
        if any(found.confidence >= LEAST_CONFIDENCE for found in named):
            told.name.append(Evidence(True, f"it is called {target.text!r} in the tree", _BY_TREE))
        return told

    def _role_evidence(self, target: Target, element: UIElement, screen: Screen) -> list[Evidence]:
        """Return evidence of its role by its look."""
        role = role_of(target.role or "")
        if role is None or role == _ANY_KIND:
            return []
        shown = _look_of(screen, element)
        most = max_confidence(role, shown)
        if most == CANDIDATE:
            return [Evidence(False, f"it looks like a {shown}, not like a {role}", _NO)]
        return [Evidence(None, f"that it is a {role} cannot be seen")] if most < 1 else []

    def _asked(self, model: ChatModel, target: Target, element: UIElement, screen: Screen) -> Evidence:
        words = " or ".join(dict.fromkeys(filter(None, (target.description, target.text))))[:MOST_CHARACTERS]
        reference = next(iter(self.templates.references(target.reference)), None) if target.reference else None
        pixels = Image.fromarray(np.ascontiguousarray(reference.pixels)) if reference is not None else None
        if not words and pixels is None and not target.role:
            return Evidence(None, "there are no words that a model could be asked about")
        question = Question(screen, words or (target.role or ""), pixels, target.role, label=target.text or "")

        def ask() -> tuple[Verdict, str]:
            picture = encoded(boxed(screen, element.bbox))
            return ask_until_read(model, lambda problem: verify_prompt(question, picture, problem), read_verdict)[0]

        asked = (words, target.role, target.text, target.reference, element.bbox)
        try:
            verdict, reason = self.asked.answer(asked, (screen,), ask)
        except ModelError as error:
            return Evidence(None, f"the model {model.name} could not be used: {error}")
        said = f"the model {model.name}, asked whether that is it, says {verdict.value}"
        holds = {Verdict.YES: True, Verdict.NO: False}.get(verdict)
        return Evidence(holds, f"{said}: {reason}" if reason else said, _BY_MODEL)


def _shows_something(target: Target, element: UIElement) -> bool:
    """Return True if what is wanted is drawn: an empty field, or a clickable area around something, is not."""
    fields = {role_of(target.role or ""), element.element_type} & _FIELDS
    return bool(target.text or target.reference) and not fields


def _best_of(named: list[Evidence]) -> list[Evidence]:
    """Return the proofs; where there are none, all evidence, without contradictions while another source is undecided."""
    proofs = [finding for finding in named if finding.holds]
    if proofs:
        return proofs
    if any(finding.holds is None for finding in named) and len(named) > 1:
        return [Evidence(None, finding.evidence) for finding in named]
    return named


def _look_of(screen: Screen, element: UIElement) -> str:
    label = element.label_box or element.bbox
    face = element.bbox if element.label_box is not None else control_around(screen, label)
    if face is None:
        return "icon" if element.element_type == "icon" else "text"
    if is_field(face, label):
        return "input"
    return "button" if is_button(face, label) else "text"


def _is_blank(screen: Screen, element: UIElement) -> bool:
    box: Box = element.visible_region or element.bbox
    inside = box.expand(-max(1, min(box.width, box.height) // 20)) if min(box.width, box.height) > 8 else box
    part = inside.intersect(screen.box)
    if part is None:
        return True
    pixels = screen.pixels[part.top : part.bottom, part.left : part.right]
    return int(np.ptp(pixels.reshape(-1, 3), axis=0).max()) <= _FLAT


def _is_common(text: str) -> bool:
    """Return True if the text has letters or digits, and only such that every text reader knows."""
    signs = [char for char in text if char.isalnum()]
    return bool(signs) and all(char.isascii() or is_ideograph(char) for char in signs)
