"""A model's configuration from environment variables and a `.env` file. docs/models.md has the list for people."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from handeye.errors import ConfigError, UsageError
from handeye.models.budget import Limits
from handeye.models.config import CONCURRENCY, TIMEOUT, LLMConfig, get_preset_config
from handeye.models.presets import PRESETS, Preset, preset
from handeye.models.secret import Secret

Number = TypeVar("Number", int, float, float | None)

_ENVIRONMENT: Final = "environment"
# A file of settings has some kilobytes; more is another kind of file.
_LARGEST_FILE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Setting:
    """One variable: its value, never empty, and where it stands (the environment, or a file's name)."""

    name: str
    value: str
    origin: str

    def wrong(self, expected: str) -> ConfigError:
        return ConfigError(f"{self.name} is {self.shown}", file=self.origin, expected=expected)

    @property
    def shown(self) -> str:
        """The value for a message: somebody may have put a key in the wrong line."""
        return repr(Secret().scrub(self.value))


class Settings:
    """The variables of the environment and of a file; the environment's win."""

    def __init__(self, env: Mapping[str, str], file: Mapping[str, str], file_name: str) -> None:
        self._env = env
        self._file = file
        self._file_name = file_name

    def get(self, *names: str) -> Setting | None:
        """The first of these that is set to something."""
        for name in names:
            for origin, values in ((_ENVIRONMENT, self._env), (self._file_name, self._file)):
                if value := values.get(name, "").strip():
                    return Setting(name, value, origin)
        return None

    def number(self, name: str, kind: Callable[[str], Number], default: Number) -> Number:
        setting = self.get(name)
        if setting is None:
            return default
        try:
            return kind(setting.value)
        except ValueError:
            raise setting.wrong("a whole number" if kind is int else "a number") from None


def read_environment(env: Mapping[str, str], dotenv: Path | None) -> LLMConfig | None:
    """See `LLMConfig.from_env`."""
    settings = Settings(env, _read_file(dotenv) if dotenv is not None else {}, str(dotenv))
    provider = _provider(settings)
    if provider is None:
        return None
    base = _endpoint(settings, "LLM", provider, False, **_bounds(settings))
    return replace(
        base,
        planner=_other(settings, "HANDEYE_PLANNER", base),
        locator=_other(settings, "HANDEYE_LOCATOR", base),
        verifier=_other(settings, "HANDEYE_VERIFIER", base),
        strong=_other(settings, "HANDEYE_STRONG", base),
    )


def _read_file(path: Path) -> dict[str, str]:
    from dotenv import dotenv_values

    if not path.is_file():  # a folder called .env is somebody's virtual environment
        return {}
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_FILE + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"it cannot be read: {error.strerror}", file=path) from error
    except UnicodeDecodeError:
        raise ConfigError("it is not text", file=path, expected="lines like NAME=value, in UTF-8") from None
    if len(data) > _LARGEST_FILE:
        raise ConfigError("it is larger than 1 MB", file=path, expected="lines like NAME=value")
    # No interpolation: a `$` in a key is a `$`.
    return {name: value for name, value in dotenv_values(stream=io.StringIO(text), interpolate=False).items() if value}


def _provider(settings: Settings) -> Setting | None:
    """
    `LLM_PROVIDER`; else custom, when one of its variables is set; else the only provider whose key is. Several keys and no
    choice are an error: a picture of somebody's screen goes to a company of their choice, or to none.
    """
    named = settings.get("LLM_PROVIDER")
    if named is not None:
        return named
    if own := settings.get("CUSTOM_LLM_BASE_URL", "CUSTOM_LLM_API_KEY", "CUSTOM_LLM_MODEL", "LLM_BASE_URL"):
        return Setting("LLM_PROVIDER", "custom", own.origin)
    found: dict[str, tuple[Preset, Setting]] = {}
    for row in PRESETS:
        setting = settings.get(f"{row.prefix}_API_KEY", f"{row.prefix}_BASE_URL")
        if setting is not None:
            found.setdefault(row.prefix, (row, setting))
    if len(found) > 1:
        names = " and ".join(setting.name for _, setting in found.values())
        choices = " or ".join(f"LLM_PROVIDER={row.name}" for row, _ in found.values())
        raise ConfigError(f"{names} are set, and LLM_PROVIDER is not", file=_ENVIRONMENT, expected=choices)
    for row, setting in found.values():
        return Setting("LLM_PROVIDER", row.name, setting.origin)
    return None


def _endpoint(settings: Settings, group: str, provider: Setting, inferred: bool, **fields: Any) -> LLMConfig:
    """
    The model that the variables of `group` (LLM, HANDEYE_LOCATOR, ...) and of the provider describe. `inferred`: nobody named
    the provider, it follows from a role's address.
    """
    try:
        row = preset(provider.value)
    except UsageError:
        raise provider.wrong("one of " + ", ".join(row.name for row in PRESETS)) from None
    # A role's own address gets its own key or none: the one of CUSTOM_LLM_BASE_URL is for that server.
    shared_key = [] if inferred else [f"{row.prefix}_API_KEY"]
    key = settings.get(f"{group}_API_KEY", *shared_key)
    address = settings.get(f"{group}_BASE_URL", f"{row.prefix}_BASE_URL")
    model = settings.get(f"{group}_MODEL", f"{row.prefix}_MODEL")
    _refuse_stray_key(group, key, address, provider)
    if address is not None:
        fields["base_url"] = address.value
    elif not row.base_url:
        raise _missing(f"{row.prefix}_BASE_URL", provider, "the server's address, such as https://api.example.com/v1")
    if model is not None:
        fields["model"] = model.value
    elif not row.model:
        raise _missing(f"{row.prefix}_MODEL", provider, "the name that the server knows the model by")
    if key is None and not row.local and address is None:
        raise _missing(row.key_variable, provider, f"its key, in the environment or in {settings._file_name}")
    if profile := settings.get(f"{group}_PROFILE"):
        fields["profile"] = profile.value
    try:
        if row.name == "custom":
            return LLMConfig.custom(key.value if key else "", **fields)
        return get_preset_config(row.name, key.value if key else "", **fields)
    except UsageError as error:
        raise ConfigError(str(error), file=_blamed(key, address, model, provider)) from None


def _other(settings: Settings, group: str, base: LLMConfig) -> LLMConfig | None:
    """A role's own model: another provider, or another model of the same one. None when none of its variables is set."""
    provider = settings.get(f"{group}_PROVIDER")
    shared: dict[str, Any] = {
        "timeout": base.timeout,
        "concurrency": base.concurrency,
        "allow_http": base.allow_http,
        "limits": base.limits,
    }
    if provider is not None:
        return _endpoint(settings, group, provider, False, **shared)
    if own := settings.get(f"{group}_BASE_URL", f"{group}_API_KEY"):
        return _endpoint(settings, group, Setting(f"{group}_PROVIDER", "custom", own.origin), True, **shared)
    model, profile = settings.get(f"{group}_MODEL"), settings.get(f"{group}_PROFILE")
    if model is None and profile is None:
        return None
    return replace(
        base,
        model=model.value if model else base.model,
        profile=profile.value if profile else (base.profile if model is None else None),
    )


def _bounds(settings: Settings) -> dict[str, Any]:
    usual = Limits()
    try:
        limits = Limits(
            settings.number("LLM_MAX_CALLS", int, usual.calls or 0),
            settings.number("LLM_MAX_TOKENS", int, usual.tokens or 0),
            settings.number("LLM_MAX_COST", float, usual.cost),
            settings.number("LLM_MAX_SECONDS", float, usual.seconds),
            allow_unpriced=_yes(settings, "LLM_ALLOW_UNPRICED"),
        )
    except UsageError as error:
        raise ConfigError(f"LLM_MAX_...: {error}", file=_ENVIRONMENT) from None
    return {
        "limits": limits,
        "timeout": settings.number("LLM_TIMEOUT", float, TIMEOUT),
        "concurrency": settings.number("LLM_CONCURRENCY", int, CONCURRENCY),
        "allow_http": _yes(settings, "LLM_ALLOW_HTTP"),
    }


def _yes(settings: Settings, name: str) -> bool:
    setting = settings.get(name)
    if setting is None:
        return False
    answers = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if setting.value.lower() not in answers:
        raise setting.wrong("1 or 0")
    return answers[setting.value.lower()]


def _refuse_stray_key(group: str, key: Setting | None, address: Setting | None, provider: Setting) -> None:
    """
    A key of the environment goes only where the environment says: a `.env` in a folder that somebody else made must not send
    it elsewhere.
    """
    if key is None or key.origin != _ENVIRONMENT:
        return
    decides = address if address is not None else (provider if key.name == f"{group}_API_KEY" else None)
    if decides is not None and decides.origin != _ENVIRONMENT:
        raise ConfigError(
            f"{decides.name} here would send {key.name} of the environment to {decides.shown}",
            file=decides.origin,
            expected=f"{key.name} and {decides.name} in the same place",
        )


def _missing(name: str, provider: Setting, expected: str) -> ConfigError:
    return ConfigError(
        f"the model provider is {provider.shown}, and {name} is not set", file=provider.origin, expected=expected
    )


def _blamed(*settings: Setting | None) -> str:
    return next(
        (setting.origin for setting in settings if setting is not None and setting.origin != _ENVIRONMENT), _ENVIRONMENT
    )
