import json
import logging
import socket
import traceback

import pytest
from pydantic import SecretStr

from adaq_core.errors import InputError, ModelError, ModelMissing, ModelServerDown
from adaq_core.llm import Prompt, model_called
from adaq_core.llm.openai_compatible import OpenAICompatible

KEY = "sk-verysecretkey123"
PATH = "/v1/chat/completions"
SCHEMA = {"type": "object", "properties": {"stop": {"type": "boolean"}}}


def piece(text="", finish=None):
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}], "usage": None}


USAGE = {"choices": [], "usage": {"prompt_tokens": 2000, "completion_tokens": 100}}


def send(call, parts, done=True):
    call.begin("text/event-stream; charset=utf-8")
    for part in parts:
        call.chunk(f"data: {json.dumps(part)}\n\n".encode())
    if done:
        call.chunk(b"data: [DONE]\n\n")
    call.end()


def hello(call):
    send(call, [piece("Hello"), piece(" there"), piece(finish="stop"), USAGE])


@pytest.fixture
def server(plain_server):
    plain_server.answers[PATH] = hello
    return plain_server


@pytest.fixture
def client(server, quick):
    def make(**change):
        rest = {name: change.pop(name) for name in ("cancelled", "clock", "sleep") if name in change}
        given = {"openai_base_url": f"{server.url}/v1", "openai_api_key": SecretStr(KEY), "model": "gpt-x"}
        return OpenAICompatible(settings=quick.model_copy(update=given | change), **rest)

    return make


def test_reply_holds_text_tokens_and_price(client):
    reply = client(prices={"gpt-x": (0.5, 2.0)}).ask("Hi", system="Be short.", stage="plan")
    assert (reply.text, reply.model, reply.prompt, reply.system) == ("Hello there", "gpt-x", "Hi", "Be short.")
    assert (reply.prompt_tokens, reply.reply_tokens, reply.num_ctx, reply.notes) == (2000, 100, 8192, ())
    assert reply.usd == pytest.approx(2000 * 0.5e-6 + 100 * 2e-6)


def test_request_as_the_interface_documents_it(client, server):
    client().ask("Hi", system="Be short.", schema=SCHEMA, stage="plan")
    assert server.bodies(PATH) == [
        {
            "model": "gpt-x",
            "messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Hi"}],
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": 0.0,
            "seed": 7,
            "max_tokens": 1024,
            "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA}},
        }
    ]
    assert server.calls[0].headers["Authorization"] == f"Bearer {KEY}"


def test_without_a_key_none_is_sent(client, server):
    assert client(openai_api_key=SecretStr("")).generate_text("Hi") == "Hello there"
    assert "Authorization" not in server.calls[0].headers


def test_server_that_does_not_stream(client, server):
    whole = {
        "choices": [{"message": {"role": "assistant", "content": "Hello"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 1},
    }
    server.answers[PATH] = lambda call: call.json(whole)
    reply = client().ask("Hi", stage="plan")
    assert (reply.text, reply.prompt_tokens, reply.reply_tokens) == ("Hello", 3, 1)


@pytest.mark.parametrize("lie", [10**30, -5, True, "many"])
def test_count_that_cannot_be_true_is_no_count(client, server, lie):
    usage = {"choices": [], "usage": {"prompt_tokens": lie, "completion_tokens": lie}}
    server.answers[PATH] = lambda call: send(call, [piece("Hello", "stop"), usage])
    reply = client().ask("Hi", stage="plan")
    assert (reply.text, reply.prompt_tokens, reply.reply_tokens) == ("Hello", None, None)


def test_what_a_call_costs_at_most_is_known_before_it_is_made(client):
    assert client(prices={"gpt-x": (1000.0, 10_000.0)}).most_usd(500, stage="plan") == pytest.approx(0.5 + 10.24)
    assert client().most_usd(500, stage="plan") == 0.0
    assert client(openai_base_url="https://models.example/v1").most_usd(500, stage="plan") is None


def test_price_without_counts_is_an_estimate_and_says_so(client, server):
    server.answers[PATH] = lambda call: send(call, [piece("Hello", "stop")])
    reply = client(prices={"gpt-x": (1e6, 1e6)}).ask("Hi", stage="plan")
    assert (reply.prompt_tokens, reply.reply_tokens) == (None, None)
    assert reply.usd > 1
    assert reply.notes == ("The server counted no tokens, so the cost is an estimate.",)


def test_long_prompts_lose_their_last_passages(client, server):
    prompt = Prompt("Read.", tuple(f"{n} " + "word " * 300 for n in range(4)), "Answer.")
    reply = client(num_ctx=1000, max_reply_tokens=100).ask(prompt, stage="read")
    assert reply.cut == (2, 3)
    assert server.bodies(PATH)[0]["messages"][0]["content"] == prompt.text(2)


@pytest.mark.parametrize(
    ("error", "without"),
    [
        ("Unsupported parameter: 'max_tokens' is not supported; use 'max_completion_tokens' instead.", "max_tokens"),
        ("Unsupported value: 'temperature' does not support 0 with this model.", "temperature"),
        ("'response_format.type' must be 'text'", "response_format"),
        ("failed to parse grammar", "response_format"),
        ("stream_options: Extra inputs are not permitted", "stream_options"),
    ],
)
def test_what_a_server_does_not_take_is_left_out_from_then_on(client, server, error, without):
    def picky(call):
        if without in call.body:
            call.json({"error": {"message": error}}, 400)
        else:
            hello(call)

    server.answers[PATH] = picky
    chat = client()
    reply = chat.ask("Hi", schema=SCHEMA, stage="plan")
    assert reply.text == "Hello there"
    assert reply.notes == (f"The server does not take {without}; it was asked without it.",)
    assert ("max_completion_tokens" in server.bodies(PATH)[-1]) is (without == "max_tokens")
    assert chat.ask("Hi", schema=SCHEMA, stage="plan").notes == ()
    assert len(server.bodies(PATH)) == 3


@pytest.mark.parametrize("status", [422, 500])
def test_a_server_that_knows_json_objects_only_gets_the_schema_with_one(client, server, status):
    refused = "1 validation error: {'loc': ('body', 'response_format'), 'msg': \"should be 'text' or 'json_object'\"}"

    def older(call):
        known = call.body["response_format"]["type"] != "json_schema"
        hello(call) if known else call.json({"error": {"message": refused}}, status)

    server.answers[PATH] = older
    chat = client()
    reply = chat.ask("Hi", schema=SCHEMA, stage="plan")
    assert reply.notes == ("The server does not take json_schema; it was asked for a JSON object with the schema.",)
    assert server.bodies(PATH)[-1]["response_format"] == {"type": "json_object", "schema": SCHEMA}
    assert chat.ask("Hi", schema=SCHEMA, stage="plan").notes == ()


def test_a_stream_that_ends_before_the_first_word_may_be_a_context_too_small(client, server):
    server.answers[PATH] = lambda call: send(call, [], done=False)
    with pytest.raises(ModelError, match=r"gpt-x ended its reply before the first word\..* than ADAQ_NUM_CTX"):
        client().ask("Hi", stage="plan")


def test_busy_server_is_asked_again(client, server):
    answers = [lambda c: c.json({}, 429, [("Retry-After", "2")]), lambda c: c.json({}, 503), hello]
    server.answers[PATH] = lambda call: answers.pop(0)(call)
    slept: list[float] = []
    reply = client(sleep=slept.append).ask("Hi", stage="plan")
    assert (reply.text, slept) == ("Hello there", [2.0, 2.0])
    assert reply.notes[0] == "The server was busy and was asked again after 2 s."


def test_busy_for_too_long_is_an_error(client, server):
    server.answers[PATH] = lambda call: call.json({"error": {"message": "quota"}}, 429, [("Retry-After", "3600")])
    with pytest.raises(ModelServerDown, match=r"wants no more requests for now \(429: quota\)"):
        client(sleep=lambda _: pytest.fail("waited")).ask("Hi", stage="plan")


def test_busy_all_the_time_is_an_error(client, server):
    server.answers[PATH] = lambda call: call.json({"error": "overloaded"}, 503)
    with pytest.raises(ModelServerDown, match=r"is in trouble \(503: overloaded\)"):
        client(sleep=lambda _: None).ask("Hi", stage="plan")
    assert len(server.calls) == 3


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (401, ModelError, "refused the key"),
        (403, ModelError, "refused the key"),
        (404, ModelMissing, "has no model 'gpt-x'"),
        (400, ModelError, "did not take the request"),
        (302, ModelServerDown, "redirects to another address"),
    ],
)
def test_refusals_never_show_the_key(client, server, caplog, status, kind, words):
    caplog.set_level(logging.DEBUG)
    error = {"error": {"message": f"Incorrect API key provided: {KEY} (sk-ver*****123)."}}
    server.answers[PATH] = lambda call: call.json(error, status)
    chat = client()
    with pytest.raises(kind, match=words) as caught:
        chat.ask("Hi", stage="plan")
    shown = "".join(traceback.format_exception(caught.value)) + caplog.text + repr(chat) + repr(chat._settings)
    assert KEY not in shown
    assert "sk-ver" not in shown


def test_the_key_is_not_in_the_reply_or_the_fact(client, caplog):
    caplog.set_level(logging.DEBUG)
    chat = client()
    reply = chat.ask("Hi", stage="plan")
    assert KEY not in repr(reply) + repr(model_called(reply, stage="plan")) + caplog.text + repr(vars(chat))


def test_a_reply_is_not_sent_on_to_another_host(client, server):
    server.answers[PATH] = lambda call: call.raw(b"", status=307, headers=[("Location", f"{server.url}/elsewhere")])
    with pytest.raises(ModelError, match="where prompts are not sent"):
        client().ask("Hi", stage="plan")
    assert [call.path for call in server.calls] == [PATH]


def test_server_down(client):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(ModelServerDown, match=r"Expected a model server at .*, but none answers"):
        client(openai_base_url=base).ask("Hi", stage="plan")


def test_silence_ends_at_the_timeout(client, server):
    server.answers[PATH] = lambda call: call.hang()
    with pytest.raises(ModelServerDown, match="nothing came for too long"):
        client().ask("Hi", stage="plan")


def test_server_that_dies_in_mid_stream(client, server):
    def die(call):
        call.begin("text/event-stream")
        call.chunk(f"data: {json.dumps(piece('So far'))}\n\n".encode())
        call.die()

    server.answers[PATH] = die
    with pytest.raises(ModelServerDown, match="went away while it answered") as caught:
        client().ask("Hi", stage="plan")
    assert caught.value.raw == "So far"


@pytest.mark.parametrize(
    ("behind", "error", "words"),
    [
        ([], ModelServerDown, "the stream ended before the reply did"),
        ([{"error": {"message": f"broke with {KEY}"}}], ModelError, "reported an error: broke with …"),
    ],
)
def test_a_stream_that_breaks_off_keeps_what_was_said(client, server, behind, error, words):
    server.answers[PATH] = lambda call: send(call, [piece("So far"), *behind], done=False)
    with pytest.raises(error, match=words) as caught:
        client().ask("Hi", stage="plan")
    assert caught.value.raw == "So far"


@pytest.mark.parametrize("data", [b"<html>", b"[]", b"3", b'{"choices": 3}', b'{"choices": ["x"]}', b"\xff"])
@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_garbage_in_place_of_a_reply(client, server, data, kind):
    body = b"data: " + data + b"\n\n" if kind == "text/event-stream" else data
    server.answers[PATH] = lambda call: call.raw(body, kind)
    with pytest.raises(ModelError):
        client().ask("Hi", stage="plan")


def test_a_reply_that_was_cut_off_says_so(client, server):
    server.answers[PATH] = lambda call: send(call, [piece('{"a', "length"), USAGE])
    notes = client().ask("Hi", stage="plan").notes
    assert notes == ("The reply was cut off at the most tokens that a reply may have (ADAQ_MAX_REPLY_TOKENS).",)


def test_cancelling_and_the_time_limit_stop_between_pieces(client, server):
    server.answers[PATH] = lambda call: send(call, [piece("la "), piece("la "), piece("la ", "stop")])
    with pytest.raises(ModelError, match="stopped in mid-reply"):
        client(cancelled=lambda: True).ask("Hi", stage="plan")
    ticks = iter(range(0, 100, 4))
    with pytest.raises(ModelError, match="finish within 5 seconds") as caught:
        client(clock=lambda: float(next(ticks))).ask("Hi", stage="plan")
    assert caught.value.raw == "la la "


@pytest.mark.parametrize("base", ["", "api.openai.com", "ftp://x/v1", "https://user:pass@x/v1", "https://x/v1?key=1"])
def test_addresses_that_cannot_be_used(client, base):
    with pytest.raises(InputError, match="expected an address like"):
        client(openai_base_url=base)


def test_models_are_listed_by_name(client, server):
    server.answers["/v1/models"] = lambda call: call.json({"data": [{"id": "b"}, {"id": "a"}]})
    assert client().models() == ("a", "b")


def test_models_with_a_wrong_key(client, server):
    server.answers["/v1/models"] = lambda call: call.json({"error": "no"}, 401)
    with pytest.raises(ModelError, match="refused the key"):
        client().models()


def test_unknown_price_of_a_server_elsewhere_is_said(client):
    chat = client(openai_base_url="https://models.example/v1")
    _, notes = chat._price(None, "", 1, 1)
    assert notes == ("The price of gpt-x is not known, so it counts as 0: set ADAQ_PRICES.",)
