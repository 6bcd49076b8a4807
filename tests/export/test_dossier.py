"""A run as a page, as tables and as a TREC run file: what is in them, and that hostile words stay words."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from textwrap import indent

import pytest
from typer.testing import CliRunner

from adaq_core.cli import build
from adaq_core.events import AnswerWritten, Record
from adaq_core.export import FORMATS
from adaq_core.export.dossier import (
    answer_in_lines,
    claims_table,
    dossier,
    evidence_table,
    plain_answer,
    program_in,
    trec_run,
)
from adaq_core.export.page import run_page
from adaq_core.export.verdict import first_line
from adaq_core.model import Answer, AnswerTable, Citation, ShortAnswer, Statement, TableRow
from adaq_core.trace import RunView, view
from tests.recorded import failed_run, whole_run

ASKED = "What is BM25?"
HOSTILE = "</script><img src=x onerror=alert(1)> =cmd|' /C calc'!A0"


def run_of(events: list) -> RunView:
    return view([Record(n, "2026-11-22T12:00:00+00:00", n * 0.25, event) for n, event in enumerate(events)])


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def stored_run(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A run of the bundled corpus in a home of its own."""
    monkeypatch.setenv("ADAQ_HOME", str(indexed))
    asked = CliRunner().invoke(build(), ["ask", ASKED, "--method", "bm25", "--json"])
    return str(json.loads(asked.stdout)["run_id"])


def test_without_scripts_the_page_has_a_row_for_each_aspect_and_it_asks_for_nothing() -> None:
    page = run_page("r-1", run_of(whole_run(hops=2)))
    assert "default-src 'none'" in page
    assert not re.search(r"""<[^>]*\b(?:src|href)\s*=""", re.sub("(?s)<script.*</script>", "", page))
    lanes = re.search(r"<tbody>(.*)</tbody>", page)[1]
    assert re.findall(r"<th scope='row'>([^<]*)</th>((?:<td.*?</td>)*)", lanes) == [
        ("Definition of self-attention", "<td class='new'>✓ new</td><td class='kept'>✓</td>"),
        ("Why self-attention matters", "<td class='open'></td><td class='new'>✓ new</td>"),
    ]


def test_a_comparison_is_a_table_whose_sentences_stand_nowhere_else() -> None:
    covered, missed = "Definition of self-attention", "Why self-attention matters"
    said = [
        (covered, "It is <first>."),
        (covered, "It is second."),
        (missed, "It is near."),
        (covered, "Both are one."),
    ]
    statements = tuple(Statement(text, aspect, (1,)) for aspect, text in said)
    table = AnswerTable(("one", "t|wo"), (TableRow("Definition", ((0, 1), (2,))), TableRow("Cost", ((), ()))))
    events = [
        AnswerWritten(replace(event.answer, statements=statements, table=table))
        if isinstance(event, AnswerWritten)
        else event
        for event in whole_run(hops=1)
    ]
    run = run_of(events)
    markdown, page = dossier("r-1", run), run_page("r-1", run)
    assert "| | one | t\\|wo |\n|---|---|---|\n" in markdown
    assert (
        "| **Definition** | It is \\<first\\>. [1] It is second. [1] | It is near. [1] (does not cover it) |"
        in markdown
    )
    assert "| **Cost** | – | – |" in markdown
    assert "**Definition of self-attention**\n\n- Both are one. [1]" in markdown
    assert "<tr><td></td><th scope='col'>one</th><th scope='col'>t|wo</th></tr>" in page
    assert "<p>It is &lt;first&gt;. [1]</p><p>It is second. [1]</p></td>" in page
    assert "<td><p class='missed'>does not cover it</p><p>It is near. [1]</p></td>" in page
    assert [page.count(text) for text in ("It is &lt;first&gt;.", "It is near.", "Both are one.")] == [1, 1, 1]


def test_the_short_answer_comes_first_with_its_citation() -> None:
    short = ShortAnswer("1 <b>May</b>", "date", citations=(1,))
    events = [
        AnswerWritten(replace(event.answer, short=short)) if isinstance(event, AnswerWritten) else event
        for event in whole_run()
    ]
    lines = dossier("r-1", run_of(events)).splitlines()
    after = lines.index("## Answer") + 1
    assert next(line for line in lines[after:] if line) == r"**1 \<b\>May\</b\>** [1]"
    assert "<h2>Answer</h2>\n<p class='short'><strong>1 &lt;b&gt;May&lt;/b&gt;</strong> [1]</p>" in run_page(
        "r-1", run_of(events)
    )


def test_the_short_answer_begins_as_a_line_does_and_says_how_it_was_worked_out() -> None:
    short = ShortAnswer("eight", "number", citations=(1,), derivation="two documents that both say eight")
    events = [
        AnswerWritten(replace(event.answer, short=short)) if isinstance(event, AnswerWritten) else event
        for event in whole_run()
    ]
    run = run_of(events)
    step = "Worked out from two documents that both say eight."
    assert f"**Eight** [1]\n\n{step}\n" in dossier("r-1", run)
    assert f"<strong>Eight</strong> [1]</p>\n<p class='faint'>{step}</p>" in run_page("r-1", run)
    assert [first_line(replace(short, text=text)) for text in ("mRNA", "iPhone 17", "gpt-4", "No")] == [
        "mRNA", "iPhone 17", "gpt-4", "No",
    ]  # fmt: skip


def test_sentences_stand_under_their_aspect_and_each_source_once_with_all_its_quotes() -> None:
    names = [aspect.aspect for aspect in run_of(whole_run()).aspects]
    said = [
        Statement(text, name, (1,)) for text, name in (("One.", names[1]), ("Two.", names[0]), ("Three.", names[1]))
    ]
    cited = [Citation(1, "d1#0", "d1", "First", quote, 0, 4) for quote in ("One.", "Two.", "Two.")]
    answer = AnswerWritten(Answer("", tuple(said), tuple(cited)))
    events = [answer if isinstance(event, AnswerWritten) else event for event in whole_run()]
    lines = [line for line in dossier("r-1", run_of(events)).splitlines() if line]
    begin, sources = lines.index("## Answer") + 1, lines.index("## Sources") + 1
    under = [f"**{names[0]}**", "- Two. [1]", f"**{names[1]}**", "- One. [1]", "- Three. [1]"]
    assert lines[begin : begin + 5] == under
    assert lines[sources:] == ["1. First, Sample, 2026-01-02", "   > One.", "   > Two."]
    page = run_page("r-1", run_of(events))
    assert page.count("<h3>") == 2
    assert "<blockquote>One.</blockquote><blockquote>Two.</blockquote></div>" in page


_CODE = 'async def main():\n        run(`a`, "</code>")\n        ```'


def program_run() -> RunView:
    """A run whose answer quotes a program that stands indented in its passage, and the sentence before it."""
    run = run_of(whole_run())
    passage = replace(next(iter(run.passages.values())), text=f"Run it so:\n\n    {_CODE}\n\nThat is all.")
    run.passages[passage.passage_id] = passage
    start = passage.text.index("async")
    name = run.aspects[0].aspect
    said = ("Run it so:", "2024-01-02: " + " ".join(_CODE.split()))
    quotes = (("Run it so:", 0), (_CODE, start))
    cited = tuple(Citation(1, passage.passage_id, "d1", "First", quote, at, at + len(quote)) for quote, at in quotes)
    text = " ".join(f"{each} [1]" for each in said)
    run.answer = Answer(text, tuple(Statement(each, name, (1,)) for each in said), cited)
    return run


def test_a_program_keeps_the_lines_of_its_passage_wherever_the_answer_is_shown() -> None:
    run = program_run()
    lines = 'async def main():\n    run(`a`, "</code>")\n    ```'
    block = f"````\n{lines}\n````"
    assert program_in(run, run.answer.statements[1].text) == ("2024-01-02:", lines)
    assert program_in(run, "Run it so:") == ("", "")
    markdown = dossier("r-1", run)
    assert f"- Run it so: [1]\n- 2024-01-02: [1]\n{indent(block, '  ')}\n" in markdown
    assert indent(block, "   > ") in markdown
    shown = "<pre><code>async def main():\n    run(`a`, &quot;&lt;/code&gt;&quot;)\n    ```</code></pre>"
    page = run_page("r-1", run)
    assert f"<li>2024-01-02: [1]{shown}</li>" in page
    assert f"<blockquote>{shown}</blockquote>" in page
    assert f"- 2024-01-02: [1]\n{indent(lines, '    ')}" in plain_answer(run)
    assert answer_in_lines(run) == f"Run it so: [1]\n\n2024-01-02: [1]\n{block}"


def test_a_program_of_a_list_stays_in_its_item_and_has_its_number_below_it() -> None:
    run = program_run()
    said = run.answer.statements[1]
    told = " ".join(_CODE.split())
    run.answer = replace(run.answer, text=f"- {told} [1]\n- Run it so: [1]", statements=(replace(said, text=told),))
    assert answer_in_lines(run).startswith("- ````\n  async def main():\n      run(")
    assert answer_in_lines(run).endswith("  ````\n  [1]\n- Run it so: [1]")
    assert "<li><pre><span>[1]</span><code>async def main():\n" in run_page("r-1", run)


def test_lines_of_a_form_are_no_program() -> None:
    run = program_run()
    quote = "Name: Ann\nJob: Fitter"
    run.answer = replace(run.answer, citations=(replace(run.answer.citations[0], quote=quote),))
    assert program_in(run, "Name: Ann Job: Fitter") == ("", "")


def test_an_aspect_that_the_answer_does_not_cover_is_said_to_be_open_in_its_heading() -> None:
    begun = whole_run(hops=1)
    names = [aspect.aspect for aspect in run_of(begun).aspects]
    said = tuple(Statement("Words.", name, (1,)) for name in names)
    written = AnswerWritten(Answer("", said, (Citation(1, "d1#0", "d1", "First", "Words.", 0, 6),)))
    events = [written if isinstance(event, AnswerWritten) else event for event in begun]
    covered = run_of(events).covered_at
    headings = re.findall("<h3>(.*?)</h3>", run_page("r-1", run_of(events)))
    assert headings == [name if name in covered else f"{name} (does not cover it)" for name in names]
    assert 0 < len(covered) < len(names)


def test_passages_for_a_question_that_is_not_english_are_not_said_to_fail_it() -> None:
    written = AnswerWritten(Answer("", abstained=True, status="unclear"))
    for question, words in (("Wie funktioniert BM25?", "not judged"), ("How so?", "which do not answer")):
        events = [event for event in whole_run(question=question) if not isinstance(event, AnswerWritten)]
        assert words in dossier("r-1", run_of([*events[:-1], written, events[-1]]))


def test_the_method_has_the_name_that_it_has_on_the_pages() -> None:
    run = run_of(whole_run())
    for text in (dossier("r-1", run), run_page("r-1", run)):
        assert "Method: ADAQ; corpus:" in text.replace("\\", "")


def test_a_failed_run_has_a_page_that_says_so() -> None:
    page = run_page("r-1", run_of(failed_run()))
    assert "<strong>The run failed" in page
    assert "The run came to no answer." in page


def test_hostile_words_stay_words_on_the_page() -> None:
    begun, *rest = whole_run(hops=1)
    asked = replace(begun, question=HOSTILE)  # type: ignore[arg-type]
    page = run_page("r-1", run_of([asked, *rest]))
    assert "<img" not in page
    assert page.count("</script>") == 1


def test_the_tables_hold_the_evidence_and_what_each_sentence_rests_on() -> None:
    run = run_of(whole_run(hops=2))
    [evidence], [claim] = rows(evidence_table(run)), rows(claims_table(run))
    assert (evidence["rank"], evidence["passage_id"], evidence["document_id"]) == ("1", "d2#0", "d2")
    assert evidence["text"] == run.evidence[0].passage.text
    assert (claim["sentence"], claim["n"], claim["passage_id"]) == ("1", "1", "d1#0")
    assert claim["text"] == "Passage"


def test_the_table_of_sentences_begins_with_the_short_answer_and_how_it_was_worked_out() -> None:
    run = run_of(whole_run(hops=1))
    assert run.answer is not None
    run.answer = replace(run.answer, short=ShortAnswer("11", "number", (1,), "11 of the 40 rows"))
    short, how, sentence = rows(claims_table(run))
    assert (short["sentence"], short["text"], short["n"], short["quote"]) == (
        "short answer",
        "11",
        "1",
        sentence["quote"],
    )
    assert (how["sentence"], how["text"], how["n"]) == ("worked out from", "11 of the 40 rows", "")
    assert sentence["sentence"] == "1"


def test_the_nearest_passages_of_no_answer_are_no_claims_and_no_evidence() -> None:
    run = run_of(whole_run(hops=1))
    assert run.answer is not None
    assert "\n\n\n" not in dossier("r-1", run)
    run.answer = replace(run.answer, abstained=True)
    [nearest] = rows(claims_table(run))
    assert (nearest["sentence"], nearest["aspect"], nearest["supported"]) == ("nearest, no answer", "", "")
    assert nearest["passage_id"] == "d1#0"
    assert "kept as evidence: none, as none answers; hops: 1" in dossier("r-1", run)


@pytest.mark.parametrize("begins", ["=", "+", "-", "@", "\t"])
def test_no_cell_of_a_table_is_a_formula(begins: str) -> None:
    run = run_of(whole_run(hops=1))
    first = run.evidence[0]
    run.evidence = (replace(first, passage=replace(first.passage, title=f"{begins}1+1")),)
    assert rows(evidence_table(run))[0]["title"] == f"'{begins}1+1"


def test_the_trec_run_file_has_six_columns_and_each_document_once() -> None:
    run = run_of(whole_run(hops=1))
    run.evidence = (*run.evidence, *run.evidence)
    assert trec_run("q 1", run) == f"q_1 Q0 {run.evidence[0].passage.document_id} 1 1 adaptive\n"


def test_every_format_is_written_from_the_command_line(tmp_path: Path, stored_run: str) -> None:
    for kind in FORMATS:
        file = tmp_path / f"run{kind.suffix}"
        done = CliRunner().invoke(build(), ["runs", "export", stored_run, "--format", kind.name, "--to", str(file)])
        assert done.exit_code == 0, done.output
        assert len(file.read_text(encoding="utf-8")) > 20, kind.name
    assert ASKED in (tmp_path / "run.html").read_text(encoding="utf-8")


def test_a_dossier_says_when_the_run_was_asked(stored_run: str) -> None:
    for kind in ("markdown", "html"):
        done = CliRunner().invoke(build(), ["runs", "export", stored_run, "--format", kind])
        assert re.search(rf"Run {stored_run}, asked on \d+ \w+ 20\d\d, \d\d:\d\d UTC", done.stdout)


def test_an_unknown_format_and_two_runs_in_one_page_are_refused_in_words(stored_run: str) -> None:
    unknown = CliRunner().invoke(build(), ["runs", "export", stored_run, "--format", "docx"])
    assert "Expected --format out of lines, html" in unknown.stderr
    two = CliRunner().invoke(build(), ["runs", "export", stored_run, stored_run, "--format", "html"])
    assert "A file of the format html holds one run." in two.stderr
