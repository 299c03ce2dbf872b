"""The suite patch: all decisions on a run's suite, and the new file that they make of it."""

from collections.abc import Sequence
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, NamedTuple, cast

import streamlit as st

from evalcore.decision import Decision
from evalcore.errors import HeadroomError
from evalcore.excerpt import spelled_out
from evalcore.patch import FEWEST_STRETCH, Patched, decisions_jsonl, patch_suite, unified_diff
from evalcore.pipeline import Decided, decided_on
from evalcore.review.exchange import decisions_of
from pages.failures import deciding, minting
from pages.failures.view import Desk
from pages.shared import session
from pages.shared.markup import alert, element, show, text
from pages.shared.suite import Graded, OpenSuite, SuiteCopy

SHOWN_DIFF_CHARS = 20_000
_IN_MEMORY_BYTES = 4 << 20
_UPLOADER = "patch-suite"
_MADE = "patch-made"
NOTHING = (
    "No decisions yet. Judge a case; under it you decide then what becomes of it in the suite."
)
HOW = (
    "Nothing is written into your files from here: give the suite file and take the new one, or "
    "take the decisions to it with"
)
COMMAND = "evalcore patch SUITE --decisions decisions.jsonl --in-place"


class Made(NamedTuple):
    """Is what the decisions make of a suite file."""

    patched: Patched
    """What was changed."""
    suite: SuiteCopy
    """The new suite."""
    diff: bytes
    """The change as a unified diff."""


def draw(desk: Desk) -> None:
    """Lists the decisions and offers what they make of the suite."""
    decided = decided_on(desk.history, desk.run, desk.ledger.decisions())
    count = len(decided.entries)
    few = count > 0 and decided.stretch_left < FEWEST_STRETCH
    with st.expander(
        f"Suite patch: {count} decision{'' if count == 1 else 's'}", key="review-patch"
    ):
        if count:
            _draw_patch(desk, decided)
        else:
            show(element("p", text(NOTHING), style="quiet"))
    if few:
        words = (
            f"The decisions leave {decided.stretch_left} stretch cases, fewer than "
            f"{FEWEST_STRETCH}: the headroom gauge gets too coarse. Mint new ones below."
        )
        show(alert(words))
    minting.draw(desk, unfolded=few)


def _draw_patch(desk: Desk, decided: Decided) -> None:
    for entry in decided.entries:
        show(element("p", element("code", text(entry.case_id))))
        deciding.draw_decided(desk, entry)
    decisions = decisions_of(decided.entries)
    show(element("p", text(f"{HOW} "), element("code", text(COMMAND))))
    st.download_button(
        "Download the decisions",
        lambda: decisions_jsonl(decisions),
        file_name="decisions.jsonl",
        mime="application/jsonl",
        on_click="ignore",
    )
    name, source = _source(desk)
    if source is None:
        return
    try:
        made = _made(name, source, decisions)
    except HeadroomError as error:
        show(alert(f"{name}: the decisions cannot be carried out.\n{error}"))
        return
    _draw_made(name, made)


def _source(desk: Desk) -> tuple[str, OpenSuite | None]:
    """Returns the suite file: the one given here, or the open one where it is this run's."""
    upload = st.file_uploader("The suite file, JSONL", key=session.uploader_key(_UPLOADER))
    if upload is not None:
        session.take_patch_suite(upload.name, SuiteCopy(upload).reopen)
        session.release(_UPLOADER, upload.file_id)
        st.rerun(scope="fragment")
    given = session.patch_suite() or _open_suite(desk)
    if given is None:
        return "", None
    show(element("p", text("Suite file: "), element("code", text(given[0]))))
    return given


def _open_suite(desk: Desk) -> tuple[str, OpenSuite] | None:
    """Returns what the visitor has uploaded on Gauges, where it is this run's suite."""
    suite = session.suite()
    if isinstance(suite, Graded) and suite.report.suite.sha256 == desk.run.suite_sha256:
        return suite.name, suite.reopen
    return None


def _made(name: str, source: OpenSuite, decisions: Sequence[Decision]) -> Made:
    """Returns the new suite, made anew only where the file or a decision is another one."""
    known: tuple[object, Made] | None = st.session_state.get(_MADE)
    if known and known[0] == (source, decisions):
        return known[1]
    with (
        source() as stream,
        st.spinner("Carrying out the decisions"),
        SpooledTemporaryFile(_IN_MEMORY_BYTES) as out,
    ):
        patched = patch_suite(stream, decisions, cast(BinaryIO, out))
        stream.seek(0)
        diff = b"".join(unified_diff(stream, patched, name))
        out.seek(0)
        made = Made(patched, SuiteCopy(cast(BinaryIO, out)), diff)
    st.session_state[_MADE] = ((source, decisions), made)
    return made


def _draw_made(name: str, made: Made) -> None:
    """Shows the change and offers both forms of it."""
    lines = len(made.patched.touched)
    say = f"{lines} line{'' if lines == 1 else 's'} differ{'s' if lines == 1 else ''}, all others "
    show(element("p", text(f"{say}are the same byte for byte.")))
    if made.patched.stretch_words:
        show(alert(f"The patch {made.patched.stretch_words}."))
    with st.container(horizontal=True):
        st.download_button(
            "Download the new suite",
            made.suite.read,
            file_name=name,
            mime="application/jsonl",
            on_click="ignore",
        )
        st.download_button(
            "Download the diff",
            made.diff,
            file_name="suite.diff",
            mime="text/x-diff",
            on_click="ignore",
        )
    shown = made.diff[: 4 * SHOWN_DIFF_CHARS].decode(errors="ignore")[:SHOWN_DIFF_CHARS]
    st.code("\n".join(map(spelled_out, shown.split("\n"))), language="diff", wrap_lines=True)
