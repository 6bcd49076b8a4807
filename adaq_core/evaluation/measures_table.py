"""The measures by name: what each says, and which way is better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Better = Literal["higher", "lower", "neither"]
Group = Literal["evidence", "set", "subtopics", "answer", "own estimate", "judges", "cost"]


@dataclass(frozen=True, slots=True)
class MeasureInfo:
    """A measure as a table shows it; `digits` after the point."""

    name: str
    group: Group
    meaning: str
    better: Better = "higher"
    digits: int = 3


TABLE: tuple[MeasureInfo, ...] = (
    MeasureInfo("Recall@2", "evidence", "share of the gold documents among the first 2 passages"),
    MeasureInfo("Recall@5", "evidence", "share of the gold documents among the first 5 passages"),
    MeasureInfo("AllGold@5", "evidence", "all gold documents are among the first 5 passages"),
    MeasureInfo("P@5", "evidence", "gold documents among the first 5 passages, divided by 5; bounded by their number"),
    MeasureInfo("nDCG@5", "evidence", "gold documents high up in the first 5 passages; linear gain"),
    MeasureInfo("StRecall@5", "subtopics", "share of the subtopics that the first 5 passages carry"),
    MeasureInfo("StRecall@10", "subtopics", "share of the subtopics that the first 10 passages carry"),
    MeasureInfo("AllSubtopics@5", "subtopics", "the first 5 passages carry every subtopic"),
    MeasureInfo("alpha_nDCG@5", "subtopics", "new subtopics high up in the first 5 passages; alpha 0.5"),
    MeasureInfo("alpha_nDCG@10", "subtopics", "new subtopics high up in the first 10 passages; alpha 0.5"),
    MeasureInfo("set_precision", "set", "share of the documents returned that are gold"),
    MeasureInfo("set_recall", "set", "share of the gold documents that are returned"),
    MeasureInfo("set_F1", "set", "harmonic mean of the two"),
    MeasureInfo("set_size", "set", "passages returned, at most k", "neither", 2),
    MeasureInfo("coverage_auroc", "own estimate", "sufficiency ranks complete evidence above incomplete; .5 is chance"),
    MeasureInfo("coverage_ece", "own estimate", "distance of sufficiency from the share that is complete", "lower"),
    MeasureInfo("null_auroc", "own estimate", "questions without an answer in the corpus are told apart; .5 is chance"),
    MeasureInfo(
        "null_precision", "own estimate", "share of the runs that said there is no answer for which that is so"
    ),
    MeasureInfo("null_recall", "own estimate", "share of the questions without an answer for which the run said so"),
    MeasureInfo("false_alarms", "own estimate", "share of the answerable questions said to have no answer", "lower"),
    MeasureInfo("answer_EM", "answer", "the answer is the gold answer, word for word"),
    MeasureInfo("answer_F1", "answer", "words shared with the gold answer; low for whole sentences"),
    MeasureInfo("answer_contains", "answer", "the answer holds the gold answer"),
    MeasureInfo("citation_precision", "answer", "share of the documents cited that are gold"),
    MeasureInfo("citation_recall", "answer", "share of the gold documents that are cited"),
    MeasureInfo(
        "faithfulness", "answer", "the evidence states what the answer says; graded 0 to 5 by models", digits=2
    ),
    MeasureInfo(
        "completeness", "answer", "the answer deals with all of the question; graded 0 to 5 by models", digits=2
    ),
    MeasureInfo("faithfulness_kappa", "judges", "agreement of the two judges beyond chance"),
    MeasureInfo("completeness_kappa", "judges", "agreement of the two judges beyond chance"),
    MeasureInfo("hops", "cost", "hops per question", "neither", 2),
    MeasureInfo("stop_gap", "cost", "hops after the first one that had all the evidence; 0 when none had", "lower", 2),
    MeasureInfo("wasted_hops", "cost", "hops that brought no gold that was not there before", "lower", 2),
    MeasureInfo("queries", "cost", "queries sent per question", "neither", 2),
    MeasureInfo("passages_read", "cost", "passages read per question", "lower", 1),
    MeasureInfo("ms", "cost", "milliseconds per question, all hops, on the machine that ran it", "lower", 1),
    MeasureInfo("model_calls", "cost", "calls of a language model per question", "lower", 1),
    MeasureInfo("tokens", "cost", "tokens of a language model per question", "lower", 0),
    MeasureInfo("usd", "cost", "dollars per question", "lower", 4),
)
POOLED = ("own estimate", "judges")
BY_NAME = {measure.name: measure for measure in TABLE}
QUESTION_MEASURES = tuple(measure.name for measure in TABLE if measure.group not in POOLED)
COMPARED = tuple(
    measure.name for measure in TABLE if measure.group not in (*POOLED, "cost") and measure.better != "neither"
)
HEADLINE = ("Recall@5", "AllGold@5", "nDCG@5", "set_F1", "StRecall@5", "AllSubtopics@5", "coverage_auroc", "null_auroc")


def shown(name: str, value: float | None) -> str:
    """The value as a table shows it: an en dash when it was not computed."""
    if value is None:
        return "–"
    info = BY_NAME.get(name)
    return f"{value:.{info.digits if info else 3}f}"
