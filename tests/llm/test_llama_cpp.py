"""The client against a real llama.cpp server, with a model made here: random weights, a tokenizer trained here.

On demand: `pip install 'llama-cpp-python[server]' gguf`, then `pytest -m llama_cpp`. What it showed and when stands in
docs/decisions/models.md.
"""

import itertools
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from adaq_core.errors import ModelError
from adaq_core.home import BUNDLED
from adaq_core.llm.openai_compatible import OpenAICompatible
from adaq_core.llm.settings import read_settings

pytestmark = pytest.mark.llama_cpp

CONTEXT = 512
END = "<|endoftext|>"
WIDTH, HEADS, BLOCKS, INNER = 64, 4, 2, 128
SCHEMA = {
    "type": "object",
    "properties": {"stop": {"type": "boolean"}, "hops": {"type": "integer"}},
    "required": ["stop", "hops"],
    "additionalProperties": False,
}


def trained_tokenizer(folder):
    """A byte-level BPE tokenizer of 600 tokens, trained on the bundled corpus: its tokens by number, and its merges."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    letters = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=600, special_tokens=[END], initial_alphabet=letters, show_progress=False)
    tokenizer.train([str(path) for path in sorted((BUNDLED / "corpus").rglob("*.md"))], trainer)
    tokenizer.save(str(folder / "tokenizer.json"))
    model = json.loads((folder / "tokenizer.json").read_text())["model"]
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in model["merges"]]
    return sorted(model["vocab"], key=model["vocab"].get), merges


def write_model(path):
    """A model of the llama family with random weights, in the form that llama.cpp reads."""
    import gguf

    tokens, merges = trained_tokenizer(path.parent)
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(BLOCKS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    kinds = [gguf.TokenType.CONTROL if token == END else gguf.TokenType.NORMAL for token in tokens]
    writer.add_token_types(kinds)
    writer.add_token_merges(merges)
    writer.add_bos_token_id(tokens.index(END))
    writer.add_eos_token_id(tokens.index(END))
    writer.add_chat_template("{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:")
    for name, shape in shapes(len(tokens)).items():
        writer.add_tensor(name, weights(name, shape))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def shapes(vocabulary):
    square = (WIDTH, WIDTH)
    block = {
        "attn_norm": (WIDTH,),
        "ffn_norm": (WIDTH,),
        "attn_q": square,
        "attn_k": square,
        "attn_v": square,
        "attn_output": square,
        "ffn_gate": (INNER, WIDTH),
        "ffn_up": (INNER, WIDTH),
        "ffn_down": (WIDTH, INNER),
    }
    blocks = {f"blk.{n}.{name}.weight": shape for n in range(BLOCKS) for name, shape in block.items()}
    ends = {"token_embd.weight": (vocabulary, WIDTH), "output.weight": (vocabulary, WIDTH)}
    return {**ends, "output_norm.weight": (WIDTH,), **blocks}


def weights(name, shape):
    if "norm" in name:
        return np.ones(shape, dtype=np.float32)
    rng = np.random.default_rng(sum(name.encode()))
    return (rng.standard_normal(shape) * 0.5).astype(np.float32)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A llama.cpp server with the model."""
    pytest.importorskip("llama_cpp.server.app")
    path = tmp_path_factory.mktemp("llama") / "tiny.gguf"
    write_model(path)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(path), "--model_alias", "tiny"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--n_ctx", str(CONTEXT), "--n_threads", "1"]
    log = path.with_suffix(".log")
    with log.open("w") as out:
        server = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=dict(os.environ))
    try:
        wait_for(f"http://127.0.0.1:{port}/v1/models", server, log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(20)


def wait_for(url, server, log, seconds=120):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if server.poll() is not None:
            pytest.fail(f"the server ended: {Path(log).read_text()[-2000:]}")
        with suppress(OSError):
            urllib.request.urlopen(url, timeout=5).close()
            return
        time.sleep(0.5)
    pytest.fail(f"no server after {seconds} s: {Path(log).read_text()[-2000:]}")


@pytest.fixture
def client(address):
    def make(*, cancelled=None, **given):
        settings = read_settings(
            env_file=None, provider="openai", openai_base_url=address, model="tiny", **{"num_ctx": CONTEXT, **given}
        )
        return OpenAICompatible(settings=settings, cancelled=cancelled)

    return make


def test_a_reply_ends_at_the_most_tokens(client):
    reply = client(max_reply_tokens=24).ask("Say it.", stage="plan")
    assert reply.text
    assert any("cut off at the most tokens" in note for note in reply.notes)
    assert (reply.prompt_tokens, reply.reply_tokens) == (None, None)


def test_the_same_request_gives_the_same_reply(client):
    asked = [client(max_reply_tokens=16).ask("Say it again.", stage="plan").text for _ in range(2)]
    assert asked[0] == asked[1]


def test_a_schema_binds_even_a_model_that_knows_nothing(client):
    reply = client(max_reply_tokens=200).ask("Stop?", schema=SCHEMA, stage="critique")
    jsonschema.validate(json.loads(reply.text), SCHEMA)
    assert reply.notes == ("The server does not take json_schema; it was asked for a JSON object with the schema.",)


def test_a_prompt_beyond_the_context_is_refused_in_words(client):
    long = "The board decides on every loan and every guarantee. " * 200
    with pytest.raises(ModelError, match=r"the context has 512\. Raise ADAQ_NUM_CTX"):
        client(max_reply_tokens=16).ask(long, stage="synthesise")
    with pytest.raises(ModelError, match=r"before the first word\..* smaller context than ADAQ_NUM_CTX"):
        client(max_reply_tokens=16, num_ctx=8192).ask(long, stage="synthesise")


def test_a_reply_that_is_cancelled_ends_early_and_the_server_serves_on(client):
    looks = itertools.count()
    chat = client(max_reply_tokens=200, cancelled=lambda: next(looks) >= 20)
    with pytest.raises(ModelError, match="stopped in mid-reply"):
        chat.ask("Go on and on.", stage="synthesise")
    assert next(looks) < 100
    assert client(max_reply_tokens=16).ask("Still there?", stage="plan").text


def test_the_server_lists_the_model(client):
    assert client().models() == ("tiny",)
