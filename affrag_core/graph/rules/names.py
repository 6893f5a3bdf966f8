"""Events that share a name: a person, a place, a thing."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, Literal

from pydantic import Field

from affrag_core.config import FrozenConfig
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.graph.rules.view import Proposal, RuleView


class SharedName(FrozenConfig):
    """Link each event to the next in time that shares a name with it.

    A chain a name, not a link between every two: a name in 1,000 events gives 999 links, and each can still be reached from each.
    """

    rule: Literal["shared name"] = "shared name"
    relation: str = Field("same name", min_length=1, description="What the new links mean; the name itself is kept with each.")
    columns: tuple[str, ...] = Field((), description="Columns that hold a name, or a list of names.")
    names: tuple[str, ...] = Field((), description="Names to look for in the texts, as whole words, in any case.")
    both_ways: bool = Field(True, description="Also link back, so that a path can follow a name into the past.")

    def propose(self, view: RuleView) -> Proposal:
        """The links, name by name as they first appear, in order of time; undated events are left out."""
        patterns = {name.strip().casefold(): _whole_word(name) for name in self.names if name.strip()}
        groups: dict[str, list[Event]] = {}
        undated = 0
        for n_done, event in enumerate(view.events):
            if n_done % 1000 == 0:
                view.step(n_done)
            found = self._names_of(event, patterns)
            if found and event.timestamp is None:
                undated += 1
                continue
            for name in found:
                groups.setdefault(name, []).append(event)
        edges: dict[tuple[str, str], Edge] = {}
        for name, members in groups.items():
            members.sort(key=lambda event: event.timestamp)  # type: ignore[arg-type, return-value]
            for older, newer in pairwise(members):
                self._link(edges, older, newer, name)
        return Proposal(list(edges.values()), {"without a time": undated} if undated else {})

    def _link(self, edges: dict[tuple[str, str], Edge], older: Event, newer: Event, name: str) -> None:
        ends = [(older.id, newer.id), (newer.id, older.id)] if self.both_ways else [(older.id, newer.id)]
        for source, target in ends:
            if (source, target) not in edges:
                edges[(source, target)] = Edge(source=source, target=target, relation=self.relation, attributes={"name": name})

    def _names_of(self, event: Event, patterns: dict[str, re.Pattern[str]]) -> list[str]:
        found = [name for column in self.columns for name in _texts(event.metadata.get(column))]
        found += [name for name, pattern in patterns.items() if pattern.search(event.text)]
        return list(dict.fromkeys(found))


def _whole_word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name.strip())}(?!\w)", re.IGNORECASE)


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, (list, tuple)) else [value]
    return [v.strip().casefold() for v in values if isinstance(v, str) and v.strip()]
