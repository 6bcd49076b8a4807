"""Outcomes → results: means with intervals, the measures that take all questions together, and comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from adaq_core.answerability import ENOUGH_JUDGED, recalibrated
from adaq_core.evaluation import Outcome
from adaq_core.evaluation.answered import RUBRICS
from adaq_core.measures.calibration import (
    Floats,
    Interval,
    cohens_kappa,
    ece,
    holm,
    mean_interval,
    paired_difference,
    percentile_interval,
    random_signs,
    resample_weights,
    share,
    share_at_precision,
    verdict,
    weighted_auroc,
    weighted_ece,
)

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
    MeasureInfo(
        "doubted_answerable", "answer", "share of the answerable questions declined or answered “not certain”", "lower"
    ),
    MeasureInfo(
        "doubted_unanswerable", "answer", "share of the unanswerable questions declined or answered “not certain”"
    ),
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
    MeasureInfo("coverage_auroc", "own estimate", "sufficiency ranks evidence with all that was marked above other"),
    MeasureInfo("coverage_ece", "own estimate", "distance of sufficiency from the share with all of that", "lower"),
    MeasureInfo(
        "coverage_ece_20",
        "own estimate",
        "the same on the rest of a set once twenty of its runs are judged",
        "lower",
    ),
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
    """Return the value as a table shows it, without decimals from 100 on; an en dash if it was not computed."""
    if value is None:
        return "–"
    info = BY_NAME.get(name)
    digits = info.digits if info else 3
    return f"{value:,.{0 if abs(value) >= 100 else digits}f}"


PRECISION = 0.95

ByLabel = Mapping[str, Sequence[Outcome | None]]


def summarise(
    outcomes: Iterable[Outcome],
    *,
    questions: Sequence[str],
    labels: Sequence[str],
    reference: str,
    seed: int = 0,
) -> dict[str, Any]:
    """Return `methods` and `comparisons` of results.json, over the questions (by id) in their order.

    A question that failed or was not run yet is left out of the means of that method, and counted.
    """
    table = by_label(outcomes, questions=questions, labels=labels)
    weights = resample_weights(len(questions), seed=seed)
    return {
        "methods": {label: {"measures": _measures_of(rows, weights)} for label, rows in table.items()},
        "comparisons": compare(table, reference=reference, weights=weights, seed=seed),
    }


def by_label(outcomes: Iterable[Outcome], *, questions: Sequence[str], labels: Sequence[str]) -> ByLabel:
    """Return, by label, one outcome per question; None where there is none."""
    known = {outcome.key: outcome for outcome in outcomes}
    return {label: [known.get((label, question)) for question in questions] for label in labels}


def column(rows: Sequence[Outcome | None], measure: str) -> list[float | None]:
    """Return one measure of one method, question by question; None where it could not be computed."""
    return [row.measures.get(measure) if row else None for row in rows]


def compare(table: ByLabel, *, reference: str, weights: Floats, seed: int) -> list[dict[str, Any]]:
    """Compare every method with the reference in every measure of quality, paired by question.

    p-values come from the randomisation test, and are corrected with Holm within a measure over the methods compared.
    """
    signs = random_signs(weights.shape[1], seed=seed)
    results: list[dict[str, Any]] = []
    for measure in COMPARED:
        against = column(table[reference], measure)
        rows = {
            label: paired_difference(column(outcomes, measure), against, weights=weights, signs=signs)
            for label, outcomes in table.items()
            if label != reference
        }
        corrected = holm({label: row.p for label, row in rows.items()})
        base = mean_interval(against, weights=weights).mean
        higher_is_better = BY_NAME[measure].better != "lower"
        for label, row in rows.items():
            if row.n:
                results.append(
                    {
                        "measure": measure,
                        "method": label,
                        "reference": reference,
                        "difference": row.mean,
                        "ci_low": row.ci_low,
                        "ci_high": row.ci_high,
                        "relative": row.mean / base if base and row.mean is not None else None,
                        "p": row.p,
                        "p_holm": corrected[label],
                        "verdict": verdict(row.mean, corrected[label], higher_is_better=higher_is_better),
                        "n": row.n,
                        "wins": row.wins,
                        "ties": row.ties,
                        "losses": row.losses,
                    }
                )
    return results


def estimates(rows: Sequence[Outcome | None]) -> tuple[Floats, Any, Any]:
    """Return sufficiency, whether the evidence was complete, and the indexes of `rows` where both are known."""
    sufficiency, complete, places = [], [], []
    for place, row in enumerate(rows):
        if row and row.sufficiency is not None and row.has_all is not None:
            sufficiency.append(row.sufficiency)
            complete.append(row.has_all)
            places.append(place)
    return np.array(sufficiency, dtype=float), np.array(complete, dtype=bool), np.array(places, dtype=int)


def answerability(row: Outcome) -> float | None:
    """Return the system's own estimate that there is an answer; else sufficiency, else the evidence's strength."""
    if row.answerable is not None:
        return row.answerable
    return row.sufficiency if row.sufficiency is not None else row.strength


def _measures_of(rows: Sequence[Outcome | None], weights: Floats) -> dict[str, dict[str, Any]]:
    """Return what a method's runs measure, each with its interval, in the order of the table of measures."""
    intervals = {name: mean_interval(column(rows, name), weights=weights) for name in QUESTION_MEASURES}
    intervals |= _pooled(rows, weights)
    intervals |= _percentiles(rows)
    measures = {name: asdict(intervals[name]) for name in BY_NAME if name in intervals}
    gains = [gain for gain in column(rows, "recall_gain") if gain is not None]
    measures["recall_gain"]["up"] = sum(gain > 0 for gain in gains)
    measures["recall_gain"]["down"] = sum(gain < 0 for gain in gains)
    return measures


def _percentiles(rows: Sequence[Outcome | None]) -> dict[str, Interval]:
    """Return the percentiles of the runs' times, in milliseconds."""
    known = [ms for ms in column(rows, "ms") if ms is not None]
    return {
        name: Interval(float(np.percentile(known, percent)) if known else None, n=len(known))
        for name, percent in PERCENTILES.items()
    }


def failures(outcomes: Iterable[Outcome]) -> dict[str, list[dict[str, str]]]:
    """Return, by label, the questions that failed, and why."""
    results: dict[str, list[dict[str, str]]] = {}
    for outcome in outcomes:
        if outcome.error:
            results.setdefault(outcome.method, []).append({"question_id": outcome.question_id, "error": outcome.error})
    return results


def _pooled(rows: Sequence[Outcome | None], weights: Floats) -> dict[str, Interval]:
    stated, complete, places = estimates(rows)
    nulls, answerable, known = _null_scores(rows)
    return {
        "coverage_auroc": _interval(weighted_auroc, stated, complete, weights[:, places]),
        "coverage_ece": _interval(weighted_ece, stated, complete, weights[:, places]),
        "coverage_ece_20": _once_judged(stated, complete),
        "complete_at_95": _largest_share(stated, complete),
        "some_ece": _some_evidence(rows, weights),
        "null_auroc": _interval(weighted_auroc, nulls, answerable, weights[:, known]),
        **_abstentions(rows, weights),
        **{f"{rubric}_kappa": _agreement(rows, rubric) for rubric in RUBRICS},
    }


def _once_judged(stated: Floats, complete: NDArray[np.bool_]) -> Interval:
    """Return the error of sufficiency on the rest of a set after 20 judged runs corrected it; mean of 20 draws."""
    if len(stated) < 2 * ENOUGH_JUDGED:
        return Interval()
    errors = []
    for seed in range(_DRAWS):
        order = np.random.default_rng(seed).permutation(len(stated))
        judged, rest = order[:ENOUGH_JUDGED], order[ENOUGH_JUDGED:]
        own = recalibrated([(float(stated[i]), bool(complete[i])) for i in judged])
        assert own is not None
        estimates = [own.of(float(stated[i])) for i in rest]
        errors.append(ece(estimates, complete[rest].tolist()) or 0.0)
    low, high = np.percentile(errors, (2.5, 97.5))
    return Interval(float(np.mean(errors)), float(low), float(high), len(stated))


_DRAWS = 20


def _largest_share(stated: Floats, complete: Any) -> Interval:
    """Return the largest share of runs, surest first, of which `PRECISION` are complete; without an interval."""
    share_of_runs = share_at_precision(stated, complete, precision=PRECISION)
    return Interval(share_of_runs, n=len(stated)) if share_of_runs is not None else Interval()


def _some_evidence(rows: Sequence[Outcome | None], weights: Floats) -> Interval:
    """Return how far `answerable` is from the share of runs whose evidence holds any gold."""
    pairs = [(i, row.answerable, has_some(row)) for i, row in enumerate(rows) if row]
    known = [(i, stated, some) for i, stated, some in pairs if stated is not None and some is not None]
    if not known:
        return Interval()
    places, estimates_given, outcomes = zip(*known, strict=True)
    stated = np.array(estimates_given, dtype=float)
    return _interval(weighted_ece, stated, np.array(outcomes, dtype=bool), weights[:, list(places)])


def has_some(row: Outcome) -> bool | None:
    """Whether the evidence holds any gold; False for an unanswerable question, None if nothing is judged."""
    if row.error:
        return None
    if row.unanswerable:
        return False
    last = row.hops[-1].recall if row.hops else None
    return None if last is None else last > 0


def _is_judged(row: Outcome) -> bool:
    """Whether anybody judged if the corpus holds an answer."""
    return row.unanswerable is not None


def _abstentions(rows: Sequence[Outcome | None], weights: Floats) -> dict[str, Interval]:
    """Return how good the decision is that there is no answer; the first two need unanswerable questions."""
    places = [i for i, row in enumerate(rows) if row and row.stop_reason and not row.error and _is_judged(row)]
    known = [row for i in places if (row := rows[i])]
    abstained = np.array([row.stop_reason == "no_evidence" for row in known], dtype=bool)
    null = np.array([row.unanswerable for row in known], dtype=bool)
    drawn = weights[:, places]
    some = bool(null.any())
    return {
        "null_precision": _rate(null[abstained], drawn[:, abstained], use=some),
        "null_recall": _rate(abstained[null], drawn[:, null], use=some),
        "false_alarms": _rate(abstained[~null], drawn[:, ~null], use=True),
    }


def _rate(came: Any, weights: Floats, *, use: bool) -> Interval:
    if not use or not len(came):
        return Interval()
    low, high = percentile_interval(share(weights @ came.astype(float), weights.sum(axis=1)))
    return Interval(float(came.mean()), low, high, len(came))


def _agreement(rows: Sequence[Outcome | None], rubric: str) -> Interval:
    """Return Cohen's kappa of the first two judges over answers both graded; without an interval."""
    one: list[int] = []
    other: list[int] = []
    for grades in (row.grades.get(rubric, ()) for row in rows if row):
        first, second = (*grades, None, None)[:2]
        if first is not None and second is not None:
            one.append(first)
            other.append(second)
    kappa = cohens_kappa(one, other)
    return Interval() if kappa is None else Interval(kappa, n=len(one))


def _null_scores(rows: Sequence[Outcome | None]) -> tuple[Floats, Any, Any]:
    """Return the scores of all questions and which are answerable; empty if the set has no unanswerable ones."""
    scores, answerable, places = [], [], []
    for place, row in enumerate(rows):
        score = answerability(row) if row and not row.error else None
        if row and score is not None and _is_judged(row):
            scores.append(score)
            answerable.append(not row.unanswerable)
            places.append(place)
    if all(answerable):
        return np.zeros(0), np.zeros(0, dtype=bool), np.zeros(0, dtype=int)
    return np.array(scores, dtype=float), np.array(answerable, dtype=bool), np.array(places, dtype=int)


def _interval(measure: Any, stated: Floats, came: Any, weights: Floats) -> Interval:
    unweighted = np.ones((1, len(stated)))
    value = measure(stated, came, unweighted)[0] if len(stated) else np.nan
    if np.isnan(value):
        return Interval()
    low, high = percentile_interval(measure(stated, came, weights))
    return Interval(float(value), low, high, len(stated))
