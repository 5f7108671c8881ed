"""Tests of the contract of all text readers, and of the errors for missing programs and packages."""

from __future__ import annotations

import shlex
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from lettering import Page
from reader_contract import ReaderContract

from handeye.errors import MissingPart, OcrFailed
from handeye.ocr import CachedReader, PaddleReader, RapidReader, RegionReader, TesseractReader
from handeye.ocr.weights import rapidocr_small
from optional_programs import need

HEAD = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"


class TestPaddleReader(ReaderContract):
    @pytest.fixture(scope="class")
    @classmethod
    def reader(cls) -> RegionReader:
        return PaddleReader(threads=1)


class TestPaddleReaderOnTwoThreads(ReaderContract):
    @pytest.fixture(scope="class")
    @classmethod
    def reader(cls) -> RegionReader:
        return PaddleReader(threads=2)


class TestPaddleReaderWithLargerModels(ReaderContract):
    @pytest.fixture(scope="class")
    @classmethod
    def reader(cls) -> RegionReader:
        return PaddleReader(threads=1, weights=rapidocr_small)


class TestRapidReader(ReaderContract):
    snug = 0.3  # its boxes carry a margin

    @pytest.fixture(scope="class")
    @classmethod
    def reader(cls) -> RegionReader:
        return RapidReader(threads=1)


class TestCachedReader(ReaderContract):
    @pytest.fixture(scope="class")
    @classmethod
    def reader(cls) -> RegionReader:
        return CachedReader(PaddleReader(threads=1))


class TestTesseractReader(ReaderContract):
    snug = 0.3  # words of Chinese often lack a stroke's width

    @pytest.fixture(scope="class")
    @classmethod
    def reader(cls) -> RegionReader:
        need("tesseract", "tesseract-ocr tesseract-ocr-chi-sim")
        return TesseractReader()


Program = Callable[[str], TesseractReader]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A reader over a program that behaves as the given Python says."""

    def make(source: str) -> TesseractReader:
        script = tmp_path / "stand-in.py"
        script.write_text(f"import sys\nsys.stdin.buffer.read()\n{source}\n", "utf-8")
        path = tmp_path / "stand-in"  # a shell script, since "#!" takes no path with a space
        path.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(script))}\n", "utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return TesseractReader(program=str(path))

    return make


def row(text: str, left: int, *, line: int = 1, confidence: str = "96.5", level: int = 5) -> str:
    return f"{level}\t1\t1\t1\t{line}\t1\t{left}\t10\t40\t20\t{confidence}\t{text}\n"


def test_tesseract_words_are_joined_into_lines(program: Program) -> None:
    table = (
        HEAD + row("", 0, level=4) + row("Not", 10) + row("now", 60) + row("显示", 10, line=2) + row("与", 52, line=2)
    )
    lines = program(f"print({table!r}, end='')").read(Page(300, 200).screen)
    assert [line.text for line in lines] == ["Not now", "显示与"]
    assert lines[0].box == (10, 10, 100, 30)
    assert lines[0].confidence == pytest.approx(0.965)
    assert lines[0].box_of(4, 7).left >= 50


@pytest.mark.parametrize(
    "table",
    [HEAD + row("x", 0, confidence="much"), HEAD + "5\t1\t1\n", HEAD + row("x", 0).replace("\t40\t", "\tNaN\t")],
)
def test_malformed_tesseract_table_raises_ocr_failed(program: Program, table: str) -> None:
    reader = program(f"print({table!r}, end='')")
    with pytest.raises(OcrFailed, match="makes no sense"):
        reader.read(Page(300, 200).screen)


def test_quotation_mark_in_table_is_text(program: Program) -> None:
    lines = program(f"print({HEAD + row(chr(34) + 'Save', 10)!r}, end='')").read(Page(300, 200).screen)
    assert [line.text for line in lines] == ['"Save']


def test_tesseract_exit_raises_ocr_failed(program: Program) -> None:
    with pytest.raises(OcrFailed, match="boom"):
        program("sys.exit('boom')").read(Page(300, 200).screen)


def test_missing_tesseract_language_is_named(program: Program) -> None:
    with pytest.raises(MissingPart, match="chi_sim"):
        program("sys.exit(\"Failed loading language 'chi_sim'\")").read(Page(300, 200).screen)


def test_missing_tesseract_names_install_command() -> None:
    with pytest.raises(MissingPart, match="apt-get install tesseract-ocr"):
        TesseractReader(program="no-such-program").read(Page(300, 200).screen)


def test_missing_rapidocr_names_install_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    with pytest.raises(MissingPart, match=r"handeye\[rapidocr\]"):
        RapidReader().read(Page(300, 200).screen)
