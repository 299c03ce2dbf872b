"""The suite patch: all decisions on a run's suite, and the new file that they make of it."""

from collections.abc import Sequence
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, NamedTuple, cast

import streamlit as st

from evalcore.decision import Decision
from evalcore.entry import Entry
from evalcore.errors import HeadroomError
from evalcore.patch import (
    DONE,
    FEWEST_STRETCH,
    Patched,
    decisions_jsonl,
    patch_suite,
    unified_diff,
)
from evalcore.pipeline import Decided, decided_on
from evalcore.review.exchange import decisions_of
from evalcore.review.ledger import Ledger
from evalcore.run import Run
from pages.failures import deciding, minting
from pages.shared import history, session
from pages.shared.difference import difference
from pages.shared.history import faults_shown
from pages.shared.markup import alert, element, show, text
from pages.shared.suite import Graded, OpenSuite, SuiteCopy

SHOWN_LINES = 20
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


@st.fragment
def draw(run: Run) -> None:
    """Lists the decisions and offers what they make of the suite."""
    with faults_shown():
        opened = history.opened()
        ledger = history.ledger(opened)
        _draw_decisions(run, decided_on(opened, run, ledger.decisions()), ledger)


def _draw_decisions(run: Run, decided: Decided, ledger: Ledger) -> None:
    count, stretch = len(decided.entries), run.strata["stretch"]
    few = decided.stretch_left < min(FEWEST_STRETCH, stretch.n + stretch.unanswered)
    with st.expander(
        f"Suite patch: {count} decision{'' if count == 1 else 's'}", key="review-patch"
    ):
        if count:
            _draw_patch(run, decided, ledger)
        else:
            show(element("p", text(NOTHING), style="quiet"))
    if few:
        words = (
            f"The decisions leave {decided.stretch_left} stretch cases, fewer than "
            f"{FEWEST_STRETCH}: the headroom gauge gets too coarse. Mint new ones below."
        )
        show(alert(words))
    minting.draw(run, decided, unfolded=few)


def _draw_patch(run: Run, decided: Decided, ledger: Ledger) -> None:
    seen = [entry for entry in decided.entries if _may_see(ledger, entry)]
    for entry in seen:
        deciding.draw_decided(run, entry, "patch")
    if rest := len(decided.entries) - len(seen):
        words = f"and {rest} more on cases that you have not judged yet"
        show(element("p", text(words), style="quiet"))
    decisions = decisions_of(decided.entries)
    show(element("p", text(f"{HOW} "), element("code", text(COMMAND))))
    st.download_button(
        "Download the decisions",
        lambda: decisions_jsonl(decisions),
        file_name="decisions.jsonl",
        mime="application/jsonl",
        on_click="ignore",
    )
    name, source = _source(run)
    if source is None:
        return
    try:
        made = _made(name, source, decisions)
    except HeadroomError as error:
        show(alert(f"{name}: the decisions cannot be carried out.\n{error}"))
        return
    _draw_made(name, made)


def _may_see(ledger: Ledger, decided: Entry) -> bool:
    """Tells whether a decision would sway nobody: one judges a case without others' views first."""
    who = session.who()
    return decided.who == who or any(
        entry.who == who and entry.verdict and entry.fixture_hash == decided.fixture_hash
        for entry in ledger.of_case(decided.case_id)
    )


def _source(run: Run) -> tuple[str, OpenSuite | None]:
    """Returns the suite file: the one given here, or the open one where it is this run's."""
    upload = st.file_uploader("The suite file, JSONL", key=session.uploader_key(_UPLOADER))
    if upload is not None:
        session.take_patch_suite(run.yardstick, upload.name, SuiteCopy(upload).reopen)
        session.release(_UPLOADER, upload.file_id)
        st.rerun()
    given = session.patch_suite(run.yardstick) or _open_suite(run)
    if given is None:
        return "", None
    show(element("p", text("Suite file: "), element("code", text(given[0]))))
    return given


def _open_suite(run: Run) -> tuple[str, OpenSuite] | None:
    """Returns what the visitor has uploaded on Gauges, where it is this run's suite."""
    suite = session.suite()
    if isinstance(suite, Graded) and suite.report.suite.sha256 == run.suite_sha256:
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
    for touched in made.patched.touched[:SHOWN_LINES]:
        title = f"Line {touched.line:,}, {DONE[touched.kind]}"
        show(*difference(title, _shown(touched.before), _shown(touched.after)))
    more = lines - SHOWN_LINES
    if more > 0:
        show(element("p", text(f"and {more:,} more lines, all in the diff"), style="quiet"))


def _shown(line: bytes) -> str:
    return line.decode().rstrip("\r\n")
