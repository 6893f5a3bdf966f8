"""What was understood of a file: counts, notes, rows that were not taken and why, and the first of those that were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import faults_csv
from pages.shared import event_rows
from pages.shared.event_table import event_columns
from pages.shared.text import counted, plain, shortened

if TYPE_CHECKING:
    from affrag_core import Fault, Reading
    from pages.shared.import_plan import ReadyImport

FAULTS_SHOWN, PREVIEW_ROWS = 500, 50


def show_summary(ready: ReadyImport) -> None:
    """One line of counts, and what was assumed."""
    reading = ready.reading
    parts = [f"{plain(reading.form)}, {plain(reading.encoding)}", f"{counted(reading.n_rows, 'row')} of events"]
    parts.append(f"{len(reading.events):,} accepted")
    if reading.n_dropped:
        parts.append(f"{reading.n_dropped:,} left out as you chose")
    if reading.mended:
        parts.append(f"{len({fault.row for fault in reading.mended}):,} of them mended as you chose")
    if reading.event_faults:
        parts.append(f"{len(reading.event_faults):,} not taken")
    if reading.edges or reading.edge_faults:
        parts.append(f"{counted(len(reading.edges), 'link')} accepted, {len(reading.edge_faults):,} not taken")
    if ready.n_proposed:
        parts.append(f"{counted(ready.n_proposed, 'link')} to the next in time")
    st.write(" · ".join(parts))
    show_notes(ready.notes)


def show_notes(notes: Sequence[str]) -> None:
    """What was assumed while reading."""
    if notes:
        st.info("\n".join(f"- {plain(note)}" for note in notes))


def show_faults(reading: Reading, key: str = "upload") -> None:
    """Rows that were not taken, in a table and as a file to mend."""
    if not reading.faults:
        return
    st.subheader(f"{counted(len(reading.faults), 'row')} not taken", anchor=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        for part, word, some in (("event", "events", reading.event_faults), ("edge", "links", reading.edge_faults)):
            if some:
                st.download_button(
                    f"Download these {word} to mend them",
                    lambda part=part: faults_csv(reading.faults, part=part),
                    file_name=f"not_taken_{word}.csv",
                    mime="text/csv",
                    key=f"{key}_faults_{part}",
                    on_click="ignore",
                    icon=":material/download:",
                )
        st.caption("Mend the rows and bring that file in again; its first columns are skipped.")
    st.dataframe([_fault_row(fault) for fault in reading.faults[:FAULTS_SHOWN]], hide_index=True, key=f"{key}_faults", alt="Rows not taken")
    if len(reading.faults) > FAULTS_SHOWN:
        st.caption(f"The first {FAULTS_SHOWN} are shown; the download holds all {len(reading.faults):,}.")


def _fault_row(fault: Fault) -> dict[str, object]:
    return {
        "Row": fault.row,
        "What": "link" if fault.part == "edge" else "event",
        "Id": fault.event_id or "",
        "Field": event_rows.LABELS.get(fault.field, fault.field),
        "It says": fault.value,
        "Why not": shortened(fault.reason, 300),
        "What to do": shortened(fault.advice, 300),
    }


def show_preview(ready: ReadyImport) -> None:
    """The first events as they will be."""
    import pandas as pd

    if not ready.events:
        return
    st.subheader("As it will be", anchor=False)
    rows = [event_rows.event_cells(event, most=300) for event in ready.events[:PREVIEW_ROWS]]
    table = pd.DataFrame(rows)
    st.dataframe(table, hide_index=True, key="upload_preview", column_config=event_columns(), alt="The first events of the file")
    if len(ready.events) > PREVIEW_ROWS:
        st.caption(f"The first {PREVIEW_ROWS} of {counted(len(ready.events), 'event')}.")
