"""Check the tasks that a task uses, and the values that are read during a run, before the device is touched."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Final

from handeye.apps.schema import STEP_LIMIT
from handeye.apps.step_schema import StepFile
from handeye.apps.tasks import INCLUDE_LIMIT, TaskModule, TaskTemplate, used_task
from handeye.documents import Location
from handeye.errors import ConfigError
from handeye.plan import SlotType, TextTemplate
from handeye.target import TEXT

RUNTIME_VALUE_PLACES: Final = frozenset(
    {
        ("params", "text"),
        ("target", "text"),
        ("expect", "text"),
        ("expect", "gone"),
        ("guard", "text"),
        ("guard", "gone"),
        ("description",),
    }
)
"""Places in which a value that is read during the run may be used: it is typed, searched for and compared. It never decides
on an app, an address, an image or whether a step is done: the screen is untrusted data."""

_LATE_TYPES: Final = frozenset({SlotType.TEXT, SlotType.NAME, SlotType.LABEL})
_NONE: Final[frozenset[str]] = frozenset()


def use_problems(handler: TaskModule, template: TaskTemplate) -> Iterator[ConfigError]:
    """Yield the problems of the tasks that `template` uses, recursively, and of the values it reads."""
    return _Uses().problems(handler, template, _NONE, (), 1)


def check_uses(handler: TaskModule, template: TaskTemplate) -> None:
    """Raise the first of `use_problems`."""
    for problem in use_problems(handler, template):
        raise problem


def _late_problems(template: TaskTemplate, index: int, step: StepFile, late: Set[str]) -> Iterator[ConfigError]:
    for where, text in step.texts():
        names = sorted(TextTemplate.parse(text).slots & late)
        if names and not (
            where in RUNTIME_VALUE_PLACES or where[0] == "args" or (where == ("target",) and text.startswith(TEXT))
        ):
            yield template.error(
                f"puts {names[0]!r}, which is read on the way, into {'.'.join(map(str, where))}",
                ("steps", index, *where),
                "it only in texts that are typed, looked for or compared: "
                + ", ".join(sorted(".".join(place) for place in RUNTIME_VALUE_PLACES)),
            )


class _Uses:
    """
    Checks a task with all that it uses. Counts the resulting steps and stops where they are too many: ten lines can ask for a
    hundred million.
    """

    def __init__(self) -> None:
        self._steps = 0

    def problems(
        self, handler: TaskModule, template: TaskTemplate, late: Set[str], trail: tuple[TaskTemplate, ...], times: int
    ) -> Iterator[ConfigError]:
        """
        Yield the problems of `template`, whose steps are inserted `times` at this place; `late` are those of its slots that
        get a value only during the run.
        """
        known = set(late)
        for index, step in enumerate(template.file.steps):
            yield from _late_problems(template, index, step, known)
            if step.use is None:
                self._steps += times * step.repeat
            else:
                yield from self._used(handler, template, index, known, trail, times * step.repeat)
            if self._steps > STEP_LIMIT:
                break
            known |= set(step.reads)
        else:
            yield from _conditional_reads(template)
        if self._steps > STEP_LIMIT and not trail:
            yield template.error(f"has more than {STEP_LIMIT} steps, with those of used tasks", (), "fewer of them")

    def _used(
        self,
        handler: TaskModule,
        template: TaskTemplate,
        index: int,
        late: Set[str],
        trail: tuple[TaskTemplate, ...],
        times: int,
    ) -> Iterator[ConfigError]:
        step = template.file.steps[index]
        try:
            owner, other = used_task(handler, template, index)
        except ConfigError as error:
            self._steps += 1
            yield error
            return
        if other is template or other in trail or len(trail) == INCLUDE_LIMIT:
            self._steps += 1
            yield template.error(
                f"uses {step.use!r} in a circle, or more than {INCLUDE_LIMIT} deep",
                ("steps", index, "use"),
                "tasks that do not use each other in turn",
            )
            return
        waiting = {name for name, text in step.args.items() if TextTemplate.parse(text).slots & late}
        for name in sorted(waiting):
            if (kind := other.slots[name].type) not in _LATE_TYPES:
                yield template.error(
                    f"gives {step.use!r} as {name} a value that is read on the way; it takes a {kind.value}",
                    ("steps", index, "args", name),
                    "such a value only for slots of type text, name or label",
                )
        yield from self.problems(owner, other, waiting, (*trail, template), times)


def _conditional_reads(template: TaskTemplate) -> Iterator[ConfigError]:
    """Yield uses of a value that is read under a condition only, and so may be missing."""
    doubtful: set[str] = set()
    for index, step in enumerate(template.file.steps):
        for where, text in step.texts():
            for name in sorted(TextTemplate.parse(text).slots & doubtful):
                here: Location = ("steps", index, *where)
                yield template.error(
                    f"needs {name!r}, which is read only under a condition", here, "a read step without when and unless"
                )
        if step.when is not None or step.unless is not None:
            doubtful |= set(step.reads)
