"""JSON Schemas of the files of a module, with which editors complete and check them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from handeye.apps.params_schema import PARAMS, Params
from handeye.apps.schema import Aliases, IndexFile, ModuleConfig, TasksFile
from handeye.apps.strict import Schema, has_value, rule, value_matches
from handeye.files import write_text
from handeye.plan import ActionName

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
FOLDER: Final = Path(__file__).parent / "schemas"
"""Folder of the schemas that ship: `handeye apps schema src/handeye/apps/schemas` updates them."""

FILES: Final[Mapping[str, type[BaseModel]]] = MappingProxyType(
    {"config": ModuleConfig, "tasks": TasksFile, "aliases": Aliases, "index": IndexFile}
)


def file_name(kind: str) -> str:
    """Return the name of the schema's file for one of FILES."""
    return f"{kind}.schema.json"


def schema_of(kind: str) -> dict[str, Any]:
    """
    Return the schema of one of FILES. It refuses every form that the loader refuses, except what JSON Schema cannot express.
    """
    schema = {"$schema": DIALECT, **_generated(FILES[kind])}
    if kind == "tasks":
        definitions = schema["$defs"]
        definitions |= {_name(action): _params(action) for action in ActionName}
        definitions["StepFile"]["allOf"] += map(_params_rule, ActionName)
        tried = definitions["FallbackFile"]["properties"]["action"]["enum"]
        definitions["FallbackFile"]["allOf"] += map(_params_rule, map(ActionName, tried))
    if kind == "index":
        schema["properties"]["$schema"] = {"description": "this schema's address, for editors"}
    return schema


def write_schemas(folder: Path) -> list[Path]:
    """Write all schemas into `folder`; return their paths. Raises WriteFailed."""
    written = []
    for kind in FILES:
        text = json.dumps(schema_of(kind), ensure_ascii=False, indent=2) + "\n"
        written.append(write_text(folder / file_name(kind), text))
    return written


class _Readable(GenerateJsonSchema):
    """pydantic's generator, without titles that only repeat a key, and with the form of names in mappings enforced."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def dict_schema(self, schema: core_schema.DictSchema) -> Schema:
        """Return the schema of a mapping; pydantic's accepts names of another form, with any value."""
        written = super().dict_schema(schema)
        by_name = written.pop("patternProperties", None)
        if by_name is not None:
            ((pattern, values),) = by_name.items()
            written |= {"propertyNames": {"pattern": pattern}, "additionalProperties": values}
        return written

    def encode_default(self, dft: Any) -> Any:
        return int(dft) if isinstance(dft, int) and type(dft) is not bool else super().encode_default(dft)


def _generated(model: type[BaseModel]) -> Schema:
    return model.model_json_schema(schema_generator=_Readable, ref_template="#/$defs/{model}")


def _name(action: ActionName) -> str:
    return f"params_of_{action.value}"


def _params(action: ActionName) -> Schema:
    """Return the schema of an action's `params`."""
    params = _generated(PARAMS[action])
    return {key: value for key, value in params.items() if key != "title"}


def _params_rule(action: ActionName) -> Schema:
    """Return a rule: a step with this action has the action's `params`."""
    needed = {"required": ["params"]} if _is_required(PARAMS[action]) else {}
    return rule(
        has_value("action", action.value), {**needed, **value_matches("params", {"$ref": f"#/$defs/{_name(action)}"})}
    )


def _is_required(params: type[Params]) -> bool:
    """Return True if an action's `params` are required."""
    try:
        params.model_validate({})
    except ValidationError:
        return True
    return False
