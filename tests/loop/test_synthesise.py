"""The extractive answer: cited, exact, merged, honest about what is missing."""

from adaq_core.loop.synthesise import synthesise
from adaq_core.loop.withhold import withheld
from adaq_core.model import AspectCoverage, Finding, Passage, Provenance, QueryAspect, RankedPassage

SALES = "Tesla sold 1.8 million cars in the year."
OTHER_SALES = "Tesla sold 1.6 million cars in the year."


def passage(name, text):
    return Passage(name, name, name.title(), text)


def evidence(*passages):
    return [RankedPassage(p, rank, 1.0, Provenance(1)) for rank, p in enumerate(passages, start=1)]


def finding(aspect, given, quote, score=0.9):
    start = given.text.index(quote)
    return Finding(aspect, given.passage_id, quote, start, start + len(quote), score)


def write(aspects, passages, findings, scores=None, queries=None):
    coverage = AspectCoverage([QueryAspect(name, "definition") for name in aspects])
    coverage.coverage_scores.update(scores or {f.aspect: f.score for f in findings})
    return synthesise(coverage, evidence(*passages), findings, threshold=0.5, queries=queries or {})


def test_the_answer_is_grouped_by_aspect_and_every_sentence_is_cited():
    one, two = passage("one", "A cat purrs. Cats sleep."), passage("two", "A dog barks.")
    answer = write(
        ["Cats", "Dogs"], [one, two], [finding("Cats", one, "A cat purrs."), finding("Dogs", two, "A dog barks.")]
    )
    assert answer.text == "**Cats**\n\nA cat purrs. [1]\n\n**Dogs**\n\nA dog barks. [2]"
    assert [(s.aspect, s.citations) for s in answer.statements] == [("Cats", (1,)), ("Dogs", (2,))]
    assert not answer.abstained


def test_citations_quote_exactly_at_their_offsets():
    one = passage("one", "Before. A cat  purrs.")
    answer = write(["Cats"], [one], [finding("Cats", one, "A cat  purrs.")])
    (citation,) = answer.citations
    assert one.text[citation.start : citation.end] == citation.quote == "A cat  purrs."
    assert answer.statements[0].text == "A cat purrs."


def test_a_withheld_answer_says_what_is_missing_and_shows_the_nearest():
    one = passage("one", "A cat purrs.")
    answer = withheld(
        write(["Cats", "Dogs"], [one], [finding("Cats", one, "A cat purrs.")]),
        lacking=["no passage of the corpus names “Rex”"],
    )
    assert answer.text == (
        "**Not enough evidence for an answer**\n\n"
        "The corpus does not seem to hold an answer: no passage of the corpus names “Rex”.\n\n"
        "**The nearest that was found, which does not answer the question**\n\n- A cat purrs. [1]\n\n"
        "**Not covered**\n\n- Dogs: no passage that was read says enough about it; not searched"
    )
    assert answer.abstained
    assert [citation.quote for citation in answer.citations] == ["A cat purrs."]


def test_where_nothing_was_found_it_is_said_what_is_missing():
    answer = withheld(write(["Cats"], [], []), lacking=["no passage of the corpus names “Rex”"])
    assert answer.text.startswith(
        "No evidence was found for this question, so there is no answer. "
        "What is missing: no passage of the corpus names “Rex”.\n\n**Not covered**\n\n- Cats: "
    )
    assert answer.abstained


def test_near_duplicate_sentences_become_one_with_both_citations():
    one, two = passage("one", "A grey cat purrs loudly at night."), passage("two", "A grey cat purrs loudly at night!")
    answer = write(["Cats"], [one, two], [finding("Cats", one, one.text), finding("Cats", two, two.text, 0.8)])
    assert [(s.text, s.citations) for s in answer.statements] == [("A grey cat purrs loudly at night.", (1, 2))]


def test_numbers_that_disagree_are_shown_side_by_side():
    one, two = passage("one", SALES), passage("two", OTHER_SALES)
    answer = write(["Sales"], [one, two], [finding("Sales", one, SALES), finding("Sales", two, OTHER_SALES, 0.8)])
    (conflict,) = answer.conflicts
    assert (conflict.values, conflict.citations) == ((SALES, OTHER_SALES), (1, 2))
    assert "**Sources disagree**" in answer.text


def test_what_is_not_covered_is_listed_with_the_queries_tried():
    one = passage("one", "A cat purrs.")
    answer = write(
        ["Cats", "Dogs"], [one], [finding("Cats", one, "A cat purrs.")], queries={"Dogs": ["What are dogs?"]}
    )
    assert [(m.aspect, m.queries) for m in answer.not_covered] == [("Dogs", ("What are dogs?",))]
    assert answer.text.endswith("- Dogs: no passage that was read says enough about it; tried: “What are dogs?”")


def test_with_nothing_found_it_does_not_answer():
    answer = write(["Cats"], [passage("one", "Rain.")], [], queries={"Cats": ["What are cats?"]})
    assert answer.abstained
    assert answer.statements == ()
    assert answer.citations == ()
    assert answer.text.startswith("No evidence was found for this question, so there is no answer.")


def test_a_finding_outside_the_evidence_is_never_cited():
    one, out = passage("one", "A cat purrs."), passage("out", "A cat meows.")
    answer = write(["Cats"], [one], [finding("Cats", out, "A cat meows.", 1.0), finding("Cats", one, "A cat purrs.")])
    assert {c.passage_id for c in answer.citations} == {"one"}


def test_an_aspect_whose_sentence_was_quoted_before_is_pointed_to_it():
    one = passage("one", "Query, key and value are projections.")
    both = [finding(name, one, one.text) for name in ("Query", "Key")]
    answer = write(["Query", "Key"], [one], both)
    assert [(s.text, s.citations) for s in answer.statements] == [(one.text, (1,)), ("See “Query” above.", (1,))]
