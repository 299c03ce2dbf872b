"""The server, and the frame that it draws for a visitor: its look and its pages."""

from importlib import import_module
from pathlib import Path
from threading import Thread

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

PAGES = Path(__file__).parent / "pages"


def draw() -> None:
    """Draws the frame and in it the page that was asked for."""
    st.set_page_config(
        page_title="Headroom",
        page_icon=str(PAGES / "shared" / "icon.svg"),
        layout="wide",
    )
    st.logo(str(PAGES / "shared" / "logo.svg"), size="large")
    st.html(PAGES / "shared" / "style.css")
    gauges = PAGES / "gauges" / "page.py"
    page = st.navigation(
        [
            st.Page(gauges, title="Gauges", default=True),
            # The first page's address is the bare one; this one makes /gauges lead there too.
            st.Page(gauges, title="Gauges", url_path="gauges", visibility="hidden"),
            st.Page(PAGES / "trends" / "page.py", title="Trends", url_path="trends"),
            st.Page(PAGES / "failures" / "page.py", title="Failures", url_path="failures"),
            st.Page(PAGES / "compare" / "page.py", title="Compare", url_path="compare"),
        ],
        position="top",
    )
    page.run()


if __name__ == "__main__":  # each time something changes for a visitor
    draw()
else:  # once, as the server starts
    # Streamlit takes the folder's name for its own kind of pages until it has seen a navigation,
    # and would tell a first visitor with a link that the page does not exist.
    PagesManager.uses_pages_directory = False
    # These imports take seconds that nobody needs to wait for.
    for slow in ("altair", "scipy.stats"):
        Thread(target=import_module, args=[slow], daemon=True).start()
    app = st.App(__file__)
