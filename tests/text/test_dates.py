import pytest

from adaq_core.text.values import dates, spelled


def test_every_way_of_writing_a_date_is_read():
    text = "2023-10-06, October 7, 2023, 8 Oct 2023, Nov. 2023, Q3 2022, 2023 Q1, third quarter of 2021, 1999"
    assert [date.key for date in dates(text)] == [
        "2023-10-06",
        "2023-10-07",
        "2023-10-08",
        "2023-11",
        "2022-Q3",
        "2023-Q1",
        "2021-Q3",
        "1999",
    ]


def test_an_impossible_date_is_none():
    assert [date.key for date in dates("2023-13-45")] == []


def test_iso_dates_are_spelled_for_search():
    assert spelled("2023-10-06T12:00:00+00:00") == "2023-10-06 October 6, 2023"
    assert spelled("spring") == "spring"


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("leases at 9/30/23 and 10/29/2023", ["2023-09-30", "2023-10-29"]),
        ("am 30/9/2023", ["2023-09-30"]),  # there is no thirtieth month
        ("open 24/7, in 2022/23, 1/2/3", ["2022"]),
        ("the Dec-22 quarter against Sept '23", ["2022-12", "2023-09"]),
        ("FY24Q1, FQ3'23", ["2024-Q1", "2023-Q3"]),
        ("mid-22, in May 22 people left", []),
        ("am 02.04.2026, on 5. 3. 2026 and 31.12.2025.", ["2026-04-02", "2026-03-05", "2025-12-31"]),
        ("version 1.2.2026.1, invoice 2026-003", ["2026"]),
    ],
)
def test_dates_are_read_as_analysts_type_them(text, keys):
    assert [date.key for date in dates(text)] == keys


@pytest.mark.parametrize(
    ("whole", "part", "expected"),
    [
        ("the third quarter of 2025", "30 September 2025", True),
        ("September 2025", "30 September 2025", True),
        ("2025", "30 September 2025", True),
        ("the third quarter of 2025", "1 October 2025", False),
        ("30 September 2025", "September 2025", False),
        ("FY2025", "30 September 2025", False),  # whose year it is is not said
    ],
)
def test_a_date_lies_within_a_longer_period(whole, part, expected):
    (longer,), (shorter,) = dates(whole), dates(part)
    assert longer.holds(shorter) is expected


def test_the_day_of_a_date_may_be_in_words():
    text = "on the ninth of May 1931, the Twenty-second of June, 2020 and the thirty-first of July 1999"
    assert [date.key for date in dates(text)] == ["1931-05-09", "2020-06-22", "1999-07-31"]


def test_the_number_of_a_ticket_is_no_year():
    assert dates("INC-2071 and T-2019") == ()
    assert [date.key for date in dates("FY-2021, pre-2020")] == ["2021", "2020"]
