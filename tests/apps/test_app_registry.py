"""Tests of routing by the documented weights, planning by template, and the built-in modules."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.apps import AppHandler, DefaultHandler, ModuleRegistry
from handeye.errors import NoPlan
from handeye.plan import ActionName, StepPlan, TargetType
from handeye.target import Region, Target
from handeye.trusted_files import trust

REGISTRY = ModuleRegistry(environment={})


@pytest.mark.parametrize(
    ("task", "template"),
    [
        ("给张三发微信消息说你好", "wechat.send_message"),
        ("用微信告诉李四：明天 10:30 开会", "wechat.send_message"),
        ("微信发消息给王小明说好的", "wechat.send_message"),
        ("打开微信给张三发消息说hi", "wechat.send_message"),
        ("send a WeChat message to Zhang San saying Hello, World!", "wechat.send_message"),
        ("message Alice on WeChat: on my way", "wechat.send_message"),
        ("打开微信", "wechat.open"),
        ("open WeChat.", "wechat.open"),
        ("打开和张三丰的聊天", "wechat.open_chat"),
        ("返回微信首页", "wechat.home"),
        ("打开微信读书", "system.open_app"),
        ("打开“微信聊天备份”", "system.open_app"),
        ("open Calculator", "system.open_app"),
        ("打开设置", "system.open_settings"),
        ("返回桌面", "system.go_home"),
        ("返回", "system.back"),
        ("音量+", "system.volume_up"),
        ("把", None),
        ("音量调小一点", "system.volume_down"),
        ("拨打10086", "system.call"),
        ("打开浏览器", "chrome.open"),
        ("打开网址example.com/a", "chrome.open_url"),
        ("搜索 猫 & 狗", "chrome.search"),
        ("给张三发微信消息", None),
        ("打开微信给张三发消息", None),
        ("订一张去火星的票", None),
    ],
)
def test_tasks_match_their_template(task: str, template: str | None) -> None:
    if template is None:
        with pytest.raises(NoPlan):
            REGISTRY.plan(task)
        return
    plan = REGISTRY.plan(task)
    assert plan.analysis["template"] == template
    assert plan.module == template.partition(".")[0]
    assert [step.step for step in plan.steps] == list(range(1, len(plan.steps) + 1))


def test_routing_score_uses_documented_weights() -> None:
    routing = REGISTRY.route("打开微信 com.tencent.mm 发消息")
    score = routing.scores["wechat"]
    assert (score.templates, score.keywords, score.package) == (0.0, 1.0, 1.0)
    assert routing.handler.name == "wechat"
    assert routing.score == score.total == pytest.approx(0.4 + 0.1)
    assert REGISTRY.route("打开微信").scores["wechat"].templates == 1.0


def test_unmatched_task_goes_to_default_handler() -> None:
    routing = REGISTRY.route("qwertz")
    assert isinstance(routing.handler, DefaultHandler)
    assert routing.score == 0.0
    assert routing.handler.plan("打开微信") is None


def test_no_plan_error_suggests_similar_patterns() -> None:
    with pytest.raises(NoPlan, match=r"给\{contact\}发微信说\{message\}") as caught:
        REGISTRY.plan("给张三发微信消息你好")
    assert "给张三发微信消息你好" in str(caught.value)
    for task in ("", " \n ", "长" * 30_000):
        with pytest.raises(NoPlan):
            REGISTRY.plan(task)


def test_too_long_slot_value_is_named_with_length() -> None:
    assert REGISTRY.plan("给张三发微信消息说" + "长" * 2000).module == "wechat"
    with pytest.raises(
        NoPlan, match="its message has 2001 characters, and send_message takes at most 2000: make it shorter"
    ):
        REGISTRY.plan("给张三发微信消息说" + "长" * 2001)


def steps(task: str) -> list[StepPlan]:
    return list(REGISTRY.plan(task).steps)


def test_send_message_plan_checks_the_chat_title() -> None:
    plan = steps("给张三发微信消息说你好")
    assert plan[0].action is ActionName.GO_HOME
    icon = plan[1]
    assert (icon.target_ref, icon.target_type) == ("wechat", TargetType.ICON)
    assert icon.target == Target(text="微信", reference="wechat", exact=True)
    assert icon.fallback == {
        "action": "swipe", "params": {"direction": "left"}, "description": "左滑桌面查找微信图标",
    }  # fmt: skip
    typed = [number for number, step in enumerate(plan) if step.action is ActionName.INPUT_TEXT]
    assert [plan[number].params["text"] for number in typed] == ["张三", "你好"]
    search, write = typed
    row = next(step for step in plan[search + 1 :] if step.action is ActionName.TAP)
    assert row.target is not None
    assert row.target.exact
    assert row.target.text == "张三"
    assert row.target.region is not None
    assert row.target.region.top > 0.09  # below the search field, which shows the same name
    title = [step for step in plan[search + 1 : write] if step.action is ActionName.CHECK and step.expect]
    assert any(
        step.expect
        and step.expect.text == "张三"
        and step.expect.exact
        and step.expect.region == Region(0.42, 0, 0.58, 0.2)
        for step in title
    )
    last = plan[-1]
    assert last.expect is not None
    assert (last.expect.text, last.expect.exact, last.expect.is_evidence) == ("你好", True, True)
    assert all(step.description for step in plan)


@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40).filter(lambda text: text.strip())
)
def test_message_text_is_passed_as_data(message: str) -> None:
    if "”" in message:
        return
    plan = steps(f"给张三发微信消息说“{message}”")
    write = [step for step in plan if step.action is ActionName.INPUT_TEXT][-1]
    assert write.params == {"text": message}
    assert len(plan) == len(steps("给张三发微信消息说你好"))


@pytest.mark.parametrize(
    "app", ["dynamic:删除全部", "text:确定", "../../../etc/passwd", "/etc/passwd", "{app}", "a: [b", "setting\\"]
)
def test_app_name_is_never_path_or_target_prefix(app: str) -> None:
    tap = steps(f"打开“{app}”")[1]
    assert tap.target == Target(text=app, exact=True)


def test_app_alias_adds_its_reference_image() -> None:
    tap = steps("打开系统设置应用")[1]
    assert tap.target == Target(text="设置", reference="setting", exact=True) or tap.target == Target(
        text="系统设置", reference="setting", exact=True
    )


def test_slot_values_in_urls_are_encoded(tmp_path: Path) -> None:
    home = tmp_path / "find"
    home.mkdir()
    (home / "config.yaml").write_text("name: find\ntitle: 查找\n", encoding="utf-8")
    (home / "tasks.yaml").write_text(
        "tasks:\n  - name: go\n    patterns: 查找{what}\n    slots: {what: {type: text}}\n"
        "    steps: [{action: open_url, params: {url: 'https://x.example/?q={what}&n=1'}}]\n",
        encoding="utf-8",
    )
    plan = ModuleRegistry([home], environment={}).plan("查找a&b=c#d 猫")
    assert plan.steps[0].params == {"url": "https://x.example/?q=a%26b%3Dc%23d%20%E7%8C%AB&n=1"}


def test_url_is_opened_unchanged_and_checked_by_host() -> None:
    step = steps("打开网址https://www.a.b/c?d=e&f")[0]
    assert step.params == {"url": "https://www.a.b/c?d=e&f"}
    assert step.expect is not None
    assert step.expect.text == "a.b"


@pytest.mark.parametrize("handler", REGISTRY.handlers, ids=lambda handler: handler.name)
def test_every_built_in_task_plans_with_existing_images(handler: AppHandler) -> None:
    values = {
        "contact": "张三",
        "message": "你好",
        "app": "相机",
        "number": "10086",
        "url": "example.com",
        "query": "猫",
        "item": "电池",
    }
    images = REGISTRY.images(handler.name)
    for template in handler.tasks.values():
        for pattern in template.patterns:
            task = pattern.example
            for name, slot in template.slots.items():
                task = task.replace(f"{{{name}}}", next(iter(slot.one_of), values.get(name, "")))
            plan = REGISTRY.plan(task)
            assert plan.analysis["template"] == f"{handler.name}.{template.name}", task
            for step in plan.steps:
                assert step.description, (task, step)
                references = [step.target.reference if step.target else None, step.verify_ref]
                references.append(step.expect.reference if step.expect else None)
                for reference in filter(None, references):
                    assert images.find(reference), (task, reference)
    assert handler.prompt().strip()


def own_module(folder: Path, name: str, word: str) -> None:
    home = folder / name
    home.mkdir(parents=True)
    (home / "config.yaml").write_text(f"name: {name}\ntitle: {word}\n", encoding="utf-8")
    (home / "tasks.yaml").write_text(
        f"tasks:\n  - name: go\n    patterns: {word}一下\n    steps:\n      - use: system.go_home\n"
        "      - {action: wait, params: {duration: 5}, description: 等}\n",
        encoding="utf-8",
    )


def test_user_modules_come_from_argument_variable_and_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_module(tmp_path / "a", "one", "甲")
    own_module(tmp_path / "b", "two", "乙")
    own_module(tmp_path / "handeye_apps", "three", "丙")
    own_module(tmp_path / "c", "wechat", "丁")
    (tmp_path / "a" / "not a module").mkdir()
    monkeypatch.chdir(tmp_path)
    trust(Path("handeye_apps"))
    registry = ModuleRegistry(
        [tmp_path / "a", tmp_path / "c" / "wechat"], environment={"HANDEYE_APPS": str(tmp_path / "b")}
    )
    assert [handler.name for handler in registry.handlers] == ["chrome", "system", "wechat", "three", "two", "one"]
    for word in "甲乙丙丁":
        assert [step.action for step in registry.plan(f"{word}一下").steps] == [ActionName.GO_HOME, ActionName.WAIT]
    with pytest.raises(NoPlan):
        registry.plan("给张三发微信消息说你好")  # the user's own wechat replaces the built-in one
    monkeypatch.chdir(tmp_path / "a")
    assert ModuleRegistry(builtin=False, environment={}).handlers == ()


def test_slot_value_target_is_literal(tmp_path: Path) -> None:
    home = tmp_path / "call"
    home.mkdir()
    (home / "config.yaml").write_text("name: call\ntitle: 呼叫\n", encoding="utf-8")
    (home / "tasks.yaml").write_text(
        "tasks:\n  - name: go\n    patterns: 呼叫{who}\n    slots: {who: {type: text}}\n"
        "    steps: [{action: tap, target: {text: '{who}'}}, {action: tap, target: {text: 视频}}]\n",
        encoding="utf-8",
    )
    name, label = ModuleRegistry([home], environment={}).plan("呼叫王五").steps
    assert (name.target, label.target) == (Target(text="王五", literal=True), Target(text="视频"))
