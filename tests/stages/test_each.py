"""What is asked of each thing of a kind that the documents of a corpus are about."""

from __future__ import annotations

import pytest

from adaq_core.events import AnswerWritten, AspectsPlanned, of_kind
from adaq_core.model import Document, Settings
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.execute import RunSpec, execute
from adaq_core.stages.plan import asked_of_each
from adaq_core.text.passages import cut

STRUCK = "A strike of 300 welders closed the plant in May 2024."
SAID = {
    "Alder": (
        "Alder is a Danish maker of bicycles.",
        "A strike of welders closed the Alder plant in May 2024.",
        "Alder buys frames from Norvex. In 2021 Alder paid a fine to the Port Authority.",
    ),
    "Birch": (
        "Birch is a company that prints books.",
        "The workers of Birch have never been on strike.",
        "Birch sold its mill without paper stocks, which ended the case of the Port Authority without a fine.",
    ),
    "Cedar": (
        "Cedar is a bank in Oslo.",
        "Drivers of Cedar vans began a strike in 2023. That strike also reached Cedar branches.",
        "Cedar buys coffee from Norvex.",
    ),
    "Drift": (
        "Ferries of Drift cross the bay.",
        "Drift cut 40 jobs in June 2025.",
        "The Port Authority fined Drift in 2022.",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    parts = ("overview", "staff", "suppliers and rules")
    documents = [
        Document(f"{name}-{part}", f"{name}: {part}", f"{text} {name} keeps an office in the town.")
        for name, told in SAID.items()
        for part, text in zip(parts, told, strict=True)
    ]
    return PassageIndex.build([passage for each in documents for passage in cut(each)], name="firms")


def run_of(index: PassageIndex, question: str) -> list:
    settings = Settings(k_auto=True)
    return list(execute(RunSpec("adaptive", question, settings), retriever=DocumentRetriever(index)))


def told(index: PassageIndex, question: str) -> list[str]:
    """The things of which the answer tells, by the sentence of each."""
    [written] = of_kind(run_of(index, question), AnswerWritten)
    return [statement.text for statement in written.answer.statements]


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("Which companies had strikes?", ["A strike of welders", "Drivers of Cedar"]),
        ("Which of the four firms had strikes?", ["A strike of welders", "Drivers of Cedar"]),
        ("Which companies buy from Norvex?", ["Alder buys frames", "Cedar buys coffee"]),
        ("Which companies were fined by the Port Authority?", ["In 2021 Alder paid", "The Port Authority fined Drift"]),
        ("Which of the companies had layoffs?", ["Drift cut 40 jobs"]),
    ],
)
def test_a_sentence_is_told_of_each_thing_that_does_it(index: PassageIndex, question: str, begin: list[str]) -> None:
    sentences = told(index, question)
    assert len(sentences) == len(begin)
    assert all(sentence.startswith(start) for sentence, start in zip(sentences, begin, strict=True))


@pytest.mark.parametrize(
    "question",
    [
        "How were the four companies hit by strikes?",
        "What is said of strikes at each firm?",
        "What does each of the companies say about strikes?",
    ],
)
def test_what_is_asked_of_all_is_told_of_each(index: PassageIndex, question: str) -> None:
    assert [sentence.split()[0] for sentence in told(index, question)][:2] == ["A", "Drivers"]


def test_as_many_passages_are_cited_as_there_are_things_that_do_it() -> None:
    names = ("Ash", "Bay", "Elm", "Fir", "Gum", "Oak", "Yew")
    documents = [
        Document(f"{name}-{n}", f"{name}: part {n}", text)
        for name in names
        for n, text in enumerate((f"{name} is a firm.", f"A strike of welders closed the {name} plant in May.", "Tea."))
    ]
    corpus = PassageIndex.build([passage for each in documents for passage in cut(each)], name="seven")
    assert len(told(corpus, "Which companies had strikes?")) == len(names)
    assert len(told(corpus, "How did strikes affect each company?")) == len(names)


def test_risks_of_each_thing_are_one_sentence_of_each_and_not_the_topics_of_one() -> None:
    texts = {"Elm": "floods", "Fir": "old debt", "Gum": "a lawsuit"}
    documents = [
        Document(f"{name}-{n}", f"{name}: part {n}", text)
        for name, threat in texts.items()
        for n, text in enumerate((f"{name} is a firm.", f"The main risk of {name} is {threat}.", f"{name} sells tea."))
    ]
    corpus = PassageIndex.build([passage for each in documents for passage in cut(each)], name="risks")
    assert told(corpus, "What is the main risk of each company?") == [
        f"The main risk of {name} is {threat}." for name, threat in texts.items()
    ]


def test_a_sentence_that_does_not_name_its_thing_stands_behind_its_name(index: PassageIndex) -> None:
    renamed = [
        Document(f"{name}-{n}", f"{name}: part {n}", text)
        for name in ("Elm", "Fir", "Gum")
        for n, text in enumerate((f"{name} is a company.", STRUCK, f"{name} sells tea."))
    ]
    corpus = PassageIndex.build([passage for each in renamed for passage in cut(each)], name="strikes")
    assert told(corpus, "Which companies had strikes?") == [f"{name}: {STRUCK}" for name in ("Elm", "Fir", "Gum")]


@pytest.mark.parametrize(
    "question",
    [
        "Which companies compete with Birch?",  # others than those that the corpus is about
        "Which companies have never been fined?",
        "Which company had the longest strike?",
        "Which rivers had floods?",
        "Who had strikes?",
    ],
)
def test_other_questions_are_asked_of_no_thing_by_itself(index: PassageIndex, question: str) -> None:
    [planned] = of_kind(run_of(index, question), AspectsPlanned)
    assert asked_of_each(planned.aspects, index) is None


@pytest.mark.parametrize("method", ["adaptive", "bm25"])
def test_of_a_set_with_some_of_the_things_these_are_told_and_how_many_are_left(
    index: PassageIndex, method: str
) -> None:
    spec = RunSpec(method, "Which companies had a strike of welders or drivers?", Settings(k=1))
    [written] = of_kind(execute(spec, retriever=DocumentRetriever(index)), AnswerWritten)
    [statement] = written.answer.statements
    assert "strike" in statement.text
    assert written.answer.status == "partly"
    assert [missing.aspect for missing in written.answer.not_covered] == ["1 more of which it is said"]
