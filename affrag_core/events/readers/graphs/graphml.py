"""GraphML files."""

from __future__ import annotations

import io
from typing import Any

from affrag_core.errors import ReadError
from affrag_core.events.readers.rows import RawFile, RawRow, shown
from affrag_core.events.report import Part


class GraphMLReader:
    """One event a node, one edge an edge; read with NetworkX. A file that declares entities is refused."""

    def recognises(self, content: bytes, name: str) -> bool:
        """Whether it is XML that names GraphML, or is named so."""
        start = content[:2000].lstrip(b"\xef\xbb\xbf \r\n\t")
        return start.startswith(b"<") and (b"<graphml" in start or name.lower().endswith(".graphml"))

    def read(self, content: bytes, part: Part) -> RawFile:
        """The nodes and edges; see `Reader.read`."""
        import networkx as nx

        if b"<!ENTITY" in content or b"<!DOCTYPE" in content:
            raise ReadError("The file declares entities, which can hide harm, so it is not read. Save it as plain GraphML.")
        try:
            graph = nx.read_graphml(io.BytesIO(content), force_multigraph=True)
        except Exception as error:
            raise ReadError(f"The GraphML cannot be read: {shown(str(error))}. Save it again.") from None
        file = RawFile("GraphML graph")
        if part == "event":
            for number, (node, fields) in enumerate(graph.nodes(data=True), start=1):
                row = _node(str(node), fields)
                file.events.append(RawRow(number, row, row))
        for number, (source, target, fields) in enumerate(graph.edges(data=True), start=1):
            row = {"source": str(source), "target": str(target), **fields}
            file.edges.append(RawRow(number, row, row))
        if not graph.is_directed() and graph.number_of_edges():
            file.notes.append("The graph has no directions; each edge leads from its first end to its second.")
        return file


def _node(node: str, fields: dict[str, Any]) -> dict[str, Any]:
    text = next((str(fields[name]) for name in ("text", "content", "label", "name", "title") if fields.get(name)), node)
    return {"id": node, **{name: value for name, value in fields.items() if name not in ("id", "text")}, "text": text}
