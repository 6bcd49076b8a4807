from adaq_core.model import Passage
from adaq_core.retrieval.facets import Facets, day_of


def page(number, ticker, period, source="SEC 10-Q"):
    return Passage(
        f"{ticker}-{period}-{number}#0",
        f"{ticker}-{period}-{number}",
        f"{period} {ticker} 10-Q, page {number}",
        "text",
        source=source,
        metadata=(("page", str(number)), ("period", period), ("ticker", ticker)),
    )


PAGES = [page(n, t, p) for t in ("AAPL", "MSFT") for p in ("2022 Q3", "2023 Q1") for n in range(3)]


def test_shared_names_are_facets_and_numbers_are_not():
    facets = Facets.build(PAGES)
    assert facets.values == {"period": ("2022 Q3", "2023 Q1"), "ticker": ("AAPL", "MSFT")}
    assert facets.periods == {"period": {"2022-Q3": 0, "2023-Q1": 1}}


def test_pages_of_one_title_are_one_work():
    facets = Facets.build(PAGES)
    assert (facets.work.tolist(), facets.pages) == ([n // 3 for n in range(12)], True)


def test_sources_go_by_their_common_names():
    passages = [
        Passage("1#0", "1", "A", "a", source="The Independent - Life and Style"),
        Passage("2#0", "2", "B", "b", source="CBSSports.com"),
    ]
    named = Facets.build(passages).named
    assert sorted(named) == [
        "cbssports",
        "cbssports com",
        "independent",
        "independent life and style",
        "the independent",
        "the independent life and style",
    ]


def test_saved_facets_are_the_same(tmp_path):
    Facets.build(PAGES).save(tmp_path)
    loaded = Facets.load(tmp_path)
    assert loaded.values == Facets.build(PAGES).values
    assert loaded.codes["ticker"].tolist() == [0] * 6 + [1] * 6


def test_only_days_are_days():
    assert [day_of(text) for text in ("2023-10-06T10:00:00", "October 2023", "")] == [20231006, -1, -1]


def test_days_are_no_facet_but_periods_are():
    days = [Passage(f"{n}#0", str(n), "A", "a", source="S" * (n % 2 + 1), date="2023-10-06") for n in range(6)]
    periods = [Passage(f"{n}#0", str(n), "A", "a", date=("2022 Q3", "2023 Q1")[n % 2]) for n in range(6)]
    assert (sorted(Facets.build(days).values), sorted(Facets.build(periods).values)) == (["source"], ["date"])
