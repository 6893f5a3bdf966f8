"""Cases for the first reference: arbitrary graphs, lookups and settings, run by either implementation, and what came of it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import strategies as st

START = datetime(2024, 1, 1, tzinfo=UTC)
GONE = ("gone1", "gone2")
"""Ids that lookups give and no graph holds."""


@dataclass
class Case:
    """One retrieval, in plain types. `lookup` holds hits by text; `store` is what an event provider knows, None without one."""

    events: list[dict[str, Any]]
    edges: list[tuple[str, str]]
    lookup: dict[str, list[tuple[str, float]]]
    config: dict[str, Any] = field(default_factory=dict)
    takes_top_k: bool = False
    store: dict[str, dict[str, Any]] | None = None
    scores: dict[tuple[str, str], float] | str | None = None
    seed: int = 0


def vector_lookup(case: Case) -> Callable[..., list[tuple[str, float]]]:
    """The case's lookup, in one of the two forms that are allowed."""

    def by_query(query: str) -> list[tuple[str, float]]:
        return list(case.lookup.get(query, []))

    def by_query_and_size(query: str, top_k: int | None = None) -> list[tuple[str, float]]:
        return by_query(query)[:top_k]

    return by_query_and_size if case.takes_top_k else by_query


def run(case: Case, library: ModuleType) -> tuple[Any, list[dict[str, Any]]]:
    """The result of a retrieval by one of the libraries, and its log records."""
    graph = library.MemoryGraph()
    for event in case.events:
        graph.add_event(event["id"], event)
    for source, target in case.edges:
        graph.add_edge(source, target)
    settings = dict(case.config)
    if settings.get("activation_als_config") is not None:
        settings["activation_als_config"] = library.ALSConfig(**settings["activation_als_config"])
    extra: dict[str, Any] = {}
    if case.scores == "als":
        extra["score_fn"] = library.calculate_als_score
    elif case.scores is not None:
        extra["score_fn"] = lambda a, b: case.scores[a["id"], b["id"]]
    records: list[dict[str, Any]] = []
    graph.set_logging(True, records.append)
    provider = None if case.store is None else case.store.__getitem__
    config = library.CPTConfig(**settings)
    result = graph.retrieve("QUERY", vector_lookup=vector_lookup(case), cpt_config=config, event_data_provider=provider, **extra)
    return result, records


def found(result: Any) -> list[tuple[list[str], float]]:
    """Ids and score of each path, in order."""
    return [([node["id"] for node in path.nodes], path.score) for path in result.paths]


def alike(a: Any, b: Any, tolerance: float = 1e-9) -> bool:
    """Whether two nested values are of the same types and equal, floats up to a tolerance."""
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(alike(a[key], b[key], tolerance) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(alike(x, y, tolerance) for x, y in zip(a, b, strict=True))
    return bool(a == b)


class _StableOrder(np.ndarray):
    def argsort(self, *args: Any, **options: Any) -> Any:
        return np.argsort(np.asarray(self), kind="stable")


def steady_numpy(rng: np.random.Generator) -> SimpleNamespace:
    """NumPy as `affective-rag` uses it, with its draws from one generator, and equal shares in the same order on every machine."""
    return SimpleNamespace(
        array=lambda *args, **options: np.array(*args, **options).view(_StableOrder),
        ones_like=np.ones_like,
        exp=np.exp,
        arange=np.arange,
        random=SimpleNamespace(default_rng=lambda: rng),
    )


# Hypothesis chooses the settings; the rest comes from a seeded stream, so that graphs stay rich and no number lies within rounding of
# a threshold or of another score.


@st.composite
def cases(draw: st.DrawFn, *, drawing: bool = False) -> Case:
    """A graph of up to seven events with twins, missing fields, self-loops and lost ids, under any settings; `drawing` at random too."""
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    events = draw(graph_events(rng))
    ids = [event["id"] for event in events]
    share = draw(st.sampled_from([0.8, 0.6, 0.4, 0.2]))
    edges = [(a, b) for a in ids for b in rng.sample(ids, len(ids)) if rng.random() < share]
    texts = ["QUERY", *(event[name] for event in events for name in ("text", "content") if name in event)]
    unknown = draw(st.none() | st.sets(st.sampled_from([*ids, *GONE]), max_size=2))
    store = None if unknown is None else {i: {"id": i, **_numbers(rng), "text": f"stored {i}"} for i in [*ids, *GONE] if i not in unknown}
    texts += [] if store is None else [event["text"] for event in store.values()]
    table = {(a, b): round(rng.gauss(0, 1), 3) for a in [*ids, *GONE] for b in [*ids, *GONE]}
    return Case(
        events=events,
        edges=edges,
        lookup={text: [(i, rng.uniform(-0.2, 1)) for i in _hits(rng, ids)] for text in dict.fromkeys(texts)},
        config=draw(settings(rng)) | (draw(sampling()) if drawing else {}),
        takes_top_k=draw(st.booleans()),
        store=store,
        scores=draw(st.sampled_from([None, None, "als", table])),
    )


def _hits(rng: random.Random, ids: list[str]) -> list[str]:
    """Some ids in any order, some twice, some that no graph holds."""
    return rng.choices(ids, k=rng.choice([1, 2, 3, 4, 5, 6])) + rng.sample(GONE, rng.randrange(2))


@st.composite
def graph_events(draw: st.DrawFn, rng: random.Random) -> list[dict[str, Any]]:
    """Up to seven events; some lack fields, some are twins of an earlier one in all that is scored."""
    events: list[dict[str, Any]] = []
    for i in range(draw(st.sampled_from([5, 6, 7, 4, 3, 1]))):
        numbers = _numbers(rng)
        for name in [name for name in numbers if rng.random() < 0.15]:
            del numbers[name]
        if i and rng.random() < 0.2:
            twin = rng.randrange(i)
            numbers = {name: value for name, value in events[twin].items() if name not in ("id", "text", "content")}
        words = rng.choice([{"text": f"text {i}"}] * 3 + [{"content": f"content {i}"}, {"text": ""}, {}])
        events.append({"id": f"e{i}", **words, **numbers})
    return events


def _numbers(rng: random.Random) -> dict[str, Any]:
    """Vectors and a time; a vector is zero now and then."""
    scale = rng.choice([0.0, 1.0, 1.0, 1.0, 10.0])
    return {
        "semantic_vec": [scale * rng.gauss(0, 1) for _ in range(4)],
        "emotional_vec": [rng.random() for _ in range(3)],
        "timestamp": (START + timedelta(minutes=rng.randrange(60 * 24 * 60))).isoformat().replace("+00:00", rng.choice(["Z", "+02:00"])),
    }


@st.composite
def settings(draw: st.DrawFn, rng: random.Random) -> dict[str, Any]:
    """Every setting of a traversal but random sampling; each is left at its default now and then."""
    own = dict(zip(["semantic_weight", "emotional_weight", "temporal_weight", "bias"], [rng.gauss(0, 1) for _ in range(4)], strict=True))
    choices: dict[str, st.SearchStrategy[Any]] = {
        "seed_nodes": st.sampled_from([3, 2, 6, 4, 5, 1, 7, 0]),
        "max_depth": st.sampled_from([2, 3, 4, 5, 1, 0]),
        "max_neighbors": st.integers(0, 4),
        "branching_factor": st.integers(0, 3),
        "min_als_score": st.sampled_from([None, 0.0, rng.uniform(-0.5, 0.7)]),
        "top_k": st.sampled_from([None, 1, 2, 3, 0]),
        "top_p": st.sampled_from([None, 0.0, 1e-9, 0.37, 0.81]),
        "cache_event_data": st.booleans(),
        "spreading_activation": st.sampled_from([True, True, False]),
        "activation_top_k": st.sampled_from([None, 0, 1, 2, 5]),
        "activation_top_p": st.sampled_from([None, 0.0, 0.37, 0.81, 1.0]),
        "activation_min_score": st.sampled_from([None, 0.0, rng.random()]),
        "activation_as_neighbors": st.booleans(),
        "activation_score_multiplier": st.sampled_from([0.0, 0.5, 1.0, 2.0, -1.0]),
        "activation_als_config": st.sampled_from([None, own]),
    }
    chosen = [name for name in choices if rng.random() < 0.4]
    return {name: draw(choices[name]) for name in chosen}


@st.composite
def sampling(draw: st.DrawFn) -> dict[str, Any]:
    """Settings of random sampling, at a hop and for activated events."""
    temperatures = st.sampled_from([None, 0.0, 1e-9, 0.5, 5.0])
    return {
        "spreading_activation": draw(st.sampled_from([True, True, False])),
        "activation_top_k": draw(st.sampled_from([1, 2, 5, None])),
        "random_sampling": draw(st.booleans()),
        "sampling_temperature": draw(temperatures),
        "activation_random": draw(st.sampled_from([None, True, False])),
        "activation_sampling_temperature": draw(temperatures),
    }
