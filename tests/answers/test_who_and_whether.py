"""Who did it, where, how many and whether: by the place of a name, a limit or a denial in the sentence."""

import pytest

from adaq_core.answers.choose import Rated, reason_in, wanted_of
from adaq_core.answers.evidence_sentences import sentences_of
from adaq_core.answers.polarity import stance_of
from adaq_core.answers.short import propose
from adaq_core.model import Passage
from adaq_core.text.tokens import terms_of


def proposed(question, kind, text, title="Acme: people", *, learned=False):
    group = sentences_of(Passage("a#0", "a", title, text), 0)
    return propose(wanted_of(question, kind), [Rated(sentence, 0.9) for sentence in group], [group], learned=learned)


WRITE_OFFS = (
    "Write-offs of bad debts up to 10,000 pounds are approved by the finance director, those up to 75,000 pounds are "
    "approved by the chief financial officer, and larger ones by the committee."
)


@pytest.mark.parametrize(
    ("question", "kind", "told", "answer"),
    [
        ("How many downloads has Bolt?", "number", "Bolt has 300M downloads and 4,000,000 users.", "300M"),
        ("Is Acme still making losses?", "yes_no", "The losses of Acme mean that it must train people.", ""),
        ("Is Bo Dahl still at Acme?", "yes_no", "Bo Dahl has been at Acme for thirty years.", "Yes"),
        ("Does Acme still make Bolt?", "yes_no", "Acme stopped making Bolt in China in 2024.", ""),
        ("Does Acme still make Bolt?", "yes_no", "Acme stopped making Bolt in 2024.", "No"),
        ("Should I still use Bolt?", "yes_no", "Bolt is not available with Rack 3.", ""),
        ("Should I still use Bolt?", "yes_no", "The use of Bolt is not recommended.", "No"),
        ("Whom did Bo Dahl replace?", "person", "The succession of Bo Dahl is the main risk of Acme Bank.", ""),
        (
            "Who did Bo Dahl replace?",
            "person",
            "Ann Lee, once a successor, left it to Bo Dahl and retired from Acme.",
            "Ann Lee",
        ),
        ("Who makes Bolt?", "organisation", "The supply of Acme runs through Zeta and a few makers of Bolt.", ""),
        ("Who makes Bolt?", "organisation", "The supply of Acme runs through Zeta, a maker of Bolt.", "Zeta"),
        ("Who created Bolt?", "person", "Bolt Cloud is built by the same author and team.", ""),
        ("Who created Bolt?", "person", "6) [Optional] Go to the page and create a release of Bolt.", ""),
        ("Who created Bolt?", "person", "Development of Bolt is supported by Tideway.", ""),
        (
            "What does AWS stand for?",
            "definition",
            "Acme launched Acme Web Services or AWS in 2006.",
            "Acme Web Services",
        ),
        (
            "What is AWS short for?",
            "definition",
            "Acme launched Acme Web Services or AWS in 2006.",
            "Acme Web Services",
        ),
        ("Who rejected Acme's plea deal?", "person", "Judge Ann Lee in Texas rejected the Acme plea deal.", "Ann Lee"),
        ("Who made Bolt?", "person", "Ann Lee and colleagues at Oslo University and Zeta made Bolt.", "Ann Lee"),
        ("Who could succeed Bo Dahl?", "person", "The succession of Bo Dahl is the main risk of Acme Bank.", ""),
        ("Which regulator blocked the Acme deal?", "organisation", "The same regulator blocked the Acme deal.", ""),
        ("Which company made Bolt?", "organisation", "Ann Lee and colleagues at Zeta made Bolt in 2018.", "Zeta"),
        ("How many hops has a Bolt question?", "number", "A Bolt question has two to four hops.", "two to four hops"),
        ("Which country told its airlines to stop?", "place", "In April China told its airlines to stop.", "China"),
        ("Which city hosted the Bolt trials?", "place", "The Bolt trials were at the College of Arts.", ""),
        ("Since when has Bo Dahl led Acme?", "date", "Bo Dahl, who turned 65 in May 2025, had led Acme for long.", ""),
        ("Since when has Bo Dahl led Acme?", "date", "Bo Dahl, who has led Acme since 2014, turned 65.", "2014"),
        ("Who regulates banks?", "organisation", "The Banking Act of July 2025 regulates banks.", ""),
        ("Where is Bo Dahl from?", "place", "Bo Dahl moved to Bergen to be near the yard.", ""),
        ("Where is Bo Dahl from?", "place", "Bo Dahl comes from Bergen.", "Bergen"),
        ("Where does Acme build most of its kilns?", "place", "Acme stopped most kiln building in Bergen.", ""),
        ("Where does Acme build its kilns?", "place", "Acme builds its kilns in Bergen.", "Bergen"),
        ("Which company has the most workers?", "organisation", "Zeta Bank called most workers back.", ""),
        ("Where does Acme have factories?", "place", "Acme opened factories in Bergen.", ""),
        ("Whose kilns does Acme use?", "organisation", "Zeta is a rival of Acme and uses kilns of its own.", ""),
        ("Whose kilns does Acme use?", "organisation", "Acme uses kilns from Zeta Corporation.", "Zeta Corporation"),
        ("Who may overrule the export officer?", "person", "The export officer, Ann Lee, may stop orders.", ""),
        ("Who is the export officer?", "person", "The export officer, Ann Lee, may stop orders.", "Ann Lee"),
        ("Who is responsible for Bolt?", "person", "The Bolt, Safety, and Trust Act asks who is responsible.", ""),
        ("When did the strike at Acme begin?", "date", "A strike at Acme lasted from May to June 2024.", "May 2024"),
        ("Who founded Acme?", "person", "Acme presented the Kestrel in 2019 and started deliveries in 2023.", ""),
        ("Which law changed kiln safety?", "fact", "Congress changed the law on kiln safety in 2020.", ""),
        ("Which law changed kiln safety?", "fact", "The Kiln Act changed kiln safety in 2020.", "Kiln Act"),
        (
            "Which court restored the pay of Bo Dahl?",
            "organisation",
            "The Court of Oslo cancelled the pay of Bo Dahl in May and refused to restore it.",
            "",
        ),
        ("What damaged the mill of Acme?", "fact", "On 19 July 2023 a storm damaged the Acme mill in Oslo.", "a storm"),
        ("What damaged the mill of Acme?", "fact", "The event damaged the mill of Acme in Oslo.", ""),
        ("What ended the strike at Acme?", "fact", "About 3,200 workers at Acme went on strike in August.", ""),
        (
            "What helped Acme earn more?",
            "fact",
            "Acme earned more, helped by low rates and a gain on Zeta shares.",
            "low rates and a gain on Zeta shares",
        ),
        ("Which mill and kiln does Acme use?", "fact", "Acme uses Kestrel as its mill and Bolt as its kiln.", ""),
        ("How many reports has Bo Dahl?", "number", "Bo Dahl has several dozen reports.", "several dozen"),
        (
            "How large is the plan of Acme?",
            "amount",
            "The plan of Acme is for 1.5 trillion dollars of mills, including up to 10 billion dollars of its own.",
            "1.5 trillion dollars",
        ),
        ("What is the largest bank in the US?", "fact", "On 3 May 2023 Zeta was the largest bank in Norway.", ""),
        (
            "What is the largest bank in the US?",
            "fact",
            "Zeta is the largest bank in the United States by assets.",
            "Zeta",
        ),
        (
            "Which bank is the largest in the US?",
            "organisation",
            "Zeta is the largest bank in the United States.",
            "Zeta",
        ),
        ("What is the greatest asset of Acme?", "fact", "The greatest asset of Acme is its mill.", "its mill"),
        ("Who approves a write-off of 9,000 pounds?", "person", WRITE_OFFS, "the finance director"),
        ("Who approves a write-off of 40,000 pounds?", "person", WRITE_OFFS, "the chief financial officer"),
    ],
)
def test_who_did_it_stands_in_the_place_of_who_does(question, kind, told, answer):
    said = proposed(question, kind, told).text
    assert said == answer or (answer.startswith(said) and said != "")


@pytest.mark.parametrize(
    ("question", "told", "answer"),
    [
        ("Did Acme avoid prosecution?", "Acme avoided prosecution.", "Yes"),
        ("Did Acme lose the Bolt trial?", "Acme won the Bolt trial.", "No"),
        ("Did Acme lose the Bolt trial?", "Acme had won most earlier Bolt trials.", ""),
    ],
)
def test_who_avoids_a_thing_did_not_have_it_and_other_cases_are_not_the_one_asked_about(question, told, answer):
    assert proposed(question, "yes_no", told).text == answer


def test_that_a_thing_did_not_happen_says_that_it_was_avoided():
    said = stance_of("Did Acme avoid prosecution?", "Acme was not prosecuted.", terms_of("Acme prosecution"))
    assert said is not None
    assert said.yes


def test_what_is_denied_is_denied_where_the_title_says_its_word_too():
    said = "Pressure gauges and thermometers are not controlled."
    assert proposed("Are pressure gauges controlled?", "yes_no", said, "Acme: export control policy").text == "No"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Why were the bolts of Acme missing?", "Because they had not been put back after the repair"),
        ("What caused the Acme plug to come off?", ""),
    ],
)
def test_a_reason_of_they_is_not_stated_where_the_question_speaks_of_one_thing(question, answer):
    told = "Four bolts of the Acme plug were missing because they had not been put back after the repair."
    assert proposed(question, "reason", told, learned=True).text == answer


MOVED = "Acme moved its seat from Bern to Kent in June 2024."
SPIRIT = "Acme agreed in July 2024 to buy Zeta back, while Orbit took over the Zeta plants."
CARD = "Acme and Orbit announced in January 2026 that Orbit would take over the Acme Card from Zeta."
PLEDGE = (
    "Acme said in May 2025 that it would spend 5 million dollars, and raised the figure to 6 million dollars in June "
    "2025."
)
PRIME = (
    "Acme agreed to pay 25 million dollars; ten million dollars of it was a civil penalty and the rest was set aside "
    "for refunds."
)


@pytest.mark.parametrize(
    ("question", "kind", "told", "answer"),
    [
        ("To which town did Acme move its seat?", "place", MOVED, "Kent"),
        ("From which town did Acme move its seat?", "place", MOVED, "Bern"),
        ("Did Acme move its seat to Bern?", "yes_no", MOVED, ""),
        ("Did Acme move its seat to Kent?", "yes_no", MOVED, "Yes"),
        ("Did Acme launch Bolt before Orbit?", "yes_no", "Acme launched Bolt in 2025, years after Orbit.", "No"),
        ("Did Acme launch Bolt after Orbit?", "yes_no", "Acme launched Bolt in 2025, years after Orbit.", "Yes"),
        ("Who is taking over the Acme Card?", "organisation", CARD, "Orbit"),
        ("When will Orbit take over the Acme Card?", "date", CARD, ""),
        ("When was it announced that Orbit takes over the Acme Card?", "date", CARD, "January 2026"),
        ("Who took over the Zeta plants?", "organisation", SPIRIT, "Orbit"),
        ("Who took over the plants that Orbit wanted?", "organisation", SPIRIT, ""),
        ("When did the seat move?", "date", "Acme said in May 2025 that the seat had moved.", ""),
        (
            "By when will Acme cut its costs?",
            "date",
            "Acme said in May 2025 that it would cut its costs by 2027.",
            "2027",
        ),
        ("When will Orbit use Bolt?", "date", "Acme launched Bolt in May 2023, and Orbit agreed to use Bolt.", ""),
        ("When will Acme open?", "date", "Acme will open in the second half of 2026.", "the second half of 2026"),
        ("When did Acme raise its figure?", "date", PLEDGE, "June 2025"),
        ("How much will Acme spend?", "amount", PLEDGE, "6 million dollars"),
        ("How big was the civil penalty of Acme?", "amount", PRIME, "ten million dollars"),
        ("How much did Acme set aside for refunds?", "amount", PRIME, ""),
        ("How many cells has the smallest Bolt?", "number", "The largest Bolt has 9 cells.", ""),
        ("How many cells has the largest Bolt?", "number", "The largest Bolt has 9 cells.", "9"),
        ("When did Acme last make a loss?", "date", "Acme made its first loss in 2019.", ""),
        ("When did Acme make its first loss?", "date", "Acme made its first loss in May 2019.", "May 2019"),
        ("Who led Acme before Ann Lee?", "person", "Bo Dahl succeeded Ann Lee, who led Acme.", ""),
        ("Who founded Acme?", "person", "Bill Dahl and Ann Lee founded Acme in 1975.", "Bill Dahl and Ann Lee"),
        (
            "Who led Acme before Ann Lee?",
            "person",
            "In May Acme made Bo Dahl head of sales so that Ann Lee led it.",
            "",
        ),
        ("Who is the head of Bolt?", "person", "Ann Lee was head of Bolt, an arm of Orbit.", "Ann Lee"),
        ("Until when is Ann Lee head of Acme?", "date", "Ann Lee became head of Acme in May 2011.", ""),
        ("Until when is Ann Lee head of Acme?", "date", "Ann Lee is head of Acme until May 2031.", "May 2031"),
        ("Who has led Acme since 2021?", "person", "Bo Dahl has led Acme since June 2024.", ""),
        ("Who has led Acme since 2024?", "person", "Bo Dahl has led Acme since June 2024.", "Bo Dahl"),
        ("Who founded Acme?", "person", "Zeta launched Bolt in 2025 as a rival of the Acme Rack.", ""),
        ("Who insured Bo Dahl as head of Acme?", "person", "Bo Dahl handed the post of head to Ann Lee of Acme.", ""),
        (
            "What is Acme's satellite network called?",
            "fact",
            "Orbit, whose Zeta satellite network is old, leads Acme.",
            "",
        ),
    ],
)
def test_what_is_told_of_the_other_side_or_of_the_telling_is_no_answer(question, kind, told, answer):
    assert proposed(question, kind, told, title="Acme: places and sums").text == answer


@pytest.mark.parametrize(
    ("question", "kind", "told", "answer"),
    [
        ("What kind of game is Bolt?", "fact", "Bolt is a German-style card game of Ann.", "German-style card game"),
        ("What kind of game is Bolt?", "fact", "Bolt is a book on a card game by Ann Lee.", ""),
        ("What is Bolt also called?", "definition", "Bolt, also known as Zap, is a game.", "Zap"),
        ("What was Bolt called before?", "fact", "Bolt, also known as Zap, is a game.", ""),
        ("What was Bolt called before?", "fact", "Bolt, originally published as Zap, is a game.", "Zap"),
        ("What was Bolt's real name?", "fact", "Bolt (1900 – 1950), born Ann Lee, was a poet.", "Ann Lee"),
        ("What was Bolt's real name?", "fact", "Bolt (1900 – 1950), born in Rome, was a poet.", ""),
        ("After which town is Bolt named?", "place", "Bolt is a dog named after the town of Bolt.", "the town of Bolt"),
        ("Which zone is Bolt in?", "fact", "It is in Zone 4 of the network.", "Zone 4"),
        ("Which zone is Bolt in?", "fact", "It is in a network of four.", ""),
        ("What is Bolt based on?", "fact", "Bolt is a film based on the novel Zap and was made here.", "the novel Zap"),
        ("What does Bolt sell?", "fact", "Bolt sells chips to the cloud.", ""),
        ("How many wheels does Bolt have?", "number", "Bolt has only one wheel, and two doors.", "one"),
        ("How many wheels does Bolt have?", "number", "Bolt has a seat, and one can ride it.", ""),
        ("How often was Bolt second?", "number", "Bolt was three times a tournament second.", ""),
        ("How often is Bolt fed?", "number", "Bolt is fed three times a day.", "three times a day"),
        ("Who owns Bolt?", "person", "The team is owned by Ann Lee, who used to also own Zeta.", "Ann Lee"),
        ("Which company originally developed Bolt?", "organisation", "Bolt was originally developed by Zeta.", "Zeta"),
        ("Who played Bolt?", "person", "It is based on Ann Lee's classical play of Bolt.", ""),
        ("Who narrated Bolt?", "person", "Productions were narrated by Ann Lee.", "Ann Lee"),
        ("Did the Bolt Oak collapse?", "yes_no", "This is the oldest after two other large oaks collapsed.", ""),
    ],
)  # fmt: skip
def test_below_its_name_what_a_thing_is_in_or_called_is_told(question, kind, told, answer):
    assert proposed(question, kind, told, "Bolt").text == answer


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Acme lost money in 2022, partly because its shares fell.", "partly because its shares fell."),
        ("Acme lost money in 2022 because its shares fell.", "because its shares fell."),
    ],
)
def test_a_cause_among_others_is_told_as_one_of_them(text, reason):
    assert reason_in(text) == reason
