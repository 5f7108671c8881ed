"""Grammar of Chinese phrases, in which the requested element comes last: “取消”右边的按钮, 文件菜单中的打开, 右上角的 ✕.

phrase := [verb] noun [的位置]
noun   := [where or which 的] head
where  := [anchor] place | [anchor] counted line | 名为 text
head   := [ordinal] [text] [role]
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from handeye.target import chinese_vocabulary as words
from handeye.target.chinese_vocabulary import first, last
from handeye.target.parsed import AMBIGUOUS_ROLES, LINES, MAX_DEPTH, ParsedPhrase
from handeye.target.values import Relation, RelationKind, Target
from handeye.text import quotations

# Private-use characters, which replace quotations while the grammar parses the words around them.
_MARKS: Final = "".join(map(chr, range(0xE000, 0xE100)))


def read(source: str) -> ParsedPhrase | None:
    """Return the parsed Chinese phrase, or None if `source` may be a label or is negated."""
    if not any(map(_is_ideograph, source)) or any(map(_MARKS.__contains__, source)):
        return None
    parser = ChineseParser(source)
    if any(word in parser.source for word in words.NEGATIONS):
        return None
    rest, asked, sure = _request(parser.source)
    reading = parser.whole(rest)
    return reading if reading and reading.names_something and _is_phrase(asked, sure, reading) else None


def without_request(source: str) -> str | None:
    """Return the words after 请点击, or None if there is no such request or nothing after it."""
    rest, _asked, _sure = _request(source)
    return rest if rest and rest != source else None


def _request(source: str) -> tuple[str, bool, bool]:
    """
    Return the source without the words of a request, whether it had a verb, and whether no label begins with that verb.
    """
    rest = _skip_polite_words(source)
    sure = first(rest, words.ASKING)
    verb = sure or first(rest, words.MAYBE_ASKING)
    after = _skip_polite_words(rest[len(verb) :]) or rest
    found = after
    while end := last(found, words.ASKED):
        found = found[: -len(end)].strip()
    return found or after, bool(verb) and after != rest, bool(sure)


def _skip_polite_words(text: str) -> str:
    """Return the text after 请 and 在截图中."""
    text = text.strip()
    while word := first(text, words.POLITE):
        text = text[len(word) :].strip()
    seen = text[len(first(text, words.LED)) :]
    seen = seen[len(first(seen, words.VIEWS)) :] if first(seen, words.VIEWS) else ""
    inside = first(seen, words.INSIDE)
    return seen[len(inside) :].removeprefix(words.OF).strip() or text if inside else text


def _is_ideograph(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff"


def _is_appearance(text: str) -> bool:
    """Return True if the words only describe an appearance: 红色的."""
    text = text.removesuffix(words.OF)
    while word := first(text, words.LOOKS):
        text = text[len(word) :]
        if not text:
            return True
    return False


def _coloured(reading: ParsedPhrase, look: str) -> ParsedPhrase:
    """Return the reading with the colour that the words name: 红色的; unknown for 大, 圆形, 浅蓝色."""
    return reading.coloured(words.LOOKS.get(look.removesuffix(words.OF)))


def _is_phrase(asked: bool, sure: bool, reading: ParsedPhrase) -> bool:
    """Return True if it is meant as a phrase. A relation is checked on the screen, so it needs no other evidence."""
    if reading.relations or reading.position or reading.ordinal:
        return True
    if reading.quoted:
        return reading.role is not None or asked
    if sure:
        return reading.text not in words.HERE
    return reading.role is not None and (reading.text is not None or reading.unknown or reading.colour is not None)


class ChineseParser:
    """
    Parser of the noun phrases of one source. Each step parses a shorter part, and relations nest at most DEEPEST deep.
    """

    def __init__(self, source: str) -> None:
        self._quoted: dict[str, str] = {}
        pieces, at = [], 0
        for mark, quotation in zip(_MARKS, quotations(source), strict=False):
            self._quoted[mark] = quotation.text
            pieces += [source[at : quotation.start], mark]
            at = quotation.end
        self.source = "".join([*pieces, source[at:]])

    def unmark(self, marked: str) -> str:
        """Return the words with the marks replaced by the quotations."""
        return "".join(self._quoted.get(character, character) for character in marked).strip()

    def whole(self, source: str) -> ParsedPhrase | None:
        """Return the reading of the whole request; also of 右数第二个, which has no name."""
        counted = words.COUNTED_FROM.sub(lambda found: "倒数" if found["back"] else "", source)
        return self.noun(counted) or (self.head(counted, free=True) if counted != source else None)

    def noun(self, source: str, depth: int = 0, *, anchor: bool = False) -> ParsedPhrase | None:
        """Return the reading of `source`, or None if it names nothing. It is split at the last 的 that joins two parts."""
        source = source.strip()
        if depth >= MAX_DEPTH or not source:
            return None
        for at in range(len(source) - 1, 0, -1):
            if joint := first(source[at:], words.JOINTS):
                before, after = source[:at].strip().removesuffix(words.OF), source[at + len(joint) :].strip()
                if (reading := self._joined(before, after, depth, anchor, joint)) is not None:
                    return reading
        return self._without_of(source, depth) or self.head(source, free=False, anchor=anchor)

    def _joined(self, before: str, after: str, depth: int, anchor: bool, joint: str) -> ParsedPhrase | None:
        """Return the reading of “before 的 after” if `before` locates or describes `after`; “删除”右边那个 has no `after`."""
        if not after:
            return None if joint == words.OF else self._with_location(before, ParsedPhrase(role="item"), depth)
        head = self.head(after, free=True, anchor=anchor)
        if head is None:
            return None
        if (reading := self._with_location(before, head, depth)) is not None:
            return reading
        if (saying := first(before, words.SAYING)) and head.text is None:
            return self._with_text(before[len(saying) :], head)
        if _is_appearance(before):
            return _coloured(replace(head, look=before), before)
        if head.text and head.role and before in self._quoted:  # “张三”的删除按钮
            return self._with_relation(head, RelationKind.ROW, before, depth)
        named = head.role is not None and head.text is None
        if named and (head.role not in AMBIGUOUS_ROLES or self._marks(before)):
            owner = self.head(before, free=False)  # 删除的按钮
            if owner is None or owner.role:
                return None
            if owner.text and _is_appearance(owner.text):
                return _coloured(replace(owner, text=None, role=head.role), owner.text)
            return replace(owner, role=head.role)
        return None

    def _with_location(self, before: str, head: ParsedPhrase, depth: int) -> ParsedPhrase | None:
        """Return the head with its location: 右上角的..., “取消”右边的..., 飞行模式那一行的..., 表格中第二行的..., or None."""
        word = last(before, words.PLACES)
        position, kind = words.PLACES.get(word, (None, None))
        anchor = before[: len(before) - len(word)].strip()
        line = self._counted_line(before, head, depth)
        if line is None and kind is RelationKind.IN:
            line = self._counted_line(anchor, head, depth)
        if line is not None:
            return line
        anchor = anchor.removesuffix(words.OF).removesuffix("在")
        anchor = anchor[len(first(anchor, words.LED)) :].strip()
        screen = words.VIEWS if position or kind is RelationKind.IN else words.SCREENS
        if anchor in screen or (position and not anchor):
            return head.at(position) if position else head
        if not anchor or (position is None and kind is None):
            return None
        both = anchor.translate(words.AND).split("和") if word in ("之间", "中间") else []
        if len(both) == 2 or kind is RelationKind.BETWEEN:
            between = self._with_relation(head, RelationKind.BETWEEN, both[0], depth) if len(both) == 2 else None
            return between and self._with_relation(between, RelationKind.BETWEEN, both[1], depth)
        if kind is None and position is not None:  # a position inside the anchor
            inner = last(anchor, words.INSIDE)
            return self._with_relation(head.at(position), RelationKind.IN, anchor[: len(anchor) - len(inner)], depth)
        if kind is RelationKind.IN and len(word) == len(anchor) == 1 and anchor not in self._quoted:
            return None  # 线上的课程, 晚上的会议
        line_of = last(anchor, words.LINES)
        if line_of and (name := anchor.removesuffix(line_of)):  # in the row, and right of its name
            head, anchor = self._with_relation(head, words.LINES[line_of], name, depth) or head, name
        return head if line_of and kind is RelationKind.IN else kind and self._with_relation(head, kind, anchor, depth)

    def _counted_line(self, before: str, head: ParsedPhrase, depth: int) -> ParsedPhrase | None:
        """Return the reading for 第二行的..., which is counted among the matches themselves, or None."""
        line = next((found for found in words.ORDINAL.finditer(before) if found.end() == len(before)), None)
        if line is None or line["measure"] not in words.LINE_MEASURES:
            return None
        role = "column" if line["measure"] == "列" else "table row"
        counted = Relation(LINES[role], Target(role=role, ordinal=_number(line)))
        reading = replace(head, relations=(*head.relations, counted))
        holder = before[: line.start()].removesuffix(words.OF)
        holder = holder[: len(holder) - len(last(holder, words.INSIDE))].strip()
        both = self._counted_line(holder, reading, depth)  # 第一行第二列
        return both or (self._with_relation(reading, RelationKind.IN, holder, depth) if holder else reading)

    def _with_relation(self, head: ParsedPhrase, kind: RelationKind, anchor: str, depth: int) -> ParsedPhrase | None:
        reading = self.noun(anchor, depth + 1, anchor=True)
        if reading is None or not (reading.names_something or reading.relations):
            return None
        return replace(head.beside(kind, reading, self.unmark(anchor)), unknown=head.unknown or reading.unknown)

    def _without_of(self, source: str, depth: int) -> ParsedPhrase | None:
        """Return the reading of a location without 的, or None: 底部输入框, 左上角返回, 取消右边按钮."""
        rest = source.removeprefix(first(source, words.VIEWS))
        word = first(rest, words.PLACES)
        position, kind = words.PLACES.get(word, (None, None))
        rest = rest.removeprefix(word)
        head = self.head(rest.strip(), free=False) if position else None
        if head and position and (head.role or word.endswith("角") or rest[:1] in self._quoted):
            return head.at(position)
        role, before = self._role(source, free=False, anchor=False)
        position, kind = words.PLACES.get(last(before, words.PLACES), (None, None))
        if role is None or role in AMBIGUOUS_ROLES or not (kind and (position or kind is RelationKind.BESIDE)):
            return None
        head = self.head(source[len(before) :], free=True)
        return head and self._with_location(before, head, depth)

    def head(self, source: str, *, free: bool, anchor: bool = False) -> ParsedPhrase | None:
        """Return a name with its ordinal and role. `free`: words before it already make it a phrase."""
        reading = ParsedPhrase()
        if (counted := words.ORDINAL.match(source)) is not None:
            rest = source[counted.end() :].removeprefix("的").removeprefix("是").strip()
            is_line = counted["measure"] in words.LINE_MEASURES and not source.startswith("首")  # 首行缩进按钮
            head = self.head(rest, free=True) if is_line else None
            if head and (head.role or rest[:1] in self._quoted):  # 第二行第三列, 第二行“删除”
                return self._counted_line(counted.group(), head, 0)
            if counted["measure"] == "个" or free or rest.lower() in words.KINDS or rest[:1] in self._quoted:
                number = _number(counted)
                if number == 0:
                    return None
                reading = replace(reading, ordinal=number)
                if not rest:
                    return replace(reading, role="item") if free else None
                source, free = rest, True
        kind = last(source.lower(), words.KINDS)
        look = source[: len(source) - len(kind)]
        if kind and _is_appearance(look):
            look = look.removesuffix(words.OF)
            return _coloured(replace(reading, role=words.KINDS[kind], look=look), look)
        role, text = self._role(source, free=free, anchor=anchor)
        reading = replace(reading, role=role, word=None if text else source.strip())
        return self._with_text(text, reading) if text else (reading if role else None)

    def _role(self, source: str, *, free: bool, anchor: bool) -> tuple[str | None, str]:
        """Return the role that the last word names, and the rest."""
        kind = last(source.lower(), words.KINDS)
        if not kind:
            return None, source
        role, rest = words.KINDS[kind], source[: len(source) - len(kind)].strip().removesuffix(words.OF).strip()
        if not rest and (search := first(kind, ("搜索", "搜尋", "search"))):
            return role, search  # a search box is labelled so
        weak = role in AMBIGUOUS_ROLES and not (anchor and role in words.HOLDERS)
        if role in words.NAMED_KINDS and rest and not first(rest, words.CHINESE_ACTIONS):
            return role, rest
        if weak and not (self._marks(rest) if rest else free or anchor):
            return None, source
        return role, rest

    def _marks(self, text: str) -> list[str]:
        """Return the marks of the quotations in a text."""
        return [character for character in text if character in self._quoted]

    def _with_text(self, marked: str, reading: ParsedPhrase) -> ParsedPhrase | None:
        """
        Return the reading with these words as its text, or None if the words around a quotation are not understood
        (除了“删除”以外).
        """
        marks = self._marks(marked)
        if not marks:
            return replace(reading, text=self.unmark(marked) or None)
        around = "".join(character for character in marked if character not in self._quoted).strip()
        saying = not around or bool(first(around, words.SAYING))
        look = _is_appearance(around)
        if len(marks) > 1 or not (saying or look or around.lower() in words.KINDS):
            return None
        named = replace(reading, text=self._quoted[marks[0]], quoted=True)
        return _coloured(named, around) if look else replace(named, unknown=reading.unknown or not saying)


def _number(counted: re.Match[str]) -> int:
    """Return the ordinal; negative if counted from the end."""
    if counted["last"]:
        return -1
    return words.number_of(counted["number"] or "一") * (-1 if counted["back"] else 1)
