import pytest

from adaq_core.errors import ModelError, ModelServerDown
from adaq_core.llm import Prompt
from adaq_core.llm.chats import Cached
from adaq_core.llm.ollama import OllamaClient
from adaq_core.store import Store
from adaq_core.store.history import KeptReplies
from tests.llm.loopback import said


@pytest.fixture
def reply_cache(store):
    return KeptReplies(store)


def cached(server, quick, reply_cache, **options):
    return Cached(OllamaClient(host=server.url, settings=quick.model_copy(update=options)), reply_cache)


def test_the_same_request_is_asked_once(server, quick, reply_cache):
    chat = cached(server, quick, reply_cache)
    first = chat.ask("Hi", system="Be short.", stage="plan")
    again = cached(server, quick, reply_cache).ask("Hi", system="Be short.", stage="plan")
    assert (first.cached, again.cached) == (False, True)
    assert (again.text, again.prompt_tokens, again.reply_tokens, again.prompt_hash) == (
        first.text,
        first.prompt_tokens,
        first.reply_tokens,
        first.prompt_hash,
    )
    assert len(server.bodies("/api/chat")) == reply_cache.count() == 1


def test_a_stored_reply_comes_without_a_server(server, quick, reply_cache):
    asked = Prompt("Read.", ("one", "two"), "Answer.")
    before = cached(server, quick, reply_cache).ask(asked, stage="read")
    server.close()
    after = cached(server, quick, reply_cache).ask(asked, stage="read")
    assert (after.text, after.prompt, after.cached) == (before.text, before.prompt, True)
    assert after.notes == (
        "llama3.2 could not be reached: this is the reply that was kept when it was asked the same before.",
    )
    with pytest.raises(ModelServerDown):
        cached(server, quick, reply_cache).ask("Something else", stage="read")


@pytest.mark.parametrize("change", [{"seed": 8}, {"temperature": 0.5}, {"num_ctx": 4096}, {"model": "llama3.2:latest"}])
def test_other_options_are_another_request(server, quick, reply_cache, change):
    cached(server, quick, reply_cache).ask("Hi", stage="plan")
    reply = cached(server, quick, reply_cache, **change).ask("Hi", stage="plan")
    assert reply.cached is ("model" in change)  # the same build under its full name is the same model


@pytest.mark.parametrize(
    "change", [{"prompt": "Ho"}, {"system": "x"}, {"schema": {"type": "object"}}, {"prompt": Prompt("H", (), "i")}]
)
def test_other_words_are_another_request(server, quick, reply_cache, change):
    chat = cached(server, quick, reply_cache)
    request = {"prompt": "Hi", "system": "", "schema": None}
    chat.ask(**request, stage="plan")
    assert not chat.ask(**(request | change), stage="plan").cached


def test_the_stage_that_asks_does_not_matter(server, quick, reply_cache):
    chat = cached(server, quick, reply_cache)
    chat.ask("Hi", stage="plan")
    assert chat.ask("Hi", stage="read").cached


def test_a_new_build_of_a_model_is_asked_again(server, quick, reply_cache):
    cached(server, quick, reply_cache).ask("Hi", stage="plan")
    listed = {"models": [{"name": "llama3.2:latest", "model": "llama3.2:latest", "digest": "new"}]}
    server.answers["/api/tags"] = lambda call: call.json(listed)
    assert not cached(server, quick, reply_cache).ask("Hi", stage="plan").cached
    assert reply_cache.count() == 2


def test_errors_are_not_kept(server, quick, reply_cache):
    whole = server.answers["/api/chat"]
    server.answers["/api/chat"] = lambda call: call.json({"error": "busy"}, 500)
    chat = cached(server, quick, reply_cache)
    with pytest.raises(ModelError):
        chat.ask("Hi", stage="plan")
    server.answers["/api/chat"] = whole
    assert (chat.ask("Hi", stage="plan").text, reply_cache.count()) == ("Hello there", 1)


def test_a_store_that_cannot_be_used_does_not_stop_a_run(server, quick, store, reply_cache):
    store.close()
    reply = cached(server, quick, reply_cache).ask("Hi", stage="plan")
    assert (reply.text, reply.cached) == ("Hello there", False)
    assert reply.notes[0].startswith("Kept replies could not be looked up: The run store")


def test_replies_outlive_the_process(server, quick, tmp_path):
    for expected in (False, True):
        store = Store(tmp_path / "other.duckdb")
        assert cached(server, quick, KeptReplies(store)).ask("Hi", stage="plan").cached is expected
        store.close()


def test_hostile_text_is_only_text(server, quick, reply_cache):
    hostile = "'); DROP TABLE model_replies; -- \x00 \ud800"
    server.replies = [said(hostile.replace("\ud800", ""))]
    chat = cached(server, quick, reply_cache)
    first = chat.ask("'; DROP TABLE runs; --", system=hostile.replace("\ud800", ""), stage="plan")
    assert chat.ask("'; DROP TABLE runs; --", system=hostile.replace("\ud800", ""), stage="plan").text == first.text


def test_clearing_forgets(server, quick, reply_cache):
    chat = cached(server, quick, reply_cache)
    chat.ask("Hi", stage="plan")
    reply_cache.clear()
    assert (reply_cache.count(), chat.ask("Hi", stage="plan").cached) == (0, False)


def test_a_shelf_of_the_process_keeps_replies_by_build():
    from adaq_core.llm.chats import Remembered

    replies = Remembered()
    replies.keep("r", {"text": "a"}, digest="d1", model="m")
    assert (
        replies.find("r", digest="d1"),
        replies.find("r", digest="d2"),
        replies.newest("r", model="m"),
    ) == (
        {"text": "a"},
        None,
        None,
    )
