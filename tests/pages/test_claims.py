"""From a sentence to its quote, passage, hop and aspect; what became of every passage; things by facets."""

from __future__ import annotations

from collections import Counter

import pytest

from adaq_core.model import Answer, Citation, QueryAspect, Statement, UnusedPassage
from adaq_core.question.aspects import plan
from adaq_core.trace import RunView, view
from pages._shared.components.answer.view import claim_lines, passage_lines
from pages._shared.run.claims import claim, not_used, whereabouts
from pages._shared.run.data import grid_of
from tests.pages.built_runs import Story, finished, records


def seen(story: Story) -> RunView:
    return view(records(story))


def test_a_sentence_leads_to_its_words_and_to_the_hop_and_query_that_found_them() -> None:
    run = seen(finished())
    assert run.answer is not None
    opened = claim(run, 1, 2)
    assert opened is not None
    assert opened.passage.passage_id == run.answer.citations[1].passage_id
    assert opened.quotes == ((0, 19),)
    assert opened.others == ()
    assert (opened.aspect, opened.hop) == ("Date and price", 1)
    assert opened.came == "hop 3, query “European Commission conditions Acme Borealis”"
    assert [line.replace("\\", "") for line in claim_lines(run, opened)[1:]] == [
        "Answers **Date and price**, covered in hop 1",
        f"Passage found in {opened.came}",
    ]


def test_of_the_quotes_of_one_passage_the_one_of_the_sentence_is_marked_and_the_others_are_faint() -> None:
    run = seen(finished())
    passage = next(iter(run.passages.values()))
    first, second = passage.text[:19], passage.text[20:60]
    cited = [
        Citation(1, passage.passage_id, "d", "t", first, 0, 19),
        Citation(1, passage.passage_id, "d", "t", second, 20, 60),
    ]
    run.answer = Answer("x", (Statement(f"{second} [1]", "a", (1,)), Statement(first, "a", (1,))), tuple(cited))
    found = [claim(run, place, 1) for place in (0, 1, None)]
    assert [(each.quotes, each.others) for each in found if each] == [
        (((20, 60),), ((0, 19),)),
        (((0, 19),), ((20, 60),)),
        (((0, 19), (20, 60)), ()),
    ]


def test_every_retrieved_passage_is_either_quoted_or_its_last_stage_and_the_reason_are_named() -> None:
    run = seen(finished())
    assert run.answer is not None
    quoted = {c.passage_id for c in run.answer.citations}
    unused = not_used(run)
    assert quoted | {each.passage_id for each in unused} == set(run.passages)
    assert not quoted & {each.passage_id for each in unused}
    assert all(each.why.endswith(".") for each in unused)
    assert Counter(each.stage for each in unused) == {"replaced": 1, "read": 8, "not_read": 4}
    assert [each.stage for each in unused] == ["replaced"] + ["read"] * 8 + ["not_read"] * 4


@pytest.mark.parametrize(
    ("passage_id", "stage", "why"),
    [
        ("d2-0#0", "cited", "1 sentence of the answer rests on it: Date and price."),
        ("d1-0#0", "replaced", "Made room in hop 2 for “Acme report 2.0”."),
        ("d1-1#0", "read", "Nothing in it answers an aspect."),
        ("d1-3#0", "not_read", "Rank 4 for its query; the first 3 were read."),
    ],
)
def test_why_not_this_passage(passage_id: str, stage: str, why: str) -> None:
    found = whereabouts(seen(finished()), passage_id)
    assert found is not None
    assert (found.stage, found.why) == (stage, why)


def test_a_passage_that_was_kept_and_not_quoted_says_the_answers_own_reason() -> None:
    run = seen(finished())
    assert run.answer is not None
    run.answer = Answer("x", unused=(UnusedPassage("d2-0#0", "its sentences say less"),))
    found = whereabouts(run, "d2-0#0")
    assert found is not None
    assert (found.stage, found.why) == ("kept", "Its sentences say less.")
    assert whereabouts(run, "unknown") is None


def test_a_passage_leads_back_to_the_sentences_that_rest_on_it() -> None:
    run = seen(finished())
    lines = passage_lines(run, "d2-0#0")
    assert lines[0].startswith("**Quoted in the answer.**")
    assert lines[1:] == ["“Passage 1 of hop 2\\.”"]


def grid(question: str) -> tuple[tuple[str, ...], tuple[str, ...], list[str]] | None:
    found = grid_of(plan(question, profiles={}).aspects)
    return (found.things, found.facets, [a.aspect for a in found.rest]) if found else None


def test_the_same_asked_of_several_things_is_a_matrix() -> None:
    assert grid("What are the supply chain, legal and competition risks of Apple, Tesla and Boeing?") == (
        ("Apple", "Tesla", "Boeing"),
        ("Supply chain risks", "Legal risks", "Competition risks"),
        [],
    )


def test_what_is_asked_on_a_thing_and_what_stands_behind_its_name_are_facets_too() -> None:
    words = ("Effect of tax on A", "A: exposed to China", "Effect of tax on B", "B: exposed to China")
    found = grid_of([QueryAspect(each, "facet", subject="B" if "B" in each else "A") for each in words])
    assert found is not None
    assert (found.things, found.facets, found.rest) == (("A", "B"), ("Effect of tax", "exposed to China"), ())


def test_one_thing_or_one_facet_is_a_list_and_an_aspect_of_all_things_stands_beside_the_matrix() -> None:
    assert grid("What are the main legal risks of Boeing, Pfizer and JPMorgan Chase?") is None
    assert (
        grid_of([QueryAspect("Price of A", "facet", subject="A"), QueryAspect("Date of A", "facet", subject="A")])
        is None
    )
    four = [QueryAspect(f"{facet} of {thing}", "facet", subject=thing) for thing in "AB" for facet in ("Price", "Date")]
    both = QueryAspect("Comparison between A and B", "comparison", subject="A and B")
    found = grid_of([*four, both])
    assert found is not None
    assert (found.things, found.facets, found.rest) == (("A", "B"), ("Price", "Date"), (both,))
