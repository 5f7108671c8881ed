"""Open ONNX models, and list the errors of the engine. Imports onnxruntime only when called."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Final

from handeye.errors import LocateError, MissingPart, OcrFailed

INSTALL: Final = "pip install onnxruntime"
_FATAL: Final = 4


def engine_errors() -> tuple[type[Exception], ...]:
    """
    Return the exceptions that a session may raise: the engine's share no base class. Raises MissingPart without
    onnxruntime.
    """
    try:
        native = importlib.import_module("onnxruntime.capi.onnxruntime_pybind11_state")
    except ImportError as error:
        raise MissingPart("onnxruntime", INSTALL) from error
    kinds = (value for value in vars(native).values() if isinstance(value, type) and issubclass(value, Exception))
    return (*kinds, MemoryError)


def open_session(path: Path, threads: int = 1, *, failure: type[LocateError] = OcrFailed) -> Any:
    """Return an inference session on the CPU. Raises `failure` for a file that is not a usable model."""
    errors = engine_errors()
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # Windows only; `handeye/__init__.py` turns it off on Linux
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _FATAL  # its warnings concern graph optimisation
    # Spinning threads would use a full core between two reads.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Processors with AVX2 but without VNNI add 8-bit products in 16 bits, which overflows: the detector's outputs were
    # off by 1.1 on average, and circles became check boxes. Only there, this option uses unsigned weights, which doubles
    # the time.
    options.add_session_config_entry("session.x64quantprecision", "1")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except errors as error:
        raise failure(f"the model {str(path)!r} cannot be loaded: {error}; reinstall handeye") from error


def metadata(path: Path, key: str) -> str:
    """Return a text from a model's metadata. Raises OcrFailed if it has none under `key`."""
    text = open_session(path).get_modelmeta().custom_metadata_map.get(key)
    if not text:
        raise OcrFailed(f"the model {str(path)!r} carries no {key!r}; reinstall the package it comes from")
    return str(text)
