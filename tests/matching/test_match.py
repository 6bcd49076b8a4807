"""What covers an aspect, what does not, and why."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from adaq_core.matching import lays_down, match, says_what_it_is
from adaq_core.matching.answer_shapes import without_what_others_have
from adaq_core.matching.asked import asked_by
from adaq_core.matching.conditions import keeping
from adaq_core.matching.naming import is_code, is_form_line, is_heading, is_markup, is_title_line
from adaq_core.matching.sentences import read_against
from adaq_core.model import Constraint, Finding, Passage, QueryAspect
from adaq_core.stages.read import is_only_agreed, is_unlabelled, read, says_otherwise, speaks_of_another
from adaq_core.text.tokens import share, terms_of, uniform


def passage(title, text, **kwargs):
    return Passage(f"{title}#0", title, title, text, **kwargs)


DEFINITION = QueryAspect(
    "Definition of self-attention", "definition", keywords=("self-attention",), subject="self-attention"
)


def score(aspect, given, **kwargs):
    found = match(aspect, given, weigh=uniform, **kwargs)
    return 0.0 if found is None else found.score


KILN = QueryAspect("Definition of Kiln", "definition", keywords=("Kiln",), subject="Kiln")


@pytest.mark.parametrize(("text", "tells"), [
    ("We have built Kiln, a store for potters.", True),
    ("This paper presents the design and use of Kiln, a store for potters.", True),
    ("We present Kiln to potters.", False),
    ("They present Kiln, a store for potters, to many.", False),
])  # fmt: skip
def test_what_a_paper_presents_is_defined_there(text, tells):
    assert (score(KILN, passage("Stores", text)) >= 0.9) is tells


def test_a_printed_title_with_its_authors_is_no_definition():
    title = "Kiln: a store for potters"
    assert score(KILN, passage(title, f"{title} Ann Lind, Bo Berg")) == 0.0


def test_a_defining_sentence_covers_a_definition():
    given = passage(
        "Transformers", "Much is said. Self-attention is a mechanism that relates the tokens of one sequence."
    )
    assert score(DEFINITION, given) >= 0.9


@pytest.mark.parametrize(
    ("subject", "title"), [("layer norm", "Layer normalisation"), ("hybrid search", "Hybrid retrieval")]
)
def test_a_thing_goes_by_a_shorter_word_and_by_one_of_the_same_sense(subject, title):
    aspect = QueryAspect(f"Definition of {subject}", "definition", keywords=(subject,), subject=subject)
    assert score(aspect, passage(title, f"{title} combines two numbers.")) > 0.5
    assert score(aspect, passage("Batch size", "Batch size is a number.")) < 0.5


def test_what_is_done_in_a_thing_tells_what_it_is():
    aspect = QueryAspect("Definition of bridge question", "definition", keywords=("bridge",), subject="bridge question")
    assert score(aspect, passage("Hops", "In a bridge question, the answer of one hop is needed for the next.")) > 0.5


def test_what_stands_where_the_passage_names_it_elsewhere_covers_nothing():
    aspect = QueryAspect("Did Beam lose against Ray", "entity", keywords=("beam", "lose", "ray"), answer_kind="yes_no")
    text = "Beam lost sales in May. It has many rivals. Prices rose. Shops closed. Ray Games sells apps."
    assert score(aspect, passage("Beam", text)) < 0.5


def test_an_acronym_is_known_in_small_letters():
    aspect = QueryAspect(
        "Does GRU have fewer parameters than LSTM", "entity", keywords=("gru", "lstm"), answer_kind="choice"
    )
    text = "Unlike long short-term memory, the gated recurrent unit has fewer parameters."
    assert score(aspect, passage("Gated recurrent unit", text)) > 0.5


def test_what_a_named_thing_does_tells_what_it_is_where_nothing_else_does():
    aspect = QueryAspect("Definition of QKiln", "definition", keywords=("QKiln",), subject="QKiln")
    deed = "QKiln, from 2023, combines Kiln with tables so that it fits one card."
    assert score(aspect, passage("Kiln", deed)) > 0.5
    assert score(aspect, passage("Kiln", "QKiln, from 2023, costs more in Oslo.")) < 0.5
    assert score(aspect, passage("Kiln", "QKiln sells mills to Acme in 2023.")) < 0.5


@pytest.mark.parametrize(
    ("subject", "text", "tells"),
    [
        ("early firing", "Early firing ends the work when the pots stop changing.", True),
        ("early firing", "Early firing costs the makers more.", False),
        ("KLN7", "The KLN7 rack joins 72 kilns into one unit.", True),
        ("Kestrel", "The plan rests on the Kestrel service that offers kilns of many makers.", True),
        ("Kestrel", "The plan rests on the Kestrel and on Bolt.", False),
        ("Kestrel", "Kestrel, the robot company that Acme bought in 2020, opened to the public.", True),
        ("Kestrel", "After a complaint by Kestrel, the Commission accepted commitments.", False),
        ("Kestrel+", "Acme presented a new assistant named Kestrel+ in February.", True),
        ("loss in kilns", "The result of a kiln is measured by loss, which is the clay that is thrown away.", True),
    ],
)
def test_what_is_told_in_passing_of_a_thing_tells_what_it_is(subject, text, tells):
    aspect = QueryAspect(f"Definition of {subject}", "definition", keywords=(subject,), subject=subject)
    assert (score(aspect, passage("Kilns of Acme", f"Acme makes pots. {text}")) > 0.5) is tells


def test_a_short_form_written_in_full_is_meant_below_a_longer_one():
    aspect = QueryAspect("Who proposed IDF", "entity", keywords=("proposed", "IDF"), answer_kind="person")
    in_full = "Ann Lee proposed inverse document frequency in 1972."
    assert score(aspect, passage("TF-IDF", in_full)) > 0.5
    assert score(aspect, passage("TF-IDF", "Ann Lee proposed TF-IDF in 1972.")) < 0.5


def test_what_is_said_by_a_firm_behind_its_name_does_not_define_it():
    aspect = QueryAspect("Definition of Acme", "definition", keywords=("Acme",), subject="Acme")
    assert score(aspect, passage("News", "Acme: The chairman said that sales fell.")) < 0.8


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("iQhawe", "Sirius is known as “iQhawe” in Xhosa, which means “the champion”."),
        ("Aztec word tlacuiloa", "The word comes from the Nahuatl word tlacuiloa, which means writing with drawings."),
        ("Hokule'a", "Hokule’a is a voyaging canoe."),
        ("trivet", "Trivet (Pirustija) [Pirustiya]: The trivet is a metal device with three legs."),
        ("dbmnz", "dbmnz: This is the same as dbm, except that a terminating zero is left out."),
        ("kaavenga", "Guiding stars are referred to as 'kaavenga'."),
    ],
)
def test_what_a_word_means_is_its_definition(subject, text):
    aspect = QueryAspect(f"Definition of {subject}", "definition", keywords=(subject,), subject=subject)
    assert score(aspect, passage("Aztec and other words", text)) >= 0.6


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("Its risks are cost and the loss of old skills, known as kiln fading, and delay.", True),
        ("Critics call such loans kiln fading, because the money returns.", True),
        ("Its risks are cost, delay and kiln fading in winter.", False),
        ("The loss is known among those who work on kiln fading.", False),
    ],
)
def test_what_is_called_so_tells_what_a_term_is(text, tells):
    aspect = QueryAspect("Definition of kiln fading", "definition", keywords=("kiln fading",), subject="kiln fading")
    assert says_what_it_is(aspect, passage("Kilns", text)) is tells


def test_the_first_word_of_a_phrase_is_no_name_where_it_stands_ahead_of_one():
    """A name has to be said as it is; what a phrase asks about it, in any word of the sense."""
    for phrase in ("Lawsuits against Acme", "Outlook for the Acme group", "Strikes at Acme", "Strikes in Utah"):
        named = asked_by(QueryAspect(phrase, "entity")).names
        assert all(name.isdisjoint(terms_of(phrase.split()[0])) for name in named)
    assert asked_by(QueryAspect("Strikes in Utah", "entity")).names == (terms_of("Utah"),)
    assert asked_by(QueryAspect("Apple in Utah", "entity")).names == (terms_of("Apple"), terms_of("Utah"))


def test_a_percentage_that_tells_what_is_meant_is_not_answered_by_another():
    given = passage("Acme", "Acme sold a 20% stake in Ink to Bolt.")
    asked = QueryAspect("Who bought 10% of Ink from Acme", "entity", answer_kind="organisation")
    assert score(asked, given) < 0.5 <= score(replace(asked, aspect="Who bought 20% of Ink from Acme"), given)
    assert asked_by(replace(asked, aspect="Who bought more than 10% of Ink")).shares == frozenset()
    assert asked_by(replace(asked, aspect="Did Ink grow 10%", answer_kind="yes_no")).shares == frozenset()


def of(kind, subject, aspect=None):
    return QueryAspect(aspect or f"Definition of {subject}", kind, keywords=(subject,), subject=subject)


def test_an_entry_of_a_list_defines_what_it_opens_with():
    given = passage("Key eviction", "- noeviction: New values are not saved at the limit.\n- allkeys: Keeps used keys.")
    assert score(of("definition", "noeviction", "Purpose of noeviction"), given) >= 0.7
    assert score(of("definition", "limit", "Purpose of limit"), given) < 0.5


def test_a_page_of_a_reference_opens_with_what_its_title_does():
    purpose = of("definition", "MULTI", "Purpose of MULTI")
    assert score(purpose, passage("multi", "Marks the start of a transaction block. Commands are queued.")) >= 0.9
    assert score(purpose, passage("multi", "Commands are queued.")) < 0.5


def test_what_belongs_to_a_name_is_defined_under_both_and_what_it_is_not_defines_nothing():
    asked = of("definition", "pipelining")
    told = "Redis pipelining is a technique for sending several commands at once. It needs no server but Redis."
    assert score(asked, passage("Redis pipelining", told)) >= 0.9
    assert score(asked, passage("Speed", "Pipelining is not just a way to reduce the cost.")) < 0.5
    assert score(asked, passage("Speed", "Pipelining is not very efficient with few commands.")) < 0.5
    assert score(asked, passage("Speed", "Pipelining is not a transaction but a way to send commands.")) >= 0.9


def test_an_abbreviation_that_opens_the_name_is_told_by_what_it_is_short_for():
    asked = of("definition", "RTT estimator")
    told = "The most used one is the round-trip time (RTT) estimator of Berg."
    assert score(asked, passage("Nets", told)) >= 0.5
    assert score(asked, passage("Nets", "The most used one is the RTT estimator of Berg.")) < 0.5


def test_a_term_is_defined_under_the_document_that_lays_it_down():
    words = ("derived", "part", "acme", "licence")
    asked = QueryAspect("Definition of …", "definition", keywords=words, subject="Derived Part under the Acme licence")
    told = '"Derived Parts" shall mean any part that is made of a Part.'
    assert score(asked, passage("Acme Licence 2.0", told)) >= 0.7 > score(asked, passage("Orrin Terms", told))


def test_what_stands_below_a_heading_that_names_the_merits_is_one():
    asked = QueryAspect("Advantages of AOF", "evaluation", keywords=("aof", "advantages"), subject="AOF")
    told = "Using it the server is more durable. You can have different policies."
    below, beside = (passage("Persistence", f"{head}\n\n{told}") for head in ("AOF advantages", "AOF policies"))
    assert score(asked, below) >= 0.7 > score(asked, beside)


def test_what_stands_below_the_factors_of_a_thing_tells_its_causes():
    told = "Nobody had renewed the keys."
    asked = QueryAspect("Causes of login outage", "causal", keywords=("login", "outage"), subject="login outage")
    below, beside = (passage("Login outage", f"{head}\n\n{told}") for head in ("Contributing factors", "What we saw"))
    assert score(asked, below) >= 0.7 > score(asked, beside)


GLOSSARY = """Spread: Occurs when the two prices of a share lie apart.
Tick: Stands for the smallest step of a price.
Float - Shares that anybody may trade.

- lot: A number of shares traded at once."""


@pytest.mark.parametrize("term", ["spread", "tick", "float", "lot"])
def test_the_entry_of_a_glossary_defines_its_term(term):
    assert score(of("definition", term), Passage("p", "d", "Terms", GLOSSARY)) >= 0.7


def test_a_line_with_a_colon_alone_is_no_entry_of_a_glossary():
    alone = Passage("p", "d", "News", "Spread: Occurs when the two prices of a share lie apart.")
    assert score(of("definition", "spread"), alone) < 0.5


def test_a_mere_mention_does_not_cover_a_definition():
    given = passage("Hardware", "The chip speeds up self-attention by a factor of two.")
    assert 0 < score(DEFINITION, given) < 0.5


def test_one_of_several_things_that_a_title_lists_is_not_what_each_sentence_is_about():
    asked = fact("What did Ann Lee say about Quantum?", answer_kind="report")
    text = "Ann Lee named cyber attacks the greatest danger. Quantum is years away. Staff will shrink."
    assert score(asked, passage("Acme: Cloud, Quantum and execution risk", text)) < 0.6
    assert score(asked, passage("Acme: Quantum", text)) == 1.0


def test_what_one_has_to_do_with_another_any_sentence_on_both_tells():
    asked = fact("What is Acme's relationship with Borealis?")
    assert score(asked, passage("Acme", "In May Acme and Borealis announced a letter of intent.")) >= 0.5
    assert score(asked, passage("Acme", "In May Acme announced a letter of intent.")) < 0.5


def test_what_is_legal_tells_of_no_lawsuit_and_a_lawsuit_of_legal_trouble():
    sued = fact("Who sued Acme?", answer_kind="person")
    assert score(sued, passage("Acme", "Payments from Borealis to Acme stayed legal.")) < 0.5
    (legal, _) = asked_by(fact("Legal trouble of Acme")).units
    assert legal.is_in(terms_of("a lawsuit against Acme"))


def test_a_shared_common_word_does_not_match_at_all():
    given = passage("Drivers", "Attention is a scarce resource: a driver who pays attention is safe.")
    assert match(DEFINITION, given, weigh=lambda term: 3.0 if term == "self" else 0.2) is None


def test_nothing_matches_an_empty_passage():
    assert match(DEFINITION, passage("", ""), weigh=uniform) is None


def test_the_match_names_its_sentence_and_words():
    text = "An aside. Self-attention is a mechanism of transformers."
    found = match(DEFINITION, passage("T", text), weigh=uniform)
    first = found.sentences[0][1]
    assert text[first.start : first.end] == "Self-attention is a mechanism of transformers."
    assert found.words == ("Self-attention",)


def test_a_comparison_needs_both_things_in_one_passage():
    aspect = QueryAspect("Comparison between BM25 and ColBERT", "comparison", subject="BM25 and ColBERT")
    one = passage("BM25", "BM25 differs from older formulas, whereas those are simpler.")
    both = passage("BM25 and ColBERT", "BM25 matches words, whereas ColBERT compares vectors of tokens.")
    assert score(aspect, one) == 0.0
    assert score(aspect, both) == 1.0


def test_a_facet_is_covered_by_a_passage_about_it_not_by_an_aside():
    aspect = QueryAspect("Legal risks of Tesla", "facet", keywords=("legal", "lawsuit", "court"), subject="Tesla")
    about = passage("Tesla: legal risk", "Tesla faces a lawsuit. A court heard Tesla in May.")
    aside = passage(
        "Tesla: overview", "Tesla makes cars. Tesla has plants. Tesla was in court once. Tesla sells batteries."
    )
    other = passage("Apple: legal risk", "Apple faces a lawsuit. A court heard Apple.")
    assert score(aspect, about) >= 0.9
    assert 0 < score(aspect, aside) < 0.5
    assert score(aspect, other) == 0.0


def test_a_facet_that_the_question_names_in_a_word_is_covered_by_one_sentence_on_it():
    aspect = QueryAspect("Antitrust of Apple", "facet", 1.0, ("antitrust",), subject="Apple", answer_kind="report")
    text = "Apple makes phones. The United States filed an antitrust lawsuit against Apple in March 2024. It has shops."
    answering = match(aspect, Passage("a#0", "a", "Apple: company overview", text), weigh=uniform)
    other = text.replace("against Apple", "against Amazon")
    beside = match(aspect, Passage("a#1", "a", "Apple: company overview", other), weigh=uniform)
    assert answering is not None
    assert answering.score >= 0.5
    assert beside is None or beside.score < answering.score


def test_a_facet_that_the_title_alone_names_is_covered_by_what_stands_under_it():
    aspect = QueryAspect("Whistleblowing of Corvane", "facet", keywords=("whistleblowing",), subject="Corvane")
    under = passage("Corvane: whistleblowing policy", "A report may be made to Eleanor Voss at any time.")
    beside = passage("Corvane: travel policy", "A journey may be booked by anybody at any time.")
    assert score(aspect, under) >= 0.5
    assert score(aspect, beside) < 0.5


def test_how_many_there_are_to_choose_from_is_not_asked_of_any():
    def units(question: str) -> set[str]:
        return {unit.term for unit in asked_by(QueryAspect(question, "entity", answer_kind="list")).units}

    assert units("Which of the eight companies depend on TSMC") == units("Which companies depend on TSMC")
    assert "eight" in units("Did eight companies settle with TSMC")


def test_a_passage_of_another_firm_that_names_the_subject_once_does_not_cover_its_facet():
    aspect = QueryAspect("Supply risks of NVIDIA", "facet", keywords=("supply chain", "supplier"), subject="NVIDIA")
    apple = passage(
        "Apple: supply chain",
        "The supply chain of Apple is long. A supplier of Apple failed. NVIDIA also buys at TSMC.",
    )
    assert score(aspect, apple) < 0.5


def test_asking_for_disadvantages_is_not_answered_by_advantages():
    aspect = QueryAspect("Disadvantages of BM25", "evaluation", keywords=("bm25", "disadvantages"), subject="BM25")
    praise = passage("Praise of BM25", "BM25 is fast and robust.")
    blame = passage("Limits of BM25", "BM25 fails when words differ. A further weakness of BM25 is word order.")
    assert score(aspect, blame) > 0.7
    assert score(aspect, praise) < 0.5


def test_a_title_shows_where_the_subject_of_a_process_ends():
    name = "reciprocal rank fusion merge ranked lists"
    aspect = QueryAspect(f"Process/mechanism of {name}", "process", keywords=tuple(name.split()), subject=name)
    mention = "Mean reciprocal rank is a measure. It should not be confused with reciprocal rank fusion."
    merging = "Reciprocal rank fusion combines ranked lists: each document gets a weighted sum of reciprocal ranks."
    assert score(aspect, passage("Reciprocal rank fusion", merging)) == 1.0
    assert score(aspect, passage("Reciprocal rank fusion (RRF)", merging)) == 1.0
    assert score(aspect, passage("Mean reciprocal rank", mention)) < 0.5


def test_a_cause_is_found_by_its_own_words_where_no_typical_word_stands():
    name = "door plug accident on the Alaska Airlines 737 MAX 9"
    aspect = QueryAspect("Causes", "causal", keywords=("door", "plug", "accident"), subject=name)
    told = passage(
        "Boeing: safety", "On an Alaska Airlines 737 MAX 9 a door plug blew out; four bolts were missing. An accident."
    )
    other = passage("Boeing: orders", "Alaska Airlines ordered the 737 MAX 9 from Boeing.")
    assert score(aspect, told) >= 0.5
    assert score(aspect, other) == 0.0


def test_an_alias_of_the_subject_is_the_subject():
    aspect = QueryAspect(
        "Definition of RNNs", "definition", keywords=("rnns",), subject="RNNs", aliases=("Recurrent neural network",)
    )
    given = passage("Recurrent neural network", "A recurrent neural network is a network with a memory.")
    assert score(aspect, given) == 1.0


def test_what_a_company_files_has_it_for_its_source():
    filed = Passage("f", "f", "2023 Q3 ACME 10-Q", "The loss was 9.", metadata=(("issuer", "Acme Kettles Inc."),))
    assert keeping(Constraint("source", "Acme"), filed) == "held"
    assert keeping(Constraint("source", "Bolt"), filed) == "open"


def test_a_named_source_that_differs_lowers_the_score():
    wanted = (Constraint("source", "TechCrunch"),)
    aspect = QueryAspect("Amazon reports a discount", "entity", keywords=("amazon", "discount"), constraints=wanted)
    text = "Amazon announced a discount."
    right, wrong = passage("a", text, source="TechCrunch"), passage("b", text, source="The Verge")
    assert score(aspect, right) == 1.0
    assert score(aspect, wrong) == pytest.approx(0.45)
    assert score(aspect, wrong, constrain=False) == 1.0


def test_share_weighs_rare_words_more():
    weights = {"rare": 3.0, "common": 1.0}
    assert share(["rare", "common"], frozenset(["rare"]), weights.__getitem__) == 0.75
    assert share([], frozenset(), uniform) == 1.0


def test_findings_quote_the_passage_exactly():
    given = passage("Self-attention", "Self-attention is a mechanism. It relates tokens of one sequence to each other.")
    found = read([DEFINITION], [(given, 1.0)], weigh=uniform)
    assert [f.quote for f in found] == ["Self-attention is a mechanism."]
    assert all(given.text[f.start : f.end] == f.quote for f in found)


def test_relevance_and_meaning_move_the_score_but_never_create_it():
    given = passage("Self-attention", "Self-attention is a mechanism.")
    off = passage("Cooking", "Boil the water.")

    def best(given, relevance, meaning=None):
        similar = None if meaning is None else lambda _aspect, _passage: meaning
        return max(
            (f.score for f in read([DEFINITION], [(given, relevance)], weigh=uniform, similar=similar)), default=0.0
        )

    assert best(given, 0.0) == pytest.approx(0.85)
    assert best(given, 1.0) == 1.0
    assert best(given, 0.0, meaning=0.7) == pytest.approx(0.85 * 1.02)
    assert best(given, 0.0, meaning=0.1) == pytest.approx(0.85 * 0.92)
    assert best(off, 1.0, meaning=0.99) == 0.0


def fact(question, **kwargs):
    return QueryAspect(question, "entity", keywords=tuple(question.lower().split()), **kwargs)


ANSWERS = [tuple(row.values()) for row in json.loads((Path(__file__).parent / "answers.json").read_text("utf-8"))]


@pytest.mark.parametrize(("question", "kind", "title", "text", "answers"), ANSWERS)
def test_a_sentence_answers_in_other_words_and_never_by_shared_words_alone(question, kind, title, text, answers):
    assert (score(fact(question, answer_kind=kind), passage(title, text)) >= 0.5) is answers


def test_what_only_ends_in_the_subject_is_something_else():
    aspect = QueryAspect("Weaknesses of RAG", "evaluation", subject="RAG", keywords=("weaknesses",))
    own = passage("RAG", "The weaknesses of RAG are cost and delay.")
    other = passage("Adaptive-RAG", "The weaknesses of Adaptive-RAG are cost and delay.")
    assert score(aspect, other) < score(aspect, own)


def test_an_institution_is_named_without_its_country():
    aspect = fact("Did the US Department of Justice sue Acme?", answer_kind="yes_no")
    assert asked_by(aspect).names == asked_by(fact("Did the Department of Justice sue Acme?")).names
    assert asked_by(fact("What does the EU AI Act ask?")).names == asked_by(fact("What does the AI Act ask?")).names


def test_we_is_the_issuer_that_the_metadata_names():
    aspect = fact("Did Acme buy Bolt?", answer_kind="yes_no")
    text = "We bought Bolt in March."
    assert score(aspect, passage("10-Q", text, metadata=(("issuer", "Acme Corp"),))) >= 0.5
    assert score(aspect, passage("10-Q", text, metadata=(("issuer", "Zeta Inc"),))) < 0.5


def test_a_share_is_owned_where_own_ends_the_question_and_a_sign_says_percent():
    share = fact("What percentage of Bolt will Acme own?", answer_kind="number")
    filed = (("issuer", "Acme Corp"),)
    assert score(share, passage("10-Q", "We and Zeta own 51% and 49% of Bolt.", metadata=filed)) >= 0.5
    assert score(share, passage("10-Q", "We shall fund our share of the 51 plants of Bolt.", metadata=filed)) < 0.5


def test_a_filing_that_says_we_is_about_the_risks_of_its_issuer():
    aspect = QueryAspect("Supply risks of Acme", "facet", 1.0, ("supply", "supplier"), subject="Acme")
    text = "We depend on one supplier. Our supply of chips may be interrupted."
    assert score(aspect, passage("2023 Q3 10-Q", text, metadata=(("issuer", "Acme Corp"),))) >= 0.5
    assert score(aspect, passage("2023 Q3 10-Q", text, metadata=(("issuer", "Zeta Inc"),))) < 0.5


def test_a_member_of_a_list_is_one_or_the_other_of_what_and_joins():
    aspect = QueryAspect("Which decisions and settlements concerned Acme", "entity", answer_kind="list")
    (both, _) = asked_by(aspect).units
    assert both.is_in(terms_of("a decision"))
    assert both.is_in(terms_of("a settlement"))
    single = asked_by(replace(aspect, answer_kind="fact")).units
    assert len(single) == 3


def test_before_a_year_ends_where_the_year_begins():
    before, until = (Constraint("date", f"{word} 2023", value="../2023") for word in ("before", "until"))
    said = passage("Acme", "Acme was fined in May 2023.")
    assert (keeping(before, said, said.text), keeping(until, said, said.text)) == ("broken", "held")
    assert keeping(before, said, "Acme was fined in December 2022.") == "held"


def test_the_profit_margin_is_no_profit():
    aspect = fact("Is Acme profitable?", answer_kind="yes_no")
    assert score(aspect, passage("Acme", "Lower prices reduced the profit margin of Acme.")) < 0.5
    assert score(aspect, passage("Acme", "Acme made a profit in 2023.")) >= 0.5


def test_a_longer_name_that_ends_in_a_shorter_one_is_another():
    aspect = fact("Who invented RAG?", answer_kind="person")
    assert score(aspect, passage("SEAL-RAG", "Ann Lee invented SEAL-RAG in 2025.")) == 0.0
    assert score(aspect, passage("RAG", "Ann Lee invented RAG in 2020.")) >= 0.5
    assert score(aspect, passage("DPR", "Ann Lee's DPR outperformed RAG and made dense retrieval popular.")) < 0.5


def test_what_is_said_to_be_a_form_of_a_thing_tells_what_the_thing_is():
    aspect = QueryAspect("Definition of attention", "definition", keywords=("attention",), subject="attention")
    assert score(aspect, passage("Additive attention", "Additive attention is a form of attention.")) >= 0.5
    assert score(aspect, passage("Sparse attention", "Sparse attention is a family of methods.")) < 0.5


def test_owning_is_asked_for_although_own_is_a_stop_word():
    aspect = QueryAspect("Does Acme own factories", "entity", answer_kind="yes_no")
    assert {unit.term for unit in asked_by(aspect).units} == {"possess", "factori"}


def test_a_heading_says_what_its_sentences_speak_of():
    aspect = fact("How does Acme hedge its fuel?", answer_kind="way")
    text = "Our costs rose by 3%.\n{}\nWe hedge 60% of what we expect to use in twelve months with swaps."
    filed = (("issuer", "Acme Corp"),)
    assert score(aspect, passage("AR 2022", text.format("Fuel"), metadata=filed)) >= 0.5
    assert score(aspect, passage("AR 2022", text.format("Wages"), metadata=filed)) < 0.5


def test_an_untitled_text_may_be_of_the_firm_that_says_we_and_not_of_one_to_which_a_person_talks():
    aspect = fact("What does the Reserve Bank try to achieve?")
    assert score(aspect, passage("", "We try to achieve what our owners expect.")) >= 0.5
    assert score(aspect, passage("", "I know how we try to achieve what our owners expect.")) < 0.5
    assert score(aspect, passage("", "We try to achieve what you expect.")) < 0.5


def test_under_a_title_that_says_all_that_is_asked_the_sentence_that_says_it_itself_comes_first():
    aspect = fact("What are the cases and outbreaks?")
    text = "It spreads fast. It came by air. It is severe. It is old. It has gone. Cases and outbreaks are rare."
    read = read_against(aspect, passage("Cases and outbreaks", text), weigh=uniform)
    assert text[read[0].sentence.start :].startswith("Cases and outbreaks")
    asked = fact("How many outbreaks were there?", answer_kind="number")
    text = "It spreads fast. It came by air. Outbreaks are old. Outbreaks may occur. There were 4 outbreaks."
    read = read_against(asked, passage("Outbreaks", text), weigh=uniform)
    assert text[read[0].sentence.start :] == "There were 4 outbreaks."


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        (".. |version| image:: https://example.org/version.svg", True),
        (":target: https://example.org", True),
        ('@article{lee-2020, author = "Lee, Ann"}', True),
        ("The image shows a target: it is red.", False),
        ("Write to ann@example.org {today}, please.", False),
    ],
)
def test_an_instruction_to_a_typesetter_answers_nothing(text, is_so):
    assert is_markup(text) is is_so
    aspect = fact("Which version has the image?")
    read = read_against(aspect, passage("Image version", text), weigh=uniform)
    assert not any(is_markup(text[each.sentence.start : each.sentence.end]) for each in read)
    assert read or is_so


def test_a_chair_is_no_chief_executive():
    asked = fact("Who is the chief executive of Acme?", answer_kind="person")
    assert score(asked, passage("Acme", "Marie Coster chairs the board of Acme, which met 11 times.")) < 0.5
    assert score(asked, passage("Acme", "Acme is run by its chief executive, Lucas Brandt.")) >= 0.5


_AGREED = "We entered into an agreement to acquire Bolt for $1.7 billion, subject to customary closing conditions."


@pytest.mark.parametrize(
    ("question", "quote", "agreed"),
    [
        ("How much did Acme pay to buy Bolt?", _AGREED, True),
        ("What did Acme agree to pay for Bolt?", _AGREED, False),
        ("How much did Acme pay to buy Bolt?", "We agreed to buy Bolt for $1.7 billion.", False),
        ("How much did Acme pay to buy Bolt?", f"{_AGREED} We completed the acquisition in May.", False),
        (
            "Why did Acme close the purchase of Bolt?",
            "The seller ended talks whereby we would have acquired Bolt.",
            True,
        ),
        ("When did Acme close its purchase of Bolt?", "If the agreement is terminated, we owe a fee.", True),
        ("When did Acme terminate its purchase of Bolt?", "The agreement was terminated in May.", False),
        ("Who runs Bolt?", _AGREED, False),
    ],
)
def test_what_was_only_agreed_or_called_off_is_not_done(question: str, quote: str, agreed: bool) -> None:
    assert is_only_agreed(question, quote) is agreed


@pytest.mark.parametrize(("label", "unlabelled"), [("Staff at work", False), ("Stock awards", True)])
def test_a_cell_alone_covers_nothing_under_a_label_of_something_else(label: str, unlabelled: bool) -> None:
    table = passage("10-Q", f"{label}\n1,338\n466")
    cell = Finding("staff", table.passage_id, "1,338", len(label) + 1, len(label) + 6, 0.9)
    assert is_unlabelled("How many people work for Acme?", table, cell) is unlabelled


@pytest.mark.parametrize(
    ("question", "quote", "otherwise"),
    [
        ("Why did the margin of Acme decrease?", "The margin increased, driven by higher prices.", True),
        ("Why did the margin of Acme increase?", "The margin increased, driven by lower costs.", False),
        ("What caused the fall in sales?", "Sales fell due to increased competition.", False),
        ("What caused the fall in sales?", "Costs rose and sales fell because of the strike.", False),
        ("Did the margin fall?", "The margin increased, driven by higher prices.", False),
        ("What did Acme pay to buy iBolt?", "We paid $885 million for acquisitions.", True),
        ("What did Acme pay to buy iBolt?", "We bought iBolt for $885 million.", False),
        ("What did Acme pay to buy iBolt?", "The purchase price was $885 million.", False),
        ("What did Acme pay for iBolt?", "Upon completion of the acquisition each share will be worth $53.", True),
        ("What was kettle revenue in dollars?", "Kettle revenue had an impact of 3% from currencies.", True),
        ("What was kettle revenue in dollars?", "Kettle revenue was $3 million.", False),
    ],
)
def test_what_tells_the_opposite_or_of_another_thing_covers_nothing(question: str, quote: str, otherwise: bool) -> None:
    assert says_otherwise(question, quote) is otherwise


@pytest.mark.parametrize(
    ("question", "title", "quote", "another"),
    [
        ("Why did Acme close the purchase of Bolt?", "Acme: law", "It cleared Acme's purchase of Rivet.", True),
        (
            "Why did Acme close the purchase of Bolt?",
            "Acme: law",
            "Acme gave up its purchase of the maker Bolt.",
            False,
        ),
        ("Why did Acme close the purchase of Bolt?", "Acme: law", "It cleared the purchase of Rivet and Bolt.", False),
        ("Why did Acme close the purchase of Bolt?", "Acme: law", "The purchase of August was not closed.", False),
        ("Who is the head of Acme?", "Acme", "Ann Lee, former head of Rivet, has led the firm since 2019.", False),
        (
            "Who is older, the director of Alpha or the director of Beta?",
            "Films",
            "Ann is the director of Beta.",
            False,
        ),
        ("Why did Acme buy Bolt?", "Acme", "It cleared the purchase of Rivet.", False),
        (
            "What are the risks and outlook of Acme, Bolt and Rivet?",
            "Rivet: plans",
            "The outlook of Rivet is good.",
            False,
        ),
        (
            "What are the risks and outlook of Acme, Bolt and Rivet?",
            "Zeta: plans",
            "The outlook of Zeta is good.",
            True,
        ),
    ],
)
def test_what_is_said_of_another_name_answers_nothing(question, title, quote, another):
    assert speaks_of_another(question, passage(title, quote), quote) is another


@pytest.mark.parametrize(
    ("title", "text", "covers"),
    [
        ("Zeta: outlook and plans", "Acme, Bolt and Rivet all raised their plans in May.", False),
        ("Zeta: outlook and plans", "The outlook of Acme is better than that of Zeta.", True),
        ("Acme: outlook and plans", "Acme raised its plans in May.", True),
    ],
)
def test_under_the_title_of_another_a_sentence_says_the_facet_itself(title, text, covers):
    aspect = QueryAspect("Outlook of Acme", "facet", 1.0, ("outlook",), subject="Acme", answer_kind="report")
    assert (score(aspect, passage(title, text)) >= 0.5) is covers


def test_what_is_called_so_at_the_end_of_a_sentence_is_defined_by_it():
    called = "A new version, the last part, finished in 2017, is called the Basel endgame in the United States."
    aspect = QueryAspect("Definition of Basel endgame", "definition", 1.0, subject="Basel endgame")
    assert score(aspect, passage("Bank rules", called)) >= 0.5
    other = "Each of these parts is called the Basel endgame table."
    assert score(aspect, passage("Bank rules", other)) < 0.5


def test_what_is_told_beside_a_name_or_under_it_defines_it():
    conjugates = QueryAspect("Definition of antibody conjugate", "definition", 1.0, subject="antibody conjugate")
    told = "Acme has a platform of antibody conjugates, which carry a toxin to cells, and sells it."
    assert score(conjugates, passage("Acme", told)) >= 0.5
    assert score(conjugates, passage("Acme", "Acme sells antibody conjugates, whose price rose.")) < 0.5
    attention = QueryAspect("Definition of attention", "definition", 1.0, subject="attention")
    assert score(attention, passage("Nets", "A net uses the attention, which looks at every word, daily.")) >= 0.5
    assert score(attention, passage("Nets", "A net has sparse attention, which looks at some words, in it.")) < 0.5
    assert score(attention, passage("Nets", "Before attention, a net read a sentence word by word.")) < 0.5
    project = QueryAspect("Definition of Project Rain", "definition", 1.0, subject="Project Rain")
    assert score(project, passage("Acme", "Acme opened a cluster of chips under the name Project Rain.")) >= 0.5
    assert score(project, passage("Acme", "Acme opened a cluster of chips beside Project Rain.")) < 0.5


@pytest.mark.parametrize(
    ("told", "tells"),
    [
        ("In payments, the unit Kestrel of Acme moves money.", True),
        ("Acme builds robots, including the two-seat Kestrel.", True),
        ("Its network, called Hawk until May and Kestrel since then, depends on rockets.", True),
        ("Acme closed the team for its Kestrel training computer.", True),
        ("Acme answered with a low-price section called Kestrel.", True),
        ("Acme named Kestrel a rival.", False),
        ("Acme praised the unit Kestrel Nine.", False),
        ("Acme sold Kestrel in May.", False),
    ],
)
def test_of_what_kind_a_named_thing_is_stands_right_before_its_name(told, tells):
    aspect = QueryAspect("Definition of Kestrel", "definition", 1.0, subject="Kestrel")
    assert (score(aspect, passage("Acme", told)) >= 0.5) is tells


def test_a_title_says_no_deed_in_another_word_and_won_is_one():
    told = "Acme said that its chief Bo Holm would retire, and Ann Lee left."
    for title, covered in (("Acme: succession", False), ("Acme: Bo Holm replaced", True)):
        asked = QueryAspect("Who replaced Bo Holm", "entity", 1.0, ("replaced",), answer_kind="person")
        assert (score(asked, passage(title, told)) >= 0.5) is covered
    won = QueryAspect("Who won the Bolt case", "entity", 1.0, ("won", "case"), answer_kind="person")
    assert score(won, passage("Acme: law", "Ann Lee won the Bolt case.")) >= 0.5
    assert score(won, passage("Acme: law", "In the Bolt case Ann Lee is a judge.")) < 0.5


def test_how_big_a_name_is_has_to_be_told_by_a_size():
    asked = QueryAspect("How big is Acme", "entity", 1.0, ("big",), answer_kind="number")
    assert score(asked, passage("Acme", "Acme has 9,000 employees.")) >= 0.5
    assert score(asked, passage("Acme", "Acme paid 9,000 dollars.")) < 0.5


@pytest.mark.parametrize(
    ("told", "tells"),
    [
        ("A ferry carries cars across water.", True),
        ("Ferry at k is the share of cars that cross.", True),
        ("A ferry needs a harbour.", False),
        ("A ferry and a barge are slow.", False),
        ("The ferry sank on Monday.", False),
    ],
)
def test_a_kind_of_thing_is_defined_by_what_each_of_it_does(told, tells):
    aspect = QueryAspect("Definition of ferry", "definition", 1.0, subject="ferry")
    assert (score(aspect, passage("Ports", told)) >= 0.5) is tells


def test_who_takes_over_nothing_takes_over_from_somebody():
    asked = QueryAspect("When did Lee take over", "entity", 1.0, ("lee",), subject="Lee", answer_kind="date")
    assert score(asked, passage("Acme", "Ann Lee succeeded him as chief executive in July 2021.")) >= 0.5
    assert score(asked, passage("Acme", "Acme bought a mill, and Ann Lee spoke in 2025.")) < 0.5


def test_a_thing_of_a_field_is_defined_under_the_title_of_the_field():
    regret = QueryAspect("Definition of regret in bandits", "definition", 1.0, subject="regret in bandits")
    told = "How good it is, is measured by regret, which is the reward lost."
    assert score(regret, passage("Bandits", told)) >= 0.5
    assert score(regret, passage("Trade", told)) < 0.5


def test_a_verb_that_no_document_says_is_not_asked_for_where_the_answer_has_a_shape():
    def weigh(term):
        return 1.0 if term in {"acm", "bolt", "million", "dollar", "invest"} else 6.0

    told = passage("Deals", "Acme invested 3 million dollars in Bolt.")
    for kind, covered in (("amount", True), ("reason", False)):
        aspect = fact("How much has Acme ploughed into Bolt?", answer_kind=kind)
        found = match(replace(aspect, aspect=aspect.aspect.replace("ploughed", "zorked")), told, weigh=weigh)
        assert (found is not None and found.score >= 0.5) is covered


def test_the_paper_in_which_it_is_written_is_nothing_that_a_sentence_says():
    asks = asked_by(fact("What harms Acme, per the December quarter filing", answer_kind="list"))
    assert {unit.term for unit in asks.units} == {"harm"}
    asks = asked_by(fact("What does Acme's 2023 quarter filing fear", answer_kind="list"))
    assert {unit.term for unit in asks.units} == {"fear"}
    asks = asked_by(fact("Acme, autumn 2022 10-Q: what went wrong at the plant"))
    assert {unit.term for unit in asks.units} == {"plant"}
    asks = asked_by(fact("What did Acme say in its filing fee note", answer_kind="list"))
    assert "fee" in {unit.term for unit in asks.units}


def test_what_a_thing_does_tells_its_purpose():
    unit = QueryAspect("Purpose of Kinex", "definition", 1.0, subject="Kinex")
    assert score(unit, passage("Bank", "In chains, the unit Kinex of Acme Bank processes payments.")) >= 0.5
    aspect = QueryAspect("Purpose of Safety Act", "definition", 1.0, subject="Safety Act")
    assert score(aspect, passage("Aircraft", "The Safety Act protects employees and supports whistleblowers.")) >= 0.5
    assert score(aspect, passage("Aircraft", "Congress passed the Safety Act in 2020.")) < 0.5


def test_what_happened_after_an_event_is_told_by_the_sentence_behind_it():
    text = "The judge rejected the deal in 2024. In 2025 both sides replaced it. The firm makes aircraft."
    aspect = QueryAspect("What happened after the judge rejected the deal", "entity", 1.0)
    match_ = match(aspect, passage("Litigation", text), weigh=uniform)
    (_, sentence), *_ = match_.sentences
    assert text[sentence.start : sentence.end] == "In 2025 both sides replaced it."


def test_what_came_earlier_is_not_what_happened_after():
    text = "The judge rejected the deal in 2024. In 2019 the firm had broken it."
    aspect = QueryAspect("What happened after the judge rejected the deal", "entity", 1.0)
    assert match(aspect, passage("Litigation", text), weigh=uniform) is None


def test_a_month_before_to_has_the_year_of_the_one_behind_it():
    told = "Production stopped from late January to mid-February 2024."
    january = Constraint("date", "in January 2024", (0, 0), "2024-01")
    assert keeping(january, passage("Plant", told), told) == "held"
    march = Constraint("date", "in March 2024", (0, 0), "2024-03")
    assert keeping(march, passage("Plant", told), told) == "broken"


def test_a_place_left_out_is_a_condition_and_no_name():
    outside = Constraint("negation", "outside the United States", (0, 0), "United States")
    aspect = QueryAspect("Which fine did Amazon get outside the United States", "entity", 1.0, constraints=(outside,))
    assert asked_by(aspect).names == (frozenset({"amazon"}),)


def test_what_another_has_is_not_what_the_one_asked_about_has():
    asks = QueryAspect("How many layers does Ember-4 have", "entity", 1.0, answer_kind="number")
    other = "The data were labelled by Ember-4, and the models are based on Flint 2 with seven layers."
    assert score(asks, passage("Training", other)) < 0.5
    own = "The data were labelled by Flint 2, and the models are based on Ember-4 with seven layers."
    assert score(asks, passage("Training", own)) >= 0.5
    of_its_maker = asked_by(replace(asks, aspect="How many workers does the maker of Ember-4 have"))
    assert without_what_others_have(of_its_maker, "Ashworks has 300 workers.") == "Ashworks has 300 workers."


@pytest.mark.parametrize(
    ("question", "kind", "text", "covers"),
    [
        ("How much could AWS owe Kove?", "amount", "Amazon Web Services could owe Kove $1 billion.", True),
        ("How much could AWS owe Kove?", "amount", "Amazon Retail Services could owe Kove $1 billion.", False),
        ("How much did AWS pay?", "amount", "It paid $1 billion of costs associated with sales.", False),
        ("How much did America pay?", "amount", "The US paid $1 billion to us.", True),
        ("How much did America pay?", "amount", "It paid $1 billion to us.", False),
        (
            "What did the European Commission impose?",
            "fact",
            "It is the European Commission (EC). The EC imposed a fine.",
            True,
        ),
        ("What did the European Commission impose?", "fact", "It is the east coast. The EC imposed a fine.", False),
    ],
)
def test_a_name_may_be_said_in_full_or_by_its_initials(question, kind, text, covers):
    assert (score(fact(question, answer_kind=kind), passage("2023 report", text)) >= 0.5) == covers


@pytest.mark.parametrize(
    ("asked", "time", "units"),
    [
        ("Which start-up did Acme buy at the end of 2025", "of 2025", {"start", "buy"}),
        ("What did Acme sell in Q2 2024 (July)", "in Q2 2024", {"sell"}),
        ("Why did Acme end its lease in 2025", "in 2025", {"end", "leas"}),
    ],
)
def test_what_only_says_when_is_no_word_that_an_answer_says(asked, time, units):
    aspect = fact(asked, constraints=(Constraint("date", time, (0, 1), ""),))
    assert {unit.term for unit in asked_by(aspect).units} == units


def test_what_a_text_defines_in_quotes_names_the_thing_in_its_later_sentences():
    aspect = QueryAspect("Until when can Amazon's $1.5 billion revolving credit facility be used", "entity")
    text = (
        "We have a $1.5 billion secured revolving credit facility with a lender (the “Credit Facility”). "
        "The {} is available until August 2025. We opened a store in Ohio."
    )
    filed = {"metadata": (("issuer", "AMAZON.COM, INC."),)}
    assert score(aspect, passage("10-Q", text.format("Credit Facility"), **filed)) > 0.5
    assert score(aspect, passage("10-Q", text.format("old mill"), **filed)) < 0.5


def test_what_is_the_most_so_at_the_head_of_a_question_is_no_name():
    text = "The money will be received upon the second closing of the sale, expected no earlier than March 2025."
    filed = {"metadata": (("issuer", "Intel Corporation"),)}
    own = f"We sold the business to SK hynix. {text}"
    asked = "{} date for the second closing of Intel's sale to SK hynix"
    assert score(QueryAspect(asked.format("Earliest"), "entity"), passage("10-Q", own, **filed)) > 0.3
    assert score(QueryAspect(asked.format("Forest Labs'"), "entity"), passage("10-Q", own, **filed)) == 0.0


def test_another_one_of_a_row_is_not_the_one_that_is_asked_for():
    asked = QueryAspect("When was the second closing of the sale", "entity")
    assert score(asked, passage("Sale", "The second closing of the sale was in March 2025.")) > 0.5
    assert score(asked, passage("Sale", "The first closing of the sale was in December 2021.")) < 0.5
    assert score(asked, passage("Sale", "In the first quarter of 2025 the second closing of the sale was made.")) > 0.5


def test_a_yes_or_no_is_answered_by_the_opposite_and_a_date_is_not():
    said = Passage("a#0", "a", "Acme", "Sales of Acme fell sharply in May 2023.")
    yes_no = QueryAspect("Did the sales of Acme rise", "entity", answer_kind="yes_no")
    date = QueryAspect("When did the sales of Acme rise", "entity", answer_kind="date")
    scores = [match(aspect, said, weigh=uniform).score for aspect in (yes_no, date)]
    assert scores[0] >= 0.5 > scores[1]


@pytest.mark.parametrize(
    ("title", "text", "answers"),
    [
        ("PEP 484: Type Hints", "Its delegate is Ann Lee.", True),
        ("PEP 612: Parameters", "Its delegate is Ann Lee.", False),
        ("PEP 612: Parameters", "The delegate for PEP 484 is Ann Lee.", True),
    ],
)
def test_a_title_with_another_number_of_the_series_speaks_of_another(title, text, answers):
    aspect = QueryAspect("Who is the delegate for PEP 484", "entity", answer_kind="person")
    assert (score(aspect, passage(title, text)) >= 0.5) == answers


def test_initials_stand_for_the_words_of_a_name_and_not_for_its_number():
    aspect = QueryAspect("Why was Rail Safety Act 1901 amended", "causal", answer_kind="reason")
    (form,) = asked_by(aspect).other_forms
    assert "1901" not in form.terms


@pytest.mark.parametrize(
    ("text", "answers"), [("BDFL-Delegate: Ann Lee", True), ("Note 3 Segments", False), ("Risk Factors", False)]
)
def test_a_label_with_its_value_may_answer(text, answers):
    assert is_form_line(text) == answers
    assert is_title_line(text) != answers


@pytest.mark.parametrize(
    ("text", "allows"), [("You may post pictures here.", True), ("Pictures may pose a risk here.", False)]
)
def test_what_may_happen_is_not_allowed(text, allows):
    aspect = QueryAspect("Are pictures allowed", "entity", answer_kind="yes_no")
    assert (score(aspect, passage("Posts", text)) >= 0.5) == allows


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("Two teams respond to a notice.", False),
        ("Respond to a notice within two business days.", True),
        ("Respond to a notice until 31 March.", True),
    ],
)
def test_how_long_is_told_by_a_length_or_an_end(text, tells):
    aspect = QueryAspect("How long do I have to respond to a notice", "entity", answer_kind="number")
    assert (score(aspect, passage("Rules", text)) >= 0.5) == tells


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("Node 12 was released in April 2019.", True),
        ("The version 0.10.34 of Node was released on 12/17/2014.", False),
    ],
)
def test_a_number_of_a_date_is_no_number_of_a_name(text, answers):
    aspect = QueryAspect("When was Node 12 released", "entity", answer_kind="date")
    assert (score(aspect, passage("Minutes 2014-12-18", text)) >= 0.5) == answers


def test_the_day_of_a_title_is_the_time_of_what_stands_below_it():
    aspect = QueryAspect(
        "What was said of tests in 2020", "entity", constraints=(Constraint("date", "in 2020", value="2020"),)
    )
    held, broken = (
        keeping(aspect.constraints[0], passage(f"Meeting {day}", "Tests are slow.", date=day), "Tests are slow.")
        for day in ("2020-02-05", "2019-05-15")
    )
    assert (held, broken) == ("held", "broken")


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("1. Governing Law", True),
        ("3.2 Scope", True),
        ("3.4.2 (2025-03-20)", True),
        ("1. Open the form.", False),
        ("12 days", False),
        ("480.50 EUR", False),
    ],
)
def test_a_heading_may_be_numbered(line, heading):
    assert is_heading(line) == heading


@pytest.mark.parametrize(
    ("title", "text", "answers"),
    [
        ("Alder", "Alder uses causal masks.", True),
        ("Alder compared with Birch", "Alder reads both ways. Birch uses causal masks.", False),
        ("Alder compared with Birch", "Alder is not new. It uses causal masks.", True),
        ("", "Alder and Birch run taxis. Birch uses causal masks.", False),
        ("", "Taxis of Alder run at night. Customers of it say that it uses causal masks.", True),
    ],
)
def test_what_opens_with_another_name_is_not_said_of_the_one_before(title, text, answers):
    aspect = QueryAspect("Does Alder use causal masks", "entity", 1.0, answer_kind="yes_no")
    assert (score(aspect, passage(title, text)) > 0.51) is answers


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ('A "User Product" is either (1) a "consumer product" or (2) anything sold for a dwelling.', True),
        ("1.4. “User Products” means goods for use at home.", True),
        ('Whoever makes the goods for use at home (each a "User Product") tells the buyer so.', True),
        ('For a "User Product" is paid less.', False),
        ('The information for a "User Product" means any method to install it.', False),
    ],
)
def test_a_contract_lays_down_what_it_means_by_a_term(sentence, expected):
    assert lays_down("User Product in GPL 3", sentence) is expected


def test_a_sentence_with_the_name_comes_before_those_that_say_more_of_another():
    """Those that say more are read first; the search for names goes on while another may score higher."""
    others = " ".join(f"Norvik changed its refund policy and its fees in {month}." for month in ("May", "June", "July"))
    given = passage("Airlines", f"{others} {others} {others} Zenair changed its refund policy.")
    read = read_against(
        QueryAspect("How did Zenair change its refund policy and its fees", "entity"), given, weigh=uniform
    )
    assert given.text[read[0].sentence.start :] == "Zenair changed its refund policy."


def test_of_many_sentences_the_two_that_are_best_under_the_conditions_are_told():
    dated = Constraint("date", "in 2020", value="2020")
    aspect = fact("How many kilns did Acme sell in 2020", constraints=(dated,))
    years = (2017, 2018, 2020, 2019, 2020, 2016)
    text = " ".join(f"Acme sold {n} kilns in {year}." for n, year in enumerate(years, start=31))
    found = match(aspect, passage("Acme", text), weigh=uniform)
    assert [text[s.start : s.end] for _, s in found.sentences] == [
        "Acme sold 33 kilns in 2020.",
        "Acme sold 35 kilns in 2020.",
    ]
    assert dict(found.parts)["constraints"] == 1.0


TALK = passage(
    "Odd jobs 41",
    "Nadia Farouk: So when did you start?\n\nCallum Reid: In October 1976. I was twenty.\n\n"
    "Nadia Farouk: What did you eat?\n\nCallum Reid: Tins. And mackerel.\n\n"
    "Nadia Farouk: And what do you do now?\n\nCallum Reid: I mend clocks. Other people's.",
)


def _answering(asked, kind):
    aspect = QueryAspect(asked, "entity", answer_kind=kind)
    read = (each for each in read_against(aspect, TALK, weigh=uniform) if each.score >= 0.5)
    return [TALK.text[each.sentence.start : each.sentence.end] for each in read]


def test_a_turn_answers_the_question_before_it_as_the_one_who_speaks():
    assert _answering("What does Callum Reid do now", "fact") == ["Callum Reid: I mend clocks.", "Other people's."]
    assert _answering("When did Callum Reid start", "date")[0] == "Callum Reid: In October 1976."


def test_a_land_that_a_question_names_is_not_who_speaks_in_a_paper():
    told = "We align notes. Our tool works for all notes that we have."
    aspect = QueryAspect("Does the tool work for German notes", "entity", answer_kind="yes_no")
    assert read_against(aspect, passage("1908", told), weigh=uniform) == ()


def asked(wording, kind="fact"):
    return QueryAspect(wording, "entity", keywords=tuple(wording.split()), answer_kind=kind)


def best(aspect, *texts):
    """The sentence of the first text that answers, and how far."""
    given = passage("Judgment", " ".join(texts))
    read_here = read_against(aspect, given, weigh=uniform)
    return (
        (given.text[read_here[0].sentence.start : read_here[0].sentence.end], read_here[0].score)
        if read_here
        else ("", 0.0)
    )


@pytest.mark.parametrize(
    ("question", "kind", "text", "answers"),
    [
        ("How long did the hearing last", "number", "The hearing took place in August and lasted forty minutes.", True),
        ("When did the crew arrive", "date", "The crew arrived at twenty past seven in the morning.", True),
        ("When did the crew arrive", "date", "The crew arrived and was thanked.", False),
        (
            "When was the chamber last inspected before the flood",
            "date",
            "The chamber was inspected in March 2018.",
            True,
        ),
        ("Was the claim in nuisance successful", "yes_no", "I reject the claim in nuisance.", True),
        ("How old was he", "number", "The bridge was opened in 1974, and he was glad.", False),
        ("How old was he", "number", "He was twenty-one when the bridge opened.", True),
    ],
)
def test_what_is_told_in_words_answers_as_figures_do(question, kind, text, answers):
    assert (best(asked(question, kind), text)[1] >= 0.5) == answers


def test_whom_another_document_tells_of_is_not_who_says_we():
    def rare(term):
        return 5.0 if term == "\0" else 4.0 if term == "ewan" else 1.0

    told = passage("Newsletter", "We lost all because the cleaner was told to leave it on.")
    aspect = asked("Why did Ewan leave", "reason")
    assert read_against(aspect, told, weigh=uniform)
    assert not read_against(aspect, told, weigh=rare)


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        (">>> from acme import read", True),
        ("$ pip install acme", True),
        ("import os, sys", True),
        ("with acme.open(path) as file:", True),
        ('"name": "acme", {', True),
        ("acme.read(path, limit=3)", True),
        ("acme reads a file with read(), and closes it.", False),
        ("Revenue (in millions): $ 3,728", False),
        ("3.4.2 (2025-05-02)", False),
        ("for example, with the approval of the board (see above):", False),
        ("Import duties rose (see note 3).", False),
    ],
)
def test_a_line_of_a_program_answers_only_what_asks_how_or_for_it(text, is_so):
    assert is_code(text) is is_so
    line = passage("Acme", "acme.read(path) >>> read")
    assert not read_against(fact("What does acme read?"), line, weigh=uniform)
    assert read_against(fact("How do I read with acme?", answer_kind="way"), line, weigh=uniform)
    assert read_against(fact("Which function of acme does read?"), line, weigh=uniform)


@pytest.mark.parametrize(
    ("text", "defines"),
    [
        ("A fast reader of logs for Python. It needs little.", True),
        ("This is a little library, written from scratch. Use it.", True),
        ("Summary: Reads the logs of drones\n\nIt needs little.", True),
        ("Python readers and shell tools to follow logs. It needs little.", True),
        ("It reads the logs of drones. Acme is licensed under terms of its own.", False),
        ("See the list of authors for those who helped. Acme is MIT licensed code.", False),
        ("You can read the logs of drones with this. Acme is maintained by volunteers.", False),
    ],
)
def test_what_opens_a_document_says_what_its_title_is(text, defines):
    asked = QueryAspect("Definition of Acme", "definition", keywords=("acme",), subject="Acme")
    front = replace(passage("Acme", text), end=len(text))
    assert says_what_it_is(asked, front) is defines
    assert not says_what_it_is(asked, replace(front, start=900, end=900 + len(text)))
    assert not says_what_it_is(asked, replace(front, title="Bolt"))


def test_the_headings_above_a_passage_name_what_it_is_about():
    text = "5. What breaks this rule is subject to fines of up to 500 dollars."
    aspect = QueryAspect("What is the fine under Article 83(5)", "entity", 1.0, answer_kind="amount")
    under = [replace(passage("Law", text), metadata=(("section", f"Article {n} Fines"),)) for n in (83, 84)]
    made = [match(aspect, each, weigh=uniform) for each in under]
    assert [each is not None and each.score >= 0.5 for each in made] == [True, False]


def test_a_heading_that_only_says_what_is_asked_answers_nothing():
    text = "Lamp change\n\nThe lamp change was put off."
    found = match(QueryAspect("What happened to the lamp change", "entity", 1.0), passage("", text), weigh=uniform)
    assert found is not None
    assert next(text[s.start : s.end] for _, s in found.sentences) == "The lamp change was put off."


def test_what_changed_from_version_to_version_answers_after_what_is_so():
    text = "Acme reads logs by default."
    asked = QueryAspect("What does Acme read", "entity", 1.0)
    sections = ("Use", "Version 1.0.9 (April 24th, 2025)", "Changes › 1.2.0", "1.2 Data")
    made = [match(asked, passage("Acme", text, metadata=(("section", name),)), weigh=uniform) for name in sections]
    assert [round(each.score, 2) for each in made if each] == [1.0, 0.85, 0.85, 1.0]
    of_change = QueryAspect("Which version of Acme reads logs", "entity", 1.0)
    plain, listed = (passage("Acme", text, metadata=(("section", name),)) for name in sections[:2])
    made = [match(of_change, each, weigh=uniform) for each in (listed, plain)]
    assert made[0] is not None
    assert made[1] is not None
    assert made[0].score >= made[1].score
