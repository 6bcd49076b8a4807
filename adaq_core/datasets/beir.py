"""BEIR folders, with judged subtopics beside the qrels.

    corpus.jsonl[.gz]           _id, title, text, metadata
    queries.jsonl[.gz]          _id, text, metadata
    qrels/SPLIT.tsv             query-id, corpus-id, score
    subtopics/SPLIT.jsonl[.gz]  query-id, subtopic, corpus-id, and where known: quote, text      (optional)
    documents/                  a folder of files in place of corpus.jsonl                       (optional)
    dataset.json                {"corpus": "../../corpus"}: a folder that many sets share, {"set": "NAME"}: the
                                documents of another set, {"packages": ["NAME"]}: the documentation of installed
                                packages; {"version": "1.0"}: a frozen set                       (optional)

The layout of the first three is that of BEIR (Thakur et al., 2021). Metadata may hold `answers`, gold ones, and what an
answer has to state and must not (`must`, `must_not`), as in a folder of questions.jsonl.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from adaq_core.datasets import (
    FILES,
    VARIABLE,
    datasets_folder,
    document_ids,
    documentation_of,
    either,
    read_lines,
    read_objects,
    text_of,
)
from adaq_core.datasets.judged import (
    JudgedQuestion,
    QuestionSet,
    Subtopic,
    check_against_corpus,
    facts_in,
    halves,
    is_exam_form,
    read_exam_questions,
)
from adaq_core.errors import DatasetError
from adaq_core.home import BUNDLED as DATA
from adaq_core.home import home

CARD = "dataset.json"
HEADER = "query-id"


def read_question_set(folder: Path, split: str = "dev") -> QuestionSet:
    """Read the questions of `split` with their judgments, checked against the corpus.

    A split holds the questions that it judges, and those that their makers call unanswerable; other questions of the
    file belong to other splits. DatasetError says what is missing or contradicts itself.
    """
    folder = folder.resolve()
    if is_exam_form(folder):
        return _exam(folder, split)
    questions = _questions(folder)
    if split not in (known := splits(folder)):
        found = f"the splits {', '.join(known)}; choose one with --split" if known else "neither, nor another split"
        raise DatasetError(
            f"expected judgments in {folder}/qrels/{split}.tsv or {folder}/subtopics/{split}.jsonl[.gz], found {found}"
        )
    gold = _gold(folder, split, questions)
    subtopics = _subtopics(folder, split, questions)
    judged = [
        replace(question, gold=gold.get(name, {}), subtopics=tuple(subtopics.get(name, ())))
        for name, question in questions.items()
        if name in gold or name in subtopics or question.is_unanswerable
    ]
    kept = tuple(judged or questions.values())
    loaded = QuestionSet(folder.name, split, folder, kept, corpus_of(folder), version=_version(folder))
    return replace(loaded, remarks=_remarks(loaded, left_out=len(questions) - len(loaded)))


def _version(folder: Path) -> str:
    card = folder / CARD
    return text_of(_read_card(card), "version") if card.is_file() else ""


def _exam(folder: Path, split: str) -> QuestionSet:
    corpus = corpus_of(folder)
    questions = read_exam_questions(folder, split, document_ids(corpus) if corpus else None)
    loaded = QuestionSet(folder.name, split, folder, questions, corpus)
    return replace(loaded, remarks=check_against_corpus(loaded))


def splits(folder: Path) -> tuple[str, ...]:
    """Return the splits that have judgments, sorted."""
    if is_exam_form(folder):
        return halves(folder)
    tables = [path.name.removesuffix(".tsv") for path in folder.glob("qrels/*.tsv")]
    parts = [path.name.removesuffix(".gz").removesuffix(".jsonl") for path in folder.glob("subtopics/*.jsonl*")]
    return tuple(sorted({*tables, *parts}))


def has_corpus(folder: Path) -> bool:
    """Whether the set's documents are there, or dataset.json names where they are."""
    try:
        return corpus_of(folder) is not None
    except DatasetError:
        return False


def _questions(folder: Path) -> dict[str, JudgedQuestion]:
    path = either(folder / "queries.jsonl")
    if path is None:
        raise DatasetError(f"expected queries.jsonl or queries.jsonl.gz in {folder}, found neither; {_seen(folder)}")
    results: dict[str, JudgedQuestion] = {}
    for number, line in read_objects(path, required=("_id", "text")):
        name, text = text_of(line, "_id"), text_of(line, "text")
        if not text:
            raise DatasetError(f"{path} line {number}: expected a question, but the text of {name!r} is empty")
        if name in results:
            raise DatasetError(f"{path} line {number}: expected one question per id, but {name!r} comes twice")
        given = line.get("metadata")
        metadata = given if isinstance(given, dict) else {}
        results[name] = JudgedQuestion(name, text, metadata, facts=facts_in(metadata, f"{path} line {number}"))
    if not results:
        raise DatasetError(f"expected questions in {path}, but the file holds none")
    return results


def _gold(folder: Path, split: str, questions: dict[str, JudgedQuestion]) -> dict[str, dict[str, int]]:
    path = folder / "qrels" / f"{split}.tsv"
    results: dict[str, dict[str, int]] = {}
    for number, line in read_lines(path) if path.is_file() else ():
        if number == 1 and line.startswith(HEADER):
            continue
        name, document, grade = _row(path, number, line)
        _known(path, number, name, questions)
        if document in results.setdefault(name, {}):
            raise DatasetError(
                f"{path} line {number}: expected one judgment per pair, {name!r} {document!r} comes twice"
            )
        results[name][document] = grade
    return results


def _row(path: Path, number: int, line: str) -> tuple[str, str, int]:
    cells = [cell.strip() for cell in line.split("\t")]
    try:
        name, document, grade = cells
        return name, document, int(grade)
    except ValueError as error:
        raise DatasetError(
            f"{path} line {number}: expected query-id, corpus-id and a whole number between tabs, got {line[:80]!r}"
        ) from error


def _subtopics(folder: Path, split: str, questions: dict[str, JudgedQuestion]) -> dict[str, list[Subtopic]]:
    path = either(folder / "subtopics" / f"{split}.jsonl")
    results: dict[str, list[Subtopic]] = {}
    for number, line in read_objects(path, required=("query-id", "subtopic", "corpus-id")) if path else ():
        name = text_of(line, "query-id")
        _known(path, number, name, questions)
        subtopic = Subtopic(*(text_of(line, key) for key in ("subtopic", "corpus-id", "quote", "text")))
        results.setdefault(name, []).append(subtopic)
    return results


def _known(path: Path | None, number: int, name: str, questions: dict[str, JudgedQuestion]) -> None:
    if name not in questions:
        raise DatasetError(
            f"{path} line {number}: judges question {name!r}, which queries.jsonl does not have; "
            "the two files are not of the same version"
        )


def corpus_of(folder: Path) -> Path | None:
    """Return where the documents lie: as dataset.json says, in `documents`, or in the folder; None without any."""
    card = folder / CARD
    if card.is_file():
        return _named_corpus(card)
    if (folder / FILES).is_dir():
        return folder / FILES
    return folder if either(folder / "corpus.jsonl") else None


def _read_card(card: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(card.read_text(encoding="utf-8")))
    except (ValueError, TypeError, RecursionError) as error:
        raise DatasetError(f'expected {{"corpus": "FOLDER"}} in {card}, could not read it: {error!r}') from error


def _named_corpus(card: Path) -> Path:
    named = _read_card(card)
    if isinstance(packages := named.get("packages"), list):
        return documentation_of(map(str, packages))
    if isinstance(other := named.get("set"), str):
        return _corpus_of_set(card, other)
    if not isinstance(target := named.get("corpus"), str):
        raise DatasetError(f'expected {{"corpus": "FOLDER"}} in {card}, could not read it: it names {list(named)}')
    if not (folder := card.parent / target).is_dir():
        raise DatasetError(f"{card} names the corpus {folder.resolve()}, but there is no such folder")
    return folder.resolve()


def _corpus_of_set(card: Path, name: str) -> Path:
    outside = datasets_folder()
    result = corpus_of(outside / name) if outside and (outside / name).is_dir() else None
    if result is None:
        raise DatasetError(
            f"{card} takes its documents from the set {name!r}, which is not there; let {VARIABLE} name the folder "
            "that holds it"
        )
    return result


NO_JUDGMENT = "no question has a judgment: nothing can be measured against one"


def _remarks(loaded: QuestionSet, *, left_out: int) -> tuple[str, ...]:
    remarks = list(check_against_corpus(loaded))
    kinds = Counter("unanswerable" if question.is_unanswerable else "judged" for question in loaded)
    if left_out:
        remarks.append(f"{left_out} questions have no judgment in the split {loaded.split!r} and are left out")
    if kinds["judged"] and not any(question.gold or question.subtopics for question in loaded):
        remarks.append(NO_JUDGMENT)
    return tuple(remarks)


def _seen(folder: Path) -> str:
    if not folder.is_dir():
        return "there is no such folder"
    return f"the folder holds {', '.join(sorted(each.name for each in folder.iterdir())[:8]) or 'nothing'}"


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
    """Return which public sets are read, where their authors publish them, and how to lay them out."""
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
    """Return the names of the sets that come with the project."""
    return tuple(each.name for each in _sets_in(BUNDLED))


def known_sets() -> dict[str, Path]:
    """Return the folders of all sets by name: bundled ones, those made from runs, those of ADAQ_DATASETS."""
    outside = datasets_folder()
    own = _sets_in(home() / OWN_SETS)
    return {each.name: each for each in (*_sets_in(BUNDLED), *own, *(_sets_in(outside) if outside else ()))}


def find_set(given: str | Path) -> Path:
    """Return the folder of a set given by path or name; DatasetError lists the sets and where to get others."""
    known = known_sets()
    for folder in (Path(given).expanduser(), known.get(str(given))):
        if folder is not None and _is_set(folder):
            return folder
    raise DatasetError(
        f"expected a folder with queries.jsonl[.gz] or questions.jsonl, or one of the sets "
        f"{', '.join(known) or '(none found)'}, got {str(given)!r}.\n{where_to_get_sets()}"
    )


def load_set(given: str | Path, split: str = "dev") -> QuestionSet:
    """Read the questions of `split` of a set given by path or name, with their judgments, checked."""
    return read_question_set(find_set(given), split)


def _sets_in(folder: Path) -> tuple[Path, ...]:
    if not folder.is_dir():
        return ()
    return tuple(each for each in sorted(folder.iterdir()) if each.is_dir() and _is_set(each))


def _is_set(folder: Path) -> bool:
    return either(folder / "queries.jsonl") is not None or is_exam_form(folder)
