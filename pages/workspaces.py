"""A first visit at this address, when Streamlit has not yet heard of st.navigation, is led to the app, which draws the page of that name.

Without this file a fresh server that is first opened here shows "Page not found" over the right page.
"""

import runpy
from pathlib import Path

runpy.run_path(str(Path(__file__).resolve().parents[1] / "app.py"), run_name="__main__")
