"""Undo and redo, also after a restart."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from affrag_core.errors import WorkspaceError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.workspace import Workspace, journal, schema
from affrag_core.workspace.change import Change, places, ranges

A, B, C, D = (Event(id=id_, text=f"Text of {id_}", semantic_vec=[1.0, float(i)]) for i, id_ in enumerate("abcd"))
AB = Edge(source="a", target="b", attributes={"w": 1})
BC, CA = Edge(source="b", target="c"), Edge(source="c", target="a")


def contents(ws):
    return list(ws.events()), list(ws.edges())


def test_undoing_a_deletion_puts_events_and_links_back_in_their_places(target):
    with Workspace.open(target) as ws:
        ws.add_events([A, B, C])
        ws.add_edges([AB, BC, CA])
        ws.delete_events(["a"])
        ws.add_events([D])
        ws.undo()
        assert ws.undo() == "Delete event a"
        assert contents(ws) == ([A, B, C], [AB, BC, CA])
        assert ws.edges_of("a") == [AB, CA]


def test_labels_say_what_comes_next(target):
    with Workspace.open(target) as ws:
        assert (ws.undo_label, ws.redo_label) == (None, None)
        ws.add_events([A, B])
        ws.update_events([A.replace(text="new")])
        assert (ws.undo_label, ws.redo_label) == ("Change event a", None)
        assert ws.undo() == "Change event a"
        assert (ws.undo_label, ws.redo_label) == ("Add 2 events", "Change event a")
        ws.undo()
        assert (ws.undo_label, ws.redo_label) == (None, "Add 2 events")
        assert ws.redo() == "Add 2 events"
        assert (ws.undo_label, ws.redo_label) == ("Add 2 events", "Change event a")


@pytest.mark.parametrize(
    ("edit", "label"),
    [
        (lambda ws: ws.add_events([D]), "Add event d"),
        (lambda ws: ws.add_events([D, B.replace(text="new")], update=True), "Add 2 events"),
        (lambda ws: ws.update_events([B.replace(semantic_vec=None)]), "Change event b"),
        (lambda ws: ws.delete_events(["a", "c"]), "Delete 2 events"),
        (lambda ws: ws.add_edges([Edge(source="a", target="a")]), "Add 1 link"),
        (lambda ws: ws.update_edge(AB.key, Edge(source="b", target="b", relation="new")), "Change 1 link"),
        (lambda ws: ws.update_edge(AB.key, Edge(source="a", target="b", attributes={"w": 2})), "Change 1 link"),
        (lambda ws: ws.delete_edges([AB.key, CA.key]), "Delete 2 links"),
        (lambda ws: ws.set_spaces(semantic="other"), "Name the vector spaces"),
    ],
)
def test_every_edit_is_undone_and_done_again_after_a_restart(target, edit, label):
    with Workspace.open(target) as ws:
        ws.add_events([A, B, C])
        ws.add_edges([AB, BC, CA])
        before = contents(ws)
        edit(ws)
        after = contents(ws)
    with Workspace.open(target) as ws:
        assert contents(ws) == after
        assert ws.undo() == label
        assert (contents(ws), ws.semantic_space) == (before, None)
    with Workspace.open(target) as ws:
        assert contents(ws) == before
        assert ws.redo() == label
        assert contents(ws) == after
        ws.undo()
        assert contents(ws) == before


def test_a_new_change_forgets_what_was_undone(target):
    with Workspace.open(target) as ws:
        ws.add_events([A])
        ws.undo()
        ws.add_events([B])
        assert ws.redo_label is None
        with pytest.raises(WorkspaceError, match="nothing to redo"):
            ws.redo()


def test_nothing_to_undo_is_a_sentence(target):
    with Workspace.open(target) as ws, pytest.raises(WorkspaceError, match="nothing to undo"):
        ws.undo()


def test_a_damaged_journal_is_a_sentence_and_changes_nothing(target):
    with Workspace.open(target) as ws:
        ws.add_events([A])
        with ws._state.database.writing() as connection:
            connection.execute(update(schema.journal).values(payload=b"\0"))
        with pytest.raises(WorkspaceError, match="what undoes 'Add event a' is damaged"):
            ws.undo()
        assert contents(ws) == ([A], [])


def test_links_that_take_each_others_place_are_undone(target):
    with Workspace.open(target) as ws:
        ws.add_events([A, B, C])
        ws.add_edges([AB, BC])
        with ws.change("Move on") as draft:
            draft.update_edge(BC.key, CA)
            draft.update_edge(AB.key, BC)
        assert list(ws.edges()) == [BC, CA]
        ws.undo()
        assert list(ws.edges()) == [AB, BC]
        ws.redo()
        assert list(ws.edges()) == [BC, CA]


def test_settings_are_not_undone(target):
    with Workspace.open(target) as ws:
        ws.add_events([A])
        ws.set_setting("title", "Mine")
        assert ws.undo() == "Add event a"
        assert ws.setting("title") == "Mine"


def test_only_so_many_changes_are_remembered(target, monkeypatch):
    monkeypatch.setattr(journal, "MAX_CHANGES", 3)
    with Workspace.open(target) as ws:
        for i in range(5):
            ws.add_events([Event(id=str(i), text="t")])
    with Workspace.open(target) as ws:
        assert [ws.undo() for _ in range(3)] == ["Add event 4", "Add event 3", "Add event 2"]
        assert ws.undo_label is None
        assert [event.id for event in ws.events()] == ["0", "1"]


def test_large_changes_push_older_ones_out_but_never_themselves(target, monkeypatch):
    monkeypatch.setattr(journal, "MAX_BYTES", 1)
    with Workspace.open(target) as ws:
        ws.add_events([A, B])
        ws.delete_events(["a", "b"])
        assert ws.undo() == "Delete 2 events"
        assert ws.undo_label is None
        assert contents(ws) == ([A, B], [])


def test_an_import_costs_the_journal_only_a_range():
    rows = [(place, str(place), "t" * 100) for place in range(1, 20_001)]
    assert len(Change(drop_events=ranges(row[0] for row in rows)).to_bytes()) < 200


def test_ranges_are_unbroken_runs():
    assert ranges([5, 1, 2, 3]) == ((1, 3), (5, 5))
    assert ranges([]) == ()
    assert list(places(((1, 3), (5, 5)))) == [1, 2, 3, 5]


def test_many_scattered_rows_are_dropped_and_put_back(target):
    with Workspace.open(target) as ws:
        ws.add_events([Event(id=str(i), text="t") for i in range(12_000)])
        ws.add_edges([Edge(source=str(i), target=str(i + 1)) for i in range(11_999)])
        before = contents(ws)
        ws.delete_events([str(i) for i in range(0, 12_000, 2)])
        assert (len(ws), ws.n_edges) == (6_000, 0)
        ws.undo()
        assert contents(ws) == before
