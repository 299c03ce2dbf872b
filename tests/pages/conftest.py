"""The app without a browser, and its parts as a reader sees them."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element, Expander, Node
from streamlit.util import calc_hash

from evalcore.database import URL_VARIABLE
from evalcore.store import History
from tests.pages.histories import example_at, history_at

ROOT = Path(__file__).resolve().parents[2]


class App:
    """Drives one visitor's session."""

    def __init__(self) -> None:
        self.at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)

    def open(self, page: str = "", /, **address: str | list[str]) -> "App":
        """Opens a link, to the page of this path or to the first one."""
        # As a browser does with an address that it is given; AppTest's own way would need a visit
        # to the first page before.
        self.at._page_hash = calc_hash(page)
        self.at.query_params.clear()
        self.at.query_params.update(address)
        self._settled()
        self.at._page_hash = ""  # stays wherever the page leads
        return self

    def again(self) -> "App":
        """Lets the page be drawn once more."""
        return self._settled()

    @property
    def address(self) -> dict[str, Any]:
        """What the address says; a part that is named more than once is a list."""
        return dict(self.at.query_params)

    @property
    def page(self) -> str:
        """The title of the page that is open."""
        return self.at.title[0].value

    def upload(self, content: bytes, name: str = "suite.jsonl", *, uploader: int = 0) -> "App":
        self.at.file_uploader[uploader].set_value((name, content, "application/octet-stream"))
        return self._settled()

    def upload_job(self, content: bytes, name: str = "evalcore.toml") -> "App":
        return self.upload(content, name, uploader=1)

    def click(self, label: str) -> "App":
        next(button for button in self.at.button if button.label == label).click()
        return self._settled()

    def fill(self, label: str, value: str) -> "App":
        """Types into a field; nothing is sent before a button is pressed."""
        fields = (*self.at.text_input, *self.at.text_area)
        next(field for field in fields if field.label == label).set_value(value)
        return self

    def choose(self, label: str, value: object) -> "App":
        """Puts a choice, a switch or a day to a value."""
        at = self.at
        widgets = (*at.selectbox, *at.multiselect, *at.toggle, *at.date_input, *at.button_group)
        next(widget for widget in widgets if widget.label == label).set_value(value)
        return self._settled()

    def options(self, label: str) -> list[str]:
        """What a choice offers."""
        widgets = (*self.at.selectbox, *self.at.multiselect)
        return list(next(widget for widget in widgets if widget.label == label).options)

    def value(self, label: str) -> object:
        """What a widget says."""
        at = self.at
        widgets = (
            *(*at.selectbox, *at.multiselect, *at.toggle, *at.date_input, *at.button_group),
            *(*at.text_input, *at.text_area),
        )
        return next(widget for widget in widgets if widget.label == label).value

    def press(self, verdict: str, case_id: str) -> "App":
        """Presses the button of a verdict on the case in front."""
        self.at.button(key=f"verdict-{verdict}-{case_id}").click()
        return self._settled()

    def named(self, who: str) -> "App":
        """Gives the reviewer's name, as the top of the page asks for it."""
        return self.fill("You are", who).again()

    @property
    def case_in_front(self) -> str | None:
        """The case that is under review; None where there is none."""
        head = self.text("review-head")
        return None if head is None else head.rpartition("\n")[0]

    @property
    def listed(self) -> list[str]:
        """The cases that the filters leave, as far as the page lists them."""
        return list(self.at.dataframe[0].value["case"]) if self.at.dataframe else []

    def counts(self, label: str) -> list[str]:
        """What a choice among few words offers, each with its count."""
        return next(list(group.options) for group in self.at.button_group if group.label == label)

    @property
    def buttons(self) -> list[str]:
        return [button.label for button in self.at.button]

    def text(self, key: str) -> str | None:
        """The text in a keyed container or an expander, None where there is no such one."""
        block = next((node for node in _walk(self.at.main) if _key(node) == key), None)
        if block is None:
            return None
        return "\n".join(_plain(node) for node in _walk(block) if isinstance(node, Element))

    def all_text(self) -> str:
        return "\n".join(_plain(node) for node in _walk(self.at.main) if isinstance(node, Element))

    def _settled(self) -> "App":
        self.at.run()
        assert not [error.value for error in self.at.exception]
        return self


def _walk(node: Node) -> Iterator[Node]:
    yield node
    if isinstance(node, Block):
        for child in node.children.values():
            yield from _walk(child)


def _key(node: Node) -> str:
    if isinstance(node, Expander):  # which AppTest gives no key
        return node.label
    block_id: str = getattr(getattr(node, "proto", None), "id", "") or ""
    return block_id.split("-", 2)[-1] if isinstance(node, Block) else ""


def _plain(element: Element) -> str:
    if element.type == "html":
        return html.unescape(re.sub(r"<[^>]*>", "", element.proto.body))
    value = getattr(element, "value", None)
    return value if isinstance(value, str) else ""


@pytest.fixture(autouse=True)
def history_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the app keeps its history during a test; nothing is there yet."""
    file = tmp_path / "history.db"
    monkeypatch.setenv(URL_VARIABLE, str(file))
    return file


@pytest.fixture
def history(history_file: Path) -> Iterator[History]:
    """The history as another program holds it."""
    with history_at(history_file) as opened:
        yield opened


@pytest.fixture(scope="session")
def example_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A history of the fifteen example runs, to be copied."""
    return example_at(tmp_path_factory.mktemp("example") / "history.db")


@pytest.fixture
def example_history(history_file: Path, example_file: Path) -> Iterator[History]:
    """The history with the fifteen example runs, numbered from 1."""
    copyfile(example_file, history_file)
    with history_at(history_file) as opened:
        yield opened


@pytest.fixture
def app(history_file: Path) -> App:
    return App()


@pytest.fixture
def another_app(history_file: Path) -> App:
    return App()
