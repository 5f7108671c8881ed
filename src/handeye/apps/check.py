"""`handeye apps check`: find every error in an app module, and what was probably not meant, with file and line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import starmap
from typing import Any, Final

from handeye.apps.check_images import EXPECTATION_KEYS, image_problems, reference_problems
from handeye.apps.check_wordings import Wordings
from handeye.apps.dependencies import use_problems
from handeye.apps.discovery import BUILTIN, CONFIG, ModuleLocation
from handeye.apps.handler import (
    CODE,
    PLANNER_PROMPT,
    PROMPTS,
    TASKS,
    AppHandler,
    load_module,
    module_prompt,
    name_problem,
)
from handeye.apps.registry import ModuleRegistry
from handeye.apps.schema import ModuleConfig, TasksFile
from handeye.apps.step_schema import StepFile
from handeye.apps.tasks import TaskModule, TaskTemplate, used_task
from handeye.devices import KEYCODES, is_volume_key, keycode
from handeye.documents import Document, problems_in, read_yaml
from handeye.errors import ConfigError, UsageError
from handeye.plan import HOST, ActionName, TextTemplate, params_problems

IMAGES: Final = "images"
MOST_PROBLEMS: Final = 200
"""Most problems of one module that are listed."""

_READ: Final = frozenset({CONFIG, TASKS, CODE, IMAGES, PROMPTS})
_IGNORED: Final = frozenset({"__init__.py", "__pycache__"})

HIGHEST_KEYCODE: Final = 400
"""Android's own key codes (AOSP, android.view.KeyEvent) end well below it; a higher one is a typing error."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem. An error keeps the module from being loaded or a task from working; a warning need not."""

    error: ConfigError
    is_error: bool = True

    def __str__(self) -> str:
        return f"{'error' if self.is_error else 'warning'}: {self.error}"

    def to_dict(self) -> dict[str, str | int | None]:
        """Return a JSON-serialisable dict."""
        return {
            "severity": "error" if self.is_error else "warning",
            "file": str(self.error.file),
            "line": self.error.line,
            "problem": self.error.problem,
            "expected": self.error.expected,
        }


def check_module(place: ModuleLocation, registry: ModuleRegistry) -> list[Problem]:
    """
    Return every problem of the module at `place`, by file and line. `registry` has the other modules: those whose tasks it
    may use, and whose patterns may collide with its own.
    """
    if place.error is not None:
        return [Problem(place.error)]
    found = [
        *_about_name(place),
        *_about_config(place),
        *_about_files(place),
        *starmap(Problem, image_problems(place.folder / IMAGES, place.within)),
    ]
    written = list(_about_tasks(place))
    found += written
    if not any(problem.is_error for problem in found if problem.error.file.name in (CONFIG, TASKS)):
        found += _about_tasks_in_use(place, registry)
    unique = {(str(each.error), each.is_error): each for each in found}
    ordered = sorted(unique.values(), key=lambda each: (str(each.error.file), each.error.line or 0))
    told, others = ordered[:MOST_PROBLEMS], ordered[MOST_PROBLEMS:]
    if others:
        more = ConfigError(f"has {len(others)} more problems", file=place.folder, expected="these mended first")
        told.append(Problem(more, is_error=any(each.is_error for each in others)))
    return told


def _about_name(place: ModuleLocation) -> Iterator[Problem]:
    """Yield a warning where the module replaces a built-in one, which may be unintended."""
    own = BUILTIN / place.folder.name
    if os.path.realpath(own) != str(place.folder) and (own / CONFIG).is_file():
        text = f"replaces the built-in module {place.folder.name!r}"
        yield Problem(
            ConfigError(text, file=place.folder, expected="another name, unless that is meant"), is_error=False
        )


def _about_config(place: ModuleLocation) -> Iterator[Problem]:
    try:
        document = read_yaml(place.folder / CONFIG, within=place.within)
    except ConfigError as error:
        yield Problem(error)
        return
    yield from map(Problem, problems_in(document, ModuleConfig))
    name = document.value.get("name") if isinstance(document.value, dict) else None
    if isinstance(name, str) and (wrong := name_problem(document, name, place.folder)) is not None:
        yield Problem(wrong)


def _about_tasks(place: ModuleLocation) -> Iterator[Problem]:
    path = place.folder / TASKS
    if not os.path.lexists(path):
        missing = ConfigError("is not there: the module knows no task", file=path, expected="tasks with patterns")
        yield Problem(missing, is_error=False)
        return
    try:
        yield from map(Problem, problems_in(read_yaml(path, within=place.within), TasksFile))
    except ConfigError as error:
        yield Problem(error)


def _about_files(place: ModuleLocation) -> Iterator[Problem]:
    try:
        inside = sorted(place.folder.iterdir())
    except OSError as error:
        yield Problem(ConfigError(f"cannot be read: {error.strerror or error}", file=place.folder))
        return
    for path in inside:
        name = path.name
        if name not in _READ | _IGNORED and not name.startswith(".") and path.suffix.lower() not in (".md", ".txt"):
            unread = ConfigError("is not read", file=path, expected=f"one of {', '.join(sorted(_READ))}")
            yield Problem(unread, is_error=False)
    for path in sorted((place.folder / PROMPTS).glob("*")):
        if path.name != PLANNER_PROMPT and not path.name.startswith("."):
            unread = ConfigError("is not read", file=path, expected=f"{PLANNER_PROMPT}, the one prompt that is")
            yield Problem(unread, is_error=False)
    if (place.folder / CODE).exists() and not place.source.is_trusted:
        unrun = ConfigError(
            "is not run: a folder must not become a program by being there",
            file=place.folder / CODE,
            expected="code only in modules of installed packages",
        )
        yield Problem(unrun, is_error=False)
    try:
        module_prompt(place.folder, place.within)
    except ConfigError as error:
        yield Problem(error)


def _about_tasks_in_use(place: ModuleLocation, registry: ModuleRegistry) -> Iterator[Problem]:
    """Yield problems that can be found only once the files themselves are valid."""
    try:
        handler = load_module(place, code=False)
    except ConfigError as error:
        yield Problem(error)
        return
    handler.lookup = lambda name: handler if name == handler.name else registry.handler(name)
    libraries = (handler.images(), *registry.images(handler.name).libraries)
    document = read_yaml(place.folder / TASKS, within=place.within) if (place.folder / TASKS).exists() else None
    for template in handler.tasks.values():
        wrong = list(use_problems(handler, template))
        yield from map(Problem, wrong)
        yield from starmap(Problem, reference_problems(template, libraries))
        yield from _about_keys(template)
        yield from _about_unused(handler, template)
        if not wrong:
            yield from _about_proof(handler, template)
    if document is not None:
        yield from _about_regions(handler, document)
    for lost, hopeless in Wordings(handler, registry).problems():
        yield Problem(lost, is_error=hopeless)


def _about_keys(template: TaskTemplate) -> Iterator[Problem]:
    for index, step in enumerate(template.file.steps):
        acts = [("params", step.action, step.params)] if step.action is not None else []
        if step.fallback is not None:
            acts.append(("fallback", ActionName(step.fallback.action), step.fallback.params))
        for where, action, params in acts:
            yield from _about_params(template, index, where, action, params)
            code = params.get("keycode") if action is ActionName.PRESS_KEY else None
            if isinstance(code, int) and code > HIGHEST_KEYCODE:
                error = template.error(
                    f"presses the key {code}, which no phone has",
                    ("steps", index, where),
                    "a code of Android's, or key: BACK",
                )
                yield Problem(error, is_error=False)
            key = params.get("key") if action is ActionName.PRESS_KEY else None
            if isinstance(key, str) and not TextTemplate.parse(key).slots:
                try:
                    keycode(key)
                except UsageError as error:
                    yield Problem(
                        template.error(f"presses a key that is not there: {error}", ("steps", index, where), "")
                    )


def _about_params(
    template: TaskTemplate, index: int, where: str, action: ActionName, params: Mapping[str, Any]
) -> Iterator[Problem]:
    """
    Yield params with which the step cannot be carried out; a text with a slot in it is known only when the slot is filled.
    """
    sure = {
        name: value
        for name, value in params.items()
        if name == "url" and not (isinstance(value, str) and TextTemplate.parse(value).slots)
    }
    number = params.get("number")
    if isinstance(number, str) and not TextTemplate.parse(number).slots and not any(map(str.isdigit, number)):
        yield Problem(template.error(f"calls {number!r}, which is no number", ("steps", index, where), "digits"))
    for wrong in params_problems(action, sure):
        if any(wrong.startswith(f"params.{name} is ") and "missing" not in wrong for name in sure):
            yield Problem(template.error(f"has a wrong value: {wrong}", ("steps", index, where), ""))


def _about_unused(handler: AppHandler, template: TaskTemplate) -> Iterator[Problem]:
    file = template.file
    steps = [text for step in file.steps for _, text in step.texts()]
    about = [file.current_screen, file.target_state, file.success_criteria, *file.potential_issues]
    used_names = {name for text in (*steps, *about) for name in TextTemplate.parse(text).slots}
    for name in file.slots:
        if not {name, name + HOST} & used_names:
            error = template.error(f"has the slot {name!r}, and nothing uses it", ("slots", name), "a step with it")
            yield Problem(error, is_error=False)
    wanted = {
        inner
        for other in handler.tasks.values()
        for step in other.file.steps
        if (step.use or "").rpartition(".")[2] == template.name
        for inner in step.save_as
    }
    for index, step in enumerate(file.steps[:-1]):  # the value that the last step reads is the task's result
        for name in step.reads:
            if name not in used_names | wanted:
                error = template.error(f"reads {name!r}, and nothing uses it", ("steps", index), "a later step with it")
                yield Problem(error, is_error=False)


def _about_proof(handler: AppHandler, template: TaskTemplate) -> Iterator[Problem]:
    """Yield a warning if a task that people can ask for does not end with a proof: its runs would end as needs_review."""
    if not template.patterns:
        return
    number = len(template.file.steps) - 1
    owner: TaskModule = handler
    task, step = template, template.file.steps[number]
    may_be_skipped = step.when is not None or step.unless is not None
    while step.use is not None:
        owner, task = used_task(owner, task, len(task.file.steps) - 1)
        step = task.file.steps[-1]
        may_be_skipped = may_be_skipped or step.when is not None or step.unless is not None
    if may_be_skipped:
        text = "ends with a step that may be skipped, and then nothing proves its goal"
    elif not _proves(step) and not _is_confirmed_by_device(step):
        text = "ends with a step that proves nothing: its runs end as needs_review"
    else:
        return
    error = template.error(text, ("steps", number), "a last step with expect, such as action: check")
    yield Problem(error, is_error=False)


def _proves(step: StepFile) -> bool:
    if step.action in (ActionName.READ, ActionName.RETURN_HOME) or step.verify_ref is not None:
        return True
    expect = step.expect
    if expect is None:
        return False
    said = (expect.text, expect.gone, expect.reference, expect.switch, expect.app, expect.description)
    return any(said)


def _is_confirmed_by_device(step: StepFile) -> bool:
    """
    Return True if the phone itself confirms the key press: its volume (handeye.devices.android.volume), or which window BACK
    led to, where no more than a change is expected (handeye.run.navigation).
    """
    key = step.params.get("key", step.params.get("keycode"))
    if step.action is not ActionName.PRESS_KEY or not isinstance(key, str | int):
        return False
    try:
        code = keycode(key)
    except UsageError:
        return False
    return is_volume_key(code) or (code == KEYCODES["BACK"] and step.expect is not None and step.expect.changed)


def _about_regions(handler: AppHandler, document: Document) -> Iterator[Problem]:
    named = {
        region
        for template in handler.tasks.values()
        for step in template.file.steps
        for key in ("target", *EXPECTATION_KEYS)
        if isinstance(region := getattr(getattr(step, key), "region", None), str)
    }
    regions: Iterable[str] = (document.value or {}).get("regions") or ()
    for name in regions:
        if name not in named:
            error = document.error(f"the region {name!r} is used nowhere", ("regions", name), "a step with it")
            yield Problem(error, is_error=False)
