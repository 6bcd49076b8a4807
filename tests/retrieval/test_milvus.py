"""A corpus in Milvus gives the same runs as the embedded index, waits seldom, and says what is wrong."""

import socket
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from adaq_core.corpus.cards import carded
from adaq_core.datasets.beir import find_set, read_question_set
from adaq_core.errors import CorpusError, InputError
from adaq_core.events import AnswerWritten, EvidenceAssembled, HopStarted, of_kind
from adaq_core.filings.search import search_of
from adaq_core.model import Document, Passage
from adaq_core.retrieval.dense import EncodedQueries, FetchedVectors, PassageVectors, VectorCache
from adaq_core.retrieval.fetched import FetchedCorpus
from adaq_core.retrieval.fetching import Wanted, term_number
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.retrieval.milvus import PASSAGES_AT_ONCE, Address, check_version, copy, open_corpus
from adaq_core.runs.execute import RunSpec, execute
from adaq_core.runs.work import CorpusVectors
from adaq_core.text.passages import cut
from adaq_core.text.tokens import words

pytest.importorskip("milvus_lite", reason="milvus-lite is not installed: pip install .[milvus]")

MOST_TRIPS = 4
FILMS = [
    ("wings", "Wings of Salt", "Wings of Salt is a 1961 film directed by Ada Brandt. It was filmed in Lisbon."),
    ("brandt", "Ada Brandt", "Ada Brandt (born 3 May 1920) was a director. She was born in Turku and died in Porto."),
    ("stone", "The Stone Boat", "The Stone Boat is a 1958 film directed by Ivo Kern, after a novel by Ada Brandt."),
    ("kern", "Ivo Kern", "Ivo Kern (born 9 June 1911) was a director. He was born in Graz and lived in Lisbon."),
    ("turku", "Turku", "Turku is a city in Finland. Ada Brandt grew up there."),
    ("graz", "Graz", "Graz is a city in Austria, the town of Ivo Kern."),
]
LINKED = ("Where was the director of Wings of Salt born?", "Who is older, the director of Wings of Salt or Ivo Kern?")


@pytest.fixture(scope="module")
def films():
    return PassageIndex.build((Passage(f"{key}#0", key, title, text) for key, title, text in FILMS), name="films")


@pytest.fixture(scope="module")
def both(tmp_path_factory, films, sample_index):
    """Two corpora in one file."""
    path = tmp_path_factory.mktemp("milvus") / "both.db"
    for index in (films, sample_index):
        copy(index, f"milvus:{path}#{index.card.name}")
    return path


def asked_of_sample():
    return [each.text for each in read_question_set(find_set("general"))][:8]


def events_of(corpus, question):
    return list(execute(RunSpec("adaptive", question), retriever=DocumentRetriever(corpus)))


def told(events):
    """What a run kept and answered."""
    kept = [each.ranking for each in of_kind(events, EvidenceAssembled)]
    return kept, [each.answer.text for each in of_kind(events, AnswerWritten)]


def test_runs_keep_the_same_passages_and_write_the_same_answers(both, films, sample_index):
    for index, questions in ((films, LINKED), (sample_index, asked_of_sample())):
        corpus = open_corpus(f"milvus:{both}#{index.card.name}")
        for question in questions:
            assert told(events_of(corpus.for_run(), question)) == told(events_of(index, question))


def trips_of(view, question, *, vectors=None):
    """How often the engine is waited for in each hop."""
    counts = []
    for event in execute(RunSpec("adaptive", question), retriever=DocumentRetriever(view, vectors=vectors)):
        if isinstance(event, HopStarted):
            counts.append(view.trips)
    return [after - before for before, after in zip(counts, [*counts[1:], view.trips], strict=True)]


def test_a_hop_waits_for_the_engine_four_times_at_most(both, films, sample_index):
    for name, questions in ((films.card.name, LINKED), (sample_index.card.name, asked_of_sample())):
        corpus = open_corpus(f"milvus:{both}#{name}")
        for question in questions:
            assert max(trips_of(corpus.for_run(), question)) <= MOST_TRIPS, question


def test_what_stands_for_a_word_that_no_text_holds_is_not_looked_up(both):
    view = open_corpus(f"milvus:{both}#films").for_run()
    assert (view.term_count("\0"), view.term_idf("\0"), view.trips) == (0, 0.0, 0)
    assert (view.term_count("turku") > 0, view.trips) == (True, 1)


def test_names_that_no_passage_holds_in_full_are_looked_for_together(both):
    """Each word is known, the names are not: whether a passage holds one was asked name by name."""
    question = "Did Elon Huang, Jensen Cook, Satya Musk, Tim Nadella and Stephen Salton agree on BM25?"
    corpus = open_corpus(f"milvus:{both}#sample")
    assert max(trips_of(corpus.for_run(), question)) <= MOST_TRIPS


def test_all_forms_of_a_verb_that_no_passage_says_are_looked_up_together(both):
    """Whether the corpus says any of them was asked form by form, in the order of a set."""
    corpus = open_corpus(f"milvus:{both}#films")
    for question in ("How much money did Ada Brandt pay?", "When did Ada Brandt raise the Lisbon film?"):
        assert max(trips_of(corpus.for_run(), question)) <= MOST_TRIPS, question


def test_made_up_words_in_small_letters_are_looked_up_together(tmp_path):
    """Each word's passages are read to see whether it is a name; of long documents what stands beside is looked at."""
    letters = "bcdfghjklmnpqrstvwxz"
    made = [f"{a}o{b}ux" for a in letters for b in letters]
    texts = (
        Passage(f"d{n // 12}#{n % 12}", f"d{n // 12}", "", " ".join(made[(n + k * 7) % 400] for k in range(30)))
        for n in range(600)
    )
    address = f"milvus:{tmp_path / 'made.db'}"
    copy(PassageIndex.build(texts, name="made"), address)
    view = open_corpus(address).for_run()
    view.corrections(question := " ".join(made[k * 7] for k in range(8)))
    assert view.trips <= 2
    assert max(trips_of(open_corpus(address).for_run(), question)) <= 2


def test_what_stands_beside_a_part_of_a_work_comes_with_it(tmp_path):
    """Each part of these meetings is a document of its own: a wait for each part beside the best would be twenty."""
    matter = ("the budget rose", "a date was set", "Anna left", "the door was broken", "tea was served")
    texts = (
        Passage(
            f"m{m}-{n:02}#0", f"m{m}-{n:02}", f"Meeting {m}, part {n}", f"In turn {n} they said that {matter[n % 5]}."
        )
        for m in range(8)
        for n in range(40)
    )
    address = f"milvus:{tmp_path / 'meetings.db'}"
    copy(PassageIndex.build(texts, name="meetings"), address)
    corpus = open_corpus(address)
    for question in (
        "In meeting 3, what did they say about the budget and Anna?",
        "Why was the door broken in meeting 5?",
    ):
        assert max(trips_of(corpus.for_run(), question)) <= MOST_TRIPS, question


@pytest.mark.parametrize(
    "question",
    [
        "What did Boeing, Tesla, Nvidia and Apple say of tariffs, unions, recalls and floods in 1975?",
        "Compare the causes, the cost, the victims and the insurance of the flood in Valencia",
    ],
)
def test_queries_that_bring_nothing_one_after_another_are_searched_for_at_once(both, question):
    assert max(trips_of(open_corpus(f"milvus:{both}#sample").for_run(), question)) <= 2


def test_long_documents_come_whole_with_a_hit(tmp_path):
    """One after the other, the passages of five reports would be five waits before the first search of a hop."""
    firms = ("Aldermoor", "Brenwick", "Carrow", "Dunmere", "Eskdale")
    matter = ("revenue rose", "the factory closed", "debt was repaid", "staff left")
    texts = (
        Passage(f"{firm}#{n}", firm, f"{firm} report", f"Note {n} of {firm}: {matter[n % 4]} in month {n % 12}.")
        for firm in firms
        for n in range(150)
    )
    index, address = PassageIndex.build(texts, name="reports"), f"milvus:{tmp_path / 'reports.db'}"
    copy(index, address)
    question = "Why did revenue rise and debt fall at Aldermoor, Brenwick, Carrow, Dunmere and Eskdale?"
    assert max(trips_of(open_corpus(address).for_run(), question)) <= MOST_TRIPS


QUARTERS = ("2022 Q3", "2023 Q1", "2023 Q2", "2023 Q3")
FIRMS = {"NWC": "NORTHWIND CHIPS CORPORATION", "CONT": "CONTOSO, INC."}
OF_FILINGS = (
    "What was Northwind's revenue in Q1 2023?",
    "How did the export controls that Contoso faces change over the quarters?",
    "Compare the export controls of Northwind and Contoso in 2023",
    "How did Skylight grow in 2023, and what are its risks?",
    "what did northwind say of revenue in its latest 10-q?",
)


def filing(label, ticker):
    """A quarterly report of thirty notes; only one firm's speak of Skylight."""
    name = f"{label} {ticker} 10-Q.txt"
    own = "Skylight grew by a tenth." if ticker == "NWC" else "Sales of tea fell."
    notes = [f"Note {n}. Our revenue grew in part {n}. {own} We face export controls." for n in range(30)]
    head = f"FORM 10-Q\n{FIRMS[ticker]}\n(Exact name of registrant)\nFor the quarter {label}."
    return Document(
        name, name.removesuffix(".txt"), "\n\n".join([head, *(f"{note} {'It is so. ' * 40}" for note in notes)])
    )


@pytest.fixture(scope="module")
def filings(tmp_path_factory):
    """Eight reports of two firms: in memory, and the copy."""
    reports = carded([filing(label, ticker) for ticker in FIRMS for label in QUARTERS])
    index = PassageIndex.build((passage for report in reports for passage in cut(report)), name="filings")
    address = f"milvus:{tmp_path_factory.mktemp('filings') / 'filings.db'}"
    copy(index, address)
    return index, open_corpus(address)


@pytest.mark.parametrize("question", OF_FILINGS)
def test_questions_about_filings_are_answered_from_the_same_pages(filings, question):
    index, corpus = filings
    view = corpus.for_run()
    pages = [[(each.place, each.score) for each in search_of(question, held).results()] for held in (index, view)]
    assert pages[0] == pages[1] != []
    assert told(events_of(corpus.for_run(), question)) == told(events_of(index, question))
    assert max(trips_of(replaced(corpus), question)) <= MOST_TRIPS


def replaced(corpus):
    """The corpus as the first run sees it, with nothing read."""
    return FetchedCorpus(corpus.engine, corpus.about)


def test_what_one_run_read_of_filings_is_there_for_the_next(filings):
    corpus = replaced(filings[1])
    trips = []
    for _ in range(2):
        view = corpus.for_run()
        assert search_of(OF_FILINGS[0], view) is not None
        trips.append(view.trips)
    assert trips == [2, 0]  # the cards, and the reports of the firm


class WordEncoder:
    """A unit vector that counts words by their hash: a real if simple encoder."""

    key, dimension = "words", 64

    def encode(self, texts):
        rows = np.full((len(texts), self.dimension), 1e-3, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words(text):
                row[term_number(word) % self.dimension] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def dense(tmp_path_factory, sample_index):
    """A corpus with vectors: in memory, and its copy."""
    folder = tmp_path_factory.mktemp("dense")
    encoder = WordEncoder()
    vectors = PassageVectors(sample_index, encoder, VectorCache(encoder.key, encoder.dimension, folder / "vectors"))
    vectors.compute()
    copy(sample_index, f"milvus:{folder / 'dense.db'}", vectors=vectors)
    return vectors, open_corpus(f"milvus:{folder / 'dense.db'}")


def test_search_by_meaning_and_by_both_finds_the_same_as_in_memory(dense, sample_index):
    here, corpus = dense
    for question in asked_of_sample():
        view = corpus.for_run()
        there = FetchedVectors(view, EncodedQueries(WordEncoder()))
        expected = here.search(question, 8)
        assert there.search(question, 8) == [replace(hit, score=pytest.approx(hit.score)) for hit in expected]
        ids = [hit.passage.passage_id for hit in expected]
        assert there.similarity(question, ids).tolist() == pytest.approx(here.similarity(question, ids).tolist())
        for mode in ("dense", "hybrid"):
            near = DocumentRetriever(view, mode, vectors=there)
            assert (near.name, near.degraded) == (mode, "")
            wanted = DocumentRetriever(sample_index, mode, vectors=here).retrieve(question, 8)
            assert [hit.passage for hit in near.retrieve(question, 8)] == [hit.passage for hit in wanted]


def test_runs_with_vectors_keep_the_same_passages_and_wait_as_seldom(dense, sample_index):
    here, corpus = dense
    for question in asked_of_sample():
        view, again = corpus.for_run(), corpus.for_run()
        spec = RunSpec("adaptive", question)
        there = DocumentRetriever(view, vectors=FetchedVectors(view, EncodedQueries(WordEncoder())))
        expected = told(list(execute(spec, retriever=DocumentRetriever(sample_index, vectors=here))))
        assert told(list(execute(spec, retriever=there))) == expected
        vectors = FetchedVectors(again, EncodedQueries(WordEncoder()))
        assert max(trips_of(again, question, vectors=vectors)) <= MOST_TRIPS, question


def test_vectors_of_another_model_are_not_searched(dense):
    vectors, corpus = CorpusVectors(WordEncoder()), dense[1]
    assert vectors.elsewhere(corpus.for_run(), needs_vectors=True, uses_vectors=True).vectors is not None
    other = WordEncoder()
    other.key = "another"
    retriever = CorpusVectors(other).elsewhere(corpus.for_run(), needs_vectors=True, uses_vectors=True)
    assert retriever.vectors is None


def test_one_run_does_not_see_what_another_fetched(both):
    corpus = open_corpus(f"milvus:{both}#films")
    first = events_of(corpus.for_run(), LINKED[0])
    events_of(corpus.for_run(), LINKED[1])
    assert events_of(corpus.for_run(), LINKED[0]) == first


def test_a_word_that_no_passage_says_is_put_right_as_in_memory(tmp_path):
    texts = ("NVIDIA faces risks: the supply of chips from Taiwan.", "Boeing lost orders; Airbus gained some.")
    index = PassageIndex.build((Passage(f"d{n}#0", f"d{n}", "", text) for n, text in enumerate(texts)), name="firms")
    copy(index, f"milvus:{tmp_path / 'firms.db'}")
    corpus = open_corpus(f"milvus:{tmp_path / 'firms.db'}")
    assert [each.meant for each in corpus.corrections("Did Boieng win orders?")] == ["Boeing"]
    assert corpus.corrections("Did Boieng win orders?") == index.corrections("Did Boieng win orders?")


def test_a_copy_that_broke_off_goes_on_and_counts_only_when_it_is_whole(tmp_path):
    texts = (Passage(f"d{n}#0", f"d{n}", f"Note {n}", f"Note {n} speaks of harbour {n % 7}.") for n in range(1_200))
    index, address = PassageIndex.build(texts, name="notes"), f"milvus:{tmp_path / 'notes.db'}"

    class Broken(Exception):
        pass

    def break_off(done, total, what):
        if done > PASSAGES_AT_ONCE:
            raise Broken

    with pytest.raises(Broken):
        copy(index, address, progress=break_off)
    with pytest.raises(CorpusError, match="expected one corpus"):
        open_corpus(address)
    sent = []
    copy(index, address, progress=lambda done, total, what: sent.append(done))
    assert sent == [1_200]
    assert [hit.passage.passage_id for hit in open_corpus(address).search("Note 1199", top_k=1)] == ["d1199#0"]


COPYING = """
import sys
from pathlib import Path
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.milvus import copy
copy(PassageIndex.load(Path(sys.argv[1])), sys.argv[2], progress=lambda done, total, what: print(done, flush=True))
"""


def test_a_copy_whose_process_was_killed_goes_on_and_ends_with_the_same_content(tmp_path):
    texts = (Passage(f"d{n}#0", f"d{n}", f"Note {n}", f"Note {n} speaks of harbour {n % 7}.") for n in range(1_700))
    index, folder = PassageIndex.build(texts, name="notes"), tmp_path / "index"
    index.save(folder)
    address = f"milvus:{tmp_path / 'notes.db'}"
    command = [sys.executable, "-c", COPYING, str(folder), address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout.readline() == f"{PASSAGES_AT_ONCE}\n"
        process.kill()
    sent = []
    copy(index, address, progress=lambda done, total, what: sent.append(done))
    assert sent[0] > PASSAGES_AT_ONCE  # what was there before was not sent again
    corpus = open_corpus(address)
    assert corpus.fetch(range(index.size)) == list(index.passages)
    hits, expected = (held.search("harbour 3 of note 1699", top_k=20) for held in (corpus, index))
    assert [hit.passage for hit in hits] == [hit.passage for hit in expected]
    assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in expected])


def test_another_version_takes_the_place_of_the_one_before(tmp_path, films):
    address = f"milvus:{tmp_path / 'films.db'}"
    copy(films, address)
    newer = PassageIndex.build([*films.passages, Passage("oslo#0", "oslo", "Oslo", "Oslo is a city.")], name="films")
    copy(newer, address)
    assert open_corpus(address).size == len(FILMS) + 1


@pytest.mark.parametrize("given", ["milvus:notes.txt", "milvus://", "milvus://a b/c", "milvus+tls:x.db", "milvus:"])
def test_an_address_that_cannot_be_read_is_refused_with_the_forms_that_can(given):
    with pytest.raises(InputError, match=r"milvus://HOST:19530/CORPUS"):
        Address.read(given)


def test_an_address_with_a_password_is_refused():
    with pytest.raises(InputError, match="ADAQ_MILVUS_TOKEN"):
        Address.read("milvus://root:secret@db/corpus")


def test_addresses_say_where_to_connect():
    assert Address.read("milvus://db/mine") == Address("milvus://db/mine", "http://db:19530", "mine")
    assert Address.read("milvus+tls://db:443").uri == "https://db:443"
    assert Address.read("milvus:a/b.db#mine") == Address("milvus:a/b.db#mine", "a/b.db", "mine")


@pytest.mark.parametrize(
    ("version", "counts_words", "least"),
    [("v2.3.5-lite", False, "2.4"), ("2.4.23", True, "2.5"), ("v2.3.5", True, "2.5")],
)
def test_a_server_that_cannot_search_by_words_is_refused(version, counts_words, least):
    with pytest.raises(CorpusError, match=rf"expected Milvus {least} or later, found {version}: it cannot search by"):
        check_version(version, counts_words=counts_words)


@pytest.mark.parametrize("version", ["v2.6.0", "milvus lite", "lite", "3.2.2-lite", "2.10.1"])
def test_other_servers_are_asked(version):
    check_version(version, counts_words=True)


def test_with_the_engines_own_bm25_runs_keep_the_same_passages(tmp_path, films, sample_index):
    for index, questions in ((films, LINKED), (sample_index, asked_of_sample())):
        address = f"milvus:{tmp_path / 'own.db'}#{index.card.name}"
        copy(index, address, counts_words=True)
        corpus = open_corpus(address)
        assert corpus.about.counts_words
        for question in questions:
            assert told(events_of(corpus.for_run(), question)) == told(events_of(index, question))


def test_what_is_not_there_is_said(both, tmp_path, monkeypatch):
    with pytest.raises(CorpusError, match="there is no file"):
        open_corpus(f"milvus:{tmp_path / 'gone.db'}")
    with pytest.raises(CorpusError, match=r"there is no corpus 'oslo'.*films, sample"):
        open_corpus(f"milvus:{both}#oslo")
    with pytest.raises(CorpusError, match=r"expected one corpus.*films, sample.*#CORPUS"):
        open_corpus(f"milvus:{both}")
    monkeypatch.setitem(sys.modules, "pymilvus", None)
    with pytest.raises(CorpusError, match=r"pip install .\[milvus\]"):
        open_corpus(f"milvus:{both}#films")


def free_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


@pytest.fixture
def server(tmp_path):
    """A server that listens, and its address."""
    port = free_port()
    command = [sys.executable, "-m", "milvus_lite", "server", "--data-dir", str(tmp_path / "data")]
    process = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    yield process, f"milvus://127.0.0.1:{port}"
    process.kill()
    process.wait()


def test_a_server_is_asked_like_a_file_and_its_end_is_said(server, films):
    process, address = server
    copy(films, f"{address}/films")
    corpus = open_corpus(f"{address}/films")
    assert told(events_of(corpus.for_run(), LINKED[0])) == told(events_of(films, LINKED[0]))
    process.kill()
    process.wait()
    begun = time.monotonic()
    with pytest.raises(CorpusError, match=r"Milvus server at http://127.0.0.1:.*check that it is there"):
        corpus.engine.bring(Wanted(places={0}))
    assert time.monotonic() - begun < 40
    with pytest.raises(CorpusError, match=r"Milvus server at http://127.0.0.1:.*check that it is there"):
        open_corpus(address)
