"""The memory graph with the chosen path on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.explore.retrieve_choice import Choice

if TYPE_CHECKING:
    from affrag_core import RetrievalTrace, Workspace


def draw_graph(ws: Workspace, trace: RetrievalTrace, chosen: Choice) -> None:
    """Draw what is near the chosen path; a click on a node looks at its event."""
    st.markdown("##### Memory graph")
