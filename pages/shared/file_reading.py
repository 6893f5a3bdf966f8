"""From a file and the answers about it to a reading, made again only when one of them changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import AFFECT_SCALES, AffragError, Reading, fault_groups, list_conversations, preview_file, read_events
from pages.shared import column_choice, mapping_memory, resources
from pages.shared.text import plain

if TYPE_CHECKING:
    from affrag_core import Preview, Workspace

LOCOMO = "LoCoMo"


def read(ws: Workspace, draft: dict[str, Any]) -> Reading | None:
    """The reading of the file; None where a choice must be made first, or it cannot be read at all."""
    try:
        _look_once(ws, draft)
        preview: Preview = draft["preview"]
        conversation = _which_conversation(draft)
        if len(draft["conversations"]) > 1 and conversation is None:
            return None
        columns = None
        if preview.is_table and preview.columns:
            columns = column_choice.choose_columns(draft, preview, draft["kept"])
            if columns is None:
                return None
        is_talk = preview.form.startswith(LOCOMO)  # which says that its times are UTC
        zone = None if is_talk else column_choice.choose_zone(draft, draft["kept"])
        draft["mapping"] = {"columns": columns, "time_zone": zone}
        return _read_once(ws, draft, conversation, _which_scale(draft))
    except AffragError as error:
        st.error(plain(error))
        return None


def absent_fields(draft: dict[str, Any]) -> frozenset[str]:
    """The fields for which a table has no column; nothing is known of them, so they are not emptied."""
    columns = draft["mapping"]["columns"]
    if columns is None:
        return frozenset()
    without = {field for field, column in columns.items() if not column}
    if not {"emotion", "valence", "arousal"} <= without:
        without.discard("emotion")
    return frozenset(without - {"id", "text", "valence", "arousal", "edges", "semantic_vec", "emotional_vec"})


def _look_once(ws: Workspace, draft: dict[str, Any]) -> None:
    if "preview" not in draft:
        with st.spinner("Looking at the file…"):
            preview = preview_file(draft["name"], draft["content"])
            is_talk = preview.form.startswith(LOCOMO)
            draft["conversations"] = list_conversations(draft["name"], draft["content"]) if is_talk else []
        draft["kept"] = mapping_memory.remembered(ws, preview.shape)
        draft["preview"] = preview


def _read_once(ws: Workspace, draft: dict[str, Any], conversation: str | None, scale: str | None) -> Reading:
    columns, zone = draft["mapping"]["columns"], draft["mapping"]["time_zone"]
    told = None if columns is None else column_choice.to_read(draft["preview"], columns)
    mend = frozenset(draft.get("mend", ()))
    key = (draft["digest"], conversation, scale, tuple((told or {}).items()), zone, mend, str(ws.target), ws.version)
    if draft.get("read_as") != key:
        with st.spinner("Reading the file…"):
            reading = read_events(
                draft["name"],
                draft["content"],
                affect_scale=scale,  # type: ignore[arg-type]
                conversation=conversation,
                columns=told,
                time_zone=zone,
                mend=mend,
                known_ids=resources.event_ids(ws),
            )
        draft.update(reading=reading, groups=fault_groups(reading), read_as=key)
        if scale is None:
            draft["question"] = reading.affect_scale_question
            if draft["question"] is not None:
                st.rerun()  # so that the question is asked above what was read
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
