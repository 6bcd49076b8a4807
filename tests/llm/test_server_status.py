import socket

import pytest
from pydantic import SecretStr

from pages._shared.settings.pull import ServerModels, look
from tests.llm.loopback import OllamaLoopback


def of(server, quick, **change):
    return quick.model_copy(update={"ollama_host": server.url} | change)


def compatible(server, quick, **change):
    given = {"provider": "openai", "openai_base_url": f"{server.url}/v1", "openai_api_key": SecretStr("sk-wrong-key")}
    return quick.model_copy(update=given | change)


def test_the_models_to_talk_to_by_name_and_with_their_sizes(quick):
    server = OllamaLoopback("qwen3:8b", "llama3.2:latest", "nomic-embed-text:latest")
    seen = look(of(server, quick))
    server.close()
    assert [(m.name, m.size, m.parameters) for m in seen.models] == [
        ("llama3.2:latest", 2_019_393_189, "3.2B"),
        ("qwen3:8b", 2_019_393_189, "3.2B"),
    ]
    assert (seen.provider, seen.problem, seen.help) == ("ollama", "", "")
    assert seen.model("llama3.2") == seen.models[0]
    assert seen.model("mistral") is None


def test_no_server_says_how_to_start_one(quick):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{free.getsockname()[1]}"
    seen = look(quick.model_copy(update={"ollama_host": host}))
    assert (seen.problem, seen.models) == ("down", ())
    assert "Start it with `ollama serve`" in seen.help


def test_a_silent_server_is_not_waited_for(server, quick):
    server.answers["/api/tags"] = lambda call: call.hang()
    seen = look(of(server, quick, silence_seconds=60), longest_wait=0.2)
    assert seen.problem == "down"


@pytest.mark.parametrize("names", [(), ("nomic-embed-text:latest",)])
def test_a_server_without_a_model_to_talk_to(server, quick, names):
    server.models = names
    assert look(of(server, quick)) == ServerModels(
        "ollama",
        server.url,
        (),
        "empty",
        f"The Ollama server at {server.url} has no model to talk to yet.",
    )


def test_something_else_at_the_address(server, quick):
    server.answers["/api/tags"] = lambda call: call.raw(b"<html>hello</html>")
    seen = look(of(server, quick))
    assert seen.problem == "other"
    assert "Is another program at that address?" in seen.help


def test_an_address_that_is_none(quick):
    assert look(quick.model_copy(update={"ollama_host": "http://["})).problem in ("down", "other")


def test_models_of_a_compatible_server(plain_server, quick):
    plain_server.answers["/v1/models"] = lambda call: call.json({"data": [{"id": "b"}, {"id": "a"}, {"id": "embed-x"}]})
    seen = look(compatible(plain_server, quick))
    assert ([m.name for m in seen.models], seen.problem, seen.provider) == (["a", "b"], "", "openai")


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_is_said_and_not_shown(plain_server, quick, status):
    error = {"error": {"message": "Incorrect API key provided: sk-wrong-key"}}
    plain_server.answers["/v1/models"] = lambda call: call.json(error, status)
    seen = look(compatible(plain_server, quick))
    assert seen.problem == "refused"
    assert "refused the key" in seen.help
    assert "sk-wrong-key" not in repr(seen)


def test_a_compatible_server_that_does_not_list_its_models(plain_server, quick):
    seen = look(compatible(plain_server, quick))
    assert (seen.problem, seen.help.endswith("Type the name of one.")) == ("unlisted", True)


def test_an_address_with_a_password_is_refused_in_words(quick):
    seen = look(quick.model_copy(update={"provider": "openai", "openai_base_url": "http://me:secret@127.0.0.1/v1"}))
    assert seen.problem == "other"
    assert "secret" not in seen.help
