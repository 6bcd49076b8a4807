"""Rows of statement pages, as the texts of PDFs hold them."""

import time

import pytest

from adaq_core.filings.formula import LineItem, is_label, line_items
from adaq_core.filings.rows import table_of, unit_of, values_of

CELL_BY_CELL = """Table of Contents
Northwind Chips and Subsidiaries
Consolidated Statement of Income
Years ended December 31
(Millions, except per share amounts)
2022
2021
Net sales
$
34,229 $
35,355
Cost of sales
19,232
18,795
Operating
income
(150)
—
"""


def test_numbers_on_lines_of_their_own_belong_to_the_label_before_them() -> None:
    table = table_of(CELL_BY_CELL)
    assert table.years == (2022, 2021)
    assert table.unit == "million"
    assert [(row.label, row.values) for row in table.rows] == [
        ("Net sales", (34229.0, 35355.0)),
        ("Cost of sales", (19232.0, 18795.0)),
        ("income", (-150.0, None)),
    ]


def test_a_label_on_two_lines_is_known_as_a_whole_too() -> None:
    assert "Operating income" in table_of(CELL_BY_CELL).rows[2].labels


def test_a_row_quotes_the_text_from_its_label_to_its_last_cell() -> None:
    assert table_of(CELL_BY_CELL).rows[0].quote == "Net sales\n$\n34,229 $\n35,355"


def test_whole_rows_and_years_under_their_months_are_read() -> None:
    text = "November 27,\n2015\nNovember 28,\n2014\nTotal assets ........ $ 11,726 $ 10,785\nItems of $95 and $103\n"
    table = table_of(text)
    assert table.years == (2015, 2014)
    assert [(row.label, row.values) for row in table.rows] == [("Total assets", (11726.0, 10785.0))]


def test_an_item_is_found_by_the_strictest_label_that_a_row_has() -> None:
    items = line_items().items
    table = table_of("2022\n2021\nNet sales of products\n5\n4\nTotal net sales\n9\n8\n")
    assert [cells for _, cells in values_of(items["revenue"], table)] == [(9.0, 8.0)]


def test_the_number_of_a_note_is_no_cell() -> None:
    table = table_of("2022 2021\nInventories 6 2,120 1,915\n")
    assert [cells for _, cells in values_of(line_items().items["inventory"], table)] == [(2120.0, 1915.0)]


@pytest.mark.parametrize(
    ("text", "unit"),
    [("(In millions, except per share)", "million"), ("(Dollars in thousands)", "thousand"), ("Year ended", "")],
)
def test_the_unit_is_the_one_that_the_page_states(text: str, unit: str) -> None:
    assert unit_of(text) == unit


def test_labels_compare_by_letters_with_a_star_for_any() -> None:
    assert is_label("netcashprovidedbyoperatingactivities", "^netcash*operatingactivities")
    assert not is_label("netcashprovidedbyinvestingactivities", "^netcash*operatingactivities")
    assert not is_label("totalrevenues", "=revenues")


def test_hostile_rows_take_linear_time() -> None:
    text = "\n".join("1 $ ( " * 200 + "x" for _ in range(200))

    def seconds() -> float:
        begun = time.thread_time()
        table_of(text)
        return time.thread_time() - begun

    assert any(seconds() < 2.0 for _ in range(3))


def test_rows_that_name_their_columns_are_read() -> None:
    table = table_of("Item | 2022 | 2021\nRevenue: 2022 1,000; 2021 900\nNote: see page 4\n")
    assert (table.years, [row.values for row in table.rows][:1]) == ((2022, 2021), [(1000.0, 900.0)])


def test_a_row_called_debt_alone_is_long_term_debt_and_no_other_row_of_debt_is() -> None:
    (debt,) = (item for item, _ in line_items().named_in("What is its long-term debt?") if isinstance(item, LineItem))
    assert [any(is_label(row, label) for label in debt.labels) for row in ("debt", "debtissuancecosts")] == [
        True,
        False,
    ]


LONG = "Trade receivables of all entities, net of an allowance for doubtful accounts of $7 and $8, respectively,"
STATEMENTS = {
    "years twice": "At December 25, 2021 and December 26, 2020\n2021\n2020\nCash\n3\n2\nTotal assets\n9\n8\n",
    "leaders": f"2021\n2020\nCash {'.' * 110} $\n3\n$\n2\nTotal assets\n9\n8\n",
    "long label": f"2021\n2020\nCash\n3\n2\n{LONG} as of December 31\n4\n5\nTotal assets\n9\n8\n",
    "long sentence": f"2021\n2020\nCash\n3\n2\n{LONG} as of December 31.\n4\n5\nTotal assets\n9\n8\n",
    "day in a label": "2021\n2020\nCash\n3\n2\nShares outstanding at\nDecember 31, 2021\n—\n—\nTotal assets\n9\n8\n",
    "named columns": "Cash: 2021 3; 2020 2\nTreasury stock: at December 31, 2021\nTotal assets: 2021 9; 2020 8\n",
}


@pytest.mark.parametrize("text", STATEMENTS.values(), ids=STATEMENTS)
def test_a_statement_is_read_to_its_end(text: str) -> None:
    read = {row.label: row.values for row in table_of(text).rows if len(row.values) == 2}
    assert table_of(text).years[-2:] == (2021, 2020)
    assert (read["Cash"], read["Total assets"]) == ((3.0, 2.0), (9.0, 8.0))
