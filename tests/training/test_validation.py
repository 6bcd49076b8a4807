from types import SimpleNamespace

from adaq_core.datasets.judged import JudgedQuestion, Subtopic
from adaq_core.evaluation.measuring import Judge
from adaq_core.model import Passage
from adaq_core.retrieval.index import PassageIndex
from benchmarks.validation import Row, _spaced, _tenth, document_of, measures, table

PASSAGES = [
    Passage("a#0", "a", "A", "One stands here."),
    Passage("a#1", "a", "A", "Two stands here.", position=1),
    Passage("b#0", "b", "B", "Three stands here."),
    Passage("c#0", "c", "C", "Four stands here."),
]
QUESTION = JudgedQuestion(
    "q", "?", gold={"a": 1, "b": 1}, subtopics=(Subtopic("1", "a", "Two stands"), Subtopic("2", "b", "Three stands"))
)


def test_measures_of_an_order_and_of_the_set_that_its_first_passages_are():
    judge = Judge(PassageIndex.build(PASSAGES, name="abc"))
    found = measures(judge, QUESTION, ([PASSAGES[0], PASSAGES[3], PASSAGES[2]], 2))
    assert (found["Recall@2"], found["Recall@5"], found["AllGold@5"]) == (0.5, 1.0, 1.0)
    assert found["set_F1"] == 0.5
    assert found["StRecall@5"] == 0.5  # the passage of document a that holds the quote is not there
    assert "set_F1" not in measures(judge, QUESTION, (PASSAGES, None))


def test_a_table_has_means_with_intervals_and_dashes_for_what_was_not_measured():
    rows = [Row(("hotpot", "untrained"), [{"Recall@5": 1.0}, {"Recall@5": 0.5}])]
    assert table(("set", "ranker"), rows, columns=("Recall@5", "set_F1")) == (
        "| set | ranker | n | Recall@5 | set_F1 |\n"
        "| --- | --- | ---: | ---: | ---: |\n"
        "| hotpot | untrained | 2 | 0.750 [0.50, 1.00] | – |"
    )


def test_the_report_names_its_command():
    text = document_of({"One": "text"}, command="make it", about="About.")
    assert text == "# Validation of the ranker\n\nMade by `make it`. Do not edit by hand.\n\nAbout.\n\n## One\n\ntext\n"


def test_a_tenth_holds_all_gold_documents_whole_and_others_up_to_its_size():
    index = PassageIndex.build(PASSAGES, name="abc")
    asked = [SimpleNamespace(question=JudgedQuestion("q", "?", gold={"a": 1, "b": 0}))]
    assert sorted(p.passage_id for p in _tenth(index, asked, 2)) == ["a#0", "a#1"]  # type: ignore[arg-type]
    assert sorted(p.passage_id for p in _tenth(index, asked, 9)) == ["a#0", "a#1", "b#0", "c#0"]  # type: ignore[arg-type]


def test_questions_are_taken_evenly_spaced():
    assert _spaced(list(range(10)), 4) == [0, 3, 6, 9]  # type: ignore[arg-type, comparison-overlap]
    assert _spaced([1, 2], 4) == [1, 2]  # type: ignore[comparison-overlap, list-item]
