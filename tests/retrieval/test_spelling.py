"""Words of a question that are nowhere in the corpus are searched for as the words that they are likely to mean."""

import time

import pytest

from adaq_core.events import AspectsPlanned, Noticed, PassagesRetrieved, RunStarted
from adaq_core.model import Passage, Settings
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.retrieval.lexical import MOST_WORDS, corrected, corrections, one_slip_away
from adaq_core.runs.execute import RunSpec, execute

TEXTS = {
    "nvidia": "NVIDIA faces risks: the supply of chips from Taiwan, and export rules for semiconductors.",
    "boeing": "Boeing lost orders. The founded company Boeing competes with Airbus; competitors gained.",
    "chips": "Regulation of chips by the United States reached NVIDIA. Water is used to make wafers.",
    "rules": "The competitors of NVIDIA and the competition authority disagree about regulation.",
    "data": "BEIR holds eighteen data sets.",
}


@pytest.fixture(scope="module")
def corpus():
    passages = [Passage(f"{key}#1", key, key.title(), text) for key, text in TEXTS.items()]
    return PassageIndex.build(passages, name="chips")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Nvdia risks", [("Nvdia", "NVIDIA")]),
        ("What are nvdia's risks?", [("nvdia", "NVIDIA")]),
        ("Boieng orders", [("Boieng", "Boeing")]),
        (
            "Its compeitors and the semicondutor rules",
            [("compeitors", "competitors"), ("semicondutor", "semiconductors")],
        ),
        ("Boieng Airbux orders", [("Boieng", "Boeing"), ("Airbux", "Airbus")]),
        ("Who succeeded Tawan Moynihan?", []),
        ("Compare Boieng and NVIDIA", [("Boieng", "Boeing")]),
        ("Did Boieng lose orders?", [("Boieng", "Boeing")]),
        ("NVIDIA risks", []),
        ("Who is the founder of Boeing?", []),
        ("Does Rivian compete with Airbus?", []),
        ("What does NVDIA face?", []),
        ("later wages", []),
        ("How many datasets does BEIR hold?", [("datasets", "data sets")]),
        ("Which mainsets are there?", []),
    ],
)
def test_a_word_that_no_passage_says_means_the_one_that_is_one_slip_away(corpus, question, expected):
    assert [(each.word, each.meant) for each in corrections(corpus, question)] == expected


def test_the_question_is_put_right_in_its_places(corpus):
    question = "Nvdia’s compeitors, Boieng"
    assert corrected(question, corrections(corpus, question)) == "NVIDIA’s competitors, Boeing"


def test_a_slip_is_a_letter_too_many_too_few_another_or_two_turned_after_the_first():
    near = one_slip_away("cat")
    assert {"ct", "caat", "cut", "cta"} <= near
    assert not {"cat", "at", "bat", "act"} & near
    assert one_slip_away("cat", changed=False) == {each for each in near if len(each) != 3 or each == "cta"}


def test_a_long_text_is_left_alone(corpus):
    filler = "the chips of NVIDIA and Boeing " * MOST_WORDS
    assert corrections(corpus, f"Nvdia {filler}") == ()


def test_a_word_of_four_thousand_letters_is_left_alone(corpus):
    def seconds() -> float:
        began = time.thread_time()
        assert corrections(corpus, f"What is {'lithiumbattery' * 280}?") == ()
        return time.thread_time() - began

    assert any(seconds() < 0.5 for _ in range(3))  # of processor time; it took nine seconds


def test_an_empty_corpus_and_other_scripts_have_nothing_to_put_right(corpus):
    assert corrections(PassageIndex.build([], name="none"), "Nvdia risks") == ()
    assert corrections(corpus, "Риски Нвидиа 2023 NVIDIA’s") == ()


@pytest.mark.parametrize("method", ["adaptive", "bm25"])
def test_every_method_searches_for_what_is_meant_and_the_run_says_so(corpus, method):
    events = list(execute(RunSpec(method, "Nvdia risks"), retriever=DocumentRetriever(corpus)))
    started = next(each for each in events if isinstance(each, RunStarted))
    noticed = next(each for each in events if isinstance(each, Noticed) and each.stage == "spelling")
    first = next(each for each in events if isinstance(each, PassagesRetrieved))
    assert started.question == "Nvdia risks"
    assert noticed.message == "No passage says “Nvdia”; did you mean “NVIDIA”? That is searched for too"
    assert first.passages[0].passage.document_id == "nvidia"


def test_aspects_stand_where_the_question_as_asked_speaks_of_them(corpus):
    question = "What is Nvdia, why did Boeing lose orders, and who are the competitors of Nvdia?"
    events = list(execute(RunSpec("adaptive", question), retriever=DocumentRetriever(corpus)))
    planned = next(each for each in events if isinstance(each, AspectsPlanned))
    assert [question[slice(*aspect.span)] for aspect in planned.aspects] == [
        "What is Nvdia",
        "why did Boeing lose orders",
        "who are the competitors of Nvdia",
    ]


def test_a_common_word_that_no_passage_says_is_meant_as_it_is():
    corpus = PassageIndex.build([Passage("a#0", "a", "Rent", "Tenants may change rooms.")], name="rent")
    question = "Does it cost tenants a charge?"
    assert [each.meant for each in corrections(corpus, question)] == ["change"]
    events = list(execute(RunSpec("bm25", question), retriever=DocumentRetriever(corpus)))
    assert not [each for each in events if isinstance(each, Noticed) and each.stage == "spelling"]


def test_without_it_as_an_ablation_the_question_stays_as_it_is(corpus):
    settings = Settings(ablate=("spelling",))
    events = list(execute(RunSpec("bm25", "Nvdia", settings), retriever=DocumentRetriever(corpus)))
    assert not [each for each in events if isinstance(each, Noticed)]


def test_names_typed_small_are_read_as_the_corpus_writes_them(corpus):
    asked = corrections(corpus, "which orders did boeing lose")
    assert [(each.word, each.meant, each.notice) for each in asked] == [("boeing", "Boeing", "")]
    assert corrections(corpus, "Which orders did boeing lose") == ()


def test_a_company_that_is_written_with_its_ending_is_a_name():
    texts = ("The shop of Amazon.com sells books.", "See amazon.com for more.", "Rivers are long.")
    index = PassageIndex.build([Passage(f"{n}#1", str(n), "Title", text) for n, text in enumerate(texts)], name="shops")
    assert corrected("is amazon large", corrections(index, "is amazon large")) == "is Amazon large"


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("is alcohol paid", "is alcohol paid"),  # it only opens a sentence
        ("what changed in the new version", "what changed in the new version"),  # as a name it stands before York
        ("when is the meeting in new york", "when is the meeting in New York"),
        ("what did scalable capital raise", "what did Scalable Capital raise"),
        ("is the method scalable", "is the method scalable"),
        ("how much capital did I raise", "how much capital did I raise"),
        ("what did I buy at scalable capital", "what did I buy at Scalable Capital"),
        ("who leads the university of tromsø", "who leads the university of Tromsø"),
        ("what are our risk factors", "what are our risk factors"),  # capitals of a heading
    ],
)
def test_a_word_is_a_name_where_the_corpus_writes_it_so_inside_of_a_sentence(question, read):
    texts = (
        "Alcohol is not paid.",
        "The office in New York opened. Work from New York is paid.",
        "The startup Scalable Capital, which raises money, is in Munich.",
        "The method is scalable, and capital is scarce.",
        "He works at the University of Tromsø, a university.",
        "Risk Factors\nOur sales may fall.",
    )
    index = PassageIndex.build([Passage(f"{n}#1", str(n), "", text) for n, text in enumerate(texts)], name="names")
    words = [each for each in corrections(index, question) if each.is_sure]
    assert corrected(question, words) == read


def test_a_name_of_several_parts_typed_small_is_put_right_as_a_whole():
    texts = (
        "MultiHop-RAG holds queries.",
        "Year-over-year sales fell.",
        "Basic RAG answers from passages.",
        "RAG is short for a long name.",
    )
    index = PassageIndex.build([Passage(f"{n}#1", str(n), "Title", text) for n, text in enumerate(texts)], name="rag")
    question = "number of queries in multihop-rag"
    assert corrected(question, corrections(index, question)) == "number of queries in MultiHop-RAG"
    assert corrections(index, "year-over-year sales") == ()
    assert corrected("what is rag", corrections(index, "what is rag")) == "what is RAG"


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("patents under GPLv3?", "patents under GPL 3?"),
        ("Does GPL version 2 speak of patents?", "Does GPL 2 speak of patents?"),
        ("Does version 3 of the GPL?", "Does GPL 3?"),
        ("the Mozilla Public License, version 2.0", "the MPL 2.0"),
        ("the Apache License 2.0", "the Apache 2.0"),
        ("Does GPL 2 speak of patents?", "Does GPL 2 speak of patents?"),
        ("GPL version 4", "GPL version 4"),
        ("MIT License 2", "MIT License 2"),
        ("GPL with 2 patents", "GPL with 2 patents"),
    ],
)
def test_a_numbered_work_is_named_by_its_title(question, read):
    titles = ("GPL 2", "GPL 3", "LGPL 3", "MPL 2.0", "Apache 2.0")
    index = PassageIndex.build([Passage(f"{t}#1", t, t, "This License speaks of patents.") for t in titles], name="l")
    assert corrected(question, corrections(index, question)) == read


def test_a_title_that_says_the_name_itself_takes_no_place_of_it():
    index = PassageIndex.build([Passage("a#1", "a", "Announcing Acme 2.1", "We are happy.")], name="l")
    assert corrections(index, "Which bug did Acme 2.1 fix?") == ()


def test_a_numbered_work_is_said_to_be_a_document_and_no_word_to_be_missing():
    index = PassageIndex.build([Passage("g#1", "g", "GPL 3", "This is GPL version 3.")], name="l")
    (read,) = corrections(index, "patents under GPL version 3")
    assert read.notice == "“GPL version 3” is read as the document “GPL 3”"
