"""The grammar of Chinese phrases, in which what is asked for stands last: “取消”右边的按钮, 文件菜单中的打开, 右上角的 ✕.

phrase   := [verb] noun [的位置]
noun     := [modifier 的] head
modifier := anchor relation | [anchor] place | [anchor] counted line | 名为 text
head     := [ordinal] [place] [text] [role]
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from handeye.roles import ROLES
from handeye.target import chinese_words as words
from handeye.target.quotes import quotations
from handeye.target.reading import DEEPEST, Reading
from handeye.target.values import Relation, RelationKind, Target

_IDEOGRAPH: Final = re.compile("[\u3400-\u9fff]")
_OF: Final = "的"
# A private character stands for each quotation while the grammar looks at the words around it.
_MARKS: Final = tuple(map(chr, range(0xE000, 0xE100)))
_MARK: Final = re.compile(f"[{_MARKS[0]}-{_MARKS[-1]}]")
# Labels end with these words (复制链接, 保存图片, 文件列表): without 的, a number or a quotation they are no kind of control.
_NOUNS_OF_LABELS: Final = frozenset(
    (
        *("image", "text", "link", "tab", "item", "list", "heading", "video", "table", "card", "cell", "column"),
        *("table row", "menu", "window", "status bar", "toolbar", "tab bar", "menu bar", "progress bar"),
    )
)
# Of an anchor they say what holds the target: 文件菜单中的打开.
_HOLDERS: Final = frozenset(
    ("menu", "window", "list", "table", "card", "toolbar", "status bar", "tab bar", "menu bar", "tab")
)
# Of these, a name before the word says which one (首页标签), unless it is a deed (新建标签, 所有标签).
_NAMED_KINDS: Final = frozenset(("tab", "menu item"))
_ROLES: Final = {word: role for role, row in ROLES.items() for word in row if role != "table row" and role != "column"}
_ROLE_END: Final = re.compile(
    rf"({'|'.join(sorted((re.escape(word) for word in _ROLES), key=len, reverse=True))})\Z", re.IGNORECASE
)
_SEARCH: Final = re.compile("搜索|搜尋|search", re.IGNORECASE)
_LINE_END: Final = re.compile(
    rf"(?:中|里|内|上|的)*(?P<back>倒数)?第(?P<number>{words.NUMBER})(?P<kind>[行列排])\Z|(?P<last>最后一)(?P<kind2>[行列排])\Z"
)


@dataclass(frozen=True, slots=True)
class _Request:
    """A source without the words that ask. `sure` when no label begins with those that were there."""

    rest: str
    asked: bool
    sure: bool


def parse(source: str) -> Target | None:
    """The target of a Chinese phrase; None when `source` may as well be a label (see docs/targets.md for what decides)."""
    reading = read(source)
    if reading is None:
        return None
    if reading.unknown and (reading.ordinal or not (reading.text or reading.relations)):
        return Target(description=source, phrase=source)
    return reading.target(source)


def read(source: str) -> Reading | None:
    """The parts of a Chinese phrase; None when `source` may as well be a label, or says what is not meant."""
    if not _IDEOGRAPH.search(source) or _MARK.search(source):
        return None
    parser = ChineseParser(source)
    if words.NEGATION.search(parser.source):
        return None
    request = _request(words.POINTED.sub(_OF, parser.source))
    reading = parser.whole(request.rest)
    return reading if reading and reading.names_something and _is_phrase(request, reading) else None


def asks(source: str) -> bool:
    """Whether the words begin like a request, and go on."""
    request = _request(source)
    return request.asked and len(request.rest) > 1


def without_request(source: str) -> str | None:
    """The words after 请点击; None when nothing of that is there, or nothing else is."""
    rest = _request(source).rest
    return rest if rest and rest != source else None


def _request(source: str) -> _Request:
    rest = _after(words.POLITE, source)
    sure = _after(words.ASKING, rest)
    after = sure if sure != rest else _after(words.MAYBE_ASKING, rest)
    if after != rest and after.strip():
        found = words.ASKED.sub("", _after(words.POLITE, after)).strip()
        return _Request(found or after, True, sure != rest)
    found = words.ASKED.sub("", rest).strip()
    return _Request(found or rest, False, False)


def _after(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.match(text)
    return text[found.end() :] if found else text


def _is_phrase(request: _Request, reading: Reading) -> bool:
    """Whether it was meant as a phrase. A relation is checked on the screen, so it needs no other evidence."""
    if reading.relations or reading.position or reading.ordinal:
        return True
    if reading.quoted:
        return reading.role is not None or request.asked
    if request.sure:
        return reading.text not in words.HERE
    return reading.role is not None and (reading.text is not None or reading.unknown or reading.colour is not None)


class ChineseParser:
    """Reads the noun phrases of one source. Each step reads a shorter piece of it, and neighbours nest DEEPEST deep at most."""

    def __init__(self, source: str) -> None:
        found = quotations(source)[: len(_MARKS)]
        self._quoted = {mark: quotation.text for mark, quotation in zip(_MARKS, found, strict=False)}
        pieces, at = [], 0
        for mark, quotation in zip(_MARKS, found, strict=False):
            pieces += [source[at : quotation.start], mark]
            at = quotation.end
        self.source = "".join([*pieces, source[at:]])

    def spoken(self, marked: str) -> str:
        """Marked words with what was quoted."""
        return "".join(self._quoted.get(character, character) for character in marked).strip()

    def whole(self, source: str) -> Reading | None:
        """The reading of all that was asked for; it may have no name: “删除”右边那个, 右数第二个."""
        if (pointed := words.POINTED_LAST.search(source)) is not None:
            head, before = Reading(role="item"), source[: pointed.start()]
            return self._placed(before, head, 0) or self._related(before, head, 0)
        counted = words.COUNTED_FROM.search(source)
        if counted is None:
            return self.noun(source)
        before, rest = source[: counted.start()], source[counted.end() :]
        rest = ("倒数" if counted["side"] in words.BACKWARDS else "") + rest
        return self.noun(before + rest) if before else self.noun(rest) or self.head(rest, free=True)

    def noun(self, source: str, depth: int = 0, *, anchor: bool = False) -> Reading | None:
        """The reading of `source`; None where it names nothing. The last 的 that joins two parts decides, as one reads."""
        source = source.strip()
        if depth >= DEEPEST or not source:
            return None
        at = source.rfind(_OF)
        while at > 0:
            before, after = source[:at].strip(), source[at + 1 :].strip()
            if (both := words.BETWEEN.match(before)) is not None:
                return self._between(both["both"], after, depth)
            if before and after and (reading := self._joined(before, after, depth, anchor)) is not None:
                return reading
            at = source.rfind(_OF, 0, at)
        return self._without_of(source, depth) or self.head(source, free=False, anchor=anchor)

    def _joined(self, before: str, after: str, depth: int, anchor: bool) -> Reading | None:
        """“before 的 after”, when `before` says where or which `after` is."""
        head = self.head(after, free=True, anchor=anchor)
        if head is None:
            return None
        if (reading := self._counted_line(before, head, depth)) is not None:
            return reading
        if (reading := self._placed(before, head, depth) or self._related(before, head, depth)) is not None:
            return reading
        if (saying := words.SAYING.match(before)) is not None and head.text is None:
            return self._named(saying.group("text"), head)
        if words.LOOKS.fullmatch(before):
            return replace(head, look=before).coloured(words.colour_of(before))
        if head.text and head.role and _MARK.fullmatch(before):  # “张三”的删除按钮
            return self._beside(head, RelationKind.ROW, before, depth)
        named = head.role is not None and head.text is None
        if named and (head.role not in _NOUNS_OF_LABELS or _MARK.search(before)):
            owner = self.head(before, free=False)  # 删除的按钮
            if owner is None or owner.role:
                return None
            if owner.text and words.LOOKS.fullmatch(owner.text):
                return replace(owner, text=None, role=head.role).coloured(words.colour_of(owner.text))
            return replace(owner, role=head.role)
        return None

    def _between(self, both: str, after: str, depth: int) -> Reading | None:
        """“保存”和“取消”之间的按钮; None where it cannot be told where the first one ends."""
        head, names = self.head(after, free=True), words.AND.split(both)
        if head is None or len(names) != 2:
            return None
        first = self._beside(head, RelationKind.BETWEEN, names[0].strip(), depth)
        return first and self._beside(first, RelationKind.BETWEEN, names[1].strip(), depth)

    def _counted_line(self, before: str, head: Reading, depth: int) -> Reading | None:
        """第二行的...: counted among the places themselves."""
        line = _LINE_END.search(before)
        if line is None:
            return None
        number = -1 if line["last"] else words.number_of(line["number"]) * (-1 if line["back"] else 1)
        row = (line["kind"] or line["kind2"]) != "列"
        target = Target(role="table row" if row else "column", ordinal=number)
        kind = RelationKind.ROW if row else RelationKind.COLUMN
        reading = replace(head, relations=(*head.relations, Relation(kind, target)))
        holder = before[: line.start()].strip()
        return self._beside(reading, RelationKind.IN, holder, depth) if holder else reading

    def _placed(self, before: str, head: Reading, depth: int) -> Reading | None:
        """右上角的..., 对话框右上角的..."""
        for position, pattern in words.POSITIONS:
            found = pattern.search(before)
            if found is None:
                continue
            holder = before[: found.start()].strip()
            if not holder or words.VIEW.fullmatch(holder):
                return head.at(position)
            if words.INSIDE.search(found.group()):
                return self._beside(head.at(position), RelationKind.IN, words.IN_END.sub("", holder), depth)
        return None

    def _related(self, before: str, head: Reading, depth: int) -> Reading | None:
        """“取消”右边的..., 飞行模式那一行的..."""
        if words.NO_PLACES.search(before):
            return None
        for kind, pattern in words.RELATIONS:
            found = pattern.search(before)
            anchor = before[: found.start()].strip() if found else ""
            if words.VIEW.fullmatch(before):
                return head
            if not anchor:
                continue
            row = words.RELATIONS[0][1].search(anchor)
            if row is not None and anchor[: row.start()].strip():  # 飞行模式那一行右边的: in the row, and right of it
                anchor = anchor[: row.start()]
                head = self._beside(head, RelationKind.ROW, anchor, depth) or head
            return self._beside(head, kind, anchor, depth)
        return None

    def _beside(self, head: Reading, kind: RelationKind, anchor: str, depth: int) -> Reading | None:
        anchor = re.sub(r"\A(?:位于|处于|在)", "", anchor)
        reading = self.noun(anchor, depth + 1, anchor=True)
        if reading is None or not (reading.names_something or reading.relations):
            return None
        return replace(head.beside(kind, reading, self.spoken(anchor)), unknown=head.unknown or reading.unknown)

    def _without_of(self, source: str, depth: int) -> Reading | None:
        """底部输入框, 右上角✕, 第二行第三个按钮, 取消右边按钮: words of place that no 的 joins."""
        front = words.FRONT.match(source)
        if front is not None and (rest := source[front.end() :].strip()):
            reading = self._placed(front.group(), self.head(rest, free=False) or Reading(), depth)
            corner = front.group().endswith("角")
            shown = corner or not _IDEOGRAPH.match(rest) or source[front.end()].isspace()
            if reading is not None and (reading.role or (reading.text and shown)):
                return reading
        line = words.LINE.match(source)
        if line is not None and (rest := source[line.end() :].strip()):
            head = self.head(rest, free=True)
            return None if head is None else self._counted_line(line.group(), head, depth)
        role = _ROLE_END.search(source)
        if role is not None and _ROLES[role.group().lower()] not in _NOUNS_OF_LABELS:
            found = words.SIDES.search(source[: role.start()])
            if found is not None and source[: found.start()].strip():
                head = Reading(role=_ROLES[role.group().lower()], word=role.group())
                return self._related(source[: role.start()], head, depth)
        return None

    def head(self, source: str, *, free: bool, anchor: bool = False) -> Reading | None:
        """A name with its number and role. `free` says that words before it already make it a phrase."""
        reading = Reading()
        if (counted := words.ORDINAL.match(source)) is not None:
            rest = source[counted.end() :].strip()
            if counted["measure"] == "个" or free or _ROLE_END.fullmatch(rest) or (rest and _MARK.match(rest)):
                number = words.number_of(counted["number"]) if counted["number"] else -1 if counted["last"] else 1
                if number == 0:
                    return None
                reading = replace(reading, ordinal=-number if counted["back"] else number)
                source = rest.removeprefix(_OF)
                if not source:
                    return replace(reading, role="item") if free else None
                free = True
        looks = words.LOOKS.match(source)
        if looks is not None and _ROLE_END.fullmatch(source[looks.end() :]):
            look = looks.group().removesuffix(_OF)
            return replace(reading, role=_ROLES[source[looks.end() :].lower()], look=look).coloured(
                words.colour_of(look)
            )
        role, text = self._role(source, free=free, anchor=anchor)
        reading = replace(reading, role=role, word=None if text else source.strip())
        return self._named(text, reading) if text else (reading if role else None)

    def _role(self, source: str, *, free: bool, anchor: bool) -> tuple[str | None, str]:
        """The role that the last word names (of a quotation, the first too), and the rest."""
        found = _ROLE_END.search(source)
        if found is None:
            first = re.match(r"(\S+?)\s*(?=[\ue000-\ue0ff])", source)
            if first is not None and first.group(1).lower() in _ROLES:
                return _ROLES[first.group(1).lower()], source[first.end() :]
            return None, source
        role, rest = _ROLES[found.group().lower()], source[: found.start()].strip().removesuffix(_OF).strip()
        search = _SEARCH.search(found.group())
        if search is not None and not rest:
            return role, search.group()  # a search box says so
        weak = role in _NOUNS_OF_LABELS and not (anchor and role in _HOLDERS)
        if role in _NAMED_KINDS and rest and not words.DEEDS.match(rest):
            return role, rest
        if rest and weak and not _MARK.search(rest):
            return None, source
        if not rest and not (free or anchor) and weak:
            return None, source
        return role, rest

    def _named(self, marked: str, reading: Reading) -> Reading | None:
        """With these words as its text; None where words beside a quotation may say anything (除了“删除”以外)."""
        inside = _MARK.findall(marked)
        if not inside:
            return replace(reading, text=self.spoken(marked) or None)
        if len(inside) > 1:
            return None
        around = _MARK.sub("", marked).strip()
        saying = not around or words.SAYING.match(marked.strip()) is not None
        if not (saying or words.LOOKS.fullmatch(around) or around.lower() in _ROLES):
            return None
        named = replace(reading, text=self._quoted[inside[0]], quoted=True)
        if words.LOOKS.fullmatch(around):
            return named.coloured(words.colour_of(around))
        return replace(named, unknown=reading.unknown or not saying)
