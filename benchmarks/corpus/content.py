"""Contents of each rendered page: the same for a seed, whatever library draws it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from corpus.vocabulary import LANGUAGES, Words

DESKTOP_PAGES = ("table", "form", "dialog", "editor")
PHONE_PAGES = ("settings", "people", "form", "dialog")
ICONS = (
    "home",
    "search",
    "settings",
    "delete",
    "edit",
    "add",
    "close",
    "back",
    "user",
    "bell",
    "star",
    "more",
    "save",
    "download",
    "folder",
    "menu",
)


@dataclass(frozen=True)
class Page:
    """One page's contents, and its name, which is equal for its states (`changed`: the same page a moment later)."""

    name: str
    kind: str
    language: str
    phone: bool
    changed: bool
    values: dict[str, Any]


def page(kind: str, language: str, phone: bool, seed: int, changed: bool = False) -> Page:
    """Return the contents of one page. `changed` moves rows and replaces some, as on a second visit."""
    chance = random.Random(f"{kind} {language} {phone} {seed}")
    words = LANGUAGES[language]
    values = _common(kind, words, chance)
    values["rows"] = _rows(words, chance, 5 if phone else 7)
    values["settings"] = _settings(words, chance)
    if changed:
        _disturb(values, chance)
    return Page(f"{kind}-{language}-{seed}", kind, language, phone, changed, values)


def _common(kind: str, words: Words, chance: random.Random) -> dict[str, Any]:
    icons = chance.sample(ICONS[:-1], 9)
    start = chance.randrange(2)
    return {
        "kind": kind,
        "title": chance.choice(words.titles),
        "columns": words.columns,
        "rowActions": words.row_actions,
        "fields": [
            {"label": label, "hint": hint, "value": ""}
            for label, hint in list(zip(words.fields, words.hints, strict=True))[start : start + 4]
        ],
        "choices": [{"label": label, "on": chance.random() < 0.5} for label in chance.sample(words.choices, 3)],
        "actions": chance.sample(words.actions, 4),
        "pages": words.pages,
        "tabs": words.tabs,
        "menus": words.menus,
        "icons": icons,
        "question": chance.choice(words.questions),
        "answers": chance.choice(words.answers),
        "sentences": chance.sample(words.sentences, 3),
        "search": words.search,
    }


def _rows(words: Words, chance: random.Random, count: int) -> list[dict[str, str]]:
    people = chance.sample(words.people, min(count, len(words.people)))
    return [
        {
            "name": person,
            "department": chance.choice(words.departments),
            "date": f"20{chance.randrange(15, 26)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}",
            "state": chance.choice(words.states),
            "message": chance.choice(words.sentences),
            "time": f"{chance.randrange(7, 23):02}:{chance.randrange(60):02}",
        }
        for person in people
    ]


def _settings(words: Words, chance: random.Random) -> list[dict[str, Any]]:
    chosen = chance.sample(words.settings, 7)
    return [
        {"label": label, "icon": chance.choice(ICONS), "switch": index < 3, "on": chance.random() < 0.5}
        for index, label in enumerate(chosen)
    ]


def _disturb(values: dict[str, Any], chance: random.Random) -> None:
    rows = values["rows"]
    rows.insert(0, rows.pop())
    rows.pop(2)
    values["settings"].insert(0, values["settings"].pop(3))
    values["icons"][0], values["icons"][1] = values["icons"][1], values["icons"][0]
    values["actions"].reverse()
    for choice in values["choices"]:
        choice["on"] = not choice["on"]
