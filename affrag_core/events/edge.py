"""One directed link between two events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any

from affrag_core.errors import EventError, shortened

EdgeKey = tuple[str, str, str]
"""Source, target, relation: what makes an edge unique."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A link that a traversal may walk from `source` to `target`.

    Parameters
    ----------
    source, target : str
        Ids of events. A link from an event to itself is shown and never walked.
    relation : str
        What the link means. One pair may have several relations; it is still one neighbour.
    attributes : mapping, optional
        Anything else worth keeping, as plain JSON types.

    Raises
    ------
    EventError
        Naming the field and the value.
    """

    source: str
    target: str
    relation: str = "related"
    attributes: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("source", "target", "relation"):
            value = getattr(self, name)
            if not isinstance(value, str) or not value.strip():
                raise EventError(f"{name} must be a text that is not blank, got {shortened(value)}", field=name, event_id=None)
        if not isinstance(self.attributes, Mapping):
            raise EventError(f"attributes must be a mapping, got {shortened(self.attributes)}", field="attributes")
        object.__setattr__(self, "attributes", MappingProxyType(dict(self.attributes)))

    def __reduce__(self) -> tuple[Any, ...]:
        given: dict[str, Any] = {"source": self.source, "target": self.target, "relation": self.relation}
        return partial(Edge, **given, attributes=dict(self.attributes)), ()

    @property
    def key(self) -> EdgeKey:
        """Source, target, relation."""
        return (self.source, self.target, self.relation)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types; `Edge(**d)` gives the edge back."""
        row: dict[str, Any] = {"source": self.source, "target": self.target, "relation": self.relation}
        return row | ({"attributes": dict(self.attributes)} if self.attributes else {})
