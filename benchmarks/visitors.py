"""Reviewers without a browser: websocket clients that speak Streamlit's protocol.

A visitor sends what a browser would send for a name that is typed and a button that is pressed, and
reads all that the server draws. Its completions must hold the ids of their cases.
"""

import asyncio
import random
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from time import perf_counter
from typing import NamedTuple

# Streamlit's own server brings the library with it.
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

THOUGHT = (1.0, 3.0)
PATIENCE = 60
_NAME = "reviewer-name"
_VERDICT = "verdict"


class Said(NamedTuple):
    """Is one verdict, as it was pressed or as the journal has it."""

    who: str
    case_id: str
    verdict: str


@dataclass
class Work:
    """What became of the presses of one visitor or of several."""

    acknowledged: list[Said] = field(default_factory=list)
    """Verdicts after which the next case was drawn."""
    seconds: list[float] = field(default_factory=list)
    """How long each of these took, from the press to the end of the script's run."""
    unanswered: int = 0
    """Presses after which it was not."""

    def add(self, other: "Work") -> None:
        self.acknowledged += other.acknowledged
        self.seconds += other.seconds
        self.unanswered += other.unanswered


class Widget(NamedTuple):
    """Is one widget that the server has drawn."""

    id: str
    fragment: str


class Screen:
    """Knows what the server has drawn in its last run, and where in the app that is."""

    def __init__(self) -> None:
        self.query = ""
        self.page = ""
        self._widgets: dict[str, Widget] = {}
        self._texts: list[str] = []

    def take(self, message: ForwardMsg) -> bool:
        """Takes in a message and tells whether the script's run is over."""
        match message.WhichOneof("type"):
            case "new_session":
                self._widgets.clear()
                self._texts.clear()
            case "navigation":
                self.page = message.navigation.page_script_hash
            case "page_info_changed":
                self.query = message.page_info_changed.query_string
            case "delta":
                self._draw(message.delta)
            case "script_finished":
                return message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
        return False

    def widget(self, key: str) -> Widget:
        return self._widgets[key]

    def verdicts(self) -> dict[str, str]:
        """Returns the case that each verdict button is for, by the button's key."""
        keys = (key for key in self._widgets if key.startswith(f"{_VERDICT}-"))
        return {key: key.split("-", 2)[2] for key in keys}

    def case(self) -> str | None:
        """Returns the one case that is drawn whole, with its buttons and its completion."""
        cases = set(self.verdicts().values())
        drawn = [case for case in cases if any(case in text for text in self._completions())]
        return drawn[0] if len(drawn) == len(cases) == 1 else None

    def _completions(self) -> Iterator[str]:
        return (text for text in self._texts if ">Completion<" in text)

    def _draw(self, delta: Delta) -> None:
        element = delta.new_element
        match element.WhichOneof("type"):
            case "button":
                self._add(element.button.id, delta.fragment_id)
            case "text_input":
                self._add(element.text_input.id, delta.fragment_id)
            case "html":
                self._texts.append(element.html.body)

    def _add(self, widget_id: str, fragment: str) -> None:
        key = widget_id.split("-", 2)[2]  # what stands before it are a mark and a hash
        self._widgets[key] = Widget(widget_id, fragment)


class Visitor:
    """Reviews one case after another under a name of its own."""

    def __init__(self, socket: ClientConnection, name: str) -> None:
        self._socket = socket
        self._screen = Screen()
        self._name = name

    async def arrive(self, page: str) -> None:
        """Opens the page and gives the name."""
        hello = BackMsg()
        hello.rerun_script.page_name = page
        await self._send(hello)
        name = self._screen.widget(_NAME)
        await self._use(name, WidgetState(id=name.id, string_value=self._name))

    async def review(self, rng: random.Random, until: float) -> Work:
        """Judges cases, with some thought before each, until a moment of `perf_counter`."""
        work = Work()
        while case := self._screen.case():
            await asyncio.sleep(rng.uniform(*THOUGHT))
            if perf_counter() >= until:
                break
            key = rng.choice(sorted(self._screen.verdicts()))
            button = self._screen.widget(key)
            started = perf_counter()
            try:
                await self._use(button, WidgetState(id=button.id, trigger_value=True))
            except TimeoutError:
                work.unanswered += 1
                break
            seconds = perf_counter() - started
            if self._screen.case() in (case, None):
                work.unanswered += 1
            else:
                work.acknowledged.append(Said(self._name, case, key.split("-", 2)[1]))
                work.seconds.append(seconds)
        return work

    async def _use(self, widget: Widget, state: WidgetState) -> None:
        message = BackMsg()
        client = message.rerun_script
        client.query_string = self._screen.query
        client.page_script_hash = self._screen.page
        client.fragment_id = widget.fragment
        client.widget_states.widgets.append(state)
        await self._send(message)

    async def _send(self, message: BackMsg) -> None:
        """Sends a message and reads on until the run that it asks for is over."""
        await self._socket.send(message.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            async for data in self._socket:
                assert isinstance(data, bytes)
                if self._screen.take(ForwardMsg.FromString(data)):
                    return
        raise ConnectionError("the server has closed the connection")


def review(url: str, page: str, names: Sequence[str], seconds: float) -> Work:
    """Lets visitors review at once for some time, all of them named before it begins."""
    return asyncio.run(_review(url, page, names, seconds))


async def _review(url: str, page: str, names: Sequence[str], seconds: float) -> Work:
    whole = Work()
    async with AsyncExitStack() as stack:
        visitors = []
        for name in names:
            socket = await stack.enter_async_context(_connection(url))
            visitors.append(Visitor(socket, name))
            await visitors[-1].arrive(page)
        until = perf_counter() + seconds
        for work in await asyncio.gather(
            *(
                visitor.review(random.Random(number), until)
                for number, visitor in enumerate(visitors)
            )
        ):
            whole.add(work)
    return whole


def _connection(url: str) -> connect:
    return connect(
        f"ws{url.removeprefix('http')}/_stcore/stream",
        origin=Origin(url),
        subprotocols=[Subprotocol("streamlit")],
        max_size=None,
        proxy=None,
    )
