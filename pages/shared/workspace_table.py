"""The workspaces of the data folder as a table; a row click shows one beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import folders, session, workspace_rows
from pages.shared.event_table import digest, table_height
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import Workspace
    from pages.shared.places import Place


def choose(places: Sequence[Place], ws: Workspace | None) -> Place | None:
    """Draw the table; returns the workspace of the chosen row, else the open one, else the first."""
    import pandas as pd

    rows = [workspace_rows.cells(place, opened(place, ws)) for place in places]
    table = pd.DataFrame(rows, columns=list(workspace_rows.LABELS)).astype({"n_events": "Int64", "n_edges": "Int64"})
    state = st.dataframe(
        table,
        key="ws_table_" + digest(place.slug for place in places),
        hide_index=True,
        height=table_height(len(rows)),
        column_config=workspace_rows.LABELS,
        on_select="rerun",
        selection_mode="single-row",
        placeholder="–",
        alt="Workspaces",
    )
    n_files = sum(place.path is not None for place in places)
    elsewhere = f", {len(places) - n_files:,} on database servers" if n_files < len(places) else ""
    st.caption(f"{counted(n_files, 'workspace')} in {plain(folders.workspace_folder())}{elsewhere}. Choose a row to see what it offers.")
    chosen = [places[n] for n in state.selection.rows if n < len(places)]
    current = [place for place in places if opened(place, ws) is not None]
    return next(iter([*chosen, *current, *places]), None)


def opened(place: Place, ws: Workspace | None) -> Workspace | None:
    """The open workspace where it is this one."""
    return ws if ws is not None and session.current_slug() == place.slug else None
