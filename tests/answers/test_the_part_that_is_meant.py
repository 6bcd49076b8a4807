"""What a sentence tells of something else, of another time or by another doer is no short answer."""

import pytest

from adaq_core.answers.choose import reason_in
from tests.answers.test_short_answer import one, proposed


@pytest.mark.parametrize(
    ("question", "kind", "text", "answer"),
    [
        ("When did the outage at Nova happen?", "date", "The Nova outage was on 3 May 2024.", "3 May 2024"),
        ("When did the outage at Nova kill the archive?", "date", "The Nova outage was on 3 May 2024.", ""),
        ("What share in percent did Nova sell?", "number", "Nova sold 30 percent for 4 million dollars.", "30 percent"),
        ("In which town did Nova open a lab?", "place", "Nova opened a lab in Bern, Kent, in May.", "Bern"),
        ("Where did Nova open a lab?", "place", "Nova opened a lab in Bern, Kent, in May.", "Bern, Kent"),
        ("In which town did Nova open a lab?", "place", "Nova opened a lab for American hospitals.", ""),
        ("How many robots does Nova use?", "number", "Nova uses one million robots.", "one million"),
        ("When is the Nova report due?", "date", "The Nova report is due by January 31st.", "by January 31st"),
        ("How long must a Nova password be?", "number", "A Nova password must be changed every 90 days.", ""),
    ],
)
def test_light_verbs_and_the_class_asked_for_need_not_be_said(question, kind, text, answer):
    assert proposed(question, kind, one(text, title="Nova: overview")).text == answer


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Which file format does Nova read?", "Nova reads the QDF file format from Lumen.", "QDF"),
        ("Which benchmark does Nova use?", "Nova uses Orbit, a benchmark of maps.", "Orbit"),
        ("What is Nova's payments unit called?", "The payments unit Kestrel belongs to Nova.", "Kestrel"),
        ("Which file format does Nova read?", "Nova reads files that Lumen wrote.", ""),
        ("Which one?", "Nova uses Orbit, a one of maps.", ""),
    ],
)
def test_a_name_is_stated_where_the_sentence_calls_it_one_of_the_class_asked_for(question, text, answer):
    assert proposed(question, "fact", one(text, title="Nova")).text == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [("What does QDF stand for?", "quick data format"), ("What does QXF stand for?", "")],
)
def test_an_abbreviation_is_spelled_out_where_the_text_does_so(question, answer):
    text = "QDF, short for quick data format, is read by Nova."
    assert proposed(question, "definition", one(text, title="QDF")).text == answer


@pytest.mark.parametrize(
    ("name", "text", "answer"),
    [
        ("CSAM", "Material on child sexual abuse material (CSAM) is removed.", "child sexual abuse material"),
        ("TVE", "We fight terrorism or violent extremism (TVE).", "terrorism or violent extremism"),
        ("OFAC", "Ask the Office of Foreign Assets Control (OFAC).", "Office of Foreign Assets Control"),
        ("CDN", "The CDN (content delivery network) is fast.", "content delivery network"),
        ("CLTV", "It adds the capability of a lock at a time of value (CLTV).", ""),
        ("API", "Ask the board (API).", ""),
    ],
)
def test_an_abbreviation_in_brackets_stands_for_the_words_of_its_letters(name, text, answer):
    assert proposed(f"What does {name} stand for?", "definition", one(text, title="Nova")).text == answer


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who elects the chairperson?", "The voting members elect a Board Chairperson."),
        ("Who audits Acme?", "Beta Previews are audited by another measure than Acme is."),
        ("Who can lead a team?", "Each week there is an ACME.UK stand up to lead a team."),
    ],
)
def test_a_role_that_the_question_says_several_things_and_a_site_are_nobody(question, told):
    assert proposed(question, "person", one(told, title="Board")).text == ""


def test_the_latest_of_two_amounts_is_what_it_was_raised_to():
    text = "Nova promised a sum of 5 million dollars in May, and raised it to 6 million dollars."
    asked = "What {} sum did Nova promise?"
    assert proposed(asked.format("latest"), "amount", one(text, title="Nova")).likely == ("6 million dollars",)
    assert proposed(asked.format("first"), "amount", one(text, title="Nova")).likely == ("5 million dollars",)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Which company was founded first?", "Nova was founded in 2003, and sold its first shares in 2010.", ""),
        ("Which company was founded first?", "Of all of them Nova was founded first.", "Nova"),
        ("Which company depends most on Orbit?", "Nova depends on glass of Orbit.", ""),
        ("Which company depends on Orbit?", "Nova depends on glass of Orbit.", "Nova"),
    ],
)
def test_who_is_most_so_is_stated_only_where_that_is_said_of_somebody(question, text, answer):
    assert proposed(question, "organisation", one(text, title="Nova")).text == answer


@pytest.mark.parametrize(
    ("question", "kind", "text", "answer"),
    [
        (
            "Who bought Orbit?",
            "organisation",
            "Nova Works took over Beam and Glow in 2008 and bought Orbit in 2023.",
            "Nova Works",
        ),
        ("Who bought Orbit?", "organisation", "It took over Beam and Glow in 2008 and bought Orbit in 2023.", ""),
        ("Who bought Orbit?", "organisation", "In 2023 Beam was sold and Nova bought Orbit.", "Nova"),
        ("Who praised Orbit?", "person", "Ann Lee met Bo Chan in May and praised Orbit in June.", "Ann Lee"),
    ],
)
def test_who_also_did_something_is_the_first_of_the_sentence(question, kind, text, answer):
    assert proposed(question, kind, one(text, title="Orbit")).text == answer


@pytest.mark.parametrize(
    ("question", "kind", "text", "answer"),
    [
        # Nothing but the reason says what happened.
        ("Why did Orbit delay Beam?", "reason", "Orbit asked whether it could keep pace after delays to Beam.", ""),
        ("What caused the Beam outage?", "reason", "Orbit stood still, days after an outage of Beam.", ""),
        ("Why was Beam fined?", "reason", "Orbit was fined over rules for music, after a complaint by Ray.", ""),
        (
            "Why was Orbit fined?",
            "reason",
            "Orbit was fined over rules for music, after a complaint.",
            "Over rules for music",
        ),
        (
            "Why was Beam fined?",
            "reason",
            "It fined Orbit because of its dull rules and fined Beam because of its high prices.",
            "Because of its high prices",
        ),
        ("Why did Ray bid for Beam?", "reason", "Nova outbid Ray for Beam, but Beam may arrive when prices fell.", ""),
        ("Why use Orbit?", "reason", "Orbit is slow, because every pair needs a pass of its own.", ""),
        # What is to come is the latest of several dates; what only followed has its own.
        (
            "When will Orbit be delivered?",
            "date",
            "Orbit, once planned for 2020, was moved to a delivery in 2027.",
            "2027",
        ),
        ("When did Orbit fail?", "date", "It published rules in July 2023, shortly after the failure of Orbit.", ""),
        (
            "When did Orbit buy Glow Ray?",
            "date",
            "Orbit bought Beam in 2016 and the maker Glow Ray in May 2023.",
            "May 2023",
        ),
        # Who does it.
        ("Which airline had the plug accident?", "organisation", "After the plug accident the FAA limited output.", ""),
        ("Who will succeed Ann Lee?", "person", "The succession of Ann Lee is the main risk of Orbit Chase.", ""),
        (
            "Who is Orbit's main rival?",
            "organisation",
            "Nova is the main rival of the Orbit and Glow Ray drug.",
            "Nova",
        ),
        (
            "Who created Orbit?",
            "organisation",
            "Plain Words, released by Nova in 2019, is another set beside Orbit.",
            "",
        ),
        ("Who wrote Orbit?", "person", "The published results use Beam, and Orbit is compared with Basic Ray.", ""),
        ("Who is CEO at the maker of Orbit?", "person", "Nova Works became a maker when it made Orbit in 2015.", ""),
        ("Who investigates Orbit?", "organisation", "In 2024 BSA opened an investigation of Orbit Full Drive.", "BSA"),
        (
            "When did Orbit buy Glow Ray?",
            "date",
            "Orbit agreed in May 2023 to buy Glow Ray back and completed the purchase in July 2024.",
            "July 2024",
        ),
        # Where it is, and how much of what.
        (
            "How much pay rise did the pilots get?",
            "amount",
            "About 33,000 pilots stood still until May, when the pilots got pay rises of 38 percent.",
            "38 percent",
        ),
        (
            "How much did Beam commit to Orbit?",
            "amount",
            "Orbit keeps 27 percent of Beam, with a commitment of Beam to buy 250 billion dollars of goods.",
            "250 billion dollars",
        ),
        ("Where is Orbit based?", "place", "Orbit moved its base from Delaware to Texas, where it is based.", "Texas"),
        ("How fast does Orbit grow?", "number", "Orbit leads by far, but competition grows on three sides.", ""),
        ("How much did sales fall?", "amount", "Sales were above 50 billion dollars and then fell by most of it.", ""),
        (
            "How high is the fee cap?",
            "amount",
            "A rule that would have cut the fee cap to 8 dollars was cancelled.",
            "",
        ),
        ("Which company lost the most?", "organisation", 'Work on "lost in the middle" lost the most of it.', ""),
    ],
)
def test_a_part_of_a_sentence_that_tells_of_something_else_is_no_answer(question, kind, text, answer):
    assert proposed(question, kind, one(text, title="Orbit: news"), match=1.0).text == answer


def test_no_such_thing_is_needed_where_another_was_spoken_of_before():
    text = "Such goods need leave of the officer. No such leave is needed to travel to Kent."
    assert proposed("Do I need leave to travel?", "yes_no", one(text, title="Orbit: export policy")).text == ""


def test_a_later_sum_is_one_between_the_same_two():
    early = "Beam pays Orbit around 20 billion dollars a year, as a court held in August 2024."
    late = "Orbit agreed in January 2025 to pay 95 million dollars."
    again = "Beam agreed in January 2025 to pay Orbit 30 billion dollars a year."
    question = "How much does Beam pay Orbit a year?"
    assert proposed(question, "amount", one(f"{early} {late}", title="Orbit")).text != "95 million dollars"
    assert "30 billion" in str(proposed(question, "amount", one(f"{early} {again}", title="Orbit")))


def test_who_does_something_is_all_that_one_and_joins():
    text = "Nova buys glass from Beam, Glow and Ray Works and makes its own rims."
    assert (
        proposed("Who supplies glass to Nova?", "organisation", one(text, title="Nova")).text
        == "Beam, Glow and Ray Works"
    )


def test_a_reason_of_several_things_is_not_cut_behind_the_first_of_them():
    several = (
        "higher prices of clay, freight and firing along with the cost of the new works that opened in the north of the"
    )
    text = f"Margins of Nova fell because of {several} country in the spring, partly offset by sales of bowls and cups."
    assert reason_in(text) == f"because of {several} country in the spring"


def test_the_first_point_of_a_list_is_told_without_its_sign():
    text = "Margins of Nova fell due to: • Higher prices of clay; • Lower sales."
    told = proposed("Why did margins of Nova fall?", "reason", one(text, title="Nova"), match=1.0).text
    assert told == "Due to higher prices of clay"


def test_a_reason_that_goes_on_too_long_is_not_cut_within_a_word():
    rest = (
        "of the glass that Beam had made for it in the north of the country since the year in which all its kilns stood"
    )
    text = f"Nova stopped its kilns because {rest} still and cold for months while nobody bought any of its bottles."
    assert proposed("Why did Nova stop its kilns?", "reason", one(text, title="Nova")).text == ""
    text = f"Nova stopped its kilns because the glass broke, and {rest} still and cold for months while nobody came."
    told = proposed("Why did Nova stop its kilns?", "reason", one(text, title="Nova")).text
    assert told == "Because the glass broke"


def test_a_role_is_told_by_its_words_together():
    apart = "Nova said that its AI chief Ann Lee would retire, and the design executive Bo Chan left Nova."
    told = "Ann Lee became the chief executive of Nova."
    asked = "Who is the chief executive of Nova?"
    assert proposed(asked, "person", one(apart, title="Nova")).likely == ()
    assert proposed(asked, "person", one(told, title="Nova")).text == "Ann Lee"


def test_what_the_name_stands_for_is_that_of_the_passage():
    text = "Ann Lee published Glow in 2014, and the name stands for Global Words."
    assert proposed("What does Glow stand for?", "definition", one(text, title="Glow")).text == "Global Words"
    assert proposed("What does Beam stand for?", "definition", one(text, title="Glow")).text == ""


def test_what_is_asked_twice_has_no_one_answer():
    text = "Nova measures weight in grams."
    assert proposed("Which unit does Nova measure and which does Orbit?", "fact", one(text)).text == ""


@pytest.mark.parametrize(
    ("question", "kind", "text", "answer"),
    [
        ("Who leads Orbit now?", "person", "Ada Lee had led Orbit, and Bo Chan has led Orbit since.", "Bo Chan"),
        ("Who led Orbit before 2021?", "person", "Ada Lee had led Orbit before 2021.", "Ada Lee"),
        ("Who leads sales?", "person", "Ada Lee leads law, and Bo Chan has led sales since May.", "Bo Chan"),
        ("Who replaced Ada Lee?", "person", "Ada Lee, seen as a successor, was replaced by Bo Chan.", "Bo Chan"),
        (
            "Who makes the frame?",
            "organisation",
            "The supplier was Spirit Works, which Bolt Inc had left in 2005 and which makes the frame.",
            "Spirit Works",
        ),
        ("Who makes the modem of Bolt?", "organisation", "Bolt put its first own modem, the C1, into phones.", ""),
        (
            "Who left Orbit?",
            "person",
            "Orbit said that Bo Chan would retire, and the designer Ada Lee left Orbit.",
            "Ada Lee",
        ),
        ("Who is the head of Orbit?", "person", "Ada Lee followed Bo Chan as head of Orbit in May.", "Ada Lee"),
        ("Who is Orbit's head?", "person", "Ada Lee succeeded Bo Chan as head of Orbit in May.", "Ada Lee"),
        (
            "Who was the head of Orbit before Ada Lee?",
            "person",
            "Ada Lee followed Bo Chan as head of Orbit.",
            "Bo Chan",
        ),
        ("Who replaced Lee?", "person", "Ada Lee, seen as a successor, was replaced by Bo Chan.", "Bo Chan"),
        (
            "How much did Nova pay the heirs?",
            "amount",
            "Nova paid 4 million dollars to the heirs.",
            "4 million dollars",
        ),
        (
            "How much did Nova pay the heirs?",
            "amount",
            "Nova paid 4 million dollars to the heirs and 7 million dollars to the state.",
            "4 million dollars",
        ),
        (
            "How much did Nova pay?",
            "amount",
            "Nova paid 4 million dollars to the heirs and 7 million dollars to us.",
            "",
        ),
        ("Which unit sells maps?", "fact", "The unit Kestrel of Nova sells maps.", "Kestrel of Nova"),
        ("Which unit of Nova sells maps?", "fact", "The unit Kestrel of Nova sells maps.", "Kestrel"),
        ("Why did Nova close?", "reason", "When Orbit won the race, Nova closed.", "When Orbit won the race"),
        (
            "Who is the rival of Bolt?",
            "organisation",
            "Zest, a firm of Bolt, opened in Las Vegas and is a rival of Wave.",
            "Wave",
        ),
        (
            "How many died in the MAX crash?",
            "number",
            "A 737 MAX crash killed 346 people who died.",
            "346 people",
        ),
        (
            "What sum did Nova promise in May?",
            "amount",
            "Nova promised a sum of 5 million dollars in May.",
            "5 million dollars",
        ),
        ("When does Kestrel expire?", "date", "Kestrel and two others expire between 2026 and 2028.", ""),
        ("When does Kestrel expire?", "date", "Kestrel expires in 2026.", "2026"),
        ("Who leads Orbit now?", "person", "Ada Lee left Orbit, and Bo Chan leads Orbit.", "Bo Chan"),
        (
            "Where does Nova make pills?",
            "place",
            "Nova makes pills in Ireland, Italy and other countries.",
            "Ireland, Italy",
        ),
    ],
)
def test_the_part_is_the_one_that_the_question_means(question, kind, text, answer):
    assert proposed(question, kind, one(text, title="Nova and Orbit"), match=1.0).text == answer


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Pam gives a picture that leaves her out (because she took it herself) for when he leaves.", ""),
        ("Sales of kilns fell by 4% (because of the strong currency of the Orlin Isles).",
         "because of the strong currency of the Orlin Isles"),
        ("The kilns (of 1902) were closed because the Orlin Isles ran out of coal.",
         "because the Orlin Isles ran out of coal."),
    ],
)  # fmt: skip
def test_what_brackets_say_in_passing_is_no_reason_of_the_sentence(text, reason):
    assert reason_in(text) == reason


@pytest.mark.parametrize(
    ("question", "kind", "text", "answer"),
    [
        ("Where is Alder Lake?", "place", "Alder Lake is a salt lake in Kent, England, and is deep.", "Kent, England"),
        (
            "Where is Alder Lake?",
            "place",
            "Alder Lake (Welsh: Llyn) is a lake in the Dale of Kent.",
            "the Dale of Kent",
        ),
        ("Where is Ann Lee?", "place", "Ann Lee was born in Bergen, Norway.", ""),
        ("Where was the Alder built?", "place", "The Alder, built of oak, was found deserted in Kent.", ""),
        ("Where was the Alder built?", "place", "The Alder was built in Kent.", "Kent"),
        ("When was Alder House founded?", "date", "Alder House was destroyed in 1871.", ""),
        ("Who made Nova?", "person", "Nova is a show made by Bo Dahl, first shown as Bright Hall.", "Bo Dahl"),
        (
            "Which company sold Nova?",
            "organisation",
            "Nova (or NV Tool) is a kit sold by Acme Mills.",
            "Acme Mills",
        ),
    ],
)
def test_a_place_a_date_and_a_doer_are_those_of_what_was_done(question, kind, text, answer):
    assert proposed(question, kind, one(text, title="Of all")).text == answer


@pytest.mark.parametrize(("where", "told"), [("at home", "$200"), ("abroad", "$300")])
def test_of_two_sums_that_is_marked_of_whose_clause_is_asked(where, told):
    hotel = one("Nova hotel rate: $200 at home, $300 abroad", title="Trips")
    made = proposed(f"How much is the Nova hotel rate {where}?", "amount", hotel)
    assert (made.text, *made.likely)[-1] == told


@pytest.mark.parametrize(("role", "told"), [("CFO", ""), ("deputy of Ann Lee", "Bo Reid")])
def test_who_has_a_role_stands_in_no_row_where_the_role_is_part_of_a_cell(role, told):
    table = "Amount | Approval | Handled by\n\nOver $50: Approval CFO + Ann Lee; Handled by Bo Reid"
    assert proposed(f"Who is the {role}?", "person", one(table, title="Deputy")).text in ("", told)
