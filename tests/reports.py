"""Twenty annual reports of made-up companies as PDFs, to try ADAQ as an analyst does: `python -m tests.reports DIR`."""

from __future__ import annotations

import sys
from pathlib import Path

COMPANIES = ("Northwind Chips", "Contoso Foods", "Fabrikam Steel", "Tailspin Airways", "Litware Software")
YEARS = (2020, 2021, 2022, 2023)
RISKS = {
    "Northwind Chips": "Export controls on advanced chips may cut us off from customers in China.",
    "Contoso Foods": "A poor cocoa harvest in West Africa raised our input costs.",
    "Fabrikam Steel": "The carbon border levy of the European Union raises the cost of our exports.",
    "Tailspin Airways": "Engine inspections ordered by the regulator grounded eleven of our aircraft.",
    "Litware Software": "A breach of our update server exposed the data of 400 customers.",
}


def pages_of(company: str, year: int) -> list[list[str]]:
    """Cover, review and statements of a report, as the lines of its pages."""
    place, growth = COMPANIES.index(company) + 1, year - YEARS[0]
    revenue = [1_000 * place + 100 * (growth - back) for back in (0, 1)]
    cost = [round(0.6 * amount) for amount in revenue]
    cover = [f"{company}, Inc.", f"Annual Report {year}", f"For the fiscal year ended December 31, {year}"]
    review = [
        "Review of the year",
        RISKS[company],
        f"We employed {2_000 * place + 50 * growth} people at the end of {year}.",
    ]
    rows = [
        ("Revenue", revenue),
        ("Cost of sales", cost),
        ("Gross profit", [a - b for a, b in zip(revenue, cost, strict=True)]),
        ("Operating income", [round(0.2 * amount) for amount in revenue]),
        ("Interest expense", [12, 11]),
        ("Income taxes", [round(0.04 * amount) for amount in revenue]),
        ("Net income", [round(0.15 * amount) for amount in revenue]),
        ("Basic earnings per share", [1, 1]),
    ]
    head = [f"{company}, Inc.", "Consolidated Statements of Income", "(In millions)", f"{year} {year - 1}"]
    return [cover, review, [*head, *(f"{label} {a:,} {b:,}" for label, (a, b) in rows)]]


def write(folder: Path) -> None:
    """Write the reports into `folder`."""
    from tests.corpus.conftest import pdf_bytes

    folder.mkdir(parents=True, exist_ok=True)
    for company in COMPANIES:
        for year in YEARS:
            (folder / f"{company} Annual Report {year}.pdf").write_bytes(pdf_bytes(pages_of(company, year)))


if __name__ == "__main__":
    write(Path(sys.argv[1]))
