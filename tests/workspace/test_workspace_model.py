"""A workspace against a plain model of it, through any series of edits, undos and restarts."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from uuid import uuid4

import numpy as np
import psycopg
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.workspace import Workspace

SERVER = os.environ.get("AFFRAG_TEST_POSTGRES", "")
IDS = st.sampled_from(["a", "b", "c", "d", "007", "7"])
RELATIONS = st.sampled_from(["next", "answers"])
EVENTS = st.builds(
    Event,
    id=IDS,
    text=st.sampled_from(["one", "two", "<script>"]),
    timestamp=st.sampled_from([None, "2024-01-01", 1.5]),
    emotion=st.sampled_from([None, "joy", {"valence": 0.5, "arousal": -0.5}]),
    semantic_vec=st.sampled_from([None, [1.0, 0.0], np.array([0.1, 0.2], dtype=np.float32)]),
    metadata=st.sampled_from([{}, {"a": [1, None]}]),
)
EDGES = st.builds(Edge, source=IDS, target=IDS, relation=RELATIONS, attributes=st.sampled_from([{}, {"w": 0.5}]))


class WorkspaceMachine(RuleBasedStateMachine):
    """`events` and `edges` are dicts in order of insertion; `undone` and `done` hold copies of both."""

    def make_place(self):
        self.folder = tempfile.mkdtemp()
        return Path(self.folder) / "ws.sqlite"

    def remove_place(self):
        shutil.rmtree(self.folder)

    @initialize()
    def start(self):
        self.target = self.make_place()
        self.ws = Workspace.open(self.target)
        self.other = Workspace.open(self.target)
        self.events, self.edges = {}, {}
        self.done, self.undone = [], []
        self.followed = ([], [], 0)

    def teardown(self):
        if hasattr(self, "ws"):
            self.ws.close()
            self.other.close()
            self.remove_place()

    def changed(self, events, edges):
        self.done.append((self.events, self.edges))
        self.undone = []
        self.events, self.edges = events, edges

    @rule(event=EVENTS)
    def put_event(self, event):
        self.ws.add_events([event], update=True)
        self.changed(self.events | {event.id: event}, self.edges)

    @rule(id_=IDS)
    def delete_event(self, id_):
        if id_ in self.events:
            self.ws.delete_events([id_])
            without = {other: event for other, event in self.events.items() if other != id_}
            self.changed(without, {key: edge for key, edge in self.edges.items() if id_ not in key[:2]})

    @rule(edges=st.lists(EDGES, max_size=3, unique_by=lambda edge: edge.key))
    def add_edges(self, edges):
        fitting = [edge for edge in edges if edge.key not in self.edges and {edge.source, edge.target} <= self.events.keys()]
        if fitting:
            self.ws.add_edges(fitting)
            self.changed(self.events, self.edges | {edge.key: edge for edge in fitting})

    @rule(edge=EDGES, position=st.integers(0, 20))
    def change_edge(self, edge, position):
        if self.edges and {edge.source, edge.target} <= self.events.keys():
            old = list(self.edges)[position % len(self.edges)]
            if edge.key == old or edge.key not in self.edges:
                self.ws.update_edge(old, edge)
                kept = [edge if key == old else other for key, other in self.edges.items()]
                self.changed(self.events, {other.key: other for other in kept})

    @rule(position=st.integers(0, 20))
    def delete_edge(self, position):
        if self.edges:
            gone = list(self.edges)[position % len(self.edges)]
            self.ws.delete_edges([gone])
            self.changed(self.events, {key: edge for key, edge in self.edges.items() if key != gone})

    @precondition(lambda self: self.done)
    @rule()
    def undo(self):
        self.ws.undo()
        self.undone.append((self.events, self.edges))
        self.events, self.edges = self.done.pop()

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self):
        self.ws.redo()
        self.done.append((self.events, self.edges))
        self.events, self.edges = self.undone.pop()

    @rule()
    def reopen(self):
        self.ws.close()
        self.ws = Workspace.open(self.target)

    @rule()
    def refresh_the_other(self):
        """Another object on the same database follows, by steps where it can."""
        version, events = self.other.version, self.other.events()
        self.other.refresh()
        assert self.other.events() == tuple(self.events.values())
        assert self.other.edges() == tuple(self.edges.values())
        for id_ in self.events:
            assert self.other.edges_of(id_) == [edge for edge in self.edges.values() if id_ in (edge.source, edge.target)]
        changes = self.other.changes_since(version)
        if changes is not None:
            kept = [event.id for event in events if event.id not in changes.deleted_events]
            assert kept + [event.id for event in changes.put_events if event.id not in kept] == list(self.events)

    @rule()
    def follow(self):
        """Keep a copy up to date from `changes_since` alone, as a retriever does."""
        events, edges, version = self.followed
        changes = self.ws.changes_since(version)
        if changes is None:
            events, edges = [event.id for event in self.ws.events()], [edge.key for edge in self.ws.edges()]
        else:
            events = [id_ for id_ in events if id_ not in changes.deleted_events]
            edges = [key for key in edges if key not in changes.deleted_edges]
            events += [event.id for event in changes.put_events if event.id not in events]
            edges += [edge.key for edge in changes.put_edges]
        self.followed = (events, edges, self.ws.version)
        assert events == list(self.events)
        assert edges == list(self.edges)

    @invariant()
    def same_as_the_model(self):
        if hasattr(self, "ws"):
            assert self.ws.events() == tuple(self.events.values())
            assert self.ws.edges() == tuple(self.edges.values())
            assert (self.ws.undo_label is not None, self.ws.redo_label is not None) == (bool(self.done), bool(self.undone))
            for id_ in self.events:
                assert self.ws.edges_of(id_) == [edge for edge in self.edges.values() if id_ in (edge.source, edge.target)]


class ServerMachine(WorkspaceMachine):
    """The same on PostgreSQL, in a schema of its own for each example."""

    def make_place(self):
        self.schema = f"test_{uuid4().hex}"
        self.run(f"CREATE SCHEMA {self.schema}")
        return f"{SERVER}{'&' if '?' in SERVER else '?'}options=-csearch_path%3D{self.schema}"

    def remove_place(self):
        self.run(f"DROP SCHEMA {self.schema} CASCADE")

    def run(self, statement):
        with psycopg.connect(SERVER, autocommit=True) as connection:
            connection.execute("SET client_min_messages = error")
            connection.execute(statement)


TestWorkspaceMachine = WorkspaceMachine.TestCase
TestWorkspaceMachine.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestServerMachine = pytest.mark.skipif(not SERVER, reason="AFFRAG_TEST_POSTGRES names no PostgreSQL server")(ServerMachine.TestCase)
TestServerMachine.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)
