"""Questions made from one or two sentences: what is asked, what has to be said, and what no sentence holds."""

import pytest

from adaq_core.model import Passage
from benchmarks.woven import sample, says


def passage(title, text):
    return Passage(f"p {title}", f"d {title}", title, text)


TEXTS = (
    passage("Alder Mill", "Alder Mill was closed because of a great flood. Alder Mill was founded in 1871 by Ann Lee."),
    passage("Birch Mill", "Birch Mill was founded in 1902 by Bo Dahl. Birch Mill includes a hall, a barn and kilns."),
    passage("Ann Lee", "Ann Lee (born 3 May 1840) was a singer from Bergen."),
    passage("Bo Dahl", "Bo Dahl (2 June 1850 – 1 June 1920) was a painter."),
    passage("Wood", "To carve your wood, you must soak the wood in oil. You can carve dry wood, and will carve wet."),
)  # fmt: skip


def made():
    return sample(TEXTS, seed=1, of_a_form=9)


def test_each_form_is_made_of_its_sentence():
    straight = {(each.form, each.question): (each.gold, each.short) for each in made() if not each.is_turned}
    assert straight["list", "What does Birch Mill include?"] == (("hall", "barn", "kilns"), "")
    assert straight["chain", "When was the founder of Alder Mill born?"] == (("3 May 1840",), "3 May 1840")
    assert straight["age", "At what age did Bo Dahl die?"] == (("1850", "1920"), "69")
    first = next(short for (form, _), (_, short) in straight.items() if form == "which first")
    assert first in {"Alder Mill", "Ann Lee"}
    assert ("way", "How do I carve my wood?") in straight


def test_what_no_sentence_holds_is_asked_too():
    turned = [each for each in made() if each.is_turned]
    assert {each.wording for each in turned} >= {"turned: a year", "turned: a relation"}
    assert all(each.gold == () and not each.short for each in turned)


def test_the_same_seed_makes_the_same_questions():
    assert made() == made()


@pytest.mark.parametrize(
    ("text", "gold", "is_said"),
    [
        ("It holds a hall and two kilns.", "two kilns", True),
        ("It holds a hall.", "two kilns", False),
        ("Its wheel was lost in the great flood.", "its wheel was lost in a flood", True),
        ("Its wheel was sold to a miller.", "its wheel was lost in a flood", False),
    ],
)
def test_a_short_gold_is_said_whole_and_most_of_a_long_one(text, gold, is_said):
    assert says(text, gold) is is_said
