"""A model's configuration from environment variables and a `.env` file. docs/models.md lists the variables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from handeye.errors import ConfigError, UsageError
from handeye.models.budget import Limits
from handeye.models.config.model_config import CONCURRENCY, TIMEOUT, LLMConfig, checked_fields, get_preset_config
from handeye.models.config.presets import PRESETS, Preset, preset
from handeye.models.config.settings import DEFAULT_FILE, ENVIRONMENT, Setting, Settings

# Role of each further model, and the prefix of its variables.
_ROLES: Final[Mapping[str, str]] = {
    "planner": "HANDEYE_PLANNER",
    "locator": "HANDEYE_LOCATOR",
    "verifier": "HANDEYE_VERIFIER",
    "strong": "HANDEYE_STRONG",
}
# Variables that apply to all models.
_FOR_ALL: Final = (
    "LLM_TIMEOUT", "LLM_CONCURRENCY", "LLM_MAX_CALLS", "LLM_MAX_TOKENS", "LLM_MAX_COST", "LLM_MAX_SECONDS",
    "LLM_ALLOW_UNPRICED", "LLM_ALLOW_HTTP",
)  # fmt: skip
_OF_A_ROLE: Final = ("PROVIDER", "BASE_URL", "API_KEY", "MODEL", "PROFILE", "EXTRA_BODY")


def read_environment(settings: Settings, *, lone_key: bool = True, roles: bool = True) -> LLMConfig | None:
    """
    Return the configuration; see `LLMConfig.from_env`. Without `lone_key`, a vendor's key alone does not select that
    vendor: it may be there for other programs. Without `roles`, the models of single roles are left out.
    """
    provider = _provider(settings, lone_key or (roles and _names_a_model_alone(settings)))
    groups = _ROLES if roles else {}
    if provider is None:
        return _roles_alone(settings, groups)
    bounds = _bounds(settings)
    base = _endpoint(settings, "LLM", provider, False, **bounds)
    others: dict[str, Any] = {role: _other(settings, group, base, bounds) for role, group in groups.items()}
    return replace(base, **others)


def dotenv_variables() -> frozenset[str]:
    """Return the variables that a `.env` may set."""
    of_vendors = (f"{row.prefix}_{name}" for row in PRESETS for name in ("API_KEY", "BASE_URL", "MODEL"))
    of_roles = (f"{group}_{name}" for group in ("LLM", *_ROLES.values()) for name in _OF_A_ROLE)
    return frozenset({*of_vendors, *of_roles, *_FOR_ALL, "OPERATION_DELAY"})


def vendors_with_keys(settings: Settings) -> list[tuple[Preset, Setting]]:
    """Return the providers whose key or address is set by its conventional name, each with that variable."""
    found: dict[str, tuple[Preset, Setting]] = {}
    for row in PRESETS:
        setting = settings.get(f"{row.prefix}_API_KEY", f"{row.prefix}_BASE_URL")
        if setting is not None:
            found.setdefault(row.prefix, (row, setting))
    return list(found.values())


def _provider(settings: Settings, lone_key: bool) -> Setting | None:
    """
    Return `LLM_PROVIDER`; else custom, when one of its variables is set; else, with `lone_key`, the only provider whose
    key is set; else None.

    Several keys without a choice are an error: the user has to decide which company receives screenshots.
    """
    named = settings.get("LLM_PROVIDER")
    if named is not None:
        return named
    if own := settings.get("CUSTOM_LLM_BASE_URL", "CUSTOM_LLM_API_KEY", "CUSTOM_LLM_MODEL", "LLM_BASE_URL"):
        return Setting.inferred("LLM_PROVIDER", "custom", own)
    found = vendors_with_keys(settings) if lone_key else []
    if len(found) > 1:
        names = " and ".join(setting.name for _, setting in found)
        choices = " or ".join(f"LLM_PROVIDER={row.name}" for row, _ in found)
        raise ConfigError(f"{names} are set, and LLM_PROVIDER is not", file=ENVIRONMENT, expected=choices)
    for row, setting in found:
        return Setting.inferred("LLM_PROVIDER", row.name, setting)
    return None


def _names_a_model_alone(settings: Settings) -> bool:
    """Return True if a role names only a model of the default provider, which is then the one whose key is set."""
    return any(
        settings.get(f"{group}_MODEL") and not settings.get(f"{group}_PROVIDER", f"{group}_BASE_URL")
        for group in _ROLES.values()
    )


def _roles_alone(settings: Settings, groups: Mapping[str, str]) -> LLMConfig | None:
    """
    Return the configuration when there is no default model, but roles with their own servers: the locator's becomes the
    default.
    """
    variables = [f"{group}_{name}" for group in groups.values() for name in _OF_A_ROLE]
    if settings.get(*variables) is None:
        return None
    bounds = _bounds(settings)
    others: dict[str, Any] = {role: _other(settings, group, None, bounds) for role, group in groups.items()}
    named = [role for role, other in others.items() if other is not None]
    locator: LLMConfig | None = others.get("locator")
    if locator is not None:
        others["locator"] = None
        return replace(locator, **others)
    raise ConfigError(
        f"a model is configured as {' and '.join(named)}, and none that finds things",
        file=ENVIRONMENT,
        expected="LLM_PROVIDER, or HANDEYE_LOCATOR_PROVIDER or HANDEYE_LOCATOR_BASE_URL",
    )


def _endpoint(settings: Settings, group: str, provider: Setting, inferred: bool, **fields: Any) -> LLMConfig:
    """
    Return the model that the variables of `group` (LLM, HANDEYE_LOCATOR, ...) and of the provider describe. `inferred`:
    the provider was not named, but follows from a role's address.
    """
    try:
        row = preset(provider.value)
    except UsageError:
        raise provider.wrong("one of " + ", ".join(row.name for row in PRESETS)) from None
    # A role's own address is used with its own key or none: the key of CUSTOM_LLM_BASE_URL is for that server only.
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
        raise _missing(
            row.key_variable, provider, f"its key, in the environment or in {settings.file_name or DEFAULT_FILE}"
        )
    if profile := settings.get(f"{group}_PROFILE"):
        fields["profile"] = profile.value
    fields |= _extra_body(settings, group)
    try:
        if row.name == "custom":
            return LLMConfig.custom(key.value if key else "", **fields)
        return get_preset_config(row.name, key.value if key else "", **fields)
    except UsageError as error:
        why = settings.without_keys(str(error))
        raise ConfigError(why, file=_blamed(key, address, model, provider)) from None


def _other(settings: Settings, group: str, base: LLMConfig | None, shared: Mapping[str, Any]) -> LLMConfig | None:
    """
    Return a role's own model: another provider, or another model of `base`, the default. None when none of its
    variables is set.
    """
    provider = settings.get(f"{group}_PROVIDER")
    if provider is not None:
        return _endpoint(settings, group, provider, False, **shared)
    if own := settings.get(f"{group}_BASE_URL", f"{group}_API_KEY"):
        return _endpoint(settings, group, Setting.inferred(f"{group}_PROVIDER", "custom", own), True, **shared)
    model, profile = settings.get(f"{group}_MODEL"), settings.get(f"{group}_PROFILE")
    extra = _extra_body(settings, group)
    alone = model or profile or settings.get(f"{group}_EXTRA_BODY")
    if alone is None:
        return None
    if base is None:
        raise ConfigError(
            f"{alone.name} is set, and no provider that serves it",
            file=alone.origin,
            expected=f"{group}_PROVIDER or {group}_BASE_URL, or LLM_PROVIDER",
        )
    return replace(
        base,
        model=model.value if model else base.model,
        profile=profile.value if profile else (base.profile if model is None else None),
        **extra,
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
        raise ConfigError(f"LLM_MAX_...: {error}", file=ENVIRONMENT) from None
    return {
        "limits": limits,
        "timeout": settings.number("LLM_TIMEOUT", float, TIMEOUT),
        "concurrency": settings.number("LLM_CONCURRENCY", int, CONCURRENCY),
        "allow_http": _yes(settings, "LLM_ALLOW_HTTP"),
    }


def _extra_body(settings: Settings, group: str) -> dict[str, Any]:
    """Return `extra_body` as an argument of LLMConfig; an empty dict when it is not set."""
    setting = settings.get(f"{group}_EXTRA_BODY")
    if setting is None:
        return {}
    given: list[object] = []
    with suppress(ValueError, RecursionError):  # their messages contain the value
        given.append(json.loads(setting.value))
    if not given:
        raise setting.wrong('a JSON object, such as {"enable_thinking": false}')
    try:
        return {"extra_body": checked_fields(given[0])}
    except UsageError as error:
        raise ConfigError(f"{setting.name}: {error}", file=setting.origin) from None


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
    Raise ConfigError if a file would redirect a key of the environment: a `.env` in a folder from somebody else must
    not send it to another server.
    """
    if key is None or key.origin != ENVIRONMENT:
        return
    decides = address if address is not None else (provider if key.name == f"{group}_API_KEY" else None)
    if decides is not None and decides.origin != ENVIRONMENT:
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
        (setting.origin for setting in settings if setting is not None and setting.origin != ENVIRONMENT), ENVIRONMENT
    )
