"""What a sentence states of its subject, and the questions for yes or no that it answers word for word."""

from __future__ import annotations

import time

import pytest

from adaq_core.matching.statements import (
    behind_what_is_asked,
    named_as_the_one,
    said_outright,
    says_with_part,
    statements,
    told_of_another_year,
    told_outright,
)

LEE = (
    "Ann Lee (born 5 May 1960), also known as Al Lee, is a British painter, poet and critic who in 2000 was awarded the"
    " 2000 Orb Prize and founded Pongo, but was never knighted."
)


def test_statements_of_a_sentence_are_read_apart() -> None:
    named, told = statements(LEE, "Ann B. Lee (painter)")
    assert named == ["Ann Lee", "Ann B. Lee"]
    made = [each.split(" who ")[0] for each in told]
    for statement in ("was born in 1960", "is also known as Al Lee", "is a poet and critic", "is a critic"):
        assert statement in made
    assert "won the 2000 Orb Prize and founded Pongo, but was never knighted" in made
    assert "was never knighted" in made


@pytest.mark.parametrize(
    ("question", "text", "title", "is_so"),
    [
        ("Is Ann Lee a poet?", LEE, "Ann Lee", True),
        ("Did Ann Lee win the Orb Prize?", LEE, "Ann Lee", True),
        ("Was Ann Lee born in May 1960?", LEE, "Ann Lee", True),
        ("Was Ann Lee ever knighted?", LEE, "Ann Lee", False),
        ("Is Ann Lee a poet laureate?", LEE, "Ann Lee", None),
        ("Is Pongo in Norway?", "Pongo is a school located in Oslo, Norway.", "Pongo", True),
        ("Is Pongo in Oslo?", "Pongo, founded in 1900, is in the old city of Oslo.", "Pongo", True),
        ("Is Pongo in Norway?", "Pongo is a novel set in Oslo, Norway.", "Pongo", None),
        ("Is Pongo in Norway?", "Pongo is a town on the border with Sweden in Norway.", "Pongo", None),
        ("Was Pongo founded in Oslo?", "Formerly known as Bongo, Pongo is a firm that was founded in Oslo.", "", True),
        ("Was Pongo founded in Oslo?", "Founded in Oslo, it is a school.", "Pongo", True),
        ("Was Pongo released in 2017?", "Pongo is a 2017 American comedy film directed by Ann Lee.", "Pongo", True),
        ("Was A. B. Lee a poet?", 'Ann Bo "A.B." Lee was a poet.', "A. B. Lee", True),
        ("Was Ann Lee a poet?", "Bo Lee was a poet.", "Ann Lee", None),
        ("Did Ann Lee found Pongo?", "Pongo was founded in 1900 by Ann Lee in Oslo.", "Pongo", True),
        ("Did Ann Lee found Pongo?", "Pongo was founded in 1900 by Ann Lee Mo in Oslo.", "Pongo", None),
        ("Did Ann Lee found Pongo?", "Ann Lee is the founder of Pongo.", "Ann Lee", True),
        ("Was Pongo written by Ann Lee?", "Ann Lee wrote Pongo in 1990.", "Ann Lee", True),
        ("Did Bo Ek direct Pongo?", "Pongo is a film written by Bo Ek and directed by Ann Lee.", "Pongo", None),
        ("Did Ann Lee direct Pongo?", "Pongo is a film written by Bo Ek and directed by Ann Lee.", "Pongo", True),
        ("Is Ann Lee a singer?", "Ann Lee is the manager of a singer, painter and poet.", "Ann Lee", None),
        ("Was Ann Lee killed?", "Ann Lee is the author of a book about a man who was killed.", "Ann Lee", None),
        ("Was Pongo born in Oslo?", "Pongo, the son of Al, born in Oslo, is a singer.", "Pongo", None),
        ("Is it true that Ann Lee founded Pongo?", "Ann Lee founded Pongo in 1990.", "", True),
        ("Is it true that Ann Lee founded Pongo?", "Pongo was founded by Ann Lee.", "Pongo", True),
        ("Is it true that Bo Ek founded Pongo?", "Pongo was founded by Ann Lee.", "Pongo", None),
        ("Is Pongo named after Bo Ek?", "Pongo is a breed of small dog named after Bo Ek.", "Pongo", True),
        ("Was Pongo founded in 1990?", "Pongo is a member of a band founded in 1990.", "Pongo", None),
        ("Is Pongo a sequel to Bongo?", "A sequel to Bongo, it stars Ann Lee.", "Pongo", True),
        ("Is Pongo a sequel to Bongo?", "A sequel to Bongo, Mongo stars Ann Lee.", "Pongo", None),
        ("Is Al Lee a poet?", "Ann Lee Jr. is an American poet.", "Ann Lee", None),
    ],
)
def test_yes_or_no_is_read_off_a_statement(question: str, text: str, title: str, is_so: bool | None) -> None:
    assert said_outright(question, text, title) is is_so


@pytest.mark.parametrize(
    ("question", "text", "is_another"),
    [
        ("Was Ann Lee born in 1970?", LEE, True),
        ("Was Ann Lee born in 1960?", LEE, False),
        ("Was Pongo opened in 1970?", "Pongo was opened on 5 May 1960 in Oslo.", True),
        ("Was Pongo sued in 1970?", "Pongo was sued in 1960.", False),  # it may have been sued again
        ("Was Pongo opened in 1970?", "Pongo was opened in 1960 and again in 1970.", False),
    ],
)
def test_what_happens_once_is_denied_by_another_year(question: str, text: str, is_another: bool) -> None:
    assert told_of_another_year(question, text, "") is is_another


@pytest.mark.parametrize(
    ("question", "text", "part", "is_said"),
    [
        ("When did Pongo win the cup?", "Pongo won the cup in 1984, having lost in 1982.", "1984", True),
        ("When did Pongo win the cup?", "Pongo won the cup in 1984, having lost in 1982.", "1982", False),
        ("When did Pongo win the cup?", "Pongo won the cup in 1984 and 1990.", "1984", False),
        ("In which year was Pongo sold?", "Pongo was sold in 1984 by Acme.", "1984", True),
        ("Where is Pongo based?", "Pongo is based in Oslo, Norway, and grows.", "Oslo", True),
        ("How many mills does Pongo own?", "Pongo owns 33 mills, 40 shops and 5 farms.", "33", True),
        ("How many mills does Pongo own?", "Pongo owns 33 mills, 40 shops and 5 farms.", "40", False),
        ("Who launched Pongo?", "Pongo was launched in 2013 by Ann Lee, who left.", "Ann Lee", True),
        ("Who launched Pongo?", "Pongo was launched in 2013 by Ann Lee and Bo Ek.", "Ann Lee", False),
        ("Who is the president of Pongo?", "Ann Lee is the president of Pongo, a club.", "Ann Lee", True),
        ("Who is the president of Pongo?", "Ann Lee is the former president of Pongo.", "Ann Lee", False),
    ],
)
def test_a_part_is_told_where_the_rest_is_said_word_for_word(question, text, part, is_said) -> None:
    start = text.index(part)
    assert says_with_part(question, text, start, start + len(part)) is is_said


@pytest.mark.parametrize(
    ("question", "text", "one"),
    [
        ("Which mill is the oldest in Oslo?", "Pongo is the oldest mill in Oslo by far.", "Pongo"),
        ("Which mill is the oldest in Oslo?", "On 3 May 2020 Pongo was the oldest mill in Oslo.", ""),
        ("Which mill was the oldest in Oslo?", "On 3 May 2020 Pongo was the oldest mill in Oslo.", "Pongo"),
        ("What is the main rival of Pongo?", "Acme is the main rival of Pongo, and grows.", "Acme"),
        ("What is the main rival of Pongo?", "The main rival of Pongo is Acme, which grows.", "Acme"),
        ("What is the main rival of Pongo?", "Acme was never the main rival of Pongo.", ""),
        ("What is the main rival of Pongo?", "The largest mills pay the main rival of Pongo.", ""),
    ],
)
def test_the_one_thing_asked_for_is_named_outright(question, text, one) -> None:
    assert named_as_the_one(question, text) == one


def test_hostile_sentences_take_linear_time() -> None:
    for piece in ("is a film, ", "in Oslo, ", "Oslo, ", "who was ", "founded and ", "(born ", "A ", "and or the "):
        begun = time.perf_counter()
        said_outright("Is Pongo a film in Oslo?", "Pongo " + piece * 20_000, "Pongo")
        assert time.perf_counter() - begun < 2.0


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        ("Is Tusker a beer brand owned by Acme?", "Tusker is a beer brand owned by Acme.", True),
        ("Is Tusker a brand owned by Acme?", "Tusker is a popular beer brand owned by Acme.", True),
        ("Is Tusker a brand?", "Tusker is a former brand.", None),
        ("Is Tusker a brand?", "Tusker is a part of a brand.", None),
        ("Is Tesla a car?", "Tesla is a car company.", None),
        ("Did Ann Lee found the Marcos company?", "In 1990, Ann Lee founded the Marcos company in Oslo.", True),
        ("Did Acme buy Beats?", "Acme did not buy Beats in 2014.", False),
        ("Did Acme buy Beats?", "Acme never bought Beats.", False),
        ("Did Acme buy Beats?", "Critics say Acme bought Beats.", None),
        ("Did Acme buy Beats?", "Acme agreed to buy Beats.", None),
        ("Did Acme buy Beats?", "Beats bought Acme.", None),
        ("Does Acme buy Beats?", "Acme bought Beats in 2014.", None),
        ("Does Acme have plans to sell?", "Acme has no plans to sell.", False),
        ("Was Acme sued?", "Acme sued Google in 2004.", None),
        ("Did Acme sue?", "Acme was sued.", None),
        ("Is Bond the chief executive?", "Bond was the chief executive.", None),
        ("Is Norway a member?", "Norway is a member until 2030.", None),
        ("Can it combine scores or ranks?", "It can combine scores or ranks.", True),
        ("Was Ann Lee born in Rome?", "She was born in Rome.", True),
        ("Was Ann Lee born in Rome?", "He met her father, who was born in Rome.", None),
        ("Who founded Acme?", "Ann Lee founded Acme.", None),
    ],
)
def test_what_is_asked_may_be_said_outright(question, text, said):
    assert said_outright(question, text, "Ann Lee (writer)") is said


@pytest.mark.parametrize(
    ("question", "text", "behind"),
    [
        ("What does Long Lake contain?", "Long Lake contains bass and pike.", " bass and pike."),
        ("What does Long Lake contain?", "Lake Durant contains trout.", ""),
        ("What does Long Lake contain?", "Long Lake does not contain bass.", ""),
        ("What is scurvy caused by?", "Scurvy is usually caused by a lack of fruit.", " a lack of fruit."),
        ("What are the main parts of a mill?", "The two main parts of a mill are wheel and sail.", " wheel and sail."),
        ("List the main parts of a mill.", "The main parts of a mill wear out.", ""),
        ("List what the kit contains.", "The kit contains a pump.", " a pump."),
        ("Why was the hall closed?", "In 1950, the hall was closed because of a fire.", " because of a fire."),
        ("Why was the hall closed in 1950?", "The hall was closed because of a fire.", ""),
    ],
)  # fmt: skip
def test_a_sentence_may_say_all_but_what_is_asked(question, text, behind):
    assert behind_what_is_asked(question, text) == behind
    assert told_outright(question, text) is bool(behind)


@pytest.mark.parametrize(
    ("question", "text", "behind"),
    [
        ("Which zone is Pongo in?", "It is in Zone 4 of the network.", " Zone 4 of the network."),
        ("Which party is Ann Lee a member of?", "Bo “Ann” Lee Jr. is a poet and member of the Reds.", " the Reds"),
        (
            "What family does Pongo belong to?",
            "Pongo is a genus of tree belonging to the ape family.",
            " the ape family",
        ),
        ("What family does Pongo belong to?", "Pongo is a genus of trees in the ape family.", " the ape family"),
        ("What family does Pongo belong to?", "Pongo is a genus of a tree in the ape family.", ""),
        ("What family does Pongo belong to?", "Mongo belongs to the ape family.", ""),
    ],
)
def test_what_is_asked_of_a_name_may_be_one_of_the_statements_of_a_sentence(question, text, behind):
    title = "Ann Lee" if "Lee" in question else "Pongo"
    assert behind_what_is_asked(question, text, title) == behind


@pytest.mark.parametrize(
    ("question", "text", "told"),
    [
        ("How do I pay my bill?", "To pay your bill, ask at the desk.", True),
        ("What do I have to do to pay my bill?", "To pay your bill, ask at the desk.", True),
        ("How can I pay my bill?", "You can pay your bill by using a card.", True),
        ("How can I pay my bill?", "You can pay your bill in May.", False),
        ("How do I pay my bill?", "To print your bill, ask at the desk.", False),
    ],
)
def test_a_purpose_or_a_means_tells_how_to_do_what_is_asked(question, text, told):
    assert told_outright(question, text) is told


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        ("Does Acme have a rapidly evolving business?", "We have a rapidly evolving business.", True),
        ("Does Acme have an authorization?", "We also have an authorization to buy shares.", True),
        ("Does Acme sell its products abroad?", "The Company sells our products abroad, and in Oslo.", True),
        ("Does Acme hold key person insurance?", "We do not hold “key person” insurance.", False),
        ("Did Acme buy Beats?", "In May 2022, we bought Beats.", True),
        ("Did Acme buy Beats?", "Beats says that we bought Acme.", None),
        ("Does Beats have an authorization?", "We have an authorization to buy shares.", None),
    ],
)
def test_who_speaks_is_the_one_that_a_question_names(question, text, said):
    assert said_outright(question, text, speaker=frozenset(("acm",))) is said
