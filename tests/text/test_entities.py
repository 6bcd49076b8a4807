from adaq_core.text.entities import names


def found(text):
    return [(name.text, name.kind) for name in names(text)]


def test_names_of_a_news_question():
    text = "Does TechCrunch on October 6, 2023 say that Sam Bankman-Fried of FTX owes $8 billion after 'Scary Fast'?"
    assert found(text) == [
        ("TechCrunch", "name"),
        ("October 6, 2023", "date"),
        ("Sam Bankman-Fried of FTX", "name"),
        ("$8 billion", "number"),
        ("Scary Fast", "name"),
        ("Scary Fast", "quoted"),
    ]


def test_a_form_of_address_is_no_name_of_its_own():
    assert [name.text for name in names("found by Dr. Ann B. Lee and Mr. Moss")] == ["Ann B. Lee", "Moss"]


def test_question_words_are_no_names():
    assert found("Who was King John of England's father?") == [("King John of England", "name")]


def test_a_name_may_begin_with_a_small_letter_and_a_unit_is_none():
    assert found("when eBay and iRobot used pH and kWh meters") == [("eBay", "name"), ("iRobot", "name")]


def test_a_name_right_behind_a_date_is_a_name():
    assert found("In April 2025 Ann Lee left") == [("April 2025", "date"), ("Ann Lee", "name")]
    assert found("It works in St. Louis. Mt. Gox failed.") == [("St. Louis", "name"), ("Mt. Gox", "name")]
    assert found("Q3 2023 Acme Inc. results")[:2] == [("Q3 2023", "date"), ("Acme Inc", "name")]


def test_a_word_that_opens_a_sentence_and_a_warning_in_capitals_name_nothing():
    assert found("Whenever the Vice President writes, every Senator waits.") == [
        ("Vice President", "name"),
        ("Senator", "name"),
    ]
    assert found("YOU ASSUME THE COST OF ALL NECESSARY SERVICING, REPAIR OR CORRECTION OF IT.") == []


def test_letters_that_are_also_a_small_word_may_begin_a_name():
    assert found("a row with IF Metall") == [("IF Metall", "name")]
    assert found("If Metall strikes") == [("Metall", "name")]


def test_a_country_in_letters_before_a_noun_ends_no_name():
    assert found("Acme US plants closed") == [("Acme", "name")]
    assert found("Amazon UK, which grew") == [("Amazon UK", "name")]


def test_a_question_word_with_its_verb_is_no_part_of_a_name():
    assert found("What's Apple's price, and why'd Ann Lee leave?") == [("Apple", "name"), ("Ann Lee", "name")]
    assert found("Let's ask O'Neill") == [("O'Neill", "name")]


def test_what_was_made_somewhere_is_named_without_the_place():
    assert found("the first US-made Blackwell wafer") == [("US", "acronym"), ("Blackwell", "name")]
    assert found("a Rolls-Royce engine") == [("Rolls-Royce", "name")]


def test_names_point_into_the_text():
    text = "Where was Ólafur Arnalds born?"
    assert [text[n.start : n.end] for n in names(text)] == ["Ólafur Arnalds"]


def test_no_text_no_names():
    assert names("") == ()


def test_letters_without_case_begin_no_name_and_capitals_of_any_script_do():
    assert [n.text for n in names("Кому принадлежал рекорд Усэйна Болта?")][-1:] == ["Усэйна Болта"]
    assert [n.text for n in names("北京的人口是多少")] == []
    assert [n.text for n in names("ما هي عاصمة فرنسا؟")] == []
    assert [n.text for n in names("el Ćwierć i Żuraw")] == ["Ćwierć", "Żuraw"]


def test_an_amount_behind_a_name_is_none_of_it():
    assert found("They fined Acme 500 million euros") == [("Acme", "name"), ("500 million", "number")]
    assert found("They sold Llama 2 in May")[0] == ("Llama 2", "name")
