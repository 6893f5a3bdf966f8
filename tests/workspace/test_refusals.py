"""What a workspace refuses, and that nothing is written then."""

from __future__ import annotations

import math

import numpy as np
import pytest

from affrag_core.errors import DuplicateError, EventError, UnknownEventError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.workspace import Workspace


@pytest.fixture
def ws(target):
    with Workspace.open(target) as opened:
        opened.add_events([Event(id="a", text="a", semantic_vec=[1.0, 2.0], emotional_vec=[0.5]), Event(id="b", text="b")])
        opened.add_edges([Edge(source="a", target="b")])
        before = (opened.version, opened.events(), opened.edges(), opened.undo_label)
        yield opened
        assert (opened.version, opened.events(), opened.edges(), opened.undo_label) == before, "a refusal leaves no trace"


@pytest.mark.parametrize(("edge", "field"), [(Edge(source="x", target="b"), "source"), (Edge(source="b", target="x"), "target")])
def test_a_link_to_a_missing_event(ws, edge, field):
    with pytest.raises(EventError, match=f"{field} must be an event of the workspace, got 'x' in the link") as caught:
        ws.add_edges([Edge(source="b", target="a"), edge])
    assert (caught.value.field, caught.value.event_id) == (field, "x")


def test_a_link_changed_to_a_missing_event(ws):
    with pytest.raises(EventError, match="target must be an event of the workspace, got 'x'"):
        ws.update_edge(("a", "b", "related"), Edge(source="a", target="x"))


def test_an_id_that_is_there(ws):
    with pytest.raises(DuplicateError, match="event 'a' is there already"):
        ws.add_events([Event(id="c", text="c"), Event(id="a", text="again")])


def test_an_id_given_twice_even_with_update(ws):
    twice = [Event(id="c", text="one"), Event(id="c", text="two")]
    for call in (lambda: ws.add_events(twice), lambda: ws.add_events(twice, update=True)):
        with pytest.raises(DuplicateError, match="event 'c' is given twice"):
            call()
    with pytest.raises(DuplicateError, match="event 'a' is given twice"):
        ws.update_events([Event(id="a", text="one"), Event(id="a", text="two")])


def test_a_link_that_is_there_or_given_twice(ws):
    with pytest.raises(DuplicateError, match=r"link 'a' → 'b' \(related\) is there already"):
        ws.add_edges([Edge(source="a", target="b")])
    with pytest.raises(DuplicateError, match="is there already"):
        ws.add_edges([Edge(source="b", target="a"), Edge(source="b", target="a")])


def test_a_link_changed_into_one_that_is_there(target):
    with Workspace.open(target) as ws:
        ws.add_events([Event(id="a", text="a"), Event(id="b", text="b")])
        ws.add_edges([Edge(source="a", target="b"), Edge(source="b", target="a")])
        with pytest.raises(DuplicateError, match="'a' → 'b'.* is there already"):
            ws.update_edge(("b", "a", "related"), Edge(source="a", target="b"))
        assert list(ws.edges()) == [Edge(source="a", target="b"), Edge(source="b", target="a")]


@pytest.mark.parametrize(
    ("field", "vector", "lengths"), [("semantic_vec", [1.0] * 3, "2 numbers.*got 3"), ("emotional_vec", [1.0, 2.0], "1 numbers.*got 2")]
)
def test_a_vector_of_another_length(ws, field, vector, lengths):
    with pytest.raises(EventError, match=rf"{field} must have {lengths} \(event c\)") as caught:
        ws.add_events([Event(id="c", text="c", **{field: vector})])
    assert caught.value.field == field
    with pytest.raises(EventError, match=rf"{field} must have {lengths} \(event b\)"):
        ws.update_events([Event(id="b", text="b", **{field: vector})])


def test_vectors_of_two_lengths_in_one_call(target):
    with Workspace.open(target) as ws:
        with pytest.raises(EventError, match=r"must have 2 numbers.*got 1 \(event b\)"):
            ws.add_events([Event(id="a", text="a", semantic_vec=[1.0, 2.0]), Event(id="b", text="b", semantic_vec=[1.0])])
        assert len(ws) == 0


def test_all_vectors_may_change_their_length_at_once(target):
    with Workspace.open(target) as ws:
        ws.add_events([Event(id="a", text="a", semantic_vec=[1.0, 2.0]), Event(id="b", text="b", semantic_vec=[1.0, 2.0])])
        ws.update_events([event.replace(semantic_vec=[1.0, 2.0, 3.0]) for event in ws.events()])
        ws.add_events([Event(id="c", text="c", semantic_vec=np.zeros(3, dtype=np.float32))])
        assert [len(event.semantic_vec) for event in ws.events()] == [3, 3, 3]


@pytest.mark.parametrize(
    ("metadata", "place", "value"),
    [
        ({"a": math.nan}, "metadata.a", "nan"),
        ({"a": [1, -math.inf]}, r"metadata.a\[1\]", "-inf"),
        ({"a": {"b": (1, 2)}}, "metadata.a.b", r"\(1, 2\)"),
        ({"a": {1: "x"}}, "a key of metadata.a", "1"),
        ({"a": np.int64(3)}, "metadata.a", r"np.int64\(3\)"),
        ({"a": {1, 2}}, "metadata.a", r"\{1, 2\}"),
        ({"a": b"x"}, "metadata.a", "b'x'"),
        ({"a": 10**5000}, "metadata.a", "'a number of 16610 bits'"),
    ],
)
def test_metadata_that_is_not_plain_json(ws, metadata, place, value):
    with pytest.raises(EventError, match=rf"^{place} must be plain JSON .*got {value} \(event c\)$") as caught:
        ws.add_events([Event(id="c", text="c", metadata=metadata)])
    assert (caught.value.field, caught.value.event_id) == ("metadata", "c")


def test_metadata_that_holds_itself(ws):
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(EventError, match="nested more than 100 deep"):
        ws.add_events([Event(id="c", text="c", metadata={"loop": loop})])


def test_attributes_that_are_not_plain_json(ws):
    with pytest.raises(EventError, match="attributes.w must be plain JSON .*got nan"):
        ws.add_edges([Edge(source="b", target="a", attributes={"w": math.nan})])


@pytest.mark.parametrize(
    ("field", "value"), [("id", "c\0"), ("text", "half \ud800"), ("doc_type", "\0"), ("supersedes_id", "\udfff"), ("emotion", "x\0")]
)
def test_text_that_no_database_keeps(ws, field, value):
    with pytest.raises(EventError, match=f"{field} must be text that can be stored, got .* at position"):
        ws.add_events([Event(**{"id": "c", "text": "c", field: value})])


def test_a_relation_that_no_database_keeps(ws):
    with pytest.raises(EventError, match="relation must be text that can be stored"):
        ws.add_edges([Edge(source="a", target="b", relation="half \ud800")])


def test_events_and_links_that_are_not_there(ws):
    with pytest.raises(UnknownEventError, match="no event 'x'"):
        ws.update_events([Event(id="x", text="x")])
    with pytest.raises(UnknownEventError, match="no event 'x'"):
        ws.delete_events(["a", "x"])
    with pytest.raises(UnknownEventError, match="no event 'a'"):
        ws.delete_events(["a", "a"])
    with pytest.raises(UnknownEventError, match=r"no link 'b' → 'a' \(related\)"):
        ws.delete_edges([("b", "a", "related")])
    with pytest.raises(UnknownEventError, match="no link"):
        ws.update_edge(("b", "a", "related"), Edge(source="b", target="a"))


KEY = ("a", "b", "related")
BACK = Edge(source="b", target="a")


@pytest.mark.parametrize(
    ("first", "second", "error", "sentence"),
    [
        (("update_events", [Event(id="a", text="new")]), ("delete_events", ["a"]), DuplicateError, "edited and deleted"),
        (("add_edges", [BACK]), ("delete_events", ["b"]), DuplicateError, "edited and deleted"),
        (("update_edge", KEY, BACK), ("delete_edges", [BACK.key]), DuplicateError, "edited twice"),
        (("delete_edges", [KEY]), ("delete_edges", [KEY]), DuplicateError, "edited twice"),
        (("delete_events", ["a"]), ("add_edges", [BACK]), EventError, "target must be an event"),
    ],
)
def test_one_event_or_link_edited_twice_in_one_change(ws, first, second, error, sentence):
    def both():
        with ws.change("Two") as draft:
            for name, *arguments in (first, second):
                getattr(draft, name)(*arguments)

    with pytest.raises(error, match=sentence):
        both()


def test_a_name_of_a_space_that_no_database_keeps(ws):
    with pytest.raises(EventError, match="the name of a space must be text that can be stored"):
        ws.set_spaces(semantic="a\0")
