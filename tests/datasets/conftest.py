import json

import pytest

CORPUS = [
    {
        "_id": "d1",
        "title": "Ada",
        "text": "Ada wrote the first program.\nIt ran on paper.",
        "metadata": {"source": "News"},
    },
    {"_id": "d2", "title": "Babbage", "text": "Babbage drew the engine."},
    {"_id": "d3", "title": "Crane", "text": "A crane is a bird."},
]
QUERIES = [
    {"_id": "q1", "text": "Who wrote the first program and who drew the engine?", "metadata": {"type": "bridge"}},
    {"_id": "q2", "text": "Who landed on Mars?", "metadata": {"type": "null", "answer": "Insufficient information."}},
    {"_id": "q3", "text": "A question of the test split"},
]
QRELS = [("q1", "d1", 1), ("q1", "d2", 1), ("q1", "d3", 0)]
SUBTOPICS = [
    {
        "query-id": "q1",
        "subtopic": "1",
        "corpus-id": "d1",
        "quote": "Ada wrote the first program. It ran",
        "text": "Who wrote?",
    },
    {"query-id": "q1", "subtopic": "2", "corpus-id": "d2"},
]


def write_lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def make_set(tmp_path):
    """Write a tiny set; each part can be replaced, and None leaves it out."""

    def make(name="tiny", *, corpus=CORPUS, queries=QUERIES, qrels=QRELS, subtopics=SUBTOPICS, split="dev"):
        folder = tmp_path / name
        folder.mkdir()
        for file, rows in (("corpus", corpus), ("queries", queries), (f"subtopics/{split}", subtopics)):
            if rows is not None:
                write_lines(folder / f"{file}.jsonl", rows)
        if qrels is not None:
            (folder / "qrels").mkdir()
            table = "".join(f"{a}\t{b}\t{c}\n" for a, b, c in qrels)
            (folder / "qrels" / f"{split}.tsv").write_text("query-id\tcorpus-id\tscore\n" + table)
        return folder

    return make
