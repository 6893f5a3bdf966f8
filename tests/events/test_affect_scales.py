"""Valence and arousal on other scales: asked about, never rescaled silently."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.errors import ReadError
from affrag_core.events.event import Emotion
from affrag_core.events.export import to_jsonl
from affrag_core.events.readers import AFFECT_SCALES, read_events
from affrag_core.events.readers.affect import rescaled, scale_bounds, scale_question


def read(pairs, **options):
    rows = "".join(f"x,{valence},{arousal}\n" for valence, arousal in pairs)
    reading = read_events("a.csv", f"text,valence,arousal\n{rows}".encode(), **options)
    assert reading.is_complete
    return reading


def emotions(reading):
    return [(event.emotion.valence, event.emotion.arousal) for event in reading.events]


def test_values_between_0_and_1_are_taken_as_they_are_and_asked_about():
    reading = read([(0.2, 0.9), (0.5, 0.5)])
    assert emotions(reading) == [(0.2, 0.9), (0.5, 0.5)]
    assert reading.affect_scale_question.suggestion == "0..1"
    assert "between 0.2 and 0.9" in str(reading.affect_scale_question)


def test_a_stated_scale_is_not_asked_about():
    assert read([(0.25, 1)], affect_scale="-1..1").affect_scale_question is None
    reading = read([(0.25, 1)], affect_scale="0..1")
    assert emotions(reading) == [(2 * 0.25 - 1, 2 * 1 - 1)]
    assert reading.affect_scale_question is None


def test_a_negative_value_answers_the_question():
    assert read([(0.2, 0.9), (-0.1, 0.5)]).affect_scale_question is None


def test_values_from_1_to_9_are_faults_until_the_scale_is_stated():
    pairs = [(1, 9), (5, 5), (7, 3)]
    reading = read(pairs)
    assert (len(reading.faults), reading.affect_scale_question.suggestion) == (3, "1..9")
    assert emotions(read(pairs, affect_scale="1..9")) == [(-1, 1), (0, 0), ((7 - 5) / 4, (3 - 5) / 4)]


def test_a_value_off_the_stated_scale_is_a_fault_that_names_the_scale():
    (fault,) = read([(1.2, 0.5)], affect_scale="0..1").faults
    assert fault.reason == "valence must be in [0, 1], got 1.2"


def test_an_unknown_scale_is_refused():
    with pytest.raises(ReadError, match=r"must be one of -1\.\.1, 0\.\.1"):
        read([(0, 0)], affect_scale="0..7")


def test_our_own_export_is_not_asked_about_and_not_rescaled():
    events = read([(0.2, 0.9)]).events
    reading = read_events("a.jsonl", to_jsonl(events), affect_scale="0..1")
    assert reading.events == events
    assert read_events("a.jsonl", to_jsonl(events)).affect_scale_question is None


def test_a_point_in_the_emotion_is_rescaled_too():
    content = b'[{"text": "x", "emotion": {"valence": 0.25, "arousal": 1}}]'
    assert read_events("a.json", content, affect_scale="0..1").events[0].emotion == Emotion(-0.5, 1.0)


@pytest.mark.parametrize("values", [[], [0.0, 0.0], [-1, 1], [5000]])
def test_nothing_is_asked_where_nothing_is_doubtful_or_no_scale_fits(values):
    assert scale_question(values) is None


def test_one_slip_does_not_change_the_scale_that_is_suggested():
    assert scale_question([0.1, 0.2, 0.3, 0.4, 0.5, 17]).suggestion == "0..1"


@given(st.sampled_from(AFFECT_SCALES), st.floats(0, 1))
def test_a_scale_is_brought_to_minus_one_to_one_and_keeps_its_order(scale, share):
    low, high = scale_bounds(scale)
    value = min(high, low + share * (high - low))
    assert rescaled(low, scale, "valence") == -1
    assert rescaled(high, scale, "valence") == 1
    assert rescaled((low + high) / 2, scale, "valence") == 0
    assert -1 <= rescaled(value, scale, "valence") <= 1
