"""Tests of safety: no accidental repeats, no outdated frames, no answers to person-only dialogs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from handeye.actions import Action, ActionResult, Call, EraseText, InputText, PressKey, Tap
from handeye.blockers import Blocker, BlockerType, DismissSuggestion, PermissionPolicy
from handeye.errors import DeviceError, DeviceLost, DeviceOffline
from handeye.geometry import Box, Point
from handeye.plan import ActionName, Condition, StepPlan
from handeye.run import TaskResult, TaskRunner, TaskStatus, Tools
from handeye.screen import Screen
from handeye.target import ANOTHER_APP, Attempt, Expectation, LocateResult, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier
from handeye.verify import VerifyResult

HERE, THERE, BELOW = Box(0, 0, 40, 40), Box(50, 50, 90, 90), Box(0, 100, 40, 140)
SENDS = ("Send", "发送")


def tap(text: str, expect: str | None = None, **more: object) -> StepPlan:
    expectation = Expectation(text=expect) if expect else None
    return StepPlan(1, ActionName.TAP, target=Target(text=text), expect=expectation, **more)  # type: ignore[arg-type]


def tap_words(words: str, expect: str | None = None, **more: object) -> StepPlan:
    expectation = Expectation(text=expect) if expect else None
    return StepPlan(1, ActionName.TAP, target=Target(description=words), expect=expectation, **more)  # type: ignore[arg-type]


def typing(text: str, **more: object) -> StepPlan:
    return StepPlan(1, ActionName.INPUT_TEXT, params={"text": text}, **more)  # type: ignore[arg-type]


def check(text: str, **more: object) -> StepPlan:
    return StepPlan(1, ActionName.CHECK, expect=Expectation(text=text), **more)  # type: ignore[arg-type]


def press(key: str = "ENTER", **more: object) -> StepPlan:
    return StepPlan(1, ActionName.PRESS_KEY, params={"key": key}, **more)  # type: ignore[arg-type]


class Chat(FakeDevice):
    """Sends what stands in its field with ENTER and a tap on a button that is called so; acts `late` seconds afterwards."""

    app: str | None = "app"

    def __init__(self, pages: Mapping[str, FakePage], *, start: str, clock: FakeClock, late: float = 0) -> None:
        super().__init__(pages, start=start, home="home")
        self.sent: list[tuple[str, str]] = []
        self.clock = clock
        self.late = late
        self.coming: list[tuple[float, Action]] = []

    def front_app(self) -> str | None:
        return self.app if self.app is None or not self.page.startswith("desk") else "desk"

    def home_app(self) -> str | None:
        return "desk"

    def screenshot(self) -> Screen:
        due = [action for when, action in self.coming if when <= self.clock.time]
        self.coming = [each for each in self.coming if each[0] > self.clock.time]
        for action in due:
            self.take(action)
            self.performed.pop()  # it was counted when it was performed
        return super().screenshot()

    def perform(self, action: Action) -> ActionResult:
        if self.late and isinstance(action, Tap | InputText):
            self.performed.append(action)
            self.coming.append((self.clock.time + self.late, action))
            return ActionResult()
        return self.take(action)

    def take(self, action: Action) -> ActionResult:
        if self.typed and (self.is_send(action) or (isinstance(action, PressKey) and action.key == "ENTER")):
            self.sent.append((self.page, self.typed))
            self.typed = ""
        return super().perform(action)

    def is_send(self, action: Action) -> bool:
        texts = self.pages[self.page].texts
        return isinstance(action, Tap) and any(
            text in SENDS and box.contains(Point(int(action.at.x), int(action.at.y))) for text, box in texts.items()
        )


class World:
    """A chat, a plan and others for when it fails; `meanwhile` is called with the seconds of each pause, after it."""

    def __init__(
        self,
        pages: dict[str, FakePage],
        *steps: StepPlan,
        others: Sequence[Sequence[StepPlan]] = (),
        start: str = "home",
        late: float = 0,
        policy: PermissionPolicy | None = None,
        meanwhile: Callable[[Chat, float], object] | None = None,
        kind: type[Chat] = Chat,
        offline: bool = False,
        verifier: Callable[[FakeDevice], FakeVerifier] = FakeVerifier,
    ) -> None:
        clock = Pausing() if meanwhile else FakeClock()
        self.device = kind(pages, start=start, clock=clock, late=late)
        if isinstance(clock, Pausing) and meanwhile is not None:
            told = meanwhile
            clock.after = lambda seconds: told(self.device, seconds)
        finder = FakeFinder(self.device)
        tools = Tools(finder, verifier(self.device), offline=Nothing() if offline else None)
        planner = FakePlanner({"task": steps}, {"task": others})
        self.runner = TaskRunner(
            self.device, planner=planner, tools=lambda plan: tools, clock=clock, policy=policy, rest=False
        )

    def run(self) -> TaskResult:
        return self.runner.run("task")

    def count(self, kind: type) -> int:
        return sum(isinstance(action, kind) for action in self.device.performed)


class Pausing(FakeClock):
    after: Callable[[float], object] = staticmethod(lambda seconds: None)

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        self.after(seconds)


class Nothing:
    """A finder that finds nothing, as the offline ones do with words."""

    def locate(self, target: Target, screen: Screen) -> LocateResult:
        return LocateResult(False, None, "", error="not found", attempts=(Attempt("offline", "absent"),))

    def judge(self, target: Target, held: bool) -> None:
        pass


# -- what is done without looking


def test_unproved_phone_call_is_made_once() -> None:
    calling = StepPlan(1, ActionName.CALL, params={"number": "+86 10086"})
    again = StepPlan(1, ActionName.CALL, params={"number": "8610086"})
    world = World({"home": FakePage()}, calling, check("connected"), others=[[again, check("connected")]] * 2)
    assert world.run().status is TaskStatus.NEEDS_REVIEW
    assert world.count(Call) == 1


def test_message_sent_with_enter_is_sent_once() -> None:
    steps = [typing("hi"), press(), check("delivered")]
    world = World({"home": FakePage({"Tom": HERE})}, *steps, others=[steps, steps])
    assert world.run().status is TaskStatus.NEEDS_REVIEW
    assert world.device.sent == [("home", "hi")]


# -- the same in other words


def chat_page(*more: str) -> dict[str, FakePage]:
    return {"home": FakePage({"Tom": HERE, "Send": THERE, **dict.fromkeys(more, BELOW)})}


@pytest.mark.parametrize("again", ["Hello, Tom!", "hello  tom", "Good morning Tom", "ｈｅｌｌｏ　ｔｏｍ"])
def test_unproved_message_is_not_resent_in_other_wording(again: str) -> None:
    other = [typing(again), tap("Send", "delivered")]
    world = World(chat_page(), typing("hello Tom"), tap("Send", "delivered"), others=[other, other])
    assert world.run().status is TaskStatus.NEEDS_REVIEW
    assert world.device.sent == [("home", "hello Tom")]


@pytest.mark.parametrize("message", ["Send", "发送", "ok"])
def test_message_equal_to_button_label_is_sent_once(message: str) -> None:
    pages = {
        "home": FakePage({"Send": THERE, "发送": THERE, "ok": THERE}, dict.fromkeys(("Send", "发送", "ok"), "odd"))
    }
    steps = [typing(message), tap(message, "delivered")]
    world = World({**pages, "odd": FakePage({message: HERE})}, *steps, others=[steps])
    assert world.run().status is TaskStatus.NEEDS_REVIEW
    assert world.count(InputText) == 1


class Rows(Chat):
    """Shows whether its switch is on in one corner: a small part of the page changes."""

    def screenshot(self) -> Screen:
        super().screenshot()
        pixels = np.full((200, 100, 3), 240, np.uint8)
        pixels[40:56, 60:92] = 40 if self.page == "on" else 200
        return Screen(pixels, window={"page": self.page, "typed": self.typed})


@pytest.mark.parametrize("again", ["the WLAN switch", "WLAN 开关", "its row"])
def test_switch_is_not_toggled_back_under_another_label(again: str) -> None:
    names = {"WLAN": HERE, again: HERE}
    pages = {"home": FakePage(names, dict.fromkeys(names, "on")), "on": FakePage(names, dict.fromkeys(names, "home"))}
    world = World(pages, tap("WLAN", "Connected"), others=[[tap_words(again, "Connected")]], kind=Rows)
    assert world.run().status is not TaskStatus.SUCCESS
    assert world.count(Tap) == 1
    assert world.device.page == "on"


# -- frames


def chats() -> dict[str, FakePage]:
    return {"home": FakePage({"Tom": HERE}), "chat2": FakePage({"Ann": HERE})}


def switching(device: Chat, seconds: float) -> None:
    if seconds == 1.0:
        device.page = "chat2"


TOM = Expectation(text="Tom")


@pytest.mark.parametrize(
    "steps",
    [
        [check("Tom"), typing("hi", guard=TOM), press(guard=TOM, wait_before=1000)],
        [check("Tom"), typing("hi", guard=TOM, wait_before=1000), press(guard=TOM)],
    ],
    ids=["sending", "typing"],
)
def test_guard_is_checked_on_a_fresh_frame(steps: list[StepPlan]) -> None:
    world = World(chats(), *steps, meanwhile=switching)
    assert world.run().status is TaskStatus.FAILED
    assert world.device.sent == []


def test_guard_is_checked_after_field_gets_focus() -> None:
    pages = {"home": FakePage({"Tom": HERE, "field": BELOW}, {"field": "chat2"}), "chat2": FakePage({"Ann": HERE})}
    step = StepPlan(1, ActionName.INPUT_TEXT, target=Target(text="field"), params={"text": "hi"}, guard=TOM)
    world = World(pages, step)
    assert world.run().status is TaskStatus.FAILED
    assert world.count(InputText) == 0


def test_check_after_a_wait_uses_fresh_frame() -> None:
    pages = {"home": FakePage({"Saved": HERE}), "chat2": FakePage({"Failed": HERE})}
    world = World(pages, check("Saved"), check("Saved", wait_before=1000), meanwhile=switching)
    assert world.run().status is TaskStatus.FAILED


# -- fallbacks are acts


ENTER = {"action": "press_key", "params": {"key": "ENTER"}}


def test_fallback_respects_the_guard_of_its_step() -> None:
    sending = tap("Send", "delivered", guard=TOM, fallback=ENTER, wait_before=1000)
    world = World(chats(), typing("hi", guard=TOM), sending, meanwhile=switching)
    assert world.run().status is TaskStatus.FAILED
    assert world.device.sent == []


def test_message_sent_by_fallback_is_not_resent() -> None:
    steps = [typing("hi"), tap("Send", "delivered", fallback=ENTER)]
    other = [typing("hi"), press(expect=Expectation(text="delivered"))]
    world = World(chats(), *steps, others=[other])
    assert world.run().status is TaskStatus.NEEDS_REVIEW
    assert world.device.sent == [("home", "hi")]
    assert world.count(PressKey) == 1


def test_doubted_fallback_target_is_not_tapped() -> None:
    pages = {"home": FakePage({"Menu": HERE}, {"Menu": "menu"}), "menu": FakePage({"Settings": HERE})}
    step = tap("Settings", fallback={"action": "tap", "target_ref": "text:Menu"})
    world = World(pages, step, verifier=lambda device: FakeVerifier(device, {"Menu": "'Menu' is disabled"}))
    result = world.run()
    assert world.count(Tap) == 0
    assert any("is disabled" in note for note in result.step_results[0].notes)
    assert World(pages, step).run().status is TaskStatus.NEEDS_REVIEW  # where nothing is doubted, it is done


@pytest.mark.parametrize(
    "fallback",
    [
        {"action": "swipe", "params": ["up"]},
        {"action": "wait", "params": {"duration": "2s"}},
        {"action": "wait", "params": {"duration": float("nan")}},
        {"action": "press_key", "params": {"key": None}},
        {"action": "tap"},
        {"action": "call", "params": {"number": "10086"}},
    ],
)
def test_invalid_fallback_is_named_in_the_error(fallback: dict[str, object]) -> None:
    result = World({"home": FakePage()}, tap("Nowhere", fallback=fallback)).run()
    assert result.status is TaskStatus.FAILED
    assert "step 1" in result.error_message


@pytest.mark.parametrize("error", [DeviceLost, DeviceOffline])
def test_device_loss_during_fallback_is_retried(error: type[DeviceError]) -> None:
    pages = {
        "home": FakePage(swipes={"left": "two"}),
        "two": FakePage({"Mail": HERE}, {"Mail": "mail"}),
        "mail": FakePage(),
    }
    world = World(pages, tap("Mail", fallback={"action": "swipe", "params": {"direction": "left"}}))
    lost: list[str] = []

    def trouble(call: str) -> None:
        if call == "Swipe" and not lost:
            lost.append(call)
            raise error("gone")

    world.device.trouble = trouble
    assert world.run().status is TaskStatus.NEEDS_REVIEW
    assert world.device.page == "mail"


def test_model_is_asked_before_fallback_for_described_target() -> None:
    pages = {
        "home": FakePage({"three dots": HERE}, {"three dots": "menu"}, keys={"BACK": "left"}),
        "left": FakePage(),
        "menu": FakePage({"Menu": HERE}),
    }
    step = tap_words("three dots", "Menu", fallback={"action": "press_key", "params": {"key": "BACK"}})
    world = World(pages, step, offline=True)
    assert world.run().status is TaskStatus.SUCCESS
    assert world.count(PressKey) == 0


# -- late effects


def test_slow_switch_is_tapped_once() -> None:
    pages = {
        "home": FakePage({"Wi-Fi": HERE}, {"Wi-Fi": "on"}),
        "on": FakePage({"Wi-Fi": HERE, "On": THERE}, {"Wi-Fi": "home"}),
    }
    world = World(pages, tap("Wi-Fi", "On"), late=4)
    world.run()
    assert world.count(Tap) == 1


def test_late_effect_prevents_a_repeated_tap() -> None:
    pages = {"home": FakePage({"Mail": HERE}, {"Mail": "mail"}), "mail": FakePage({"Inbox": HERE}, {"Inbox": "home"})}
    world = World(pages, tap("Mail", "Inbox"), late=4)
    assert world.run().status is TaskStatus.SUCCESS
    assert world.count(Tap) == 1


@pytest.mark.parametrize("name", ["发送", "share", "确认", "confirm", "Delete", "立即支付", "Call"])
def test_consequential_button_on_slow_phone_is_tapped_once(name: str) -> None:
    pages = {"home": FakePage({name: HERE}, {name: "done"}), "done": FakePage({"Done": THERE})}
    world = World(pages, tap(name, "Done"), late=20, others=[[tap(name, "Done")]])
    assert world.run().status is TaskStatus.NEEDS_REVIEW
    assert world.count(Tap) == 1


def test_text_shown_late_is_typed_once() -> None:
    world = World(chats(), typing("hi", expect=Expectation(text="hi")), late=20)
    world.run()
    assert world.count(InputText) == 1


def rating(page: str) -> Blocker:
    return Blocker(BlockerType.DIALOG, "a request to rate", DismissSuggestion("press_key", keycode=None), HERE)


def test_dialog_dismissed_before_tap_does_not_allow_repeat() -> None:
    pages = {
        "home": FakePage({"Topic": BELOW}, keys={"BACK": "page"}, blocker=rating("home")),
        "page": FakePage({"Topic": BELOW}, {"Topic": "opened"}),
        "opened": FakePage({"Topic": BELOW}, {"Topic": "page"}),
    }
    world = World(pages, tap("Topic", "Thanks"))
    assert world.run().status is TaskStatus.FAILED
    assert world.count(Tap) == 1


# -- drafts


class Form(Chat):
    """Two fields; a tap moves the focus from the name to an address that is there already."""

    shows_focus = True

    def __init__(self, pages: Mapping[str, FakePage], *, start: str, clock: FakeClock, late: float = 0) -> None:
        super().__init__(pages, start=start, clock=clock, late=late)
        self.fields = {"name": "", "address": "12 Old Street"}
        self.focus = "name"

    def perform(self, action: Action) -> ActionResult:
        self.performed.append(action)
        match action:
            case InputText(text):
                self.fields[self.focus] += text
            case EraseText(count):
                self.fields[self.focus] = self.fields[self.focus][:-count]
            case Tap():
                self.focus = "address"
        self.typed = f"{self.focus if self.shows_focus else ''} {self.fields}"
        return ActionResult()


class Plain(Form):
    shows_focus = False


@pytest.mark.parametrize("kind", [Form, Plain])
def test_a_draft_is_never_erased_from_another_field(kind: type[Form]) -> None:
    other = [tap("Nowhere")]
    world = World(
        {"home": FakePage({"Next": HERE})}, typing("Annabel"), tap("Next", "Step 2"), others=[other], kind=Form
    )
    world.run()
    assert isinstance(world.device, Form)
    assert world.device.fields == {"name": "Annabel", "address": "12 Old Street"}


class Nameless(Chat):
    app = None


@pytest.mark.parametrize("kind", [Chat, Nameless])
def test_unsent_draft_is_erased_before_replan(kind: type[Chat]) -> None:
    other = [typing("hi"), tap("Send", "delivered")]
    world = World(chat_page(), typing("hi"), tap("送信", "delivered"), others=[other, other], kind=kind)
    world.run()
    assert world.device.sent == [("home", "hi")]


def test_nothing_is_typed_after_an_unerased_draft() -> None:
    def moving(device: Chat, seconds: float) -> None:
        device.page = "moved" if seconds == 1.0 else device.page

    pages = {**chat_page(), "moved": FakePage({"Tom": HERE, "Send": THERE})}
    other = [typing("you"), tap("Send", "delivered")]
    world = World(pages, typing("hi"), tap("送信", "delivered", wait_before=1000), others=[other], meanwhile=moving)
    result = world.run()
    assert world.device.sent == []
    assert result.status is not TaskStatus.SUCCESS


# -- what a plan may not answer


def asking(*, needs_person: bool = False) -> dict[str, FakePage]:
    allow, deny = Box(60, 150, 90, 170), Box(10, 150, 30, 170)
    blocker = Blocker(
        BlockerType.DIALOG if needs_person else BlockerType.PERMISSION,
        "a request",
        DismissSuggestion("tap", box=deny),
        Box(0, 100, 100, 200),
        "允许微信使用相机",
        DismissSuggestion("tap", box=allow),
        needs_person,
    )
    request = FakePage({"Allow": allow, "Deny": deny}, {"Allow": "granted", "Deny": "denied"}, blocker=blocker)
    request = FakePage(request.texts, request.links, keys={"ENTER": "granted"}, blocker=blocker)
    return {"home": request, "granted": FakePage({"Camera": HERE}), "denied": FakePage({"No camera": HERE})}


@pytest.mark.parametrize(
    "step", [tap("Allow", "Camera"), press(expect=Expectation(text="Camera"))], ids=["tap", "ENTER"]
)
def test_a_plan_never_grants_a_permission(step: StepPlan) -> None:
    world = World(asking(), step, policy=PermissionPolicy("deny"))
    assert world.run().status is not TaskStatus.SUCCESS
    assert world.device.page == "denied"
    granting = World(asking(), step, policy=PermissionPolicy("allow-listed", ["相机"]))
    granting.run()
    assert granting.device.page == "granted"


@pytest.mark.parametrize("step", [tap("Allow", "Camera"), typing("123456")], ids=["tap", "typing"])
def test_plan_never_answers_person_only_dialog(step: StepPlan) -> None:
    world = World(asking(needs_person=True), step)
    assert world.run().status is TaskStatus.NEEDS_REVIEW
    assert world.device.performed == []


# -- looks


def question() -> dict[str, FakePage]:
    blocker = Blocker(BlockerType.DIALOG, "a dialog", DismissSuggestion("tap", box=THERE), Box(0, 0, 100, 100))
    return {
        "home": FakePage({"Delete": HERE}),
        "ask": FakePage({"Really?": HERE, "Cancel": THERE}, {"Cancel": "home"}, blocker=blocker),
    }


def test_check_on_dialog_does_not_dismiss_it() -> None:
    world = World(question(), check("Really?"), start="ask")
    assert world.run().status is TaskStatus.SUCCESS
    assert world.device.performed == []


def test_condition_on_dialog_does_not_dismiss_it() -> None:
    when = Condition(Expectation(text="Really?"))
    world = World(question(), tap("Cancel", "Delete", conditions=(when,)), start="ask")
    assert world.run().status is TaskStatus.SUCCESS
    assert world.count(Tap) == 1
    beneath = World(question(), tap("Delete", conditions=(Condition(Expectation(text="Delete")),)), start="ask")
    assert len(beneath.run().step_results) == 1
    assert beneath.count(Tap) == 2


def test_text_covered_by_dialog_is_not_gone() -> None:
    page = question()["ask"]
    covered = FakePage({"Cancel": THERE}, {"Cancel": "home"}, blocker=page.blocker)
    world = World(
        {"home": FakePage({"Send": HERE}), "ask": covered},
        StepPlan(1, ActionName.CHECK, expect=Expectation(gone="Send"), timeout=500),
        start="ask",
    )
    assert world.run().status is TaskStatus.FAILED


class Remembering(FakeVerifier):
    """Remembers with what frame before the checks were judged."""

    def __init__(self, device: FakeDevice) -> None:
        super().__init__(device)
        self.before: list[Screen | None] = []

    def verify(self, expect: Expectation | None, before: Screen | None, after: Screen) -> VerifyResult:
        self.before.append(before)
        return super().verify(expect, before, after)


def test_a_check_has_no_frame_before_it() -> None:
    seen: list[Remembering] = []

    def remembering(device: FakeDevice) -> FakeVerifier:
        seen.append(Remembering(device))
        return seen[0]

    assert World(chats(), check("Tom"), verifier=remembering).run().status is TaskStatus.SUCCESS
    assert seen[0].before == [None]


def test_front_app_does_not_prove_unchanged_text() -> None:
    step = tap("Tom")
    stood = StepPlan(1, ActionName.TAP, target=step.target, expect=Expectation(text="Tom", app="app"))
    assert World(chats(), stood).run().status is TaskStatus.NEEDS_REVIEW
    alone = StepPlan(1, ActionName.TAP, target=step.target, expect=Expectation(app="app"))
    assert World(chats(), alone).run().status is TaskStatus.NEEDS_REVIEW
    opening = StepPlan(1, ActionName.LAUNCH_APP, params={"package": "app"}, expect=Expectation(app="app"))
    assert World(chats(), opening).run().status is TaskStatus.SUCCESS


def test_home_screen_does_not_count_as_another_app() -> None:
    """The home screen shows after a crash."""
    pages = {"home": FakePage({"Open": HERE}, {"Open": "desk"}), "desk": FakePage()}
    step = StepPlan(1, ActionName.TAP, target=Target(text="Open"), expect=Expectation(app=ANOTHER_APP))
    assert World(pages, step).run().status is TaskStatus.FAILED


def test_success_condition_alone_must_be_proved() -> None:
    class Wordless(FakeVerifier):
        def verify(self, expect: Expectation | None, before: Screen | None, after: Screen) -> VerifyResult:
            if expect is not None and expect.description:
                return VerifyResult(False, 0.0, evidence=(f"nobody can judge {expect.description!r}",))
            return super().verify(expect, before, after)

    step = tap("Tom", success_condition="the message is delivered")
    world = World({"home": FakePage({"Tom": HERE})}, step, check("Tom"), verifier=Wordless)
    result = world.run()
    assert result.status is TaskStatus.NEEDS_REVIEW
    assert "delivered" in str(result.step_results[0].verify_result)
