import pytest

from adaq_core.events import AspectsPlanned
from adaq_core.question.aspects import plan
from adaq_core.question.query_templates import profiles
from adaq_core.stages.plan import plan_by_model
from tests.stages.advised import fallbacks, gateway, prompts

QUESTION = "Compare transformers and RNNs for translation in 2024"


def aspect(name, kind="definition", importance=1.0, subject="", keywords=("word",)):
    return {"aspect": name, "type": kind, "importance": importance, "subject": subject, "keywords": list(keywords)}


THREE = [
    aspect("Definition of transformers", subject="transformers"),
    aspect("Definition of RNNs", subject="RNNs"),
    aspect("Which translates better", "comparison", 0.9, "transformers and RNNs", ("translation", "quality")),
]


def planned(*replies, question=QUESTION, **rest):
    asking = gateway(*replies)
    made = plan(question, profiles=profiles(), **rest)
    return plan_by_model(question, made, asking, profiles=profiles()), asking


def test_aspects_of_the_model_with_the_conditions_of_the_question():
    made, asking = planned({"aspects": THREE})
    assert [(a.aspect, a.aspect_type, a.importance, a.subject) for a in made.aspects] == [
        ("Definition of transformers", "definition", 1.0, "transformers"),
        ("Definition of RNNs", "definition", 1.0, "RNNs"),
        ("Which translates better", "comparison", 0.9, "transformers and RNNs"),
    ]
    assert {c.text for a in made.aspects for c in a.constraints} == {"in 2024"}
    assert made.aspects[2].keywords == ("translation",)
    assert fallbacks(asking) == []


def _aspects(run_of, question):
    events = run_of("adaptive", question)
    return [a.aspect for event in events if isinstance(event, AspectsPlanned) for a in event.aspects]


@pytest.mark.parametrize(
    ("question", "aspects"),
    [
        ("What are the risks of LoRA?", ["Risks of LoRA"]),
        ("Biggest dangers of knowledge distillation", ["Dangers of knowledge distillation"]),
        ("What challenges does entity linking face?", ["Challenges of entity linking"]),
        ("What are the weak points of Streamlit?", ["Weak points of Streamlit"]),
    ],
)
def test_what_speaks_against_a_method_are_no_risks_of_a_firm(question, aspects, run_of):
    assert _aspects(run_of, question) == aspects


@pytest.mark.parametrize("firm", ["Boeing", "Tesla", "JPMorgan Chase", "Pfizer"])
def test_the_risks_of_a_firm_are_those_of_the_profile(firm, run_of):
    assert _aspects(run_of, f"What are the main risks facing {firm}?")[:2] == [
        f"Regulation risks of {firm}",
        f"Supply risks of {firm}",
    ]


def test_the_model_sees_the_question_and_the_types():
    _, asking = planned({"aspects": THREE})
    assert QUESTION in prompts(asking)[0]
    assert "definition, comparison, process" in prompts(asking)[0]


def test_span_is_where_the_subject_stands():
    made, _ = planned({"aspects": THREE})
    assert [QUESTION[slice(*a.span)] for a in made.aspects[:2]] == ["transformers", "RNNs"]


def test_an_aspect_of_something_else_is_dropped():
    made, asking = planned({"aspects": [*THREE, aspect("Price of gold", subject="gold")]})
    assert len(made.aspects) == 3
    assert fallbacks(asking) == [
        ("the aspect 'Price of gold' is about nothing that the question names; it was dropped", "the rest of the reply")
    ]


def test_a_subject_is_cut_to_words_of_the_question():
    made, _ = planned({"aspects": [aspect("How RNNs work", "process", subject="vanilla RNNs"), *THREE[:1]]})
    assert made.aspects[0].subject == "RNNs"


def test_a_missing_subject_is_that_of_the_rules():
    made, asking = planned({"aspects": [aspect("What are transformers"), THREE[1]]})
    assert made.aspects[0].subject == "transformers"
    assert "names no subject of the question" in fallbacks(asking)[0][0]


def test_what_the_model_forgot_is_put_back():
    made, asking = planned({"aspects": THREE[:1]})
    assert any("RNNs" in a.subject for a in made.aspects[1:])
    assert "it was added" in fallbacks(asking)[0][0]


def test_without_a_core_the_most_important_become_it():
    made, asking = planned({"aspects": [dict(a, importance=0.3 + i / 10) for i, a in enumerate(THREE)]})
    assert [a.importance for a in made.aspects] == [0.3, 0.4, 0.8]
    assert fallbacks(asking)[0][0] == "no aspect is core; the most important ones were made so"


def test_nonsense_leaves_the_rules():
    for reply in ("", "I cannot help.", "[]", '{"aspects": "many"}', '{"aspects": [{"aspect": ""}]}', "{" * 5000):
        made, asking = planned(reply)
        assert made is None, reply
        assert [used for _, used in fallbacks(asking)] == ["the aspects of the rules"]


def test_facets_of_a_profile_stay_and_are_weighed():
    question = "Top risks facing Tesla in 2025"
    names = [a.aspect for a in plan(question, profiles=profiles()).aspects]
    scores = [{"aspect": name, "score": 1.0 if i == 0 else 0.4} for i, name in enumerate(names)]
    made, asking = planned({"scores": scores}, question=question)
    assert [a.aspect for a in made.aspects] == names
    assert [a.importance for a in made.aspects] == [1.0] + [0.4] * (len(names) - 1)
    assert fallbacks(asking) == []


def test_facets_keep_their_importance_where_the_model_says_none():
    question = "Top risks facing Tesla in 2025"
    rules = plan(question, profiles=profiles())
    made, asking = planned({"scores": [{"aspect": rules.aspects[0].aspect, "score": 0.9}]}, question=question)
    assert [a.importance for a in made.aspects[1:]] == [a.importance for a in rules.aspects[1:]]
    assert "no importance came for" in fallbacks(asking)[0][0]
    none, asking = planned({"scores": [{"aspect": a.aspect, "score": 0.1} for a in rules.aspects]}, question=question)
    assert none is None


def test_switched_off_it_asks_nobody():
    asking = gateway(off=("plan",))
    assert plan_by_model(QUESTION, plan(QUESTION, profiles=profiles()), asking, profiles=profiles()) is None
    assert asking.events == []
