"""Questions whether it is so, made by machine from sentences of a corpus."""

import random

from adaq_core.model import Passage
from benchmarks.claims import claims, turned

TEXT = (
    "Tusker Mill is a brand owned by Acme Works in Kent. Ann Lee founded the first mill of Oslo in 1990. "
    "It was sold to Bolt in May of that year. The Alder was not sold to any firm of the town. "
    "To found a mill takes long."
)


def test_plain_sentences_are_asked_and_those_that_lean_on_others_are_not():
    made = list(claims([Passage("a#0", "a", "Mills", TEXT)]))
    assert [(each.asked(), each.denied) for each in made] == [
        ("Is Tusker Mill a brand owned by Acme Works in Kent?", False),
        ("Did Ann Lee found the first mill of Oslo in 1990?", False),
        ("Was the Alder sold to any firm of the town?", True),
    ]


def test_what_is_turned_is_said_by_no_sentence():
    others = [Passage("b#0", "b", "Others", "Bo Dahl painted the old bridge of Bergen in 1950. We paint.")]
    mill, lee, _ = claims([Passage("a#0", "a", "Mills", TEXT)])
    asked = dict(turned(lee, list(claims(others)), random.Random(7)))
    assert asked["another year"] == "Did Ann Lee found the first mill of Oslo in 1987?"
    assert asked["of another"] == "Did Bo Dahl found the first mill of Oslo in 1990?"
    assert asked["another deed"] == "Did Ann Lee paint the first mill of Oslo in 1990?"
    assert dict(turned(mill, [], random.Random(7)))["the only one"] == (
        "Is Tusker Mill the only brand owned by Acme Works in Kent?"
    )
