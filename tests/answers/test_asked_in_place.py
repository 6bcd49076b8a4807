"""What is asked for where it stands, or of what was done by whom, is answered as if it were asked first."""

import pytest

from adaq_core.evaluation.working import recorded
from adaq_core.model import Passage
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.trace import view
from tests.asking import execute

TEXTS = {
    "Nimbus: products and partners": (
        "Nimbus sells storage to banks.\n\nNimbus bought Larch in 2016, Pine in 2018 and the publisher Cedar Works in "
        "October 2023.\n\nDora Quist has led Nimbus as chief executive since 2019.\n\nThe seat of Nimbus is in Bergen."
    ),
    "Nimbus: legal matters": (
        "Before the Markets Act, European regulators had fined Nimbus two million euros in March 2024 over its rules "
        "for shops, after a complaint by Harbour Audio.\n\nThe tax relief for sailing boats ended on 30 September 2025."
    ),
    "Rates": (
        "The Bank of Norland lowered its rate by one percentage point between May and December 2024 and by a further "
        "three quarters of a point between May and December 2025."
    ),
}


@pytest.fixture(scope="module")
def retriever(tmp_path_factory):
    folder = tmp_path_factory.mktemp("in_place")
    PassageIndex.build([Passage(f"{t}#0", t, t, text) for t, text in TEXTS.items()], name="in place").save(folder)
    return DocumentRetriever(PassageIndex.load(folder))


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Cedar Works was acquired by which company?", "Nimbus"),
        ("Which company was Pine bought by?", "Nimbus"),
        ("By whom was Larch bought?", "Nimbus"),
        ("Nimbus is led by who?", "Dora Quist"),
        ("The tax relief for sailing boats ended on which date?", "30 September 2025"),
        ("The Bank of Norland lowered its rate by how much in 2024?", "one percentage point"),
        ("The Bank of Norland lowered its rate by how much in 2025?", "three quarters of a point"),
    ],
)
def test_what_is_asked_for_in_its_place_is_stated(retriever, question, short):
    answer = view(recorded(list(execute("adaptive", question, retriever=retriever)))).answer
    assert answer.short is not None
    assert answer.short.text == short


@pytest.mark.parametrize("question", ["Which regulator fined Nimbus in March 2024?", "Who was Nimbus fined by?"])
def test_neither_the_circumstance_nor_who_complained_did_it(retriever, question):
    answer = view(recorded(list(execute("adaptive", question, retriever=retriever)))).answer
    assert answer.short is None
    assert "European regulators had fined Nimbus" in answer.text


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Who leads Nimbus and where is its seat?", "Dora Quist; Bergen"),
        ("Where is the seat of Nimbus and who leads it?", "Bergen; Dora Quist"),
    ],
)
def test_facts_that_are_asked_together_are_stated_in_turn(retriever, question, short):
    answer = view(recorded(list(execute("adaptive", question, retriever=retriever)))).answer
    assert answer.short is not None
    assert answer.short.text == short


def test_a_part_that_leans_on_the_one_before_it_is_not_asked_alone(retriever):
    question = "When did the tax relief for sailing boats end and what ended it?"
    answer = view(recorded(list(execute("adaptive", question, retriever=retriever)))).answer
    assert "30 September 2025" in answer.text
    assert answer.short is None or ";" not in answer.short.text


def test_of_facts_asked_together_none_is_stated_where_one_is_not_there(retriever):
    question = "Who leads Nimbus and when was it founded?"
    answer = view(recorded(list(execute("adaptive", question, retriever=retriever)))).answer
    assert answer.short is None
    assert answer.status == "partly"
    assert "**Dora Quist** has led Nimbus" in answer.text


@pytest.mark.parametrize("question", ["Who leads Cedar?", "Who runs the shops of Larch?"])
def test_who_leads_a_part_does_not_lead_the_whole(question):
    index = PassageIndex.build(
        [Passage("Cedar#0", "Cedar", "Cedar: people", "Ann Lee has led Cedar consumer sales since March 2024.")],
        name="Cedar",
    )
    answer = view(recorded(list(execute("adaptive", question, retriever=DocumentRetriever(index))))).answer
    assert answer.short is None
