"""The words that the stages of a retrieval share: scored rows, candidates, hops and walks."""

from __future__ import annotations

from collections.abc import Container, Hashable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import numpy as np

from affrag_core.config import CPTConfig

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ScoredRow(Generic[Key]):
    """The links of one event, scored.

    Parameters
    ----------
    targets : list
        Keys of the neighbours, in the graph's order.
    scores : list of float
    order : list of int
        Positions by falling score, ties in the graph's order.
    """

    targets: list[Key]
    scores: list[float]
    order: list[int]


def scored_row(targets: list[Key], scores: list[float]) -> ScoredRow[Key]:
    """A row with its order."""
    return ScoredRow(targets, scores, sorted(range(len(scores)), key=lambda i: -scores[i]))


class CutRule(Protocol):
    """How a list of scored candidates is cut."""

    @property
    def top_k(self) -> int | None:
        """At most this many stay."""

    @property
    def top_p(self) -> float | None:
        """Only the best that together hold this share stay."""

    @property
    def temperature(self) -> float | None:
        """A random draw at this temperature; None takes the best."""

    def apply(self, scores: list[float], rng: np.random.Generator | None) -> list[int]:
        """Positions that stay: drawn ones in the order drawn, else best first with ties in order."""


class Neighbourhood(Protocol[Key]):
    """What a traversal asks about an event."""

    def row(self, current: Key) -> ScoredRow[Key] | None:
        """Its neighbours, scored; None if nothing is known of the event, which ends and drops the path."""

    def activated(self, current: Key) -> list[tuple[Key, float]]:
        """Events of like meaning with their similarity, best first, itself not yet left out."""

    def scores(self, current: Key, targets: list[Key], *, apart: bool) -> list[float | None]:
        """Link scores to any events; None where nothing is known of one. `apart`: by the activation's own weights where set."""


@dataclass(frozen=True, slots=True)
class WalkRules(Generic[Key]):
    """What a traversal obeys.

    Parameters
    ----------
    config : CPTConfig
    hop_cut, activation_cut : CutRule
        For all candidates of a hop, and for its activated events.
    rng : numpy.random.Generator, optional
        Needed where a cut draws.
    blocked : container of keys
        Never stepped onto.
    most_walks : int, optional
        More of them, over all seeds, are refused.
    width : int
        How many candidates a path goes on with: the branching factor, within the candidates kept.
    """

    config: CPTConfig
    hop_cut: CutRule
    activation_cut: CutRule
    rng: np.random.Generator | None
    blocked: Container[Key] = frozenset()
    most_walks: int | None = None
    width: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", min(max(1, self.config.branching_factor), max(1, self.config.max_neighbors)))


@dataclass(frozen=True, slots=True)
class Candidates(Generic[Key]):
    """Everything a hop could step onto.

    Parameters
    ----------
    row : ScoredRow
        Scores already multiplied.
    n_neighbours : int
        Positions below this are neighbours by an edge, the rest activated events.
    activated : frozenset
        Keys that the activation brought up, those on the path left out.
    apart : bool
        Whether the activated events stand apart, under their own weights.
    """

    row: ScoredRow[Key]
    n_neighbours: int
    activated: frozenset[Key] = frozenset()
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Hop(Generic[Key]):
    """One step of one path: where it stood, what it could step onto, what it chose.

    Parameters
    ----------
    path : tuple
        Keys so far, the seed first.
    candidates : Candidates
    kept : tuple of int, optional
        Positions that the cut kept, where it could not be repeated without the draw.
    chosen : tuple of int
        Positions stepped onto; empty at a dead end.
    """

    path: tuple[Key, ...]
    candidates: Candidates[Key]
    kept: tuple[int, ...] | None
    chosen: tuple[int, ...]

    @property
    def depth(self) -> int:
        """0 for the hop from a seed."""
        return len(self.path) - 1


@dataclass(slots=True)
class Walk(Generic[Key]):
    """A path as far as it has come."""

    path: tuple[Key, ...]
    seed_score: float
    hop_scores: tuple[float, ...] = ()
    score: float = 0.0
    dead_end: Hop[Key] | None = None


@dataclass(frozen=True, slots=True)
class Traversal(Generic[Key]):
    """All paths in order of discovery, and every hop that was looked at."""

    walks: list[Walk[Key]] = field(default_factory=list)
    hops: list[Hop[Key]] = field(default_factory=list)
