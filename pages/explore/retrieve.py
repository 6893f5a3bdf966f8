"""Ask a question, and read why each event was reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import AffragError, PathLimitError
from pages.explore import retrieve_choice as choices
from pages.explore.retrieve_address import read_address, write_address
from pages.explore.retrieve_event import draw_event
from pages.explore.retrieve_graph import draw_graph
from pages.explore.retrieve_hop import draw_hops
from pages.explore.retrieve_mood import with_mood_vector
from pages.explore.retrieve_notices import draw_notices
from pages.explore.retrieve_paths import draw_baseline, draw_paths
from pages.explore.retrieve_query import Question
from pages.explore.retrieve_question import draw_question
from pages.explore.retrieve_settings import draw_settings
from pages.explore.retrieve_tables import draw_tables
from pages.shared import session
from pages.shared.header import page_header
from pages.shared.settings_state import current_config
from pages.shared.style import apply_style
from pages.shared.text import plain

if TYPE_CHECKING:
    from affrag_core import RetrievalTrace, Workspace


def main() -> None:
    """Draw the page."""
    apply_style()
    here = session.current_workspace()
    if here is not None:
        read_address(here)
    ws = page_header("Retrieve")
    draw_settings(ws)
    question = draw_question(ws)
    write_address(ws)
    if question is not None:
        _answer(ws, question)


def _answer(ws: Workspace, question: Question) -> None:
    config = current_config()
    plain_cosine = config.with_changes(mode="vector", mood=None, mood_weight=0.0)
    try:
        config = with_mood_vector(ws, config)
        with st.spinner("Walking the links…"):
            trace = session.trace(ws, question.text, question.vector, config, question.moment)
            baseline = session.trace(ws, question.text, question.vector, plain_cosine, question.moment)
    except PathLimitError as error:
        st.warning(f"The walk was stopped: {plain(error)}.", icon="🌿")
        return
    except AffragError as error:
        st.error(f"This cannot be answered: {plain(error)}.")
        return
    draw_notices(trace)
    chosen = choices.choice(ws, trace)
    left, right = st.columns([8, 5])
    with left:
        _draw_ranked(ws, trace, baseline, chosen)
        draw_tables(ws, trace, baseline, chosen)
    with right:
        draw_graph(ws, trace, chosen)
        draw_event(ws, trace, chosen)


def _draw_ranked(ws: Workspace, trace: RetrievalTrace, baseline: RetrievalTrace, chosen: choices.Choice) -> None:
    ranked, beside = st.columns([5, 4])
    with ranked:
        draw_paths(ws, trace, chosen)
    with beside:
        draw_baseline(ws, trace, baseline, chosen)
    draw_hops(ws, trace, chosen)


main()
