"""The Gauges page, one visitor, without a browser."""

import random

import pytest
from streamlit import get_option

from tests.pages.conftest import App
from tests.pages.suites import case, counted, jsonl

GAUGES = ("gauge-easy", "gauge-medium", "gauge-stretch")
HEALTHY = counted(easy=(5, 5), medium=(18, 20), stretch=(9, 20))


def gauges(app: App) -> list[str]:
    return [text for key in GAUGES if (text := app.text(key)) is not None]


def states(app: App) -> list[str]:
    signs = {"● ok": "ok", "▲ alarm": "alarm", "○ refused": "refused"}
    return [state for text in gauges(app) for sign, state in signs.items() if sign in text]


# -- what can be open ----------------------------------------------------------


def test_an_empty_page_offers_one_primary_button(app: App):
    app.open()
    assert [button.label for button in app.at.button if button.proto.type == "primary"] == [
        "Open the example"
    ]
    assert not gauges(app)


def test_one_click_opens_the_example_and_the_address_says_so(app: App):
    app.open().click("Open the example")
    assert [text.count("passed") > 0 for text in gauges(app)] == [True, True, True]
    assert "8 of 8 passed" in gauges(app)[0]
    assert app.at.query_params["example"] == "order_desk"


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        ("order_desk", ["ok", "ok", "ok"]),
        ("order_desk_saturated", ["ok", "ok", "alarm"]),
        ("order_desk_regressed", ["alarm", "alarm", "ok"]),
    ],
)
def test_an_address_opens_its_example(app: App, example: str, expected: list[str]):
    assert states(app.open(example=example)) == expected


@pytest.mark.parametrize("example", ["order_desk_2", "", "../fixtures/order_desk", "<b>x</b>"])
def test_an_address_of_no_example_opens_no_other(app: App, example: str):
    app.open(example=example)
    assert f"There is no example called {example}." in app.all_text()
    assert not gauges(app)


def test_an_upload_shows_three_gauges(app: App):
    easy, medium, stretch = gauges(app.open().upload(HEALTHY))
    assert "smoke alarm" in easy
    assert "5 of 5 passed" in easy
    assert "product contract" in medium
    assert "18 of 20 passed" in medium
    assert "for similar cases 69 to 97 % is plausible" in medium
    assert "headroom gauge" in stretch
    assert "9 of 20 passed" in stretch
    assert "7 more passes trip the alarm" in stretch


def test_an_upload_takes_the_place_of_an_example(app: App):
    app.open(example="order_desk").upload(HEALTHY)
    assert "5 of 5 passed" in gauges(app)[0]
    assert "example" not in app.at.query_params


def test_the_same_name_with_other_content_shows_the_new_content(app: App):
    app.open().upload(HEALTHY).upload(counted(easy=(4, 5), medium=(3, 3), stretch=(0, 2)))
    assert "4 of 5 passed" in gauges(app)[0]


def test_the_uploader_is_emptied_so_that_its_memory_is_freed(app: App):
    app.open().upload(HEALTHY)
    assert app.at.file_uploader[0].value is None
    assert not any("UploadedFile" in repr(value) for value in app.at.session_state.values())


def test_visitors_do_not_see_each_other(app: App, another_app: App):
    app.open().upload(counted("A-", easy=(0, 2), medium=(0, 2), stretch=(0, 2)))
    another_app.open()
    assert not gauges(another_app)
    another_app.upload(counted("B-", easy=(0, 2), medium=(0, 2), stretch=(0, 2)))
    assert "A-" not in another_app.all_text()
    assert "B-" not in app.open().all_text()


# -- gauges, alerts, notices ---------------------------------------------------


def test_a_thin_stratum_is_refused(app: App):
    app.open().upload(counted(easy=(1, 1), stretch=(9, 10)))
    assert states(app) == ["refused", "refused", "alarm"]
    assert "no cases" in gauges(app)[1]
    alerts = app.text("alerts") or ""
    assert "thin_stratum" in alerts
    assert "missing_stratum" in alerts


def test_alerts_name_counts_thresholds_and_the_next_step(app: App):
    alerts = app.open(example="order_desk_regressed").text("alerts") or ""
    assert "medium 15 of 20 passed, below its floor of 85 %" in alerts
    assert alerts.count("Next: ") == 2


def test_no_alert_is_no_certificate(app: App):
    app.open(example="order_desk")
    assert "not “the product is finished”" in (app.text("alerts") or "")
    assert "not: a safety, medical, legal or financial certificate" in app.all_text()


@pytest.mark.parametrize("example", ["order_desk", "order_desk_saturated", "order_desk_regressed"])
def test_no_pooled_rate_is_shown(app: App, example: str):
    text = app.open(example=example).all_text()
    assert " of 48" not in text


def test_notices_name_their_cases(app: App):
    app.open().upload(jsonl([case("bare", "easy", completion="x"), case("unsaid", "stretch")]))
    notices = app.text("notices") or ""
    assert "no check but emptiness and length" in notices
    assert "easy: bare" in notices
    assert "stretch: unsaid" in notices


def test_families_stand_beside_the_count(app: App):
    rows = [case(str(k), "stretch", completion="x", family="f") for k in range(3)]
    app.open().upload(jsonl(rows))
    assert "3 of the cases come from one family" in gauges(app)[2]


# -- failed cases --------------------------------------------------------------


def test_failed_cases_say_why_and_where(app: App):
    row = case(
        "near",
        "medium",
        completion="Please don’t.",
        must_include=["don't"],
        must_not_include=["lease"],
    )
    text = app.open().upload(jsonl([row])).text("failed-cases") or ""
    assert "medium: 1 of 1 failed" in text
    assert "missing:don't" in text
    assert "near miss (typographic apostrophe) at 7 to 12: Please [don’t]." in text
    assert "forbidden:lease" in text
    assert "found at 1 to 6: P[lease] don’t." in text


def test_a_case_with_very_many_reasons_lists_the_first(app: App):
    row = case("many", "easy", completion="x", must_include=[f"needle {k}" for k in range(5_000)])
    text = app.open().upload(jsonl([row])).text("failed-cases") or ""
    assert "missing:needle 19" in text
    assert "missing:needle 20" not in text
    assert "and 4,980 more, all in the report" in text


def test_many_failed_cases_come_a_page_at_a_time(app: App):
    app.open().upload(counted(easy=(2, 2), medium=(0, 250), stretch=(0, 3)))
    text = app.text("failed-cases") or ""
    assert "medium: 250 of 250 failed" in text
    assert "medium-99" in text
    assert "medium-100" not in text
    assert "stretch-2" in text


# -- refusals ------------------------------------------------------------------


def test_a_refused_file_shows_its_row_errors_and_no_gauge(app: App):
    app.open().upload(HEALTHY).upload(jsonl([case("x", "hard"), case("y", "easy", max_chars=True)]))
    errors = app.text("row-errors") or ""
    assert "suite.jsonl was not graded." in errors
    assert "2 row errors" in errors
    assert "stratum" in errors
    assert '"hard"' in errors
    assert "write one of easy, medium, stretch" in errors
    assert not gauges(app)
    assert app.text("alerts") is None
    assert app.text("failed-cases") is None


def test_a_refused_file_tells_of_ids_that_look_alike_as_well(app: App):
    app.open().upload(jsonl([case("a", "easy"), case("A", "easy"), case("", "easy")]))
    errors = app.text("row-errors") or ""
    assert 'ids that look alike: "a" (line 1), "A" (line 2)' in errors


def test_a_good_file_after_a_refused_one_clears_the_errors(app: App):
    app.open().upload(b"nonsense").upload(HEALTHY)
    assert app.text("row-errors") is None
    assert len(gauges(app)) == 3


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"\x00" * 100,
        b"\x1f\x8b\x08nothing",
        "[]".encode("utf-16"),
        b"[" * 100_000,
        b'{"id": "a", "id": "b"}',
        b'{"id": "a", "stratum": "easy", "prompt": "\\ud800"}',
        random.Random(5).randbytes(5_000),
    ],
)
def test_anything_may_be_given_as_a_suite_or_a_job(app: App, content: bytes):
    app.open().upload(content, "![x](y) <b>$z$.bin")
    assert "was not graded" in (app.text("row-errors") or "")
    app.upload_job(content)
    assert not gauges(app)


# -- the job -------------------------------------------------------------------

STRICT = b'[job]\nname = "$strict$"\n[thresholds]\nstretch_high = 0.3\n'


def test_without_a_job_the_defaults_are_called_proposals(app: App):
    app.open().upload(HEALTHY)
    assert "proposals, not measured constants" in app.all_text()


def test_a_job_judges_what_is_opened_after_it(app: App):
    app.open().upload_job(STRICT).upload(HEALTHY)
    assert states(app) == ["ok", "ok", "alarm"]
    assert "job $strict$" in app.all_text()


def test_a_job_judges_what_is_open_already_until_it_is_removed(app: App):
    app.open().upload(HEALTHY).upload_job(STRICT)
    assert states(app)[2] == "alarm"
    assert states(app.click("Remove the job"))[2] == "ok"


def test_a_job_judges_an_example_too(app: App):
    assert states(app.open(example="order_desk").upload_job(STRICT))[2] == "alarm"


def test_a_name_says_more_than_the_field_a_file_was_put_into(app: App):
    app.open().upload(HEALTHY, "suite.jsonl", uploader=1).upload(STRICT, "evalcore.toml")
    assert states(app) == ["ok", "ok", "alarm"]


def test_a_refused_job_hides_the_gauges_until_it_is_gone(app: App):
    app.open().upload(HEALTHY).upload_job(b"[thresholds]\nstretch_high = 80\n")
    assert "so nothing is graded" in (app.text("job-error") or "")
    assert "thresholds.stretch_high" in (app.text("job-error") or "")
    assert not gauges(app)
    app.at.file_uploader[1].set_value(None)
    app.at.run()
    assert states(app) == ["ok", "ok", "ok"]


def test_the_upload_limit_is_printed(app: App):
    limit = f"Up to {get_option('server.maxUploadSize'):,} MB"
    assert any(caption.value.startswith(limit) for caption in app.open().at.caption)
