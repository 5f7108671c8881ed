"""Tests of the place cache: a hit needs an unchanged, unique element and has a confidence below one."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from handeye import typeface
from handeye.elements import UIElement
from handeye.errors import OcrFailed
from handeye.geometry import Box, Size
from handeye.locate import CacheStrategy, LocateChain, PlaceCache, cache_folder
from handeye.locate.base import Match
from handeye.locate.sources.cache import MEMORY_BYTES, MEMORY_S, CachedPlace, PlaceKey
from handeye.locate.sources.cache_files import MOST_PLACES
from handeye.ocr import CachedReader, PaddleReader
from handeye.screen import Screen
from handeye.target import Position, Relation, RelationKind, Target
from handeye.testing.fakes import FakeClock
from handeye.text import TextLine

SIZE = (1080, 1600)
TARGET = Target(text="删除")
FONT = ImageFont.truetype(typeface.FONT_DIR / typeface.FONT_FILES[0], 40)
Draw = Callable[[ImageDraw.ImageDraw], None]


def page(*rows: str, button: str = "删除", clock: str = "10:24", top: int = 300, dark: bool = False) -> Image.Image:
    """A list of names with a button at the end of the first row."""
    back, ink = ((20, 20, 20), (235, 235, 235)) if dark else ((250, 250, 250), (30, 30, 30))
    image = Image.new("RGB", SIZE, back)
    pen = ImageDraw.Draw(image)
    pen.text((60, 20), clock, font=FONT.font_variant(size=36), fill=ink)
    for place, name in enumerate(rows):
        pen.text((60, top + 160 * place), name, font=FONT, fill=ink)
    pen.text((900, top), button, font=FONT, fill=(200, 40, 40))
    return image


def dialog(pen: ImageDraw.ImageDraw, *, size: int, ink: object, face: object) -> None:
    pen.rectangle((100, 600, 980, 1000), fill=(238, 238, 238), outline=(136, 136, 136))
    pen.text((150, 640), "确定吗？", font=FONT, fill=(30, 30, 30))
    pen.rectangle((150, 840, 400, 940), fill=face)  # type: ignore[arg-type]
    pen.text((200, 850), "删除", font=FONT.font_variant(size=size), fill=ink)  # type: ignore[arg-type]


def menu(pen: ImageDraw.ImageDraw, *, size: int) -> None:
    """White on the page's near white: only its words and its edge tell that it is there."""
    pen.rectangle((500, 700, 800, 900), fill="white", outline=(200, 200, 200), width=2)
    for place, word in enumerate(("编辑", "删除")):
        pen.text((530, 720 + 80 * place), word, font=FONT.font_variant(size=size), fill=(30, 30, 30))


def second(pen: ImageDraw.ImageDraw, *, size: int, ink: object, face: object = None) -> None:
    """The same label on the bare page, or on a face of its own."""
    if face is not None:
        pen.rectangle((180, 990, 180 + 5 * size, 1020 + size), fill=face)  # type: ignore[arg-type]
    pen.text((200, 1000), "删除", font=FONT.font_variant(size=size), fill=ink)  # type: ignore[arg-type]


def button_at(top: int = 300, left: int = 900) -> Box:
    x1, y1, x2, y2 = FONT.getbbox("删除")
    return Box(int(left + x1), int(top + y1), int(left + x2), int(top + y2))


def found(top: int = 300, confidence: float = 0.97, **more: object) -> UIElement:
    return UIElement("button", "删除", button_at(top), confidence, "ocr", "删除", **more)  # type: ignore[arg-type]


def screen(*rows: str, **look: object) -> Screen:
    return Screen.from_image(page(*(rows or ("张三", "李四")), **look))  # type: ignore[arg-type]


def drawn(draw: Draw, *rows: str, top: int = 300) -> Screen:
    image = page(*(rows or ("张三", "李四")), top=top)
    draw(ImageDraw.Draw(image))
    return Screen.from_image(image)


def taught(target: Target = TARGET, element: UIElement | None = None, **parts: object) -> CacheStrategy:
    cache = CacheStrategy(PlaceCache(**parts))  # type: ignore[arg-type]
    cache.learn(target, screen(), element or found())
    return cache


def answer(cache: CacheStrategy, frame: Screen, target: Target = TARGET) -> UIElement | None:
    match = cache.locate(target, frame)
    return match.elements[0] if match and match.elements else None


def test_unchanged_element_is_found_with_confidence_below_one() -> None:
    cache = taught(element=found(confidence=1.0))
    element = answer(cache, screen())
    assert element is not None
    assert (element.bbox, element.source, element.text) == (button_at(), "cache", "删除")
    assert element.confidence < 1.0
    assert element.metadata["found_by"] == "ocr"


def test_changes_outside_the_row_are_ignored() -> None:
    assert answer(taught(), screen(clock="10:25")) is not None


@pytest.mark.parametrize("moved", [-120, 8, 60, 700])
def test_moved_element_is_a_cache_miss(moved: int) -> None:
    assert answer(taught(), screen(top=300 + moved)) is None


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (screen("王五", "李四"), "the row's text changed: the same button deletes another person"),
        (screen("张三丰", "李四"), "one more character in the row"),
        (screen(button="编辑"), "another label on the button"),
        (screen(button="删际"), "one other character on the button"),
        (screen(dark=True), "dark mode"),
        (screen("王五", "李四", top=300 + 160), "the list was scrolled, and its row is another one"),
        (
            drawn(lambda pen: pen.text((900, 300), "删除", font=FONT, fill=(200, 40, 40)), top=300 + 160),
            "scrolled, and another row's button stands where it stood",
        ),
        (
            drawn(lambda pen: pen.text((900, 900), "删除", font=FONT, fill=(200, 40, 40)), top=460),
            "scrolled, and a second one came up",
        ),
        (drawn(lambda pen: pen.rectangle((700, 200, 1000, 420), fill="white")), "a dialog lies over it"),
        (drawn(lambda pen: pen.rectangle((200, 280, 800, 420), fill="white")), "a dialog lies beside it in the row"),
        (drawn(lambda pen: pen.text((900, 620), "删除", font=FONT, fill=(200, 40, 40))), "a second one came up"),
        (
            drawn(lambda pen: pen.text((501, 1003), "删除", font=FONT, fill=(20, 20, 20))),
            "one of another colour came up",
        ),
        (drawn(lambda pen: dialog(pen, size=26, ink="white", face=(200, 40, 40))), "a dialog with a smaller one"),
        (drawn(lambda pen: dialog(pen, size=64, ink=(30, 30, 30), face="white")), "a dialog with a larger one"),
        (drawn(lambda pen: menu(pen, size=28)), "a menu with a smaller one"),
        *(
            (
                drawn(lambda pen, size=size, ink=ink: second(pen, size=size, ink=ink)),
                f"a second one of {size} px came up",
            )
            for size, ink in ((22, (30, 30, 30)), (32, (200, 40, 40)), (52, (150, 150, 150)), (70, (30, 30, 30)))
        ),
        (drawn(lambda pen: second(pen, size=22, ink="white", face=(217, 48, 37))), "a small red button came up"),
        (drawn(lambda pen: pen.rectangle((0, 450, 1080, 1600), fill=(90, 20, 140))), "another page below the row"),
        (Screen(screen().pixels[:-1].copy()), "another size"),
        (Screen(np.zeros((1, 1, 3), np.uint8)), "nothing"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_changed_frame_is_a_cache_miss(frame: Screen, why: str) -> None:
    assert answer(taught(), frame) is None, why


def test_dark_mode_miss_keeps_light_mode_entry() -> None:
    cache = taught()
    assert answer(cache, screen(dark=True)) is None
    assert answer(cache, screen()) is not None


@pytest.mark.parametrize(
    "element",
    [
        found(reliable=False),
        found(confidence=0.79),
        found(confidence=float("nan")),
        found(candidates=(found(460),)),
        UIElement("icon", "x", Box(500, 900, 560, 960), 0.99, "template"),  # a flat place proves nothing
        UIElement("icon", "x", Box(900, 300, 904, 304), 0.99, "template"),
        UIElement("icon", "x", Box(-20, 300, 904, 340), 0.99, "template"),
        UIElement("page", "x", Box(0, 0, *SIZE), 0.99, "visual"),
    ],
)
def test_uncertain_or_featureless_element_is_not_cached(element: UIElement) -> None:
    assert answer(taught(element=element), screen()) is None


@pytest.mark.parametrize(
    "target",
    [
        Target(text="删除", ordinal=2),
        Target(text="删除", position=Position.RIGHT),
        Target(text="删除", relations=(Relation(RelationKind.ROW, Target(text="张三")),)),
        Target(id="delete"),
        Target(path="//Button[1]"),
        Target(role="button"),
    ],
)
def test_context_dependent_target_needs_an_unchanged_page(target: Target) -> None:
    cache = taught(target)
    assert answer(cache, screen(clock="10:25"), target) is not None
    assert answer(cache, screen(top=308), target) is None
    assert answer(cache, screen("张三"), target) is None
    assert answer(taught(), screen("张三")) is not None


def test_cached_control_keeps_its_label_box() -> None:
    button = UIElement("button", "删除", Box(880, 280, 1040, 380), 0.97, "ocr", "删除", label_box=button_at())
    element = answer(taught(element=button), screen())
    assert element is not None
    assert (element.bbox, element.label_box) == (button.bbox, button_at())


def test_cache_entry_expires_after_thirty_seconds() -> None:
    clock = FakeClock()
    cache = taught(clock=clock.now)
    clock.sleep(MEMORY_S - 0.1)
    assert answer(cache, screen()) is not None
    clock.sleep(0.2)
    assert answer(cache, screen()) is None


def test_clear_empties_the_cache() -> None:
    cache = taught()
    cache.clear()
    assert answer(cache, screen()) is None


def test_cache_memory_is_bounded() -> None:
    places = PlaceCache()
    place = CachedPlace.of(found(), screen())
    assert place is not None
    count = MEMORY_BYTES // place.patch.bytes + 10
    keys = [PlaceKey("", Size(*SIZE), Target(text=str(number))) for number in range(count)]
    for key in keys:
        places.put(key, place)
    kept = [key for key in keys if places.get(key) is not None]
    assert len(kept) * place.patch.bytes <= MEMORY_BYTES
    assert kept == keys[-len(kept) :]


class Once:
    """A strategy that finds the button where it is told."""

    name = "ocr"

    def __init__(self, *elements: UIElement) -> None:
        self.elements, self.asked = elements, 0

    def accepts(self, target: Target) -> str | None:
        return None

    def locate(self, target: Target, screen: Screen) -> Match | None:
        self.asked += 1
        return Match(self.elements)


def test_chain_uses_cache_after_first_search() -> None:
    ocr = Once(found())
    chain = LocateChain([CacheStrategy(), ocr])
    assert chain.locate(TARGET, screen()).method_used == "ocr"
    again = chain.locate(TARGET, screen())
    assert (again.method_used, again.reliable, ocr.asked) == ("cache", True, 1)
    chain.judge(TARGET, False)
    assert chain.locate(TARGET, screen()).method_used == "ocr"


def test_ambiguous_match_is_never_cached() -> None:
    chain = LocateChain([CacheStrategy(), Once(found(), found(460)), Once(found())])
    assert chain.locate(TARGET, screen()).success
    assert chain.locate(TARGET, screen()).method_used == "ocr"


def test_place_is_saved_after_successful_step(tmp_path: Path) -> None:
    taught(folder=tmp_path)
    assert answer(CacheStrategy(PlaceCache(tmp_path)), screen()) is None
    taught(folder=tmp_path).judge(TARGET, True)
    element = answer(CacheStrategy(PlaceCache(tmp_path)), screen())
    assert element is not None
    assert (element.bbox, element.element_type, element.text) == (button_at(), "button", "删除")
    assert answer(CacheStrategy(PlaceCache(tmp_path), app="other"), screen()) is None
    assert answer(CacheStrategy(PlaceCache(tmp_path)), screen(), Target(text="删除", exact=True)) is None
    (record,) = tmp_path.rglob("*.npz")
    assert "删除" in record.name


def test_failed_step_removes_place_from_memory_and_disk(tmp_path: Path) -> None:
    taught(folder=tmp_path).judge(TARGET, True)
    cache = CacheStrategy(PlaceCache(tmp_path))
    assert answer(cache, screen()) is not None
    cache.judge(TARGET, False)
    assert answer(cache, screen()) is None
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_metadata_is_saved_with_the_place(tmp_path: Path) -> None:
    about = {"reference": "bin", "scale": 1.25, "layer": "exact", "angle": 0, "odd": float("nan"), "own": object()}
    taught(element=found(metadata=about), folder=tmp_path).judge(TARGET, True)
    element = answer(CacheStrategy(PlaceCache(tmp_path)), screen())
    assert element is not None
    kept = {name: about[name] for name in ("reference", "scale", "layer", "angle")}
    assert element.metadata == {**kept, "found_by": "ocr", "evidence": "in place"}


def test_clearing_one_app_keeps_other_apps(tmp_path: Path) -> None:
    places = PlaceCache(tmp_path)
    caches = [CacheStrategy(places, app=app) for app in ("mail", "mail*", "notes")]
    for cache in caches:
        cache.learn(TARGET, screen(), found())
        cache.judge(TARGET, True)
    caches[1].clear()
    assert [answer(cache, screen()) is not None for cache in caches] == [True, False, True]
    anew = [CacheStrategy(PlaceCache(tmp_path), app=app) for app in ("mail", "mail*", "notes")]
    assert [answer(cache, screen()) is not None for cache in anew] == [True, False, True]
    places.clear()
    assert not list(tmp_path.rglob("*.npz"))
    assert [answer(cache, screen()) for cache in caches] == [None] * 3


def test_step_outcome_affects_only_its_own_frame(tmp_path: Path) -> None:
    wide = Screen(np.ascontiguousarray(screen().pixels[:, :1040]))
    for held in (True, False):
        cache = taught(folder=tmp_path / str(held))
        if not held:
            cache.judge(TARGET, True)
        cache.learn(TARGET, wide, found(confidence=0.6))
        cache.judge(TARGET, held)
        assert (answer(CacheStrategy(PlaceCache(tmp_path / str(held))), screen()) is None) is held
        assert answer(cache, screen()) is not None


def test_judging_unknown_target_does_nothing(tmp_path: Path) -> None:
    cache = CacheStrategy(PlaceCache(tmp_path))
    cache.judge(TARGET, True)
    cache.judge(TARGET, False)
    assert not list(tmp_path.rglob("*.npz"))


def test_cache_files_are_private_to_owner(tmp_path: Path) -> None:
    taught(folder=tmp_path).judge(TARGET, True)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert path.stat().st_mode & 0o077 == 0


def flipped(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: bytes(4000),
        lambda content: content[:200],
        lambda content: content[: len(content) // 2],
        *(lambda content, share=share: flipped(content, int(len(content) * share)) for share in (0.1, 0.3, 0.5)),
    ],
)
def test_damaged_cache_file_is_removed_and_logged(
    tmp_path: Path, damage: Callable[[bytes], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    taught(folder=tmp_path).judge(TARGET, True)
    (record,) = tmp_path.rglob("*.npz")
    record.write_bytes(damage(record.read_bytes()))
    with caplog.at_level(logging.WARNING):
        assert answer(CacheStrategy(PlaceCache(tmp_path)), screen()) is None
    assert "forgotten" in caplog.text
    assert not list(tmp_path.rglob("*.npz"))


def test_unwritable_cache_folder_only_logs_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    cache = taught(folder=blocked)
    cache.judge(TARGET, True)
    cache.learn(TARGET, screen(), found())
    cache.judge(TARGET, True)
    assert len(caplog.records) == 1
    assert "HANDEYE_CACHE" in caplog.text


@pytest.mark.parametrize(
    "text", ["../../etc/passwd", "a/b\\c:d*e?", "\0\n\r", "😀" * 50, "ا" * 300, "x" * 10_000, "\ud800", "CON", "."]
)
def test_any_text_has_a_safe_file_name(tmp_path: Path, text: str) -> None:
    target = Target(text=text)
    taught(target, folder=tmp_path / "in").judge(target, True)
    inside = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all(path.is_relative_to(tmp_path / "in" / "places") for path in inside)
    if text != "\ud800":  # which no file can hold
        assert answer(CacheStrategy(PlaceCache(tmp_path / "in")), screen(), target) is not None


def test_cache_folder_keeps_most_recently_used_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_PLACES >= 100
    monkeypatch.setattr("handeye.locate.sources.cache_files.MOST_PLACES", 3)
    for number in range(5):
        target = Target(text=f"删除 {number}")
        taught(target, folder=tmp_path).judge(target, True)
    assert len(list(tmp_path.rglob("*.npz"))) == 3


def test_concurrent_writes_leave_a_valid_cache_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def write() -> None:
        for _time in range(5):
            taught(folder=tmp_path).judge(TARGET, True)

    def read() -> None:
        for _time in range(10):
            answer(CacheStrategy(PlaceCache(tmp_path)), screen())

    workers = [threading.Thread(target=work) for work in (write, write, write, read, read, read)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not caplog.records, "a good one was called damaged"
    taught(folder=tmp_path).judge(TARGET, True)
    assert answer(CacheStrategy(PlaceCache(tmp_path)), screen()) is not None
    assert not list(tmp_path.rglob(".*"))


def test_cache_folder_follows_environment_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HANDEYE_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    for off in ("off", "OFF", "0"):
        monkeypatch.setenv("HANDEYE_CACHE", off)
        assert cache_folder() is None
    monkeypatch.delenv("HANDEYE_CACHE")
    folder = cache_folder()
    assert folder is not None
    assert folder.name in ("handeye", "cache")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1079), st.integers(0, 1599), st.integers(1, 300), st.integers(1, 200), st.integers(0, 255))
def test_any_change_in_the_row_is_detected(left: int, top: int, width: int, height: int, shade: int) -> None:
    """A hit requires that the button and its row look as before."""
    frame = drawn(lambda pen: pen.rectangle((left, top, left + width, top + height), fill=(shade, shade, shade)))
    element = answer(CACHE, frame)
    before, box = screen().pixels, button_at().expand(4)
    if element is None:
        return
    assert element.bbox == button_at()
    row = np.s_[box.top : box.bottom, :]
    assert int(np.abs(before[row].astype(int) - frame.pixels[row]).max()) <= 3


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 900), st.integers(430, 1500), st.booleans())
def test_duplicate_element_is_detected_anywhere(left: int, top: int, negative: bool) -> None:
    image = page("张三", "李四")
    other = Image.new("RGB", (100, 60), (40, 40, 200) if negative else (250, 250, 250))
    ImageDraw.Draw(other).text((8, 5), "删除", font=FONT, fill=(255, 255, 255) if negative else (200, 40, 40))
    image.paste(other, (left, top))
    assert answer(CACHE, Screen.from_image(image)) is None


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([("删除", 16), ("OK", 18), ("Save", 20), ("+", 24), ("+", 32), ("×", 20), ("−", 20)]),
    st.integers(0, 1000),
    st.integers(430, 1500),
    st.sampled_from([None, 2, -1]),
)
def test_small_duplicate_is_detected_anywhere(label: tuple[str, int], left: int, top: int, ordinal: int | None) -> None:
    text, font = label[0], FONT.font_variant(size=label[1])
    image = page("张三", "李四")
    pen = ImageDraw.Draw(image)
    pen.text((500, 800), text, font=font, fill=(60, 60, 60))
    core = Box(*map(round, pen.textbbox((500, 800), text, font=font))).expand(4)
    target = Target(text=text, ordinal=ordinal)
    cache = CacheStrategy()
    cache.learn(target, Screen.from_image(image), UIElement("icon", text, core, 0.97, "ocr", text))
    assert answer(cache, Screen.from_image(image), target) is not None
    again = image.copy()
    ImageDraw.Draw(again).text((left, top), text, font=font, fill=(60, 60, 60))
    assert answer(cache, Screen.from_image(again), target) is None or again.tobytes() == image.tobytes()


def test_several_changed_details_are_a_cache_miss() -> None:
    def numbers(*shown: int) -> Screen:
        words = "\n".join(map(str, shown))
        return drawn(lambda pen: pen.text((300, 600), words, font=FONT, fill=(30, 30, 30), spacing=40))

    target = replace(TARGET, ordinal=1)
    cache = CacheStrategy()
    cache.learn(target, numbers(0, 1, 2, 3, 4, 5), found())
    assert answer(cache, numbers(0, 1, 2, 3, 4, 6), target) is not None
    assert answer(cache, numbers(5, 4, 3, 2, 1, 0), target) is None


def test_confirm_checks_only_the_place() -> None:
    """`confirm` checks a place, not the uniqueness of a name."""
    cache = taught()
    element = answer(cache, screen())
    assert element is not None
    assert cache.confirm(element, drawn(lambda pen: menu(pen, size=28))) is True
    assert cache.confirm(element, screen("王五", "李四")) is False
    assert cache.confirm(replace(element, bbox=Box(0, 0, 9, 9)), screen()) is None


CACHE = taught(clock=lambda: 0.0)


def test_label_of_cached_control_elsewhere_is_a_miss() -> None:
    box = Box(60, 700, 1020, 800)
    whole = UIElement("button", "删除", box, 0.97, "accessibility", "删除")

    def bar(pen: ImageDraw.ImageDraw, more: bool) -> None:
        pen.rectangle(box, fill=(40, 100, 220))
        pen.text((500, 730), "删除", font=FONT, fill="white")
        if more:
            second(pen, size=24, ink=(30, 30, 30))

    cache = CacheStrategy()
    cache.learn(TARGET, drawn(lambda pen: bar(pen, False)), whole)
    assert answer(cache, drawn(lambda pen: bar(pen, False))) is not None
    assert answer(cache, drawn(lambda pen: bar(pen, True))) is None


READER = CachedReader(PaddleReader())


@pytest.mark.parametrize(
    ("came_up", "is_there"),
    [
        (lambda pen: pen.text((200, 1000), "编辑资料", font=FONT, fill=(30, 30, 30)), True),
        (lambda pen: second(pen, size=60, ink=(30, 30, 30)), False),
        (lambda pen: second(pen, size=24, ink="white", face=(217, 48, 37)), False),
        (lambda pen: pen.text((200, 1000), "删除全部", font=FONT, fill=(30, 30, 30)), True),
    ],
)
def test_new_text_is_a_miss_only_if_equal(came_up: Draw, is_there: bool) -> None:
    cache = CacheStrategy(reader=READER)
    cache.learn(TARGET, screen(), found())
    element = answer(cache, drawn(came_up))
    assert (element is not None) is is_there
    if element is not None:
        assert element.bbox == button_at()
    without_a_reader = taught()
    assert answer(without_a_reader, drawn(came_up)) is None


def test_failing_reader_makes_new_content_a_miss() -> None:
    class Broken:
        name = "broken"

        def read(self, screen: Screen) -> tuple[TextLine, ...]:
            raise OcrFailed("out of memory")

    cache = CacheStrategy(reader=Broken())
    cache.learn(TARGET, screen(), found())
    assert answer(cache, screen()) is not None  # nothing came up: nobody is asked
    assert answer(cache, drawn(lambda pen: pen.text((200, 1000), "编辑", font=FONT, fill=(30, 30, 30)))) is None


def by_model(top: int = 300) -> UIElement:
    return replace(found(top, 0.79), source="visual", text="")


LATER = screen(clock="10:25")


def test_model_find_is_cached_after_successful_step() -> None:
    cache = taught(element=by_model())
    cache.judge(TARGET, held=True)
    assert answer(cache, LATER) is not None


def test_model_find_is_not_cached_before_its_step() -> None:
    assert answer(taught(element=by_model()), LATER) is None


def test_model_find_of_failed_step_is_not_cached() -> None:
    cache = taught(element=by_model())
    cache.judge(TARGET, held=False)
    cache.judge(TARGET, held=True)
    assert answer(cache, LATER) is None


def test_step_outcome_applies_only_to_last_search() -> None:
    cache = taught(element=by_model())
    cache.locate(TARGET, LATER)  # another strategy finds it elsewhere, and the step acts there
    cache.judge(TARGET, held=True)
    assert answer(cache, LATER) is None


def test_another_frame_confirms_model_find() -> None:
    cache = taught(element=by_model())
    cache.learn(TARGET, LATER, by_model())
    assert answer(cache, screen(clock="10:26")) is not None


def test_same_frame_does_not_confirm_model_find() -> None:
    cache = taught(element=by_model())
    cache.learn(TARGET, screen(), by_model())
    assert answer(cache, LATER) is None


def test_different_model_finds_are_not_cached() -> None:
    cache = CacheStrategy(PlaceCache())
    cache.learn(TARGET, screen("Ann", "Bob"), by_model())
    cache.learn(TARGET, screen("Ann", "Bob", clock="10:25"), replace(by_model(), bbox=Box(60, 310, 140, 350)))
    assert answer(cache, screen("Ann", "Bob", clock="10:26")) is None


def test_clear_drops_pending_model_find() -> None:
    cache = taught(element=by_model())
    cache.clear()
    cache.judge(TARGET, held=True)
    assert answer(cache, LATER) is None


def test_uncertain_ocr_find_is_not_cached_by_step() -> None:
    cache = taught(element=found(confidence=0.79))
    cache.judge(TARGET, held=True)
    assert answer(cache, LATER) is None


def test_new_content_is_a_miss_for_unmatched_wording() -> None:
    target = Target(text="remove it")
    cache = CacheStrategy(PlaceCache(), reader=READER)
    cache.learn(target, screen(), replace(found(), source="visual", confidence=0.85))
    assert answer(cache, screen(), target) is not None
    something = drawn(lambda pen: pen.text((300, 1200), "完成", font=FONT, fill=(30, 30, 30)))
    assert answer(cache, something, target) is None
