"""Facet profiles: named, editable lists of facets that can be attached to a question."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adaq_core.errors import InputError
from adaq_core.home import BUNDLED

PLAIN_ASPECT = "{facet}: {subject}"
PROFILES = BUNDLED / "facet_profiles.json"


@dataclass(frozen=True, slots=True)
class Facet:
    """One side of a subject, the words that speak of it, and how much it matters, in [0, 1]."""

    facet: str
    keywords: tuple[str, ...]
    importance: float = 1.0


@dataclass(frozen=True, slots=True)
class FacetProfile:
    """A named list of facets; `aspect` words the aspect of one, from {facet} and {subject}."""

    name: str
    about: str
    facets: tuple[Facet, ...]
    aspect: str = PLAIN_ASPECT

    def name_aspect(self, facet: str, subject: str) -> str:
        """The name of the aspect for `facet` of `subject`."""
        worded = self.aspect.replace("{facet}", facet[:1].upper() + facet[1:])
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
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InputError(
            f"{path.name} must be JSON of the form "
            '{"name": {"about": "…", "facets": [{"facet": "…", "keywords": ["…"], "importance": 1.0}]}}; '
            f"reading it gave: {error}. Mend or remove the file."
        ) from error


def _profile(name: str, given: dict[str, Any]) -> FacetProfile:
    facets = tuple(
        Facet(str(f["facet"]), tuple(str(k) for k in f["keywords"]), float(f.get("importance", 1.0)))
        for f in given["facets"]
    )
    if not facets:
        raise ValueError(f"profile {name!r} has no facets")
    return FacetProfile(name, str(given.get("about", "")), facets, str(given.get("aspect", PLAIN_ASPECT)))
