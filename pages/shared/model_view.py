"""The text model of a workspace: its state in the header, its work with progress and a way to stop it, and a change to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import feelings_view, folders, resources, session, vectors_work
from pages.shared.encoder_shelf import BUNDLED, TERM_COUNT, threads_sentence
from pages.shared.feelings_work import reads_texts
from pages.shared.jobs import Job
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import Workspace
    from pages.shared.encoder_shelf import EncoderState

OTHER = "another"
MODEL_WORDS = {
    BUNDLED: "all-MiniLM-L6-v2, which comes with the app",
    TERM_COUNT: "Term counts, which need no model and always work",
    OTHER: "Another sentence-transformers model",
}
STATE_WORDS = {"not loaded": "not loaded", "loading": "loading", "ready": "ready", "failed": "not available"}


def model_state(ws: Workspace) -> None:
    """The model's state as a button that opens the rest; looks again each second while something is under way."""
    state = session.warm_encoder(ws)
    busy = state.phase == "loading" or _running(ws) is not None
    st.fragment(_model_state, run_every=1.0 if busy else None)(ws, busy)


def _model_state(ws: Workspace, was_busy: bool) -> None:
    state, job = session.encoder_state(ws), _running(ws)
    if was_busy and job is None and state.phase != "loading":
        st.rerun()  # what waited for it can be drawn now
    with st.popover(_label(ws, state, job), key="model"):
        _explain(ws, state)
        _work(ws, job)
        if job is None:
            _choose(ws)
            feelings_view.choose_feelings(ws)


def _running(ws: Workspace) -> Job | None:
    job = session.job_of(ws)
    return job if job is not None and job.phase == "running" else None


def _label(ws: Workspace, state: EncoderState, job: Job | None) -> str:
    if job is not None and job.n_total:
        return f"{job.label} {job.n_done:,} of {job.n_total:,}"
    if job is not None:
        return f"{job.label}…" if state.phase == "ready" else "Text model loading…"
    missing = resources.summary(ws).n_without_vector
    if missing:
        return f"{counted(missing, 'event')} without vector"
    if reads_texts(ws) and resources.summary(ws).n_without_feeling:
        return f"{counted(resources.summary(ws).n_without_feeling, 'event')} without feelings"
    words = "No text model" if session.model_of(ws) is None else f"Text model {STATE_WORDS[state.phase]}"
    return f"{words} · feelings estimated" if reads_texts(ws) else words


def _explain(ws: Workspace, state: EncoderState) -> None:
    st.markdown("**Text model**")
    st.write("It turns each text, and your question, into a vector; events with like vectors are alike in meaning.")
    if session.model_of(ws) is None:
        st.write(
            "The vectors of this workspace came with a file, and it is not known what made them. A typed question cannot be compared with "
            "them: start from an event instead, or make all vectors anew below."
        )
    else:
        st.write(f"This workspace uses {plain(ws.semantic_space or state.model)}, which is {STATE_WORDS[state.phase]}.")
    if state.phase == "failed" and state.sentence and session.model_of(ws) is not None:
        st.error(plain(state.sentence))
        if st.button("Try again", key="model_retry"):
            resources.shared().shelf.begin(state.model)
            st.rerun()
    st.caption(plain(threads_sentence()))


def _work(ws: Workspace, job: Job | None) -> None:
    if job is not None:
        left = job.seconds_left()
        done = f"{job.n_done:,} of {job.n_total:,} vectors made" if job.n_total else "Waiting for the model"
        st.progress(job.share(), text=done + (f", about {duration(left)} left" if left is not None else ""))
        if st.button("Stop", key="model_stop", help="What is done so far is kept.", disabled=job.cancelled()):
            job.cancel()
        return
    last = session.job_of(ws)
    if last is not None and last.sentence:
        (st.success if last.phase == "done" else st.warning)(plain(last.sentence))
    missing = resources.summary(ws).n_without_vector
    if missing:
        st.warning(f"{missing:,} of {counted(len(ws), 'event')} cannot be found by a question yet, for want of a vector.")
        if session.model_of(ws) is not None and st.button("Make the missing vectors", key="model_fill", type="primary"):
            fill_missing(ws)
            st.rerun()
    unread = resources.summary(ws).n_without_feeling if reads_texts(ws) else 0
    if unread and not missing and st.button(f"Read the feelings of {counted(unread, 'event')}", key="feelings_fill", type="primary"):
        fill_missing(ws)
        st.rerun()


def _choose(ws: Workspace) -> None:
    current = session.model_of(ws)
    with st.form("model_choice", border=False):
        st.markdown("**Use another model**")
        options = list(MODEL_WORDS)
        index = options.index(current) if current in options else (2 if current else 0)
        choice = st.radio("Model", options, index=index, format_func=MODEL_WORDS.get, key="model_pick", label_visibility="collapsed")
        name = st.text_input(
            "Its name or folder",
            current if current and current not in options else "",
            key="model_name",
            help="A folder on this machine, or a name such as sentence-transformers/all-mpnet-base-v2, which is then fetched from its hub.",
        )
        st.caption(f"All {counted(len(ws), 'vector')} are made anew. The old ones stay in use until the new ones are complete.")
        if st.form_submit_button("Make all vectors with it", key="model_apply"):
            model = name.strip() if choice == OTHER else choice
            if model:
                change_model(ws, model)
                st.rerun()
            st.error("Write the model's name or folder first.")


def fill_missing(ws: Workspace) -> None:
    """Begin to make the vectors that are missing, behind the page; nothing where none is that could be made."""
    model, counts = session.model_of(ws), resources.summary(ws)
    if ws.read_only or not ((model and counts.n_without_vector) or (reads_texts(ws) and counts.n_without_feeling)):
        return
    work = vectors_work.filling(ws, model, resources.shared().shelf, resources.vector_cache(str(folders.vector_folder())))
    resources.shared().start(str(ws.target), Job("Making vectors"), work)


def change_model(ws: Workspace, model: str) -> None:
    """Begin to make all vectors anew with another model."""
    work = vectors_work.changing_model(ws, model, resources.shared().shelf, resources.vector_cache(str(folders.vector_folder())))
    resources.shared().start(str(ws.target), Job("Making vectors"), work)


def duration(seconds: float) -> str:
    """A length of time in words: ``8 seconds``, ``3 minutes``."""
    return counted(max(1, round(seconds)), "second") if seconds < 90 else counted(round(seconds / 60), "minute")
