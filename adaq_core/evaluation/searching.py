"""The corpus of a question set, indexed once and kept under the home folder."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from adaq_core.corpus.searching import SMALL
from adaq_core.datasets.documents import NOT_A_DOCUMENT, read_documents
from adaq_core.datasets.judged import QuestionSet
from adaq_core.datasets.lines import either
from adaq_core.errors import DatasetError
from adaq_core.evaluation import fingerprint
from adaq_core.home import home
from adaq_core.loop.aspect_pool import suits
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.retriever import DocumentRetriever
from adaq_core.text.passages import cut

INDEXING = ("text", "retrieval", "corpus")
KEPT = 3


def index_folder(questions: QuestionSet) -> Path:
    """Where the index of its corpus lies once it is built: one folder per content of corpus and indexing code."""
    corpus = _corpus_of(questions)
    key = fingerprint.of_values([corpus_hash(corpus), fingerprint.of_code(*INDEXING)])
    return home() / "evaluation" / "indexes" / f"{corpus.name}-{key}"


def corpus_hash(corpus: Path) -> str:
    """The fingerprint of the corpus files."""
    path = either(corpus / "corpus.jsonl")
    files = [path] if path else [each for each in corpus.rglob("*.md") if each.stem.upper() != NOT_A_DOCUMENT]
    return fingerprint.of_files(files, root=corpus)


def ensure_index(questions: QuestionSet) -> Path:
    """Build the index unless it is there; its folder. Two processes may build at once: one of them wins."""
    folder = index_folder(questions)
    if not (folder / "index.json").is_file():
        draft = folder.with_name(f"{folder.name}.{os.getpid()}")
        build_index(questions).save(draft)
        try:
            draft.rename(folder)
        except OSError:
            shutil.rmtree(draft)
        _sweep(folder)
    return folder


def _sweep(newest: Path) -> None:
    """Delete the indexes that earlier code made of the same corpus, but for the last few."""
    stem = newest.name[: -fingerprint.LENGTH]
    same = re.compile(re.escape(stem) + f"[0-9a-f]{{{fingerprint.LENGTH}}}")
    found = [each for each in newest.parent.iterdir() if same.fullmatch(each.name) and each != newest]
    for old in sorted(found, key=lambda each: each.stat().st_mtime)[: -(KEPT - 1)]:
        shutil.rmtree(old, ignore_errors=True)


def build_index(questions: QuestionSet) -> PassageIndex:
    """The index of its corpus. Passages of a judged file do not overlap, so that a quote is held by one of them."""
    corpus = _corpus_of(questions)
    overlap = 0 if either(corpus / "corpus.jsonl") else 1
    documents = list(read_documents(corpus))
    passages = [passage for document in documents for passage in cut(document, overlap_sentences=overlap)]
    return PassageIndex.build(passages, name=corpus.name, documents=len(documents))


def ensure_vectors(
    index_folder: Path,
    *,
    progress: Callable[[int, int, str], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> None:
    """Make the passage vectors that are not kept yet; EmbeddingError when the model is not there."""
    from adaq_core.retrieval.dense import MiniLM, PassageVectors

    PassageVectors(PassageIndex.load(index_folder), MiniLM()).compute(progress=progress, cancelled=cancelled)


def gains_by_vectors(index_folder: Path) -> bool:
    """Whether vectors are worth it for ADAQ: the corpus is small, with neither names, dated sources nor values."""
    index = PassageIndex.load(index_folder)
    return 0 < len(index.passages) <= SMALL and suits(index)


def with_vectors(index: PassageIndex, *, threads: int | None = None) -> DocumentRetriever:
    """A retriever that searches by words and has the vectors of the corpus at hand.

    The model is loaded now, because the first question's time must not hold it.
    """
    from adaq_core.retrieval.dense import MiniLM, PassageVectors

    vectors = PassageVectors(index, MiniLM(threads=threads))
    vectors.search("warm up", 1)
    return DocumentRetriever(index, vectors=vectors)


def _corpus_of(questions: QuestionSet) -> Path:
    if questions.corpus is None:
        raise DatasetError(
            f"expected corpus.jsonl[.gz] in {questions.folder}, found none: these questions can be planned but "
            "not searched for; add a corpus, or a dataset.json that names one"
        )
    return questions.corpus
