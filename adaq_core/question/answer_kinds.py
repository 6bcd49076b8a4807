"""What a clause asks for: a person, a date, an amount, a list …; the words that ask, and what is typed in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Generic, TypeVar

from adaq_core.model import AnswerKind
from adaq_core.text.tokens import STOP_WORDS, terms_of, tokens
from adaq_core.text.values import MONTH_NAMES

Kind = TypeVar("Kind")


def linear(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Compile a pattern with its white space bounded: a search for unbounded blanks is quadratic in a run of them."""
    return re.compile(pattern.replace(r"\s+", r"\s{1,3}").replace(r"\s*", r"\s{0,3}"), flags)


@dataclass(frozen=True)
class LanguagePattern(Generic[Kind]):
    """A way in which people say a thing of some `kind`.

    `pattern` is searched in a clause or sentence (letter case aside unless `case_matters`) and has to be linear: no
    nested quantifiers, repeats with an upper bound. `example` matches and `counter_example` does not; `source` says
    where the pattern was met.
    """

    kind: Kind
    pattern: str
    example: str
    counter_example: str
    source: str = ""
    case_matters: bool = False

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return linear(self.pattern, re.NOFLAG if self.case_matters else re.IGNORECASE)

    def search(self, text: str) -> re.Match[str] | None:
        """Find the pattern in `text`."""
        return self.regex.search(text)


@lru_cache(maxsize=1 << 10)
def in_question(form: re.Pattern[str], question: str) -> re.Match[str] | None:
    """Find `form` in a question: each sentence of its evidence is held against it, and a brief takes a while to read."""
    return form.search(question)


def first_kind(patterns: Iterable[LanguagePattern[Kind]], text: str) -> Kind | None:
    """Return the kind of the first pattern that occurs in `text`."""
    return next((row.kind for row in patterns if row.regex.search(text)), None)


QUESTION_WORDS = ("what", "which", "who", "whom", "whose", "when", "where", "why", "how")
AUXILIARIES = (
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "will", "would", "shall",
    "should", "may", "might", "must", "am",
)  # fmt: skip
IMPERATIVES = (
    "list", "name", "tell", "describe", "explain", "discuss", "summarise", "summarize", "compare", "contrast", "give",
    "find", "show", "identify", "provide", "outline", "define", "analyse", "analyze", "examine", "evaluate", "assess",
    "calculate", "compute", "detail", "determine", "enumerate", "state", "mention", "specify", "elaborate", "clarify",
    "report", "review", "illustrate", "investigate", "highlight", "trace", "estimate",
)  # fmt: skip
POLITE_WORDS = ("please", "kindly", "hey", "hi", "hello", "thanks", "thank", "dear")
PREPOSITIONS = (
    "of", "in", "on", "at", "by", "for", "from", "to", "with", "under", "into", "about", "between", "among", "within",
    "through", "during", "against", "over", "than", "per", "via", "across", "after", "before", "since", "until",
    "towards", "toward", "without", "concerning", "regarding",
)  # fmt: skip
CONJUNCTIONS = ("and", "or", "but", "nor", "the", "a", "an", "as", "if", "that")

ASKING = STOP_WORDS | {*IMPERATIVES, *POLITE_WORDS, "versus", "vs", "v"}

QUESTION_WORD = rf"(?:{'|'.join(QUESTION_WORDS)})"
AUXILIARY = rf"(?:{'|'.join(AUXILIARIES)})"
IMPERATIVE = rf"(?:{'|'.join(IMPERATIVES)})"
AHEAD = r"(?:with|within|in|for|by|to|from|at|on|of|under|through|during|against|about|since|until)"
ASKS = rf"(?:{AHEAD}\s+)?{QUESTION_WORD}"
_ASKS = linear(rf"(?i)^(?:{ASKS}|{AUXILIARY}|{IMPERATIVE})(?:['’](?:s|re|d|ll|ve))?\b")
_DANGLING = linear(rf"(?i)(?:^|\s)(?:{'|'.join((*PREPOSITIONS, *CONJUNCTIONS))})$")


# "Which papers were taken over" wants nothing.
_TAKEN_OVER = linear(
    r"(?i)\b(?:taken|took|takes?|carried|carry|handed|hand|turned|turn|held|rolled|left|passed)\s+over$"
)
# Not "what is squeezing JPMorgan", "what was decided about the app": what does something to somebody, or is done about
# something, is no thing to be defined.
NOT_DOING = (
    r"(?-i:(?![a-z]{2,20}ing\s+(?:(?:it|them|him|her|us|its|their)\b|[A-Z])"
    r"|(?:[a-z]{2,20}ed|known|shown|given|taken|written|done|made|told|found|held|built|sold|paid)\s+"
    r"(?:about|on|for|against|to|at|in|with|from)\b))"
)
_DEGREES = (
    r"(?:long|old|tall|far(?:\s+away)?|fast|big|large|high|deep|heavy|wide|frequently|late|early|soon|quickly|often|small|short|low"
    r"|great|strong|expensive|costly|important|likely|severe|difficult|hard|easy|well|badly|close|recently|rapidly|cold|hot|warm)"
)
_NOW = r"(?:still|yet|already|(?:so|thus)\s+far|to\s+date|up\s+to\s+now|until\s+now|currently|any\s+longer|anymore|today|nowadays|presently|at\s+present|right\s+now|now(?=\W*$))"
# "May" is a month where it is written large inside a sentence.
_ONLY_ASKS = linear(
    rf"(?i:\bhow)\s+{_DEGREES}(?=\s+(?:{AUXILIARY}|an?)\b)|\b[Aa]m(?=\s+I\b)|\b(?:must|shall|may|might)\b|^(?:Must|Shall|May|Might)\b"
    rf"|\b(?i:{_NOW})\b|^(?i:{AUXILIARY})n['’]t\b|^(?i:whether|is\s+it\s+true\s+that)\b"
    r"|^(?i:(?:what|which)\s+(?:kind|type|sort)\s+of)\b"
)


# A long question is asked for its words with each aspect, and again when its answer is written.
@lru_cache(maxsize=1 << 10)
def without_asking(text: str) -> str:
    """Return a question without the words that only ask for a degree, leave or what holds now: "how soon must"."""
    return _ONLY_ASKS.sub(" ", text)


def begins_to_ask(text: str) -> bool:
    """Whether `text` begins as a question or an order does."""
    return _ASKS.match(text) is not None


def dangles(text: str) -> bool:
    """Whether `text` ends in a word that wants another one: a preposition, an article, a conjunction."""
    end = text.rstrip(" ,.;:?!")[-40:]
    return _DANGLING.search(end) is not None and _TAKEN_OVER.search(end) is None


# A name of several words, as it stands in a question.
ONE_NAME = (
    r"(?-i:(?=[A-Z]|[a-z]{0,3}[A-Z\d]))[\w.&’'-]{1,30}(?:\s(?:(?-i:[A-Z\d])[\w.&’'-]{0,30}|base|large|small|tiny)){0,3}"
)
_THING = r"[^\s,:;?]{1,40}(?:\s[^\s,:;?]{1,40}){0,3}?"
RISK = r"(?:risks?(?:\s+factors?)?|threats?|challenges|headwinds?|dangers?|hazards?|vulnerabilit(?:y|ies)|weak\s+(?:spots?|points?))"
_ROLE = (
    r"(?:ceo|cfo|cto|chief\s+(?:[a-z]{2,20}\s+)?(?:officer|executive|scientist|economist)|boss|head|chair(?:man|woman)?|president|judge|"
    r"(?:co-)?founders?|authors?|inventors?|creators?|developers?|owners?|directors?|producers?|composers?|designers?"
    r"|architects?|writers?|narrators?|singers?|editors?|publishers?|hosts?|coach|captain|mayor|husband|wife|mother|father)"
)
_MONTH = rf"(?:{MONTH_NAMES})"
_WHEN = rf"(?:(?:Q[1-4]|[1-4]Q|{_MONTH}(?:\s*(?:-|–|to|through)\s*{_MONTH})?)\s+)?(?:FY\s?|fiscal\s)?(?:19|20)\d\d(?:\s+quarter)?"
_SET_AGAINST = r"(?:against|vs\.?|v(?!\.)|versus|compared\s+(?:with|to))"
DOCUMENTS = (
    "documents|files|papers|reports|articles|notes|memos|minutes|contracts|agreements|policies|licen[cs]es|guides|manuals"
    "|emails|letters|transcripts|speeches|studies|leaflets|handbooks|proposals|pages"
)
# Who say what a corpus holds, whoever they are: no text calls its own author so.
_WHO_SAY = (
    r"(?:the|these|our|all\s+(?:the\s+)?)\s*(?:documents?|files?|texts?|sources?|transcripts?|interviews?|guests?|speakers?"
    r"|authors?|writers?|interviewees?|participants?|respondents?|witnesses)"
)
_NO_ASKING = rf"(?!(?:{ASKS}|{AUXILIARY}|{IMPERATIVE})\b)"
# What people say and type for short, with what it says in full; each row is put in once, in this order.
_OF_A_KIND = (
    r"firms|companies|businesses|banks|groups|methods|models|systems|measures|metrics|data\s?sets|benchmarks|products|drugs"
    r"|people|countries|ones|stocks|names"
)
IN_FULL: tuple[LanguagePattern[str], ...] = (
    LanguagePattern(r"\g<be> \g<x> \g<rest>", rf"^{_NO_ASKING}(?P<x>[^,;:?]{{1,60}}?)\s+(?P<be>is|are|was|were|has|have|can|will)\s+(?P<rest>[^;:?]{{2,120}}),\s+(?:(?:{AUXILIARY}n['’]t)\s+(?:it|they|he|she|that)|right|correct|true|no)$",
                    "Tesla is profitable, isn't it", "Tesla is profitable, which is it", "talk"),
    LanguagePattern(r"is it true that \g<x>", rf"^{_NO_ASKING}(?P<x>[^;:?]{{4,160}}),\s+(?:(?:did|does|do|had|would)n['’]t\s+(?:it|they|he|she)|right|correct)$",
                    "Boeing pleaded guilty, didn't it", "Boeing pleaded guilty, it did", "talk"),
    LanguagePattern(r"is it true that \g<x> \g<rest>", rf"^(?:(?:was|is)\s+it|is\s+it\s+true\s+that\s+it\s+(?:was|is))\s+(?P<x>{ONE_NAME})\s+(?:that|who|which)\s+(?P<rest>[a-z].{{2,120}})$",
                    "Was it Microsoft that bought Activision", "Is it clear that it was bought", "talk"),
    LanguagePattern("", rf"^(?:(?:have\s+you\s+|do\s+you\s+have\s+)?(?:any|an|no)\s+(?:idea|clue|thoughts?\s+on)|not\s+sure|remind\s+me)\s+(?=(?:of\s+)?{QUESTION_WORD}\b)",
                    "Any idea why Pfizer's revenue fell", "Any idea of Pfizer", "talk"),
    LanguagePattern(r"what caused \g<x>\g<y>", r"^(?:by\s+what\s+(?:was|were)\s+(?P<x>[^,;:?]{2,120}?)\s+caused|what\s+(?:was|were)\s+(?P<y>[^,;:?]{2,120}?)\s+caused\s+by)$",
                    "What was the door plug accident caused by", "What was caused by the accident", "talk"),
    LanguagePattern(r"why \g<be> \g<x> \g<did>\g<rest>", r"^what\s+(?P<be>is|are|was|were)\s+(?P<x>[^,;:?]{2,80}?)\s+(?P<did>(?:being\s+)?(?:fined|sued|blamed|punished|charged|investigated|criticised|criticized|sanctioned|dismissed|fired|praised))\s+for(?P<rest>(?:\s+in\s.{2,40})?)$",
                    "What was Apple fined for", "What was Apple known for", "talk"),
    LanguagePattern(r"which \g<rest>, \g<a> or \g<b>", rf"^(?:of|between|among)\s+(?P<a>{ONE_NAME})\s+and\s+(?P<b>{ONE_NAME}),\s+(?:which|who)\s+(?:one\s+)?(?P<rest>[a-z][^,;:?]{{2,120}})$",
                    "Of Apple and Microsoft, which depends more on China", "Of Apple and Microsoft, what is said", "talk"),
    LanguagePattern(r"compare \g<a> and \g<b>", rf"^how\s+(?:is|are)\s+(?P<a>{_THING})\s+(?:like|similar\s+to|related\s+to|different\s+from)\s+(?P<b>[^\s,;:?]{{1,40}}(?:\s[^\s,;:?]{{1,40}}){{0,3}})$",
                    "How is ColBERT like BERT", "How is ColBERT trained", "talk"),
    LanguagePattern(r"how did \g<x> fare\g<where>", rf"^how\s+(?:well|badly|poorly)\s+(?:does|do|did|has|have)\s+(?P<x>{ONE_NAME})\s+(?:do|done|fare|perform|performed)(?P<where>(?:\s+(?:in|on|at|against)\s.{{2,60}})?)$",
                    "How well does Tesla do in China", "How well does Tesla build cars", "talk"),
    LanguagePattern("why ", r"^how\s+(?:does|did)\s+it\s+come\s+(?:about\s+)?that\s+",
                    "How does it come that Intel is not among them", "How does it come out", "talk"),
    LanguagePattern(r"\g<order>", r"^(?P<order>(?:explain|describe|summari[sz]e|outline)\s.{2,120}?)\s+(?:to|for)\s+(?:an?|the|my|our)\s+(?:[a-z-]{2,20}\s+)?(?:manager|lay(?:man|person)|beginner|child|novice|newcomer|board|executive|student|client|investor|colleague|expert)s?$",
                    "Explain multi-head attention to a manager", "Explain what Amazon offered to a manager who left", "analysts' forms"),
    LanguagePattern("", r"\s(?:(?:that|who)\s)?(?:(?:is|are|was|were)\s)?mentioned(?:\s+as(?:\s+being)?(?=\s\w)|\s+in\s+the\s+(?:text|passages?|documents?|corpus|articles?|statement)$)",
                    "Who are the men mentioned as being held", "Who mentioned the men", "speeches"),
    LanguagePattern("", r"(?:,?\s+(?:in\s+a\s+nutshell|in\s+short|in\s+brief|(?:quick|brief|short)\s+(?:rundown|summary|overview|recap)|for\s+(?:me|us)|like\s+i(?:['’]|\s+a)m\s+(?:five|5|a\s+child)|please|pls|plz|thanks|thx)){1,3}$",
                    "Apple macro exposure in a nutshell", "Please name it", "typed questions"),
    LanguagePattern(r"\g<one> against ", r"\b(?P<one>suit|lawsuit|case|complaint|claim|action|proceedings)\s+(?:vs?\.?|versus)\s+",
                    "Texas vaccine suit vs Pfizer", "Apple vs Microsoft", "typed questions"),
    LanguagePattern(r"\g<one>/", r"\b(?P<one>[A-Z][\w.&’-]{0,30})\sv\s(?=[A-Z])",
                    "the FTC v Amazon trial", "FTC vs Amazon", "spoken questions", True),
    LanguagePattern(r"has \g<x> ended", r"^(?:is|are|was|were)\s+(?P<x>(?:the|its|their|this|that)\s.{2,120}?)\s+over(?:\s+(?:now|yet|already))?$",
                    "Is the FTC case against Amazon over", "Is it over", "typed questions"),
    LanguagePattern(r"has \g<x> with \g<who> ended", rf"^(?:is|are)\s+(?P<who>{ONE_NAME})\s+done\s+with\s+(?P<x>(?:the|its|their|this|that)\s.{{2,80}})$",
                    "Is Amazon done with the FTC case", "Is Amazon done", "typed questions"),
    LanguagePattern(r"did \g<x> grow", r"^(?!(?:is|are|was|were|did|does|do|has|have)\b)(?P<x>[^?]{3,80}?)\s*[,:–-]?\s+(?:up\s+or\s+down|growing\s+or\s+shrinking|rising\s+or\s+falling|higher\s+or\s+lower)$",
                    "pfizer's covid business, up or down", "Is it up or down", "typed questions"),
    LanguagePattern(r"\g<asks> \g<does> \g<particle> \g<what>", rf"^(?P<asks>(?P<thing>what)|who)\s+(?P<does>(?!(?:made?|makes?|lets?|helped|keeps?|kept|saw|got|gets|happened|came|went|slow(?:s|ed)?|speeds?|sped)\b)(?!{AUXILIARY}\b)[a-z]{{3,14}})\s+(?P<what>(?!(?:{AUXILIARY}|to)\b)[\w’'&-]{{1,24}}(?:\s+(?!to\b)[\w’'&-]{{1,24}}){{0,3}}?)\s+(?P<particle>back|down|up|off|(?(thing)out|back)|together|apart|aside|away)(?=$|,|\s+(?:in|at|on|during|by|from|after|before|for)\b)",
                    "What held AWS growth back in 2025", "What made Intel write inventory down", "typed questions"),
    LanguagePattern("why ", r"^what\s+(?:explains|explained|caused|(?:is|was|lies)\s+behind)\s+the\s+fact\s+that\s+",
                    "What explains the fact that Amazon closed 2022 in the red", "What is the fact that surprised Amazon", "exam-memos"),
    LanguagePattern(r"what is the effect of \g<x> on ", r"^what\s+(?:did|does|do|has|have|will|is|are)\s+(?P<x>.{2,80}?)\s+(?:do|done|doing)\s+to\s+(?=(?:the|its|their|these|those)\s|(?-i:[a-z]{0,2}[A-Z]))",
                    "What did the Zhengzhou trouble do to iPhone output", "What did Boeing do to fix the door plug", "exam-paraphrased"),
    LanguagePattern(r"what is the effect of \g<x> on ", r"^what\s+(?:does|do|did|would|will|could)\s+(?P<x>.{2,80}?)\s+mean\s+for\s+(?=(?:the|its|their|these|those)\s|(?-i:[a-z]{0,2}[A-Z]))",
                    "What does the Inflation Reduction Act mean for Pfizer and Tesla", "What does it mean", "memo writers"),
    LanguagePattern(r"what is the effect of \g<y> on \g<x>", r"^how\s+(?:is|are|was|were|has|have)\s+(?P<x>[^,;?]{2,80}?)\s+(?:been\s+)?(?:affected|hit|hurt|influenced|impacted)\s+by\s+(?P<y>[^,;?]{2,120})$",
                    "How is Apple affected by the ruling", "How is Apple affected", "memo writers"),
    LanguagePattern(r"what are the effects of \g<x>", r"^what\s+(?:is|are)\s+the\s+effects?\s+of\s+(?P<x>.{2,80}?)\s+on\s+(?:all\s+)?(?:these|those|our|the)\s+(?:companies|firms|businesses)(?:\s+here)?$",
                    "What is the effect of tariffs on these companies", "What is the effect of tariffs on car companies", "the sample corpus"),
    LanguagePattern("why", r"^(?:on\s+(?:what|which)\s+grounds?|for\s+(?:what|which)\s+reasons?)\b",
                    "On what grounds does the IRS want more tax", "What grounds does it name", "memo writers"),
    LanguagePattern(r"why did \g<who>\g<does>", rf"^what\s+(?:moved|prompted|persuaded|led|drove|forced|pushed|motivated|convinced|induced|compelled)\s+(?P<who>{ONE_NAME}?)\s+to(?P<does>\s+[a-z]{{2,20}}\b.{{2,160}})$",
                    "What moved Amazon to walk away from iRobot", "What led to the fall of Kodak", "memo writers"),
    LanguagePattern("what drives", r"^what\s+(?:is|are|was|were)\s+(?:driving|causing)(?=\s+\w)",
                    "What is driving growth in Azure", "What is driving", "typed on reports"),
    LanguagePattern("when", rf"^(?:from\s+(?:which|what)\s+(?:month|year|day|date)\s+on(?:wards?)?|in\s+(?:which|what)\s+(?:month\s+and\s+year|year\s+and\s+month))(?=\s+{AUXILIARY}\b)",
                    "In which month and year was Tesla admitted", "In which year was Tesla admitted", "memo writers"),
    LanguagePattern("how", rf"^(?:in|by)\s+(?:what|which)\s+(?:respects?|manner|means|method|rule|mechanism)(?=\s+{AUXILIARY}\b)",
                    "By what rule does a document earn its score", "What rule does a document follow", "memo writers"),
    LanguagePattern(r"\g<asks> ", rf"^(?P<asks>{QUESTION_WORD})\s+(?:is|was)\s+it\s+that\s+",
                    "What is it that holds most weights at zero", "What is it called", "memo writers"),
    LanguagePattern(r"opportunities of \g<who>", rf"^what\s+(?:are|were)\s+(?P<who>{ONE_NAME}?)['’]s?\s+opportunities$",
                    "What are Boeing's opportunities", "What are Boeing's plans", "memo writers"),
    LanguagePattern(r"what is \g<who> doing with \g<x>", rf"^how\s+(?:is|are)\s+(?P<who>{ONE_NAME})\s+(?:using|applying|deploying|adopting)\s+(?P<x>.{{2,60}})$",
                    "How is JPMorgan using AI", "How is AI used", "memo writers"),
    LanguagePattern("is it true that ", r"^(?:is|are)\s+there\s+(?:(?:any|good|some|clear)\s+)?(?:evidence|proof|indications?|signs?)\s+that\s+",
                    "Is there evidence that Self-RAG beats CRAG", "Is there evidence of it", "memo writers"),
    LanguagePattern("list ", r"^(?:rank|priorit[iy][sz]e|sort)\s+(?=(?:the|its|their|all)\s)",
                    "Rank the risks of Tesla", "Rank is a measure", "memo writers"),
    LanguagePattern("", rf"^(?:(?:show|give|tell)\s+(?:me|us)\s+)?the\s+(?=(?:[a-z-]{{2,20}}\s+){{1,3}}(?:of|for|facing|at)\s+{ONE_NAME}(?:(?:,|\s+and)\s+{ONE_NAME}){{0,3}}$)",
                    "the legal risks of Pfizer", "the risks of a merger", "memo writers"),
    LanguagePattern(r"who \g<be> the head of ", r"^who\s+(?P<be>is|was)\s+in\s+charge\s+(?:of|at|in)\s+",
                    "Who is in charge at Apple", "Who is in charge", "typed questions"),
    LanguagePattern("who", r"^the\s+(?:person|man|woman)\s+who\b",
                    "The person who has led AWS since 2024", "The people who led AWS", "memo writers"),
    LanguagePattern("", r"^I\s+(?:should|would)\s+like\s+(?=an?\s+(?:overview|summary|list)\b)",
                    "I should like an overview of the biases of LLM judges", "I would like a house", "memo writers"),
    LanguagePattern(r"\g<asks> of \g<who>", r"^(?P<asks>(?:what|which)\s.{2,60}?)\s+(?:should|must|ought\s+to|need\s+to|belong)\s+(?:(?:be\s+)?(?:named|mentioned|listed|covered|flagged|raised)\s+)?in\s+(?:an?|the|our|my)\s+(?:note|memo|report|briefing|paper|deck)\s+(?:on|about)\s+(?P<who>.{2,80})$",
                    "Which macroeconomic risks should be named in a note on NVIDIA", "Which risks should be named", "exam-voices"),
    LanguagePattern(r"what \g<risks> does \g<who> face\g<rest>", rf"^(?:the\s+)?(?P<risks>(?:[a-z]{{2,20}}\s+){{0,2}}{RISK})\s+to\s+which\s+(?P<who>{ONE_NAME})\s+is\s+exposed(?P<rest>(?:\s.{{2,120}})?)$",
                    "The principal hazards to which Microsoft is exposed in supplying its data centres", "the risks to which all are exposed", "exam-memos"),
    LanguagePattern(r"\g<risks> \g<does> about \g<x>", rf"^(?P<risks>(?:what|which)\s+{RISK})\s+(?:(?:related|relating|tied|linked|connected)\s+(?:to|with)|around|associated\s+with|concerning|regarding)\s+(?P<x>.{{2,60}}?)\s+(?P<does>(?:do|does|did|has|have)\s.{{3,80}})$",
                    "Which risks related to AI does Microsoft name", "Which risks are related to AI", "quarterly reports"),
    LanguagePattern(r"what \g<risks> does \g<who> face", rf"^(?P<who>{ONE_NAME}):\s+(?P<risks>(?:[a-z]{{2,20}},?\s+){{1,4}}{RISK})$",
                    "Amazon: economic and trade headwinds", "Amazon takes risks", "exam-briefs"),
    LanguagePattern(r"what is said about \g<x>", r"^(?:a\s+(?:line|word|note|sentence|paragraph)|something)\s+on\s+(?P<x>.{2,120}?)\s+would\s+(?:also\s+)?(?:be\s+(?:welcome|useful|good|nice|helpful)|help)(?:\s+(?:too|as\s+well))?$",
                    "A line on the labour situation would also be welcome", "A line on the map is welcome", "exam-briefs"),
    LanguagePattern(r"what is said about \g<x>", r"^if\s+(?:anything|something)\s+is\s+(?:said|written|known)\s+(?:about|on)\s+(?P<x>.{2,160}?),\s+(?:please\s+)?(?:add|include|mention|give)\s+(?:that|it|this)(?:\s+(?:too|as\s+well|also))?$",
                    "If anything is said about shortages of power, add that too", "If anything is said about power, who says it", "exam-briefs"),
    LanguagePattern(r"what is said about \g<x>", rf"^(?:which|what)\s+(?:of\s+(?:the|these|our)\s+)?(?:(?!(?:do|does|did|is|are|was|were|of)\b)[a-z]+\s+)?(?:{DOCUMENTS}|passages|sources|companies|firms)\s+(?:mention|discuss|describe|talk\s+(?:about|of)|refer\s+to|speak\s+of|deal\s+with|warn\s+(?:of|about)|are\s+about|do\s+(?:we|you)\s+have\s+(?:on|about)|(?:say|tell)\s+(?:something|anything)\s+(?:about|on|of))\s+(?P<x>.{{2,160}}?)$",
                    "Which documents mention TSMC", "Which documents prove that TSMC is mentioned", "a file of documents"),
    LanguagePattern(r"what is said about \g<x>", rf"^(?:list|name|show\s+me|find)\s+(?:all\s+)?(?:the\s+|our\s+)?(?:{DOCUMENTS})\s+(?:about|on|that\s+(?:mention|discuss))\s+(?P<x>.{{2,120}}?)$",
                    "List all documents about Boeing", "List all documents of 2025", "a file of documents"),
    LanguagePattern(r"what is said about \g<x>", r"^where\s+(?:is|are)\s+(?P<x>.{2,120}?)\s+(?:mentioned|discussed)$",
                    "Where is TSMC mentioned", "Where is TSMC", "a file of documents"),
    LanguagePattern(r"what is said about \g<x>", rf"^what\s+(?:do|does|did)\s+{_WHO_SAY}\s+(?:say|tell\s+(?:me|us)|think|write)\s+(?:about|on|of)\s+(?P<x>.{{2,160}}?)$",
                    "What do the guests say about hiring", "What do the suppliers say about hiring", "interviews"),
    LanguagePattern(r"\g<x>", rf"^(?P<x>.{{8,200}}?),?\s+according\s+to\s+{_WHO_SAY}$",
                    "How do sales differ from marketing, according to the guests", "Who acts according to the suppliers", "interviews"),
    LanguagePattern(r"what happened to \g<x> in \g<t>", rf"^(?P<x>{ONE_NAME})\s+news\s+(?:of|in|from|for)\s+(?P<t>(?:[A-Z][a-z]{{2,12}}\s+)?(?:19|20)\d\d)$",
                    "Apple news of September 2025", "Apple News of the World", "exam-briefs"),
    LanguagePattern(r"how does \g<who> define \g<x>", rf"^what\s+(?:do|does|did)\s+(?P<who>{ONE_NAME}|the\s\w{{3,20}})\s+mean\s+by\s+(?P<x>[^?]{{2,80}})$",
                    "What does Acme mean by net realizable value", "What do values mean by themselves", "questions made from filings"),
    LanguagePattern(r"how does \g<who> define \g<x>", rf"^what\s+(?:is|are)\s+(?:meant\s+by|the\s+(?:definition|meaning)\s+of)\s+(?P<x>[^?]{{2,80}}?)\s+at\s+(?P<who>{ONE_NAME})$",
                    "What is the definition of fair value at Acme", "What is fair value at Acme", "questions made from filings"),
    LanguagePattern(r"define \g<x>", r"^what\s+(?:is|are)\s+(?:meant\s+by|the\s+definition\s+of)\s+(?P<x>[^?]{2,80}\b(?:value|rate|price|cost|ratio|margin|amount|number|size|length|time|level))$",
                    "What is meant by net realizable value", "What is the net realizable value", "questions made from filings"),
    LanguagePattern("invented", r"(?<=^who\s)came\s+up\s+with\b",
                    "Who came up with word2vec", "What came up with it", "chat"),
    LanguagePattern(r"what does \g<x> do", r"^(?:what(?:\s+(?:is|are)|['’]s)\s+the\s+(?:point|use|sense)\s+of|I\s+(?:do\s+not|don['’]t)\s+(?:get|see|understand)(?:\s+the\s+point\s+of)?|why\s+bother\s+with)\s+(?P<x>(?!how\b|why\b|what\b)[^,;?]{2,80})$",
                    "What's the point of reranking", "I don't see why it is slow", "chat"),
    LanguagePattern(r"what are the advantages of \g<x>", r"^why\s+(?:should|would|do)\s+(?:I|we|you|one|anybody|anyone)\s+(?:care\s+about|want)\s+(?P<x>[^,;?]{2,80})$",
                    "Why should I care about reranking", "Why should I care", "chat"),
    LanguagePattern(r"what are the weaknesses of \g<x>", r"^(?:where|how)\s+(?:do|does)\s+(?P<x>.{1,80}?)\s+fall\s+short$",
                    "where does it fall short", "where does it fall", "exam-briefs"),
    LanguagePattern("", r"^what\s+(?:the|these|our|your)\s+(?:documents|files|papers|sources|texts|reports)\s+(?:say|tell\s+(?:me|us)|report)\s+(?:about|on)\s+(?=(?:how|what|which|who|when|where|why|whether)\b)",
                    "what the documents say about how many of these were built", "what the documents say about growth", "exam-briefs"),
    LanguagePattern(r"compare \g<a>, \g<b> and \g<c> on \g<topics>\g<of>", rf"^{_NO_ASKING}(?P<a>{_THING})\s+(?:vs\.?|v(?!\.)|versus)\s+(?P<b>{_THING})\s+(?:vs\.?|v(?!\.)|versus)\s+(?P<c>{_THING})(?P<of>(?:\s+(?:in|for|on)\s[^,:]{{2,40}})?):\s+(?P<topics>{_NO_ASKING}[^?:,]{{2,40}},[^?:]{{2,120}})$",
                    "RNN vs Transformer vs CNN for text: parallelism, distant words", "RNN vs CNN: which is older", "exam-briefs"),
    LanguagePattern(r"compare \g<a> and \g<b> on \g<topics>\g<of>", rf"^{_NO_ASKING}(?P<a>{_THING})\s+(?:vs\.?|v(?!\.)|versus|against)\s+(?P<b>{_THING})(?P<of>(?:\s+(?:in|for|on)\s[^,:]{{2,40}})?):\s+(?P<topics>{_NO_ASKING}[^?:,]{{2,40}},[^?:]{{2,120}})$",
                    "AWS vs Azure in 2025: growth, AI developers, outages", "AWS vs Azure: which is larger", "exam-briefs"),
    LanguagePattern(r"what are the \g<topic> risks of \g<who>", rf"^(?:what\s+(?:can|could|might|may)\s+go\s+wrong\s+(?:in|with|at|for|on))\s(?P<who>{ONE_NAME}?)\s+on\s+the\s+(?P<topic>[\w-]{{2,24}}(?:\s[\w-]{{2,24}})?)\s+(?:side|front)$",
                    "What could go wrong for JPMorgan on the IT side", "What could go wrong on the far side", "exam-round"),
    LanguagePattern(r"\g<thing> of \g<a> vs \g<b>", rf"^{_NO_ASKING}(?P<thing>[^\s:][^:?]{{1,70}}?\s(?:quarter|half|months)):\s+(?P<a>{_WHEN})\s+{_SET_AGAINST}\s+(?P<b>{_WHEN})$",
                    "iPad sales in the June quarter: 2022 against 2023", "iPad sales in the quarter: Apple against Samsung", "exam-round"),
    LanguagePattern(r"\g<thing> in \g<a> vs \g<b>", rf"^{_NO_ASKING}(?P<thing>[^\s:][^:?]{{1,70}}?):\s+(?P<a>{_WHEN})\s+{_SET_AGAINST}\s+(?P<b>{_WHEN})$",
                    "Growth of Azure: Q3 2022 vs Q1 2023", "Growth: Azure vs AWS", "exam-round"),
    LanguagePattern(r"\g<thing> \g<in> \g<a> vs \g<b>", rf"^compare\s+(?P<thing>[^\s:][^:?]{{1,70}}?)\s+(?P<in>in|of|for)\s+(?P<a>{_WHEN})\s+(?:and|with|to)\s+(?:in\s+|of\s+)?(?P<b>{_WHEN})$",
                    "compare iPad sales in 2022 and 2023", "compare iPad and Mac sales in 2023", "exam-round"),
    LanguagePattern("technology", r"\bIT(?=\s+(?:risks?|systems?|staff|spending|budgets?|failures?|outages?|security|departments?|problems?|infrastructure)\b)",
                    "What are the IT risks of JPMorgan", "How does it risk money", "exam-round", True),
    LanguagePattern(r"what is said about \g<x>", r"^what(?:\s+(?:is|was)|['’]s)?\s+(?:new|changed)\s+in\s+(?P<x>(?:[\w.-]{1,30}\s){0,3}v?\d{1,4}(?:\.[\w-]{1,10}){1,3})$",
                    "What is new in SQLite 3.25.0", "What was new in 2024", "release notes"),
    LanguagePattern(r"what \g<kinds> of \g<x> does \g<y> have", r"^(?:what|which)\s+(?:(?:two|three|four|five|six|seven)\s+)?(?P<kinds>types|kinds|sorts|forms|categories|classes)\s+of\s+(?P<x>.{2,40}?)\s+(?:make\s+up|are\s+part\s+of|belong\s+to|occur\s+in|appear\s+in|come\s+in|are\s+(?:to\s+be\s+)?found\s+in)\s+(?P<y>[^?]{2,60})$",
                    "What types of question make up 2WikiMultiHopQA", "What types of people are there", "exam-round"),
    LanguagePattern(r"what \g<kinds> of \g<x> does \g<y> have", r"^(?:what\s+(?:are\s+the\s+)?|which\s+)?(?P<x>(?!(?:what|which|other)\b)[a-z]{3,24})\s+(?P<kinds>types|kinds)\s+(?:are\s+(?:there\s+)?)?(?:in|of)\s+(?P<y>[^?,]{2,60})$",
                    "question types in HotpotQA", "blood types", "exam-voices"),
    LanguagePattern("is it true that ", r"^is\s+it\s+(?:correct|right|so|a\s+fact)\s+that\s+",
                    "Is it correct that Apple sold A", "Is it correct", "plain questions"),
    LanguagePattern(r"\g<verb> \g<x> ", r"^(?:whether|is\s+it\s+true\s+that)\s+(?P<x>[^,;]{2,80}?)\s+(?P<verb>is|are|was|were|has|have|had|can|could|will|would|may|must|should)\s+",
                    "whether a rival is already flying", "whether it rains", "exam-round"),
    LanguagePattern(r"may\g<who>\g<me> ", r"^(?:is|would)\s+it\s+(?:be\s+)?(?:OK|okay|fine|all\s?right|alright)\s+(?:for(?P<who>\s+[\w-]{1,24}(?:\s[\w-]{2,24})?)\s+to|if(?P<me>\s+(?:I|we|you))|to)\s+",
                    "Is it OK for contractors to use it", "Is it OK", "typed forms"),
    LanguagePattern(r"\g<did> ", r"^when,?\s+if\s+ever,?\s+(?P<did>did|does|do|has|have|will)\s+",
                    "When, if ever, did Apple launch a car", "When did Apple launch a phone", "typed forms"),
    LanguagePattern(r"\g<verb> ", r"^(?P<verb>explain|describe)\s+to\s+(?:me|us|an?\s+[a-z]{3,12})\s+",
                    "Explain to me how attention works", "Explain how to me it works", "typed forms"),
    LanguagePattern(r"\g<what>", r"^(?P<what>(?:explain|describe)\s.{2,160}?)\s+(?:to|for)\s+(?:me|us|an?\s+(?:beginner|layman|child|newcomer|client|colleague|manager))$",
                    "Explain softmax to me", "Explain what it did to me in May", "typed forms"),
    LanguagePattern(r"what are the weaknesses of \g<x>", r"^what\s+(?:is|are)\s+(?P<x>.{1,80}?)\s+(?:bad|poor|weak|(?:no|not(?:\s+so)?)\s+good)\s+at$",
                    "What is FAISS bad at", "What is bad at Boeing", "typed forms"),
    LanguagePattern(r"what are the weaknesses of \g<x>", r"^what\s+(?:isn|aren)['’]?t\s+(?P<x>.{1,80}?)\s+(?:(?:so|very)\s+)?good\s+at$",
                    "What isn't DuckDB good at", "What isn't good at Boeing", "typed forms"),
    LanguagePattern(r"what are the weaknesses of \g<x>", r"^what\s+(?:(?:do|does|can)n?['’]?t|cannot)\s+(?P<x>.{1,80}?)\s+(?:do|handle|solve|take\s+care\s+of|cope\s+with|deal\s+with)(?:\s+well)?$",
                    "What can't BM25 do", "What doesn't Boeing say", "typed forms"),
    LanguagePattern(r"what are the weaknesses of \g<x>", r"^what\s+(?:do|does|can)\s+(?P<x>.{1,80}?)\s+not\s+(?:do|handle|solve|take\s+care\s+of|cope\s+with|deal\s+with)(?:\s+(?:well|for\s+you))?$",
                    "What does FAISS not take care of", "What does Boeing not say", "typed forms"),
    LanguagePattern(r"what does \g<x> stand for", r"^what\s+(?:is|are)\s+(?P<x>[\w.-]{2,20})\s+short\s+for$",
                    "What is MMR short for", "What is short for some", "typed forms"),
    LanguagePattern(r"who wrote \g<x>", rf"^who\s+(?:wrote|published|authored)\s+the\s+(?P<x>{ONE_NAME}?)\s+(?:paper|article|study)$",
                    "Who wrote the ReAct paper", "Who wrote the paper on ReAct", "typed forms"),
    LanguagePattern(r"what is \g<x>", rf"^what\s+(?:is|are)\s+(?P<x>{ONE_NAME}?)\s+known\s+for$",
                    "What is Apple known for", "What is a known limit for", "typed forms"),
    LanguagePattern("what is said about ", r"^what\s+(?:are|is|do|does|has|have)\s+(?:people|everybody|everyone|they|we)\s+(?:been\s+)?(?:saying|say|said|think|thinking)\s+(?:about|of)\s+",
                    "What are people saying about Apple's AI", "What are critics saying about it", "typed forms"),
    LanguagePattern("why ", r"^(?:what\s+(?:is|was)|give|name|list|state|tell)\s+(?:me\s+|us\s+)?(?:the\s+|some\s+|an?\s+|one\s+|two\s+|three\s+|four\s+|five\s+)?(?:main\s+)?reasons?\s+(?:why|that|for\s+which)\s+",
                    "Give two reasons why Tesla's sales fell", "Give a reason for the fall", "typed forms"),
    LanguagePattern(r"what does \g<x> \g<does>", r"^(?:list|name|state|tell\s+me|show)\s+what\s+(?P<x>.{2,80}?)\s+(?P<does>include|contain|cover|comprise|support|offer|provide|require|need|produce|sell)s$",
                    "List what the kit contains", "List what contains gluten", "benchmarks.woven"),
    LanguagePattern(r"what \g<how> \g<x>", r"^what\s+(?:is|are|was|were)\s+(?P<x>.{2,80}?)\s+(?P<how>caused)\s+by$",
                    "What is scurvy caused by", "What is the damage caused by the storm", "benchmarks.woven"),
    LanguagePattern("", r"^(?:the|an?)\s+(?=[\w'’-]{2,24}(?:\s+[\w'’-]{2,24})?$)", "The Transformer", "The costs of it", "benchmarks.woven"),
    LanguagePattern("what happened to ", r"^what\s+(?:has\s+)?(?:became|become)\s+of\s+",
                    "What became of the fuselage supplier", "What became the rule", "exam-round"),
    LanguagePattern(r"what happened to \g<x>", r"^how\s+(?:did|has)\s+(?P<x>[^?,]{3,90}?)(?<!\sthe)(?<!\sits)(?<!\sat)\s+(?:end(?:ed)?(?:\s+up)?|(?:turn(?:ed)?|c[ao]me|play(?:ed)?|pan(?:ned)?)\s+out)$",
                    "How did the second trial in Texas end", "How did A get it past the regulator in the end", "typed questions"),
    LanguagePattern("", r"^(?:show|give|make|draw(?:\s+up)?|create|produce|build)\s+(?:me\s+|us\s+)?an?\s+(?:small\s+|short\s+)?(?:table|overview)\s+of\s+(?:the\s+)?(?=[\w-]{2,30}\s+(?:of|at|for)\s)",
                    "Show a table of CEOs of Apple, Microsoft and NVIDIA", "Show a table of BM25 parameters", "pages"),
    LanguagePattern("chief executives", r"^(?:the\s+)?CEOs(?=\s+(?:of|at)\s)", "CEOs of Apple, Microsoft and NVIDIA", "CEOs resign", "pages"),
    LanguagePattern(r"what risks does \g<who> face from \g<topic>", rf"^(?:what|which)\s+(?:are\s+the\s+)?risks?\s+(?:(?:that\s+)?(?:comes?|arises?|stems?|results?|flows?)\s+from\s+(?P<topic>[^?,;]{{2,60}}?)\s+for\s+)(?P<who>{ONE_NAME})$",
                    "What risks come from China for Apple", "What risks come from China", "typed forms"),
    LanguagePattern(r"what risks does \g<who> face from \g<topic>", rf"^(?:what|which)\s+risks?\s+(?:does|do|did|would)\s+(?:the\s+)?(?P<topic>[^?,;]{{2,60}}?)\s+(?:pose|bring|create|mean|hold|carry)\s+(?:for|to)\s+(?P<who>{ONE_NAME})$",
                    "What risks does China pose for Apple", "What risks does China pose", "typed forms"),
    LanguagePattern(r"what are the main risks of \g<who>", rf"^what\s+(?:could|might|can|would|may)\s+(?:hurt|harm|damage|threaten|endanger|derail|sink)\s+(?P<who>{ONE_NAME})(?:\s+(?:the\s+)?(?:most|worst))?$",
                    "What could hurt JPMorgan most", "What could hurt JPMorgan in China", "typed forms"),
    LanguagePattern(r"what are the main risks of \g<who>", rf"^(?:(?:tell\s+me\s+)?(?:one|two|three)\s+things?\s+that|what|which\s+things)\s+(?:worr(?:y|ies)|concerns?|bothers?|scares?)\s+(?P<who>{ONE_NAME})(?:['’]s?)?\s+(?:investors|shareholders|owners|analysts|managers|management)$",
                    "What worries NVIDIA investors", "What worries investors", "typed forms"),
    LanguagePattern("what are the risks of ", r"^(?:what\s+(?:can|could|might|may)\s+go\s+wrong\s+(?:in|with|at|for|on)|where\s+(?:is|are|lies?)\s+the\s+(?:dangers?|risks?)\s+(?:in|of|with|for))\s",
                    "what can go wrong at Boeing", "what went wrong at Boeing", "spoken questions"),
    LanguagePattern(r"in \g<field>", r"(?<=\s)in\s+(?P<field>[\w-]{2,30}(?:\s[\w-]{2,30})?)[\s-](?:speak|parlance|jargon|lingo)$",
                    "what is regret in bandit speak", "how do bandits speak", "spoken questions"),
    LanguagePattern(r"what is \g<x>", r"^(?P<x>[^=]{2,60}?)(?:\s*=|(?:\s*[,:]|\s[-–—])?\s+(?:meaning|definition|explained))$",
                    "Project Rainier =", "a = b", "typed questions"),
    LanguagePattern(r"who is the \g<role>", rf"^(?!.{{1,200}}\b{QUESTION_WORD}\b)(?:the\s+)?(?P<role>{_ROLE}\s+(?:of|at|in|to|behind)\s.{{2,200}})$",
                    "judge in the Epic ruling", "Judge Gonzalez Rogers", "typed questions"),
    LanguagePattern(r"who is the \g<role> of \g<name>", rf"^{_NO_ASKING}(?P<name>{ONE_NAME}?)(?:['’]s)?\s+(?P<role>(?:current\s+|new\s+)?{_ROLE})(?:\s+(?:now|today|currently))?$",
                    "AWS boss now", "AWS boss resigns", "typed questions"),
    LanguagePattern(r"\g<what> of \g<name>", rf"^{_NO_ASKING}(?P<name>{ONE_NAME})\s+(?P<what>(?:number|share|date|year|cost|price|size|amount)\s+of\s+[a-z].{{2,80}})$",
                    "HotpotQA number of questions", "number of questions", "typed questions"),
    LanguagePattern(r"compare the \g<topic> of \g<a> and \g<b>", rf"^{_NO_ASKING}(?P<topic>[^\s:][^:?]{{1,60}}):\s+(?P<a>{ONE_NAME})\s+(?:against|vs\.?|v(?!\.)|versus|and|or)\s+(?P<b>{ONE_NAME})$",
                    "Currency risk: NVIDIA against Apple", "NVIDIA: who leads it", "spoken questions"),
    LanguagePattern(r"compare the \g<topic> of \g<a> and \g<b>", rf"^{_NO_ASKING}(?P<a>{ONE_NAME})\s+(?:against|vs\.?|v(?!\.)|versus)\s+(?P<b>{ONE_NAME})(?::|,(?=\s[a-z]))\s+{_NO_ASKING}(?P<topic>[^\s:][^:?]{{1,80}})$",
                    "LSTM vs GRU: gates and size", "LSTM vs GRU: which is older", "spoken questions"),
    LanguagePattern(r"which of \g<names> and \g<last> \g<rest>", rf"^which\s+(?:of\s+)?(?:these|the\s+following)(?:\s+(?:{_OF_A_KIND}))?\s+(?P<rest>[a-z][^:?]{{2,160}}?)\s*:\s+(?P<names>{ONE_NAME}(?:,\s+{ONE_NAME}){{0,6}}),?\s+(?:(?:and|or)\s+)?(?P<last>{ONE_NAME})$",
                    "Which of these firms face antitrust cases: Apple, Amazon or NVIDIA", "Which of these firms grew: the second one", "spoken questions"),
    LanguagePattern(r"how did \g<what> change from \g<when>", r"^how\s+(?:do|does|did)\s+(?P<what>(?!.{0,160}\bgrowth\b).{2,160}?)\s+compare\s+(?:with|to|against)\s+(?P<when>(?:(?:the|a|an)\s+)?(?:same\s+(?:quarter|period|month)\s+(?:of\s+)?(?:last|the\s+(?:previous|prior))\s+year|(?:year|quarter|month)s?\s+(?:earlier|ago|before)|(?:last|prior|previous)[\s-](?:year|quarter)(?:['’]s)?(?:\s+(?:quarter|period))?))$",
                    "How did Amazon's operating income compare with a year earlier", "How does Amazon compare with Apple a year ago", "spoken questions"),
    LanguagePattern(r"\g<asks>", r"^(?P<asks>(?:explain|describe|define|show|tell\s+me|what\s+(?:is|are))\s.{1,160}?)\s+with\s+(?:(?:an?|its|the|some|their)\s+)?(?:(?:worked|simple|short|concrete|brief)\s+)?(?:examples?|formulas?|equations?|illustrations?)$",
                    "Explain reciprocal rank fusion with its formula", "Explain the formula with a constant", "spoken questions"),
)  # fmt: skip
# "Why'd", "when's", "whats", "who's been": the question word and the verb that it has swallowed.
_SWALLOWED = linear(
    rf"(?i)^(?P<asks>{QUESTION_WORD})(?:['’]|(?=s\b))(?P<verb>s|d|re|ll|ve)\b(?P<has>\s+(?:been|got|had|changed|happened|become|gone))?"
)
_VERBS = {"s": "is", "d": "did", "re": "are", "ll": "will", "ve": "have"}
_TYPED = {
    "w/o": "without", "w/": "with", "thru": "through", "mkt": "market", "mgmt": "management", "govt": "government",
    "vocab": "vocabulary", "db": "database", "yoy": "year on year", "qtr": "quarter", "approx": "approximately",
    "avg": "average", "exec": "executive", "execs": "executives", "dept": "department", "b/c": "because",
    "biz": "business",
}  # fmt: skip
_TYPED_SHORT = re.compile(
    rf"(?i)(?<![\w/])(?:{'|'.join(re.escape(word) for word in sorted(_TYPED, key=len, reverse=True))})(?![\w/])"
)


# A part of a question is written out before it is parted and after.
@lru_cache(maxsize=1 << 10)
def in_full(text: str) -> str:
    """What is asked, with what is said or typed for short written out: "why'd A leave", "A meaning", "A against B"."""
    text = _TYPED_SHORT.sub(lambda short: _TYPED[short[0].lower()], text)
    if swallowed := _SWALLOWED.match(text):
        text = f"{swallowed['asks']} {_verb_of(swallowed)}{text[swallowed.end('verb') :]}"
    for row in IN_FULL:
        found = row.search(text)
        if found:
            text = f"{text[: found.start()]}{found.expand(row.kind)}{text[found.end() :]}"
    return text


def _verb_of(swallowed: re.Match[str]) -> str:
    verb = swallowed["verb"].lower()
    if verb == "s" and swallowed["has"]:
        return "has"
    return "would" if verb == "d" and swallowed["asks"].lower() == "who" else _VERBS[verb]


# What stands behind a comma, a colon or a dash to say what is asked: "job cuts in 2025, number", "A: date and cause".
_BEHIND = {
    "number": "how many", "count": "how many", "how many": "how many", "amount": "how much was", "price": "how much was",
    "cost": "how much was", "value": "how much was", "how much": "how much was", "date": "when", "month": "when",
    "year": "when", "when": "when", "since when": "since when", "since": "since when", "cause": "why", "reason": "why",
    "trigger": "why", "why": "why", "site": "where", "location": "where", "place": "where", "where": "where",
    "buyer": "who bought", "seller": "who sold", "winner": "who won", "who": "who", "duration": "how long",
    "how long": "how long", "town": "in which town", "city": "in which city", "state": "in which state",
    "country": "in which country", "author": "who is the author of", "inventor": "who is the inventor of",
}  # fmt: skip
_ASKED = "|".join(sorted(_BEHIND, key=len, reverse=True))
_ASKED_BEHIND = linear(
    rf"(?i)^(?P<body>\S.{{2,160}}?)(?:\s*[,:]|\s[-–—])\s+(?P<first>{_ASKED})(?:\s+(?:and|&)\s+(?P<last>{_ASKED}))?$"
    rf"|^(?P<of>\S.{{2,160}}?)\s+(?P<alone>since\s+when|since|how\s+(?:many|much|long)|when|where|why)$"
    # "A 2023, which plant", "A sold to whom", "A came out of which university"
    rf"|^(?P<for>\S.{{2,160}}?),\s+(?P<phrase>(?:which|what|how\s+many)(?:\s(?!{AUXILIARY}\b)[\w’'-]{{1,24}}){{1,3}})$"
    rf"|^(?P<told>\S.{{2,160}}?)\s(?P<within>(?:to|by|from|of|in|at|for|with|because\s+of)\s(?:whom|what|which(?:\s[a-z]{{2,20}}){{0,2}}))$"
)


_ASKS_INSIDE = re.compile(rf"(?i)\b{QUESTION_WORD}\b")


def asked_behind(text: str) -> list[str]:
    """What a clause asks whose asking word stands behind it, as one that begins with it; the clause itself otherwise."""
    found = _ASKED_BEHIND.match(text)
    body = next(filter(None, found.group("body", "of", "for", "told"))) if found else ""
    if found is None or _ASKS_INSIDE.search(body) or begins_to_ask(text) or not terms_of(body):
        return [text]
    if moved := found["phrase"] or found["within"]:
        return [f"{moved} {body}"]
    asking = (found[group] for group in ("first", "last", "alone") if found[group])
    return [f"{_BEHIND[' '.join(asks.lower().split())]} {body}" for asks in asking]


_BOTH_SIDES = linear(r"(?i)^(?P<asks>(?!compare|contrast)\S.{3,160}?)\s+before\s+and\s+after\s+(?P<when>\S.{2,120})$")
_ASKS_CHANGE = re.compile(r"(?i)\b(?:chang|differ|compar|evol|develop)")


def asked_of_both_sides(text: str) -> list[str]:
    """What is asked "before and after" something, once for each side of it; the text alone otherwise."""
    both = _BOTH_SIDES.match(text)
    if both is None or not begins_to_ask(text) or _ASKS_CHANGE.search(both["asks"]):
        return [text]
    return [f"{both['asks']} {side} {both['when']}" for side in ("before", "after")]


Row = LanguagePattern[AnswerKind]
_ADJ = rf"(?:(?!(?:{AUXILIARY}|the|that|this|it|of)\b)[\w'’-]{{1,20}}\s+){{0,3}}?"
_WH = r"(?:what|which)"
_BE = r"(?:is|are|was|were|be|been|has|have|had|will|would|did|does|do|can|could)"
_PERSON = (
    r"(?:person|man|woman|individual|actor|actress|director|president|author|writer|singer|player|musician|composer|"
    r"artist|ceo|cfo|cto|chief|chairman|chairwoman|founder|inventor|politician|scientist|king|queen|emperor|minister|"
    r"mayor|governor|senator|judge|coach|manager|performer|producer|poet|painter|philosopher|philanthropist|footballer|"
    r"father|mother|spouse|husband|wife|son|daughter|brother|sister|child|screenwriter|researcher|executive|entrepreneur|figure)"
)
_ORGANISATION = (
    r"(?:company|firm|bank|agency|organi[sz]ation|team|band|club|university|college|school|party|publisher|network|"
    r"studio|label|manufacturer|retailer|airline|newspaper|magazine|institute|institution|ministry|court|regulator|"
    r"supplier|customer|competitor|corporation|[a-z]{2,12}maker|group|platform|startup|employer|league|association|union|investor|insurer"
    r"|lender|contractor|maker|vendor|carrier|charity|developer|operator|rival|partner|subsidiary)"
)
DOER = rf"(?:{_PERSON}|{_ORGANISATION})"
_PLACE = (
    r"(?:country|city|town|state(?!\s+of\s+(?!birth|origin|residence|incorporation))|county|place|region|province|continent|village|district|island|capital(?=\s+(?:of|city|is|was|$)|$)|location|"
    r"municipality|street|neighbou?rhood|borough|nation|birthplace|headquarters|site|factory|plant|store|airport|campus"
    r"|(?<!default\s)port|harbou?r)"
)
# What may stand behind the noun that is asked for: of "store commission" a commission is.
_JOINS = r"(?:of|in|on|at|for|to|from|by|with|near|where|when|that|which|who|whose|called|named|closest|nearest|it|he|she|they|we)\b|\w{2,14}(?:ed|ing)\b"
_TIME = r"(?:year|date|day|month|quarter|decade|century|period|season|birthday|birth\s*date|time)"
_MONEY = (
    r"(?:revenues?|income|balances?(?!\s+sheets?)|sales|profits?|earnings|ebitda|costs?|price\s+tags?|prices?|expenses?|expenditures?|capex|cash|dividends?|"
    r"assets|liabilities|debt|loss|losses|inventor(?:y|ies)|payables?|receivables?|ppne|pp&e|cogs|budget|fine(?!-)|"
    r"settlement|salary|wages?|allowance|bonus|damages|refund|deposit|discount|compensation|valuation|sum|penalt(?:y|ies)|payout|market\s+cap(?:italisation|italization)?|working\s+capital|gdp|box\s+office)"
)
_MEASURE = (
    r"(?:number|headcount|death\s+toll|capacity|stake(?=\s+(?:did|does|do|has|have|had|will|in)\b)|percentage|percent|share|rate|ratio|margin|population|turnover|cagr|growth|height|length|depth|area|"
    r"size|weight|age|distance|speed|temperature|dimensions?|score|average|duration|elevation|amount|limit|value|rise|raise|notice|deadline|"
    r"area\s+code|zip\s+code|(?-i:EPS|DPO|DSO|ROA|ROE))"
)
_SUMS = r"(?:costs|expenses|expenditures|fees|provisions|dividends|revenues|sales|profits|earnings|losses|charges)"
_MANY = r"(?:[a-z][\w'’-]{0,20}[^s\W]s|people|children|men|women|companies|countries|cities|criteria|media)"

_LONGEST = 400  # characters that say what kind of answer is asked for

# The first row that fits decides.
KINDS: tuple[Row, ...] = (
    Row("comparison", r"^(?:please\s+)?(?:compare|contrast)\b|\b(?:differences?|distinctions?|similarities|comparison)\s+(?:between|of|in)\b|\s(?:vs\.?|versus)\s|\bhow\b.{1,160}\b(?:differ|compare[sd]?)\b|\bcompared\s+(?:to|with)\b.{1,80}$",
        "How does Self-RAG differ from CRAG?", "How does Self-RAG work?", "aspect-coverage"),
    Row("fact", r"^what\s+(?:then\s+)?(?:happened|followed|came)(?:\s+(?:next|then))?,?\s+(?:after|once|when)\b",
        "What happened after the judge rejected the deal?", "What happened to the judge?", "the written exam"),
    Row("choice", r"^(?!what\s+(?:is\s+said|percentage|percent|share|proportion|number|amount)\b|(?:which|who)\s+of\s+(?:the|our|these)\b(?!.{1,40}[,:]))(?:which|who|whose|what)\b(?!\s+(?:is|was)\s+the\s+(?:[a-z-]{2,20}\s+){1,4}(?:of|for)\s+(?-i:an?)\s).{1,200}(?:,|\bof|\bbetween|\bis|\bwas|:)\s+[^,]{1,80}\s+or\s+.{1,80}$",
        "Who was born earlier, Marjatta Raita or Bruce Coulter?", "Who was born in Oslo?", "2wiki"),
    Row("choice", rf"^(?:{AUXILIARY})\b.{{1,160}}\b(?:more|less|better|worse|(?!(?:other|after|over|under|never|whether|either)\b)\w{{2,12}}er)\b(?!\s+than\s+[\d$£€])[^?]{{0,80}}\s(?:than|or(?!\s+(?:more|less|fewer|so)\b))\s",
        "Is Pfizer more exposed to patent cliffs than JPMorgan Chase is to interest rates?", "Is Tesla profitable?",
        "issue 9"),
    Row("choice", r"^(?:is|are|was|were|does|do|did|should\s+\w+)\s[^,]{1,80}\s+or\s+(?!(?:not|more|less|fewer|so|above|over|below|higher|lower|later|earlier)\b)[^,]{1,80}$",
        "Is Vivaldi a composer or a painter?", "Does Apple own chip factories?", "general"),
    Row("yes_no", rf"^(?:if\s[^?]{{1,200}}?,\s+)?(?:{AUXILIARY}|whether)(?:n['’]t)?\s", "Did Boeing plead guilty?", "What did Boeing do?", "issue 9"),
    Row("yes_no", r"^any\s+[a-z].{3,200}$",
        "Any second engine source for the 737 MAX?", "Anything new on tariffs", "typed questions"),
    Row("yes_no", r"^[^,]{3,120},\s+(?:still|yet|already)\s+[^,]{2,40}$",
        "The worldwide AI chip framework, still in force?", "Boeing, still a rival, won the order", "typed questions"),
    Row("fact", r"^what\s+(?:did|does|has|have|was|were|is|are)\s[^?]{1,160}\b(?:fined?|sued?|charged?|blamed?|criticised|criticized|punish(?:ed)?|penalised|sanctioned)\b[^?]{0,100}\sfor(?:\s(?:in|on|during|last)\s[^?]{2,30})?$",
        "What did the SEC fine JPMorgan for?", "What did the SEC fine JPMorgan?", "plain questions"),
    Row("report", r"^what\s+(?!(?:is|are|was|were|do|does|did|has|have|had)\b)(?:[a-z-]{3,20}\s+){1,3}(?:of|at|by|for|against|around|involving)\s+[^?]{2,80}?\s(?:started|began|happened|occurred|took\s+(?:place|effect)|came\s+(?:into\s+force|up))\s+(?:before|after|since|between|in|during|from|until)\b",
        "What regulation of Amazon started before 2023?", "What started the fire of London in 1666?", "the written exam"),
    Row("reason", r"^what\s+(?:(?:has|had)\s+)?(?:in\s+part\s+|partly\s+|partially\s+)?(?:offset|softened|cushioned|mitigated|counteracted|held\s+back|tempered|limited)\s+(?:the|its|their)\s+(?:\w+\s+)?(?:increase|decrease|decline|growth|drop|fall|rise|improvement|change)s?\s+in\b",
        "What partially offset the decline in sales?", "What offset the cost of the mill?", "questions made from filings"),
    Row("reason", r"^(?:explain\s+)?why\b|^what\s+reasons?\s+(?:did|does|do|has|have|was|were|is|are)\b|^for\s+(?:what|which)\s+reason\b|^(?:what|which)\s+" rf"(?!(?:[\w'’-]{{1,20}}\s+)?(?:{_ORGANISATION}|{_PERSON})s?(?:['’]s?)?\s)" r"(?:(?!(?:is|are|was|were)\s)[\w'’-]{1,20}\s+){0,2}?(?:caused?|causes|drove|drives?|(?:stopped|halted)(?!\s+[a-z]{2,14}ing\b)|interrupted|led\s+to|leads?\s+to|dragged|pushed|lifted|prompted|triggered|made(?!\s+(?:up|of|from|by|in)\b))\b|\b(?:reasons?|causes?|grounds?|motives?|motivation|explanation)\s+(?:for|of|behind|why)\b|\bhow\s+come\b|^what\s+(?:hurt|helped|weighed\s+on|dented|depressed|boosted|fuell?ed|propelled)\b",
        "What caused the door plug accident?", "What is a door plug?", "issue 9"),
    Row("reason", r"^what\s+(?:(?:has|had)\s+)?(?:(?:pull|drag|push|weigh|knock|send|sent|br(?:ing|ought)|drove)(?:ed|ged)?\s+(?:down|up)|(?:raised|lowered|squeezed|eroded|depleted|inflated|slowed|shrank|shrunk|ate\s+into|cut\s+into)\b(?=[^?]{1,80}\b(?:sales|revenues?|margins?|profits?|income|earnings|results|growth|demand|costs?|expenses?|spending|cash|rates?|shipments|volumes?|prices|backlog|orders|inventor(?:y|ies)|balances?|liquidity)\b))",
        "What pulled down the graphics margin?", "What pulled the train?", "typed questions"),
    Row("reason", r"^(?:what\s+(?:are|were|is|was)\s+)?(?:the\s+)?(?:(?:main|key|primary|principal|biggest|major)\s+)?(?:drivers?|factors?)\s+(?:of|for|behind)\s+[^?]{0,80}\b(?:growth|decline|increase|decrease|fall|rise|drop|slump|surge|jump)\b",
        "What are the main drivers of AWS growth?", "What are the drivers of the van?", "typed questions"),
    Row("report", r"^what\s+(?:is|are|was|were|has|have)\s+[^?]{2,80}?\s(?:doing|been\s+doing|done)\s+(?:to|about|against|for|in|with)\b",
        "What is Pfizer doing to replace lost revenue?", "What is Pfizer's revenue?", "the sample corpus"),
    Row("fact", r"^what(?:\s+is|['’]s)\s+the\s+(?:technical\s+)?(?:word|term|name)\s+for\b",
        "What is the word for how often a model is right?", "How often is the model right?", "everyday words"),
    Row("number", r"\bhow\s+much\s+(?:(?!of\b)[a-z-]{2,20}\s+){0,2}?(?:leave|time|notice|sleep|overtime|memory|ram|space|storage|data|water|energy|electricity|fuel|land|weight|food|experience)\b",
        "How much annual leave can I carry over?", "How much did Apple pay?", "a handbook"),
    Row("amount", r"\bhow\s+(?:much|expensive|costly)\b", "How much did Apple pay?", "How many cars did it sell?", "the written exam"),
    Row("amount", r"^how\s+(?:big|large|high|hefty|heavy|steep|huge|generous)\s+(?:is|was|are|were|will)\s+[^?]{0,80}?\b(?:deal|purchase|takeover|acquisition|merger|fine|settlement|penalty|investment|loss|loan|budget|contract|pay\s+(?:plan|package)|stake|buyback|dividend|bill|damages|payout|write-?(?:off|down)|NOL|carry-?forward|reserve|allowance|backlog|credit\s+(?:line|facility)|impairment|charge|deficit|surplus|debt|cash\s+(?:pile|balance)|(?:capital|bond|fund)[\s-]rais(?:e|ing))s?\b",
        "How big was the Activision deal?", "How big is the base model?", "typed questions"),
    Row("number", r"^(?:what|which)\s+(?:(?:is\s+the\s+)?default\s+port\b|port(?=\s+(?:does|do|is|are|should|must|number)\b)|percentage|percent|share|proportion|number|fraction|ratio|rate)\b|\bhow\s+(?:many|often|long|old|tall|far|fast|big|large|high|deep|heavy|wide|thick|cold|hot|warm|frequently|late|early|soon|quickly)\b|(?:^|,\s+)(?:within|for|after)\s+(?:what|which)\s+(?:[\w'’-]{1,20}\s+)?(?:time|period)\b",
        "How many heads does the base Transformer use?", "How does it fly?", "issue 9"),
    Row("number", r"^(?:the\s+)?(?:(?:typical|usual|default|recommended|current|total|average|maximum|minimum)\s+)?(?:number|value|percentage|share|rate)\s+(?:of|for)\b|^(?:what|which)\s+constant\b",
        "typical value for b in BM25?", "Number theory for beginners", "the analysts' exam"),
    Row("number", r"^(?:what|which)\s+(?:(?:typical|usual|default|normal|recommended)\s+)?(?:values|numbers|figures|percentages|ratios)\s+(?:are|were|do|does|did|is|should)\b",
        "What values are normal for b in BM25?", "What core values are taught?", "the analysts' exam"),
    Row("amount", r"^what\s+(?:did|does|do|will|must)\s+(?!it\s+take)[^?]{1,60}?\b(?:pay|spend|cost|charge|bid|(?:shell|fork|splash)\s+out|cough\s+up|earn(?!\s+(?:(?:its|the|a|their|his|her)\s+)?(?:name|reputation|place|title|respect|praise|trust|points?))|fetch|(?:get|receive|raise)\s+(?:for|from)\s+(?:(?:selling|the\s+sale)\b|[^?]{1,40}\b(?:business|stake|shares?|unit|division|assets|plant|notes|bonds|real\s+estate|propert(?:y|ies)|buildings?|land)\b))\b(?!\s+(?:attention|heed))|^what\s+(?:did|does)\s+[^?]{1,60}?\sfine\s(?![^?]{1,160}\sfor$)",
        "What did Pfizer pay for Seagen?", "What did Pfizer pay attention to?", "the written exam"),
    Row("amount", r"^(?:what|which)\s+(?:[a-z-]{2,20}\s+){0,2}(?:loss(?:es)?|gains?|charges?|impairments?|write-?downs?|savings|provisions?|proceeds)\s+(?:did|does|has|have)\s+[^?]{1,60}?\b(?:book|record|recogni[sz]e|report|post|incur|suffer|take|make|reali[sz]e|receive)(?:d|ed|n)?\b",
        "What losses did Intel book in Q3 2023?", "What losses led Intel to sell?", "typed questions"),
    Row("amount", r"^what\s+(?:is|was|are|were)\s+(?:the\s+(?:most|maximum|least|minimum)\s+(?:that|an?|you|we|one|(?-i:[A-Z])\w{1,20})\s[^?]{1,100}\b(?:pay|earn|get|charge|claim|spend)|[^?]{1,80}\b(?:pay|earn|get|charge|claim|spend)\s+at\s+(?:the\s+)?(?:most|least))\b",
        "What is the most that a patient has to pay per year?", "What is the most useful way to pay?", "typed questions"),
    Row("amount", r"^(?:the\s+)?(?:purchase\s+)?(?:price|sum|amount|cost)\s+(?:of\s+the\s+(?:deal|purchase|fine)|(?-i:[A-Z])[^?]{1,60}\s(?:paid|pays|spent|got|received)\b)",
        "Price JPMorgan paid for First Republic", "Price of JPMorgan shares", "typed questions"),
    Row("date", r"\b(?:approval|launch|start|release|closing|trial|opening|ipo|listing|merger|takeover|recall|expiry|delivery|founding|publication|effective|completion)\s+(?:date|year|month)$",
        "danuglipron approval date", "The release date was kept", "typed questions"),
    Row("date", r"^(?:the\s+)?(?:(?:earliest|latest|first|last|exact|closing|expected)\s+){0,2}date\s+(?:for|on\s+which|by\s+which|until\s+which)\b",
        "Earliest date for the second closing of the sale to SK hynix", "Date palms for sale", "the sets on reports"),
    Row("date", rf",\s+(?:until\s+|since\s+)?when\s+(?:{AUXILIARY})\s[^,]{{2,80}}$",
        "Intel stretched its credit line in 2023, when does it run out", "What did Intel say, when it fell", "the sets on reports"),
    Row("fact", r"^when\s+(?:(?:to|(?:should|would|must)\s+(?:one|you|we|I|people|an?\s+[a-z]{2,20}))\s+(?:not\s+)?(?:use|choose|prefer|pick|apply|avoid|consider|switch)|(?:is|are)\s+(?:it\s+)?(?:[\w-]{2,20}\s+){0,3}(?:better|worth|useful|appropriate|preferable|advisable))\b",
        "When should one use BM25 instead of dense retrieval?", "When should I file the form?", "the sample corpus"),
    Row("date", rf"^(?:in|on|at|by|since|during|from|until|for)?\s*(?:when|{_WH}\s+(?:\w{{1,12}}\s+)?{_TIME}s?)\b|(?<!\bon\sthe\s)(?<!\bin\sthe\s)\b(?:date|year|day|month)\s+(?:of\s+(?:birth|death|the)|in\s+which|when|that)\b|\bbirthday\b",
        "When did the EV tax credit end?", "What happens when it ends?", "issue 9"),
    Row("fact", r"^where\s+(?:do|does|did)\s+.{0,80}\b(?:revenues?|sales|cash|profits?|income|growth|margins?|funding|money|demand|earnings|loss(?:es)?|increase|decrease)\s+(?:in\s.{2,30}\s)?come\s+from\b",
        "Where does its operating cash come from?", "Where does she come from?", "quarterly reports"),
    Row("fact", r"^where\s+(?:do|does|did)\s+(?:.{1,80})\s+(?:get|take|have)\s+(?:its|their|his|her|the)\s+(?:\w+\s+)?names?\b"
        r"|^where\s+(?:do|does|did)\s+(?:the|its|their)\s+(?:name|word|term|expression|title|nickname)\b.{0,80}\scome\s+from\b",
        "Where does Python get its name from?", "Where does A live?", "plain questions"),
    Row("organisation", r"^where\s+(?:can|could|do|should|may)\s+(?:I|we|you|one|users?|people)\s+(?:get|find|download|buy|obtain)\b",
        "Where can I get an implementation?", "Where can I live?", "plain questions"),
    Row("number", rf"^(?!{AUXILIARY}\b)(?:the\s+)?(?:[\w-]{{2,20}}\s+){{1,2}}count\s+(?:of|for|in)\b",
        "Parameter count of GPT-2", "Does the count of votes matter?", "plain questions"),
    Row("report", r"^where\s+.{2,200}\sstands?(?:\s+(?:now|today|at\s+present)|\s+(?:against|versus|relative\s+to|compared\s+(?:with|to)|beside)\s.{2,120})?$",
        "where the disputes over the vaccine patents stand", "Where is the disputed stand held?", "exam-memos"),
    Row("place", rf"^(?:in|from|to|at|near)?\s*(?:where|{_WH}\s+{_ADJ}{_PLACE})\b(?!\s+of\s+which)|\bplace\s+(?:of\s+(?:birth|death|burial)|where)\b|^what\s+(?:is|was|are|were)\s+the\s+{_ADJ}(?:{_PLACE})\b(?!\s+(?!{_JOINS})[a-z])",
        "Where was the director of film The Zone (2017) born?", "Which company lost orders?", "2wiki"),
    Row("list", r"^(?:(?:give|show|write|make)\s+(?:me\s+)?)?(?:a\s+|the\s+)?(?:timeline|chronology)\b",
        "Give me a timeline of the criminal case against Boeing", "What is a timeline?", "the written exam"),
    Row("list", rf"^(?:list|enumerate|name|identify|find|give\s+(?:me\s+)?(?:a\s+list|the\s+names|examples))\b|^who\s+(?:are|were)\s+(?:the\s+)?(?:{_ADJ}){_MANY}\b",
        "List all lawsuits against Tesla", "Who was listed?", "the written exam"),
    Row("amount", rf"^what\s+(?:(?!{AUXILIARY}\b)[\w'’-]{{1,20}}\s+){{1,3}}?{_SUMS}\s+(?:did|does|do|must|will)\s+(?!(?:prosecutors?|the\s+(?:court|police))\b).{{1,80}}\b(?:records?|report|pay|incur|recogni[sz]e|book|earn|make|generate|declare|take|have)\b",
        "What severance costs did Amazon record in Q1 2023?", "What hidden costs does remote work bring?", "quarterly reports"),
    Row("list", rf"^(?:(?:in|into|at|with|for|by|to|from|on|through)\s+)?(?:which|what)\s+(?:of\s+)?(?:the\s+)?(?:are\s+(?:the\s+)?|were\s+(?:the\s+)?)?(?:(?!(?:{AUXILIARY}|of|for|on|to|the|an?)\b)[a-z][\w'’-]{{0,20}}\s+){{0,3}}?(?!(?:was|is|does|has|this|its|his|us|happens|comes|goes|makes|causes|depends)\b){_MANY}\s+(?:[a-z]{{2,15}}ed(?=\s+(?:in|on|at|by|from|between|before|after|during|since|under)\b|$)|are|were|do|did|have|has|had|that|does|can|could|will|would|in|of|for|from|to|facing|face|concern|concerned|started|depend|which|who|led|lose|make|made|with|on|by|and|at|is)\b",
        "Which of the eight companies depend on TSMC?", "Which company depends on TSMC?", "the written exam"),
    Row("list", r"^what\s+(?:are|were)\s+(?:the\s+|some\s+|its\s+|their\s+)?(?:[\w'’-]{1,20}\s+){0,4}?(?:risks?|uses|use\s+cases|applications|examples|types|kinds|steps|advantages|disadvantages|pros|cons|benefits|drawbacks|strengths|weaknesses|limitations|challenges|factors|names|effects|consequences|products|services|members|criteria|features|reasons|divisions|segments|businesses|brands|competitors|rivals|suppliers|subsidiaries)\b",
        "What are the main legal risks of Boeing?", "What are neural networks?", "samples"),
    Row("list", rf"^(?:the\s+)?(?:top|main|key|major|biggest|\d{{1,3}})\s+(?:\d{{1,3}}\s+)?(?:[\w'’-]{{1,20}}\s+){{0,2}}?{_MANY}\b|^[\w'’/-]{{1,20}}\s+(?:risks|examples|uses)\b|^(?:risks|uses|examples|applications)\b",
        "Top risks facing Tesla in 2025", "Top of the world", "samples"),
    Row("list", r"^which\s+of\s+(?:the|these|those|our)\s+(?:[a-z-]{2,20}\s+){0,2}?[a-z]{2,20}[^s\W]s\s+(?!(?:is|was|does|has|did|had|got|made|paid|took|came|sold|bought|won|lost|gave|said|fell|rose|[a-z]{2,20}ed)\b)[a-z]{3,}",
        "Which of the licences require notice", "Which of the licences is oldest", "licences"),
    Row("list", r"^which\s+(?:two|three|four|five|six|seven|eight)\s+[a-z]{2,20}s\b",
        "Which three researchers compared the tests?", "Which two of them are right?", "memo writers"),
    Row("list", r"^which\s+[a-z]{2,20}[^s\W]s\b(?!\s+(?:is|was|does|has|do|did|are|were|have|had)\b)(?!['’])",
        "Which segments grew by more than 20% in 2023?", "Which company grew?", "financebench"),
    Row("list", r"^what\s+(?:are|were)\s+(?:the|some)\s+(?:[\w'’-]{1,20}\s+){0,4}?[a-z][\w'’-]{0,20}[^s\W]s\b",
        "What are the renewable energy initiatives implemented in Copenhagen?", "What are transformers?", "chunkeval"),
    Row("list", r"^who\s+(?:is\s+|are\s+|else\s+|has\s+|have\s+)?(?:compet\w{1,4}|su(?:es|ed|ing))\b",
        "Who competes with NVIDIA?", "Who wrote the paper?", "analysts' forms"),
    Row("organisation", r"^who\s+(?:has\s+|have\s+)?(?:acquired?|bought|buys?|own(?:s|ed)?|took\s+over(?!\s+as\b)|takes\s+over(?!\s+as\b)|merged|manufactures?|sells?|publishes|provide[sd]?|administers?|hosts?|suppl(?:y|ies|ied)|sued?|fined?|complained|operates?|insures?|regulates?|oppose[sd]?|block(?:s|ed)?|challenge[sd]?|makes|produces?|took\s+[^?]{1,40}\s+to\s+court)\b",
        "Who acquired Kenvue?", "Who wrote it?", "issue 9"),
    Row("organisation", r"^who(?:\s+(?:is|are|was|were)|['’]s)\s+(?:(?!(?:of|at|in|for|with|by|from)\b)[\w'’.&-]{1,30}\s+){0,4}?(?:supplier|customer|rival|competitor|maker|manufacturer|parent|operator|regulator|lender|insurer|auditor|contractor|vendor)s?\b|^whose\s+(?:complaint|lawsuit|suit|factory|plant|chips?|software)\b",
        "Who is NVIDIA's main supplier of memory?", "Who is the head of the supplier?", "free wording"),
    Row("fact", r"^who\s+(?:(?:is|are|was|were)\s+(?:not\s+)?|(?:is|are)n['’]t\s+)(?:eligible|entitled|allowed|permitted|exempt(?:ed)?|excluded|qualified|covered|affected|insured|at\s+risk)\b|^who\s+qualifies\b",
        "Who is eligible for the transit benefit?", "Who is the head of benefits?", "a handbook"),
    # Who somebody is, is told of them; another name is no answer.
    Row("report", rf"^who(?:['’]s|\s+(?:is|was|are|were))\s+(?!(?i:[ct][efto]o|chair\w{{0,6}}|president|director)\b)(?!.{{1,60}}['’]s?\s){ONE_NAME}(?:\s+and\s+{ONE_NAME})?\W{{0,2}}$",
        "Who is Matt Garman?", "Who is CEO?", "memo writers"),
    Row("person", rf"^(?:by|to|for|with|from)?\s*(?:who|whom|whose)\b|^(?:by\s+|to\s+|for\s+|with\s+)?{_WH}\s+{_ADJ}{_PERSON}\b|^(?:what\s+(?:is|was)\s+)?(?:the\s+)?name\s+of\s+the\s+{_ADJ}{_PERSON}\b",
        "Who is the CFO of Apple?", "What does the CFO do?", "the written exam"),
    Row("organisation", rf"^(?:by|to|for|with|from|in|at)?\s*{_WH}\s+{_ADJ}{_ORGANISATION}\b|^(?:what\s+(?:is|was)\s+)?(?:the\s+)?name\s+of\s+the\s+{_ADJ}{_ORGANISATION}\b",
        "Which company, covered by Forbes, lost orders?", "What orders did it lose?", "issue 8"),
    Row("report", r"^what\s+(?:is|are|was|were)\s+the\s+(?:role|purpose|function|idea|significance|background|status|point|aim|job|outlook|prospect|future|stance|strategy|situation|mood)s?\s+(?:of|for|on|at|in)\b",
        "What is the role of the query, key and value vectors?", "What is the value of the role?", "analysts' forms"),
    Row("amount", rf"^(?!what\s+happen|which\s+of\b)(?!which\s+(?:[\w-]{{2,20}}\s+){{1,3}}?(?:got|gets|paid|pays|received|receives|owes|asked)\b)(?!.{{0,160}}(?:\b(?:said|say|without|in\s+return|ratings?|covenants?|return\s+on|ratio|margin|turnover|percent|change|growth|outstanding|cagr)\b|(?<!\d)%))(?:(?:at|for)\s+)?(?:{_WH})\s+(?:{_BE}\s+)?(?:(?!(?:does|did|do|about|regarding|concerning)\b)[^\s]{{1,30}}\s+){{0,8}}?{_MONEY}\b",
        "What was AMD's revenue in the third quarter of 2023?", "What is the revenue growth?", "the written exam"),
    Row("number", rf"^(?!which\s+of\b)(?!what\s+happens?\b)(?!what\s+(?:does|do)\s+[a-z-]{2,30}\s+do\b)(?!what\s+(?:can|could|will|would)\s+(?!the\b|its\b|their\b|an?\b)[a-z]+\s+(?:[a-z]+\s+)?(?:the|its|their)\b)(?:(?:up\s+)?to\s+|at\s+|with\s+|by\s+|for\s+|within\s+|from\s+|above\s+|below\s+)?(?:{_WH})\s+(?:{_BE}\s+)?(?:(?!(?:does|did|do|about|regarding|concerning)\b)[^\s]{{1,30}}\s+){{0,8}}?{_MEASURE}\b|^what\s+(?:is|was)\b.{{1,100}}(?:%|\boutstanding\b|\bchange\s+in\b)",
        "What is the dimension of MiniLM embeddings?", "What is attention?", "the written exam"),
    Row("definition", r"^how\s+(?:does|do|did|is|are)\s+[^?]{1,120}\sdefined?\b",
        "How does Microsoft define a remaining performance obligation?", "How does Microsoft work?", "quarterly reports"),
    Row("way", r"^how\s+(?:will|would|did|does|do|has|have|is|are|was|were)\s+[^?]{2,60}?\s(?:pay(?:ing)?\s+for|paid\s+for|fund(?:ed|ing)?|financ(?:e|ed|ing))\b",
        "How will Pfizer pay for Seagen?", "How will Pfizer do?", "typed questions"),
    Row("way", r"^(?:in\s+(?:what|which)\s+ways?|by\s+(?:what|which)\s+(?:means|methods?))\s+(?:do|does|did|is|are|was|were|can|has|have)\b",
        "In what way does CRAG correct itself?", "In what year does it end?", "typed forms"),
    Row("way", r"^what\s+(?:can|could|should)\s+(?:be\s+done|(?:I|we|you|one|[a-z]{3,20})\s+do)\s+(?:about|against)\b",
        "What can be done about hallucinations?", "What can be done in May?", "typed forms"),
    Row("way", r"^(?:explain\s+|describe\s+|show\s+(?:me\s+)?)?how\s+(?:do|does|did|can|could|to|should|is|are|was|were)\b(?!.{1,120}\b(?:affect|influence|impact|hurt|threaten|change|perform|reflect|relate|correlate|fare|stand\s+against)\b)|\b(?:steps?|procedure|process|mechanism)\s+(?:of|for|to|in|behind)\b",
        "How do I install streamlit?", "How did Toyota's Tesla investment perform?", "issue 9"),
    Row("definition", rf"^(?:what\s+(?:is|are)|define|what['’]s)\s+{NOT_DOING}(?!.{{1,120}}\sdoing$)(?!the\b|said\b|known\b|there\b|(?:its|their|his|her)\b)(?!.{{1,120}}\s(?:of|on|in|from|with|to|by|at)$)(?:an?\s+)?(?:[\w/&.-]{{1,30}}+\s*+){{1,4}}$|\b(?:meaning|definition)\s+of\b|^what\s+(?:do|does)\s.{{1,60}}\s(?:mean|stand\s+for)\b",
        "What is attention?", "What is the capital of France?", "issue 9"),
    Row("report", r"^(?:please\s+)?(?:describe|explain|discuss|summari[sz]e|outline|tell|elaborate|analy[sz]e|examine|review|evaluate|assess|clarify|detail|give|overview)\b|\b(?:said|say|says|discuss(?:ed)?|report(?:ed)?|think|thought|mention(?:ed)?|conclude[sd]?|disclose[sd]?)\b|^how\b|\boverview\b|^what\s+happen|^(?:the\s+)?history\s+of\b|\beffects?\s+of\b",
        "What did Satya Nadella say about quantum computing at Davos?", "What is Davos?", "the written exam"),
    Row("list", rf"^(?!(?:{ASKS}|{AUXILIARY}|{IMPERATIVE}|{'|'.join(PREPOSITIONS)})\b)(?!.{{1,200}}\b(?:{QUESTION_WORD}(?<!which)|in\s+(?:dollars|euros|percent|millions?|billions?))\b)(?:the\s+)?(?:(?!(?:{_MONEY}|{_SUMS}|{AUXILIARY})\b)[\w'’-]{{1,20}}\s+){{0,4}}?(?!(?:{_MONEY}|{_SUMS}|{AUXILIARY}|this|its|his|thus|always|perhaps)\b){_MANY}\s+(?:in|for|that|which|who|behind|against|like|elsewhere|(?:by|to|from|with|under|at)\s+which|named|listed|used|involved|facing)\b",
        "names in the frame for Dimon's job", "total assets of Apple", "typed questions"),
)  # fmt: skip


# "What is gross margin?" asks for no figure: it says neither whose nor when.
_A_BARE_TERM = linear(
    r"[Ww]hat\s+(?:is|are)\s+(?:an?\s+(?!(?:typical|usual|normal|fair|good|reasonable|realistic|likely)\s))?"
    r"(?!(?:the|an?|its|their|our|this|that|these|those)\s)"
    r"(?:[A-Z]{2,6}\s)?(?:(?!(?:of|in|for|at|on|by|per|to|since|now|today|last|next)\b)[a-z][a-z-]{1,20}\s){0,4}(?!(?:now|today)\b)[a-z][a-z-]{1,20}"
)


_A_NAME_ALONE = linear(
    r"[Ww]hat\s+(?:is|are)\s+[A-Z][\w&.-]{1,20}(?:\s[A-Z][\w&.-]{1,20}){1,4}"
)  # "What is Starboard Value?"
_SHORT_IS = re.compile(r"(?i)(?<=^what)['’]s\b")


# What is asked for where it stands: "A was born in which city", "A belongs to a network founded by whom".
_IN_PLACE = linear(
    rf"(?i)(?<!,)\s(?:(?:{AHEAD}|near)\s+)?(?:(?:what|which)\s+(?!(?:{AUXILIARY}|{AHEAD}|an?|the|its|their|this|that)\b|\S+['’]s\b)[a-z]"
    r"|(?<!\band\s)(?<!\bor\s)(?:who|whom|where|when)$)"
)


@lru_cache(maxsize=1 << 8)
def asked_in_place(text: str) -> str:
    """What asks in a clause that opens as a statement does, to its end; empty where the clause opens with what asks."""
    found = None if _ASKS.match(text) else _IN_PLACE.search(text)
    return text[found.start() :].strip() if found else ""


def kind_of_answer(clause: str) -> AnswerKind:
    """Return the kind of answer that `clause` asks for; "fact" where its words do not tell."""
    text = _SHORT_IS.sub(" is", clause.strip(" ?!.\n")[:_LONGEST])
    inside = first_kind(KINDS, asked_in_place(text))
    if inside and inside != "reason" and inside in _CLASSES:
        return inside
    kind = first_kind(KINDS, text) or "fact"
    is_term = kind in ("amount", "number") and (_A_BARE_TERM.fullmatch(text) or _A_NAME_ALONE.fullmatch(text))
    return "definition" if is_term else kind


# What was done by whom, as who did it: what stands first in what is read does it.
_BY_WHOM = rf"(?P<who>who(?=m?\b)|(?:which|what)\s+(?:[\w-]{{2,20}}\s+){{0,3}}?(?:{_PERSON}|{_ORGANISATION})s?\b[^,;:?]{{0,40}}?)m?"
_WAS_DONE = r"(?P<did>[a-z]{2,14}ed|bought|built|found|held|led|paid|sold|taught|won)"
_BESIDES = r"(?P<rest>(?:,?\s+(?:in|on|at|for|over|after|before|since|because|during|from)\s.{2,120})?)"
_DID_IT = r"\g<who> \g<did> \g<x>\g<rest>"
IN_ACTIVE: tuple[LanguagePattern[str], ...] = (
    LanguagePattern(_DID_IT, rf"^{_NO_ASKING}(?!both\b)(?P<x>[^,;:?]{{2,80}}?)\s+(?:was|were)\s+{_WAS_DONE}\s+by\s+{_BY_WHOM}{_BESIDES}$",
                    "Apple was fined by which regulator in March 2024", "Apple was fined by a regulator", "hotpotqa"),
    LanguagePattern(_DID_IT, rf"^by\s+{_BY_WHOM}\s+(?P<inverted>(?:was|were)\s+)?(?P<x>[^,;:?]{{2,80}}?)(?<!\sto\sbe)\s+(?(inverted)|(?:was|were)\s+){_WAS_DONE}{_BESIDES}$",
                    "By which regulator was Apple fined in March 2024", "By which date was Apple to answer", "hotpotqa"),
    LanguagePattern(_DID_IT, rf"^{_BY_WHOM}\s+(?:was|were)\s+(?P<x>[^,;:?]{{2,80}}?)\s+{_WAS_DONE}\s+by{_BESIDES}$",
                    "Who was Apple fined by in March 2024", "Who was fined by Apple", "hotpotqa"),
)  # fmt: skip


_WHERE_LOCATED = linear(r"(?i)(?P<is>where\s+(?:is|are)\s+[^,;?]{2,80}?)\s+(?:located|situated)$")


@lru_cache(maxsize=1 << 8)
def in_active(text: str) -> str:
    """Who did what, where a text asks by whom it was done: "Which firm bought A" of "A was bought by which firm".

    Where a thing is located is where it is: few sentences say that it is located there.
    """
    asked = text.strip(" ?!.\n")
    found = next(filter(None, (row.search(asked) for row in IN_ACTIVE)), None)
    is_where = None if found else _WHERE_LOCATED.match(asked)
    return is_where["is"] if is_where else found.expand(_DID_IT) if found else text


# What stands in front of a thing, or right behind it, to say what is asked: "date of A", "A's founding year".
_DATED = r"(?:founding|launch|release|approval|closing|opening|start|publication|purchase|expiry|introduction|first\s+release)"
_PAID = r"(?:acquisition|purchase|takeover|buyout|deal|settlement|fine|penalty)"
_MAKES = {
    "inventor": "who invented", "creator": "who created", "founder": "who founded", "author": "who wrote",
    "owner": "who owns", "designer": "who designed", "composer": "who composed", "narrator": "who narrated",
    "builder": "who built", "discoverer": "who discovered",
}  # fmt: skip
_ASKED_AHEAD = linear(
    r"(?i)^(?:what\s+(?:is|was|are|were)\s+|what['’]s\s+)?(?:the\s+)?(?:"
    rf"(?:date|year)\s+of\s+(?!birth|death)(?P<when>\S.{{2,160}})|(?P<event>{_DATED})\s+(?:date|year)\s+of\s+(?P<of>\S.{{2,160}})"
    r"|(?:total\s+)?number\s+of\s+(?P<many>\S.{2,160})"
    r"|(?:purchase\s+price|amount|sum)\s+of\s+(?P<much>\S.{2,160})|duration\s+of\s+(?P<long>\S.{2,160})"
    r"|(?:place|location|site)\s+of\s+(?!birth|death|burial|origin)(?P<where>\S.{2,160})"
    r"|(?P<seat>headquarters\s+of\s+\S.{2,160})"
    rf"|(?P<dated>\S.{{1,160}}?\s{_DATED})\s+(?:date|year)|(?P<paid>\S.{{1,160}}?\s{_PAID})\s+(?:price|amount|sum)"
    r"|(?P<lasted>\S.{1,160}?\sstrike)\s+duration|(?P<seated>\S.{1,160}?\sheadquarters)(?:\s+location)?"
    r")$"
    rf"|^(?:who\s+(?:is|was|are|were)\s+)?(?:the\s+)?(?:(?P<agent>{'|'.join(_MAKES)})s?)\s+of\s+(?P<made>(?:(?!(?:of|that|which|who|and|or)\b)\S+\s?){{1,6}})$"
)
_LEADS = {
    "when": "when", "of": "when", "dated": "when", "many": "how many", "much": "how much", "paid": "how much",
    "long": "how long", "lasted": "how long", "where": "where", "seat": "where are the", "seated": "where are",
}  # fmt: skip
_WITHOUT_BEING = frozenset(("many", "seat", "seated"))
_SEVERAL = re.compile(r"(?:[a-z-]{2,20} ){0,2}?[a-z-]{2,20}(?<![su])s\b")


# Words of a question that such an asking stands for, by how it begins.
_STANDS_FOR = {
    "timeline of": "develop evolve unfold progress play out change shift go fare over time years start finish",
    "when": "date year", "how many": "total number", "how much": "price amount sum", "how long": "duration",
    "where": "place location site", "who invented": "inventor", "who created": "creator", "who founded": "founder",
    "who wrote": "author",
    "effect": "affect influence impact hurt hit harm damage squeeze help benefit threaten change shape drive",
}  # fmt: skip


def stood_for(asked: str) -> frozenset[str]:
    """The terms of a question that are said by how `asked` begins: "date" by "When was A"."""
    low = asked.lower()
    return frozenset(term for begins, words in _STANDS_FOR.items() if low.startswith(begins) for term in tokens(words))


# How a thing went on in time: "How did A develop", "How was A watered down over time".
_COURSE = linear(
    r"(?i)^how\s+(?:did|does|do|has|have|had)\s+(?!(?:i|we|you|one)\s)(?P<what>\S.{2,160}?)\s+"
    r"(?:(?:develop(?:ed)?|evolved?|unfold(?:ed)?|progress(?:ed)?|play(?:ed)?\s+out)(?P<when>\s.{2,80})?"
    r"|change[sd]?(?P<since>\s+(?:since|between|from)\s.{2,80})"
    r"|(?:change[sd]?|shift(?:ed)?|go(?:ne)?|fared?)(?P<where>\s.{1,60}?)?,?\s+(?:over\s+(?:time|the\s+years)|from\s+start\s+to\s+finish))$"
)
_FIGURE_ASKED = re.compile(rf"(?i)\b(?:{_MONEY}|{_MEASURE})\b")
# "Apple's revenue in 2024" asks how much it was.
_FIGURE_OF_A_TIME = linear(
    rf"^(?:{ONE_NAME})(?:['’]s?)?\s(?:(?:net|total|operating|gross|quarterly|annual)\s)?(?:revenues?|sales|income|profits?|turnover|earnings)"
    r"\s(?:(?:in|for|during)\s)?(?:(?:fiscal|calendar)\s)?(?:year\s)?(?:[QH][1-4]\s|[1-4]Q\s?)?(?:FY\s?)?(?:20)?\d\d$"
)
_ONLY_NAMES = re.compile(r"(?:the )?[A-Z]\S{0,30}(?: [A-Z]\S{0,30}){0,4}$")


def asked_ahead(text: str) -> str:
    """A phrase that says what of a thing is asked, as a question: "date of A" as "when was A"; other texts as they are."""
    course = _COURSE.match(text)
    if course and not _FIGURE_ASKED.search(course["what"]):
        return f"timeline of {course['what']}{course['when'] or course['since'] or course['where'] or ''}"
    if _FIGURE_OF_A_TIME.match(text):
        return f"what was {text}"
    found = _ASKED_AHEAD.match(text)
    if found is None:
        return text
    if found["agent"]:
        return f"{_MAKES[found['agent'].lower()]} {found['made']}"
    asks = next(name for name in _LEADS if found[name])
    if _ASKS_INSIDE.search(found[asks]):
        return text
    event = f"the {found['event']} of " if asks == "of" else ""
    began = " introduced" if asks == "when" and _ONLY_NAMES.match(found[asks]) else ""  # "year of BM25"
    being = "" if asks in _WITHOUT_BEING else " were" if _SEVERAL.match(found[asks]) else " was"
    return f"{_LEADS[asks]}{being} {event}{found[asks]}{began}"


# What is asked for by name ("in which town", "what percentage") is what the answer is, and no sentence has to say it.
_CLASSES: Mapping[AnswerKind, frozenset[str]] = {
    "person": terms_of("person man men woman women people"),
    "organisation": terms_of("company firm organisation organization business"),
    "place": terms_of("place town city country state region province county village location"),
    "date": terms_of("year month day date time"),
    "number": terms_of("percentage percent proportion number amount temperature"),
    "amount": terms_of("amount sum money"),
    "reason": terms_of("reason"),
}
_CLASS = re.compile(
    r"(?i)(?:[a-z]{1,30} )?(?:which|what)(?: (?:is|are|was|were) the)? (?P<noun>[a-z]+)\b|how much (?P<mass>money)\b"
)


def class_asked(question: str, kind: AnswerKind) -> frozenset[str]:
    """The term that only says what an answer of `kind` is: town in "In which town …?", but no other noun."""
    asked = _CLASS.match(asked_in_place(question.strip(" ?")) or question.strip())
    return terms_of(asked["noun"] or asked["mass"]) & _CLASSES.get(kind, frozenset()) if asked else frozenset()


_WHICH_CLASS = re.compile(
    r"(?i)(?:[a-z]{1,30} )?(?:which|what) "
    rf"(?P<asked>(?!(?:{'|'.join(AUXILIARIES)}|kind|type|sort|other|of|ones?|two)\b)[a-z-]+"
    rf"(?: (?!(?:{'|'.join(AUXILIARIES)})\b)[a-z-]+){{0,2}})"
    r"|what (?:is|was|are) (?:the )?(?:[\w.'’-]{1,30} ){0,4}?(?P<called>[a-z-]+) (?:called|named)\b"
)


def class_named(question: str) -> frozenset[str]:
    """The terms that say what is asked for by name: format in "Which file format does A use?"."""
    asked = _WHICH_CLASS.match(asked_in_place(question.strip(" ?")) or question)
    return terms_of(asked["asked"] or asked["called"]) if asked else frozenset()


# "Which contracts allow …?" asks of each document.
_OF_DOCUMENTS = re.compile(
    r"(?i)(?:^|[.?!;:]\s+)(?:which|what|list|name)\s+(?:(?:all|of|the|these|those|our|my|other|two|three)\s+){0,3}"
    r"(?:(?!(?:do|does|did|is|are|was|were|can|will|about)\b)[a-z]+\s+)?"
    rf"(?:{DOCUMENTS})\b"
)


def chooses_documents(question: str) -> bool:
    """Whether a question asks which of several documents something holds for."""
    return _OF_DOCUMENTS.search(question) is not None
