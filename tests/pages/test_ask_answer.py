"""The answer as it is drawn: groups, tables, marks, citations, conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from adaq_core.events import (
    AnswerWritten,
    AspectsPlanned,
    CoverageAssessed,
    Event,
    Record,
    RunFinished,
)
from adaq_core.export.dossier import dossier
from adaq_core.export.verdict import unreached
from adaq_core.model import (
    Answer,
    AnswerTable,
    AspectScore,
    Citation,
    Conflict,
    Statement,
    TableRow,
)
from adaq_core.trace import RunView, view
from pages._shared.ask.done import lines_of
from pages._shared.common.chrome import row_height
from pages._shared.components.answer.view import (
    answer_groups,
    claim_lines,
    opened_claim,
    source_values,
    support_line,
    table_value,
    with_short_title,
)
from pages._shared.run.claims import how_it_came
from tests.pages.built_runs import (
    ASPECTS,
    TURNS,
    aspect,
    events,
    finished,
    partial,
    records,
)
from tests.pages.test_ask import answer, ask, component, shown, stored_events, unescaped


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("No evidence was found.\n\n**Not covered**\n\n- Price: not searched", "No evidence was found."),
        ("**Unclear**\n\nName the company.", "Name the company."),
    ],
)
def test_a_story_ends_with_what_was_said_in_place_of_an_answer(home: Path, text: str, said: str) -> None:
    instead = AnswerWritten(Answer(text, abstained=True))
    run_id = stored_events([instead if isinstance(e, AnswerWritten) else e for e in events(partial())])
    app = ask(run=run_id).switch_page("trace_explorer.py")
    app.query_params["run"] = run_id
    app.session_state["trace_view"] = "Story"
    assert unescaped(app.run().markdown[-1].value) == said


def test_an_unknown_run_is_named_and_no_error(home: Path) -> None:
    app = ask(run="r-nothing")
    assert "There is no run “r-nothing”" in shown(app)
    assert [one.label for one in app.button if one.key != "settings"][-1] == "Ask a question"
    assert not app.chat_input
    assert not app.exception


def test_the_answer_groups_its_sentences_by_aspect_in_planning_order() -> None:
    run = answer(
        statements=(
            Statement("It cost 7 million. [2]", "Revenue impact", (2,)),
            Statement("It was bought.", "Date and price", (), supported=False),
            Statement("Also this. [1, 2]", "", (1, 2), entailed=False),
        )
    )
    groups = answer_groups(run)
    assert [(g["aspect"], g["hop"]) for g in groups] == [("Date and price", 1), ("Revenue impact", 2), ("", None)]
    assert [s["supported"] for g in groups for s in g["statements"]] == [False, True, True]
    assert [s["doubted"] for g in groups for s in g["statements"]] == [False, False, True]
    assert groups[2]["statements"][0]["text"] == "Also this."
    assert support_line(run) == "2 of 3 sentences backed by a passage; the others are marked."


def test_a_long_title_in_front_of_a_sentence_is_cut_and_an_amount_stays_whole() -> None:
    title = "Quarterly report on the business of a company " * 3
    run = answer(statements=(Statement(f"{title}: It cost 7 million. [1]", "Revenue impact", (1,)),))
    assert run.answer
    run.answer = replace(run.answer, citations=(Citation(1, "d#0", "d", title, "In 2020", 0, 26),))
    [[said]] = [group["statements"] for group in answer_groups(run)]
    assert said["text"].startswith("Quarterly report on the business")
    assert said["text"].endswith("…: It cost 7\N{NO-BREAK SPACE}million.")
    assert with_short_title("Report: It did.", {"Report"}) == "Report: It did."


def test_the_lines_of_a_program_are_no_part_of_its_sentence() -> None:
    quote = "with open(path) as file:\n    print(file.read())"
    run = answer(statements=(Statement(f"Files: {' '.join(quote.split())}", "Revenue impact", (1,)),))
    assert run.answer
    run.answer = replace(run.answer, citations=(Citation(1, "d#0", "d", "Files", quote, 0, len(quote)),))
    [[said]] = [group["statements"] for group in answer_groups(run)]
    assert (said["text"], said["program"]) == ("Files:", quote)


def test_words_that_are_marked_in_an_answer_are_explained() -> None:
    said = (Statement("It cost 7 million. [2]", "Revenue impact", (2,)),)
    words = support_line(answer(statements=said, likely=("7 million",)))
    assert words.endswith("Marked: what may be the short answer.")
    assert "Marked" not in support_line(answer(statements=said))


def test_a_number_is_not_marked_inside_a_longer_one() -> None:
    said = (Statement("Record 17557 of 7.5 m: the sensor 7 measured 3. [2]", "Revenue impact", (2,)),)
    run = answer(statements=said, likely=("7", "57"))
    [[statement]] = [group["statements"] for group in answer_groups(run)]
    assert statement["pieces"] == [
        ("Record 17557 of 7.5 m: the sensor ", ""),
        ("7", "quote"),
        (" measured 3.", ""),
    ]


def test_figures_in_a_table_are_not_called_sentences() -> None:
    figure, sentence = (
        Statement("7 million", "Revenue impact", (2,)),
        Statement("It grew. " * 9, "Revenue impact", (2,)),
    )
    table = AnswerTable(("A",), (TableRow("What", ((0,),)),))
    for statements, called in (((figure,), "figure"), ((figure, sentence), "figure and sentence")):
        words = support_line(answer(statements=statements, table=table))
        assert words.startswith(f"Every {called} cites its passage.")
    assert support_line(answer(statements=(sentence,), table=table)).startswith("Every sentence cites")
    reasons = AnswerTable(("A",), (TableRow("What", ((0,),)), TableRow("Why", ((1,),))))
    for reason in (sentence, Statement("It was sold more. [2]", "Revenue impact", (2,))):
        words = support_line(answer(statements=(figure, reason), table=reasons))
        assert words.startswith("Every figure and sentence cites its passage.")


def chain(*, covered: Sequence[str]) -> RunView:
    """A run after the director of a film and his place of birth, of which these are covered."""
    director, born = aspect("Director of A"), replace(aspect("Birthplace of the director"), depends_on="Director of A")
    names = [each.aspect for each in (director, born)]
    scores = tuple(AspectScore(name, 0.9 if name in covered else 0.0) for name in names)
    said = Answer("", statements=tuple(Statement(f"On {name}.", name) for name in names))
    assessed = CoverageAssessed(1, scores, tuple(covered), len(covered) / 2, 0.5)
    happened: list[Event] = [
        AspectsPlanned((director, born)),
        assessed,
        AnswerWritten(said),
        RunFinished("no_gain", ""),
    ]
    return view([Record(n, "", n / 10, event) for n, event in enumerate(happened, 1)])


def test_of_a_chain_what_it_leads_to_comes_before_the_way_to_it_or_is_said_to_be_missing() -> None:
    whole = chain(covered=["Director of A", "Birthplace of the director"])
    assert [group["aspect"] for group in answer_groups(whole)] == ["Birthplace of the director", "Director of A"]
    half = chain(covered=["Director of A"])
    assert [group["aspect"] for group in answer_groups(half)] == ["Director of A", "Birthplace of the director"]
    words = "Not found: Birthplace of the director. What follows only leads up to it."
    for one, line in ((whole, ""), (half, words), (chain(covered=[]), "")):
        assert unreached(one) == line
        assert (words in dossier("r-1", one)) == bool(line)


def test_sentences_that_do_not_cover_their_aspect_are_marked_in_groups_table_and_drawer() -> None:
    texts = (("Revenue rose.", "Revenue impact"), ("Brussels is a city.", ASPECTS[3].aspect))
    run = answer(partial(), statements=tuple(Statement(text, name, (1,)) for text, name in texts))
    run.answer = replace(run.answer, table=AnswerTable(("A", "B", "C"), (TableRow("What", ((0,), (1,), ())),)))
    untabled = replace(run.answer, table=None)
    groups = answer_groups(replace(run, answer=untabled))
    assert [(g["hop"], g["missed"]) for g in groups] == [(2, False), (None, True)]
    drawn = table_value(run)
    assert drawn
    assert [cell["missed"] for cell in drawn["rows"][0][1]] == [False, True, False]
    claims = [opened_claim(run, f"{place}:1") for place in (0, 1)]
    said = [claim_lines(run, each)[1] for each in claims if each]
    assert said == [
        "Answers **Revenue impact**, covered in hop 2",
        f"Closest to **{ASPECTS[3].aspect}**, which it does not cover",
    ]


@pytest.mark.parametrize(
    ("columns", "words", "stacked"), [(2, 90, False), (3, 90, True), (4, 90, True), (4, 30, False)]
)
def test_a_table_of_long_cells_in_more_than_two_columns_is_stacked(columns: int, words: int, stacked: bool) -> None:
    run = answer(partial(), statements=(Statement("x" * words, "Revenue impact", (1,)),))
    cells = ((0,), *((),) * (columns - 1))
    run.answer = replace(run.answer, table=AnswerTable(tuple("ABCD"[:columns]), (TableRow("What", cells),)))
    drawn = table_value(run)
    assert drawn
    assert drawn["stacked"] == stacked
    assert drawn["figures"] == (words < 60), "columns of figures may be narrow"


def test_a_table_of_figures_with_more_columns_than_rows_is_turned_where_it_would_be_cut() -> None:
    run = answer(partial(), statements=tuple(Statement(f"{n}%", "Revenue impact", (1,)) for n in range(4)))
    rows = (TableRow("Margin", ((0,), (1,), (2,), (3,))),)
    run.answer = replace(run.answer, table=AnswerTable(("A", "B", "C", "D"), rows))
    drawn = table_value(run)
    assert drawn
    assert drawn["columns"] == ["Margin"]
    assert [(name, cell["statements"][0]["text"]) for name, [cell] in drawn["rows"]] == [
        ("A", "0%"),
        ("B", "1%"),
        ("C", "2%"),
        ("D", "3%"),
    ]


def test_a_short_answer_without_a_sentence_is_shown(home: Path) -> None:
    def page() -> None:
        from adaq_core.model import Answer, ShortAnswer
        from adaq_core.trace import RunView
        from pages._shared.components.answer.view import show_answer

        short = ShortAnswer("Q1 2023: $117,154 million", "number", (), "the income statement")
        show_answer(RunView(answer=Answer("**Q1** [1]\n\nWorked out from the income statement.", short=short)), key="a")

    app = AppTest.from_function(page).run()
    assert not app.exception
    assert component(app, "a")["short"]["text"] == "Q1 2023: $117,154 million"


def test_rows_are_as_high_as_their_longest_cell_and_one_line_where_all_fit() -> None:
    short = {"title": "Report", "stage": "read, not kept", "why": "Rank 4 for its query.", "came": "Hop 1"}
    fits = {**short, "why": "Its sentences say less of what is asked than those quoted."}
    tables = ([short, fits], [short, {**short, "why": "x" * 90}], [{**short, "title": "x" * 400}])
    assert [lines_of(table) for table in tables] == [1, 2, 5]
    assert [row_height(lines_of(table)) for table in tables] == [None, 64, 108]


def test_what_the_question_itself_brought_does_not_repeat_the_question() -> None:
    stories = (partial(), replace(partial(), question=TURNS[0].query))
    assert [how_it_came(view(records(story)), "d1-0#0") for story in stories] == [
        f"hop 1, query “{TURNS[0].query}”",
        "hop 1, by the question itself",
    ]


def test_a_cited_passage_is_listed_once() -> None:
    assert [(s["n"], s["numbers"], s["origin"]) for s in source_values(answer())] == [(1, "1, 2", "annual · 2022")]


@pytest.mark.parametrize("cite", ["0:9", "x:1", "", "7", "0:x", "--1:1"])
def test_a_citation_that_the_answer_does_not_have_opens_nothing(cite: str) -> None:
    assert opened_claim(answer(), cite) is None


def test_sources_that_disagree_stand_side_by_side(home: Path) -> None:
    story = list(events(finished()))
    conflict = Conflict("Date and price", "the price", ("5 million", "7 million"), (1, 2))
    changed = [
        replace(e, answer=replace(e.answer, conflicts=(conflict,))) if isinstance(e, AnswerWritten) else e
        for e in story
    ]
    text = shown(ask(run=stored_events(changed)))
    assert "**Sources disagree** on the price" in text
    assert "**5 million**" in text
    assert "source 2" in text
