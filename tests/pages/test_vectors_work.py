"""Models that load behind the page, and the work that gives events their vectors."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from affrag_core import CancelledError, EncoderError, Event, Workspace
from pages.shared import folders, model_view, resources, session, vectors_work
from pages.shared.encoder_shelf import BUNDLED, TERM_COUNT, EncoderShelf
from pages.shared.jobs import Job

EVENTS = [Event(id=f"e{n}", text="abc"[n % 3] * (n + 1)) for n in range(7)]


def run(ws: Workspace, work: vectors_work.Work) -> Job:
    job = resources.shared().start(ws.target, Job("Making vectors"), work)
    job.join(20)
    return job


def cache() -> object:
    return resources.vector_cache(str(folders.vector_folder()))


def test_a_model_that_fails_says_why_and_can_be_tried_again():
    answers: list[object] = [EncoderError("there is no such model"), RuntimeError("out of memory"), "an encoder"]

    def build(model: str) -> object:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    shelf = EncoderShelf(build)
    assert shelf.state("x").phase == "not loaded"
    for sentence in ("there is no such model", "out of memory"):
        state = shelf.begin("x")
        state.settled.wait(5)
        assert (state.phase, sentence in state.sentence) == ("failed", True)
    assert shelf.wait("x") == "an encoder"
    assert shelf.state("x").phase == "ready"


def test_a_model_is_loaded_once_for_all_who_ask():
    asked, go_on = [], threading.Event()

    def build(model: str) -> object:
        asked.append(model)
        go_on.wait(5)
        return object()

    shelf = EncoderShelf(build)
    states = [shelf.begin("x") for _ in range(5)]
    assert states[0].phase == "loading"
    go_on.set()
    assert shelf.wait("x") is states[4].encoder
    assert asked == ["x"]


def test_missing_vectors_are_filled_in_one_step_that_one_undo_takes_back(make_workspace: Callable[..., Workspace], shelf: EncoderShelf):
    ws = make_workspace("notes", EVENTS)
    job = run(ws, vectors_work.filling(ws, BUNDLED, shelf, cache()))
    assert (job.phase, job.n_done, job.n_total) == ("done", 7, 7)
    assert ws.event("e0").semantic_vec.tolist() == [1 + 1, 1 + 0, 1 + 0]
    assert ws.semantic_space == BUNDLED
    assert ws.undo().startswith(vectors_work.VECTORS_LABEL)
    assert ws.event("e0").semantic_vec is None


def test_an_event_that_changes_while_it_is_encoded_keeps_its_new_text(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", EVENTS)

    def build(model: str) -> object:
        ws.update_events([ws.event("e1").replace(text="changed meanwhile")])
        ws.delete_events(["e2"])
        return object()

    shelf = EncoderShelf(build)
    before = [event for event in ws.events() if event.semantic_vec is None]
    shelf.wait(BUNDLED)
    after = [event.replace(semantic_vec=[1.0, 2.0, 3.0]) for event in before]
    assert vectors_work._write(ws, before, after, BUNDLED, BUNDLED) == 5
    assert ws.event("e1").text == "changed meanwhile"
    assert ws.event("e1").semantic_vec is None
    assert not ws.has_event("e2")


def test_stopping_keeps_what_is_done(make_workspace: Callable[..., Workspace], shelf: EncoderShelf, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(vectors_work, "BATCH", 2)
    ws = make_workspace("notes", EVENTS)
    job, encoder = Job("Making vectors"), shelf.wait(BUNDLED)
    count_letters, n_calls = encoder.encode, iter(range(1, 9))

    def encode(texts: list[str], **_: object) -> object:
        if next(n_calls) == 3:
            job.cancel()
            raise CancelledError("stopped")
        return count_letters(texts)

    encoder.encode = encode
    resources.shared().start(ws.target, job, vectors_work.filling(ws, BUNDLED, shelf, cache())).join(20)
    assert job.phase == "cancelled"
    assert "4 of 7" in job.sentence
    assert resources.summary(ws).n_without_vector == 3


def test_another_model_replaces_all_vectors_at_once_and_undo_brings_the_old_ones_back(
    make_workspace: Callable[..., Workspace], shelf: EncoderShelf
):
    ws = make_workspace("notes", EVENTS)
    run(ws, vectors_work.filling(ws, BUNDLED, shelf, cache()))
    old = [event.semantic_vec.tolist() for event in ws.events()]
    run(ws, vectors_work.changing_model(ws, TERM_COUNT, shelf, cache()))
    assert ws.semantic_space.startswith(TERM_COUNT)
    assert session.model_of(ws) == TERM_COUNT
    assert {len(event.semantic_vec) for event in ws.events()} == {256}
    assert session.encode_query(ws, EVENTS[3].text).tolist() == ws.event("e3").semantic_vec.tolist()
    ws.undo()
    assert [event.semantic_vec.tolist() for event in ws.events()] == old
    assert session.model_of(ws) == BUNDLED


def test_term_counts_of_another_vocabulary_are_another_space(make_workspace: Callable[..., Workspace], shelf: EncoderShelf):
    ws = make_workspace("notes", EVENTS, encoder=TERM_COUNT)
    run(ws, vectors_work.filling(ws, TERM_COUNT, shelf, cache()))
    first, question = ws.semantic_space, session.encode_query(ws, "a")
    ws.add_events([Event(id="new", text="aardvark and zebra")])
    model_view.fill_missing(ws)
    session.job_of(ws).join(20)
    assert ws.semantic_space != first
    assert resources.summary(ws).n_without_vector == 0
    ws.undo()
    assert ws.semantic_space == first
    assert session.encode_query(ws, "a").tolist() == question.tolist()


def test_a_model_that_a_person_named_is_remembered_by_the_space_it_makes(make_workspace: Callable[..., Workspace], shelf: EncoderShelf):
    ws = make_workspace("notes", EVENTS)
    run(ws, vectors_work.changing_model(ws, "some/model", shelf, cache()))
    assert (ws.semantic_space, session.model_of(ws)) == ("some/model", "some/model")


def test_a_model_that_cannot_be_loaded_leaves_the_vectors_as_they_are(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", [Event(id="e1", text="a", semantic_vec=[1.0, 2.0])])
    ws.set_spaces(semantic="given with the file")

    def build(model: str) -> object:
        raise EncoderError("there is no model folder 'nowhere'")

    job = run(ws, vectors_work.changing_model(ws, "nowhere", EncoderShelf(build), cache()))
    assert (job.phase, job.sentence) == ("failed", "there is no model folder 'nowhere'")
    assert ws.event("e1").semantic_vec.tolist() == [1.0, 2.0]


def test_one_long_action_at_a_time_runs_on_a_workspace(make_workspace: Callable[..., Workspace]):
    ws = make_workspace("notes", EVENTS)
    go_on = threading.Event()
    first = resources.shared().start(ws.target, Job("one"), lambda job: str(go_on.wait(5)))
    assert resources.shared().start(ws.target, Job("two"), lambda job: "never") is first
    go_on.set()
    first.join(5)
    assert resources.shared().start(ws.target, Job("two"), lambda job: "now") is not first


def test_the_time_left_follows_the_pace(monkeypatch: pytest.MonkeyPatch):
    clock = iter([10.0, 14.0])
    monkeypatch.setattr("pages.shared.jobs.time.monotonic", lambda: next(clock))
    job = Job("count")
    job.advance(0, 100)
    assert job.seconds_left() is None
    job.advance(20, 100)
    assert job.seconds_left() == (14 - 10) / 20 * (100 - 20)
    assert (model_view.duration(16), model_view.duration(0.2), model_view.duration(180)) == ("16 seconds", "1 second", "3 minutes")


def test_a_changed_text_or_feeling_loses_the_vector_it_no_longer_matches():
    old = Event(id="e", text="a", emotion="joy", semantic_vec=[1.0], emotional_vec=[0.1, 0.2])
    moved = vectors_work.without_stale_vectors(old, old.replace(timestamp="2024-01-01"), text_is_encoded=True)
    assert (moved.semantic_vec is not None, moved.emotional_vec is not None) == (True, True)
    told = vectors_work.without_stale_vectors(old, old.replace(text="b"), text_is_encoded=True)
    assert (told.semantic_vec, told.emotional_vec is not None) == (None, True)
    assert vectors_work.without_stale_vectors(old, old.replace(text="b"), text_is_encoded=False).semantic_vec is not None
    assert vectors_work.without_stale_vectors(old, old.replace(emotion=None), text_is_encoded=True).emotional_vec is None
