"""
Matching patterns that come from the host.

Python's `re` may take exponential time on some (`(a+)+$`) and blocks every thread of its process meanwhile. So all but plain
text is matched in a separate process, which is ended after PATTERN_SECONDS.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import re
import sys
from typing import Final

PATTERN_SECONDS: Final = 5.0

Spans = list[tuple[int, int]]

_NOT_PLAIN: Final = re.compile(r"[][*+?{}|().^$\\]")
_MATCH: Final = """\
import json, re, sys
source, flags, lines = json.load(sys.stdin)
pattern = re.compile(source, flags)
json.dump([[match.span() for match in pattern.finditer(line)] for line in lines], sys.stdout)
"""


async def find_all(pattern: re.Pattern[str], lines: list[str]) -> list[Spans]:
    """
    Return, for each line, the begin and end of each match of the pattern. Raises TimeoutError, and OSError where the process
    cannot be started or has answered nothing.
    """
    if not _NOT_PLAIN.search(pattern.pattern):
        return await asyncio.to_thread(lambda: [[match.span() for match in pattern.finditer(line)] for line in lines])
    asked = json.dumps([pattern.pattern, int(pattern.flags), lines]).encode()
    matching = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        "-S",
        "-c",
        _MATCH,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(PATTERN_SECONDS):
            answer, _ = await matching.communicate(asked)
    finally:
        with contextlib.suppress(ProcessLookupError):
            matching.kill()
        await matching.wait()
    if matching.returncode:
        raise OSError(errno.ECHILD, f"the matching ended with {matching.returncode}")
    return [[(begin, end) for begin, end in spans] for spans in json.loads(answer)]
