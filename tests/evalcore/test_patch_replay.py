"""An edited case on the completions of past runs."""

import pytest

from evalcore.case import Case
from evalcore.patch import Answer, Replay, replayed

CASE = Case(id="a", stratum="stretch", prompt="p", must_include_any=(("yes", "aye"),))


def answer(completion, *, prompt="p", passed=True):
    return Answer(completion=completion, prompt=prompt, passed=passed)


def test_completions_are_graded_anew_and_those_to_other_prompts_left_out():
    answers = [
        answer("Yes."),
        answer("AYE", passed=False),
        answer("no", passed=False),
        answer(None, passed=False),
        answer("nay"),
        answer("yes", prompt="another", passed=False),
    ]
    found = replayed(CASE, iter(answers))
    assert found == Replay(n=5, would_fail=3, failed=3, other_prompt=1)
    assert found.words == (
        "with this change 3 of the last 5 runs would have failed; 1 run answers another prompt"
    )


@pytest.mark.parametrize(
    ("n", "would_fail", "words"),
    [
        (0, 0, "no stored completion answers this prompt"),
        (1, 0, "with this change the last run would have passed"),
        (1, 1, "with this change the last run would have failed"),
        (2, 0, "with this change none of the last 2 runs would have failed"),
        (2, 1, "with this change 1 of the last 2 runs would have failed"),
        (10, 3, "with this change 3 of the last 10 runs would have failed"),
        (10, 10, "with this change 10 of the last 10 runs would have failed"),
    ],
)
def test_a_replay_says_what_it_found(n, would_fail, words):
    assert Replay(n=n, would_fail=would_fail, failed=0, other_prompt=0).words == words


@pytest.mark.parametrize(
    ("n", "others", "words"),
    [
        (0, 1, "no stored completion answers this prompt; 1 run answers another prompt"),
        (1, 2, "with this change the last run would have passed; 2 runs answer another prompt"),
        (
            8,
            2,
            "with this change none of the last 8 runs would have failed; 2 runs answer another "
            "prompt",
        ),
    ],
)
def test_a_replay_says_how_many_runs_it_leaves_out(n, others, words):
    assert Replay(n=n, would_fail=0, failed=0, other_prompt=others).words == words


def test_without_answers_nothing_is_counted():
    assert replayed(CASE, []) == Replay(n=0, would_fail=0, failed=0, other_prompt=0)
