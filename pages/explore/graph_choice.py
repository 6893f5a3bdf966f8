"""Which event is looked at on the Memory graph page; kept by workspace, and in the address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import session
from pages.shared.text import plain

if TYPE_CHECKING:
    from affrag_core import Event, Workspace

PLACE = "memory-graph"
EVENT = "event"


def chosen(ws: Workspace) -> str | None:
    """The id of the event that is looked at; None where there is none, or it is gone."""
    event_id = session.drafts(ws, PLACE).get(EVENT)
    return event_id if event_id is not None and ws.has_event(event_id) else None


def look_at(ws: Workspace, event_id: str | None) -> None:
    """Look at an event, or at none."""
    session.drafts(ws, PLACE)[EVENT] = event_id


def search(ws: Workspace, words: str) -> None:
    """Look at the best match among all events, or say that there is none."""
    found = best_match(ws.events(), words)
    if found is None:
        st.toast(f"No event has “{plain(words, most=40)}” in its id or its words.", icon="🔎")
    else:
        look_at(ws, found.id)


def best_match(events: list[Event], words: str) -> Event | None:
    """The first event whose id is, else has, else whose text has these letters; capitals do not matter."""
    letters = words.strip().casefold()
    tests = (
        lambda event: event.id.casefold() == letters,
        lambda event: letters in event.id.casefold(),
        lambda event: letters in event.text.casefold(),
    )
    return next((event for test in tests for event in events if test(event)), None)


def read_address(ws: Workspace) -> None:
    """Take over the event of the address where a person changed it."""
    kept = session.drafts(ws, PLACE)
    given = st.query_params.get(EVENT)
    if given is not None and given != kept.get("written"):
        kept[EVENT] = given


def write_address(ws: Workspace) -> None:
    """Put the event into the address, so that reload and a link that was sent return to it."""
    event_id = chosen(ws)
    session.drafts(ws, PLACE)["written"] = event_id
    if event_id is None:
        st.query_params.pop(EVENT, None)
    elif st.query_params.get(EVENT) != event_id:
        st.query_params[EVENT] = event_id
