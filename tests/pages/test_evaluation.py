"""Evaluation: boards, tables and charts as pure functions, and the page over real and made experiments."""

from __future__ import annotations

import inspect
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from adaq_core.datasets.beir import BUNDLED, read_question_set
from adaq_core.errors import InputError
from adaq_core.evaluation import HopOutcome, Outcome, Progress, write_outcomes
from adaq_core.evaluation.request import (
    Request,
    Summary,
    experiments,
    experiments_folder,
    read_experiment,
    start,
    started,
)
from adaq_core.evaluation.views import leaderboard, pairs, reliability, slices, win_tie_loss
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.runner import get_runner
from adaq_core.store import open_store
from pages._shared.common.words import measure_label
from pages._shared.evaluation.behind import (
    Choice,
    behind,
    bins_board,
    in_order,
    side_of,
    slices_board,
    stop_of,
    stops_board,
)
from pages._shared.evaluation.cells import (
    Board,
    against,
    leaderboard_board,
    measures_shown,
    overview,
    progress_line,
    stopping_line,
    terms,
    variant_label,
    working_line,
)
from pages._shared.evaluation.charts import (
    GROUND,
    bubbles,
    curve_figure,
    curve_words,
    reliability_words,
    scatter_figure,
    scatter_words,
    tally_figure,
    tally_words,
)
from pages._shared.evaluation.experiments import headline
from pages._shared.evaluation.new import judged_words
from pages._shared.evaluation.page import how_far
from pages._shared.evaluation.questions import board_table, leaderboard_table, plain_table, reliability_table
from pages._shared.evaluation.read import experiment, same_questions
from tests.pages.conftest import MAIN
from tests.pages.test_ask import pressed, shown, unescaped

PLACES = {"adaptive": 0, "static": 3}


def outcome(method: str, number: int, value: float, **given: Any) -> Outcome:
    """A run on question `number`; complete from its last hop on when its value is 1."""
    hops = tuple(
        HopOutcome(hop, hop, 5 * hop, 0.1 * hop, coverage=0.5, recall=value, complete=value == 1 and hop == 2)
        for hop in (1, 2)
    )
    made = Outcome(
        method,
        f"q{number}",
        f"Question {number}?",
        "c",
        kind="bridge" if number % 2 else "comparison",
        run_id=f"r-{method[0]}{number}",
        gold=2,
        complete=value == 1,
        hops=hops,
        stop_reason="no_gain",
        measures={"AllGold@5": value, "Recall@5": value, "passages_read": 10.0, "ms": 12.0},
    )
    return replace(made, **given)


def a_lot() -> list[Outcome]:
    """ADAQ finds everything on eight of ten questions, the single shot on two; ADAQ says how sure it is."""
    found = []
    for number in range(10):
        good = 1.0 if number < 8 else 0.0
        found.append(outcome("adaptive", number, good, sufficiency=0.95 if number < 9 else 0.15))
        found.append(outcome("static", number, 1.0 if number < 2 else 0.0))
    return found


def board() -> Board:
    rows = leaderboard(a_lot(), ["AllGold@5", "ms", "nDCG@5"], reference="static")
    return leaderboard_board(
        rows, measures_shown(rows, ["AllGold@5", "ms", "nDCG@5"]), reference="static", places=PLACES
    )


@pytest.mark.parametrize(("calls", "told"), [(0.0, ("ms",)), (2.0, ("ms", "model_calls", "tokens"))])
def test_what_a_model_cost_is_told_only_where_one_was_asked(calls: float, told: tuple[str, ...]) -> None:
    cost = {"ms": 12.0, "model_calls": calls, "tokens": 9 * calls}
    outcomes = [replace(each, measures=cost) for each in a_lot()]
    rows = leaderboard(outcomes, list(cost), reference="static")
    assert measures_shown(rows, list(cost)) == told


def test_a_measure_that_nobody_has_gets_no_column_and_bands_say_whose_opinion_it_is() -> None:
    assert [(column["name"], column["kind"]) for column in board().columns] == [
        ("AllGold@5", "judged"),
        ("Time, ms", "cost"),
    ]
    rows = leaderboard(a_lot(), ["coverage_auroc"], reference="static")
    own = leaderboard_board(rows, ["coverage_auroc"], reference="static", places=PLACES)
    assert (own.columns[0]["kind"], own.columns[0]["band"]) == ("own", "Own estimate, checked")
    assert own.rows[1]["cells"] == [None]


def test_a_column_of_times_says_what_of_the_times_it_is() -> None:
    assert [measure_label(name) for name in ("ms", "ms_p50", "ms_p95")] == [
        "Time, ms",
        "Median time, ms",
        "95 % under, ms",
    ]


def test_the_first_view_has_six_judged_measures_at_most_and_all_others() -> None:
    judged = ["nugget_recall", "citation_recall", "null_recognised", "AllGold@5", "Recall@5", "nDCG@5"]
    assert overview([*judged, "StRecall@5", "set_F1", "coverage_auroc", "ms"]) == (*judged, "coverage_auroc", "ms")


def test_a_number_says_its_interval_its_n_and_whether_the_difference_counts() -> None:
    cell = board().rows[0]["cells"][0]
    assert cell is not None
    assert (cell["id"], cell["text"], cell["at"], cell["best"]) == ("m|adaptive|AllGold@5", "0.800", 0.8, True)
    assert (cell["delta"], cell["weak"]) == ("+0.600 ▲", False)
    assert cell["range"] == "0.500–1.000 · n 10"
    assert cell["say"].endswith("10 questions, +0.600 against the reference, significantly better")
    assert [row["note"] for row in board().rows] == ["10 runs", "reference · 10 runs"]


def test_a_difference_that_does_not_count_is_said_not_only_greyed() -> None:
    assert against("Recall@5", 0.02, "not significant") == "+0.020 n.s."
    assert against("Recall@5", -0.02, "worse") == "−0.020 ▼"
    assert against("Recall@5", None, "") == ""
    few = [each for each in a_lot() if each.question_id in ("q7", "q8")]
    rows = leaderboard(few, ["AllGold@5"], reference="static")
    cell = leaderboard_board(rows, ["AllGold@5"], reference="static", places=PLACES).rows[0]["cells"][0]
    assert cell is not None
    assert (cell["delta"], cell["weak"]) == ("+0.500 n.s.", True)


def test_failed_runs_are_counted_beside_the_mean_and_not_in_it() -> None:
    found = [*a_lot(), outcome("adaptive", 10, 0.0, error="ValueError: no", measures={}, complete=None)]
    rows = leaderboard(found, ["AllGold@5"], reference="static")
    drawn = leaderboard_board(rows, ["AllGold@5"], reference="static", places=PLACES).rows[0]
    assert drawn["note"] == "10 runs · 1 failed"
    assert drawn["cells"][0]["text"] == "0.800"


def test_groups_of_questions_go_down_and_methods_across() -> None:
    found = slices_board(slices(a_lot(), measure="AllGold@5", by="kind"), "AllGold@5", places=PLACES)
    assert (found.first, [column["name"] for column in found.columns]) == ("Questions", ["ADAQ", "Single shot"])
    texts = [(row["name"], row["note"], [cell["text"] for cell in row["cells"] if cell]) for row in found.rows]
    assert texts == [("bridge", "n 5", ["0.800", "0.200"]), ("comparison", "n 5", ["0.800", "0.200"])]


def test_bins_show_the_share_that_was_complete() -> None:
    known = [each for each in (reliability(a_lot(), method="adaptive"),) if each]
    found = bins_board(known, places=PLACES)
    texts = [(c["id"], c["text"], c["range"]) for c in found.rows[0]["cells"] if c]
    assert texts == [("b|adaptive|1", "0%", "n 1"), ("b|adaptive|9", "89%", "n 9")]
    assert "| ADAQ | 90–100% | 9 | 95% | 89% |" in reliability_table(known)
    assert reliability_words(known).startswith("Stated sufficiency against the share")


@pytest.mark.parametrize(
    ("run", "end"),
    [
        (outcome("static", 1, 1.0), "on_time"),
        (
            outcome("static", 1, 1.0, hops=(*outcome("static", 1, 1.0).hops, HopOutcome(3, 3, 9, 1, complete=True))),
            "late",
        ),
        (outcome("static", 1, 0.0), "gave_up"),
        (outcome("static", 1, 0.0, stop_reason="max_hops"), "ran_out"),
        (outcome("static", 1, 0.0, complete=None), None),
    ],
)
def test_how_a_run_ended_seen_by_the_judges(run: Outcome, end: str | None) -> None:
    assert stop_of(run) == end


def test_ends_are_counted_and_the_table_says_the_same_as_markdown() -> None:
    found = stops_board(a_lot(), ["adaptive", "static"], places=PLACES)
    assert [cell["text"] if cell else "–" for cell in found.rows[0]["cells"]] == ["8", "0", "2", "0"]
    assert "| Single shot | 2 (20%) | 0 (0%) | 8 (80%) | 0 (0%) |" in board_table(found)


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("m|adaptive|AllGold@5", [f"q{n}" for n in range(10)]),
        ("s|static|bridge", [f"q{n}" for n in (1, 3, 5, 7, 9)]),
        ("w|adaptive|better~bridge", ["q3", "q5", "q7"]),
        ("w|adaptive|same~comparison", ["q0", "q8"]),
        ("h|adaptive|2", [f"q{n}" for n in range(10)]),
        ("q|adaptive|gave_up", ["q8", "q9"]),
        ("b|adaptive|1", ["q9"]),
    ],
)
def test_every_number_leads_to_exactly_its_runs(name: str, ids: list[str]) -> None:
    found = behind(name, a_lot(), Choice("AllGold@5", "kind", "static"))
    assert found is not None
    assert [each.question_id for each in found.outcomes] == ids


def test_the_runs_behind_a_number_are_headed_by_the_name_that_its_column_has() -> None:
    found = behind("m|static|ms", a_lot(), Choice("ms"))
    assert found is not None
    assert found.title == "Single shot: Time, ms"


@pytest.mark.parametrize(
    "name",
    ["", "m|nobody|AllGold@5", "m|adaptive|<b>", "h|adaptive|x", "b|adaptive|99", "zz|adaptive|1", "s|adaptive|no"],
)
def test_an_address_that_names_no_number_opens_nothing(name: str) -> None:
    assert behind(name, a_lot(), Choice("AllGold@5", "kind", "static")) is None


def test_the_worst_runs_come_first_and_failed_ones_last() -> None:
    rows = [outcome("static", 1, 0.5), outcome("static", 2, 0.0), outcome("static", 3, 0.0, error="x", measures={})]
    found = behind("m|static|AllGold@5", rows, Choice("AllGold@5"))
    assert found is not None
    assert [each.question_id for each in in_order(found)] == ["q2", "q1", "q3"]
    slow = [outcome("static", n, 1.0, measures={"ms": float(n)}) for n in (1, 9)]
    found = behind("m|static|ms", slow, Choice("ms"))
    assert found is not None
    assert [each.question_id for each in in_order(found)] == ["q9", "q1"]


def test_questions_with_the_same_values_share_a_bubble() -> None:
    given = pairs(a_lot(), x="static", y="adaptive", measure="AllGold@5")
    assert [(b.x, b.y, len(b.pairs)) for b in bubbles(given)] == [(0.0, 0.0, 2), (0.0, 1.0, 6), (1.0, 1.0, 2)]
    assert side_of(given[5], "AllGold@5") == "better"
    assert side_of(given[5], "ms") == "worse"
    assert scatter_words(given, x="static", y="adaptive", measure="AllGold@5") == (
        "AllGold@5 of 10 questions: ADAQ higher than Single shot on 6, equal on 4, lower on 0."
    )
    figure = scatter_figure(bubbles(given), x="static", y="adaptive", measure="AllGold@5", places=PLACES)
    assert [trace.name for trace in figure.data[1:]] == ["ADAQ better", "same", "Single shot better"]


def test_bars_of_wins_ties_and_losses_bear_what_a_click_needs() -> None:
    tally = win_tie_loss(a_lot(), method="adaptive", reference="static", measure="AllGold@5")
    figure = tally_figure(tally, method="adaptive", reference="static", places=PLACES)
    assert [list(bar.x) for bar in figure.data] == [[3, 3], [2, 2], [0, 0]]
    assert figure.data[0].customdata[0][1] == "better~bridge"
    assert [bar.insidetextfont.color for bar in figure.data] == [GROUND, "#FFFFFF", GROUND]
    words = tally_words(tally, method="adaptive", reference="static")
    assert words == "ADAQ better, same, worse than Single shot: bridge 3, 2, 0; comparison 3, 2, 0."


def test_what_is_judged_and_what_a_method_says_of_itself_do_not_look_alike() -> None:
    from adaq_core.evaluation.views import coverage_at_hop

    curves = {"adaptive": coverage_at_hop(a_lot(), method="adaptive")}
    judged = curve_figure(curves, quantity="complete", axis="hop", places=PLACES)
    own = curve_figure(curves, quantity="coverage", axis="hop", places=PLACES)
    assert [(f.data[0].line.dash, f.data[0].marker.symbol) for f in (judged, own)] == [
        ("solid", "circle"),
        ("dot", "circle-open"),
    ]
    assert "itself estimates" in own.layout.yaxis.title.text
    assert "ADAQ 0% after hop 1, 80% after hop 2" in curve_words(curves, quantity="complete")


def test_markdown_keeps_hostile_cells_in_their_cell() -> None:
    assert plain_table(("a", "b"), [("x|y", "line\nbreak")]).splitlines()[2] == "| x\\|y | line break |"
    rows = leaderboard(a_lot(), ["AllGold@5"], reference="static")
    table = leaderboard_table(rows, ["AllGold@5"], reference="static")
    assert "| ADAQ | 10 | 0.800 [0.500–1.000] +0.600 ▲ |" in table


def test_a_copied_table_says_how_many_questions_count_where_it_is_not_all() -> None:
    unjudged = [replace(each, gold=0, measures={}) for each in a_lot() if each.question_id == "q1"]
    others = [each for each in a_lot() if each.question_id != "q1"]
    rows = leaderboard([*others, *unjudged], ["AllGold@5"], reference="static")
    table = leaderboard_table(rows, ["AllGold@5"], reference="static")
    assert table.splitlines()[0] == "| method | runs | AllGold@5 |"
    assert "(n 9) |" in table.splitlines()[2]


def test_questions_were_drawn_only_where_the_set_holds_more() -> None:
    def told(limit: int | None, done: int | None) -> str:
        results = None if done is None else {"n_questions": done}
        request = Request("my runs", methods=("adaptive",), limit=limit)
        return terms(Summary(Path("x"), request, None, "finished", datetime.now(UTC), "", results), []).split(" · ")[0]

    assert [told(10, 4), told(10, 10), told(10, None), told(None, 4), told(None, None)] == [
        "all 4 questions",
        "10 questions, drawn with seed 0",
        "at most 10 questions, drawn with seed 0",
        "all 4 questions",
        "all questions",
    ]


def test_a_set_below_the_limit_is_asked_whole_also_before_there_are_results() -> None:
    def told(runs: int) -> str:
        request = Request("my runs", methods=("adaptive", "bm25"), ablate=("coverage_map",), limit=10)
        at_work = Progress("running", 2, runs)
        return terms(Summary(Path("x"), request, at_work, "running", datetime.now(UTC), "", None), []).split(" · ")[0]

    assert told(9) == "all 3 questions"
    assert told(30) == "10 questions, drawn with seed 0"
    assert told(0) == told(10) == "at most 10 questions, drawn with seed 0"


def test_that_an_experiment_starts_is_shown_before_its_questions_are_read(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[bool] = []

    def refused(request: Request, **_: object) -> None:
        drawn.append("show_list" in [frame.function for frame in inspect.stack()])
        raise InputError("There is no such set.")

    monkeypatch.setattr("pages._shared.evaluation.new.start", refused)
    app = pressed(opened(), "Try it with 10 questions")
    assert drawn == [True]
    assert "There is no such set" in shown(app)


def test_questions_without_types_are_not_grouped_by_them(home: Path) -> None:
    def groups(outcomes: list[Outcome]) -> list[str]:
        folder = experiments_folder() / f"made {outcomes[0].kind}"
        key = written(outcomes, Progress("finished", 20, 20), folder=folder)
        app = opened(experiment=key, e_view="Slices")
        [group] = [each for each in app.get("button_group") if each.proto.label == "Questions grouped by"]
        return [option.content for option in group.proto.options]

    assert groups(a_lot())[0] == "Question type"
    assert groups([replace(each, kind="") for each in a_lot()])[0] == "Gold documents"


def test_words() -> None:
    assert variant_label("adaptive--no-coverage_map") == "ADAQ, without coverage map"
    assert variant_label("adaptive--hops4") == "ADAQ, hops4"
    progress = Progress("running", 12, 40, reused=2, failed=1, seconds=45, eta=70)
    line = "12 of 40 runs · 30% · 45 s so far · about 1 min 10 s left · 2 done earlier · 1 failed"
    assert progress_line(progress) == line
    vectors = Progress("embedding", message="64/232 passages have their vectors")
    assert progress_line(vectors) == "Preparing search by meaning, which happens once: 64/232 passages"
    assert headline(None) == ""
    means = {"facts_wrong": {"mean": 0.0}, "Recall@5": {"mean": 0.9}, "nugget_recall": {"mean": 0.7}}
    said = headline({"methods": {"adaptive": {"measures": means}, "bm25": {"measures": means}}})
    assert said == "Nugget recall: ADAQ 0.700, BM25 0.700"


def opened(**params: str) -> AppTest:
    app = AppTest.from_file(MAIN, default_timeout=60).run()
    app.switch_page("evaluation.py")
    for name, value in params.items():
        app.query_params[name] = value
    return app.run()


def written(outcomes: Sequence[Outcome], progress: Progress | None, *, folder: Path | None = None) -> str:
    """An experiment on the disk as the evaluation leaves it; its name."""
    place = folder or experiments_folder() / "made"
    place.mkdir(parents=True)
    request = Request("general", methods=("adaptive", "static"), limit=10)
    (place / "request.json").write_text(json.dumps(asdict(request)), encoding="utf-8")
    if progress:
        (place / "state.json").write_text(json.dumps(asdict(progress)), encoding="utf-8")
    write_outcomes(place / "per_question.jsonl", outcomes)
    return place.name


def test_an_empty_page_teaches_and_a_small_experiment_runs_from_it(home: Path) -> None:
    app = opened()
    assert "No experiment yet" in shown(app)
    assert any("Try it with 10 questions" in button.label for button in app.button)
    app.selectbox(key="n_set_general").set_value("general")
    app.number_input(key="n_limit").set_value(4)
    app.toggle(key="n_dense").set_value(False)
    app = app.get("button_group")[0].set_value(["adaptive", "bm25"]).run()
    app = pressed(app, "Run 4 of 60 questions × 2 methods")
    named = app.query_params["experiment"]
    key = named if isinstance(named, str) else named[0]
    begun = started(experiments_folder() / key)
    assert begun is not None
    begun.job.wait()
    assert begun.error == ""
    app = opened(experiment=key)
    assert "4 questions, drawn with seed 0 · k = 5 · ADAQ, BM25 · no model" in shown(app)
    assert "Mean over questions, 95 % bootstrap interval" in shown(app)
    assert open_store().count(group=key) == 8
    found = read_experiment(experiments_folder() / key)
    assert found.results is not None
    rows = leaderboard(found.outcomes, ["AllGold@5"], reference="bm25")
    means = {row.method: row.cells[0].interval.mean for row in rows}
    assert means == {name: each["measures"]["AllGold@5"]["mean"] for name, each in found.results["methods"].items()}
    assert unescaped(headline(found.results)) in shown(opened())
    links = [link.proto for link in opened(experiment=key, e_view="Questions").get("page_link")]
    pair = [link for link in links if link.label == "Compare"]
    assert pair
    assert all(len(link.query_string.split("%2C")) == 2 for link in pair)


def test_the_form_estimates_before_it_starts_and_says_where_more_sets_come_from(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ADAQ_DATASETS", raising=False)
    app = opened()
    assert "10 questions make 30 runs. How long that takes is not known yet" in shown(app)
    assert "Run 10 of 60 questions × 3 methods" in " ".join(unescaped(b.label) for b in app.button)
    assert any("ADAQ_DATASETS names a folder" in code.value for code in app.code)
    app = app.toggle(key="n_all").set_value(True).run()
    assert "60 questions make 180 runs" in shown(app)


def test_an_experiment_on_questions_without_judgments_says_what_is_not_measured(home: Path) -> None:
    without = [
        replace(each, complete=None, hops=tuple(replace(hop, recall=None, complete=False) for hop in each.hops))
        for each in a_lot()
    ]
    key = written(without, Progress("finished", 20, 20))
    told = "No question that was run has judged evidence"
    assert all(told in shown(opened(experiment=key, e_view=view)) for view in ("Leaderboard", "Hop by hop"))
    assert "states a sufficiency" not in shown(opened(experiment=key, e_view="Sufficiency"))
    asked = read_question_set(BUNDLED / "general").questions[:3]
    bare = [replace(question.without_gold(), metadata={}) for question in asked]
    assert judged_words(asked) == ""
    assert judged_words(bare) == "None of these questions has judgments, so what is found is not measured."
    some = judged_words([asked[0], *bare[1:]])
    assert some == "1 of these 3 questions has judgments; for the others what is found is not measured."


def test_a_set_made_from_runs_is_the_one_that_is_chosen(home: Path) -> None:
    run_id = get_runner().submit(RunSpec("adaptive", "What is BM25?"), corpus="sample")
    get_runner().wait(run_id, timeout=180)
    app = pressed(opened(), "Make the set")
    assert app.selectbox(key="n_set_my runs").value == "my runs"
    assert "1 question, none with a judgment" in shown(app)
    assert "None of these questions has judgments" in shown(app)
    app = pressed(app, "Make the set")
    assert app.selectbox(key="n_set_my runs 2").value == "my runs 2", "a name that is free is proposed"


def test_a_folder_of_sets_that_is_not_there_is_said_and_the_bundled_ones_stay(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADAQ_DATASETS", str(home / "nothing"))
    app = opened()
    assert "expected a folder of question sets in ADAQ_DATASETS" in shown(app)
    assert app.selectbox(key="n_set_general").options == [
        "exam (bundled)",
        "exam-analysts (bundled)",
        "exam-briefs (bundled)",
        "exam-checks (bundled)",
        "exam-desk (bundled)",
        "exam-everyday (bundled)",
        "exam-free (bundled)",
        "exam-memos (bundled)",
        "exam-mixed (bundled)",
        "exam-packages (bundled)",
        "exam-paraphrased (bundled)",
        "exam-plain (bundled)",
        "exam-policies (bundled)",
        "exam-reworded (bundled)",
        "exam-round (bundled)",
        "exam-second-round (bundled)",
        "exam-third-round (bundled)",
        "exam-verdicts (bundled)",
        "exam-voices (bundled)",
        "finance (bundled)",
        "general (bundled)",
        "policy (bundled)",
    ]


def test_a_broken_set_is_refused_in_its_place_and_another_can_be_chosen(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken" / "documents").mkdir(parents=True)
    (tmp_path / "broken" / "documents" / "a.txt").write_text("Alpha was founded in 1999.")
    (tmp_path / "broken" / "questions.jsonl").write_text('{"q": 1}\n')
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "queries.jsonl").write_text('{"_id": "1", "text": "When was Alpha founded?"}\n')
    monkeypatch.setenv("ADAQ_DATASETS", str(tmp_path))
    app = opened()
    assert "Without their documents on this computer, so they cannot be chosen: " in shown(app)
    assert "bare" in shown(app)
    assert "bare" not in app.selectbox(key="n_set_general").options
    app = app.selectbox(key="n_set_general").select("broken").run()
    assert "expected the field question, without question it cannot be used" in shown(app)
    assert "This did not work" not in shown(app)
    app = app.selectbox(key="n_set_general").select("general").run()
    assert "questions × 3 methods" in " ".join(unescaped(b.label) for b in app.button)


def test_that_a_set_has_no_judgments_is_said_once(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bare" / "qrels").mkdir(parents=True)
    (tmp_path / "bare" / "corpus.jsonl").write_text('{"_id": "d", "text": "Alpha was founded in 1999."}\n')
    (tmp_path / "bare" / "queries.jsonl").write_text('{"_id": "1", "text": "When was Alpha founded?"}\n')
    (tmp_path / "bare" / "qrels" / "dev.tsv").write_text("")
    monkeypatch.setenv("ADAQ_DATASETS", str(tmp_path))
    app = opened().selectbox(key="n_set_general").select("bare").run()
    assert "None of these questions has judgments" in shown(app)
    assert "nothing can be measured" not in shown(app)


@pytest.mark.parametrize("view", ["Leaderboard", "Questions", "Slices", "Hop by hop", "Sufficiency"])
def test_every_view_draws_a_finished_experiment(home: Path, view: str) -> None:
    app = opened(experiment=written(a_lot(), Progress("finished", 20, 20)), e_view=view)
    assert not app.exception
    assert not app.error
    assert "in another store" in shown(app)
    assert any("python -m adaq_core evaluate --dataset general" in code.value for code in app.code)
    back = pressed(app, "All experiments")
    assert not back.exception, "a control that stands in the address keeps nobody on the page"
    assert back.title[0].value == "Evaluation"


def test_an_unfinished_one_says_on_what_its_numbers_rest_and_can_be_resumed(home: Path) -> None:
    key = written(a_lot()[:9], Progress("cancelled", 9, 20))
    app = opened(experiment=key)
    words = "9 of 20 runs are done and kept. Resume to make the other 11. The numbers below rest on 4 of 10 questions"
    assert words in shown(app)
    assert experiment(experiments_folder() / key).outcomes == tuple(a_lot()[:8])
    assert "Resume" in [button.label for button in app.button]
    assert "9 of 20 runs are done" in shown(opened())


def test_one_that_was_cut_off_promises_no_end(home: Path) -> None:
    key = written(a_lot()[:3], Progress("running", 3, 20, seconds=45, eta=70))
    for file in (experiments_folder() / key).iterdir():
        os.utime(file, (0, 0))
    assert "3 of 20 runs are done" in shown(opened())
    assert "left" not in shown(opened())


def test_one_that_failed_before_its_first_run_says_why_and_that_nothing_is_done(home: Path) -> None:
    app = opened(experiment=written([], Progress("failed", message="no corpus in the folder")))
    assert "no corpus in the folder" in shown(app)
    assert "Nothing is done yet. Resume to begin." in shown(app)
    assert "no corpus in the folder" in shown(opened())


def test_while_it_goes_on_the_numbers_rest_on_questions_that_every_method_is_through_with() -> None:
    assert same_questions(a_lot()[:5], ("adaptive", "static")) == tuple(a_lot()[:4])
    assert same_questions(a_lot()[:1], ("adaptive", "static")) == ()


def test_it_is_stopped_from_the_page_and_taken_up_again_where_it_was(home: Path) -> None:
    begun = start(Request("general", methods=("adaptive",), limit=30, dense=False), store=open_store(), workers=1)
    key = begun.folder.name
    wait_for(lambda: key in {folder.name for folder in experiments()})
    app = opened(experiment=key)
    assert "You can leave this page; it continues." in shown(app)
    app = pressed(app, "Stop")
    bars = [unescaped(bar.proto.text) for bar in app.get("progress")]
    assert bars in (["Stopping after the current runs; they are kept"], ["Stopping after the current step"])
    begun.job.wait()
    done = len(read_experiment(begun.folder).outcomes)
    assert done < 30
    app = opened(experiment=key)
    assert (f"{done} of 30 runs are done" if done else "Nothing is done yet.") in shown(app)
    pressed(app, "Resume")
    again = started(begun.folder)
    assert again is not None
    assert again is not begun
    again.job.wait()
    found = read_experiment(begun.folder)
    assert found.progress is not None
    assert (found.progress.phase, found.progress.reused, len(found.outcomes)) == ("finished", done, 30)


def wait_for(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not true() and time.monotonic() < deadline:
        time.sleep(0.02)


def test_one_that_another_process_works_on_is_watched_and_not_stopped_from_here(home: Path) -> None:
    app = opened(experiment=written(a_lot()[:8], Progress("running", 8, 20, seconds=30, eta=45)))
    assert "Another process is working on it." in shown(app)
    assert "Stop" not in [button.label for button in app.button]


def test_failed_runs_are_listed_with_their_reason_and_can_be_tried_again(home: Path) -> None:
    broken = outcome("adaptive", 11, 0.0, error="ModelError: ![x](http://e.example)", measures={}, complete=None)
    key = written([*a_lot(), broken], Progress("finished", 21, 21, failed=1))
    app = opened(experiment=key, e_view="Failed")
    assert "1 run of 21 failed. They are left out of every mean and never count as 0" in shown(app)
    assert "ModelError: ![x](http://e.example)" in shown(app)
    assert "Try the failed ones again" in [button.label for button in app.button]
    assert "1 failed" in shown(opened())


def test_results_in_another_folder_are_shown_once_they_are_added(home: Path, tmp_path: Path) -> None:
    written(a_lot(), Progress("finished", 20, 20), folder=tmp_path / "elsewhere" / "mine")
    assert "Experiment not found" not in shown(opened())
    app = opened(experiment=str(tmp_path / "elsewhere" / "mine"))
    assert "There is no experiment with this address" in shown(app)
    open_store().set_setting("evaluation_folders", [str(tmp_path / "elsewhere")])
    assert "10 questions" in shown(opened(experiment=str(tmp_path / "elsewhere" / "mine")))


def test_a_folder_that_cannot_be_read_is_named_and_hides_no_other(home: Path) -> None:
    written(a_lot(), Progress("finished", 20, 20))
    broken = experiments_folder() / "broken"
    broken.mkdir()
    (broken / "request.json").write_text("{}", encoding="utf-8")
    text = shown(opened())
    assert "2 experiments" in text
    what = f"{broken / 'request.json'}, which says what was asked for, is missing or damaged"
    assert what in text
    assert what in shown(opened(experiment="broken"))


def test_an_experiment_whose_runs_are_all_done_says_what_remains() -> None:
    words = how_far(Progress("writing", 30, 30), questions=10, methods=3)
    assert words == "All 30 runs are done. Resume to write the results."
    words = how_far(Progress("running", 3, 30), questions=1, methods=3)
    assert words.startswith(
        "3 of 30 runs are done and kept. Resume to make the other 27. The numbers below rest on 1 of 10"
    )
    assert how_far(Progress("running", 0, 30), questions=0, methods=0) == "Nothing is done yet. Resume to begin."
    assert "No question has been through all methods" in how_far(Progress("running", 3, 30), questions=0, methods=0)


def test_one_that_was_taken_up_again_does_not_say_that_it_has_stopped() -> None:
    assert working_line(Progress("cancelled", 9, 30)) == "Resuming from 9 of 30 runs"
    assert working_line(Progress("failed", message="no room")) == "Starting"
    assert working_line(Progress("indexing")) == "Indexing the documents and starting the workers"
    assert stopping_line(Progress("indexing")) == "Stopping after the current step"
