import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adaq_core import trace
from pages._shared.components.coverage_lanes.lanes import (
    aspect_number,
    hop_number,
    lanes_data,
    lanes_height,
    stage_seconds,
)
from tests.pages import built_runs
from tests.pages.built_runs import Story, Turn, aspect


def view(story: Story) -> trace.RunView:
    return trace.view(built_runs.records(story))


def states(story: Story, *, interrupted: bool = False) -> list[list[str]]:
    lanes = lanes_data(view(story), interrupted=interrupted)
    return [[hop["cells"][row]["state"] for hop in lanes["hops"]] for row in range(len(lanes["aspects"]))]


def test_a_finished_run_shows_new_then_kept_and_missed_before_found():
    assert states(built_runs.finished()) == [
        ["new", "kept", "kept", "kept"],
        ["open", "new", "kept", "kept"],
        ["open", "new", "kept", "kept"],
        ["open", "open", "missed", "new"],
    ]


def test_a_failed_hop_says_not_run_and_never_missed():
    story = built_runs.failed()
    assert [row[-1] for row in states(story)] == ["kept", "kept", "kept", "not_run"]
    assert [hop["state"] for hop in lanes_data(view(story))["hops"]] == ["done", "done", "failed"]


def test_a_running_hop_is_searching_for_its_target():
    story = built_runs.running()
    assert [row[-1] for row in states(story)] == ["kept", "kept", "kept", "searching"]
    assert lanes_data(view(story))["hops"][-1]["state"] == "running"


def test_an_interrupted_run_is_not_searching():
    story = built_runs.running()
    lanes = lanes_data(view(story), interrupted=True)
    assert (lanes["status"], lanes["hops"][-1]["state"]) == ("interrupted", "interrupted")
    assert states(story, interrupted=True)[-1][-1] == "not_run"


def test_a_hop_counts_its_gain_and_what_is_covered_by_then():
    hops = lanes_data(view(built_runs.finished()))["hops"]
    assert [(hop["gain"], hop["covered"]) for hop in hops] == [(1, 1), (2, 3), (0, 3), (1, 4)]


def test_a_card_carries_the_query_its_time_and_its_stages():
    hop = lanes_data(view(built_runs.finished()))["hops"][1]
    assert (hop["n"], hop["query"], hop["more_queries"], hop["found"]) == (
        2,
        "Acme revenue by segment after Borealis",
        0,
        3,
    )
    assert hop["seconds"] == 0.48
    assert hop["stages"] == [(name, 0.08) for name in ("refine", "retrieve", "read", "critique", "assemble", "decide")]


def test_the_same_stage_twice_is_added_up():
    hop = trace.HopView(1, stages=[("retrieve", 0.0, 0.1), ("read", 0.1, 0.2), ("retrieve", 0.2, 0.5)])
    assert stage_seconds(hop) == [("retrieve", 0.4), ("read", 0.1)]


def test_rows_say_core_score_and_the_hop_that_covered():
    rows = lanes_data(view(built_runs.partial()))["aspects"]
    assert [(r["n"], r["core"], r["score"], r["covered_at"]) for r in rows] == [
        (1, True, 0.86, 1),
        (2, True, 0.86, 2),
        (3, True, 0.86, 2),
        (4, False, 0.2, None),
    ]


def test_many_hops_make_narrow_columns_and_many_aspects_dense_rows():
    def shape(story: Story) -> tuple[bool, bool]:
        lanes = lanes_data(view(story))
        return lanes["narrow"], lanes["dense"]

    assert shape(built_runs.finished()) == (False, False)
    assert shape(built_runs.long()) == (True, True)


def test_a_run_that_has_only_begun_has_no_rows_and_no_columns():
    begun = trace.view(built_runs.records(built_runs.running())[:1])
    lanes = lanes_data(begun)
    assert (lanes["aspects"], lanes["hops"], lanes["status"]) == ([], [], "running")


def test_a_thumbnail_is_narrow_and_dense():
    lanes = lanes_data(view(built_runs.finished()), thumbnail=True)
    assert (lanes["thumbnail"], lanes["narrow"], lanes["dense"]) == (True, True, True)


def test_links_name_an_aspect_by_number_or_by_name():
    run = view(built_runs.finished())
    assert [aspect_number(run, text) for text in ("2", "Revenue impact", "0", "99", "no such", "", None)] == [
        2, 2, None, None, None, None, None,
    ]  # fmt: skip


def test_links_name_a_hop_that_the_run_has():
    run = view(built_runs.finished())
    assert [hop_number(run, text) for text in ("1", "4", "5", "-1", "²", "x", None)] == [
        1,
        4,
        None,
        None,
        None,
        None,
        None,
    ]


@st.composite
def stories(draw: st.DrawFn) -> Story:
    names = [f"aspect {i}" for i in range(draw(st.integers(1, 5)))]
    left = list(names)
    turns = []
    for i in range(draw(st.integers(0, 6))):
        covers = tuple(draw(st.lists(st.sampled_from(left), max_size=2, unique=True))) if left else ()
        left = [name for name in left if name not in covers]
        turns.append(Turn(f"query {i}", draw(st.sampled_from(names)), covers))
    return Story([aspect(name) for name in names], turns, stop="max_hops" if turns else None)


@given(stories(), st.data())
def test_lanes_of_any_run_cut_anywhere_are_json_and_agree_with_the_trace(story: Story, data: st.DataObject):
    records = built_runs.records(story)
    run = trace.view(records[: data.draw(st.integers(0, len(records)))])
    lanes = lanes_data(run)
    assert json.loads(json.dumps(lanes))["status"] == run.status
    assert [len(hop["cells"]) for hop in lanes["hops"]] == [len(run.aspects)] * len(run.hops)
    news = sum(cell["state"] == "new" for hop in lanes["hops"] for cell in hop["cells"])
    assert news == len(run.covered_at) == sum(hop["gain"] or 0 for hop in lanes["hops"])


@given(stories())
def test_a_row_is_new_at_most_once_and_kept_ever_after(story: Story):
    for row in states(story):
        after = row[row.index("new") + 1 :] if "new" in row else []
        assert set(after) <= {"kept"}
        assert row.count("new") <= 1


def test_two_queries_in_a_hop_are_counted():
    run = view(built_runs.finished())
    run.hops[0].queries = (*run.hops[0].queries, replace(run.hops[0].queries[0], text="another"))
    assert lanes_data(run)["hops"][0]["more_queries"] == 1


def test_a_hop_says_how_sure_the_run_was_and_nothing_where_it_made_no_estimate():
    run = view(built_runs.finished())
    run.hops[0].sufficiency = 0.614
    assert [hop["sure"] for hop in lanes_data(run)["hops"]] == [61, None, None, None]


def test_lanes_keep_no_more_place_than_their_rows_need() -> None:
    assert (lanes_height(4), lanes_height(10)) == ("324px", "420px")
    assert lanes_height(14) == "min(528px, max(240px, 100vh - 400px) + 60px)"
