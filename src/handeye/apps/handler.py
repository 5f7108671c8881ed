"""Handler of one app: its names, its task templates, its images."""

from __future__ import annotations

import importlib.util
import logging
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from handeye.apps.dependencies import check_uses
from handeye.apps.discovery import CONFIG, ModuleLocation
from handeye.apps.images import AssetsManager
from handeye.apps.schema import ModuleConfig, TasksFile
from handeye.apps.tasks import TaskTemplate, fill_steps
from handeye.documents import Document, read_text, read_yaml, validate
from handeye.errors import ConfigError, NoPlan
from handeye.plan import QUOTES, TaskPlan, TemplateMatch, fold
from handeye.visible import shown

logger = logging.getLogger("handeye.apps")

TASKS: Final = "tasks.yaml"
PROMPTS: Final = "prompts"
PLANNER_PROMPT: Final = "planner.txt"
PROMPT_LIMIT: Final = 32 * 1024
"""Most bytes of a prompt. Those that ship have under 1 kB, and every plan by a model pays for all of it."""

CODE: Final = "handler.py"

DEFAULT: Final = "default"
"""The name of the handler without templates, for tasks that no module claims."""

KEYWORDS_FOR_ALL: Final = 2
"""So many different keywords are full evidence for an app; one may be there by chance (docs/spec/vision-agent.md has no
figure)."""

_QUOTED: Final = re.compile("|".join(f"{re.escape(a)}[^{re.escape(b)}]*{re.escape(b)}" for a, b in QUOTES))


@dataclass(frozen=True, slots=True)
class Score:
    """
    The three parts of a module's score (docs/spec/vision-agent.md), each 0-1.

    `templates`: 0 when no pattern fits the whole task, else 0.5 and half of the share that the pattern's own words have of
    the task, so that a narrow pattern counts more than one that fits nearly anything. `keywords`: half for one, full for two
    different ones outside quotation marks. `package`: the package's name is in the task.
    """

    templates: float = 0.0
    keywords: float = 0.0
    package: float = 0.0

    @property
    def total(self) -> float:
        return TEMPLATES * self.templates + KEYWORDS * self.keywords + PACKAGE * self.package


TEMPLATES: Final = 0.5
KEYWORDS: Final = 0.4
PACKAGE: Final = 0.1

Lookup = Callable[[str], "AppHandler"]


class AppHandler:
    """
    One app module. `name` is its identifier, `package` its Android package names, `keywords` the words that suggest it. Its
    files must lie in the folder `within`, or may lie anywhere where that is None.

    A module that is installed as code may have a handler.py with a subclass named `Handler` to change any of this.
    """

    def __init__(self, config: ModuleConfig, tasks: Mapping[str, TaskTemplate], folder: Path) -> None:
        self.config = config
        self.name = config.name
        self.title = config.title
        self.package = tuple(config.package)
        self.keywords = tuple(dict.fromkeys((config.title, *config.aliases, *config.keywords)))
        self.tasks = dict(tasks)
        self.folder = folder
        self.within: Path | None = folder
        self.lookup: Lookup = self._only_this
        self._images: AssetsManager | None = None
        self._checked: set[str] = set()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def _only_this(self, name: str) -> AppHandler:
        if name == self.name:
            return self
        raise NoPlan(f"there is no app module {name!r}")

    def images(self) -> AssetsManager:
        """Return the module's own reference images."""
        if self._images is None:
            self._images = AssetsManager(self.folder / "images", within=self.within)
        return self._images

    def prompt(self) -> str:
        """Return the text that is added to the planning model's prompt for this app; empty when the module has none."""
        return module_prompt(self.folder, self.within)

    def match(self, task: str) -> tuple[TaskTemplate, TemplateMatch] | None:
        """Return the task template that fits `task` best, and its slots' values; None when none fits."""
        fits = [(template, found) for template in self.tasks.values() if (found := template.match(task))]
        return min(fits, key=lambda fit: fit[1].rank, default=None)  # min keeps the first of equals: the file's order

    def check(self, template: TaskTemplate) -> None:
        """Raise ConfigError when the task uses others wrongly; checked once for each task."""
        if template.name not in self._checked:
            check_uses(self, template)
            self._checked.add(template.name)

    def score(self, task: str) -> Score:
        """Return the score of this app for a task."""
        fit = self.match(task)
        folded = fold(task)
        bare = fold(_QUOTED.sub(" ", task))
        hits = sum(_occurs(fold(keyword), bare) for keyword in self.keywords)
        return Score(
            templates=0.5 + fit[1].share / 2 if fit else 0.0,
            keywords=min(1.0, hits / KEYWORDS_FOR_ALL),
            package=1.0 if any(_occurs(fold(package), folded) for package in self.package) else 0.0,
        )

    def plan(self, task: str) -> TaskPlan | None:
        """Return the plan by template, or None when no pattern fits the whole task."""
        fit = self.match(task)
        if fit is None:
            return None
        template, found = fit
        values = {**template.defaults, **found.slots}
        self.check(template)
        steps = fill_steps(self, template, values)
        return TaskPlan(
            analysis={
                "current_screen": template.fill(template.file.current_screen, values),
                "target_state": template.fill(template.file.target_state, values),
                "estimated_steps": len(steps),
                "template": f"{self.name}.{template.name}",
            },
            steps=steps,
            success_criteria=template.fill(template.file.success_criteria, values),
            potential_issues=tuple(template.fill(issue, values) for issue in template.file.potential_issues),
            module=self.name,
        )


class DefaultHandler(AppHandler):
    """Handler for tasks that no module claims: it has no templates, so that only a model can plan."""

    def __init__(self) -> None:
        super().__init__(ModuleConfig(name=DEFAULT, title=DEFAULT), {}, Path("."))
        self.keywords = ()

    def images(self) -> AssetsManager:
        return AssetsManager(None)

    def prompt(self) -> str:
        return ""


def load_module(place: ModuleLocation, *, code: bool = True) -> AppHandler:
    """
    Load the module at `place`. Raises ConfigError with file and line for any error in it; every file is checked before
    anything of it is used.

    Without `code` its handler.py is not run. Only installed code runs at all: a folder in the working directory must not
    become a program by being there.
    """
    if place.error is not None:
        raise place.error
    folder, within = place.folder, place.within
    config_file = read_yaml(folder / CONFIG, within=within)
    config = validate(config_file, ModuleConfig)
    if (wrong := name_problem(config_file, config.name, folder)) is not None:
        raise wrong
    tasks: dict[str, TaskTemplate] = {}
    if os.path.lexists(folder / TASKS):
        tasks = _tasks(read_yaml(folder / TASKS, within=within))
    kind = AppHandler
    brings_code = code and (folder / CODE).exists()
    if brings_code and not place.source.is_trusted:
        logger.warning("%s is not run: only installed modules may bring code", shown(str(folder / CODE)))
    try:
        if brings_code and place.source.is_trusted:
            kind = _handler_class(folder / CODE, config.name)
        handler = kind(config, tasks, folder)
        handler.within = within
        handler.prompt()
        handler.images().check()
    except ConfigError:
        raise
    except (Exception, SystemExit) as error:  # whatever the module's code raises
        raise code_error(folder, error) from error
    return handler


def code_error(folder: Path, error: BaseException) -> ConfigError:
    """Return the error that the handler.py of the module in `folder` raised `error`."""
    return ConfigError(f"fails with {type(error).__name__}: {error}", file=folder / CODE, expected="code that works")


def module_prompt(folder: Path, within: Path | None) -> str:
    """Return the prompt text in a module's folder; empty when there is none. Raises ConfigError."""
    path = folder / PROMPTS / PLANNER_PROMPT
    return read_text(path, PROMPT_LIMIT, within=within) if os.path.lexists(path) else ""


def name_problem(document: Document, name: str, folder: Path) -> ConfigError | None:
    """Return the error in a module's name, or None: it must be its folder's, and not `default`, which is no module."""
    if name != folder.name:
        return document.error(f"name is {name!r}", ("name",), f"the folder's name, {folder.name!r}")
    if name == DEFAULT:
        return document.error(f"name is {name!r}, which stands for no module", ("name",), "another name")
    return None


def _tasks(document: Document) -> dict[str, TaskTemplate]:
    file = validate(document, TasksFile)
    regions = {name: tuple(region.root) for name, region in file.regions.items()}
    return {task.name: TaskTemplate(task, regions, document, number) for number, task in enumerate(file.tasks)}


def _handler_class(path: Path, name: str) -> type[AppHandler]:
    spec = importlib.util.spec_from_file_location(f"handeye_app_{name}", path)
    if spec is None or spec.loader is None:
        raise ConfigError("cannot be imported", file=path, expected="a Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kind = getattr(module, "Handler", None)
    if not (isinstance(kind, type) and issubclass(kind, AppHandler)):
        raise ConfigError("has no class Handler", file=path, expected="class Handler(AppHandler)")
    return kind


def _occurs(word: str, text: str) -> bool:
    """Return True if the word is in the text, both folded: Latin words as whole words, Chinese anywhere."""
    if not word:
        return False
    if not word.isascii():
        return word in text
    return re.search(rf"(?<![a-z0-9_]){re.escape(word)}(?![a-z0-9_])", text) is not None
