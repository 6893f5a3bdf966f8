"""Feelings that a person chose, and feelings in words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from affrag_core import EncoderError, EventError, chosen_emotions_vector, emotion_labels, emotion_words

LABELS = emotion_labels()
chosen_labels = some.lists(some.sampled_from(LABELS), max_size=6)


@given(chosen_labels)
def test_each_chosen_label_is_one_and_each_other_zero(chosen: list[str]):
    vector = chosen_emotions_vector(chosen)
    assert vector.shape == (28,)
    assert {label: number for label, number in zip(LABELS, vector.tolist(), strict=True) if number} == dict.fromkeys(chosen, 1.0)


@given(chosen_labels)
def test_the_order_of_the_choice_changes_nothing(chosen: list[str]):
    assert chosen_emotions_vector(chosen).tolist() == chosen_emotions_vector(chosen[::-1] + chosen[:1]).tolist()


def test_an_unknown_label_is_refused_with_its_event():
    with pytest.raises(EventError, match=r"a feeling must be one of admiration, .* got 'merry'") as caught:
        chosen_emotions_vector(["joy", "merry"], event_id="e7")
    assert caught.value.event_id == "e7"


def test_likely_labels_are_named_with_their_probabilities_the_likeliest_first():
    vector = np.full(28, 0.001)
    vector[LABELS.index("love")], vector[LABELS.index("joy")], vector[LABELS.index("optimism")] = 0.62, 0.714, 0.05
    assert emotion_words(vector) == "joy 0.71, love 0.62"
    assert emotion_words(vector, 1) == "joy 0.71"


def test_a_text_whose_labels_all_stay_below_their_thresholds_has_no_clear_feeling():
    assert emotion_words(np.full(28, 0.001)) == "no clear feeling"
    assert emotion_words(chosen_emotions_vector([])) == "no clear feeling"


def test_a_vector_of_another_space_has_no_words_here():
    with pytest.raises(EncoderError, match="28 numbers"):
        emotion_words(np.array([0.1, 0.2]))
