"""The event that is looked at: its words, its state, and what time makes of it, part by part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import path_hops, temporal_formula, temporal_parts, why_not
from pages.explore.retrieve_choice import Choice
from pages.shared.charts import KIND_MARKS
from pages.shared.event_words import id_chip, state_chip
from pages.shared.feelings import feelings_line
from pages.shared.text import plain

if TYPE_CHECKING:
    from affrag_core import Event, RetrievalTrace, Workspace


def draw_event(ws: Workspace, trace: RetrievalTrace, chosen: Choice) -> None:
    """A panel about the event that is looked at."""
    if chosen.event_id is None or not ws.has_event(chosen.event_id):
        return
    event, row = ws.event(chosen.event_id), time_row(trace, chosen)
    with st.container(border=True, key="event-panel", gap="small"):
        st.markdown(f"{id_chip(event.id, chosen=True, most=40)} {state_chip(row or {})} {_facts(event)}")
        st.markdown(plain(event.text, most=220))
        felt = feelings_line(event, ws.emotional_space)
        if felt:
            st.caption(plain(f"Feelings: {felt}"))
        if event.flags:
            st.caption(plain(" ".join(event.flags)))
        missing = not any(event.id in path["event_ids"] for path in trace.paths)
        if missing:
            st.info(plain(why_not(trace, event.id)))
        if row is None:
            st.caption("It was neither in the first stage nor beside a path, so no time part was worked out.")
            return
        if row.get("reason") and not missing:
            st.caption(plain(row["reason"]))
        _draw_parts(row)
        st.caption(f"Time part: `{temporal_formula(row, trace.config)}`")


def _facts(event: Event) -> str:
    """Kind, day and feeling, in small letters."""
    feeling = event.emotion
    words = [
        f"{KIND_MARKS.get(event.kind.value, '')} {event.kind.value}",
        f"{event.timestamp.day} {event.timestamp:%B %Y}" if event.timestamp else "no date",
        plain(feeling, most=24) if isinstance(feeling, str) else "",
    ]
    return f":small[:gray[{' · '.join(word for word in words if word)}]]"


def time_row(trace: RetrievalTrace, chosen: Choice) -> Mapping[str, Any] | None:
    """The temporal fields of the event, from the pool, else from a candidate of the chosen path's hops; None where neither has it."""
    for row in trace.pool:
        if row["event_id"] == chosen.event_id:
            return row
    for hop in path_hops(trace, chosen.path) if chosen.path is not None else []:
        for candidate in hop["candidates"]:
            if candidate["event_id"] == chosen.event_id:
                return {"event_id": chosen.event_id} | candidate["temporal"]
    return None


def _draw_parts(row: Mapping[str, Any]) -> None:
    lines = ["| part | value | |", "|---|---:|---|"]
    lines += [f"| {plain(part['part'])} | {plain(part['value'])} | {plain(part['meaning'])} |" for part in temporal_parts(row)]
    st.markdown("\n".join(lines))
