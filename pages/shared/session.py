"""What a browser session holds. The only place that names session keys; what sessions share lies in `resources`.

Which workspace is open is kept in the address as ``?workspace=``, so that reload, back and deep links return to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared import folders, places, resources
from pages.shared.encoder_shelf import TERM_COUNT, EncoderState
from pages.shared.vectors_work import model_of_space

if TYPE_CHECKING:
    from affrag_core import Encoder, FloatArray, RetrievalConfig, RetrievalTrace, Retriever, Workspace
    from pages.shared.jobs import Job

WORKSPACE = "workspace"
"""The parameter of the address, and the session key beside it."""
EVENTS_PAGE, RETRIEVE_PAGE = "pages/data/events.py", "pages/explore/retrieve.py"


def current_slug() -> str | None:
    """Which workspace the address names; else the session's own, which is then put back into the address."""
    asked = st.query_params.get(WORKSPACE)
    if asked is not None:
        st.session_state[WORKSPACE] = asked
    elif (kept := st.session_state.get(WORKSPACE)) is not None:
        st.query_params[WORKSPACE] = kept
    return st.session_state.get(WORKSPACE)


def current_workspace() -> Workspace | None:
    """The open workspace of this session; None where none is chosen, or the one named does not exist."""
    slug = current_slug()
    target = places.target_of(slug) if slug else None
    return None if target is None else resources.opened(target)


def switch_workspace(slug: str | None) -> None:
    """Make another workspace (or none) the current one."""
    st.session_state[WORKSPACE] = slug
    if slug is None:
        st.query_params.pop(WORKSPACE, None)
    else:
        st.query_params[WORKSPACE] = slug


def enter(slug: str, ws: Workspace) -> None:
    """Go into a workspace: to its questions, or where it has no event yet to where they are written."""
    switch_workspace(slug)
    st.switch_page(RETRIEVE_PAGE if len(ws) else EVENTS_PAGE, query_params={WORKSPACE: slug})


def forget(target: str) -> None:
    """Drop what this session keeps for a workspace that is no longer there; another may be made in its place."""
    for key in [key for key in st.session_state if isinstance(key, str) and key.endswith(f":{target}")]:
        del st.session_state[key]


def show_view(key: str, view: str) -> None:
    """Let a page open with one of its views, by the key of the control that chooses it."""
    st.session_state[key] = view


def say(sentence: str) -> None:
    """Keep a sentence for the next page that is drawn, as after a save that draws the page anew."""
    st.session_state["sentence"] = sentence


def said() -> str | None:
    """The sentence that was kept, once."""
    return st.session_state.pop("sentence", None)


def drafts(ws: Workspace, place: str) -> dict[str, Any]:
    """What is typed or uploaded and not yet saved, by workspace and place; survives leaving the page."""
    return st.session_state.setdefault(f"drafts:{place}:{ws.target}", {})


def note_file_slug(slug: str) -> None:
    """Keep which workspace this session made for a file."""
    st.session_state["file_slug"] = slug


def file_slug() -> str | None:
    """The workspace that this session last made for a file."""
    return st.session_state.get("file_slug")


def holds_file(slug: str) -> bool:
    """Whether a file that is not brought in yet waits in this session for the workspace."""
    target = places.target_of(slug)
    return target is not None and "content" in st.session_state.get(f"drafts:upload:{target}", {})


def as_of(ws: Workspace) -> datetime | None:
    """The time this session looks at the workspace: what was chosen, else `default_as_of`."""
    return st.session_state.get(f"as_of:{ws.target}") or default_as_of(ws)


def set_as_of(ws: Workspace, moment: datetime | None) -> None:
    """Look at the workspace as of that time from now on; None returns to the default."""
    st.session_state[f"as_of:{ws.target}"] = moment


def default_as_of(ws: Workspace) -> datetime | None:
    """The workspace's pinned time, else its newest event's; None where no event has a time.

    The end of this day where some events lie after now and some before.
    """
    from affrag_core import as_utc

    pinned = ws.setting("as_of")
    if pinned:
        return as_utc(pinned, field="as_of")
    summary, today = resources.summary(ws), datetime.now(UTC).replace(hour=23, minute=59, second=0, microsecond=0)
    # One mistyped year would make all else look long over. A time that moved each minute would ask everything anew.
    return today if summary.newest is not None and summary.oldest < today < summary.newest else summary.newest


def has_later_events(ws: Workspace, moment: datetime) -> bool:
    """Whether an event is dated after a time."""
    newest = resources.summary(ws).newest
    return newest is not None and newest > moment


def retriever(ws: Workspace) -> Retriever:
    """The workspace's retriever, one for all sessions; it follows the workspace's changes by itself."""
    return resources.retriever(str(ws.target), ws)[0]


def trace(ws: Workspace, query: str, query_vec: FloatArray, config: RetrievalConfig, moment: datetime) -> RetrievalTrace:
    """One retrieval, kept for a while: the same question to the same data costs nothing again."""
    vector = hashlib.sha256(query_vec.tobytes()).hexdigest()
    key = (str(ws.target), ws.version, query, vector, config.model_dump_json(), moment.isoformat())
    return resources.trace(key, ws, query_vec, config, moment)


def model_of(ws: Workspace) -> str | None:
    """What makes the workspace's semantic vectors, as a person named it; None where its vectors came with a file."""
    return model_of_space(ws)


def encoder_state(ws: Workspace) -> EncoderState:
    """Where the workspace's encoder stands."""
    model = model_of(ws)
    if model is None:
        return EncoderState("", "failed", "the vectors came with a file, and it is not known what made them")
    if model == TERM_COUNT:
        space = ws.semantic_space or TERM_COUNT
        return EncoderState(model, "ready", encoder=resources.term_count_encoder(space, ws.setting(space) or []))
    return resources.shared().shelf.state(model)


def warm_encoder(ws: Workspace) -> EncoderState:
    """Begin to load the workspace's model behind the page, if it has one that needs loading."""
    state = encoder_state(ws)
    if state.phase == "not loaded" and folders.may_preload():
        return resources.shared().shelf.begin(state.model)
    return state


def encoder_for(ws: Workspace) -> Encoder | None:
    """The workspace's encoder if it is ready."""
    return encoder_state(ws).encoder


def sample_questions(ws: Workspace) -> list[Mapping[str, Any]]:
    """The questions that came with a demo: text, note, vector and its space."""
    return ws.setting("questions") or []


def encode_query(ws: Workspace, text: str) -> FloatArray | None:
    """A question's vector in the workspace's semantic space; None while no encoder for it is ready.

    A demo's sample question brings its own, so that it needs no model.

    Raises
    ------
    EncoderError
        If the model gives no usable vector.
    """
    import numpy as np

    for question in sample_questions(ws):
        if question["text"].strip() == text.strip() and question["space"] == ws.semantic_space:
            return np.asarray(question["vector"], dtype=np.float32)
    encoder = encoder_for(ws)
    if encoder is None:
        return None
    from affrag_core import encode_cached

    return encode_cached(encoder, [text], resources.vector_cache(str(folders.vector_folder())))[0]


def job_of(ws: Workspace) -> Job | None:
    """The long action that runs, or last ran, on a workspace."""
    return resources.shared().jobs.get(str(ws.target))
