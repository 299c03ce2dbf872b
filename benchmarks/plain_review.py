"""The baseline: the page that anyone would write to review failures, over the table they would.

Streamlit runs it with the table's file in the environment, as `PLAIN_REVIEW`.
"""

import os
import sqlite3

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

st.set_page_config(layout="wide")
database = sqlite3.connect(os.environ["PLAIN_REVIEW"], check_same_thread=False)
database.execute("CREATE TABLE IF NOT EXISTS verdicts (case_id, verdict)")


@st.cache_data
def failures() -> pd.DataFrame:
    return pd.read_sql("SELECT case_id, why FROM failures", database)


def judge(case_id: str, verdict: str) -> None:
    with database:
        database.execute("INSERT INTO verdicts VALUES (?, ?)", (case_id, verdict))
    st.session_state.place += 1


def choose() -> None:
    for row in st.session_state.cases["selection"]["rows"]:
        st.session_state.place = row


place = st.session_state.setdefault("place", 0)
rows = failures()
side, front = st.columns([4, 9])
with side:
    st.session_state.cases = {"selection": {"rows": [place]}}
    st.dataframe(rows, key="cases", on_select=choose, selection_mode="single-row", hide_index=True)
with front:
    case_id = rows.case_id[place]
    asked, answered = database.execute(
        "SELECT prompt, completion FROM failures WHERE case_id = ?", (case_id,)
    ).fetchone()
    with st.container(key="case"):
        st.text(case_id)
    st.text(rows.why[place])
    st.text(asked)
    with st.container(key="completion"):
        st.text(answered)
    verdicts = ("real miss", "acceptable", "bad fixture", "unsure")
    for key, verdict in enumerate(verdicts, 1):
        st.button(verdict, shortcut=str(key), on_click=judge, args=(case_id, verdict))
