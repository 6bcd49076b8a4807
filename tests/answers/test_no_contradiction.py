"""Nothing within one run contradicts: over the bundled questions on the sample corpus, as a user asks them."""

from dataclasses import dataclass

import pytest

from adaq_core.answers.form import NOT_CERTAIN, is_unsure
from adaq_core.datasets.beir import load_set
from adaq_core.events import AnswerWritten, EvidenceAssembled, Record, of_kind
from adaq_core.measures import answer_tokens
from adaq_core.model import Answer, QueryAspect, RankedPassage
from adaq_core.trace import RunView, view
from pages._shared.run.verdict import verdict

SETS = ("finance", "general", "exam", "exam-free", "exam-reworded")
ONE_SHOT = ("bm25", "multi_query", "seal_rag")
OPERATED = (
    "How many heads does the base Transformer use?",
    "Which was founded first, NVIDIA or Tesla?",
    "Who is older, Jamie Dimon or Tim Cook?",
    "Do both Amazon and Microsoft have their headquarters in Washington?",
    "Did AWS grow faster than Azure in the first half of 2023, and if so by how many percentage points?",  # unchecked
)


@dataclass(frozen=True)
class Told:
    """What a run says of itself in its parts."""

    question: str
    answer: Answer
    evidence: tuple[RankedPassage, ...]
    run: RunView

    @property
    def open(self) -> list[QueryAspect]:
        return [aspect for aspect in self.run.aspects if aspect.aspect not in self.run.covered_at]

    @property
    def open_core(self) -> list[str]:
        core = [aspect.aspect for aspect in self.open if aspect.is_core]
        return core + [name for name in self.run.unchecked if name not in core]


@pytest.fixture(scope="module")
def told(run_of):
    asked = [q.text for name in SETS for q in load_set(name).questions]
    runs = [_told(run_of("adaptive", question), question) for question in (*OPERATED, *asked)]
    return runs + [_told(run_of(method, question), question) for method in ONE_SHOT for question in asked[::20]]


def _told(events, question):
    evidence = next((event.evidence for event in reversed(list(of_kind(events, EvidenceAssembled)))), ())
    run = view([Record(n, "", 0.0, event) for n, event in enumerate(events, start=1)])
    return Told(question, next(of_kind(events, AnswerWritten)).answer, evidence, run)


@pytest.fixture(scope="module")
def answered(told):
    """(question, answer, set) of every run."""
    return [(each.question, each.answer, each.evidence) for each in told]


def test_what_is_called_not_covered_is_not_stated(answered):
    both = [
        (question, missing.aspect)
        for question, answer, _ in answered
        if not answer.abstained
        for missing in answer.not_covered
        if missing.aspect in {statement.aspect for statement in answer.statements} and not is_unsure(missing)
    ]
    assert both == []


def test_an_answer_in_part_says_which_part_is_missing(answered):
    assert [question for question, answer, _ in answered if answer.status == "partly" and not answer.not_covered] == []


def test_a_short_answer_stands_in_what_it_cites_or_says_how_it_was_worked_out(answered):
    for question, answer, _ in answered:
        if answer.short is None or answer.short.derivation or answer.short.kind == "yes_no":
            continue
        quotes = " ".join(c.quote for c in answer.citations if c.n in answer.short.citations)
        assert set(answer_tokens(answer.short.text)) <= set(answer_tokens(quotes)), question


def test_an_answer_that_states_something_short_declines_nothing(answered):
    assert [q for q, answer, _ in answered if answer.short is not None and answer.not_covered] == []


def test_every_passage_of_the_set_is_used_or_the_answer_says_why_not(answered):
    for question, answer, evidence in answered:
        if answer.abstained or not evidence:
            continue
        used = {citation.passage_id for citation in answer.citations}
        told = {passage.passage_id for passage in answer.unused}
        assert used | told >= {each.passage.passage_id for each in evidence}, question
        assert not used & told, question


def broken(told, rule):
    """The questions whose run does not keep to `rule`."""
    return [each.question for each in told if not rule(each)]


def test_a_short_answer_is_stated_only_where_all_that_matters_is_covered_and_checked(told):
    assert broken(told, lambda each: each.answer.short is None or not each.open_core) == []


def test_who_declines_states_nothing_covers_nothing_and_says_so_in_the_status(told):
    declining = ("not_covered", "not_in_corpus", "unclear")
    assert broken(told, lambda each: each.answer.abstained == (each.answer.status in declining)) == []
    assert broken(told, lambda each: not each.answer.abstained or each.answer.short is None) == []
    assert broken(told, lambda each: not each.answer.abstained or not each.run.covered_at) == []


def test_an_answered_question_has_nothing_open_and_one_in_part_has(told):
    assert broken(told, lambda each: each.answer.status != "answered" or not each.open_core) == []
    assert broken(told, lambda each: each.answer.status != "partly" or each.open or each.run.unchecked) == []


def test_the_reason_to_stop_is_what_coverage_says(told):
    def rule(each):
        if each.run.stop_reason == "all_covered":
            return not each.open and not each.run.unchecked
        if each.run.stop_reason == "core_covered":
            return not any(aspect.is_core for aspect in each.open)
        return each.run.stop_reason != "no_evidence" or each.answer.abstained

    assert broken(told, rule) == []


def test_what_is_called_missing_is_open_and_what_is_open_is_called_missing(told):
    def rule(each):
        named = {missing.aspect for missing in each.answer.not_covered}
        kept = {aspect.aspect for aspect in each.open} | set(each.run.unchecked)
        return named <= kept and (each.answer.abstained or each.answer.short or set(each.open_core) <= named)

    assert broken(told, rule) == []


def test_no_sentence_is_sure_is_said_where_nothing_is_covered(told):
    def rule(each):
        bare = not (each.run.covered_at or each.answer.short or each.answer.abstained)
        return (NOT_CERTAIN in each.answer.text) == bare

    assert broken(told, rule) == []


def test_the_stop_card_says_what_the_answer_says(told):
    def rule(each):
        card = verdict(each.run)
        unchecked = all(text in card.unchecked for texts in each.run.unchecked.values() for text in texts)
        return unchecked and (each.answer.status != "answered" or card.outcome == "answered" or bool(each.open))

    assert broken([each for each in told if not each.answer.abstained], rule) == []
