"""The questions of a review over the bundled corpus: what each answer has to say, in order, and what it must not say.

What is still not right is named in `OPEN`, with what is missing; a row of it that comes right has to move up.
"""

import re
from dataclasses import dataclass

import pytest

from adaq_core.events import AnswerWritten, of_kind
from adaq_core.model import Settings
from adaq_core.retrieval.index import DocumentRetriever
from tests.asking import execute


@dataclass(frozen=True)
class Reviewed:
    """`says` are patterns, each behind the one before; `first` has to stand in the first `head` characters."""

    question: str
    status: str
    says: tuple[str, ...] = ()
    never: str = ""
    first: str = ""
    head: int = 260


LIST = (
    Reviewed("Did Boeing plead guilty?", "answered", ("plead guilty", "rejected", "dismissed"), first=r"\A\*\*No\*\*"),
    Reviewed(
        "Top risks facing Tesla in 2025", "answered", ("October 2025 NHTSA", "BYD", "tariff of 25", "243 million")
    ),
    Reviewed("Who created BM25 and when?", "answered", ("Stephen Robertson", "early 1990s"), "hybrid|MRR", "Robertson"),
    Reviewed("Why did Boeing lose orders?", "partly", ("Not certain",)),
    Reviewed(
        "Which of the eight companies depend on TSMC?",
        "answered",
        ("NVIDIA processors", "Amazon", "Apple designs"),
        "Tesla|Pfizer|JPMorgan",
    ),
    Reviewed("Which risks does Tesla NOT face?", "unclear", ("what is not the case",)),
    Reviewed("How much did it cost to train GPT-4?", "not_covered", ("no answer",), "billion|million|parameters"),
    Reviewed(
        "Which regulatory risks does Apple face outside the United States?",
        "answered",
        ("European Commission", "500 million euros", "United Kingdom"),
    ),
    Reviewed(
        "How does the search ruling against Google affect Apple?",
        "answered",
        ("illegally maintained a search monopoly", "still allowed Google to pay Apple"),
    ),
    Reviewed("What caused the door plug accident?", "answered", ("four bolts", "door plug blew out"), "MCAS", "bolts"),
    Reviewed("Does Apple own chip factories?", "partly", ("TSMC makes the advanced ones",), r"\*\*Yes|who own"),
    Reviewed(
        "What is attention?",
        "answered",
        ("Multi-head attention runs", "Scaled dot-product attention is"),
        "Before additive",
        first="form of neural attention",
    ),
    Reviewed(
        "List all lawsuits against Tesla",
        "answered",
        (
            "243 million",
            "pay package",
            "reinstated",
            "racial discrimination",
            "Securities and Exchange",
            "self-driving",
        ),
    ),
    Reviewed("Should I buy NVIDIA stock?", "unclear", ("asks for advice",)),
    Reviewed("What about their competitors?", "unclear", ("“their”",)),
    Reviewed("Is Tesla profitable?", "partly", ("Not certain",), r"\A\*\*(?:Yes|No)\*\*"),
    Reviewed("main risks facing Boeing", "answered", ("Federal Aviation Administration", "Airbus", "737 MAX crashes")),
    Reviewed(
        "Which court decisions and settlements in 2025 concerned Apple?",
        "answered",
        ("30 April 2025", "October 2025", "95 million dollars"),
        first="June 2025",
    ),
    Reviewed("When did the EV tax credit end?", "answered", ("30 September 2025",), first="30 September 2025"),
    Reviewed(
        "Why did Pfizer's revenue fall after 2022?", "answered", ("governments stopped buying",), first="Comirnaty"
    ),
    Reviewed("How do I install streamlit?", "partly", ("Not certain",), "pip"),
    Reviewed(
        "Apple vs Microsoft antitrust", "answered", ("March 2024", "November 2024"), "Services earn", first="sued Apple"
    ),
    Reviewed(
        "Compare Microsoft's and Amazon's cloud revenue growth in Q3 2023",
        "partly",
        ("Not certain",),
        r"\d ?%|headquarters|Trade Commission",
    ),
    Reviewed("How many heads does the base Transformer use?", "answered", ("two documents",), first=r"\A\*\*eight"),
    Reviewed(
        "Is Pfizer more exposed to patent cliffs than JPMorgan Chase is to interest rates?",
        "partly",
        ("Loss of patent protection", "interest rates in 2022"),
        first="Loss of patent protection",
    ),
    Reviewed("Who was the first person on the moon?", "not_in_corpus", ("no passage of the corpus says “moon”",)),
    Reviewed("What does trafilatura do, and what are its advantages?", "not_in_corpus", ("Not enough evidence",)),
    Reviewed("Wie funktioniert BM25?", "unclear", ("English only",)),
    Reviewed("Nvdia risks", "answered", ("risks of NVIDIA", "no chip factories", "AMD", "lawsuits")),
    Reviewed("risks", "unclear", ("too vague",)),
    Reviewed("Tell me more", "unclear", ("too vague",)),
    Reviewed("Go on", "unclear", ("too vague",)),
    Reviewed(
        "Which database was developed at the institute where Guido van Rossum created Python?",
        "answered",
        ("developed DuckDB at", "CWI is also the institute"),
        "Streamlit",
        first="DuckDB",
    ),
    Reviewed("regulation of Amazon before 2023", "answered", ("December 2022",), "September 2023", "December 2022"),
    Reviewed("What is prompt injection?", "answered", (), first=r"\APrompt injection is an attack"),
    Reviewed("When was Tesla's IPO?", "answered", first=r"\A\*\*2010\*\*"),
    Reviewed(
        "When did Boeing complete the takeover of Spirit AeroSystems?", "answered", first=r"\A\*\*December 2025\*\*"
    ),
    Reviewed("Who runs the commercial business at Microsoft?", "answered", first=r"\A\*\*Judson Althoff\*\*"),
    Reviewed(
        "Who founded NVIDIA, when did CUDA come out, and who is the finance chief?",
        "answered",
        ("founded in 1993 by", "CUDA programming platform in 2006", "Colette Kress"),
        "AMD",
    ),
    Reviewed("Which benchmark data sets for multi-hop QA are covered?", "answered", ("MuSiQue and MultiHop-RAG",)),
    Reviewed("Is NVIDIA a buy at this price?", "unclear", ("advice",)),
    Reviewed(
        "List the fines and settlements JPMorgan has paid since 2013", "answered", ("November 2013", "348 million")
    ),
    Reviewed("Why did JPMorgan take over Wells Fargo?", "partly", ("Not certain",)),
    Reviewed("Is the FTC still fighting Microsoft over Activision?", "answered", ("dropped",), first=r"\A\*\*No\*\*"),
    Reviewed(
        "What types of question make up 2WikiMultiHopQA?",
        "answered",
        ("four kinds", "Comparison", "Inference", "Compositional", "Bridge-comparison"),
        "190,000|MuSiQue",
    ),
    Reviewed("number of queries in multihop-rag?", "answered", first="2,556"),
    Reviewed(
        "What became of the fuselage supplier that Boeing once spun off and then wanted back?",
        "answered",
        ("Spirit AeroSystems in Wichita", "completed the purchase in December 2025"),
    ),
    Reviewed("Compare SEAL-RAG, Self-RAG and CRAG", "answered", ("Corrective RAG, or CRAG, is a method",)),
    Reviewed(
        "Which US curbs on selling advanced chips to China were in place before 2024?",
        "answered",
        ("October 2022", "October 2023"),
        "H200|2025",
    ),
    Reviewed(
        "Show a table of CEOs of Apple, Microsoft and NVIDIA", "answered", ("Tim Cook", "Satya Nadella", "Jensen Huang")
    ),
    Reviewed(
        "What could go wrong for JPMorgan on the IT side?", "answered", ("cheques", "Cyber attacks"), "interest rates"
    ),
)
# The question, and what its answer should say and does not.
OPEN = (
    ("Does Apple own chip factories?", "the corpus says who makes the chips, and the answer does not say no"),
    ("Why did Boeing lose orders?", "China told its airlines in April 2025 to stop accepting Boeing aircraft"),
)


@pytest.fixture
def asked(run_of):
    def ask(question):
        (written,) = of_kind(run_of("adaptive", question), AnswerWritten)
        return written.answer

    return ask


@pytest.mark.parametrize("row", LIST, ids=lambda row: row.question)
def test_each_question_of_the_review_comes_out_as_the_corpus_has_it(row, asked):
    answer = asked(row.question)
    assert answer.status == row.status
    for pattern in row.says:
        assert re.search(pattern, answer.text), pattern
    assert not (row.never and re.search(row.never, answer.text))
    assert re.search(row.first, answer.text[: row.head])


@pytest.mark.parametrize(("question", "missing"), OPEN)
def test_what_is_open_of_the_review_is_not_called_answered(question, missing, asked):
    assert missing
    assert asked(question).status == "partly"


def test_several_causes_for_several_firms_are_a_table_with_something_of_each_firm(sample_index):
    question = (
        "How do regulation, supply chains and competition affect NVIDIA, Apple and Boeing, and which of them is most"
        " exposed to China since 2022?"
    )
    retriever, settings = DocumentRetriever(sample_index), Settings(k_auto=True)
    (written,) = of_kind(tuple(execute("adaptive", question, retriever=retriever, settings=settings)), AnswerWritten)
    table, said = written.answer.table, written.answer.statements
    assert table.columns == ("NVIDIA", "Apple", "Boeing")
    rows = {row.label: [" ".join(said[n].text for n in cell) for cell in row.cells] for row in table.rows}
    assert all(
        all(rows[label]) for label in ("Effect of regulation", "Effect of supply chains", "Effect of competition")
    )
    assert "no chip factories" in rows["Effect of supply chains"][0]
    assert "Huawei" in rows["Effect of competition"][1]
    assert "Airbus" in rows["Effect of competition"][2]
