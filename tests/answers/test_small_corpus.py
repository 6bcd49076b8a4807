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
