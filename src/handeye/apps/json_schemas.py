"""JSON Schemas of the files of a module, so that editors complete and check them while they are written."""

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
from handeye.apps.shape import Schema, is_, rule, says
from handeye.files import write_text
from handeye.plan import ActionName

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
    """The schema of one of FILES. It refuses every form that the loader refuses, but for what no schema can say."""
    schema = {"$schema": DIALECT, **_generated(FILES[kind])}
    if kind == "tasks":
        definitions = schema["$defs"]
        definitions |= {_name(action): _params(action) for action in ActionName}
        definitions["StepFile"]["allOf"] += map(_takes, ActionName)
        tried = definitions["FallbackFile"]["properties"]["action"]["enum"]
        definitions["FallbackFile"]["allOf"] += map(_takes, map(ActionName, tried))
    if kind == "index":
        schema["properties"]["$schema"] = {"description": "this schema's address, for editors"}
    return schema


def write_schemas(folder: Path) -> list[Path]:
    """Write all of them into `folder`; returns their paths. Raises WriteFailed."""
    written = []
    for kind in FILES:
        text = json.dumps(schema_of(kind), ensure_ascii=False, indent=2) + "\n"
        written.append(write_text(folder / file_name(kind), text))
    return written


class _Readable(GenerateJsonSchema):
    """As pydantic writes schemas, but without titles that only repeat a key, and with names in mappings held to their form."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def dict_schema(self, schema: core_schema.DictSchema) -> Schema:
        """pydantic lets names through that do not fit, and any value under them."""
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
    """Which `params` an action takes."""
    params = _generated(PARAMS[action])
    return {key: value for key, value in params.items() if key != "title"}


def _takes(action: ActionName) -> Schema:
    """That a step with this action has its `params`."""
    needed = {"required": ["params"]} if _is_needed(PARAMS[action]) else {}
    return rule(says("action", action.value), {**needed, **is_("params", {"$ref": f"#/$defs/{_name(action)}"})})


def _is_needed(params: type[Params]) -> bool:
    """Whether an action says too little without them."""
    try:
        params.model_validate({})
    except ValidationError:
        return True
    return False
