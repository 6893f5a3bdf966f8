"""One event beside the graph: its words, its state, its links, and what can be done from here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import drawn_events, validity_states, window_words
from pages.explore.graph_choice import chosen, look_at
from pages.shared import session
from pages.shared.charts import KIND_MARKS
from pages.shared.event_form import event_form
from pages.shared.event_words import id_chip, state_chip, title
from pages.shared.feelings import feelings_line
from pages.shared.feelings_view import show_estimate
from pages.shared.graph_marks import feeling_words
from pages.shared.graph_view import graph_of
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import Edge, Event, Workspace

MOST_LINKS = 12
LONGEST_TEXT = 500
N_HUBS = 5
HEIGHT = 610
STYLE = """<style>
.st-key-graph-card [data-testid="stElementContainer"]:has(button[kind="tertiary"]), .st-key-graph-card .stButton { width: 100%; }
.st-key-graph-card button[kind="tertiary"] { justify-content: flex-start; text-align: left; padding: 0.1rem 0; min-height: 0; width: 100%; }
.st-key-graph-card button[kind="tertiary"] > * { width: 100%; justify-content: flex-start; }
.st-key-graph-card button[kind="tertiary"] p { font-size: 0.9rem; line-height: 1.35; text-align: left; }
</style>"""
"""Links read as a list, one under the other; nothing a person wrote comes near it."""


def draw_card(ws: Workspace) -> None:
    """The card of the event that is looked at, or what to do to get one."""
    event_id = chosen(ws)
    st.html(STYLE)
    with st.container(border=True, key="graph-card", gap="small", height="content" if event_id is None else HEIGHT):
        if event_id is None:
            _draw_invitation(ws)
        else:
            _draw_event(ws, ws.event(event_id))


def _draw_invitation(ws: Workspace) -> None:
    st.markdown("**Click an event** to read it here, with its links.")
    st.caption("Or begin with one of those that have the most links:" if ws.n_edges else "Or begin with one of these:")
    graph = graph_of(ws)
    for i in drawn_events(graph, budget=N_HUBS).indices.tolist()[:N_HUBS]:
        _event_button(ws, graph.ids[i], f"hub-{i}")


def _draw_event(ws: Workspace, event: Event) -> None:
    kind = event.kind.value
    st.markdown(f"{id_chip(event.id, chosen=True, most=40)} {state_chip(_state(ws, event))} :gray[{KIND_MARKS.get(kind, '')} {kind}]")
    st.markdown(plain(event.text, most=LONGEST_TEXT))
    if len(event.text) > LONGEST_TEXT:
        with st.expander("The whole text"):
            st.markdown(plain(event.text))
    facts = {
        "Date": f"{event.timestamp.day} {event.timestamp:%B %Y, %H:%M} UTC" if event.timestamp else "none",
        "Feeling": feeling_words(event),
        "Feelings": feelings_line(event, ws.emotional_space),
        "Type": event.doc_type,
        "Supersedes": event.supersedes_id or "",
    }
    st.caption("  \n".join(f"{name}: {plain(value, most=80)}" for name, value in facts.items() if value))
    show_estimate(ws, event)
    if event.flags:
        st.caption(plain(" ".join(event.flags)))
    _draw_actions(ws, event)
    _draw_links(ws, event)


def _state(ws: Workspace, event: Event) -> dict[str, str]:
    """The event's validity in the words of every other view."""
    moment = session.as_of(ws)
    if moment is None:
        return {}
    state = validity_states([event], moment)[0]
    return {"validity_state": state.value, "window": window_words(event, state, moment.timestamp())}


def _draw_actions(ws: Workspace, event: Event) -> None:
    unlike_anything = event.semantic_vec is None
    if st.button(
        "Start a retrieval from this event",
        key="graph-retrieve",
        type="primary",
        width="stretch",
        disabled=unlike_anything,
        help="This event has no vector yet; make the vectors on the Events page." if unlike_anything else "Asks with its own vector.",
    ):
        here = {session.WORKSPACE: slug} if (slug := session.current_slug()) else {}
        st.switch_page("pages/explore/retrieve.py", query_params=here | {"from": event.id})
    with st.container(horizontal=True, gap="small"):
        if st.button("Edit", key="graph-edit", help="Change or delete this event."):
            _edit(ws, event)
        st.button("Close", key="graph-close", on_click=look_at, args=(ws, None), help="Look at no event.")


@st.dialog("Edit the event", width="large")
def _edit(ws: Workspace, event: Event) -> None:
    event_form(ws, event)


def _draw_links(ws: Workspace, event: Event) -> None:
    edges = ws.edges_of(event.id)
    if not edges:
        st.caption("No links lead from or to it.")
        return
    out = [edge for edge in edges if edge.source == event.id]
    _draw_side(ws, "Leads to", [(edge, edge.target) for edge in out], "out")
    _draw_side(ws, "Reached from", [(edge, edge.source) for edge in edges if edge.source != event.id], "in")


def _draw_side(ws: Workspace, words: str, links: list[tuple[Edge, str]], side: str) -> None:
    if not links:
        return
    st.markdown(f"**{words}** :gray[{counted(len(links), 'link')}]")
    for place, (edge, other) in enumerate(links[:MOST_LINKS]):
        _event_button(ws, other, f"{side}-{place}", relation=edge.relation)
    if len(links) > MOST_LINKS:
        st.caption(f"And {len(links) - MOST_LINKS:,} more; the Links page has them all.")


def _event_button(ws: Workspace, event_id: str, key: str, *, relation: str = "") -> None:
    before = f":gray[{plain(relation, most=24)}] " if relation else ""
    st.button(
        f"{before}**{plain(event_id, most=24)}** {title(ws, event_id, 44)}",
        key=f"graph-go-{key}",
        type="tertiary",
        on_click=look_at,
        args=(ws, event_id),
    )
