"""Questions become aspects as the source documents write them, and as users ask them."""

import pytest

from adaq_core.errors import InputError
from adaq_core.question.answer_kinds import stood_for
from adaq_core.question.aspects import MAX_ASPECTS, checked, plan
from adaq_core.question.labels import frame_of_each
from adaq_core.question.query_templates import Facet, FacetProfile, profiles

PROFILES = profiles()


def planned(question, **kwargs):
    return [(a.aspect, a.aspect_type, a.is_core) for a in plan(question, profiles=PROFILES, **kwargs).aspects]


def names(question, **kwargs):
    return [name for name, _, _ in planned(question, **kwargs)]


SELF_MULTI = [
    ("Definition of self-attention", "definition", True),
    ("Definition of multi-head attention", "definition", True),
    ("Comparison between self-attention and multi-head attention", "comparison", True),
]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("When and by whom was BM25 created?", ["When was BM25 created", "Who created BM25"]),
        ("Where and in what year was Boeing founded?", ["Where was Boeing founded", "In what year was Boeing founded"]),
        (
            "Where, when and why was the plant closed?",
            ["Where was the plant closed", "When was the plant closed", "Why was the plant closed"],
        ),
    ],
)
def test_each_of_several_askings_has_what_the_last_one_asks(question, asked):
    assert names(question) == asked


@pytest.mark.parametrize(
    "question", ["self-attention vs multi-head attention", "Compare self-attention vs multi-head attention"]
)
def test_a_comparison_is_two_definitions_and_the_comparison(question):
    assert planned(question) == SELF_MULTI


def test_a_comparison_for_a_purpose_keeps_the_purpose():
    assert planned("Compare transformers and RNNs for NLP") == [
        ("Definition of transformers", "definition", True),
        ("Definition of RNNs", "definition", True),
        ("Comparison for NLP", "comparison", True),
    ]


def test_a_multi_part_question_is_a_definition_and_a_process():
    assert planned("What are neural networks and how do they work?") == [
        ("Definition of neural networks", "definition", True),
        ("Process/mechanism of neural networks", "process", True),
    ]


def test_a_simple_question_is_one_core_aspect():
    assert planned("Which is better for beginners, XML or SQLite?") == [
        ("Definition of XML", "definition", True),
        ("Definition of SQLite", "definition", True),
        ("Comparison for beginners", "comparison", True),
    ]
    assert planned("What is Python?") == [("Definition of Python", "definition", True)]


def test_parts_of_a_whole_are_four_core_roles_and_an_optional_history():
    assert planned("How do query, key, and value vectors work in attention heads?") == [
        ("Query vectors role", "process", True),
        ("Key vectors role", "process", True),
        ("Value vectors role", "process", True),
        ("Attention head mechanism", "process", True),
        ("Historical context", "causal", False),
    ]


def test_top_risks_of_a_company_use_the_facet_profile_by_themselves():
    made = plan("Top risks facing Tesla in 2025", profiles=PROFILES)
    assert made.profile == "company_risk"
    assert [(a.aspect, a.aspect_type, a.subject) for a in made.aspects] == [
        ("Regulation risks of Tesla", "facet", "Tesla"),
        ("Supply risks of Tesla", "facet", "Tesla"),
        ("Competition risks of Tesla", "facet", "Tesla"),
        ("Macro risks of Tesla", "facet", "Tesla"),
        ("Legal risks of Tesla", "facet", "Tesla"),
    ]
    assert {c.text for a in made.aspects for c in a.constraints} == {"in 2025"}
    assert made.lost == ()


@pytest.mark.parametrize(
    ("question", "types"),
    [
        ("Why is self-attention important and what are its disadvantages?", ["causal", "evaluation"]),
        ("What are the applications of transformers?", ["application"]),
        ("What are neural networks and how do they work, and why do they matter?", ["definition", "process", "causal"]),
        ("Explain gradient descent", ["definition"]),
        ("Explain how transformers work", ["process"]),
        ("What is BERT used for?", ["application"]),
        ("What are the strengths and weaknesses of BM25?", ["evaluation", "evaluation"]),
        ("What causes vanishing gradients?", ["causal"]),
        ("Give me an overview of reinforcement learning", ["entity"]),
    ],
)
def test_each_kind_of_clause_gets_its_type(question, types):
    assert [kind for _, kind, _ in planned(question)] == types


@pytest.mark.parametrize(
    "question",
    [
        "What is the difference between Self-RAG and CRAG?",
        "How does Self-RAG differ from CRAG?",
        "How do Self-RAG and CRAG differ?",
        "Self-RAG compared with CRAG",
        "Differences between Self-RAG and CRAG",
        "Is Self-RAG better than CRAG?",
    ],
)
def test_every_way_to_ask_for_a_comparison_is_understood(question):
    assert names(question) == [
        "Definition of Self-RAG",
        "Definition of CRAG",
        "Comparison between Self-RAG and CRAG",
    ]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What is the difference between a local and a remote vault?", "local vault and remote vault"),
        ("Compare the two mac and cheese recipes", "mac and cheese recipes"),
        ("Compare the two companies Apple and Microsoft", "Apple and Microsoft"),
        ("What is the difference between marketing and sales according to the guests?", "marketing and sales"),
    ],
)
def test_what_is_compared_is_named_whole(question, asked):
    assert names(question)[-1] == f"Comparison between {asked}"


def test_what_is_better_to_do_compares_nothing():
    assert names("Is it better to have a co-founder?") == ["Is it better to have a co-founder"]


def test_a_three_way_comparison_defines_all_three():
    assert names("Compare BM25, dense retrieval and ColBERT") == [
        "Definition of BM25",
        "Definition of dense retrieval",
        "Definition of ColBERT",
        "Comparison between BM25, dense retrieval and ColBERT",
    ]


@pytest.mark.parametrize(
    "question",
    ["Compare the supply chain risk of Apple and NVIDIA", "How does Apple's supply chain risk differ from NVIDIA's?"],
)
def test_comparing_one_side_of_two_things_asks_for_that_side_of_each(question):
    assert names(question)[:2] == ["Supply chain risk of Apple", "Supply chain risk of NVIDIA"]
    assert planned(question)[2][1] == "comparison"


def test_topics_times_things_are_all_asked_for():
    assert names("What are the risks, opportunities and outlook of Apple, Microsoft and Boeing?") == [
        f"{topic} of {firm}"
        for firm in ("Apple", "Microsoft", "Boeing")
        for topic in ("Risks", "Opportunities", "Outlook")
    ]


def test_a_relation_chain_is_asked_link_by_link():
    made = plan("Who is the father of the director of the film Inception?", profiles=PROFILES)
    assert [(a.aspect, a.aspect_type, a.depends_on) for a in made.aspects] == [
        ("Director of film Inception", "relation", None),
        ("Father of the director of film Inception", "relation", "Director of film Inception"),
    ]


def test_what_is_asked_of_the_end_of_a_chain_depends_on_it():
    made = plan("When was the director of film Pola X born?", profiles=PROFILES)
    assert [(a.aspect, a.depends_on) for a in made.aspects] == [
        ("Director of film Pola X", None),
        ("When born: director of film Pola X", "Director of film Pola X"),
    ]


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("Were Scott Derrickson and Ed Wood of the same nationality?", ["Scott Derrickson", "Ed Wood"]),
        ("Which film came out first, Blind Shaft or The Mask Of Fu Manchu?", ["Blind Shaft", "Mask Of Fu Manchu"]),
    ],
)
def test_two_named_things_are_looked_up_one_by_one(question, subjects):
    assert [a.subject for a in plan(question, profiles=PROFILES).aspects] == subjects


def test_a_title_with_and_in_it_is_one_thing():
    question = "Who portrayed Corliss Archer in the film Kiss and Tell?"
    assert len(planned(question)) == 1


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("Which antitrust cases do Apple, Amazon and Microsoft face?", ["Apple", "Amazon", "Microsoft"]),
        ("How do interest rates affect Tesla, Boeing and JPMorgan Chase?", ["Tesla", "Boeing", "JPMorgan Chase"]),
        ("How did the tariffs affect Apple and Boeing?", ["Apple", "Boeing"]),
        ("Are both Kalatu, Rudan and Mogh Ahmad located in the same country?", ["Kalatu", "Mogh Ahmad"]),
        ("Compare the competition that Tesla and Boeing face from rivals", ["Tesla", "Boeing"]),
    ],
)
def test_each_of_several_named_things_is_asked_about_with_the_words_of_the_question(question, subjects):
    aspects = plan(question, profiles=PROFILES).aspects
    assert [a.subject for a in aspects] == subjects
    others = {word.lower() for name in subjects for word in name.split()}
    for aspect in aspects:  # a topic of a thing has the thing as its subject alone
        own = {word.lower() for word in aspect.subject.split()}
        assert {*aspect.keywords, *own} & others == own


@pytest.mark.parametrize(
    ("question", "names"),
    [
        (
            "Compare how long Corvane and the Merrow Trust keep the files of tenants",
            [
                "How long Corvane keep the files of tenants",
                "How long the Merrow Trust keep the files of tenants",
                "Comparison between Corvane and Merrow Trust",
            ],
        ),
        (
            "How quickly is a claim paid at Corvane compared with the Merrow Trust?",
            [
                "How quickly is a claim paid at Corvane",
                "How quickly is a claim paid at the Merrow Trust",
                "Comparison between Corvane and Merrow Trust",
            ],
        ),
        (
            "How much did sales at Boeing fall in 2023 compared with 2022?",
            ["How much did sales at Boeing fall in 2023 compared with 2022"],
        ),
    ],
)
def test_what_is_asked_once_of_two_names_is_asked_of_each(question, names):
    assert [aspect.aspect for aspect in plan(question, profiles=PROFILES).aspects] == names


def test_topics_of_things_behind_a_preposition_are_asked_of_each_thing():
    assert names("Compare the leadership and succession risks at Apple, NVIDIA and Pfizer")[:3] == [
        "Leadership and succession risks of Apple",
        "Leadership and succession risks of NVIDIA",
        "Leadership and succession risks of Pfizer",
    ]


@pytest.mark.parametrize(
    "question",
    ["Which risks does Pfizer face after the pandemic?", "What are the main risks that Pfizer faces in 2025?"],
)
def test_whose_risks_are_asked_for_ends_where_the_verb_begins(question):
    assert {a.subject for a in plan(question, profiles=PROFILES).aspects} == {"Pfizer"}


def test_a_question_behind_a_colon_or_a_preposition_is_a_question_of_its_own():
    assert names("Self-RAG versus CRAG: which one needs training?") == [
        "Self-RAG: one needs training",
        "CRAG: one needs training",
    ]
    assert names("Which products lose protection, and with which acquisitions is the gap filled?") == [
        "Which products lose protection",
        "With which acquisitions is the gap filled",
    ]


def test_constraints_stay_with_their_own_clause():
    made = plan(
        "Does the TechCrunch article on Amazon report a discount, while The Verge article on Google claims harm?",
        profiles=PROFILES,
    )
    assert [[c.text for c in a.constraints if c.kind == "source"] for a in made.aspects] == [["TechCrunch"], ["Verge"]]


def test_a_source_named_in_front_binds_what_is_asked():
    made = plan("According to Reuters, why did NVIDIA's sales fall after April 2025?", profiles=PROFILES)
    assert [a.aspect_type for a in made.aspects] == ["causal"]
    assert [c.text for c in made.aspects[0].constraints] == ["Reuters", "after April 2025"]


@pytest.mark.parametrize(
    ("question", "text"), [("regulation of Tesla in Europe", "in Europe"), ("BM25 papers since 2020", "since 2020")]
)
def test_places_and_dates_are_kept_as_constraints(question, text):
    assert text in {c.text for a in plan(question, profiles=PROFILES).aspects for c in a.constraints}


def test_every_aspect_keeps_the_span_of_the_question_it_came_from():
    question = "What are neural networks and how do they work?"
    spans = [a.span for a in plan(question, profiles=PROFILES).aspects]
    assert [question[s:e] for s, e in spans] == ["What are neural networks", "how do they work"]


@pytest.mark.parametrize(
    "question",
    [
        "How do tariffs hit Apple compared with Amazon?",
        "How did the strike damage Boeing and Spirit?",
        "Which company is most exposed to China, Apple or NVIDIA?",
    ],
)
def test_what_an_effect_or_a_choice_says_in_other_words_is_not_lost(question):
    assert plan(question, profiles=PROFILES).lost == ()


def test_words_that_no_aspect_carries_are_lost_constraints():
    made = plan("Compare cheap BM25 with dense retrieval", profiles=PROFILES)
    assert made.lost == ()
    profile = {"narrow": FacetProfile("narrow", "", (Facet("cost", ("cost",)),))}
    attached = plan("Why does BM25 fail?", profiles=profile, profile="narrow")
    assert attached.lost == ("fail",)


def test_a_profile_can_be_attached_to_any_question():
    made = plan("What is BM25?", profiles=PROFILES, profile="technology_review")
    assert [(a.aspect, a.subject) for a in made.aspects] == [
        ("How it works: BM25", "BM25"),
        ("Strengths: BM25", "BM25"),
        ("Limitations: BM25", "BM25"),
        ("Applications: BM25", "BM25"),
    ]


def test_an_unknown_profile_is_refused_with_the_names_there_are():
    with pytest.raises(InputError, match="company_risk"):
        plan("What is BM25?", profiles=PROFILES, profile="nonsense")


@pytest.mark.parametrize("question", ["", "   ", "?!", "\n\t"])
def test_an_empty_question_is_refused_in_words(question):
    with pytest.raises(InputError, match="empty"):
        checked(question)


def test_a_ten_thousand_word_question_is_refused_with_the_limit():
    with pytest.raises(InputError, match=r"10,000 words; up to 2,000"):
        checked("word " * 10_000)


@pytest.mark.parametrize(
    "question",
    [
        "the",
        "why",
        "Ünïcödé 東京 の 地震?",
        "a" * 3000,
        "and and and or or",
        "of of of the of",
        "x vs",
        "compare",
        "((x((",
        "\\d+ [a-z]* $^",
    ],
)
def test_odd_questions_still_get_an_aspect(question):
    aspects = plan(question, profiles=PROFILES).aspects
    assert 1 <= len(aspects) <= MAX_ASPECTS
    assert len({a.aspect for a in aspects}) == len(aspects)


def test_kinds_of_risk_of_several_firms_compared_are_each_kind_of_each_firm():
    asked = names("Compare the supply chain, legal and regulatory risks of Tesla, Boeing and NVIDIA in 2025")
    assert asked == [
        *(f"{kind} risks of {firm}" for firm in ("Tesla", "Boeing", "NVIDIA") for kind in KINDS),
        "Comparison between supply chain, legal and regulatory risks of Tesla, Boeing and NVIDIA",
    ]


KINDS = ("Supply chain", "Legal", "Regulatory")


def test_things_compared_that_are_names_are_no_topics():
    assert names("Compare BERT and the attention of GPT and T5")[0] == "Definition of BERT"


def test_a_topic_that_says_its_own_head_gives_none_to_the_others():
    assert names("What are the legal risks, leadership and tariff risks of Microsoft?") == [
        "Legal risks of Microsoft",
        "Leadership of Microsoft",
        "Tariff risks of Microsoft",
    ]


@pytest.mark.parametrize(
    ("question", "aspects"),
    [
        ("Is Acme or Bolt older?", ["Acme: founded or born", "Bolt: founded or born"]),
        ("Is Acme older than Bolt?", ["Acme: founded or born", "Bolt: founded or born"]),
        ("Acme and Bolt: which has the longer history?", ["Acme: founded or born", "Bolt: founded or born"]),
        ("Who is older, Ann Lee or Bo Dahl?", ["Ann Lee: older", "Bo Dahl: older"]),
        (
            "Acme or Bolt, what's the difference?",
            ["Definition of Acme", "Definition of Bolt", "Comparison between Acme and Bolt"],
        ),
        (
            "k1 and b in BM25: what does each control and what values are normal?",
            [
                "What does k1 control in BM25",
                "What does b control in BM25",
                "What values are normal for k1 and b in BM25",
            ],
        ),
        (
            "Acme and Bolt: what did the judge decide about Acme?",
            ["Acme and Bolt", "What did the judge decide about Acme"],
        ),
    ],
)
def test_what_is_asked_of_two_things_is_asked_of_each(question, aspects):
    assert names(question) == aspects


def test_a_case_that_may_come_up_is_no_thing_to_be_found():
    assert names("What is the penalty under the Act for a company that breaks the rules again?") == [
        "What is the penalty under the Act for a company that breaks the rules again"
    ]
    assert names("Who directed a film that starred Ann Lee?")[0] == "Film that starred Ann Lee"


@pytest.mark.parametrize(
    "question",
    [
        "How did US export controls on AI chips develop?",
        "Date of NVIDIA's founding",
        "Inventors of BM25",
        "Boeing problems",
        "What are investors worried about at Microsoft?",
        "the bear case on NVIDIA",
        "latest on the Google search remedy",
        "Is there anything about Metsera?",
        "We compare Tesla and Pfizer. For each of the two I need, first, the main risk, and second, who leads it.",
    ],
)
def test_a_word_that_says_how_something_is_asked_is_not_lost(question):
    made = plan(question, profiles=PROFILES)
    assert made.lost == ()
    assert not any(aspect.aspect.endswith(".") for aspect in made.aspects)


def test_such_a_word_is_taken_for_said_only_where_something_is_asked_so():
    assert frame_of_each("Who led Tesla first?") == frozenset()
    assert stood_for("Who leads Tesla") == frozenset()
    assert "date" in stood_for("When was the strike")


def test_a_question_is_one_line_without_what_cannot_be_seen():
    assert checked(" What is\x00BM25,\n\x1b and\x7fwhy?\x9f ") == "What is BM25, and why?"


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "how much did the Trust ask for and how much did it get",
            ["How much did the Trust ask for", "How much did Trust get"],
        ),
        (
            "Compare how Joseph, Robert and Arthur wanted to run the firm",
            [
                "How Joseph wanted to run the firm",
                "How Robert wanted to run the firm",
                "How Arthur wanted to run the firm",
                "Comparison between Joseph, Robert and Arthur",
            ],
        ),
        ("Who drove the van, Ann or somebody else?", ["Who drove the van, Ann or somebody else"]),
        (
            "Who is responsible for the marsh and what did she do before?",
            ["Who is responsible for the marsh", "What did the one who is responsible for the marsh do before"],
        ),
    ],
)
def test_what_people_ask_in_one_breath(question, asked):
    assert names(question) == asked
