import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adaq_core.llm.json_reply import MAX_CHARS, Parsed, read_json

MENDED = "the JSON was malformed or cut off, and was mended"
AROUND = "there was text around the JSON"
FENCED = "the JSON stood in a code fence"


@pytest.mark.parametrize(
    ("reply", "value", "problems"),
    [
        ('{"a": 1}', {"a": 1}, ()),
        ("[1, 2]", [1, 2], ()),
        ('```json\n{"a": 1}\n```', {"a": 1}, (FENCED,)),
        ('```\n{"a": 1}\n```\nI hope this helps!', {"a": 1}, (FENCED, AROUND)),
        ('Sure! Here it is: {"a": [1, 2]} Anything else?', {"a": [1, 2]}, (AROUND,)),
        ('I can\'t say [1] or {x}, so: {"a": 1}', {"a": 1}, (AROUND,)),
        ('{"a": [1, 2,],}', {"a": [1, 2]}, (MENDED,)),
        ("{'a': 'b', 'c': True, 'd': None}", {"a": "b", "c": True, "d": None}, (MENDED,)),
        ('{a: "b"}', {"a": "b"}, (MENDED,)),
        ("{“a”: “b”}", {"a": "b"}, (MENDED,)),
        ('{"a": 1, // first\n "b": 2}', {"a": 1, "b": 2}, (MENDED,)),
        ('{"url": "http://x.org/a", }', {"url": "http://x.org/a"}, (MENDED,)),
        ('{"a": "he said "hi" there", "b": 1}', {"a": 'he said "hi" there', "b": 1}, (MENDED,)),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}, ()),
        ('{"a": 1}\n{"a": 2}', [{"a": 1}, {"a": 2}], ("2 objects came one after the other and were read as a list",)),
        (
            '<think>maybe {"a": 0}?</think>{"a": 1}',
            {"a": 1},
            ("the reply held the model's thoughts, which were left out",),
        ),
        (
            'Okay, {"a": 0}?</think>\n{"a": 1}',
            {"a": 1},
            ("the reply held the model's thoughts, which were left out",),
        ),
        ("", None, ("the reply is empty",)),
        (" \n\t", None, ("the reply is empty",)),
        ("I cannot help with that.", None, ("the reply holds no JSON",)),
        ('"just text"', None, ("the reply holds no JSON",)),
        ("[" * 5000, None, ("the reply holds no JSON",)),
    ],
)
def test_replies_as_models_write_them(reply, value, problems):
    assert read_json(reply) == Parsed(value, problems)


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        (
            '{"aspects": [{"name": "Supply", "importance": 0.9}, {"name": "Regul',
            [{"name": "Supply", "importance": 0.9}, {}],
        ),
        ('{"aspects": [{"name": "Supply", "importance": 0.', [{"name": "Supply"}]),
        ('{"aspects": [{"name": "Supply"', [{"name": "Supply"}]),
        ('{"aspects": [{"name": "Supply"}', [{"name": "Supply"}]),
        ('{"aspects": [', []),
    ],
)
def test_a_reply_that_was_cut_off_keeps_what_was_whole(reply, value):
    assert read_json(reply) == Parsed({"aspects": value}, (MENDED,))


def test_half_a_number_is_not_a_number():
    assert read_json('{"scores": {"a": 0.9, "b": 0').value == {"scores": {"a": 0.9}}


def test_what_is_longer_than_any_answer_is_not_read():
    assert read_json('{"a": "' + "x" * MAX_CHARS + '"}').value is None


@pytest.mark.parametrize(
    "hostile",
    [
        "[1,",
        '{"a":1,',
        "[1]x",
        '{"a":"',
        '{"a" "b",',
        '"',
        "<think>",
        "```{",
        '{"\\',
        "{'",
        "{/*",
        "{//",
        '\\"',
        "<",
        "a:",
        ' "a',
    ],
)
def test_hostile_replies_cost_little_time(hostile):
    began = time.thread_time()
    read_json(hostile * (MAX_CHARS // len(hostile)))
    read_json('{"' + hostile * (MAX_CHARS // len(hostile) - 1))
    assert time.thread_time() - began < 3


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e6, 1e6) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=6), json_values, max_size=4))
def test_whole_json_is_read_as_it_is(value):
    assert read_json(json.dumps(value)).value == value


@given(st.dictionaries(st.sampled_from("abcd"), json_values, min_size=1), st.data())
def test_a_reply_cut_anywhere_never_raises_and_says_so(value, data):
    whole = json.dumps(value)
    cut = data.draw(st.integers(0, len(whole) - 1))
    read = read_json(whole[:cut])
    assert read.problems
    assert read.value is None or set(read.value) <= set(value)


@given(st.text(alphabet="{}[]\",:\\ab1 \n`'<>/think", max_size=200))
def test_nothing_a_model_writes_raises(text):
    read = read_json(text)
    assert read.value is None or isinstance(read.value, dict | list)
    assert read.value is not None or read.problems
