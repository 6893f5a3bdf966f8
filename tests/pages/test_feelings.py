"""Feelings read from texts: changed over to, kept up to date, corrected by a person, and asked for as a mood."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from affrag_core import (
    EMOTION_LABELS_SPACE,
    EMOTION_SPACE,
    CancelledError,
    ConfigError,
    EncoderError,
    Event,
    FloatArray,
    RetrievalConfig,
    Workspace,
    chosen_emotions_vector,
    emotion_labels,
    read_demo,
    read_events,
)
from pages.explore.retrieve_mood import with_mood_vector
from pages.shared import encoder_shelf, event_table, feelings_work, folders, importing, making, resources, session, vectors_work
from pages.shared.encoder_shelf import BUNDLED, TERM_COUNT, EncoderShelf
from pages.shared.feelings import AS_SAID, estimate_line, feelings_line, said_feelings, unweighed_word, with_said_feelings
from pages.shared.graph_marks import marks
from pages.shared.import_plan import UPDATE, Choices
from pages.shared.jobs import Job
from tests.pages.driving import checked, opened, press, said, the
from tests.pages.test_events_page import choose_row

EVENTS_PAGE, GRAPH_PAGE, RETRIEVE_PAGE = "pages/data/events.py", "pages/explore/graph.py", "pages/explore/retrieve.py"
GLAD = Event(id="glad", text="Thank you so much, I love this, what a joy!", timestamp="2024-01-01", emotion="happy")
SAD = Event(id="sad", text="I am so sad, I miss her and I cry.", timestamp="2024-01-02", emotion="sad")
PLAIN = Event(id="plain", text="The train leaves at nine.", timestamp="2024-01-03")
EVENTS = [GLAD, SAD, PLAIN]


class WideEncoder:
    """Has the size of the bundled model's vectors and nothing of its sense; the words of a text still say what it feels like."""

    dim = 384

    def __init__(self, name: str) -> None:
        self.name = self.cache_key = name
        self.n_texts = 0

    def encode(self, texts: Sequence[str], **_: object) -> FloatArray:
        self.n_texts += len(texts)
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        rows[np.arange(len(texts)), [len(text) % self.dim for text in texts]] = 0.1
        return rows


@pytest.fixture
def shelf(shelf: EncoderShelf, monkeypatch: pytest.MonkeyPatch) -> EncoderShelf:
    wide = EncoderShelf(WideEncoder)
    monkeypatch.setattr(resources.shared(), "shelf", wide)
    return wide


def cache() -> object:
    return resources.vector_cache(str(folders.vector_folder()))


def run(ws: Workspace, work: Callable[[Job], str]) -> Job:
    job = resources.shared().start(ws.target, Job("Reading feelings"), work)
    job.join(20)
    return job


def read_texts(ws: Workspace) -> Workspace:
    job = run(ws, feelings_work.changing_feelings(ws, EMOTION_LABELS_SPACE, resources.shared().shelf, cache()))
    assert job.phase == "done", job.sentence
    return ws


def settled(ws: Workspace) -> None:
    job = session.job_of(ws)
    if job is not None:
        job.join(20)
        assert job.phase == "done", job.sentence


def vectors(ws: Workspace) -> list[list[float] | None]:
    return [None if event.emotional_vec is None else event.emotional_vec.tolist() for event in ws.events()]


def placed(events: Sequence[Event]) -> list[Event]:
    return [feelings_work.with_feeling_vector(event, None)[0] for event in events]


def test_changing_over_reads_all_texts_in_one_change_that_also_names_the_space(make_workspace: Callable[..., Workspace], shelf):
    ws = make_workspace("notes", placed(EVENTS))
    ws.set_spaces(emotional=EMOTION_SPACE)
    before = vectors(ws)
    read_texts(ws)
    assert ws.emotional_space == EMOTION_LABELS_SPACE
    assert {len(vector) for vector in vectors(ws)} == {28}
    assert "gratitude" in feelings_line(ws.event("glad"), ws.emotional_space)
    assert "sadness" in feelings_line(ws.event("sad"), ws.emotional_space)
    assert ws.undo() == "Read the feelings of 3 events from the texts"
    assert (ws.emotional_space, vectors(ws)) == (EMOTION_SPACE, before)
    ws.redo()
    assert {len(vector) for vector in vectors(ws)} == {28}


def test_changing_back_takes_feelings_as_given_and_leaves_the_others_without(make_workspace: Callable[..., Workspace], shelf):
    ws = read_texts(make_workspace("notes", [*EVENTS, PLAIN.replace(id="odd", emotion="quizzaciously")]))
    job = run(ws, feelings_work.changing_feelings(ws, EMOTION_SPACE, shelf, cache()))
    assert [None if vector is None else len(vector) for vector in vectors(ws)] == [2, 2, None, None]
    assert "2 of 4 events have a feeling as given. 1 feeling not in the table" in job.sentence


def test_sentence_vectors_of_the_bundled_model_are_used_as_they_are(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", [event.replace(semantic_vec=np.full(384, 0.05, dtype=np.float32)) for event in EVENTS])
    ws.set_spaces(semantic=BUNDLED)

    def build(model: str) -> object:
        raise EncoderError("no model is installed")

    job = run(ws, feelings_work.changing_feelings(ws, EMOTION_LABELS_SPACE, EncoderShelf(build), cache()))
    assert (job.phase, job.n_done) == ("done", 3)


def test_a_model_that_is_missing_or_a_stop_leaves_the_feelings_as_they_were(make_workspace: Callable[..., Workspace], shelf):
    ws = make_workspace("notes", placed(EVENTS))
    ws.set_spaces(emotional=EMOTION_SPACE)
    before = vectors(ws)

    def build(model: str) -> object:
        raise EncoderError("no model is installed")

    job = run(ws, feelings_work.changing_feelings(ws, EMOTION_LABELS_SPACE, EncoderShelf(build), cache()))
    assert (job.phase, job.sentence) == ("failed", "no model is installed")
    job = Job("Reading feelings")
    job.cancel()
    with pytest.raises(CancelledError, match="as they were"):
        feelings_work.changing_feelings(ws, EMOTION_LABELS_SPACE, shelf, cache())(job)
    assert (ws.emotional_space, vectors(ws)) == (EMOTION_SPACE, before)


def test_what_changes_meanwhile_waits_for_its_vector_and_no_two_spaces_mix(make_workspace: Callable[..., Workspace], shelf):
    ws = make_workspace("notes", placed(EVENTS))
    ws.set_spaces(emotional=EMOTION_SPACE)
    before = list(ws.events())
    after = [event.replace(emotional_vec=np.full(28, 0.1)) for event in before]
    ws.update_events([ws.event("sad").replace(text="I am well again")])
    assert feelings_work._change_over(ws, before, after, EMOTION_LABELS_SPACE, "Read") == 2
    assert [vector is None for vector in vectors(ws)] == [False, True, False]


def test_making_the_text_vectors_reads_the_feelings_from_the_same_sentence_vectors(make_workspace: Callable[..., Workspace], shelf):
    ws = make_workspace("notes", EVENTS)
    ws.set_spaces(emotional=EMOTION_LABELS_SPACE)
    job = run(ws, vectors_work.filling(ws, BUNDLED, shelf, cache()))
    assert job.phase == "done"
    assert {(len(event.semantic_vec), len(event.emotional_vec)) for event in ws.events()} == {(384, 28)}
    assert shelf.wait(BUNDLED).n_texts == 3
    ws.undo()
    assert vectors(ws) == [None, None, None]


def test_with_another_text_model_the_feelings_still_come_from_the_bundled_one(make_workspace: Callable[..., Workspace], shelf):
    ws = make_workspace("notes", EVENTS, encoder=TERM_COUNT)
    ws.set_spaces(emotional=EMOTION_LABELS_SPACE)
    run(ws, vectors_work.filling(ws, TERM_COUNT, shelf, cache()))
    assert {(len(event.semantic_vec), len(event.emotional_vec)) for event in ws.events()} == {(256, 28)}


def test_term_counts_work_without_any_model_and_say_that_feelings_could_not_be_read(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", EVENTS, encoder=TERM_COUNT)
    ws.set_spaces(emotional=EMOTION_LABELS_SPACE)

    def build(model: str) -> object:
        raise EncoderError("no model is installed")

    job = run(ws, vectors_work.filling(ws, TERM_COUNT, EncoderShelf(build), cache()))
    assert job.sentence == "3 vectors were made by counting terms. The feelings could not be read: no model is installed."
    assert vectors(ws) == [None, None, None]


def test_where_only_feelings_are_missing_only_they_are_read(make_workspace: Callable[..., Workspace], shelf):
    ws = make_workspace("notes", [event.replace(semantic_vec=[1.0, 2.0]) for event in EVENTS])
    ws.set_spaces(semantic="given with the file", emotional=EMOTION_LABELS_SPACE)
    job = run(ws, vectors_work.filling(ws, None, shelf, cache()))
    assert job.sentence == "The feelings of 3 events were read from the texts."
    assert {(len(event.semantic_vec), len(event.emotional_vec)) for event in ws.events()} == {(2, 28)}
    assert ws.semantic_space == "given with the file"


def test_vectors_that_came_with_a_file_are_counted_and_those_made_here_are_not(make_workspace: Callable[..., Workspace]):
    own = [*placed(EVENTS), PLAIN.replace(id="a", emotional_vec=[0.3, 0.1]), PLAIN.replace(id="b", emotion="sad", emotional_vec=[0.9, 0.9])]
    ws = make_workspace("notes", own)
    ws.set_spaces(emotional=EMOTION_SPACE)
    assert feelings_work.n_given(ws) == 2
    ws.set_spaces(emotional="given with the file")
    assert feelings_work.n_given(ws) == 4
    ws.set_spaces(emotional=EMOTION_LABELS_SPACE)
    assert feelings_work.n_given(ws) == 0


def test_what_a_person_said_outlives_every_change_of_space_and_is_exported(make_workspace: Callable[..., Workspace], shelf):
    mine = PLAIN.replace(metadata=with_said_feelings({"place": "Oslo"}, ["joy", "love"]))
    ws = read_texts(make_workspace("notes", [mine, SAD]))
    assert ws.event("plain").emotional_vec.tolist() == chosen_emotions_vector(["joy", "love"]).tolist()
    run(ws, feelings_work.changing_feelings(ws, EMOTION_SPACE, shelf, cache()))
    read_texts(ws)
    assert feelings_line(ws.event("plain"), ws.emotional_space) == "joy, love · as you said"
    assert ws.event("plain").to_dict()["metadata"] == {"place": "Oslo", AS_SAID: ["joy", "love"]}


@pytest.mark.parametrize("odd", ["joy", 3, None, {"joy": 1}, [["joy"], 4, "merry"]])
def test_a_key_of_that_name_with_anything_else_in_it_is_no_feeling(odd: object):
    assert said_feelings(PLAIN.replace(metadata={AS_SAID: odd})) == ()


def test_a_vector_goes_with_the_text_it_was_read_from():
    old = PLAIN.replace(emotional_vec=np.full(28, 0.1))
    for new, gone in (
        (old.replace(text="Another text"), True),
        (old.replace(emotion="sad"), False),
        (old.replace(metadata=with_said_feelings({}, ["joy"])), True),
    ):
        kept = vectors_work.without_stale_vectors(old, new, text_is_encoded=True, space=EMOTION_LABELS_SPACE)
        assert (kept.emotional_vec is None) is gone


def test_an_update_from_a_file_reads_changed_texts_anew(make_workspace: Callable[..., Workspace], shelf):
    ws = read_texts(make_workspace("notes", EVENTS))
    rows = [{"id": "sad", "text": "All is well"}, {"id": "glad", "text": GLAD.text}]
    reading = read_events("a.jsonl", "\n".join(map(json.dumps, rows)).encode())
    ready = importing.ready_import(ws, "a.jsonl", reading, Choices(duplicates=UPDATE), frozenset({"emotion", "timestamp"}))
    ready.write(ws)
    assert [vector is None for vector in vectors(ws)] == [False, True, False]


def test_the_menu_changes_over_and_says_which_space_it_is(make_workspace: Callable[..., Workspace], shelf):
    ws = make_workspace("notes", EVENTS)
    at = opened(EVENTS_PAGE, "notes")
    assert "They are as given, in the space “valence-arousal”" in said(at)
    checked(the(at, "radio", "feelings_pick").set_value(EMOTION_LABELS_SPACE).run())
    press(at, "feelings_apply")
    settled(ws)
    assert ws.emotional_space == EMOTION_LABELS_SPACE
    at = opened(EVENTS_PAGE, "notes")
    assert f"They are read from the texts, in the space “{EMOTION_LABELS_SPACE}”: 28 numbers an event, each an estimate." in said(at)


def test_vectors_of_a_file_are_replaced_only_once_that_is_confirmed(make_workspace: Callable[..., Workspace], shelf):
    ws = make_workspace("notes", [event.replace(emotional_vec=[0.1, 0.2, 0.3]) for event in EVENTS])
    ws.set_spaces(emotional="given with the file")
    at = opened(EVENTS_PAGE, "notes")
    checked(the(at, "radio", "feelings_pick").set_value(EMOTION_LABELS_SPACE).run())
    assert the(at, "button", "feelings_apply").disabled
    assert the(at, "checkbox", "feelings_confirm").label == "Replace 3 vectors that came with a file"
    checked(the(at, "checkbox", "feelings_confirm").check().run())
    press(at, "feelings_apply")
    settled(ws)
    assert ws.emotional_space == EMOTION_LABELS_SPACE


def test_a_person_corrects_the_feelings_of_an_event_and_takes_that_back(make_workspace: Callable[..., Workspace], shelf):
    ws = read_texts(make_workspace("notes", [event.replace(semantic_vec=shelf.wait(BUNDLED).encode([event.text])[0]) for event in EVENTS]))
    ws.set_spaces(semantic=BUNDLED)
    read = ws.event("sad").emotional_vec.tolist()
    for chosen, wanted in ((["relief"], chosen_emotions_vector(["relief"]).tolist()), ([], read)):
        at = opened(EVENTS_PAGE, "notes")
        table = "events_table_" + event_table.digest(at.dataframe[0].value["id"])
        at.session_state[table] = {"selection": {"rows": [1], "columns": [], "cells": []}}
        checked(at.run())
        checked(the(at, "multiselect", "_feelings").set_value(chosen).run())
        press(at, next(one.key for one in at.button if one.key.startswith("event_") and one.key.endswith("_save")))
        settled(ws)
        assert ws.event("sad").emotional_vec.tolist() == pytest.approx(wanted)
        assert said_feelings(ws.event("sad")) == tuple(chosen)


def test_the_cards_show_the_feelings_and_whose_they_are(make_workspace: Callable[..., Workspace], shelf):
    vector = shelf.wait(BUNDLED).encode(["x"])[0]
    mine = PLAIN.replace(metadata=with_said_feelings({}, ["joy"]))
    ws = make_workspace("notes", [event.replace(semantic_vec=vector) for event in (GLAD, SAD, mine)])
    ws.set_spaces(semantic=BUNDLED)
    read_texts(ws)
    for page, event_id, words in ((GRAPH_PAGE, "plain", "Feelings: joy · as you said"), (GRAPH_PAGE, "sad", "sadness 0.")):
        at = opened(page, "notes")
        at.query_params["event"] = event_id
        assert words in said(checked(at.run()))
    at = opened(RETRIEVE_PAGE, "notes")
    at.query_params["from"], at.query_params["event"] = "glad", "sad"
    text = said(checked(at.run()))
    assert "· read from the text" in text
    assert "cannot be answered" not in text


def test_the_mood_is_one_of_the_labels_where_those_are_the_feelings(make_workspace: Callable[..., Workspace], shelf):
    vector = shelf.wait(BUNDLED).encode(["x"])[0]
    ws = make_workspace("notes", [event.replace(semantic_vec=vector) for event in EVENTS])
    ws.set_spaces(semantic=BUNDLED)
    read_texts(ws)
    at = opened(RETRIEVE_PAGE, "notes")
    at.session_state["settings-more-First stage"] = True
    at.query_params["from"] = "plain"
    checked(at.run())
    assert the(at, "selectbox", "mood").options == list(emotion_labels())
    checked(the(at, "selectbox", "mood").set_value("sadness").run())
    assert "cannot be answered" not in said(at)
    config = at.session_state["settings.config"]
    assert (config.mood, with_mood_vector(ws, config).mood) == ("sadness", tuple(chosen_emotions_vector(["sadness"]).tolist()))
    at.session_state["settings.config"] = RetrievalConfig(mood="wistful", mood_weight=0.5)
    assert "the mood “wistful” is none of the 28 feelings of this workspace; choose one of those, or none" in said(checked(at.run()))


@pytest.mark.parametrize("given", ["0", "-1", "two", "1.5"])
def test_a_number_of_threads_that_is_none_is_refused(given: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(encoder_shelf.THREADS, given)
    with pytest.raises(ConfigError, match=f"AFFRAG_THREADS must be a whole number of at least 1, got '{given}'"):
        encoder_shelf.thread_count()
    assert "cannot start" in encoder_shelf.threads_sentence()


def test_the_number_of_threads_is_that_of_the_setting_else_one_core_stays_free(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(encoder_shelf.THREADS, " 3 ")
    assert encoder_shelf.thread_count() == 3
    monkeypatch.delenv(encoder_shelf.THREADS)
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    assert encoder_shelf.thread_count() == 8 - 1


@pytest.mark.model
def test_the_feelings_of_the_diary_are_read_as_well_from_its_own_vectors_as_from_new_ones(
    make_workspace: Callable[..., Workspace], monkeypatch: pytest.MonkeyPatch, data_dir: Path
):
    monkeypatch.setattr(resources.shared(), "shelf", EncoderShelf())
    folder = folders.DEMO_FOLDER / "diary"
    demo = making.opened(making.demo_workspace(folder))
    assert feelings_work.n_given(demo) == 0
    read_texts(demo)
    ws = make_workspace("bare", [event.replace(semantic_vec=None, emotional_vec=None) for event in read_demo(folder).events])
    ws.set_spaces(emotional=EMOTION_LABELS_SPACE)
    job = resources.shared().start(ws.target, Job("Making vectors"), vectors_work.filling(ws, BUNDLED, resources.shared().shelf, cache()))
    job.join(200)
    assert job.phase == "done", job.sentence
    assert np.array(vectors(ws)) == pytest.approx(np.array(vectors(demo)), abs=0.02)
    lines = [feelings_line(event, ws.emotional_space) for event in ws.events()]
    assert sum("no clear feeling" not in line for line in lines) > len(lines) / 2


@pytest.mark.parametrize(("word", "said"), [("joy", ("joy",)), (" Anger ", ("anger",)), ("bittersweet", ()), (None, ())])
def test_a_word_that_is_one_of_the_28_counts_as_what_the_person_said(word: str | None, said: tuple[str, ...]):
    event = Event(id="a", text="The train leaves at nine.", emotion=word)
    assert said_feelings(event) == said
    new, warning = feelings_work.with_feeling_vector(event, EMOTION_LABELS_SPACE)
    assert warning is None
    if said:
        assert new.emotional_vec.tolist() == chosen_emotions_vector(said).tolist()
        assert feelings_line(new, EMOTION_LABELS_SPACE) == f"{said[0]} · as you said"
    else:
        assert new.emotional_vec is None


def test_what_was_chosen_counts_before_the_word():
    event = Event(id="a", text="x", emotion="joy", metadata={AS_SAID: ["fear"]})
    assert said_feelings(event) == ("fear",)


def test_another_word_takes_the_old_vector_away():
    old = feelings_work.with_feeling_vector(Event(id="a", text="x", emotion="joy"), EMOTION_LABELS_SPACE)[0]
    assert feelings_work.without_stale_feeling(old, old.replace(emotion="anger"), EMOTION_LABELS_SPACE).emotional_vec is None
    assert feelings_work.without_stale_feeling(old, old.replace(doc_type="diary"), EMOTION_LABELS_SPACE).emotional_vec is not None


@pytest.mark.parametrize(
    ("word", "space", "part"),
    [
        ("joy", None, ""),
        ("", EMOTION_SPACE, ""),
        ("happy", EMOTION_SPACE, ""),
        ("hapy", EMOTION_SPACE, "links cannot weigh it. Close to it: happy"),
        ("happy", EMOTION_LABELS_SPACE, "the feelings are read from the text instead"),
        ("joy", EMOTION_LABELS_SPACE, ""),
        ("hapy", "given with the file", ""),
    ],
)
def test_a_word_that_cannot_be_weighed_is_said_with_those_near_it(word: str, space: str | None, part: str):
    sentence = unweighed_word(word, space)
    assert (part in sentence) if part else sentence == ""


def test_the_form_says_so_where_it_is_typed(make_workspace: Callable[..., Workspace]):
    make_workspace("a", [PLAIN.replace(emotion="hapy")])
    at = choose_row(opened(EVENTS_PAGE, "a"), 0)
    assert "“hapy” is kept, but its place among the feelings is not known" in said(at)


def test_valence_arousal_and_dominance_are_shown_as_estimates_and_kept_nowhere(make_workspace: Callable[..., Workspace]):
    vector = np.zeros(384, dtype=np.float32)
    ws = make_workspace("a", [GLAD.replace(semantic_vec=vector), SAD])
    ws.set_spaces(semantic=BUNDLED)
    assert estimate_line(ws.event("glad"), BUNDLED).startswith("pleasant +")
    assert estimate_line(ws.event("glad"), "other") == estimate_line(ws.event("sad"), BUNDLED) == ""
    version = ws.version
    at = choose_row(opened(EVENTS_PAGE, "a"), 0)
    assert "The text sounds pleasant +" in said(at)
    at = opened(GRAPH_PAGE, "a")
    at = press(at, next(one.key for one in at.button if one.key.startswith("graph-go-hub")))
    assert "· estimated" in said(at)
    assert ws.version == version


def test_the_graph_is_coloured_by_the_likeliest_feeling_where_they_are_read_from_texts():
    glad, sad = (Event(id=label, text="x", emotional_vec=chosen_emotions_vector([label])) for label in ("joy", "grief"))
    unsure = Event(id="u", text="x", emotion="happy", emotional_vec=np.full(28, 1e-4, dtype=np.float32))
    found = [mark.meaning for mark in marks([glad, sad, unsure], None, "valence", emotional_space=EMOTION_LABELS_SPACE)]
    assert found == ["pleasant", "unpleasant", "no known feeling"]
