"""The measures by name: what each says, and which way is better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Better = Literal["higher", "lower", "neither"]
Group = Literal["evidence", "set", "subtopics", "answer", "exam", "own estimate", "judges", "cost"]


@dataclass(frozen=True, slots=True)
class MeasureInfo:
    """A measure as a table shows it; `digits` after the point."""

    name: str
    group: Group
    meaning: str
    better: Better = "higher"
    digits: int = 3


TABLE: tuple[MeasureInfo, ...] = (
    MeasureInfo("answer_contains", "answer", "the answer states the gold answer; a yes or no only as its short answer"),
    MeasureInfo("answer_contains_spans", "answer", "the same where the gold answer is a name, a date, a number"),
    MeasureInfo("answer_contains_yes_no", "answer", "the same where the gold answer is yes or no"),
    MeasureInfo(
        "short_answer_EM", "answer", "the short answer is the gold answer, word for word; 0 where none is stated"
    ),
    MeasureInfo("short_answer_F1", "answer", "words that the short answer shares with the gold answer"),
    MeasureInfo("stated_precision", "answer", "share of the short answers stated that are right"),
    MeasureInfo("verdict_accuracy", "answer", "the right yes or no is stated; 0 where none is"),
    MeasureInfo(
        "numeric_right", "answer", "the short answer is the gold number, within 1 %, in any unit of a thousand"
    ),
    MeasureInfo("numeric_wrong", "answer", "the short answer is another number or no number", "lower"),
    MeasureInfo("nugget_recall", "answer", "share of the judged facts whose quote stands in the answer"),
    MeasureInfo("answer_in_evidence", "answer", "the gold answer stands in the evidence; not asked of yes and no"),
    MeasureInfo("citation_precision", "answer", "share of the documents cited that are gold"),
    MeasureInfo("citation_recall", "answer", "share of the gold documents that are cited"),
    MeasureInfo("answer_words", "answer", "words that the answer states", "neither", 1),
    MeasureInfo("answer_F1", "answer", "words shared with the gold answer; low for whole sentences"),
    MeasureInfo("false_covered", "answer", "share of the runs that claim an answer which holds no gold fact", "lower"),
    MeasureInfo(
        "false_not_covered", "answer", "share of the runs that decline whose evidence holds an answer", "lower"
    ),
    MeasureInfo("refused_answerable", "answer", "share of the answerable questions that the run declines", "lower"),
    MeasureInfo("declined_unanswerable", "answer", "share of the unanswerable questions that the run declines"),
    MeasureInfo("facts_asserted", "exam", "share of the exam's facts that the answer states"),
    MeasureInfo("facts_all_right", "exam", "the answer states all facts and nothing wrong, and does not decline"),
    MeasureInfo("facts_wrong", "exam", "the answer states something that the exam calls wrong", "lower"),
    MeasureInfo("short_first", "exam", "an acceptable short answer stands within the first 120 characters"),
    MeasureInfo(
        "claimed_unanswered", "exam", "an answer is given that states no fact, or where there is none", "lower"
    ),
    MeasureInfo("null_recognised", "exam", "share of the unanswerable questions that are declined or put right"),
    MeasureInfo("Recall@2", "evidence", "share of the gold documents among the first 2 passages"),
    MeasureInfo("Recall@5", "evidence", "share of the gold documents among the first 5 passages"),
    MeasureInfo("AllGold@5", "evidence", "all gold documents are among the first 5 passages"),
    MeasureInfo("Recall@5_hop1", "evidence", "Recall@5 after the first hop; of subtopics where no document is judged"),
    MeasureInfo("recall_gain", "evidence", "Recall@5 after the last hop less after the first"),
    MeasureInfo(
        "passage_Recall@5", "evidence", "share of the judged quotes and passages that the first 5 passages hold"
    ),
    MeasureInfo("passage_P@5", "evidence", "share of the first 5 passages that come from a gold document"),
    MeasureInfo("file_Recall@5", "evidence", "Recall@5 of whole files, where the documents are pages of files"),
    MeasureInfo("P@5", "evidence", "gold documents among the first 5 passages, divided by 5; bounded by their number"),
    MeasureInfo("nDCG@5", "evidence", "gold documents high up in the first 5 passages; linear gain"),
    MeasureInfo("StRecall@5", "subtopics", "share of the subtopics that the first 5 passages carry"),
    MeasureInfo("StRecall@10", "subtopics", "share of the subtopics that the first 10 passages carry"),
    MeasureInfo("StRecall@n", "subtopics", "share of the subtopics that as many passages carry as there are subtopics"),
    MeasureInfo("AllSubtopics@5", "subtopics", "the first 5 passages carry every subtopic"),
    MeasureInfo("alpha_nDCG@5", "subtopics", "new subtopics high up in the first 5 passages; alpha 0.5"),
    MeasureInfo("alpha_nDCG@10", "subtopics", "new subtopics high up in the first 10 passages; alpha 0.5"),
    MeasureInfo("set_precision", "set", "share of the documents returned that are gold"),
    MeasureInfo("set_recall", "set", "share of the gold documents that are returned"),
    MeasureInfo("set_F1", "set", "harmonic mean of the two"),
    MeasureInfo("set_size", "set", "passages returned, at most k", "neither", 2),
    MeasureInfo("coverage_auroc", "own estimate", "sufficiency ranks complete evidence above incomplete; .5 is chance"),
    MeasureInfo("coverage_ece", "own estimate", "distance of sufficiency from the share that is complete", "lower"),
    MeasureInfo("complete_at_95", "own estimate", "largest share of runs, surest first, of which 95 % are complete"),
    MeasureInfo("some_ece", "own estimate", "distance of `answerable` from the share with some gold evidence", "lower"),
    MeasureInfo("null_auroc", "own estimate", "questions without an answer in the corpus are told apart; .5 is chance"),
    MeasureInfo(
        "null_precision", "own estimate", "share of the runs that said there is no answer for which that is so"
    ),
    MeasureInfo("null_recall", "own estimate", "share of the questions without an answer for which the run said so"),
    MeasureInfo("false_alarms", "own estimate", "share of the answerable questions said to have no answer", "lower"),
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
    MeasureInfo("ms_p50", "cost", "milliseconds that half of the questions take at most", "lower", 1),
    MeasureInfo("ms_p95", "cost", "milliseconds that 95 % of the questions take at most", "lower", 1),
    MeasureInfo("model_calls", "cost", "calls of a language model per question", "lower", 1),
    MeasureInfo("tokens", "cost", "tokens of a language model per question", "lower", 0),
    MeasureInfo("usd", "cost", "dollars per question", "lower", 4),
)
POOLED = ("own estimate", "judges")
BY_NAME = {measure.name: measure for measure in TABLE}
PERCENTILES = {"ms_p50": 50.0, "ms_p95": 95.0}
QUESTION_MEASURES = tuple(
    measure.name for measure in TABLE if measure.group not in POOLED and measure.name not in PERCENTILES
)
COMPARED = tuple(
    measure.name for measure in TABLE if measure.group not in (*POOLED, "cost") and measure.better != "neither"
)
EXAM_HEADLINE = ("facts_asserted", "facts_all_right", "facts_wrong", "short_first", "null_recognised")
ANSWER_HEADLINE = ("answer_contains", "short_answer_EM", "stated_precision", "nugget_recall", "citation_recall")
HEADLINE = (
    *EXAM_HEADLINE,
    *ANSWER_HEADLINE,
    *("Recall@5", "AllGold@5", "nDCG@5", "set_F1", "StRecall@5", "AllSubtopics@5", "coverage_auroc", "null_auroc"),
)


def shown(name: str, value: float | None) -> str:
    """The value as a table shows it: an en dash when it was not computed."""
    if value is None:
        return "–"
    info = BY_NAME.get(name)
    return f"{value:.{info.digits if info else 3}f}"
