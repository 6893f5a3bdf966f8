"""The temporal layer and both systems held against the second reference document itself, which is a program."""

from __future__ import annotations

import random
from dataclasses import fields
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import affrag_core

NOW = datetime(2025, 6, 1, 12)  # noqa: DTZ001 - as the second reference writes its times
TERMS = ["policy", "rate", "limit", "outage", "today", "model", "paper", "finding", "The", "the"]
NUMBERS = ("vector_score", "recency_score", "decay_score", "validity_multiplier", "final_score")


@st.composite
def documents(draw):
    """Rows that either library can make documents of; times in whole minutes, so that none is lost in seconds since 1970."""
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    span = draw(st.sampled_from([60, 60 * 24 * 50, 60 * 24 * 700]))
    rows = []
    for i in range(draw(st.sampled_from([5, 8, 3, 2, 1]))):
        opens, closes = (NOW + timedelta(minutes=rng.randint(-span, bound)) for bound in (span // 10, span))
        rows.append(
            {
                "id": f"d{i}",
                "content": " ".join(rng.choices(TERMS, k=rng.randint(0, 8))),
                "created_at": rows[-1]["created_at"] if rows and rng.random() < 0.1 else NOW - timedelta(minutes=rng.randint(-9, span)),
                "valid_from": opens if rng.random() < 0.3 else None,
                "valid_until": closes if rng.random() < 0.4 else None,
                "doc_type": rng.choice(["general", "policy"]),
                "kind": rng.choice(["STATIC", "VERSIONED", "EVENT", "EVENT"]),
                "supersedes_id": rng.choice([None, "d0"]),
            }
        )
    return rows


CONFIGS = st.fixed_dictionaries(
    {},
    optional={
        "decay_half_life_days": st.sampled_from([0.5, 7.0, 180.0]),
        "temporal_weight": st.sampled_from([0.0, 0.7, 1.0]),
        "max_age_days": st.sampled_from([None, 0.0, 20.0, 300.0]),
        "enforce_validity": st.booleans(),
        "validity_boost": st.sampled_from([0.0, 1.0, 2.5]),
        "min_vector_score": st.sampled_from([0.0, 0.5, 1.0]),
        "event_min_raw_vector_score": st.sampled_from([0.0, 0.5, 1.0]),
    },
)


def made(library, rows):
    return [library.Document(**row | {"kind": library.DocumentKind(row["kind"])}) for row in rows]


def clock_at(library, patch, now):
    """Stop the clock that a library's `explain` and `build_context` read."""

    class Stopped(datetime):
        @classmethod
        def now(cls, tz=None):
            return now

    patch.setattr(library, "datetime", Stopped)


def assert_same(ours, theirs):
    """All fields of the results agree; labels only where ours do not part from the reference on purpose."""
    assert [item.document.id for item in ours] == [item.document.id for item in theirs]
    for our, their in zip(ours, theirs, strict=True):
        assert our.validity_state.value == their.validity_state.value
        assert our.reason == their.reason
        assert [getattr(our, name) for name in NUMBERS] == pytest.approx([getattr(their, name) for name in NUMBERS], abs=1e-9)
        not_begun = our.document.valid_from is not None and our.document.valid_from > NOW
        assert not_begun or our.explain() == their.explain()


@given(rows=documents(), config=CONFIGS, seed=st.integers(0, 2**32 - 1), ties=st.booleans(), top_k=st.sampled_from([5, 99, 1, 0]))
@settings(max_examples=150)
def test_reranking_agrees_in_every_field_and_word(second_reference, rows, config, seed, ties, top_k):
    rng = random.Random(seed)
    similarities = [rng.choice([-0.25, 0.5, 0.5]) if ties else rng.uniform(-0.2, 1) for _ in rows]
    with pytest.MonkeyPatch.context() as patch:
        clock_at(second_reference, patch, NOW)
        ours, theirs = (
            library.TemporalLayer(library.TemporalConfig(**config)).rerank(
                list(zip(made(library, rows), similarities, strict=True)), NOW, top_k=top_k
            )
            for library in (affrag_core, second_reference)
        )
        assert_same(ours, theirs)


@given(rows=documents(), query=st.lists(st.sampled_from([*TERMS, "unknown"]), max_size=4).map(" ".join), size=st.sampled_from([20, 3, 1]))
@settings(max_examples=100)
def test_both_systems_agree_from_text_to_context(second_reference, rows, query, size):
    with pytest.MonkeyPatch.context() as patch:
        clock_at(second_reference, patch, NOW)
        found = []
        for library in (affrag_core, second_reference):
            full, naive = library.TemporalRAG(candidate_pool_size=size), library.NaiveRAG()
            for system in (full, naive):
                system.index(made(library, rows))
            found.append((full, full.retrieve(query, top_k=4, query_time=NOW), naive, naive.retrieve(query, top_k=4)))
        (full, results, naive, hits), (their_full, their_results, their_naive, their_hits) = found
        assert_same(results, their_results)
        assert full.build_context(results) == their_full.build_context(their_results)
        assert [(document.id, score) for document, score in hits] == [(document.id, score) for document, score in their_hits]
        assert naive.build_context(hits, NOW) == their_naive.build_context(their_hits)


@given(rows=documents())
@settings(max_examples=50)
def test_states_labels_and_ages_agree(second_reference, rows):
    for our, their in zip(made(affrag_core, rows), made(second_reference, rows), strict=True):
        assert our.validity_state(NOW).value == their.validity_state(NOW).value
        assert our.age_in_days(NOW) == pytest.approx(their.age_in_days(NOW), abs=1e-9)
        if our.valid_from is None or our.valid_from <= NOW:
            assert our.window_label(NOW) == their.window_label(NOW)


def test_fields_come_in_the_same_order(second_reference):
    for name, own in (("Document", []), ("ScoredDocument", ["query_time"])):
        theirs = [field.name for field in fields(getattr(second_reference, name))]
        assert [field.name for field in fields(getattr(affrag_core, name))] == theirs + own
