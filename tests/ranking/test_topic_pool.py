"""Candidates of a question with aspects: near it, speaking to an aspect, named by one near it; chosen together."""

import pytest

from adaq_core.model import Finding, Passage, QueryAspect, Subquery
from adaq_core.ranking.topic_pool import TopicPool, is_topical_corpus, subject_weights
from adaq_core.retrieval.index import PassageIndex

TEXTS = {
    "tea": "Tea is a drink made of leaves. Green tea is not fermented.",
    "coffee": "Coffee is a drink made of roasted beans.",
    "trains": "Trains run on rails between stations.",
    "kettle": "A kettle boils water for tea and coffee.",
}


@pytest.fixture
def index():
    return PassageIndex.build([Passage(f"{n}#0", n, n.title(), t) for n, t in TEXTS.items()], name="drinks")


class Reads:
    """Reads a passage by a function of it that gives findings."""

    def __init__(self, findings, at_most=lambda _passage: 1.0):
        self._findings = findings
        self.at_most = at_most

    def best(self, passage):
        return max((finding.score for finding in self._findings(passage)), default=0.0)


@Reads
def no_findings(_passage):
    return ()


def ids(ranked):
    return [r.passage.document_id for r in ranked]


def test_without_findings_the_question_decides(index):
    pool = TopicPool(index, "green tea leaves", lambda: no_findings)
    assert [hit.passage.document_id for hit in pool.seed()] == ["tea", "kettle"]
    assert ids(pool.select(5).ranked) == ["tea", "kettle"]


def test_a_passage_that_speaks_to_an_aspect_goes_up(index):
    @Reads
    def kettle_speaks(passage):
        return (Finding("Boiling", passage.passage_id, "q", 0, 1, 1.0),) if passage.document_id == "kettle" else ()

    plain = TopicPool(index, "tea and coffee", lambda: no_findings)
    aware = TopicPool(index, "tea and coffee", lambda: kettle_speaks)
    for pool in (plain, aware):
        pool.seed()
    gain = {r.passage.document_id: r.score for r in aware.select(5).ranked}["kettle"] - {
        r.passage.document_id: r.score for r in plain.select(5).ranked
    }["kettle"]
    assert gain == pytest.approx(0.2 / 1.4 / 1.4)


def test_what_only_an_aspects_query_found_joins_with_its_provenance(index):
    pool = TopicPool(index, "tea", lambda: no_findings)
    pool.seed()
    assert ids(pool.select(5).ranked) == ["tea", "kettle"]
    pool.add(index.search("trains", top_k=3), hop=2, query=Subquery("trains", "Travel"))
    train = next(r for r in pool.select(5).ranked if r.passage.document_id == "trains")
    assert (train.provenance.hop, train.provenance.query, train.provenance.aspect) == (2, "trains", "Travel")
    assert "brought by “trains”" in train.reason


def test_scores_lie_between_nothing_and_one_and_order_the_set(index):
    @Reads
    def all_speak(passage):
        return (Finding("a", passage.passage_id, "q", 0, 1, 1.0),)

    pool = TopicPool(index, "tea and coffee", lambda: all_speak)
    pool.seed()
    pool.add(index.search("tea", top_k=3), hop=1, query=Subquery("tea", "a"))
    scores = [r.score for r in pool.select(9).ranked]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_a_question_that_nothing_answers_has_no_candidates(index):
    pool = TopicPool(index, "quantum chromodynamics", lambda: no_findings)
    assert pool.seed() == []
    assert pool.select(5).ranked == ()


def passages(texts, **fields):
    return [Passage(f"{n}#0", n, title, text, **fields) for n, (title, text) in texts.items()]


ROUTE = {
    "streamlit": ("Streamlit", "Streamlit builds applications. They are written in Python."),
    "python": ("Python", "Python was created at an institute in Amsterdam."),
    "other": ("Other", "Applications of institutes."),
}


def test_a_passage_that_is_named_by_one_near_the_question_joins_and_says_by_what():
    pool = TopicPool(PassageIndex.build(passages(ROUTE), name="route"), "Streamlit builds", lambda: no_findings)
    pool.seed()
    (link,) = pool.expand(hop=1)
    assert (link.parent_id, link.sentence, link.target_id) == ("streamlit#0", "They are written in Python.", "python#0")
    found = {r.passage.document_id: r for r in pool.select(5).ranked}
    assert found["python"].provenance.link == link
    assert "named as “python” in “Streamlit”" in found["python"].reason


def test_steps_end_when_they_lead_to_nothing_new():
    pool = TopicPool(PassageIndex.build(passages(ROUTE), name="route"), "Streamlit builds", lambda: no_findings)
    pool.seed()
    assert [len(pool.expand(hop=hop)) for hop in (1, 2, 3)] == [1, 0, 0]


TWO_SIDES = {
    "law": ("Acme law", "Acme was sued. A legal lawsuit went to court."),
    "law2": ("Acme lawsuits", "Acme was sued. Another legal lawsuit went to court."),
    "supply": (
        "Acme supply",
        "Acme waits for chips and for many other things that are said at length in this passage.",
    ),
}


def sides(*topics):
    return [QueryAspect(f"{t} of Acme", "facet", keywords=(t,), subject="Acme") for t in topics]


def test_the_second_place_goes_to_the_aspect_that_the_first_leaves_open():
    index = PassageIndex.build(passages(TWO_SIDES), name="acme")
    plain = TopicPool(index, "Acme legal lawsuit, court and supply", lambda: no_findings)
    aware = TopicPool(
        index, "Acme legal lawsuit, court and supply", lambda: no_findings, aspects=sides("legal lawsuit", "supply")
    )
    for pool in (plain, aware):
        pool.seed()
    assert ids(plain.select(2).ranked) == ["law2", "law"]
    assert ids(aware.select(2).ranked) == ["law2", "supply"]
    assert "the nearest so far to “supply of Acme”" in aware.select(2).ranked[1].reason


def test_a_second_page_of_one_report_counts_less():
    texts = {f"r{n}": (f"Report, page {n}", "tea leaves and tea") for n in (1, 2)}
    texts["b"] = ("Book", "tea leaves and much else that is said about it here")
    pool = TopicPool(PassageIndex.build(passages(texts), name="pages"), "tea leaves", lambda: no_findings)
    pool.seed()
    assert ids(pool.select(3).ranked) == ["r1", "b", "r2"]


def company(name, *sides):
    return {f"{name}-{s}": (f"{name.title()}: {s}", f"{name} {s} risk") for s in sides}


def test_passages_about_another_subject_than_the_asked_one_are_held_back():
    found = passages(company("tesla", "law", "supply", "staff") | company("boeing", "law", "supply", "staff"))
    assert list(subject_weights(found, "What are the legal risks of Tesla?")) == [1, 1, 1, 0.5, 0.5, 0.5]
    assert list(subject_weights(found, "Compare Tesla and Boeing")) == [1] * 6
    assert list(subject_weights(found, "Which company was sued?")) == [1] * 6


def test_a_title_with_a_colon_that_few_share_names_no_subject():
    found = passages(company("tesla", "law", "supply", "staff") | {"x": ("Export controls: rules", "rules")})
    assert list(subject_weights(found, "Tesla")) == [1, 1, 1, 1]


def test_values_that_the_question_asks_for_hold_the_others_back():
    filings = [
        Passage(
            f"{firm}{n}#0",
            f"{firm}{n}",
            f"Filing {firm} {n}",
            "Revenue rose by a tenth.",
            metadata=(("company", firm),),
        )
        for firm in ("Acme", "Globex")
        for n in range(4)
    ]
    index = PassageIndex.build(filings, name="filings")
    pool = TopicPool(index, "How did the revenue of Globex rise", lambda: no_findings)
    pool.seed()
    chosen = pool.select(8).ranked
    assert [r.passage.document_id[0] for r in chosen] == ["G"] * 4 + ["A"] * 4
    assert dict(chosen[-1].parts)["subject"] == pytest.approx(0.2)
    assert not is_topical_corpus(index)


def meetings_pool(question, last="We talked of the button in plastic and rubber."):
    texts = {f"a{n}": (f"Meeting A7, part {n}", f"Speaker {n}: well, that is as it is.") for n in range(8)}
    texts["a8"] = ("Meeting A7, part 8", "The button is made of rubber, as we said before in other words.")
    texts |= {f"b{n}": (f"Meeting B2, part {n}", "The button is made of plastic.") for n in range(8)}
    pool = TopicPool(
        PassageIndex.build(passages(texts | {"b8": ("Meeting B2, part 8", last)}), name="m"),
        question,
        lambda: no_findings,
    )
    pool.seed()
    return pool


def of_meetings(*asked):
    chosen = meetings_pool(*asked).select(18).ranked
    return {r.passage.document_id[0]: dict(r.parts).get("subject", 1.0) for r in chosen}


def test_a_question_confined_to_a_document_by_its_title_is_answered_from_it():
    assert of_meetings("In meeting A7, what is the button made of?") == {"a": 1.0, "b": pytest.approx(0.2)}


@pytest.mark.parametrize(
    ("question", "is_worth"),
    [("In meeting A7, what is the button made of?", False), ("What is the button of meeting A7 made of?", True)],
)
def test_no_further_hop_is_worth_it_where_the_question_is_confined_to_one_document(question, is_worth):
    pool = meetings_pool(question)
    best = max(ranked.score for ranked in pool.select(5).ranked)
    assert (best >= pool.least_score) == is_worth


def test_a_title_that_other_documents_speak_of_confines_nothing():
    assert of_meetings("In meeting A7, what is the button made of?", "Meeting A7 chose a button.") == {
        "a": 1.0,
        "b": 1.0,
    }


def test_a_title_that_is_asked_about_confines_nothing():
    assert of_meetings("What is the button of meeting A7 made of?") == {"a": 1.0, "b": 1.0}


def test_facts_are_looked_up_here_where_nothing_else_leads_to_them(index):
    assert is_topical_corpus(index)


def test_the_order_is_the_same_every_time(index):
    def made():
        pool = TopicPool(index, "tea and coffee", lambda: no_findings, aspects=sides("tea", "coffee"))
        pool.seed()
        pool.expand(hop=1)
        return pool.select(9).ranked

    assert made() == made()


@pytest.mark.parametrize(("words", "taken"), [(10, 6), (70, 3)])
def test_of_a_long_text_a_query_brings_three_passages_only(words, taken):
    texts = [Passage(f"{n}#0", str(n), f"Ferry {n}", f"Ferry {n} crosses the bay.") for n in range(6)]
    index = PassageIndex.build([*texts, Passage("tea#0", "tea", "Tea", "Tea is a drink.")], name="ferries")
    pool = TopicPool(index, " ".join(["tea", *(f"word{n}" for n in range(words))]), lambda: no_findings)
    pool.seed()
    pool.add(index.search("ferry bay", top_k=6), hop=2, query=Subquery("ferry bay", "Travel"))
    assert len(pool.select(10).ranked) == 1 + taken


def many(count):
    """Passages on tea, each less near to the question than the one before."""
    texts = {f"p{n:02}": ("", " ".join(("tea", *(f"leaf{n}x{m}" for m in range(3 * n))))) for n in range(count)}
    return PassageIndex.build(passages(texts), name="leaves")


def scored(passage):
    """A finding whose score hangs on the passage, from 0.0 to 0.6."""
    score = int(passage.document_id[1:]) * 7 % 11 / 10 * 0.6
    return (Finding("a", passage.passage_id, "tea", 0, 3, score),)


@pytest.mark.parametrize("question", ["tea leaves", "Which documents mention tea leaves?"])
def test_only_what_may_be_among_the_best_is_read_and_they_are_the_same(question):
    read = []

    def reads(passage):
        read.append(passage.document_id)
        return scored(passage)

    lazy = TopicPool(many(30), question, lambda: Reads(reads), aspects=sides("tea"))
    whole = TopicPool(many(30), question, lambda: Reads(scored), aspects=sides("tea"))
    for pool in (lazy, whole):
        pool.seed()
    whole.select(30)
    whole.seed()  # the order is chosen anew, with all of them read
    everything = whole.select(30).ranked
    assert lazy.select(5).ranked == everything[:5]
    assert len(read) == len(set(read)) < 20
    assert lazy.select(5, depth=30, needed={everything[14].passage.passage_id}).ranked == everything[:15]
    assert lazy.select(5, depth=30, needed=()).ranked == everything[:10]
    assert lazy.select(5, depth=30).ranked == everything


def test_what_is_known_to_say_little_is_not_read_and_the_order_is_the_same():
    read = []

    def reads(passage):
        read.append(passage.document_id)
        return scored(passage)

    def little_more(passage):
        return scored(passage)[0].score + 0.01

    bounded = TopicPool(many(30), "tea leaves", lambda: Reads(reads, little_more), aspects=sides("tea"))
    bounded.seed()
    chosen = bounded.select(5).ranked
    fewer, read = len(read), []
    lazy = TopicPool(many(30), "tea leaves", lambda: Reads(reads), aspects=sides("tea"))
    lazy.seed()
    assert chosen == lazy.select(5).ranked
    assert fewer < len(read)


def test_a_candidate_is_read_as_the_aspects_were_worded_when_it_came(index):
    wording = ["as planned"]

    def reader():
        worded = wording[0]
        score = 1.0 if worded == "as planned" else 0.0
        return Reads(lambda passage: (Finding(worded, passage.passage_id, "q", 0, 1, score),))

    pool = TopicPool(index, "tea", reader)
    pool.seed()
    wording[0] = "anew"
    pool.add(index.search("trains", top_k=3), hop=2, query=Subquery("trains", "Travel"))
    tells = {r.passage.document_id: dict(r.parts)["finding"] for r in pool.select(5).ranked}
    assert tells == {"tea": 1.0, "kettle": 1.0, "trains": 0.0}
