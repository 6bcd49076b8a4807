"""A corpus of four drinks, and runs over it with a model that answers by the book."""

from __future__ import annotations

from adaq_core import events as e
from adaq_core import trace
from adaq_core.model import Passage
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from tests import advising
from tests.asking import execute
from tests.scripted import Scripted

QUESTION = "Compare tea and coffee"
TEXTS = (
    ("Tea", "Tea is a drink made of leaves. Tea has less caffeine than coffee."),
    ("Coffee", "Coffee is a drink made of roasted beans. Coffee differs from tea in taste and caffeine."),
    ("Cocoa", "Cocoa is a powder made of beans of the cacao tree."),
    ("Water", "Water is a clear liquid that falls as rain."),
)
DOCUMENTS = {
    "tea.txt": "Tea\n\nTea is a drink made of leaves. Tea has less caffeine than coffee.",
    "coffee.md": "# Coffee\n\nCoffee is a drink made of roasted beans. Coffee differs from tea in taste.",
    "water.txt": "Water\n\nWater is a clear liquid that falls as rain.",
}


def corpus(*more: tuple[str, str]) -> DocumentRetriever:
    texts = (*TEXTS, *more)
    passages = [Passage(f"p{i}", f"d{i}", title, text, end=len(text)) for i, (title, text) in enumerate(texts)]
    return DocumentRetriever(PassageIndex.build(passages, name="drinks"))


def run(retriever, chat=None, question=QUESTION, method="adaptive", **rest):
    return list(execute(method, question, retriever=retriever, chat=chat, **rest))


def view(events):
    return trace.view([e.Record(n, "", 0.0, event) for n, event in enumerate(events, start=1)])


def of(events, kind):
    return [event for event in events if isinstance(event, kind)]


def good(**changed) -> Scripted:
    return Scripted({**advising.STAGES, **changed})
