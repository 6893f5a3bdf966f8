"""`TemporalLayer.rerank`: filters, gates, scores and reasons by known answers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core import Document, DocumentKind, EventError, TemporalConfig, TemporalLayer, ValidityState

NOW = datetime(2025, 6, 1, 12)  # noqa: DTZ001 - as the second reference writes its times
STATIC, VERSIONED, EVENT = DocumentKind.STATIC, DocumentKind.VERSIONED, DocumentKind.EVENT
UNGATED = TemporalConfig(min_vector_score=0.0, event_min_raw_vector_score=0.0)


def days(n):
    return timedelta(days=n)


def document(name, age=0.0, **values):
    return Document(id=name, content=name, created_at=NOW - days(age), **values)


def rerank(candidates, config=UNGATED, **more):
    return TemporalLayer(config).rerank(candidates, NOW, **more)


def by_id(found):
    return {item.document.id: item for item in found}


def test_the_default_settings_are_those_of_temporal_config():
    assert TemporalLayer().config == TemporalConfig()


def test_similarity_and_time_are_mixed_by_their_weight():
    pool = [(document("young", 10), 0.2), (document("middle", 30), 0.5), (document("old", 60), 0.8)]
    found = by_id(rerank(pool, UNGATED.with_changes(temporal_weight=0.4)))
    expected = {  # (scaled similarity, decay, recency)
        "young": (0.0, 0.5 ** (10 / 30), 1.0),
        "middle": (0.5, 0.5, 1 - 20 / 50),
        "old": (1.0, 0.25, 0.0),
    }
    for name, (vector, decay, recency) in expected.items():
        item = found[name]
        assert (item.vector_score, item.decay_score, item.recency_score) == pytest.approx((vector, decay, recency), abs=1e-12)
        assert item.final_score == pytest.approx(0.6 * vector + 0.4 * decay * recency, abs=1e-12)
        assert (item.validity_state, item.validity_multiplier, item.query_time) == (ValidityState.VALID, 1.0, NOW)
    assert list(found) == ["old", "middle", "young"]


def test_an_active_event_is_boosted_and_an_irrelevant_one_keeps_half_of_its_time_part():
    window = {"kind": EVENT, "valid_until": NOW + days(1)}
    pool = [(document("relevant", 30, **window), 0.3), (document("irrelevant", 30, **window), 0.2), (document("plain", 30), 0.25)]
    config = TemporalConfig(temporal_weight=1.0, min_vector_score=0.0, event_min_raw_vector_score=0.3, validity_boost=1.5)
    scores = {name: item.final_score for name, item in by_id(rerank(pool, config)).items()}
    assert scores == pytest.approx({"relevant": 0.5 * 1.5, "irrelevant": 0.5 * 1.5 * 0.5, "plain": 0.5}, abs=1e-12)


@pytest.mark.parametrize("window", [{}, {"valid_until": NOW - days(1)}])
def test_the_events_gate_leaves_events_outside_a_window_alone(window):
    config = TemporalConfig(temporal_weight=1.0, min_vector_score=0.0, event_min_raw_vector_score=1.0, enforce_validity=False)
    [found] = rerank([(document("d", 30, kind=EVENT, **window), 0.0)], config)
    assert found.final_score == pytest.approx(0.0 if window else 0.5, abs=1e-12)


def test_what_lies_below_the_gate_within_the_pool_keeps_three_tenths():
    pool = [(document("best"), 0.9), (document("at"), 0.4), (document("below"), 0.39), (document("worst"), -0.1)]
    config = TemporalConfig(temporal_weight=0.5, min_vector_score=0.5)
    scores = {name: item.final_score for name, item in by_id(rerank(pool, config)).items()}
    assert scores["at"] == pytest.approx(0.5 * 0.5 + 0.5, abs=1e-12)
    assert scores["below"] == pytest.approx(0.3 * (0.5 * 0.49 + 0.5), abs=1e-12)
    assert scores["worst"] == pytest.approx(0.3 * 0.5, abs=1e-12)


def test_equal_similarities_all_count_as_best_and_equal_ages_as_newest():
    found = rerank([(document(name, 5), -0.25) for name in "abc"])
    assert [item.document.id for item in found] == ["a", "b", "c"]
    assert {(item.vector_score, item.recency_score) for item in found} == {(1.0, 1.0)}


def test_only_events_are_boosted_inside_a_window():
    window = {"valid_from": NOW - days(1), "valid_until": NOW + days(1)}
    found = by_id(rerank([(document(kind.value, 5, kind=kind, **window), 0.5) for kind in DocumentKind]))
    assert {name: (item.validity_state.value, item.validity_multiplier) for name, item in found.items()} == {
        "STATIC": ("VALID", 1.0),
        "VERSIONED": ("VALID", 1.0),
        "EVENT": ("TEMPORAL", 1.2),
    }


def test_expired_documents_are_left_out_before_anything_is_scaled():
    pool = [(document("gone", 100, valid_until=NOW - days(1)), 1.0), (document("not begun", 0, valid_from=NOW + days(1)), 0.9)]
    pool += [(document("a", 10), 0.4), (document("b", 20), 0.2)]
    found = by_id(rerank(pool))
    assert {name: (item.vector_score, item.recency_score) for name, item in found.items()} == {"a": (1.0, 1.0), "b": (0.0, 0.0)}


def test_expired_documents_stay_without_a_time_part_where_validity_is_not_enforced():
    pool = [(document("gone", 0, valid_until=NOW - days(1)), 0.4), (document("kept", 30), 0.2)]
    found = by_id(rerank(pool, UNGATED.with_changes(enforce_validity=False)))
    assert (found["gone"].validity_state, found["gone"].validity_multiplier) == (ValidityState.EXPIRED, 0.0)
    assert found["gone"].final_score == pytest.approx(0.65, abs=1e-12)


@pytest.mark.parametrize(("limit", "kept"), [(None, ["a", "b", "c"]), (20, ["a", "b"]), (19.9, ["a"]), (0, [])])
def test_documents_beyond_the_oldest_age_are_left_out(limit, kept):
    pool = [(document("a", 10), 0.9), (document("b", 20), 0.8), (document("c", 30), 0.7)]
    assert [item.document.id for item in rerank(pool, UNGATED.with_changes(max_age_days=limit))] == kept


@pytest.mark.parametrize(("top_k", "n"), [(0, 0), (2, 2), (5, 3), (99, 3)])
def test_only_the_best_are_given(top_k, n):
    pool = [(document(name), score) for name, score in (("a", 0.1), ("b", 0.3), ("c", 0.2))]
    assert [item.document.id for item in rerank(pool, top_k=top_k)] == ["b", "c", "a"][:n]


def test_five_are_given_unless_said_otherwise_and_an_empty_pool_gives_none():
    assert len(rerank([(document(str(i)), i / 10) for i in range(9)])) == 5
    assert rerank([]) == []
    assert rerank([(document("gone", valid_until=NOW - days(1)), 1.0)]) == []


def test_the_query_time_may_have_an_offset_where_the_documents_have_none():
    pool = [(document("a", 30), 0.5)]
    assert TemporalLayer().rerank(pool, NOW.replace(tzinfo=UTC))[0].decay_score == TemporalLayer().rerank(pool, NOW)[0].decay_score == 0.5


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_similarity_that_is_no_number_names_its_document(bad):
    with pytest.raises(EventError, match=rf"similarity must be finite, got {bad} \(event b\)"):
        rerank([(document("a"), 0.5), (document("b"), bad)])


OPEN = {"kind": EVENT, "valid_from": NOW - days(1)}
REASONS = {
    "below the gate": (document("d"), 0.1, "Penalized: normalized vector score 0.100 below relevance threshold 0.15"),
    "below the gate, active": (document("d", **OPEN), 0.1, "Penalized: normalized vector score 0.100 below relevance threshold 0.15"),
    "active, irrelevant": (
        *(document("d", **OPEN), 0.19),
        "EVENT signal present but low query relevance (raw sim 0.190 < 0.2) — temporal boost halved",
    ),
    "active, open": (document("d", **OPEN), 0.2, "Active EVENT signal (active) — overrides static sources"),
    "active, closing": (
        *(document("d", kind=EVENT, valid_until=NOW + days(2)), 0.5),
        "Active EVENT signal (48h remaining) — overrides static sources",
    ),
    "first version": (document("d", kind=VERSIONED), 0.5, "Latest version in sequence"),
    "later version": (document("d", 500, kind=VERSIONED, supersedes_id="v1"), 0.5, "Latest version — supersedes v1"),
    "fresh": (document("d", 15), 0.5, "Fresh, open-ended fact — high confidence"),
    "ageing from 0.7": (document("d", 15.5), 0.5, "Aging but valid — use alongside fresher sources"),
    "ageing to 0.3": (document("d", 52), 0.5, "Aging but valid — use alongside fresher sources"),
    "stale": (document("d", 52.5), 0.5, "Stale — semantically relevant but low freshness weight"),
    "event without a window": (document("d", kind=EVENT), 0.5, "Fresh, open-ended fact — high confidence"),
    "expired": (document("d", kind=EVENT, valid_until=NOW - days(1)), 0.5, "Included by vector similarity"),
    "expired version": (document("d", kind=VERSIONED, valid_until=NOW - days(1)), 0.5, "Latest version in sequence"),
}


@pytest.mark.parametrize(("subject", "similarity", "reason"), REASONS.values(), ids=REASONS)
def test_every_reason_is_in_the_references_words(subject, similarity, reason):
    pool = [(document("floor", 1000), 0.0), (subject, similarity), (document("ceiling", 0), 1.0)]
    assert by_id(rerank(pool, TemporalConfig(enforce_validity=False)))["d"].reason == reason


POOLS = st.lists(st.tuples(st.floats(0, 1000), st.floats(-1, 1), st.sampled_from(DocumentKind), st.booleans()), min_size=1, max_size=8)


@given(POOLS, st.floats(0, 1))
def test_scores_stay_in_range_and_fall(pool, weight):
    candidates = [
        (document(str(i), age, kind=kind, valid_until=NOW + days(1) if closing else None), similarity)
        for i, (age, similarity, kind, closing) in enumerate(pool)
    ]
    found = rerank(candidates, TemporalConfig(temporal_weight=weight), top_k=99)
    scores = [item.final_score for item in found]
    assert scores == sorted(scores, reverse=True)
    assert len(found) == len(pool)
    assert all(0 <= score <= 1 + 0.2 * weight + 1e-12 for score in scores)
    assert all(0 <= part <= 1 for item in found for part in (item.vector_score, item.recency_score, item.decay_score))


@given(POOLS, st.randoms(use_true_random=False))
def test_the_order_of_the_pool_changes_nothing_but_exact_ties(pool, random):
    candidates = [(document(str(i), age, kind=kind), similarity) for i, (age, similarity, kind, _) in enumerate(pool)]
    shuffled = random.sample(candidates, len(candidates))
    found, again = (rerank(order, TemporalConfig(), top_k=99) for order in (candidates, shuffled))
    assert [item.final_score for item in found] == [item.final_score for item in again]
    assert by_id(found) == by_id(again)
