"""Events as cells of a table and back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some

from affrag_core import DocumentKind, Emotion, Event, EventError
from pages.shared import event_rows

moments = some.none() | some.datetimes(timezones=some.just(UTC))
points = some.builds(Emotion, some.floats(-1, 1), some.floats(-1, 1))
words = some.text(some.characters(categories=["L"]), min_size=1)
more = some.dictionaries(some.text(), some.none() | some.booleans() | some.integers() | some.text())


@some.composite
def events(draw: some.DrawFn) -> Event:
    start, end = draw(moments), draw(moments)
    if start and end and start > end:
        start, end = end, start
    return Event(
        id=draw(words),
        text=draw(some.text(min_size=1).filter(str.strip)),
        timestamp=draw(moments),
        valid_from=start,
        valid_until=end,
        kind=draw(some.sampled_from(DocumentKind)),
        doc_type=draw(words),
        supersedes_id=draw(some.none() | words),
        emotion=draw(some.none() | points | words),
        metadata=draw(more),
    )


@given(events())
def test_cells_give_their_event_back(event: Event):
    cells = event_rows.event_cells(event)
    del cells["id"]
    assert event_rows.event_with_cells(Event(id=event.id, text="another"), cells) == event


def test_an_emptied_cell_empties_its_field():
    event = Event(id="e", text="a", timestamp="2024-01-01", doc_type="letter", supersedes_id="d", emotion="joy", metadata={"place": "Oslo"})
    emptied = dict.fromkeys(("timestamp", "doc_type", "supersedes_id", "emotion", "metadata"), "")
    assert event_rows.event_with_cells(event, emptied) == Event(id="e", text="a")


@pytest.mark.parametrize(
    ("field", "value", "at_fault"),
    [
        ("text", " ", "text"),
        ("timestamp", "yesterday", "timestamp"),
        ("timestamp", "2024-13-01", "timestamp"),
        ("emotion", "1.7, 0", "valence"),
        ("emotion", "0 -1.01", "arousal"),
        ("kind", "STATUS", "kind"),
        ("metadata", "place: Oslo", "metadata"),
        ("metadata", "[1, 2]", "metadata"),
        ("metadata", '{"n": NaN}', "metadata"),
        ("metadata", "[" * 100_000, "metadata"),
    ],
)
def test_a_bad_cell_names_its_event_and_field(field: str, value: str, at_fault: str):
    with pytest.raises(EventError, match="e7") as caught:
        event_rows.event_with_cells(Event(id="e7", text="a"), {field: value})
    assert caught.value.field == at_fault


def test_a_window_that_ends_before_it_begins_is_refused():
    with pytest.raises(EventError, match="valid_from must not be after"):
        event_rows.event_with_cells(Event(id="e", text="a", valid_from="2024-05-01"), {"valid_until": "2024-04-01"})


@pytest.mark.parametrize(
    ("search", "kinds", "types", "found"),
    [
        ("", [], [], ["e1", "e2", "e3"]),
        ("TEA ada", [], [], ["e1"]),
        ("oslo", [], [], ["e2"]),
        ("joy", [], [], ["e3"]),
        ("", ["EVENT"], [], ["e2"]),
        ("", [], ["letter", "diary"], ["e3"]),
        ("e", ["STATIC"], ["general"], ["e1"]),
        ("nothing of it", [], [], []),
    ],
)
def test_a_search_finds_events_that_hold_every_word(search: str, kinds: list[str], types: list[str], found: list[str]):
    rows = [
        Event(id="e1", text="Tea with Ada"),
        Event(id="e2", text="A walk", kind="EVENT", metadata={"place": "Oslo"}),
        Event(id="e3", text="A dance", doc_type="letter", emotion="joy"),
    ]
    assert [event.id for event in event_rows.matching(rows, search, kinds, types)] == found


def test_undated_events_come_last_in_either_order_of_time():
    start = datetime(2024, 1, 1, tzinfo=UTC)
    rows = [Event(id="none", text="a"), *(Event(id=f"d{n}", text="a", timestamp=start + timedelta(days=n)) for n in (2, 1, 3))]
    ids = {order: [event.id for event in event_rows.ordered(rows, order)] for order in event_rows.ORDERS}
    assert ids == {
        "As added": ["none", "d2", "d1", "d3"],
        "Newest first": ["d3", "d2", "d1", "none"],
        "Oldest first": ["d1", "d2", "d3", "none"],
    }


def test_a_free_id_is_none_that_is_taken():
    assert event_rows.free_id({"e3", "e4"}.__contains__, 2) == "e5"
