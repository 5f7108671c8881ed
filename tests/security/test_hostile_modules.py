"""App modules that somebody else wrote: their files, their sizes and their errors harm neither the person nor other modules."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from handeye.apps import ModuleRegistry
from handeye.errors import HandeyeError, NoPlan
from handeye.models.config import LLMConfig
from handeye.models.task_models import configured_models
from handeye.plan.known import known_for
from handeye.plan.planner import Planner
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
def test_a_link_to_a_private_file_reaches_no_model_server(linked: str, place: Path, tmp_path: Path) -> None:
    private = module(tmp_path, "private", prompt=SECRET)
    shop = module(place, "shop", config="keywords: [商店]\n", prompt="Look at the cart.")
    assert "Look at the cart." in asked(ModuleRegistry())
    (shop / "prompts" / "planner.txt").unlink()
    if linked == "prompts":
        (shop / linked).rmdir()
    (shop / linked).symlink_to(private / linked)
    registry = ModuleRegistry()
    assert SECRET not in asked(registry)
    assert "leads out of the module" in str(registry.broken["shop"].error)


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
def test_files_that_never_end_stop_nobody(
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
def test_the_name_of_an_unreadable_module_is_refused(place: Path) -> None:
    home = module(place, "wechat")
    Image.linear_gradient("L").save(place / "screen.png")
    (home / "tasks.yaml").unlink()
    os.mkfifo(home / "tasks.yaml")
    why = r"wechat was left out: .*tasks\.yaml: is no regular file"
    refused = handeye("run", "打开微信给张三发消息说“你好”", "--device", f"image:{place / 'screen.png'}")
    assert re.search(why, refused.stdout)
    with pytest.raises(NoPlan, match=why):
        ModuleRegistry().plan("打开微信给张三发消息说“你好”")


@pytest.mark.parametrize("kind", ["another", "broken"])
def test_what_replaces_a_built_in_module_changes_no_other(kind: str, place: Path) -> None:
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
    assert known_for(registry, task).references == known_for(before, task).references
    with pytest.raises(NoPlan):
        registry.plan("返回桌面")
