"""Ask a question, and read why each event was reached."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import AffragError, time_dominance
from pages.explore import retrieve_choice as choices
from pages.explore.retrieve_address import read_address, write_address
from pages.explore.retrieve_event import draw_event
from pages.explore.retrieve_graph import draw_graph
from pages.explore.retrieve_hop import draw_hops
from pages.explore.retrieve_paths import draw_baseline, draw_paths
from pages.explore.retrieve_query import Question
from pages.explore.retrieve_question import draw_question
from pages.explore.retrieve_settings import draw_settings
from pages.explore.retrieve_tables import draw_tables
from pages.shared import session
from pages.shared.header import page_header
from pages.shared.settings_state import current_config
from pages.shared.style import apply_style
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import RetrievalTrace, Workspace

# What to do where everything in the first stage was left out, by outcome.
ADVICE = {
    "expired": "switch off “Leave out expired events”",
    "too old": "raise “Oldest age, days”",
    "superseded": "switch off “Leave out superseded versions”",
    "not a seed": "raise “Seeds” above 0",
}


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
        trace = session.trace(ws, question.text, question.vector, config, question.moment)
        baseline = session.trace(ws, question.text, question.vector, plain_cosine, question.moment)
    except AffragError as error:
        st.error(f"This cannot be answered: {plain(error)}.")
        return
    if warning := time_dominance(trace):
        st.warning(plain(warning), icon="⚖️")
    if not len(trace.paths):
        st.info(_nothing_found(trace))
    chosen = choices.choice(ws, trace)
    left, right = st.columns([8, 5])
    with left:
        _draw_ranked(ws, trace, baseline, chosen)
    with right:
        draw_graph(ws, trace, chosen)
        draw_event(ws, trace, chosen)
    draw_tables(ws, trace, baseline, chosen)


def _draw_ranked(ws: Workspace, trace: RetrievalTrace, baseline: RetrievalTrace, chosen: choices.Choice) -> None:
    ranked, beside = st.columns([5, 4])
    with ranked:
        draw_paths(ws, trace, chosen)
    with beside:
        draw_baseline(ws, trace, baseline, chosen)
    draw_hops(ws, trace, chosen)


def _nothing_found(trace: RetrievalTrace) -> str:
    """Why there is no path, and what to change."""
    if not len(trace.pool):
        return (
            "No event with a vector exists at this time: all are dated later. Choose a later time, or switch on “Include events after "
            "this time” under Time."
        )
    outcomes = Counter(row["outcome"] for row in trace.pool)
    left_out = ", ".join(f"{counted(n, 'event')} {outcome}" for outcome, n in outcomes.most_common())
    advice = [ADVICE[outcome] for outcome, _ in outcomes.most_common() if outcome in ADVICE]
    return f"No event is left to start from ({plain(left_out)}). To find some, {' or '.join(advice) or 'ask at another time'}."


main()
