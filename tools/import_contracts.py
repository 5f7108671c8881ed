"""
An import-linter contract: a room is used through its face.

A room is a package directly under a root package (`handeye.locate`). Modules outside the room may import the room itself,
whose `__init__.pyi` lists the names that are its face, but no module inside it.
"""

from __future__ import annotations

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class FaceContract(Contract):
    """Report every import of a room's inside from outside. Modules of `ignored_importers` (packages) may do it."""

    type_name = "face"

    ignored_importers = fields.SetField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        ignored = tuple(f"{name}." for name in self.ignored_importers or ())  # type: ignore[attr-defined]
        broken = sorted(
            (importer, imported)
            for importer in graph.modules
            if not f"{importer}.".startswith(ignored)
            for imported in graph.find_modules_directly_imported_by(importer)
            if imported.count(".") > 1 and _room(imported) != _room(importer)
        )
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported in check.metadata["broken"]:
            output.print_error(f"{importer} imports {imported}; import it from {_room(imported)}")


def _room(module: str) -> str:
    return ".".join(module.split(".")[:2])
