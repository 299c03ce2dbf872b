"""Where a suite comes from: an upload, or an example that the address names."""

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from evalcore.errors import SuiteError
from evalcore.job import Job, find_job
from evalcore.pipeline import grade_suite
from pages.shared import session
from pages.shared.suite import Graded, Refused, Suite

EXAMPLES = {
    "order_desk": "Healthy example",
    "order_desk_saturated": "Saturated example",
    "order_desk_regressed": "Regressed example",
}
_FIXTURES = Path(__file__).parents[2] / "fixtures"
_ADDRESS_KEY = "example"


def named_example() -> str | None:
    """Returns the example that the address asks for, which need not exist."""
    return st.query_params.get(_ADDRESS_KEY)


def go_to_example(name: str) -> None:
    """Puts an example into the address."""
    st.query_params[_ADDRESS_KEY] = name


def current() -> Suite | None:
    """Returns the example that the address names, else what the visitor has uploaded."""
    example = named_example()
    if example is None:
        return session.suite()
    if example not in EXAMPLES:
        return None
    path = _FIXTURES / f"{example}.jsonl"
    job = session.job() or find_job(path)[0]
    with path.open("rb") as stream:
        return _graded(path.name, stream, job)


def open_upload(upload: UploadedFile, uploader: str) -> None:
    """Grades an upload where it lies in memory, with progress, and lets go of it."""
    st.empty()  # in the place of what was open, so that nothing stale stands there meanwhile
    bar = st.progress(0)
    st.button("Stop", on_click=session.release, args=(uploader, upload.file_id))
    progress = _by_percent(lambda now: bar.progress(now, f"Grading: {now} %"), upload.size)
    session.open_suite(_graded(upload.name, upload, session.job(), progress))
    session.release(uploader, upload.file_id)
    st.query_params.pop(_ADDRESS_KEY, None)


def use_job(job: Job | None) -> None:
    """Judges by this job from now on, what is open as well."""
    session.set_job(job)
    suite = session.suite()
    if isinstance(suite, Graded):
        session.open_suite(suite.judged_by(job))


def _graded(
    name: str, stream: BinaryIO, job: Job | None, progress: Callable[[int], None] | None = None
) -> Suite:
    try:
        return Graded(name, grade_suite(stream, job=job, progress=progress))
    except SuiteError as error:
        return Refused(name=name, errors=error.errors, total=error.total, remarks=error.remarks)


def _by_percent(show: Callable[[int], object], whole: int) -> Callable[[int], None]:
    """Turns bytes done into percent and passes on each new one, since each costs a message."""
    shown = -1

    def update(done: int) -> None:
        nonlocal shown
        percent = min(100, done * 100 // whole)
        if percent > shown:
            shown = percent
            show(percent)

    return update
