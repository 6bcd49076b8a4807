"""What a person asks for, as the command line and the page take it; kept with the results, to be repeated."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from adaq_core.datasets.beir import load_set
from adaq_core.errors import DatasetError, InputError
from adaq_core.evaluation.experiment import Ran, never, run_experiment, silent
from adaq_core.evaluation.plan import Outcome, Plan, Progress, Watch, read_outcomes, read_progress
from adaq_core.evaluation.report import RESULTS, write_results
from adaq_core.evaluation.variants import SUBJECT, Variant, learning, of_values, reranking, variants
from adaq_core.home import home
from adaq_core.methods import names
from adaq_core.model import Settings
from adaq_core.store.store import Store

REQUEST = "request.json"


@dataclass(frozen=True, slots=True)
class Request:
    """An experiment as it was asked for; no methods means all of them.

    With `k_of_subtopics` a run may return as many passages as its question has judged subtopics, in place of `k`.
    With `gold_removed` the documents that answer the questions are taken out first, and every question is unanswerable.
    """

    dataset: str
    split: str = "dev"
    methods: tuple[str, ...] = ()
    ablate: tuple[str, ...] = ()
    k: int = 5
    limit: int | None = None
    seed: int = 0
    model: str | None = None
    judges: tuple[str, ...] = ()
    reference: str | None = None
    dense: bool = True
    learn: bool = False
    cross_encoder: str = ""
    k_of_subtopics: bool = False
    k_auto: bool = False
    gold_removed: bool = False

    def plan(self) -> Plan:
        """The experiment, with its questions loaded and checked; InputError or DatasetError when it cannot be."""
        known = names()
        if unknown := [name for name in self.methods if name not in known]:
            raise InputError(f"expected methods out of {', '.join(known)}, got {', '.join(map(repr, unknown))}")
        settings = Settings(k=self.k, use_dense=self.dense, k_auto=self.k_auto)
        chosen = variants(self.methods or known, self.ablate, settings)
        if self.learn and SUBJECT not in (self.methods or known):
            raise InputError(f"expected {SUBJECT} among the methods for --learn: its runs are what is learned from")
        return Plan(
            load_set(self.dataset, self.split),
            (*chosen, *self._more(settings)),
            k=self.k,
            k_of_subtopics=self.k_of_subtopics,
            gold_removed=self.gold_removed,
            limit=self.limit,
            seed=self.seed,
            model=self.model,
            judges=self.judges,
            reference=self.reference,
        )

    def _more(self, settings: Settings) -> tuple[Variant, ...]:
        """ADAQ with what is off by default and was asked for."""
        again = (reranking(settings, self.cross_encoder),) if self.cross_encoder else ()
        return (*again, learning(settings)) if self.learn else again

    def folder(self) -> Path:
        """Where it lies unless another place is named: the same request finds what is done already."""
        name = f"{Path(self.dataset).name}-{self.split}-k{self.k}-{of_values(asdict(self))[:6]}"
        return experiments_folder() / name

    def as_command(self, out: Path | None = None) -> str:
        """The command line that repeats it."""
        words = ["python", "-m", "adaq_core", "evaluate", "--dataset", self.dataset, "--split", self.split]
        given: dict[str, object] = {
            "--methods": ",".join(self.methods),
            "--ablate": ",".join(self.ablate),
            "--k": "auto" if self.k_auto else self.k,
        }
        given |= {"--limit": self.limit, "--seed": self.seed, "--model": self.model, "--reference": self.reference}
        given |= {"--cross-encoder": self.cross_encoder}
        for option, value in given.items():
            words += [option, str(value)] if value not in (None, "") else []
        words += [word for judge in self.judges for word in ("--judge", judge)]
        words += [] if self.dense else ["--no-dense"]
        words += ["--learn"] if self.learn else []
        words += ["--k-of-subtopics"] if self.k_of_subtopics else []
        words += ["--gold-removed"] if self.gold_removed else []
        return shlex.join([*words, "--out", str(out)] if out else words)


def evaluate(
    request: Request,
    *,
    out: Path | None = None,
    store: Store | None = None,
    workers: int | None = None,
    watch: Watch = silent,
    cancelled: Callable[[], bool] = never,
) -> Ran:
    """Run what is not finished of the request and, when all of it is, write the results into its folder."""
    plan = request.plan()
    folder = out or request.folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / REQUEST).write_text(json.dumps(asdict(request), indent=1) + "\n", encoding="utf-8")
    ran = run_experiment(plan, out=folder, store=store, workers=workers, watch=watch, cancelled=cancelled)
    if ran.finished:
        command = request.as_command(out)
        write_results(plan, ran.outcomes, folder, seconds=ran.seconds, command=command)
        ran.clock.tell("finished", str(folder))
    return ran


def experiments_folder() -> Path:
    """Where experiments lie by default."""
    return home() / "evaluation" / "experiments"


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment as a page finds it; `results` is None until it is finished."""

    folder: Path
    request: Request
    progress: Progress | None
    outcomes: tuple[Outcome, ...]
    results: dict[str, Any] | None


def experiments(folder: Path | None = None) -> tuple[Path, ...]:
    """The folders that hold an experiment, newest first."""
    found = (folder or experiments_folder()).glob(f"*/{REQUEST}")
    return tuple(path.parent for path in sorted(found, key=lambda path: -path.stat().st_mtime))


def read_experiment(folder: Path) -> Experiment:
    """What there is of an experiment, finished or not; DatasetError when the folder holds none."""
    try:
        known = json.loads((folder / REQUEST).read_text(encoding="utf-8"))
        lists = {name: tuple(known[name]) for name in ("methods", "ablate", "judges")}
        request = Request(**{**known, **lists})
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise DatasetError(f"expected an experiment in {folder}, could not read {REQUEST}: {error}") from error
    results = folder / RESULTS
    return Experiment(
        folder,
        request,
        read_progress(folder),
        tuple(read_outcomes(folder / "per_question.jsonl")),
        json.loads(results.read_text(encoding="utf-8")) if results.is_file() else None,
    )


def estimate_seconds(request: Request, past: Sequence[Outcome], *, workers: int) -> float | None:
    """How long it will take, from what the same methods took before; None when one of them was never seen."""
    plan = request.plan()
    total = 0.0
    for variant in plan.variants:
        known = [ms for each in past if each.method == variant.method and (ms := each.measures.get("ms")) is not None]
        if not known:
            return None
        total += sum(known) / len(known) * len(plan.chosen) / 1000
    return total / max(1, workers)
