"""Links that a rule proposes, looked at before they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import AffragError, next_in_time
from pages.shared import edge_rows, resources, session
from pages.shared.import_choices import ask_within
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import Workspace

SHOWN = 200


def propose(ws: Workspace) -> None:
    """Draw the rule, what it would make, and the button that makes it."""
    import pandas as pd

    st.write("Link each event to the one that happened next. A thread of time is the simplest graph to walk along.")
    if resources.summary(ws).n_dated < 2:
        st.info("At least two events need a time for this. Give them one on the Events page.")
        return
    choice, name = st.columns(2)
    with choice:
        within = ask_within("propose", list(ws.events()))
    relation = name.text_input("Relation of the new links", "next in time", key="propose_relation", persist_state="session").strip()
    proposed = next_in_time(ws.events(), within=within, relation=relation or "next in time")
    new = [edge for edge in proposed if not ws.has_edge(edge.key)]
    if len(new) < len(proposed):
        st.caption(f"{counted(len(proposed) - len(new), 'link')} of these are there already.")
    if not new:
        st.info("There is nothing new to propose.")
        return
    if st.button(f"Make these {counted(len(new), 'link')}", key="propose_make", type="primary"):
        try:
            with ws.change(f"Link {counted(len(new), 'event')} to the next in time") as draft:
                draft.add_edges(new)
        except AffragError as error:
            st.error(plain(error))
            return
        session.say(f"Made {counted(len(new), 'link')}. Undo takes them away again.")
        st.rerun()
    rows = pd.DataFrame([edge_rows.edge_cells(ws, edge) for edge in new[:SHOWN]], columns=list(edge_rows.LABELS))
    columns = {field: st.column_config.TextColumn(label) for field, label in edge_rows.LABELS.items()}
    st.dataframe(rows, hide_index=True, key="propose_table", column_config=columns, alt="Proposed links")
    if len(new) > SHOWN:
        st.caption(f"The first {SHOWN} of {len(new):,}.")
