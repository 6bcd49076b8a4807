"""The Ask page before a question: what it does, an input, what will be searched, questions to try.

Those of a corpus of one's own are made in its words, and each was answered before it is offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.events import AnswerWritten
from adaq_core.matching.naming import is_heading
from adaq_core.model import CorpusCard, Passage, Settings
from adaq_core.question.parse import is_english
from adaq_core.records.tables import Table, tables_of
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.execute import RunSpec, execute
from adaq_core.runs.jobs import Cancelled, Job, Progress
from pages._shared.ask.next_run import search_popover, server_trouble
from pages._shared.ask.start import begin, leave_run, take_up
from pages._shared.common import backend
from pages._shared.common.chrome import show_objection
from pages._shared.common.meaning import TICK_SECONDS, making
from pages._shared.common.text import literal, sentence, short
from pages._shared.common.words import ago, count, listed
from pages._shared.run.verdict import ICONS, outcome_words
from pages._shared.settings.choice import chosen
from pages._shared.settings.dialog import summary_button

if TYPE_CHECKING:
    from adaq_core.store.rows import RunRow

_SHOWN = 12
_RECENT, _LOOKED_AT = 6, 60
_REASONS = 3  # of corpora that cannot be used; the Corpus page has them all
_FITS = 58  # characters of a recent question, beside the longest that is said of it


def show() -> None:
    """Draw the page before a question: title, input, controls and questions to try."""
    st.title("What do you want to find out?", anchor=False)
    st.caption("ADAQ splits a question into aspects and searches in hops; each hop goes after what is still uncovered.")
    with st.container():  # inside a container the input stands here instead of at the bottom of the window
        st.chat_input("Ask a question with several parts", key="ask_question", on_submit=begin, args=("ask_question",))
    show_objection(at="ask_question")
    cards = backend.corpora()
    if not cards:
        no_corpus()
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        card = corpus_picker(cards)
        st.caption(f"{count(card.documents, 'document')}, {count(card.passages, 'passage')}", width="content")
        search_popover(backend.method_names())
        summary_button("ask_settings")
        st.toggle(
            "Start at once",
            key="ask_at_once",
            persist_state="session",
            help="Start searching as soon as you ask, without showing the aspects for editing first.",
        )
    if trouble := server_trouble(chosen()):
        st.caption(f":orange[:material/warning:] {trouble}")
    show_empty(card)
    if line := making(backend.library(), card.name):
        st.caption(f":material/hourglass: {line}")
    _samples(card)
    _recent()


def corpus_picker(cards: list[CorpusCard]) -> CorpusCard:
    """Draw the choice of a corpus and return the card of the chosen one."""
    names = [card.name for card in cards]
    if "ask_corpus" not in st.session_state:  # as in another tab, or where the page was loaded again
        last = backend.last_corpus()
        st.session_state.ask_corpus = last if last in names else names[0]
    if (wanted := st.session_state.ask_corpus) not in names:
        st.session_state.update(ask_corpus=names[0], ask_corpus_gone=wanted)
    chosen = st.selectbox(
        "Corpus",
        names,
        key="ask_corpus",
        persist_state="session",
        label_visibility="collapsed",
        width=240,
        icon=":material/library_books:",
        on_change=_choose_again,
    )
    return next(card for card in cards if card.name == chosen)


def _choose_again() -> None:
    backend.keep_corpus(st.session_state.ask_corpus)
    st.session_state.pop("ask_corpus_gone", None)


def show_empty(card: CorpusCard) -> None:
    """Say that the chosen corpus was deleted, or that this one has no documents yet."""
    if gone := st.session_state.get("ask_corpus_gone"):
        words = f"“{literal(gone)}” was deleted. “{literal(card.name)}” is searched in its place."
        st.warning(words, icon=":material/library_books:")
    if card.passages:
        return
    st.info(f"“{literal(card.name)}” has no documents yet. Add some, or choose another corpus.", icon=":material/info:")
    params = {"corpus": card.name, "view": "Add documents"}
    st.page_link("corpus.py", label="Add documents", icon=":material/arrow_forward:", query_params=params)


def _samples(card: CorpusCard) -> None:
    if card.name == backend.SAMPLE_CORPUS:
        _to_try([(sample.question, sample.note) for sample in backend.sample_questions()[:_SHOWN]])
    elif card.passages:
        job = examples(backend.library(), card)
        if job.over:
            _to_try([(question, "") for question in job.result or ()])
        else:
            _finding(job)


@st.fragment(run_every=TICK_SECONDS)
def _finding(job: Job[tuple[str, ...]]) -> None:
    if job.over:
        st.rerun()
    st.caption(":shimmer[Looking for questions that this corpus answers]")


def _to_try(questions: Sequence[tuple[str, str]]) -> None:
    """Draw each (question, note) as a button that takes the question up."""
    if not questions:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Questions to try**", width="stretch")
        params = {"view": "Add documents"}
        st.page_link("corpus.py", label="Add your own documents", icon=":material/upload_file:", query_params=params)
    with st.grid(3, min_column_width=300, gap="xsmall"):
        for number, (question, note) in enumerate(questions):
            st.button(
                literal(short(question, 110)),
                key=f"ask_sample_{number}",
                help=literal(note) or None,
                on_click=take_up,
                args=(question,),
                width="stretch",
                wrap=True,
            )


def _recent() -> None:
    """List the last questions with what their newest run came to; a click opens that run."""
    newest: dict[str, RunRow] = {}
    for row in backend.store().runs(limit=_LOOKED_AT, in_experiment=False):
        if row.group_id is None:  # a run of a comparison was not asked here
            newest.setdefault(row.question, row)
    if not newest:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Recent questions**", width="stretch")
        st.page_link("trace_explorer.py", label="Find an earlier run", icon=":material/search:")
    with st.grid(2, min_column_width=420, gap="xxsmall"):
        for row in list(newest.values())[:_RECENT]:
            outcome = row.outcome
            about = f":gray[:small[{outcome_words(row)} · {ago(row.created_at)}]]"
            st.button(
                f"{ICONS[outcome]} {literal(short(row.question, _FITS))} {about}",
                key=f"ask_recent_{row.run_id}",
                type="tertiary",
                on_click=leave_run,
                kwargs={"run": row.run_id},
            )


def no_corpus() -> None:
    """Say that no corpus can be searched, and why, and link to where documents are added."""
    reasons = [f"“{literal(name)}”: {sentence(problem)}" for name, problem in backend.corpus_problems().items()]
    told = " ".join(reasons[:_REASONS]) or "There is nothing to search yet."
    title = "No corpus can be used" if reasons else "No corpus"
    st.info(f"{told} Add files or a folder on the Corpus page.", title=title, icon=":material/library_books:")
    params = {"view": "Add documents"}
    st.page_link("corpus.py", label="Add documents", icon=":material/arrow_forward:", query_params=params)


# Of an own corpus: how many questions are offered, of how many that are tried, of how many of its passages.
_OFFERED, _TRIED, _PASSAGES = 6, 18, 36
_FEWEST_WORDS, _MOST_WORDS, _MOST_GROUPS, _BESIDE = 2, 9, 9, 3
_ROW = re.compile(r":row \d+$")


class Example(NamedTuple):
    """A question made of a corpus's own words; a run's first sentence must quote from `told`, if that is given."""

    question: str
    told: str = ""


def candidates(index: PassageIndex) -> Iterator[Example]:
    """Yield questions made of the corpus's reports, tables, headings and titles, taking each kind in turn."""
    step = max(1, index.size // _PASSAGES)
    read = index.read(range(0, index.size, step))
    kinds = (_of_reports(index), _of_tables(index), _of_headings(read), _of_titles(read))
    turns = chain.from_iterable(zip_longest(*kinds))
    return iter(dict.fromkeys(each for each in turns if each))


def _of_reports(index: PassageIndex) -> Iterator[Example]:
    """Yield questions for figures of the companies that filed a report for the newest period."""
    dated = [(report.card.get("period", ""), _name(report.card)) for report in index.filed]
    newest = max(dated, default=("", ""))[0]
    names = list(dict.fromkeys(name for period, name in dated if name and period == newest))[:_BESIDE]
    if newest and names:
        when = " ".join(reversed(newest.split()))
        yield Example(f"What was the revenue of {listed(names)} by quarter?")
        yield from (Example(f"How did the net income of {name} change in {when}?") for name in names)


def _name(card: Mapping[str, str]) -> str:
    issuer = card.get("issuer", "")
    return issuer.title() if issuer.isupper() else issuer


def _of_tables(index: PassageIndex) -> Iterator[Example]:
    for table in tables_of(index):
        if not table.is_in_text:
            yield from _of_table(table)


def _of_table(table: Table) -> Iterator[Example]:
    texts = [each for each in table.columns if not each.is_numeric and each is not table.label]
    groups = [each for each in texts if 1 < len(each.filled) <= _MOST_GROUPS and not each.names_rows]
    for column in groups[:2]:
        yield Example(f"How many {_plural(table)} are there by {_in_a_sentence(column.name)}?")
    for measure in table.measures[:1]:
        yield Example(f"Which {_in_a_sentence(table.label.name)} has the most {_in_a_sentence(measure.name)}?")


def _in_a_sentence(name: str) -> str:
    """Lower a column's name for use in a sentence, abbreviations aside: "amount USD"."""
    return " ".join(word if len(word) > 1 and word.isupper() else word.lower() for word in name.split())


def _plural(table: Table) -> str:
    return table.name if table.name.endswith("s") and " " not in table.name else "rows"


def _of_headings(read: Sequence[Passage]) -> Iterator[Example]:
    for passage in read:
        lines = passage.text.split("\n\n")
        for place, line in enumerate(lines[:-1]):
            if line and is_heading(line) and not is_heading(lines[place + 1]):
                yield from _asked(line, lines[place + 1], passage)


def _of_titles(read: Sequence[Passage]) -> Iterator[Example]:
    for passage in read:
        if not _ROW.search(passage.document_id) and passage.title != PurePath(passage.document_id).stem:
            yield from _asked(passage.title, passage.text, passage)


def _asked(words: str, told: str, passage: Passage) -> Iterator[Example]:
    """Yield a heading or title as a question; one that is a question already stays as it is."""
    if words.isprintable() and _FEWEST_WORDS <= len(words.split()) <= _MOST_WORDS and is_english(words):
        asks = words.endswith("?")
        yield Example(words if asks else f"What is said about {_inside(words, passage.text)}?", " ".join(told.split()))


def _inside(words: str, text: str) -> str:
    """Return a heading as it reads inside a sentence: with a capital only if the text writes its first word so."""
    first = re.split(r"\W", words, maxsplit=1)[0]
    is_name = first[1:] != first[1:].lower() or re.search(rf"[a-z,;]\s{re.escape(first)}\b", text)
    return words if is_name else words[0].lower() + words[1:]


def answered(index: PassageIndex, cancelled: Cancelled) -> Iterator[str]:
    """Yield the candidate questions that a run really answers from the document they were made of."""
    for example in islice(candidates(index), _TRIED):
        if cancelled():
            return
        if _is_answered(index, example):
            yield example.question


def _is_answered(index: PassageIndex, example: Example) -> bool:
    run = execute(RunSpec("adaptive", example.question, Settings(k_auto=True)), retriever=DocumentRetriever(index))
    answer = next((event.answer for event in run if isinstance(event, AnswerWritten)), None)
    if answer is None or answer.status != "answered":
        return False
    leading = answer.statements[0].citations if answer.statements else ()
    quotes = [" ".join(cited.quote.split()) for cited in answer.citations if cited.n in leading]
    return not example.told or any(quote in example.told for quote in quotes)


_jobs: dict[str, Job[tuple[str, ...]]] = {}


def examples(library: CorpusLibrary, card: CorpusCard) -> Job[tuple[str, ...]]:
    """Return the job that finds questions for this version of a corpus, started when first asked for."""
    key = f"{card.name}/{card.version}"
    if key not in _jobs:

        def find(_: Progress, cancelled: Cancelled) -> tuple[str, ...]:
            return tuple(islice(answered(library.open(card.name), cancelled), _OFFERED))

        _jobs[key] = Job(f"questions of {card.name}", find).start()
    return _jobs[key]
