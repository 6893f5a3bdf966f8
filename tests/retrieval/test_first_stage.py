"""The pool and the seeds, in each method."""

from __future__ import annotations

import pytest
from memory_source import MemorySource
from retrieval_cases import NOW, event, settings_for

from affrag_core.errors import EncoderError
from affrag_core.retrieval.retriever import Retriever

# The nearer to east, the more like the question; c has expired, v1 has a newer version.
EVENTS = [
    event("a", [1.0, 0.1], day=-100),
    event("b", [1.0, 0.5], day=-1),
    event("c", [1.0, 0.2], day=-2, window=(None, -1)),
    event("v1", [1.0, 0.3], day=-50, kind="VERSIONED"),
    event("v2", [1.0, 0.9], day=-3, kind="VERSIONED", supersedes_id="v1"),
    event("none", None, day=-1),
    event("later", [1.0, 0.0], day=1),
]


def pool(mode: str, events=EVENTS, query=(1.0, 0.0), **options):
    trace = Retriever(MemorySource(events)).retrieve(query, settings_for(mode, max_depth=0, **options), NOW)
    return {row["event_id"]: row["outcome"] for row in trace.pool}, [path["event_ids"][0] for path in trace.paths]


def test_the_pool_is_the_nearest_that_exist_and_have_a_vector_best_first():
    for mode in ("vector", "temporal", "cpt", "combined"):
        assert list(pool(mode)[0]) == ["a", "c", "v1", "b", "v2"]
        assert list(pool(mode, candidate_pool_size=2)[0]) == ["a", "c"]


def test_the_future_joins_the_pool_where_it_is_asked_for():
    assert next(iter(pool("vector", include_future=True)[0])) == "later"


def test_vector_returns_the_best_by_similarity_whatever_time_says():
    outcomes, found = pool("vector", max_results=2, drop_superseded=True)
    assert found == ["a", "c"]
    assert outcomes == {"a": "seed", "c": "seed", "v1": "not a seed", "b": "not a seed", "v2": "not a seed"}


def test_paths_of_cpt_start_from_the_best_by_similarity():
    assert pool("cpt", seed_nodes=2)[1] == ["a", "c"]


def test_time_leaves_out_and_ranks_again():
    """The day-old b scores nearly the whole weight of time; a is most alike but the oldest, which leaves it 0.2 of its similarity."""
    outcomes, found = pool("temporal", max_results=2, temporal_weight=0.8)
    assert found == ["b", "v1"]
    assert outcomes == {"a": "not a seed", "c": "expired", "v1": "seed", "b": "seed", "v2": "not a seed"}
    assert pool("combined", seed_nodes=2, temporal_weight=0.8)[1] == ["b", "v1"]


@pytest.mark.parametrize("mode", ["temporal", "combined"])
def test_every_filter_says_that_it_was_the_one(mode):
    outcomes, _ = pool(mode, drop_superseded=True, max_age_days=60, seed_nodes=9, max_results=9)
    assert outcomes == {"a": "too old", "c": "expired", "v1": "superseded", "b": "seed", "v2": "seed"}


def test_an_expired_event_may_be_a_seed_where_validity_is_not_enforced():
    assert pool("combined", enforce_validity=False, temporal_weight=0.0, seed_nodes=2)[1] == ["a", "c"]


def test_equal_events_keep_their_order_and_the_limit_cuts_the_last():
    twins = [event(name, [1.0, 2.0], day=-3) for name in "qpo"]
    for mode in ("vector", "temporal", "cpt", "combined"):
        assert pool(mode, twins, max_results=2, seed_nodes=2)[1] == ["q", "p"]
        assert list(pool(mode, twins, candidate_pool_size=1)[0]) == ["q"]


def test_more_seeds_than_events_are_all_events():
    assert len(pool("cpt", seed_nodes=99)[1]) == 5
    assert len(pool("vector", max_results=99, candidate_pool_size=3)[1]) == 3


def test_no_seeds_are_no_paths():
    assert pool("combined", seed_nodes=0)[1] == []
    assert pool("combined", [event("a", window=(None, -1))])[1] == []


def test_a_mood_takes_part_in_choosing_the_pool():
    glad, sad = event("glad", [1.0, 0.1], emotional_vec=[1.0, 0.0]), event("sad", [1.0, 0.0], emotional_vec=[-1.0, 0.0])
    assert pool("vector", [sad, glad], candidate_pool_size=1)[1] == ["sad"]
    assert pool("vector", [sad, glad], candidate_pool_size=1, mood=(0.5, 0.0), mood_weight=0.3)[1] == ["glad"]
    assert pool("vector", [sad, glad], candidate_pool_size=1, mood="happy", mood_weight=0.3)[1] == ["glad"]


def test_a_mood_in_a_word_cannot_be_compared_with_feelings_of_another_space():
    events = [event("glad", [1.0, 0.1], emotional_vec=[1.0, 0.0, 0.5])]
    assert pool("vector", events, mood="happy", mood_weight=0.0)[1] == ["glad"]
    with pytest.raises(EncoderError, match="the mood 'happy' is a word for valence and arousal, but the events' feelings have 3 numbers"):
        pool("vector", events, mood="happy", mood_weight=0.3)
