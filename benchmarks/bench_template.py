"""Finding a picture on a phone screen: CPU ms, and right, refused and wrong answers, compared with two peers.

    python benchmarks/bench_template.py [--scenes N] [--seed S] [--peers] [--airtest PYTHON] [--sikuli FOLDER] [--soak N]

`--peers` also runs a plain multi-scale sweep of OpenCV's matchTemplate on the same frames. `--airtest` names the Python
of an environment with Airtest (`python -m venv build/airtest && build/airtest/bin/pip install airtest`; it pins another
OpenCV, so it needs one of its own) and runs its MultiScaleTemplateMatching, too. All look at the same frames in turn,
so that a busy computer shows in each. `--sikuli` counts what is found in a folder of screens with templates and their
centres (items.jsonl). `--soak` searches N times and prints by how much the memory grew.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from locate_scenes import HEIGHT, KINDS, WIDTH, Scene, scenes
from PIL import Image

from handeye.errors import InvalidReference
from handeye.geometry import Box, Size
from handeye.locate import find_all
from handeye.locate.sources.template import at_recorded_position
from handeye.matching import Reference
from handeye.screen import Screen
from handeye.target import Region

PLAIN_SCALES = np.linspace(0.5, 1.5, 25)
PLAIN_ACCEPT = 0.8  # at 0.75 the plain sweep takes one absent target in four for present

Finder = Callable[[Scene], tuple[Box | None, float]]


def on_cpu(find: Callable[[], Box | None]) -> tuple[Box | None, float]:
    start = time.process_time()
    box = find()
    return box, (time.process_time() - start) * 1000


def handeye(scene: Scene) -> tuple[Box | None, float]:
    """Search with Handeye on a new frame, as every screenshot is: nothing is computed yet."""
    screen = Screen(scene.screen.pixels.copy())
    return on_cpu(lambda: next((place.peak.box for place in find_all(scene.reference, screen)), None))


def plain_sweep(scene: Scene) -> tuple[Box | None, float]:
    """Search as most tools do: every scale at full size, the best score decides."""

    def find() -> Box | None:
        screen = cv2.cvtColor(scene.screen.pixels, cv2.COLOR_RGB2GRAY)
        best, where = 0.0, None
        for scale in PLAIN_SCALES:
            small = cv2.resize(scene.reference.gray, None, fx=scale, fy=scale)
            _low, score, _where, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(screen, small, cv2.TM_CCOEFF_NORMED))
            if score > best:
                best, where = score, Box(x, y, x + small.shape[1], y + small.shape[0])
        return where if best >= PLAIN_ACCEPT else None

    return on_cpu(find)


@contextmanager
def airtest(python: str) -> Iterator[Finder]:
    """Run Airtest in its own environment. Ends the benchmark with a clear message when it is not there."""
    if subprocess.run([python, "-c", "import airtest"], capture_output=True, check=False).returncode:
        sys.exit(f"{python} has no airtest: `python -m venv build/airtest && build/airtest/bin/pip install airtest`")
    peer = Path(__file__).with_name("airtest_peer.py")
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen([python, str(peer)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process,
    ):
        assert process.stdin
        assert process.stdout

        def find(scene: Scene) -> tuple[Box | None, float]:
            screen, template = Path(folder, "screen.png"), Path(folder, "template.png")
            Image.fromarray(scene.screen.pixels).save(screen, compress_level=1)
            Image.fromarray(scene.reference.pixels[:, :, :3]).save(template)
            process.stdin.write(json.dumps({"screen": str(screen), "template": str(template)}) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            return Box(*answer["box"]) if answer["box"] else None, answer["ms"]

        yield find
        process.stdin.close()


def mark(scene: Scene, box: Box | None) -> str:
    if box is None:
        return "refused" if scene.truth else "right"
    return "right" if scene.truth and scene.truth.iou(box) >= 0.5 else "wrong"


def compare(finders: dict[str, Finder], count: int, seed: int) -> None:
    for alpha in (True, False):
        times: dict[tuple[str, str], list[float]] = defaultdict(list)
        marks: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for scene in scenes(count, seed, alpha=alpha):
            for name, find in finders.items():
                box, ms = find(scene)
                times[name, scene.kind].append(ms)
                marks[name, scene.kind][mark(scene, box)] += 1
        print(
            f"96 px icon in {WIDTH}x{HEIGHT}, reference {'with' if alpha else 'without'} alpha, {count} scenes of each kind"
        )
        medians = {name: report(name, times, marks) for name in finders}
        for name, median in medians.items():
            if name != "handeye":
                print(f"  handeye is {median / medians['handeye']:.0f} times faster than {name}")


def report(name: str, times: dict[tuple[str, str], list[float]], marks: dict[tuple[str, str], Counter[str]]) -> float:
    print(f"  {name}")
    for kind in KINDS:
        took, seen = times[name, kind], marks[name, kind]
        print(
            f"    {kind:12} {statistics.median(took):7.1f} ms   best {min(took):5.1f}   worst {max(took):6.1f}"
            f"   right {seen['right']:3}   refused {seen['refused']:3}   wrong {seen['wrong']:3}"
        )
    every = [ms for kind in KINDS for ms in times[name, kind]]
    total: Counter[str] = sum((marks[name, kind] for kind in KINDS), Counter())
    median = statistics.median(every)
    print(
        f"    all          {median:7.1f} ms   right {total['right']}   refused {total['refused']}   wrong {total['wrong']}"
    )
    return median


def first_stored(reference: Reference, screen: Screen) -> Box | None:
    return next((place.peak.box for place in at_recorded_position(reference, screen)), None)


def stored(count: int, seed: int) -> None:
    """Measure searches with a stored position that is a little off; the frame is new each time."""
    took, right, of = [], 0, 0
    for scene in scenes(count, seed, alpha=True):
        if scene.truth is None or scene.kind not in ("plain", "scaled"):
            continue
        scale = scene.truth.width / scene.reference.pixels.shape[1]
        off = scene.truth.translate(9, -12)
        reference = replace(
            scene.reference,
            captured=Size(round(WIDTH / scale), round(HEIGHT / scale)),
            position=Region(off.left / WIDTH, off.top / HEIGHT, off.right / WIDTH, off.bottom / HEIGHT),
        )
        for _ in range(3):
            box, ms = on_cpu(partial(first_stored, reference, Screen(scene.screen.pixels.copy())))
            took.append(ms)
        of, right = of + 1, right + (box is not None and scene.truth.iou(box) >= 0.5)
    print(
        f"with stored resolution and position: {statistics.median(took):.1f} ms   best {min(took):.1f}   right {right} of {of}"
    )


def sikuli(folder: Path) -> None:
    """Measure real screens; a centre counts as found when a box of its own holds it (some name the corner instead)."""
    screens: dict[str, Screen] = {}
    found = truth = extra = forbidden = 0
    for line in (folder / "items.jsonl").read_text(encoding="utf-8").splitlines():
        item: dict[str, Any] = json.loads(line)
        screen = screens.setdefault(item["image"], Screen.open(folder / item["image"]))
        try:
            boxes = [place.peak.box for place in find_all(Reference.open(folder / item["template"]), screen)]
        except InvalidReference:
            boxes = []
        wanted = [tuple(centre) for centre in item["centers"] if centre[0] >= 0]
        forbidden += not wanted and bool(boxes)
        truth += len(wanted)
        for centre in wanted:
            holding = next((box for box in boxes if box.expand(2).contains(centre)), None)
            if holding:
                boxes.remove(holding)
                found += 1
        extra += len(boxes)
    print(f"real screens: {found} of {truth} found, {extra} more, {forbidden} where nothing should be")


def soak(times: int) -> None:
    scene = next(scenes(1, 1, alpha=True))
    for part in (100, times):
        gc.collect()
        tracemalloc.start()
        for _ in range(part):
            find_all(scene.reference, Screen(scene.screen.pixels[:600].copy()))
        gc.collect()
        left, _peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    print(f"{times} searches, each on a new frame, left {left / 1024:.0f} KiB behind")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--scenes", type=int, default=6)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--peers", action="store_true")
    arguments.add_argument("--airtest", metavar="PYTHON")
    arguments.add_argument("--sikuli", metavar="FOLDER", type=Path)
    arguments.add_argument("--soak", metavar="N", type=int)
    chosen = arguments.parse_args()
    finders: dict[str, Finder] = {"handeye": handeye}
    if chosen.peers:
        finders["plain sweep"] = plain_sweep
    if chosen.airtest:
        with airtest(chosen.airtest) as find:
            compare({**finders, "airtest": find}, chosen.scenes, chosen.seed)
    else:
        compare(finders, chosen.scenes, chosen.seed)
    stored(chosen.scenes, chosen.seed)
    if chosen.sikuli:
        sikuli(chosen.sikuli)
    if chosen.soak:
        soak(chosen.soak)


if __name__ == "__main__":
    main()
