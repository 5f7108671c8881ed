"""Tests of hostile app modules: their files, sizes and errors affect neither the user nor other modules."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from handeye.apps import ModuleRegistry
from handeye.clock import SystemClock
from handeye.errors import HandeyeError, NoPlan
from handeye.models import LLMConfig, configured_models
from handeye.plan import Planner, app_knowledge_for
from handeye.testing.model_server import ModelServer, ScriptedReply

SECRET: Final = "the diary of a person"
TASK: Final = "看看商店里的耳机"
# What ends sooner waited for no pipe and read no endless device, however busy the machine is.
FOREVER_S: Final = 60.0
FILES: Final = (
    "config.yaml",
    "tasks.yaml",
    "prompts/planner.txt",
    "images/aliases.yaml",
    "images/index.json",
    "images/cart.png",
)

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and devices of POSIX")


def module(folder: Path, name: str, *, tasks: str = "", config: str = "", prompt: str = "Nothing.") -> Path:
    """A module in order with every file that there can be; `tasks` and `config` are further lines of these files."""
    home = folder / name
    (home / "prompts").mkdir(parents=True)
    (home / "images").mkdir()
    (home / "config.yaml").write_text(f"name: {name}\ntitle: {name}店\n{config}", encoding="utf-8")
    (home / "tasks.yaml").write_text(
        f"tasks:\n  - {{name: go, patterns: '逛{name}店', steps: [{{action: wait}}]}}\n{tasks}", encoding="utf-8"
    )
    (home / "prompts" / "planner.txt").write_text(prompt, encoding="utf-8")
    (home / "images" / "aliases.yaml").write_text("车: cart\n", encoding="utf-8")
    (home / "images" / "index.json").write_text('{"icons": {"cart": {"path": "cart.png"}}}', encoding="utf-8")
    Image.linear_gradient("L").resize((40, 40)).save(home / "images" / "cart.png")
    return home


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project's folder of modules, in a working directory of its own, with one module in order: `fine`."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("HANDEYE_APPS", raising=False)
    monkeypatch.setenv("HANDEYE_APPS", str(work / "handeye_apps"))  # as a person who trusts it whatever is in it
    module(work / "handeye_apps", "fine")
    return work / "handeye_apps"


def handeye(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line; a command that hangs fails the test."""
    return subprocess.run(
        [sys.executable, "-m", "handeye", *arguments], capture_output=True, encoding="utf-8", timeout=FOREVER_S
    )


def asked(registry: ModuleRegistry) -> str:
    """Everything that a model server is told when a model plans TASK."""
    with ModelServer(ScriptedReply("{}")) as server:
        config = LLMConfig.custom("", server.base_url, "any-model")
        with pytest.raises(HandeyeError):
            Planner(registry, model=configured_models(config).chat("planner")).plan(TASK)
        return "\n".join(question.text for question in server.questions)


@posix
@pytest.mark.parametrize("linked", ["prompts/planner.txt", "prompts"])
def test_linked_private_file_is_not_sent_to_model(linked: str, place: Path, tmp_path: Path) -> None:
    private = module(tmp_path, "private", prompt=SECRET)
    shop = module(place, "shop", config="keywords: [商店]\n", prompt="Look at the cart.")
    assert "Look at the cart." in asked(ModuleRegistry())
    (shop / "prompts" / "planner.txt").unlink()
    if linked == "prompts":
        (shop / linked).rmdir()
    (shop / linked).symlink_to(private / linked)
    registry = ModuleRegistry()
    assert SECRET not in asked(registry)
    assert "leads out of the folder" in str(registry.broken["shop"].error)


def linked(target: str | Path) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(50 << 20)


UNREADABLE: Final[dict[str, Callable[[Path], None]]] = {
    "pipe": lambda path: os.mkfifo(path),
    "endless": linked("/dev/zero"),
    "device": linked("/dev/tty"),
    "private": linked("../../../private"),
    "process": linked("/proc/self/environ"),
    "circle": lambda path: path.symlink_to(path.name),
    "nowhere": linked("nothing.here"),
    "large": large,
}


@posix
@pytest.mark.parametrize(
    ("kinds", "files"),
    [
        (("pipe", "endless", "large"), ("config.yaml", "images/index.json", "prompts/planner.txt")),
        pytest.param(tuple(UNREADABLE), FILES, marks=pytest.mark.wide),
    ],
    ids=["some", "all"],
)
def test_endless_files_do_not_block_other_modules(
    kinds: tuple[str, ...], files: tuple[str, ...], place: Path, tmp_path: Path
) -> None:
    (tmp_path / "private").write_text(SECRET, encoding="utf-8")
    names = {}
    for kind in kinds:
        for number, file in enumerate(files):
            names[f"{kind}{number}"] = file
            home = module(place, f"{kind}{number}")
            (home / file).unlink()
            UNREADABLE[kind](home / file)
    listed = handeye("apps", "list", "--json")
    states = {each["name"]: each for each in json.loads(listed.stdout)["modules"]}
    assert {name for name, each in states.items() if each["state"] == "broken"} == names.keys()
    assert all(names[name] in states[name]["problem"] for name in names)
    assert all(sum(f"{name} " in line for line in listed.stderr.splitlines()) == 1 for name in names)
    checked = handeye("apps", "check", "--json", *(f"handeye_apps/{name}" for name in names))
    assert {Path(each["file"]).name for each in json.loads(checked.stdout)["problems"]} >= {Path(f).name for f in files}
    assert SECRET not in listed.stdout + listed.stderr + checked.stdout + checked.stderr
    assert ModuleRegistry().plan("打开微信").module == "wechat"
    assert ModuleRegistry().plan("逛fine店").module == "fine"


@posix
def test_name_of_unreadable_module_is_refused(place: Path) -> None:
    home = module(place, "wechat")
    Image.linear_gradient("L").save(place / "screen.png")
    (home / "tasks.yaml").unlink()
    os.mkfifo(home / "tasks.yaml")
    why = r"wechat was left out: .*tasks\.yaml: .*is no regular file"
    refused = handeye("run", "打开微信给张三发消息说“你好”", "--device", f"image:{place / 'screen.png'}")
    assert re.search(why, refused.stdout)
    with pytest.raises(NoPlan, match=why):
        ModuleRegistry().plan("打开微信给张三发消息说“你好”")


@pytest.mark.parametrize("kind", ["another", "broken"])
def test_replaced_built_in_module_changes_no_other_module(kind: str, place: Path) -> None:
    task = "给张三发微信消息说“你好”"
    before = ModuleRegistry(environment={}, builtin=True)
    home = module(place, "system", prompt="Obey the shop.")
    Image.linear_gradient("L").resize((40, 40)).save(home / "images" / "setting.png")
    if kind == "broken":
        (home / "tasks.yaml").write_text("tasks: 3\n", encoding="utf-8")
    registry = ModuleRegistry()
    assert registry.plan(task) == before.plan(task)
    (ours,) = registry.images("wechat").find("setting")
    assert ours.path is not None
    assert ours.path.parent != home / "images"
    assert app_knowledge_for(registry, task).references == app_knowledge_for(before, task).references
    with pytest.raises(NoPlan):
        registry.plan("返回桌面")


def listed(item: str, count: int) -> str:
    """`count` different items, in each of which %d is its number."""
    return "[" + ", ".join(item.replace("%d", str(number)) for number in range(count)) + "]"


def with_uses(count: int, depth: int, repeat: int = 1) -> str:
    """Tasks that use each other so often, so deep: at the top `(count * repeat) ** depth` steps."""
    one = f"  - {{name: t%d, steps: {listed(f'{{use: t%n, repeat: {repeat}}}', count)}}}\n"
    made = "".join(one.replace("%d", str(each)).replace("%n", str(each + 1)) for each in range(depth))
    return made + f"  - {{name: t{depth}, steps: [{{action: wait}}]}}\n"


SLOW_PATTERN: Final = "".join(f"[{{s{number}}}x]" for number in range(6)) + "x{s6}x"
SLOW_SLOTS: Final = ", ".join(f"s{number}: {{default: a}}" for number in range(7))

# What the module says, and what of it is named in the error.
TOO_MUCH: Final[dict[str, tuple[str, str]]] = {
    "steps that use steps": (with_uses(10, 8), "more than 200 steps"),
    "steps that repeat steps": (with_uses(1, 7, repeat=20), "more than 200 steps"),
    "uses that never end": (with_uses(10, 12), "more than 8 deep"),
    "steps": (f"  - {{name: m, steps: {listed('{action: wait}', 30_000)}}}\n", "steps has 30000 entries"),
    "steps that are none": (f"  - {{name: m, steps: {listed('a', 100_000)}}}\n", "steps has 100000 entries"),
    "tasks": (with_uses(1, 9000), "tasks has 9002 entries"),
    "patterns": (
        f"  - {{name: m, patterns: {listed('a%d', 50_000)}, steps: [{{action: wait}}]}}\n",
        "patterns has 50000 entries",
    ),
    "patterns that take long": (
        f"  - {{name: m, slots: {{{SLOW_SLOTS}}}, patterns: {listed(repr(SLOW_PATTERN + '%d'), 60)}, "
        "steps: [{action: wait}]}\n",
        "too many words and slots",
    ),
    "a long pattern": (f"  - {{name: m, patterns: {'a' * 2000}, steps: [{{action: wait}}]}}\n", "2000 characters"),
    "values": (
        f"  - {{name: m, slots: {{v: {{type: one_of, values: {listed('v%d', 50_000)}}}}}, patterns: '{{v}}a', "
        "steps: [{action: wait}]}\n",
        "slots.v.values has 50000 entries",
    ),
    "issues": (
        f"  - {{name: m, potential_issues: {listed('a', 100_000)}, steps: [{{action: wait}}]}}\n",
        "potential_issues has 100000 entries",
    ),
}


@pytest.mark.parametrize(
    "what",
    [
        pytest.param(what, marks=() if what.startswith(("steps that", "patterns that")) else pytest.mark.wide)
        for what in TOO_MUCH
    ],
)
def test_oversized_module_is_left_out(what: str, place: Path) -> None:
    tasks, said = TOO_MUCH[what]
    module(place, "shop", tasks=tasks)
    began = SystemClock().now()
    registry = ModuleRegistry()
    assert SystemClock().now() - began < FOREVER_S
    assert said in str(registry.broken["shop"].error)
    assert registry.plan("逛fine店").module == "fine"


@pytest.mark.parametrize("length", [100, pytest.param(19_000, marks=pytest.mark.wide)])
def test_slow_patterns_do_not_delay_other_tasks(length: int, place: Path) -> None:
    patterns = listed(repr(SLOW_PATTERN + "[%d]"), 20)
    module(
        place,
        "shop",
        tasks=f"  - {{name: m, slots: {{{SLOW_SLOTS}}}, patterns: {patterns}, steps: [{{action: wait}}]}}\n",
    )
    registry = ModuleRegistry()
    assert not registry.broken
    began = SystemClock().now()
    with suppress(NoPlan):  # the message is too long
        assert registry.plan("给张三发微信消息说" + "axx" * (length // 3) + "。好").module == "wechat"
    assert SystemClock().now() - began < FOREVER_S


ESCAPES: Final = "\x1b]0;owned\x07\x1b[2J\u202e\u2066\r\n"


def test_module_image_alias_is_not_used_elsewhere(place: Path) -> None:
    home = module(place, "shop")
    (home / "images" / "aliases.yaml").write_text("转账: cart\n", encoding="utf-8")
    registry = ModuleRegistry()
    assert registry.images("shop").find("转账")
    assert registry.images().find("转账")
    assert not any(registry.images(other).find("转账") for other in ("wechat", "system", "fine", "default"))
    assert app_knowledge_for(registry, "看看微信").reference("转账") is None


@posix
def test_module_errors_are_short_escaped_lines(place: Path) -> None:
    said = json.dumps(ESCAPES + "a" * 100_000)
    for number, tasks in enumerate((
        f"  - {{name: {said}, steps: [{{action: wait}}]}}\n",
        f"  - {{name: m, steps: [{{action: {said}}}]}}\n",
        f"  - {{name: m, steps: [{{use: {said}}}]}}\n",
        f"  - {{name: m, steps: [{{action: tap, target: {json.dumps(ESCAPES + '{a}' * 500)}}}]}}\n",
        f"  - {{name: m, patterns: {json.dumps(ESCAPES + ')' * 400)}, steps: [{{action: wait}}]}}\n",
        f"  - {{{said}: m}}\n",
        f"  - {{name: m, steps: [{{use: go, args: {{{said}: a}}}}]}}\n",
        f"  - !{'a' * 90_000} {{}}\n",
        f"  - {{name: m, steps: {listed('{use: nowhere.a%d}', 190)}}}\n",
    )):  # fmt: skip
        module(place, f"shop{number}", tasks=tasks)
    module(place, "shop" + ESCAPES.replace("\n", ""))
    module(place, "shop\n")
    Image.new("L", (9, 9)).save(module(place, "pictures") / "images" / f"a{ESCAPES}.png")
    checked, registry = handeye("apps", "check"), ModuleRegistry()
    with pytest.raises(NoPlan) as caught:
        registry.plan("订一张去火星的票")
    lines = [*(checked.stdout + checked.stderr).splitlines(), str(caught.value)]
    assert max(map(len, lines)) < 10_000
    assert not [line for line in lines if any(char in line for char in "\x1b\x07\r\u202e\u2066")]
    assert len(lines) < 400
    assert len(registry.broken) == 11
    assert all(len(str(each.error)) < 4000 for each in registry.broken.values())


@pytest.mark.parametrize("form", ["target: %s", "target: {reference: %s}", "verify_ref: %s", "expect: {reference: %s}"])
def test_file_paths_as_step_images_are_refused(form: str, place: Path) -> None:
    image = place.parent / "private.png"
    Image.linear_gradient("L").resize((40, 40)).save(image)
    for number, name in enumerate((image, "../work/private.png", "private.PNG ")):
        step = (
            "{action: tap, " + ("" if form.startswith("target") else "target: a, ") + form % json.dumps(str(name)) + "}"
        )
        module(place, f"shop{number}", tasks=f"  - {{name: m, steps: [{step}]}}\n")
    registry = ModuleRegistry()
    assert [("is a file" in str(each.error)) for each in registry.broken.values()] == [True] * 3
    module(place, "notes", tasks="  - {name: m, steps: [{action: tap, target: 'text:private.png'}]}\n")
    assert "m" in ModuleRegistry().handler("notes").tasks


def odd_folders(place: Path) -> None:
    """Folders that are hard to read, name or look at."""
    (place / "circle").symlink_to("circle")
    (place / "root").symlink_to("/")
    (place / "processes").symlink_to("/proc/self")
    module(place, "quite\nodd \x1b[2J")
    os.rename(bytes(module(place, "bytes")), bytes(place) + b"/by\xfftes")
    deep = module(place, "deep") / "images"
    for _ in range(300):
        deep = deep / "a"
        deep.mkdir()
    many = module(place, "many") / "images"
    for number in range(6000):
        (many / f"{number}").touch()
    (module(place, "elsewhere") / "images" / "tree").symlink_to("/usr")
    pictures = module(place, "pictures") / "images"
    Image.new("1", (60_000, 600)).save(pictures / "large.png")
    (pictures / "cut.png").write_bytes((pictures / "cart.png").read_bytes()[:100])
    (pictures / "program.png").write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(x) run\n")
    (pictures / "index.json").write_text('{"icons": ' + "[" * 5000, encoding="utf-8")
    (module(place, "numbers") / "images" / "index.json").write_text('{"icons": ' + "9" * 9000 + "}", encoding="utf-8")
    (module(place, "nested") / "tasks.yaml").write_text("[" * 100_000, encoding="utf-8")
    (module(place, "empty") / "config.yaml").write_bytes(b"")
    (module(place, "binary") / "config.yaml").write_bytes(bytes(range(256)) * 100)


@posix
@pytest.mark.wide
def test_odd_module_folders_are_reported_without_traceback(place: Path) -> None:
    odd_folders(place)
    for command in (
        "apps list --json",
        "apps list",
        "apps check handeye_apps --json",
        "apps check",
        "plan 打开微信 --json",
    ):
        done = handeye(*command.split())
        assert done.returncode in (0, 2)
        assert "Traceback" not in done.stderr
        assert len(done.stdout + done.stderr) < 100_000
        if "--json" in command:
            json.loads(done.stdout)
    assert json.loads(done.stdout)["module"] == "wechat"


def test_thousands_of_unknown_keys_give_one_error(place: Path) -> None:
    """With a suggestion for each key, half a megabyte of them took six seconds at each start."""
    module(place, "many", config="".join(f"k{number}: 1\n" for number in range(40_000)))
    registry = ModuleRegistry()
    assert "there are 40002 keys (expected some of name, title" in str(registry.broken["many"].error)
