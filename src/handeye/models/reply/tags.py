"""Parse tags in a reply, `<box>(1,2),(3,4)</box>` or `<point x="1" y="2">`, as places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from handeye.models.families.profile import PERCENT, Format, Order, Profile, Shape
from handeye.models.reply.denials import label_denial
from handeye.models.reply.objects import LONGEST_WORDS, Reading
from handeye.models.reply.places import ACTS, POINTING, Unreadable, Written, places_in, plain_key
from handeye.models.reply.prose import MARK
from handeye.models.reply.text import Tag, ends_in_tag, loc_runs, number_group, tags


def read_tags(text: str, profile: Profile, reading: Reading) -> tuple[list[Written], str]:
    """Return the places in tags, and the text with `MARK` in their places and without their reference labels."""
    places: list[Written] = []
    spans: list[tuple[int, int]] = []
    found = tags(text)
    for tag in found:
        if len(found) == 1 or tag.body is None or tag.body.strip() or tag.attributes:  # an empty one has no place
            places += _tag_places(tag, profile, reading)
        spans.append((tag.start, tag.end))
    for numbers, start, end in loc_runs(text):
        if len(numbers) % 4:
            raise Unreadable(f"{len(numbers)} <loc_> numbers are no boxes")
        places += [Written(numbers[at : at + 4], Order.XY) for at in range(0, len(numbers), 4)]
        spans.append((start, end))
    text = without(text, sorted(spans))
    if ends_in_tag(text):
        raise Unreadable("its last tag is cut off", cut=True)
    if places:
        for label in _REFERENCE.findall(text):
            reading.record_denial(label_denial(label, reading.asked))
    return places, _REFERENCE.sub(" ", text)


_REFERENCE = re.compile(r"<(?:ref|\|object_ref_start\|)>([^<]{0,2000})(?:<(?:/ref|\|object_ref_end\|)>)?")


def _tag_places(tag: Tag, profile: Profile, reading: Reading) -> list[Written]:
    if tag.attributes and tag.name in ("point", "points"):
        if profile.grid != PERCENT:
            raise Unreadable(f"<{tag.name} x= y=> is percent, and this family does not write percent")
        return _attribute_points(tag, reading)
    if tag.body is None:
        raise Unreadable(f"<{tag.name}> is not closed", cut=True)
    return places_in(tag.body, Order.XY, "point" if tag.name.startswith("point") else "box")


def _attribute_points(tag: Tag, reading: Reading) -> list[Written]:
    """Return the points of the attributes `x y`, or `x1 y1 x2 y2 ...` for several."""
    if tag.twice:
        raise Unreadable(f"<{tag.name}> gives {tag.twice[:40]!r} twice, differently")
    label = tag.attributes.get("alt", "")[:LONGEST_WORDS]
    reading.record_denial(max(label_denial(tag.body or "", reading.asked), label_denial(label, reading.asked)))
    suffixes = dict.fromkeys(name[1:] for name in tag.attributes if _COORDINATE.fullmatch(name))
    places: list[Written] = []
    for suffix in suffixes:
        x, y = (tag.attributes.get(f"{axis}{suffix}", "") for axis in "xy")
        groups = number_group(x), number_group(y)
        numbers = [value for group in groups if group is not None for value in group.numbers or ()]
        if None in groups or len(numbers) != 2:
            raise Unreadable(f"{x[:20]!r}, {y[:20]!r} is no point")
        places.append(Written(tuple(numbers), Order.XY, named=True, label=label))
    if not places:
        raise Unreadable(f"<{tag.name}> names no point")
    return places


_COORDINATE = re.compile(r"[xy][0-9]{0,4}")


# Formats whose marks are special tokens, which servers omit by default (vLLM: skip_special_tokens): the text then contains no
# "<|box_start|>".
_SPECIAL_TOKEN_FORMATS: Final = frozenset({Format.OBJECT_BOX, Format.REF_BOX})
_CORNER = r"\(\s?[0-9]{1,6}\s?,\s?[0-9]{1,6}\s?\)"
_LABELLED = re.compile(rf"(?P<label>[^()\[\]<>{{}}\n]{{1,200}})(?P<corners>{_CORNER}(?:,\s?{_CORNER})?)")


def labelled_corners(text: str, profile: Profile) -> list[Written]:
    """
    Return the place of `Save(460,66),(683,252)`, which is the family's own format without its tokens; [] for anything
    else.

    The text directly before the bracket is the label. A sentence would have a space there, and a verb makes it a call.
    """
    found = _LABELLED.fullmatch(text.strip()) if profile.format in _SPECIAL_TOKEN_FORMATS else None
    if found is None or found["label"][-1:].isspace():
        return []
    label = found["label"].strip()
    if plain_key(label.rsplit(".", 1)[-1].rsplit(":", 1)[-1]) in POINTING | ACTS:
        return []
    places = places_in(found["corners"], Order.XY)
    if len(places[0].numbers) == 2 and profile.shape is Shape.BOX:
        raise Unreadable(f"one pair of numbers is half of a box, which {profile.name} writes")
    return [Written(place.numbers, Order.XY, label=label[:LONGEST_WORDS]) for place in places]


def without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the text with `MARK` on its own line in place of each span, in order."""
    kept, at = [], 0
    for start, end in spans:
        kept.append(text[at:start])
        at = max(at, end)
    return f"\n{MARK}\n".join([*kept, text[at:]])
