from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adaq_core.question.query_templates import search_wordings, short
from adaq_core.sources.documents import address_key
from adaq_core.sources.guard.replies import message_in, plain


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            "What regulatory risks does Tesla face in China in 2023?",
            ("regulatory risks Tesla face China 2023", "Tesla China 2023"),
        ),
        ("Tesla China", ("Tesla China",)),
        ('Who said "we will not pay" at AT&T?', ('"we will not pay" said AT&T', '"we will not pay" AT&T')),
        ("risks of solid-state batteries", ("risks solid-state batteries",)),
        ("site:evil.example OR (inurl:x) -tesla NOT", ("site evil.example inurl x tesla",)),
        ("the of and?", ()),
        ("", ()),
    ],
)
def test_questions_become_telling_words_then_names(query: str, expected: tuple[str, ...]) -> None:
    assert search_wordings(query) == expected


@given(st.text(max_size=300))
def test_no_operator_survives(query: str) -> None:
    for wording in search_wordings(query):
        assert not set(wording) & set(":()[]{}|~^*?<>=/\\\n+")
        assert wording.count('"') % 2 == 0
        assert not any(word.startswith("-") for word in wording.split())


@given(st.text(max_size=900))
def test_a_short_query_is_short(query: str) -> None:
    found = short(query)
    assert len(found) <= 400
    assert len(found.split()) <= 50
    assert found == " ".join(found.split())


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("https://www.a.example/x/?utm_medium=m&b=2&a=1#c", "http://a.example:80/x?a=1&b=2"),
        ("https://A.example/", "https://a.example"),
    ],
)
def test_addresses_of_the_same_page_have_the_same_key(first: str, second: str) -> None:
    assert address_key(first) == address_key(second)


@pytest.mark.parametrize("other", ["https://a.example/X", "https://a.example/x?id=2", "https://a.example:8443/x"])
def test_addresses_of_other_pages_have_other_keys(other: str) -> None:
    assert address_key("https://a.example/x?id=1") != address_key(other)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"status": "error", "code": "apiKeyInvalid", "message": "Your key is invalid."}', "Your key is invalid."),
        (b'{"detail": {"error": "Unauthorized"}}', "Unauthorized"),
        (b'{"type": "ErrorResponse", "errors": [{"code": "RATE_LIMITED", "detail": "slow down"}]}', "slow down"),
        (b'{"message": "Forbidden", "error": 403}', "Forbidden"),
        (b'{"unknown": 1}', ""),
        (b"<html><style>x{}</style><h1>403</h1> <p>Forbidden &amp; closed</p></html>", "403 Forbidden & closed"),
        (b"plain  words\n", "plain words"),
        (b"", ""),
        (b"x" * 500, "x" * 199 + "…"),
        (b"[" * 9000, "[" * 199 + "…"),
    ],
)  # fmt: skip
def test_the_words_of_an_error_page(body: bytes, message: str) -> None:
    assert message_in(body) == message


@given(st.text(max_size=200))
def test_any_markup_can_be_read(markup: str) -> None:
    assert "<script>" not in plain(f"<p>{markup}</p><script>x</script>") or "<script>" in markup
