"""Tests of the reference image library: a module's flat folder and the `assets/` layout."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from handeye.apps import AssetsManager, ImageSearch, ModuleRegistry
from handeye.errors import ConfigError, InvalidReference


def picture(path: Path, seed: int = 0, mode: str = "RGB") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    noise = np.random.default_rng(seed).integers(0, 255, (40, 48, len(mode)), np.uint8)
    if mode == "RGBA":
        noise[..., 3] = 255
    Image.fromarray(noise).save(path)
    return path


def test_image_variants_are_sorted_by_number(tmp_path: Path) -> None:
    for number, name in enumerate(("send", "send_v10", "send_v2", "send_v3", "send_v1", "lone_v2")):
        picture(tmp_path / f"{name}.png", number, "RGBA" if name == "send_v2" else "RGB")
    library = AssetsManager(tmp_path)
    found = library.find("send")
    assert [reference.path.name for reference in found if reference.path] == [
        "send.png",
        "send_v2.png",
        "send_v3.png",
        "send_v10.png",
    ]
    assert found[1].pixels.shape == (40, 48, 4)
    assert library.get_available_refs() == {"icons": ["lone_v2", "send", "send_v1"], "ui": [], "states": []}
    assert library.find("send_v2") == ()
    assert library.find("nothing") == ()


@pytest.mark.parametrize("broken", ["send.png", "send_v2.png"])
def test_unusable_image_variant_does_not_block_others(broken: str, tmp_path: Path) -> None:
    for number, name in enumerate(("send.png", "send_v2.png")):
        picture(tmp_path / name, number)
    Image.new("RGB", (60, 40), "white").save(tmp_path / broken)
    library = AssetsManager(tmp_path)
    assert [each.path.name for each in library.find("send") if each.path] == [
        name for name in ("send.png", "send_v2.png") if name != broken
    ]
    for name in ("send.png", "send_v2.png"):
        Image.new("RGB", (60, 40), "white").save(tmp_path / name)
    with pytest.raises(InvalidReference, match=r"send\.png.*too plain"):
        AssetsManager(tmp_path).find("send")


def test_aliases_ignore_case_and_width(tmp_path: Path) -> None:
    picture(tmp_path / "wechat.png")
    (tmp_path / "aliases.yaml").write_text("微信: wechat\nＷｅＣｈａｔ App: wechat\n", encoding="utf-8")
    library = AssetsManager(tmp_path)
    assert {library.resolve_alias(name) for name in ("微信", " WECHAT", "wechat app", "wechat")} == {"wechat"}
    image = library.get_image("微信")
    assert image is not None
    assert image.size == (48, 40)
    assert library.get_image("支付宝") is None
    assert library.resolve_alias("../wechat") is None


def test_alias_of_missing_image_names_its_line(tmp_path: Path) -> None:
    picture(tmp_path / "a.png")
    (tmp_path / "aliases.yaml").write_text("甲: a\n乙: b\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"aliases.yaml:2: there is no image 'b' \(expected one of a\)"):
        AssetsManager(tmp_path).find("甲")


def test_assets_folder_layout_and_index(tmp_path: Path) -> None:
    picture(tmp_path / "icons" / "wechat.png")
    picture(tmp_path / "ui" / "actions" / "search_icon.png", 1)
    picture(tmp_path / "states" / "wechat" / "main.png", 2)
    index = {
        "version": "1.0",
        "icons": {
            "wechat": {"path": "icons/wechat.png", "aliases": ["微信"], "package": "com.tencent.mm", "exists": True}
        },
        "ui": {"close_x": {"path": "ui/dialogs/close_x.png", "description": "关闭", "exists": True}},
        "states": {},
    }
    (tmp_path / "index.json").write_text(json.dumps(index), encoding="utf-8")
    library = AssetsManager(tmp_path)
    assert library.resolve_alias("微信") == "wechat"
    assert library.get_available_refs() == {"icons": ["wechat"], "ui": ["search_icon"], "states": ["wechat_main"]}
    written = json.loads(library.write_index().read_text(encoding="utf-8"))
    assert written["icons"]["wechat"] == {
        "path": "icons/wechat.png", "aliases": ["微信"], "package": "com.tencent.mm", "exists": True,
    }  # fmt: skip
    assert written["ui"]["close_x"] == {"path": "ui/dialogs/close_x.png", "description": "关闭", "exists": False}
    assert written["ui"]["search_icon"]["exists"] is True
    assert written["states"]["wechat_main"]["path"] == "states/wechat/main.png"
    assert AssetsManager(tmp_path).resolve_alias("微信") == "wechat"


def test_broken_index_or_image_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_bytes(b"not a picture")
    with pytest.raises(InvalidReference, match=r"bad\.png"):
        AssetsManager(tmp_path).find("bad")
    (tmp_path / "index.json").write_text('{\n"icons": [', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"index\.json:2: is not valid JSON"):
        AssetsManager(tmp_path).find("bad")
    (tmp_path / "index.json").write_text('{"icons": {"a": {}}}', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"icons\.a\.path"):
        AssetsManager(tmp_path).find("bad")


def test_two_files_with_same_image_name_are_refused(tmp_path: Path) -> None:
    picture(tmp_path / "a.png")
    picture(tmp_path / "a.webp")
    with pytest.raises(ConfigError, match="same name 'a'"):
        AssetsManager(tmp_path).find("a")


def test_empty_library_has_no_images() -> None:
    assert AssetsManager(None).find("a") == ()
    assert AssetsManager("no/such/folder").get_available_refs() == {"icons": [], "ui": [], "states": []}


def test_own_images_are_searched_first(tmp_path: Path) -> None:
    own, other = picture(tmp_path / "own" / "a.png"), picture(tmp_path / "other" / "a.png", 1)
    picture(tmp_path / "other" / "b.png", 2)
    search = ImageSearch([AssetsManager(own.parent), AssetsManager(other.parent)])
    assert [search.find(name)[0].path for name in "ab"] == [own, other.with_name("b.png")]
    assert search.find("c") == ()
    images = ModuleRegistry(environment={}).images("chrome")
    assert images.find("设置")[0].name == "setting"
    assert images.find("微信")[0].name == "wechat"


def test_documented_index_gives_resolution_and_position(tmp_path: Path) -> None:
    docs = (Path(__file__).parents[2] / "docs" / "app-modules.md").read_text("utf-8")
    (block,) = re.findall(r"^```json\n(.*?)^```$", docs, re.DOTALL | re.MULTILINE)
    (tmp_path / "index.json").write_text(block, "utf-8")
    entry = json.loads(block)["icons"]["search"]
    picture(tmp_path / entry["path"])
    (reference,) = AssetsManager(tmp_path).find("search")
    assert reference.captured == tuple(entry["resolution"])
    assert reference.position == tuple(entry["position"])
