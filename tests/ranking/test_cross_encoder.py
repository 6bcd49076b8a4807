"""The real sentence-transformers class over a tiny model with random weights, made here; no trained one is at hand."""

import os
import threading

import numpy as np
import pytest

from adaq_core.errors import EmbeddingError
from adaq_core.events import AnswerWritten, EvidenceAssembled, Noticed, of_kind
from adaq_core.model import Passage, Provenance, RankedPassage, Settings
from adaq_core.ranking.rerankers import MOST, UNUSED, PairScorer, Reranker, fused
from tests.asking import execute

QUESTION = "What is self-attention?"
LETTERS = "abcdefghijklmnopqrstuvwxyz-?."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A cross-encoder of one layer that reads letters; its weights are random, with a fixed seed."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

    place = tmp_path_factory.mktemp("cross-encoder")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    (place / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    torch.manual_seed(7)
    config = BertConfig(  # type: ignore[call-arg]
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=128,
        num_labels=1,
        initializer_range=1.0,
    )
    BertForSequenceClassification(config).save_pretrained(place)
    BertTokenizer(str(place / "vocab.txt")).save_pretrained(place)
    return place


@pytest.fixture(scope="module")
def scorer(folder):
    return PairScorer(str(folder))


def candidate(n, text="some words", reason=""):
    passage = Passage(f"p{n}", f"d{n}", f"Title {n}", text)
    return RankedPassage(passage, n, 1.0 / n, Provenance(1), parts=(("words", 0.5),), reason=reason)


class Counting:
    """Counts the pairs that a real model is asked about."""

    def __init__(self, model):
        self.model = model
        self.asked = []

    def predict(self, pairs, **rest):
        self.asked += pairs
        return self.model.predict(pairs, **rest)


def test_a_real_model_tells_passages_apart_and_always_says_the_same(scorer, folder):
    texts = ["Self-attention relates words.", "Tea is a drink.", "Boeing builds planes."]
    first = scorer.scores(QUESTION, texts)
    assert len(set(first)) == 3
    assert PairScorer(str(folder)).scores(QUESTION, texts[::-1]) == pytest.approx(first[::-1], abs=2e-4)


def test_a_pair_is_asked_about_once(folder):
    scorer = PairScorer(str(folder))
    scorer._model = counting = Counting(scorer._load())
    both = scorer.scores(QUESTION, ["tea", "coffee", "tea"])
    assert both[0] == both[2]
    assert scorer.scores(QUESTION, ["coffee", "cocoa"])[0] == both[1]
    scorer.scores("What is tea?", ["tea"])
    assert counting.asked == [(QUESTION, "tea"), (QUESTION, "coffee"), (QUESTION, "cocoa"), ("What is tea?", "tea")]


def test_runs_at_once_share_one_model(folder):
    scorer, found = PairScorer(str(folder)), []
    threads = [
        threading.Thread(target=lambda: found.append(scorer.scores(QUESTION, ["tea", "milk"]))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [found[0]] * 4


def test_fused_order_is_the_one_worked_by_hand():
    """Places 1 2 3 and, by the model, 3 2 1: the ends are equal and stand before the middle, whose sum is smaller."""
    made = fused([candidate(1), candidate(2), candidate(3, reason="names tea")], [0.1, 0.5, 0.9])
    assert 1 / 61 + 1 / 63 > 2 / 62
    assert [(r.passage.passage_id, r.rank, r.reason) for r in made] == [
        ("p1", 1, "cross-encoder: place 3"),
        ("p3", 2, "names tea; cross-encoder: place 1"),
        ("p2", 3, "cross-encoder: place 2"),
    ]
    assert made[1].parts == (("words", 0.5), ("cross_encoder", 0.9))
    assert [r.score for r in made] == [1.0, 1 / 3, 1 / 2]


def test_equal_scores_leave_the_order_alone():
    made = fused([candidate(n) for n in range(1, 6)], [0.5] * 5)
    assert [r.passage.passage_id for r in made] == ["p1", "p2", "p3", "p4", "p5"]


def test_only_the_first_candidates_are_read(scorer):
    many = [candidate(n, text=LETTERS[n % 26] * (n % 7 + 1)) for n in range(1, MOST + 11)]
    made = Reranker(scorer).rerank(QUESTION, many)
    assert made[MOST:] == many[MOST:]
    assert sorted(r.passage.passage_id for r in made[:MOST]) == sorted(r.passage.passage_id for r in many[:MOST])
    assert [r.rank for r in made[:MOST]] == list(range(1, MOST + 1))


@pytest.mark.parametrize("name", ["nobody/no-such-model", "missing-folder"])
def test_what_cannot_be_loaded_is_told_once_and_leaves_the_order_alone(name, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    reranker = Reranker(PairScorer(name))
    many = [candidate(n) for n in range(1, 4)]
    assert reranker.rerank(QUESTION, many) == reranker.rerank(QUESTION, many) == many
    [told] = reranker.drain()
    assert told.stage == "rank"
    assert f"could not be used: expected a cross-encoder {name!r} in a folder or in the local cache" in told.message
    assert told.message.endswith("set HF_HUB_OFFLINE=0 to download it. Candidates keep the order of the pool")
    assert reranker.drain() == []


def test_a_model_that_gives_no_single_number_is_refused(folder):
    class Classes:
        def predict(self, pairs, **rest):
            return np.zeros((len(pairs), 3))

    scorer = PairScorer(str(folder))
    scorer._model = Classes()
    with pytest.raises(EmbeddingError, match="one number for each pair"):
        scorer.scores(QUESTION, ["tea"])


@pytest.mark.parametrize("question", ["Compare transformers and RNNs for NLP", "Who introduced self-attention?"])
def test_a_run_with_a_cross_encoder_says_so_and_repeats_itself(folder, sample, question):
    settings = Settings(cross_encoder=str(folder))
    events = list(execute("adaptive", question, retriever=sample, settings=settings))
    assert [n.message for n in of_kind(events, Noticed) if "cross-encoder" in n.message] == [
        f"Candidates are ranked again by the cross-encoder {folder}"
    ]
    evidence = list(of_kind(events, EvidenceAssembled))[-1].evidence
    assert evidence
    assert all("cross-encoder: place " in ranked.reason for ranked in evidence)
    assert list(execute("adaptive", question, retriever=sample, settings=settings)) == events


def test_a_run_goes_on_without_one_that_is_not_there(sample):
    question = "Compare transformers and RNNs for NLP"
    plain = list(execute("adaptive", question, retriever=sample))
    events = list(execute("adaptive", question, retriever=sample, settings=Settings(cross_encoder="no/such")))
    told = [n for n in of_kind(events, Noticed) if n.message.startswith(UNUSED)]
    assert len(told) == 1
    assert [event for event in events[1:] if event not in told] == plain[1:]
    assert list(of_kind(events, AnswerWritten)) == list(of_kind(plain, AnswerWritten))
    assert os.environ["HF_HUB_OFFLINE"] == "1"
