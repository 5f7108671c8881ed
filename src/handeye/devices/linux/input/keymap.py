"""
Current key mapping of an X server, and spare key codes for characters that no key types.

A row of the keyboard mapping lists keysyms: of the first layout without and with Shift, of the second one, then of the
first one with AltGr (X Keyboard Extension, Protocol Specification, "Core Keyboard Mapping"). The core protocol does not
report what AltGr types in the second layout, nor the third layout: such characters take spare codes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from Xlib.display import Display

from handeye.devices.desktop.keys import UNICODE_KEYSYMS, keysym_of

SHIFT_L, ISO_LEVEL3_SHIFT, RETURN, TAB = 0xFFE1, 0xFE03, 0xFF0D, 0xFF09

# Older keysyms are code points of old character sets (X Window System Protocol, appendix A). For Greek and Cyrillic
# only the letters: the rest has another order.
_OLD_SETS: Mapping[int, tuple[str, int]] = {
    0x1: ("iso8859-2", 0xA0),
    0x2: ("iso8859-3", 0xA0),
    0x3: ("iso8859-4", 0xA0),
    0x5: ("iso8859-6", 0xA0),
    0x6: ("koi8-r", 0xC0),
    0x7: ("iso8859-7", 0xC1),
    0xC: ("iso8859-8", 0xE0),
    0xD: ("tis-620", 0xA1),
}
_OLD_KEYSYMS: Mapping[int, str] = {0x20AC: "€", 0x6A3: "ё", 0x6B3: "Ё", 0x6B0: "№"}
_KEYPAD = range(0xFF80, 0xFFBE)
_CONTROL_KEYS = range(0xFE00, 0x10000)  # Enter, F1, Shift, dead keys: not characters


@dataclass(frozen=True, slots=True)
class Stroke:
    """A key code, and the codes of the modifiers to hold with it."""

    code: int
    modifiers: tuple[int, ...] = ()


def character_of(keysym: int) -> str | None:
    """Return the character that a keysym types, or None."""
    if 0x20 <= keysym <= 0x7E or 0xA0 <= keysym <= 0xFF:
        return chr(keysym)
    if UNICODE_KEYSYMS <= keysym <= UNICODE_KEYSYMS + 0x10FFFF:
        return chr(keysym - UNICODE_KEYSYMS)
    name, first = _OLD_SETS.get(keysym >> 8, ("", 0x100))
    if keysym & 0xFF >= first:
        return bytes([keysym & 0xFF]).decode(name, "ignore") or None
    return _OLD_KEYSYMS.get(keysym)


@dataclass(frozen=True, slots=True)
class KeyTable:
    """Keyboard mapping of a server: rows of keysyms, from the code `first` on, and the codes of modifiers."""

    first: int
    rows: tuple[tuple[int, ...], ...]
    modifying: frozenset[int]

    @classmethod
    def of(cls, display: Display) -> KeyTable:
        """Read the current mapping. Raises XError."""
        first = display.display.info.min_keycode
        rows = display.get_keyboard_mapping(first, display.display.info.max_keycode - first + 1)
        modifying = frozenset(code for codes in display.get_modifier_mapping() for code in codes if code)
        return cls(first, tuple(tuple(row) for row in rows), modifying)


class Keymap:
    """
    Strokes for the keys and characters of `table`, with layout `group` (from 0) active. Characters of temporarily
    remapped codes (`borrowed`) are ignored.
    """

    def __init__(self, table: KeyTable, group: int, *, num_lock: bool, borrowed: Collection[int] = ()) -> None:
        first = table.first
        self._rows = dict(enumerate(table.rows, first))
        self.width = len(table.rows[0])
        """Number of keysyms in a row."""
        self.spare = tuple(
            code for code, row in self._rows.items() if not any(row) and code not in table.modifying and code > first
        )
        """Unassigned codes. The first one is left out: servers never use it and toolkits use it for 'no key'."""
        self._keys: dict[int, Stroke] = {}
        self._characters: dict[str, Stroke] = {}
        self._num_lock = num_lock
        self._borrowed = frozenset(borrowed)
        self._read(group)

    def row(self, code: int) -> tuple[int, ...]:
        return self._rows[code]

    def key(self, keysym: int) -> Stroke | None:
        """Return the stroke of a keysym, or None if this keyboard lacks it."""
        if (character := character_of(keysym)) is not None:
            return self._characters.get(character)
        return self._keys.get(keysym)

    def character(self, character: str) -> Stroke | None:
        """Return the stroke that types a character, or None."""
        return self._characters.get(character)

    def _read(self, group: int) -> None:
        for code, row in self._rows.items():
            if row[0] in _CONTROL_KEYS or row[0] >> 16 == 0x1008:
                self._keys.setdefault(row[0], Stroke(code))
        shift, level3 = self._keys.get(SHIFT_L), self._keys.get(ISO_LEVEL3_SHIFT)
        levels: list[tuple[int, list[Stroke | None]]] = [(2 * group, []), (2 * group + 1, [shift])]
        if group == 0:
            levels += [(4, [level3]), (5, [shift, level3])]
        for column, needed in levels[: 4 if group < 2 else 0]:
            held = [stroke.code for stroke in needed if stroke is not None]
            if len(held) == len(needed):
                self._read_column(column, tuple(held))
        for code, row in self._rows.items():
            self._read_keypad(code, row, shift)

    def _read_column(self, column: int, held: tuple[int, ...]) -> None:
        for code, row in self._rows.items():
            if column < len(row) and row[0] not in _CONTROL_KEYS and code not in self._borrowed:
                character = character_of(row[column])
                if character is not None:
                    self._characters.setdefault(character, Stroke(code, held))

    def _read_keypad(self, code: int, row: Sequence[int], shift: Stroke | None) -> None:
        """Add the keypad's keys: Num Lock switches their meaning, and Shift inverts that."""
        for level, keysym in enumerate(row[:2]):
            if keysym in _KEYPAD and row[0] != row[1]:
                plain = (level == 1) == self._num_lock
                if plain or shift is not None:
                    self._keys[keysym] = Stroke(code, () if plain or shift is None else (shift.code,))


class Spares:
    """Characters with a spare code. `given` maps codes to keysyms, without and with Shift; shared with the record."""

    def __init__(self, given: dict[int, list[int]]) -> None:
        self._given = given

    def plan(self, keymap: Keymap, text: Sequence[str]) -> tuple[dict[str, Stroke], dict[int, list[int]]]:
        """
        Return the strokes for as much of `text`, from its start, as there are codes for, and the codes to remap with
        their keysyms. Unassigned codes are remapped first, then own codes that the text needs last.
        """
        self._forget_what_others_changed(keymap)
        shift = keymap.key(SHIFT_L)
        strokes = {one: stroke for code, row in self._given.items() for one, stroke in _strokes(code, row, shift)}
        unused = list(keymap.spare)
        changed: dict[int, list[int]] = {}
        used: dict[str, Stroke] = {}
        for place, character in enumerate(text):
            if character not in strokes:
                taken = {stroke.code for stroke in used.values()}
                others = [code for code in self._given if code not in taken]
                if not unused and not others:
                    break
                code = unused.pop(0) if unused else max(others, key=_next_use(strokes, text[place:]))
                strokes = {one: stroke for one, stroke in strokes.items() if stroke.code != code}
                self._given[code] = changed[code] = [keysym_of(one) for one in pair(character, shift is not None)]
                strokes |= dict(_strokes(code, changed[code], shift))
            used[character] = strokes[character]
        return used, changed

    def _forget_what_others_changed(self, keymap: Keymap) -> None:
        for code, row in list(self._given.items()):
            if list(keymap.row(code)[:2]) != row:
                del self._given[code]


def _strokes(code: int, row: Sequence[int], shift: Stroke | None) -> Iterator[tuple[str, Stroke]]:
    small, large = map(character_of, row)
    if small is not None:
        yield small, Stroke(code)
    if large is not None and large != small and shift is not None:
        yield large, Stroke(code, (shift.code,))


def _next_use(strokes: Mapping[str, Stroke], text: Sequence[str]) -> Callable[[int], int]:
    """Return a sort key for codes: the index in `text` that next needs the code, or the text's length if none does."""
    first: dict[int, int] = {}
    for place, character in enumerate(text):
        if character in strokes:
            first.setdefault(strokes[character].code, place)
    return lambda code: first.get(code, len(text))


def pair(character: str, with_shift: bool = True) -> tuple[str, str]:
    """Return a letter's lower and upper case, which share a key; a character without such a pair is returned twice."""
    small, large = character.lower(), character.upper()
    alike = len(small) == len(large) == 1 and small.upper() == large and large.lower() == small
    return (small, large) if with_shift and alike and character in (small, large) else (character, character)
