"""Cross-validate the ranker, leave sets out, add distractors: python -m benchmarks.validation --datasets DIR.

Nothing here is measured with models that have seen the question. Language models and vectors play no part.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from adaq_core.datasets import read_documents
from adaq_core.datasets.judged import JudgedQuestion
from adaq_core.evaluation.answered import Measures
from adaq_core.evaluation.measuring import Judge
from adaq_core.measures import all_gold, diversity_measures, document_measures, set_measures
from adaq_core.measures.calibration import mean_interval
from adaq_core.model import Passage, Settings
from adaq_core.ranking.learned import Family, Learned
from adaq_core.ranking.linked_pool import LinkedPool
from adaq_core.ranking.scoring import choice_of, size_of
from adaq_core.retrieval.index import PassageIndex
from adaq_core.text.passages import cut
from adaq_core.training.ranker import Example, K, by_family, examples_of, lessons, train

DOCUMENTS = ("Recall@2", "Recall@5", "nDCG@5")
DIVERSITY = ("StRecall@5", "StRecall@10", "alpha_nDCG@10")
COLUMNS = ("Recall@2", "Recall@5", "AllGold@5", "nDCG@5", "set_F1", *DIVERSITY)
Ranked = tuple[Sequence[Passage], int | None]  # ten passages, and how many of the first five to return


def measures(judge: Judge, question: JudgedQuestion, ranked: Ranked) -> Measures:
    """The measures of ten passages in order, and of the first ones as a set, where its size was chosen."""
    order, size = ranked
    documents = [passage.document_id for passage in order]
    result = document_measures(question.gold, documents, DOCUMENTS)
    result["AllGold@5"] = all_gold(question.gold, documents, k=5)
    if size is not None:
        result["set_F1"] = set_measures(question.gold, documents[:size])["set_F1"]
    ranking = [passage.passage_id for passage in order]
    return result | diversity_measures(question.subtopic_names, judge.carried(question), ranking, DIVERSITY)


@dataclass(slots=True)
class Row:
    """A line of a table: what was ranked how, and the measures of each question."""

    names: tuple[str, ...]
    measures: list[Measures] = field(default_factory=list)

    def cells(self, columns: Sequence[str]) -> list[str]:
        """The names, how many questions, and mean [95 % interval] of each column."""
        values = ([each.get(column) for each in self.measures] for column in columns)
        return [*self.names, str(len(self.measures)), *map(_cell, values)]


def _cell(values: Sequence[float | None]) -> str:
    result = mean_interval(values)
    if result.mean is None or result.ci_low is None or result.ci_high is None:
        return "–"
    return f"{result.mean:.3f} [{result.ci_low:.2f}, {result.ci_high:.2f}]"


def table(heads: Sequence[str], rows: Iterable[Row], *, columns: Sequence[str] = COLUMNS) -> str:
    """Rows as a Markdown table, `heads` over their names."""
    lines = [[*heads, "n", *columns]]
    lines.append(["---"] * len(heads) + ["---:"] * (1 + len(columns)))
    lines += [row.cells(columns) for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def document_of(sections: Mapping[str, str], *, command: str, about: str) -> str:
    """The report: what it is, the command that makes it, then its sections."""
    parts = [f"# Validation of the ranker\n\nMade by `{command}`. Do not edit by hand.\n\n{about}"]
    return "\n\n".join([*parts, *(f"## {head}\n\n{text}" for head, text in sections.items())]) + "\n"


PROGRAM = "python -m benchmarks.validation"
DEPTH = 10
ROUNDS = 2
TENTH = 10
SHORT = ("Recall@2", "Recall@5", "AllGold@5")
PARTS = ("cv", "lodo", "distractors")
Taught = dict[Family, list[Example]]
ABOUT = """\
Dev halves, no language model, no vectors, two rounds of links: the ranker alone, without the loop around it. Means over
questions with 95 % bootstrap intervals. The ranker that ships is trained on all of these questions; here every number
comes from models that have not seen the question, or from formulas that were never trained."""
CV = """\
Each question is ranked by models trained on the other folds; questions that share evidence share a fold."""
LODO = """\
Trained on the other sets of the family only. A family with one set has nothing to leave out. Untrained: the formulas
that rank a corpus of any other kind."""
CROWD = """\
The same questions ({limit} a set at most, evenly spaced) among more and more documents. *tenth*:
the gold documents and others of the set's own corpus drawn at random, a tenth of the passages of *all*; *own*: its
whole corpus; *all*: the corpora of all sets{also} in one index, ten times *tenth*. Learned: trained without the set."""


def cross_validated(taught: Taught, datasets: Path, split: str) -> list[Row]:
    """Train each family; the measures of its questions by the models that have not seen them."""
    rows = []
    for family, own in sorted(taught.items()):
        group = lessons(own, family, datasets=datasets, split=split)
        train(group, family)
        for name, index in {example.dataset: example.index for example in group}.items():
            judge = Judge(index)
            examples = [each for each in group if each.dataset == name and each.question.gold_documents]
            rows.append(_told(Row((name, family), [_held_out(judge, example) for example in examples])))
    return rows


def _held_out(judge: Judge, example: Example) -> Measures:
    scoring = example.scoring
    chosen = choice_of(scoring, k=K, count=DEPTH)
    order = [example.index.passages[scoring.positions[n]] for n in chosen]
    return measures(judge, example.question, (order, size_of(scoring, chosen, k=K)))


def by_adaq(index: PassageIndex, question: str, *, learned: Learned | None = None) -> Ranked:
    """Ten passages as a run ranks them without its queries; by the untrained formulas where nothing is learned."""
    pool = LinkedPool(index, question, (), Settings(k=K, learned=learned is not None), learned=learned)
    pool.seed()
    for number in range(ROUNDS):
        pool.expand(hop=number + 2)
    chosen = pool.select(K)
    return [each.passage for each in chosen.ranked[:DEPTH]], chosen.size


def by_bm25(index: PassageIndex, question: str) -> Ranked:
    """The ten passages that BM25 puts first."""
    return [hit.passage for hit in index.search(question, top_k=DEPTH)], None


def left_out(taught: Taught, datasets: Path, split: str) -> tuple[dict[str, Learned], list[Row]]:
    """For each set, the ranker trained without it, and its measures beside those of the untrained formulas."""
    ablated, rows = {}, list[Row]()
    for family, group in sorted(taught.items()):
        indexes = {example.dataset: example.index for example in group}
        for name, index in indexes.items():
            own = [each for each in group if each.dataset == name and each.question.gold_documents]
            if len(indexes) > 1:
                _say(f"leaving {name} out")
                others = {other: each for other, each in indexes.items() if other != name}
                again = [each for o, i in others.items() for each in examples_of(datasets / o, split, index=i)]
                ablated[name] = train(lessons(again, family, datasets=datasets, split=split), family)
                learned = partial(by_adaq, learned=ablated[name])
                rows.append(_row((name, "learned on the others"), index, own, learned))
            rows.append(_row((name, "untrained"), index, own, by_adaq))
    return ablated, rows


def _row(names: tuple[str, ...], index: PassageIndex, examples: Sequence[Example], rank: Callable[..., Ranked]) -> Row:
    judge, questions = Judge(index), [example.question for example in examples]
    return _told(Row(names, [measures(judge, each, rank(index, each.text)) for each in questions]))


def crowded(taught: Taught, also: Sequence[Path], *, ablated: dict[str, Learned], limit: int) -> list[Row]:
    """Each set's questions on a tenth of the pooled corpora, on its own corpus and on all of them."""
    examples = [example for group in taught.values() for example in group if example.question.gold_documents]
    owns = {example.dataset: example.index for example in examples}
    more = [passage for folder in also for document in read_documents(folder) for passage in cut(document)]
    pooled = [*more, *(passage for index in owns.values() for passage in index.passages)]
    whole = PassageIndex.build(pooled, name="all")
    rows = []
    for name, own in owns.items():
        some = _spaced([example for example in examples if example.dataset == name], limit)
        tenth = PassageIndex.build(_tenth(own, some, len(pooled) // TENTH), name="tenth")
        for label, index in (("tenth", tenth), ("own", own), ("all", whole)):
            crowd = (name, f"{label}, {len(index.passages):,} passages")
            rows += [_row((*crowd, "BM25"), index, some, by_bm25), _row((*crowd, "untrained"), index, some, by_adaq)]
            if name in ablated:
                learned = partial(by_adaq, learned=ablated[name])
                rows.append(_row((*crowd, "learned on the others"), index, some, learned))
    return rows


def _spaced(examples: Sequence[Example], limit: int) -> list[Example]:
    places = np.linspace(0, len(examples) - 1, min(limit, len(examples))).round().astype(int)
    return [examples[place] for place in places.tolist()]


def _tenth(own: PassageIndex, some: Sequence[Example], size: int) -> list[Passage]:
    """The passages of the gold documents, and of others of the same corpus drawn at random, up to `size`."""
    gold = {document for example in some for document in example.question.gold_documents}
    kept = [passage for passage in own.passages if passage.document_id in gold]
    others: dict[str, list[Passage]] = {}
    for passage in own.passages:
        if passage.document_id not in gold:
            others.setdefault(passage.document_id, []).append(passage)
    names = sorted(others)
    for number in np.random.default_rng(0).permutation(len(names)).tolist():
        if len(kept) >= size:
            break
        kept += others[names[number]]
    return kept


def _told(row: Row) -> Row:
    _say("  " + " | ".join(row.cells(SHORT)))
    return row


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def sections(given: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The parts that were asked for, heading and text."""
    taught = by_family(given.datasets, given.split)
    ablated: dict[str, Learned] = {}
    if "lodo" in given.parts or "distractors" in given.parts:
        ablated, rows = left_out(taught, given.datasets, given.split)
        yield "One set left out", f"{LODO}\n\n" + table(("set", "ranker"), rows)
    if "distractors" in given.parts:
        rows = crowded(taught, given.also, ablated=ablated, limit=given.limit)
        also = f" and {', '.join(folder.name for folder in given.also)}" if given.also else ""
        text = CROWD.format(limit=given.limit, also=also)
        yield "Distractors", f"{text}\n\n" + table(("set", "among", "ranker"), rows, columns=SHORT)
    if "cv" in given.parts:
        rows = cross_validated(taught, given.datasets, given.split)
        yield "Cross-validation", f"{CV}\n\n" + table(("set", "family"), rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables; write them to --report, too."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--datasets", type=Path, required=True, help="folder of BEIR folders")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--also", nargs="*", type=Path, default=[], help="more corpora to add as distractors")
    parser.add_argument("--limit", type=int, default=100, help="questions a set among distractors")
    parser.add_argument("--report", type=Path)
    given = parser.parse_args(arguments)
    words = ((name, " ".join(map(str, value))) for name, value in _options(given))
    options = "".join(f" --{name} {text}" for name, text in words)
    report = document_of(dict(sections(given)), command=f"{PROGRAM} --datasets DIR{options}", about=ABOUT)
    print(report)
    if given.report:
        given.report.write_text(report, encoding="utf-8")


def _options(given: argparse.Namespace) -> Iterator[tuple[str, list[object]]]:
    """What was asked for besides the data, as it is written on the command line."""
    for name in ("parts", "also", "limit", "report"):
        value = getattr(given, name)
        if value and not (name == "parts" and set(value) == set(PARTS)):
            yield name, list(value) if isinstance(value, list | tuple) else [value]


if __name__ == "__main__":
    main()
