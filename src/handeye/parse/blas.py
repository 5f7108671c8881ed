"""Small matrix products on one core: OpenBLAS's other threads spin a tenth of a second after each, in case there is another."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

from threadpoolctl import ThreadpoolController

_ONE_AT_A_TIME: Final = threading.RLock()


@contextmanager
def on_one_core() -> Iterator[None]:
    """
    Lets numpy multiply matrices on one core within.

    The products here take a few milliseconds, and spinning threads take the cores from what comes next: the networks, and
    whatever else the computer does. Some versions of OpenBLAS keep the number of threads for the whole process: so one thread
    at a time is inside, lest one gives back what another one has set.
    """
    with _ONE_AT_A_TIME, _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    """What libraries of numpy's kind are loaded: found once, a few milliseconds."""
    return ThreadpoolController()
