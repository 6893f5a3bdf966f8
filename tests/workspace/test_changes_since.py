"""What changed between two versions."""

from __future__ import annotations

import pytest

from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.events.source import Changes
from affrag_core.workspace import Workspace, log, steps

A, B, C = (Event(id=id_, text=id_) for id_ in "abc")
AB, BC = Edge(source="a", target="b"), Edge(source="b", target="c")


@pytest.fixture
def ws(target):
    with Workspace.open(target) as opened:
        opened.add_events([A, B, C])
        opened.add_edges([AB, BC])
        yield opened


def test_nothing_changed(ws):
    assert ws.changes_since(ws.version) == Changes()


def test_everything_since_the_beginning(ws):
    assert ws.changes_since(0) == Changes(put_events=(A, B, C), put_edges=(AB, BC))


def test_only_final_states_are_told(ws):
    version = ws.version
    ws.add_events([Event(id="d", text="first")])
    ws.update_events([Event(id="d", text="last"), Event(id="a", text="new")])
    ws.add_events([Event(id="gone", text="t")])
    ws.delete_events(["gone"])
    expected = (Event(id="d", text="last"), Event(id="a", text="new"))
    assert ws.changes_since(version) == Changes(put_events=expected)
    assert ws.changes_since(version + 1) == Changes(put_events=expected)


def test_a_deleted_event_takes_its_links_along(ws):
    version = ws.version
    ws.delete_events(["b"])
    assert ws.changes_since(version) == Changes(deleted_events=frozenset("b"), deleted_edges=frozenset([AB.key, BC.key]))


def test_deleted_and_added_again_is_both(ws):
    version = ws.version
    ws.delete_edges([AB.key])
    ws.delete_events(["a"])
    ws.add_events([A])
    ws.add_edges([AB])
    changes = ws.changes_since(version)
    assert changes == Changes(put_events=(A,), deleted_events=frozenset("a"), put_edges=(AB,), deleted_edges=frozenset([AB.key]))
    assert [event.id for event in ws.events()] == ["b", "c", "a"]


def test_changed_attributes_are_no_change_of_the_graph(ws):
    version = ws.version
    ws.update_edge(AB.key, Edge(source="a", target="b", attributes={"w": 1}))
    assert ws.changes_since(version) == Changes()
    assert ws.changes_since(0).put_edges[0].attributes == {"w": 1}


def test_undoing_an_addition_is_told_as_a_deletion(ws):
    version = ws.version
    ws.undo()
    assert ws.changes_since(version) == Changes(deleted_edges=frozenset([AB.key, BC.key]))
    assert ws.changes_since(version - 1) == Changes()


def test_a_return_into_the_middle_is_not_known_but_one_to_the_end_is(ws):
    version = ws.version
    ws.delete_events(["c"])
    ws.undo()
    assert ws.changes_since(version) == Changes((C,), frozenset("c"), (BC,), frozenset([BC.key]))
    ws.delete_events(["a"])
    before_undo = ws.version
    ws.undo()
    assert ws.changes_since(version) is None
    assert ws.changes_since(before_undo) is None
    assert ws.changes_since(ws.version) == Changes()


def test_a_link_with_other_ends_in_the_old_place_is_not_known(ws):
    version = ws.version
    ws.update_edge(AB.key, Edge(source="a", target="c"))
    assert ws.changes_since(version) is None


def test_versions_from_before_opening_and_from_the_future_are_not_known(target):
    with Workspace.open(target) as first:
        first.add_events([A])
    with Workspace.open(target) as second:
        assert second.changes_since(0) is None
        assert second.changes_since(1) == Changes()
        assert second.changes_since(2) is None


def test_only_so_many_steps_are_remembered(ws, monkeypatch):
    monkeypatch.setattr(log, "MAX_STEPS", 3)
    versions = [ws.version]
    for i in range(4):
        ws.add_events([Event(id=str(i), text="t")])
        versions.append(ws.version)
    assert ws.changes_since(versions[0]) is None
    assert [event.id for event in ws.changes_since(versions[1]).put_events] == ["1", "2", "3"]


def test_naming_a_space_is_a_new_version_without_changes(ws):
    version = ws.version
    ws.set_spaces(semantic="other")
    assert ws.version == version + 1
    assert ws.changes_since(version) == Changes()


def test_events_put_since_a_version_are_told_after_a_restart_too(target):
    with Workspace.open(target) as ws:
        ws.add_events([A, B, C])
        version = ws.version
        ws.add_events([Event(id="d", text="d"), Event(id="gone", text="t")])
        ws.add_edges([Edge(source="a", target="d")])
        ws.update_events([Event(id="b", text="new")])
        ws.delete_events(["gone"])
        ws.add_events([Event(id="undone", text="t")])
        ws.undo()
        assert ws.events_put_since(version) == {"b", "d"}
        assert ws.events_put_since(ws.version) == frozenset()
        newest = ws.version
    with Workspace.open(target) as ws:
        assert ws.events_put_since(version) == {"b", "d"}
        assert ws.events_put_since(0) == {"a", "b", "c", "d"}
        assert ws.events_put_since(newest + 1) is None


def test_events_put_long_ago_are_not_told(target, monkeypatch):
    monkeypatch.setattr(steps, "MAX_STEPS", 2)
    with Workspace.open(target) as ws:
        for event in (A, B, C):
            ws.add_events([event])
        assert ws.events_put_since(0) is None
        assert ws.events_put_since(1) == {"b", "c"}
