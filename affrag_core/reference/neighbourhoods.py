"""What a traversal over the reference's graph knows of each event: from compiled arrays, or by plain calls."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Any, Protocol

from affrag_core.config import ALSConfig
from affrag_core.errors import EventError
from affrag_core.retrieval.als import LinkScorer
from affrag_core.retrieval.candidates import ScoredRow, scored_row

Fetch = Callable[[Any], dict[str, Any]]
Activate = Callable[[str], list[tuple[Any, float]]]
ScoreFn = Callable[[dict[str, Any], dict[str, Any]], float]


class Structure(Protocol):
    """The links between events."""

    def has_node(self, event_id: Any) -> bool: ...
    def neighbors(self, event_id: Any) -> list[Any]: ...


def text_of(event: dict[str, Any]) -> str | None:
    """The text that spreading activation looks up."""
    return event.get("text") or event.get("content")


class CompiledNeighbourhood:
    """Events by position in compiled arrays; hits that the graph does not hold get positions below zero and no score.

    Parameters
    ----------
    scorer : LinkScorer
    fetch : callable
        Id to event dictionary.
    activate : callable
        Text to hits.
    own_weights : ALSConfig, optional
        For activated events that stand apart.
    """

    def __init__(self, scorer: LinkScorer, fetch: Fetch, activate: Activate, own_weights: ALSConfig | None) -> None:
        self._scorer, self._fetch, self._activate, self._own = scorer, fetch, activate, own_weights
        self._unknown: dict[Hashable, int] = {}

    def row(self, current: int) -> ScoredRow[int]:
        """Its neighbours with their link scores."""
        return self._scorer.row(current)

    def activated(self, current: int) -> list[tuple[int, float]]:
        """Hits of the event's own text."""
        graph = self._scorer.graph
        text = text_of(self._fetch(graph.ids[current]))
        hits = self._activate(text) if text else []
        return [(self._position(key), score) for key, score in hits]

    def _position(self, key: Any) -> int:
        known = self._scorer.graph.index.get(key)
        return self._unknown.setdefault(key, -1 - len(self._unknown)) if known is None else known

    def scores(self, current: int, targets: list[int], *, apart: bool) -> list[float | None]:
        """Link scores to any events; None for one that the graph does not hold."""
        known = [target for target in targets if target >= 0]
        scored = dict(zip(known, self._scorer.scores(current, known, self._own if apart else None), strict=True))
        return [scored.get(target) for target in targets]


class PlainNeighbourhood:
    """Events by id, fetched and scored by the caller's functions.

    Parameters
    ----------
    structure : Structure
    fetch : callable
        Id to event dictionary; a KeyError means that nothing is known of it.
    activate : callable
        Text to hits.
    score, score_apart : callable
        Two event dictionaries to a score; the second for activated events that stand apart.
    """

    def __init__(self, structure: Structure, fetch: Fetch, activate: Activate, score: ScoreFn, score_apart: ScoreFn) -> None:
        self._structure, self._fetch, self._activate = structure, fetch, activate
        self._score, self._score_apart = score, score_apart

    def row(self, current: Any) -> ScoredRow[Any] | None:
        """Its neighbours that something is known of, scored; None if nothing is known of itself."""
        if self._fetched(current) is None:
            return None
        around = self._structure.neighbors(current) if self._structure.has_node(current) else []
        pairs = zip(around, self.scores(current, around, apart=False), strict=True)
        known = [(key, score) for key, score in pairs if score is not None]
        return scored_row([key for key, _ in known], [score for _, score in known])

    def activated(self, current: Any) -> list[tuple[Any, float]]:
        """Hits of the event's own text."""
        event = self._fetched(current)
        text = text_of(event) if event else None
        return self._activate(text) if text else []

    def scores(self, current: Any, targets: list[Any], *, apart: bool) -> list[float | None]:
        """Scores to any events; None where nothing is known of one."""
        score = self._score_apart if apart else self._score
        here = self._fetched(current) or {}
        return [None if there is None else _checked(score(here, there), current, key) for key, there in self._fetched_all(targets)]

    def _fetched_all(self, keys: list[Any]) -> list[tuple[Any, dict[str, Any] | None]]:
        return [(key, self._fetched(key)) for key in keys]

    def _fetched(self, key: Any) -> dict[str, Any] | None:
        try:
            return self._fetch(key)
        except KeyError:
            return None


def _checked(score: float, source: Any, target: Any) -> float:
    value = float(score)
    if math.isnan(value):
        raise EventError(f"score_fn must give a number, got {score!r} for {source!r} and {target!r}", field="score_fn")
    return value
