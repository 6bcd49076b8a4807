"""Pages of the web are read by their main text, their sections and what they state of their thing."""

import io
import re
import zipfile

import docx
import pytest

from adaq_core.corpus.readers import (
    read,
)
from adaq_core.model import Document
from tests.corpus.test_readers import one, reason

# HTML


def test_the_main_text_of_a_page_is_read_without_its_menu():
    body = "".join(f"<p>Paragraph {n} speaks at some length about the supply of battery cells.</p>" for n in range(6))
    page = f"""<html><head><title>Cells | Site</title><meta property="og:site_name" content="The Site">
    <meta property="article:published_time" content="2024-03-02T10:00:00Z"></head>
    <body><nav><a href="/">Home</a> <a href="/x">Menu entry</a></nav><article><h1>Cells</h1>{body}</article>
    <script>alert(1)</script><footer>Imprint</footer></body></html>"""
    document = one("p.html", page.encode())
    assert (document.title, document.source, document.date) == ("Cells", "The Site", "2024-03-02")
    assert "Paragraph 5 speaks" in document.text
    assert not {"Menu entry", "alert", "Imprint"} & set(document.text.replace("\n", " ").split(" "))


PROSE = "<p>Shares are split where their price has risen too high for many people, which has to be entered by hand.</p>"


def test_the_sections_of_a_page_that_marks_no_main_part_keep_their_headings():
    parts = "".join(
        f"""<div class="sect"><div class="titlepage"><div><h3 class="title"><a name="s{n}"></a>9.{n}. Part {n}</h3>
        </div></div>{PROSE}<p>Part {n} tells which number of shares is entered there and what it costs.</p></div>"""
        for n in range(1, 4)
    )
    menu = "<ul><li><a href='1'>Home</a></li><li><a href='2'>Contents</a></li></ul>"
    document = one("p.html", f"<html><body>{menu}<h2>9. Splits</h2>{PROSE}{parts}</body></html>".encode())
    assert [path for _, path in document.outline] == [
        "9. Splits",
        *(f"9. Splits › 9.{n}. Part {n}" for n in range(1, 4)),
    ]
    assert "Contents" not in document.text


def test_what_turns_the_pages_of_a_manual_is_no_text_of_it():
    """Manuals in HTML say in their head which page stands before and behind, and lead there at top and bottom."""
    head = "<link rel='prev' href='a.html'><link rel='next' href='c.html'>"
    cells = "<td><a href='a.html'>&lt; Prev</a></td><th>Part III</th><td><a href='c.html'>Next</a></td>"
    turner = f"<table><tr>{cells}</tr></table>"
    toc = "<dl><dt><a href='c.html'>1. Terms</a></dt><dt><a href='d.html'>2. Uses</a></dt></dl>"
    body = f"{turner}<h2>Budgets</h2>{toc}<p>Read <a href='c.html'>on</a>.</p>{PROSE}"
    page = f"<html><head>{head}</head><body>{body}</body></html>"
    text = one("p.html", page.encode()).text
    assert "Prev" not in text
    assert "Part III" not in text
    assert "Uses" not in text
    assert "Read on" in text
    assert "Shares are split" in text


def test_a_piece_of_a_page_without_a_body_is_read_whole():
    """Help texts and descriptions are kept without a head: what hangs in their lists is as much text as the rest."""
    items = "".join(f"<li><i>Star {n}</i>, the bear of tale {n}</li>" for n in range(1, 9))
    document = one("p.html", f"<h1>Stars</h1>{PROSE}<h2>Figures</h2><p>For example, <ul>{items}</ul>{PROSE}".encode())
    assert [n for n in range(1, 9) if f"the bear of tale {n}" not in document.text] == []
    assert "Figures" in document.text


def test_elements_that_no_browser_knows_keep_their_text():
    rows = "<tr><td><notr>Bunya</notr></td><td>Possum</td></tr><tr><td><x-name>Gnowee</x-name></td><td>Sun</td></tr>"
    table = f"<table><tr><th>Name</th><th>Sense</th></tr>{rows}</table>"
    text = one("p.html", f"<html><body><main>{PROSE}{PROSE}{table}</main></body></html>".encode()).text
    assert [name for name in ("Bunya", "Gnowee") if name not in text] == []


def test_what_is_called_like_a_part_of_a_layout_is_read_where_it_is_none():
    page = f"""<html><body><main><h1>About</h1>{PROSE}
    <p>Select the account and click on <span class="guibutton">Forward</span> to go on with it.</p>
    <section id="authors-and-editors"><h2>Authors and editors<a class="headerlink" href="#authors">¶</a></h2>
    <p>The manual was first written by one editor and was later revised by many others.</p></section>{PROSE}
    </main></body></html>"""
    document = one("p.html", page.encode())
    assert "click on Forward to go on" in document.text
    assert "The manual was first written" in document.text
    assert [path for _, path in document.outline] == ["About", "About › Authors and editors"]


def test_lines_of_the_source_end_no_sentence_of_a_page_and_a_term_stands_before_what_it_means():
    page = f"""<html><body><main><h1>Fields</h1>{PROSE}<div>After fifteen years as the Legal
    Director of the firm she took on another role, in which she stayed until the end.</div>
    <dl><dt>New Price</dt><dd>The price of the stock after the split.</dd></dl>{PROSE}</main></body></html>"""
    lines = one("p.html", page.encode()).text.split("\n")
    assert any("the Legal Director of the firm" in line for line in lines)
    assert "- New Price: The price of the stock after the split." in lines


def test_the_marks_of_notes_are_no_words_of_a_page():
    marked = """<p>The method was made by two people.<sup><a href="#n1">[1]</a></sup> It takes n<sup>2</sup>
    steps.<a href="notes.xhtml#n2"><sup>2</sup></a> Others came later.<sup>[citation needed]</sup></p>"""
    text = one("p.html", f"<html><body><main><h1>Method</h1>{PROSE}{marked}</main></body></html>".encode()).text
    assert "made by two people. It takes n2 steps. Others came later." in text


def test_the_head_of_a_note_within_an_item_is_no_part_of_its_first_sentence():
    note = "<table><tr><td></td><th>Note</th></tr><tr><td colspan=2><p>The first balance is zero.</p></td></tr></table>"
    steps = f"<h1>Steps</h1>{PROSE}<ol><li><p>Type the balance in.</p>{note}</li></ol>"
    text = one("p.html", f"<html><body><main>{steps}</main></body></html>".encode()).text
    assert re.search(r"Note:[ \n|]{1,5}The first balance is zero\.", text)


def test_a_page_without_a_main_part_gives_all_its_text_and_says_so():
    reading = read("p.html", b"<p>Short.</p>")
    assert reading.documents[0] == Document("p.html", "p", "Short.")
    assert reading.notices == ("no main part was found: all the text of the page was taken",)


_STATED = """<html><head><title>Plum cake - The Oven Site</title>
<meta property="og:site_name" content="The Oven"><script type="application/ld+json">{"@graph": [{"@type": "WebPage",
"name": "x"}, {"@type": ["Recipe"], "name": "Plum cake", "recipeYield": ["8", "8 slices"], "totalTime": "PT90M",
"recipeCategory": "<p>Cakes</p>", "suitableForDiet": "https://schema.org/VegetarianDiet", "url": "https://a.example",
"nutrition": {"@type": "NutritionInformation", "calories": "310 kcal"},
"recipeIngredient": ["200 g of ripe plums, without their stones", "100 g of flour for the dough and the tin",
"2 eggs of medium size, beaten", "80 g of sugar and a little more to scatter", "some butter"]}]}</script></head>
<body><article><h1>Plum cake</h1><p>This cake is best on the second day, when the plums have given juice to it.</p>
<p>Serve it with cream, or eat it as it is, on a plate or out of your hand.</p></article></body></html>"""


def test_what_a_page_states_of_its_thing_for_machines_is_read():
    page = one("cake.html", _STATED.encode())
    assert page.title == "Plum cake"
    above, *_, listed, below = page.text.split("\n\n")
    assert above.split("\n") == [
        "Yield: 8 slices",
        "Total time: 1 hour 30 minutes",
        "Category: Cakes",
        "Suitable for diet: Vegetarian Diet",
    ]
    assert listed.startswith("Ingredients\n- 200 g of ripe plums, without their stones\n- 100 g of flour")
    assert below == "Calories: 310 kcal"
    assert dict(page.metadata)["total time"] == "1 hour 30 minutes"
    assert dict(page.metadata)["kind"] == "Recipe"


def test_of_a_page_that_lists_many_things_none_is_the_one_that_it_is_about():
    many = _STATED.replace('{"@graph": [', '{"@graph": [' + '{"@type": "Product", "sku": "7"}, ' * 4)
    page = one("cake.html", many.encode())
    assert "sku" not in dict(page.metadata)
    assert "Yield" not in page.text


@pytest.mark.parametrize("stated", ["{", "[" * 100_000, '[[1], {"@type": 5}, {"@type": [[]]}, null]', "[{}]" * 9_000])
def test_what_a_page_states_in_no_sense_costs_nothing_else(stated):
    before, _, rest = _STATED.partition('{"@graph"')
    _, _, behind = rest.partition("</script>")
    assert "second day" in one("cake.html", f"{before}{stated}</script>{behind}".encode()).text


def test_a_page_is_read_in_the_encoding_it_declares():
    page = "<meta charset='iso-8859-2'><p>Žluťoučký kůň.</p>".encode("iso-8859-2")
    assert one("p.html", page).text == "Žluťoučký kůň."


def test_a_page_without_text_is_refused():
    assert reason("p.html", b"<html><body><img src=x></body></html>") == "holds no text"


def test_a_deeply_nested_page_does_no_harm():
    assert reason("p.html", b"<div>" * 20_000 + b"deep" + b"</div>" * 20_000) == "holds no text"


def test_an_outline_keeps_the_words_of_every_level():
    outline = "".join(f"{'  ' * level}- point {level}\n" for level in range(25))
    assert one("o.md", outline.encode()).text.split("\n") == [f"- point {level}" for level in range(25)]


def test_the_marks_of_notes_behind_a_block_of_code_are_no_words_either():
    text = b"```\n[[a]]\n```\n\nSee [[b]] and [[#How to apply]].\n\n> > [!tip]+ One [[c]]\n> > more."
    assert one("n.md", text).text == "[[a]]\n\nSee b and How to apply.\n\nOne c more."


def test_a_long_sentence_behind_the_mark_of_a_box_is_its_text():
    told = "It is kept. " * 30
    assert one("n.md", f"> [!Example] {told}".encode()).text == told.strip()


def test_the_marks_of_a_program_for_notes_are_no_words():
    note = """Spoke with [[Paulo Reis]] and [[people/aiko|Aiko]] about the ==mast==.[^1] ^talk

![[mast.jpg]]

> [!warning] Frost
> Cover the seedlings.

%% not for others %%

Test `[[servers]]`, [[ -f x ]] and x==1 or y==2.

```
[[servers]]
```

[^1]: Made in 2011.
"""
    assert one("n.md", note.encode()).text.split("\n\n") == [
        "Spoke with Paulo Reis and Aiko about the mast.",
        "Frost",
        "Cover the seedlings.",
        "Test [[servers]], [[ -f x ]] and x==1 or y==2.",
        "[[servers]]",
        "Note: Made in 2011.",
    ]


def test_a_word_file_made_of_a_page_keeps_its_headings_and_its_links_within():
    content = docx.Document()
    content.add_paragraph("On safety at work.")
    content.add_heading("14.5.\u00a0Ladders", level=2)
    content.add_paragraph("Ladders are checked each spring.")
    buffer = io.BytesIO()
    content.save(buffer)
    page = io.BytesIO()
    with zipfile.ZipFile(buffer) as made, zipfile.ZipFile(page, "w") as linked:
        for name in made.namelist():
            kind = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"
            link = b'<Relationship Id="r99" Type="%s" Target="#top"/></Relationships>' % kind
            linked.writestr(name, made.read(name).replace(b"</Relationships>", link))
    document = one("ladders.docx", page.getvalue())
    assert document.text.endswith("Ladders are checked each spring.")
    assert document.outline == ((20, "14.5. Ladders"),)


# Tables and titles of pages


def test_a_box_of_facts_of_a_page_says_each_behind_its_label():
    page = (
        "<p>A town.</p><table><tr><th>County</th><td>Avon</td></tr><tr><th>Mayor</th><td>Gwen Tallis</td></tr></table>"
    )
    assert one("a.html", page.encode()).text.endswith("County: Avon\nMayor: Gwen Tallis")


@pytest.mark.parametrize("told", ["rowspan=9999 colspan=99", "rowspan=-1", "colspan=²", "rowspan=" + "9" * 5_000])
def test_a_cell_that_says_to_span_very_much_is_read_once_or_a_few_times(told):
    page = f"<p>A.</p><table><tr><td {told}>x</td><td>y</td></tr><tr><td>z</td><td>w</td></tr></table>"
    assert len(one("a.html", page.encode()).text) < 1_000


def test_the_first_of_several_parts_is_not_the_title_of_a_page():
    page = "<p>Port Ellery is a town.</p><h2>Geography</h2><p>On a ridge.</p><h2>History</h2><p>Old.</p>"
    assert one("ellery.html", page.encode()).title == "ellery"
