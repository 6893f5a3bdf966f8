"""What a trace says in words."""

from __future__ import annotations

import pytest
from retrieval_cases import NOW, event

from affrag_core.config import TemporalConfig
from affrag_core.events.kinds import ValidityState
from affrag_core.retrieval.temporal import validity_states
from affrag_core.retrieval.wording import Standing, number, reason_words, span_words, time_words, window_words

HOUR, DAY = 3600, 86400
CONFIG = TemporalConfig()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0, "0"),
        (-0.0, "0"),
        (1, "1"),
        (0.5297, "0.53"),
        (-0.51789, "−0.518"),
        (3.147, "3.15"),
        (99.96, "100"),
        (999.4, "999"),
        (999.6, "1,000"),
        (175_000.4, "175,000"),
        (999_999.7, "1,000,000"),
        (1e6, "1.00e+06"),
        (0.0001, "0.0001"),
        (0.00009994, "9.99e−05"),
        (-1e-200, "−1.00e−200"),
        (1e200, "1.00e+200"),
    ],
)
def test_numbers_have_three_significant_digits(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "less than an hour"),
        (HOUR - 1, "less than an hour"),
        (HOUR, "1 hour"),
        (2 * HOUR - 1, "1 hour"),
        (42 * HOUR, "42 hours"),
        (48 * HOUR - 1, "47 hours"),
        (48 * HOUR, "2 days"),
        (180.9 * DAY, "180 days"),
        (1095 * DAY, "1,095 days"),
        (3 * 365.25 * DAY, "3 years"),
        (2000 * 365.25 * DAY, "2,000 years"),
    ],
)
def test_lengths_of_time_are_told_in_the_unit_that_fits(seconds, text):
    assert span_words(seconds) == text


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, "open-ended"),
        ({"window": (None, -180)}, "expired 180 days ago"),
        ({"window": (-9, -0.01)}, "expired less than an hour ago"),
        ({"window": (3, None)}, "starts in 3 days"),
        ({"window": (3, 9)}, "starts in 3 days"),
        ({"window": (-1, 1.75), "kind": "EVENT"}, "42 hours left"),
        ({"window": (None, 1.75)}, "42 hours left"),
        ({"window": (-1, None), "kind": "EVENT"}, "active, no end set"),
        ({"window": (-1, None)}, "open-ended"),
        ({"kind": "VERSIONED", "supersedes_id": "v1"}, "open-ended, supersedes v1"),
        ({"kind": "VERSIONED"}, "open-ended"),
    ],
)
def test_a_window_is_told_in_plain_words(fields, text):
    one = event("e", **fields)
    assert window_words(one, validity_states([one], NOW)[0], NOW.timestamp()) == text


def standing(state=ValidityState.VALID, *, of=None, **known) -> Standing:
    usual = {"window": "open-ended", "age_days": 10.0, "decay_score": 0.8, "raw_similarity": 0.5, "vector_score": 0.9}
    return Standing(**{"event": of or event("e"), "state": state, "superseded_by": None, "outcome": "not a seed"} | usual | known)


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (standing(decay_score=0.71), "Fresh: time keeps most of its weight."),
        (standing(decay_score=0.7), "Ageing: time keeps part of its weight."),
        (standing(decay_score=0.3), "Old: time adds little, similarity carries it."),
        (standing(age_days=None, decay_score=0.0), "No date: time adds nothing."),
        (standing(of=event("e", kind="VERSIONED", supersedes_id="v1")), "Newest version, supersedes v1."),
        (standing(of=event("e", kind="VERSIONED", supersedes_id="v1"), superseded_by="v3"), "Superseded by v3, still counted."),
        (standing(ValidityState.EXPIRED, window="expired 2 days ago"), "Outside its window (expired 2 days ago): time adds nothing."),
        (standing(ValidityState.TEMPORAL, window="42 hours left"), "Active (42 hours left): its time part counts × 1.2."),
        (standing(ValidityState.TEMPORAL, age_days=None), "No date: time adds nothing."),
        (
            standing(ValidityState.TEMPORAL, window="42 hours left", raw_similarity=0.1),
            "Active (42 hours left) but too unlike the question (0.1 below 0.2): half its time part.",
        ),
    ],
)
def test_what_time_does_to_an_event_is_one_sentence(at, text):
    assert time_words(at, CONFIG) == text
    assert reason_words(at, CONFIG) == text


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (standing(outcome="expired", window="expired 2 days ago"), "Left out: expired 2 days ago."),
        (standing(outcome="superseded", superseded_by="v2"), "Left out: superseded by v2."),
        (standing(outcome="too old", age_days=400.0), "Left out: 400 days old, the limit is 365."),
        (standing(vector_score=0.1), "Weak match within this pool (0.1 below 0.15): keeps 0.3 of its score."),
        (standing(vector_score=None), "Fresh: time keeps most of its weight."),
    ],
)
def test_what_the_pool_does_to_an_event_comes_first(at, text):
    assert reason_words(at, CONFIG.with_changes(max_age_days=365)) == text


def test_a_gate_that_is_off_is_not_mentioned():
    off = CONFIG.with_changes(min_vector_score=0, event_min_raw_vector_score=0)
    assert reason_words(standing(vector_score=0.0), off).startswith("Fresh")
    assert reason_words(standing(ValidityState.TEMPORAL, raw_similarity=-1.0), off).startswith("Active (open-ended): its time part")
