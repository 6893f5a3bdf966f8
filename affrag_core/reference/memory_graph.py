"""`MemoryGraph` of the first reference: a NetworkX graph of event dictionaries, compiled when it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import networkx as nx

from affrag_core.config import ALSConfig, CPTConfig
from affrag_core.graph.structure import EventGraph
from affrag_core.reference.als import LinkNode
from affrag_core.reference.logs import Logger
from affrag_core.reference.lookups import Lookup
from affrag_core.reference.traversal import CPTResult, execute_context_path_traversal
from affrag_core.retrieval.als import LinkScorer


class _Link(NamedTuple):
    source: Any
    target: Any
    relation: str


class MemoryGraph:
    """A directed graph of events, each a dictionary.

    Whoever edits `graph` by hand calls `recompile` afterwards.

    References
    ----------
    seeds/affective_rag.md, "API Reference".
    """

    def __init__(self) -> None:
        self.graph: nx.DiGraph[Any] = nx.DiGraph()
        self._logger: Logger | None = None
        self._compiled: EventGraph | None = None
        self._scorer: LinkScorer | None = None
        self._changed: dict[Any, None] = {}
        self._more_links: list[_Link] = []

    def add_event(self, event_id: str, event_data: dict[str, Any]) -> None:
        """Add an event, or update the fields given of one that is there."""
        self.graph.add_node(event_id, **{"id": event_id, **event_data})
        self._changed[event_id] = None

    def add_edge(self, from_event: str, to_event: str, **attrs: Any) -> None:
        """Link two events; one that is missing is added without data."""
        added = [event_id for event_id in (from_event, to_event) if event_id not in self.graph]
        is_new = not self.graph.has_edge(from_event, to_event)
        self.graph.add_edge(from_event, to_event, **attrs)  # first, as it refuses an id that cannot be one
        self._changed.update(dict.fromkeys(added))
        if is_new:
            self._more_links.append(_Link(from_event, to_event, str(attrs.get("relation", ""))))

    def get_event(self, event_id: str) -> dict[str, Any]:
        """A copy of an event's data; KeyError if there is no such event."""
        return dict(self.graph.nodes[event_id])

    def neighbors(self, event_id: str) -> list[str]:
        """Ids of the events that it links to."""
        return list(self.graph.successors(event_id))

    def predecessors(self, event_id: str) -> list[str]:
        """Ids of the events that link to it."""
        return list(self.graph.predecessors(event_id))

    def nodes(self) -> list[str]:
        """All event ids, in order of insertion."""
        return list(self.graph.nodes)

    def edges(self) -> list[tuple[str, str, dict[str, Any]]]:
        """All links with their attributes."""
        return list(self.graph.edges(data=True))

    def has_node(self, event_id: str) -> bool:
        """Whether there is such an event."""
        return bool(self.graph.has_node(event_id))

    def subgraph(self, nodes: Iterable[str]) -> nx.DiGraph[Any]:
        """A copy of some events and the links between them."""
        return self.graph.subgraph(nodes).copy()

    def set_logging(self, enabled: bool, logger_provider: Logger | None = None) -> None:
        """Send the log records of later retrievals to a function, or print them where none is given."""
        logger = print if logger_provider is None else logger_provider
        self._logger = logger if enabled else None

    def recompile(self) -> None:
        """Forget what was compiled, after `graph` was edited by hand."""
        self._compiled = self._scorer = None
        self._changed.clear()
        self._more_links.clear()

    def retrieve(
        self,
        query: Any,
        *,
        vector_lookup: Lookup,
        cpt_config: CPTConfig | None = None,
        event_data_provider: Callable[[str], dict[str, Any]] | None = None,
        **kwargs: Any,
    ) -> CPTResult:
        """Run Context Path Traversal; see `execute_context_path_traversal`, which also takes `kwargs` such as ``score_fn``."""
        return execute_context_path_traversal(
            memory_store=self,
            query=query,
            vector_store_lookup_function=vector_lookup,
            cpt_config=cpt_config or CPTConfig(),
            event_data_provider=event_data_provider,
            logger=self._logger,
            **kwargs,
        )

    def link_scorer(self, config: ALSConfig) -> LinkScorer:
        """Scored links of the graph as it is now; what did not change is kept."""
        graph = self._compile()
        if self._scorer is None or self._scorer.graph is not graph or self._scorer.config != config:
            self._scorer = LinkScorer(graph, config)
        return self._scorer

    def _compile(self) -> EventGraph:
        if self._compiled is None:
            nodes = [LinkNode.read(data, event_id) for event_id, data in self.graph.nodes(data=True)]
            links = (_Link(a, b, str(data.get("relation", ""))) for a, b, data in self.graph.edges(data=True))
            self._compiled = EventGraph.build(nodes, links)
        elif self._changed or self._more_links:
            nodes = [LinkNode.read(self.graph.nodes[event_id], event_id) for event_id in self._changed]
            self._compiled = self._compiled.with_changes(nodes, put_links=self._more_links)
        self._changed.clear()
        self._more_links.clear()
        return self._compiled


MemoryStore = MemoryGraph
"""The older name."""
