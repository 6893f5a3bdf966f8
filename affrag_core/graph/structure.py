"""The memory graph as arrays: an immutable snapshot that a change turns into the next one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, Self

import numpy as np

from affrag_core.errors import EventError
from affrag_core.events.source import Changes
from affrag_core.events.times import seconds_since_epoch
from affrag_core.events.vectors import FloatArray
from affrag_core.graph.features import EventArrays, link_features
from affrag_core.graph.vector_table import Float64Array, IntArray, VectorTable


class Node(Protocol):
    """What the graph reads of an event."""

    @property
    def id(self) -> str: ...
    @property
    def semantic_vec(self) -> FloatArray | None: ...
    @property
    def emotional_vec(self) -> FloatArray | None: ...
    @property
    def timestamp(self) -> datetime | None: ...


class Link(Protocol):
    """What the graph reads of an edge."""

    @property
    def source(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def relation(self) -> str: ...


@dataclass(frozen=True, slots=True, eq=False)
class EdgeList:
    """Every edge in order of insertion, several between one pair included.

    Parameters
    ----------
    source, target : ndarray of shape (n_edges,), int
        Positions of events.
    relations : list of str
    """

    source: IntArray
    target: IntArray
    relations: list[str]


@dataclass(frozen=True, eq=False)
class EventGraph:
    """Events by position, links as compressed sparse rows, and the features of the links that were asked for.

    Parameters
    ----------
    ids : list of str
        Event ids in order of insertion.
    index : dict of str to int
        The position of each id.
    arrays : EventArrays
    edges : EdgeList
    indptr : ndarray of shape (n_events + 1,), int
    targets : ndarray of shape (n_pairs,), int
        ``targets[indptr[i]:indptr[i + 1]]`` are the neighbours of event i, each once, in order of their first edge.
    """

    ids: list[str]
    index: dict[str, int]
    arrays: EventArrays
    edges: EdgeList
    indptr: IntArray
    targets: IntArray
    _edge_order: IntArray
    _edge_indptr: IntArray
    _rows: dict[int, Float64Array] = field(default_factory=dict)

    @classmethod
    def build(cls, nodes: Iterable[Node], links: Iterable[Link] = ()) -> Self:
        """Compile events and edges.

        Raises
        ------
        EventError
            If an edge names a missing event, or vectors differ in length.
        """
        nodes = list(nodes)
        ids = [node.id for node in nodes]
        index = {event_id: i for i, event_id in enumerate(ids)}
        return cls._compiled(ids, index, _arrays(nodes, ids), _edge_list(index, list(links)))

    @classmethod
    def _compiled(cls, ids: list[str], index: dict[str, int], arrays: EventArrays, edges: EdgeList) -> Self:
        n = len(ids)
        order = np.argsort(edges.source, kind="stable")
        _, first = np.unique(edges.source[order] * max(n, 1) + edges.target[order], return_index=True)
        pairs = order[np.sort(first)]
        indptr = _indptr(edges.source[pairs], n)
        return cls(ids, index, arrays, edges, indptr, edges.target[pairs], order, _indptr(edges.source, n))

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def degree(self) -> IntArray:
        """Number of distinct pairs that each event takes part in, both directions; shape (n_events,)."""
        return np.diff(self.indptr) + np.bincount(self.targets, minlength=len(self))

    def neighbours(self, i: int) -> IntArray:
        """Positions of the events that event i links to, each once; shape (n_neighbours,)."""
        return self.targets[self.indptr[i] : self.indptr[i + 1]]

    def relations_from(self, i: int) -> dict[int, list[str]]:
        """Relations of the edges from event i by the position of their target, all of them, in order of insertion."""
        found: dict[int, list[str]] = {}
        for edge in self._edge_order[self._edge_indptr[i] : self._edge_indptr[i + 1]].tolist():
            found.setdefault(int(self.edges.target[edge]), []).append(self.edges.relations[edge])
        return found

    def row_features(self, i: int) -> Float64Array:
        """Link features from event i to each of its neighbours, computed when first asked for; shape (n_neighbours, n_terms)."""
        row = self._rows.get(i)
        if row is None:
            row = self.features(i, self.neighbours(i))
            row.flags.writeable = False
            self._rows[i] = row
        return row

    def features(self, i: int, targets: IntArray) -> Float64Array:
        """Link features from event i to any events; shape (n_targets, n_terms)."""
        return link_features(self.arrays, np.full(len(targets), i, dtype=np.intp), np.asarray(targets, dtype=np.intp))

    def updated(self, changes: Changes) -> Self:
        """The next snapshot, which keeps the link features that the change did not touch."""
        return self.with_changes(changes.put_events, changes.deleted_events, changes.put_edges, changes.deleted_edges)

    def with_changes(
        self,
        put_nodes: Sequence[Node] = (),
        deleted_nodes: Iterable[str] = (),
        put_links: Sequence[Link] = (),
        deleted_links: Iterable[tuple[str, str, str]] = (),
    ) -> Self:
        """The next snapshot; an id that is there already is updated in place, deleting an event deletes its edges."""
        gone = {self.index[i] for i in deleted_nodes if i in self.index}
        kept = np.setdiff1d(np.arange(len(self)), sorted(gone)) if gone else np.arange(len(self))
        changed = {self.index[node.id]: node for node in put_nodes if node.id in self.index and self.index[node.id] not in gone}
        added = [node for node in put_nodes if self.index.get(node.id, -1) not in changed]
        ids = [self.ids[i] for i in kept] + [node.id for node in added]
        index = {event_id: i for i, event_id in enumerate(ids)}
        moved = np.full(len(self), -1, dtype=np.intp)
        moved[kept] = np.arange(len(kept))
        arrays = self._arrays_after(kept, changed, added, ids) if gone or changed or added else self.arrays
        edges = self._edges_after(moved, set(deleted_links), _edge_list(index, put_links))
        graph = self._compiled(ids, index, arrays, edges)
        self._hand_over(graph, moved, set(changed))
        return graph

    def _edges_after(self, moved: IntArray, deleted: set[tuple[str, str, str]], more: EdgeList) -> EdgeList:
        old = self.edges
        keep = (moved[old.source] >= 0) & (moved[old.target] >= 0)
        pairs = [self.index[s] * len(self) + self.index[t] for s, t, _ in deleted if s in self.index and t in self.index]
        for edge in np.flatnonzero(np.isin(old.source * len(self) + old.target, pairs)) if pairs else ():
            keep[edge] &= (self.ids[old.source[edge]], self.ids[old.target[edge]], old.relations[edge]) not in deleted
        relations = old.relations if keep.all() else [old.relations[edge] for edge in np.flatnonzero(keep)]
        return EdgeList(
            np.concatenate([moved[old.source[keep]], more.source]),
            np.concatenate([moved[old.target[keep]], more.target]),
            relations + more.relations,
        )

    def _arrays_after(self, kept: IntArray, changed: dict[int, Node], added: list[Node], ids: list[str]) -> EventArrays:
        def table(old: VectorTable, name: str) -> VectorTable:
            exchanged = {i: getattr(node, name) for i, node in changed.items()}
            return old.replaced(exchanged, kept, [getattr(node, name) for node in added], ids=ids, field=name)

        times = self.arrays.time_s.copy()
        for i, node in changed.items():
            times[i] = seconds_since_epoch(node.timestamp)
        more = np.array([seconds_since_epoch(node.timestamp) for node in added], dtype=np.float64)
        return EventArrays(
            table(self.arrays.semantic, "semantic_vec"), table(self.arrays.emotional, "emotional_vec"), np.concatenate([times[kept], more])
        )

    def _hand_over(self, graph: EventGraph, moved: IntArray, changed: set[int]) -> None:
        """Give the next snapshot the feature rows whose source and targets are as they were."""
        for i, row in self._rows.items():
            now = int(moved[i])
            old = self.neighbours(i)
            if now < 0 or i in changed or not changed.isdisjoint(old.tolist()):
                continue
            if np.array_equal(graph.neighbours(now), moved[old]):
                graph._rows[now] = row


def _indptr(source: IntArray, n: int) -> IntArray:
    return np.concatenate([[0], np.cumsum(np.bincount(source, minlength=n))]).astype(np.intp)


def _edge_list(index: dict[str, int], links: Sequence[Link]) -> EdgeList:
    try:
        source = np.fromiter((index[link.source] for link in links), dtype=np.intp, count=len(links))
        target = np.fromiter((index[link.target] for link in links), dtype=np.intp, count=len(links))
    except KeyError as missing:
        raise EventError(f"an edge must join two known events, got {missing.args[0]!r}", field="source or target") from None
    return EdgeList(source, target, [link.relation for link in links])


def _arrays(nodes: Sequence[Node], ids: list[str]) -> EventArrays:
    return EventArrays(
        VectorTable.from_rows([node.semantic_vec for node in nodes], ids=ids, field="semantic_vec"),
        VectorTable.from_rows([node.emotional_vec for node in nodes], ids=ids, field="emotional_vec"),
        np.array([seconds_since_epoch(node.timestamp) for node in nodes], dtype=np.float64),
    )
