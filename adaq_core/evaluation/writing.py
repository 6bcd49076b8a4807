"""The files of a finished experiment."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from adaq_core.evaluation.card import card, write_card
from adaq_core.evaluation.charts import charts
from adaq_core.evaluation.drawing import draw
from adaq_core.evaluation.outcome import Outcome
from adaq_core.evaluation.plan import Plan
from adaq_core.evaluation.results import failures, summarise
from adaq_core.evaluation.trec import write_run

RESULTS = "results.json"
RUNS = "runs"
PLOTS = "plots"


def results_of(plan: Plan, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """results.json: dataset, split, k, n_questions, config, methods, comparisons."""
    questions = [question.question_id for question in plan.chosen]
    summary = summarise(outcomes, questions=questions, labels=plan.labels, reference=plan.compared_to, seed=plan.seed)
    return {
        "dataset": plan.questions.name,
        "split": plan.questions.split,
        "k": plan.k,
        "n_questions": len(questions),
        "config": {**plan.as_config(), "failed": failures(outcomes)},
        **summary,
    }


def write_results(
    plan: Plan, outcomes: Sequence[Outcome], out: Path, *, seconds: float, command: str = ""
) -> dict[str, Any]:
    """Write results.json, the TREC run files, the plots and the card; what results.json holds."""
    results = results_of(plan, outcomes)
    (out / RESULTS).write_text(json.dumps(results, ensure_ascii=False, indent=1, default=str) + "\n", encoding="utf-8")
    (out / RUNS).mkdir(exist_ok=True)
    for label in plan.labels:
        rows = [outcome for outcome in outcomes if outcome.method == label]
        write_run(out / RUNS / f"{label}.trec", rows, k=plan.k)
    title = f"{plan.questions.name} ({plan.questions.split}), k = {plan.k}"
    drawn = draw(charts(outcomes, results["methods"]), out / PLOTS, title=title)
    names = [path.relative_to(out).as_posix() for path in drawn]
    write_card(out, card(plan, results, outcomes, seconds=seconds, command=command, plots=names))
    return results
