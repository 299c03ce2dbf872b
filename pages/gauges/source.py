"""Where a suite comes from: an upload, or an example or a run that the address names."""

from collections.abc import Callable
from io import SEEK_END
from pathlib import Path
from typing import BinaryIO

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from evalcore.errors import NotInHistoryError, SuiteError
from evalcore.excerpt import excerpt
from evalcore.job import Job, find_job
from evalcore.pipeline import grade_suite
from pages.shared import address, history, session
from pages.shared.suite import Graded, Kept, OpenSuite, Refused, Suite, SuiteCopy

EXAMPLES = {
    "order_desk": "Healthy example",
    "order_desk_saturated": "Saturated example",
    "order_desk_regressed": "Regressed example",
}
_FIXTURES = Path(__file__).parents[2] / "fixtures"


def named_example() -> str | None:
    """Returns the example that the address asks for, which need not exist."""
    return st.query_params.get(address.EXAMPLE)


def go_to_example(name: str) -> None:
    """Puts an example into the address."""
    st.query_params.from_dict({address.EXAMPLE: name})


def current() -> Graded | Kept | Refused | None:
    """Returns the run or the example that the address names, else what the visitor has uploaded.

    Raises:
        NotInHistoryError: the history has no such run.
        HistoryError: it cannot be read.
    """
    if address.RUN in st.query_params:
        return _kept_run()
    example = named_example()
    if example is None:
        return session.suite()
    if example not in EXAMPLES:
        return None
    path = _FIXTURES / f"{example}.jsonl"
    job = session.job() or find_job(path)[0]
    return _graded(path.name, lambda: path.open("rb"), job)


def _kept_run() -> Kept:
    runs = history.current()
    run_id = address.number(address.RUN)
    if runs is None or run_id is None:
        asked = excerpt(st.query_params[address.RUN], 20)
        raise NotInHistoryError(f"there is no run {asked} in the history")
    return history.kept(runs, run_id)


def open_upload(upload: UploadedFile, uploader: str) -> None:
    """Grades an upload where it lies in memory, with progress, and lets go of it."""
    st.empty()  # in the place of what was open, so that nothing stale stands there meanwhile
    bar = st.progress(0)
    st.button("Stop", on_click=session.release, args=(uploader, upload.file_id))
    progress = by_percent(bar.progress, "Grading", upload.size)
    copy = SuiteCopy(upload)
    session.open_suite(_graded(upload.name, copy.reopen, session.job(), progress))
    session.release(uploader, upload.file_id)
    st.query_params.clear()


def use_job(job: Job | None) -> None:
    """Judges by this job from now on, what is open as well."""
    session.set_job(job)
    suite = session.suite()
    if isinstance(suite, Graded):
        session.open_suite(suite.judged_by(job))


def _graded(
    name: str,
    reopen: OpenSuite,
    job: Job | None,
    progress: Callable[[int], None] | None = None,
) -> Suite:
    try:
        with reopen() as stream:
            return Graded(name, grade_suite(stream, job=job, progress=progress), job, reopen)
    except SuiteError as error:
        return Refused(name=name, errors=error.errors, total=error.total, remarks=error.remarks)


def by_percent(show: Callable[[int, str], object], doing: str, whole: int) -> Callable[[int], None]:
    """Turns bytes done into percent and passes on each new one, since each costs a message."""
    shown = -1

    def update(done: int) -> None:
        nonlocal shown
        percent = min(100, done * 100 // whole)
        if percent > shown:
            shown = percent
            show(percent, f"{doing}: {percent} %")

    return update


def size_of(stream: BinaryIO) -> int:
    """Returns how many bytes there are in a file that stands at its start."""
    size = stream.seek(0, SEEK_END)
    stream.seek(0)
    return size
