"""The events of a workspace as a table: searched, filtered, paged; a row click opens its form beside it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import AffragError
from pages.shared import event_rows, resources, session
from pages.shared.event_form import event_form
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import Event, Workspace

PAGE_SIZE = 500
"""Rows sent to the browser at once; a hundred thousand would take it minutes."""
BRIEF = 300
"""Characters of a text shown in a table that is only read."""
COLUMNS = ("id", "text", "timestamp", "emotion", "kind", "doc_type", "valid_from", "valid_until", "supersedes_id", "metadata")


@dataclass(frozen=True, slots=True)
class Shown:
    """The events of the page of the table that is open, and how many match in all."""

    events: Sequence[Event]
    n_matching: int
    first: int


def filtered(ws: Workspace, key: str) -> Shown:
    """Draw the search and the filters; returns what they leave, one page of it."""
    summary = resources.summary(ws)
    search, kinds, types, order = st.columns([4, 2, 2, 2], vertical_alignment="bottom")
    words = search.text_input(
        "Search",
        key=f"{key}_search",
        icon=":material/search:",
        placeholder="Words to look for",
        persist_state="session",
        live="300ms",
    )
    chosen_kinds = kinds.multiselect("Kind", event_rows.KINDS, key=f"{key}_kinds", placeholder="All", persist_state="session")
    chosen_types = types.multiselect("Type", summary.doc_types[:1000], key=f"{key}_types", placeholder="All", persist_state="session")
    chosen_order = order.selectbox("Order", event_rows.ORDERS, key=f"{key}_order", persist_state="session")
    found = event_rows.ordered(event_rows.matching(ws.events(), words or "", chosen_kinds, chosen_types), chosen_order)
    n_pages = max(1, -(-len(found) // PAGE_SIZE))
    page = 1
    if n_pages > 1:
        page = min(st.pagination(n_pages, key=f"{key}_page_{n_pages}", persist_state="session"), n_pages)
    first = (page - 1) * PAGE_SIZE
    return Shown(found[first : first + PAGE_SIZE], len(found), first)


def say_how_many(ws: Workspace, shown: Shown) -> None:
    """One line: how many match, and which of them the table holds."""
    whole = counted(len(ws), "event")
    if shown.n_matching > len(shown.events):
        last = shown.first + len(shown.events)
        st.caption(f"Rows {shown.first + 1:,} to {last:,} of {shown.n_matching:,} that match, of {whole}. Search to narrow it.")
    else:
        st.caption(whole if shown.n_matching == len(ws) else f"{shown.n_matching:,} of {whole} match")


def browse(ws: Workspace) -> None:
    """The table beside the form."""
    table, form = st.columns([3, 2], gap="medium")
    with table:
        selected = _table(ws)
    with form, st.container(border=True):
        if len(selected) > 1:
            _several(ws, selected)
        else:
            event_form(ws, selected[0] if selected else None)


def _table(ws: Workspace) -> list[Event]:
    import pandas as pd

    if not len(ws):
        st.info("There are no events yet. Write the first one in the form, or choose “Bring in a file” above.")
        return []
    shown = filtered(ws, "events")
    say_how_many(ws, shown)
    if not shown.events:
        st.info("No event matches. Empty the search and the filters to see them all.")
        return []
    rows = pd.DataFrame([event_rows.event_cells(event, most=BRIEF) for event in shown.events], columns=COLUMNS)
    state = st.dataframe(
        rows,
        key="events_table_" + digest(event.id for event in shown.events),
        hide_index=True,
        height=table_height(len(rows)),
        column_config=event_columns(text_width=260),
        on_select="rerun",
        selection_mode="multi-row",
        alt="Events",
    )
    return [shown.events[n] for n in state.selection.rows if n < len(shown.events)]


def table_height(n_rows: int) -> int | str:
    """As high as its rows, up to where a screen ends."""
    return 560 if n_rows > 10 else "auto"


def event_columns(text_width: int = 420) -> dict[str, object]:
    """How each field's column is called, and how wide the text is, in pixels."""
    return {
        name: st.column_config.TextColumn(label, width=text_width if name == "text" else None, pinned=name == "id" or None)
        for name, label in event_rows.LABELS.items()
    }


def digest(ids: Iterable[str]) -> str:
    """A short name for these rows, so that a choice of rows never carries over to others."""
    return hashlib.sha256("\n".join(ids).encode()).hexdigest()[:16]


def _several(ws: Workspace, selected: Sequence[Event]) -> None:
    st.subheader(f"{len(selected)} events chosen", anchor=False)
    st.write(plain(", ".join(event.id for event in selected), most=300))
    st.caption("Choose one row to change it, or delete them together.")
    if st.button(f"Delete these {len(selected)}", key="events_delete", help="With their links. Undo brings them back."):
        try:
            ws.delete_events([event.id for event in selected])
        except AffragError as error:
            st.error(plain(error))
            return
        session.say(f"Deleted {len(selected)} events. Undo brings them back.")
        st.rerun()
