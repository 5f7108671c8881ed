"""
The rows: how each family of models writes coordinates. A new family is a new row; docs/model-families.md shows them as a table.

Every row says where it is from. Short names of sources: midscene is web-infra-dev/midscene, packages/core/src/ai-model/models;
ScreenSpot-Pro is likaixin2000/ScreenSpot-Pro-GUI-Grounding, models; cua is trycua/cua, libs/python/agent.
"""

from __future__ import annotations

from typing import Final

from handeye.geometry import CoordinateSpace
from handeye.models.profiles import PERCENT, Format, ImageBudget, Order, Profile, Shape, SmartResize

_UNIT, _PER_MILLE, _SENT = CoordinateSpace.UNIT, CoordinateSpace.PER_MILLE, CoordinateSpace.RESIZED

# Qwen2-VL's rule with the bounds of its preprocessor_config.json; UI-TARS-1.5's are those of its action_parser.py.
_QWEN_28: Final = SmartResize(28, 4 * 28 * 28, 16384 * 28 * 28)
_TARS_28: Final = SmartResize(28, 100 * 28 * 28, 16384 * 28 * 28)
# Qwen3-VL's patches are 16 wide and merged by two; bounds of its preprocessor_config.json (shortest and longest edge, squared).
_QWEN_32: Final = SmartResize(32, 64 * 32 * 32, 16384 * 32 * 32)
# Servers lower the upper bound without a word: Ollama and the vendor's own API to 1280 tokens of 28 x 28 pixels. A picture
# within the least of these bounds is seen as it is sent by all of them. `min_pixels` is UI-TARS-1.5's, the largest of them.
_BUDGET_28: Final = _TARS_28.budget(most=1280 * 28 * 28)
# 2560 tokens of 32 x 32 pixels: the vendor's default for Qwen3-VL. Its numbers do not depend on it.
_BUDGET_32: Final = _QWEN_32.budget(most=2560 * 32 * 32)
# Above 1568 pixels or about 1.15 megapixels a picture is shrunk before the model sees it (Anthropic, "Vision").
_CLAUDE: Final = ImageBudget(long_side=1568, max_pixels=1_150_000)
# Shrunk to fit 2048 x 2048, then to a short side of 768 (OpenAI, "Images and vision", high detail).
_OPENAI: Final = ImageBudget(long_side=2048, short_side=768)
# Models with a fixed small picture of their own; what is larger only costs time.
_SMALL: Final = ImageBudget(long_side=1344)

_GLM = Profile(
    "glm-v",
    (r"glm-?4(\.[156])?v", r"glm-4v", r"glm-5(\.\d)?v"),
    Format.BEGIN_BOX,
    Shape.BOX,
    _PER_MILLE,
    "midscene glm.ts (box, x first, 1000); cua loops/glm45v.py",
)
_AUTOGLM = Profile(
    "autoglm",
    (r"auto-?glm", r"autoglm-phone"),
    Format.DO_ACTION,
    Shape.POINT,
    _PER_MILLE,
    "zai-org/Open-AutoGLM phone_agent/actions/handler.py (x / 1000 * width); midscene auto-glm/actions.ts",
)
_QWEN_1 = Profile(
    "qwen-vl",
    (r"qwen-vl-chat", r"qwen-vl$", r"qwen-vl-7b"),
    Format.REF_BOX,
    Shape.BOX,
    _PER_MILLE,
    "QwenLM/Qwen-VL README, grounding (0-1000)",
    budget=_SMALL,
)
_SEECLICK = Profile(
    "seeclick",
    (r"seeclick",),
    Format.PAIR,
    Shape.POINT,
    _UNIT,
    "njucckevin/SeeClick README (point, 0-1, two decimals)",
    budget=_SMALL,
)
_QWEN_2 = Profile(
    "qwen2-vl",
    (r"qwen-?2-?vl",),
    Format.OBJECT_BOX,
    Shape.BOX,
    _PER_MILLE,
    "QwenLM/Qwen2-VL cookbook and paper 2409.12191 (0-1000)",
    budget=_BUDGET_28,
    resize=_QWEN_28,
)
_QWEN_2_5 = Profile(
    "qwen2.5-vl",
    (r"qwen-?2\.5-?vl", r"qwen-?2-5-vl"),
    Format.BBOX_2D,
    Shape.BOTH,
    _SENT,
    "ScreenSpot-Pro qwen2_5vl.py; QwenLM/Qwen2.5-VL cookbooks (pixels of the resized picture)",
    budget=_BUDGET_28,
    resize=_QWEN_28,
)
_QWEN_HOSTED = Profile(
    "qwen-vl-hosted",
    (r"qwen-vl-(max|plus|ocr)",),
    Format.BBOX_2D,
    Shape.BOTH,
    _SENT,
    "from memory: these names are moved from Qwen2.5-VL to Qwen3-VL by the vendor without a change of name",
    budget=_BUDGET_28,
    resize=_QWEN_28,
    conclusive=False,
)
_QWEN_3 = Profile(
    "qwen3-vl",
    (r"qwen-?3-?vl", r"qwen-?3\.[5-9]", r"qwen-?3-5"),
    Format.BBOX_2D,
    Shape.BOTH,
    _PER_MILLE,
    "midscene qwen/adapter.ts; cua loops/qwen3vl.py (0-1000)",
    budget=_BUDGET_32,
    resize=_QWEN_32,
)
_UI_TARS = Profile(
    "ui-tars",
    (r"ui-?tars",),
    Format.START_BOX_TOKENS,
    Shape.POINT,
    _PER_MILLE,
    "bytedance/UI-TARS codes/ui_tars/action_parser.py (model_type other than qwen25vl: / 1000)",
    budget=_BUDGET_28,
    resize=_QWEN_28,
)
_UI_TARS_1_5 = Profile(
    "ui-tars-1.5",
    (r"ui-?tars-?1[.-]5",),
    Format.START_BOX,
    Shape.POINT,
    _SENT,
    "bytedance/UI-TARS codes/ui_tars/action_parser.py (qwen25vl: pixels after smart_resize), README_coordinates.md",
    budget=_BUDGET_28,
    resize=_TARS_28,
)
_DOUBAO = Profile(
    "doubao-seed",
    (r"doubao", r"doubao-1[.-]5-ui-tars", r"doubao-seed-1[.-]\d", r"seed-?[12][.-]\d", r"ui-?tars-?2", r"seed1\.\d"),
    Format.BBOX_TAG,
    Shape.BOTH,
    _PER_MILLE,
    "midscene doubao/locate-output-parser.ts (0-1000); cua loops/uitars2.py",
)
_OS_ATLAS_4B = Profile(
    "os-atlas-4b",
    (r"os-?atlas[a-z-]*-4b",),
    Format.NESTED_BOX,
    Shape.BOTH,
    _PER_MILLE,
    "OS-Copilot/OS-Atlas README (0-1000, point or box)",
)
_OS_ATLAS = Profile(
    "os-atlas-7b",
    (r"os-?atlas",),
    Format.OBJECT_BOX,
    Shape.BOTH,
    _PER_MILLE,
    "OS-Copilot/OS-Atlas README (0-1000, point or box)",
    budget=_BUDGET_28,
    resize=_QWEN_28,
)
_UGROUND = Profile(
    "uground",
    (r"uground-v1",),
    Format.PAIR,
    Shape.POINT,
    _PER_MILLE,
    "osunlp/UGround-V1 model card ((x, y), 0-1000); the first UGround counts pixels and is not this row's",
    budget=_BUDGET_28,
    resize=_QWEN_28,
)
_AGUVIS = Profile(
    "aguvis",
    (r"aguvis",),
    Format.PYAUTOGUI,
    Shape.POINT,
    _UNIT,
    "xlang-ai/aguvis (pyautogui.click(x=0.5, y=0.5))",
    budget=_BUDGET_28,
    resize=_QWEN_28,
)
_SHOWUI = Profile(
    "showui",
    (r"showui",),
    Format.LIST,
    Shape.POINT,
    _UNIT,
    "showlab/ShowUI README ([x, y], 0-1)",
    budget=_BUDGET_28,
    resize=_QWEN_28,
)
_ARIA_UI = Profile(
    "aria-ui",
    (r"aria-?ui",),
    Format.LIST,
    Shape.POINT,
    _PER_MILLE,
    "AriaUI/Aria-UI README ([x, y], 0-1000)",
)
_COGAGENT = Profile(
    "cogagent",
    (r"cogagent",),
    Format.OPERATION,
    Shape.BOX,
    _PER_MILLE,
    "ScreenSpot-Pro cogagent24.py (box=[[x1,y1,x2,y2]] / 1000)",
    budget=_SMALL,
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
    budget=_SMALL,
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
_GEMINI_COMPUTER_USE = Profile(
    "gemini-computer-use",
    (r"gemini[a-z0-9.-]*-computer-use(-preview)?",),
    Format.COORDINATE,
    Shape.POINT,
    _PER_MILLE,
    "Google, Gemini API, computer use (click_at(x, y), 0-999 of 1000, x first); asked without its tool: from memory",
    conclusive=False,
)
_CLAUDE_ROW = Profile(
    "claude",
    (r"claude(?![a-z])",),
    Format.NAMED_EDGES,
    Shape.BOTH,
    _SENT,
    "Anthropic, computer use and vision (pixels of the picture as sent); ScreenSpot-Pro claude.py (long side 1568)",
    budget=_CLAUDE,
)
_GPT = Profile(
    "gpt",
    (r"gpt-?4o", r"chatgpt-4o", r"gpt-4\.1", r"gpt-4-turbo", r"o[34](-mini|-pro)?(?![a-z0-9.])"),
    Format.NAMED_EDGES,
    Shape.BOTH,
    _SENT,
    "from memory: asked for pixels these models estimate; no document of the vendor says how well",
    budget=_OPENAI,
    conclusive=False,
)
_GPT_5 = Profile(
    "gpt-5",
    (r"gpt-?5", r"(?:openai-)?computer-use-preview"),
    Format.NAMED_EDGES,
    Shape.BOTH,
    _SENT,
    "midscene gpt.ts (box, x first, pixels of the picture sent)",
    budget=_OPENAI,
)
_GPT_6 = Profile(
    "gpt-6",
    (r"gpt-?6",),
    Format.NAMED_EDGES,
    Shape.BOTH,
    _SENT,
    "from memory: taken to answer as gpt-5 does, in pixels of the picture sent",
    budget=_OPENAI,
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
    budget=_SMALL,
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
    budget=_SMALL,
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
_HOLO_1 = Profile(
    "holo1",
    (r"holo-?1([.-]5)?",),
    Format.CLICK_CALL,
    Shape.POINT,
    _SENT,
    "Hcompany/Holo1 and Holo1.5 model cards (Click(x, y), pixels after smart_resize)",
    budget=_BUDGET_28,
    resize=_QWEN_28,
)
_HOLO_2 = Profile(
    "holo2",
    (r"holo-?[23]",),
    Format.POINTS,
    Shape.POINT,
    _PER_MILLE,
    "Hcompany/Holo2 model card (0-1000); later versions from memory",
    budget=_BUDGET_32,
    resize=_QWEN_32,
    conclusive=False,
)
_GTA1 = Profile(
    "gta1",
    (r"gta-?1",),
    Format.PAIR,
    Shape.POINT,
    _SENT,
    "Yan98/GTA1 README ((x,y), pixels after smart_resize)",
    budget=_BUDGET_28,
    resize=_QWEN_28,
)
_JEDI = Profile(
    "jedi",
    (r"jedi-[37]b",),
    Format.COORDINATE,
    Shape.POINT,
    _SENT,
    "xlang-ai/OSWorld-G (pixels after smart_resize)",
    budget=_BUDGET_28,
    resize=_QWEN_28,
)
_OPENCUA = Profile(
    "opencua",
    (r"opencua",),
    Format.PYAUTOGUI,
    Shape.POINT,
    _SENT,
    "xlang-ai/OpenCUA README (pyautogui.click(x=1443, y=343), pixels after smart_resize); cua loops/opencua.py",
    budget=_BUDGET_28,
    resize=_QWEN_28,
)
_UI_VENUS = Profile(
    "ui-venus",
    (r"ui-?venus", r"ui-?ins"),
    Format.LIST,
    Shape.BOTH,
    _SENT,
    "inclusionAI/UI-Venus README (pixels after smart_resize); cua loops/uiins.py",
    budget=_BUDGET_28,
    resize=_QWEN_28,
)
_UI_VENUS_1_5 = Profile(
    "ui-venus-1.5",
    (r"ui-?venus-?1[.-]5",),
    Format.LIST,
    Shape.POINT,
    _PER_MILLE,
    "inclusionAI/UI-Venus, branch of version 1.5 (0-1000, refusal [-1,-1])",
    budget=_BUDGET_32,
    resize=_QWEN_32,
)
_MAI_UI = Profile(
    "mai-ui",
    (r"mai-?ui",),
    Format.COORDINATE,
    Shape.POINT,
    _PER_MILLE,
    "midscene mai-ui/parser.ts",
    budget=_BUDGET_32,
    resize=_QWEN_32,
)
GENERIC: Final = Profile(
    "generic",
    (),
    Format.NAMED_EDGES,
    Shape.BOTH,
    _PER_MILLE,
    "seed 004's prompt (0-1000, xmin ... ymax); what an unknown model answers has to be seen",
    detect=True,
    conclusive=False,
)

FAMILIES: Final[tuple[Profile, ...]] = (
    _GLM, _AUTOGLM, _QWEN_1, _SEECLICK, _QWEN_2, _QWEN_2_5, _QWEN_HOSTED, _QWEN_3, _UI_TARS, _UI_TARS_1_5, _DOUBAO,
    _OS_ATLAS_4B, _OS_ATLAS, _UGROUND, _AGUVIS, _SHOWUI, _ARIA_UI, _COGAGENT, _INTERNVL, _MINICPM, _GEMINI,
    _GEMINI_COMPUTER_USE, _CLAUDE_ROW, _GPT, _GPT_5, _GPT_6, _MOLMO, _MOONDREAM, _FLORENCE, _KIMI, _HOLO_1, _HOLO_2, _GTA1,
    _JEDI, _OPENCUA, _UI_VENUS, _UI_VENUS_1_5, _MAI_UI, GENERIC,
)  # fmt: skip
"""Every family, the generic one last."""
