"""Resizing rules of model servers, and image budgets within which a picture is not resized."""

from __future__ import annotations

from typing import Final

from handeye.models.families.profile import ImageBudget, SmartResize

# Qwen2-VL's rule with the bounds of its preprocessor_config.json; UI-TARS-1.5's are those of its action_parser.py.
QWEN_28: Final = SmartResize(28, 4 * 28 * 28, 16384 * 28 * 28)
TARS_28: Final = SmartResize(28, 100 * 28 * 28, 16384 * 28 * 28)
# Qwen3-VL's patches are 16 wide and merged by two; bounds of its preprocessor_config.json (shortest and longest edge, squared).
QWEN_32: Final = SmartResize(32, 64 * 32 * 32, 16384 * 32 * 32)
# Servers lower the upper bound without notice: Ollama and the vendor's own API to 1280 tokens of 28 x 28 pixels. A picture
# within the smallest of these bounds is resized by none of them. `min_pixels` is UI-TARS-1.5's, the largest of them.
BUDGET_28: Final = TARS_28.budget(most=1280 * 28 * 28)
# 2560 tokens of 32 x 32 pixels: the vendor's default for Qwen3-VL. Its numbers do not depend on it.
BUDGET_32: Final = QWEN_32.budget(most=2560 * 32 * 32)
# Above 1568 pixels or about 1.15 megapixels a picture is shrunk before the model sees it (Anthropic, "Vision").
CLAUDE: Final = ImageBudget(long_side=1568, max_pixels=1_150_000)
# Shrunk to fit 2048 x 2048, then to a short side of 768 (OpenAI, "Images and vision", high detail).
OPENAI: Final = ImageBudget(long_side=2048, short_side=768)
# Models with a fixed small input size; a larger picture only costs time.
SMALL: Final = ImageBudget(long_side=1344)
