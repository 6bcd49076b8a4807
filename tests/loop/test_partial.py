"""An answer of the nearest that was found, where no aspect is covered for certain."""

from adaq_core.loop.partial import partial
from adaq_core.loop.terms import uniform
from adaq_core.model import Answer, Finding, NotCovered, Passage, Provenance, QueryAspect, RankedPassage

CATS = Passage("a#0", "a", "Cats", "A cat sleeps. A cat hunts mice at night.")
DOGS = Passage("b#0", "b", "Dogs", "Dogs bark. Some dogs hunt.")
ASPECTS = (QueryAspect("Hunting", "entity"), QueryAspect("Sleep", "entity"))
NOTHING = Answer("", (), (), (), (NotCovered("Hunting", (), "open"),), abstained=True)


def ranked(passage: Passage, rank: int) -> RankedPassage:
    return RankedPassage(passage, 1.0, rank, (), (), Provenance(hop=1, query="q"))


EVIDENCE = (ranked(CATS, 1), ranked(DOGS, 2))


def made(*findings: Finding) -> Answer:
    return partial(
        NOTHING, question="What hunts at night?", aspects=ASPECTS, evidence=EVIDENCE, findings=findings, weigh=uniform
    )


def finding(aspect: str, passage: Passage, quote: str, score: float) -> Finding:
    start = passage.text.index(quote)
    return Finding(aspect, passage.passage_id, quote, start, start + len(quote), score)


def test_the_best_finding_of_each_passage_is_quoted_by_aspect() -> None:
    answer = made(
        finding("Sleep", CATS, "A cat sleeps.", 0.3),
        finding("Hunting", DOGS, "Some dogs hunt.", 0.3),
        finding("Hunting", CATS, "A cat hunts mice at night.", 0.4),
        finding("Hunting", CATS, "A cat sleeps.", 0.2),
        finding("Hunting", Passage("c#0", "c", "", "Not in the set."), "Not in the set.", 0.9),
    )
    assert [(s.aspect, s.text, s.citations) for s in answer.statements] == [
        ("Hunting", "A cat hunts mice at night.", (1,)),
        ("Hunting", "Some dogs hunt.", (2,)),
        ("Sleep", "A cat sleeps.", (3,)),
    ]
    assert not answer.abstained
    assert answer.not_covered == NOTHING.not_covered


def test_without_findings_the_sentences_nearest_to_the_question_are_quoted() -> None:
    assert [s.text for s in made().statements] == ["A cat hunts mice at night.", "Some dogs hunt."]


def test_without_evidence_there_is_still_no_answer() -> None:
    assert partial(NOTHING, question="q", aspects=ASPECTS, evidence=(), findings=(), weigh=uniform) == NOTHING
