"""`handeye apps new`: create an app module that works as it is."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from handeye.apps.discovery import CONFIG
from handeye.apps.handler import DEFAULT, PLANNER_PROMPT, PROMPTS, TASKS
from handeye.apps.images import ALIASES
from handeye.apps.json_schemas import file_name, write_schemas
from handeye.apps.strict import checked_package
from handeye.errors import UsageError
from handeye.files import write_text
from handeye.plan import Slot, SlotType

SCHEMAS: Final = ".schema"
"""The folder next to the modules with the schemas that their files name; a leading dot, since it is no module."""

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z")
_OPERATORS: Final = re.compile(r"([()\[\]{}|\\])")
_MODELINE: Final = "# yaml-language-server: $schema={up}/{folder}/{file}\n"


@dataclass(frozen=True, slots=True)
class NewModule:
    """
    Parameters of a new module. `package` is the app's Android package; without one the app is opened by its icon.

    Raises UsageError for an invalid name, title or package.
    """

    name: str
    title: str
    package: str | None = None

    def __post_init__(self) -> None:
        if not _NAME.match(self.name) or self.name == DEFAULT:
            raise UsageError(
                f"{self.name!r} cannot be a module's name: letters, digits and _, not a digit first, and not {DEFAULT}"
            )
        if Slot(SlotType.NAME).accept(self.title, quoted=True) is None:
            raise UsageError(f"{self.title[:80]!r} cannot be an app's title: one line of at most 64 characters")
        if self.package is not None:
            try:
                checked_package(self.package)
            except ValueError as error:
                raise UsageError(f"{self.package!r} is no Android package name, such as com.tencent.mm") from error

    def write(self, folder: Path) -> list[Path]:
        """
        Write the module as a folder of its name inside `folder`, and the schemas next to it; return the paths.

        Raises UsageError when something of that name exists already, and WriteFailed.
        """
        home = folder / self.name
        if home.exists():
            raise UsageError(f"{home} is there already, and is not overwritten; choose another name or folder")
        files = {
            home / CONFIG: _modeline("config", "..") + self._config(),
            home / TASKS: _modeline("tasks", "..") + self._tasks(),
            home / "images" / ALIASES: _modeline("aliases", "../..") + _ALIASES,
            home / PROMPTS / PLANNER_PROMPT: f"{self.title}{f' ({self.package})' if self.package else ''}\n",
        }
        return [*write_schemas(folder / SCHEMAS), *(write_text(path, text) for path, text in files.items())]

    def _config(self) -> str:
        package = f"package: {self.package}\n" if self.package else "# package: com.example.app\n"
        return (
            f"name: {self.name}\ntitle: {_quoted(self.title)}\n{package}aliases: []     # its other names\n{_KEYWORDS}"
        )

    def _tasks(self) -> str:
        words = _OPERATORS.sub(r"\\\1", self.title)
        head = _OPEN.format(
            chinese=_quoted(f"(打开|启动|进入){words}"),
            english=_quoted(f"(open |launch |start ){words}"),
            state=_quoted(_plain(self.title)),
        )
        if self.package is None:
            return head + _BY_ICON.format(title=_quoted(_plain(self.title)))
        return head + _BY_PACKAGE.format(package=self.package)


def _modeline(kind: str, up: str) -> str:
    return _MODELINE.format(up=up, folder=SCHEMAS, file=file_name(kind))


def _quoted(text: str) -> str:
    """Return `text` as a YAML string in quotation marks: JSON strings are valid YAML."""
    return json.dumps(text, ensure_ascii=False)


def _plain(text: str) -> str:
    """Return `text` with braces escaped, which would be slots."""
    return text.replace("{", "{{").replace("}", "}}")


_KEYWORDS: Final = "keywords: []    # words in a task that suggest this app\n"
_ALIASES: Final = "# What people call the pictures of this folder: 搜索图标: search\n"
_OPEN: Final = """\
tasks:
  - name: open
    patterns:
      - {chinese}
      - {english}
    target_state: {state}
    steps:
"""
_BY_PACKAGE: Final = """\
      - action: launch_app
        unless: {{app: {package}}}      # it is in front already
        params: {{package: {package}}}
        description: 打开应用
        timeout: 5000
      - action: check
        description: 确认应用在前台
        expect: {{app: {package}}}
"""
_BY_ICON: Final = """\
      - use: system.open_app
        args: {{app: {title}}}
"""
