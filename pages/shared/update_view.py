"""What an update by id would change, before it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import event_rows
from pages.shared.column_choice import FIELDS
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import Event
    from pages.shared.import_plan import ReadyImport

CHANGES_SHOWN, IDS_SHOWN, MOST = 50, 8, 120


def show_update(ready: ReadyImport) -> None:
    """The counts, and the first changes field by field."""
    import pandas as pd

    found = ready.comparison
    if found is None:
        return
    parts = [f"{len(found.added):,} new", f"{len(found.changed):,} changed", f"{len(found.unchanged):,} unchanged"]
    gone = len(ready.deletes)
    parts.append(f"{gone:,} deleted" if gone else f"{len(ready.only_here):,} only here, kept")
    st.markdown(f"**What the update does:** {' · '.join(parts)}")
    if found.added:
        st.caption(f"New: {_some([event.id for event in found.added])}")
    if ready.only_here:
        st.caption(f"{'Deleted' if gone else 'Only here'}: {_some(list(ready.only_here))}")
    rows = [row for old, new, names in found.changed[:CHANGES_SHOWN] for row in change_rows(old, new, names)]
    if rows:
        st.dataframe(pd.DataFrame(rows), hide_index=True, key="upload_changes", alt="What changes")
    if len(found.changed) > CHANGES_SHOWN:
        st.caption(f"The changes of the first {CHANGES_SHOWN} of {counted(len(found.changed), 'event')}.")


def change_rows(old: Event, new: Event, names: tuple[str, ...]) -> list[dict[str, str]]:
    """One row for each field that differs: before and after."""
    made_from = {"semantic_vec": "text", "emotional_vec": "emotion"}  # such a vector changes with it
    before, after = event_rows.event_cells(old, most=MOST), event_rows.event_cells(new, most=MOST)
    return [
        {
            "Event": old.id,
            "Field": event_rows.LABELS.get(name) or FIELDS.get(name, name),
            "Before": before[name] if name in before else _vector(getattr(old, name)),
            "After": after[name] if name in after else _vector(getattr(new, name)),
        }
        for name in names
        if made_from.get(name) not in names
    ]


def _vector(value: object) -> str:
    return "none, made anew where possible" if value is None else f"{len(value):,} numbers"  # type: ignore[arg-type]


def _some(ids: list[str]) -> str:
    return plain(", ".join(ids[:IDS_SHOWN]), most=200) + (", …" if len(ids) > IDS_SHOWN else "")
