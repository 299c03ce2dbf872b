"""One history, on SQLite and on PostgreSQL."""

import pytest
from sqlalchemy.engine import make_url

from evalcore.store import History


@pytest.fixture
def sqlite_url(tmp_path):
    return make_url(f"sqlite:///{tmp_path}/history.db")


@pytest.fixture
def postgres_url(postgres_server):
    address = postgres_server.create_database()
    yield make_url(address)
    postgres_server.drop_database(address)


@pytest.fixture(params=["sqlite", "postgres"])
def history_url(request):
    """The address of a blank database; each test that asks for it runs on both."""
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture
def history(history_url):
    opened = History(history_url)
    yield opened
    opened.close()
