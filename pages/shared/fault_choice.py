"""One choice for all rows with the same kind of fault: left out, or taken without what cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared.column_choice import FIELDS
from pages.shared.event_rows import LABELS
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import FaultGroup

LEAVE_OUT = "Leave out"
SHOWN = 12


def choose_fixes(draft: dict[str, Any]) -> None:
    """Draw the kinds of faults, with a choice where something can be done; the file is read again when one changes."""
    groups = draft["groups"]
    if not groups:
        return
    st.subheader("What to do with rows that are not as they should be", anchor=False)
    chosen = [group.key for group in groups[:SHOWN] if group.fix and _ask(draft, group) != LEAVE_OUT]
    for group in groups[:SHOWN]:
        if not group.fix:
            st.caption(f"{_words(group)}: left out")
    if len(groups) > SHOWN:
        st.caption(f"{counted(len(groups) - SHOWN, 'more kind')} of faults: left out, see the table below.")
    if set(chosen) != set(draft.get("mend", ())):
        draft["mend"] = chosen
        st.rerun()


def _ask(draft: dict[str, Any], group: FaultGroup) -> str:
    return st.radio(
        _words(group),
        [LEAVE_OUT, group.fix],
        key=f"fix_{draft['digest']}_{group.key}",
        horizontal=True,
        persist_state="session",
        help="What could not be read is kept with the event, as written.",
    )


def _words(group: FaultGroup) -> str:
    """The kind of fault as markdown."""
    thing = counted(group.n_rows, "link" if group.part == "edge" else "row")
    field = LABELS.get(group.field) or FIELDS.get(group.field) or group.field
    example = f", such as “{plain(group.example, most=40)}”" if group.example.strip() else ""
    kind = group.kind.replace("there is no event …", "no event here has this id")
    return f"**{thing}** · {plain(field, most=40)}: {plain(kind, most=160)}{example}"
