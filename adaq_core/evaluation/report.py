"""One page over several experiments: every method on every set, with intervals and what is significant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adaq_core.evaluation.measures_table import BY_NAME, shown

SHOWN = (
    "Recall@2",
    "Recall@5",
    "AllGold@5",
    "nDCG@5",
    "set_F1",
    "set_size",
    "StRecall@5",
    "StRecall@10",
    "AllSubtopics@5",
    "alpha_nDCG@5",
    "alpha_nDCG@10",
    "coverage_auroc",
    "coverage_ece",
    "null_auroc",
    "null_precision",
    "null_recall",
    "false_alarms",
    "hops",
    "stop_gap",
    "wasted_hops",
    "passages_read",
    "ms",
)
MARKS = {"better": "▲", "worse": "▼"}


def report(results: Sequence[Mapping[str, Any]], *, command: str) -> str:
    """The page as Markdown: a table per set, methods down, measures across; the same numbers as in results.json."""
    parts = [
        "# Results",
        "",
        f"Made by `{command}`. Do not edit by hand.",
        "",
        "Means over questions with 95 % bootstrap intervals. ▲ better and ▼ worse than the reference (paired "
        "randomisation test, Holm-corrected over the methods, 5 %); without a mark the difference is not significant "
        "or not tested. – was not computed. What each measure means: [decisions/measures.md](decisions/measures.md). "
        "The ranker that ships was trained on the dev halves of public sets: its rows on these are in-sample; rows "
        "without it are not.",
    ]
    for each in results:
        parts += ["", *_section(each)]
    return "\n".join((*parts, ""))


def _section(results: Mapping[str, Any]) -> list[str]:
    config = results["config"]
    methods: Mapping[str, Any] = results["methods"]
    names = [name for name in SHOWN if any(methods[label]["measures"][name]["n"] for label in methods)]
    verdicts = {(row["method"], row["measure"]): row["verdict"] for row in results["comparisons"]}
    lines = [
        f"## {results['dataset']} ({results['split']}), {results['n_questions']} questions, k = {results['k']}",
        "",
        f"Reference {config['reference']}; corpus {config['corpus_hash']}, code {config['code_hash']}, "
        f"model {config['model'] or 'none'}, seed {config['seed']}.",
        *(f"Remark: {remark}." for remark in config["remarks"]),
        *(f"Failed: {len(rows)} runs of {label}, in no mean." for label, rows in config["failed"].items()),
        "",
        f"| method | {' | '.join(names)} |",
        f"|---|{'---:|' * len(names)}",
    ]
    for label, each in methods.items():
        cells = (_cell(name, each["measures"][name], verdicts.get((label, name), "")) for name in names)
        lines.append(f"| {label} | {' | '.join(cells)} |")
    return lines


def _cell(name: str, value: Mapping[str, Any], verdict: str) -> str:
    if not value["n"]:
        return "–"
    mark = MARKS.get(verdict, "")
    if BY_NAME[name].group == "cost":
        return shown(name, value["mean"])
    return f"{shown(name, value['mean'])}{mark} [{_short(value['ci_low'])}, {_short(value['ci_high'])}]"


def _short(value: float) -> str:
    return f"{value:.2f}".replace("0.", ".", 1) if value < 1 else f"{value:.2f}"
