from adaq_core.model import Passage
from adaq_core.ranking.learned import family_for, family_of, load
from adaq_core.retrieval.index import PassageIndex


def corpus(titles, **more):
    texts = [f"{title} is near {other}." for title, other in zip(titles, titles[1:] + titles[:1], strict=True)]
    passages = [
        Passage(f"{n}#0", str(n), title, text, **{key: values[n] for key, values in more.items()})
        for n, (title, text) in enumerate(zip(titles, texts, strict=True))
    ]
    return PassageIndex.build(passages, name="corpus")


NAMES = ["Ida Stone", "Oslo", "Night Train", "Bathurst", "Citizen Kane"]
SUBJECTS = ["Dense retrieval", "Stop words", "Query planning", "Risk of supply", "Evidence"]


def test_linked_names_of_short_documents_are_one_family():
    assert (corpus(NAMES).named_titles, family_of(corpus(NAMES))) == (1.0, "linked")


def test_subjects_that_mention_each_other_are_not():
    assert (corpus(SUBJECTS).graph.is_dense, family_of(corpus(SUBJECTS))) == (True, None)


def test_an_encyclopedia_among_long_documents_is_one_for_what_is_asked_of_it():
    towns = [f"{first} {last}" for first in ("Ida", "Nora", "Alder", "Birk", "Elm", "Oslo") for last in NAMES]
    boards = [f"Report of board {n}" for n in range(3)]
    reports = [Passage(f"{t}#{n}", t, t, f"The cranes of quay {n} lift grain.") for t in boards for n in range(20)]
    both = PassageIndex.build([*corpus(towns).passages, *reports], name="both")
    assert family_of(both) is None, "it has nearly three passages a document"
    assert family_for(both, "Is Oslo Bathurst near Night Train?") == "linked"
    assert family_for(both, "Which quay has cranes that lift grain?") is None
    assert family_for(both, "Is Kane a quay?") is None, "too few passages say so"


def test_news_with_sources_and_days_is_the_other_family():
    titles = [f"What happened on day {n} of the trial" for n in range(5)]
    news = corpus(titles, source=list("ABCDE"), date=["2023-10-06"] * 5)
    plain = PassageIndex.build([Passage("1#0", "1", "what it is", "text")], name="plain")
    assert news.facets.values["source"] == tuple("ABCDE")
    assert family_of(plain) is None


def test_the_artefacts_fit_the_features_of_this_version():
    stages = {family: sorted(load(family).models) for family in ("linked", "sourced")}
    assert stages == {
        "linked": ["first", "later", "later_again", "link", "link_again"],
        "sourced": ["first", "later"],
    }
