"""What a rule looks at, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from affrag_core.errors import CancelledError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.graph.structure import EventGraph

Progress = Callable[[int, int], None]
Cancelled = Callable[[], bool]


@dataclass(frozen=True)
class RuleView:
    """The events that a rule may link.

    Parameters
    ----------
    events : sequence of Event
    progress : callable, optional
        Called with events done and events in all.
    cancelled : callable, optional
        Asked now and then; True stops the rule with `CancelledError`.
    """

    events: Sequence[Event]
    progress: Progress | None = None
    cancelled: Cancelled | None = None

    @cached_property
    def graph(self) -> EventGraph:
        """The events as arrays, without links; compiled when a rule asks for vectors."""
        return EventGraph.build(self.events)

    def step(self, n_done: int) -> None:
        """Report how far a rule is, and stop it on request."""
        if self.cancelled is not None and self.cancelled():
            raise CancelledError(f"Stopped after {n_done:,} of {len(self.events):,} events; no link was added.")
        if self.progress is not None:
            self.progress(n_done, len(self.events))


@dataclass(frozen=True, slots=True)
class Proposal:
    """Links that a rule proposes, and what it could not use.

    Parameters
    ----------
    edges : list of Edge
    left_out : dict of str to int
        How many events it could not use, by reason: "without a time".
    """

    edges: list[Edge]
    left_out: dict[str, int] = field(default_factory=dict)
