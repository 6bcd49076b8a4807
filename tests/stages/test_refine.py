"""Which aspect is asked for next, and what is not asked twice."""

from dataclasses import replace
from typing import Any

import pytest

from adaq_core.model import AspectCoverage, Finding, QueryAspect
from adaq_core.question.aspects import plan
from adaq_core.question.query_templates import profiles, wordings
from adaq_core.stages.refine import answer_of, bridges, normal, refine, restated, says_of_link, targets

PROFILES = profiles()


def aspects_of(question):
    return plan(question, profiles=PROFILES).aspects


def test_a_query_is_never_asked_twice_however_it_is_spelled():
    question = "What is Python?"
    asked: list[str] = ["python, WHAT is"]
    for _ in range(6):
        chosen, passed = refine(question, aspects_of(question), asked=asked, findings={}, limit=1)
        asked += [query.text for query in chosen]
    assert len({normal(text) for text in asked}) == len(asked)
    assert normal("What is Python?") in {normal(text) for text in asked}
    assert "What is Python?" in passed


def test_after_every_wording_was_tried_there_is_none():
    question = "What is Python?"
    aspect = aspects_of(question)
    asked = [wording.text for wording in wordings(aspect[0], question)]
    assert refine(question, aspect, asked=asked, findings={}, limit=1)[0] == []
    insisted, _ = refine(question, aspect, asked=asked, findings={}, limit=1, insist=True)
    assert [query.text for query in insisted] == ["Python details"]


def coverage(*importances, covered=()):
    made = [QueryAspect(f"a{i}", "entity", importance) for i, importance in enumerate(importances)]
    return AspectCoverage(made, dict.fromkeys(covered, 0.9))


def order(given, **kwargs):
    options: dict[str, Any] = {"threshold": 0.5, "tried": {}, "core_only": False} | kwargs
    return [aspect.aspect for aspect in targets(given, **options)]


def test_core_comes_first_then_the_least_tried_then_the_most_important():
    given = coverage(0.6, 0.8, 1.0)
    assert order(given) == ["a2", "a1", "a0"]
    assert order(given, tried={"a2": 1}) == ["a1", "a2", "a0"]


def test_late_in_a_poor_run_only_core_aspects_are_asked_for():
    assert order(coverage(0.6, 1.0), core_only=True) == ["a1"]
    assert order(coverage(0.6, 1.0, covered=["a1"]), core_only=True) == ["a0"]


def test_an_aspect_waits_for_the_one_it_depends_on():
    first = QueryAspect("Director of F", "relation")
    second = QueryAspect("Father of the director of F", "relation", depends_on="Director of F")
    given = AspectCoverage([second, first])
    assert order(given) == ["Director of F", "Father of the director of F"]


def test_a_name_that_was_found_is_asked_for_in_the_next_link():
    question = "Who is the father of the director of the film Inception?"
    aspects = aspects_of(question)
    quote = "Inception is a film directed by Christopher Nolan."
    found = {aspects[0].aspect: Finding(aspects[0].aspect, "p", quote, 0, len(quote), 0.9)}
    assert bridges(aspects[1], found, question) == ("Christopher Nolan",)
    chosen, _ = refine(question, aspects[1:], asked=(), findings=found, limit=1)
    assert (chosen[0].text, chosen[0].why) == ("Christopher Nolan father", "through Christopher Nolan")


def test_several_queries_go_to_several_aspects():
    question = "self-attention vs multi-head attention"
    chosen, _ = refine(question, aspects_of(question), asked=(), findings={}, limit=2)
    assert [query.aspect for query in chosen] == ["Definition of self-attention", "Definition of multi-head attention"]


DIRECTOR = QueryAspect("Director of film The Zone", "relation", subject="The Zone", answer_kind="person")
BIRTH = QueryAspect("Place of birth of the director of film The Zone", "relation", depends_on=DIRECTOR.aspect)
QUESTION = "What is the place of birth of the director of film The Zone?"


def finding(quote):
    return Finding(DIRECTOR.aspect, "p", quote, 0, len(quote), 0.9)


def test_a_link_is_answered_by_the_name_behind_the_words_that_say_what_is_asked():
    said = finding("The Zone is a film starring Ann Blyth, written and directed by Denys Desjardins, shot in Montreal.")
    assert answer_of(said, DIRECTOR, QUESTION) == "Denys Desjardins"
    assert answer_of(finding("Its director, of The Zone and of Basin, is unknown."), DIRECTOR, QUESTION) == "Basin"
    abroad = finding("Its director is Brazilian film director Denys Desjardins.")
    assert answer_of(abroad, DIRECTOR, QUESTION) == "Denys Desjardins"
    assert answer_of(finding("The Zone stars Ann Blyth."), DIRECTOR, QUESTION) == ""


def test_the_owner_is_who_bought_it_and_not_where_it_opened():
    owner = QueryAspect("Company that owns Zoox", "relation", subject="Zoox", answer_kind="organisation")
    question = "Who founded the company that owns Zoox?"
    for quote in ("Zoox, owned by Amazon, began in Reno.", "Zoox, the firm that Amazon bought, opened in Reno."):
        assert answer_of(finding(quote), owner, question) == "Amazon"


PLACE = QueryAspect("Institute where Ann Lee created Bolt", "relation", subject="Ann Lee", answer_kind="organisation")
MADE_THERE = QueryAspect("Which tool was developed at the institute", "relation", depends_on=PLACE.aspect)


def test_the_class_of_a_link_need_not_be_said():
    said = finding("Ann Lee created Bolt at the Dyna Centre in Oslo.")
    assert answer_of(said, PLACE, f"{MADE_THERE.aspect} where Ann Lee created Bolt?") == "Dyna Centre"


def test_the_head_of_a_link_gives_way_to_its_name():
    assert restated(MADE_THERE, "Dyna Centre").aspect == "Which tool was developed at Dyna Centre"


@pytest.mark.parametrize(
    ("quote", "says"),
    [
        ("Ed Poe developed Gamma at the Dyna Centre, or DC, in Oslo.", True),
        ("Ed Poe developed Gamma, and the Dyna Centre closed.", False),
        ("The Dyna Centre is where Ann Lee created Bolt.", False),
    ],
)
def test_which_was_made_there_is_said_by_a_sentence_with_a_further_name(quote, says):
    question = f"{MADE_THERE.aspect} where Ann Lee created Bolt?"
    assert says_of_link(restated(MADE_THERE, "Dyna Centre"), quote, question) is says


def test_what_waited_for_a_link_asks_for_the_name_found():
    now = restated(BIRTH, "Denys Desjardins")
    assert (now.aspect, now.subject) == ("Place of birth of Denys Desjardins", "Denys Desjardins")
    loose = replace(BIRTH, aspect="Born: who made it")
    assert restated(loose, "Denys Desjardins").aspect == "Born: Denys Desjardins"
