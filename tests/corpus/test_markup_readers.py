"""Markdown, reStructuredText and their front matter."""

import pytest

from adaq_core.corpus.readers import (
    read,
)
from adaq_core.errors import FileReadError
from adaq_core.model import Document
from adaq_core.text.passages import cut
from tests.corpus.test_readers import one

# Markdown


def test_markdown_front_matter_says_title_source_date_and_more():
    text = """---
title: "Tesla: supply risk"
source: Sample
topic: tesla
tags: [cells, lithium]
date: 2024-05-01
---
# Tesla: supply risk

Tesla buys **cells** from _Panasonic_ and [CATL](https://catl.com "site").

<!-- not for readers -->
* `lithium` is 2 * 3 of it; snake_case_name stays
"""
    assert one("tesla/supply.md", text.encode()) == Document(
        "tesla/supply.md",
        "Tesla: supply risk",
        "Tesla buys cells from Panasonic and CATL.\n\n- lithium is 2 * 3 of it; snake_case_name stays",
        source="Sample",
        date="2024-05-01",
        metadata=(("topic", "tesla"), ("tags", "cells, lithium")),
    )


def test_without_front_matter_the_first_heading_is_the_title():
    document = one("a.md", b"# Attention\n\nIt weighs.\n\n## Heads\nMany.")
    assert (document.title, document.text) == ("Attention", "It weighs.\n\nHeads\n\nMany.")


def test_another_heading_than_the_title_stays_in_the_text():
    document = one("a.md", b"---\ntitle: T\n---\n# Other\n\nBody.")
    assert (document.title, document.text) == ("T", "Other\n\nBody.")


def test_front_matter_in_toml_says_title_day_and_more():
    fields = (
        'path = "2025/06/26/Acme-1.88"\ntitle = "Announcing Acme 1.88"\nauthors = ["A", "B"]\n[extra]\nrelease = true'
    )
    toml = f"+++\n{fields}\n+++\n"
    post = one("acme.md", f"{toml}\nWe are happy.".encode())
    assert (post.title, post.date, post.text) == ("Announcing Acme 1.88", "2025-06-26", "We are happy.")
    assert {("authors", "A, B"), ("release", "True")} <= set(post.metadata)
    reading = read("acme.md", b"+++\ntitle = \n+++\nWe are happy.")
    assert reading.documents[0].text == "We are happy."
    assert "front matter line not understood" in reading.problems[0]


def test_strange_front_matter_is_listed_and_the_rest_read():
    reading = read("a.md", b"---\ntitle: T\n- oops\n---\nBody.")
    assert reading.documents[0].title == "T"
    assert reading.problems == ("front matter line not understood: '- oops'",)


def test_hostile_markdown_is_read_as_it_stands():
    hostile = "[" * 10_000 + "*" * 10_000 + "_a" * 10_000
    assert one("a.md", hostile.encode()).text == hostile


RST = b"""h11
===

.. image:: https://codecov.io/gh/python-hyper/h11/branch/master/graph/badge.svg
   :target: https://codecov.io/gh/python-hyper/h11
   :alt: Test coverage

.. |Build Status| image:: https://travis-ci.org/python-hyper/h11.svg

|Build Status| |Coverage|

This is a little library, inspired by `hyper-h2 <https://hyper-h2.readthedocs.io/>`_; it has ``no`` IO.

.. _hyper: https://hyper.rtfd.org
"""


def test_of_restructured_text_the_words_of_the_page_are_read():
    (document,) = read("h11.rst", RST).documents
    assert document.title == "h11"
    assert document.text.split("\n")[-1] == "This is a little library, inspired by hyper-h2; it has no IO."
    assert "image" not in document.text
    assert ":target:" not in document.text


def test_restructured_text_is_read_as_such_whatever_the_file_is_called():
    below_a_name = b"# h11\n\nSummary: pure\n\n" + RST.partition(b"===\n")[2]
    for name, text in (("h11.md", RST), ("README", RST), ("h11.md", below_a_name)):
        document = one(name, text)
        assert document.title == "h11"
        assert document.text.endswith("inspired by hyper-h2; it has no IO.")
        assert "image" not in document.text
    of_both = b"# Guide\n\nSee [h11](https://h11.example).\n\n## Use\n\n.. _hyper: https://hyper.example\n"
    assert ".. _hyper" in one("guide.md", of_both).text


def test_remarks_targets_and_languages_of_code_are_no_words_of_restructured_text():
    text = (
        b".. start\n   of it\n\nA reads Xml_ and\\: not_this.\n\n.. code-block:: python\n\n   read()\n\n..\n\n"
        b"    |Docs| |More|\n\n.. note:: Kept.\n\n.. _xml: https://x.example\n\n__ https://y.example\n"
    )
    assert one("a.rst", text).text == "A reads Xml and: not_this.\n\n   read()\n\nKept."


@pytest.mark.parametrize(
    ("key", "text", "title"),
    [
        ("psutil.md", "## Links\n\n{}\n\n## Use\n\nCall it.", "psutil"),
        ("psutil.md", "# Process tools\n\n{}", "psutil: Process tools"),
        ("ps_util.md", "# Ps-Util for all\n\n{}", "Ps-Util for all"),
        ("notes.md", "# Process tools\n\nNotes on notes: more notes.", "Process tools"),
    ],
)
def test_the_name_of_a_file_that_its_text_often_says_is_in_its_title(key, text, title):
    assert one(key, text.format("psutil reads what psutil can, as psutil does.").encode()).title == title


def test_a_row_of_a_markdown_table_names_its_columns():
    text = b"# A\n\n|Name|Age|\n|----|---|\n|Ann|31|\n\n.. note that two dots open no directive"
    assert one("a.md", text).text == "Name | Age\nAnn: Age 31\n\n.. note that two dots open no directive"


def test_lines_of_labels_in_markdown_stay_lines():
    labelled = "**Location:** Lyon or Munich\n**Salary**: EUR 82,000\nApply by: 31 August"
    assert one("a.md", labelled.encode()).text == "Location: Lyon or Munich\nSalary: EUR 82,000\nApply by: 31 August"
    prose = "Note: the rate was\nraised in May."
    assert one("a.md", prose.encode()).text == "Note: the rate was raised in May."


def test_lines_of_a_paragraph_of_markdown_are_joined_and_items_are_counted():
    text = b"It is paid\n`monthly` as the\n[Travel rule](/x y) says.\n\n1. Open\n1. Sign\n\n   twice\n- Done\n"
    assert one("a.md", text).text == (
        "It is paid monthly as the [Travel rule](/x y) says.\n\n1. Open\n\n2. Sign\n\ntwice\n\n- Done"
    )


def test_what_a_template_fills_in_is_not_read_but_code_is():
    text = b'{% include "steps.html" a: b_c d_e %}\n\nSee [leave]({% page "/leave" %}) or {{ name }}, `{{ x }}`.\n'
    assert one("a.md", text).text == "See leave or , {{ x }}."


SUMMARY = "An **ark** lets a large number of users share outputs in a tree."


@pytest.mark.parametrize(
    ("front", "body", "text"),
    [
        (f"excerpt: >\n  {SUMMARY}", "They do so in rounds.", f"{SUMMARY.replace('*', '')}\n\nThey do so in rounds."),
        (f"summary: {SUMMARY}", "# Ark\n\nIn rounds.", f"{SUMMARY.replace('*', '')}\n\nIn rounds."),
        ("excerpt: A short tag line", "In rounds.", "In rounds."),
        (f"summary: {SUMMARY}", f"{SUMMARY} In rounds.", f"{SUMMARY.replace('*', '')} In rounds."),
    ],
)
def test_the_summary_in_front_matter_is_text_where_the_body_does_not_say_it(front, body, text):
    assert one("ark.md", f"---\ntitle: Ark\n{front}\n---\n{body}".encode()).text == text


def test_lists_in_front_matter_are_values():
    reading = read("a.md", b"---\ntitle: T\ntags:\n- leave\n  - 'paid'\nnote: >\n  two\n  lines\n---\nBody.")
    assert reading.problems == ()
    assert dict(reading.documents[0].metadata) == {"tags": "leave, paid", "note": "two lines"}


PROPOSAL = b"""PEP: 484
Title: Type Hints
Author: Ann Lee <ann@example.org>,
        Bo Ek
Created: 29-Sep-2014

Abstract
========

:pep:`3107` left the meaning of the
3.0 syntax undefined [#old]_, see :ref:`rules <r>` and `the list`_. It has::

   a *b*
     c

* one item that
  goes on
* ``two``

.. note:: Prose of a note
   goes on.

=====  =====
Name   Age
=====  =====
Ann    31
=====  =====
"""


def test_fields_that_open_a_text_are_read_and_its_lines_joined():
    document = one("pep-0484.rst", PROPOSAL)
    assert (document.title, document.date) == ("PEP 484: Type Hints", "29-Sep-2014")
    assert document.text.split("\n\n") == [
        "PEP: 484",
        "Author: Ann Lee <ann@example.org>, Bo Ek",
        "Created: 29-Sep-2014",
        "Abstract",
        "PEP 3107 left the meaning of the 3.0 syntax undefined, see rules and the list. It has:",
        "   a b\n     c",
        "* one item that goes on\n* two",
        "Prose of a note goes on.",
        "Name | Age",
        "Ann: Age 31",
    ]


@pytest.mark.parametrize("text", [b"Note: read this.\n\nBody.", b"Note: this\nTitles: no\n\nBody."])
def test_a_text_that_only_begins_with_a_colon_has_no_fields(text):
    assert one("a.rst", text).title == "a"


# Sections, notebooks


def test_a_table_of_rst_has_a_paragraph_a_row_with_the_names_of_its_columns():
    border = "======== ==== ====="
    rows = ("           Min   Max", border, "Alcohol: 11.0  14.8", "Hue:     0.48  1.71")
    named = "\n".join(("Wines.", "", border, *rows, border, "", "End."))
    assert one("a.rst", named.encode()).text.split("\n\n") == [
        "Wines.",
        "Min | Max",
        "Alcohol: Min 11.0; Max 14.8",
        "Hue: Min 0.48; Max 1.71",
        "End.",
    ]
    pairs = "Wines.\n\n=======  ===\nClasses  7\nSamples  581\n=======  ===\n"
    assert one("a.rst", pairs.encode()).text == "Wines.\n\nClasses: 7\n\nSamples: 581"


def test_sections_of_markdown_are_known_by_their_path():
    text = "# Report\n\n" + "Intro words. " * 200 + "\n\n## Risks\n\n### Supply\n\n" + "Cells are scarce. " * 200
    passages = cut(one("r.md", text.encode()))
    assert passages[-1].place == "Risks › Supply"


def test_code_comments_are_no_headings():
    document = one("r.md", b"# T\n\nText.\n\n## Use\n\n```\n# not a heading\n```\n")
    assert [path for _, path in document.outline] == ["Use"]


def test_underlined_headings_are_levels_in_the_order_of_their_lines():
    text = b"T\n=\n\nText.\n\nUsage\n=====\n\nText.\n\nAs a context\n------------\n\nText.\n\nBugs\n====\n\nNone.\n"
    assert [path for _, path in one("r.rst", text).outline] == ["Usage", "Usage › As a context", "Bugs"]


def test_comments_of_code_in_restructured_text_are_no_headings():
    text = b"T\n====\n\nText.\n\nUsage\n-----\n\n::\n\n   # instead do\n   parse()\n\nBugs\n----\n\nNone.\n"
    assert [path for _, path in one("r.rst", text).outline] == ["Usage", "Bugs"]


def test_rules_and_tables_in_code_are_no_headings():
    text = b"# T\n\nText.\n\n---\n\n## Use\n\n```\nName\n----\nCost\n----\n```\n"
    assert [path for _, path in one("r.md", text).outline] == ["Use"]


def test_badges_and_tags_of_markdown_are_no_text():
    text = b'# HTTPX\n\n<p align="center"><strong>HTTPX</strong> - a client</p>\n\n[![Test](https://a.b/c.svg)](https://a.b)\n\nFast.'
    assert one("README.md", text).text == "HTTPX - a client\n\nFast."


NOTEBOOK = """{"cells": [
{"cell_type": "markdown", "source": ["# Votes of 2025\\n", "Who was *elected*."]},
{"cell_type": "code", "source": "print(rank(votes))", "outputs": [
 {"output_type": "stream", "text": ["1. Ann Lee\\n", "2. Bo Berg\\n"]},
 {"output_type": "display_data", "data": {"image/png": "iVBOR", "text/plain": "<Figure>"}}]}
], "metadata": {}, "nbformat": 4}"""


def test_a_notebook_is_read_as_prose_and_what_its_code_printed():
    reading = read("votes.ipynb", NOTEBOOK.encode())
    (document,) = reading.documents
    assert document.title == "Votes of 2025"
    assert document.text.startswith("Who was elected.\n\n1. Ann Lee\n2. Bo Berg")
    assert "rank(votes)" not in document.text
    assert "iVBOR" not in document.text
    assert reading.notices == ("1 of 2 cells are code: what they printed was read",)


@pytest.mark.parametrize("data", [b"{}", b"[1]", b"not json", b'{"cells": [{}]}'])
def test_what_is_no_notebook_is_refused(data: bytes):
    with pytest.raises(FileReadError, match="expected a notebook"):
        read("votes.ipynb", data)
