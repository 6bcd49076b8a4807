"""The words of a query: the templates of each type of aspect, the plainest first, and short forms for web searches."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from adaq_core.errors import InputError
from adaq_core.home import BUNDLED
from adaq_core.model import AspectType, QueryAspect, WordingGain, as_tuple
from adaq_core.question.answer_kinds import ASKING
from adaq_core.question.aspect_patterns import HISTORY, content
from adaq_core.text.entities import names
from adaq_core.text.tokens import fold, items_of, upper_first

ENOUGH = 20  # uses of templates on a corpus before their gains count
HOPED_GAIN, HOPED_USES = 0.1, 5
OWN_USES = 10  # that the prior_mean gain weighs as much as
PLAINER = 0.02  # gain that is expected less of a template for each plainer one before it

Kind = tuple[AspectType, bool]


class TemplateGains:
    """Estimates from the gains of earlier runs."""

    def __init__(self, gains: Iterable[WordingGain]) -> None:
        self._by_kind: dict[Kind, dict[str, WordingGain]] = {}
        for gain in gains:
            self._by_kind.setdefault((gain.aspect_type, gain.again), {})[gain.template] = gain

    def chosen(
        self, templates: Sequence[Wording], aspect_type: AspectType, *, again: bool, least: float
    ) -> Sequence[Wording]:
        """The wordings that are worth a hop, those first that gain most; each says what it gained.

        `least` is the gain of the aspect from which another try is worth it.
        """
        known = self._by_kind.get((aspect_type, again), {})
        if sum(gain.uses for gain in known.values()) < ENOUGH:
            return templates
        prior_mean = expected(known.values())
        means = [
            shrunk_mean(known.get(wording.name), prior_mean - PLAINER * place)
            for place, wording in enumerate(templates)
        ]
        order = sorted(range(len(templates)), key=lambda place: (-means[place], place))
        kept = [place for place in order if not again or means[place] >= least]
        return [_with_gain(templates[place], known.get(templates[place].name)) for place in kept]


def expected(known: Iterable[WordingGain]) -> float:
    """What a try gains on average: the mean of all uses and of a few hopeful ones, which many failures outweigh."""
    gains = tuple(known)
    uses = sum(gain.uses for gain in gains)
    total = sum(gain.uses * gain.gain for gain in gains)
    return (total + HOPED_USES * HOPED_GAIN) / (uses + HOPED_USES)


def shrunk_mean(own: WordingGain | None, prior_mean: float) -> float:
    """The mean gain of a wording, drawn to `prior_mean` as if that had been seen `OWN_USES` times."""
    uses, gain = (own.uses, own.gain) if own else (0, 0.0)
    return (uses * gain + OWN_USES * prior_mean) / (uses + OWN_USES)


def _with_gain(wording: Wording, own: WordingGain | None) -> Wording:
    if own is None:
        return wording
    times = "once" if own.uses == 1 else f"in {own.uses} uses"
    return replace(
        wording,
        angle=f"{wording.angle} (gained {own.gain:.2f} on average {times} before)",
        template=wording.name,
    )


@dataclass(frozen=True, slots=True)
class Wording:
    """A query for an aspect and its angle; `template` names it where the angle holds words of the aspect."""

    text: str
    angle: str
    template: str = ""

    @property
    def name(self) -> str:
        """What it is called, whatever the aspect speaks of."""
        return self.template or self.angle


def plural(thing: str) -> bool:
    """Whether a noun phrase is likely plural."""
    head = re.split(r"\s(?:of|for|in)\s", thing)[0].split()
    last = head[-1].lower() if head else ""
    return len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is", "ics"))


def template(aspect: QueryAspect, question: str) -> str:
    """The first wording for `aspect`: the template of its type."""
    return wordings(aspect, question)[0].text


def wordings(aspect: QueryAspect, question: str) -> list[Wording]:
    """Every wording for `aspect`, the plainest first; constraints are kept in each."""
    build = _BUILDERS.get(aspect.aspect_type, _fact_wordings)
    made = build(aspect, aspect.subject or _topic(aspect), question)
    every = as_tuple((*content(aspect.aspect), *aspect.keywords))
    made.append(Wording(" ".join(every), "all its words"))
    other = " ".join(alias for alias in aspect.aliases if aspect.aspect_type != "comparison")
    limits = " ".join(
        c.text for c in aspect.constraints if c.kind in ("date", "period", "source", "place", "form", "scope")
    )
    plain = (replace(wording, text=" ".join(wording.text.split())) for wording in made)
    return [replace(wording, text=_with(_with(wording.text, other), limits)) for wording in plain if wording.text]


def _with(text: str, limits: str) -> str:
    if not limits:
        return text
    missing = " ".join(w for w in limits.split() if fold(w) not in fold(text))
    if not content(missing):
        return text
    if text.endswith("?"):
        return f"{text[:-1]} {missing}?"
    return f"{text} {missing}"


def _topic(aspect: QueryAspect) -> str:
    """What an aspect made by hand is about: its name without the words that only say its type."""
    plain = re.sub(
        r"^(?:definition|explanation|process|mechanism|comparison|applications?|uses|advantages|disadvantages|evaluation|importance|"
        r"reasons?|causes?)(?:/\w+)?\s*(?:of|between|for|:)\s*",
        "",
        aspect.aspect,
        flags=re.IGNORECASE,
    )
    return plain or " ".join(aspect.keywords)


def _definition(aspect: QueryAspect, thing: str, _: str) -> list[Wording]:
    be = "are" if plural(thing) else "is"
    first = f"What {be} {thing}?"
    if aspect.aspect.startswith("Kinds of "):
        first = f"What kinds of {thing} are there?"
    elif aspect.aspect.startswith("Purpose of "):
        first = f"What does {thing} do?"
    return [
        Wording(first, "definition"),
        Wording(f"{thing} meaning and explanation", "explanation"),
        Wording(f"overview of {thing}", "overview"),
    ]


def _comparison(aspect: QueryAspect, thing: str, _: str) -> list[Wording]:
    parts = [part for each in re.split(r",|\sand\s", thing) if (part := each.strip())]
    named = {t for item in items_of(aspect) for t in item}
    scope = " ".join(w for w in aspect.keywords if fold(w) not in fold(thing) and w not in named)
    tail = f" for {scope}" if scope else ""
    if len(parts) < 2:
        return [
            Wording(f"What are the differences in {thing}{tail}?", "difference"),
            Wording(f"{thing} compared{tail}", "side by side"),
        ]
    return [
        Wording(f"What are the differences between {' and '.join(parts)}{tail}?", "difference"),
        Wording(f"How does {parts[0]} differ from {' and '.join(parts[1:])}{tail}?", "contrast"),
        Wording(f"{' compared with '.join(parts)}{tail}", "side by side"),
    ]


def _process(aspect: QueryAspect, thing: str, _: str) -> list[Wording]:
    do = "do" if plural(thing) else "does"
    plain = Wording(f"How {do} {thing} work?", "how it works")
    if aspect.aspect.endswith(" role"):
        whole = " ".join(w for w in aspect.keywords if w not in content(thing))
        return [
            Wording(f"What role {do} {thing} play in {whole}?", "role"),
            Wording(f"How {do} {thing} work?", "how it works"),
            Wording(f"{thing} {whole} computation", "computation"),
        ]
    if aspect.aspect.startswith("How "):
        plain = Wording(f"{aspect.aspect}?", "how it happens")
    return [
        plain,
        Wording(f"{thing} mechanism and steps", "mechanism"),
        Wording(f"what {thing} computes", "computation"),
    ]


def _causal(aspect: QueryAspect, thing: str, _: str) -> list[Wording]:
    be = "are" if plural(thing) else "is"
    first = f"Why {be} {thing} important?"
    if aspect.aspect.startswith(("Why ", "How ")):
        first = f"{aspect.aspect.replace(':', '')}?"
    elif aspect.aspect.startswith(("Causes of", "Reasons for", "Consequences of", "Influence of", "Effects of")):
        first = f"What are the {aspect.aspect[:1].lower()}{aspect.aspect[1:]}?"
    elif aspect.aspect.startswith("Effect of "):
        first = f"What is the {aspect.aspect[:1].lower()}{aspect.aspect[1:]}?"
    elif aspect.aspect == HISTORY:
        first = f"Who introduced {thing} and when?"
    return [
        Wording(first, "reason"),
        Wording(f"{thing} reasons and consequences", "consequences"),
        Wording(f"{thing} effect impact cause", "effect"),
    ]


def _evaluation(aspect: QueryAspect, thing: str, _: str) -> list[Wording]:
    asked = [w for w in aspect.keywords if fold(w) not in fold(thing)]
    sides = " and ".join(asked) if asked else "advantages and disadvantages"
    return [
        Wording(f"What are the {sides} of {thing}?", sides, "sides"),
        Wording(f"{thing} limitations and cost", "limitations"),
        Wording(f"{thing} strengths and weaknesses", "strengths"),
    ]


def _application(_: QueryAspect, thing: str, __: str) -> list[Wording]:
    return [
        Wording(f"What are the applications of {thing}?", "applications"),
        Wording(f"{thing} is used for", "use"),
        Wording(f"examples of {thing} in practice", "examples"),
    ]


def _facet(aspect: QueryAspect, thing: str, _: str) -> list[Wording]:
    words = aspect.keywords
    risk = " risk" if "risk" in aspect.aspect.lower() else ""
    return [
        Wording(f"{thing} {' '.join(words[:2])}{risk}", words[0] if words else thing, "first words"),
        Wording(f"{thing} {' '.join(words[2:5])}", "other words"),
        Wording(f"{thing} {' '.join(words[5:])}", "further words"),
    ]


def _fact_wordings(aspect: QueryAspect, _: str, question: str) -> list[Wording]:
    asked = _asked_text(aspect, question)
    results = " ".join(n.text for n in names(asked) if n.kind in ("name", "acronym", "quoted"))
    words = [word for word in aspect.keywords if not word.isdigit() and word not in content(results)]
    half = (len(words) + 1) // 2
    return [
        Wording(asked, "as asked"),
        Wording(f"{results} {' '.join(words[:half])}".strip(), "names and the first words"),
        Wording(f"{results} {' '.join(words[half:])}".strip(), "names and the last words"),
    ]


def _asked_text(aspect: QueryAspect, question: str) -> str:
    """The aspect's own words of the question, in full even where its name was cut."""
    if aspect.aspect.endswith("…") and aspect.span:
        return question[aspect.span[0] : aspect.span[1]]
    return aspect.aspect.replace(":", "")


_BUILDERS: dict[str, Callable[[QueryAspect, str, str], list[Wording]]] = {
    "definition": _definition,
    "comparison": _comparison,
    "process": _process,
    "causal": _causal,
    "evaluation": _evaluation,
    "application": _application,
    "facet": _facet,
}


_QUOTED = re.compile(r"[\"“”]([^\"“”]{2,80})[\"“”]")
_WORD = re.compile(r"[^\W_](?:[\w&.'’-]*\w)?")


def search_wordings(query: str, *, most_words: int = 8) -> tuple[str, ...]:
    """What to search for, best first: all telling words, then (when there are fewer) the names and numbers alone.

    Engines that want every word find nothing for a long question; the second wording is for that. Nothing in it is an
    operator: quotes hold plain phrases, all other signs are gone. Empty when the query says nothing.
    """
    phrases, rest = _phrases(query)
    words = [word for word in _WORD.findall(rest) if word.lower() not in ASKING]
    telling = _distinct([*phrases, *words])[:most_words]
    names = [word for word in telling if word.startswith('"') or word != word.lower() or word.isdigit()]
    result = (" ".join(telling), " ".join(names))
    return tuple(dict.fromkeys(wording for wording in result if wording))


_MOST_CHARACTERS, _MOST_WORDS = 400, 50  # that a search engine takes


def short(query: str) -> str:
    """The query on one line, cut at a word to what an engine takes."""
    words = query.split()[:_MOST_WORDS]
    while words and len(" ".join(words)) > _MOST_CHARACTERS:
        words.pop()
    return " ".join(words) or " ".join(query.split())[:_MOST_CHARACTERS]


def _phrases(query: str) -> tuple[list[str], str]:
    """The quoted phrases of a query, their words in plain marks, and the query without them."""
    words = (" ".join(_WORD.findall(phrase)) for phrase in _QUOTED.findall(query))
    return [f'"{phrase}"' for phrase in words if phrase], _QUOTED.sub(" ", query)


def _distinct(words: list[str]) -> list[str]:
    first: dict[str, str] = {}
    for word in words:
        first.setdefault(word.lower(), word)
    return list(first.values())


PLAIN_ASPECT = "{facet}: {subject}"
PROFILES = BUNDLED / "facet_profiles.json"


@dataclass(frozen=True, slots=True)
class Facet:
    """One side of a subject, the words that speak of it, and how much it matters, in [0, 1].

    One that is `only_asked` is planned where the question names it, by its name or one that it is `also_called`, and is
    not one of those that every subject has.
    """

    facet: str
    keywords: tuple[str, ...]
    importance: float = 1.0
    only_asked: bool = False
    also_called: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FacetProfile:
    """A named list of facets; `aspect` words the aspect of one, from {facet} and {subject}."""

    name: str
    about: str
    facets: tuple[Facet, ...]
    aspect: str = PLAIN_ASPECT

    def name_aspect(self, facet: str, subject: str) -> str:
        """The name of the aspect for `facet` of `subject`."""
        worded = self.aspect.replace("{facet}", upper_first(facet))
        return worded.replace("{subject}", subject)


def profiles(*, home: Path | None = None) -> dict[str, FacetProfile]:
    """The bundled profiles and, over them, those of `home/facet_profiles.json`."""
    result = read_profiles(PROFILES)
    own = home / "facet_profiles.json" if home else None
    if own and own.exists():
        result |= read_profiles(own)
    return result


def read_profiles(path: Path) -> dict[str, FacetProfile]:
    """Read a file of profiles; InputError says what is wrong with it."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {name: _profile(name, given) for name, given in data.items()}
    except OSError as error:
        mend = "Install ADAQ again: the file comes with it" if path == PROFILES else "Mend or remove the file"
        raise InputError(f"the file {path} cannot be read ({error.strerror}). {mend}.") from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InputError(
            f"the file {path.name} must be JSON of the form "
            '{"name": {"about": "…", "facets": [{"facet": "…", "keywords": ["…"], "importance": 1.0}]}}; '
            f"reading it gave: {error}. Mend or remove the file."
        ) from error


def _profile(name: str, given: dict[str, Any]) -> FacetProfile:
    facets = tuple(
        Facet(
            str(f["facet"]),
            tuple(str(k) for k in f["keywords"]),
            float(f.get("importance", 1.0)),
            bool(f.get("only_asked", False)),
            tuple(str(name) for name in f.get("also_called", ())),
        )
        for f in given["facets"]
    )
    if all(facet.only_asked for facet in facets):
        raise ValueError(f"profile {name!r} has no facets")
    for facet in facets:
        if not 0.0 <= facet.importance <= 1.0:
            raise ValueError(f"the importance of {facet.facet!r} must lie in [0, 1], not {facet.importance}")
    return FacetProfile(name, str(given.get("about", "")), facets, str(given.get("aspect", PLAIN_ASPECT)))
