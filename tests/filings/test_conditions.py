"""Which filings a question asks for, on a small corpus of two companies with four quarters each."""

from dataclasses import replace

import pytest

from adaq_core.corpus.cards import carded
from adaq_core.events import Noticed, of_kind
from adaq_core.filings.conditions import conditions_of, in_own_names, in_words_of_filings
from adaq_core.filings.formula import line_items
from adaq_core.filings.register import Companies, Register, register_of
from adaq_core.filings.search import search_of
from adaq_core.model import Document
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.execute import RunSpec, execute
from adaq_core.text.passages import cut

QUARTERS = ("2022 Q3", "2023 Q1", "2023 Q2", "2023 Q3")
NAMES = {"NWC": "NORTHWIND CHIPS CORPORATION", "CONT": "CONTOSO, INC."}


def filing(label: str, ticker: str) -> Document:
    name = f"{label} {ticker} 10-Q.txt"
    text = (
        f"FORM 10-Q\n{NAMES[ticker]}\n(Exact name of registrant)\nOur revenue grew. We face export controls in {label}."
    )
    return Document(name, name.removesuffix(".txt"), text)


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    documents = [filing(label, ticker) for ticker in NAMES for label in QUARTERS]
    passages = [passage for document in carded(documents) for passage in cut(document)]
    return PassageIndex.build(passages, name="filings")


@pytest.fixture(scope="module")
def register(index: PassageIndex) -> Register:
    found = register_of(index)
    assert found is not None
    return found


def first(question: str, register: Register, *, least: float = 0.5) -> list[str]:
    conditions = conditions_of(question, register)
    assert conditions is not None
    return [filing.label for filing, weight in conditions.weights if weight >= least]


COVER = "For the quarterly period ended {}\nNORTHWIND CHIPS CORPORATION\n(Exact name of registrant)"


def test_a_company_is_known_by_its_name_its_first_word_and_its_ticker(register: Register) -> None:
    for name in ("Northwind Chips Corporation", "Northwind", "NWC", "Northwind's"):
        conditions = conditions_of(f"What did {name} earn?", register)
        assert conditions is not None
        assert {register.companies.labels[company] for company in conditions.companies} == {NAMES["NWC"]}


def test_a_company_that_files_nothing_here_sets_no_condition(register: Register) -> None:
    assert conditions_of("What did Fabrikam earn in 2023?", register) is None


def test_a_quarter_that_is_named_chooses_the_filing_with_its_label(register: Register) -> None:
    assert first("What was Northwind's revenue in Q1 2023?", register) == ["2023 Q1"]
    assert first("What was the revenue of Contoso in the second quarter of 2023?", register) == ["2023 Q2"]


def test_the_latest_report_is_the_newest_and_only_that(register: Register) -> None:
    assert first("What was NWC's revenue in the most recent 10-Q?", register) == ["2023 Q3"]


def test_earlier_quarters_beside_the_latest_one_ask_for_all(register: Register) -> None:
    question = "How does Northwind's revenue in the latest quarter compare to previous quarters?"
    conditions = conditions_of(question, register)
    assert conditions is not None
    assert conditions.spread
    assert len(conditions.weights) == 4


def test_several_companies_are_dealt_out(index: PassageIndex) -> None:
    search = search_of("Compare the revenue of Northwind and Contoso in Q3 2023", index)
    assert search is not None
    best = [result.filing for result in search.results()][:2]
    assert {filing.company for filing in best} == {0, 1}
    assert {filing.label for filing in best} == {"2023 Q3"}


def test_a_year_that_no_filing_covers_is_said_and_the_others_are_searched(register: Register) -> None:
    conditions = conditions_of("What was Northwind's revenue in 2015?", register)
    assert conditions is not None
    assert conditions.widened == ("no filing of the company is of 2015: its other filings are searched",)
    assert len(conditions.weights) == 4


def test_passages_of_other_companies_are_left_out(index: PassageIndex) -> None:
    search = search_of("What export controls does Northwind face?", index)
    assert search is not None
    names = {search.register.companies.labels[result.filing.company] for result in search.results()}
    assert names == {NAMES["NWC"]}


def test_where_no_page_holds_the_words_the_first_of_each_filing_is_the_nearest(index: PassageIndex) -> None:
    search = search_of("What is Northwind's zeitgeist?", index)
    assert search is not None
    found = [result.filing for result in search.results()]
    assert {filing.label for filing in found} == {"2023 Q3", "2023 Q2", "2023 Q1", "2022 Q3"}
    assert len(found) == 4


def test_a_month_asks_for_its_quarter_and_for_the_one_that_ended_just_before() -> None:
    ends = {"2022 Q3": "September 30, 2022", "2023 Q1": "April 1, 2023", "2023 Q2": "July 1, 2023"}
    texts = {label: f"For the quarterly period ended {end}\nOur revenue grew." for label, end in ends.items()}
    documents = [
        Document(f"{label} {ticker} 10-Q.txt", f"{label} {ticker} 10-Q", text)
        for ticker in NAMES
        for label, text in texts.items()
    ]
    passages = [passage for document in carded(documents) for passage in cut(document)]
    quarters = register_of(PassageIndex.build(passages, name="quarters"))
    assert quarters is not None
    assert first("What did NWC announce in June 2023?", quarters) == ["2023 Q2"]
    assert first("What did NWC announce in April 2023?", quarters) == ["2023 Q2", "2023 Q1"]
    assert first("What did NWC announce in October 2022?", quarters) == ["2022 Q3"]
    assert first("April 2023 filing of NWC: what did it announce?", quarters) == ["2023 Q1"]  # none that ends later


def test_the_quarter_of_a_month_ends_in_it_or_else_on_a_day_of_it() -> None:
    """One that ends on April 1 is of March; no other quarter of the company is "the April quarter"."""
    documents = [
        Document(f"{label} NWC 10-Q.txt", f"{label} NWC 10-Q", f"FORM 10-Q\n{COVER.format(day)}\nWe sell kettles.")
        for label, day in (("2023 Q2", "April 1, 2023"), ("2023 Q3", "July 1, 2023"))
    ]
    index = PassageIndex.build([part for each in carded(documents) for part in cut(each)], name="filings")
    register = register_of(index)
    assert register is not None
    for asked, label in (("March", "2023 Q2"), ("April", "2023 Q2"), ("June", "2023 Q3"), ("July", "2023 Q3")):
        question = in_words_of_filings(f"Northwind sales in the {asked} 2023 quarter", line_items())
        found = conditions_of(question, register)
        assert found is not None
        assert found.weights[0][0].label == label
        assert found.is_of_one


def test_a_company_may_be_typed_small_where_none_is_named_with_a_capital(register: Register) -> None:
    for question, companies in (
        ("northwind revenue Q1 2023", 1),
        ("what did the northwind chief sell in 2023", 1),
        ("Did northwinds sales grow in Q1 2023?", 1),
        ("Did Contoso like the northwind in 2023?", 1),
    ):
        assert len(register.companies.named_in(question)) == companies


def test_a_companys_parts_are_called_by_its_own_names_where_only_it_is_named(register: Register) -> None:
    own_register = Register(register.index, register.held)
    own_register.profile = replace(line_items(), own_names=(("Northwind", (("chip arm", "pc business"), "Polar")),))
    for text, own in (
        ("Growth of Northwind's chip arm", "Growth of Northwind's Polar"),
        ("Growth of Contoso's chip arm", "Growth of Contoso's chip arm"),
        ("Chip arms of Northwind and Contoso", "Chip arms of Northwind and Contoso"),
        ("northwind's pc businesslike tone", "northwind's pc businesslike tone"),
    ):
        assert in_own_names(text, own_register) == own


def test_every_company_of_the_profile_has_own_names() -> None:
    assert {company for company, _ in line_items().own_names} == {"Amazon", "Intel", "Microsoft", "Apple"}


def test_what_a_facility_is_backed_by_is_no_item_that_is_asked_for() -> None:
    named = [item.name for item, _ in line_items().named_in("Fee on its receivables-backed revolver")]
    assert named == []
    assert [item.name for item, _ in line_items().named_in("Receivables at Amazon")] == ["accounts receivable"]


def test_behind_an_article_an_ordinary_word_in_small_letters_is_no_company() -> None:
    companies = Companies([{"issuer": "Target Corporation"}, {"issuer": "Northwind Chips"}])
    assert companies.named_in("how much of the target did they reach") == []
    assert [mention.company for mention in companies.named_in("when may the northwind boss sell")] == [1]


def index_saying(said: dict[str, str]) -> PassageIndex:
    """Six filings of each company that say something of their own."""
    documents = [
        Document(each.document_id, each.title, f"{each.text}\n{said[ticker]}")
        for ticker in NAMES
        for each in (filing(f"{year} Q{quarter}", ticker) for year in (2022, 2023) for quarter in (1, 2, 3))
    ]
    return PassageIndex.build([part for each in carded(documents) for part in cut(each)], name="filings")


def test_all_periods_whose_reports_are_searched_first_are_named() -> None:
    index = index_saying(dict.fromkeys(NAMES, "Sales fell because seats were few."))
    question = "Why did sales of Northwind Chips and Contoso fall in Q2 2022, Q1 2023 and Q3 2023?"
    noticed = of_kind(execute(RunSpec("adaptive", question), retriever=DocumentRetriever(index)), Noticed)
    [searched] = [each.message for each in noticed if each.message.startswith("filings of")]
    assert searched.startswith(f"filings of {' and '.join(NAMES.values())}, 2023 Q3, 2023 Q1, 2022 Q2 first, ")


def test_what_only_one_company_names_means_it_in_small_letters_and_by_its_first_word() -> None:
    index = index_saying({"NWC": "Sales of the Zuvo fell. We sell fewer seats.", "CONT": "Seats sell well."})
    register = register_of(index)
    assert register is not None
    for question, owners in (
        ("how badly did zuvo sales drop", [NAMES["NWC"]]),
        ("Where is the Zuvo 14 Pro made?", [NAMES["NWC"]]),
        ("how badly did sales of fewer seats drop", []),
        ("Where are Seats made?", []),
    ):
        found = register.owners_of_names(question)
        assert [register.companies.labels[mention.company] for mention in found] == owners


def test_a_passage_is_found_by_words_of_the_same_sense_and_the_words_themselves_count_more() -> None:
    filler = "Interest rates may move. " * 45
    said = "\n\n".join((filler, "We announced job cuts.", filler, "Sales of our plants fell.", filler))
    index = index_saying({"NWC": "Our results.", "CONT": said})
    for question, said in (
        ("Which redundancies did Contoso announce in Q3 2023?", "job cuts"),
        ("How did the turnover of Contoso's factories develop in Q3 2023?", "plants fell"),
        ("Did sales of Contoso's plants rise in Q3 2023?", "plants fell"),
    ):
        search = search_of(question, index)
        assert search is not None
        assert said in index.passages[search.results()[0].place].text


@pytest.mark.parametrize(
    ("asked", "means"),
    [
        ("Apple buybacks in the 2022 Christmas quarter", "Apple buybacks in the quarter ended December 2022"),
        ("sales in the June quarters of 2022 and 2023", "sales in the quarters ended June 2022 and June 2023"),
        ("sales, June quarter: 2022 against 2023", "sales, quarter ended June 2022 against quarter ended June 2023"),
        (
            "sales in the June quarter of 2023 with that of 2022",
            "sales in the quarter ended June 2023 with quarter ended June 2022",
        ),
        ("sales in fiscal Q2 2024 (July)", "sales in fiscal Q2 2024"),
        ("sales in Q2 2024 (July 2023)", "sales in Q2 2024 (July 2023)"),
        ("sales in Q3: 2022 vs 2023", "sales in Q3 2022 vs Q3 2023"),
        ("sales in the third quarter, 2022 or 2023", "sales in the third quarter 2022 or third quarter 2023"),
        ("the June quarter: 2022 staff against 2023", "the June quarter: 2022 staff against 2023"),
        ("growth in the first three months of 2023", "growth in the three months ended March 2023"),
        ("growth in the last three months of 2022", "growth in the quarter ended December 2022"),
        ("capex in the first nine months of fiscal 2024", "capex in the nine months ended Q3 fiscal 2024"),
        ("debt at the end of April 2023 and in October that year", "debt at the end of April 2023 and in October 2023"),
        ("capex Jul-Sep 2023", "capex quarter ended September 2023"),
        ("sales between April and June 2023", "sales quarter ended June 2023"),
        ("sales from Jan. to June 2023", "sales six months ended June 2023"),
        ("sales in April and June 2023", "sales in April and June 2023"),
        ("sales in May-June 2023", "sales in May-June 2023"),
        ("What is a quarter of 2023 customers?", "What is a quarter of 2023 customers?"),
        ("Christmas sales in 2022", "Christmas sales in 2022"),
        ("capex in the April 2023 quarter", "capex in the quarter ended April 2023"),
        ("capex in the June-quarter 2023", "capex in the quarter ended June 2023"),
        ("the April 2023 quarter over that of Q1 2022", "the April 2023 quarter over that of Q1 2022"),
        ("the April 2023 quarters", "the April 2023 quarters"),
        ("tax 9M23", "tax nine months ended September 2023"),
        ("sales in H1 2023", "sales in six months ended June 2023"),
        ("cash flow 1H FY23", "cash flow six months ended Q2 fiscal 2023"),
        ("the 9M 2000X scanner", "the 9M 2000X scanner"),
        ("chips pitched in autumn 2022", "chips pitched in October 2022"),
        ("a loan stretched in early 2023", "a loan stretched in February 2023"),
        ("losses in the fall of 2023", "losses in October 2023"),
        ("how far did sales fall 2023", "how far did sales fall 2023"),
        ("sales of H100 chips", "sales of H100 chips"),
        ("sales of 9M00 chips", "sales of 9M00 chips"),
        ("left in September 2022, and how much a year later", "left in September 2022 vs September 2023"),
        ("left in Q3 2023, and what a year earlier", "left in Q3 2023 vs Q3 2022"),
        ("left in the fund, and how much a year later", "left in the fund, and how much a year later"),
        ("what went to the taxman", "what went to the income taxes"),
        ("redundant systems", "redundant systems"),
        ("the minority interest in Ovens", "the non-controlling interest in Ovens"),
        ("what was handed back to shareholders", "what was spent on dividends and share repurchases"),
    ],
)
def test_everyday_words_and_periods_are_read_as_statements_have_them(asked: str, means: str) -> None:
    assert in_words_of_filings(asked, line_items()) == means


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What did Northwind announce on January 18, 2023?", "On January 18, 2023, we announced decisions."),
        ("What did Northwind announce about $90 billion in Q1 2023?", "The board allowed up to $90 billion."),
        ("What did Northwind announce in Q1 2023?", "We announced what we announced."),
    ],
)
def test_a_sentence_that_says_the_day_or_the_sum_of_a_question_comes_first(question: str, first: str) -> None:
    said = [
        "We announced what we announced.",
        "On January 18, 2023, we announced decisions.",
        "The board allowed up to $90 billion.",
        "On January 19, 2023, it rained, and 90 people came.",
    ]
    period = "For the quarterly period ended April 1, 2023"
    cover = f"FORM 10-Q\n{period}\nNORTHWIND CHIPS CORPORATION\n(Exact name of registrant)"
    padding = " ".join(f"Word{number} stands here." for number in range(120))
    text = f"{cover}\n" + "\n".join(f"{each} {padding}" for each in said)
    other = Document(
        "2023 Q1 CONT 10-Q.txt", "2023 Q1 CONT 10-Q", "FORM 10-Q\nCONTOSO, INC.\n(Exact name of registrant)"
    )
    documents = carded([Document("2023 Q1 NWC 10-Q.txt", "2023 Q1 NWC 10-Q", text), other])
    index = PassageIndex.build([passage for document in documents for passage in cut(document)], name="days")
    search = search_of(question, index)
    assert search is not None
    assert first in index.read([search.results()[0].place])[0].text


def test_a_name_of_several_words_that_one_company_says_means_that_company() -> None:
    said = {"NWC": "Our Polar Kettles sell well. We hold a Polar Patent.", "CONT": "Every Kettles maker pays."}
    documents = [
        Document(each.document_id, each.title, f"{each.text} {said[ticker]}")
        for ticker in NAMES
        for each in (filing(f"{year} Q{quarter}", ticker) for year in (2022, 2023) for quarter in (1, 2, 3))
    ]
    index = PassageIndex.build([part for each in carded(documents) for part in cut(each)], name="filings")
    register = register_of(index)
    assert register is not None
    owners = [register.companies.labels[m.company] for m in register.owners_of_names("How did Polar Kettles sell?")]
    assert owners == [NAMES["NWC"]]
    assert register.owners_of_names("How did Kettles sell?") == []
    both = {NAMES["NWC"], NAMES["CONT"]}
    for question, named in (
        ("Polar Kettles or Contoso?", both),
        ("Did Contoso tell of Polar Kettles?", {NAMES["CONT"]}),
    ):
        found = conditions_of(question, register)
        assert found is not None
        assert {register.companies.labels[company] for company in found.companies} == named


def test_an_annual_report_tells_of_the_months_right_after_its_year() -> None:
    cover = (
        "FORM 10-K\nFor the fiscal year ended December 31, {}\nNORTHWIND CHIPS CORPORATION\n(Exact name of registrant)"
    )
    documents = [Document(f"FY{year}", f"FY{year} NWC 10-K", cover.format(year)) for year in (2020, 2021, 2022)]
    index = PassageIndex.build(
        [passage for document in carded(documents) for passage in cut(document)], name="annual reports"
    )
    register = register_of(index)
    assert register is not None
    conditions = conditions_of("How many holders of record did Northwind have in February 2021?", register)
    assert conditions is not None
    told = {filing.end.year: weight for filing, weight in conditions.weights if filing.end}
    assert told[2020] == 0.9
    conditions = conditions_of("How many holders of record did Northwind have in August 2021?", register)
    assert conditions is not None
    assert {filing.end.year: weight for filing, weight in conditions.weights if filing.end}[2020] < 0.5
