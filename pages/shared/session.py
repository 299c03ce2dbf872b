"""What one visitor has open, with its session keys; nothing crosses sessions."""

from datetime import UTC, datetime
from typing import cast

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from evalcore.entry import Entry
from evalcore.job import Job
from pages.shared.suite import OpenSuite, Suite

_SUITE = "open-suite"
_JOB = "open-job"
_GENERATION = "generation"
_AGAIN = "save-again"
_SAVED = "saved"
_WHO = "who"
_FAULT = "fault"
_PATCH = "patch-suite-file"
_SAID = "last-said"
_UNSAID = "unsaid"
_LET_GO = "let-go"


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


def ask_again() -> None:
    """Notes that the visitor wants the same run kept once more."""
    st.session_state[_AGAIN] = True


def asked_again() -> bool:
    """Tells, once, whether the visitor has asked for that."""
    return bool(st.session_state.pop(_AGAIN, False))


def note_saved(run_id: int) -> None:
    """Notes which run was saved just now."""
    st.session_state[_SAVED] = (run_id, datetime.now(UTC))


def saved_at(run_id: int) -> datetime | None:
    """Returns when the visitor has saved this run, if it was the last one."""
    saved = st.session_state.get(_SAVED)
    return saved[1] if saved and saved[0] == run_id else None


def note_fault(words: str) -> None:
    """Notes what went wrong where nothing can be shown, for the page that follows."""
    st.session_state[_FAULT] = words


def taken_fault() -> str:
    """Returns, once, what went wrong; blank where nothing did."""
    return str(st.session_state.pop(_FAULT, ""))


def signed_in() -> str:
    """Returns the visitor's verified address where the app has a sign-in; blank where not."""
    user = st.user.to_dict()
    verified = user.get("is_logged_in") and user.get("email_verified")
    return str(user.get("email", "")) if verified else ""


def who() -> str:
    """Returns the name that the visitor goes by; blank until it is given."""
    return signed_in() or str(st.session_state.get(_WHO, ""))


def set_who(name: str) -> None:
    """Remembers the visitor's name for the session."""
    st.session_state[_WHO] = name


def note_said(entry: Entry) -> None:
    """Notes the entry that the visitor has made last."""
    st.session_state[_SAID] = entry
    for name in (_UNSAID, _LET_GO):
        st.session_state.pop(name, None)


def last_said() -> Entry | None:
    """Returns the entry that the visitor has made last."""
    return cast(Entry | None, st.session_state.get(_SAID))


def forget_said() -> None:
    """Lets go of the entry that the visitor has made last."""
    st.session_state.pop(_SAID, None)


def note_let_go(words: str) -> None:
    """Notes which key came too late; the next entry lets it go."""
    st.session_state[_LET_GO] = words


def let_go() -> str:
    """Returns which key came too late; blank where none did."""
    return str(st.session_state.get(_LET_GO, ""))


def note_unsaid(words: str, note: str = "") -> None:
    """Notes why the last entry could not be made, with the note that was written for it."""
    st.session_state[_UNSAID] = (words, note)


def unsaid() -> tuple[str, str]:
    """Returns that, until an entry could be made; blank where the last one was."""
    return cast(tuple[str, str], st.session_state.get(_UNSAID, ("", "")))


def take_patch_suite(yardstick: str, name: str, reopen: OpenSuite) -> None:
    """Notes the suite file that decisions on a job's cases shall be carried out on."""
    st.session_state[_PATCH] = (yardstick, name, reopen)


def patch_suite(yardstick: str) -> tuple[str, OpenSuite] | None:
    """Returns that file's name and what opens it; None where none was given for the job."""
    given = st.session_state.get(_PATCH)
    return (given[1], given[2]) if given and given[0] == yardstick else None


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
