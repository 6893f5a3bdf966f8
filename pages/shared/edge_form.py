"""One link as a form: made, changed or deleted. What is typed stays until it is saved or dropped."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import AffragError, EventError
from pages.shared import edge_rows, session
from pages.shared.event_rows import more_text
from pages.shared.text import plain, shortened

if TYPE_CHECKING:
    from affrag_core import Edge, Workspace

OFFERED = 1000
"""Events offered in a list; any other is chosen by typing its id."""


@st.fragment
def edge_form(ws: Workspace, edge: Edge | None) -> None:
    """Draw the form for a link, or for a new one."""
    prefix = _prefix(ws, edge)
    faults: dict[str, str] = session.drafts(ws, "edge_faults").get(prefix, {})
    st.subheader("Make a link" if edge is None else "Change this link", anchor=False)
    typed: dict[str, Any] = {}
    for field, label in (("source", "From event"), ("target", "To event")):
        typed[field] = _event_choice(ws, prefix, field, label, getattr(edge, field, None))
        _fault(faults, field)
    typed["relation"] = st.text_input(
        "Relation",
        edge.relation if edge else "",
        key=f"{prefix}_relation",
        placeholder="related",
        persist_state="session",
        help="What the link means, such as next, causes or reminds of.",
    )
    _fault(faults, "relation")
    typed["attributes"] = st.text_input(
        "More (JSON)",
        more_text(edge.attributes) if edge else "",
        key=f"{prefix}_attributes",
        placeholder='{"note": "same evening"}',
        persist_state="session",
        help="Anything else worth keeping, as a JSON object.",
    )
    _fault(faults, "attributes")
    _fault(faults, "")
    _buttons(ws, prefix, edge, typed)


def _prefix(ws: Workspace, edge: Edge | None) -> str:
    if edge is None:
        return f"edge_new{session.drafts(ws, 'edge_form').get('n_made', 0)}"
    stored = "\n".join((str(ws.target), *edge.key, more_text(edge.attributes)))
    return "edge_" + hashlib.sha256(stored.encode()).hexdigest()[:16]


def _event_choice(ws: Workspace, prefix: str, field: str, label: str, current: str | None) -> str | None:
    offered = [event.id for event in ws.events()[:OFFERED]]
    if current is not None and current not in offered:
        offered.insert(0, current)
    return st.selectbox(
        label,
        offered,
        index=offered.index(current) if current is not None else None,
        format_func=lambda name: f"{name} · {shortened(ws.event(name).text, 80)}" if ws.has_event(name) else name,
        key=f"{prefix}_{field}",
        accept_new_options=True,
        placeholder="Choose an event, or type its id",
        persist_state="session",
    )


def _fault(faults: Mapping[str, str], name: str) -> None:
    if name in faults:
        st.error(faults[name])


def _buttons(ws: Workspace, prefix: str, edge: Edge | None, typed: dict[str, Any]) -> None:
    with st.container(horizontal=True):
        if st.button("Save" if edge else "Add the link", key=f"{prefix}_save", type="primary"):
            _save(ws, prefix, edge, typed)
        if edge is not None and st.button("Delete", key=f"{prefix}_delete", help="Undo brings it back."):
            delete_edges(ws, [edge])


def _save(ws: Workspace, prefix: str, edge: Edge | None, typed: dict[str, Any]) -> None:
    faults = session.drafts(ws, "edge_faults")
    faults.pop(prefix, None)
    try:
        new = edge_rows.typed_edge(ws, typed)
        if edge is None:
            ws.add_edges([new])
            session.drafts(ws, "edge_form")["n_made"] = session.drafts(ws, "edge_form").get("n_made", 0) + 1
        else:
            ws.update_edge(edge.key, new)
    except EventError as error:
        faults[prefix] = {error.field: plain(error.message)}
    except AffragError as error:
        faults[prefix] = {"": plain(error)}
    else:
        own = " It leads to itself, so it is shown and never walked." if new.source == new.target else ""
        session.say(f"Saved the link from {new.source} to {new.target}.{own}")
    st.rerun()


def delete_edges(ws: Workspace, edges: list[Edge]) -> None:
    """Delete links and draw the page anew."""
    try:
        ws.delete_edges([edge.key for edge in edges])
    except AffragError as error:
        st.error(plain(error))
        return
    session.say(f"Deleted {len(edges)} links. Undo brings them back." if len(edges) > 1 else "Deleted the link. Undo brings it back.")
    st.rerun()
