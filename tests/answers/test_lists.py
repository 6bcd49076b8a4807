"""Lists: every item names what the question names."""

from adaq_core.events import AnswerWritten, of_kind
from tests.asking import execute


def test_every_item_of_a_list_names_what_was_asked_about(sample):
    question = "Which of the eight companies depend on TSMC?"
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    items = [statement.text for statement in written.answer.statements]
    assert len(items) >= 3
    assert all("TSMC" in item for item in items)
    assert all(any(name in item for item in items) for name in ("NVIDIA", "Apple", "Amazon"))


def test_a_list_holds_only_sentences_that_answer(sample):
    question = "Who are the candidates to succeed Jamie Dimon?"
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    (item,) = [statement.text for statement in written.answer.statements]
    assert item.startswith("Marianne Lake, Troy Rohrbaugh and Doug Petno")
