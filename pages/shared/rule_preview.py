"""A search for links as the page sees it: done at once, or with progress and a stop; then a count and some links in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from affrag_core import AffragError
from pages.shared import edge_rows, rule_search, rule_words, session
from pages.shared.jobs import Job
from pages.shared.model_view import duration
from pages.shared.rule_search import Asked, Found
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import Edge, Workspace

SAMPLES, SHOWN = 3, 200


def found_links(ws: Workspace, place: str, asked: Sequence[Asked]) -> list[Found] | None:
    """What the rules would add, kept until they or the workspace change; None while it is not known, which the page then says."""
    draft = session.drafts(ws, place)
    key = rule_search.key_of(ws, asked)
    job: Job | None = draft.get("job")
    if job is not None and job.phase == "running":
        if draft["job_key"] == key:
            _show_progress(job)
            return None
        job.cancel()  # it looks for what nobody asks for any more
    if draft.get("result", (None,))[0] == key:
        return draft["result"][1]
    if rule_search.is_long(asked, len(ws)):
        _offer(ws, draft, asked, key)
        return None
    try:
        draft["result"] = (key, rule_search.search(ws, asked))
    except AffragError as error:
        st.error(plain(error))
        return None
    return draft["result"][1]


def _offer(ws: Workspace, draft: dict[str, Any], asked: Sequence[Asked], key: rule_search.Key) -> None:
    last: Job | None = draft.get("job")
    if last is not None and last.phase in ("cancelled", "failed") and draft["job_key"] == key:
        st.warning(plain(last.sentence))
    st.caption(f"All {counted(len(ws), 'event')} are compared, which takes a while. You see how far it is, and can stop it.")
    if st.button("Look for links", key="rule_look", type="primary", icon=":material/search:"):

        def work(job: Job) -> str:
            draft["result"] = (key, rule_search.search(ws, asked, job))
            return "Looked through all events."

        draft["job"], draft["job_key"] = Job("Looking for links").start(work), key
        st.rerun()


@st.fragment(run_every=1.0)
def _show_progress(job: Job) -> None:
    if job.phase != "running":
        st.rerun()
    left = job.seconds_left()
    done = f"{job.n_done:,} of {job.n_total:,} events looked at" if job.n_total else "Beginning to look"
    st.progress(min(1.0, job.share()), text=done + (f", about {duration(left)} left" if left is not None else ""))
    if st.button("Stop", key="rule_stop", help="No link is added.", disabled=job.cancelled()):
        job.cancel()


def show_found(ws: Workspace, found: Found) -> None:
    """How many links, what is left out, a few of them in words, and the rest in a table that opens."""
    notes = [rule_words.left_out_sentence(found.left_out)] if found.left_out else []
    if found.n_there:
        notes.append(f"{found.n_there:,} of these links {'is' if found.n_there == 1 else 'are'} there already")
    if not found.new:
        st.info("There is nothing new to propose." + "".join(f" {plain(note)}." for note in notes))
        return
    st.markdown(f"Would add **{counted(len(found.new), 'link')}**" + "".join(f"; {plain(note)}" for note in notes) + ".")
    # Taken from all over, as the first ones are often of one day.
    some = dict.fromkeys(len(found.new) * n // SAMPLES for n in range(SAMPLES))
    st.markdown("\n".join(f"- {rule_words.link_sentence(ws, found.new[n])}" for n in some))


def show_table(ws: Workspace, new: Sequence[Edge]) -> None:
    """The first of the new links, folded."""
    import pandas as pd

    label = f"See {'all' if len(new) <= SHOWN else f'the first {SHOWN}'} in a table"
    with st.expander(label, key="rule_table_box", on_change="rerun") as box:
        if box.open:
            rows = pd.DataFrame([edge_rows.edge_cells(ws, edge) for edge in new[:SHOWN]], columns=list(edge_rows.LABELS))
            columns = {field: st.column_config.TextColumn(label) for field, label in edge_rows.LABELS.items()}
            st.dataframe(rows, hide_index=True, key="propose_table", column_config=columns, alt="Proposed links")


def add_links(ws: Workspace, new: Sequence[Edge], label: str) -> bool:
    """Add the links as one change; False, and a sentence on the page, where that was refused."""
    try:
        with ws.change(label) as draft:
            draft.add_edges(new)
    except AffragError as error:
        st.error(plain(error))
        return False
    session.say(f"Added {counted(len(new), 'link')}. Undo takes them away again.")
    return True
