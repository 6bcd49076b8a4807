"""Where question sets lie: a folder given, those of ADAQ_DATASETS, and the two that come with the project."""

from __future__ import annotations

import os
from pathlib import Path

from adaq_core.datasets.beir import read_question_set
from adaq_core.datasets.judged import QuestionSet
from adaq_core.datasets.lines import either
from adaq_core.errors import DatasetError

VARIABLE = "ADAQ_DATASETS"
BUNDLED = Path(__file__).resolve().parents[2] / "data" / "questions"

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
            f"Two sets come with ADAQ and need nothing: {', '.join(bundled_names()) or 'none found'}.",
        )
    )


def bundled_names() -> tuple[str, ...]:
    """The names of the sets that come with the project."""
    return tuple(each.name for each in _sets_in(BUNDLED))


def datasets_folder() -> Path | None:
    """The folder that ADAQ_DATASETS names, None when it is not set; DatasetError when there is no such folder."""
    given = os.environ.get(VARIABLE, "").strip()
    if not given:
        return None
    folder = Path(given).expanduser()
    if not folder.is_dir():
        raise DatasetError(f"expected a folder of question sets in {VARIABLE}={given}, but there is none; set it anew")
    return folder


def known_sets() -> dict[str, Path]:
    """Name → folder of the sets that are there, the bundled ones first."""
    outside = datasets_folder()
    return {each.name: each for each in (*_sets_in(BUNDLED), *(_sets_in(outside) if outside else ()))}


def find_set(given: str | Path) -> Path:
    """The folder of a set given by path or by name; DatasetError says which there are and where to get others."""
    known = known_sets()
    for folder in (Path(given).expanduser(), known.get(str(given))):
        if folder is not None and either(folder / "queries.jsonl"):
            return folder
    raise DatasetError(
        f"expected a folder with queries.jsonl[.gz], or one of the sets {', '.join(known) or '(none found)'}, got "
        f"{str(given)!r}.\n{where_to_get_sets()}"
    )


def load_set(given: str | Path, split: str = "dev") -> QuestionSet:
    """The questions of `split` of a set given by path or by name, with their judgments, checked."""
    return read_question_set(find_set(given), split)


def _sets_in(folder: Path) -> tuple[Path, ...]:
    if not folder.is_dir():
        return ()
    return tuple(each for each in sorted(folder.iterdir()) if each.is_dir() and either(each / "queries.jsonl"))
