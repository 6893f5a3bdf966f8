"""What changed between two versions, as long as this process remembers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from affrag_core.events.edge import Edge, EdgeKey
from affrag_core.events.event import Event
from affrag_core.events.source import Changes

K = TypeVar("K", str, EdgeKey)

MAX_STEPS = 256
"""How many versions back `ChangeLog` can tell what changed."""


@dataclass(frozen=True, slots=True)
class Step:
    """Ids and keys that one change dropped, then added at the end, then replaced in their places.

    `in_order` is False where something came into the middle of the order, which `Changes` has no word for.
    """

    version: int
    dropped_events: tuple[str, ...] = ()
    dropped_edges: tuple[EdgeKey, ...] = ()
    added_events: tuple[str, ...] = ()
    added_edges: tuple[EdgeKey, ...] = ()
    replaced_events: tuple[str, ...] = ()
    in_order: bool = True


class ChangeLog:
    """The steps since `floor`, the version at which remembering began."""

    def __init__(self, version: int) -> None:
        self.floor = version
        self._steps: deque[Step] = deque()

    def add(self, step: Step) -> None:
        """Remember one more step, and forget the oldest beyond `MAX_STEPS`."""
        self._steps.append(step)
        if len(self._steps) > MAX_STEPS:
            self.floor = self._steps.popleft().version

    def since(self, version: int, events: Mapping[str, Event], edges_of: Callable[[Iterable[EdgeKey]], list[Edge]]) -> Changes | None:
        """Net changes after a version.

        Parameters
        ----------
        version : int
            One that this workspace had.
        events, edges_of
            Where the present state of an id or of keys is found.

        Returns
        -------
        Changes or None
            An event that was deleted and added again stands in both `deleted_events` and `put_events`: delete first. None where
            `version` is no longer, or not yet, known, and where something was put back into the middle of the order.
        """
        newest = self._steps[-1].version if self._steps else self.floor
        if not self.floor <= version <= newest:
            return None
        steps = [step for step in self._steps if step.version > version]
        if not all(step.in_order for step in steps):
            return None
        put_events, deleted_events = _net((step.dropped_events, step.added_events, step.replaced_events) for step in steps)
        put_edges, deleted_edges = _net((step.dropped_edges, step.added_edges, ()) for step in steps)
        return Changes(
            put_events=tuple(events[id_] for id_ in put_events),
            deleted_events=deleted_events,
            put_edges=tuple(edges_of(put_edges)),
            deleted_edges=deleted_edges,
        )


def _net(steps: Iterable[tuple[Iterable[K], Iterable[K], Iterable[K]]]) -> tuple[list[K], frozenset[K]]:
    """What is put in the end, in order, and what was there at first and went."""
    was_there: dict[K, bool] = {}
    put: dict[K, None] = {}
    deleted: set[K] = set()
    for dropped, added, replaced in steps:
        for key in dropped:
            put.pop(key, None)
            if was_there.setdefault(key, True):
                deleted.add(key)
        for key in added:
            was_there.setdefault(key, False)
            put[key] = None
        for key in replaced:
            was_there.setdefault(key, True)
            put[key] = None
    return list(put), frozenset(deleted)
