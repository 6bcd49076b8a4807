"""The app as a whole: its launcher, its words for trouble, and text of others that stays text."""

from __future__ import annotations

import ast
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from streamlit.config import get_config_options
from streamlit.testing.v1 import AppTest

from adaq_core import errors
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.runs.jobs import Job
from pages._shared.common import backend
from pages._shared.common.chrome import trouble_title
from pages._shared.common.text import literal, quoted, sentence, short, visible
from pages._shared.common.text import literal as escaped
from pages._shared.common.words import ago, count, method_label, percent, signed, stop_title
from pages._shared.evaluation.charts import SYMBOLS, THEME_COLOURS
from tests.pages.conftest import MAIN
from tests.pages.test_ask import shown

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "app.py", *(ROOT / "pages").rglob("*.py")])


def test_the_launcher_is_short_and_serves_the_pages_script() -> None:
    text = (ROOT / "app.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 60
    assert '"pages/main.py"' in text


def test_no_page_allows_raw_html_sleeps_or_speaks_sql() -> None:
    for path in PAGES:
        names = {
            node.arg for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.keyword)
        }
        assert "unsafe_allow_html" not in names, path
        text = path.read_text(encoding="utf-8")
        assert "time.sleep" not in text, path
        assert "SELECT " not in text, path


def test_an_error_is_shown_as_a_sentence() -> None:
    assert escaped("Expected a file.") == sentence(errors.CorpusError("expected a file"))
    assert escaped("What now?") == sentence(errors.CorpusError("What now?"))


def test_what_other_pages_need_is_loaded_once_one_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "_one_page_made", threading.Event())
    monkeypatch.setattr(backend, "_NEEDED_LATER", ("colorsys",))
    sys.modules.pop("colorsys", None)
    thread = backend.load_ahead()
    assert "colorsys" not in sys.modules
    with backend.turn():
        pass
    thread.join(60)
    assert "colorsys" in sys.modules


def test_two_pages_are_made_at_a_time_and_one_that_waits_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    inside, most, counting, over = 0, [0], threading.Lock(), threading.Event()

    def make(work: float) -> None:
        nonlocal inside
        with backend.turn():
            with counting:
                inside += 1
                most.append(inside)
            over.wait(work)
            with counting:
                inside -= 1

    def made(works: Sequence[float]) -> float:
        begun = time.monotonic()
        threads = [threading.Thread(target=make, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        threads[-1].join(60)
        return time.monotonic() - begun

    monkeypatch.setattr(backend, "_LONGEST_TURN_SECONDS", 60)
    made([0.02] * 8)
    assert max(most) == 2
    monkeypatch.setattr(backend, "_LONGEST_TURN_SECONDS", 0.3)
    assert made([30.0, 30.0, 0.0]) < 15
    over.set()


COLLECTED = """
import gc
from pages._shared.common import backend
for _ in range(60):
    with backend.turn():
        pass
    print(gc.get_freeze_count() > 10_000)
"""


def test_what_is_loaded_when_twenty_pages_were_made_is_exempt_from_collections_once() -> None:
    done = subprocess.run([sys.executable, "-c", COLLECTED], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"] * 19 + ["True"] * 41


def test_a_look_at_a_page_does_not_end_in_a_full_collection_which_stops_the_whole_process() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["runner"]["postScriptGC"] is False
    assert settings["runner"].keys() <= {key.split(".")[1] for key in get_config_options() if key.startswith("runner.")}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_method_has_a_colour_and_a_mark_of_its_own_in_charts(theme: str) -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    methods = len(backend.method_names())
    assert len(set(settings["theme"][theme]["chartCategoricalColors"])) == methods
    assert (len(set(THEME_COLOURS)), len(set(SYMBOLS))) == (methods, methods)


@pytest.mark.parametrize("page", ["ask.py", "trace_explorer.py", "compare_baselines.py", "corpus.py", "evaluation.py"])
def test_every_page_opens_on_an_empty_home(home: Path, page: str) -> None:
    app = AppTest.from_file(MAIN, default_timeout=180).run()
    app.switch_page(page).run()
    assert not app.exception
    assert not app.error


def test_a_first_visit_says_that_the_sample_documents_are_made_searchable(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    going_on: Job[None] = Job("the bundled corpus", lambda progress, cancelled: None)
    going_on.done, going_on.total, going_on.what = 119, 232, "companies/tesla-legal.md"
    monkeypatch.setitem(backend._made_ready, home, going_on)
    app = AppTest.from_file(MAIN, default_timeout=180).run()
    said = app.get("progress")[0].proto.text
    assert said == escaped(
        "Making the sample documents searchable, once: reading companies/tesla-legal.md (file 120 of 232)"
    )
    assert not app.title
    going_on.run()
    assert [title.value for title in app.run().title] == ["What do you want to find out?"]


def test_the_bundled_corpus_of_a_new_home_is_made_in_the_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path))
    job = backend.preparing()
    assert job is not None
    assert job.wait(180)
    assert (backend.preparing(), job.error) == (None, "")
    assert CorpusLibrary(tmp_path).is_made("sample")


def test_a_server_starts_over_a_bundled_corpus_that_is_damaged(home: Path) -> None:
    (home / "corpora" / "sample" / "current").write_text("nothing of this name")
    assert backend.preparing() is None
    app = AppTest.from_file(MAIN, default_timeout=180).run()
    assert (list(app.exception), list(app.error)) == ([], [])
    assert "232 documents" in shown(app)


def test_a_store_that_another_process_holds_is_said_in_words_with_a_way_on(home: Path) -> None:
    (home / "runs.duckdb").write_bytes(b"this is no database, and it must not be touched" * 40)
    app = AppTest.from_file(MAIN, default_timeout=180).run()
    assert not app.exception
    assert "damaged or not a run store" in shown(app)
    assert [button.label for button in app.button] == ["Try again"]
    assert (home / "runs.duckdb").read_bytes().startswith(b"this is no database")
    (home / "runs.duckdb").unlink()
    assert not app.button[0].click().run().error


@pytest.mark.parametrize(
    ("error", "title"),
    [
        (errors.StoreLocked("x"), "Another process is using the run store"),
        (errors.StoreTooNew("x"), "The run store was written by a later version of ADAQ"),
        (errors.FileReadError("x"), "The corpus cannot be used"),
        (errors.AdaqError("x"), "This did not work"),
    ],
)
def test_trouble_has_a_headline(error: errors.AdaqError, title: str) -> None:
    assert trouble_title(error) == title


@pytest.mark.parametrize(
    "text",
    ["![p](http://e.example/x.png)", "[l](javascript:x)", ":red[x] :tada: :material/home:", "$a$", "<b>", "# h", "`c`"],
)
def test_text_of_others_keeps_no_markup(text: str) -> None:
    line = literal(text)
    for mark in "![]()<>`#$*_~|":
        assert line.count(mark) == line.count("\\" + mark), (mark, line)
    assert line.replace("\\", "").replace("\u2060", "") == text
    assert line == escaped(text)


def test_marks_that_turn_the_reading_direction_are_taken_out() -> None:
    assert visible("safe\u202etxt.exe\x00") == "safetxt.exe"
    assert literal("a\u202eb\nc") == "ab c"


def test_a_query_cannot_end_its_code_span() -> None:
    assert quoted("a`b ![x](y)`") == "`a'b ![x](y)'`"
    assert quoted("  ") == ""


def test_words_and_numbers() -> None:
    assert short("one two three four", 12) == "one two…"
    assert [count(1, "hop"), count(2, "hop"), count(1204, "passage")] == ["1 hop", "2 hops", "1,204 passages"]
    assert [signed(3), signed(-2), signed(0.0)] == ["+3", "−2", "±0"]
    assert [percent(None), percent(0.345)] == ["–", "34%"]
    assert [method_label("adaptive"), method_label("new_one")] == ["ADAQ", "New one"]
    assert stop_title("no_gain") == "Stopped: more hops would not help"


def test_how_long_ago() -> None:
    from datetime import UTC, datetime, timedelta

    now = datetime(2026, 1, 2, tzinfo=UTC)
    ages = [timedelta(seconds=5), timedelta(minutes=1), timedelta(hours=5), timedelta(days=2)]
    assert [ago(now - age, now=now) for age in ages] == ["just now", "1 minute ago", "5 hours ago", "2 days ago"]
