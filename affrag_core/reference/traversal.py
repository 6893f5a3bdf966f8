"""`execute_context_path_traversal` of the first reference: callables in, ranked paths out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, SkipValidation

from affrag_core.config import DEFAULT_ALS_CONFIG, CPTConfig
from affrag_core.reference.als import calculate_als_score
from affrag_core.reference.logs import Logger, log_traversal
from affrag_core.reference.lookups import Lookup, activation_lookup, seed_hits
from affrag_core.reference.neighbourhoods import CompiledNeighbourhood, Fetch, PlainNeighbourhood, ScoreFn
from affrag_core.retrieval.candidates import WalkRules
from affrag_core.retrieval.sampling import Cut, generator
from affrag_core.retrieval.traversal import traverse

if TYPE_CHECKING:
    from affrag_core.reference.memory_graph import MemoryGraph


class ContextPath(BaseModel):
    """A path: the data of its events in order, and its score, the seed's score plus each hop's.

    An answer, not an input: the events are not copied or checked again, and paths of one result may share an event's dictionary.
    """

    nodes: Annotated[list[dict[str, Any]], SkipValidation]
    score: float


class CPTResult(BaseModel):
    """Paths by falling score."""

    paths: list[ContextPath]


def execute_context_path_traversal(
    memory_store: MemoryGraph,
    query: Any,
    vector_store_lookup_function: Lookup,
    cpt_config: CPTConfig = CPTConfig(),
    score_fn: ScoreFn | None = None,
    event_data_provider: Callable[[str], dict[str, Any]] | None = None,
    logger: Logger | None = None,
) -> CPTResult:
    """Run Context Path Traversal over a memory graph.

    Parameters
    ----------
    memory_store : MemoryGraph
    query : object
        Given to the lookup as it is.
    vector_store_lookup_function : callable
        ``(query)`` or ``(query, top_k)`` to (id, score) pairs, best first.
    cpt_config : CPTConfig
    score_fn : callable, optional
        Two event dictionaries to a score; ALS with the default weights where not given.
    event_data_provider : callable, optional
        Id to event dictionary; the graph's own data where not given.
    logger : callable, optional
        Receives the reference's log records.

    Returns
    -------
    CPTResult

    Raises
    ------
    EventError
        If an event's vectors or time cannot be read, or `score_fn` gives NaN.

    References
    ----------
    seeds/affective_rag.md, "How Context Path Traversal Works".
    """
    hits = seed_hits(vector_store_lookup_function, query, cpt_config.seed_nodes)
    seeds = [(key, score) for key, score in {key: float(score) for key, score in hits}.items() if memory_store.has_node(key)]
    fetch = _fetcher(memory_store, event_data_provider, cached=cpt_config.cache_event_data)
    activate = activation_lookup(vector_store_lookup_function, cpt_config.activation_top_k)
    cut, activation_cut = Cut.of_hop(cpt_config), Cut.of_activation(cpt_config)
    rules: WalkRules[Any] = WalkRules(cpt_config, cut, activation_cut, generator(cpt_config))
    by_als = score_fn is None or score_fn is calculate_als_score
    if by_als and event_data_provider is None:
        scorer = memory_store.link_scorer(DEFAULT_ALS_CONFIG)
        compiled = CompiledNeighbourhood(scorer, fetch, activate, cpt_config.activation_als_config)
        index, ids = scorer.graph.index, scorer.graph.ids
        walks = traverse([(index[key], score) for key, score in seeds], compiled, rules).walks
        found = [(tuple(map(ids.__getitem__, walk.path)), walk.score) for walk in walks]
    else:
        score, own = calculate_als_score if score_fn is None else score_fn, cpt_config.activation_als_config
        apart = partial(calculate_als_score, als_config=own) if by_als and own is not None else score
        plain = traverse(seeds, PlainNeighbourhood(memory_store, fetch, activate, score, apart), rules)
        found = [(walk.path, walk.score) for walk in plain.walks]
    # The caller's own dictionaries stay theirs, whatever is done to a result.
    answer: Fetch = fetch if event_data_provider is None else lambda key: dict(fetch(key))
    paths = [ContextPath(nodes=list(map(answer, keys)), score=score) for keys, score in found]
    if logger is not None:
        log_traversal(logger, query, cpt_config, hits, seeds, [(keys, path) for (keys, _), path in zip(found, paths, strict=True)])
    return CPTResult(paths=sorted(paths, key=lambda path: -path.score))


def _fetcher(memory_store: MemoryGraph, provider: Callable[[str], dict[str, Any]] | None, *, cached: bool) -> Fetch:
    """Event data from the provider or the graph, each event once where cached."""
    fetch: Fetch = memory_store.get_event if provider is None else provider
    if not cached:
        return fetch
    return _Fetched(fetch).__getitem__


class _Fetched(dict[Any, dict[str, Any]]):
    """Event data by id, fetched when it is first asked for."""

    def __init__(self, fetch: Fetch) -> None:
        super().__init__()
        self._fetch = fetch

    def __missing__(self, key: Any) -> dict[str, Any]:
        data = self[key] = self._fetch(key)
        return data
