"""The words by which a sentence shows that it is an answer of some type: a reason, a step, a drawback."""

from __future__ import annotations

from adaq_core.loop.shapes import HISTORY
from adaq_core.loop.terms import terms_of
from adaq_core.model import AspectType, QueryAspect
from adaq_core.text.tokens import tokens

CUES: dict[AspectType, frozenset[str]] = {
    "process": frozenset(
        tokens(
            "work step first then next finally process mechanism computes multiplies produces transforms passes "
            "updates learns trained combines weighted sum divides compares scores selects reads writes repeats input "
            "output layer matches decides"
        )
    ),
    "causal": frozenset(
        tokens(
            "because since therefore reason cause leads allows lets enables so important result consequence matters "
            "makes helps reasons importance"
        )
    ),
    "evaluation": frozenset(
        tokens(
            "advantage disadvantage strength weakness limitation benefit cost costs expensive cheap drawback however "
            "problem slow fast fails struggle suffers weak strong good poor better worse memory quadratic efficient "
            "robust lacks misses limits limited trade"
        )
    ),
    "application": frozenset(
        tokens("used use uses application example such apply applied translation search classification powers serves")
    ),
    "comparison": frozenset(
        tokens(
            "differ difference whereas while unlike than compared contrast both instead other same similar however "
            "more less faster slower one many several each replace"
        )
    ),
}
PLAIN = frozenset(
    tokens(
        "disadvantage drawback weakness limitation advantage benefit strength important importance because applications"
    )
)
_ORIGIN_CUES = frozenset(tokens("introduced proposed invented history origin published appeared paper"))
_DRAWBACKS = tokens(
    "disadvantage drawback weakness limitation however problem cost costs expensive slow fails struggle suffers weak "
    "poor worse quadratic lacks misses limits limited"
)
_MERITS = tokens("advantage benefit strength strong good better fast cheap efficient robust allows helps improves")
_OPPOSED = (
    (frozenset(tokens("disadvantage drawback weakness limitation con downside")), frozenset(_DRAWBACKS)),
    (frozenset(tokens("advantage benefit strength pro merit")), frozenset(_MERITS)),
)


def cues_of(aspect: QueryAspect) -> frozenset[str]:
    """The index terms by which a sentence shows that it says of the subject what the aspect asks."""
    if aspect.aspect == HISTORY:
        return _ORIGIN_CUES
    asked = frozenset(t for word in aspect.keywords for t in tokens(word))
    for side, cues in _OPPOSED:
        if aspect.aspect_type == "evaluation" and asked & side:
            return cues
    return CUES.get(aspect.aspect_type, frozenset()) | (asked - terms_of(aspect.subject))
