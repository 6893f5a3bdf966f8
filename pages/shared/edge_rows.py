"""Links as rows of a table: filtering, and what a filled form makes. No Streamlit here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from affrag_core import Edge, EventError
from pages.shared.event_rows import more_text, read_more
from pages.shared.text import shortened

if TYPE_CHECKING:
    from affrag_core import Workspace

LABELS = {
    "source": "From",
    "relation": "Relation",
    "target": "To",
    "source_text": "Text it leads from",
    "target_text": "Text it leads to",
    "attributes": "More (JSON)",
}
"""What a person calls each column."""
BRIEF = 120


def edge_cells(ws: Workspace, edge: Edge) -> dict[str, str]:
    """A link as one row, with the texts of its events."""
    return {
        "source": edge.source,
        "source_text": shortened(ws.event(edge.source).text, BRIEF),
        "relation": edge.relation,
        "target": edge.target,
        "target_text": shortened(ws.event(edge.target).text, BRIEF),
        "attributes": more_text(edge.attributes),
    }


def matching(edges: Sequence[Edge], search: str, relations: Sequence[str]) -> list[Edge]:
    """Links whose ids, relation or attributes hold every word that is searched for; `relations` empty for all."""
    words = search.casefold().split()
    return [edge for edge in edges if (not relations or edge.relation in relations) and (not words or _holds(edge, words))]


def _holds(edge: Edge, words: Sequence[str]) -> bool:
    whole = f"{edge.source} {edge.relation} {edge.target} {json.dumps(dict(edge.attributes), ensure_ascii=False)}".casefold()
    return all(word in whole for word in words)


def typed_edge(ws: Workspace, typed: dict[str, Any]) -> Edge:
    """The link that a filled form describes.

    Raises
    ------
    EventError
        Naming the field at fault.
    """
    for field in ("source", "target"):
        name = (typed[field] or "").strip()
        if not name:
            raise EventError("choose an event", field=field)
        if not ws.has_event(name):
            raise EventError(f"there is no event {name!r}", field=field)
    try:
        attributes = read_more(typed["attributes"])
    except EventError as error:
        raise EventError(error.message.replace("metadata", "attributes"), field="attributes") from None
    source, target, relation = (typed[field].strip() for field in ("source", "target", "relation"))
    return Edge(source=source, target=target, relation=relation or "related", attributes=attributes)
