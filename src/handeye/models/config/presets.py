"""
Known providers, by name: addresses and supported features. Rows of data, each with its source.

A row is a default, not a promise: models are renamed and withdrawn, so every field can be set in `LLMConfig`, and
`handeye model check` shows what a model really does. If a server rejects a feature (a schema, a temperature), the
client asks again without it, so a wrong `schema` costs one request, not the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from handeye.errors import UsageError
from handeye.models.config.secret import redacted_excerpt

Api = Literal["openai", "anthropic"]
"""API of a server: OpenAI's chat completions, or Anthropic's messages."""

SchemaSupport = Literal["json_schema", "json_object", "none"]
"""Structured output that a server supports: a JSON schema; any JSON object; none."""

Effort = Literal["low", "medium", "high"]
"""Reasoning effort of a model that thinks before it answers, where the server supports it."""


@dataclass(frozen=True, slots=True)
class Preset:
    """
    One provider. `model` is the default, empty where it depends on what the user has installed. `key_variable` is the
    conventional environment variable of its key; `local` servers need none and cost nothing. `hosts` are other
    addresses of the same provider. `bills` means that replies contain their price. `unthinking` are the fields with
    which a request of low effort disables thinking, where the server has no effort setting. `source` is where the row
    is from, `note` what is uncertain or special.
    """

    name: str
    api: Api
    base_url: str
    model: str
    key_variable: str
    schema: SchemaSupport
    source: str
    pictures: bool = True
    local: bool = False
    bills: bool = False
    effort: Effort | None = None
    unthinking: Mapping[str, Any] = field(default_factory=dict)
    hosts: tuple[str, ...] = ()
    note: str = ""

    @property
    def prefix(self) -> str:
        """The prefix of its variables: GEMINI of GEMINI_API_KEY, GEMINI_BASE_URL, GEMINI_MODEL."""
        return self.key_variable.removesuffix("_API_KEY") or self.name.upper().replace(".", "_")


# docs.bigmodel.cn (glm-4.5), api-docs.deepseek.com/guides/thinking_mode, java.agentscope.io (kimi), 2026; Ark's from memory.
_THINKING_DISABLED: Final = {"thinking": {"type": "disabled"}}

PRESETS: Final[tuple[Preset, ...]] = (
    Preset(
        "claude",
        "anthropic",
        "https://api.anthropic.com",
        "claude-sonnet-5-5",
        "ANTHROPIC_API_KEY",
        "json_schema",
        "platform.claude.com/docs/en/about-claude/models, October 2026; the anthropic library, 2.12 (output_config)",
        effort="low",
        note="models from 5 on refuse a temperature, and think unless the effort is low",
    ),
    Preset(
        "openai",
        "openai",
        "https://api.openai.com/v1",
        "gpt-6.1-terra",
        "OPENAI_API_KEY",
        "json_schema",
        "docs.litellm.ai/blog/gpt-6-1-terra; developers.openai.com/api/docs/deprecations, October 2026",
        effort="low",
        note="models that think refuse a temperature; gpt-4o and gpt-4.1 end on 2027-01-14",
    ),
    Preset(
        "gemini",
        "openai",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        "gemini-3.8-flash",
        "GEMINI_API_KEY",
        "json_schema",
        "ai.google.dev/gemini-api/docs/openai and .../deprecations, November 2026",
        effort="low",
        note="the endpoint that speaks OpenAI's format; gemini-2.5-flash and -pro end on 2026-12-01",
    ),
    Preset(
        "zhipu",
        "openai",
        "https://open.bigmodel.cn/api/paas/v4",
        "glm-4.5v",
        "ZHIPUAI_API_KEY",
        "none",
        "docs.bigmodel.cn; github.com/zai-org/GLM-V",
        hosts=("api.z.ai",),
        effort="low",
        unthinking=_THINKING_DISABLED,
        note="glm-4v-flash is free, and answers with 1,000 tokens at most; whether the vision models keep to JSON is not "
        "documented. Abroad: https://api.z.ai/api/paas/v4",
    ),
    Preset(
        "qwen",
        "openai",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "qwen3-vl-plus",
        "DASHSCOPE_API_KEY",
        "json_object",
        "alibabacloud.com/help/model-studio/qwen-vl-compatible-with-openai, January 2026",
        hosts=("dashscope-intl.aliyuncs.com", "dashscope-us.aliyuncs.com"),
        effort="low",
        unthinking={"enable_thinking": False},
        note="Beijing; a key of another region needs its base_url (dashscope-intl, dashscope-us). json_object needs the word "
        "JSON in the prompt. qwen2.5-vl-72b-instruct answers in pixels, qwen3-vl in thousandths",
    ),
    Preset(
        "doubao",
        "openai",
        "https://ark.cn-beijing.volces.com/api/v3",
        "doubao-seed-1-6-vision-250815",
        "ARK_API_KEY",
        "json_object",
        "docs.mirobody.ai/en/cloud/byok/volcengine and docs.anyfast.ai, 2026 (the vendor's own page was not at hand)",
        effort="low",
        unthinking=_THINKING_DISABLED,
        note="models must be activated in the Ark console first; an endpoint id (ep-...) works as a model name too",
    ),
    Preset(
        "ui-tars",
        "openai",
        "https://ark.cn-beijing.volces.com/api/v3",
        "doubao-1-5-ui-tars-250428",
        "ARK_API_KEY",
        "none",
        "github.com/bytedance/UI-TARS, README_deploy.md; model name from memory",
        note="the model may have been withdrawn from Ark; the open weights run under vllm",
    ),
    Preset(
        "deepseek",
        "openai",
        "https://api.deepseek.com",
        "deepseek-flash",
        "DEEPSEEK_API_KEY",
        "json_object",
        "api-docs.deepseek.com/quick_start/pricing, November 2026",
        effort="low",
        unthinking=_THINKING_DISABLED,
        note="deepseek-flash takes pictures, deepseek-v4-pro does not: that one can only plan",
    ),
    Preset(
        "moonshot",
        "openai",
        "https://api.moonshot.ai/v1",
        "kimi-k2.6",
        "MOONSHOT_API_KEY",
        "json_object",
        "promptfoo.dev/docs/providers/moonshot; docs.openclaw.ai/providers/moonshot, 2026",
        hosts=("api.moonshot.cn",),
        effort="low",
        unthinking=_THINKING_DISABLED,
        note="keys of platform.moonshot.cn need base_url https://api.moonshot.cn/v1; thinking models set their own temperature",
    ),
    Preset(
        "openrouter",
        "openai",
        "https://openrouter.ai/api/v1",
        "google/gemini-3.8-flash",
        "OPENROUTER_API_KEY",
        "json_schema",
        "openrouter.ai/docs/structured-outputs; openrouter.ai/docs/use-cases/usage-accounting",
        bills=True,
        effort="low",
    ),
    Preset(
        "ollama",
        "openai",
        "http://localhost:11434/v1",
        "qwen3-vl:8b",
        "",
        "json_schema",
        "docs.ollama.com/api/openai-compatibility, v0.40",
        local=True,
    ),
    Preset(
        "vllm",
        "openai",
        "http://localhost:8000/v1",
        "",
        "",
        "json_schema",
        "docs.vllm.ai/en/v0.17.1/serving/openai_compatible_server",
        local=True,
        note="the model is the one that `vllm serve` was started with",
    ),
    Preset(
        "llama.cpp",
        "openai",
        "http://localhost:8080/v1",
        "default",
        "",
        "json_schema",
        "github.com/ggml-org/llama.cpp, tools/server/README.md",
        local=True,
        note="serves one model whatever the name; pictures need its --mmproj file",
    ),
    Preset(
        "custom",
        "openai",
        "",
        "",
        "CUSTOM_LLM_API_KEY",
        "json_schema",
        "docs/spec/vision-agent.md",
        note="any server that speaks one of the two formats",
    ),
)

# Models that reject a temperature: those that think set their own, and answer 400 to another one. Sources: platform.claude.com,
# "What's new in Claude Sonnet 5"; OpenAI's, Google's and Moonshot's model pages. A name that is missing here costs one request
# more.
OWN_TEMPERATURE: Final = (
    r"(?:.*/)?(?:claude-(?:opus-4-[7-9]|[a-z]+-[5-9])|gpt-[5-9]|o[134](?:-|$)"
    r"|gemini-3\.[6-9]|kimi-k(?:2\.[5-9]|[3-9])).*"
)

# Other names of the providers.
ALIASES: Final[dict[str, str]] = {
    "anthropic": "claude",
    "google": "gemini",
    "glm": "zhipu",
    "zhipuai": "zhipu",
    "z.ai": "zhipu",
    "dashscope": "qwen",
    "ark": "doubao",
    "volcengine": "doubao",
    "uitars": "ui-tars",
    "kimi": "moonshot",
    "llamacpp": "llama.cpp",
    "llama-cpp": "llama.cpp",
}


def preset(name: str) -> Preset:
    """Return the row of that name or alias. Raises UsageError, which lists the names."""
    row = preset_called(name)
    if row is None:
        known = ", ".join(row.name for row in PRESETS)
        raise UsageError(f"no model provider is called {redacted_excerpt(name)!r}; known are {known}")
    return row


def preset_called(name: str) -> Preset | None:
    """Return the row of that name or alias, ignoring case; None when there is none."""
    wanted = name.strip().lower()
    wanted = ALIASES.get(wanted, wanted)
    return next((row for row in PRESETS if row.name == wanted), None)


def provider_at(base_url: str) -> Preset | None:
    """Return the hosted provider at this address, whose price list applies; None when it is not a known one."""
    try:
        host = urlsplit(base_url).hostname or ""
    except ValueError:
        return None
    for row in PRESETS:
        if not row.local and host and host in (urlsplit(row.base_url).hostname, *row.hosts):
            return row
    return None
