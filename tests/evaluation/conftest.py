import json

import pytest

from adaq_core.evaluation import HopOutcome, Outcome

ANIMALS = ("heron", "otter", "badger", "lynx", "osprey", "beaver", "marten", "stoat")
RIVERS = ("Avon", "Bure", "Cherwell", "Dart", "Eden", "Forth", "Garry", "Humber")


def documents():
    for animal, river in zip(ANIMALS, RIVERS, strict=True):
        yield {
            "_id": animal,
            "title": animal.title(),
            "text": f"The {animal} lives on the river {river}. It eats fish.",
        }
        yield {"_id": river, "title": river, "text": f"The {river} is a river. Its source lies on Mount {river}ton."}


def questions():
    for animal, river in zip(ANIMALS, RIVERS, strict=True):
        text = f"On which mountain lies the source of the river where the {animal} lives?"
        yield {"_id": f"q-{animal}", "text": text, "metadata": {"type": "bridge", "answer": f"Mount {river}ton"}}
    yield {"_id": "q-null", "text": "Who piloted the zeppelin?", "metadata": {"type": "null", "answer": "None."}}


def subtopics():
    for animal, river in zip(ANIMALS, RIVERS, strict=True):
        pairs = (
            (animal, f"lives on the river {river}", f"Where does the {animal} live?"),
            (river, f"Mount {river}ton", ""),
        )
        for number, (document, quote, text) in enumerate(pairs, start=1):
            row = {"query-id": f"q-{animal}", "subtopic": str(number), "corpus-id": document, "quote": quote}
            yield row | ({"text": text} if text else {})


@pytest.fixture
def rivers(tmp_path, monkeypatch):
    """A question set of nine questions in two hops, one of them unanswerable; and a home folder of its own."""
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path / "home"))
    return written(tmp_path / "rivers")


def written(folder):
    """The question set in `folder`."""
    for name, rows in (("corpus", documents()), ("queries", questions()), ("subtopics/dev", subtopics())):
        path = folder / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    qrels = [f"{row['query-id']}\t{row['corpus-id']}\t1\n" for row in subtopics()]
    (folder / "qrels").mkdir()
    (folder / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(qrels))
    return folder


@pytest.fixture
def outcome():
    """Make an outcome; what is not given is plain."""

    def make(method="adaptive", question_id="q1", hops=1, complete_from=None, **given):
        states = tuple(
            HopOutcome(
                hop,
                queries=hop,
                passages_read=3 * hop,
                seconds=0.1 * hop,
                coverage=hop / hops,
                recall=1.0 if complete_from and hop >= complete_from else 0.5,
                complete=bool(complete_from and hop >= complete_from),
            )
            for hop in range(1, hops + 1)
        )
        common = {"question": f"What of {question_id}?", "configuration": "c", "run_id": f"r-{method}-{question_id}"}
        return Outcome(method, question_id, **{**common, "hops": states, **given})

    return make
