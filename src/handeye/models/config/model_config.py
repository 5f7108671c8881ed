"""Configuration of one model: provider, address, key, price and limits."""

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
from handeye.models.config.presets import Api, Effort, SchemaSupport, preset, preset_called, provider_at
from handeye.models.config.prices import FREE, Price, price_rows
from handeye.models.config.secret import Secret
from handeye.models.config.settings import DEFAULT_FILE, Settings
from handeye.models.config.validation import is_amount, is_count, may_be_private_host, short_repr

Role = Literal["planner", "locator", "verifier"]
ROLES: Final[tuple[Role, ...]] = ("planner", "locator", "verifier")

# Seconds for one question with all of its retries. Vision models answer in 2 to 20 s; those that think may take a minute.
TIMEOUT: Final = 120.0
# Concurrent requests to one server. Free tiers allow 2 to 5; more only causes status 429.
CONCURRENCY: Final = 4

# Paths that people paste with the address: those of a call, where the libraries want the base URL.
_CALL_PATHS: Final[dict[Api, tuple[str, ...]]] = {
    "openai": ("/chat/completions",),
    "anthropic": ("/v1/messages", "/messages", "/v1"),
}


# The values of fields with a fixed set of them.
_CHOICES: Final[dict[str, tuple[object, ...]]] = {
    "api": get_args(Api),
    "schema": get_args(SchemaSupport),
    "effort": (None, *get_args(Effort)),
    "pictures": (True, False),
    "allow_http": (True, False),
}

Class = TypeVar("Class", bound=type)


def _seal_key(made: Class) -> Class:
    """
    Make the dataclass `made` wrap its key in a Secret before anything else: crash reporters print the variables of
    frames.
    """
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


@_seal_key
@dataclass(frozen=True, slots=True)
class LLMConfig:
    """
    One model and how it is used. Created by `from_env`, `custom` or `get_preset_config`; all fields can be set.

    `profile` names the model family, which decides the format of coordinates; None derives it from the model's name.
    `planner`, `locator` and `verifier` are other models for these roles, `strong` is the fallback model that is asked
    when the first one is in doubt. `pictures` says whether the model accepts pictures, `schema` and `effort` what its
    server supports. `price` overrides the price list. `timeout` is in seconds, for one question with its retries.
    `concurrency` limits the concurrent requests to one server. `extra_body` are fields that are added unchanged to
    every request; they override Handeye's own fields of the same name.

    `base_url` must be https; plain http only to this machine or the local network, unless `allow_http`: a key and
    screenshots must not be sent unencrypted. Raises UsageError for invalid values.
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
        Return the configuration of any server with OpenAI's API (or Anthropic's, with api="anthropic"). If a known
        provider is at that address, the features of its server are filled in; `settings` are further fields.
        """
        key = Secret.unchecked(api_key)
        del api_key  # see _seal_key
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
        Return the configuration of the environment and of the file `dotenv`; the environment has precedence.
        docs/models.md lists the variables. HANDEYE_DOTENV names another file than `.env`; `dotenv` None is no file.

        If exactly one vendor's key is in the environment, that vendor is used: the caller has asked for it. None when
        nothing names a model. Raises ConfigError for an incomplete or wrong configuration.
        """
        from handeye.models.config.environment import read_environment

        settings = Settings(os.environ if env is None else env)
        del env  # see _seal_key
        settings.load(dotenv)
        return read_environment(settings)

    def for_role(self, role: Role) -> LLMConfig:
        """Return the model for a role: its own, else this one. It keeps this one's `limits`: a task has one budget."""
        own: LLMConfig | None = getattr(self, role)
        if own is None:
            return self
        return replace(own, limits=self.limits, strong=own.strong or self.strong)

    @property
    def fixed_price(self) -> Price | None:
        """
        The price that does not depend on the price list: `price` where it is set; free for a model that a local server
        runs itself; else None (the price list or the server's bill decides). A model that a local server forwards to a
        cloud ("qwen3-vl:235b-cloud") is not free.
        """
        if self.price is not None:
            return self.price
        row = preset_called(self.provider)
        at_home = row is not None and row.local and may_be_private_host(urlsplit(self.base_url).hostname or "")
        return FREE if at_home and not self.model.lower().endswith("cloud") else None

    @property
    def priced(self) -> bool:
        """True if the price is known, so that a cost limit can be enforced."""
        if self.fixed_price is not None:
            return True
        known = provider_at(self.base_url)
        return (known is not None and known.bills) or bool(price_rows(self.base_url, self.model))

    def __str__(self) -> str:
        return f"{self.model} at {self.base_url}"


def get_preset_config(name: str, api_key: str | Secret = "", **settings: Any) -> LLMConfig:
    """
    Return the configuration of the provider of that name (see `handeye.models.config.presets`) with its default model;
    `settings` are further fields of LLMConfig. Raises UsageError for an unknown name, or a missing key or model.
    """
    key = Secret.unchecked(api_key)
    del api_key  # see _seal_key
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


# Fields of a request that `extra_body` must not set: the question, and the model.
_OWN_FIELDS: Final = frozenset({"model", "messages", "system"})


def checked_fields(given: object) -> Mapping[str, Any]:
    """Return a copy of `extra_body`. Raises UsageError if it is no JSON object, or sets the model or the messages."""
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
    """
    Return `base_url` in the form that the client library expects. Raises UsageError for one that would expose the key,
    or is not a URL.
    """
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
    if parts.scheme == "http" and not allow_http and not may_be_private_host(host):
        raise UsageError(
            f"http://{host} would send the key and pictures of the screen in clear; use https, "
            "or allow_http=True (LLM_ALLOW_HTTP=1) if the network is yours"
        )
    path = parts.path.rstrip("/")
    for call in _CALL_PATHS[api]:
        path = path.removesuffix(call)
    address = f"[{host}]" if ":" in host else host
    return urlunsplit((parts.scheme, address if port is None else f"{address}:{port}", path, "", ""))
