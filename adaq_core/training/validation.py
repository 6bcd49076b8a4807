"""What validation measures of a ranking, and the tables that it makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from adaq_core.datasets.judged import JudgedQuestion
from adaq_core.measures.diversity import Carrier, Unit, diversity_measures, subtopics_carried
from adaq_core.measures.quotes import Quotes
from adaq_core.measures.ranking import all_gold, document_measures, set_measures
from adaq_core.measures.significance import mean_interval
from adaq_core.model import Passage
from adaq_core.retrieval.index import PassageIndex

DOCUMENTS = ("Recall@2", "Recall@5", "nDCG@5")
PARTS = ("StRecall@5", "StRecall@10", "alpha_nDCG@10")
COLUMNS = ("Recall@2", "Recall@5", "AllGold@5", "nDCG@5", "set_F1", *PARTS)
Measures = dict[str, float | None]


class Judge:
    """Holds rankings of one corpus against judgments; unanswerable questions have no measure here."""

    def __init__(self, index: PassageIndex) -> None:
        self._index = index
        self._quotes = Quotes()
        self._numbers = {document: number for number, document in enumerate(_documents(index))}

    def measures(self, question: JudgedQuestion, order: Sequence[Passage], *, size: int | None = None) -> Measures:
        """The measures of ten passages in order; of the first `size` as a set, where a size was chosen."""
        documents = [passage.document_id for passage in order]
        found = document_measures(question.gold, documents, DOCUMENTS)
        found["AllGold@5"] = all_gold(question.gold, documents, k=5)
        if size is not None:
            found["set_F1"] = set_measures(question.gold, documents[:size])["set_F1"]
        ranking = [passage.passage_id for passage in order]
        return found | diversity_measures(question.subtopic_names, self._carried(question), ranking, PARTS)

    def _carried(self, question: JudgedQuestion) -> dict[str, frozenset[str]]:
        carriers = [Carrier(each.subtopic, each.document_id, each.quote) for each in question.subtopics]
        units = [
            Unit(passage.passage_id, passage.document_id, passage.text)
            for document in sorted({carrier.document_id for carrier in carriers})
            for passage in self._passages(document)
        ]
        return subtopics_carried(carriers, units, quotes=self._quotes)

    def _passages(self, document: str) -> list[Passage]:
        places = self._index.graph.passages_of(self._numbers[document]) if document in self._numbers else ()
        return [self._index.passages[place] for place in places]


def _documents(index: PassageIndex) -> Iterable[str]:
    return (index.passages[int(first)].document_id for first in index.graph.first_of)


@dataclass(slots=True)
class Row:
    """A line of a table: what was ranked how, and the measures of each question."""

    names: tuple[str, ...]
    measures: list[Measures] = field(default_factory=list)

    def cells(self, columns: Sequence[str]) -> list[str]:
        """The names, how many questions, and mean [95 % interval] of each column."""
        return [*self.names, str(len(self.measures)), *(_cell([m.get(c) for m in self.measures]) for c in columns)]


def _cell(values: Sequence[float | None]) -> str:
    found = mean_interval(values)
    if found.mean is None or found.ci_low is None or found.ci_high is None:
        return "–"
    return f"{found.mean:.3f} [{found.ci_low:.2f}, {found.ci_high:.2f}]"


def table(heads: Sequence[str], rows: Iterable[Row], *, columns: Sequence[str] = COLUMNS) -> str:
    """Rows as a Markdown table, `heads` over their names."""
    lines = [[*heads, "n", *columns], ["---"] * len(heads) + ["---:"] * (1 + len(columns))]
    lines += [row.cells(columns) for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def document_of(sections: Mapping[str, str], *, command: str, about: str) -> str:
    """The report: what it is, the command that makes it, then its sections."""
    parts = [f"# Validation of the ranker\n\nMade by `{command}`. Do not edit by hand.\n\n{about}"]
    return "\n\n".join([*parts, *(f"## {head}\n\n{text}" for head, text in sections.items())]) + "\n"
