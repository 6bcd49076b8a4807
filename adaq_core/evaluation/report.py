"""What is written of experiments: one page over several, and the card of each.

The page tells of answers first, then evidence, then what the system thinks of itself and costs; the card who, what,
when, how, with what result and at what cost, for people and for programs.
"""

from __future__ import annotations

import getpass
import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adaq_core.evaluation import ExperimentPlan, Outcome
from adaq_core.evaluation.results import BY_NAME, failures, shown, summarise
from adaq_core.evaluation.variants import SUBJECT
from adaq_core.evaluation.views import MARKS, charts, draw, stop_quality
from adaq_core.export.dossier import trec_lines
from adaq_core.measures import documents_within

Results = Mapping[str, Any]
TABLES = {
    "Answers": (
        *("facts_asserted", "facts_all_right", "facts_wrong", "short_first", "claimed_unanswered", "null_recognised"),
        *("answer_contains", "answer_contains_spans", "answer_contains_yes_no", "short_answer_EM", "short_answer_F1"),
        *("stated_precision", "verdict_accuracy", "numeric_right", "numeric_wrong", "nugget_recall"),
        *("citation_recall", "citation_precision", "answer_in_evidence", "answer_words"),
        *("false_covered", "false_not_covered", "refused_answerable", "declined_unanswerable"),
        *("doubted_answerable", "doubted_unanswerable"),
    ),
    "Evidence": (
        *("Recall@2", "Recall@5", "AllGold@5", "passage_Recall@5", "passage_P@5", "file_Recall@5", "nDCG@5"),
        *("set_F1", "set_size", "StRecall@5", "StRecall@10", "StRecall@n", "AllSubtopics@5"),
        *("alpha_nDCG@5", "alpha_nDCG@10", "Recall@5_hop1", "recall_gain"),
    ),
    "Own estimate and cost": (
        *("coverage_auroc", "coverage_ece", "coverage_ece_20", "complete_at_95", "some_ece"),
        *("null_auroc", "null_precision", "null_recall", "false_alarms"),
        *("hops", "stop_gap", "wasted_hops", "passages_read", "ms", "ms_p50", "ms_p95"),
    ),
}
OVERVIEW = (
    *("answer_contains", "short_answer_EM", "stated_precision", "facts_all_right", "nugget_recall"),
    *("citation_recall", "refused_answerable", "Recall@5", "passage_Recall@5", "AllGold@5"),
)
EQUAL = ("Recall@5", "nDCG@5")


@dataclass(frozen=True, slots=True)
class Target:
    """What the project document asks of ADAQ on the finance task, against the static single shot."""

    dataset: str = "finance"
    reference: str = "static"
    measures: tuple[str, ...] = ("StRecall@5", "nDCG@5")  # "coverage" is the judged one, not the system's own estimate
    gain: tuple[float, float] = (0.15, 0.25)
    cost: float = 3.0


TARGET = Target()


def report(results: Sequence[Results], *, command: str) -> str:
    """Return the Markdown page: an overview, the target, and a section per set, from results.json."""
    parts = [
        "# Results",
        "",
        f"Made by `{command}`. Do not edit by hand.",
        "",
        "Means over questions with 95 % bootstrap intervals. ▲ better and ▼ worse than the reference (paired "
        "randomisation test, Holm-corrected over the methods, 5 %); without a mark the difference is not significant "
        "or not tested. – was not computed. What each measure means: [decisions/measures.md](decisions/measures.md). "
        "The ranker that ships was trained on the dev halves of public sets: its rows on these are in-sample; rows "
        "without it are not. Milliseconds are a method's own: models, vectors and the corpus are loaded before.",
        "",
        *_overview(results),
        *_target(results),
        *_baselines(results),
    ]
    for each in results:
        parts += ["", *_section(each)]
    return "\n".join((*parts, ""))


LEADERBOARD = ("nDCG@5", "Recall@5", "StRecall@5", "alpha_nDCG@5", "facts_asserted", "hops", "passages_read")


def leaderboard(results: Sequence[Results], *, command: str) -> str:
    """Return every method of every set as Markdown, best first, from results.json."""
    parts = [
        "# Leaderboard",
        "",
        f"Made by `{command}` from the results.json of {len(results)} experiments. Do not edit by hand.",
        "",
        f"Ranked by {LEADERBOARD[0]}, the mean over questions with its 95 % bootstrap interval; equal means share a "
        "place. ▲ better and ▼ worse than the reference of the set (paired randomisation test, Holm-corrected, 5 %). "
        "– was not computed. Rows of different sets, and of different code, are not to be compared.",
        *_across(results),
    ]
    for each in sorted(results, key=lambda r: (r["dataset"], r["split"], r["k"])):
        parts += ["", *_places(each)]
    return "\n".join((*parts, ""))


def _across(results: Sequence[Results]) -> list[str]:
    """Return the mean rank of the methods that ran on every set; nothing for a single set."""
    if len(results) < 2:
        return []
    same = sorted(set.intersection(*(set(each["methods"]) for each in results)))
    if len(same) < 2:
        return []
    places = {label: [_place(each, label, same) for each in results] for label in same}
    means = {label: sum(own) / len(own) for label, own in places.items()}
    sets = [each["dataset"] for each in results]
    lines = ["", f"## Over {len(results)} sets", "", f"| method | mean place | {' | '.join(sets)} |"]
    lines.append(f"|---|{'---:|' * (len(sets) + 1)}")
    for label in sorted(same, key=lambda label: (means[label], label)):
        lines.append(f"| {label} | {means[label]:.1f} | {' | '.join(map(str, places[label]))} |")
    return lines


def _place(results: Results, label: str, among: Iterable[str]) -> int:
    """Return the rank of a method, from 1; one without the measure comes behind all others."""
    means = {name: _mean(results["methods"][name], LEADERBOARD[0]) for name in among}
    own = means[label]
    behind = (mean for mean in means.values() if mean is not None and (own is None or mean > own))
    return 1 + sum(1 for _ in behind)


def _places(results: Results) -> list[str]:
    methods = results["methods"]
    names = _computed(results, LEADERBOARD)
    named = f"{results['dataset']} {results['config'].get('version', '')}".strip()
    lines = [
        *_head(results, named),
        "",
        f"| place | method | {' | '.join(names)} |",
        f"|---:|---|{'---:|' * len(names)}",
    ]
    rows = _rows(results, names)
    for label in sorted(methods, key=lambda label: (_place(results, label, methods), label)):
        lines.append(f"| {_place(results, label, methods)} {rows[label]}")
    return lines


def _head(results: Results, named: str) -> list[str]:
    """Return the heading of a set and what its results were made with."""
    config = results["config"]
    return [
        f"## {named} ({results['split']}), {results['n_questions']} questions, k = {results['k']}",
        "",
        f"Reference {config['reference']}; corpus {config['corpus_hash']}, code {config['code_hash']}, "
        f"model {config['model'] or 'none'}, seed {config['seed']}.",
    ]


def _computed(results: Results, wanted: Sequence[str]) -> list[str]:
    """Return those measures that some method has."""
    return [name for name in wanted if any(_known(each, name) for each in results["methods"].values())]


def _rows(results: Results, names: Sequence[str]) -> dict[str, str]:
    """Return each method's row by label, with marks for better or worse than the reference."""
    verdicts = {(row["method"], row["measure"]): row["verdict"] for row in results["comparisons"]}
    rows = {}
    for label, each in results["methods"].items():
        cells = (_with_interval(each, name, verdicts.get((label, name), "")) for name in names)
        rows[label] = f"| {label} | {' | '.join(cells)} |"
    return rows


def _overview(results: Sequence[Results]) -> list[str]:
    """Return ADAQ on every set, a row each, with the recall after the first hop and after the last."""
    rows = [each for each in results if SUBJECT in each["methods"]]
    if not rows:
        return []
    names = [name for name in OVERVIEW if any(_known(each["methods"][SUBJECT], name) for each in rows)]
    head = ["set", "questions", *names, "Recall@5 after hop 1", "gain of later hops", "up / down", "ms p50 / p95"]
    lines = [f"## ADAQ ({SUBJECT}) on every set", "", f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}"]
    for each in rows:
        method = each["methods"][SUBJECT]
        cells = [_plain(method, name) for name in names]
        gain = method["measures"].get("recall_gain", {})
        if gain.get("n"):
            moved = f"{gain.get('up', 0)} / {gain.get('down', 0)}"
        else:
            moved = "–"
        times = f"{_plain(method, 'ms_p50')} / {_plain(method, 'ms_p95')}"
        cells += [_plain(method, "Recall@5_hop1"), _with_interval(method, "recall_gain"), moved, times]
        lines.append(f"| {each['dataset']} | {each['n_questions']} | {' | '.join(cells)} |")
    return lines


def _target(results: Sequence[Results]) -> list[str]:
    """Return whether the project document's target is reached, measure by measure; nothing if it was not run."""
    pair = (SUBJECT, TARGET.reference)
    of_target = (each for each in results if each["dataset"] == TARGET.dataset)
    collected = [each for each in of_target if set(pair) <= set(each["methods"])]
    if not collected:
        return []
    mine, other = (collected[0]["methods"][label] for label in pair)
    low, high = TARGET.gain
    lines = [
        "",
        "## The target of the project document",
        "",
        f"ADAQ over the static single shot on {TARGET.dataset}: {low:+.0%} to {high:+.0%} coverage and nDCG@5, at no "
        f"more than {TARGET.cost:g} times the cost. Coverage is as judged (share of subtopics), not as ADAQ says.",
        "",
        f"| | {TARGET.reference} | {SUBJECT} | difference | target | reached |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for name in TARGET.measures:
        before, after = (_mean(each, name) for each in (other, mine))
        if before and after is not None:
            gain = after / before - 1
        else:
            gain = None
        reached = "–" if gain is None else "yes" if gain >= low else "no"
        shown = "–" if gain is None else f"{gain:+.0%}"
        lines.append(f"| {name} | {_plain(other, name)} | {_plain(mine, name)} | {shown} | {low:+.0%} | {reached} |")
    for name in ("hops", "passages_read", "ms"):
        before, after = (_mean(each, name) for each in (other, mine))
        times = after / before if before and after is not None else None
        reached = "–" if times is None else "yes" if times <= TARGET.cost else "no"
        shown = "–" if times is None else f"{times:.1f}×"
        row = f"| {name} | {_plain(other, name)} | {_plain(mine, name)} | {shown} | ≤ {TARGET.cost:g}× | {reached} |"
        lines.append(row)
    return lines


def _baselines(results: Sequence[Results]) -> list[str]:
    """Say which rows equal BM25 in these experiments, because what sets the method apart needs a model."""
    without_model = [each for each in results if not each["config"]["model"]]
    same: dict[str, list[str]] = {}
    for each in without_model:
        for label, method in each["methods"].items():
            if label != "bm25" and "bm25" in each["methods"] and _as_bm25(method, each["methods"]["bm25"]):
                same.setdefault(label, []).append(each["dataset"])
    lines = [
        "",
        "## Baselines without a language model",
        "",
        "CRAG's evaluator, Self-RAG's reflection tokens and SEAL-RAG's extraction are language models in their papers. "
        "Without one they are stood in for by word overlap, as their files in `adaq_core/methods/` say, so these rows "
        "are lower bounds of the methods and not of the papers' numbers.",
    ]
    if same:
        rows = (f"`{label}` on {', '.join(sets)}" for label, sets in same.items())
        lines.append(f"Not told apart from BM25 here ({' and '.join(EQUAL)} equal to three digits): {'; '.join(rows)}.")
    return lines


def _as_bm25(method: Mapping[str, Any], bm25: Mapping[str, Any]) -> bool:
    known = 0
    for name in EQUAL:
        own, other = _mean(method, name), _mean(bm25, name)
        if own is None or other is None:
            continue
        known += 1
        if round(own, 3) != round(other, 3):
            return False
    return known > 0


def _section(results: Results) -> list[str]:
    config = results["config"]
    lines = [
        *_head(results, results["dataset"]),
        *(f"Remark: {remark}." for remark in config["remarks"]),
        *(f"Failed: {len(rows)} runs of {label}, in no mean." for label, rows in config["failed"].items()),
    ]
    for title, names in TABLES.items():
        lines += _table(results, title, names)
    return lines


def _table(results: Results, title: str, wanted: Sequence[str]) -> list[str]:
    """Return a table of methods and measures; nothing if none could be computed."""
    names = _computed(results, wanted)
    if not names:
        return []
    lines = ["", f"**{title}**", "", f"| method | {' | '.join(names)} |", f"|---|{'---:|' * len(names)}"]
    return [*lines, *_rows(results, names).values()]


def _known(method: Mapping[str, Any], name: str) -> bool:
    """Whether the measure was computed; results of an earlier version may lack it."""
    return bool(method["measures"].get(name, {}).get("n"))


def _mean(method: Mapping[str, Any], name: str) -> float | None:
    value = method["measures"].get(name, {})
    return float(value["mean"]) if value.get("n") else None


def _plain(method: Mapping[str, Any], name: str) -> str:
    return shown(name, _mean(method, name))


def _with_interval(method: Mapping[str, Any], name: str, verdict: str = "") -> str:
    mean = _mean(method, name)
    if mean is None:
        return "–"
    value = method["measures"][name]
    if BY_NAME[name].group == "cost" or value["ci_low"] is None:
        return shown(name, mean)
    bounds = f"[{_short(value['ci_low'])}, {_short(value['ci_high'])}]"
    return f"{shown(name, mean)}{MARKS.get(verdict, '')} {bounds}"


def _short(value: float) -> str:
    if abs(value) < 1:
        return f"{value:.2f}".replace("0.", ".", 1)
    return f"{value:.2f}"


RESULTS = "results.json"
RUNS = "runs"
PLOTS = "plots"


def results_of(plan: ExperimentPlan, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the content of results.json: dataset, split, k, n_questions, config, methods, comparisons."""
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
    plan: ExperimentPlan, outcomes: Sequence[Outcome], out: Path, *, seconds: float, command: str
) -> dict[str, Any]:
    """Write results.json, the TREC run files, the plots and the card; return what results.json holds."""
    results = results_of(plan, outcomes)
    text = json.dumps(results, ensure_ascii=False, indent=1, default=str)
    (out / RESULTS).write_text(text + "\n", encoding="utf-8")
    (out / RUNS).mkdir(exist_ok=True)
    for label in plan.labels:
        rows = [outcome for outcome in outcomes if outcome.method == label]
        write_run(out / RUNS / f"{label}.trec", rows, k=plan.k)
    title = f"{plan.questions.name} ({plan.questions.split}), k = {plan.k}"
    drawn = draw(charts(outcomes, results["methods"]), out / PLOTS, title=title)
    names = [path.relative_to(out).as_posix() for path in drawn]
    write_card(out, card(plan, results, outcomes, seconds=seconds, command=command, plots=names))
    return results


def write_run(path: Path, outcomes: Iterable[Outcome], *, k: int) -> None:
    """Write a TREC run file: one line per document of the first `k` passages, repeats dropped.

    Measures at k come out of it as they are here. `question Q0 document rank score tag`; the score falls with the rank,
    because tools order by score.
    """
    lines = (line for outcome in outcomes for line in _lines(outcome, k=k))
    path.write_text("".join(lines), encoding="utf-8")


def _lines(outcome: Outcome, *, k: int) -> Iterable[str]:
    documents = documents_within([document for _, document in outcome.ranking], k=k)
    return trec_lines(outcome.question_id, documents, tag=outcome.method, k=k)


TITLE = "Experiment card"


def card(
    plan: ExperimentPlan,
    results: Mapping[str, Any],
    outcomes: Sequence[Outcome],
    *,
    seconds: float,
    command: str,
    plots: Sequence[str],
) -> dict[str, Any]:
    """Return the card as JSON-ready values; `command` repeats the experiment, `plots` are file names beside it."""
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
        "corpus": {
            "name": plan.questions.corpus.name if plan.questions.corpus else None,
            "hash": results["config"]["corpus_hash"],
        },
        "measures": {label: each["measures"] for label, each in results["methods"].items()},
        "comparisons": results["comparisons"],
        "stopping": {label: _stopping(outcomes, label) for label in results["methods"]},
        "cost": {label: _cost(outcomes, label) for label in results["methods"]},
        "plots": list(plots),
    }


def as_markdown(card: Mapping[str, Any]) -> str:
    """Return the card for people."""
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
    """Return the computed measures, a row per measure, a column per method."""
    labels = list(measures)
    names = [name for name in BY_NAME if any(_says_something(name, measures[label].get(name)) for label in labels)]
    most = {label: max((measures[label][name]["n"] for name in names), default=0) for label in labels}
    lines = [f"| measure | {' | '.join(labels)} |", f"|---|{'---:|' * len(labels)}"]
    for name in names:
        cells = (_cell(name, measures[label].get(name), most[label]) for label in labels)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def write_card(folder: Path, values: Mapping[str, Any]) -> None:
    """Write card.json and card.md."""
    (folder / "card.json").write_text(json.dumps(values, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (folder / "card.md").write_text(as_markdown(values), encoding="utf-8")


def _says_something(name: str, value: Mapping[str, Any] | None) -> bool:
    """Whether the value was computed and, for a cost, is not zero."""
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


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
