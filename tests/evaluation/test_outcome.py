import pytest

from adaq_core.evaluation import from_line, read_outcomes, to_line, write_outcomes


def test_an_outcome_survives_being_written(outcome):
    given = outcome(hops=2, evidence=(("a#0", "a"),), ranking=(("a#0", "a"), ("b#1", "b")), measures={"Recall@5": None})
    assert from_line(to_line(given)) == given


def test_a_line_cut_short_by_a_killed_process_is_passed_over(tmp_path, outcome):
    path = tmp_path / "per_question.jsonl"
    write_outcomes(path, [outcome(question_id="q1"), outcome(question_id="q2")])
    path.write_text(path.read_text()[:-20])
    assert [each.question_id for each in read_outcomes(path)] == ["q1"]


def test_a_damaged_line_in_the_middle_is_not(tmp_path, outcome):
    path = tmp_path / "per_question.jsonl"
    path.write_text("{}\n" + to_line(outcome()) + "\n")
    with pytest.raises(ValueError, match="line 1 is damaged; delete the line"):
        read_outcomes(path)


def test_no_file_is_no_outcome(tmp_path):
    assert read_outcomes(tmp_path / "none.jsonl") == []


@pytest.mark.parametrize(
    ("complete", "first"), [([True, True], 1), ([False, True], 2), ([True, False], None), ([True, False, True], 3)]
)
def test_the_oracle_stops_where_the_evidence_is_complete_and_stays_so(outcome, complete, first):
    from dataclasses import replace

    given = outcome(hops=len(complete))
    hops = tuple(replace(hop, complete=state) for hop, state in zip(given.hops, complete, strict=True))
    assert replace(given, hops=hops).first_complete_hop == first
