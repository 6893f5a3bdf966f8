"""Rows of the database hold exactly what an event was."""

from __future__ import annotations

import io
from dataclasses import fields

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from affrag_core.events.edge import Edge
from affrag_core.events.event import Emotion, Event
from affrag_core.events.kinds import DocumentKind
from affrag_core.workspace import Workspace, schema
from affrag_core.workspace.archive_load import import_workspace
from affrag_core.workspace.archive_write import export_workspace
from affrag_core.workspace.change import Change
from affrag_core.workspace.records import edges_from_keys, event_from_row, event_row

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20).filter(str.strip)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
VECTORS = st.none() | st.sampled_from([np.float32, np.float64]).flatmap(
    lambda dtype: arrays(dtype, st.integers(1, 5), elements={"allow_nan": False, "allow_infinity": False})
)
UNIT = st.floats(-1, 1)
EVENTS = st.builds(
    Event,
    id=TEXTS,
    text=TEXTS,
    timestamp=st.none() | st.datetimes(),
    valid_from=st.none() | st.datetimes(),
    kind=st.sampled_from(DocumentKind),
    doc_type=TEXTS,
    supersedes_id=st.none() | TEXTS,
    emotion=st.none() | TEXTS | st.builds(Emotion, UNIT, UNIT),
    semantic_vec=VECTORS,
    emotional_vec=VECTORS,
    metadata=st.dictionaries(st.text(), JSON, max_size=3),
)


def of_one_length(events):
    """The events with vectors cut to what all have."""
    changes = {}
    for field in ("semantic_vec", "emotional_vec"):
        lengths = [len(getattr(event, field)) for event in events if getattr(event, field) is not None]
        changes[field] = min(lengths, default=0)
    return [event.replace(**{f: v[:n] for f, n in changes.items() if (v := getattr(event, f)) is not None}) for event in events]


@given(EVENTS)
def test_an_event_is_the_same_after_a_row(event):
    row = event_row(1, event)
    assert len(row) == len(schema.events.columns)
    assert event_from_row(row) == event


@given(st.lists(EVENTS, max_size=4, unique_by=lambda event: event.id).map(of_one_length))
@settings(max_examples=40)
def test_events_are_the_same_after_an_export(events):
    file = io.BytesIO()
    with Workspace.open(":memory:") as ws:
        ws.add_events(events)
        export_workspace(ws, file)
    with import_workspace(file, ":memory:") as copy:
        assert list(copy.events()) == events


@given(EVENTS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_event_is_the_same_after_a_database(target, event):
    with Workspace.open(target) as ws, Workspace.open(target) as other:
        ws.delete_events([old.id for old in ws.events()])
        ws.add_events([event])
        other.refresh()
        assert other.events() == (event,)
    with Workspace.open(target) as again:
        assert again.events() == (event,)


@given(st.lists(EVENTS, max_size=3))
def test_a_change_is_the_same_after_the_journal(events):
    rows = [event_row(place, event) for place, event in enumerate(events)]
    edges = [(1, 2, 3, "next", None), (2, 2, 2, "self", '{"w":1}')]
    change = Change(((1, 2),), ((1, 3),), new_events=rows, new_edges=edges, changed_events=rows, changed_edges=edges, spaces=("a", None))
    assert Change.from_bytes(change.to_bytes()) == change


def test_every_field_of_an_event_has_its_columns():
    columns = set(schema.events.columns.keys())
    assert {field.name for field in fields(Event)} <= columns


def test_bytes_are_little_endian_whatever_the_vector_was():
    big = Event(id="a", text="a", semantic_vec=np.array([1.0, 2.0], dtype=">f8"), emotional_vec=np.array([1], dtype=np.float32))
    row = dict(zip(schema.events.columns.keys(), event_row(1, big), strict=True))
    assert (row["semantic_dtype"], row["semantic_vec"]) == ("<f8", np.array([1.0, 2.0], dtype="<f8").tobytes())
    assert (row["emotional_dtype"], row["emotional_vec"]) == ("<f4", np.array([1.0], dtype="<f4").tobytes())


def test_edges_made_without_checks_equal_checked_ones():
    keys = [("a", "b", "next"), ("a", "a", "self")]
    made = edges_from_keys(keys, {keys[0]: {"w": 1}})
    assert made == [Edge(source="a", target="b", relation="next", attributes={"w": 1}), Edge(source="a", target="a", relation="self")]
    assert [edge.key for edge in made] == keys
