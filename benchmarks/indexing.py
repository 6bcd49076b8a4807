"""How fast documents become searchable, and what the index takes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.retrieval.index import PassageIndex
from benchmarks.figure import Figure, peak_megabytes, seconds
from benchmarks.zipf import ZipfPassages


def figures(*, quick: bool) -> list[Figure]:
    """Of ready passages, and of files through the whole ingest."""
    return [*_passages(5_000 if quick else 20_000), *_files(200 if quick else 1_000)]


def _passages(size: int) -> Iterator[Figure]:
    passages = list(ZipfPassages(size))
    before = peak_megabytes()
    built: list[PassageIndex] = []
    took = seconds(lambda: built.append(PassageIndex.build(passages, name="zipf")))
    yield Figure(f"index of {size:,} passages", size / took, "p/s", None, f"{took:.1f} s")
    with tempfile.TemporaryDirectory() as folder:
        saved = seconds(lambda: built[0].save(Path(folder)))
        size_on_disk = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        yield Figure("mention graph and saving", size / saved, "p/s", None, f"{saved:.1f} s")
        yield Figure("opening it again", seconds(lambda: PassageIndex.load(Path(folder))) * 1e3, "ms")
    yield Figure("on disk, per passage", size_on_disk / size, "B")
    yield Figure("memory it took", peak_megabytes() - before, "MB")


def _files(number: int) -> Iterator[Figure]:
    passages = ZipfPassages(number * 10)
    with tempfile.TemporaryDirectory() as folder:
        for n in range(number):
            text = "\n\n".join(passage.text for passage in passages[n * 10 : n * 10 + 10])
            (Path(folder) / f"file-{n}.txt").write_text(f"Title {n}\n\n{text}", encoding="utf-8")
        library = CorpusLibrary()
        took = seconds(lambda: library.index_folder(Path(folder)))
        again = seconds(lambda: library.index_folder(Path(folder)))
    yield Figure(f"ingest of {number:,} files of 1,000 words", number / took, "files/s", None, f"{took:.1f} s")
    yield Figure("the same again, nothing changed", again, "s")
