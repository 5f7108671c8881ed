"""The phone as its shell accesses it: screen model, files, picture encodings."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from PIL import Image

from handeye_phone.drawing.frames import Frames
from handeye_phone.model import DARK_SIZE, PhoneModel
from handeye_phone.scenario import Scenario
from handeye_phone.shell.commands import COMMANDS, PROGRAM_FILES
from handeye_phone.shell.files import FileSystem
from handeye_phone.shell.interpreter import Shell

T = TypeVar("T")

LOG_LINES = 10_000  # command lines remembered for tests
FIRST_PID = 4000


class ShellDevice:
    """Phone state used on the daemon's event loop; only `log` may be read from other threads."""

    def __init__(self, model: PhoneModel, executor: ThreadPoolExecutor) -> None:
        self.model = model
        self.files = FileSystem()
        self.frames = Frames(model.captured, executor)
        self._executor = executor
        self._other_frames: dict[PhoneModel | None, Frames] = {None: Frames(_dark, executor)}
        self.log: deque[str] = deque(maxlen=LOG_LINES)
        self.started = time.monotonic()
        self.on_link_drop: Callable[[float], None] = lambda seconds: None
        self.touch_turn = asyncio.Lock()  # one finger: gestures of parallel commands follow each other
        self.shell_pid = FIRST_PID
        self._random = random.Random(model.scenario.seed)
        self._commands_left = model.scenario.drop_after
        self._drop_armed = model.scenario.drop_link_s > 0
        for name in PROGRAM_FILES:
            self.files.install_program(name)

    @property
    def scenario(self) -> Scenario:
        return self.model.scenario

    def set_scenario(self, scenario: Scenario) -> None:
        """Switch the scenario and restart the command count of its link drop."""
        self.model.set_scenario(scenario)
        self._random = random.Random(scenario.seed)
        self._commands_left = scenario.drop_after
        self._drop_armed = scenario.drop_link_s > 0

    def frames_of(self, panel: PhoneModel | None) -> Frames:
        """Return the encodings of a panel's picture."""
        if panel is self.model:
            return self.frames
        if panel not in self._other_frames:
            assert panel is not None
            self._other_frames[panel] = Frames(panel.captured, self._executor)
        return self._other_frames[panel]

    def new_shell(self) -> Shell:
        """Return a new login shell."""
        self.shell_pid += 1
        return Shell(self, COMMANDS)

    def received(self, line: str) -> None:
        """Record a command line, and drop the link if the scenario's command count is reached."""
        self.log.append(line)
        if not self._drop_armed:
            return
        self._commands_left -= 1
        if self._commands_left < 0:
            self._drop_armed = False
            self.on_link_drop(self.scenario.drop_link_s)

    async def in_background(self, work: Callable[[], T]) -> T:
        """Run a computation on another thread, so that the phone keeps answering."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)

    async def capture_delay(self) -> None:
        """Wait the scenario's extra time of a screen capture."""
        low, high = self.scenario.capture_ms
        if high > 0:
            await asyncio.sleep(self._random.uniform(low, high) / 1000)

    async def tap_delay(self) -> None:
        """Wait the scenario's extra time of an input command."""
        if self.scenario.tap_ms > 0:
            await asyncio.sleep(self.scenario.tap_ms / 1000)


def _dark() -> Image.Image:
    """Picture of a panel that is off."""
    return Image.new("RGBA", DARK_SIZE, "#000000")
