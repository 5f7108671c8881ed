"""Phrases that only a refusal answers: what is not on the screen, and what stands there several times."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from handeye.parse.vocabulary.lookup import concept, concepts
from training.phrases import noise
from training.phrases.drafts import Draft, Writer, spoken, varied
from training.phrases.frames import languages
from training.phrases.lexicon import Meaning, inside, is_label, meanings, meanings_of, opposites
from training.phrases.matching import contains, fold, is_spaceless, numbers_in, one_edit_apart
from training.phrases.named import LONGEST, name_of
from training.phrases.screen import UNNAMED, Screen, concept_of, icon_words
from training.phrases.spatial import COUNTED, TARGETS, equal_groups, is_countable, of_class, ordinal
from training.phrases.units import FIELDS, MARKS, Unit

ROLES: Final = ("button", "link", "tab", "menu item", "checkbox", "switch", "radio", "input", "heading")
TRIES: Final = 12
LONGEST_CHANGED: Final = 26  # characters; with another word a sentence says nothing
UNLIKE: Final = ("button", "link", "tab", "menu item", "input", "checkbox", "radio", "switch")


@dataclass(frozen=True)
class Pool:
    """Labels of all screens by language, and words to put in place of others."""

    labels: dict[str, list[tuple[str, str]]]  # (role, label)

    def label(self, chance: random.Random, language: str) -> tuple[str, str]:
        """(role, label) of some screen in a language; ("", "") where there is none."""
        found = self.labels.get(language)
        return chance.choice(found) if found else ("", "")


def pool_of(screens: Iterator[Screen]) -> Pool:
    """The labels of screens."""
    labels: dict[str, dict[tuple[str, str], None]] = {}
    for screen in screens:
        for unit in screen.units:
            name = name_of(unit)
            if name and unit.role not in ("icon", "image") and len(name) > 1 and unit.usable:
                labels.setdefault(screen.language, {})[unit.role, name] = None
    return Pool({language: sorted(group) for language, group in sorted(labels.items())})


def drafts(screen: Screen, pool: Pool, chance: random.Random) -> Iterator[Draft]:
    """All phrases for a screen that must be refused."""
    yield from _from_other_screens(screen, pool, chance)
    yield from _changed_labels(screen, pool, chance)
    yield from _opposites(screen, chance)
    yield from _contained(screen, chance)
    yield from _other_words(screen, chance)
    yield from _icons(screen, chance)
    yield from _relations(screen, pool, chance)
    yield from _roles(screen, chance)
    yield from _several(screen, chance)


def _absent(
    category: str,
    writer: Writer,
    words: str,
    frame: str,
    hard: str = "",
    wraps: tuple[str, ...] = ("any",),
    name: str = "",
) -> Draft:
    return Draft(category, "absent", writer.language, words, frame, [], None, wraps, hard=hard, name=name)


def _called(writer: Writer, role: str, name: str) -> tuple[str, str]:
    """A label alone, or with its role."""
    if role in FIELDS and writer.frames.has("field") and writer.chance.random() < 0.6:
        return writer.written("field", role=role, name=name)
    if role and role != "text" and writer.chance.random() < 0.45:
        return writer.written("role", role=role, name=name)
    return writer.written("label", name=name)


def _wraps(role: str, name: str) -> tuple[str, ...]:
    if role == "input":
        return ("type", "any")
    if role in MARKS:
        return ("on", "off", "any") if role != "radio" else ("choose", "any")
    if any(meaning.verb for meaning in meanings_of(name)):
        return ("do", "any")
    return ("go", "any") if role in ("tab", "link", "menu item", "list item") else ("any",)


def _from_other_screens(screen: Screen, pool: Pool, chance: random.Random) -> Iterator[Draft]:
    for _ in range(TRIES):
        source = screen.language if chance.random() < 0.75 else chance.choice(("en", "zh"))
        role, name = pool.label(chance, source)
        if name and screen.has_no(name):
            writer = Writer(
                chance, source if source in languages() and chance.random() < 0.8 else spoken(chance, screen.language)
            )
            said = varied(chance, name)
            words, frame = _called(writer, role, said)
            yield _absent("absent", writer, words, frame, wraps=_wraps(role, name), name=said)


def _changed_labels(screen: Screen, pool: Pool, chance: random.Random) -> Iterator[Draft]:
    """Labels of the screen with another word or number."""
    named = [unit for unit in screen.units if name_of(unit) and len(name_of(unit)) <= LONGEST_CHANGED]
    for unit in chance.sample(named, min(len(named), 14)):
        name = name_of(unit)
        for changed in (_other_number(name, chance), _other_word(name, screen.language, pool, chance)):
            folded = fold(changed)
            if (
                not changed
                or len(changed) > LONGEST
                or any(
                    contains(other, folded) or one_edit_apart(other, folded) for other in screen.folded - {fold(name)}
                )
            ):
                continue
            if (one_edit_apart(fold(name), folded) and not numbers_in(changed)) or contains(fold(name), folded):
                continue
            if screen.pictured(changed):
                continue
            writer = Writer(chance, spoken(chance, screen.language))
            words, frame = _called(
                writer, unit.role, noise.recased(chance, changed) if chance.random() < 0.25 else changed
            )
            yield _absent("near", writer, words, frame, "near", _wraps(unit.role, ""))


def _other_number(name: str, chance: random.Random) -> str:
    numbers = numbers_in(name)
    if not numbers or len(name) < 3:
        return ""
    number = chance.choice(numbers)
    at = chance.randrange(len(number))
    digit = chance.choice([each for each in "123456789" if each != number[at]])
    return name.replace(number, number[:at] + digit + number[at + 1 :], 1)


def _other_word(name: str, language: str, pool: Pool, chance: random.Random) -> str:
    """The label with one of its words replaced by a word of another meaning."""
    if not is_label(name):
        return ""
    known = [
        (term, id_) for term, id_ in inside(fold(name)) if term != fold(name) and _says(meanings()[id_], language, term)
    ]
    if known:
        term, id_ = chance.choice(known)
        other = chance.choice(_of_kind(meanings()[id_].verb, language))
        start = name.casefold().find(term)
        if other.id == id_ or start < 0:
            return ""
        put = other.terms[language][0]
        return name[:start] + (put.capitalize() if name[start].isupper() else put) + name[start + len(term) :]
    words = name.split()
    if len(words) < 2 or is_spaceless(name):
        return ""
    _, other_name = pool.label(chance, language)
    others = [word for word in other_name.split() if len(word) > 3 and word.isalpha()]
    at = chance.randrange(len(words))
    if not others or len(words[at]) < 4 or not words[at].isalpha():
        return ""
    return " ".join([*words[:at], chance.choice(others), *words[at + 1 :]])


def _says(meaning: Meaning, language: str, term: str) -> bool:
    return term in map(fold, meaning.terms.get(language, ()))


@lru_cache(maxsize=64)
def _of_kind(verb: bool, language: str) -> list[Meaning]:
    return [
        each
        for each in meanings().values()
        if each.verb == verb and language in each.terms and not each.id.startswith("glossary")
    ]


def _opposites(screen: Screen, chance: random.Random) -> Iterator[Draft]:
    for id_ in sorted(screen.ids & opposites().keys()):
        for other in sorted(opposites()[id_]):
            language = spoken(chance, screen.language)
            terms = meanings()[other].terms.get(language)
            if terms and _not_there(screen, meanings()[other]):
                writer = Writer(chance, language)
                name = chance.choice(terms)
                words, frame = _called(writer, "button" if meanings()[other].verb else "", name)
                yield _absent("near", writer, words, frame, "opposite", _wraps("", name), name)


def _not_there(screen: Screen, meaning: Meaning) -> bool:
    """Return True if no text contains a term of a meaning in any language and no icon means it."""
    terms = meaning.all_terms
    if any(contains(text, term) or one_edit_apart(text, term) for text in screen.folded for term in terms):
        return False
    return not any(screen.pictured(term) for group in meaning.terms.values() for term in group)


def _contained(screen: Screen, chance: random.Random) -> Iterator[Draft]:
    """A word that is a thing to do by itself and stands only inside the name of another thing to do."""
    for unit in screen.units:
        whole = meanings_of(name_of(unit), screen.language)
        if not whole or not whole[0].verb:
            continue
        for term, id_ in inside(fold(name_of(unit))):
            part = meanings()[id_]
            if part in whole or not part.verb or id_.startswith("glossary"):
                continue
            rivals = [text for text in screen.elsewhere(unit) if contains(text, term) or one_edit_apart(text, term)]
            if (
                not rivals
                and not screen.pictured(term)
                and fold(name_of(unit)).startswith(term)
                and screen.language in languages()
            ):
                writer = Writer(chance, screen.language)
                words, frame = _called(writer, unit.role, term)
                yield _absent("near", writer, words, frame, "contained", ("do", "any"), term)


def _other_words(screen: Screen, chance: random.Random) -> Iterator[Draft]:
    """Terms in any language of meanings that are not on the screen."""
    for meaning in chance.sample(list(meanings().values()), 60)[:60]:
        language = spoken(chance, screen.language)
        terms = meaning.terms.get(language)
        if (
            not terms
            or meaning.id in screen.ids
            or not all(screen.has_no(term) for term in terms)
            or not _not_there(screen, meaning)
        ):
            continue
        if meaning.id.startswith("glossary") and chance.random() < 0.5:
            continue
        writer = Writer(chance, language)
        name, role = chance.choice(terms), chance.choice(ROLES[:4])
        words, frame = _called(writer, role if chance.random() < 0.4 else "", name)
        hard = "language" if language != screen.language else ""
        yield _absent("absent", writer, words, frame, hard, _wraps("", name), name)


def _icons(screen: Screen, chance: random.Random) -> Iterator[Draft]:
    """Icons that are not there; usual ones are asked for more often."""
    if not screen.whole_icons:
        return
    usual = [concept(id_) for id_ in sorted(UNNAMED) if _is_concept(id_)]
    for one in [*chance.sample(usual, 12), *chance.sample(list(concepts()), 12)]:
        language = spoken(chance, screen.language)
        words = icon_words(one, language)
        if not words or (screen.unnamed and one.id in UNNAMED):
            continue
        name = chance.choice(words)
        close = {one.id, *one.confusable}
        if not screen.has_no(name) or any(map(screen.pictured, words)):
            continue
        if any(_of(icon) in close for icon in screen.icons):
            continue
        writer = Writer(chance, language)
        written, frame = writer.written("icon", "np" if chance.random() < 0.7 else "bare", name=name)
        yield _absent("absent icon", writer, written, frame, "icon")


@lru_cache(maxsize=4096)
def _is_concept(id_: str) -> bool:
    return any(each.id == id_ for each in concepts())


def _of(icon: Unit) -> str:
    found = concept_of(icon.icons[0])
    return found.id if found is not None else ""


def _relations(screen: Screen, pool: Pool, chance: random.Random) -> Iterator[Draft]:
    """Relations to texts that are not there."""
    for _ in range(TRIES // 2):
        language = screen.language if chance.random() < 0.8 else "en"
        _, name = pool.label(chance, language)
        if not name or len(name) > 30 or not screen.has_no(name):
            continue
        writer = Writer(chance, spoken(chance, screen.language))
        relation = chance.choice(("right", "left", "above", "below", "next_to", "row", "under", "first_under"))
        role = chance.choice(TARGETS)
        noun = writer.noun(role)
        words, frame = writer.written("relation", relation, role=noun, a=writer.anchor(name), t=noun.definite)
        yield _absent("absent relation", writer, words, frame, "anchor")


def _roles(screen: Screen, chance: random.Random) -> Iterator[Draft]:
    """Roles that are not on the screen, and numbers beyond what is there."""
    for role in COUNTED:
        units = of_class(screen, role)
        writer = Writer(chance, spoken(chance, screen.language))
        if (
            not units
            and role in ("checkbox", "radio", "switch", "slider", "input", "combo box")
            and not _alike(screen, role)
        ):
            place = chance.randrange(4)
            slots = {"nth": ordinal(writer, place, 9), **_count_slots(writer, place)}
            words, frame = writer.written("ordinal", role=role, **slots)
            yield _absent("absent relation", writer, words, frame, "role")
        elif (
            1 <= len(units) <= 5
            and role not in ("button", "link", "list item")
            and is_countable(screen, units)
            and not _alike(screen, role)
        ):
            place = len(units) + chance.randrange(2)
            nth = chance.choice(writer.frames.words("ordinal", "nth")[place].split("|"))
            words, frame = writer.written("ordinal", role=role, nth=nth, **_count_slots(writer, place))
            yield _absent("absent relation", writer, words, frame, "count")


def _count_slots(writer: Writer, place: int) -> dict[str, str]:
    """The slots of an ordinal frame beside the ordinal."""
    lines = {key: writer.frames.words("ordinal", key)["row"] for key in ("from", "line")}
    return {"k": str(place + 1), "count": writer.frames.words("ordinal", "count")[max(0, place - 1)], **lines}


def _alike(screen: Screen, role: str) -> bool:
    """Return True if the screen has elements of other roles that people may call by the same noun."""
    alike = {
        "checkbox": ("radio",),
        "radio": ("checkbox",),
        "input": ("combo box",),
        "combo box": ("input", "button"),
        "switch": ("checkbox",),
    }
    return any(other in screen.roles for other in alike.get(role, ()))


def _several(screen: Screen, chance: random.Random) -> Iterator[Draft]:
    """Equal labels and equal icons without what tells them apart, and roles of which there are several."""
    for group in equal_groups(screen):
        writer = Writer(chance, spoken(chance, screen.language))
        usable = [unit for unit in group if unit.usable]
        if len(usable) < 2 or len(usable) < len(group):
            continue
        equal = [unit.boxes for unit in usable]
        name = name_of(usable[0])
        if usable[0].role == "icon":
            words_of = list(_icon_names(usable[0], writer.language))
            if not words_of or not screen.whole_icons:
                continue
            words, frame = writer.written("icon", name=chance.choice(words_of))
        elif name:
            words, frame = _called(writer, usable[0].role, name)
        else:
            continue
        yield Draft("ambiguous", "ambiguous", writer.language, words, frame, [], None, equal=equal, name=name)
    for role in UNLIKE:
        units = [unit for unit in of_class(screen, role) if unit.usable]
        if len(units) >= 3 and chance.random() < 0.15:
            writer = Writer(chance, spoken(chance, screen.language))
            words = writer.noun(role).definite
            frame_id = f"{writer.language}.roles.{role}:{words}"
            yield Draft(
                "ambiguous",
                "ambiguous",
                writer.language,
                words,
                frame_id,
                [],
                None,
                equal=[unit.boxes for unit in units],
            )


def _icon_names(icon: Unit, language: str) -> tuple[str, ...]:
    found = concept_of(icon.icons[0])
    return icon_words(found, language) if found is not None else ()
