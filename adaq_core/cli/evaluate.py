"""`evaluate`: methods × questions, measured against judgments."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adaq_core.cli._hop_log import RUN_FAILED, STOPPED, say, show
from adaq_core.cli._options import (
    AUTO,
    CrossEncoderOption,
    JsonOption,
    KOption,
    LearnOption,
    NoModelOption,
    methods_from,
)
from adaq_core.errors import InputError, StoreLocked

if TYPE_CHECKING:
    from adaq_core.evaluation import Progress
    from adaq_core.evaluation.request import Request
    from adaq_core.store import Store

HELP = """Run methods on a question set with judgments, and measure them.

\b
Examples:
  python -m adaq_core evaluate --dataset finance
  python -m adaq_core evaluate --dataset finance --methods adaptive,static --limit 10
  python -m adaq_core evaluate --dataset exam --methods adaptive --failures
  python -m adaq_core evaluate --dataset ./my-beir-folder --split test --k 5 --out results
  python -m adaq_core evaluate --dataset finance --methods adaptive --ablate coverage_map,entity_first,hops
  python -m adaq_core evaluate --dataset all --report docs/results.md
  python -m adaq_core evaluate --dataset finance --dask tcp://10.0.0.5:8786
  python -m adaq_core evaluate --leaderboard docs/leaderboard.md --out results

A set is a BEIR folder, a folder with documents/ and questions.jsonl, or the name of one that comes with ADAQ (exam,
finance, general, policy) or lies in the folder that ADAQ_DATASETS names.

Writes results.json, per_question.jsonl, a TREC run file per method, plots and an experiment card.
If interrupted, it resumes when the same command is given again. Every question's run opens in Trace explorer.

Ablations of ADAQ: coverage_map, entity_first, reranking, constraints, spelling, learned, vectors (each without it),
oracle_aspects, hops2, hops4, threshold0.4, k3 and the like, and the sweeps hops, threshold, set_size. With --model also
model_plan, model_refine, model_read, model_critique, model_synthesise (one stage by rules), or model for all five.
--cross-encoder adds ADAQ with its candidates ranked again by that model.
--dask runs the questions on the workers of a cluster (extra dask), which need the same version of ADAQ and see the same
home folder and question set; a worker that dies costs nothing but the time. Results and runs are written here.
--learn adds ADAQ with what it learned about wordings: each half of the questions from its runs on the other half.
"""

STORE_SECONDS = 2.0
LINE_EVERY_SECONDS = 5.0

DatasetOption = Annotated[
    str,
    typer.Option(
        "--dataset", "-d", help="A BEIR folder or the name of a set; several with commas, or `all`.", metavar="DIR"
    ),
]
MethodsOption = Annotated[
    str, typer.Option("--methods", "-m", help="Methods with commas between them, or `all`.", metavar="A,B")
]
ModelOption = Annotated[
    str | None, typer.Option("--model", help="Language model for the stages that can use one.", metavar="NAME")
]
JudgeOption = Annotated[
    list[str] | None, typer.Option("--judge", help="Model that grades the answers; give it twice.", metavar="NAME")
]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", "-w", min=1, max=64, help="Processes; as many as cores by default.")
]
DaskOption = Annotated[
    str, typer.Option("--dask", help="Scheduler of a Dask cluster whose workers run it.", metavar="ADDRESS")
]
OutOption = Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the results.", metavar="DIR")]
AblateOption = Annotated[str, typer.Option("--ablate", help="Ablations of ADAQ to add.", metavar="NAME,…")]
ReferenceOption = Annotated[
    str | None, typer.Option("--reference", help="What to compare with; static by default.", metavar="METHOD")
]
LeaderboardOption = Annotated[
    Path | None,
    typer.Option("--leaderboard", help="Write one from every result below --out; runs nothing.", metavar="FILE"),
]
ReportOption = Annotated[
    Path | None, typer.Option("--report", help="Write one Markdown page over all sets.", metavar="FILE")
]


def command(
    dataset: DatasetOption = "",
    split: Annotated[str, typer.Option("--split", help="Which judgments to use.")] = "dev",
    methods: MethodsOption = "all",
    k: KOption = 5,
    k_of_subtopics: Annotated[
        bool, typer.Option("--k-of-subtopics", help="As many passages as a question has judged subtopics.")
    ] = False,
    gold_removed: Annotated[
        bool, typer.Option("--gold-removed", help="Remove the documents that answer the questions from the corpus.")
    ] = False,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="A sample of this many questions.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="For the sample, the intervals and the tests.")] = 0,
    no_llm: NoModelOption = False,
    model: ModelOption = None,
    judge: JudgeOption = None,
    workers: WorkersOption = None,
    dask: DaskOption = "",
    out: OutOption = None,
    ablate: AblateOption = "",
    reference: ReferenceOption = None,
    report: ReportOption = None,
    leaderboard: LeaderboardOption = None,
    no_dense: Annotated[bool, typer.Option("--no-dense", help="Use no passage vectors.")] = False,
    cross_encoder: CrossEncoderOption = "",
    learn: LearnOption = False,
    no_store: Annotated[bool, typer.Option("--no-store", help="Do not keep the runs, only the results.")] = False,
    failures: Annotated[bool, typer.Option("--failures", help="Show the answers that fall short, one by one.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Run methods on a question set with judgments, and measure them."""
    from adaq_core.evaluation.request import Request

    if leaderboard is not None and not dataset:
        _write_leaderboard(leaderboard, out)
        return
    if not dataset:
        raise InputError("expected --dataset with a set of questions, or --leaderboard with a file to write")
    if no_llm and model:
        raise InputError(f"expected either --no-llm or --model {model}, got both; leave one of them out")
    requests = [
        Request(
            name,
            split,
            () if methods.strip() == "all" else methods_from(methods),
            _names(ablate),
            k=k or 5,
            limit=limit,
            seed=seed,
            model=model,
            judges=tuple(judge or ()),
            reference=reference,
            dense=not no_dense,
            learn=learn,
            cross_encoder=cross_encoder.strip(),
            k_of_subtopics=k_of_subtopics,
            k_auto=k == AUTO,
            gold_removed=gold_removed,
        )
        for name in _sets(dataset)
    ]
    results, failed = [], False
    for request in requests:
        folder = _folder(request, out, several=len(requests) > 1)
        failed = _run(request, folder, workers=workers, dask=dask.strip(), keep=not no_store) or failed
        results.append(_results(folder))
        _show(results[-1], folder, as_json=as_json)
        if failures:
            _show_failures(request, folder)
    if report is not None:
        _write_report(report, results, replace(requests[0], dataset=dataset))
    if failed:
        raise typer.Exit(RUN_FAILED)


class StatusLine:
    """Progress on stderr: one line drawn over again on a terminal, else a line every few seconds."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._reported: tuple[str, float] = ("", -LINE_EVERY_SECONDS)
        self._open = False

    def __call__(self, progress: Progress) -> None:
        """Show where the experiment is."""
        from adaq_core.evaluation import in_words

        if self._terminal:
            print(f"\r\033[K{in_words(progress)[:100]}", end="", file=sys.stderr, flush=True)
            self._open = True
            return
        phase, at = self._reported
        if progress.phase != phase or progress.seconds - at >= LINE_EVERY_SECONDS:
            self._reported = (progress.phase, progress.seconds)
            say(in_words(progress))

    def close(self) -> None:
        """Go on below the line."""
        if self._open:
            print(file=sys.stderr)
            self._open = False


def _names(given: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in given.split(",") if name.strip()))


def _sets(given: str) -> tuple[str, ...]:
    """Return the sets that `--dataset` names; `all` are those here that have a corpus."""
    from adaq_core.datasets.beir import has_corpus, known_sets

    if given.strip() == "all":
        return tuple(name for name, folder in known_sets().items() if has_corpus(folder))
    if Path(given).is_dir():
        return (given,)
    return _names(given) or (given,)


def _folder(request: Request, out: Path | None, *, several: bool) -> Path:
    if out is None:
        return request.folder()
    return out / Path(request.dataset).name if several else out


def _run(request: Request, folder: Path, *, workers: int | None, dask: str, keep: bool) -> bool:
    """Run one experiment; return whether any of its runs failed."""
    from adaq_core.evaluation.request import evaluate

    _announce(request, folder)
    line = StatusLine()
    try:
        store = _store(folder) if keep else None
        ran = evaluate(request, out=folder, store=store, workers=workers, dask=dask, watch=line)
    except KeyboardInterrupt:
        line.close()
        say(f"Stopped. What is finished is kept in {folder}; the same command goes on from there.")
        raise typer.Exit(STOPPED) from None
    finally:
        line.close()
    return any(outcome.error for outcome in ran.outcomes)


def _announce(request: Request, folder: Path) -> None:
    """Print what is about to happen, and what is odd about the data."""
    plan = request.plan()
    questions = f"{plan.questions.name} ({plan.questions.split}): {len(plan.chosen)} questions"
    say(f"{questions} × {', '.join(plan.labels)} → {folder}")
    for remark in plan.questions.remarks:
        say(f"  note: {remark}")


def _store(folder: Path) -> Store:
    """Return the home folder's store or, while the app has it open, one beside the results."""
    from adaq_core.evaluation.working import FILE
    from adaq_core.store import open_store

    try:
        return open_store(wait_seconds=STORE_SECONDS)
    except StoreLocked:
        own = folder / FILE
        say(f"The run store is open in another process (the app?), so the runs are kept in {own}.")
        return open_store(own)


def _results(folder: Path) -> dict[str, Any]:
    from adaq_core.evaluation.report import RESULTS

    results: dict[str, Any] = json.loads((folder / RESULTS).read_text(encoding="utf-8"))
    return results


def _show(results: dict[str, Any], folder: Path, *, as_json: bool) -> None:
    from adaq_core.evaluation.report import table

    if as_json:
        print(json.dumps(results, ensure_ascii=False, indent=1))
        return
    measures = {label: each["measures"] for label, each in results["methods"].items()}
    show("\n".join(table(measures)))
    show(f"\nResults, card and plots: {folder}")


def _show_failures(request: Request, folder: Path) -> None:
    """Print what falls short, method by method: missing or wrong facts, and what was stated instead."""
    from adaq_core.evaluation import PER_QUESTION, read_outcomes
    from adaq_core.evaluation.answered import failures

    plan = request.plan()
    outcomes = read_outcomes(folder / PER_QUESTION)
    for label in plan.labels:
        mine = [outcome for outcome in outcomes if outcome.method == label]
        show("\n".join((f"\n{label}", *failures(mine, plan.chosen))))


def _write_leaderboard(path: Path, folder: Path | None) -> None:
    from adaq_core.evaluation.report import RESULTS, leaderboard
    from adaq_core.evaluation.request import experiments_folder

    below = folder or experiments_folder()
    results = sorted(below.rglob(RESULTS))
    if not results:
        raise InputError(f"expected a folder with {RESULTS} of experiments somewhere below it, found none in {below}")
    shown = " --out DIR" if folder is not None else ""
    words = f"python -m adaq_core evaluate --leaderboard {path.name if path.is_absolute() else path}{shown}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(leaderboard([_results(each.parent) for each in results], command=words), encoding="utf-8")
    say(f"Leaderboard of {len(results)} experiments: {path}")


def _write_report(path: Path, results: list[dict[str, Any]], asked: Request) -> None:
    from adaq_core.evaluation.report import report

    shown = Path(path.name) if path.is_absolute() else path

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(report(results, command=f"{asked.as_command()} --report {shown}"), encoding="utf-8")
    say(f"Report: {path}")
