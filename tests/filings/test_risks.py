"""Where a filing tells its risks, what each of them is, and which passages a question about risks brings."""

import pytest

from adaq_core.corpus.cards import carded
from adaq_core.filings.conditions import conditions_of
from adaq_core.filings.pages import risk_section, risk_statements
from adaq_core.filings.register import Register, register_of
from adaq_core.filings.search import search_of
from adaq_core.model import Document
from adaq_core.retrieval.index import PassageIndex
from adaq_core.text.passages import cut

BODY = "We {0} every quarter, and our plants, our people and our dealers all depend on how well {0} goes for us there."
SECTION = f"""Business Risks
We Face Intense Competition
{BODY.format("competition")} For example, dealers may leave.
Furthermore, competition may harm our sales. It has before.
Our results may suffer where a single dealer defaults. {BODY.format("credit")}
The office of the company is in Oslo. {BODY.format("travel")}
Legal Risks
We Could Be Sued over Glue
We could be sued over the glue that we use in kettles. {BODY.format("litigation")}
"""
FILLER = "\n".join(
    f"{BODY.format(word)} Prices could rise, which might harm us." * 6 for word in ("steel", "ore", "gas", "oil")
)


def filing(label: str, risks: str) -> Document:
    name = f"{label} NWC 10-Q.txt"
    text = (
        f"FORM 10-Q\nNORTHWIND CHIPS CORPORATION\n(Exact name of registrant)\nItem 1A.\nRisk Factors\nItem 2.\n"
        f"We sell kettles and talk of competition, dealers and glue here, for {label}.\n"
        f"ITEM 1A. RISK FACTORS\n{risks}\nItem 2. Unregistered Sales of Equity\nNone was sold by us."
    )
    return Document(name, name.removesuffix(".txt"), text)


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    short = "There were no changes to the risk factors of our annual report."
    documents = [
        filing("2023 Q1", f"{SECTION}{FILLER}"), filing("2023 Q2", f"{SECTION}{FILLER}"), filing("2023 Q3", short)
    ]  # fmt: skip
    return PassageIndex.build([part for each in carded(documents) for part in cut(each)], name="filings")


@pytest.fixture(scope="module")
def register(index: PassageIndex) -> Register:
    found = register_of(index)
    assert found is not None
    return found


def test_a_risk_is_a_heading_or_what_a_paragraph_of_harm_begins_with() -> None:
    assert list(risk_statements(SECTION)) == [
        ("We Face Intense Competition", "Business Risks"),
        ("Our results may suffer where a single dealer defaults.", ""),
        ("We Could Be Sued over Glue", "Legal Risks"),
        ("We could be sued over the glue that we use in kettles.", ""),
    ]


def test_the_section_is_the_text_under_its_heading_and_not_the_line_of_the_contents(
    register: Register, index: PassageIndex
) -> None:
    section = risk_section(register.filings[0], register)
    texts = [index.passages[place].text for place in section.places]
    assert len(texts) >= 4
    assert "We Face Intense Competition" in texts[0]
    assert "Exact name" not in " ".join(texts[1:])


def test_a_filing_that_refers_to_another_has_no_section(register: Register) -> None:
    assert risk_section(register.filings[2], register).places == ()


def labels(question: str, register: Register) -> list[str]:
    conditions = conditions_of(question, register)
    assert conditions is not None
    best = max(weight for _, weight in conditions.weights)
    return [filing.label for filing, weight in conditions.weights if weight == best]


def test_risks_are_those_of_the_newest_filing_unless_their_course_is_asked_for(register: Register) -> None:
    assert labels("What risks does Northwind face in 2023?", register) == ["2023 Q3"]
    assert labels("What did Northwind sell in 2023?", register) == ["2023 Q3", "2023 Q2", "2023 Q1"]
    several = conditions_of("How have the risks of Northwind changed over the reported quarters?", register)
    assert several is not None
    assert several.spread


def test_what_is_stated_as_a_risk_comes_before_what_only_says_the_words(index: PassageIndex) -> None:
    search = search_of("What risks does Northwind face from glue in Q2 2023?", index)
    assert search is not None
    assert "sued over the glue" in index.passages[search.results()[0].place].text
    plain = search_of("What kettles and glue does Northwind talk of in Q2 2023?", index)
    assert plain is not None
    assert "Exact name" in index.passages[plain.results()[0].place].text
