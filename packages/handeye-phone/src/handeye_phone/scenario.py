"""Scenarios of the virtual phone: named disturbances, combinations of them, and scenario files."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from handeye.documents import read_yaml
from handeye.errors import ConfigError, UsageError
from handeye_phone.system.texts import LANGUAGES


class ScenarioError(UsageError):
    """A scenario's name, file or value that cannot be used."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """Disturbances of one phone. The default disturbs nothing."""

    app: str = "com.tencent.mm"  # the package that the app disturbances below apply to
    permission_dialog: bool = False  # a permission request when the app opens, once per set_scenario
    permission: str = "location"  # requested permission: "location", or "photos" with Android 14's choice
    permission_needed: bool = False  # the request comes each time the app opens; a refusal closes the app
    advert: bool = False  # an advert card with a small ✕ each time the app opens
    countdown_s: int = (
        0  # seconds of a full-screen advert each time the app opens; it can be skipped 3 s before its end
    )
    language: str = "zh"  # language of system dialogs and adverts; one of LANGUAGES
    loading_ms: int = 0  # seconds of a spinner when an app or a chat opens
    keyboard_covers: bool = False  # the keyboard lies over the lower third; the app does not make room
    dark: bool = False
    density: int | None = None  # dots per inch instead of the display's own
    rotation: int = 0  # quarter turns, 0..3
    sdk: int = 34  # the version of Android: 34 is 14, 24 is 7.0, whose `screencap` does not turn the picture
    asleep: bool = False  # the display is off when the scenario begins
    lock: str = ""  # the lock screen that is up when the scenario begins, and after each sleep: "swipe" or "code"
    floating: str = ""  # overlay on the app in front: a chat's "bubble", or another app's "picture" in picture
    shade: bool = False  # the notification shade is pulled down when the scenario begins
    users: tuple[int, ...] = ()  # users besides 0, for whom the app and the browser are installed too
    only_other_users: bool = False  # the app is not installed for user 0
    second_display: str = ""  # "lit" or "dark"; "cover": it alone is lit; "folded": the picture is on the second panel
    protected: bool = False  # apps forbid pictures of their windows
    not_responding: bool = False  # the app "isn't responding" each time it opens
    capture_ms: tuple[int, int] = (0, 0)  # extra time of each screencap, uniform in the range
    tap_ms: int = 0  # extra time of each `input` command
    adb_keyboard: bool = True  # False: com.android.adbkeyboard is not installed
    tree_fails: str = ""  # why `uiautomator dump` fails: "killed", or "taken" by another tool
    ime_forbidden: bool = False  # the `ime` command is refused to the shell, as some makers do
    field_format: str = ""  # reformatting by text fields: "groups" of four digits, or "capitals"
    field_class: str = ""  # the class of text fields, in place of EditText: "AutoCompleteTextView"
    debug_page: bool = False  # the app has a second start page, of a debug tool
    never_idle: bool = False  # `uiautomator dump` fails with "could not get idle state"
    drop_link_s: float = 0.0  # the link is dropped for so many seconds ...
    drop_after: int = 0  # ... after so many commands
    crash_after_taps: int = 0  # so many taps after the app opened it crashes to the launcher, once
    missing_contacts: tuple[str, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            expected, fits = _EXPECTED[field.name]
            if not fits(value):
                raise ScenarioError(f"scenario: {field.name}={value!r:.120}: expected {expected}")

    @classmethod
    def combine(cls, *names: str) -> Scenario:
        """Combine named scenarios; of two that set the same field, the later one wins."""
        merged: dict[str, Any] = {}
        calm = cls()
        for name in names:
            scenario = SCENARIOS.get(name)
            if scenario is None:
                raise ScenarioError(f"no scenario {name!r:.120}; there are: {', '.join(SCENARIOS)}")
            for field in dataclasses.fields(cls):
                value = getattr(scenario, field.name)
                if value != getattr(calm, field.name):
                    merged[field.name] = value
        return cls(**merged)

    @classmethod
    def parse(cls, text: str) -> Scenario:
        """Parse names separated by commas (`"permission,advert,dark"`); empty text is no disturbance."""
        return cls.combine(*(name.strip() for name in text.split(",") if name.strip()))

    @classmethod
    def from_mapping(cls, values: object, *, where: str = "scenario") -> Scenario:
        """Make a scenario from the keys and values of a YAML or JSON file. `where` names the source in errors."""
        if not isinstance(values, Mapping):
            raise ScenarioError(f"{where}: expected keys and values such as 'dark: true', got {values!r:.120}")
        named = values.get("names", [])
        if not isinstance(named, list) or not all(isinstance(name, str) for name in named):
            raise ScenarioError(f"{where}: names={named!r:.120}: expected a list of scenario names")
        try:
            base = cls.combine(*named)
        except ScenarioError as error:
            raise ScenarioError(f"{where}: names: {error}") from error
        changes: dict[str, Any] = {}
        for key, value in values.items():
            if key == "names":
                continue
            if key not in _EXPECTED:
                raise ScenarioError(f"{where}: unknown key {key!r}; expected one of {', '.join(_EXPECTED)}")
            if isinstance(value, list):
                value = tuple(value)
            expected, fits = _EXPECTED[key]
            if not fits(value):
                raise ScenarioError(f"{where}: {key}={value!r:.120}: expected {expected}")
            changes[key] = value
        return dataclasses.replace(base, **changes)

    @classmethod
    def load(cls, path: str | Path) -> Scenario:
        """Read a YAML or JSON file: the fields above, plus `names:` to start from named scenarios."""
        try:
            values = read_yaml(Path(path)).value  # JSON is YAML as well
        except ConfigError as error:
            raise ScenarioError(str(error)) from error
        return cls.from_mapping({} if values is None else values, where=str(path))

    def to_dict(self) -> dict[str, Any]:
        """Return keys and values as `from_mapping` reads them."""
        values = dataclasses.asdict(self)
        return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}


def _is_int(low: int, high: int) -> Callable[[object], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_range(value: object) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and all(type(ms) is int and 0 <= ms <= _MINUTE_MS for ms in value)
        and value[0] <= value[1]
    )


_PACKAGE: Final = re.compile(r"[A-Za-z]\w*(?:\.[A-Za-z]\w*)+", re.ASCII)
_MINUTE_MS: Final = 60_000  # longer delays would look like a hang
_MS: Final = ("milliseconds from 0 to 60000", _is_int(0, _MINUTE_MS))
_YES_NO: Final = ("true or false", _is_bool)
_COUNT: Final = ("a whole number from 0 to 1000000", _is_int(0, 1_000_000))
_EXPECTED: Final[dict[str, tuple[str, Callable[[Any], bool]]]] = {
    "app": ("an app's package", lambda value: isinstance(value, str) and bool(_PACKAGE.fullmatch(value))),
    "permission_dialog": _YES_NO,
    "permission": ('"location" or "photos"', lambda value: value in ("location", "photos")),
    "permission_needed": _YES_NO,
    "advert": _YES_NO,
    "countdown_s": ("whole seconds from 0 to 60", _is_int(0, 60)),
    "language": (f"one of {', '.join(LANGUAGES)}", lambda value: isinstance(value, str) and value in LANGUAGES),
    "loading_ms": _MS,
    "keyboard_covers": _YES_NO,
    "dark": _YES_NO,
    # Android's own limit is 72; beyond 800 nothing fits a 1080 pixel wide screen.
    "density": ("dots per inch from 120 to 800, or null", lambda value: value is None or _is_int(120, 800)(value)),
    "rotation": ("quarter turns from 0 to 3", _is_int(0, 3)),
    "sdk": ("a version of Android's SDK from 21 to 36", _is_int(21, 36)),
    "asleep": _YES_NO,
    "lock": ('"swipe", "code" or "" for none', lambda value: value in ("", "swipe", "code")),
    "floating": ('"bubble", "picture" or "" for neither', lambda value: value in ("", "bubble", "picture")),
    "shade": _YES_NO,
    "users": (
        "a list of numbers of users from 1 to 999",
        lambda value: isinstance(value, tuple) and all(map(_is_int(1, 999), value)),
    ),
    "only_other_users": _YES_NO,
    "second_display": (
        '"lit", "dark", "cover", "folded" or "" for none',
        lambda value: value in ("", "lit", "dark", "cover", "folded"),
    ),
    "protected": _YES_NO,
    "not_responding": _YES_NO,
    "capture_ms": ("two milliseconds, the lower first, up to 60000", _is_range),
    "tap_ms": _MS,
    "adb_keyboard": _YES_NO,
    "tree_fails": ('"killed", "taken" or "" for neither', lambda value: value in ("", "killed", "taken")),
    "ime_forbidden": _YES_NO,
    "field_format": ('"groups", "capitals" or "" for neither', lambda value: value in ("", "groups", "capitals")),
    "field_class": (
        '"AutoCompleteTextView", "MultiAutoCompleteTextView" or "" for EditText',
        lambda value: value in ("", "AutoCompleteTextView", "MultiAutoCompleteTextView"),
    ),
    "debug_page": _YES_NO,
    "never_idle": _YES_NO,
    "drop_link_s": (
        "seconds from 0 to 600",
        lambda value: isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 600,
    ),
    "drop_after": _COUNT,
    "crash_after_taps": _COUNT,
    "missing_contacts": (
        "a list of contacts' names",
        lambda value: isinstance(value, tuple) and all(isinstance(name, str) for name in value),
    ),
    "seed": ("a whole number", lambda value: type(value) is int),
}

SCENARIOS: Final[dict[str, Scenario]] = {
    "calm": Scenario(),
    "permission": Scenario(permission_dialog=True),
    "permission-needed": Scenario(permission_needed=True),
    "photo-choice": Scenario(permission_dialog=True, permission="photos"),
    "advert": Scenario(advert=True),
    "countdown": Scenario(countdown_s=5),
    "loading": Scenario(loading_ms=1500),
    "keyboard": Scenario(keyboard_covers=True),
    "dark": Scenario(dark=True),
    "density": Scenario(density=320),
    "rotation": Scenario(rotation=1),
    "android-7": Scenario(sdk=24, rotation=1),
    "asleep": Scenario(asleep=True),
    "locked": Scenario(asleep=True, lock="swipe"),
    "locked-with-code": Scenario(asleep=True, lock="code"),
    "bubble": Scenario(floating="bubble"),
    "picture-in-picture": Scenario(floating="picture"),
    "shade": Scenario(shade=True),
    "work-profile": Scenario(users=(10,)),
    "cloned-app": Scenario(users=(999,)),
    "only-in-work-profile": Scenario(users=(10,), only_other_users=True),
    "second-display": Scenario(second_display="lit"),
    "dark-second-display": Scenario(second_display="dark"),
    "cover-display": Scenario(second_display="cover"),
    "folded": Scenario(second_display="folded"),
    "protected": Scenario(protected=True),
    "not-responding": Scenario(not_responding=True),
    "english": Scenario(language="en"),
    "german": Scenario(language="de"),
    "spanish": Scenario(language="es"),
    "french": Scenario(language="fr"),
    "russian": Scenario(language="ru"),
    "japanese": Scenario(language="ja"),
    "arabic": Scenario(language="ar"),
    "slow-capture": Scenario(capture_ms=(300, 2000)),
    "slow-taps": Scenario(tap_ms=400),
    "no-adbkeyboard": Scenario(adb_keyboard=False),
    "uiautomator-killed": Scenario(tree_fails="killed"),
    "uiautomator-taken": Scenario(tree_fails="taken"),
    "ime-forbidden": Scenario(ime_forbidden=True),
    "grouping-fields": Scenario(field_format="groups"),
    "capital-fields": Scenario(field_format="capitals"),
    "completing-fields": Scenario(field_class="AutoCompleteTextView"),
    "debug-page": Scenario(debug_page=True),
    "never-idle": Scenario(never_idle=True),
    "drop-link": Scenario(drop_link_s=3.0, drop_after=20),
    "crash": Scenario(crash_after_taps=3),
    "contact-missing": Scenario(missing_contacts=("张三",)),
}
