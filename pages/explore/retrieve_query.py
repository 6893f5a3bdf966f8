"""From what was asked to a vector; or a sentence that says why there is none yet, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import resources, session
from pages.shared.text import plain

if TYPE_CHECKING:
    from affrag_core import Event, FloatArray, Workspace


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: its text, its vector, the time, and the event it starts from if it is one."""

    text: str
    vector: FloatArray
    moment: datetime
    from_event: Event | None


def question_of(ws: Workspace, asked: Mapping[str, str], moment: datetime) -> Question | None:
    """The question that was asked, ready to be answered; None after a sentence that says what to do."""
    if not len(ws):
        st.info("This workspace has no events yet. Add some on the Events page, or choose a demo on the Start page.")
        st.page_link("pages/data/events.py", label="Go to Events", icon="🗓️")
        return None
    if resources.summary(ws).n_without_vector == len(ws):
        st.info("No event has a vector yet, so nothing can be compared with a question. Make the vectors with the button at the top right.")
        return None
    source = asked.get("from")
    if source is not None:
        return _from_event(ws, source, moment)
    return _from_text(ws, asked.get("text", ""), moment)


def _from_event(ws: Workspace, source: str, moment: datetime) -> Question | None:
    if not ws.has_event(source):
        st.info(f"There is no event “{plain(source, most=60)}” in this workspace any more. Type a question, or start from another event.")
        return None
    event = ws.event(source)
    if event.semantic_vec is None:
        st.info(f"“{plain(event.text, most=60)}” has no vector, so nothing can be compared with it. Start from another event.")
        return None
    return Question(event.text, event.semantic_vec, moment, event)


def _from_text(ws: Workspace, text: str, moment: datetime) -> Question | None:
    if not text.strip():
        st.info("Type a question and press Enter, or choose a sample question or an event to start from beside it.")
        return None
    vector = session.encode_query(ws, text)
    if vector is not None:
        return Question(text, vector, moment, None)
    _say_no_model(ws)
    return None


def _say_no_model(ws: Workspace) -> None:
    state = session.encoder_state(ws)
    ready = "a sample question, or start from an event" if session.sample_questions(ws) else "“Start from…” and an event"
    if state.phase == "failed":
        st.warning(
            f"Typed questions need a text model, and there is none: {plain(state.sentence)}. Choose {ready}; or choose a model with the "
            "button at the top right, where term counts always work."
        )
    else:
        st.info(f"The text model is still loading; your question is answered as soon as it is ready. Until then, choose {ready}.")
