"""Events that name other events: replies, newer versions, columns of ids."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field

from affrag_core.config import FrozenConfig
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.graph.rules.view import Proposal, RuleView

SUPERSEDES = "supersedes_id"


class ByReference(FrozenConfig):
    """Link each event to those that one of its fields names: a reply to what it answers, a version to the one it replaces."""

    rule: Literal["by reference"] = "by reference"
    relation: str = Field("refers to", min_length=1, description="What the new links mean.")
    column: str = Field(SUPERSEDES, min_length=1, description="The field or column that holds an id, or a list of ids.")
    backwards: bool = Field(False, description="Link from the event that is named to the one that names it.")

    def propose(self, view: RuleView) -> Proposal:
        """The links, in order of events; names of events that are not there are counted as left out."""
        known = {event.id for event in view.events}
        edges: list[Edge] = []
        unknown = 0
        for event in view.events:
            for named in _ids(_value(event, self.column)):
                if named not in known:
                    unknown += 1
                elif named != event.id:
                    source, target = (named, event.id) if self.backwards else (event.id, named)
                    edges.append(Edge(source=source, target=target, relation=self.relation))
        return Proposal(edges, {"naming an event that is not there": unknown} if unknown else {})


def _value(event: Event, column: str) -> Any:
    return event.supersedes_id if column == SUPERSEDES else event.metadata.get(column)


def _ids(value: Any) -> Iterable[str]:
    """Ids in a value: a text, a number, or a list of them; each once."""
    values = value if isinstance(value, (list, tuple)) else [value]
    texts = [str(v).strip() for v in values if isinstance(v, (str, int)) and not isinstance(v, bool)]
    return dict.fromkeys(text for text in texts if text)
