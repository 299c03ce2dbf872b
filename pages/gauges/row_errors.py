"""Why a suite was refused, row by row."""

import streamlit as st

from evalcore.errors import RowError
from pages.shared.markup import Html, element, show, table, text
from pages.shared.suite import Refused

HEADS = ("line", "field", "problem", "what was found", "what is wanted")


def draw(suite: Refused) -> None:
    """Lists the row errors of a suite that was not graded."""
    with st.container(key="row-errors"):
        show(
            element(
                "div",
                element("p", element("strong", text(suite.name), text(" was not graded."))),
                element("p", text(_advice(suite)), style="quiet"),
                style="alert",
            ),
            table(HEADS, map(_cells, suite.errors)),
            *(element("p", text(remark), style="quiet") for remark in suite.remarks),
        )


def _advice(suite: Refused) -> str:
    count = f"{suite.total:,} row error{'' if suite.total == 1 else 's'}"
    listed = len(suite.errors)
    shown = f", the first {listed} of them below" if listed < suite.total else ""
    return f"{count}{shown}. Correct the file and open it again; nothing is graded by halves."


def _cells(error: RowError) -> tuple[Html, ...]:
    return (
        text(f"{error.line:,}"),
        element("code", text(error.field)) if error.field else text("the row"),
        text(error.problem),
        element("code", text(error.found)) if error.found else Html(""),
        text(error.wanted),
    )
