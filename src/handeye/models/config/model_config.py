"""Which model is asked, where, with which key, and within which bounds."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import wraps
from typing import Any, Final, Literal, TypeVar, get_args
from urllib.parse import urlsplit, urlunsplit

from handeye.errors import UsageError
from handeye.models.budget import Limits
from handeye.models.config.amounts import is_amount, is_count, short_repr
from handeye.models.config.presets import Api, Effort, SchemaSupport, preset, preset_called, provider_at
from handeye.models.config.prices import FREE, Price, price_rows
from handeye.models.config.private_hosts import may_be_near
from handeye.models.config.secret import Secret
from handeye.models.config.settings import DEFAULT_FILE, Settings

Role = Literal["planner", "locator", "verifier"]
ROLES: Final[tuple[Role, ...]] = ("planner", "locator", "verifier")

# For one question with all of its retries. Vision models answer in 2 to 20 s; those that think may take a minute.
TIMEOUT: Final = 120.0
# Requests at once to one server. Free tiers allow 2 to 5; more only makes them say 429.
CONCURRENCY: Final = 4

# What people paste: the address of the call instead of the address that the libraries want.
_CALL_PATHS: Final[dict[Api, tuple[str, ...]]] = {
    "openai": ("/chat/completions",),
    "anthropic": ("/v1/messages", "/messages", "/v1"),
}


# What the fields with few values may be.
_CHOICES: Final[dict[str, tuple[object, ...]]] = {
    "api": get_args(Api),
    "schema": get_args(SchemaSupport),
    "effort": (None, *get_args(Effort)),
    "pictures": (True, False),
    "allow_http": (True, False),
}

Class = TypeVar("Class", bound=type)


def _key_sealed(made: Class) -> Class:
    """The dataclass `made`, whose frames hold its key only as a Secret: a crash reporter shows the variables of frames."""
    init: Callable[..., None] = vars(made)["__init__"]
    place = 1 + [each.name for each in fields(made)].index("key")

    @wraps(init)
    def sealed(*values: Any, **named: Any) -> None:
        values = tuple(Secret.unchecked(value) if n == place else value for n, value in enumerate(values))
        if "key" in named:
            named["key"] = Secret.unchecked(named["key"])
        init(*values, **named)

    type.__setattr__(made, "__init__", sealed)
    return made


@_key_sealed
@dataclass(frozen=True, slots=True)
class LLMConfig:
    """
    One model and how it is used. Made by `from_env`, `custom` or `get_preset_config`; the fields can all be set.

    `profile` names the family whose way of writing coordinates applies; None leaves it to the model's name. `planner`,
    `locator` and `verifier` are other models for these roles, `strong` is the one that is asked when the first is in doubt.
    `pictures` says whether the model sees, `schema` and `effort` what its server can be told. `price` overrides the price list.
    `timeout` is in seconds, for one question with its retries. `concurrency` bounds the requests at once to one server.
    `extra_body` are fields that go into every request as they are, before any of our own of that name.

    `base_url` must be https; plain http only to this machine or the local network, unless `allow_http`: a key and a picture of
    a screen must not travel in clear. Raises UsageError for values that make no sense.
    """

    provider: str
    api: Api
    base_url: str
    model: str
    key: Secret = field(default_factory=Secret)
    profile: str | None = None
    schema: SchemaSupport = "json_schema"
    effort: Effort | None = None
    pictures: bool = True
    price: Price | None = None
    limits: Limits = field(default_factory=Limits)
    timeout: float = TIMEOUT
    concurrency: int = CONCURRENCY
    allow_http: bool = False
    extra_body: Mapping[str, Any] = field(default_factory=dict, repr=False, hash=False)
    planner: LLMConfig | None = None
    locator: LLMConfig | None = None
    verifier: LLMConfig | None = None
    strong: LLMConfig | None = None

    def __post_init__(self) -> None:
        self.key.check()
        for name, choices in _CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                raise UsageError(f"{name} is {short_repr(value)}; it must be {' or '.join(map(repr, choices))}")
        if not isinstance(self.model, str) or not self.model.strip() or not self.model.isprintable():
            raise UsageError(f"{self.model!r} is no name of a model; name the one to ask at {self.provider}")
        if not (is_amount(self.timeout) and self.timeout > 0):
            raise UsageError(f"a timeout of {short_repr(self.timeout)} s makes no sense; give seconds above 0")
        if not (is_count(self.concurrency) and self.concurrency >= 1):
            raise UsageError(
                f"{short_repr(self.concurrency)} requests at once make no sense; give a whole number from 1 up"
            )
        object.__setattr__(self, "model", self.model.strip())
        object.__setattr__(self, "extra_body", checked_fields(self.extra_body))
        object.__setattr__(self, "base_url", checked_url(self.base_url, self.api, allow_http=self.allow_http))

    @classmethod
    def custom(cls, api_key: str | Secret = "", base_url: str = "", model: str = "", **settings: Any) -> LLMConfig:
        """
        Any server that speaks OpenAI's format (or Anthropic's, with api="anthropic"). What is known about the provider at that
        address (what its server can be told) is filled in; `settings` are further fields.
        """
        key = Secret.unchecked(api_key)
        del api_key  # see _key_sealed
        known = provider_at(base_url)
        if known is not None:
            given: dict[str, Any] = {"api": known.api, "schema": known.schema, "effort": known.effort}
        else:
            given = {"api": "openai"}
        return cls("custom", base_url=base_url, model=model, key=key, **(given | settings))

    @classmethod
    def from_env(
        cls, env: Mapping[str, str] | None = None, dotenv: str | os.PathLike[str] | None = DEFAULT_FILE
    ) -> LLMConfig | None:
        """
        What the environment and the file `dotenv` say, the environment first; docs/models.md lists the variables.
        HANDEYE_DOTENV names another file than `.env`; `dotenv` None is no file.

        The only vendor's key in the environment counts as a choice here: you have asked for it. None when nothing names a
        model. Raises ConfigError for what is named only by half, or wrongly.
        """
        from handeye.models.config.environment import read_environment

        settings = Settings(os.environ if env is None else env)
        del env  # see _key_sealed
        settings.load(dotenv)
        return read_environment(settings)

    def for_role(self, role: Role) -> LLMConfig:
        """The model for a role: its own, else this one. It keeps this one's `limits`: a task has one budget."""
        own: LLMConfig | None = getattr(self, role)
        if own is None:
            return self
        return replace(own, limits=self.limits, strong=own.strong or self.strong)

    @property
    def fixed_price(self) -> Price | None:
        """
        `price`, where that is set; nothing, for a model that a server in the house runs itself; None where the price list or
        the server's bill tells. A model that a local server passes on to a cloud ("qwen3-vl:235b-cloud") is not free.
        """
        if self.price is not None:
            return self.price
        row = preset_called(self.provider)
        at_home = row is not None and row.local and may_be_near(urlsplit(self.base_url).hostname or "")
        return FREE if at_home and not self.model.lower().endswith("cloud") else None

    @property
    def priced(self) -> bool:
        """Whether its price is known, so that a limit on the cost can hold."""
        if self.fixed_price is not None:
            return True
        known = provider_at(self.base_url)
        return (known is not None and known.bills) or bool(price_rows(self.base_url, self.model))

    def __str__(self) -> str:
        return f"{self.model} at {self.base_url}"


def get_preset_config(name: str, api_key: str | Secret = "", **settings: Any) -> LLMConfig:
    """
    The provider of that name (see `handeye.models.config.presets`) with its usual model; `settings` are further fields of
    LLMConfig. Raises UsageError for a name that is not known, or a missing key or model.
    """
    key = Secret.unchecked(api_key)
    del api_key  # see _key_sealed
    row = preset(name)
    base_url = settings.pop("base_url", row.base_url)
    model = settings.pop("model", row.model)
    if not base_url:
        raise UsageError(f"{row.name} needs a base_url: the address of the server, such as https://api.example.com/v1")
    if not model:
        raise UsageError(f"{row.name} needs a model: the name that its server knows it by")
    if not key and not row.local and base_url == row.base_url:
        raise UsageError(
            f"{row.name} needs an api_key, or {row.key_variable} in the environment and LLMConfig.from_env()"
        )
    elsewhere = base_url != row.base_url and provider_at(base_url) is None
    given: dict[str, Any] = {
        "api": row.api,
        "schema": row.schema,
        "effort": None if elsewhere else row.effort,
        "pictures": row.pictures,
    }
    return LLMConfig(row.name, base_url=base_url, model=model, key=key, **(given | settings))


# Fields of a request that are not set as further ones: what is asked, and of whom.
_OWN_FIELDS: Final = frozenset({"model", "messages", "system"})


def checked_fields(given: object) -> Mapping[str, Any]:
    """A copy of further fields of a request. Raises UsageError for what is no JSON object, or decides who is asked what."""
    if not isinstance(given, Mapping) or not all(isinstance(name, str) and name for name in given):
        raise UsageError(
            f'extra_body is {_kind(given)}; it must be a JSON object, such as {{"enable_thinking": false}}'
        )
    for name in sorted(_OWN_FIELDS & given.keys()):
        raise UsageError(f"extra_body holds {name!r}, which it cannot set; take it out")
    try:
        copied: dict[str, Any] = json.loads(json.dumps(dict(given), allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise UsageError(
            "extra_body holds a value that JSON cannot express; give texts, numbers, lists and objects"
        ) from None
    return copied


def _kind(value: object) -> str:
    names = {
        list: "a list",
        str: "a text",
        int: "a number",
        float: "a number",
        bool: "true or false",
        type(None): "null",
    }
    return names.get(type(value), "something else")


def checked_url(base_url: str, api: Api, *, allow_http: bool = False) -> str:
    """`base_url` as the client library wants it. Raises UsageError for one that would show the key, or is none."""
    try:
        parts = urlsplit(base_url.strip())
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port, parts = "", None, urlsplit("")
    # The address itself is not shown before it is known to hold no key.
    if parts.scheme not in ("http", "https") or not host or any(not "!" <= c <= "~" for c in base_url.strip()):
        raise UsageError("base_url is not an address such as https://api.example.com/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(
            f"the base_url for {host} holds a user, a query or a fragment; give only the address, and the key as a key"
        )
    if parts.scheme == "http" and not allow_http and not may_be_near(host):
        raise UsageError(
            f"http://{host} would send the key and pictures of the screen in clear; use https, "
            "or allow_http=True (LLM_ALLOW_HTTP=1) if the network is yours"
        )
    path = parts.path.rstrip("/")
    for call in _CALL_PATHS[api]:
        path = path.removesuffix(call)
    address = f"[{host}]" if ":" in host else host
    return urlunsplit((parts.scheme, address if port is None else f"{address}:{port}", path, "", ""))
