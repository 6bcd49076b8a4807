"""A corpus of few short documents: what answers is said, and nothing beside it for want of more passages."""

import pytest

from adaq_core.evaluation.working import recorded
from adaq_core.model import Passage
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.trace import view
from tests.asking import execute

MINUTES = (
    "Present: Ines Falk (chair), Tomas Reyes, Priya Nair.\n\n"
    "Firmware 3.5.0 ships on 12 May; Tomas owns the release.\n\n"
    "The sensors of batch 2024-11 are recalled.\n\nPortal single sign-on moves to OpenID Connect by the end of Q3."
)
PRICES = (
    "Gateway 3: EUR 480 each.\n\nSupport is included for 12 months, then it costs 15 % of the list price a year.\n\n"
    "A restocking fee of 10 % applies to opened units."
)


@pytest.fixture(scope="module")
def retriever(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    texts = {"Product board": MINUTES, "Price list": PRICES}
    PassageIndex.build([Passage(f"{t}#0", t, t, text) for t, text in texts.items()], name="small").save(folder)
    return DocumentRetriever(PassageIndex.load(folder))


@pytest.mark.parametrize(
    ("question", "short", "said"),
    [
        ("When does firmware 3.5.0 ship?", "12 May", "Firmware 3.5.0 ships on 12 May; Tomas owns the release."),
        ("How long is support included?", "12 months", "Support is included for 12 months"),
    ],
)
def test_only_what_answers_is_quoted(retriever, question, short, said):
    answer = view(recorded(list(execute("adaptive", question, retriever=retriever)))).answer
    assert answer.short.text == short
    assert said in answer.text
    assert not any(other in answer.text for other in ("Present:", "recalled", "Gateway 3:", "restocking"))


def test_the_month_of_a_day_owns_nothing(retriever):
    asked = "Who owns the release of firmware 3.5.0?"
    answer = view(recorded(list(execute("adaptive", asked, retriever=retriever)))).answer
    assert "Tomas owns the release" in answer.text
    assert answer.short is None or answer.short.text != "May"


PROTOCOL = (
    "Point | Head asked | Head measured | Result\nPoint 1; Head asked 24; Head measured 24.3; Result pass\n"
    "Point 2; Head asked 21; Head measured 20; Result fail\n\nThe impeller will be replaced.\n\nNot passed."
)
CONTROL = "Contracts: 10 years after their end\n\nPersonnel files: 6 years after leaving\n\nThe deputy is Kofi Mensah."


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    folder = tmp_path_factory.mktemp("office")
    texts = {"Test protocol: pump P-03": PROTOCOL, "Document control": CONTROL, "Price list": PRICES}
    PassageIndex.build([Passage(f"{t}#0", t, t, text) for t, text in texts.items()], name="office").save(folder)
    return DocumentRetriever(PassageIndex.load(folder))


def test_rows_that_passed_are_not_quoted_without_the_sentence_that_denies(office):
    answer = view(recorded(list(execute("adaptive", "Did pump P-03 pass?", retriever=office)))).answer
    assert "Not passed." in answer.text
    assert "Point | Head asked" not in answer.text


def test_where_nothing_is_certain_a_title_alone_brings_no_answer(office):
    answer = view(
        recorded(list(execute("adaptive", "How much is spent on controls by Kofi?", retriever=office)))
    ).answer
    assert answer.status == "not_covered"
    assert answer.text.startswith("**Not enough evidence for an answer**")
    assert "Contracts:" not in answer.text.split("The nearest passages found", maxsplit=1)[0]


STORY = (
    "An engineer read the test protocol of pump P-03. She folded the price list into a paper boat. "
    "She dreamed of what document control would have said about her holidays."
)


def test_of_each_document_that_a_long_text_names_something_is_quoted_though_nothing_is_certain(office):
    answer = view(recorded(list(execute("adaptive", STORY, retriever=office)))).answer
    assert {source.title for source in answer.citations} == {
        "Test protocol: pump P-03",
        "Price list",
        "Document control",
    }


LICENCES = (
    "A licence may be revoked, after a hearing, for any of the following reasons:\n(a) Fraud in the application.\n"
    "(b) A conviction of the holder.\n(c) Sales outside the village.\n\nThe fee is due in May."
)
BOARD = (
    "2031-01-09\n\n- The board met in Brod and heard the auditors.\n- The board chose the pump of Acme.\n\n"
    "2031-02-16\n\n- The board met in Avik.\n- The board rejected the valve of Berg."
)


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    folder = tmp_path_factory.mktemp("board")
    texts = {"Board": BOARD, "Licences": LICENCES}
    PassageIndex.build([Passage(f"{t}#0", t, t, text) for t, text in texts.items()], name="board").save(folder)
    return DocumentRetriever(PassageIndex.load(folder))


def test_when_something_was_done_is_told_by_the_heading_above(board):
    answer = view(recorded(list(execute("adaptive", "When did the board choose the pump?", retriever=board)))).answer
    assert answer.text.startswith("2031-01-09: The board chose the pump of Acme.")


def test_reasons_that_are_a_list_are_told_whole_and_not_by_the_first(board):
    asked = "For which reasons can a licence be revoked?"
    answer = view(recorded(list(execute("adaptive", asked, retriever=board)))).answer
    assert answer.short is None
    assert "(c) Sales outside the village." in answer.text


MANUAL = (
    "ferrix derives from the Latin word ferrum and reads logs of drones.\n\n"
    "Overhead is low -- about 60ns per record.\n\n"
    "Install ferrix with:\n\n$ pip install ferrix\n\nferrix.read(path, limit=3)\n\n"
    "Development is supported by Tideway.\n\nLicence\n\nBSD 3"
)
RIVAL = "2024-05-02: quillo: Add a backend for logs of records.\n\nquillo has an overhead of 3ms.\n\nLicence\n\nMIT"


@pytest.fixture(scope="module")
def manuals(tmp_path_factory):
    folder = tmp_path_factory.mktemp("manuals")
    texts = {"ferrix": MANUAL, "quillo": RIVAL}
    PassageIndex.build([Passage(f"{t}#0", t, t, text) for t, text in texts.items()], name="manuals").save(folder)
    return DocumentRetriever(PassageIndex.load(folder))


def test_a_title_in_small_letters_is_what_is_asked_of(manuals):
    run = view(recorded(list(execute("adaptive", "How much overhead does ferrix have per record?", retriever=manuals))))
    assert [aspect.subject for aspect in run.aspects] == ["ferrix"]
    assert run.answer.short.text == "about 60ns"
    assert "quillo" not in run.answer.text


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        ("Where does the name ferrix come from?", "ferrix derives from the Latin word ferrum", "quillo"),
        ("What is the licence of ferrix?", "BSD 3", "MIT"),
        ("How do I install ferrix?", "$ pip install ferrix", "quillo"),
        ("What does ferrix read?", "reads logs of drones", "ferrix.read(path"),
    ],
)
def test_what_a_manual_tells_is_answered_from_its_lines(manuals, question, said, unsaid):
    answer = view(recorded(list(execute("adaptive", question, retriever=manuals)))).answer
    assert answer.status == "answered"
    assert said in answer.text
    assert unsaid not in answer.text


def test_who_supports_it_did_not_make_it(manuals):
    answer = view(recorded(list(execute("adaptive", "Who created ferrix?", retriever=manuals)))).answer
    assert answer.short is None


RECORDS = (
    "Approved by: Ingrid Solberg\n\n"
    "Record | Kept for | Deleted by\n"
    "Invoices: Kept for 7 years; Deleted by Finance\n"
    "Camera recordings: Kept for 30 days; Deleted by Facilities\n"
    "Support tickets: Kept for 3 years; Deleted by Support\n\n"
    "Only records on the list may be deleted."
)


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        ("How long are camera recordings kept?", "30 days", ("7 years", "3 years", "Record | Kept for")),
        ("Who approved the retention policy?", "Ingrid Solberg", ("Finance", "7 years")),
    ],
)
def test_no_row_of_another_record_and_no_head_of_a_table_is_quoted(question, said, unsaid):
    policy = Passage("r#0", "r", "Retention policy", RECORDS)
    index = PassageIndex.build([policy], name="records")
    answer = view(recorded(list(execute("adaptive", question, retriever=DocumentRetriever(index))))).answer
    assert said in answer.text
    assert not [text for text in unsaid if text in answer.text]
