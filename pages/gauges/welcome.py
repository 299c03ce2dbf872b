"""What the page says while nothing is open."""

from pages.gauges import source
from pages.shared import empty
from pages.shared.markup import element, show, text


def draw() -> None:
    """Offers the example; where the address names one that does not exist, says so."""
    example = source.named_example()
    if example is not None:
        name = element("code", text(example))
        words = element("p", text("There is no example called "), name, text("."))
        show(element("div", words, style="alert"))
    empty.draw(
        "Upload a suite of golden cases below, or see what one looks like.",
        "Open the example",
        source.go_to_example,
        "order_desk",
    )
