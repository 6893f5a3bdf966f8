"""Names the pages, and nothing else."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parent
PAGES = {
    "": [("pages/home/start.py", "Start", "home")],
    "Data": [
        ("pages/data/events.py", "Events", "event_note"),
        ("pages/data/links.py", "Links", "link"),
        ("pages/data/workspaces.py", "Workspaces", "folder_copy"),
    ],
    "Explore": [("pages/explore/retrieve.py", "Retrieve", "travel_explore"), ("pages/explore/graph.py", "Memory graph", "hub")],
}

# Set before the pages are named: else the browser would fetch the page's own icon from another machine.
st.set_page_config(page_icon="🧭", layout="wide")
page = st.navigation(
    {
        section: [
            st.Page(path, title=title, icon=f":material/{icon}:", default=section == "")
            for path, title, icon in rows
            if (ROOT / path).is_file()
        ]
        for section, rows in PAGES.items()
    }
)
st.set_page_config(page_title=f"{page.title} · Memory explorer")
st.logo("🧭", size="large")
page.run()
