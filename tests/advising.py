"""A model as a function of its prompts: it does each stage as well as a plain reading of the prompt allows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

PASSAGE = re.compile(r'<passage n="(\d+)" title="([^"]*)"[^>]*>\n(.*?)\n</passage>', re.DOTALL)


def plan(prompt: str) -> str:
    question = re.search(r"Question: (.*)", prompt)
    assert question is not None
    if "How important" in prompt:
        names = re.findall(r"^\d+\. (.*)$", prompt, re.MULTILINE)
        return json.dumps({"scores": [{"aspect": name, "score": 1.0 - i / 10} for i, name in enumerate(names)]})
    things = [t.strip(" ?.") for t in re.sub(r"(?i)^compare ", "", question[1]).split(" and ")]
    aspects = [
        {"aspect": f"Definition of {t}", "type": "definition", "importance": 1.0, "subject": t, "keywords": [t]}
        for t in things
    ]
    if len(things) == 2:
        both = " and ".join(things)
        kind = {"type": "comparison", "importance": 0.9, "subject": both, "keywords": ["difference"]}
        aspects.append({"aspect": f"How {both} differ", **kind})
    return json.dumps({"aspects": aspects})


def refine(prompt: str) -> str:
    first = re.search(r'has to be for "(.*?)"\. Use', prompt, re.DOTALL)
    assert first is not None
    tried = prompt.count("\n- ")
    return f"SUBQUERY: {first[1]} told in wording number {tried} | ASPECT: {first[1]}"


def read(prompt: str) -> str:
    names = re.findall(r"^\d+\. (.*)$", prompt.split("Passages:")[0], re.MULTILINE)
    claims = [
        {"aspect": name, "passage": int(n), "quote": text.split(". ")[0], "claim": "It says so.", "score": 0.9}
        for n, _, text in PASSAGE.findall(prompt)
        for name in names
        if name.split()[-1].lower() in text.split(". ")[0].lower()
    ]
    return json.dumps({"claims": claims})


def critique(prompt: str) -> str:
    scores = [{"aspect": title, "score": 0.9} for _, title, _ in PASSAGE.findall(prompt)]
    return json.dumps({"scores": scores, "stop": True, "reason": "it is enough"})


def synthesise(prompt: str) -> str:
    return "\n".join(f"{text.split('. ')[0].rstrip('.')} [{n}]." for n, _, text in PASSAGE.findall(prompt))


def entail(prompt: str) -> str:
    """Doubts sentences that speak of coffee."""
    rows = re.findall(r"^(\d+)\. (.*)$", prompt.split("Sentences, each")[1].split("Does what")[0], re.MULTILINE)
    return json.dumps({"verdicts": [{"sentence": int(n), "entailed": "Coffee" not in text} for n, text in rows]})


STAGES: dict[str, Callable[[str], str]] = {
    "plan": plan,
    "refine": refine,
    "read": read,
    "critique": critique,
    "synthesise": synthesise,
}


def said_by(prompt: str) -> str:
    """The reply to a prompt of any stage, for servers that do not know which one asks."""
    marks = {
        "Split the question": plan,
        "How important": plan,
        "SUBQUERY: <the query>": refine,
        '{"claims"': read,
        "Score each aspect": critique,
        "Write the answer": synthesise,
        "entail each sentence": entail,
    }
    return next(stage(prompt) for mark, stage in marks.items() if mark in prompt)
