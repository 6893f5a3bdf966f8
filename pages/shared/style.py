"""The few rules of CSS that Streamlit's theme cannot say, in one place. Nothing a person wrote ever comes near it."""

from __future__ import annotations

import streamlit as st

_CSS = """
[data-testid="stMainBlockContainer"] { padding-left: 2rem; padding-right: 2rem; }
.st-key-method button { min-height: 2.5rem; padding-left: 0.65rem; padding-right: 0.65rem; }
/* Settings: a number stands beside each slider, so the slider need not repeat it; labels as small as other labels. */
[class*="st-key-setting-"] [data-testid="stSliderThumbValue"] { display: none; }
[class*="st-key-setting-"] [data-testid="stSlider"] { padding-top: 0; }
[class*="st-key-setting-"] [data-testid="stMarkdownContainer"] p { font-size: 0.875rem; }
[class*="st-key-setting-"] [data-testid="stNumberInputContainer"],
[class*="st-key-setting-"] [data-testid="stNumberInputContainer"] input { height: 1.9rem; min-height: 1.9rem; }
[class*="st-key-reset-"] button { min-height: 1.2rem; padding: 0 0.3rem; }
[data-testid="stSidebarUserContent"] [data-testid="stVerticalBlock"] { gap: 0.55rem; }
[data-testid="stSidebarUserContent"] [class*="st-key-setting-"] { gap: 0.1rem; }
/* Ranked lists grow with what is in them, and scroll from three cards on. */
[class*="st-key-list-"] { max-height: 18.6rem; overflow-y: auto; flex-wrap: nowrap; }
[class*="st-key-list-"] > * { flex-shrink: 0; }
/* A path's card is one large button: the button lies unseen over the card, and the card shows its focus. */
[class*="st-key-card-"] { position: relative; padding: 0.45rem 0.7rem; gap: 0.15rem; }
[class*="st-key-card-"] [data-testid="stElementContainer"]:has(.stButton) { position: absolute; inset: 0; width: 100%; height: 100%; }
[class*="st-key-card-"] .stButton, [class*="st-key-card-"] .stButton > *, [class*="st-key-card-"] button { width: 100%; height: 100%; }
[class*="st-key-card-"] button { opacity: 0; }
[class*="st-key-card-"] p { line-height: 1.45; }
[class*="st-key-sample-row-"] button, [class*="st-key-from-"] button { min-height: 1.5rem; padding: 0.1rem 0; text-align: left; }
/* The parts of time fit beside the graph. */
.st-key-event-panel { padding: 0.6rem 0.8rem; }
.st-key-event-panel table { font-size: 0.8rem; margin-bottom: 0; width: 100%; }
.st-key-event-panel :is(th, td) { padding: 0.1rem 0.4rem; }
.st-key-event-panel td:nth-child(2) { white-space: nowrap; }
[class*="st-key-card-"]:hover, [class*="st-key-card-"]:focus-within { border-color: #2f8fce; }
[class*="st-key-card-chosen-"] {
  border-color: #2f8fce;
  box-shadow: inset 3px 0 0 #2f8fce;
}
"""


def apply_style() -> None:
    """Add the rules to the page."""
    st.html(f"<style>{_CSS}</style>")
