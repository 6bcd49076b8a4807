"""What acronyms stand for, and that an index keeps it."""

from pathlib import Path

import pytest

from adaq_core.model import Passage
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.lexical import corrected, corrections
from adaq_core.retrieval.name_forms import acronyms_of, shortened, spelled_out

PASSAGES = [
    Passage("a#0", "a", "Recurrent Neural Networks", "A recurrent network has a state."),
    Passage("b#0", "b", "Markets", "The securities and exchange commission (SEC) files."),
    Passage("c#0", "c", "Space Entry Capsule", "It lands in the sea."),
]


def test_a_text_that_says_so_goes_before_the_initials_of_a_title() -> None:
    assert acronyms_of(PASSAGES[:1]) == {"RNN": "Recurrent Neural Networks"}
    assert acronyms_of([PASSAGES[2]]) == {"SEC": "Space Entry Capsule"}
    assert acronyms_of([Passage("d#0", "d", "", "Retrieval augmented generation (RAG)."), PASSAGES[0]]) == {
        "RAG": "Retrieval augmented generation",
        "RNN": "Recurrent Neural Networks",
    }


@pytest.mark.parametrize(
    ("name", "long"),
    [("RNN", "Recurrent Neural Networks"), ("RNNs", "Recurrent Neural Networks"), ("Rnn", None), ("GPU", None)],
)
def test_plurals_are_known_and_words_are_no_acronyms(name: str, long: str | None) -> None:
    assert PassageIndex.build(PASSAGES, name="x").long_form(name) == long


def test_a_saved_index_keeps_them(tmp_path: Path) -> None:
    PassageIndex.build(PASSAGES, name="x").save(tmp_path)
    (tmp_path / "acronyms.json").write_text('{"RNN": "kept"}', encoding="utf-8")
    assert PassageIndex.load(tmp_path).acronyms == {"RNN": "kept"}


@pytest.mark.parametrize(
    ("acronym", "name"),
    [
        ("NTSB", "National Transportation Safety Board"),
        ("DoJ", "Department of Justice"),
        ("OCC", "Office of the Comptroller of the Currency"),
        ("SEC", "Securities and Exchange Commission"),
        ("Sec", None),
        ("NTX", None),
    ],
)
def test_an_acronym_that_no_text_says_is_the_name_with_its_initials(acronym: str, name: str | None) -> None:
    text = (
        "The National Transportation Safety Board and the Department of Justice. The Office of the Comptroller of the "
        "Currency. The Securities and Exchange Commission sued."
    )
    assert spelled_out(acronym, [Passage("a#0", "a", "", text)]) == name


def test_a_question_is_read_with_the_name_and_says_so(sample_index: PassageIndex) -> None:
    (made,) = corrections(sample_index, "What did the NTSB find?")
    assert corrected("What did the NTSB find?", [made]) == "What did the National Transportation Safety Board find?"
    assert made.notice == "No passage says “NTSB”; it is read as “National Transportation Safety Board”"
    assert corrections(sample_index, "What did the FAA do?") == ()


def test_one_typed_small_is_read_as_one(sample_index: PassageIndex) -> None:
    question = "did the ftc sue amazon"
    assert "Federal Trade Commission" in corrected(question, corrections(sample_index, question))


def test_the_other_spelling_of_english_is_read_as_the_one_of_the_corpus(sample_index: PassageIndex) -> None:
    question = "Who introduced layer normalization?"
    assert corrected(question, corrections(sample_index, question)) == "Who introduced layer normalisation?"
    assert corrections(sample_index, "Who introduced batch normalisation?") == ()


SHORT = [
    Passage("a#0", "a", "Reciprocal rank fusion", "It merges lists. An important regulatory risk is named."),
    Passage("d#0", "d", "Rules", "The electric van is taxed, the electric car is not, as the Federal Reserve says."),
    Passage(
        "e#0", "e", "Chips", "Amazon says that the European Commission asks Spirit AeroSystems for a graphics card."
    ),
    Passage("b#0", "b", "JPMorgan Chase", "JPMorgan lends. The key-value cache grows; knowledge varies."),
    Passage("c#0", "c", "HotpotQA", "It is made for multi-hop question answering; quality assurance is done by hand."),
]


@pytest.mark.parametrize(
    ("ahead", "acronym", "following", "meant"),
    [
        ("", "RRF", "", "Reciprocal rank fusion"),
        ("", "JPM", "", "JPMorgan"),
        ("", "KV", "cache", "key-value"),
        ("", "KV", "cache need", "key-value"),
        ("", "KV", "pair", None),
        ("multi-hop", "QA", "sets", "question answering"),
        ("open", "QA", "", None),
        ("", "IRR", "", None),
        ("", "Rrf", "", None),
        ("", "IBM", "", None),
        ("the", "EV", "tax credit", "electric car"),
        ("", "EVs", "", "electric cars"),
        ("", "RRFs", "", "Reciprocal rank fusions"),
        ("", "HQ", "", None),
        ("", "Fed", "", "Federal Reserve"),
        ("", "GPUs", "", "graphics cards"),
        ("did", "Brussels", "", "European Commission"),
        ("did", "brussels", "", "European Commission"),
        ("in", "Brussels", "", None),
        ("", "AMZN", "", "Amazon"),
        ("", "msft", "", None),
        ("Spirit", "Aero", "", "AeroSystems"),
        ("", "Rules", "", None),
    ],
)
def test_capitals_nobody_writes_are_short_for_a_name_a_title_or_what_stands_between_the_same_words(
    ahead, acronym, following, meant
):
    assert shortened(acronym, ahead, following, SHORT) == meant


def test_amounts_with_a_letter_are_read_in_words_where_no_passage_writes_them_so():
    index = PassageIndex.build([Passage("a#0", "a", "Acme", "Acme was fined 348 million dollars; unit 5k.")], name="x")
    read = {
        text: corrected(text, corrections(index, text)) for text in ("a $348m fine", "$1.5bn or 5tn", "5k", "a 7m wall")
    }
    assert list(read.values()) == ["a $348 million fine", "$1.5 billion or 5 trillion", "5k", "a 7m wall"]


def test_several_of_a_form_stay_several_and_several_of_a_short_form_are_looked_up_as_one():
    text = "Acme put its GPU figures into this 10-Q for the quarter."
    index = PassageIndex.build([Passage("a#0", "a", "Acme 10-Q", text)], name="x")
    asked = ("Acme's 10-Qs", "Acme's GPUs")
    assert [corrected(each, corrections(index, each)) for each in asked] == ["Acme's 10-Qs", "Acme's GPU"]


def test_capitals_are_read_as_the_passages_on_the_same_name_write_them_in_small_letters():
    bank = Passage("a#0", "a", "Acme Bank", "Net interest income of Acme rose, as net interest income does.")
    other = Passage("b#0", "b", "Bolt", "The National Institute of Informatics published Bolt.")
    index = PassageIndex.build([bank, other], name="x")
    assert [c.meant for c in corrections(index, "Why did the NII of Acme rise?")] == ["net interest income"]
    assert [c.meant for c in corrections(index, "Who works on Bolt at the NII?")] == [
        "National Institute of Informatics"
    ]


def test_a_stored_corpus_reads_an_acronym_as_one_in_memory_does(tmp_path):
    texts = ["Of Acme:\nTarifé Propre Union grew.", "Acme has a “tidy paper unit”.", "Bolt sells tidy paper units."]
    index = PassageIndex.build([Passage(f"a#{n}", "a", "Report", text) for n, text in enumerate(texts)], name="x")
    index.save(tmp_path)
    stored = PassageIndex.load(tmp_path)
    questions = ("What is the TPU of Acme?", "What is the TPU of Bolt?", "What is the RPQ of Acme?")
    meant = [[c.meant for c in corrections(index, question)] for question in questions]
    assert meant == [["Tarifé Propre Union"], ["tidy paper units"], []]
    assert [[c.meant for c in corrections(stored, question)] for question in questions] == meant


def test_several_of_a_named_thing_are_read_as_one():
    index = PassageIndex.build([Passage("a#0", "a", "Chips", "Sales of the H200 were allowed.")], name="x")
    assert [(c.word, c.meant) for c in corrections(index, "Can H200s be sold?")] == [("H200s", "H200")]
