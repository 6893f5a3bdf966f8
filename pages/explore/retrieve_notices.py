"""What a person should know about an answer before reading it: that time decides it, or that there is none, and what to change."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import streamlit as st

from affrag_core import time_dominance
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import RetrievalTrace

# What to do where everything in the first stage was left out, by outcome.
ADVICE = {
    "expired": "switch off “Leave out expired events”",
    "too old": "raise “Oldest age, days”",
    "superseded": "switch off “Leave out superseded versions”",
    "not a seed": "raise “Seeds” above 0",
}

# Working this out reads every hop, which would make each click wait on a trace with thousands of them.
_warnings: WeakKeyDictionary[RetrievalTrace, str | None] = WeakKeyDictionary()


def draw_notices(trace: RetrievalTrace) -> None:
    """Say where time decides nearly everything, and where nothing was found."""
    if trace not in _warnings:
        _warnings[trace] = time_dominance(trace)
    if warning := _warnings[trace]:
        st.warning(plain(warning), icon="⚖️")
    if not len(trace.paths):
        st.info(_nothing_found(trace))


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
