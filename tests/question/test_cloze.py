"""Questions that are made from sentences: what is asked, and the part that was taken out."""

import pytest

from adaq_core.model import Passage
from benchmarks.cloze import is_right, made_from, sample

MILL = Passage(
    "p1",
    "d1",
    "Alder Mill",
    "Alder Mill was founded in 1871 by Ann Lee. Alder Mill is a museum located in Bergen, Norway. It has 40 looms. "
    "Alder Mill employs 312 people in two halls.",
)


def test_a_part_of_a_sentence_is_taken_out_and_asked_for():
    made = {each.form: (each.first, each.gold) for each in made_from(MILL)}
    assert made == {
        "when done": ("When was Alder Mill founded?", "1871"),
        "by whom": ("Who founded Alder Mill?", "Ann Lee"),
        "where is": ("Where is Alder Mill?", "Bergen, Norway"),
        "how many": ("How many people does Alder Mill employ?", "312"),
    }


@pytest.mark.parametrize(
    "text",
    ["He was founded in 1871.", "The city was founded in 1871.", "Alder Mill was founded in 1871 or 1872."],
)
def test_nothing_is_asked_of_what_has_no_name_or_of_a_part_that_is_not_whole(text: str):
    assert list(made_from(Passage("p", "d", "Alder Mill", text))) == []


def test_the_same_seed_makes_the_same_questions():
    other = Passage("p2", "d2", "Birch Mill", "Birch Mill was opened in 1902.")
    once, again = (sample([MILL, other], seed=3, of_a_form=2) for _ in range(2))
    assert once == again
    turned = {kind for made in once for kind, _ in made.turned}
    assert turned == {"the other end", "another deed", "another name"}


@pytest.mark.parametrize(
    ("short", "gold", "right"),
    [
        ("1871", "3 May 1871", True),
        ("in Bergen", "Bergen, Norway", True),
        ("Ann Lee and Bo Dahl", "Ann Lee", True),
        ("1872", "3 May 1871", False),
        ("", "Ann Lee", False),
    ],
)
def test_a_short_answer_is_right_that_says_a_part_of_what_was_taken_out(short: str, gold: str, right: bool):
    assert is_right(short, gold) is right
