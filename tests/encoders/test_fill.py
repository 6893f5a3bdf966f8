"""Filling in vectors: what was given stays, what is missing is made, what cannot be made is said."""

import numpy as np
import pytest

from affrag_core.encoders.cache import VectorCache
from affrag_core.encoders.fill import with_emotional_vectors, with_semantic_vectors
from affrag_core.encoders.term_count import TermCountEncoder
from affrag_core.errors import CancelledError, EventError
from affrag_core.events.event import Event


class NoEncoder:
    """Fails when asked for anything."""

    def __getattr__(self, name):
        raise AssertionError(name)


def test_emotional_vectors_are_as_given_else_from_the_emotion_else_none():
    events = [
        Event(id="a", text="x", emotion="sad", emotional_vec=[1, 2, 3]),
        Event(id="b", text="x", emotion={"valence": 0.5, "arousal": -0.25}),
        Event(id="c", text="x", emotion="Neutral"),
        Event(id="d", text="x"),
    ]
    got = with_emotional_vectors(events)
    assert [None if e.emotional_vec is None else e.emotional_vec.tolist() for e in got] == [[1, 2, 3], [0.5, -0.25], [0, 0], None]
    assert events[1].emotional_vec is None


def test_an_unknown_word_names_its_event():
    with pytest.raises(EventError, match=r"got 'blorp'.*\(event e9\)"):
        with_emotional_vectors([Event(id="e9", text="x", emotion="blorp")])


def test_nothing_is_made_in_a_space_of_another_name():
    events = [Event(id="a", text="x", emotion="sad")]
    assert with_emotional_vectors(events, space="mine")[0].emotional_vec is None
    assert with_emotional_vectors(events, space=None)[0].emotional_vec is not None


def test_only_missing_semantic_vectors_are_made(tmp_path):
    events = [Event(id="a", text="one"), Event(id="b", text="two", semantic_vec=[1.0, 0.0]), Event(id="c", text="one")]
    cache = VectorCache(tmp_path)
    got = with_semantic_vectors(events, TermCountEncoder(["one", "two"]), cache)
    cache.close()
    assert [e.id for e in got] == ["a", "b", "c"]
    assert got[1] is events[1]
    np.testing.assert_array_equal(got[0].semantic_vec, got[2].semantic_vec)
    assert got[0].semantic_vec[0] == 1


def test_the_encoder_is_left_alone_when_nothing_is_missing():
    events = [Event(id="a", text="one", semantic_vec=[1.0])]
    assert with_semantic_vectors(events, NoEncoder()) == events
    assert with_semantic_vectors([], NoEncoder()) == []


def test_a_cancel_changes_no_event():
    events = [Event(id="a", text="one")]
    with pytest.raises(CancelledError):
        with_semantic_vectors(events, TermCountEncoder(["one"]), cancelled=lambda: True)
    assert events[0].semantic_vec is None
