"""The memory graph: what is linked to what, and one event read beside it."""

from __future__ import annotations

import streamlit as st

from pages.explore.graph_card import draw_card
from pages.explore.graph_choice import chosen, read_address, write_address
from pages.explore.graph_choice import look_at as choose
from pages.explore.graph_choice import search as find
from pages.shared import session
from pages.shared.graph_marks import COLOUR_BY
from pages.shared.graph_view import BUDGET, draw_memory_graph
from pages.shared.header import page_header
from pages.shared.style import apply_style
from pages.shared.text import plain

LABELS = {"id": "Ids", "text": "Words", "none": "Off"}
LEAST, MOST = 10, 5_000


def main() -> None:
    """Draw the page."""
    apply_style()
    ws = page_header("Memory graph")
    if not len(ws):
        st.info("There is nothing to draw yet. Write the first event, or bring in a file, on the Events page.")
        st.page_link("pages/data/events.py", label="Go to Events", icon="🗓️")
        return
    read_address(ws)
    colour_by, labels, budget = _controls()
    if not ws.n_edges:
        st.info("No event is linked to another yet, so they stand in rows. Make links, or let them be proposed, on the Links page.")
        st.page_link("pages/data/links.py", label="Go to Links", icon="🔗")
    graph, card = st.columns([7, 3], gap="medium")
    with graph:
        shown = draw_memory_graph(
            ws,
            key="memory-graph",
            budget=budget,
            colour_by=colour_by,
            as_of=session.as_of(ws),
            selected=chosen(ws),
            labels=labels,
            height=560,
            on_click=lambda event_id: choose(ws, event_id),
            on_search=lambda words: find(ws, words),
        )
        st.caption(plain(" ".join(shown.sentences)))
    with card:
        draw_card(ws)
    write_address(ws)


def _controls() -> tuple[str, str, int]:
    colours, names, most = st.columns([5, 3, 2], vertical_alignment="bottom")
    colour_by = colours.segmented_control(
        "Colour by",
        list(COLOUR_BY),
        default="kind",
        format_func=lambda option: COLOUR_BY.get(option, option),
        key="graph_colour",
        required=True,
        persist_state="session",
    )
    labels = names.segmented_control(
        "Labels",
        list(LABELS),
        default="id",
        format_func=lambda option: LABELS.get(option, option),
        key="graph_labels",
        required=True,
        persist_state="session",
        help="Labels that would cover each other wait until you come closer.",
    )
    budget = most.number_input(
        "Events shown at most",
        LEAST,
        MOST,
        BUDGET,
        step=50,
        key="graph_budget",
        persist_state="session",
        help="With more events than this, the one looked at, its neighbourhood and the events with the most links are drawn. "
        "Above 2,000 a browser may become slow.",
    )
    return colour_by, labels, int(budget)


main()
