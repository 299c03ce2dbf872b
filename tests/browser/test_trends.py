"""The Trends page in a real browser: what is drawn, where a click leads, what a link opens."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copyfile

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.server import Server
from tests.browser.test_compare import unfold
from tests.browser.test_gauges import upload
from tests.pages.suites import case, jsonl

JOB = "order-desk-example"
CASE = "stretch-01-holiday-lead-time"
ALARM, DARK_ALARM, PAPER = "#D55E00", "#FF8A3D", "#FFFFFF"
HOSTILE = "$x$ *b* <b>i</b> ![p](http://127.0.0.1:9/p.png) :red[r]"
FILTERS = f"job={JOB}&config=v9&config=v10&config=v11&every=true&from=2026-10-01&to=2026-11-30"


def panel(page: Page, stratum: str) -> Locator:
    return page.locator(f".st-key-trend-{stratum}")


def points(page: Page, stratum: str, **attributes: str) -> Locator:
    """The marks of runs in a panel; each says its run in its label."""
    more = "".join(f'[{name}="{value}"]' for name, value in attributes.items())
    return panel(page, stratum).locator(f'svg path[aria-label*="config:"]{more}')


def cells(page: Page) -> Locator:
    """The squares of failed cases."""
    return page.locator(f".st-key-case-strip svg.marks path[fill='{ALARM}']")


def open_trends(page: Page, address: str) -> None:
    page.goto(address)
    for stratum in ("stretch", "medium", "easy"):
        # A repeat's stroke has no height, which passes for hidden.
        expect(points(page, stratum).first).to_be_attached()


def expect_run(page: Page, number: int) -> None:
    expect(page.locator(".st-key-run")).to_contain_text(f"Run {number} ·")


# -- a first visit -------------------------------------------------------------


def test_a_first_visitor_loads_the_example_and_lets_it_go(
    page: Page, fresh_server: Callable[..., Server]
):
    page.goto(f"{fresh_server().url}/trends")
    page.get_by_role("button", name="Load the example history").click()
    expect(panel(page, "easy").locator("svg").first).to_be_visible()
    expect(page.locator(".st-key-example-banner")).to_contain_text("does not exist")
    boxes = [panel(page, name).bounding_box() for name in ("stretch", "medium", "easy")]
    sizes = [box["width"] * box["height"] for box in boxes if box]
    tops = [box["y"] for box in boxes if box]
    assert sizes[0] > 2 * max(sizes[1:])
    assert tops[0] < tops[1] == tops[2]
    page.get_by_role("button", name="Remove the example").click()
    expect(page.get_by_role("button", name="Load the example history")).to_be_visible()
    expect(page.locator("svg.marks")).to_have_count(0)


@pytest.mark.parametrize(
    ("address", "key", "expected"),
    [
        (f"/trends?{FILTERS}&stratum=medium", "trend-stretch", "11 of 20 passed"),
        ("/compare?baseline=12&run=13", "compare-stretch", "from 16 of 20 to 9 of 20"),
        (
            "/gauges?run=12&case=stretch-01-holiday-lead-time",
            "case",
            "QP-6001 takes five working days",
        ),
    ],
)
def test_a_link_opens_on_a_server_that_nobody_has_visited(
    page: Page,
    fresh_server: Callable[..., Server],
    full_history: Path,
    tmp_path: Path,
    address: str,
    key: str,
    expected: str,
):
    copyfile(full_history, tmp_path / "history.db")
    server = fresh_server(env={"EVAL_HISTORY_URL": str(tmp_path / "history.db")})
    page.goto(server.url + address)
    expect(page.locator(f".st-key-{key}")).to_contain_text(expected)
    for name in ("Gauges", "Trends", "Compare"):  # the frame is there
        expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(server.url + address)


# -- from here to a run, and back ----------------------------------------------


def a_point(page: Page) -> None:
    points(page, "stretch", fill=ALARM).click(force=True)


def a_cell(page: Page) -> None:
    cells(page).first.click(force=True)  # the worst case in the oldest run


def a_row(page: Page) -> None:
    table = page.locator(".st-key-runs-table canvas").first
    table.scroll_into_view_if_needed()
    expect(page.locator(".st-key-runs-table")).to_be_visible()
    table.click(position={"x": 18, "y": 4 * 35 + 18}, force=True)  # newest first: the fourth


@pytest.mark.parametrize(
    ("go", "run", "case_id"),
    [(a_point, 12, ""), (a_cell, 11, CASE), (a_row, 11, "")],
    ids=["point", "cell", "row"],
)
def test_a_click_opens_the_run_and_back_leads_to_the_same_view(
    page: Page, full: str, go: Callable[[Page], None], run: int, case_id: str
):
    view = f"{full}/trends?{FILTERS}"
    open_trends(page, view)
    told = panel(page, "stretch").inner_text()
    go(page)
    if case_id:
        expect(page.locator(".st-key-case h3")).to_contain_text(f"{case_id} in run {run}")
    expect_run(page, run)
    expect(page).to_have_url(re.compile(rf"/(gauges)?\?.*run={run}(&case={case_id})?$"))
    page.go_back()
    expect(panel(page, "stretch")).to_have_text(told, use_inner_text=True)
    assert page.url.startswith(view)
    expect(points(page, "stretch", fill=ALARM)).to_have_count(1)


def test_a_copied_link_opens_the_same_view_in_a_fresh_browser(
    page: Page, full: str, new_context: Callable[..., BrowserContext]
):
    open_trends(page, f"{full}/trends?job={JOB}")
    page.get_by_text("Like for like", exact=True).click()
    page.get_by_text("A point for every run").click()
    page.locator(".st-key-case-strip").get_by_text("medium", exact=True).click()
    expect(panel(page, "stretch")).to_contain_text("6 of 12 passed")
    expect(page).to_have_url(re.compile("stratum=medium"))
    other = new_context().new_page()
    open_trends(other, page.url)
    expect(other.locator(".st-key-trend-choice")).to_contain_text("8 easy, 20 medium, 12 stretch")
    for stratum in ("stretch", "medium", "easy"):
        expect(panel(other, stratum)).to_have_text(
            panel(page, stratum).inner_text(), use_inner_text=True
        )
    assert sorted(other.url.partition("?")[2].split("&")) == sorted(
        page.url.partition("?")[2].split("&")
    )


def test_what_an_address_asks_for_and_is_not_there_is_named(page: Page, full: str):
    page.goto(f"{full}/trends?job={JOB}&config=v99&from=soon&stratum=hard&alike=maybe")
    expect(page.locator(".alert").filter(has_text="in the address")).to_have_text(
        [
            "config=v99 in the address names nothing that is here; it is left out.",
            'from=soon in the address is no day like "2026-08-01"; it is left out.',
            "alike=maybe in the address names nothing that is here; it is left out.",
            "stratum=hard in the address names nothing that is here; it is left out.",
        ]
    )
    expect(points(page, "stretch").first).to_be_attached()


# -- what is drawn -------------------------------------------------------------


def test_unfinished_and_excluded_runs_are_drawn_and_not_joined(page: Page, full: str):
    open_trends(page, f"{full}/trends?job=unfinished")
    labels = {
        words: points(page, "stretch").and_(page.locator(f'[aria-label*="{words}"]'))
        for words in ("state: ok", "state: unfinished", "state: excluded")
    }
    fills = {words: label.get_attribute("fill") for words, label in labels.items()}
    assert fills == {
        "state: ok": "#0072B2",
        "state: unfinished": PAPER,
        "state: excluded": "transparent",
    }
    expect(labels["state: excluded"]).to_have_attribute(
        "aria-label", re.compile("the wrong prompt file")
    )
    expect(panel(page, "stretch")).to_contain_text("9 of 20 passed")


def test_a_run_without_stretch_cases_leaves_a_gap(page: Page, full: str):
    open_trends(page, f"{full}/trends?job=gap")
    counts = {}
    for stratum in ("stretch", "medium"):
        lines = panel(page, stratum).locator("g.mark-line path")
        counts[stratum] = (lines.count(), points(page, stratum).count())
    # One of the lines is the threshold.
    assert counts == {"stretch": (3, 4), "medium": (2, 5)}
    expect(panel(page, "stretch").locator("svg.marks")).to_contain_text("no cases")


def test_very_many_runs_are_drawn_with_a_word_on_the_rest(page: Page, full: str):
    open_trends(page, f"{full}/trends?job=many")
    expect(points(page, "stretch")).to_have_count(200)
    expect(panel(page, "stretch")).to_contain_text("1,500 older runs are not drawn")


def test_the_dark_theme_has_its_own_palette(dark_page: Page, full: str):
    open_trends(dark_page, f"{full}/trends?{FILTERS}")
    expect(points(dark_page, "stretch", fill=DARK_ALARM)).to_have_count(1)
    expect(points(dark_page, "stretch", fill=ALARM)).to_have_count(0)


# -- hands and screens ---------------------------------------------------------


def focused(page: Page) -> Iterator[str]:
    """What has the focus after each press of Tab."""
    name = """() => {
        const held = document.activeElement;
        return held.getAttribute("aria-label") || held.innerText || held.tagName;
    }"""
    while True:
        page.keyboard.press("Tab")
        yield page.evaluate(name)


def test_the_keyboard_reaches_every_choice(page: Page, full: str):
    open_trends(page, f"{full}/trends?job={JOB}")
    wanted = [
        "Job or suite", "Configs", "From (UTC)", "To (UTC)", "A point for every run",
        "Like for like", "stretch", "Alerts", "Leave a run out of trends",
    ]  # fmt: skip
    for said, _ in zip(focused(page), range(80), strict=False):
        if wanted and wanted[0] in said:
            wanted.pop(0)
        if not wanted:
            break
    assert wanted == []
    page.keyboard.press("Enter")
    expect(page.get_by_label("Why")).to_be_visible()


@pytest.mark.parametrize(
    ("address", "last"),
    [
        (f"/trends?job={JOB}", "runs-table"),
        ("/compare?baseline=12&run=13&case=stretch-13-salutations", "side-by-side"),
        ("/gauges?run=12&case=stretch-01-holiday-lead-time", "failed-cases"),
    ],
)
def test_a_phone_never_scrolls_sideways(phone_page: Page, full: str, address: str, last: str):
    phone_page.goto(full + address)
    expect(phone_page.locator(f".st-key-{last}")).to_be_visible()
    if "trends" in address:
        expect(points(phone_page, "easy").first).to_be_attached()
    widths = phone_page.evaluate(
        "[document.documentElement, document.querySelector('[data-testid=stMain]')]"
        ".map(element => element.scrollWidth)"
    )
    assert max(widths) <= 390


# -- text from people ----------------------------------------------------------


def test_names_stand_letter_for_letter_everywhere(page: Page, foreign_requests: list[str]):
    rows = [
        case(f"{HOSTILE} 1", "stretch", completion="nothing", must_include=[HOSTILE]),
        case(f"{HOSTILE} 2", "stretch", completion=HOSTILE, must_not_include=[HOSTILE]),
    ]
    page.goto("/")
    upload(page, f"[job]\nname = '{HOSTILE} job'\n".encode(), "evalcore.toml", into="Job:")
    expect(page.get_by_text("Remove the job")).to_be_visible()
    upload(page, jsonl(rows))
    page.get_by_text("Save to history").click()
    page.get_by_label("What was graded").fill(f"{HOSTILE} config")
    page.get_by_label("Note, if you like").fill(HOSTILE)
    page.get_by_role("button", name="Save", exact=True).click()
    run = page.locator(".st-key-run")
    for words in (f"{HOSTILE} job", f"{HOSTILE} config", HOSTILE):
        expect(run.get_by_text(words, exact=True)).to_be_visible()
    page.get_by_role("link", name="Trends of this job").click()
    expect(panel(page, "stretch").get_by_text(f"{HOSTILE} config", exact=True)).to_be_visible()
    expect(page.get_by_role("combobox", name="Job or suite")).to_have_value(f"{HOSTILE} job")
    points(page, "stretch").first.hover(force=True)
    expect(page.locator("#vg-tooltip-element")).to_contain_text(f"{HOSTILE} config")
    offered = unfold(page, "Configs")
    expect(offered.filter(has_text=f"{HOSTILE} config")).to_have_count(1)
    offered.filter(has_text=f"{HOSTILE} config").click()
    expect(page.get_by_test_id("stMultiSelect").first).to_contain_text(f"{HOSTILE} config")
    page.keyboard.press("Escape")
    square = cells(page).first
    square.hover(force=True)
    expect(page.locator("#vg-tooltip-element")).to_contain_text(HOSTILE)
    square.click(force=True)
    expect(page.locator(".st-key-case h3")).to_contain_text(HOSTILE)
    inner = ":is(.stHtml bdi, #vg-tooltip-element, svg) :is(a[href^=http], img, script, b, .katex)"
    assert page.locator(inner).count() == 0
    assert page.locator(".katex").count() == 0
    assert foreign_requests == []
