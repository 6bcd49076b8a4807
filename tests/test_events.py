"""The codec: what is written comes back equal, whatever the event holds."""

from dataclasses import fields
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from adaq_core import events as e
from adaq_core import model as m

text = st.text(max_size=30)
score = st.floats(0, 1)
small = st.integers(0, 50)
st.register_type_strategy(float, score)
st.register_type_strategy(int, small)
st.register_type_strategy(str, text)
st.register_type_strategy(
    m.Settings,
    st.builds(m.Settings, k=st.integers(1, 9), learned=st.none() | st.booleans(), ablate=st.tuples(text)),
)
st.register_type_strategy(
    m.QueryAspect,
    st.builds(m.QueryAspect, text, st.sampled_from(m.ASPECT_TYPES), score, st.lists(text, max_size=3).map(tuple)),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(*[st.from_type(kind) for kind in get_args(e.Event)]))
def test_every_event_survives_the_round_trip(event):
    assert e.loads(e.dumps(event)) == event
    assert e.load(e.dump(event)) == event


def test_what_is_no_event_is_refused():
    with pytest.raises(ValidationError):
        e.load({"kind": "nonsense"})


def test_no_event_holds_a_clock_or_an_id():
    names = {field.name for kind in get_args(e.Event) for field in fields(kind)}
    assert names.isdisjoint({"at", "elapsed", "time", "timestamp", "seconds", "uuid", "run_id", "seq"})
