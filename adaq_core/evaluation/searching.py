"""The corpus of a question set, indexed once and kept under the home folder."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from adaq_core.corpus.cards import carded
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.corpus.searching import WARM_UP
from adaq_core.datasets.documents import FILES, NOT_A_DOCUMENT, is_folder_of_files, read_documents
from adaq_core.datasets.judged import QuestionSet
from adaq_core.datasets.lines import either
from adaq_core.errors import DatasetError
from adaq_core.evaluation import fingerprint
from adaq_core.home import home
from adaq_core.ranking.topic_pool import is_topical_corpus
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.retriever import DocumentRetriever
from adaq_core.text.passages import cut

INDEXING = ("text", "retrieval", "corpus", "filings")
KEPT = 3


def index_folder(questions: QuestionSet, *, without: frozenset[str] = frozenset()) -> Path:
    """Where the index of its corpus lies once it is built: one folder per content of corpus and indexing code."""
    corpus = _corpus_of(questions)
    key = fingerprint.of_values([corpus_hash(corpus), fingerprint.of_code(*INDEXING), *sorted(without)])
    name = corpus.parent.name if is_folder_of_files(corpus) else corpus.name
    return home() / "evaluation" / "indexes" / f"{name}-{key}"


def corpus_hash(corpus: Path) -> str:
    """The fingerprint of the corpus files."""
    path = either(corpus / "corpus.jsonl")
    if is_folder_of_files(corpus):
        files = sorted(each for each in corpus.rglob("*") if each.is_file())
    else:
        files = [path] if path else [each for each in corpus.rglob("*.md") if each.stem.upper() != NOT_A_DOCUMENT]
    return fingerprint.of_files(files, root=corpus)


def ensure_index(questions: QuestionSet, *, without: frozenset[str] = frozenset()) -> Path:
    """Build the index unless it is there; its folder. Two processes may build at once: one of them wins.

    The documents `without` are left out of it, as if the corpus had never held them.
    """
    folder = index_folder(questions, without=without)
    if not (folder / "index.json").is_file():
        draft = folder.with_name(f"{folder.name}.{os.getpid()}")
        _write_index(questions, draft, without=without)
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


def _write_index(questions: QuestionSet, draft: Path, *, without: frozenset[str]) -> None:
    """Write the index; a folder of files goes the way that a user's own folder goes, files that fail included."""
    corpus = _corpus_of(questions)
    if not is_folder_of_files(corpus):
        build_index(questions, without=without).save(draft)
        return
    draft.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="ingest-", dir=draft.parent) as place:
        folder = _copy(corpus, Path(place) / FILES, without=without) if without else corpus
        CorpusLibrary(Path(place)).open_folder(folder).save(draft)


def _copy(corpus: Path, target: Path, *, without: frozenset[str]) -> Path:
    """The folder of files again, less those left out."""

    def left_out(place: str, names: list[str]) -> list[str]:
        return [name for name in names if (Path(place) / name).relative_to(corpus).as_posix() in without]

    return Path(shutil.copytree(corpus, target, ignore=left_out))


def build_index(questions: QuestionSet, *, without: frozenset[str] = frozenset()) -> PassageIndex:
    """The index of its corpus. Passages of a judged file do not overlap, so that a quote is held by one of them."""
    corpus = _corpus_of(questions)
    overlap = 0 if either(corpus / "corpus.jsonl") else 1
    documents = carded([each for each in read_documents(corpus) if each.document_id not in without])
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
    """Whether vectors are worth it for ADAQ, at any size: the corpus has neither names, dated sources nor values."""
    index = PassageIndex.load(index_folder)
    return len(index.passages) > 0 and is_topical_corpus(index)


def with_vectors(index: PassageIndex, *, threads: int | None = None) -> DocumentRetriever:
    """A retriever that searches by words and has the vectors of the corpus at hand.

    The model is loaded now, because the first question's time must not hold it.
    """
    from adaq_core.retrieval.dense import MiniLM, PassageVectors

    vectors = PassageVectors(index, MiniLM(threads=threads))
    vectors.search(WARM_UP, 1)
    return DocumentRetriever(index, vectors=vectors)


def _corpus_of(questions: QuestionSet) -> Path:
    if questions.corpus is None:
        raise DatasetError(
            f"expected corpus.jsonl[.gz] or a folder documents/ in {questions.folder}, found neither: these questions "
            "can be planned but not searched for; add a corpus, or a dataset.json that names one"
        )
    return questions.corpus
