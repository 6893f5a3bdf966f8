"""One path, hop by hop: who was chosen, by what parts of the score, and how close it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import chosen_on, contribution_rows, final_formula, hop_sentence, link_formula, path_hops, pool_contribution_rows
from pages.explore import retrieve_choice as choices
from pages.shared import charts
from pages.shared.controls import shown
from pages.shared.event_words import axis_names
from pages.shared.text import plain

if TYPE_CHECKING:
    from affrag_core import RetrievalTrace, Workspace

PLACE = "hop"
MOST_BARS = 5


def draw_hops(ws: Workspace, trace: RetrievalTrace, chosen: choices.Choice) -> None:
    """The steps of the chosen path, and the one that is looked at."""
    if chosen.path is None:
        return
    ids, rank = chosen.path["event_ids"], chosen.path["rank"]
    if len(ids) > 1:
        st.segmented_control(
            f"Steps of path {rank}",
            list(range(len(ids))),
            key=shown(PLACE, chosen.place),
            format_func=lambda place: f"{f'{place} →' if place else 'Seed'} {plain(ids[place], most=14)}",
            required=True,
            label_visibility="collapsed",
            wrap=True,
            on_change=lambda: choices.choose_place(ws, st.session_state[PLACE]),
        )
    else:
        st.markdown(f"##### Result {rank}")
    if chosen.place == 0:
        _draw_seed(ws, trace, ids[0])
    else:
        _draw_hop(ws, trace, chosen)


def _draw_hop(ws: Workspace, trace: RetrievalTrace, chosen: choices.Choice) -> None:
    hop = path_hops(trace, chosen.path)[chosen.place - 1]
    _draw_bars(ws, contribution_rows(hop, most=MOST_BARS), "hop-chart")
    st.markdown(f"`{link_formula(chosen_on(chosen.path, hop), trace.config)}`  \n{plain(hop_sentence(hop))}")


def _draw_seed(ws: Workspace, trace: RetrievalTrace, seed: str) -> None:
    _draw_bars(ws, pool_contribution_rows(trace, most=MOST_BARS), "seed-chart")
    row = next(one for one in trace.pool if one["event_id"] == seed)
    st.markdown(f"`{final_formula(row, trace.config)}`  \n{plain(row['reason'])}")


def _draw_bars(ws: Workspace, rows: Sequence[Mapping[str, Any]], key: str) -> None:
    names = axis_names(ws, dict.fromkeys(row["event_id"] for row in rows))
    with st.container(gap=None):
        st.html(charts.legend(row["term"] for row in rows))
        st.plotly_chart(charts.contribution_figure(rows, names), key=key, config=charts.CONFIG)
