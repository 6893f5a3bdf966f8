"""A file of events: what was understood of it, what was not and why, the choices to make, and then the import."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import AFFECT_SCALES, AffragError, Reading, list_conversations, read_events
from pages.shared import import_choices, model_view, reading_view, resources, session
from pages.shared.importing import ready_import
from pages.shared.text import counted, plain, size

if TYPE_CHECKING:
    from affrag_core import Workspace

TYPES = ["csv", "tsv", "txt", "json", "jsonl", "ndjson"]
FORMS = (
    "CSV or TSV with a header, JSON, JSON lines, or a LoCoMo conversation. Only a text is needed. Columns known by name: id, text, "
    "timestamp, valid_from, valid_until, kind, doc_type, supersedes_id, emotion, valence, arousal, semantic_vec, emotional_vec, "
    "edges, metadata. All other columns are kept with the event."
)


def bring_in(ws: Workspace) -> None:
    """Draw the whole way of a file into the workspace."""
    draft = session.drafts(ws, "upload")
    _choose_file(draft)
    if "content" not in draft:
        return
    name, content = draft["name"], draft["content"]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{plain(name, most=80)}** · {size(len(content))}")
        if st.button("Put the file away", key="upload_drop", help="Nothing of it is kept."):
            put_away(draft)
            st.rerun()
    reading = _read(ws, draft, name, content)
    if reading is None:
        return
    _preview_and_import(ws, draft, reading)


def _choose_file(draft: dict[str, Any]) -> None:
    file = st.file_uploader("A file of events", type=TYPES, key=f"upload_file_{draft.get('n', 0)}")
    if "content" not in draft:
        st.caption(FORMS)
    if file is not None:
        take(draft, file.name, file.getvalue())
        st.rerun()


def take(draft: dict[str, Any], name: str, content: bytes) -> None:
    """Keep a file in the session and empty the uploader, so that the file is still there after a look at another page."""
    put_away(draft)
    draft.update(name=name, content=content, digest=hashlib.sha256(content).hexdigest()[:16])


def put_away(draft: dict[str, Any]) -> None:
    """Forget the file; a new uploader takes the place of the old."""
    n = draft.get("n", 0) + 1
    draft.clear()
    draft["n"] = n


def _read(ws: Workspace, draft: dict[str, Any], name: str, content: bytes) -> Reading | None:
    """The reading of the file; None where a choice must be made first, or it cannot be read at all."""
    try:
        if "conversations" not in draft:
            draft["conversations"] = list_conversations(name, content)
        conversation = _which_conversation(draft)
        if len(draft["conversations"]) > 1 and conversation is None:
            return None
        scale = _which_scale(draft)
        key = (draft["digest"], conversation, scale, str(ws.target), ws.version)
        if draft.get("read_as") != key:
            with st.spinner("Reading the file…"):
                draft["reading"] = read_events(
                    name, content, affect_scale=scale, conversation=conversation, known_ids=resources.event_ids(ws)
                )
            draft["read_as"] = key
            if scale is None:
                draft["question"] = draft["reading"].affect_scale_question
                if draft["question"] is not None:
                    st.rerun()  # so that the question is asked above what was read
    except AffragError as error:
        st.error(plain(error))
        return None
    return draft["reading"]


def _which_conversation(draft: dict[str, Any]) -> str | None:
    found = draft["conversations"]
    if len(found) < 2:
        return None
    words = {one.name: f"{one.name}: {' and '.join(one.speakers)}, {one.n_sessions} sessions, {one.n_turns} turns" for one in found}
    words["all"] = "All of them, each id with its conversation's name before it"
    return st.selectbox(
        f"The file holds {len(found)} conversations. Which one?",
        list(words),
        index=None,
        format_func=lambda name: words[name],
        key=f"upload_conversation_{draft['digest']}",
        placeholder="Choose one",
        persist_state="session",
    )


def _which_scale(draft: dict[str, Any]) -> str | None:
    question = draft.get("question")
    if question is None:
        return None
    st.warning(plain(question.sentence))
    words = {scale: scale.replace("..", " to ") for scale in AFFECT_SCALES}
    return st.radio(
        "Scale of valence and arousal",
        list(words),
        index=list(words).index(question.suggestion),
        format_func=words.get,
        key=f"upload_scale_{draft['digest']}",
        horizontal=True,
        persist_state="session",
    )


def _preview_and_import(ws: Workspace, draft: dict[str, Any], reading: Reading) -> None:
    try:
        ready = ready_import(ws, draft["name"], reading, import_choices.ask(ws, draft, reading))
    except AffragError as error:
        st.error(plain(error))
        return
    reading_view.show_summary(ready)
    can = bool(ready.events or ready.edges)
    label = f"Bring in {counted(len(ready.events), 'event')} and {counted(len(ready.edges), 'link')}"
    if st.button(label, key="upload_import", type="primary", disabled=not can, help=None if can else "No row could be read, see below."):
        try:
            with st.spinner("Bringing it in…"):
                ready.write(ws)
        except AffragError as error:
            st.error(plain(error))
            return
        put_away(draft)
        session.say(f"Brought in {counted(len(ready.events), 'event')} and {counted(len(ready.edges), 'link')}. Undo takes them out again.")
        model_view.fill_missing(ws)
        st.rerun()
    reading_view.show_faults(ready.reading)
    reading_view.show_preview(ready)
