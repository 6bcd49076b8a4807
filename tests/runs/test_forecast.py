import time
from dataclasses import replace

import pytest

from adaq_core.events import ModelCalled, Record, RunFinished, RunStarted
from adaq_core.model import Budget, CorpusCard, Settings
from adaq_core.runs.forecast import Forecast, MiddleRange, forecast
from adaq_core.store import Store
from tests.recorded import QUESTION, hop_events, planned, started

CARD = CorpusCard("tea", "v1", 2, 4)


def past(
    store: Store,
    *,
    seconds: float,
    hops: int = 1,
    corpus: str = "tea",
    model: str | None = "tiny",
    tokens: int | None = 100,
    usd: float = 0.0,
    reply: str = "reply",
    cached: bool = False,
    settings: Settings | None = None,
    method: str = "adaptive",
    stop: str = "core_covered",
    **rest,
) -> str:
    """A stored run that took `seconds` and asked a model once where it has one."""
    card, shape = replace(CARD, name=corpus), settings or Settings()
    first = replace(started(method=method, card=card), settings=shape, model=model)
    events = [first, planned(), *(event for hop in range(1, hops + 1) for event in hop_events(hop))]
    if model:
        events.append(ModelCalled("plan", model, "p", "prompt", reply, tokens, None, cached=cached, usd=usd))
    events.append(RunFinished(stop, "over"))  # type: ignore[arg-type]
    run_id = store.begin(RunStarted(QUESTION, method, card, shape, Budget(), model=model), **rest)
    at = "2026-11-22T01:00:00+00:00"
    store.copy_records(run_id, [Record(n, at, seconds * n / len(events), e) for n, e in enumerate(events, start=1)])
    return run_id


def test_middle_and_range_of_runs_like_it(store):
    for seconds, hops, tokens, usd in ((10, 1, 100, 0.5), (20, 2, 200, 0.5), (30, 3, 600, 0.5)):
        past(store, seconds=seconds, hops=hops, tokens=tokens, usd=usd)
    assert forecast(store, corpus="tea", model="tiny") == Forecast(
        n=3,
        like="on this corpus, with this model and with these settings",
        limited=0,
        seconds=MiddleRange(20, pytest.approx(12), pytest.approx(28), 3),  # type: ignore[arg-type]
        hops=MiddleRange(2, pytest.approx(1.2), pytest.approx(2.8), 3),  # type: ignore[arg-type]
        model_calls=MiddleRange(1, 1, 1, 3),
        tokens=MiddleRange(200, pytest.approx(120), pytest.approx(520), 3),  # type: ignore[arg-type]
        usd=MiddleRange(0.5, 0.5, 0.5, 3),
    )


def test_words_say_what_it_takes_and_from_what(store):
    for seconds in (10, 20, 30):
        past(store, seconds=seconds, hops=3, tokens=12_000, stop="budget_time" if seconds == 30 else "core_covered")
    found = forecast(store, corpus="tea", model="tiny")
    assert found is not None
    assert found.words == (
        "20 s (12–28), 3 hops, 1 model call, 12,000 tokens, "
        "going by 3 past runs on this corpus, with this model and with these settings, 1 of which ran out of budget"
    )


def test_what_takes_no_second_is_not_said_to_take_no_time(store):
    for seconds in (0.04, 0.05, 0.06):
        past(store, seconds=seconds)
    found = forecast(store, corpus="tea", model="tiny")
    assert found
    assert found.words.startswith("0.05 s (0.04–0.06), ")


def test_two_runs_are_too_few(store):
    assert forecast(store, corpus="tea", model="tiny") is None
    past(store, seconds=1)
    past(store, seconds=2)
    assert forecast(store, corpus="tea", model="tiny") is None


@pytest.mark.parametrize(
    ("others", "like"),
    [
        ({"settings": Settings(max_hops=4)}, "on this corpus, with this model and with other settings"),
        ({"corpus": "coffee"}, "on other corpora too, with this model and with these settings"),
        ({"model": "large"}, "with other models"),
    ],
)
def test_too_few_alike_are_joined_by_the_next_wider_group_which_is_named(store, others, like):
    past(store, seconds=5)
    for _ in range(2):
        past(store, seconds=9, **others)
    found = forecast(store, corpus="tea", model="tiny")
    assert found is not None
    assert (found.n, found.like, found.seconds and found.seconds.median) == (3, like, 9)


def test_nearest_settings_are_enough_where_there_are_enough(store):
    for _ in range(3):
        past(store, seconds=2, settings=Settings(k=6))
        past(store, seconds=50, settings=Settings(k=8, max_hops=20))
    found = forecast(store, corpus="tea", model="tiny", settings=Settings())
    assert found is not None
    assert (found.n, found.like, found.seconds) == (
        3,
        "on this corpus, with this model and with other settings",
        MiddleRange(2, 2, 2, 3),
    )


def test_runs_without_a_model_tell_nothing_of_runs_with_one(store):
    for _ in range(3):
        past(store, seconds=0.2, model=None)
    assert forecast(store, corpus="tea", model="tiny") is None
    found = forecast(store, corpus="tea", model=None)
    assert found is not None
    assert found.words == "0.20 s, 1 hop, going by 3 past runs on this corpus, without a model and with these settings"


def test_runs_without_live_sources_tell_nothing_of_runs_with_some(store):
    for _ in range(3):
        past(store, seconds=0.2)
    assert forecast(store, corpus="tea", model="tiny", settings=Settings(sources=("wikipedia",))) is None
    for _ in range(3):
        past(store, seconds=8, settings=Settings(sources=("gdelt",)))
    found = forecast(store, corpus="tea", model="tiny", settings=Settings(sources=("wikipedia",)))
    assert found is not None
    assert found.seconds == MiddleRange(8, 8, 8, 3)


@pytest.mark.parametrize(
    ("known", "seconds", "tokens"),
    [
        ({"seconds": 0.1, "cached": True}, None, MiddleRange(100, 100, 100, 3)),
        ({"seconds": 4, "tokens": None}, MiddleRange(4, 4, 4, 3), None),
    ],
    ids=["kept replies tell no time", "tokens that no server counted"],
)
def test_what_earlier_runs_do_not_tell_is_unknown_and_not_zero(store, known, seconds, tokens):
    for _ in range(3):
        past(store, **known)
    found = forecast(store, corpus="tea", model="tiny")
    assert found is not None
    assert (found.seconds, found.tokens) == (seconds, tokens)


@pytest.mark.parametrize("others", [{"method": "static"}, {"stop": "user_stop"}, {"parent": "r-0000"}, {"reply": ""}])
def test_runs_of_another_method_broken_off_gone_on_with_or_never_answered_are_left_out(store, others):
    for _ in range(3):
        past(store, seconds=1, **others)
    assert forecast(store, corpus="tea", model="tiny") is None


def test_ten_thousand_runs_are_asked_in_no_time(store):
    run_id = past(store, seconds=1)
    copied = "SELECT * REPLACE ('r-' || n AS run_id) FROM {} CROSS JOIN range(10000) t(n) WHERE run_id = ?"
    for table in ("runs", "events"):
        insert = f"INSERT INTO {table} SELECT * EXCLUDE (n) FROM ({copied.format(table)})"
        store.execute(insert, [run_id])

    def seconds() -> float:
        began = time.process_time()
        found = forecast(store, corpus="tea", model="tiny")
        assert found is not None
        assert found.n == 300
        return time.process_time() - began

    assert any(seconds() < 1.0 for _ in range(3))  # what other threads did meanwhile is counted too
