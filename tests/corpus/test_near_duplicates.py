from __future__ import annotations

import time
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from adaq_core.corpus.holdings import NearDuplicate, content_hash, near_duplicates, resemblance

WORDS = [f"w{n}" for n in range(2000)]


def random_text(rng: Random, length: int = 120) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(length))


def test_a_copy_with_one_changed_word_is_found():
    original = random_text(Random(1))
    copy = original.split()
    copy[50] = "changed"
    assert near_duplicates([("a", original), ("b", " ".join(copy))]) == [NearDuplicate("b", "a", 0.9504)]


def test_the_share_of_triples_decides():
    texts = [("a", "one two three four five six"), ("b", "one two three four five seven")]
    assert near_duplicates(texts, threshold=0.6) == [NearDuplicate("b", "a", 0.6)]
    assert near_duplicates(texts, threshold=0.61) == []


def test_case_punctuation_and_white_space_do_not_count():
    assert near_duplicates([("a", "It rose, then fell."), ("b", "it ROSE\nthen   fell")]) == [
        NearDuplicate("b", "a", 1.0)
    ]


def test_different_texts_blank_texts_and_one_text_give_nothing():
    rng = Random(2)
    assert near_duplicates([("a", random_text(rng)), ("b", random_text(rng)), ("c", ""), ("d", " \n")]) == []
    assert near_duplicates([("a", "alone")]) == []
    assert near_duplicates([]) == []


def test_each_copy_names_the_earliest():
    text = random_text(Random(3))
    assert near_duplicates([("a", text), ("b", text), ("c", text)]) == [
        NearDuplicate("b", "a", 1.0),
        NearDuplicate("c", "a", 1.0),
    ]


def test_chinese_texts_are_compared_by_character():
    assert near_duplicates([("a", "東京は日本の首都である"), ("b", "東京は日本の首都である。")]) == [
        NearDuplicate("b", "a", 1.0)
    ]


def test_every_edited_copy_among_thousands_is_found_in_good_time():
    rng = Random(4)
    originals = [random_text(rng) for _ in range(2000)]
    copies = []
    for text in originals[:500]:
        words = text.split()
        words[rng.randrange(120)] = words[rng.randrange(120)] = "edited"
        copies.append(" ".join(words))
    texts = [(f"t{number}", text) for number, text in enumerate(originals + copies)]
    start = time.thread_time()
    found = near_duplicates(texts)
    assert [(pair.document_id, pair.of) for pair in found] == [(f"t{2000 + n}", f"t{n}") for n in range(500)]
    assert time.thread_time() - start < 10


def test_many_texts_that_share_much_but_not_enough_stay_linear():
    rng = Random(5)
    shared = random_text(rng, 60)
    texts = [(str(number), shared + " " + random_text(rng, 30)) for number in range(1000)]
    start = time.thread_time()
    assert near_duplicates(texts) == []
    assert time.thread_time() - start < 10


def test_resemblance_is_jaccard():
    first, second = np.array([1, 2, 3], np.uint64), np.array([2, 3, 4, 5], np.uint64)
    assert resemblance(first, second) == 0.4
    assert resemblance(first[:0], second[:0]) == 0.0


def test_content_hash_ignores_white_space_only():
    assert content_hash("a  b\n") == content_hash("a b")
    assert content_hash("a b") != content_hash("a B")
    assert len(content_hash("lone \ud800")) == 64


@given(st.lists(st.text(max_size=40), max_size=8))
def test_equal_word_sequences_are_always_found(texts):
    items = [(str(number), text) for number, text in enumerate([*texts, *texts])]
    found = {pair.document_id for pair in near_duplicates(items, threshold=1.0)}
    for number, text in enumerate(texts):
        if any(character.isalnum() for character in text):
            assert str(number + len(texts)) in found
