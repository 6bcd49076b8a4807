import socket

import pytest

from adaq_core.errors import ModelError, ModelMissing, ModelServerDown
from adaq_core.llm import Prompt, Reply, model_called, prompt_hash
from adaq_core.llm.ollama import InstalledModel, OllamaClient, PullProgress
from tests.llm.loopback import DIGEST, installed, said

SCHEMA = {"type": "object", "properties": {"aspects": {"type": "array"}}, "required": ["aspects"]}


def client(server, quick, model="", **rest):
    return OllamaClient(model, server.url, settings=quick, **rest)


def test_reply_holds_text_and_counts_of_the_server(server, quick):
    reply = client(server, quick).ask("Hi", system="Be short.", stage="plan")
    assert reply == Reply(
        text="Hello there",
        model="llama3.2",
        prompt="Hi",
        prompt_hash=prompt_hash("Hi", system="Be short."),
        system="Be short.",
        prompt_tokens=20,
        reply_tokens=5,
        num_ctx=8192,
    )


def test_request_says_context_seed_temperature_and_schema(server, quick):
    client(server, quick).ask("Hi", system="Be short.", schema=SCHEMA, stage="plan")
    assert server.bodies("/api/chat") == [
        {
            "model": "llama3.2",
            "messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Hi"}],
            "stream": True,
            "format": SCHEMA,
            "options": {"num_ctx": 8192, "num_predict": 1024, "seed": 7, "temperature": 0.0},
            "keep_alive": "10m",
            "tools": [],
        }
    ]


def test_generate_text_is_the_plain_form(server, quick):
    assert client(server, quick).generate_text("Hi", "Be short.") == "Hello there"
    assert server.bodies("/api/chat")[0]["messages"][0] == {"role": "system", "content": "Be short."}


def test_a_model_that_thinks_is_told_not_to(server, quick):
    server.shown["capabilities"] = ["completion", "thinking"]
    client(server, quick).ask("Hi", stage="plan")
    client(server, quick.model_copy(update={"think": "on"})).ask("Hi", stage="plan")
    client(server, quick.model_copy(update={"think": "auto"})).ask("Hi", stage="plan")
    assert [body.get("think") for body in server.bodies("/api/chat")] == [False, True, None]


def test_context_is_never_asked_longer_than_the_model_has(server, quick):
    server.shown["model_info"] = {"llama.context_length": 2048}
    reply = client(server, quick).ask("Hi", stage="plan")
    assert reply.num_ctx == server.bodies("/api/chat")[0]["options"]["num_ctx"] == 2048


def test_passages_that_do_not_fit_are_left_out_last_first(server, quick):
    small = quick.model_copy(update={"num_ctx": 600, "max_reply_tokens": 100})
    prompt = Prompt("Read these.", tuple(f"Passage {n}: " + "word " * 190 for n in range(5)), "Now answer.")
    reply = client(server, small).ask(prompt, stage="read")
    assert reply.cut == (2, 3, 4)
    assert server.bodies("/api/chat")[0]["messages"][0]["content"] == reply.prompt == prompt.text(2)
    assert reply.notes[0].startswith(
        "The prompt was too long for a context of 600 tokens: the last 3 of 5 passages were left out"
    )


def test_a_prompt_that_cannot_be_shortened_is_not_sent(server, quick):
    small = quick.model_copy(update={"num_ctx": 600, "max_reply_tokens": 100})
    with pytest.raises(ModelError, match=r"needs about .* tokens .* the context has 600. Raise ADAQ_NUM_CTX"):
        client(server, small).ask("word " * 700, stage="read")
    assert server.bodies("/api/chat") == []


def test_a_prompt_that_the_server_cut_is_noticed(server, quick):
    server.replies = [said("Hm", read=4098)]
    reply = client(server, quick).ask("word " * 6500, stage="read")
    assert reply.notes == (
        "The server seems to have cut the front of the prompt off: about 6,524 tokens were sent and 4,098 read, with a "
        "context of 8,192.",
    )


def test_a_reply_that_was_cut_off_says_so(server, quick):
    server.replies = [said('{"aspects": [', reason="length")]
    reply = client(server, quick).ask("Hi", stage="plan")
    assert (reply.text, reply.notes) == (
        '{"aspects": [',
        ("The reply was cut off at the most tokens that a reply may have (ADAQ_MAX_REPLY_TOKENS).",),
    )


def test_an_empty_reply_is_a_reply(server, quick):
    server.replies = [said(read=None, wrote=None)]
    reply = client(server, quick).ask("Hi", stage="plan")
    assert (reply.text, reply.prompt_tokens, reply.reply_tokens, reply.notes) == ("", None, None, ())


@pytest.mark.parametrize("lie", [10**19, -5, 10_000_001])
def test_count_that_cannot_be_true_is_no_count(server, quick, lie):
    server.replies = [said("Hello", read=lie, wrote=lie)]
    reply = client(server, quick).ask("Hi", stage="plan")
    assert (reply.text, reply.prompt_tokens, reply.reply_tokens) == ("Hello", None, None)


def test_thinking_without_saying_anything_is_noticed(server, quick):
    last = said(reason="length")
    server.replies = [[{"message": {"role": "assistant", "content": "", "thinking": "Hm…"}, "done": False}, *last]]
    notes = client(server, quick).ask("Hi", stage="plan").notes
    assert notes[1].startswith("The model thought, but said nothing")


def test_server_down_says_how_to_start_it(quick):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{free.getsockname()[1]}"
    down = OllamaClient(host=host, settings=quick)
    with pytest.raises(ModelServerDown, match=r"Expected an Ollama server at .*, but none answers. Start it with"):
        down.ask("Hi", stage="plan")
    state = down.state()
    assert (state.ready, state.models) == (False, ())
    assert "ollama serve" in state.help


def test_server_that_goes_away_between_calls(server, quick):
    chat = client(server, quick)
    chat.ask("Hi", stage="plan")
    server.close()
    with pytest.raises(ModelServerDown):
        chat.ask("Hi", stage="plan")


def test_model_missing_names_what_is_there_and_how_to_get_it(server, quick):
    with pytest.raises(ModelMissing) as caught:
        client(server, quick, model="qwen3:8b").ask("Hi", stage="plan")
    assert str(caught.value) == (
        f"Expected the model 'qwen3:8b' on the Ollama server at {server.url}, but it has llama3.2:latest. Get it with "
        "`ollama pull qwen3:8b`, or name one of those with ADAQ_MODEL."
    )


def test_server_without_any_model(server, quick):
    server.models = ()
    state = client(server, quick).state()
    assert (state.ready, state.models) == (False, ())
    assert "it has no model yet. Get it with `ollama pull llama3.2`." in state.help


def test_model_that_vanishes_after_it_was_shown(server, quick):
    server.answers["/api/chat"] = lambda call: call.json({"error": "model 'llama3.2' not found"}, 404)
    with pytest.raises(ModelMissing, match=r"ollama pull llama3.2"):
        client(server, quick).ask("Hi", stage="plan")


def test_server_that_cannot_show_a_model_is_asked_all_the_same(server, quick):
    del server.answers["/api/show"]
    assert client(server, quick).ask("Hi", stage="plan").num_ctx == 8192


def test_state_of_a_server_that_has_the_model(server, quick):
    state = client(server, quick).state()
    assert state.ready
    assert state.help == ""
    assert state.models == (InstalledModel("llama3.2:latest", DIGEST, 2_019_393_189, "3.2B", "llama"),)


def test_models_that_only_embed_are_told_apart(server, quick):
    server.models = ("llama3.2:latest", "nomic-embed-text:latest")
    assert [m.can_chat for m in client(server, quick).models()] == [True, False]


def test_error_line_in_a_stream(server, quick):
    server.replies = [[*said("So ", "far")[:2], {"error": "an error was encountered while running the model"}]]
    with pytest.raises(ModelError, match="reported an error: an error was encountered") as caught:
        client(server, quick).ask("Hi", stage="plan")
    assert caught.value.raw == "So far"


def test_server_that_dies_in_mid_stream(server, quick):
    def die(call):
        call.begin()
        for line in said("So ", "far")[:2]:
            call.line(line)
        call.die()

    server.answers["/api/chat"] = die
    with pytest.raises(ModelServerDown, match="went away while it answered") as caught:
        client(server, quick).ask("Hi", stage="plan")
    assert caught.value.raw == "So far"


def test_stream_that_ends_before_the_reply_does(server, quick):
    server.answers["/api/chat"] = lambda call: call.lines(said("So ", "far")[:2])
    with pytest.raises(ModelServerDown, match="the stream ended before the reply did") as caught:
        client(server, quick).ask("Hi", stage="plan")
    assert caught.value.raw == "So far"


def test_server_that_dies_before_it_answers(server, quick):
    server.answers["/api/chat"] = lambda call: call.die()
    with pytest.raises(ModelServerDown, match="went away"):
        client(server, quick).ask("Hi", stage="plan")


def test_silence_ends_at_the_timeout(server, quick):
    server.answers["/api/chat"] = lambda call: call.hang()
    with pytest.raises(ModelServerDown, match=r"nothing came for too long.*ADAQ_SILENCE_SECONDS"):
        client(server, quick).ask("Hi", stage="plan")


def test_silence_in_mid_stream_keeps_what_was_said(server, quick):
    def stall(call):
        call.begin()
        call.line(said("So far")[0])
        call.hang()

    server.answers["/api/chat"] = stall
    with pytest.raises(ModelServerDown, match="too long") as caught:
        client(server, quick).ask("Hi", stage="plan")
    assert caught.value.raw == "So far"


def test_a_reply_without_end_is_cut_at_its_time(server, quick):
    ticks = iter(range(0, 100, 2))
    server.replies = [said("la ", "la ", "la ", "la ")]
    with pytest.raises(ModelError, match="to finish within 5 seconds, but it was still writing") as caught:
        client(server, quick, clock=lambda: float(next(ticks))).ask("Hi", stage="plan")
    assert caught.value.raw == "la la la "


def test_cancelling_stops_between_pieces(server, quick):
    server.replies = [said("la ", "la ", "la ")]
    with pytest.raises(ModelError, match="stopped in mid-reply") as caught:
        client(server, quick, cancelled=lambda: True).ask("Hi", stage="plan")
    assert caught.value.raw == "la "


@pytest.mark.parametrize(
    "data",
    [b"<html>router login</html>", b"[1, 2]\n", b'"text"\n', b'{"done": true}\n', b"\xff\xfe\n", b'{"message": 3}\n'],
)
def test_garbage_in_place_of_a_stream(server, quick, data):
    server.answers["/api/chat"] = lambda call: call.raw(data)
    with pytest.raises(ModelError, match=r"Expected Ollama's JSON from .*, but something else came"):
        client(server, quick).ask("Hi", stage="plan")


def test_another_program_at_the_address(plain_server, quick):
    plain_server.answers = {path: lambda call: call.raw(b"<html>hello</html>") for path in ("/api/show", "/api/tags")}
    other = OllamaClient(host=plain_server.url, settings=quick)
    with pytest.raises(ModelError, match="Is another program at that address"):
        other.ask("Hi", stage="plan")
    assert not other.state().ready


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (400, "invalid format", r"reported an error \(400\): invalid format"),
        (401, "unauthorized", "wants a key or refuses ours"),
        (500, "model requires more system memory (9 GiB) than is available (4 GiB)", "Choose a smaller model"),
        (503, "server busy, please try again", "is busy"),
    ],
)
def test_refusals_in_words(server, quick, status, error, words):
    server.answers["/api/chat"] = lambda call: call.json({"error": error}, status)
    with pytest.raises(ModelError, match=words):
        client(server, quick).ask("Hi", stage="plan")


def test_refusal_that_is_no_object(server, quick):
    server.answers["/api/chat"] = lambda call: call.json([1], 500)
    with pytest.raises(ModelError):
        client(server, quick).ask("Hi", stage="plan")


@pytest.mark.parametrize("host", ["http://[bad", "127.0.0.1:port"])
def test_host_that_is_no_address(quick, host):
    with pytest.raises(ModelServerDown, match="which is not an address"):
        OllamaClient(host=host, settings=quick)


def test_proxy_does_not_stand_between_us_and_this_machine(server, quick, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert client(server, quick).generate_text("Hi") == "Hello there"


def test_address_where_a_server_listens_is_one_to_call(server, quick):
    host = server.url.replace("127.0.0.1", "0.0.0.0")
    assert OllamaClient(host=host, settings=quick).host == server.url


def test_pull_tells_how_far_it_is(server, quick):
    lines = [
        {"status": "pulling manifest"},
        {"status": "pulling a80c", "digest": "sha256:a80c", "total": 200},
        {"status": "pulling a80c", "digest": "sha256:a80c", "total": 200, "completed": 50},
        {"status": "success"},
    ]
    server.answers["/api/pull"] = lambda call: call.lines(lines)
    told = list(client(server, quick).pull("qwen3:8b"))
    assert told == [
        PullProgress("pulling manifest"),
        PullProgress("pulling a80c", None, 200),
        PullProgress("pulling a80c", 50, 200),
        PullProgress("success"),
    ]
    assert [line.share for line in told] == [None, None, 0.25, None]
    assert server.bodies("/api/pull")[0]["model"] == "qwen3:8b"


def test_pull_of_what_does_not_exist(server, quick):
    error = {"error": "pull model manifest: file does not exist"}
    server.answers["/api/pull"] = lambda call: call.lines([{"status": "pulling manifest"}, error])
    with pytest.raises(ModelError, match=r"nope at .* reported an error: pull model manifest"):
        list(client(server, quick).pull("nope"))


def test_pull_that_ends_early(server, quick):
    server.answers["/api/pull"] = lambda call: call.lines([{"status": "pulling manifest"}])
    with pytest.raises(ModelError, match="ended before it was complete"):
        list(client(server, quick).pull("qwen3:8b"))


def test_digest_is_the_one_of_the_model(server, quick):
    assert client(server, quick).digest() == DIGEST
    assert client(server, quick, model="qwen3:8b").digest() is None


def test_model_called_is_the_fact_for_the_trace(server, quick):
    event = model_called(client(server, quick).ask("Hi", system="Be short.", stage="plan"), stage="plan")
    assert (event.stage, event.model, event.prompt, event.reply) == (
        "plan",
        "llama3.2",
        "Be short.\n\nHi",
        "Hello there",
    )
    assert (event.prompt_tokens, event.reply_tokens, event.num_ctx, event.usd) == (20, 5, 8192, 0.0)


def test_nothing_is_sent_before_the_first_question(server, quick):
    client(server, quick)
    assert server.calls == []


def test_models_are_listed_with_their_sizes(server, quick):
    server.answers["/api/tags"] = lambda call: call.json(installed("a:1b", "b:2b"))
    assert [(m.name, m.size) for m in client(server, quick).models()] == [("a:1b", 2019393189), ("b:2b", 2019393189)]
