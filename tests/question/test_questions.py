"""Two hundred questions with the plan that a reader judged right, and laws that every plan keeps."""

import json
import time
from contextlib import suppress
from pathlib import Path

import pytest

from adaq_core.errors import InputError
from adaq_core.planner import QueryPlanner
from adaq_core.question.answer_kinds import IN_FULL, KINDS
from adaq_core.question.aspect_patterns import TOLD, TYPED
from adaq_core.question.aspects import MAX_ASPECTS, plan
from adaq_core.question.comparisons import COMPARISONS
from adaq_core.question.conditions import INSIDE, OPENINGS, SENTENCES
from adaq_core.question.parse import parse
from adaq_core.question.query_templates import profiles
from adaq_core.question.topic_lists import DECIDED_BY
from benchmarks.patterns import Use, patterns, reading, use_of

PROFILES = profiles()
JUDGED = json.loads((Path(__file__).parent / "questions.json").read_text(encoding="utf-8"))
PATTERNS = (*IN_FULL, *KINDS, *COMPARISONS, *TOLD, *TYPED, *SENTENCES, *OPENINGS, *INSIDE, *DECIDED_BY)


@pytest.mark.parametrize("judged", JUDGED, ids=lambda judged: judged["question"][:60])
def test_a_question_is_planned_as_it_was_judged_right(judged):
    made = plan(judged["question"], profiles=PROFILES)
    read = parse(judged["question"])
    assert [[a.aspect, a.aspect_type, a.answer_kind] for a in made.aspects] == judged["aspects"]
    assert [[c.kind, c.text, c.value] for c in read.conditions] == judged.get("conditions", [])
    assert [text for text, _ in read.instructions] == judged.get("instructions", [])
    assert list(made.notes) == judged.get("notes", [])


@pytest.mark.parametrize("row", PATTERNS, ids=lambda row: f"{row.kind}: {row.example}"[:70])
def test_every_pattern_has_an_example_and_a_counter_example(row):
    assert row.search(row.example.rstrip("?!.")) is not None
    assert row.search(row.counter_example.rstrip("?!.")) is None


@pytest.mark.parametrize(
    "question",
    [
        "why, " * 25,
        "why, " * 2_000,
        "1990, why, " * 360,
        "a" * 20_000,
        "and " * 1_900,
        "What is X? " * 600,
        "Compare " + ", ".join(f"Firm{n}" for n in range(24)),
        "of the " * 900,
        "how do a compare to b and " * 300,
        "In 2023, " * 900 + "who won?",
    ],
    ids=lambda question: question[:20],
)
def test_no_text_takes_more_than_a_second(question):
    started = time.thread_time()
    try:
        made = plan(question, profiles=PROFILES)
    except InputError:
        made = None
    assert time.thread_time() - started < 1
    assert made is None or len(made.aspects) <= MAX_ASPECTS


PIECES = (
    "a", "A", "Aa", "1", "日本", "特斯拉的收入是多少？", "😀", "👩‍👩‍👧 ", "é", "e\u0301", "ß", "\u202e",
    "\u200b", "\ud800", "\0", "\n", "\t", "_", "/", ",", "?", "(", "[", '"', "'", "-", "…", ". . ", "*",
    "&amp; ", "<a>", "why, ", "why? ", "x and ", "and what ", "in detail, ", "not x ", "A.", "A. ", "A b. ",
    "A&A ", "a or b ", "a vs b ", "a: b; ", "either a or b ", "A is b while c ", "who is it, ",
    "who is the CEO of ", "What is X and which ", "Inc. What ", "1990, ", "1990, why, ", "3.5% ", "$5 million ",
    "Q3 2020 ", "January 5, 2020 ", "between 2019 and 2020 ", "1. x\n", "- item one\n", "| a | b |\n", "```\n",
    '"a" ', "(a) ", "**a** ", "Tesla's ", "Tesla, Ford, ", "of the ", "compare A and B ", "A compared with B, ",
    "larger than ", "because ", "if not ", "said that ", "he ", "first, then, ", "— ", "https://a.b/c?d=e ",
    "Dr. ", "the film that was directed by the man who ", "should I buy X or Y? ",
    "How did Acme Corp change after 2019? ",
)  # fmt: skip


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_a_hundred_thousand_characters_of_anything_are_refused_or_planned_in_under_a_second(piece):
    text = (piece * 100_000)[:100_000]
    longest = " ".join((piece * 20_000)[:20_000].split(" ")[:2_000])
    for asked in (text, f"{longest[:-1]}?"):
        started = time.thread_time()
        with suppress(InputError):
            QueryPlanner().extract_aspects(asked)
        assert time.thread_time() - started < 1


@pytest.mark.parametrize("piece", PIECES[::7], ids=ascii)
def test_what_is_longer_than_may_be_asked_is_read_in_time_that_grows_with_it(piece):
    times = []
    for length in (5_000, 50_000):
        started = time.process_time()
        parse.__wrapped__((piece * length)[:length])
        times.append(time.process_time() - started)
    assert times[1] < max(1.0, 40 * times[0])  # with its square it would be a hundred times as long


def test_what_a_pattern_decides_is_told_by_reading_without_it():
    row = next(row for _, row in patterns() if row.example == "Be concise.")
    asked = "What is BM25? Be concise."
    assert use_of(row, [asked, "What is BM25?"], [reading(asked), reading("What is BM25?")]) == Use(2, 1, True)
    assert row.search("Be concise") is not None
