"""Edges proposed for events that came without any."""

from __future__ import annotations

from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from affrag_core.events.event import Emotion, Event
from affrag_core.events.proposals import left_out, link_columns, next_in_time


def event(event_id, day=None, **fields):
    return Event(id=event_id, text="x", timestamp=None if day is None else datetime(2024, 1, day), **fields)  # noqa: DTZ001


def pairs(edges):
    return [(edge.source, edge.target) for edge in edges]


def test_each_event_is_linked_to_the_next_in_time():
    edges = next_in_time([event("c", 3), event("a", 1), event("b", 2)])
    assert [edge.key for edge in edges] == [("a", "b", "next in time"), ("b", "c", "next in time")]


def test_equal_times_keep_the_order_given():
    assert pairs(next_in_time([event("b", 1), event("a", 1), event("c", 1)])) == [("b", "a"), ("a", "c")]


def test_undated_events_are_left_out_and_counted():
    events = [event("a", 1), event("b"), event("c", 2)]
    assert pairs(next_in_time(events)) == [("a", "c")]
    assert left_out(events) == {"without a time": 1}


def test_links_can_stay_within_a_column():
    events = [event("a", 1, doc_type="x"), event("b", 2, doc_type="y"), event("c", 3, doc_type="x"), event("d", 4, doc_type="z")]
    assert pairs(next_in_time(events, within="doc_type", relation="then")) == [("a", "c")]
    assert left_out(events, within="doc_type") == {"with none to follow": 2}


def test_links_can_stay_within_a_key_of_the_metadata():
    rooms = [{"room": 1}, {"room": "1"}, {"room": 1}, {}, {"room": [1]}, {"room": None}]
    events = [event(str(i), i + 1, metadata=metadata) for i, metadata in enumerate(rooms)]
    assert pairs(next_in_time(events, within="room")) == [("0", "2")]
    assert left_out(events, within="room") == {"without room": 3, "with none to follow": 1}


def test_points_of_feeling_are_no_group_but_words_are():
    events = [event("a", 1, emotion=Emotion(0, 0)), event("b", 2, emotion="joy"), event("c", 3, emotion="joy")]
    assert pairs(next_in_time(events, within="emotion")) == [("b", "c")]


def test_columns_are_offered_where_some_but_not_all_share_a_value():
    shared = [{"speaker": "Mia", "n": 1, "all": 0}, {"speaker": "Tom", "n": 2, "all": 0}, {"speaker": "Mia", "n": 3, "all": 0}]
    events = [event(str(i), i + 1, metadata=metadata) for i, metadata in enumerate(shared)]
    assert link_columns(events) == ["speaker"]


def test_none_and_one_event_have_no_links():
    assert next_in_time([]) == []
    assert next_in_time([event("a", 1)]) == []
    assert link_columns([]) == []


@given(st.lists(st.tuples(st.none() | st.integers(1, 5), st.sampled_from("xyz")), max_size=12))
def test_links_never_lead_back_in_time_and_make_one_chain_a_group(rows):
    events = [event(str(i), day, doc_type=group) for i, (day, group) in enumerate(rows)]
    by_id = {item.id: item for item in events}
    edges = next_in_time(events, within="doc_type")
    assert all(by_id[edge.source].timestamp <= by_id[edge.target].timestamp for edge in edges)
    assert all(by_id[edge.source].doc_type == by_id[edge.target].doc_type for edge in edges)
    assert len({edge.source for edge in edges}) == len({edge.target for edge in edges}) == len(edges)
    dated = [group for day, group in rows if day is not None]
    assert len(edges) == len(dated) - len(set(dated))
