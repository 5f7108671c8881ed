"""
Memory of plans that worked: one readable file for each app module, which a team can edit and commit.

A file holds plans that a model made and a run proved. A plan from it is not trusted: it is checked against the task again
before use (see `handeye.plan.planner.planner`).
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from handeye.clock import Clock, Deadline, SystemClock
from handeye.devices import DeviceLock
from handeye.documents import SIZE_LIMIT, Document, problem, read_yaml, validate_as_json, write_yaml
from handeye.errors import ConfigError, DeviceBusy, InvalidPlan, UsageError, WriteFailed
from handeye.files import write_bytes
from handeye.geometry import Size
from handeye.plan.base import ActionName, PlanOrigin, StepPlan, TaskPlan
from handeye.plan.serialization import is_secret, plan_to_dict, with_templates
from handeye.plan.validation import problems
from handeye.trusted_files import is_trusted, own_change

CacheMode = Literal["read-write", "read-only", "off"]
MODES: Final[tuple[CacheMode, ...]] = get_args(CacheMode)

PROJECT_FOLDER: Final = Path(".handeye") / "plans"
"""A team's plans, in the folder where the command runs. Used if it exists and is trusted (`handeye.trusted_files`)."""

MOST_PLANS: Final = 100
"""Most plans of one file; the oldest are dropped first. A plan of six steps takes 1.5 kB, and a file should stay readable."""

LOCK_SECONDS: Final = 5.0
"""Longest wait while another run writes the same file; that takes milliseconds."""

LOCK_POLL_S: Final = 0.02

_REMEDY: Final = "give another folder, or remember no plans"
_VERSION: Final = 1
_HEADER: Final = """\
# Plans that have worked, kept by Handeye so that no model has to be asked again. Edit or delete them as you like (remarks are
# not kept when a plan is added). A plan that fails is removed. What a plan types, calls and opens must stand in its task.
"""
# A task that names a secret may contain it, so it is not stored.
_SECRETS: Final = re.compile(
    r"密码|口令|验证码|校验码|身份证|银行卡|卡号|passwor[dt]|passcode|\bpin\b|\botp\b|\bcvv\b|verification code|security code|"
    r"one-time|credit card|\biban\b",
    re.IGNORECASE,
)
# Labels that dismiss a pop-up: a step on such a control is momentary even if its model did not mark it.
_DISMISSING: Final = re.compile(
    r"(?:关闭|跳过|知道了|稍后|以后再说|暂不|不再提示|取消|✕|×|\bx|close|skip|dismiss|not now|later|got it|no,? thanks|cancel"
    r"|\bok)\W*\Z",
    re.IGNORECASE,
)
# A plan that begins with one of these works from any screen; one that was made on the home screen works from there.
_FROM_ANYWHERE: Final = frozenset({ActionName.GO_HOME, ActionName.LAUNCH_APP, ActionName.OPEN_URL, ActionName.CALL})
_AT_HOME: Final = re.compile(r"桌面|主屏|home ?screen|launcher", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PlanKey:
    """
    Key of a remembered plan: the whole task text, the app module, the app's version and the screen's size in pixels (each None
    if unknown).
    """

    task: str
    module: str
    version: str | None = None
    size: Size | None = None

    @classmethod
    def of(cls, task: str, module: str, version: str | None, size: Size | None) -> PlanKey:
        return cls(normalised(task), module, version, size)


def normalised(task: str) -> str:
    """Return the task as a lookup key: NFC-normalised and stripped. All else may be part of a message and stays."""
    return unicodedata.normalize("NFC", task).strip()


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    task: Annotated[str, Field(min_length=1)]
    app_version: str | None = None
    screen: tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]] | None = None
    plan: TaskPlan

    @model_validator(mode="after")
    def _can_be_carried_out(self) -> _Entry:
        for found in problems(self.plan):
            where = ("plan", "steps", found.step - 1) if found.step else ("plan",)
            raise problem(str(found), expected="a plan as Handeye writes it", key=where)
        return self

    def is_for(self, key: PlanKey) -> bool:
        return (normalised(self.task), self.app_version, self.screen) == (key.task, key.version, key.size)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    version: Literal[1]
    plans: list[_Entry] = Field(default_factory=list)


Change = Callable[[Sequence[_Entry]], list[_Entry]]


class PlanMemory:
    """
    The plans in `folder`, one file for each module. Safe to share between threads and processes: a write merges what others
    have written meanwhile.

    `mode` "read-only" offers plans and changes no file; a plan that failed is not offered again by this memory. `private`
    makes the files readable by their owner only: tasks contain names and messages. Every method raises ConfigError, with file
    and line, for an invalid file, and does not change it.
    """

    def __init__(
        self, folder: Path, mode: CacheMode = "read-write", *, private: bool = False, clock: Clock | None = None
    ) -> None:
        if mode not in MODES:
            raise UsageError(f"plans are remembered {', '.join(MODES)}; not {mode!r}")
        self.folder, self.mode, self._private = folder, mode, private
        self._clock = clock or SystemClock()
        self._failed: set[PlanKey] = set()
        self._seen: dict[Path, tuple[tuple[int, int, int], list[_Entry]]] = {}
        self._lock = threading.Lock()

    def recall(self, key: PlanKey) -> TaskPlan | None:
        """Return the plan that worked for this key, or None."""
        if self.mode == "off" or key in self._failed:
            return None
        return next((entry.plan for entry in self._read(self._path(key)) if entry.is_for(key)), None)

    def knows(self, task: str, module: str) -> bool:
        """Return True if there is a plan for this task, for any version and size: then `recall` is worth a screenshot."""
        if self.mode == "off":
            return False
        words = normalised(task)
        return any(normalised(entry.task) == words for entry in self._read(self.folder / f"{module}.yaml"))

    def keep(self, key: PlanKey, plan: TaskPlan) -> bool:
        """
        Remember a plan whose goal was proved; return False if it may not be stored (see `storable_plan`). Also raises
        WriteFailed.
        """
        if self.mode != "read-write" or (kept := storable_plan(key.task, plan)) is None:
            return False
        self._failed.discard(key)
        entry = _Entry(task=key.task, app_version=key.version, screen=key.size, plan=kept)
        self._change(key, lambda entries: [*_without(entries, key), entry])
        return True

    def drop(self, key: PlanKey) -> None:
        """Forget a plan that failed. Also raises WriteFailed."""
        self._failed.add(key)
        if self.mode == "read-write":
            self._change(key, lambda entries: _without(entries, key))

    def _path(self, key: PlanKey) -> Path:
        return self.folder / f"{key.module}.yaml"

    def _read(self, path: Path) -> list[_Entry]:
        """Return the entries of the file; cached while the file is unchanged, because 100 plans take 0.1 s to read."""
        try:
            found = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise ConfigError(f"cannot be read: {error.strerror}", file=path, expected="a readable file") from error
        stamp = (found.st_ino, found.st_mtime_ns, found.st_size)
        known = self._seen.get(path)
        if known is None or known[0] != stamp:
            known = self._seen[path] = (stamp, _entries(read_yaml(path)))
        return known[1]

    def _change(self, key: PlanKey, change: Change) -> None:
        """Read, change and write atomically among all threads and processes."""
        path = self._path(key)
        with self._lock, self._folder_lock():
            before = self._read(path)
            after = change(before)
            if after == before:
                return
            own: AbstractContextManager[list[Path]] = nullcontext([]) if self._private else own_change(self.folder)
            with own as written:
                written.append(write_bytes(path, _written(after), private=self._private, remedy=_REMEDY))

    @contextmanager
    def _folder_lock(self) -> Iterator[None]:
        """Hold the lock of the folder, named by its path and shared by all processes; wait for others that write."""
        deadline = Deadline(self._clock, LOCK_SECONDS)
        lock = DeviceLock(f"plans:{self.folder.resolve()}")
        while True:
            try:
                lock.__enter__()
            except DeviceBusy as error:
                if deadline.passed:
                    raise WriteFailed(self.folder, error, _REMEDY) from error
                deadline.pause(LOCK_POLL_S)
                continue
            break
        try:
            yield
        finally:
            lock.__exit__(None, None, None)


def default_memory(mode: CacheMode = "read-write") -> PlanMemory | None:
    """
    Return the team's memory if the folder PROJECT_FOLDER exists and is trusted; else this user's, next to the cached places
    (see `handeye.locate.sources.cache_files.cache_folder`). None if HANDEYE_CACHE is off and there is no team's memory.
    """
    if PROJECT_FOLDER.is_dir() and is_trusted(PROJECT_FOLDER):
        return PlanMemory(PROJECT_FOLDER, mode)
    from handeye.locate import cache_folder  # imported late: it loads the image libraries

    folder = cache_folder()
    return PlanMemory(folder / "plans", mode, private=True) if folder is not None else None


def storable_plan(task: str, plan: TaskPlan) -> TaskPlan | None:
    """
    Return the part of a plan that may be remembered, or None if it must not be: no model made it, it contains a secret or its
    task seems to, it works only from the screen that it was made on, or it dismisses a pop-up without marking that step.

    Steps that dismissed a pop-up and the model's words about that screen apply only to that moment and are left out.
    """
    if plan.origin is not PlanOrigin.MODEL or any(map(is_secret, plan.steps)) or _SECRETS.search(task):
        return None
    steps = [step for step in plan.steps if not step.momentary]
    if not steps or any(_may_dismiss(step, task) for step in steps):
        return None
    if steps[0].action not in _FROM_ANYWHERE:
        if not _AT_HOME.search(str(plan.analysis.get("current_screen", ""))):
            return None
        steps.insert(0, StepPlan(1, ActionName.GO_HOME))
    analysis = {name: value for name, value in plan.analysis.items() if name == "target_state"}
    numbered = tuple(replace(step, step=number) for number, step in enumerate(steps, 1))
    return replace(plan, analysis=analysis, steps=numbered, potential_issues=(), module="", origin=PlanOrigin.MEMORY)


def _may_dismiss(step: StepPlan, task: str) -> bool:
    """Return True if the label of a step's control dismisses something, and the task does not contain that label."""
    wanted = step.wanted if step.action in (ActionName.TAP, ActionName.LONG_PRESS) else None
    if wanted is None:
        return False
    found = (
        _DISMISSING.search(words.replace("_", " "))
        for words in (wanted.text, wanted.reference, wanted.description)
        if words
    )
    return any(each is not None and each[0].strip().casefold() not in task.casefold() for each in found)


def _entries(document: Document) -> list[_Entry]:
    value = document.value
    if not isinstance(value, Mapping):
        raise document.error("has no plans", (), f"version: {_VERSION} and plans")
    if value.get("version") != _VERSION:
        raise document.error(f"has version {value.get('version')!r}", ("version",), f"version: {_VERSION}")
    listed = value.get("plans")
    if isinstance(listed, list):
        value = {**value, "plans": [_readable(document, number, entry) for number, entry in enumerate(listed)]}
    return validate_as_json(document, _File, value).plans


def _readable(document: Document, number: int, entry: object) -> object:
    """Return the entry with its texts of late values parsed as templates."""
    if not isinstance(entry, Mapping):
        return entry
    try:
        return {**entry, "plan": with_templates(entry.get("plan"))}
    except InvalidPlan as error:
        raise document.error(str(error), ("plans", number, "plan"), "{name} for a value, {{ for a brace") from error


def _without(entries: Sequence[_Entry], key: PlanKey) -> list[_Entry]:
    return [entry for entry in entries if not entry.is_for(key)]


def _written(entries: Sequence[_Entry]) -> bytes:
    """Return the file's content with as many of the newest entries as it may have."""
    kept = [_plain(entry) for entry in entries[-MOST_PLANS:]]
    while len(content := _document(kept)) > SIZE_LIMIT and kept:
        del kept[0]
    return content


def _document(entries: Sequence[Mapping[str, Any]]) -> bytes:
    text = _HEADER + write_yaml({"version": _VERSION, "plans": list(entries)})
    return text.encode("utf-8", "replace")


def _plain(entry: _Entry) -> dict[str, Any]:
    key: dict[str, Any] = {"task": entry.task}
    if entry.app_version is not None:
        key["app_version"] = entry.app_version
    if entry.screen is not None:
        key["screen"] = list(entry.screen)
    plan = plan_to_dict(entry.plan)
    return {**key, "plan": {name: value for name, value in plan.items() if name not in ("module", "origin")}}
