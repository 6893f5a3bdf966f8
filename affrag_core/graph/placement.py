"""Positions inside one connected group of events."""

from __future__ import annotations

import random
from importlib.util import find_spec
from threading import Lock
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.integer]

SMALL = 500
"""Up to this many events springs between all pairs are both quick and the clearer picture."""
LONGEST_STRAIGHT = 8
"""A chain of more events is folded into rows."""
LINKS_PER_EVENT = 6
"""More links than this on average say little more about where events belong, and cost time."""
WORK = 1_000_000
"""Links times rounds that UMAP may spend; about a second."""
LARGEST_WITHOUT_IGRAPH = 2_000
_igraph_lock = Lock()


def group_positions(n_events: int, links: IntArray, *, seed: int) -> FloatArray:
    """Positions of one connected group, its long side level, the nearest neighbours about 1 apart.

    Parameters
    ----------
    n_events : int
        Number of events, >= 1.
    links : ndarray of shape (n_links, 2), int
        Each undirected link once; together they connect all events.
    seed : int

    Returns
    -------
    ndarray of shape (n_events, 2), float64
    """
    if n_events == 1:
        return np.zeros((1, 2))
    chain = _chain_order(n_events, links)
    if chain is not None and n_events > LONGEST_STRAIGHT:
        return _rows(chain)
    raw = _with_igraph(n_events, links, seed) if find_spec("igraph") is not None else _with_networkx(n_events, links, seed)
    return _unit_spaced(_level(raw - raw.mean(axis=0)))


def _chain_order(n_events: int, links: IntArray) -> IntArray | None:
    """Events from one end to the other, starting with the earlier; None unless the group is one unbranched chain."""
    degree = np.bincount(links.ravel(), minlength=n_events)
    ends = np.flatnonzero(degree == 1)
    if len(links) != n_events - 1 or degree.max() > 2 or len(ends) != 2:
        return None
    neighbours = np.full((n_events, 2), -1, dtype=np.intp)
    for a, b in links.tolist():
        neighbours[a, int(neighbours[a, 0] >= 0)] = b
        neighbours[b, int(neighbours[b, 0] >= 0)] = a
    order, before, here = [], -1, int(ends[0])
    while here >= 0:
        order.append(here)
        a, b = neighbours[here].tolist()
        before, here = here, b if a == before else a
    return np.array(order, dtype=np.intp)


def _rows(order: IntArray) -> FloatArray:
    """Fold a chain into rows, read like ploughing: left to right, then right to left, a third as many rows as fit a square."""
    n_columns = int(np.ceil(np.sqrt(len(order) * 3)))
    step = np.arange(len(order))
    row, column = step // n_columns, step % n_columns
    positions = np.empty((len(order), 2))
    positions[order, 0] = np.where(row % 2 == 0, column, n_columns - 1 - column)
    # Rows lie further apart than events in a row, and each row bends a little, so that the thread can be followed by eye.
    positions[order, 1] = 1.8 * row + 0.5 * np.sin(np.pi * (column + 0.5) / n_columns)
    return positions


def _with_igraph(n_events: int, links: IntArray, seed: int) -> FloatArray:
    import igraph

    graph = igraph.Graph(n=n_events, edges=links.tolist())
    # igraph draws from one generator for the whole process, Python's own unless told otherwise.
    with _igraph_lock:
        igraph.set_random_number_generator(random.Random(seed))
        try:
            placed = graph.layout_kamada_kawai() if n_events <= SMALL else _umap(graph, seed)
        finally:
            igraph.set_random_number_generator(random)
    return np.array(placed.coords, dtype=np.float64)


def _umap(graph: Any, seed: int) -> Any:
    thinned = _thinned(graph, seed)
    rounds = int(np.clip(WORK / max(thinned.ecount(), 1), 50, 500))
    return thinned.layout_umap(epochs=rounds, min_dist=0.6)


def _thinned(graph: Any, seed: int) -> Any:
    """A spanning tree and as many other links, drawn at random, as `LINKS_PER_EVENT` allows."""
    allowed = LINKS_PER_EVENT * graph.vcount()
    if graph.ecount() <= allowed:
        return graph
    rng = np.random.default_rng(seed)
    kept = np.zeros(graph.ecount(), dtype=bool)
    kept[graph.spanning_tree(return_tree=False)] = True
    others = np.flatnonzero(~kept)
    kept[rng.choice(others, size=allowed - int(kept.sum()), replace=False)] = True
    return graph.subgraph_edges(np.flatnonzero(kept).tolist(), delete_vertices=False)


def _with_networkx(n_events: int, links: IntArray, seed: int) -> FloatArray:
    """Springs where igraph is not installed; beyond `LARGEST_WITHOUT_IGRAPH` rows in breadth-first order, which need no minutes."""
    graph = nx.Graph()
    graph.add_nodes_from(range(n_events))
    graph.add_edges_from(links.tolist())
    if n_events > LARGEST_WITHOUT_IGRAPH:
        return _rows(np.array([0, *(b for _, b in nx.bfs_edges(graph, 0))], dtype=np.intp))
    placed = nx.spring_layout(graph, seed=seed, iterations=100 if n_events <= SMALL else 30)
    return np.array([placed[i] for i in range(n_events)], dtype=np.float64)


def _level(centred: FloatArray) -> FloatArray:
    """Turn a picture so that its long axis lies level: screens are wider than high."""
    xx, yy = (centred**2).mean(axis=0)
    angle = 0.5 * np.arctan2(2 * (centred[:, 0] * centred[:, 1]).mean(), xx - yy)
    cos, sin = np.cos(angle), np.sin(angle)
    turned: FloatArray = centred @ np.array([[cos, -sin], [sin, cos]])
    return turned


def _unit_spaced(positions: FloatArray) -> FloatArray:
    """Scale so that the median distance to the nearest other event is 1, measured on at most 200 events."""
    sample = positions[:: max(1, len(positions) // 200)]
    step = max(1, len(positions) // 200)
    apart = np.hypot(*(sample[:, None, :] - positions[None, :, :]).transpose(2, 0, 1))
    apart[np.arange(len(sample)), np.arange(len(sample)) * step] = np.inf
    median = float(np.median(apart.min(axis=1)))
    return positions / median if median > 0 else positions
