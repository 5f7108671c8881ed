"""Twenty screens with what the parser found on them, and what it did not, for docs/parser-gallery.md."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image

from corpus import phone_screens
from handeye.commands.annotate import annotated
from handeye.commands.pictures import marks_of
from handeye.elements import UIState
from handeye.locate import ScreenParser
from parser.pages import kind_of
from parser.questions import Scene, ask, scenes_in

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs" / "parser-gallery.md"
PICTURES: Final = ROOT / "docs" / "images" / "parser"
SCREENS: Final = (
    *("calc", "import", "featherpad", "qt_bed", "jupyter_notebook", "jupyter_kernel", "nodered_editor"),
    *("mail-light", "shop-light", "music-dark", "repository-light", "staff-light", "form_zh-light", "player-dark"),
    *("phone_settings-light", "chat-light", "delivery-dark", "alarm-light"),
)
PHONE: Final = (("settings", "light"), ("chats", "dark"))
CHIPS: Final = 0.5  # of the usual size: a toolbar's numbers would cover it
SIDE_PX: Final = 1000  # the longer side of a picture
LARGEST: Final = 120_000  # bytes; twenty of these stay below 2.5 MB
_QUALITIES: Final = (70, 60, 50, 40, 30)
HEAD: Final = """\
# What the screen parser sees: twenty screens

Every box that `ScreenParser.parse` returns on twenty screens, and what it missed or got wrong. The screens were drawn by
programs of this project or by free applications; training saw none of them, but knows the kind of the two from the virtual
phone. The questions were written before the models (`benchmarks/parser/`). Figures: [parser-accuracy.md](parser-accuracy.md).
`python benchmarks/parser/run.py gallery` writes this page.
"""


@dataclass(frozen=True)
class Shown:
    """One picture of the gallery and the lines below it."""

    name: str
    title: str
    lines: tuple[str, ...]


def make(data: Path, parser: ScreenParser) -> str:
    """Write the page and its pictures; what was done, in a line. Raises SystemExit where a screen is missing."""
    scenes = {scene.name: scene for scene in scenes_in(data / "pages")}
    missing = [name for name in SCREENS if name not in scenes]
    if missing:
        raise SystemExit(f"{', '.join(missing)}: not in {data / 'pages'}; run.py pages --render draws them")
    PICTURES.mkdir(parents=True, exist_ok=True)
    for old in PICTURES.glob("*.webp"):
        old.unlink()
    shown = [*(_of(scenes[name], parser) for name in SCREENS), *_phone(data, parser)]
    parts = [HEAD]
    for each in shown:
        parts.append(f"## {each.title}\n\n![{each.name}](images/parser/{each.name}.webp)\n")
        parts.append("\n".join(f"- {line}" for line in each.lines) + "\n")
    DOCS.write_text("\n".join(parts), encoding="utf-8")
    size = sum(path.stat().st_size for path in PICTURES.glob("*.webp"))
    return f"{len(shown)} screens in {DOCS.name}, pictures of {size / 1e6:.2f} MB"


def _of(scene: Scene, parser: ScreenParser) -> Shown:
    screen = scene.screen
    state = parser.parse(screen)
    answers = [
        answer for question in scene.questions for answer in ask(parser, scene, screen, kind_of(question), [question])
    ]
    _keep(scene.name, state)
    right = [each for each in answers if each.verdict == "right" or not (each.question.boxes or each.found)]
    lines = [_counted(state), f"questions: {len(right)} of {len(answers)} correct"]
    for verdict, said in (("wrong", "answered wrongly"), ("refused", "refused")):
        own = [each.question.words for each in answers if each.verdict == verdict and each not in right]
        if own:
            lines.append(f"{said}: {', '.join(f'“{words}”' for words in own)}")
    return Shown(scene.name, f"{scene.name.replace('_', ' ').replace('-', ', ')} ({scene.source})", tuple(lines))


def _phone(data: Path, parser: ScreenParser) -> Iterator[Shown]:
    """Pages of the virtual phone; what its own hierarchy calls a control and no found element covers is missed."""
    for page, look in PHONE:
        scene = phone_screens.render_page(page, look, data / "phone")
        state = parser.parse(scene.screen)
        _keep(scene.name, state)
        clicked = [each for each in state.elements if each.interactive]
        controls = [thing for thing in scene.things if thing.role != "text" and not (thing.clipped and not thing.text)]
        missed = [
            thing.text or thing.role for thing in controls if not any(e.bbox.iou(thing.place) >= 0.5 for e in clicked)
        ]
        lines = [_counted(state), f"controls of its hierarchy: {len(controls) - len(missed)} of {len(controls)} found"]
        if missed:
            lines.append(f"missed: {', '.join(missed)}")
        yield Shown(scene.name, f"virtual phone, {page}, {look}", tuple(lines))


def _counted(state: UIState) -> str:
    kinds = Counter(each.element_type for each in state.elements)
    return f"{len(state.elements)} elements: " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())


def _keep(name: str, state: UIState) -> None:
    picture = annotated(state.screen, marks_of(state), letters=CHIPS)
    picture.thumbnail((SIDE_PX, SIDE_PX), Image.Resampling.LANCZOS)
    (PICTURES / f"{name}.webp").write_bytes(_small(picture.convert("RGB"), _QUALITIES))


def _small(picture: Image.Image, qualities: Sequence[int]) -> bytes:
    """The picture in the best quality that stays within LARGEST; in the least, whatever it is."""
    written = b""
    for quality in qualities:
        buffer = io.BytesIO()
        picture.save(buffer, "WEBP", quality=quality, method=6)
        written = buffer.getvalue()
        if len(written) <= LARGEST:
            break
    return written
