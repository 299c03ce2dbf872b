"""What all tests share."""

import os

import pytest
from hypothesis import settings

from tests.postgres import Postgres

# A shared machine's pauses are no failure; a red CI should be red again on the next run.
settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")


@pytest.fixture(scope="session", autouse=True)
def _no_history_in_the_checkout(tmp_path_factory):
    """Sends what a test saves without saying where to a folder of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVAL_HISTORY_URL", str(tmp_path_factory.mktemp("history") / "history.db"))
        yield


@pytest.fixture(scope="session")
def postgres_server():
    server = Postgres()
    yield server
    server.stop()
