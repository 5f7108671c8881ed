"""
Cost of the embedded screen parser: a frame of 1920x1080 with and without words, start-up, memory, its weights.

    python benchmarks/bench_parser.py [--check] [--rounds 9] [--picture PNG] [--stages]

The frame is drawn here: a window of tool bars, a form, a table and a list (`--picture` takes another one). Each round
looks at the frame without words, with words, and reads its text alone, one after the other, so that a busy computer
shows in all three; the smallest and the median of the rounds are printed, their ratios, and the time of the processor
(user and system), which is the cost of a frame where other processes use the cores too. Nothing is cached from round to
round. Start-up and memory are those of a fresh process each.

`--stages` prints instead the time of each step of a parse when the steps run one after the other: the parser itself
detects while it reads and proposes.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from handeye.locate import ScreenParser
from handeye.ocr import PaddleReader
from handeye.parse import EmbeddedParser, detector, propose, scale_of
from handeye.parse.candidates import candidates
from handeye.parse.detector import MIN_CANDIDATE_SCORE, Detector
from handeye.parse.fusion import elements_of, fuse, with_icons
from handeye.parse.icon_crops import icon_masks
from handeye.parse.icons import BundledIconReader, IconEncoder, IconIndex
from handeye.parse.rescorer import Rescorer
from handeye.parse.text_assignment import assign_lines
from handeye.screen import Pixels, Screen

SIZE: Final = (1920, 1080)
SHIFT: Final = 11  # pixels by which a round's frame is moved: the reader reads again what moved
BUDGETS: Final = {
    "parse without words, ms": 120.0,
    "parse with words, ms": 550.0,
    "start-up and first parse, s": 1.5,
    "memory without words, MB": 400.0,
    "memory with words, MB": 400.0,
    "weights, MB": 15.0,
}
# A fresh process that parses one frame prints how long it ran and its peak memory.
FRESH: Final = """
import json, time
start = time.perf_counter()
from handeye import ScreenParser
from handeye.screen import Screen
parser = ScreenParser({reader})
elements = parser.parse(Screen.open({picture!r})).elements
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))  # in kB
print(json.dumps([time.perf_counter() - start, int(peak.split()[1]) / 1024, len(elements)]))
"""

_Answer = TypeVar("_Answer")
_Asked = ParamSpec("_Asked")


@dataclass
class Taken:
    """Milliseconds of each round: elapsed time and processor time."""

    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def time(self, look: Callable[_Asked, _Answer], *args: _Asked.args, **kwargs: _Asked.kwargs) -> _Answer:
        start, used = time.perf_counter(), time.process_time()
        answer = look(*args, **kwargs)
        self.clock.append((time.perf_counter() - start) * 1000)
        self.processor.append((time.process_time() - used) * 1000)
        return answer

    def __str__(self) -> str:
        parts = (f"{min(each):8.0f} ms{statistics.median(each):7.0f} ms" for each in (self.clock, self.processor))
        return "  ".join(parts)


HEADING: Final = f"{'':28}{'smallest':>11}{'median':>10}{'processor':>13}{'median':>10}"


def frame(size: tuple[int, int] = SIZE, seed: int = 7) -> Image.Image:
    """Return a window with the usual parts, always the same one for a seed."""
    chance = random.Random(seed)
    picture = Image.new("RGB", size, "#f3f3f3")
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(16)
    words = (
        "Name",
        "Address",
        "Invoice",
        "Save",
        "Cancel",
        "Export",
        "Total",
        "Search",
        "Monday",
        "Customer",
        "Draft",
        "Open",
    )
    for index in range(24):  # a tool bar
        x = 20 + index * 44
        draw.rounded_rectangle((x, 12, x + 36, 48), 6, fill="#ffffff", outline="#c0c0c0")
        _glyph(draw, x + 18, 30, chance)
    for index in range(6):  # tabs
        draw.text((30 + index * 130, 70), chance.choice(words), "#202020", font)
    for row in range(12):  # a form
        y = 130 + row * 56
        draw.text((30, y + 8), chance.choice(words), "#303030", font)
        draw.rectangle((160, y, 560, y + 34), fill="white", outline="#8c8c8c")
        draw.rectangle((580, y + 8, 598, y + 26), fill="white", outline="#606060")
        draw.text((610, y + 8), chance.choice(words), "#303030", font)
    for row in range(20):  # a table
        y = 130 + row * 40
        draw.line((760, y, 1880, y), "#d8d8d8")
        for column in range(5):
            draw.text((780 + column * 200, y + 10), f"{chance.choice(words)} {chance.randrange(100)}", "#202020", font)
        draw.rounded_rectangle((1780, y + 5, 1860, y + 35), 5, fill="#1668dc")
        draw.text((1796, y + 9), "Open", "white", font)
    for index, name in enumerate(("Save", "Cancel", "Export")):
        draw.rounded_rectangle((30 + index * 150, 1010, 160 + index * 150, 1050), 6, fill="#e0e0e0", outline="#909090")
        draw.text((60 + index * 150, 1020), name, "#101010", font)
    return picture


def _glyph(draw: ImageDraw.ImageDraw, x: int, y: int, chance: random.Random) -> None:
    """Draw one of four shapes with a stroke of its own: each tool has another icon, as on a real tool bar."""
    ends = [(x + chance.randint(-8, 8), y + chance.randint(-8, 8)) for _ in range(2)]
    draw.line(ends, "#404040", 2)
    shape = chance.randrange(4)
    if shape == 0:
        draw.ellipse((x - 8, y - 8, x + 4, y + 4), outline="#404040", width=2)
        draw.line((x + 3, y + 3, x + 9, y + 9), "#404040", 2)
    elif shape == 1:
        for step in (-6, 0, 6):
            draw.line((x - 8, y + step, x + 8, y + step), "#404040", 2)
    elif shape == 2:
        draw.line((x - 8, y, x + 8, y), "#404040", 2)
        draw.line((x, y - 8, x, y + 8), "#404040", 2)
    else:
        draw.polygon(((x - 6, y - 8), (x + 8, y), (x - 6, y + 8)), fill="#404040")


def rolled(picture: Image.Image, number: int) -> Pixels:
    """Return the frame of a round: each one is shifted, so that no cached part of it matches."""
    return np.ascontiguousarray(np.roll(np.asarray(picture), (SHIFT * number, SHIFT * number), (0, 1)))


def times(picture: Image.Image, rounds: int) -> dict[str, Taken]:
    """Return the times of parsing without words, of parsing with words, and of reading alone."""
    icons, readers = BundledIconReader(), (PaddleReader(), PaddleReader())
    mute, reading = (ScreenParser(each, provider=EmbeddedParser(each, icons=icons)) for each in (None, readers[0]))
    ways: dict[str, Callable[[Screen], object]] = {
        "parse without words": mute.parse,
        "parse with words": reading.parse,
        "reading alone": readers[1].read,
    }
    taken = {way: Taken() for way in ways}
    for number in range(rounds + 1):
        screen = Screen(rolled(picture, number))
        for way, look in ways.items():
            icons.clear()
            for each in readers:
                each.clear()
            # The first round loads the models.
            (taken[way] if number else Taken()).time(look, screen)
    return taken


def stages(picture: Image.Image, rounds: int) -> dict[str, Taken]:
    """Return the time of each step of a parse with words, run one after the other."""
    reader, finder, encoder, index, rescorer = PaddleReader(), Detector(), IconEncoder(), IconIndex(), Rescorer()
    taken: defaultdict[str, Taken] = defaultdict(Taken)
    for number in range(rounds + 1):
        if number == 1:  # the first round loads the models
            taken.clear()
        reader.clear()
        encoder.clear()
        screen = Screen(rolled(picture, number))
        lines = taken["read the words"].time(reader.read, screen)
        boxes = [line.box for line in lines]
        heights = [box.height for box in boxes]
        scale = scale_of(screen.size, heights)
        height = statistics.median(heights) if heights else None
        seen = taken["propose"].time(propose, screen.pixels, boxes, scale)
        sight = taken["detect"].time(finder.look, screen.pixels, height, MIN_CANDIDATE_SCORE)
        found = taken["gather candidates"].time(candidates, screen.pixels, sight, seen, lines, scale)
        judged = taken["judge them"].time(rescorer.judge, found)
        things = taken["put together"].time(fuse, found, judged, seen, screen.size)
        texts = [piece.box for piece in assign_lines(lines, [each.box for each in seen.shapes])]
        things = with_icons(things, texts, scale)
        masks = taken["cut the icons"].time(
            icon_masks, screen.pixels, [each.box for each in things if each.role == "icon"]
        )
        vectors = taken["encode the icons"].time(encoder.encode, masks)
        taken["name the icons"].time(index.names, vectors)
        taken["make elements"].time(elements_of, things, lines, scale)
    return taken


def fresh(picture: Path, reader: str) -> tuple[float, float]:
    """Return seconds and MB of a process that imports Handeye, parses one picture and ends; the best of three."""
    code = FRESH.format(reader=reader, picture=str(picture))
    runs = [json.loads(subprocess.check_output([sys.executable, "-c", code], text=True)) for _ in range(3)]
    return min(run[0] for run in runs), min(run[1] for run in runs)


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--check", action="store_true", help="exit 1 if a budget is missed")
    asked.add_argument("--rounds", type=int, default=9)
    asked.add_argument("--picture", type=Path, help="another frame than the drawn one")
    asked.add_argument("--stages", action="store_true", help="tell what each step takes instead")
    wanted = asked.parse_args()
    drawn = Image.open(wanted.picture).convert("RGB") if wanted.picture else frame()
    if wanted.stages:
        print(HEADING)
        for name, own in stages(drawn, wanted.rounds).items():
            print(f"{name:28}{own}")
        return 0
    taken = times(drawn, wanted.rounds)
    path = Path(__file__).parents[1] / "out" / "parser_frame.png"
    path.parent.mkdir(exist_ok=True)
    drawn.save(path)
    seconds, plain = fresh(path, "None")
    reading_seconds, reading = fresh(path, '"bundled"')
    weights = sum(each.stat().st_size for each in detector.WEIGHTS.parent.iterdir() if each.is_file()) / 1e6
    figures = {
        "parse without words, ms": min(taken["parse without words"].clock),
        "parse with words, ms": min(taken["parse with words"].clock),
        "start-up and first parse, s": seconds,
        "memory without words, MB": plain,
        "memory with words, MB": reading,
        "weights, MB": weights,
    }
    print(f"{HEADING}{'of reading alone':>18}")
    alone = min(taken["reading alone"].clock)
    for way, own in taken.items():
        print(f"{way:28}{own}{min(own.clock) / alone:17.2f}x")
    print(f"start-up and first parse with words: {reading_seconds:.2f} s")
    missed = [name for name, budget in BUDGETS.items() if figures[name] > budget]
    for name, figure in figures.items():
        print(f"{name:32}{figure:10.2f}   budget {BUDGETS[name]:g}{'  MISSED' if name in missed else ''}")
    return 1 if missed and wanted.check else 0


if __name__ == "__main__":
    sys.exit(main())
