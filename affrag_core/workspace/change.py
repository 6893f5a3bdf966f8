"""One change of a workspace as rows to drop, add and overwrite: what the database applies and the journal keeps.

A change and its inverse have the same form. The inverse of an addition is only a range of places, so an import of a million links
is undone by a handful of bytes; the rows themselves go into the journal only when the addition is undone.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from affrag_core.workspace.records import EdgeRow, EventRow

Ranges = tuple[tuple[int, int], ...]
"""First and last place of each unbroken run."""
Spaces = tuple[str | None, str | None]
"""Names of the semantic and the emotional space."""


@dataclass(frozen=True, slots=True)
class Change:
    """Rows to drop, to add and to overwrite, applied in the order: links and events dropped, events put, links put.

    Parameters
    ----------
    drop_events, drop_edges : ranges of places
    new_events, new_edges : rows whose places are free
    changed_events, changed_edges : rows that replace those of the same place
    spaces : pair of str or None, optional
        Names of the vector spaces from now on; None leaves them.
    """

    drop_events: Ranges = ()
    drop_edges: Ranges = ()
    new_events: Sequence[EventRow] = ()
    new_edges: Sequence[EdgeRow] = ()
    changed_events: Sequence[EventRow] = ()
    changed_edges: Sequence[EdgeRow] = ()
    spaces: Spaces | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        rows = (self.drop_events, self.drop_edges, self.new_events, self.new_edges, self.changed_events, self.changed_edges)
        return self.spaces is None and not any(rows)

    def to_bytes(self) -> bytes:
        """Compressed JSON."""
        content = {
            "drop_events": self.drop_events,
            "drop_edges": self.drop_edges,
            "new_events": [_without_bytes(row) for row in self.new_events],
            "new_edges": self.new_edges,
            "changed_events": [_without_bytes(row) for row in self.changed_events],
            "changed_edges": self.changed_edges,
            "spaces": self.spaces,
        }
        return zlib.compress(json.dumps(content, separators=(",", ":")).encode(), level=1)

    @classmethod
    def from_bytes(cls, content: bytes) -> Change:
        """The change that `to_bytes` wrote."""
        read = json.loads(zlib.decompress(content))
        return cls(
            drop_events=tuple((first, last) for first, last in read["drop_events"]),
            drop_edges=tuple((first, last) for first, last in read["drop_edges"]),
            new_events=[_with_bytes(row) for row in read["new_events"]],
            new_edges=[tuple(row) for row in read["new_edges"]],
            changed_events=[_with_bytes(row) for row in read["changed_events"]],
            changed_edges=[tuple(row) for row in read["changed_edges"]],
            spaces=None if read["spaces"] is None else tuple(read["spaces"]),
        )


def ranges(places: Iterable[int]) -> Ranges:
    """Unbroken runs of places, in order: ``[5, 1, 2, 3]`` gives ``((1, 3), (5, 5))``."""
    runs: list[list[int]] = []
    for place in sorted(places):
        if runs and place == runs[-1][1] + 1:
            runs[-1][1] = place
        else:
            runs.append([place, place])
    return tuple((first, last) for first, last in runs)


def places(runs: Ranges) -> Iterator[int]:
    """Every place of some runs."""
    for first, last in runs:
        yield from range(first, last + 1)


def _without_bytes(row: EventRow) -> list[object]:
    return [{"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value for value in row]


def _with_bytes(row: list[object]) -> EventRow:
    return tuple(base64.b64decode(value["base64"]) if isinstance(value, dict) else value for value in row)
