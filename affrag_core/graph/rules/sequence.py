"""Each event to the next in time."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from affrag_core.config import FrozenConfig
from affrag_core.events.proposals import NEXT_IN_TIME, left_out, next_in_time
from affrag_core.graph.rules.view import Proposal, RuleView


class NextInTime(FrozenConfig):
    """Link each event to the next in time, within a thread, a speaker, a day or any column."""

    rule: Literal["next in time"] = "next in time"
    relation: str = Field(NEXT_IN_TIME, min_length=1, description="What the new links mean.")
    within: str | None = Field(None, description="Only among events with the same value: day, doc_type, kind, emotion or a column.")

    def propose(self, view: RuleView) -> Proposal:
        """The links, in order of time; events without a time or a value are left out."""
        edges = next_in_time(view.events, within=self.within, relation=self.relation)
        return Proposal(edges, left_out(view.events, within=self.within))
