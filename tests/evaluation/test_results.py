import ir_measures
import pytest

from adaq_core.evaluation.report import write_run
from adaq_core.evaluation.results import failures, summarise


def summary(outcomes, questions, labels=("static", "adaptive")):
    return summarise(outcomes, questions=questions, labels=labels, reference="static")


@pytest.fixture
def many(outcome):
    """Twenty questions: static finds a half of every second one, adaptive all of all but one."""
    return [
        outcome(method, f"q{i:02}", measures={"Recall@5": value})
        for i in range(20)
        for method, value in (("static", 0.5 * (i % 2)), ("adaptive", float(i > 0)))
    ]


def test_means_intervals_and_counts(many):
    given = summary(many, [f"q{i:02}" for i in range(20)])
    recall = given["methods"]["adaptive"]["measures"]["Recall@5"]
    assert (recall["mean"], recall["n"]) == (0.95, 20)
    assert 0.8 <= recall["ci_low"] < 0.95 < recall["ci_high"] <= 1.0
    assert set(recall) == {"mean", "ci_low", "ci_high", "n"}


def test_a_measure_that_nothing_was_computed_for_is_none_and_not_zero(many):
    given = summary(many, [f"q{i:02}" for i in range(20)])
    assert given["methods"]["adaptive"]["measures"]["P@5"] == {"mean": None, "ci_low": None, "ci_high": None, "n": 0}


def test_a_clear_difference_is_better_and_a_tie_is_not_significant(many, outcome):
    rows = [*many, *(outcome("twin", f"q{i:02}", measures={"Recall@5": 0.5 * (i % 2)}) for i in range(20))]
    given = summary(rows, [f"q{i:02}" for i in range(20)], ("static", "adaptive", "twin"))
    by_method = {row["method"]: row for row in given["comparisons"] if row["measure"] == "Recall@5"}
    adaptive, twin = by_method["adaptive"], by_method["twin"]
    assert (adaptive["verdict"], adaptive["wins"], adaptive["ties"], adaptive["losses"]) == ("better", 19, 1, 0)
    assert adaptive["difference"] == pytest.approx(0.7)
    assert adaptive["relative"] == pytest.approx(0.7 / 0.25)
    assert (twin["verdict"], twin["difference"], twin["p_holm"]) == ("not significant", 0.0, 1.0)


def test_a_failed_run_is_in_no_mean_and_is_named(outcome):
    rows = [outcome("static", "q1", measures={"Recall@5": 1.0}), outcome("static", "q2", error="ValueError: broken")]
    given = summary(rows, ["q1", "q2"], ("static",))
    assert given["methods"]["static"]["measures"]["Recall@5"]["mean"] == 1.0
    assert given["methods"]["static"]["measures"]["Recall@5"]["n"] == 1
    assert failures(rows) == {"static": [{"question_id": "q2", "error": "ValueError: broken"}]}


def test_sufficiency_is_judged_by_completeness(outcome):
    said = [(0.9, True), (0.8, True), (0.2, False), (0.1, True)]
    rows = [outcome("static", f"q{i}", sufficiency=s, complete=c) for i, (s, c) in enumerate(said)]
    measures = summary(rows, [f"q{i}" for i in range(4)], ("static",))["methods"]["static"]["measures"]
    assert measures["coverage_auroc"]["mean"] == pytest.approx(2 / 3)
    assert measures["coverage_ece"]["mean"] == pytest.approx((0.1 + 0.2 + 0.2 + 0.9) / 4)
    assert measures["coverage_auroc"]["n"] == 4


def test_a_method_without_an_own_estimate_has_none_of_these(many):
    measures = summary(many, [f"q{i:02}" for i in range(20)])["methods"]["static"]["measures"]
    assert [measures[name]["mean"] for name in ("coverage_auroc", "coverage_ece", "null_auroc")] == [None] * 3


def test_unanswerable_questions_are_told_apart_by_sufficiency_else_by_strength(outcome):
    rows = [outcome("static", f"q{i}", strength=s, unanswerable=s < 1) for i, s in enumerate((0.5, 2.0, 3.0))]
    measures = summary(rows, ["q0", "q1", "q2"], ("static",))["methods"]["static"]["measures"]
    assert (measures["null_auroc"]["mean"], measures["null_auroc"]["n"]) == (1.0, 3)


def test_an_estimate_that_there_is_an_answer_goes_before_sufficiency(outcome):
    said = [(0.1, 0.9, True), (0.8, 0.2, False), (0.9, 0.3, False)]
    rows = [outcome("static", f"q{i}", answerable=a, sufficiency=s, unanswerable=u) for i, (a, s, u) in enumerate(said)]
    measures = summary(rows, ["q0", "q1", "q2"], ("static",))["methods"]["static"]["measures"]
    assert measures["null_auroc"]["mean"] == 1.0


def test_saying_that_there_is_no_answer_is_a_decision_with_precision_and_recall(outcome):
    said = [(True, True), (True, True), (False, True), (True, False), (False, False), (False, False), (False, False)]
    stops = {True: "no_evidence", False: "all_covered"}
    rows = [outcome("static", f"q{i}", stop_reason=stops[a], unanswerable=u) for i, (a, u) in enumerate(said)]
    measures = summary(rows, [f"q{i}" for i in range(7)], ("static",))["methods"]["static"]["measures"]
    names = ("null_precision", "null_recall", "false_alarms")
    assert [measures[name]["mean"] for name in names] == pytest.approx([2 / 3, 2 / 3, 1 / 4])
    assert [measures[name]["n"] for name in names] == [3, 3, 4]


def test_a_question_that_nobody_judged_makes_no_false_alarm(outcome):
    rows = [outcome("static", f"q{i}", stop_reason="no_evidence", unanswerable=u) for i, u in enumerate((False, None))]
    measures = summary(rows, ["q0", "q1"], ("static",))["methods"]["static"]["measures"]
    assert measures["false_alarms"]["n"] == 1


def test_an_unfinished_method_is_measured_on_what_is_done(outcome):
    measures = summary([outcome("static", "q1", measures={"hops": 2.0})], ["q1", "q2"], ("static", "adaptive"))
    assert measures["methods"]["static"]["measures"]["hops"]["mean"] == 2.0
    assert measures["methods"]["adaptive"]["measures"]["hops"]["n"] == 0


def test_measures_come_out_of_the_trec_file_as_they_are(tmp_path, outcome):
    ranking = (("a#0", "a"), ("a#1", "a"), ("x#0", "x"), ("b#0", "b"), ("y#0", "y"), ("c#0", "c"))
    write_run(tmp_path / "r.trec", [outcome("static", "q 1", ranking=ranking)], k=5)
    lines = (tmp_path / "r.trec").read_text().splitlines()
    assert lines[0] == "q_1 Q0 a 1 5 static"
    assert [line.split()[2] for line in lines] == ["a", "x", "b", "y"]
    run = list(ir_measures.read_trec_run(str(tmp_path / "r.trec")))
    qrels = [ir_measures.Qrel("q_1", document, 1) for document in ("a", "b", "c")]
    values = {
        str(value.measure): value.value
        for value in ir_measures.iter_calc([ir_measures.R @ 5, ir_measures.P @ 5], qrels, run)
    }
    assert values == pytest.approx({"R@5": 2 / 3, "P@5": 2 / 5})
