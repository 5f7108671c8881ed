"""
Count the hand-written rules in each room of src/handeye: named numbers, regular expressions, lines.

    python tools/count_rules.py [--baseline tools/rules_baseline.json] [--list ROOM] [--write FILE]

A room is a folder directly under the source; files beside the rooms are the room `.`. Counted on the syntax tree:

- named numbers: module-level and class-level names in capitals (`_LEAST`, `GAP: Final`) whose value is written with at
  least one number: arithmetic, a tuple, list, set or dict, or a call with such arguments (`Box(0, 0, 1, 1)`). Texts,
  truth values and other names in capitals may stand beside the numbers (rows of a table); keys of a dict are ignored.
  A name counts once, however long its table. Members of an enumeration and `re.compile` do not count.
- bare numbers: numbers other than -1, 0, 1 and 2 in comparisons (also inside a sum, product or argument there, but not
  as an index), and as default values of parameters and of class fields in lower case.
- re.compile: its calls. re direct: calls of re.match, search, sub and so on; the pattern may be a literal or a name.
- lines: physical lines. code lines: lines with more than a comment; docstrings are code lines.

With a baseline, what left a room of the goal and is new in another room is *moved*: it counts in the room that it came
from. Named numbers are recognised by name, patterns by their text, and functions of at least 40 syntax nodes by the
structure of their body, whatever its names.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import tokenize
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

SOURCE: Final = Path(__file__).parents[1] / "src" / "handeye"
PICTURES: Final = "locate (pictures)"
"""The part of locate/ that is no part of the goal: searching for a reference picture, and proving that it is the one found."""

PICTURE_MATCHING: Final = frozenset(
    # The template strategy and the files that ARCHITECTURE.md lists with it, `stored` (where that search looks first)
    # and `patch` (pictures of remembered places, by the same correlation). Add a new file of this kind here. `face`
    # and `round_signs` also look at pixels, but they serve reading text and belong to the goal.
    f"locate/{name}.py"
    for name in (
        "alignment",
        "colour_places",
        "correlation",
        "details",
        "evidence",
        "keypoints",
        "marks",
        "patch",
        "place",
        "picture_words",
        "pyramid",
        "reference",
        "stored",
        "strokes",
        "sweep",
        "template",
    )
)
GOAL_ROOMS: Final = ("target", "desktop", "locate")
COLUMNS: Final = ("named numbers", "bare numbers", "re.compile", "re direct", "lines", "code lines")
GOALS: Final = {"named numbers": 1 / 5, "re.compile": 1 / 4, "lines": 2 / 3, "code lines": 2 / 3}
"""Which share of the baseline may be left in the rooms of the goal together."""

_NAME: Final = re.compile(r"_*[A-Z][A-Z0-9_]*\Z")
_ORDINARY: Final = frozenset({0, 1, 2})
_DIRECT: Final = frozenset({"match", "search", "fullmatch", "sub", "subn", "findall", "finditer", "split"})
_LEAST_NODES: Final = 40
_LONGEST_TEXT: Final = 40
_SEPARATOR: Final = " = "


@dataclass
class Room:
    """The counts of a room, and what can be recognised when it moves: each as `key = details`."""

    counts: Counter[str] = field(default_factory=Counter)
    numbers: Counter[str] = field(default_factory=Counter)
    patterns: Counter[str] = field(default_factory=Counter)
    bodies: Counter[str] = field(default_factory=Counter)


Rooms = dict[str, Room]


class Move(NamedTuple):
    """An item of a baseline that is now in another room."""

    origin: str
    room: str
    was: str
    now: str


def survey(source: Path) -> Rooms:
    """Count every Python file below a folder, by room."""
    rooms: Rooms = {}
    for path in sorted(source.rglob("*.py")):
        relative = path.relative_to(source).as_posix()
        name = relative.partition("/")[0] if "/" in relative else "."
        room = rooms.setdefault(PICTURES if relative in PICTURE_MATCHING else name, Room())
        _count_file(path.read_text(encoding="utf-8"), room)
    return rooms


def _count_file(text: str, room: Room) -> None:
    tree = ast.parse(text)
    code = _code_lines(text)
    for name, value in _constants(tree):
        room.numbers[f"{name}{_SEPARATOR}{_short(ast.unparse(value))}"] += 1
    for function, pattern in _regex_calls(tree):
        column = "re.compile" if function == "compile" else "re direct"
        room.counts[column] += 1
        room.patterns[f"{zlib.crc32(pattern.encode()):08x}{_SEPARATOR}{column}"] += 1
    for body in _functions(tree):
        if (shape := _shape(body)) is not None:
            span = range(body.lineno, (body.end_lineno or body.lineno) + 1)
            room.bodies[f"{shape}{_SEPARATOR}{len(span)} {len(code.intersection(span))}"] += 1
    room.counts["named numbers"] = room.numbers.total()
    room.counts["bare numbers"] += len(_bare_numbers(tree))
    room.counts["lines"] += len(text.splitlines())
    room.counts["code lines"] += len(code)


def _code_lines(text: str) -> set[int]:
    blank = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    lines = text.splitlines()
    return {
        number
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in blank
        for number in range(token.start[0], token.end[0] + 1)
        if lines[number - 1].strip()
    }


def _short(text: str) -> str:
    if len(text) <= _LONGEST_TEXT:
        return text
    return f"{text[: _LONGEST_TEXT - 10]}… {zlib.crc32(text.encode()):08x}"


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Names in capitals, outside functions, that stand for numbers."""
    for statement in _outside_functions(tree.body):
        if isinstance(statement, ast.Assign):
            pairs = [pair for target in statement.targets for pair in _assigned(target, statement.value)]
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            pairs = [*_assigned(statement.target, statement.value)]
        else:
            continue
        yield from ((name, value) for name, value in pairs if _NAME.match(name) and _is_numeric(value))


def _outside_functions(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if isinstance(statement, ast.ClassDef):
            if not any(ast.unparse(base).rpartition(".")[2].endswith(("Enum", "Flag")) for base in statement.bases):
                yield from _outside_functions(statement.body)
        elif isinstance(statement, (ast.If, ast.Try, ast.With)):
            inner = [child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.stmt)]
            handlers = statement.handlers if isinstance(statement, ast.Try) else []
            yield from _outside_functions([*inner, *(child for handler in handlers for child in handler.body)])


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for name, part in zip(target.elts, value.elts, strict=True):
            yield from _assigned(name, part)


def _is_numeric(value: ast.expr) -> bool:
    leaves = _leaves(value)
    return leaves is not None and any(_is_number(leaf) for leaf in leaves)


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)


def _leaves(value: ast.expr) -> list[ast.expr] | None:
    """The constants and names of an expression of numbers, or None where something else is in it."""
    parts: list[ast.expr]
    match value:
        case ast.Constant():
            return [value]
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return [value] if _NAME.match(name) or name in {"pi", "inf"} else None
        case ast.UnaryOp(operand=operand):
            parts = [operand]
        case ast.BinOp(left=left, right=right):
            parts = [left, right]
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            pass
        case ast.Dict(values=parts):
            pass
        case ast.Call(func=function, args=arguments, keywords=keywords) if _regex_name(function) != "compile":
            parts = [*arguments, *(keyword.value for keyword in keywords)]
        case ast.Starred(value=inner):
            parts = [inner]
        case _:
            return None
    leaves: list[ast.expr] = []
    for part in parts:
        if (inside := _leaves(part)) is None:
            return None
        leaves += inside
    return leaves


def _regex_name(function: ast.expr) -> str | None:
    if (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id in {"re", "regex"}
    ):
        return function.attr
    return None


def _regex_calls(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(function, pattern as it is written) of each use of a regular expression."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = _regex_name(node.func)
            pattern = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "pattern"), None)
            if pattern is not None and name is not None and (name == "compile" or name in _DIRECT):
                yield name, ast.unparse(pattern)


def _bare_numbers(tree: ast.Module) -> set[ast.AST]:
    """Numbers without a name that decide something: in comparisons, and as defaults."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            found.update(*(_literals(operand) for operand in (node.left, *node.comparators)))
        elif isinstance(node, ast.arguments):
            found.update(
                *(_literals(default) for default in (*node.defaults, *node.kw_defaults) if default is not None)
            )
        elif isinstance(node, ast.ClassDef):
            for line in node.body:
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and line.value is not None:
                    found.update(() if _NAME.match(line.target.id) else _literals(line.value))
    return found


def _literals(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Constant) and _is_number(node) and node.value not in _ORDINARY:
        yield node
    for child in [node.value] if isinstance(node, ast.Subscript) else ast.iter_child_nodes(node):
        yield from _literals(child)


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for statement in _outside_functions(tree.body):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield statement


def _shape(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str | None:
    """A checksum of a function without names, texts and annotations; None where it is too small to be recognised."""
    kept = function.body[1:] if ast.get_docstring(function) is not None else function.body
    parts = [
        str(node.value) if isinstance(node, ast.Constant) and _is_number(node) else type(node).__name__
        for statement in kept
        for node in ast.walk(statement)
        if not isinstance(node, ast.expr_context)
    ]
    return f"{zlib.crc32(' '.join(parts).encode()):08x}" if len(parts) >= _LEAST_NODES else None


def write_baseline(rooms: Rooms, path: Path) -> None:
    """Write the counts, the items of the goal's rooms, and those of other rooms that could be mistaken for moved ones."""
    document: dict[str, dict[str, dict[str, int]]] = {
        "counts": {name: {column: room.counts[column] for column in COLUMNS} for name, room in sorted(rooms.items())}
    }
    for kind in ("numbers", "patterns", "bodies"):
        keys = {_key(item) for name in GOAL_ROOMS if name in rooms for item in getattr(rooms[name], kind)}
        document[kind] = {
            f"{name}/{item}": count
            for name, room in sorted(rooms.items())
            for item, count in sorted(getattr(room, kind).items())
            if _key(item) in keys
        }
    path.write_text(json.dumps(document, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def read_baseline(path: Path) -> Rooms:
    document = json.loads(path.read_text(encoding="utf-8"))
    rooms = {name: Room(counts=Counter(counts)) for name, counts in document["counts"].items()}
    for kind in ("numbers", "patterns", "bodies"):
        for name_and_item, count in document[kind].items():
            name, _, item = name_and_item.partition("/")
            getattr(rooms[name], kind)[item] = count
    return rooms


def _key(item: str) -> str:
    return item.partition(_SEPARATOR)[0]


def _details(item: str) -> str:
    return item.partition(_SEPARATOR)[2]


def moves(before: Mapping[str, Counter[str]], now: Mapping[str, Counter[str]]) -> list[Move]:
    """What left a room of the goal and is new in another: the same with its value first, then the same name alone."""
    none: Counter[str] = Counter()
    new = {name: now[name] - before.get(name, none) for name in sorted(now)}
    gone = {name: before.get(name, none) - now.get(name, none) for name in GOAL_ROOMS}
    for name in GOAL_ROOMS:  # changed where it was
        for item in list(gone[name].elements()):
            if (same := _same_key(item, new.get(name, none))) is not None:
                gone[name][item] -= 1
                new[name][same] -= 1
    found: list[Move] = []
    for exactly in (True, False):
        for origin in GOAL_ROOMS:
            for item in list(gone[origin].elements()):
                for room, items in new.items():
                    same = (item if items[item] > 0 else None) if exactly else _same_key(item, items)
                    if room != origin and same is not None:
                        gone[origin][item] -= 1
                        items[same] -= 1
                        found.append(Move(origin, room, item, same))
                        break
    return found


def _same_key(item: str, items: Counter[str]) -> str | None:
    return next((other for other, count in items.items() if count > 0 and _key(other) == _key(item)), None)


def _moved(before: Rooms, now: Rooms) -> tuple[dict[str, Counter[str]], list[Move]]:
    """The change of each room's counts when what was moved counts where it came from; and the moved named numbers."""
    change: dict[str, Counter[str]] = {name: Counter() for name in {*before, *now}}

    def moved(kind: str) -> list[Move]:
        return moves(*({name: getattr(room, kind) for name, room in rooms.items()} for rooms in (before, now)))

    numbers = moved("numbers")
    for move in numbers:
        change[move.origin]["named numbers"] += 1
        change[move.room]["named numbers"] -= 1
    for move in moved("patterns"):
        change[move.origin][_details(move.was)] += 1
        change[move.room][_details(move.now)] -= 1
    for move in moved("bodies"):
        for column, amount in zip(("lines", "code lines"), map(int, _details(move.now).split()), strict=True):
            change[move.origin][column] += amount
            change[move.room][column] -= amount
    return change, numbers


def table(rooms: Rooms) -> Iterator[str]:
    """One line per room, the sum of the goal's rooms, and the whole source."""
    yield f"{'room':<20}" + "".join(f"{column:>15}" for column in COLUMNS)
    sums = {"goal": _sum(rooms, GOAL_ROOMS), "all": _sum(rooms, tuple(rooms))}
    for name, counts in [*((name, room.counts) for name, room in sorted(rooms.items())), *sums.items()]:
        yield f"{name:<20}" + "".join(f"{counts[column]:>15}" for column in COLUMNS)


def _sum(rooms: Rooms, names: tuple[str, ...]) -> Counter[str]:
    return sum((rooms[name].counts for name in names if name in rooms), Counter())


def comparison(before: Rooms, now: Rooms) -> Iterator[str]:
    """Before, now and change of each count: the goal's rooms, their sum, the whole source; then the moved numbers."""
    change, numbers = _moved(before, now)
    yield f"{'room':<10}{'':<15}{'before':>8}{'now':>8}{'moved':>8}{'counts':>8}{'change':>9}  goal"
    for name in (*GOAL_ROOMS, "goal"):
        names = GOAL_ROOMS if name == "goal" else (name,)
        moved = {column: sum(change[each][column] for each in names if each in change) for column in COLUMNS}
        yield from _rows(name, _sum(before, names), _sum(now, names), moved)
    yield from _rows("all", _sum(before, tuple(before)), _sum(now, tuple(now)), Counter[str]())
    yield from (f"moved: {move.was} ({move.origin} -> {move.room}: {_details(move.now)})" for move in numbers)


def _rows(name: str, before: Counter[str], now: Counter[str], moved: Mapping[str, int]) -> Iterator[str]:
    for column in COLUMNS:
        was, counts = before[column], now[column] + moved[column]
        share = f"{100 * (counts - was) / was:+.1f} %" if was else ""
        row = f"{name:<10}{column:<15}{was:>8}{now[column]:>8}{moved[column]:>+8}{counts:>8}{share:>9}"
        if name == "goal" and column in GOALS:
            most = int(was * GOALS[column])
            row += f"  at most {most}: " + ("reached" if counts <= most else f"{counts - most} too many")
        yield row.rstrip()


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Count named numbers, regular expressions and lines by room.")
    parser.add_argument(
        "--source", type=Path, default=SOURCE, help="the folder whose folders are the rooms (default: %(default)s)"
    )
    parser.add_argument("--baseline", type=Path, metavar="FILE", help="compare with these counts")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the counts as a baseline")
    parser.add_argument("--list", metavar="ROOM", help="print the named numbers of one room")
    options = parser.parse_args(arguments)
    rooms = survey(options.source)
    if options.list and options.list not in rooms:
        parser.error(f"no room {options.list!r} in {options.source}; there are {', '.join(sorted(rooms))}")
    if options.write:
        write_baseline(rooms, options.write)
    if options.list:
        lines = iter(sorted(rooms[options.list].numbers.elements()))
    elif options.baseline:
        lines = comparison(read_baseline(options.baseline), rooms)
    else:
        lines = table(rooms)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
