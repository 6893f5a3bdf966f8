"""The first page: three doors."""

from __future__ import annotations

import streamlit as st

st.title("Memory explorer", anchor=False)
