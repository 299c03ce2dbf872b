"""The frame of the app: its look, its pages, and the page that was asked for."""

from pathlib import Path

import streamlit as st

PAGES = Path(__file__).parent / "pages"

st.set_page_config(
    page_title="Headroom",
    page_icon=str(PAGES / "shared" / "icon.svg"),
    layout="wide",
)
st.logo(str(PAGES / "shared" / "logo.svg"), size="large")
st.html(PAGES / "shared" / "style.css")
page = st.navigation(
    [
        st.Page(PAGES / "gauges" / "page.py", title="Gauges", url_path="gauges", default=True),
    ],
    position="top",
)
page.run()
