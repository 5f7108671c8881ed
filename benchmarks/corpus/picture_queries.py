"""Questions by picture: an icon or a button cut from one rendering, looked for in another."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from PIL import Image
from rapidfuzz.distance import Levenshtein

from corpus.queries import MOST_PER_KIND, Query
from corpus.truth import Scene, Thing
from handeye.geometry import Box

SMALLEST: Final = 10  # pixels; a person would not cut a smaller icon as a picture
DRAWN_DESKTOP, DRAWN_PHONE, PHONE_SCALE = (
    24,
    48,
    2,
)  # pixels of a drawn icon's side, and from which density on the larger
MARGIN: Final = 2  # pixels around it, as a person crops


class PictureAsker:
    """Draws picture questions for the screens of one library. Cut pictures are kept in `cuts`, drawn icons lie in `glyphs`."""

    def __init__(self, scenes: Iterable[Scene], cuts: Path, glyphs: Path) -> None:
        self._scenes = list(scenes)
        self._cuts, self._glyphs = cuts, glyphs
        cuts.mkdir(parents=True, exist_ok=True)

    def questions_on(self, scene: Scene) -> Iterator[Query]:
        """Return all picture questions of one screen, always the same ones."""
        chance = random.Random(f"pictures {scene.name}")
        made: dict[str, list[Query]] = defaultdict(list)
        for other in self._scenes:
            if other is scene or not scene.things:
                continue
            same = other.page == scene.page
            look = "other theme" if other.dark != scene.dark else "other state"
            if same:
                self._icons(scene, other, f"icon, {look}", made)
                self._buttons(scene, other, f"button, {look}", made)
            elif other.variant == scene.variant and other.language == scene.language:
                self._absent(scene, other, made)
        self._own_buttons(scene, made)
        self._drawn(scene, made)
        for kind in sorted(made):
            yield from chance.sample(made[kind], min(MOST_PER_KIND, len(made[kind])))

    def _icons(self, scene: Scene, other: Scene, kind: str, made: dict[str, list[Query]]) -> None:
        for thing in _icons(other):
            yes = [each for each in scene.things if each.glyph == thing.glyph]
            if yes and not any(each.clipped for each in yes):
                right = (yes[0].number,) if len(yes) == 1 else ()
                made[kind if right else "icon, several"].append(
                    self._cut(scene, other, thing, thing.place, kind, right)
                )

    def _buttons(self, scene: Scene, other: Scene, kind: str, made: dict[str, list[Query]]) -> None:
        there = defaultdict(list)
        for each in scene.things:
            there[each.text].append(each)
        for thing in _buttons(other):
            if (
                len(there[thing.text]) == 1
                and there[thing.text][0].role == "button"
                and not there[thing.text][0].clipped
            ):
                right = (there[thing.text][0].number,)
                made[kind].append(self._cut(scene, other, thing, thing.box, kind, right))

    def _own_buttons(self, scene: Scene, made: dict[str, list[Query]]) -> None:
        """Add questions for buttons cut at their edges from the same screen on which they are looked for."""
        names = Counter(each.text for each in scene.things)
        for thing in _buttons(scene):
            if names[thing.text] == 1:
                path = self._cuts / f"{scene.name}-{thing.number}-tight.png"
                if not path.exists():
                    scene.screen.image.crop(thing.box.clip(scene.screen.size)).save(path)
                made["button, same screen"].append(
                    Query(scene, "button, same screen", thing.text, (thing.number,), path)
                )

    def _absent(self, scene: Scene, other: Scene, made: dict[str, list[Query]]) -> None:
        glyphs = {each.glyph for each in scene.things}
        words = {each.text.casefold() for each in scene.things}
        for thing in _icons(other):
            if thing.glyph not in glyphs:
                made["absent: icon"].append(self._cut(scene, other, thing, thing.place, "absent: icon", ()))
        for thing in _buttons(other):
            if thing.text.casefold() not in words:
                alike = any(_looks_alike(thing.text.casefold(), each) for each in words)
                kind = "absent: button alike" if alike else "absent: button"
                made[kind].append(self._cut(scene, other, thing, thing.box, kind, ()))

    def _drawn(self, scene: Scene, made: dict[str, list[Query]]) -> None:
        """Add questions for icons with an alpha channel, as icon sets have them."""
        known = {glyph: name for each in self._scenes for glyph, name in each.glyphs.items()}
        for glyph, name in known.items():
            yes = [each for each in scene.things if each.glyph == glyph]
            if len(yes) > 1 or any(each.clipped or each.place.width < SMALLEST for each in yes):
                continue
            kind = "icon, alpha" if yes else "absent: icon, alpha"
            picture = self._sized(name, DRAWN_PHONE if scene.scale >= PHONE_SCALE else DRAWN_DESKTOP)
            made[kind].append(Query(scene, kind, name, tuple(each.number for each in yes), picture))

    def _sized(self, name: str, side: int) -> Path:
        """Return a drawn icon at the size that an icon set for such screens has it."""
        path = self._cuts / f"{side}-{name}"
        if not path.exists():
            with Image.open(self._glyphs / name) as drawn:
                drawn.resize((side, side), Image.Resampling.LANCZOS).save(path)
        return path

    def _cut(self, scene: Scene, other: Scene, thing: Thing, box: Box, kind: str, right: tuple[int, ...]) -> Query:
        path = self._cuts / f"{other.name}-{thing.number}.png"
        if not path.exists():
            part = box.expand(MARGIN).clip(other.screen.size)
            other.screen.image.crop(part).save(path)
        kind = kind if right or kind.startswith("absent") else "icon, several"
        return Query(scene, kind, thing.text or thing.glyph, right, path)


def _icons(scene: Scene) -> list[Thing]:
    return [
        thing
        for thing in scene.things
        if thing.glyph and not thing.clipped and min(thing.place.width, thing.place.height) >= SMALLEST
    ]


def _buttons(scene: Scene) -> list[Thing]:
    """Return the buttons with a name, each name once."""
    named = {thing.text: thing for thing in scene.things if thing.role == "button" and thing.text and not thing.clipped}
    return list(named.values())


def _looks_alike(one: str, other: str) -> bool:
    """Return True if two labels differ in one character, or if one begins with the other."""
    return bool(other) and (Levenshtein.distance(one, other) == 1 or one.startswith(other) or other.startswith(one))
