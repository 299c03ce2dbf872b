"""The server, and the frame that it draws for a visitor: its look and its pages."""

import gc
from importlib import import_module
from pathlib import Path
from threading import Thread

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from pages.shared import address

PAGES = Path(__file__).parent / "pages"
WARM = ("pages.failures.desk", "pandas", "rapidfuzz.distance", "altair", "scipy.stats")


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
    address.arrive(page.url_path)
    page.run()


def warm_up() -> None:
    """Imports what takes seconds that no visitor needs to wait for."""
    for module in WARM:
        import_module(module)
    # Streamlit collects garbage after every run of a page, and would look at each function and
    # class of these again: most of the time that a key press takes.
    gc.collect()
    gc.freeze()


if __name__ == "__main__":  # each time something changes for a visitor
    draw()
else:  # once, as the server starts
    # Streamlit takes the folder's name for its own kind of pages until it has seen a navigation,
    # and would tell a first visitor with a link that the page does not exist.
    PagesManager.uses_pages_directory = False
    Thread(target=warm_up, daemon=True).start()
    app = st.App(__file__)
