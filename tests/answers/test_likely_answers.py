"""What is likely enough is stated where the rules are not sure; of yes and no more is asked."""

import pytest

from adaq_core.answers.candidates import candidates_in
from adaq_core.answers.choose import Rated, wanted_of
from adaq_core.answers.evidence_sentences import (
    sentences_of,
)
from adaq_core.answers.short import OF_REASONS, OF_SPANS, candidates, propose
from adaq_core.answers.yes_no import OF_VERDICTS
from adaq_core.model import Constraint, Passage
from tests.answers.test_short_answer import SIRI, one, proposed


def chanced(question, kind, *texts, learned=True):
    groups = [sentences_of(Passage(f"p{n}#0", f"p{n}", "Acme: people", text), n) for n, text in enumerate(texts)]
    rated = [Rated(sentence, 0.6) for group in groups for sentence in group]
    return propose(wanted_of(question, kind), rated, groups, learned=learned)


SCIENTIST = (
    "Who became the top scientist of Acme?",
    "person",
    "Bo Dahl became chief scientific officer of Acme.",
    "Bo Dahl is the scientific officer.",
)


WITHDRAWN = (
    "Why did Acme take Bolt off the market?",
    "reason",
    "Acme gave up Bolt because few doctors wanted it.",
)


@pytest.mark.parametrize(("asked", "expected"), [(SCIENTIST, "Bo Dahl"), (WITHDRAWN, "Because few doctors wanted it")])
def test_what_is_likely_enough_is_stated_where_the_rules_are_not_sure(asked, expected):
    made = chanced(*asked)
    assert (made.text, made.by_chance) == (expected, True)
    assert not chanced(*asked, learned=False).text


def test_a_reason_of_what_no_word_of_the_question_says_is_none():
    """What the lexicon takes for alike, a lower value and cut prices, may be another thing altogether."""
    told = "Because Acme sells in dollars, a strong dollar lowers the value of its foreign revenue."
    assert not chanced("Why did Acme cut prices?", "reason", told).text


def test_a_reason_of_another_act_is_none():
    text = (
        "Regulators had blocked the purchase of Bolt in April and allowed it in October after Acme gave up its mills."
    )
    assert not chanced("Why was the purchase of Bolt blocked?", "reason", text).text
    assert chanced("Why was the purchase of Bolt allowed?", "reason", text).text == "After Acme gave up its mills"


def test_a_cause_is_told_before_a_time():
    text = "Acme stopped Bolt a year after its approval, because few doctors wanted it."
    assert chanced("Why did Acme stop Bolt?", "reason", text).text == "Because few doctors wanted it"


def test_who_has_colleagues_is_no_organisation():
    text = "Kim Orm and colleagues published the Zeta ranking in 2024."
    assert not chanced("Which company published the Zeta ranking?", "organisation", text).text


def test_a_day_and_the_quarter_that_holds_it_are_no_rivals():
    asked = ("When did the cup grant end?", "date", "The cup grant of Acme ended on 30 September 2025.")
    other = "Cups sold out in the {} of 2025 because the cup grant was to end."
    assert chanced(*asked, other.format("third quarter")).text == "30 September 2025"
    assert not chanced(*asked, other.format("first quarter")).text


def test_of_two_that_say_as_much_neither_is_likely_enough():
    assert not chanced(*SCIENTIST, "Eva Orm is a top scientist of Acme.").text


def test_what_the_rules_are_sure_of_is_stated_by_them():
    made = chanced("Who leads Acme?", "person", "Eva Orm leads Acme.")
    assert (made.text, made.by_chance) == ("Eva Orm", False)


def test_each_candidate_has_the_features_that_the_models_were_learned_on():
    group = sentences_of(SIRI, 0)
    rated = [Rated(sentence, 0.9) for sentence in group]
    amounts = candidates(wanted_of("How much did Apple pay?", "amount"), rated)
    reasons = candidates(wanted_of("Why did Apple pay?", "reason"), rated)
    assert {len(each.features) for each in amounts} == {len(OF_SPANS)}
    assert {len(each.features) for each in reasons} <= {len(OF_REASONS)}
    verdicts = candidates(wanted_of("Did Apple pay?", "yes_no"), rated)
    assert [(each.text, len(each.features)) for each in verdicts] == [("Yes", len(OF_VERDICTS))]
    assert candidates(wanted_of("What is Apple?", "definition"), rated) == []


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("Does Acme own mills?", "Acme owns three mills.", "Yes"),
        ("Did Acme buy Bolt in 2022?", "Acme bought Bolt in 2017 and the mill Dyna in 2022.", "No"),
        ("Did growth of Acme fall in 2022?", "Firms bought less in 2022 and 2023, and growth of Acme slowed.", ""),
        ("Does Acme own mills?", "Acme does not own mills.", "No"),
        ("Does Acme make its cups itself?", "Acme designs its own cups, but Bolt makes these cups of Acme.", ""),
        ("Does Acme price by the old list?", "Acme prices by the real list and not by the old list.", ""),
        ("Is Acme still in the cup business?", "Acme left the cup business in 2020.", "No"),
        ("Was Acme fined by Dyna?", "Dyna proposed fines of 3 million dollars for Acme.", ""),
    ],
)
def test_yes_and_no_are_weighed_and_a_yes_needs_more_than_the_words(question, text, expected):
    group = sentences_of(Passage("a#0", "a", "Acme: deals", text), 0)
    rated = [Rated(sentence, 0.8) for sentence in group]
    assert propose(wanted_of(question, "yes_no"), rated, [group], learned=True).text == expected


def test_a_yes_with_its_condition_stays_as_the_rule_says_it():
    text = "Staff may sell cups if the manager of Acme agrees."
    group = sentences_of(Passage("a#0", "a", "Acme: rules", text), 0)
    rated = [Rated(sentence, 0.9) for sentence in group]
    made = propose(wanted_of("May staff sell cups?", "yes_no"), rated, [group], learned=True)
    assert made.text == "Yes, if the manager of Acme agrees"


def test_who_stands_in_an_aside_that_says_nothing_asked_is_not_the_answer():
    text = "Kim Orm, an engineer who had led Dyna Works, became chief executive of Acme in May 2024."
    assert proposed("Who is the chief executive of Acme?", "person", one(text, title="Acme")).text == "Kim Orm"
    text = "Kim Orm, who became chief executive of Acme in May 2024, had led Dyna Works."
    assert proposed("Who is the chief executive of Acme?", "person", one(text, title="Acme")).text == "Kim Orm"


def test_of_who_and_when_both_are_stated_where_the_sentence_has_one_time():
    text = "Ann Lee at Delta University developed the Zeta ranking in the early 1990s."
    made = proposed("Who developed the Zeta ranking and when?", "person", one(text, title="Zeta"))
    assert made.text == "Ann Lee, early 1990s"
    made = proposed("Who developed the Zeta ranking and when did Orbit copy it?", "person", one(text, title="Zeta"))
    assert made.text in ("Ann Lee", "")
    assert proposed("When was the Zeta ranking developed?", "date", one(text, title="Zeta")).text == "early 1990s"


def test_a_plain_yes_is_no_likely_no():
    """Of "in 2002 A sold bonds due 2030" another year stands nearer to the bonds."""
    told = "(e) On June 1, 2002, Bolt Norway sold $55 million harbour control revenue bonds due 2030, at 4.9%."
    assert chanced("Did Bolt Norway sell bonds in 2002?", "yes_no", told).text in ("", "Yes")


def test_a_chance_states_no_half_of_an_answer():
    assert not chanced("Who became the top scientist of Acme and when?", *SCIENTIST[1:]).by_chance


def test_an_amount_that_one_sentence_states():
    made = proposed("How much did Apple pay to settle the Siri lawsuit?", "amount", SIRI)
    assert (made.text, made.kind) == ("95 million dollars", "amount")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("We set aside 60 percent of the budget surplus for the next 15 years.", []),
        ("The budget surplus was 70 billion dollars in the last year.", ["70 billion dollars"]),
    ],
)
def test_a_part_of_what_is_asked_is_not_how_much_it_is(text, told):
    (sentence,) = sentences_of(Passage("s#0", "s", "Budget", text), 0)
    assert [span.text for span in candidates_in(wanted_of("What was the budget surplus?", "amount"), sentence)] == told


def test_of_figures_with_a_time_each_that_of_the_time_asked_is_stated():
    text = "Acme announced 6,000 job cuts in May 2025 and 9,000 in July 2025."
    group = sentences_of(Passage("a#0", "a", "Acme", text), 0)
    july = (Constraint("date", "in July 2025", (0, 0), "2025-07"),)
    wanted = wanted_of("How many job cuts did Acme announce in July 2025?", "number", conditions=july)
    assert propose(wanted, [Rated(sentence, 1.0) for sentence in group], [group]).text == "9,000"


def test_of_dates_with_a_number_each_that_of_the_number_asked_is_stated():
    text = "Acme became the first worth four billion in July 2025 and the first worth five billion in October 2025."
    assert proposed("When did Acme become worth five billion?", "date", one(text, title="Acme")).text == "October 2025"
    assert proposed("When did Acme become worth four billion?", "date", one(text, title="Acme")).text == "July 2025"


def test_of_figures_in_a_row_before_as_many_times_that_of_the_time_asked_is_stated():
    group = sentences_of(
        one("Mill costs of Acme were $6 million and $9 million in Q1 2022 and Q1 2023.", title="Acme"), 0
    )
    for value, stated in (("2022-Q1", "$6 million"), ("2023-Q1", "$9 million")):
        bound = (Constraint("period", "", (0, 0), value),)
        wanted = wanted_of("What were the mill costs of Acme?", "amount", conditions=bound)
        made = propose(wanted, [Rated(sentence, 1.0) for sentence in group], [group])
        assert stated in (made.text, *made.likely[:1])


def test_of_dates_each_behind_an_act_that_of_the_act_asked_is_stated():
    text = "Workers of Acme formed a union at an Acme mill in June 2022 and ratified a contract in July 2024."
    of_acme = one(text, title="Acme")
    assert proposed("When did workers of the Acme mill ratify a contract?", "date", of_acme).text == "July 2024"
    assert proposed("When did workers of the Acme mill form a union?", "date", of_acme).text == "June 2022"

    text = "Acme agreed in July 2024 to a purchase of Bolt and completed it in December 2025."
    assert proposed("When was the purchase of Bolt wrapped up?", "date", one(text, title="Acme")).likely[:1] != (
        "July 2024",
    )


def test_a_length_has_a_unit_and_a_place_its_region():
    text = "About 3,200 workers of Acme struck from August to November 2025."
    made = proposed("How long did the workers of Acme strike?", "number", one(text, title="Acme"))
    assert (made.text, made.likely) == ("", ())
    made = proposed(
        "Where does Acme make cups?", "place", one("Acme makes cups in Lathrop in California.", title="Acme")
    )
    assert "Lathrop in California" in (made.text, *made.likely)
    made = proposed(
        "By whom was Acme judged in the Epic row?", "person", one("Epic Games and Acme were judged.", title="A")
    )
    assert "Epic Games" not in (made.text, *made.likely)


@pytest.mark.parametrize(
    ("question", "kind", "text"),
    [
        ("How old is Ann Lee?", "number", "Ann Lee, born in 1956, has led Acme for about twenty years."),
        ("Who ran Acme before Lee?", "person", "Ann Lee has run Acme since June 2024."),
        ("who heads research at Acme?", "person", "Ann Lee, head of research at Acme, announced her departure."),
        ("what raise did the machinists get", "number", "About 33,000 machinists got a raise."),
        ("How big is Acme?", "number", "Acme paid 9 million dollars in May 2025."),
        ("How much is Acme worth?", "amount", "Acme gave her shares worth up to 9 million dollars in May 2025."),
        ("Why will Acme not build mills?", "reason", "The state says how many mills Acme may build and when they run."),
    ],
)
def test_what_only_stands_beside_the_answer_is_not_stated(question, kind, text):
    assert proposed(question, kind, one(text, title="Acme")).text == ""


def test_a_date_is_of_the_thing_ahead_of_it_and_who_does_it_stands_before_the_verb():
    text = "Acme bought Linkwell in 2016, Gitmill in 2018 and Borwin in 2023."
    assert proposed("When was Gitmill bought?", "date", one(text, title="Acme")).text == "2018"
    text = "Acme presented its own AI chip Nova in May, but Bolt makes both."
    assert proposed("Which company makes Acme's Nova chip?", "organisation", one(text, title="Acme")).text == "Bolt"


def test_what_holds_now_is_the_number_of_the_last_time():
    text = "Acme was worth 4 million dollars in July 2025 and 5 million dollars in October 2025."
    assert proposed("How much is Acme worth?", "amount", one(text, title="Acme")).text == "5 million dollars"
    made = proposed("How much was Acme worth?", "amount", one(text, title="Acme"))
    assert made.text != "5 million dollars"


def test_how_long_it_has_been_so_is_told_by_since_when():
    text = "Ann Lee became chief executive of Acme in July 2021."
    made = proposed("How long has Ann Lee been chief executive of Acme?", "number", one(text, title="Acme"))
    assert (made.text or made.likely[0]) in ("since July 2021", "July 2021")
    assert "2021" not in str(proposed("How long was Ann Lee chief executive of Acme?", "number", one(text)))


def test_what_a_thing_is_for_is_no_thing_of_its_kind():
    text = "A gene drug of Acme for Duchenne dystrophy failed in June 2024."
    made = proposed("Which Acme drug failed?", "fact", one(text, title="Acme"))
    assert "Duchenne" not in (made.text, *made.likely)


def test_who_bought_it_is_to_whom_it_was_sold():
    text = "In May 2023 Acme sold its Gamma Mill GmbH business to Bolt Partners."
    assert proposed("Who bought Gamma Mill?", "organisation", one(text, title="Trade")).text == "Bolt Partners"
    named = proposed("Who sold Gamma Mill?", "organisation", one(text, title="Trade"))
    assert "Gamma Mill GmbH" not in (named.text, *named.likely)


def test_a_number_keeps_its_scale_and_its_unit():
    held = [Passage(f"{name}#0", name, name, "Acme holds 158 million shares of Bolt.") for name in ("a", "b")]
    group = [sentences_of(passage, rank)[0] for rank, passage in enumerate(held)]
    wanted = wanted_of("How many Bolt shares does Acme own?", "number")
    made = propose(wanted, [Rated(sentence, 0.7) for sentence in group], [(sentence,) for sentence in group])
    assert "158 million" in made.text
    text = "The deal shields Acme from tariffs for a three-year period."
    made = proposed("For how long does the deal shield Acme from tariffs?", "number", one(text, title="Acme"))
    assert made.text == "three years"


def test_what_the_matcher_is_not_sure_of_is_only_marked():
    made = proposed("How much did Apple pay to settle the Siri lawsuit?", "amount", SIRI, match=0.2)
    assert (made.text, made.likely) == ("", ("95 million dollars",))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who founded Nova?", "Ada Lee, Bo Chan and Cy Roy"),
        ("Who is the chief executive of Nova?", "Ada Lee"),
    ],
)
def test_an_and_closes_a_list_of_names_and_opens_the_next_clause(question, answer):
    text = "Nova was founded in 1993 by Ada Lee, Bo Chan and Cy Roy, and Ada Lee has been chief executive ever since."
    assert proposed(question, "person", one(text, title="Nova: overview")).text == answer


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Who sued Lumen?", "The Harbour Times sued Nova Corp and Lumen in 2023.", "Harbour Times"),
        ("Who bought Lumen?", "Lumen was bought by Nova in 2022, before Orbit failed.", "Nova"),
        ("Who sued Nova?", "Nova sued Orbit and Lumen in 2023.", ""),
    ],
)
def test_who_did_something_stands_where_the_sentence_has_the_doer(question, text, answer):
    assert proposed(question, "person", one(text, title="Courts")).text == answer
