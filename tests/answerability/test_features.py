import pytest

from adaq_core.answerability.features import EvidenceFeatures
from adaq_core.model import AspectCoverage, Passage, Provenance, QueryAspect, RankedPassage
from adaq_core.question.reading import read_question
from adaq_core.ranking.signals import Signals
from adaq_core.retrieval.index import PassageIndex

TEXTS = {
    "Night Train": "Night Train is a 1932 film directed by Ida Stone. It is set in Texas.",
    "Ida Stone": "Ida Stone was a director born in Bathurst.",
    "Bathurst": "Bathurst is a city in Canada. Its harbour is small.",
    "Texas": "Texas is a state.",
    "Harbour": "A harbour is a place for ships. Harbours are built in a city.",
}


def index_of(sources=()):
    names = sources or [""] * len(TEXTS)
    return PassageIndex.build(
        [
            Passage(f"{n}#0", str(n), title, text, source=names[n % len(names)], date="2023-10-0" + str(n + 1))
            for n, (title, text) in enumerate(TEXTS.items())
        ],
        name="films",
    )


def signs_of(question, index, ids, *, score=1.0):
    made = EvidenceFeatures(Signals(index, read_question(index, question)), facts=True)
    ranked = [RankedPassage(index.passage(i), n, score / n, Provenance(1)) for n, i in enumerate(ids, start=1)]
    coverage = AspectCoverage([QueryAspect(question, "entity")], {question: 0.4})
    return made.of_set(ranked, coverage, k=5), made.missing(ranked, k=5)


def test_a_set_that_holds_all_words_lacks_nothing():
    row, lacking = signs_of("Who directed Night Train?", index_of(), ["0#0", "1#0"])
    assert (row["met_known"], row["names_met"], row["unheard"]) == (1.0, 1.0, 0.0)
    assert (row["core_weakest"], row["second"]) == (0.4, 0.5)
    assert lacking == ()


def test_a_set_agrees_with_a_plain_search_as_far_as_it_holds_the_same_passages():
    rows = [signs_of("Who directed Night Train?", index_of(), ids)[0] for ids in (["0#0"], ["0#0", "2#0"], ["2#0"])]
    assert [row["agreed"] for row in rows] == [1.0, 0.5, 0.0]
    assert [row["filing"] for row in rows] == [0.0] * 3


def test_a_name_that_the_corpus_does_not_have_is_told_from_one_that_was_not_found():
    row, lacking = signs_of("Did Ida Stone know Greta Garbo?", index_of(), ["2#0"])
    assert (row["unheard"], row["names_met"]) == (1.0, 0.0)
    assert lacking == ("no passage found names “Ida Stone”", "no passage of the corpus names “Greta Garbo”")


def test_of_a_name_inside_a_longer_one_nothing_is_said_beside_it():
    _, lacking = signs_of('Who directed "Up, Down, Fragile" for Greta Garbo?', index_of(), ["2#0"])
    assert lacking == (
        "no passage of the corpus names “Up, Down, Fragile”",
        "no passage of the corpus names “Greta Garbo”",
    )


def test_capitals_for_words_that_passages_say_are_no_name_that_is_missing():
    text = "Acme sold its first shares in 2010."
    index = PassageIndex.build(
        [Passage("a#0", "a", "Acme", text), Passage("b#0", "b", "Rope", "It is long.")], name="x"
    )
    assert signs_of("When was Acme's IPO?", index, ["a#0"])[1] == ()
    assert signs_of("Which CEOs did Acme have?", index, ["a#0"])[1] == ()
    assert signs_of("When was Acme's QXT?", index, ["a#0"])[1] == ("no passage of the corpus names “QXT”",)
    assert signs_of("Did Acme sell shares on Sundays or in August?", index, ["a#0"])[1] == ()  # days have no name


def test_a_word_in_front_of_a_name_is_part_of_it_only_where_a_passage_says_so():
    assert signs_of("History of Bathurst", index_of(), ["2#0"])[1] == ()
    assert signs_of("Director of the Night Train", index_of(), ["0#0"])[1] == ()
    assert signs_of("History of Gotham", index_of(), ["2#0"])[1] == ("no passage of the corpus names “Gotham”",)


def test_the_word_that_opens_an_order_is_no_name():
    assert signs_of("Compare Bathurst and Texas", index_of(), ["2#0", "3#0"])[1] == ()
    assert signs_of("List cities", index_of(), ["2#0"])[0]["unheard"] == 0.0


def test_a_publication_that_the_corpus_does_not_have_is_named():
    index = index_of(["Verge", "Wired", "Fortune", "Polygon", "Engadget"])
    row, lacking = signs_of("What did an article from Reuters say about Bathurst?", index, ["2#0"])
    assert row["sources_absent"] == 1.0
    assert lacking == ("the corpus has nothing from “Reuters”",)
    assert signs_of("What did an article from Wired say about Bathurst?", index, ["1#0"])[0]["sources_absent"] == 0.0


@pytest.mark.parametrize("factor", [0.01, 1.0])
def test_signs_do_not_depend_on_the_scale_of_scores(factor):
    plain, _ = signs_of("Who directed Night Train?", index_of(), ["0#0", "1#0", "2#0"])
    scaled, _ = signs_of("Who directed Night Train?", index_of(), ["0#0", "1#0", "2#0"], score=factor)
    assert scaled == pytest.approx(plain)


def test_an_empty_set_has_signs():
    row, lacking = signs_of("Who directed Night Train?", index_of(), [])
    assert (row["met_known"], row["inside"], row["names_met"]) == (0.0, 0.0, 0.0)
    assert lacking == ("no passage found names “Night Train”",)


def test_a_missing_name_counts_only_where_passages_name_what_they_speak_of():
    told = {"Speech": "We cut the price of insulin. I signed the law.", "Bill": "Our law cut the price of insulin."}
    passages = [Passage(f"{n}#0", str(n), f"file {n}", text) for n, text in enumerate(told.values())]
    row, _ = signs_of("What did Ida Stone say of insulin?", PassageIndex.build(passages, name="speech"), ["0#0", "1#0"])
    assert (row["unheard"], row["unheard_bound"], row["names_bound"]) == (1.0, 0.0, 1.0)
    bound, _ = signs_of("Did Ida Stone know Greta Garbo?", index_of(), ["2#0"])
    assert bound["unheard_bound"] == 1.0


def test_an_office_and_a_fiscal_year_are_no_names_that_a_passage_must_hold():
    assert signs_of("Who was the CFO of Texas in FY2019?", index_of(), ["3#0"])[0]["unheard"] == 0.0


def test_the_rest_of_a_question_with_an_unknown_name_is_what_one_passage_holds():
    row, _ = signs_of("Which ships did Greta Garbo place in a harbour?", index_of(), ["4#0"])
    assert row["rest_best"] > 0.75


def spoken(text, *, source=""):
    passages = [
        Passage(f"{n}#0", str(n), "Harbour", text, source=f"{source}{n}" if source else "", date=f"2023-10-0{n + 1}")
        for n in range(5)
    ]
    return signs_of("Who built the harbour?", PassageIndex.build(passages, name="harbour"), ["0#0"])[0]["bound"]


def test_what_somebody_is_quoted_to_say_is_not_the_voice_of_the_passage():
    assert spoken("We built the harbour.") == 0.0
    assert spoken("“We built the harbour,” said Ida Stone.") == 1.0
    assert spoken('The harbour is new. "We built it," said Ida Stone.') == 1.0


def test_of_published_documents_it_is_known_who_says_we():
    assert spoken("We built the harbour.", source="Wired") == 1.0


def test_a_name_that_passages_say_and_no_title_is_missing_among_titled_documents():
    row, missing = signs_of("Who directed Night Train?", index_of(), ["0#0", "1#0"])
    assert (row["titled"], missing) == (1.0, ())
    row, missing = signs_of("Where is Canada?", index_of(), ["2#0"])
    assert (row["name_weight"], missing) == (1.0, ("no document is about “Canada”",))
    assert signs_of("Who directed Night Train (Film)?", index_of(), ["0#0", "1#0"])[1] == ()


def test_a_word_that_no_passage_says_gives_a_doubt_its_reason_where_nothing_is_named():
    index = index_of()

    def unsaid(question):
        return EvidenceFeatures(Signals(index, read_question(index, question)), facts=True).unsaid()

    assert unsaid("Who was the first person on the moon?")[-1] == "no passage of the corpus says “moon”"
    assert unsaid("Where is the harbour of a city?") == ()
    assert unsaid("Who painted Night Train?") == ()


def test_initials_may_be_written_apart():
    passages = [
        Passage("a#0", "a", "Navvulata", "It was produced by D. P. Varma."),
        Passage("b#0", "b", "Rope", "Long."),
    ]
    index = PassageIndex.build(passages, name="x")
    assert signs_of("Which film did D.P. Varma produce?", index, ["a#0"])[1] == ()
    assert signs_of("Which film did Q.X. Varma produce?", index, ["a#0"])[1] == (
        "no passage of the corpus names “Q.X. Varma”",
    )


def test_a_name_that_is_part_of_a_title_of_the_set_is_what_that_document_is_about():
    assert signs_of("Who is the director Stone?", index_of(), ["1#0"])[1] == ()


@pytest.mark.parametrize(
    ("question", "lacking"),
    [
        ("Does it say 'recent ships of a small harbour' of Ida Stone?", ()),
        ("What was told at '2023-12-06T13:55:17+00:00' of Ida Stone?", ()),
        ("Did Ida Stone sail with 'Bathurst national rowing team'?", ()),
        ("Did Ida Stone sail with 'Peru national rowing team'?", ("no passage of the corpus names “Peru”",)),
        ("Did Ida Stone direct 'Greta Sails Home'?", ("no passage of the corpus names “Greta Sails Home”",)),
    ],
)
def test_of_words_in_quotes_the_names_have_to_be_found(question, lacking):
    _, missing = signs_of(question, index_of(), ["1#0", "2#0"])
    assert missing == lacking


def test_a_country_may_be_named_in_any_form():
    texts = ("The US economy slowed in May.", "The economy of Peru grew in May.")
    index = PassageIndex.build(
        [Passage(f"{n}#0", str(n), f"Paper {n}", text) for n, text in enumerate(texts)], name="x"
    )
    asked = "Did the United States economy slow?"
    assert signs_of(asked, index, ["0#0"])[1] == ()
    assert signs_of(asked, index, ["1#0"])[1] != ()
