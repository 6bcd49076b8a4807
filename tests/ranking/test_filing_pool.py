"""What reports of a company repeat stands behind what they say anew."""

from adaq_core.filings.register import Filing
from adaq_core.filings.search import FilingResult
from adaq_core.model import Passage
from adaq_core.ranking import repeats_last

RISK = "We do not have key person life insurance, and the loss of senior managers could harm the business of kettles."


def found(quarter: int, text: str) -> tuple[Passage, FilingResult]:
    filing = Filing(quarter, 1, "10-Q", f"2023 Q{quarter}", 2023, quarter, None, (quarter,))
    passage = Passage(f"d{quarter}:{len(text)}", f"d{quarter}", f"2023 Q{quarter}", text)
    return passage, FilingResult(quarter, 1.0, filing, ())


def test_what_an_earlier_report_repeats_word_for_word_comes_last() -> None:
    newest, older, other = found(3, RISK), found(2, RISK), found(1, "Kettles are sold in three countries by post.")
    assert repeats_last([newest, older, other], keep=()) == [newest, other, older]


def test_another_number_is_no_repetition_and_a_value_that_is_needed_stays() -> None:
    newest, older = found(3, f"{RISK} It cost $12 million."), found(2, f"{RISK} It cost $14 million.")
    assert repeats_last([newest, older], keep=()) == [newest, older]
    again, other = found(2, RISK), found(1, "Kettles are sold in three countries by post.")
    assert repeats_last([newest, again, other], keep=(again[0].passage_id,)) == [newest, again, other]
