"""The templates of each type of aspect."""

import json

import pytest

from adaq_core.errors import InputError
from adaq_core.model import QueryAspect
from adaq_core.question.aspects import plan
from adaq_core.question.query_templates import profiles, read_profiles, template, wordings

PROFILES = profiles()


def aspects_of(question):
    return plan(question, profiles=PROFILES).aspects


def first_queries(question):
    return [template(aspect, question) for aspect in aspects_of(question)]


@pytest.mark.parametrize(
    ("question", "queries"),
    [
        (
            "self-attention vs multi-head attention",
            [
                "What is self-attention?",
                "What is multi-head attention?",
                "What are the differences between self-attention and multi-head attention?",
            ],
        ),
        ("What is Python?", ["What is Python?"]),
        (
            "What are neural networks and how do they work?",
            ["What are neural networks?", "How do neural networks work?"],
        ),
        ("Why is BM25 important?", ["Why is BM25 important?"]),
        ("What are the applications of BM25?", ["What are the applications of BM25?"]),
        ("What are the disadvantages of BM25?", ["What are the disadvantages of BM25?"]),
    ],
)
def test_templates_follow_the_type(question, queries):
    assert first_queries(question) == queries


def test_an_aspect_made_by_hand_is_worded_by_its_name():
    made = QueryAspect("Definition of attention heads", "definition", 1.0, ("attention heads",))
    assert template(made, "How do attention heads work?") == "What are attention heads?"
    compared = QueryAspect("Comparison between mechanisms", "comparison", 1.0, ())
    assert template(compared, "") == "What are the differences in mechanisms?"


def test_constraints_are_kept_in_every_wording():
    aspect = aspects_of("Top risks facing Tesla in 2025")[0]
    assert all("2025" in wording.text for wording in wordings(aspect, "Top risks facing Tesla in 2025"))


def test_a_wording_has_no_blanks_in_a_row():
    aspects = aspects_of("Compare Microsoft's and Amazon's cloud revenue growth in Q3 2023")
    texts = [wording.text for aspect in aspects for wording in wordings(aspect, "")]
    assert [text for text in texts if text != " ".join(text.split())] == []
    assert any(text.startswith("Amazon") for text in texts)


@pytest.mark.parametrize("importance", [float("nan"), float("inf"), -5, 1.5])
def test_a_profile_whose_importance_cannot_be_is_refused_in_words(tmp_path, importance):
    facets = [{"facet": "tides", "keywords": ["tide"], "importance": importance}]
    (tmp_path / "facet_profiles.json").write_text(json.dumps({"sea": {"facets": facets}}))
    with pytest.raises(InputError, match=r"importance of 'tides' must lie in \[0, 1\]"):
        profiles(home=tmp_path)


def test_a_file_of_profiles_that_cannot_be_read_is_said_to_be_missing_and_not_misspelt(tmp_path):
    with pytest.raises(InputError, match=r"the file .*none\.json cannot be read \(No such file or directory\)"):
        read_profiles(tmp_path / "none.json")


def test_a_facet_that_is_only_asked_is_planned_where_the_question_names_it():
    named = [aspect.aspect for aspect in plan("Top risks facing Tesla", profiles=PROFILES).aspects]
    assert not any("Governance" in name for name in named)
    (asked,) = plan("What are the governance risks of Tesla?", profiles=PROFILES).aspects
    assert "chief executive" in asked.keywords


def test_a_facet_is_also_known_by_its_other_names():
    (asked,) = plan("What economic risks does Tesla face?", profiles=PROFILES).aspects
    assert "interest rates" in asked.keywords
