"""Which cases are reviewed: the run and the filters, each with its counts, all in the address."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from evalcore.entry import VERDICTS
from evalcore.excerpt import distinct_excerpts
from evalcore.review.queue import GROUPS, NEAR, STATES, Facet, Queue, Selection, Wanted
from evalcore.run import Run
from pages.failures.words import GROUP_WORDS, STATE_WORDS, VERDICT_WORDS
from pages.shared import address

EVERYTHING = "all"
SEARCH = "q"


class _Filter(NamedTuple):
    """Is how one facet stands in the address and on the page."""

    name: str
    """Its name in the address."""
    label: str
    """Its name on the page."""
    usual: tuple[str, ...] = ()
    """What is asked for where the address says nothing."""
    words: Mapping[str, str] = {}
    """What its options are called; they are their own names where nothing else is said."""


FILTERS: Mapping[Facet, _Filter] = {
    "group": _Filter("stratum", "Cases", ("stretch",), GROUP_WORDS),
    "state": _Filter("state", "Verdict state", ("unreviewed",), STATE_WORDS),
    "reason": _Filter("reason", "Reason"),
    "near": _Filter("near", "Near misses", (), {NEAR: "only near misses"}),
    "tag": _Filter("tag", "Tag"),
    "verdict": _Filter("verdict", "Your verdict", (), VERDICT_WORDS),
}


def run_of(runs: Sequence[Run]) -> Run:
    """Offers the runs and returns the one that the address names, or the newest that counts.

    Raises:
        NotInHistoryError: the address names a run that the history does not have.
    """
    by_id = {run.id: run for run in reversed(runs)}
    newest = next((run for run in reversed(runs) if run.counted), runs[-1])
    run = address.named_run(address.RUN, by_id) or newest
    key = f"review-run-{run.id}"  # anew where the address has another run
    ids = list(by_id)
    st.selectbox(
        "Run",
        ids,
        ids.index(run.id),
        format_func=lambda run_id: by_id[run_id].line,
        key=key,
        on_change=_take_run,
        args=(key,),
    )
    return run


def wanted(queue: Queue) -> Wanted:
    """Returns what the address asks for, and says what of it there is not."""
    return {facet: _asked(facet, queue) for facet in FILTERS}


def phrase() -> str:
    """Returns the words that the address searches for."""
    return st.query_params.get(SEARCH, "").strip()


def draw(queue: Queue, asked: Wanted, selection: Selection) -> None:
    """Offers the filters; each says how many cases every option would leave."""
    _draw_pills("group", GROUPS, asked, selection, several=True)
    _draw_pills("state", [*STATES, EVERYTHING], asked, selection, several=False)
    others: tuple[Facet, ...] = ("reason", "near", "tag", "verdict")
    active = sum(bool(asked[facet]) for facet in others) + bool(phrase())
    more = st.expander(
        f"More filters ({active} in use)" if active else "More filters",
        key="review-filters",
        on_change="rerun",
    )
    if not more.open:  # widgets that nobody sees would slow every key down
        return
    with more:
        key = _key(SEARCH)
        st.session_state[key] = phrase()
        st.text_input(
            "Search ids, prompts, checks, completions, notes",
            key=key,
            on_change=_take_phrase,
            args=(key,),
        )
        _draw_list("reason", queue.options("reason"), asked, selection)
        _draw_pills("near", [NEAR], asked, selection, several=True)
        _draw_list("tag", queue.options("tag"), asked, selection)
        _draw_list("verdict", VERDICTS, asked, selection)
        st.button("Clear all filters", on_click=clear)


def clear() -> None:
    """Takes all filters out of the address."""
    for name in (SEARCH, address.CASE, *(each.name for each in FILTERS.values())):
        st.query_params.pop(name, None)


def show_all() -> None:
    """Asks for the reviewed cases as well."""
    st.query_params[FILTERS["state"].name] = EVERYTHING


def _asked(facet: Facet, queue: Queue) -> list[str]:
    each = FILTERS[facet]
    said = st.query_params.get_all(each.name)
    if each.usual and said == [EVERYTHING]:
        return []
    own: Collection[str] = each.words or (VERDICTS if facet == "verdict" else queue.options(facet))
    return address.known(each.name, said, own) or list(each.usual)


def _draw_pills(
    facet: Facet, options: Sequence[str], asked: Wanted, selection: Selection, *, several: bool
) -> None:
    """Draws a choice among our own few words."""
    each, counts = FILTERS[facet], selection.counts[facet]
    key = _key(each.name)
    chosen = list(asked[facet])
    st.session_state[key] = chosen if several else (chosen or [EVERYTHING])[0]
    st.pills(
        each.label,
        options,
        selection_mode="multi" if several else "single",
        format_func=lambda option: _counted(each.words.get(option, option), counts.get(option)),
        key=key,
        on_change=_take,
        args=(facet, key),
        label_visibility="collapsed",
    )


def _draw_list(facet: Facet, options: Sequence[str], asked: Wanted, selection: Selection) -> None:
    """Draws a choice among many words, which may be other people's."""
    each, counts = FILTERS[facet], selection.counts[facet]
    key = _key(each.name)
    st.session_state[key] = list(asked[facet])
    shown = {
        option: each.words.get(option, name) for option, name in distinct_excerpts(options).items()
    }
    st.multiselect(
        each.label,
        options,
        format_func=lambda option: _counted(shown[option], counts.get(option, 0)),
        placeholder="any",
        key=key,
        on_change=_take,
        args=(facet, key),
    )


def _counted(words: str, count: int | None) -> str:
    return words if count is None else f"{words} ({count:,})"


def _key(name: str) -> str:
    return f"filter-{name}"


def _take(facet: Facet, key: str) -> None:
    """Puts what a filter says now into the address; the case in front may be another then."""
    chosen = st.session_state[key]
    values = [chosen] if isinstance(chosen, str) else list(chosen or ())
    each = FILTERS[facet]
    usual = list(each.usual)
    if values == usual or (not values and not usual):
        st.query_params.pop(each.name, None)
    else:
        st.query_params[each.name] = values or [EVERYTHING]
    st.query_params.pop(address.CASE, None)


def _take_phrase(key: str) -> None:
    words = st.session_state[key].strip()
    if words:
        st.query_params[SEARCH] = words
    else:
        st.query_params.pop(SEARCH, None)
    st.query_params.pop(address.CASE, None)


def _take_run(key: str) -> None:
    st.query_params[address.RUN] = str(st.session_state[key])
    st.query_params.pop(address.CASE, None)
