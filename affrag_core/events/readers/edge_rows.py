"""Edges: from the rows of a file of their own, or from a cell of their source event."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from affrag_core.errors import EventError, ReadError
from affrag_core.events.edge import Edge
from affrag_core.events.readers.columns import EDGE_COLUMNS, assign_columns, plain_name
from affrag_core.events.readers.faults import fault_of
from affrag_core.events.readers.rows import RawFile, RawRow, refused, shown
from affrag_core.events.readers.sorting import Sorted, sort_out
from affrag_core.events.readers.values import as_id, as_mapping, check_depth, check_letters
from affrag_core.events.report import Fault, SourceRow


@dataclass(frozen=True, slots=True)
class Cell:
    """What an event's row says about its edges: the cell, its column, and the relation that they have unless one says otherwise."""

    row: SourceRow
    event_id: str
    value: Any
    column: str
    relation: Any = None


@dataclass(slots=True)
class EdgeRows:
    """What came of the rows of edges and of the cells of events; ends are not looked up yet."""

    edges: list[Edge] = field(default_factory=list)
    rows: list[SourceRow] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def read(self, file: RawFile, chosen: Mapping[str, str] | None = None) -> None:
        """Read every row of edges. Raises ReadError if no columns can be source and target."""
        names = dict.fromkeys(name for row in file.edges for name in row.values)
        columns = assign_columns(names, EDGE_COLUMNS, chosen)
        if file.edges and not (columns.has("source") and columns.has("target")):
            known = ", ".join(shown(name) for name in names) or "none"
            raise ReadError(f"Edges need a column named source and one named target. The columns are: {known}.")
        self.notes += columns.notes
        if columns.others:
            self.notes.append(f"Kept as attributes of the edges: {', '.join(shown(name) for name in columns.others)}.")
        for row in file.edges:
            found = sort_out(row, columns, file)
            try:
                check_depth(found.fields | found.others)
                if file.half_letters:
                    check_letters(found.fields | found.others)
                self._add(_edge(found), SourceRow(row.number, row.raw))
            except EventError as error:
                source = found.fields.get("source")
                event_id = str(source) if isinstance(source, (str, int)) else None
                self.faults.append(fault_of(error, row, event_id, found.fields, columns, "edge"))

    def read_cell(self, cell: Cell, ids: Collection[str]) -> None:
        """Read the edges in an event's row; one that is no edge is a fault, the others are kept."""
        column = plain_name(cell.column)
        relation = cell.relation or ("next" if column == "next" else "related")
        try:
            items = _items(cell.value, ids)
        except EventError as error:
            self.faults.append(_cell_fault(error, cell, cell.value))
            return
        for item in items:
            try:
                edge = _edge_to(cell.event_id, item, as_id(relation, "relation"))
                self._add(edge, SourceRow(cell.row.number, edge.to_dict(), own=True))
            except EventError as error:
                self.faults.append(_cell_fault(error, cell, item))

    def _add(self, edge: Edge, row: SourceRow) -> None:
        self.edges.append(edge)
        self.rows.append(row)


def _edge(found: Sorted) -> Edge:
    fields = found.fields
    for name in ("source", "target"):
        if name not in fields:
            raise refused(f"{name} must not be empty", name)
    attributes = as_mapping(fields["attributes"], "attributes") if "attributes" in fields else {}
    for name, value in found.others.items():
        attributes[f"{name} (column)" if name in attributes else name] = value
    relation = {"relation": as_id(fields["relation"], "relation")} if "relation" in fields else {}
    return Edge(source=as_id(fields["source"], "source"), target=as_id(fields["target"], "target"), attributes=attributes, **relation)


def _items(value: Any, ids: Collection[str]) -> list[Any]:
    """The single edges of a cell: ids, pairs of id and relation, or objects."""
    if isinstance(value, str):
        text = value.strip()
        if value in ids or text in ids:
            return [value if value in ids else text]
        if text[:1] not in ("[", "{"):
            return [part.strip() for part in re.split("[;|]", text) if part.strip()]
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise refused(f"edges must be ids apart by ; or |, or a JSON list, got {shown(text)}", "edges") from None
    check_depth({"edges": value})
    if isinstance(value, dict) and not _names(value) & {"target", "to", "targetid", "id"}:
        return [[target, relation] for target, relation in value.items()]
    return value if isinstance(value, list) else [value]


def _names(item: Mapping[str, Any]) -> set[str]:
    return {plain_name(name) for name in item}


def _edge_to(source: str, item: Any, relation: str) -> Edge:
    if isinstance(item, list) and len(item) == 2:
        return Edge(source=source, target=as_id(item[0], "target"), relation=as_id(item[1], "relation"))
    if not isinstance(item, dict):
        return Edge(source=source, target=as_id(item, "target"), relation=relation)
    rest = dict(item)
    target = next((rest.pop(name) for name in item if plain_name(name) in ("target", "to", "targetid", "id")), None)
    given = rest.pop("relation", None)
    attributes = as_mapping(rest.pop("attributes", None) or {}, "attributes") | rest
    word = relation if given is None else as_id(given, "relation")
    return Edge(source=source, target=as_id(target, "target"), relation=word, attributes=attributes)


def _cell_fault(error: EventError, cell: Cell, item: Any) -> Fault:
    row = RawRow(cell.row.number, {}, {"source": cell.event_id, "target": item})
    fields = {error.field: item}
    return fault_of(error, row, cell.event_id, fields, assign_columns((), EDGE_COLUMNS), "edge")
