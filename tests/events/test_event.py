"""Events: what makes one, what is refused, and how it reads back."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import numpy as np
import pytest
from event_strategies import events
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.errors import AffragError, EventError
from affrag_core.events.event import Emotion, Event
from affrag_core.events.kinds import DocumentKind

IDS = ["007", "7", "https://example.org/a?b=1#c", "Nike", "nike", "\N{SPARKLES}", "a;b|c", "-1", "../../etc/passwd", "שלום"]
TEXTS = ["<!-- <script>", "</script><img src=x onerror=alert(1)>", "\u202e\u05e9\u05dc", "x" * 10_000, "line\nbreak\x00", "=1+1"]


def test_only_id_and_text_are_needed():
    event = Event(id="e1", text="Tea with Ann")
    assert event.timestamp is None
    assert event.kind is DocumentKind.STATIC
    assert event.to_dict() == {"id": "e1", "text": "Tea with Ann", "kind": "STATIC"}


@pytest.mark.parametrize("event_id", IDS)
def test_any_text_is_an_id_and_is_kept_letter_by_letter(event_id):
    assert Event(id=event_id, text="x").id == event_id


def test_ids_that_look_alike_are_different():
    assert len({Event(id=event_id, text="x").id for event_id in IDS}) == len(IDS)


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_is_kept_as_it_is(text):
    event = Event(id="e1", text=text)
    assert event.text == text
    assert Event(**event.to_dict()) == event


@pytest.mark.parametrize("value", [7, "", "  ", None, True, ["e1"]])
def test_an_id_is_text_that_is_not_blank(value):
    with pytest.raises(EventError, match="id must be a text that is not blank") as caught:
        Event(id=value, text="x")
    assert caught.value.field == "id"


WRONG = [
    ("text", "", "text must not be blank, got ''"),
    ("text", 5, "text must not be blank, got 5"),
    ("timestamp", "soon", "timestamp must be a date or time"),
    ("timestamp", "", "timestamp must be a date or time"),
    ("valid_from", [], "valid_from must be a date or time"),
    ("kind", "RUMOUR", "kind must be STATIC, VERSIONED or EVENT, got 'RUMOUR'"),
    ("kind", None, "kind must be STATIC, VERSIONED or EVENT, got None"),
    ("doc_type", 3, "doc_type must be text, got 3"),
    ("supersedes_id", "", "supersedes_id must be an event's id, got ''"),
    ("emotion", "", "emotion must be a word, or valence and arousal, got ''"),
    ("emotion", {"valence": 0.5}, "emotion must be a word, or valence and arousal"),
    ("semantic_vec", [1.0, math.nan], "semantic_vec must be finite, got nan at position 1"),
    ("semantic_vec", [[1.0]], "semantic_vec must be one list of numbers, got shape (1, 1)"),
    ("emotional_vec", [math.inf], "emotional_vec must be finite, got inf at position 0"),
    ("emotional_vec", "sad", "emotional_vec must be a list of numbers, got 'sad'"),
    ("metadata", [1], "metadata must be a mapping, got [1]"),
]


@pytest.mark.parametrize(("name", "value", "message"), WRONG)
def test_a_wrong_value_is_refused_with_field_value_and_event(name, value, message):
    with pytest.raises(EventError) as caught:
        Event(**({"id": "e042", "text": "x"} | {name: value}))
    assert caught.value.field == name
    assert caught.value.event_id == "e042"
    assert caught.value.message.startswith(message)
    assert str(caught.value).endswith("(event e042)")


@pytest.mark.parametrize(("valence", "arousal", "wrong"), [(1.7, 0, "valence"), (0, -1.01, "arousal"), (math.nan, 0, "valence")])
def test_valence_and_arousal_lie_between_minus_one_and_one(valence, arousal, wrong):
    with pytest.raises(EventError, match=rf"{wrong} must be in \[-1, 1\], got .*\(event e042\)") as caught:
        Event(id="e042", text="x", emotion=Emotion(valence, arousal))
    assert caught.value.field == wrong


def test_an_emotion_is_a_word_or_a_point():
    assert Event(id="e1", text="x", emotion=" joy ").emotion == "joy"
    assert Event(id="e1", text="x", emotion={"valence": 1, "arousal": -1}).emotion == Emotion(1.0, -1.0)


def test_naive_and_aware_times_mix():
    event = Event(id="e1", text="x", timestamp="2024-01-01T12:00:00", valid_from="2024-01-01T13:00:00+02:00", valid_until=1_704_153_600)
    assert event.valid_from < event.timestamp < event.valid_until
    assert event.valid_until == datetime(2024, 1, 2, tzinfo=UTC)


def test_an_event_may_lie_in_the_future_and_end_before_it_is_written_down():
    event = Event(id="e1", text="x", timestamp="2999-01-01", valid_until="2024-01-01")
    assert event.valid_until < event.timestamp


def test_a_window_may_be_one_moment_but_not_end_before_it_begins():
    Event(id="e1", text="x", valid_from="2024-01-01", valid_until="2024-01-01T00:00:00Z")
    with pytest.raises(EventError, match=r"valid_from must not be after valid_until, got 2024-01-02T00:00:00Z > 2024-01-01T00:00:00Z"):
        Event(id="e1", text="x", valid_from="2024-01-02", valid_until="2024-01-01")


def test_a_change_is_checked_again_and_leaves_the_original():
    event = Event(id="e1", text="x", semantic_vec=[1, 2])
    assert event.replace(text="y").text == "y"
    assert event.replace(text="y").semantic_vec.tolist() == [1, 2]
    assert event.text == "x"
    with pytest.raises(EventError):
        event.replace(kind="RUMOUR")


def test_events_are_equal_by_value_and_precision():
    single = Event(id="e1", text="x", semantic_vec=np.array([0.5], dtype=np.float32))
    assert single == Event(id="e1", text="x", semantic_vec=np.array([0.5], dtype=np.float32))
    assert single != Event(id="e1", text="x", semantic_vec=[0.5])
    assert single != "e1"
    assert len({single, single.replace()}) == 1


def test_neither_fields_nor_metadata_can_be_written():
    event = Event(id="e1", text="x", metadata={"place": "home"})
    with pytest.raises(AttributeError):
        event.text = "y"
    with pytest.raises(TypeError):
        event.metadata["place"] = "away"


@given(events())
def test_a_dict_gives_the_event_back(event):
    assert Event(**event.to_dict()) == event


ANYTHING = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.lists(st.floats() | st.text())
    | st.dictionaries(st.text(), st.integers())
)
FIELDS = ["timestamp", "valid_from", "valid_until", "kind", "doc_type", "supersedes_id", "emotion", "metadata"]


@given(st.sampled_from(FIELDS), ANYTHING)
def test_any_value_is_taken_or_refused_in_a_sentence(name, value):
    try:
        Event(id="e1", text="x", **{name: value})
    except AffragError as error:
        assert "(event e1)" in str(error)


def test_vectors_of_zeros_and_what_is_missing_are_flagged():
    bare = Event(id="a", text="tea")
    assert [flag.split(":")[0] for flag in bare.flags] == ["No meaning vector", "No feeling vector", "No date"]
    zeros = bare.replace(semantic_vec=[0.0, 0.0], emotional_vec=[0.5, 0.0], timestamp="2024-01-01")
    assert zeros.flags == ("Its meaning vector is all zeros: likeness of meaning counts 0.",)
    assert zeros.replace(semantic_vec=[1.0, 0.0]).flags == ()
