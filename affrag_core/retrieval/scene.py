"""What one retrieval sees: a workspace at one version, as of one time, from one question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from affrag_core.config import RetrievalConfig
from affrag_core.events.event import Event
from affrag_core.events.kinds import DocumentKind
from affrag_core.graph.structure import EventGraph
from affrag_core.retrieval.similarity import QuerySimilarity
from affrag_core.retrieval.temporal import TimeTable, validity
from affrag_core.retrieval.temporal_layer import TimeScores, time_scores

IntArray = npt.NDArray[np.intp]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A workspace at one version.

    Parameters
    ----------
    version : int
    events : sequence of Event
    graph : EventGraph
    times : TimeTable
    successors : list of (int, int)
        Pairs (newer, older) of positions: the newer says that it supersedes the older, which is VERSIONED.
    """

    version: int
    events: Sequence[Event]
    graph: EventGraph
    times: TimeTable
    successors: list[tuple[int, int]]

    @classmethod
    def of(cls, version: int, events: Sequence[Event], graph: EventGraph) -> Snapshot:
        """Compile what does not depend on a question."""
        index = graph.index
        successors = [
            (newer, index[event.supersedes_id])
            for newer, event in enumerate(events)
            if event.supersedes_id in index and event.supersedes_id != event.id
        ]
        versioned = [(a, b) for a, b in successors if events[b].kind is DocumentKind.VERSIONED]
        return cls(version, events, graph, TimeTable.of(events), versioned)


@dataclass(frozen=True, slots=True)
class Scene:
    """A snapshot as of a time, with a question.

    Parameters
    ----------
    snapshot : Snapshot
    config : RetrievalConfig
    now_s : float
        Seconds since 1970.
    similarity : QuerySimilarity
    exists, expired : ndarray of shape (n_events,), bool
        Dated no later than now (or asked to include the future); outside its window.
    superseded_by : dict of int to int
        VERSIONED events and the valid event that supersedes them: the newest of several, of equal ones the last inserted.
    """

    snapshot: Snapshot
    config: RetrievalConfig
    now_s: float
    similarity: QuerySimilarity
    exists: BoolArray
    expired: BoolArray
    superseded_by: dict[int, int]

    @classmethod
    def of(cls, snapshot: Snapshot, config: RetrievalConfig, now_s: float, similarity: QuerySimilarity) -> Scene:
        """Look at a snapshot as of a time."""
        created = snapshot.times.created_s
        exists = np.ones(len(created), dtype=bool) if config.include_future else ~(created > now_s)
        expired = validity(snapshot.times, now_s).expired
        valid = exists & ~expired
        since = np.where(np.isnan(created), -np.inf, created)  # an undated one counts as the oldest
        superseded: dict[int, int] = {}
        for newer, older in snapshot.successors:
            rival = superseded.get(older)
            if valid[newer] and (rival is None or since[newer] >= since[rival]):
                superseded[older] = newer
        return cls(snapshot, config, now_s, similarity, exists, expired, superseded)

    @property
    def uses_time(self) -> bool:
        """Whether the temporal layer's filters apply."""
        return self.config.mode in ("temporal", "combined")

    def time_scores(self, positions: Sequence[int] | IntArray, span: tuple[float, float] | None) -> TimeScores:
        """Temporal parts of any events, recency against the ages of a pool."""
        at = np.asarray(positions, dtype=np.intp)
        return time_scores(self.snapshot.times.take(at), self.similarity.of(at), self.now_s, span, self.config.temporal)

    def blocked(self) -> frozenset[int]:
        """Positions that a path may not step onto."""
        closed = ~self.exists
        if self.config.mode == "combined" and not self.config.walk_expired:
            closed = closed | self.expired
        dropped = self.superseded_by if self.config.mode == "combined" and self.config.drop_superseded else ()
        return frozenset(np.flatnonzero(closed).tolist()).union(dropped)

    def why_blocked(self, position: int) -> str:
        """The outcome of a candidate that may not be stepped onto."""
        if not self.exists[position]:
            return "after as_of"
        return "expired" if self.expired[position] and not self.config.walk_expired else "superseded"
