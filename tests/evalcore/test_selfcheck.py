"""The self-check: every alert can still be raised, and one that cannot is told."""

from collections.abc import Mapping

import pytest

from evalcore import alerts, selfcheck
from evalcore.alerts import ALERT_KINDS
from evalcore.cli import main
from evalcore.pipeline import grade_suite
from evalcore.selfcheck import self_check


def test_every_alert_fires_in_the_order_of_the_contract():
    assert list(self_check().items()) == [(alert, True) for alert in ALERT_KINDS]


def test_the_command_prints_which_alerts_fired(capsys):
    assert main(["self-check"]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert shown.out.splitlines() == [f"fired  {alert}" for alert in ALERT_KINDS]


RULES = {
    "_too_few": {"thin_stratum", "missing_stratum"},
    "_too_easy": {"ceiling", "stretch_too_easy"},
    "_regressions": {"easy_regression", "medium_regression"},
    "_overridden": {"threshold_override"},
    "_incomplete": {"incomplete"},
}


@pytest.mark.parametrize(("rule", "silent"), RULES.items())
def test_an_alert_that_stays_silent_is_told_and_the_exit_code_is_1(
    rule, silent, capsys, monkeypatch
):
    monkeypatch.setattr(alerts, rule, lambda *_: iter(()))
    assert {alert for alert, fired in self_check().items() if not fired} == silent
    assert main(["self-check"]) == 1
    shown = capsys.readouterr()
    assert {line.split()[1] for line in shown.out.splitlines() if "SILENT" in line} == silent
    assert shown.err == ("evalcore: an alert stayed silent; do not trust this installation\n")


def test_alerts_that_fire_on_a_healthy_suite_prove_nothing(monkeypatch):
    def always_strict(stream, *, flags: Mapping[str, float], **options):
        return grade_suite(stream, flags={**flags, "stretch_high": 0.0}, **options)

    monkeypatch.setattr(selfcheck, "grade_suite", always_strict)
    assert set(self_check().values()) == {False}


def test_the_rules_tried_out_are_all_there_are():
    assert set.union(*RULES.values()) == set(ALERT_KINDS)
