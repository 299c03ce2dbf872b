"""The ways to open a suite: upload one, give it a job, or look at an example."""

from typing import NamedTuple

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from evalcore.errors import JobError
from evalcore.job import parse_job
from pages.gauges import source
from pages.shared import session
from pages.shared.markup import alert, element, show, text

WHERE_IT_GOES = (
    "Your file goes to the computer that runs this app and nowhere else. It stays, with its "
    "result, for this browser tab alone, until shortly after you close or reload it. Until you "
    "press Save, nothing is kept beyond that: the disk is used for unnamed temporary files only, "
    "for large uploads and for very long lists of failed cases."
)


class Upload(NamedTuple):
    """Is a file that has just arrived."""

    uploader: str
    """Where it was put, `suite` or `job`."""
    file: UploadedFile
    """The file."""

    @property
    def is_job(self) -> bool:
        """Tells a job from a suite by its name, and only else by where it was put."""
        name = self.file.name.lower()
        return name.endswith(".toml") or (self.uploader == "job" and not name.endswith(".jsonl"))


def draw(folded: bool) -> list[Upload]:
    """Offers the ways and returns what was uploaded just now."""
    title = "Open another suite, or judge by a job" if folded else "Upload your own"
    with st.expander(title, expanded=not folded):
        left, right = st.columns(2)
        with left:
            suite = st.file_uploader(
                "Suite: JSONL, one case a line", key=session.uploader_key("suite")
            )
            limit = f"{st.get_option('server.maxUploadSize'):,} MB"
            st.caption(f"Up to {limit}; the command line has no limit: python -m evalcore grade")
        with right:
            job = st.file_uploader(
                "Job: an evalcore.toml, if you have one", key=session.uploader_key("job")
            )
            _draw_job()
        _draw_examples()
        st.caption(WHERE_IT_GOES)
    return [Upload(name, file) for name, file in (("job", job), ("suite", suite)) if file]


def take(uploads: list[Upload]) -> None:
    """Opens what was uploaded and starts the page anew; a refused job stops it."""
    for upload in sorted(uploads, key=lambda upload: not upload.is_job):
        if upload.is_job:
            _take_job(upload)
        else:
            source.open_upload(upload.file, upload.uploader)
    if uploads:
        st.rerun()


def _take_job(upload: Upload) -> None:
    try:
        job = parse_job(upload.file.getvalue(), upload.file.name)
    except JobError as error:
        with st.container(key="job-error"):
            show(alert(f"This job cannot be used, so nothing is graded.\n{error}"))
        st.stop()
    session.release(upload.uploader, upload.file.file_id)
    source.use_job(job)


def _draw_job() -> None:
    """Says which job the visitor has given and lets it go."""
    job = session.job()
    if job is None:
        st.caption("Without one the default thresholds hold: proposals, not measured constants.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        show(element("p", text("In force: "), element("strong", text(job.name))))
        st.button("Remove the job", type="tertiary", on_click=source.use_job, args=(None,))


def _draw_examples() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Or look at a made-up suite:", width="content")
        for name, label in source.EXAMPLES.items():
            st.button(label, key=f"example-{name}", on_click=source.go_to_example, args=(name,))
