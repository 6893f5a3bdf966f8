"""Where events are drawn: the same links give the same positions, on every run.

Each connected group is placed by itself and the groups are then packed side by side, so that a group of two does not drift
across the picture and events without links stand in tidy rows.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from affrag_core.graph.packing import BOX, fitted, packed
from affrag_core.graph.placement import group_positions

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.integer]

__all__ = ["BOX", "connected_groups", "layout"]


def layout(n_events: int, pairs: IntArray, *, seed: int = 0) -> FloatArray:
    """Position of every event inside `BOX`, origin at its top left corner.

    Linked events lie near each other. Groups of up to `placement.SMALL` events are placed by Kamada and Kawai's springs, larger ones
    by UMAP over the links, and an unbranched chain is folded into rows. Only positions relative to each other mean anything.

    Parameters
    ----------
    n_events : int
        Number of events, >= 0.
    pairs : ndarray of shape (n_pairs, 2), int
        Positions of linked events; direction, repetition and links from an event to itself make no difference.
    seed : int
        Another seed gives another picture.

    Returns
    -------
    ndarray of shape (n_events, 2), float64
        x in [0, BOX[0]], y in [0, BOX[1]], filled along at least one side and centred along the other.

    Raises
    ------
    ValueError
        If `pairs` has another shape or names an event that is not there.

    References
    ----------
    T. Kamada, S. Kawai (1989), An algorithm for drawing general undirected graphs. L. McInnes, J. Healy, J. Melville (2018), UMAP.
    """
    links = distinct_links(n_events, pairs)
    groups = connected_groups(n_events, links)
    place = np.empty(n_events, dtype=np.intp)
    owner = np.empty(n_events, dtype=np.intp)
    for number, group in enumerate(groups):
        place[group] = np.arange(len(group))
        owner[group] = number
    by_group = np.argsort(owner[links[:, 0]], kind="stable")
    bounds = np.searchsorted(owner[links[by_group, 0]], np.arange(len(groups) + 1))
    pictures = [
        group_positions(len(group), place[links[by_group[bounds[number] : bounds[number + 1]]]], seed=seed)
        for number, group in enumerate(groups)
    ]
    positions = np.zeros((n_events, 2))
    for group, picture in zip(groups, packed(pictures), strict=True):
        positions[group] = picture
    return fitted(positions)


def distinct_links(n_events: int, pairs: IntArray) -> IntArray:
    """Each undirected link once, lower position first, without links from an event to itself; shape (n_links, 2)."""
    given = np.asarray(pairs, dtype=np.intp)
    if given.size == 0:
        return np.empty((0, 2), dtype=np.intp)
    if given.ndim != 2 or given.shape[1] != 2:
        raise ValueError(f"pairs must have shape (n_pairs, 2), got {given.shape}")
    if given.min() < 0 or given.max() >= n_events:
        raise ValueError(f"pairs must name events from 0 to {n_events - 1}, got {int(given.min())} to {int(given.max())}")
    ordered = np.sort(given[given[:, 0] != given[:, 1]], axis=1)
    keys = np.unique(ordered[:, 0] * n_events + ordered[:, 1])
    return np.column_stack([keys // n_events, keys % n_events])


def connected_groups(n_events: int, links: IntArray) -> list[IntArray]:
    """Positions of the events of each connected group, the group with the earliest event first; together all events."""
    label = np.arange(n_events, dtype=np.intp)
    a, b = links[:, 0], links[:, 1]
    while (label[a] != label[b]).any():
        lower = np.minimum(label[a], label[b])
        np.minimum.at(label, label[a], lower)
        np.minimum.at(label, label[b], lower)
        # Following labels to their own label halves the way that a long chain has to go.
        while (label != label[label]).any():
            label = label[label]
    order = np.argsort(label, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(label[order])) + 1) if n_events else []
