"""What a workspace keeps, in which order, and what it gives back."""

from __future__ import annotations

import doctest
import subprocess
import sys

import numpy as np
import pytest

from affrag_core.config import ALSConfig, CPTConfig, RetrievalConfig
from affrag_core.errors import ConfigError, UnknownEventError, WorkspaceError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Emotion, Event
from affrag_core.workspace import Workspace, workspace


@pytest.fixture
def ws(target):
    with Workspace.open(target) as opened:
        yield opened


FULL = Event(
    id="e1",
    text="Tea with Ada.",
    timestamp="2024-01-31T18:00:00.123456Z",
    valid_from="0001-01-01T00:00:00Z",
    valid_until="9999-12-31T23:59:59.999999Z",
    kind="EVENT",
    doc_type="diary",
    supersedes_id="e0",
    emotion={"valence": 0.1, "arousal": -1.0},
    semantic_vec=np.array([0.1, -2.5, 0.0], dtype=np.float32),
    emotional_vec=[0.1, 1e-300],
    metadata={"who": ["Ada", None, True, 1, 0.1], "nested": {"": "\ud800 \0"}, "large": 10**400},
)


def test_an_event_with_everything_comes_back_exactly(target):
    with Workspace.open(target) as first:
        first.add_events([FULL])
    with Workspace.open(target) as second:
        found = second.event("e1")
    assert found == FULL
    assert found.semantic_vec.dtype == np.float32
    assert found.emotional_vec.dtype == np.float64
    assert not found.semantic_vec.flags.writeable


def test_an_event_with_only_id_and_text_comes_back_exactly(target):
    bare, word = Event(id="e1", text="Tea."), Event(id="e2", text="Walk.", emotion="joy")
    with Workspace.open(target) as first:
        first.add_events([bare, word])
    with Workspace.open(target) as second:
        assert second.events() == (bare, word)


def test_an_emotion_is_a_word_or_a_point_again(ws):
    ws.add_events([Event(id="e1", text="t", emotion="joy"), Event(id="e2", text="t", emotion=Emotion(0.0, 0.0))])
    assert [event.emotion for event in ws.events()] == ["joy", Emotion(0.0, 0.0)]


ODD_IDS = ["007", "7", "https://example.org/a?b=c#d", "Nike", "nike", "🙂", " padded ", "a'; DROP TABLE events; --", "%", "x" * 5000]


@pytest.mark.parametrize("id_", [*ODD_IDS, "\u202eright-to-left"])
def test_odd_ids_are_kept_letter_by_letter(target, id_):
    others = [Event(id=other, text="other") for other in ("7 ", "NIKE", "plain")]
    with Workspace.open(target) as first:
        first.add_events([*others, Event(id=id_, text="this")])
        first.add_edges([Edge(source=id_, target="plain", relation=id_)])
    with Workspace.open(target) as second:
        assert second.event(id_).text == "this"
        assert second.edges_of(id_) == [Edge(source=id_, target="plain", relation=id_)]


def test_ids_that_differ_only_in_case_or_zeros_are_different_events(ws):
    ws.add_events([Event(id=id_, text=id_) for id_ in ("007", "7", "Nike", "nike")])
    assert [event.id for event in ws.events()] == ["007", "7", "Nike", "nike"]


@pytest.mark.parametrize("text", ["x" * 10_000, "<!-- <script>", "</script><img src=x onerror=alert(1)>", "مرحبا", "a\r\nb\tc", "\x01"])
def test_any_text_is_kept_as_it_is(target, text):
    with Workspace.open(target) as first:
        first.add_events([Event(id="e1", text=text)])
    with Workspace.open(target) as second:
        assert second.event("e1").text == text


def test_self_loops_and_several_relations_between_one_pair_are_kept_in_order(ws):
    ws.add_events([Event(id=id_, text="t") for id_ in ("a", "b", "c")])
    edges = [
        Edge(source="a", target="b", relation="next"),
        Edge(source="a", target="a", relation="self"),
        Edge(source="a", target="b", relation="answers", attributes={"by": "rule", "strength": [0.5]}),
        Edge(source="b", target="a", relation="next"),
        Edge(source="b", target="c", relation="next"),
    ]
    ws.add_edges(edges)
    assert list(ws.edges()) == edges
    assert ws.n_edges == 5
    assert ws.edges_of("a") == edges[:4]
    assert ws.edges_of("c") == edges[4:]


def test_an_end_of_validity_before_the_timestamp_is_kept(ws):
    ws.add_events([Event(id="e1", text="t", timestamp="2024-02-01", valid_until="2024-01-01")])
    assert ws.event("e1").valid_until < ws.event("e1").timestamp


def test_an_updated_event_keeps_its_place_and_its_links(ws):
    ws.add_events([Event(id=id_, text=id_) for id_ in ("a", "b", "c")])
    ws.add_edges([Edge(source="a", target="b")])
    ws.update_events([Event(id="a", text="new")])
    ws.add_events([Event(id="b", text="new"), Event(id="d", text="d")], update=True)
    assert [(event.id, event.text) for event in ws.events()] == [("a", "new"), ("b", "new"), ("c", "c"), ("d", "d")]
    assert ws.edges_of("b") == [Edge(source="a", target="b")]


def test_deleting_an_event_deletes_its_links_in_and_out(ws):
    ws.add_events([Event(id=id_, text=id_) for id_ in ("a", "b", "c")])
    ws.add_edges([Edge(source=s, target=t) for s, t in (("a", "b"), ("b", "c"), ("b", "b"), ("c", "a"))])
    ws.delete_events(["b"])
    assert [event.id for event in ws.events()] == ["a", "c"]
    assert list(ws.edges()) == [Edge(source="c", target="a")]
    assert not ws.has_event("b")
    assert ws.edges_of("a") == [Edge(source="c", target="a")]


def test_a_changed_link_keeps_its_place(ws):
    ws.add_events([Event(id=id_, text=id_) for id_ in ("a", "b", "c")])
    ws.add_edges([Edge(source="a", target="b"), Edge(source="b", target="c")])
    ws.update_edge(("a", "b", "related"), Edge(source="a", target="c", relation="next", attributes={"w": 1}))
    assert list(ws.edges()) == [Edge(source="a", target="c", relation="next", attributes={"w": 1}), Edge(source="b", target="c")]
    ws.update_edge(("a", "c", "next"), Edge(source="a", target="c", relation="next"))
    assert [dict(edge.attributes) for edge in ws.edges()] == [{}, {}]
    assert ws.edges_of("b") == [Edge(source="b", target="c")]


def test_several_edits_can_be_one_change(ws):
    with ws.change("Load the demo") as draft:
        draft.add_events([Event(id="a", text="a"), Event(id="b", text="b")])
        draft.add_edges([Edge(source="a", target="b")])
        draft.set_spaces(semantic="mini", emotional="plane")
        assert len(ws) == 0, "nobody sees half of a change"
    assert (len(ws), ws.n_edges, ws.version, ws.semantic_space, ws.emotional_space) == (2, 1, 1, "mini", "plane")
    assert ws.undo() == "Load the demo"
    assert (len(ws), ws.n_edges, ws.version, ws.semantic_space, ws.emotional_space) == (0, 0, 2, None, None)


def test_everything_can_be_replaced_in_one_change(ws):
    ws.add_events([Event(id="a", text="a", semantic_vec=[1.0]), Event(id="b", text="b")])
    ws.add_edges([Edge(source="a", target="b")])
    with ws.change("Load again") as draft:
        draft.delete_events(["a", "b"])
        draft.add_events([Event(id="b", text="B"), Event(id="a", text="A", semantic_vec=[1.0, 2.0])])
        draft.add_edges([Edge(source="a", target="b")])
    assert [event.text for event in ws.events()] == ["B", "A"]
    ws.undo()
    assert [event.text for event in ws.events()] == ["a", "b"]
    assert ws.edges_of("b") == [Edge(source="a", target="b")]


def test_a_change_that_raises_leaves_no_trace(ws):
    def stopping():
        yield Event(id="a", text="a")
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"), ws.change("Half") as draft:
        draft.add_events(stopping())
    assert (len(ws), ws.version, ws.undo_label) == (0, 0, None)
    ws.add_events([Event(id="a", text="a")])
    assert len(ws) == 1


def test_a_change_within_a_change_is_refused(ws):
    with pytest.raises(WorkspaceError, match="open already"), ws.change("Outer"):
        ws.add_events([Event(id="a", text="a")])


def test_nothing_to_do_is_not_a_change(ws):
    ws.add_events([])
    ws.delete_edges([])
    ws.set_spaces()
    assert (ws.version, ws.undo_label) == (0, None)


def test_lists_are_the_same_objects_until_something_changes(ws):
    ws.add_events([Event(id="a", text="a")])
    ws.add_edges([Edge(source="a", target="a")])
    events, edges = ws.events(), ws.edges()
    assert ws.events() is events
    assert ws.edges() is edges
    ws.delete_events(["a"])
    assert ws.events() == () == ws.edges()
    assert len(events) == len(edges) == 1, "what a reader holds does not change under it"


def test_the_version_grows_by_one_a_change_and_survives(target):
    with Workspace.open(target) as first:
        first.add_events([Event(id="a", text="a"), Event(id="b", text="b")])
        first.undo()
        first.set_setting("title", "not a change of the data")
        assert first.version == 2
    with Workspace.open(target) as second:
        assert second.version == 2


def test_spaces_are_kept_and_named_one_at_a_time(target):
    with Workspace.open(target) as first:
        first.set_spaces(semantic="all-MiniLM-L6-v2")
        first.set_spaces(emotional="valence-arousal")
    with Workspace.open(target) as second:
        assert (second.semantic_space, second.emotional_space) == ("all-MiniLM-L6-v2", "valence-arousal")
        second.set_spaces(semantic=None)
        assert (second.semantic_space, second.emotional_space) == (None, "valence-arousal")


def test_the_name_is_the_files_until_another_is_set(tmp_path):
    path = tmp_path / "diary.sqlite"
    with Workspace.open(path) as ws:
        assert ws.name == "diary"
        ws.set_setting("name", "My year")
        assert ws.name == "My year"
    with Workspace.open(path) as ws:
        assert ws.name == "My year"


def test_settings_are_plain_json_and_survive(target):
    with Workspace.open(target) as first:
        first.set_setting("questions", [{"text": "Why?", "vector": [0.5]}])
        first.set_setting("as_of", "2024-01-01T00:00:00Z")
        first.set_setting("as_of", None)
        first.setting("questions").append("a copy")
    with Workspace.open(target) as second:
        assert second.setting("questions") == [{"text": "Why?", "vector": [0.5]}]
        assert second.setting("as_of", "default") is None
        assert second.setting("missing", 3) == 3


@pytest.mark.parametrize("value", [float("nan"), {1: 2}, (1, 2), {"a": [object()]}, np.float32(1)])
def test_a_setting_that_is_not_plain_json_is_refused(ws, value):
    with pytest.raises(ConfigError, match="setting tuning.* must be plain JSON"):
        ws.set_setting("tuning", value)


def test_configs_are_kept_by_name(target):
    config = RetrievalConfig(
        mode="cpt", als=ALSConfig(semantic_weight=-0.3), cpt=CPTConfig(top_p=0.9, activation_als_config=ALSConfig(bias=1)), mood=(0.1, 0.2)
    )
    with Workspace.open(target) as first:
        first.save_config("b", RetrievalConfig())
        first.save_config("a <b>", RetrievalConfig())
        first.save_config("a <b>", config)
    with Workspace.open(target) as second:
        assert second.config_names() == ["a <b>", "b"]
        assert second.config("a <b>") == config
        second.delete_config("b")
        assert second.config_names() == ["a <b>"]


def test_a_config_that_is_not_there_is_refused(ws):
    with pytest.raises(ConfigError, match="no saved config 'x'"):
        ws.config("x")
    with pytest.raises(ConfigError, match="no saved config 'x'"):
        ws.delete_config("x")
    with pytest.raises(ConfigError, match="blank"):
        ws.save_config(" ", RetrievalConfig())


def test_an_unknown_event_is_named(ws):
    with pytest.raises(UnknownEventError, match="no event 'e9'"):
        ws.event("e9")
    with pytest.raises(UnknownEventError, match="no event 'e9'"):
        ws.edges_of("e9")


def test_an_empty_workspace_is_true(ws):
    assert ws
    assert len(ws) == 0


def test_a_closed_workspace_says_so(ws):
    ws.close()
    ws.close()
    with pytest.raises(WorkspaceError, match="closed"):
        ws.add_events([Event(id="a", text="a")])


def test_the_examples_in_the_docstrings_run():
    assert doctest.testmod(workspace).failed == 0


def test_sqlalchemy_loads_only_when_a_workspace_is_opened():
    program = "import sys, affrag_core.workspace as w; assert 'sqlalchemy' not in sys.modules; w.Workspace.open(':memory:')"
    assert subprocess.run([sys.executable, "-c", program], check=False, capture_output=True).stderr == b""


def test_a_label_may_hold_the_name_of_any_file(target):
    with Workspace.open(target) as ws:
        with ws.change("Import caf\udce9\0.csv") as draft:
            draft.add_events([Event(id="a", text="a")])
        assert ws.undo_label == "Import caf?.csv"
