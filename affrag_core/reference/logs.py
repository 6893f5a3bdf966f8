"""The first reference's log records of a traversal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from affrag_core.config import CPTConfig

Logger = Callable[[dict[str, Any]], object]


class LoggedPath(Protocol):
    """A path as the log shows it."""

    nodes: list[dict[str, Any]]
    score: float


def log_traversal(
    logger: Logger,
    query: Any,
    config: CPTConfig,
    hits: Sequence[tuple[Any, float]],
    seeds: Sequence[tuple[Any, float]],
    paths: Sequence[tuple[tuple[Any, ...], LoggedPath]],
) -> None:
    """Tell a logger what a traversal did: the query and its settings, each seed, then each path found from it.

    Parameters
    ----------
    logger : callable
        Receives one dictionary a record.
    query : object
    config : CPTConfig
    hits : sequence of (id, score)
        What the lookup gave.
    seeds : sequence of (id, score)
        Those of them that the graph holds.
    paths : sequence of (ids, path)
        In order of discovery.

    References
    ----------
    seeds/affective_rag.md, "Observability".
    """
    settings = {name: getattr(config, name) for name in ("max_depth", "seed_nodes", "max_neighbors", "min_als_score", "cache_event_data")}
    logger(
        {
            "event": "Context Path Retrieval",
            "type": "synchronous",
            "query": str(query),
            "config": settings,
            "seed_nodes": [(key, score) for key, score in hits],
        }
    )
    number = 0
    for seed, score in seeds:
        logger({"event": "Building Context Path", "path_number": number + 1, "seed_node": seed, "seed_score": score})
        for keys, path in paths:
            if keys[0] == seed:
                number += 1
                logger(_path_record(number, keys, path))


def _path_record(number: int, keys: tuple[Any, ...], path: LoggedPath) -> dict[str, Any]:
    return {
        "event": "Full Context Path",
        "path_number": number,
        "node_ids": list(keys),
        "score": path.score,
        "context_contributed": [node.get("text", node.get("content", "<no text>")) for node in path.nodes],
    }
