"""The names that others build on: what they are, that they can be had, and what they say."""

import ast
import inspect
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

import evalcore

ROOT = Path(__file__).parents[2]

PUBLIC = {
    "MATCHING": "matching",
    "SCHEMA": "report",
    "STRATA": "case",
    "AlertDetail": "alerts",
    "AlertKind": "alerts",
    "Case": "case",
    "Comparison": "compare",
    "Count": "alerts",
    "Evidence": "evidence",
    "Failure": "report",
    "Grade": "case",
    "HeadroomError": "errors",
    "History": "store",
    "HistoryError": "errors",
    "InstrumentHash": "identity",
    "Job": "job",
    "JobError": "errors",
    "KeptCase": "store",
    "Mark": "case",
    "MarkEntry": "report",
    "NotInHistoryError": "errors",
    "Notice": "notices",
    "Override": "job",
    "Reason": "case",
    "Report": "report",
    "RowError": "errors",
    "Run": "run",
    "RunCase": "run",
    "Saved": "store",
    "SavedReport": "report",
    "Stamp": "stamp",
    "Stratum": "case",
    "SuiteError": "errors",
    "SuiteReader": "suite",
    "Thresholds": "job",
    "Unanswered": "report",
    "UsageError": "errors",
    "compare_runs": "pipeline",
    "completion_hash": "identity",
    "find_job": "job",
    "fixture_hash": "identity",
    "fold": "matching",
    "grade_case": "grading",
    "grade_suite": "pipeline",
    "history_url": "database",
    "import_past": "pipeline",
    "keep_suite": "pipeline",
    "locate": "matching",
    "parse_job": "job",
    "read_job": "job",
    "self_check": "selfcheck",
    "soft_fold": "matching",
    "wilson": "binomial",
}
DOCUMENTED = [
    name
    for name in PUBLIC
    if inspect.isclass(getattr(evalcore, name)) or inspect.isfunction(getattr(evalcore, name))
]


def test_the_public_names_are_these_and_no_more():
    assert sorted(evalcore.__all__) == sorted(PUBLIC)
    assert sorted(evalcore.__all__) == sorted(evalcore._HOMES)


@pytest.mark.parametrize(("name", "module"), PUBLIC.items())
def test_a_public_name_is_the_one_of_its_module(name, module):
    assert getattr(evalcore, name) is getattr(import_module(f"evalcore.{module}"), name)


def test_type_checkers_see_the_same_names_from_the_same_modules():
    tree = ast.parse(Path(evalcore.__file__).read_text(encoding="utf-8"))
    imports = {
        alias.name: node.module.removeprefix("evalcore.")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("evalcore.")
        for alias in node.names
    }
    assert imports == evalcore._HOMES


def test_all_names_can_be_imported_at_once():
    names: dict[str, object] = {}
    exec("from evalcore import *", names)
    assert set(PUBLIC) <= set(names)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'evalcore' has no attribute 'grade_sweet'"):
        evalcore.grade_sweet  # noqa: B018


def test_importing_the_package_imports_none_of_its_modules():
    program = "import sys, evalcore; print([m for m in sys.modules if m.startswith('evalcore.')])"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, cwd=ROOT, text=True, check=True
    )
    assert run.stdout == "[]\n"


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_public_name_says_in_one_sentence_what_it_does(name):
    first = (inspect.getdoc(getattr(evalcore, name)) or "").split("\n")[0]
    assert first.endswith((".", ":"))
    assert first[0].isupper() or first.startswith("`")


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in DOCUMENTED
        if isinstance(getattr(evalcore, name), type)
        and issubclass(getattr(evalcore, name), msgspec.Struct)
    ],
)
def test_a_public_record_is_frozen(name):
    assert getattr(evalcore, name).__struct_config__.frozen


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_public_function_is_typed_throughout(name):
    value = getattr(evalcore, name)
    if inspect.isfunction(value):
        signature = inspect.signature(value)
        assert signature.return_annotation is not signature.empty
        assert all(part.annotation is not part.empty for part in signature.parameters.values())


@pytest.mark.parametrize(
    ("name", "raises"),
    [
        ("grade_suite", ["SuiteError", "UsageError"]),
        ("find_job", ["JobError"]),
        ("read_job", ["JobError"]),
        ("parse_job", ["JobError"]),
        ("Thresholds", ["ValueError"]),
    ],
)
def test_a_docstring_names_the_errors(name, raises):
    _, _, told = (inspect.getdoc(getattr(evalcore, name)) or "").partition("Raises:")
    assert [error for error in raises if error not in told] == []


def test_every_error_is_a_headroom_error():
    for name in ("JobError", "SuiteError", "UsageError"):
        assert issubclass(getattr(evalcore, name), evalcore.HeadroomError)


def test_the_installed_command_is_the_module_s_own():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"evalcore": "evalcore.cli:main"}
    assert project["dynamic"] == ["version"]
