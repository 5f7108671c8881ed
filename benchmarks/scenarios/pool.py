"""Run cells in parallel, each in a process that may hang or die without taking the others with it."""

from __future__ import annotations

import multiprocessing
import os
import queue
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Final

from handeye.testing.adb import PrivateAdbServer
from scenarios.cell import Cell, disturbance_named, run_cell, task_named
from scenarios.referee import Verdict

_START_S: Final = 60.0
"""A process loads Python, OpenCV and ONNX Runtime first; on a busy machine that took 8 s."""

_LOOK_S: Final = 0.2
"""Seconds between two checks for a stop."""


@dataclass(frozen=True, slots=True)
class Job:
    """One cell to run. `poor_model` is the seed of the model that is asked, None for none; `folder` is for the run's report."""

    task: str
    disturbance: str
    folder: Path
    poor_model: int | None = None


def run_all(jobs: Iterable[Job], tell: Callable[[Cell], None], *, beside: int, deadline_s: float) -> None:
    """
    Run `beside` jobs at a time, each for at most `deadline_s`; `tell` is called with each cell, from one thread at a
    time.

    KeyboardInterrupt ends the runs under way, which are not reported, and their processes.
    """
    waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
    for job in jobs:
        waiting.put(job)
    lock, stopped = threading.Lock(), threading.Event()

    def work() -> None:
        with PrivateAdbServer() as adb, _Worker(adb.port, stopped) as worker:
            while not stopped.is_set():
                try:
                    job = waiting.get_nowait()
                except queue.Empty:
                    return
                cell = worker.run(job, deadline_s)
                if cell is not None:
                    with lock:
                        tell(cell)

    threads = [threading.Thread(target=work, name=f"lane-{number}") for number in range(beside)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        stopped.set()
        raise


class _Worker:
    """A process that runs one job after the other; a new one takes the place of one that hung or died."""

    def __init__(self, adb_port: int, stopped: threading.Event) -> None:
        self._adb_port = adb_port
        self._stopped = stopped
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def run(self, job: Job, deadline_s: float) -> Cell | None:
        """Run the job and return its cell; None if all was stopped meanwhile."""
        line = self._line or self._start()
        deadline = time.monotonic() + deadline_s
        try:
            line.send(job)
            while time.monotonic() < deadline:
                if line.poll(_LOOK_S):
                    answer = line.recv()
                    assert isinstance(answer, Cell)
                    return answer
                if self._stopped.is_set():
                    return None
            self._end()
            return _without_end(job, Verdict.HUNG, f"no end after {deadline_s:g} s")
        except (EOFError, OSError) as error:
            code = self._process.exitcode if self._process is not None else None
            self._end()
            return _without_end(job, Verdict.CRASHED, f"the process died with {code}: {error!r}")

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self._adb_port), daemon=True)
        self._process.start()
        theirs.close()
        if not self._line.poll(_START_S):
            self._end()
            raise TimeoutError(f"a worker did not start within {_START_S:g} s")
        self._line.recv()
        return self._line

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._line is not None:
            self._line.close()
        self._process = self._line = None


def _work(line: Connection, adb_port: int) -> None:
    """Run each job received and send its cell. An error in our own code ends the process and is reported as a crash."""
    os.environ["ANDROID_ADB_SERVER_PORT"] = str(adb_port)
    line.send("ready")
    while True:
        try:
            job = line.recv()
        except EOFError:
            return
        line.send(_run(job))


def _run(job: Job) -> Cell:
    task, disturbance = task_named(job.task), disturbance_named(job.disturbance)
    return run_cell(task, disturbance, job.folder, poor_model=job.poor_model)


def _without_end(job: Job, verdict: Verdict, error: str) -> Cell:
    solvable = disturbance_named(job.disturbance).allows(task_named(job.task))
    return Cell(job.task, job.disturbance, solvable, verdict.value, error=error, folder=job.folder.name)
