"""The experiment card: who, what, when, how, with what result and at what cost; for people and for programs."""

from __future__ import annotations

import getpass
import json
import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adaq_core.evaluation import Outcome, Plan
from adaq_core.evaluation.charts import stop_quality
from adaq_core.evaluation.results import BY_NAME, shown

TITLE = "Experiment card"


def card(
    plan: Plan,
    results: Mapping[str, Any],
    outcomes: Sequence[Outcome],
    *,
    seconds: float,
    command: str,
    plots: Sequence[str],
) -> dict[str, Any]:
    """The card as JSON-ready values; `command` repeats the experiment, `plots` are names of files beside it."""
    return {
        "who": {"user": _user(), "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"},
        "what": {
            "dataset": results["dataset"],
            "split": results["split"],
            "n_questions": results["n_questions"],
            "methods": list(results["methods"]),
            "reference": plan.compared_to,
            "command": command,
        },
        "when": {"finished": datetime.now(UTC).isoformat(timespec="seconds"), "seconds": round(seconds, 1)},
        "configuration": {"k": results["k"], **results["config"], "python": platform.python_version()},
        "corpus": _corpus(plan, results),
        "measures": {label: each["measures"] for label, each in results["methods"].items()},
        "comparisons": results["comparisons"],
        "stopping": {label: _stopping(outcomes, label) for label in results["methods"]},
        "cost": {label: _cost(outcomes, label) for label in results["methods"]},
        "plots": list(plots),
    }


def as_markdown(card: Mapping[str, Any]) -> str:
    """The card for people."""
    what = card["what"]
    when = card["when"]
    who = card["who"]
    k = card["configuration"]["k"]
    return "\n".join(
        (
            f"# {TITLE}: {what['dataset']} ({what['split']}), {what['n_questions']} questions, k = {k}",
            "",
            f"- Who: {who['user']}, on {who['machine']}",
            f"- When: {when['finished']}, {when['seconds']} s",
            f"- What: {', '.join(what['methods'])}; compared to {what['reference']}",
            f"- Corpus: {card['corpus']['name']}, hash {card['corpus']['hash']}",
            f"- Code: hash {card['configuration']['code_hash']}, model {card['configuration']['model'] or 'none'}, "
            f"seed {card['configuration']['seed']}",
            f"- Again: `{what['command']}`",
            *(f"- Remark: {remark}" for remark in card["configuration"]["remarks"]),
            *_failed_lines(card),
            "",
            "## Measures",
            "",
            "Means over questions with 95 % bootstrap intervals; n where not all questions count; – was not computed.",
            "",
            *table(card["measures"]),
            "",
            f"## Against {what['reference']}",
            "",
            "Paired by question; p from a randomisation test, corrected with Holm over the methods.",
            "",
            *_comparison_table(card["comparisons"]),
            "",
            "## Stopping",
            "",
            *_stop_table(card["stopping"]),
            "",
            "## Plots",
            "",
            *(f"![{Path(name).stem}]({name})" for name in card["plots"] if name.endswith(".png")),
            *(f"[All plots, interactive]({name})" for name in card["plots"] if name.endswith(".html")),
            "",
        )
    )


def table(measures: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The measures that anything was computed for, a row per measure, a column per method."""
    labels = list(measures)
    names = [name for name in BY_NAME if any(_says_something(name, measures[label].get(name)) for label in labels)]
    most = {label: max((measures[label][name]["n"] for name in names), default=0) for label in labels}
    lines = [f"| measure | {' | '.join(labels)} |", f"|---|{'---:|' * len(labels)}"]
    for name in names:
        cells = (_cell(name, measures[label].get(name), most[label]) for label in labels)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def write_card(folder: Path, values: Mapping[str, Any]) -> None:
    """card.json and card.md."""
    (folder / "card.json").write_text(json.dumps(values, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (folder / "card.md").write_text(as_markdown(values), encoding="utf-8")


def _says_something(name: str, value: Mapping[str, Any] | None) -> bool:
    """Whether it was computed; and for a cost, whether there was any."""
    return bool(value and value["n"] and (value["mean"] or BY_NAME[name].group != "cost"))


def _cell(name: str, value: Mapping[str, Any] | None, most: int) -> str:
    if value is None or not value["n"]:
        return "–"
    bounds = f" [{shown(name, value['ci_low'])}, {shown(name, value['ci_high'])}]"
    count = "" if value["n"] == most else f" n={value['n']}"
    if "up" in value:
        moved = f" (up {value['up']}, down {value['down']})"
    else:
        moved = ""
    return f"{shown(name, value['mean'])}{bounds}{count}{moved}"


def _comparison_table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = [
        "| measure | method | difference | relative | p (Holm) | wins/ties/losses | |",
        "|---|---|---:|---:|---:|---:|---|",
    ]
    for row in rows:
        relative = "–" if row["relative"] is None else f"{row['relative']:+.1%}"
        bounds = f"{row['difference']:+.3f} [{shown('', row['ci_low'])}, {shown('', row['ci_high'])}]"
        score = f"{row['wins']}/{row['ties']}/{row['losses']}"
        p = shown("", row["p_holm"])
        lines.append(
            f"| {row['measure']} | {row['method']} | {bounds} | {relative} | {p} | {score} | {row['verdict']} |"
        )
    return lines if rows else ["Nothing to compare."]


def _stop_table(stopping: Mapping[str, Mapping[str, Any]]) -> list[str]:
    lines = [
        "| method | mean hops | complete | stopped on time | wasted hops | incomplete | of them given up |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for label, row in stopping.items():
        hops = shown("hops", row["mean_hops"])
        waste = shown("hops", row["wasted_hops"])
        parts = (hops, row["complete"], row["on_time"], waste, row["incomplete"], row["given_up"])
        lines.append(f"| {label} | {' | '.join(map(str, parts))} |")
    return lines


def _failed_lines(card: Mapping[str, Any]) -> list[str]:
    failed: Mapping[str, Sequence[Any]] = card["configuration"].get("failed", {})
    return [
        f"- Failed: {len(rows)} runs of {label} are in no mean ({rows[0]['error']})" for label, rows in failed.items()
    ]


def _stopping(outcomes: Sequence[Outcome], label: str) -> dict[str, Any]:
    quality = stop_quality(outcomes, method=label)
    return {name: getattr(quality, name) for name in quality.__slots__ if name != "method"}


def _cost(outcomes: Sequence[Outcome], label: str) -> dict[str, float]:
    rows = [outcome.measures for outcome in outcomes if outcome.method == label]
    names = ("ms", "queries", "passages_read", "model_calls", "tokens", "usd")
    totals = {f"total_{name}": round(sum(row.get(name) or 0.0 for row in rows), 6) for name in names}
    return {"runs": len(rows), **totals}


def _corpus(plan: Plan, results: Mapping[str, Any]) -> dict[str, Any]:
    corpus = plan.questions.corpus
    return {"name": corpus.name if corpus else None, "hash": results["config"]["corpus_hash"]}


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
