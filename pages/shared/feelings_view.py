"""What a workspace's emotional vectors are: the choice beside the text model, and the field of one event."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import AFFECT_CREDIT, AFFECT_TRUST, EMOTION_CREDIT, EMOTION_LABELS_SPACE, EMOTION_SPACE, emotion_labels
from pages.shared import feelings_work, folders, resources
from pages.shared.feelings import chosen_feelings, estimate_line, feelings_line
from pages.shared.jobs import Job
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import Event, Workspace

SPACE_WORDS = {
    EMOTION_SPACE: "Feelings as given: words, or valence and arousal",
    EMOTION_LABELS_SPACE: "Feelings read from the texts: 28 kinds, estimates",
}


def choose_feelings(ws: Workspace) -> None:
    """Say what the emotional vectors are, and offer the other kind."""
    current = ws.emotional_space or EMOTION_SPACE
    options = list(SPACE_WORDS)
    # A choice that was not carried out belongs to this workspace and to the space it had then.
    mark = hashlib.sha256(f"{ws.target}\n{current}".encode()).hexdigest()[:12]
    st.markdown("**Feelings**")
    st.write(_sentence(current))
    choice = st.radio(
        "What the feelings are",
        options,
        index=options.index(current) if current in options else None,
        format_func=SPACE_WORDS.get,
        key=f"feelings_pick_{mark}",
        label_visibility="collapsed",
    )
    if choice is None or choice == current:
        return
    confirmed = _confirmed(ws, mark)
    st.caption("All of them are made anew and changed over in one step, which Undo takes back; the two kinds never mix.")
    if st.button("Change over", key="feelings_apply", type="primary", disabled=not confirmed or ws.read_only is not None):
        change_feelings(ws, choice)
        st.rerun()


def _sentence(space: str) -> str:
    if space == EMOTION_LABELS_SPACE:
        return f"They are read from the texts, in the space “{space}”: 28 numbers an event, each an estimate. {EMOTION_CREDIT}"
    if space == EMOTION_SPACE:
        return f"They are as given, in the space “{space}”: a word's place, or the valence and arousal that someone wrote."
    return f"They came with a file, in the space “{plain(space)}”; it is not known what its numbers mean."


def _confirmed(ws: Workspace, mark: str) -> bool:
    n_given = feelings_work.n_given(ws)
    if not n_given:
        return True
    return st.checkbox(
        f"Replace {counted(n_given, 'vector')} that came with a file",
        key=f"feelings_confirm_{mark}",
        help="Nothing here can make them again, except Undo.",
    )


def change_feelings(ws: Workspace, space: str) -> None:
    """Begin to make all emotional vectors anew in another space."""
    work = feelings_work.changing_feelings(ws, space, resources.shared().shelf, resources.vector_cache(str(folders.vector_folder())))
    resources.shared().start(str(ws.target), Job("Reading feelings"), work)


def feelings_field(ws: Workspace, prefix: str, event: Event | None) -> list[str] | None:
    """The labels a person chooses for an event; None where the workspace's feelings are of another kind."""
    if not feelings_work.reads_texts(ws):
        return None
    chosen = st.multiselect(
        "Feelings, as you say",
        list(emotion_labels()),
        list(chosen_feelings(event)) if event else [],
        key=f"{prefix}_feelings",
        placeholder="Empty: as read from the text",
        persist_state="session",
        help="What you choose is kept as yours and counts instead of the estimate. Empty it, and the text is read again.",
    )
    if event is not None:
        st.caption(plain(f"Now: {feelings_line(event, ws.emotional_space)}"))
    return chosen


def show_estimate(ws: Workspace, event: Event) -> None:
    """What the text of one event sounds like, where that can be read without loading anything; it is shown, and kept nowhere."""
    line = estimate_line(event, ws.semantic_space)
    if line:
        st.caption(
            f"The text sounds {plain(line)} · estimated", help=f"{AFFECT_TRUST} {AFFECT_CREDIT} Shown only; nothing is weighed by it."
        )
