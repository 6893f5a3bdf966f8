"""Arbitrary events and edges for property tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from affrag_core.events.edge import Edge
from affrag_core.events.event import Emotion, Event
from affrag_core.events.kinds import DocumentKind

WORDS = st.text(min_size=1, max_size=20).filter(str.strip)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
METADATA = st.dictionaries(st.text(max_size=8), JSON_VALUES, max_size=3)
TIMES = st.none() | st.datetimes()
UNIT = st.floats(-1, 1)


def vectors(dim: int, dtype: type) -> st.SearchStrategy:
    width = 32 if dtype is np.float32 else 64
    return st.none() | arrays(dtype, dim, elements=st.floats(width=width, allow_nan=False, allow_infinity=False))


@st.composite
def windows(draw):
    ends = sorted([draw(st.datetimes()), draw(st.datetimes())])
    return [draw(st.sampled_from([end, None])) for end in ends]


@st.composite
def events(draw, ids=WORDS, dtype=np.float64):
    valid_from, valid_until = draw(windows())
    return Event(
        id=draw(ids),
        text=draw(st.text(min_size=1, max_size=40).filter(str.strip)),
        timestamp=draw(TIMES),
        valid_from=valid_from,
        valid_until=valid_until,
        kind=draw(st.sampled_from(DocumentKind)),
        doc_type=draw(st.just("general") | st.text(max_size=10)),
        supersedes_id=draw(st.none() | WORDS),
        emotion=draw(st.none() | WORDS | st.builds(Emotion, UNIT, UNIT)),
        semantic_vec=draw(vectors(3, dtype)),
        emotional_vec=draw(vectors(2, np.float64)),
        metadata=draw(METADATA),
    )


@st.composite
def event_lists(draw):
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    return draw(st.lists(events(dtype=dtype), min_size=1, max_size=6, unique_by=lambda event: event.id))


@st.composite
def edges_between(draw, ids):
    keys = draw(st.lists(st.tuples(st.sampled_from(ids), st.sampled_from(ids), WORDS), unique=True, max_size=6))
    return [Edge(source=source, target=target, relation=relation, attributes=draw(METADATA)) for source, target, relation in keys]
