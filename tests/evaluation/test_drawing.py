import re

from adaq_core.evaluation.results import summarise
from adaq_core.evaluation.views import Chart, Series, charts, draw

BARS = Chart("quality", "A <b>title</b>", "bars", "", "y", (Series("one", ("Recall@5",), (0.5,), (0.4,), (None,)),))
LINES = Chart("curve", "Curve", "lines", "x", "y", (Series("one", (1, 2), (0.5, 0.7)),), diagonal=True)


def test_a_picture_per_chart_and_a_page_that_fetches_nothing(tmp_path):
    files = draw((BARS, LINES), tmp_path / "plots", title="All & more")
    assert [file.name for file in files] == ["quality.png", "curve.png", "plots.html"]
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files[:2])
    page = files[2].read_text()
    assert "<h1>All &amp; more</h1>" in page
    assert "A &lt;b&gt;title" in page
    assert re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=", page) == []


def test_only_what_there_is_gets_drawn(outcome):
    rows = [outcome("static", "q1", hops=2, complete_from=2, complete=True, measures={"Recall@5": 1.0})]
    methods = summarise(rows, questions=["q1"], labels=["static"], reference="static")["methods"]
    assert [chart.name for chart in charts(rows, methods)] == [
        "quality",
        "quality_against_cost",
        "recall_at_hop",
        "coverage_at_hop",
    ]
