"""Other objects on the same database follow step by step, without reading everything again."""

from __future__ import annotations

import pytest

from affrag_core.errors import StaleError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.events.source import Changes
from affrag_core.workspace import Workspace, steps

A, B, C = (Event(id=id_, text=id_) for id_ in "abc")
AB, BC = Edge(source="a", target="b"), Edge(source="b", target="c")


@pytest.fixture
def pair(target):
    with Workspace.open(target) as one, Workspace.open(target) as two:
        one.add_events([A, B, C])
        one.add_edges([AB, BC])
        two.refresh()
        yield one, two


def same(one, two):
    assert one.events() == two.events()
    assert one.edges() == two.edges()
    assert all(one.edges_of(event.id) == two.edges_of(event.id) for event in one.events())
    assert (one.version, one.undo_label, one.redo_label) == (two.version, two.undo_label, two.redo_label)


EDITS = {
    "add": lambda ws: ws.add_events([Event(id="d", text="d")]),
    "update": lambda ws: ws.update_events([B.replace(text="new")]),
    "delete": lambda ws: ws.delete_events(["b"]),
    "delete the last": lambda ws: ws.delete_events(["c"]),
    "add a link": lambda ws: ws.add_edges([Edge(source="c", target="a")]),
    "change a link's attributes": lambda ws: ws.update_edge(AB.key, Edge(source="a", target="b", attributes={"w": 1})),
    "change a link's ends": lambda ws: ws.update_edge(AB.key, Edge(source="c", target="b")),
    "delete a link": lambda ws: ws.delete_edges([AB.key]),
    "undo": lambda ws: ws.undo(),
    "name a space": lambda ws: ws.set_spaces(semantic="s"),
}


@pytest.mark.parametrize("name", EDITS)
def test_each_edit_is_followed_without_a_second_reading(pair, name):
    one, two = pair
    memory = two._state.memory
    EDITS[name](one)
    assert two.refresh()
    assert two._state.memory is memory
    same(one, two)


def test_many_edits_are_followed_at_once_in_net(pair):
    one, two = pair
    version, memory = two.version, two._state.memory
    one.delete_events(["c"])
    one.add_events([Event(id="d", text="in the place of c"), Event(id="gone", text="t")])
    one.delete_events(["gone"])
    one.add_events([C.replace(text="back, at the end")])
    one.add_edges([Edge(source="d", target="c"), Edge(source="b", target="c")])
    two.refresh()
    assert two._state.memory is memory
    same(one, two)
    assert two.changes_since(version) == Changes(
        put_events=(Event(id="d", text="in the place of c"), C.replace(text="back, at the end")),
        deleted_events=frozenset("c"),
        put_edges=(Edge(source="d", target="c"), Edge(source="b", target="c")),
        deleted_edges=frozenset([BC.key]),
    )


def test_an_event_of_another_id_in_the_same_place_is_not_an_update(pair):
    one, two = pair
    one.undo()
    one.undo()
    one.add_events([Event(id=id_, text="another") for id_ in "xyz"])
    one.add_edges([Edge(source="x", target="y")])
    two.refresh()
    same(one, two)
    assert not two.has_event("a")


def test_without_steps_everything_is_read_again(pair, monkeypatch):
    one, two = pair
    memory = two._state.memory
    monkeypatch.setattr(steps, "MAX_STEPS", 2)
    for i in range(3):
        one.add_events([Event(id=f"n{i}", text="t")])
    two.refresh()
    assert two._state.memory is not memory
    same(one, two)


@pytest.mark.parametrize(("name", "most"), [("MAX_RUNS", 0), ("MAX_PLACES", 1)])
def test_a_change_of_too_much_is_read_again(pair, monkeypatch, name, most):
    one, two = pair
    memory = two._state.memory
    monkeypatch.setattr(steps, name, most)
    one.add_events([Event(id="d", text="t"), Event(id="e", text="t")])
    two.refresh()
    assert two._state.memory is not memory
    same(one, two)


def test_only_the_last_steps_are_kept(target, monkeypatch):
    monkeypatch.setattr(steps, "MAX_STEPS", 3)
    with Workspace.open(target) as ws:
        for i in range(6):
            ws.add_events([Event(id=str(i), text="t")])
        with ws._state.database.reading() as connection:
            assert connection.exec_driver_sql("SELECT version FROM steps ORDER BY version").scalars().all() == [4, 5, 6]


def test_what_was_seen_before_a_step_still_guards_against_overwriting(pair):
    one, two = pair
    one.update_events([A.replace(text="from one")])
    one.update_edge(AB.key, Edge(source="a", target="b", attributes={"w": 1}))
    mine = Edge(source="a", target="b", attributes={"w": 2})
    with pytest.raises(StaleError) as caught:
        two.update_edge(AB.key, mine)
    assert (caught.value.stored, caught.value.given) == (Edge(source="a", target="b", attributes={"w": 1}), mine)
    two.update_edge(AB.key, mine)
    one.delete_edges([BC.key])
    one.delete_events(["c"])
    with pytest.raises(StaleError) as caught:
        two.delete_edges([BC.key])
    assert (caught.value.stored, caught.value.given) == (None, None)


def test_changed_elsewhere_and_back_again_is_not_stale(pair):
    one, two = pair
    one.update_events([A.replace(text="for a moment")])
    one.update_events([A])
    two.update_events([A.replace(text="from two")])
    assert two.event("a").text == "from two"
