"""
Matching patterns that come from the host.

Python's `re` may take for ever on some (`(a+)+$`), and holds up every thread of its process meanwhile. So those that repeat
something are matched in a process of their own, which is ended after PATTERN_SECONDS.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import sys
from typing import Final

PATTERN_SECONDS: Final = 5.0

Spans = list[tuple[int, int]]

_REPEATS: Final = re.compile(r"[*+?{]")
_MATCH: Final = """\
import json, re, sys
source, flags, lines = json.load(sys.stdin)
pattern = re.compile(source, flags)
json.dump([[match.span() for match in pattern.finditer(line)] for line in lines], sys.stdout)
"""


async def find_all(pattern: re.Pattern[str], lines: list[str]) -> list[Spans]:
    """For each line, where the pattern matches: begin and end of each match. Raises TimeoutError."""
    if not _REPEATS.search(pattern.pattern):
        return [[match.span() for match in pattern.finditer(line)] for line in lines]
    asked = json.dumps([pattern.pattern, int(pattern.flags), lines]).encode()
    matching = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-S", "-c", _MATCH, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(PATTERN_SECONDS):
            answer, _ = await matching.communicate(asked)
    finally:
        with contextlib.suppress(ProcessLookupError):
            matching.kill()
    return [[(begin, end) for begin, end in spans] for spans in json.loads(answer)]
