"""Edges against the events and edges that are there: what does not fit is a fault."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from affrag_core.events.edge import Edge, EdgeKey
from affrag_core.events.report import Fault, SourceRow


@dataclass(frozen=True, slots=True)
class CheckedEdges:
    """Edges that fit, where they stood, and the faults of those that do not."""

    edges: tuple[Edge, ...]
    rows: tuple[SourceRow, ...]
    faults: tuple[Fault, ...]


def checked_edges(
    edges: Iterable[tuple[Edge, SourceRow]],
    *,
    ids: Collection[str],
    lost: Mapping[str, int] | None = None,
    known: Collection[EdgeKey] = (),
    repeated: Collection[str] = (),
) -> CheckedEdges:
    """Edges whose ends are there and that stand once.

    Parameters
    ----------
    edges : iterable of (Edge, SourceRow)
    ids : collection of str
        Events that an edge may name; a set, as each edge looks into it.
    lost : mapping of str to int, optional
        Events that were not read, and their rows.
    known : collection of (source, target, relation)
        Edges that are there already.
    repeated : collection of str
        Ids that several rows have: edges in two such rows are two edges, as one row may be renamed yet.
    """
    kept: list[tuple[Edge, SourceRow]] = []
    faults: list[Fault] = []
    seen: dict[tuple[object, ...], int] = {}
    near: dict[str, str] = {}
    for edge, row in edges:
        missing = next(((name, end) for name, end in (("target", edge.target), ("source", edge.source)) if end not in ids), None)
        origin = row.number if row.own and edge.source in repeated else edge.source
        key = (origin, edge.target, edge.relation)
        if missing:
            near = near or {known_id.strip().casefold(): known_id for known_id in ids}
            faults.append(_missing_end(edge, row, *missing, lost or {}, near))
        elif edge.key in known:
            faults.append(edge_fault(edge, row, "target", "this edge is there already", "Nothing to do; or give it another relation."))
        elif key in seen:
            reason = f"the same edge stands in row {seen[key]}"
            faults.append(edge_fault(edge, row, "target", reason, "Nothing to do; or give it another relation."))
        else:
            seen[key] = row.number
            kept.append((edge, row))
    return CheckedEdges(tuple(edge for edge, _ in kept), tuple(row for _, row in kept), tuple(faults))


def edge_fault(edge: Edge, row: SourceRow, field: str, reason: str, advice: str) -> Fault:
    """The fault of one edge; `field` is the end that is at fault."""
    value = edge.source if field == "source" else edge.target
    return Fault(row.number, edge.source, field, value, reason, advice, row.raw, "edge")


def _missing_end(edge: Edge, row: SourceRow, field: str, end: str, lost: Mapping[str, int], near: Mapping[str, str]) -> Fault:
    if end in lost:
        return edge_fault(edge, row, field, f"event {end!r} was not read, see row {lost[end]}", "Mend that row and read it again.")
    advice = "Bring the event in first, or mend the id. Several ids in a cell are apart by ; or |, or stand in a JSON list."
    like = near.get(end.strip().casefold())
    if like is not None:
        advice = f"Is {like!r} meant? Ids are compared letter by letter."
    return edge_fault(edge, row, field, f"there is no event {end!r}", advice)
