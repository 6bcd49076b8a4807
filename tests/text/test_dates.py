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
