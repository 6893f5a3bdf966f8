"""Everything back out of the workspace, exactly, beside the table that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import edges_csv, events_csv, to_jsonl

if TYPE_CHECKING:
    from affrag_core import Event, Workspace


def export_menu(ws: Workspace) -> None:
    """A button that opens the forms of export; each file is made when it is asked for."""
    slug = "".join(letter if letter.isalnum() else "-" for letter in ws.name.lower()).strip("-")[:40] or "workspace"
    files = (
        ("Events and links, JSON lines", f"{slug}.jsonl", "application/x-ndjson", lambda: to_jsonl(ws.events(), ws.edges())),
        ("The same without vectors, much smaller", f"{slug}-small.jsonl", "application/x-ndjson", lambda: to_jsonl(_bare(ws), ws.edges())),
        ("Events, JSON lines", f"{slug}-events.jsonl", "application/x-ndjson", lambda: to_jsonl(ws.events())),
        ("Links, JSON lines", f"{slug}-links.jsonl", "application/x-ndjson", lambda: to_jsonl(edges=ws.edges())),
        ("Events, CSV for spreadsheets", f"{slug}-events.csv", "text/csv", lambda: events_csv(ws.events())),
        ("Links, CSV for spreadsheets", f"{slug}-links.csv", "text/csv", lambda: edges_csv(ws.edges())),
    )
    why = None if len(ws) else "There is nothing to export yet."
    with st.popover("Export", icon=":material/download:", key="export", disabled=not len(ws), help=why):
        st.caption("JSON lines hold everything, vectors too, and come back exactly. All events are exported, whatever the search shows.")
        for label, name, mime, content in files:
            st.download_button(label, content, file_name=name, mime=mime, key=f"export_{name}", on_click="ignore", width="stretch")


def _bare(ws: Workspace) -> Iterator[Event]:
    """The events without their vectors."""
    return (event.replace(semantic_vec=None, emotional_vec=None) for event in ws.events())
