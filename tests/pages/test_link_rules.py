"""Rules on the Links page: chosen, looked at, added, remembered, run again on what came in, forgotten."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing

import pytest
from streamlit.testing.v1 import AppTest

from affrag_core import ByReference, CancelledError, Event, Nearest, NextInTime, SharedName, Workspace
from pages.shared import folders, remembered_rules, resources, rule_fields, rule_search, rule_words
from pages.shared.jobs import Job
from pages.shared.rule_search import Asked
from tests.pages.driving import checked, opened, press, said, the

PAGE = "pages/data/links.py"
DAYS = [Event(id=f"e{n}", text=f"number {n}", timestamp=f"2024-01-0{n}", metadata={"who": "Ada" if n % 2 else "Bob"}) for n in (1, 2, 3, 4)]
UNDATED = Event(id="u", text="undated")
VECTORS = {"e1": [1.0, 0.0], "e2": [0.9, 0.1], "e3": [0.0, 1.0], "e4": [0.1, 0.9]}


def at_rules(slug: str = "notes", kind: str | None = None) -> AppTest:
    at = opened(PAGE, slug)
    checked(the(at, "segmented_control", "links_view").set_value("propose").run())
    if kind is not None:
        checked(the(at, "selectbox", "rule_kind").set_value(kind).run())
    return at


def keys(ws: Workspace) -> list[tuple[str, str]]:
    return [(edge.source, edge.target) for edge in ws.edges()]


def with_vectors() -> list[Event]:
    return [event.replace(semantic_vec=VECTORS[event.id], emotional_vec=VECTORS[event.id]) for event in DAYS]


def test_a_rule_says_how_many_links_it_adds_and_what_it_leaves_out_then_adds_them_in_one_change(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", [*DAYS, UNDATED])
    at = at_rules()
    assert "Would add **3 links**; 1 event without a time is left out." in said(at)
    assert "“number 1” (1 Jan 2024) → *next in time* → “number 2” (2 Jan 2024)" in said(at)
    assert ws.n_edges == 0
    press(at, "propose_make")
    assert keys(ws) == [("e1", "e2"), ("e2", "e3"), ("e3", "e4")]
    assert "Added 3 links" in said(at)
    press(at, "links_undo")
    assert ws.n_edges == 0


def test_its_settings_are_asked_for_and_reach_the_links(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", DAYS)
    at = at_rules()
    assert "who" in the(at, "selectbox", "_within").options
    the(at, "selectbox", "_within").set_value("who")
    the(at, "text_input", "_relation").set_value("her next")
    checked(at.run())
    press(at, "propose_make")
    assert [edge.key for edge in ws.edges()] == [("e1", "e3", "her next"), ("e2", "e4", "her next")]
    assert ws.undo_label == "Add 2 links: each event to the next in time, within the same who, as “her next”"


def test_replies_are_found_in_the_column_that_names_events(make_workspace: Callable[..., Workspace]):
    answer = Event(id="r", text="an answer", metadata={"mood": "glad", "reply_to": "e1"})
    lost = Event(id="l", text="another", metadata={"reply_to": "gone"})
    ws = make_workspace("notes", [*DAYS, answer, lost])
    at = at_rules(kind="refers")
    assert the(at, "selectbox", "_column").options[0] == "reply_to"
    assert "1 event naming an event that is not there is left out" in said(at)
    press(at, "propose_make")
    assert keys(ws) == [("r", "e1")]


def test_without_a_column_of_ids_the_page_says_what_to_bring(make_workspace: Callable[..., Workspace]):
    make_workspace("notes", [Event(id="a", text="a"), Event(id="b", text="b")])
    assert "No event has a column that could hold ids" in said(at_rules(kind="refers"))


def test_newer_versions_lead_to_what_they_supersede(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", [Event(id="old", text="old"), Event(id="new", text="new", supersedes_id="old")])
    press(at_rules(kind="supersedes"), "propose_make")
    assert [edge.key for edge in ws.edges()] == [("new", "old", "supersedes")]


def test_names_are_looked_for_in_columns_and_texts(make_workspace: Callable[..., Workspace]):
    told = [Event(id=f"t{n}", text=f"Tea with Eve, {n}", timestamp=f"2024-02-0{n}") for n in (1, 2)]
    ws = make_workspace("notes", [*DAYS, *told])
    at = at_rules(kind="name")
    assert "Choose a column that holds names" in said(at)
    checked(the(at, "text_input", "_names").set_value("eve , nobody").run())
    assert "→ *same name: eve* →" in said(at)
    press(at, "propose_make")
    assert keys(ws) == [("t1", "t2"), ("t2", "t1")]
    checked(the(at, "multiselect", "_columns").set_value(["who"]).run())
    assert "Would add **4 links**; 2 of these links are there already." in said(at)


@pytest.mark.parametrize(
    ("kind", "relation"), [("meaning", "like in meaning"), ("feeling", "like in feeling"), ("score", "best by link score")]
)
def test_the_nearest_are_linked(kind: str, relation: str, make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", with_vectors())
    at = at_rules(kind=kind)
    number_of_links = next(one for one in at.number_input if one.key.endswith("_k"))
    checked(number_of_links.set_value(1).run())
    press(at, "propose_make")
    assert ws.n_edges == 4
    assert {edge.relation for edge in ws.edges()} == {relation}
    if kind != "score":
        assert keys(ws) == [("e1", "e2"), ("e2", "e1"), ("e3", "e4"), ("e4", "e3")]


def test_a_missing_window_for_link_scores_is_a_sentence(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", with_vectors())
    remembered_rules.remember(ws, Nearest(by="link score"), ran=False)
    at = press(opened(PAGE, "notes"), "rules_run_all")
    assert "within_days must be set" in said(at)


def test_without_vectors_the_page_says_how_to_make_them(make_workspace: Callable[..., Workspace]):
    make_workspace("notes", DAYS)
    at = at_rules(kind="meaning")
    assert "No event has a vector yet" in said(at)
    assert the(at, "button", "rule_vectors").label == "Make the 4 missing vectors"
    assert "No event has a feeling that can be compared yet" in said(at_rules(kind="feeling"))


def test_a_rule_is_remembered_run_on_what_came_in_and_forgotten(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", DAYS[:2])
    at = at_rules()
    press(at, "propose_make")
    press(at, "rule_remember")
    assert list(ws.rules().values()) == [NextInTime().model_dump(mode="json")]
    assert the(at, "button", "rule_remember").disabled
    ws.add_events(DAYS[2:])
    press(checked(at.run()), "rules_run_all")
    assert "**2 new links** · Each event to the next in time" in said(at)
    assert ws.n_edges == 1
    press(at, "rules_run_add")
    assert keys(ws) == [("e1", "e2"), ("e2", "e3"), ("e3", "e4")]
    assert ws.undo_label == "Add 2 links by 1 remembered rule"
    press(at, "rule_forget_0")
    assert ws.rules() == {}
    assert not [one for one in at.button if one.key == "rules_run_all"]


def test_a_run_on_new_events_leaves_alone_what_was_deleted(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", DAYS[:3])
    at = at_rules()
    press(at, "propose_make")
    press(at, "rule_remember")
    ws.delete_edges([("e1", "e2", "next in time")])
    ws.add_events(DAYS[3:])
    press(checked(at.run()), "rules_run_all")
    assert "**1 new link** ·" in said(at)
    checked(the(at, "toggle", "rules_only_new").set_value(False).run())
    assert "**2 new links** ·" in said(at)
    press(at, "rules_run_drop")
    assert "rules_run_add" not in [one.key for one in at.button]
    assert keys(ws) == [("e2", "e3")]


def test_after_a_restart_a_run_on_new_events_still_leaves_alone_what_was_deleted(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", DAYS[:3])
    press(at := at_rules(), "propose_make")
    press(at, "rule_remember")
    ws.delete_edges([("e1", "e2", "next in time")])
    ws.close()
    resources.forget(str(folders.workspace_folder() / "notes.sqlite"))
    at = press(at_rules(), "rules_run_all")
    assert "**0 new links** ·" in said(at)
    resources.opened(str(folders.workspace_folder() / "notes.sqlite")).add_events(DAYS[3:])
    at = press(at_rules(), "rules_run_all")
    assert "**1 new link** ·" in said(at)
    checked(the(at, "toggle", "rules_only_new").set_value(False).run())
    assert "**2 new links** ·" in said(at)


def test_several_remembered_rules_count_each_link_once(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", DAYS)
    for rule in (NextInTime(), NextInTime(within="who"), NextInTime(within="kind", relation="next in time")):
        remembered_rules.remember(ws, rule, ran=False)
    at = opened(PAGE, "notes")
    press(at, "rules_run_all")
    press(at, "rules_run_add")
    assert ws.n_edges == 3 + 2


def test_a_rule_that_cannot_be_read_can_only_be_forgotten(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", DAYS)
    ws.save_rule("<b>odd</b>", {"rule": "no such"})
    at = at_rules()
    assert the(at, "button", "rule_again_0").disabled
    press(at, "rule_forget_0")
    assert ws.rules() == {}


def test_a_long_search_is_started_by_hand_and_its_links_are_added(
    make_workspace: Callable[..., Workspace], monkeypatch: pytest.MonkeyPatch
):
    ws = make_workspace("notes", with_vectors())
    monkeypatch.setattr(rule_search, "LONG_NEAREST", 3)
    at = at_rules(kind="meaning")
    assert "All 4 events are compared" in said(at)
    at = press(at, "rule_look")
    job = at.session_state[f"drafts:rules:{ws.target}"]["job"]
    job.join(30)
    checked(at.run())
    assert "Would add **12 links**." in said(at)
    press(at, "propose_make")
    assert ws.n_edges == 12


def test_a_search_that_is_stopped_adds_nothing_and_can_be_started_again(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", with_vectors())
    job = Job("Looking for links")
    job.cancel()
    with pytest.raises(CancelledError, match="no link was added"):
        rule_search.search(ws, [Asked(Nearest())], job)


def test_a_running_search_shows_how_far_it_is_and_stops(make_workspace: Callable[..., Workspace], monkeypatch: pytest.MonkeyPatch):
    make_workspace("notes", with_vectors())
    monkeypatch.setattr(rule_search, "LONG_NEAREST", 3)
    go_on = threading.Event()

    def slow(ws: Workspace, asked: object, job: Job) -> list[rule_search.Found]:
        job.advance(1, 4)
        go_on.wait(30)
        raise CancelledError("Stopped after 1 of 4 events; no link was added.")

    at = at_rules(kind="meaning")
    monkeypatch.setattr(rule_search, "search", slow)
    press(at, "rule_look")
    press(at, "rule_stop")
    go_on.set()
    for thread in [one for one in threading.enumerate() if one.name == "Looking for links"]:
        thread.join(30)
    checked(at.run())
    assert "Stopped after 1 of 4 events" in said(at)
    assert the(at, "button", "rule_look").label == "Look for links"


def test_in_a_workspace_that_can_only_be_read_links_are_shown_and_not_added(make_workspace: Callable[..., Workspace]):
    make_workspace("notes", DAYS).close()
    with closing(sqlite3.connect(folders.workspace_folder() / "notes.sqlite")) as connection:
        connection.execute("UPDATE workspace SET schema_version = 99")
        connection.commit()
    resources.forget(str(folders.workspace_folder() / "notes.sqlite"))
    at = at_rules()
    assert "Would add **3 links**" in said(at)
    for key in ("propose_make", "rule_remember"):
        assert the(at, "button", key).disabled
        assert "newer version" in the(at, "button", key).help


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (NextInTime(within="day"), "Each event to the next in time, within the same day, as “next in time”"),
        (ByReference(column="re"), "Each event to those that its “re” names, as “refers to”"),
        (ByReference(column="re", backwards=True), "From each event that “re” names to the one that names it, as “refers to”"),
        (SharedName(columns=("who",), names=("Ada",)), "Events that share a name in “who” or among Ada in the text, as “same name”"),
        (
            Nearest(k=2, within_days=7, minimum=0.5),
            "Each event to the 2 nearest by meaning, at most 7 days apart, at least 0.5 alike, as “like”",
        ),
    ],
)
def test_a_rule_reads_as_a_sentence(rule: object, sentence: str):
    assert rule_words.rule_sentence(rule) == sentence


def test_rules_that_read_the_same_have_names_of_their_own():
    rules = [Nearest(als={"bias": bias}) for bias in (1, 2)]
    kept: dict[str, object] = {}
    for rule in (*rules, *rules):
        kept[rule_words.name_for(rule, kept)] = rule.model_dump(mode="json")
    assert len(kept) == 2


@pytest.mark.parametrize("rule", [choice.start for choice in rule_words.CHOICES.values()])
def test_every_setting_of_a_rule_has_a_widget_with_words(rule: object):
    found = rule_fields.fields_of(type(rule))
    assert {field.name for field in found} == type(rule).model_fields.keys() - {"rule"}
    assert all(field.help and field.name in rule_fields.LABELS for field in found if field.kind != "choice")
