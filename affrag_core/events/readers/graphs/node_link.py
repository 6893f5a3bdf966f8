"""Graphs as JSON lists of nodes and links, as NetworkX and D3 write them."""

from __future__ import annotations

from typing import Any

from affrag_core.errors import ReadError
from affrag_core.events.readers.json_text import may_hold_half_letters, parse_json
from affrag_core.events.readers.rows import RawFile, RawRow, shown
from affrag_core.events.report import Fault, Part


class NodeLinkReader:
    """One event a node, one edge a link."""

    def recognises(self, text: str, extension: str) -> bool:  # noqa: ARG002 - the content alone tells
        """Whether it is an object with nodes and links or edges."""
        return text.lstrip().startswith("{") and '"nodes"' in text and ('"links"' in text or '"edges"' in text) and '"events"' not in text

    def read(self, text: str, part: Part) -> RawFile:
        """The nodes and links; see `Reader.read`."""
        value = parse_json(text)[0]
        nodes = value.get("nodes") if isinstance(value, dict) else None
        if not isinstance(nodes, list):
            raise ReadError("The graph has no list of nodes. Save it again as node-link JSON.")
        links: list[Any] = next((value[name] for name in ("links", "edges") if isinstance(value.get(name), list)), [])
        file = RawFile("node-link JSON graph", half_letters=may_hold_half_letters(text))
        for number, node in enumerate(nodes if part == "event" else [], start=1):
            _add(file, number, node, "event")
        for number, link in enumerate(links, start=1):
            _add(file, number, link, "edge")
        return file


def _add(file: RawFile, number: int, row: Any, part: Part) -> None:
    if part == "event" and isinstance(row, (str, int)):
        row = {"id": row}
    if not isinstance(row, dict):
        advice = "Write each node and link as an object in braces."
        file.faults.append(Fault(number, None, "row", shown(row), f"the {part} is not an object", advice, {"row": row}, part))
    elif part == "edge":
        file.edges.append(RawRow(number, row, row))
    else:
        words = next((row[name] for name in ("text", "content", "label", "name", "title") if row.get(name)), row.get("id"))
        file.events.append(RawRow(number, {**row, "text": str(words) if words is not None else None}, row))
