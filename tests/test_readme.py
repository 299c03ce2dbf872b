"""Every command in the README runs, and its two commands exist."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from evalcore import __all__ as public
from evalcore.job import Thresholds

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


COMMANDS = [
    line.partition("  #")[0].strip() for block in blocks("sh") for line in block.splitlines()
]
EVALCORE = [command for command in COMMANDS if "evalcore" in command and "pip" not in command]


def test_the_readme_names_the_commands_it_should():
    verbs = {verb for command in EVALCORE for verb in re.findall(r"evalcore (\S+)", command)}
    assert verbs == {
        "grade", "check", "self-check", "--version", "history", "show", "compare", "exclude",
        "review", "patch",
    }  # fmt: skip
    assert [command for command in COMMANDS if command.startswith("make")] == [
        "make run",
        "make test",
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with two runs in its history, as the commands find it that speak of runs."""
    folder = tmp_path_factory.mktemp("readme")
    for command in [command for command in EVALCORE if "--save" in command]:
        run(command, folder)
    return folder


def run(command, folder):
    program = re.sub(
        r"\.venv/bin/(python -m )?evalcore", f"{shlex.quote(sys.executable)} -m evalcore", command
    )
    local = program.replace("fixtures/", f"{ROOT}/fixtures/")
    environment = {name: value for name, value in os.environ.items() if name != "EVAL_HISTORY_URL"}
    return subprocess.run(
        local,
        shell=True,
        cwd=folder,
        env=environment | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


@pytest.mark.parametrize("command", EVALCORE)
def test_a_command_of_the_readme_runs(command, folder):
    done = run(command, folder)
    expected = 2 if "saturated" in command else 0
    assert (done.returncode, "Traceback" in done.stderr) == (expected, False), done.stderr


def test_the_drawn_instruments_are_what_the_command_prints():
    (drawn,) = [block for block in blocks("text") if "passed" in block]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "evalcore",
            "grade",
            "fixtures/order_desk.jsonl",
            "--format",
            "text",
        ],
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.stdout.startswith(drawn)


def test_the_shown_report_is_how_a_report_begins():
    (shown,) = [block for block in blocks("json") if '"rates"' in block]
    done = subprocess.run(
        [sys.executable, "-m", "evalcore", "grade", "fixtures/order_desk_saturated.jsonl"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.stdout.startswith(shown)


def test_the_shown_case_and_job_are_good(tmp_path):
    (case,) = [block for block in blocks("json") if '"stratum"' in block]
    suite = tmp_path / "suite.jsonl"
    suite.write_text(case, encoding="utf-8")
    command = [sys.executable, "-m", "evalcore", "check", str(suite)]
    assert subprocess.run(command, cwd=ROOT, capture_output=True).returncode == 0
    assert set(json.loads(case)) <= set(re.findall(r"`(\w+)`", README))
    (job,) = blocks("toml")
    shown = tomllib.loads(job)["thresholds"]
    assert Thresholds(**shown) == Thresholds()


def test_the_makefile_has_the_commands():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    assert {"run", "test", "lint", "bench"} <= targets


def test_what_the_readme_links_to_is_there():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    missing = [link for link in links if not link.startswith("http") and not (ROOT / link).exists()]
    assert missing == []


def test_the_readme_names_a_public_name():
    assert "grade_suite" in public
