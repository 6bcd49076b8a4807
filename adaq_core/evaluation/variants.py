"""What an experiment compares: methods and ablations by name, the index each searches, and their fingerprints."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from adaq_core.corpus.cards import carded
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.datasets import FILES, NOT_A_DOCUMENT, either, is_folder_of_files, read_documents
from adaq_core.datasets.judged import QuestionSet
from adaq_core.errors import DatasetError, InputError
from adaq_core.home import home
from adaq_core.methods import needs_vectors, uses_vectors
from adaq_core.model import Settings
from adaq_core.ranking.topic_pool import is_topical_corpus
from adaq_core.retrieval.dense import MiniLM, PassageVectors
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.work import WARM_UP
from adaq_core.text.passages import cut

PACKAGE = Path(__file__).resolve().parents[1]
LENGTH = 16


def of_files(paths: Iterable[Path], *, root: Path) -> str:
    """Return the fingerprint of files: their names below `root` and their bytes, in order of name."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:LENGTH]


@cache
def of_code(*parts: str) -> str:
    """Return the fingerprint of these parts of adaq_core, or of all of it: code, and learned parameters."""
    roots = [PACKAGE / part for part in parts] or [PACKAGE]
    results = (path for root in roots for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return of_files(results, root=PACKAGE)


def of_values(values: Any) -> str:
    """Return the fingerprint of any values; what JSON cannot hold counts as its text."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]


SUBJECT = "adaptive"
WITHOUT = {
    "coverage_map": "without the map of what is covered: every hop asks for the whole question",
    "entity_first": "without entity-first choice of the evidence",
    "reranking": "without re-ranking of the pool",
    "constraints": "without the conditions (source, date …) that the question puts on evidence",
    "spelling": "without putting words right that no passage says",
    "model_plan": "with --model, but aspects by rules",
    "model_refine": "with --model, but queries from templates",
    "model_read": "with --model, but passages read by rules",
    "model_critique": "with --model, but coverage scored by findings alone",
    "model_synthesise": "with --model, but an answer of quoted sentences",
}
SWEEPS = {
    "hops": ("hops2", "hops4", "hops6"),
    "threshold": ("threshold0.3", "threshold0.4", "threshold0.6", "threshold0.7"),
    "set_size": ("k2", "k3", "k8", "k10"),
    "model": ("model_plan", "model_refine", "model_read", "model_critique", "model_synthesise"),
}
OTHERS = {
    "oracle_aspects": "with the judges' sub-questions in place of the planner's aspects",
    "learned": "without what was learned on judged questions",
    "vectors": "without the passage vectors, by words alone",
}
_SWITCHES: dict[str, dict[str, Any]] = {"learned": {"learned": False}, "vectors": {"use_dense": False}}
_CAP = re.compile(r"hops([1-9]\d?)")
_THRESHOLD = re.compile(r"threshold(0?\.\d+|1(?:\.0)?)")
_SIZE = re.compile(r"k([1-9]\d?)")


@dataclass(frozen=True, slots=True)
class Variant:
    """A method with its settings under a label of its own.

    With `vectors` its retriever has the vectors of the corpus. They go to the methods that cannot do without. Those
    that `may_use_vectors` have them where they exist, as in the app; they are made where a corpus has nothing else to
    go by. An `oracle` is given the judges' sub-questions.
    """

    label: str
    method: str
    settings: Settings
    meaning: str = ""
    vectors: bool = False
    oracle: bool = False

    @property
    def may_use_vectors(self) -> bool:
        """Whether the method uses vectors if there are any, and works without."""
        return self.settings.use_dense and uses_vectors(self.method)


def variants(methods: Sequence[str], ablations: Sequence[str], settings: Settings) -> tuple[Variant, ...]:
    """Return one variant per method, then one of ADAQ per ablation; a sweep ("hops") stands for its members."""
    plain = [
        Variant(method, method, settings, vectors=settings.use_dense and needs_vectors(method))
        for method in dict.fromkeys(methods)
    ]
    names = dict.fromkeys(member for name in ablations for member in SWEEPS.get(name, (name,)))
    return (*plain, *(ablation(name, settings) for name in names))


def learning(settings: Settings) -> Variant:
    """Return ADAQ with what its own runs on the other half of the questions taught it about wordings."""
    meaning = "with wordings chosen by what they gained in its runs on the other half of the questions"
    return Variant(f"{SUBJECT}--learn", SUBJECT, replace(settings, learn=True), meaning)


def reranking(settings: Settings, cross_encoder: str) -> Variant:
    """Return ADAQ with a cross-encoder over its candidates."""
    changed = replace(settings, cross_encoder=cross_encoder)
    return Variant(f"{SUBJECT}--cross_encoder", SUBJECT, changed, f"with candidates ranked again by {cross_encoder}")


def ablation(name: str, settings: Settings) -> Variant:
    """Return ADAQ changed in the one way that `name` says; InputError lists the ablations there are."""
    label = f"{SUBJECT}--{'no-' if name in WITHOUT or name in _SWITCHES else ''}{name}"
    if name in WITHOUT:
        return Variant(label, SUBJECT, replace(settings, ablate=(*settings.ablate, name)), WITHOUT[name])
    if name in OTHERS:
        changed = replace(settings, **_SWITCHES.get(name, {}))
        return Variant(label, SUBJECT, changed, OTHERS[name], oracle=name == "oracle_aspects")
    if changed_settings := _swept(name, settings):
        return Variant(label, SUBJECT, *changed_settings)
    raise InputError(
        f"expected an ablation out of {', '.join((*WITHOUT, *OTHERS, *SWEEPS))}, or hops2, threshold0.4 "
        f"and the like, got {name!r}"
    )


def _swept(name: str, settings: Settings) -> tuple[Settings, str] | None:
    if cap := _CAP.fullmatch(name):
        most = int(cap[1])
        return replace(settings, max_hops=most, min_hops=min(settings.min_hops, most)), f"at most {most} hops"
    if threshold := _THRESHOLD.fullmatch(name):
        return replace(settings, coverage_threshold=float(threshold[1])), f"an aspect is covered from {threshold[1]}"
    if size := _SIZE.fullmatch(name):
        return replace(settings, k=int(size[1])), f"evidence of {size[1]} passages"
    return None


INDEXING = ("text", "retrieval", "corpus", "filings")
KEPT = 3


def index_folder(questions: QuestionSet, *, without: frozenset[str] = frozenset()) -> Path:
    """Return the folder of the corpus's index: one per content of corpus and indexing code."""
    corpus = _corpus_of(questions)
    key = of_values([corpus_hash(corpus), of_code(*INDEXING), *sorted(without)])
    name = corpus.parent.name if is_folder_of_files(corpus) else corpus.name
    return home() / "evaluation" / "indexes" / f"{name}-{key}"


def corpus_hash(corpus: Path) -> str:
    """Return the fingerprint of the corpus files."""
    path = either(corpus / "corpus.jsonl")
    if is_folder_of_files(corpus):
        files = sorted(each for each in corpus.rglob("*") if each.is_file())
    elif path:
        files = [path]
    else:
        files = [each for each in corpus.rglob("*.md") if each.stem.upper() != NOT_A_DOCUMENT]
    return of_files(files, root=corpus)


def ensure_index(questions: QuestionSet, *, without: frozenset[str] = frozenset()) -> Path:
    """Build the index unless it exists; return its folder. If two processes build at once, one wins.

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
    """Delete the indexes that earlier code built of the same corpus, except the last few."""
    stem = newest.name[:-LENGTH]
    same = re.compile(re.escape(stem) + f"[0-9a-f]{{{LENGTH}}}")
    results = [each for each in newest.parent.iterdir() if same.fullmatch(each.name) and each != newest]
    for old in sorted(results, key=lambda each: each.stat().st_mtime)[: -(KEPT - 1)]:
        shutil.rmtree(old, ignore_errors=True)


def _write_index(questions: QuestionSet, draft: Path, *, without: frozenset[str]) -> None:
    """Write the index; a folder of files is read like a user's own folder, failing files included."""
    corpus = _corpus_of(questions)
    if not is_folder_of_files(corpus):
        build_index(questions, without=without).save(draft)
        return
    draft.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="ingest-", dir=draft.parent) as place:
        if without:
            folder = _copy(corpus, Path(place) / FILES, without=without)
        else:
            folder = corpus
        CorpusLibrary(Path(place)).open_folder(folder).save(draft)


def _copy(corpus: Path, target: Path, *, without: frozenset[str]) -> Path:
    """Copy the folder of files, except those left out."""

    def left_out(place: str, names: list[str]) -> list[str]:
        return [name for name in names if (Path(place) / name).relative_to(corpus).as_posix() in without]

    return Path(shutil.copytree(corpus, target, ignore=left_out))


def build_index(questions: QuestionSet, *, without: frozenset[str] = frozenset()) -> PassageIndex:
    """Build the index. Passages of a judged file do not overlap, so that one of them holds a quote."""
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
    """Make the missing passage vectors; EmbeddingError if the model is not there."""
    PassageVectors(PassageIndex.load(index_folder), MiniLM()).compute(progress=progress, cancelled=cancelled)


def makes_vectors(index_folder: Path) -> bool:
    """Whether ADAQ is given vectors at any size: the corpus has neither names, dated sources nor values."""
    index = PassageIndex.load(index_folder)
    return len(index.passages) > 0 and is_topical_corpus(index)


def has_vectors(index_folder: Path) -> bool:
    """Whether ADAQ has vectors to use, as in the app: every passage has one already."""
    index = PassageIndex.load(index_folder)
    return len(index.passages) > 0 and index.weighs_meaning and PassageVectors(index, MiniLM()).ready >= 1.0


def with_vectors(index: PassageIndex, *, threads: int | None) -> DocumentRetriever:
    """Return a retriever that searches by words and has the corpus's vectors at hand.

    The model is loaded now, because the first question's time must not hold it.
    """
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
