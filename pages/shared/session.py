"""What one visitor has open; every session key is spelled here, and nothing crosses sessions."""

from typing import cast

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from evalcore.job import Job
from pages.shared.suite import Suite

_SUITE = "open-suite"
_JOB = "open-job"
_GENERATION = "generation"


def suite() -> Suite | None:
    """Returns what the visitor has uploaded last."""
    return cast(Suite | None, st.session_state.get(_SUITE))


def open_suite(suite: Suite) -> None:
    """Puts a suite in the place of the one that was open."""
    st.session_state[_SUITE] = suite


def job() -> Job | None:
    """Returns the job that the visitor has given."""
    return cast(Job | None, st.session_state.get(_JOB))


def set_job(job: Job | None) -> None:
    """Puts a job in the place of the one that was given."""
    st.session_state[_JOB] = job


def uploader_key(uploader: str) -> str:
    """Returns the widget key of an uploader, another one after each release."""
    return f"{uploader}-{st.session_state.get(_generation(uploader), 0)}"


def release(uploader: str, file_id: str) -> None:
    """Empties an uploader and frees its memory, which Streamlit itself keeps with the session."""
    context = get_script_run_ctx()
    if context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(context.session_id, file_id)
    st.session_state[_generation(uploader)] = st.session_state.get(_generation(uploader), 0) + 1


def _generation(uploader: str) -> str:
    return f"{_GENERATION}-{uploader}"
