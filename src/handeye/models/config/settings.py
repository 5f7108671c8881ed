"""Variables of the environment and of a `.env` file; their values are hidden in messages."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from handeye.errors import ConfigError
from handeye.files import read_regular
from handeye.models.config.secret import MASK, TELLTALE, redacted_excerpt
from handeye.trusted_files import reason_for_distrust, warn_if_untrusted

Number = TypeVar("Number", int, float, float | None)

ENVIRONMENT: Final = "environment"
DEFAULT_FILE: Final = ".env"
DOTENV: Final = "HANDEYE_DOTENV"
"""Variable that names another file than `.env`; empty for none."""

# Size limit in bytes. A settings file has some kilobytes; a larger one is another kind of file.
_LARGEST_FILE: Final = 1 << 20
_OURS: Final = re.compile(
    r"^(HANDEYE|LLM|VLM|CUSTOM_LLM)_|_(API_KEY|BASE_URL|MODEL|PROVIDER|PROFILE|EXTRA_BODY)$|^OPERATION_DELAY$"
)
_NAMES_OF_KEYS: Final = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$")


@dataclass(frozen=True, slots=True)
class Setting:
    """
    One variable: its value, never empty, and its `origin` (the environment, or a file's name). `shown` is the value as
    printed in a message: masked or shortened, because it may be a key on the wrong line.
    """

    name: str
    value: str = field(repr=False)
    origin: str
    shown: str

    @classmethod
    def inferred(cls, name: str, value: str, of: Setting) -> Setting:
        """
        Return a setting that is not written anywhere but follows from `of`. `value` is one of Handeye's own names, safe
        to show.
        """
        return cls(name, value, of.origin, repr(value))

    def wrong(self, expected: str) -> ConfigError:
        return ConfigError(f"{self.name} is {self.shown}", file=self.origin, expected=expected)


class Settings:
    """The variables of the environment `env`, and of a file once it is loaded; the environment has precedence."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.file_name = ""
        self._named: Mapping[str, str] = {}
        self._forgotten: frozenset[str] = frozenset()
        self._env = env
        self._file: Mapping[str, str] = {}
        self._untrusted: frozenset[str] = frozenset()  # the names in a file that is ignored

    def load(self, dotenv: str | os.PathLike[str] | None = DEFAULT_FILE) -> None:
        """
        Read the file `dotenv`, if it exists; in place of the default file, the one that `HANDEYE_DOTENV` names. None
        reads none.

        The default file is used only when it is trusted (`handeye.trusted_files`). Raises ConfigError for a file that
        is not a list of settings.
        """
        if dotenv == DEFAULT_FILE:
            if DOTENV in self._env:
                dotenv = self._env[DOTENV].strip() or None
            elif reason_for_distrust(Path(DEFAULT_FILE)):
                dotenv = None
                with suppress(ConfigError):
                    self._untrusted = frozenset(_read_file(Path(DEFAULT_FILE)))
        if dotenv is not None:
            self.file_name = str(dotenv)
            self._file = _read_file(Path(dotenv))

    @property
    def in_file(self) -> frozenset[str]:
        """The names in the file, even if it is ignored."""
        return frozenset(self._file) | self._untrusted

    @property
    def has_unused(self) -> bool:
        """True when the default file has a setting of Handeye, and is ignored because it is not trusted."""
        return any(map(_OURS.search, self._untrusted))

    def name(self, **values: str | None) -> None:
        """Override variables, from a command line; None leaves a variable as it is."""
        self._named = {name: value for name, value in values.items() if value}

    def forget(self, *names: str) -> None:
        """Treat these variables as not set, in the environment and in the file."""
        self._forgotten |= set(names)

    def get(self, *names: str) -> Setting | None:
        """Return the first of these variables that is set and not empty; None if there is none."""
        for name in names:
            for origin, values in self._places(name):
                if value := values.get(name, "").strip():
                    return Setting(name, value, origin, repr(self._shown(value)))
            if name in self._untrusted:
                warn_if_untrusted(Path(DEFAULT_FILE))  # maybe another program's file, but this setting would apply here
        return None

    def number(self, name: str, kind: Callable[[str], Number], default: Number) -> Number:
        setting = self.get(name)
        if setting is None:
            return default
        try:
            return kind(setting.value)
        except ValueError:
            pass  # the error message contains the value
        raise setting.wrong("a whole number" if kind is int else "a number")

    def without_keys(self, text: str) -> str:
        """Return `text` with every key among the variables masked."""
        for key in self._keys():
            if len(key) >= TELLTALE:
                text = re.sub(re.escape(key), MASK, text, flags=re.IGNORECASE)  # hosts come back in lower case
        return text

    def _places(self, name: str) -> Iterator[tuple[str, Mapping[str, str]]]:
        yield ENVIRONMENT, self._named
        if name not in self._forgotten:
            yield ENVIRONMENT, self._env
            yield self.file_name, self._file

    def _shown(self, value: str) -> str:
        for key in self._keys():
            shared = key in value or value in key
            if value == key or (shared and min(len(key), len(value)) >= TELLTALE):
                return MASK
        return redacted_excerpt(value)

    def _keys(self) -> Iterator[str]:
        for values in (self._env, self._file):
            for name, value in values.items():
                if _NAMES_OF_KEYS.search(name.upper()) and value.strip():
                    yield value.strip()


def _read_file(path: Path) -> dict[str, str]:
    if not path.is_file():  # a folder called .env is a virtual environment
        return {}
    text: str | None = None
    try:
        text = read_regular(path, _LARGEST_FILE).decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"it cannot be read: {error.strerror or error}", file=path) from error
    except UnicodeDecodeError:
        pass  # raised below without its cause, which contains what was read
    if text is None:
        raise ConfigError("it is not text", file=path, expected="lines like NAME=value, in UTF-8")
    from dotenv import dotenv_values

    # No interpolation: a `$` in a key is a `$`.
    return {name: value for name, value in dotenv_values(stream=io.StringIO(text), interpolate=False).items() if value}
