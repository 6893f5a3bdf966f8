"""The question's row: what is asked, at which time, by which method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import PRESETS
from pages.explore import retrieve_choice as choices
from pages.explore.retrieve_address import LONGEST, asked
from pages.explore.retrieve_query import Question, question_of
from pages.shared import session
from pages.shared.controls import shown
from pages.shared.event_words import id_chip
from pages.shared.settings_state import FIRST, change, current_config
from pages.shared.text import plain, shortened

if TYPE_CHECKING:
    from affrag_core import Event, Workspace

METHODS = {"vector": "Similarity", "temporal": "Time", "cpt": "Paths", "combined": "Both"}
METHOD_HELP = """**Similarity** ranks by likeness to the question alone (vector).\n
**Time** ranks by likeness, freshness and validity (temporal).\n
**Paths** starts from the most alike and walks the links (CPT).\n
**Both** lets time choose where paths start, then walks (combined)."""
TEXT, MOMENT, METHOD, FIND, START = "question", "as-of", "method", "find-event", "start-from"
MOST_FOUND = 30


def draw_question(ws: Workspace) -> Question | None:
    """Draw the row; returns the question, or None after saying what is missing."""
    begin(ws)
    text_side, time_side, method_side = st.columns([4.4, 3.6, 3.1], vertical_alignment="bottom")
    with text_side, st.container(horizontal=True, vertical_alignment="bottom", gap="small", wrap=False):
        _draw_text(ws)
        _draw_start(ws)
    with time_side:
        moment = _draw_moment(ws)
    with method_side:
        _draw_method()
    _draw_note(ws)
    return question_of(ws, asked(ws), moment)


def begin(ws: Workspace) -> None:
    """On the first look at a demo, ask its first sample question."""
    samples = session.sample_questions(ws)
    if not asked(ws) and samples:
        asked(ws)["text"] = samples[0]["text"]


def ask(ws: Workspace, text: str) -> None:
    """Ask in words."""
    asked(ws).clear()
    asked(ws)["text"] = text
    choices.forget(ws)
    st.session_state[START] = False


def ask_from(ws: Workspace, event_id: str) -> None:
    """Ask with an event's own vector."""
    asked(ws).clear()
    asked(ws)["from"] = event_id
    choices.forget(ws)
    st.session_state[START] = False


def _draw_text(ws: Workspace) -> None:
    source = asked(ws).get("from")
    st.text_input(
        "Question",
        key=shown(TEXT, asked(ws).get("text", "")),
        placeholder=f"Starting from “{shortened(_title(ws, source), 60)}”" if source else "Type a question and press Enter",
        on_change=lambda: ask(ws, st.session_state[TEXT]),
    )


def _draw_note(ws: Workspace) -> None:
    """What to look for, where the question came with the demo."""
    text = asked(ws).get("text")
    if text is not None and len(text) > LONGEST:
        st.caption(f"A question of more than {LONGEST} letters does not fit into the address: a reload or a link that you send forgets it.")
    for question in session.sample_questions(ws):
        if question["text"] == text and question.get("note"):
            note = plain(question["note"] if _is_as_it_came(ws) else f"With the settings it came with: {question['note']}")
            st.caption(note, wrap=False, help=note)


def _is_as_it_came(ws: Workspace) -> bool:
    """Whether nothing was changed that a sample question's note may speak of."""
    return current_config() == PRESETS[FIRST] and session.as_of(ws) == session.default_as_of(ws)


def _title(ws: Workspace, event_id: str) -> str:
    return ws.event(event_id).text if ws.has_event(event_id) else event_id


def _draw_start(ws: Workspace) -> None:
    with st.popover("Examples" if session.sample_questions(ws) else "Start from…", key=START, on_change="rerun") as opened:
        if not opened.open:
            return
        samples = session.sample_questions(ws)
        if not samples:
            _draw_find(ws)
            return
        ready, own = st.tabs(["Sample questions", "Start from an event"])
        with ready:
            _draw_samples(ws, samples)
        with own:
            _draw_find(ws)


def _draw_samples(ws: Workspace, samples: Sequence[Mapping[str, Any]]) -> None:
    for place, question in enumerate(samples):
        with st.container(gap=None, key=f"sample-row-{place}"):
            st.button(plain(question["text"], most=120), key=f"sample-{place}", on_click=ask, args=(ws, question["text"]), type="tertiary")
            if question.get("note"):
                st.caption(plain(question["note"], most=240))


def _draw_find(ws: Workspace) -> None:
    """Find an event by letters, and ask with its own vector."""
    st.text_input("Find an event", key=FIND, placeholder="a word of its text, or its id", live=True)
    found = _matches(ws.events(), st.session_state.get(FIND) or "")
    if not found:
        st.caption("No event with a vector has these letters.")
    with st.container(gap=None, height=260, border=False):
        for event in found:
            words = f"{id_chip(event.id)} {plain(event.text, most=70)}"
            st.button(words, key=f"from-{event.id}", on_click=ask_from, args=(ws, event.id), type="tertiary")


def _matches(events: Sequence[Event], letters: str) -> list[Event]:
    """The first events with a vector whose id or text has these letters; capitals do not matter."""
    wanted, found = letters.strip().casefold(), []
    for event in events:
        if event.semantic_vec is not None and (wanted in event.id.casefold() or wanted in event.text.casefold()):
            found.append(event)
            if len(found) == MOST_FOUND:
                break
    return found


def _draw_moment(ws: Workspace) -> datetime:
    moment = session.as_of(ws) or datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", wrap=False):
        st.datetime_input(
            "As of (UTC)",
            key=shown(MOMENT, moment.replace(second=0, microsecond=0, tzinfo=None)),
            min_value=datetime(1, 1, 1),  # noqa: DTZ001 - the widget knows no zones
            max_value=datetime(9999, 12, 31),  # noqa: DTZ001
            format="YYYY-MM-DD",
            on_change=lambda: _take_moment(ws),
            help="Events after this time do not exist yet; ages and validity are counted to it.",
        )
        st.button("Now", key="as-of-now", on_click=lambda: session.set_as_of(ws, _now()), help="Look at it as of this minute")
        own = session.default_as_of(ws)
        if own is not None and moment != own:
            st.button("↺", key="as-of-own", on_click=session.set_as_of, args=(ws, None), type="tertiary", help="Back to the data’s time")
    return moment


def _take_moment(ws: Workspace) -> None:
    """The time that was typed, in UTC; an emptied field goes back to the data's own time."""
    typed = st.session_state[MOMENT]
    session.set_as_of(ws, None if typed is None else typed.replace(tzinfo=UTC))


def _now() -> datetime:
    return datetime.now(UTC).replace(second=0, microsecond=0)


def _draw_method() -> None:
    st.segmented_control(
        "Method",
        list(METHODS),
        key=shown(METHOD, current_config().mode),
        format_func=lambda option: METHODS.get(option, option),
        required=True,
        help=METHOD_HELP,
        on_change=lambda: change("mode", st.session_state[METHOD]),
        wrap=True,
    )
