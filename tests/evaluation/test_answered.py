"""What an answer states, on answers worked out by hand."""

from adaq_core.datasets.judged import Facts, JudgedQuestion, Subtopic
from adaq_core.evaluation.answered import StatedAnswer, answer_measures, stated_by
from adaq_core.events import AspectsPlanned
from adaq_core.model import (
    Answer,
    Citation,
    NotCovered,
    Passage,
    Provenance,
    QueryAspect,
    RankedPassage,
    ShortAnswer,
    Statement,
)
from adaq_core.trace import RunView

PASSAGE = Passage("b#0", "b", "Beta", "Beta bought Alpha in 1950 from Rome.")
EVIDENCE = (RankedPassage(PASSAGE, 1, 0.5, Provenance(1)),)
CITATIONS = (Citation(1, "b#0", "b", "", "", 0, 0), Citation(2, "c#0", "c", "", "", 0, 0))
SPAN = JudgedQuestion("q", "Who bought it?", {"answer": "Beta"}, {"b": 1, "a": 1})
YES_NO = JudgedQuestion("q", "Did it?", {"answer": "no"}, {"b": 1})
NULL = JudgedQuestion("q", "Who?", {"type": "null", "answer": "Insufficient information."})


def answer(text, *, short=None, status=None, abstained=False, not_covered=(), numbers=(1,)):
    statements = (Statement(text, "x", numbers),) if text else ()
    return Answer("…", statements, CITATIONS, (), not_covered, abstained, short, status)


def measured(given, question=SPAN, *, stop="all_covered"):
    run = RunView(answer=given, stop_reason=stop, evidence=EVIDENCE)
    return answer_measures(stated_by(run), question, EVIDENCE)


def test_a_gold_span_counts_in_a_statement_or_as_the_short_answer():
    assert measured(answer("It was **Beta** [1]."))["answer_contains"] == 1.0
    assert measured(answer("", short=ShortAnswer("Beta", "organisation")))["answer_contains"] == 1.0
    assert measured(answer("It was Gamma [1]."))["answer_contains"] == 0.0


def test_what_an_answer_says_of_itself_is_not_what_it_states():
    given = answer("Gamma [1].", not_covered=(NotCovered("Beta", ("Beta?",), "no passage names Beta"),))
    assert measured(given)["answer_contains"] == 0.0
    assert measured(answer("See “Owner of Beta” above."))["answer_contains"] == 0.0


def test_the_nearest_that_is_shown_when_declining_does_not_count():
    nearest = answer("It was Beta [1].", abstained=True)
    names = ("answer_contains", "citation_recall", "answer_words", "refused_answerable", "false_not_covered")
    assert [measured(nearest)[name] for name in names] == [0.0, 0.0, 0.0, 1.0, 1.0]
    assert measured(answer("It was Beta [1].", status="not_covered"))["answer_contains"] == 0.0


def test_a_no_counts_only_when_it_is_the_short_answer():
    assert measured(answer("There is no proof [1]."), YES_NO)["answer_contains"] == 0.0
    stated = measured(answer("There is no proof [1].", short=ShortAnswer("No", "yes_no")), YES_NO)
    names = ("answer_contains", "answer_contains_yes_no", "verdict_accuracy", "short_answer_EM", "stated_precision")
    assert [stated[name] for name in names] == [1.0] * 5
    assert (stated["answer_contains_spans"], stated["answer_in_evidence"]) == (None, None)


def test_a_wrong_verdict_is_stated_and_wrong():
    stated = measured(answer("So it was [1].", short=ShortAnswer("Yes: it did", "yes_no")), YES_NO)
    assert (stated["verdict_accuracy"], stated["stated_precision"], stated["false_covered"]) == (0.0, 0.0, 1.0)


def test_what_is_not_certain_is_doubted_whether_it_can_be_answered_or_not():
    planned = AspectsPlanned((QueryAspect("Buyer", "entity"),))
    unsure = RunView(answer=answer("It was Gamma [1]."), planned=planned, evidence=EVIDENCE)
    names = ("doubted_answerable", "doubted_unanswerable", "refused_answerable", "declined_unanswerable")
    asked = [answer_measures(stated_by(unsure), question, EVIDENCE) for question in (SPAN, NULL)]
    assert [[each[name] for name in names] for each in asked] == [[1.0, None, 0.0, None], [None, 1.0, None, 0.0]]
    assert [measured(answer("It was Beta [1]."))[name] for name in names] == [0.0, None, 0.0, None]


def test_stated_precision_leaves_out_what_is_not_stated():
    silent = measured(answer("It was Beta [1]."))
    assert (silent["short_answer_EM"], silent["stated_precision"]) == (0.0, None)
    stated = measured(answer("It was Beta [1].", short=ShortAnswer("Beta Inc.", "organisation")))
    assert (stated["short_answer_EM"], stated["short_answer_F1"], stated["stated_precision"]) == (0.0, 2 / 3, 0.0)


def test_only_documents_that_statements_cite_are_cited():
    assert measured(answer("Beta [1].", numbers=(1,)))["citation_recall"] == 0.5
    assert measured(answer("Beta [2].", numbers=(2,)))["citation_precision"] == 0.0


def test_claiming_an_unanswerable_question_is_false_and_declining_it_is_not():
    claimed, declined = measured(answer("Beta [1]."), NULL), measured(answer("", abstained=True), NULL)
    assert (claimed["false_covered"], claimed["refused_answerable"]) == (1.0, None)
    assert (declined["false_covered"], declined["false_not_covered"]) == (None, 0.0)


def test_of_a_question_that_nobody_judged_no_refusal_is_right_or_wrong():
    unjudged = JudgedQuestion("q", "Who?", {"answerable": None})
    names = ("false_covered", "false_not_covered", "refused_answerable", "declined_unanswerable", "doubted_answerable")
    declined = measured(answer("", abstained=True), unjudged)
    assert [declined[name] for name in names] == [None] * 5


def test_a_run_that_neither_claims_nor_declines_is_in_neither_share():
    partly = measured(answer("Gamma [1].", status="partly"))
    assert (partly["false_covered"], partly["false_not_covered"], partly["refused_answerable"]) == (None, None, 0.0)


def test_a_free_text_gold_answer_is_compared_by_words_only():
    free = JudgedQuestion(
        "q", "Why?", {"answer": "Because the board of Alpha had asked Beta for help four times in vain."}
    )
    values = measured(answer("The board of Alpha asked Beta."), free)
    assert (values["answer_contains"], values["short_answer_EM"]) == (None, None)
    assert values["answer_F1"] > 0.4


def test_judged_facts_that_stand_in_the_answer_are_counted():
    facts = (Subtopic("1", "b", "Beta bought Alpha"), Subtopic("2", "a", "founded in 1901"))
    question = JudgedQuestion("q", "What of Alpha?", {}, {}, facts)
    values = measured(answer("Beta bought Alpha in 1950 [1]."), question)
    assert (values["nugget_recall"], values["false_covered"]) == (0.5, 0.0)


def test_numbers_are_right_wrong_or_not_stated():
    question = JudgedQuestion("q", "Capex?", {"answer": "$1577.00"}, {"b": 1})
    right = measured(answer("x", short=ShortAnswer("$1,577 million", "amount")), question)
    wrong = measured(answer("x", short=ShortAnswer("$1,204 million", "amount")), question)
    silent = measured(answer("x"), question)
    pairs = [
        (each["numeric_right"], each["numeric_wrong"], each["stated_precision"]) for each in (right, wrong, silent)
    ]
    assert pairs == [(1.0, 0.0, 1.0), (0.0, 1.0, 0.0), (0.0, 0.0, None)]


def test_no_answer_states_nothing():
    assert stated_by(RunView()) == StatedAnswer()


def test_an_exam_lists_what_has_to_stand_in_a_short_answer():
    question = JudgedQuestion("q", "Price?", {"answers": ["43 billion"]}, {"b": 1}, facts=Facts(short=("43 billion",)))
    given = answer("x", short=ShortAnswer("about 43 billion dollars", "amount"))
    assert measured(given, question)["stated_precision"] == 1.0
    assert measured(given, JudgedQuestion("q", "Price?", {"answer": "43 billion"}))["stated_precision"] == 0.0


def test_a_short_answer_to_what_has_no_answer_is_wrong():
    assert measured(answer("x", short=ShortAnswer("June 2025", "date")), NULL)["stated_precision"] == 0.0
