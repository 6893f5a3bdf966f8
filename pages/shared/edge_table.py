"""The links of a workspace as a table: searched, filtered, paged; a row click opens its form beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import edge_rows, resources
from pages.shared.edge_form import delete_edges, edge_form
from pages.shared.event_table import PAGE_SIZE, digest, table_height
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import Edge, Workspace


def browse(ws: Workspace) -> None:
    """The table beside the form."""
    table, form = st.columns([3, 2], gap="medium")
    with table:
        selected = _table(ws)
    with form, st.container(border=True):
        if len(selected) > 1:
            st.subheader(f"{len(selected)} links chosen", anchor=False)
            st.caption("Choose one row to change it, or delete them together.")
            if st.button(f"Delete these {len(selected)}", key="links_delete", help="Undo brings them back."):
                delete_edges(ws, selected)
        else:
            edge_form(ws, selected[0] if selected else None)


def _table(ws: Workspace) -> list[Edge]:
    import pandas as pd

    if not ws.n_edges:
        st.info("There are no links yet. Make one in the form, or choose “Propose links” or “Bring in a file” above.")
        return []
    search, chosen = st.columns([3, 2], vertical_alignment="bottom")
    words = search.text_input(
        "Search",
        key="links_search",
        icon=":material/search:",
        placeholder="Words to look for",
        persist_state="session",
        live="300ms",
    )
    relations = chosen.multiselect(
        "Relation", resources.summary(ws).relations[:1000], key="links_relations", placeholder="All", persist_state="session"
    )
    found = edge_rows.matching(ws.edges(), words or "", relations)
    n_pages = max(1, -(-len(found) // PAGE_SIZE))
    page = st.pagination(n_pages, key=f"links_page_{n_pages}", persist_state="session") if n_pages > 1 else 1
    first = (page - 1) * PAGE_SIZE
    shown = found[first : first + PAGE_SIZE]
    _say_how_many(ws, len(found), first, len(shown))
    if not shown:
        st.info("No link matches. Empty the search and the filter to see them all.")
        return []
    state = st.dataframe(
        pd.DataFrame([edge_rows.edge_cells(ws, edge) for edge in shown], columns=list(edge_rows.LABELS)),
        key="links_table_" + digest("\t".join(edge.key) for edge in shown),
        hide_index=True,
        height=table_height(len(shown)),
        column_config={
            name: st.column_config.TextColumn(label, width=180 if "_text" in name else None) for name, label in edge_rows.LABELS.items()
        },
        on_select="rerun",
        selection_mode="multi-row",
        alt="Links",
    )
    return [shown[n] for n in state.selection.rows if n < len(shown)]


def _say_how_many(ws: Workspace, n_matching: int, first: int, n_shown: int) -> None:
    whole = counted(ws.n_edges, "link")
    if n_matching > n_shown:
        st.caption(f"Rows {first + 1:,} to {first + n_shown:,} of {n_matching:,} that match, of {whole}. Search to narrow it.")
    else:
        st.caption(whole if n_matching == ws.n_edges else plain(f"{n_matching:,} of {whole} match"))
