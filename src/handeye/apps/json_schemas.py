"""JSON Schemas of the files of a module, so that editors complete and check them while they are written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from pydantic import BaseModel

from handeye.apps.schema import Aliases, IndexFile, ModuleConfig, TasksFile
from handeye.apps.step_schema import PARAMS
from handeye.files import write_text

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
FOLDER: Final = Path(__file__).parent / "schemas"
"""Where the schemas are shipped: `handeye apps schema src/handeye/apps/schemas` brings them up to date."""

FILES: Final[Mapping[str, type[BaseModel]]] = MappingProxyType(
    {"config": ModuleConfig, "tasks": TasksFile, "aliases": Aliases, "index": IndexFile}
)


def file_name(kind: str) -> str:
    """The schema's file for one of FILES."""
    return f"{kind}.schema.json"


def schema_of(kind: str) -> dict[str, Any]:
    """The schema of one of FILES."""
    schema = {"$schema": DIALECT, **FILES[kind].model_json_schema()}
    if kind == "tasks":
        definitions = schema["$defs"]
        definitions["StepFile"]["allOf"] = _params_by_action(definitions)
        definitions["StepFile"]["oneOf"] = [{"required": ["action"]}, {"required": ["use"]}]
    if kind == "index":
        schema["properties"]["$schema"] = {"type": "string"}
    return schema


def write_schemas(folder: Path) -> list[Path]:
    """Write all of them into `folder`; returns their paths. Raises WriteFailed."""
    written = []
    for kind in FILES:
        text = json.dumps(schema_of(kind), ensure_ascii=False, indent=2) + "\n"
        written.append(write_text(folder / file_name(kind), text))
    return written


def _params_by_action(definitions: dict[str, Any]) -> list[dict[str, Any]]:
    """Which `params` an action takes: one rule for each, told apart by the action's name."""
    rules = []
    for action, model in PARAMS.items():
        params = model.model_json_schema(ref_template="#/$defs/{model}")
        definitions.update(params.pop("$defs", {}))
        needed = ["params"] if params.get("required") else []
        rules.append(
            {
                "if": {"properties": {"action": {"const": action.value}}, "required": ["action"]},
                "then": {"properties": {"params": params}, "required": needed},
            }
        )
    return rules
