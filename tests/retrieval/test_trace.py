"""The trace: plain JSON out and in, rows built when they are read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from memory_source import MemorySource
from retrieval_cases import NOW, cases, event, links, settings_for

from affrag_core.config import ALSConfig
from affrag_core.errors import ConfigError, EventError, ReadError
from affrag_core.retrieval import trace as trace_module
from affrag_core.retrieval.retriever import Retriever
from affrag_core.retrieval.trace import LazyRows, RetrievalTrace

STORY = [event("a", [1.0, 0.0], day=-9), event("b", [1.0, 1.0], day=-5), event("c", [0.0, 1.0], day=-1)]


def story(mode: str = "combined", **options) -> RetrievalTrace:
    source = MemorySource(STORY, links("abX", "abY", "bc"))
    return Retriever(source, encode=lambda text: [1.0, 0.0]).retrieve("what happened?", settings_for(mode, seed_nodes=1, **options), NOW)


def plain(trace: RetrievalTrace) -> dict:
    return json.loads(json.dumps(trace.to_dict(), allow_nan=False))


def test_a_trace_says_what_was_asked_of_what_and_how_long_each_stage_took():
    trace = story()
    row = plain(trace)
    assert (row["query"], row["as_of"], row["mode"]) == ("what happened?", "2025-06-01T12:00:00Z", "combined")
    assert row["versions"] == {"data": 1, "semantic_encoder": "made up", "emotional_encoder": None}
    assert list(row["timings_ms"]) == ["question", "graph", "first stage", "traversal", "ranking"]
    assert all(ms >= 0 for ms in row["timings_ms"].values())
    assert row["config"] == trace.config.model_dump(mode="json")
    assert (trace.as_of, trace.mode) == (NOW, "combined")


def test_every_row_has_the_fields_of_the_design():
    row = plain(story())
    time = set("age_days decay_score recency_score validity_state window validity_multiplier event_relevance_multiplier".split())
    time |= {"temporal_component", "superseded_by"}
    pool = {"event_id", "raw_similarity", "vector_score", "semantic_penalty", "final_score", "is_seed", "outcome", "reason"}
    assert {frozenset(one) for one in row["pool"]} == {frozenset(pool | time)}
    assert {frozenset(hop) for hop in row["hops"]} == {frozenset({"seed", "path", "depth", "runner_up", "margin", "candidates"})}
    candidate = {"event_id", "via", "relations", "similarities", "contributions", "multiplier", "score", "temporal", "outcome"}
    candidates = [one for hop in row["hops"] for one in hop["candidates"]]
    assert {frozenset(one) for one in candidates} == {frozenset(candidate)}
    assert {frozenset(one["temporal"]) for one in candidates} == {frozenset(time | {"raw_similarity", "reason"})}
    assert {frozenset(one["contributions"]) for one in candidates} == {frozenset({"semantic", "emotional", "temporal", "bias"})}
    path = "event_ids seed_score hop_scores path_score normalised_score temporal_component final_score rank margin"
    assert {frozenset(one) for one in row["paths"]} == {frozenset(path.split())}
    assert set(row["term_influence"]) == {"semantic", "emotional", "temporal", "bias"}


@pytest.mark.parametrize("mode", ["vector", "temporal"])
def test_methods_without_paths_have_single_events_and_no_hops(mode):
    trace = story(mode)
    assert len(trace.hops) == 0
    assert {len(path["event_ids"]) for path in trace.paths} == {1}


@settings(max_examples=80)
@given(cases())
def test_every_trace_is_plain_json_and_reads_back_as_it_was(case):
    events, edges, query, config = case
    trace = Retriever(MemorySource(events, edges)).retrieve(query, config, NOW)
    row = plain(trace)
    back = RetrievalTrace.from_dict(row)
    assert plain(back) == row
    assert (back.config, back.as_of, back.mode) == (trace.config, trace.as_of, trace.mode)
    assert back.hop_paths == trace.hop_paths


def test_settings_of_every_kind_read_back():
    own = ALSConfig(bias=2.0)
    trace = story(mood=(0.5, -0.5), mood_weight=0.0, activation_als_config=own, max_age_days=3.5, sampling_seed=4)
    assert RetrievalTrace.from_dict(plain(trace)).config == trace.config


@pytest.mark.parametrize("part", ["query", "as_of", "config", "versions", "timings_ms", "pool", "hops", "paths"])
def test_a_trace_with_a_part_missing_is_refused(part):
    row = plain(story())
    del row[part]
    with pytest.raises(ReadError, match=f"not a whole trace: '{part}' is missing"):
        RetrievalTrace.from_dict(row)


def test_what_is_no_trace_is_refused():
    with pytest.raises(ReadError, match="not a whole trace"):
        RetrievalTrace.from_dict({})
    with pytest.raises(ReadError, match="not a whole trace"):
        RetrievalTrace.from_dict(plain(story()) | {"pool": 7})
    with pytest.raises(ConfigError):
        RetrievalTrace.from_dict(plain(story()) | {"config": {"mode": "magic"}})
    with pytest.raises(EventError, match="as_of must be a date or time"):
        RetrievalTrace.from_dict(plain(story()) | {"as_of": "soon"})


def test_hops_are_built_when_they_are_read_and_once(monkeypatch):
    built = []
    original = trace_module.hop_row
    monkeypatch.setattr(trace_module, "hop_row", lambda run, hop: built.append(hop.path) or original(run, hop))
    trace = story()
    assert built == []
    assert [len(path) for path in trace.hop_paths] == [1, 2, 3]
    assert trace.hops[1] is trace.hops[-2]
    assert built == [(0, 1)]
    trace.to_dict()
    assert len(built) == 3


def test_lazy_rows_read_as_a_list_does():
    rows = LazyRows(4, lambda place: {"place": place})
    assert [row["place"] for row in rows] == [0, 1, 2, 3]
    assert [row["place"] for row in rows[1:3]] == [1, 2]
    assert [row["place"] for row in rows[::-2]] == [3, 1]
    assert rows[-1] is rows[3]
    for beyond in (4, -5):
        with pytest.raises(IndexError):
            rows[beyond]
    assert list(LazyRows(0, dict)) == []


def test_influence_is_found_once(monkeypatch):
    asked = []
    monkeypatch.setattr(trace_module, "term_influence", lambda run: asked.append(run) or {"semantic": 1.0})
    trace = story()
    assert asked == []
    assert trace.term_influence == trace.term_influence == {"semantic": 1.0}
    assert len(asked) == 1
