"""
Count the hand-written rules of each room of src/handeye: named numbers, regular expressions, lines.

    python tools/count_rules.py [--baseline tools/rules_baseline.json] [--list ROOM] [--write FILE]

A room is a folder directly under the source; the files beside the rooms are the room `.`. Counted on the syntax tree:

- named numbers: module-level and class-level names in capitals (`_LEAST`, `GAP: Final`) whose value is written with at
  least one number: arithmetic, a tuple, list, set or dict, or a call with such arguments (`Box(0, 0, 1, 1)`). Texts,
  truth values and other names in capitals may appear beside the numbers (rows of a table); keys of a dict are ignored.
  A name counts once, however long its table. Members of an enumeration and `re.compile` do not count.
- bare numbers: numbers other than -1, 0, 1 and 2 in comparisons (also inside a sum, product or argument there, but not
  as an index), and as default values of parameters and of class fields in lower case.
- re.compile: its calls. re direct: calls of re.match, search, sub and so on; the pattern may be a literal or a name.
- lines: physical lines. code lines: lines with more than a comment; docstrings are code lines.

A baseline holds the counts of the whole source at an earlier commit.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).parents[1] / "src" / "handeye"
COLUMNS: Final = ("named numbers", "bare numbers", "re.compile", "re direct", "lines", "code lines")

_NAME: Final = re.compile(r"_*[A-Z][A-Z0-9_]*\Z")
_ORDINARY: Final = frozenset({0, 1, 2})
_DIRECT: Final = frozenset({"match", "search", "fullmatch", "sub", "subn", "findall", "finditer", "split"})


@dataclass
class Room:
    """The counts of one room, and its named numbers as `NAME = value`."""

    counts: Counter[str] = field(default_factory=Counter)
    numbers: list[str] = field(default_factory=list)


Rooms = dict[str, Room]


def survey(source: Path) -> Rooms:
    """Count every Python file below a folder, by room."""
    rooms: Rooms = {}
    for path in sorted(source.rglob("*.py")):
        relative = path.relative_to(source)
        name = relative.parts[0] if len(relative.parts) > 1 else "."
        _count_file(path.read_text(encoding="utf-8"), rooms.setdefault(name, Room()))
    return rooms


def _count_file(text: str, room: Room) -> None:
    tree = ast.parse(text)
    numbers = [f"{name} = {ast.unparse(value)}" for name, value in _constants(tree)]
    room.numbers += numbers
    room.counts["named numbers"] += len(numbers)
    for function in _regex_calls(tree):
        room.counts["re.compile" if function == "compile" else "re direct"] += 1
    room.counts["bare numbers"] += len(_bare_numbers(tree))
    room.counts["lines"] += len(text.splitlines())
    room.counts["code lines"] += len(_code_lines(text))


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


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names in capitals, outside functions, whose values are numbers."""
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


def _regex_calls(tree: ast.Module) -> Iterator[str]:
    """Yield the function of `re` that each use of a regular expression calls."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = _regex_name(node.func)
            if name is not None and (name == "compile" or name in _DIRECT):
                yield name


def _bare_numbers(tree: ast.Module) -> set[ast.AST]:
    """Return the numbers without a name in comparisons and defaults."""
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


def total(rooms: Rooms) -> Counter[str]:
    """Return the counts of the whole source."""
    return sum((room.counts for room in rooms.values()), Counter())


def table(rooms: Rooms, baseline: Mapping[str, int] | None = None) -> Iterator[str]:
    """Yield one line per room and the whole source; with a baseline, also its counts and what share of them is left."""
    yield f"{'room':<12}" + "".join(f"{column:>15}" for column in COLUMNS)
    counts = total(rooms)
    for name, row in [*((name, room.counts) for name, room in sorted(rooms.items())), ("all", counts)]:
        yield f"{name:<12}" + "".join(f"{row[column]:>15}" for column in COLUMNS)
    if baseline is not None:
        yield f"{'baseline':<12}" + "".join(f"{baseline[column]:>15}" for column in COLUMNS)
        yield f"{'left':<12}" + "".join(f"{counts[column] / baseline[column]:>15.0%}" for column in COLUMNS)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Count named numbers, regular expressions and lines by room.")
    parser.add_argument(
        "--source", type=Path, default=SOURCE, help="the folder whose folders are the rooms (default: %(default)s)"
    )
    parser.add_argument("--baseline", type=Path, metavar="FILE", help="compare with these counts")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the counts of the whole source as a baseline")
    parser.add_argument("--list", metavar="ROOM", help="print the named numbers of one room")
    options = parser.parse_args(arguments)
    rooms = survey(options.source)
    if options.list and options.list not in rooms:
        parser.error(f"no room {options.list!r} in {options.source}; there are {', '.join(sorted(rooms))}")
    if options.write:
        counts = total(rooms)
        document = json.dumps({column: counts[column] for column in COLUMNS}, indent=2)
        options.write.write_text(document + "\n", encoding="utf-8")
    if options.list:
        print("\n".join(sorted(rooms[options.list].numbers)))
    else:
        baseline = json.loads(options.baseline.read_text(encoding="utf-8")) if options.baseline else None
        print("\n".join(table(rooms, baseline)))


if __name__ == "__main__":
    main()
