"""What reference pictures prove: a part of a page by template matching, a whole page by its layout."""

from __future__ import annotations

from typing import Final

from handeye.errors import InvalidReference
from handeye.geometry import Box
from handeye.locate.reference import Reference
from handeye.locate.template import TemplateStrategy, find_all
from handeye.screen import Pixels, Screen
from handeye.target import Expectation
from handeye.verify.findings import Finding
from handeye.verify.whole_screen import (
    DIFFERENT_PAGE,
    SAME_PAGE,
    Likeness,
    is_whole_screen,
    likeness,
    likeness_of_part,
    may_be_stretched,
)


def by_reference(templates: TemplateStrategy, expect: Expectation, after: Screen) -> Finding:
    """Whether the image that `expect.reference` names, in any of its variants, is seen. Raises LocateError."""
    name = expect.reference or ""
    references = templates.references(name)
    if not references:
        return Finding(None, f"there is no reference image {name!r} to compare with")
    within = expect.region.box(after.size) if expect.region else None
    return best([compared(reference, after, within) for reference in references])


def best(findings: list[Finding]) -> Finding:
    """Of several variants of which one is enough: the one that holds, else one that cannot be decided, else the surest no."""
    order = {True: 2, None: 1, False: 0}
    return max(findings, key=lambda finding: (order[finding.holds], finding.confidence))


def compared(reference: Reference, after: Screen, within: Box | None) -> Finding:
    """
    A reference by name: as a page when it has this page's shape, else as a part of one; with the shape of another screen as
    either. Whoever cut a screen instead of shrinking it leaves it undecided.
    """
    page = reference.pixels[:, :, :3]
    if within is None and is_whole_screen(page.shape, after):
        return _page(likeness(page, after), str(reference))
    stretched = _stretched(page, after, str(reference)) if within is None else None
    if stretched is not None and stretched.holds is not False:
        return stretched
    found = [place for place in find_all(reference, after, within) if not place.is_turned]
    if not found and stretched is not None:
        cut = likeness_of_part(page, after).whole
        return (
            stretched
            if cut < DIFFERENT_PAGE
            else Finding(None, f"{reference} may be a part of what is seen: {cut:.2f}")
        )
    if not found:
        return Finding(False, f"{reference} is not on the screen", 0.8)
    peak, how, _reference = found[0]
    return Finding(True, f"{reference} is there by {how}, {peak.score:.2f}", min(1.0, peak.score))


def by_picture(expected: Screen, after: Screen) -> Finding:
    """Whether a picture is seen, as a page or as a part of one. Raises InvalidReference: it is too large or too plain."""
    if is_whole_screen(expected.pixels.shape, after):
        return _page(likeness(expected.pixels, after), "the expected page")
    if (stretched := _stretched(expected.pixels, after, "the expected page")) is not None and stretched.holds:
        return stretched
    if expected.size.width > after.size.width * 2 or expected.size.height > after.size.height * 2:
        raise InvalidReference(f"the expected picture ({expected.size}) cannot be a part of a {after.size} screen")
    return compared(Reference("expected", expected.pixels), after, None)


def _stretched(page: Pixels, after: Screen, what: str) -> Finding | None:
    """The picture as one of a whole screen in another shape; None when it has no screen's shape."""
    return (
        _page(likeness(page, after), f"{what}, stretched to the screen's shape,")
        if may_be_stretched(page, after)
        else None
    )


_ALIKE_IN_OTHER_COLOURS: Final = "has the same layout in other colours: it may be the other theme"


def _page(alike: Likeness, what: str) -> Finding:
    whole = alike.whole
    if whole >= SAME_PAGE:
        return Finding(True, f"{what} is what is seen: likeness {whole:.2f}", whole)
    if whole < DIFFERENT_PAGE and alike.in_other_colours:
        return Finding(None, f"{what} {_ALIKE_IN_OTHER_COLOURS} (edges {alike.edges:.2f})")
    if whole >= DIFFERENT_PAGE:
        return Finding(None, f"{what} may be what is seen: likeness {whole:.2f} is neither that of one page nor of two")
    return Finding(False, f"{what} is not what is seen: likeness {whole:.2f}", 1 - whole)
