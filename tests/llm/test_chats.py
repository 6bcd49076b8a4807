import pytest

from adaq_core.errors import InputError, ModelError, ModelMissing
from adaq_core.llm import Prompt
from adaq_core.llm.chats import Cached, TextChat, Tiered, as_chat, chat_for
from adaq_core.llm.ollama import OllamaClient
from adaq_core.llm.openai_compatible import OpenAICompatible
from adaq_core.store import Store
from adaq_core.store.history import KeptReplies
from tests.scripted import Asked, Scripted


def test_scripted_lines_come_in_order_and_then_end():
    chat = Scripted(["one", lambda prompt: prompt.upper(), ModelMissing("gone")])
    assert chat.ask("a", stage="plan").text == "one"
    assert chat.ask("b", system="s", stage="read").text == "B"
    with pytest.raises(ModelMissing, match="gone"):
        chat.ask("c", stage="read")
    with pytest.raises(ModelError, match="the script has no more"):
        chat.ask("d", stage="plan")
    assert chat.asked[:2] == [Asked("plan", "a"), Asked("read", "b", "s")]


def test_scripted_lines_by_stage():
    chat = Scripted({"plan": "always", "read": ["first", "second"]})
    assert [chat.ask("", stage=s).text for s in ("plan", "read", "plan", "read")] == [
        "always",
        "first",
        "always",
        "second",
    ]
    for stage in ("read", "critique"):
        with pytest.raises(ModelError, match=stage):
            chat.ask("", stage=stage)


def test_scripted_chat_trims_as_a_server_would_need_it():
    reply = Scripted(["x"], num_ctx=512).ask(Prompt("h", ("a " * 300, "b " * 300)), stage="read")
    assert reply.cut == (1,)


def test_each_stage_is_answered_by_its_model():
    planner, writer = (
        Scripted({"plan": "p", "text": "no"}, model="small"),
        Scripted({"synthesise": "w", "text": "t"}, model="large"),
    )
    chat = Tiered(planner, writer)
    assert chat.model == "small + large"
    assert [chat.ask("x", stage=s).model for s in ("plan", "synthesise")] == ["small", "large"]
    assert chat.generate_text("x") == "t"
    assert Tiered(planner, planner).model == "small"


class Foreign:
    def __init__(self, say):
        self.say = say

    def generate_text(self, prompt, system_prompt):
        if isinstance(self.say, Exception):
            raise self.say
        return self.say


def test_a_client_of_another_program_is_a_chat():
    reply = as_chat(Foreign("hello")).ask("Hi", system="s", stage="plan")
    assert (reply.text, reply.model, reply.prompt_tokens) == ("hello", "Foreign", None)


@pytest.mark.parametrize(
    ("say", "words"), [(RuntimeError("boom"), "failed in generate_text: RuntimeError: boom"), (None, "a NoneType came")]
)
def test_its_faults_are_model_errors(say, words):
    with pytest.raises(ModelError, match=words):
        as_chat(Foreign(say)).ask("Hi", stage="plan")


def test_a_chat_stays_what_it_is_and_other_things_are_refused():
    chat = Scripted()
    assert as_chat(chat) is chat
    with pytest.raises(InputError, match="not a int"):
        as_chat(3)
    assert TextChat(Foreign("x")).model == "Foreign"


def test_settings_choose_server_and_models(quick, tmp_path):
    assert isinstance(chat_for(quick), OllamaClient)
    two = quick.model_copy(update={"model": "small", "synthesis_model": "large"})
    assert (type(chat_for(two)), chat_for(two).model) == (Tiered, "small + large")
    assert chat_for(two, model="only").model == "only"
    other = quick.model_copy(update={"provider": "openai", "openai_base_url": "http://127.0.0.1:1/v1"})
    assert isinstance(chat_for(other), OpenAICompatible)
    with_store = Store(tmp_path / "runs.duckdb")
    reply_cache = KeptReplies(with_store)
    assert isinstance(chat_for(quick, reply_cache=reply_cache), Cached)
    assert isinstance(chat_for(quick.model_copy(update={"reply_cache": False}), reply_cache=reply_cache), OllamaClient)
    with_store.close()
