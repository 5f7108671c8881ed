"""Parse the objects of a reply: places, a "no" with its reason, or another action."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from handeye.models.families.profile import THINKING
from handeye.models.reply.denials import Denial, denial, label_denial, says_no
from handeye.models.reply.json import LONGEST_ANSWER, CutObject, Unusable, json_values
from handeye.models.reply.places import (
    ACTS,
    DOING,
    PLACE_KEYS,
    POINTING,
    TOOLS,
    TYPED,
    Unreadable,
    Written,
    named_numbers,
    places_of,
    plain_key,
)
from handeye.models.reply.prose import CONTRADICTED, DOUBTED
from handeye.models.reply.text import json_in, without_thinking

LONGEST_WORDS: Final = 500
"""Characters kept of a label, a reason or a suggestion."""

_WRAPPERS: Final = (
    "objects", "elements", "results", "result", "detections", "candidates", "answer", "output", "response", "arguments",
    "args", "input", "parameters", "params", "function", "toolcalls", "toolcall", "actioninput", "actioninputs", "target",
    "items", "actions", "action",
)  # fmt: skip
_LISTS: Final = ("objects", "elements", "results", "detections", "candidates", "items")
"""Wrappers that hold the results: an empty one means that nothing was found."""
_FOUND: Final = (
    "found", "exists", "exist", "isfound", "ispresent", "present", "visible", "isvisible", "targetfound", "elementfound",
    "located", "detected", "available", "success", "successful",
)  # fmt: skip
_STATES: Final = ("status", "state", "outcome")
_ERRORS: Final = ("error", "errors", "errormessage")
_REASONS: Final = ("reason", "explanation", "message", "rationale", "description", "note", "comment", "analysis")
_LABELS: Final = ("label", "text", "name", "description")
_NO_ERROR: Final = frozenset({"none", "no", "no error", "no errors", "null", "n/a", "false", "ok", "0"})
_YES: Final = (True, "true", "yes", "True")
_NO: Final = (False, "false", "no", "False")


@dataclass
class Reading:
    """
    The result of parsing so far. `said_no`: a part denies that there is such a place; `sure`: a part confirms it.
    `asked` is the request in words; `doubts` are remarks against a place that do not deny it; `empty` are the labels of
    objects whose place is empty.
    """

    asked: str = ""
    places: list[Written] = field(default_factory=list)
    said_no: bool = False
    sure: bool = False
    reason: str = ""
    suggestion: str = ""
    cut: Unreadable | None = None
    doubts: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)

    def record_denial(self, said: Denial) -> None:
        """Record a doubt. Raises Unreadable for a refusal."""
        if said is Denial.REFUSAL:
            raise Unreadable(CONTRADICTED)
        if said is Denial.DOUBT and DOUBTED not in self.doubts:
            self.doubts.append(DOUBTED)

    def finish(self) -> Reading:
        """Check that there is an answer, and not both yes and no; return self. Raises Unreadable."""
        labels = {place.label.casefold() for place in self.places}
        # If there are places, an empty one of the same name is ignored, and so is one of another name if the requested name has
        # a place.
        meant = self.asked.casefold() in labels and bool(self.asked)
        self.said_no = self.said_no or any(
            not (label in labels or (labels and not label) or meant) for label in self.empty
        )
        if self.said_no and (self.places or self.sure):
            raise Unreadable("it says that the thing is there and that it is not")
        if not self.places and not self.said_no:
            raise self.cut or Unreadable("it names no place")
        return self


def read_objects(values: list[Any], reading: Reading) -> Reading:
    """Parse all objects of a reply and add them to `reading`. Raises Unreadable."""
    for value in values:
        _read(value, reading, acting=False)
    return reading.finish()


def _read(value: Any, reading: Reading, *, acting: bool) -> None:
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict | list):
                _read(item, reading, acting=acting)
            elif item is not Unusable.UNFINISHED:
                raise Unreadable("numbers or words stand beside objects")
        return
    keys = _plain_keys(value)
    _check_action(keys, acting)
    found = _found(keys)
    no = _denial(keys, reading.asked)
    reading.reason = reading.reason or _words(keys, "reason", *_ERRORS, "explanation", "message", "rationale")
    reading.suggestion = reading.suggestion or _words(keys, "suggestion", "suggestions", "hint")
    if found is False:
        reading.said_no = True
        return
    reading.sure = reading.sure or found is True
    own, empty = _own_places(keys, reading)
    label, confidence = _words(keys, *_LABELS), stated_confidence(keys)
    before = len(reading.places)
    for place in own:
        if place.refused:
            reading.said_no = True
        else:
            reading.places.append(replace(place, label=place.label or label, confidence=confidence))
    empty = empty or any(keys.get(key) == [] for key in _LISTS)
    for key in _WRAPPERS:
        _read_inside(keys.get(key), reading, acting=key.startswith("action"))
    if len(reading.places) > before:
        _check_extra_arguments(keys, acting)
        reading.said_no = reading.said_no or no is Denial.REFUSAL
        reading.record_denial(min(no, Denial.DOUBT))
    elif no and not own and found is None:
        reading.said_no = True
    elif empty and not own and found is None:
        reading.empty.append(label.casefold())


def _read_inside(inner: Any, reading: Reading, *, acting: bool) -> None:
    if isinstance(inner, str):
        inner = json_in(inner.strip())
    if isinstance(inner, dict) or (isinstance(inner, list) and any(isinstance(item, dict) for item in inner)):
        _read(inner, reading, acting=acting)


def _plain_keys(value: dict[str, Any]) -> dict[str, Any]:
    """Return the object with its keys in plain form; keys that become equal must have equal values."""
    keys: dict[str, Any] = CutObject() if isinstance(value, CutObject) else {}
    for key, item in value.items():
        plain = plain_key(key)
        keys[plain] = item if keys.get(plain, item) == item else Unusable.SAID_TWICE
    return keys


def _check_action(keys: dict[str, Any], acting: bool) -> None:
    """Raise Unreadable when the object is another action than pointing at a place."""
    verbs = _verbs(keys, acting)
    if any(key in keys for key in ("arguments", "args", "input", "parameters")) and isinstance(keys.get("name"), str):
        tool = plain_key(keys["name"])
        if tool not in TOOLS and tool not in POINTING:
            raise Unreadable(f"it calls {keys['name'][:40]!r} instead of naming a place")
    for verb in verbs:
        if plain_key(verb) not in POINTING:
            raise Unreadable(f"it wants to {verb[:40]!r} instead of naming a place")


def _verbs(keys: dict[str, Any], acting: bool) -> list[str]:
    verbs = [keys.get("action"), keys.get("actiontype"), keys.get("type") if acting else None]
    if isinstance(kind := keys.get("type"), str) and plain_key(kind) in ACTS:
        verbs.append(kind)
    return [verb for verb in verbs if isinstance(verb, str)]


def _check_extra_arguments(keys: dict[str, Any], acting: bool) -> None:
    """Raise Unreadable when an object with a place contains arguments of another action."""
    names = DOING | TYPED if _verbs(keys, acting) else DOING
    if doing := sorted(name for name in names if keys.get(name) not in (None, "", [], {})):
        raise Unreadable(f"it has {doing[0]!r} beside a place, which names none")
    tool = keys.get("tool")
    if tool is not None and not (isinstance(tool, str) and plain_key(tool) in TOOLS | POINTING):
        raise Unreadable("it calls a tool instead of naming a place")


def _found(keys: dict[str, Any]) -> bool | None:
    said = [keys[name] for name in _FOUND if name in keys]
    for value in said:
        if not (isinstance(value, bool | str) and value in (*_YES, *_NO)):
            raise Unreadable("whether it was found is neither true nor false", cut=value is Unusable.UNFINISHED)
    answers = {value in _YES for value in said}
    if len(answers) > 1:
        raise Unreadable("it says that the thing is there and that it is not")
    return answers.pop() if answers else None


def only_object(text: str) -> dict[str, Any] | None:
    """
    Return the only object of a reply, without its thinking; None for none or several, and if the text around it denies
    that the element is there.
    """
    said, unended = without_thinking(text, THINKING)
    if unended or len(said) > LONGEST_ANSWER:
        return None
    objects: list[dict[str, Any]] = []
    talk: list[str] = []
    at = 0
    for value, start, end in json_values(said).values:
        objects += [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict)]
        talk.append(said[at:start])
        at = end
    return objects[0] if len(objects) == 1 and not says_no("\n".join([*talk, said[at:]])) else None


def denied(value: dict[str, Any]) -> bool:
    """
    Return True if the object denies, by a flag or in words, that the element is there, or doubts it; also when it
    contradicts itself.
    """
    keys = _plain_keys(value)
    try:
        return _found(keys) is False or _denial(keys, "") is not Denial.NONE
    except Unreadable:
        return True


def _denial(keys: dict[str, Any], asked: str) -> Denial:
    """Return how strongly the object's texts deny its place, see `denial`; an error is a refusal."""
    states = (keys[name] for name in _STATES if isinstance(keys.get(name), str))
    if any(says_no(state.replace("_", " ")) or label_denial(state) for state in states):
        return Denial.REFUSAL
    errors = [keys[name] for name in _ERRORS if keys.get(name)]
    if any(not (isinstance(error, str) and error.strip().lower() in _NO_ERROR) for error in errors):
        return Denial.REFUSAL
    labels = [label_denial(keys[name], asked) for name in _LABELS if isinstance(keys.get(name), str)]
    reasons = [denial(_words(keys, name), asked) for name in _REASONS]
    return max(*labels, *reasons)


def _own_places(keys: dict[str, Any], reading: Reading) -> tuple[list[Written], bool]:
    """Return the places of the object itself, and whether it has a key for a place without a value."""
    places: list[Written] = []
    empty = False
    try:
        named = named_numbers(keys)
        places += [named] if named else []
        for key, (expected, order) in PLACE_KEYS.items():
            value = keys.get(key, _ABSENT)
            if isinstance(value, str) and value and not any(sign.isdigit() for sign in value):
                continue  # a description such as "top right"
            if isinstance(value, dict):
                named = named_numbers(_plain_keys(value))
                if named is None:
                    raise Unreadable(f"{key} names no edges")
                places.append(named)
            elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
                _read(value, reading, acting=False)
            elif value is not _ABSENT:
                read = places_of(value, order, expected)
                empty = empty or not read
                _check_same_boxes(places, read)
                places += read
    except Unreadable as problem:
        if not problem.cut:
            raise
        reading.cut = reading.cut or problem
        return [], False
    return _merge_point_and_box(places), empty


_ABSENT: Final = object()


def _check_same_boxes(before: list[Written], read: list[Written]) -> None:
    """Raise Unreadable when two keys of one object hold different boxes."""
    known, boxes = ([place.numbers for place in each if len(place.numbers) == 4] for each in (before, read))
    if known and boxes and known != boxes:
        raise Unreadable("it gives two different boxes for one thing")


def _merge_point_and_box(places: list[Written]) -> list[Written]:
    """Merge the places of one object: a point must lie in the box, and the box is used."""
    boxes = [place for place in places if len(place.numbers) == 4]
    points = [place for place in places if len(place.numbers) == 2]
    if len(boxes) != 1 or not points:
        return places
    left, top, right, bottom = boxes[0].numbers
    for point in points:
        x, y = point.numbers
        if (point.order or boxes[0].order) is not (boxes[0].order or point.order) or not (
            left <= x <= right and top <= y <= bottom
        ):
            raise Unreadable("its point is not in its box")
    return boxes


def _words(keys: dict[str, Any], *names: str) -> str:
    for name in names:
        value = keys.get(name)
        if isinstance(value, list):
            value = "; ".join(item for item in value if isinstance(item, str))
        if isinstance(value, str) and value.strip():
            return value.strip()[:LONGEST_WORDS]
    return ""


def stated_confidence(keys: Mapping[str, Any]) -> float | None:
    """
    Return the confidence that an object states under a plain key, 0 to 1; None if there is none, or a word that is not
    a low one.

    A value above 1 is percent. A 4 of 5 is then read too low, which does no harm. A value that cannot be parsed is 0,
    since it may have meant a low confidence.
    """
    stated = (keys[name] for name in ("confidence", "score", "probability") if keys.get(name) is not None)
    value = next(stated, None)
    if value is None:
        return None
    percent = False
    if isinstance(value, str):
        word = value.strip().lower()
        if _LOW.search(word):
            return LOW
        if not any(sign.isdigit() for sign in word):
            return None
        percent = word.endswith("%")
        try:
            value = float(word.rstrip("% "))
        except ValueError:
            return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
        return 0.0
    return value / 100 if percent or value > 1 else float(value)


LOW: Final = 0.2
"""Confidence for "low" and "unsure": less than any confidence that is acted on."""
_LOW = re.compile(
    r"\b(?:low|lowest|weak|poor|unsure|uncertain|none|not (?:sure|confident|certain)|guess(?:ing)?|doubtful)\b"
)
