"""Schemas of the files of an app module: config.yaml, tasks.yaml, images/aliases.yaml, images/index.json."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    RootModel,
    Tag,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from handeye.apps.step_schema import MOST_SLOTS, RegionFile, StepFile
from handeye.apps.strict import (
    EMPTY,
    GIVEN,
    NOT_EMPTY,
    NULL,
    WHOLE,
    Fraction,
    Name,
    OneOrMore,
    Packages,
    Strict,
    Text,
    Texts,
    has_value,
    rule,
    rules,
    value_matches,
)
from handeye.documents import Location, combined_error, problem, strings
from handeye.errors import InvalidPlan
from handeye.plan import HOST, Pattern, Slot, SlotType, TextTemplate

INDEX_VERSION: Final = "1.0"

MOST_IMAGES: Final = 5000
"""Most images of one library, and names for them; a large icon set has 2000."""

MOST_TASKS: Final = 300
"""Most tasks of one module, and regions; the largest one that ships has 20 tasks."""

MOST_VALUES: Final = 1000
"""Most values of a `one_of` slot: the countries of the world, in four languages."""

STEP_LIMIT: Final = 200
"""Most steps of one plan, including those of used tasks and repetitions."""

MATCHING_LIMIT: Final = 10_000
"""Highest total cost of all patterns of a module (see `Pattern.cost`). The module with the most words has 3300."""


class ModuleConfig(Strict):
    """config.yaml. `package`: Android package names; `keywords`: words that suggest this app; `aliases`: its other names."""

    name: Name = Field(description="the folder's name")
    title: Text = Field(description="what people call the app")
    package: Packages = Field(default_factory=list, description="its Android package, or several")
    keywords: Texts = Field(default_factory=list, description="words in a task that suggest this app")
    aliases: Texts = Field(default_factory=list, description="its other names")
    description: str = Field(default="", description="what it is")


class Aliases(RootModel[Annotated[dict[str, Name], Field(max_length=MOST_IMAGES)] | None]):
    """images/aliases.yaml: alias -> name of an image. The file may be empty."""


_Pixels = Annotated[int, Field(gt=0, strict=True), WHOLE]


class IndexEntry(BaseModel):
    """
    One image. `resolution` (width, height in pixels of the screen it was cut from) and `position` (left, top, right, bottom
    there, as fractions) tell where to search first. A variant has a separate entry, under its file's name.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    path: str = Field(description="the file, from the folder of the index")
    aliases: list[str] = Field(default_factory=list, description="what people call it")
    description: str = Field(default="", description="what it shows")
    package: str | None = Field(default=None, description="the app that it is of")
    resolution: tuple[_Pixels, _Pixels] | None = Field(
        default=None, description="width and height in pixels of the screen that it was cut from"
    )
    position: tuple[Fraction, Fraction, Fraction, Fraction] | None = Field(
        default=None, description="where it stood there: left, top, right, bottom as fractions"
    )
    exists: Annotated[bool, Field(strict=True)] = Field(default=True, description="whether the file is there")

    @field_validator("position")
    @classmethod
    def _is_a_box(cls, position: tuple[float, float, float, float] | None) -> tuple[float, float, float, float] | None:
        if position and not (position[0] < position[2] and position[1] < position[3]):
            raise problem(f"position {list(position)} is empty", expected="left < right, and top < bottom")
        return position


_Entries = Annotated[dict[str, IndexEntry], Field(max_length=MOST_IMAGES)]


class IndexFile(BaseModel):
    """images/index.json, of a module or an assets library: the images by kind."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    version: str = INDEX_VERSION
    icons: _Entries = Field(default_factory=dict)
    ui: _Entries = Field(default_factory=dict)
    states: _Entries = Field(default_factory=dict)
    custom: _Entries = Field(default_factory=dict)


def _values_form(value: Any) -> str:
    return "<keys>" if isinstance(value, dict) else "<list>"


_Values = Annotated[
    Annotated[dict[str, str], Field(max_length=MOST_VALUES), Tag("<keys>")]
    | Annotated[list[str], Field(max_length=MOST_VALUES), Tag("<list>")],
    Discriminator(_values_form),
]
"""Accepted wording -> value, or a list. The form is decided first, so that errors are about one of them."""


class SlotFile(Strict):
    """Type and limits of a slot. `values` are for `one_of`: a list, or accepted wording -> value."""

    model_config = ConfigDict(
        json_schema_extra=rules(
            rule(
                has_value("type", "one_of"),
                {"required": ["values"], **value_matches("values", {**GIVEN, **NOT_EMPTY})},
                value_matches("values", EMPTY),
            ),
            rule(has_value("type", "number"), {}, {"properties": {"minimum": NULL, "maximum": NULL}}),
        )
    )

    type: Literal["text", "name", "label", "number", "phone", "url", "one_of"] = Field(
        default="text", description="what it takes"
    )
    values: _Values | None = Field(default=None, description="for one_of: a list, or what may be said -> what it means")
    default: str | None = Field(default=None, description="its value where a phrasing has no such slot")
    max_length: Annotated[int, Field(ge=1, le=20_000), WHOLE] | None = Field(default=None, description="characters")
    minimum: float | None = Field(default=None, description="for a number")
    maximum: float | None = Field(default=None, description="for a number")

    @model_validator(mode="after")
    def _fits(self) -> SlotFile:
        if (self.type == "one_of") != bool(self.values):
            raise problem("type and values do not fit", expected="values for type one_of, and only for it", key="type")
        if self.type != "number" and (self.minimum is not None or self.maximum is not None):
            key = "minimum" if self.minimum is not None else "maximum"
            raise problem(f"{key} is for numbers, and the type is {self.type}", expected="type: number", key=key)
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise problem("minimum is more than maximum: no number fits", expected="the smaller one", key="minimum")
        if self.default is not None and not self._takes(self.default):
            raise problem(f"the default {self.default!r} is nothing that this slot takes", key="default")
        return self

    def _takes(self, default: str) -> bool:
        """Return True if a default, which is a value and not its wording, is valid for this slot."""
        slot = self.slot()
        if slot.type is SlotType.ONE_OF:
            return default in slot.one_of.values()
        return slot.accept(default, quoted=True) is not None

    def slot(self) -> Slot:
        """Return the slot as a value."""
        values = self.values or {}
        spoken = values if isinstance(values, dict) else {value: value for value in values}
        return Slot(SlotType(self.type), spoken, self.default, self.max_length, self.minimum, self.maximum)


def _readable(patterns: list[str]) -> list[str]:
    found: list[PydanticCustomError] = []
    for number, source in enumerate(patterns):
        try:
            Pattern.parse(source)
        except InvalidPlan as error:
            found.append(problem(str(error), expected="words with slots, such as 打开{app}", key=(number,)))
    if found:
        raise combined_error(found)
    return patterns


class TaskFile(Strict):
    """One task. Without patterns it can only be used by other tasks."""

    name: Name
    patterns: Annotated[OneOrMore, AfterValidator(_readable)] = Field(
        default_factory=list, description="what people say: {slot}, (this|that), [perhaps]"
    )
    slots: Annotated[dict[Name, SlotFile], Field(max_length=MOST_SLOTS)] = Field(
        default_factory=dict, description="what each {slot} takes"
    )
    steps: Annotated[list[StepFile], Field(min_length=1, max_length=STEP_LIMIT)] = Field(
        description="what is done, in order"
    )
    current_screen: str = Field(default="", description="where it begins")
    target_state: str = Field(default="", description="where it ends")
    success_criteria: str = Field(default="", description="what has come about then")
    potential_issues: Texts = Field(default_factory=list, description="what may be in the way")

    @model_validator(mode="after")
    def _slots_fit(self) -> TaskFile:
        kinds = {name: spec.slot() for name, spec in self.slots.items()}
        hosts = {name + HOST for name, kind in kinds.items() if kind.type is SlotType.URL}
        found = [*self._about_patterns(kinds), *self._about_steps(kinds, hosts)]
        for where, text in strings(self.model_dump(exclude={"name", "patterns", "slots", "steps"})):
            found += _about_text(text, where, kinds.keys() | hosts, kinds)
        if found:
            raise combined_error(found)
        return self

    def _about_patterns(self, kinds: Mapping[str, Slot]) -> Iterator[PydanticCustomError]:
        for number, source in enumerate(self.patterns):
            pattern, here = Pattern.parse(source, kinds), ("patterns", number)
            for undeclared in sorted(pattern.slots - kinds.keys()):
                yield problem(
                    f"pattern {source!r} has the slot {undeclared!r}, which slots does not describe",
                    expected=f"slots: {{{undeclared}: {{type: text}}}}",
                    key=here,
                )
            for unsure in sorted(name for name in kinds.keys() - pattern.certain if kinds[name].default is None):
                yield problem(
                    f"pattern {source!r} may leave the slot {unsure!r} without a value",
                    expected="the slot in every wording, or a default for it",
                    key=here,
                )

    def _about_steps(self, kinds: Mapping[str, Slot], hosts: Set[str]) -> Iterator[PydanticCustomError]:
        """Yield problems of the steps: a name in a text must be a slot, or have been read in an earlier step."""
        known = kinds.keys() | hosts
        later = {name for step in self.steps for name in step.reads}
        for number, step in enumerate(self.steps):
            here = ("steps", number)
            for where, text in step.texts():
                yield from _about_text(text, (*here, *where), known, kinds, later - known)
            for name in step.reads:
                if name in known:
                    yield problem(
                        f"{name!r} is there already, as a slot or an earlier value",
                        expected="a name of its own",
                        key=(*here, "params" if step.use is None else "save_as"),
                    )
            known = known | set(step.reads)


def _about_text(
    text: str, where: Location, known: Set[str], kinds: Mapping[str, Slot], later: Set[str] = frozenset()
) -> list[PydanticCustomError]:
    try:
        unknown = sorted(TextTemplate.parse(text).slots - known)
    except InvalidPlan as error:
        return [problem(str(error), expected="{slot}, or {{ for a brace", key=where)]
    slots = f"a slot of this task: {', '.join(kinds)}" if kinds else "slots, in which this task describes it"
    return [
        problem(f"{name!r} in {text!r} is read only in a later step", expected="a read step before this one", key=where)
        if name in later
        else problem(f"unknown slot {name!r} in {text!r}", expected=slots, key=where)
        for name in unknown
    ]


class TasksFile(Strict):
    """tasks.yaml. `regions` names parts of the screen."""

    regions: Annotated[dict[Name, RegionFile], Field(max_length=MOST_TASKS)] = Field(default_factory=dict)
    tasks: Annotated[list[TaskFile], Field(max_length=MOST_TASKS)] = Field(default_factory=list)

    @model_validator(mode="after")
    def _names(self) -> TasksFile:
        found: list[PydanticCustomError] = []
        seen: set[str] = set()
        cost = 0
        for number, task in enumerate(self.tasks):
            if task.name in seen:
                here = ("tasks", number, "name")
                found.append(problem(f"there are two tasks named {task.name!r}", expected="each name once", key=here))
            seen.add(task.name)
            found += self._about_regions(task, ("tasks", number))
            cost += sum(Pattern.parse(source).cost for source in task.patterns)
            if cost > MATCHING_LIMIT:
                text = "patterns up to here have too many words and slots together"
                found.append(problem(text, expected="fewer patterns", key=("tasks", number, "patterns")))
                break
        if found:
            raise combined_error(found)
        return self

    def _about_regions(self, task: TaskFile, here: Location) -> Iterator[PydanticCustomError]:
        for index, step in enumerate(task.steps):
            for key in ("target", "expect", "guard", "when", "unless"):
                region: Any = getattr(getattr(step, key), "region", None)
                if isinstance(region, str) and region not in self.regions:
                    known = f", or one of {', '.join(self.regions)}" if self.regions else ""
                    yield problem(
                        f"unknown region {region!r}",
                        expected=f"[left, top, right, bottom]{known}",
                        key=(*here, "steps", index, key, "region"),
                    )
