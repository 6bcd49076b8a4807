"""Where question sets lie: a folder given, those of ADAQ_DATASETS, and the two that come with the project."""

from __future__ import annotations

from pathlib import Path

from adaq_core.datasets.beir import read_question_set
from adaq_core.datasets.documents import VARIABLE, datasets_folder
from adaq_core.datasets.exam_form import is_exam_form
from adaq_core.datasets.judged import QuestionSet
from adaq_core.datasets.lines import either
from adaq_core.errors import DatasetError
from adaq_core.home import BUNDLED as DATA
from adaq_core.home import home

BUNDLED = DATA / "questions"
OWN_SETS = "evaluation/sets"

PUBLIC_SETS = (
    ("BEIR", "any of its folders as they are", "https://github.com/beir-cellar/beir"),
    ("HotpotQA", "paragraphs and supporting sentences", "https://hotpotqa.github.io"),
    ("2WikiMultiHopQA", "paragraphs and evidence triples", "https://github.com/Alab-NII/2wikimultihop"),
    ("MuSiQue", "paragraphs and sub-questions", "https://github.com/StonyBrookNLP/musique"),
    ("MultiHop-RAG", "news articles and quoted facts", "https://github.com/yixuantt/MultiHop-RAG"),
    ("SEC 10-Q", "quarterly reports, questions over several", "https://github.com/docugami/KG-RAG-datasets"),
    ("FanOutQA", "human decompositions, for the planner", "https://fanoutqa.com"),
)


def where_to_get_sets() -> str:
    """Which public sets are read, where their authors publish them, and how to lay them out."""
    width = max(len(name) for name, _, _ in PUBLIC_SETS)
    lines = [f"  {name:<{width}}  {what}: {address}" for name, what, address in PUBLIC_SETS]
    return "\n".join(
        (
            f"{VARIABLE} names a folder that holds question sets, one folder each. Public sets that ADAQ can read:",
            *lines,
            "A set is a BEIR folder: corpus.jsonl, queries.jsonl (each plain or .gz) and qrels/SPLIT.tsv; where parts",
            "of a question are judged, subtopics/SPLIT.jsonl (query-id, subtopic, corpus-id; if known quote, text).",
            "A folder of your own files is one too: documents/ beside questions.jsonl (question; if known answerable,",
            "short, gold_documents, gold_quotes, must, must_not).",
            f"Sets that come with ADAQ: {', '.join(bundled_names()) or 'none found'}.",
        )
    )


def bundled_names() -> tuple[str, ...]:
    """The names of the sets that come with the project."""
    return tuple(each.name for each in _sets_in(BUNDLED))


def known_sets() -> dict[str, Path]:
    """Name → folder of the sets that are there: the bundled ones, those made from runs, those of ADAQ_DATASETS."""
    outside = datasets_folder()
    own = _sets_in(home() / OWN_SETS)
    return {each.name: each for each in (*_sets_in(BUNDLED), *own, *(_sets_in(outside) if outside else ()))}


def find_set(given: str | Path) -> Path:
    """The folder of a set given by path or by name; DatasetError says which there are and where to get others."""
    known = known_sets()
    for folder in (Path(given).expanduser(), known.get(str(given))):
        if folder is not None and _is_set(folder):
            return folder
    raise DatasetError(
        f"expected a folder with queries.jsonl[.gz] or questions.jsonl, or one of the sets "
        f"{', '.join(known) or '(none found)'}, got {str(given)!r}.\n{where_to_get_sets()}"
    )


def load_set(given: str | Path, split: str = "dev") -> QuestionSet:
    """The questions of `split` of a set given by path or by name, with their judgments, checked."""
    return read_question_set(find_set(given), split)


def _sets_in(folder: Path) -> tuple[Path, ...]:
    if not folder.is_dir():
        return ()
    return tuple(each for each in sorted(folder.iterdir()) if each.is_dir() and _is_set(each))


def _is_set(folder: Path) -> bool:
    return either(folder / "queries.jsonl") is not None or is_exam_form(folder)
