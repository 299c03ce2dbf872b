"""What groups, states and verdicts are called on the page."""

from collections.abc import Mapping

GROUP_WORDS: Mapping[str, str] = {
    "stretch": "stretch misses",
    "medium": "medium misses",
    "easy": "easy misses",
    "passes": "stretch passes",
}
STATE_WORDS: Mapping[str, str] = {
    "unreviewed": "unreviewed by you",
    "mine": "judged by you",
    "disagreement": "reviewers disagree",
    "all": "all",
}
VERDICT_WORDS: Mapping[str, str] = {
    "real_miss": "Real miss",
    "acceptable": "Acceptable",
    "bad_fixture": "Bad fixture",
    "wrong_reason": "Wrong reason",
    "unsure": "Unsure",
}
VERDICT_MEANINGS: Mapping[str, str] = {
    "real_miss": "the completion is wrong, as the checks say",
    "acceptable": "a person would accept this wording",
    "bad_fixture": "the case or one of its checks is at fault",
    "wrong_reason": "it passed, but not for what was asked",
    "unsure": "needs another pair of eyes",
}
