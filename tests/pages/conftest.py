"""The app without a browser, and its parts as a reader sees them."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element, Node

ROOT = Path(__file__).resolve().parents[2]


class App:
    """Drives one visitor's session."""

    def __init__(self) -> None:
        self.at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)

    def open(self, **address: str) -> "App":
        for name, value in address.items():
            self.at.query_params[name] = value
        return self._settled()

    def upload(self, content: bytes, name: str = "suite.jsonl", *, uploader: int = 0) -> "App":
        self.at.file_uploader[uploader].set_value((name, content, "application/octet-stream"))
        return self._settled()

    def upload_job(self, content: bytes, name: str = "evalcore.toml") -> "App":
        return self.upload(content, name, uploader=1)

    def click(self, label: str) -> "App":
        next(button for button in self.at.button if button.label == label).click()
        return self._settled()

    def text(self, key: str) -> str | None:
        """The text in a keyed container, None where there is no such container."""
        block = next((node for node in _walk(self.at.main) if _key(node) == key), None)
        if block is None:
            return None
        return "\n".join(_plain(node) for node in _walk(block) if isinstance(node, Element))

    def all_text(self) -> str:
        return "\n".join(_plain(node) for node in _walk(self.at.main) if isinstance(node, Element))

    def _settled(self) -> "App":
        self.at.run()
        assert not self.at.exception, self.at.exception
        return self


def _walk(node: Node) -> Iterator[Node]:
    yield node
    if isinstance(node, Block):
        for child in node.children.values():
            yield from _walk(child)


def _key(node: Node) -> str:
    block_id: str = getattr(getattr(node, "proto", None), "id", "") or ""
    return block_id.split("-", 2)[-1] if isinstance(node, Block) else ""


def _plain(element: Element) -> str:
    if element.type == "html":
        return html.unescape(re.sub(r"<[^>]*>", "", element.proto.body))
    value = getattr(element, "value", None)
    return value if isinstance(value, str) else ""


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
def another_app() -> App:
    return App()
