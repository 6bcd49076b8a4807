"""The command line as a user meets it: what goes to stdout, what to stderr, and the exit code."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adaq_core.cli import build
from adaq_core.cli._hop_log import HopLog, counted, harmless
from adaq_core.cli._options import Follower, warnings
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.events import FellBack, Noticed
from adaq_core.methods import names
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.runner import get_runner
from adaq_core.store import open_store
from adaq_core.trace import RunView
from tests.drinks import DOCUMENTS, QUESTION
from tests.recorded import failed_run, whole_run

PROJECT = Path(__file__).resolve().parents[2]


def ask_json(adaq, *more: str) -> dict:
    return json.loads(adaq("ask", QUESTION, "--corpus", "drinks", "--json", *more).stdout)


def test_answer_cites_its_sources(adaq):
    out = adaq("ask", QUESTION, "--corpus", "drinks").stdout
    assert "Tea is a drink made of leaves. [" in out
    assert "Sources\n  [1] " in out
    listed = [line for line in out.splitlines() if line.startswith("  [")]
    assert len(listed) == len(set(listed))
    assert "3 of 3 aspects covered in " in out


def test_the_weighted_coverage_stands_in_the_log_alone_not_beside_the_aspects_covered(adaq):
    plain, log = (adaq("ask", QUESTION, "--corpus", "drinks", *more).stdout for more in ((), ("-v",)))
    assert "3 of 3 aspects covered in " in plain.splitlines()[-1]
    assert "All 3 aspects covered" in plain.splitlines()[-1]
    assert "weighted coverage" not in plain + log.splitlines()[-1]
    assert "(weighted coverage: " in log


def test_json_has_the_promised_shape(adaq):
    found = ask_json(adaq, "--k", "2")
    assert list(found) == [
        "run_id",
        "question",
        "method",
        "corpus",
        "stop_reason",
        "answer",
        "sufficiency",
        "answerable",
        "calibrated",
        "aspects",
        "hops",
        "evidence",
        "cost",
        "model",
        "citations_check",
        "sources",
    ]
    assert (found["question"], found["method"], found["corpus"]) == (QUESTION, "adaptive", "drinks")
    assert found["stop_reason"] == "all_covered"
    assert set(found["answer"]) == {"text", "short", "status", "likely", "abstained", "citations", "unused"}
    assert found["answer"]["abstained"] is False
    assert 0 < found["sufficiency"] < 1
    assert 0 < found["answerable"] < 1
    assert found["calibrated"] is False
    assert all(set(c) == {"n", "passage_id", "document_id", "title", "quote"} for c in found["answer"]["citations"])
    assert [set(a) for a in found["aspects"]] == [{"aspect", "type", "importance", "coverage", "covered_at_hop"}] * 3
    keys = ["n", "queries", "passages", "newly_covered", "coverage", "sufficiency", "answerable", "decision"]
    assert [list(hop) for hop in found["hops"]] == [keys] * len(found["hops"])
    hop = found["hops"][0]
    assert (hop["n"], list(hop["queries"][0])) == (1, ["text", "aspect"])
    assert list(hop["passages"][0]) == ["passage_id", "document_id", "title", "score"]
    assert list(hop["decision"]) == ["stop", "reason"]
    assert found["hops"][-1]["coverage"] == 1.0
    assert len(found["evidence"]) <= 2
    assert {"seconds", "hops", "queries", "passages_read", "prompt_tokens", "reply_tokens", "usd"} <= set(found["cost"])


def test_citations_quote_the_corpus_word_for_word(adaq):
    citations = ask_json(adaq)["answer"]["citations"]
    texts = [" ".join(text.split()) for text in DOCUMENTS.values()]
    assert citations
    assert all(any(citation["quote"] in text for text in texts) for citation in citations)


@pytest.mark.parametrize("method", names())
def test_every_method_can_be_asked(adaq, method):
    assert ask_json(adaq, "--method", method)["method"] == method


def test_verbose_prints_the_log_of_the_hops(adaq):
    out = adaq("ask", QUESTION, "--corpus", "drinks", "-v", "--max-hops", "4").stdout
    for line in (
        "📋 Identified Aspects (3):",
        "  1. [CORE] Definition of tea (definition)",
        "[Hop 1/4] Targeting 3 uncovered aspects",
        "  Why: The question itself is searched first",
        "  Subquery: Compare tea and coffee",
        "  ⊕ Newly covered: Definition of tea",
        "  📊 Coverage: ",
        "  Decision: Stop - ",
        "✓ Stopping early after ",
    ):
        assert line in out


def test_learning_is_off_until_it_is_switched_on_and_then_shown(adaq, tmp_path):
    # So many houses say the words of the question that its own search brings no definition: a query of its own does.
    houses = {f"{n}.txt": f"Tea house {n}\n\nCompare tea and coffee in house {n}: both are there." for n in range(40)}
    for name, text in (DOCUMENTS | houses).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    adaq("index", str(tmp_path), "--corpus", "houses")
    plain = adaq("ask", QUESTION, "--corpus", "houses", "-v").stdout
    assert "  Subquery: What is tea?" in plain
    assert "Learned from" not in plain
    assert (
        "Learned from 1 earlier run on this corpus"
        in adaq("ask", QUESTION, "--corpus", "houses", "--learn", "-v").stdout
    )
    assert "Learned from" not in adaq("ask", QUESTION, "--corpus", "houses", "-v", "--no-learn").stdout


def test_a_cross_encoder_that_is_not_there_is_said_and_the_run_goes_on(adaq):
    done = adaq("ask", QUESTION, "--corpus", "drinks", "--cross-encoder", "no/such")
    assert "Warning: The cross-encoder could not be used: expected a cross-encoder 'no/such' in a folder" in done.stderr
    assert "3 of 3 aspects covered in " in done.stdout


def test_verbose_with_json_keeps_stdout_clean(adaq):
    done = adaq("ask", QUESTION, "--corpus", "drinks", "-v", "--json")
    assert json.loads(done.stdout)["question"] == QUESTION
    assert "[Hop 1/10]" in done.stderr


def test_question_can_come_from_stdin(adaq):
    found = json.loads(adaq("ask", "-", "--corpus", "drinks", "--json", stdin=f"{QUESTION}\n").stdout)
    assert found["question"] == QUESTION


def test_the_questions_of_a_file_are_answered_in_their_order_and_kept_under_its_name(adaq, tmp_path):
    file = tmp_path / "drinks-2026.txt"
    file.write_text('What is tea?\n\n{"question": "What is coffee?", "id": "c"}\n', encoding="utf-8")
    lines = adaq("ask", "--questions", str(file), "--corpus", "drinks", "--json").stdout.splitlines()
    assert [json.loads(line)["question"] for line in lines] == ["What is tea?", "What is coffee?"]
    kept = sorted((row.question_id, row.question) for row in open_store().runs(group="drinks-2026"))
    assert kept == [("1", "What is tea?"), ("c", "What is coffee?")]


@pytest.mark.parametrize(
    ("text", "arguments", "words"),
    [
        ("What is tea?", ("What is coffee?",), "Expected either a question or --questions FILE"),
        ("What is tea?", ("--source", "wikipedia"), "one question at a time"),
        ("\n \n", (), "got none"),
        ('{"id": "a"}', (), "on line 1"),
        ('{"id": "a", "question": "x"}\n{"id": "a", "question": "y"}', (), "earlier question"),
    ],
)
def test_a_file_of_questions_that_cannot_be_asked_is_refused_in_words(adaq, tmp_path, text, arguments, words):
    file = tmp_path / "questions.txt"
    file.write_text(text, encoding="utf-8")
    assert words in adaq("ask", "--questions", str(file), *arguments, code=2).stderr


def test_folder_is_indexed_when_it_is_asked_about(adaq, tmp_path):
    (tmp_path / "note.txt").write_text(
        "Zirconium\n\nZirconium is a grey metal that resists corrosion.", encoding="utf-8"
    )
    out = adaq("ask", "What is zirconium?", "--corpus", str(tmp_path)).stdout
    assert "Zirconium is a grey metal" in out


def test_fewer_hops_than_the_usual_minimum_are_granted(adaq):
    assert len(ask_json(adaq, "--max-hops", "1")["hops"]) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ask", ""], "The question is empty"),
        (["ask", "   "], "The question is empty"),
        (["ask", "word " * 10_000], "10,000 words"),
        (["ask", "What is tea?", "--method", "magic"], "no method 'magic'; the methods are adaptive"),
        (["ask", "What is tea?", "--corpus", "nothing"], "no corpus and no folder 'nothing'"),
        (["ask", "What is tea?", "--corpus", "drinks", "--k", "0"], "--k"),
        (["ask", "What is tea?", "--corpus", "drinks", "--max-hops", "-1"], "--max-hops"),
        (["ask", "caf\udce9?", "--corpus", "drinks"], "not valid UTF-8"),
        (["ask"], "The question is empty"),
        (["frobnicate"], "No such command"),
        (["compare", "What is tea?", "--methods", "adaptive,magic"], "no method 'magic'"),
        (["compare", "What is tea?", "--methods", " , "], "--methods names none; the methods are adaptive"),
        (["evaluate", "--dataset", "general", "--methods", ""], "--methods names none; the methods are adaptive"),
        (["index", "/no/such/place", "--corpus", "x"], "nothing at /no/such/place"),
        (["index", "delete", "nothing", "--yes"], "no corpus 'nothing'"),
        (["runs", "show", "r-nothing"], "no run 'r-nothing'"),
        (["runs", "delete", "r-nothing", "--yes"], "no run 'r-nothing'"),
        (["runs", "list", "--order", "colour"], "not 'colour'"),
        (["runs", "list", "--status", "sleepy"], "not sleepy"),
    ],
)
def test_bad_input_is_said_in_words_with_exit_code_2(adaq, arguments, words):
    done = adaq(*arguments, code=2)
    assert words in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_compare_runs_all_methods_as_one_group(adaq):
    done = adaq("compare", QUESTION, "--corpus", "drinks", "--methods", "all", "--json")
    found = json.loads(done.stdout)
    assert tuple(run["method"] for run in found["runs"]) == names()
    assert open_store().count(group=found["group"]) == len(names())
    assert {run["question"] for run in found["runs"]} == {QUESTION}


def test_compare_prints_who_covers_what(adaq):
    out = adaq("compare", QUESTION, "--corpus", "drinks", "--methods", "adaptive, bm25,adaptive").stdout
    lines = out.splitlines()
    assert lines[0] == QUESTION
    assert [line.split()[0] for line in lines if line.startswith(("adaptive ", "bm25 "))] == ["adaptive", "bm25"]
    assert any(line.startswith("Definition of tea") and "hop 1" in line for line in lines)


def test_the_aspects_of_a_comparison_stand_under_their_heads_however_short(adaq):
    lines = adaq("compare", "tea", "--corpus", "drinks", "--methods", "bm25").stdout.splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("aspect "))
    assert len({len(line) for line in lines[head:]}) == 1


def test_an_error_is_said_in_a_sentence_that_begins_as_one(adaq):
    assert adaq("evaluate", code=2).stderr.startswith("Error: Expected --dataset with a set of questions")


def test_index_says_what_went_in_and_what_did_not(adaq, tmp_path):
    (tmp_path / "good.txt").write_text("Good\n\nA good text about kettles.", encoding="utf-8")
    (tmp_path / "odd.xyz").write_text("what is this", encoding="utf-8")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 no")
    done = adaq("index", "add", str(tmp_path), "--corpus", "mixed")
    assert done.stdout.startswith("mixed: 1 document, 1 passage (1 added")
    assert "odd.xyz: " in done.stderr
    assert "broken.pdf: " in done.stderr
    assert "1 unchanged" in adaq("index", str(tmp_path), "-c", "mixed").stdout
    lines = adaq("index", "list").stdout.splitlines()
    one, several = (next(line for line in lines if line.startswith(name)) for name in ("mixed ", "drinks "))
    assert one.split()[1:5] == ["1", "document", "1", "passage"]
    assert one.index("passage") == several.index("passage")
    listed = json.loads(adaq("index", "list", "--json").stdout)
    assert {"sample", "drinks", "mixed"} <= {card["name"] for card in listed}
    assert adaq("index", "delete", "mixed", "--yes").stdout == "Deleted corpus mixed.\n"
    assert "mixed" not in adaq("index", "list").stdout


def test_what_was_searched_by_words_for_want_of_vectors_is_said_before_the_answer():
    retriever = DocumentRetriever(CorpusLibrary().open("sample"), "dense")
    told = warnings(RunView(noticed=[Noticed("retrieve", retriever.degraded)]))
    assert [*told] == ["dense search needs passage vectors, which are not ready: searching by words"]


def test_a_model_that_failed_is_told_in_two_sentences():
    fell = [FellBack("plan", "the reply names no aspect", "the aspects of the rules")]
    [told] = warnings(RunView(fell_back=fell))
    assert told.endswith("First in plan: the reply names no aspect. Used instead: the aspects of the rules.")


def test_a_corpus_that_nothing_went_into_is_not_missed_but_said_not_to_be_made(adaq, tmp_path):
    done = adaq("index", str(tmp_path), "--corpus", "bare", code=2)
    assert done.stderr.endswith(f"Corpus bare was not made: there is no file in {tmp_path}. Check the path.\n")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 no")
    done = adaq("index", str(tmp_path), "--corpus", "bare", code=2)
    assert "broken.pdf: is not a PDF" in done.stderr
    assert done.stderr.endswith("Corpus bare was not made: ADAQ could not read the file. The reasons are above.\n")


def test_a_run_branches_from_a_hop_with_a_query_and_a_reworded_aspect(adaq):
    parent = ask_json(adaq)
    old, *rest = [aspect["aspect"] for aspect in parent["aspects"]]
    given = ("--hop", "1", "--aspect", f"{old}=Price of tea", "--query", "falls as rain", "--json")
    child = json.loads(adaq("runs", "branch", parent["run_id"], *given).stdout)
    assert [aspect["aspect"] for aspect in child["aspects"]] == ["Price of tea", *rest]
    assert child["hops"][0]["queries"] == parent["hops"][0]["queries"]
    assert child["hops"][1]["queries"] == [{"text": "falls as rain", "aspect": ""}]
    refused = adaq("runs", "branch", parent["run_id"], "--hop", "1", "--aspect", "Nothing of it=X", code=2)
    assert "Expected OLD=NEW with OLD out of" in refused.output


def test_deleting_asks_first(adaq):
    run_id = ask_json(adaq)["run_id"]
    adaq("runs", "delete", run_id, stdin="n\n", code=130)
    adaq("runs", "delete", run_id, stdin="", code=130)
    assert open_store().run(run_id) is not None
    assert adaq("runs", "delete", run_id, stdin="y\n").stdout.endswith("Deleted 1 run.\n")
    assert open_store().run(run_id) is None


def test_stored_run_is_printed_again(adaq):
    found = ask_json(adaq)
    assert json.loads(adaq("runs", "show", found["run_id"], "--json").stdout) == found
    out = adaq("runs", "show", found["run_id"], "-v").stdout
    assert "[Hop 1/10]" in out
    assert found["answer"]["text"] in out


def test_runs_are_listed_and_filtered(adaq):
    run_id = ask_json(adaq, "--method", "iterative")["run_id"]
    lines = adaq("runs", "list", "--method", "iterative", "--text", "TEA and", "--limit", "1").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [run_id]
    row = get_runner().store.known(run_id)
    assert f" {counted(row.hops, 'hop')}  " in lines[0]
    found = json.loads(adaq("runs", "list", "--json", "--order", "-created_at").stdout)
    assert found[0]["run_id"] == run_id
    assert found[0]["coverage_by_hop"][-1] == found[0]["percentage"]


def test_failed_run_has_exit_code_1_and_still_prints_its_json(adaq, monkeypatch):
    def broken(self, name: str):
        raise OSError("the disk is gone")

    monkeypatch.setattr(CorpusLibrary, "open", broken)
    done = adaq("ask", QUESTION, "--corpus", "drinks", "--json", code=1)
    assert json.loads(done.stdout)["stop_reason"] == "error"
    assert "the disk is gone" in done.stderr
    assert "Traceback" not in done.stderr


def test_ctrl_c_stops_the_run_and_keeps_what_it_has(adaq):
    runner = get_runner()
    run_id = runner.submit(RunSpec("adaptive", QUESTION), corpus="drinks")
    calls = []

    def interrupt_once(record) -> None:
        calls.append(record.seq)
        if len(calls) == 1:
            raise KeyboardInterrupt

    follower = Follower(runner, run_id, interrupt_once)
    row = follower.follow()
    assert row.over
    assert follower.stopped
    assert calls == list(range(1, row.last_seq + 1))


def test_second_ctrl_c_leaves_at_once(adaq):
    runner = get_runner()

    def interrupt(record) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Follower(runner, runner.submit(RunSpec("adaptive", QUESTION), corpus="drinks"), interrupt).follow()


def test_log_of_a_failed_run_ends_with_the_reason():
    log = HopLog()
    lines = [line for event in failed_run() for line in log.lines(event)]
    assert lines[-1] == "\n✗ Failed: the corpus went away"


def test_log_tells_each_hop_as_the_source_documents_do():
    log = HopLog()
    lines = [line for event in whole_run(hops=2) for line in log.lines(event)]
    assert lines[:3] == [
        "📋 Identified Aspects (2):",
        "  1. [CORE] Definition of self-attention (definition)",
        "  2. [OPTIONAL] Why self-attention matters (causal)",
    ]
    first = lines.index("\n[Hop 1/10] Targeting 1 uncovered aspect")
    assert lines[first + 1 : first + 6] == [
        "  🎯 Targeting Aspect: Definition of self-attention",
        "  Why: Definition of self-attention is open",
        "  Subquery: query 1",
        "  Found 2 relevant documents (total: 2)",
        "  Link: “X” named in d1#0 → d9#0",
    ]
    assert "  📊 Coverage: 50.0% (1 aspect uncovered)" in lines
    assert "  Weighted coverage: 45.0% (the mean of the scores, not the share covered)" in lines
    assert "  Uncovered: ['Why self-attention matters']" in lines
    assert "  Decision: Continue - aspects are open" in lines
    assert "  ⚠ synthesise: reply was no JSON; used extractive instead" in lines
    assert lines[-1] == "\n✓ Stopping early after 2 hops: All core aspects are covered."


def test_text_of_a_document_cannot_steer_the_terminal():
    assert harmless("a\x1b[2Jb\x07c\td\ne\x9bf\r") == "a[2Jbc\td\nef"


def commands() -> list[str]:
    return sorted(path.stem for path in (PROJECT / "adaq_core" / "cli").glob("[a-z]*.py"))


def test_the_promised_commands_are_there():
    assert {"ask", "compare", "doctor", "index", "runs"} <= set(commands())


@pytest.mark.parametrize("command", commands())
def test_help_of_every_command_has_an_example(adaq, command):
    assert f"python -m adaq_core {command}" in adaq(command, "--help").stdout
    assert f"\n  {command} " in adaq("--help").stdout


@pytest.mark.parametrize("option", ["--budget-seconds", "--budget-usd"])
@pytest.mark.parametrize("value", ["inf", "nan", "-1"])
def test_a_budget_that_is_no_number_is_refused_in_words(option, value):
    result = CliRunner().invoke(build(), ["ask", "What is BM25?", option, value])
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)


def test_ask_says_which_word_no_passage_says(adaq):
    done = adaq("ask", "What is cofee made of?", "--corpus", "drinks")
    assert "No passage says “cofee”; did you mean “coffee”? That is searched for too" in done.stderr
    assert "Coffee is a drink made of roasted beans." in done.stdout


def test_an_answer_may_cite_a_passage_for_each_aspect_unless_a_number_is_given(adaq):
    question = " ".join(f"What is the outlook of Company{letter}?" for letter in "ABCDEFG")
    notice = "The question asks for several parts or lists: 7 passages may be cited"
    assert notice in adaq("ask", question, "--corpus", "drinks", "-v").output
    assert notice not in adaq("ask", question, "--corpus", "drinks", "-v", "--k", "5").output


def test_k_is_a_number_or_auto(adaq):
    assert ask_json(adaq, "--k", "auto")["answer"]["citations"]
    assert "Expected a number from 1 to 100, or auto, got 'many'." in adaq("ask", "x", "--k", "many", code=2).output
