"""Arbitrary workspaces and settings for property tests.

Vectors come from a small set without pattern, so that equal events tie exactly and unlike ones never nearly.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
from hypothesis import strategies as st

from affrag_core.config import ALSConfig, CPTConfig, RetrievalConfig, TemporalConfig
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.events.kinds import DocumentKind

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
_RNG = np.random.default_rng(20250601)
SEMANTIC = [_RNG.normal(size=4).astype(np.float32) for _ in range(9)] + [_RNG.normal(size=4) for _ in range(9)] + [np.zeros(4)]
EMOTIONAL = [_RNG.uniform(-1, 1, size=2) for _ in range(12)] + [np.zeros(2)]
QUERIES = [_RNG.normal(size=4) for _ in range(4)] + [SEMANTIC[0], np.zeros(4)]
MODES = ("vector", "temporal", "cpt", "combined")


def event(event_id: str, vector=(1.0, 0.0), *, day: float | None = None, window=(None, None), **fields) -> Event:
    """An event by days from now: when it happened, and its window."""
    when, start, end = (None if d is None else NOW + timedelta(days=d) for d in (day, *window))
    return Event(
        **{"id": event_id, "text": f"about {event_id}", "timestamp": when, "valid_from": start, "valid_until": end, "semantic_vec": vector}
        | fields
    )


def links(*names: str) -> list[Edge]:
    """``ab`` leads from a to b, ``abX`` by the relation X."""
    return [Edge(source=name[0], target=name[1], relation=name[2:] or "next") for name in names]


def settings_for(mode: str = "combined", **options) -> RetrievalConfig:
    """Settings by name, whichever stage they belong to; link weights as ``semantic``, ``emotional``, ``temporal``, ``bias``."""
    weights = {f"{name}_weight": options.pop(name) for name in ("semantic", "emotional", "temporal") if name in options}
    als = ALSConfig(**weights, bias=options.pop("bias", 0.0)) if weights or "bias" in options else ALSConfig(semantic_weight=1.0)
    stages = {"cpt": CPTConfig, "temporal": TemporalConfig}
    parts = {
        stage: made(**{name: options.pop(name) for name in list(options) if name in made.model_fields}) for stage, made in stages.items()
    }
    return RetrievalConfig(mode=mode, als=als, **parts, **options)


def hours_from_now(low: int, high: int) -> st.SearchStrategy[datetime]:
    return st.integers(low, high).map(lambda hours: NOW + timedelta(hours=hours))


@st.composite
def windows(draw):
    start, end = draw(st.none() | hours_from_now(-2000, 50)), draw(st.none() | hours_from_now(-300, 2000))
    return (None, end) if start and end and start > end else (start, end)


@st.composite
def events(draw, n: int):
    made = []
    for i in range(n):
        start, end = draw(st.sampled_from([(None, None), (None, None), draw(windows())]))
        made.append(
            Event(
                id=f"e{i}",
                text=f"memory {i}",
                timestamp=draw(st.none() | hours_from_now(-3000, 30)),
                valid_from=start,
                valid_until=end,
                kind=draw(st.sampled_from(DocumentKind)),
                supersedes_id=draw(st.none() | st.integers(0, n).map("e{}".format)),
                semantic_vec=draw(st.sampled_from([*SEMANTIC, None])),
                emotional_vec=draw(st.sampled_from([*EMOTIONAL, None])),
            )
        )
    return made


def edges(n: int) -> st.SearchStrategy[list[Edge]]:
    if not n:
        return st.just([])
    ends = st.integers(0, n - 1)
    keys = st.lists(st.tuples(ends, ends, st.sampled_from(["next", "because"])), unique=True, max_size=5 * n)
    return keys.map(lambda found: [Edge(source=f"e{a}", target=f"e{b}", relation=relation) for a, b, relation in found])


weights = st.builds(ALSConfig, **dict.fromkeys(ALSConfig.model_fields, st.sampled_from([0.0, 0.0791, -0.5179, 3.147, 1.0, -2.0])))

traversals = st.builds(
    CPTConfig,
    seed_nodes=st.integers(0, 4),
    max_depth=st.integers(0, 4),
    max_neighbors=st.sampled_from([0, 1, 2, 10]),
    branching_factor=st.integers(0, 3),
    min_als_score=st.sampled_from([None, None, 0.0, 0.61, -1.3]),
    top_k=st.sampled_from([None, None, 0, 1, 3]),
    top_p=st.sampled_from([None, None, 0.0, 1e-9, 0.43, 0.91]),
    spreading_activation=st.booleans(),
    activation_top_k=st.sampled_from([None, 0, 1, 2, 5]),
    activation_top_p=st.sampled_from([None, None, 0.37]),
    activation_als_config=st.none() | weights,
    activation_min_score=st.sampled_from([None, 0.11]),
    activation_as_neighbors=st.booleans(),
    activation_score_multiplier=st.sampled_from([1.0, 0.7, -0.3, 0.0]),
)

times = st.builds(
    TemporalConfig,
    decay_half_life_days=st.sampled_from([0.5, 30.0, 3000.0]),
    temporal_weight=st.sampled_from([0.0, 0.35, 0.8, 1.0]),
    max_age_days=st.sampled_from([None, None, 40.0, 0.0]),
    enforce_validity=st.booleans(),
    validity_boost=st.sampled_from([1.2, 0.0, 2.5]),
    min_vector_score=st.sampled_from([0.15, 0.0, 0.6, 1.0]),
    event_min_raw_vector_score=st.sampled_from([0.2, 0.0, -0.5, 0.7]),
)

configs = st.builds(
    RetrievalConfig,
    mode=st.sampled_from(MODES),
    candidate_pool_size=st.sampled_from([1, 3, 20]),
    max_results=st.sampled_from([1, 5]),
    als=weights,
    cpt=traversals,
    temporal=times,
    walk_expired=st.booleans(),
    drop_superseded=st.booleans(),
    include_future=st.booleans(),
    mood=st.sampled_from([None, None, (0.31, -0.72)]),
    mood_weight=st.sampled_from([0.0, 0.5, -1.5]),
)


@st.composite
def cases(draw, smallest: int = 0, largest: int = 9):
    """Events, edges, a question's vector and settings."""
    n = draw(st.integers(smallest, largest))
    return draw(events(n)), draw(edges(n)), draw(st.sampled_from(QUERIES)), draw(configs)
