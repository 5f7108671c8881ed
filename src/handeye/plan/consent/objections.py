"""
Check that a plan which no person wrote does only what its task allows.

A model sees the screen, and text on the screen can contain instructions to it (prompt injection). So each plan is checked
against the task, which only the user writes: what the plan types, calls, opens and starts must come from the task or from the
app modules, and acts with consequences must be asked for. Remembered plans are checked the same way: anyone may have edited
their file.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from urllib.parse import unquote_plus, urlsplit

from handeye.devices import KEYCODES
from handeye.plan.base import ActionName, StepPlan, TaskPlan
from handeye.plan.consent.content import content_of
from handeye.plan.consent.controls import controls_of, head_of, is_only_described, is_switch
from handeye.plan.consent.effect_kinds import is_another_kind
from handeye.plan.consent.effects import (
    CALLING,
    PAY,
    SEND,
    SHARE,
    changes,
    named_acts,
    only_looks,
    orders_act,
    wanted_switch_states,
)
from handeye.plan.consent.messages import as_typed, is_whole_message, places_in
from handeye.plan.consent.refusals import not_asked, not_clear, not_whole
from handeye.plan.consent.sending import ENTERS, Sending, is_search, key_code, sending_of, sending_steps
from handeye.plan.consent.understanding import (
    is_ordered_elsewhere,
    number_is_ordered,
    unclear_clause,
    unclear_switch_clause,
)
from handeye.plan.planner.app_knowledge import AppKnowledge
from handeye.plan.planner.model_plan import LONGEST_WAIT_MS
from handeye.plan.templates.slots import fold
from handeye.target import DYNAMIC, TEXT, Target
from handeye.text import skeleton

# Keys that navigate, search and set the volume. Letters and digits would type unchecked text; POWER, CALL and the like do more.
_KEY_NAMES: Final = (
    "HOME BACK ENTER SEARCH TAB SPACE ESCAPE MENU APP_SWITCH PAGE_UP PAGE_DOWN MOVE_HOME MOVE_END DEL FORWARD_DEL "
    "DPAD_UP DPAD_DOWN DPAD_LEFT DPAD_RIGHT DPAD_CENTER VOLUME_UP VOLUME_DOWN VOLUME_MUTE NOTIFICATION NUMPAD_ENTER "
    "MEDIA_PLAY_PAUSE MEDIA_PLAY MEDIA_PAUSE MEDIA_STOP MEDIA_NEXT MEDIA_PREVIOUS BRIGHTNESS_UP BRIGHTNESS_DOWN"
)
_KEYS: Final = frozenset(KEYCODES[name] for name in _KEY_NAMES.split())
_DIGITS: Final = re.compile(r"\d+")
_GROUPING: Final = re.compile(r"(?<=\d)[ ().-]{1,2}(?=\d)")
_NUMBER: Final = re.compile(r"\+?[\d ().-]{3,24}")
_SETTINGS_APP: Final = re.compile(r"(?:^|\.)settings?$")
_COMMON: Final = re.compile(
    r"\b(?:the|and|for|from|with|that|this|value|text|number|screen|page|field|label|line|row|right|left)\b"
)
# Credentials and account data: read only if the task names them.
_CODES: Final = re.compile(
    r"验证码|校验码|动态码|密码|口令|身份证|银行卡|卡号|余额|passwor[dt]|passcode|\bpin\b|\botp\b|\bcvv\b|\bcodes?\b|\biban\b"
    r"|credit card"
)
_SEVERAL_TAPS: Final = re.compile(r"双击|连点|[两二三]下|\b(?:double|triple|twice|two times|three times)\b")
# Roles that a tap switches.
_SWITCH_ROLES: Final = frozenset({"switch", "checkbox"})
# Parameter names of search URLs; every other part of a URL must come from the task.
_QUERY_NAMES: Final = frozenset({"q", "s", "wd", "word", "query", "search", "keyword", "text", "www"})
_PIECES: Final = re.compile(r"[/?&=#;+\s]+")


def objections(plan: TaskPlan, task: str, known: AppKnowledge, executed: Sequence[StepPlan] = ()) -> Iterator[str]:
    """
    Yield the reasons why the plan may not run for `task`; none for an acceptable plan. `executed` are the steps that ran
    before it: a message that they sent may not be sent again.
    """
    steps = (*executed, *plan.steps)
    sending = sending_steps(steps, task)
    sent: list[Sending] = []
    for at, step in enumerate(steps):
        found = list(_of_step(step, task, known)) if at >= len(executed) else []
        if at in sending:
            this = sending_of(steps[:at], step)
            if at >= len(executed):
                found += _of_sending(this, task)
                if any(this.may_repeat(other) for other in sent):
                    found.append("this was sent before, and must not be sent twice")
            sent.append(this)
        elif at >= len(executed) and step.action.needs_target:
            found += _of_object(steps[:at], step, task)
        yield from (f"step {step.step} ({step.action.value}): {objection}" for objection in found)
    yield from _of_settings(steps, task)
    last = plan.steps[-1].expectation
    if last is None or not (last.is_evidence or last.app):
        yield "nothing is seen at its end that proves the goal"


def _of_step(step: StepPlan, task: str, known: AppKnowledge) -> Iterator[str]:
    yield from _of_bounds(step, known)
    match step.action:
        case ActionName.INPUT_TEXT:
            yield from _of_typing(step, task)
            yield from _of_tap(step, task)
        case ActionName.PRESS_KEY:
            yield from _of_key(step.params)
        case ActionName.LAUNCH_APP:
            if step.params.get("package") not in known.packages:
                yield f"no app that is known has the package {step.params.get('package')!r:.80}"
        case ActionName.OPEN_URL:
            yield from _of_url(str(step.params.get("url")), task)
        case ActionName.CALL:
            yield from _of_call(str(step.params.get("number")), task)
        case ActionName.READ if not _is_asked_for(step, task):
            yield "the task does not ask for what is read there; its target must name it in the task's words"
        case ActionName.TAP | ActionName.LONG_PRESS:
            yield from _of_tap(step, task)
    yield from _of_fallback(step, task)


def _of_bounds(step: StepPlan, known: AppKnowledge) -> Iterator[str]:
    """
    Yield objections to long waits, to reference images that are not the apps' (a path could be any file), and to targets with
    invisible characters. A remembered plan has the same limits as a model's.
    """
    instead: Mapping[str, Any] = step.fallback or {}
    waits = [step.timeout, step.wait_before, step.wait_after, step.params.get("duration")]
    waits.append(instead.get("params", {}).get("duration"))
    if any(isinstance(wait, int | float) and wait > LONGEST_WAIT_MS for wait in waits):
        yield f"it waits longer than {LONGEST_WAIT_MS} ms"
    seen = [step.expect, step.guard, *(condition.expect for condition in step.conditions)]
    named = [
        step.target.reference if step.target else None,
        step.verify_ref,
        *(each.reference for each in seen if each),
    ]
    named += [
        ref for ref in (step.target_ref, instead.get("target_ref")) if ref and not ref.startswith((TEXT, DYNAMIC))
    ]
    for name in dict.fromkeys(filter(None, named)):
        if known.reference(name) is None:
            yield f"there is no reference image {name!r:.80}"
    wanted = step.wanted
    looked_for = [step.target_ref, instead.get("target_ref")]
    looked_for += [wanted.text, wanted.description, wanted.id, wanted.path] if wanted is not None else []
    for words in filter(None, looked_for):
        if any(unicodedata.category(char) == "Cf" for char in words):
            yield f"{words!a:.80} has characters in it that cannot be seen"


def _of_fallback(step: StepPlan, task: str) -> Iterator[str]:
    if step.fallback is None:
        return
    params = step.fallback.get("params", {})
    if step.fallback.get("action") == ActionName.TAP.value:
        ref, description = str(step.fallback.get("target_ref") or ""), str(step.fallback.get("description") or "")
        tap = StepPlan(step.step, ActionName.TAP, target_ref=ref or None, description=description, params=params)
        yield from _of_tap(tap, task, may_send=False)
    if step.fallback.get("action") == ActionName.PRESS_KEY.value:
        yield from _of_key(params)
        if key_code(params) in ENTERS:
            yield "ENTER is no fallback: it may send what was typed"


def _of_typing(step: StepPlan, task: str) -> Iterator[str]:
    late = step.late.get("params.text")
    if late is not None and only_looks(task) and not is_search(task):
        yield "the task asks for nothing to be typed that was read"
    if late is None:
        pieces = [str(step.params.get("text", ""))]
    else:
        pieces = [bare for piece in late.pieces[0::2] if (bare := piece.strip(" \n\t:：,，.。"))]
    for piece in pieces:
        if as_typed(piece, task) is None:
            yield f"the text {piece!r:.80} does not stand so in the task; type only what stands there, whole, or what was read"


def _of_key(params: Mapping[str, Any]) -> Iterator[str]:
    if key_code(params) not in _KEYS:
        yield f"the key {params.get('key', params.get('keycode'))!r:.40} is not for plans; text is typed with input_text"


def _of_url(url: str, task: str) -> Iterator[str]:
    parts = urlsplit(url)
    place = fold(parts.netloc).removeprefix("www.")
    # 打开example.com: an ASCII address may directly follow Chinese characters.
    letter = "a-z0-9_" if place.isascii() else r"\w"
    if re.search(rf"(?<![{letter}.@-])(?:www\.)?{re.escape(place)}(?![{letter}:-]|\.[{letter}])", fold(task)) is None:
        yield f"the address {url!r:.120} is not in the task; search for it, or tap it"
        return
    for piece in _PIECES.split(unquote_plus(url[url.find(parts.netloc) + len(parts.netloc) :])):
        if piece and fold(piece) not in _QUERY_NAMES and as_typed(piece, task) is None:
            yield f"{piece!r:.80} in the address is not in the task"


def _of_call(number: str, task: str) -> Iterator[str]:
    there = _DIGITS.findall(_GROUPING.sub("", fold(task)))
    sound = _NUMBER.fullmatch(number) is not None and "".join(_DIGITS.findall(number)) in there
    if not sound or not orders_act(task, CALLING):
        yield f"the task does not ask for a call to {number!r:.40}"
    elif unclear := unclear_clause(task, CALLING):
        yield not_clear(unclear, CALLING, task)
    elif not number_is_ordered("".join(_DIGITS.findall(number)), task):
        yield f"{number!r:.40} is not the number that is to be called"


def objections_at(step: StepPlan, words: str, role: str, task: str, *, may_send: bool = True) -> Iterator[str]:
    """
    Yield the reasons why `step` may not tap a control with these `words` and that `role`, as found on the screen. The plan's
    own words were checked before, by `objections`.
    """
    if words:
        found = replace(step, target=Target(text=words), target_ref=None, description="")
        yield from _of_tap(found, task, may_send=may_send, role=role)


def _of_tap(step: StepPlan, task: str, *, may_send: bool = True, role: str = "") -> Iterator[str]:
    """Yield objections to the control that is tapped, including a field that is tapped to type into it."""
    yield from _of_control(controls_of(step), task, may_send=may_send)
    yield from _of_switch(step, task, role)

    if step.params.get("count", 1) != 1 and not _SEVERAL_TAPS.search(fold(task)):
        yield "the task asks for no double tap"
    if step.action.needs_target and is_only_described(step) and only_looks(task):
        yield (
            "the task only looks, so what is tapped must be named: by text: and the words that stand on it, or by a reference "
            "image; a description may mean anything"
        )


def _of_control(words: str, task: str, *, may_send: bool = True) -> Iterator[str]:
    """
    Yield objections to a control with these words: the task must ask for its act, and contain its numbers where it pays or
    calls. No list of acts is complete, so a task that only looks may change nothing but what it names.
    """
    if (change := changes(words)) and only_looks(task) and change not in skeleton(task):
        yield f"the task only looks, and {words!r:.80} may change something"
    for act in named_acts(words):
        if not orders_act(task, act):
            yield not_asked(act, words, task)
        elif act not in (SEND, SHARE) and (unclear := unclear_clause(task, act)):
            yield not_clear(unclear, act, task)
        elif is_another_kind(words, act, task):
            yield f"the task orders something else than {words!r:.80} does"
        elif act in (SEND, SHARE) and not may_send:
            yield f"{words!r:.80} is no fallback: it sends"
        elif act in (PAY, CALLING):
            there = "".join(_DIGITS.findall(fold(task)))
            yield from (
                f"the number {number} is not in the task"
                for number in _DIGITS.findall(skeleton(words))
                if number not in there
            )


def _of_object(before: Sequence[StepPlan], step: StepPlan, task: str) -> Iterator[str]:
    """Yield objections if the act applies to something, chosen before it, for which the task forbids it or orders another."""
    words = controls_of(step)
    chosen = [text for each in before if (text := _chosen(each))]
    for act in named_acts(words):
        word = found[0] if (found := act.named.search(words)) else ""
        if act not in (SEND, SHARE) and chosen and is_ordered_elsewhere(chosen[-1], act, task, word):
            yield f"{chosen[-1]!r:.80} was chosen before it, and the task does not ask to {act.name} there"


def _chosen(step: StepPlan) -> str:
    """Return the text that a step types or taps, or "" if that is an act itself."""
    if step.action is ActionName.INPUT_TEXT:
        return str(step.params.get("text", ""))
    wanted = step.wanted if step.action.needs_target else None
    text = (wanted.text or wanted.description or "") if wanted is not None else ""
    return "" if any(named_acts(text)) else text


def _of_switch(step: StepPlan, task: str, role: str = "") -> Iterator[str]:
    """
    Yield objections to a switch that the task does not order to be turned, does not name, or wants in the other state. A row
    that only leads to a page cannot be distinguished from a row with a switch.
    """
    words = controls_of(step)
    names = [words] if is_switch(words) or role in _SWITCH_ROLES else []
    if step.expectation is not None and step.expectation.switch is not None:
        names.append(step.expectation.row or words)
    about, turned = content_of(task), wanted_switch_states(task)
    wanted = step.expectation.switch if step.expectation is not None else None
    if names and not turned and only_looks(task):
        yield f"{names[0]!r:.80} is a switch, and the task does not ask for one to be turned"
    elif names and turned and (unclear := unclear_switch_clause(task)):
        yield f"{names[0]!r:.80} is a switch, and what {unclear!r:.80} means for it is not understood"
    elif turned and wanted is not None and wanted not in turned:
        yield f"{names[-1]!r:.80} is turned the other way than the task says"
    for name in names:
        if not about.is_touched_by(name) and skeleton(name) not in skeleton(task):
            yield f"{name!r:.80} is a switch that the task does not name"


def _of_settings(steps: Sequence[StepPlan], task: str) -> Iterator[str]:
    """Yield an objection if a task that changes something does not name the last tap in settings: rows may be switches."""
    opened = [at for at, step in enumerate(steps) if step.action is ActionName.LAUNCH_APP]
    if not opened or _SETTINGS_APP.search(str(steps[opened[-1]].params.get("package"))) is None:
        return
    if only_looks(task) and not wanted_switch_states(task):
        return
    taps = [step for step in steps[opened[-1] :] if step.action.needs_target]
    if taps and not content_of(task).is_touched_by(words := controls_of(taps[-1])) and words not in skeleton(task):
        yield f"{words!r:.80} is tapped last among the settings, and the task does not name it"


def _of_sending(sending: Sending, task: str) -> Iterator[str]:
    """Yield objections if the receiver is not verified by the page's title, or if the message is not the whole one."""
    name, message = sending.receiver, None if sending.late else sending.message
    if name is None or not _is_outside_message(name, message, task):
        yield "it sends, and does not say to whom: guard must be the name in the task that stands in the page's title"
    elif message is not None and not is_whole_message(message, task, name):
        yield not_whole(message, task)
    elif unclear := unclear_clause(task, SEND, message):
        yield not_clear(unclear, SEND, task)
    elif is_ordered_elsewhere(name, SEND, task):
        yield f"{name!r:.80} is nobody whom the task sends it to"


def _is_outside_message(name: str, message: str | None, task: str) -> bool:
    """Return True if the name occurs in the task outside of the message."""
    taken = list(places_in(message, task)) if message else []
    return any(not any(left <= start and end <= right for left, right in taken) for start, end in places_in(name, task))


def _is_asked_for(step: StepPlan, task: str) -> bool:
    """Return True if the task names the value that is read: by its whole text, or by a word of its description's subject."""
    wanted = step.wanted
    if wanted is None:
        return False
    if wanted.text:
        return as_typed(wanted.text, task) is not None
    words = fold(f"{wanted.description or ''} {wanted.reference or ''}").replace("_", " ")
    there = fold(task)
    if any(found[0] not in there for found in _CODES.finditer(words)):
        return False
    about = re.split(r"\s(?:of|in|on|from|for|at)\s", head_of(words))[0].strip().rpartition("的")[2]
    latin = set(re.findall(r"[a-z]{3,}", _COMMON.sub(" ", about)))
    wide = {about[at : at + 2] for at in range(len(about) - 1) if about[at] >= "⺀" and about[at + 1] >= "⺀"}
    return bool(latin & set(re.findall(r"[a-z]{3,}", there))) or any(pair in there for pair in wide)
