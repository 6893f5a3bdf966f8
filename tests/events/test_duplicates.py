"""Ids that repeat: a choice with a report, and edges that follow it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.errors import ConfigError
from affrag_core.events.duplicates import DUPLICATE_CHOICES, duplicate_ids, resolve_duplicates
from affrag_core.events.readers import read_edges, read_events

FILE = b"""id,text,links,supersedes_id
7,first,8,
8,other,7,7
7,second,8;7,
9,last,7,
"""


def read(content=FILE, **options):
    return read_events("a.csv", content, **options)


def resolved(choice, existing=(), content=FILE, **options):
    resolution = resolve_duplicates(read(content, known_ids=existing), existing, choice, **options)
    assert resolution.reading.is_complete
    return resolution


def events(resolution):
    return [(event.id, event.text) for event in resolution.reading.events]


def links(resolution):
    return [(edge.source, edge.target) for edge in resolution.reading.edges]


def test_a_number_beside_its_text_is_a_duplicate():
    reading = read_events("a.json", b'[{"id": 7, "text": "a"}, {"id": "7", "text": "b"}, {"id": "007", "text": "c"}]')
    assert duplicate_ids(reading) == {"7": [1, 2]}


def test_ids_that_are_there_count():
    assert duplicate_ids(read(), {"9", "5"}) == {"7": [2, 4], "9": [5]}


def test_without_duplicates_nothing_changes():
    reading = read(b"id,text,links\na,1,b\nb,2,\n")
    for choice in DUPLICATE_CHOICES:
        resolution = resolve_duplicates(reading, {"z"}, choice)
        assert (resolution.reading, resolution.sentence) == (reading, "")


def test_refuse_lists_every_row_of_the_id_and_every_edge_that_names_it():
    resolution = resolved("refuse")
    assert events(resolution) == [("8", "other"), ("9", "last")]
    assert links(resolution) == []
    assert resolution.refused == ((2, "7"), (4, "7"))
    faults = resolution.reading.faults
    assert [(fault.row, fault.part) for fault in faults if fault.part == "event"] == [(2, "event"), (4, "event")]
    assert faults[0].reason == "the id '7' also stands in row 4"
    assert faults[0].raw == {"id": "7", "text": "first", "links": "8", "supersedes_id": ""}
    assert len(resolution.reading.edge_faults) == 5


def test_refuse_names_events_that_are_there():
    reasons = {fault.row: fault.reason for fault in resolved("refuse", existing={"9"}).reading.event_faults}
    assert reasons[5] == "the id '9' also stands among the events that are there"


def test_keep_first_drops_the_later_rows_with_their_edges():
    resolution = resolved("keep first")
    assert events(resolution) == [("7", "first"), ("8", "other"), ("9", "last")]
    assert links(resolution) == [("7", "8"), ("8", "7"), ("9", "7")]
    assert (resolution.dropped, resolution.reading.n_dropped, resolution.reading.n_links_dropped) == (((4, "7"),), 1, 2)


def test_keep_first_keeps_what_is_there():
    resolution = resolved("keep first", existing={"7"})
    assert events(resolution) == [("8", "other"), ("9", "last")]
    assert links(resolution) == [("8", "7"), ("9", "7")]
    assert resolution.dropped == ((2, "7"), (4, "7"))


def test_keep_last_drops_the_earlier_rows_and_replaces_what_is_there():
    resolution = resolved("keep last", existing={"7"})
    assert events(resolution) == [("8", "other"), ("7", "second"), ("9", "last")]
    assert links(resolution) == [("8", "7"), ("7", "8"), ("7", "7"), ("9", "7")]
    assert resolution.replaces == {"7"}
    what = "1 dropped, 1 replacing one that is there; 1 edges were dropped with their rows"
    assert resolution.sentence == f"Of the events whose ids repeat, {what}."


def test_rename_keeps_every_row_and_other_rows_mean_the_first():
    resolution = resolved("rename")
    assert events(resolution) == [("7", "first"), ("8", "other"), ("7-2", "second"), ("9", "last")]
    assert links(resolution) == [("7", "8"), ("8", "7"), ("7-2", "8"), ("7-2", "7-2"), ("9", "7")]
    assert [(item.row, item.old, item.new) for item in resolution.renamed] == [(4, "7", "7-2")]


def test_rename_beside_an_event_that_is_there_makes_the_file_follow_its_own_row():
    resolution = resolved("rename", existing={"7", "7-2"})
    assert events(resolution) == [("7-3", "first"), ("8", "other"), ("7-4", "second"), ("9", "last")]
    assert links(resolution) == [("7-3", "8"), ("8", "7-3"), ("7-4", "8"), ("7-4", "7-4"), ("9", "7-3")]
    assert resolution.reading.events[1].supersedes_id == "7-3"


def test_a_new_version_that_supersedes_its_own_old_id_still_does():
    resolution = resolved("rename", existing={"7"}, content=b"id,text,supersedes_id\n7,new,7\n")
    assert [(event.id, event.supersedes_id) for event in resolution.reading.events] == [("7-2", "7")]


def test_edges_that_are_there_are_faults():
    resolution = resolved("keep first", existing_edges={("8", "7", "related")})
    assert links(resolution) == [("7", "8"), ("9", "7")]
    assert resolution.reading.edge_faults[0].reason == "this edge is there already"


def test_a_reading_of_edges_passes_through():
    reading = read_edges("a.csv", b"source,target\n7,8\n", {"7", "8"})
    assert resolve_duplicates(reading, {"7", "8"}, "rename").reading == reading


def test_an_unknown_choice_is_refused():
    with pytest.raises(ConfigError, match="must be one of refuse, keep first, keep last, rename"):
        resolve_duplicates(read(), (), "guess")


LINKS = st.lists(st.sampled_from("abcd"), max_size=3)
ROWS = st.lists(st.tuples(st.sampled_from("abc"), LINKS, st.sampled_from(["", "a", "b"])), max_size=7)


@given(ROWS, st.sets(st.sampled_from(["a", "b", "d", "a-2"])), st.sampled_from(DUPLICATE_CHOICES))
def test_afterwards_ids_are_unique_edges_fit_and_every_row_is_accounted_for(rows, existing, choice):
    body = "".join(f"{event_id},x,{';'.join(links)},{old}\n" for event_id, links, old in rows)
    reading = read(f"id,text,links,supersedes_id\nz,z,,\n{body}".encode(), known_ids=existing)
    resolution = resolve_duplicates(reading, existing, choice)
    result = resolution.reading
    ids = [event.id for event in result.events]
    assert reading.is_complete
    assert result.is_complete
    assert len(set(ids)) == len(ids)
    assert set(ids) & existing == resolution.replaces
    assert all({edge.source, edge.target} <= set(ids) | existing for edge in result.edges)
    assert len({edge.key for edge in result.edges}) == len(result.edges)
    assert [row.number for row in result.event_rows] == sorted(row.number for row in result.event_rows)
    assert len(resolution.dropped) == result.n_dropped
    if choice == "rename":
        assert len(ids) == len(rows) + 1
