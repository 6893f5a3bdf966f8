"""Which events are drawn where there are more than a picture can hold, and a sentence that says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from affrag_core.graph.structure import EventGraph

IntArray = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """The events that a picture shows.

    Parameters
    ----------
    indices : ndarray of shape (n_drawn,), int
        Positions of events in the graph, rising.
    sentence : str
        How many of how many, and why these.
    budget : int
        The most that were allowed.
    """

    indices: IntArray
    sentence: str
    budget: int


def drawn_events(graph: EventGraph, *, budget: int, paths: Iterable[Sequence[str]] = (), focus: Iterable[str] = ()) -> Drawn:
    """Choose events to draw: all if they fit, else the paths, then the events in focus, then their neighbours, then the largest hubs.

    Neighbours and hubs come by falling degree, equal ones in order of insertion. Ids that the graph does not have are passed over.

    Parameters
    ----------
    graph : EventGraph
    budget : int
        The most events to draw, >= 1; never exceeded, also where the paths alone are more.
    paths : iterable of sequences of str
        Event ids of each path, the most important path first.
    focus : iterable of str
        Ids of other events to show, such as the one that is looked at.

    Raises
    ------
    ValueError
        If `budget` is below 1.
    """
    if budget < 1:
        raise ValueError(f"budget must be at least 1, got {budget}")
    n = len(graph)
    on_paths = _known(graph, (event_id for path in paths for event_id in path))
    in_focus = [i for i in _known(graph, focus) if i not in set(on_paths)]
    if n <= budget:
        return Drawn(np.arange(n), _all_sentence(n), budget)
    first = (on_paths + in_focus)[:budget]
    by_degree = np.argsort(-graph.degree, kind="stable")
    near = _in_order(by_degree, _neighbourhood(graph, first), without=first)
    chosen = (first + near)[:budget]
    hubs = _in_order(by_degree, np.ones(n, dtype=bool), without=chosen)[: budget - len(chosen)]
    indices = np.sort(np.array(chosen + hubs, dtype=np.intp))
    reason = _reason(len(on_paths), len(in_focus), n_near=len(near), n_hubs=len(hubs), budget=budget)
    return Drawn(indices, f"{len(indices):,} of {n:,} events shown: {reason}", budget)


def _known(graph: EventGraph, ids: Iterable[str]) -> list[int]:
    """Positions of the ids that the graph has, each once, in order."""
    return list(dict.fromkeys(graph.index[event_id] for event_id in ids if event_id in graph.index))


def _neighbourhood(graph: EventGraph, centre: list[int]) -> npt.NDArray[np.bool_]:
    """True for events that a link leads to from `centre`, or from which one leads there; shape (n_events,)."""
    near = np.zeros(len(graph), dtype=bool)
    inside = np.zeros(len(graph), dtype=bool)
    inside[centre] = True
    source = np.repeat(np.arange(len(graph)), np.diff(graph.indptr))
    near[graph.targets[inside[source]]] = True
    near[source[inside[graph.targets]]] = True
    return near


def _in_order(order: IntArray, wanted: npt.NDArray[np.bool_], *, without: list[int]) -> list[int]:
    wanted = wanted.copy()
    wanted[without] = False
    found: list[int] = order[wanted[order]].tolist()
    return found


def _all_sentence(n: int) -> str:
    if n == 0:
        return "There are no events to show."
    return "The only event is shown." if n == 1 else f"All {n:,} events shown."


def _reason(n_on_paths: int, n_in_focus: int, *, n_near: int, n_hubs: int, budget: int) -> str:
    if n_on_paths > budget:
        return f"the paths hold {n_on_paths:,} events, more than the {budget:,} allowed here, so not even they are complete."
    parts = ["the paths"] if n_on_paths else []
    if n_in_focus:
        parts.append("the event looked at" if n_in_focus == 1 else "the events looked at")
    if n_near:
        complete = n_on_paths + n_in_focus + n_near <= budget
        their = "its" if parts == ["the event looked at"] else "their"
        room = n_on_paths + n_in_focus < budget
        parts += [f"{their} neighbourhood" if complete else f"part of {their} neighbourhood"] if room else []
    if n_hubs:
        parts.append("the largest hubs")
    return (" and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]) + "."
