"""The sidebar of the Retrieve page: presets, then every setting in the order of the pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.explore.retrieve_mood import mood_words
from pages.explore.retrieve_question import METHODS
from pages.shared.controls import draw_stages, shown
from pages.shared.presets import draw_presets
from pages.shared.settings_state import current_config, keep

if TYPE_CHECKING:
    from affrag_core import Workspace

# Which stages each method runs; a method that is not here is taken to run them all.
WALKS = ("Link score", "Traversal", "Sampling", "Activation")
UNUSED = {"vector": ("Time", *WALKS), "temporal": WALKS, "cpt": ("Time",)}
MOOD, MOOD_START = "mood", 0.5


def draw_settings(ws: Workspace) -> None:
    """Draw the sidebar's part of the page."""
    config = current_config()
    with st.sidebar:
        base = draw_presets(ws)
        method = METHODS.get(config.mode, config.mode)
        unused = UNUSED.get(config.mode, ())
        notes = dict.fromkeys(unused, f"Not part of the method “{method}”; changes nothing in its ranking.")
        if "Time" in notes:
            notes["Time"] = f"The method “{method}” ranks without these, except “Include events after this time”."
        draw_stages(config, base, notes=notes, leave_out=("mode",), above={"mood_weight": lambda: draw_mood(ws)})


def draw_mood(ws: Workspace) -> None:
    """A feeling to look for, as a word; none by default."""
    mood = current_config().mood
    words = mood_words(ws)
    if isinstance(mood, tuple):
        st.caption("The mood is a vector that came with these settings; choose a word to replace it.")
    elif mood is not None and mood not in words:
        words = [mood, *words]
    st.selectbox(
        "Mood",
        words,
        index=None,
        key=shown(MOOD, mood if isinstance(mood, str) else None),
        placeholder="none",
        on_change=_take_mood,
        help="A feeling to look for: events that feel like it come nearer in the first stage. Empty is off.",
    )


def _take_mood() -> None:
    config, mood = current_config(), st.session_state[MOOD]
    # A mood that weighs nothing would do nothing, so the first choice of one gives it weight.
    weight = MOOD_START if mood and not config.mood_weight else config.mood_weight
    keep(config.with_changes(mood=mood, mood_weight=weight if mood else 0.0))
