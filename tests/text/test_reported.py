from adaq_core.text.reported import asked_sources


def asked(question):
    return [name.text for name in asked_sources(question)]


def test_a_name_where_a_publication_stands_is_a_source():
    assert asked("Which city does an article from The Times of Malta call the safest?") == ["Times of Malta"]
    assert asked("What, according to Reuters, did the minister say?") == ["Reuters"]
    assert asked("Did the TechCrunch article on Twitch name a price?") == ["TechCrunch"]


def test_sources_joined_by_and_are_all_sources():
    assert asked("What was reported by The Verge and the BBC about the merger?") == ["Verge", "BBC"]


def test_what_a_report_is_about_is_no_source():
    assert asked("Has the focus of Taylor Swift coverage changed since the report on Apple?") == []
    assert asked("Who founded Reuters?") == []
