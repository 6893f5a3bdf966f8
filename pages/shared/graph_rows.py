"""Events, links and a trace as the nodes and edges of a PyVis network. Pure: nothing here draws, and no score is computed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from affrag_core import ValidityState, path_hops, validity_states, window_words
from pages.shared.graph_marks import SHAPES, STATE_WORDS, ColourBy, Mark, feeling_words, marks, plain_attributes
from pages.shared.text import shortened

if TYPE_CHECKING:
    from datetime import datetime

    from affrag_core import Drawn, Event, EventGraph, FloatArray, RetrievalTrace

Row = Mapping[str, Any]
SPAN = 620.0
"""Pixels that a height of 1 in the core's positions takes at zoom 1."""
MOST_LINKS = 8_000
"""More links than this between the drawn events are left out; a browser would crawl, and the picture be a blot."""
MOST_OTHER_PATHS = 20
LABEL_LENGTH, TEXT_LENGTH = 26, 180


class Drawing(NamedTuple):
    """What to draw, as PyVis holds it."""

    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]


def draw(
    events: Sequence[Event],
    graph: EventGraph,
    positions: FloatArray,
    drawn: Drawn,
    *,
    colour_by: ColourBy = "kind",
    trace: RetrievalTrace | None = None,
    path: Row | None = None,
    as_of: datetime | None = None,
    labels: str = "id",
    emotional_space: str | None = None,
) -> Drawing:
    """Nodes and edges of a picture.

    Parameters
    ----------
    events : sequence of Event
        All events; those of `drawn` are looked up by id.
    graph : EventGraph
    positions : ndarray of shape (n_events, 2)
        From `layout`.
    drawn : Drawn
        Which events to draw.
    colour_by : ColourBy
    trace : RetrievalTrace, optional
        Marks its seeds and, thinly, its other paths; its time is the default of `as_of`.
    path : path row of that trace, optional
        Drawn thick, its hops numbered, the runner-up of each hop dotted.
    as_of : datetime, optional
        The time that validity is seen at.
    labels : str
        ``id`` or ``text``: what stands beside a node.
    emotional_space : str, optional
        Of the workspace; see `marks`.
    """
    by_id = {event.id: event for event in events}
    indices = [i for i in drawn.indices.tolist() if graph.ids[i] in by_id]
    shown = [by_id[graph.ids[i]] for i in indices]
    moment = as_of or (trace.as_of if trace is not None else None)
    states = validity_states(shown, moment) if moment is not None else None
    coloured = marks(shown, states, colour_by, emotional_space=emotional_space)
    on_trace = _OnTrace.of(trace, path)
    network = _network()
    sizes = _sizes(graph.degree[indices])
    for place, event in enumerate(shown):
        x, y = (positions[indices[place]] * SPAN).round(1).tolist()
        state = states[place] if states is not None else None
        node = _node(event, coloured[place], state, moment, labels) | on_trace.marks_of(event.id)
        network.add_node(event.id, **plain_attributes(node | {"x": x, "y": y, "size": sizes[place]}))
    for edge in _edges(graph, indices, {event.id for event in shown}, on_trace):
        network.add_edge(edge.pop("source"), edge.pop("target"), **plain_attributes(edge))
    return Drawing(network.nodes, network.edges)


def links_left_out(graph: EventGraph, drawn: Drawn) -> str | None:
    """A sentence where there are more links between the drawn events than are drawn."""
    n_links = len(_pairs_between(graph, drawn.indices)[0])
    if n_links <= MOST_LINKS:
        return None
    return f"{MOST_LINKS:,} of the {n_links:,} links between these events are drawn."


def paths_to_draw(trace: RetrievalTrace, path: Row | None) -> tuple[list[list[str]], list[str]]:
    """For `drawn_events`: the chosen path and the other paths that are drawn; and the runners-up beside the chosen one."""
    others = [list(row["event_ids"]) for row in trace.paths[:MOST_OTHER_PATHS]]
    if path is None:
        return others, []
    rivals = [hop["runner_up"] for hop in path_hops(trace, dict(path)) if hop["runner_up"] is not None]
    return [list(path["event_ids"]), *others], rivals


class _Ids(list[str]):
    """PyVis looks every id up in a list, which takes seconds over thousands of nodes; this list knows its members."""

    def __init__(self) -> None:
        super().__init__()
        self._members: set[str] = set()

    def append(self, one: str) -> None:
        self._members.add(one)
        super().append(one)

    def __contains__(self, one: object) -> bool:
        return one in self._members


def _network() -> Any:
    from pyvis.network import Network  # half a second, which only pages with a graph should pay

    network = Network(directed=True)
    network.node_ids = _Ids()
    network.toggle_physics(False)
    return network


class _OnTrace(NamedTuple):
    """What a trace adds to the picture: pairs of ids with the number of their hop."""

    hops: dict[tuple[str, str], int]
    unlinked: set[tuple[str, str]]
    rivals: dict[tuple[str, str], int]
    others: set[tuple[str, str]]
    path: frozenset[str]
    seeds: frozenset[str]

    @classmethod
    def of(cls, trace: RetrievalTrace | None, path: Row | None) -> _OnTrace:
        ids = list(path["event_ids"]) if path is not None else []
        hops = {pair: number for number, pair in enumerate(pairwise(ids), start=1)}
        if trace is None:
            return cls(hops, set(), {}, set(), frozenset(ids), frozenset(ids[:1]))
        rivals, unlinked = {}, set()
        for number, hop in enumerate(path_hops(trace, dict(path)) if path is not None else [], start=1):
            here, there = hop["path"][-1], ids[number]
            if hop["runner_up"] is not None and (here, hop["runner_up"]) not in hops:
                rivals[here, hop["runner_up"]] = number
            if any(row["event_id"] == there and row["outcome"] == "chosen" and row["via"] == "activation" for row in hop["candidates"]):
                unlinked.add((here, there))
        others = {pair for row in trace.paths[:MOST_OTHER_PATHS] for pair in pairwise(row["event_ids"])}
        seeds = frozenset(row["event_id"] for row in trace.pool if row["is_seed"])
        return cls(hops, unlinked, rivals, others - hops.keys() - rivals.keys(), frozenset(ids), seeds)

    def marks_of(self, event_id: str) -> dict[str, bool]:
        """Whether the event is a seed, is on the chosen path, or stands back behind one."""
        on_path = event_id in self.path
        beside = any(event_id == rival for _, rival in self.rivals)
        return {"seed": event_id in self.seeds, "on_path": on_path, "quiet": bool(self.path) and not (on_path or beside)}


def _node(event: Event, mark: Mark, state: ValidityState | None, moment: datetime | None, labels: str) -> dict[str, Any]:
    label = event.text if labels == "text" else event.id
    window = window_words(event, state, moment.timestamp()) if state is not None and moment is not None else ""
    words = "" if state is None else STATE_WORDS[state]
    return {
        "label": shortened(label, LABEL_LENGTH) or "?",
        "shape": SHAPES.get(event.kind.value, "dot"),
        "color": mark.colour,
        "meaning": mark.meaning,
        "order": mark.order,
        "hollow": state is ValidityState.EXPIRED,
        "ring": state is ValidityState.TEMPORAL,
        "card": {
            "text": shortened(event.text, TEXT_LENGTH),
            "date": "" if event.timestamp is None else f"{event.timestamp.day} {event.timestamp:%B %Y, %H:%M} UTC",
            "kind": event.kind.value,
            "type": shortened(event.doc_type, 40),
            "state": window if window and window != "open-ended" else words,
            "feeling": shortened(feeling_words(event), 60),
        },
    }


def _sizes(degree: Any) -> list[float]:
    """Radius in pixels at zoom 1: grows with the number of links, and shrinks where many events share the picture."""
    n = len(degree)
    if not n:
        return []
    base = float(np.clip(0.12 * SPAN / np.sqrt(n), 3.0, 11.0))
    share = np.sqrt(np.minimum(degree, 400) / max(float(np.percentile(degree, 98)), 1.0))
    return [round(float(one), 2) for one in base * (0.8 + np.minimum(share, 1.5))]


def _edges(graph: EventGraph, indices: list[int], shown: set[str], on_trace: _OnTrace) -> Iterator[dict[str, Any]]:
    source, target = _pairs_between(graph, indices)
    relations: dict[int, dict[int, list[str]]] = {}
    linked = set()
    for a, b in zip(source[:MOST_LINKS].tolist(), target[:MOST_LINKS].tolist(), strict=True):
        if a not in relations:
            relations[a] = graph.relations_from(a)
        pair = (graph.ids[a], graph.ids[b])
        linked.add(pair)
        yield _edge(pair, on_trace, ", ".join(relations[a].get(b, [])))
    beside: Iterable[tuple[str, str]] = [*on_trace.hops, *on_trace.rivals, *sorted(on_trace.others)]
    for pair in beside:
        if pair not in linked and shown.issuperset(pair):
            yield _edge(pair, on_trace, "")


def link_pairs(graph: EventGraph) -> tuple[Any, Any]:
    """Source and target of every linked ordered pair, each once; two arrays of shape (n_pairs,)."""
    return np.repeat(np.arange(len(graph)), np.diff(graph.indptr)), graph.targets


def _pairs_between(graph: EventGraph, indices: Any) -> tuple[Any, Any]:
    """Those of `link_pairs` with both ends among `indices`."""
    inside = np.zeros(len(graph), dtype=bool)
    inside[np.asarray(indices, dtype=np.intp)] = True
    source, target = link_pairs(graph)
    both = inside[source] & inside[target]
    return source[both], target[both]


def _edge(pair: tuple[str, str], on_trace: _OnTrace, relations: str) -> dict[str, Any]:
    """One edge; its id stays the same whatever is drawn on it."""
    hop, rival = on_trace.hops.get(pair, 0), on_trace.rivals.get(pair, 0)
    role = "path" if hop else "runner-up" if rival else "other path" if pair in on_trace.others else "link"
    return {
        "source": pair[0],
        "target": pair[1],
        "id": json.dumps(pair),
        "role": role,
        "hop": hop or rival,
        "width": {"path": 5.0, "runner-up": 2.5, "other path": 2.0}.get(role, 1.0),
        "dashes": role == "runner-up" or pair in on_trace.unlinked,
        "relations": shortened(relations, 80) if relations else "by likeness, without a link",
    }
