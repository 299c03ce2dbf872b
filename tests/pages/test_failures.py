"""The Failures page, without a browser: what it opens on, filters, verdicts and undo."""

import re

import pytest

from evalcore.entry import VERDICTS, CaseText, Verdict
from evalcore.review.queue import Queue
from evalcore.run import Run
from evalcore.store import History
from tests.evalcore.keeping import keep
from tests.pages.conftest import App
from tests.pages.histories import day
from tests.pages.suites import case, jsonl, reviewable

HOSTILE = "$x$ *b* <b>i</b> ![p](http://127.0.0.1:9/p.png)"
ASK = "Your name, so that the others know whose verdict it is"
NOTE = "Note, kept with your verdict"
SEARCH = "Search ids, prompts, checks, completions, notes"


@pytest.fixture
def run(history: History) -> Run:
    """The only run: stretch misses s1, s2, s3, a pass p1, and a miss of each other stratum."""
    return history.run(keep(history, reviewable(), "v1", at=day(1)).run_id)


def said(history: History) -> list[tuple[str, str, str | None]]:
    """Who has said what of which case; an undo says nothing."""
    return [(e.who, e.case_id, e.verdict) for _, e in history.journal.entries()]


def judge(
    history: History, run: Run, case_id: str, who: str, verdict: Verdict, note: str = ""
) -> None:
    """Keeps a verdict as another program would."""
    queue = Queue(history.reviewable(run.id))
    place = queue.place(case_id)
    assert place is not None
    history.journal.judge(run, queue.cases[place].text, who=who, verdict=verdict, note=note)


def progress(app: App) -> str:
    (bar,) = app.at.get("progress")
    return str(bar.text)


def said_last(app: App) -> str:
    return (app.text("review-said") or "").strip()


def unfold_filters(app: App) -> App:
    app.at.session_state["review-filters"] = True
    return app.again()


# -- what it opens on ----------------------------------------------------------


def test_without_a_history_one_button_loads_the_example(app: App):
    app.open("failures")
    assert app.buttons == ["Load the example history"]
    assert "Nothing to review yet." in app.at.markdown[0].value
    app.click("Load the example history")
    assert app.value("Run") == 15
    assert app.case_in_front == "stretch-02-reply-czech" or app.case_in_front in app.listed
    assert app.listed[0] == app.case_in_front


def test_it_opens_on_the_unreviewed_stretch_misses_of_the_newest_run_that_counts(
    app: App, history: History, run: Run
):
    keep(history, reviewable(), "older", at=day(0))
    unfinished = keep(history, reviewable(), "v2", at=day(2), unanswered={"s1": "timeout"})
    excluded = keep(history, reviewable(), "v3", at=day(3)).run_id
    history.exclude(excluded, who="lead", why="wrong file")
    judge(history, run, "s1", "Ann", "unsure")
    app.open("failures")
    assert (app.value("Run"), app.address) == (run.id, {})
    assert (app.case_in_front, app.listed) == ("s1", ["s1", "s2", "s3"])
    assert progress(app) == "0 of 3 reviewed"
    app.named("Ann")
    assert (app.case_in_front, app.listed, progress(app)) == ("s2", ["s2", "s3"], "1 of 3 reviewed")
    assert app.open("failures", run=str(unfinished.run_id)).listed == ["s2", "s3"]


def test_where_no_run_counts_the_newest_is_shown(app: App, history: History):
    keep(history, reviewable(), "v1", at=day(1), unanswered={"s1": "timeout"})
    keep(history, reviewable(), "v2", at=day(2), unanswered={"s2": "timeout"})
    app.open("failures")
    assert (app.value("Run"), app.listed) == (2, ["s1", "s3"])


def test_the_case_in_front_is_shown_whole(app: App, history: History):
    old = case("s1", "stretch", completion="Please do", must_include=["don't"], tags=["tone"])
    new = old | {"completion": "Please don’t be sorry", "note": "Look at the apostrophe."}
    new |= {"must_not_include": ["sorry"], "must_include": ["don't", "Please"], "max_chars": 9}
    keep(history, jsonl([old]), "v1", at=day(1))
    keep(history, jsonl([new]), "v2", at=day(2))
    shown = app.open("failures").text("review-case") or ""
    for words in (
        "▲ failed · stretch · tone",
        "over_budget:21>9",
        "missing:don't",
        "forbidden:sorry",
        "Note: Look at the apostrophe.",
        "PromptSay it.",
        "21 of at most 9 characters",
        "Please don’t be sorry",
        "near miss at 7 to 12: don't (typographic apostrophe)",
        "forbidden at 16 to 21: sorry",
        "found at 0 to 6: Please",
        "What changed in the completion since run 1",
        "Please dodon’t be sorry",
        "Its last 2 runs, oldest first▲▲",
    ):
        assert words in shown, words


# -- stale and odd links -------------------------------------------------------


@pytest.mark.parametrize("asked", ["99", "0", "-1", "x", "1.0", HOSTILE, ""])
@pytest.mark.usefixtures("run")
def test_a_run_that_is_not_there_is_named_and_no_other_is_shown(app: App, asked: str):
    app.open("failures", run=asked)
    fault = app.text("history-fault") or ""
    assert fault.startswith(f"there is no run {asked[:10]}")
    assert fault.endswith("; the link may be an old one.")
    assert app.case_in_front is None
    app.click("Go on without it")
    assert app.address == {}
    assert app.case_in_front == "s1"


@pytest.mark.parametrize("asked", ["s9", "S1", " s1", "", HOSTILE, "x" * 5_000, "\u202es1"])
@pytest.mark.usefixtures("run")
def test_a_case_that_is_not_there_is_named_and_no_other_is_shown(app: App, asked: str):
    app.open("failures", run="1", case=asked)
    shown = app.text("review-case") or ""
    assert "There is no such case in this run: " in shown
    assert "is not in run 1; the link may be an old one." in shown
    assert (app.case_in_front, app.text("review-verdicts")) == (None, None)
    assert not [button for button in app.at.button if str(button.key).startswith("verdict-")]
    app.click("Go on without it")
    assert (app.address, app.case_in_front) == ({"run": "1"}, "s1")


@pytest.mark.usefixtures("run")
def test_a_case_beyond_the_filters_is_shown_where_a_link_names_it(app: App):
    app.open("failures", case="e-passed")
    assert (app.case_in_front, app.listed) == ("e-passed", ["s1", "s2", "s3"])
    assert "● passed · easy" in (app.text("review-case") or "")


@pytest.mark.usefixtures("run")
def test_what_filters_ask_for_and_is_not_there_is_named(app: App):
    app.open(
        "failures", stratum=["hard", "medium"], state="later", reason="ugly", near="far",
        tag=[HOSTILE, "json"], verdict="bad",
    )  # fmt: skip
    told = re.findall(r"(\S+)=(.*) in the address names nothing", app.all_text())
    assert told == [
        ("stratum", "hard"),
        ("state", "later"),
        ("reason", "ugly"),
        ("near", "far"),
        ("tag", HOSTILE),
        ("verdict", "bad"),
    ]
    assert app.listed == ["m-missed"]


# -- filters -------------------------------------------------------------------


@pytest.mark.usefixtures("run")
def test_filters_count_and_stand_in_the_address_and_a_link_opens_the_same(
    app: App, another_app: App
):
    app.open("failures")
    assert app.counts("Cases") == [
        "stretch misses (3)", "medium misses (1)", "easy misses (1)", "stretch passes (1)",
    ]  # fmt: skip
    assert app.counts("Verdict state") == [
        "unreviewed by you (3)", "judged by you (0)", "reviewers disagree (0)", "all",
    ]  # fmt: skip
    unfold_filters(app)
    assert app.options("Reason") == ["missing (2)", "forbidden (1)"]
    assert app.options("Tag") == ["json (0)", "tone (2)"]
    app.choose("Tag", ["tone"])
    assert (app.address, app.listed) == ({"tag": "tone"}, ["s2", "s3"])
    assert unfold_filters(app).options("Reason") == ["missing (1)", "forbidden (1)"]
    app.choose("Reason", ["missing", "forbidden"])
    unfold_filters(app).choose("Near misses", ["near"])
    app.choose("Cases", ["stretch", "passes"]).choose("Verdict state", "all")
    assert app.address == {
        "tag": "tone",
        "reason": ["missing", "forbidden"],
        "near": "near",
        "stratum": ["stretch", "passes"],
        "state": "all",
    }
    assert app.listed == ["s2"]
    assert "More filters (3 in use)" in [fold.label for fold in app.at.expander]
    another_app.open("failures", **app.address)
    for key in ("review-case", "review-list"):
        assert another_app.text(key) == app.text(key)
    assert (another_app.listed, another_app.address) == (app.listed, app.address)
    unfold_filters(app).click("Clear all filters")
    assert (app.address, app.listed) == ({}, ["s1", "s2", "s3"])


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ({"stratum": "medium"}, ["m-missed"]),
        ({"stratum": "easy"}, ["e-missed"]),
        ({"stratum": "passes"}, ["p1"]),
        ({"stratum": "all"}, ["e-missed", "m-missed", "s1", "s2", "s3", "p1"]),
        ({"stratum": ["medium", "easy"]}, ["e-missed", "m-missed"]),
        ({"near": "near"}, ["s2"]),
        ({"reason": "forbidden"}, ["s3"]),
        ({"q": "DON'T"}, ["s2"]),
        ({"q": "zebra", "stratum": "all"}, ["p1"]),
        ({"q": "zebra"}, []),
        ({"state": "mine"}, []),
    ],
)
def test_a_link_with_filters_lists_what_they_leave(
    app: App, address: dict[str, str | list[str]], expected: list[str]
):
    app.open("failures", **address)
    assert app.listed == expected
    assert app.case_in_front == (expected[0] if expected else None)
    assert app.address == address
    if not expected:
        app.click("Clear all filters")
        assert app.address == {}
        assert app.case_in_front == "s1"


@pytest.mark.usefixtures("run")
def test_a_search_stands_in_the_address(app: App):
    unfold_filters(app.open("failures", case="s3")).fill(SEARCH, " don’t ").again()
    assert (app.address, app.listed, app.case_in_front) == ({"q": "don’t"}, ["s2"], "s2")
    unfold_filters(app).fill(SEARCH, "").again()
    assert (app.address, app.listed) == ({}, ["s1", "s2", "s3"])


@pytest.mark.usefixtures("run")
def test_another_run_is_chosen_and_the_filters_stay(app: App, history: History):
    second = keep(history, reviewable(), "v2", at=day(0)).run_id
    app.open("failures", stratum="medium", case="m-missed").choose("Run", second)
    assert app.address == {"stratum": "medium", "run": str(second)}
    assert app.case_in_front == "m-missed"


def test_a_long_list_is_paged_and_the_case_in_front_is_on_its_page(app: App, history: History):
    rows = [
        case(f"s{number:03}", "stretch", completion="x", must_include=["y"])
        for number in range(120)
    ]
    keep(history, jsonl(rows))
    app.open("failures", case="s060")
    assert "Cases 51 to 100 of 120" in (app.text("review-list") or "")
    assert (app.listed[0], app.listed[-1]) == ("s050", "s099")
    app.at.pagination[0].set_value(3)
    app.again()
    assert (app.listed[0], app.case_in_front) == ("s100", "s060")
    app.named("Ann").press("unsure", "s060")
    assert (app.case_in_front, app.listed[10]) == ("s061", "s061")


@pytest.mark.usefixtures("run")
def test_next_and_previous_walk_through_the_list(app: App):
    app.open("failures")
    seen = []
    for button in ("Next", "Next", "Previous"):
        app.click(button)
        seen.append(app.case_in_front)
    assert (seen, app.address) == (["s2", "s3", "s2"], {"run": "1", "case": "s2"})
    off = {button.label: button.disabled for button in app.at.button}
    assert (off["Previous"], off["Next"], off["Undo"]) == (False, False, True)


# -- verdicts ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case_id", "expected"),
    [
        ("s1", ["Real miss", "Acceptable", "Bad fixture", "Unsure"]),
        ("m-missed", ["Real miss", "Acceptable", "Bad fixture", "Unsure"]),
        ("e-missed", ["Real miss", "Acceptable", "Bad fixture", "Unsure"]),
        ("p1", ["Wrong reason", "Acceptable", "Bad fixture", "Unsure"]),
    ],
)
@pytest.mark.usefixtures("run")
def test_a_miss_and_a_pass_have_their_own_verdicts(app: App, case_id: str, expected: list[str]):
    app.open("failures", case=case_id)
    offered = {b.label: b for b in app.at.button if str(b.key).startswith("verdict-")}
    assert list(offered) == expected
    assert [button.proto.shortcut for button in offered.values()] == ["1", "2", "3", "4"]


@pytest.mark.usefixtures("run")
def test_a_pass_for_the_wrong_reason_is_kept(app: App, history: History):
    app.open("failures", stratum="passes").named("Ann").press("wrong_reason", "p1")
    assert said(history) == [("Ann", "p1", "wrong_reason")]
    assert "No stretch miss has a verdict yet." in (app.text("review-progress") or "")


@pytest.mark.usefixtures("run")
def test_each_verdict_is_kept_and_brings_the_next_unreviewed_case(app: App, history: History):
    app.open("failures", case="s2", stratum="all").named("Ann")
    front = [app.case_in_front]
    for verdict in ("real_miss", "acceptable", "wrong_reason", "bad_fixture", "unsure"):
        app.press(verdict, str(front[-1]))
        assert re.match(r"Saved: .* on \S+ at \d\d:\d\d:\d\d UTC\.$", said_last(app))
        front.append(app.case_in_front)
    # After the last comes the first that is left.
    assert front == ["s2", "s3", "p1", "e-missed", "m-missed", "s1"] or front[:3] == [
        "s2", "s3", "p1",
    ]  # fmt: skip
    assert progress(app) == "5 of 6 reviewed"


@pytest.mark.usefixtures("run")
def test_when_all_are_reviewed_the_page_says_so_and_shows_them_on_demand(app: App):
    app.open("failures").named("Ann")
    for case_id in ("s1", "s2", "s3"):
        app.press("real_miss", case_id)
    assert (progress(app), app.case_in_front, app.listed) == ("3 of 3 reviewed", None, [])
    assert "All 3 cases here are reviewed by you." in [each.value for each in app.at.markdown]
    assert "Saved: Real miss on s3" in said_last(app)
    app.click("Show them all")
    assert (app.listed, app.address["state"]) == (["s1", "s2", "s3"], "all")
    assert list(app.at.dataframe[0].value["you"]) == ["Real miss"] * 3


@pytest.mark.usefixtures("run")
def test_the_name_is_asked_for_once_and_the_verdict_waits_for_it(app: App, history: History):
    app.open("failures").fill(NOTE, "half a thought").press("acceptable", "s1")
    assert said(history) == []
    assert app.case_in_front == "s1"
    assert app.value(NOTE) == "half a thought"
    app.fill(ASK, "  ").click("Save the verdict")
    assert said(history) == []
    app.fill(ASK, " Ann ").click("Save the verdict")
    assert said(history) == [("Ann", "s1", "acceptable")]
    assert [entry.note for _, entry in history.journal.entries()] == ["half a thought"]
    assert (app.case_in_front, app.value("You are"), app.value(NOTE)) == ("s2", "Ann", "")
    app.press("unsure", "s2")
    assert ASK not in [field.label for field in app.at.text_input]
    assert len(said(history)) == 2


@pytest.mark.usefixtures("run")
def test_a_verdict_that_waits_for_a_name_is_kept_though_another_case_is_looked_at(
    app: App, history: History
):
    app.open("failures").press("acceptable", "s1").click("Next")
    assert app.case_in_front == "s2"
    app.fill(ASK, "Ann").click("Save the verdict")
    assert said(history) == [("Ann", "s1", "acceptable")]


@pytest.mark.parametrize("name", ["a\x07b", "a\u202eb", "x\ny", "\u200b"])
@pytest.mark.usefixtures("run")
def test_a_name_that_cannot_be_kept_is_refused_and_nothing_is_lost(
    app: App, history: History, name: str
):
    app.open("failures").fill(NOTE, "my words").press("real_miss", "s1")
    app.fill(ASK, name).click("Save the verdict")
    assert said_last(app).startswith("Your name was not taken: who: ")
    assert (said(history), app.case_in_front, app.value(NOTE)) == ([], "s1", "my words")
    app.named("Ann")
    assert said(history) == [("Ann", "s1", "real_miss")]
    assert "Not saved" not in app.all_text()


@pytest.mark.usefixtures("run")
def test_a_hostile_name_that_can_be_kept_stands_letter_for_letter(app: App, history: History):
    app.open("failures", state="all").named(HOSTILE).fill(NOTE, HOSTILE).press("real_miss", "s1")
    app.open("failures", case="s1", state="all").named(HOSTILE)
    assert f"UTC, {HOSTILE}: Real miss{HOSTILE}" in (app.text("review-case") or "")
    assert said(history) == [(HOSTILE, "s1", "real_miss")]


@pytest.mark.usefixtures("run")
def test_a_double_press_is_one_entry(app: App, history: History):
    app.open("failures", state="all").named("Ann").press("real_miss", "s1")
    app.open("failures", state="all", case="s1").named("Ann")
    app.press("real_miss", "s1")
    assert said(history) == [("Ann", "s1", "real_miss")]
    app.open("failures", state="all", case="s1").named("Ann").press("unsure", "s1")
    assert said(history)[1:] == [("Ann", "s1", "unsure")]


@pytest.mark.usefixtures("run")
def test_a_press_on_a_case_that_is_no_longer_in_front_is_let_go(app: App, history: History):
    app.open("failures").named("Ann")
    late = app.at.button(key="verdict-real_miss-s1")
    seen: CaseText = app.at.session_state["case-in-front"]
    app.at.session_state["case-in-front"] = seen._replace(case_id="s2")
    late.click()
    app.again()
    assert said(history) == []
    app.press("acceptable", str(app.case_in_front))
    assert len(said(history)) == 1


@pytest.mark.usefixtures("run")
def test_a_second_press_before_the_next_case_is_drawn_keeps_the_note(app: App, history: History):
    app.open("failures").named("Ann").fill(NOTE, "my words").again()
    app.at.button(key="verdict-real_miss-s1").click()
    app.at.button(key="verdict-acceptable-s1").click()
    app.again()
    (entry,) = [entry for _, entry in history.journal.entries()]
    assert (entry.note, entry.verdict in ("real_miss", "acceptable")) == ("my words", True)
    assert "on it came too late and was let go." in said_last(app)


@pytest.mark.usefixtures("run")
def test_verdicts_wait_for_a_name_all_of_them(app: App, history: History):
    app.open("failures").press("real_miss", "s1").click("Next").press("unsure", "s2")
    assert "Save the 2 verdicts" in app.buttons
    app.named("Ann")
    assert said(history) == [("Ann", "s1", "real_miss"), ("Ann", "s2", "unsure")]
    assert app.case_in_front == "s3"


@pytest.mark.usefixtures("run")
def test_a_verdict_changes_no_gauge(app: App, history: History):
    report, kept = history.report(1), history.run(1)
    before = app.open("gauges", run="1").text("gauge-stretch"), app.text("alerts")
    app.open("failures", stratum="all").named("Ann")
    while app.case_in_front:
        app.press("acceptable", app.case_in_front)
    assert len(said(history)) == 6
    app.open("gauges", run="1")
    assert (app.text("gauge-stretch"), app.text("alerts")) == before
    assert (history.report(1), history.run(1)) == (report, kept)


# -- what the verdicts say -----------------------------------------------------


def test_what_the_verdicts_say_stands_beside_the_rate(app: App, history: History):
    rows = [
        case(f"s{n}", "stretch", completion="it is" if n < 6 else "no", must_include=["it is"])
        for n in range(20)
    ]
    run = history.run(keep(history, jsonl(rows)).run_id)
    for n in range(6, 20):
        judge(history, run, f"s{n}", "Ann", "acceptable" if n < 11 else "real_miss")
    words = app.open("failures").text("review-progress") or ""
    assert words.strip() == (
        "String checks: 6 of 20 stretch cases passed. Review: 5 of 14 misses judged acceptable: "
        "5 of 14 reviewed stretch misses were acceptable wordings (16 to 61 %)."
    )
    for n in range(11, 16):
        judge(history, run, f"s{n}", "Ann", "acceptable")
    assert "headroom_overstated: " in (app.again().text("review-progress") or "")


def test_passes_other_strata_and_disputes_are_no_findings(app: App, history: History, run: Run):
    for case_id in ("p1", "m-missed", "e-missed"):
        judge(history, run, case_id, "Ann", "acceptable")
    judge(history, run, "s1", "Ann", "acceptable")
    judge(history, run, "s1", "Bob", "real_miss")
    judge(history, run, "s2", "Ann", "unsure")
    found = app.open("failures").text("review-progress") or ""
    assert "Review: No stretch miss has a verdict yet." in found
    judge(history, run, "s3", "Ann", "real_miss")
    found = app.again().text("review-progress") or ""
    assert "0 of 1 reviewed stretch misses" in found
    assert "2 more without a clear verdict." in found


# -- undo ----------------------------------------------------------------------


@pytest.mark.usefixtures("run")
def test_undo_leads_to_the_verdict_before_and_then_to_none(app: App, history: History):
    app.open("failures").named("Ann").fill(NOTE, "first").press("real_miss", "s1")
    app.open("failures", case="s1").named("Ann")
    assert app.value(NOTE) == "first"
    app.fill(NOTE, "second").press("acceptable", "s1")
    app.click("Undo")
    assert "Taken back: your verdict on s1" in said_last(app)
    assert (app.case_in_front, app.value(NOTE)) == ("s1", "second")
    assert progress(app) == "1 of 3 reviewed"
    primary = [b.label for b in app.at.button if b.proto.type == "primary"]
    assert primary == ["Real miss"]
    app.click("Undo")
    assert (progress(app), app.value(NOTE)) == ("0 of 3 reviewed", "first")
    assert next(button for button in app.at.button if button.label == "Undo").disabled
    assert [verdict for _, _, verdict in said(history)] == ["real_miss", "acceptable", None, None]


@pytest.mark.usefixtures("run")
def test_undo_works_in_a_new_session_under_the_same_name_only(
    app: App, another_app: App, history: History
):
    app.open("failures").named("Ann").press("real_miss", "s1").press("acceptable", "s2")
    another_app.open("failures").named("Bob")
    assert next(button for button in another_app.at.button if button.label == "Undo").disabled
    another_app.named("Ann").click("Undo")
    assert (another_app.case_in_front, progress(another_app)) == ("s2", "1 of 3 reviewed")
    another_app.click("Undo")
    assert progress(another_app) == "0 of 3 reviewed"
    assert [verdict for *_, verdict in said(history)] == ["real_miss", "acceptable", None, None]


def test_undo_takes_back_nothing_of_another_text(app: App, history: History, run: Run):
    judge(history, run, "s1", "Ann", "real_miss")
    rows = [case("s1", "stretch", completion="something else", must_include=["it is"])]
    keep(history, jsonl(rows), "v2", at=day(5))
    app.open("failures").named("Ann")
    assert next(button for button in app.at.button if button.label == "Undo").disabled


# -- several people ------------------------------------------------------------


def test_nobody_sees_anothers_verdict_before_their_own(app: App, history: History, run: Run):
    judge(history, run, "s1", "Ann", "acceptable", "close enough")
    app.open("failures").named("Bob")
    shown = app.text("review-case") or ""
    assert "Somebody else has judged this; you see how once you have." in shown
    assert "Ann" not in shown
    assert "close enough" not in shown
    assert "Acceptable" not in shown.replace("close enough", "")
    app.press("acceptable", "s1")
    app.open("failures", case="s1", state="all").named("Bob")
    shown = app.text("review-case") or ""
    assert "Ann: Acceptable" in shown
    assert "close enough" in shown
    assert "disagree" not in shown


def test_a_disagreement_is_told_listed_and_settled_with_a_note(
    app: App, another_app: App, history: History, run: Run
):
    judge(history, run, "s1", "Ann", "acceptable", "close enough")
    app.open("failures").named("Bob").press("real_miss", "s1")
    assert "Reviewers disagree: Ann said Acceptable." in said_last(app)
    app.click("Look at it again")
    assert app.case_in_front == "s1"
    assert "Reviewers disagree.Bob, " in (app.text("review-case") or "")
    app.choose("Verdict state", "disagreement")
    assert app.listed == ["s1"]
    # One who has not judged it does not see what it is about, and cannot settle it.
    another_app.open("failures", state="disagreement").named("Cy")
    assert another_app.listed == ["s1"]
    assert "Settle" not in another_app.buttons
    assert "close enough" not in another_app.all_text()
    app.click("Settle")
    assert "note: blank; say what settles it" in app.all_text()
    assert history.journal.entries()[-1].entry.settles is False
    next(box for box in app.at.selectbox if box.label == "Settle it as").set_value("acceptable")
    app.fill("Why", "we talked").click("Settle")
    entry = history.journal.entries()[-1].entry
    assert (entry.settles, entry.who, entry.verdict, entry.note) == (
        True, "Bob", "acceptable", "we talked",
    )  # fmt: skip
    assert app.listed == []
    app.open("failures", case="s1", state="all").named("Bob")
    assert "Settled: Bob, " in (app.text("review-case") or "")
    assert "1 of 1 reviewed stretch misses was" in (app.text("review-progress") or "")


@pytest.mark.usefixtures("run")
def test_each_reviewer_has_a_queue_of_their_own(app: App, another_app: App, history: History):
    app.open("failures").named("Ann").press("real_miss", "s1").press("unsure", "s2")
    another_app.open("failures").named("Bob")
    assert (another_app.listed, progress(another_app)) == (["s1", "s2", "s3"], "0 of 3 reviewed")
    another_app.press("real_miss", "s1")
    assert (app.again().listed, progress(app)) == (["s3"], "2 of 3 reviewed")
    assert len(said(history)) == 3


# -- over runs -----------------------------------------------------------------


def test_a_verdict_is_carried_to_a_later_run_with_the_same_text(
    app: App, history: History, run: Run
):
    judge(history, run, "s1", "Ann", "acceptable", "fine")
    keep(history, reviewable(), "v2", at=day(5))
    app.open("failures", state="all", case="s1").named("Ann")
    assert app.value("Run") == 2
    assert progress(app) == "1 of 3 reviewed"
    assert "Ann: Acceptable, from run 1" in (app.text("review-case") or "")
    app.open("failures", state="all", case="s1", run="1").named("Ann")
    assert "from run" not in (app.text("review-case") or "")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"completion": "nothing at all"}, "completion"),
        ({"must_include": ["it was"]}, "checks"),
        ({"prompt": "Say it now."}, "checks"),
        ({"stratum": "medium"}, "checks"),
    ],
)
def test_a_case_is_unreviewed_again_when_it_changes_and_the_old_verdict_is_history(
    app: App, history: History, run: Run, changed: dict[str, object], words: str
):
    judge(history, run, "s1", "Ann", "acceptable", "fine")
    judge(history, run, "s1", "Bob", "real_miss")
    row = case("s1", "stretch", completion="nothing", must_include=["it is"])
    keep(history, jsonl([row | changed]), "v2", at=day(5))
    app.open("failures", stratum="all").named("Ann")
    assert (app.case_in_front, progress(app)) == ("s1", "0 of 1 reviewed")
    shown = app.text("review-case") or ""
    assert "Your own earlier verdicts" in shown
    held = f"Ann: Acceptable, from run 1, before the {words} changed, so it no longer holds"
    assert held in shown
    assert "Bob" not in shown
    assert "No stretch miss has a verdict yet." in (app.text("review-progress") or "")


def test_every_verdict_has_words(app: App, history: History, run: Run):
    for verdict in VERDICTS:
        judge(history, run, "s1", verdict, verdict)
    app.open("failures", case="s1", state="all").named("unsure")
    shown = app.text("review-case") or ""
    for words in ("Real miss", "Acceptable", "Bad fixture", "Wrong reason", "Unsure"):
        assert f": {words}" in shown


def test_a_removed_example_takes_its_verdicts_along(app: App, history: History):
    app.open("failures").click("Load the example history").named("Ann")
    first = str(app.case_in_front)
    app.press("acceptable", first)
    mine = history.run(keep(history, reviewable(), "ours", at=day(400)).run_id)
    judge(history, mine, "s1", "Ann", "unsure")
    app.again().click("Remove the example")
    assert said(history) == [("Ann", "s1", "unsure")]
    assert "there is no run 15" in (app.text("history-fault") or "")
    app.click("Go on without it")
    assert app.case_in_front == "s2"
    assert first not in app.listed
