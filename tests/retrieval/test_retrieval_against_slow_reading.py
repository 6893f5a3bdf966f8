"""Every mode against a plain reading of the design, on arbitrary workspaces."""

from __future__ import annotations

from operator import itemgetter

import pytest
from hypothesis import given, settings
from memory_source import MemorySource
from retrieval_cases import NOW, cases
from slow_reading import SlowReading

from affrag_core.retrieval.retriever import Retriever


def near(value):
    return pytest.approx(value, rel=1e-9, abs=1e-12)


def assert_same_fields(got, want):
    assert {name: got[name] for name in want} == {name: near(value) if isinstance(value, float) else value for name, value in want.items()}


def assert_same_hops(got, want):
    """Hops in any order, each with the same candidates in any order."""
    by_path = {tuple(hop["path"]): hop["candidates"] for hop in want}
    assert {tuple(hop["path"]) for hop in got} == by_path.keys()
    for hop in got:
        rows, expected = (sorted(some, key=itemgetter("event_id", "via")) for some in (hop["candidates"], by_path[tuple(hop["path"])]))
        for row, wanted in zip(rows, expected, strict=True):
            assert_same_fields(row, wanted)


def assert_same_ranking(got, want):
    """The same paths with the same scores, in an order that only scores within rounding may turn round."""
    rows, expected = (sorted(paths, key=lambda path: (path["event_ids"], round(path["path_score"], 6))) for paths in (got, want))
    for row, wanted in zip(rows, expected, strict=True):
        assert_same_fields(row, wanted | {"hop_scores": near(wanted["hop_scores"])})
    assert [row["final_score"] for row in got] == near([row["final_score"] for row in want])


@settings(max_examples=250)
@given(cases())
def test_a_retrieval_agrees_with_the_slow_reading(case):
    events, edges, query, config = case
    trace = Retriever(MemorySource(events, edges)).retrieve(query, config, NOW)
    slow = SlowReading(events, edges, query, config, NOW)
    assert [row["event_id"] for row in trace.pool] == [row["event_id"] for row in slow.pool]
    for row, expected in zip(trace.pool, slow.pool, strict=True):
        assert_same_fields(row, expected)
    assert_same_hops(trace.hops, slow.hops)
    assert_same_ranking(trace.paths, slow.paths)
