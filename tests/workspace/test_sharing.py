"""Several threads on one object, and several objects on one file."""

from __future__ import annotations

from threading import Event as Signal
from threading import Thread

import pytest

from affrag_core.config import RetrievalConfig
from affrag_core.errors import DuplicateError, EventError, StaleError, UnknownEventError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.workspace import Workspace

A, B = Event(id="a", text="a"), Event(id="b", text="b")
AB = Edge(source="a", target="b")


@pytest.fixture
def pair(target):
    with Workspace.open(target) as one, Workspace.open(target) as two:
        one.add_events([A, B])
        one.add_edges([AB])
        two.refresh()
        yield one, two


def test_a_change_is_seen_after_refresh(pair):
    one, two = pair
    assert two.events() == (A, B)
    one.update_events([Event(id="a", text="new")])
    one.set_setting("title", "t")
    one.save_config("c", RetrievalConfig())
    assert two.event("a").text == "a"
    version = two.version
    assert two.refresh()
    assert (two.event("a").text, two.setting("title"), two.config_names()) == ("new", "t", ["c"])
    assert (two.version, two.undo_label) == (one.version, "Change event a")
    assert two.changes_since(version).put_events == (Event(id="a", text="new"),)
    assert not two.refresh()


def test_a_setting_alone_reloads_no_events(pair):
    one, two = pair
    events = two.events()
    one.set_setting("title", "t")
    assert two.refresh()
    assert two.events() is events


def test_a_write_builds_on_what_others_wrote(pair):
    one, two = pair
    one.add_events([Event(id="c", text="from one")])
    two.add_events([Event(id="d", text="from two")])
    assert [event.id for event in two.events()] == ["a", "b", "c", "d"]
    assert two.version == one.version + 1
    with pytest.raises(DuplicateError, match="'d' is there already"):
        one.add_events([Event(id="d", text="from one")])
    assert one.event("d").text == "from two"


@pytest.mark.parametrize("write", ["update", "add with update", "delete"])
def test_an_event_that_changed_elsewhere_is_not_overwritten(pair, write):
    one, two = pair
    given = Event(id="a", text="from two")
    calls = {
        "update": lambda: two.update_events([given]),
        "add with update": lambda: two.add_events([given], update=True),
        "delete": lambda: two.delete_events(["a"]),
    }
    one.update_events([Event(id="a", text="from one")])
    with pytest.raises(StaleError, match="event 'a' was changed elsewhere") as caught:
        calls[write]()
    assert caught.value.stored.text == "from one"
    assert caught.value.given == (None if write == "delete" else given)
    assert two.event("a").text == "from one"
    calls[write]()
    one.refresh()
    assert not one.has_event("a") if write == "delete" else one.event("a") == given


def test_an_event_that_was_deleted_elsewhere_is_not_overwritten(pair):
    one, two = pair
    one.delete_events(["a"])
    with pytest.raises(StaleError, match="event 'a' was deleted elsewhere") as caught:
        two.update_events([Event(id="a", text="new")])
    assert caught.value.stored is None
    with pytest.raises(UnknownEventError):
        two.update_events([Event(id="a", text="new")])


def test_an_event_that_came_from_elsewhere_is_not_overwritten(pair):
    one, two = pair
    one.add_events([Event(id="c", text="from one")])
    with pytest.raises(StaleError, match="event 'c' was changed elsewhere"):
        two.add_events([Event(id="c", text="from two")], update=True)


def test_other_events_may_be_changed_at_the_same_time(pair):
    one, two = pair
    one.update_events([Event(id="a", text="from one")])
    two.update_events([Event(id="b", text="from two")])
    one.refresh()
    assert [event.text for event in one.events()] == ["from one", "from two"]


def test_a_link_that_changed_or_went_elsewhere_is_not_overwritten(pair):
    one, two = pair
    one.update_edge(AB.key, Edge(source="a", target="b", attributes={"w": 1}))
    with pytest.raises(StaleError, match="was changed elsewhere"):
        two.update_edge(AB.key, Edge(source="a", target="b", attributes={"w": 2}))
    one.delete_edges([AB.key])
    with pytest.raises(StaleError, match="was deleted elsewhere"):
        two.delete_edges([AB.key])


def test_a_link_to_an_event_deleted_elsewhere_is_refused(pair):
    one, two = pair
    one.delete_events(["b"])
    with pytest.raises(EventError, match="target must be an event"):
        two.add_edges([Edge(source="a", target="b", relation="new")])


def test_nobody_undoes_what_they_have_not_seen(pair):
    one, two = pair
    one.add_events([Event(id="c", text="c")])
    with pytest.raises(StaleError, match="look at it again, then undo"):
        two.undo()
    assert two.undo() == "Add event c"
    with pytest.raises(StaleError, match="look at it again, then redo"):
        one.redo()
    assert one.redo() == "Add event c"


def test_two_forms_of_one_process_do_not_overwrite_each_other(target):
    with Workspace.open(target) as ws:
        ws.add_events([A])
        shown_to_both = ws.event("a")
        ws.update_events([Event(id="a", text="first form")], seen=[shown_to_both])
        with pytest.raises(StaleError) as caught:
            ws.update_events([Event(id="a", text="second form")], seen=[shown_to_both])
        assert (caught.value.stored.text, caught.value.given.text) == ("first form", "second form")
        with pytest.raises(StaleError):
            ws.delete_events(["a"], seen=[shown_to_both])
        ws.delete_events(["a"], seen=[ws.event("a")])


def run_together(*work):
    failures = []

    def guarded(function):
        try:
            function()
        except BaseException as error:
            failures.append(error)

    threads = [Thread(target=guarded, args=(function,)) for function in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not failures


@pytest.mark.parametrize("in_memory", [True, False], ids=["memory", "durable"])
def test_threads_share_one_object(target, in_memory):
    with Workspace.open(":memory:" if in_memory else target) as ws:
        ws.add_events([A])

        def add(name):
            for i in range(25):
                ws.add_events([Event(id=f"{name}{i}", text="t")])
                ws.add_edges([Edge(source=f"{name}{i}", target="a")])

        def read():
            for _ in range(200):
                assert len({event.id for event in ws.events()}) == len(ws.events())
                assert all(edge.target == "a" for edge in ws.edges())
                assert all(ws.has_event(edge.source) for edge in ws.edges_of("a"))
                ws.refresh()
                ws.setting("title")

        run_together(lambda: add("x"), lambda: add("y"), read)
        assert (len(ws), ws.n_edges, ws.version) == (51, 50, 101)


def test_threads_with_an_object_each_wait_for_each_other(target):
    def add(name):
        with Workspace.open(target) as ws:
            for i in range(20):
                ws.add_events([Event(id=f"{name}{i}", text="t")])

    run_together(lambda: add("x"), lambda: add("y"))
    with Workspace.open(target) as ws:
        assert (len(ws), ws.version) == (40, 40)


def test_readers_do_not_wait_for_a_long_change(target):
    with Workspace.open(target) as ws:
        ws.add_events([A])
        inside, read = Signal(), Signal()

        def change():
            with ws.change("Long") as draft:
                draft.add_events([B])
                inside.set()
                assert read.wait(30)

        def look():
            assert inside.wait(30)
            assert (ws.events(), ws.edges(), ws.refresh(), ws.setting("x")) == ((A,), (), False, None)
            read.set()

        run_together(change, look)
        assert ws.events() == (A, B)
