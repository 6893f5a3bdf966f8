"""What a retriever reads: anything that has events, edges and a version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from affrag_core.events.edge import Edge
from affrag_core.events.event import Event


@dataclass(frozen=True, slots=True)
class Changes:
    """What happened between two versions: final states only, in the order in which they first appeared.

    `put_events` holds added and updated events (an updated one keeps its place), `put_edges` added edges; an edge whose
    attributes changed counts as neither. Deleting an event deletes its edges, which are listed too.
    """

    put_events: tuple[Event, ...] = ()
    deleted_events: frozenset[str] = field(default_factory=frozenset)
    put_edges: tuple[Edge, ...] = ()
    deleted_edges: frozenset[tuple[str, str, str]] = field(default_factory=frozenset)


class EventSource(Protocol):
    """What `Retriever` asks of a workspace."""

    @property
    def version(self) -> int:
        """Grows by at least one with every change."""

    @property
    def semantic_space(self) -> str | None:
        """Name of the encoder that made the semantic vectors; None where unknown."""

    @property
    def emotional_space(self) -> str | None:
        """Name of what made the emotional vectors; None where unknown."""

    def events(self) -> Sequence[Event]:
        """All events in order of insertion."""

    def edges(self) -> Sequence[Edge]:
        """All edges in order of insertion."""

    def changes_since(self, version: int) -> Changes | None:
        """What changed after `version`; None if that is no longer known and everything must be read again."""
