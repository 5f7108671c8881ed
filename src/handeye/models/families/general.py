"""
Table of model families and their coordinate formats. A new family is a new row, here or, if it is trained for GUI actions, in
`screen.py`; docs/model-families.md shows them as a table.

Every row has its source. Short names of sources: midscene is web-infra-dev/midscene, packages/core/src/ai-model/models;
ScreenSpot-Pro is likaixin2000/ScreenSpot-Pro-GUI-Grounding, models; cua is trycua/cua, libs/python/agent.
"""

from __future__ import annotations

from typing import Final

from handeye.geometry import CoordinateSpace
from handeye.models.families.images import BUDGET_28, BUDGET_32, CLAUDE, OPENAI, QWEN_28, QWEN_32, SMALL
from handeye.models.families.profile import PERCENT, Format, Order, Profile, Shape
from handeye.models.families.screen import (
    AGUVIS,
    ARIA_UI,
    AUTOGLM,
    COGAGENT,
    GEMINI_COMPUTER_USE,
    GTA1,
    HOLO_1,
    HOLO_2,
    JEDI,
    MAI_UI,
    OPENCUA,
    OS_ATLAS,
    OS_ATLAS_4B,
    SEECLICK,
    SHOWUI,
    UGROUND,
    UI_TARS,
    UI_TARS_1_5,
    UI_VENUS,
    UI_VENUS_1_5,
)

_UNIT, _PER_MILLE, _SENT = CoordinateSpace.UNIT, CoordinateSpace.PER_MILLE, CoordinateSpace.RESIZED

_GLM = Profile(
    "glm-v",
    (r"glm-?4(\.[156])?v", r"glm-4v", r"glm-5(\.\d)?v"),
    Format.BEGIN_BOX,
    Shape.BOX,
    _PER_MILLE,
    "midscene glm.ts (box, x first, 1000); cua loops/glm45v.py",
)
_QWEN_1 = Profile(
    "qwen-vl",
    (r"qwen-vl-chat", r"qwen-vl$", r"qwen-vl-7b"),
    Format.REF_BOX,
    Shape.BOX,
    _PER_MILLE,
    "QwenLM/Qwen-VL README, grounding (0-1000)",
    budget=SMALL,
    unversioned=r"qwen-vl(?!-chat)",
)
_QWEN_2 = Profile(
    "qwen2-vl",
    (r"qwen-?2-?vl",),
    Format.OBJECT_BOX,
    Shape.BOX,
    _PER_MILLE,
    "QwenLM/Qwen2-VL cookbook and paper 2409.12191 (0-1000)",
    budget=BUDGET_28,
    resize=QWEN_28,
)
_QWEN_2_5 = Profile(
    "qwen2.5-vl",
    (r"qwen-?2\.5-?vl", r"qwen-?2-5-vl"),
    Format.BBOX_2D,
    Shape.BOTH,
    _SENT,
    "ScreenSpot-Pro qwen2_5vl.py; QwenLM/Qwen2.5-VL cookbooks (pixels of the resized picture)",
    budget=BUDGET_28,
    resize=QWEN_28,
)
_QWEN_HOSTED = Profile(
    "qwen-vl-hosted",
    (r"qwen-vl-(max|plus|ocr)",),
    Format.BBOX_2D,
    Shape.BOTH,
    _SENT,
    "from memory: these names are moved from Qwen2.5-VL to Qwen3-VL by the vendor without a change of name",
    budget=BUDGET_28,
    resize=QWEN_28,
    conclusive=False,
    unversioned=r"qwen-vl",
)
_QWEN_3 = Profile(
    "qwen3-vl",
    (r"qwen-?3-?vl", r"qwen-?3\.[5-9]", r"qwen-?3-5"),
    Format.BBOX_2D,
    Shape.BOTH,
    _PER_MILLE,
    "midscene qwen/adapter.ts; cua loops/qwen3vl.py (0-1000)",
    budget=BUDGET_32,
    resize=QWEN_32,
)
_DOUBAO = Profile(
    "doubao-seed",
    (r"doubao", r"doubao-1[.-]5-ui-tars", r"doubao-seed-1[.-]\d", r"seed-?[12][.-]\d", r"ui-?tars-?2", r"seed1\.\d"),
    Format.BBOX_TAG,
    Shape.BOTH,
    _PER_MILLE,
    "midscene doubao/locate-output-parser.ts (0-1000); cua loops/uitars2.py",
)
_INTERNVL = Profile(
    "internvl",
    (r"intern-?vl",),
    Format.NESTED_BOX,
    Shape.BOX,
    _PER_MILLE,
    "OpenGVLab/InternVL docs, grounding (0-1000); cua adapters/models/internvl.py",
)
_MINICPM = Profile(
    "minicpm-v",
    (r"minicpm-?v", r"minicpm-?o"),
    Format.PLAIN_BOX,
    Shape.BOX,
    _PER_MILLE,
    "ScreenSpot-Pro minicpmv.py (<box>x1 y1 x2 y2</box> / 1000), version 2.6; later versions from memory",
    budget=SMALL,
    conclusive=False,
)
_GEMINI = Profile(
    "gemini",
    (r"gemini(?![a-z])",),
    Format.BOX_2D,
    Shape.BOTH,
    _PER_MILLE,
    "Google, Gemini API, image understanding (box_2d: ymin, xmin, ymax, xmax, 0-1000); midscene gemini.ts (yx, 1000)",
    order=Order.YX,
)
_CLAUDE_ROW = Profile(
    "claude",
    (r"claude(?![a-z])",),
    Format.NAMED_EDGES,
    Shape.BOTH,
    _SENT,
    "Anthropic, computer use and vision (pixels of the picture as sent); ScreenSpot-Pro claude.py (long side 1568)",
    budget=CLAUDE,
)
_GPT = Profile(
    "gpt",
    (r"gpt-?4o", r"chatgpt-4o", r"gpt-4\.1", r"gpt-4-turbo", r"o[34](-mini|-pro)?(?![a-z0-9.])"),
    Format.NAMED_EDGES,
    Shape.BOTH,
    _SENT,
    "from memory: asked for pixels these models estimate; no document of the vendor says how well",
    budget=OPENAI,
    conclusive=False,
)
_GPT_5 = Profile(
    "gpt-5",
    (r"gpt-?5", r"(?:openai-)?computer-use-preview"),
    Format.NAMED_EDGES,
    Shape.BOTH,
    _SENT,
    "midscene gpt.ts (box, x first, pixels of the picture sent)",
    budget=OPENAI,
)
_GPT_6 = Profile(
    "gpt-6",
    (r"gpt-?6",),
    Format.NAMED_EDGES,
    Shape.BOTH,
    _SENT,
    "from memory: taken to answer as gpt-5 does, in pixels of the picture sent",
    budget=OPENAI,
    conclusive=False,
)
_MOLMO = Profile(
    "molmo",
    (r"molmo(?!-?2|point|-?act)", r"molmoe"),
    Format.POINT_ATTRIBUTES,
    Shape.POINT,
    _SENT,
    'from memory: allenai/Molmo model card (<point x="63.5" y="44.5">, percent)',
    grid=PERCENT,
    budget=SMALL,
    conclusive=False,
)
_MOONDREAM = Profile(
    "moondream",
    (r"moondream",),
    Format.POINTS,
    Shape.BOTH,
    _UNIT,
    "moondream docs, point and detect (x, y, x_min ..., 0-1)",
)
_FLORENCE = Profile(
    "florence-2",
    (r"florence-?2",),
    Format.LOC_TOKENS,
    Shape.BOX,
    _PER_MILLE,
    "microsoft/Florence-2-large processing_florence2.py (1000 bins; the middle of a bin is meant)",
    bins=True,
    budget=SMALL,
)
_KIMI = Profile(
    "kimi",
    (r"kimi-vl", r"kimi-k2[.-][5-9]", r"kimi-latest"),
    Format.PYAUTOGUI,
    Shape.POINT,
    _UNIT,
    "ScreenSpot-Pro kimivl.py (0-1); midscene kimi.ts (a number above 1 means pixels)",
    otherwise=_SENT,
)
GENERIC: Final = Profile(
    "generic",
    (),
    Format.NAMED_EDGES,
    Shape.BOTH,
    _PER_MILLE,
    "the specification's prompt (0-1000, xmin ... ymax); what an unknown model answers has to be seen",
    detect=True,
    conclusive=False,
)
FAMILIES: Final[tuple[Profile, ...]] = (
    _GLM, AUTOGLM, _QWEN_1, SEECLICK, _QWEN_2, _QWEN_2_5, _QWEN_HOSTED, _QWEN_3, UI_TARS, UI_TARS_1_5, _DOUBAO,
    OS_ATLAS_4B, OS_ATLAS, UGROUND, AGUVIS, SHOWUI, ARIA_UI, COGAGENT, _INTERNVL, _MINICPM, _GEMINI,
    GEMINI_COMPUTER_USE, _CLAUDE_ROW, _GPT, _GPT_5, _GPT_6, _MOLMO, _MOONDREAM, _FLORENCE, _KIMI, HOLO_1, HOLO_2, GTA1,
    JEDI, OPENCUA, UI_VENUS, UI_VENUS_1_5, MAI_UI, GENERIC,
)  # fmt: skip
"""All families, the generic one last."""
