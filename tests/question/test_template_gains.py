"""What earlier runs gained decides the order of wordings, and whether another try is worth a hop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adaq_core.model import WordingGain
from adaq_core.question.query_templates import TemplateGains, Wording, expected, shrunk_mean

FOUND = (Wording("a?", "plain"), Wording("b", "other"), Wording("c", "names Tesla", "names"))


def gain(template, uses, mean, *, again=True, kind="definition"):
    return WordingGain(kind, again, template, uses, mean)


def chosen(gains, *, again=True, least=0.02, kind="definition"):
    return [wording.name for wording in TemplateGains(gains).chosen(FOUND, kind, again=again, least=least)]


def test_estimates_are_those_worked_by_hand():
    known = (gain("plain", 30, 0.2), gain("other", 15, 0.0))
    assert expected(known) == pytest.approx((30 * 0.2 + 5 * 0.1) / 50)
    assert expected(()) == pytest.approx(0.1)
    assert shrunk_mean(known[0], 0.13) == pytest.approx((30 * 0.2 + 10 * 0.13) / 40)
    assert shrunk_mean(None, 0.13) == pytest.approx(0.13)


@pytest.mark.parametrize(
    "gains",
    [(), (gain("other", 19, 1.0),), (gain("other", 90, 1.0, kind="causal"),), (gain("other", 90, 1.0, again=False),)],
    ids=["nothing known", "too few uses", "another type of aspect", "first tries only"],
)
def test_too_little_known_changes_nothing(gains):
    assert TemplateGains(gains).chosen(FOUND, "definition", again=True, least=0.02) == FOUND


def test_wording_that_gained_more_goes_first():
    gains = (gain("plain", 20, 0.1), gain("other", 20, 0.3), gain("names", 20, 0.5))
    assert chosen(gains) == ["names", "other", "plain"]


def test_equal_gains_keep_the_plainest_first():
    assert chosen([gain(name, 20, 0.3) for name in ("other", "names", "plain")]) == ["plain", "other", "names"]


def test_another_try_that_never_gains_is_left_out_and_a_first_one_is_not():
    never = [gain(name, 30, 0.0, again=again) for name in ("plain", "other", "names") for again in (False, True)]
    assert chosen(never, again=True) == []
    assert chosen(never, again=False) == ["plain", "other", "names"]


def test_an_aspect_that_weighs_less_needs_a_greater_gain():
    gains = (gain("plain", 100, 0.05), gain("other", 100, 0.15))
    assert chosen(gains, least=0.02) == ["other", "names", "plain"]
    assert chosen(gains, least=0.08) == ["other"]


def test_each_wording_says_what_it_gained():
    gains = (gain("names", 20, 0.314), gain("other", 1, 0.0))
    told = TemplateGains(gains).chosen(FOUND, "definition", again=True, least=0.0)
    assert [(wording.angle, wording.name, wording.text) for wording in told] == [
        ("names Tesla (gained 0.31 on average in 20 uses before)", "names", "c"),
        ("plain", "plain", "a?"),
        ("other (gained 0.00 on average once before)", "other", "b"),
    ]


uses = st.lists(
    st.builds(
        gain, st.sampled_from(["plain", "other", "names"]), st.integers(1, 200), st.floats(0, 1), again=st.booleans()
    ),
    max_size=6,
    unique_by=lambda known: (known.template, known.again),
)


@given(uses, st.booleans(), st.floats(0, 0.5))
def test_choice_takes_of_what_there_is_and_depends_on_nothing_else(gains, again, least):
    first = TemplateGains(gains).chosen(FOUND, "definition", again=again, least=least)
    assert first == TemplateGains(reversed(gains)).chosen(FOUND, "definition", again=again, least=least)
    texts = [wording.text for wording in first]
    assert len(set(texts)) == len(texts)
    assert set(texts) <= {wording.text for wording in FOUND}
    assert again or len(texts) == len(FOUND)
