"""Tests of the HTML report: self-contained, harmless, small, complete."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import io
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from PIL import Image

from handeye.errors import UsageError
from handeye.report import write_html
from handeye.report.html import render
from handeye.run import TaskResult, TaskStatus
from handeye.screen import Screen


class Page(HTMLParser):
    """Tags, text and code of a page, as a browser would see them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.inside: list[str] = []
        self.code: dict[str, str] = {}
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {key: value or "" for key, value in attrs}))
        self.inside.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.inside.pop()

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.inside and self.inside[-1] in ("style", "script"):
            self.code[self.inside[-1]] = data
        else:
            self.text += data

    def all(self, tag: str, **wanted: str) -> list[dict[str, str]]:
        return [attrs for name, attrs in self.tags if name == tag and wanted.items() <= attrs.items()]


def test_report_contains_all_run_facts(mixed_run: TaskResult) -> None:
    page = Page(render(mixed_run))
    for words in (
        "失败",
        "wechat.send_message",
        "android:///127.0.0.1:15555",
        "12.3 秒",
        "目标",
        "step 4: link <lost>",
    ):
        assert words in page.text
    for words in (
        "template 97%",
        "重试 1 次",
        "备选动作 1/3",
        "24 ms",
        "符合期望",
        "屏幕变化 12.3 %",
        "无法判定",
    ):
        assert words in page.text
    for words in ("有歧义", "广告", "不符合期望", "“你好” is not there", "已验证 2 / 4"):
        assert words in page.text
    assert len(page.all("li", id="step-3")) == 1
    assert page.all("html") == [{"lang": "zh-CN"}]


def test_step_without_expectation_is_not_unverified(mixed_run: TaskResult) -> None:
    doubtful = mixed_run.step_results[1]
    assert "未验证" in Page(render(mixed_run)).text
    doubtful.step = dataclasses.replace(doubtful.step, expect=None)
    page = Page(render(mixed_run))
    assert "未验证" not in page.text
    assert "无法判定" not in page.text
    assert page.all("li", **{"class": "step done"})
    assert "已验证 2 / 4" in page.text


def test_evidence_is_not_repeated_as_note(mixed_run: TaskResult) -> None:
    step = next(each for each in mixed_run.step_results if each.verify_result and each.verify_result.evidence)
    said, other = step.verify_result.evidence[0], "a remark of its own"  # type: ignore[union-attr]
    plain = Page(render(mixed_run)).text.count(said)
    step.notes += [said, other]
    page = Page(render(mixed_run)).text
    assert page.count(said) == plain
    assert page.count(other) == 1


def test_found_box_and_candidates_are_drawn(mixed_run: TaskResult) -> None:
    page = Page(render(mixed_run))
    boxes = page.all("rect", **{"class": "box"})
    assert {"x": "100", "y": "200", "width": "80", "height": "80"}.items() <= boxes[0].items()
    assert len(boxes) == 2
    assert len(page.all("rect", **{"class": "candidate"})) == 2
    assert page.all("svg", viewbox="0 0 540 1200")


def test_frame_shared_by_two_steps_is_stored_once(mixed_run: TaskResult) -> None:
    page = Page(render(mixed_run))
    images = page.all("image")
    assert len(images) == 5  # six frames were taken, two of them equal
    assert sum(attrs["href"] == "#f-01-after" for attrs in page.all("use")) == 2


def test_hostile_text_is_escaped_in_html(mixed_run: TaskResult) -> None:
    page = Page(render(mixed_run))
    assert len(page.all("script")) == 1
    assert "alert" not in page.code["script"]
    assert page.text.count("<script>alert('x')</script>") >= 8
    assert not any(key.startswith("on") or key == "style" for _, attrs in page.tags for key in attrs)
    assert not re.search(r"[\x00-\x08\x0b-\x1f]", render(mixed_run))


def test_report_loads_nothing_and_runs_only_own_script(mixed_run: TaskResult) -> None:
    page = Page(render(mixed_run))
    policy = page.all("meta", **{"http-equiv": "Content-Security-Policy"})[0]["content"]
    assert policy.startswith("default-src 'none'; img-src data:;")
    for tag in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(page.code[tag].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    for _, attrs in page.tags:
        for key in ("src", "href"):
            assert attrs.get(key, "#").startswith(("#", "data:image/webp;base64,"))
    assert "url(" not in page.code["style"]
    assert "@import" not in page.code["style"]


def test_long_report_is_smaller_than_three_megabytes(tmp_path: Path, run_of: Callable[[int], TaskResult]) -> None:
    result = run_of(12)
    for step in result.step_results:  # noise compresses worst: no real screen comes near it
        noise = Image.effect_noise((540, 1200), 90).convert("RGB")
        step.screenshot_before, step.screenshot_after = Screen.from_image(noise), Screen.from_image(noise.rotate(180))
    path = write_html(result, tmp_path / "report.html")
    assert path.stat().st_size < 3_000_000
    assert len(Page(path.read_text(encoding="utf-8")).all("image")) == 24


def test_pictures_are_webp_of_phone_width(run_of: Callable[[int], TaskResult]) -> None:
    image = Page(render(run_of(1))).all("image")[0]
    assert (image["width"], image["height"]) == ("540", "1200")
    with Image.open(io.BytesIO(base64.b64decode(image["href"].partition(",")[2]))) as picture:
        assert picture.format == "WEBP"
        assert 360 <= picture.width <= 480


@pytest.mark.parametrize(
    ("status", "zh", "en"),
    [
        (TaskStatus.SUCCESS, "成功", "Success"),
        (TaskStatus.NEEDS_REVIEW, "需要复核", "Needs review"),
        (TaskStatus.ABORTED, "已中止", "Aborted"),
        (TaskStatus.FAILED, "失败", "Failed"),
    ],
)
def test_run_without_steps_shows_its_status(tmp_path: Path, status: TaskStatus, zh: str, en: str) -> None:
    result = TaskResult("打开微信", status, error_message="no device")
    for lang, word in (("zh", zh), ("en", en)):
        page = Page(write_html(result, tmp_path / "deep" / "r.html", lang=lang).read_text(encoding="utf-8"))
        assert page.text.strip().startswith(word)
        assert "no device" in page.text
        assert page.all("header")[0]["class"] == status.value
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["r.html"]


def test_unknown_language_is_refused() -> None:
    with pytest.raises(UsageError, match="zh, en"):
        render(TaskResult("x", TaskStatus.FAILED), lang="xx")
