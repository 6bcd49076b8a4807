"""The yes or no that is stated: no wrong one, and what of a sentence tells for either."""

import json
from pathlib import Path

import pytest

from adaq_core.answers.choose import Rated, wanted_of
from adaq_core.answers.evidence_sentences import sentences_of
from adaq_core.answers.short import propose
from adaq_core.answers.yes_no import tells_verdict, verdict
from adaq_core.events import AnswerWritten, of_kind
from adaq_core.model import Passage


@pytest.mark.parametrize(
    ("question", "sentence", "turned"),
    [
        ("Is Acme allowed to pay Bolt?", "The court banned such contracts but allowed Acme to pay Bolt.", 0.0),
        ("Has Acme given up on its car?", "Acme ended its car project in May.", 0.0),
        ("Does Acme build a car?", "Acme ended its car project in May.", 1.0),
    ],
)
def test_a_word_that_turns_counts_in_the_clause_on_what_is_asked_unless_the_question_turns_too(
    question, sentence, turned
):
    (read,) = sentences_of(Passage("a#0", "a", "Acme", sentence), 0)
    rated = Rated(read, 0.9)
    assert tells_verdict(wanted_of(question, "yes_no"), rated, [rated])["turned"] == turned


def test_a_count_that_breaks_the_bound_of_a_question_turns_the_yes_of_its_words():
    (read,) = sentences_of(Passage("a#0", "a", "Rules", "22 banks passed the stress test in May."), 0)
    wanted = wanted_of("Did over 22 banks pass the stress test?", "yes_no")
    assert verdict(wanted, [Rated(read, 1.0)], [[read]]).text == "No"


@pytest.mark.parametrize(("word", "said"), [("Yes.", "Yes"), ("No, alas.", "No"), ("Maybe.", "")])
def test_a_bare_yes_or_no_answers_the_question_above_it(word, said):
    text = f"Is any special setup needed for a dynamic address?\n{word} Such an address changes with every call."
    group = sentences_of(Passage("a#0", "a", "Questions", text), 0)
    wanted = wanted_of("Do I need special setup for a dynamic address?", "yes_no")
    rated = [Rated(read, 0.9) for read in group if not read.empty]
    assert verdict(wanted, rated, [group]).text == said


RULES = "Policy"


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        ("Can the mint learn a balance?", "Blind signatures prevent the mint from learning a balance.", "No"),
        ("Are scripts trustworthy?", "Scripts are less trustworthy than pages.", ""),
        ("Can Ann enter the hall?", "Ann may be restricted from entering the hall.", "No"),
        ("Can guests vote?", "Guests can attend the meetings, but do not vote.", "No"),
        ("Can guests attend the meetings?", "Guests can attend the meetings, but do not vote.", "Yes"),
        ("Can the bot post to private channels?", "The bot can only post to public channels.", "No"),
        ("Can the bot post to large channels?", "The bot can only post to public channels.", ""),
        ("Can someone under 18 receive funds?", "Those under 18 can receive funds, if a guardian agrees.", "Yes, if a"),
        (
            "May I publish phone numbers?",
            "Do not publish this of others:\n\n- Phone numbers of people\n- Passwords",
            "No",
        ),
    ],
)
def test_a_clause_without_a_subject_a_limit_and_an_item_below_its_line_decide(question, text, said):
    group = sentences_of(Passage("a#0", "a", RULES, text), 0)
    rated = [Rated(read, 0.9) for read in group if read.listed or not read.empty]
    told = verdict(wanted_of(question, "yes_no"), rated, [group]).text
    assert told.startswith(said)
    assert bool(told) is bool(said)


def test_the_sentence_that_repeats_a_word_goes_before_one_that_only_shares_its_stem():
    text = "Members are regular members or voting members. Regular members may speak, but do not vote."
    group = sentences_of(Passage("a#0", "a", "Charter", text), 0)
    wanted = wanted_of("Can regular members vote?", "yes_no")
    assert propose(wanted, [Rated(read, 1.0) for read in group], [group]).text == "No"


def test_an_address_and_what_is_to_be_put_in_are_quoted_and_tags_are_not():
    told = "Write to <help@example.org> for help. Type push <branch> to send it. Write <b>bold</b> so."
    group = sentences_of(Passage("a#0", "a", "Help", told), 0)
    assert [read.text for read in group] == ["Write to <help@example.org> for help.", "Type push <branch> to send it."]


def test_no_yes_or_no_to_the_sample_corpus_is_stated_wrongly(run_of):
    """210 questions, written without looking what is answered; two in three are to be answered by no."""
    asked = json.loads((Path(__file__).parent / "yes_or_no.json").read_text(encoding="utf-8"))
    wrong, right = [], 0
    for question, expected in asked:
        short = next(of_kind(run_of("adaptive", question), AnswerWritten)).answer.short
        if short is not None and short.kind == "yes_no":
            right += short.text.startswith(expected)
            wrong += [] if short.text.startswith(expected) else [question]
    assert wrong == []
    assert right >= 55


@pytest.mark.parametrize(
    ("question", "told", "answer"),
    [
        ("Is Acme German?", "With the German partner Bolt, Acme made the vaccine.", ""),
        ("Is Acme German?", "Acme is a German company in Bonn.", "Yes"),
        ("Was Bolt bought by Acme?", "Acme has a Bolt commitment to buy services for two years.", ""),
        ("Was Bolt bought by Acme?", "Acme bought Bolt in 2016.", "Yes"),
        ("Can Bolt find synonyms?", "Acme finds synonyms that Bolt misses.", ""),
        ("Can Acme find synonyms?", "Acme finds synonyms that Bolt misses.", "Yes"),
        ("Can Bolt issue certificates again?", "In May the office allowed Bolt to issue certificates again.", "Yes"),
    ],
)
def test_a_yes_is_told_of_the_one_that_is_asked_about(question, told, answer):
    (read,) = sentences_of(Passage("a#0", "a", "Acme and Bolt", told), 0)
    assert verdict(wanted_of(question, "yes_no"), [Rated(read, 1.0)], [[read]]).text == answer


@pytest.mark.parametrize(
    ("question", "told", "answer"),
    [
        ("Is Ann Lee a comedian?", "Anna Maria Lee (born 3 May 1959) is an English comedian and author.", "Yes"),
        ("Is Ann Lee a comedian?", "Bob Hale (born 3 May 1959) is an English comedian and author.", ""),
        ("Did Ann Lee direct Girl?", "Girl (German: Kind) is a film made by Bob Hale, directed by Ann Lee.", "Yes"),
        ("Did Bob Hale direct Girl?", "Girl (German: Kind) is a film made by Bob Hale, directed by Ann Lee.", ""),
        ("Did Ann Lee record Girl?", "Girl is a song written, recorded and sold by the comic Ann Lee.", "Yes"),
        ("Was the Gadget 16 released in 1984?", "The Gadget 16 is a computer made by Bolt, released in 1984.", "Yes"),
        ("Is Nova I a spiral galaxy?", "The Nova Galaxy is a barred spiral galaxy.", ""),  # not that Nova
        ("Is Nova I a spiral galaxy?", "Nova I is a barred spiral galaxy.", "Yes"),
        ("Are the rooms listed in the plan?", "The rooms are marked in the plan.", ""),  # another deed
    ],
)  # fmt: skip
def test_a_yes_is_said_of_a_thing_in_short_and_of_who_did_it(question, told, answer):
    (read,) = sentences_of(Passage("a#0", "a", "Ann Lee", told), 0)
    assert verdict(wanted_of(question, "yes_no"), [Rated(read, 1.0)], [[read]]).text == answer
