"""The ranked paths, and beside them what plain cosine would have given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import number, path_sentence
from pages.explore import retrieve_choice as choices
from pages.shared.event_words import id_chip, state_chip, title
from pages.shared.text import plain

if TYPE_CHECKING:
    from affrag_core import RetrievalTrace, Workspace

MOST_CARDS = 20
MANY, ROOMY, TIGHT = 4, 22, 16
"""From this many events on a path's chips are cut shorter, to so many letters."""


def draw_paths(ws: Workspace, trace: RetrievalTrace, chosen: choices.Choice) -> None:
    """A card for each path, best first; the whole card is a button."""
    n_paths = len(trace.paths)
    walked = any(len(path["event_ids"]) > 1 for path in trace.paths)
    shown = f"{n_paths:,}, the best {MOST_CARDS} shown" if n_paths > MOST_CARDS else f"{n_paths:,}" if n_paths else "none"
    st.markdown(f"##### {'Paths' if walked else 'Results'} :gray[{shown}]")
    with st.container(key="list-paths"):
        for path in trace.paths[:MOST_CARDS]:
            _card(ws, trace, path, chosen)
        if n_paths > MOST_CARDS:
            st.caption(f"The other {n_paths - MOST_CARDS:,} are in the table “All paths” below.")


def _card(ws: Workspace, trace: RetrievalTrace, path: Mapping[str, Any], chosen: choices.Choice) -> None:
    rank, ids = path["rank"], path["event_ids"]
    here = chosen.path is not None and chosen.path["rank"] == rank
    with st.container(border=True, key=f"card-{'chosen-' if here else ''}path-{rank}"):
        with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
            st.markdown(f"**{rank}** {title(ws, ids[0], 90)}", wrap=False, width="stretch")
            st.markdown(f"**{number(path['final_score'])}**", width="content", wrap=False)
        most = ROOMY if len(ids) < MANY else TIGHT
        chips = " → ".join(id_chip(one, chosen=here and place == chosen.place, most=most) for place, one in enumerate(ids))
        st.markdown(f"{chips} :small[:gray[{plain(path_sentence(trace, path))}]]")
        st.button(f"Look at path {rank}", key=f"look-path-{rank}", on_click=choices.choose_path, args=(ws, rank))


def draw_baseline(ws: Workspace, trace: RetrievalTrace, baseline: RetrievalTrace, chosen: choices.Choice) -> None:
    """What similarity alone finds, in its order, and what of it is in no path."""
    states = {row["event_id"]: row for row in baseline.pool}
    st.markdown("##### Plain cosine :gray[baseline]", help="The same question, ranked by likeness alone: no time, no feeling, no links.")
    reached = {event_id for path in trace.paths for event_id in path["event_ids"]}
    with st.container(key="list-baseline"):
        for path in baseline.paths:
            _baseline_card(ws, trace, path, states.get(path["event_ids"][0], {}), chosen, reached)


def _baseline_card(
    ws: Workspace, trace: RetrievalTrace, path: Mapping[str, Any], state: Mapping[str, Any], chosen: choices.Choice, reached: set[str]
) -> None:
    event_id, rank = path["event_ids"][0], path["rank"]
    here = chosen.event_id == event_id
    with st.container(border=True, key=f"card-{'chosen-' if here else ''}baseline-{rank}"):
        with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
            st.markdown(f"{rank} {title(ws, event_id, 70)}", wrap=False, width="stretch")
            st.markdown(f"{number(path['final_score'])}", width="content", wrap=False)
        missing = "" if event_id in reached else " :red-badge[not found here]"
        st.markdown(f"{state_chip(state)}{missing}")
        st.button(f"Look at {rank} of plain cosine", key=f"look-baseline-{rank}", on_click=choices.choose_event, args=(ws, trace, event_id))
