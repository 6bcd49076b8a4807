"""Runs that leave the machine: the page asks for nothing, the dossier is literal, imports are exact."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from adaq_core.export.dossier import dossier
from adaq_core.export.run_json import read_runs, run_lines
from adaq_core.store.history import Remark, Remarks
from adaq_core.store.store import open_store
from adaq_core.trace import view
from pages._shared.trace.export import run_page, size
from tests.pages import built_runs
from tests.pages.test_trace_explorer import stored

HOSTILE = "</script><img src=x onerror=alert(1)> ![p](http://evil.example/p.png) | # *b*"


def test_the_page_holds_the_lanes_and_asks_for_nothing() -> None:
    page = run_page("r-1", view(built_runs.records(built_runs.finished())))
    assert "All 4 aspects are covered." in page
    assert "const component = function" in page
    assert "default-src 'none'" in page
    assert not re.findall(r"""(?:src|href)\s*=\s*["']?https?:""", page)
    data = json.loads(re.search(r"^const data = (.*)$", page, re.MULTILINE)[1])
    assert [aspect["covered_at"] for aspect in data["aspects"]] == [1, 2, 2, 4]


def test_hostile_words_stay_words_in_the_page() -> None:
    page = run_page("r-1", view(built_runs.records(replace(built_runs.finished(), question=HOSTILE))))
    assert "<img" not in page
    assert page.count("</script>") == 1


def test_hostile_words_stay_words_in_the_dossier() -> None:
    text = dossier("r-1", view(built_runs.records(replace(built_runs.finished(), question=HOSTILE))))
    assert "![p]" not in text
    assert not re.search(r"(?<!\\)<img", text)
    assert "http://" not in text
    assert text.startswith("# \\<")


def test_the_dossier_names_what_covered_each_aspect_and_what_is_missing() -> None:
    text = dossier("r-1", view(built_runs.records(built_runs.partial())))
    assert re.search(r"^\| Date and price \| hop 1 \| \d\.\d\d \| Acme report 1\\?\.0 \|$", text, re.MULTILINE)
    assert re.search(r"^\| Regulatory exposure .* \| no \|", text, re.MULTILINE)


def test_a_run_comes_back_as_it_went(home: Path) -> None:
    run_id = stored(built_runs.finished())
    store = open_store()
    store.annotate(run_id, note="Look again", tags=["board"], rating=-1)
    remarks = (Remark("hop", "2", "The turning point", 1), Remark("sentence", "1", "", -1))
    for remark in remarks:
        Remarks(store).keep(run_id, remark)
    lines = list(run_lines(store.run(run_id), store.records(run_id), Remarks(store).of(run_id)))
    [back] = read_runs(lines)
    assert (back.note, back.tags, back.rating, back.remarks) == ("Look again", ("board",), -1, remarks)
    again = store.import_run(back.records, run_id=back.run_id, remarks=back.remarks)
    assert Remarks(store).of(again) == remarks
    assert [record.event for record in store.records(again)] == [record.event for record in store.records(run_id)]
    assert store.run(again).imported


def test_remarks_of_a_hostile_file_that_are_none_are_left_out(home: Path) -> None:
    store = open_store()
    head, *rest = run_lines(store.run(run_id := stored(built_runs.finished())), store.records(run_id))
    given = [3, {"part": "store"}, {"part": "hop", "target": 7, "note": ["x"], "rating": 99}]
    [back] = read_runs([json.dumps({**json.loads(head), "remarks": given}), *rest])
    assert back.remarks == (Remark("hop", "7", "['x']", None),)


def test_sizes_read_as_people_read_them() -> None:
    assert (size(3), size(12_400), size(1_400_000)) == ("1 kB", "12 kB", "1.4 MB")
