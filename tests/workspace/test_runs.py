"""Runs, rules and mappings are kept, shared and given back as they were."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import update

from affrag_core.errors import ConfigError, WorkspaceError
from affrag_core.events.event import Event
from affrag_core.workspace import Workspace, schema
from affrag_core.workspace.run_card import RunCard

TRACE = {"query": "where?", "mode": "combined", "as_of": "2024-01-01T00:00:00Z", "hops": [{"score": 0.1, "path": ["a", "\0 \ud800"]}]}


@pytest.fixture
def ws(target):
    with Workspace.open(target) as opened:
        yield opened


def test_a_run_is_kept_with_its_card(target):
    created = datetime(2024, 5, 1, 12, 0, 0, 123456, tzinfo=timezone(timedelta(hours=2)))
    with Workspace.open(target) as first:
        id_ = first.save_run("Before tuning", TRACE, created=created)
        second = first.save_run("Before tuning", {"hops": []})
    with Workspace.open(target) as again:
        assert again.runs() == (
            RunCard(id_, "Before tuning", created.astimezone(UTC), "where?", "combined"),
            RunCard(second, "Before tuning", None, "", ""),
        )
        assert again.run(id_) == TRACE
        assert again.run(second) == {"hops": []}


def test_a_run_is_deleted_and_its_id_never_used_again(ws):
    first = ws.save_run("one", TRACE)
    ws.delete_run(first)
    assert ws.runs() == ()
    assert ws.save_run("two", TRACE) > first
    for call in (ws.run, ws.delete_run):
        with pytest.raises(WorkspaceError, match=f"there is no saved run {first}"):
            call(first)


@pytest.mark.parametrize("trace", [{"score": float("nan")}, {"a": object()}, {"query": 3}])
def test_a_run_that_is_not_plain_json_is_refused(ws, trace):
    with pytest.raises(ConfigError, match=r"plain JSON|must be text"):
        ws.save_run("r", trace)
    assert ws.runs() == ()


def test_a_damaged_run_is_a_sentence(ws):
    id_ = ws.save_run("r", TRACE)
    with ws._state.database.writing() as connection:
        connection.execute(update(schema.runs).values(trace=b"\0"))
    with pytest.raises(WorkspaceError, match=f"saved run {id_} is damaged"):
        ws.run(id_)


def test_runs_are_no_change_of_the_data_and_not_undone(ws):
    ws.add_events([Event(id="a", text="a")])
    version = ws.version
    ws.save_run("r", TRACE)
    assert (ws.version, ws.undo_label) == (version, "Add event a")
    ws.undo()
    assert len(ws.runs()) == 1


def test_others_see_runs_rules_and_mappings_after_refresh(target):
    with Workspace.open(target) as one, Workspace.open(target) as two:
        id_ = one.save_run("r", TRACE)
        one.save_rule("by time", {"kind": "next"})
        one.save_mapping("abc", {"text": "body"})
        assert two.refresh()
        assert [card.id for card in two.runs()] == [id_]
        assert (two.rules(), two.mapping("abc")) == ({"by time": {"kind": "next"}}, {"text": "body"})
        assert two.run(id_) == TRACE
        two.save_rule("by time", {"kind": "other"})
        assert one.refresh()
        assert one.rules() == {"by time": {"kind": "other"}}


def test_rules_are_in_the_order_of_their_names(target):
    with Workspace.open(target) as first:
        for name in ("b", "a <b>", "C"):
            first.save_rule(name, [name])
        first.save_rule("b", {"k": 3})
    with Workspace.open(target) as second:
        assert list(second.rules().items()) == [("C", ["C"]), ("a <b>", ["a <b>"]), ("b", {"k": 3})]
        second.delete_rule("b")
        assert list(second.rules()) == ["C", "a <b>"]
        with pytest.raises(ConfigError, match="no rule 'b'"):
            second.delete_rule("b")


def test_what_is_given_out_is_a_copy(ws):
    ws.save_rule("r", {"a": []})
    ws.rules()["r"]["a"].append("x")
    assert ws.rules() == {"r": {"a": []}}


def test_a_mapping_is_remembered_by_the_shape_of_a_file(ws):
    assert ws.mapping("shape") is None
    ws.save_mapping("shape", {"body": "text"})
    ws.save_mapping("shape", {"body": "id"})
    assert ws.mapping("shape") == {"body": "id"}
    ws.save_mapping("shape", None)
    assert ws.mapping("shape") is None


@pytest.mark.parametrize("save", ["save_rule", "save_mapping", "save_run", "set_setting"])
@pytest.mark.parametrize(("name", "sentence"), [(" ", "must not be blank"), ("x" * 501, "at most 500 char"), ("a\0", "can be stored")])
def test_names_that_cannot_be_kept_are_refused(ws, save, name, sentence):
    with pytest.raises(ConfigError, match=sentence):
        getattr(ws, save)(name, {})


def test_a_long_name_fits_an_index(ws):
    name = "".join(chr(0x1F300 + i) for i in range(500))
    ws.save_rule(name, {})
    assert list(ws.rules()) == [name]


@pytest.mark.parametrize("value", [{"a": float("inf")}, {1: 2}, {"a": (1,)}])
def test_rules_and_mappings_are_plain_json(ws, value):
    with pytest.raises(ConfigError, match="rule 'r'.* must be plain JSON"):
        ws.save_rule("r", value)
    with pytest.raises(ConfigError, match="mapping 'm'.* must be plain JSON"):
        ws.save_mapping("m", value)


def test_a_run_is_read_while_a_change_is_open_elsewhere_but_not_within_it():
    with Workspace.open(":memory:") as ws:
        id_ = ws.save_run("r", TRACE)
        with ws.change("x") as draft:
            draft.add_events([Event(id="a", text="a")])
            with pytest.raises(WorkspaceError, match="a change of this workspace is open"):
                ws.run(id_)
        assert ws.run(id_) == TRACE
        assert len(ws) == 1
