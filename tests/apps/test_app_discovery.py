"""Tests of module sources, their precedence, and broken modules, which are reported and skipped."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from handeye.apps import ModuleRegistry, Source, check_module
from handeye.apps.discovery import user_folder
from handeye.errors import NoPlan
from handeye.trusted_files import trust


def module(folder: Path, name: str, word: str, note: str = "", code: str = "") -> Path:
    home = folder / name
    home.mkdir(parents=True)
    (home / "config.yaml").write_text(f"name: {name}\ntitle: {word}\n", encoding="utf-8")
    (home / "tasks.yaml").write_text(
        f"tasks:\n  - name: go\n    patterns: {word}一下\n    success_criteria: '{note}'\n"
        "    steps: [{action: wait, description: 等}]\n",
        encoding="utf-8",
    )
    if code:
        (home / "handler.py").write_text(code, encoding="utf-8")
    return home


def break_it(home: Path) -> None:
    path = home / "tasks.yaml"
    path.write_text(path.read_text("utf-8").replace("action: wait", "action: wiat"), encoding="utf-8")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """An environment with a home of its own, and a working directory of its own."""
    monkeypatch.chdir(tmp_path)
    return {"HOME": str(tmp_path / "home"), "APPDATA": str(tmp_path / "home"), "XDG_CONFIG_HOME": ""}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package, `their_apps`, with an entry point; its folder takes modules."""
    site = tmp_path / "site"
    apps = site / "their_apps"
    apps.mkdir(parents=True)
    (apps / "__init__.py").write_text("raise RuntimeError('nobody needs to import this')\n", encoding="utf-8")
    info = site / "their_apps-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-apps\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[handeye.apps]\ntheirs = their_apps\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    return apps


def words(registry: ModuleRegistry, task: str) -> str:
    return registry.plan(task).success_criteria


def test_later_source_replaces_module_of_same_name(tmp_path: Path, home: dict[str, str], package: Path) -> None:
    places = {
        "installed": package,
        "user": user_folder(home) or tmp_path,
        "project": tmp_path / "handeye_apps",
        "variable": tmp_path / "variable",
        "given": tmp_path / "given",
    }
    for number, (note, folder) in enumerate(places.items()):
        module(folder, "same", "同", note)
        module(folder, f"own{number}", "甲乙丙丁戊"[number], note)
        environment = {**home, **({"HANDEYE_APPS": str(tmp_path / "variable")} if number >= 3 else {})}
        if note == "project":
            trust(folder)
        registry = ModuleRegistry([tmp_path / "given"] if number >= 4 else [], environment=environment)
        assert words(registry, "同一下") == note
        assert registry.place("same").source is Source(note)
        assert [words(registry, f"{word}一下") for word in "甲乙丙丁戊"[: number + 1]] == list(places)[: number + 1]


def test_installed_package_handler_runs_without_package_import(package: Path, home: dict[str, str]) -> None:
    code = "from handeye.apps import AppHandler\nclass Handler(AppHandler):\n    def prompt(self):\n        return 'ours'\n"
    module(package, "theirs", "戊", code=code)
    registry = ModuleRegistry(environment=home)
    assert registry.handler("theirs").prompt() == "ours"
    assert registry.place("theirs").told == "their-apps"
    assert "their_apps" not in sys.modules


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_only_installed_modules_may_contain_links(tmp_path: Path, package: Path, home: dict[str, str]) -> None:
    store = module(tmp_path / "store", "theirs", "戊")
    (store / "prompts").mkdir()
    (store / "prompts" / "planner.txt").write_text("ours", encoding="utf-8")
    for folder, name in ((package, "theirs"), (tmp_path / "given", "mine")):
        made = folder / name
        made.mkdir(parents=True)
        for file in store.iterdir():
            (made / file.name).symlink_to(file)
    registry = ModuleRegistry([tmp_path / "given"], environment=home)
    assert registry.handler("theirs").prompt() == "ours"
    assert not any(each.is_error for each in check_module(registry.place("theirs"), registry))
    assert list(registry.broken) == ["mine"]


@pytest.mark.parametrize(
    "code",
    [
        "import no_such_thing",
        "raise SystemExit(3)",
        "this is no Python",
        "class Handler(AppHandler):\n    def __init__(self):\n        pass",
        "class Handler(AppHandler):\n    def prompt(self):\n        return 1 / 0",
        "class Handler(AppHandler):\n    def images(self):\n        return None",
        "class Handler(AppHandler):\n    def score(self, task):\n        return 1 / 0",
    ],
)
def test_failing_handler_code_disables_only_its_module(code: str, package: Path, home: dict[str, str]) -> None:
    module(package, "theirs", "戊", code=f"from handeye.apps import AppHandler\n{code}\n")
    registry = ModuleRegistry(environment=home)
    assert registry.plan("打开微信").module == "wechat"
    assert "handler.py: fails with" in str(registry.broken["theirs"].error)
    with pytest.raises(NoPlan, match="theirs was left out"):
        registry.plan("戊一下")


def test_failing_plan_method_gives_no_plan(package: Path, home: dict[str, str]) -> None:
    code = "class Handler(AppHandler):\n    def plan(self, task):\n        return 1 / 0"
    module(package, "theirs", "戊", code=f"from handeye.apps import AppHandler\n{code}\n")
    registry = ModuleRegistry(environment=home)
    assert registry.plan("打开微信").module == "wechat"
    with pytest.raises(NoPlan, match="fails with ZeroDivisionError"):
        registry.plan("戊一下")


@pytest.mark.parametrize("where", ["user", "installed", "project", "variable", "given"])
def test_broken_module_is_skipped_and_reported(
    where: str, tmp_path: Path, home: dict[str, str], package: Path, caplog: pytest.LogCaptureFixture
) -> None:
    places = {"installed": package, "user": user_folder(home) or tmp_path, "project": tmp_path / "handeye_apps"}
    folder = places.get(where, tmp_path / where)
    break_it(module(folder, "chrome", "己"))
    module(folder, "fine", "庚")
    module(package, "other", "子")
    if where == "project":
        trust(folder)
    environment = {**home, **({"HANDEYE_APPS": str(folder)} if where == "variable" else {})}
    registry = ModuleRegistry([folder] if where == "given" else [], environment=environment)
    assert words(registry, "庚一下") == ""
    assert registry.plan("打开微信").module == "wechat"
    assert list(registry.broken) == ["chrome"]
    assert "tasks.yaml:5" in caplog.text
    with pytest.raises(NoPlan, match=r"chrome was left out: .*tasks\.yaml:5: .*wiat"):
        registry.plan("搜索猫")  # the built-in module of that name does not step in for it
    with pytest.raises(NoPlan, match="left out"):
        registry.handler("chrome")


@pytest.mark.parametrize("kind", ["broken itself", "uses what is not there"])
def test_module_using_a_broken_module_is_skipped(kind: str, tmp_path: Path, home: dict[str, str]) -> None:
    folder = user_folder(home) or tmp_path
    one, two = module(folder, "zzz", "辛"), module(folder, "two", "壬")
    using = "tasks:\n  - {{name: go, patterns: {}一下, steps: [{{use: {}.go}}]}}\n"
    (two / "tasks.yaml").write_text(using.format("壬", "zzz"), encoding="utf-8")
    if kind == "broken itself":
        break_it(one)
    else:
        (one / "tasks.yaml").write_text(using.format("辛", "nowhere"), encoding="utf-8")
    registry = ModuleRegistry(environment=home)
    assert set(registry.broken) == {"zzz", "two"}
    assert "zzz" in str(registry.broken["two"].error)


@pytest.mark.parametrize("points_at", ["no_such_package", "json", "their_apps.nothing", "their_apps"])
def test_broken_entry_point_is_reported(points_at: str, package: Path, home: dict[str, str]) -> None:
    entry = next(package.parent.glob("*.dist-info")) / "entry_points.txt"
    entry.write_text(f"[handeye.apps]\ntheirs = {points_at}\n", encoding="utf-8")
    (package / "__init__.py").write_text("", encoding="utf-8")
    registry = ModuleRegistry(environment=home)
    assert "their-apps" in str(registry.broken["theirs"].error)
    assert points_at in str(registry.broken["theirs"].error)
    assert registry.plan("打开微信").module == "wechat"


def test_without_home_there_is_no_user_folder() -> None:
    assert user_folder({}) is None
    if sys.platform not in ("win32", "darwin"):
        assert user_folder({"HOME": "/h"}) == Path("/h/.config/handeye/apps")
        assert user_folder({"HOME": "/h", "XDG_CONFIG_HOME": "/c"}) == Path("/c/handeye/apps")


def test_replacement_of_built_in_module_is_logged(home: dict[str, str], caplog: pytest.LogCaptureFixture) -> None:
    own = module(Path("handeye_apps"), "wechat", "打开微信").resolve()
    trust(own.parent)
    plan = ModuleRegistry(environment=home).plan("打开微信一下")
    assert f"wechat in {own} replaces" in caplog.text
    assert any(str(own) in issue for issue in plan.potential_issues)
    assert not any(str(own) in issue for issue in ModuleRegistry(environment=home).plan("返回桌面").potential_issues)
