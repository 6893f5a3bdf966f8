"""The memory graph with the chosen path on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.explore import retrieve_choice as choices
from pages.shared.graph_marks import COLOUR_BY
from pages.shared.graph_view import draw_memory_graph
from pages.shared.text import plain

if TYPE_CHECKING:
    from affrag_core import RetrievalTrace, Workspace

BUDGET, HEIGHT = 120, 330
COLOUR = "retrieve-colour"


def draw_graph(ws: Workspace, trace: RetrievalTrace, chosen: choices.Choice) -> None:
    """Draw the chosen path and what is near it; a click on a node looks at its event."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="small", wrap=False):
        st.markdown("##### Memory graph", width="content")
        colour = st.selectbox(
            "Colour by",
            list(COLOUR_BY),
            key=COLOUR,
            format_func=lambda option: f"by {COLOUR_BY[option].lower()}",
            label_visibility="collapsed",
            persist_state="session",
            width=170,
        )
    shown = draw_memory_graph(
        ws,
        key="retrieve-graph",
        budget=BUDGET,
        colour_by=colour,
        trace=trace,
        path=chosen.path,
        selected=chosen.event_id,
        height=HEIGHT,
        on_click=lambda event_id: choices.choose_event(ws, trace, event_id),
    )
    if len(shown.drawn.indices) < len(ws):
        st.caption(" ".join(plain(sentence) for sentence in shown.sentences))
