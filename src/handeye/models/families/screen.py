"""
Table of the model families that are trained for GUI actions; `handeye.models.families.general` explains the sources.
"""

from __future__ import annotations

from typing import Final

from handeye.geometry import CoordinateSpace
from handeye.models.families.images import BUDGET_28, BUDGET_32, QWEN_28, QWEN_32, SMALL, TARS_28
from handeye.models.families.profile import Format, Profile, Shape

_UNIT, _PER_MILLE, _SENT = CoordinateSpace.UNIT, CoordinateSpace.PER_MILLE, CoordinateSpace.RESIZED

AUTOGLM: Final = Profile(
    "autoglm",
    (r"auto-?glm", r"autoglm-phone"),
    Format.DO_ACTION,
    Shape.POINT,
    _PER_MILLE,
    "zai-org/Open-AutoGLM phone_agent/actions/handler.py (x / 1000 * width); midscene auto-glm/actions.ts",
)
SEECLICK: Final = Profile(
    "seeclick",
    (r"seeclick",),
    Format.PAIR,
    Shape.POINT,
    _UNIT,
    "njucckevin/SeeClick README (point, 0-1, two decimals)",
    budget=SMALL,
)
UI_TARS: Final = Profile(
    "ui-tars",
    (r"ui-?tars",),
    Format.START_BOX_TOKENS,
    Shape.POINT,
    _PER_MILLE,
    "bytedance/UI-TARS codes/ui_tars/action_parser.py (model_type other than qwen25vl: / 1000)",
    budget=BUDGET_28,
    resize=QWEN_28,
    unversioned=r"ui-?tars(?!.*-(?:sft|dpo|72b))",  # suffixes of the first version; under `ui-tars` 1.5 is served too
)
UI_TARS_1_5: Final = Profile(
    "ui-tars-1.5",
    (r"ui-?tars-?1[.-]5",),
    Format.START_BOX,
    Shape.POINT,
    _SENT,
    "bytedance/UI-TARS codes/ui_tars/action_parser.py (qwen25vl: pixels after smart_resize), README_coordinates.md",
    budget=BUDGET_28,
    resize=TARS_28,
)
OS_ATLAS_4B: Final = Profile(
    "os-atlas-4b",
    (r"os-?atlas[a-z-]*-4b",),
    Format.NESTED_BOX,
    Shape.BOTH,
    _PER_MILLE,
    "OS-Copilot/OS-Atlas README (0-1000, point or box)",
)
OS_ATLAS: Final = Profile(
    "os-atlas-7b",
    (r"os-?atlas",),
    Format.OBJECT_BOX,
    Shape.BOTH,
    _PER_MILLE,
    "OS-Copilot/OS-Atlas README (0-1000, point or box)",
    budget=BUDGET_28,
    resize=QWEN_28,
)
UGROUND: Final = Profile(
    "uground",
    (r"uground-v1",),
    Format.PAIR,
    Shape.POINT,
    _PER_MILLE,
    "osunlp/UGround-V1 model card ((x, y), 0-1000); the first UGround counts pixels and is not this row's",
    budget=BUDGET_28,
    resize=QWEN_28,
)
AGUVIS: Final = Profile(
    "aguvis",
    (r"aguvis",),
    Format.PYAUTOGUI,
    Shape.POINT,
    _UNIT,
    "xlang-ai/aguvis (pyautogui.click(x=0.5, y=0.5))",
    budget=BUDGET_28,
    resize=QWEN_28,
)
SHOWUI: Final = Profile(
    "showui",
    (r"showui",),
    Format.LIST,
    Shape.POINT,
    _UNIT,
    "showlab/ShowUI README ([x, y], 0-1)",
    budget=BUDGET_28,
    resize=QWEN_28,
)
ARIA_UI: Final = Profile(
    "aria-ui",
    (r"aria-?ui",),
    Format.LIST,
    Shape.POINT,
    _PER_MILLE,
    "AriaUI/Aria-UI README ([x, y], 0-1000)",
)
COGAGENT: Final = Profile(
    "cogagent",
    (r"cogagent",),
    Format.OPERATION,
    Shape.BOX,
    _PER_MILLE,
    "ScreenSpot-Pro cogagent24.py (box=[[x1,y1,x2,y2]] / 1000)",
    budget=SMALL,
)
GEMINI_COMPUTER_USE: Final = Profile(
    "gemini-computer-use",
    (r"gemini[a-z0-9.-]*-computer-use(-preview)?",),
    Format.COORDINATE,
    Shape.POINT,
    _PER_MILLE,
    "Google, Gemini API, computer use (click_at(x, y), 0-999 of 1000, x first); asked without its tool: from memory",
    conclusive=False,
)
HOLO_1: Final = Profile(
    "holo1",
    (r"holo-?1([.-]5)?",),
    Format.CLICK_CALL,
    Shape.POINT,
    _SENT,
    "Hcompany/Holo1 and Holo1.5 model cards (Click(x, y), pixels after smart_resize)",
    budget=BUDGET_28,
    resize=QWEN_28,
)
HOLO_2: Final = Profile(
    "holo2",
    (r"holo-?[23]",),
    Format.POINTS,
    Shape.POINT,
    _PER_MILLE,
    "Hcompany/Holo2 model card (0-1000); later versions from memory",
    budget=BUDGET_32,
    resize=QWEN_32,
    conclusive=False,
)
GTA1: Final = Profile(
    "gta1",
    (r"gta-?1",),
    Format.PAIR,
    Shape.POINT,
    _SENT,
    "Yan98/GTA1 README ((x,y), pixels after smart_resize)",
    budget=BUDGET_28,
    resize=QWEN_28,
)
JEDI: Final = Profile(
    "jedi",
    (r"jedi-[37]b",),
    Format.COORDINATE,
    Shape.POINT,
    _SENT,
    "xlang-ai/OSWorld-G (pixels after smart_resize)",
    budget=BUDGET_28,
    resize=QWEN_28,
)
OPENCUA: Final = Profile(
    "opencua",
    (r"opencua",),
    Format.PYAUTOGUI,
    Shape.POINT,
    _SENT,
    "xlang-ai/OpenCUA README (pyautogui.click(x=1443, y=343), pixels after smart_resize); cua loops/opencua.py",
    budget=BUDGET_28,
    resize=QWEN_28,
)
UI_VENUS: Final = Profile(
    "ui-venus",
    (r"ui-?venus", r"ui-?ins"),
    Format.LIST,
    Shape.BOTH,
    _SENT,
    "inclusionAI/UI-Venus README (pixels after smart_resize); cua loops/uiins.py",
    budget=BUDGET_28,
    resize=QWEN_28,
    unversioned=r"ui-?venus(?!.*-(?:ground|navi))",
)
UI_VENUS_1_5: Final = Profile(
    "ui-venus-1.5",
    (r"ui-?venus-?1[.-]5",),
    Format.LIST,
    Shape.POINT,
    _PER_MILLE,
    "inclusionAI/UI-Venus, branch of version 1.5 (0-1000, refusal [-1,-1])",
    budget=BUDGET_32,
    resize=QWEN_32,
)
MAI_UI: Final = Profile(
    "mai-ui",
    (r"mai-?ui",),
    Format.COORDINATE,
    Shape.POINT,
    _PER_MILLE,
    "midscene mai-ui/parser.ts",
    budget=BUDGET_32,
    resize=QWEN_32,
)
