import pytest

from adaq_core.model import Passage, QueryAspect, Settings, Subquery
from adaq_core.ranking.linked_pool import LinkedPool
from adaq_core.ranking.scoring import scores_after, untrained_scores
from adaq_core.retrieval.index import PassageIndex

FILMS = {
    "The Hidden Hour": "The Hidden Hour is a 1931 film directed by Joseph De Grasse. It is set in Maine.",
    "Joseph De Grasse": "Joseph De Grasse (May 4, 1873 – May 25, 1940) was a director born in Bathurst, New Brunswick.",
    "Bathurst, New Brunswick": "Bathurst is a city in Canada. Its harbour is small.",
    "Night Train": "Night Train is a 1932 film directed by Ida Stone. It is set in Texas.",
    "Ida Stone": "Ida Stone (May 4, 1880 – May 25, 1950) was a director who worked with Joseph De Grasse.",
    "Harbour": "A harbour is a place for ships. Harbours are built in a city.",
}
QUESTION = "In which city was the director of The Hidden Hour born?"
PLAIN = Settings(learned=False)


@pytest.fixture(scope="module")
def films():
    return PassageIndex.build(
        [Passage(f"{n}#0", str(n), title, text) for n, (title, text) in enumerate(FILMS.items())], name="films"
    )


def titles(ranked):
    return [each.passage.title for each in ranked]


def run(index, question=QUESTION, settings=PLAIN, rounds=2):
    pool = LinkedPool(index, question, (), settings)
    pool.seed()
    links = [pool.expand(hop=2 + number) for number in range(rounds)]
    return pool, links


def test_names_lead_from_the_film_to_its_director(films):
    pool, links = run(films)
    assert titles(pool.select(5).ranked)[:2] == ["The Hidden Hour", "Joseph De Grasse"]
    first = next(link for link in links[0] if link.target_id == "1#0")
    assert (first.parent_id, first.entity) == ("0#0", "Joseph De Grasse")
    assert first.sentence == "The Hidden Hour is a 1931 film directed by Joseph De Grasse."


def test_a_passage_that_only_mentions_the_name_found_comes_before_one_that_has_the_words_alone():
    texts = {
        "Night Song": "Night Song is a ballad written by Robbie Hale for The Stand.",
        "Under the Red Boy": "Under the Red Boy is an album by Robbie Hale; its record label was Capitol.",
        "Record label": "A record label falls under a company. A record label signs singers.",
        "Label": "A label falls off. A record label is a mark.",
    }
    passages = [Passage(f"{n}#0", str(n), title, text) for n, (title, text) in enumerate(texts.items())]
    index = PassageIndex.build(passages, name="songs")
    question = "The writer of Night Song falls under which record label?"
    pool = LinkedPool(index, question, (), PLAIN)
    pool.seed()
    before = titles(pool.ranked())
    pool.scoring.find_steps()
    steps = [step for step in pool.scoring.steps if (step.parent, step.target) == (0, 1)]
    assert steps
    pool.scoring.start(untrained_scores(pool.scoring))
    after = scores_after(pool.scoring, steps)
    place = pool.scoring.positions.index
    assert before[0] == "Night Song"
    assert after[place(1)] > pool.scoring.scores[place(1)]
    assert after[place(2)] == pool.scoring.scores[place(2)]


def test_every_passage_says_in_one_line_why_it_is_there(films):
    pool, _ = run(films)
    reasons = {each.passage.title: each.reason for each in pool.ranked()}
    assert reasons["The Hidden Hour"] == "the question names “The Hidden Hour”"
    assert reasons["Joseph De Grasse"].startswith(
        "“The Hidden Hour” names Joseph De Grasse: “The Hidden Hour is a 1931"
    )
    assert all(reasons.values())


def test_a_name_with_brackets_is_told_whole():
    text = "Atomised is a 2006 German film directed by Oskar Roehler."
    index = PassageIndex.build([Passage("0#0", "0", "Atomised (film)", text)], name="films")
    pool, _ = run(index, "Who is the mother of the director of film Atomised (Film)?", rounds=0)
    assert [each.reason for each in pool.ranked()] == ["the question names “Atomised (Film)”"]


def test_scores_lie_between_zero_and_one_and_fall(films):
    for settings in (PLAIN, Settings()):
        scores = [each.score for each in run(films, settings=settings)[0].ranked()]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)


def test_the_same_run_twice_gives_the_same(films):
    assert run(films)[0].select(5) == run(films)[0].select(5)


def test_a_longer_selection_begins_with_the_shorter_one(films):
    pool, _ = run(films)
    assert titles(pool.select(12).ranked)[:10] == titles(pool.select(2).ranked)


def test_the_first_provenance_stays(films):
    pool = LinkedPool(films, QUESTION, (), PLAIN)
    pool.add(films.search("harbour", top_k=1), hop=1, query=Subquery("harbour", "place"))
    pool.add(films.search("harbour", top_k=3), hop=2, query=Subquery("harbour again", "place"))
    came = {each.passage.title: (each.provenance.hop, each.provenance.query) for each in pool.ranked()}
    assert came["Harbour"] == (1, "harbour")


def test_the_name_says_which_ranker_and_why(films):
    assert LinkedPool(films, QUESTION, (), PLAIN).name.startswith("untrained: mention graph (not learned on request")


def test_covers_names_the_aspects_whose_words_a_passage_holds(films):
    aspect = QueryAspect("director of The Hidden Hour", "entity", keywords=("director", "Hidden", "Hour"))
    pool = LinkedPool(films, QUESTION, (aspect,), PLAIN)
    pool.seed()
    covers = {each.passage.title: each.covers for each in pool.ranked()}
    assert (covers["The Hidden Hour"], covers["Harbour"]) == (("director of The Hidden Hour",), ())


@pytest.mark.parametrize("question", ["", "???", "東京 zzz", "' OR 1=1 --", "a" * 5000])
def test_strange_questions_are_defined(films, question):
    pool, _ = run(films, question)
    assert len(pool.select(5).ranked) <= len(FILMS)
    assert pool.select(5).size <= 5


@pytest.mark.parametrize("passages", [[], [Passage("1#0", "1", "", "")], [Passage("1#0", "1", "A", "One city.")]])
def test_tiny_corpora_are_defined(passages):
    pool, _ = run(PassageIndex.build(passages, name="tiny"))
    assert len(pool.select(5).ranked) <= 1
    assert pool.select(5).sufficiency in (None,) or 0 <= pool.select(5).sufficiency <= 1


def filing(number, ticker, period):
    key, word = f"{ticker}{period}{number}", {"AAPL": "Apple", "MSFT": "Microsoft", "INTC": "Intel"}[ticker]
    metadata = (("page", str(number)), ("period", period), ("ticker", ticker))
    text = f"{word} had revenue from products and services." if number else f"{word} signed this report."
    return Passage(f"{key}#0", key, f"{period} {ticker} 10-Q, page {number}", text, metadata=metadata)


def test_a_question_over_all_periods_gets_one_page_of_each():
    periods = ("2022 Q3", "2023 Q1", "2023 Q2", "2023 Q3")
    index = PassageIndex.build(
        [filing(n, t, p) for t in ("AAPL", "MSFT", "INTC") for p in periods for n in range(4)], name="filings"
    )
    pool, _ = run(index, "How did Apple's revenue from services change across quarters?")
    evidence = pool.select(4).ranked[:4]
    assert sorted(each.passage.title.split(",")[0] for each in evidence) == [f"{p} AAPL 10-Q" for p in periods]
    assert all("ticker AAPL, as asked" in each.reason for each in evidence)
