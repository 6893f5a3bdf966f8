"""The workspaces of the data folder as a table; a row click shows one beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import folders, workspace_rows
from pages.shared.event_table import digest, table_height
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import Workspace, WorkspaceCard


def choose(cards: Sequence[WorkspaceCard], ws: Workspace | None) -> WorkspaceCard | None:
    """Draw the table; returns the workspace of the chosen row, else the open one, else the first."""
    import pandas as pd

    rows = [workspace_rows.cells(card, opened(card, ws)) for card in cards]
    table = pd.DataFrame(rows, columns=list(workspace_rows.LABELS)).astype({"n_events": "Int64", "n_edges": "Int64"})
    state = st.dataframe(
        table,
        key="ws_table_" + digest(card.slug for card in cards),
        hide_index=True,
        height=table_height(len(rows)),
        column_config=workspace_rows.LABELS,
        on_select="rerun",
        selection_mode="single-row",
        placeholder="–",
        alt="Workspaces",
    )
    st.caption(f"{counted(len(cards), 'workspace')} in {plain(folders.workspace_folder())}. Choose a row to see what can be done with it.")
    chosen = [cards[n] for n in state.selection.rows if n < len(cards)]
    current = [card for card in cards if opened(card, ws) is not None]
    return next(iter([*chosen, *current, *cards]), None)


def opened(card: WorkspaceCard, ws: Workspace | None) -> Workspace | None:
    """The open workspace where it is this one."""
    return ws if ws is not None and ws.target == str(card.path) else None
