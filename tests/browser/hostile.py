"""Texts that would run a script, load something or fake a page were they shown as markup; and a home full of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.events import Event, ModelCalled, RunStarted, dumps, loads
from adaq_core.store import Store, open_store
from adaq_core.store.history import Remark, Remarks
from tests.browser.serving import ROOT
from tests.pages import built_runs

HIT = "window.top.__hit(1)"
PAYLOADS = (
    f"<script>{HIT}</script>",
    f"<img src=x onerror={HIT}>",
    f"<svg onload={HIT}>",
    f"<svg><script>{HIT}</script></svg>",
    f"<iframe srcdoc='<script>{HIT}</script>'></iframe>",
    f"<iframe src=javascript:{HIT}></iframe>",
    f"<a href=javascript:{HIT} id=hit>click</a>",
    f"<body onload={HIT}>",
    f"<details open ontoggle={HIT}>",
    f"<input autofocus onfocus={HIT}>",
    f"<video><source onerror={HIT}></video>",
    f"<form action=javascript:{HIT}><button>send</button></form>",
    "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
    "<base href=http://evil.example/>",
    "<link rel=stylesheet href=http://evil.example/a.css>",
    "<style>@import 'http://evil.example/b.css'; * { display: none }</style>",
    f"</script><script>{HIT}</script>",
    f"</style><script>{HIT}</script>",
    f"</title></textarea><script>{HIT}</script>",
    f"--><script>{HIT}</script>",
    f'" onmouseover={HIT} style=position:fixed;inset:0 x="',
    f"' autofocus onfocus={HIT} x='",
    f"[click](javascript:{HIT})",
    "![a picture](http://evil.example/c.png)",
    f"[![b](x)](javascript:{HIT})",
    f"<javascript:{HIT}>",
    f"$\\href{{javascript:{HIT}}}{{x}}$",
    f"`</code><script>{HIT}</script>",
    f"```html\n<script>{HIT}</script>\n```",
    f"&lt;img src=x onerror={HIT}&gt;&#60;script&#62;{HIT}&#60;/script&#62;",
    f"\u202e<scr\u200bipt>{HIT}</script>",
    f"${{{HIT}}} {{{{{HIT}}}}} <%= {HIT} %>",
    f"<math><mtext><table><mglyph><style><img src=x onerror={HIT}>",
    f"<noscript><p title='</noscript><img src=x onerror={HIT}>'>",
    f"<xmp><p title='</xmp><img src=x onerror={HIT}>'>",
    f":material/{HIT}: :red-background[<img src=x onerror={HIT}>]",
)
# Those that need a click, a renderer of Markdown or of formulas, or two decodings: shown as they stand they do nothing.
QUIET = ("[", "<java", "![", "$", "&lt;", "\u202e", '" on', "' auto")
CORPUS = "hostile"
RUNS = 6

SEED = "from tests.browser.hostile import fill; fill()"

# What is wrong with a page, its shadow roots and its frames: what ran, or stands there as an element that would.
FAULTS = """() => {
  const faults = window.__hits ? [`ran ${window.__hits} times`] : []
  const look = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) look(element.shadowRoot)
      const name = element.localName
      for (const { name: key, value } of element.attributes) {
        const runs = /^on[a-z]+$/i.test(key) || /^\\s*javascript:/i.test(value)
        const leads = /^(src|href|action|data|poster)$/i.test(key) && URL.canParse(value, location.href)
        const away = leads && new URL(value, location.href).host === "evil.example"
        const loads = away || (/^(srcset|srcdoc|content|style)$/i.test(key) && /evil\\.example|__hit/.test(value))
        if (runs || loads) faults.push(`<${name} ${key}=${value}>`)
      }
      if (["script", "style"].includes(name) && /__hit\\(|evil\\.example/.test(element.textContent)) {
        faults.push(`<${name}> ${element.textContent.slice(0, 80)}`)
      }
      if (["base", "object", "embed", "mglyph"].includes(name)) faults.push(`<${name}>`)
    }
  }
  look(document)
  return faults
}"""


def hostile_events(turn: int) -> list[Event]:
    """A whole run in which each text that a person may see is one of the payloads, followed by what it said."""
    stream = list(built_runs.events(built_runs.finished()))
    call = ModelCalled("plan", "a model", "hash", "A prompt of the stage.", "A reply of the model.", notes=("A note.",))
    known: dict[str, str] = {}
    return [_hostile(event, known, turn) for event in (stream[0], call, *stream[1:])]


def _hostile(event: Event, known: dict[str, str], turn: int) -> Event:
    return loads(json.dumps(_within(json.loads(dumps(event)), known, turn)))


def _within(value: Any, known: dict[str, str], turn: int) -> Any:
    """The value with a payload before each text of several words, or with a capital; equal texts stay equal."""
    if isinstance(value, dict):
        return {key: _within(part, known, turn) for key, part in value.items()}
    if isinstance(value, list):
        return [_within(part, known, turn) for part in value]
    if isinstance(value, str) and (" " in value or value[:1].isupper()):
        number = len(known) + turn * len(PAYLOADS) // RUNS
        return known.setdefault(value, f"{PAYLOADS[number % len(PAYLOADS)]} {value}")
    return value


def fill() -> None:
    """Fill the home: a corpus, runs, notes and views, all of it hostile; each payload is also a question of its own."""
    _fill_corpus()
    store = open_store()
    for number, payload in enumerate(PAYLOADS):
        _keep(store, f"r-q{number:03d}", payload, list(built_runs.events(built_runs.finished())))
    for turn in range(RUNS):
        _keep(store, f"r-h{turn:03d}", PAYLOADS[turn], hostile_events(turn))
        _annotate(store, f"r-h{turn:03d}", turn)
    store.save_view(PAYLOADS[1], "status=finished")
    store.close()


def _fill_corpus() -> None:
    files = [
        (
            f"{payload.replace('/', '∕')[:80]}-{number}.md",
            f"# {payload}\n\nThe marker {number} stands beside {payload}.\n",
        )
        for number, payload in enumerate(PAYLOADS)
    ]
    uploads = [(name, text.encode()) for name, text in files]
    uploads += [(f"table-{number}.csv", _table(number, payload)) for number, payload in enumerate(PAYLOADS)]
    CorpusLibrary().add(CORPUS, uploads=uploads)


def _table(number: int, payload: str) -> bytes:
    cell = payload.replace('"', '""')
    return f'title,text\n"{cell}","A marker of table {number}"\n'.encode()


def _keep(store: Store, run_id: str, question: str, stream: list[Event]) -> None:
    begun: Any = stream[0]
    store.begin(RunStarted(question, "adaptive", begun.corpus, begun.settings, begun.budget), run_id)  # fmt: skip
    for event in stream:
        store.append(run_id, event, wait=False)
    store.flush(run_id)


def _annotate(store: Store, run_id: str, turn: int) -> None:
    note, tag = PAYLOADS[turn * 5 % len(PAYLOADS)], PAYLOADS[(turn * 5 + 1) % len(PAYLOADS)]
    store.annotate(run_id, note=note, tags=[tag])
    remarks = Remarks(store)
    for part, target in (("hop", "1"), ("sentence", "1")):
        remarks.keep(run_id, Remark(part, target, PAYLOADS[(turn * 5 + 2) % len(PAYLOADS)]))  # type: ignore[arg-type]


def filled(home: Path) -> Path:
    """The home folder, filled by a process of its own."""
    environment = {**os.environ, "ADAQ_HOME": str(home), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", SEED], cwd=ROOT, env=environment, check=True, timeout=600)
    return home
