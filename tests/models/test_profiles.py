"""Tests of the model families: selection by model name, the fields of a profile, coordinate spaces."""

from pathlib import Path

import pytest

from handeye.errors import InvalidReply, UsageError
from handeye.geometry import Box, CoordinateSpace, Size
from handeye.models import Format, Picture, Profile, SentImage, Shape, places
from handeye.models.families.general import FAMILIES, GENERIC
from handeye.models.families.lookup import profile_for, profile_named
from handeye.models.families.profile import PERCENT
from handeye.models.reply.reader import read_reply
from handeye.testing.model_replies import write_box

SERVED = {
    "GLM-4V-Flash": "glm-v",
    "glm-4.5v": "glm-v",
    "z-ai/glm-4.6v": "glm-v",
    "zai-org/GLM-4.1V-9B-Thinking": "glm-v",
    "autoglm-phone-9b": "autoglm",
    "zai-org/AutoGLM-Phone-9B": "autoglm",
    "Qwen/Qwen-VL-Chat": "qwen-vl",
    "cckevinn/SeeClick": "seeclick",
    "Qwen/Qwen2-VL-7B-Instruct": "qwen2-vl",
    "qwen/qwen2.5-vl-72b-instruct": "qwen2.5-vl",
    "qwen2.5vl:7b": "qwen2.5-vl",
    "hf.co/unsloth/Qwen2.5-VL-7B-Instruct-GGUF:Q4_K_M": "qwen2.5-vl",
    "qwen-vl-max": "qwen-vl-hosted",
    "qwen-vl-plus-latest": "qwen-vl-hosted",
    "qwen/qwen3-vl-235b-a22b-instruct": "qwen3-vl",
    "qwen3-vl:8b": "qwen3-vl",
    "qwen3-vl-plus": "qwen3-vl",
    "Qwen/Qwen3.5-397B-A17B": "qwen3-vl",
    "bytedance-research/UI-TARS-7B-DPO": "ui-tars",
    "ui-tars-72b": "ui-tars",
    "bytedance/ui-tars-1.5-7b": "ui-tars-1.5",
    "ByteDance-Seed/UI-TARS-1.5-7B": "ui-tars-1.5",
    "ui-tars-2": "doubao-seed",
    "doubao-1-5-ui-tars-250428": "doubao-seed",
    "doubao-1.5-vision-pro-250328": "doubao-seed",
    "doubao-seed-1-6-vision-250815": "doubao-seed",
    "bytedance-seed/seed-1.6": "doubao-seed",
    "OS-Copilot/OS-Atlas-Base-4B": "os-atlas-4b",
    "OS-Copilot/OS-Atlas-Base-7B": "os-atlas-7b",
    "OS-Copilot/OS-Atlas-Pro-7B": "os-atlas-7b",
    "osunlp/UGround-V1-7B": "uground",
    "xlangai/Aguvis-7B-720P": "aguvis",
    "showlab/ShowUI-2B": "showui",
    "Aria-UI/Aria-UI-base": "aria-ui",
    "THUDM/cogagent-9b-20241220": "cogagent",
    "OpenGVLab/InternVL3_5-8B": "internvl",
    "OpenGVLab/InternVL2-4B": "internvl",
    "openbmb/MiniCPM-V-2_6": "minicpm-v",
    "google/gemini-2.5-flash": "gemini",
    "google/gemini-2.5-flash-preview": "gemini",
    "models/gemini-3-pro-preview": "gemini",
    "gemini-2.5-computer-use-preview": "gemini-computer-use",
    "google/gemini-2.5-computer-use-preview-10-2025": "gemini-computer-use",
    "computer-use-preview": "gpt-5",
    "gpt-6.1-terra": "gpt-6",
    "claude-sonnet-4-5-20250929": "claude",
    "anthropic/claude-opus-4.1": "claude",
    "anthropic.claude-3-5-sonnet-20241022-v2:0": "claude",
    "gpt-4o": "gpt",
    "openai/gpt-4o-mini-2024-07-18": "gpt",
    "gpt-4.1-mini": "gpt",
    "o4-mini": "gpt",
    "gpt-5": "gpt-5",
    "openai/gpt-5-mini": "gpt-5",
    "gpt-5.2": "gpt-5",
    "allenai/Molmo-7B-D-0924": "molmo",
    "vikhyatk/moondream2": "moondream",
    "moondream:1.8b": "moondream",
    "microsoft/Florence-2-large": "florence-2",
    "moonshotai/Kimi-VL-A3B-Thinking-2506": "kimi",
    "moonshotai/kimi-k2.5": "kimi",
    "Hcompany/Holo1-7B": "holo1",
    "Hcompany/Holo1.5-7B": "holo1",
    "Hcompany/Holo2-8B": "holo2",
    "HelloKKMe/GTA1-7B": "gta1",
    "xlangai/Jedi-7B-1080p": "jedi",
    "xlangai/OpenCUA-32B": "opencua",
    "inclusionAI/UI-Venus-Ground-7B": "ui-venus",
    "inclusionAI/UI-Venus-1.5-8B": "ui-venus-1.5",
    "Tongyi-MAI/MAI-UI-8B": "mai-ui",
}
UNKNOWN = [
    "", "gpt-oss-120b", "deepseek-chat", "llama-3.2-90b-vision", "allenai/Molmo2-8B", "google/gemma-3-27b-it",
    "kimi-k2-instruct", "moonshot-v1-8k", "glm-4.5", "qwen2.5-72b-instruct", "qwen3-235b-a22b", "mistral-small",
    "phi-4", "my-claudette", "smollm2", "o3000", "unclaude",
    "osunlp/UGround", "uground-7b",
]  # fmt: skip


@pytest.mark.parametrize(("served", "family"), SERVED.items())
def test_served_model_name_selects_the_family(served: str, family: str) -> None:
    profile = profile_for(served)
    assert profile is not None
    assert profile.name == family


@pytest.mark.parametrize("served", UNKNOWN)
def test_unknown_model_name_selects_no_family(served: str) -> None:
    assert profile_for(served) is None


def test_every_named_family_has_a_served_name() -> None:
    assert set(SERVED.values()) == {profile.name for profile in FAMILIES} - {"generic"}


def test_unknown_profile_error_lists_unique_names() -> None:
    names = [profile.name for profile in FAMILIES]
    assert len(set(names)) == len(names)
    assert [profile_named(name).name for name in names] == names
    with pytest.raises(UsageError, match=r"qwen2\.5-vl"):
        profile_named("qwen9")


@pytest.mark.parametrize("profile", FAMILIES, ids=lambda profile: profile.name)
def test_every_profile_has_source_and_consistent_limits(profile: object) -> None:
    row = profile_named(profile.name)  # type: ignore[attr-defined]
    assert row.source
    assert row.conclusive or row.name == "generic" or "memory" in row.source
    assert row.grid is None or row.space is CoordinateSpace.RESIZED
    if row.resize is not None:
        assert row.budget.multiple == row.resize.factor
        assert row.budget.max_pixels is not None
        assert row.resize.min_pixels <= row.budget.min_pixels <= row.budget.max_pixels <= row.resize.max_pixels


def test_every_format_is_used_and_can_be_written() -> None:
    written = {profile.format for profile in FAMILIES}
    assert written == set(Format)
    sent = SentImage(Picture(b""), Size(500, 500), Box(0, 0, 500, 500), Size(500, 500))
    assert all(write_box(profile, sent, Box(100, 100, 200, 200)) for profile in FAMILIES)


SENT = SentImage(Picture(b""), Size(800, 600), Box(0, 0, 1600, 1200), Size(1600, 1200))


def boxes(reply: str, family: str) -> list[tuple[int, ...]]:
    profile = profile_named(family)
    return [tuple(place.box) for place in places(read_reply(reply, profile), SENT, profile).places]


@pytest.mark.parametrize(
    ("reply", "family", "box"),
    [
        ('{"bbox": [100, 100, 200, 200]}', "generic", (160, 120, 320, 240)),
        ('{"bbox": [0.1, 0.1, 0.2, 0.2]}', "generic", (160, 120, 320, 240)),
        ("[100, 100, 200, 200]", "claude", (200, 200, 400, 400)),
        ("[100, 100, 200, 200]", "qwen3-vl", (160, 120, 320, 240)),
        ("[100, 100, 1050, 200]", "qwen3-vl", (160, 120, 1600, 240)),
        ("[-50, 100, 200, 200]", "qwen3-vl", (0, 120, 320, 240)),
        ("[500, 500, 500, 600]", "qwen3-vl", (800, 600, 801, 720)),
        ("[100, 200, 300, 400]", "gemini", (320, 120, 640, 360)),
        ("<loc_100><loc_100><loc_200><loc_200>", "florence-2", (161, 121, 321, 241)),
        ("pyautogui.click(x=0.5, y=0.5)", "kimi", (796, 596, 805, 605)),
        ("pyautogui.click(x=400, y=300)", "kimi", (796, 596, 805, 605)),
    ],
)
def test_numbers_are_read_in_family_coordinate_space(reply: str, family: str, box: tuple[int, ...]) -> None:
    assert boxes(reply, family) == [box]


@pytest.mark.parametrize(
    ("reply", "family"),
    [
        ("[100, 100, 1200, 200]", "qwen3-vl"),
        ("[-200, 100, 200, 200]", "qwen3-vl"),
        ("[1001, 500]", "qwen3-vl"),
        ("[500, -3]", "qwen3-vl"),
        ("[1010, 100, 1050, 200]", "qwen3-vl"),
        ("[0.4, 0.5]", "qwen3-vl"),
        ("[0.1, 0.1, 0.2, 0.2]", "claude"),
        ("[100, 100, 830, 200]", "claude"),
        ("[900, 100]", "claude"),
        ("[700, 601]", "qwen2.5-vl"),
        ("[400, 300]", "showui"),
        ("[1.5, 0.5]", "showui"),
        ("pyautogui.click(x=0.5, y=300)", "kimi"),
        ("pyautogui.click(x=900, y=300)", "kimi"),
        ('<point x="101.5" y="44.5" alt="a">a</point>', "molmo"),
        ('<point x="0.63" y="0.44" alt="a">a</point>', "molmo"),
        ('{"bbox": [100, 100, 3000, 200]}', "generic"),
        ('{"bbox": [0, 0, 1, 1]}', "generic"),
        ('{"bbox": [0, 0, 1, 1]}', "qwen3-vl"),
        ('{"bbox": [99999999999999999999, 1, 2, 3]}', "generic"),
    ],
)
def test_numbers_outside_the_picture_are_refused(reply: str, family: str) -> None:
    with pytest.raises(InvalidReply):
        boxes(reply, family)


def test_places_are_sorted_by_confidence() -> None:
    reply = '[{"bbox": [1, 2, 30, 40], "confidence": 0.4}, {"bbox": [50, 60, 70, 80], "confidence": 0.9}]'
    profile = profile_named("generic")
    found = places(read_reply(reply, profile), SENT, profile).places
    assert [place.confidence for place in found] == [0.9, 0.4]
    half = reply.replace(', "confidence": 0.9', "")
    found = places(read_reply(half, profile), SENT, profile).places
    assert [place.confidence for place in found] == [0.4, None]


@pytest.mark.parametrize("profile", [row for row in FAMILIES if not row.bins], ids=lambda profile: profile.name)
def test_family_shape_decides_between_point_and_box(profile: Profile) -> None:
    for text, refused_by, length in (("(100, 200)", Shape.BOX, 2), ("(100,200),(300,400)", Shape.POINT, 4)):
        if profile.shape is refused_by:
            with pytest.raises(InvalidReply):
                read_reply(text, profile)
        else:
            (place,) = read_reply(text, profile).places
            assert len(place.numbers) == length


def test_point_becomes_small_box_marked_as_point() -> None:
    (place,) = places(read_reply("(500, 500)", profile_named("uground")), SENT, profile_named("uground")).places
    assert place.is_point
    assert place.box.center == (800, 600)
    assert place.box.width == place.box.height == 9


def test_generic_profile_is_last_without_names() -> None:
    assert FAMILIES[-1] is GENERIC
    assert not GENERIC.names


def test_documented_profile_table_matches_code() -> None:
    text = (Path(__file__).parents[2] / "docs" / "model-families.md").read_text(encoding="utf-8")
    lines = [
        line.strip("|").split(" | ") for line in text.splitlines() if line.startswith("| ") and line.count(" | ") == 7
    ]
    table = {cells[0].strip(): cells for cells in lines[1:]}
    assert list(table) == [profile.name for profile in FAMILIES]
    for profile in FAMILIES:
        _name, shape, space, order, written, picture, sure, source = (cell.strip() for cell in table[profile.name])
        assert shape == profile.shape.value
        assert order == profile.order.value
        assert written.strip("`").replace("\\|", "|").replace(" ⏎ ", "\n") == profile.format.value
        assert sure == ("yes" if profile.conclusive else "no")
        assert source == profile.source
        assert space.startswith(SPACES[profile.space, profile.grid, profile.bins])
        bounds = (profile.budget.short_side, profile.budget.max_pixels, profile.budget.multiple)
        assert all(f"{bound:,}" in picture for bound in bounds if bound not in (None, 1))


SPACES = {
    (CoordinateSpace.UNIT, None, False): "0-1",
    (CoordinateSpace.PER_MILLE, None, False): "0-1000",
    (CoordinateSpace.PER_MILLE, None, True): "1000 bins",
    (CoordinateSpace.RESIZED, PERCENT, False): "percent",
    (CoordinateSpace.RESIZED, None, False): "pixels",
}
