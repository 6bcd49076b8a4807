"""Compare baselines: the figures as pure functions over built runs, and the page over real ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from adaq_core.events import AnswerWritten, Branched, Decided, FellBack, ModelCalled, Noticed, RunStarted
from adaq_core.export.run_json import comparison_json
from adaq_core.model import Answer, AnswerTable, Budget, Citation, Settings, Statement, TableRow
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.runner import Runner, RunState, get_runner
from adaq_core.store import open_store
from adaq_core.store.history import PairVerdict, Verdicts, VerdictTally
from adaq_core.trace import view
from pages._shared.common import backend
from pages._shared.compare.cards import (
    by_rules,
    conclusion,
    curve_figure,
    curve_words,
    delta_words,
    figures,
    table_rows,
    waited_for,
)
from pages._shared.compare.page import (
    are_figures,
    cell_words,
    columns_of,
    comparison_file,
    figures_table,
    titles_of,
    together,
    without_curve,
    without_room,
)
from pages._shared.compare.review import (
    REVIEW,
    Difference,
    difference,
    difference_words,
    in_blind_order,
    pair_of,
    tally_line,
)
from pages._shared.compare.start import best_reference
from pages._shared.components.aspect_matrix.matrix import cell_text, row_values
from pages._shared.run.comparison import (
    Column,
    MatrixCell,
    Overlap,
    alike,
    answer_rows,
    cards,
    curve,
    differences,
    fairness,
    matrix,
    overlap,
    overlap_words,
    proofs,
)
from pages._shared.run.model_calls import model_use
from pages._shared.trace.run_list import comparable
from tests.pages.built_runs import ASPECTS, CORPUS, TURNS, Story, events, failed, finished, partial, records, running
from tests.pages.conftest import MAIN
from tests.pages.test_ask import component, pressed, shown, stored_events
from tests.pages.test_trace_explorer import explorer, stored

COMPARE = "compare_baselines.py"


def column(story: Story, method: str, state: str = "finished") -> Column:
    return Column(f"r-{method}", method, view(records(replace(story, method=method))), state)


ADAQ = column(finished(), "adaptive")
BM25 = column(Story(ASPECTS, TURNS[:1], stop="max_hops"), "bm25")
RUNNING = column(running(), "static", "running")
FAILED = column(failed(), "iterative", "failed")


def test_a_card_shows_its_difference_to_the_reference_and_the_reference_shows_none() -> None:
    first, second = cards([ADAQ, BM25], "bm25")
    assert (first.covered, first.of, first.delta, first.reference) == (4, 4, 3, False)
    assert (second.covered, second.of, second.delta, second.reference) == (1, 4, None, True)
    assert (first.passages_read, first.hops, first.tokens) == (12, 4, None)


def test_nothing_is_measured_against_a_reference_that_runs_or_for_a_method_that_runs() -> None:
    adaptive, static = cards([ADAQ, RUNNING], "static")
    assert [(card.delta, delta_words(card, RUNNING)) for card in (adaptive, static)] == [
        (None, "waiting for Single shot"),
        (None, "reference"),
    ]
    assert delta_words(cards([ADAQ, RUNNING], "adaptive")[1], ADAQ) == "–"
    assert delta_words(cards([ADAQ, BM25], "bm25")[0], BM25) == "+3 vs BM25"


def test_what_failed_is_no_reference_while_another_method_is_there() -> None:
    lost = column(failed(), "static", "failed")
    assert best_reference([ADAQ, BM25, RUNNING]) == "static"
    assert best_reference([ADAQ, BM25, lost]) == "bm25"
    assert best_reference([lost]) == "static"


def test_a_column_that_was_never_assessed_has_no_figure_and_no_difference() -> None:
    empty = Column("r-x", "static", view([]), "queued")
    card = cards([empty, BM25], "bm25")[0]
    assert (card.covered, card.delta) == (None, None)


def test_methods_are_explained_where_they_are_chosen(home: Path) -> None:
    [methods] = [each for each in opened().get("button_group") if each.proto.label == "Methods"]
    lines = methods.proto.help.splitlines()
    assert len(lines) == 9
    assert lines[1] == "- **BM25**: one lexical search with the question, its first k passages are the evidence."


def test_the_comparison_concludes_in_one_sentence() -> None:
    said = conclusion([BM25, ADAQ])
    assert said == "ADAQ covers 4 of 4 aspects: 3 more than BM25, with 9 more passages read."
    same = column(replace(finished(), stop="max_hops"), "iterative")
    assert conclusion([ADAQ, same, BM25]).endswith("as many as Iterative; 3 more than BM25, with 9 more passages read.")
    assert conclusion([ADAQ]) == conclusion([ADAQ, RUNNING]) == ""


def test_where_all_cover_as_much_the_hops_and_passages_tell_them_apart() -> None:
    same = column(replace(finished(), stop="max_hops"), "iterative")
    assert conclusion([ADAQ, same]) == "Both methods cover all 4 aspects, in 4 hops with 12 passages read."
    twice = [replace(ADAQ, mark="1"), replace(ADAQ, mark="2")]
    assert conclusion(twice) == "Both runs cover all 4 aspects, in 4 hops with 12 passages read."
    quick = Story(ASPECTS[:1], TURNS[:1])
    slow = Story(ASPECTS[:1], [TURNS[0], TURNS[2]], stop="max_hops")
    columns = [column(slow, "crag"), column(quick, "adaptive"), column(quick, "bm25")]
    in_one = "ADAQ and BM25 in 1 hop with 3 passages read"
    assert conclusion(columns) == f"All 3 methods cover the only aspect: {in_one}; CRAG in 2 hops with 6 passages read."
    part = [column(Story(ASPECTS, TURNS[:1]), name) for name in ("adaptive", "bm25")]
    assert conclusion(part) == "Both methods cover 1 of 4 aspects, in 1 hop with 3 passages read."


def test_that_aspects_share_fewer_passages_is_said_where_some_are_open() -> None:
    assert without_room([ADAQ, BM25]) == ""
    crowded = column(Story(ASPECTS, TURNS[:1]), "bm25")
    started = crowded.view.started
    assert started
    crowded.view.started = replace(started, settings=replace(started.settings, k=3))
    words = "BM25: 4 aspects share 3 passages, so what was found may be lost."
    assert without_room([ADAQ, crowded]) == f"{words} A larger evidence size (k) has room for each."
    assert without_room([ADAQ, replace(crowded, state="running")]) == ""


def test_methods_of_which_the_same_can_be_said_are_named_together() -> None:
    same = [column(replace(finished(), stop="max_hops"), name) for name in ("iterative", "crag", "self_rag")]
    alike = "as many as CRAG, Iterative and Self-RAG"
    behind = "3 more than BM25 and Dense, with 9 more passages read"
    said = conclusion([BM25, replace(BM25, method="dense"), *same, ADAQ])
    assert said == f"ADAQ covers 4 of 4 aspects: {alike}; {behind}."


def test_of_groups_beyond_the_third_no_passages_are_told() -> None:
    stories = {"crag": TURNS[:2], "iterative": TURNS[:3], "bm25": TURNS[:1], "dense": TURNS[2:3]}
    behind = [column(Story(ASPECTS, turns, stop="max_hops"), name) for name, turns in stories.items()]
    said = conclusion([*behind, ADAQ])
    assert said.count("; ") == 3
    assert said.endswith("with 9 more passages read; and 4 more than Dense.")
    more = column(Story(ASPECTS, (*TURNS[:1], TURNS[2]), stop="max_hops"), "static")
    said = conclusion([*behind, more, ADAQ])
    assert said.endswith("; and more than Single shot and Dense."), "one covers an aspect, the other none"


def test_a_conclusion_says_which_methods_are_still_running() -> None:
    assert conclusion([ADAQ, BM25, RUNNING]) == f"{conclusion([ADAQ, BM25])} {RUNNING.label} is still running."


def test_where_nothing_is_covered_no_method_is_said_to_be_better() -> None:
    empty = [column(Story(ASPECTS, TURNS[2:3], stop="no_gain"), name) for name in ("adaptive", "bm25")]
    assert conclusion(empty) == "None of the methods covers any aspect of this question."


def test_of_a_question_in_another_language_nothing_is_missed() -> None:
    story = Story(ASPECTS, TURNS[2:3], question="Welche Risiken hat Tesla im Jahr 2025?", stop="no_gain")
    columns = [column(story, name) for name in ("adaptive", "bm25")]
    assert conclusion(columns) == "No answer was judged: only questions in English are judged."
    assert {cell_text(cell) for row in matrix(columns) for cell in row.cells} == {"– not judged"}


def test_a_method_that_waits_has_no_figures_and_says_what_it_waits_for(home: Path) -> None:
    waiting = Column("r-x", "static", view([]), "queued")
    row = table_rows([waiting, BM25], "bm25")[0]
    assert (row["Read"], row["Hops"], row["Time"], row["Result"]) == ("–", "–", "–", "Waiting to start")


def test_methods_that_wait_while_none_is_at_work_say_that_the_corpus_is_being_prepared(home: Path) -> None:
    first, second = (entered(method) for method in ("adaptive", "bm25"))
    assert waited_for([first, second]) == "Preparing the corpus; the first question takes longest"
    alone = [row["Result"] for row in table_rows([first, second], None)]
    open_store().append(first.run_id, next(iter(events(running()))))
    beside = [row["Result"] for row in table_rows([first, second], None)]
    assert alone == ["Waiting to start"] * 2, "what both wait for stands above, once"
    assert beside[1] == "Waiting to start"
    assert waited_for([first, second]) == ""


def entered(method: str) -> Column:
    """A method that waits in the store for its turn."""
    run_id = open_store().begin(RunStarted("q", method, CORPUS, Settings(), Budget()), queued=True)
    return Column(run_id, method, view([]), "queued")


def styles(app: AppTest) -> str:
    return "".join(each.proto.body for each in app.get("html"))


def test_the_matrix_puts_what_the_methods_disagree_about_first() -> None:
    rows = matrix([ADAQ, BM25])
    assert [row.aspect.aspect for row in rows] == [a.aspect for a in (*ASPECTS[1:], ASPECTS[0])]
    assert rows[0].cells == (MatrixCell("covered", 2), MatrixCell("missed"))
    assert rows[-1].cells == (MatrixCell("covered", 1), MatrixCell("covered", 1))


def test_only_differences_leaves_out_what_all_agree_about() -> None:
    assert ASPECTS[0].aspect not in [row.aspect.aspect for row in matrix([ADAQ, BM25], only_differences=True)]


def test_a_running_column_waits_and_is_never_counted_as_a_miss() -> None:
    rows = {row.aspect.aspect: row for row in matrix([ADAQ, RUNNING])}
    last = rows[ASPECTS[3].aspect]
    assert last.cells[1] == MatrixCell("waiting")
    assert last.split == 0


def test_a_cell_says_in_words_what_it_is() -> None:
    texts = [cell["text"] for row in row_values(matrix([ADAQ, BM25])) for cell in row["cells"]]
    assert set(texts) == {"✓ hop 1", "✓ hop 2", "✓ hop 4", "✗ not found"}


def test_the_curve_steps_up_where_aspects_were_covered() -> None:
    assert curve(ADAQ, "hops") == ([0.0, 1.0, 2.0, 3.0, 4.0], [0, 1, 3, 3, 4])
    assert curve(ADAQ, "passages") == ([0.0, 3.0, 6.0, 9.0, 12.0], [0, 1, 3, 3, 4])
    seconds, _ = curve(ADAQ, "seconds")
    assert seconds == sorted(seconds)


def test_each_method_has_a_chart_with_the_others_in_grey_behind_its_own_line() -> None:
    figure = curve_figure([ADAQ, BM25], "hops", of=[ADAQ])
    assert [line.line.width for line in figure.data] == [1.5, 3]
    assert "BM25" in figure.data[0].hovertemplate
    assert "ADAQ" in figure.data[1].hovertemplate
    assert {line.line.shape for line in figure.data} == {"hv"}


def test_methods_with_the_same_curve_share_a_chart() -> None:
    once = [replace(BM25, method=name) for name in ("dense", "static")]
    longer = column(Story(ASPECTS, (*TURNS[:1], TURNS[2]), stop="max_hops"), "crag")  # a hop that found nothing
    groups = alike([ADAQ, BM25, *once, longer], "hops")
    assert [[each.label for each in group] for group in groups] == [["ADAQ"], ["BM25", "Dense", "Single shot", "CRAG"]]
    figure = curve_figure([ADAQ, BM25, *once], "hops", of=groups[1][:3])
    assert [line.line.width for line in figure.data] == [1.5, 3]
    assert "BM25, Dense and Single shot" in figure.data[1].hovertemplate
    words = "Aspects covered against hops: BM25 and Dense reach 1 at 1, the other 1 method in grey."
    assert curve_words([ADAQ, BM25, once[0]], "hops", of=[BM25, once[0]]) == words


def test_the_chart_has_words_for_those_who_cannot_see_it() -> None:
    words = "Aspects covered against hops: ADAQ reaches 4 at 4, the other 1 method in grey."
    assert curve_words([ADAQ, BM25], "hops", of=[ADAQ]) == words


def test_a_method_that_failed_is_named_as_such_and_missed_nothing() -> None:
    assert conclusion([BM25, ADAQ, FAILED]) == f"{conclusion([BM25, ADAQ])} Iterative did not finish."
    assert conclusion([ADAQ, FAILED]).endswith(" aspects. Iterative did not finish.")
    row = next(row for row in matrix([ADAQ, FAILED]) if row.aspect is ASPECTS[3])
    assert row.cells == (MatrixCell("covered", 4), MatrixCell("unknown"))


def test_a_method_that_failed_before_anything_was_judged_is_named_and_not_measured() -> None:
    lost = column(replace(failed(), turns=()), "crag", "failed")
    assert lost.view.last_assessed is None
    assert conclusion([ADAQ, BM25, lost]) == f"{conclusion([ADAQ, BM25])} CRAG did not finish."
    assert delta_words(cards([BM25, lost], "bm25")[1], BM25) == "not measured"
    assert (
        without_curve([lost, RUNNING])
        == "No curve for CRAG, which did not finish. Nothing to show yet for Single shot."
    )


def test_a_method_that_was_stopped_is_said_to_be() -> None:
    stopped = column(replace(finished(), turns=TURNS[:1], stop="user_stop"), "crag")
    assert "3 more than CRAG, with" in conclusion([ADAQ, stopped])
    assert conclusion([ADAQ, stopped]).endswith(" You stopped CRAG before it was done.")
    both = [replace(each, view=replace(each.view, stop_reason="user_stop")) for each in (ADAQ, stopped)]
    assert conclusion(both).endswith(" You stopped ADAQ and CRAG before they were done.")
    assert differences([ADAQ, stopped]) == ("Stopped by a person: no for ADAQ; after hop 1 for CRAG.",)


def test_the_same_conditions_are_recognised_and_a_different_k_is_not_silent() -> None:
    assert all(term.same for term in fairness([ADAQ, BM25]))
    other = column(replace(finished(), settings=Settings(k=9)), "crag")
    different = [(term.name, term.values) for term in fairness([ADAQ, other]) if not term.same]
    assert different == [("Evidence size", ("k = 5", "k = 9"))]


def test_other_live_sources_are_not_silent_and_none_at_all_are_no_condition() -> None:
    assert "Live sources" not in [term.name for term in fairness([ADAQ, BM25])]
    live = column(replace(finished(), settings=Settings(sources=("wikipedia", "gdelt"))), "dense")
    (term,) = [term for term in fairness([ADAQ, live]) if term.name == "Live sources"]
    assert (term.values, term.same) == (("none", "GDELT, Wikipedia"), False)


def test_that_only_some_of_the_runs_that_may_search_by_meaning_did_is_said() -> None:
    stream = records(finished())
    vectors = replace(stream[1], event=Noticed("retrieve", "The corpus has vectors for search by meaning (minilm)"))
    by_meaning = view([stream[0], vectors, *stream[1:]])
    terms = fairness([ADAQ, replace(ADAQ, view=by_meaning)])
    assert [(term.name, term.values) for term in terms if not term.same] == [("Search by meaning", ("no", "yes"))]
    three = [ADAQ, BM25, replace(ADAQ, method="dense", view=by_meaning)]
    assert differences(three) == ("Search by meaning: no for ADAQ and BM25; yes for Dense.",)
    dense = replace(ADAQ, method="dense", view=by_meaning)
    assert [term.values for term in fairness([ADAQ, dense]) if not term.same] == [("no", "yes")]
    assert all(term.same for term in fairness([replace(ADAQ, view=by_meaning), BM25])), "BM25 never does"
    by_words = column(finished(), "dense")  # it was stopped while the vectors were made
    assert differences([ADAQ, by_words]) == ("Search by meaning: no for ADAQ; not ready for Dense.",)


def test_a_model_of_which_nothing_was_used_is_no_condition_in_silence() -> None:
    """Compare would call the rules llama3.2, and one method with it as good as another without."""
    begun, *rest = records(finished())
    assert isinstance(begun.event, RunStarted)
    begun = replace(begun, event=replace(begun.event, model="llama3.2"))
    asked = replace(rest[0], event=ModelCalled("plan", "llama3.2", "hash", "A prompt.", "A reply."))
    fell = replace(rest[0], event=FellBack("plan", "the reply holds no JSON", "the aspects of the rules"))
    answered, unused = [
        replace(ADAQ, method=method, view=view(stream), use=model_use(stream))
        for method, stream in (("adaptive", [begun, asked, *rest]), ("crag", [begun, asked, fell, *rest]))
    ]
    assert differences([answered, unused]) == (
        "Language model: llama3.2 for ADAQ; llama3.2 without a usable reply for CRAG.",
    )
    assert differences([answered, replace(unused, state="running")]) == ()
    results = [row["Result"] for row in table_rows([answered, unused], None)]
    assert [each.endswith("Rules replaced 1 of 1 model reply.") for each in results] == [False, True]
    why = "Rules replaced 1 of 1 model reply. Aspects: The reply was not in the form that was asked for."
    assert [by_rules(each) for each in (answered, unused)] == ["", why]


def test_what_a_person_changed_on_the_way_is_a_condition_too() -> None:
    assert "Changed by a person" not in [term.name for term in fairness([ADAQ, BM25])]
    stream = records(finished())
    at = next(i for i, record in enumerate(stream) if isinstance(record.event, Decided))
    event = Branched(1, tuple(ASPECTS), Settings(coverage_threshold=0.6))
    branched = view([*stream[:at], replace(stream[at], event=event), *stream[at:]])
    terms = fairness([ADAQ, replace(ADAQ, view=branched)])
    assert [(term.name, term.values) for term in terms if not term.same] == [
        ("Changed by a person", ("nowhere", "after hop 1")),
        ("Aspect covered from", ("0.5", "0.6")),
    ]


def test_the_evidence_of_each_side_for_an_aspect() -> None:
    one, two = proofs([ADAQ, BM25], "Revenue impact")
    assert one.finding is not None
    assert [ranked.passage.passage_id for ranked in one.evidence] == ["d2-0#0"]
    assert (two.finding, two.evidence) == (None, ())


def test_who_found_what_counts_every_passage_once() -> None:
    found = overlap([ADAQ, BM25])
    shared = {ranked.passage.passage_id for ranked in found.shared}
    alone = {c.method: {r.passage.passage_id for r in passages} for c, passages in found.alone}
    assert shared.isdisjoint(alone["adaptive"] | alone["bm25"])
    assert shared | alone["adaptive"] == {ranked.passage.passage_id for ranked in ADAQ.view.evidence}


def test_a_method_that_says_it_found_nothing_is_not_said_to_have_found_passages() -> None:
    nothing = replace(BM25, view=replace(BM25.view, answer=Answer("Nothing.", abstained=True)))
    told = {column.method for column, _ in overlap([ADAQ, column(finished(), "dense"), nothing]).alone}
    assert told == {"adaptive", "dense"}


@pytest.mark.parametrize(
    ("shared", "some", "alone", "words"),
    [
        (3, 0, 2, "3 passages are in the evidence of every run, 2 in that of only one."),
        (1, 2, 0, "1 passage is in the evidence of every run, 2 in that of several."),
        (0, 0, 1, "No passage is in the evidence of every run, 1 in that of only one."),
    ],
)
def test_of_who_found_what_what_is_none_is_left_out(shared: int, some: int, alone: int, words: str) -> None:
    ranked = ADAQ.view.evidence[0]
    found = Overlap((ranked,) * shared, (ranked,) * some, ((ADAQ, (ranked,) * alone),))
    assert overlap_words(found) == words


def test_a_failed_column_does_not_hide_the_others() -> None:
    first, second = cards([ADAQ, FAILED], "adaptive")
    assert FAILED.failed
    assert (first.covered, second.covered, second.delta) == (4, 3, None)


def opened(**params: str) -> AppTest:
    app = AppTest.from_file(MAIN, default_timeout=180).run()
    app.switch_page(COMPARE)
    for name, value in params.items():
        app.query_params[name] = value
    return app.run()


def test_the_empty_page_asks_for_a_question_and_runs_the_methods_as_one_group(home: Path) -> None:
    app = opened()
    assert app.title[0].value == "Compare ADAQ with other methods"
    app.selectbox(key="compare_taken").set_value("Compare transformers and RNNs for NLP").run()
    assert app.text_input(key="compare_question").value == "Compare transformers and RNNs for NLP"
    assert app.selectbox(key="compare_taken").value is None
    app = app.button(key="compare_run").click().run()
    rows = open_store().runs()
    assert sorted(row.method for row in rows) == ["adaptive", "bm25", "iterative"]
    assert len({row.group_id for row in rows}) == 1
    assert {row.settings for row in rows} == {rows[0].settings}
    for row in rows:
        get_runner().wait(row.run_id, timeout=180)
    text = shown(app.run())
    assert "Same conditions for all" in text
    assert len(app.metric) == 3
    assert not app.exception


@pytest.mark.parametrize(("more", "waits"), [("dense", True), ("crag", False)])
def test_all_methods_of_a_comparison_wait_for_vectors_where_one_needs_them(
    home: Path, monkeypatch: pytest.MonkeyPatch, more: str, waits: bool
) -> None:
    asked: list[tuple[object, object]] = []
    monkeypatch.setattr(
        Runner, "submit", lambda _, spec, **given: asked.append((spec.method, given["waits_for_vectors"]))
    )
    app = opened()
    app.text_input(key="compare_question").set_value("What is BM25?").run()
    app.session_state["compare_methods"] = ["adaptive", more]
    app.run()
    app.button(key="compare_run").click().run()
    assert asked == [("adaptive", waits), (more, waits)]


def test_an_earlier_comparison_names_few_methods_and_counts_many(home: Path) -> None:
    for group, methods in (("g-1", ("bm25", "crag")), ("g-2", ("bm25", "crag", "dense", "static", "iterative"))):
        for method in methods:
            open_store().begin(RunStarted("What is tea?", method, CORPUS, Settings(), Budget()), group=group)
    labels = {button.key: button.label for button in opened().button if "compare_open" in str(button.key)}
    assert "BM25, CRAG ·" in labels["compare_open_g-1"]
    assert "5 methods ·" in labels["compare_open_g-2"]


def test_a_question_that_would_fill_the_window_scrolls_in_a_heading_of_its_own(home: Path) -> None:
    brief = " ".join(["What are the legal risks of Tesla and who runs Boeing?"] * 70)
    run_id = stored(replace(finished(), question=brief))
    for app, key in ((explorer(run=run_id), "trace_question"), (opened(group=run_id), "compare_asked")):
        assert component(app, key)["parts"] == [[brief, ""]]
        assert brief not in shown(app)


def test_what_is_left_of_the_form_is_hidden_while_the_comparison_is_drawn(home: Path) -> None:
    hidden = ".st-key-compare_form {display: none}"
    app = opened()
    assert hidden not in styles(app)
    run_id = get_runner().submit(RunSpec("adaptive", "What is BM25?"), corpus="sample")
    get_runner().wait(run_id, timeout=180)
    assert hidden in styles(opened(group=run_id))


def test_what_is_missing_is_said_by_the_matrix_and_not_once_more_in_each_card(home: Path) -> None:
    part = Story(ASPECTS, TURNS[:1], stop="max_hops")
    two = ",".join(stored(replace(part, method=method)) for method in ("adaptive", "bm25"))
    text = shown(opened(group=two))
    assert "Stopped after 1 hop" in text
    assert "Missing" not in text


def test_a_comparison_that_goes_on_can_be_cancelled(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    over = f"{stored(finished())},{stored(replace(finished(), method='bm25'))}"
    assert "Cancel" not in [button.label for button in opened(group=over).button]
    queued = open_store().begin(RunStarted(finished().question, "dense", CORPUS, Settings(), Budget()))
    assert "Cancel" in [button.label for button in opened(group=f"{over},{queued}").button]
    monkeypatch.setattr(Runner, "state", lambda self, run_id: RunState("running", cancelling=run_id == queued))
    app = opened(group=f"{over},{queued}")
    assert "Cancel" not in [button.label for button in app.button]
    assert ":shimmer[Stopping]" in [caption.value for caption in app.caption]


def test_a_method_that_goes_on_says_what_its_model_does_and_no_time() -> None:
    reading = replace(RUNNING, now="llama3.2 is reading the passages")
    going, over = cards([reading, ADAQ], None)
    assert figures(going) == ["6 passages read", "3 hops", "no model"]
    assert len(figures(over)) == 4, "and how long it took"
    row = table_rows([reading], None)[0]
    assert (row["Result"], row["Time"]) == ("llama3.2 is reading the passages", "–")


def test_a_run_that_is_no_longer_there_is_not_left_out_in_silence(home: Path) -> None:
    two = f"{stored(finished())},{stored(replace(finished(), method='bm25'))}"
    assert "There is no run" not in shown(opened(group=two))
    assert "There is no run r-gone on this computer" in opened(group=f"{two},r-gone").info[0].value.replace("`", "")


def test_what_is_added_to_chosen_runs_stands_beside_them(home: Path) -> None:
    two = f"{stored(finished())},{stored(replace(finished(), method='bm25'))}"
    added = get_runner().submit(RunSpec("crag", "What is BM25?"), corpus="sample", group=two)
    get_runner().wait(added, timeout=180)
    assert [row.method for row in backend.group_rows(two)] == ["adaptive", "bm25", "crag"]


def test_a_chosen_run_that_is_tried_again_stands_in_the_place_of_the_one_that_failed(home: Path) -> None:
    lost, other = stored(failed()), stored(replace(finished(), method="bm25"))
    app = opened(group=f"{lost},{other}")
    app = app.button(key=f"compare_retry_{lost}").click().run()
    made = next(row.run_id for row in open_store().runs() if row.parent_id == lost)
    get_runner().wait(made, timeout=180)
    assert app.query_params["group"] in (f"{made},{other}", [f"{made},{other}"])


def test_what_failed_can_be_tried_again_below_a_table_of_methods_too(home: Path) -> None:
    lost = stored(failed())
    others = [stored(replace(finished(), method=name)) for name in ("bm25", "static", "crag", "iterative")]
    app = opened(group=",".join([lost, *others]))
    assert app.button(key=f"compare_retry_{lost}").label == "Retry ADAQ"
    app.button(key=f"compare_retry_{lost}").click().run()
    made = next(row.run_id for row in open_store().runs() if row.parent_id == lost)
    get_runner().wait(made, timeout=180)


def test_the_address_of_a_run_begins_a_comparison_or_says_that_the_run_is_not_there(home: Path) -> None:
    assert "So far only **ADAQ** is in this comparison" in shown(opened(run=stored(finished())))
    told = {name: opened(**{name: "r-gone"}).info[0].value.replace("`", "") for name in ("run", "group")}
    assert told["run"] == told["group"]
    assert told["run"].startswith("There is no run r-gone on this computer.")
    assert opened(group="g-gone").info[0].value.startswith("There is no comparison with this address")


def test_lanes_and_matrix_keep_their_place_while_their_scripts_are_loaded(home: Path) -> None:
    run_id = stored(finished())
    two = ",".join([run_id, stored(replace(finished(), method="bm25"))])
    assert "[class*='st-key-compare_lanes_'] {min-height: 77px}" in styles(opened(group=two))
    assert ".st-key-compare_matrix {min-height: 170px}" in styles(opened(group=two))


def test_a_comparison_that_begins_with_one_run_takes_over_its_conditions(home: Path) -> None:
    run_id = get_runner().submit(
        RunSpec("adaptive", "What is BM25?", settings=Settings(k=3), budget=Budget(max_seconds=9.0)), corpus="sample"
    )
    get_runner().wait(run_id, timeout=180)
    app = opened(group=run_id)
    assert "So far only **ADAQ** is in this comparison" in shown(app)
    app = app.button(key="c_add_run").click().run()
    rows = open_store().runs(group=run_id)
    assert {(row.settings.k, row.budget.max_seconds, row.question) for row in rows} == {(3, 9.0, "What is BM25?")}
    assert sorted(row.method for row in rows) == ["bm25", "iterative"]
    for row in rows:
        get_runner().wait(row.run_id, timeout=180)
    assert "ADAQ was asked first: its time holds what was loaded then" in shown(app.run())


def test_a_press_on_a_method_adds_it_to_a_comparison_because_none_is_chosen_beforehand(home: Path) -> None:
    ids = [stored(replace(finished(), method=name), run_id=f"r-{name}") for name in ("adaptive", "static")]
    app = opened(group=",".join(ids))
    assert app.button(key="c_add_run").disabled
    assert app.button_group(key="c_add_2").value == []
    app = app.button_group(key="c_add_2").select("bm25").run()
    assert app.button(key="c_add_run").label == "Run 1 method"


def test_what_methods_found_is_compared_once_one_is_through(home: Path) -> None:
    ids = [stored(replace(running(), method=name), run_id=f"r-{name}") for name in ("adaptive", "bm25")]
    assert "How coverage grew" not in shown(opened(group=",".join(ids)))
    ids.append(stored(finished(), run_id="r-whole"))
    text = shown(opened(group=",".join(ids)))
    assert "How coverage grew" in text
    assert "Evidence: who found what" not in text


def test_short_answers_stand_first_and_side_by_side(home: Path) -> None:
    ids = [get_runner().submit(RunSpec(m, "Did Boeing plead guilty?"), corpus="sample") for m in ("adaptive", "bm25")]
    for run_id in ids:
        get_runner().wait(run_id, timeout=180)
    text = shown(opened(group=",".join(ids)))
    assert "**In short**" in text
    assert text.index("**In short**") < text.index("In May 2024 the department")
    another = pressed(opened(group=",".join(ids), c_diff="true"), "New comparison")
    assert not another.exception, "a control that stands in the address keeps nobody on the page"
    assert another.title[0].value == "Compare ADAQ with other methods"


def test_a_comparison_leaves_as_the_file_that_the_command_prints(home: Path) -> None:
    ids = [stored(finished(), run_id="r-one"), stored(finished(), run_id="r-two")]
    group = ",".join(ids)
    store = open_store()
    rows = [store.run(run_id) for run_id in ids]
    columns = columns_of([row for row in rows if row])
    _, data, name, _ = comparison_file(group, columns)
    told = json.loads(data)
    assert told == json.loads(json.dumps(comparison_json(group, rows, [store.records(run_id) for run_id in ids])))
    assert [run["run_id"] for run in told["runs"]] == ids
    assert name == "comparison-r-one-r-two.json"
    assert "Export" in popovers(opened(group=group))
    going = stored(running(), run_id="r-going")
    assert "Export" not in popovers(opened(group=f"{group},{going}"))


def popovers(app: AppTest) -> list[str]:
    return [each.proto.popover.label for each in app.get("popover")]


def test_a_comparison_that_is_not_there_is_named(home: Path) -> None:
    app = opened(group="g-none")
    assert "no comparison with this address" in shown(app)
    assert pressed(app, "Choose a question").title[0].value == "Compare ADAQ with other methods"


def test_runs_picked_in_the_list_stand_side_by_side(home: Path) -> None:
    runner = get_runner()
    ids = [runner.submit(RunSpec(method, "What is Python?"), corpus="sample") for method in ("adaptive", "bm25")]
    for run_id in ids:
        runner.wait(run_id, 60)
    assert [row.method for row in backend.group_rows(",".join(ids))] == ["adaptive", "bm25"]
    assert backend.group_rows("r-none,r-nothing") == []
    adaptive, bm25 = (open_store().run(run_id) for run_id in ids)
    assert comparable([adaptive, bm25])
    assert not comparable([adaptive])
    assert not comparable([adaptive, adaptive])
    assert not comparable([adaptive, replace(bm25, question="another")])
    assert comparable([adaptive, replace(adaptive, run_id="r-again")])


def test_two_runs_of_one_method_stand_side_by_side_under_numbers(home: Path) -> None:
    runner = get_runner()
    specs = [RunSpec("adaptive", "What is Python?", Settings(k=k)) for k in (3, 5)]
    ids = [runner.submit(spec, corpus="sample") for spec in specs]
    for run_id in ids:
        runner.wait(run_id, 60)
    group = ",".join(ids)
    columns = columns_of(backend.group_rows(group))
    assert [(each.run_id, each.label, each.name) for each in columns] == [
        (ids[0], "ADAQ 1", ids[0]),
        (ids[1], "ADAQ 2", ids[1]),
    ]
    app = opened(group=group)
    assert not app.exception
    assert "**ADAQ 2**" in shown(app)
    assert "Evidence size: k = 3 for ADAQ 1; k = 5 for ADAQ 2." in shown(app)


def test_a_line_runs_on_flat_to_the_end_of_the_longest() -> None:
    assert curve(BM25, "hops") == ([0.0, 1.0], [0, 1])
    assert curve(BM25, "hops", end=4.0) == ([0.0, 1.0, 4.0], [0, 1, 1])
    assert [list(line.x) for line in curve_figure([ADAQ, BM25], "hops", of=[BM25]).data] == [
        [0, 1, 2, 3, 4, 4.48],
        [0, 1, 4.48],
    ]


def test_answers_stand_in_rows_by_aspect_and_who_says_nothing_has_an_empty_cell() -> None:
    other = replace(BM25.view, answer=answer("Sales rose."))
    rows = answer_rows([replace(BM25, view=other), ADAQ])
    assert [name for name, _ in rows] == ["Date and price", "A"]
    assert [[len(cell) for cell in cells] for _, cells in rows] == [[0, 3], [1, 0]]


@pytest.mark.parametrize(("sentences", "listed", "left_out"), [(3, 3, ""), (4, 4, ""), (6, 3, "and 3 more sentences")])
def test_one_sentence_is_not_left_out_for_the_room_that_saying_so_takes(
    sentences: int, listed: int, left_out: str
) -> None:
    told = cell_words(ADAQ, "", [f"Sentence {number}." for number in range(sentences)])
    assert told.count("\n- ") == listed
    assert "more sentence" not in told if not left_out else left_out in told


def test_a_program_of_an_answer_keeps_its_lines_beside_others() -> None:
    quote = "with open(path) as file:\n    print(file.read())"
    told = Citation(1, "d#0", "d", "Files", quote, 0, len(quote))
    column = replace(ADAQ, view=replace(ADAQ.view, answer=replace(answer(), citations=(told,))))
    words = cell_words(column, "", [" ".join(quote.split()), "That is all."])
    assert words == "\n- ```\n  with open(path) as file:\n      print(file.read())\n  ```\n- :small[That is all\\.]"


def test_figures_stand_in_one_table_and_what_nobody_says_is_a_dash() -> None:
    other = replace(BM25, view=replace(BM25.view, answer=answer("$4,774 million ($4.8 billion) [1]")))
    rows = [("Net sales, Q1", [("$4,774 million ($4.8 billion) [1]",), ()]), ("Net sales, Q2", [("3%",), ()])]
    assert are_figures(rows)
    assert not are_figures(rows[:1])
    assert not are_figures([*rows, ("Why", [("x" * 90,), ()])])
    table = figures_table([other, other], rows).splitlines()
    assert table[0] == "|  | **BM25** | **BM25** |"
    assert "4\\,774\N{NO-BREAK SPACE}million" in table[2]
    assert table[2].endswith(" | – |")


def test_of_more_methods_than_stand_in_a_row_those_that_say_the_same_stand_together() -> None:
    assert together(["A", "B"], ["x", "x"]) == [(["A"], "x"), (["B"], "x")]
    assert together(list("ABCDE"), list("xyxyz")) == [(["A", "C"], "x"), (["B", "D"], "y"), (["E"], "z")]


def test_a_document_is_named_once_with_how_many_of_its_passages_were_found() -> None:
    first = ADAQ.view.evidence[0]
    assert titles_of([first, first]) == f"{first.passage.title} (2 passages)"
    assert titles_of([first]) == first.passage.title


def test_from_five_methods_on_the_figures_are_a_table_in_whole_words() -> None:
    rows = table_rows([ADAQ, BM25, RUNNING, FAILED], "bm25")
    assert [(row["Method"], row["Covered"], row["Difference"]) for row in rows] == [
        ("ADAQ", "4 / 4", "+3"),
        ("BM25", "1 / 4", "reference"),
        ("Single shot", "3 / 4", "–"),
        ("Iterative", "3 / 4", "–"),
    ]
    assert [row["Result"] for row in rows][:3] == [
        "Nothing was left to search for.",
        "This method searches only once.",
        "Running",
    ]
    assert rows[3]["Result"].startswith("The run failed in hop 3. The model gave no usable reply.")
    cut_off = replace(RUNNING, state="interrupted", reason="ADAQ ended before the run did.")
    assert "ADAQ ended before the run did. What came before is kept." in table_rows([cut_off], None)[0]["Result"]


def answer(*sentences: str) -> Answer:
    return Answer(" ".join(sentences), tuple(Statement(text, "A", (1,)) for text in sentences), (), (), ())


def test_answers_differ_by_sentences_whatever_their_marks_and_case() -> None:
    here = answer("Sales rose [1].", "Costs fell.", "“Margins held”, it says [2].")
    there = answer("sales rose [3]", "Staff left.", "Margins held, it says.")
    assert difference(here, there) == Difference(
        ("Sales rose.", "“Margins held”, it says."), ("Costs fell.",), ("Staff left.",)
    )
    assert difference(here, None) == Difference((), tuple(difference(here, here).both), ())


def test_of_a_difference_what_is_none_is_left_out() -> None:
    assert difference_words(Difference(("a", "b"), (), ()), "BM25") == "2 sentences as in BM25"
    assert difference_words(Difference(("a",), ("b",), ("c", "d")), "BM25") == (
        "1 sentence as in BM25, 1 only here, 2 only in BM25"
    )
    assert difference_words(Difference((), (), ()), "BM25") == "No sentence in either"


def test_two_answers_are_reviewed_and_the_order_gives_nothing_away() -> None:
    assert pair_of([ADAQ, BM25], "bm25") == (ADAQ, BM25)
    assert pair_of([ADAQ, BM25], "adaptive") == (BM25, ADAQ)
    assert pair_of([ADAQ, RUNNING], "static") is None
    silent = [replace(each, view=replace(each.view, answer=Answer("", abstained=True))) for each in (ADAQ, BM25)]
    assert pair_of(silent, "bm25") is None, "neither says anything"
    assert pair_of([ADAQ, silent[1]], "bm25") == (ADAQ, silent[1])
    assert in_blind_order((ADAQ, BM25)) == in_blind_order((BM25, ADAQ))
    firsts = {in_blind_order((ADAQ, replace(BM25, run_id=f"r-{n}")))[0].method for n in range(20)}
    assert firsts == {"adaptive", "bm25"}


def test_all_verdicts_in_one_line() -> None:
    assert tally_line(VerdictTally(), "ADAQ", "BM25") == ""
    assert tally_line(VerdictTally(3, 1, 2, 4), "ADAQ", "BM25") == (
        "6 reviews of these two methods so far: ADAQ better 3 · tie 1 · BM25 better 2 (4 with the names hidden)"
    )


def test_a_review_with_hidden_names_shows_nothing_of_what_the_runs_think_of_their_answers(home: Path) -> None:
    texts = (("Revenue rose.", "Revenue impact"), ("Brussels is a city.", ASPECTS[3].aspect))
    told = Answer("x", statements=tuple(Statement(text, name, (1,)) for text, name in texts))
    tabled = replace(told, table=AnswerTable(("A",), (TableRow("What", ((1,),)),)))
    ids = [
        stored_events([AnswerWritten(answer) if isinstance(e, AnswerWritten) else e for e in events(partial())])
        for answer in (told, tabled)
    ]
    app = opened(group=",".join(ids), **{REVIEW: ",".join(ids)})
    for letter in "AB":
        data = json.dumps(component(app, f"review_{letter}"))
        assert "Brussels" in data
        assert '"missed": true' not in data
        assert '"hop": 2' not in data


def test_a_review_with_hidden_names_shows_none_until_the_verdict_and_keeps_it(home: Path) -> None:
    runner = get_runner()
    ids = [runner.submit(RunSpec(method, "What is BM25?"), corpus="sample") for method in ("adaptive", "bm25")]
    for run_id in ids:
        runner.wait(run_id, 60)
    app = opened(group=",".join(ids))
    app = app.button(key="c_hide").click().run()
    text = shown(app)
    assert "Answer A" in text
    assert "ADAQ" not in text
    assert not app.metric
    app = app.button(key="c_verdict_A").click().run()
    verdict = Verdicts(open_store()).of(*ids)
    assert verdict is not None
    assert verdict.blind
    assert verdict.better in ids
    assert "is better, names hidden" in shown(app)
    assert "1 review of these two methods so far" in shown(app)
    app = pressed(app, "Take back")
    assert Verdicts(open_store()).of(*ids) is None
    app = app.button(key="c_verdict_Tie").click().run()
    assert Verdicts(open_store()).of(*reversed(ids)) == PairVerdict(None, blind=False)
    app = app.toggle(key="c_text").set_value(True).run()
    assert "as in BM25" in shown(app)
    assert not app.exception
