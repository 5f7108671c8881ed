"""`python -m training.phrases.generate --screens DIR --out FILE`: questions about screens, one JSON object a line."""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final

from training.phrases import named, refused, seen, spatial
from training.phrases.drafts import Draft, sentence
from training.phrases.screen import Screen, has_picture, picture_of

# Shares of the categories; what a screen lacks is made up by the others. Present and absent are about equal.
SHARES: Final = {
    "label": 9, "role": 7, "control": 9, "reworded": 9, "translated": 9, "icon": 9, "relation": 10, "row": 12, "ordinal": 6,
    "place": 3, "colour": 3, "state": 3,
    "absent": 22, "near": 14, "absent icon": 12, "absent relation": 8, "ambiguous": 18,
}  # fmt: skip
REFUSED: Final = ("absent", "near", "absent icon", "absent relation", "ambiguous")
POOL_SCREENS: Final = 400  # whose labels are asked for on other screens


def drafts_of(screen: Screen, pool: refused.Pool, chance: random.Random) -> list[Draft]:
    """Every question that a screen gives."""
    return [
        *named.drafts(screen, chance),
        *spatial.drafts(screen, chance),
        *seen.drafts(screen, chance),
        *refused.drafts(screen, pool, chance),
    ]


def chosen(drafts: list[Draft], number: int, chance: random.Random, categories: Collection[str]) -> list[Draft]:
    """A mixture of categories by SHARES, half of it answered and half refused as far as there are such."""
    groups: dict[str, list[Draft]] = defaultdict(list)
    for draft in drafts:
        groups[draft.category].append(draft)
    for group in groups.values():
        chance.shuffle(group)
    picked: list[Draft] = []
    for refusing in (False, True):
        room = number // 2 if refusing else number - number // 2
        names = [name for name in SHARES if name in categories and (name in REFUSED) == refusing and groups[name]]
        while room and names:
            name = chance.choices(names, [SHARES[each] for each in names])[0]
            picked.append(groups[name].pop())
            names = [each for each in names if groups[each]]
            room -= 1
    return picked


def questions(folder: Path, seed: int, number: int, categories: Collection[str] = SHARES) -> Iterator[dict[str, Any]]:
    """The questions for all screens below a folder, `number` for each, by seed."""
    paths = [path for path in sorted(folder.rglob("*.json")) if has_picture(path)]
    sample = random.Random(seed).sample(paths, min(POOL_SCREENS, len(paths)))
    pool = refused.pool_of(Screen.load(path) for path in sorted(sample))
    for path in paths:
        yield from questions_about(Screen.load(path), folder, pool, seed, number, categories)


def questions_about(
    screen: Screen,
    folder: Path,
    pool: refused.Pool,
    seed: int,
    number: int,
    categories: Collection[str] = SHARES,
) -> Iterator[dict[str, Any]]:
    """The questions for one screen, no two with the same words."""
    name = screen.path.relative_to(folder)
    chance = random.Random(f"{seed}:{name.as_posix()}")
    picture = picture_of(screen.path).relative_to(folder)
    words: set[str] = set()
    for draft in chosen(drafts_of(screen, pool, chance), number, chance, categories):
        line = sentence(chance, draft)
        if line["words"] not in words:
            words.add(line["words"])
            yield {"screen": picture.as_posix(), **line, "screen_language": screen.language, "category": draft.category}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--screens", type=Path, required=True, help="folder of pictures and their JSON files, at any depth"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per-screen", type=int, default=25)
    parser.add_argument("--categories", nargs="+", choices=list(SHARES), default=list(SHARES), help="only these")
    choices = parser.parse_args()
    counts: Counter[str] = Counter()
    choices.out.parent.mkdir(parents=True, exist_ok=True)
    partial = choices.out.with_suffix(".part")
    with partial.open("w", encoding="utf-8") as file:
        for line in questions(choices.screens, choices.seed, choices.per_screen, choices.categories):
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            counts.update((line["kind"], f"category {line['category']}", f"language {line['language']}", "all"))
            counts["for checking"] += "check_frame" in line
    partial.rename(choices.out)
    for name, count in sorted(counts.items()):
        print(f"{name:28} {count}")


if __name__ == "__main__":
    main()
