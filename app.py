"""Names the pages, and nothing else."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parent
PAGES = {
    "": [("pages/home/start.py", "Start", "🏠")],
    "Data": [("pages/data/events.py", "Events", "🗓️"), ("pages/data/links.py", "Links", "🔗")],
    "Explore": [("pages/explore/retrieve.py", "Retrieve", "🔎"), ("pages/explore/graph.py", "Memory graph", "🕸️")],
}

page = st.navigation(
    {
        section: [st.Page(path, title=title, icon=icon, default=section == "") for path, title, icon in rows if (ROOT / path).is_file()]
        for section, rows in PAGES.items()
    }
)
st.set_page_config(page_title=f"{page.title} · Memory explorer", page_icon="🧭", layout="wide")
st.logo("🧭", size="large")
page.run()
